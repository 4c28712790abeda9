/* SPDX-License-Identifier: MIT */
/* Time limits of tests that detect a hang. The clock on the wall alone would judge the machine: it counts only once
 * this process has worked for half of that time, or when four times as much is over. */
#pragma once

#include <glib.h>

typedef struct {
  gint64 began_us;
  double began_s; /* processor time of all threads */
  double most_s;
} HlTimeLimit;

HlTimeLimit hl_time_limit (double seconds);
gboolean hl_time_limit_is_over (const HlTimeLimit *patience);

/* Returns the processor time of the calling thread [s]. */
double hl_thread_seconds (void);
/* Measures the processor time of a piece of work on this machine at its present load: small texts are
 * allocated, sorted and freed, which uses memory as widgets and documents do; about 1 ms on an idle one.
 * Returns the median of some tries [s]. */
double hl_work_unit (void);
