/* SPDX-License-Identifier: MIT */
/* The tools of both canvases: palettes, with names or without, their search, and what they say. */
#include "app/window/hl-window-private.h"
#include "ui/bench/hl-driving.h"

#include <string.h>

#define NEAR_PX 24.0f
#define LUG_PX 48.0f /* a ground pivot reaches this far below its point, with its name */

/* Whether something else is said at the lower edge of the line's canvas. */
static gboolean is_bottom_taken (GtkWidget *label) {
  HlWindow *self = HL_WINDOW (gtk_widget_get_root (label));

  return label == GTK_WIDGET (self->linkage_status) && gtk_widget_get_visible (self->moved_box);
}

static void place_line (GtkWidget *label, gboolean at_bottom) {
  gtk_widget_set_valign (label, at_bottom ? GTK_ALIGN_END : GTK_ALIGN_START);
  gtk_widget_set_margin_top (label, at_bottom ? 0 : (int)HL_CANVAS_TITLE_PX);
}

/* The line under a canvas says what its tool expects, while it is at work or over something. Who drives
 * looks at the machine, not at what could be edited. */
static void say_cb (HlToolBridge *bridge, GtkLabel *label) {
  HlTool *tool = hl_tool_bridge_tool (bridge);
  HlWindow *self = HL_WINDOW (gtk_widget_get_root (GTK_WIDGET (label)));
  gboolean driving = self != NULL && hl_driving_is_under_way (hl_workbench_driving (self->workbench));
  int n_marks;
  hl_tool_marks (tool, &n_marks);
  const char *text = hl_tool_is_busy (tool) || (n_marks > 0 && !driving) ? hl_tool_status (tool) : "";

  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
  if (*text == '\0' || is_bottom_taken (GTK_WIDGET (label)))
    place_line (GTK_WIDGET (label), !is_bottom_taken (GTK_WIDGET (label)));
}

/* It never lies on what is aimed at: near the pointer it goes to the other edge. */
static void motion_cb (GtkEventControllerMotion *motion, double x, double y, GtkWidget *label) {
  GtkWidget *canvas = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (motion));
  graphene_rect_t box;

  if (!gtk_widget_get_mapped (label) || !gtk_widget_compute_bounds (label, canvas, &box))
    return;
  gboolean is_low = box.origin.y + 0.5 * box.size.height > 0.5 * gtk_widget_get_height (canvas);
  graphene_rect_inset (&box, -NEAR_PX, -(is_low ? LUG_PX : NEAR_PX));
  if (!graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT ((float)x, (float)y)))
    return;
  if (!is_low && is_bottom_taken (label))
    gtk_widget_set_visible (label, FALSE); /* until it has something else to say */
  else
    place_line (label, !is_low);
}

void hl_window_say_tools (HlWindow *self) {
  say_cb (hl_circuit_view_bridge (self->circuit_view), self->circuit_status);
  say_cb (hl_linkage_view_bridge (self->linkage_view), self->linkage_status);
}

void hl_window_show_start_box (HlWindow *self) {
  HlTool *tool = hl_tool_bridge_tool (hl_circuit_view_bridge (self->circuit_view));

  gtk_widget_set_visible (self->start_box, hl_window_is_empty (self) && !hl_tool_is_busy (tool));
}

/* What begins a model steps aside for a symbol that is to be placed there. */
static void step_aside_cb (HlToolBridge *bridge, HlWindow *self) {
  hl_window_show_start_box (self);
}

static void linkage_tool_cb (HlToolBridge *bridge, HlWindow *self) {
  hl_window_place_moved_box (self);
}

static void bind (HlToolBridge *bridge, HlPalette *palette, gpointer canvas, GtkLabel *label) {
  GtkEventController *motion = gtk_event_controller_motion_new ();

  hl_palette_set_bridge (palette, bridge);
  g_signal_connect_object (bridge, "changed", G_CALLBACK (say_cb), label, 0);
  say_cb (bridge, label);
  g_signal_connect_object (motion, "motion", G_CALLBACK (motion_cb), label, 0);
  gtk_widget_add_controller (canvas, motion);
}

void hl_window_bind_tools (HlWindow *self) {
  bind (hl_circuit_view_bridge (self->circuit_view), self->circuit_palette, self->circuit_view,
        self->circuit_status);
  g_signal_connect_object (hl_circuit_view_bridge (self->circuit_view), "changed", G_CALLBACK (step_aside_cb),
                           self, 0);
  g_signal_connect_object (hl_linkage_view_bridge (self->linkage_view), "changed",
                           G_CALLBACK (linkage_tool_cb), self, 0);
  bind (hl_linkage_view_bridge (self->linkage_view), self->linkage_palette, self->linkage_view,
        self->linkage_status);
}

/* --- actions --- */

void hl_window_show_tool_names (HlWindow *self, gboolean names) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "tool-names");

  hl_palette_set_names (self->circuit_palette, names);
  hl_palette_set_names (self->linkage_palette, names);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (names));
}

static void tool_names_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  hl_window_show_tool_names (data, g_variant_get_boolean (state));
}

/* Of the canvas that has the keyboard or is beside what has it. */
static void find_tool_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean is_linkage = focus != NULL && (focus == GTK_WIDGET (self->linkage_view) ||
                                          gtk_widget_is_ancestor (focus, GTK_WIDGET (self->linkage_palette)));
  HlPalette *palette = is_linkage ? self->linkage_palette : self->circuit_palette;

  if (!gtk_widget_get_visible (GTK_WIDGET (palette)))
    g_action_group_change_action_state (G_ACTION_GROUP (self), "palettes", g_variant_new_boolean (TRUE));
  hl_palette_search (palette);
}

static const GActionEntry actions[] = {
    {"tool-names", NULL, NULL, "false", tool_names_cb},
    {"find-tool", find_tool_cb, NULL, NULL, NULL},
};

void hl_window_add_tool_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
