/* SPDX-License-Identifier: MIT */
/* Formatting of numbers for people, in one form everywhere, and parsing of typed numbers. The decimal sign is a point,
 * or a comma in the windows of a language with a decimal comma: this file sets the sign of axes, fields, tables and
 * sentences. Files, the clipboard and the command line always have a point. */
#pragma once

#include <glib.h>

/* Formats the given significant digits (1 to 17) without trailing zeros, U+2212 as minus, "·10ⁿ" outside 1e-3
 * to 1e5, "∞", and "–" for NAN, with the decimal sign of the windows. At most size bytes with the final 0. */
void hl_number_format (double value, int digits, char *out, gsize size);
/* Formats likewise for an entry field: "1e-8" in place of "1·10⁻⁸", since some system fonts have no
 * superscript minus. */
void hl_number_format_entry (double value, int digits, char *out, gsize size);

/* Sets the decimal sign of numbers to that of the language. Call at the start of a program with windows;
 * without a call numbers have a point. */
void hl_number_follow_language (void);
/* Returns whether numbers that people see have a decimal comma. */
gboolean hl_number_has_comma (void);
/* Replaces in place the points between digits of a text for people, whose numbers were printed with decimal points, by the
 * decimal sign of the windows. Returns the text. */
char *hl_number_localize (char *text);

typedef struct {
  char text[48];
} HlNumberText;

/* Returns the same for the arguments of a message: hl_shown (x, 4).text lasts as long as the call. */
HlNumberText hl_shown (double value, int digits);

/* Returns a typed number with minus signs and powers of ten in the form that the C library reads: "−2",
 * "7.9·10⁻⁶", "7.9·10^-6" and "10⁻⁶" become "-2", "7.9e-6", "7.9e-6" and "1e-6"; "d·10^3", without a number
 * before the dot, becomes "d*1e3". Other text stays unchanged. Owned by the caller. */
char *hl_number_plain (const char *typed);
