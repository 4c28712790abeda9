/* SPDX-License-Identifier: MIT */
/* HlPlotPane: the plot panels of a document, one below the other, sharing one time range. */
#pragma once

#include "ui/hl-plot-view.h"

#define HL_TYPE_PLOT_PANE (hl_plot_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlPlotPane, hl_plot_pane, HL, PLOT_PANE, GtkBox)

void hl_plot_pane_set_workbench (HlPlotPane *self, HlWorkbench *workbench);
int hl_plot_pane_n_views (HlPlotPane *self);
HlPlotView *hl_plot_pane_view (HlPlotPane *self, int index);
void hl_plot_pane_fit (HlPlotPane *self);
void hl_plot_pane_set_show_linear (HlPlotPane *self, gboolean show);
