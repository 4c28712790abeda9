/* SPDX-License-Identifier: MIT */
/* Timing of one call: best mean of several batches, and a row of the table. */
#pragma once

#include <stdio.h>
#include <time.h>

static inline double hl_bench_now (void) {
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of one call. Batches grow until they last long enough for the clock; the best of many
 * counts, because others share the machine. */
static inline double hl_bench_time (void (*call) (void *), void *data) {
  long n = 1;
  double best = 1e300;

  for (;;) {
    double begin = hl_bench_now ();
    for (long k = 0; k < n; k++)
      call (data);
    if (hl_bench_now () - begin > 1e-3)
      break;
    n *= 4;
  }
  for (int batch = 0; batch < 61; batch++) {
    double begin = hl_bench_now ();
    for (long k = 0; k < n; k++)
      call (data);
    double seconds = (hl_bench_now () - begin) / (double)n;
    best = seconds < best ? seconds : best;
  }
  return best;
}

static inline void hl_bench_row (const char *what, double seconds, double unit) {
  printf ("%-34s %10.3f %10.2f\n", what, 1e6 * seconds, seconds / unit);
}
