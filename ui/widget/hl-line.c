/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-line.h"

GtkWidget *hl_line_new (const char *text, const char *css_class) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}
