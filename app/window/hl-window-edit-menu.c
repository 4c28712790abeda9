/* SPDX-License-Identifier: MIT */
/* Undo and redo say what they would undo, in the menu and on their buttons. */
#include "app/window/hl-window-private.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"

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
  g_autoptr (GMenuItem) item = hl_window_menu_item (text, NULL);

  g_menu_item_set_action_and_target (item, action, NULL);
  g_menu_append_item (menu, item);
}

static gboolean says (GMenuModel *menu, int index, const char *text) {
  g_autoptr (GMenuItem) item = hl_window_menu_item (text, NULL);
  g_autoptr (GVariant) wanted =
      g_menu_item_get_attribute_value (item, G_MENU_ATTRIBUTE_LABEL, G_VARIANT_TYPE_STRING);
  g_autofree char *label = NULL;

  return index < g_menu_model_get_n_items (menu) &&
         g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_LABEL, "s", &label) &&
         g_strcmp0 (label, g_variant_get_string (wanted, NULL)) == 0;
}

void hl_window_show_steps (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autofree char *undo = step_text (_ ("Undo"), _ ("Undo %s"), hl_editing_undo_name (editing));
  g_autofree char *redo = step_text (_ ("Redo"), _ ("Redo %s"), hl_editing_redo_name (editing));
  GMenuModel *menu = G_MENU_MODEL (self->edit_section);

  show_step (self->undo_button, undo, "Ctrl+Z");
  show_step (self->redo_button, redo, "Shift+Ctrl+Z");
  if (says (menu, 0, undo) && says (menu, 1, redo))
    return;
  g_menu_remove_all (self->edit_section);
  append (self->edit_section, undo, "win.undo");
  append (self->edit_section, redo, "win.redo");
  append (self->edit_section, _ ("All steps…"), "win.history");
  append (self->edit_section, _ ("Find…"), "win.find");
}
