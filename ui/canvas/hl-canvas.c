/* SPDX-License-Identifier: MIT */
/* A canvas: the view of a drawing, and its reaction to pointer, wheel, gestures and keys. A drawing that was
 * neither zoomed nor panned stays fitted when the pane changes its size. */
#include "ui/canvas/hl-canvas.h"

#include "ui/workbench/hl-document-editing.h"
#include "ui/plot/hl-plot-view.h"
#include "ui/widget/hl-element-description.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-zoomable.h"

#include <math.h>
#include <string.h>

typedef struct {
  HlWorkbench *workbench;
  HlView view;
  double min_scale, max_scale, fit_scale;
  gboolean is_free; /* zoomed or panned by hand */
  gboolean fit_due;
  int foot_px;          /* at the lower edge, which a fitted drawing leaves free */
  int palette_px;       /* at the left edge, the same */
  gboolean has_palette; /* it is seen */
  HlSpot pointer;       /* device */
  gboolean pointer_inside;
  gboolean space_held;
  gboolean is_armed; /* a drawing tool is active */
  guint button;      /* held by the click gesture */
  char *pressed;     /* element that the first button went down on */
  char *worked;      /* element where a button was let go last, while the pointer rests on it */
  HlView pan_start;
  double pinch_last;
  HlPixels *pixels;
} HlCanvasPrivate;

#define FIT_MARGIN_PX 20.0

static void zoomable_init (HlZoomableInterface *interface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (HlCanvas, hl_canvas, GTK_TYPE_WIDGET,
                                  G_ADD_PRIVATE (HlCanvas)
                                      G_IMPLEMENT_INTERFACE (HL_TYPE_ZOOMABLE, zoomable_init))

static HlCanvasPrivate *private_of (HlCanvas *self) {
  return hl_canvas_get_instance_private (self);
}

/* Wheel and pinch zoom at the pointer; a touchpad's two fingers, the middle button or Space with
 * the first button pan. What else is done on the canvas is an event of its class. */

#define WHEEL_STEP 1.15
#define PAN_STEP_PX 40.0

static gboolean send_event (HlCanvas *self, HlCanvasEvent *event) {
  HlCanvasClass *klass = HL_CANVAS_GET_CLASS (self);
  event->at = hl_view_to_world (&private_of (self)->view, event->device);
  return klass->event != NULL && klass->event (self, event);
}

static const char *part_at (HlCanvas *self, double x, double y) {
  HlStyle style = hl_widget_style (GTK_WIDGET (self));
  return HL_CANVAS_GET_CLASS (self)->hit (self, (HlSpot){x, y}, &style);
}

static void pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  GtkGestureSingle *single = GTK_GESTURE_SINGLE (gesture);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (priv->space_held || priv->workbench == NULL)
    return;
  priv->button = gtk_gesture_single_get_current_button (single);
  GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  g_free (priv->pressed);
  priv->pressed = priv->button == GDK_BUTTON_PRIMARY ? g_strdup (part_at (self, x, y)) : NULL;
  HlCanvasEvent event = {HL_CANVAS_PRESS, .device = {x, y}, .button = priv->button, .n_press = n_press,
                         .modifiers = modifiers};
  if (send_event (self, &event) || priv->button != GDK_BUTTON_PRIMARY)
    return;
  const char *id = part_at (self, x, y);
  if (n_press == 2 && id == NULL)
    hl_canvas_fit (self);
  else if ((modifiers & GDK_SHIFT_MASK) && id != NULL)
    hl_workbench_toggle_selected (priv->workbench, id);
  else
    hl_workbench_select (priv->workbench, id);
}

static void released_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  HlCanvasEvent event = {HL_CANVAS_RELEASE, .device = {x, y}, .button = priv->button, .n_press = n_press,
                         .modifiers =
                             gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture))};
  priv->button = 0;
  hl_plot_hold_nowhere (GTK_WIDGET (self));
  /* released above a plot: its traces are added there, and the drawing does not change */
  if (priv->pressed != NULL && hl_plot_is_at (GTK_WIDGET (self), x, y)) {
    HlCanvasEvent escape = {HL_CANVAS_KEY, .device = {x, y}, .keyval = GDK_KEY_Escape};
    send_event (self, &escape);
    hl_plot_drop_at (GTK_WIDGET (self), x, y, priv->pressed);
    return;
  }
  send_event (self, &event);
  if (priv->workbench != NULL) {
    g_free (priv->worked);
    priv->worked = g_strdup (part_at (self, x, y));
  }
}

/* Ends a press that became a drag, without the click's own release. */
static void ended_cb (GtkGesture *gesture, GdkEventSequence *sequence, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  double x = priv->pointer.x, y = priv->pointer.y;

  if (priv->button == 0)
    return;
  gtk_gesture_get_point (gesture, sequence, &x, &y);
  released_cb (GTK_GESTURE_CLICK (gesture), 1, x, y, self);
}

void hl_canvas_set_armed (HlCanvas *self, gboolean is_armed) {
  HlCanvasPrivate *priv = private_of (self);

  /* setting a cursor queries the display for the pointer */
  if (is_armed != priv->is_armed)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_armed ? "crosshair" : NULL);
  priv->is_armed = is_armed;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), !is_armed);
}

void hl_canvas_take_idle_keys (HlCanvas *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean is_idle = focus == NULL || (HL_IS_CANVAS (focus) && !private_of (HL_CANVAS (focus))->is_armed &&
                                       hl_workbench_selected (private_of (self)->workbench) == NULL);

  if (root != NULL && focus != GTK_WIDGET (self) && is_idle)
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void motion_cb (GtkEventControllerMotion *controller, double x, double y, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);

  priv->pointer = (HlSpot){x, y};
  priv->pointer_inside = TRUE;
  if (priv->workbench == NULL)
    return;
  if (priv->pressed != NULL && priv->button != 0)
    hl_plot_hold_above (GTK_WIDGET (self), x, y);
  HlCanvasEvent event = {
      HL_CANVAS_MOVE, .device = {x, y}, .button = priv->button,
      .modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller))};
  if (!send_event (self, &event))
    hl_workbench_set_hover (priv->workbench, part_at (self, x, y));
}

static void leave_cb (GtkEventControllerMotion *controller, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  HlCanvasEvent event = {HL_CANVAS_LEAVE, .device = priv->pointer};

  priv->pointer_inside = FALSE;
  g_clear_pointer (&priv->worked, g_free);
  send_event (self, &event);
  if (priv->workbench != NULL)
    hl_workbench_set_hover (priv->workbench, NULL);
}

static gboolean scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
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

static void pan_begin_cb (GtkGestureDrag *gesture, double x, double y, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button != GDK_BUTTON_MIDDLE && !(button == GDK_BUTTON_PRIMARY && priv->space_held)) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  priv->pan_start = priv->view;
}

static void pan_update_cb (GtkGestureDrag *gesture, double dx, double dy, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);

  priv->view = priv->pan_start;
  hl_view_pan (&priv->view, dx, dy);
  priv->is_free = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void pinch_begin_cb (GtkGesture *gesture, GdkEventSequence *sequence, HlCanvas *self) {
  private_of (self)->pinch_last = 1;
}

static void pinch_cb (GtkGestureZoom *gesture, double scale, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  double x, y;

  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    priv->pointer = (HlSpot){x, y};
  hl_canvas_zoom (self, scale / priv->pinch_last);
  priv->pinch_last = scale;
}

static gboolean key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                                GdkModifierType state, HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  HlCanvasEvent event = {HL_CANVAS_KEY, .device = priv->pointer, .keyval = keyval, .modifiers = state};

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

static void key_released_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                             GdkModifierType state, HlCanvas *self) {
  if (keyval == GDK_KEY_space)
    private_of (self)->space_held = FALSE;
}

/* Resets Space: its release outside of the canvas sends no event here. */
static void focus_leave_cb (GtkEventControllerFocus *controller, HlCanvas *self) {
  private_of (self)->space_held = FALSE;
}

/* Shows a tooltip, except for an element that was just clicked, drawn or wired: the pointer has to leave it
 * first. */
static gboolean query_tooltip_cb (HlCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
                                  gpointer data) {
  HlCanvasPrivate *priv = private_of (self);
  const char *id = priv->workbench == NULL ? NULL
                   : keyboard              ? hl_workbench_selected (priv->workbench)
                                           : part_at (self, x, y);

  if (!keyboard && g_strcmp0 (id, priv->worked) != 0)
    g_clear_pointer (&priv->worked, g_free);
  if (id == NULL || priv->button != 0 || (!keyboard && priv->worked != NULL))
    return FALSE;
  g_autofree char *text = hl_element_text (priv->workbench, id);
  HlRect box;
  gtk_tooltip_set_text (tooltip, text);
  /* below the element and not on it */
  HlCanvasClass *klass = HL_CANVAS_GET_CLASS (self);
  if (klass->where != NULL && klass->where (self, id, &box)) {
    HlSpot a = hl_view_to_device (&priv->view, (HlSpot){box.x, box.y});
    HlSpot b = hl_view_to_device (&priv->view, (HlSpot){box.x + box.width, box.y + box.height});
    gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){(int)fmin (a.x, b.x), (int)fmin (a.y, b.y),
                                                       (int)fabs (b.x - a.x), (int)fabs (b.y - a.y)});
  }
  return TRUE;
}

static void add_pointer_controllers (HlCanvas *self) {
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

/* Adds the controllers of pointer, wheel, fingers and keys, and the tooltip. */
static void add_controllers (HlCanvas *self) {
  GtkWidget *widget = GTK_WIDGET (self);

  add_pointer_controllers (self);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);

  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
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

static HlRect area_of (HlCanvas *self) {
  return (HlRect){0, 0, gtk_widget_get_width (GTK_WIDGET (self)), gtk_widget_get_height (GTK_WIDGET (self))};
}

static void fit_now (HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  HlCanvasClass *klass = HL_CANVAS_GET_CLASS (self);

  priv->fit_due = FALSE;
  if (klass->box == NULL || priv->workbench == NULL)
    return;
  HlRect area = area_of (self);
  area.y += HL_CANVAS_TITLE_PX;
  area.height -= HL_CANVAS_TITLE_PX + MAX (klass->foot_px, priv->foot_px);
  area.x += priv->palette_px;
  area.width = fmax (area.width - priv->palette_px, 1.0);
  hl_view_fit_all (&priv->view, klass->box (self), area, FIT_MARGIN_PX, priv->fit_scale, klass->extent, self);
}

/* Returns a fingerprint of the picture: only visible changes are painted; a dragged slider moves traces and
 * eigenvalues, but often not the drawings. */
static guint64 print_of (GtkWidget *widget) {
  HlCanvas *self = HL_CANVAS (widget);
  const HlView *view = &private_of (self)->view;

  if (private_of (self)->fit_due)
    fit_now (self);
  const double look[] = {view->scale, view->offset_x, view->offset_y, hl_canvas_covered (self)};
  guint64 print = HL_CANVAS_GET_CLASS (self)->fingerprint (self);

  for (guint i = 0; i < G_N_ELEMENTS (look); i++)
    print = hl_fingerprint_number (print, look[i], 1e-9);
  return print;
}

static void paint (GtkWidget *widget, cairo_t *cr, HlRect area, const HlStyle *style) {
  HL_CANVAS_GET_CLASS (widget)->paint (HL_CANVAS (widget), cr, area, style);
}

static guint64 print_over_of (GtkWidget *widget) {
  return HL_CANVAS_GET_CLASS (widget)->fingerprint_over (HL_CANVAS (widget));
}

static void paint_over (GtkWidget *widget, cairo_t *cr, HlRect area, const HlStyle *style) {
  HL_CANVAS_GET_CLASS (widget)->paint_over (HL_CANVAS (widget), cr, area, style);
}

static const HlPixelsClass pixels_class = {
    .print = print_of, .paint = paint, .print_over = print_over_of, .paint_over = paint_over};

static void hl_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  HlCanvas *self = HL_CANVAS (widget);
  HlCanvasPrivate *priv = private_of (self);
  HlRect area = area_of (self);

  if (area.width < 1 || area.height < 1 || priv->workbench == NULL)
    return;
  if (priv->pixels == NULL)
    priv->pixels = hl_pixels_new (widget, &pixels_class, HL_CANVAS_GET_CLASS (self)->turn);
  /* finding the box of a large drawing belongs to its turn */
  if (priv->fit_due && !hl_pixels_is_slow (priv->pixels))
    fit_now (self);
  hl_pixels_show (priv->pixels, snapshot);
}

static void hl_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline) {
  HlCanvasPrivate *priv = private_of (HL_CANVAS (widget));

  GTK_WIDGET_CLASS (hl_canvas_parent_class)->size_allocate (widget, width, height, baseline);
  if (!priv->is_free)
    priv->fit_due = TRUE;
}

static void hl_canvas_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                               int *natural, int *minimum_baseline, int *natural_baseline) {
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : 320;
}

static void zoomable_zoom (HlZoomable *zoomable, double factor) {
  hl_canvas_zoom (HL_CANVAS (zoomable), factor);
}

static void zoomable_fit (HlZoomable *zoomable) {
  hl_canvas_fit (HL_CANVAS (zoomable));
}

/* --- life --- */

static void zoomable_init (HlZoomableInterface *interface) {
  interface->zoom = zoomable_zoom;
  interface->fit = zoomable_fit;
}

static void hl_canvas_dispose (GObject *object) {
  HlCanvas *self = HL_CANVAS (object);
  hl_canvas_set_workbench (self, NULL);
  g_clear_pointer (&private_of (self)->pixels, hl_pixels_free);
  g_clear_pointer (&private_of (self)->pressed, g_free);
  g_clear_pointer (&private_of (self)->worked, g_free);
  G_OBJECT_CLASS (hl_canvas_parent_class)->dispose (object);
}

static void hl_canvas_class_init (HlCanvasClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_canvas_dispose;
  widget_class->snapshot = hl_canvas_snapshot;
  widget_class->size_allocate = hl_canvas_size_allocate;
  widget_class->measure = hl_canvas_measure;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  hl_zoomable_install_actions (widget_class);
}

static void hl_canvas_init (HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);
  GtkWidget *widget = GTK_WIDGET (self);

  priv->view = (HlView){.scale = 1};
  priv->min_scale = 1e-3;
  priv->max_scale = priv->fit_scale = 1e5;
  priv->fit_due = TRUE;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  add_controllers (self);
}

static void workbench_changed_cb (HlWorkbench *workbench, guint changes, HlCanvas *self) {
  if ((changes & HL_CHANGED_DOCUMENT) && hl_is_large (hl_editing_document (hl_workbench_editing (workbench))))
    hl_canvas_expect_slow (self);
  if (HL_CANVAS_GET_CLASS (self)->changed != NULL)
    HL_CANVAS_GET_CLASS (self)->changed (self, changes);
}

void hl_canvas_set_workbench (HlCanvas *self, HlWorkbench *workbench) {
  HlCanvasPrivate *priv = private_of (self);

  if (priv->workbench == workbench)
    return;
  if (priv->workbench != NULL)
    g_signal_handlers_disconnect_by_func (priv->workbench, workbench_changed_cb, self);
  g_set_object (&priv->workbench, workbench);
  if (workbench == NULL)
    return;
  g_signal_connect_object (workbench, "changed", G_CALLBACK (workbench_changed_cb), self, 0);
  workbench_changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}

HlWorkbench *hl_canvas_workbench (HlCanvas *self) {
  return private_of (self)->workbench;
}

const HlView *hl_canvas_view (HlCanvas *self) {
  return &private_of (self)->view;
}

void hl_canvas_zoom (HlCanvas *self, double factor) {
  HlCanvasPrivate *priv = private_of (self);
  HlRect area = area_of (self);
  HlSpot about = priv->pointer_inside ? priv->pointer : (HlSpot){area.width / 2, area.height / 2};

  hl_view_zoom_at (&priv->view, about, factor, priv->min_scale, priv->max_scale);
  priv->is_free = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

gboolean hl_canvas_is_painting (HlCanvas *self) {
  const HlPixels *pixels = private_of (self)->pixels;

  return pixels != NULL && hl_pixels_is_due (pixels);
}

void hl_canvas_expect_slow (HlCanvas *self) {
  if (private_of (self)->pixels != NULL)
    hl_pixels_expect_slow (private_of (self)->pixels);
}

void hl_canvas_set_foot (HlCanvas *self, int foot_px) {
  private_of (self)->foot_px = foot_px;
}

void hl_canvas_set_palette (HlCanvas *self, int width_px, gboolean is_seen) {
  HlCanvasPrivate *priv = private_of (self);

  if (priv->palette_px != width_px)
    hl_canvas_box_changed (self);
  if (priv->palette_px != width_px || priv->has_palette != is_seen)
    hl_pixels_queue_draw (GTK_WIDGET (self));
  priv->palette_px = width_px;
  priv->has_palette = is_seen;
}

int hl_canvas_covered (HlCanvas *self) {
  return private_of (self)->has_palette ? private_of (self)->palette_px : 0;
}

void hl_canvas_fit (HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);

  priv->is_free = FALSE;
  priv->fit_due = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

gboolean hl_canvas_reveal (HlCanvas *self, const char *id) {
  HlCanvasPrivate *priv = private_of (self);
  HlCanvasClass *klass = HL_CANVAS_GET_CLASS (self);
  HlRect box;

  if (klass->where == NULL || priv->workbench == NULL || !klass->where (self, id, &box))
    return FALSE;
  if (priv->fit_due)
    fit_now (self);
  HlRect seen = hl_view_visible (&priv->view, area_of (self));
  if (hl_rect_contains (seen, (HlSpot){box.x, box.y}) &&
      hl_rect_contains (seen, (HlSpot){box.x + box.width, box.y + box.height}))
    return TRUE; /* no need to move the view */
  hl_view_fit (&priv->view, box, area_of (self), FIT_MARGIN_PX, priv->view.scale);
  priv->is_free = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

void hl_canvas_keep_view (HlCanvas *self) {
  private_of (self)->is_free = TRUE;
}

void hl_canvas_box_changed (HlCanvas *self) {
  HlCanvasPrivate *priv = private_of (self);

  if (!priv->is_free)
    priv->fit_due = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_canvas_set_scale_limits (HlCanvas *self, gboolean y_up, double min_scale, double max_scale,
                                 double fit_scale) {
  HlCanvasPrivate *priv = private_of (self);

  priv->view.y_up = y_up;
  priv->min_scale = min_scale;
  priv->max_scale = max_scale;
  priv->fit_scale = fit_scale;
}
