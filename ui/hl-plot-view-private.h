/* SPDX-License-Identifier: MIT */
/* The inside of a plot panel, split over two files: what is shown (hl-plot-view.c) and what pointer
 * and keys do to it (hl-plot-view-pointer.c). */
#pragma once

#include "ui/hl-plot-view.h"

#define HL_PLOT_WHEEL_STEP 1.2

typedef struct
{
  double min, max; /* shown units; NAN = fitted */
} HlPlotRange;

typedef struct
{
  HlPlotRange x, left, right;
} HlPlotRanges;

typedef enum
{
  HL_PLOT_DRAG_NOTHING,
  HL_PLOT_DRAG_CURSOR,
  HL_PLOT_DRAG_BOX,
  HL_PLOT_DRAG_PAN
} HlPlotDrag;

struct _HlPlotView
{
  GtkWidget parent_instance;
  HlWorkbench *workbench;
  HlPlotScene *scene;
  gboolean show_linear;
  HlPlotRanges ranges;
  GArray *history; /* HlPlotRanges before each zoom */
  GArray *ghosts;  /* HlPlotGhost of the last picture */
  GPtrArray *ghost_names;
  HlPlotDrag drag;
  HlSpot drag_from;
  HlRect box; /* rubber band, device */
  HlAxis pan_x, pan_left, pan_right;
  HlSpot pointer;
  gboolean pointer_inside;
  gboolean space_held;
  int hovered;
};

/* Picture and its layout on the screen, as the last frame had them. */
HlPlot *hl_plot_view_lay_out (HlPlotView *self, HlStyle *style, HlPlotLayout *layout);
void hl_plot_view_remember (HlPlotView *self); /* ranges, before they change */
void hl_plot_view_step_back (HlPlotView *self);
/* Makes the plot's axes the chosen ranges. */
void hl_plot_view_keep_axes (HlPlotView *self, const HlPlot *plot, gboolean x, gboolean y);
void hl_plot_view_zoom_at (HlPlotView *self, HlSpot at, double factor, gboolean x, gboolean y);
void hl_plot_view_add_controllers (HlPlotView *self);
