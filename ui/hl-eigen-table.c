/* SPDX-License-Identifier: MIT */
/* Rows are labels that are made once and reused: a dragged slider changes their text in every
 * frame. */
#include "ui/hl-eigen-table.h"

#include "core/document/hl-i18n.h"
#include "ui/hl-map-window.h"
#include "ui/hl-mode-panel.h"
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
#define WORTH_NAMING 0.15 /* share of a state in a mode */
#define PAIR_TOLERANCE 1e-9

struct _HlEigenTable
{
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *grid;
  GtkWidget *message;
  GtkWidget *cells[MAX_ROWS][N_COLUMNS]; /* made as needed */
  int modes[MAX_ROWS];                   /* eigenvalue of a row, -1 = null ones */
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

static void
set_cell (HlEigenTable *self, int row, int column, const char *text)
{
  if (self->cells[row][column] == NULL) {
    self->cells[row][column] = new_cell (column);
    gtk_grid_attach (GTK_GRID (self->grid), self->cells[row][column], column, row + 1, 1, 1);
  }
  gtk_widget_set_visible (self->cells[row][column], TRUE);
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->cells[row][column])), text) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (self->cells[row][column]), text);
  if (column == COLUMN_WHAT)
    gtk_widget_set_tooltip_text (self->cells[row][column], text);
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
  for (int column = 0; column < N_COLUMNS; column++) {
    if (chosen)
      gtk_widget_add_css_class (self->cells[row][column], "chosen");
    else
      gtk_widget_remove_css_class (self->cells[row][column], "chosen");
  }
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

  set_cell (self, row, COLUMN_LAMBDA, lambda);
  set_cell (self, row, COLUMN_HZ, hz);
  set_cell (self, row, COLUMN_ZETA, zeta);
  set_cell (self, row, COLUMN_WHAT, what);
  gtk_widget_set_tooltip_text (self->cells[row][COLUMN_WHAT], tooltip);
  for (int column = 0; column < N_COLUMNS; column++) {
    if (is_growing (value))
      gtk_widget_add_css_class (self->cells[row][column], "unstable");
    else
      gtk_widget_remove_css_class (self->cells[row][column], "unstable");
  }
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
  set_cell (self, row, COLUMN_LAMBDA, zeros);
  set_cell (self, row, COLUMN_HZ, "–");
  set_cell (self, row, COLUMN_ZETA, "–");
  set_cell (self, row, COLUMN_WHAT, names->str);
  for (int column = 0; column < N_COLUMNS; column++)
    gtk_widget_remove_css_class (self->cells[row][column], "unstable");
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
  for (int row = self->n_rows; row < MAX_ROWS && self->cells[row][0] != NULL; row++)
    for (int column = 0; column < N_COLUMNS; column++)
      gtk_widget_set_visible (self->cells[row][column], FALSE);
  gtk_widget_set_visible (self->grid, lin != NULL);
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

/* A click on a row looks at its mode, a second one no more. */
static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlEigenTable *self)
{
  for (int row = 0; row < self->n_rows; row++) {
    graphene_rect_t bounds;
    if (self->modes[row] < 0 ||
        !gtk_widget_compute_bounds (self->cells[row][COLUMN_LAMBDA], self->grid, &bounds) ||
        y < bounds.origin.y || y >= bounds.origin.y + bounds.size.height)
      continue;
    gboolean shown = gtk_widget_has_css_class (self->cells[row][COLUMN_LAMBDA], "chosen");
    hl_workbench_set_mode (self->workbench, shown ? -1 : self->modes[row]);
    return;
  }
}

static void
hl_eigen_table_dispose (GObject *object)
{
  g_clear_object (&HL_EIGEN_TABLE (object)->workbench);
  G_OBJECT_CLASS (hl_eigen_table_parent_class)->dispose (object);
}

static void
hl_eigen_table_class_init (HlEigenTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_eigen_table_dispose;
}

static void
add_header (HlEigenTable *self, int column, const char *text, const char *help)
{
  GtkWidget *label = new_cell (column);
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_tooltip_text (label, help);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_grid_attach (GTK_GRID (self->grid), label, column, 0, 1, 1);
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
add_button (
    HlEigenTable *self, GtkWidget *row, const char *name, const char *help, GCallback opened)
{
  GtkWidget *button = gtk_button_new_with_label (name);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, help);
  g_signal_connect (button, "clicked", opened, self);
  gtk_box_append (GTK_BOX (row), button);
}

static void
hl_eigen_table_init (HlEigenTable *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "eigen-table");
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_widget_set_hexpand (self->grid, TRUE);
  add_header (self, COLUMN_LAMBDA, "λ [rad/s]",
              _ ("Eigenvalue of the linear model about the start state"));
  add_header (self, COLUMN_HZ, "Hz", _ ("Frequency: imaginary part over 2π"));
  add_header (self, COLUMN_ZETA, "ζ", _ ("Damping ratio: −Re λ / |λ|"));
  add_header (self, COLUMN_WHAT, _ ("what moves"), _ ("The states that take the largest part"));
  gtk_box_append (GTK_BOX (self), self->grid);
  self->message = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->message), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->message), 0);
  gtk_widget_add_css_class (self->message, "dim-label");
  gtk_box_append (GTK_BOX (self), self->message);
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (self->grid, GTK_EVENT_CONTROLLER (click));
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (row, "more");
  add_button (self, row, _ ("Sensitivities…"), _ ("∂λ/∂p of every eigenvalue to every slider"),
              G_CALLBACK (open_sensitivities_cb));
  add_button (self, row, _ ("Stability map…"), _ ("Stable and unstable over two sliders"),
              G_CALLBACK (open_map_cb));
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

const char *
hl_eigen_table_text (HlEigenTable *self, int row, int column)
{
  return gtk_label_get_text (GTK_LABEL (self->cells[row][column]));
}
