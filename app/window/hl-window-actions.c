/* SPDX-License-Identifier: MIT */
/* Every win. action, and in one function when each is enabled. */
#include "app/window/hl-application.h"
#include "app/window/hl-window-private.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/help/hl-help-window.h"
#include "ui/study/hl-force-window.h"
#include "ui/study/hl-mode-graph-window.h"
#include "ui/study/hl-model-advice-window.h"
#include "ui/study/hl-oils-window.h"
#include "ui/study/hl-power-window.h"
#include "ui/widget/hl-beside.h"

#include <stdlib.h>
#include <string.h>

/* F1: help on what the pointer is over, on what has the keyboard, or on what is selected, the first of these
 * that says something. */

/* The innermost widget under the pointer; NULL: the pointer is not over the window. */
static GtkWidget *under_pointer (HlWindow *self) {
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (self));
  GdkSeat *seat = gdk_display_get_default_seat (display);
  GdkDevice *pointer = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  double x, y, shift_x, shift_y;

  if (pointer == NULL || surface == NULL ||
      gdk_device_get_surface_at_position (pointer, NULL, NULL) != surface ||
      !gdk_surface_get_device_position (surface, pointer, &x, &y, NULL))
    return NULL;
  gtk_native_get_surface_transform (GTK_NATIVE (self), &shift_x, &shift_y);
  return gtk_widget_pick (GTK_WIDGET (self), x - shift_x, y - shift_y, GTK_PICK_DEFAULT);
}

static gboolean is_in (GtkWidget *widget, gpointer pane) {
  return widget != NULL && pane != NULL && (widget == pane || gtk_widget_is_ancestor (widget, pane));
}

/* The page on the pane that a widget is in; NULL: on none, or on a drawing, where elements are asked
 * about. */
static const char *topic_at (HlWindow *self, GtkWidget *widget) {
  const struct {
    gpointer pane;
    const char *topic;
  } panes[] = {{self->plot_pane, "plots"}, {self->lessons, "lesson"}};

  for (gsize k = 0; k < G_N_ELEMENTS (panes); k++)
    if (is_in (widget, panes[k].pane))
      return panes[k].topic;
  const char *topic = hl_side_pane_topic (self->side, widget);
  return topic != NULL ? topic : hl_transport_bar_topic (self->transport, widget);
}

static void present (GtkWidget *help) {
  gtk_window_present (GTK_WINDOW (help));
}

static void help_on_topic (HlWindow *self, const char *topic) {
  present (hl_help_window_new_topic (self->workbench, GTK_WINDOW (self), topic));
}

/* A row of the properties: the page of its element, there. FALSE: the widget is in none of an element's
 * rows. */
static gboolean help_on_property (HlWindow *self, GtkWidget *widget) {
  HlInspector *inspector = hl_side_pane_inspector (self->side);
  const char *id = hl_workbench_selected (self->workbench);
  const char *field =
      is_in (widget, inspector) && id != NULL ? hl_inspector_field_at (inspector, widget) : NULL;

  if (field == NULL)
    return FALSE;
  GtkWidget *help = hl_help_window_new (self->workbench, GTK_WINDOW (self), NULL, id);
  hl_help_window_point_at (HL_HELP_WINDOW (help), field);
  present (help);
  return TRUE;
}

static void help_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  GtkWidget *pointed = under_pointer (self), *focus = gtk_window_get_focus (GTK_WINDOW (self));
  const char *tool = hl_drawing_pane_asked (self->drawings);
  const char *selected = hl_workbench_selected (self->workbench);
  const char *topic = topic_at (self, pointed);

  (void)action;
  (void)parameter;
  gboolean is_over_drawing = is_in (pointed, hl_drawing_pane_circuit (self->drawings)) ||
                             is_in (pointed, hl_drawing_pane_linkage (self->drawings));
  if (topic == NULL && (selected == NULL || !is_over_drawing))
    topic = topic_at (self, focus);
  if (tool == NULL && topic != NULL) {
    help_on_topic (self, topic);
    return;
  }
  if (tool == NULL && (help_on_property (self, pointed) || help_on_property (self, focus)))
    return;
  if (tool == NULL && selected == NULL) {
    gpointer at = pointed != NULL ? pointed : focus;
    help_on_topic (self, is_in (at, hl_drawing_pane_linkage (self->drawings)) ? "linkage"
                         : is_in (at, hl_side_pane_inspector (self->side))    ? "properties"
                         : is_in (at, self->outline)                          ? "outline"
                                                                              : "circuit");
    return;
  }
  present (hl_help_window_new (self->workbench, GTK_WINDOW (self), tool, selected));
}

static void close_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  gtk_window_close (GTK_WINDOW (data));
}

/* "16:bar": quantity and unit, as the unit menus of number fields say it. */
static void show_unit_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  char *end;
  const char *text = g_variant_get_string (parameter, NULL);
  long quantity = strtol (text, &end, 10);

  if (quantity < 0 || quantity >= HL_N_QUANTITIES || *end != ':')
    return;
  const HlUnit *unit = hl_unit_find ((HlQuantity)quantity, end + 1);
  if (unit != NULL)
    hl_workbench_set_unit (HL_WINDOW (data)->workbench, unit);
}

static void show_linear_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  hl_plot_pane_set_show_linear (HL_WINDOW (data)->plot_pane, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void dismiss_banner_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_banner_dismiss (HL_WINDOW (data)->banner);
}

static void fit_all_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  hl_drawing_pane_fit (self->drawings);
  hl_plot_pane_fit (self->plot_pane);
  hl_chart_fit (HL_CHART (hl_side_pane_locus (self->side)));
}

static void force_map_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_beside_present (GTK_WINDOW (hl_force_window_new (self->workbench, GTK_WINDOW (self))),
                     GTK_WIDGET (hl_drawing_pane_circuit (self->drawings)));
}

static void power_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_beside_present (GTK_WINDOW (hl_power_window_new (self->workbench, GTK_WINDOW (self))),
                     GTK_WIDGET (hl_drawing_pane_circuit (self->drawings)));
}

static void mode_graph_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_beside_present (GTK_WINDOW (hl_mode_graph_window_new (self->workbench, GTK_WINDOW (self))),
                     GTK_WIDGET (hl_drawing_pane_circuit (self->drawings)));
}

static void model_advice_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  gtk_window_present (GTK_WINDOW (hl_model_advice_window_new (self->workbench, GTK_WINDOW (self))));
}

static void compare_oils_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_beside_present (GTK_WINDOW (hl_oils_window_new (self->workbench, GTK_WINDOW (self))),
                     GTK_WIDGET (self->plot_pane));
}

/* Built when it is asked for: it has more widgets than a panel, and GTK would build it with the
 * window. */
static void help_overlay_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  GtkApplicationWindow *self = data;

  if (gtk_application_window_get_help_overlay (self) == NULL) {
    g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (HL_RESOURCE_BASE "/ui/help-overlay.ui");
    gtk_application_window_set_help_overlay (
        self, GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
  }
  gtk_window_present (GTK_WINDOW (gtk_application_window_get_help_overlay (self)));
}

static const GActionEntry actions[] = {
    {"help", help_cb, NULL, NULL, NULL},
    {"show-help-overlay", help_overlay_cb, NULL, NULL, NULL},
    {"close", close_cb, NULL, NULL, NULL},
    {"force-map", force_map_cb, NULL, NULL, NULL},
    {"power", power_cb, NULL, NULL, NULL},
    {"mode-graph", mode_graph_cb, NULL, NULL, NULL},
    {"model-advice", model_advice_cb, NULL, NULL, NULL},
    {"compare-oils", compare_oils_cb, NULL, NULL, NULL},
    {"show-unit", show_unit_cb, "s", NULL, NULL},
    {"show-linear", NULL, NULL, "true", show_linear_cb},
    {"dismiss-banner", dismiss_banner_cb, NULL, NULL, NULL},
    {"fit-all", fit_all_cb, NULL, NULL, NULL},
};

void hl_window_add_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
