/* SPDX-License-Identifier: MIT */
/* Observables by path, and their values from an evaluated work. */
#include "core/system/hl-observable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/system/hl-observable-eval.h"
#include "core/system/hl-observable-private.h"

typedef struct
{
  const char *name;
  const char *unit;
} Part;

static const Part body_parts[] = {{"x", "m"},    {"y", "m"},    {"angle", "rad"},
                                  {"vx", "m/s"}, {"vy", "m/s"}, {"omega", "rad/s"}};
static const Part point_parts[] = {{"x", "m"}, {"y", "m"}, {"vx", "m/s"}, {"vy", "m/s"}};
static const Part pressure_parts[] = {{"pressure", "Pa"}};
static const Part spool_parts[] = {{"spool", "1"}};
static const Part flow_parts[] = {{"flow", "m3/s"}};
static const Part valve_parts[] = {
    {"flow_P", "m3/s"}, {"flow_T", "m3/s"}, {"flow_A", "m3/s"}, {"flow_B", "m3/s"}};
static const Part accumulator_parts[] = {{"flow", "m3/s"}, {"gas_volume", "m3"}};
static const Part cylinder_parts[] = {{"s", "m"},
                                      {"speed", "m/s"},
                                      {"force", "N"},
                                      {"friction_force", "N"},
                                      {"rod_position", "m"},
                                      {"rod_speed", "m/s"},
                                      {"flow_A", "m3/s"},
                                      {"flow_B", "m3/s"}};
static const Part joint_parts[] = {
    {"fx", "N"}, {"fy", "N"}, {"moment", "N m"}, {"angle", "rad"}, {"travel", "m"}};
static const Part load_parts[] = {
    {"length", "m"}, {"force", "N"}, {"torque", "N m"}, {"slip", "rad"}};
static const Part signal_parts[] = {{"signal", "1"}};
static const Part energy_parts[] = {
    {"kinetic", "J"}, {"potential", "J"}, {"oil", "J"}, {"dissipated", "J"}, {"supplied", "J"}};

#define PARTS(list)                                                                                \
  {                                                                                                \
    list, (int)(sizeof list / sizeof list[0])                                                      \
  }
static const struct
{
  const Part *parts;
  int n;
} kinds[] = {
    [OF_BODY] = PARTS (body_parts),
    [OF_PRESSURE] = PARTS (pressure_parts),
    [OF_SPOOL] = PARTS (spool_parts),
    [OF_FLOW] = PARTS (flow_parts),
    [OF_VALVE_PORT] = PARTS (valve_parts),
    [OF_SOURCE_FLOW] = PARTS (flow_parts),
    [OF_ACCUMULATOR] = PARTS (accumulator_parts),
    [OF_CYLINDER] = PARTS (cylinder_parts),
    [OF_JOINT] = PARTS (joint_parts),
    [OF_LOAD] = PARTS (load_parts),
    [OF_SIGNAL] = PARTS (signal_parts),
    [OF_ENERGY] = PARTS (energy_parts),
    [OF_POINT] = PARTS (point_parts),
};

typedef void (*Visitor) (const char *path,
                         const HlObservable *observable,
                         const char *unit,
                         void *data);

static void
offer (const char *id, HlObservable of, int only_part, Visitor visit, void *data)
{
  char path[512];

  for (int part = 0; part < kinds[of.kind].n; part++) {
    if (only_part >= 0 && part != only_part)
      continue;
    of.part = part;
    snprintf (path, sizeof path, "%s.%s", id, kinds[of.kind].parts[part].name);
    visit (path, &of, kinds[of.kind].parts[part].unit, data);
  }
}

static void
offer_component (const HlSystem *sys, int component, Visitor visit, void *data)
{
  const HlTopology *top = sys->topology;
  const char *id = top->names[HL_ENTITY_COMPONENT][component];
  int flow = top->component_flow[component], cylinder = top->component_cylinder[component];

  if (cylinder >= 0)
    offer (id, (HlObservable){OF_CYLINDER, cylinder, 0}, -1, visit, data);
  else if (flow >= 0 && sys->flows[flow].kind == HL_FLOW_DIRECTIONAL) {
    offer (id, (HlObservable){OF_SPOOL, flow, 0}, -1, visit, data);
    offer (id, (HlObservable){OF_VALVE_PORT, flow, 0}, -1, visit, data);
  } else if (flow >= 0)
    offer (id, (HlObservable){OF_FLOW, flow, 0}, -1, visit, data);
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].component == component)
      offer (id, (HlObservable){OF_SOURCE_FLOW, k, 0}, -1, visit, data);
  for (int k = 0; k < sys->n_accumulators; k++)
    if (sys->accumulators[k].component == component)
      offer (id, (HlObservable){OF_ACCUMULATOR, k, 0}, -1, visit, data);
}

static void
offer_load (const HlSystem *sys, int load, Visitor visit, void *data)
{
  const char *id = sys->topology->names[HL_ENTITY_LOAD][load];
  HlObservable of = {OF_LOAD, load, 0};

  switch (sys->mech.loads[load].kind) {
  case HL_LOAD_SPRING:
    offer (id, of, LOAD_LENGTH, visit, data);
    offer (id, of, LOAD_FORCE, visit, data);
    break;
  case HL_LOAD_TORSION_SPRING:
    offer (id, of, LOAD_TORQUE, visit, data);
    break;
  case HL_LOAD_TYRE:
    offer (id, of, LOAD_FORCE, visit, data);
    offer (id, of, LOAD_SLIP, visit, data);
    break;
  case HL_LOAD_TORQUE:
  case HL_LOAD_FORCE:
    break;
  }
}

static void
offer_all (const HlSystem *sys, Visitor visit, void *data)
{
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_names[HL_ENTITY_BODY]; k++)
    offer (top->names[HL_ENTITY_BODY][k], (HlObservable){OF_BODY, k, 0}, -1, visit, data);
  for (int k = 0; k < top->n_points; k++)
    offer (top->points[k].path, (HlObservable){OF_POINT, k, 0}, -1, visit, data);
  for (int k = 0; k < top->n_joints; k++) {
    HlRowKind row = sys->mech.rows[top->joints[k].first_row].kind;
    for (int part = JOINT_FX; part <= JOINT_TRAVEL; part++)
      if (part != JOINT_TRAVEL || row == HL_ROW_LINE)
        offer (top->names[HL_ENTITY_JOINT][k], (HlObservable){OF_JOINT, k, 0}, part, visit, data);
  }
  for (int k = 0; k < top->n_names[HL_ENTITY_LOAD]; k++)
    offer_load (sys, k, visit, data);
  for (int k = 0; k < top->n_names[HL_ENTITY_COMPONENT]; k++)
    offer_component (sys, k, visit, data);
  for (int k = 0; k < sys->n_lines; k++)
    offer (top->names[HL_ENTITY_LINE][k], (HlObservable){OF_PRESSURE, k, 0}, -1, visit, data);
  for (int k = 0; k < top->n_inputs; k++)
    visit (top->input_names[k], &(HlObservable){OF_SIGNAL, top->input_signal[k], 0}, "1", data);
  offer ("energy", (HlObservable){OF_ENERGY, 0, 0}, -1, visit, data);
}

typedef struct
{
  const char *path;
  HlObservable found;
  bool ok;
} Search;

static void
search_visit (const char *path, const HlObservable *observable, const char *unit, void *data)
{
  Search *search = data;
  (void)unit;
  if (!search->ok && strcmp (path, search->path) == 0) {
    search->found = *observable;
    search->ok = true;
  }
}

bool
hl_observable_find (const HlSystem *sys, const char *path, HlObservable *observable)
{
  Search search = {.path = path};

  offer_all (sys, search_visit, &search);
  if (search.ok)
    *observable = search.found;
  return search.ok;
}

const char *
hl_observable_unit (HlObservable observable)
{
  return observable.kind >= 0 ? kinds[observable.kind].parts[observable.part].unit : "1";
}

typedef struct
{
  void (*visit) (const char *path, const char *unit, void *data);
  void *data;
} Forward;

static void
forward_visit (const char *path, const HlObservable *observable, const char *unit, void *data)
{
  Forward *forward = data;
  (void)observable;
  forward->visit (path, unit, forward->data);
}

void
hl_observable_visit (const HlSystem *sys,
                     void (*visit) (const char *path, const char *unit, void *data),
                     void *data)
{
  Forward forward = {visit, data};
  offer_all (sys, forward_visit, &forward);
}
