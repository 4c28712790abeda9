/* SPDX-License-Identifier: MIT */
/* The keys of the window's actions come before those of the field that has the keyboard, so undo and redo ask the field first.
 *
 * What a field can take back is exactly the typing that is not applied yet: its own history begins anew when it gets the
 * keyboard and whenever the document becomes another one, for then the text is applied, or was brought from there. */
#include "app/window/hl-step-buttons.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/outline/hl-history-list.h"
#include "ui/plot/hl-tape-track.h"
#include "ui/widget/hl-late-menu.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

struct _HlStepButtons {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GActionMap *actions;    /* of the window */
  GMenu *section;         /* of its menu */
  HlDocument *typed_upon; /* the document when the field with the keyboard began anew */

  /* template */
  GtkWidget *undo_button, *redo_button;
  HlHistoryList *history_list;
};

G_DEFINE_FINAL_TYPE (HlStepButtons, hl_step_buttons, GTK_TYPE_BOX)

static HlEditing *editing_of (HlStepButtons *self) {
  return hl_workbench_editing (self->workbench);
}

/* --- typing --- */

static char *text_of (GtkWidget *field) {
  GtkTextIter start, end;

  if (!GTK_IS_TEXT_VIEW (field))
    return g_strdup (gtk_editable_get_text (GTK_EDITABLE (field)));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (field));
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* Of the window; NULL: nothing has the keyboard. */
static GtkWidget *focus_of (HlStepButtons *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

/* The field that has the keyboard, NULL = none. */
static GtkWidget *focused_field (HlStepButtons *self) {
  GtkWidget *focus = focus_of (self);

  return focus != NULL && (GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus)) ? focus : NULL;
}

/* Its history is empty from here on. */
static void begin_field (HlStepButtons *self) {
  GtkWidget *field = focused_field (self);

  if (self->workbench == NULL)
    return;
  g_clear_pointer (&self->typed_upon, hl_document_unref);
  self->typed_upon = hl_document_ref (hl_editing_document (editing_of (self)));
  if (field == NULL)
    return;
  if (GTK_IS_TEXT_VIEW (field)) {
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (field));
    gtk_text_buffer_set_enable_undo (buffer, FALSE);
    gtk_text_buffer_set_enable_undo (buffer, TRUE);
  } else {
    gtk_editable_set_enable_undo (GTK_EDITABLE (field), FALSE);
    gtk_editable_set_enable_undo (GTK_EDITABLE (field), TRUE);
  }
}

static gboolean take_back (HlStepButtons *self, const char *action) {
  GtkWidget *field = focused_field (self);

  if (field == NULL)
    return FALSE;
  /* the document may have changed without a word yet, in this very frame */
  if (self->typed_upon != hl_editing_document (editing_of (self)))
    begin_field (self);
  g_autofree char *before = text_of (field);
  gtk_widget_activate_action (field, action, NULL);
  g_autofree char *after = text_of (field);
  return strcmp (before, after) != 0;
}

/* The tape that has the keyboard, NULL = none. */
static HlTapeTrack *focused_tape (HlStepButtons *self) {
  GtkWidget *focus = focus_of (self);
  GtkWidget *track = focus != NULL ? gtk_widget_get_ancestor (focus, HL_TYPE_TAPE_TRACK) : NULL;

  return track != NULL ? HL_TAPE_TRACK (track) : NULL;
}

/* --- actions --- */

static void undo_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlTapeTrack *tape = focused_tape (data);

  if (!(tape != NULL ? hl_tape_track_undo (tape) : take_back (data, "text.undo")))
    hl_editing_undo (editing_of (data));
}

static void redo_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlTapeTrack *tape = focused_tape (data);

  if (!(tape != NULL ? hl_tape_track_redo (tape) : take_back (data, "text.redo")))
    hl_editing_redo (editing_of (data));
}

static void history_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_history_list_open (HL_STEP_BUTTONS (data)->history_list);
}

static const GActionEntry actions[] = {
    {"undo", undo_cb, NULL, NULL, NULL},
    {"redo", redo_cb, NULL, NULL, NULL},
    {"history", history_cb, NULL, NULL, NULL},
};

/* --- which step it would be --- */

/* `format` has one %s, the step; without a step its plain word is shown. */
static char *step_text (const char *plain, const char *format, const char *step) {
  g_autoptr (GString) text = g_string_new (step != NULL ? format : plain);

  if (step != NULL)
    g_string_replace (text, "%s", step, 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void show_step (GtkWidget *button, const char *text, const char *keys) {
  g_autofree char *tooltip = g_strdup_printf ("%s (%s)", text, keys);

  if (g_strcmp0 (gtk_widget_get_tooltip_text (button), tooltip) == 0)
    return;
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void append (GMenu *menu, const char *text, const char *action) {
  g_autoptr (GMenuItem) item = hl_late_menu_item (text, NULL);

  g_menu_item_set_action_and_target (item, action, NULL);
  g_menu_append_item (menu, item);
}

static gboolean says (GMenuModel *menu, int index, const char *text) {
  g_autoptr (GMenuItem) item = hl_late_menu_item (text, NULL);
  g_autoptr (GVariant) wanted =
      g_menu_item_get_attribute_value (item, G_MENU_ATTRIBUTE_LABEL, G_VARIANT_TYPE_STRING);
  g_autofree char *label = NULL;

  return index < g_menu_model_get_n_items (menu) &&
         g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_LABEL, "s", &label) &&
         g_strcmp0 (label, g_variant_get_string (wanted, NULL)) == 0;
}

static void enable (HlStepButtons *self, const char *name, gboolean enabled) {
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (self->actions, name)), enabled);
}

static void show_steps (HlStepButtons *self) {
  const char *undo = hl_editing_undo_name (editing_of (self)),
             *redo = hl_editing_redo_name (editing_of (self));
  g_autofree char *undo_text = step_text (_ ("Undo"), _ ("Undo %s"), undo);
  g_autofree char *redo_text = step_text (_ ("Redo"), _ ("Redo %s"), redo);
  GMenuModel *menu = G_MENU_MODEL (self->section);

  enable (self, "undo", undo != NULL);
  enable (self, "redo", redo != NULL);
  enable (self, "history", undo != NULL || redo != NULL);
  show_step (self->undo_button, undo_text, "Ctrl+Z");
  show_step (self->redo_button, redo_text, "Shift+Ctrl+Z");
  if (says (menu, 0, undo_text) && says (menu, 1, redo_text))
    return;
  g_menu_remove_all (self->section);
  append (self->section, undo_text, "win.undo");
  append (self->section, redo_text, "win.redo");
  append (self->section, _ ("All steps…"), "win.history");
  append (self->section, _ ("Find…"), "win.find");
}

static void begin_field_later_cb (GtkWidget *widget) {
  begin_field (HL_STEP_BUTTONS (widget));
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlStepButtons *self) {
  if ((changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS)) != 0)
    hl_rebuild_later (GTK_WIDGET (self), begin_field_later_cb); /* the fields show it by then */
  show_steps (self);
}

void hl_step_buttons_set_workbench (HlStepButtons *self, HlWorkbench *workbench, GMenu *section,
                                    GActionMap *map) {
  self->workbench = g_object_ref (workbench);
  self->section = section;
  self->actions = map;
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
  hl_history_list_set_workbench (self->history_list, workbench);
  g_signal_connect_object (gtk_widget_get_root (GTK_WIDGET (self)), "notify::focus-widget",
                           G_CALLBACK (begin_field), self, G_CONNECT_SWAPPED);
  g_signal_connect (workbench, "changed", G_CALLBACK (changed_cb), self);
  show_steps (self);
}

gboolean hl_step_buttons_is_settled (HlStepButtons *self) {
  return !hl_rebuild_is_due (GTK_WIDGET (self->history_list));
}

/* --- life --- */

static void hl_step_buttons_dispose (GObject *object) {
  HlStepButtons *self = HL_STEP_BUTTONS (object);

  if (self->workbench != NULL)
    g_signal_handlers_disconnect_by_data (self->workbench, self);
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->typed_upon, hl_document_unref);
  G_OBJECT_CLASS (hl_step_buttons_parent_class)->dispose (object);
}

static void hl_step_buttons_class_init (HlStepButtonsClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_step_buttons_dispose;
  g_type_ensure (HL_TYPE_HISTORY_LIST);
  hl_widget_tree_load (klass, "hl-step-buttons");
  HL_TREE_CHILD (klass, HlStepButtons, undo_button);
  HL_TREE_CHILD (klass, HlStepButtons, redo_button);
  HL_TREE_CHILD (klass, HlStepButtons, history_list);
}

static void hl_step_buttons_init (HlStepButtons *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}
