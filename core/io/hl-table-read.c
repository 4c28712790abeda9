/* SPDX-License-Identifier: MIT */
/* Reading measured data, declared in hl-table.h. Numbers go through one small reader that knows the
 * decimal mark, so that neither the locale nor a guess decides what 1,5 means. */
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-file-read.h"
#include "core/io/hl-table.h"

#include <math.h>
#include <string.h>

#define LINES_LOOKED_AT 20 /* for a guess */

void
hl_table_free (HlTable *table)
{
  if (table == NULL)
    return;
  g_strfreev (table->names);
  g_strfreev (table->units);
  g_free (table->values);
  g_free (table);
}

/* Cells of one line; quotes group, doubled quotes are one. Separator ' ' takes any run of white
 * space. */
static char **
split_line (const char *line, char separator)
{
  GPtrArray *cells = g_ptr_array_new ();
  GString *cell = g_string_new (NULL);
  gboolean quoted = FALSE;
  const char *c = line;

  while (separator == ' ' && g_ascii_isspace (*c))
    c++;
  for (; *c != '\0'; c++) {
    gboolean ends = separator == ' ' ? g_ascii_isspace (*c) : *c == separator;
    if (*c == '"' && quoted && c[1] == '"')
      g_string_append_c (cell, *c++);
    else if (*c == '"')
      quoted = !quoted;
    else if (ends && !quoted) {
      while (separator == ' ' && g_ascii_isspace (c[1]))
        c++;
      if (separator == ' ' && c[1] == '\0')
        break;
      g_ptr_array_add (cells, g_strstrip (g_strdup (cell->str)));
      g_string_truncate (cell, 0);
    } else
      g_string_append_c (cell, *c);
  }
  g_ptr_array_add (cells, g_strstrip (g_string_free (cell, FALSE)));
  g_ptr_array_add (cells, NULL);
  return (char **)g_ptr_array_free (cells, FALSE);
}

/* NAN when the cell is empty or anything but one number with this decimal mark. */
static double
read_cell (const char *cell, char decimal)
{
  g_autofree char *text = g_strdup (cell);
  char *end;

  if (*text == '\0' || strpbrk (text, decimal == ',' ? ".xX" : ",xX") != NULL)
    return NAN;
  if (decimal == ',')
    g_strdelimit (text, ",", '.');
  if (!g_ascii_isdigit (*text) && strchr ("+-.", *text) == NULL)
    return NAN;
  double number = g_ascii_strtod (text, &end);
  return *end == '\0' && end != text && isfinite (number) ? number : NAN;
}

static char **
lines_of (const char *text, gsize length)
{
  g_autofree char *copy = length > 0 ? g_strndup (text, length) : g_strdup ("");
  const char *start = g_str_has_prefix (copy, "\xEF\xBB\xBF") ? copy + 3 : copy;
  char **lines = g_strsplit (start, "\n", -1);

  /* a tab at the end stands before an empty cell */
  for (int i = 0; lines[i] != NULL; i++)
    for (gsize end = strlen (lines[i]); end > 0 && strchr (" \r", lines[i][end - 1]) != NULL; end--)
      lines[i][end - 1] = '\0';
  return lines;
}

/* How many of the first lines have as many cells as the last of them, if more than one; 0 when the
 * separator divides nothing. */
static int
evenness (char **lines, char separator)
{
  int n_same = 0;
  guint wanted = 0;

  for (int i = 0, looked = 0; lines[i] != NULL && looked < LINES_LOOKED_AT; i++) {
    if (*lines[i] == '\0')
      continue;
    g_auto (GStrv) cells = split_line (lines[i], separator);
    guint n = g_strv_length (cells);
    n_same = n == wanted ? n_same + 1 : 1;
    wanted = n;
    looked++;
  }
  return wanted > 1 ? n_same : 0;
}

HlTableFormat
hl_table_guess_format (const char *text, gsize length)
{
  static const char separators[] = {';', '\t', ',', ' '};
  g_auto (GStrv) lines = lines_of (text, length);
  HlTableFormat format = {',', '.'};
  int best = 0;

  if (lines[0] != NULL && g_ascii_strncasecmp (lines[0], "sep=", 4) == 0 && lines[0][4] != '\0')
    format.separator = lines[0][4];
  else
    for (gsize i = 0; i < G_N_ELEMENTS (separators); i++)
      if (evenness (lines, separators[i]) > best) {
        best = evenness (lines, separators[i]);
        format.separator = separators[i];
      }
  /* A comma inside cells can only be a decimal mark. */
  for (int i = 1;
       format.separator != ',' && lines[0] != NULL && lines[i] != NULL && i < LINES_LOOKED_AT; i++)
    if (strchr (lines[i], ',') != NULL && strchr (lines[i], '.') == NULL)
      format.decimal = ',';
  return format;
}

gboolean
hl_table_is_ambiguous (const char *text, gsize length)
{
  HlTableFormat format = hl_table_guess_format (text, length);
  const char *comma = memchr (text, ',', length);

  /* "1,5" in a file that commas separate: two cells, or one number? */
  return format.separator == ',' && comma != NULL && memchr (text, '.', length) == NULL;
}

/* "phi [rad]" and "phi (rad)" are the name "phi" and the unit "rad". */
static void
split_title (const char *title, char **name, char **unit)
{
  const char *open = strrchr (title, '[');
  const char *close = open != NULL ? strchr (open, ']') : NULL;

  if (close == NULL && g_str_has_suffix (title, ")")) {
    open = strrchr (title, '(');
    close = open != NULL && open > title ? title + strlen (title) - 1 : NULL;
  }
  if (close == NULL) {
    *name = g_strdup (title);
    *unit = g_strdup ("");
    return;
  }
  *name = g_strchomp (g_strndup (title, (gsize)(open - title)));
  *unit = g_strndup (open + 1, (gsize)(close - open - 1));
}

static gboolean
has_number (char **cells, char decimal)
{
  for (int i = 0; cells[i] != NULL; i++)
    if (!isnan (read_cell (cells[i], decimal)))
      return TRUE;
  return FALSE;
}

static void
set_titles (HlTable *table, char **cells, gboolean is_header)
{
  table->n_columns = (int)g_strv_length (cells);
  table->names = g_new0 (char *, table->n_columns + 1);
  table->units = g_new0 (char *, table->n_columns + 1);
  for (int column = 0; column < table->n_columns; column++) {
    if (is_header)
      split_title (cells[column], &table->names[column], &table->units[column]);
    else {
      table->names[column] = g_strdup_printf ("%d", column + 1);
      table->units[column] = g_strdup ("");
    }
  }
}

/* Turns the row-major numbers into columns. */
static void
set_values (HlTable *table, const GArray *rows)
{
  gsize n = (gsize)table->n_columns;

  table->n_rows = (int)(rows->len / n);
  table->values = g_new (double, rows->len);
  for (gsize row = 0; row < (gsize)table->n_rows; row++)
    for (gsize column = 0; column < n; column++)
      table->values[column * (gsize)table->n_rows + row] =
          g_array_index (rows, double, row *n + column);
}

static gboolean
read_line (HlTable *table, GArray *rows, const char *line, HlTableFormat format, int *n_cells)
{
  g_auto (GStrv) cells = split_line (line, format.separator);

  *n_cells = (int)g_strv_length (cells);
  if (table->names == NULL) {
    gboolean is_header = !has_number (cells, format.decimal);
    set_titles (table, cells, is_header);
    if (is_header)
      return TRUE;
  }
  if (*n_cells != table->n_columns)
    return FALSE;
  for (int column = 0; column < table->n_columns; column++) {
    double number = read_cell (cells[column], format.decimal);
    g_array_append_val (rows, number);
  }
  return TRUE;
}

HlTable *
hl_table_parse (
    const char *text, gsize length, HlTableFormat format, const char *name, GError **error)
{
  g_autofree char *start = name != NULL ? g_strconcat (name, ": ", NULL) : g_strdup ("");

  if (!g_utf8_validate_len (text, length, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX, _ ("%sis not UTF-8 text; save it as UTF-8"),
                 start);
    return NULL;
  }
  g_auto (GStrv) lines = lines_of (text, length);
  g_autoptr (HlTable) table = g_new0 (HlTable, 1);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
  for (int i = 0; lines[i] != NULL; i++) {
    int n_cells;
    if (*lines[i] == '\0' || (i == 0 && g_ascii_strncasecmp (lines[0], "sep=", 4) == 0))
      continue;
    if (!read_line (table, rows, lines[i], format, &n_cells)) {
      g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                   _ ("%sline %d has %d cells, the first line has %d; check the separator and the "
                      "decimal mark"),
                   start, i + 1, n_cells, table->n_columns);
      return NULL;
    }
  }
  if (rows->len == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                 _ ("%sholds no rows of numbers; check the separator"), start);
    return NULL;
  }
  set_values (table, rows);
  return g_steal_pointer (&table);
}

/* Text of the encodings that are known by their first bytes; NULL: UTF-8, or something else. */
static char *
decode_marked (const char *bytes, gsize length, gsize *n)
{
  if (length >= 2 && memcmp (bytes, "\xff\xfe", 2) == 0)
    return g_convert (bytes + 2, (gssize)length - 2, "UTF-8", "UTF-16LE", NULL, n, NULL);
  if (length >= 2 && memcmp (bytes, "\xfe\xff", 2) == 0)
    return g_convert (bytes + 2, (gssize)length - 2, "UTF-8", "UTF-16BE", NULL, n, NULL);
  return NULL;
}

char *
hl_table_load_text (
    const char *path, HlFileStop stop, gpointer stop_data, gsize *length, GError **error)
{
  gsize n, n_bytes;
  g_autofree char *bytes =
      hl_file_read (path, HL_FILE_MOST_BYTES, stop, stop_data, &n_bytes, error);

  if (bytes == NULL)
    return NULL;
  char *text = decode_marked (bytes, n_bytes, &n);
  if (text == NULL && !g_utf8_validate_len (bytes, n_bytes, NULL) &&
      memchr (bytes, '\0', n_bytes) == NULL)
    text = g_convert (bytes, (gssize)n_bytes, "UTF-8", "WINDOWS-1252", NULL, &n, NULL);
  *length = text != NULL ? n : n_bytes;
  return text != NULL ? text : g_steal_pointer (&bytes);
}

HlTable *
hl_table_load (const char *path, const HlTableFormat *format, GError **error)
{
  gsize length;
  g_autofree char *text = hl_table_load_text (path, NULL, NULL, &length, error);

  if (text == NULL)
    return NULL;
  return hl_table_parse (
      text, length, format != NULL ? *format : hl_table_guess_format (text, length), path, error);
}

const double *
hl_table_column (const HlTable *table, int column)
{
  g_return_val_if_fail (column >= 0 && column < table->n_columns, NULL);
  return table->values + (gsize)column * (gsize)table->n_rows;
}

int
hl_table_find_column (const HlTable *table, const char *name)
{
  for (int column = 0; column < table->n_columns; column++)
    if (strcmp (table->names[column], name) == 0)
      return column;
  return -1;
}
