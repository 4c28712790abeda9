/* SPDX-License-Identifier: MIT */
/* Rows are made once and reused: a dragged slider changes their text in every frame. The columns
 * of rows and head are kept in line by size groups. */
#include "ui/hl-eigen-table.h"

#include "core/document/hl-i18n.h"
#include "ui/hl-map-window.h"
#include "ui/hl-mode-panel.h"
#include "ui/hl-response-window.h"
#include "ui/hl-sensitivity-window.h"
#include "ui/paint/hl-axis.h"

#include <math.h>
#include <string.h>

enum
{
  COLUMN_LAMBDA,
  COLUMN_HZ,
  COLUMN_ZETA,
  COLUMN_WHAT,
  N_COLUMNS
};

#define MAX_ROWS 40
#define COLUMN_SPACING 12
#define WORTH_NAMING 0.15 /* share of a state in a mode */
#define PAIR_TOLERANCE 1e-9

struct _HlEigenTable
{
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *head, *list;
  GtkWidget *message;
  GtkSizeGroup *columns[N_COLUMNS];
  GtkWidget *rows[MAX_ROWS]; /* GtkListBoxRow, made as needed */
  GtkWidget *cells[MAX_ROWS][N_COLUMNS];
  int modes[MAX_ROWS]; /* eigenvalue of a row, -1 = null ones */
  int n_rows;
  GtkWidget *mode_panel;
};

G_DEFINE_FINAL_TYPE (HlEigenTable, hl_eigen_table, GTK_TYPE_BOX)

static GtkWidget *
new_cell (int column)
{
  static const int widths[N_COLUMNS] = {[COLUMN_LAMBDA] = 15, [COLUMN_HZ] = 5, [COLUMN_ZETA] = 6};
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column == COLUMN_HZ || column == COLUMN_ZETA ? 1 : 0);
  gtk_widget_set_hexpand (label, column == COLUMN_WHAT);
  /* a pair needs more room than a real eigenvalue: the pane's width is not to change in a drag */
  if (column != COLUMN_WHAT)
    gtk_label_set_width_chars (GTK_LABEL (label), widths[column]);
  if (column == COLUMN_WHAT) {
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class (label, "dim-label");
  }
  gtk_label_set_selectable (GTK_LABEL (label), FALSE);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

static GtkWidget *
new_line (HlEigenTable *self, GtkWidget *cells[N_COLUMNS])
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, COLUMN_SPACING);

  for (int column = 0; column < N_COLUMNS; column++) {
    cells[column] = new_cell (column);
    gtk_size_group_add_widget (self->columns[column], cells[column]);
    gtk_box_append (GTK_BOX (box), cells[column]);
  }
  return box;
}

static void
set_cells (HlEigenTable *self, int row, const char *const texts[N_COLUMNS])
{
  if (self->rows[row] == NULL) {
    self->rows[row] = gtk_list_box_row_new ();
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self->rows[row]),
                                new_line (self, self->cells[row]));
    gtk_list_box_append (GTK_LIST_BOX (self->list), self->rows[row]);
  }
  gtk_widget_set_visible (self->rows[row], TRUE);
  for (int column = 0; column < N_COLUMNS; column++)
    if (strcmp (gtk_label_get_text (GTK_LABEL (self->cells[row][column])), texts[column]) != 0)
      gtk_label_set_text (GTK_LABEL (self->cells[row][column]), texts[column]);
}

/* The row as a sentence, and the states with their shares as its tooltip. */
static void
describe (HlEigenTable *self, int row, char *sentence, const char *tooltip)
{
  g_autofree char *taken = sentence;
  GtkWidget *widget = self->rows[row];

  if (g_strcmp0 (g_object_get_data (G_OBJECT (widget), "sentence"), taken) != 0) {
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, taken,
                                    -1);
    g_object_set_data_full (G_OBJECT (widget), "sentence", g_steal_pointer (&taken), g_free);
  }
  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), tooltip) != 0)
    gtk_widget_set_tooltip_text (widget, tooltip);
}

static void
set_class (GtkWidget *widget, const char *name, gboolean has)
{
  if (has)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static char *
number_text (double value, int digits)
{
  char text[48];
  hl_axis_format (value, digits, text, sizeof text);
  return g_strdup (text);
}

static char *
lambda_text (const HlEigenvalue *value, gboolean paired)
{
  g_autofree char *re = number_text (value->re, 5);
  g_autofree char *im = number_text (fabs (value->im), 5);

  if (value->im == 0)
    return g_steal_pointer (&re);
  return g_strdup_printf ("%s %s %s i", re, paired ? "±" : value->im > 0 ? "+" : "−", im);
}

/* The two states that take most part; -1 = none. The second one only when it is worth naming. */
static void
find_main_states (const HlLinearization *lin, int k, int *first, int *second)
{
  *first = *second = -1;
  if (lin->participation == NULL)
    return;
  const double *share = lin->participation + (gsize)k * (gsize)lin->n;
  for (int state = 0; state < lin->n; state++) {
    if (*first < 0 || share[state] > share[*first]) {
      *second = *first;
      *first = state;
    } else if (*second < 0 || share[state] > share[*second]) {
      *second = state;
    }
  }
  if (*second >= 0 && share[*second] < WORTH_NAMING)
    *second = -1;
}

static char *
element_of (const char *path)
{
  const char *dot = strchr (path, '.');
  return dot != NULL ? g_strndup (path, (gsize)(dot - path)) : g_strdup (path);
}

/* "link2, V3"; the whole paths with their shares are the tooltip. */
static char *
what_moves (const HlLinearization *lin, int k, char **tooltip)
{
  int first, second;

  find_main_states (lin, k, &first, &second);
  if (first < 0) {
    *tooltip = g_strdup ("");
    return g_strdup ("");
  }
  const double *share = lin->participation + (gsize)k * (gsize)lin->n;
  g_autofree char *a = element_of (lin->state_names[first]);
  if (second < 0) {
    *tooltip = g_strdup_printf ("%s %.0f %%", lin->state_names[first], 100 * share[first]);
    return g_steal_pointer (&a);
  }
  g_autofree char *b = element_of (lin->state_names[second]);
  *tooltip = g_strdup_printf ("%s %.0f %%, %s %.0f %%", lin->state_names[first], 100 * share[first],
                              lin->state_names[second], 100 * share[second]);
  return strcmp (a, b) == 0 ? g_steal_pointer (&a) : g_strdup_printf ("%s, %s", a, b);
}

/* Of a pair either one may be looked at. */
static void
mark_row (HlEigenTable *self, int row)
{
  int mode = hl_workbench_mode (self->workbench), k = self->modes[row];
  const HlWorkingPoint *at = hl_workbench_point (self->workbench);
  gboolean chosen = FALSE;

  if (mode >= 0 && k >= 0) {
    const HlEigenvalue *mine = &at->linearization->eigenvalues[k];
    const HlEigenvalue *looked_at = &at->linearization->eigenvalues[mode];
    chosen = mine->re == looked_at->re && fabs (mine->im) == fabs (looked_at->im);
  }
  set_class (self->rows[row], "chosen", chosen);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->rows[row]), GTK_ACCESSIBLE_STATE_SELECTED,
                               chosen, -1);
}

/* Whether a mode grows: a real part that rounding cannot tell from zero is no instability. */
static gboolean
is_growing (const HlEigenvalue *value)
{
  return !value->null && value->re > 1e-9 * hypot (value->re, value->im);
}

static void
add_eigenvalue (HlEigenTable *self, const HlLinearization *lin, int k, gboolean paired)
{
  const HlEigenvalue *value = &lin->eigenvalues[k];
  int row = self->n_rows++;
  self->modes[row] = k;
  g_autofree char *lambda = lambda_text (value, paired);
  g_autofree char *zeta =
      isfinite (value->damping_ratio) ? number_text (value->damping_ratio, 3) : g_strdup ("");
  g_autofree char *hz = value->im != 0 ? number_text (value->frequency_hz, 4) : g_strdup ("–");
  g_autofree char *tooltip = NULL;
  g_autofree char *what = what_moves (lin, k, &tooltip);

  const char *const texts[N_COLUMNS] = {lambda, hz, zeta, what};

  set_cells (self, row, texts);
  describe (self, row,
            value->im != 0
                ? g_strdup_printf (_ ("Eigenvalue %s rad/s, %s Hz, damping ratio %s, %s"), lambda,
                                   hz, zeta, what)
                : g_strdup_printf (_ ("Eigenvalue %s rad/s, %s"), lambda, what),
            tooltip);
  set_class (self->rows[row], "unstable", is_growing (value));
  mark_row (self, row);
}

static void
add_null_row (HlEigenTable *self, const HlLinearization *lin)
{
  int row = self->n_rows++;
  self->modes[row] = -1;
  g_autoptr (GString) names = g_string_new (NULL);

  for (int block = 0; block < lin->n_null_blocks && lin->null_names != NULL; block++)
    if (lin->null_names[block] != NULL && strstr (names->str, lin->null_names[block]) == NULL)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", lin->null_names[block]);
  g_autofree char *zeros =
      lin->n_null > 1 ? g_strdup_printf ("0 (%d×)", lin->n_null) : g_strdup ("0");
  const char *const texts[N_COLUMNS] = {zeros, "–", "–", names->str};

  set_cells (self, row, texts);
  describe (self, row, g_strdup_printf (_ ("Eigenvalue %s, %s"), zeros, names->str), names->str);
  set_class (self->rows[row], "unstable", FALSE);
  mark_row (self, row);
}

static void
refresh (HlEigenTable *self)
{
  const HlWorkingPoint *at = hl_workbench_point (self->workbench);
  const HlLinearization *lin = at != NULL ? at->linearization : NULL;

  self->n_rows = 0;
  for (int k = 0; lin != NULL && k < lin->n && self->n_rows < MAX_ROWS - 1; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    if (value->null)
      continue;
    gboolean paired =
        k + 1 < lin->n && value->im > 0 &&
        fabs (lin->eigenvalues[k + 1].im + value->im) <= PAIR_TOLERANCE * fabs (value->im);
    add_eigenvalue (self, lin, k, paired);
    k += paired;
  }
  if (lin != NULL && lin->n_null > 0)
    add_null_row (self, lin);
  for (int row = self->n_rows; row < MAX_ROWS && self->rows[row] != NULL; row++)
    gtk_widget_set_visible (self->rows[row], FALSE);
  gtk_widget_set_visible (self->head, lin != NULL);
  gtk_widget_set_visible (self->list, lin != NULL);
  gtk_widget_set_visible (self->message, lin == NULL);
  gtk_label_set_text (GTK_LABEL (self->message),
                      at != NULL && at->message != NULL ? at->message : _ ("No eigenvalues yet."));
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlEigenTable *self)
{
  if (changes & HL_CHANGED_POINT)
    refresh (self);
  else if (changes & HL_CHANGED_MODE)
    for (int row = 0; row < self->n_rows; row++)
      mark_row (self, row);
}

/* Click, Enter or Space on a row looks at its mode, a second time no more. */
static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *line, HlEigenTable *self)
{
  int row = gtk_list_box_row_get_index (line);

  if (row >= self->n_rows || self->modes[row] < 0)
    return;
  gboolean shown = gtk_widget_has_css_class (GTK_WIDGET (line), "chosen");
  hl_workbench_set_mode (self->workbench, shown ? -1 : self->modes[row]);
}

static void
hl_eigen_table_dispose (GObject *object)
{
  HlEigenTable *self = HL_EIGEN_TABLE (object);

  for (int column = 0; column < N_COLUMNS; column++)
    g_clear_object (&self->columns[column]);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_eigen_table_parent_class)->dispose (object);
}

static void
hl_eigen_table_class_init (HlEigenTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_eigen_table_dispose;
}

static void
set_header (GtkWidget *label, const char *text, const char *help)
{
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_tooltip_text (label, help);
  gtk_widget_add_css_class (label, "dim-label");
}

static void
make_list (HlEigenTable *self)
{
  GtkWidget *heads[N_COLUMNS];

  for (int column = 0; column < N_COLUMNS; column++)
    self->columns[column] = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->head = new_line (self, heads);
  set_header (heads[COLUMN_LAMBDA], "λ [rad/s]",
              _ ("Eigenvalue of the linear model about the start state"));
  set_header (heads[COLUMN_HZ], "Hz", _ ("Frequency: imaginary part over 2π"));
  set_header (heads[COLUMN_ZETA], "ζ", _ ("Damping ratio: −Re λ / |λ|"));
  set_header (heads[COLUMN_WHAT], _ ("what moves"), _ ("The states that take the largest part"));
  gtk_box_append (GTK_BOX (self), self->head);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Eigenvalues"), -1);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  gtk_box_append (GTK_BOX (self), self->list);
}

static void
open_sensitivities_cb (GtkButton *button, HlEigenTable *self)
{
  gtk_window_present (GTK_WINDOW (hl_sensitivity_window_new (
      self->workbench, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))))));
}

static void
open_map_cb (GtkButton *button, HlEigenTable *self)
{
  gtk_window_present (GTK_WINDOW (
      hl_map_window_new (self->workbench, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))))));
}

static void
open_response_cb (GtkButton *button, HlEigenTable *self)
{
  gtk_window_present (GTK_WINDOW (hl_response_window_new (
      self->workbench, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))))));
}

static void
add_button (
    HlEigenTable *self, GtkWidget *row, const char *name, const char *help, GCallback opened)
{
  GtkWidget *button = gtk_button_new_with_label (name);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  /* long words of another language do not widen the pane */
  gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))),
                           PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (button, help);
  g_signal_connect (button, "clicked", opened, self);
  gtk_box_append (GTK_BOX (row), button);
}

static void
hl_eigen_table_init (HlEigenTable *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "eigen-table");
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  make_list (self);
  self->message = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->message), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->message), 0);
  gtk_widget_add_css_class (self->message, "dim-label");
  gtk_box_append (GTK_BOX (self), self->message);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (row, "more");
  add_button (self, row, _ ("Sensitivities…"), _ ("∂λ/∂p of every eigenvalue to every slider"),
              G_CALLBACK (open_sensitivities_cb));
  add_button (self, row, _ ("Stability map…"), _ ("Stable and unstable over two sliders"),
              G_CALLBACK (open_map_cb));
  add_button (self, row, _ ("Response…"), _ ("Bode, Nyquist and step response of a probe"),
              G_CALLBACK (open_response_cb));
  gtk_box_append (GTK_BOX (self), row);
  self->mode_panel = hl_mode_panel_new ();
  gtk_box_append (GTK_BOX (self), self->mode_panel);
}

void
hl_eigen_table_set_workbench (HlEigenTable *self, HlWorkbench *workbench)
{
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  hl_mode_panel_set_workbench (HL_MODE_PANEL (self->mode_panel), workbench);
  refresh (self);
}

int
hl_eigen_table_n_rows (HlEigenTable *self)
{
  return self->n_rows;
}

GtkListBoxRow *
hl_eigen_table_row (HlEigenTable *self, int row)
{
  return row < self->n_rows ? GTK_LIST_BOX_ROW (self->rows[row]) : NULL;
}

const char *
hl_eigen_table_text (HlEigenTable *self, int row, int column)
{
  return gtk_label_get_text (GTK_LABEL (self->cells[row][column]));
}
