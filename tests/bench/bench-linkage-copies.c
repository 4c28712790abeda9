/* SPDX-License-Identifier: MIT */
/* Cost of a linkage and step over the number of linkages in one file: islands and the sparse
 * factorization keep it level. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "core/run/hl-simulate.h"
#include "tests/bench/hl-bench.h"
#include "tests/support/hl-example-copies.h"
#include "tests/support/hl-example-model.h"

/* Returns the processor time of this process, so that other work of the machine counts less [s]. */
static double processor_time (void) {
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main (void) {
  static const int counts[] = {1, 2, 4, 8, 16, 32, 64};
  double at_8 = NAN;

  printf ("four-bars in one file, 4 s run with BDF at rtol 1e-9\n%8s %8s %10s %24s\n", "copies", "steps",
          "ms", "us per linkage and step");
  for (int k = 0; k < (int)(sizeof counts / sizeof counts[0]); k++) {
    HlTestModel model = hl_test_model_from_document (hl_test_copies ("four-bar.hydrolink", counts[k]));
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    HlSimStats stats;
    double best = INFINITY;

    options.rtol = 1e-9;
    options.every = 0.1;
    options.start = HL_START_AS_GIVEN;
    for (int repeat = 0; repeat < 5; repeat++) {
      double began = processor_time ();
      if (hl_simulate (model.sys, &options, &stats, NULL) == HL_OK)
        best = fmin (best, processor_time () - began);
    }
    double each = 1e6 * best / (double)stats.steps / counts[k];
    if (counts[k] == 8)
      at_8 = each;
    printf ("%8d %8ld %10.2f %24.3f\n", counts[k], stats.steps, 1e3 * best, each);
    if (counts[k] == 64)
      printf ("cost per copy at 64 over that at 8: %.2f (wanted at most 1.3)\n", each / at_8);
    hl_test_model_clear (&model);
  }
  return 0;
}
