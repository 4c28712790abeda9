/* SPDX-License-Identifier: MIT */
/* Results of one run: named columns of equal length, append-only, in blocks that never move. */
#pragma once

#include <glib.h>

/* The columns of a table of results: made once, then shared by every run that records the same. Readers of
 * the same columns in many runs look them up once and reuse the indices while the runs share this object.
 * Immutable; may be shared between threads. */

/* Description of a column. Strings are copied and owned by the columns. */
typedef struct {
  const char *id;    /* probe id or path, "phi2" */
  const char *label; /* name in legends, "φ₂"; NULL = id */
  const char *unit;  /* SI unit: "rad", "Pa", "m", "N", "m3/s", "J", "1" ... */
} HlColumnInfo;

typedef struct _HlColumns HlColumns;

/* Returns the time column (index 0, "t", "s") and n more. Reference count 1. */
HlColumns *hl_columns_new (const HlColumnInfo *columns, int n);
HlColumns *hl_columns_ref (HlColumns *columns);
void hl_columns_unref (HlColumns *columns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlColumns, hl_columns_unref)

int hl_columns_n (const HlColumns *columns); /* with time */
/* Returns the index of an id, of several columns with one id the first; -1 = none. */
int hl_columns_find (const HlColumns *columns, const char *id);

#define HL_RESULTS_BLOCK 4096 /* rows a block */

typedef struct _HlResults HlResults;

/* Returns new, empty results with the time column (index 0, "t", "s") and n more columns. Reference count 1. */
HlResults *hl_results_new (const HlColumnInfo *columns, int n);
/* Returns the same with columns that other results may share; a reference is taken. */
HlResults *hl_results_new_of (HlColumns *columns);
HlResults *hl_results_ref (HlResults *results);
void hl_results_unref (HlResults *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlResults, hl_results_unref)

/* Appends a row: t and values[n], n as at new (NAN = unknown). For one thread; between two there is
 * a pen. */
void hl_results_append (HlResults *results, double t, const double values[]);

/* A pen writes the rows of results that another thread reads: they lie where they will be read, and
 * nothing is copied or locked. The writer announces rows by a message of any kind that orders memory
 * (a queue), and the reader shows them when it comes; until then they are as if they were not. */
typedef struct _HlResultsWriter HlResultsWriter;
/* Returns a writer of empty results; no rows may be appended afterwards; made by the thread that reads. It
 * may be freed after the results. Owned by the caller. */
HlResultsWriter *hl_results_pen_new (HlResults *results);
void hl_results_pen_free (HlResultsWriter *pen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlResultsWriter, hl_results_pen_free)
/* Writes row[1 + n]: time, then every column. */
void hl_results_pen_write (HlResultsWriter *pen, const double row[]);
/* Returns how many rows there are to announce: those since the last time. */
int hl_results_pen_count_new_rows (HlResultsWriter *pen);
/* Makes n more rows available to the reader. */
void hl_results_show (HlResults *results, int n);

/* Returns the columns. The same object for all results of one recording: an index found by id in it is valid
 * as long as the object is the same. Borrowed. */
HlColumns *hl_results_columns (const HlResults *results);
/* Returns the number of rows and columns so far; column 0 is the time. Descriptions are borrowed. */
int hl_results_n_rows (const HlResults *results);
int hl_results_n_columns (const HlResults *results); /* with time */
const HlColumnInfo *hl_results_column (const HlResults *results, int column);
int hl_results_find_column (const HlResults *results, const char *id); /* -1 = none */
double hl_results_get (const HlResults *results, int column, int row);

/* Contiguous run of one column from row on: fills *n with how many values follow in this block. */
const double *hl_results_span (const HlResults *results, int column, int row, int *n);

/* Returns the row whose time is the last one <= t (0 when t is before the first row; -1 when empty). */
int hl_results_row_at (const HlResults *results, double t);

/* Returns the value at time t, linear between rows, held outside; NAN when empty or unknown. */
double hl_results_value_at (const HlResults *results, int column, double t);

/* Finds the smallest and largest finite value, *min and *max, of rows [from, to); FALSE when there is none.
 */
gboolean hl_results_range (const HlResults *results, int column, int from, int to, double *min, double *max);

/* Returns results with the rows from one on, for a run of limited size. They share the memory, and new
 * rows are appended to the returned object only; earlier rows are freed with `results`. Owned by the
 * caller. */
HlResults *hl_results_tail (HlResults *results, int from_row);

gsize hl_results_bytes (const HlResults *results); /* memory held */

/* Cache of column lookups for a caller that looks up the same columns in the same order repeatedly, such as a drawing
 * in every frame: each column is found by its name once, and afterwards by its place in the order. Another order also
 * works, but slowly. Not thread-safe. */

typedef struct _HlColumnCursor HlColumnCursor;

/* Knows nothing yet; owned by the caller. */
HlColumnCursor *hl_column_cursor_new (void);
/* Frees a cursor; NULL is allowed. */
void hl_column_cursor_free (HlColumnCursor *cursor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlColumnCursor, hl_column_cursor_free)

/* Restarts the cursor at the first column. */
void hl_column_cursor_begin (HlColumnCursor *cursor);
/* Returns the index of the column "ID.NAME", or "ID" when name is NULL; -1 = none, or results are NULL. */
int hl_column_cursor_find (HlColumnCursor *cursor, const HlResults *results, const char *id,
                           const char *name);
