/* SPDX-License-Identifier: MIT */
/* The inside of the root locus, split over five files: what is shown (hl-locus-view.c), what the
 * pointer is over (hl-locus-hover.c), what a click does there
 * (hl-locus-view-click.c), poles that are dragged (hl-locus-drag.c), and data tips
 * (hl-locus-tip.c). */
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
  GArray *tips; /* HlLocusTip of the data tips, in the last picture, and their texts */
  GPtrArray *tip_texts;
  gboolean log;
  double value_before;   /* of the slider, before a pole was dragged */
  cairo_surface_t *grid; /* as it was painted last, and what that depended on */
  double grid_look[HL_LOCUS_GRID_LOOK];
  cairo_surface_t *ground; /* as it was painted last on that grid; NULL: not yet */
  guint64 ground_print;    /* of what else it depended on */
};

/* hl-locus-view.c: the picture as it is now, and its layout. */
HlLocusPlot *hl_locus_view_lay_out (HlLocusView *self, HlLocusLayout *layout);

/* hl-locus-hover.c: what is under the pointer, into the picture; a point that is no pole is added
 * to data.poles, to be taken off again after painting. */
void hl_locus_view_mark_hovered (HlLocusView *self, HlLocusPlot *plot, const HlLocusLayout *layout);
/* The pointer stands there; which pointer to show. */
const char *hl_locus_view_hover (HlChart *chart, HlSpot at);

/* hl-locus-hover.c: "F_c = 210 N" of the knob of the locus, owned by the caller; NULL = there is none.
 */
char *hl_locus_view_value_text (HlLocusView *self, double value);

/* hl-locus-tip.c: the data tips of the chart into a picture, and what its class says of them. */
void hl_locus_view_add_tips (HlLocusView *self, HlLocusPlot *plot);
void hl_locus_view_class_init_tips (HlChartClass *klass);

/* hl-locus-drag.c: the value of the slider at the point of a branch nearest to a spot, and its
 * distance [px]; NAN: none. The branch that a pole lies on, -1 = none. */
double hl_locus_view_value_near (HlLocusView *self,
                                 const HlLocusPlot *plot,
                                 const HlLocusLayout *layout,
                                 int branch,
                                 HlSpot spot,
                                 double *distance);
int hl_locus_view_branch_of (HlLocusView *self,
                             const HlLocusPlot *plot,
                             const HlLocusLayout *layout,
                             int pole);

/* hl-locus-drag.c: a pole with a branch is a cursor, whose index is that of its branch. */
HlChartPart hl_locus_view_hit (HlChart *chart, HlSpot at, int *index);
void hl_locus_view_begin_drag (HlChart *chart);
void hl_locus_view_drag_pole (HlChart *chart, int branch, HlSpot to);
void hl_locus_view_drop_pole (HlChart *chart, HlSpot from, gboolean has_moved);
void hl_locus_view_put_pole_back (HlChart *chart, int branch);

/* hl-locus-view-click.c */
void hl_locus_view_click (HlChart *chart, HlSpot at);
