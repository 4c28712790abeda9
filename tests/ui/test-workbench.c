/* SPDX-License-Identifier: MIT */
/* The hub without a window: its own fall-back frames drive it. */
#include "tests/support/hl-test.h"
#include "ui/hl-slider-editor.h"
#include "ui/hl-workbench.h"

#include <math.h>
#include <string.h>

#define PATIENCE_US (60 * G_USEC_PER_SEC)

static HlWorkbench *
open_example (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), name, NULL);
  g_autoptr (GError) error = NULL;
  HlWorkbench *workbench = hl_workbench_new ();

  hl_workbench_load (workbench, path, &error);
  g_assert_no_error (error);
  return workbench;
}

static gboolean
is_settled (HlWorkbench *workbench)
{
  HlRun *run = hl_workbench_shown_run (workbench);
  return !hl_workbench_is_running (workbench) && run != NULL && hl_run_is_over (run) &&
         hl_workbench_locus (workbench) != NULL;
}

static void
settle (HlWorkbench *workbench)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  int iterations = 0;

  /* The frame that starts the work comes first. */
  for (int i = 0; i < 3; i++)
    while (g_main_context_iteration (NULL, FALSE) || iterations++ < 20)
      g_usleep (1000);
  while (!is_settled (workbench)) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, FALSE);
    g_usleep (500);
  }
}

static double
peak (HlWorkbench *workbench, const char *id)
{
  HlRun *run = hl_workbench_shown_run (workbench);
  double low = 0, high = 0;
  int column = hl_results_find_column (run->results, id);

  g_assert_cmpint (column, >=, 0);
  hl_results_range (run->results, column, 0, hl_results_n_rows (run->results), &low, &high);
  return fmax (fabs (low), fabs (high));
}

static void
test_open_runs (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  settle (workbench);

  HlRun *run = hl_workbench_shown_run (workbench);
  g_assert_cmpint (run->state, ==, HL_RUN_DONE);
  g_assert_cmpfloat (hl_results_value_at (run->results, 0, 1e9), ==, 4);
  /* The torque pulse pushes the link; a relative probe starts at zero. */
  g_assert_cmpfloat (hl_run_value (run, "phi2", 0), ==, 0);
  g_assert_cmpfloat (hl_run_value (run, "phi2", 1.2), >, 1e-5);
  g_assert_true (isfinite (hl_run_value (run, "phi2.linear", 1.6)));
  g_assert_cmpstr (hl_workbench_current_set (workbench), ==, "Overdamped");
  g_assert_cmpint (hl_workbench_degrees_of_freedom (workbench), ==, 1);
  g_assert_cmpint (hl_workbench_point (workbench)->linearization->n_null, ==, 2);
  g_assert_cmpint ((int)hl_workbench_knobs (workbench)->len, ==, 5);
}

/* At a hundredth of the friction the oscillating pair is the golden one, though the equilibrium was
 * continued over 30 steps. */
static void
check_oscillation (HlWorkbench *workbench)
{
  json_t *golden = hl_test_golden_json ("linearization.json");
  const HlLinearization *lin = hl_workbench_point (workbench)->linearization;
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

/* A drag in many steps: eigenvalues follow in the frame, traces in the end, and one undo takes all
 * of it back. */
static void
test_drag (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *paths[] = {"cyl.friction.scale", NULL};
  settle (workbench);

  guint first = hl_workbench_shown_run (workbench)->serial;
  for (int step = 1; step <= 30; step++) {
    g_assert_true (
        hl_workbench_set_numbers (workbench, paths, pow (10, -2.0 * step / 30), "knob", NULL));
    hl_workbench_frame (workbench);
  }
  check_oscillation (workbench);

  hl_workbench_end_gesture (workbench);
  settle (workbench);
  HlRun *run = hl_workbench_shown_run (workbench);
  g_assert_cmpuint (run->serial, >, first);
  g_assert_false (run->preview);
  /* It rings now: after the pulse it swings below zero. */
  double low, high;
  int column = hl_results_find_column (run->results, "phi2");
  int from = hl_results_row_at (run->results, 1.501);
  g_assert_true (
      hl_results_range (run->results, column, from, hl_results_n_rows (run->results), &low, &high));
  g_assert_cmpfloat (low, <, -0.3 * peak (workbench, "phi2"));

  hl_workbench_undo (workbench);
  g_assert_null (hl_workbench_undo_name (workbench));
  g_assert_false (hl_workbench_is_modified (workbench));
  settle (workbench);
  hl_workbench_redo (workbench);
  double value;
  g_assert_true (
      hl_document_get_number (hl_workbench_document (workbench), paths[0], &value, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (value, 0.01, 1e-12);
}

/* Requests pile up faster than they can be served: the last one is what is shown in the end. */
static void
test_stale_requests (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *paths[] = {"cyl.friction.Fc", NULL};
  settle (workbench);

  for (int step = 0; step < 300; step++) {
    hl_workbench_set_numbers (workbench, paths, 10 + step, "knob", NULL);
    hl_workbench_frame (workbench);
  }
  hl_workbench_end_gesture (workbench);
  settle (workbench);
  double asked, shown;
  hl_document_get_number (hl_workbench_document (workbench), paths[0], &asked, NULL, NULL);
  hl_document_get_number (hl_workbench_shown_run (workbench)->document, paths[0], &shown, NULL,
                          NULL);
  g_assert_cmpfloat (asked, ==, 309);
  g_assert_cmpfloat (shown, ==, asked);
}

static void
test_parameter_sets (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *paths[] = {"cyl.friction.sigma2", NULL};
  g_autoptr (GError) error = NULL;
  double value;

  g_assert_true (hl_workbench_apply_set (workbench, "Underdamped, low friction", NULL));
  g_assert_cmpstr (hl_workbench_current_set (workbench), ==, "Underdamped, low friction");
  g_assert_true (hl_workbench_set_numbers (workbench, paths, 12, NULL, NULL));
  g_assert_null (hl_workbench_current_set (workbench));
  settle (workbench);
  g_assert_true (hl_workbench_save_set (workbench, "Mine", &error));
  g_assert_cmpstr (hl_workbench_current_set (workbench), ==, "Mine");
  g_assert_true (hl_workbench_apply_set (workbench, "Overdamped", NULL));
  g_assert_true (hl_workbench_apply_set (workbench, "Mine", NULL));
  hl_document_get_number (hl_workbench_document (workbench), paths[0], &value, NULL, NULL);
  g_assert_cmpfloat (value, ==, 12);
  g_assert_false (hl_workbench_apply_set (workbench, "No such set", &error));
  g_assert_nonnull (error);
}

static void
test_stop_keeps_data (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *t_end[] = {"simulation.t_end", NULL};
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  settle (workbench);

  g_assert_true (hl_workbench_set_numbers (workbench, t_end, 1e5, NULL, NULL));
  HlRun *run = NULL;
  while (run == NULL || run->t_end < 1e5 || hl_results_n_rows (run->results) < 10) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, FALSE);
    run = hl_workbench_shown_run (workbench);
  }
  hl_workbench_stop (workbench);
  settle (workbench);
  run = hl_workbench_shown_run (workbench);
  g_assert_cmpint (run->state, ==, HL_RUN_STOPPED);
  g_assert_cmpint (hl_results_n_rows (run->results), >=, 10);
}

/* A model that cannot be computed says why and keeps working once it is mended. */
static void
test_broken_model (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *stroke[] = {"cyl.stroke", NULL};
  settle (workbench);

  g_assert_true (hl_workbench_set_numbers (workbench, stroke, 0.01, NULL, NULL));
  hl_workbench_frame (workbench);
  const HlFinding *error = hl_findings_first_error (hl_workbench_findings (workbench));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->id, ==, "cyl");
  hl_workbench_undo (workbench);
  hl_workbench_frame (workbench);
  g_assert_null (hl_findings_first_error (hl_workbench_findings (workbench)));
  settle (workbench);
  g_assert_cmpint (hl_workbench_shown_run (workbench)->state, ==, HL_RUN_DONE);
}

static int
find_knob (HlWorkbench *workbench, const char *path)
{
  GPtrArray *knobs = hl_workbench_knobs (workbench);

  for (guint k = 0; k < knobs->len; k++)
    if (strcmp (((const HlKnob *)knobs->pdata[k])->paths[0], path) == 0)
      return (int)k;
  return -1;
}

/* The speed of the vehicle's two bodies is one knob; its critical value is found in the worker. */
static void
check_critical_speed (const char *file, const char *key, gboolean oscillates)
{
  g_autoptr (HlWorkbench) workbench = open_example (file);
  json_t *golden = hl_test_golden_json ("articulated_vehicle.json");
  int n, speed;

  settle (workbench);
  speed = find_knob (workbench, "front.vx");
  g_assert_cmpint (speed, >=, 0);
  hl_workbench_set_locus_knob (workbench, speed);
  g_assert_null (hl_workbench_locus (workbench));
  settle (workbench);
  const HlCrossing *crossings = hl_workbench_crossings (workbench, &n);
  g_assert_cmpint (n, ==, 1);
  hl_assert_near (crossings[0].value, hl_test_json_number (golden, key), 1e-9, 0);
  g_assert_cmpint (crossings[0].frequency_hz > 1e-3, ==, oscillates);
  json_decref (golden);
}

static void
test_crossings (void)
{
  check_critical_speed ("articulated-vehicle-rigid.hydrolink", "critical_speed.rigid", TRUE);
  check_critical_speed ("articulated-vehicle-tyre.hydrolink", "critical_speed.tyre", FALSE);
}

/* The pair of the four-bar at a hundredth of its friction: looked at, it is followed over a drag;
 * its movie swings about the start, and the oil on both sides of the piston pushes against each
 * other. */
static void
test_mode (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  const char *paths[] = {"cyl.friction.scale", NULL};
  double size, phase;

  settle (workbench);
  g_assert_cmpint (hl_workbench_mode (workbench), ==, -1);
  g_assert_null (hl_workbench_mode_movie (workbench));
  hl_workbench_set_numbers (workbench, paths, 0.01, "knob", NULL);
  hl_workbench_frame (workbench);
  const HlLinearization *lin = hl_workbench_point (workbench)->linearization;
  int pair = 0;
  while (lin->eigenvalues[pair].null || lin->eigenvalues[pair].im <= 0)
    pair++;
  hl_workbench_set_mode (workbench, pair);
  for (int step = 0; step < 20; step++) {
    hl_workbench_set_numbers (workbench, paths, 0.01 * pow (1.1, step), "knob", NULL);
    hl_workbench_frame (workbench);
  }
  int mode = hl_workbench_mode (workbench);
  g_assert_cmpint (mode, >=, 0);
  g_assert_cmpfloat (hl_workbench_point (workbench)->linearization->eigenvalues[mode].im, >, 400);

  const HlModeMovie *movie = hl_workbench_mode_movie (workbench);
  g_assert_nonnull (movie);
  int column = hl_results_find_column (movie->results, "link2.angle");
  double start = hl_workbench_point (workbench)->point->x[2];
  g_assert_cmpfloat_with_epsilon (hl_results_value_at (movie->results, column, 0.0),
                                  start + movie->amplitude, 1e-9);
  g_assert_cmpfloat_with_epsilon (hl_results_value_at (movie->results, column, 0.5),
                                  start - movie->amplitude, 1e-9);
  g_assert_true (hl_mode_pressure (hl_workbench_point (workbench), mode, "V3", &size, &phase));
  g_assert_cmpfloat (size, ==, 1);
  double against = phase;
  g_assert_true (hl_mode_pressure (hl_workbench_point (workbench), mode, "V2", &size, &phase));
  g_assert_cmpfloat_with_epsilon (fabs (fabs (against - phase) - G_PI), 0, 0.1);
  hl_workbench_set_mode (workbench, -1);
  g_assert_null (hl_workbench_mode_movie (workbench));
  hl_workbench_end_gesture (workbench);
}

/* Any number of the model may be listed; one more slider is one undo step, and its knob turns. */
static void
test_add_slider (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  g_autoptr (GPtrArray) paths = hl_slider_paths (hl_workbench_document (workbench));
  g_autoptr (GError) error = NULL;

  settle (workbench);
  for (guint i = 0; i < paths->len; i++)
    g_assert_true (hl_document_get_number (hl_workbench_document (workbench), paths->pdata[i],
                                           &(double){0}, NULL, NULL));
  g_assert_true (g_ptr_array_find_with_equal_func (paths, "fluid.bulk_modulus", g_str_equal, NULL));
  g_assert_true (g_ptr_array_find_with_equal_func (paths, "link2.mass", g_str_equal, NULL));
  g_assert_cmpint (find_knob (workbench, "fluid.bulk_modulus"), ==, -1);
  g_assert_true (hl_slider_add (workbench, "fluid.bulk_modulus", &error));
  settle (workbench);
  int knob = find_knob (workbench, "fluid.bulk_modulus");
  g_assert_cmpint (knob, >=, 0);
  const HlKnob *added = hl_workbench_knobs (workbench)->pdata[knob];
  g_assert_true (added->log);
  g_assert_cmpfloat_with_epsilon (hl_knob_fraction (added, 1.5e9), 0.5, 1e-9);
  g_assert_false (hl_slider_add (workbench, "no.such.path", &error));
  g_assert_nonnull (error);
  hl_workbench_undo (workbench);
  settle (workbench);
  g_assert_cmpint (find_knob (workbench, "fluid.bulk_modulus"), ==, -1);
}

/* Sensitivities to every knob and the poles of every parameter set come with the locus. The sum of
 * the eigenvalues is the trace of J, whose slope in sigma_2 is - s'^2 / I in closed form. */
static void
test_studies (void)
{
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  json_t *golden = hl_test_golden_json ("linearization.json");
  double slope = hl_test_json_number (golden, "scalars_at_equilibrium_friction_scale_1.s_prime");
  double inertia =
      hl_test_json_number (golden, "scalars_at_equilibrium_friction_scale_1.reduced_inertia");

  settle (workbench);
  const HlSensitivity *s = hl_workbench_sensitivity (workbench);
  g_assert_nonnull (s);
  g_assert_cmpint (s->n_parameters, ==, (int)hl_workbench_knobs (workbench)->len);
  int knob = find_knob (workbench, "cyl.friction.sigma2");
  double sum = 0, size = 0;
  for (int e = 0; e < s->n_states; e++)
    if (!s->null[e]) {
      sum += s->d_re[knob * s->n_states + e];
      size = fmax (size, fabs (s->d_re[knob * s->n_states + e]));
    }
  hl_assert_near (sum, -slope * slope / inertia, 1e-7, 1e-7 * size);

  /* the second set of the file is the golden case of a tenth of the friction */
  double re, im;
  gboolean found = FALSE;
  int set;
  for (int i = 0; hl_workbench_set_pole (workbench, i, &re, &im, &set); i++)
    if (set == 1 && im > 0) {
      hl_assert_near (re, hl_test_json_number (golden, "cases.1.eigenvalues.nonzero.0.re"), 1e-9,
                      0);
      hl_assert_near (im, hl_test_json_number (golden, "cases.1.eigenvalues.nonzero.0.im"), 1e-9,
                      0);
      found = TRUE;
    }
  g_assert_true (found);
  json_decref (golden);
}

static void
test_selection (void)
{
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workbench/open-runs", test_open_runs);
  g_test_add_func ("/workbench/drag", test_drag);
  g_test_add_func ("/workbench/stale-requests", test_stale_requests);
  g_test_add_func ("/workbench/parameter-sets", test_parameter_sets);
  g_test_add_func ("/workbench/stop-keeps-data", test_stop_keeps_data);
  g_test_add_func ("/workbench/broken-model", test_broken_model);
  g_test_add_func ("/workbench/crossings", test_crossings);
  g_test_add_func ("/workbench/mode", test_mode);
  g_test_add_func ("/workbench/add-slider", test_add_slider);
  g_test_add_func ("/workbench/studies", test_studies);
  g_test_add_func ("/workbench/selection", test_selection);
  return g_test_run ();
}
