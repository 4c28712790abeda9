/* SPDX-License-Identifier: MIT */
/* Observables: numbers derived from a state for probes, plots and drawings, addressed by a path. */
#pragma once

#include "core/system/hl-system.h"

/* One observable: opaque indices, found once by path, evaluated for nothing per row. */
typedef struct {
  int kind;
  int index;
  int part;
  const char *unit; /* of SI, static */
} HlObservable;

/* Resolves `BODY.x .y .angle .vx .vy .omega .ax .ay .alpha`, `BODY.POINT.x .y .vx .vy .ax .ay`, `LINE.pressure`,
 * `VALVE.spool .flow_P .flow_T .flow_A .flow_B`, `ID.flow` (two-port components, sources, tanks and
 * accumulators, these also `.gas_volume`), `CYL.s .speed .force .friction_force .rod_position
 * .rod_speed .flow_A .flow_B`, `JOINT.fx .fy .moment .angle .travel`, `SPRING.length .force`,
 * `TORSION.torque`, `TYRE.force .slip`, signals, `energy.kinetic .potential .oil .dissipated .supplied`; and `COMPONENT.pA`
 * (port A), another name for the pressure of the line there. False when the path names no output. */
bool hl_observable_find (const HlSystem *sys, const char *path, HlObservable *output);
/* Returns the SI unit of the output ("rad", "Pa", "m3/s"), never NULL. */
const char *hl_observable_unit (HlObservable output);
/* Calls visit for every path that hl_observable_find accepts, for pickers. */
void hl_observable_visit (const HlSystem *sys, void (*visit) (const char *path, const char *unit, void *data),
                          void *data);
/* Calls visit likewise with the results of hl_observable_find, for callers that look up many paths. A path
 * that names several outputs comes several times; the first one is that of hl_observable_find. */
void hl_observable_visit_outputs (const HlSystem *sys,
                                  void (*visit) (const char *path, const HlObservable *output, void *data),
                                  void *data);
