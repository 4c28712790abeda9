/* SPDX-License-Identifier: MIT */
/* The menu of a plot panel (its button in the upper left corner, or the right mouse button), what
 * it opens, and what can be dropped on it. */
#include "ui/plot/hl-plot-view-private.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-trace-name.h"
#include "core/run/hl-trace-interpolation.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/plot/hl-trace-picker.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-question-dialog.h"
#include "ui/widget/hl-popover.h"

#include <string.h>

/* Menu of a plot panel: its actions, and the popovers that some of them open. */

/* --- popovers --- */

static void popover_closed_cb (GtkPopover *popover, HlPlotView *self) {
  hl_rebuild_later (GTK_WIDGET (popover), gtk_widget_unparent); /* closing it continues */
  if (self->popover != GTK_WIDGET (popover))
    return;
  self->popover = NULL;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void open_popover (HlPlotView *self, GtkWidget *popover) {
  GtkWidget *before = g_steal_pointer (&self->popover);

  if (before != NULL)
    gtk_popover_popdown (GTK_POPOVER (before));
  self->popover = popover;
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_RIGHT);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                               &(GdkRectangle){2, 2, HL_PLOT_BUTTON_PX, HL_PLOT_BUTTON_PX});
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
  g_signal_connect (self->popover, "closed", G_CALLBACK (popover_closed_cb), self);
  hl_popover_popup_inside (GTK_POPOVER (self->popover));
}

GtkWidget *hl_plot_view_open_picker (HlPlotView *self) {
  GtkWidget *picker = hl_trace_picker_new (self->workbench, self->index);
  GtkWidget *popover = gtk_popover_new ();

  gtk_popover_set_child (GTK_POPOVER (popover), picker);
  open_popover (self, popover);
  return picker;
}

gboolean hl_plot_view_wants_traces (HlPlotView *self) {
  return hl_plot_panel_is_empty (hl_plot_scene_panel (self->scene));
}

static void titled_cb (GtkPopover *ask, const char *text, HlPlotView *self) {
  hl_plot_edit_set_title (self->workbench, self->index, text);
}

/* --- actions --- */

static const HlPlotPanel *panel_of (HlPlotView *self) {
  return hl_plot_scene_panel (self->scene);
}

static int state_index (const char *const *names, int n, GVariant *value) {
  const char *name = g_variant_get_string (value, NULL);
  for (int i = 0; i < n; i++)
    if (strcmp (names[i], name) == 0)
      return i;
  return 0;
}

static void kind_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  const char *names[HL_N_PLOT_KINDS];

  for (int kind = 0; kind < HL_N_PLOT_KINDS; kind++)
    names[kind] = hl_plot_kind_name (kind);
  hl_plot_edit_set_kind (self->workbench, self->index,
                         (HlPlotKind)state_index (names, HL_N_PLOT_KINDS, value));
}

static void against_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  const char *names[HL_N_AGAINST];

  for (int what = 0; what < HL_N_AGAINST; what++)
    names[what] = hl_plot_against_name (what);
  hl_plot_edit_set_against (self->workbench, self->index,
                            (HlPlotAgainst)state_index (names, HL_N_AGAINST, value));
}

static void run_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_edit_set_run (self->workbench, self->index, g_variant_get_string (value, NULL));
}

static void window_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_edit_set_window (self->workbench, self->index, g_variant_get_string (value, NULL));
}

static void log_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_edit_set_log (self->workbench, self->index, g_variant_get_boolean (value));
}

static void place_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  static const char *const names[HL_N_PLACES] = {"below", "beside", "tab"};
  HlPlotView *self = data;
  hl_plot_edit_set_place (self->workbench, self->index, (HlPlotPlace)state_index (names, HL_N_PLACES, value));
}

static void add_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  static const char *const names[HL_N_PLACES] = {"below", "beside", "tab"};
  HlPlotView *self = data;
  hl_plot_edit_add_panel (self->workbench, self->index, (HlPlotPlace)state_index (names, HL_N_PLACES, value));
}

static void move_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_edit_move_panel (self->workbench, self->index, g_variant_get_int32 (value));
}

static void remove_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_edit_remove_panel (self->workbench, self->index);
}

static void clear_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_edit_clear_traces (self->workbench, self->index);
}

static void traces_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  hl_plot_view_open_picker (data);
}

static void title_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  GtkWidget *ask = hl_name_popover_new (_ ("Title of the plot"), panel_of (self)->title);

  g_signal_connect (ask, "answered", G_CALLBACK (titled_cb), self);
  open_popover (self, ask);
}

static void remove_trace_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_edit_remove_trace (self->workbench, self->index, g_variant_get_string (value, NULL));
}

static void lead_trace_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_edit_lead_trace (self->workbench, self->index, g_variant_get_string (value, NULL));
}

static void hide_trace_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  HlPlotView *self = data;
  hl_plot_scene_toggle_trace (self->scene, g_variant_get_string (value, NULL));
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void fit_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  hl_chart_fit (HL_CHART (data));
}

static void back_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  hl_chart_step (HL_CHART (data), TRUE);
}

static void forward_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  hl_chart_step (HL_CHART (data), FALSE);
}

static const GActionEntry actions[] = {
    {"kind", NULL, "s", "'time'", kind_cb},
    {"against", NULL, "s", "'pinned'", against_cb},
    {"run", NULL, "s", "''", run_cb},
    {"window", NULL, "s", "'hann'", window_cb},
    {"place", NULL, "s", "'below'", place_cb},
    {"log", NULL, NULL, "false", log_cb},
    {"traces", traces_cb, NULL, NULL, NULL},
    {"title", title_cb, NULL, NULL, NULL},
    {"add", add_cb, "s", NULL, NULL},
    {"move", move_cb, "i", NULL, NULL},
    {"remove", remove_cb, NULL, NULL, NULL},
    {"clear", clear_cb, NULL, NULL, NULL},
    {"remove-trace", remove_trace_cb, "s", NULL, NULL},
    {"lead-trace", lead_trace_cb, "s", NULL, NULL},
    {"hide-trace", hide_trace_cb, "s", NULL, NULL},
    {"fit", fit_cb, NULL, NULL, NULL},
    {"back", back_cb, NULL, NULL, NULL},
    {"forward", forward_cb, NULL, NULL, NULL},
};

static void set_state (HlPlotView *self, const char *name, GVariant *state) {
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name)), state);
}

static void enable (HlPlotView *self, const char *name, gboolean enabled) {
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name)), enabled);
}

void hl_plot_view_update_actions (HlPlotView *self) {
  static const char *const places[HL_N_PLACES] = {"below", "beside", "tab"};
  const HlPlotPanel *panel = panel_of (self);

  set_state (self, "kind", g_variant_new_string (hl_plot_kind_name (panel->kind)));
  set_state (self, "against",
             g_variant_new_string (panel->run != NULL ? "run" : hl_plot_against_name (panel->against)));
  set_state (self, "run", g_variant_new_string (panel->run != NULL ? panel->run : ""));
  set_state (self, "place", g_variant_new_string (places[panel->place]));
  set_state (self, "log", g_variant_new_boolean (panel->log));
  set_state (self, "window",
             g_variant_new_string (hl_window_shape_name (hl_window_shape_find (panel->window))));
  enable (self, "place", self->index > 0);
  enable (self, "clear", panel->traces[0] != NULL);
  enable (self, "traces", panel->kind != HL_PLOT_ENERGY);
  enable (self, "back", hl_chart_can_step (HL_CHART (self), TRUE));
  enable (self, "forward", hl_chart_can_step (HL_CHART (self), FALSE));
}

/* Adds the actions of the menu's button, below which popovers open. */
static void add_actions (HlPlotView *self) {
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "panel", G_ACTION_GROUP (self->actions));
}

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

/* Appends the runs that can be subtracted, newest first, with the chosen one marked. */
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

/* Returns a menu with submenus: a menu as long as the window does not open beside the pointer. Owned by the
 * caller. */
static GMenu *make_menu (HlPlotView *self) {
  static const Item kinds[] = {{N_ ("Over time"), "panel.kind::time"},
                               {N_ ("Over the first trace (phase)"), "panel.kind::phase"},
                               {N_ ("Spectrum"), "panel.kind::spectrum"},
                               {N_ ("Difference to…"), "panel.kind::difference"},
                               {N_ ("Energy bars"), "panel.kind::energy"}};
  static const Item against[] = {{N_ ("The run pinned last"), "panel.against::pinned"},
                                 {N_ ("Linear response"), "panel.against::linear"},
                                 {N_ ("Measured data"), "panel.against::measured"}};
  static const Item windows[] = {{N_ ("Hann"), "panel.window::hann"},
                                 {N_ ("Rectangular"), "panel.window::rectangular"},
                                 {N_ ("Flat top"), "panel.window::flat-top"}};
  static const Item adds[] = {{N_ ("Below"), "panel.add::below"},
                              {N_ ("Beside"), "panel.add::beside"},
                              {N_ ("In a new tab"), "panel.add::tab"}};
  static const Item places[] = {{N_ ("Below the previous plot"), "panel.place::below"},
                                {N_ ("Next to the previous plot"), "panel.place::beside"},
                                {N_ ("First of a new tab"), "panel.place::tab"},
                                {N_ ("Earlier"), "panel.move(-1)"},
                                {N_ ("Later"), "panel.move(1)"}};
  static const Item looks[] = {
      {N_ ("Fit"), "panel.fit"}, {N_ ("Previous view"), "panel.back"}, {N_ ("Next view"), "panel.forward"}};
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
  append_submenu (last, _ ("Position"), places, G_N_ELEMENTS (places));
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

  add_actions (self);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->button), "view-more-symbolic");
  gtk_widget_set_tooltip_text (self->button, _ ("Kind of this plot, and its traces"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Kind of this plot, and its traces"), -1);
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
