/* SPDX-License-Identifier: MIT */
/* What the menu of a plot panel does: its actions, and the popovers that some of them open. */
#include "ui/plot/hl-plot-view-private.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-trace.h"
#include "core/run/hl-samples.h"
#include "ui/plot/hl-name-ask.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/plot/hl-trace-picker.h"
#include "ui/widget/hl-pixels.h"
#include "ui/widget/hl-rebuild.h"

#include <string.h>

/* --- popovers --- */

static void popover_closed_cb (GtkPopover *popover, HlPlotView *self) {
  hl_rebuild_later (GTK_WIDGET (popover), gtk_widget_unparent); /* closing it goes on */
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
  gtk_popover_popup (GTK_POPOVER (self->popover));
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
  GtkWidget *ask = hl_name_ask_new (_ ("Title of the plot"), panel_of (self)->title);

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

void hl_plot_view_add_actions (HlPlotView *self) {
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "panel", G_ACTION_GROUP (self->actions));
}
