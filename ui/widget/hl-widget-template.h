/* SPDX-License-Identifier: MIT */
/* Widgets with a template in resources/ui: one file for each class, with the name of its C file. A window
 * leaves its tree to the dispose of GtkWindow: gtk_widget_dispose_template () of GTK 4.8 removes its child
 * too early. */
#pragma once

#include <gtk/gtk.h>

#define HL_RESOURCE_BASE "/io/github/hydrolink/Hydrolink"

/* Makes the wheel over a slider or a number in a scrollable pane of a window scroll the pane. */
void hl_wheel_scrolls_panes (GtkWidget *window);

/* Adds a style class to a widget, or removes it. */
void hl_widget_set_class (GtkWidget *widget, const char *name, gboolean has);

/* Loads the widget tree resources/ui/NAME.ui, for class_init. */
void hl_widget_tree_load (gpointer klass, const char *name);
#define HL_TREE_CHILD(klass, Type, child)                                                                    \
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (klass), Type, child)
#define HL_TREE_CALLBACK(klass, callback)                                                                    \
  gtk_widget_class_bind_template_callback (GTK_WIDGET_CLASS (klass), callback)
