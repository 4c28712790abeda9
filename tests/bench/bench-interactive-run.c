/* SPDX-License-Identifier: MIT */
/* Measures the real-time factor of interactive runs: with every lever at rest, and with the first lever in
 * constant motion, which restarts the integrator at every tick. */
#include "core/run/hl-interactive-run.h"
#include "tests/bench/hl-bench.h"
#include "tests/support/hl-example-model.h"

#include <math.h>
#include <stdio.h>

#define SECONDS 3.0
#define SWING 0.2 /* of the first lever's start value, or of the whole way of a valve */

typedef struct {
  bool moves;
  double start;
} Hand;

static bool hand (double t, double out[], void *data) {
  const Hand *self = data;
  double size = self->start != 0.0 ? fabs (self->start) : 1.0;

  if (self->moves)
    out[0] = self->start + SWING * size * sin (3.0 * t);
  return t < SECONDS;
}

static double speed (const HlTestModel *model, bool moves) {
  HlDriveOptions options = hl_drive_options_from_model (model->sys);
  Hand one = {.moves = moves};
  HlSimStats stats;
  int input = 0;

  options.n_levers = hl_drive_n_inputs (model->sys) > 0 ? 1 : 0;
  one.start = options.n_levers > 0 ? hl_drive_input_start (model->sys, 0) : 0.0;
  one.moves = moves && options.n_levers > 0;
  options.inputs = &input;
  options.hand = hand;
  options.hand_data = &one;
  hl_drive (model->sys, &options, NULL, &stats, NULL);
  return stats.t_reached < 0.99 * SECONDS ? NAN : SECONDS / stats.seconds;
}

int main (void) {
  static const char *const names[] = {"four-bar",
                                      "excavator-arm",
                                      "crank-rocker",
                                      "articulated-vehicle-tyre-throttle",
                                      "scissor-lift",
                                      "watt-six-bar",
                                      "metering-arm",
                                      "two-arms-1",
                                      "regeneration-arm-ua05",
                                      "hybrid-two-cylinders"};

  printf ("\n%-34s %10s %10s\n", "times real time, driven", "at rest", "moving");
  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    g_autofree char *file = g_strconcat (names[k], ".hydrolink", NULL);
    HlTestModel model = hl_test_model_load (file);
    printf ("%-34s %10.0f %10.0f\n", names[k], speed (&model, false), speed (&model, true));
    hl_test_model_clear (&model);
  }
  return 0;
}
