/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-stability-map.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/hl-parallel-loop.h"

#define MOST_ITERATIONS 60

typedef struct {
  const HlStabilityMapOptions *options;
  HlSweepPoint **sweeps; /* of each thread */
  HlStabilityMap *map;
  double *found; /* n_y x MOST_FOUND pairs: found along each row of the grid */
  int *n_found;  /* n_y: how many */
  bool *is_done; /* n_x x n_y */
  atomic_int n_done;
  atomic_bool is_stopped;
} Mapper;

/* Edges of the grid that begin in one of its rows. */
#define MOST_FOUND(map) (2 * (map)->n_x)

/* Returns the growth at a point; damping and moving may be NULL. */
static double growth_at (Mapper *mapper, int place, double x, double y, double *damping, bool *moving) {
  HlSweepPoint *sweep = mapper->sweeps[place];

  if (hl_sweep_point_set (sweep, &mapper->options->x, x, NULL) != HL_OK ||
      hl_sweep_point_set (sweep, &mapper->options->y, y, NULL) != HL_OK ||
      hl_sweep_point_eval (sweep, HL_EIGEN_NULL, NULL) != HL_OK)
    return NAN;
  const HlEigen *eigen = hl_sweep_point_eigen (sweep);
  double least = 1.0;
  for (int k = 0; k < eigen->n; k++)
    if (!eigen->is_null[k] && !isnan (eigen->damping_ratio[k]))
      least = fmin (least, eigen->damping_ratio[k]);
  if (damping != NULL)
    *damping = least;
  if (moving != NULL)
    *moving = hl_sweep_point_steadiness (sweep) == HL_ON_THE_WAY;
  return eigen->growth;
}

/* ---- the grid ---- */

static void report_progress (void *data) {
  Mapper *mapper = data;
  const HlStabilityMapOptions *options = mapper->options;
  double part = (double)atomic_load (&mapper->n_done) / (options->n_x * options->n_y);

  if (options->progress != NULL && !options->progress (part, options->progress_data))
    atomic_store (&mapper->is_stopped, true);
}

static void grid_row (int j, int place, void *data) {
  Mapper *mapper = data;
  HlStabilityMap *map = mapper->map;

  hl_sweep_point_rewind (mapper->sweeps[place]);
  for (int i = 0; i < map->n_x; i++) {
    int k = j * map->n_x + i;
    if (place == 0)
      report_progress (mapper);
    if (atomic_load (&mapper->is_stopped))
      return;
    map->growth[k] = growth_at (mapper, place, map->x[i], map->y[j], &map->damping[k], &map->moving[k]);
    mapper->is_done[k] = true;
    atomic_fetch_add (&mapper->n_done, 1);
  }
}

/* Keeps the finished points up to the first gap; later points are discarded. */
static void count_done (Mapper *mapper) {
  HlStabilityMap *map = mapper->map;
  int cells = map->n_x * map->n_y;

  while (map->n_done < cells && mapper->is_done[map->n_done])
    map->n_moving += map->moving[map->n_done++];
  for (int k = map->n_done; k < cells; k++) {
    map->growth[k] = map->damping[k] = NAN;
    map->moving[k] = false;
  }
  map->complete = map->n_done == cells;
}

/* ---- the boundary ---- */

/* Adds the zero of growth between two grid points along x or y, by bisection: growth is a maximum and has
 * corners. */
static void add_boundary (Mapper *mapper, int place, int row, const double from[2], double growth_from,
                          const double to[2]) {
  double low = 0.0, high = 1.0, x = from[0], y = from[1];

  for (int step = 0; step < MOST_ITERATIONS; step++) {
    double middle = 0.5 * (low + high);
    x = from[0] + middle * (to[0] - from[0]);
    y = from[1] + middle * (to[1] - from[1]);
    double growth = growth_at (mapper, place, x, y, NULL, NULL);
    if (isnan (growth))
      return;
    if (growth == 0.0 || high - low < 1e-12)
      break;
    if ((growth < 0.0) == (growth_from < 0.0))
      low = middle;
    else
      high = middle;
  }
  double *pair = mapper->found + 2 * (row * MOST_FOUND (mapper->map) + mapper->n_found[row]++);
  pair[0] = x;
  pair[1] = y;
}

/* Finds the boundaries of a row: at most one between two neighbours on the grid. */
static void boundary_row (int j, int place, void *data) {
  Mapper *mapper = data;
  HlStabilityMap *map = mapper->map;

  hl_sweep_point_rewind (mapper->sweeps[place]);
  for (int i = 0; i < map->n_x; i++)
    for (int along = 0; along < 2; along++) {
      int i1 = i + (along == 0), j1 = j + (along == 1);
      if (i1 >= map->n_x || j1 >= map->n_y)
        continue;
      int here = j * map->n_x + i, there = j1 * map->n_x + i1;
      double a = map->growth[here], b = map->growth[there];
      if (isnan (a) || isnan (b) || (a < 0.0) == (b < 0.0) || map->moving[here] || map->moving[there])
        continue;
      add_boundary (mapper, place, j, (double[]){map->x[i], map->y[j]}, a,
                    (double[]){map->x[i1], map->y[j1]});
    }
}

static void gather_boundary (Mapper *mapper) {
  HlStabilityMap *map = mapper->map;
  int n = 0;

  for (int j = 0; j < map->n_y; j++)
    n += mapper->n_found[j];
  map->boundary = hl_arena_take (&map->arena, n, 2 * sizeof (double));
  for (int j = 0; j < map->n_y; j++) {
    memcpy (map->boundary + 2 * map->n_boundary, mapper->found + 2 * j * MOST_FOUND (map),
            2 * sizeof (double) * (size_t)mapper->n_found[j]);
    map->n_boundary += mapper->n_found[j];
  }
}

/* ---- the whole ---- */

static double *copy_numbers (HlArena *arena, const double values[], int n) {
  double *out = hl_arena_take (arena, n, sizeof *out);
  memcpy (out, values, (size_t)n * sizeof *out);
  return out;
}

static HlStabilityMap *alloc (const HlStabilityMapOptions *options) {
  HlArena own = {0};
  HlStabilityMap *map = hl_arena_take (&own, 1, sizeof *map);
  HlArena *arena = &map->arena;
  int cells = options->n_x * options->n_y;

  *arena = own;
  map->n_x = options->n_x;
  map->n_y = options->n_y;
  map->x = copy_numbers (arena, options->x_values, options->n_x);
  map->y = copy_numbers (arena, options->y_values, options->n_y);
  map->growth = hl_arena_take (arena, cells, sizeof (double));
  map->damping = hl_arena_take (arena, cells, sizeof (double));
  map->moving = hl_arena_take (arena, cells, sizeof (bool));
  return map;
}

/* Makes one sweep for each thread; false when there is no start point. */
static bool make_sweeps (Mapper *mapper, const HlSystem *sys, int n, HlFault *fault) {
  const HlStabilityMapOptions *options = mapper->options;

  for (int place = 0; place < n; place++) {
    mapper->sweeps[place] = options->document != NULL
                                ? hl_sweep_point_new_of_document (options->document, options->start, fault)
                                : hl_sweep_point_new (sys, options->start, fault);
    if (mapper->sweeps[place] == NULL)
      return false;
  }
  return true;
}

static void make_map (Mapper *mapper, HlArena *scratch, int n_threads) {
  HlStabilityMap *map = mapper->map;
  HlParallel parallel = {
      .n = map->n_y, .n_threads = n_threads, .work = grid_row, .tick = report_progress, .data = mapper};

  mapper->is_done = hl_arena_take (scratch, map->n_x * map->n_y, sizeof (bool));
  mapper->n_found = hl_arena_take (scratch, map->n_y, sizeof (int));
  hl_parallel_run (&parallel);
  count_done (mapper);
  if (!map->complete)
    return;
  mapper->found = hl_arena_take (scratch, map->n_y * MOST_FOUND (map), 2 * sizeof (double));
  parallel.work = boundary_row;
  parallel.tick = NULL;
  hl_parallel_run (&parallel);
  gather_boundary (mapper);
}

HlStabilityMap *hl_stability_map_new (const HlSystem *sys, const HlStabilityMapOptions *options,
                                      HlFault *fault) {
  Mapper mapper = {.options = options};
  HlArena scratch = {0};
  int n = hl_parallel_n_threads (&(HlParallel){.n = options->n_y, .n_threads = options->n_threads});

  mapper.sweeps = hl_arena_take (&scratch, n, sizeof *mapper.sweeps);
  if (make_sweeps (&mapper, sys, n, fault)) {
    mapper.map = alloc (options);
    make_map (&mapper, &scratch, n);
  }
  for (int place = 0; place < n; place++)
    hl_sweep_point_free (mapper.sweeps[place]);
  hl_arena_clear (&scratch);
  return mapper.map;
}

void hl_stability_map_free (HlStabilityMap *map) {
  if (map == NULL)
    return;
  HlArena arena = map->arena;
  hl_arena_clear (&arena);
}

double *hl_stability_map_table (const HlStabilityMap *map, int *n_rows) {
  int n = map->n_done + map->n_boundary;
  double *table = calloc (4 * (size_t)n + 1, sizeof *table);

  for (int k = 0; k < n; k++) {
    gboolean on_grid = k < map->n_done;
    int at = 2 * (k - map->n_done); /* in the boundary */
    table[k] = on_grid ? map->x[k % map->n_x] : map->boundary[at];
    table[n + k] = on_grid ? map->y[k / map->n_x] : map->boundary[at + 1];
    table[2 * n + k] = on_grid ? map->growth[k] : 0.0;
    table[3 * n + k] = on_grid ? map->damping[k] : NAN;
  }
  *n_rows = n;
  return table;
}
