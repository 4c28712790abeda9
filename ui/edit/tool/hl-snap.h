/* SPDX-License-Identifier: MIT */
/* Where the pointer is taken to be: on a point nearby, in line with others, or on the grid. */
#pragma once

#include "ui/paint/base/hl-view.h"

typedef struct {
  double grid;          /* step; 0 = none */
  double reach;         /* how near is near */
  const HlSpot *others; /* points to be in line with, n_others; lent */
  int n_others;
  gboolean off; /* Alt: the pointer is where it is */
} HlSnapField;

typedef struct {
  HlSpot at;
  int above;  /* index of the point with the same x that `at` is in line with; -1 = none */
  int beside; /* the same for y */
} HlSnap;

/* Each axis by itself: in line with another point when one is within reach, else on the grid. */
HlSnap hl_snap_spot (const HlSnapField *field, HlSpot at);
double hl_snap_to_grid (double value, double grid); /* grid 0 leaves it */
