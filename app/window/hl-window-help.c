/* SPDX-License-Identifier: MIT */
/* F1: help on what the pointer is over, on what has the keyboard, or on what is selected, the first of these
 * that says something. */
#include "app/window/hl-window-private.h"

#include "ui/bench/hl-editing.h"
#include "ui/help/hl-help-window.h"

/* The innermost widget under the pointer; NULL: the pointer is not over the window. */
static GtkWidget *under_pointer (HlWindow *self) {
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (self));
  GdkSeat *seat = gdk_display_get_default_seat (display);
  GdkDevice *pointer = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  double x, y, shift_x, shift_y;

  if (pointer == NULL || surface == NULL ||
      gdk_device_get_surface_at_position (pointer, NULL, NULL) != surface ||
      !gdk_surface_get_device_position (surface, pointer, &x, &y, NULL))
    return NULL;
  gtk_native_get_surface_transform (GTK_NATIVE (self), &shift_x, &shift_y);
  return gtk_widget_pick (GTK_WIDGET (self), x - shift_x, y - shift_y, GTK_PICK_DEFAULT);
}

static gboolean is_in (GtkWidget *widget, gpointer pane) {
  return widget != NULL && pane != NULL && (widget == pane || gtk_widget_is_ancestor (widget, pane));
}

/* The page on the pane that a widget is in; NULL: on none, or on a drawing, where elements are asked
 * about. */
static const char *topic_at (HlWindow *self, GtkWidget *widget) {
  const struct {
    gpointer pane;
    const char *topic;
  } panes[] = {
      {self->plot_pane, "plots"},    {self->locus_view, "locus"},  {self->eigen_table, "eigenvalues"},
      {self->knob_panel, "sliders"}, {self->locus_box, "locus"},   {self->lever_panel, "levers"},
      {self->time_bar, "time"},      {self->problems, "problems"}, {self->lesson, "lesson"},
      {self->author, "lesson"},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (panes); k++)
    if (is_in (widget, panes[k].pane))
      return panes[k].topic;
  return NULL;
}

static void present (GtkWidget *help) {
  gtk_window_present (GTK_WINDOW (help));
}

static void help_on_topic (HlWindow *self, const char *topic) {
  present (hl_help_window_new_topic (self->workbench, GTK_WINDOW (self), topic));
}

/* A row of the properties: the page of its element, there. FALSE: the widget is in none of an element's
 * rows. */
static gboolean help_on_property (HlWindow *self, GtkWidget *widget) {
  const char *id = hl_workbench_selected (self->workbench);
  const char *field =
      is_in (widget, self->inspector) && id != NULL ? hl_inspector_field_at (self->inspector, widget) : NULL;

  if (field == NULL)
    return FALSE;
  GtkWidget *help = hl_help_window_new (self->workbench, GTK_WINDOW (self), NULL, id);
  hl_help_window_point_at (HL_HELP_WINDOW (help), field);
  present (help);
  return TRUE;
}

void hl_window_help_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  GtkWidget *pointed = under_pointer (self), *focus = gtk_window_get_focus (GTK_WINDOW (self));
  const char *tool = hl_palette_asked (self->circuit_palette);
  const char *selected = hl_workbench_selected (self->workbench);
  const char *topic = topic_at (self, pointed);

  (void)action;
  (void)parameter;
  if (tool == NULL)
    tool = hl_palette_asked (self->linkage_palette);
  gboolean is_over_drawing = is_in (pointed, self->circuit_view) || is_in (pointed, self->linkage_view);
  if (topic == NULL && (selected == NULL || !is_over_drawing))
    topic = topic_at (self, focus);
  if (tool == NULL && topic != NULL) {
    help_on_topic (self, topic);
    return;
  }
  if (tool == NULL && (help_on_property (self, pointed) || help_on_property (self, focus)))
    return;
  if (tool == NULL && selected == NULL) {
    gpointer at = pointed != NULL ? pointed : focus;
    help_on_topic (self, is_in (at, self->linkage_view) ? "linkage"
                         : is_in (at, self->inspector)  ? "properties"
                         : is_in (at, self->outline)    ? "outline"
                                                        : "circuit");
    return;
  }
  present (hl_help_window_new (self->workbench, GTK_WINDOW (self), tool, selected));
}
