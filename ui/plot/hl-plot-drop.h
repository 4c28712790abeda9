/* SPDX-License-Identifier: MIT */
/* What brings traces to plots by dragging: names in lists, and elements that are pulled out of a
 * drawing and let go above a plot. */
#pragma once

#include <gtk/gtk.h>

/* The widget can be dragged and brings what `text` gives for it: a path or the id of an element;
 * owned by the caller, NULL: nothing to drag. */
typedef char *(*HlPlotDragText) (gpointer data);
void hl_plot_drag_source_add (GtkWidget *widget, HlPlotDragText text, gpointer data);
/* Always the same text, which is copied. */
void hl_plot_drag_source_add_text (GtkWidget *widget, const char *text);

/* Lets go of an element or path at a place of `from`; FALSE when there is no plot, or nothing to be
 * shown of it. */
gboolean hl_plot_drop_at (GtkWidget *from, double x, double y, const char *text);
/* While it is held there the plot below shows that it would take it; nothing is held any more. */
void hl_plot_hold_above (GtkWidget *from, double x, double y);
void hl_plot_hold_nowhere (GtkWidget *from);
/* Whether a plot lies there. */
gboolean hl_plot_is_at (GtkWidget *from, double x, double y);
