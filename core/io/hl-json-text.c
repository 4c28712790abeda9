/* SPDX-License-Identifier: MIT */
/* Reading with jansson: strict, duplicates rejected. Integers are read as reals, so that a long one
 * in an unknown key is rounded as any number is and not refused. Messages give line and column. */
#include "core/io/hl-json-text.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"

#include <jansson.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define REVISION_DIGITS 12 /* that two states of a model share by chance once in 1e14 */

/* The writer. A number takes the fewest digits that read back to the same bits, written plainly or
 * with an exponent, whichever is shorter. A list continues one line when it fits into LINE_WIDTH and
 * holds no object, or when it is an object inside a list of objects (one element a line where it
 * fits). */

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

/* Writes a long list of plain values: as many on a line as fit. */
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

char *hl_document_revision (const HlDocument *document) {
  g_autofree char *text = hl_document_to_text (document);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  return g_strndup (sum, REVISION_DIGITS);
}

gboolean hl_document_save (const HlDocument *document, const char *path, GError **error) {
  g_autofree char *text = hl_document_to_text (document);

  return hl_file_save_text (path, text, -1, error);
}

#define NEWEST_VERSION 1

static HlValue *from_jansson (json_t *node, int levels);

static HlValue *array_from_jansson (json_t *node, int levels) {
  gsize n = json_array_size (node);
  g_autofree HlValue **items = g_new0 (HlValue *, n);

  for (gsize i = 0; i < n; i++) {
    items[i] = from_jansson (json_array_get (node, i), levels);
    if (items[i] == NULL) {
      while (i-- > 0)
        hl_value_unref (items[i]);
      return NULL;
    }
  }
  return hl_value_new_array_take (items, n);
}

static HlValue *object_from_jansson (json_t *node, int levels) {
  gsize n = json_object_size (node);
  g_autofree HlValue **members = g_new0 (HlValue *, n);
  g_autofree const char **keys = g_new0 (const char *, n);
  gsize i = 0;

  for (void *at = json_object_iter (node); at != NULL; at = json_object_iter_next (node, at), i++) {
    keys[i] = json_object_iter_key (at);
    members[i] = from_jansson (json_object_iter_value (at), levels);
    if (members[i] == NULL) {
      while (i-- > 0)
        hl_value_unref (members[i]);
      return NULL;
    }
  }
  return hl_value_new_object_take (keys, members, n);
}

/* Converts a node; NULL when the nesting is deeper than allowed. */
static HlValue *from_jansson (json_t *node, int levels) {
  if (levels < 0)
    return NULL;
  switch (json_typeof (node)) {
  case JSON_OBJECT:
    return object_from_jansson (node, levels - 1);
  case JSON_ARRAY:
    return array_from_jansson (node, levels - 1);
  case JSON_STRING:
    return hl_value_new_string (json_string_value (node));
  case JSON_INTEGER:
  case JSON_REAL:
    return hl_value_new_number (json_number_value (node));
  case JSON_TRUE:
  case JSON_FALSE:
    return hl_value_new_boolean (json_is_true (node));
  default:
    return hl_value_new_null ();
  }
}

/* Returns "FILE: " or "". */
static char *message_start (const char *name) {
  return name != NULL ? g_strconcat (name, ": ", NULL) : g_strdup ("");
}

/* Returns advice from the beginning of jansson's message, if nothing more is known about the error. */
static const char *advice_for_head (const char *what) {
  static const struct {
    const char *head, *advice;
  } known[] = {
      {"\\u0000", N_ ("; remove the zero character: a text of a model cannot contain it")},
      {"control character", N_ ("; in a text, write a line end as \\n and a tab as \\t")},
      {"invalid Unicode", N_ ("; write the character itself, or both escapes of its surrogate pair")},
      {"invalid escape", N_ ("; write a backslash as \\\\")},
      {"end of file expected", N_ ("; a model is one object: remove the text after it")},
      {"string or '}' expected",
       N_ ("; write a key between double quotes, and no comma after the last member")},
      {"':' expected", N_ ("; write a colon and a value after the key")},
      {"'}' expected", N_ ("; write a comma or the closing bracket")},
      {"']' expected", N_ ("; write a comma or the closing bracket")},
      {"unexpected newline", N_ ("; a text cannot continue on the next line: write a line end as \\n")},
      {"unexpected token", N_ ("; write a value, or remove the comma before it")},
      {"invalid token", N_ ("; use numbers, texts in double quotes, lists and objects, and no comments")},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
    if (g_str_has_prefix (what, known[k].head))
      return _ (known[k].advice);
  return "";
}

static const char *advice_for (const char *what) {
  if (strstr (what, "duplicate") != NULL)
    return _ ("; use each key once");
  if (strstr (what, "decode byte") != NULL)
    return _ ("; save the file as UTF-8");
  if (strstr (what, "real number overflow") != NULL)
    return _ ("; write a number in the range of double precision");
  if (strstr (what, "'NaN") != NULL || strstr (what, "'nan") != NULL || strstr (what, "'Inf") != NULL ||
      strstr (what, "'inf") != NULL || strstr (what, "near '-'") != NULL)
    return _ ("; write a finite number");
  if (strstr (what, "parsing depth") != NULL)
    return _ ("; remove the deeper levels: a model has only a few levels");
  if (strstr (what, "\xef\xbb\xbf") != NULL)
    return _ ("; save the file as UTF-8 without a byte order mark");
  if (strstr (what, "near end of file") != NULL || strstr (what, "premature end of input") != NULL)
    return _ ("; the file is empty or cut off: use a complete copy");
  return advice_for_head (what);
}

/* Returns the head of what jansson says, as "control character 0xa"; borrowed or in *kept. */
static const char *head_text (const char *head, char **kept) {
  /* for the translators: the messages of jansson 2.14 */
  static const char *const known[] = {
      N_ ("unexpected token"),       N_ ("invalid token"),         N_ ("string or '}' expected"),
      N_ ("'[' or '{' expected"),    N_ ("':' expected"),          N_ ("'}' expected"),
      N_ ("']' expected"),           N_ ("duplicate object key"),  N_ ("end of file expected"),
      N_ ("premature end of input"), N_ ("unexpected newline"),    N_ ("invalid escape"),
      N_ ("control character"),      N_ ("unable to decode byte"), N_ ("real number overflow"),
      N_ ("invalid Unicode escape"), N_ ("invalid Unicode"),
  };

  if (g_str_has_prefix (head, "\\u0000"))
    return _ ("zero character in a text (\\u0000)");
  for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
    if (g_str_has_prefix (head, known[k]))
      return *kept = g_strconcat (_ (known[k]), head + strlen (known[k]), NULL);
  return head;
}

/* Translates jansson's message on invalid JSON, such as "unexpected token near '}'"; the text after " near
 * " is quoted from the file. Owned by the caller. */
static char *reason_text (const char *what) {
  g_autofree char *text = g_utf8_make_valid (what, -1);
  g_autofree char *kept = NULL;
  char *near = strstr (text, " near ");

  if (near == NULL)
    return g_strdup (head_text (text, &kept));
  *near = '\0';
  near += strlen (" near ");
  if (strcmp (near, "end of file") == 0)
    return g_strdup_printf (_ ("%s near end of file"), head_text (text, &kept));
  return g_strdup_printf (_ ("%s near %s"), head_text (text, &kept), near);
}

/* Returns the last element named before the place of the error, ", after id ‘link2’", or "". */
static char *place_after_id (const char *text, gsize position) {
  g_autofree char *before = g_strndup (text, position);
  const char *key = before != NULL ? g_strrstr (before, "\"id\"") : NULL;
  g_auto (GStrv) parts = key != NULL ? g_strsplit (key, "\"", 5) : NULL;

  if (parts == NULL || g_strv_length (parts) < 5 || !g_utf8_validate (parts[3], -1, NULL))
    return g_strdup ("");
  return g_strdup_printf (_ (", after id ‘%s’"), parts[3]);
}

static HlValue *parse (const char *text, gsize length, const char *name, int levels, GError **error) {
  g_autofree char *start = message_start (name);
  json_error_t where;

  if (length > HL_JSON_MAX_BYTES) {
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                 _ ("%sthe file is larger than %d MiB, the limit for a model"), start,
                 HL_JSON_MAX_BYTES / (1024 * 1024));
    return NULL;
  }
  json_t *tree =
      json_loadb (text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY, &where);
  if (tree == NULL) {
    g_autofree char *what = reason_text (where.text);
    g_autofree char *after = place_after_id (text, MIN ((gsize)MAX (where.position, 0), length));
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX, _ ("%sline %d, column %d%s: %s%s"), start,
                 MAX (where.line, 1), MAX (where.column, 0), after, what, advice_for (where.text));
    return NULL;
  }
  HlValue *value = from_jansson (tree, levels);
  json_decref (tree);
  if (value == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                 _ ("%sthe file is nested more than %d levels deep; remove the deeper levels"), start,
                 HL_JSON_MAX_DEPTH);
  return value;
}

HlValue *hl_json_parse (const char *text, gsize length, const char *name, GError **error) {
  return parse (text, length, name, HL_JSON_MAX_DEPTH, error);
}

HlValue *hl_json_parse_around (const char *text, gsize length, const char *name, GError **error) {
  return parse (text, length, name, HL_JSON_MAX_DEPTH + 1, error);
}

static gboolean check_head (const HlValue *root, const char *start, GError **error) {
  const HlValue *format = hl_value_member (root, "format");
  const HlValue *version = hl_value_member (root, "version");
  double number = hl_value_number (version);

  if (!hl_value_is_object (root) || g_strcmp0 (hl_value_string (format), "hydrolink") != 0) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_MODEL,
        _ ("%sformat: this file is not a Hydrolink model; a model starts with \"format\": \"hydrolink\""),
        start);
    return FALSE;
  }
  if (isnan (number) || number < 1 || number != floor (number)) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("%sversion: the version is %s; write \"version\": %d"),
                 start, version == NULL ? _ ("missing") : _ ("not a whole number above 0"), NEWEST_VERSION);
    return FALSE;
  }
  if (number > NEWEST_VERSION) {
    g_set_error (error, HL_ERROR, HL_ERROR_VERSION,
                 _ ("%sversion: the file has version %.0f and was written by a newer program; this program "
                    "reads version %d and would lose the new data"),
                 start, number, NEWEST_VERSION);
    return FALSE;
  }
  return TRUE;
}

HlDocument *hl_document_parse (const char *text, gsize length, const char *name, GError **error) {
  g_autofree char *start = message_start (name);
  g_autoptr (HlValue) root = hl_json_parse (text, length, name, error);

  if (root == NULL || !check_head (root, start, error))
    return NULL;
  return hl_document_new (g_steal_pointer (&root));
}

HlDocument *hl_document_load (const char *path, GError **error) {
  gsize length;
  g_autofree char *text = hl_file_read (path, HL_JSON_MAX_BYTES, NULL, NULL, &length, error);

  return text != NULL ? hl_document_parse (text, length, path, error) : NULL;
}
