/* SPDX-License-Identifier: MIT */
/* A GtkColumnView over a list of rows, sorted by its headings and with a selection. Rows never
 * change; a table that does is filled anew in one go. GTK 4.8 has no way to place the text of a
 * heading or to explain it, so both are done to the widgets that it makes for them. */
#include "ui/widget/hl-data-table.h"

#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-style.h"

#include <math.h>

#define WRAP_CHARS 34
#define BAR_WIDTH_PX 90
#define BAR_HEIGHT_PX 8
#define CELL_KEY "hl-cell"

/* --- a row --- */

#define HL_TYPE_DATA_TABLE_ROW (hl_data_table_row_get_type ())
G_DECLARE_FINAL_TYPE (HlDataTableRow, hl_data_table_row, HL, DATA_TABLE_ROW, GObject)

struct _HlDataTableRow {
  GObject parent_instance;
  int index; /* in the order of filling */
  char **texts;
  double *numbers; /* NULL: none */
  double *parts;   /* of the largest number of the column, 0 to 1; NULL: no numbers */
};

G_DEFINE_FINAL_TYPE (HlDataTableRow, hl_data_table_row, G_TYPE_OBJECT)

static void hl_data_table_row_finalize (GObject *object) {
  HlDataTableRow *self = HL_DATA_TABLE_ROW (object);

  g_strfreev (self->texts);
  g_free (self->numbers);
  g_free (self->parts);
  G_OBJECT_CLASS (hl_data_table_row_parent_class)->finalize (object);
}

static void hl_data_table_row_class_init (HlDataTableRowClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_data_table_row_finalize;
}

static void hl_data_table_row_init (HlDataTableRow *self) {
}

/* --- the table --- */

struct _HlDataTable {
  GtkWidget parent_instance;
  GtkWidget *scrolled;
  GtkColumnView *view;        /* borrowed */
  GListStore *rows;           /* HlDataTableRow, borrowed of the models below */
  GtkSingleSelection *chosen; /* borrowed of the view */
  GPtrArray *fresh;           /* HlDataTableRow that are to be shown */
  GPtrArray *columns;         /* GtkColumnViewColumn */
};

G_DEFINE_FINAL_TYPE (HlDataTable, hl_data_table, GTK_TYPE_WIDGET)

static void chosen_cb (GtkSingleSelection *selection, GParamSpec *pspec, HlDataTable *self) {
  g_signal_emit_by_name (self, "chosen");
}

static void hl_data_table_dispose (GObject *object) {
  HlDataTable *self = HL_DATA_TABLE (object);

  if (self->chosen != NULL)
    g_signal_handlers_disconnect_by_data (self->chosen, self);
  g_clear_object (&self->chosen);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_pointer (&self->fresh, g_ptr_array_unref);
  g_clear_pointer (&self->columns, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_data_table_parent_class)->dispose (object);
}

static void hl_data_table_class_init (HlDataTableClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_data_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  g_signal_new ("chosen", HL_TYPE_DATA_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_data_table_init (HlDataTable *self) {
  self->rows = g_list_store_new (HL_TYPE_DATA_TABLE_ROW);
  self->fresh = g_ptr_array_new_with_free_func (g_object_unref);
  self->columns = g_ptr_array_new ();
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  GtkSortListModel *sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)),
                                                      g_object_ref (gtk_column_view_get_sorter (self->view)));
  self->chosen = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->chosen, FALSE);
  gtk_single_selection_set_model (self->chosen, G_LIST_MODEL (sorted));
  g_object_unref (sorted);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->chosen));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  g_signal_connect (self->chosen, "notify::selected", G_CALLBACK (chosen_cb), self);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

void hl_data_table_set_most_height (HlDataTable *self, int height) {
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (self->scrolled);

  gtk_widget_set_vexpand (GTK_WIDGET (self), FALSE);
  gtk_scrolled_window_set_propagate_natural_height (scrolled, TRUE);
  gtk_scrolled_window_set_max_content_height (scrolled, height);
}

/* --- columns --- */

/* Format of a column's cells, and the index of the text that a row shows in it. */
typedef struct {
  int index;
  gboolean is_number, is_bar, wraps;
} Cell;

static void free_cell (gpointer cell, GClosure *closure) {
  g_free (cell);
}

static void draw_bar_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer item) {
  const Cell *cell = g_object_get_data (G_OBJECT (area), CELL_KEY);
  const HlDataTableRow *row = gtk_list_item_get_item (item);
  HlStyle style = hl_widget_style (GTK_WIDGET (area));

  if (row == NULL || row->parts == NULL)
    return;
  hl_color_set (cr, style.accent);
  cairo_rectangle (cr, 0, 0, width * row->parts[cell->index], height);
  cairo_fill (cr);
}

static GtkWidget *new_bar (GtkListItem *item, const Cell *cell) {
  GtkWidget *bar = gtk_drawing_area_new ();

  g_object_set_data (G_OBJECT (bar), CELL_KEY, (gpointer)cell);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (bar), BAR_WIDTH_PX);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (bar), BAR_HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (bar), draw_bar_cb, item, NULL);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  return bar;
}

static void setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, const Cell *cell) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), cell->is_number ? 1 : 0);
  if (cell->wraps) {
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_width_chars (GTK_LABEL (label), WRAP_CHARS);
    gtk_label_set_max_width_chars (GTK_LABEL (label), WRAP_CHARS);
  }
  if (!cell->is_bar) {
    gtk_list_item_set_child (item, label);
    return;
  }
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, BAR_HEIGHT_PX);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), new_bar (item, cell));
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (item, box);
}

/* Sets the accessible name of the row widget (the parent of the cell around the content), which takes the
 * focus: the texts of all cells. */
static void name_line (GtkWidget *content, const HlDataTableRow *row) {
  GtkWidget *cell = gtk_widget_get_parent (content);
  GtkWidget *line = cell != NULL ? gtk_widget_get_parent (cell) : NULL;
  g_autofree char *name = g_strjoinv (", ", row->texts);

  if (line != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (line), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, const Cell *cell) {
  const HlDataTableRow *row = gtk_list_item_get_item (item);
  GtkWidget *content = gtk_list_item_get_child (item);
  GtkWidget *label = cell->is_bar ? gtk_widget_get_last_child (content) : content;

  gtk_label_set_text (GTK_LABEL (label), row->texts[cell->index]);
  if (cell->is_bar)
    hl_pixels_queue_draw (gtk_widget_get_first_child (content));
  if (cell->index == 0)
    name_line (content, row);
}

static int compare_texts (gconstpointer a, gconstpointer b, gpointer column) {
  const HlDataTableRow *one = a, *other = b;
  int at = GPOINTER_TO_INT (column);
  return g_utf8_collate (one->texts[at], other->texts[at]);
}

/* Compares two cells as numbers; cells that are not numbers come before numbers. */
static int compare_numbers (gconstpointer a, gconstpointer b, gpointer column) {
  const HlDataTableRow *one = a, *other = b;
  double x = one->numbers[GPOINTER_TO_INT (column)], y = other->numbers[GPOINTER_TO_INT (column)];

  if (isnan (x) || isnan (y))
    return isnan (y) - isnan (x);
  return (x > y) - (x < y);
}

#define LONG_TITLE 20 /* characters: a heading of more stands in two lines and does not widen its column */

/* Returns a heading that is broken at the space nearest to its middle when it is long. Owned by the caller. */
static char *break_title (const char *title) {
  char *broken = g_strdup (title);
  gsize length = strlen (broken), best = length;

  if (g_utf8_strlen (title, -1) <= LONG_TITLE)
    return broken;
  for (gsize k = 0; k < length; k++)
    if (broken[k] == ' ' &&
        (best == length || fabs ((double)k - 0.5 * length) < fabs ((double)best - 0.5 * length)))
      best = k;
  if (best < length)
    broken[best] = '\n';
  return broken;
}

static void add_column (HlDataTable *self, int index, const HlDataTableColumn *like) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Cell *cell = g_new (Cell, 1);

  *cell = (Cell){index, like->is_number, like->is_bar, like->wraps};
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), cell);
  g_signal_connect_data (factory, "bind", G_CALLBACK (bind_cb), cell, free_cell, 0);
  g_autofree char *title = break_title (like->title);
  GtkColumnViewColumn *column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_resizable (column, like->is_resizable);
  gtk_column_view_column_set_expand (column, like->is_wide);
  if (like->order != HL_DATA_TABLE_AS_FILLED) {
    g_autoptr (GtkSorter) sorter = GTK_SORTER (
        gtk_custom_sorter_new (like->order == HL_DATA_TABLE_BY_TEXT ? compare_texts : compare_numbers,
                               GINT_TO_POINTER (index), NULL));
    gtk_column_view_column_set_sorter (column, sorter);
  }
  gtk_column_view_append_column (self->view, column);
  g_ptr_array_add (self->columns, column);
  g_object_unref (column); /* the view holds on to it */
}

static GtkWidget *find_label (GtkWidget *widget) {
  if (widget == NULL || GTK_IS_LABEL (widget))
    return widget;
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL;
       at = gtk_widget_get_next_sibling (at)) {
    GtkWidget *label = find_label (at);
    if (label != NULL)
      return label;
  }
  return NULL;
}

/* Sets tooltips and alignment of the headings. The header of the view is its first child and has one child
 * for each column. */
static void dress_headings (HlDataTable *self, const HlDataTableColumn *columns, int n_columns) {
  GtkWidget *head = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *heading = head != NULL ? gtk_widget_get_first_child (head) : NULL;

  for (int k = 0; k < n_columns && heading != NULL; k++) {
    GtkWidget *label = find_label (heading);
    gtk_widget_set_tooltip_text (heading, columns[k].help);
    if (label != NULL && columns[k].is_number) {
      gtk_widget_set_hexpand (label, TRUE);
      gtk_widget_set_halign (label, GTK_ALIGN_END);
    }
    heading = gtk_widget_get_next_sibling (heading);
  }
}

void hl_data_table_set_columns (HlDataTable *self, const char *name, const HlDataTableColumn *columns,
                                int n_columns) {
  for (int k = 0; k < n_columns; k++)
    add_column (self, k, &columns[k]);
  dress_headings (self, columns, n_columns);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  /* its head and its list take the focus on their own */
  for (GtkWidget *part = gtk_widget_get_first_child (GTK_WIDGET (self->view)); part != NULL;
       part = gtk_widget_get_next_sibling (part))
    gtk_accessible_update_property (GTK_ACCESSIBLE (part), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* --- rows --- */

void hl_data_table_add (HlDataTable *self, const char *const *texts, const double *numbers) {
  HlDataTableRow *row = g_object_new (HL_TYPE_DATA_TABLE_ROW, NULL);
  guint n = self->columns->len;

  row->index = (int)self->fresh->len;
  row->texts = g_new0 (char *, n + 1);
  for (guint k = 0; k < n; k++)
    row->texts[k] = g_strdup (texts[k]);
  row->numbers = numbers != NULL ? g_memdup2 (numbers, n * sizeof *numbers) : NULL;
  g_ptr_array_add (self->fresh, row);
}

/* Computes the parts that bars show; the column's numbers are not negative, others get none. */
static void find_parts (HlDataTable *self) {
  for (guint column = 0; column < self->columns->len; column++) {
    double largest = 0.0;
    for (guint i = 0; i < self->fresh->len; i++) {
      const HlDataTableRow *row = self->fresh->pdata[i];
      if (row->numbers != NULL && isfinite (row->numbers[column]))
        largest = fmax (largest, row->numbers[column]);
    }
    for (guint i = 0; i < self->fresh->len; i++) {
      HlDataTableRow *row = self->fresh->pdata[i];
      if (row->numbers == NULL)
        continue;
      if (row->parts == NULL)
        row->parts = g_new0 (double, self->columns->len);
      double part = largest > 0.0 ? row->numbers[column] / largest : 0.0;
      row->parts[column] = isfinite (part) ? CLAMP (part, 0.0, 1.0) : 0.0;
    }
  }
}

double hl_data_table_part (HlDataTable *self, int row, int column) {
  g_autoptr (HlDataTableRow) at = g_list_model_get_item (G_LIST_MODEL (self->rows), (guint)row);
  return at != NULL && at->parts != NULL ? at->parts[column] : 0.0;
}

void hl_data_table_show (HlDataTable *self) {
  find_parts (self);
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       self->fresh->pdata, self->fresh->len);
  g_ptr_array_set_size (self->fresh, 0);
}

int hl_data_table_n_rows (HlDataTable *self) {
  return (int)g_list_model_get_n_items (G_LIST_MODEL (self->rows));
}

void hl_data_table_sort (HlDataTable *self, int column, GtkSortType direction) {
  gtk_column_view_sort_by_column (self->view, self->columns->pdata[column], direction);
}

int hl_data_table_chosen (HlDataTable *self) {
  const HlDataTableRow *row = gtk_single_selection_get_selected_item (self->chosen);
  return row != NULL ? row->index : -1;
}

void hl_data_table_choose (HlDataTable *self, int row) {
  GListModel *shown = G_LIST_MODEL (self->chosen);

  for (guint at = 0; at < g_list_model_get_n_items (shown); at++) {
    g_autoptr (HlDataTableRow) one = g_list_model_get_item (shown, at);
    if (one->index == row)
      gtk_single_selection_set_selected (self->chosen, at);
  }
}
