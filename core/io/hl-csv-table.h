/* SPDX-License-Identifier: MIT */
/* Tables as CSV: results out, measured data in. SI units, C locale, an unknown value is an empty
 * cell. */
#pragma once

#include "core/run/hl-run-results.h"
#include "core/io/hl-file-access.h"

/* --- writing --- */

/* Appends the header line "t [s],phi2 [rad]" with its line end. */
void hl_table_append_header (GString *out, const HlResults *results);
/* Appends rows [from, to); each number with the fewest digits that read back to the same bits. */
void hl_table_append_rows (GString *out, const HlResults *results, int from, int to);
/* Appends the cells of one line that is no result: numbers[n] with commas between and a line end; NAN is an
 * empty cell. */
void hl_table_append_numbers (GString *out, const double *numbers, int n);
/* Appends a text cell, quoted if necessary. */
void hl_table_append_text (GString *out, const char *text);

/* Saves all results to a file in one step, as hl_file_save_text. */
gboolean hl_table_save (const HlResults *results, const char *path, GError **error);

/* --- reading --- */

typedef struct {
  char separator; /* ',' ';' '\t' or ' ' (any white space) */
  char decimal;   /* '.' or ',' */
} HlTableFormat;

typedef struct {
  int n_columns;
  int n_rows;
  char **names;   /* n_columns; "1", "2" ... when there is no header */
  char **units;   /* n_columns; what stood in [brackets], "" when nothing did */
  double *values; /* column-major, n_rows each; NAN where a cell is empty or no number */
} HlTable;

/* Frees the names and numbers too; NULL is fine. */
void hl_table_free (HlTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTable, hl_table_free)

/* Returns the text of a table's file as UTF-8, *length bytes: UTF-16 is known by its mark, what is no UTF-8
 * is taken for Western European, as loggers and spreadsheets on Windows write it. Owned by the
 * caller. `stop` may be NULL. */
char *hl_table_load_text (const char *path, HlFileStop stop, gpointer stop_data, gsize *length,
                          GError **error);

/* Returns a first proposal for the dialog: from a "sep=" line, else the separator that divides the lines
 * most evenly. */
HlTableFormat hl_table_guess_format (const char *text, gsize length);
/* Returns whether both a comma and a point are possible as decimal mark, so that the user has to choose. */
gboolean hl_table_is_ambiguous (const char *text, gsize length);

/* Reads a table. A first line without any number is the header. Fails with the line's number when a
 * line has another number of cells than the first, when there are no rows, or when the text is not
 * UTF-8. */
HlTable *hl_table_parse (const char *text, gsize length, HlTableFormat format, const char *name,
                         GError **error);
HlTable *hl_table_load (const char *path, const HlTableFormat *format,
                        GError **error); /* format NULL: guess */
/* Returns the numbers of a column, [n_rows], NAN for empty cells; borrowed. */
const double *hl_table_column (const HlTable *table, int column);
int hl_table_find_column (const HlTable *table, const char *name); /* -1 = none */
