/* SPDX-License-Identifier: MIT */
/* Axes and frames. HlAxis: conversion between value and position, round ticks with the fewest digits, and the
 * power of ten in the title. */
#pragma once

#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

#include <glib.h>

typedef enum {
  HL_SCALE_LINEAR,
  HL_SCALE_LOG,       /* range must be positive */
  HL_SCALE_SIGNED_LOG /* linear within +-linear_within, decades outside; 0 and both signs on one
                         axis */
} HlScale;

typedef struct {
  HlScale scale;
  double min, max;      /* range in the shown unit, min < max */
  double linear_within; /* signed log only, > 0 */
  gboolean in_degrees;  /* of a linear axis: ticks at parts of a turn, 45 and 90 degrees */
} HlAxis;

/* Returns the place of a value as a fraction of the axis, 0 at min, 1 at max (outside beyond); and back. */
double hl_axis_fraction (const HlAxis *axis, double value);
double hl_axis_value (const HlAxis *axis, double fraction);

/* The same for many values: of a signed logarithm the ends cost as much as the value. */
typedef struct {
  HlAxis axis;
  double low, span; /* in the scale's own coordinate */
} HlAxisMap;

HlAxisMap hl_axis_map (const HlAxis *axis);
double hl_axis_warp (const HlAxis *axis, double value); /* in the scale's own coordinate */

/* Returns the fraction of a value, as hl_axis_fraction (). */
static inline double hl_axis_map_fraction (const HlAxisMap *map, double value) {
  double warped = map->axis.scale == HL_SCALE_LINEAR ? value : hl_axis_warp (&map->axis, value);
  return (warped - map->low) / map->span;
}

/* Zooms by factor (> 1 nearer) about the value at that fraction; pans by a fraction of the length.
 */
void hl_axis_zoom (HlAxis *axis, double fraction, double factor);
void hl_axis_pan (HlAxis *axis, double fraction);

/* Widens [min, max] to a range worth showing: never empty, a margin on both sides (5 % of the
 * length). */
void hl_axis_fit (HlAxis *axis, double min, double max);

/* Returns, for a signed-log axis, a linear_within that keeps the smallest nonzero magnitude of the values
 * apart from zero. */
double hl_axis_choose_linear_within (const double values[], int n);

#define HL_AXIS_MAX_TICKS 64

typedef struct {
  double value;    /* in the shown unit, before the power of ten */
  double fraction; /* 0..1 */
  gboolean major;  /* major ticks have a label */
  char label[24];  /* value without offset, divided by 10^exponent; U+2212 as minus sign */
} HlTick;

typedef struct {
  int n;
  HlTick tick[HL_AXIS_MAX_TICKS];
  double step;   /* of the major ticks; 0 on log scales */
  int exponent;  /* power of ten taken out of the labels, multiple of 3 */
  double offset; /* value taken off the labels, when they would need more than six digits */
} HlTicks;

/* Computes round ticks (1-2-5 steps, decades on log scales). length and label_size, the room of a label along
 * the axis, in px. With fewer than two labels they are given less room. */
void hl_axis_ticks (const HlAxis *axis, double length, double label_size, HlTicks *ticks);

/* Axis title: "φ₂ [10⁻³ °]", "p [kPa]" (a prefix where the unit takes one), "φ₂ − 59.9 [10⁻³ °]".
 * unit "1" or "" is left out. Writes at most size bytes with the final 0. */
void hl_axis_title (const char *label, const char *unit, const HlTicks *ticks, char *out, gsize size);

/* Writes the unit of the displayed values, with the power of ten: "10⁻³ °", "kPa"; "" when there is none. */
void hl_axis_unit (const char *unit, const HlTicks *ticks, char *out, gsize size);

/* Formats a value like the tick labels of its axis (power of ten taken out, offset left in), `finer` decimals
 * finer than the labels; on log scales with 3 + finer significant digits. */
void hl_axis_format_on (double value, const HlTicks *ticks, int finer, char *out, gsize size);

/* Formats a number for people, as hl_number_format (). */
void hl_axis_format (double value, int digits, char *out, gsize size);

/* The data rectangle of a plot: grid, tick labels, edge. Shared by time plots and the eigenvalue
 * plane. */

/* Returns the pitch of tick labels along their axis, as the next function the width across it. */
double hl_frame_label_pitch_x (const HlStyle *style);
double hl_frame_label_pitch_y (const HlStyle *style);
double hl_frame_widest_label (cairo_t *cr, const HlTicks *ticks, const HlStyle *style);

void hl_frame_paint_grid_x (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style);
void hl_frame_paint_grid_y (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style);

/* Paints labels below the frame; those that would touch one of the boxes from left to right are left out, for
 * a title there. */
void hl_frame_paint_labels_x (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlRect free[],
                              int n_free, const HlStyle *style);
void hl_frame_paint_labels_y (cairo_t *cr, HlRect frame, const HlTicks *ticks, gboolean right,
                              const HlStyle *style);

/* Paints a thin line round the frame. */
void hl_frame_paint_edge (cairo_t *cr, HlRect frame, const HlStyle *style);

/* Paints a box-zoom rectangle; nothing when it is empty. */
void hl_frame_paint_rubber_band (cairo_t *cr, HlRect band, const HlStyle *style);

/* Returns a read-out: several lines of text on a panel, the first one bold. Its size (x = y = 0), its place
 * beside a point inside bounds, and the panel itself. */
HlRect hl_frame_read_out_size (cairo_t *cr, const char *text, const HlStyle *style);
HlRect hl_frame_read_out_beside (HlRect bounds, HlSpot at, HlRect size, const HlStyle *style);
void hl_frame_paint_read_out (cairo_t *cr, HlRect box, const char *text, const HlStyle *style);
