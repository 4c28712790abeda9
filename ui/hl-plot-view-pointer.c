/* SPDX-License-Identifier: MIT */
/* What pointer and keys do to a plot. A press decides what a drag will be: the cursor, a box, or a
 * pan. */
#include "ui/hl-plot-view-private.h"

#include <math.h>

#define DRAG_START_PX 5.0

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, HlPlotView *self)
{
  GdkModifierType modifiers =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  HlStyle style;
  HlPlotLayout layout;
  int index;

  hl_plot_view_lay_out (self, &style, &layout);
  HlPlot *plot = hl_plot_view_picture (self, &style);
  HlPlotPart part = hl_plot_hit (&layout, plot, self->pointer, &index);
  gboolean only_x = part == HL_PLOT_X_AXIS || (modifiers & GDK_CONTROL_MASK);
  gboolean only_y =
      part == HL_PLOT_LEFT_AXIS || part == HL_PLOT_RIGHT_AXIS || (modifiers & GDK_SHIFT_MASK);
  if (part == HL_PLOT_NOWHERE || part == HL_PLOT_LEGEND)
    return FALSE;
  hl_plot_view_zoom_at (self, self->pointer, pow (HL_PLOT_WHEEL_STEP, -(dy != 0 ? dy : dx)),
                        !only_y, !only_x);
  return TRUE;
}

static void
set_time_at (HlPlotView *self, double device_x)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  hl_workbench_set_time (self->workbench, hl_plot_x_at (&layout, plot, device_x));
}

static HlPlotDrag
what_to_drag (HlPlotView *self, guint button, HlSpot at)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  HlPlotCursor cursor = {.x = hl_workbench_time (self->workbench)};
  int index;

  if (button == GDK_BUTTON_MIDDLE || self->space_held)
    return HL_PLOT_DRAG_PAN;
  if (button != GDK_BUTTON_PRIMARY)
    return HL_PLOT_DRAG_NOTHING;
  plot->cursors = &cursor;
  plot->n_cursors = 1;
  HlPlotPart part = hl_plot_hit (&layout, plot, at, &index);
  return part == HL_PLOT_CURSOR  ? HL_PLOT_DRAG_CURSOR
         : part == HL_PLOT_FRAME ? HL_PLOT_DRAG_BOX
         : part == HL_PLOT_X_AXIS || part == HL_PLOT_LEFT_AXIS || part == HL_PLOT_RIGHT_AXIS
             ? HL_PLOT_DRAG_PAN
             : HL_PLOT_DRAG_NOTHING;
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->drag_from = (HlSpot){x, y};
  self->drag = what_to_drag (
      self, gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)), self->drag_from);
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  self->pan_x = plot->x.axis;
  self->pan_left = plot->left.axis;
  self->pan_right = plot->right.axis;
  if (self->drag == HL_PLOT_DRAG_PAN)
    hl_plot_view_remember (self);
}

static void
pan_to (HlPlotView *self, double dx, double dy)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  gboolean y = self->drag_from.y < layout.frame.y + layout.frame.height;
  gboolean x = self->drag_from.x > layout.frame.x;

  plot->x.axis = self->pan_x;
  plot->left.axis = self->pan_left;
  plot->right.axis = self->pan_right;
  hl_axis_pan (&plot->x.axis, -dx / layout.frame.width);
  hl_axis_pan (&plot->left.axis, dy / layout.frame.height);
  hl_axis_pan (&plot->right.axis, dy / layout.frame.height);
  hl_plot_view_keep_axes (self, plot, x, y);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, HlPlotView *self)
{
  if (self->drag == HL_PLOT_DRAG_CURSOR)
    set_time_at (self, self->drag_from.x + dx);
  else if (self->drag == HL_PLOT_DRAG_PAN)
    pan_to (self, dx, dy);
  else if (self->drag == HL_PLOT_DRAG_BOX && hypot (dx, dy) > DRAG_START_PX)
    self->box = (HlRect){fmin (self->drag_from.x, self->drag_from.x + dx),
                         fmin (self->drag_from.y, self->drag_from.y + dy), fabs (dx), fabs (dy)};
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A box that is nearly a line zooms along it only. */
static void
zoom_to_box (HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  HlRect box = self->box;
  gboolean x = box.width > 2 * DRAG_START_PX, y = box.height > 2 * DRAG_START_PX;

  hl_plot_view_remember (self);
  double left = hl_plot_x_at (&layout, plot, box.x);
  double right = hl_plot_x_at (&layout, plot, box.x + box.width);
  double low = hl_plot_y_at (&layout, plot, box.y + box.height, FALSE);
  double high = hl_plot_y_at (&layout, plot, box.y, FALSE);
  double low_right = hl_plot_y_at (&layout, plot, box.y + box.height, TRUE);
  double high_right = hl_plot_y_at (&layout, plot, box.y, TRUE);
  if (x) {
    plot->x.axis.min = left;
    plot->x.axis.max = right;
  }
  if (y) {
    plot->left.axis.min = low;
    plot->left.axis.max = high;
    plot->right.axis.min = low_right;
    plot->right.axis.max = high_right;
  }
  hl_plot_view_keep_axes (self, plot, x, y);
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, HlPlotView *self)
{
  if (self->drag == HL_PLOT_DRAG_BOX && self->box.width + self->box.height > 0)
    zoom_to_box (self);
  else if (self->drag == HL_PLOT_DRAG_BOX)
    set_time_at (self, self->drag_from.x);
  self->box = (HlRect){0};
  self->drag = HL_PLOT_DRAG_NOTHING;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_cancel_cb (GtkGesture *gesture, GdkEventSequence *sequence, HlPlotView *self)
{
  self->box = (HlRect){0};
  self->drag = HL_PLOT_DRAG_NOTHING;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;
  int index;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  HlPlotPart part = hl_plot_hit (&layout, plot, (HlSpot){x, y}, &index);

  if (part == HL_PLOT_LEGEND) {
    hl_plot_scene_toggle (self->scene, index);
    gtk_widget_queue_draw (GTK_WIDGET (self));
  } else if (n_press == 2) {
    hl_plot_view_fit (self);
  }
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlotCursor cursor = {.x = hl_workbench_time (self->workbench)};
  int index;

  self->pointer = (HlSpot){x, y};
  self->pointer_inside = TRUE;
  if (self->drag != HL_PLOT_DRAG_NOTHING)
    return;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  plot->cursors = &cursor;
  plot->n_cursors = 1;
  HlPlotPart part = hl_plot_hit (&layout, plot, self->pointer, &index);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), part == HL_PLOT_CURSOR   ? "col-resize"
                                                      : part == HL_PLOT_LEGEND ? "pointer"
                                                      : part == HL_PLOT_FRAME  ? "crosshair"
                                                                               : NULL);
  int hovered =
      part == HL_PLOT_LEGEND ? index : hl_plot_series_at (&layout, plot, self->pointer, 5);
  if (hovered != self->hovered) {
    self->hovered = hovered;
    gtk_widget_queue_draw (GTK_WIDGET (self));
  }
}

static void
leave_cb (GtkEventControllerMotion *controller, HlPlotView *self)
{
  self->pointer_inside = FALSE;
  self->hovered = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint keyval,
                guint keycode,
                GdkModifierType state,
                HlPlotView *self)
{
  double step = hl_workbench_t_end (self->workbench) / ((state & GDK_SHIFT_MASK) ? 20 : 200);
  double t = hl_workbench_time (self->workbench);

  switch (keyval) {
  case GDK_KEY_space:
    self->space_held = TRUE;
    return TRUE;
  case GDK_KEY_Left:
    hl_workbench_set_time (self->workbench, t - step);
    return TRUE;
  case GDK_KEY_Right:
    hl_workbench_set_time (self->workbench, t + step);
    return TRUE;
  case GDK_KEY_BackSpace:
    hl_plot_view_step_back (self);
    return TRUE;
  default:
    return FALSE;
  }
}

static void
key_released_cb (GtkEventControllerKey *controller,
                 guint keyval,
                 guint keycode,
                 GdkModifierType state,
                 HlPlotView *self)
{
  if (keyval == GDK_KEY_space)
    self->space_held = FALSE;
}

void
hl_plot_view_add_controllers (HlPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  GtkGesture *drag = gtk_gesture_drag_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (drag_cancel_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));

  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (widget, scroll);

  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);

  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect (keys, "key-released", G_CALLBACK (key_released_cb), self);
  gtk_widget_add_controller (widget, keys);
}
