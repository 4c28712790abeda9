/* SPDX-License-Identifier: MIT */
/* Text that others wrote (names, identifiers, what a broken file says) made fit to be looked at or
 * to stand in a comment: nothing in it moves a cursor, rings, colours, ends a line or turns the
 * direction of reading. */
#pragma once

#include <glib.h>

/* Control characters (C0, DEL, C1), line and paragraph separators, marks that change the direction
 * of reading, and bytes that are no UTF-8 become escapes: "\n", "\x1b", "\u202e".
 * Everything else stays as it is. `keep_lines`: line ends and tabs stay as well. Owned by the
 * caller; valid UTF-8. */
char *hl_shown_text (const char *text, gboolean keep_lines);
