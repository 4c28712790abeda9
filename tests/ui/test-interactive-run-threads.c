/* SPDX-License-Identifier: MIT */
/* Driving without a window: the hub's own frames, its worker, and the desk between them. */
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-time-limit.h"
#include "tests/support/hl-test.h"
#include "ui/workbench/hl-lever-input.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-workbench-state.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define PATIENCE_S 60

static HlWorkbench *open_example (const char *name) {
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), name, NULL);
  g_autoptr (GError) error = NULL;
  HlWorkbench *workbench = hl_workbench_new ();

  hl_editing_load (hl_workbench_editing (workbench), path, &error);
  g_assert_no_error (error);
  return workbench;
}

static void until (gboolean (*is_done) (HlWorkbench *workbench), HlWorkbench *workbench) {
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);

  while (!is_done (workbench)) {
    g_assert_false (hl_time_limit_is_over (&patience));
    g_main_context_iteration (NULL, FALSE);
    g_usleep (300);
  }
}

static gboolean can_drive (HlWorkbench *workbench) {
  return hl_manual_run_is_possible (hl_workbench_manual_run (workbench)) &&
         !hl_runs_is_running (hl_workbench_runs (workbench));
}

static gboolean is_idle (HlWorkbench *workbench) {
  return !hl_runs_is_running (hl_workbench_runs (workbench));
}

/* The driven run is shown and has some rows. */
static gboolean has_driven (HlWorkbench *workbench) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  return run != NULL && run->is_driven && hl_results_n_rows (run->results) > 30;
}

static HlWorkbench *begin (const char *example) {
  HlWorkbench *workbench = open_example (example);
  HlManualRun *driving = hl_workbench_manual_run (workbench);

  until (can_drive, workbench);
  hl_manual_run_begin (driving);
  g_assert_true (hl_manual_run_is_under_way (driving));
  until (has_driven, workbench);
  return workbench;
}

static guint find_lever (HlWorkbench *workbench, const char *path) {
  GPtrArray *levers = hl_manual_run_levers (hl_workbench_manual_run (workbench));

  for (guint i = 0; i < levers->len; i++)
    if (strcmp (((const HlLever *)levers->pdata[i])->path, path) == 0)
      return i;
  g_error ("no lever %s", path);
}

/* Moved from this thread while the other one computes; stopped, the run is kept with its levers. */
static void test_drive (void) {
  g_autoptr (HlWorkbench) workbench = begin ("../../tests/golden/excavator-one-supply.hydrolink");
  guint boom = find_lever (workbench, "boom_valve.command");
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  const HlLever *lever = hl_manual_run_levers (hl_workbench_manual_run (workbench))->pdata[boom];

  g_assert_cmpfloat (lever->from, ==, -1.0);
  g_assert_cmpfloat (lever->to, ==, 1.0);
  g_assert_true (lever->springs);
  g_assert_false (hl_manual_run_is_lever_held (hl_workbench_manual_run (workbench), boom));
  hl_manual_run_set_speed (hl_workbench_manual_run (workbench), 2.0);
  for (int k = 0; k < 40; k++) {
    int rows = hl_results_n_rows (run->results);
    hl_manual_run_move_lever (hl_workbench_manual_run (workbench), boom, 0.5 * sin (0.2 * k));
    while (hl_results_n_rows (run->results) == rows) {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (300);
    }
  }
  g_assert_true (hl_manual_run_is_lever_held (hl_workbench_manual_run (workbench), boom));
  hl_manual_run_move_lever (hl_workbench_manual_run (workbench), boom, 7.0); /* no further than it goes */
  g_assert_cmpfloat (hl_manual_run_lever (hl_workbench_manual_run (workbench), boom), ==, 1.0);
  hl_manual_run_move_lever (hl_workbench_manual_run (workbench), boom, NAN);
  g_assert_cmpfloat (hl_manual_run_lever (hl_workbench_manual_run (workbench), boom), ==, 1.0);

  hl_runs_stop (hl_workbench_runs (workbench));
  g_assert_false (hl_manual_run_is_under_way (hl_workbench_manual_run (workbench)));
  until (is_idle, workbench);
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));
  run = runs->pdata[runs->len - 1];
  g_assert_true (run == hl_runs_shown (hl_workbench_runs (workbench)));
  g_assert_cmpstr (run->name, ==, "Driven 1");
  g_assert_cmpint (run->state, ==, HL_RUN_DONE);
  g_assert_true (hl_lever_record_is_held (run->levers, (int)boom));
  g_assert_cmpfloat (hl_runs_t_end (hl_workbench_runs (workbench)), ==, run->t_end);
  /* what stands in the columns is what the record says */
  for (int row = 0; row < hl_results_n_rows (run->results); row++) {
    double t = hl_results_get (run->results, 0, row);
    double recorded = hl_lever_record_value (run->levers, (int)boom, t);
    hl_assert_near (hl_run_value (run, "boom_valve.command", t), recorded, 0.0, 1e-12);
  }
}

static gboolean has_paused (HlWorkbench *workbench) {
  static int rows;
  static gint64 since;
  int now = hl_results_n_rows (hl_runs_shown (hl_workbench_runs (workbench))->results);

  if (now != rows)
    since = g_get_monotonic_time ();
  rows = now;
  return g_get_monotonic_time () - since > G_USEC_PER_SEC / 5;
}

static void test_pause (void) {
  g_autoptr (HlWorkbench) workbench = begin ("four-bar.hydrolink");
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));

  hl_manual_run_set_paused (hl_workbench_manual_run (workbench), TRUE);
  until (has_paused, workbench);
  double t = run->t_end;
  hl_runs_set_time (hl_workbench_runs (workbench), 0.5 * t); /* one may look around */
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (workbench)), ==, 0.5 * t);
  g_autofree char *text = hl_manual_run_text (hl_workbench_manual_run (workbench));
  g_assert_nonnull (strstr (text, "paused"));
  hl_manual_run_set_paused (hl_workbench_manual_run (workbench), FALSE);
  while (run->t_end < t + 0.1) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (300);
  }
  /* the pause was no time: no jump in the rows */
  for (int row = 1; row < hl_results_n_rows (run->results); row++)
    g_assert_cmpfloat (hl_results_get (run->results, 0, row) - hl_results_get (run->results, 0, row - 1), <,
                       0.011);
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (workbench)), ==, run->t_end);
}

static gboolean has_ordinary (HlWorkbench *workbench) {
  HlRuns *runs = hl_workbench_runs (workbench);
  const HlRun *run = hl_runs_shown (runs);
  return run != NULL && !run->is_driven && hl_run_is_over (run) && !hl_runs_is_running (runs);
}

/* Numbers are changed while the machine is driven: it goes on with them, the eigenvalues follow,
 * and so do undo and redo. */
static gboolean has_three_more (HlWorkbench *workbench) {
  static int rows;
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  if (rows == 0)
    rows = hl_results_n_rows (run->results);
  if (hl_results_n_rows (run->results) < rows + 3)
    return FALSE;
  rows = 0;
  return TRUE;
}

static double fastest (HlWorkbench *workbench) {
  const HlLinearization *lin = hl_editing_point (hl_workbench_editing (workbench))->linearization;
  double most = 0.0;

  for (int k = 0; k < lin->n; k++)
    most = fmax (most, lin->eigenvalues[k].im);
  return most;
}

static void test_tune (void) {
  g_autoptr (HlWorkbench) workbench = begin ("../../tests/golden/excavator-one-supply.hydrolink");
  static const char *const paths[] = {"boom.mass", NULL};
  double mass;

  double before = fastest (workbench);
  for (int k = 0; k < 10; k++) {
    hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 2500.0 + 100.0 * k, "slider", NULL);
    until (has_three_more, workbench);
  }
  hl_editing_end_gesture (hl_workbench_editing (workbench));
  until (has_three_more, workbench);
  g_assert_true (hl_manual_run_is_under_way (hl_workbench_manual_run (workbench)));
  g_assert_cmpfloat (fabs (fastest (workbench) - before), >, 1e-3);
  hl_editing_undo (hl_workbench_editing (workbench));
  until (has_three_more, workbench);
  g_assert_true (hl_manual_run_is_under_way (hl_workbench_manual_run (workbench)));
  g_assert_true (hl_document_get_number (hl_editing_document (hl_workbench_editing (workbench)), "boom.mass",
                                         &mass, NULL, NULL));
  g_assert_cmpfloat (mass, !=, 3400.0);
  hl_runs_stop (hl_workbench_runs (workbench));
  until (is_idle, workbench);
  g_assert_cmpint ((int)hl_runs_shown (hl_workbench_runs (workbench))->n_tuned, ==, 11);
  g_assert_null (hl_manual_run_take_news (hl_workbench_manual_run (workbench)));
}

/* Another edit ends the drive; its data stay, the edit can be undone. */
static void test_edit (void) {
  g_autoptr (HlWorkbench) workbench = begin ("../../tests/golden/excavator-one-supply.hydrolink");
  static const char *const paths[] = {"boom.angle", NULL}; /* where a run starts */

  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 0.61, NULL, NULL));
  until (has_ordinary, workbench);
  g_assert_false (hl_manual_run_is_under_way (hl_workbench_manual_run (workbench)));
  g_autofree char *news = hl_manual_run_take_news (hl_workbench_manual_run (workbench));
  g_assert_nonnull (strstr (news, "Driven 1"));
  g_assert_null (hl_manual_run_take_news (hl_workbench_manual_run (workbench)));
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));
  const HlRun *driven = NULL;
  for (guint i = 0; i < runs->len; i++)
    if (((const HlRun *)runs->pdata[i])->is_driven)
      driven = runs->pdata[i];
  g_assert_nonnull (driven);
  g_assert_cmpint (hl_results_n_rows (driven->results), >, 30);
  hl_editing_undo (hl_workbench_editing (workbench));
  until (has_ordinary, workbench);
}

/* A machine that comes to where its equations end says why, and the drive is kept. */
static gboolean has_ended (HlWorkbench *workbench) {
  return !hl_manual_run_is_under_way (hl_workbench_manual_run (workbench));
}

static void test_fault (void) {
  g_autoptr (HlWorkbench) workbench = begin ("two-arms-1.hydrolink");

  hl_manual_run_move_lever (hl_workbench_manual_run (workbench), find_lever (workbench, "ph1.opening"), 0.5);
  hl_manual_run_move_lever (hl_workbench_manual_run (workbench), find_lever (workbench, "th1.opening"), 0.5);
  until (has_ended, workbench);
  until (is_idle, workbench);
  g_autofree char *news = hl_manual_run_take_news (hl_workbench_manual_run (workbench));
  g_assert_nonnull (strstr (news, "ph"));
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  g_assert_true (run->is_driven);
  g_assert_cmpint (run->state, ==, HL_RUN_STOPPED);
  g_assert_nonnull (run->message);
  g_assert_cmpint (hl_results_n_rows (run->results), >, 30);
}

/* Faster than the machine can be computed: it says so, and loses nothing. In the end the first rows
 * go, so that memory stays within its limit. */
static gboolean is_late (HlWorkbench *workbench) {
  return hl_manual_run_is_late (hl_workbench_manual_run (workbench));
}

static gboolean has_dropped (HlWorkbench *workbench) {
  const HlResults *results = hl_runs_shown (hl_workbench_runs (workbench))->results;

  g_assert_cmpint (hl_results_bytes (results), <, HL_DRIVE_MOST_BYTES + 8 * 1024 * 1024);
  return hl_results_get (results, 0, 0) > 0.0;
}

static void test_long (void) {
  g_autoptr (HlWorkbench) workbench = begin ("four-bar.hydrolink");
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));

  hl_manual_run_set_speed (hl_workbench_manual_run (workbench), 1e6);
  until (is_late, workbench);
  until (has_dropped, workbench);
  hl_runs_stop (hl_workbench_runs (workbench));
  until (is_idle, workbench);
  int n = hl_results_n_rows (run->results);
  double first = hl_results_get (run->results, 0, 0), last = hl_results_get (run->results, 0, n - 1);
  hl_assert_near (last - first, 0.01 * (n - 1), 1e-9, 0.0); /* no gap */
  hl_runs_set_time (hl_workbench_runs (workbench), 0.0);
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (workbench)), ==, first);
  hl_runs_set_time (hl_workbench_runs (workbench), INFINITY);
  g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (workbench)), ==, last);
}

/* A driven run that is run again as signals of the file. */
static void test_keep (void) {
  g_autoptr (HlWorkbench) workbench = begin ("../../tests/golden/excavator-one-supply.hydrolink");
  guint stick = find_lever (workbench, "stick_valve.command");
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  g_autoptr (GError) error = NULL;

  for (int k = 0; run->t_end < 0.9; k++) {
    hl_manual_run_move_lever (hl_workbench_manual_run (workbench), stick, run->t_end < 0.6 ? 0.4 : -0.3);
    g_main_context_iteration (NULL, FALSE);
    g_usleep (300);
  }
  hl_runs_stop (hl_workbench_runs (workbench));
  until (is_idle, workbench);
  g_autoptr (HlRun) driven = hl_run_ref (hl_runs_shown (hl_workbench_runs (workbench)));
  g_assert_true (hl_manual_run_keep_levers (hl_workbench_manual_run (workbench), driven, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (workbench)), ==, "Keep “Driven 1” as signals");
  until (has_ordinary, workbench);
  const HlRun *again = hl_runs_shown (hl_workbench_runs (workbench));
  hl_assert_near (again->t_end, driven->t_end, 0.0, 1e-12);
  for (int row = 0; row < hl_results_n_rows (driven->results); row++) {
    double t = hl_results_get (driven->results, 0, row);
    hl_assert_near (hl_run_value (again, "boom.angle", t), hl_run_value (driven, "boom.angle", t), 0.0, 1e-6);
    hl_assert_near (hl_run_value (again, "stick.angle", t), hl_run_value (driven, "stick.angle", t), 0.0,
                    1e-6);
  }
  /* the lever that was not held has not changed */
  g_autoptr (HlDocument) kept = hl_document_ref (hl_editing_document (hl_workbench_editing (workbench)));
  const HlValue *boom = hl_value_member (hl_document_find (kept, "boom_valve", NULL, NULL), "command");
  g_assert_cmpint (hl_value_length (hl_value_member (boom, "t")), ==, 5);
  hl_editing_undo (hl_workbench_editing (workbench));
  const HlValue *back = hl_value_member (
      hl_document_find (hl_editing_document (hl_workbench_editing (workbench)), "stick_valve", NULL, NULL),
      "command");
  g_assert_cmpfloat (hl_value_number (hl_value_item (hl_value_member (back, "t"), 1)), ==, 1.0);
}

static gboolean has_levers (HlWorkbench *workbench) {
  return hl_manual_run_levers (hl_workbench_manual_run (workbench))->len > 0;
}

static gboolean has_lever_first (HlWorkbench *workbench) {
  return ((const HlLever *)hl_manual_run_levers (hl_workbench_manual_run (workbench))->pdata[0])->is_lever;
}

/* A signal that is made a lever comes first, has its value as a number of the file, and stays when
 * it is written and read. */
static void test_lever_signal (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  static const char *const paths[] = {"dcv.command.value", NULL};
  g_autoptr (GError) error = NULL;

  until (has_levers, workbench);
  g_assert_false (has_lever_first (workbench));
  hl_editing_commit (hl_workbench_editing (workbench),
                     hl_edit_signal_kind (hl_editing_document (hl_workbench_editing (workbench)), "dcv",
                                          "command", "lever", &error),
                     "Move by hand", NULL);
  g_assert_no_error (error);
  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 0.25, NULL, &error));
  until (has_lever_first, workbench);
  const HlLever *lever = hl_manual_run_levers (hl_workbench_manual_run (workbench))->pdata[0];
  g_assert_cmpstr (lever->path, ==, "dcv.command");
  g_assert_cmpfloat (lever->start, ==, 0.25);

  g_autofree char *folder = g_dir_make_tmp ("hydrolink-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "lever.hydrolink", NULL);
  g_assert_true (hl_editing_save (hl_workbench_editing (workbench), path, &error));
  g_autoptr (HlDocument) read = hl_document_load (path, &error);
  g_assert_no_error (error);
  g_assert_true (hl_document_equal (read, hl_editing_document (hl_workbench_editing (workbench))));
  g_unlink (path);
  g_rmdir (folder);
}

/* A lever among the terms of a sum: the hand moves it alone, and keeps it in its place. */
static void test_sum (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("../../tests/golden/excavator-one-supply.hydrolink");
  static const char dither[] = "{'kind': 'sum', 'of': [{'kind': 'sine', 'amplitude': 0.05, "
                               "'frequency_hz': 2}, {'kind': 'lever', 'value': 0.0}]}";
  g_autofree char *text = g_strdelimit (g_strdup (dither), "'", '"');
  g_autoptr (GError) error = NULL;

  until (can_drive, workbench);
  HlValue *sum = hl_json_parse (text, strlen (text), NULL, &error);
  g_assert_no_error (error);
  hl_editing_commit (hl_workbench_editing (workbench),
                     hl_edit_set (hl_editing_document (hl_workbench_editing (workbench)), "boom_valve",
                                  "command", sum, &error),
                     "Sum", NULL);
  until (has_lever_first, workbench);
  const HlLever *lever = hl_manual_run_levers (hl_workbench_manual_run (workbench))->pdata[0];
  g_assert_cmpstr (lever->path, ==, "boom_valve.command.of.1");
  g_assert_cmpfloat (lever->to, ==, 1.0);
  until (can_drive, workbench);
  hl_manual_run_begin (hl_workbench_manual_run (workbench));
  until (has_driven, workbench);
  hl_manual_run_move_lever (hl_workbench_manual_run (workbench), 0, 0.3);
  until (has_three_more, workbench);
  hl_runs_stop (hl_workbench_runs (workbench));
  until (is_idle, workbench);
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  double t = run->t_end, sine = 0.05 * sin (2.0 * G_PI * 2.0 * t);
  hl_assert_near (hl_run_value (run, "boom_valve.command", t), sine + 0.3, 0.0, 1e-9);
  g_assert_cmpfloat (hl_manual_run_lever (hl_workbench_manual_run (workbench), 0), ==, 0.3);
  g_assert_true (hl_manual_run_keep_levers (hl_workbench_manual_run (workbench), run, &error));
  const HlValue *kept = hl_value_member (
      hl_document_find (hl_editing_document (hl_workbench_editing (workbench)), "boom_valve", NULL, NULL),
      "command");
  const HlValue *of = hl_value_member (kept, "of");
  g_assert_cmpint (hl_value_length (of), ==, 2);
  g_assert_cmpstr (hl_value_string (hl_value_member (hl_value_item (of, 1), "kind")), ==, "table");
}

/* --- the desk --- */

static bool is_marked (void *data) {
  return atomic_load ((atomic_bool *)data);
}

/* The clock: no tick comes before its time; a stall is not made up for; a cancel ends the wait. */
static void test_clock (void) {
  HlDriveInput *desk = hl_drive_input_new (1, 4.0);
  atomic_bool cancelled = false;
  gint64 from = g_get_monotonic_time ();

  for (int tick = 0; tick <= 40; tick++)
    g_assert_true (hl_drive_input_wait (desk, 0.01 * tick, is_marked, &cancelled));
  gint64 took = g_get_monotonic_time () - from;
  g_assert_cmpint (took, >=, 99000); /* 0.4 s at four times the speed */
  g_usleep (300000);                 /* 1.2 s of the drive */
  from = g_get_monotonic_time ();
  for (int tick = 41; tick <= 81; tick++)
    hl_drive_input_wait (desk, 0.01 * tick, is_marked, &cancelled);
  g_assert_cmpint (g_get_monotonic_time () - from, >=, 49000); /* but 50 ms may be made up for */
  atomic_store (&cancelled, true);
  g_assert_false (hl_drive_input_wait (desk, 1e6, is_marked, &cancelled));
  g_assert_true (isnan (hl_drive_input_lever (desk, 0)));
  hl_drive_input_unref (desk);
}

/* A long drive: the first rows go, the last ones stay, within the limit. */
static void test_tail (void) {
  HlColumnInfo columns[] = {{"a", "a", "1"}, {"b", NULL, "Pa"}};
  g_autoptr (HlResults) results = hl_results_new (columns, 2);

  for (int row = 0; row < 20000; row++)
    hl_results_append (results, 0.01 * row, (double[]){row, -row});
  g_autoptr (HlResults) tail = hl_results_tail (results, 15000);
  g_assert_cmpint (hl_results_n_rows (tail), ==, 5000);
  g_assert_cmpint (hl_results_find_column (tail, "b"), ==, 2);
  g_assert_cmpstr (hl_results_column (tail, 2)->unit, ==, "Pa");
  g_assert_cmpfloat (hl_results_get (tail, 0, 0), ==, 0.01 * 15000);
  g_assert_cmpfloat (hl_results_get (tail, 1, 4999), ==, 19999);
  g_assert_cmpint (hl_results_bytes (tail), <, hl_results_bytes (results) / 2);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/interactive-run-threads/clock", test_clock);
  g_test_add_func ("/interactive-run-threads/tail", test_tail);
  g_test_add_func ("/interactive-run-threads/drive", test_drive);
  g_test_add_func ("/interactive-run-threads/pause", test_pause);
  g_test_add_func ("/interactive-run-threads/tune", test_tune);
  g_test_add_func ("/interactive-run-threads/edit", test_edit);
  g_test_add_func ("/interactive-run-threads/fault", test_fault);
  g_test_add_func ("/interactive-run-threads/lever-signal", test_lever_signal);
  g_test_add_func ("/interactive-run-threads/sum", test_sum);
  g_test_add_func ("/interactive-run-threads/long", test_long);
  g_test_add_func ("/interactive-run-threads/keep", test_keep);
  return g_test_run ();
}
