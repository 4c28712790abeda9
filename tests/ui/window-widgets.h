/* SPDX-License-Identifier: MIT */
/* The widgets inside the main window, for tests: by their id in the templates of resources/ui. */
#pragma once

#include <gtk/gtk.h>

/* Returns the object NAME of the template of the window, or of one of the panes that it holds. NULL when there
 * is none, or when the window is being destroyed. */
static inline gpointer window_part (gpointer window, const char *name) {
  static const char *const panes[] = {"header", "steps", "drawings", "side", "transport", "lessons", NULL};
  gpointer found = gtk_widget_get_template_child (window, G_OBJECT_TYPE (window), name);

  for (const char *const *at = panes; found == NULL && *at != NULL; at++) {
    GObject *pane = gtk_widget_get_template_child (window, G_OBJECT_TYPE (window), *at);
    if (pane != NULL)
      found = window_part (pane, name);
  }
  return found;
}
