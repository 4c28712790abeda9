/* SPDX-License-Identifier: MIT */
/* Results of one run: named columns of equal length, append-only, in blocks that never move. */
#pragma once

#include <glib.h>

#define HL_RESULTS_BLOCK 4096 /* rows a block */

/* What one column is. Strings are copied in and owned by the results. */
typedef struct
{
  const char *id;    /* probe id or path, "phi2" */
  const char *label; /* what a legend shows, "φ₂"; NULL = id */
  const char *unit;  /* SI unit: "rad", "Pa", "m", "N", "m3/s", "J", "1" ... */
} HlColumnInfo;

typedef struct _HlResults HlResults;

/* New, empty results with the time column (index 0, "t", "s") and n more columns. Reference
 * count 1. */
HlResults *hl_results_new (const HlColumnInfo *columns, int n);
HlResults *hl_results_ref (HlResults *results);
void hl_results_unref (HlResults *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlResults, hl_results_unref)

/* Appends a row: t and n values (NAN = unknown). Only one thread may append; see HlChunk for the
 * hand-over. */
void hl_results_append (HlResults *results, double t, const double values[]);

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
HlChunk *hl_chunk_new (guint serial, int n_columns, int capacity_rows);
void hl_chunk_free (HlChunk *chunk);
void hl_results_append_chunk (HlResults *results, const HlChunk *chunk);
