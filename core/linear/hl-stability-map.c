/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-stability-map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ITERATIONS 60

typedef struct
{
  const HlStabilityMapOptions *options;
  HlSweepPoint *sweep;
  HlStabilityMap *map;
} Mapper;

/* damping and moving may be NULL. */
static double
growth_at (Mapper *mapper, double x, double y, double *damping, bool *moving)
{
  if (hl_sweep_point_set (mapper->sweep, &mapper->options->x, x, NULL) != HL_OK ||
      hl_sweep_point_set (mapper->sweep, &mapper->options->y, y, NULL) != HL_OK ||
      hl_sweep_point_eval (mapper->sweep, HL_EIGEN_NULL, NULL) != HL_OK)
    return NAN;
  const HlEigen *eigen = hl_sweep_point_eigen (mapper->sweep);
  double least = 1.0;
  for (int k = 0; k < eigen->n; k++)
    if (!eigen->is_null[k] && !isnan (eigen->damping_ratio[k]))
      least = fmin (least, eigen->damping_ratio[k]);
  if (damping != NULL)
    *damping = least;
  if (moving != NULL)
    *moving = hl_sweep_point_steadiness (mapper->sweep) == HL_ON_THE_WAY;
  return eigen->growth;
}

/* Zero of growth between two grid points along x or y, by bisection: growth is a maximum and has
 * corners. */
static void
add_boundary (Mapper *mapper, const double from[2], double growth_from, const double to[2])
{
  HlStabilityMap *map = mapper->map;
  double low = 0.0, high = 1.0, x = from[0], y = from[1];

  for (int step = 0; step < MOST_ITERATIONS; step++) {
    double middle = 0.5 * (low + high);
    x = from[0] + middle * (to[0] - from[0]);
    y = from[1] + middle * (to[1] - from[1]);
    double growth = growth_at (mapper, x, y, NULL, NULL);
    if (isnan (growth))
      return;
    if (growth == 0.0 || high - low < 1e-12)
      break;
    if ((growth < 0.0) == (growth_from < 0.0))
      low = middle;
    else
      high = middle;
  }
  map->boundary[2 * map->n_boundary] = x;
  map->boundary[2 * map->n_boundary + 1] = y;
  map->n_boundary++;
}

/* Once between any two neighbours on the grid at most. */
static void
find_boundary (Mapper *mapper)
{
  HlStabilityMap *map = mapper->map;
  int most = (map->n_x - 1) * map->n_y + map->n_x * (map->n_y - 1);

  map->boundary = hl_arena_take (&map->arena, most, 2 * sizeof (double));
  for (int j = 0; j < map->n_y; j++)
    for (int i = 0; i < map->n_x; i++)
      for (int along = 0; along < 2; along++) {
        int i1 = i + (along == 0), j1 = j + (along == 1);
        if (i1 >= map->n_x || j1 >= map->n_y)
          continue;
        int here = j * map->n_x + i, there = j1 * map->n_x + i1;
        double a = map->growth[here], b = map->growth[there];
        if (isnan (a) || isnan (b) || (a < 0.0) == (b < 0.0) || map->moving[here] ||
            map->moving[there])
          continue;
        add_boundary (mapper, (double[]){map->x[i], map->y[j]}, a,
                      (double[]){map->x[i1], map->y[j1]});
      }
}

static double *
copy (HlArena *arena, const double values[], int n)
{
  double *out = hl_arena_take (arena, n, sizeof *out);
  memcpy (out, values, (size_t)n * sizeof *out);
  return out;
}

HlStabilityMap *
hl_stability_map_new (const HlSystem *sys, const HlStabilityMapOptions *options, HlFault *fault)
{
  Mapper mapper = {.options = options};
  int cells = options->n_x * options->n_y;

  mapper.sweep = options->document != NULL
                     ? hl_sweep_point_new_of_document (options->document, options->start, fault)
                     : hl_sweep_point_new (sys, options->start, fault);
  if (mapper.sweep == NULL)
    return NULL;
  HlArena own = {0};
  HlStabilityMap *map = mapper.map = hl_arena_take (&own, 1, sizeof *map);
  HlArena *arena = &map->arena;
  *arena = own;
  map->n_x = options->n_x;
  map->n_y = options->n_y;
  map->x = copy (arena, options->x_values, options->n_x);
  map->y = copy (arena, options->y_values, options->n_y);
  map->growth = hl_arena_take (arena, cells, sizeof (double));
  map->damping = hl_arena_take (arena, cells, sizeof (double));
  map->moving = hl_arena_take (arena, cells, sizeof (bool));
  map->complete = true;
  for (int k = 0; k < cells; k++)
    map->growth[k] = map->damping[k] = NAN;
  for (int k = 0; k < cells && map->complete; k++) {
    if (options->progress != NULL && !options->progress ((double)k / cells, options->progress_data))
      map->complete = false;
    else {
      map->growth[k] = growth_at (&mapper, map->x[k % map->n_x], map->y[k / map->n_x],
                                  &map->damping[k], &map->moving[k]);
      map->n_moving += map->moving[k];
      map->n_done = k + 1;
    }
  }
  if (map->complete)
    find_boundary (&mapper);
  hl_sweep_point_free (mapper.sweep);
  return map;
}

void
hl_stability_map_free (HlStabilityMap *map)
{
  if (map == NULL)
    return;
  HlArena arena = map->arena;
  hl_arena_clear (&arena);
}

double *
hl_stability_map_table (const HlStabilityMap *map, int *n_rows)
{
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
