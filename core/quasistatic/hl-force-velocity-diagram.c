/* SPDX-License-Identifier: MIT */
/* Maps of the cylinders of one pump: a machine recognized once, its openings fixed, and the pure
 * functions of core/quasistatic on the members. */
#include "core/quasistatic/hl-force-velocity-diagram.h"

#include "core/base/hl-arena.h"
#include "core/quasistatic/hl-quasi-model.h"
#include "core/quasistatic/hl-quasi-valve-network-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 241
#define MOST_POINTS (2 * SAMPLES + HL_QUASI_MAP_EXTRA)
#define HEADROOM 1.25 /* the range reaches this much beyond the greatest speed */
/* A chamber that drains faster than this many pump speeds is not shown. */
#define FASTEST_DRAIN 3.0
#define LEAST_RANGE 0.01  /* [m/s] */
#define LEAST_TURNING 0.1 /* [rad/s] */
/* Load lines of a cylinder that nothing holds, and of one that hardly moves [N s/m]; the same of what
 * turns, with some 1e-5 m3/rad for 1e-2 m2 [N m s/rad]. */
#define FREE_BETA 1.0
#define HELD_BETA 1.0e12
#define FREE_TURNING_BETA 1.0e-6
#define HELD_TURNING_BETA 1.0e6
#define BACK_PART 0.3 /* the part of the range on the side where the map is flat */

static double *numbers (HlArena *arena, int n) {
  return hl_arena_take (arena, n, sizeof (double));
}

static void start_curve (HlForceCurve *curve, HlArena *arena, double value) {
  *curve = (HlForceCurve){.v = numbers (arena, MOST_POINTS),
                          .f = numbers (arena, MOST_POINTS),
                          .P = numbers (arena, MOST_POINTS),
                          .relief = numbers (arena, MOST_POINTS),
                          .recycled = numbers (arena, MOST_POINTS),
                          .segment = hl_arena_take (arena, MOST_POINTS, sizeof (HlSegment)),
                          .value = value};
}

/* Fills a curve. speeds: of all members, the first is overwritten. */
static HlStatus fill_curve (HlForceCurve *curve, HlForceMap *map, double speeds[], double from, double to,
                            HlFault *fault) {
  HlArena scratch = {0};
  HlQuasiMapPoint *points = hl_arena_take (&scratch, MOST_POINTS, sizeof *points);
  HlQuasiGamma *gamma = hl_arena_take (&scratch, hl_force_map_n_members (map), sizeof *gamma);
  HlStatus status =
      hl_force_map_sample (map, speeds, (HlQuasiMapRange){from, to, SAMPLES}, points, &curve->n, fault);

  for (int k = 0; k < curve->n && status == HL_OK; k++) {
    speeds[0] = points[k].v;
    status = hl_force_map_at (map, speeds, gamma, fault);
    curve->v[k] = points[k].v;
    curve->f[k] = points[k].f;
    curve->segment[k] = points[k].segment;
    curve->P[k] = hl_force_map_tank (map) + gamma->P;
    curve->relief[k] = gamma->Q_pump_relief;
    curve->recycled[k] = gamma->Q_regeneration;
  }
  hl_arena_clear (&scratch);
  return status;
}

/* Returns the slope of the load line of a member that is free, or held. */
static double beta_of (const HlForceMap *map, int member, bool is_free) {
  if (hl_force_map_terms (map, member)->is_rotary)
    return is_free ? FREE_TURNING_BETA : HELD_TURNING_BETA;
  return is_free ? FREE_BETA : HELD_BETA;
}

/* Chooses the range of a network: somewhat beyond the speed of an unloaded piston or shaft. */
static void choose_network_range (HlForceMap *map, double *from, double *to) {
  int n = hl_force_map_n_members (map);
  HlArena scratch = {0};
  double *beta = hl_arena_take (&scratch, n, sizeof *beta);
  double *fbar = hl_arena_take (&scratch, n, sizeof *fbar), P;
  bool turns = hl_force_map_terms (map, 0)->is_rotary;
  double reach = turns ? LEAST_TURNING : LEAST_RANGE;
  HlQuasiLambda *lambda = hl_arena_take (&scratch, n, sizeof *lambda);

  for (int member = 0; member < n; member++)
    beta[member] = beta_of (map, member, member == 0);
  if (hl_force_map_meet (map, beta, fbar, lambda, &P, NULL) == HL_OK)
    reach = fmax (reach, HEADROOM * fabs (lambda->v));
  *from = -reach;
  *to = reach;
  hl_arena_clear (&scratch);
}

/* Chooses the range of relevant speeds: the pump's flow on the driven area, or the speed at which the
 * draining chamber reaches its relief pressure. */
static void choose_range (HlForceMap *map, double *from, double *to) {
  if (hl_force_map_is_network (map)) {
    choose_network_range (map, from, to);
    return;
  }

  const HlActuator *a = hl_force_map_actuator (map, 0);
  double Q = hl_force_map_pump (map)->Q;
  HlOpening opening = hl_actuator_opening (a);
  double area = opening == HL_OPENING_RETRACT ? a->Ar : a->Ah;
  double drain =
      opening == HL_OPENING_RETRACT ? a->th * sqrt (a->PhM * a->Ah) : a->tr * sqrt (a->PrM * a->Ar);
  double fill = Q / (area - (a->ua > 0.0 && a->Ah > a->Ar ? a->Ar : 0.0));
  double reach = HEADROOM * fmax (fill, fmin (drain, FASTEST_DRAIN * fill));

  reach = fmax (reach, LEAST_RANGE);
  *from = opening == HL_OPENING_EXTEND ? -BACK_PART * reach : -reach;
  *to = opening == HL_OPENING_RETRACT ? BACK_PART * reach : reach;
}

static int family_size (HlForceOver over) {
  static const int sizes[HL_FORCE_N_OVER] = {0, 9, 6, 5, 5};
  return sizes[over];
}

/* Returns the value k of a family. */
static double family_value (HlForceOver over, int k, double reach) {
  double part = (double)k / (family_size (over) - 1);

  switch (over) {
  case HL_FORCE_OVER_COMMAND:
    return 2.0 * part - 1.0;
  case HL_FORCE_OVER_OTHER_SPEED:
    return part * reach;
  default:
    return part;
  }
}

static HlForceMapOpenings openings_with (const HlForceFamilyOptions *options, double value) {
  HlForceMapOpenings openings = options->openings;

  if (options->over == HL_FORCE_OVER_COMMAND)
    openings.command = value;
  else if (options->over == HL_FORCE_OVER_BLEED)
    openings.bleed = value;
  else if (options->over == HL_FORCE_OVER_REGENERATION)
    openings.regeneration = value;
  return openings;
}

static void set_speeds (const HlForceFamilyOptions *options, int n, double speeds[]) {
  for (int k = 0; k < n; k++)
    speeds[k] = options->speeds != NULL ? options->speeds[k] : 0.0;
}

/* Returns the speed that the other cylinder is given at most, in the direction it is open to. */
static double other_reach (HlForceMap *map, int member) {
  double from, to;

  if (hl_force_map_is_network (map)) {
    choose_network_range (map, &from, &to);
    return to;
  }

  const HlActuator *a = hl_force_map_actuator (map, member);
  double Q = hl_force_map_pump (map)->Q;

  return hl_actuator_opening (a) == HL_OPENING_RETRACT ? -Q / a->Ar : Q / a->Ah;
}

static void add_family (HlForceFamily *out, const HlSystem *sys, const HlForceFamilyOptions *options) {
  HlArena scratch = {0};
  double *speeds = numbers (&scratch, out->n_members), reach = 0.0;

  for (int k = 0; k < family_size (options->over); k++) {
    double value = family_value (options->over, k, reach);
    HlForceMapOpenings openings = openings_with (options, value);
    HlForceMap *map = hl_force_map_new (sys, options->component, options->t, &openings, NULL);
    if (map == NULL)
      continue;
    set_speeds (options, out->n_members, speeds);
    if (options->over == HL_FORCE_OVER_OTHER_SPEED) {
      reach = other_reach (map, options->member);
      speeds[options->member] = value = family_value (options->over, k, reach);
    }
    HlForceCurve *curve = &out->family[out->n_family];
    start_curve (curve, &out->arena, value);
    if (fill_curve (curve, map, speeds, out->v_from, out->v_to, NULL) == HL_OK)
      out->n_family++;
    hl_force_map_free (map);
  }
  hl_arena_clear (&scratch);
}

HlForceFamily *hl_force_family_new (const HlSystem *sys, const HlForceFamilyOptions *options,
                                    HlFault *fault) {
  HlForceMap *map = hl_force_map_new (sys, options->component, options->t, &options->openings, fault);

  if (map == NULL)
    return NULL;
  HlArena own = {0}, scratch = {0};
  HlForceFamily *out = hl_arena_take (&own, 1, sizeof *out);
  out->arena = own;
  out->n_members = hl_force_map_n_members (map);
  out->components = hl_arena_take (&out->arena, out->n_members, sizeof *out->components);
  out->terms = hl_arena_take (&out->arena, out->n_members, sizeof *out->terms);
  for (int k = 0; k < out->n_members; k++) {
    out->components[k] = hl_force_map_component (map, k);
    out->terms[k] = hl_force_map_terms (map, k);
  }
  hl_force_map_has (map, &out->has_command, &out->has_bleed, &out->has_regeneration);
  out->v_from = options->v_from;
  out->v_to = options->v_to;
  if (isnan (options->v_from) || isnan (options->v_to)) {
    choose_range (map, &out->v_from, &out->v_to);
    if (options->over == HL_FORCE_OVER_COMMAND)
      out->v_from = -(out->v_to = fmax (out->v_to, -out->v_from));
  }
  double *speeds = numbers (&scratch, out->n_members);
  set_speeds (options, out->n_members, speeds);
  start_curve (&out->now, &out->arena, NAN);
  HlStatus status = fill_curve (&out->now, map, speeds, out->v_from, out->v_to, fault);
  hl_arena_clear (&scratch);
  hl_force_map_free (map);
  if (status != HL_OK) {
    hl_force_family_free (out);
    return NULL;
  }
  add_family (out, sys, options);
  return out;
}

void hl_force_family_free (HlForceFamily *family) {
  if (family == NULL)
    return;
  HlArena arena = family->arena;
  hl_arena_clear (&arena);
}

/* Force-velocity maps of the pistons of a network: at given velocities, and where load lines meet them. The
 * force of a piston at rest is an interval, from the limit of slow retraction, f (0-), to the limit of slow
 * extension, f (0+), because the map decreases. */

#define SLOW 1.0e-8 /* [m/s]: as good as at rest, on either side */

static void prescribe_speeds (HlQuasiNet *net, int n, const int cylinders[], const double v[]) {
  for (int member = 0; member < n; member++) {
    net->pistons[cylinders[member]].beta = INFINITY;
    net->pistons[cylinders[member]].fbar = v[member];
  }
}

/* Computes the force of one piston in creeping motion. */
static HlStatus force_at_creep (HlQuasiNet *net, int cylinder, double v, double *f, HlFault *fault) {
  double kept = net->pistons[cylinder].fbar;
  int infinite;

  net->pistons[cylinder].fbar = v;
  HlStatus status = hl_quasi_net_solve_given (net, cylinder, &infinite, fault);
  net->pistons[cylinder].fbar = kept;
  *f = infinite != 0 ? infinite * INFINITY : net->pistons[cylinder].f;
  return status;
}

static double chamber (const HlQuasiNet *net, const HlQuasiPiston *piston, int side) {
  return piston->node[side] >= 0 ? hl_quasi_net_pressure (net, piston->node[side]) : NAN;
}

/* Returns the pressure of the line that the first pump feeds, or the pressure given [Pa]. Call after any of
 * the solutions. */
static double quasi_net_supply (const HlQuasiNet *net) {
  const HlSystem *sys = net->sys;

  for (int k = 0; k < sys->n_passages; k++)
    if (sys->passages[k].kind == HL_PASSAGE_PUMP && sys->passages[k].node_b >= 0)
      return hl_quasi_net_pressure (net, sys->passages[k].node_b);
  for (int k = 0; k < sys->n_sources; k++)
    if (!sys->sources[k].is_tank)
      return sys->sources[k].pressure;
  return NAN;
}

/* Finds the interval of an undetermined force on a piston at rest: between the forces at which it creeps in
 * either direction. */
static HlStatus find_interval (HlQuasiNet *net, int cylinder, HlQuasiGamma *gamma, HlFault *fault) {
  HlStatus status = force_at_creep (net, cylinder, -SLOW, &gamma->f_hi, fault);

  if (status == HL_OK)
    status = force_at_creep (net, cylinder, SLOW, &gamma->f_lo, fault);
  gamma->f = fmin (fmax (0.0, gamma->f_lo), gamma->f_hi);
  return status;
}

/* Computes the states at velocities v[n] of cylinders[n], all pistons of the network, the requested one
 * first. At rest the force is an interval; infinite if a chamber has no relief valve. Undetermined pressures
 * are NAN. Statuses as hl_quasi_net_solve. */
static HlStatus quasi_net_gamma (HlQuasiNet *net, int n, const int cylinders[], const double v[],
                                 HlQuasiGamma out[], HlFault *fault) {
  int infinite;

  prescribe_speeds (net, n, cylinders, v);
  HlStatus status = hl_quasi_net_solve_given (net, cylinders[0], &infinite, fault);
  for (int member = 0; member < n && status == HL_OK; member++) {
    const HlQuasiPiston *piston = &net->pistons[cylinders[member]];
    bool is_known = infinite == 0;
    HlQuasiGamma *gamma = &out[member];

    *gamma = (HlQuasiGamma){.v = v[member],
                            .df_dv = NAN,
                            .segment = HL_SEGMENT_NETWORK,
                            .Ph = is_known ? chamber (net, piston, 0) : NAN,
                            .Pr = is_known ? chamber (net, piston, 1) : NAN,
                            .P = is_known ? quasi_net_supply (net) : NAN,
                            .f = is_known ? piston->f : NAN};
    if (!is_known && member == 0)
      gamma->f = infinite * INFINITY;
    gamma->f_lo = gamma->f_hi = gamma->f;
  }
  for (int member = 0; member < n && status == HL_OK; member++)
    if (v[member] == 0.0 && isnan (out[member].f))
      status = find_interval (net, cylinders[member], &out[member], fault);
  return status;
}

/* Solves for the intersections of load lines fbar[n] [N], beta[n] [N s/m] of cylinders[n] with the maps:
 * out[n]. Statuses as hl_quasi_net_solve. */
static HlStatus quasi_net_lambda (HlQuasiNet *net, int n, const int cylinders[], const double beta[],
                                  const double fbar[], HlQuasiLambda out[], HlFault *fault) {
  for (int member = 0; member < n; member++) {
    net->pistons[cylinders[member]].beta = beta[member];
    net->pistons[cylinders[member]].fbar = fbar[member];
  }
  HlStatus status = hl_quasi_net_solve (net, fault);
  for (int member = 0; member < n && status == HL_OK; member++) {
    double v = net->pistons[cylinders[member]].v;
    out[member] =
        (HlQuasiLambda){.v = v,
                        .f = fbar[member] + beta[member] * v,
                        .dv_dfbar = hl_quasi_net_dv_dfbar (net, cylinders[member], cylinders[member])};
  }
  if (status == HL_OK)
    hl_quasi_net_find_free (net);
  return status;
}

struct _HlForceMap {
  HlArena arena;          /* of itself and its arrays */
  HlSystem *sys;          /* a reference */
  HlQuasiMachine machine; /* the recognized circuit with its openings */
  int n;                  /* cylinders on the pump: members, the requested one first */
  int *components;        /* n */
  HlActuator *actuators;  /* n */
  double *tank_force;     /* n: f of absolute pressures minus f of those relative to the tank [N] */
  HlPump pump;            /* that feeds them; one that gives nothing where there is none */
  HlQuasiSlot *slots;     /* n */
  HlQuasiGroup group;     /* all members on the pump, borrows the arrays */
  HlQuasiGamma *gamma;    /* n, scratch */
  double *v, *fbar;       /* n, scratch */
  int *cylinders;         /* n: of the system */
};

/* Sets signals and spools at t. */
static void set_signals (const HlSystem *sys, HlWork *work, double t) {
  hl_signal_enter (sys->signals, sys->n_signals, t, work->segments);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  for (int k = 0; k < work->u; k++) {
    if (hl_state_lag (sys, k) > 0.0)
      work->component_u[k] = t > 0.0 ? hl_state_command (sys, work, k) : hl_state_start (sys, k);
  }
}

static void add_member (HlForceMap *map, int slot) {
  int cylinder = map->machine.cylinder_of_slot[slot];

  map->components[map->n] = map->sys->cylinders[cylinder].component;
  map->cylinders[map->n] = cylinder;
  map->actuators[map->n] = map->machine.actuators[slot];
  if (map->machine.net != NULL)
    map->actuators[map->n] =
        (HlActuator){.Ah = map->sys->cylinders[cylinder].area_a, .Ar = map->sys->cylinders[cylinder].area_b};
  map->tank_force[map->n] = map->machine.tank_force[slot];
  map->n++;
}

static void gather_members (HlForceMap *map, int cylinder) {
  int first = map->machine.slot_of_cylinder[cylinder];
  const HlQuasiParty *party = &map->machine.parties[map->machine.party_of_slot[first]];
  HlArena *arena = &map->arena;
  int n = party->group.n;

  map->components = hl_arena_take (arena, n, sizeof *map->components);
  map->cylinders = hl_arena_take (arena, n, sizeof *map->cylinders);
  map->actuators = hl_arena_take (arena, n, sizeof *map->actuators);
  map->tank_force = hl_arena_take (arena, n, sizeof *map->tank_force);
  map->slots = hl_arena_take (arena, n, sizeof *map->slots);
  map->gamma = hl_arena_take (arena, n, sizeof *map->gamma);
  map->v = hl_arena_take (arena, n, sizeof *map->v);
  map->fbar = hl_arena_take (arena, n, sizeof *map->fbar);
  add_member (map, first);
  for (int slot = party->first_slot; slot < party->first_slot + party->group.n; slot++)
    if (slot != first)
      add_member (map, slot);
  map->pump = party->limits;
  map->group =
      (HlQuasiGroup){.pump = &map->pump, .n = map->n, .actuators = map->actuators, .slots = map->slots};
}

/* ---- openings set by hand ---- */

enum {
  ROLE_EXTEND = 1 << 0,  /* ph, tr */
  ROLE_RETRACT = 1 << 1, /* pr, th */
  ROLE_BLEED = 1 << 2,
  ROLE_REGENERATION = 1 << 3
};

/* Returns the opening of a leaf that stands in a way with this role, NAN when it is not set by hand. */
static double opening_by_hand (const HlPassage *at, int roles, const HlForceMapOpenings *by_hand) {
  double u = by_hand->command;

  if (at->signal < 0)
    return NAN;
  if ((roles & (ROLE_EXTEND | ROLE_RETRACT)) != 0 && at->is_spool)
    return at->sense * u - at->dead_zone;
  switch (roles & (ROLE_EXTEND | ROLE_RETRACT)) {
  case ROLE_EXTEND | ROLE_RETRACT: /* one valve in common of both ways */
    return fabs (u);
  case ROLE_EXTEND:
    return isnan (u) ? NAN : fmax (u, 0.0);
  case ROLE_RETRACT:
    return isnan (u) ? NAN : fmax (-u, 0.0);
  default:
    return (roles & ROLE_BLEED) != 0 ? by_hand->bleed : by_hand->regeneration;
  }
}

/* Adds a role to every leaf of a way. */
static void add_role (const HlCircuit *circuit, int term, int role, int roles[]) {
  if (term < 0)
    return;
  const HlTerm *t = &circuit->terms[term];
  roles[term] |= role;
  if (t->kind != HL_TERM_SERIES && t->kind != HL_TERM_PARALLEL)
    return;
  add_role (circuit, t->part[0], role, roles);
  add_role (circuit, t->part[1], role, roles);
}

static void add_roles (const HlQuasiMachine *machine, const HlQuasiParty *party, int roles[]) {
  const HlCircuit *circuit = &machine->circuit;

  for (int slot = party->first_slot; slot < party->first_slot + party->group.n; slot++) {
    const HlCircuitCylinder *part = &circuit->cylinders[machine->cylinder_of_slot[slot]];
    add_role (circuit, part->ph.term, ROLE_EXTEND, roles);
    add_role (circuit, part->tr.term, ROLE_EXTEND, roles);
    add_role (circuit, part->pr.term, ROLE_RETRACT, roles);
    add_role (circuit, part->th.term, ROLE_RETRACT, roles);
    add_role (circuit, part->ua.term, ROLE_REGENERATION, roles);
  }
  if (party->pump >= 0)
    add_role (circuit, circuit->pumps[party->pump].ub.term, ROLE_BLEED, roles);
}

static const HlQuasiParty *party_of (const HlQuasiMachine *machine, int cylinder) {
  return &machine->parties[machine->party_of_slot[machine->slot_of_cylinder[cylinder]]];
}

static void set_by_hand (HlForceMap *map, int cylinder, const HlForceMapOpenings *by_hand) {
  HlQuasiMachine *machine = &map->machine;
  int n = machine->circuit.n_terms;

  if (machine->net != NULL)
    return; /* set once its valves have read what they are given */
  int *roles = calloc ((size_t)n + 1, sizeof *roles);
  machine->by_hand = hl_arena_take (&machine->arena, n, sizeof *machine->by_hand);
  add_roles (machine, party_of (machine, cylinder), roles);
  for (int term = 0; term < n; term++) {
    const HlTerm *t = &machine->circuit.terms[term];
    machine->by_hand[term] = NAN;
    if (t->kind == HL_TERM_ORIFICE && roles[term] != 0)
      machine->by_hand[term] = opening_by_hand (&map->sys->passages[t->passage], roles[term], by_hand);
  }
  free (roles);
}

void hl_force_map_has (const HlForceMap *map, bool *has_command, bool *has_bleed, bool *has_regeneration) {
  const HlQuasiMachine *machine = &map->machine;
  int n = machine->circuit.n_terms, all = 0;

  if (machine->net != NULL) {
    *has_command = hl_quasi_net_has_command (machine->net);
    *has_bleed = *has_regeneration = false;
    return;
  }
  int *roles = calloc ((size_t)n + 1, sizeof *roles);

  add_roles (machine, party_of (machine, map->sys->components[*map->components].cylinder), roles);
  for (int term = 0; term < n; term++) {
    const HlTerm *t = &machine->circuit.terms[term];
    if (t->kind == HL_TERM_ORIFICE && map->sys->passages[t->passage].signal >= 0)
      all |= roles[term];
  }
  *has_command = (all & (ROLE_EXTEND | ROLE_RETRACT)) != 0;
  *has_bleed = (all & ROLE_BLEED) != 0;
  *has_regeneration = (all & ROLE_REGENERATION) != 0;
  free (roles);
}

HlForceMap *hl_force_map_new (const HlSystem *sys, int component, double t, const HlForceMapOpenings *by_hand,
                              HlFault *fault) {
  HlArena own = {0};
  HlForceMap *map = hl_arena_take (&own, 1, sizeof *map);
  int cylinder = sys->components[component].cylinder;

  map->arena = own;
  map->sys = hl_system_ref ((HlSystem *)sys);
  HlStatus status = hl_quasi_machine_init (&map->machine, sys, fault);
  if (status == HL_OK && map->machine.net != NULL) {
    hl_quasi_net_free (map->machine.net);
    map->machine.net = hl_quasi_net_new_steady (sys);
    hl_quasi_net_leave_cushions (map->machine.net);
  }
  if (status == HL_OK && by_hand != NULL)
    set_by_hand (map, cylinder, by_hand);
  if (status == HL_OK) {
    HlWork *work = hl_work_new (sys);
    set_signals (sys, work, t);
    status = hl_quasi_machine_open (&map->machine, sys, work, fault);
    if (map->machine.net != NULL && by_hand != NULL && !isnan (by_hand->command))
      hl_quasi_net_set_command (map->machine.net, by_hand->command);
    if (status != HL_OK && fault != NULL)
      fault->time = t;
    hl_work_free (work);
  }
  if (status != HL_OK) {
    hl_force_map_free (map);
    return NULL;
  }
  gather_members (map, cylinder);
  return map;
}

void hl_force_map_free (HlForceMap *map) {
  if (map == NULL)
    return;
  hl_quasi_machine_clear (&map->machine);
  hl_system_unref (map->sys);
  HlArena arena = map->arena;
  hl_arena_clear (&arena);
}

bool hl_force_map_is_network (const HlForceMap *map) {
  return map->machine.net != NULL;
}

double hl_force_map_tank (const HlForceMap *map) {
  return map->machine.circuit.tank;
}

int hl_force_map_n_members (const HlForceMap *map) {
  return map->n;
}

int hl_force_map_component (const HlForceMap *map, int member) {
  return map->components[member];
}

const HlCylinderTerms *hl_force_map_terms (const HlForceMap *map, int member) {
  return hl_cylinder_terms (map->sys->cylinders[map->cylinders[member]].is_rotary);
}

const HlActuator *hl_force_map_actuator (const HlForceMap *map, int member) {
  return &map->actuators[member];
}

const HlPump *hl_force_map_pump (const HlForceMap *map) {
  return &map->pump;
}

static HlStatus set_fault (const HlForceMap *map, HlStatus status, int member, HlQuasiReason reason,
                           HlFault *fault) {
  if (status == HL_OK)
    return HL_OK;
  hl_fault_set (fault, status, HL_ENTITY_COMPONENT, map->components[member > 0 ? member : 0], 0.0);
  if (fault != NULL && status == HL_BAD_MODEL)
    fault->why = hl_quasi_reason_text (reason);
  return status;
}

HlStatus hl_force_map_at (HlForceMap *map, const double v[], HlQuasiGamma out[], HlFault *fault) {
  if (map->machine.net != NULL)
    return quasi_net_gamma (map->machine.net, map->n, map->cylinders, v, out, fault);
  HlQuasiBalance balance = {.actuator = 0};
  HlStatus status = map->n == 1
                        ? hl_quasi_gamma_eval (&map->actuators[0], &map->pump, v[0], out, &balance.reason)
                        : hl_quasi_group_gamma (&map->group, v, out, &balance);

  for (int member = 0; member < map->n && status == HL_OK; member++) {
    out[member].f += map->tank_force[member];
    out[member].f_lo += map->tank_force[member];
    out[member].f_hi += map->tank_force[member];
  }
  return set_fault (map, status, balance.actuator, balance.reason, fault);
}

HlStatus hl_force_map_meet (HlForceMap *map, const double beta[], const double fbar[], HlQuasiLambda out[],
                            double *P, HlFault *fault) {
  HlQuasiBalance balance = {.actuator = 0};
  HlStatus status;

  if (map->machine.net != NULL) {
    status = quasi_net_lambda (map->machine.net, map->n, map->cylinders, beta, fbar, out, fault);
    *P = quasi_net_supply (map->machine.net);
    return status;
  }
  for (int member = 0; member < map->n; member++)
    map->fbar[member] = fbar[member] - map->tank_force[member];
  if (map->n > 1) {
    status = hl_quasi_group_lambda (&map->group, beta, map->fbar, out, &balance);
    *P = balance.P;
  } else
    status =
        hl_quasi_lambda_eval (&map->actuators[0], &map->pump, beta[0], map->fbar[0], out, &balance.reason);
  if (map->n == 1 && status == HL_OK) {
    HlQuasiKnown known = {.v = out->v, .va = out->va, .f = out->f, .P = NAN};
    status = hl_quasi_gamma_at (&map->actuators[0], &map->pump, known, map->gamma, &balance.reason);
    *P = map->gamma->P;
  }
  for (int member = 0; member < map->n && status == HL_OK; member++)
    out[member].f += map->tank_force[member];
  return set_fault (map, status, balance.actuator, balance.reason, fault);
}

/* Adds one sample of a shared map; at rest its two ends. */
static HlStatus add_sample (HlForceMap *map, double v, HlQuasiMapPoint out[], int *n, HlFault *fault) {
  map->v[0] = v;
  HlStatus status = hl_force_map_at (map, map->v, map->gamma, fault);
  const HlQuasiGamma *gamma = map->gamma;

  if (status != HL_OK)
    return status;
  HlQuasiMapPoint point = {
      .v = v, .f = gamma->f_hi, .segment = gamma->segment, .regenerates = gamma->va > 0.0};
  out[(*n)++] = point;
  if (gamma->f_lo < gamma->f_hi) {
    point.f = gamma->f_lo;
    out[(*n)++] = point;
  }
  return HL_OK;
}

HlStatus hl_force_map_sample (HlForceMap *map, const double v[], HlQuasiMapRange range, HlQuasiMapPoint out[],
                              int *n_points, HlFault *fault) {
  HlQuasiReason reason;
  HlStatus status = HL_OK;
  bool passes_rest = range.v_lo < 0.0 && range.v_hi > 0.0;

  if (map->n == 1 && map->machine.net == NULL) {
    status = hl_quasi_map_sample (&map->actuators[0], &map->pump, range, out, n_points, &reason);
    for (int k = 0; k < *n_points && status == HL_OK; k++)
      out[k].f += map->tank_force[0];
    return set_fault (map, status, 0, reason, fault);
  }
  memcpy (map->v, v, (size_t)map->n * sizeof *v);
  *n_points = 0;
  for (int k = 0; k < range.n_samples && status == HL_OK; k++) {
    double at = range.v_lo + (range.v_hi - range.v_lo) * k / (range.n_samples - 1);
    if (passes_rest && at >= 0.0) {
      passes_rest = false;
      if (at > 0.0)
        status = add_sample (map, 0.0, out, n_points, fault);
    }
    if (status == HL_OK)
      status = add_sample (map, at, out, n_points, fault);
  }
  return status;
}
