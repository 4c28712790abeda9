/* SPDX-License-Identifier: MIT */
/* The pressures of the network (theory/quasistatic.md (39)-(43)). Without pilots F = -grad Psi with
 * Psi convex, and a Newton step d = M^-1 F, M >= 0, leads downhill:
 *
 *   h(t) = dPsi/dt = -F (p + t d) . d      never falls in t,  h(0) < 0
 *
 * so a step is taken whole where h(1) <= 0, and else up to a t with h(t) <= 0, found between the two
 * signs. Psi falls in every step, and the run ends when rounding alone is left of F. Near the end a
 * whole step with h(1) > 0 is taken as well where it halves the smallest |F| so far, which can happen
 * only so often. Lines whose pressure would fall below p_c are held there while oil is missing.
 *
 * With pilots M is not symmetric. A step is then taken as far as |F| falls, and where it does not, the
 * oil is given a compliance, as in the lumped model, and followed to its rest (43). */
#include "core/math/hl-linalg.h"
#include "core/quasistatic/hl-quasi-valve-network-private.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Balance of the network at given pressures, with its slopes (theory/quasistatic.md (36)-(38)):
 *
 *   F_i  = sum of the flows into node i - sum_j a_ij v_j,     a_ij = +A_A or -A_B
 *   v_j  = (sum_i a_ij p_i + vent - fbar_j)/beta_j            on a load line
 *   M    = -dF/dp = (slopes of the valves) + sum_j a_j a_j^T/beta_j */

#define RANK 1.0e-13            /* of the scaled matrix: a smaller pivot is none */
#define NO_PART 1.0e-9          /* of a null vector: smaller entries of it are none */
#define LEAST_STIFFNESS 1.0e-30 /* [m3/s/Pa] */
/* Regularization of undetermined pressures: part of their own diagonal entry, and an absolute minimum
 * [m3/s/Pa]. */
#define HOLD 1.0e-12
#define LEAST_HOLD 1.0e-42
#define WIDEST_STEP 3.0e7 /* [Pa] */
#define PILOT_STEP 1.0e6  /* [Pa] */
#define PILOT_PART 0.1    /* of the highest pressure */

/* ---- valves ---- */

/* Returns the inputs of a law, with its pressures in p, which must outlive it. */
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

/* Adds the slope of the flow from a to b by the pressure of a third node, or one of them. */
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
  /* rounding at a held piston is no motion */
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

/* Evaluates excess, size, matrix, flows and rates at x. */
static void quasi_net_eval (HlQuasiNet *net) {
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

/* Returns the largest entry of the diagonal, at least a little [m3/s/Pa]. */
static double quasi_net_stiffness (const HlQuasiNet *net) {
  double most = LEAST_STIFFNESS;

  for (int i = 0; i < net->n; i++)
    most = fmax (most, fabs (net->matrix[i * net->n + i]));
  return most;
}

/* Returns how far a pressure may go in one step [Pa]: as far again as it stands, or to a high one. */
static double quasi_net_widest (const HlQuasiNet *net) {
  double most = 0.0;

  for (int i = 0; i < net->n; i++)
    most = fmax (most, net->x[i]);
  /* pilots open valves on the way: all lines go it together */
  return net->is_monotone ? fmax (WIDEST_STEP, most) : fmax (PILOT_STEP, PILOT_PART * most);
}

/* Returns the term added to the diagonal of unknown i: a small one that keeps an undetermined pressure where
 * it is, one that limits the length of the step, and `more` [m3/s/Pa]. */
static double quasi_net_hold (const HlQuasiNet *net, int i, double more) {
  return HOLD * fabs (net->matrix[i * net->n + i]) + LEAST_HOLD + more +
         fabs (net->excess[i]) / quasi_net_widest (net);
}

/* Factors into net->lu the matrix plus `more` on the diagonal, with pockets as identities. HL_NOT_FINITE,
 * HL_SINGULAR. */
static HlStatus quasi_net_factor (HlQuasiNet *net, double more) {
  int n = net->n;

  memcpy (net->lu, net->matrix, (size_t)n * (size_t)n * sizeof (double));
  for (int i = 0; i < n; i++) {
    net->lu[i * n + i] += quasi_net_hold (net, i, more);
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

/* Clears forces at given velocities that a motion of the free pressures changes. With equal areas, pressures
 * that rise and fall together have no effect. */
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

/* Adds the power of flow into lines of given pressure; compliant lines store it. */
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

#define NO_BOUND 1.0e10   /* a pressure above it has no bound [Pa] */
#define DOWNHILL 0.5      /* of h(0): what may be left of it */
#define LEAST_PART 1.0e-9 /* of a step */
#define ROUNDING 4.0      /* times epsilon */
/* Less than this flows through valves that fall shut by the exponential function for ever; pressures behind them
 * would be looked for among differences that no step resolves [m3/s]. */
#define NO_FLOW 1.0e-26
#define GOOD_ENOUGH 1.0e4 /* times that, where no step leads further down */
#define PATIENCE 500      /* steps with pilots in which the imbalance has to halve */
#define LONGER 0.7        /* than the step before, where the imbalance does not change */
#define FAR 1.0e6         /* a step from which on rounding counts [Pa] */
#define CORRECTION 1.0e-3 /* of that: what rounding can have made of it */
#define SHORTER 4.0       /* times the compliance, where a step leads the wrong way */
#define MOST_SHORTER 60
#define FUSE 5000 /* steps that no proof allows */

/* ---- progress ---- */

/* Returns the largest imbalance as a multiple of the rounding error of flows and pressures: below 1 the
 * network is balanced. */
static double imbalance (const HlQuasiNet *net) {
  double most = 0.0;

  for (int i = 0; i < net->n; i++) {
    double size = net->size[i];
    if (net->is_pocket[i] || net->excess[i] == 0.0)
      continue;
    for (int j = 0; j < net->n; j++)
      size += fabs (net->matrix[j * net->n + i]) * net->x[j];
    most = fmax (most, fabs (net->excess[i]) / fmax (ROUNDING * DBL_EPSILON * size, NO_FLOW));
  }
  return most;
}

/* Ends the search: the residual is rounding, or there is no solution. */
static HlStatus finish_search (const HlQuasiNet *net) {
  return imbalance (net) <= GOOD_ENOUGH ? HL_OK : HL_NO_CONVERGENCE;
}

static double norm (const HlQuasiNet *net) {
  double sum = 0.0;

  for (int i = 0; i < net->n; i++)
    sum += net->is_pocket[i] ? 0.0 : net->excess[i] * net->excess[i];
  return sqrt (sum);
}

/* Returns h at the present pressures. */
static double slope (const HlQuasiNet *net) {
  double sum = 0.0;

  for (int i = 0; i < net->n; i++)
    sum -= net->is_pocket[i] ? 0.0 : net->excess[i] * net->d[i];
  return sum;
}

static void move_pressures (HlQuasiNet *net, double part) {
  for (int i = 0; i < net->n; i++)
    net->x[i] = fmax (net->start[i] + part * net->d[i], net->lowest);
  quasi_net_eval (net);
}

/* ---- one step ---- */

/* Finds lines at p_c from which oil is missing. */
static void find_pockets (HlQuasiNet *net) {
  for (int i = 0; i < net->n; i++)
    net->is_pocket[i] = net->x[i] <= net->lowest && net->excess[i] < 0.0;
}

/* Computes d, with further lines held at p_c that it would lead below. */
static HlStatus find_direction (HlQuasiNet *net, double more) {
  bool again = true;
  HlStatus status = HL_OK;

  while (again && status == HL_OK) {
    again = false;
    status = quasi_net_factor (net, more);
    if (status != HL_OK)
      break;
    for (int i = 0; i < net->n; i++)
      net->d[i] = net->is_pocket[i] ? 0.0 : net->excess[i];
    hl_lu_solve (net->n, net->lu, net->pivots, 1, net->d);
    for (int i = 0; i < net->n; i++)
      if (!net->is_pocket[i] && net->x[i] <= net->lowest && net->d[i] < 0.0)
        net->is_pocket[i] = again = true;
  }
  return status;
}

/* Refines the step. An undetermined pressure changes far, and rounding of the differences along the step
 * would drive more oil through open valves than there is: (M + hold) d = part F once more. */
static void refine (HlQuasiNet *net, double part, double more) {
  for (int i = 0; i < net->n; i++) {
    double left = part * net->excess[i] - quasi_net_hold (net, i, more) * net->d[i];
    for (int j = 0; j < net->n; j++)
      left -= net->is_pocket[j] ? 0.0 : net->matrix[j * net->n + i] * net->d[j];
    net->column[i] = net->is_pocket[i] ? 0.0 : left;
  }
  hl_lu_solve (net->n, net->lu, net->pivots, 1, net->column);
  for (int i = 0; i < net->n; i++)
    if (net->x[i] + net->d[i] + net->column[i] >= net->lowest && fabs (net->column[i]) <= CORRECTION * FAR)
      net->d[i] += net->column[i];
}

/* Shortens the step to the maximum width, and to p_c. Returns the largest change. */
static double shorten (HlQuasiNet *net, double more) {
  double most = 0.0, part = 1.0, widest = quasi_net_widest (net);

  for (int i = 0; i < net->n; i++)
    most = fmax (most, fabs (net->d[i]));
  if (most > widest)
    part = widest / most;
  for (int i = 0; i < net->n; i++)
    if (net->x[i] + part * net->d[i] < net->lowest)
      part = fmin (part, (net->lowest - net->x[i]) / net->d[i]);
  for (int i = 0; i < net->n; i++)
    net->d[i] *= part;
  if (most > FAR)
    refine (net, part, more);
  return part * most;
}

/* Makes one descent step on Psi. Returns false when only rounding errors are left. */
static bool descend_once (HlQuasiNet *net, double *best) {
  double low = 0.0, high = 1.0, h_low = slope (net), part = 1.0, first = h_low;

  if (!(first < 0.0))
    return false;
  for (;;) {
    move_pressures (net, part);
    double h = slope (net), left = norm (net);
    if (part == 1.0 && (h <= 0.0 || left <= 0.5 * *best)) {
      *best = fmin (*best, left);
      return true;
    }
    if (h <= 0.0 && h >= DOWNHILL * first) {
      *best = fmin (*best, left);
      return true;
    }
    if (h <= 0.0) {
      low = part;
      h_low = h;
      part = 0.5 * (low + high);
    } else {
      high = part;
      part = low + (high - low) * fmin (fmax (h_low / (h_low - h), 0.1), 0.9);
    }
    if (high - low <= LEAST_PART * high) {
      move_pressures (net, low);
      return low > 0.0;
    }
  }
}

/* Shortens the step until |F| decreases. False: it does not. */
static bool reduce_residual (HlQuasiNet *net) {
  double before = norm (net);

  for (double part = 1.0; part > 1.0e-3; part *= 0.5) {
    move_pressures (net, part);
    if (norm (net) <= (1.0 - 1.0e-3 * part) * before)
      return true;
  }
  move_pressures (net, 0.0);
  return false;
}

/* ---- the whole way ---- */

static HlStatus set_fault (const HlQuasiNet *net, HlStatus status, int i, HlFault *fault) {
  const HlNode *node = &net->sys->nodes[net->node_of[i]];

  hl_fault_set (fault, status, HL_ENTITY_LINE, node->line, net->x[i]);
  if (fault != NULL && status == HL_BAD_MODEL) {
    fault->why =
        HL_TEXT ("oil flows into this line and cannot flow out: its pressure would grow without bound");
    fault->mend = HL_TEXT ("add a relief valve from the line to the tank");
    fault->change = HL_CHANGE_RELIEVE;
    hl_diagnose_late_relief (net->sys, node->line, fault);
  } else if (fault != NULL && status == HL_NO_CONVERGENCE) {
    fault->why = HL_TEXT ("no pressures were found for which the pilot-operated valves are in equilibrium");
    fault->mend = HL_TEXT ("increase the opening range of these valves, or use the lumped model");
  }
  return status;
}

static int largest_residual (const HlQuasiNet *net) {
  int most = 0;

  for (int i = 0; i < net->n; i++)
    if (fabs (net->excess[i]) > fabs (net->excess[most]))
      most = i;
  return most;
}

static int unbounded (const HlQuasiNet *net) {
  for (int i = 0; i < net->n; i++)
    if (net->x[i] > NO_BOUND)
      return i;
  return -1;
}

/* Returns whether the pressure of the line has no upper bound: lines behind open valves rise together with
 * the highest one. */
static bool has_no_bound (const HlQuasiNet *net, int node) {
  int i = hl_quasi_net_at (net, node);

  return i >= 0 && net->x[i] > 0.1 * NO_BOUND;
}

/* (43): steps of the lumped oil, longer and longer while the imbalance falls. */
typedef struct {
  double softness; /* compliance over time step, [m3/s/Pa]; 0: plain Newton steps so far */
  double before;   /* |F| at the step before */
} Way;

static void follow_path (HlQuasiNet *net, Way *way, double stiffness) {
  if (way->softness == 0.0) {
    way->softness = stiffness;
    way->before = norm (net);
    return;
  }
  move_pressures (net, 1.0);
  double now = norm (net);
  way->softness *= fmin (fmax (LONGER * now / way->before, 0.2), 2.0);
  way->before = now;
}

/* Directs the step forward in networks with pilots: a higher inflow raises the pressure of compressible oil,
 * and a step must do the same. A step against F belongs to a valve that a higher pressure closes through its
 * own pilot: its oil would flow back. A sufficiently short time step gives the right direction. */
static HlStatus direct_forward (HlQuasiNet *net, Way *way, double stiffness) {
  HlStatus status = find_direction (net, way->softness);
  bool counts = !net->is_monotone && imbalance (net) > GOOD_ENOUGH;

  for (int k = 0; k < MOST_SHORTER && counts && status == HL_OK && slope (net) > 0.0; k++) {
    way->before = way->softness == 0.0 ? norm (net) : way->before;
    way->softness = fmax (stiffness, SHORTER * way->softness);
    status = find_direction (net, way->softness);
  }
  return status;
}

static HlStatus find_by (HlQuasiNet *net, bool is_forward, int *without_bound) {
  double best, halved = INFINITY;
  Way way = {0.0, 0.0};

  *without_bound = -1;
  for (int i = 0; i < net->n; i++) {
    net->x[i] = isfinite (net->x[i]) ? fmax (net->x[i], net->lowest) : net->lowest;
    net->d[i] = 0.0;
  }
  quasi_net_eval (net);
  find_pockets (net);
  best = norm (net);
  for (long step = 0, since = 0; net->is_monotone ? step < FUSE : since < PATIENCE; step++) {
    find_pockets (net);
    if (imbalance (net) <= 1.0)
      return HL_OK;
    since = norm (net) <= 0.5 * halved ? 0 : since + 1;
    halved = since == 0 ? norm (net) : halved;
    double stiffness = quasi_net_stiffness (net);
    HlStatus status = is_forward ? direct_forward (net, &way, stiffness) : find_direction (net, way.softness);
    if (status != HL_OK)
      return status;
    double change = shorten (net, way.softness);
    memcpy (net->start, net->x, (size_t)net->n * sizeof (double));
    if (net->is_monotone && !descend_once (net, &best))
      return finish_search (net);
    bool is_stuck = !net->is_monotone && way.softness == 0.0 && !reduce_residual (net);
    if (is_stuck && imbalance (net) <= GOOD_ENOUGH)
      return HL_OK;
    if (is_stuck || way.softness > 0.0)
      follow_path (net, &way, stiffness);
    if (way.softness == 0.0 && change <= 0.0)
      return finish_search (net);
    *without_bound = unbounded (net);
    if (*without_bound >= 0)
      return HL_BAD_MODEL;
    if (!isfinite (norm (net)))
      return HL_NOT_FINITE;
  }
  return finish_search (net);
}

/* Finds the pressures. With hunting valves there is no steady state that the oil approaches, but one that it
 * oscillates about. A search that fails from the latest pressures may succeed from those of the drawing. */
static HlStatus find_pressures (HlQuasiNet *net, int *without_bound) {
  HlStatus status = HL_NO_CONVERGENCE;

  for (int begin = 0; begin < 2; begin++) {
    if (begin == 1)
      hl_quasi_net_begin (net);
    memcpy (net->origin, net->x, (size_t)net->n * sizeof (double));
    status = find_by (net, true, without_bound);
    if (status != HL_NO_CONVERGENCE || net->is_monotone)
      return status;
    memcpy (net->x, net->origin, (size_t)net->n * sizeof (double));
    status = find_by (net, false, without_bound);
    if (status != HL_NO_CONVERGENCE)
      return status;
  }
  return status;
}

/* Computes dx/dfbar of every load line: F changes by +a_j/beta_j. */
static void find_answers (HlQuasiNet *net) {
  if (quasi_net_factor (net, 0.0) != HL_OK)
    return;
  for (int k = 0; k < net->sys->n_cylinders; k++) {
    const HlQuasiPiston *piston = &net->pistons[k];
    double *column = net->answer + k * net->n;

    memset (column, 0, (size_t)net->n * sizeof (double));
    for (int side = 0; side < 2; side++) {
      int i = hl_quasi_net_at (net, piston->node[side]);
      if (i >= 0 && !net->is_pocket[i])
        column[i] += (side == 0 ? piston->area[0] : -piston->area[1]) / piston->beta;
    }
    hl_lu_solve (net->n, net->lu, net->pivots, 1, column);
  }
}

HlStatus hl_quasi_net_solve (HlQuasiNet *net, HlFault *fault) {
  int without_bound;

  for (int k = 0; k < net->sys->n_cylinders; k++)
    if (!isfinite (net->pistons[k].fbar))
      return hl_fault_set (fault, HL_NOT_FINITE, HL_ENTITY_COMPONENT, net->sys->cylinders[k].component,
                           net->pistons[k].fbar);
  HlStatus status = find_pressures (net, &without_bound);
  if (status != HL_OK)
    return net->n == 0
               ? status
               : set_fault (net, status, without_bound >= 0 ? without_bound : largest_residual (net), fault);
  find_answers (net);
  return HL_OK;
}

HlStatus hl_quasi_net_solve_given (HlQuasiNet *net, int asked, int *infinite, HlFault *fault) {
  const HlQuasiPiston *piston = &net->pistons[asked];
  int without_bound;

  memcpy (net->kept, net->x, (size_t)net->n * sizeof (double));
  HlStatus status = find_pressures (net, &without_bound);
  *infinite = 0;
  if (status == HL_BAD_MODEL) {
    bool in_head = has_no_bound (net, piston->node[0]);
    bool in_rod = has_no_bound (net, piston->node[1]);
    if (in_head != in_rod)
      *infinite = in_head ? 1 : -1;
    else /* the resisting forces */
      *infinite = piston->fbar > 0.0 ? -1 : piston->fbar < 0.0 ? 1 : 0;
    memcpy (net->x, net->kept, (size_t)net->n * sizeof (double));
    if (*infinite != 0)
      return HL_OK;
  }
  if (status != HL_OK)
    return set_fault (net, status, without_bound >= 0 ? without_bound : largest_residual (net), fault);
  hl_quasi_net_find_free (net);
  return HL_OK;
}

/* ---- slopes of the solution ---- */

static double speed_by (const HlQuasiNet *net, int piston_of, const double dx[]) {
  const HlQuasiPiston *piston = &net->pistons[piston_of];
  int a = hl_quasi_net_at (net, piston->node[0]), b = hl_quasi_net_at (net, piston->node[1]);

  return ((a >= 0 ? piston->area[0] * dx[a] : 0.0) - (b >= 0 ? piston->area[1] * dx[b] : 0.0)) / piston->beta;
}

double hl_quasi_net_dv_dfbar (const HlQuasiNet *net, int i, int j) {
  return speed_by (net, i, net->answer + j * net->n) - (i == j ? 1.0 / net->pistons[i].beta : 0.0);
}

/* Adds the rates of states by changes of the pressures. */
static void add_rates (const HlQuasiNet *net, const double dx[], double dr[]) {
  for (int k = 0; k < net->n_laws; k++) {
    const HlComponent *c = &net->sys->components[net->laws[k]];
    int n_rows = hl_component_n_rows (c);

    for (int port = 0; port < c->klass->kind.n_ports && c->n_states > 0; port++) {
      int at = hl_quasi_net_at (net, c->node[port]);
      const double *d = net->law_d + c->first_d + port * n_rows + c->n_branches;
      for (int s = 0; s < c->n_states && at >= 0; s++)
        dr[c->first_state + s] += d[s] * dx[at];
    }
  }
}

void hl_quasi_net_rates_by_load (HlQuasiNet *net, int piston, double dr[]) {
  memset (dr, 0, (size_t)net->sys->topology->n_states_u * sizeof (double));
  add_rates (net, net->answer + piston * net->n, dr);
}

void hl_quasi_net_by_state (HlQuasiNet *net, int state, double dv[], double dr[]) {
  const HlTopology *top = net->sys->topology;
  int component = top->component_of_state[state], part = top->part_of_state[state];

  memset (dv, 0, (size_t)net->sys->n_cylinders * sizeof (double));
  memset (dr, 0, (size_t)top->n_states_u * sizeof (double));
  if (component < 0 || !net->counts[component])
    return;
  const HlComponent *c = &net->sys->components[component];
  const double *d = net->law_d + c->first_d + (c->klass->kind.n_ports + part) * hl_component_n_rows (c);
  double *dx = net->column;
  memset (dx, 0, (size_t)net->n * sizeof (double));
  for (int k = 0; k < c->n_branches; k++) {
    const HlBranch *ends = &top->branches[c->first_branch + k];
    int a = hl_quasi_net_at (net, ends->a), b = hl_quasi_net_at (net, ends->b);
    if (a >= 0 && !net->is_pocket[a])
      dx[a] -= d[k];
    if (b >= 0 && !net->is_pocket[b])
      dx[b] += d[k];
  }
  hl_lu_solve (net->n, net->lu, net->pivots, 1, dx);
  for (int k = 0; k < net->sys->n_cylinders; k++)
    dv[k] = speed_by (net, k, dx);
  for (int s = 0; s < c->n_states; s++)
    dr[c->first_state + s] += d[c->n_branches + s];
  add_rates (net, dx, dr);
}
