/* SPDX-License-Identifier: MIT */
/* HlPlotView: one plot panel, a chart with a time cursor that a click sets and a drag moves, and the
 * measuring cursors A and B, which M shows and hides. A click on a legend entry hides or shows it. The button
 * in the corner or the right mouse button opens the menu; traces and elements can be dragged to the panel
 * from lists and drawings. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/chart/hl-chart.h"
#include "ui/paint/chart/hl-scene-plot.h"

#include <gtk/gtk.h>

#define HL_TYPE_PLOT_VIEW (hl_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (HlPlotView, hl_plot_view, HL, PLOT_VIEW, HlChart)

/* Emits "x-range-changed" when the person zooms or pans in time, so that its neighbours can follow.
 */
GtkWidget *hl_plot_view_new (HlWorkbench *workbench, const HlPlotPanel *panel, int index);
/* Sets another panel, or the same at another place among the panels of the model. */
void hl_plot_view_set_panel (HlPlotView *self, const HlPlotPanel *panel, int index);
const HlPlotPanel *hl_plot_view_panel (HlPlotView *self);
/* Returns whether x is time: its range is shared, measuring cursors are available. */
gboolean hl_plot_view_is_over_time (HlPlotView *self);
/* Returns whether a series of the picture is a trace of the run itself, not a ghost or a linear response. */
gboolean hl_plot_view_is_run_series (HlPlotView *self, int series);
/* Returns whether the panel has traces of two quantities; the second function reserves room for a right axis,
 * so that plots below each other line up. */
gboolean hl_plot_view_has_right_axis (HlPlotView *self);
void hl_plot_view_set_right_room (HlPlotView *self, gboolean room);
/* Sets whether a plot below has the same time axis: a low plot then has no time labels of its own. */
void hl_plot_view_set_time_below (HlPlotView *self, gboolean below);
/* Shows only the last seconds of a growing run; 0: the whole run. */
void hl_plot_view_set_strip (HlPlotView *self, double seconds);
/* Shows the measuring cursors in the visible range, or hides them. */
void hl_plot_view_toggle_span (HlPlotView *self);
/* Handles a path or the id of an element that was dropped on the plot; FALSE if it has nothing to plot. */
gboolean hl_plot_view_drop (HlPlotView *self, const char *text);
/* Shows that a dragged object can be dropped here. */
void hl_plot_view_set_dropping (HlPlotView *self, gboolean dropping);
/* Returns the tree of traces, as its menu opens it. */
GtkWidget *hl_plot_view_open_picker (HlPlotView *self);

/* Sets or returns the visible time range; NAN both: the whole run. A spectrum uses this range, or the range
 * between the measuring cursors. */
void hl_plot_view_set_x_range (HlPlotView *self, double from, double to);
void hl_plot_view_get_x_range (HlPlotView *self, double *from, double *to);
void hl_plot_view_set_show_linear (HlPlotView *self, gboolean show);
/* Sets whether the run before lies under the traces. */
void hl_plot_view_set_show_before (HlPlotView *self, gboolean show);
/* Returns the title of the file, or the labels of the traces. Owned by the caller. */
char *hl_plot_view_title (HlPlotView *self);

/* Returns the present picture, in another style, for export: borrowed until the next frame. */
HlPlot *hl_plot_view_picture (HlPlotView *self, const HlStyle *style);
/* Returns the same of the whole run, whatever range is in view. */
HlPlot *hl_plot_view_whole_picture (HlPlotView *self, const HlStyle *style);

/* Drag sources for plots: names in lists, and elements that are dragged from a drawing onto a plot. */

/* The widget can be dragged and brings what `text` gives for it: a path or the id of an element;
 * owned by the caller, NULL: nothing to drag. */
typedef char *(*HlPlotDragText) (gpointer data);
void hl_plot_drag_source_add (GtkWidget *widget, HlPlotDragText text, gpointer data);
/* Makes the widget a drag source with a fixed text, which is copied. */
void hl_plot_drag_source_add_text (GtkWidget *widget, const char *text);

/* Lets go of an element or path at a place of `from`; FALSE when there is no plot, or nothing to be
 * shown of it. */
gboolean hl_plot_drop_at (GtkWidget *from, double x, double y, const char *text);
/* Shows which plot below would accept a dragged object at that place, and ends it. */
void hl_plot_hold_above (GtkWidget *from, double x, double y);
void hl_plot_hold_nowhere (GtkWidget *from);
/* Returns whether a plot lies there. */
gboolean hl_plot_is_at (GtkWidget *from, double x, double y);
