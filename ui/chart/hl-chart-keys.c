/* SPDX-License-Identifier: MIT */
/* What keys do to any chart: all that the pointer can do. Zoom and fit are the actions of
 * HlZoomable; keys that mean nothing here go to the subclass. */
#include "ui/chart/hl-chart-private.h"

#define PAN_STEP 0.1 /* of the range in view */

static gboolean own_key (HlChart *self, guint keyval, gboolean shift) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  return klass->key != NULL && klass->key (self, keyval, shift);
}

static gboolean control_key (HlChart *self, guint keyval) {
  switch (keyval) {
  case GDK_KEY_Left:
    hl_chart_pan (self, -PAN_STEP, 0);
    return TRUE;
  case GDK_KEY_Right:
    hl_chart_pan (self, PAN_STEP, 0);
    return TRUE;
  case GDK_KEY_Up:
    hl_chart_pan (self, 0, PAN_STEP);
    return TRUE;
  case GDK_KEY_Down:
    hl_chart_pan (self, 0, -PAN_STEP);
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean plain_key (HlChart *self, guint keyval, gboolean shift) {
  HlChartAlong along = shift ? HL_CHART_ALONG_Y : HL_CHART_ALONG_X;

  if (keyval == GDK_KEY_Escape && hl_chart_give_up_drag (self))
    return TRUE;
  if (hl_chart_tip_key (self, keyval, shift))
    return TRUE;
  switch (keyval) {
  case GDK_KEY_space:
    hl_chart_private (self)->space_held = TRUE;
    return TRUE;
  case GDK_KEY_Page_Up:
    hl_chart_zoom (self, HL_CHART_WHEEL_STEP, along);
    return TRUE;
  case GDK_KEY_Page_Down:
    hl_chart_zoom (self, 1 / HL_CHART_WHEEL_STEP, along);
    return TRUE;
  case GDK_KEY_BackSpace:
    hl_chart_step (self, TRUE);
    return TRUE;
  default:
    return own_key (self, keyval, shift);
  }
}

static gboolean key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                                GdkModifierType state, HlChart *self) {
  guint key = gdk_keyval_to_lower (keyval); /* with Caps Lock too */

  if (state & GDK_ALT_MASK) {
    if (key != GDK_KEY_Left && key != GDK_KEY_Right)
      return FALSE;
    hl_chart_step (self, key == GDK_KEY_Left);
    return TRUE;
  }
  if (state & GDK_CONTROL_MASK)
    return control_key (self, key);
  return plain_key (self, key, (state & GDK_SHIFT_MASK) != 0);
}

static void key_released_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                             GdkModifierType state, HlChart *self) {
  if (keyval == GDK_KEY_space)
    hl_chart_private (self)->space_held = FALSE;
}

/* Space that is let go elsewhere is not heard here. */
static void focus_leave_cb (GtkEventControllerFocus *controller, HlChart *self) {
  hl_chart_private (self)->space_held = FALSE;
}

void hl_chart_add_keys (HlChart *self) {
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect (keys, "key-released", G_CALLBACK (key_released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);

  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (focus_leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}
