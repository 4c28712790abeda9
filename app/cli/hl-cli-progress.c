/* SPDX-License-Identifier: MIT */
/* Progress and cancellation of long commands: Ctrl+C and similar signals stop them, and standard error
 * shows the progress. Commands with many steps call hl_cli_is_stopped () and then write the finished part.
 * A command with a single result at the end is terminated by the signal until the result is being written. */
#include "app/cli/hl-cli-private.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_US 700000 /* before the first word */
#define PERIOD_US 200000

static const struct {
  int number;
  const char *name;
} signals[] = {{SIGINT, "Ctrl+C"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

#define LONGEST_LAST_WORD 128

/* Data of the signal handler: the number of the received signal, and the message of each while nothing can be written
 * yet. */
static volatile sig_atomic_t caught;
static char last_words[G_N_ELEMENTS (signals)][LONGEST_LAST_WORD];

static void stop_cb (int number) {
  caught = number;
}

/* Ends the program from a signal handler; calls only async-signal-safe functions. */
static void leave_cb (int number) {
  for (gsize k = 0; k < G_N_ELEMENTS (signals); k++)
    if (signals[k].number == number && write (STDERR_FILENO, last_words[k], strlen (last_words[k])) < 0)
      break; /* without a receiver */
  _exit (HL_CLI_FAILED);
}

/* Installs a handler for signals. A second signal of the same kind has the default action and ends the
 * program. Signals that the caller ignores (nohup) stay ignored, and handled ones stay handled. */
static void catch_signals (void (*handler) (int number)) {
  for (gsize k = 0; k < G_N_ELEMENTS (signals); k++) {
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND}, before;

    action.sa_handler = handler;
    sigemptyset (&action.sa_mask);
    if (signals[k].number != caught && sigaction (signals[k].number, NULL, &before) == 0 &&
        before.sa_handler != SIG_IGN)
      sigaction (signals[k].number, &action, NULL);
  }
}

void hl_cli_leave_on_signals (const char *command) {
  for (gsize k = 0; k < G_N_ELEMENTS (signals); k++)
    g_snprintf (last_words[k], LONGEST_LAST_WORD,
                "hydrolink: %s: stopped by %s before anything was written\n", command, signals[k].name);
  catch_signals (leave_cb);
}

/* Handles signals from now on, since output is to be kept; before, a signal ends the program at once. */
void hl_cli_hold_signals (void) {
  static gboolean are_held;

  if (!are_held)
    catch_signals (stop_cb);
  are_held = TRUE;
}

void hl_cli_wait_begin (HlCliWait *wait, double total) {
  *wait = (HlCliWait){.total = total, .began_us = g_get_monotonic_time ()};
  wait->shown_us = wait->began_us + PATIENCE_US - PERIOD_US;
  wait->is_watched = isatty (STDERR_FILENO) != 0;
}

gboolean hl_cli_is_stopped (void) {
  return caught != 0;
}

bool hl_cli_stop_cb (void *data) {
  (void)data;
  return hl_cli_is_stopped ();
}

const char *hl_cli_stopped_by (void) {
  for (gsize k = 0; k < G_N_ELEMENTS (signals); k++)
    if (signals[k].number == caught)
      return signals[k].name;
  return NULL;
}

#define BAR_WIDTH 30
#define LINE_WIDTH 64 /* of the bar with its words, to wipe it */

/* Shows "[######                        ]  20 %  12 s left"; for work without a known end only that it
 * continues. */
static void show_bar (const HlCliWait *wait, gint64 now) {
  double part = isfinite (wait->total) && wait->total > 0.0 ? wait->done / wait->total : NAN;
  double spent = 1.0e-6 * (double)(now - wait->began_us);
  char bar[BAR_WIDTH + 1], line[LINE_WIDTH + 1];
  int n = isnan (part) ? 0 : (int)(BAR_WIDTH * fmin (fmax (part, 0.0), 1.0));

  memset (bar, ' ', BAR_WIDTH);
  memset (bar, '#', (size_t)n);
  bar[BAR_WIDTH] = '\0';
  if (isnan (part))
    g_snprintf (line, sizeof line, "%.0f s", spent);
  else if (part > 0.0)
    g_snprintf (line, sizeof line, "[%s] %3.0f %%  %.0f s left", bar, 100.0 * part,
                ceil (spent / part - spent));
  else
    g_snprintf (line, sizeof line, "[%s]   0 %%", bar);
  fprintf (stderr, "\r%-*s", LINE_WIDTH, line);
  fflush (stderr);
}

bool hl_cli_wait_at (double done, void *data) {
  HlCliWait *wait = data;
  gint64 now = wait->is_watched ? g_get_monotonic_time () : 0;

  wait->done = done;
  if (done > 0.0)
    hl_cli_hold_signals ();
  if (wait->is_watched && now - wait->shown_us >= PERIOD_US) {
    show_bar (wait, now);
    wait->shown_us = now;
    wait->has_shown = TRUE;
  }
  return !hl_cli_is_stopped ();
}

bool hl_cli_wait_cancel (void *data) {
  HlCliWait *wait = data;

  double done = wait->has_begun ? wait->done + 1.0 : 0.0;

  wait->has_begun = TRUE;
  return !hl_cli_wait_at (done, wait);
}

gboolean hl_cli_wait_end (HlCliWait *wait) {
  if (wait->has_shown)
    fprintf (stderr, "\r%*s\r", LINE_WIDTH, "");
  wait->has_shown = FALSE;
  hl_cli_hold_signals (); /* the result is about to be written */
  return !hl_cli_is_stopped ();
}

void hl_cli_set_stopped_on_way (GError **error, double time) {
  g_autofree char *at = hl_cli_pretty (time, 6);

  g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, "stopped by %s before t = %s s; nothing was written",
               hl_cli_stopped_by (), at);
}

void hl_cli_set_stopped (GError **error, double done, double total, const char *things) {
  g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
               "stopped by %s after %.0f of %.0f %s; the finished part is written", hl_cli_stopped_by (),
               floor (done), total, things);
}
