/* SPDX-License-Identifier: MIT */
/* Deletion filter: parts (joints, held coordinates) are left out one after the other; what can be
 * left out without the rest becoming possible is not part of the contradiction. */
#include "core/analysis/hl-conflict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mech/hl-assemble.h"

/* Above this many parts a single order has to do: every trial is an assembly. */
#define MANY_PARTS 24

typedef struct
{
  const HlSystem *sys;
  const HlIsland *island;
  int n_parts, n_joints;
  int *part;  /* n_joints joints, then held global columns */
  bool *kept; /* n_parts */
  double gap; /* of the last trial */
  /* scratch of a trial */
  int *rows;
  bool *fixed;
  double *x, *start;
  HlFrame *frames;
} Filter;

/* Whether what is kept can be assembled from the stated poses. */
static bool
is_possible (Filter *f)
{
  const HlMechanism *mech = &f->sys->mech;
  HlIsland part = *f->island;
  HlAssembly info;

  part.rows = f->rows;
  part.n_rows = part.n_holonomic = 0;
  for (int k = 0; k < f->island->n_holonomic; k++) {
    int row = f->island->rows[k];
    for (int p = 0; p < f->n_joints; p++)
      if (f->kept[p] && f->part[p] == mech->rows[row].joint)
        part.rows[part.n_rows++] = row;
  }
  part.n_holonomic = part.n_rows;
  memset (f->fixed, 0, (size_t)(3 * part.n_bodies) * sizeof (bool));
  for (int p = f->n_joints; p < f->n_parts; p++)
    if (f->kept[p])
      f->fixed[3 * mech->local_of_body[f->part[p] / 3] + f->part[p] % 3] = true;
  memcpy (f->x, f->start, (size_t)(3 * mech->n_bodies) * sizeof (double));
  hl_mechanism_set_poses (mech, f->x, f->frames);
  bool possible = hl_island_assemble (mech, &part, f->fixed, f->x, f->frames, &info) == HL_OK;
  if (!possible)
    f->gap = info.residual;
  return possible;
}

/* One pass: order 0 from the first part on, 1 from the last, 2 held coordinates first and then
 * joints from the middle outwards. Returns how many are kept. */
static int
filter_once (Filter *f, int order)
{
  int left = f->n_parts;

  for (int p = 0; p < f->n_parts; p++)
    f->kept[p] = true;
  for (int k = 0; k < f->n_parts; k++) {
    int n = f->n_parts;
    int p = order == 0 ? k : order == 1 ? n - 1 - k : (k + n / 2) % n;
    f->kept[p] = false;
    if (is_possible (f))
      f->kept[p] = true;
    else
      left--;
  }
  return left;
}

static void
filter_init (Filter *f, const HlSystem *sys, const HlIsland *island)
{
  const HlTopology *top = sys->topology;
  size_t n = 3 * (size_t)sys->mech.n_bodies;

  *f = (Filter){.sys = sys, .island = island};
  f->part = calloc ((size_t)(top->n_joints + top->n_hold_coordinates) + 1, sizeof (int));
  f->kept = calloc ((size_t)(top->n_joints + top->n_hold_coordinates) + 1, sizeof (bool));
  for (int k = 0; k < island->n_holonomic; k++) {
    int joint = sys->mech.rows[island->rows[k]].joint;
    if (f->n_joints == 0 || f->part[f->n_joints - 1] != joint)
      f->part[f->n_joints++] = joint; /* the rows of a joint stand together */
  }
  f->n_parts = f->n_joints;
  for (int k = 0; k < top->n_hold_coordinates; k++) {
    int column = top->hold_coordinates[k];
    if (&sys->mech.islands[sys->mech.island_of_body[column / 3]] == island)
      f->part[f->n_parts++] = column;
  }
  f->rows = calloc ((size_t)island->n_rows + 1, sizeof (int));
  f->fixed = calloc (3 * (size_t)island->n_bodies + 1, sizeof (bool));
  f->x = calloc (n + 1, sizeof (double));
  f->start = calloc (n + 1, sizeof (double));
  f->frames = calloc ((size_t)sys->mech.n_bodies + 1, sizeof (HlFrame));
  for (size_t k = 0; k < n; k++)
    f->start[k] = sys->mech.bodies[k / 3].pose[k % 3];
}

static void
filter_clear (Filter *f)
{
  void *parts[] = {f->part, f->kept, f->rows, f->fixed, f->x, f->start, f->frames};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
}

static void
take_over (Filter *f, HlConflict *conflict)
{
  hl_conflict_clear (conflict);
  conflict->joints = calloc ((size_t)f->n_parts + 1, sizeof (int));
  conflict->holds = calloc ((size_t)f->n_parts + 1, sizeof (int));
  for (int p = 0; p < f->n_parts; p++)
    if (f->kept[p] && p < f->n_joints)
      conflict->joints[conflict->n_joints++] = f->part[p];
    else if (f->kept[p])
      conflict->holds[conflict->n_holds++] = f->part[p];
  is_possible (f);
  conflict->gap = f->gap;
}

void
hl_conflict_find (const HlSystem *sys, int worst, HlConflict *conflict)
{
  const HlMechanism *mech = &sys->mech;
  const HlJoint *joint = &sys->topology->joints[worst];
  int body = joint->body_i >= 0 ? joint->body_i : joint->body_j, fewest = 0;
  Filter f;

  *conflict = (HlConflict){0};
  if (body < 0)
    return;
  filter_init (&f, sys, &mech->islands[mech->island_of_body[body]]);
  int n_orders = f.n_parts > MANY_PARTS ? 1 : 3;
  for (int order = 0; order < n_orders; order++) {
    int n = filter_once (&f, order);
    if (order > 0 && n >= fewest)
      continue;
    fewest = n;
    take_over (&f, conflict);
  }
  filter_clear (&f);
}

void
hl_conflict_clear (HlConflict *conflict)
{
  free (conflict->joints);
  free (conflict->holds);
  *conflict = (HlConflict){0};
}
