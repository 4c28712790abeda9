/* SPDX-License-Identifier: MIT */
/* The compiled system: what the solver reads. Immutable and reference-counted once shared;
 * index-based; no names but for messages and headers. The tables behind it are in
 * hl-system-private.h, which only core/system and core/analysis include. */
#pragma once

#include <stdbool.h>

#include "core/math/hl-status.h"

typedef struct _HlSystem HlSystem;
typedef struct _HlWork HlWork;

/* How the oil is modelled: simulation.model. */
typedef enum
{
  HL_MODEL_LUMPED,
  HL_MODEL_HYBRID,
  HL_MODEL_QUASISTATIC
} HlModelKind;

HlSystem *hl_system_ref (HlSystem *sys);
void hl_system_unref (HlSystem *sys);

/* A private deep copy, reference count 1, whose parameters may be changed until it is shared. */
HlSystem *hl_system_copy (const HlSystem *sys);

/* All that changes while solving: allocated once, freed by hl_work_free. One per thread. */
HlWork *hl_work_new (const HlSystem *sys);
void hl_work_free (HlWork *work);

/* Sizes. Coordinates are 3 per body (x, y, angle of the body's frame); pressures are those of the
 * lines that carry a state of their own; components states are spools and pipe flows. */
int hl_system_n_bodies (const HlSystem *sys);
int hl_system_n_coordinates (const HlSystem *sys);
int hl_system_n_pressures (const HlSystem *sys);
int hl_system_n_component_states (const HlSystem *sys);
int hl_system_n_states (const HlSystem *sys); /* of the reduced form: 2 f + l + r + u */
int hl_system_degrees_of_freedom (
    const HlSystem *sys); /* f = n - rank of all constraints, at the start position */

/* Id of the entity a fault points at, or NULL; borrowed. */
const char *hl_system_entity_id (const HlSystem *sys, HlEntityKind kind, int entity);

/* One number of the system that can be changed without a new compile. */
typedef struct
{
  int table;
  int index;
  int field;
} HlParameter;

/* Looks a path up ("cyl.friction.Fc", "link2.mass", "front.vx", "M2.signal"). False when the path
 * is unknown or when changing it needs a new compile (geometry of points, topology). */
bool hl_system_find_parameter (const HlSystem *sys, const char *path, HlParameter *parameter);
double hl_system_get_parameter (const HlSystem *sys, HlParameter parameter);
/* Only on a copy that nobody else holds yet. */
void hl_system_set_parameter (HlSystem *sys, HlParameter parameter, double value);

/* A state of the whole machine: every body's pose and velocity, every pressure, every component
 * state. */
typedef struct
{
  double t;
  double *x; /* n_coordinates [m, m, rad] */
  double *v; /* n_coordinates [m/s, m/s, rad/s] */
  double *p; /* n_pressures [Pa] */
  double *u; /* n_component_states */
} HlPoint;

HlPoint *hl_point_new (const HlSystem *sys);
void hl_point_free (HlPoint *point);
void hl_point_copy (const HlSystem *sys, HlPoint *to, const HlPoint *from);
