/* SPDX-License-Identifier: MIT */
/* States, answers and rates of the ways without inertia. */
#include "core/hybrid/hl-hybrid-passages.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-passages-private.h"
#include "core/hydro/hl-fluid.h"
#include "core/system/hl-observable-values.h"

/* Pressure by which an undetermined port is moved to see whether a lift hangs on it. */
#define TRIAL_STEP 1.0e6
/* Beyond this a pressure is what a search without an answer made, and none to continue from [Pa]. */
#define MOST_KEPT 1.0e10
#define MOST_KNOWN 1.0e12 /* and beyond this none at all */

/* Marks the node of a measured pressure. */
static void mark_measured (HlHybridPassages *ways, HlObservable of) {
  const HlHybridMachine *machine = ways->machine;

  if ((int)of.kind == OF_LINE && machine->node_of_line[of.index] >= 0)
    ways->is_felt[machine->node_of_line[of.index]] = true;
  if ((int)of.kind != OF_COMPONENT_STATE)
    return;
  int state = ways->sys->components[of.index].first_state + of.part;
  if (machine->node_of_state[state] >= 0)
    ways->is_felt[machine->node_of_state[state]] = true;
}

HlHybridPassages *hl_hybrid_passages_new (const HlSystem *sys, const HlHybridMachine *machine,
                                          HlArena *arena) {
  if (machine->n_laws == 0 && machine->n_soft == 0 && !hl_hybrid_has_feedback (sys))
    return NULL;
  HlHybridPassages *ways = hl_arena_take (arena, 1, sizeof *ways);
  const HlTopology *top = sys->topology;
  int n = machine->n_nodes;
  double *numbers = hl_arena_take (arena, 10 * n, sizeof (double));

  ways->sys = sys;
  ways->machine = machine;
  ways->p = numbers;
  ways->given = numbers + n;
  ways->residual = numbers + 2 * n;
  ways->size = numbers + 3 * n;
  ways->step = numbers + 4 * n;
  ways->base = numbers + 5 * n;
  ways->kept = numbers + 6 * n;
  ways->noise = numbers + 7 * n;
  ways->marked = numbers + 8 * n;
  ways->there = numbers + 9 * n;
  ways->all_known = hl_arena_take (arena, n, sizeof (bool));
  ways->is_known = hl_arena_take (arena, n, sizeof (bool));
  ways->is_felt = hl_arena_take (arena, n, sizeof (bool));
  ways->q = hl_arena_take (arena, top->n_branches, sizeof (double));
  ways->u_dot = hl_arena_take (arena, top->n_states_u, sizeof (double));
  ways->d = hl_arena_take (arena, top->largest_law, sizeof (double));
  ways->q_shut = hl_arena_take (arena, HL_MOST_BRANCHES, sizeof (double));
  ways->index = hl_arena_take (arena, n, sizeof (int));
  ways->pivots = hl_arena_take (arena, n, sizeof (int));
  ways->jacobian = hl_arena_take (arena, n * n, sizeof (double));
  ways->relaxed = hl_arena_take (arena, n * n, sizeof (double));
  hl_hybrid_level_init (&ways->level, n, arena);
  hl_hybrid_regularized_step_init (&ways->regularized, machine->net, arena);
  for (int node = 0; node < n; node++)
    ways->is_known[node] = ways->all_known[node] = true;
  for (int k = 0; k < machine->n_laws; k++) {
    const HlComponent *c = &sys->components[machine->laws[k].component];
    ways->has_hearing_pump = ways->has_hearing_pump || hl_component_measures_pressures (c);
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      if (c->line[port] >= 0 && (c->klass->lift != NULL || c->klass->kind.n_ports > 2))
        ways->is_felt[machine->node_of_line[c->line[port]]] = true;
  }
  for (int k = 0; k < top->n_measures; k++)
    mark_measured (ways, top->measures[k]);
  return ways;
}

/* ---- states ---- */

void hl_hybrid_passages_start (HlHybridPassages *ways, HlWork *work, const HlPoint *point) {
  const HlSystem *sys = ways->sys;

  for (int node = 0; node < ways->machine->n_line_nodes; node++) {
    const HlNode *of = &sys->nodes[sys->lines[ways->machine->line_of_node[node]].node];
    ways->p[node] = of->state >= 0 ? point->p[of->state] : of->given;
  }
  memcpy (work->component_u, point->u, (size_t)work->u * sizeof (double));
  for (int state = 0; state < work->u; state++)
    if (ways->machine->node_of_state[state] >= 0)
      ways->p[ways->machine->node_of_state[state]] = point->u[state];
}

void hl_hybrid_passages_note (const HlHybridPassages *ways, double p[]) {
  const HlSystem *sys = ways->sys;

  for (int node = 0; node < ways->machine->n_line_nodes; node++) {
    int state = sys->nodes[sys->lines[ways->machine->line_of_node[node]].node].state;
    if (state >= 0)
      p[state] = ways->p[node];
  }
}

void hl_hybrid_passages_take (HlHybridPassages *ways, const double p[]) {
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_soft; k++) {
    int node = machine->soft[k];
    int line = node < machine->n_line_nodes ? machine->line_of_node[node] : -1;
    int state = line >= 0 ? ways->sys->nodes[ways->sys->lines[line].node].state : -1;
    if (state >= 0)
      ways->p[node] = p[state];
  }
}

int hl_hybrid_passages_n_states (const HlHybridPassages *ways) {
  return ways != NULL ? ways->machine->n_soft + ways->machine->n_extra : 0;
}

int hl_hybrid_passages_most_states (const HlHybridPassages *ways) {
  return ways != NULL ? ways->machine->n_nodes + ways->machine->n_extra : 0;
}

void hl_hybrid_passages_keep (HlHybridPassages *ways) {
  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (fabs (ways->p[node]) <= MOST_KEPT)
      ways->kept[node] = ways->p[node];
}

bool hl_hybrid_passages_are_lost (const HlHybridPassages *ways) {
  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->is_known[node] && fabs (ways->p[node]) > MOST_KNOWN)
      return true;
  return false;
}

void hl_hybrid_passages_recall (HlHybridPassages *ways) {
  memcpy (ways->p, ways->kept, (size_t)ways->machine->n_nodes * sizeof (double));
}

void hl_hybrid_passages_mark (HlHybridPassages *ways) {
  if (ways == NULL)
    return;
  memcpy (ways->marked, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
}

void hl_hybrid_passages_return (HlHybridPassages *ways) {
  if (ways == NULL)
    return;
  memcpy (ways->p, ways->marked, (size_t)ways->machine->n_nodes * sizeof (double));
}

void hl_hybrid_passages_begin (HlHybridPassages *ways) {
  if (ways != NULL)
    ways->begins = true;
}

void hl_hybrid_passages_hold_on (HlHybridPassages *ways, bool holds_on) {
  if (ways == NULL)
    return;
  ways->holds_on = holds_on;
  ways->begins = ways->begins && holds_on;
  ways->has_jumped = false;
}

bool hl_hybrid_passages_have_jumped (const HlHybridPassages *ways) {
  return ways != NULL && ways->has_jumped;
}

void hl_hybrid_passages_set (HlHybridPassages *ways, HlWork *work, const double z[]) {
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_soft; k++)
    ways->p[machine->soft[k]] = z[k];
  for (int k = 0; k < machine->n_extra; k++)
    work->component_u[machine->extra[k]] = z[machine->n_soft + k];
}

void hl_hybrid_passages_get (const HlHybridPassages *ways, const HlWork *work, double z[]) {
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_soft; k++)
    z[k] = ways->p[machine->soft[k]];
  for (int k = 0; k < machine->n_extra; k++)
    z[machine->n_soft + k] = work->component_u[machine->extra[k]];
}

/* ---- laws ---- */

/* A pump that stands at its cut-off is never quite at 0: less than this is no oil that would have to go
 * anywhere [m3/s, m3/s2]. */
#define NO_OIL 1.0e-26

static double without_traces (double flow) {
  return fabs (flow) < NO_OIL ? 0.0 : flow;
}

/* Adds pumps that follow a law: flows that do not depend on their pressures, with their rates. */
static void add_given (HlHybridPassages *ways, const HlWork *work, const double signal_rates[],
                       HlHybridInputs *in, int edge) {
  const HlHybridPassage *way = &ways->machine->ways[edge];
  const HlHybridEdge *ends = &ways->machine->net->tables.edges[edge];
  const HlComponent *c = &ways->sys->components[ways->machine->laws[way->law].component];
  HlLawInputs inputs;
  HlLaw law = hl_hybrid_passages_law (ways, work, way->law, &inputs);
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
    in->inflow[node] += sign * without_traces (q[way->branch]);
    in->inflow_rate[node] += sign * without_traces (rate);
  }
}

void hl_hybrid_passages_place (HlHybridPassages *ways, HlWork *work, const double signal_rates[],
                               HlHybridInputs *in) {
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_soft; k++)
    in->node_pressure[machine->soft[k]] = ways->p[machine->soft[k]];
  for (int edge = 0; edge < machine->net->tables.n_edges; edge++) {
    const HlComponent *c = &ways->sys->components[machine->laws[machine->ways[edge].law].component];
    if (machine->ways[edge].is_given || (c->klass->lift != NULL && c->klass->delivers > 0))
      add_given (ways, work, signal_rates, in, edge);
  }
}

bool hl_hybrid_passages_hear (const HlHybridPassages *ways) {
  return ways->has_hearing_pump;
}

/* ---- answers ---- */

bool hl_hybrid_passages_answer (HlHybridPassages *ways, const double multiplier[], int round,
                                HlHybridInputs *in, int *worst) {
  const HlHybridTables *tables = &ways->machine->net->tables;
  bool is_new = hl_hybrid_level_next (ways, multiplier, round, in, worst);

  for (int node = 0; node < tables->n_nodes; node++) {
    if (tables->node_is_fixed[node])
      ways->p[node] = in->node_pressure[node];
    int level = tables->node_is_fixed[node] ? -1 : in->group != NULL ? in->group[node] : node;
    double p = level >= 0 ? multiplier[level] : ways->p[node];
    ways->is_known[node] = isfinite (p);
    if (level < 0 || !isfinite (p))
      continue;
    if (is_new && ways->level.is_level[level])
      p = ways->level.next[level];
    ways->p[node] = p + (in->group != NULL ? in->node_pressure[node] : 0.0);
  }
  return is_new;
}

/* Returns the lift of one edge; NAN where it hangs on a pressure that is not determined. */
static double lift_of (const HlHybridPassages *ways, const HlWork *work, const HlHybridPassage *way) {
  const HlComponent *c = &ways->sys->components[ways->machine->laws[way->law].component];
  HlLawInputs inputs;
  HlLaw law = hl_hybrid_passages_law (ways, work, way->law, &inputs);
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

void hl_hybrid_passages_lift (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in, double lift[]) {
  (void)in;
  for (int edge = 0; edge < ways->machine->net->tables.n_edges; edge++) {
    const HlHybridPassage *way = &ways->machine->ways[edge];
    lift[edge] = way->has_lift && !ways->all_give_way ? lift_of (ways, work, way)
                 : way->is_given                      ? -INFINITY
                                                      : INFINITY;
  }
}

void hl_hybrid_passages_set_pressures (HlHybridPassages *ways, const double p[]) {
  for (int node = 0; node < ways->machine->n_nodes; node++) {
    ways->p[node] = p[node];
    ways->is_known[node] = true;
  }
}

void hl_hybrid_passages_lift_at (HlHybridPassages *ways, HlWork *work, const double p[], double lift[]) {
  double *there = ways->there, *here = ways->p;

  memcpy (there, p, (size_t)ways->machine->n_nodes * sizeof (double));
  ways->p = there;
  bool *known = ways->is_known;
  ways->is_known = ways->all_known;
  hl_hybrid_passages_lift (ways, work, NULL, lift);
  ways->p = here;
  ways->is_known = known;
}

double hl_hybrid_passages_latest (const HlHybridPassages *ways, int node) {
  return ways->p[node];
}

double hl_hybrid_passages_pressure (const HlHybridPassages *ways, int node) {
  return ways->is_known[node] ? ways->p[node] : NAN;
}

/* ---- rates and outputs ---- */

double hl_hybrid_passages_inflow (const HlHybridPassages *ways, const HlWork *work, int node) {
  const HlHybridMachine *machine = ways->machine;
  double sum = 0.0;

  for (int edge = 0; edge < machine->net->tables.n_edges; edge++) {
    const HlHybridPassage *way = &machine->ways[edge];
    const HlHybridEdge *ends = &machine->net->tables.edges[edge];
    if (way->branch < 0)
      continue;
    double q =
        work->flow[ways->sys->components[machine->laws[way->law].component].first_branch + way->branch];
    sum += (ends->to_node == node ? q : 0.0) - (ends->from_node == node ? q : 0.0);
  }
  return sum;
}

void hl_hybrid_passages_observe (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in) {
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_laws; k++) {
    const HlComponent *c = &ways->sys->components[machine->laws[k].component];
    hl_hybrid_passages_eval (ways, work, in, k, false);
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      if (c->node[port] >= 0 && c->line[port] >= 0)
        work->node_p[c->node[port]] = ways->p[machine->node_of_line[c->line[port]]];
    memcpy (work->flow + c->first_branch, ways->q + c->first_branch, (size_t)c->n_branches * sizeof (double));
    if (c->klass->delivers > 0 && c->klass->lift != NULL &&
        hl_hybrid_passages_is_open (ways, in, machine->laws[k].edge[0]))
      work->flow[c->first_branch] += ways->q_shut[0];
  }
}

double hl_hybrid_compliance (const HlSystem *sys, const HlHybridMachine *machine, const HlWork *work,
                             int node, double p) {
  const HlHybridTables *tables = &machine->net->tables;
  int line = machine->line_of_node[node];
  const HlNode *of = &sys->nodes[sys->lines[line].node];
  double sum = of->hose, volume = of->hose_volume, slope;

  for (int row = 0; row < tables->n_chambers; row++) {
    if (tables->chambers[row].node != node)
      continue;
    const HlCylinder *cyl = &sys->cylinders[tables->chambers[row].cylinder];
    if (cyl->no_chambers)
      continue;
    double s = work->cylinders[tables->chambers[row].cylinder].length.s;
    double length =
        tables->chambers[row].area > 0.0 ? hl_cylinder_length_a (cyl, s) : hl_cylinder_length_b (cyl, s);
    double part = fabs (tables->chambers[row].area) * fmax (length, 0.0);
    sum += part * hl_chamber_oil_compliance (sys, cyl);
    volume += part;
  }
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    HlStored stored;
    if (c->line[0] != line)
      continue;
    c->klass->store (c, p, hl_work_piece (work, c), &stored);
    sum += stored.compliance;
  }
  if (sys->fluid.air_fraction > 0.0)
    sum += volume * hl_gas_compliance (sys->fluid.air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT, p, &slope);
  return sum;
}

static double compliance (const HlHybridPassages *ways, const HlWork *work, int node) {
  return hl_hybrid_compliance (ways->sys, ways->machine, work, node, ways->p[node]);
}

/* Notes after a line became compressible whether all lines are: each edge then opens and closes by its own
 * pressures. */
static void note_whether_all_are_soft (HlHybridPassages *ways) {
  ways->all_give_way = true;
  for (int node = 0; node < ways->machine->n_line_nodes; node++)
    ways->all_give_way = ways->all_give_way && ways->machine->net->tables.node_is_fixed[node];
}

/* Returns whether a node has compliance: from its volume or from an accumulator. */
static bool node_stores (const HlHybridPassages *ways, const HlWork *work, int node) {
  return node < ways->machine->n_line_nodes && compliance (ways, work, node) > 0.0;
}

/* Returns the net flow into a node, after observe () [m3/s]. */
static double net_inflow (const HlHybridPassages *ways, const HlWork *work, int node) {
  const HlHybridMachine *machine = ways->machine;
  double sum = ways->given[node];

  for (int edge = 0; edge < machine->net->tables.n_edges; edge++) {
    const HlHybridPassage *way = &machine->ways[edge];
    const HlHybridEdge *ends = &machine->net->tables.edges[edge];
    if (way->is_given || way->branch < 0)
      continue;
    double q = ways->q[ways->sys->components[machine->laws[way->law].component].first_branch + way->branch];
    sum += (ends->to_node == node ? q : 0.0) - (ends->from_node == node ? q : 0.0);
  }
  (void)work;
  return sum;
}

void hl_hybrid_passages_state_rates (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in,
                                     const double signal_dot[], double u_dot[]) {
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_laws; k++)
    hl_hybrid_passages_eval (ways, work, in, k, false);
  for (int state = 0; state < work->u; state++)
    u_dot[state] = 0.0;
  for (int k = 0; k < machine->n_extra; k++) {
    int state = machine->extra[k];
    u_dot[state] = (ways->sys->topology->signal_of_state[state] >= 0 ? signal_dot : ways->u_dot)[state];
  }
}

void hl_hybrid_passages_rates (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in,
                               const double v[], const double signal_dot[], double z_dot[]) {
  const HlHybridMachine *machine = ways->machine;

  for (int k = 0; k < machine->n_laws; k++)
    hl_hybrid_passages_eval (ways, work, in, k, false);
  hl_hybrid_passages_find_given (ways, in, v);
  for (int k = 0; k < machine->n_soft; k++)
    z_dot[k] = net_inflow (ways, work, machine->soft[k]) / compliance (ways, work, machine->soft[k]);
  for (int k = 0; k < machine->n_extra; k++)
    z_dot[machine->n_soft + k] =
        (ways->sys->topology->signal_of_state[machine->extra[k]] >= 0 ? signal_dot
                                                                      : ways->u_dot)[machine->extra[k]];
}

void hl_hybrid_passages_powers (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in,
                                const double v[], double powers[3]) {
  const HlHybridMachine *machine = ways->machine;

  (void)in;
  hl_hybrid_passages_find_given (ways, in, v);
  for (int k = 0; k < machine->n_laws; k++)
    hl_power_add_law (ways->sys, work, &ways->sys->components[machine->laws[k].component], powers);
  for (int k = 0; k < machine->n_soft; k++)
    powers[0] += ways->p[machine->soft[k]] * net_inflow (ways, work, machine->soft[k]);
}

/* Incompressible oil is the limit of oil of high bulk modulus, where that limit exists. It does not exist
 * where a valve lowers its own pilot pressure when it opens, or where two valves open and closed each other:
 * the algebraic equations then have no solution, or only one that the next event leaves. From there on the
 * pressure of that line is a state, with the compliance of the lumped model, (27). It starts at its last
 * value, so no pressure jumps. Each pass makes at least one more line compressible, so the passes end. */

/* Makes the pressure of a line a state, from its latest value on. False: the line has no pressure of its own
 * here, or is compressible already. */
static bool soften_line (HlHybridCoupling *c, int line) {
  HlHybridMachine *machine = c->machine;
  int node = line >= 0 ? machine->node_of_line[line] : -1;

  if (c->ways == NULL || node < 0 || machine->net->tables.node_is_fixed[node] ||
      !node_stores (c->ways, c->work, node))
    return false;
  hl_hybrid_network_fix_node (machine->net, node, true);
  machine->soft[machine->n_soft++] = node;
  return true;
}

bool hl_hybrid_add_compliance (HlHybridCoupling *c, HlHybridSolver *solver, const HlFault *fault) {
  const HlSystem *sys = c->sys;
  int before = c->machine->n_soft;

  if (fault->entity_kind == HL_ENTITY_LINE)
    soften_line (c, fault->entity);
  else if (fault->entity_kind == HL_ENTITY_COMPONENT && fault->entity >= 0)
    for (int port = 0; port < sys->components[fault->entity].klass->kind.n_ports; port++)
      soften_line (c, sys->components[fault->entity].line[port]);
  for (int line = 0; line < sys->n_lines && c->machine->n_soft == before; line++)
    soften_line (c, line);
  if (c->machine->n_soft == before)
    return false;
  note_whether_all_are_soft (c->ways);
  hl_hybrid_passages_recall (c->ways);
  hl_hybrid_solver_renew (solver);
  c->fault = (HlFault){.status = HL_OK, .entity = -1};
  return true;
}

void hl_hybrid_make_lines_compressible (HlHybridCoupling *c, HlHybridSolver *solver, const int lines[],
                                        int n) {
  int before = c->machine->n_soft;

  for (int k = 0; k < n; k++)
    soften_line (c, lines[k]);
  if (c->machine->n_soft == before)
    return;
  note_whether_all_are_soft (c->ways);
  hl_hybrid_solver_renew (solver);
}

void hl_hybrid_soften_nodes (HlHybridCoupling *c, HlHybridSolver *solver, const int nodes[], int n) {
  HlHybridMachine *machine = c->machine;

  if (n == machine->n_soft && memcmp (nodes, machine->soft, (size_t)n * sizeof (int)) == 0)
    return;
  for (int k = 0; k < machine->n_soft; k++)
    hl_hybrid_network_fix_node (machine->net, machine->soft[k], false);
  for (int k = 0; k < n; k++)
    hl_hybrid_network_fix_node (machine->net, nodes[k], true);
  memcpy (machine->soft, nodes, (size_t)n * sizeof (int));
  machine->n_soft = n;
  note_whether_all_are_soft (c->ways);
  hl_hybrid_solver_renew (solver);
}
