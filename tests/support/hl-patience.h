/* SPDX-License-Identifier: MIT */
/* How long a test waits before it says that something hangs. The clock on the wall alone would
 * judge the machine: it counts only once this process has worked for half of that time, or when
 * four times as much is over. */
#pragma once

#include <glib.h>

typedef struct {
  gint64 began_us;
  double began_s; /* processor time of all threads */
  double most_s;
} HlPatience;

HlPatience hl_patience (double seconds);
gboolean hl_patience_is_over (const HlPatience *patience);

/* Processor time of the calling thread [s]. */
double hl_thread_seconds (void);
/* Processor time of a piece of work on this machine as it is loaded now: small texts made, sorted
 * and let go, which like widgets and documents goes through memory; about 1 ms on a quiet one. The
 * middle of some tries. [s] */
double hl_work_unit (void);
