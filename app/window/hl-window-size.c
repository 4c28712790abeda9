/* SPDX-License-Identifier: MIT */
/* In a narrow window the header's buttons step back behind the title, and the panes share what
 * there is as in a first window of that size. */
#include "app/window/hl-window-private.h"

/* Before the layout of a frame: what changes after it is laid out again within the same one, which
 * GTK does only a few times before it paints what has no place yet. */
static gboolean fit_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  int width = gdk_surface_get_width (surface), height = gdk_surface_get_height (surface);
  gboolean is_other = hl_side_pane_fit (self->side, height);

  self->fit_id = 0;
  is_other |= hl_header_bar_fit (self->header, width);
  if (is_other)
    hl_window_place_panes (self, width, height);
  return G_SOURCE_REMOVE;
}

static void layout_cb (GdkSurface *surface, int width, int height, HlWindow *self) {
  if (self->fit_id == 0)
    self->fit_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), fit_cb, NULL, NULL);
}

static gboolean lay_out_cb (GtkWidget *paned, GdkFrameClock *clock, gpointer data) {
  gtk_widget_queue_resize (paned);
  return G_SOURCE_REMOVE;
}

/* A border that is dragged has only its two sides laid out anew, and what lies between it and the window not.
 * When a scroll bar comes or goes at that and something beside, as the line at the foot, is laid out in the
 * same frame, GTK 4.8 forgets what lies between, and does not paint it. So all of it is laid out with the
 * frame. */
static void border_moved_cb (GtkWidget *paned) {
  gtk_widget_add_tick_callback (paned, lay_out_cb, NULL, NULL);
}

void hl_window_watch_size (HlWindow *self) {
  GtkPaned *borders[] = {self->main_paned, self->outline_paned, self->left_paned,
                         hl_drawing_pane_border (self->drawings), hl_side_pane_border (self->side)};
  int width, height;

  for (gsize i = 0; i < G_N_ELEMENTS (borders); i++)
    g_signal_connect (borders[i], "notify::position", G_CALLBACK (border_moved_cb), NULL);
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  /* a header that keeps its words would not let the window become as narrow as was asked for */
  hl_header_bar_measure (self->header, width);
  hl_side_pane_fit (self->side, height);
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout", G_CALLBACK (layout_cb), self,
                           0);
}
