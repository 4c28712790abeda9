/* SPDX-License-Identifier: MIT */
/* Distance from a point to a symbol's outline: curves are flattened, filled parts count as filled.
 */
#include "ui/paint/circuit/hl-shape.h"

#include <math.h>

/* Distance to one stroke with its curves flattened; with even-odd crossings counted for "inside".
 */
typedef struct {
  HlSpot point;
  double distance;
  gboolean inside;
} Probe;

static void probe_segment (Probe *probe, HlSpot a, HlSpot b) {
  HlSpot p = probe->point;

  probe->distance = fmin (probe->distance, hl_point_segment_distance (p, a, b));
  if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y))
    probe->inside = !probe->inside;
}

static HlSpot curve_point (HlSpot a, const HlSpot p[3], double t) {
  double s = 1.0 - t;
  double b0 = s * s * s;
  double b1 = 3.0 * s * s * t;
  double b2 = 3.0 * s * t * t;
  double b3 = t * t * t;

  return (HlSpot){b0 * a.x + b1 * p[0].x + b2 * p[1].x + b3 * p[2].x,
                  b0 * a.y + b1 * p[0].y + b2 * p[1].y + b3 * p[2].y};
}

static double stroke_distance (const HlShapePath *path, const HlPathStroke *s, HlSpot point) {
  Probe probe = {point, INFINITY, FALSE};
  HlSpot start = {0.0, 0.0};
  HlSpot last = {0.0, 0.0};
  gboolean filled =
      s->pen == HL_PEN_BODY || s->pen == HL_PEN_SOLID || s->pen == HL_PEN_PISTON || s->pen == HL_PEN_ACTIVE;

  for (int i = s->first; i < s->first + s->n; i++) {
    const HlPathSegment *segment = &path->segment[i];
    HlSpot end = segment->op == HL_PATH_CURVE   ? segment->p[2]
                 : segment->op == HL_PATH_CLOSE ? start
                                                : segment->p[0];
    if (segment->op == HL_PATH_MOVE)
      start = end;
    else if (segment->op == HL_PATH_CURVE) {
      HlSpot from = last;
      for (int k = 1; k <= 8; k++) {
        HlSpot to = curve_point (last, segment->p, k / 8.0);
        probe_segment (&probe, from, to);
        from = to;
      }
    } else
      probe_segment (&probe, last, end);
    last = end;
  }
  return filled && probe.inside ? 0.0 : probe.distance;
}

double hl_shape_distance (HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                          HlSpot point) {
  HlShapePath path;
  HlSpot own = hl_placement_undo (place, point);
  double best = INFINITY;

  hl_shape_build (kind, state, &path);
  for (int s = 0; s < path.n_strokes; s++)
    best = fmin (best, stroke_distance (&path, &path.stroke[s], own));
  return best;
}

gboolean hl_shape_contains (HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                            HlSpot point, double reach) {
  if (!hl_rect_contains (hl_rect_grow (hl_shape_placed_box (kind, place), reach + 1.3), point))
    return FALSE;
  return hl_shape_distance (kind, state, place, point) <= reach;
}
