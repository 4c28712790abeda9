/* SPDX-License-Identifier: MIT */
/* Signals edited: kinds, terms of sums at any depth, numbers of terms by their paths, and the graph
 * that is drawn of them. */
#include "core/compile/hl-compile.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define ID "M2"

static const HlValue *at (const HlDocument *document, const char *where) {
  return hl_value_at (hl_document_find (document, ID, NULL, NULL), where);
}

/* The next document takes the place of the present one; there is one. */
static void step (HlDocument **document, HlDocument *next) {
  g_assert_nonnull (next);
  hl_document_unref (*document);
  *document = next;
}

static void assert_kind (const HlDocument *document, const char *where, const char *kind) {
  g_assert_cmpstr (hl_schema_kind_of (HL_SECTION_SIGNAL, at (document, where))->name, ==, kind);
}

static void a_sum_is_made_term_by_term (void) {
  HlDocument *document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlValue) table = hl_value_ref (at (document, "signal"));

  step (&document, hl_edit_add_term (document, ID, "signal", NULL)); /* the table and 0 */
  assert_kind (document, "signal", "sum");
  g_assert_true (hl_value_equal (at (document, "signal.of.0"), table));
  g_assert_cmpfloat (hl_value_number (at (document, "signal.of.1")), ==, 0);
  step (&document, hl_edit_add_term (document, ID, "signal", NULL));
  step (&document, hl_edit_signal_kind (document, ID, "signal.of.1", "sine", NULL));
  step (&document, hl_edit_signal_kind (document, ID, "signal.of.2", "sum", NULL));
  step (&document, hl_edit_signal_kind (document, ID, "signal.of.2.of.0", "lever", NULL));
  assert_kind (document, "signal.of.1", "sine");
  assert_kind (document, "signal.of.2.of.0", "lever");
  step (&document, hl_document_with_number (document, ID ".signal.of.2.of.1", 40, NULL));
  step (&document, hl_document_with_number (document, ID ".signal.of.1.amplitude", 3, NULL));
  g_assert_cmpfloat (hl_value_number (at (document, "signal.of.2.of.1")), ==, 40);

  step (&document, hl_edit_move_term (document, ID, "signal.of.2", -2, NULL));
  assert_kind (document, "signal.of.0", "sum");
  g_assert_true (hl_value_equal (at (document, "signal.of.1"), table));
  assert_kind (document, "signal.of.2", "sine");
  step (&document, hl_edit_remove_term (document, ID, "signal.of.1", NULL));
  g_assert_cmpuint (hl_value_length (at (document, "signal.of")), ==, 2);
  assert_kind (document, "signal.of.1", "sine");
  /* any other kind begins with the sum of the values: 0 + 40, and the sine's mean 0 */
  step (&document, hl_edit_signal_kind (document, ID, "signal", "constant", NULL));
  g_assert_cmpfloat (hl_value_number (at (document, "signal")), ==, 40);
  hl_document_unref (document);
}

static void what_is_no_term_is_refused (void) {
  HlDocument *document = hl_test_example ("four-bar.hydrolink");
  GError *error = NULL;

#define REFUSE(call)                                                                                         \
  g_assert_null (call);                                                                                      \
  g_assert_nonnull (error);                                                                                  \
  g_clear_error (&error)
  REFUSE (hl_edit_remove_term (document, ID, "signal", &error));
  REFUSE (hl_edit_add_term (document, ID, "body", &error));
  REFUSE (hl_edit_add_term (document, "nobody", "signal", &error));
  REFUSE (hl_edit_signal_kind (document, ID, "signal.of.0", "sine", &error));
  REFUSE (hl_edit_signal_kind (document, ID, "signal", "noise", &error));
  step (&document, hl_edit_add_term (document, ID, "signal", NULL));
  REFUSE (hl_edit_move_term (document, ID, "signal.of.0", -1, &error));
  REFUSE (hl_edit_move_term (document, ID, "signal.of.1", 1, &error));
  REFUSE (hl_edit_remove_term (document, ID, "signal.of.7", &error));
  step (&document, hl_edit_remove_term (document, ID, "signal.of.0", NULL));
  REFUSE (hl_edit_remove_term (document, ID, "signal.of.0", &error)); /* the last one */
#undef REFUSE
  hl_document_unref (document);
}

/* Random edits keep a signal that the checks accept, and that is unchanged after writing and reading. */
static void random_edits_keep_a_signal (void) {
  static const char *const kinds[] = {"constant", "table", "sine", "motion", "lever", "sum"};
  static const char *const places[] = {"signal", "signal.of.0", "signal.of.1", "signal.of.1.of.0",
                                       "signal.of.0.of.1.of.1"};
  HlDocument *document = hl_test_example ("four-bar.hydrolink");
  int n_done = 0;

  for (int k = 0; k < 6000; k++) {
    const char *place = places[g_test_rand_int_range (0, G_N_ELEMENTS (places))];
    HlDocument *next = NULL;
    switch (g_test_rand_int_range (0, 4)) {
    case 0:
      next = hl_edit_signal_kind (document, ID, place, kinds[g_test_rand_int_range (0, G_N_ELEMENTS (kinds))],
                                  NULL);
      break;
    case 1:
      next = hl_value_length (at (document, "signal.of")) < 6 ? hl_edit_add_term (document, ID, place, NULL)
                                                              : NULL;
      break;
    case 2:
      next = hl_edit_remove_term (document, ID, place, NULL);
      break;
    default:
      next = hl_edit_move_term (document, ID, place, g_test_rand_bit () ? 1 : -1, NULL);
    }
    if (next == NULL)
      continue;
    step (&document, next);
    n_done++;
    g_autoptr (HlFindings) findings = hl_findings_new ();
    hl_check_document (document, findings);
    g_assert_null (hl_findings_first_error (findings));
  }
  g_assert_cmpint (n_done, >, 1000);
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (HlDocument) again = hl_document_parse (text, strlen (text), NULL, NULL);
  g_assert_true (hl_document_equal (again, document));
  hl_document_unref (document);
}

/* The graph goes through the corners of a table, shows both sides of a jump, and adds up. */
static void the_graph_is_the_signal (void) {
  static const char json[] =
      "{\"kind\": \"sum\", \"of\": [{\"kind\": \"table\", \"t\": [0, 1, 1, 3], \"y\": [0, 2, 5, "
      "5]},"
      " {\"kind\": \"sine\", \"amplitude\": 0.5, \"frequency_hz\": 0.3, \"phase\": 0.2,"
      " \"offset\": 1}, 7]}";
  g_autoptr (HlValue) signal = hl_json_parse (json, strlen (json), NULL, NULL);
  g_autofree double *t = NULL;
  g_autofree double *y = NULL;
  int n = hl_signal_curve (signal, 4.0, &t, &y), n_jumps = 0;

  g_assert_cmpint (n, >, 100);
  g_assert_cmpfloat (t[0], ==, 0.0);
  g_assert_cmpfloat (t[n - 1], ==, 4.0);
  for (int k = 0; k < n; k++) {
    gboolean is_left = k + 1 < n && t[k + 1] == t[k];
    double table = t[k] < 1.0 || (t[k] == 1.0 && is_left) ? 2.0 * t[k] : 5.0;
    hl_assert_near (y[k], table + 8.0 + 0.5 * sin (2.0 * G_PI * 0.3 * t[k] + 0.2), 0.0, 1e-12);
    n_jumps += is_left && fabs (y[k + 1] - y[k]) > 2.9;
  }
  g_assert_cmpint (n_jumps, ==, 1);
}

static void what_is_no_signal_has_no_graph (void) {
  static const char *const wrong[] = {
      "{\"kind\": \"table\", \"t\": [0, 1], \"y\": [0]}",
      "{\"kind\": \"table\", \"t\": [1, 0], \"y\": [0, 1]}",
      "{\"kind\": \"noise\"}",
      "\"text\"",
      "{\"kind\": \"sum\", \"of\": [1, {\"kind\": \"table\", \"t\": [], \"y\": []}]}",
  };

  for (gsize k = 0; k < G_N_ELEMENTS (wrong); k++) {
    g_autoptr (HlValue) signal = hl_json_parse (wrong[k], strlen (wrong[k]), NULL, NULL);
    g_autofree double *t = NULL;
    g_autofree double *y = NULL;
    g_assert_cmpint (hl_signal_curve (signal, 1.0, &t, &y), ==, 0);
  }
}

/* One click makes a step or a ramp out of a number, within what the field may be. */
static void a_number_becomes_a_step_or_a_ramp (void) {
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) valve =
      hl_edit_add (empty, HL_SECTION_COMPONENTS, "directional-valve", NULL, &id, NULL);

  for (int is_ramp = 0; is_ramp < 2; is_ramp++) {
    g_autoptr (HlDocument) made = hl_edit_signal_kind (valve, id, "command", is_ramp ? "ramp" : "step", NULL);
    g_assert_nonnull (made);
    const HlValue *signal = hl_value_member (hl_document_find (made, id, NULL, NULL), "command");
    const HlValue *t = hl_value_member (signal, "t"), *y = hl_value_member (signal, "y");
    g_assert_cmpstr (hl_value_string (hl_value_member (signal, "kind")), ==, "table");
    g_assert_cmpuint (hl_value_length (t), ==, 4);
    g_assert_cmpint (hl_value_number (hl_value_item (t, 1)) == hl_value_number (hl_value_item (t, 2)), ==,
                     !is_ramp);
    g_assert_cmpfloat (hl_value_number (hl_value_item (y, 0)), ==, 0);
    g_assert_cmpfloat (hl_value_number (hl_value_item (y, 3)), ==, 1);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/signal-edit/sum", a_sum_is_made_term_by_term);
  g_test_add_func ("/signal-edit/step-and-ramp", a_number_becomes_a_step_or_a_ramp);
  g_test_add_func ("/signal-edit/refused", what_is_no_term_is_refused);
  g_test_add_func ("/signal-edit/random", random_edits_keep_a_signal);
  g_test_add_func ("/signal-edit/graph", the_graph_is_the_signal);
  g_test_add_func ("/signal-edit/no-graph", what_is_no_signal_has_no_graph);
  return g_test_run ();
}
