/* SPDX-License-Identifier: MIT */
/* Data tips: what is pinned, which one is selected, and the doors to them: the pointer, keys and
 * the actions of menus. Where they lie is told by the subclass. */
#include "ui/chart/hl-chart-private.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/chart/hl-data-tip.h"

#include <math.h>

#define PIN_REACH_PX 40.0 /* a curve that far from the pointer is still meant */
#define BIG_STEP 10

static void clear_tip (gpointer tip) {
  g_free (((HlChartTip *)tip)->curve);
}

void hl_chart_clear_tips (HlChart *self) {
  g_array_unref (hl_chart_private (self)->tips);
}

const HlChartTip *hl_chart_tips (HlChart *self, int *n, int *selected) {
  HlChartPrivate *chart = hl_chart_private (self);

  *n = (int)chart->tips->len;
  if (selected != NULL)
    *selected = chart->tip;
  return (const HlChartTip *)(gconstpointer)chart->tips->data;
}

static gboolean takes_tips (HlChart *self) {
  return HL_CHART_GET_CLASS (self)->tip_near != NULL;
}

static HlChartTip *tip_of (HlChart *self, int index) {
  return &g_array_index (hl_chart_private (self)->tips, HlChartTip, index);
}

/* Menus offer what can be done. */
static void tips_changed (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget, "chart.remove-tip", chart->tip >= 0);
  gtk_widget_action_set_enabled (widget, "chart.remove-tips", chart->tips->len > 0);
  hl_pixels_queue_draw (widget);
}

void hl_chart_init_tips (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);

  chart->tips = g_array_new (FALSE, TRUE, sizeof (HlChartTip));
  g_array_set_clear_func (chart->tips, clear_tip);
  chart->tip = -1;
  tips_changed (self);
}

void hl_chart_select_tip (HlChart *self, int index) {
  HlChartPrivate *chart = hl_chart_private (self);

  if (chart->tip == index)
    return;
  chart->tip = index;
  tips_changed (self);
}

/* Takes the curve's name. */
static void add_tip (HlChart *self, HlChartTip tip) {
  HlChartPrivate *chart = hl_chart_private (self);

  g_array_append_val (chart->tips, tip);
  chart->tip = (int)chart->tips->len - 1;
  tips_changed (self);
}

gboolean hl_chart_pin_tip (HlChart *self, HlSpot at) {
  HlChartTip tip = {NULL, NAN};

  if (!takes_tips (self) || !HL_CHART_GET_CLASS (self)->tip_near (self, at, PIN_REACH_PX, &tip))
    return FALSE;
  add_tip (self, tip);
  return TRUE;
}

static void remove_tip (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);

  if (chart->tip < 0)
    return;
  g_array_remove_index (chart->tips, (guint)chart->tip);
  chart->tip = -1;
  tips_changed (self);
}

void hl_chart_forget_tips (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);

  g_array_set_size (chart->tips, 0);
  chart->tip = -1;
  tips_changed (self);
}

/* --- the pointer --- */

int hl_chart_tip_at (HlChart *self, HlSpot at) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  int n = (int)hl_chart_private (self)->tips->len, nearest = -1;
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
  HlChartPrivate *chart = hl_chart_private (self);

  return chart->tips->len > 0 && chart->pointer_inside && hl_chart_tip_at (self, chart->pointer) >= 0;
}

void hl_chart_begin_tip (HlChart *self, int index) {
  HlChartPrivate *chart = hl_chart_private (self);

  hl_chart_select_tip (self, index);
  chart->tip_before = tip_of (self, index)->at;
}

void hl_chart_drag_tip (HlChart *self, HlSpot to) {
  HlChartPrivate *chart = hl_chart_private (self);

  if (chart->tip < 0)
    return;
  HL_CHART_GET_CLASS (self)->tip_along (self, tip_of (self, chart->tip), to);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_chart_put_tip_back (HlChart *self) {
  HlChartPrivate *chart = hl_chart_private (self);

  if (chart->tip >= 0)
    tip_of (self, chart->tip)->at = chart->tip_before;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* --- keys --- */

/* Where the pointer is, else where the subclass would have it. */
static void pin_by_key (HlChart *self) {
  HlChartClass *klass = HL_CHART_GET_CLASS (self);
  HlChartTip tip = {NULL, NAN};
  HlSpot at;

  if (hl_chart_pointer (self, &at) && hl_chart_pin_tip (self, at))
    return;
  if (klass->tip_usual != NULL && klass->tip_usual (self, &tip))
    add_tip (self, tip);
}

static void step (HlChart *self, int steps) {
  HL_CHART_GET_CLASS (self)->tip_step (self, tip_of (self, hl_chart_private (self)->tip), steps);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

gboolean hl_chart_tip_key (HlChart *self, guint keyval, gboolean shift) {
  HlChartPrivate *chart = hl_chart_private (self);

  if (!takes_tips (self))
    return FALSE;
  if (keyval == GDK_KEY_t) {
    if (!shift)
      pin_by_key (self);
    else if (chart->tips->len > 0)
      hl_chart_select_tip (self, (chart->tip + 1) % (int)chart->tips->len);
    return TRUE;
  }
  if (chart->tip < 0)
    return FALSE;
  switch (keyval) {
  case GDK_KEY_Left:
  case GDK_KEY_Right:
    step (self, (keyval == GDK_KEY_Left ? -1 : 1) * (shift ? BIG_STEP : 1));
    return TRUE;
  case GDK_KEY_Delete:
  case GDK_KEY_KP_Delete:
    remove_tip (self);
    return TRUE;
  case GDK_KEY_Escape:
    hl_chart_select_tip (self, -1);
    return TRUE;
  default:
    return FALSE;
  }
}

/* --- menus --- */

void hl_chart_set_menu_spot (HlChart *self, const HlSpot *at) {
  HlChartPrivate *chart = hl_chart_private (self);

  chart->has_menu_spot = at != NULL;
  if (at == NULL)
    return;
  chart->menu_spot = *at;
  int tip = hl_chart_tip_at (self, *at);
  if (tip >= 0)
    hl_chart_select_tip (self, tip);
}

static void pin_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  HlChart *self = HL_CHART (widget);
  HlChartPrivate *chart = hl_chart_private (self);

  if (!chart->has_menu_spot || !hl_chart_pin_tip (self, chart->menu_spot))
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

void hl_chart_install_tip_actions (GtkWidgetClass *klass) {
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
  HlChartPrivate *chart = hl_chart_private (self);
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
  gtk_popover_popup (GTK_POPOVER (chart->menu));
}

void hl_chart_add_tip_menu (HlChart *self) {
  GtkGesture *secondary = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (secondary_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (secondary));
}
