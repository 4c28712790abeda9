/* SPDX-License-Identifier: MIT */
/* Pressures by Newton's method (theory/hybrid.md (24), (26)): unknown are those of the nodes that open
 * edges join to others, but for one in each group that no given pressure is joined to. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-passages-private.h"
#include "core/math/hl-linalg.h"
#include "core/hybrid/hl-hybrid-network.h"

/* Lets the pressures relax from ways->p as far as they will. leaves: they leave a balance that no oil keeps, and steps do not
 * become shorter as the flows grow. */
static void relax_pressures (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int n,
                             bool leaves);

/* Steps of Newton's method, and how often one is halved. */
#define MOST_STEPS 200
#define MOST_HALVINGS 60
/* Part of a step's promise that must come true. */
#define PROMISE 0.5
/* A node's flows that sum up to less than this part of them, or to less than this, sum up to 0. */
#define BALANCE 1.0e-13
#define POLISHED 1.0e-2        /* part of that which no further step is worth */
#define NO_FLOW 1.0e-18        /* [m3/s] */
#define BEGINNING_FLOW 1.0e-17 /* [m3/s] */
/* Ratio of a residual to its rounding below which a step that does not improve is halved a few times only,
 * and no further step is made unless it removes all but this part of the squares. */
#define ROUNDING 1.0e2
#define FEW_HALVINGS 8
#define STALLED 0.5
/* Minimum slope of a node's flow by its own pressure: where a valve just opens, its law is flat [m3/(s Pa)]. */
#define LEAST_SLOPE 1.0e-26

/* ---- laws ---- */

/* Returns the number of ports of a pump whose flow counts as given, at pressures that only the accelerations
 * determine: it draws in full there, or its flow would depend on the pressures of the previous evaluation. */
static unsigned ports_in_full (const HlHybridPassages *ways, const HlHybridLaw *law, const HlComponent *c) {
  const HlHybridMachine *machine = ways->machine;
  int edge = law->edge[0];
  unsigned ports = 0U;

  if (edge < 0 || !machine->ways[edge].is_given)
    return 0U;
  for (int port = 0; port < c->klass->kind.n_ports; port++)
    if (c->line[port] >= 0 && !machine->net->tables.node_is_fixed[machine->node_of_line[c->line[port]]])
      ports |= 1U << port;
  return ports;
}

HlLaw hl_hybrid_passages_law (const HlHybridPassages *ways, const HlWork *work, int k, HlLawInputs *in) {
  const HlHybridLaw *of = &ways->machine->laws[k];
  const HlComponent *c = &ways->sys->components[of->component];

  for (int port = 0; port < c->klass->kind.n_ports; port++)
    in->p[port] = c->line[port] >= 0 ? ways->p[ways->machine->node_of_line[c->line[port]]] : 0.0;
  /* the oil inside of it has the pressures of its nodes */
  for (int state = c->first_state; c->klass->gathers != NULL && state < c->first_state + c->n_states; state++)
    if (ways->machine->node_of_state[state] >= 0)
      work->component_u[state] = ways->p[ways->machine->node_of_state[state]];
  HlLaw law = hl_work_law_at (work, c, in);
  law.in_full = ports_in_full (ways, of, c);
  return law;
}

bool hl_hybrid_passages_is_open (const HlHybridPassages *ways, const HlHybridInputs *in, int edge) {
  return edge >= 0 && (in->edge_is_open[edge] || ways->regularized.n > 0) &&
         !ways->machine->ways[edge].is_given;
}

/* Evaluates flows and rates of one law with its edges as in the mode; derivatives into ways->d. */
void hl_hybrid_passages_eval (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int k,
                              bool wants_slopes) {
  const HlHybridLaw *of = &ways->machine->laws[k];
  const HlComponent *c = &ways->sys->components[of->component];
  HlLawInputs inputs;
  HlLaw law = hl_hybrid_passages_law (ways, work, k, &inputs);
  bool is_by_itself = ways->regularized.n > 0 || ways->all_give_way;

  law.q = ways->q + c->first_branch;
  law.rate = ways->u_dot + c->first_state;
  for (int branch = 0; branch < c->n_branches; branch++) {
    int edge = of->edge[branch];
    if (edge < 0 || !ways->machine->ways[edge].has_lift || is_by_itself)
      continue;
    law.open |= in->edge_is_open[edge] ? 1U << branch : 0U;
    law.shut |= in->edge_is_open[edge] ? 0U : 1U << branch;
  }
  if (wants_slopes) {
    law.d = ways->d;
    memset (ways->d, 0, (size_t)(hl_component_n_rows (c) * hl_component_n_columns (c)) * sizeof (double));
  }
  hl_component_eval (c, inputs.p, &law);
  if (c->klass->delivers == 0 || c->klass->lift == NULL || ((law.open & 1U) == 0 && !is_by_itself))
    return;
  /* a pump with a relief valve of its own: what it gives with that shut counts as given */
  law.open = 0U;
  law.shut = 1U;
  law.d = NULL;
  law.q = ways->q_shut;
  hl_component_eval (c, inputs.p, &law);
  ways->q[c->first_branch] -= ways->q_shut[0];
}

/* ---- pressures at given velocities ---- */

/* Computes the flow that lines, chambers and pumps deliver to each node. */
void hl_hybrid_passages_find_given (HlHybridPassages *ways, const HlHybridInputs *in, const double v[]) {
  const HlHybridTables *tables = &ways->machine->net->tables;

  memcpy (ways->given, in->inflow, (size_t)tables->n_nodes * sizeof (double));
  for (int line = 0; line < tables->n_lines; line++) {
    ways->given[tables->lines[line].to_node] += v[line];
    ways->given[tables->lines[line].from_node] -= v[line];
  }
  for (int row = 0; row < tables->n_chambers; row++) {
    const HlHybridChamber *chamber = &tables->chambers[row];
    double rate = in->stroke_drift[chamber->cylinder];
    for (int j = 0; j < tables->n_mech; j++)
      rate += in->stroke_row[chamber->cylinder + tables->n_cylinders * j] * v[tables->n_lines + j];
    ways->given[chamber->node] -= chamber->area * rate;
  }
}

/* Returns the unknown behind a port or a state of a law; -1: none. */
static int unknown_of (const HlHybridPassages *ways, const HlComponent *c, int column) {
  const HlHybridMachine *machine = ways->machine;
  int n_ports = c->klass->kind.n_ports, node;

  if (column < n_ports)
    node = c->line[column] >= 0 ? machine->node_of_line[c->line[column]] : -1;
  else
    node = machine->node_of_state[c->first_state + column - n_ports];
  return node >= 0 ? ways->index[node] : -1;
}

/* Returns the row that the end of an edge adds to, -1 if there is none: the oil inside a component has one
 * balance as a whole. */
static int row_of_end (const HlHybridPassages *ways, int node) {
  return node >= 0 && node < ways->machine->n_line_nodes ? ways->index[node] : -1;
}

/* Adds dR/dp of one law to the Jacobian; its derivatives are in ways->d. */
static void add_slopes (HlHybridPassages *ways, const HlHybridInputs *in, int k, int n) {
  const HlHybridMachine *machine = ways->machine;
  const HlHybridLaw *law = &machine->laws[k];
  const HlComponent *c = &ways->sys->components[law->component];
  int rows = hl_component_n_rows (c);
  int n_columns = c->klass->kind.n_ports + (law->has_inner ? c->n_states : 0);

  for (int port = 0; port < n_columns; port++) {
    int column = unknown_of (ways, c, port);
    for (int branch = 0; column >= 0 && branch < c->n_branches; branch++) {
      if (!hl_hybrid_passages_is_open (ways, in, law->edge[branch]))
        continue;
      const HlHybridEdge *ends = &machine->net->tables.edges[law->edge[branch]];
      double slope = ways->d[port * rows + branch];
      int from = row_of_end (ways, ends->from_node), to = row_of_end (ways, ends->to_node);
      if (from >= 0)
        ways->jacobian[from + n * column] -= slope;
      if (to >= 0)
        ways->jacobian[to + n * column] += slope;
    }
  }
}

/* Adds the flow balance of the oil inside a component, without the displacement of its chambers, which is
 * known. */
static void add_inner (HlHybridPassages *ways, const HlWork *work, int k, int n, bool wants_slopes) {
  const HlComponent *c = &ways->sys->components[ways->machine->laws[k].component];
  int n_columns = c->klass->kind.n_ports + c->n_states;
  HlLawInputs inputs;
  HlLaw law = hl_hybrid_passages_law (ways, work, k, &inputs);

  for (int state = 0; state < c->n_states; state++) {
    int row = unknown_of (ways, c, c->klass->kind.n_ports + state);
    if (row < 0)
      continue;
    memset (ways->d, 0, (size_t)n_columns * sizeof (double));
    double q = c->klass->gathers (c, &law, state, ways->d);
    ways->residual[row] += q;
    ways->size[row] += fabs (q);
    for (int column = 0; column < n_columns && wants_slopes; column++) {
      int at = unknown_of (ways, c, column);
      if (at >= 0)
        ways->jacobian[row + n * at] += ways->d[column];
    }
  }
}

/* Adds the compliance of velocities to the pressures of the regularized step. */
static void add_regularized (HlHybridPassages *ways, int n, bool wants_slopes) {
  const double *gain = ways->regularized.gain;

  for (int node = 0; node < ways->machine->n_nodes; node++) {
    int column = ways->index[node];
    for (int row = 0; column >= 0 && row < n; row++) {
      double q = gain[row + n * column] * ways->p[node];
      ways->residual[row] -= q;
      ways->size[row] += fabs (q);
      if (wants_slopes)
        ways->jacobian[row + n * column] -= gain[row + n * column];
    }
  }
}

/* Sets the rows of levels: the changes by accelerations in the sum of the flows of a floating group, in place
 * of the flows of its first node. */
static void set_level_rows (HlHybridPassages *ways, const HlHybridInputs *in, int n, bool wants_slopes) {
  const HlHybridRegularizedStep *of = &ways->regularized;

  for (int level = 0; level < ways->machine->n_nodes; level++) {
    int row = ways->index[level];
    if (row < 0 || in->group[level] != level)
      continue;
    ways->residual[row] = ways->size[row] = 0.0;
    for (int column = 0; column < n && wants_slopes; column++)
      ways->jacobian[row + n * column] = 0.0;
    for (int node = 0; node < ways->machine->n_nodes; node++) {
      int of_node = ways->index[node];
      if (of_node < 0 || in->group[node] != level)
        continue;
      ways->residual[row] += of->free[of_node];
      ways->size[row] += fabs (of->free[of_node]);
      for (int other = 0; other < ways->machine->n_nodes; other++) {
        int column = ways->index[other];
        if (column < 0)
          continue;
        double gain = of->gain[of_node + n * column];
        ways->residual[row] -= gain * ways->p[other];
        ways->size[row] += fabs (gain * ways->p[other]);
        if (wants_slopes)
          ways->jacobian[row + n * column] -= gain;
      }
    }
  }
}

/* Computes into ways->noise the change of the flows by rounding of the pressures: with wide-open valves and
 * small flows, no pressure can be more accurate. */
static void find_noise (HlHybridPassages *ways, int n) {
  memset (ways->noise, 0, (size_t)n * sizeof (double));
  for (int node = 0; node < ways->machine->n_nodes; node++) {
    int column = ways->index[node];
    double digit = DBL_EPSILON * fabs (ways->p[node]);
    for (int row = 0; column >= 0 && row < n; row++)
      ways->noise[row] += fabs (ways->jacobian[row + n * column]) * digit;
  }
}

/* Computes the flows into the n unknown nodes at ways->p, theory/hybrid.md (24), into ways->residual, and
 * their slopes into ways->jacobian when requested; *excess: the largest sum relative to its rounding. Returns
 * the sum of squares. */
static double sum_flows (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int n,
                         bool wants_slopes, double *excess) {
  const HlHybridMachine *machine = ways->machine;
  double squares = 0.0;

  for (int node = 0; node < machine->n_nodes; node++)
    if (ways->index[node] >= 0) {
      ways->residual[ways->index[node]] = ways->given[node];
      ways->size[ways->index[node]] = fabs (ways->given[node]);
    }
  if (wants_slopes)
    memset (ways->jacobian, 0, (size_t)n * (size_t)n * sizeof (double));
  for (int k = 0; k < machine->n_laws; k++) {
    const HlComponent *c = &ways->sys->components[machine->laws[k].component];
    bool takes_part = machine->laws[k].has_inner;
    for (int branch = 0; branch < c->n_branches; branch++)
      takes_part = takes_part || hl_hybrid_passages_is_open (ways, in, machine->laws[k].edge[branch]);
    if (!takes_part)
      continue;
    hl_hybrid_passages_eval (ways, work, in, k, wants_slopes);
    for (int branch = 0; branch < c->n_branches; branch++) {
      int edge = machine->laws[k].edge[branch];
      if (!hl_hybrid_passages_is_open (ways, in, edge))
        continue;
      double q = ways->q[c->first_branch + branch];
      for (int end = 0; end < 2; end++) {
        int node =
            end == 0 ? machine->net->tables.edges[edge].from_node : machine->net->tables.edges[edge].to_node;
        int row = row_of_end (ways, node);
        if (row < 0)
          continue;
        ways->residual[row] += end == 0 ? -q : q;
        ways->size[row] += fabs (q);
      }
    }
    if (wants_slopes)
      add_slopes (ways, in, k, n);
    if (machine->laws[k].has_inner)
      add_inner (ways, work, k, n, wants_slopes);
  }
  if (ways->regularized.n > 0)
    add_regularized (ways, n, wants_slopes);
  if (ways->regularized.has_levels)
    set_level_rows (ways, in, n, wants_slopes);
  *excess = 0.0;
  if (wants_slopes)
    find_noise (ways, n);
  for (int row = 0; row < n; row++) {
    double nothing = BALANCE * ways->size[row] + NO_FLOW + (wants_slopes ? ways->noise[row] : 0.0);
    double over = fabs (ways->residual[row]) / nothing;
    *excess = over <= *excess ? *excess : over; /* NaN is kept */
    squares += ways->residual[row] * ways->residual[row];
  }
  return squares;
}

/* Lists the nodes with unknown pressures; returns their number. */
static int number_unknowns (HlHybridPassages *ways, const HlHybridInputs *in) {
  const HlHybridTables *tables = &ways->machine->net->tables;
  int n = 0;

  for (int node = 0; node < tables->n_nodes; node++) {
    ways->index[node] = -1;
    if (tables->node_is_fixed[node])
      ways->p[node] = in->node_pressure[node];
    else if (in->group[node] != node)
      ways->index[node] = n++;
  }
  return n;
}

/* Gives the nodes that nothing comes to the least flow through their open valves. Without flow, every pressure at which such a
 * valve is shut balances; this flow selects the limit of small flows, the pressure at which the valve opens. */
static void begin_flows (HlHybridPassages *ways, const HlHybridInputs *in) {
  const HlHybridTables *tables = &ways->machine->net->tables;
  double *begun = ways->base;

  memset (begun, 0, (size_t)tables->n_nodes * sizeof (double));
  for (int edge = 0; edge < tables->n_edges; edge++)
    if (ways->machine->ways[edge].has_lift && hl_hybrid_passages_is_open (ways, in, edge)) {
      begun[tables->edges[edge].from_node] += BEGINNING_FLOW;
      begun[tables->edges[edge].to_node] -= BEGINNING_FLOW;
    }
  for (int node = 0; node < tables->n_nodes; node++)
    if (ways->index[node] >= 0 && ways->given[node] == 0.0)
      ways->given[node] = begun[node];
}

/* Sets ways->p = ways->base + part * ways->step; false: it equals ways->base to the last digit. */
static bool move_pressures (HlHybridPassages *ways, double part) {
  bool moves = false;

  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->index[node] >= 0) {
      ways->p[node] = ways->base[node] + part * ways->step[ways->index[node]];
      moves = moves || ways->p[node] != ways->base[node];
    }
  return moves;
}

/* Makes one step of Newton's method, shortened until the residual decreases; HL_NO_CONVERGENCE when it never
 * does. */
static HlStatus step_of_newton (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int n,
                                double squares, int most_halvings) {
  double unused;

  for (int row = 0; row < n; row++) {
    ways->step[row] = -ways->residual[row];
    ways->jacobian[row + n * row] -= LEAST_SLOPE;
  }
  if (hl_lu_factor (n, ways->jacobian, ways->pivots) != HL_OK)
    return HL_SINGULAR;
  hl_lu_solve (n, ways->jacobian, ways->pivots, 1, ways->step);
  memcpy (ways->base, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
  double part = 1.0;
  for (int k = 0; k < most_halvings && move_pressures (ways, part); k++, part *= 0.5) {
    double left = sum_flows (ways, work, in, n, false, &unused);
    if (left <= (1.0 - PROMISE * part) * squares)
      return HL_OK;
  }
  move_pressures (ways, 0.0);
  return HL_NO_CONVERGENCE;
}

/* Finds pressures by Newton's method from ways->p; returns the remaining *excess, and its squares. */
static double find_pressures (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int n,
                              double *squares) {
  double excess = 0.0;

  *squares = 0.0;
  for (int k = 0; k < MOST_STEPS && n > 0; k++) {
    double last = k > 0 ? *squares : INFINITY;
    *squares = sum_flows (ways, work, in, n, true, &excess);
    if (excess <= POLISHED || !isfinite (*squares))
      break;
    /* rounding: a barely open edge has no slope for Newton's method, which would not end */
    bool is_rounding = excess <= ROUNDING;
    if (is_rounding && *squares > STALLED * last)
      break;
    /* one more step, where it is any better: integrators see less noise */
    if (excess <= 1.0) {
      step_of_newton (ways, work, in, n, *squares, 1);
      break;
    }
    if (step_of_newton (ways, work, in, n, *squares, is_rounding ? FEW_HALVINGS : MOST_HALVINGS) != HL_OK)
      break;
  }
  return excess;
}

/* Ratio of a residual to rounding above which a solution that no step improves is rejected. */
#define HARDLY_ANY 1.0e6

static int hardest_node (const HlHybridPassages *ways) {
  int worst = -1;

  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->index[node] >= 0 &&
        (worst < 0 || fabs (ways->residual[ways->index[node]]) > fabs (ways->residual[ways->index[worst]])))
      worst = node;
  return worst;
}

static void diagnose_node (const HlHybridPassages *ways, int node, double excess, HlFault *fault) {
  hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_LINE, ways->machine->line_of_node[node], excess);
  if (fault == NULL)
    return;
  fault->why = HL_TEXT ("the pressure of this line has no steady value: a valve that opens lowers its own "
                        "pilot pressure, and the pressure jumps");
  fault->mend = HL_TEXT ("throttle the pilot line or the flow, or use the lumped oil model");
}

/* Finds the pressures of the n unknown nodes from ways->p, by Newton's method or else by relaxation; false:
 * none are found. */
static bool find_or_relax (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int n) {
  double squares;

  if (find_pressures (ways, work, in, n, &squares) <= HARDLY_ANY)
    return true;
  relax_pressures (ways, work, in, n, false);
  return find_pressures (ways, work, in, n, &squares) <= HARDLY_ANY;
}

/* Finds the pressures after a jump at a trial point of an integrator: Newton's method starts from the
 * pressures of the last accepted step; if it fails, the earlier pressures stay. Relaxation far from the step
 * may end in another solution, in which a valve counts as open far beyond its closing point and the oil gains
 * energy; the run would never return from that branch. */
static double find_from_kept (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int n) {
  double *before = ways->level.g_last, squares;

  memcpy (before, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->index[node] >= 0)
      ways->p[node] = ways->kept[node];
  double excess = find_pressures (ways, work, in, n, &squares);
  if (!(excess <= HARDLY_ANY))
    memcpy (ways->p, before, (size_t)ways->machine->n_nodes * sizeof (double));
  return excess;
}

/* Finds the pressures together with the levels of floating groups, from the latest ones, where a law depends
 * on such a level; returns the residual. INFINITY: no law depends on one, or none are found, and the
 * pressures stay. */
static double find_with_levels (HlHybridPassages *ways, const HlWork *work, HlHybridInputs *in,
                                const double v[]);

HlStatus hl_hybrid_passages_move (HlHybridPassages *ways, HlWork *work, const double v[], HlHybridInputs *in,
                                  HlFault *fault) {
  const HlHybridTables *tables = &ways->machine->net->tables;
  double squares;

  if (in->group == NULL) /* nothing but soft nodes */
    return HL_OK;
  int n = number_unknowns (ways, in);
  hl_hybrid_passages_find_given (ways, in, v);
  if (ways->begins)
    begin_flows (ways, in);
  double excess = find_with_levels (ways, work, in, v);
  if (!(excess <= HARDLY_ANY))
    n = number_unknowns (ways, in);
  if (!(excess <= HARDLY_ANY) && ways->has_jumped)
    excess = find_from_kept (ways, work, in, n);
  if (!(excess <= HARDLY_ANY))
    excess = find_pressures (ways, work, in, n, &squares);
  if (!(excess <= HARDLY_ANY)) {
    relax_pressures (ways, work, in, n, false);
    excess = find_pressures (ways, work, in, n, &squares);
    ways->has_jumped = ways->holds_on;
  }
  if (!(excess <= HARDLY_ANY)) {
    diagnose_node (ways, hardest_node (ways), excess, fault);
    return HL_NO_CONVERGENCE;
  }
  for (int node = 0; node < tables->n_nodes; node++)
    if (!tables->node_is_fixed[node])
      in->node_pressure[node] =
          in->group[node] < 0 ? ways->p[node] : ways->p[node] - ways->p[in->group[node]];
  return HL_OK;
}

void hl_hybrid_passages_settle (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in,
                                const double v[]) {
  double *agreed = ways->level.g_last, squares;
  bool is_off = false;

  for (int node = 0; node < ways->level.n; node++)
    is_off = is_off || (ways->level.is_level[node] && ways->level.f[node] != 0.0);
  if (!is_off || in->group == NULL)
    return;
  memcpy (agreed, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
  int n = number_unknowns (ways, in);
  hl_hybrid_passages_find_given (ways, in, v);
  if (ways->begins)
    begin_flows (ways, in);
  if (!(find_pressures (ways, work, in, n, &squares) <= HARDLY_ANY))
    memcpy (ways->p, agreed, (size_t)ways->machine->n_nodes * sizeof (double));
}

/* Pressures that Newton's method does not find from their last values. There are two causes: a valve at
 * its opening point, where its law is flat, and a valve that lowers its own pilot pressure, so that the
 * branch of solutions ends and the pressures jump to another branch. Slightly compressible oil then follows
 *
 *   C p' = R (p)                                                       theory/hybrid.md (26a)
 *
 * until R is 0, and where that ends does not depend on how little C is, if it is the same share of
 * every node. It is followed by linearly implicit Euler steps,
 *
 *   (mu - dR/dp) d = R (p),   p <- p + d,
 *
 * mu falling as R does, so that the last of them are those of Newton's method; at most MOST_RELAXED of
 * them. */

#define MOST_RELAXED 400
/* The first step moves no pressure by more than this, and none by more than that [Pa]. */
#define FIRST_MOVE 1.0e3
#define LONGEST_MOVE 2.0e5
/* Maximum number of times that a step is shortened when it goes the wrong way, as a long one does where the
 * flow grows by itself. */
#define MOST_SHORTER 40
/* Change of mu from step to step at most; where R does not change, for example while a pump presses on trapped oil,
 * steps become longer as well, and reach the opening of the valve. */
#define FASTEST 4.0
#define UNCHANGED 0.9999
#define LONGER 0.5

static double largest (const double x[], int n) {
  double most = 0.0;

  for (int k = 0; k < n; k++)
    most = fmax (most, fabs (x[k]));
  return most;
}

/* Finds the step at mu; false: singular, or against R, for which no time is short enough. */
static bool find_step (HlHybridPassages *ways, int n, double mu) {
  double along = 0.0;

  for (int row = 0; row < n; row++) {
    ways->step[row] = ways->residual[row];
    for (int column = 0; column < n; column++)
      ways->relaxed[row + n * column] = (row == column ? mu : 0.0) - ways->jacobian[row + n * column];
  }
  if (hl_lu_factor (n, ways->relaxed, ways->pivots) != HL_OK)
    return false;
  hl_lu_solve (n, ways->relaxed, ways->pivots, 1, ways->step);
  for (int row = 0; row < n; row++)
    along += ways->step[row] * ways->residual[row];
  return along > 0.0;
}

static void relax_pressures (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int n,
                             bool leaves) {
  double excess, rest = 0.0, mu = 0.0;

  for (int k = 0; k < MOST_RELAXED; k++) {
    sum_flows (ways, work, in, n, true, &excess);
    double now = largest (ways->residual, n);
    if (!isfinite (now) || excess <= 1.0)
      return;
    double change = k > 0 ? fmin (fmax (now / rest, 1.0 / FASTEST), FASTEST) : 1.0;
    if (k > 0 && change > UNCHANGED && change <= 1.0)
      change *= LONGER;
    if (leaves)
      change = fmin (change, 1.0);
    mu = k > 0 ? mu * change : now / FIRST_MOVE;
    rest = now;
    for (int shorter = 0; !find_step (ways, n, mu); shorter++, mu *= FASTEST)
      if (shorter == MOST_SHORTER)
        return;
    double move = largest (ways->step, n);
    memcpy (ways->base, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
    move_pressures (ways, move > LONGEST_MOVE ? LONGEST_MOVE / move : 1.0);
    if (move > LONGEST_MOVE)
      mu *= 2.0 * FASTEST; /* a shorter time goes with it */
  }
}

/* The levels of floating groups on which laws or sensors depend: G maps the assumed pressure x to the
 * resulting multiplier G (x). If nothing depends on the level, G is constant, and the second iterate equals
 * the first. Else G is smooth between the kinks of the laws, and x = G (x) is solved by the secants of the
 * last rounds (Anderson's mixing),
 *
 *   f = G - x,    x <- G - dG c,    |f - dF c| least,
 *
 * which for one level is the secant method and for n of them finds what is linear in n + 1 rounds. The first
 * round is a step of Picard's method, x <- G. */

/* Change of a level that requires a new evaluation of the laws. */
#define LEVEL_TOLERANCE 1.0e-9
#define LEVEL_NEAR 1.0e-3 /* [Pa] */
/* Highest level [Pa]. Behind an almost closed valve the level is undetermined, and the pressure beyond the
 * valve does not depend on it: errors of that pressure count in parts of this limit at most; so does the
 * level's last digit, since from 1e20 Pa on every level reproduces itself. */
#define HIGHEST_LEVEL 1.0e9
/* A column whose component beyond the earlier columns is less than this part of its length is dependent. */
#define INDEPENDENT 1.0e-6

void hl_hybrid_level_init (HlHybridLevel *level, int n_nodes, HlArena *arena) {
  double *numbers = hl_arena_take (arena, (2 * HL_HYBRID_SECANTS + 5) * n_nodes, sizeof (double));

  level->n = n_nodes;
  level->is_level = hl_arena_take (arena, n_nodes, sizeof (bool));
  level->next = numbers;
  level->f = numbers + n_nodes;
  level->g = numbers + 2 * n_nodes;
  level->f_last = numbers + 3 * n_nodes;
  level->g_last = numbers + 4 * n_nodes;
  level->df = numbers + 5 * n_nodes;
  level->dg = level->df + HL_HYBRID_SECANTS * n_nodes;
}

static double dot (const HlHybridLevel *level, const double a[], const double b[]) {
  double sum = 0.0;

  for (int k = 0; k < level->n; k++)
    sum += level->is_level[k] ? a[k] * b[k] : 0.0;
  return sum;
}

/* Takes the step of this round to the secants; the oldest goes. */
static void add_secant (HlHybridLevel *level) {
  size_t column = (size_t)level->n * sizeof (double);
  int n = level->n;

  if (level->n_secants == HL_HYBRID_SECANTS) {
    memmove (level->df, level->df + n, (HL_HYBRID_SECANTS - 1) * column);
    memmove (level->dg, level->dg + n, (HL_HYBRID_SECANTS - 1) * column);
    level->n_secants--;
  }
  double *df = level->df + n * level->n_secants, *dg = level->dg + n * level->n_secants;
  for (int k = 0; k < n; k++) {
    df[k] = level->f[k] - level->f_last[k];
    dg[k] = level->g[k] - level->g_last[k];
  }
  level->n_secants++;
}

/* Computes next <- G - dG c; by orthogonal columns, the latest first. */
static void mix_levels (HlHybridLevel *level) {
  int n = level->n, m = level->n_secants;
  double q[HL_HYBRID_SECANTS][HL_HYBRID_SECANTS] = {{0.0}}, size[HL_HYBRID_SECANTS];
  double along[HL_HYBRID_SECANTS], c[HL_HYBRID_SECANTS] = {0.0};

  /* Gram-Schmidt on copies of coefficients: q[j] are the columns of dF that make the j-th direction */
  for (int j = 0; j < m; j++) {
    int column = m - 1 - j;
    const double *df = level->df + n * column;
    double own = dot (level, df, df), left = own;
    q[j][column] = 1.0;
    for (int i = 0; i < j; i++) {
      if (size[i] == 0.0)
        continue;
      double part = 0.0;
      for (int k = 0; k < m; k++)
        part += q[i][k] != 0.0 ? q[i][k] * dot (level, level->df + n * k, df) : 0.0;
      for (int k = 0; k < m; k++)
        q[j][k] -= part / size[i] * q[i][k];
      left -= part * part / size[i];
    }
    size[j] = left > INDEPENDENT * own ? left : 0.0;
    along[j] = 0.0;
    for (int k = 0; k < m && size[j] > 0.0; k++)
      along[j] += q[j][k] * dot (level, level->df + n * k, level->f);
    for (int k = 0; k < m && size[j] > 0.0; k++)
      c[k] += along[j] / size[j] * q[j][k];
  }
  for (int node = 0; node < n; node++) {
    level->next[node] = level->g[node];
    for (int k = 0; k < m; k++)
      level->next[node] -= c[k] * level->dg[node + n * k];
  }
}

/* Levels: nodes whose multiplier stands for a group in which some pressure is felt. */
static void find_levels (HlHybridPassages *ways, const double multiplier[], const HlHybridInputs *in) {
  const HlHybridTables *tables = &ways->machine->net->tables;
  HlHybridLevel *level = &ways->level;

  memset (level->is_level, 0, (size_t)level->n * sizeof (bool));
  for (int node = 0; node < level->n; node++) {
    int of = tables->node_is_fixed[node] ? -1 : in->group != NULL ? in->group[node] : node;
    if (of >= 0 && ways->is_felt[node] && isfinite (multiplier[of]))
      level->is_level[of] = true;
  }
}

bool hl_hybrid_level_next (HlHybridPassages *ways, const double multiplier[], int round,
                           const HlHybridInputs *in, int *worst) {
  HlHybridLevel *level = &ways->level;
  bool is_new = false;
  double most = 0.0;

  find_levels (ways, multiplier, in);
  *worst = -1;
  for (int node = 0; node < level->n; node++) {
    level->next[node] = level->g[node] = level->is_level[node] ? multiplier[node] : 0.0;
    level->f[node] = level->is_level[node] ? multiplier[node] - ways->p[node] : 0.0;
    double size = fmin (fabs (level->g[node]), HIGHEST_LEVEL), digit = DBL_EPSILON * fabs (level->g[node]);
    double over = (fabs (level->f[node]) + digit) / (LEVEL_TOLERANCE * size + LEVEL_NEAR);
    is_new = is_new || over > 1.0;
    if (over > most) {
      most = over;
      *worst = node;
    }
  }
  if (round == 0)
    level->n_secants = 0;
  else if (is_new)
    add_secant (level);
  if (is_new && level->n_secants > 0)
    mix_levels (level);
  memcpy (level->f_last, level->f, (size_t)level->n * sizeof (double));
  memcpy (level->g_last, level->g, (size_t)level->n * sizeof (double));
  return is_new;
}

/* Finds which valve edges are open after an event by one implicit step of a short time h. In this step velocities may
 * change, the oil is slightly compressible, and every law is open or shut by its own pressures (theory/hybrid.md,
 * "The regularized step"):
 *
 *   v+ = v + h M^-1 (F - W p - W_H lam),    W_H^T v+ = -b_H
 *   eps C (p - p_before) = W^T v+ + b + h (b' + W'^T v) + phi (p)         (26b)
 *
 * with H the stops and shut lines of the mode. W^T v+ falls with p as h W^T M^-1 W does, symmetric and
 * positive semidefinite, so oil without a way out has a finite pressure. The valve lifts at p decide which edges
 * are open, and Newton's method for the pressures of the mode starts at p. */

/* Diagonal term of held columns, as a fraction of their own, so that linearly dependent columns can be eliminated. */
#define SLACK 1.0e-12
/* eps C of (26b) is at most this fraction of the diagonal of h W^T M^-1 W, and at least LEAST_SOFTNESS [m3/(s Pa)]. */
#define SOFTNESS 1.0e-6
#define LEAST_SOFTNESS 1.0e-24

void hl_hybrid_regularized_step_init (HlHybridRegularizedStep *of, const HlHybridNetwork *net,
                                      HlArena *arena) {
  int n = net->n_states, m = net->n_columns;

  of->mass = hl_arena_take (arena, n * n, sizeof (double));
  of->w = hl_arena_take (arena, n * m, sizeof (double));
  of->answer = hl_arena_take (arena, n * m, sizeof (double));
  of->force = hl_arena_take (arena, 2 * n, sizeof (double));
  of->gain = hl_arena_take (arena, m * m, sizeof (double));
  of->hold = hl_arena_take (arena, m * m, sizeof (double));
  of->free = hl_arena_take (arena, m, sizeof (double));
  of->own = hl_arena_take (arena, m, sizeof (double));
  of->stiff = hl_arena_take (arena, m * m, sizeof (double));
  of->columns = hl_arena_take (arena, m, sizeof (int));
  of->pivots = hl_arena_take (arena, n + m, sizeof (int));
}

static double dot_product (const double a[], const double b[], int n) {
  double sum = 0.0;

  for (int k = 0; k < n; k++)
    sum += a[k] * b[k];
  return sum;
}

/* Lists unknown pressures, then the held ones of the mode; returns the number of the former. */
static int list_columns (HlHybridPassages *ways, const HlHybridKey *key, int *n_all) {
  const HlHybridNetwork *net = ways->machine->net;
  HlHybridRegularizedStep *of = &ways->regularized;
  int n = 0, m;

  for (int node = 0; node < net->tables.n_nodes; node++) {
    ways->index[node] = net->tables.node_is_fixed[node] ? -1 : n;
    if (ways->index[node] >= 0)
      of->columns[n++] = hl_hybrid_node_column (net, node);
  }
  m = n;
  for (int column = net->tables.n_nodes; column < net->n_columns; column++)
    if (hl_hybrid_key_has_column (net, key, column) ||
        hl_hybrid_column_kind (net, column, &(int){0}) == HL_HYBRID_LINK_FORCE)
      of->columns[m++] = column;
  *n_all = m;
  return n;
}

/* Computes the flow into the unknown nodes at p = 0 over a time, and its derivative by p, both for the
 * present mode: including the flows of v, if requested, and those of accelerations. */
static HlStatus find_stiffness (HlHybridPassages *ways, HlHybridInputs *in, const double v[], int n_unknown,
                                int n_all, double moment, bool wants_flows) {
  const HlHybridNetwork *net = ways->machine->net;
  HlHybridRegularizedStep *of = &ways->regularized;
  int n = net->n_states, lines = net->tables.n_lines, n_held = n_all - n_unknown;
  double *push = of->force + n;

  for (int node = 0; node < net->tables.n_nodes; node++)
    if (!net->tables.node_is_fixed[node])
      in->node_pressure[node] = 0.0;
  in->group = NULL; /* every node for itself */
  hl_hybrid_force_eval (net, in, v, of->force);
  memset (of->mass, 0, (size_t)n * (size_t)n * sizeof (double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i >= lines && j >= lines)
        of->mass[i + n * j] = in->mass[i - lines + (n - lines) * (j - lines)];
      else if (i == j)
        of->mass[i + n * j] = net->tables.lines[i].inertia;
  for (int k = 0; k < n_all; k++)
    hl_hybrid_column_assemble (net, in, of->columns[k], of->w + n * k);
  memcpy (of->answer, of->w, (size_t)n * (size_t)n_all * sizeof (double));
  memcpy (push, of->force, (size_t)n * sizeof (double));
  if (hl_lu_factor (n, of->mass, of->pivots) != HL_OK)
    return HL_SINGULAR;
  hl_lu_solve (n, of->mass, of->pivots, n_all, of->answer);
  hl_lu_solve (n, of->mass, of->pivots, 1, push);
  for (int i = 0; i < n_all; i++) {
    const double *w = of->w + n * i;
    of->free[i] = moment * (dot_product (w, push, n) + hl_hybrid_column_rate (net, in, of->columns[i]));
    if (wants_flows)
      of->free[i] += dot_product (w, v, n) + hl_hybrid_column_inflow (net, in, of->columns[i]);
    for (int j = 0; j < n_all; j++)
      of->gain[i + n_all * j] = moment * dot_product (w, of->answer + n * j, n);
    of->own[i] = of->gain[i + n_all * i];
  }
  /* the reactions of what is held: lam = S_HH^-1 (free_H - S_HP p) */
  for (int j = 0; j <= n_unknown; j++)
    for (int i = 0; i < n_held; i++)
      of->stiff[i + n_held * j] =
          j < n_unknown ? of->gain[n_unknown + i + n_all * j] : of->free[n_unknown + i];
  for (int j = 0; j < n_held; j++)
    for (int i = 0; i < n_held; i++)
      of->hold[i + n_held * j] =
          of->gain[n_unknown + i + n_all * (n_unknown + j)] * (i == j ? 1.0 + SLACK : 1.0);
  if (n_held > 0 && hl_lu_factor (n_held, of->hold, of->pivots) != HL_OK)
    return HL_SINGULAR;
  hl_lu_solve (n_held, of->hold, of->pivots, n_unknown + 1, of->stiff);
  for (int i = 0; i < n_unknown; i++) {
    for (int k = 0; k < n_held; k++)
      of->free[i] -= of->gain[i + n_all * (n_unknown + k)] * of->stiff[k + n_held * n_unknown];
    for (int j = 0; j < n_unknown; j++)
      for (int k = 0; k < n_held; k++)
        of->gain[i + n_all * j] -= of->gain[i + n_all * (n_unknown + k)] * of->stiff[k + n_held * j];
  }
  for (int j = 0; j < n_unknown; j++) /* packed, column after column */
    memmove (of->gain + n_unknown * j, of->gain + n_all * j, (size_t)n_unknown * sizeof (double));
  return HL_OK;
}

/* Adds the compliance of the oil to the diagonal. It is small enough to matter for undetermined pressures
 * only, which it keeps near their values before the step. A step back has almost none: there the closing
 * openings, of the order of 1e-6, determine the pressures. */
static void add_compliances (HlHybridPassages *ways, const HlWork *work, int n, double moment) {
  HlHybridRegularizedStep *of = &ways->regularized;
  const HlHybridMachine *machine = ways->machine;
  double least = INFINITY;

  for (int pass = 0; pass < 2; pass++)
    for (int node = 0; node < machine->n_nodes; node++) {
      int k = ways->index[node];
      if (k < 0)
        continue;
      double c = node < machine->n_line_nodes
                     ? hl_hybrid_compliance (ways->sys, machine, work, node, ways->p[node])
                     : 0.0;
      double own = of->gain[k + n * k];
      if (pass == 0 && c > 0.0 && own > 0.0)
        least = fmin (least, own / c);
      if (pass == 0)
        continue;
      double soft = moment > 0.0 ? fmax (SOFTNESS * c * (isfinite (least) ? least : 1.0), LEAST_SOFTNESS)
                                 : -LEAST_SOFTNESS;
      of->gain[k + n * k] += soft;
      of->free[k] += soft * ways->p[node];
    }
}

/* A pilot-operated check valve that lets oil back opens itself further, for the oil lowers the pressure that shuts it. At its
 * opening point the flows balance, but oil with any compliance leaves that balance: the pressure behind the valve falls until
 * the oil has passed. Pressures at such a valve are moved by NUDGE [Pa] in the sense of its flow where its lift is less than
 * BARELY_OPEN. */
#define NUDGE 1.0e3
#define BARELY_OPEN 1.0e-2
#define JUST_OPEN -1.0e-10 /* of a lift: rounding */

/* Moves the pressures at valves that just open and open themselves further; returns whether there are valves that do. */
static bool leave_opening_points (HlHybridPassages *ways, const HlWork *work) {
  const HlHybridMachine *machine = ways->machine;
  bool any = false;

  for (int edge = 0; edge < machine->net->tables.n_edges; edge++) {
    const HlHybridPassage *way = &machine->ways[edge];
    const HlHybridEdge *ends = &machine->net->tables.edges[edge];
    if (!way->has_lift || ends->from_node < 0 || ends->to_node < 0)
      continue;
    const HlComponent *c = &ways->sys->components[machine->laws[way->law].component];
    HlLawInputs inputs;
    double drop = ways->p[ends->from_node] - ways->p[ends->to_node];
    HlLaw law = hl_hybrid_passages_law (ways, work, way->law, &inputs);
    double lift = c->klass->lift (c, &law, way->branch);
    if (!(lift >= JUST_OPEN) || fabs (drop) <= 2.0 * NUDGE)
      continue;
    for (int end = 0; end < 2; end++) {
      int node = end == 0 ? ends->from_node : ends->to_node;
      double before = ways->p[node];
      if (ways->index[node] < 0)
        continue;
      ways->p[node] += (end == 0) == (drop > 0.0) ? -NUDGE : NUDGE;
      law = hl_hybrid_passages_law (ways, work, way->law, &inputs);
      bool opens_itself = c->klass->lift (c, &law, way->branch) > lift;
      if (!opens_itself || lift > BARELY_OPEN)
        ways->p[node] = before;
      any = any || opens_itself;
    }
  }
  return any;
}

HlStatus hl_hybrid_passages_take_regularized_step (HlHybridPassages *ways, const HlWork *work,
                                                   const HlHybridKey *key, const double v[], double moment,
                                                   HlHybridInputs *in) {
  HlHybridRegularizedStep *of = &ways->regularized;
  int n_all, n = list_columns (ways, key, &n_all);
  const int *group = in->group;
  double squares;
  HlStatus status = find_stiffness (ways, in, v, n, n_all, moment, true);

  in->group = group;
  if (status != HL_OK)
    return status;
  add_compliances (ways, work, n, moment);
  memcpy (ways->there, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->index[node] >= 0)
      ways->given[node] = of->free[ways->index[node]];
    else
      ways->p[node] = in->node_pressure[node];
  of->n = n;
  if (moment > 0.0 && leave_opening_points (ways, work))
    relax_pressures (ways, work, in, n, true);
  bool is_found = moment > 0.0 ? find_or_relax (ways, work, in, n)
                               : find_pressures (ways, work, in, n, &squares) <= HARDLY_ANY;
  of->n = 0;
  for (int node = 0; node < ways->machine->n_nodes; node++)
    ways->is_known[node] = true;
  if (!is_found)
    memcpy (ways->p, ways->there, (size_t)ways->machine->n_nodes * sizeof (double));
  return is_found ? HL_OK : HL_NO_CONVERGENCE;
}

/* Time in which the rows of levels are taken as flows [s], and their compliance, as a part of what it is without held columns:
 * it keeps a level that nothing else determines. */
#define LEVEL_TIME 1.0e-3
#define LEVEL_SLACK 1.0e-10

static bool feels_levels (const HlHybridPassages *ways, const HlHybridInputs *in) {
  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (!ways->machine->net->tables.node_is_fixed[node] && in->group[node] >= 0 && ways->is_felt[node])
      return true;
  return false;
}

static double find_with_levels (HlHybridPassages *ways, const HlWork *work, HlHybridInputs *in,
                                const double v[]) {
  HlHybridRegularizedStep *of = &ways->regularized;
  const int *group = in->group;
  double excess = INFINITY, squares;
  int n_all, n;

  /* before the first step the flows are 1e-17 m3/s, and the rows of levels would outweigh them */
  if (ways->begins || !feels_levels (ways, in) || ways->has_hearing_pump)
    return excess;
  n = list_columns (ways, in->key, &n_all);
  HlStatus status = find_stiffness (ways, in, v, n, n_all, LEVEL_TIME, false);
  in->group = group;
  if (status != HL_OK)
    return excess;
  memcpy (ways->there, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
  for (int node = 0; node < ways->machine->n_nodes; node++) {
    int k = ways->index[node];
    if (k < 0)
      ways->p[node] = in->node_pressure[node];
    else {
      of->gain[k + n * k] += LEVEL_SLACK * of->own[k];
      of->free[k] += LEVEL_SLACK * of->own[k] * ways->p[node];
    }
  }
  of->has_levels = true;
  excess = find_pressures (ways, work, in, n, &squares);
  of->has_levels = false;
  if (!(excess <= HARDLY_ANY))
    memcpy (ways->p, ways->there, (size_t)ways->machine->n_nodes * sizeof (double));
  return excess;
}
