/* SPDX-License-Identifier: MIT */
/* The hub without a window: its own fall-back frames drive it. */
#include "core/document/hl-named-parameters.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-time-limit.h"
#include "tests/support/hl-test.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/modes/hl-eigen-table-text.h"
#include "ui/modes/hl-slider-panel.h"

#include <math.h>
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

static gboolean is_settled (HlWorkbench *workbench) {
  HlRuns *runs = hl_workbench_runs (workbench);
  HlRun *run = hl_runs_shown (runs);
  return !hl_runs_is_running (runs) && run != NULL && hl_run_is_over (run) &&
         hl_locus_study_locus (hl_workbench_locus (workbench)) != NULL;
}

static void settle (HlWorkbench *workbench) {
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  int iterations = 0;

  /* The frame that starts the work comes first. */
  for (int i = 0; i < 3; i++)
    while (g_main_context_iteration (NULL, FALSE) || iterations++ < 20)
      g_usleep (1000);
  while (!is_settled (workbench)) {
    g_assert_false (hl_time_limit_is_over (&patience));
    g_main_context_iteration (NULL, FALSE);
    g_usleep (500);
  }
}

static double peak (HlWorkbench *workbench, const char *id) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  double low = 0, high = 0;
  int column = hl_results_find_column (run->results, id);

  g_assert_cmpint (column, >=, 0);
  hl_results_range (run->results, column, 0, hl_results_n_rows (run->results), &low, &high);
  return fmax (fabs (low), fabs (high));
}

static void test_open_runs (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  settle (workbench);

  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  g_assert_cmpint (run->state, ==, HL_RUN_DONE);
  g_assert_cmpfloat (hl_results_value_at (run->results, 0, 1e9), ==, 4);
  /* The torque pulse pushes the link; a relative probe starts at zero. */
  g_assert_cmpfloat (hl_run_value (run, "phi2", 0), ==, 0);
  g_assert_cmpfloat (hl_run_value (run, "phi2", 1.2), >, 1e-5);
  g_assert_true (isfinite (hl_run_value (run, "phi2.linear", 1.6)));
  g_assert_cmpstr (hl_editing_current_set (hl_workbench_editing (workbench)), ==, "Overdamped");
  g_assert_cmpint (hl_editing_point (hl_workbench_editing (workbench))->system->f, ==, 1);
  g_assert_cmpint (hl_editing_point (hl_workbench_editing (workbench))->linearization->n_null, ==, 2);
  g_assert_cmpint ((int)hl_locus_study_model_sliders (hl_workbench_locus (workbench))->len, ==, 5);
}

/* At a hundredth of the friction the oscillating pair is the golden one, though the equilibrium was
 * continued over 30 steps. */
static void check_oscillation (HlWorkbench *workbench) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  const HlLinearization *lin = hl_editing_point (hl_workbench_editing (workbench))->linearization;
  gboolean found = FALSE;

  g_assert_cmpfloat (hl_test_json_number (golden, "cases.2.friction_scale"), ==, 0.01);
  for (int k = 0; k < lin->n; k++)
    if (!lin->eigenvalues[k].null && lin->eigenvalues[k].im > 0) {
      hl_assert_near (lin->eigenvalues[k].re,
                      hl_test_json_number (golden, "cases.2.eigenvalues.nonzero.0.re"), 1e-9, 0);
      hl_assert_near (lin->eigenvalues[k].im,
                      hl_test_json_number (golden, "cases.2.eigenvalues.nonzero.0.im"), 1e-9, 0);
      found = TRUE;
    }
  g_assert_true (found);
  json_decref (golden);
}

/* A trailer whose cylinder holds trapped oil: a mass that goes and comes back leaves the machine of the file, whose
 * ringing pair is -8.506 +- 100.755 i. */
static void test_number_back (void) {
  g_autofree char *path =
      g_build_filename (g_getenv ("HL_GOLDEN_DIR"), "found", "tipping-trailer.hydrolink", NULL);
  const char *paths[] = {"link1.mass", NULL};
  const double masses[] = {100, 2000};
  g_autoptr (HlWorkbench) workbench = hl_workbench_new ();
  HlEditing *editing = hl_workbench_editing (workbench);
  int n_found = 0;

  g_assert_true (hl_editing_load (editing, path, NULL));
  hl_workbench_frame (workbench);
  for (gsize k = 0; k < G_N_ELEMENTS (masses); k++) {
    g_assert_true (hl_editing_set_numbers (editing, paths, masses[k], NULL, NULL));
    hl_workbench_frame (workbench);
  }
  const HlLinearization *lin = hl_editing_point (editing)->linearization;
  for (int k = 0; k < lin->n; k++)
    n_found +=
        fabs (lin->eigenvalues[k].re + 8.506) < 5e-4 && fabs (fabs (lin->eigenvalues[k].im) - 100.755) < 5e-4;
  g_assert_cmpint (n_found, ==, 2);
}

/* A drag in many steps: eigenvalues follow in the frame, traces in the end, and one undo takes all
 * of it back. */
static void test_drag (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *paths[] = {"cyl.friction.scale", NULL};
  settle (workbench);

  guint first = hl_runs_shown (hl_workbench_runs (workbench))->serial;
  for (int step = 1; step <= 30; step++) {
    g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), paths,
                                           pow (10, -2.0 * step / 30), "knob", NULL));
    hl_workbench_frame (workbench);
  }
  check_oscillation (workbench);

  hl_editing_end_gesture (hl_workbench_editing (workbench));
  settle (workbench);
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  g_assert_cmpuint (run->serial, >, first);
  g_assert_false (run->preview);
  /* It rings now: after the pulse it swings below zero. */
  double low, high;
  int column = hl_results_find_column (run->results, "phi2");
  int from = hl_results_row_at (run->results, 1.501);
  g_assert_true (
      hl_results_range (run->results, column, from, hl_results_n_rows (run->results), &low, &high));
  g_assert_cmpfloat (low, <, -0.3 * peak (workbench, "phi2"));

  hl_editing_undo (hl_workbench_editing (workbench));
  g_assert_null (hl_editing_undo_name (hl_workbench_editing (workbench)));
  g_assert_false (hl_editing_is_modified (hl_workbench_editing (workbench)));
  settle (workbench);
  hl_editing_redo (hl_workbench_editing (workbench));
  double value;
  g_assert_true (hl_document_get_number (hl_editing_document (hl_workbench_editing (workbench)), paths[0],
                                         &value, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (value, 0.01, 1e-12);
}

/* Requests pile up faster than they can be served: the last one is what is shown in the end. */
static void test_stale_requests (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *paths[] = {"cyl.friction.Fc", NULL};
  settle (workbench);

  for (int step = 0; step < 300; step++) {
    hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 10 + step, "knob", NULL);
    hl_workbench_frame (workbench);
  }
  hl_editing_end_gesture (hl_workbench_editing (workbench));
  settle (workbench);
  double asked, shown;
  hl_document_get_number (hl_editing_document (hl_workbench_editing (workbench)), paths[0], &asked, NULL,
                          NULL);
  hl_document_get_number (hl_runs_shown (hl_workbench_runs (workbench))->document, paths[0], &shown, NULL,
                          NULL);
  g_assert_cmpfloat (asked, ==, 309);
  g_assert_cmpfloat (shown, ==, asked);
}

static void test_parameter_sets (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *paths[] = {"cyl.friction.sigma2", NULL};
  g_autoptr (GError) error = NULL;
  double value;

  g_assert_true (hl_editing_apply_set (hl_workbench_editing (workbench), "Underdamped, low friction", NULL));
  g_assert_cmpstr (hl_editing_current_set (hl_workbench_editing (workbench)), ==,
                   "Underdamped, low friction");
  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 12, NULL, NULL));
  g_assert_null (hl_editing_current_set (hl_workbench_editing (workbench)));
  settle (workbench);
  g_assert_true (hl_editing_save_set (hl_workbench_editing (workbench), "Mine", &error));
  g_assert_cmpstr (hl_editing_current_set (hl_workbench_editing (workbench)), ==, "Mine");
  g_assert_true (hl_editing_apply_set (hl_workbench_editing (workbench), "Overdamped", NULL));
  g_assert_true (hl_editing_apply_set (hl_workbench_editing (workbench), "Mine", NULL));
  hl_document_get_number (hl_editing_document (hl_workbench_editing (workbench)), paths[0], &value, NULL,
                          NULL);
  g_assert_cmpfloat (value, ==, 12);
  g_autofree char *left = hl_editing_left_by_set (hl_workbench_editing (workbench), "Overdamped");
  g_assert_cmpstr (left, ==, "cyl.friction.vs");
  g_assert_false (hl_editing_apply_set (hl_workbench_editing (workbench), "No such set", &error));
  g_assert_nonnull (error);
}

static void test_stop_keeps_data (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *t_end[] = {"simulation.t_end", NULL};
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  settle (workbench);

  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), t_end, 1e5, NULL, NULL));
  HlRun *run = NULL;
  while (run == NULL || run->t_end < 1e5 || hl_results_n_rows (run->results) < 10) {
    g_assert_false (hl_time_limit_is_over (&patience));
    g_main_context_iteration (NULL, FALSE);
    run = hl_runs_shown (hl_workbench_runs (workbench));
  }
  hl_runs_stop (hl_workbench_runs (workbench));
  settle (workbench);
  run = hl_runs_shown (hl_workbench_runs (workbench));
  g_assert_cmpint (run->state, ==, HL_RUN_STOPPED);
  g_assert_true (run->is_stopped_by_user);
  g_assert_cmpint (hl_results_n_rows (run->results), >=, 10);
}

/* A run that an edit ends was not stopped by the user, and the time cursor is inside the run that is shown. */
static void test_edit_ends_run (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  HlEditing *editing = hl_workbench_editing (workbench);
  HlRuns *runs = hl_workbench_runs (workbench);
  const char *t_end[] = {"simulation.t_end", NULL};
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  settle (workbench);

  g_assert_true (hl_editing_set_numbers (editing, t_end, 1e5, NULL, NULL));
  while (hl_runs_shown (runs)->t_end < 1e5 || hl_results_n_rows (hl_runs_shown (runs)->results) < 10) {
    g_assert_false (hl_time_limit_is_over (&patience));
    g_main_context_iteration (NULL, FALSE);
  }
  g_autoptr (HlRun) ended = hl_run_ref (hl_runs_shown (runs));
  hl_runs_set_time (runs, 40);
  g_assert_true (hl_editing_set_numbers (editing, t_end, 2, NULL, NULL));
  settle (workbench);
  g_assert_false (ended->is_stopped_by_user);
  g_assert_true (hl_runs_shown (runs) != ended);
  g_assert_cmpfloat (hl_runs_time (runs), ==, 2);
}

/* The run of a drag that is stopped before it has begun sends nothing back: the root locus waited for it for good, and frames
 * never ended. */
static void test_stop_before_begin (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  HlEditing *editing = hl_workbench_editing (workbench);
  const char *mass[] = {"link2.mass", NULL};
  double value = 0;
  int n_stopped = 0;

  settle (workbench);
  g_assert_true (hl_document_get_number (hl_editing_document (editing), mass[0], &value, NULL, NULL));
  for (int k = 1; k <= 60; k++) {
    HlTimeLimit patience = hl_time_limit (PATIENCE_S);
    g_assert_true (hl_editing_set_numbers (editing, mass, value * (1 + 0.001 * k), "drag", NULL));
    while (!hl_workbench_awaits_run (workbench, G_MAXINT64) && hl_workbench_frame (workbench))
      g_assert_false (hl_time_limit_is_over (&patience));
    n_stopped += hl_workbench_awaits_run (workbench, G_MAXINT64);
    hl_runs_stop (hl_workbench_runs (workbench));
    while (hl_workbench_frame (workbench)) {
      g_assert_false (hl_time_limit_is_over (&patience));
      g_usleep (100);
    }
  }
  g_assert_cmpint (n_stopped, >, 0);
  hl_editing_end_gesture (editing);
  settle (workbench);
}

/* Between two frames one run has ended and the next one has begun: the latter is the one that is stopped and shown. How long it
 * takes until that is so depends on the load of the machine. */
static void test_stop_keeps_newest (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("slider-crank.hydrolink");
  HlEditing *editing = hl_workbench_editing (workbench);
  const char *t_end[] = {"simulation.t_end", NULL};
  const HlRun *run = NULL;
  double end = 0.0;

  settle (workbench);
  for (gulong sleep_us = 100000; sleep_us < 10000000 && (run == NULL || run->t_end != end); sleep_us *= 2) {
    HlTimeLimit patience = hl_time_limit (PATIENCE_S);
    end = 100.0 + 1e-6 * (double)sleep_us;
    for (int k = 0; k < 2; k++) {
      g_assert_true (hl_editing_set_numbers (editing, t_end, k == 0 ? 20.0 : end, "drag", NULL));
      hl_workbench_frame (workbench);
    }
    g_usleep (sleep_us);
    hl_runs_stop (hl_workbench_runs (workbench));
    while (hl_workbench_frame (workbench)) {
      g_assert_false (hl_time_limit_is_over (&patience));
      g_usleep (1000);
    }
    run = hl_runs_shown (hl_workbench_runs (workbench));
  }
  g_assert_cmpfloat (run->t_end, ==, end);
  g_assert_cmpint (hl_results_n_rows (run->results), >, 0);
}

/* A model that cannot be computed says why and keeps working once it is mended. */
static void test_broken_model (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *stroke[] = {"cyl.stroke", NULL};
  settle (workbench);

  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), stroke, 0.01, NULL, NULL));
  hl_workbench_frame (workbench);
  const HlFinding *error = hl_findings_first_error (hl_editing_findings (hl_workbench_editing (workbench)));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->id, ==, "cyl");
  hl_editing_undo (hl_workbench_editing (workbench));
  hl_workbench_frame (workbench);
  g_assert_null (hl_findings_first_error (hl_editing_findings (hl_workbench_editing (workbench))));
  settle (workbench);
  g_assert_cmpint (hl_runs_shown (hl_workbench_runs (workbench))->state, ==, HL_RUN_DONE);
}

/* settle () waits for a locus, which a file without sliders has none of. */
static void settle_run (HlWorkbench *workbench, HlRunState state) {
  HlRuns *runs = hl_workbench_runs (workbench);
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  HlRun *run = NULL;

  while (run == NULL || run->state != state || hl_runs_is_running (runs)) {
    g_assert_false (hl_time_limit_is_over (&patience));
    hl_workbench_frame (workbench);
    g_main_context_iteration (NULL, FALSE);
    g_usleep (500);
    run = hl_runs_shown (runs);
  }
}

/* A file whose oil model does not support it opens: it is drawn, balanced and linearized, the problem is reported once,
 * and one click chooses another oil. */
static void test_wrong_oil (void) {
  g_autofree char *path = hl_test_golden_path ("found/bare-pipe-quasistatic.hydrolink");
  g_autoptr (HlWorkbench) workbench = hl_workbench_new ();
  g_autoptr (GError) error = NULL;

  hl_editing_load (hl_workbench_editing (workbench), path, &error);
  g_assert_no_error (error);
  settle_run (workbench, HL_RUN_FAILED);
  g_assert_true (hl_editing_has_system (hl_workbench_editing (workbench)));
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (workbench));
  const HlFinding *found = hl_findings_first_error (findings);
  g_assert_cmpint (hl_findings_count (findings, HL_SEVERITY_ERROR), ==, 1);
  g_assert_cmpstr (found->id, ==, "bare");
  g_assert_cmpint (found->fix.type, ==, HL_FIX_OIL);
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (workbench));
  g_assert_nonnull (at->linearization);
  g_autofree char *no_verdict = hl_eigen_text_no_verdict (at->linearization);
  g_assert_nonnull (strstr (no_verdict, "m0.x"));
  HlDocument *mended =
      hl_edit_apply_fix (hl_editing_document (hl_workbench_editing (workbench)), &found->fix, &error);
  g_assert_no_error (error);
  hl_editing_commit (hl_workbench_editing (workbench), mended, "mend", NULL);
  settle_run (workbench, HL_RUN_DONE);
  g_assert_null (hl_findings_first_error (hl_editing_findings (hl_workbench_editing (workbench))));
}

static int n_in_vapour (HlWorkbench *workbench) {
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (workbench));
  int n = 0;

  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    n += finding->severity == HL_SEVERITY_WARNING && strstr (finding->message, "vapour") != NULL;
  }
  return n;
}

/* Lines in which vapour stands beside the oil are problems of the run that is shown, once a line however
 * often it runs, and go with it. */
static void test_cavitation (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("slider-crank.hydrolink");
  const char *pressures[] = {"tank.pressure", NULL};
  g_autoptr (GError) error = NULL;

  settle (workbench);
  g_assert_cmpint (n_in_vapour (workbench), ==, 2);
  g_autofree char *text =
      hl_runs_doubt_text (hl_workbench_runs (workbench), hl_runs_shown (hl_workbench_runs (workbench)));
  g_assert_nonnull (strstr (text, "A: vapour at"));
  g_assert_nonnull (strstr (text, "1 more line"));
  hl_runs_start (hl_workbench_runs (workbench));
  hl_workbench_frame (workbench);
  settle (workbench);
  g_assert_cmpint (n_in_vapour (workbench), ==, 2);
  /* under 5 MPa of the tank nothing falls so low */
  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), pressures, 5e6, NULL, &error));
  hl_workbench_frame (workbench);
  settle (workbench);
  g_assert_cmpint (n_in_vapour (workbench), ==, 0);
  g_assert_null (
      hl_runs_doubt_text (hl_workbench_runs (workbench), hl_runs_shown (hl_workbench_runs (workbench))));
}

/* A valve that closes within the time a wave takes through a segment is named beside the run, where no line has
 * vapour and no other doubt names the system of the run. */
static void test_steep_wave (void) {
  static const char text[] =
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
      " 'fluid': {'bulk_modulus': 2.2e9, 'density': 1000},"
      " 'components': [{'id': 'res', 'kind': 'pressure-source', 'pressure': 4e6},"
      "  {'id': 'pipe', 'kind': 'pipe', 'length': 100, 'diameter': 0.3, 'resistance': 0,"
      "   'segments': 8, 'flow': 0.05},"
      "  {'id': 'out', 'kind': 'flow-source', 'flow': {'kind': 'table',"
      "   't': [0, 0.1, 0.101, 60], 'y': [-0.05, -0.05, 0, 0]}}],"
      " 'lines': [{'id': 'U', 'ports': ['res.P', 'pipe.A']},"
      "  {'id': 'D', 'ports': ['pipe.B', 'out.P'], 'volume': 0.001, 'pressure': 4e6}],"
      " 'simulation': {'t_end': 0.3, 'every': 0.01, 'start': 'as-given'}}";
  g_autoptr (HlWorkbench) workbench = open_example ("slider-crank.hydrolink");
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  g_autoptr (GError) error = NULL;

  settle (workbench);
  hl_editing_set_document (hl_workbench_editing (workbench),
                           hl_document_parse (json, strlen (json), "hammer", &error));
  g_assert_no_error (error);
  HlRuns *runs = hl_workbench_runs (workbench);
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  do {
    g_assert_false (hl_time_limit_is_over (&patience));
    hl_workbench_frame (workbench);
    g_main_context_iteration (NULL, FALSE);
    g_usleep (500);
  } while (hl_runs_is_running (runs) || hl_runs_shown (runs)->t_end != 0.3);
  const HlRun *run = hl_runs_shown (runs);
  g_assert_cmpint (hl_cavitations_n (run->cavitations), ==, 0);
  g_autofree char *doubt = hl_runs_doubt_text (runs, run);
  g_assert_cmpstr (doubt, ==, "pipe: waves too steep for 8 segments");
}

static int find_model_slider (HlWorkbench *workbench, const char *path) {
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (workbench));

  for (guint k = 0; k < model_sliders->len; k++)
    if (strcmp (((const HlModelSlider *)model_sliders->pdata[k])->paths[0], path) == 0)
      return (int)k;
  return -1;
}

/* The speed of the vehicle's two bodies is one slider; its critical value is found in the worker. */
static void check_critical_speed (const char *file, const char *key, gboolean oscillates) {
  g_autoptr (HlWorkbench) workbench = open_example (file);
  json_t *golden = hl_test_golden_json ("articulated_vehicle.json");
  int n, speed;

  settle (workbench);
  speed = find_model_slider (workbench, "front.vx");
  g_assert_cmpint (speed, >=, 0);
  hl_locus_study_set_model_slider (hl_workbench_locus (workbench), speed);
  g_assert_null (hl_locus_study_locus (hl_workbench_locus (workbench)));
  settle (workbench);
  const HlCrossing *crossings = hl_locus_study_crossings (hl_workbench_locus (workbench), &n);
  g_assert_cmpint (n, ==, 1);
  hl_assert_near (crossings[0].value, hl_test_json_number (golden, key), 1e-9, 0);
  g_assert_cmpint (crossings[0].frequency_hz > 1e-3, ==, oscillates);
  json_decref (golden);
}

static void test_crossings (void) {
  check_critical_speed ("articulated-vehicle-rigid.hydrolink", "critical_speed.rigid", TRUE);
  check_critical_speed ("articulated-vehicle-tyre.hydrolink", "critical_speed.tyre", FALSE);
}

/* The pair of the four-bar at a hundredth of its friction: looked at, it is followed over a drag;
 * its movie swings about the start, and the oil on both sides of the piston pushes against each
 * other. */
static void test_mode (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *paths[] = {"cyl.friction.scale", NULL};
  double size, phase;

  settle (workbench);
  g_assert_cmpint (hl_locus_study_mode (hl_workbench_locus (workbench)), ==, -1);
  g_assert_null (hl_locus_study_mode_movie (hl_workbench_locus (workbench)));
  hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 0.01, "knob", NULL);
  hl_workbench_frame (workbench);
  const HlLinearization *lin = hl_editing_point (hl_workbench_editing (workbench))->linearization;
  int pair = 0;
  while (lin->eigenvalues[pair].null || lin->eigenvalues[pair].im <= 0)
    pair++;
  hl_locus_study_set_mode (hl_workbench_locus (workbench), pair);
  for (int step = 0; step < 20; step++) {
    hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 0.01 * pow (1.1, step), "knob", NULL);
    hl_workbench_frame (workbench);
  }
  int mode = hl_locus_study_mode (hl_workbench_locus (workbench));
  g_assert_cmpint (mode, >=, 0);
  g_assert_cmpfloat (hl_editing_point (hl_workbench_editing (workbench))->linearization->eigenvalues[mode].im,
                     >, 400);

  const HlModeMovie *movie = hl_locus_study_mode_movie (hl_workbench_locus (workbench));
  g_assert_nonnull (movie);
  int column = hl_results_find_column (movie->results, "link2.angle");
  double start = hl_editing_point (hl_workbench_editing (workbench))->point->x[2];
  g_assert_cmpfloat_with_epsilon (hl_results_value_at (movie->results, column, 0.0), start + movie->amplitude,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (hl_results_value_at (movie->results, column, 0.5), start - movie->amplitude,
                                  1e-9);
  g_assert_true (
      hl_mode_pressure (hl_editing_point (hl_workbench_editing (workbench)), mode, "V3", &size, &phase));
  g_assert_cmpfloat (size, ==, 1);
  double against = phase;
  g_assert_true (
      hl_mode_pressure (hl_editing_point (hl_workbench_editing (workbench)), mode, "V2", &size, &phase));
  g_assert_cmpfloat_with_epsilon (fabs (fabs (against - phase) - G_PI), 0, 0.1);
  hl_locus_study_set_mode (hl_workbench_locus (workbench), -1);
  g_assert_null (hl_locus_study_mode_movie (hl_workbench_locus (workbench)));
  hl_editing_end_gesture (hl_workbench_editing (workbench));
}

/* Any number of the model may be listed; one more slider is one undo step, and its slider turns. */
static void test_add_slider (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  g_autoptr (GPtrArray) paths = hl_slider_paths (hl_editing_document (hl_workbench_editing (workbench)));
  g_autoptr (GError) error = NULL;

  settle (workbench);
  for (guint i = 0; i < paths->len; i++)
    g_assert_true (hl_document_get_number (hl_editing_document (hl_workbench_editing (workbench)),
                                           paths->pdata[i], &(double){0}, NULL, NULL));
  g_assert_true (g_ptr_array_find_with_equal_func (paths, "fluid.bulk_modulus", g_str_equal, NULL));
  g_assert_true (g_ptr_array_find_with_equal_func (paths, "link2.mass", g_str_equal, NULL));
  g_assert_cmpint (find_model_slider (workbench, "fluid.bulk_modulus"), ==, -1);
  g_assert_true (hl_slider_add (workbench, "fluid.bulk_modulus", &error));
  settle (workbench);
  int model_slider = find_model_slider (workbench, "fluid.bulk_modulus");
  g_assert_cmpint (model_slider, >=, 0);
  const HlModelSlider *added =
      hl_locus_study_model_sliders (hl_workbench_locus (workbench))->pdata[model_slider];
  g_assert_true (added->log);
  g_assert_cmpfloat_with_epsilon (hl_model_slider_fraction (added, 1.5e9), 0.5, 1e-9);
  g_assert_false (hl_slider_add (workbench, "no.such.path", &error));
  g_assert_nonnull (error);
  hl_editing_undo (hl_workbench_editing (workbench));
  settle (workbench);
  g_assert_cmpint (find_model_slider (workbench, "fluid.bulk_modulus"), ==, -1);
}

/* Sensitivities to every slider and the poles of every parameter set come with the locus. The sum of
 * the eigenvalues is the trace of J, whose slope in sigma_2 is - s'^2 / I in closed form. */
static void test_studies (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  json_t *golden = hl_test_golden_json ("linearization.json");
  double slope = hl_test_json_number (golden, "scalars_at_equilibrium_friction_scale_1.s_prime");
  double inertia = hl_test_json_number (golden, "scalars_at_equilibrium_friction_scale_1.reduced_inertia");

  settle (workbench);
  const HlSensitivity *s = hl_locus_study_sensitivity (hl_workbench_locus (workbench));
  g_assert_nonnull (s);
  g_assert_cmpint (s->n_parameters, ==,
                   (int)hl_locus_study_model_sliders (hl_workbench_locus (workbench))->len);
  int model_slider = find_model_slider (workbench, "cyl.friction.sigma2");
  double sum = 0, size = 0;
  for (int e = 0; e < s->n_states; e++)
    if (!s->null[e]) {
      sum += s->d_re[model_slider * s->n_states + e];
      size = fmax (size, fabs (s->d_re[model_slider * s->n_states + e]));
    }
  hl_assert_near (sum, -slope * slope / inertia, 1e-7, 1e-7 * size);

  /* the second set of the file is the golden case of a tenth of the friction */
  double re, im;
  gboolean found = FALSE;
  int set;
  for (int i = 0; hl_locus_study_other_pole (hl_workbench_locus (workbench), i, &re, &im, &set); i++)
    if (set == 1 && im > 0) {
      hl_assert_near (re, hl_test_json_number (golden, "cases.1.eigenvalues.nonzero.0.re"), 1e-9, 0);
      hl_assert_near (im, hl_test_json_number (golden, "cases.1.eigenvalues.nonzero.0.im"), 1e-9, 0);
      found = TRUE;
    }
  g_assert_true (found);
  json_decref (golden);
}

static void test_selection (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");

  hl_workbench_select (workbench, "cyl");
  g_assert_true (hl_workbench_is_selected (workbench, "cyl"));
  hl_workbench_toggle_selected (workbench, "dcv");
  g_assert_true (hl_workbench_is_selected (workbench, "dcv"));
  g_assert_cmpstr (hl_workbench_selected (workbench), ==, "cyl");
  hl_workbench_toggle_selected (workbench, "cyl");
  g_assert_cmpstr (hl_workbench_selected (workbench), ==, "dcv");
  hl_workbench_select (workbench, hl_workbench_selected (workbench));
  g_assert_cmpstr (hl_workbench_selected (workbench), ==, "dcv");
  hl_workbench_select (workbench, NULL);
  g_assert_null (hl_workbench_selected (workbench));
}

/* A slider and a drag in a drawing say it, what is typed does not; undo takes the words back. */
static void test_lost_formula (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  HlEditing *editing = hl_workbench_editing (workbench);
  const char *paths[] = {"cyl.stroke", NULL};

  hl_editing_commit (editing, hl_edit_set_parameter (hl_editing_document (editing), "half", "0.4 m", NULL),
                     "Add half", NULL);
  g_assert_true (hl_editing_set_text (editing, paths, "2*half", NULL));
  g_assert_null (hl_editing_lost_formula (editing));
  g_assert_true (hl_editing_set_numbers (editing, paths, 0.81, NULL, NULL));
  g_assert_null (hl_editing_lost_formula (editing));
  hl_editing_undo (editing);

  g_assert_true (hl_editing_set_numbers (editing, paths, 0.81, "slider", NULL));
  const char *lost = hl_editing_lost_formula (editing);
  g_assert_nonnull (lost);
  g_assert_nonnull (strstr (lost, "2*half"));
  g_assert_nonnull (strstr (lost, "cyl.stroke"));
  hl_editing_undo (editing);
  g_assert_null (hl_editing_lost_formula (editing));
  g_assert_cmpstr (hl_document_typed (hl_editing_document (editing), "cyl.stroke"), ==, "2*half");

  hl_editing_commit (
      editing, hl_edit_set (hl_editing_document (editing), "cyl", "stroke", hl_value_new_number (0.82), NULL),
      "Drag", "drag");
  g_assert_nonnull (hl_editing_lost_formula (editing));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workbench-hub/open-runs", test_open_runs);
  g_test_add_func ("/workbench-hub/number-back", test_number_back);
  g_test_add_func ("/workbench-hub/drag", test_drag);
  g_test_add_func ("/workbench-hub/stale-requests", test_stale_requests);
  g_test_add_func ("/workbench-hub/parameter-sets", test_parameter_sets);
  g_test_add_func ("/workbench-hub/stop-keeps-data", test_stop_keeps_data);
  g_test_add_func ("/workbench-hub/edit-ends-run", test_edit_ends_run);
  g_test_add_func ("/workbench-hub/stop-before-begin", test_stop_before_begin);
  g_test_add_func ("/workbench-hub/stop-keeps-newest", test_stop_keeps_newest);
  g_test_add_func ("/workbench-hub/broken-model", test_broken_model);
  g_test_add_func ("/workbench-hub/wrong-oil", test_wrong_oil);
  g_test_add_func ("/workbench-hub/crossings", test_crossings);
  g_test_add_func ("/workbench-hub/mode", test_mode);
  g_test_add_func ("/workbench-hub/cavitation", test_cavitation);
  g_test_add_func ("/workbench-hub/steep-wave", test_steep_wave);
  g_test_add_func ("/workbench-hub/add-slider", test_add_slider);
  g_test_add_func ("/workbench-hub/studies", test_studies);
  g_test_add_func ("/workbench-hub/selection", test_selection);
  g_test_add_func ("/workbench-hub/lost-formula", test_lost_formula);
  return g_test_run ();
}
