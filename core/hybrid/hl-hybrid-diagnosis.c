/* SPDX-License-Identifier: MIT */
/* Finds the elements that cause a fault when the hybrid model finds no possible mode. */
#include "core/hybrid/hl-hybrid-diagnosis.h"

#include <math.h>

#include "core/hybrid/hl-hybrid-passages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/hybrid/hl-sim-hybrid-report.h"

static void set_fault (HlFault *fault, HlEntityKind kind, int entity, const char *why, const char *mend) {
  fault->entity_kind = kind;
  fault->entity = entity;
  fault->why = why;
  fault->mend = mend;
}

/* The kinds of oil that has no hold where the linkage stands. */
static const char no_hold[] =
    HL_TEXT ("the cylinder is at its dead point with both ports closed: no pressure can hold the load here, "
             "and the trapped oil blocks any motion");
static const char no_hold_mend[] =
    HL_TEXT ("open a path for the oil, start the cylinder off the dead point, or use the lumped oil model");

/* Returns whether one of the columns (n; none: any cylinder will do) is a stop of the cylinder or the
 * pressure in one of its chambers. */
static bool is_concerned (const HlHybridNetwork *net, int cylinder, const int columns[], int n) {
  for (int k = 0; k < n; k++) {
    int entity;
    HlHybridColumnKind kind = hl_hybrid_column_kind (net, columns[k], &entity);
    bool is_stop = kind == HL_HYBRID_STOP_LOWER || kind == HL_HYBRID_STOP_UPPER;
    if (is_stop && entity == cylinder)
      return true;
    for (int row = 0; row < net->tables.n_chambers; row++)
      if (kind == HL_HYBRID_NODE_PRESSURE && net->tables.chambers[row].node == entity &&
          net->tables.chambers[row].cylinder == cylinder)
        return true;
  }
  return n == 0;
}

/* Returns the cylinder, of those that the columns concern, whose length changes least when the linkage
 * moves: at its dead point no pressure holds the linkage, and the piston cannot move. */
static int stillest_cylinder (const HlHybridCoupling *coupling, const HlHybridSolver *solver,
                              const int columns[], int n) {
  const HlHybridTables *tables = &coupling->machine->net->tables;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (solver);
  double least = INFINITY;
  int best = -1;

  for (int k = 0; k < tables->n_cylinders; k++) {
    double mobility = 0.0;
    for (int j = 0; j < tables->n_mech; j++) {
      double row = in->stroke_row[k + tables->n_cylinders * j];
      mobility += row * row / in->mass[j + tables->n_mech * j];
    }
    if (mobility < least && is_concerned (coupling->machine->net, k, columns, n)) {
      least = mobility;
      best = k;
    }
  }
  return best;
}

/* A row of constraints that only one of these can have made: nothing else changes a flow at once. */
typedef enum {
  NO_PUMP, /* the linkage, which bends its way beside a dead point */
  PUSHES,
  DRAWS
} Pump;

/* Returns the pump flow into a node and those connected to it by open paths. */
static Pump pump_at (const HlHybridTables *tables, const HlHybridInputs *in, int node) {
  double flow = 0.0, rate = 0.0;

  for (int k = 0; k < tables->n_nodes; k++)
    if (k == node || (in->group != NULL && in->group[k] == node)) {
      flow += in->inflow[k];
      rate += in->inflow_rate[k];
    }
  flow = flow != 0.0 ? flow : rate;
  return flow > 0.0 ? PUSHES : flow < 0.0 ? DRAWS : NO_PUMP;
}

static void diagnose_pump (const HlSystem *sys, const HlHybridMachine *machine, int node, Pump pump,
                           HlFault *fault) {
  if (pump == PUSHES && hl_diagnose_late_relief (sys, machine->line_of_node[node], fault))
    return;
  fault->change = pump == PUSHES ? HL_CHANGE_RELIEVE : HL_CHANGE_BY_STATUS;
  if (pump == PUSHES)
    set_fault (
        fault, HL_ENTITY_LINE, machine->line_of_node[node],
        HL_TEXT ("the flow of the pump is blocked: every path from here is closed, and no piston can move"),
        HL_TEXT ("add a relief valve, or open a valve"));
  else
    set_fault (
        fault, HL_ENTITY_LINE, machine->line_of_node[node],
        HL_TEXT ("the pump draws oil from here, but no oil can flow in: every path to here is closed, and "
                 "no piston can move"),
        HL_TEXT ("add a suction valve with a pipe from the tank, or open a valve"));
}

/* Diagnoses a single element, whose speed the pumps determine. */
static void diagnose_stuck (const HlHybridCoupling *coupling, int column, HlFault *fault) {
  const HlHybridMachine *machine = coupling->machine;
  int entity;

  if (hl_hybrid_column_kind (machine->net, column, &entity) == HL_HYBRID_LINE_DROP)
    set_fault (
        fault, HL_ENTITY_COMPONENT, hl_hybrid_machine_find_shutter (machine, coupling->sys, entity, false),
        HL_TEXT ("this valve blocks the flow of the pump, which has no other path"),
        HL_TEXT ("reverse this valve, or add another path for the oil: a relief valve, or an open valve"));
  else
    set_fault (
        fault, HL_ENTITY_COMPONENT, coupling->sys->cylinders[entity].component,
        HL_TEXT ("the piston of this cylinder is at its stop, and the flow of the pump has no other path "
                 "than into this cylinder"),
        HL_TEXT ("add a relief valve, increase the stroke, or start the cylinder off its stop"));
}

/* Diagnoses a contradiction of pumps; false: no pump is involved. */
static bool diagnose_pumps (const HlHybridCoupling *coupling, const HlHybridSolver *solver,
                            const int columns[], int n, HlFault *fault) {
  const HlHybridMachine *machine = coupling->machine;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (solver);
  bool has_pump = false;
  int entity;

  for (int k = 0; k < n; k++)
    if (hl_hybrid_column_kind (machine->net, columns[k], &entity) == HL_HYBRID_NODE_PRESSURE &&
        pump_at (&machine->net->tables, in, entity) != NO_PUMP) {
      diagnose_pump (coupling->sys, machine, entity, pump_at (&machine->net->tables, in, entity), fault);
      return true;
    }
  for (int node = 0; node < machine->n_nodes; node++)
    has_pump = has_pump || (!machine->net->tables.node_is_fixed[node] &&
                            pump_at (&machine->net->tables, in, node) != NO_PUMP);
  if (!has_pump || n != 1 ||
      hl_hybrid_column_kind (machine->net, columns[0], &entity) == HL_HYBRID_NODE_PRESSURE)
    return false;
  diagnose_stuck (coupling, columns[0], fault);
  return true;
}

static void diagnose_cylinder (const HlHybridCoupling *coupling, const HlHybridSolver *solver,
                               const int columns[], int n, HlFault *fault) {
  int k = stillest_cylinder (coupling, solver, columns, n);

  if (k < 0)
    k = stillest_cylinder (coupling, solver, columns, 0);
  if (k < 0)
    return;
  bool is_lost = hl_hybrid_solver_has_lost_hold (solver);
  set_fault (
      fault, HL_ENTITY_COMPONENT, coupling->sys->cylinders[k].component,
      is_lost ? no_hold
              : HL_TEXT ("this cylinder is near its dead point with both ports closed: no pressure of its "
                         "oil can stop the linkage here"),
      is_lost ? no_hold_mend
              : HL_TEXT (
                    "add a relief valve and a suction valve, each with a pipe, or use the lumped oil model"));
}

/* Diagnoses a system without motion, for which no single pump is the reason. */
static void diagnose_line (const HlHybridMachine *machine, const int columns[], int n, HlFault *fault) {
  int entity;

  for (int k = 0; k < n; k++)
    if (hl_hybrid_column_kind (machine->net, columns[k], &entity) == HL_HYBRID_NODE_PRESSURE) {
      set_fault (fault, HL_ENTITY_LINE, machine->line_of_node[entity],
                 HL_TEXT ("inflow and outflow differ here, and no element can take the difference"),
                 HL_TEXT ("connect the oil of this element to a tank, or use the lumped oil model"));
      return;
    }
}

/* Returns whether constraints were lost for a cylinder without a lever arm: not for a pump whose flow
 * begins. */
static bool stands_at_dead_point (const HlHybridCoupling *coupling, const HlHybridSolver *solver) {
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (solver);

  for (int k = 0; k < coupling->machine->net->tables.n_cylinders; k++)
    if (!in->has_arm[k])
      return hl_hybrid_solver_has_lost_hold (solver);
  return false;
}

void hl_hybrid_diagnose_infeasible (const HlHybridCoupling *coupling, const HlHybridSolver *solver,
                                    HlFault *fault) {
  const int *columns;
  int n = hl_hybrid_solver_get_contradiction (solver, &columns);

  if (stands_at_dead_point (coupling, solver) || !diagnose_pumps (coupling, solver, columns, n, fault))
    diagnose_cylinder (coupling, solver, columns, n, fault);
  if (fault->entity < 0)
    diagnose_line (coupling->machine, columns, n, fault);
}

bool hl_hybrid_needs_compliance (const HlSystem *sys, const HlFault *fault) {
  if (fault->entity_kind == HL_ENTITY_COMPONENT && fault->entity >= 0) {
    const HlComponent *valve = &sys->components[fault->entity];
    return valve->klass->lift != NULL && valve->klass->delivers == 0 && valve->n_states > 0;
  }
  for (int k = 0; k < sys->n_components && fault->entity_kind == HL_ENTITY_LINE; k++) {
    const HlComponent *pump = &sys->components[k];
    if (pump->klass->delivers > 0 && pump->line[pump->klass->delivers - 1] == fault->entity &&
        hl_component_measures_pressures (pump))
      return true;
  }
  return false;
}

HlStatus hl_hybrid_start_with_compliance (HlHybridCoupling *c, HlHybridSolver *solver, double t,
                                          const bool shut[], double v[], HlFault *fault) {
  if (c->ways != NULL)
    hl_hybrid_passages_keep (c->ways);
  hl_hybrid_passages_begin (c->ways);
  HlStatus status = hl_hybrid_solver_start (solver, t, shut, v, fault);
  while (status == HL_NO_CONVERGENCE || status == HL_INFEASIBLE) {
    HlFault why = c->fault;
    if (status == HL_INFEASIBLE) {
      hl_fault_set (&why, status, HL_ENTITY_NONE, -1, 0.0);
      hl_hybrid_diagnose_infeasible (c, solver, &why);
      if (c->ways == NULL || !hl_hybrid_needs_compliance (c->sys, &why))
        break;
    }
    if (!hl_hybrid_add_compliance (c, solver, &why))
      break;
    status = hl_hybrid_solver_start (solver, t, shut, v, fault);
  }
  return status;
}

/* Finds the element that an early end of a hybrid run is reported for. */

void hl_sim_hybrid_owner (const HlSimRun *run, int state, HlEntityKind *kind, int *entity) {
  const HlSimHybrid *h = run->own;
  const HlWork *work = run->work;
  int n_paths = h->coupling->machine->n_paths, velocity = state - work->f - work->l;

  const HlHybridMachine *machine = h->coupling->machine;
  int beyond = velocity - h->n_free;

  if (beyond >= machine->n_soft) {
    *kind = HL_ENTITY_COMPONENT;
    *entity = run->sys->topology->component_of_state[machine->extra[beyond - machine->n_soft]];
    return;
  }
  if (beyond >= 0) {
    *kind = HL_ENTITY_LINE;
    *entity = machine->line_of_node[machine->soft[beyond]];
    return;
  }
  if (velocity >= 0) {
    int column = hl_hybrid_solver_get_mode (h->solver)->rank->independent[velocity];
    if (column < n_paths) {
      *kind = HL_ENTITY_COMPONENT;
      *entity = h->coupling->machine->paths[column].pipe;
      return;
    }
    state = column - n_paths;
  }
  *kind = HL_ENTITY_BODY;
  *entity = (state < work->f ? work->ai_column[state] : work->ad_column[state - work->f]) / 3;
}

int hl_sim_hybrid_component_of_slot (const HlSimRun *run, int slot, bool by_command) {
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  int n_paths = machine->n_paths;
  int edge = slot - (machine->net->n_slots - machine->net->tables.n_edges);

  if (edge >= 0)
    return machine->laws[machine->ways[edge].law].component;
  return slot < n_paths ? hl_hybrid_machine_find_shutter (h->coupling->machine, run->sys, slot, by_command)
                        : run->sys->cylinders[(slot - n_paths) / 2].component;
}

/* Returns the slot that switched last; before the first event, the first slot that can switch: a one-way
 * path, a pressure-operated valve, a cylinder with an end stop. -1: none can. */
static int switching_slot (const HlSimRun *run) {
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  const HlHybridNetwork *net = machine->net;
  int first_edge = net->n_slots - net->tables.n_edges;

  if (h->last_slot >= 0)
    return h->last_slot;
  for (int line = 0; line < net->tables.n_lines; line++)
    if (hl_hybrid_line_is_one_sided (net, line))
      return line;
  for (int edge = 0; edge < net->tables.n_edges; edge++)
    if (machine->ways[edge].has_lift)
      return first_edge + edge;
  for (int k = 0; k < net->tables.n_cylinders; k++)
    if (isfinite (net->tables.cylinders[k].stroke_max))
      return net->tables.n_lines + 2 * k;
  return -1;
}

/* Diagnoses events that repeat at one instant, or a choice between open and closed that rounding decides. */
static void diagnose_switching (const HlSimRun *run, HlFault *fault) {
  const HlSimHybrid *h = run->own;
  int slot = switching_slot (run);
  const HlHybridNetwork *net = h->coupling->machine->net;
  bool is_valve = slot < net->tables.n_lines || slot >= net->n_slots - net->tables.n_edges;

  if (slot < 0)
    return;
  fault->entity_kind = HL_ENTITY_COMPONENT;
  fault->entity = hl_sim_hybrid_component_of_slot (run, slot, false);
  fault->why = is_valve ? HL_TEXT ("this valve opens and closes without end at one instant: opening removes "
                                   "the pressure that opens the valve")
                        : HL_TEXT ("this piston touches and leaves its stop without end at one instant: the "
                                   "contact removes the force that pushes the piston against the stop");
  fault->mend =
      is_valve
          ? HL_TEXT ("increase the pressure loss in the flow path of this valve (a longer or narrower pipe, "
                     "a smaller area), or use the lumped oil model")
          : HL_TEXT (
                "add friction or damping to the body that the piston moves, or use the lumped oil model");
}

/* Names the element that switched last when the maximum number of steps is reached and no state limits the
 * step size. */
static void diagnose_steps (const HlSimRun *run, HlFault *fault) {
  int slot = switching_slot (run);

  if (slot < 0)
    return;
  fault->entity_kind = HL_ENTITY_COMPONENT;
  fault->entity = hl_sim_hybrid_component_of_slot (run, slot, false);
  fault->limit = run->options->max_steps;
  fault->value = NAN; /* no state limits the length of the step */
  fault->mend = HL_TEXT ("end the run earlier");
}

/* Diagnoses a failed search for open and closed paths: names the line that a pump feeds, or the first whose
 * pressure is not given. */
static void diagnose_fed_line (HlSimRun *run, HlFault *fault) {
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  int found = -1;

  for (int node = machine->n_nodes - 1; node >= 0; node--)
    if (!machine->net->tables.node_is_fixed[node] &&
        (found < 0 || in->inflow[found] == 0.0 || in->inflow[node] != 0.0))
      found = node;
  if (found < 0)
    return;
  fault->entity_kind = HL_ENTITY_LINE;
  fault->entity = machine->line_of_node[found];
  fault->why = HL_TEXT ("no combination of open and closed valves agrees with the flows and pressures here");
  fault->mend = HL_TEXT ("add another path for the oil of this element, such as a relief valve to a tank, or "
                         "use the lumped oil model");
}

void hl_sim_hybrid_diagnose (HlSimRun *run, HlStatus status, HlFault *fault) {
  HlSimHybrid *h = run->own;

  if (h->coupling->fault.status == status && status != HL_INFEASIBLE)
    *fault = h->coupling->fault;
  else if (status == HL_INFEASIBLE) {
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, 0.0);
    hl_hybrid_diagnose_infeasible (h->coupling, h->solver, fault);
  } else if (status == HL_NO_CONVERGENCE && fault->entity < 0)
    diagnose_switching (run, fault);
  if (status == HL_NO_CONVERGENCE && fault->entity < 0)
    diagnose_fed_line (run, fault);
  if (status == HL_OUT_OF_STEPS && fault->entity < 0 && h->n_free == 0)
    diagnose_steps (run, fault);
}
