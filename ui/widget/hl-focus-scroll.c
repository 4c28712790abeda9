/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-focus-scroll.h"

#define FRAMES_TO_LAY_OUT 2 /* what a frame begins with comes before its layout */

static void scroll_to (GtkViewport *viewport, GtkWidget *widget) {
  GtkWidget *content = gtk_viewport_get_child (viewport);
  graphene_rect_t bounds;

  if (content == NULL || !gtk_widget_is_ancestor (widget, content) ||
      !gtk_widget_compute_bounds (widget, content, &bounds))
    return;
  gtk_adjustment_clamp_page (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport)), bounds.origin.y,
                             bounds.origin.y + bounds.size.height);
}

static void focus_cb (GtkWindow *window, GParamSpec *pspec, GtkViewport *viewport) {
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus != NULL && gtk_widget_get_native (focus) == GTK_NATIVE (window))
    scroll_to (viewport, focus);
}

static gboolean show_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer n_frames) {
  if (++*(int *)n_frames < FRAMES_TO_LAY_OUT)
    return G_SOURCE_CONTINUE;
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  if (viewport != NULL && gtk_widget_get_mapped (widget))
    scroll_to (GTK_VIEWPORT (viewport), widget);
  return G_SOURCE_REMOVE;
}

void hl_focus_scroll_show (GtkWidget *widget) {
  gtk_widget_add_tick_callback (widget, show_cb, g_new0 (int, 1), g_free);
}

static void watch_below (GtkWidget *widget, GtkWindow *window) {
  if (GTK_IS_VIEWPORT (widget)) {
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (widget), FALSE);
    g_signal_connect_object (window, "notify::focus-widget", G_CALLBACK (focus_cb), widget, 0);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    watch_below (child, window);
}

void hl_focus_scroll_watch (GtkWindow *window) {
  watch_below (GTK_WIDGET (window), window);
}
