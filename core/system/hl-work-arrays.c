/* SPDX-License-Identifier: MIT */
/* Scratch of one run, the partition over all islands, and the state vector of the reduced form. */
#include "core/system/hl-system-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-linkage-stages.h"
#include "core/mech/hl-island-sparse.h"
#include "core/system/hl-run-frame.h"

/* The partition is chosen anew when its spread has grown by this factor since it was chosen. */
#define WORN_FACTOR 6.0

HlWork *hl_work_new (const HlSystem *sys) {
  HlArena own = hl_arena_beside (&sys->arena);
  HlWork *work = hl_arena_take (&own, 1, sizeof *work);
  HlArena *arena = &work->arena;
  const HlMechanism *mech = &sys->mech;
  int n = 3 * mech->n_bodies, widest = 0, most_rows = 0;

  *arena = own;
  work->n_islands = mech->n_islands;
  work->n_signals = sys->n_signals;
  work->n = n;
  work->r = sys->n_pressures;
  work->u = sys->topology->n_states_u;
  int n_states_max = 3 * n + work->r + work->u;
  work->islands = hl_arena_take (arena, mech->n_islands, sizeof (HlIslandWork *));
  work->ai_state = hl_arena_take (arena, mech->n_islands, sizeof (int *));
  work->ad_state = hl_arena_take (arena, mech->n_islands, sizeof (int *));
  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    work->islands[k] = hl_island_work_new_beside (arena, island);
    work->ai_state[k] = hl_arena_take (arena, 3 * island->n_bodies, sizeof (int));
    work->ad_state[k] = hl_arena_take (arena, 3 * island->n_bodies, sizeof (int));
    widest = 3 * island->n_bodies > widest ? 3 * island->n_bodies : widest;
    most_rows = island->n_rows > most_rows ? island->n_rows : most_rows;
  }
  int **index_lists[] = {&work->ai_column, &work->ad_column, &work->ai_island,
                         &work->ai_slot,   &work->ad_island, &work->ad_slot};
  for (size_t k = 0; k < sizeof index_lists / sizeof index_lists[0]; k++)
    *index_lists[k] = hl_arena_take (arena, n, sizeof (int));
  double **vectors[] = {&work->x,    &work->v,       &work->a,  &work->force, &work->v_ai,
                        &work->a_ai, &work->a_state, &work->dx, &work->dv,    &work->dq};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = hl_arena_take (arena, n, sizeof (double));
  work->frames = hl_arena_take (arena, mech->n_bodies + 1, sizeof (HlFrame));
  hl_run_frame_settle (sys, work, NULL);
  work->node_p = hl_arena_take (arena, sys->n_nodes, sizeof (double));
  work->component_u = hl_arena_take (arena, work->u, sizeof (double));
  work->signal_values = hl_arena_take (arena, sys->n_signals, sizeof (double));
  work->spread = hl_arena_take (arena, sys->n_signals, sizeof (double));
  work->segments = hl_arena_take (arena, sys->n_signals, sizeof (int));
  work->n_stores = sys->topology->n_stores;
  work->pieces = hl_arena_take (arena, work->n_stores, sizeof (int));
  if (sys->topology->n_heard > 0 || sys->topology->n_measures > 0) {
    const HlTopology *top = sys->topology;
    int along = top->n_measures + sys->n_pressures + 2 * work->u + sys->n_signals;
    work->measured = hl_arena_take (arena, top->n_measures, sizeof (double));
    work->along = hl_arena_take (arena, along, sizeof (double));
    work->effect = hl_arena_take (arena, top->n_heard * n_states_max, sizeof (double));
  }
  work->load_values = hl_arena_take (arena, mech->n_loads, sizeof (double));
  work->local_q = hl_arena_take (arena, widest, sizeof (double));
  work->local_a = hl_arena_take (arena, widest, sizeof (double));
  work->local_z = hl_arena_take (arena, widest, sizeof (double));
  work->cylinders = hl_arena_take (arena, sys->n_cylinders, sizeof (HlCylinderState));
  work->flow = hl_arena_take (arena, sys->topology->n_branches, sizeof (double));
  work->law_d = hl_arena_take (arena, sys->topology->n_d, sizeof (double));
  work->net = hl_arena_take (arena, sys->n_nodes, sizeof (double));
  work->compliance = hl_arena_take (arena, sys->n_nodes, sizeof (double));
  work->compliance_dp = hl_arena_take (arena, sys->n_nodes, sizeof (double));
  work->liquid = hl_arena_take (arena, sys->n_nodes, sizeof (double));
  work->volume = hl_arena_take (arena, sys->n_nodes, sizeof (double));
  work->air = hl_arena_take (arena, sys->n_nodes, sizeof (double));
  work->lambda = hl_arena_take (arena, mech->n_rows, sizeof (double));
  work->input_drive = hl_arena_take (arena, 3 * mech->n_rows, sizeof (double));
  work->row_tangents = hl_arena_take (arena, mech->n_rows, sizeof (HlRowTangent));
  work->load_tangents = hl_arena_take (arena, mech->n_loads, sizeof (HlLoadTangent));
  work->row_rhs = hl_arena_take (arena, most_rows, sizeof (double));
  work->column = hl_arena_take (arena, 2 * n_states_max, sizeof (double));
  work->island_touched = hl_arena_take (arena, mech->n_islands, sizeof (bool));
  return work;
}

void hl_work_set_cancel (HlWork *work, bool (*cancel) (void *data), void *data) {
  work->cancel = cancel;
  work->cancel_data = data;
  for (int k = 0; k < work->n_islands; k++) {
    work->islands[k]->cancel = cancel;
    work->islands[k]->cancel_data = data;
  }
}

void hl_work_free (HlWork *work) {
  if (work == NULL)
    return;
  hl_work_look_back (work);
  hl_work_free (work->aside);
  for (int k = 0; k < work->n_islands; k++)
    hl_island_work_free (work->islands[k]);
  HlArena arena = work->arena;
  hl_arena_clear (&arena);
}

void hl_work_make_aside (const HlSystem *sys, HlWork *work) {
  for (int k = 0; k < work->n_islands; k++)
    if (work->islands[k]->large != NULL)
      return;
  if (work->aside == NULL)
    work->aside = hl_work_new (sys);
}

bool hl_work_has_aside (const HlWork *work) {
  return work->aside != NULL;
}

static void copy_ints (const int from[], int n, int to[]) {
  memcpy (to, from, (size_t)n * sizeof (int));
}

/* Copies the partition. */
static void copy_partition (const HlWork *from, HlWork *to) {
  to->n_choices = from->n_choices;
  to->f = from->f;
  to->l = from->l;
  to->n_states = from->n_states;
  copy_ints (from->ai_column, from->f, to->ai_column);
  copy_ints (from->ad_column, from->l, to->ad_column);
  copy_ints (from->ai_island, from->f, to->ai_island);
  copy_ints (from->ai_slot, from->f, to->ai_slot);
  copy_ints (from->ad_island, from->l, to->ad_island);
  copy_ints (from->ad_slot, from->l, to->ad_slot);
  for (int k = 0; k < from->n_islands; k++) {
    copy_ints (from->ai_state[k], from->islands[k]->f, to->ai_state[k]);
    copy_ints (from->ad_state[k], from->islands[k]->l, to->ad_state[k]);
  }
}

/* Exchanges all data except the flags. */
static void change_places (HlWork *work) {
  HlWork *aside = work->aside, was = *work;
  bool is_aside = work->is_aside;

  *work = *aside;
  *aside = was;
  work->n_rhs = aside->n_rhs;
  work->n_jac = aside->n_jac;
  work->aside = aside;
  aside->aside = NULL;
  work->is_aside = !is_aside;
  aside->is_aside = false;
}

void hl_work_look_aside (HlWork *work) {
  HlWork *aside = work->aside;

  if (aside == NULL || work->is_aside)
    return;
  if (aside->n_choices != work->n_choices)
    copy_partition (work, aside);
  for (int k = 0; k < work->n_islands; k++)
    hl_island_stand_as (work->islands[k], aside->islands[k]);
  copy_ints (work->segments, work->n_signals, aside->segments);
  copy_ints (work->pieces, work->n_stores, aside->pieces);
  aside->frames[0] = work->frames[0];
  aside->drives_rest = work->drives_rest;
  aside->cancel = work->cancel;
  aside->cancel_data = work->cancel_data;
  change_places (work);
}

void hl_work_look_back (HlWork *work) {
  if (work->is_aside)
    change_places (work);
}

void hl_work_save_stand (HlWork *work) {
  for (int k = 0; k < work->n_islands && work->aside != NULL; k++)
    hl_island_stand_as (work->islands[k], work->aside->islands[k]);
}

void hl_work_restore_stand (HlWork *work) {
  for (int k = 0; k < work->n_islands && work->aside != NULL; k++)
    hl_island_stand_as (work->aside->islands[k], work->islands[k]);
}

void hl_work_forget_poses (HlWork *work) {
  for (int k = 0; k < work->n_islands; k++)
    hl_island_forget (work->islands[k]);
}

int hl_work_n_states (const HlWork *work) {
  return work->n_states;
}

/* Merges the islands' choices into lists ordered by global column. */
static void number_states (const HlSystem *sys, HlWork *work) {
  HlArena scratch = hl_arena_beside (&work->arena);
  int *slot =
      hl_arena_take (&scratch, work->n, sizeof *slot); /* of a column, of ai 1 ... f, of ad -1 ... -l */

  for (int k = 0; k < work->n_islands; k++) {
    const HlIslandWork *iw = work->islands[k];
    const int *bodies = sys->mech.islands[k].bodies;

    for (int j = 0; j < iw->f; j++)
      slot[3 * bodies[iw->ai[j] / 3] + iw->ai[j] % 3] = 1 + j;
    for (int j = 0; j < iw->l; j++)
      slot[3 * bodies[iw->ad[j] / 3] + iw->ad[j] % 3] = -1 - j;
  }
  work->f = work->l = 0;
  for (int column = 0; column < work->n; column++) {
    int k = sys->mech.island_of_body[column / 3], j = abs (slot[column]) - 1;

    if (slot[column] > 0) {
      work->ai_column[work->f] = column;
      work->ai_island[work->f] = k;
      work->ai_slot[work->f] = j;
      work->ai_state[k][j] = work->f++;
    } else if (slot[column] < 0) {
      work->ad_column[work->l] = column;
      work->ad_island[work->l] = k;
      work->ad_slot[work->l] = j;
      work->ad_state[k][j] = work->l++;
    }
  }
  work->n_states = 2 * work->f + work->l + work->r + work->u;
  hl_arena_clear (&scratch);
}

/* Columns that are to be independent, island by island, in columns of the island; the forced ones come first. */
typedef struct {
  int *first;    /* n_islands + 1 */
  int *n_forced; /* n_islands */
  int *column;   /* first[n_islands] */
} WishedColumns;

static WishedColumns sort_preferences (const HlMechanism *mech, const int forced[], int n_forced,
                                       const int prefer[], int n_prefer, HlArena *scratch) {
  int n = n_forced + n_prefer;
  WishedColumns wished = {hl_arena_take (scratch, mech->n_islands + 2, sizeof (int)),
                          hl_arena_take (scratch, mech->n_islands + 1, sizeof (int)),
                          hl_arena_take (scratch, n, sizeof (int))};
  int *end = wished.first + 1; /* where an island's begin, and once they are in where they end */

  for (int j = 0; j < n; j++)
    wished.first[mech->island_of_body[(j < n_forced ? forced[j] : prefer[j - n_forced]) / 3] + 2]++;
  for (int k = 0; k < mech->n_islands; k++)
    wished.first[k + 1] += wished.first[k];
  for (int j = 0; j < n; j++) {
    int column = j < n_forced ? forced[j] : prefer[j - n_forced], k = mech->island_of_body[column / 3];
    wished.column[end[k]++] = 3 * mech->local_of_body[column / 3] + column % 3;
    wished.n_forced[k] += j < n_forced;
  }
  return wished;
}

HlStatus hl_partition_choose (const HlSystem *sys, HlWork *work, const double x[], HlPartitionRule rule,
                              const int columns[], int n_columns, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;
  const HlTopology *top = sys->topology;
  HlArena scratch = hl_arena_beside (&work->arena);
  /* by the pivots alone nothing is preferred, and nothing is taken */
  bool wishes = rule == HL_PARTITION_PREFERRED;
  WishedColumns wished = {0};
  HlStatus status = HL_OK;

  if (wishes)
    wished = sort_preferences (mech, columns, n_columns, top->prefer, top->n_prefer, &scratch);
  for (int column = 0; column < work->n; column++)
    work->x[column] = hl_run_frame_position (work, x, column);
  hl_mechanism_set_body_poses (mech, work->x, work->frames);
  for (int k = 0; k < mech->n_islands && status == HL_OK; k++) {
    const HlIsland *island = &mech->islands[k];
    status = hl_island_choose (mech, island, work->frames, wishes ? wished.column + wished.first[k] : NULL,
                               wishes ? wished.first[k + 1] - wished.first[k] : -1,
                               wishes ? wished.n_forced[k] : 0, work->islands[k]);
    if (status != HL_OK)
      hl_fault_set (fault, status, HL_ENTITY_BODY, island->bodies[0], 0.0);
  }
  hl_arena_clear (&scratch);
  number_states (sys, work);
  work->n_choices++;
  return status;
}

bool hl_partition_is_worn (const HlSystem *sys, const HlWork *work) {
  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIslandWork *iw = work->islands[k];
    if (iw->m + iw->l > 0 && (iw->sparse == NULL || hl_island_sparse_is_due (iw)) &&
        hl_island_spread (&sys->mech.islands[k], iw) > WORN_FACTOR * iw->spread)
      return true;
  }
  return false;
}

void hl_state_pack (const HlSystem *sys, const HlWork *work, const HlPoint *point, double y[]) {
  for (int k = 0; k < work->f; k++) {
    y[k] = hl_run_frame_position (work, point->x, work->ai_column[k]);
    y[hl_off_v (work) + k] = hl_run_frame_velocity (work, point->v, work->ai_column[k]);
  }
  for (int k = 0; k < work->l; k++)
    y[hl_off_ad (work) + k] = hl_run_frame_position (work, point->x, work->ad_column[k]);
  memcpy (y + hl_off_p (work), point->p, (size_t)work->r * sizeof (double));
  memcpy (y + hl_off_u (work), point->u, (size_t)work->u * sizeof (double));
  (void)sys;
}
