/* SPDX-License-Identifier: MIT */
#include "tests/monkey/hl-hang-watchdog.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LOOK_US (200 * 1000)
/* Others may have the processor: silence counts once this program has worked for half of it, or when
 * so many times as much is over. */
#define PATIENCE 6.0

struct _HlWatch {
  GThread *thread;
  double most_seconds, most_bytes;
  _Atomic gint64 beat_us, worked_us; /* worked: processor time at the last beat */
  _Atomic int step;
  _Atomic gboolean ends;
};

double hl_hang_watchdog_bytes (void) {
  long pages = 0, resident = 0;
  FILE *file = fopen ("/proc/self/statm", "r");

  if (file == NULL)
    return 0;
  if (fscanf (file, "%ld %ld", &pages, &resident) != 2)
    resident = 0;
  fclose (file);
  return (double)resident * (double)sysconf (_SC_PAGESIZE);
}

/* Returns the processor time of all threads. */
static gint64 worked_us (void) {
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

void hl_hang_watchdog_fail (const char *format, ...) {
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  fprintf (stderr, "monkey: %s\n", text);
  fflush (stderr);
  abort ();
}

static gpointer watch (gpointer data) {
  HlHangWatchdog *self = data;

  while (!atomic_load (&self->ends)) {
    g_usleep (LOOK_US);
    double silent = (double)(g_get_monotonic_time () - atomic_load (&self->beat_us)) / 1e6;
    double worked = (double)(worked_us () - atomic_load (&self->worked_us)) / 1e6;
    double bytes = hl_hang_watchdog_bytes ();
    gboolean hangs = silent >= PATIENCE * self->most_seconds ||
                     (silent >= self->most_seconds && worked >= 0.5 * self->most_seconds);
    if (!hangs && bytes < self->most_bytes)
      continue;
    if (bytes >= self->most_bytes)
      fprintf (stderr, "monkey: %.0f MB of memory at step %d\n", bytes / 1e6, atomic_load (&self->step));
    else
      fprintf (stderr, "monkey: HANG: the window has not answered for %.1f s at step %d\n", silent,
               atomic_load (&self->step));
    fflush (stderr);
    kill (getpid (), SIGABRT); /* the first thread gets it, with its stack */
    g_usleep (30 * G_USEC_PER_SEC);
    _exit (134);
  }
  return NULL;
}

HlHangWatchdog *hl_hang_watchdog_new (double most_seconds, double most_bytes) {
  HlHangWatchdog *self = g_new0 (HlHangWatchdog, 1);

  self->most_seconds = most_seconds;
  self->most_bytes = most_bytes;
  hl_hang_watchdog_beat (self, 0);
  self->thread = g_thread_new ("watch", watch, self);
  return self;
}

void hl_hang_watchdog_free (HlHangWatchdog *self) {
  atomic_store (&self->ends, TRUE);
  g_thread_join (self->thread);
  g_free (self);
}

void hl_hang_watchdog_beat (HlHangWatchdog *self, int step) {
  atomic_store (&self->step, step);
  atomic_store (&self->worked_us, worked_us ());
  atomic_store (&self->beat_us, g_get_monotonic_time ());
}
