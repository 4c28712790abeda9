/* SPDX-License-Identifier: MIT */
/* Columns in blocks of HL_RESULTS_BLOCK rows. Blocks are never moved, so a painter may keep a span
 * for the length of a frame while rows are appended behind it. */
#include "core/run/hl-results.h"

#include <math.h>
#include <string.h>

struct _HlResults
{
  gatomicrefcount ref_count;
  int n_columns;
  int n_rows;
  HlColumns *columns;
  GPtrArray *blocks; /* double[n_columns][HL_RESULTS_BLOCK] each */
};

HlResults *
hl_results_new_of (HlColumns *columns)
{
  HlResults *results = g_new0 (HlResults, 1);

  g_atomic_ref_count_init (&results->ref_count);
  results->n_columns = hl_columns_n (columns);
  results->columns = hl_columns_ref (columns);
  results->blocks = g_ptr_array_new_with_free_func (g_free);
  return results;
}

HlResults *
hl_results_new (const HlColumnInfo *columns, int n)
{
  g_autoptr (HlColumns) own = hl_columns_new (columns, n);

  return hl_results_new_of (own);
}

HlResults *
hl_results_ref (HlResults *results)
{
  g_atomic_ref_count_inc (&results->ref_count);
  return results;
}

void
hl_results_unref (HlResults *results)
{
  if (results == NULL || !g_atomic_ref_count_dec (&results->ref_count))
    return;
  hl_columns_unref (results->columns);
  g_ptr_array_unref (results->blocks);
  g_free (results);
}

static double *
cell (const HlResults *results, int column, int row)
{
  double *block = g_ptr_array_index (results->blocks, row / HL_RESULTS_BLOCK);
  return block + (gsize)column * HL_RESULTS_BLOCK + row % HL_RESULTS_BLOCK;
}

/* Room for one more row. */
static void
make_block (HlResults *results)
{
  if (results->n_rows / HL_RESULTS_BLOCK == (int)results->blocks->len)
    g_ptr_array_add (results->blocks, g_new (double, (gsize)results->n_columns *HL_RESULTS_BLOCK));
}

void
hl_results_append (HlResults *results, double t, const double values[])
{
  int row = results->n_rows;

  make_block (results);
  *cell (results, 0, row) = t;
  for (int column = 1; column < results->n_columns; column++)
    *cell (results, column, row) = values[column - 1];
  results->n_rows = row + 1;
}

int
hl_results_n_rows (const HlResults *results)
{
  return results->n_rows;
}

int
hl_results_n_columns (const HlResults *results)
{
  return results->n_columns;
}

HlColumns *
hl_results_columns (const HlResults *results)
{
  return results->columns;
}

const HlColumnInfo *
hl_results_column (const HlResults *results, int column)
{
  return hl_columns_get (results->columns, column);
}

int
hl_results_find_column (const HlResults *results, const char *id)
{
  return hl_columns_find (results->columns, id);
}

double
hl_results_get (const HlResults *results, int column, int row)
{
  return *cell (results, column, row);
}

const double *
hl_results_span (const HlResults *results, int column, int row, int *n)
{
  int left_in_block = HL_RESULTS_BLOCK - row % HL_RESULTS_BLOCK;

  *n = MIN (left_in_block, results->n_rows - row);
  return *n > 0 ? cell (results, column, row) : NULL;
}

int
hl_results_row_at (const HlResults *results, double t)
{
  int low = 0;
  int high = results->n_rows - 1;

  if (high < 0)
    return -1;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (hl_results_get (results, 0, middle) <= t)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

double
hl_results_value_at (const HlResults *results, int column, double t)
{
  int row = hl_results_row_at (results, t);

  if (row < 0)
    return NAN;
  double t0 = hl_results_get (results, 0, row);
  double y0 = hl_results_get (results, column, row);
  if (row + 1 >= results->n_rows || t <= t0)
    return y0;
  double t1 = hl_results_get (results, 0, row + 1);
  double y1 = hl_results_get (results, column, row + 1);
  return t1 > t0 ? y0 + (y1 - y0) * (t - t0) / (t1 - t0) : y1;
}

gboolean
hl_results_range (const HlResults *results, int column, int from, int to, double *min, double *max)
{
  double low = INFINITY;
  double high = -INFINITY;
  int n = 0;

  from = MAX (from, 0);
  to = MIN (to, results->n_rows);
  for (int row = from; row < to; row += n) {
    const double *values = hl_results_span (results, column, row, &n);
    n = MIN (n, to - row);
    for (int i = 0; i < n; i++)
      if (isfinite (values[i])) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
      }
  }
  *min = low;
  *max = high;
  return low <= high;
}

HlResults *
hl_results_tail (const HlResults *results, int from_row)
{
  HlResults *tail = hl_results_new_of (results->columns);
  g_autofree double *values = g_new (double, results->n_columns);

  for (int row = MAX (from_row, 0); row < results->n_rows; row++) {
    for (int column = 1; column < results->n_columns; column++)
      values[column - 1] = *cell (results, column, row);
    hl_results_append (tail, *cell (results, 0, row), values);
  }
  return tail;
}

gsize
hl_results_bytes (const HlResults *results)
{
  return (gsize)results->blocks->len * (gsize)results->n_columns * HL_RESULTS_BLOCK *
         sizeof (double);
}

HlChunk *
hl_chunk_new (guint serial, int n_columns, int capacity_rows)
{
  HlChunk *chunk = g_new0 (HlChunk, 1);

  chunk->serial = serial;
  chunk->n_columns = n_columns;
  chunk->rows = g_new (double, (gsize)n_columns *(gsize)capacity_rows);
  return chunk;
}

void
hl_chunk_free (HlChunk *chunk)
{
  if (chunk == NULL)
    return;
  g_free (chunk->rows);
  g_free (chunk);
}

/* A column of a block is contiguous and the same column of the next row is not: a few rows at a
 * time, which fit the first cache, are turned column by column. */
#define TILE_ROWS 16

static void
append_tile (HlResults *results, const double rows[], int n)
{
  int first = results->n_rows;

  for (int column = 0; column < results->n_columns; column++) {
    double *to = cell (results, column, first);
    for (int row = 0; row < n; row++)
      to[row] = rows[(gsize)row * (gsize)results->n_columns + (gsize)column];
  }
  results->n_rows = first + n;
}

void
hl_results_append_chunk (HlResults *results, const HlChunk *chunk)
{
  g_return_if_fail (chunk->n_columns == results->n_columns);
  for (int row = 0, n; row < chunk->n_rows; row += n) {
    int left_in_block = HL_RESULTS_BLOCK - results->n_rows % HL_RESULTS_BLOCK;

    make_block (results);
    n = MIN (MIN (TILE_ROWS, left_in_block), chunk->n_rows - row);
    append_tile (results, chunk->rows + (gsize)row * (gsize)chunk->n_columns, n);
  }
}
