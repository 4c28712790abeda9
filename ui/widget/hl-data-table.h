/* SPDX-License-Identifier: MIT */
/* HlDataTable: rows of texts under headings, in a scrolled window. A click on the heading of a column
 * that has an order sorts by it. One row or none is chosen. */
#pragma once

#include <gtk/gtk.h>

#define HL_TYPE_DATA_TABLE (hl_data_table_get_type ())
G_DECLARE_FINAL_TYPE (HlDataTable, hl_data_table, HL, DATA_TABLE, GtkWidget)

typedef enum {
  HL_DATA_TABLE_AS_FILLED, /* has no order of its own */
  HL_DATA_TABLE_BY_TEXT,
  HL_DATA_TABLE_BY_NUMBER
} HlDataTableOrder;

typedef struct {
  const char *title;
  const char *help;   /* of the heading; NULL: none */
  gboolean is_number; /* stands at the right edge */
  gboolean is_wide;   /* takes the room that is left */
  gboolean is_bar;    /* a bar beside the number, its part of the largest one of the column */
  gboolean wraps;
  gboolean is_resizable;
  HlDataTableOrder order;
} HlDataTableColumn;

/* Sets the columns, once, before there are rows. `name` is the accessible name. Emits "chosen" when another
 * row is selected. */
void hl_data_table_set_columns (HlDataTable *self, const char *name, const HlDataTableColumn *columns,
                                int n_columns);
/* Appends a row, in the order of filling. `texts` has one entry for each column, and so has `numbers`, for
 * the columns that are sorted by number; NULL: no column is. hl_data_table_show () makes the row visible. */
void hl_data_table_add (HlDataTable *self, const char *const *texts, const double *numbers);
/* Replaces the visible rows by the rows added since the last call. */
void hl_data_table_show (HlDataTable *self);
int hl_data_table_n_rows (HlDataTable *self);
/* Returns how long the bar of a row is, in the order of filling: 0 to 1; for tests. */
double hl_data_table_part (HlDataTable *self, int row, int column);
/* Sets the maximum height: the table is as high as its rows, up to that many pixels; without it the table
 * fills the available room. */
void hl_data_table_set_most_height (HlDataTable *self, int height);

void hl_data_table_sort (HlDataTable *self, int column, GtkSortType direction);
/* Returns the chosen row, in the order of filling; -1: none. */
int hl_data_table_chosen (HlDataTable *self);
void hl_data_table_choose (HlDataTable *self, int row);
