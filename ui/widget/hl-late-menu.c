/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-late-menu.h"

static void opened_cb (GtkMenuButton *button, gpointer menu) {
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, menu);
}

void hl_late_menu_set (GtkMenuButton *button, GMenuModel *menu) {
  gtk_menu_button_set_create_popup_func (button, opened_cb, g_object_ref (menu), g_object_unref);
}

GMenuItem *hl_late_menu_item (const char *text, const char *ending) {
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);
  g_autofree char *escaped = g_strjoinv ("__", parts);
  g_autofree char *label = g_strconcat (escaped, ending, NULL);

  return g_menu_item_new (label, NULL);
}
