/* SPDX-License-Identifier: MIT */
/* The writer. A number takes the fewest digits that read back to the same bits, written plainly or
 * with an exponent, whichever is shorter. A list goes on one line when it fits into LINE_WIDTH and
 * holds no object, or when it is an object inside a list of objects (one element a line where it
 * fits). */
#include "core/io/hl-json-write.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LINE_WIDTH 120 /* characters; a longer list is broken */
#define MOST_DIGITS 17 /* that a double ever needs */

/* Digits without leading or trailing zeros, and the exponent of the first one: 0.0125 is "125", -2.
 * A decimal of up to DBL_DIG digits survives the way through a double, so when that many read back,
 * dropping zeros gives the shortest; below the normal range this does not hold and every length is
 * tried. */
static int shortest_digits (double magnitude, char digits[MOST_DIGITS + 1]) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  char format[8];
  int n = 0;

  for (int n_digits = magnitude < DBL_MIN ? 1 : DBL_DIG; n_digits <= MOST_DIGITS; n_digits++) {
    g_snprintf (format, sizeof format, "%%.%de", n_digits - 1);
    g_ascii_formatd (text, sizeof text, format, magnitude);
    if (g_ascii_strtod (text, NULL) == magnitude)
      break;
  }
  char *e = strchr (text, 'e');
  for (const char *c = text; c < e; c++)
    if (g_ascii_isdigit (*c))
      digits[n++] = *c;
  while (n > 1 && digits[n - 1] == '0')
    n--;
  digits[n] = '\0';
  return (int)g_ascii_strtoll (e + 1, NULL, 10);
}

char *hl_number_text (char buffer[HL_NUMBER_TEXT], double number) {
  char digits[MOST_DIGITS + 1];
  char plain[2 * HL_NUMBER_TEXT];
  char scientific[2 * HL_NUMBER_TEXT];
  const char *sign = signbit (number) ? "-" : "";

  if (!isfinite (number))
    return strcpy (buffer, "null");
  if (number == 0)
    return strcpy (buffer, signbit (number) ? "-0" : "0");
  int exponent = shortest_digits (fabs (number), digits);
  int n = (int)strlen (digits);
  g_snprintf (scientific, sizeof scientific, "%s%c%s%se%d", sign, digits[0], n > 1 ? "." : "", digits + 1,
              exponent);
  if (exponent < -4 || exponent > 20)
    return strcpy (buffer, scientific);
  if (exponent < 0)
    g_snprintf (plain, sizeof plain, "%s0.%.*s%s", sign, -exponent - 1, "000", digits);
  else if (n <= exponent + 1)
    g_snprintf (plain, sizeof plain, "%s%s%.*s", sign, digits, exponent + 1 - n, "00000000000000000000");
  else
    g_snprintf (plain, sizeof plain, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
  /* 100 and 4000 stay as people write them */
  gboolean use_plain = exponent < 5 || strlen (plain) <= strlen (scientific);
  return strcpy (buffer, use_plain ? plain : scientific);
}

static void write_string (GString *out, const char *text) {
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte == '"' || byte == '\\')
      g_string_append_printf (out, "\\%c", byte);
    else if (byte == '\n')
      g_string_append (out, "\\n");
    else if (byte == '\t')
      g_string_append (out, "\\t");
    else if (byte == '\r')
      g_string_append (out, "\\r");
    else if (byte < 0x20 || byte == 0x7f)
      g_string_append_printf (out, "\\u%04x", byte);
    else
      g_string_append_c (out, (char)byte);
  }
  g_string_append_c (out, '"');
}

static void write_flat (GString *out, const HlValue *value) {
  char number[HL_NUMBER_TEXT];
  gboolean is_object = hl_value_is_object (value);

  switch (hl_value_type (value)) {
  case HL_VALUE_NULL:
    g_string_append (out, "null");
    return;
  case HL_VALUE_BOOLEAN:
    g_string_append (out, hl_value_boolean (value) ? "true" : "false");
    return;
  case HL_VALUE_NUMBER:
    if (hl_value_typed (value) != NULL) {
      write_string (out, hl_value_typed (value));
      return;
    }
    g_string_append (out, hl_number_text (number, hl_value_number (value)));
    return;
  case HL_VALUE_STRING:
    write_string (out, hl_value_string (value));
    return;
  default:
    break;
  }
  g_string_append_c (out, is_object ? '{' : '[');
  for (gsize i = 0; i < hl_value_length (value); i++) {
    if (i > 0)
      g_string_append (out, ", ");
    if (is_object) {
      write_string (out, hl_value_key (value, i));
      g_string_append (out, ": ");
    }
    write_flat (out, is_object ? hl_value_member_at (value, i) : hl_value_item (value, i));
  }
  g_string_append_c (out, is_object ? '}' : ']');
}

static gboolean is_list (const HlValue *value) {
  return hl_value_is_array (value) || hl_value_is_object (value);
}

static gboolean holds_objects (const HlValue *array) {
  for (gsize i = 0; hl_value_is_array (array) && i < hl_value_length (array); i++)
    if (hl_value_is_object (hl_value_item (array, i)))
      return TRUE;
  return FALSE;
}

static gboolean holds_lists (const HlValue *array) {
  for (gsize i = 0; i < hl_value_length (array); i++)
    if (is_list (hl_value_item (array, i)))
      return TRUE;
  return FALSE;
}

static void new_line (GString *out, int indent) {
  g_string_append_printf (out, "\n%*s", 2 * indent, "");
}

/* A long list of plain values: as many on a line as fit. */
static void write_filled (GString *out, const HlValue *array, int indent) {
  gsize line_start = 0;

  g_string_append_c (out, '[');
  for (gsize i = 0; i < hl_value_length (array); i++) {
    g_autoptr (GString) item = g_string_new (NULL);
    write_flat (item, hl_value_item (array, i));
    if (i == 0 || out->len - line_start + item->len + 3 > LINE_WIDTH) {
      g_string_append_c (out, '\n');
      line_start = out->len;
      g_string_append_printf (out, "%*s", 2 * (indent + 1), "");
    } else
      g_string_append_c (out, ' ');
    g_string_append_len (out, item->str, (gssize)item->len);
    if (i + 1 < hl_value_length (array))
      g_string_append_c (out, ',');
  }
  new_line (out, indent);
  g_string_append_c (out, ']');
}

/* Writes a value that begins in the present column: flat where that fits, else one item a line. */
static void write_value (GString *out, const HlValue *value, int indent) {
  gsize start = out->len;
  const char *line = g_strrstr_len (out->str, (gssize)out->len, "\n");
  gsize column = line != NULL ? (gsize)(out->str + out->len - line) : out->len;
  gboolean is_object = hl_value_is_object (value);

  write_flat (out, value);
  gboolean fits = column + (out->len - start) <= LINE_WIDTH;
  if (hl_value_length (value) == 0 || (fits && indent > 0 && !holds_objects (value)))
    return;
  g_string_truncate (out, start);
  if (!is_object && !holds_lists (value)) {
    write_filled (out, value, indent);
    return;
  }
  g_string_append_c (out, is_object ? '{' : '[');
  for (gsize i = 0; i < hl_value_length (value); i++) {
    new_line (out, indent + 1);
    if (is_object) {
      write_string (out, hl_value_key (value, i));
      g_string_append (out, ": ");
    }
    write_value (out, is_object ? hl_value_member_at (value, i) : hl_value_item (value, i), indent + 1);
    if (i + 1 < hl_value_length (value))
      g_string_append_c (out, ',');
  }
  new_line (out, indent);
  g_string_append_c (out, is_object ? '}' : ']');
}

void hl_json_write (GString *out, const HlValue *value) {
  write_value (out, value, 0);
}

char *hl_document_to_text (const HlDocument *document) {
  GString *out = g_string_new (NULL);

  hl_json_write (out, hl_document_root (document));
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

gboolean hl_document_save (const HlDocument *document, const char *path, GError **error) {
  g_autofree char *text = hl_document_to_text (document);

  return hl_file_save_text (path, text, -1, error);
}
