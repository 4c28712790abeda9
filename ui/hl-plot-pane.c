/* SPDX-License-Identifier: MIT */
#include "ui/hl-plot-pane.h"

#include "core/document/hl-i18n.h"

struct _HlPlotPane
{
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GPtrArray *panels; /* HlPlotPanel of the views */
  GPtrArray *views;  /* HlPlotView, borrowed */
  GtkWidget *empty;
  gboolean show_linear;
  gboolean following; /* a range is being handed on */
};

G_DEFINE_FINAL_TYPE (HlPlotPane, hl_plot_pane, GTK_TYPE_BOX)

static void
x_range_changed_cb (HlPlotView *source, HlPlotPane *self)
{
  double from, to;

  if (self->following)
    return;
  self->following = TRUE;
  hl_plot_view_get_x_range (source, &from, &to);
  for (guint i = 0; i < self->views->len; i++)
    if (self->views->pdata[i] != source)
      hl_plot_view_set_x_range (self->views->pdata[i], from, to);
  self->following = FALSE;
}

static gboolean
same_panels (const GPtrArray *a, const GPtrArray *b)
{
  if (a == NULL || a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++) {
    const HlPlotPanel *x = a->pdata[i], *y = b->pdata[i];
    if (g_strcmp0 (x->title, y->title) != 0 ||
        !g_strv_equal ((const char *const *)x->traces, (const char *const *)y->traces))
      return FALSE;
  }
  return TRUE;
}

static void
rebuild (HlPlotPane *self)
{
  GPtrArray *panels = hl_plot_panels_of_document (hl_workbench_document (self->workbench));

  if (same_panels (self->panels, panels)) {
    g_ptr_array_unref (panels);
    return;
  }
  for (guint i = 0; i < self->views->len; i++)
    gtk_box_remove (GTK_BOX (self), self->views->pdata[i]);
  g_ptr_array_set_size (self->views, 0);
  g_clear_pointer (&self->panels, g_ptr_array_unref);
  self->panels = panels;
  for (guint i = 0; i < panels->len; i++) {
    GtkWidget *view = hl_plot_view_new (self->workbench, panels->pdata[i]);
    hl_plot_view_set_show_linear (HL_PLOT_VIEW (view), self->show_linear);
    g_signal_connect (view, "x-range-changed", G_CALLBACK (x_range_changed_cb), self);
    gtk_box_append (GTK_BOX (self), view);
    g_ptr_array_add (self->views, view);
  }
  gtk_widget_set_visible (self->empty, panels->len == 0);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlPlotPane *self)
{
  if (changes & HL_CHANGED_DOCUMENT)
    rebuild (self);
}

static void
hl_plot_pane_dispose (GObject *object)
{
  HlPlotPane *self = HL_PLOT_PANE (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->panels, g_ptr_array_unref);
  g_clear_pointer (&self->views, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_plot_pane_parent_class)->dispose (object);
}

static void
hl_plot_pane_class_init (HlPlotPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_plot_pane_dispose;
}

static void
hl_plot_pane_init (HlPlotPane *self)
{
  self->show_linear = TRUE;
  self->views = g_ptr_array_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_homogeneous (GTK_BOX (self), TRUE);
  self->empty =
      gtk_label_new (_ ("Nothing is recorded yet.\nAdd probes to the model to see traces here."));
  gtk_label_set_justify (GTK_LABEL (self->empty), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->empty, "dim-label");
  gtk_box_append (GTK_BOX (self), self->empty);
}

void
hl_plot_pane_set_workbench (HlPlotPane *self, HlWorkbench *workbench)
{
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  rebuild (self);
}

int
hl_plot_pane_n_views (HlPlotPane *self)
{
  return (int)self->views->len;
}

HlPlotView *
hl_plot_pane_view (HlPlotPane *self, int index)
{
  return self->views->pdata[index];
}

void
hl_plot_pane_fit (HlPlotPane *self)
{
  for (guint i = 0; i < self->views->len; i++)
    hl_plot_view_fit (self->views->pdata[i]);
}

void
hl_plot_pane_set_show_linear (HlPlotPane *self, gboolean show)
{
  self->show_linear = show;
  for (guint i = 0; i < self->views->len; i++)
    hl_plot_view_set_show_linear (self->views->pdata[i], show);
}
