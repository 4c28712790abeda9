/* SPDX-License-Identifier: MIT */
/* The planar system behind the functions of hl-constrained-system-linearization.h. Values come from one evaluation in
 * all coordinates; derivatives from the tangents of rows, loads, cylinders and flows, contracted
 * along one direction (dx, dv, dz), as in hl-jacobian.c:
 *
 *   dQ' = Q_x . dx + Q_v . dv + Q_z . dz - d(M a0)/dx . dx - d(D^T Lam0)/dx . dx
 *   dp' = (dnet - p' dC)/C
 *
 * (theory/linearization.md (19), theory/hydraulics.md (7)). */
#include "tests/support/hl-planar-constrained-system.h"

#include <stdlib.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

struct HlConstrainedPlanar {
  HlConstrained base;
  const HlSystem *sys;
  HlWork *work;
  int *rows;            /* m + l: rows of the mechanism */
  double *a;            /* n: discarded accelerations */
  double *z_dot;        /* r + u */
  double *d_net;        /* n_nodes: change of the inflow */
  double *d_compliance; /* n_nodes */
  double *seed;         /* 2 n + r + u: the direction with its missing parts as zeros */
};

static HlStatus set_state (void *data, double t, const HlConstrainedState *state, HlFault *fault) {
  HlConstrainedPlanar *planar = data;
  int r = planar->base.r;
  HlFullState full = {.x = state->x, .v = state->v, .p = state->z, .u = state->z + r};
  HlFullRate rate = {.a = planar->a, .p_dot = planar->z_dot, .u_dot = planar->z_dot + r};

  planar->work->wants_slopes = true;
  HlStatus status = hl_dynamics_eval_full (planar->sys, t, &full, &rate, planar->work, fault);
  planar->work->wants_slopes = false;
  return status;
}

static void mass_times (void *data, const double y[], double out[]) {
  const HlConstrainedPlanar *planar = data;
  const HlMechanism *mech = &planar->sys->mech;

  for (int body = 0; body < mech->n_bodies; body++)
    hl_body_mass_times (&mech->bodies[body], hl_work_frame (planar->work, body), y + 3 * body,
                        out + 3 * body);
}

static void gradients (void *data, double D[]) {
  const HlConstrainedPlanar *planar = data;
  int c = planar->base.m + planar->base.l;

  memset (D, 0, (size_t)(c * planar->base.n) * sizeof (double));
  for (int k = 0; k < c; k++) {
    const HlRow *row = &planar->sys->mech.rows[planar->rows[k]];
    double grad[6];
    hl_row_gradient (row, hl_work_frame (planar->work, row->body_i),
                     hl_work_frame (planar->work, row->body_j), grad);
    for (int i = 0; i < 3; i++) {
      if (row->body_i >= 0)
        D[(3 * row->body_i + i) * c + k] += grad[i];
      if (row->body_j >= 0)
        D[(3 * row->body_j + i) * c + k] += grad[3 + i];
    }
  }
}

static void forces (void *data, double Q[]) {
  const HlConstrainedPlanar *planar = data;

  memcpy (Q, planar->work->force, (size_t)planar->base.n * sizeof (double));
}

static void bias (void *data, double d[]) {
  const HlConstrainedPlanar *planar = data;

  for (int k = 0; k < planar->base.m + planar->base.l; k++) {
    const HlRow *row = &planar->sys->mech.rows[planar->rows[k]];
    d[k] = hl_row_bias (row, hl_work_frame (planar->work, row->body_i),
                        hl_work_frame (planar->work, row->body_j));
  }
}

static void rates (void *data, double h[]) {
  const HlConstrainedPlanar *planar = data;

  memcpy (h, planar->z_dot, (size_t)(planar->base.r + planar->base.u) * sizeof (double));
}

static void set_motion (void *data, const double a[], const double lambda[]) {
  const HlConstrainedPlanar *planar = data;
  HlWork *work = planar->work;

  hl_mechanism_set_accelerations (&planar->sys->mech, a, work->frames);
  memset (work->lambda, 0, (size_t)planar->sys->mech.n_rows * sizeof (double));
  for (int k = 0; k < planar->base.m + planar->base.l; k++)
    work->lambda[planar->rows[k]] = lambda[k];
  hl_jacobian_prepare (planar->sys, work);
}

static double dot6 (const double a[6], const double b[6]) {
  double sum = 0.0;

  for (int k = 0; k < 6; k++)
    sum += a[k] * b[k];
  return sum;
}

/* Keeps the two angles of a row of coinciding points and clears its other entries. */
static void keep_angles (double row[6]) {
  row[0] = row[1] = row[3] = row[4] = 0.0;
}

static void row_tangent (const HlConstrainedPlanar *planar, int k, const double dx[], const double dv[],
                         HlConstrainedTangent *out) {
  const HlRow *row = &planar->sys->mech.rows[planar->rows[k]];
  HlRowTangent tangent = planar->work->row_tangents[planar->rows[k]];
  double dx6[6], dv6[6], q6[6];

  hl_gather6 (dx, row->body_i, row->body_j, dx6);
  hl_gather6 (dv, row->body_i, row->body_j, dv6);
  if (tangent.angles_only) {
    keep_angles (tangent.dv_dx);
    keep_angles (tangent.acc_dx);
    keep_angles (tangent.acc_dv);
    double ii = tangent.force[2 * 6 + 2], jj = tangent.force[5 * 6 + 5];
    memset (tangent.force, 0, sizeof tangent.force);
    tangent.force[2 * 6 + 2] = ii;
    tangent.force[5 * 6 + 5] = jj;
  }
  out->velocity[k] = dot6 (tangent.dv_dx, dx6);
  out->acceleration[k] = dot6 (tangent.acc_dx, dx6) + dot6 (tangent.acc_dv, dv6);
  for (int i = 0; i < 6; i++)
    q6[i] = -dot6 (tangent.force + 6 * i, dx6);
  hl_scatter6 (q6, row->body_i, row->body_j, out->force);
}

static void load_tangent (const HlConstrainedPlanar *planar, int k, const double dx[], const double dv[],
                          HlConstrainedTangent *out) {
  const HlLoad *load = &planar->sys->mech.loads[k];
  const HlLoadTangent *tangent = &planar->work->load_tangents[k];
  double dx6[6], dv6[6], q6[6];

  hl_gather6 (dx, load->body_i, load->body_j, dx6);
  hl_gather6 (dv, load->body_i, load->body_j, dv6);
  for (int i = 0; i < 6; i++)
    q6[i] = dot6 (tangent->Qx + 6 * i, dx6) + dot6 (tangent->Qv + 6 * i, dv6);
  hl_scatter6 (q6, load->body_i, load->body_j, out->force);
}

static double d_pressure (const HlConstrainedPlanar *planar, int node, const double dz[]) {
  int state = node >= 0 ? planar->sys->nodes[node].state : -1;

  return state >= 0 ? dz[state] : 0.0;
}

static void cylinder_tangent (const HlConstrainedPlanar *planar, int k, const double dx[], const double dv[],
                              const double dz[], HlConstrainedTangent *out) {
  const HlCylinder *cyl = &planar->sys->cylinders[k];
  const HlCylinderState *state = &planar->work->cylinders[k];
  double dx6[6], dv6[6], q6[6];

  hl_gather6 (dx, cyl->body_i, cyl->body_j, dx6);
  hl_gather6 (dv, cyl->body_i, cyl->body_j, dv6);
  double ds = dot6 (state->length.grad, dx6);
  double d_rate = dot6 (state->hess_v, dx6) + dot6 (state->length.grad, dv6);
  double d_force = -(state->friction_slope + state->stop.damping) * d_rate - state->stop.stiffness * ds +
                   cyl->area_a * d_pressure (planar, cyl->node_a, dz) -
                   cyl->area_b * d_pressure (planar, cyl->node_b, dz);
  for (int i = 0; i < 6; i++)
    q6[i] = state->force * dot6 (state->hess + 6 * i, dx6) + d_force * state->length.grad[i];
  hl_scatter6 (q6, cyl->body_i, cyl->body_j, out->force);
  if (cyl->node_a >= 0) {
    planar->d_net[cyl->node_a] -= cyl->area_a * d_rate;
    double softness = hl_chamber_compliance (planar->sys, planar->work, cyl, cyl->node_a);
    planar->d_compliance[cyl->node_a] += state->open_a ? cyl->area_a * softness * ds : 0.0;
  }
  if (cyl->node_b >= 0) {
    planar->d_net[cyl->node_b] += cyl->area_b * d_rate;
    double softness = hl_chamber_compliance (planar->sys, planar->work, cyl, cyl->node_b);
    planar->d_compliance[cyl->node_b] -= state->open_b ? cyl->area_b * softness * ds : 0.0;
  }
}

/* Computes the changes of the flows and of the rates of a component, by the derivatives of its law. */
static void law_tangent (const HlConstrainedPlanar *planar, const HlComponent *c, const double dz[],
                         double d_rates[]) {
  const HlBranch *branches = planar->sys->topology->branches + c->first_branch;
  const double *d = planar->work->law_d + c->first_d;
  int n_rows = hl_component_n_rows (c), n_ports = c->klass->kind.n_ports;

  for (int row = 0; row < n_rows; row++) {
    double change = 0.0;
    for (int port = 0; port < n_ports; port++)
      change += d[port * n_rows + row] * d_pressure (planar, c->node[port], dz);
    for (int k = 0; k < c->n_states; k++)
      change += d[(n_ports + k) * n_rows + row] * dz[planar->base.r + c->first_state + k];
    if (row >= c->n_branches) {
      d_rates[planar->base.r + c->first_state + row - c->n_branches] = change;
      continue;
    }
    if (branches[row].a >= 0)
      planar->d_net[branches[row].a] -= change;
    if (branches[row].b >= 0)
      planar->d_net[branches[row].b] += change;
  }
}

static void rate_tangents (const HlConstrainedPlanar *planar, const double dz[], double d_rates[]) {
  const HlSystem *sys = planar->sys;
  const HlWork *work = planar->work;

  for (int node = 0; node < sys->n_nodes; node++) {
    int state = sys->nodes[node].state;
    if (state < 0)
      continue;
    double beta = 1.0 / work->compliance[node];
    double d_compliance = planar->d_compliance[node] + work->compliance_dp[node] * dz[state];
    d_rates[state] = beta * (planar->d_net[node] - beta * work->net[node] * d_compliance);
  }
}

static void tangent (void *data, const HlConstrainedSeed *seed, HlConstrainedTangent *out) {
  const HlConstrainedPlanar *planar = data;
  const HlMechanism *mech = &planar->sys->mech;
  size_t n = (size_t)planar->base.n, z = (size_t)(planar->base.r + planar->base.u);
  double *dx = planar->seed, *dv = dx + n, *dz = dv + n;

  memset (planar->seed, 0, (2 * n + z) * sizeof (double));
  if (seed->dx != NULL)
    memcpy (dx, seed->dx, n * sizeof *dx);
  if (seed->dv != NULL)
    memcpy (dv, seed->dv, n * sizeof *dv);
  if (seed->dz != NULL)
    memcpy (dz, seed->dz, z * sizeof *dz);
  memset (out->force, 0, n * sizeof (double));
  memset (planar->d_net, 0, (size_t)planar->sys->n_nodes * sizeof (double));
  memset (planar->d_compliance, 0, (size_t)planar->sys->n_nodes * sizeof (double));
  double gravity[2];
  hl_mechanism_gravity (mech, planar->work->frames, gravity);
  for (int body = 0; body < mech->n_bodies; body++)
    hl_body_force_tangent (&mech->bodies[body], gravity, hl_work_frame (planar->work, body), dx + 3 * body,
                           dv + 3 * body, out->force + 3 * body);
  for (int k = 0; k < planar->base.m + planar->base.l; k++)
    row_tangent (planar, k, dx, dv, out);
  for (int k = 0; k < mech->n_loads; k++)
    load_tangent (planar, k, dx, dv, out);
  for (int k = 0; k < planar->sys->n_cylinders; k++)
    cylinder_tangent (planar, k, dx, dv, dz, out);
  for (int k = 0; k < planar->sys->topology->n_laws; k++)
    law_tangent (planar, &planar->sys->components[planar->sys->topology->laws[k]], dz, out->rates);
  rate_tangents (planar, dz, out->rates);
}

/* Lists the kept rows of all islands: the holonomic ones, then the others. */
static void list_rows (HlConstrainedPlanar *planar) {
  int k = 0;

  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < planar->work->n_islands; i++) {
      const HlIsland *island = &planar->sys->mech.islands[i];
      const HlIslandWork *iw = planar->work->islands[i];
      int from = pass == 0 ? 0 : iw->m, to = pass == 0 ? iw->m : iw->m + iw->l;
      for (int row = from; row < to; row++)
        planar->rows[k++] = island->rows[iw->kept[row]];
    }
}

HlConstrainedPlanar *hl_constrained_planar_new (const HlSystem *sys, HlWork *work) {
  HlConstrainedPlanar *planar = calloc (1, sizeof *planar);
  size_t n_nodes = (size_t)sys->n_nodes;

  planar->sys = sys;
  planar->work = work;
  planar->base = (HlConstrained){.n = work->n,
                                 .l = work->l,
                                 .m = work->n - work->f - work->l,
                                 .r = work->r,
                                 .u = work->u,
                                 .data = planar,
                                 .set_state = set_state,
                                 .mass_times = mass_times,
                                 .gradients = gradients,
                                 .forces = forces,
                                 .bias = bias,
                                 .rates = rates,
                                 .set_motion = set_motion,
                                 .tangent = tangent};
  planar->rows = calloc ((size_t)sys->mech.n_rows + 1, sizeof *planar->rows);
  planar->a = calloc ((size_t)work->n + 1, sizeof *planar->a);
  planar->z_dot = calloc ((size_t)(work->r + work->u) + 1, sizeof *planar->z_dot);
  planar->d_net = calloc (n_nodes + 1, sizeof *planar->d_net);
  planar->d_compliance = calloc (n_nodes + 1, sizeof *planar->d_compliance);
  planar->seed = calloc ((size_t)(2 * work->n + work->r + work->u) + 1, sizeof *planar->seed);
  list_rows (planar);
  return planar;
}

void hl_constrained_planar_free (HlConstrainedPlanar *planar) {
  if (planar == NULL)
    return;
  void *parts[] = {planar->rows,         planar->a,    planar->z_dot, planar->d_net,
                   planar->d_compliance, planar->seed, planar};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
}

const HlConstrained *hl_constrained_planar_system (const HlConstrainedPlanar *planar) {
  return &planar->base;
}

int hl_constrained_planar_row (const HlConstrainedPlanar *planar, int k) {
  return planar->rows[k];
}
