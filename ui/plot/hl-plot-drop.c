/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-plot-drop.h"

#include "ui/plot/hl-plot-view.h"

#define HELD_ABOVE "hydrolink-held-above" /* the plot, of the widget that was pulled from */

typedef struct {
  HlPlotDragText text;
  gpointer data;
} Source;

static GdkContentProvider *prepare_cb (GtkDragSource *drag, double x, double y, const Source *source) {
  g_autofree char *text = source->text (source->data);
  return text != NULL ? gdk_content_provider_new_typed (G_TYPE_STRING, text) : NULL;
}

static void free_source (gpointer data, GClosure *closure) {
  g_free (data);
}

void hl_plot_drag_source_add (GtkWidget *widget, HlPlotDragText text, gpointer data) {
  GtkDragSource *drag = gtk_drag_source_new ();
  Source *source = g_new (Source, 1);

  *source = (Source){text, data};
  g_signal_connect_data (drag, "prepare", G_CALLBACK (prepare_cb), source, free_source, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

static char *copy_text (gpointer widget) {
  return g_strdup (g_object_get_data (widget, "hydrolink-drag-text"));
}

void hl_plot_drag_source_add_text (GtkWidget *widget, const char *text) {
  g_object_set_data_full (G_OBJECT (widget), "hydrolink-drag-text", g_strdup (text), g_free);
  hl_plot_drag_source_add (widget, copy_text, widget);
}

static HlPlotView *plot_at (GtkWidget *from, double x, double y) {
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (from));
  graphene_point_t at;

  if (root == NULL || !gtk_widget_compute_point (from, root, &GRAPHENE_POINT_INIT ((float)x, (float)y), &at))
    return NULL;
  GtkWidget *target = gtk_widget_pick (root, at.x, at.y, GTK_PICK_DEFAULT);
  GtkWidget *plot = target != NULL ? gtk_widget_get_ancestor (target, HL_TYPE_PLOT_VIEW) : NULL;
  return plot != NULL ? HL_PLOT_VIEW (plot) : NULL;
}

gboolean hl_plot_is_at (GtkWidget *from, double x, double y) {
  return plot_at (from, x, y) != NULL;
}

gboolean hl_plot_drop_at (GtkWidget *from, double x, double y, const char *text) {
  HlPlotView *plot = plot_at (from, x, y);
  return plot != NULL && hl_plot_view_drop (plot, text);
}

static void hold_above (GtkWidget *from, HlPlotView *plot) {
  HlPlotView *before = g_object_get_data (G_OBJECT (from), HELD_ABOVE);

  if (plot == before)
    return;
  if (before != NULL)
    hl_plot_view_set_dropping (before, FALSE);
  if (plot != NULL)
    hl_plot_view_set_dropping (plot, TRUE);
  g_object_set_data_full (G_OBJECT (from), HELD_ABOVE, plot != NULL ? g_object_ref (plot) : NULL,
                          plot != NULL ? g_object_unref : NULL);
}

void hl_plot_hold_above (GtkWidget *from, double x, double y) {
  hold_above (from, plot_at (from, x, y));
}

void hl_plot_hold_nowhere (GtkWidget *from) {
  hold_above (from, NULL);
}
