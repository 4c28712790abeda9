/* SPDX-License-Identifier: MIT */
/* Wheel and pinch zoom at the pointer; a touchpad's two fingers, the middle button or Space with
 * the first button pan. What else is done on the canvas is an event of its class. */
#include "ui/canvas/hl-canvas-private.h"

#include "ui/widget/hl-element-text.h"
#include "ui/widget/hl-look.h"
#include "ui/plot/hl-plot-drop.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>

#define WHEEL_STEP 1.15
#define PAN_STEP_PX 40.0

#define PRIVATE(self) (hl_canvas_private (self))

static gboolean
send_event (HlCanvas *self, HlCanvasEvent *event)
{
  HlCanvasClass *klass = HL_CANVAS_GET_CLASS (self);
  event->at = hl_view_to_world (&PRIVATE (self)->view, event->device);
  return klass->event != NULL && klass->event (self, event);
}

static const char *
hit (HlCanvas *self, double x, double y)
{
  HlStyle style = hl_look_style (GTK_WIDGET (self));
  return HL_CANVAS_GET_CLASS (self)->hit (self, (HlSpot){x, y}, &style);
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  GtkGestureSingle *single = GTK_GESTURE_SINGLE (gesture);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (priv->space_held || priv->workbench == NULL)
    return;
  priv->button = gtk_gesture_single_get_current_button (single);
  GdkModifierType modifiers =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  g_free (priv->pressed);
  priv->pressed = priv->button == GDK_BUTTON_PRIMARY ? g_strdup (hit (self, x, y)) : NULL;
  HlCanvasEvent event = {HL_CANVAS_PRESS, .device = {x, y}, .button = priv->button,
                         .n_press = n_press, .modifiers = modifiers};
  if (send_event (self, &event) || priv->button != GDK_BUTTON_PRIMARY)
    return;
  const char *id = hit (self, x, y);
  if (n_press == 2 && id == NULL)
    hl_canvas_fit (self);
  else if ((modifiers & GDK_SHIFT_MASK) && id != NULL)
    hl_workbench_toggle_selected (priv->workbench, id);
  else
    hl_workbench_select (priv->workbench, id);
}

static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  HlCanvasEvent event = {
      HL_CANVAS_RELEASE, .device = {x, y}, .button = priv->button, .n_press = n_press,
      .modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture))};
  priv->button = 0;
  hl_plot_hold_nowhere (GTK_WIDGET (self));
  /* let go above a plot: its traces are wanted there, and the drawing stays as it was */
  if (priv->pressed != NULL && hl_plot_is_at (GTK_WIDGET (self), x, y)) {
    HlCanvasEvent escape = {HL_CANVAS_KEY, .device = {x, y}, .keyval = GDK_KEY_Escape};
    send_event (self, &escape);
    hl_plot_drop_at (GTK_WIDGET (self), x, y, priv->pressed);
    return;
  }
  send_event (self, &event);
  if (priv->workbench != NULL) {
    g_free (priv->worked);
    priv->worked = g_strdup (hit (self, x, y));
  }
}

/* A press that became a drag ends without the click's own release. */
static void
ended_cb (GtkGesture *gesture, GdkEventSequence *sequence, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  double x = priv->pointer.x, y = priv->pointer.y;

  if (priv->button == 0)
    return;
  gtk_gesture_get_point (gesture, sequence, &x, &y);
  released_cb (GTK_GESTURE_CLICK (gesture), 1, x, y, self);
}

void
hl_canvas_set_armed (HlCanvas *self, gboolean is_armed)
{
  HlCanvasPrivate *priv = PRIVATE (self);

  /* a cursor that is set asks the display where the pointer is */
  if (is_armed != priv->is_armed)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_armed ? "crosshair" : NULL);
  priv->is_armed = is_armed;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), !is_armed);
}

void
hl_canvas_take_idle_keys (HlCanvas *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean is_idle =
      focus == NULL || (HL_IS_CANVAS (focus) && !PRIVATE (HL_CANVAS (focus))->is_armed &&
                        hl_workbench_selected (PRIVATE (self)->workbench) == NULL);

  if (root != NULL && focus != GTK_WIDGET (self) && is_idle)
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);

  priv->pointer = (HlSpot){x, y};
  priv->pointer_inside = TRUE;
  if (priv->workbench == NULL)
    return;
  if (priv->pressed != NULL && priv->button != 0)
    hl_plot_hold_above (GTK_WIDGET (self), x, y);
  HlCanvasEvent event = {HL_CANVAS_MOVE, .device = {x, y}, .button = priv->button,
                         .modifiers = gtk_event_controller_get_current_event_state (
                             GTK_EVENT_CONTROLLER (controller))};
  if (!send_event (self, &event))
    hl_workbench_set_hover (priv->workbench, hit (self, x, y));
}

static void
leave_cb (GtkEventControllerMotion *controller, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  HlCanvasEvent event = {HL_CANVAS_LEAVE, .device = priv->pointer};

  priv->pointer_inside = FALSE;
  g_clear_pointer (&priv->worked, g_free);
  send_event (self, &event);
  if (priv->workbench != NULL)
    hl_workbench_set_hover (priv->workbench, NULL);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  GdkModifierType modifiers =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean fingers = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;

  if (fingers && !(modifiers & GDK_CONTROL_MASK)) {
    hl_view_pan (&priv->view, -dx, -dy);
    priv->is_free = TRUE;
    hl_pixels_queue_draw (GTK_WIDGET (self));
  } else if (modifiers & GDK_SHIFT_MASK) {
    hl_view_pan (&priv->view, -PAN_STEP_PX * (dx != 0 ? dx : dy), 0);
    priv->is_free = TRUE;
    hl_pixels_queue_draw (GTK_WIDGET (self));
  } else {
    hl_canvas_zoom (self, pow (WHEEL_STEP, -dy));
  }
  return TRUE;
}

static void
pan_begin_cb (GtkGestureDrag *gesture, double x, double y, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button != GDK_BUTTON_MIDDLE && !(button == GDK_BUTTON_PRIMARY && priv->space_held)) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  priv->pan_start = priv->view;
}

static void
pan_update_cb (GtkGestureDrag *gesture, double dx, double dy, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);

  priv->view = priv->pan_start;
  hl_view_pan (&priv->view, dx, dy);
  priv->is_free = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void
pinch_begin_cb (GtkGesture *gesture, GdkEventSequence *sequence, HlCanvas *self)
{
  PRIVATE (self)->pinch_last = 1;
}

static void
pinch_cb (GtkGestureZoom *gesture, double scale, HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  double x, y;

  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    priv->pointer = (HlSpot){x, y};
  hl_canvas_zoom (self, scale / priv->pinch_last);
  priv->pinch_last = scale;
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint keyval,
                guint keycode,
                GdkModifierType state,
                HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  HlCanvasEvent event = {HL_CANVAS_KEY, .device = priv->pointer, .keyval = keyval,
                         .modifiers = state};

  if (priv->workbench == NULL || send_event (self, &event))
    return TRUE;
  if (keyval == GDK_KEY_space) {
    priv->space_held = TRUE;
    return TRUE;
  }
  if (keyval == GDK_KEY_Escape && hl_workbench_selected (priv->workbench) != NULL) {
    hl_workbench_select (priv->workbench, NULL);
    return TRUE;
  }
  return FALSE;
}

static void
key_released_cb (GtkEventControllerKey *controller,
                 guint keyval,
                 guint keycode,
                 GdkModifierType state,
                 HlCanvas *self)
{
  if (keyval == GDK_KEY_space)
    PRIVATE (self)->space_held = FALSE;
}

/* Space that is let go elsewhere is not heard here. */
static void
focus_leave_cb (GtkEventControllerFocus *controller, HlCanvas *self)
{
  PRIVATE (self)->space_held = FALSE;
}

/* What was just clicked, drawn or wired is looked at: no tooltip comes over it before the pointer has
 * been elsewhere. */
static gboolean
query_tooltip_cb (
    HlCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  const char *id = priv->workbench == NULL ? NULL
                   : keyboard              ? hl_workbench_selected (priv->workbench)
                                           : hit (self, x, y);

  if (!keyboard && g_strcmp0 (id, priv->worked) != 0)
    g_clear_pointer (&priv->worked, g_free);
  if (id == NULL || priv->button != 0 || (!keyboard && priv->worked != NULL))
    return FALSE;
  g_autofree char *text = hl_element_text (priv->workbench, id);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
add_pointer_controllers (HlCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  GtkGesture *pan = gtk_gesture_drag_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (pan), 0);
  g_signal_connect (pan, "drag-begin", G_CALLBACK (pan_begin_cb), self);
  g_signal_connect (pan, "drag-update", G_CALLBACK (pan_update_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pan));

  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  g_signal_connect_after (click, "end", G_CALLBACK (ended_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  GtkGesture *pinch = gtk_gesture_zoom_new ();
  g_signal_connect (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));

  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
}

void
hl_canvas_listen (HlCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  add_pointer_controllers (self);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);

  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (widget, scroll);

  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect (keys, "key-released", G_CALLBACK (key_released_cb), self);
  gtk_widget_add_controller (widget, keys);

  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (focus_leave_cb), self);
  gtk_widget_add_controller (widget, focus);
}
