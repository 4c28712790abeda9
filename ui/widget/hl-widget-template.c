/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-widget-template.h"

#include "hl-resources.h"

#include <math.h>

void hl_widget_tree_load (gpointer klass, const char *name) {
  g_autofree char *path = g_strdup_printf (HL_RESOURCE_BASE "/ui/%s.ui", name);

  /* a test may use the class without an application that has done it; twice does no harm */
  g_resources_register (hl_resources_get_resource ());
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass), path);
}

/* Returns whether the wheel changes the value of a widget. */
static gboolean is_value (GtkWidget *widget) {
  return GTK_IS_SCALE (widget) || GTK_IS_SPIN_BUTTON (widget);
}

/* Scrolls by notches as GtkScrolledWindow does it, by finger movements as far as they go. */
static void scroll_by (GtkEventControllerScroll *controller, GtkAdjustment *adjustment, double dy) {
  gboolean is_finger = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;
  double notch = is_finger ? 1.0 : pow (gtk_adjustment_get_page_size (adjustment), 2.0 / 3.0);

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + dy * notch);
}

static gboolean wheel_cb (GtkEventControllerScroll *controller, double dx, double dy, gpointer none) {
  GtkWidget *window = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));
  double x, y, left, top;
  gboolean is_on_value = FALSE;

  /* a popover is a surface of its own */
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GdkDevice *pointer = event != NULL ? gdk_seat_get_pointer (gdk_event_get_seat (event)) : NULL;
  if (pointer == NULL || gdk_event_get_surface (event) != surface ||
      !gdk_surface_get_device_position (surface, pointer, &x, &y, NULL))
    return FALSE;
  gtk_native_get_surface_transform (GTK_NATIVE (window), &left, &top);
  GtkWidget *at = gtk_widget_pick (window, x - left, y - top, GTK_PICK_DEFAULT);
  for (; at != NULL && !GTK_IS_SCROLLED_WINDOW (at); at = gtk_widget_get_parent (at))
    is_on_value = is_on_value || is_value (at);
  if (at == NULL || !is_on_value)
    return FALSE;
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (at));
  if (gtk_adjustment_get_upper (adjustment) <= gtk_adjustment_get_page_size (adjustment))
    return FALSE;
  scroll_by (controller, adjustment, dy);
  return TRUE;
}

void hl_wheel_scrolls_panes (GtkWidget *window) {
  GtkEventController *wheel = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  g_signal_connect (wheel, "scroll", G_CALLBACK (wheel_cb), NULL);
  gtk_widget_add_controller (window, wheel);
}

void hl_widget_set_class (GtkWidget *widget, const char *name, gboolean has) {
  if (has)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}
