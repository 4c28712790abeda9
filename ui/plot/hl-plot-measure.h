/* SPDX-License-Identifier: MIT */
/* HlPlotMeasure: what the visible traces do between the cursors A and B, as a table: at A, at B,
 * their difference, least, most, mean and root mean square. */
#pragma once

#include "ui/plot/hl-plot-view.h"

#define HL_TYPE_PLOT_MEASURE (hl_plot_measure_get_type ())
G_DECLARE_FINAL_TYPE (HlPlotMeasure, hl_plot_measure, HL, PLOT_MEASURE, GtkGrid)

void hl_plot_measure_set_workbench (HlPlotMeasure *self, HlWorkbench *workbench);
/* Filled anew: begin, the plots that are seen, end. */
void hl_plot_measure_begin (HlPlotMeasure *self);
void hl_plot_measure_add (HlPlotMeasure *self, HlPlotView *view);
void hl_plot_measure_end (HlPlotMeasure *self);
