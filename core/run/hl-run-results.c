/* SPDX-License-Identifier: MIT */
/* Columns in blocks of HL_RESULTS_BLOCK rows. Blocks are never moved, so a painter may keep a span
 * for the length of a frame while rows are appended behind it.
 *
 * The blocks are a chain, each holding the next one: a pen keeps the last one only, results keep all
 * that they show, and blocks before the first one with a reader are freed. With a pen the writing thread touches the
 * rows behind those that were announced and the link to the next block; the reading thread reads what was announced,
 * and follows a link when a row behind it was. So nothing is shared but the message that announces, which orders the
 * two. */
#include "core/run/hl-run-results.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

struct _HlColumns {
  atomic_uint ref_count;
  int n;
  HlColumnInfo *infos; /* n, strings owned */
  GHashTable *index;   /* id -> column; of several columns with one id the first */
};

HlColumns *hl_columns_new (const HlColumnInfo *columns, int n) {
  HlColumns *self = g_new0 (HlColumns, 1);

  atomic_init (&self->ref_count, 1);
  self->n = n + 1;
  self->infos = g_new0 (HlColumnInfo, (gsize)n + 1);
  self->index = g_hash_table_new (g_str_hash, g_str_equal);
  for (int column = 0; column <= n; column++) {
    HlColumnInfo info =
        column == 0 ? (HlColumnInfo){.id = "t", .label = "t", .unit = "s"} : columns[column - 1];
    self->infos[column].id = g_strdup (info.id);
    if (!g_hash_table_contains (self->index, info.id))
      g_hash_table_insert (self->index, (gpointer)self->infos[column].id, GINT_TO_POINTER (column));
    self->infos[column].label = g_strdup (info.label != NULL ? info.label : info.id);
    self->infos[column].unit = g_strdup (info.unit != NULL ? info.unit : "1");
  }
  return self;
}

HlColumns *hl_columns_ref (HlColumns *self) {
  atomic_fetch_add (&self->ref_count, 1);
  return self;
}

void hl_columns_unref (HlColumns *self) {
  if (self == NULL || atomic_fetch_sub (&self->ref_count, 1) > 1)
    return;
  for (int column = 0; column < self->n; column++) {
    g_free ((char *)self->infos[column].id);
    g_free ((char *)self->infos[column].label);
    g_free ((char *)self->infos[column].unit);
  }
  g_hash_table_unref (self->index);
  g_free (self->infos);
  g_free (self);
}

int hl_columns_n (const HlColumns *self) {
  return self->n;
}

/* Returns the description of a column, 0 <= column < n. Borrowed. */
static const HlColumnInfo *columns_get (const HlColumns *self, int column) {
  g_return_val_if_fail (column >= 0 && column < self->n, NULL);
  return &self->infos[column];
}

int hl_columns_find (const HlColumns *self, const char *id) {
  gpointer column;

  return g_hash_table_lookup_extended (self->index, id, NULL, &column) ? GPOINTER_TO_INT (column) : -1;
}

#define MOST_ENTRIES 65536 /* of one round, if no other round begins */

typedef struct {
  HlColumns *columns; /* a reference, so that no others can have its address */
  char *path;         /* "ID.NAME" */
  gsize id_length;    /* of its ID */
  int column;
} Entry;

struct _HlColumnCursor {
  GArray *entries; /* Entry, in the order of the questions */
  guint at;        /* the next one */
};

static void clear_entry (gpointer data) {
  Entry *entry = data;
  hl_columns_unref (entry->columns);
  g_free (entry->path);
}

HlColumnCursor *hl_column_cursor_new (void) {
  HlColumnCursor *self = g_new0 (HlColumnCursor, 1);

  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  return self;
}

void hl_column_cursor_free (HlColumnCursor *self) {
  if (self == NULL)
    return;
  g_array_unref (self->entries);
  g_free (self);
}

void hl_column_cursor_begin (HlColumnCursor *self) {
  /* entries that were not used in this round are removed */
  if (self->at < self->entries->len)
    g_array_set_size (self->entries, self->at);
  self->at = 0;
}

static gboolean is_answer (const Entry *entry, const HlColumns *columns, const char *id, const char *name) {
  const char *rest = entry->path + entry->id_length;

  return entry->columns == columns && strncmp (entry->path, id, entry->id_length) == 0 &&
         id[entry->id_length] == '\0' &&
         (name == NULL ? *rest == '\0' : *rest == '.' && strcmp (rest + 1, name) == 0);
}

int hl_column_cursor_find (HlColumnCursor *self, const HlResults *results, const char *id, const char *name) {
  if (results == NULL)
    return -1;
  HlColumns *columns = hl_results_columns (results);
  if (self->at < self->entries->len) {
    Entry *known = &g_array_index (self->entries, Entry, self->at);
    if (is_answer (known, columns, id, name)) {
      self->at++;
      return known->column;
    }
    g_array_set_size (self->entries, self->at);
  } else if (self->at >= MOST_ENTRIES) {
    g_array_set_size (self->entries, 0);
    self->at = 0;
  }
  Entry entry = {.columns = hl_columns_ref (columns),
                 .path = name != NULL ? g_strconcat (id, ".", name, NULL) : g_strdup (id),
                 .id_length = strlen (id)};
  entry.column = hl_columns_find (columns, entry.path);
  g_array_append_val (self->entries, entry);
  self->at++;
  return entry.column;
}

typedef struct Block {
  atomic_uint ref_count;
  struct Block *next; /* owned; NULL in the last one */
  double values[];    /* n_columns x HL_RESULTS_BLOCK, a column as a whole */
} Block;

struct _HlResults {
  atomic_uint ref_count;
  int n_columns;
  int n_rows;
  int n_left_out;        /* rows of the first block before the first row; at most all */
  gboolean is_continued; /* by its tail: no row comes any more */
  HlColumns *columns;
  GPtrArray *blocks; /* Block */
};

/* A column of a block is contiguous and the same column of the next row is not: a few rows at a
 * time, which fit the first cache, are turned column by column. */
#define TILE_ROWS 16

struct _HlResultsWriter {
  int n_columns;
  Block *block;    /* the last one */
  int n_in_block;  /* rows turned into it */
  int n_in_tile;   /* rows that wait to be turned */
  int n_to_report; /* rows turned since the last one was announced */
  double tile[];   /* TILE_ROWS x n_columns, a row as a whole */
};

static Block *block_new (int n_columns) {
  Block *block = g_malloc (sizeof (Block) + sizeof (double) * HL_RESULTS_BLOCK * (gsize)n_columns);

  atomic_init (&block->ref_count, 1);
  block->next = NULL;
  return block;
}

static Block *block_ref (Block *block) {
  atomic_fetch_add (&block->ref_count, 1);
  return block;
}

static void block_unref (gpointer data) {
  for (Block *block = data; block != NULL && atomic_fetch_sub (&block->ref_count, 1) == 1;) {
    Block *next = block->next;
    g_free (block);
    block = next;
  }
}

HlResults *hl_results_new_of (HlColumns *columns) {
  HlResults *results = g_new0 (HlResults, 1);

  atomic_init (&results->ref_count, 1);
  results->n_columns = hl_columns_n (columns);
  results->columns = hl_columns_ref (columns);
  results->blocks = g_ptr_array_new_with_free_func (block_unref);
  return results;
}

HlResults *hl_results_new (const HlColumnInfo *columns, int n) {
  g_autoptr (HlColumns) own = hl_columns_new (columns, n);

  return hl_results_new_of (own);
}

HlResults *hl_results_ref (HlResults *results) {
  atomic_fetch_add (&results->ref_count, 1);
  return results;
}

void hl_results_unref (HlResults *results) {
  if (results == NULL || atomic_fetch_sub (&results->ref_count, 1) > 1)
    return;
  hl_columns_unref (results->columns);
  g_ptr_array_unref (results->blocks);
  g_free (results);
}

static double *cell_of (const HlResults *results, int column, int row) {
  int at = results->n_left_out + row;
  Block *block = g_ptr_array_index (results->blocks, at / HL_RESULTS_BLOCK);

  return block->values + (gsize)column * HL_RESULTS_BLOCK + at % HL_RESULTS_BLOCK;
}

/* Adds a block behind the last one. */
static void add_block (HlResults *results) {
  guint n = results->blocks->len;
  Block *last = n > 0 ? g_ptr_array_index (results->blocks, n - 1) : NULL;

  if (last == NULL) {
    g_ptr_array_add (results->blocks, block_new (results->n_columns));
    return;
  }
  if (last->next == NULL)
    last->next = block_new (results->n_columns);
  g_ptr_array_add (results->blocks, block_ref (last->next));
}

static int n_places (const HlResults *results) {
  return (int)results->blocks->len * HL_RESULTS_BLOCK - results->n_left_out;
}

void hl_results_append (HlResults *results, double t, const double values[]) {
  int row = results->n_rows;

  g_return_if_fail (!results->is_continued);
  if (row == n_places (results))
    add_block (results);
  *cell_of (results, 0, row) = t;
  for (int column = 1; column < results->n_columns; column++)
    *cell_of (results, column, row) = values[column - 1];
  results->n_rows = row + 1;
}

void hl_results_show (HlResults *results, int n) {
  g_return_if_fail (!results->is_continued);
  results->n_rows += n;
  while (n_places (results) < results->n_rows)
    add_block (results);
}

HlResultsWriter *hl_results_pen_new (HlResults *results) {
  HlResultsWriter *pen;

  g_return_val_if_fail (results->n_rows == 0 && results->blocks->len == 0, NULL);
  pen = g_malloc0 (sizeof (HlResultsWriter) + sizeof (double) * TILE_ROWS * (gsize)results->n_columns);
  add_block (results);
  pen->n_columns = results->n_columns;
  pen->block = block_ref (g_ptr_array_index (results->blocks, 0));
  return pen;
}

void hl_results_pen_free (HlResultsWriter *pen) {
  if (pen == NULL)
    return;
  block_unref (pen->block);
  g_free (pen);
}

static void go_to_next_block (HlResultsWriter *pen) {
  Block *full = pen->block;

  full->next = block_new (pen->n_columns);
  pen->block = block_ref (full->next);
  pen->n_in_block = 0;
  block_unref (full);
}

static void turn_tile (HlResultsWriter *pen) {
  for (int column = 0; column < pen->n_columns; column++) {
    double *to = pen->block->values + (gsize)column * HL_RESULTS_BLOCK + pen->n_in_block;
    for (int row = 0; row < pen->n_in_tile; row++)
      to[row] = pen->tile[(gsize)row * (gsize)pen->n_columns + (gsize)column];
  }
  pen->n_in_block += pen->n_in_tile;
  pen->n_to_report += pen->n_in_tile;
  pen->n_in_tile = 0;
}

void hl_results_pen_write (HlResultsWriter *pen, const double row[]) {
  if (pen->n_in_block == HL_RESULTS_BLOCK)
    go_to_next_block (pen);
  memcpy (pen->tile + (gsize)pen->n_in_tile++ * (gsize)pen->n_columns, row,
          sizeof (double) * (gsize)pen->n_columns);
  if (pen->n_in_tile == TILE_ROWS || pen->n_in_block + pen->n_in_tile == HL_RESULTS_BLOCK)
    turn_tile (pen);
}

int hl_results_pen_count_new_rows (HlResultsWriter *pen) {
  int n;

  turn_tile (pen);
  n = pen->n_to_report;
  pen->n_to_report = 0;
  return n;
}

int hl_results_n_rows (const HlResults *results) {
  return results->n_rows;
}

int hl_results_n_columns (const HlResults *results) {
  return results->n_columns;
}

HlColumns *hl_results_columns (const HlResults *results) {
  return results->columns;
}

const HlColumnInfo *hl_results_column (const HlResults *results, int column) {
  return columns_get (results->columns, column);
}

int hl_results_find_column (const HlResults *results, const char *id) {
  return hl_columns_find (results->columns, id);
}

double hl_results_get (const HlResults *results, int column, int row) {
  return *cell_of (results, column, row);
}

const double *hl_results_span (const HlResults *results, int column, int row, int *n) {
  int left_in_block = HL_RESULTS_BLOCK - (results->n_left_out + row) % HL_RESULTS_BLOCK;

  *n = MIN (left_in_block, results->n_rows - row);
  return *n > 0 ? cell_of (results, column, row) : NULL;
}

int hl_results_row_at (const HlResults *results, double t) {
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

double hl_results_value_at (const HlResults *results, int column, double t) {
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

gboolean hl_results_range (const HlResults *results, int column, int from, int to, double *min, double *max) {
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

HlResults *hl_results_tail (HlResults *results, int from_row) {
  HlResults *tail = hl_results_new_of (results->columns);
  int at = results->n_left_out + CLAMP (from_row, 0, results->n_rows);

  /* a row behind the last one may need a block that is not there yet */
  guint first = (guint)at / HL_RESULTS_BLOCK, n = results->blocks->len;
  first = n > 0 ? MIN (first, n - 1) : 0;
  for (guint k = first; k < n; k++)
    g_ptr_array_add (tail->blocks, block_ref (g_ptr_array_index (results->blocks, k)));
  tail->n_left_out = at - (int)first * HL_RESULTS_BLOCK;
  tail->n_rows = results->n_left_out + results->n_rows - at;
  results->is_continued = TRUE;
  return tail;
}

gsize hl_results_bytes (const HlResults *results) {
  return (gsize)results->blocks->len * (gsize)results->n_columns * HL_RESULTS_BLOCK * sizeof (double);
}
