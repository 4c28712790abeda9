/* SPDX-License-Identifier: MIT */
/* Paints a stability map: two parameters, colour by the largest real part or the least damping ratio with a
 * key, the boundary, and the present values of the model. */
#pragma once

#include "core/linear/hl-stability-map.h"
#include "core/base/hl-unit.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef struct {
  const HlStabilityMap *map;     /* NULL: none yet */
  const HlUnit *x_unit, *y_unit; /* shown in */
  const char *x_label, *y_label;
  gboolean x_log, y_log;
  gboolean by_damping;               /* the least damping ratio instead of the largest real part */
  double x_from, x_to, y_from, y_to; /* SI */
  double x_now, y_now;               /* SI; NAN = nothing to mark */
} HlMapPicture;

HlRect hl_map_frame (HlRect area, const HlStyle *style);
void hl_paint_map (cairo_t *cr, const HlMapPicture *picture, HlRect area, const HlStyle *style);
/* Parameters (SI) under a point; FALSE outside the frame. */
gboolean hl_map_value (const HlMapPicture *picture, HlRect area, const HlStyle *style, HlSpot at, double *x,
                       double *y);
/* Returns the index of the nearest grid point in rising values. */
int hl_map_nearest (const double values[], int n, double value);
