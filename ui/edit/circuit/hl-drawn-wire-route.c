/* SPDX-License-Identifier: MIT */
/* Shapes with up to three bends between the exits of both ends; the cost of each depends on its length, its
 * bends, and the wires and symbols that it crosses or touches. */
#include "ui/edit/circuit/hl-drawn-wire-route.h"

#include "ui/paint/circuit/hl-wire-maze-router.h"

#include <math.h>
#include <string.h>

#define LEAVE 2.0        /* [M] straight out of a port before the first bend */
#define COST_BEND 6.0    /* in [M] of length */
#define COST_ALONG 40.0  /* a stretch along a foreign wire */
#define COST_TOUCH 40.0  /* where a foreign wire ends or bends, or at a port: it looks joined */
#define COST_ODD 0.4     /* a [M] off the 2M grid */
#define COST_CROSS 3.0   /* over a foreign wire */
#define COST_BESIDE 3.0  /* a [M] along the edge of a symbol */
#define BESIDE 1.0       /* [M] so near is along the edge */
#define PORT_REACH 2.5   /* [M] a symbol whose port is an end has it within this of its edge */
#define COST_THROUGH 1e4 /* through a symbol, or back over itself */
#define LESS 0.2         /* a body is this much smaller for wires that touch its edge [M] */

HlWireField *hl_wire_field_new (void) {
  HlWireField *field = g_new0 (HlWireField, 1);

  field->boxes = g_array_new (FALSE, FALSE, sizeof (HlRect));
  field->ports = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  field->segments = g_array_new (FALSE, FALSE, sizeof (HlWireSegment));
  return field;
}

void hl_wire_field_free (HlWireField *field) {
  if (field == NULL)
    return;
  g_array_unref (field->boxes);
  g_array_unref (field->ports);
  g_array_unref (field->segments);
  g_free (field);
}

void hl_wire_field_add_symbol (HlWireField *field, HlShapeKind kind, const HlPlacement *place) {
  HlRect box = hl_rect_grow (hl_shape_placed_body (kind, place), -LESS);
  g_array_append_val (field->boxes, box);
  for (int port = 0; port < hl_shape_n_ports (kind); port++) {
    HlShapePort placed = hl_shape_placed_port (kind, port, place);
    HlSpot at = {placed.x, placed.y};
    g_array_append_val (field->ports, at);
  }
}

void hl_wire_field_add_wire (HlWireField *field, const char *line, const HlSpot points[], int n) {
  for (int i = 1; i < n; i++) {
    HlWireSegment segment = {{points[i - 1], points[i]}, g_quark_from_string (line)};
    g_array_append_val (field->segments, segment);
  }
}

/* Returns the length that two segments share when one lies on the other. */
static double shared_length (HlSpot a, HlSpot b, const HlSpot s[2]) {
  gboolean level = a.y == b.y, s_level = s[0].y == s[1].y;

  if (level != s_level || (level ? a.y != s[0].y : a.x != s[0].x))
    return 0.0;
  double low =
      level ? MAX (MIN (a.x, b.x), MIN (s[0].x, s[1].x)) : MAX (MIN (a.y, b.y), MIN (s[0].y, s[1].y));
  double high =
      level ? MIN (MAX (a.x, b.x), MAX (s[0].x, s[1].x)) : MIN (MAX (a.y, b.y), MAX (s[0].y, s[1].y));
  return MAX (high - low, 0.0);
}

/* Returns whether two segments cross, each going on beyond the other. */
static gboolean crosses (HlSpot a, HlSpot b, const HlSpot s[2]) {
  gboolean level = a.y == b.y;
  HlSpot l0 = level ? a : s[0], l1 = level ? b : s[1], u0 = level ? s[0] : a, u1 = level ? s[1] : b;

  return l0.y == l1.y && u0.x == u1.x && MIN (l0.x, l1.x) < u0.x && u0.x < MAX (l0.x, l1.x) &&
         MIN (u0.y, u1.y) < l0.y && l0.y < MAX (u0.y, u1.y);
}

static gboolean is_same (HlSpot a, HlSpot b) {
  return a.x == b.x && a.y == b.y;
}

static gboolean lies_on (HlSpot at, HlSpot a, HlSpot b) {
  return at.x >= MIN (a.x, b.x) && at.x <= MAX (a.x, b.x) && at.y >= MIN (a.y, b.y) && at.y <= MAX (a.y, b.y);
}

/* Returns whether the boxes of two segments have no point in common: nothing else is to be compared then. */
static gboolean are_apart (HlSpot a, HlSpot b, const HlSpot s[2]) {
  return MAX (a.x, b.x) < MIN (s[0].x, s[1].x) || MAX (s[0].x, s[1].x) < MIN (a.x, b.x) ||
         MAX (a.y, b.y) < MIN (s[0].y, s[1].y) || MAX (s[0].y, s[1].y) < MIN (a.y, b.y);
}

static gboolean is_of_line (const HlWireSegment *segment, const HlWireEnd *a, const HlWireEnd *b) {
  return segment->line != 0 && (segment->line == a->line || segment->line == b->line);
}

/* Returns whether a foreign wire ends or bends on this piece, or this one where that one runs on; the ends of
 * the whole way do not count. */
static gboolean segment_touches (const HlSpot p[], int n, int i, const HlSpot s[2]) {
  for (int end = 0; end < 2; end++)
    if (lies_on (s[end], p[i - 1], p[i]) && !is_same (s[end], p[0]) && !is_same (s[end], p[n - 1]))
      return TRUE;
  return i + 1 < n && lies_on (p[i], s[0], s[1]);
}

/* Returns the number of ports that a piece runs over without being meant for them, nor being there already. */
static int n_ports_met (const HlWireField *field, const HlSpot p[], int n, int i, const HlWireEnd *a,
                        const HlWireEnd *b) {
  int met = 0;

  for (guint k = 0; k < field->ports->len; k++) {
    HlSpot port = g_array_index (field->ports, HlSpot, k);
    if (!lies_on (port, p[i - 1], p[i]))
      continue;
    gboolean is_own = is_same (port, p[0]) || is_same (port, p[n - 1]);
    for (guint m = 0; m < field->segments->len && !is_own; m++) {
      const HlWireSegment *segment = &g_array_index (field->segments, HlWireSegment, m);
      is_own = is_of_line (segment, a, b) && lies_on (port, segment->ends[0], segment->ends[1]);
    }
    met += !is_own;
  }
  return met;
}

/* Returns the length of a segment that runs along the edges of symbols, outside of them. */
static double length_beside (const HlWireField *field, HlSpot a, HlSpot b) {
  double length = 0.0;

  for (guint k = 0; k < field->boxes->len; k++) {
    HlRect box = hl_rect_grow (g_array_index (field->boxes, HlRect, k), LESS);
    gboolean level = a.y == b.y;
    double off =
        level ? MAX (box.y - a.y, a.y - box.y - box.height) : MAX (box.x - a.x, a.x - box.x - box.width);
    if (off >= BESIDE)
      continue;
    length += level ? fmax (fmin (fmax (a.x, b.x), box.x + box.width) - fmax (fmin (a.x, b.x), box.x), 0)
                    : fmax (fmin (fmax (a.y, b.y), box.y + box.height) - fmax (fmin (a.y, b.y), box.y), 0);
  }
  return length;
}

static gboolean turns_back (const HlSpot p[], int i) {
  double dot = (p[i].x - p[i - 1].x) * (p[i + 1].x - p[i].x) + (p[i].y - p[i - 1].y) * (p[i + 1].y - p[i].y);
  return dot < 0.0;
}

/* Returns the number of symbols that a way goes through; stops at `most`. */
static int n_hits (const HlWireField *field, const HlSpot p[], int n, double most) {
  int hits = 0;

  for (int i = 1; i < n; i++)
    for (guint k = 0; k < field->boxes->len && hits < most; k++)
      hits += hl_rect_meets_segment (g_array_index (field->boxes, HlRect, k), p[i - 1], p[i]);
  return hits;
}

static gboolean leaves_outwards (HlSpot at, HlSpot next, const HlWireEnd *end) {
  if (end->out.x == 0.0 && end->out.y == 0.0)
    return TRUE;
  return (next.x - at.x) * end->out.x + (next.y - at.y) * end->out.y > 0.0;
}

/* Stops as soon as the cost reaches `most`. */
static double cost_of (const HlWireField *field, const HlSpot p[], int n, const HlWireEnd *a,
                       const HlWireEnd *b, double most) {
  double cost = COST_THROUGH * n_hits (field, p, n, most / COST_THROUGH) + COST_BEND * MAX (n - 2, 0);

  if (n > 1 && !(leaves_outwards (p[0], p[1], a) && leaves_outwards (p[n - 1], p[n - 2], b)))
    cost += COST_THROUGH;

  for (int i = 1; i < n && cost < most; i++) {
    double length = fabs (p[i].x - p[i - 1].x) + fabs (p[i].y - p[i - 1].y), shared = 0.0;
    if (i + 1 < n && turns_back (p, i))
      cost += COST_THROUGH;
    for (guint k = 0; k < field->segments->len; k++) {
      const HlWireSegment *segment = &g_array_index (field->segments, HlWireSegment, k);
      if (are_apart (p[i - 1], p[i], segment->ends))
        continue;
      double along = shared_length (p[i - 1], p[i], segment->ends);
      if (is_of_line (segment, a, b))
        shared += along; /* it is there already */
      else if (along > 0.0)
        cost += COST_ALONG;
      else if (segment_touches (p, n, i, segment->ends))
        cost += COST_TOUCH;
      else if (crosses (p[i - 1], p[i], segment->ends))
        cost += COST_CROSS;
    }
    double track = p[i].y == p[i - 1].y ? p[i].y : p[i].x;
    cost += fmax (length - shared, 0.0) * (fmod (track, 2.0) != 0.0 ? 1.0 + COST_ODD : 1.0) +
            COST_BESIDE * length_beside (field, p[i - 1], p[i]) +
            COST_TOUCH * n_ports_met (field, p, n, i, a, b);
  }
  return cost;
}

int hl_wire_tidy (HlSpot p[], int n) {
  int out = 0;

  for (int i = 0; i < n; i++) {
    if (out > 0 && p[out - 1].x == p[i].x && p[out - 1].y == p[i].y)
      continue;
    while (out > 1 &&
           ((p[out - 2].x == p[out - 1].x && p[out - 1].x == p[i].x) ||
            (p[out - 2].y == p[out - 1].y && p[out - 1].y == p[i].y)) &&
           (p[out - 1].x - p[out - 2].x) * (p[i].x - p[out - 1].x) +
                   (p[out - 1].y - p[out - 2].y) * (p[i].y - p[out - 1].y) >
               0.0)
      out--;
    p[out++] = p[i];
  }
  return out;
}

/* The best shape so far. */
typedef struct {
  const HlWireField *field;
  HlSpot points[HL_WIRE_WAY_MOST];
  int n;
  double cost;
} Best;

/* Tries a, its way out, the corners given, the way out of b, b. */
static void try_shape (Best *best, const HlWireEnd *a, const HlWireEnd *b, const HlSpot corners[],
                       int n_corners) {
  HlSpot p[10];
  int n = 0;

  p[n++] = a->at;
  for (int i = 0; i < n_corners; i++)
    p[n++] = corners[i];
  p[n++] = b->at;
  n = hl_wire_tidy (p, n);
  double cost = cost_of (best->field, p, n, a, b, best->cost);
  if (cost >= best->cost)
    return;
  best->cost = cost;
  best->n = n;
  memcpy (best->points, p, (gsize)n * sizeof (HlSpot));
}

static HlSpot way_out (const HlWireEnd *end) {
  return (HlSpot){end->at.x + LEAVE * end->out.x, end->at.y + LEAVE * end->out.y};
}

static double round_to_even (double value) {
  return 2.0 * round (0.5 * value);
}

/* Levels that are worth a try: between the ends and beside them, round the symbols that the ends belong
 * to, and those of the wires that may be joined. */
#define N_LEVELS 13

static void add_level (double levels[], int *n, double level) {
  for (int i = 0; i < *n; i++)
    if (levels[i] == level)
      return;
  if (*n < N_LEVELS)
    levels[(*n)++] = level;
}

static int find_levels (const HlWireField *field, const HlWireEnd *a, const HlWireEnd *b, HlSpot f, HlSpot t,
                        gboolean is_x, double levels[N_LEVELS]) {
  double from = is_x ? f.x : f.y, to = is_x ? t.x : t.y;
  int n = 0;

  add_level (levels, &n, round_to_even (0.5 * (from + to)));
  for (int step = 4; step <= 8; step += 4) {
    add_level (levels, &n, MIN (from, to) - step);
    add_level (levels, &n, MAX (from, to) + step);
  }
  for (guint k = 0; k < field->boxes->len; k++) {
    HlRect box = g_array_index (field->boxes, HlRect, k);
    HlRect reach = hl_rect_grow (box, PORT_REACH);
    if (!hl_rect_contains (reach, a->at) && !hl_rect_contains (reach, b->at))
      continue;
    HlRect round_it = hl_rect_grow (box, LESS + BESIDE);
    add_level (levels, &n, floor (is_x ? round_it.x : round_it.y));
    add_level (levels, &n, ceil (is_x ? round_it.x + round_it.width : round_it.y + round_it.height));
  }
  for (guint k = 0; k < field->segments->len; k++) {
    const HlWireSegment *segment = &g_array_index (field->segments, HlWireSegment, k);
    gboolean is_upright = segment->ends[0].x == segment->ends[1].x;
    if (is_upright == is_x && is_of_line (segment, a, b))
      add_level (levels, &n, is_x ? segment->ends[0].x : segment->ends[0].y);
  }
  return n;
}

static void try_shapes (Best *best, const HlWireEnd *a, const HlWireEnd *b) {
  HlSpot f = way_out (a), t = way_out (b);
  double xs[N_LEVELS], ys[N_LEVELS];
  int n_xs = find_levels (best->field, a, b, f, t, TRUE, xs);
  int n_ys = find_levels (best->field, a, b, f, t, FALSE, ys);

  if (a->at.x == b->at.x || a->at.y == b->at.y)
    try_shape (best, a, b, NULL, 0);
  try_shape (best, a, b, (HlSpot[]){{b->at.x, a->at.y}}, 1);
  try_shape (best, a, b, (HlSpot[]){{a->at.x, b->at.y}}, 1);
  try_shape (best, a, b, (HlSpot[]){f, {t.x, f.y}, t}, 3);
  try_shape (best, a, b, (HlSpot[]){f, {f.x, t.y}, t}, 3);
  for (int i = 0; i < n_xs; i++)
    try_shape (best, a, b, (HlSpot[]){f, {xs[i], f.y}, {xs[i], t.y}, t}, 4);
  for (int k = 0; k < n_ys; k++)
    try_shape (best, a, b, (HlSpot[]){f, {f.x, ys[k]}, {t.x, ys[k]}, t}, 4);
  for (int i = 0; i < n_xs; i++)
    for (int k = 0; k < n_ys; k++) {
      try_shape (best, a, b, (HlSpot[]){f, {xs[i], f.y}, {xs[i], ys[k]}, {t.x, ys[k]}, t}, 5);
      try_shape (best, a, b, (HlSpot[]){f, {f.x, ys[k]}, {xs[i], ys[k]}, {xs[i], t.y}, t}, 5);
    }
}

/* Tries routes around the symbols near both ends. */
static void try_maze (Best *best, const HlWireEnd *a, const HlWireEnd *b) {
  HlRect area = hl_rect_union ((HlRect){a->at.x, a->at.y, 0, 0}, (HlRect){b->at.x, b->at.y, 0, 0});
  HlRoutePin pins[2] = {{a->at, a->out}, {b->at, b->out}};
  HlLayoutRoute route = {0};

  area = hl_rect_grow (area, 24.0);
  for (int end = 0; end < 2; end++)
    if (pins[end].out.x == 0.0 && pins[end].out.y == 0.0) {
      /* an end in the open is left towards the other one */
      double dx = pins[1 - end].at.x - pins[end].at.x, dy = pins[1 - end].at.y - pins[end].at.y;
      pins[end].out = fabs (dx) > fabs (dy) ? (HlSpot){dx < 0 ? -1 : 1, 0} : (HlSpot){0, dy < 0 ? -1 : 1};
    }
  HlRouter *router = hl_router_new (area);
  for (guint i = 0; i < best->field->boxes->len; i++) {
    HlRect box = hl_rect_grow (g_array_index (best->field->boxes, HlRect, i), LESS);
    if (hl_rect_overlaps (box, area))
      hl_router_block (router, box);
  }
  gboolean found = hl_router_connect (router, 0, pins, 2);
  if (found)
    hl_router_extract (router, 0, &route);
  hl_router_free (router);
  if (route.n_wires == 1 && route.wires[0].n <= HL_WIRE_WAY_MOST) {
    const HlLayoutWire *wire = &route.wires[0];
    gboolean reversed = wire->points[0].x != a->at.x || wire->points[0].y != a->at.y;
    best->n = wire->n;
    for (int i = 0; i < wire->n; i++)
      best->points[i] = wire->points[reversed ? wire->n - 1 - i : i];
  }
  hl_layout_route_clear (&route);
}

int hl_line_route (const HlWireField *field, const HlWireEnd *a, const HlWireEnd *b,
                   HlSpot points[HL_WIRE_WAY_MOST]) {
  Best best = {.field = field, .cost = INFINITY};

  if (a->at.x == b->at.x && a->at.y == b->at.y) {
    points[0] = a->at;
    return 1;
  }
  try_shapes (&best, a, b);
  if (best.cost >= COST_THROUGH)
    try_maze (&best, a, b);
  memcpy (points, best.points, (gsize)best.n * sizeof (HlSpot));
  return best.n;
}

gboolean hl_wire_is_clear (const HlWireField *field, const HlSpot points[], int n, const HlWireEnd *a,
                           const HlWireEnd *b) {
  for (int i = 1; i + 1 < n; i++)
    if (turns_back (points, i))
      return FALSE;
  return n < 2 || (n_hits (field, points, n, 1) == 0 && leaves_outwards (points[0], points[1], a) &&
                   leaves_outwards (points[n - 1], points[n - 2], b));
}
