/* SPDX-License-Identifier: MIT */
/* A chart: its picture, the visible ranges with their history, and the reaction to the pointer. The picture
 * is painted at once; its pixels and the ranges are kept here. */
#include "ui/chart/hl-chart.h"

#include "core/base/hl-translation-macros.h"
#include "ui/paint/chart/hl-data-tip.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-zoomable.h"
#include "ui/widget/hl-popover.h"

#include <math.h>

#define HL_CHART_WHEEL_STEP 1.2

typedef struct {
  HlChartRange of[HL_CHART_N_AXES];
} HlChartRanges;

typedef enum {
  HL_CHART_DRAG_NOTHING,
  HL_CHART_DRAG_PRESS, /* stays, and is a click, or is nothing */
  HL_CHART_DRAG_CURSOR,
  HL_CHART_DRAG_BOX,
  HL_CHART_DRAG_AXIS, /* not decided yet: a pan along it or a box */
  HL_CHART_DRAG_PAN,
  HL_CHART_DRAG_TIP
} HlChartDrag;

typedef struct {
  HlPixels *pixels; /* from the first frame on */
  int turn;
  HlChartRanges ranges;
  GArray *history; /* HlChartRanges before each zoom */
  GArray *future;  /* those that one came back from */
  gint64 run_us;   /* when wheel or keys last changed ranges */

  GtkGesture *drag_gesture; /* borrowed */
  HlChartDrag drag;
  HlChartRanges before; /* the drag */
  HlChartAxes pan;      /* as the drag began */
  HlChartAlong along;   /* of a pan */
  int cursor;           /* that is dragged */
  HlSpot drag_from;
  HlRect box; /* rubber band, device */
  gboolean is_double_click;
  HlSpot pointer;
  gboolean pointer_inside;
  gboolean space_held;

  GArray *tips;      /* HlChartTip */
  int tip;           /* the selected one, -1 = none */
  double tip_before; /* it was dragged */
  HlSpot menu_spot;  /* where a menu was opened with the pointer */
  gboolean has_menu_spot;
  GtkWidget *menu; /* of its own; NULL until it was opened */
} HlChartPrivate;

static void zoomable_init (HlZoomableInterface *interface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (HlChart, hl_chart, GTK_TYPE_WIDGET,
                                  G_ADD_PRIVATE (HlChart)
                                      G_IMPLEMENT_INTERFACE (HL_TYPE_ZOOMABLE, zoomable_init))

static HlChartPrivate *private_of (HlChart *self) {
  return hl_chart_get_instance_private (self);
}

/* Data tips: what is pinned, which one is selected, and the doors to them: the pointer, keys and
 * the actions of menus. The subclass says where they lie. */

#define PIN_REACH_PX 40.0 /* a curve that far from the pointer is still meant */
#define BIG_STEP 10

static void clear_tip (gpointer tip) {
  g_free (((HlChartTip *)tip)->curve);
}

static void clear_tips (HlChart *self) {
  g_array_unref (private_of (self)->tips);
}

const HlChartTip *hl_chart_tips (HlChart *self, int *n, int *selected) {
  HlChartPrivate *chart = private_of (self);

  *n = (int)chart->tips->len;
  if (selected != NULL)
    *selected = chart->tip;
  return (const HlChartTip *)(gconstpointer)chart->tips->data;
}

static gboolean takes_tips (HlChart *self) {
  return HL_CHART_GET_CLASS (self)->tip_near != NULL;
}

static HlChartTip *tip_of (HlChart *self, int index) {
  return &g_array_index (private_of (self)->tips, HlChartTip, index);
}

/* Menus offer what can be done. */
static void tips_changed (HlChart *self) {
  HlChartPrivate *chart = private_of (self);
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget, "chart.remove-tip", chart->tip >= 0);
  gtk_widget_action_set_enabled (widget, "chart.remove-tips", chart->tips->len > 0);
  hl_pixels_queue_draw (widget);
}

static void init_tips (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  chart->tips = g_array_new (FALSE, TRUE, sizeof (HlChartTip));
  g_array_set_clear_func (chart->tips, clear_tip);
  chart->tip = -1;
  tips_changed (self);
}

static void select_tip (HlChart *self, int index) {
  HlChartPrivate *chart = private_of (self);

  if (chart->tip == index)
    return;
  chart->tip = index;
  tips_changed (self);
}

/* Takes the curve's name. */
static void add_tip (HlChart *self, HlChartTip tip) {
  HlChartPrivate *chart = private_of (self);

  g_array_append_val (chart->tips, tip);
  chart->tip = (int)chart->tips->len - 1;
  tips_changed (self);
}

/* Pins a tip to the curve at a spot; FALSE: there is none. */
static gboolean pin_tip (HlChart *self, HlSpot at) {
  HlChartTip tip = {NULL, NAN};

  if (!takes_tips (self) || !HL_CHART_GET_CLASS (self)->tip_near (self, at, PIN_REACH_PX, &tip))
    return FALSE;
  add_tip (self, tip);
  return TRUE;
}

static void remove_tip (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  if (chart->tip < 0)
    return;
  g_array_remove_index (chart->tips, (guint)chart->tip);
  chart->tip = -1;
  tips_changed (self);
}

void hl_chart_forget_tips (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  g_array_set_size (chart->tips, 0);
  chart->tip = -1;
  tips_changed (self);
}

/* --- the pointer --- */

static int tip_at (HlChart *self, HlSpot at) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  int n = (int)private_of (self)->tips->len, nearest = -1;
  double best = HL_DATA_TIP_REACH_PX;

  if (n == 0 || klass->tip_spots == NULL)
    return -1;
  g_autofree HlSpot *spots = g_new0 (HlSpot, n);
  klass->tip_spots (self, spots);
  for (int i = 0; i < n; i++) {
    double away = hypot (spots[i].x - at.x, spots[i].y - at.y); /* NAN: it is not to be seen */
    if (away <= best) {
      best = away;
      nearest = i;
    }
  }
  return nearest;
}

gboolean hl_chart_is_on_tip (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  return chart->tips->len > 0 && chart->pointer_inside && tip_at (self, chart->pointer) >= 0;
}

static void begin_tip (HlChart *self, int index) {
  HlChartPrivate *chart = private_of (self);

  select_tip (self, index);
  chart->tip_before = tip_of (self, index)->at;
}

static void drag_tip (HlChart *self, HlSpot to) {
  HlChartPrivate *chart = private_of (self);

  if (chart->tip < 0)
    return;
  HL_CHART_GET_CLASS (self)->tip_along (self, tip_of (self, chart->tip), to);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void put_tip_back (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  if (chart->tip >= 0)
    tip_of (self, chart->tip)->at = chart->tip_before;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* --- keys --- */

/* Pins a tip at the pointer, otherwise at the default place of the subclass. */
static void pin_by_key (HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartTip tip = {NULL, NAN};
  HlSpot at;

  if (hl_chart_pointer (self, &at) && pin_tip (self, at))
    return;
  if (klass->tip_usual != NULL && klass->tip_usual (self, &tip))
    add_tip (self, tip);
}

static void move_step (HlChart *self, int steps) {
  HL_CHART_GET_CLASS (self)->tip_step (self, tip_of (self, private_of (self)->tip), steps);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static gboolean tip_key (HlChart *self, guint keyval, gboolean shift) {
  HlChartPrivate *chart = private_of (self);

  if (!takes_tips (self))
    return FALSE;
  if (keyval == GDK_KEY_t) {
    if (!shift)
      pin_by_key (self);
    else if (chart->tips->len > 0)
      select_tip (self, (chart->tip + 1) % (int)chart->tips->len);
    return TRUE;
  }
  if (chart->tip < 0)
    return FALSE;
  switch (keyval) {
  case GDK_KEY_Left:
  case GDK_KEY_Right:
    move_step (self, (keyval == GDK_KEY_Left ? -1 : 1) * (shift ? BIG_STEP : 1));
    return TRUE;
  case GDK_KEY_Delete:
  case GDK_KEY_KP_Delete:
    remove_tip (self);
    return TRUE;
  case GDK_KEY_Escape:
    select_tip (self, -1);
    return TRUE;
  default:
    return FALSE;
  }
}

/* --- menus --- */

void hl_chart_set_menu_spot (HlChart *self, const HlSpot *at) {
  HlChartPrivate *chart = private_of (self);

  chart->has_menu_spot = at != NULL;
  if (at == NULL)
    return;
  chart->menu_spot = *at;
  int tip = tip_at (self, *at);
  if (tip >= 0)
    select_tip (self, tip);
}

static void pin_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  HlChart *self = HL_CHART (widget);
  HlChartPrivate *chart = private_of (self);

  if (!chart->has_menu_spot || !pin_tip (self, chart->menu_spot))
    pin_by_key (self);
  chart->has_menu_spot = FALSE;
  gtk_widget_grab_focus (widget);
}

static void remove_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  remove_tip (HL_CHART (widget));
}

static void remove_all_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  hl_chart_forget_tips (HL_CHART (widget));
}

static void install_tip_actions (GtkWidgetClass *klass) {
  gtk_widget_class_install_action (klass, "chart.pin-tip", NULL, pin_cb);
  gtk_widget_class_install_action (klass, "chart.remove-tip", NULL, remove_cb);
  gtk_widget_class_install_action (klass, "chart.remove-tips", NULL, remove_all_cb);
}

void hl_chart_append_tip_items (GMenu *menu) {
  g_autoptr (GMenu) section = g_menu_new ();

  g_menu_append (section, _ ("Pin a data tip"), "chart.pin-tip");
  g_menu_append (section, _ ("Remove the data tip"), "chart.remove-tip");
  g_menu_append (section, _ ("Remove all data tips"), "chart.remove-tips");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

/* --- the menu of charts that have none of their own --- */

static void secondary_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlChart *self) {
  HlChartPrivate *chart = private_of (self);
  g_autoptr (GMenu) menu = g_menu_new ();

  if (chart->menu == NULL) {
    hl_chart_append_tip_items (menu);
    chart->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
    gtk_popover_set_has_arrow (GTK_POPOVER (chart->menu), FALSE);
    gtk_widget_set_halign (chart->menu, GTK_ALIGN_START);
    gtk_widget_set_parent (chart->menu, GTK_WIDGET (self));
  }
  hl_chart_set_menu_spot (self, &(HlSpot){x, y});
  gtk_popover_set_pointing_to (GTK_POPOVER (chart->menu), &(GdkRectangle){(int)x, (int)y, 1, 1});
  gtk_popover_set_position (GTK_POPOVER (chart->menu), GTK_POS_BOTTOM);
  hl_popover_popup_inside (GTK_POPOVER (chart->menu));
}

void hl_chart_add_tip_menu (HlChart *self) {
  GtkGesture *secondary = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (secondary_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (secondary));
}

/* Pointer gestures of all charts. A press decides what a drag will be: a cursor, a box, or a pan; one that begins on an
 * axis is a pan along it or, going into the frame, a box. One that stays in place is a click; with Ctrl it pins a data
 * tip, which a drag from a tip moves. */

#define DRAG_START_PX 5.0
#define ALONG_AXIS 0.4 /* across over along, of a drag that still is a pan of that axis */
#define THUMB_BACK 8
#define THUMB_FORWARD 9

/* Returns the axes of a zoom: over an axis that axis only; with Ctrl only x, with Shift only the values. */
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

static void remember_run (HlChart *self);

static gboolean chart_lay_out (HlChart *self, HlChartAxes *axes);

static HlChartPart chart_hit (HlChart *self, HlSpot at, int *index);

static gboolean scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, HlChart *self) {
  HlChartPrivate *chart = private_of (self);
  GdkModifierType modifiers =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  HlChartAxes axes;
  int index;

  if (!chart_lay_out (self, &axes))
    return FALSE;
  HlChartPart part = chart_hit (self, chart->pointer, &index);
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartAlong along = along_of (self, part, modifiers);
  /* over time the wheel is for the time, and Ctrl for both */
  if ((part == HL_CHART_IN_FRAME || part == HL_CHART_ON_CURSOR || part == HL_CHART_ON_TIP) &&
      !(modifiers & GDK_SHIFT_MASK) && klass->is_over_time != NULL && klass->is_over_time (self))
    along = klass->zooms & (modifiers & GDK_CONTROL_MASK ? HL_CHART_ALONG_ALL : HL_CHART_ALONG_X);
  if (part == HL_CHART_NOWHERE || part == HL_CHART_ON_ENTRY || along == 0)
    return FALSE;
  remember_run (self);
  hl_chart_zoom_at (self, chart->pointer, pow (HL_CHART_WHEEL_STEP, -(dy != 0 ? dy : dx)), along);
  return TRUE;
}

/* --- drags --- */

static HlChartDrag what_to_drag (HlChart *self, guint button, HlSpot at, gboolean pins) {
  HlChartPrivate *chart = private_of (self);
  gboolean zooms = chart_lay_out (self, &chart->pan);
  int index;

  HlChartPart part = chart_hit (self, at, &index);
  chart->along = along_of (self, part, 0);
  if (zooms && (button == GDK_BUTTON_MIDDLE || chart->space_held))
    return HL_CHART_DRAG_PAN;
  if (button != GDK_BUTTON_PRIMARY)
    return HL_CHART_DRAG_NOTHING;
  if (part == HL_CHART_ON_TIP) {
    begin_tip (self, index);
    return HL_CHART_DRAG_TIP;
  }
  select_tip (self, -1);
  if (pins && pin_tip (self, at)) {
    begin_tip (self, (int)chart->tips->len - 1);
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
  HlChartPrivate *chart = private_of (self);

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

/* Decides the direction of a drag from an axis, once it is long enough. */
static void decide_from_axis (HlChart *self, double dx, double dy) {
  HlChartPrivate *chart = private_of (self);
  gboolean is_x = chart->along == HL_CHART_ALONG_X;
  double along = fabs (is_x ? dx : dy), across = fabs (is_x ? dy : dx);

  if (hypot (dx, dy) <= DRAG_START_PX)
    return;
  chart->drag = chart->along != 0 && across <= ALONG_AXIS * along ? HL_CHART_DRAG_PAN : HL_CHART_DRAG_BOX;
  if (chart->drag == HL_CHART_DRAG_PAN)
    hl_chart_remember (self);
}

static void keep_axes (HlChart *self, const HlChartAxes *axes, HlChartAlong along);

static void pan_to (HlChart *self, double dx, double dy) {
  HlChartPrivate *chart = private_of (self);
  HlChartAxes axes = chart->pan;

  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (chart->along & (1 << k))
      hl_axis_pan (&axes.axes[k], k == HL_CHART_X ? -dx / axes.frame.width : dy / axes.frame.height);
  keep_axes (self, &axes, chart->along);
}

static void drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, HlChart *self) {
  HlChartPrivate *chart = private_of (self);
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
    drag_tip (self, (HlSpot){from.x + dx, from.y + dy});
  else if (chart->drag == HL_CHART_DRAG_PAN)
    pan_to (self, dx, dy);
  else if (chart->drag == HL_CHART_DRAG_BOX && has_moved)
    chart->box = (HlRect){fmin (from.x, from.x + dx), fmin (from.y, from.y + dy), fabs (dx), fabs (dy)};
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static HlRect clamp_box (HlRect box, HlRect frame) {
  double left = fmax (box.x, frame.x), top = fmax (box.y, frame.y);

  return (HlRect){left, top, fmin (box.x + box.width, frame.x + frame.width) - left,
                  fmin (box.y + box.height, frame.y + frame.height) - top};
}

static void narrow_axis (HlAxis *axis, double from, double to) {
  double min = hl_axis_value (axis, from), max = hl_axis_value (axis, to);

  axis->min = min;
  axis->max = max;
}

/* Zooms to the part of the box within the frame. A box that is nearly a line zooms along it only. */
static void zoom_to_box (HlChart *self) {
  HlChartAxes axes;

  if (!chart_lay_out (self, &axes))
    return;
  const HlRect *frame = &axes.frame;
  HlRect box = clamp_box (private_of (self)->box, *frame);
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
      narrow_axis (&axes.axes[k], k == HL_CHART_X ? left : low, k == HL_CHART_X ? right : high);
  keep_axes (self, &axes, along);
}

static void end_drag (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  chart->box = (HlRect){0};
  chart->drag = HL_CHART_DRAG_NOTHING;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = private_of (self);
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

/* Restores the ranges of an unfinished drag; FALSE: there is none. */
static void restore_ranges (HlChart *self, const HlChartRanges *ranges);

static gboolean give_up_drag (HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = private_of (self);
  HlChartDrag drag = chart->drag;

  if (drag == HL_CHART_DRAG_NOTHING)
    return FALSE;
  /* in this order: a gesture that is denied says that its drag has ended */
  end_drag (self);
  gtk_gesture_set_state (chart->drag_gesture, GTK_EVENT_SEQUENCE_DENIED);
  if (drag == HL_CHART_DRAG_PAN)
    restore_ranges (self, &chart->before);
  if (drag == HL_CHART_DRAG_CURSOR)
    klass->put_cursor_back (self, chart->cursor);
  if (drag == HL_CHART_DRAG_TIP)
    put_tip_back (self);
  return TRUE;
}

/* --- presses --- */

/* Handles the two thumb buttons of a mouse. */
static void thumb_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlChart *self) {
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button == THUMB_BACK || button == THUMB_FORWARD)
    hl_chart_step (self, button == THUMB_BACK);
}

static void fit_along (HlChart *self, HlChartAlong along);

static void pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = private_of (self);
  int index;
  HlChartPart part = chart_hit (self, (HlSpot){x, y}, &index);

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
    fit_along (self, along_of (self, part, 0));
  }
}

static void motion_cb (GtkEventControllerMotion *controller, double x, double y, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = private_of (self);

  chart->pointer = (HlSpot){x, y};
  chart->pointer_inside = TRUE;
  if (chart->drag != HL_CHART_DRAG_NOTHING || klass->hover == NULL)
    return;
  const char *name = klass->hover (self, chart->pointer);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), tip_at (self, chart->pointer) >= 0 ? "grab" : name);
}

static void leave_cb (GtkEventControllerMotion *controller, HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);

  private_of (self)->pointer_inside = FALSE;
  if (klass->leave != NULL)
    klass->leave (self);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* Adds the controllers of the pointer. */
static void add_pointer (HlChart *self) {
  GtkWidget *widget = GTK_WIDGET (self);

  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  GtkGesture *thumb = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (thumb), 0);
  g_signal_connect (thumb, "pressed", G_CALLBACK (thumb_pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (thumb));

  GtkGesture *drag = private_of (self)->drag_gesture = gtk_gesture_drag_new ();
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

/* The ranges in view and their history. */

#define MAX_HISTORY 64
#define PAUSE_US 700000

/* Initializes the ranges. */
static void init_ranges (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  chart->history = g_array_new (FALSE, FALSE, sizeof (HlChartRanges));
  chart->future = g_array_new (FALSE, FALSE, sizeof (HlChartRanges));
}

static void clear_ranges (HlChart *self) {
  g_array_unref (private_of (self)->history);
  g_array_unref (private_of (self)->future);
}

const HlChartRange *hl_chart_range (HlChart *self, HlChartAxis axis) {
  return &private_of (self)->ranges.of[axis];
}

gboolean hl_chart_has_range (HlChart *self) {
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (hl_chart_range (self, k)->is_free)
      return TRUE;
  return FALSE;
}

void hl_chart_set_range (HlChart *self, HlChartAxis axis, double min, double max) {
  HlChartRange *range = &private_of (self)->ranges.of[axis];

  *range = (HlChartRange){isfinite (min) && isfinite (max), {.min = min, .max = max}};
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_chart_forget_ranges (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  chart->ranges = (HlChartRanges){0};
  g_array_set_size (chart->history, 0);
  g_array_set_size (chart->future, 0);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void ranges_changed (HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);

  if (klass->ranges_changed != NULL)
    klass->ranges_changed (self);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* --- history --- */

static void push_ranges (GArray *stack, const HlChartRanges *ranges) {
  if (stack->len >= MAX_HISTORY)
    g_array_remove_index (stack, 0);
  g_array_append_val (stack, *ranges);
}

void hl_chart_remember (HlChart *self) {
  HlChartPrivate *chart = private_of (self);

  push_ranges (chart->history, &chart->ranges);
  g_array_set_size (chart->future, 0);
}

static void remember_run (HlChart *self) {
  HlChartPrivate *chart = private_of (self);
  gint64 now = g_get_monotonic_time ();

  if (now - chart->run_us > PAUSE_US)
    hl_chart_remember (self);
  chart->run_us = now;
}

void hl_chart_step (HlChart *self, gboolean back) {
  HlChartPrivate *chart = private_of (self);
  GArray *from = back ? chart->history : chart->future;

  if (from->len == 0)
    return;
  push_ranges (back ? chart->future : chart->history, &chart->ranges);
  chart->ranges = g_array_index (from, HlChartRanges, from->len - 1);
  g_array_set_size (from, from->len - 1);
  ranges_changed (self);
}

gboolean hl_chart_can_step (HlChart *self, gboolean back) {
  HlChartPrivate *chart = private_of (self);
  return (back ? chart->history : chart->future)->len > 0;
}

/* Restores the ranges before the last step and discards that step. */
static void restore_ranges (HlChart *self, const HlChartRanges *ranges) {
  HlChartPrivate *chart = private_of (self);

  chart->ranges = *ranges;
  if (chart->history->len > 0)
    g_array_set_size (chart->history, chart->history->len - 1);
  ranges_changed (self);
}

/* --- changing them --- */

/* Makes the axes the chosen ranges. */
static void keep_axes (HlChart *self, const HlChartAxes *axes, HlChartAlong along) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartPrivate *chart = private_of (self);

  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (along & (1 << k) || klass->zooms_as_one)
      chart->ranges.of[k] = (HlChartRange){TRUE, axes->axes[k]};
  ranges_changed (self);
}

void hl_chart_zoom_at (HlChart *self, HlSpot at, double factor, HlChartAlong along) {
  HlChartAxes axes;

  if (!chart_lay_out (self, &axes))
    return;
  double x = CLAMP ((at.x - axes.frame.x) / axes.frame.width, 0, 1);
  double y = CLAMP (1 - (at.y - axes.frame.y) / axes.frame.height, 0, 1);
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (along & (1 << k))
      hl_axis_zoom (&axes.axes[k], k == HL_CHART_X ? x : y, factor);
  keep_axes (self, &axes, along);
}

static void chart_zoom (HlChart *self, double factor, HlChartAlong along) {
  HlChartPrivate *chart = private_of (self);
  HlChartAxes axes;

  along &= HL_CHART_GET_CLASS (self)->zooms;
  if (along == 0 || !chart_lay_out (self, &axes))
    return;
  HlSpot middle = {axes.frame.x + axes.frame.width / 2, axes.frame.y + axes.frame.height / 2};
  remember_run (self);
  hl_chart_zoom_at (self, chart->pointer_inside ? chart->pointer : middle, factor, along);
}

static void chart_pan (HlChart *self, double right, double up) {
  HlChartAlong along = (right != 0 ? HL_CHART_ALONG_X : HL_CHART_ALONG_Y) & HL_CHART_GET_CLASS (self)->zooms;
  HlChartAxes axes;

  if (along == 0 || !chart_lay_out (self, &axes))
    return;
  remember_run (self);
  hl_axis_pan (&axes.axes[HL_CHART_X], right);
  hl_axis_pan (&axes.axes[HL_CHART_LEFT], up);
  hl_axis_pan (&axes.axes[HL_CHART_RIGHT], up);
  keep_axes (self, &axes, along);
}

/* Fits these axes again; the others stay. */
static void fit_along (HlChart *self, HlChartAlong along) {
  HlChartPrivate *chart = private_of (self);
  gboolean is_free = FALSE;

  if (HL_CHART_GET_CLASS (self)->zooms_as_one)
    along = HL_CHART_ALONG_ALL;
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    is_free = is_free || (along & (1 << k) && chart->ranges.of[k].is_free);
  if (!is_free)
    return;
  hl_chart_remember (self);
  for (int k = 0; k < HL_CHART_N_AXES; k++)
    if (along & (1 << k))
      chart->ranges.of[k] = (HlChartRange){0};
  ranges_changed (self);
}

void hl_chart_fit (HlChart *self) {
  fit_along (self, HL_CHART_ALONG_ALL);
}

/* Keys of all charts: the same operations as with the pointer. Zoom and fit are the actions of HlZoomable; keys that
 * mean nothing here go to the subclass. */

#define PAN_STEP 0.1 /* of the range in view */

static gboolean own_key (HlChart *self, guint keyval, gboolean shift) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  return klass->key != NULL && klass->key (self, keyval, shift);
}

static gboolean control_key (HlChart *self, guint keyval) {
  switch (keyval) {
  case GDK_KEY_Left:
    chart_pan (self, -PAN_STEP, 0);
    return TRUE;
  case GDK_KEY_Right:
    chart_pan (self, PAN_STEP, 0);
    return TRUE;
  case GDK_KEY_Up:
    chart_pan (self, 0, PAN_STEP);
    return TRUE;
  case GDK_KEY_Down:
    chart_pan (self, 0, -PAN_STEP);
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean plain_key (HlChart *self, guint keyval, gboolean shift) {
  HlChartAlong along = shift ? HL_CHART_ALONG_Y : HL_CHART_ALONG_X;

  if (keyval == GDK_KEY_Escape && give_up_drag (self))
    return TRUE;
  if (tip_key (self, keyval, shift))
    return TRUE;
  switch (keyval) {
  case GDK_KEY_space:
    private_of (self)->space_held = TRUE;
    return TRUE;
  case GDK_KEY_Page_Up:
    chart_zoom (self, HL_CHART_WHEEL_STEP, along);
    return TRUE;
  case GDK_KEY_Page_Down:
    chart_zoom (self, 1 / HL_CHART_WHEEL_STEP, along);
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
    private_of (self)->space_held = FALSE;
}

/* Resets Space: its release outside of the chart sends no event here. */
static void focus_leave_cb (GtkEventControllerFocus *controller, HlChart *self) {
  private_of (self)->space_held = FALSE;
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

/* --- what lies where --- */

HlRect hl_chart_area (HlChart *self) {
  return (HlRect){0, 0, gtk_widget_get_width (GTK_WIDGET (self)), gtk_widget_get_height (GTK_WIDGET (self))};
}

HlRect hl_chart_band (HlChart *self) {
  return private_of (self)->box;
}

gboolean hl_chart_pointer (HlChart *self, HlSpot *at) {
  const HlChartPrivate *chart = private_of (self);

  *at = chart->pointer;
  return chart->pointer_inside && chart->drag == HL_CHART_DRAG_NOTHING;
}

/* Lays out frame and axes; FALSE: there is nothing to zoom. */
static gboolean chart_lay_out (HlChart *self, HlChartAxes *axes) {
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

static HlChartPart chart_hit (HlChart *self, HlSpot at, int *index) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartAxes axes;

  *index = tip_at (self, at);
  if (*index >= 0)
    return HL_CHART_ON_TIP;
  if (klass->hit != NULL)
    return klass->hit (self, at, index);
  return chart_lay_out (self, &axes) ? hl_chart_part_of (&axes.frame, at) : HL_CHART_NOWHERE;
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

static void chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  HlChartPrivate *chart = private_of (HL_CHART (widget));
  HlRect area = hl_chart_area (HL_CHART (widget));

  if (area.width < 1 || area.height < 1)
    return;
  if (chart->pixels == NULL)
    chart->pixels = hl_pixels_new (widget, &pixels_class, chart->turn);
  hl_pixels_show (chart->pixels, snapshot);
}

void hl_chart_set_turn (HlChart *self, int turn) {
  private_of (self)->turn = turn;
}

void hl_chart_expect_slow (HlChart *self) {
  if (private_of (self)->pixels == NULL)
    private_of (self)->pixels = hl_pixels_new (GTK_WIDGET (self), &pixels_class, private_of (self)->turn);
  hl_pixels_expect_slow (private_of (self)->pixels);
}

void hl_chart_prepare (HlChart *self) {
  if (private_of (self)->pixels != NULL)
    hl_pixels_prepare (private_of (self)->pixels);
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
  chart_zoom (HL_CHART (zoomable), factor, HL_CHART_ALONG_ALL);
}

static void zoomable_fit (HlZoomable *zoomable) {
  hl_chart_fit (HL_CHART (zoomable));
}

static void zoomable_init (HlZoomableInterface *interface) {
  interface->zoom = zoomable_zoom;
  interface->fit = zoomable_fit;
}

static void chart_dispose (GObject *object) {
  g_clear_pointer (&private_of (HL_CHART (object))->pixels, hl_pixels_free);
  g_clear_pointer (&private_of (HL_CHART (object))->menu, gtk_widget_unparent);
  G_OBJECT_CLASS (hl_chart_parent_class)->dispose (object);
}

static void chart_finalize (GObject *object) {
  clear_ranges (HL_CHART (object));
  clear_tips (HL_CHART (object));
  G_OBJECT_CLASS (hl_chart_parent_class)->finalize (object);
}

static void hl_chart_class_init (HlChartClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = chart_dispose;
  G_OBJECT_CLASS (klass)->finalize = chart_finalize;
  widget_class->snapshot = chart_snapshot;
  gtk_widget_class_set_css_name (widget_class, "chart");
  klass->zooms = HL_CHART_ALONG_ALL;
  pointed_signal =
      g_signal_new ("pointed", HL_TYPE_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  hl_zoomable_install_actions (widget_class);
  install_tip_actions (widget_class);
}

static void hl_chart_init (HlChart *self) {
  GtkWidget *widget = GTK_WIDGET (self);

  init_ranges (self);
  init_tips (self);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  add_pointer (self);
  add_keys (self);
}
