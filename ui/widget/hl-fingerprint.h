/* SPDX-License-Identifier: MIT */
/* What a picture depends on as one number: the same number, and it need not be painted anew. */
#pragma once

#include <glib.h>

/* Mixes in a text (may be NULL), or a number rounded to steps. */
guint64 hl_fingerprint_text (guint64 print, const char *text);
guint64 hl_fingerprint_number (guint64 print, double number, double step);
