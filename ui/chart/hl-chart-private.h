/* SPDX-License-Identifier: MIT */
/* The inside of a chart, split over four files: what it is, and its keys (hl-chart.c), the ranges in view
 * (hl-chart-range.c), what the pointer does (hl-chart-pointer.c), and what is
 * pinned to its curves (hl-chart-tip.c). */
#pragma once

#include "ui/chart/hl-chart.h"
#include "ui/widget/hl-pixels.h"

#define HL_CHART_WHEEL_STEP 1.2

typedef struct {
  HlChartRange of[HL_CHART_N_AXES];
} HlChartRanges;

typedef enum {
  HL_CHART_DRAG_NOTHING,
  HL_CHART_DRAG_PRESS, /* stays, and is a click, or is nothing */
  HL_CHART_DRAG_CURSOR,
  HL_CHART_DRAG_BOX,
  HL_CHART_DRAG_AXIS, /* not decided yet: a pan along it or a box */
  HL_CHART_DRAG_PAN,
  HL_CHART_DRAG_TIP
} HlChartDrag;

typedef struct {
  HlPixels *pixels; /* from the first frame on */
  int turn;
  HlChartRanges ranges;
  GArray *history; /* HlChartRanges before each zoom */
  GArray *future;  /* those that one came back from */
  gint64 run_us;   /* when wheel or keys last changed ranges */

  GtkGesture *drag_gesture; /* borrowed */
  HlChartDrag drag;
  HlChartRanges before; /* the drag */
  HlChartAxes pan;      /* as the drag began */
  HlChartAlong along;   /* of a pan */
  int cursor;           /* that is dragged */
  HlSpot drag_from;
  HlRect box; /* rubber band, device */
  gboolean is_double_click;
  HlSpot pointer;
  gboolean pointer_inside;
  gboolean space_held;

  GArray *tips;      /* HlChartTip */
  int tip;           /* the selected one, -1 = none */
  double tip_before; /* it was dragged */
  HlSpot menu_spot;  /* where a menu was opened with the pointer */
  gboolean has_menu_spot;
  GtkWidget *menu; /* of its own; NULL until it was opened */
} HlChartPrivate;

HlChartPrivate *hl_chart_private (HlChart *self);

/* Frame and axes; FALSE: there is nothing to zoom. */
gboolean hl_chart_lay_out (HlChart *self, HlChartAxes *axes);
HlChartPart hl_chart_hit (HlChart *self, HlSpot at, int *index);

/* hl-chart-range.c */
void hl_chart_init_ranges (HlChart *self);
void hl_chart_clear_ranges (HlChart *self);
void hl_chart_remember_run (HlChart *self); /* one step for a run of wheel clicks or keys */
/* Makes the axes the chosen ranges. */
void hl_chart_keep_axes (HlChart *self, const HlChartAxes *axes, HlChartAlong along);
/* Back to ranges from before the last step, which is forgotten. */
void hl_chart_take_back (HlChart *self, const HlChartRanges *ranges);
/* Those axes are fitted again, the others stay. */
void hl_chart_fit_along (HlChart *self, HlChartAlong along);
void hl_chart_zoom (HlChart *self, double factor, HlChartAlong along); /* at the pointer */
void hl_chart_pan (HlChart *self, double right, double up);            /* parts of what is seen */

/* hl-chart-pointer.c */
void hl_chart_add_pointer (HlChart *self);
/* The drag that is going on leaves no trace; FALSE: there is none. */
gboolean hl_chart_give_up_drag (HlChart *self);

/* hl-chart-tip.c */
void hl_chart_init_tips (HlChart *self);
void hl_chart_clear_tips (HlChart *self);
void hl_chart_install_tip_actions (GtkWidgetClass *klass);
int hl_chart_tip_at (HlChart *self, HlSpot at); /* -1 = none */
void hl_chart_select_tip (HlChart *self, int index);
void hl_chart_begin_tip (HlChart *self, int index);
void hl_chart_drag_tip (HlChart *self, HlSpot to);
void hl_chart_put_tip_back (HlChart *self);
gboolean hl_chart_tip_key (HlChart *self, guint keyval, gboolean shift);
