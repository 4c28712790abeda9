/* SPDX-License-Identifier: MIT */
/* Values of observables from a solution of the quasistatic model: the steady state of each cylinder (Gamma at
 * the computed velocity), the pressures of nodes, and the flows of the drawn valves, distributed over series
 * and parallel ones.
 *
 * At rest the pressures of two shut chambers are not determined, only the difference of their
 * forces: they are NAN then. */
#include <math.h>

#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-observable-values.h"
#include "core/quasistatic/hl-quasi-model.h"

static const HlQuasiParty *party_of_pump (const HlQuasiMachine *machine, int pump) {
  for (int k = 0; k < machine->n_parties; k++)
    if (machine->parties[k].pump == pump)
      return &machine->parties[k];
  return NULL;
}

/* Returns the pressure of the pump's line, its bleed flow and relief flow. */
static double pump_state (const HlQuasiMachine *machine, const HlQuasiParty *party, double *bleed,
                          double *relief) {
  const HlPump *pump = &party->limits;

  if (party->group.n > 0) {
    const HlQuasiGamma *gamma = &machine->gamma[party->first_slot];
    *bleed = gamma->Q_bleed;
    *relief = gamma->Q_pump_relief;
    return gamma->P;
  }
  double idle = pump->Q > 0.0 ? pump->Q / pump->Ub : 0.0; /* its square is the pressure */
  double P = fmin (pump->PM, idle * idle);
  *bleed = pump->Ub * sqrt (P);
  *relief = fmax (0.0, pump->Q - *bleed);
  return P;
}

static void eval_gammas (HlQuasiMachine *machine) {
  for (int k = 0; k < machine->n_parties; k++) {
    const HlQuasiParty *party = &machine->parties[k];
    bool is_shared = party->group.n > 1;

    for (int slot = party->first_slot; slot < party->first_slot + party->group.n; slot++) {
      const HlQuasiLambda *lambda = &machine->lambda[slot];
      HlQuasiGamma *gamma = &machine->gamma[slot];
      HlQuasiKnown known = {
          .v = lambda->v, .va = lambda->va, .f = lambda->f, .P = is_shared ? party->balance.P : NAN};
      hl_quasi_gamma_at (&machine->actuators[slot], &party->limits, known, gamma, NULL);
      if (is_shared) {
        gamma->Q_pump_relief = party->balance.Q_relief;
        gamma->valves.pump_relief = party->balance.Q_relief > 0.0;
      }
    }
  }
}

/* ---- pressures ---- */

static bool knows_chambers (const HlActuator *actuator, const HlQuasiGamma *gamma) {
  HlOpening opening = hl_actuator_opening (actuator);

  return gamma->v != 0.0 || (opening == HL_OPENING_EXTEND && actuator->tr > 0.0) ||
         (opening == HL_OPENING_RETRACT && actuator->th > 0.0);
}

/* Returns the pressure behind the check valve: the pump's pressure while oil passes it, otherwise that of the
 * chamber to which the metering valve is open. */
static double supply_pressure (const HlActuator *actuator, const HlQuasiGamma *gamma) {
  if (gamma->Q_supply > 0.0)
    return gamma->P;
  if ((actuator->ph == 0.0 && actuator->pr == 0.0) || !knows_chambers (actuator, gamma))
    return NAN;
  return fmax (gamma->P, actuator->ph > 0.0 ? gamma->Ph : gamma->Pr);
}

static double place_pressure (const HlQuasiMachine *machine, HlCircuitPlace place) {
  double bleed, relief;

  if (place.kind == HL_PLACE_TANK)
    return 0.0;
  if (place.kind == HL_PLACE_PUMP)
    return pump_state (machine, party_of_pump (machine, place.index), &bleed, &relief);
  if (place.kind == HL_PLACE_UNKNOWN)
    return NAN;
  int slot = machine->slot_of_cylinder[place.index];
  const HlActuator *actuator = &machine->actuators[slot];
  const HlQuasiGamma *gamma = &machine->gamma[slot];
  if (place.kind == HL_PLACE_SUPPLY)
    return supply_pressure (actuator, gamma);
  if (!knows_chambers (actuator, gamma))
    return NAN;
  return place.kind == HL_PLACE_HEAD ? gamma->Ph : gamma->Pr;
}

/* ---- flows ---- */

static void add_flow (HlQuasiMachine *machine, HlCircuitValve valve, double q) {
  if (valve.term >= 0)
    machine->term_flow[valve.term] += valve.sign * q;
}

static void add_branch (const HlSystem *sys, HlWork *work, int passage, double q) {
  if (passage >= 0)
    work->flow[sys->passages[passage].flow] += q;
}

/* Returns the share of a part in what its compound passes. */
static double share (const HlQuasiMachine *machine, const HlTerm *term, int part) {
  double mine = machine->conductance[term->part[part]];
  double other = machine->conductance[term->part[1 - part]];

  if (term->kind == HL_TERM_SERIES)
    return 1.0;
  if (isinf (mine) || isinf (other))
    return isinf (mine) && (part == 0 || !isinf (other)) ? 1.0 : 0.0;
  return mine > 0.0 ? mine / (mine + other) : 0.0;
}

/* Distributes flows from the parts of the model to the drawn valves; compounds come after their parts. */
static void distribute (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work) {
  for (int k = machine->circuit.n_terms - 1; k >= 0; k--) {
    const HlTerm *term = &machine->circuit.terms[k];
    double q = machine->term_flow[k];
    if (term->kind == HL_TERM_ORIFICE || term->kind == HL_TERM_CHECK) {
      work->flow[sys->passages[term->passage].flow] += q;
      continue;
    }
    for (int part = 0; part < 2; part++)
      machine->term_flow[term->part[part]] += term->sign[part] * share (machine, term, part) * q;
  }
}

static void add_cylinder_flows (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, int k) {
  const HlCircuitCylinder *part = &machine->circuit.cylinders[k];
  int slot = machine->slot_of_cylinder[k];
  const HlQuasiGamma *gamma = &machine->gamma[slot];
  bool retracts = hl_actuator_opening (&machine->actuators[slot]) == HL_OPENING_RETRACT;

  add_flow (machine, retracts ? part->pr : part->ph, gamma->Q_supply);
  add_flow (machine, retracts ? part->th : part->tr, gamma->Q_return);
  add_flow (machine, part->ua, gamma->Q_regeneration);
  add_branch (sys, work, part->head_relief, fmax (gamma->Q_head, 0.0));
  add_branch (sys, work, part->rod_relief, fmax (gamma->Q_rod, 0.0));
  add_branch (sys, work, part->head_suction, fmax (-gamma->Q_head, 0.0));
  add_branch (sys, work, part->rod_suction, fmax (-gamma->Q_rod, 0.0));
}

static void add_pump_flows (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, int k) {
  const HlCircuitPump *pump = &machine->circuit.pumps[k];
  double bleed, relief;

  pump_state (machine, party_of_pump (machine, k), &bleed, &relief);
  const HlPassage *at = &sys->passages[pump->passage];

  add_branch (sys, work, pump->passage, hl_work_pump_flow (work, at));
  add_branch (sys, work, pump->relief, pump->relief == pump->passage ? -relief : relief);
  add_flow (machine, pump->ub, bleed);
}

/* Adds the inflow of every line except through pipes: flow from the valves minus flow into the chambers. */
static void add_pipe_flows (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work) {
  HlQuasiPipes *pipes = &machine->pipes;
  double *inflow = pipes->inflow;

  if (pipes->n == 0)
    return;
  for (int node = 0; node < sys->n_nodes; node++)
    inflow[node] = 0.0;
  for (int k = 0; k < sys->topology->n_branches; k++) {
    const HlBranch *branch = &sys->topology->branches[k]; /* of pipes still 0 */
    if (branch->a >= 0)
      inflow[branch->a] -= work->flow[k];
    if (branch->b >= 0)
      inflow[branch->b] += work->flow[k];
  }
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    double v = machine->gamma[machine->slot_of_cylinder[k]].v;
    if (cyl->node_a >= 0)
      inflow[cyl->node_a] -= cyl->area_a * v;
    if (cyl->node_b >= 0)
      inflow[cyl->node_b] += cyl->area_b * v;
  }
  for (int k = 0; k < pipes->n; k++)
    work->flow[pipes->branch[k]] = hl_quasi_pipes_flow (pipes, k);
}

/* Returns one segment: the kinks of a network are many and small, and the step control passes them. */
static void one_segment (int n, int segments[]) {
  for (int slot = 0; slot < n; slot++)
    segments[slot] = 0;
}

void hl_quasi_machine_segments (HlQuasiMachine *machine, int segments[]) {
  if (machine->net != NULL) {
    one_segment (machine->n, segments);
    return;
  }
  eval_gammas (machine);
  for (int slot = 0; slot < machine->n; slot++)
    segments[slot] = 2 * (int)machine->gamma[slot].segment + (machine->gamma[slot].va > 0.0);
}

/* Adds the net flow into lines of given pressure; in other lines the net flow is zero. */
static void add_net_flows (const HlSystem *sys, HlWork *work) {
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_branches; k++)
    for (int end = 0; end < 2; end++) {
      int node = end == 0 ? top->branches[k].a : top->branches[k].b;
      if (node >= 0 && sys->nodes[node].state < 0)
        work->net[node] += end == 0 ? -work->flow[k] : work->flow[k];
    }
}

/* Sets the states of pipes, which are none in this model. At a plugged end the pressure is that of the other
 * end. */
static void pipe_states (const HlSystem *sys, HlWork *work) {
  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    int node_a = at->node_a >= 0 ? at->node_a : at->node_b,
        node_b = at->node_b >= 0 ? at->node_b : at->node_a;
    if (at->n_cells > 0 && node_a >= 0)
      hl_passage_fill_cells (at, at->flow >= 0 ? work->flow[at->flow] : 0.0, work->node_p[node_a],
                             work->node_p[node_b],
                             work->component_u + sys->components[at->component].first_state);
  }
}

static void observe_net (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work) {
  hl_quasi_net_find_free (machine->net);
  for (int node = 0; node < sys->n_nodes; node++) {
    work->node_p[node] = hl_quasi_net_pressure (machine->net, node);
    work->net[node] = 0.0;
    work->compliance[node] = 1.0;
    work->liquid[node] = 0.0;
  }
  for (int k = 0; k < hl_quasi_net_n_soft (machine->net); k++) {
    int node = hl_quasi_net_soft_node (machine->net, k);
    work->net[node] = hl_quasi_net_soft_flow (machine->net, k);
    work->compliance[node] = hl_quasi_net_soft_compliance (machine->net, k);
  }
  for (int k = 0; k < sys->topology->n_branches; k++)
    work->flow[k] = hl_quasi_net_flow (machine->net, k);
  add_net_flows (sys, work);
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlQuasiPiston *piston = &hl_quasi_net_pistons (machine->net)[k];
    for (int side = 0; side < 2; side++) {
      int node = piston->node[side];
      if (node >= 0 && sys->nodes[node].state < 0)
        work->net[node] += (side == 0 ? -piston->area[0] : piston->area[1]) * piston->v;
    }
  }
  pipe_states (sys, work);
}

void hl_quasi_machine_observe (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work) {
  const HlTopology *top = sys->topology;

  if (machine->net != NULL) {
    observe_net (machine, sys, work);
    return;
  }
  eval_gammas (machine);
  for (int node = 0; node < sys->n_nodes; node++) {
    bool is_given = sys->nodes[node].state < 0;
    work->node_p[node] =
        is_given ? sys->nodes[node].given
                 : machine->circuit.tank + place_pressure (machine, machine->circuit.places[node]);
    work->net[node] = 0.0;
    work->compliance[node] = 1.0;
    work->liquid[node] = 0.0;
  }
  for (int k = 0; k < top->n_branches; k++)
    work->flow[k] = 0.0;
  for (int k = 0; k < machine->circuit.n_terms; k++)
    machine->term_flow[k] = 0.0;
  for (int k = 0; k < machine->circuit.n_pumps; k++)
    add_pump_flows (machine, sys, work, k);
  for (int k = 0; k < sys->n_cylinders; k++)
    add_cylinder_flows (machine, sys, work, k);
  distribute (machine, sys, work);
  add_pipe_flows (machine, sys, work);
  add_net_flows (sys, work);
  pipe_states (sys, work);
}

/* ---- power ---- */

static double valve_losses (const HlActuator *actuator, const HlQuasiGamma *gamma) {
  bool retracts = hl_actuator_opening (actuator) == HL_OPENING_RETRACT;
  double drive = retracts ? gamma->Pr : gamma->Ph, back = retracts ? gamma->Ph : gamma->Pr;
  double lost = 0.0;

  if (gamma->Q_supply > 0.0)
    lost += gamma->Q_supply * (gamma->P - drive);
  lost += gamma->Q_return * back + gamma->Q_regeneration * (gamma->Pr - gamma->Ph);
  /* flow through suction valves comes from the tank without a pressure drop */
  if (gamma->Q_head > 0.0)
    lost += gamma->Q_head * gamma->Ph;
  if (gamma->Q_rod > 0.0)
    lost += gamma->Q_rod * gamma->Pr;
  return lost;
}

void hl_quasi_machine_powers (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work,
                              double powers[3]) {
  powers[0] = powers[1] = powers[2] = 0.0;
  hl_power_add_motion (sys, work, powers);
  hl_drive_powers (sys, work, powers);
  if (machine->net != NULL)
    hl_quasi_net_powers (machine->net, powers);
  for (int k = 0; k < machine->n_parties; k++) {
    double bleed, relief;
    const HlQuasiParty *party = &machine->parties[k];
    if (party->pump < 0)
      continue;
    double P = pump_state (machine, party, &bleed, &relief);
    powers[1] += P * (bleed + relief);
    powers[2] += P * party->limits.Q;
  }
  for (int slot = 0; slot < machine->n; slot++) {
    const HlCylinderState *state = &work->cylinders[machine->cylinder_of_slot[slot]];
    const HlQuasiCoupling *coupling = &machine->couplings[slot];
    double slip = state->rod_rate - state->length.rate;
    /* the oil that the tank sends along, against what the outside presses on the rod */
    powers[2] += (machine->tank_force[slot] - hl_ambient_push (sys, machine->cylinder_of_slot[slot])) *
                 state->rod_rate;
    powers[0] += coupling->K * (state->rod - state->length.s) * slip;
    powers[1] += coupling->B * slip * slip;
    if (machine->net != NULL) /* the vent pressure acts on the rod, not on the linkage */
      powers[2] -= hl_cylinder_vent (&sys->cylinders[machine->cylinder_of_slot[slot]]) * state->length.rate;
    else
      powers[1] += valve_losses (&machine->actuators[slot], &machine->gamma[slot]);
  }
}
