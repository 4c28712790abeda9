/* SPDX-License-Identifier: MIT */
/* The inside of the root locus, split over four files: what is shown (hl-locus-view.c), what the
 * pointer is over (hl-locus-hover.c), what a click does there
 * (hl-locus-view-click.c), and poles that are dragged (hl-locus-drag.c). */
#pragma once

#include "ui/modes/hl-locus-data.h"
#include "ui/modes/hl-locus-view.h"

#define HL_LOCUS_REACH_PX 9.0
#define HL_LOCUS_GRID_LOOK 18 /* numbers that the grid depends on */

struct _HlLocusView
{
  HlChart parent_instance;
  HlWorkbench *workbench;
  HlLocusPlot plot;
  HlLocusData data;
  char **readout_lines;
  gboolean log;
  double value_before;   /* of the slider, before a pole was dragged */
  cairo_surface_t *grid; /* as it was painted last, and what that depended on */
  double grid_look[HL_LOCUS_GRID_LOOK];
};

/* hl-locus-view.c: the picture as it is now, and its layout. */
HlLocusPlot *hl_locus_view_lay_out (HlLocusView *self, HlLocusLayout *layout);

/* hl-locus-hover.c: what is under the pointer, into the picture; a point that is no pole is added
 * to data.poles, to be taken off again after painting. */
void hl_locus_view_mark_hovered (HlLocusView *self, HlLocusPlot *plot, const HlLocusLayout *layout);
/* The pointer stands there; which pointer to show. */
const char *hl_locus_view_hover (HlChart *chart, HlSpot at);

/* hl-locus-drag.c: a pole with a branch is a cursor, whose index is that of its branch. */
HlChartPart hl_locus_view_hit (HlChart *chart, HlSpot at, int *index);
void hl_locus_view_begin_drag (HlChart *chart);
void hl_locus_view_drag_pole (HlChart *chart, int branch, HlSpot to);
void hl_locus_view_drop_pole (HlChart *chart, HlSpot from, gboolean has_moved);
void hl_locus_view_put_pole_back (HlChart *chart, int branch);

/* hl-locus-view-click.c */
void hl_locus_view_click (HlChart *chart, HlSpot at);
