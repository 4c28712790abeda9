/* SPDX-License-Identifier: MIT */
/* Exact derivatives of the constraint forces along a motion of the whole machine
 * (theory/linearization.md (20), (38)). From M a + D^T Lam = Q follows
 *
 *   D^T dLam = dQ - d(M a0)/dx . dx - d(D^T Lam0)/dx . dx - M da
 *   da       = T da_ai + dgamma
 *
 * with dgamma as in hl-jacobian.c; its rows are solved for dLam as those of Lam are. */
#include "core/system/hl-dynamics.h"

#include <math.h>
#include <string.h>

#include "core/system/hl-jacobian-private.h"
#include "core/system/hl-observable-eval.h"

static double pressure_change (const HlSystem *sys, int node, const HlMotion *motion) {
  if (node < 0)
    return 0.0;
  if (sys->nodes[node].state >= 0)
    return motion->dp[sys->nodes[node].state];
  return node == motion->given ? motion->dgiven : 0.0;
}

static void add_cylinders (const HlSystem *sys, HlWork *work, const HlMotion *motion) {
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    const HlCylinderState *state = &work->cylinders[k];
    double dx6[6], dv6[6], q6[6], ds = 0.0, d_rate = 0.0;

    hl_gather6 (work->dx, cyl->body_i, cyl->body_j, dx6);
    hl_gather6 (work->dv, cyl->body_i, cyl->body_j, dv6);
    for (int c = 0; c < 6; c++) {
      ds += state->length.grad[c] * dx6[c];
      d_rate += state->hess_v[c] * dx6[c] + state->length.grad[c] * dv6[c];
    }
    double push = cyl->area_a * pressure_change (sys, cyl->node_a, motion) -
                  cyl->area_b * pressure_change (sys, cyl->node_b, motion) -
                  (state->friction_slope + state->stop.damping) * d_rate - state->stop.stiffness * ds;
    const HlComponent *component = &sys->components[cyl->component];
    for (int at = 0; at < component->n_states; at++)
      push += hl_jacobian_push_by_state (sys, work, component, at) * motion->du[component->first_state + at];
    for (int c = 0; c < 6; c++) {
      q6[c] = push * state->length.grad[c];
      for (int j = 0; j < 6; j++)
        q6[c] += state->force * state->hess[6 * c + j] * dx6[j];
    }
    hl_scatter6 (q6, cyl->body_i, cyl->body_j, work->dq);
  }
}

static void add_signals (const HlSystem *sys, HlWork *work, const HlMotion *motion) {
  for (int k = 0; k < sys->mech.n_loads; k++) {
    const HlLoad *load = &sys->mech.loads[k];
    double q6[6];

    if (load->signal < 0 || motion->dsignal[load->signal] == 0.0)
      continue;
    hl_load_input (load, hl_work_frame (work, load->body_i), hl_work_frame (work, load->body_j), q6);
    for (int c = 0; c < 6; c++)
      q6[c] *= motion->dsignal[load->signal];
    hl_scatter6 (q6, load->body_i, -1, work->dq);
  }
}

/* Solves one island; work->dq holds all other forces. drive as in HlMotion. */
static void solve (const HlSystem *sys, HlWork *work, int k, const double da_ai[], const double drive[],
                   double dlambda[]) {
  const HlMechanism *mech = &sys->mech;
  const HlIsland *island = &mech->islands[k];
  HlIslandWork *iw = work->islands[k];
  HlMoved all = hl_moved_all (island);
  double *da = work->local_a, *r = work->local_z, gravity[2];

  hl_jacobian_acceleration_products (sys, work, island, &all);
  for (int row = 0; drive != NULL && row < island->n_rows; row++)
    work->row_rhs[row] += drive[3 * island->rows[row] + 2];
  hl_island_dependent_solve (iw, work->row_rhs, da);
  for (int j = 0; j < iw->f; j++)
    work->v_ai[j] = da_ai[work->ai_state[k][j]];
  hl_island_admit (iw, work->v_ai, r);
  for (int row = 0; row < iw->n; row++)
    da[row] += r[row];
  hl_jacobian_constraint_forces (sys, work, island, &all);
  hl_mechanism_gravity (mech, work->frames, gravity);
  for (int b = 0; b < island->n_bodies; b++) {
    int body = island->bodies[b];
    hl_body_force_tangent (&mech->bodies[body], gravity, hl_work_frame (work, body), work->dx + 3 * body,
                           work->dv + 3 * body, work->dq + 3 * body);
  }
  hl_island_mass_times (mech, island, work->frames, da, r);
  for (int row = 0; row < iw->n; row++)
    r[row] = work->dq[3 * island->bodies[row / 3] + row % 3] - r[row];
  hl_island_multipliers (iw, r, work->row_rhs);
  /* forces of more rows than count are shared out by a rule that itself moves */
  for (int row = 0; row < iw->n_rows; row++)
    dlambda[island->rows[row]] = iw->m + iw->l == iw->n_rows ? work->row_rhs[row] : NAN;
}

void hl_reaction_tangent (const HlSystem *sys, HlWork *work, const HlMotion *motion, const double da_ai[],
                          double dlambda[]) {
  size_t bytes = (size_t)work->n * sizeof (double);

  memcpy (work->dx, motion->dx, bytes);
  memcpy (work->dv, motion->dv, bytes);
  for (int k = 0; k < sys->mech.n_loads; k++)
    hl_jacobian_load_force (sys, work, k);
  add_cylinders (sys, work, motion);
  add_signals (sys, work, motion);
  for (int k = 0; k < sys->mech.n_islands; k++)
    solve (sys, work, k, da_ai, motion->drive, dlambda);
  memset (work->dx, 0, bytes);
  memset (work->dv, 0, bytes);
  memset (work->dq, 0, bytes);
}
