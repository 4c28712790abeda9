/* SPDX-License-Identifier: MIT */
/* Paints the recorded input of an interactive run as a track: a row for each path, with a mark at each change
 * and the level between marks. */
#pragma once

#include "ui/paint/base/hl-view-transform.h"
#include "ui/paint/base/hl-drawing-style.h"

typedef struct {
  double t;
  double height; /* 0..1 within its lane */
  int lane;
} HlTapeMark;

typedef struct {
  const char *const *lanes; /* n_lanes names, borrowed */
  int n_lanes;
  const HlTapeMark *marks; /* n_marks in the order of their times, borrowed */
  int n_marks;
  int selected;       /* mark; -1: none */
  double from, to;    /* time in view [s] */
  double end;         /* of the tape [s] */
  double cursor;      /* [s]; NAN: none */
  double left, right; /* of the time axis [px] */
} HlTapePicture;

#define HL_TAPE_LANE_PX 20.0

/* Returns the time at a place on the axis [s]. */
double hl_tape_picture_time (const HlTapePicture *picture, double x);
/* Returns the place of a mark [px]. */
HlSpot hl_tape_picture_spot (const HlTapePicture *picture, int mark);
/* Returns the mark at a point, within a few px; -1: none. */
int hl_tape_picture_find (const HlTapePicture *picture, HlSpot at);
void hl_paint_tape (cairo_t *cr, const HlTapePicture *picture, const HlStyle *style);
