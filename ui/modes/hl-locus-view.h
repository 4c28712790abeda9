/* SPDX-License-Identifier: MIT */
/* HlLocusView: a chart of the eigenvalues in the complex plane, with the branches over the range of the
 * chosen slider behind them. Values appear under the pointer; a click on a branch sets the parameter to the
 * value at that point. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/chart/hl-chart.h"
#include "ui/paint/chart/hl-paint-locus.h"

#include <gtk/gtk.h>

#define HL_TYPE_LOCUS_VIEW (hl_locus_view_get_type ())
G_DECLARE_FINAL_TYPE (HlLocusView, hl_locus_view, HL, LOCUS_VIEW, HlChart)

void hl_locus_view_set_workbench (HlLocusView *self, HlWorkbench *workbench);
void hl_locus_view_set_log (HlLocusView *self, gboolean log);
/* Paints what has changed, in a frame that waits for a run: no run changes it. */
void hl_locus_view_prepare (HlLocusView *self);

/* Returns the present picture, for export; borrowed until the next frame. */
HlLocusPlot *hl_locus_view_picture (HlLocusView *self);
/* Returns the same, and where it lays its points on the screen. */
HlLocusPlot *hl_locus_view_lay_out (HlLocusView *self, HlLocusLayout *layout);
/* Returns the text shown instead of eigenvalues: why there are none, and what to do. NULL if there are
 * eigenvalues; owned by the caller. */
char *hl_locus_view_message (HlLocusView *self);
