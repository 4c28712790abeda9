/* SPDX-License-Identifier: MIT */
/* The inside of a plot panel, split over five files: what is shown (hl-plot-view.c), the ranges in
 * view (hl-plot-view-range.c), what pointer and keys do to them (hl-plot-view-pointer.c,
 * hl-plot-view-keys.c), and its menu (hl-plot-view-menu.c). */
#pragma once

#include "ui/hl-plot-view.h"

#define HL_PLOT_WHEEL_STEP 1.2

/* What a zoom or pan takes along. */
typedef enum
{
  HL_PLOT_ALONG_X = 1 << 0,
  HL_PLOT_ALONG_LEFT = 1 << 1,
  HL_PLOT_ALONG_RIGHT = 1 << 2,
  HL_PLOT_ALONG_Y = HL_PLOT_ALONG_LEFT | HL_PLOT_ALONG_RIGHT,
  HL_PLOT_ALONG_ALL = HL_PLOT_ALONG_X | HL_PLOT_ALONG_Y
} HlPlotAlong;

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
  HL_PLOT_DRAG_AXIS, /* not decided yet: a pan along it or a box */
  HL_PLOT_DRAG_PAN
} HlPlotDrag;

/* What a drag that is given up puts back. */
typedef struct
{
  HlPlotRanges ranges;
  double time, a, b;
  gboolean measuring;
} HlPlotBefore;

struct _HlPlotView
{
  GtkWidget parent_instance;
  HlWorkbench *workbench;
  HlPlotScene *scene;
  int index; /* among the panels of the model */
  GtkWidget *button, *popover;
  GSimpleActionGroup *actions;
  gboolean dropping;   /* something droppable is held above */
  double strip;        /* [s]; 0: all of the run */
  gboolean right_room; /* a plot above or below has a right axis */
  gint64 run_us;       /* when wheel or keys last changed ranges */
  gboolean show_linear;
  HlPlotRanges ranges;
  HlPlotRange
      seen; /* of time, in the plots over time beside this one: what a spectrum is made of */
  guint late_id;
  GArray *history; /* HlPlotRanges before each zoom */
  GArray *future;  /* those that one came back from */
  GArray *ghosts;  /* HlPlotGhost of the last picture */
  GPtrArray *ghost_names;
  GtkGesture *drag_gesture; /* borrowed */
  HlPlotDrag drag;
  HlPlotBefore before;
  gboolean is_double_click;
  double time_before_click;
  int drag_cursor;         /* 0: time, 1: A, 2: B */
  HlPlotCursor cursors[3]; /* of the last picture on the screen */
  HlSpot drag_from;
  HlRect box; /* rubber band, device */
  HlAxis pan_x, pan_left, pan_right;
  HlPlotAlong pan_along;
  HlSpot pointer;
  gboolean pointer_inside;
  gboolean space_held;
  HlPlotPoint hover; /* its series alone while the pointer is in the legend */
  gboolean hover_on_curve;
};

/* Picture and its layout on the screen, with its cursors. */
HlPlot *hl_plot_view_lay_out (HlPlotView *self, HlStyle *style, HlPlotLayout *layout);

/* hl-plot-view-range.c */
void hl_plot_view_apply_ranges (HlPlotView *self, HlPlot *plot);
void hl_plot_view_forget_ranges (HlPlotView *self);
void hl_plot_view_remember (HlPlotView *self);     /* ranges, before they change */
void hl_plot_view_remember_run (HlPlotView *self); /* one step for a run of wheel clicks or keys */
void hl_plot_view_step_back (HlPlotView *self);
void hl_plot_view_step_forward (HlPlotView *self);
/* Makes the plot's axes the chosen ranges. */
void hl_plot_view_keep_axes (HlPlotView *self, const HlPlot *plot, HlPlotAlong along);
void hl_plot_view_zoom_at (HlPlotView *self, HlSpot at, double factor, HlPlotAlong along);

/* Back to ranges from before the last step, which is forgotten. */
void hl_plot_view_take_back (HlPlotView *self, const HlPlotRanges *ranges);
/* Those axes are fitted again, the others stay. */
void hl_plot_view_fit_along (HlPlotView *self, HlPlotAlong along);

void hl_plot_view_add_controllers (HlPlotView *self);
/* The drag that is going on leaves no trace; FALSE: there is none. */
gboolean hl_plot_view_give_up_drag (HlPlotView *self);

/* hl-plot-view-keys.c */
void hl_plot_view_add_keys (HlPlotView *self);

/* hl-plot-view-menu.c */
void hl_plot_view_add_menu (HlPlotView *self);
gboolean hl_plot_view_wants_traces (HlPlotView *self); /* it has none: a click chooses some */
void hl_plot_view_place_button (HlPlotView *self);
void hl_plot_view_drop_children (HlPlotView *self);
void hl_plot_view_update_actions (HlPlotView *self);
GMenu *hl_plot_view_menu (HlPlotView *self); /* owned by the caller */
