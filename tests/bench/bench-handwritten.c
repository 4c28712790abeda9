/* SPDX-License-Identifier: MIT */
/* Compares the general program with a hand-written minimum: the four-bar of data/examples in its six states,
 * with closed-form loops and fixed arrays, integrated by the same method (Radau IIA of order 5) with the same
 * weights, beside hl_simulate () of the document. Both are measured against the golden response, so that a
 * mistake in either of them shows.
 *
 *   bench-handwritten                              the table
 *   bench-handwritten equal X GOLDEN LIMIT         milliseconds of both at one error, for peers.py: floor, general
 *   bench-handwritten floor|general X RTOL COUNT   COUNT runs of one of them at friction X, for a profiler
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "tests/bench/hl-handwritten-four-bar.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define N_ROWS 401
#define N_ROUNDS 21

typedef struct {
  HlTestModel model;
  HlSimOptions options;
  HlObservable phi2;
  int n;
  double phi[N_ROWS];
  HlSimStats stats;
  HlFloorCounts floor;
  double scale;
  double want[N_ROWS], peak;
} Bench;

static bool keep (double t, const double values[], void *data) {
  Bench *bench = data;

  (void)t;
  if (bench->n < N_ROWS)
    bench->phi[bench->n++] = values[0];
  return true;
}

static void run_general (Bench *bench, double rtol) {
  bench->n = 0;
  bench->options.rtol = rtol;
  if (hl_simulate (bench->model.sys, &bench->options, &bench->stats, NULL) != HL_OK)
    g_error ("the run failed");
  for (int row = N_ROWS - 1; row >= 0; row--)
    bench->phi[row] -= bench->phi[0];
}

static void bench_open (Bench *bench, double scale, const char *golden) {
  memset (bench, 0, sizeof *bench);
  bench->scale = scale;
  bench->model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", scale, NULL);
  bench->options = hl_sim_options_from_model (bench->model.sys);
  hl_observable_find (bench->model.sys, "link2.angle", &bench->phi2);
  bench->options.method = HL_METHOD_RADAU;
  bench->options.every = 0.01;
  bench->options.outputs = &bench->phi2;
  bench->options.n_outputs = 1;
  bench->options.row = keep;
  bench->options.row_data = bench;
  if (golden == NULL)
    return;
  HlTestTable *table = hl_test_golden_csv (golden);
  for (int row = 0; row < N_ROWS; row++) {
    bench->want[row] = hl_test_table_value (table, row, "phi2_minus_phi20_rad");
    bench->peak = fmax (bench->peak, fabs (bench->want[row]));
  }
  hl_test_table_free (table);
}

static double error_against_golden (const Bench *bench) {
  double worst = 0.0;

  for (int row = 0; row < N_ROWS; row++)
    worst = fmax (worst, fabs (bench->phi[row] - bench->want[row]));
  return worst / bench->peak;
}

static double run_one (Bench *bench, bool is_floor, double rtol) {
  struct timespec begin, end;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &begin);
  if (is_floor)
    hl_floor_run (bench->scale, rtol, N_ROWS, bench->phi, &bench->floor);
  else
    run_general (bench, rtol);
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &end);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* Returns the loosest tolerance with which one of them comes as near as `limit` to the golden response. */
static double loosest (Bench *bench, bool is_floor, double limit, double *error) {
  for (double rtol = 1e-2; rtol > 1e-12; rtol *= 0.79432823472428150) {
    run_one (bench, is_floor, rtol);
    *error = error_against_golden (bench);
    if (*error <= limit)
      return rtol;
  }
  g_error ("no tolerance is tight enough");
}

/* Tolerances, errors and times with which both programs reach the error limit. */
typedef struct {
  double rtol[2], error[2], ms[2]; /* the floor, the general program */
} Equal;

static Equal compare (Bench *bench, double limit) {
  Equal equal = {.ms = {INFINITY, INFINITY}};

  for (int which = 0; which < 2; which++)
    equal.rtol[which] = loosest (bench, which == 0, limit, &equal.error[which]);
  for (int round = 0; round < N_ROUNDS; round++)
    for (int which = 0; which < 2; which++)
      equal.ms[which] = fmin (equal.ms[which], 1e3 * run_one (bench, which == 0, equal.rtol[which]));
  return equal;
}

static void report (double scale, const char *golden, double limit) {
  Bench bench;

  bench_open (&bench, scale, golden);
  Equal equal = compare (&bench, limit);
  printf ("friction x%-4g error <= %.0e   floor %7.3f ms %5ld steps %6ld rhs %5ld J (%.1e at %.1e)   "
          "general %7.3f ms %5ld steps %6ld rhs %5ld J (%.1e at %.1e)   ratio %.2f\n",
          scale, limit, equal.ms[0], bench.floor.steps, bench.floor.rhs, bench.floor.jacobians,
          equal.error[0], equal.rtol[0], equal.ms[1], bench.stats.steps, bench.stats.rhs,
          bench.stats.jacobians, equal.error[1], equal.rtol[1], equal.ms[1] / equal.ms[0]);
  hl_test_model_clear (&bench.model);
}

int main (int argc, char **argv) {
  static const struct {
    double scale;
    const char *golden;
  } cases[] = {
      {1.0, "response_scale_1.csv"}, {0.1, "response_scale_0p1.csv"}, {0.01, "response_scale_0p01.csv"}};

  if (argc == 5 && g_str_equal (argv[1], "equal")) {
    Bench bench;

    bench_open (&bench, g_ascii_strtod (argv[2], NULL), argv[3]);
    Equal equal = compare (&bench, g_ascii_strtod (argv[4], NULL));
    printf ("%.17g\n%.17g\n", equal.ms[0], equal.ms[1]);
    hl_test_model_clear (&bench.model);
    return 0;
  }
  if (argc == 5) {
    Bench bench;

    bench_open (&bench, g_ascii_strtod (argv[2], NULL), NULL);
    for (int k = 0; k < atoi (argv[4]); k++)
      run_one (&bench, g_str_equal (argv[1], "floor"), g_ascii_strtod (argv[3], NULL));
    printf ("floor: %ld steps %ld newton %ld LU %ld J %ld rhs %ld failures; general: %ld steps %ld J "
            "%ld rhs\n",
            bench.floor.steps, bench.floor.newton, bench.floor.factorizations, bench.floor.jacobians,
            bench.floor.rhs, bench.floor.failures, bench.stats.steps, bench.stats.jacobians, bench.stats.rhs);
    hl_test_model_clear (&bench.model);
    return 0;
  }
  for (double limit = 1e-4; limit > 5e-7; limit *= 0.01)
    for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
      report (cases[k].scale, cases[k].golden, limit);
  return 0;
}
