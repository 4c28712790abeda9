/* SPDX-License-Identifier: MIT */
/* HlPlotPane: the plot panels of a document in tabs, below and beside each other, sharing one time
 * range; above them the tabs, the list of runs and the measuring cursors with their read-out. */
#pragma once

#include "ui/plot/hl-plot-view.h"

/* "views-changed": plots came or went, some time after the document did; their indices are other
 * ones. "notice" (text): why something did not happen. */
#define HL_TYPE_PLOT_PANE (hl_plot_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlPlotPane, hl_plot_pane, HL, PLOT_PANE, GtkBox)

void hl_plot_pane_set_workbench (HlPlotPane *self, HlWorkbench *workbench);
/* Panels in the order of the file, whatever tab they stand in. Not from inside a callback of one of
 * the plots: views that the document has no panel for any more are gone by then. */
int hl_plot_pane_n_views (HlPlotPane *self);
HlPlotView *hl_plot_pane_view (HlPlotPane *self, int index);
int hl_plot_pane_tab (HlPlotPane *self);
void hl_plot_pane_show_tab (HlPlotPane *self, int tab);
int hl_plot_pane_tab_of_view (HlPlotPane *self, int index);
void hl_plot_pane_fit (HlPlotPane *self);
/* Shows that range of the time axes [s]; NAN both: all of the run. */
void hl_plot_pane_set_time_range (HlPlotPane *self, double from, double to);
/* In the lecture hall the bar has tabs and runs alone: large text needs the room of the other buttons. */
void hl_plot_pane_set_hall (HlPlotPane *self, gboolean in_hall);
/* Sets whether the pane is narrow: its bar then has neither the button that adds a plot nor that of the strip
 * chart. */
void hl_plot_pane_set_narrow (HlPlotPane *self, gboolean is_narrow);
void hl_plot_pane_set_show_linear (HlPlotPane *self, gboolean show);
/* Sets whether the plots are of an analysis: the run before lies under the traces, and there is no strip chart. */
void hl_plot_pane_set_analysis (HlPlotPane *self, gboolean show);
gboolean hl_plot_pane_shows_linear (HlPlotPane *self);
/* Turns the strip chart on or off, and sets its length; 0: chosen from the run. */
void hl_plot_pane_set_strip (HlPlotPane *self, gboolean on, double seconds);
/* Shows or hides the measuring cursors and their table. */
void hl_plot_pane_set_measuring (HlPlotPane *self, gboolean measuring);

/* HlPlotMeasure: what the visible traces do between the cursors A and B, as a table: at A, at B,
 * their difference, least, most, mean and root mean square. */

#define HL_TYPE_PLOT_MEASURE (hl_plot_measure_get_type ())
G_DECLARE_FINAL_TYPE (HlPlotMeasure, hl_plot_measure, HL, PLOT_MEASURE, GtkGrid)

void hl_plot_measure_set_workbench (HlPlotMeasure *self, HlWorkbench *workbench);
/* Begins to fill the table again: begin, then the visible plots, then end. */
void hl_plot_measure_begin (HlPlotMeasure *self);
void hl_plot_measure_add (HlPlotMeasure *self, HlPlotView *view);
void hl_plot_measure_end (HlPlotMeasure *self);
