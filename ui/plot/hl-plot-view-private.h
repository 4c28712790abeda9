/* SPDX-License-Identifier: MIT */
/* Private parts of a plot panel, in two files: content, visible ranges, positions, clicks and keys
 * (hl-plot-view.c); menu and its actions (hl-plot-view-menu.c). */
#pragma once

#include "ui/plot/hl-plot-view.h"

/* State that a cancelled drag of a cursor restores. */
typedef struct {
  double time, a, b;
  gboolean measuring;
} HlPlotBefore;

struct _HlPlotView {
  HlChart parent_instance;
  HlWorkbench *workbench;
  HlPlotScene *scene;
  int index; /* among the panels of the model */
  GtkWidget *button, *popover;
  GSimpleActionGroup *actions;
  gboolean dropping;   /* something droppable is held above */
  double strip;        /* [s]; 0: all of the run */
  gboolean right_room; /* a plot above or below has a right axis */
  gboolean time_below; /* a plot below has the same time axis */
  gboolean show_linear, show_before;
  /* of time, in the plots over time beside this one: what a spectrum is made of; NAN: all */
  double seen_from, seen_to;
  guint late_id;
  GArray *ghosts; /* HlPlotGhost of the last picture */
  GPtrArray *ghost_names;
  HlPlotBefore before;
  double time_before_click;
  HlPlotCursor cursors[3]; /* of the last picture on the screen: time, A, B */
  HlPlotPoint hover;       /* its series alone while the pointer is in the legend */
  gboolean hover_on_curve;
  GArray *tips; /* HlPlotPoint of the data tips, in the last picture */
};

/* Returns the picture and its layout on the screen, with its cursors. */
HlPlot *hl_plot_view_lay_out (HlPlotView *self, HlStyle *style, HlPlotLayout *layout);

/* hl-plot-view-menu.c */
#define HL_PLOT_BUTTON_PX 22
void hl_plot_view_update_actions (HlPlotView *self);
gboolean hl_plot_view_wants_traces (HlPlotView *self); /* it has none: a click chooses some */

void hl_plot_view_add_menu (HlPlotView *self);
void hl_plot_view_place_button (HlPlotView *self);
void hl_plot_view_drop_children (HlPlotView *self);
