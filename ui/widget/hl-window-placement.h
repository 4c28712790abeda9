/* SPDX-License-Identifier: MIT */
/* Placement of windows beside the widgets that they explain. */
#pragma once

#include <gtk/gtk.h>

/* Shows a window that belongs to another one (gtk_window_set_transient_for) so that it hides as little
 * as may be of a widget there: beside the other window where the screen has room, else in the corner
 * of the screen where it covers least of the widget. On X11, and once; elsewhere, and in the hands of
 * a person, it stands where the window manager puts it. */
void hl_window_placement_present (GtkWindow *window, GtkWidget *explained);
