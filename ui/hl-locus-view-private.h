/* SPDX-License-Identifier: MIT */
/* The inside of the root locus, split over three files: what is shown (hl-locus-view.c), what the
 * pointer is over (hl-locus-hover.c), and what pointer and keys do (hl-locus-view-pointer.c). */
#pragma once

#include "ui/hl-locus-data.h"
#include "ui/hl-locus-view.h"

#define HL_LOCUS_REACH_PX 9.0
#define HL_LOCUS_GRID_LOOK 15 /* numbers that the grid depends on */

/* Axes in view; not free = fitted to what is shown. */
typedef struct
{
  gboolean is_free;
  HlAxis x, y;
} HlLocusRange;

typedef enum
{
  HL_LOCUS_DRAG_NOTHING,
  HL_LOCUS_DRAG_BOX,
  HL_LOCUS_DRAG_PAN
} HlLocusDrag;

struct _HlLocusView
{
  GtkWidget parent_instance;
  HlWorkbench *workbench;
  HlLocusPlot plot;
  HlLocusData data;
  char **readout_lines;
  gboolean log;
  HlLocusRange range;
  GArray *history, *future; /* HlLocusRange before each zoom; those that one came back from */
  gint64 scrolled_us;       /* when the wheel turned last */
  HlLocusDrag drag;
  HlSpot drag_from;
  HlAxis pan_x, pan_y;
  gboolean pan_along_x, pan_along_y;
  gboolean space_held;
  HlRect box; /* rubber band */
  HlSpot pointer;
  gboolean pointer_inside;
  cairo_surface_t *grid; /* as it was painted last, and what that depended on */
  double grid_look[HL_LOCUS_GRID_LOOK];
};

/* hl-locus-view.c: the picture as it is now, and its layout. */
HlLocusPlot *hl_locus_view_lay_out (HlLocusView *self, HlLocusLayout *layout);
void hl_locus_view_remember (HlLocusView *self);
void hl_locus_view_step (HlLocusView *self, gboolean back);
void hl_locus_view_keep_axes (HlLocusView *self, const HlLocusPlot *plot);

/* hl-locus-hover.c: what is under the pointer, into the picture; a point that is no pole is added
 * to data.poles, to be taken off again after painting. */
void hl_locus_view_mark_hovered (HlLocusView *self, HlLocusPlot *plot, const HlLocusLayout *layout);

/* hl-locus-view-pointer.c */
void hl_locus_view_add_controllers (HlLocusView *self);
void hl_locus_view_zoom_at (
    HlLocusView *self, HlSpot at, double factor, gboolean along_x, gboolean along_y);
