/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-tooltip.h"

static gboolean
query_cb (GtkWidget *button, int x, int y, gboolean by_key, GtkTooltip *tooltip, gpointer data)
{
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (button));

  if (popover != NULL && gtk_widget_get_visible (GTK_WIDGET (popover)))
    g_signal_stop_emission_by_name (button, "query-tooltip");
  return FALSE;
}

void
hl_tooltip_spare_popovers (GtkWidget *root)
{
  if (GTK_IS_MENU_BUTTON (root)) {
    g_signal_connect (root, "query-tooltip", G_CALLBACK (query_cb), NULL);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    hl_tooltip_spare_popovers (child);
}

void
hl_tooltip_set (GtkWidget *widget, const char *text)
{
  gboolean is_new = gtk_widget_get_parent (widget) == NULL && !GTK_IS_ROOT (widget) &&
                    gtk_widget_get_visible (widget);

  if (is_new)
    gtk_widget_set_visible (widget, FALSE);
  gtk_widget_set_tooltip_text (widget, text);
  if (is_new)
    gtk_widget_set_visible (widget, TRUE);
}
