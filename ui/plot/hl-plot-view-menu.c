/* SPDX-License-Identifier: MIT */
/* The menu of a plot panel (its button in the upper left corner, or the right mouse button), what
 * it opens, and what can be dropped on it. */
#include "ui/plot/hl-plot-view-private.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-trace.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/widget/hl-pixels.h"

#include <string.h>

/* --- the menu --- */

typedef struct {
  const char *label, *action; /* with its target */
} Item;

static void append_items (GMenu *menu, const Item *items, gsize n) {
  for (gsize i = 0; i < n; i++)
    g_menu_append (menu, _ (items[i].label), items[i].action);
}

static void append_section (GMenu *menu, const char *label, const Item *items, gsize n) {
  g_autoptr (GMenu) section = g_menu_new ();
  append_items (section, items, n);
  g_menu_append_section (menu, label, G_MENU_MODEL (section));
}

static void append_submenu (GMenu *menu, const char *label, const Item *items, gsize n) {
  g_autoptr (GMenu) submenu = g_menu_new ();
  append_items (submenu, items, n);
  g_menu_append_submenu (menu, label, G_MENU_MODEL (submenu));
}

static void append_traces (HlPlotView *self, GMenu *menu) {
  const HlPlotPanel *panel = hl_plot_scene_panel (self->scene);
  g_autoptr (GMenu) submenu = g_menu_new ();

  for (char **trace = panel->traces; *trace != NULL; trace++) {
    HlTraceInfo info = hl_trace_info (hl_editing_document (hl_workbench_editing (self->workbench)), *trace);
    g_auto (GStrv) parts = g_strsplit (info.label, "_", -1); /* no mnemonics */
    g_autofree char *label = g_strjoinv ("__", parts);
    g_autoptr (GMenu) one = g_menu_new ();
    g_autoptr (GMenuItem) remove = g_menu_item_new (_ ("Remove"), NULL);
    g_autoptr (GMenuItem) hide = g_menu_item_new (
        hl_plot_scene_is_hidden (self->scene, (int)(trace - panel->traces)) ? _ ("Show") : _ ("Hide"), NULL);
    g_autoptr (GMenuItem) lead =
        g_menu_item_new (panel->kind == HL_PLOT_PHASE ? _ ("Use as x") : _ ("Move to front"), NULL);
    g_menu_item_set_action_and_target (remove, "panel.remove-trace", "s", *trace);
    g_menu_item_set_action_and_target (lead, "panel.lead-trace", "s", *trace);
    g_menu_item_set_action_and_target (hide, "panel.hide-trace", "s", *trace);
    if (trace != panel->traces)
      g_menu_append_item (one, lead);
    g_menu_append_item (one, hide);
    g_menu_append_item (one, remove);
    g_menu_append_submenu (submenu, label, G_MENU_MODEL (one));
  }
  g_menu_append (submenu, _ ("Remove all"), "panel.clear");
  if (panel->traces[0] != NULL)
    g_menu_append_submenu (menu, _ ("Traces shown"), G_MENU_MODEL (submenu));
}

/* The runs that differences can be made to, newest first, with the one that is chosen. */
static void append_runs (HlPlotView *self, GMenu *menu) {
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (self->workbench));
  g_autoptr (GMenu) section = g_menu_new ();

  for (guint i = runs->len; i-- > 0;) {
    const HlRun *run = runs->pdata[i];
    g_autofree char *title = hl_run_title (run);
    g_auto (GStrv) parts = g_strsplit (title, "_", -1); /* no mnemonics */
    g_autofree char *label = g_strjoinv ("__", parts);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    if (run->state == HL_RUN_FAILED)
      continue;
    g_menu_item_set_action_and_target (item, "panel.run", "s", title);
    g_menu_append_item (section, item);
  }
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (menu, _ ("Always the run"), G_MENU_MODEL (section));
}

/* With submenus: a menu as long as the window does not open beside the pointer. Owned by the caller. */
static GMenu *make_menu (HlPlotView *self) {
  static const Item kinds[] = {{N_ ("Over time"), "panel.kind::time"},
                               {N_ ("Over the first trace (phase)"), "panel.kind::phase"},
                               {N_ ("Spectrum"), "panel.kind::spectrum"},
                               {N_ ("Difference to…"), "panel.kind::difference"},
                               {N_ ("Energy bars"), "panel.kind::energy"}};
  static const Item against[] = {{N_ ("The run pinned last"), "panel.against::pinned"},
                                 {N_ ("Its linear response"), "panel.against::linear"},
                                 {N_ ("Measured data"), "panel.against::measured"}};
  static const Item windows[] = {{N_ ("Hann"), "panel.window::hann"},
                                 {N_ ("Rectangular"), "panel.window::rectangular"},
                                 {N_ ("Flat top"), "panel.window::flat-top"}};
  static const Item adds[] = {{N_ ("Below"), "panel.add::below"},
                              {N_ ("Beside"), "panel.add::beside"},
                              {N_ ("In a new tab"), "panel.add::tab"}};
  static const Item places[] = {{N_ ("Below the one before"), "panel.place::below"},
                                {N_ ("Beside the one before"), "panel.place::beside"},
                                {N_ ("First of a new tab"), "panel.place::tab"},
                                {N_ ("Earlier"), "panel.move(-1)"},
                                {N_ ("Later"), "panel.move(1)"}};
  static const Item looks[] = {
      {N_ ("Fit"), "panel.fit"}, {N_ ("View before"), "panel.back"}, {N_ ("View after"), "panel.forward"}};
  const HlPlotPanel *panel = hl_plot_scene_panel (self->scene);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) first = g_menu_new ();
  g_autoptr (GMenu) kind = g_menu_new ();
  g_autoptr (GMenu) last = g_menu_new ();

  g_menu_append (first, _ ("Choose traces…"), "panel.traces");
  append_traces (self, first);
  g_menu_append (first, _ ("Title…"), "panel.title");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (first));
  append_submenu (kind, _ ("Kind of plot"), kinds, G_N_ELEMENTS (kinds));
  if (panel->kind == HL_PLOT_DIFFERENCE) {
    g_autoptr (GMenu) what = g_menu_new ();
    append_items (what, against, G_N_ELEMENTS (against));
    append_runs (self, what);
    g_menu_append_submenu (kind, _ ("Difference to"), G_MENU_MODEL (what));
  }
  if (panel->kind == HL_PLOT_SPECTRUM)
    append_submenu (kind, _ ("Window"), windows, G_N_ELEMENTS (windows));
  if (panel->kind != HL_PLOT_ENERGY)
    g_menu_append (kind, _ ("Logarithmic values"), "panel.log");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (kind));
  append_section (menu, NULL, looks, G_N_ELEMENTS (looks));
  if (panel->kind != HL_PLOT_ENERGY)
    hl_chart_append_tip_items (menu);
  append_submenu (last, _ ("Add a plot"), adds, G_N_ELEMENTS (adds));
  append_submenu (last, _ ("Place"), places, G_N_ELEMENTS (places));
  g_menu_append (last, _ ("Remove this plot"), "panel.remove");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (last));
  return menu;
}

static void create_popup_cb (GtkMenuButton *button, gpointer data) {
  HlPlotView *self = data;
  g_autoptr (GMenu) menu = make_menu (self);

  hl_plot_view_update_actions (self);
  hl_chart_set_menu_spot (HL_CHART (self), NULL); /* unless the pointer opens it */
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void secondary_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlPlotView *self) {
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
  hl_chart_set_menu_spot (HL_CHART (self), &(HlSpot){x, y});
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->button));
  graphene_point_t at;
  if (popover == NULL || !gtk_widget_compute_point (GTK_WIDGET (self), self->button,
                                                    &GRAPHENE_POINT_INIT ((float)x, (float)y), &at))
    return;
  gtk_popover_set_pointing_to (popover, &(GdkRectangle){(int)at.x, (int)at.y, 1, 1});
}

/* --- dropping --- */

gboolean hl_plot_view_drop (HlPlotView *self, const char *text) {
  return hl_plot_edit_drop (self->workbench, self->index, text);
}

void hl_plot_view_set_dropping (HlPlotView *self, gboolean dropping) {
  self->dropping = dropping;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static gboolean drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, HlPlotView *self) {
  hl_plot_view_set_dropping (self, FALSE); /* nothing leaves that was let go */
  return hl_plot_view_drop (self, g_value_get_string (value));
}

static GdkDragAction drag_enter_cb (GtkDropTarget *target, double x, double y, HlPlotView *self) {
  hl_plot_view_set_dropping (self, TRUE);
  return GDK_ACTION_COPY;
}

static void drag_leave_cb (GtkDropTarget *target, HlPlotView *self) {
  hl_plot_view_set_dropping (self, FALSE);
}

/* --- life --- */

void hl_plot_view_place_button (HlPlotView *self) {
  GtkAllocation corner = {1, 1, HL_PLOT_BUTTON_PX, HL_PLOT_BUTTON_PX};
  int width, height;

  gtk_widget_measure (self->button, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (self->button, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  corner.width = MAX (width, HL_PLOT_BUTTON_PX);
  corner.height = MAX (height, HL_PLOT_BUTTON_PX);
  gtk_widget_size_allocate (self->button, &corner, -1);
  if (self->popover != NULL)
    gtk_popover_present (GTK_POPOVER (self->popover));
}

void hl_plot_view_drop_children (HlPlotView *self) {
  GtkWidget *child;

  self->popover = self->button = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->actions);
}

void hl_plot_view_add_menu (HlPlotView *self) {
  GtkWidget *widget = GTK_WIDGET (self);

  hl_plot_view_add_actions (self);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->button), "view-more-symbolic");
  gtk_widget_set_tooltip_text (self->button, _ ("What this plot shows"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What this plot shows"), -1);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->button), FALSE);
  gtk_widget_add_css_class (self->button, "plot-menu");
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->button), create_popup_cb, self, NULL);
  gtk_widget_set_parent (self->button, widget);

  GtkGesture *secondary = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (secondary_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));

  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_COPY);
  g_signal_connect (target, "enter", G_CALLBACK (drag_enter_cb), self);
  g_signal_connect (target, "leave", G_CALLBACK (drag_leave_cb), self);
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}
