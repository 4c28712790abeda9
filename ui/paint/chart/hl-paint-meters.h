/* SPDX-License-Identifier: MIT */
/* Pressures as bars on one scale, one below the other: name, bar, number. Where the oil boils and
 * where the pressure is too high stand as marks over all bars. A bar beyond a mark is told by its
 * hatching and by a sign before its number, not by its colour alone. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

typedef enum {
  HL_METER_USUAL,
  HL_METER_VAPOUR, /* below the lower mark */
  HL_METER_OVER    /* above the upper one */
} HlMeterState;

typedef struct {
  char *name;
  double value; /* in the shown unit; NAN: unknown */
  HlMeterState state;
} HlMeter;

/* All numbers in the shown unit. */
typedef struct {
  HlMeter *meters;
  int n;
  double end;          /* of the scale, which begins at 0 */
  double low, high;    /* the marks; INFINITY: no such mark */
  const char *unit;    /* borrowed */
  const char *low_key; /* what the marks are: "vapour", "limit"; borrowed */
  const char *high_key;
} HlMeterPicture;

/* What it takes to show all of them [px]. */
double hl_meters_height (int n, const HlStyle *style);
/* Where the whole way of a meter is, filled or not. */
HlRect hl_meters_track (cairo_t *cr, const HlMeterPicture *picture, HlRect area, const HlStyle *style,
                        int index);
void hl_meters_paint (cairo_t *cr, const HlMeterPicture *picture, HlRect area, const HlStyle *style);
