/* SPDX-License-Identifier: MIT */
/* Pressures by Newton's method (theory/hybrid.md (23)-(26)): unknown are those of the nodes that open
 * edges join to others, but for one in each group that no given pressure is joined to. */
#include "core/hybrid/hl-hybrid-ways.h"

#include <math.h>
#include <string.h>

#include "core/hydro/hl-gas.h"
#include "core/math/hl-linalg.h"
#include "core/system/hl-observable-eval.h"

/* Steps of Newton's method, and how often one is halved. */
#define MOST_STEPS 200
#define MOST_HALVINGS 60
/* Part of a step's promise that must come true. */
#define PROMISE 1.0e-4
/* A node's flows that sum up to less than this part of them, or to less than this, sum up to 0. */
#define BALANCE 1.0e-13
#define NO_FLOW 1.0e-18 /* [m3/s] */
/* What a node's own slope has at least: where a valve just opens the law is flat [m3/(s Pa)]. */
#define LEAST_SLOPE 1.0e-20
/* Change of a level that laws are asked again for. */
#define LEVEL_TOLERANCE 1.0e-9
#define LEVEL_NEAR 1.0e-3 /* [Pa] */
/* Pressure by which an undetermined port is moved to see whether a lift hangs on it. */
#define TRIAL_STEP 1.0e6

struct HlHybridWays
{
  const HlSystem *sys;
  const HlHybridMachine *machine;
  double *p;       /* n_nodes: pressures; the latest ones where they are not determined [Pa] */
  bool *is_known;  /* n_nodes: determined by the latest evaluation */
  bool *is_felt;   /* n_nodes: some law feels more of its pressure than differences within a group */
  double *q;       /* n_branches of the system: flows of the latest law evaluations */
  double *u_dot;   /* n_states_u: rates of component states, likewise */
  double *d, *q_shut; /* largest_law: derivatives of one law; HL_MOST_BRANCHES */
  double *given;   /* n_nodes: flow that comes to a node whatever its pressure */
  /* Newton's method, n_nodes each */
  int *index, *pivots;
  double *residual, *size, *step, *base;
  double *jacobian; /* n_nodes x n_nodes */
};

HlHybridWays *
hl_hybrid_ways_new (const HlSystem *sys, const HlHybridMachine *machine, HlArena *arena)
{
  if (machine->n_laws == 0 && machine->n_soft == 0)
    return NULL;
  HlHybridWays *ways = hl_arena_take (arena, 1, sizeof *ways);
  const HlTopology *top = sys->topology;
  int n = machine->n_nodes;
  double *numbers = hl_arena_take (arena, 6 * n, sizeof (double));

  ways->sys = sys;
  ways->machine = machine;
  ways->p = numbers;
  ways->given = numbers + n;
  ways->residual = numbers + 2 * n;
  ways->size = numbers + 3 * n;
  ways->step = numbers + 4 * n;
  ways->base = numbers + 5 * n;
  ways->is_known = hl_arena_take (arena, n, sizeof (bool));
  ways->is_felt = hl_arena_take (arena, n, sizeof (bool));
  ways->q = hl_arena_take (arena, top->n_branches, sizeof (double));
  ways->u_dot = hl_arena_take (arena, top->n_states_u, sizeof (double));
  ways->d = hl_arena_take (arena, top->largest_law, sizeof (double));
  ways->q_shut = hl_arena_take (arena, HL_MOST_BRANCHES, sizeof (double));
  ways->index = hl_arena_take (arena, n, sizeof (int));
  ways->pivots = hl_arena_take (arena, n, sizeof (int));
  ways->jacobian = hl_arena_take (arena, n * n, sizeof (double));
  for (int node = 0; node < n; node++)
    ways->is_known[node] = true;
  for (int k = 0; k < machine->n_laws; k++) {
    const HlComponent *c = &sys->components[machine->laws[k].component];
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      if (c->line[port] >= 0 && (c->klass->lift != NULL || c->klass->kind.n_ports > 2))
        ways->is_felt[machine->node_of_line[c->line[port]]] = true;
  }
  return ways;
}

/* ---- states ---- */

void
hl_hybrid_ways_start (HlHybridWays *ways, HlWork *work, const HlPoint *point)
{
  const HlSystem *sys = ways->sys;

  for (int node = 0; node < ways->machine->n_nodes; node++) {
    const HlNode *of = &sys->nodes[sys->lines[ways->machine->line_of_node[node]].node];
    ways->p[node] = of->state >= 0 ? point->p[of->state] : of->given;
  }
  memcpy (work->component_u, point->u, (size_t)work->u * sizeof (double));
}

int
hl_hybrid_ways_n_states (const HlHybridWays *ways)
{
  return ways != NULL ? ways->machine->n_soft + ways->machine->n_extra : 0;
}

void
hl_hybrid_ways_set (HlHybridWays *ways, HlWork *work, const double z[])
{
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_soft; k++)
    ways->p[machine->soft[k]] = z[k];
  for (int k = 0; k < machine->n_extra; k++)
    work->component_u[machine->extra[k]] = z[machine->n_soft + k];
}

void
hl_hybrid_ways_get (const HlHybridWays *ways, const HlWork *work, double z[])
{
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_soft; k++)
    z[k] = ways->p[machine->soft[k]];
  for (int k = 0; k < machine->n_extra; k++)
    z[machine->n_soft + k] = work->component_u[machine->extra[k]];
}

/* ---- laws ---- */

/* What the law of a component reads; `in` of HlLawInputs holds it. */
static HlLaw
law_at (const HlHybridWays *ways, const HlWork *work, const HlComponent *c, HlLawInputs *in)
{
  for (int port = 0; port < c->klass->kind.n_ports; port++)
    in->p[port] =
        c->line[port] >= 0 ? ways->p[ways->machine->node_of_line[c->line[port]]] : 0.0;
  if (c->has_absent)
    hl_component_read_absent (c, in->p);
  for (int k = 0; k < c->klass->n_signals; k++)
    in->signal[k] = hl_work_signal (work, c->signal[k]);
  HlLaw law = {.p = in->p, .state = work->component_u + c->first_state, .signal = in->signal};
  if (c->cylinder >= 0) {
    law.length = work->cylinders[c->cylinder].length.s;
    law.speed = work->cylinders[c->cylinder].length.rate;
  }
  return law;
}

static bool
is_open (const HlHybridWays *ways, const HlHybridInputs *in, int edge)
{
  return edge >= 0 && in->edge_is_open[edge] && !ways->machine->ways[edge].is_given;
}

/* Flows and rates of one law with its edges as the mode has them; derivatives into ways->d. */
static void
eval_law (
    HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int k, bool wants_slopes)
{
  const HlHybridLaw *of = &ways->machine->laws[k];
  const HlComponent *c = &ways->sys->components[of->component];
  HlLawInputs inputs;
  HlLaw law = law_at (ways, work, c, &inputs);

  law.q = ways->q + c->first_branch;
  law.rate = ways->u_dot + c->first_state;
  for (int branch = 0; branch < c->n_branches; branch++) {
    int edge = of->edge[branch];
    if (edge < 0 || !ways->machine->ways[edge].has_lift)
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
  if (c->klass->delivers == 0 || c->klass->lift == NULL || (law.open & 1U) == 0)
    return;
  /* a pump with a relief valve of its own: what it gives with that shut counts as given */
  law.open = 0U;
  law.shut = 1U;
  law.d = NULL;
  law.q = ways->q_shut;
  hl_component_eval (c, inputs.p, &law);
  ways->q[c->first_branch] -= ways->q_shut[0];
}

/* Pumps that follow a law: flows that no pressure of theirs asks for, with their rates. */
static void
add_given (HlHybridWays *ways,
           const HlWork *work,
           const double signal_rates[],
           HlHybridInputs *in,
           int edge)
{
  const HlHybridWay *way = &ways->machine->ways[edge];
  const HlHybridEdge *ends = &ways->machine->net->tables.edges[edge];
  const HlComponent *c = &ways->sys->components[ways->machine->laws[way->law].component];
  HlLawInputs inputs;
  HlLaw law = law_at (ways, work, c, &inputs);
  double q[HL_MOST_BRANCHES], rates[HL_MOST_STATES], rate = 0.0;
  int rows = hl_component_n_rows (c), column = c->klass->kind.n_ports;

  law.q = q;
  law.rate = rates;
  law.d = ways->d;
  law.shut = way->has_lift ? 1U << way->branch : 0U;
  memset (ways->d, 0, (size_t)(rows * hl_component_n_columns (c)) * sizeof (double));
  hl_component_eval (c, inputs.p, &law);
  for (int k = 0; k < c->n_states; k++)
    rate += ways->d[(column + k) * rows + way->branch] * rates[k];
  for (int k = 0; k < c->klass->n_signals; k++)
    if (c->signal[k] >= 0)
      rate += ways->d[(column + c->n_states + k) * rows + way->branch] * signal_rates[c->signal[k]];
  for (int end = 0; end < 2; end++) {
    int node = end == 0 ? ends->from_node : ends->to_node;
    double sign = end == 0 ? -1.0 : 1.0;
    if (node < 0)
      continue;
    in->inflow[node] += sign * q[way->branch];
    in->inflow_rate[node] += sign * rate;
  }
}

void
hl_hybrid_ways_place (HlHybridWays *ways,
                      HlWork *work,
                      const double signal_rates[],
                      HlHybridInputs *in)
{
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_soft; k++)
    in->node_pressure[machine->soft[k]] = ways->p[machine->soft[k]];
  for (int edge = 0; edge < machine->net->tables.n_edges; edge++) {
    const HlComponent *c = &ways->sys->components[machine->laws[machine->ways[edge].law].component];
    if (machine->ways[edge].is_given || (c->klass->lift != NULL && c->klass->delivers > 0))
      add_given (ways, work, signal_rates, in, edge);
  }
}

/* ---- pressures at given velocities ---- */

/* What lines, chambers and pumps bring to each node. */
static void
find_given (HlHybridWays *ways, const HlHybridInputs *in, const double v[])
{
  const HlHybridTables *tables = &ways->machine->net->tables;

  memcpy (ways->given, in->inflow, (size_t)tables->n_nodes * sizeof (double));
  for (int line = 0; line < tables->n_lines; line++) {
    ways->given[tables->lines[line].to_node] += v[line];
    ways->given[tables->lines[line].from_node] -= v[line];
  }
  for (int row = 0; row < tables->n_chambers; row++) {
    const HlHybridChamber *chamber = &tables->chambers[row];
    double rate = 0.0;
    for (int j = 0; j < tables->n_mech; j++)
      rate += in->stroke_row[chamber->cylinder + tables->n_cylinders * j] * v[tables->n_lines + j];
    ways->given[chamber->node] -= chamber->area * rate;
  }
}

/* dR/dp of one law into the Jacobian; its derivatives are in ways->d. */
static void
add_slopes (HlHybridWays *ways, const HlHybridInputs *in, int k, int n)
{
  const HlHybridMachine *machine = ways->machine;
  const HlHybridLaw *law = &machine->laws[k];
  const HlComponent *c = &ways->sys->components[law->component];
  int rows = hl_component_n_rows (c);

  for (int port = 0; port < c->klass->kind.n_ports; port++) {
    int column = c->line[port] >= 0 ? ways->index[machine->node_of_line[c->line[port]]] : -1;
    for (int branch = 0; column >= 0 && branch < c->n_branches; branch++) {
      if (!is_open (ways, in, law->edge[branch]))
        continue;
      const HlHybridEdge *ends = &machine->net->tables.edges[law->edge[branch]];
      double slope = ways->d[port * rows + branch];
      if (ends->from_node >= 0 && ways->index[ends->from_node] >= 0)
        ways->jacobian[ways->index[ends->from_node] + n * column] -= slope;
      if (ends->to_node >= 0 && ways->index[ends->to_node] >= 0)
        ways->jacobian[ways->index[ends->to_node] + n * column] += slope;
    }
  }
}

/* Flows into the unknown nodes at ways->p, theory/hybrid.md (23); *excess: the largest sum over what
 * counts as nothing. Returns the sum of squares. */
static double
balance (HlHybridWays *ways,
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
    bool takes_part = false;
    for (int branch = 0; branch < c->n_branches; branch++)
      takes_part = takes_part || is_open (ways, in, machine->laws[k].edge[branch]);
    if (!takes_part)
      continue;
    eval_law (ways, work, in, k, wants_slopes);
    for (int branch = 0; branch < c->n_branches; branch++) {
      int edge = machine->laws[k].edge[branch];
      if (!is_open (ways, in, edge))
        continue;
      double q = ways->q[c->first_branch + branch];
      for (int end = 0; end < 2; end++) {
        int node = end == 0 ? machine->net->tables.edges[edge].from_node
                            : machine->net->tables.edges[edge].to_node;
        int row = node >= 0 ? ways->index[node] : -1;
        if (row < 0)
          continue;
        ways->residual[row] += end == 0 ? -q : q;
        ways->size[row] += fabs (q);
      }
    }
    if (wants_slopes)
      add_slopes (ways, in, k, n);
  }
  *excess = 0.0;
  for (int row = 0; row < n; row++) {
    double over = fabs (ways->residual[row]) / (BALANCE * ways->size[row] + NO_FLOW);
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

static void
move_by (HlHybridWays *ways, double part)
{
  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->index[node] >= 0)
      ways->p[node] = ways->base[node] + part * ways->step[ways->index[node]];
}

/* One step with as much of it as lowers the flows that are left; HL_NO_CONVERGENCE when none does. */
static HlStatus
step_of_newton (
    HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int n, double squares)
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
  for (int k = 0; k < MOST_HALVINGS; k++, part *= 0.5) {
    move_by (ways, part);
    if (balance (ways, work, in, n, false, &unused) <= (1.0 - PROMISE * part) * squares)
      return HL_OK;
  }
  move_by (ways, 0.0);
  return HL_NO_CONVERGENCE;
}

HlStatus
hl_hybrid_ways_move (
    HlHybridWays *ways, HlWork *work, const double v[], HlHybridInputs *in, HlFault *fault)
{
  const HlHybridTables *tables = &ways->machine->net->tables;
  double excess = 0.0, squares = 0.0;

  if (in->group == NULL) /* nothing but soft nodes */
    return HL_OK;
  int n = number_unknowns (ways, in);
  HlStatus status = HL_OK;
  find_given (ways, in, v);
  for (int k = 0; k < MOST_STEPS && n > 0; k++) {
    squares = balance (ways, work, in, n, true, &excess);
    if (excess <= 1.0 || !isfinite (squares))
      break;
    status = step_of_newton (ways, work, in, n, squares);
    if (status != HL_OK)
      break;
  }
  /* no step is better any more: rounding, unless much is left */
  if (n > 0 && !(excess <= 1.0e6)) {
    int worst = 0;
    for (int node = 0; node < tables->n_nodes; node++)
      if (ways->index[node] >= 0 && fabs (ways->residual[ways->index[node]]) >= squares)
        worst = node;
    return hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_LINE,
                         ways->machine->line_of_node[worst], excess);
  }
  for (int node = 0; node < tables->n_nodes; node++)
    if (!tables->node_is_fixed[node])
      in->node_pressure[node] = in->group[node] < 0 ? ways->p[node]
                                                    : ways->p[node] - ways->p[in->group[node]];
  return HL_OK;
}

/* ---- answers ---- */

bool
hl_hybrid_ways_answer (HlHybridWays *ways, const double multiplier[], HlHybridInputs *in)
{
  const HlHybridTables *tables = &ways->machine->net->tables;
  bool is_new = false;

  for (int node = 0; node < tables->n_nodes; node++) {
    int level = tables->node_is_fixed[node] ? -1 : in->group[node];
    double p = level >= 0 ? multiplier[level] : ways->p[node];
    ways->is_known[node] = isfinite (p);
    if (level < 0 || !isfinite (p))
      continue;
    p += in->node_pressure[node];
    is_new = is_new || (ways->is_felt[node] &&
                        fabs (p - ways->p[node]) > LEVEL_TOLERANCE * fabs (p) + LEVEL_NEAR);
    ways->p[node] = p;
  }
  return is_new;
}

/* Lift of one edge; NAN where it hangs on a pressure that is not determined. */
static double
lift_of (const HlHybridWays *ways, const HlWork *work, const HlHybridWay *way)
{
  const HlComponent *c = &ways->sys->components[ways->machine->laws[way->law].component];
  HlLawInputs inputs;
  HlLaw law = law_at (ways, work, c, &inputs);
  double lift = c->klass->lift (c, &law, way->branch);

  for (int port = 0; port < c->klass->kind.n_ports; port++) {
    if (c->line[port] < 0 || ways->is_known[ways->machine->node_of_line[c->line[port]]])
      continue;
    inputs.p[port] += TRIAL_STEP;
    if (c->klass->lift (c, &law, way->branch) != lift)
      return NAN;
    inputs.p[port] -= TRIAL_STEP;
  }
  return lift;
}

void
hl_hybrid_ways_lift (HlHybridWays *ways, HlWork *work, const HlHybridInputs *in, double lift[])
{
  (void)in;
  for (int edge = 0; edge < ways->machine->net->tables.n_edges; edge++) {
    const HlHybridWay *way = &ways->machine->ways[edge];
    lift[edge] = way->has_lift ? lift_of (ways, work, way) : way->is_given ? -INFINITY : INFINITY;
  }
}

double
hl_hybrid_ways_pressure (const HlHybridWays *ways, int node)
{
  return ways->is_known[node] ? ways->p[node] : NAN;
}

/* ---- rates and what is told ---- */

double
hl_hybrid_ways_inflow (const HlHybridWays *ways, const HlWork *work, int node)
{
  const HlHybridMachine *machine = ways->machine;
  double sum = 0.0;

  for (int edge = 0; edge < machine->net->tables.n_edges; edge++) {
    const HlHybridWay *way = &machine->ways[edge];
    const HlHybridEdge *ends = &machine->net->tables.edges[edge];
    double q = work->flow[ways->sys->components[machine->laws[way->law].component].first_branch +
                          way->branch];
    sum += (ends->to_node == node ? q : 0.0) - (ends->from_node == node ? q : 0.0);
  }
  return sum;
}

void
hl_hybrid_ways_observe (HlHybridWays *ways, HlWork *work, const HlHybridInputs *in)
{
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_laws; k++) {
    const HlComponent *c = &ways->sys->components[machine->laws[k].component];
    eval_law (ways, work, in, k, false);
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      if (c->node[port] >= 0 && c->line[port] >= 0)
        work->node_p[c->node[port]] = ways->p[machine->node_of_line[c->line[port]]];
    memcpy (work->flow + c->first_branch, ways->q + c->first_branch,
            (size_t)c->n_branches * sizeof (double));
    if (c->klass->delivers > 0 && c->klass->lift != NULL && is_open (ways, in, machine->laws[k].edge[0]))
      work->flow[c->first_branch] += ways->q_shut[0];
  }
}

/* Compliance of a node that stores oil: its hose, the chambers, and what stores it. */
static double
compliance (const HlHybridWays *ways, const HlWork *work, int node)
{
  const HlSystem *sys = ways->sys;
  const HlHybridTables *tables = &ways->machine->net->tables;
  int line = ways->machine->line_of_node[node];
  const HlNode *of = &sys->nodes[sys->lines[line].node];
  double sum = of->hose, volume = of->hose_volume, p = ways->p[node], slope;

  for (int row = 0; row < tables->n_chambers; row++) {
    if (tables->chambers[row].node != node)
      continue;
    const HlCylinder *cyl = &sys->cylinders[tables->chambers[row].cylinder];
    if (cyl->no_chambers)
      continue;
    double s = work->cylinders[tables->chambers[row].cylinder].length.s;
    double length = tables->chambers[row].area > 0.0 ? hl_cylinder_length_a (cyl, s)
                                                     : hl_cylinder_length_b (cyl, s);
    double part = fabs (tables->chambers[row].area) * fmax (length, 0.0);
    sum += part * hl_chamber_softness (sys, cyl);
    volume += part;
  }
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    HlStored stored;
    if (c->line[0] != line)
      continue;
    c->klass->store (c, p, &stored);
    sum += stored.compliance;
  }
  if (sys->fluid.air_fraction > 0.0)
    sum += volume * hl_gas_compliance (sys->fluid.air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT, p,
                                       &slope);
  return sum;
}

/* What gathers in a node, behind observe () [m3/s]. */
static double
gathers (const HlHybridWays *ways, const HlWork *work, int node)
{
  const HlHybridMachine *machine = ways->machine;
  double sum = ways->given[node];

  for (int edge = 0; edge < machine->net->tables.n_edges; edge++) {
    const HlHybridWay *way = &machine->ways[edge];
    const HlHybridEdge *ends = &machine->net->tables.edges[edge];
    if (way->is_given)
      continue;
    double q = ways->q[ways->sys->components[machine->laws[way->law].component].first_branch +
                       way->branch];
    sum += (ends->to_node == node ? q : 0.0) - (ends->from_node == node ? q : 0.0);
  }
  (void)work;
  return sum;
}

void
hl_hybrid_ways_rates (
    HlHybridWays *ways, HlWork *work, const HlHybridInputs *in, const double v[], double z_dot[])
{
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_laws; k++)
    eval_law (ways, work, in, k, false);
  find_given (ways, in, v);
  for (int k = 0; k < machine->n_soft; k++)
    z_dot[k] = gathers (ways, work, machine->soft[k]) / compliance (ways, work, machine->soft[k]);
  for (int k = 0; k < machine->n_extra; k++)
    z_dot[machine->n_soft + k] = ways->u_dot[machine->extra[k]];
}

void
hl_hybrid_ways_powers (
    HlHybridWays *ways, HlWork *work, const HlHybridInputs *in, const double v[], double powers[3])
{
  const HlHybridMachine *machine = ways->machine;

  (void)in;
  find_given (ways, in, v);
  for (int k = 0; k < machine->n_laws; k++)
    hl_power_add_law (ways->sys, work, &ways->sys->components[machine->laws[k].component], powers);
  for (int k = 0; k < machine->n_soft; k++)
    powers[0] += ways->p[machine->soft[k]] * gathers (ways, work, machine->soft[k]);
}
