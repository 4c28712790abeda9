/* SPDX-License-Identifier: MIT */
/* HlWatch: a thread that ends the process with the stack of the window's thread when that one has
 * not answered for a while, or when the process eats memory. */
#pragma once

#include <glib.h>

typedef struct _HlWatch HlWatch;

/* Watches the first thread of the process. */
HlWatch *hl_watch_new (double most_seconds, double most_bytes);
void hl_watch_free (HlWatch *self);
/* The thread answers; `what` is what it does now, for the message. */
void hl_watch_beat (HlWatch *self, int step);
/* Says why and ends the process with the stack of this thread. */
void hl_watch_fail (const char *format, ...) G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;
/* Memory of the process that is in use. */
double hl_watch_bytes (void);
