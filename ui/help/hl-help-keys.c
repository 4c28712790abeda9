/* SPDX-License-Identifier: MIT */
#include "ui/help/hl-help-keys.h"

#define OVERLAY "/io/github/hydrolink/Hydrolink/ui/help-overlay.ui"
#define BETWEEN "   "

/* "Ctrl+F   Alt+Left": of a list of accelerators with blanks, or a range "1...9". */
static char *shown_keys (const char *accelerators) {
  g_auto (GStrv) each = g_strsplit (accelerators, " ", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int k = 0; each[k] != NULL; k++) {
    guint key;
    GdkModifierType modifiers;
    g_autofree char *label = gtk_accelerator_parse (each[k], &key, &modifiers)
                                 ? gtk_accelerator_get_label (key, modifiers)
                                 : g_strdup (each[k]);
    g_string_append_printf (text, "%s%s", text->len > 0 ? BETWEEN : "", label);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What the application gives an action as keys; owned by the caller. */
static char *keys_of_action (const char *action) {
  GApplication *application = g_application_get_default ();

  if (!GTK_IS_APPLICATION (application))
    return g_strdup ("");
  g_auto (GStrv) keys = gtk_application_get_accels_for_action (GTK_APPLICATION (application), action);
  return g_strjoinv (" ", keys);
}

GPtrArray *hl_help_keys (const char *group) {
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  if (group == NULL)
    return list;
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (OVERLAY);
  GtkWidget *box = GTK_WIDGET (gtk_builder_get_object (builder, group));
  GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));
  for (GtkWidget *row = box != NULL ? gtk_widget_get_first_child (box) : NULL; row != NULL;
       row = gtk_widget_get_next_sibling (row)) {
    g_autofree char *title = NULL, *keys = NULL, *action = NULL;
    if (!GTK_IS_SHORTCUTS_SHORTCUT (row))
      continue;
    g_object_get (row, "title", &title, "accelerator", &keys, "action-name", &action, NULL);
    g_autofree char *own =
        action != NULL && (keys == NULL || *keys == '\0') ? keys_of_action (action) : g_strdup (keys);
    if (own == NULL || *own == '\0')
      continue;
    g_ptr_array_add (list, shown_keys (own));
    g_ptr_array_add (list, g_steal_pointer (&title));
  }
  gtk_window_destroy (window);
  return list;
}
