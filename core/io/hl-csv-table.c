/* SPDX-License-Identifier: MIT */
/* Results written as CSV, and measured data read. */
#include "core/io/hl-csv-table.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Reading measured data, declared in hl-csv-table.h. Numbers are read with a given decimal mark, so that neither
 * the locale nor a guess decides what 1,5 means. */

#define LINES_LOOKED_AT 20 /* for a guess */
#define MOST_COLUMNS 10000 /* each has a name and a unit */

void hl_table_free (HlTable *table) {
  if (table == NULL)
    return;
  g_strfreev (table->names);
  g_strfreev (table->units);
  g_free (table->values);
  g_free (table);
}

/* --- lines and cells, one after the other out of the text, which is not copied --- */

typedef struct {
  const char *at, *end; /* of what is left */
  int number;           /* of the line that was taken last, counted from 1 */
} Lines;

typedef struct {
  const char *at, *end;
  char separator; /* ' ': any run of white space */
  gboolean is_over;
} Cells;

static Lines lines_of (const char *text, gsize length) {
  const char *nul = length > 0 ? memchr (text, '\0', length) : NULL;
  Lines lines = {.at = text, .end = nul != NULL ? nul : text + length};

  if (lines.end - lines.at >= 3 && memcmp (text, "\xEF\xBB\xBF", 3) == 0)
    lines.at += 3;
  return lines;
}

/* Returns the next line, *length bytes without blanks at its end; NULL: there is none. A tab at the end
 * stands before an empty cell. */
static const char *next_line (Lines *lines, gsize *length) {
  const char *line = lines->at;

  if (line == NULL || (line == lines->end && lines->number > 0))
    return NULL;
  const char *end = memchr (line, '\n', (gsize)(lines->end - line));
  lines->at = end != NULL ? end + 1 : NULL;
  if (end == NULL)
    end = lines->end;
  while (end > line && (end[-1] == ' ' || end[-1] == '\r'))
    end--;
  lines->number++;
  *length = (gsize)(end - line);
  return line;
}

static gboolean names_separator (const char *line, gsize length) {
  return length >= 4 && g_ascii_strncasecmp (line, "sep=", 4) == 0;
}

static Cells cells_of (const char *line, gsize length, char separator) {
  Cells cells = {.at = line, .end = line + length, .separator = separator};

  while (separator == ' ' && cells.at < cells.end && g_ascii_isspace (*cells.at))
    cells.at++;
  return cells;
}

static void strip_cell (GString *cell) {
  gsize start = 0;

  while (cell->len > 0 && g_ascii_isspace (cell->str[cell->len - 1]))
    g_string_truncate (cell, cell->len - 1);
  while (start < cell->len && g_ascii_isspace (cell->str[start]))
    start++;
  g_string_erase (cell, 0, (gssize)start);
}

/* Reads the next cell into `cell`; quotes group, doubled quotes are one. FALSE: there is none. */
static gboolean next_cell (Cells *cells, GString *cell) {
  gboolean blank = cells->separator == ' ', quoted = FALSE;
  const char *c = cells->at;

  if (cells->is_over)
    return FALSE;
  g_string_truncate (cell, 0);
  for (; c < cells->end; c++) {
    gboolean ends = blank ? g_ascii_isspace (*c) : *c == cells->separator;
    if (*c == '"' && quoted && c + 1 < cells->end && c[1] == '"')
      g_string_append_c (cell, *c++);
    else if (*c == '"')
      quoted = !quoted;
    else if (ends && !quoted) {
      while (blank && c + 1 < cells->end && g_ascii_isspace (c[1]))
        c++;
      if (blank && c + 1 == cells->end)
        break;
      cells->at = c + 1;
      strip_cell (cell);
      return TRUE;
    } else
      g_string_append_c (cell, *c);
  }
  cells->is_over = TRUE;
  strip_cell (cell);
  return TRUE;
}

static int count_cells (const char *line, gsize length, char separator) {
  g_autoptr (GString) cell = g_string_new (NULL);
  Cells cells = cells_of (line, length, separator);
  int n = 0;

  while (next_cell (&cells, cell))
    n++;
  return n;
}

/* Returns the number of a cell; NAN when it is empty or anything but one number with this decimal mark. */
static double read_cell (GString *cell, char decimal) {
  char *text = cell->str, *end;

  if (*text == '\0' || strpbrk (text, decimal == ',' ? ".xX" : ",xX") != NULL)
    return NAN;
  if (decimal == ',')
    g_strdelimit (text, ",", '.');
  if (!g_ascii_isdigit (*text) && strchr ("+-.", *text) == NULL)
    return NAN;
  double number = g_ascii_strtod (text, &end);
  return *end == '\0' && end != text && isfinite (number) ? number : NAN;
}

/* Returns how many of the first lines have as many cells as the last of them, if more than one; 0 when the
 * separator divides nothing. */
static int separator_evenness (Lines lines, char separator) {
  int n_same = 0, wanted = 0;
  const char *line;
  gsize length;

  for (int looked = 0; looked < LINES_LOOKED_AT && (line = next_line (&lines, &length)) != NULL;) {
    if (length == 0)
      continue;
    int n = count_cells (line, length, separator);
    n_same = n == wanted ? n_same + 1 : 1;
    wanted = n;
    looked++;
  }
  return wanted > 1 ? n_same : 0;
}

HlTableFormat hl_table_guess_format (const char *text, gsize length) {
  static const char separators[] = {';', '\t', ',', ' '};
  const Lines lines = lines_of (text, length);
  HlTableFormat format = {',', '.'};
  Lines at = lines;
  int best = 0;
  gsize n;
  const char *line = next_line (&at, &n);

  if (line != NULL && names_separator (line, n) && n > 4)
    format.separator = line[4];
  else
    for (gsize i = 0; i < G_N_ELEMENTS (separators); i++) {
      int even = separator_evenness (lines, separators[i]);
      if (even > best) {
        best = even;
        format.separator = separators[i];
      }
    }
  /* A comma inside cells can only be a decimal mark. */
  while (format.separator != ',' && at.number < LINES_LOOKED_AT && (line = next_line (&at, &n)) != NULL)
    if (memchr (line, ',', n) != NULL && memchr (line, '.', n) == NULL)
      format.decimal = ',';
  return format;
}

gboolean hl_table_is_ambiguous (const char *text, gsize length) {
  HlTableFormat format = hl_table_guess_format (text, length);
  const char *comma = memchr (text, ',', length);

  /* "1,5" in a file that commas separate: two cells, or one number? */
  return format.separator == ',' && comma != NULL && memchr (text, '.', length) == NULL;
}

/* Splits "phi [rad]" and "phi (rad)" into the name "phi" and the unit "rad". */
static void split_title (const char *title, char **name, char **unit) {
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

/* Reads names and units of the columns from the first line, which is the header when it has no number. */
static gboolean read_titles (HlTable *table, const char *line, gsize length, HlTableFormat format,
                             gboolean *is_header) {
  g_autoptr (GString) cell = g_string_new (NULL);
  Cells cells = cells_of (line, length, format.separator);

  table->n_columns = count_cells (line, length, format.separator);
  if (table->n_columns > MOST_COLUMNS)
    return FALSE;
  *is_header = TRUE;
  for (Cells all = cells; *is_header && next_cell (&all, cell);)
    *is_header = isnan (read_cell (cell, format.decimal));
  table->names = g_new0 (char *, table->n_columns + 1);
  table->units = g_new0 (char *, table->n_columns + 1);
  for (int column = 0; next_cell (&cells, cell); column++)
    if (*is_header)
      split_title (cell->str, &table->names[column], &table->units[column]);
    else {
      table->names[column] = g_strdup_printf ("%d", column + 1);
      table->units[column] = g_strdup ("");
    }
  return TRUE;
}

/* Turns the row-major numbers into columns. */
static void set_values (HlTable *table, const GArray *rows) {
  gsize n = (gsize)table->n_columns;

  table->n_rows = (int)(rows->len / n);
  table->values = g_new (double, rows->len);
  for (gsize row = 0; row < (gsize)table->n_rows; row++)
    for (gsize column = 0; column < n; column++)
      table->values[column * (gsize)table->n_rows + row] = g_array_index (rows, double, row *n + column);
}

/* Returns the numbers of a line behind those of the rows before; how many cells it has. */
static int read_line (const HlTable *table, GArray *rows, const char *line, gsize length,
                      HlTableFormat format, GString *cell) {
  Cells cells = cells_of (line, length, format.separator);
  int n = 0;

  for (; next_cell (&cells, cell); n++)
    if (n < table->n_columns) {
      double number = read_cell (cell, format.decimal);
      g_array_append_val (rows, number);
    }
  return n;
}

/* Reads all lines in one pass; FALSE with the error and its line. `start` begins the message. */
static gboolean read_rows (HlTable *table, GArray *rows, Lines lines, HlTableFormat format, const char *start,
                           GError **error) {
  g_autoptr (GString) cell = g_string_new (NULL);
  const char *line;
  gsize length;

  while ((line = next_line (&lines, &length)) != NULL) {
    gboolean is_header = FALSE;
    if (length == 0 || (lines.number == 1 && names_separator (line, length)))
      continue;
    if (table->names == NULL && !read_titles (table, line, length, format, &is_header)) {
      g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                   _ ("%sline %d has %d columns, the maximum is %d; check the separator"), start,
                   lines.number, table->n_columns, MOST_COLUMNS);
      return FALSE;
    }
    if (is_header)
      continue;
    int n_cells = read_line (table, rows, line, length, format, cell);
    if (n_cells != table->n_columns) {
      g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                   _ ("%sline %d has %d cells, the first line has %d; check the separator and the "
                      "decimal mark"),
                   start, lines.number, n_cells, table->n_columns);
      return FALSE;
    }
  }
  return TRUE;
}

HlTable *hl_table_parse (const char *text, gsize length, HlTableFormat format, const char *name,
                         GError **error) {
  g_autofree char *start = name != NULL ? g_strconcat (name, ": ", NULL) : g_strdup ("");

  if (!g_utf8_validate_len (text, length, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX, _ ("%sthe file is not UTF-8 text; save the file as UTF-8"),
                 start);
    return NULL;
  }
  g_autoptr (HlTable) table = g_new0 (HlTable, 1);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
  if (!read_rows (table, rows, lines_of (text, length), format, start, error))
    return NULL;
  if (rows->len == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                 _ ("%sthe table contains no rows of numbers; check the separator"), start);
    return NULL;
  }
  set_values (table, rows);
  return g_steal_pointer (&table);
}

/* Returns the text of the encodings that are known by their first bytes; NULL: UTF-8, or something else. */
static char *decode_marked (const char *bytes, gsize length, gsize *n) {
  if (length >= 2 && memcmp (bytes, "\xff\xfe", 2) == 0)
    return g_convert (bytes + 2, (gssize)length - 2, "UTF-8", "UTF-16LE", NULL, n, NULL);
  if (length >= 2 && memcmp (bytes, "\xfe\xff", 2) == 0)
    return g_convert (bytes + 2, (gssize)length - 2, "UTF-8", "UTF-16BE", NULL, n, NULL);
  return NULL;
}

char *hl_table_load_text (const char *path, HlFileStop stop, gpointer stop_data, gsize *length,
                          GError **error) {
  gsize n, n_bytes;
  g_autofree char *bytes = hl_file_read (path, HL_FILE_MOST_BYTES, stop, stop_data, &n_bytes, error);

  if (bytes == NULL)
    return NULL;
  char *text = decode_marked (bytes, n_bytes, &n);
  if (text == NULL && !g_utf8_validate_len (bytes, n_bytes, NULL) && memchr (bytes, '\0', n_bytes) == NULL)
    text = g_convert (bytes, (gssize)n_bytes, "UTF-8", "WINDOWS-1252", NULL, &n, NULL);
  *length = text != NULL ? n : n_bytes;
  return text != NULL ? text : g_steal_pointer (&bytes);
}

HlTable *hl_table_load (const char *path, const HlTableFormat *format, GError **error) {
  gsize length;
  g_autofree char *text = hl_table_load_text (path, NULL, NULL, &length, error);

  if (text == NULL)
    return NULL;
  return hl_table_parse (text, length, format != NULL ? *format : hl_table_guess_format (text, length), path,
                         error);
}

const double *hl_table_column (const HlTable *table, int column) {
  g_return_val_if_fail (column >= 0 && column < table->n_columns, NULL);
  return table->values + (gsize)column * (gsize)table->n_rows;
}

int hl_table_find_column (const HlTable *table, const char *name) {
  for (int column = 0; column < table->n_columns; column++)
    if (strcmp (table->names[column], name) == 0)
      return column;
  return -1;
}

void hl_table_append_text (GString *out, const char *text) {
  if (strpbrk (text, ",\"\n\r") == NULL) {
    g_string_append (out, text);
    return;
  }
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"')
      g_string_append_c (out, '"');
    g_string_append_c (out, *c);
  }
  g_string_append_c (out, '"');
}

void hl_table_append_numbers (GString *out, const double *numbers, int n) {
  char text[HL_NUMBER_TEXT];

  for (int i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (out, ',');
    if (isfinite (numbers[i]))
      g_string_append (out, hl_number_text (text, numbers[i] + 0.0)); /* no -0 */
  }
  g_string_append_c (out, '\n');
}

void hl_table_append_header (GString *out, const HlResults *results) {
  for (int column = 0; column < hl_results_n_columns (results); column++) {
    const HlColumnInfo *info = hl_results_column (results, column);
    g_autofree char *title = g_strdup_printf ("%s [%s]", info->id, info->unit);
    if (column > 0)
      g_string_append_c (out, ',');
    hl_table_append_text (out, title);
  }
  g_string_append_c (out, '\n');
}

void hl_table_append_rows (GString *out, const HlResults *results, int from, int to) {
  int n = hl_results_n_columns (results);
  g_autofree double *row_values = g_new (double, n);

  to = MIN (to, hl_results_n_rows (results));
  for (int row = MAX (from, 0); row < to; row++) {
    for (int column = 0; column < n; column++)
      row_values[column] = hl_results_get (results, column, row);
    hl_table_append_numbers (out, row_values, n);
  }
}

gboolean hl_table_save (const HlResults *results, const char *path, GError **error) {
  g_autoptr (GString) text = g_string_new (NULL);

  hl_table_append_header (text, results);
  hl_table_append_rows (text, results, 0, hl_results_n_rows (results));
  return hl_file_save_text (path, text->str, (gssize)text->len, error);
}
