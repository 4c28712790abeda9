/* SPDX-License-Identifier: MIT */
/* List of the widgets on the display that a pointer can reach. */
#pragma once

#include <gtk/gtk.h>

/* Returns the visible windows, the newest one last. Owned by the caller; the windows are borrowed. */
GPtrArray *hl_reachable_widgets_windows (void);

/* The widget of a kind ("entry", "inspector", "button", "slider", "canvas", "plot", "row", "menu",
 * "item", "drop-down", "any") that `which` stands for, by its remainder: the same number means the
 * same widget as long as the window is the same. What lies open above the rest is preferred.
 * A point of it, from 0 to 1 along its width and height, comes in pixels of its native's surface.
 * NULL: nothing of the kind is seen. */
GtkWidget *hl_reachable_widgets_find (const char *kind, guint which, double fx, double fy,
                                      graphene_point_t *at);

/* Returns the place of the widget that a message of GTK names by its address: "GtkLabel 0x55…"; NULL: there
 * is no such widget. Owned by the caller. */
char *hl_reachable_widgets_describe (const char *message);
/* Returns whether the widget of the message is in a popover below its minimum size: GTK 4.8 shrinks a popover
 * to the monitor (GDK_ANCHOR_RESIZE in gtkpopover.c), to nothing if its position is outside, and its content
 * gets the rest less the padding. */
gboolean hl_reachable_widgets_is_in_cut_popover (const char *message);
