/* SPDX-License-Identifier: MIT */
/* Every number of every kind, as the schema lists them, in machines of the three oil models.
 *
 * A copy whose number was changed in place is what a compile of the document with that number is:
 * the same J, rates, run and equilibrium, bit for bit. And a number changes what a run computes
 * unless the schema says of the oil at hand that it does not. */
#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/document/hl-quantity-path.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-all-kinds-models.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-case-subset.h"
#include "tests/support/hl-test.h"

/* ---- what a model computes ---- */

static void add_output (const char *path, const char *unit, void *data) {
  (void)unit;
  g_ptr_array_add (data, g_strdup (path));
}

typedef struct {
  GArray *numbers;
  int width;
} Rows;

static bool keep_row (double t, const double values[], void *data) {
  Rows *rows = data;

  g_array_append_val (rows->numbers, t);
  g_array_append_vals (rows->numbers, values, (guint)rows->width);
  return true;
}

/* Adds every output of a short run, and how it ended. */
static HlStatus add_run (GArray *numbers, const HlSystem *sys, HlFault *fault) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  HlSimOptions options = hl_sim_options_from_model (sys);

  hl_observable_visit (sys, add_output, paths);
  g_autofree HlObservable *outputs = g_new0 (HlObservable, paths->len + 1);
  for (guint k = 0; k < paths->len; k++)
    g_assert_true (hl_observable_find (sys, paths->pdata[k], &outputs[k]));
  Rows rows = {numbers, (int)paths->len};
  options.outputs = outputs;
  options.n_outputs = rows.width;
  options.row = keep_row;
  options.row_data = &rows;
  HlSimStats stats;
  return hl_simulate (sys, &options, &stats, fault);
}

/* Adds the state at a start, its rates and J: of the lumped oil. */
static HlStatus add_lumped (GArray *numbers, const HlSystem *sys, HlStart start, HlFault *fault) {
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlStatus status = hl_start_point (sys, work, start, NULL, point, NULL, fault);

  if (status == HL_OK) {
    int n = work->n_states;
    g_autofree double *y = g_new0 (double, n), *y_dot = g_new0 (double, n), *J = g_new0 (double, n *n);
    hl_state_pack (sys, work, point, y);
    status = hl_dynamics_eval (sys, 0.0, y, y_dot, work, fault);
    hl_jacobian_eval (sys, 0.0, y, J, work, NULL);
    g_array_append_vals (numbers, y, (guint)n);
    g_array_append_vals (numbers, y_dot, (guint)n);
    g_array_append_vals (numbers, J, (guint)(n * n));
  }
  hl_point_free (point);
  hl_work_free (work);
  return status;
}

/* A model that an oil does not support counts: its error is a result. */
static GArray *results_of (const HlSystem *sys, HlModelKind oil, gboolean rests, HlFault *fault) {
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));
  HlStatus status = HL_OK;

  if (oil == HL_MODEL_LUMPED)
    status = add_lumped (numbers, sys, rests ? HL_START_EQUILIBRIUM : HL_START_AS_GIVEN, fault);
  if (status == HL_OK && !rests)
    status = add_run (numbers, sys, fault);
  double last = (double)status;
  g_array_append_val (numbers, last);
  return numbers;
}

static gboolean is_same (const GArray *a, const GArray *b) {
  if (a->len != b->len)
    return FALSE;
  for (guint k = 0; k < a->len; k++) {
    double x = g_array_index (a, double, k), y = g_array_index (b, double, k);
    if (!(x == y || (isnan (x) && isnan (y))))
      return FALSE;
  }
  return TRUE;
}

/* ---- the numbers ---- */

typedef struct {
  HlModelKind oil;
  gboolean rests;
  HlDocument *doc;
  HlSystem *sys;
  GArray *results; /* as stated */
} Machine;

static Machine machine_from_text (HlModelKind oil, gboolean rests, const char *text) {
  HlTestModel model = hl_test_model_from_text (text);
  Machine machine = {oil, rests, hl_document_ref (model.doc), hl_system_ref (model.sys), NULL};
  HlFault fault = {0};

  hl_test_model_clear (&model);
  machine.results = results_of (machine.sys, oil, rests, &fault);
  if (fault.status != HL_OK) {
    g_autofree char *message = hl_fault_message (machine.sys, &fault);
    g_error ("%s", message);
  }
  return machine;
}

static Machine machine_new (HlModelKind oil, gboolean rests) {
  g_autofree char *text = hl_test_every_kind (oil, rests);

  return machine_from_text (oil, rests, text);
}

static void machine_clear (Machine *machine) {
  g_array_unref (machine->results);
  hl_system_unref (machine->sys);
  hl_document_unref (machine->doc);
}

static HlSystem *compile (const HlDocument *doc) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  return hl_compile (doc, findings);
}

/* A model with another number at the path: the first one that a compile accepts. NULL when none is
 * accepted; *has_number: whether there is a number at all. */
static HlSystem *with_other_number (const Machine *machine, const char *path, double *value,
                                    gboolean *has_number) {
  static const double factors[] = {1.01, 0.99, 1.0003, 0.9997};
  HlPathInfo info;
  double stated;

  *has_number = hl_path_find (machine->doc, path, &info, NULL) && info.type != HL_PATH_OUTPUT &&
                hl_document_get_number (machine->doc, path, &stated, NULL, NULL) && !isnan (stated);
  for (gsize k = 0; *has_number && k < G_N_ELEMENTS (factors); k++) {
    *value = stated != 0.0 ? factors[k] * stated : 0.01 * (factors[k] - 1.0);
    g_autoptr (HlDocument) doc = hl_document_with_number (machine->doc, path, *value, NULL);
    HlSystem *sys = doc != NULL ? compile (doc) : NULL;
    if (sys != NULL)
      return sys;
  }
  return NULL;
}

/* Elements of one kind are like each other: some of them are enough. What does not belong to the
 * oil is the same code in all of them. */
static gboolean is_one_too_many (GHashTable *counts, const Machine *machine, const char *path) {
  HlPathInfo info;

  if (!hl_path_find (machine->doc, path, &info, NULL) || info.kind == NULL)
    return FALSE;
  gboolean is_oil = info.section == HL_SECTION_COMPONENTS || info.section == HL_SECTION_LINES;
  char *key = g_strdup_printf ("%p %s", (const void *)info.kind, info.name);
  int count = GPOINTER_TO_INT (g_hash_table_lookup (counts, key)) + 1;
  g_hash_table_insert (counts, key, GINT_TO_POINTER (count));
  return count > (machine->rests ? 1 : machine->oil == HL_MODEL_LUMPED ? 3 : is_oil ? 2 : 0);
}

/* ---- in place or compiled anew ---- */

/* Returns whether the number can be changed in place. */
static gboolean check_copy (const Machine *machine, const char *path) {
  HlParameter parameter;
  gboolean has_number;
  double value;

  if (!hl_system_find_parameter (machine->sys, path, &parameter))
    return FALSE; /* it must be compiled anew */
  HlSystem *fresh = with_other_number (machine, path, &value, &has_number);
  if (fresh == NULL)
    return FALSE;
  HlSystem *copy = hl_system_copy (machine->sys);
  hl_system_set_parameter (copy, parameter, value);
  g_assert_cmpint (hl_system_check_numbers (copy, NULL), ==, HL_OK);
  g_assert_cmpfloat (hl_system_get_parameter (copy, parameter), ==, value);
  g_autoptr (GArray) want = results_of (fresh, machine->oil, machine->rests, NULL);
  g_autoptr (GArray) got = results_of (copy, machine->oil, machine->rests, NULL);
  if (!is_same (got, want))
    g_error ("%s = %.17g: a changed copy is not what a compile gives", path, value);
  hl_system_unref (copy);
  hl_system_unref (fresh);
  return TRUE;
}

static void test_copies (gconstpointer data) {
  int which = GPOINTER_TO_INT (data);
  guint n_met = 0, n_checked = 0;
  Machine machine = machine_new ((HlModelKind)(which / 2), which % 2 == 1);
  g_auto (GStrv) paths = hl_document_list_paths (machine.doc, TRUE);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (char **path = paths; *path != NULL; path++)
    if (!is_one_too_many (counts, &machine, *path) && hl_case_share_takes (n_met++))
      n_checked += check_copy (&machine, *path);
  g_test_message ("%u numbers in place", n_checked);
  g_assert_cmpuint (n_checked, >, hl_share_of (40));
  machine_clear (&machine);
}

/* Numbers at which lines become one, spools lose their state or sources contradict each other: a
 * copy cannot be that, and says so with the element's name. Where the states stay, it can. */
static void test_shapes (void) {
  static const struct {
    const char *path;
    double value;
    const char *blamed; /* NULL: fine */
  } cases[] = {
      {"stated.resistance", 0.0, "stated"}, {"stated.resistance", 1e3, NULL},
      {"heavy2.resistance", 0.0, NULL},     {"dcv.time_constant", 0.0, "dcv"},
      {"dcv.time_constant", 1e-9, NULL},    {"cyl.leakage", 0.0, NULL},
      {"tank.pressure", 2e5, NULL},
  };
  Machine machine = machine_new (HL_MODEL_LUMPED, FALSE);

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlParameter parameter;
    HlFault fault = {0};
    HlSystem *copy = hl_system_copy (machine.sys);
    g_autoptr (HlDocument) doc = hl_document_with_number (machine.doc, cases[k].path, cases[k].value, NULL);
    HlSystem *fresh = compile (doc);

    g_assert_nonnull (fresh);
    g_assert_true (hl_system_find_parameter (copy, cases[k].path, &parameter));
    hl_system_set_parameter (copy, parameter, cases[k].value);
    HlStatus status = hl_system_check_numbers (copy, &fault);
    gboolean same_states =
        fresh->n_pressures == copy->n_pressures && fresh->topology->n_states_u == copy->topology->n_states_u;
    g_assert_true (same_states == (cases[k].blamed == NULL));
    g_assert_cmpint (status, ==, cases[k].blamed == NULL ? HL_OK : HL_BAD_MODEL);
    if (cases[k].blamed != NULL) {
      g_assert_cmpstr (hl_system_entity_id (copy, fault.entity_kind, fault.entity), ==, cases[k].blamed);
      g_assert_nonnull (fault.why);
      g_assert_nonnull (fault.mend);
    } else if (strcmp (cases[k].path, "cyl.leakage") != 0) { /* there a branch without flow stays */
      g_autoptr (GArray) want = results_of (fresh, HL_MODEL_LUMPED, FALSE, NULL);
      g_autoptr (GArray) got = results_of (copy, HL_MODEL_LUMPED, FALSE, NULL);
      g_assert_true (is_same (got, want));
    }
    hl_system_unref (fresh);
    hl_system_unref (copy);
  }
  machine_clear (&machine);
}

/* Numbers that contradict another number of the same component: what a compile refuses, no copy runs. Some compile
 * for the copy alone, and a run finds what is wrong: a cylinder that is longer than its stroke allows. */
static void test_contradictions (void) {
  static const double factors[] = {0.0, 0.01, 0.1, 0.5, 2.0, 10.0, 100.0, 1.00001};
  Machine machine = machine_new (HL_MODEL_LUMPED, FALSE);
  g_auto (GStrv) paths = hl_document_list_paths (machine.doc, TRUE);
  int n_refused = 0, n_wrong = 0;

  for (char **path = paths; *path != NULL; path++) {
    HlParameter parameter;
    HlPathInfo info;
    double stated;
    if (!hl_system_find_parameter (machine.sys, *path, &parameter) ||
        !hl_path_find (machine.doc, *path, &info, NULL) || info.section != HL_SECTION_COMPONENTS ||
        !hl_document_get_number (machine.doc, *path, &stated, NULL, NULL) || isnan (stated))
      continue;
    for (gsize k = 0; k < G_N_ELEMENTS (factors); k++) {
      double value = stated * factors[k];
      g_autoptr (HlDocument) doc = hl_document_with_number (machine.doc, *path, value, NULL);
      HlSystem *fresh = doc != NULL ? compile (doc) : NULL;
      if (doc == NULL || fresh != NULL) {
        if (fresh != NULL)
          hl_system_unref (fresh);
        continue;
      }
      HlSystem *copy = hl_system_copy (machine.sys);
      hl_system_set_parameter (copy, parameter, value);
      n_refused++;
      if (hl_system_check_numbers (copy, NULL) == HL_OK) {
        HlFault fault = {0};
        g_array_unref (results_of (copy, HL_MODEL_LUMPED, FALSE, &fault));
        if (fault.status == HL_OK)
          g_test_message ("%s = %g: no compile takes it, but a copy runs", *path, value);
        n_wrong += fault.status == HL_OK;
      }
      hl_system_unref (copy);
    }
  }
  g_test_message ("%d numbers that a compile refuses", n_refused);
  g_assert_cmpint (n_refused, >, 40);
  g_assert_cmpint (n_wrong, ==, 0);
  machine_clear (&machine);
}

/* ---- does it matter? ---- */

/* A number is of no effect when nothing that a run computes changes by a single bit. A refused one counts. */
static gboolean matters (const Machine *machine, const char *path) {
  gboolean has_number;
  double value;
  HlSystem *sys = with_other_number (machine, path, &value, &has_number);

  if (sys == NULL)
    return has_number;
  g_autoptr (GArray) results = results_of (sys, machine->oil, FALSE, NULL);
  hl_system_unref (sys);
  return !is_same (results, machine->results);
}

typedef struct {
  const HlField *field;
  const HlKind *kind;
  gboolean matters;
  int n_tried; /* elements */
} Use;

/* Every number field of the kinds that stand in the machine, once. */
static Use *use_of (GArray *uses, const HlKind *kind, const HlField *field) {
  for (guint k = 0; k < uses->len; k++)
    if (g_array_index (uses, Use, k).field == field && g_array_index (uses, Use, k).kind == kind)
      return &g_array_index (uses, Use, k);
  Use use = {field, kind, FALSE, 0};
  g_array_append_val (uses, use);
  return &g_array_index (uses, Use, uses->len - 1);
}

static gboolean is_of_machine (const HlPathInfo *info) {
  return info->type == HL_PATH_NUMBER && info->field != NULL && info->kind != NULL &&
         (info->section < HL_SECTION_PROBES || info->section == HL_SECTION_FLUID) &&
         info->field->type != HL_FIELD_SIGNAL;
}

/* An idle number is the same in all elements of its kind: some of them are enough. */
#define MOST_IDLE 2

/* Notes which numbers of a machine matter; beside others, only of those that should have an effect and had none there.
 * */
static void note_effects (GArray *uses, Machine *machine, GArray *others) {
  g_auto (GStrv) paths = hl_document_list_paths (machine->doc, TRUE);

  for (char **path = paths; *path != NULL; path++) {
    HlPathInfo info;
    double stated;
    if (!hl_path_find (machine->doc, *path, &info, NULL) || !is_of_machine (&info) ||
        !hl_document_get_number (machine->doc, *path, &stated, NULL, NULL) || isnan (stated))
      continue;
    Use *use = use_of (uses, info.kind, info.field);
    gboolean is_idle = hl_field_is_idle (info.field, (HlOil)(1 << machine->oil));
    if (use->matters || (is_idle && use->n_tried >= MOST_IDLE))
      continue;
    if (others != NULL && (is_idle || use_of (others, info.kind, info.field)->matters))
      continue;
    use->matters = matters (machine, *path);
    use->n_tried++;
  }
}

/* Numbers that act in an end stop alone, where no piston and no joint of the machine stands: test-end-stops.c and
 * test-joint-stops.c have them; and the axis of a cut, which only the section forces read. */
static gboolean acts_in_stops (const HlField *field) {
  return g_str_has_prefix (field->name, "stop_") || g_str_has_prefix (field->name, "stop.") ||
         strcmp (field->name, "bar_axis") == 0;
}

static gboolean matters_by_law (GArray *by_law, const Use *use) {
  return use_of (by_law, use->kind, use->field)->matters;
}

/* An idle number is idle where the oil takes the circuit in its own form; any other one matters
 * there, or where it reads the laws of the parts. */
static void test_effects (gconstpointer data) {
  HlModelKind oil = (HlModelKind)GPOINTER_TO_INT (data);
  Machine machine = machine_new (oil, FALSE);
  g_autoptr (GArray) uses = g_array_new (FALSE, FALSE, sizeof (Use));
  g_autoptr (GArray) by_law = g_array_new (FALSE, FALSE, sizeof (Use));
  int n_wrong = 0;

  note_effects (uses, &machine, NULL);
  if (oil != HL_MODEL_LUMPED) {
    g_autofree char *text = hl_test_every_kind_by_law (oil);
    Machine other = machine_from_text (oil, FALSE, text);
    note_effects (by_law, &other, uses);
    machine_clear (&other);
  }
  for (guint k = 0; k < uses->len; k++) {
    const Use *use = &g_array_index (uses, Use, k);
    gboolean is_idle = hl_field_is_idle (use->field, (HlOil)(1 << oil));
    if (acts_in_stops (use->field))
      continue;
    if (is_idle ? !use->matters : use->matters || matters_by_law (by_law, use))
      continue;
    n_wrong++;
    g_test_message ("%s.%s: %s", use->kind->name != NULL ? use->kind->name : use->kind->label,
                    use->field->name,
                    is_idle ? "changes the run, but the schema says that it does not"
                            : "does not change the run, but the schema does not say so");
  }
  g_test_message ("%u number fields", uses->len);
  g_assert_cmpint (n_wrong, ==, 0);
  machine_clear (&machine);
}

/* The lumped machine has an element of every kind, and states or defaults every number of it, so
 * that a new property cannot be forgotten here. */
static void test_every_number_is_there (void) {
  Machine machine = machine_new (HL_MODEL_LUMPED, FALSE);
  g_auto (GStrv) paths = hl_document_list_paths (machine.doc, TRUE);
  g_autoptr (GArray) uses = g_array_new (FALSE, FALSE, sizeof (Use));

  for (char **path = paths; *path != NULL; path++) {
    HlPathInfo info;
    double stated;
    if (hl_path_find (machine.doc, *path, &info, NULL) && is_of_machine (&info) &&
        hl_document_get_number (machine.doc, *path, &stated, NULL, NULL) && !isnan (stated))
      use_of (uses, info.kind, info.field);
  }
  for (HlSection section = 0; section <= HL_SECTION_FLUID; section++) {
    const HlKind *kind;
    if (section >= HL_SECTION_PROBES && section != HL_SECTION_FLUID)
      continue;
    for (int k = 0; (kind = hl_schema_kind (section, k)) != NULL; k++)
      for (int field = 0; field < kind->n_fields; field++) {
        guint before = uses->len;
        if (kind->fields[field].type != HL_FIELD_NUMBER)
          continue;
        use_of (uses, kind, &kind->fields[field]);
        if (uses->len > before)
          g_error ("state %s.%s in the machine of hl-all-kinds-models.c",
                   kind->name != NULL ? kind->name : kind->label, kind->fields[field].name);
      }
  }
  machine_clear (&machine);
}

int main (int argc, char **argv) {
  static const char *const oils[] = {"lumped", "hybrid", "quasistatic"};

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/every-parameter/stands-in-the-machine", test_every_number_is_there);
  for (int oil = HL_MODEL_LUMPED; oil <= HL_MODEL_QUASISTATIC; oil++) {
    g_autofree char *copies = g_strconcat ("/every-parameter/in-place-or-compiled-anew/", oils[oil], NULL),
                    *effects = g_strconcat ("/every-parameter/says-where-it-is-idle/", oils[oil], NULL);
    g_test_add_data_func (copies, GINT_TO_POINTER (2 * oil), test_copies);
    g_test_add_data_func (effects, GINT_TO_POINTER (oil), test_effects);
  }
  g_test_add_func ("/every-parameter/another-shape-is-told", test_shapes);
  g_test_add_func ("/every-parameter/contradictions-are-refused", test_contradictions);
  g_test_add_data_func ("/every-parameter/in-place-or-compiled-anew/at-rest",
                        GINT_TO_POINTER (2 * HL_MODEL_LUMPED + 1), test_copies);
  return g_test_run ();
}
