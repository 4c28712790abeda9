/* SPDX-License-Identifier: MIT */
/* Maps of the cylinders of one pump: a machine recognized once, its openings fixed, and the pure
 * functions of core/quasistatic on the members. */
#include "core/analysis/hl-force-map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/hl-quasi-machine.h"

struct _HlForceMap
{
  HlSystem *sys;
  HlQuasiMachine machine;
  int n;
  int *components;       /* n */
  HlActuator *actuators; /* n */
  HlPump pump;
  HlQuasiSlot *slots; /* n */
  HlQuasiGroup group;
  HlQuasiGamma *gamma; /* n, scratch */
  double *v;           /* n, scratch */
};

/* Signals and spools at t. */
static void
set_signals (const HlSystem *sys, HlWork *work, double t)
{
  hl_signal_enter (sys->signals, sys->n_signals, t, work->segments);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  for (int k = 0; k < work->u; k++) {
    const HlFlow *flow = &sys->flows[sys->topology->flow_of_state[k]];
    if (flow->kind == HL_FLOW_DIRECTIONAL)
      work->component_u[k] = t > 0.0 ? hl_work_signal (work, flow->signal) : flow->spool;
  }
}

static void
add_member (HlForceMap *map, int slot)
{
  int cylinder = map->machine.cylinder_of_slot[slot];

  map->components[map->n] = map->sys->cylinders[cylinder].component;
  map->actuators[map->n] = map->machine.actuators[slot];
  map->n++;
}

static void
gather_members (HlForceMap *map, int cylinder)
{
  int first = map->machine.slot_of_cylinder[cylinder];
  const HlQuasiParty *party = &map->machine.parties[map->machine.party_of_slot[first]];
  size_t n = (size_t)party->group.n;

  map->components = calloc (n, sizeof *map->components);
  map->actuators = calloc (n, sizeof *map->actuators);
  map->slots = calloc (n, sizeof *map->slots);
  map->gamma = calloc (n, sizeof *map->gamma);
  map->v = calloc (n, sizeof *map->v);
  add_member (map, first);
  for (int slot = party->first_slot; slot < party->first_slot + party->group.n; slot++)
    if (slot != first)
      add_member (map, slot);
  map->pump = party->limits;
  map->group = (HlQuasiGroup){
      .pump = &map->pump, .n = map->n, .actuators = map->actuators, .slots = map->slots};
}

HlForceMap *
hl_force_map_new (const HlSystem *sys, int component, double t, HlFault *fault)
{
  HlForceMap *map = calloc (1, sizeof *map);
  int cylinder = sys->topology->component_cylinder[component];

  map->sys = hl_system_ref ((HlSystem *)sys);
  HlStatus status = hl_quasi_machine_init (&map->machine, sys, fault);
  if (status == HL_OK) {
    HlWork *work = hl_work_new (sys);
    set_signals (sys, work, t);
    status = hl_quasi_machine_open (&map->machine, sys, work, fault);
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

void
hl_force_map_free (HlForceMap *map)
{
  if (map == NULL)
    return;
  hl_quasi_machine_clear (&map->machine);
  hl_system_unref (map->sys);
  free (map->components);
  free (map->actuators);
  free (map->slots);
  free (map->gamma);
  free (map->v);
  free (map);
}

double
hl_force_map_tank (const HlForceMap *map)
{
  return map->machine.circuit.tank;
}

int
hl_force_map_n_members (const HlForceMap *map)
{
  return map->n;
}

int
hl_force_map_component (const HlForceMap *map, int member)
{
  return map->components[member];
}

const HlActuator *
hl_force_map_actuator (const HlForceMap *map, int member)
{
  return &map->actuators[member];
}

const HlPump *
hl_force_map_pump (const HlForceMap *map)
{
  return &map->pump;
}

static HlStatus
blame (const HlForceMap *map, HlStatus status, int member, HlQuasiReason reason, HlFault *fault)
{
  if (status == HL_OK)
    return HL_OK;
  hl_fault_set (fault, status, HL_ENTITY_COMPONENT, map->components[member > 0 ? member : 0], 0.0);
  if (fault != NULL && status == HL_BAD_MODEL)
    fault->why = hl_quasi_reason_text (reason);
  return status;
}

HlStatus
hl_force_map_at (HlForceMap *map, const double v[], HlQuasiGamma out[], HlFault *fault)
{
  HlQuasiBalance balance = {.actuator = 0};
  HlStatus status =
      map->n == 1 ? hl_quasi_gamma_eval (&map->actuators[0], &map->pump, v[0], out, &balance.reason)
                  : hl_quasi_group_gamma (&map->group, v, out, &balance);

  return blame (map, status, balance.actuator, balance.reason, fault);
}

HlStatus
hl_force_map_meet (HlForceMap *map,
                   const double beta[],
                   const double fbar[],
                   HlQuasiLambda out[],
                   double *P,
                   HlFault *fault)
{
  HlQuasiBalance balance = {.actuator = 0};
  HlStatus status;

  if (map->n > 1) {
    status = hl_quasi_group_lambda (&map->group, beta, fbar, out, &balance);
    *P = balance.P;
    return blame (map, status, balance.actuator, balance.reason, fault);
  }
  status =
      hl_quasi_lambda_eval (&map->actuators[0], &map->pump, beta[0], fbar[0], out, &balance.reason);
  if (status == HL_OK) {
    HlQuasiKnown known = {.v = out->v, .va = out->va, .f = out->f, .P = NAN};
    status = hl_quasi_gamma_at (&map->actuators[0], &map->pump, known, map->gamma, &balance.reason);
    *P = map->gamma->P;
  }
  return blame (map, status, 0, balance.reason, fault);
}

/* One sample of a shared map; at rest its two ends. */
static HlStatus
add_sample (HlForceMap *map, double v, HlQuasiMapPoint out[], int *n, HlFault *fault)
{
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

HlStatus
hl_force_map_sample (HlForceMap *map,
                     const double v[],
                     HlQuasiMapRange range,
                     HlQuasiMapPoint out[],
                     int *n_points,
                     HlFault *fault)
{
  HlQuasiReason reason;
  HlStatus status = HL_OK;
  bool passes_rest = range.v_lo < 0.0 && range.v_hi > 0.0;

  if (map->n == 1) {
    status = hl_quasi_map_sample (&map->actuators[0], &map->pump, range, out, n_points, &reason);
    return blame (map, status, 0, reason, fault);
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
