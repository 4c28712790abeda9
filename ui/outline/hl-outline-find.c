/* SPDX-License-Identifier: MIT */
/* The head of the outline: an entry that finds elements, and the button that adds them. */
#include "ui/outline/hl-outline-private.h"

#include "core/base/hl-i18n.h"

static void search_changed_cb (GtkSearchEntry *entry, HlOutline *self) {
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->box));
}

/* The next match after the row selected, round and round; step: 1 or -1. */
static void go_to_match (HlOutline *self, int step) {
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GList) selected = gtk_list_box_get_selected_rows (GTK_LIST_BOX (self->box));
  int n = hl_outline_list_n (self->list);
  int at = selected != NULL ? gtk_list_box_row_get_index (selected->data) : step > 0 ? -1 : 0;

  for (int i = 0; *text != '\0' && i < n; i++) {
    at = (at + step + n) % n;
    const HlOutlineRow *row = hl_outline_list_row (self->list, at);
    if (row->type == HL_OUTLINE_GROUP || !hl_outline_list_matches (self->list, at, text))
      continue;
    gtk_list_box_unselect_all (GTK_LIST_BOX (self->box));
    gtk_list_box_select_row (GTK_LIST_BOX (self->box), hl_outline_line_at (self, at));
    hl_outline_scroll_to (self, hl_outline_line_at (self, at));
    hl_outline_reveal (self, row);
    hl_outline_say (self, NULL);
    return;
  }
  hl_outline_say (self, *text != '\0' ? _ ("Nothing of that name or kind") : NULL);
}

static void next_match_cb (GtkSearchEntry *entry, HlOutline *self) {
  go_to_match (self, 1);
}

static void previous_match_cb (GtkSearchEntry *entry, HlOutline *self) {
  go_to_match (self, -1);
}

static gboolean entry_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                              GdkModifierType state, HlOutline *self) {
  if (keyval == GDK_KEY_Down) {
    gtk_widget_child_focus (self->box, GTK_DIR_DOWN);
    return GDK_EVENT_STOP;
  }
  if ((keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter) && (state & GDK_SHIFT_MASK)) {
    go_to_match (self, -1);
    return GDK_EVENT_STOP;
  }
  return GDK_EVENT_PROPAGATE;
}

static void stop_search_cb (GtkSearchEntry *entry, HlOutline *self) {
  GtkWidget *back = self->focus_before;
  void (*left) (gpointer data) = self->left;

  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  hl_outline_say (self, NULL);
  gtk_widget_grab_focus (back != NULL && gtk_widget_get_mapped (back)
                             ? back
                             : GTK_WIDGET (hl_tool_bridge_canvas (self->bridges[HL_TOOL_CIRCUIT])));
  g_clear_weak_pointer (&self->focus_before);
  self->left = NULL;
  if (left != NULL)
    left (self->left_data);
}

void hl_outline_find (HlOutline *self, void (*left) (gpointer data), gpointer data) {
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    g_set_weak_pointer (&self->focus_before, focus);
  if (left != NULL) {
    self->left = left;
    self->left_data = data;
  }
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

void hl_outline_connect_entry (HlOutline *self) {
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (self->entry, "search-changed", G_CALLBACK (search_changed_cb), self);
  g_signal_connect (self->entry, "activate", G_CALLBACK (next_match_cb), self);
  g_signal_connect (self->entry, "next-match", G_CALLBACK (next_match_cb), self);
  g_signal_connect (self->entry, "previous-match", G_CALLBACK (previous_match_cb), self);
  g_signal_connect (self->entry, "stop-search", G_CALLBACK (stop_search_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (entry_key_cb), self);
  gtk_widget_add_controller (self->entry, keys);
}
