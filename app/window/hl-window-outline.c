/* SPDX-License-Identifier: MIT */
/* The pane with the outline: shown, hidden, and opened for a search only. In a narrow window it
 * stands in the place of the drawing tools. */
#include "app/window/hl-window-private.h"

void hl_window_show_outline (HlWindow *self, gboolean show) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "outline");

  g_autoptr (GVariant) tools = g_action_group_get_action_state (G_ACTION_GROUP (self), "palettes");
  gboolean has_tools =
      (tools == NULL || g_variant_get_boolean (tools)) && !(show && hl_header_bar_is_narrow (self->header));

  gtk_widget_set_visible (GTK_WIDGET (self->outline), show);
  hl_drawing_pane_show_palettes (self->drawings, has_tools);
  if (action != NULL)
    g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (show));
}

static void outline_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlWindow *self = data;

  self->has_outline_choice = TRUE;
  hl_window_show_outline (self, g_variant_get_boolean (state));
  if (g_variant_get_boolean (state))
    gtk_widget_child_focus (GTK_WIDGET (self->outline), GTK_DIR_TAB_FORWARD);
}

static void search_left_cb (gpointer data) {
  hl_window_show_outline (data, FALSE);
}

/* An outline that was hidden is there while something is looked for. */
static void find_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  gboolean was_hidden = !gtk_widget_get_visible (GTK_WIDGET (self->outline));

  if (was_hidden)
    hl_window_show_outline (self, TRUE);
  hl_outline_find (self->outline, was_hidden ? search_left_cb : NULL, self);
}

static void rename_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  if (!gtk_widget_get_visible (GTK_WIDGET (self->outline)))
    hl_window_show_outline (self, TRUE);
  hl_outline_rename_selected (self->outline);
}

static const GActionEntry actions[] = {
    {"outline", NULL, NULL, "false", outline_cb},
    {"find", find_cb, NULL, NULL, NULL},
    {"rename", rename_cb, NULL, NULL, NULL},
};

void hl_window_add_outline_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
