/* SPDX-License-Identifier: MIT */
/* Pages of the help: one for every kind, each with what it must have; and the force that a page gives
 * for an element is the one that the compiled machine puts on its linkage. */
#include "core/help/hl-help-page.h"

#include <math.h>
#include <string.h>

#include "core/run/hl-state-snapshot.h"
#include "core/system/hl-observable.h"
#include "core/system/hl-hydraulic-model.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

static int count_kinds (HlSection section) {
  int n = 0;

  while (hl_schema_kind (section, n) != NULL)
    n++;
  return n;
}

static void test_every_kind (void) {
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int n = 0;

  for (; hl_help_kind (n) != NULL; n++) {
    const HlKind *kind = hl_help_kind (n);
    g_autoptr (HlHelpPage) page = hl_help_page_new (kind, NULL, NULL);
    g_autoptr (GPtrArray) curves = hl_help_page_curves (page);
    g_assert_true (g_hash_table_add (keys, hl_help_kind_key (kind)));
    g_assert_nonnull (kind->help);
    g_assert_nonnull (hl_help_page_sources (page));
    g_assert_cmpint (hl_help_kind_rank (kind, kind->label), >, 0);
    g_assert_cmpint (hl_help_kind_rank (kind, "quux"), ==, 0);
    g_assert_cmpuint (page->formulas->len, >, 0);
    g_assert_cmpuint (curves->len, >, 0);
    for (int oil = 0; oil < HL_N_OIL_MODELS && kind->section == HL_SECTION_COMPONENTS; oil++) {
      g_autofree char *sentence = hl_help_page_oil (page, oil);
      g_assert_cmpuint (strlen (sentence), >, 5);
    }
    for (guint k = 0; k < page->letters->len; k++) {
      const HlHelpLetter *letter = &g_array_index (page->letters, HlHelpLetter, k);
      g_autofree char *words = hl_help_letter_words (page, letter);
      if (*words == '\0')
        g_error ("%s: %s has no meaning", kind->name, letter->letter->name);
    }
  }
  g_assert_cmpint (n, ==,
                   hl_n_components + count_kinds (HL_SECTION_JOINTS) + count_kinds (HL_SECTION_LOADS) +
                       count_kinds (HL_SECTION_SIGNAL) + 2); /* a line and a body */
}

/* The result of a formula has the dimension that is stated for it: the dimension follows from its letters alone, the quantity
 * from the tables where they state one. */
static void test_dimensions (void) {
  static const struct {
    const char *kind, *formula;
    HlQuantity quantity;
  } known[] = {{"cylinder", "A_A", HL_QUANTITY_AREA},
               {"cylinder", "l_A", HL_QUANTITY_LENGTH},
               {"cylinder", "V_B", HL_QUANTITY_VOLUME}};
  int n = 0, n_found = 0;

  for (int k = 0; hl_help_kind (k) != NULL; k++) {
    g_autoptr (HlHelpPage) page = hl_help_page_new (hl_help_kind (k), NULL, NULL);
    for (guint f = 0; f < page->formulas->len; f++) {
      const HlHelpFormula *formula = &g_array_index (page->formulas, HlHelpFormula, f);
      HlDimension dimension, stated;
      HlQuantity quantity = HL_QUANTITY_NONE;
      n++;
      gboolean has_quantity = hl_help_formula_quantity (page, formula, &quantity);
      if (!hl_help_formula_dimension (page, formula, &dimension)) {
        g_test_message ("%s: %s: no dimension", hl_help_kind (k)->label, formula->text->text);
        continue;
      }
      n_found++;
      stated = hl_dimension_of (quantity);
      stated.radian = dimension.radian = 0;
      if (has_quantity && hl_term_part (formula->term, 1)->kind != HL_TERM_NUMBER &&
          !hl_dimension_agrees (dimension, stated)) {
        g_autofree char *a = hl_dimension_text (dimension), *b = hl_dimension_text (stated);
        g_test_message ("%s: %s: %s, stated %s", hl_help_kind (k)->label, formula->text->text, a, b);
        g_test_fail ();
      }
      for (guint i = 0; i < G_N_ELEMENTS (known); i++)
        if (g_strcmp0 (known[i].kind, hl_help_kind (k)->name) == 0 &&
            g_strcmp0 (known[i].formula, hl_term_part (formula->term, 0)->text) == 0)
          g_assert_cmpint (quantity, ==, known[i].quantity);
    }
  }
  g_test_message ("%d of %d formulas have a dimension", n_found, n);
}

/* Words that people look for, and the page that they mean. */
static void test_search (void) {
  static const char *const cases[][2] = {{"bulk", "line"},
                                         {"cavitation", "line"},
                                         {"flow control", "flow-control-valve"},
                                         {"orifice", "throttle"},
                                         {"overcentre", "counterbalance-valve"},
                                         {"ram", "cylinder"},
                                         {"hinge", "joint-revolute"},
                                         {"precharge", "accumulator"},
                                         {"reservoir", "tank"},
                                         {"water hammer", "pipe"},
                                         {"stribeck", "cylinder"},
                                         {"controller", "signal-pid"}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    int best = 0;
    const HlKind *first = NULL;
    for (int k = 0; hl_help_kind (k) != NULL; k++)
      if (hl_help_kind_rank (hl_help_kind (k), cases[i][0]) > best) {
        best = hl_help_kind_rank (hl_help_kind (k), cases[i][0]);
        first = hl_help_kind (k);
      }
    g_assert_nonnull (first);
    g_autofree char *key = hl_help_kind_key (first);
    g_test_message ("%s: %s", cases[i][0], key);
    g_assert_cmpstr (key, ==, cases[i][1]);
  }
}

/* --- the force of the machine --- */

static double observed (HlTestModel *model, const char *id, const char *name) {
  g_autofree char *path = g_strconcat (id, ".", name, NULL);
  HlObservable output;
  double value = NAN;

  if (hl_observable_find (model->sys, path, &output) &&
      hl_snapshot_eval (model->sys, model->work, model->point, &output, 1, &value, NULL) != HL_OK)
    value = NAN;
  return value;
}

static void look (HlTestModel *model, HlHelpPage *page) {
  HlHelpPart *part = page->part;

  for (int port = 0; port < page->kind->n_ports; port++) {
    g_autofree char *path = g_strconcat (page->id, ".", page->kind->ports[port], NULL);
    int line = hl_document_line_of_port (model->doc, path);
    if (line < 0) {
      hl_help_part_leave_open (part, port);
      continue;
    }
    const HlValue *element = hl_document_element (model->doc, HL_SECTION_LINES, line);
    part->p[port] = observed (model, hl_value_string (hl_value_member (element, "id")), "pressure");
  }
  for (int state = 0; state < part->c.n_states; state++) {
    char room[HL_STATE_NAME_ROOM];
    part->state[state] = observed (model, page->id, hl_component_state_name (&part->c, state, room));
  }
  part->length = observed (model, page->id, part->c.klass->is_rotary ? "angle" : "s");
  part->speed = observed (model, page->id, "speed");
  hl_help_page_work_out (page);
}

static void check_force (const char *example, const char *id) {
  HlTestModel model = hl_test_model_load (example);
  HlSection section;
  int n = 0;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  const HlKind *kind =
      hl_schema_kind_of (HL_SECTION_COMPONENTS, hl_document_find (model.doc, id, &section, NULL));
  g_autoptr (HlHelpPage) page = hl_help_page_new (kind, model.doc, id);
  look (&model, page);
  double force = observed (&model, id, page->part->c.klass->is_rotary ? "torque" : "force");
  g_assert_true (isfinite (force));
  for (guint k = 0; k < page->formulas->len; k++) {
    const HlHelpFormula *formula = &g_array_index (page->formulas, HlHelpFormula, k);
    if (formula->text->given.gives != HL_GIVES_FORCE)
      continue;
    hl_assert_near (formula->value, force, 1e-9, 1e-6);
    n++;
  }
  g_assert_cmpint (n, ==, 1);
  hl_test_model_clear (&model);
}

static void test_force (void) {
  check_force ("four-bar.hydrolink", "cyl");
  check_force ("crane-counterbalance.hydrolink", "cyl");
  check_force ("stick-slip.hydrolink", "cyl");
  check_force ("press-cushions.hydrolink", "cyl");
  check_force ("hydrostatic-wheel.hydrolink", "motor");
}

/* --- elements that are no components, in the machine --- */

/* The page has to sum up the compliances of a line itself. */
static double read_cb (void *data, const char *id, const char *name) {
  return strcmp (name, "compliance") == 0 ? NAN : observed (data, id, name);
}

/* The number of the page whose left side is that letter; NAN: it has none. */
static double given (const HlHelpPage *page, const char *letter) {
  for (guint k = 0; k < page->formulas->len; k++) {
    const HlHelpFormula *formula = &g_array_index (page->formulas, HlHelpFormula, k);
    if (g_strcmp0 (hl_term_part (formula->term, 0)->text, letter) == 0)
      return formula->value;
  }
  return NAN;
}

/* Quantities with a letter on the help pages and their names in the model. */
static const struct {
  HlSection section;
  const char *kind, *letter, *name;
} alike[] = {
    {HL_SECTION_LOADS, "spring", "F", "force"},
    {HL_SECTION_LOADS, "torsion-spring", "M", "torque"},
    {HL_SECTION_LOADS, "tyre", "F", "force"},
    {HL_SECTION_LOADS, "tyre", "alpha", "slip"},
    {HL_SECTION_JOINTS, "revolute", "T", "friction_torque"},
    {HL_SECTION_JOINTS, "prismatic", "F", "friction_force"},
    {HL_SECTION_JOINTS, "prismatic", "s", "travel"},
    {HL_SECTION_JOINTS, "slot", "s", "travel"},
    {HL_SECTION_LINES, NULL, "C", "compliance"},
};

/* Rows that hold places are at zero in a machine that is together. */
static void check_rows (const HlHelpPage *page) {
  static const char *const rows[] = {"C_x", "C_y", "C_n", "C_psi", "C", "v_n"};

  for (gsize k = 0; k < G_N_ELEMENTS (rows); k++) {
    double value = given (page, rows[k]);
    if (!isnan (value) && !(fabs (value) < 1e-8))
      g_error ("%s: %s is %g", page->id, rows[k], value);
  }
}

/* Of every element of the section; returns how many numbers were compared. */
static int check_section (HlTestModel *model, HlSection section, double *energy) {
  int n = 0;

  for (int k = 0; k < hl_document_n_elements (model->doc, section); k++) {
    const HlKind *kind = hl_schema_kind_of (section, hl_document_element (model->doc, section, k));
    const char *id = hl_document_element_id (model->doc, section, k);
    g_autoptr (HlHelpPage) page = hl_help_page_new (kind, model->doc, id);
    hl_help_page_look (page, read_cb, model, 0.0);
    if (section == HL_SECTION_JOINTS)
      check_rows (page);
    if (section == HL_SECTION_BODIES)
      *energy += given (page, "E");
    for (gsize a = 0; a < G_N_ELEMENTS (alike); a++) {
      if (alike[a].section != section || g_strcmp0 (alike[a].kind, kind->name) != 0)
        continue;
      double value = given (page, alike[a].letter), machine = observed (model, id, alike[a].name);
      if (machine == 0.0 && section == HL_SECTION_LINES)
        continue; /* its pressure is given: the machine needs no compliance */
      hl_assert_near (value, machine, 1e-9, section == HL_SECTION_LINES ? 0.0 : 1e-9);
      n++;
    }
  }
  return n;
}

static void test_machine (void) {
  static const char *const examples[] = {"peaucellier.hydrolink",
                                         "ackermann-steering.hydrolink",
                                         "inverted-slider-crank.hydrolink",
                                         "articulated-vehicle-tyre.hydrolink",
                                         "hydrostatic-wheel.hydrolink",
                                         "accumulator-launch.hydrolink",
                                         "four-bar.hydrolink",
                                         "scissor-lift.hydrolink"};
  static const HlSection sections[] = {HL_SECTION_BODIES, HL_SECTION_JOINTS, HL_SECTION_LOADS,
                                       HL_SECTION_LINES};
  int n = 0, n_moving = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (examples); k++) {
    HlTestModel model = hl_test_model_load (examples[k]);
    double energy = 0.0;
    hl_test_model_start (&model, HL_START_AS_GIVEN);
    for (gsize s = 0; s < G_N_ELEMENTS (sections); s++)
      n += check_section (&model, sections[s], &energy);
    hl_assert_near (energy, observed (&model, "energy", "kinetic"), 1e-9, 1e-9);
    n_moving += energy > 0.0;
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (n, >, 50);
  g_assert_cmpint (n_moving, >, 0);
}

/* --- the models of the oil --- */

static gboolean has_refused (const HlTestModel *model, int oil) {
  gboolean any = FALSE;

  for (int k = 0; k < hl_document_n_elements (model->doc, HL_SECTION_COMPONENTS); k++) {
    const HlKind *kind =
        hl_schema_kind_of (HL_SECTION_COMPONENTS, hl_document_element (model->doc, HL_SECTION_COMPONENTS, k));
    const char *id = hl_document_element_id (model->doc, HL_SECTION_COMPONENTS, k);
    g_autoptr (HlHelpPage) page = hl_help_page_new (kind, model->doc, id);
    g_autofree char *sentence = hl_help_page_oil (page, oil);
    any = any || strstr (sentence, "Not supported") != NULL;
  }
  return any;
}

/* Of a machine that an oil runs, no page says that the oil refuses the part. */
static void test_oils (void) {
  static const char *const examples[] = {"four-bar.hydrolink",
                                         "double-pilot-check.hydrolink",
                                         "crane-counterbalance.hydrolink",
                                         "load-sensing-loader.hydrolink",
                                         "excavator-arm.hydrolink",
                                         "hydrostatic-wheel.hydrolink",
                                         "accumulator-launch.hydrolink",
                                         "metering-arm.hydrolink"};
  int n_run = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (examples); k++) {
    HlTestModel model = hl_test_model_load (examples[k]);
    for (int oil = 0; oil < HL_N_OIL_MODELS; oil++) {
      g_autofree char *why =
          hl_oil_models[oil]->why_not != NULL ? hl_oil_models[oil]->why_not (model.sys) : NULL;
      gboolean is_refused = has_refused (&model, oil);
      if (why == NULL && is_refused)
        g_error ("%s: a page refuses what the %s oil runs", examples[k], hl_oil_models[oil]->name);
      n_run += why == NULL;
    }
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (n_run, >, 12);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/help-page/every-kind-has-one", test_every_kind);
  g_test_add_func ("/help-page/formulas-have-the-dimension-of-what-they-give", test_dimensions);
  g_test_add_func ("/help-page/search-finds-what-is-meant", test_search);
  g_test_add_func ("/help-page/force-is-that-of-the-machine", test_force);
  g_test_add_func ("/help-page/what-is-no-component-is-as-in-the-machine", test_machine);
  g_test_add_func ("/help-page/an-oil-that-runs-a-machine-refuses-no-part-of-it", test_oils);
  return g_test_run ();
}
