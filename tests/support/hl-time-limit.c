/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-time-limit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORKED_PART 0.5
#define IDLE_FACTOR 4
#define TRIES 21
#define TEXTS 5000

static double process_seconds (void) {
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

HlTimeLimit hl_time_limit (double seconds) {
  return (HlTimeLimit){g_get_monotonic_time (), process_seconds (), seconds};
}

gboolean hl_time_limit_is_over (const HlTimeLimit *patience) {
  double waited = 1e-6 * (double)(g_get_monotonic_time () - patience->began_us);

  if (waited < patience->most_s)
    return FALSE;
  return waited > IDLE_FACTOR * patience->most_s ||
         process_seconds () - patience->began_s > WORKED_PART * patience->most_s;
}

double hl_thread_seconds (void) {
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_text (gconstpointer a, gconstpointer b) {
  return strcmp (*(char *const *)a, *(char *const *)b);
}

static int compare_number (const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double hl_work_unit (void) {
  double took[TRIES];

  for (int k = 0; k < TRIES; k++) {
    double began = hl_thread_seconds ();
    g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < TEXTS; i++)
      g_ptr_array_add (texts, g_strdup_printf ("%u", i * 2654435761u));
    g_ptr_array_sort (texts, compare_text);
    took[k] = hl_thread_seconds () - began;
  }
  qsort (took, TRIES, sizeof took[0], compare_number);
  return took[TRIES / 2];
}
