/* SPDX-License-Identifier: MIT */
/* The quasistatic machine: which drawings become one and in which form, its life, its openings, and its solution at given
 * load lines. */
#include "core/quasistatic/hl-quasi-model.h"

#include "core/base/hl-arena.h"
#include "core/quasistatic/hl-circuit-recognition.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/math/hl-linalg.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <stdbool.h>

bool hl_quasi_feedback_is_there (const HlWork *work) {
  return work->along != NULL;
}

void hl_quasi_feedback_values (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work) {
  if (work->along == NULL)
    return;
  /* of the other lines the pressures are those of the solution before, which nothing at once reads */
  if (machine->net != NULL)
    hl_quasi_net_get_soft_pressures (machine->net, work->node_p);
  hl_feedback_eval (sys, work, NULL);
}

void hl_quasi_feedback_rates (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, double u_dot[]) {
  if (work->along == NULL || machine->net == NULL)
    return;
  for (int node = 0; node < sys->n_nodes; node++)
    work->node_p[node] = hl_quasi_net_pressure_held (machine->net, node);
  hl_feedback_eval (sys, work, u_dot);
}

/* Pipes as a network of resistors, small beside everything else: with weights w = 1/R and
 * potentials phi of the lines (theory/quasistatic.md (32)),
 *
 *   sum over the pipes at a line of w (phi - phi_other) = inflow
 *   q = w (phi_A - phi_B)
 *
 * A line of a tank or source takes whatever comes: its potential is 0, and so is that of one line
 * in every group that has none (a line without a pipe is a group). Without loops of pipes the
 * weights drop out. */

/* Resistances this much smaller than the largest are taken to be so large, for the sake of
 * rounding. */
#define LEAST_PART 1e-6

/* Returns whether a passage is a pipe of the lumped model with a line at either end. */
static bool is_pipe (const HlPassage *at) {
  return at->kind == HL_PASSAGE_PIPE && at->flow >= 0 && at->node_a >= 0 && at->node_b >= 0;
}

/* Fills branch and the weights; returns the number of pipes. */
static int gather_pipes (HlQuasiPipes *pipes, const HlSystem *sys, double weight[]) {
  double largest = 0.0;
  int n = 0;

  for (int k = 0; k < sys->n_passages; k++)
    if (is_pipe (&sys->passages[k]))
      largest = fmax (largest, sys->passages[k].resistance);
  for (int k = 0; k < sys->n_passages; k++)
    if (is_pipe (&sys->passages[k])) {
      double resistance = fmax (sys->passages[k].resistance, LEAST_PART * largest);
      pipes->branch[n] = sys->passages[k].flow;
      weight[n++] = resistance > 0.0 ? largest / resistance : 1.0;
    }
  return n;
}

/* Chooses the lines whose potential is 0. */
static void choose_ground (const HlQuasiPipes *pipes, const HlSystem *sys, bool is_ground[]) {
  const HlBranch *branches = sys->topology->branches;
  HlArena scratch = hl_arena_beside (&sys->arena);
  int *group = hl_arena_take (&scratch, sys->n_nodes, sizeof *group);
  bool *has_ground = hl_arena_take (&scratch, sys->n_nodes, sizeof *has_ground);

  for (int node = 0; node < sys->n_nodes; node++)
    group[node] = node;
  for (int k = 0; k < pipes->n; k++) {
    int a = group[branches[pipes->branch[k]].a], b = group[branches[pipes->branch[k]].b];
    for (int node = 0; node < sys->n_nodes; node++)
      if (group[node] == b)
        group[node] = a;
  }
  for (int node = 0; node < sys->n_nodes; node++) {
    is_ground[node] = sys->nodes[node].state < 0;
    has_ground[group[node]] = has_ground[group[node]] || is_ground[node];
  }
  for (int node = 0; node < sys->n_nodes; node++)
    if (!has_ground[group[node]])
      is_ground[node] = has_ground[group[node]] = true;
  hl_arena_clear (&scratch);
}

/* Computes share = W A^T L^-1, with the incidence A of the pipes and L = A W A^T, grounded. */
static void solve_pipe_shares (HlQuasiPipes *pipes, const HlSystem *sys, const double weight[],
                               const bool is_ground[]) {
  const HlBranch *branches = sys->topology->branches;
  size_t n = (size_t)sys->n_nodes;
  HlArena scratch = hl_arena_beside (&sys->arena);
  double *L = hl_arena_take (&scratch, sys->n_nodes, n * sizeof *L);
  double *phi = hl_arena_take (&scratch, sys->n_nodes, sizeof *phi);
  int *pivots = hl_arena_take (&scratch, sys->n_nodes, sizeof *pivots);

  for (size_t node = 0; node < n; node++)
    L[node * n + node] = is_ground[node] ? 1.0 : 0.0;
  for (int k = 0; k < pipes->n; k++)
    for (int side = 0; side < 2; side++) {
      const HlBranch *branch = &branches[pipes->branch[k]];
      size_t here = (size_t)(side == 0 ? branch->a : branch->b);
      size_t there = (size_t)(side == 0 ? branch->b : branch->a);
      if (is_ground[here])
        continue;
      L[here * n + here] += weight[k];
      if (!is_ground[there])
        L[there * n + here] -= weight[k];
    }
  bool good = hl_lu_factor ((int)n, L, pivots) == HL_OK;
  for (size_t node = 0; node < n && good; node++) {
    for (size_t k = 0; k < n; k++)
      phi[k] = k == node && !is_ground[node] ? 1.0 : 0.0;
    hl_lu_solve ((int)n, L, pivots, 1, phi);
    for (int k = 0; k < pipes->n; k++) {
      const HlBranch *branch = &branches[pipes->branch[k]];
      pipes->share[(size_t)k * n + node] = weight[k] * (phi[branch->a] - phi[branch->b]);
    }
  }
  hl_arena_clear (&scratch);
}

/* Fills a struct that is empty so far from the resistances of the system; clear frees what it holds
 * and leaves it empty. */
static void pipes_init (HlQuasiPipes *pipes, const HlSystem *sys) {
  HlArena scratch = hl_arena_beside (&sys->arena), *arena = &pipes->arena;
  double *weight = hl_arena_take (&scratch, sys->n_passages, sizeof *weight);
  bool *is_ground = hl_arena_take (&scratch, sys->n_nodes, sizeof *is_ground);

  *pipes = (HlQuasiPipes){.arena = hl_arena_beside (&sys->arena), .n_nodes = sys->n_nodes};
  pipes->branch = hl_arena_take (arena, sys->n_passages, sizeof *pipes->branch);
  pipes->inflow = hl_arena_take (arena, sys->n_nodes, sizeof *pipes->inflow);
  pipes->n = gather_pipes (pipes, sys, weight);
  pipes->share = hl_arena_take (arena, pipes->n * sys->n_nodes, sizeof *pipes->share);
  if (pipes->n > 0) {
    choose_ground (pipes, sys, is_ground);
    solve_pipe_shares (pipes, sys, weight, is_ground);
  }
  hl_arena_clear (&scratch);
}

static void pipes_clear (HlQuasiPipes *pipes) {
  hl_arena_clear (&pipes->arena);
  *pipes = (HlQuasiPipes){0};
}

double hl_quasi_pipes_flow (const HlQuasiPipes *pipes, int pipe) {
  const double *share = pipes->share + (size_t)pipe * (size_t)pipes->n_nodes;
  double q = 0.0;

  for (int node = 0; node < pipes->n_nodes; node++)
    if (share[node] != 0.0) /* an unknown inflow elsewhere is no concern */
      q += share[node] * pipes->inflow[node];
  return q;
}

/* An open valve is open at the very moment at which it opens, so that no solution sees both sides
 * of the jump that regeneration makes there. */
#define LEAST_OPENING 1.0e-9

/* ---- life ---- */

static void add_party (HlQuasiMachine *machine, int pump) {
  machine->parties[machine->n_parties++] =
      (HlQuasiParty){.pump = pump, .first_slot = machine->n, .limits = {.Q = 0.0, .Ub = 0.0, .PM = 1.0}};
}

static void add_cylinder (HlQuasiMachine *machine, const HlSystem *sys, int cylinder) {
  const HlCylinder *cyl = &sys->cylinders[cylinder];
  int slot = machine->n++;

  machine->slot_of_cylinder[cylinder] = slot;
  machine->cylinder_of_slot[slot] = cylinder;
  machine->party_of_slot[slot] = machine->n_parties - 1;
  machine->couplings[slot] = (HlQuasiCoupling){cyl->virtual_stiffness, cyl->virtual_damping};
  machine->parties[machine->n_parties - 1].group.n++;
}

static void form_parties (HlQuasiMachine *machine, const HlSystem *sys) {
  const HlCircuit *circuit = &machine->circuit;

  if (machine->net != NULL) {
    add_party (machine, -1);
    for (int k = 0; k < sys->n_cylinders; k++)
      add_cylinder (machine, sys, k);
  }
  for (int pump = 0; pump < circuit->n_pumps; pump++) {
    add_party (machine, pump);
    for (int k = 0; k < circuit->n_cylinders; k++)
      if (circuit->cylinders[k].pump == pump)
        add_cylinder (machine, sys, k);
  }
  for (int k = 0; k < circuit->n_cylinders; k++)
    if (circuit->cylinders[k].pump < 0) {
      add_party (machine, -1);
      add_cylinder (machine, sys, k);
    }
  for (int k = 0; k < machine->n_parties; k++) {
    HlQuasiParty *party = &machine->parties[k];
    party->group.pump = &party->limits;
    party->group.actuators = machine->actuators + party->first_slot;
    party->group.slots = machine->slots + party->first_slot;
  }
}

/* Checks whether and in which form the quasistatic model applies: closed form if the circuit is the pattern
 * and its openings stay in the classes U0, U+, U-; otherwise as a network. */

HlStatus hl_quasi_check (const HlSystem *sys, HlMisfit *misfit) {
  HlCircuit circuit;

  if (hl_quasi_net_check (sys, misfit) == HL_OK)
    return HL_OK;
  HlMisfit own = *misfit; /* a reason against every form is more useful than a reason against one */
  if (own.kind != HL_MISFIT_SHAFT && hl_quasi_n_soft (sys) == 0 &&
      hl_recognize (sys, &circuit, misfit) == HL_OK) {
    hl_circuit_clear (&circuit);
    return HL_OK;
  }
  *misfit = own;
  return HL_BAD_MODEL;
}

/* Returns the start, the corners of the signals, and the middles between them. */
int hl_quasi_sample_times (const HlSystem *sys, double times[]) {
  HlArena scratch = hl_arena_beside (&sys->arena);
  double *corners = hl_arena_take (&scratch, HL_QUASI_MOST_TIMES / 2, sizeof *corners);
  int n = hl_signal_find_corners (sys->signals, sys->n_signals, 0.0, sys->t_end, corners,
                                  HL_QUASI_MOST_TIMES / 2 - 1);
  int count = 0;
  double last = 0.0;

  n = n < HL_QUASI_MOST_TIMES / 2 - 1 ? n : HL_QUASI_MOST_TIMES / 2 - 1;
  times[count++] = 0.0;
  for (int k = 0; k < n; k++) {
    times[count++] = 0.5 * (last + corners[k]);
    times[count++] = corners[k];
    last = corners[k];
  }
  hl_arena_clear (&scratch);
  return count;
}

/* Sets the signals at t; spools as if settled. */
void hl_quasi_set_signals (const HlSystem *sys, HlWork *work, double t) {
  hl_work_enter_segment (sys, work, t);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  for (int k = 0; k < work->u; k++) {
    work->component_u[k] = hl_state_lag (sys, k) > 0.0 ? hl_state_command (sys, work, k) : 0.0;
  }
}

/* Returns whether at one of these times the openings are outside of the classes of the pattern, or its
 * forces have no bound. */
static bool leaves_pattern (HlQuasiMachine *machine, const HlSystem *sys) {
  double times[HL_QUASI_MOST_TIMES];
  int n = hl_quasi_sample_times (sys, times);
  HlWork *work = hl_work_new (sys);
  HlStatus status = HL_OK;

  for (int k = 0; k < n && status == HL_OK; k++) {
    hl_quasi_set_signals (sys, work, times[k]);
    status = hl_quasi_machine_open (machine, sys, work, NULL);
  }
  hl_work_free (work);
  return status != HL_OK;
}

static HlStatus diagnose_misfit (const HlMisfit *misfit, HlFault *fault) {
  hl_fault_set (fault, HL_BAD_MODEL, misfit->component >= 0 ? HL_ENTITY_COMPONENT : HL_ENTITY_NONE,
                misfit->component, 0.0);
  if (fault != NULL) {
    fault->why = hl_misfit_text (misfit->kind);
    fault->mend = hl_misfit_advice (misfit->kind);
  }
  return HL_BAD_MODEL;
}

/* Recognizes the pattern of the circuit. If the pattern does not apply, the circuit stays without parts and
 * the network replaces it. The closed forms of the pattern go from cylinder to cylinder and miss flows
 * without a cylinder. */
static HlStatus recognize (HlQuasiMachine *machine, const HlSystem *sys, bool as_network, HlFault *fault) {
  HlMisfit misfit;

  bool moves_pistons = sys->n_cylinders > 0 || sys->n_passages == 0;
  if (!as_network && moves_pistons && hl_quasi_n_soft (sys) == 0 &&
      hl_recognize (sys, &machine->circuit, &misfit) == HL_OK)
    return HL_OK;
  if (hl_quasi_net_check (sys, &misfit) != HL_OK)
    return diagnose_misfit (&misfit, fault);
  machine->net = hl_quasi_net_new (sys);
  return HL_OK;
}

HlStatus hl_quasi_machine_init_as (HlQuasiMachine *machine, const HlSystem *sys, bool as_network,
                                   HlFault *fault) {
  *machine = (HlQuasiMachine){.arena = hl_arena_beside (&sys->arena)};
  HlStatus status = recognize (machine, sys, as_network, fault);
  if (status != HL_OK)
    return status;
  HlArena *arena = &machine->arena;
  int n = sys->n_cylinders, n_terms = machine->circuit.n_terms;
  machine->parties = hl_arena_take (arena, machine->circuit.n_pumps + n + 1, sizeof (HlQuasiParty));
  machine->slot_of_cylinder = hl_arena_take (arena, n, sizeof (int));
  machine->cylinder_of_slot = hl_arena_take (arena, n, sizeof (int));
  machine->party_of_slot = hl_arena_take (arena, n, sizeof (int));
  machine->couplings = hl_arena_take (arena, n, sizeof (HlQuasiCoupling));
  machine->is_open = hl_arena_take (arena, n_terms, sizeof (bool));
  machine->conductance = hl_arena_take (arena, n_terms, sizeof (double));
  machine->actuators = hl_arena_take (arena, n, sizeof (HlActuator));
  machine->tank_force = hl_arena_take (arena, n, sizeof (double));
  machine->beta = hl_arena_take (arena, n, sizeof (double));
  machine->fbar = hl_arena_take (arena, n, sizeof (double));
  machine->slots = hl_arena_take (arena, n, sizeof (HlQuasiSlot));
  machine->lambda = hl_arena_take (arena, n, sizeof (HlQuasiLambda));
  machine->gamma = hl_arena_take (arena, n, sizeof (HlQuasiGamma));
  machine->l_prev = hl_arena_take (arena, n, sizeof (double));
  machine->term_flow = hl_arena_take (arena, n_terms, sizeof (double));
  machine->by_load = hl_arena_take (arena, n + sys->topology->n_states_u, sizeof (double));
  int most = 9 * sys->mech.n_bodies + n + sys->topology->n_states_u + hl_quasi_n_soft (sys);
  machine->aside = hl_arena_take (arena, 3 * most, sizeof (double));
  form_parties (machine, sys);
  pipes_init (&machine->pipes, sys);
  for (int slot = 0; slot < n && machine->net == NULL; slot++) {
    const HlCylinder *cyl = &sys->cylinders[machine->cylinder_of_slot[slot]];
    double sides = (cyl->node_a >= 0 ? cyl->area_a : 0.0) - (cyl->node_b >= 0 ? cyl->area_b : 0.0);
    machine->tank_force[slot] = sides * machine->circuit.tank;
  }
  return HL_OK;
}

HlStatus hl_quasi_machine_init (HlQuasiMachine *machine, const HlSystem *sys, HlFault *fault) {
  HlMisfit unused;
  HlStatus status = hl_quasi_machine_init_as (machine, sys, false, fault);

  if (status != HL_OK || machine->net != NULL || !leaves_pattern (machine, sys) ||
      hl_quasi_net_check (sys, &unused) != HL_OK)
    return status;
  hl_quasi_machine_clear (machine);
  return hl_quasi_machine_init_as (machine, sys, true, fault);
}

void hl_quasi_machine_clear (HlQuasiMachine *machine) {
  hl_arena_clear (&machine->arena);
  pipes_clear (&machine->pipes);
  hl_quasi_net_free (machine->net);
  hl_circuit_clear (&machine->circuit);
  *machine = (HlQuasiMachine){0};
}

double hl_quasi_machine_force (const HlQuasiMachine *machine, int slot) {
  return machine->lambda[slot].f + machine->tank_force[slot];
}

static HlStatus diagnose_cylinder (const HlSystem *sys, int cylinder, const char *why, const char *mend,
                                   HlFault *fault) {
  hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_COMPONENT, sys->cylinders[cylinder].component, 0.0);
  if (fault != NULL) {
    fault->why = why;
    fault->mend = mend;
  }
  return HL_BAD_MODEL;
}

HlStatus hl_quasi_machine_check_couplings (const HlQuasiMachine *machine, const HlSystem *sys,
                                           HlFault *fault) {
  for (int slot = 0; slot < machine->n; slot++)
    if (!(machine->couplings[slot].K > 0.0) || !(machine->couplings[slot].B > 0.0))
      return diagnose_cylinder (
          sys, machine->cylinder_of_slot[slot],
          HL_TEXT ("the quasistatic model needs a virtual stiffness and a virtual damping"),
          HL_TEXT ("set the virtual stiffness and virtual damping to positive values; the list of problems "
                   "proposes values"),
          fault);
  return HL_OK;
}

/* ---- openings ---- */

double hl_quasi_machine_leaf_opening (const HlSystem *sys, const HlWork *work, const HlTerm *leaf) {
  const HlPassage *at = &sys->passages[leaf->passage];

  if (!at->is_spool)
    return at->signal >= 0 ? work->signal_values[at->signal] : 1.0;
  double u = at->state >= 0 ? work->component_u[at->state] : hl_work_signal (work, at->signal);
  return at->sense * u - at->dead_zone;
}

static double leaf_conductance (const HlQuasiMachine *machine, const HlSystem *sys, const HlWork *work,
                                int term) {
  const HlTerm *leaf = &machine->circuit.terms[term];
  const HlPassage *at = &sys->passages[leaf->passage];
  double opening = hl_quasi_machine_leaf_opening (sys, work, leaf);

  if (machine->by_hand != NULL && !isnan (machine->by_hand[term]))
    opening = machine->by_hand[term];
  if (machine->by_segment)
    opening = machine->is_open[term] ? fmax (opening, LEAST_OPENING) : 0.0;
  /* a metering valve cannot open further than it is; a spool's travel is its own matter */
  if (!at->is_spool)
    opening = fmin (opening, 1.0);
  return at->conductance * fmax (opening, 0.0);
}

static double in_series (double a, double b) {
  if (isinf (a) || isinf (b))
    return fmin (a, b);
  return a > 0.0 && b > 0.0 ? a / sqrt (1.0 + (a / b) * (a / b)) : 0.0;
}

static void eval_conductances (HlQuasiMachine *machine, const HlSystem *sys, const HlWork *work) {
  const HlCircuit *circuit = &machine->circuit;

  for (int term = 0; term < circuit->n_terms; term++) {
    const HlTerm *t = &circuit->terms[term];
    double *k = machine->conductance;
    switch (t->kind) {
    case HL_TERM_ORIFICE:
      k[term] = leaf_conductance (machine, sys, work, term);
      break;
    case HL_TERM_CHECK:
      k[term] = INFINITY;
      break;
    case HL_TERM_SERIES:
      k[term] = in_series (k[t->part[0]], k[t->part[1]]);
      break;
    case HL_TERM_PARALLEL:
      k[term] = k[t->part[0]] + k[t->part[1]];
      break;
    }
  }
}

static double conductance_of (const HlQuasiMachine *machine, HlCircuitValve valve) {
  return valve.term >= 0 ? machine->conductance[valve.term] : 0.0;
}

static double limit_of (const HlSystem *sys, int passage) {
  return passage >= 0 ? sys->passages[passage].opening_pressure : INFINITY;
}

static HlStatus open_pump (HlQuasiParty *party, const HlQuasiMachine *machine, const HlSystem *sys,
                           const HlWork *work, HlFault *fault) {
  if (party->pump < 0)
    return HL_OK;
  const HlCircuitPump *pump = &machine->circuit.pumps[party->pump];
  party->limits.Q = hl_work_pump_flow (work, &sys->passages[pump->passage]);
  party->limits.Ub = conductance_of (machine, pump->ub);
  party->limits.PM = pump->relief == pump->passage
                         ? sys->passages[pump->passage].relief_pressure - machine->circuit.tank
                         : limit_of (sys, pump->relief);
  if (party->limits.Q >= 0.0)
    return HL_OK;
  hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_COMPONENT, sys->passages[pump->passage].component, 0.0);
  if (fault != NULL) {
    fault->why = hl_misfit_text (HL_MISFIT_BAD_FLOW);
    fault->mend = hl_misfit_advice (HL_MISFIT_BAD_FLOW);
  }
  return HL_BAD_MODEL;
}

/* Returns a text about two valves of one cylinder that no class has open together. */
static const char *mixed_text (const HlActuator *actuator) {
  if (actuator->ph > 0.0 && actuator->th > 0.0)
    return HL_TEXT ("valves ph and th (pump to head and head to tank) are both open: outside U0, U+, U-");
  if (actuator->pr > 0.0 && actuator->tr > 0.0)
    return HL_TEXT ("valves pr and tr (pump to rod and rod to tank) are both open: outside U0, U+, U-");
  if (actuator->ph > 0.0 && actuator->pr > 0.0)
    return HL_TEXT ("valves ph and pr (pump to head and to rod) are both open: outside U0, U+, U-");
  if (actuator->th > 0.0 && actuator->tr > 0.0)
    return HL_TEXT ("valves th and tr (head and rod to tank) are both open: outside U0, U+, U-");
  return hl_quasi_reason_text (HL_QUASI_MIXED_OPENINGS);
}

static HlStatus diagnose_reason (const HlQuasiMachine *machine, const HlSystem *sys, int slot,
                                 HlQuasiReason reason, HlFault *fault) {
  int cylinder = machine->cylinder_of_slot[slot];

  switch (reason) {
  case HL_QUASI_MIXED_OPENINGS:
    return diagnose_cylinder (
        sys, cylinder, mixed_text (&machine->actuators[slot]),
        HL_TEXT ("open the valves of the actuator in one direction at a time, or use the lumped model"),
        fault);
  case HL_QUASI_UNBOUNDED_FORCE:
    return diagnose_cylinder (sys, cylinder,
                              HL_TEXT ("unbounded force: a chamber without a relief valve is closed"),
                              HL_TEXT ("add a relief valve from the chamber to the tank"), fault);
  case HL_QUASI_SMALL_HEAD:
    return diagnose_cylinder (sys, cylinder, hl_misfit_text (HL_MISFIT_SMALL_HEAD),
                              hl_misfit_advice (HL_MISFIT_SMALL_HEAD), fault);
  default:
    return diagnose_cylinder (sys, cylinder, hl_quasi_reason_text (reason),
                              HL_TEXT ("check the valves of the cylinder"), fault);
  }
}

static HlStatus check_pairs (const HlQuasiMachine *machine, const HlSystem *sys, HlFault *fault) {
  for (int k = 0; k < machine->circuit.n_pairs; k++) {
    const HlCircuitPair *pair = &machine->circuit.pairs[k];
    if (machine->conductance[pair->term[0]] > 0.0 && machine->conductance[pair->term[1]] > 0.0)
      return diagnose_cylinder (
          sys, pair->cylinder,
          HL_TEXT ("two valves of the actuator that lead to one line are open together: outside U0, U+, U-"),
          HL_TEXT ("open the valves of the actuator in one direction at a time, or use the lumped model"),
          fault);
  }
  return HL_OK;
}

HlStatus hl_quasi_machine_open (HlQuasiMachine *machine, const HlSystem *sys, const HlWork *work,
                                HlFault *fault) {
  if (machine->net != NULL) {
    hl_quasi_net_open (machine->net, work);
    return HL_OK;
  }
  eval_conductances (machine, sys, work);
  for (int k = 0; k < machine->n_parties; k++) {
    HlStatus status = open_pump (&machine->parties[k], machine, sys, work, fault);
    if (status != HL_OK)
      return status;
  }
  for (int slot = 0; slot < machine->n; slot++) {
    int cylinder = machine->cylinder_of_slot[slot];
    const HlCircuitCylinder *part = &machine->circuit.cylinders[cylinder];
    double Ah = sys->cylinders[cylinder].area_a, Ar = sys->cylinders[cylinder].area_b;
    HlActuator *actuator = &machine->actuators[slot];
    HlQuasiReason reason;

    double per_head = hl_actuator_normalize (1.0, Ah), per_rod = hl_actuator_normalize (1.0, Ar);
    *actuator = (HlActuator){.Ah = Ah,
                             .Ar = Ar,
                             .PhM = limit_of (sys, part->head_relief),
                             .PrM = limit_of (sys, part->rod_relief),
                             .ph = per_head * conductance_of (machine, part->ph),
                             .th = per_head * conductance_of (machine, part->th),
                             .pr = per_rod * conductance_of (machine, part->pr),
                             .tr = per_rod * conductance_of (machine, part->tr),
                             .ua = per_rod * conductance_of (machine, part->ua)};
    HlStatus status = hl_actuator_check (actuator, &reason);
    if (status == HL_OK)
      status = hl_actuator_check_bounded (actuator, &reason);
    if (status != HL_OK)
      return diagnose_reason (machine, sys, slot, reason, fault);
  }
  return check_pairs (machine, sys, fault);
}

/* ---- solution ---- */

static HlStatus solve_net (HlQuasiMachine *machine, HlFault *fault) {
  HlQuasiPiston *pistons = hl_quasi_net_pistons (machine->net);

  for (int slot = 0; slot < machine->n; slot++) {
    pistons[machine->cylinder_of_slot[slot]].beta = machine->beta[slot];
    pistons[machine->cylinder_of_slot[slot]].fbar = machine->fbar[slot];
  }
  HlStatus status = hl_quasi_net_solve (machine->net, fault);
  for (int slot = 0; slot < machine->n && status == HL_OK; slot++) {
    int k = machine->cylinder_of_slot[slot];
    machine->lambda[slot] = (HlQuasiLambda){.v = pistons[k].v,
                                            .f = machine->fbar[slot] + machine->beta[slot] * pistons[k].v,
                                            .dv_dfbar = hl_quasi_net_dv_dfbar (machine->net, k, k)};
  }
  return status;
}

HlStatus hl_quasi_machine_solve (HlQuasiMachine *machine, const HlSystem *sys, HlFault *fault) {
  if (machine->net != NULL)
    return solve_net (machine, fault);
  for (int k = 0; k < machine->n_parties; k++) {
    HlQuasiParty *party = &machine->parties[k];
    int first = party->first_slot, slot = first;
    HlQuasiReason reason = HL_QUASI_FINE;
    HlStatus status;

    if (party->group.n == 0)
      continue;
    if (party->group.n == 1)
      status = hl_quasi_lambda_eval (&machine->actuators[first], &party->limits, machine->beta[first],
                                     machine->fbar[first], &machine->lambda[first], &reason);
    else {
      status = hl_quasi_group_lambda (&party->group, machine->beta + first, machine->fbar + first,
                                      machine->lambda + first, &party->balance);
      reason = party->balance.reason;
      slot = first + (party->balance.actuator > 0 ? party->balance.actuator : 0);
    }
    if (status == HL_BAD_MODEL)
      return diagnose_reason (machine, sys, slot, reason, fault);
    if (status != HL_OK)
      return hl_fault_set (fault, status, HL_ENTITY_COMPONENT,
                           sys->cylinders[machine->cylinder_of_slot[slot]].component, machine->fbar[slot]);
  }
  return HL_OK;
}

double hl_quasi_machine_dv_dfbar (const HlQuasiMachine *machine, int i, int j) {
  const HlQuasiParty *party = &machine->parties[machine->party_of_slot[i]];

  if (machine->net != NULL)
    return hl_quasi_net_dv_dfbar (machine->net, machine->cylinder_of_slot[i], machine->cylinder_of_slot[j]);
  if (party->group.n == 1)
    return machine->lambda[i].dv_dfbar;
  return hl_quasi_group_dv_dfbar (machine->lambda + party->first_slot, &party->balance, i - party->first_slot,
                                  j - party->first_slot);
}
