/* SPDX-License-Identifier: MIT */
/* Deletion filter: parts (joints, held coordinates) are left out, in blocks and then one by one;
 * what can be left out without the rest becoming possible is not part of the contradiction. It ends
 * with a round in which leaving out any part made the rest possible. That set is minimal, but
 * another one may have fewer parts: every smaller set that could conflict at all is tried, in large
 * islands among the bodies of the set that was found. */
#include "core/compile/hl-conflict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/mech/hl-assemble.h"

#define MANY_PARTS 24     /* every trial is an assembly: no search for a smaller set among more */
#define MOST_TRIALS 2000  /* assemblies in the search for a smaller set */
#define N_STARTS 4        /* poses from which a set is tried */
#define START_SPREAD 0.35 /* of the island's length, and in rad */
#define MOST_CONFLICTS 8  /* told at once */

typedef struct
{
  HlArena arena; /* holds every array */
  const HlSystem *sys;
  const HlIsland *island;
  int n_parts, n_joints;
  int *part;  /* n_joints joints, then held global columns */
  bool *told; /* n_parts: in an earlier conflict */
  bool *kept; /* n_parts */
  double gap; /* of the last trial from the stated poses */
  int n_trials;
  /* scratch of a trial */
  int *rows;    /* n_rows of the island: those of a trial */
  int *touched; /* n_bodies of the mechanism + 1 */
  bool *fixed;  /* 3 n_bodies: columns that a trial holds */
  double *x;    /* 3 n_bodies: poses of a trial */
  HlFrame *frames;
} Filter;

/* Start `index` of the poses: 0 as stated, others a fixed way beside it. */
static void
set_start (Filter *f, int index)
{
  const HlMechanism *mech = &f->sys->mech;

  for (int c = 0; c < 3 * mech->n_bodies; c++) {
    double unit = c % 3 == 2 ? 1.0 : f->island->length;
    f->x[c] = mech->bodies[c / 3].pose[c % 3];
    if (index > 0 && !f->fixed[3 * mech->local_of_body[c / 3] + c % 3])
      f->x[c] += START_SPREAD * unit * sin (1.0 + 2.3 * index + 1.7 * c * index);
  }
  hl_mechanism_set_poses (mech, f->x, f->frames);
}

/* Whether what is kept can be assembled. */
static bool
is_possible (Filter *f)
{
  const HlMechanism *mech = &f->sys->mech;
  HlIsland part = *f->island;
  HlAssembly info;

  part.rows = f->rows;
  part.n_rows = 0;
  for (int k = 0; k < f->island->n_holonomic; k++) {
    int row = f->island->rows[k];
    for (int p = 0; p < f->n_joints; p++)
      if (f->kept[p] && f->part[p] == mech->rows[row].joint)
        part.rows[part.n_rows++] = row;
  }
  part.n_holonomic = part.n_rows;
  memset (f->fixed, 0, (size_t)(3 * mech->n_bodies) * sizeof (bool));
  for (int p = f->n_joints; p < f->n_parts; p++)
    if (f->kept[p])
      f->fixed[3 * mech->local_of_body[f->part[p] / 3] + f->part[p] % 3] = true;
  f->n_trials++;
  int n_starts = f->n_parts > MANY_PARTS ? 1 : N_STARTS;
  for (int start = 0; start < n_starts; start++) {
    set_start (f, start);
    if (hl_island_assemble (mech, &part, f->fixed, f->x, f->frames, &info) == HL_OK)
      return true;
    if (start == 0)
      f->gap = info.residual;
  }
  return false;
}

/* ---- the filter ---- */

/* Part at place k of an order: 0 from the first, 1 from the last, 2 from the middle on. */
static int
part_at (const Filter *f, int order, int k)
{
  int n = f->n_parts;
  return order == 0 ? k : order == 1 ? n - 1 - k : (k + n / 2) % n;
}

/* Leaves out the kept ones of a block of places if the rest stays impossible; how many went. */
static int
leave_out (Filter *f, int order, int first, int length)
{
  bool *before = malloc ((size_t)f->n_parts * sizeof *before);
  int count = 0;

  memcpy (before, f->kept, (size_t)f->n_parts * sizeof *before);
  for (int k = first; k < first + length && k < f->n_parts; k++) {
    int p = part_at (f, order, k);
    count += f->kept[p];
    f->kept[p] = false;
  }
  if (count > 0 && is_possible (f)) {
    memcpy (f->kept, before, (size_t)f->n_parts * sizeof *before);
    count = 0;
  }
  free (before);
  return count;
}

/* Returns how many are kept. */
static int
filter_once (Filter *f, int order)
{
  int left = 0, gone = 0;

  for (int p = 0; p < f->n_parts; p++) {
    f->kept[p] = !f->told[p];
    left += f->kept[p];
  }
  for (int length = (f->n_parts + 1) / 2;; length = (length + 1) / 2) {
    gone = 0;
    for (int first = 0; first < f->n_parts; first += length)
      gone += leave_out (f, order, first, length);
    left -= gone;
    if (length == 1 && gone == 0)
      return left;
  }
}

/* ---- smaller sets ---- */

static void
touch (Filter *f, int body, int change)
{
  if (body >= 0)
    f->touched[body] += change;
}

static void
touch_part (Filter *f, int p, int change)
{
  if (p >= f->n_joints) {
    touch (f, f->part[p] / 3, change);
    return;
  }
  touch (f, f->sys->topology->joints[f->part[p]].body_i, change);
  touch (f, f->sys->topology->joints[f->part[p]].body_j, change);
}

/* A body that only one part touches follows that part: such a set has a smaller one, or none. */
static bool
could_conflict (const Filter *f)
{
  for (int body = 0; body < f->sys->mech.n_bodies; body++)
    if (f->touched[body] == 1)
      return false;
  return true;
}

/* Tries every set of `want` more parts from part p on; true when one conflicts: it is then kept. */
static bool
try_sets (Filter *f, int p, int want, bool any)
{
  if (want == 0)
    return (any || could_conflict (f)) && !is_possible (f);
  for (; p + want <= f->n_parts && f->n_trials < MOST_TRIALS; p++) {
    if (f->told[p])
      continue;
    f->kept[p] = true;
    touch_part (f, p, 1);
    bool found = try_sets (f, p + 1, want - 1, any);
    touch_part (f, p, -1);
    if (found)
      return true;
    f->kept[p] = false;
  }
  return false;
}

/* ---- one island ---- */

static void
filter_init (Filter *f, const HlSystem *sys, const HlIsland *island)
{
  const HlTopology *top = sys->topology;
  HlArena *arena = &f->arena;
  int most = top->n_joints + top->n_hold_coordinates, n_bodies = sys->mech.n_bodies;

  *f = (Filter){.sys = sys, .island = island};
  f->part = hl_arena_take (arena, most, sizeof (int));
  f->told = hl_arena_take (arena, most, sizeof (bool));
  f->kept = hl_arena_take (arena, most, sizeof (bool));
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
  f->rows = hl_arena_take (arena, island->n_rows, sizeof (int));
  f->touched = hl_arena_take (arena, n_bodies + 1, sizeof (int));
  f->fixed = hl_arena_take (arena, 3 * n_bodies, sizeof (bool));
  f->x = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  f->frames = hl_arena_take (arena, n_bodies + 1, sizeof (HlFrame));
}

static void
filter_clear (Filter *f)
{
  hl_arena_clear (&f->arena);
}

static void
take_over (Filter *f, HlConflict *conflict)
{
  free (conflict->joints);
  free (conflict->holds);
  *conflict = (HlConflict){0};
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

static bool
stands_among (const Filter *f, int body)
{
  return body < 0 || f->touched[body] > 0;
}

/* In a large island, looks no farther than the bodies of the set that is kept; false when there are
 * too many parts even so. Others count as told. */
static bool
narrow (Filter *f)
{
  int n_left = 0;

  for (int p = 0; p < f->n_parts; p++)
    if (f->kept[p])
      touch_part (f, p, 1);
  for (int p = 0; p < f->n_parts; p++) {
    const HlJoint *joint = p < f->n_joints ? &f->sys->topology->joints[f->part[p]] : NULL;
    bool is_among = joint != NULL
                        ? stands_among (f, joint->body_i) && stands_among (f, joint->body_j)
                        : stands_among (f, f->part[p] / 3);
    f->told[p] = f->told[p] || !is_among;
    n_left += !f->told[p];
  }
  memset (f->touched, 0, (size_t)f->sys->mech.n_bodies * sizeof *f->touched);
  return n_left <= MANY_PARTS;
}

/* The smallest conflict among the parts not told yet; false when these can be assembled. */
static bool
find_one (Filter *f, HlConflict *conflict)
{
  size_t bytes = (size_t)f->n_parts * sizeof (bool);
  bool *told = malloc (bytes + 1);

  memcpy (told, f->told, bytes);
  for (int p = 0; p < f->n_parts; p++)
    f->kept[p] = !f->told[p];
  if (is_possible (f)) {
    free (told);
    return false;
  }
  int fewest = filter_once (f, 0);
  take_over (f, conflict);
  bool searches = f->n_parts <= MANY_PARTS || narrow (f);
  for (int order = 1; order < 3 && searches; order++) {
    int n = filter_once (f, order);
    if (n >= fewest)
      continue;
    fewest = n;
    take_over (f, conflict);
  }
  f->n_trials = 0;
  for (int size = 1; searches && size < fewest; size++) {
    memset (f->kept, 0, (size_t)f->n_parts * sizeof (bool));
    if (!try_sets (f, 0, size, size == 1))
      continue;
    take_over (f, conflict);
    break;
  }
  memcpy (f->told, told, bytes);
  free (told);
  return true;
}

static void
mark_told (Filter *f, const HlConflict *conflict)
{
  for (int p = 0; p < f->n_parts; p++) {
    const int *list = p < f->n_joints ? conflict->joints : conflict->holds;
    int n = p < f->n_joints ? conflict->n_joints : conflict->n_holds;
    for (int k = 0; k < n; k++)
      f->told[p] = f->told[p] || list[k] == f->part[p];
  }
}

HlConflict *
hl_conflicts_find (const HlSystem *sys, int *n)
{
  HlConflict *conflicts = calloc (MOST_CONFLICTS, sizeof *conflicts);

  *n = 0;
  for (int k = 0; k < sys->mech.n_islands; k++) {
    Filter f;
    filter_init (&f, sys, &sys->mech.islands[k]);
    while (*n < MOST_CONFLICTS && find_one (&f, &conflicts[*n])) {
      mark_told (&f, &conflicts[*n]);
      (*n)++;
    }
    filter_clear (&f);
  }
  return conflicts;
}

void
hl_conflicts_free (HlConflict *conflicts, int n)
{
  for (int k = 0; k < n; k++) {
    free (conflicts[k].joints);
    free (conflicts[k].holds);
  }
  free (conflicts);
}
