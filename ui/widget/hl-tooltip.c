/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-tooltip.h"

#define TEXT_KEY "hl-tooltip-text"

static gboolean query_cb (GtkWidget *button, int x, int y, gboolean by_key, GtkTooltip *tooltip,
                          gpointer data) {
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (button));

  if (popover != NULL && gtk_widget_get_visible (GTK_WIDGET (popover)))
    g_signal_stop_emission_by_name (button, "query-tooltip");
  return FALSE;
}

void hl_tooltip_spare_popovers (GtkWidget *root) {
  if (GTK_IS_MENU_BUTTON (root)) {
    g_signal_connect (root, "query-tooltip", G_CALLBACK (query_cb), NULL);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    hl_tooltip_spare_popovers (child);
}

void hl_tooltip_set (GtkWidget *widget, const char *text) {
  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) == 0)
    return;
  gboolean is_new =
      gtk_widget_get_parent (widget) == NULL && !GTK_IS_ROOT (widget) && gtk_widget_get_visible (widget);

  if (is_new)
    gtk_widget_set_visible (widget, FALSE);
  gtk_widget_set_tooltip_text (widget, text);
  if (is_new)
    gtk_widget_set_visible (widget, TRUE);
}

static gboolean tell_cb (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *tooltip,
                         gpointer data) {
  const char *text = hl_tooltip_told (widget);

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void hl_tooltip_tell (GtkWidget *widget, const char *text) {
  const char *before = hl_tooltip_told (widget);

  if (g_strcmp0 (before, text) == 0)
    return;
  if (g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, tell_cb, NULL) == 0)
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (tell_cb), NULL);
  g_object_set_data_full (G_OBJECT (widget), TEXT_KEY, g_strdup (text), g_free);
  gtk_widget_set_has_tooltip (widget, text != NULL);
}

const char *hl_tooltip_told (GtkWidget *widget) {
  return g_object_get_data (G_OBJECT (widget), TEXT_KEY);
}
