/* SPDX-License-Identifier: MIT */
/* Pressures that a mode leaves open (theory/hybrid.md, "Preload"). Oil that is trapped and pushes nothing
 * that may move has a pressure all the same: the one that slightly compressible oil would have. With the
 * null vectors z of W (13), of which the entries of nodes are the columns of Z,
 *
 *   p = p* + Z a,    lam = lam* + z a
 *
 * a makes the pressures nearest to those at the step before in the norm of the compliances, while no shut
 * valve is pushed open and no held element pulls: the oil that passes a valve until its pressures
 * balance is too little to move anything. Null vectors without an entry of a node (redundant stops,
 * links) leave their forces open. */
#include "core/hybrid/hl-hybrid-solver-private.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-lcp.h"
#include "core/math/hl-linalg.h"

/* A vector is linearly dependent on others when less than this fraction of its norm is orthogonal to them. */
#define INDEPENDENT 1.0e-9
/* An entry of a null vector below this part of the largest is rounding. */
#define ROUNDING 1.0e-12
/* Compliance of a node without any, as a part of the largest: it keeps the pressure that it had. */
#define NO_COMPLIANCE 1.0e-9
/* Change of pressure that shows on which pressures a lift depends [Pa]. */
#define TRIAL_STEP 1.0e5
/* Added to the diagonal of G G^T: contradictory bounds are violated as little as possible, and the violation is continuous
 * in time. */
#define SOFT_BOUND 1.0e-12
/* Slack of a bound that is just reached, in lifts and in parts of the reaction: below rounding of what a
 * contradiction needs to become an event. */
#define LIFT_SLACK 1.0e-8
#define REACTION_SLACK 1.0e-9
/* A difference of pressures against the direction of a valve that would let oil back [Pa]. */
#define BACKWARD 1.0e4
/* Rises of pressure at which lifts are examined, and the part within which valves open at once [Pa]. */
#define FIRST_RISE 1.0e4
#define MOST_RISE 1.0e12
#define LEAST_RISE 1.0e-3
#define RISE_TOLERANCE 1.0e-12
/* An open edge with a smaller lift may have no flow: where a law opens with the square of its lift, flows of 1e-18 m3/s leave
 * lifts of 4e-6. A flow or speed below this part of what there is may be none. */
#define STILL_LIFT 1.0e-4
#define STILL_SPEED 1.0e-9
/* Lifts are kinked: their gradients are taken again this many times. */
#define ROUNDS 3

void hl_hybrid_preload_init (HlHybridSolver *solver) {
  HlArena *arena = &solver->arena;
  HlHybridPreload *of = &solver->preload;
  int n_nodes = solver->net->tables.n_nodes, m = solver->net->n_columns;

  of->is_at_work = solver->plant.compliance != NULL;
  of->before = hl_arena_take (arena, n_nodes, sizeof (double));
  of->now = hl_arena_take (arena, n_nodes, sizeof (double));
  of->trial = hl_arena_take (arena, n_nodes, sizeof (double));
  of->compliance = hl_arena_take (arena, n_nodes, sizeof (double));
  of->node = hl_arena_take (arena, n_nodes * m, sizeof (double));
  of->column = hl_arena_take (arena, m * m, sizeof (double));
  of->part = hl_arena_take (arena, m, sizeof (double));
  of->start = hl_arena_take (arena, m, sizeof (double));
  of->is_open = hl_arena_take (arena, m, sizeof (bool));
  of->is_bound = hl_arena_take (arena, solver->net->most_slots, sizeof (bool));
  of->gradient = hl_arena_take (arena, solver->net->most_slots * m, sizeof (double));
  of->trial_lift = hl_arena_take (arena, solver->net->tables.most_edges, sizeof (double));
}

void hl_hybrid_solver_set_pressures (HlHybridSolver *solver, const double p[]) {
  if (solver->preload.is_at_work)
    memcpy (solver->preload.before, p, (size_t)solver->net->tables.n_nodes * sizeof (double));
}

void hl_hybrid_solver_keep_pressures (HlHybridSolver *solver) {
  if (solver->preload.is_at_work)
    memcpy (solver->preload.before, solver->preload.now,
            (size_t)solver->net->tables.n_nodes * sizeof (double));
}

/* Returns the node whose column stands for the group of a node; -1: its pressure is given. */
static int group_of (const HlHybridSolver *solver, int node) {
  if (solver->net->tables.node_is_fixed[node])
    return -1;
  return solver->in->group != NULL ? solver->in->group[node] : node;
}

/* Computes p* into now. */
static void fill_particular (HlHybridSolver *solver) {
  const HlHybridFrame *frame = &solver->frame;
  HlHybridPreload *of = &solver->preload;

  for (int node = 0; node < solver->net->tables.n_nodes; node++) {
    int group = group_of (solver, node);
    int k = group < 0 ? -1 : hl_hybrid_frame_find_column (frame, group);
    of->now[node] = k < 0 ? solver->in->node_pressure[node] : frame->red->particular[k];
    if (k >= 0 && solver->in->group != NULL)
      of->now[node] += solver->in->node_pressure[node];
  }
}

static double product (const HlHybridSolver *solver, const double a[], const double b[]) {
  const double *c = solver->preload.compliance;
  double sum = 0.0;

  for (int node = 0; node < solver->net->tables.n_nodes; node++)
    sum += c[node] * a[node] * b[node];
  return sum;
}

static void fill_compliances (HlHybridSolver *solver) {
  double *c = solver->preload.compliance, most = 0.0;

  if (solver->plant.compliance != NULL)
    solver->plant.compliance (solver->plant.data, c);
  for (int node = 0; node < solver->net->tables.n_nodes; node++)
    most = fmax (most, c[node]);
  for (int node = 0; node < solver->net->tables.n_nodes; node++)
    c[node] = fmax (c[node], most > 0.0 ? NO_COMPLIANCE * most : 1.0);
}

/* Subtracts the earlier directions from the latest one, and makes its length 1; false: nothing is left. */
static bool add_direction (HlHybridSolver *solver) {
  HlHybridPreload *of = &solver->preload;
  int n_nodes = solver->net->tables.n_nodes, m = solver->frame.mode->n_active;
  double *node = of->node + n_nodes * of->n, *column = of->column + m * of->n;
  double whole = product (solver, node, node);

  for (int twice = 0; twice < 2; twice++)
    for (int j = 0; j < of->n; j++) {
      double along = product (solver, of->node + n_nodes * j, node);
      if (along == 0.0)
        continue;
      for (int k = 0; k < n_nodes; k++)
        node[k] -= along * of->node[k + n_nodes * j];
      for (int k = 0; k < m; k++)
        column[k] -= along * of->column[k + m * j];
    }
  double size = sqrt (product (solver, node, node));
  if (!(size > INDEPENDENT * sqrt (whole)))
    return false;
  for (int k = 0; k < n_nodes; k++)
    node[k] /= size;
  for (int k = 0; k < m; k++)
    column[k] /= size;
  of->n++;
  return true;
}

static double column_size (const HlHybridSolver *solver, int k) {
  return hl_hybrid_force_norm (solver, solver->frame.w + solver->net->n_states * k);
}

/* Computes the null vector of a dropped column, W z = 0, at the present position. */
static void find_null_vector (const HlHybridSolver *solver, int dropped, double z[]) {
  const HlHybridReduction *red = solver->frame.red;
  const HlHybridRank *rank = red->rank;
  const double *w = solver->frame.w + solver->net->n_states * dropped;
  double *x = red->column_a, most = column_size (solver, dropped);
  int m = solver->frame.mode->n_active;

  for (int i = 0; i < red->n_dependent; i++)
    x[i] = -w[rank->dependent[i]];
  if (red->n_dependent > 0)
    hl_lu_solve (red->n_dependent, red->w2, red->pivots, 1, x);
  memset (z, 0, (size_t)m * sizeof (double));
  for (int k = 0; k < red->n_dependent; k++) {
    z[rank->kept[k]] = x[k];
    most = fmax (most, fabs (x[k]) * column_size (solver, rank->kept[k]));
  }
  for (int k = 0; k < m; k++)
    if (fabs (z[k]) * column_size (solver, k) <= ROUNDING * most)
      z[k] = 0.0;
  z[dropped] = 1.0;
}

/* Computes Z, followed by the null vectors. */
static void find_directions (HlHybridSolver *solver) {
  const HlHybridMode *mode = solver->frame.mode;
  const HlHybridRank *rank = mode->rank;
  HlHybridPreload *of = &solver->preload;
  int n_nodes = solver->net->tables.n_nodes, m = mode->n_active, n_kept = 0;

  of->n = 0;
  memset (of->is_open, 0, (size_t)m * sizeof (bool));
  for (int dropped = 0; dropped < m; dropped++) {
    double *node = of->node + n_nodes * of->n, *column = of->column + m * of->n;
    if (n_kept < rank->rank && rank->kept[n_kept] == dropped) {
      n_kept++;
      continue;
    }
    find_null_vector (solver, dropped, column);
    for (int k = 0; k < n_nodes; k++) {
      int group = group_of (solver, k);
      int at = group < 0 ? -1 : hl_hybrid_frame_find_column (&solver->frame, group);
      node[k] = at < 0 ? 0.0 : column[at];
    }
    if (add_direction (solver))
      continue;
    for (int k = 0; k < m; k++)
      of->is_open[k] = of->is_open[k] || column[k] != 0.0;
  }
}

/* Computes p* + Z a into p. */
static void fill_pressures (const HlHybridSolver *solver, const double a[], double p[]) {
  const HlHybridPreload *of = &solver->preload;
  int n_nodes = solver->net->tables.n_nodes;

  memcpy (p, of->now, (size_t)n_nodes * sizeof (double));
  for (int j = 0; j < of->n; j++)
    for (int node = 0; node < n_nodes; node++)
      p[node] += a[j] * of->node[node + n_nodes * j];
}

/* Returns the position of the column of a line or a stop among the active ones, and the sign with which its
 * multiplier is a reaction; -1: it is not held, or by command. */
static int held_column (const HlHybridSolver *solver, int slot, double *sign) {
  const HlHybridNetwork *net = solver->net;
  int stop = slot - net->tables.n_lines;
  const HlHybridKey *key = &solver->frame.mode->key;

  *sign = stop < 0 ? -1.0 : 1.0;
  if (stop < 0 && hl_hybrid_key_get_line (net, key, slot) != HL_HYBRID_LINE_CLOSED)
    return -1;
  return hl_hybrid_frame_find_column (&solver->frame,
                                      stop < 0 ? hl_hybrid_line_column (net, slot)
                                               : hl_hybrid_stop_column (net, stop / 2, stop % 2 == 1));
}

static double multiplier_at (const HlHybridSolver *solver, int k) {
  const HlHybridPreload *of = &solver->preload;
  double lam = solver->frame.red->particular[k];

  for (int j = 0; j < of->n; j++)
    lam += of->part[j] * of->column[k + solver->frame.mode->n_active * j];
  return lam;
}

/* Computes the row of the bounds of a held element; false: it bounds nothing. */
static bool bound_of_held (HlHybridSolver *solver, int slot, double gradient[], double *slack) {
  const HlHybridPreload *of = &solver->preload;
  double sign, most = 0.0;
  int k = held_column (solver, slot, &sign);

  if (k < 0 || of->is_open[k])
    return false;
  for (int j = 0; j < of->n; j++) {
    gradient[j] = -sign * of->column[k + solver->frame.mode->n_active * j];
    most = fmax (most, fabs (gradient[j]));
  }
  *slack = sign * multiplier_at (solver, k);
  return most > 0.0;
}

/* Computes the lifts at the present part and along Z, into the gradients of the edges' slots. */
static void find_lifts (HlHybridSolver *solver) {
  HlHybridPreload *of = &solver->preload;
  int n_edges = solver->net->tables.n_edges, n_nodes = solver->net->tables.n_nodes;
  int first = solver->net->n_slots - n_edges;

  if (n_edges == 0 || solver->plant.lift_at == NULL)
    return;
  fill_pressures (solver, of->part, of->trial);
  solver->plant.lift_at (solver->plant.data, of->trial, solver->lift);
  for (int j = 0; j < of->n; j++) {
    const double *node = of->node + n_nodes * j;
    double most = 0.0;
    for (int k = 0; k < n_nodes; k++)
      most = fmax (most, fabs (node[k]));
    double step = TRIAL_STEP / most;
    fill_pressures (solver, of->part, of->trial);
    for (int k = 0; k < n_nodes; k++)
      of->trial[k] += step * node[k];
    solver->plant.lift_at (solver->plant.data, of->trial, of->trial_lift);
    for (int edge = 0; edge < n_edges; edge++)
      of->gradient[(first + edge) * of->n + j] =
          isfinite (solver->lift[edge]) ? (of->trial_lift[edge] - solver->lift[edge]) / step : 0.0;
  }
}

/* Returns whether the oil that would pass an edge lowers its lift: a pilot-operated check valve that lets
 * oil back opens further. */
static bool is_relieved (const HlHybridSolver *solver, int edge, const double gradient[]) {
  const HlHybridEdge *ends = &solver->net->tables.edges[edge];
  const HlHybridPreload *of = &solver->preload;
  int n_nodes = solver->net->tables.n_nodes;
  double along = 0.0, drop = 0.0;

  for (int end = 0; end < 2; end++) {
    int node = end == 0 ? ends->from_node : ends->to_node;
    double sign = end == 0 ? 1.0 : -1.0;
    if (node < 0)
      return true;
    drop += sign * of->now[node];
    for (int j = 0; j < of->n; j++) {
      drop += sign * of->part[j] * of->node[node + n_nodes * j];
      along += sign * gradient[j] * of->node[node + n_nodes * j];
    }
  }
  return drop > -BACKWARD ? along > 0.0 : along < 0.0;
}

/* Computes the row of the bounds of a closed edge; false: it bounds nothing. */
static bool bound_of_edge (HlHybridSolver *solver, int slot, double *slack) {
  const HlHybridPreload *of = &solver->preload;
  int edge = slot - (solver->net->n_slots - solver->net->tables.n_edges);
  double most = 0.0;

  if (solver->plant.lift_at == NULL || !isfinite (solver->lift[edge]) ||
      hl_hybrid_key_is_open (solver->net, &solver->frame.mode->key, edge))
    return false;
  for (int j = 0; j < of->n; j++)
    most = fmax (most, fabs (of->gradient[slot * of->n + j]));
  *slack = -solver->lift[edge];
  return most > 0.0 && is_relieved (solver, edge, of->gradient + slot * of->n);
}

/* Returns the bounds of all elements, one a row in solver->lcp_member: gradients of length 1, and in lcp_q
 * the slack at the nearest part without bounds; their number. */
static int collect_bounds (HlHybridSolver *solver) {
  const HlHybridNetwork *net = solver->net;
  HlHybridPreload *of = &solver->preload;
  int n_rows = 0, first = net->n_slots - net->tables.n_edges;

  find_lifts (solver);
  for (int slot = 0; slot < net->n_slots; slot++) {
    double *gradient = of->gradient + slot * of->n, slack = 0.0, size = 0.0;
    of->is_bound[slot] =
        slot < first ? bound_of_held (solver, slot, gradient, &slack) : bound_of_edge (solver, slot, &slack);
    if (!of->is_bound[slot])
      continue;
    for (int j = 0; j < of->n; j++) {
      size += gradient[j] * gradient[j];
      slack -= gradient[j] * (of->start[j] - of->part[j]);
    }
    size = sqrt (size);
    for (int j = 0; j < of->n; j++)
      gradient[j] /= size;
    solver->lcp_q[n_rows] = slack / size;
    solver->lcp_q[net->n_slots + n_rows] = 0.0;
    solver->lcp_member[n_rows++] = slot;
  }
  return n_rows;
}

/* Finds the nearest part within the bounds: slack + (G G^T) mu >= 0, a = a0 - G^T mu. */
static void respect_bounds (HlHybridSolver *solver, int n_rows) {
  HlHybridPreload *of = &solver->preload;
  const int *slot = solver->lcp_member;

  for (int col = 0; col < n_rows; col++)
    for (int row = 0; row < n_rows; row++) {
      double sum = row == col ? SOFT_BOUND : 0.0;
      for (int j = 0; j < of->n; j++)
        sum += of->gradient[slot[row] * of->n + j] * of->gradient[slot[col] * of->n + j];
      solver->lcp_a[row + n_rows * col] = sum;
    }
  HlStatus status =
      hl_hybrid_lcp_solve (n_rows, solver->lcp_a, solver->lcp_q, solver->lcp_q + solver->net->n_slots,
                           solver->lcp_basic, solver->lcp_y, solver->lcp_scratch, solver->lcp_index);
  memcpy (of->part, of->start, (size_t)of->n * sizeof (double));
  for (int row = 0; row < n_rows && status == HL_OK; row++)
    for (int j = 0; j < of->n; j++)
      of->part[j] -= solver->lcp_y[row] * of->gradient[slot[row] * of->n + j];
}

static void find_part (HlHybridSolver *solver) {
  HlHybridPreload *of = &solver->preload;
  int n_nodes = solver->net->tables.n_nodes;

  for (int node = 0; node < n_nodes; node++)
    of->trial[node] = of->before[node] - of->now[node];
  for (int j = 0; j < of->n; j++)
    of->start[j] = of->part[j] = product (solver, of->node + n_nodes * j, of->trial);
  for (int round = 0; round < ROUNDS; round++) {
    int n_rows = collect_bounds (solver);
    if (n_rows == 0)
      return;
    respect_bounds (solver, n_rows);
  }
}

void hl_hybrid_solver_find_preload (HlHybridSolver *solver) {
  const HlHybridMode *mode = solver->frame.mode;
  HlHybridPreload *of = &solver->preload;

  if (!of->is_at_work || mode != solver->mode)
    return;
  fill_particular (solver);
  memset (of->is_bound, 0, (size_t)solver->net->n_slots * sizeof (bool));
  of->n = 0;
  if (mode->rank->n_null == 0)
    return;
  fill_compliances (solver);
  find_directions (solver);
  if (of->n == 0)
    return;
  find_part (solver);
  for (int k = 0; k < mode->n_active; k++)
    if (mode->rank->undetermined[k] && !of->is_open[k])
      solver->multiplier[mode->columns[k]] = multiplier_at (solver, k);
  fill_pressures (solver, of->part, of->trial);
  memcpy (of->now, of->trial, (size_t)solver->net->tables.n_nodes * sizeof (double));
  if (solver->plant.preload != NULL)
    solver->plant.preload (solver->plant.data, of->now);
}

/* Returns the largest force on a stop that the forces at work and the other reactions can make. Its own reaction is no
 * measure of rounding: where it is a bound, it is 0. */
static double force_at_stop (const HlHybridSolver *solver, int stop) {
  double most = hl_hybrid_force_norm (solver, solver->force), size = column_size (solver, stop);

  for (int k = 0; k < solver->frame.mode->n_active; k++)
    most = fmax (most, fabs (multiplier_at (solver, k)) * column_size (solver, k));
  return size > 0.0 ? most / size : 0.0;
}

/* Returns how far an element is from its bound, beyond a tolerance that is so many times the usual. */
static double slack_of (const HlHybridSolver *solver, int slot, double times) {
  const HlHybridPreload *of = &solver->preload;
  int edge = slot - (solver->net->n_slots - solver->net->tables.n_edges);
  double sign;

  if (edge >= 0)
    return times * LIFT_SLACK - solver->lift[edge];
  int k = held_column (solver, slot, &sign);
  double lam = sign * multiplier_at (solver, k), size = fabs (solver->frame.red->particular[k]);
  for (int j = 0; j < of->n; j++)
    size += fabs (of->part[j] * of->column[k + solver->frame.mode->n_active * j]);
  if (slot >= solver->net->tables.n_lines)
    size = force_at_stop (solver, k);
  return lam + times * REACTION_SLACK * size;
}

double hl_hybrid_preload_slack (const HlHybridSolver *solver, int slot) {
  const HlHybridPreload *of = &solver->preload;

  if (!of->is_at_work || of->n == 0 || !of->is_bound[slot])
    return NAN;
  return slack_of (solver, slot, 1.0);
}

static bool respects_all_bounds (const HlHybridSolver *solver) {
  for (int slot = 0; slot < solver->net->n_slots; slot++)
    if (solver->preload.n > 0 && solver->preload.is_bound[slot] && slack_of (solver, slot, 0.5) < 0.0)
      return false;
  return true;
}

/* ---- what opens first ---- */

/* Finds the rates of trapped pressures by the oil of pumps, into trial; false: there are none. */
static bool find_rise (HlHybridSolver *solver) {
  HlHybridPreload *of = &solver->preload;
  const HlHybridFrame *frame = &solver->frame;
  int n_nodes = solver->net->tables.n_nodes, m = frame->mode->n_active;
  double most = 0.0;

  for (int order = 0; order < 2 && most == 0.0; order++) {
    memset (of->trial, 0, (size_t)n_nodes * sizeof (double));
    for (int j = 0; j < of->n; j++) {
      double rate = 0.0;
      for (int k = 0; k < m; k++)
        rate += of->column[k + m * j] *
                (order == 0 ? frame->b[k]
                            : hl_hybrid_column_rate (solver->net, solver->in, frame->mode->columns[k]));
      for (int node = 0; node < n_nodes; node++)
        of->trial[node] += rate * of->node[node + n_nodes * j];
    }
    for (int node = 0; node < n_nodes; node++)
      most = fmax (most, fabs (of->trial[node]));
  }
  for (int node = 0; node < n_nodes && most > 0.0; node++)
    of->trial[node] /= most;
  return most > 0.0;
}

/* Stores the pressure rise so far [Pa], and the lifts of edges at it. */
static void lift_behind (HlHybridSolver *solver, double rise) {
  HlHybridPreload *of = &solver->preload;

  for (int node = 0; node < solver->net->tables.n_nodes; node++)
    of->now[node] = of->before[node] + rise * of->trial[node];
  if (solver->plant.lift_at != NULL)
    solver->plant.lift_at (solver->plant.data, of->now, of->trial_lift);
}

/* Opens closed edges and closed lines that the pressures `rise` higher push open; of lines those that the rise itself pushes.
 * False: there are none. */
static bool open_behind (HlHybridSolver *solver, HlHybridKey *key, double rise) {
  const HlHybridTables *tables = &solver->net->tables;
  const HlHybridPreload *of = &solver->preload;
  bool any = false;

  lift_behind (solver, rise);
  for (int edge = 0; edge < tables->n_edges; edge++)
    if (!hl_hybrid_key_is_open (solver->net, key, edge) && of->trial_lift[edge] > 0.0) {
      hl_hybrid_key_set_open (solver->net, key, edge, true);
      any = true;
    }
  for (int line = 0; line < tables->n_lines; line++) {
    const HlHybridLine *at = &tables->lines[line];
    if (hl_hybrid_key_get_line (solver->net, key, line) == HL_HYBRID_LINE_CLOSED &&
        of->trial[at->from_node] > of->trial[at->to_node] &&
        of->now[at->from_node] - of->now[at->to_node] > at->crack_pressure) {
      hl_hybrid_key_set_line (solver->net, key, line, HL_HYBRID_LINE_OPEN);
      any = true;
    }
  }
  return any;
}

bool hl_hybrid_preload_open_first (HlHybridSolver *solver, HlHybridKey *key) {
  HlHybridPreload *of = &solver->preload;
  double low = 0.0, high = FIRST_RISE;
  HlHybridKey trial = *key;

  fill_compliances (solver);
  find_directions (solver);
  if (!find_rise (solver))
    return false;
  while (!open_behind (solver, &trial, high)) {
    low = high;
    high *= 2.0;
    if (high > MOST_RISE)
      return false;
  }
  while (high - low > RISE_TOLERANCE * high && high > LEAST_RISE) {
    double middle = 0.5 * (low + high);
    trial = *key;
    if (open_behind (solver, &trial, middle))
      high = middle;
    else
      low = middle;
  }
  open_behind (solver, key, high);
  memcpy (of->before, of->now, (size_t)solver->net->tables.n_nodes * sizeof (double));
  return true;
}

/* ---- elements that the constraints hold still ---- */

/* Returns whether the pressures at an edge open and closed it: a spool does not. */
static bool is_moved_by_pressure (HlHybridSolver *solver, int edge) {
  const HlHybridEdge *ends = &solver->net->tables.edges[edge];
  HlHybridPreload *of = &solver->preload;
  bool is_moved = false;

  for (int end = 1; end >= 0 && !is_moved; end--) {
    int node = end == 0 ? ends->from_node : ends->to_node;
    if (node < 0)
      continue;
    memcpy (of->trial, of->now, (size_t)solver->net->tables.n_nodes * sizeof (double));
    of->trial[node] += TRIAL_STEP;
    solver->plant.lift_at (solver->plant.data, of->trial, of->trial_lift);
    is_moved = of->trial_lift[edge] != solver->lift[edge];
    /* an edge that lets oil flow back opens further with the flow */
    if (end == 1 && ends->from_node >= 0 && of->now[ends->from_node] - of->now[node] < -BACKWARD &&
        of->trial_lift[edge] < solver->lift[edge])
      return false;
  }
  return is_moved;
}

/* Returns whether oil comes back through an open edge that its pressure shuts: behind a pilot-operated check valve. */
static bool lets_oil_back (HlHybridSolver *solver, int edge) {
  const HlHybridEdge *ends = &solver->net->tables.edges[edge];
  HlHybridPreload *of = &solver->preload;

  if (ends->from_node < 0 || ends->to_node < 0 ||
      !hl_hybrid_key_is_open (solver->net, &solver->mode->key, edge) ||
      !(of->before[ends->to_node] - of->before[ends->from_node] > 0.0))
    return false;
  memcpy (of->trial, of->before, (size_t)solver->net->tables.n_nodes * sizeof (double));
  solver->plant.lift_at (solver->plant.data, of->trial, solver->lift);
  of->trial[ends->to_node] += TRIAL_STEP;
  solver->plant.lift_at (solver->plant.data, of->trial, of->trial_lift);
  return of->trial_lift[edge] < solver->lift[edge];
}

int hl_hybrid_find_returning_edges (HlHybridSolver *solver, HlHybridEvent events[]) {
  int n = 0;

  for (int edge = 0; edge < solver->net->tables.n_edges && solver->plant.lift_at != NULL; edge++)
    if (lets_oil_back (solver, edge))
      events[n++] = (HlHybridEvent){.kind = HL_HYBRID_CUT_FLOW, .entity = edge};
  return n;
}

/* Returns whether the constraints may hold an element that the present mode counts as open or free: its flow is 0, or it
 * touches its stop. */
static bool may_be_held (HlHybridSolver *solver, int slot, const double v[]) {
  const HlHybridNetwork *net = solver->net;
  const HlHybridKey *key = &solver->mode->key;
  int stop = slot - net->tables.n_lines, edge = slot - (net->n_slots - net->tables.n_edges);

  if (edge >= 0)
    return hl_hybrid_key_is_open (net, key, edge) && fabs (solver->lift[edge]) <= STILL_LIFT &&
           is_moved_by_pressure (solver, edge);
  if (stop >= 0)
    return !hl_hybrid_key_has_stop (net, key, stop / 2, stop % 2 == 1) &&
           hl_hybrid_is_touching (solver, stop / 2, stop % 2 == 1);
  return hl_hybrid_line_is_one_sided (net, slot) &&
         hl_hybrid_key_get_line (net, key, slot) == HL_HYBRID_LINE_OPEN &&
         fabs (v[slot]) <= STILL_SPEED * solver->scale[slot] * hl_hybrid_velocity_norm (solver, v);
}

static void close_slot (const HlHybridNetwork *net, HlHybridKey *key, int slot) {
  int stop = slot - net->tables.n_lines, edge = slot - (net->n_slots - net->tables.n_edges);

  if (edge >= 0)
    hl_hybrid_key_set_open (net, key, edge, false);
  else if (stop >= 0)
    hl_hybrid_key_set_stop (net, key, stop / 2, stop % 2 == 1, true);
  else
    hl_hybrid_key_set_line (net, key, slot, HL_HYBRID_LINE_CLOSED);
}

/* Returns whether a mode that has more constraints allows the same motion, and a preload within all
 * bounds; then it is the present one. */
static bool try_to_hold (HlHybridSolver *solver, double t, const HlHybridKey *key, const double v[]) {
  HlHybridMode *before = solver->mode;
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);
  int n = solver->net->n_states, n_free = before->rank->n_states - before->rank->rank;
  double *there = solver->v_dot;

  /* the flow of a closed edge that does not separate oil from given pressures follows from pressures */
  if (mode->n_active == before->n_active)
    return false;
  if (hl_hybrid_frame_set (solver, &solver->frame, mode, true) != HL_OK ||
      solver->frame.red->n_free != n_free)
    return false;
  hl_hybrid_reduce_project (solver->frame.red, &solver->mass, solver->frame.b, v, there, NULL);
  for (int i = 0; i < n; i++)
    solver->push[i] = there[i] - v[i];
  if (hl_hybrid_velocity_norm (solver, solver->push) > STILL_SPEED * hl_hybrid_velocity_norm (solver, v))
    return false;
  solver->mode = mode;
  bool is_right =
      hl_hybrid_solver_evaluate (solver, t, v) == HL_OK && hl_hybrid_solver_check_hold (solver) == HL_OK;
  if (is_right) {
    hl_hybrid_solver_find_preload (solver);
    if (solver->net->tables.n_edges > 0)
      hl_hybrid_edges_look (solver);
    is_right = respects_all_bounds (solver);
  }
  if (!is_right)
    solver->mode = before;
  return is_right;
}

HlStatus hl_hybrid_hold_still (HlHybridSolver *solver, double t, double v[]) {
  const HlHybridNetwork *net = solver->net;

  if (!solver->preload.is_at_work)
    return HL_OK;
  HlStatus status = hl_hybrid_solver_evaluate (solver, t, v);
  if (status != HL_OK)
    return status;
  hl_hybrid_solver_find_preload (solver);
  if (net->tables.n_edges > 0)
    hl_hybrid_edges_look (solver);
  for (int slot = 0; slot < net->n_slots; slot++) {
    HlHybridKey key = solver->mode->key;
    bool has_lost_hold = solver->has_lost_hold;
    if (!may_be_held (solver, slot, v))
      continue;
    close_slot (net, &key, slot);
    if (!try_to_hold (solver, t, &key, v)) {
      solver->has_lost_hold = has_lost_hold;
      solver->n_contradiction = 0;
      status = hl_hybrid_frame_set (solver, &solver->frame, solver->mode, true);
      if (status == HL_OK)
        status = hl_hybrid_solver_evaluate (solver, t, v);
      if (status != HL_OK)
        return status;
      if (net->tables.n_edges > 0)
        hl_hybrid_edges_look (solver);
    }
  }
  HlHybridKey key = solver->mode->key;
  return hl_hybrid_enter_mode (solver, &key, v);
}
