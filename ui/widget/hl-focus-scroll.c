/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-focus-scroll.h"

static void
focus_cb (GtkWindow *window, GParamSpec *pspec, GtkViewport *viewport)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  GtkWidget *content = gtk_viewport_get_child (viewport);
  graphene_rect_t bounds;

  if (focus == NULL || content == NULL || !gtk_widget_is_ancestor (focus, content) ||
      gtk_widget_get_native (focus) != GTK_NATIVE (window) ||
      !gtk_widget_compute_bounds (focus, content, &bounds))
    return;
  gtk_adjustment_clamp_page (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport)),
                             bounds.origin.y, bounds.origin.y + bounds.size.height);
}

static void
watch_below (GtkWidget *widget, GtkWindow *window)
{
  if (GTK_IS_VIEWPORT (widget)) {
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (widget), FALSE);
    g_signal_connect_object (window, "notify::focus-widget", G_CALLBACK (focus_cb), widget, 0);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    watch_below (child, window);
}

void
hl_focus_scroll_watch (GtkWindow *window)
{
  watch_below (GTK_WIDGET (window), window);
}
