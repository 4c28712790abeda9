/* SPDX-License-Identifier: MIT */
/* The rows of a new document are compared with the visible ones: new rows are inserted, missing ones removed,
 * and the others only change their texts. A dragged slider changes texts in every frame; they are updated
 * shortly afterwards. */
#include "ui/outline/hl-outline.h"

#include "core/base/hl-translation-macros.h"
#include "core/edit/hl-edit.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/edit/outline/hl-outline-keyboard-edits.h"
#include "ui/outline/hl-outline-private.h"
#include "ui/widget/hl-popover.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-template.h"

#include <string.h>

/* Top of the outline: an entry that searches elements, and the button that adds elements. */

static void search_changed_cb (GtkSearchEntry *entry, HlOutline *self) {
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->box));
}

/* Selects the next match after the selected row, from the end back to the start; step: 1 or -1. */
static void scroll_to (HlOutline *self, GtkListBoxRow *line);

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
    gtk_list_box_select_row (GTK_LIST_BOX (self->box), hl_outline_row_widget_at (self, at));
    scroll_to (self, hl_outline_row_widget_at (self, at));
    hl_outline_reveal (self, row);
    hl_outline_say (self, NULL);
    return;
  }
  hl_outline_say (self, *text != '\0' ? _ ("No match") : NULL);
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

/* Connects the search entry. */
static void connect_entry (HlOutline *self) {
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

#define LATE_MS 150

G_DEFINE_FINAL_TYPE (HlOutline, hl_outline, GTK_TYPE_BOX)

/* --- rows --- */

GtkListBoxRow *hl_outline_row_widget_at (HlOutline *self, int index) {
  return gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->box), index);
}

static gboolean is_expanded (HlOutline *self, const HlOutlineRow *row) {
  if (row->type == HL_OUTLINE_GROUP)
    return !g_hash_table_contains (self->folded, row->key);
  return g_hash_table_contains (self->opened, row->key);
}

static const HlOutlineRow *row_of (HlOutline *self, GtkListBoxRow *line) {
  int row = line != NULL && self->list != NULL
                ? hl_outline_list_find (self->list, hl_outline_row_widget_key (HL_OUTLINE_ROW_WIDGET (line)))
                : -1;
  return row >= 0 ? hl_outline_list_row (self->list, row) : NULL;
}

GtkListBoxRow *hl_outline_row (HlOutline *self, const char *key) {
  int row = hl_outline_list_find (self->list, key);
  return row >= 0 ? hl_outline_row_widget_at (self, row) : NULL;
}

HlOutlineRowWidget *hl_outline_present_line (HlOutline *self) {
  GtkWidget *focus = gtk_widget_get_focus_child (self->box);
  if (focus != NULL && HL_IS_OUTLINE_ROW_WIDGET (focus))
    return HL_OUTLINE_ROW_WIDGET (focus);
  g_autoptr (GList) selected = gtk_list_box_get_selected_rows (GTK_LIST_BOX (self->box));
  return selected != NULL ? HL_OUTLINE_ROW_WIDGET (selected->data) : NULL;
}

const HlOutlineRow *hl_outline_present (HlOutline *self) {
  HlOutlineRowWidget *line = hl_outline_present_line (self);
  return line != NULL ? row_of (self, GTK_LIST_BOX_ROW (line)) : NULL;
}

/* --- what is seen of them --- */

/* Returns whether a row is visible: during a search matches and their heading; otherwise rows that are not
 * collapsed. */
static gboolean is_seen (HlOutline *self, int index) {
  const HlOutlineRow *row = hl_outline_list_row (self->list, index);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (*text != '\0' && row->type != HL_OUTLINE_GROUP)
    return hl_outline_list_matches (self->list, index, text);
  if (*text != '\0') {
    for (int i = index + 1;
         i < hl_outline_list_n (self->list) && hl_outline_list_row (self->list, i)->level > 0; i++)
      if (hl_outline_list_matches (self->list, i, text))
        return TRUE;
    return FALSE;
  }
  if (row->level == 0)
    return TRUE;
  if (!is_expanded (self, hl_outline_list_row (self->list, row->group)))
    return FALSE;
  for (int owner = index; row->level == 2 && owner >= 0; owner--)
    if (hl_outline_list_row (self->list, owner)->level == 1)
      return is_expanded (self, hl_outline_list_row (self->list, owner));
  return TRUE;
}

static gboolean filter_cb (GtkListBoxRow *line, gpointer data) {
  HlOutline *self = data;
  int row = self->list != NULL
                ? hl_outline_list_find (self->list, hl_outline_row_widget_key (HL_OUTLINE_ROW_WIDGET (line)))
                : -1;
  return row < 0 || is_seen (self, row);
}

void hl_outline_fold (HlOutline *self, const char *key, gboolean fold) {
  int index = hl_outline_list_find (self->list, key);

  if (index < 0)
    return;
  const HlOutlineRow *row = hl_outline_list_row (self->list, index);
  GHashTable *changed = row->type == HL_OUTLINE_GROUP ? self->folded : self->opened;
  gboolean put = (row->type == HL_OUTLINE_GROUP) == fold;
  if (put)
    g_hash_table_add (changed, g_strdup (key));
  else
    g_hash_table_remove (changed, key);
  hl_outline_row_widget_show (HL_OUTLINE_ROW_WIDGET (hl_outline_row_widget_at (self, index)), row, !fold);
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->box));
}

static void toggle_cb (HlOutlineRowWidget *line, gpointer data) {
  HlOutline *self = data;
  const HlOutlineRow *row = row_of (self, GTK_LIST_BOX_ROW (line));

  if (row != NULL && row->has_parts)
    hl_outline_fold (self, row->key, is_expanded (self, row));
}

/* --- changes --- */

void hl_outline_say (HlOutline *self, const char *message) {
  gtk_label_set_text (GTK_LABEL (self->message), message != NULL ? message : "");
  gtk_widget_set_visible (self->message, message != NULL && *message != '\0');
}

const char *hl_outline_message (HlOutline *self) {
  return gtk_label_get_text (GTK_LABEL (self->message));
}

gboolean hl_outline_commit (HlOutline *self, HlDocument *document, const char *step, GError *error) {
  g_autoptr (GError) taken = error;

  hl_outline_say (self, taken != NULL ? taken->message : NULL);
  if (document == NULL)
    return FALSE;
  hl_editing_commit (hl_workbench_editing (self->workbench), document, step, NULL);
  return TRUE;
}

static gboolean rename_cb (HlOutlineRowWidget *line, const char *name, gpointer data) {
  HlOutline *self = data;
  const HlOutlineRow *row = row_of (self, GTK_LIST_BOX_ROW (line));
  GError *error = NULL;

  if (row == NULL)
    return FALSE;
  gboolean was_selected = row->id != NULL && hl_workbench_is_selected (self->workbench, row->id);
  gboolean is_element = row->type == HL_OUTLINE_ELEMENT;
  g_autofree char *step = g_strdup_printf (_ ("Rename %s"), row->name);
  g_autofree char *id = g_strstrip (g_strdup (name));
  HlDocument *document =
      hl_outline_rename (hl_editing_document (hl_workbench_editing (self->workbench)), row, name, &error);
  if (!hl_outline_commit (self, document, step, error))
    return FALSE;
  if (was_selected && is_element)
    hl_workbench_select (self->workbench, id);
  return TRUE;
}

/* --- the selection --- */

/* Ids of the rows that are selected, each once, NULL-terminated; borrowed from the list. */
static GPtrArray *ids_of_rows (HlOutline *self) {
  g_autoptr (GList) lines = gtk_list_box_get_selected_rows (GTK_LIST_BOX (self->box));
  GPtrArray *ids = g_ptr_array_new ();

  for (GList *at = lines; at != NULL; at = at->next) {
    const HlOutlineRow *row = row_of (self, at->data);
    gboolean is_there = row == NULL || row->id == NULL;
    for (guint i = 0; !is_there && i < ids->len; i++)
      is_there = strcmp (ids->pdata[i], row->id) == 0;
    if (!is_there)
      g_ptr_array_add (ids, (gpointer)row->id);
  }
  g_ptr_array_add (ids, NULL);
  return ids;
}

static void rows_selected_cb (GtkListBox *box, HlOutline *self) {
  if (self->is_syncing || self->list == NULL)
    return;
  g_autoptr (GPtrArray) ids = ids_of_rows (self);
  hl_outline_say (self, NULL);
  self->is_syncing = TRUE;
  hl_workbench_select_ids (self->workbench, (const char *const *)ids->pdata);
  self->is_syncing = FALSE;
}

static gboolean says_the_same (const GPtrArray *ids, const char *const *selection) {
  guint n = 0;

  for (; selection[n] != NULL; n++)
    if (!g_strv_contains ((const char *const *)ids->pdata, selection[n]))
      return FALSE;
  return n + 1 == ids->len;
}

/* Scrolls to a row without moving the focus, which may be on a canvas. */
static void scroll_to (HlOutline *self, GtkListBoxRow *line) {
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  graphene_rect_t bounds;

  if (gtk_widget_compute_bounds (GTK_WIDGET (line), self->box, &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.y, bounds.origin.y + bounds.size.height);
}

static GtkListBoxRow *row_of_selected (HlOutline *self, const char *id) {
  int row = hl_outline_list_find_id (self->list, id);

  if (row < 0) { /* "fluid", "simulation" */
    g_autofree char *key = g_strconcat ("object:", id, NULL);
    row = hl_outline_list_find (self->list, key);
  }
  return row >= 0 ? hl_outline_row_widget_at (self, row) : NULL;
}

void hl_outline_focus_row (HlOutline *self, const char *id) {
  GtkListBoxRow *line = row_of_selected (self, id);

  if (line == NULL)
    return;
  const HlOutlineRow *heading = hl_outline_list_row (self->list, row_of (self, line)->group);
  if (!is_expanded (self, heading))
    hl_outline_fold (self, heading->key, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (line));
}

static void follow_selection (HlOutline *self) {
  const char *const *selection = hl_workbench_selection (self->workbench);
  g_autoptr (GPtrArray) ids = ids_of_rows (self);
  GtkListBoxRow *first = NULL;

  /* rows that are due to be rebuilt are selected then */
  if (self->is_syncing || hl_rebuild_is_due (GTK_WIDGET (self)) || says_the_same (ids, selection))
    return;
  self->is_syncing = TRUE;
  gtk_list_box_unselect_all (GTK_LIST_BOX (self->box));
  for (int i = 0; selection[i] != NULL; i++) {
    GtkListBoxRow *line = row_of_selected (self, selection[i]);
    if (line == NULL)
      continue;
    const HlOutlineRow *row = row_of (self, line);
    const HlOutlineRow *heading = hl_outline_list_row (self->list, row->group);
    if (!is_expanded (self, heading))
      hl_outline_fold (self, heading->key, FALSE);
    gtk_list_box_select_row (GTK_LIST_BOX (self->box), line);
    if (first == NULL)
      first = line;
  }
  self->is_syncing = FALSE;
  if (first != NULL)
    scroll_to (self, first);
}

/* --- the document --- */

/* Matches lines: removes those whose rows no longer exist, inserts new ones; the others keep their focus and
 * their place. */
static void match_lines (HlOutline *self, const HlOutlineList *next) {
  HlOutlineHost host = {rename_cb, toggle_cb, self};
  g_autoptr (GHashTable) present = g_hash_table_new (g_str_hash, g_str_equal);
  int n_old = self->list != NULL ? hl_outline_list_n (self->list) : 0;
  int n_new = hl_outline_list_n (next);

  for (int i = 0; i < n_old; i++)
    g_hash_table_add (present, (gpointer)hl_outline_list_row (self->list, i)->key);
  for (int i = 0; i < n_new || hl_outline_row_widget_at (self, i) != NULL;) {
    GtkListBoxRow *line = hl_outline_row_widget_at (self, i);
    const char *old_key = line != NULL ? hl_outline_row_widget_key (HL_OUTLINE_ROW_WIDGET (line)) : NULL;
    const char *key = i < n_new ? hl_outline_list_row (next, i)->key : NULL;
    if (g_strcmp0 (old_key, key) == 0) {
      i++;
    } else if (key != NULL && !g_hash_table_contains (present, key) &&
               (old_key == NULL || hl_outline_list_find (next, old_key) >= 0)) {
      GtkWidget *fresh = hl_outline_row_widget_new (&host);
      const HlOutlineRow *row = hl_outline_list_row (next, i);
      hl_outline_row_widget_show (HL_OUTLINE_ROW_WIDGET (fresh), row, is_expanded (self, row));
      gtk_list_box_insert (GTK_LIST_BOX (self->box), fresh, i++);
    } else {
      g_hash_table_remove (present, old_key);
      gtk_list_box_remove (GTK_LIST_BOX (self->box), GTK_WIDGET (line));
    }
  }
}

static void refresh (HlOutline *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlOutlineList *next = hl_outline_list_new (hl_editing_document (editing), hl_editing_findings (editing),
                                             hl_workbench_units (self->workbench));
  int n = hl_outline_list_n (next);
  GtkWidget *focus = gtk_widget_get_focus_child (self->box);
  int focused = focus != NULL ? gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (focus)) : -1;

  if (self->late_refresh != 0)
    g_clear_handle_id (&self->late_refresh, g_source_remove);
  self->is_syncing = TRUE;
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->box), NULL, NULL, NULL);
  match_lines (self, next);
  g_clear_pointer (&self->list, hl_outline_list_free);
  self->list = next;
  for (int i = 0; i < n; i++) {
    const HlOutlineRow *row = hl_outline_list_row (next, i);
    hl_outline_row_widget_show (HL_OUTLINE_ROW_WIDGET (hl_outline_row_widget_at (self, i)), row,
                                is_expanded (self, row));
  }
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->box), filter_cb, self, NULL);
  self->is_syncing = FALSE;
  /* a row with the focus that went leaves it to the one in its place */
  if (focused >= 0 && gtk_widget_get_focus_child (self->box) == NULL && n > 0)
    gtk_widget_grab_focus (GTK_WIDGET (hl_outline_row_widget_at (self, MIN (focused, n - 1))));
  follow_selection (self);
}

static void rebuild (GtkWidget *widget) {
  if (gtk_widget_get_mapped (widget) && HL_OUTLINE (widget)->workbench != NULL)
    refresh (HL_OUTLINE (widget));
}

static gboolean late_refresh_cb (gpointer data) {
  HlOutline *self = data;

  self->late_refresh = 0;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    refresh (self);
  return G_SOURCE_REMOVE;
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlOutline *self) {
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_FILE | HL_CHANGED_FINDINGS | HL_CHANGED_UNITS)) {
    if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_UNITS))
      hl_rebuild_later (GTK_WIDGET (self), rebuild);
    else if (self->late_refresh == 0)
      self->late_refresh = g_timeout_add (LATE_MS, late_refresh_cb, self);
  } else if ((changes & HL_CHANGED_NUMBERS) && self->late_refresh == 0) {
    self->late_refresh = g_timeout_add (LATE_MS, late_refresh_cb, self);
  }
  if (changes & HL_CHANGED_SELECTION)
    follow_selection (self);
}

static void map_cb (GtkWidget *widget, gpointer data) {
  HlOutline *self = HL_OUTLINE (widget);
  if (self->workbench != NULL)
    refresh (self);
}

void hl_outline_reveal (HlOutline *self, const HlOutlineRow *row) {
  g_autofree char *id = g_strdup (row->id);

  for (int canvas = 0; id != NULL && canvas < 2; canvas++)
    hl_canvas_reveal (hl_tool_bridge_canvas (self->bridges[canvas]), id);
}

/* --- life --- */

static void row_activated_cb (GtkListBox *box, GtkListBoxRow *line, HlOutline *self) {
  const HlOutlineRow *row = row_of (self, line);

  if (row == NULL)
    return;
  if (row->type == HL_OUTLINE_GROUP)
    toggle_cb (HL_OUTLINE_ROW_WIDGET (line), self);
  else
    hl_outline_reveal (self, row);
}

static void hl_outline_dispose (GObject *object) {
  HlOutline *self = HL_OUTLINE (object);

  self->is_syncing = TRUE; /* rows that go are no change of the selection */
  if (self->late_refresh != 0)
    g_clear_handle_id (&self->late_refresh, g_source_remove);
  if (self->workbench != NULL)
    g_signal_handlers_disconnect_by_data (self->workbench, self);
  hl_outline_drop_actions (self);
  g_clear_weak_pointer (&self->focus_before);
  g_clear_object (&self->bridges[0]);
  g_clear_object (&self->bridges[1]);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_outline_parent_class)->dispose (object);
}

static void hl_outline_finalize (GObject *object) {
  HlOutline *self = HL_OUTLINE (object);

  hl_outline_list_free (self->list);
  g_free (self->menu_key);
  g_hash_table_unref (self->folded);
  g_hash_table_unref (self->opened);
  G_OBJECT_CLASS (hl_outline_parent_class)->finalize (object);
}

static void hl_outline_class_init (HlOutlineClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_outline_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_outline_finalize;
  hl_widget_tree_load (klass, "hl-outline");
  HL_TREE_CHILD (klass, HlOutline, entry);
  HL_TREE_CHILD (klass, HlOutline, add_button);
  HL_TREE_CHILD (klass, HlOutline, box);
  HL_TREE_CHILD (klass, HlOutline, scrolled);
  HL_TREE_CHILD (klass, HlOutline, message);
  HL_TREE_CALLBACK (klass, map_cb);
  HL_TREE_CALLBACK (klass, rows_selected_cb);
  HL_TREE_CALLBACK (klass, row_activated_cb);
}

static void hl_outline_init (HlOutline *self) {
  g_autoptr (GMenuModel) menu = hl_outline_add_menu ();

  self->folded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->opened = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->box), filter_cb, self, NULL);
  hl_late_menu_set (GTK_MENU_BUTTON (self->add_button), menu);
  connect_entry (self);
  hl_outline_add_actions (self);
}

void hl_outline_set_workbench (HlOutline *self, HlWorkbench *workbench, HlToolBridge *circuit,
                               HlToolBridge *linkage) {
  g_set_object (&self->workbench, workbench);
  g_set_object (&self->bridges[HL_TOOL_CIRCUIT], circuit);
  g_set_object (&self->bridges[HL_TOOL_LINKAGE], linkage);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
}
