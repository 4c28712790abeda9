/* SPDX-License-Identifier: MIT */
/* The inside of a chart, in two files: what it is, its keys, the ranges in view and what the pointer does
 * (hl-chart.c), and what is pinned to its curves (hl-chart-tip.c). */
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
