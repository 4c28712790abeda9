/* SPDX-License-Identifier: MIT */
/* The rows of a study as a table. */
#include "ui/study/hl-studies-window-private.h"

#include "core/base/hl-i18n.h"

#include <math.h>

#define MOST_TABLE_ROWS 2000 /* that are listed */

void
hl_studies_make_table (HlStudiesWindow *self)
{
  int n = hl_studies_view_n_columns (self->view);
  g_autofree HlDataTableColumn *columns = g_new0 (HlDataTableColumn, n + 2);

  if (self->table != NULL)
    gtk_box_remove (GTK_BOX (self->rows), GTK_WIDGET (self->table));
  self->table = g_object_new (HL_TYPE_DATA_TABLE, NULL);
  columns[0] =
      (HlDataTableColumn){.title = _ ("Row"), .is_number = TRUE, .order = HL_DATA_TABLE_BY_NUMBER};
  for (int k = 0; k < n; k++)
    columns[k + 1] = (HlDataTableColumn){.title = hl_studies_view_title (self->view, k),
                                         .is_number = TRUE,
                                         .is_resizable = TRUE,
                                         .order = HL_DATA_TABLE_BY_NUMBER};
  columns[n + 1] = (HlDataTableColumn){.title = _ ("What went wrong"),
                                       .is_wide = TRUE,
                                       .is_resizable = TRUE,
                                       .order = HL_DATA_TABLE_BY_TEXT};
  hl_data_table_set_columns (self->table, _ ("Rows of the study"), columns, n + 2);
  g_signal_connect_swapped (self->table, "chosen", G_CALLBACK (hl_studies_table_chosen_cb), self);
  gtk_box_prepend (GTK_BOX (self->rows), GTK_WIDGET (self->table));
}

static void
add_table_row (HlStudiesWindow *self, int row)
{
  int n = hl_studies_view_n_columns (self->view);
  g_auto (GStrv) cells = g_new0 (char *, n + 3);
  g_autofree double *numbers = g_new0 (double, n + 2);
  const char *wrong = hl_study_job_error (self->job, row);

  cells[0] = g_strdup_printf ("%d", row + 1);
  numbers[0] = row;
  for (int k = 0; k < n; k++) {
    cells[k + 1] = hl_studies_view_cell (self->view, row, k);
    numbers[k + 1] = ((const double *)g_ptr_array_index (self->view->values, k))[row];
    if (isnan (numbers[k + 1]))
      numbers[k + 1] = -INFINITY;
  }
  cells[n + 1] = g_strdup (wrong != NULL                                 ? wrong
                           : !hl_study_job_keeps_limits (self->job, row) ? _ ("beyond a limit")
                                                                         : "");
  hl_data_table_add (self->table, (const char *const *)cells, numbers);
  g_array_append_val (self->table_rows, row);
}

/* Which of the rows are not listed. */
static void
show_rows_note (HlStudiesWindow *self, int n)
{
  gboolean is_cut = n > MOST_TABLE_ROWS;

  if (is_cut) {
    g_autofree char *text = g_strdup_printf (
        _ ("The first %d of %d rows. What a brush lights in a plot is listed by itself; Export… "
           "writes all of them."),
        MOST_TABLE_ROWS, n);
    gtk_label_set_text (GTK_LABEL (self->rows_note), text);
  }
  gtk_widget_set_visible (self->rows_note, is_cut);
}

/* Rows that are lit, or all; only while somebody looks. */
void
hl_studies_fill_table (HlStudiesWindow *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "rows") != 0 ||
      self->n_ready == 0)
    return;
  if (self->table == NULL)
    hl_studies_make_table (self);
  int n = 0;
  self->filling = TRUE;
  g_array_set_size (self->table_rows, 0);
  for (int row = 0; row < hl_studies_view_n_rows (self->view); row++)
    if (hl_study_job_state (self->job, row) != HL_STUDY_ROW_MISSING &&
        (!self->view->has_lit || self->view->lit[row]) && n++ < MOST_TABLE_ROWS)
      add_table_row (self, row);
  hl_data_table_show (self->table);
  show_rows_note (self, n);
  self->filling = FALSE;
  self->filled_us = g_get_monotonic_time ();
}
