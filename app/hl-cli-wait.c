/* SPDX-License-Identifier: MIT */
/* Long work at the terminal: Ctrl+C stops it cleanly, and whoever watches standard error sees how
 * far it is. */
#include "app/hl-cli-private.h"

#include <signal.h>
#include <unistd.h>

#define PATIENCE_US 700000 /* before the first word */
#define PERIOD_US 200000

/* The one thing that a signal can reach. */
static volatile sig_atomic_t is_interrupted;

static void
interrupt_cb (int number)
{
  is_interrupted = 1;
}

void
hl_cli_wait_begin (HlCliWait *wait, double total)
{
  struct sigaction action = {.sa_handler = interrupt_cb, .sa_flags = (int)SA_RESETHAND};

  *wait = (HlCliWait){.total = total, .began_us = g_get_monotonic_time ()};
  wait->shown_us = wait->began_us + PATIENCE_US - PERIOD_US;
  wait->is_watched = isatty (STDERR_FILENO) != 0;
  is_interrupted = 0;
  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
}

bool
hl_cli_wait_at (double done, void *data)
{
  HlCliWait *wait = data;
  gint64 now = wait->is_watched ? g_get_monotonic_time () : 0;

  wait->done = done;
  if (wait->is_watched && now - wait->shown_us >= PERIOD_US) {
    fprintf (stderr, "\r%3.0f %% ", 100.0 * done / wait->total);
    wait->shown_us = now;
    wait->has_shown = TRUE;
  }
  return is_interrupted == 0;
}

bool
hl_cli_wait_cancel (void *data)
{
  HlCliWait *wait = data;

  return !hl_cli_wait_at (wait->done + 1.0, wait);
}

gboolean
hl_cli_wait_end (HlCliWait *wait)
{
  if (wait->has_shown)
    fputs ("\r      \r", stderr);
  signal (SIGINT, SIG_DFL);
  return is_interrupted == 0;
}

void
hl_cli_set_stopped (GError **error, double done, double total)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
               "stopped by Ctrl+C after %.0f of %.0f points; what was done is written", done,
               total);
}
