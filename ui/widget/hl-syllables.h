/* SPDX-License-Identifier: MIT */
/* Where long words may be broken. */
#pragma once

#include <glib.h>

/* The text with a soft hyphen at each place where a long word of it may be broken at the end of a
 * line, by the rules of German, whose compounds are longer than a narrow column. Short words and
 * words of other letters than Latin ones stay as they are. Owned by the caller. */
char *hl_syllables_german (const char *text);

/* The same where the program speaks German; elsewhere a copy. Owned by the caller. */
char *hl_syllables_break (const char *text);
