/* SPDX-License-Identifier: MIT */
/* A plot as plain data, its painter and its hit tests. All strings and arrays are borrowed for the call. */
#pragma once

#include "core/run/hl-plot-decimation.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

/* One curve. Shown value = stored value * factor + offset; factor 0 counts as 1. */
typedef struct {
  HlSamples samples;
  double x_factor, x_offset;
  double y_factor, y_offset;
  const char *label;
  const char *name;   /* text next to a position; NULL: the label, or that of its axis */
  const char *legend; /* text in the legend in place of the label; NULL = the label */
  HlColor color;
  HlColor legend_color; /* of its entry, where that stands for more than this curve; transparent:
                           as the curve */
  HlDash dash;
  double width;       /* [px], 0 = style's trace_width */
  gboolean hidden;    /* stays in the legend, pale */
  gboolean quiet;     /* left out of read-outs */
  gboolean may_leave; /* the axes are fitted to the other series only, where there are any */
  gboolean dots;      /* measured: a dot a sample while there is room for them */
  gboolean right_axis;
  gboolean unsorted; /* x does not rise (phase plot, locus): drawn as a polyline in order of the rows */
} HlPlotSeries;

typedef struct {
  const char *label; /* "φ₂"; NULL = none */
  const char *unit;  /* shown unit, "°"; the painter adds the power of ten */
  HlAxis axis;
  double quiet;     /* values below that are rounded zeros: fitted like zero. 0 = none are */
  const char *note; /* before the title of an x axis; NULL = none */
} HlPlotAxis;

/* A vertical line at x with the values of the curves beside it. */
typedef struct {
  double x;
  gboolean read_out; /* with the value of every visible series, in the legend or a box */
  const char *label; /* "A", at its upper end; NULL = none */
} HlPlotCursor;

/* A place on a curve, in shown units. */
typedef struct {
  double x, y;
  gboolean right_axis;
  HlColor color;
} HlPlotMark;

/* One of a row of bars from zero to its value, on the left axis. */
typedef struct {
  const char *label;
  double value;
  HlColor color;
} HlPlotBar;

/* A place on a curve, on a sample or between two of them. */
typedef struct {
  int series; /* -1: none */
  int row;
  double fraction; /* of the way to row + 1 */
  double x, y;     /* shown units */
  double time;     /* [s] of a phase plot; NAN otherwise */
} HlPlotPoint;

typedef struct {
  const char *title;      /* bold, above the frame; NULL = title of the left axis */
  const char *empty_text; /* shown in the middle when no series has a sample; may be NULL */
  const char *away_text;  /* shown there when no curve comes into the ranges; NULL = none */
  HlPlotAxis x, left, right;
  const HlPlotSeries *series;
  int n_series;
  gboolean hide_legend;
  gboolean hide_x_labels;      /* stacked plots that share the x axis below */
  const HlPlotCursor *cursors; /* first the time cursor; two more for measuring */
  int n_cursors;
  const HlPlotMark *marks;
  int n_marks;
  const HlPlotBar *bars; /* instead of series; there is no x axis then */
  int n_bars;
  const double *events; /* x of signal corners, thin verticals */
  int n_events;
  int hovered_series;       /* drawn wider; -1 = none */
  const HlPlotPoint *hover; /* its values are shown beside it; NULL = none */
  const HlPlotPoint *tips;  /* the same, pinned by a person; series -1: not to be seen now */
  int n_tips, selected_tip; /* -1 = none */
  HlRect rubber_band;       /* device px; width 0 and height 0 = none */
  double frame_left;        /* requested distance from area to frame [px], 0 = as needed; so that stacked
                        plots line up */
  double frame_right;
} HlPlot;

#define HL_PLOT_MAX_LEGEND 64

typedef enum {
  HL_PLOT_NOWHERE,
  HL_PLOT_FRAME,
  HL_PLOT_X_AXIS,
  HL_PLOT_LEFT_AXIS,
  HL_PLOT_RIGHT_AXIS,
  HL_PLOT_LEGEND,
  HL_PLOT_CURSOR
} HlPlotPart;

/* Positions of all parts; the same function serves painter and pointer. */
typedef struct {
  HlRect area;
  HlRect frame; /* the data rectangle, whole pixels */
  HlRect legend[HL_PLOT_MAX_LEGEND];
  int legend_series[HL_PLOT_MAX_LEGEND];
  int n_legend;
  int n_more;          /* entries without room */
  HlSpot more;         /* right end of their number */
  gboolean has_values; /* entries have room for the values at the time cursor */
  double name_px;      /* longer names in the legend are cut short in their middle; 0 = none is */
  gboolean has_right;
  char left_title[128], right_title[128];
  double left_taken, right_taken; /* of the first row by titles [px] */
  HlTicks x_ticks, left_ticks, right_ticks;
} HlPlotLayout;

/* Returns an empty plot with linear axes 0..1. */
HlPlot hl_plot_make (void);

/* Sets axis ranges from the visible series: x, or the y axes over the present x range. No data
 * leaves the range. */
void hl_plot_fit_x (HlPlot *plot);
void hl_plot_fit_y (HlPlot *plot);

/* Returns whether a series that may leave does so, within the range of x. */
gboolean hl_plot_leaves (const HlPlot *plot, int series);

/* Returns whether there are curves, but none in the ranges of the axes. */
gboolean hl_plot_is_away (const HlPlot *plot);

/* Lays out the plot; cr is used for measuring text only (any surface will do). */
void hl_plot_layout (cairo_t *cr, const HlPlot *plot, HlRect area, const HlStyle *style,
                     HlPlotLayout *layout);

void hl_paint_plot (cairo_t *cr, const HlPlot *plot, HlRect area, const HlStyle *style);

/* Returns the part under a device point; *index is the series of the legend entry, or the cursor. */
HlPlotPart hl_plot_hit (const HlPlotLayout *layout, const HlPlot *plot, HlSpot point, int *index);
/* Finds the nearest place of a visible curve within reach px of the point; FALSE = none. */
gboolean hl_plot_point_at (const HlPlotLayout *layout, const HlPlot *plot, HlSpot spot, double reach_px,
                           HlPlotPoint *out);

/* Returns the parameter of a place on a curve, which finds it again on the curve of another run: what is
 * stored of x, of a phase plot the time [s]. */
double hl_plot_point_where (const HlPlot *plot, const HlPlotPoint *point);
/* Finds the place of a series with that parameter; FALSE: the series does not include it. */
gboolean hl_plot_point_on (const HlPlot *plot, int series, double where, HlPlotPoint *out);
/* Finds the place of one series for a drag to a device point: above or below it, of a phase plot the nearest.
 * FALSE = none. */
gboolean hl_plot_point_along (const HlPlotLayout *layout, const HlPlot *plot, int series, HlSpot spot,
                              HlPlotPoint *out);

/* Returns the values at a device point and back (left axis unless right). */
double hl_plot_x_at (const HlPlotLayout *layout, const HlPlot *plot, double device_x);
double hl_plot_device_x (const HlPlotLayout *layout, const HlPlot *plot, double x);
double hl_plot_device_y (const HlPlotLayout *layout, const HlPlot *plot, double y, gboolean right);

/* Returns the value of a sorted series at x (shown units), linear between samples; NAN outside its range or
 * in a gap. */
double hl_plot_series_value (const HlPlotSeries *series, double x);

/* The values at the time cursor: behind their names in the legend, so that they hide no curve. */

#define HL_PLOT_X_FINER 2 /* digits of a read-out beyond those of the axis */
#define HL_PLOT_Y_FINER 3

/* Appends "φ₂ = −0.424·10⁻³ °": in the axis's own unit, some digits finer than its labels; label NULL: the
 * value alone. */
void hl_plot_append_value (GString *text, const char *label, double value, const char *unit,
                           const HlTicks *ticks, int finer);

/* Returns the cursor whose values the legend has room for: the first, the time cursor; NULL = none. */
const HlPlotCursor *hl_plot_value_cursor (const HlPlot *plot);

/* Writes " = 2.8205" of a series at x [shown unit], in the unit of its axis, which is in the title; "" if it
 * has no value there or is left out of read-outs. At most size bytes with the final 0. */
void hl_plot_value_text (const HlPlot *plot, const HlPlotLayout *layout, int series, double x, char *out,
                         gsize size);

/* The bars of a plot: from zero to their values on the left axis, each with its value at its end
 * and its name below the frame. */

/* Returns the box of bar `index`, clipped to the frame. */
HlRect hl_plot_bar_box (const HlPlot *plot, const HlPlotLayout *layout, int index);
