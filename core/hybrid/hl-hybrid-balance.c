/* SPDX-License-Identifier: MIT */
/* Pressures by Newton's method (theory/hybrid.md (24), (26)): unknown are those of the nodes that open
 * edges join to others, but for one in each group that no given pressure is joined to. */
#include "core/hybrid/hl-hybrid-ways-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"

/* Steps of Newton's method, and how often one is halved. */
#define MOST_STEPS 200
#define MOST_HALVINGS 60
/* Part of a step's promise that must come true. */
#define PROMISE 0.5
/* A node's flows that sum up to less than this part of them, or to less than this, sum up to 0. */
#define BALANCE 1.0e-13
#define POLISHED 1.0e-2 /* part of that which no further step is worth */
#define NO_FLOW 1.0e-18 /* [m3/s] */
/* So much of that may be rounding: a step that is no good then is halved a few times, and none follows one
 * that leaves more than this part of the squares. */
#define ROUNDING 1.0e2
#define FEW_HALVINGS 8
#define STALLED 0.5
/* What a node's own slope has at least: where a valve just opens the law is flat [m3/(s Pa)]. */
#define LEAST_SLOPE 1.0e-26

/* ---- laws ---- */

/* What the law of a component reads; `in` of HlLawInputs holds it. */
HlLaw
hl_hybrid_ways_law (const HlHybridWays *ways,
                    const HlWork *work,
                    const HlComponent *c,
                    HlLawInputs *in)
{
  for (int port = 0; port < c->klass->kind.n_ports; port++)
    in->p[port] = c->line[port] >= 0 ? ways->p[ways->machine->node_of_line[c->line[port]]] : 0.0;
  /* the oil inside of it has the pressures of its nodes */
  for (int state = c->first_state;
       c->klass->gathers != NULL && state < c->first_state + c->n_states; state++)
    if (ways->machine->node_of_state[state] >= 0)
      work->component_u[state] = ways->p[ways->machine->node_of_state[state]];
  return hl_work_law_at (work, c, in);
}

bool
hl_hybrid_ways_is_open (const HlHybridWays *ways, const HlHybridInputs *in, int edge)
{
  return edge >= 0 && (in->edge_is_open[edge] || ways->regularized.n > 0) &&
         !ways->machine->ways[edge].is_given;
}

/* Flows and rates of one law with its edges as the mode has them; derivatives into ways->d. */
void
hl_hybrid_ways_eval (
    HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int k, bool wants_slopes)
{
  const HlHybridLaw *of = &ways->machine->laws[k];
  const HlComponent *c = &ways->sys->components[of->component];
  HlLawInputs inputs;
  HlLaw law = hl_hybrid_ways_law (ways, work, c, &inputs);
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
    memset (ways->d, 0,
            (size_t)(hl_component_n_rows (c) * hl_component_n_columns (c)) * sizeof (double));
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

/* What lines, chambers and pumps bring to each node. */
void
hl_hybrid_ways_find_given (HlHybridWays *ways, const HlHybridInputs *in, const double v[])
{
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

/* Unknown behind a port or a state of a law; -1: none. */
static int
unknown_of (const HlHybridWays *ways, const HlComponent *c, int column)
{
  const HlHybridMachine *machine = ways->machine;
  int n_ports = c->klass->kind.n_ports, node;

  if (column < n_ports)
    node = c->line[column] >= 0 ? machine->node_of_line[c->line[column]] : -1;
  else
    node = machine->node_of_state[c->first_state + column - n_ports];
  return node >= 0 ? ways->index[node] : -1;
}

/* What an end of an edge adds to, -1 = to nothing: the balance of oil inside of a component is told as
 * a whole. */
static int
row_of_end (const HlHybridWays *ways, int node)
{
  return node >= 0 && node < ways->machine->n_line_nodes ? ways->index[node] : -1;
}

/* dR/dp of one law into the Jacobian; its derivatives are in ways->d. */
static void
add_slopes (HlHybridWays *ways, const HlHybridInputs *in, int k, int n)
{
  const HlHybridMachine *machine = ways->machine;
  const HlHybridLaw *law = &machine->laws[k];
  const HlComponent *c = &ways->sys->components[law->component];
  int rows = hl_component_n_rows (c);
  int n_columns = c->klass->kind.n_ports + (law->has_inner ? c->n_states : 0);

  for (int port = 0; port < n_columns; port++) {
    int column = unknown_of (ways, c, port);
    for (int branch = 0; column >= 0 && branch < c->n_branches; branch++) {
      if (!hl_hybrid_ways_is_open (ways, in, law->edge[branch]))
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

/* What gathers in the oil inside of a component, but for its chambers' motion: that is given. */
static void
add_inner (HlHybridWays *ways, const HlWork *work, int k, int n, bool wants_slopes)
{
  const HlComponent *c = &ways->sys->components[ways->machine->laws[k].component];
  int n_columns = c->klass->kind.n_ports + c->n_states;
  HlLawInputs inputs;
  HlLaw law = hl_hybrid_ways_law (ways, work, c, &inputs);

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

/* What velocities that give way make of the pressures. */
static void
add_regularized (HlHybridWays *ways, int n, bool wants_slopes)
{
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

/* What the last digit of the pressures makes of the flows, into ways->noise: where valves stand wide open
 * and hardly anything flows no pressure is nearer. */
static void
find_noise (HlHybridWays *ways, int n)
{
  memset (ways->noise, 0, (size_t)n * sizeof (double));
  for (int node = 0; node < ways->machine->n_nodes; node++) {
    int column = ways->index[node];
    double digit = DBL_EPSILON * fabs (ways->p[node]);
    for (int row = 0; column >= 0 && row < n; row++)
      ways->noise[row] += fabs (ways->jacobian[row + n * column]) * digit;
  }
}

double
hl_hybrid_ways_balance (HlHybridWays *ways,
                        const HlWork *work,
                        const HlHybridInputs *in,
                        int n,
                        bool wants_slopes,
                        double *excess)
{
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
      takes_part = takes_part || hl_hybrid_ways_is_open (ways, in, machine->laws[k].edge[branch]);
    if (!takes_part)
      continue;
    hl_hybrid_ways_eval (ways, work, in, k, wants_slopes);
    for (int branch = 0; branch < c->n_branches; branch++) {
      int edge = machine->laws[k].edge[branch];
      if (!hl_hybrid_ways_is_open (ways, in, edge))
        continue;
      double q = ways->q[c->first_branch + branch];
      for (int end = 0; end < 2; end++) {
        int node = end == 0 ? machine->net->tables.edges[edge].from_node
                            : machine->net->tables.edges[edge].to_node;
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

/* Whose pressures are unknown; their number. */
static int
number_unknowns (HlHybridWays *ways, const HlHybridInputs *in)
{
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

bool
hl_hybrid_ways_move_by (HlHybridWays *ways, double part)
{
  bool moves = false;

  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->index[node] >= 0) {
      ways->p[node] = ways->base[node] + part * ways->step[ways->index[node]];
      moves = moves || ways->p[node] != ways->base[node];
    }
  return moves;
}

/* One step with as much of it as lowers the flows that are left; HL_NO_CONVERGENCE when none does. */
static HlStatus
step_of_newton (HlHybridWays *ways,
                const HlWork *work,
                const HlHybridInputs *in,
                int n,
                double squares,
                int most_halvings)
{
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
  for (int k = 0; k < most_halvings && hl_hybrid_ways_move_by (ways, part); k++, part *= 0.5) {
    double left = hl_hybrid_ways_balance (ways, work, in, n, false, &unused);
    ways->n_vain += k > 0 && most_halvings > FEW_HALVINGS ? 1 : 0;
    if (left <= (1.0 - PROMISE * part) * squares)
      return HL_OK;
  }
  hl_hybrid_ways_move_by (ways, 0.0);
  return HL_NO_CONVERGENCE;
}

/* Newton's method from ways->p; what is left over, *excess, and its squares. */
static double
find_pressures (
    HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int n, double *squares)
{
  double excess = 0.0;

  *squares = 0.0;
  for (int k = 0; k < MOST_STEPS && n > 0; k++) {
    double last = k > 0 ? *squares : INFINITY;
    *squares = hl_hybrid_ways_balance (ways, work, in, n, true, &excess);
    if (excess <= POLISHED || !isfinite (*squares))
      break;
    /* rounding, where an edge that hardly opens has no slope to go by: it would go on for ever */
    bool is_rounding = excess <= ROUNDING;
    if (is_rounding && *squares > STALLED * last)
      break;
    /* one more step, where it is any better: integrators see less noise */
    if (excess <= 1.0) {
      step_of_newton (ways, work, in, n, *squares, 1);
      break;
    }
    if (step_of_newton (ways, work, in, n, *squares, is_rounding ? FEW_HALVINGS : MOST_HALVINGS) !=
        HL_OK)
      break;
  }
  return excess;
}

/* What is left over that is no rounding, when no step is better any more. */
#define HARDLY_ANY 1.0e6

int
hl_hybrid_ways_hardest (const HlHybridWays *ways)
{
  int worst = -1;

  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->index[node] >= 0 && (worst < 0 || fabs (ways->residual[ways->index[node]]) >
                                                    fabs (ways->residual[ways->index[worst]])))
      worst = node;
  return worst;
}

void
hl_hybrid_ways_blame (const HlHybridWays *ways, int node, double excess, HlFault *fault)
{
  hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_LINE, ways->machine->line_of_node[node],
                excess);
  if (fault == NULL)
    return;
  fault->why = HL_TEXT ("no pressure lets as much oil out of this line as comes in: a valve that "
                        "opens takes the pressure from its own pilot, and jumps");
  fault->mend = HL_TEXT ("throttle the pilot or the flow, or use the lumped oil model, where the "
                         "oil gives way");
}

bool
hl_hybrid_ways_find (HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int n)
{
  double squares;

  if (find_pressures (ways, work, in, n, &squares) <= HARDLY_ANY)
    return true;
  hl_hybrid_ways_relax (ways, work, in, n);
  return find_pressures (ways, work, in, n, &squares) <= HARDLY_ANY;
}

/* After a jump at a point that an integrator tried: from the pressures of the latest step that was accepted, where Newton's
 * method finds an answer from them; else those from before stay. What they relax to far from the step may be an answer
 * in which a valve counts as open far beyond where it shuts and oil gains energy: followed from there, the run would
 * never come back to the one it was in. */
static double
find_from_kept (HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int n)
{
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

HlStatus
hl_hybrid_ways_move (
    HlHybridWays *ways, HlWork *work, const double v[], HlHybridInputs *in, HlFault *fault)
{
  const HlHybridTables *tables = &ways->machine->net->tables;
  double squares;

  if (in->group == NULL) /* nothing but soft nodes */
    return HL_OK;
  int n = number_unknowns (ways, in);
  hl_hybrid_ways_find_given (ways, in, v);
  double excess = ways->has_jumped ? find_from_kept (ways, work, in, n) : INFINITY;
  if (!(excess <= HARDLY_ANY))
    excess = find_pressures (ways, work, in, n, &squares);
  if (!(excess <= HARDLY_ANY)) {
    hl_hybrid_ways_relax (ways, work, in, n);
    excess = find_pressures (ways, work, in, n, &squares);
    ways->has_jumped = ways->holds_on;
  }
  if (!(excess <= HARDLY_ANY)) {
    hl_hybrid_ways_blame (ways, hl_hybrid_ways_hardest (ways), excess, fault);
    return HL_NO_CONVERGENCE;
  }
  for (int node = 0; node < tables->n_nodes; node++)
    if (!tables->node_is_fixed[node])
      in->node_pressure[node] =
          in->group[node] < 0 ? ways->p[node] : ways->p[node] - ways->p[in->group[node]];
  return HL_OK;
}

void
hl_hybrid_ways_settle (HlHybridWays *ways,
                       const HlWork *work,
                       const HlHybridInputs *in,
                       const double v[])
{
  double *agreed = ways->level.g_last, squares;
  bool is_off = false;

  for (int node = 0; node < ways->level.n; node++)
    is_off = is_off || (ways->level.is_level[node] && ways->level.f[node] != 0.0);
  if (!is_off || in->group == NULL)
    return;
  memcpy (agreed, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
  int n = number_unknowns (ways, in);
  hl_hybrid_ways_find_given (ways, in, v);
  if (!(find_pressures (ways, work, in, n, &squares) <= HARDLY_ANY))
    memcpy (ways->p, agreed, (size_t)ways->machine->n_nodes * sizeof (double));
}
