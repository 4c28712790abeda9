/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-tooltip.h"

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
