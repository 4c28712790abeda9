/* SPDX-License-Identifier: MIT */
/* Balance of the network at given pressures, with its slopes (theory/quasistatic.md (36)-(38)):
 *
 *   F_i  = sum of the flows into node i - sum_j a_ij v_j,     a_ij = +A_A or -A_B
 *   v_j  = (sum_i a_ij p_i + vent - fbar_j)/beta_j            on a load line
 *   M    = -dF/dp = (slopes of the valves) + sum_j a_j a_j^T/beta_j */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"
#include "core/quasistatic/hl-quasi-net-private.h"
#include "core/system/hl-observable-eval.h"

#define RANK 1.0e-13            /* of the scaled matrix: a smaller pivot is none */
#define NO_PART 1.0e-9          /* of a null vector: smaller entries of it are none */
#define LEAST_STIFFNESS 1.0e-30 /* [m3/s/Pa] */
/* What holds undetermined pressures where they are: part of their own diagonal, and [m3/s/Pa]. */
#define HOLD 1.0e-12
#define LEAST_HOLD 1.0e-42
#define WIDEST_STEP 3.0e7 /* [Pa] */
#define PILOT_STEP 1.0e6  /* [Pa] */
#define PILOT_PART 0.1    /* of the highest pressure */

/* ---- valves ---- */

/* What a law reads, its pressures in p, which outlives it. */
static HlLaw law_of (const HlQuasiNet *net, int component, double p[HL_MOST_PORTS]) {
  const HlComponent *c = &net->sys->components[component];
  HlLaw law = {
      .p = p, .state = net->state + c->first_state, .signal = net->signal + component * HL_MOST_COMMANDS};

  for (int port = 0; port < c->klass->kind.n_ports; port++)
    p[port] = c->node[port] >= 0 ? net->node_p[c->node[port]] : 0.0;
  if (c->cylinder >= 0) {
    law.length = net->length[c->cylinder];
    law.speed = net->speed[c->cylinder];
  }
  return law;
}

static void add_flow (HlQuasiNet *net, int node_a, int node_b, double q) {
  int a = hl_quasi_net_at (net, node_a), b = hl_quasi_net_at (net, node_b);

  if (a >= 0) {
    net->excess[a] -= q;
    net->size[a] += fabs (q);
  }
  if (b >= 0) {
    net->excess[b] += q;
    net->size[b] += fabs (q);
  }
  int from = hl_quasi_net_soft (net, node_a), to = hl_quasi_net_soft (net, node_b);
  if (from >= 0)
    net->gather[from] -= q;
  if (to >= 0)
    net->gather[to] += q;
}

/* The flow from a to b has this slope by the pressure of a third node, or one of them. */
static void add_slope (HlQuasiNet *net, int node_a, int node_b, int by, double slope) {
  int a = hl_quasi_net_at (net, node_a), b = hl_quasi_net_at (net, node_b);
  int column = hl_quasi_net_at (net, by), soft = hl_quasi_net_soft (net, by);

  if (soft >= 0 && soft == hl_quasi_net_soft (net, node_a))
    net->gather_slope[soft] += slope;
  if (soft >= 0 && soft == hl_quasi_net_soft (net, node_b))
    net->gather_slope[soft] -= slope;
  if (column < 0)
    return;
  if (a >= 0)
    net->matrix[column * net->n + a] += slope;
  if (b >= 0)
    net->matrix[column * net->n + b] -= slope;
}

static void eval_law (HlQuasiNet *net, int component) {
  const HlComponent *c = &net->sys->components[component];
  const HlBranch *ends = net->sys->topology->branches + c->first_branch;
  double p[HL_MOST_PORTS];
  HlLaw law = law_of (net, component, p);
  int n_rows = hl_component_n_rows (c);

  law.q = net->flow + c->first_branch;
  law.rate = net->rate + c->first_state;
  law.d = net->law_d + c->first_d;
  hl_component_eval (c, p, &law);
  for (int k = 0; k < c->n_branches; k++) {
    add_flow (net, ends[k].a, ends[k].b, law.q[k]);
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      add_slope (net, ends[k].a, ends[k].b, c->node[port], law.d[port * n_rows + k]);
  }
}

static void eval_pipes (HlQuasiNet *net) {
  for (int k = 0; k < net->n_pipes; k++) {
    const HlQuasiResistance *pipe = &net->pipes[k];
    double q = pipe->conductance * (net->node_p[pipe->node_a] - net->node_p[pipe->node_b]);

    if (pipe->flow >= 0)
      net->flow[pipe->flow] = q;
    add_flow (net, pipe->node_a, pipe->node_b, q);
    add_slope (net, pipe->node_a, pipe->node_b, pipe->node_a, pipe->conductance);
    add_slope (net, pipe->node_a, pipe->node_b, pipe->node_b, -pipe->conductance);
  }
}

/* ---- pistons ---- */

static void eval_piston (HlQuasiNet *net, HlQuasiPiston *piston) {
  double by[2] = {piston->area[0], -piston->area[1]}, rounding = fabs (piston->fbar);

  piston->f = piston->vent + piston->cushion;
  for (int side = 0; side < 2; side++)
    if (piston->node[side] >= 0) {
      piston->f += by[side] * net->node_p[piston->node[side]];
      rounding += fabs (by[side] * net->node_p[piston->node[side]]);
    }
  bool is_given = isinf (piston->beta);
  double apart = piston->f - piston->fbar;
  /* what rounding leaves of a piston that is held is no motion */
  if (fabs (apart) <= 4.0 * DBL_EPSILON * rounding)
    apart = 0.0;
  piston->v = is_given ? piston->fbar : apart / piston->beta;
  for (int side = 0; side < 2; side++) {
    int i = hl_quasi_net_at (net, piston->node[side]);
    int soft = hl_quasi_net_soft (net, piston->node[side]);
    if (soft >= 0) {
      net->gather[soft] -= by[side] * piston->v;
      net->gather_slope[soft] += is_given ? 0.0 : by[side] * by[side] / piston->beta;
    }
    if (i < 0)
      continue;
    net->excess[i] -= by[side] * piston->v;
    net->size[i] += fabs (by[side]) * (fabs (piston->v) + (is_given ? 0.0 : rounding / piston->beta));
    for (int other = 0; other < 2 && !is_given; other++) {
      int j = hl_quasi_net_at (net, piston->node[other]);
      if (j >= 0)
        net->matrix[j * net->n + i] += by[side] * by[other] / piston->beta;
    }
  }
}

void hl_quasi_net_eval (HlQuasiNet *net) {
  const HlSystem *sys = net->sys;
  size_t n = (size_t)net->n;

  for (int node = 0; node < sys->n_nodes; node++)
    net->node_p[node] = net->at[node] >= 0        ? net->x[net->at[node]]
                        : net->soft_of[node] >= 0 ? net->soft_p[net->soft_of[node]]
                                                  : net->given[node];
  memset (net->gather, 0, (size_t)net->n_soft * sizeof (double));
  memset (net->gather_slope, 0, (size_t)net->n_soft * sizeof (double));
  memset (net->excess, 0, n * sizeof (double));
  memset (net->size, 0, n * sizeof (double));
  memset (net->matrix, 0, n * n * sizeof (double));
  memset (net->law_d, 0, (size_t)sys->topology->n_d * sizeof (double));
  for (int k = 0; k < net->n_laws; k++)
    eval_law (net, net->laws[k]);
  eval_pipes (net);
  for (int k = 0; k < sys->n_cylinders; k++)
    eval_piston (net, &net->pistons[k]);
}

/* ---- the linear system ---- */

double hl_quasi_net_stiffness (const HlQuasiNet *net) {
  double most = LEAST_STIFFNESS;

  for (int i = 0; i < net->n; i++)
    most = fmax (most, fabs (net->matrix[i * net->n + i]));
  return most;
}

double hl_quasi_net_widest (const HlQuasiNet *net) {
  double most = 0.0;

  for (int i = 0; i < net->n; i++)
    most = fmax (most, net->x[i]);
  /* pilots open valves on the way: all lines go it together */
  return net->is_monotone ? fmax (WIDEST_STEP, most) : fmax (PILOT_STEP, PILOT_PART * most);
}

double hl_quasi_net_hold (const HlQuasiNet *net, int i, double more) {
  return HOLD * fabs (net->matrix[i * net->n + i]) + LEAST_HOLD + more +
         fabs (net->excess[i]) / hl_quasi_net_widest (net);
}

HlStatus hl_quasi_net_factor (HlQuasiNet *net, double more) {
  int n = net->n;

  memcpy (net->lu, net->matrix, (size_t)n * (size_t)n * sizeof (double));
  for (int i = 0; i < n; i++) {
    net->lu[i * n + i] += hl_quasi_net_hold (net, i, more);
    for (int j = 0; j < n && net->is_pocket[i]; j++)
      net->lu[i * n + j] = net->lu[j * n + i] = 0.0;
    if (net->is_pocket[i])
      net->lu[i * n + i] = 1.0;
  }
  return hl_lu_factor (n, net->lu, net->pivots);
}

/* ---- what is not determined ---- */

static double moved (const HlQuasiNet *net, int node, const double dx[]) {
  int i = hl_quasi_net_at (net, node);
  return i >= 0 ? dx[i] : 0.0;
}

/* Forces at given velocities that a motion of the free pressures changes. Equal areas feel nothing of
 * chambers that rise and fall together. */
static void forget_forces (HlQuasiNet *net, const double dx[]) {
  for (int k = 0; k < net->sys->n_cylinders; k++) {
    HlQuasiPiston *piston = &net->pistons[k];
    double by_a = piston->area[0] * moved (net, piston->node[0], dx);
    double by_b = piston->area[1] * moved (net, piston->node[1], dx);
    /* on a load line the chambers are bound to each other */
    if (isinf (piston->beta) && fabs (by_a - by_b) > NO_PART * (fabs (by_a) + fabs (by_b)))
      piston->f = NAN;
  }
}

/* Marks the unknowns that a null vector of the scaled matrix moves: in the order of elimination the
 * first `rank` columns follow from each of the others by back substitution. */
static void mark_free (HlQuasiNet *net, int rank, const double scale[]) {
  int n = net->n;
  double *z = net->column;

  for (int last = rank; last < n; last++) {
    double most = 1.0;
    for (int j = rank - 1; j >= 0; j--) {
      double sum = net->eliminated[net->rows[j] + n * net->columns[last]];
      for (int k = j + 1; k < rank; k++)
        sum += net->eliminated[net->rows[j] + n * net->columns[k]] * z[k];
      z[j] = -sum / net->eliminated[net->rows[j] + n * net->columns[j]];
      most = fmax (most, fabs (z[j]));
    }
    double *dx = net->origin;
    memset (dx, 0, (size_t)n * sizeof *dx);
    dx[net->columns[last]] = scale[net->columns[last]];
    net->is_free[net->columns[last]] = true;
    for (int j = 0; j < rank; j++)
      if (fabs (z[j]) > NO_PART * most) {
        dx[net->columns[j]] = scale[net->columns[j]] * z[j];
        net->is_free[net->columns[j]] = true;
      }
    forget_forces (net, dx);
  }
}

void hl_quasi_net_find_free (HlQuasiNet *net) {
  int n = net->n;
  double *scale = net->d;

  for (int i = 0; i < n; i++) {
    double size = fabs (net->matrix[i * n + i]);
    scale[i] = net->is_pocket[i] || !(size > 0.0) ? 1.0 : 1.0 / sqrt (size);
    net->is_free[i] = false;
  }
  memcpy (net->eliminated, net->matrix, (size_t)n * (size_t)n * sizeof (double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (net->is_pocket[i] || net->is_pocket[j])
        net->eliminated[j * n + i] = i == j ? 1.0 : 0.0;
      else
        net->eliminated[j * n + i] *= scale[i] * scale[j];
  if (n > 0) {
    int rank = hl_eliminate_complete (n, n, net->eliminated, RANK, net->rows, net->columns, NULL, NULL);
    if (rank >= 0)
      mark_free (net, rank, scale);
  }
}

/* ---- what others read ---- */

double hl_quasi_net_pressure (const HlQuasiNet *net, int node) {
  int i = net->at[node];

  return i >= 0 && net->is_free[i] ? NAN : net->node_p[node];
}

double hl_quasi_net_pressure_held (const HlQuasiNet *net, int node) {
  return net->node_p[node];
}

static bool has_cushion (const HlCylinder *cyl) {
  return cyl->cushion_state[0] >= 0 || cyl->cushion_state[1] >= 0;
}

bool hl_quasi_net_has_other_states (const HlQuasiNet *net) {
  bool has = net->n_soft > 0;

  for (int k = 0; k < net->sys->n_cylinders; k++)
    has = has || has_cushion (&net->sys->cylinders[k]) || net->sys->cylinders[k].bristle >= 0;
  return has;
}

/* Bristles rub where the linkage moves, the oil of a cushion goes with the piston. */
void hl_quasi_net_settle_cushions (HlQuasiNet *net) {
  for (int k = 0; k < net->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &net->sys->cylinders[k];
    const HlComponent *c = &net->sys->components[cyl->component];
    double p[HL_MOST_PORTS];
    if (!has_cushion (cyl))
      continue;
    HlLaw law = law_of (net, cyl->component, p);
    double bristle = cyl->bristle >= 0 ? net->rate[c->first_state + cyl->bristle] : 0.0;
    law.speed = net->pistons[k].v;
    law.q = net->flow + c->first_branch;
    law.rate = net->rate + c->first_state;
    hl_component_eval (c, p, &law);
    if (cyl->bristle >= 0)
      net->rate[c->first_state + cyl->bristle] = bristle;
  }
}

double hl_quasi_net_own_slope (const HlQuasiNet *net, int state) {
  int component = net->sys->topology->component_of_state[state];

  if (component < 0)
    return 0.0;
  const HlComponent *c = &net->sys->components[component];
  int part = state - c->first_state, n_rows = hl_component_n_rows (c);
  return net->law_d[c->first_d + (c->klass->kind.n_ports + part) * n_rows + c->n_branches + part];
}

double hl_quasi_net_flow (const HlQuasiNet *net, int branch) {
  return net->flow[branch];
}

double hl_quasi_net_rate (const HlQuasiNet *net, int state) {
  return net->rate[state];
}

static void add_law_power (HlQuasiNet *net, int component, double powers[3]) {
  const HlComponent *c = &net->sys->components[component];
  double p[HL_MOST_PORTS];
  HlLaw law = law_of (net, component, p);

  if (c->has_absent)
    hl_component_read_absent (c, p);
  law.q = net->flow + c->first_branch;
  if (c->cylinder >= 0 && has_cushion (&net->sys->cylinders[c->cylinder]))
    law.speed = net->pistons[c->cylinder].v;
  hl_power_add_law_at (net->sys, c, &law, net->node_p, powers);
}

/* What flows into lines of given pressure takes their power along; soft lines store it. */
static void add_given (const HlQuasiNet *net, int node, double into, double powers[3]) {
  if (hl_quasi_net_soft (net, node) >= 0)
    powers[0] += into * net->node_p[node];
  else if (node >= 0 && net->at[node] < 0)
    powers[2] -= into * net->given[node];
}

void hl_quasi_net_powers (HlQuasiNet *net, double powers[3]) {
  const HlTopology *top = net->sys->topology;

  for (int k = 0; k < net->n_laws; k++)
    add_law_power (net, net->laws[k], powers);
  for (int k = 0; k < net->n_pipes; k++) {
    const HlQuasiResistance *pipe = &net->pipes[k];
    double drop = net->node_p[pipe->node_a] - net->node_p[pipe->node_b];
    powers[1] += pipe->conductance * drop * drop;
  }
  for (int i = 0; i < net->n; i++) /* a pocket presses while it grows */
    if (net->is_pocket[i])
      powers[0] += net->excess[i] * net->x[i];
  for (int k = 0; k < top->n_branches; k++) {
    add_given (net, top->branches[k].a, -net->flow[k], powers);
    add_given (net, top->branches[k].b, net->flow[k], powers);
  }
  for (int k = 0; k < net->sys->n_cylinders; k++) {
    const HlQuasiPiston *piston = &net->pistons[k];
    powers[2] += piston->vent * piston->v;
    add_given (net, piston->node[0], -piston->area[0] * piston->v, powers);
    add_given (net, piston->node[1], piston->area[1] * piston->v, powers);
  }
}
