/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-widget-tree.h"

#include "hl-resources.h"

void hl_widget_tree_load (gpointer klass, const char *name) {
  g_autofree char *path = g_strdup_printf (HL_RESOURCE_BASE "/ui/%s.ui", name);

  /* a test may use the class without an application that has done it; twice does no harm */
  g_resources_register (hl_resources_get_resource ());
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass), path);
}
