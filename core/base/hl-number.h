/* SPDX-License-Identifier: MIT */
/* Numbers as people see them, in one form everywhere, and as they type them. */
#pragma once

#include <glib.h>

/* The given significant digits (1 to 17) without trailing zeros, U+2212 as minus, "·10ⁿ" outside 1e-3
 * to 1e5, "∞", and "–" of what is no number. The C locale's decimal point always. At most size bytes
 * with the final 0. */
void hl_number_format (double value, int digits, char *out, gsize size);
/* The same for a field that is typed in: "1e-8" in place of "1·10⁻⁸". The system's font draws the field, and some have no
 * superscript minus. */
void hl_number_format_entry (double value, int digits, char *out, gsize size);

typedef struct {
  char text[48];
} HlShown;

/* The same for the arguments of a message: hl_shown (x, 4).text lasts as long as the call. */
HlShown hl_shown (double value, int digits);

/* What was typed, with minus signs and powers of ten as the C library reads them: of "−2", "7.9·10⁻⁶",
 * "7.9·10^-6" and "10⁻⁶" it makes "-2", "7.9e-6", "7.9e-6" and "1e-6"; of "d·10^3", where no number
 * stands before, "d*1e3". All else stays as it is. Owned by the caller. */
char *hl_number_plain (const char *typed);
