/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-example-run.h"

#include <math.h>
#include <string.h>

static bool keep_row (double t, const double values[], void *data) {
  HlTestRun *run = data;

  if (run->n_rows == run->capacity) {
    run->capacity = run->capacity > 0 ? 2 * run->capacity : 256;
    run->t = g_renew (double, run->t, run->capacity);
    run->values = g_renew (double, run->values, run->capacity *MAX (run->width, 1));
  }
  run->t[run->n_rows] = t;
  memcpy (run->values + run->n_rows * run->width, values, (size_t)run->width * sizeof (double));
  run->n_rows++;
  return true;
}

#define MOST_OUTPUTS 64

HlTestRun hl_test_run (const HlTestModel *model, HlSimOptions options, const char *const paths[]) {
  HlTestRun run = {0};
  HlObservable outputs[MOST_OUTPUTS];

  for (; paths[run.width] != NULL; run.width++) {
    g_assert_cmpint (run.width, <, MOST_OUTPUTS);
    if (!hl_observable_find (model->sys, paths[run.width], &outputs[run.width]))
      g_error ("no output %s", paths[run.width]);
  }
  options.outputs = outputs;
  options.n_outputs = run.width;
  options.row = keep_row;
  options.row_data = &run;
  run.status = hl_simulate (model->sys, &options, &run.stats, &run.fault);
  if (run.status != HL_OK && run.status != HL_CANCELLED) {
    g_autofree char *message = hl_fault_message (model->sys, &run.fault);
    g_test_message ("%s", message);
  }
  return run;
}

HlTestRun hl_test_run_oil (const HlTestModel *model, HlModelKind kind, const char *const paths[]) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.model = kind;
  options.formulation = HL_FORMULATION_REDUCED;
  HlTestRun run = hl_test_run (model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  return run;
}

void hl_test_check_stiff_limit (HlTestModel *model, const char *path, double last) {
  static const double moduli[] = {1e10, 1e11, 1e12};
  const char *const paths[] = {path, NULL};
  HlTestRun hybrid = hl_test_run_oil (model, HL_MODEL_HYBRID, paths);
  double apart[3] = {0};

  for (int k = 0; k < 3; k++) {
    HlParameter bulk;
    g_assert_true (hl_system_find_parameter (model->sys, "fluid.bulk_modulus", &bulk));
    hl_system_set_parameter (model->sys, bulk, moduli[k]);
    HlTestRun lumped = hl_test_run_oil (model, HL_MODEL_LUMPED, paths);
    g_assert_cmpint (lumped.n_rows, ==, hybrid.n_rows);
    for (int row = 0; row < hybrid.n_rows; row++)
      apart[k] =
          fmax (apart[k], fabs (hl_test_run_value (&hybrid, row, 0) - hl_test_run_value (&lumped, row, 0)));
    hl_test_run_clear (&lumped);
  }
  double slope = 0.5 * log10 (apart[0] / apart[2]);
  g_test_message ("%g %g %g, slope %g", apart[0], apart[1], apart[2], slope);
  g_assert_cmpfloat (slope, >, 0.75);
  g_assert_cmpfloat (slope, <, 1.3);
  g_assert_cmpfloat (apart[2], <, last);
  hl_test_run_clear (&hybrid);
}

double hl_test_run_value (const HlTestRun *run, int row, int column) {
  return run->values[row * run->width + column];
}

void hl_test_run_clear (HlTestRun *run) {
  g_free (run->t);
  g_free (run->values);
  *run = (HlTestRun){0};
}

double hl_test_run_deviation (const HlTestRun *run, int column, const HlTestTable *golden, const char *name) {
  double worst = 0.0;

  g_assert_cmpint (run->n_rows, ==, golden->n_rows);
  for (int row = 0; row < run->n_rows; row++) {
    double error = fabs (hl_test_run_value (run, row, column) - hl_test_table_value (golden, row, name));
    worst = isnan (error) ? INFINITY : fmax (worst, error);
  }
  return worst;
}

double hl_test_run_energy_gap (const HlTestRun *run) {
  double first = 0.0, worst = 0.0;

  for (int row = 0; row < run->n_rows; row++) {
    const double *e = run->values + row * run->width;
    double sum = e[0] + e[1] + e[2] + e[3] - e[4];
    first = row == 0 ? sum : first;
    worst = isnan (sum) ? INFINITY : fmax (worst, fabs (sum - first));
  }
  return worst;
}

double hl_test_run_largest (const HlTestRun *run, int column) {
  double largest = 0.0;

  for (int row = 0; row < run->n_rows; row++)
    largest = fmax (largest, fabs (hl_test_run_value (run, row, column)));
  return largest;
}
