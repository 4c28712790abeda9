/* SPDX-License-Identifier: MIT */
/* The budgets of the design, side by side in one run, as multiples of one 6 x 6 dgeev without
 * vectors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "core/linear/hl-root-locus.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "tests/bench/hl-bench.h"
#include "tests/support/hl-allocations.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

typedef struct {
  HlTestModel model;
  double y[16], y_dot[16], J[256], work_J[256], re[16], im[16];
  double scale[16];
  HlLinalgWork *lw;
  HlEigen *eigen;
  double big[22 * 22];
} Bench;

static void one_rhs (void *data) {
  Bench *b = data;
  b->y[0] += 1e-12; /* move, so that the constraint solve has something to do */
  hl_dynamics_eval (b->model.sys, 0.0, b->y, b->y_dot, b->model.work, NULL);
}

static void one_jacobian (void *data) {
  Bench *b = data;
  b->y[0] += 1e-12;
  hl_jacobian_eval (b->model.sys, 0.0, b->y, b->J, b->model.work, NULL);
}

static void one_dgeev (void *data) {
  Bench *b = data;
  hl_eigen_values_only (6, b->J, b->scale, b->work_J, b->re, b->im, b->lw);
}

static void one_full_analysis (void *data) {
  Bench *b = data;
  one_jacobian (b);
  hl_eigen_eval (b->eigen, 6, b->J, b->scale, 0.0, HL_EIGEN_VECTORS);
}

static void one_counterpart (void *data) {
  Bench *b = data;
  hl_counterpart_jacobian (b->model.sys, b->model.work, b->model.point, 0.0, b->big, NULL);
}

static void one_locus (void *data) {
  Bench *b = data;
  HlParameter parameter;
  double values[1000];

  hl_system_find_parameter (b->model.sys, "cyl.friction.scale", &parameter);
  hl_sweep_values (1e-3, 10.0, 1000, true, values);
  HlLocusOptions options = {.parameters = &parameter,
                            .n_parameters = 1,
                            .values = values,
                            .n_values = 1000,
                            .start = HL_START_EQUILIBRIUM};
  hl_locus_free (hl_root_locus (b->model.sys, &options, NULL));
}

typedef struct {
  int n;
  double phi[512];
} Trace;

static bool keep (double t, const double values[], void *data) {
  Trace *trace = data;
  (void)t;
  if (trace->n < 512)
    trace->phi[trace->n++] = values[0];
  return true;
}

/* Reports the loosest tolerance of a method whose error against the golden response stays below `limit` of
 * the peak, and its time. */
static void report_run (double scale, const char *file, double limit, const char *what) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", scale, NULL);
  HlTestTable *golden = hl_test_golden_csv (file);
  int column = hl_test_table_column (golden, "phi2_minus_phi20_rad");
  static const HlMethod methods[] = {HL_METHOD_BDF, HL_METHOD_RADAU};
  static const char *const names[] = {"BDF", "Radau"};

  for (int m = 0; m < 2; m++)
    for (double rtol = 1e-2; rtol >= 1e-11; rtol *= 0.316227766) {
      HlSimOptions options = hl_sim_options_from_model (model.sys);
      HlObservable phi;
      Trace trace = {0};
      HlSimStats stats;
      double worst = 0.0, peak = 0.0, best = INFINITY;

      hl_observable_find (model.sys, "link2.angle", &phi);
      options.method = methods[m];
      options.rtol = rtol;
      options.every = 0.01;
      options.outputs = &phi;
      options.n_outputs = 1;
      options.row = keep;
      options.row_data = &trace;
      for (int repeat = 0; repeat < 5; repeat++) {
        trace.n = 0;
        if (hl_simulate (model.sys, &options, &stats, NULL) == HL_OK && stats.seconds < best)
          best = stats.seconds;
      }
      for (int row = 0; row < golden->n_rows && row < trace.n; row++) {
        double want = golden->values[row * golden->n_columns + column];
        peak = fmax (peak, fabs (want));
        worst = fmax (worst, fabs (trace.phi[row] - trace.phi[0] - want));
      }
      if (trace.n < golden->n_rows || worst > limit * peak)
        continue;
      printf ("%-34s friction x%-5g %-5s rtol %.1e  error %.1e of peak  %7.2f ms  %6ld steps  %.2f "
              "us/rhs\n",
              what, scale, names[m], rtol, worst / peak, 1e3 * best, stats.steps,
              1e6 * best / (double)stats.rhs);
      break;
    }
  hl_test_table_free (golden);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  static Bench b;
  (void)argc;
  (void)argv;

  b.model = hl_test_model_load ("four-bar.hydrolink");
  hl_test_model_start (&b.model, HL_START_EQUILIBRIUM);
  hl_state_pack (b.model.sys, b.model.work, b.model.point, b.y);
  b.lw = hl_linalg_work_new (16, 16);
  b.eigen = hl_eigen_new (16);
  for (int k = 0; k < 6; k++)
    b.scale[k] = k >= 2 && k < 5 ? 1e6 : 1.0;
  one_jacobian (&b);

  double unit = hl_bench_time (one_dgeev, &b);
  printf ("one 6x6 dgeev without vectors: %.2f us\n\n%-34s %10s %10s\n", 1e6 * unit, "what", "us", "x dgeev");
  hl_bench_row ("right-hand side", hl_bench_time (one_rhs, &b), unit);
  double exact = hl_bench_time (one_jacobian, &b);
  hl_bench_row ("exact J", exact, unit);
  double counterpart = hl_bench_time (one_counterpart, &b);
  hl_bench_row ("counterpart (differences)", counterpart, unit);
  printf ("exact J is %.0f times faster than its counterpart\n", counterpart / exact);
  if (hl_allocations_can_count ()) {
    hl_allocations_watch (true);
    for (int k = 0; k < 1000; k++)
      one_rhs (&b);
    hl_allocations_watch (false);
    printf ("allocations in 1000 right-hand sides: %d\n", hl_allocations_take ());
  }
  hl_bench_row ("J, eigenvalues, both vector sets", hl_bench_time (one_full_analysis, &b), unit);
  hl_bench_row ("1000-point friction locus", hl_bench_time (one_locus, &b), unit);
  printf ("\n");
  report_run (1.0, "response_scale_1.csv", 1e-4, "4 s run, error <= 1e-4 of peak");
  report_run (0.1, "response_scale_0p1.csv", 1e-4, "4 s run, error <= 1e-4 of peak");
  report_run (0.01, "response_scale_0p01.csv", 1e-4, "4 s run, error <= 1e-4 of peak");
  report_run (1.0, "response_scale_1.csv", 1e-6, "4 s run, error <= 1e-6 of peak");
  report_run (0.1, "response_scale_0p1.csv", 1e-6, "4 s run, error <= 1e-6 of peak");
  report_run (0.01, "response_scale_0p01.csv", 1e-6, "4 s run, error <= 1e-6 of peak");
  hl_eigen_free (b.eigen);
  hl_linalg_work_free (b.lw);
  hl_test_model_clear (&b.model);
  return 0;
}
