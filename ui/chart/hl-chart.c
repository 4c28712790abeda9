/* SPDX-License-Identifier: MIT */
/* The picture is painted in one go; its pixels and the ranges are kept here. */
#include "ui/chart/hl-chart.h"

#include "ui/chart/hl-chart-private.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-zoomable.h"

/* What keys do to any chart: all that the pointer can do. Zoom and fit are the actions of
 * HlZoomable; keys that mean nothing here go to the subclass. */

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

static void add_keys (HlChart *self) {
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect (keys, "key-released", G_CALLBACK (key_released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);

  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (focus_leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}

static void zoomable_init (HlZoomableInterface *interface);

static guint pointed_signal;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (HlChart, hl_chart, GTK_TYPE_WIDGET,
                                  G_ADD_PRIVATE (HlChart)
                                      G_IMPLEMENT_INTERFACE (HL_TYPE_ZOOMABLE, zoomable_init))

HlChartPrivate *hl_chart_private (HlChart *self) {
  return hl_chart_get_instance_private (self);
}

/* --- what lies where --- */

HlRect hl_chart_area (HlChart *self) {
  return (HlRect){0, 0, gtk_widget_get_width (GTK_WIDGET (self)), gtk_widget_get_height (GTK_WIDGET (self))};
}

HlRect hl_chart_band (HlChart *self) {
  return hl_chart_private (self)->box;
}

gboolean hl_chart_pointer (HlChart *self, HlSpot *at) {
  const HlChartPrivate *chart = hl_chart_private (self);

  *at = chart->pointer;
  return chart->pointer_inside && chart->drag == HL_CHART_DRAG_NOTHING;
}

gboolean hl_chart_lay_out (HlChart *self, HlChartAxes *axes) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);

  *axes = (HlChartAxes){0};
  return klass->lay_out != NULL && klass->lay_out (self, axes);
}

HlChartPart hl_chart_part_of (const HlRect *frame, HlSpot at) {
  gboolean is_below = at.y > frame->y + frame->height, is_left = at.x < frame->x;

  if (is_below && is_left)
    return HL_CHART_NOWHERE;
  return is_below ? HL_CHART_ON_X : is_left ? HL_CHART_ON_LEFT : HL_CHART_IN_FRAME;
}

HlChartPart hl_chart_hit (HlChart *self, HlSpot at, int *index) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartAxes axes;

  *index = hl_chart_tip_at (self, at);
  if (*index >= 0)
    return HL_CHART_ON_TIP;
  if (klass->hit != NULL)
    return klass->hit (self, at, index);
  return hl_chart_lay_out (self, &axes) ? hl_chart_part_of (&axes.frame, at) : HL_CHART_NOWHERE;
}

cairo_t *hl_chart_measure (void) {
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, NULL);
  cairo_t *cr = cairo_create (surface);

  cairo_surface_destroy (surface); /* the context holds on to it */
  return cr;
}

/* --- the widget --- */

static void paint (GtkWidget *widget, cairo_t *cr, HlRect area, const HlStyle *style) {
  HL_CHART_GET_CLASS (widget)->paint (HL_CHART (widget), cr, area, style);
}

static const HlPixelsClass pixels_class = {.paint = paint};

static void hl_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  HlChartPrivate *chart = hl_chart_private (HL_CHART (widget));
  HlRect area = hl_chart_area (HL_CHART (widget));

  if (area.width < 1 || area.height < 1)
    return;
  if (chart->pixels == NULL)
    chart->pixels = hl_pixels_new (widget, &pixels_class, chart->turn);
  hl_pixels_show (chart->pixels, snapshot);
}

void hl_chart_set_turn (HlChart *self, int turn) {
  hl_chart_private (self)->turn = turn;
}

void hl_chart_expect_slow (HlChart *self) {
  if (hl_chart_private (self)->pixels == NULL)
    hl_chart_private (self)->pixels =
        hl_pixels_new (GTK_WIDGET (self), &pixels_class, hl_chart_private (self)->turn);
  hl_pixels_expect_slow (hl_chart_private (self)->pixels);
}

void hl_chart_prepare (HlChart *self) {
  if (hl_chart_private (self)->pixels != NULL)
    hl_pixels_prepare (hl_chart_private (self)->pixels);
}

void hl_chart_paint_figure (cairo_t *cr, HlRect area, const HlStyle *style, gpointer chart) {
  HL_CHART_GET_CLASS (chart)->figure (chart, cr, area, style);
}

char *hl_chart_table (HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);

  return klass->table != NULL ? klass->table (self) : NULL;
}

void hl_chart_say_pointed (HlChart *self) {
  g_signal_emit (self, pointed_signal, 0);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void zoomable_zoom (HlZoomable *zoomable, double factor) {
  hl_chart_zoom (HL_CHART (zoomable), factor, HL_CHART_ALONG_ALL);
}

static void zoomable_fit (HlZoomable *zoomable) {
  hl_chart_fit (HL_CHART (zoomable));
}

static void zoomable_init (HlZoomableInterface *interface) {
  interface->zoom = zoomable_zoom;
  interface->fit = zoomable_fit;
}

static void hl_chart_dispose (GObject *object) {
  g_clear_pointer (&hl_chart_private (HL_CHART (object))->pixels, hl_pixels_free);
  g_clear_pointer (&hl_chart_private (HL_CHART (object))->menu, gtk_widget_unparent);
  G_OBJECT_CLASS (hl_chart_parent_class)->dispose (object);
}

static void hl_chart_finalize (GObject *object) {
  hl_chart_clear_ranges (HL_CHART (object));
  hl_chart_clear_tips (HL_CHART (object));
  G_OBJECT_CLASS (hl_chart_parent_class)->finalize (object);
}

static void hl_chart_class_init (HlChartClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_chart_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_chart_finalize;
  widget_class->snapshot = hl_chart_snapshot;
  gtk_widget_class_set_css_name (widget_class, "chart");
  klass->zooms = HL_CHART_ALONG_ALL;
  pointed_signal =
      g_signal_new ("pointed", HL_TYPE_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  hl_zoomable_install_actions (widget_class);
  hl_chart_install_tip_actions (widget_class);
}

static void hl_chart_init (HlChart *self) {
  GtkWidget *widget = GTK_WIDGET (self);

  hl_chart_init_ranges (self);
  hl_chart_init_tips (self);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  hl_chart_add_pointer (self);
  add_keys (self);
}
