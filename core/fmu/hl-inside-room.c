/* SPDX-License-Identifier: MIT */
/* Memory of an instance: whether there is enough, and what is asked for before it is needed. */
#include "core/fmu/hl-inside-model.h"

#include "core/mech/hl-island-private.h"

#define ROOM ((size_t)1 << 21) /* what the C library takes at once, and all that is small [B] */
#define ARRAYS 96              /* n x n each, at most */

static bool hl_model_has_room (void) {
  const HlSystem *sys = &hl_model_system;
  const HlTopology *top = sys->topology;
  size_t n =
      (size_t)(3 * sys->mech.n_bodies + sys->mech.n_rows + sys->n_pressures + top->n_states_u +
               top->n_inputs + top->n_branches + 2 * sys->n_lines + 3 * sys->n_cylinders + sys->n_signals);
  /* volatile: a compiler that sees it freed at once would take it for granted */
  void *volatile room =
      malloc (ROOM + ARRAYS * n * n * sizeof (double) + (size_t)hl_model_n_slots * 8 * sizeof (double));

  bool has = room != NULL;
  free (room);
  return has;
}

static void hl_model_take_early (HlModel *m) {
  for (int k = 0; k < m->work->n_islands; k++) {
    HlIslandWork *iw = m->work->islands[k];
    int side = iw->n > iw->n_rows ? iw->n : iw->n_rows;
    if (iw->n_rows == 0)
      continue;
    hl_model_take_early_sparse (iw);
    hl_island_bridge_make (&m->sys->mech, &m->sys->mech.islands[k], iw);
    HlArena scratch = hl_arena_beside (&iw->arena);
    hl_arena_take (&scratch, iw->n * iw->n_rows, sizeof (double));
    hl_arena_take (&scratch, side, sizeof (double));
    hl_linalg_work_free (hl_linalg_work_new_beside (&scratch, side, side));
    hl_arena_clear (&scratch);
  }
}
