/* SPDX-License-Identifier: MIT */
/* HlHangWatchdog: a thread that ends the process with the stack of the window's thread when that one has
 * not answered for a while, or when the process eats memory. */
#pragma once

#include <glib.h>

typedef struct _HlWatch HlHangWatchdog;

/* Watches the first thread of the process. */
HlHangWatchdog *hl_hang_watchdog_new (double most_seconds, double most_bytes);
void hl_hang_watchdog_free (HlHangWatchdog *self);
/* Reports that the thread answers; `step` is its present work, for the message. */
void hl_hang_watchdog_beat (HlHangWatchdog *self, int step);
/* Says why and ends the process with the stack of this thread. */
void hl_hang_watchdog_fail (const char *format, ...) G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;
/* Returns the memory in use of the process. */
double hl_hang_watchdog_bytes (void);
