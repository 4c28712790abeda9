/* SPDX-License-Identifier: MIT */
#include "ui/hl-sensitivity-window.h"

#include "core/document/hl-i18n.h"
#include "ui/paint/hl-axis.h"

#include <math.h>

enum
{
  COLUMN_LAMBDA, /* text, sorted by the real part */
  COLUMN_SLIDER,
  COLUMN_D_RE, /* per SI unit of the slider */
  COLUMN_D_IM,
  COLUMN_RELATIVE, /* p |d lambda/d p| / |lambda| */
  COLUMN_ERROR,    /* of the same, estimated */
  COLUMN_NOTE,     /* why there is no slope, or what is particular about it */
  COLUMN_RE,       /* not shown */
  N_COLUMNS
};

#define WIDTH 760
#define HEIGHT 420
#define DIGITS 4

struct _HlSensitivityWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkListStore *store;
};

G_DEFINE_FINAL_TYPE (HlSensitivityWindow, hl_sensitivity_window, GTK_TYPE_WINDOW)

static char *
lambda_text (double re, double im)
{
  char real[48], imaginary[48];

  hl_axis_format (re, DIGITS + 1, real, sizeof real);
  hl_axis_format (fabs (im), DIGITS + 1, imaginary, sizeof imaginary);
  return im == 0 ? g_strdup (real) : g_strdup_printf ("%s ± %s i", real, imaginary);
}

/* Owned by the caller. */
static char *
note_text (const HlSensitivity *s, int at)
{
  switch (s->kind[at]) {
  case HL_SENSITIVITY_ONE_SIDED:
    return g_strdup (_ ("to one side only"));
  case HL_SENSITIVITY_KINK: {
    g_autofree char *above = lambda_text (s->above_re[at], s->above_im[at]);
    g_autofree char *below = lambda_text (s->below_re[at], s->below_im[at]);
    return g_strdup_printf (_ ("kink: %s above, %s below"), above, below);
  }
  case HL_SENSITIVITY_JUMP:
    return g_strdup (_ ("jumps here"));
  case HL_SENSITIVITY_REPEATED:
    return g_strdup (_ ("repeated: it splits"));
  case HL_SENSITIVITY_STUCK:
    return g_strdup (_ ("no start state beside it"));
  default:
    return g_strdup ("");
  }
}

static void
refresh (HlSensitivityWindow *self)
{
  const HlSensitivity *s = hl_workbench_sensitivity (self->workbench);
  GPtrArray *knobs = hl_workbench_knobs (self->workbench);

  gtk_list_store_clear (self->store);
  for (int p = 0; s != NULL && p < s->n_parameters && p < (int)knobs->len; p++) {
    const HlKnob *knob = knobs->pdata[p];
    double value = hl_knob_value (knob, hl_workbench_document (self->workbench));
    for (int e = 0; e < s->n_states; e++) {
      if (s->null[e] || s->im[e] < 0)
        continue;
      int at = p * s->n_states + e;
      double size = hypot (s->re[e], s->im[e]);
      g_autofree char *lambda = lambda_text (s->re[e], s->im[e]);
      g_autofree char *note = note_text (s, at);
      gtk_list_store_insert_with_values (
          self->store, NULL, -1, COLUMN_LAMBDA, lambda, COLUMN_SLIDER, knob->label, COLUMN_D_RE,
          s->d_re[at], COLUMN_D_IM, s->d_im[at], COLUMN_RELATIVE,
          isnan (s->d_re[at]) ? -INFINITY : fabs (value) * hypot (s->d_re[at], s->d_im[at]) / size,
          COLUMN_ERROR, fabs (value) * s->error[at] / size, COLUMN_NOTE, note, COLUMN_RE, s->re[e],
          -1);
    }
  }
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlSensitivityWindow *self)
{
  if (changes & (HL_CHANGED_LOCUS | HL_CHANGED_KNOBS))
    refresh (self);
}

static void
number_cell (GtkTreeViewColumn *column,
             GtkCellRenderer *cell,
             GtkTreeModel *model,
             GtkTreeIter *row,
             gpointer which)
{
  double value;
  char text[48];

  gtk_tree_model_get (model, row, GPOINTER_TO_INT (which), &value, -1);
  hl_axis_format (value, DIGITS, text, sizeof text);
  g_object_set (cell, "text", isfinite (value) ? text : "–", NULL);
}

static void
add_column (GtkWidget *view, const char *title, const char *help, int which, int sort)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *column = gtk_tree_view_column_new ();
  GtkWidget *label = gtk_label_new (title);

  gtk_tree_view_column_set_widget (column, label);
  gtk_widget_set_tooltip_text (label, help);
  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_sort_column_id (column, sort);
  gtk_tree_view_column_set_resizable (column, TRUE);
  if (which == COLUMN_LAMBDA || which == COLUMN_SLIDER || which == COLUMN_NOTE) {
    gtk_tree_view_column_add_attribute (column, cell, "text", which);
    gtk_tree_view_column_set_expand (column, which == COLUMN_SLIDER);
  } else {
    g_object_set (cell, "xalign", 1.0, NULL);
    gtk_tree_view_column_set_cell_data_func (column, cell, number_cell, GINT_TO_POINTER (which),
                                             NULL);
  }
  gtk_tree_view_append_column (GTK_TREE_VIEW (view), column);
}

static void
hl_sensitivity_window_dispose (GObject *object)
{
  HlSensitivityWindow *self = HL_SENSITIVITY_WINDOW (object);

  g_clear_object (&self->store);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_sensitivity_window_parent_class)->dispose (object);
}

static void
hl_sensitivity_window_class_init (HlSensitivityWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_sensitivity_window_dispose;
}

static void
hl_sensitivity_window_init (HlSensitivityWindow *self)
{
  GtkWidget *view, *scrolled = gtk_scrolled_window_new ();

  self->store =
      gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE,
                          G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_STRING, G_TYPE_DOUBLE);
  gtk_tree_sortable_set_sort_column_id (GTK_TREE_SORTABLE (self->store), COLUMN_RELATIVE,
                                        GTK_SORT_DESCENDING);
  view = gtk_tree_view_new_with_model (GTK_TREE_MODEL (self->store));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Sensitivities"), -1);
  add_column (view, "λ [rad/s]", _ ("Eigenvalue"), COLUMN_LAMBDA, COLUMN_RE);
  add_column (view, _ ("slider p"), _ ("The parameter"), COLUMN_SLIDER, COLUMN_SLIDER);
  add_column (view, "∂Re λ/∂p", _ ("Per SI unit of the slider"), COLUMN_D_RE, COLUMN_D_RE);
  add_column (view, "∂Im λ/∂p", _ ("Per SI unit of the slider"), COLUMN_D_IM, COLUMN_D_IM);
  add_column (view, "p |∂λ/∂p| / |λ|",
              _ ("Relative change of the eigenvalue per relative change of the slider"),
              COLUMN_RELATIVE, COLUMN_RELATIVE);
  add_column (view, _ ("error"), _ ("Estimated error of the relative sensitivity"), COLUMN_ERROR,
              COLUMN_ERROR);
  add_column (view, _ ("note"), _ ("Why there is no slope, or where it holds"), COLUMN_NOTE,
              COLUMN_NOTE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_window_set_titlebar (GTK_WINDOW (self), gtk_header_bar_new ());
  gtk_window_set_child (GTK_WINDOW (self), scrolled);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Sensitivities"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
}

int
hl_sensitivity_window_n_rows (HlSensitivityWindow *self)
{
  return gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->store), NULL);
}

GtkWidget *
hl_sensitivity_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  HlSensitivityWindow *self = g_object_new (HL_TYPE_SENSITIVITY_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refresh (self);
  return GTK_WIDGET (self);
}
