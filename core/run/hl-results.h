/* SPDX-License-Identifier: MIT */
/* Results of one run: named columns of equal length, append-only, in blocks that never move. */
#pragma once

#include "core/run/hl-columns.h"

#define HL_RESULTS_BLOCK 4096 /* rows a block */

typedef struct _HlResults HlResults;

/* New, empty results with the time column (index 0, "t", "s") and n more columns. Reference
 * count 1. */
HlResults *hl_results_new (const HlColumnInfo *columns, int n);
/* The same with columns that other results may share; a reference is taken. */
HlResults *hl_results_new_of (HlColumns *columns);
HlResults *hl_results_ref (HlResults *results);
void hl_results_unref (HlResults *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlResults, hl_results_unref)

/* Appends a row: t and n values (NAN = unknown). Only one thread may append; see HlChunk for the
 * hand-over. */
void hl_results_append (HlResults *results, double t, const double values[]);

/* Borrowed. The same object for all results of one recording: what was found by id in it once holds
 * for as long as it is the same. */
HlColumns *hl_results_columns (const HlResults *results);
/* Rows and columns so far; column 0 is the time. Descriptions are borrowed. */
int hl_results_n_rows (const HlResults *results);
int hl_results_n_columns (const HlResults *results); /* with time */
const HlColumnInfo *hl_results_column (const HlResults *results, int column);
int hl_results_find_column (const HlResults *results, const char *id); /* -1 = none */
double hl_results_get (const HlResults *results, int column, int row);

/* Contiguous run of one column from row on: fills *n with how many values follow in this block. */
const double *hl_results_span (const HlResults *results, int column, int row, int *n);

/* Row whose time is the last one <= t (0 when t is before the first row; -1 when empty). */
int hl_results_row_at (const HlResults *results, double t);

/* Value at time t, linear between rows, held outside; NAN when empty or unknown. */
double hl_results_value_at (const HlResults *results, int column, double t);

/* Smallest and largest finite value of rows [from, to); FALSE when there is none. */
gboolean
hl_results_range (const HlResults *results, int column, int from, int to, double *min, double *max);

/* A copy of the rows from one on, for a run that must not grow for ever. Owned by the caller. */
HlResults *hl_results_tail (const HlResults *results, int from_row);

gsize hl_results_bytes (const HlResults *results); /* memory held */

/* New rows on their way from a worker to the window: plain memory, owned by whoever holds it. */
typedef struct
{
  guint serial; /* run this belongs to; late chunks of an older run are dropped */
  int n_columns;
  int n_rows;
  double *rows; /* row-major, n_rows x n_columns, time first */
} HlChunk;
/* An empty chunk with room for that many rows; the maker fills rows and n_rows. */
HlChunk *hl_chunk_new (guint serial, int n_columns, int capacity_rows);
void hl_chunk_free (HlChunk *chunk);
/* Appends the rows of a chunk that has as many columns; the chunk stays with its holder. */
void hl_results_append_chunk (HlResults *results, const HlChunk *chunk);
