/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-snap.h"

#include <math.h>

double hl_snap_to_grid (double value, double grid) {
  return grid > 0.0 ? grid * round (value / grid) + 0.0 : value; /* never -0 */
}

HlSnap hl_snap_spot (const HlSnapField *field, HlSpot at) {
  HlSnap snap = {at, -1, -1};
  double best_x = field->reach, best_y = field->reach;

  if (field->off)
    return snap;
  snap.at = (HlSpot){hl_snap_to_grid (at.x, field->grid), hl_snap_to_grid (at.y, field->grid)};
  for (int i = 0; i < field->n_others; i++) {
    double dx = fabs (field->others[i].x - at.x), dy = fabs (field->others[i].y - at.y);
    if (dx < best_x) {
      best_x = dx;
      snap.above = i;
    }
    if (dy < best_y) {
      best_y = dy;
      snap.beside = i;
    }
  }
  if (snap.above >= 0)
    snap.at.x = field->others[snap.above].x;
  if (snap.beside >= 0)
    snap.at.y = field->others[snap.beside].y;
  return snap;
}
