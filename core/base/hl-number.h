/* SPDX-License-Identifier: MIT */
/* Numbers as people see them, in one form everywhere, and as they type them. Before the decimals stands a point, or, in the
 * windows of a program that speaks a language with a decimal comma, a comma: this file decides it for axes, fields, tables and
 * sentences. Files, the clipboard and the command line do not ask it. */
#pragma once

#include <glib.h>

/* The given significant digits (1 to 17) without trailing zeros, U+2212 as minus, "·10ⁿ" outside 1e-3
 * to 1e5, "∞", and "–" of what is no number, with the decimal sign of the windows. At most size bytes
 * with the final 0. */
void hl_number_format (double value, int digits, char *out, gsize size);
/* The same for a field that is typed in: "1e-8" in place of "1·10⁻⁸". The system's font draws the field, and some have no
 * superscript minus. */
void hl_number_format_entry (double value, int digits, char *out, gsize size);

/* Numbers have the decimal sign of the language from now on. Call at the start of a program with windows; without a call they
 * have a point. */
void hl_number_follow_language (void);
/* Returns whether numbers that people see have a decimal comma. */
gboolean hl_number_has_comma (void);
/* Replaces in place the points between digits of a text for people, whose numbers were printed with decimal points, by the
 * decimal sign of the windows. Returns the text. */
char *hl_number_localize (char *text);

typedef struct {
  char text[48];
} HlShown;

/* The same for the arguments of a message: hl_shown (x, 4).text lasts as long as the call. */
HlShown hl_shown (double value, int digits);

/* What was typed, with minus signs and powers of ten as the C library reads them: of "−2", "7.9·10⁻⁶",
 * "7.9·10^-6" and "10⁻⁶" it makes "-2", "7.9e-6", "7.9e-6" and "1e-6"; of "d·10^3", where no number
 * stands before, "d*1e3". All else stays as it is. Owned by the caller. */
char *hl_number_plain (const char *typed);
