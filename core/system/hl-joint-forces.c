/* SPDX-License-Identifier: MIT */
/* Joint forces of redundant linkages (theory/linearization.md (37)). The reduced equations keep as
 * many rows as count and give the others no force; which ones that are is an accident of the
 * partition, so what people see is spread over all of them. */
#include "core/mech/hl-least-norm.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

HlStatus hl_dynamics_joint_forces (const HlSystem *sys, HlWork *work) {
  const HlMechanism *mech = &sys->mech;
  HlStatus status = HL_OK;

  hl_dynamics_accelerations (sys, work);
  for (int k = 0; k < mech->n_islands && status == HL_OK; k++) {
    const HlIsland *island = &mech->islands[k];
    const HlIslandWork *iw = work->islands[k];

    if (iw->m + iw->l == iw->n_rows)
      continue;
    for (int row = 0; row < iw->n_rows; row++)
      work->row_rhs[row] = work->lambda[island->rows[row]];
    status = hl_island_least_norm (mech, island, iw, work->row_rhs);
    for (int row = 0; row < iw->n_rows; row++)
      work->lambda[island->rows[row]] = work->row_rhs[row];
  }
  return status;
}
