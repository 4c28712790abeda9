/* SPDX-License-Identifier: MIT */
/* Greedy label placement: candidates come in order of preference and the first free one is taken.
 */
#include "ui/paint/base/hl-label-placement.h"

#include <math.h>

#define CELL 64.0 /* [px]: what is taken is looked up by cells of this size */
#define MOST_CELLS 64

static void clear_cell (gpointer cell) {
  if (cell != NULL)
    g_array_unref (cell);
}

HlLabelPriority hl_label_priority (gboolean is_problem, gboolean is_selected, HlLabelPriority usual) {
  return is_problem ? HL_LABEL_PROBLEM : is_selected ? HL_LABEL_SELECTED : usual;
}

void hl_label_space_init (HlLabelSpace *space, HlRect bounds) {
  space->bounds = bounds;
  space->rects = g_array_new (FALSE, FALSE, sizeof (HlRect));
  space->segments = g_array_new (FALSE, FALSE, sizeof (HlLabelSegment));
  space->n_across = (int)CLAMP (bounds.width / CELL, 1, MOST_CELLS);
  space->n_down = (int)CLAMP (bounds.height / CELL, 1, MOST_CELLS);
  space->cells = g_ptr_array_new_with_free_func (clear_cell);
  g_ptr_array_set_size (space->cells, space->n_across * space->n_down);
}

void hl_label_space_clear (HlLabelSpace *space) {
  g_array_unref (space->rects);
  g_array_unref (space->segments);
  g_ptr_array_unref (space->cells);
}

/* Returns the cell of a coordinate; points outside the grid belong to the cells at its edge. */
static int cell_along (double at, double from, double size, int n) {
  double place = size > 0.0 ? (at - from) / size * n : 0.0;
  return place > 0.0 ? (int)MIN (place, n - 1) : 0; /* 0 for NAN */
}

typedef struct {
  int left, right, top, bottom;
} Cells;

static Cells cells_of (const HlLabelSpace *space, const HlRect *rect) {
  const HlRect *all = &space->bounds;

  return (Cells){cell_along (rect->x, all->x, all->width, space->n_across),
                 cell_along (rect->x + rect->width, all->x, all->width, space->n_across),
                 cell_along (rect->y, all->y, all->height, space->n_down),
                 cell_along (rect->y + rect->height, all->y, all->height, space->n_down)};
}

static void enter_rect (HlLabelSpace *space, const HlRect *rect, int entry) {
  Cells cells = cells_of (space, rect);

  for (int y = cells.top; y <= cells.bottom; y++)
    for (int x = cells.left; x <= cells.right; x++) {
      gpointer *cell = &space->cells->pdata[y * space->n_across + x];
      if (*cell == NULL)
        *cell = g_array_new (FALSE, FALSE, sizeof (int));
      g_array_append_val (*cell, entry);
    }
}

void hl_label_space_take_rect (HlLabelSpace *space, HlRect rect) {
  enter_rect (space, &rect, (int)space->rects->len);
  g_array_append_val (space->rects, rect);
}

void hl_label_space_take_segment (HlLabelSpace *space, HlSpot a, HlSpot b, double half_width) {
  HlRect box = {MIN (a.x, b.x), MIN (a.y, b.y), fabs (b.x - a.x), fabs (b.y - a.y)};
  HlLabelSegment segment = {a, b, half_width, hl_rect_grow (box, half_width)};

  enter_rect (space, &segment.box, -1 - (int)space->segments->len);
  g_array_append_val (space->segments, segment);
}

static double overlap_area (HlRect a, HlRect b) {
  double width = MIN (a.x + a.width, b.x + b.width) - MAX (a.x, b.x);
  double height = MIN (a.y + a.height, b.y + b.height) - MAX (a.y, b.y);

  return width > 0.0 && height > 0.0 ? width * height : 0.0;
}

static gboolean is_apart (const HlRect *a, const HlRect *b) {
  return a->x > b->x + b->width || b->x > a->x + a->width || a->y > b->y + b->height ||
         b->y > a->y + a->height;
}

/* Returns whether the rectangle lies on one side of the line through the segment: most do, and a division
 * less is what a crowd of them costs. */
static gboolean is_beside (const HlRect *rect, const HlLabelSegment *segment) {
  double dx = segment->b.x - segment->a.x, dy = segment->b.y - segment->a.y;
  double half_x = 0.5 * rect->width + segment->half_width;
  double half_y = 0.5 * rect->height + segment->half_width;
  double x = rect->x + 0.5 * rect->width - segment->a.x;
  double y = rect->y + 0.5 * rect->height - segment->a.y;
  double reach = half_x * fabs (dy) + half_y * fabs (dx);

  return fabs (x * dy - y * dx) > reach * (1.0 + 1e-9);
}

static double cost_of_entry (const HlLabelSpace *space, const HlRect *rect, int entry) {
  if (entry >= 0)
    return overlap_area (*rect, g_array_index (space->rects, HlRect, entry));
  const HlLabelSegment *segment = &g_array_index (space->segments, HlLabelSegment, -1 - entry);
  return !is_apart (rect, &segment->box) && !is_beside (rect, segment) &&
                 hl_rect_meets_segment (hl_rect_grow (*rect, segment->half_width), segment->a, segment->b)
             ? 0.5 * rect->width * rect->height
             : 0.0;
}

typedef struct {
  int entry;
  double cost;
} Hit;

static int compare_hits (gconstpointer a, gconstpointer b) {
  int first = ((const Hit *)a)->entry, second = ((const Hit *)b)->entry;
  /* rectangles in their order, then the segments in theirs */
  if ((first < 0) != (second < 0))
    return first < 0 ? 1 : -1;
  return first < 0 ? second - first : first - second;
}

/* Returns whether this is the first one of the cells that the rectangle shares with an entry. */
static gboolean is_first_cell (const HlLabelSpace *space, int entry, const Cells *cells, int x, int y) {
  const HlRect *box = entry >= 0 ? &g_array_index (space->rects, HlRect, entry)
                                 : &g_array_index (space->segments, HlLabelSegment, -1 - entry).box;
  Cells own = cells_of (space, box);

  return x == MAX (own.left, cells->left) && y == MAX (own.top, cells->top);
}

/* Finds the entries that the rectangle covers, each once. FALSE: it costs more than the limit, which in a crowd is soon
 * clear of most candidates; the sum has another order, so the threshold is a little larger. */
static gboolean find_hits (const HlLabelSpace *space, const HlRect *rect, double from, double limit,
                           GArray *hits) {
  Cells cells = cells_of (space, rect);
  double cost = from;

  g_array_set_size (hits, 0);
  for (int y = cells.top; y <= cells.bottom; y++)
    for (int x = cells.left; x <= cells.right; x++) {
      const GArray *cell = space->cells->pdata[y * space->n_across + x];
      for (guint i = 0; cell != NULL && i < cell->len; i++) {
        Hit hit = {.entry = g_array_index (cell, int, i)};
        hit.cost = cost_of_entry (space, rect, hit.entry);
        if (!(hit.cost > 0.0) || !is_first_cell (space, hit.entry, &cells, x, y))
          continue;
        cost += hit.cost;
        if (cost > limit * (1.0 + 1e-9))
          return FALSE;
        g_array_append_val (hits, hit);
      }
    }
  return TRUE;
}

/* Returns the cost, or something not below the limit when it is not below it. What is covered is summed in
 * the order in which it was taken, wherever the cells lie. */
static double cost_up_to (const HlLabelSpace *space, HlRect rect, double limit, GArray *hits) {
  double cost = 0.0;

  if (space->bounds.width > 0.0)
    cost += 20.0 * (rect.width * rect.height - overlap_area (rect, space->bounds));
  if (cost >= limit || !find_hits (space, &rect, cost, limit, hits))
    return limit;
  g_array_sort (hits, compare_hits);
  for (guint i = 0; i < hits->len && cost < limit; i++)
    cost += g_array_index (hits, Hit, i).cost;
  return cost;
}

double hl_label_space_cost (const HlLabelSpace *space, HlRect rect) {
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  return cost_up_to (space, rect, INFINITY, hits);
}

int hl_label_space_choose_within (const HlLabelSpace *space, const HlRect candidates[], int n, double most) {
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  int best = -1;
  double limit = nextafter (most, INFINITY);

  for (int i = 0; i < n; i++) {
    double cost = cost_up_to (space, candidates[i], limit, hits);
    if (cost < limit) {
      best = i;
      limit = cost;
    }
    if (cost < 1e-6)
      break;
  }
  return best;
}

int hl_label_space_choose (const HlLabelSpace *space, const HlRect candidates[], int n) {
  return MAX (hl_label_space_choose_within (space, candidates, n, INFINITY), 0);
}

int hl_label_ring (HlSpot at, double width, double height, double distance, int n_rings, HlRect out[]) {
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

static HlSpot nearest_in (HlRect rect, HlSpot p) {
  return (HlSpot){CLAMP (p.x, rect.x, rect.x + rect.width), CLAMP (p.y, rect.y, rect.y + rect.height)};
}

static HlSpot nearest_on (HlSpot p, HlSpot a, HlSpot b) {
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  double at = square > 0.0 ? CLAMP (((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0.0;

  return (HlSpot){a.x + at * dx, a.y + at * dy};
}

double hl_label_leader (HlRect label, HlSpot a, HlSpot b, HlSpot ends[2]) {
  HlSpot corners[] = {{label.x, label.y},
                      {label.x + label.width, label.y},
                      {label.x, label.y + label.height},
                      {label.x + label.width, label.y + label.height}};
  /* the shortest line ends at an end of the segment or at a corner of the label */
  HlSpot feet[6] = {a, b};
  double best = INFINITY;

  for (int k = 0; k < 4; k++)
    feet[2 + k] = nearest_on (corners[k], a, b);
  for (int k = 0; k < 6; k++) {
    HlSpot on = nearest_in (label, feet[k]);
    double distance = hypot (on.x - feet[k].x, on.y - feet[k].y);
    if (distance < best) {
      best = distance;
      ends[0] = on;
      ends[1] = feet[k];
    }
  }
  return hl_rect_meets_segment (label, a, b) ? 0.0 : best;
}
