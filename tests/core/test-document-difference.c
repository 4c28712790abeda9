/* SPDX-License-Identifier: MIT */
/* Tests of the difference of two models: numbers with their paths, choices, elements; and changes that are no
 * difference. */
#include "core/edit/hl-document-difference.h"
#include "core/edit/hl-edit.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"

#include <math.h>
#include <string.h>

static const HlDifference *only_one (GPtrArray *differences) {
  g_assert_cmpuint (differences->len, ==, 1);
  return differences->pdata[0];
}

/* Every number that a path names: changed alone, it is the one difference, with that path. An area
 * takes the place of diameters. */
static void test_every_number (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
  int n = 0;

  for (char **path = paths; *path != NULL; path++) {
    double value;
    if (!hl_document_get_number (document, *path, &value, NULL, NULL))
      continue;
    double other = value != 0 ? 0.9 * value : 0.25;
    g_autoptr (HlDocument) changed = hl_document_with_number (document, *path, other, NULL);
    if (changed == NULL || g_str_has_prefix (*path, "ground.points."))
      continue; /* out of its range; another name of ground.O1.x */
    g_autoptr (GPtrArray) differences = hl_document_differences (document, changed);
    const HlDifference *got = NULL;
    for (guint i = 0; i < differences->len; i++)
      if (strcmp (((HlDifference *)differences->pdata[i])->path, *path) == 0)
        got = differences->pdata[i];
    guint most = strstr (*path, "area") != NULL || strstr (*path, "diameter") != NULL ? 4 : 1;
    if (got == NULL || differences->len > most)
      g_error ("%s: %u differences", *path, differences->len);
    g_assert_true (got->is_number);
    hl_assert_near (got->before, value, 1e-15, 0);
    hl_assert_near (got->after, other, 1e-15, 0);
    g_assert_false (hl_document_same_model (document, changed));
    n++;
  }
  g_assert_cmpint (n, >, 50);
}

static void test_choice_and_elements (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) hybrid =
      hl_edit_set (document, "simulation", "model", hl_value_new_string ("hybrid"), &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) model = hl_document_differences (document, hybrid);
  g_assert_cmpstr (only_one (model)->path, ==, "simulation.model");
  g_assert_false (only_one (model)->is_number);
  g_assert_cmpstr (only_one (model)->before_text, ==, "lumped");
  g_assert_cmpstr (only_one (model)->after_text, ==, "hybrid");

  g_autofree char *id = NULL;
  g_autoptr (HlDocument) with = hl_edit_add (document, HL_SECTION_LOADS, "torque", NULL, &id, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) load = hl_document_differences (document, with);
  g_assert_cmpstr (only_one (load)->path, ==, id);
  g_assert_cmpstr (only_one (load)->after_text, ==, "torque");
  g_assert_null (only_one (load)->before_text);
  g_autoptr (GPtrArray) back = hl_document_differences (with, document);
  g_assert_cmpstr (only_one (back)->before_text, ==, "torque");
}

/* The section's first element in another place. */
static HlDocument *with_first_moved (const HlDocument *document, HlSection section, gsize to) {
  const HlValue *root = hl_document_root (document);
  const HlValue *list = hl_value_member (root, hl_section_key (section));
  g_autoptr (HlValue) without = hl_value_without_item (list, 0);

  return hl_document_new (
      hl_value_with_member (root, hl_section_key (section),
                            hl_value_with_inserted (without, to, hl_value_ref (hl_value_item (list, 0)))));
}

/* Order, the picture, and a default that is stated are no differences. */
static void test_no_difference (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) moved = with_first_moved (document, HL_SECTION_COMPONENTS, 3);
  g_autoptr (GPtrArray) order = hl_document_differences (document, moved);
  g_assert_cmpuint (order->len, ==, 0);

  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  g_autoptr (HlDocument) plots = hl_edit_set_plots (document, panels);
  g_autoptr (GPtrArray) picture = hl_document_differences (document, plots);
  g_assert_cmpuint (picture->len, ==, 0);
  g_assert_true (hl_document_same_model (document, plots));

  double fallback;
  g_assert_true (hl_document_get_number (document, "fluid.vapour_pressure", &fallback, NULL, NULL));
  g_autoptr (HlDocument) stated =
      hl_document_with_number (document, "fluid.vapour_pressure", fallback, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) same = hl_document_differences (document, stated);
  g_assert_cmpuint (same->len, ==, 0);
}

/* NULL: nothing of that path. */
static const HlDifference *find (GPtrArray *differences, const char *path) {
  for (guint k = 0; k < differences->len; k++)
    if (strcmp (((HlDifference *)differences->pdata[k])->path, path) == 0)
      return differences->pdata[k];
  return NULL;
}

static void assert_texts (GPtrArray *differences, const char *path, const char *before, const char *after) {
  const HlDifference *difference = find (differences, path);

  if (difference == NULL)
    g_error ("nothing is said of %s", path);
  g_assert_false (difference->is_number);
  g_assert_cmpstr (difference->before_text, ==, before);
  g_assert_cmpstr (difference->after_text, ==, after);
}

#define HEAD                                                                                                 \
  "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0]}}, 'bodies': "                    \
  "[{'id': 'bar', 'mass': 2, 'inertia': 1, 'pose': [0, 0, 0], 'points': {'P': [0, 0]}}"

/* Values that are not numbers are compared as text, and so are values that only one file states. */
static void test_in_words (void) {
  g_autoptr (HlDocument) before =
      hl_test_quoted (HEAD "], 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'bar.P'}],"
                           " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'bar.P', 'direction': [1, 0],"
                           "  'signal': {'kind': 'table', 't': [0, 1], 'y': [0, 5], 'between': 'line'}}],"
                           " 'equilibrium': {'hold': ['bar.angle']}}");
  g_autoptr (HlDocument) after =
      hl_test_quoted (HEAD ", {'id': 'rod', 'mass': 1, 'inertia': 1, 'pose': [0, 0, 0], 'points': {}}],"
                           " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'bar.P'}],"
                           " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'bar.P', 'direction': [1, 0],"
                           "  'follows': true, 'signal': {'kind': 'table', 't': [0, 1, 2], 'y': [0, 5, 1],"
                           "  'between': 'hold'}}], 'simulation': {'model': 'hybrid'}}");
  g_autoptr (GPtrArray) there = hl_document_differences (before, after);
  g_autoptr (GPtrArray) back = hl_document_differences (after, before);

  g_assert_cmpuint (there->len, ==, back->len);
  assert_texts (there, "rod", NULL, "body");
  assert_texts (back, "rod", "body", NULL);
  assert_texts (there, "push.signal.between", "line", "hold");
  assert_texts (there, "push.signal.t", "0, 1", "0, 1, 2");
  assert_texts (there, "push.signal.y", "0, 5", "0, 5, 1");
  assert_texts (there, "push.follows", NULL, "true");
  assert_texts (back, "push.follows", "true", NULL);
  assert_texts (there, "equilibrium.hold", "bar.angle", NULL);
  /* a choice that is left open is the one that the program takes */
  assert_texts (there, "simulation.model", "lumped", "hybrid");
  assert_texts (back, "simulation.model", "hybrid", "lumped");
  g_assert_false (hl_document_same_model (before, after));
}

/* The id of a body that is a load's in the other file: two elements, not one that changed. */
static void test_one_id_two_things (void) {
  g_autoptr (HlDocument) body =
      hl_test_quoted (HEAD ", {'id': 'thing', 'mass': 1, 'inertia': 1, 'pose': [0, 0, 0], 'points': {}}]}");
  g_autoptr (HlDocument) load =
      hl_test_quoted (HEAD "], 'loads': [{'id': 'thing', 'kind': 'torque', 'body': 'bar', 'signal': 3}]}");
  g_autoptr (GPtrArray) differences = hl_document_differences (body, load);

  g_assert_cmpuint (differences->len, ==, 2);
  for (guint k = 0; k < 2; k++) {
    const HlDifference *one = differences->pdata[k];
    g_assert_cmpstr (one->path, ==, "thing");
    g_assert_true ((one->before_text == NULL) != (one->after_text == NULL));
    g_assert_cmpstr (one->before_text != NULL ? one->before_text : one->after_text, ==,
                     one->before_text != NULL ? "body" : "torque");
  }
}

/* A drag writes a plain number in place of a formula: its path is reported; a formula that is replaced by another one,
 * or a number that was not a formula, is not. */
static void test_lost_formula (void) {
#define NAMED(mass, inertia)                                                                                 \
  "{'format': 'hydrolink', 'version': 1, 'parameters': {'m': 2}, 'bodies': "                                 \
  "[{'id': 'bar', 'mass': " mass ", 'inertia': " inertia ", 'pose': [0, 0, 0], 'points': {}}]}"
  g_autoptr (HlDocument) formula = hl_test_quoted (NAMED ("'3 kg * m'", "1"));
  g_autoptr (HlDocument) number = hl_test_quoted (NAMED ("7", "1"));
  g_autoptr (HlDocument) other = hl_test_quoted (NAMED ("'4 kg * m'", "1"));
  g_autoptr (HlDocument) elsewhere = hl_test_quoted (NAMED ("'3 kg * m'", "2"));
  g_autoptr (HlDocument) plain = hl_test_example ("four-bar.hydrolink");
  g_autofree char *lost = hl_document_lost_formula (formula, number);
  double mass;

  g_assert_true (hl_document_get_number (formula, "bar.mass", &mass, NULL, NULL));
  g_assert_cmpfloat (mass, ==, 6.0);
  g_assert_cmpstr (lost, ==, "bar.mass");
  g_assert_true (hl_document_lost_formula_at (formula, number, "bar.mass"));
  g_assert_false (hl_document_lost_formula_at (formula, number, "bar.inertia"));
  g_assert_false (hl_document_lost_formula_at (formula, number, "no.such"));
  g_assert_null (hl_document_lost_formula (formula, other));
  g_assert_null (hl_document_lost_formula (formula, elsewhere));
  g_assert_null (hl_document_lost_formula (number, formula));
  g_assert_null (hl_document_lost_formula (plain, plain));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/document-difference/every-number", test_every_number);
  g_test_add_func ("/document-difference/choice-and-elements", test_choice_and_elements);
  g_test_add_func ("/document-difference/no-difference", test_no_difference);
  g_test_add_func ("/document-difference/in-words", test_in_words);
  g_test_add_func ("/document-difference/one-id-two-things", test_one_id_two_things);
  g_test_add_func ("/document-difference/lost-formula", test_lost_formula);
  return g_test_run ();
}
