/* SPDX-License-Identifier: MIT */
/* bench-loader-circuit [--print | --once]: prints the file, or runs it once by BDF, to be counted.
 *
 * A loader's circuit of two hundred components in real time and twenty times as fast: a simulated
 * second is to take at most 50 ms of processor time, with every cylinder within a few ten-thousandths of its
 * stroke of a run at a tight tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-loader-circuit.h"
#include "tests/support/hl-example-model.h"

#define STROKE 0.6 /* of every cylinder [m] */
#define T_WORK 2.0 /* that are timed [s] */
#define MOST_ROWS 1024
#define MOST_CYLINDERS 16

typedef struct {
  int n;
  double s[MOST_ROWS][MOST_CYLINDERS];
} Ways;

static double processor_time (void) {
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int n_cylinders;

static bool keep (double t, const double values[], void *data) {
  Ways *ways = data;

  (void)t;
  if (ways->n < MOST_ROWS)
    memcpy (ways->s[ways->n++], values, (size_t)n_cylinders * sizeof (double));
  return true;
}

static double deviation (const Ways *a, const Ways *b) {
  double worst = 0.0;

  for (int row = 0; row < MIN (a->n, b->n); row++)
    for (int k = 0; k < n_cylinders; k++)
      worst = fmax (worst, fabs (a->s[row][k] - b->s[row][k]));
  return worst / STROKE;
}

/* Returns the best processor time of some runs [s]. */
static double run_to (const HlTestModel *model, HlMethod method, double rtol, double t_end, int repeats,
                      Ways *ways, HlSimStats *stats) {
  HlObservable outputs[MOST_CYLINDERS];
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlFault fault = {.entity = -1};
  double best = INFINITY;

  n_cylinders = model->sys->n_cylinders;
  for (int k = 0; k < n_cylinders; k++) {
    g_autofree char *path = g_strconcat (
        model->sys->topology->names[HL_ENTITY_COMPONENT][model->sys->cylinders[k].component], ".s", NULL);
    hl_observable_find (model->sys, path, &outputs[k]);
  }
  options.method = method;
  options.rtol = rtol;
  options.t_end = t_end;
  options.outputs = outputs;
  options.n_outputs = n_cylinders;
  options.row = keep;
  options.row_data = ways;
  for (int k = 0; k < repeats; k++) {
    ways->n = 0;
    double began = processor_time ();
    HlStatus status = hl_simulate (model->sys, &options, stats, &fault);
    if (status != HL_OK) {
      g_autofree char *why = hl_fault_message (model->sys, &fault);
      printf ("failed: %s\n", why);
      return NAN;
    }
    best = fmin (best, processor_time () - began);
  }
  return best;
}

/* Returns the processor time of the seconds in which the loader works. */
static double run (const HlTestModel *model, HlMethod method, double rtol, int repeats, Ways *ways,
                   HlSimStats *stats) {
  HlSimStats settling;
  double settled = run_to (model, method, rtol, HL_TEST_LOADER_SETTLED, repeats, ways, &settling);
  double whole = run_to (model, method, rtol, HL_TEST_LOADER_SETTLED + T_WORK, repeats, ways, stats);

  stats->steps -= settling.steps;
  stats->jacobians -= settling.jacobians;
  return whole - settled;
}

int main (int argc, char **argv) {
  g_autofree char *text = hl_test_loader_circuit ();
  if (argc > 1 && strcmp (argv[1], "--print") == 0) {
    fputs (text, stdout);
    return 0;
  }
  HlTestModel model = hl_test_model_from_text (text);
  static const HlMethod methods[] = {HL_METHOD_BDF, HL_METHOD_RADAU};
  static const char *const names[] = {"BDF", "Radau"};
  Ways *exact = g_new0 (Ways, 1), *ways = g_new0 (Ways, 1);
  HlSimStats stats;

  if (argc > 1 && strcmp (argv[1], "--once") == 0) {
    double seconds = run_to (&model, HL_METHOD_BDF, 1e-2, HL_TEST_LOADER_SETTLED + T_WORK, 1, ways, &stats);
    printf ("%ld steps, %ld J, %.2f ms\n", stats.steps, stats.jacobians, 1e3 * seconds);
    g_free (exact);
    g_free (ways);
    hl_test_model_clear (&model);
    return 0;
  }
  printf ("a loader of %d components, %d states; %g s\n", model.sys->n_components,
          hl_off_u (model.work) + model.work->u, T_WORK);
  run (&model, HL_METHOD_RADAU, 1e-6, 1, exact, &stats);
  printf ("%8s %8s %8s %8s %10s %16s %16s\n", "method", "rtol", "steps", "J", "of stroke", "ms per second",
          "real time over");
  for (int m = 0; m < 2; m++)
    for (double rtol = 1e-2; rtol > 0.9e-4; rtol *= 0.1) {
      double seconds = run (&model, methods[m], rtol, 3, ways, &stats);
      printf ("%8s %8.0e %8ld %8ld %10.1e %16.2f %16.1f\n", names[m], rtol, stats.steps, stats.jacobians,
              deviation (ways, exact), 1e3 * seconds / T_WORK, T_WORK / seconds);
    }
  g_free (exact);
  g_free (ways);
  hl_test_model_clear (&model);
  return 0;
}
