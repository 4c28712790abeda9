/* SPDX-License-Identifier: MIT */
/* One cell for every grid place that a wire passes, with the directions in which edges leave it. A
 * cell counts as two half cells, one along x and one along y; they are one unless the cell is a
 * plain crossing. */
#include "ui/paint/circuit/hl-circuit-wires.h"

#include <math.h>
#include <stdlib.h>

enum { EAST, SOUTH, WEST, NORTH, N_WAYS };

#define MOST_CELLS 300000 /* of all wires: a file may draw one across two million places */
#define ALL_WAYS 15
#define ALONG_X (1 << EAST | 1 << WEST)

static const int step_x[N_WAYS] = {1, 0, -1, 0};
static const int step_y[N_WAYS] = {0, 1, 0, -1};

typedef struct {
  int x, y;
  unsigned char ways;
  gboolean joined; /* four ways that meet, not a crossing */
  int part[2];     /* of the halves along x and along y; -1 = not numbered */
} Cell;

struct _HlWires {
  GHashTable *cells; /* key (x, y) -> Cell */
  GPtrArray *order;  /* cells in the order they came, so that nothing depends on hashing */
};

static gpointer cell_key (int x, int y) {
  return GSIZE_TO_POINTER ((gsize)(guint32)x << 32 | (gsize)(guint32)y);
}

/* Hashes both numbers: wires often have a constant x or y, and a hash of the pointer alone would put all of
 * their cells together. */
static guint cell_hash (gconstpointer key) {
  guint64 bits = (guint64)(gsize)key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint)(bits >> 32);
}

static Cell *find_cell (const HlWires *wires, int x, int y) {
  return g_hash_table_lookup (wires->cells, cell_key (x, y));
}

static Cell *cell_at (const HlWires *wires, HlSpot at) {
  return find_cell (wires, (int)lround (at.x), (int)lround (at.y));
}

static Cell *make_cell (HlWires *wires, int x, int y) {
  Cell *cell = find_cell (wires, x, y);

  if (cell != NULL)
    return cell;
  cell = g_new0 (Cell, 1);
  cell->x = x;
  cell->y = y;
  cell->part[0] = cell->part[1] = -1;
  g_hash_table_insert (wires->cells, cell_key (x, y), cell);
  g_ptr_array_add (wires->order, cell);
  return cell;
}

HlWires *hl_wires_new (void) {
  HlWires *wires = g_new0 (HlWires, 1);

  wires->cells = g_hash_table_new (cell_hash, g_direct_equal);
  wires->order = g_ptr_array_new_with_free_func (g_free);
  return wires;
}

void hl_wires_free (HlWires *wires) {
  if (wires == NULL)
    return;
  g_hash_table_unref (wires->cells);
  g_ptr_array_unref (wires->order);
  g_free (wires);
}

gboolean hl_wire_is_orthogonal (const HlSpot points[], int n) {
  for (int i = 0; i < n; i++)
    if (!(fabs (points[i].x) < 1e6 && fabs (points[i].y) < 1e6) || points[i].x != round (points[i].x) ||
        points[i].y != round (points[i].y))
      return FALSE;
  for (int i = 1; i < n; i++)
    if (points[i].x != points[i - 1].x && points[i].y != points[i - 1].y)
      return FALSE;
  return TRUE;
}

static int count_ways (unsigned char ways) {
  int n = 0;

  for (int way = 0; way < N_WAYS; way++)
    n += ways >> way & 1;
  return n;
}

/* Returns the direction of a segment; -1 when it is none or slanted. */
static int way_of (int dx, int dy) {
  if ((dx == 0) == (dy == 0))
    return -1;
  return dx > 0 ? EAST : dx < 0 ? WEST : dy > 0 ? SOUTH : NORTH;
}

void hl_wires_add (HlWires *wires, const HlSpot points[], int n) {
  for (int i = 1; i < n; i++) {
    int x = (int)lround (points[i - 1].x), y = (int)lround (points[i - 1].y);
    int to_x = (int)lround (points[i].x), to_y = (int)lround (points[i].y);
    int way = way_of (to_x - x, to_y - y);
    if (way < 0 || (gint64)wires->order->len + abs (to_x - x) + abs (to_y - y) > MOST_CELLS)
      continue;
    make_cell (wires, x, y)->joined = TRUE; /* ends and bends join what they touch */
    make_cell (wires, to_x, to_y)->joined = TRUE;
    while (x != to_x || y != to_y) {
      find_cell (wires, x, y)->ways |= (unsigned char)(1 << way);
      x += step_x[way];
      y += step_y[way];
      make_cell (wires, x, y)->ways |= (unsigned char)(1 << (way + 2) % N_WAYS);
    }
  }
}

void hl_wires_add_dot (HlWires *wires, HlSpot at) {
  Cell *cell = cell_at (wires, at);

  if (cell != NULL)
    cell->joined = TRUE;
}

void hl_wires_add_route (HlWires *wires, const HlLayoutRoute *route) {
  for (int w = 0; w < route->n_wires; w++)
    hl_wires_add (wires, route->wires[w].points, route->wires[w].n);
  for (int d = 0; d < route->n_dots; d++)
    hl_wires_add_dot (wires, route->dots[d]);
}

void hl_wires_remove (HlWires *wires, HlSpot a, HlSpot b) {
  int x = (int)lround (a.x), y = (int)lround (a.y);
  int to_x = (int)lround (b.x), to_y = (int)lround (b.y);
  int way = way_of (to_x - x, to_y - y);

  while (way >= 0 && (x != to_x || y != to_y)) {
    Cell *from = find_cell (wires, x, y);
    Cell *to = find_cell (wires, x + step_x[way], y + step_y[way]);
    if (from != NULL)
      from->ways &= (unsigned char)~(1 << way);
    if (to != NULL)
      to->ways &= (unsigned char)~(1 << (way + 2) % N_WAYS);
    x += step_x[way];
    y += step_y[way];
  }
}

int hl_wires_n_ways (const HlWires *wires, HlSpot at) {
  const Cell *cell = cell_at (wires, at);
  return cell != NULL ? count_ways (cell->ways) : 0;
}

gboolean hl_wires_touch (const HlWires *wires, HlSpot at) {
  return hl_wires_n_ways (wires, at) > 0;
}

/* --- parts --- */

static gboolean is_crossing (const Cell *cell) {
  return cell->ways == ALL_WAYS && !cell->joined;
}

/* Marks everything that hangs on a half cell; without recursion. */
static void mark_part (HlWires *wires, Cell *start, int half, int part) {
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize first = (gsize)start | (gsize)half; /* cells are aligned: the lowest bit is free */

  g_array_append_val (stack, first);
  while (stack->len > 0) {
    gsize top = g_array_index (stack, gsize, stack->len - 1);
    Cell *cell = (Cell *)(top & ~(gsize)1);
    g_array_set_size (stack, stack->len - 1);
    for (int h = 0; h < 2; h++) {
      if (cell->part[h] >= 0 || (is_crossing (cell) && h != (int)(top & 1)))
        continue;
      cell->part[h] = part;
      for (int way = h; way < N_WAYS; way += 2) {
        if (!(cell->ways >> way & 1))
          continue;
        gsize next =
            (gsize)find_cell (wires, cell->x + step_x[way], cell->y + step_y[way]) | (gsize)(way % 2);
        g_array_append_val (stack, next);
      }
    }
  }
}

static void merge_parts (HlWires *wires, int keep, int gone) {
  for (guint i = 0; i < wires->order->len; i++) {
    Cell *cell = g_ptr_array_index (wires->order, i);
    for (int h = 0; h < 2; h++) {
      if (cell->part[h] == gone)
        cell->part[h] = keep;
      else if (cell->part[h] > gone)
        cell->part[h]--;
    }
  }
}

int hl_wires_split (HlWires *wires, const HlSpot ties[][2], int n_ties) {
  int n = 0;

  for (guint i = 0; i < wires->order->len; i++) {
    Cell *cell = g_ptr_array_index (wires->order, i);
    cell->part[0] = cell->part[1] = -1;
  }
  for (guint i = 0; i < wires->order->len; i++) {
    Cell *cell = g_ptr_array_index (wires->order, i);
    for (int h = 0; h < 2 && cell->ways != 0; h++)
      if (cell->part[h] < 0)
        mark_part (wires, cell, h, n++);
  }
  for (int tie = 0; tie < n_ties; tie++) {
    int a = hl_wires_part_at (wires, ties[tie][0]), b = hl_wires_part_at (wires, ties[tie][1]);
    if (a < 0 || b < 0 || a == b)
      continue;
    merge_parts (wires, MIN (a, b), MAX (a, b));
    n--;
  }
  return n;
}

int hl_wires_part_at (const HlWires *wires, HlSpot at) {
  const Cell *cell = cell_at (wires, at);

  if (cell == NULL || cell->ways == 0)
    return -1;
  return cell->part[(cell->ways & ALONG_X) != 0 ? 0 : 1];
}

/* --- polylines --- */

typedef struct {
  const HlWires *wires;
  int part;
  GHashTable *pins; /* cell keys */
  GHashTable *seen; /* Cell -> ways that are drawn */
  GArray *found;    /* HlLayoutWire */
} Extraction;

static gboolean is_node (const Extraction *ex, const Cell *cell) {
  int n = count_ways (cell->ways);

  return n == 1 || n == 3 || (n == 4 && cell->joined) ||
         g_hash_table_contains (ex->pins, cell_key (cell->x, cell->y));
}

static gboolean is_seen (const Extraction *ex, const Cell *cell, int way) {
  return GPOINTER_TO_INT (g_hash_table_lookup (ex->seen, cell)) >> way & 1;
}

static void visit_cell (Extraction *ex, const Cell *cell, int way) {
  int ways = GPOINTER_TO_INT (g_hash_table_lookup (ex->seen, cell)) | 1 << way;
  g_hash_table_insert (ex->seen, (gpointer)cell, GINT_TO_POINTER (ways));
}

static void follow_wire (Extraction *ex, const Cell *start, int way) {
  GArray *points = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  HlSpot at = {start->x, start->y};
  const Cell *cell = start;

  g_array_append_val (points, at);
  for (;;) {
    visit_cell (ex, cell, way);
    cell = find_cell (ex->wires, cell->x + step_x[way], cell->y + step_y[way]);
    visit_cell (ex, cell, (way + 2) % N_WAYS);
    at = (HlSpot){cell->x, cell->y};
    if (is_node (ex, cell) || cell == start)
      break;
    int next = way;
    for (int w = 0; w < N_WAYS; w++)
      if (count_ways (cell->ways) == 2 && cell->ways >> w & 1 && w != (way + 2) % N_WAYS)
        next = w;
    if (next != way)
      g_array_append_val (points, at);
    way = next;
  }
  g_array_append_val (points, at);
  HlLayoutWire wire = {.n = (int)points->len};
  wire.points = (HlSpot *)(gpointer)g_array_free (points, FALSE);
  g_array_append_val (ex->found, wire);
}

static void follow_from (Extraction *ex, const Cell *cell) {
  for (int way = 0; cell != NULL && way < N_WAYS; way++)
    if (cell->ways >> way & 1 && !is_seen (ex, cell, way) &&
        (ex->part < 0 || cell->part[way % 2] == ex->part))
      follow_wire (ex, cell, way);
}

static int compare_cells (gconstpointer a, gconstpointer b) {
  const Cell *left = *(const Cell *const *)a;
  const Cell *right = *(const Cell *const *)b;

  if (left->y != right->y)
    return left->y < right->y ? -1 : 1;
  return left->x < right->x ? -1 : left->x > right->x;
}

/* Follows the wires from the pins in their order, then from the other nodes, then around loops: the same
 * wires give the same polylines in any order of input. */
static void follow_all (Extraction *ex, GPtrArray *cells, const HlSpot pins[], int n_pins) {
  for (int i = 0; i < n_pins; i++)
    follow_from (ex, cell_at (ex->wires, pins[i]));
  for (int pass = 0; pass < 2; pass++)
    for (guint i = 0; i < cells->len; i++)
      if (pass == 1 || is_node (ex, g_ptr_array_index (cells, i)))
        follow_from (ex, g_ptr_array_index (cells, i));
}

void hl_wires_extract (const HlWires *wires, int part, const HlSpot pins[], int n_pins,
                       HlLayoutRoute *route) {
  g_autoptr (GHashTable) pin_keys = g_hash_table_new (cell_hash, g_direct_equal);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  Extraction ex = {wires, part, pin_keys, seen, g_array_new (FALSE, FALSE, sizeof (HlLayoutWire))};

  for (int i = 0; i < n_pins; i++)
    g_hash_table_add (pin_keys, cell_key ((int)lround (pins[i].x), (int)lround (pins[i].y)));
  g_autoptr (GPtrArray) cells = g_ptr_array_copy (wires->order, NULL, NULL);
  g_ptr_array_set_free_func (cells, NULL);
  g_ptr_array_sort (cells, compare_cells);
  follow_all (&ex, cells, pins, n_pins);
  for (guint i = 0; i < cells->len; i++) {
    const Cell *cell = g_ptr_array_index (cells, i);
    HlSpot dot = {cell->x, cell->y};
    if (count_ways (cell->ways) >= 3 && !is_crossing (cell) && (part < 0 || cell->part[0] == part))
      g_array_append_val (dots, dot);
  }
  route->n_wires = (int)ex.found->len;
  route->wires = (HlLayoutWire *)(gpointer)g_array_free (ex.found, FALSE);
  route->n_dots = (int)dots->len;
  route->dots = g_memdup2 (dots->data, dots->len * sizeof (HlSpot));
}

int hl_wires_group_pins (const HlWires *wires, const HlSpot pins[], int n_pins, int group[]) {
  int n_groups = 0;
  g_autofree int *part = g_new (int, (gsize)n_pins + 1);

  for (int i = 0; i < n_pins; i++)
    part[i] = hl_wires_part_at (wires, pins[i]);
  for (int i = 0; i < n_pins; i++) {
    group[i] = -1;
    for (int k = 0; k < i && group[i] < 0; k++)
      if ((pins[k].x == pins[i].x && pins[k].y == pins[i].y) || (part[i] >= 0 && part[k] == part[i]))
        group[i] = group[k];
    if (group[i] < 0)
      group[i] = n_groups++;
  }
  return n_groups;
}

static gboolean is_on_segment (HlSpot a, HlSpot b, HlSpot p) {
  return p.x >= MIN (a.x, b.x) && p.x <= MAX (a.x, b.x) && p.y >= MIN (a.y, b.y) && p.y <= MAX (a.y, b.y);
}

static int n_segments_at (const HlLayoutRoute *route, HlSpot at) {
  int n = 0;

  for (int w = 0; w < route->n_wires; w++)
    for (int i = 1; i < route->wires[w].n; i++)
      n += is_on_segment (route->wires[w].points[i - 1], route->wires[w].points[i], at);
  return n;
}

void hl_route_open_ends (const HlLayoutRoute *route, const HlSpot pins[], int n_pins, GArray *ends) {
  for (int w = 0; w < route->n_wires; w++)
    for (int end = 0; end < 2 && route->wires[w].n > 1; end++) {
      HlSpot at = route->wires[w].points[end == 0 ? 0 : route->wires[w].n - 1];
      gboolean is_pin = FALSE;
      for (int i = 0; i < n_pins && !is_pin; i++)
        is_pin = round (pins[i].x) == round (at.x) && round (pins[i].y) == round (at.y);
      if (!is_pin && n_segments_at (route, at) == 1)
        g_array_append_val (ends, at);
    }
}
