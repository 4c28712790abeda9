/* SPDX-License-Identifier: MIT */
/* Digits are taken from the output of the C library, so that no number is rounded twice. */
#include "core/base/hl-number-format.h"

#include <math.h>
#include <string.h>

#define MINUS "\xe2\x88\x92" /* U+2212 */
#define PLAIN_FROM -3        /* exponents of numbers without a power of ten ... */
#define PLAIN_TO 5

/* Written before the program has another thread. */
static gboolean has_comma;

void hl_number_follow_language (void) {
  has_comma = g_str_has_prefix (g_get_language_names ()[0], "de");
}

gboolean hl_number_has_comma (void) {
  return has_comma;
}

char *hl_number_localize (char *text) {
  for (char *c = text; has_comma && *c != '\0'; c++)
    if (*c == '.' && c > text && g_ascii_isdigit (c[-1]) && g_ascii_isdigit (c[1]))
      *c = ',';
  return text;
}

static const char *const superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

static void append_superscript (GString *out, int exponent) {
  char text[16];

  g_snprintf (text, sizeof text, "%d", exponent);
  for (const char *c = text; *c != '\0'; c++)
    g_string_append (out, *c == '-' ? "⁻" : superscripts[*c - '0']);
}

/* Appends "1234" with the decimal point behind the digit of 10^exponent. */
static void append_digits (GString *out, const char *digits, int exponent) {
  int n = (int)strlen (digits);

  if (exponent < 0) {
    g_string_append (out, has_comma ? "0," : "0.");
    for (int k = -1; k > exponent; k--)
      g_string_append_c (out, '0');
    g_string_append (out, digits);
    return;
  }
  for (int k = 0; k <= MAX (exponent, n - 1); k++) {
    if (k == exponent + 1)
      g_string_append_c (out, has_comma ? ',' : '.');
    g_string_append_c (out, k < n ? digits[k] : '0');
  }
}

static void format_number (double value, int digits, gboolean is_entry, char *out, gsize size) {
  char text[64], picture[8];

  if (!isfinite (value)) {
    g_strlcpy (out, isnan (value) ? "–" : value > 0.0 ? "∞" : MINUS "∞", size);
    return;
  }
  g_snprintf (picture, sizeof picture, "%%.%de", CLAMP (digits, 1, 17) - 1);
  g_ascii_formatd (text, sizeof text, picture, fabs (value));
  /* after rounding: the exponent decides between plain and scientific */
  char *e = strchr (text, 'e');
  int exponent = value != 0.0 ? (int)g_ascii_strtoll (e + 1, NULL, 10) : 0;
  gboolean plain = exponent >= PLAIN_FROM && exponent <= PLAIN_TO;
  *e = '\0';
  if (text[1] == '.')
    memmove (text + 1, text + 2, strlen (text + 1));
  for (gsize n = strlen (text); n > 1 && text[n - 1] == '0'; n--)
    text[n - 1] = '\0';
  g_autoptr (GString) number = g_string_new (value < 0.0 ? MINUS : "");
  append_digits (number, text, plain ? exponent : 0);
  if (!plain && is_entry) {
    g_string_append_printf (number, "e%d", exponent);
  } else if (!plain) {
    g_string_append (number, "·10");
    append_superscript (number, exponent);
  }
  g_strlcpy (out, number->str, size);
}

void hl_number_format (double value, int digits, char *out, gsize size) {
  format_number (value, digits, FALSE, out, size);
}

void hl_number_format_entry (double value, int digits, char *out, gsize size) {
  format_number (value, digits, TRUE, out, size);
}

HlNumberText hl_shown (double value, int digits) {
  HlNumberText shown;

  hl_number_format (value, digits, shown.text, sizeof shown.text);
  return shown;
}

/* --- reading --- */

/* Reads the exponent of a power, in superscript digits or after "^"; *end points after it. Returns FALSE
 * if there is none, or if it continues. */
static gboolean read_exponent (const char *text, int *exponent, const char **end) {
  const char *c = text;
  gboolean is_high = *c != '^', is_negative = FALSE, any = FALSE;

  *exponent = 0;
  if (!is_high)
    c++;
  if (g_str_has_prefix (c, is_high ? "⁻" : MINUS)) {
    c += strlen ("⁻"); /* both take three bytes */
    is_negative = TRUE;
  } else if (!is_high && (*c == '-' || *c == '+')) {
    is_negative = *c++ == '-';
  }
  for (gboolean more = TRUE; more && *exponent < 10000;) {
    more = FALSE;
    for (int digit = 0; digit < 10 && !more; digit++) {
      gsize length = is_high ? strlen (superscripts[digit]) : 1;
      more = is_high ? g_str_has_prefix (c, superscripts[digit]) : *c == '0' + digit;
      if (more) {
        *exponent = 10 * *exponent + digit;
        c += length;
        any = TRUE;
      }
    }
  }
  if (is_negative)
    *exponent = -*exponent;
  *end = c;
  /* a point or comma at the end of a clause ends the number as well */
  gboolean goes_on =
      strchr (".,", *c == '\0' ? ' ' : *c) != NULL ? g_ascii_isdigit (c[1]) : strchr ("^(eE", *c) != NULL;
  return any && !(*c != '\0' && goes_on);
}

/* Takes a sign of a product with the blanks round it off the end; FALSE: there is none. */
static gboolean remove_product_sign (GString *out) {
  static const char *const signs[] = {"·", "⋅", "×", "*"};
  gsize length = out->len;

  while (length > 0 && out->str[length - 1] == ' ')
    length--;
  for (gsize k = 0; k < G_N_ELEMENTS (signs); k++) {
    gsize n = strlen (signs[k]);
    if (length < n || strncmp (out->str + length - n, signs[k], n) != 0)
      continue;
    length -= n;
    while (length > 0 && out->str[length - 1] == ' ')
      length--;
    g_string_truncate (out, length);
    return TRUE;
  }
  return FALSE;
}

/* Returns whether the text ends in a number that can take an exponent: without one, no part of a name, and
 * not an operand of a power or quotient. */
static gboolean ends_in_number (const GString *out) {
  gsize at = out->len;

  while (at > 0 && (g_ascii_isdigit (out->str[at - 1]) || strchr (".,", out->str[at - 1]) != NULL))
    at--;
  if (at == out->len || !g_ascii_isdigit (out->str[out->len - 1]))
    return FALSE;
  char before = at > 0 ? out->str[at - 1] : ' ';
  return !g_ascii_isalpha (before) && strchr ("_^/", before) == NULL && (guchar)before < 0x80 &&
         !(strchr ("+-", before) != NULL && at > 1 && g_ascii_tolower (out->str[at - 2]) == 'e');
}

char *hl_number_plain (const char *typed) {
  GString *out = g_string_new (NULL);

  for (const char *c = typed; *c != '\0';) {
    const char *end;
    int exponent;
    gboolean is_inside = out->len > 0 && (g_ascii_isalnum (out->str[out->len - 1]) ||
                                          strchr ("._,", out->str[out->len - 1]) != NULL);
    if (g_str_has_prefix (c, MINUS)) {
      g_string_append_c (out, '-');
      c += strlen (MINUS);
    } else if (!is_inside && g_str_has_prefix (c, "10") && read_exponent (c + 2, &exponent, &end)) {
      gboolean is_product = remove_product_sign (out);
      if (is_product && ends_in_number (out))
        g_string_append_printf (out, "e%d", exponent);
      else
        g_string_append_printf (out, "%s1e%d", is_product ? "*" : "", exponent);
      c = end;
    } else {
      g_string_append_c (out, *c++);
    }
  }
  return g_string_free (out, FALSE);
}
