/* SPDX-License-Identifier: MIT */
/* What the pointer does to any chart. A press decides what a drag will be: a cursor, a box, or a
 * pan; one that begins on an axis is a pan along it or, going into the frame, a box. One that stays
 * in place is a click; with Ctrl it pins a data tip, which a drag from a tip moves. */
#include "ui/chart/hl-chart-private.h"

#include <math.h>

#define DRAG_START_PX 5.0
#define ALONG_AXIS 0.4 /* across over along, of a drag that still is a pan of that axis */
#define THUMB_BACK 8
#define THUMB_FORWARD 9

/* Over an axis that axis only; with Ctrl only x, with Shift only the values. */
static HlChartAlong along_of (HlChart *self, HlChartPart part, GdkModifierType modifiers) {
  HlChartAlong zooms = HL_CHART_GET_CLASS (self)->zooms;

  switch (part) {
  case HL_CHART_ON_X:
    return zooms & HL_CHART_ALONG_X;
  case HL_CHART_ON_LEFT:
    return zooms & HL_CHART_ALONG_LEFT;
  case HL_CHART_ON_RIGHT:
    return zooms & HL_CHART_ALONG_RIGHT;
  default:
    return zooms & (modifiers & GDK_CONTROL_MASK ? HL_CHART_ALONG_X
                    : modifiers & GDK_SHIFT_MASK ? HL_CHART_ALONG_Y
                                                 : HL_CHART_ALONG_ALL);
  }
}

static gboolean scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);
  GdkModifierType modifiers =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  HlChartAxes axes;
  int index;

  if (!hl_chart_lay_out (self, &axes))
    return FALSE;
  HlChartPart part = hl_chart_hit (self, chart->pointer, &index);
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartAlong along = along_of (self, part, modifiers);
  /* over time the wheel is for the time, and Ctrl for both */
  if ((part == HL_CHART_IN_FRAME || part == HL_CHART_ON_CURSOR || part == HL_CHART_ON_TIP) &&
      !(modifiers & GDK_SHIFT_MASK) && klass->is_over_time != NULL && klass->is_over_time (self))
    along = klass->zooms & (modifiers & GDK_CONTROL_MASK ? HL_CHART_ALONG_ALL : HL_CHART_ALONG_X);
  if (part == HL_CHART_NOWHERE || part == HL_CHART_ON_ENTRY || along == 0)
    return FALSE;
  hl_chart_remember_run (self);
  hl_chart_zoom_at (self, chart->pointer, pow (HL_CHART_WHEEL_STEP, -(dy != 0 ? dy : dx)), along);
  return TRUE;
}

/* --- drags --- */

static HlChartDrag what_to_drag (HlChart *self, guint button, HlSpot at, gboolean pins) {
  HlChartPrivate *chart = hl_chart_private (self);
  gboolean zooms = hl_chart_lay_out (self, &chart->pan);
  int index;

  HlChartPart part = hl_chart_hit (self, at, &index);
  chart->along = along_of (self, part, 0);
  if (zooms && (button == GDK_BUTTON_MIDDLE || chart->space_held))
    return HL_CHART_DRAG_PAN;
  if (button != GDK_BUTTON_PRIMARY)
    return HL_CHART_DRAG_NOTHING;
  if (part == HL_CHART_ON_TIP) {
    hl_chart_begin_tip (self, index);
    return HL_CHART_DRAG_TIP;
  }
  hl_chart_select_tip (self, -1);
  if (pins && hl_chart_pin_tip (self, at)) {
    hl_chart_begin_tip (self, (int)chart->tips->len - 1);
    return HL_CHART_DRAG_TIP; /* the same press moves it on */
  }
  chart->cursor = part == HL_CHART_ON_CURSOR ? index : 0;
  return part == HL_CHART_ON_CURSOR                              ? HL_CHART_DRAG_CURSOR
         : part == HL_CHART_ON_ENTRY || chart->pan.no_box        ? HL_CHART_DRAG_NOTHING
         : !zooms                                                ? HL_CHART_DRAG_PRESS
         : part == HL_CHART_IN_FRAME || part == HL_CHART_NOWHERE ? HL_CHART_DRAG_BOX
                                                                 : HL_CHART_DRAG_AXIS;
}

static void drag_begin_cb (GtkGestureDrag *gesture, double x, double y, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = hl_chart_private (self);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  chart->before = chart->ranges;
  if (klass->begin_drag != NULL)
    klass->begin_drag (self);
  chart->drag_from = (HlSpot){x, y};
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  chart->drag = what_to_drag (self, button, chart->drag_from, (modifiers & GDK_CONTROL_MASK) != 0);
  if (chart->drag == HL_CHART_DRAG_PAN)
    hl_chart_remember (self);
}

/* A drag from an axis that has gone far enough to tell. */
static void decide_from_axis (HlChart *self, double dx, double dy) {
  HlChartPrivate *chart = hl_chart_private (self);
  gboolean is_x = chart->along == HL_CHART_ALONG_X;
  double along = fabs (is_x ? dx : dy), across = fabs (is_x ? dy : dx);

  if (hypot (dx, dy) <= DRAG_START_PX)
    return;
  chart->drag = chart->along != 0 && across <= ALONG_AXIS * along ? HL_CHART_DRAG_PAN : HL_CHART_DRAG_BOX;
  if (chart->drag == HL_CHART_DRAG_PAN)
    hl_chart_remember (self);
}

static void pan_to (HlChart *self, double dx, double dy) {
  HlChartPrivate *chart = hl_chart_private (self);
  HlChartAxes axes = chart->pan;

  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (chart->along & (1 << k))
      hl_axis_pan (&axes.axes[k], k == HL_CHART_X ? -dx / axes.frame.width : dy / axes.frame.height);
  hl_chart_keep_axes (self, &axes, chart->along);
}

static void drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);
  HlSpot from = chart->drag_from;
  gboolean has_moved = hypot (dx, dy) > DRAG_START_PX;

  if (chart->drag == HL_CHART_DRAG_AXIS)
    decide_from_axis (self, dx, dy);
  if (chart->drag == HL_CHART_DRAG_PRESS && has_moved)
    chart->drag = HL_CHART_DRAG_NOTHING;
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  /* where a press of a cursor means something of its own, a hand that shakes moves nothing; that of a
   * double click has nothing but the cursor under it, which the first click brought there */
  gboolean follows_at_once = klass->drop_cursor == NULL && !chart->is_double_click;
  if (chart->drag == HL_CHART_DRAG_CURSOR && (has_moved || follows_at_once))
    klass->drag_cursor (self, chart->cursor, (HlSpot){from.x + dx, from.y + dy});
  else if (chart->drag == HL_CHART_DRAG_TIP && has_moved)
    hl_chart_drag_tip (self, (HlSpot){from.x + dx, from.y + dy});
  else if (chart->drag == HL_CHART_DRAG_PAN)
    pan_to (self, dx, dy);
  else if (chart->drag == HL_CHART_DRAG_BOX && has_moved)
    chart->box = (HlRect){fmin (from.x, from.x + dx), fmin (from.y, from.y + dy), fabs (dx), fabs (dy)};
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static HlRect within (HlRect box, HlRect frame) {
  double left = fmax (box.x, frame.x), top = fmax (box.y, frame.y);

  return (HlRect){left, top, fmin (box.x + box.width, frame.x + frame.width) - left,
                  fmin (box.y + box.height, frame.y + frame.height) - top};
}

static void narrow (HlAxis *axis, double from, double to) {
  double min = hl_axis_value (axis, from), max = hl_axis_value (axis, to);

  axis->min = min;
  axis->max = max;
}

/* The part of the box within the frame. A box that is nearly a line zooms along it only. */
static void zoom_to_box (HlChart *self) {
  HlChartAxes axes;

  if (!hl_chart_lay_out (self, &axes))
    return;
  const HlRect *frame = &axes.frame;
  HlRect box = within (hl_chart_private (self)->box, *frame);
  HlChartAlong along = (box.width > 2 * DRAG_START_PX ? HL_CHART_ALONG_X : 0) |
                       (box.height > 2 * DRAG_START_PX ? HL_CHART_ALONG_Y : 0);
  along &= HL_CHART_GET_CLASS (self)->zooms;
  if (along == 0)
    return;
  hl_chart_remember (self);
  double left = (box.x - frame->x) / frame->width, right = left + box.width / frame->width;
  double high = 1 - (box.y - frame->y) / frame->height, low = high - box.height / frame->height;
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (along & (1 << k))
      narrow (&axes.axes[k], k == HL_CHART_X ? left : low, k == HL_CHART_X ? right : high);
  hl_chart_keep_axes (self, &axes, along);
}

static void end_drag (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);

  chart->box = (HlRect){0};
  chart->drag = HL_CHART_DRAG_NOTHING;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = hl_chart_private (self);
  gboolean is_press = chart->drag == HL_CHART_DRAG_BOX || chart->drag == HL_CHART_DRAG_PRESS;

  if (is_press && !chart->is_double_click && chart->box.width + chart->box.height > 0)
    zoom_to_box (self);
  else if (is_press && !chart->is_double_click && klass->click != NULL)
    klass->click (self, chart->drag_from);
  if (chart->drag == HL_CHART_DRAG_CURSOR && klass->drop_cursor != NULL && !chart->is_double_click)
    klass->drop_cursor (self, chart->drag_from, hypot (dx, dy) > DRAG_START_PX);
  end_drag (self);
}

static void drag_cancel_cb (GtkGesture *gesture, GdkEventSequence *sequence, HlChart *self) {
  end_drag (self);
}

gboolean hl_chart_give_up_drag (HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = hl_chart_private (self);
  HlChartDrag drag = chart->drag;

  if (drag == HL_CHART_DRAG_NOTHING)
    return FALSE;
  /* in this order: a gesture that is denied says that its drag has ended */
  end_drag (self);
  gtk_gesture_set_state (chart->drag_gesture, GTK_EVENT_SEQUENCE_DENIED);
  if (drag == HL_CHART_DRAG_PAN)
    hl_chart_take_back (self, &chart->before);
  if (drag == HL_CHART_DRAG_CURSOR)
    klass->put_cursor_back (self, chart->cursor);
  if (drag == HL_CHART_DRAG_TIP)
    hl_chart_put_tip_back (self);
  return TRUE;
}

/* --- presses --- */

/* The two thumb buttons of a mouse. */
static void thumb_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlChart *self) {
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button == THUMB_BACK || button == THUMB_FORWARD)
    hl_chart_step (self, button == THUMB_BACK);
}

static void pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = hl_chart_private (self);
  int index;
  HlChartPart part = hl_chart_hit (self, (HlSpot){x, y}, &index);

  chart->is_double_click = n_press == 2 && part != HL_CHART_ON_ENTRY && part != HL_CHART_ON_TIP;
  if (part == HL_CHART_ON_TIP)
    return;
  if (n_press == 1 && klass->first_press != NULL)
    klass->first_press (self);
  if (part == HL_CHART_ON_ENTRY) {
    klass->press_entry (self, index);
  } else if (n_press == 2) {
    if (klass->double_click != NULL)
      klass->double_click (self, part);
    hl_chart_fit_along (self, along_of (self, part, 0));
  }
}

static void motion_cb (GtkEventControllerMotion *controller, double x, double y, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = hl_chart_private (self);

  chart->pointer = (HlSpot){x, y};
  chart->pointer_inside = TRUE;
  if (chart->drag != HL_CHART_DRAG_NOTHING || klass->hover == NULL)
    return;
  const char *name = klass->hover (self, chart->pointer);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   hl_chart_tip_at (self, chart->pointer) >= 0 ? "grab" : name);
}

static void leave_cb (GtkEventControllerMotion *controller, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);

  hl_chart_private (self)->pointer_inside = FALSE;
  if (klass->leave != NULL)
    klass->leave (self);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_chart_add_pointer (HlChart *self) {
  GtkWidget *widget = GTK_WIDGET (self);

  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  GtkGesture *thumb = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (thumb), 0);
  g_signal_connect (thumb, "pressed", G_CALLBACK (thumb_pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (thumb));

  GtkGesture *drag = hl_chart_private (self)->drag_gesture = gtk_gesture_drag_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (drag_cancel_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));

  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (widget, scroll);

  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
}
