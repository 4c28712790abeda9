/* SPDX-License-Identifier: MIT */
/* HlPlotView: one plot panel. Wheel zooms at the pointer (over an axis that axis only, with Ctrl
 * the time axis, with Shift the other), a drag zooms to its box, the middle button or Space with a
 * drag pans, double click or F fits, Backspace goes back; a click sets the time cursor, which can
 * be dragged; legend entries toggle. Any number of them may live side by side. */
#pragma once

#include "ui/hl-workbench.h"
#include "ui/paint/hl-scene-plot.h"

#include <gtk/gtk.h>

#define HL_TYPE_PLOT_VIEW (hl_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (HlPlotView, hl_plot_view, HL, PLOT_VIEW, GtkWidget)

/* Emits "x-range-changed" when the person zooms or pans in time, so that its neighbours can follow.
 */
GtkWidget *hl_plot_view_new (HlWorkbench *workbench, const HlPlotPanel *panel);

/* Time range in view; NAN both: all of the run. */
void hl_plot_view_set_x_range (HlPlotView *self, double from, double to);
void hl_plot_view_get_x_range (HlPlotView *self, double *from, double *to);
void hl_plot_view_fit (HlPlotView *self);
void hl_plot_view_zoom (HlPlotView *self, double factor);
void hl_plot_view_set_show_linear (HlPlotView *self, gboolean show);
/* The title of the file, or the labels of the traces. Owned by the caller. */
char *hl_plot_view_title (HlPlotView *self);

/* The picture as it is shown, in another style, for export: borrowed until the next frame. */
HlPlot *hl_plot_view_picture (HlPlotView *self, const HlStyle *style);
