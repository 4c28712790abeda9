/* SPDX-License-Identifier: MIT */
/* The force-velocity map of an actuator as a polyline for drawing. */
#pragma once

#include "core/quasistatic/hl-quasi-gamma.h"

typedef struct {
  double v, f;       /* f may be infinite without relief valves */
  HlSegment segment; /* of the line from this point to the next one */
  bool regenerates;  /* va > 0 on that line */
} HlQuasiMapPoint;

enum {
  HL_QUASI_MAP_EXTRA = 32 /* break points and doubled points beyond the samples asked for */
};

/* Fills out[] with the map over [v_lo, v_hi]: v ascending, f never ascending. Vertical pieces are
 * two points of equal v. The samples are evenly spread; the break points between segments come on
 * top, from closed forms or, with regeneration, halved down to the last bit.
 *   n_samples  >= 2
 *   out        capacity n_samples + HL_QUASI_MAP_EXTRA
 *   n_points   written with what was filled
 * HL_BAD_MODEL with *reason (may be NULL) outside the model. */
typedef struct {
  double v_lo, v_hi; /* v_lo < v_hi */
  int n_samples;
} HlQuasiMapRange;
/* See above; allocates nothing. */
HlStatus hl_quasi_map_sample (const HlActuator *actuator, const HlPump *pump, HlQuasiMapRange range,
                              HlQuasiMapPoint out[], int *n_points, HlQuasiReason *reason);
