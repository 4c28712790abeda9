/* SPDX-License-Identifier: MIT */
/* Greedy label placement: candidates come in order of preference and the first free one is taken.
 */
#include "ui/paint/hl-label.h"

#include <math.h>

void
hl_label_space_init (HlLabelSpace *space, HlRect bounds)
{
  space->bounds = bounds;
  space->rects = g_array_new (FALSE, FALSE, sizeof (HlRect));
  space->segments = g_array_new (FALSE, FALSE, sizeof (HlLabelSegment));
}

void
hl_label_space_clear (HlLabelSpace *space)
{
  g_array_unref (space->rects);
  g_array_unref (space->segments);
}

void
hl_label_space_take_rect (HlLabelSpace *space, HlRect rect)
{
  g_array_append_val (space->rects, rect);
}

void
hl_label_space_take_segment (HlLabelSpace *space, HlSpot a, HlSpot b, double half_width)
{
  HlRect box = {MIN (a.x, b.x), MIN (a.y, b.y), fabs (b.x - a.x), fabs (b.y - a.y)};
  HlLabelSegment segment = {a, b, half_width, hl_rect_grow (box, half_width)};
  g_array_append_val (space->segments, segment);
}

static double
overlap_area (HlRect a, HlRect b)
{
  double width = MIN (a.x + a.width, b.x + b.width) - MAX (a.x, b.x);
  double height = MIN (a.y + a.height, b.y + b.height) - MAX (a.y, b.y);

  return width > 0.0 && height > 0.0 ? width * height : 0.0;
}

static gboolean
is_apart (const HlRect *a, const HlRect *b)
{
  return a->x > b->x + b->width || b->x > a->x + a->width || a->y > b->y + b->height ||
         b->y > a->y + a->height;
}

/* The cost, or something not below the limit when it is not below it. */
static double
cost_up_to (const HlLabelSpace *space, HlRect rect, double limit)
{
  double area = rect.width * rect.height;
  double cost = 0.0;

  if (space->bounds.width > 0.0)
    cost += 20.0 * (area - overlap_area (rect, space->bounds));
  for (guint i = 0; i < space->rects->len && cost < limit; i++)
    cost += overlap_area (rect, g_array_index (space->rects, HlRect, i));
  for (guint i = 0; i < space->segments->len && cost < limit; i++) {
    const HlLabelSegment *segment = &g_array_index (space->segments, HlLabelSegment, i);
    if (!is_apart (&rect, &segment->box) &&
        hl_rect_meets_segment (hl_rect_grow (rect, segment->half_width), segment->a, segment->b))
      cost += 0.5 * area;
  }
  return cost;
}

double
hl_label_space_cost (const HlLabelSpace *space, HlRect rect)
{
  return cost_up_to (space, rect, INFINITY);
}

int
hl_label_space_choose (const HlLabelSpace *space, const HlRect candidates[], int n)
{
  int best = 0;
  double best_cost = INFINITY;

  for (int i = 0; i < n; i++) {
    double cost = cost_up_to (space, candidates[i], best_cost);
    if (cost < best_cost) {
      best = i;
      best_cost = cost;
    }
    if (cost < 1e-6)
      break;
  }
  return best;
}

int
hl_label_ring (HlSpot at, double width, double height, double distance, int n_rings, HlRect out[])
{
  static const HlSpot sides[8] = {{1, 0},      {0, -1},    {-1, 0},      {0, 1},
                                  {0.7, -0.7}, {0.7, 0.7}, {-0.7, -0.7}, {-0.7, 0.7}};
  int n = 0;

  for (int ring = 0; ring < n_rings; ring++)
    for (int side = 0; side < 8; side++) {
      double d = distance * (1.0 + 0.8 * ring);
      double x = at.x + sides[side].x * d;
      double y = at.y + sides[side].y * d;
      double align_x = sides[side].x > 0.0 ? 0.0 : sides[side].x < 0.0 ? 1.0 : 0.5;
      double align_y = sides[side].y > 0.0 ? 0.0 : sides[side].y < 0.0 ? 1.0 : 0.5;
      out[n++] = (HlRect){x - align_x * width, y - align_y * height, width, height};
    }
  return n;
}
