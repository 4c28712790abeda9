/* SPDX-License-Identifier: MIT */
/* Driving in the real window: Drive is pressed, levers are moved by mouse and keys, traces grow,
 * and what was driven is a run. */
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-copies.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-gamepad.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/widget/hl-lever-panel.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static HlApplication *application;

static HlRun *shown (gpointer window) {
  return hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
}

static gboolean has_rows (gpointer window) {
  HlRun *run = shown (window);
  return run != NULL && run->is_driven && hl_results_n_rows (run->results) > 20;
}

static gboolean is_at_half (gpointer window) {
  return fabs (hl_run_value (shown (window), "boom_valve.command", INFINITY) - 0.5) < 1e-12;
}

static gboolean is_at_quarter (gpointer window) {
  return fabs (hl_run_value (shown (window), "boom_valve.command", INFINITY) - 0.25) < 1e-12;
}

static gboolean is_at_rest (gpointer window) {
  return hl_run_value (shown (window), "boom_valve.command", INFINITY) == 0.0;
}

static gboolean is_stopped (gpointer window) {
  return !hl_runs_is_running (hl_workbench_runs (hl_window_workbench (window)));
}

static HlLeverPanel *panel_of (HlWindow *window) {
  return HL_LEVER_PANEL (fixture_find (GTK_WIDGET (window), HL_TYPE_LEVER_PANEL));
}

static HlWindow *open_and_drive (const char *example) {
  HlWindow *window = fixture_open (application, example);

  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panel_of (window))));
  fixture_activate (window, "drive");
  fixture_until (has_rows, window);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (panel_of (window))));
  return window;
}

static GtkRange *scale_of (gpointer lever) {
  return GTK_RANGE (fixture_nth (lever, GTK_TYPE_SCALE, 0));
}

static GtkEditable *entry_of (gpointer lever) {
  return GTK_EDITABLE (fixture_nth (lever, GTK_TYPE_ENTRY, 0));
}

static void test_drive (void) {
  HlWindow *window = open_and_drive ("../../tests/golden/excavator-one-supply.hydrolink");
  HlLeverPanel *panel = panel_of (window);
  HlLeverRow *boom = HL_LEVER_ROW (hl_lever_panel_row (panel, 0));
  HlWorkbench *workbench = hl_window_workbench (window);
  HlManualRun *driving = hl_workbench_manual_run (workbench);

  g_assert_cmpint (fixture_count (panel, HL_TYPE_LEVER_ROW), ==, 2);
  g_assert_cmpint (hl_lever_panel_chosen (panel), ==, 0);
  int rows = hl_results_n_rows (shown (window)->results);
  double angle = hl_run_value (shown (window), "boom.angle", INFINITY);

  gtk_range_set_value (scale_of (boom), 0.5);
  fixture_until (is_at_half, window);
  g_assert_cmpint (hl_results_n_rows (shown (window)->results), >, rows);
  g_assert_cmpstr (gtk_editable_get_text (entry_of (boom)), ==, "0.5");
  /* the strip chart is on, the cursor is at the end of what there is */
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (workbench)), ==, shown (window)->t_end);
  fixture_draw (window);

  /* keys: another lever and back, steps, neutral */
  g_assert_true (hl_lever_panel_key (panel, GDK_KEY_2));
  g_assert_cmpint (hl_lever_panel_chosen (panel), ==, 1);
  g_assert_false (hl_lever_panel_key (panel, GDK_KEY_7));
  g_assert_true (hl_lever_panel_key (panel, GDK_KEY_Page_Down));
  g_assert_cmpfloat (hl_manual_run_lever (driving, 1), <, -0.1);
  g_assert_true (hl_lever_panel_key (panel, GDK_KEY_Home));
  g_assert_cmpfloat (hl_manual_run_lever (driving, 1), ==, 0.0);
  g_assert_true (hl_lever_panel_key (panel, GDK_KEY_KP_1));
  g_assert_true (hl_lever_panel_key (panel, GDK_KEY_Up));
  g_assert_cmpfloat (hl_manual_run_lever (driving, 0), >, 0.5);
  g_assert_true (hl_lever_panel_key (panel, GDK_KEY_0));
  fixture_until (is_at_rest, window);
  g_assert_cmpfloat (fabs (hl_run_value (shown (window), "boom.angle", INFINITY) - angle), >, 1e-4);

  /* exact typing; what is no number is marked and moves nothing */
  gtk_editable_set_text (entry_of (boom), "1/8 + 1/8");
  g_signal_emit_by_name (entry_of (boom), "activate");
  g_assert_cmpfloat (hl_manual_run_lever (driving, 0), ==, 0.25);
  gtk_editable_set_text (entry_of (boom), "much");
  g_signal_emit_by_name (entry_of (boom), "activate");
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (entry_of (boom)), "error"));
  g_assert_cmpfloat (hl_manual_run_lever (driving, 0), ==, 0.25);

  fixture_until (is_at_quarter, window);
  fixture_activate (window, "play"); /* pauses */
  g_assert_true (hl_manual_run_is_paused (driving));
  fixture_activate (window, "drive-pause");
  g_assert_false (hl_manual_run_is_paused (driving));
  fixture_activate (window, "drive");
  g_assert_false (hl_manual_run_is_under_way (driving));
  fixture_until (is_stopped, window);
  fixture_draw (window);

  HlRun *run = shown (window);
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));
  g_assert_true (runs->pdata[runs->len - 1] == run);
  g_assert_cmpstr (run->name, ==, "Driven 1");
  /* replayed: the lever goes where it was */
  g_assert_false (gtk_widget_is_sensitive (GTK_WIDGET (scale_of (boom))));
  hl_runs_set_time (hl_workbench_runs (workbench), 0.0);
  g_assert_cmpfloat (gtk_range_get_value (scale_of (boom)), ==, 0.0);
  hl_runs_set_time (hl_workbench_runs (workbench), run->t_end);
  fixture_draw (window);
  g_assert_cmpfloat (gtk_range_get_value (scale_of (boom)), ==, 0.25);

  /* F5 after a drive: the clock is that of the new run, which is at its start */
  fixture_activate (window, "run");
  fixture_until_settled (window);
  g_assert_false (shown (window)->is_driven);
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (workbench)), ==, 0.0);
  g_assert_cmpfloat (hl_runs_t_end (hl_workbench_runs (workbench)), ==,
                     fixture_number (window, "simulation.t_end"));
  fixture_close (window);
}

static void test_keep (void) {
  HlWindow *window = open_and_drive ("four-bar.hydrolink");
  HlLeverPanel *panel = panel_of (window);
  HlWorkbench *workbench = hl_window_workbench (window);

  g_assert_cmpint (fixture_count (panel, HL_TYPE_LEVER_ROW), ==, 2);
  gtk_range_set_value (scale_of (hl_lever_panel_row (panel, 0)), 0.3);
  fixture_draw (window);
  fixture_activate (window, "stop");
  fixture_until (is_stopped, window);
  fixture_draw (window);
  fixture_activate (window, "keep-levers");
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (workbench)), ==, "Keep “Driven 1” as signals");
  fixture_until_settled (window);
  g_assert_false (shown (window)->is_driven);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (panel)));
  fixture_activate (window, "undo");
  fixture_until_settled (window);
  fixture_close (window);
}

/* --- the words of the machine, and its pressures --- */

static gboolean shows_words (gpointer lever, const char *words) {
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (lever, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (strcmp (gtk_label_get_text (labels->pdata[i]), words) == 0)
      return TRUE;
  return FALSE;
}

/* A lever of the file says what the machine does; a signal without words shows the ends of its way.
 * Pressures stand beside it in the unit of the window. */
static void test_words (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlEditing *editing = hl_workbench_editing (hl_window_workbench (window));
  g_autoptr (GError) error = NULL;
  static const char words[] = "{\"kind\": \"lever\", \"value\": 0, \"more\": \"raise\", "
                              "\"less\": \"lower\", \"mine\": 7}";
  HlValue *lever = hl_json_parse (words, sizeof words - 1, "words", &error);
  g_assert_no_error (error);
  HlDocument *document = hl_edit_set (hl_editing_document (editing), "dcv", "command", lever, &error);
  g_assert_no_error (error);
  hl_editing_commit (editing, document, "words", NULL);
  fixture_until_settled (window);
  g_assert_null (hl_findings_first_error (hl_editing_findings (editing)));

  /* the inspector writes them */
  hl_workbench_select (hl_window_workbench (window), "dcv");
  fixture_rebuild ();
  GtkWidget *entry = fixture_entry_of (fixture_inspector_row (window, "Word for increasing"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "raise");
  gtk_editable_set_text (GTK_EDITABLE (entry), "lift");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (hl_value_string (hl_value_at (
                       hl_document_find (fixture_document (window), "dcv", NULL, NULL), "command.more")),
                   ==, "lift");
  g_assert_cmpfloat (hl_value_number (hl_value_at (
                         hl_document_find (fixture_document (window), "dcv", NULL, NULL), "command.mine")),
                     ==, 7); /* unknown members stay */
  fixture_until_settled (window);
  fixture_rebuild ();
  hl_editing_undo (editing);
  fixture_until_settled (window);
  fixture_rebuild ();
  entry = fixture_entry_of (fixture_inspector_row (window, "Word for increasing"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "raise");

  fixture_activate (window, "drive");
  fixture_until (has_rows, window);
  fixture_draw (window);
  HlLeverPanel *panel = panel_of (window);
  g_assert_true (shows_words (hl_lever_panel_row (panel, 0), "raise"));
  g_assert_true (shows_words (hl_lever_panel_row (panel, 0), "lower"));
  g_assert_false (shows_words (hl_lever_panel_row (panel, 1), "raise"));
  HlPressureMeters *meters = HL_PRESSURE_METERS (fixture_find (GTK_WIDGET (panel), HL_TYPE_PRESSURE_METERS));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (meters)));
  g_autofree char *text = hl_pressure_meters_text (meters);
  double pressure = hl_run_value (shown (window), "V1.pressure", INFINITY);
  g_autofree char *wanted = g_strdup_printf ("V1 %.3g MPa", 1e-6 * pressure);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, wanted));
  fixture_activate (window, "stop");
  fixture_until (is_stopped, window);
  fixture_close (window);
}

/* --- a gamepad, without one --- */

static void test_dead_zone (void) {
  g_assert_cmpfloat (hl_gamepad_beyond_dead_zone (0.0), ==, 0.0);
  g_assert_cmpfloat (hl_gamepad_beyond_dead_zone (HL_PAD_DEAD_ZONE), ==, 0.0);
  g_assert_cmpfloat (hl_gamepad_beyond_dead_zone (-HL_PAD_DEAD_ZONE), ==, 0.0);
  g_assert_cmpfloat (hl_gamepad_beyond_dead_zone (1.0), ==, 1.0);
  g_assert_cmpfloat (hl_gamepad_beyond_dead_zone (-7.0), ==, -1.0); /* a device with too many axes */
  /* half way between the dead zone and the end */
  g_assert_cmpfloat_with_epsilon (hl_gamepad_beyond_dead_zone (0.5 * (1.0 + HL_PAD_DEAD_ZONE)), 0.5, 1e-12);
}

/* Sticks move levers: one that springs stands where the stick stands, one that stays is pushed; a
 * stick that trembles in the middle takes no lever from the file; what is let go goes back. */
static void test_pad (void) {
  HlWindow *window = open_and_drive ("../../tests/golden/excavator-one-supply.hydrolink");
  HlManualRun *driving = hl_workbench_manual_run (hl_window_workbench (window));
  HlLever *stay = hl_manual_run_levers (driving)->pdata[1];
  HlGamepad *pad = hl_gamepad_new (driving);

  hl_gamepad_move (pad, HL_PAD_LEFT_Y, 0.1);
  hl_gamepad_move (pad, HL_PAD_LEFT_Y, -0.14);
  hl_gamepad_move (pad, HL_PAD_RIGHT_X, 1.0); /* there is no fourth lever */
  hl_gamepad_move (pad, HL_PAD_LEFT_Y, NAN);
  g_assert_false (hl_manual_run_is_lever_held (driving, 0));

  hl_gamepad_move (pad, HL_PAD_LEFT_Y, 0.5 * (1.0 + HL_PAD_DEAD_ZONE));
  g_assert_cmpfloat_with_epsilon (hl_manual_run_lever (driving, 0), 0.5, 1e-12);
  fixture_until (is_at_half, window);
  g_assert_false (hl_manual_run_is_lever_held (driving, 1));
  hl_gamepad_let_go (pad);
  g_assert_cmpfloat (hl_manual_run_lever (driving, 0), ==, 0.0);

  stay->springs = FALSE;
  double before = hl_manual_run_lever (driving, 1);
  hl_gamepad_move (pad, HL_PAD_RIGHT_Y, -1.0);
  for (int k = 0; k < 10; k++)
    hl_gamepad_advance (pad, 0.01 * HL_PAD_WAY);
  /* a tenth of the whole way down */
  g_assert_cmpfloat_with_epsilon (hl_manual_run_lever (driving, 1), before - 0.1 * (stay->to - stay->from),
                                  1e-9);
  hl_gamepad_let_go (pad);
  double after = hl_manual_run_lever (driving, 1);
  hl_gamepad_advance (pad, HL_PAD_WAY);
  g_assert_cmpfloat (hl_manual_run_lever (driving, 1), ==, after);
  hl_gamepad_free (pad);
  fixture_close (window);
}

/* The window goes while the machine is driven. */
static void test_close (void) {
  HlWindow *window = open_and_drive ("articulated-vehicle-tyre-throttle.hydrolink");
  fixture_close (window);
}

static gboolean is_filled (gpointer panel) {
  return !hl_lever_panel_is_filling (panel);
}

/* Of many levers those out of view catch up as soon as the machine stands. */
static void test_many (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-driving-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "many.hydrolink", NULL);
  g_autoptr (HlDocument) document = hl_test_copies ("four-bar.hydrolink", 8);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_document_save (document, path, &error));
  HlWindow *window = fixture_open (application, NULL);
  HlLeverPanel *panel = panel_of (window);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_assert_true (hl_window_open_file (window, file));
  fixture_until_settled (window);
  fixture_activate (window, "drive");
  fixture_until (has_rows, window);
  fixture_until (is_filled, panel);
  int n = fixture_count (panel, HL_TYPE_LEVER_ROW);
  g_assert_cmpint (n, ==, 16);
  for (int k = 0; k < n; k++)
    g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (scale_of (hl_lever_panel_row (panel, (guint)k)))));
  fixture_activate (window, "stop");
  fixture_until (is_stopped, window);
  fixture_draw (window);
  fixture_until (is_filled, panel);
  for (int k = 0; k < n; k++)
    g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (scale_of (hl_lever_panel_row (panel, (guint)k)))));
  fixture_close (window);
  g_remove (path);
  g_rmdir (folder);
}

/* A model without a lever has a message; nothing to drive is not offered. */
static void test_nothing (void) {
  HlWindow *window = open_and_drive ("slider-crank.hydrolink");

  g_assert_cmpint (fixture_count (panel_of (window), HL_TYPE_LEVER_ROW), ==, 0);
  /* text that wraps in a narrow pane needs no more height than the pane measures without a width: otherwise GTK makes
   * the window lower than its parts */
  int least, narrow, natural;
  GtkWidget *panel = GTK_WIDGET (panel_of (window));
  gtk_widget_measure (panel, GTK_ORIENTATION_HORIZONTAL, -1, &narrow, NULL, NULL, NULL);
  gtk_widget_measure (panel, GTK_ORIENTATION_VERTICAL, -1, &least, &natural, NULL, NULL);
  gtk_widget_measure (panel, GTK_ORIENTATION_VERTICAL, narrow, &narrow, &natural, NULL, NULL);
  g_assert_cmpint (narrow, <=, least);
  g_assert_cmpint (natural, >, least); /* and the text has its room where there is room */
  fixture_activate (window, "stop");
  fixture_until (is_stopped, window);
  fixture_close (window);
  window = fixture_open (application, NULL);
  fixture_draw (window);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "drive"));
  fixture_close (window);
}

static int count_errors (const HlFindings *findings) {
  int n = 0;

  for (int k = 0; k < hl_findings_n (findings); k++)
    n += hl_findings_get (findings, k)->severity == HL_SEVERITY_ERROR;
  return n;
}

/* While a machine is driven its numbers change under way. A reason why the start state of the document is none
 * quotes the last ones, once, and goes when there is a start state again. */
static void test_reasons_follow_numbers (void) {
  HlWindow *window = open_and_drive ("load-sensing-loader.hydrolink");
  HlEditing *editing = hl_workbench_editing (hl_window_workbench (window));
  const char *paths[] = {"arm_cyl.c1", NULL};
  double c1, tried[] = {5, 6, 0};

  g_assert_true (hl_document_get_number (hl_editing_document (editing), paths[0], &c1, NULL, NULL));
  tried[2] = c1;
  for (gsize k = 0; k < G_N_ELEMENTS (tried); k++) {
    g_autoptr (GError) error = NULL;
    g_assert_true (hl_editing_set_numbers (editing, paths, tried[k], NULL, &error));
    hl_workbench_frame (hl_window_workbench (window));
    const HlWorkingPoint *at = hl_editing_point (editing);
    g_assert_cmpint (at->message != NULL, ==, tried[k] != c1);
    g_assert_cmpint (count_errors (hl_editing_findings (editing)), ==, tried[k] != c1);
    if (at->message != NULL)
      g_assert_cmpstr (hl_findings_first_error (hl_editing_findings (editing))->message, ==, at->message);
  }
  hl_runs_stop (hl_workbench_runs (hl_window_workbench (window)));
  fixture_until (is_stopped, window);
  fixture_close (window);
}

int main (int argc, char *argv[]) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/interactive-run-window/drive", test_drive);
  g_test_add_func ("/interactive-run-window/keep", test_keep);
  g_test_add_func ("/interactive-run-window/words-of-the-machine", test_words);
  g_test_add_func ("/interactive-run-window/dead-zone-of-a-stick", test_dead_zone);
  g_test_add_func ("/interactive-run-window/sticks-move-levers", test_pad);
  g_test_add_func ("/interactive-run-window/close", test_close);
  g_test_add_func ("/interactive-run-window/levers-out-of-view-catch-up", test_many);
  g_test_add_func ("/interactive-run-window/nothing", test_nothing);
  g_test_add_func ("/interactive-run-window/reasons-follow-numbers", test_reasons_follow_numbers);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
