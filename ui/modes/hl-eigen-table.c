/* SPDX-License-Identifier: MIT */
/* Rows are made once and reused: a dragged slider changes their text in every frame. The columns
 * of rows and head are kept in line by size groups. Of hundreds of eigenvalues the first ones of
 * the order are shown, and more of them when they are asked for: nobody reads the others, and they
 * would be laid out again with every change. */
#include "ui/modes/hl-eigen-table.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/modes/hl-eigen-text.h"
#include "ui/modes/hl-mode-panel.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>
#include <string.h>

enum { COLUMN_LAMBDA, COLUMN_HZ, COLUMN_ZETA, COLUMN_WHAT, N_COLUMNS };

#define COLUMN_SPACING 9
#define WHAT_CHARS 12 /* of names; the column takes what room there is */
#define LEAST_NAME 8  /* letters; in less room names have that of the frequency, which λ tells too */
#define PAIR_TOLERANCE 1e-9
#define ROWS_AT_ONCE 50
#define NEW_AT_ONCE 8 /* rows that are made in one turn of the main loop */

typedef struct {
  GtkWidget *row; /* GtkListBoxRow */
  GtkWidget *cells[N_COLUMNS];
  int mode; /* eigenvalue, of a pair the upper one; -1 = null ones */
} Row;

struct _HlEigenTable {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *head, *list;
  GtkWidget *message;
  GtkSizeGroup *columns[N_COLUMNS];
  GArray *rows; /* Row, made as needed */
  int n_rows;   /* shown */
  int most;     /* rows to show, null ones apart */
  GtkWidget *more;
  GtkWidget *titles[N_COLUMNS]; /* GtkLabel, each in a button that sorts */
  int sorted_by;
  gboolean reversed;
  GtkWidget *mode_panel;
  gboolean hides_hz;
  int least_with_hz; /* px, of the head when it was seen */
  guint idle;        /* columns are due to change */
};

G_DEFINE_FINAL_TYPE (HlEigenTable, hl_eigen_table, GTK_TYPE_BOX)

/* A text of another length does not lay the window out again: a label would, in every frame of a
 * drag. */
static const guint widths[N_COLUMNS] = {
    [COLUMN_LAMBDA] = 15, [COLUMN_HZ] = 5, [COLUMN_ZETA] = 5, [COLUMN_WHAT] = 3};

static GtkWidget *new_cell (int column) {
  GtkWidget *cell = gtk_inscription_new (NULL);
  GtkInscription *text = GTK_INSCRIPTION (cell);

  gtk_inscription_set_xalign (text, column == COLUMN_HZ || column == COLUMN_ZETA ? 1 : 0);
  gtk_inscription_set_text_overflow (text, GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_min_chars (text, widths[column]);
  gtk_inscription_set_nat_chars (text, column == COLUMN_WHAT ? WHAT_CHARS : widths[column]);
  gtk_inscription_set_min_lines (text, 1);
  gtk_widget_set_hexpand (cell, column == COLUMN_WHAT);
  if (column == COLUMN_WHAT)
    gtk_widget_add_css_class (cell, "dim-label");
  gtk_widget_add_css_class (cell, "numeric");
  return cell;
}

static GtkWidget *new_line (HlEigenTable *self, GtkWidget *cells[N_COLUMNS]) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, COLUMN_SPACING);

  for (int column = 0; column < N_COLUMNS; column++) {
    cells[column] = new_cell (column);
    gtk_size_group_add_widget (self->columns[column], cells[column]);
    gtk_widget_set_visible (cells[column], column != COLUMN_HZ || !self->hides_hz);
    gtk_box_append (GTK_BOX (box), cells[column]);
  }
  return box;
}

static Row *row_at (HlEigenTable *self, int row) {
  return &g_array_index (self->rows, Row, row);
}

/* The next row, made when there are not enough yet. */
static Row *add_row (HlEigenTable *self, int mode) {
  if (self->n_rows == (int)self->rows->len) {
    Row row = {.row = gtk_list_box_row_new ()};
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row.row), new_line (self, row.cells));
    gtk_list_box_append (GTK_LIST_BOX (self->list), row.row);
    g_array_append_val (self->rows, row);
  }
  Row *row = row_at (self, self->n_rows++);
  row->mode = mode;
  gtk_widget_set_visible (row->row, TRUE);
  return row;
}

/* Of a character, as inscriptions have it [Pango units]. */
static int usual_width (GtkWidget *cell) {
  PangoFontMetrics *metrics = pango_context_get_metrics (gtk_widget_get_pango_context (cell), NULL, NULL);
  int usual = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                   pango_font_metrics_get_approximate_digit_width (metrics));

  pango_font_metrics_unref (metrics);
  return usual;
}

static gboolean show_columns (gpointer data) {
  HlEigenTable *self = data;

  self->idle = 0;
  gtk_widget_set_visible (gtk_widget_get_ancestor (self->titles[COLUMN_HZ], GTK_TYPE_BUTTON),
                          !self->hides_hz);
  for (guint row = 0; row < self->rows->len; row++)
    gtk_widget_set_visible (row_at (self, (int)row)->cells[COLUMN_HZ], !self->hides_hz);
  return G_SOURCE_REMOVE;
}

/* Not within the layout that tells it. */
static void resized_cb (GtkDrawingArea *ruler, int width, int height, HlEigenTable *self) {
  int more =
      (LEAST_NAME - (int)widths[COLUMN_WHAT]) * usual_width (self->titles[COLUMN_LAMBDA]) / PANGO_SCALE;
  if (!self->hides_hz)
    gtk_widget_measure (self->head, GTK_ORIENTATION_HORIZONTAL, -1, &self->least_with_hz, NULL, NULL, NULL);
  gboolean hides = width > 0 && width < self->least_with_hz + more;

  if (hides == self->hides_hz)
    return;
  self->hides_hz = hides;
  if (self->idle == 0)
    self->idle = g_idle_add (show_columns, self);
}

/* As many characters of usual width as the text is wide. */
static guint chars_of (GtkWidget *cell, const char *text) {
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (cell, text);
  int width, usual = usual_width (cell);

  pango_layout_get_size (layout, &width, NULL);
  return usual > 0 ? (guint)((width + usual - 1) / usual) : 0;
}

static void set_cell (Row *row, int column, const char *text, const char *help) {
  GtkWidget *cell = row->cells[column];
  GtkInscription *shown = GTK_INSCRIPTION (cell);

  /* a number is never cut off; the room that it once had stays */
  if (column != COLUMN_WHAT && (guint)g_utf8_strlen (text, -1) > gtk_inscription_get_min_chars (shown)) {
    guint n = MAX (chars_of (cell, text), gtk_inscription_get_min_chars (shown));
    if (n > gtk_inscription_get_min_chars (shown)) {
      gtk_inscription_set_min_chars (shown, n);
      gtk_inscription_set_nat_chars (shown, n);
    }
  }
  if (g_strcmp0 (gtk_inscription_get_text (shown), text) != 0)
    gtk_inscription_set_text (shown, text);
  hl_tooltip_tell (cell, help);
}

/* Another model has other numbers: the room that those before it needed is given back. */
static void forget_widths (HlEigenTable *self) {
  for (guint row = 0; row < self->rows->len; row++)
    for (int column = 0; column < COLUMN_WHAT; column++) {
      GtkInscription *cell = GTK_INSCRIPTION (row_at (self, (int)row)->cells[column]);
      gtk_inscription_set_min_chars (cell, widths[column]);
      gtk_inscription_set_nat_chars (cell, widths[column]);
    }
}

/* The row as a sentence, and the states with their shares as its tooltip. */
static void describe (Row *row, char *sentence, const char *tooltip) {
  g_autofree char *taken = sentence;
  GtkWidget *widget = row->row;

  if (g_strcmp0 (g_object_get_data (G_OBJECT (widget), "sentence"), taken) != 0) {
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, taken, -1);
    g_object_set_data_full (G_OBJECT (widget), "sentence", g_steal_pointer (&taken), g_free);
  }
  hl_tooltip_tell (widget, tooltip);
}

static void set_class (GtkWidget *widget, const char *name, gboolean has) {
  if (has)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/* Of a pair either one may be looked at. */
static void mark_row (HlEigenTable *self, Row *row) {
  int mode = hl_locus_study_mode (hl_workbench_locus (self->workbench)), k = row->mode;
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  gboolean chosen = FALSE;

  if (mode >= 0 && k >= 0) {
    const HlEigenvalue *mine = &at->linearization->eigenvalues[k];
    const HlEigenvalue *looked_at = &at->linearization->eigenvalues[mode];
    chosen = mine->re == looked_at->re && fabs (mine->im) == fabs (looked_at->im);
  }
  set_class (row->row, "chosen", chosen);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row->row), GTK_ACCESSIBLE_STATE_SELECTED, chosen, -1);
}

/* Whether a mode grows: a real part that rounding cannot tell from zero is no instability. */
static gboolean is_growing (const HlEigenvalue *value) {
  return !value->null && value->re > 1e-9 * hypot (value->re, value->im);
}

static gboolean is_paired (const HlLinearization *lin, int k) {
  const HlEigenvalue *value = &lin->eigenvalues[k];

  return k + 1 < lin->n && value->im > 0 &&
         fabs (lin->eigenvalues[k + 1].im + value->im) <= PAIR_TOLERANCE * fabs (value->im);
}

/* A text too long for its column is shown with as few digits as let it fit, and said whole in its
 * tooltip: the pane does not become wider for it. */
static void set_number (Row *row, int column,
                        char *(*text_of) (const HlEigenvalue *value, gboolean paired, int digits),
                        const HlEigenvalue *value, gboolean paired, const char *whole, const char *help) {
  static const glong longest[] = {[COLUMN_LAMBDA] = 18, [COLUMN_HZ] = 6, [COLUMN_ZETA] = 6};
  g_autofree char *shown = g_strdup (whole);

  for (int digits = 4;
       digits >= (column == COLUMN_LAMBDA ? 3 : 1) && g_utf8_strlen (shown, -1) > longest[column]; digits--) {
    g_free (shown);
    shown = text_of (value, paired, digits);
  }
  set_cell (row, column, shown, strcmp (shown, whole) != 0 ? whole : help);
}

static void add_eigenvalue (HlEigenTable *self, const HlLinearization *lin, int k) {
  const HlEigenvalue *value = &lin->eigenvalues[k];
  Row *row = add_row (self, k);
  gboolean paired = is_paired (lin, k);
  g_autofree char *lambda = hl_eigen_text_lambda (value, paired, 5);
  g_autofree char *zeta = hl_eigen_text_zeta (value, paired, 3);
  g_autofree char *hz = hl_eigen_text_hz (value, paired, 4);
  g_autofree char *tooltip = NULL;
  g_autofree char *what = hl_eigen_text_what (lin, k, &tooltip);

  set_number (row, COLUMN_LAMBDA, hl_eigen_text_lambda, value, paired, lambda, NULL);
  set_number (row, COLUMN_HZ, hl_eigen_text_hz, value, paired, hz,
              value->im == 0 ? _ ("A real eigenvalue: it decays or grows without swinging") : NULL);
  set_number (row, COLUMN_ZETA, hl_eigen_text_zeta, value, paired, zeta, NULL);
  set_cell (row, COLUMN_WHAT, what, NULL);
  describe (row,
            value->im != 0 ? g_strdup_printf (_ ("Eigenvalue %s rad/s, %s Hz, damping ratio %s, %s"), lambda,
                                              hz, zeta, what)
                           : g_strdup_printf (_ ("Eigenvalue %s rad/s, %s"), lambda, what),
            tooltip);
  set_class (row->row, "unstable", lin->steadiness != HL_ON_THE_WAY && is_growing (value));
  mark_row (self, row);
}

static void add_null_row (HlEigenTable *self, const HlLinearization *lin) {
  Row *row = add_row (self, -1);
  g_autofree char *lines = hl_null_text_lines (lin);
  g_autofree char *freely = hl_null_text_short (lin);
  g_auto (GStrv) each = g_strsplit (freely, "\n", -1);
  g_autofree char *names = g_strjoinv (", ", each);
  g_autofree char *zeros = lin->n_null > 1 ? g_strdup_printf ("0 (%d×)", lin->n_null) : g_strdup ("0");
  const char *help = _ ("A zero neither swings nor decays: what it names stays where it is put");

  set_cell (row, COLUMN_LAMBDA, zeros, NULL);
  set_cell (row, COLUMN_HZ, "–", help);
  set_cell (row, COLUMN_ZETA, "–", help);
  set_cell (row, COLUMN_WHAT, names, NULL);
  describe (row, g_strdup_printf (_ ("Eigenvalue %s, %s"), zeros, names), lines);
  set_class (row->row, "unstable", FALSE);
  mark_row (self, row);
}

/* --- order --- */

typedef struct {
  const HlLinearization *lin;
  int column;
  gboolean reversed;
} Order;

static double key_of (const HlEigenvalue *value, int column) {
  return column == COLUMN_HZ     ? -value->frequency_hz
         : column == COLUMN_ZETA ? (isfinite (value->damping_ratio) ? value->damping_ratio : 0)
                                 : -value->re;
}

/* First the largest real part, the highest frequency, the least damping, or by name; ties as they
 * come. */
static int compare_modes (gconstpointer a, gconstpointer b, gpointer data) {
  const Order *order = data;
  int mode_a = *(const int *)a, mode_b = *(const int *)b, found = 0;

  if (order->column == COLUMN_WHAT) {
    g_autofree char *help_a = NULL, *help_b = NULL;
    g_autofree char *what_a = hl_eigen_text_what (order->lin, mode_a, &help_a);
    g_autofree char *what_b = hl_eigen_text_what (order->lin, mode_b, &help_b);
    found = g_utf8_collate (what_a, what_b);
  } else {
    double key_a = key_of (&order->lin->eigenvalues[mode_a], order->column);
    double key_b = key_of (&order->lin->eigenvalues[mode_b], order->column);
    found = key_a < key_b ? -1 : key_a > key_b;
  }
  return found == 0 ? mode_a - mode_b : order->reversed ? -found : found;
}

static void show_order (HlEigenTable *self) {
  for (int column = 0; column < N_COLUMNS; column++) {
    gboolean is_key = column == self->sorted_by;
    g_autofree char *text =
        g_strdup_printf ("%s%s", (const char *)g_object_get_data (G_OBJECT (self->titles[column]), "title"),
                         is_key ? self->reversed ? " ▴" : " ▾" : "");
    gtk_label_set_text (GTK_LABEL (self->titles[column]), text);
  }
}

static void show_more (HlEigenTable *self, int n) {
  gtk_widget_set_visible (self->more, n > self->most);
  if (n <= self->most)
    return;
  g_autofree char *text = g_strdup_printf (_ ("%d of %d rows: show more"), self->most, n);
  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (self->more)), text) != 0)
    gtk_button_set_label (GTK_BUTTON (self->more), text);
}

static void refresh (HlEigenTable *self);

static void refresh_cb (GtkWidget *widget) {
  if (HL_EIGEN_TABLE (widget)->workbench != NULL)
    refresh (HL_EIGEN_TABLE (widget));
}

static void refresh (HlEigenTable *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  const HlLinearization *lin = at != NULL ? at->linearization : NULL;
  g_autoptr (GArray) modes = g_array_new (FALSE, FALSE, sizeof (int));

  self->n_rows = 0;
  for (int k = 0; lin != NULL && k < lin->n; k++) {
    if (lin->eigenvalues[k].null)
      continue;
    g_array_append_val (modes, k);
    k += is_paired (lin, k);
  }
  Order order = {lin, self->sorted_by, self->reversed};
  if (self->sorted_by != COLUMN_LAMBDA || self->reversed)
    g_array_sort_with_data (modes, compare_modes, &order);
  int n = MIN ((int)modes->len, self->most), n_now = MIN (n, (int)self->rows->len + NEW_AT_ONCE);
  for (int i = 0; i < n_now; i++)
    add_eigenvalue (self, lin, g_array_index (modes, int, i));
  if (n_now < n)
    hl_rebuild_later (GTK_WIDGET (self), refresh_cb);
  show_more (self, (int)modes->len);
  if (lin != NULL && lin->n_null > 0)
    add_null_row (self, lin);
  for (int row = self->n_rows; row < (int)self->rows->len; row++)
    gtk_widget_set_visible (row_at (self, row)->row, FALSE);
  gboolean has_any = lin != NULL && lin->n > 0;
  gtk_widget_set_visible (self->head, has_any);
  gtk_widget_set_visible (self->list, has_any);
  g_autofree char *no_verdict = has_any ? hl_eigen_text_no_verdict (lin) : NULL;
  gtk_widget_set_visible (self->message, !has_any || no_verdict != NULL);
  const char *message = has_any                             ? no_verdict != NULL ? no_verdict : ""
                        : lin != NULL                       ? _ ("No state, no eigenvalue.")
                        : at != NULL && at->message != NULL ? at->message
                                                            : _ ("No eigenvalues yet.");
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->message)), message) != 0)
    gtk_label_set_text (GTK_LABEL (self->message), message);
}

void hl_eigen_table_sort (HlEigenTable *self, int column) {
  self->reversed = column == self->sorted_by && !self->reversed;
  self->sorted_by = column;
  show_order (self);
  refresh (self);
}

/* More of them; what the button below the rows does. */
static void show_more_rows (HlEigenTable *self) {
  self->most += ROWS_AT_ONCE;
  refresh (self);
}

static void head_clicked_cb (GtkButton *button, HlEigenTable *self) {
  hl_eigen_table_sort (self, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "column")));
}

char *hl_eigen_table_as_text (HlEigenTable *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  return at != NULL && at->linearization != NULL ? hl_eigen_text_table (at->linearization) : NULL;
}

/* All of it, with all digits: a spreadsheet takes it as it is. */
static gboolean copy_cb (GtkWidget *widget, GVariant *arguments, gpointer data) {
  g_autofree char *text = hl_eigen_table_as_text (HL_EIGEN_TABLE (widget));

  if (text == NULL)
    return FALSE;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  return TRUE;
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlEigenTable *self) {
  if (changes & HL_CHANGED_DOCUMENT)
    forget_widths (self);
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_DOCUMENT))
    refresh (self);
  else if (changes & HL_CHANGED_MODE)
    for (int row = 0; row < self->n_rows; row++)
      mark_row (self, row_at (self, row));
}

/* Click, Enter or Space on a row looks at its mode, a second time no more. */
static void row_activated_cb (GtkListBox *list, GtkListBoxRow *line, HlEigenTable *self) {
  int row = gtk_list_box_row_get_index (line);

  if (row >= self->n_rows || row_at (self, row)->mode < 0)
    return;
  gboolean shown = gtk_widget_has_css_class (GTK_WIDGET (line), "chosen");
  hl_locus_study_set_mode (hl_workbench_locus (self->workbench), shown ? -1 : row_at (self, row)->mode);
}

static void hl_eigen_table_dispose (GObject *object) {
  HlEigenTable *self = HL_EIGEN_TABLE (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  for (int column = 0; column < N_COLUMNS; column++)
    g_clear_object (&self->columns[column]);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_eigen_table_parent_class)->dispose (object);
}

static void hl_eigen_table_finalize (GObject *object) {
  g_array_unref (HL_EIGEN_TABLE (object)->rows);
  G_OBJECT_CLASS (hl_eigen_table_parent_class)->finalize (object);
}

static void hl_eigen_table_class_init (HlEigenTableClass *klass) {
  static const char *const titles[N_COLUMNS] = {"title_lambda", "title_hz", "title_zeta", "title_what"};

  G_OBJECT_CLASS (klass)->dispose = hl_eigen_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_eigen_table_finalize;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_c, GDK_CONTROL_MASK, copy_cb, NULL);
  g_type_ensure (HL_TYPE_MODE_PANEL);
  hl_widget_tree_load (klass, "hl-eigen-table");
  HL_TREE_CHILD (klass, HlEigenTable, head);
  HL_TREE_CHILD (klass, HlEigenTable, list);
  HL_TREE_CHILD (klass, HlEigenTable, more);
  HL_TREE_CHILD (klass, HlEigenTable, message);
  HL_TREE_CHILD (klass, HlEigenTable, mode_panel);
  for (int column = 0; column < N_COLUMNS; column++)
    gtk_widget_class_bind_template_child_full (GTK_WIDGET_CLASS (klass), titles[column], FALSE,
                                               G_STRUCT_OFFSET (HlEigenTable, titles) +
                                                   column * (gssize)sizeof (GtkWidget *));
  HL_TREE_CALLBACK (klass, head_clicked_cb);
  HL_TREE_CALLBACK (klass, row_activated_cb);
  HL_TREE_CALLBACK (klass, show_more_rows);
  HL_TREE_CALLBACK (klass, resized_cb);
}

static void hl_eigen_table_init (HlEigenTable *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  self->most = ROWS_AT_ONCE;
  for (int column = 0; column < N_COLUMNS; column++) {
    GtkWidget *title = self->titles[column];
    GObject *head = G_OBJECT (gtk_widget_get_ancestor (title, GTK_TYPE_BUTTON));
    self->columns[column] = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
    gtk_size_group_add_widget (self->columns[column], title);
    g_object_set_data_full (G_OBJECT (title), "title", g_strdup (gtk_label_get_text (GTK_LABEL (title))),
                            g_free);
    g_object_set_data (head, "column", GINT_TO_POINTER (column));
  }
  show_order (self);
}

void hl_eigen_table_set_workbench (HlEigenTable *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  hl_mode_panel_set_workbench (HL_MODE_PANEL (self->mode_panel), workbench);
  refresh (self);
}
