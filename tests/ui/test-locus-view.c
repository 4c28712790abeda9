/* SPDX-License-Identifier: MIT */
/* The root locus and the table below it on workbenches of their own: order and text of the table,
 * more states than fit, colors that stay with their branches, words for a verdict on every mode of
 * every example, and what an empty view says. */
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-time-limit.h"
#include "tests/support/hl-case-subset.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/modes/hl-eigen-table.h"
#include "ui/modes/hl-slider-panel.h"
#include "ui/modes/hl-locus-data.h"
#include "ui/modes/hl-locus-view.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-tooltip.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define PATIENCE_S 60
#define SKIPPED 77
#define N_VOLUMES 240

static void iterate_until (gboolean (*is_done) (gpointer data), gpointer data) {
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  while (!is_done (data)) {
    g_assert_false (hl_time_limit_is_over (&patience));
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  }
}

static gboolean has_point (gpointer workbench) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (workbench));
  return at != NULL && at->linearization != NULL;
}

static gboolean has_locus (gpointer workbench) {
  return hl_locus_study_locus (hl_workbench_locus (workbench)) != NULL;
}

static HlWorkbench *load (const char *path) {
  HlWorkbench *workbench = hl_workbench_new ();
  g_autoptr (GError) error = NULL;

  hl_editing_load (hl_workbench_editing (workbench), path, &error);
  g_assert_no_error (error);
  iterate_until (has_point, workbench);
  return workbench;
}

static HlWorkbench *load_example (const char *name) {
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), name, NULL);
  return load (path);
}

static HlWorkbench *load_text (const char *text) {
  g_autofree char *path = NULL, *json = g_strdelimit (g_strdup (text), "'", '"');
  int file = g_file_open_tmp ("locus-XXXXXX.hydrolink", &path, NULL);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, json, -1, NULL));
  HlWorkbench *workbench = load (path);
  g_unlink (path);
  return workbench;
}

/* Arms on springs side by side; sliders for the dampers of the first two. */
static HlWorkbench *load_arms (int n) {
  g_autoptr (GString) text = g_string_new ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, "
                                           "0], 'ground': {'points': {'O': [0, 0]}}, 'bodies': [");

  for (int k = 0; k < n; k++)
    g_string_append_printf (text,
                            "%s{'id': 'arm%d', 'points': {'O': [0, 0]}, 'mass': 1, 'inertia': "
                            "0.5, 'pose': [0, 0, 0]}",
                            k > 0 ? "," : "", k);
  g_string_append (text, "], 'joints': [");
  for (int k = 0; k < n; k++)
    g_string_append_printf (text, "%s{'id': 'pin%d', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm%d.O'}",
                            k > 0 ? "," : "", k, k);
  g_string_append (text, "], 'loads': [");
  for (int k = 0; k < n; k++)
    g_string_append_printf (text,
                            "%s{'id': 's%d', 'kind': 'torsion-spring', 'a': 'ground', 'b': "
                            "'arm%d', 'stiffness': %d, 'damping': %.17g, 'free_angle': 0}",
                            k > 0 ? "," : "", k, k, 200 + 10 * k, 1 + 0.1 * k);
  g_string_append (text, "], 'start': 'as-given', 'sliders': ["
                         "{'path': 's0.damping', 'from': 0.2, 'to': 9, 'scale': 'linear'},"
                         "{'path': 's1.damping', 'from': 0.1, 'to': 9, 'scale': 'linear'}]}");
  return load_text (text->str);
}

static double part_of (const char *line, int field) {
  g_auto (GStrv) fields = g_strsplit (line, "\t", -1);
  g_assert_cmpint (g_strv_length (fields), ==, 6);
  return *fields[field] != '\0' ? g_ascii_strtod (fields[field], NULL) : NAN;
}

/* The text copied by Ctrl+C restores every eigenvalue bit by bit. */
static void test_table_text (void) {
  g_autoptr (HlWorkbench) workbench = load_example ("articulated-vehicle-tyre.hydrolink");
  const HlLinearization *lin = hl_editing_point (hl_workbench_editing (workbench))->linearization;
  GtkWidget *table = g_object_ref_sink (g_object_new (HL_TYPE_EIGEN_TABLE, NULL));

  hl_eigen_table_set_workbench (HL_EIGEN_TABLE (table), workbench);
  g_autofree char *text = hl_eigen_table_as_text (HL_EIGEN_TABLE (table));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpint (g_strv_length (lines), ==, lin->n + 2);
  for (int k = 0; k < lin->n; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    g_assert_cmpfloat (part_of (lines[k + 1], 0), ==, value->null ? 0 : value->re);
    g_assert_cmpfloat (part_of (lines[k + 1], 1), ==, value->null ? 0 : value->im);
    g_assert_true (value->null ? isnan (part_of (lines[k + 1], 2))
                               : part_of (lines[k + 1], 2) == value->frequency_hz);
    g_assert_cmpint (value->null, ==, strstr (lines[k + 1], "lateral position") != NULL);
  }
  g_object_unref (table);
}

/* Of the eigenvalue table. */
static const char *cell_text (gpointer table, int row, int column) {
  GtkWidget *line = fixture_nth (table, GTK_TYPE_LIST_BOX_ROW, row);
  return gtk_inscription_get_text (fixture_nth (line, GTK_TYPE_INSCRIPTION, column));
}

static void test_table_order (void) {
  g_autoptr (HlWorkbench) workbench = load_example ("../../tests/golden/excavator-one-supply.hydrolink");
  GtkWidget *window = gtk_window_new ();
  HlEigenTable *table = g_object_new (HL_TYPE_EIGEN_TABLE, NULL);

  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (table));
  hl_eigen_table_set_workbench (table, workbench);
  g_assert_cmpint (fixture_count (table, GTK_TYPE_LIST_BOX_ROW), ==, 5);
  g_assert_true (g_str_has_prefix (cell_text (table, 0, 0), "−1.17"));
  hl_eigen_table_sort (table, 1); /* highest frequency first */
  g_assert_true (g_str_has_prefix (cell_text (table, 0, 0), "−16.1"));
  g_assert_cmpstr (cell_text (table, 2, 1), ==, "–");
  hl_eigen_table_sort (table, 1);
  g_assert_true (g_str_has_prefix (cell_text (table, 3, 0), "−16.1"));
  hl_eigen_table_sort (table, 2); /* least damped first */
  g_assert_true (g_str_has_prefix (cell_text (table, 0, 0), "−1.17"));
  hl_eigen_table_sort (table, 0);
  hl_eigen_table_sort (table, 0); /* fastest decay first, the zeros last all the same */
  g_assert_true (g_str_has_prefix (cell_text (table, 0, 0), "−33.3"));
  g_assert_cmpstr (cell_text (table, 4, 0), ==, "0 (4×)");
  g_assert_cmpstr (cell_text (table, 4, 3), ==, "trapped oil");
  /* the tooltip of a row has its states and all of its cells */
  GtkWidget *row = fixture_nth (table, GTK_TYPE_LIST_BOX_ROW, 4);
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean is_reported = FALSE;
  g_assert_true (gtk_widget_get_has_tooltip (row));
  g_assert_nonnull (strstr (hl_tooltip_get_changing (row), "trapped oil"));
  g_signal_emit_by_name (row, "query-tooltip", 1, 1, FALSE, tooltip, &is_reported);
  g_assert_true (is_reported);
  /* the row leads to its own mode whatever the order */
  g_signal_emit_by_name (fixture_nth (table, GTK_TYPE_LIST_BOX_ROW, 2), "activate");
  int mode = hl_locus_study_mode (hl_workbench_locus (workbench));
  g_assert_cmpint (mode, >=, 0);
  g_assert_cmpfloat (
      fabs (hl_editing_point (hl_workbench_editing (workbench))->linearization->eigenvalues[mode].re + 16.1),
      <, 0.1);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean has_rows (gpointer table) {
  return fixture_nth (table, GTK_TYPE_LIST_BOX_ROW, 0) != NULL;
}

/* The frequency is shown however narrow the pane is, and names have room beside it. */
static void test_narrow_table (void) {
  g_autoptr (HlWorkbench) workbench = load_example ("../../tests/golden/excavator-one-supply.hydrolink");
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *table = g_object_new (HL_TYPE_EIGEN_TABLE, NULL);

  gtk_box_append (GTK_BOX (box), table);
  gtk_window_set_child (GTK_WINDOW (window), box);
  hl_eigen_table_set_workbench (HL_EIGEN_TABLE (table), workbench);
  gtk_window_present (GTK_WINDOW (window));
  gtk_window_set_default_size (GTK_WINDOW (window), 270, 200);
  iterate_until (has_rows, table);
  for (int wide = 0; wide < 2; wide++) {
    gtk_window_set_default_size (GTK_WINDOW (window), wide ? 500 : 270, 200);
    fixture_draw (window);
    GtkWidget *line = fixture_nth (table, GTK_TYPE_LIST_BOX_ROW, 0);
    g_assert_cmpint (fixture_count (line, GTK_TYPE_INSCRIPTION), ==, 4);
    g_assert_cmpint (gtk_widget_get_width (fixture_nth (line, GTK_TYPE_INSCRIPTION, 3)), >=, 50);
  }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A few at a time are made, in turns of the main loop. */
static void until_all_rows (GtkWidget *table) {
  while (hl_rebuild_is_due (table))
    hl_rebuild_now (table);
}

static void test_many_states (void) {
  g_autoptr (HlWorkbench) workbench = load_arms (45);
  GtkWidget *widget = g_object_ref_sink (g_object_new (HL_TYPE_EIGEN_TABLE, NULL));

  hl_eigen_table_set_workbench (HL_EIGEN_TABLE (widget), workbench);
  until_all_rows (widget);
  g_assert_cmpint (hl_editing_point (hl_workbench_editing (workbench))->linearization->n, ==, 90);
  g_assert_cmpint (fixture_count (HL_EIGEN_TABLE (widget), GTK_TYPE_LIST_BOX_ROW), ==, 45);
  g_assert_cmpstr (cell_text (HL_EIGEN_TABLE (widget), 44, 1), !=, "");
  iterate_until (has_locus, workbench);
  g_assert_cmpint (hl_locus_study_locus (hl_workbench_locus (workbench))->n_states, ==, 90);
  g_object_unref (widget);
}

static gboolean is_as_large (gpointer workbench) {
  return has_locus (workbench) && hl_locus_study_message (hl_workbench_locus (workbench)) != NULL;
}

/* Of a large machine those branches are followed that ring or are slow, and the picture says so. */
static void test_some_of_many (void) {
  g_autoptr (HlDocument) ladder = hl_test_ladder (N_VOLUMES);
  g_autofree char *path = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  int file = g_file_open_tmp ("locus-XXXXXX.hydrolink", &path, &error);

  g_assert_no_error (error);
  g_close (file, NULL);
  hl_document_save (ladder, path, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_unlink (path);
  *strrchr (text, '}') = '\0';
  g_autofree char *with_slider =
      g_strconcat (text, ", 'sliders': [{'path': 'R9.diameter', 'from': 0.003, 'to': 0.005}]}", NULL);
  g_autoptr (HlWorkbench) workbench = load_text (with_slider);
  iterate_until (is_as_large, workbench);
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (workbench));
  g_assert_cmpint (locus->way, ==, HL_LOCUS_BY_NEAR);
  g_assert_cmpint (locus->n_states, >=, 24);
  g_assert_cmpint (locus->n_states, <=, N_VOLUMES / 6);
  g_autofree char *first = g_strdup_printf ("%d of %d branches", locus->n_states, N_VOLUMES);
  g_assert_true (g_str_has_prefix (hl_locus_study_message (hl_workbench_locus (workbench)), first));
}

/* Of very many, the first ones are shown until more are requested; the copy holds them all. */
static void test_more_rows (void) {
  g_autoptr (HlWorkbench) workbench = load_arms (60);
  GtkWidget *widget = g_object_ref_sink (g_object_new (HL_TYPE_EIGEN_TABLE, NULL));
  HlEigenTable *table = HL_EIGEN_TABLE (widget);

  hl_eigen_table_set_workbench (table, workbench);
  until_all_rows (widget);
  g_assert_cmpint (fixture_count (table, GTK_TYPE_LIST_BOX_ROW), ==, 50);
  g_autofree char *all = hl_eigen_table_as_text (table);
  g_auto (GStrv) lines = g_strsplit (g_strchomp (all), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 120);
  GtkWidget *more = fixture_find_button (widget, "50 of 60 rows: show more");
  g_signal_emit_by_name (more, "clicked");
  until_all_rows (widget);
  g_assert_cmpint (fixture_count (table, GTK_TYPE_LIST_BOX_ROW), ==, 60);
  g_assert_cmpstr (cell_text (table, 59, 0), !=, "");
  g_assert_false (gtk_widget_get_visible (more));
  g_object_unref (widget);
}

static int color_near (const HlLocusData *data, double re, double im) {
  double nearest = INFINITY;
  int color = -1;

  for (guint b = 0; b < data->branches->len; b++) {
    const HlLocusBranch *branch = &g_array_index (data->branches, HlLocusBranch, b);
    double apart = hypot (branch->re[0] - re, branch->im[0] - im);
    if (apart < nearest) {
      nearest = apart;
      color = branch->branch;
    }
  }
  return color;
}

/* While another damper grows, the arm of the slider is first in order and then second: its color
 * stays. */
static void test_colors (void) {
  g_autoptr (HlWorkbench) workbench = load_arms (2);
  static const char *const other[] = {"s1.damping", NULL};
  double start_im = sqrt (200 / 0.5 - 0.04);
  HlLocusData data = {0};
  int first = -1, n_orders = 0, last_slot = -1;

  iterate_until (has_locus, workbench);
  hl_locus_data_init (&data);
  for (int step = 0; step <= 8; step++) {
    hl_editing_set_numbers (hl_workbench_editing (workbench), other, 0.1 + 0.05 * step, NULL, NULL);
    const HlLocus *before = hl_locus_study_locus (hl_workbench_locus (workbench));
    HlTimeLimit patience = hl_time_limit (PATIENCE_S);
    while (hl_locus_study_locus (hl_workbench_locus (workbench)) == before &&
           !hl_time_limit_is_over (&patience))
      g_main_context_iteration (NULL, FALSE);
    hl_locus_data_gather (&data, workbench, HL_CHANGED_EVERYTHING);
    int color = color_near (&data, -0.2, start_im);
    g_assert_true (first < 0 || color == first);
    first = color;
    for (guint b = 0; b < data.branches->len; b++)
      if (g_array_index (data.branches, HlLocusBranch, b).branch == color) {
        n_orders += last_slot >= 0 && (int)b != last_slot;
        last_slot = (int)b;
      }
  }
  g_assert_cmpint (n_orders, >, 0); /* the order did change */
  hl_locus_data_clear (&data);
}

#define MOST_VERDICTS 12 /* of one example */
#define MANY_STATES 40   /* a hose in many pieces: seconds a mode, one of them must do */

/* Modes of every example: some sentences, none of them empty or not a number. */
static void test_verdicts (void) {
  g_autoptr (GDir) dir = g_dir_open (g_getenv ("HL_EXAMPLES_DIR"), 0, NULL);
  const char *name;
  guint checked = 0, n_examples = 0;

  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, ".hydrolink") || !hl_case_share_takes (n_examples++))
      continue;
    g_autoptr (HlWorkbench) workbench = load_example (name);
    const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (workbench));
    int n = at->linearization->n, mode = 0;
    int every = n > MANY_STATES ? n : 1 + n / MOST_VERDICTS;
    for (int k = 0; k < at->linearization->n; k++) {
      if (at->linearization->eigenvalues[k].null || at->linearization->eigenvalues[k].im < 0 ||
          mode++ % every != 0)
        continue;
      HlModeVerdict *verdict = hl_mode_verdict_new (at->system, at->point, k);
      hl_mode_verdict_compute (verdict, NULL, NULL);
      g_autofree char *text = hl_mode_verdict_text (verdict, hl_workbench_units (workbench));
      g_test_message ("%s %g %+g i: %s", name, at->linearization->eigenvalues[k].re,
                      at->linearization->eigenvalues[k].im, text);
      g_assert_cmpint (strlen (text), >, 20);
      g_assert_null (strstr (text, "nan"));
      g_assert_false (g_regex_match_simple ("\\binf\\b", text, 0, 0));
      g_assert_null (strstr (text, "∞"));
      hl_mode_verdict_free (verdict);
      checked++;
    }
  }
  g_assert_cmpuint (checked, >, hl_share_of (50));
}

/* A body welded to the ground has no state. */
static void test_no_state (void) {
  g_autoptr (HlWorkbench) workbench =
      load_text ("{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0]}},"
                 " 'bodies': [{'id': 'fix', 'points': {'O': [0, 0]}, 'mass': 1, 'inertia': 1,"
                 " 'pose': [0, 0, 0]}], 'joints': [{'id': 'q', 'kind': 'weld', 'a': 'ground.O',"
                 " 'b': 'fix.O', 'angle': 0}]}");
  GtkWidget *table = g_object_ref_sink (g_object_new (HL_TYPE_EIGEN_TABLE, NULL));
  GtkWidget *window = gtk_window_new (), *view = g_object_new (HL_TYPE_LOCUS_VIEW, NULL);

  g_assert_cmpint (hl_editing_point (hl_workbench_editing (workbench))->linearization->n, ==, 0);
  hl_eigen_table_set_workbench (HL_EIGEN_TABLE (table), workbench);
  g_assert_cmpint (fixture_count (HL_EIGEN_TABLE (table), GTK_TYPE_LIST_BOX_ROW), ==, 0);
  hl_locus_view_set_workbench (HL_LOCUS_VIEW (view), workbench);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  gtk_test_widget_wait_for_draw (window);
  g_autofree char *why = hl_locus_view_message (HL_LOCUS_VIEW (view));
  g_assert_nonnull (strstr (why, "no state"));
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (table);
}

static gboolean has_message (gpointer workbench) {
  return hl_locus_study_message (hl_workbench_locus (workbench)) != NULL;
}

static gboolean has_branches (gpointer workbench) {
  HlLocusStudy *study = hl_workbench_locus (workbench);

  return hl_locus_study_locus (study) != NULL && hl_locus_study_message (study) == NULL;
}

/* A slider on whose range the machine cannot be put together, here the direction of a guide, has no
 * branches, and says so until another one is chosen. */
static void test_no_branches (void) {
  g_autoptr (HlWorkbench) workbench = load_example ("scissor-lift.hydrolink");
  g_autoptr (GError) error = NULL;

  iterate_until (has_branches, workbench);
  guint before = hl_locus_study_model_sliders (hl_workbench_locus (workbench))->len;
  g_assert_true (hl_slider_add (workbench, "foot.axis", &error));
  while (hl_locus_study_model_sliders (hl_workbench_locus (workbench))->len == before)
    g_main_context_iteration (NULL, TRUE);
  hl_locus_study_set_model_slider (hl_workbench_locus (workbench), (int)before);
  iterate_until (has_message, workbench);
  g_assert_null (hl_locus_study_locus (hl_workbench_locus (workbench)));
  hl_locus_study_set_model_slider (hl_workbench_locus (workbench), 0);
  iterate_until (has_branches, workbench);
}

/* A number that becomes a table has no slider: the file keeps none that the pane does not show. */
static void test_slider_goes_with_its_number (void) {
  g_autofree char *path = fixture_example_path ("four-bar.hydrolink");
  g_autoptr (HlWorkbench) workbench = load (path);
  HlEditing *editing = hl_workbench_editing (workbench);
  const char *const keys[] = {"path", "from", "to"};
  const double values[] = {-1, 1};
  int n = hl_document_n_sliders (hl_editing_document (editing));

  HlValue *members[] = {hl_value_new_string ("dcv.command"), hl_value_new_number (values[0]),
                        hl_value_new_number (values[1])};
  hl_editing_commit (editing,
                     hl_edit_signal_kind (hl_editing_document (editing), "dcv", "command", "constant", NULL),
                     "constant", NULL);
  hl_editing_commit (editing,
                     hl_edit_insert_entry (hl_editing_document (editing), HL_SECTION_SLIDERS, n,
                                           hl_value_new_object_take (keys, members, 3), NULL),
                     "slider", NULL);
  g_assert_cmpint (hl_document_n_sliders (hl_editing_document (editing)), ==, n + 1);
  hl_editing_commit (editing,
                     hl_edit_signal_kind (hl_editing_document (editing), "dcv", "command", "table", NULL),
                     "table", NULL);
  g_assert_cmpint (hl_document_n_sliders (hl_editing_document (editing)), ==, n);
  hl_editing_undo (editing);
  g_assert_cmpint (hl_document_n_sliders (hl_editing_document (editing)), ==, n + 1);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return SKIPPED;
  g_test_add_func ("/locus-view/table-text", test_table_text);
  g_test_add_func ("/locus-view/table-order", test_table_order);
  g_test_add_func ("/locus-view/names-have-room-in-a-narrow-table", test_narrow_table);
  g_test_add_func ("/locus-view/many-states", test_many_states);
  g_test_add_func ("/locus-view/some-branches-of-a-large-machine-are-followed-and-told", test_some_of_many);
  g_test_add_func ("/locus-view/more-rows", test_more_rows);
  g_test_add_func ("/locus-view/colors", test_colors);
  g_test_add_func ("/locus-view/verdicts", test_verdicts);
  g_test_add_func ("/locus-view/no-state", test_no_state);
  g_test_add_func ("/locus-view/no-branches", test_no_branches);
  g_test_add_func ("/locus-view/slider-goes-with-its-number", test_slider_goes_with_its_number);
  return g_test_run ();
}
