/* SPDX-License-Identifier: MIT */
/* What pointer and keys do to the root locus, as in the plots: a press in the frame begins a box,
 * on an axis or with the middle button or Space a pan; a press that stays in place is a click. */
#include "ui/hl-locus-view-private.h"

#include <math.h>

#define WHEEL_STEP 1.2
#define DRAG_START_PX 5.0
#define SCROLL_PAUSE_US 700000
#define THUMB_BACK 8
#define THUMB_FORWARD 9

/* Below the frame is the real axis, left of it the imaginary one; inside, Ctrl takes the real one
 * alone and Shift the imaginary one. */
static void
find_along (const HlLocusLayout *layout,
            HlSpot at,
            GdkModifierType modifiers,
            gboolean *along_x,
            gboolean *along_y)
{
  const HlRect *frame = &layout->frame;
  gboolean below = at.y > frame->y + frame->height, left = at.x < frame->x;

  *along_x = !left && (below || !(modifiers & GDK_SHIFT_MASK) || (modifiers & GDK_CONTROL_MASK));
  *along_y = !below && (left || !(modifiers & GDK_CONTROL_MASK));
}

void
hl_locus_view_zoom_at (
    HlLocusView *self, HlSpot at, double factor, gboolean along_x, gboolean along_y)
{
  HlLocusLayout layout;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  const HlRect *frame = &layout.frame;

  if (along_x)
    hl_axis_zoom (&plot->x, CLAMP ((at.x - frame->x) / frame->width, 0, 1), factor);
  if (along_y)
    hl_axis_zoom (&plot->y, CLAMP (1 - (at.y - frame->y) / frame->height, 0, 1), factor);
  hl_locus_view_keep_axes (self, plot);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, HlLocusView *self)
{
  GdkModifierType modifiers =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  HlLocusLayout layout;
  gboolean along_x, along_y;

  if (self->data.poles->len == 0)
    return FALSE;
  hl_locus_view_lay_out (self, &layout);
  find_along (&layout, self->pointer, modifiers, &along_x, &along_y);
  /* one turn of the wheel is one step of the history, however many clicks it has */
  gint64 now = g_get_monotonic_time ();
  if (now - self->scrolled_us > SCROLL_PAUSE_US)
    hl_locus_view_remember (self);
  self->scrolled_us = now;
  hl_locus_view_zoom_at (self, self->pointer, pow (WHEEL_STEP, -(dy != 0 ? dy : dx)), along_x,
                         along_y);
  return TRUE;
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, HlLocusView *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  HlLocusLayout layout;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->data.poles->len == 0)
    return;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  gboolean in_frame = hl_rect_contains (layout.frame, (HlSpot){x, y});
  self->drag_from = (HlSpot){x, y};
  self->pan_x = plot->x;
  self->pan_y = plot->y;
  find_along (&layout, self->drag_from, 0, &self->pan_along_x, &self->pan_along_y);
  self->drag = button == GDK_BUTTON_MIDDLE || self->space_held ? HL_LOCUS_DRAG_PAN
               : button != GDK_BUTTON_PRIMARY                  ? HL_LOCUS_DRAG_NOTHING
               : in_frame                                      ? HL_LOCUS_DRAG_BOX
                                                               : HL_LOCUS_DRAG_PAN;
  if (self->drag == HL_LOCUS_DRAG_PAN)
    hl_locus_view_remember (self);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, HlLocusView *self)
{
  HlLocusLayout layout;
  HlSpot from = self->drag_from;

  if (self->drag == HL_LOCUS_DRAG_PAN) {
    HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
    plot->x = self->pan_x;
    plot->y = self->pan_y;
    if (self->pan_along_x)
      hl_axis_pan (&plot->x, -dx / layout.frame.width);
    if (self->pan_along_y)
      hl_axis_pan (&plot->y, dy / layout.frame.height);
    hl_locus_view_keep_axes (self, plot);
  } else if (self->drag == HL_LOCUS_DRAG_BOX && hypot (dx, dy) > DRAG_START_PX) {
    self->box =
        (HlRect){fmin (from.x, from.x + dx), fmin (from.y, from.y + dy), fabs (dx), fabs (dy)};
    gtk_widget_queue_draw (GTK_WIDGET (self));
  }
}

/* A box that is nearly a line zooms along it only. */
static void
zoom_to_box (HlLocusView *self)
{
  HlLocusLayout layout;
  HlRect box = self->box;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  double left, right, low, high;

  hl_locus_value (&layout, plot, (HlSpot){box.x, box.y + box.height}, &left, &low);
  hl_locus_value (&layout, plot, (HlSpot){box.x + box.width, box.y}, &right, &high);
  hl_locus_view_remember (self);
  if (box.width > 2 * DRAG_START_PX) {
    plot->x.min = left;
    plot->x.max = right;
  }
  if (box.height > 2 * DRAG_START_PX) {
    plot->y.min = low;
    plot->y.max = high;
  }
  hl_locus_view_keep_axes (self, plot);
}

/* A click on a pole looks at its mode, a second one no more. */
static gboolean
take_mode_at (HlLocusView *self, HlSpot at)
{
  HlLocusLayout layout;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);

  int pole = hl_locus_pole_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  if (pole < 0)
    return FALSE;
  /* a zero has no motion to show, nor is it a point of a branch below it */
  if (!plot->poles[pole].is_null)
    hl_workbench_set_mode (self->workbench, plot->poles[pole].selected ? -1 : pole);
  return TRUE;
}

/* A click on a branch or a crossing: the parameter takes that point's value, on all branches at
 * once. */
static void
take_value_at (HlLocusView *self, HlSpot at)
{
  HlLocusLayout layout;
  int branch, index, n_crossings, knob = hl_workbench_locus_knob (self->workbench);
  const HlLocus *locus = hl_workbench_locus (self->workbench);
  const HlCrossing *found = hl_workbench_crossings (self->workbench, &n_crossings);
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  double value;

  if (locus == NULL || knob < 0 || !hl_rect_contains (layout.frame, at))
    return;
  int crossing = hl_locus_crossing_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  if (crossing >= 0 && plot->crossings[crossing].index < n_crossings)
    value = found[plot->crossings[crossing].index].value;
  else if (hl_locus_branch_at (&layout, plot, at, HL_LOCUS_REACH_PX, &branch, &index) &&
           index < locus->n_values)
    value = locus->values[index];
  else
    return;
  const HlKnob *what = hl_workbench_knobs (self->workbench)->pdata[knob];
  hl_workbench_set_numbers (self->workbench, (const char *const *)what->paths, value, NULL, NULL);
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, HlLocusView *self)
{
  HlLocusDrag drag = self->drag;

  self->drag = HL_LOCUS_DRAG_NOTHING;
  if (drag == HL_LOCUS_DRAG_BOX && self->box.width + self->box.height > 0)
    zoom_to_box (self);
  else if (drag == HL_LOCUS_DRAG_BOX && !take_mode_at (self, self->drag_from))
    take_value_at (self, self->drag_from);
  self->box = (HlRect){0};
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_cancel_cb (GtkGesture *gesture, GdkEventSequence *sequence, HlLocusView *self)
{
  self->drag = HL_LOCUS_DRAG_NOTHING;
  self->box = (HlRect){0};
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The two thumb buttons of a mouse. */
static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlLocusView *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button == THUMB_BACK || button == THUMB_FORWARD)
    hl_locus_view_step (self, button == THUMB_BACK);
  else if (n_press == 2 && button == GDK_BUTTON_PRIMARY)
    hl_locus_view_fit (self);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, HlLocusView *self)
{
  HlLocusLayout layout;

  self->pointer = (HlSpot){x, y};
  self->pointer_inside = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->data.poles->len == 0 || self->drag != HL_LOCUS_DRAG_NOTHING)
    return;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  int branch, index, pole = hl_locus_pole_at (&layout, plot, self->pointer, HL_LOCUS_REACH_PX);
  gboolean takes_click = pole >= 0 ? !plot->poles[pole].is_null
                                   : hl_locus_branch_at (&layout, plot, self->pointer,
                                                         HL_LOCUS_REACH_PX, &branch, &index);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   !hl_rect_contains (layout.frame, self->pointer) ? NULL
                                   : takes_click                                   ? "pointer"
                                                                                   : "crosshair");
}

static void
leave_cb (GtkEventControllerMotion *controller, HlLocusView *self)
{
  self->pointer_inside = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint keyval,
                guint keycode,
                GdkModifierType state,
                HlLocusView *self)
{
  gboolean alt = (state & GDK_ALT_MASK) != 0;

  if (keyval == GDK_KEY_BackSpace || (alt && keyval == GDK_KEY_Left))
    hl_locus_view_step (self, TRUE);
  else if (alt && keyval == GDK_KEY_Right)
    hl_locus_view_step (self, FALSE);
  else if (keyval == GDK_KEY_space)
    self->space_held = TRUE;
  else if (keyval == GDK_KEY_Escape && self->drag != HL_LOCUS_DRAG_NOTHING)
    drag_cancel_cb (NULL, NULL, self);
  else
    return FALSE;
  return TRUE;
}

static void
key_released_cb (GtkEventControllerKey *controller,
                 guint keyval,
                 guint keycode,
                 GdkModifierType state,
                 HlLocusView *self)
{
  if (keyval == GDK_KEY_space)
    self->space_held = FALSE;
}

void
hl_locus_view_add_controllers (HlLocusView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
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
