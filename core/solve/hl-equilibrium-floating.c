/* SPDX-License-Identifier: MIT */
/* Bodies that fall: joined to nothing that stands, with nothing but gravity on them. Nowhere do the
 * forces on such a body balance, so it is told before one looks for a place. */
#include <math.h>

#include "core/solve/hl-equilibrium-private.h"
#include "core/system/hl-system-private.h"

static bool acts_on (const HlSystem *sys, int body_i, int body_j, int island) {
  return (body_i >= 0 && sys->mech.island_of_body[body_i] == island) ||
         (body_j >= 0 && sys->mech.island_of_body[body_j] == island);
}

static bool is_on_ground (const HlSystem *sys, const HlIsland *island) {
  for (int row = 0; row < island->n_rows; row++) {
    const HlRow *at = &sys->mech.rows[island->rows[row]];
    if (at->body_i < 0 || at->body_j < 0)
      return true;
  }
  return false;
}

/* A spring, a force, a tyre or a cylinder may hold it up. */
static bool is_acted_on (const HlSystem *sys, int island) {
  for (int k = 0; k < sys->topology->n_names[HL_ENTITY_LOAD]; k++)
    if (acts_on (sys, sys->mech.loads[k].body_i, sys->mech.loads[k].body_j, island))
      return true;
  for (int k = 0; k < sys->n_cylinders; k++)
    if (acts_on (sys, sys->cylinders[k].body_i, sys->cylinders[k].body_j, island))
      return true;
  return false;
}

HlStatus hl_equilibrium_check_floating (const HlSystem *sys, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;

  if (hypot (mech->gravity[0], mech->gravity[1]) == 0.0)
    return HL_OK;
  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    if (is_on_ground (sys, island) || is_acted_on (sys, k))
      continue;
    hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_BODY, island->bodies[0], NAN);
    if (fault != NULL) {
      fault->why = island->n_rows == 0
                       ? HL_TEXT ("it is joined to nothing, so it falls and has no equilibrium")
                       : HL_TEXT ("neither it nor what it is joined to is joined to the ground, so "
                                  "they fall and have no equilibrium");
      fault->mend = HL_TEXT ("join it to the ground or to a body that stands, or let the run start "
                             "as given");
    }
    return HL_NO_CONVERGENCE;
  }
  return HL_OK;
}
