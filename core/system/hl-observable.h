/* SPDX-License-Identifier: MIT */
/* Observables: numbers derived from a state, whatever a probe, a plot or a drawing may ask for,
 * addressed by its path. */
#pragma once

#include "core/system/hl-system.h"

/* One observable: opaque indices, found once by path, evaluated for nothing per row. */
typedef struct
{
  int kind;
  int index;
  int part;
} HlObservable;

/* Resolves `ID.x .y .angle .vx .vy .omega` (bodies), `LINE.pressure`, `ID.spool`, `ID.flow`
 * (two-port components), `ID.P ...`, `CYL.s .rate .force .flow_a .flow_b`, `JOINT.fx .fy .moment`,
 * `BODY.POINT.x .y .vx .vy`, `LOAD.value`, `energy.kinetic .potential .oil .dissipated .total` and
 * further ones of the component kinds. False when the path names no output. */
bool hl_observable_find (const HlSystem *sys, const char *path, HlObservable *output);
/* SI unit of the output ("rad", "Pa", "m3/s"), never NULL. */
const char *hl_observable_unit (HlObservable output);
/* All paths that hl_observable_find accepts, for pickers: calls visit for each. */
void hl_observable_visit (const HlSystem *sys,
                          void (*visit) (const char *path, const char *unit, void *data),
                          void *data);
