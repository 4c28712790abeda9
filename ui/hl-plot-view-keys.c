/* SPDX-License-Identifier: MIT */
/* What keys do to a plot: all that the pointer can do. Zoom and fit are the actions of HlZoomable.
 */
#include "ui/hl-plot-view-private.h"

#include <math.h>

#define STEPS_IN_VIEW 200 /* of the time cursor, across what is in view ... */
#define BIG_STEP 10       /* ... with Shift so many at once */
#define PAN_STEP 0.1      /* of the range in view */

/* One key press moves the time cursor by a step that can be seen. */
static void
step_time (HlPlotView *self, int steps)
{
  double from, to, length = hl_workbench_t_end (self->workbench);

  hl_plot_view_get_x_range (self, &from, &to);
  if (hl_plot_scene_is_over_time (self->scene) && to - from < length)
    length = to - from;
  hl_workbench_set_time (self->workbench,
                         hl_workbench_time (self->workbench) + steps * length / STEPS_IN_VIEW);
}

static void
pan (HlPlotView *self, double right, double up)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);

  hl_plot_view_remember_run (self);
  hl_axis_pan (&plot->x.axis, right);
  hl_axis_pan (&plot->left.axis, up);
  hl_axis_pan (&plot->right.axis, up);
  hl_plot_view_keep_axes (self, plot, right != 0 ? HL_PLOT_ALONG_X : HL_PLOT_ALONG_Y);
}

static void
zoom_along (HlPlotView *self, double factor, HlPlotAlong along)
{
  HlSpot middle = {0.5 * gtk_widget_get_width (GTK_WIDGET (self)),
                   0.5 * gtk_widget_get_height (GTK_WIDGET (self))};

  hl_plot_view_remember_run (self);
  hl_plot_view_zoom_at (self, self->pointer_inside ? self->pointer : middle, factor, along);
}

/* Measuring cursor A (0) or B (1) comes to the time cursor. */
static void
bring_cursor (HlPlotView *self, int which)
{
  double t = hl_workbench_time (self->workbench), ends[2];

  if (!hl_workbench_span (self->workbench, &ends[0], &ends[1])) {
    hl_plot_view_toggle_span (self);
    hl_workbench_span (self->workbench, &ends[0], &ends[1]);
  }
  ends[which] = t;
  hl_workbench_set_span (self->workbench, ends[0], ends[1]);
}

/* Escape leaves whatever is going on: a drag, then the measuring. */
static gboolean
leave (HlPlotView *self)
{
  double a, b;

  if (hl_plot_view_give_up_drag (self))
    return TRUE;
  if (!hl_workbench_span (self->workbench, &a, &b))
    return FALSE;
  hl_workbench_clear_span (self->workbench);
  return TRUE;
}

static gboolean
toggle_trace (HlPlotView *self, guint number)
{
  HlStyle style;
  HlPlotLayout layout;

  hl_plot_view_lay_out (self, &style, &layout);
  if (number >= (guint)layout.n_legend)
    return FALSE;
  hl_plot_scene_toggle (self->scene, layout.legend_series[number]);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

static gboolean
control_key (HlPlotView *self, guint keyval)
{
  switch (keyval) {
  case GDK_KEY_Left:
    pan (self, -PAN_STEP, 0);
    return TRUE;
  case GDK_KEY_Right:
    pan (self, PAN_STEP, 0);
    return TRUE;
  case GDK_KEY_Up:
    pan (self, 0, PAN_STEP);
    return TRUE;
  case GDK_KEY_Down:
    pan (self, 0, -PAN_STEP);
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
alt_key (HlPlotView *self, guint keyval)
{
  if (keyval == GDK_KEY_Left)
    hl_plot_view_step_back (self);
  else if (keyval == GDK_KEY_Right)
    hl_plot_view_step_forward (self);
  else
    return FALSE;
  return TRUE;
}

static gboolean
plain_key (HlPlotView *self, guint keyval, gboolean shift)
{
  HlPlotAlong along = shift ? HL_PLOT_ALONG_Y : HL_PLOT_ALONG_X;

  switch (keyval) {
  case GDK_KEY_m:
    hl_plot_view_toggle_span (self);
    return TRUE;
  case GDK_KEY_a:
  case GDK_KEY_b:
    bring_cursor (self, keyval == GDK_KEY_b);
    return TRUE;
  case GDK_KEY_Escape:
    return leave (self);
  case GDK_KEY_F10:
    if (!shift)
      return FALSE;
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
    return TRUE;
  case GDK_KEY_Menu:
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
    return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    if (!hl_plot_view_wants_traces (self))
      return FALSE;
    hl_plot_view_open_picker (self);
    return TRUE;
  case GDK_KEY_space:
    self->space_held = TRUE;
    return TRUE;
  case GDK_KEY_Left:
    step_time (self, shift ? -BIG_STEP : -1);
    return TRUE;
  case GDK_KEY_Right:
    step_time (self, shift ? BIG_STEP : 1);
    return TRUE;
  case GDK_KEY_Home:
    hl_workbench_set_time (self->workbench, 0);
    return TRUE;
  case GDK_KEY_End:
    hl_workbench_set_time (self->workbench, hl_workbench_t_end (self->workbench));
    return TRUE;
  case GDK_KEY_Page_Up:
    zoom_along (self, HL_PLOT_WHEEL_STEP, along);
    return TRUE;
  case GDK_KEY_Page_Down:
    zoom_along (self, 1 / HL_PLOT_WHEEL_STEP, along);
    return TRUE;
  case GDK_KEY_BackSpace:
    hl_plot_view_step_back (self);
    return TRUE;
  default:
    return keyval >= GDK_KEY_1 && keyval <= GDK_KEY_9 && toggle_trace (self, keyval - GDK_KEY_1);
  }
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint keyval,
                guint keycode,
                GdkModifierType state,
                HlPlotView *self)
{
  guint key = gdk_keyval_to_lower (keyval); /* with Caps Lock too */

  if (state & GDK_ALT_MASK)
    return alt_key (self, key);
  if (state & GDK_CONTROL_MASK)
    return control_key (self, key);
  return plain_key (self, key, (state & GDK_SHIFT_MASK) != 0);
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

/* Space that is let go elsewhere is not heard here. */
static void
focus_leave_cb (GtkEventControllerFocus *controller, HlPlotView *self)
{
  self->space_held = FALSE;
}

void
hl_plot_view_add_keys (HlPlotView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect (keys, "key-released", G_CALLBACK (key_released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);

  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (focus_leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}
