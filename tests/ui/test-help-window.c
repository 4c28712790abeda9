/* SPDX-License-Identifier: MIT */
/* The window of the help: the page of an element with its numbers, the search, an element that is
 * deleted under it. */
#include "tests/support/hl-test.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/help/hl-help-window.h"

#include <math.h>
#include <string.h>

static const HlHelpPage *page_of (GtkWidget *window) {
  return hl_help_view_page (hl_help_window_view (HL_HELP_WINDOW (window)));
}

static double letter (const HlHelpPage *page, const char *name) {
  for (guint k = 0; k < page->letters->len; k++) {
    const HlHelpLetter *row = &g_array_index (page->letters, HlHelpLetter, k);
    if (g_strcmp0 (row->letter->name, name) == 0)
      return row->value;
  }
  return NAN;
}

static void test_element (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("crane-counterbalance.hydrolink");
  GtkWidget *window = hl_help_window_new (workbench, NULL, NULL, "cbv");
  HlEditing *editing = hl_workbench_editing (workbench);

  gtk_window_present (GTK_WINDOW (window));
  g_assert_cmpstr (page_of (window)->id, ==, "cbv");
  g_assert_cmpfloat (letter (page_of (window), "R"), ==, 3.0);
  hl_editing_set_numbers (editing, (const char *const[]){"cbv.pilot_ratio", NULL}, 1.5, NULL, NULL);
  hl_workbench_frame (workbench);
  g_assert_cmpfloat (letter (page_of (window), "R"), ==, 1.5);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The legend of the letters stands beside the equations, and every result that has a dimension has its unit. */
static void test_legend (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("crane-counterbalance.hydrolink");
  GtkWidget *window = hl_help_window_new (workbench, NULL, NULL, "cyl");
  GtkWidget *view = GTK_WIDGET (hl_help_window_view (HL_HELP_WINDOW (window)));
  graphene_rect_t equation, legend;
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  int n_results = 0;

  gtk_window_present (GTK_WINDOW (window));
  fixture_draw (window);
  GtkWidget *grid = fixture_find (view, GTK_TYPE_GRID);
  GtkWidget *equations = gtk_widget_get_prev_sibling (grid);
  g_assert_nonnull (fixture_find_label (grid, "Piston area"));
  g_assert_true (gtk_widget_compute_bounds (equations, view, &equation));
  g_assert_true (gtk_widget_compute_bounds (grid, view, &legend));
  g_assert_cmpfloat (legend.origin.x, >=, equation.origin.x + equation.size.width);
  g_assert_cmpfloat (fabs (legend.origin.y - equation.origin.y), <, 30);
  fixture_collect (equations, GTK_TYPE_LABEL, labels);
  for (guint k = 0, at = 0; k < page_of (window)->formulas->len; k++, at++) {
    const HlHelpFormula *formula = &g_array_index (page_of (window)->formulas, HlHelpFormula, k);
    HlDimension dimension;
    const char *text = gtk_label_get_text (labels->pdata[at]);
    at += formula->text->when != NULL; /* its case is a label of its own */
    if (!isfinite (formula->value) || !hl_help_formula_dimension (page_of (window), formula, &dimension) ||
        hl_dimension_is_none (dimension))
      continue;
    n_results++;
    g_assert_true (g_str_has_prefix (text, "= ") && strchr (text + 2, ' ') != NULL);
  }
  g_assert_cmpint (n_results, >=, 6);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* F1 on what is no component: its numbers, which follow an edit; and from it to the page of its
 * signal. */
static void test_other_elements (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("peaucellier.hydrolink");
  GtkWidget *window = hl_help_window_new (workbench, NULL, NULL, "spring");
  HlEditing *editing = hl_workbench_editing (workbench);

  gtk_window_present (GTK_WINDOW (window));
  g_assert_cmpstr (page_of (window)->id, ==, "spring");
  double stiffness = letter (page_of (window), "k");
  hl_assert_near (g_array_index (page_of (window)->formulas, HlHelpFormula, 0).value,
                  stiffness * (letter (page_of (window), "s") - letter (page_of (window), "s_0")) +
                      letter (page_of (window), "c") * letter (page_of (window), "v"),
                  1e-12, 0.0);
  hl_editing_set_numbers (editing, (const char *const[]){"spring.stiffness", NULL}, 2.0 * stiffness, NULL,
                          NULL);
  hl_workbench_frame (workbench);
  g_assert_cmpfloat (letter (page_of (window), "k"), ==, 2.0 * stiffness);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean is_over (gpointer runs) {
  HlRun *run = hl_runs_shown (runs);
  return run != NULL && hl_run_is_over (run);
}

static void test_signal (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("position-servo.hydrolink");
  HlRuns *runs = hl_workbench_runs (workbench);
  hl_runs_start (runs);
  fixture_until (is_over, runs);
  hl_runs_set_time (runs, 0.2);
  GtkWidget *window = hl_help_window_new (workbench, NULL, NULL, "dcv");
  GtkWidget *view = GTK_WIDGET (hl_help_window_view (HL_HELP_WINDOW (window)));

  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (gtk_widget_activate_action (view, "help.signal", "s", "command"));
  g_assert_cmpstr (page_of (window)->id, ==, "dcv.command");
  g_assert_cmpstr (page_of (window)->kind->name, ==, "pid");
  /* the controller's own law at that time, by what the run has of it: the target is a table, the states are
   * recorded, and its value is that of the signal */
  const HlHelpPage *page = page_of (window);
  double e = letter (page, "w") - letter (page, "m");
  double raw = letter (page, "k_p") * e + letter (page, "k_i") * letter (page, "I") +
               letter (page, "k_d") * (e - letter (page, "z")) / letter (page, "T");
  HlInstant instant = {.results = hl_runs_shown (runs)->results, .t = 0.2};
  g_assert_cmpfloat (fabs (e), >, 1e-4);
  hl_assert_near (hl_instant_recorded (&instant, "dcv", "command"), CLAMP (raw, -1.0, 1.0), 1e-6, 1e-6);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void test_every_page (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("four-bar.hydrolink");
  GtkWidget *window = hl_help_window_new (workbench, NULL, NULL, NULL);
  GtkListBox *list = GTK_LIST_BOX (fixture_find (window, GTK_TYPE_LIST_BOX));
  GtkListBoxRow *row;
  int k = 0;

  gtk_window_present (GTK_WINDOW (window));
  for (; hl_help_kind (k) != NULL; k++) {
    row = gtk_list_box_get_row_at_index (list, k);
    gtk_list_box_select_row (list, row);
    g_assert_true (page_of (window)->kind == hl_help_kind (k));
    while (g_main_context_iteration (NULL, FALSE))
      ;
  }
  g_assert_cmpint (k, >, 30);
  for (int n = 0; hl_help_topic (n) != NULL; n++, k++) {
    row = gtk_list_box_get_row_at_index (list, k);
    gtk_list_box_select_row (list, row);
    g_assert_null (page_of (window));
    g_assert_nonnull (fixture_find_label (window, hl_help_topic (n)->label));
    hl_workbench_frame (workbench);
    gtk_list_box_select_row (list, gtk_list_box_get_row_at_index (list, 0)); /* and back */
    g_assert_nonnull (page_of (window));
  }
  g_assert_null (gtk_list_box_get_row_at_index (list, k));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Every pane has a page with text, and those that name keys find them. */
static void test_topics (void) {
  int n = 0;

  for (; hl_help_topic (n) != NULL; n++) {
    const HlHelpTopic *topic = hl_help_topic (n);
    g_assert_true (hl_help_topic_find (topic->key) == topic);
    g_assert_nonnull (topic->lines[0]);
    g_assert_cmpint (hl_help_topic_rank (topic, topic->label), >, 0);
    g_assert_cmpint (hl_help_topic_rank (topic, "quux"), ==, 0);
    g_autoptr (GPtrArray) keys = hl_help_keys (topic->shortcuts);
    g_assert_true ((keys->len > 0) == (topic->shortcuts != NULL));
  }
  g_assert_cmpint (n, >=, 10);
}

/* No page shows a number that a lesson hides: the page of the kind is shown. */
static void test_hidden (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("four-bar.hydrolink");
  GtkWidget *window = hl_help_window_new (workbench, NULL, NULL, "cyl");

  gtk_window_present (GTK_WINDOW (window));
  g_assert_cmpstr (page_of (window)->id, ==, "cyl");
  hl_workbench_set_veiled (workbench, (const char *const[]){"cyl.leakage", NULL});
  hl_workbench_frame (workbench);
  g_assert_null (page_of (window)->id);
  g_assert_cmpstr (page_of (window)->kind->name, ==, "cylinder");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* From the palette: a kind, whatever is selected. Words that only a property has find it. */
static void test_kind_and_search (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("crane-counterbalance.hydrolink");
  GtkWidget *window = hl_help_window_new (workbench, NULL, "throttle", "cbv");
  GtkWidget *search = fixture_find (window, GTK_TYPE_SEARCH_ENTRY);

  gtk_window_present (GTK_WINDOW (window));
  g_assert_cmpstr (page_of (window)->kind->name, ==, "throttle");
  g_assert_null (page_of (window)->id);
  gtk_editable_set_text (GTK_EDITABLE (search), "segments roughness");
  g_signal_emit_by_name (search, "activate");
  g_assert_cmpstr (page_of (window)->kind->name, ==, "pipe");
  gtk_editable_set_text (GTK_EDITABLE (search), "no such words");
  g_signal_emit_by_name (search, "activate");
  g_assert_cmpstr (page_of (window)->kind->name, ==, "pipe");
  gtk_window_destroy (GTK_WINDOW (window));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/help-window/an-element-shows-its-numbers", test_element);
  g_test_add_func ("/help-window/the-legend-is-beside-the-equations", test_legend);
  g_test_add_func ("/help-window/the-palette-and-the-search-lead-to-a-kind", test_kind_and_search);
  g_test_add_func ("/help-window/what-is-no-component-shows-its-numbers", test_other_elements);
  g_test_add_func ("/help-window/an-element-leads-to-its-signal", test_signal);
  g_test_add_func ("/help-window/every-kind-opens-its-page", test_every_page);
  g_test_add_func ("/help-window/every-pane-has-a-page", test_topics);
  g_test_add_func ("/help-window/what-a-lesson-hides-is-not-told", test_hidden);
  return g_test_run ();
}
