/* SPDX-License-Identifier: MIT */
/* What the pointer does to a plot. A press decides what a drag will be: the cursor, a box, or a
 * pan; one that begins on an axis is a pan along it or, going into the frame, a box. The keys are
 * in hl-plot-view-keys.c. */
#include "ui/hl-plot-view-private.h"

#include <math.h>

#define DRAG_START_PX 5.0
#define HOVER_PX 5.0
#define ALONG_AXIS 0.4 /* across over along, of a drag that still is a pan of that axis */
#define THUMB_BACK 8
#define THUMB_FORWARD 9

/* Over an axis that axis only; with Ctrl only x, with Shift only the values. */
static HlPlotAlong
along_of (HlPlotPart part, GdkModifierType modifiers)
{
  switch (part) {
  case HL_PLOT_X_AXIS:
    return HL_PLOT_ALONG_X;
  case HL_PLOT_LEFT_AXIS:
    return HL_PLOT_ALONG_LEFT;
  case HL_PLOT_RIGHT_AXIS:
    return HL_PLOT_ALONG_RIGHT;
  default:
    return modifiers & GDK_CONTROL_MASK ? HL_PLOT_ALONG_X
           : modifiers & GDK_SHIFT_MASK ? HL_PLOT_ALONG_Y
                                        : HL_PLOT_ALONG_ALL;
  }
}

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
  if (part == HL_PLOT_NOWHERE || part == HL_PLOT_LEGEND)
    return FALSE;
  hl_plot_view_remember_run (self);
  hl_plot_view_zoom_at (self, self->pointer, pow (HL_PLOT_WHEEL_STEP, -(dy != 0 ? dy : dx)),
                        along_of (part, modifiers));
  return TRUE;
}

/* Moves the cursor that is held to a place of the frame. */
static void
drag_cursor_to (HlPlotView *self, double device_x)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  double t = hl_plot_x_at (&layout, plot, device_x), a, b;

  hl_workbench_span (self->workbench, &a, &b);
  if (self->drag_cursor == 1)
    hl_workbench_set_span (self->workbench, t, b);
  else if (self->drag_cursor == 2)
    hl_workbench_set_span (self->workbench, a, t);
  else
    hl_workbench_set_time (self->workbench, t);
}

void
hl_plot_view_toggle_span (HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;
  double a, b;

  if (hl_workbench_span (self->workbench, &a, &b)) {
    hl_workbench_clear_span (self->workbench);
    return;
  }
  /* at the thirds of what is in view */
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  gboolean time = hl_plot_scene_is_over_time (self->scene);
  double t_end = hl_workbench_t_end (self->workbench);
  double low = time ? fmax (plot->x.axis.min, 0) : 0;
  double high = time ? fmin (plot->x.axis.max, t_end) : t_end;
  hl_workbench_set_span (self->workbench, low + (high - low) / 3, high - (high - low) / 3);
}

static HlPlotDrag
what_to_drag (HlPlotView *self, guint button, HlSpot at)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  int index;

  if (button == GDK_BUTTON_MIDDLE || self->space_held)
    return HL_PLOT_DRAG_PAN;
  if (button != GDK_BUTTON_PRIMARY)
    return HL_PLOT_DRAG_NOTHING;
  HlPlotPart part = hl_plot_hit (&layout, plot, at, &index);
  self->drag_cursor = part == HL_PLOT_CURSOR ? index : 0;
  return part == HL_PLOT_CURSOR                             ? HL_PLOT_DRAG_CURSOR
         : part == HL_PLOT_LEGEND || plot->n_bars > 0       ? HL_PLOT_DRAG_NOTHING
         : part == HL_PLOT_FRAME || part == HL_PLOT_NOWHERE ? HL_PLOT_DRAG_BOX
                                                            : HL_PLOT_DRAG_AXIS;
}

/* What is put back when the drag is given up. */
static void
keep_state (HlPlotView *self)
{
  self->before.ranges = self->ranges;
  self->before.time = hl_workbench_time (self->workbench);
  self->before.measuring = hl_workbench_span (self->workbench, &self->before.a, &self->before.b);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  keep_state (self);
  self->hover.series = -1;
  self->drag_from = (HlSpot){x, y};
  self->drag = what_to_drag (
      self, gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)), self->drag_from);
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  self->pan_x = plot->x.axis;
  self->pan_left = plot->left.axis;
  self->pan_right = plot->right.axis;
  HlPlotPart part = hl_plot_hit (&layout, plot, self->drag_from, &(int){0});
  self->pan_along = along_of (part, 0);
  if (self->drag == HL_PLOT_DRAG_PAN)
    hl_plot_view_remember (self);
}

/* A drag from an axis that has gone far enough to tell. */
static void
decide_from_axis (HlPlotView *self, double dx, double dy)
{
  gboolean is_x = self->pan_along == HL_PLOT_ALONG_X;
  double along = fabs (is_x ? dx : dy), across = fabs (is_x ? dy : dx);

  if (hypot (dx, dy) <= DRAG_START_PX)
    return;
  self->drag = across <= ALONG_AXIS * along ? HL_PLOT_DRAG_PAN : HL_PLOT_DRAG_BOX;
  if (self->drag == HL_PLOT_DRAG_PAN)
    hl_plot_view_remember (self);
}

static void
pan_to (HlPlotView *self, double dx, double dy)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);

  plot->x.axis = self->pan_x;
  plot->left.axis = self->pan_left;
  plot->right.axis = self->pan_right;
  hl_axis_pan (&plot->x.axis, -dx / layout.frame.width);
  hl_axis_pan (&plot->left.axis, dy / layout.frame.height);
  hl_axis_pan (&plot->right.axis, dy / layout.frame.height);
  hl_plot_view_keep_axes (self, plot, self->pan_along);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, HlPlotView *self)
{
  if (self->drag == HL_PLOT_DRAG_AXIS)
    decide_from_axis (self, dx, dy);
  if (self->drag == HL_PLOT_DRAG_CURSOR)
    drag_cursor_to (self, self->drag_from.x + dx);
  else if (self->drag == HL_PLOT_DRAG_PAN)
    pan_to (self, dx, dy);
  else if (self->drag == HL_PLOT_DRAG_BOX && hypot (dx, dy) > DRAG_START_PX)
    self->box = (HlRect){fmin (self->drag_from.x, self->drag_from.x + dx),
                         fmin (self->drag_from.y, self->drag_from.y + dy), fabs (dx), fabs (dy)};
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static HlRect
within (HlRect box, HlRect frame)
{
  double left = fmax (box.x, frame.x), top = fmax (box.y, frame.y);

  return (HlRect){left, top, fmin (box.x + box.width, frame.x + frame.width) - left,
                  fmin (box.y + box.height, frame.y + frame.height) - top};
}

/* The part of the box within the frame. A box that is nearly a line zooms along it only. */
static void
zoom_to_box (HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  HlRect box = within (self->box, layout.frame);
  gboolean x = box.width > 2 * DRAG_START_PX, y = box.height > 2 * DRAG_START_PX;

  if (!x && !y)
    return;
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
  hl_plot_view_keep_axes (self, plot, (x ? HL_PLOT_ALONG_X : 0) | (y ? HL_PLOT_ALONG_Y : 0));
}

static gboolean
is_in_frame (HlPlotView *self, HlSpot at)
{
  HlStyle style;
  HlPlotLayout layout;

  hl_plot_view_lay_out (self, &style, &layout);
  return hl_rect_contains (layout.frame, at);
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, HlPlotView *self)
{
  gboolean is_click = self->box.width + self->box.height == 0 && !self->is_double_click;

  if (self->drag == HL_PLOT_DRAG_BOX && !is_click && !self->is_double_click)
    zoom_to_box (self);
  else if (self->drag == HL_PLOT_DRAG_BOX && is_click && hl_plot_view_wants_traces (self))
    hl_plot_view_open_picker (self);
  else if (self->drag == HL_PLOT_DRAG_BOX && is_click && hl_plot_scene_is_over_time (self->scene) &&
           is_in_frame (self, self->drag_from))
    drag_cursor_to (self, self->drag_from.x);
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

gboolean
hl_plot_view_give_up_drag (HlPlotView *self)
{
  HlPlotDrag drag = self->drag;

  if (drag == HL_PLOT_DRAG_NOTHING)
    return FALSE;
  /* in this order: a gesture that is denied says that its drag has ended */
  drag_cancel_cb (self->drag_gesture, NULL, self);
  gtk_gesture_set_state (self->drag_gesture, GTK_EVENT_SEQUENCE_DENIED);
  if (drag == HL_PLOT_DRAG_PAN)
    hl_plot_view_take_back (self, &self->before.ranges);
  if (drag == HL_PLOT_DRAG_CURSOR && self->drag_cursor == 0)
    hl_workbench_set_time (self->workbench, self->before.time);
  else if (drag == HL_PLOT_DRAG_CURSOR && self->before.measuring)
    hl_workbench_set_span (self->workbench, self->before.a, self->before.b);
  return TRUE;
}

/* The two thumb buttons of a mouse. */
static void
thumb_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlPlotView *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button == THUMB_BACK)
    hl_plot_view_step_back (self);
  else if (button == THUMB_FORWARD)
    hl_plot_view_step_forward (self);
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;
  int index;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  HlPlotPart part = hl_plot_hit (&layout, plot, (HlSpot){x, y}, &index);

  self->is_double_click = n_press == 2 && part != HL_PLOT_LEGEND;
  if (n_press == 1)
    self->time_before_click = hl_workbench_time (self->workbench);
  if (part == HL_PLOT_LEGEND) {
    hl_plot_scene_toggle (self->scene, index);
    gtk_widget_queue_draw (GTK_WIDGET (self));
  } else if (n_press == 2) {
    /* the first of the two clicks was none of its own */
    if (part == HL_PLOT_FRAME || part == HL_PLOT_CURSOR)
      hl_workbench_set_time (self->workbench, self->time_before_click);
    hl_plot_view_fit_along (self, along_of (part, 0));
  }
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, HlPlotView *self)
{
  HlStyle style;
  HlPlotLayout layout;
  int index;

  self->pointer = (HlSpot){x, y};
  self->pointer_inside = TRUE;
  if (self->drag != HL_PLOT_DRAG_NOTHING)
    return;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  HlPlotPart part = hl_plot_hit (&layout, plot, self->pointer, &index);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), part == HL_PLOT_CURSOR   ? "col-resize"
                                                      : part == HL_PLOT_LEGEND ? "pointer"
                                                      : part == HL_PLOT_FRAME  ? "crosshair"
                                                                               : NULL);
  HlPlotPoint hover = {.series = -1};
  if (part == HL_PLOT_LEGEND)
    hover.series = index;
  else if (part == HL_PLOT_FRAME || part == HL_PLOT_CURSOR)
    hl_plot_point_at (&layout, plot, self->pointer, HOVER_PX, &hover);
  gboolean on_curve = part != HL_PLOT_LEGEND && hover.series >= 0;
  if (on_curve || self->hover_on_curve || hover.series != self->hover.series)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  self->hover = hover;
  self->hover_on_curve = on_curve;
}

static void
leave_cb (GtkEventControllerMotion *controller, HlPlotView *self)
{
  self->pointer_inside = FALSE;
  self->hover.series = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_plot_view_add_controllers (HlPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  GtkGesture *thumb = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (thumb), 0);
  g_signal_connect (thumb, "pressed", G_CALLBACK (thumb_pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (thumb));

  GtkGesture *drag = self->drag_gesture = gtk_gesture_drag_new ();
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

  hl_plot_view_add_keys (self);
}
