/* SPDX-License-Identifier: MIT */
/* The compiled system: what the solver reads. Immutable and reference-counted once shared;
 * index-based; no names but for messages and headers. The tables behind it are in
 * hl-system-private.h, which only the floors of core that compute include. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"
#include "core/base/hl-status-codes.h"

typedef struct _HlSystem HlSystem;
typedef struct _HlWork HlWork;

/* Oil models: simulation.model. */
typedef enum { HL_MODEL_LUMPED, HL_MODEL_HYBRID, HL_MODEL_QUASISTATIC } HlModelKind;

/* Adds or removes a reference, safe between threads; the last unref frees the system. */
HlSystem *hl_system_ref (HlSystem *sys);
void hl_system_unref (HlSystem *sys);

/* Returns a private deep copy, reference count 1, whose parameters may be changed until it is shared. */
HlSystem *hl_system_copy (const HlSystem *sys);

/* Returns all that changes while solving: allocated once, freed by hl_work_free. One per thread. */
HlWork *hl_work_new (const HlSystem *sys);
void hl_work_free (HlWork *work);
/* Saves and restores the work, so that evaluations between look_aside and look_back do not influence later
 * results by a single bit: the poses from which the next assembly starts are restored as well. Both may be
 * called in any state. They do nothing before hl_work_make_aside () has allocated the copy, nor for a large
 * linkage, whose factors are too large to copy. */
void hl_work_make_aside (const HlSystem *sys, HlWork *work);
void hl_work_look_aside (HlWork *work);
void hl_work_look_back (HlWork *work);
/* Returns whether it does something. */
bool hl_work_has_aside (const HlWork *work);
/* Sets a callback of a long equilibrium search that returns whether to cancel; NULL: none. */
void hl_work_set_cancel (HlWork *work, bool (*cancel) (void *data), void *data);

/* Sizes. Coordinates are 3 per body (x, y, angle of the body's frame); pressures are those of the
 * lines that carry a state of their own; components states are spools and pipe flows. */
int hl_system_n_bodies (const HlSystem *sys);
int hl_system_n_coordinates (const HlSystem *sys);
int hl_system_n_pressures (const HlSystem *sys);
int hl_system_n_component_states (const HlSystem *sys);

/* Returns the id of the entity a fault points at, or NULL; borrowed. */
const char *hl_system_entity_id (const HlSystem *sys, HlEntityKind kind, int entity);
/* Returns the joint whose friction or stops are the load with an index; -1: it is a load of the file. */
int hl_system_joint_of_load (const HlSystem *sys, int load);

/* One number of the system that can be changed without a new compile. */
typedef struct {
  int table;
  int index;
  int field;
} HlParameter;

/* Looks a path up ("cyl.friction.Fc", "link2.mass", "front.vx", "M2.signal"). False when the path
 * is unknown or when changing it needs a new compile (geometry of points, topology). */
bool hl_system_find_parameter (const HlSystem *sys, const char *path, HlParameter *parameter);
/* Finds a number of a component that is derived from numbers of the file (the area of a piston whose diameter
 * is given): to be read, not to be set. */
bool hl_system_find_derived (const HlSystem *sys, const char *path, HlParameter *parameter);
/* Returns its present value in SI. The parameter is one that was found here by either of them. */
double hl_system_get_parameter (const HlSystem *sys, HlParameter parameter);
/* Sets a parameter of a copy with one reference, and all numbers that derive from it: the copy is then equal
 * to a compile of the model with this number, unless the model has another shape. */
void hl_system_set_parameter (HlSystem *sys, HlParameter parameter, double value);
/* Returns whether it is a number of component `parameter.index`, which is stated once it is set. */
bool hl_parameter_is_of_component (HlParameter parameter);
/* Checks after parameters were set whether a compile would give the same lines, flows and states: HL_OK, or
 * HL_BAD_MODEL with the component in question (a pipe that has lost its resistance, a valve its time
 * constant); the copy is then unusable, and the model must be compiled anew. */
HlStatus hl_system_check_shape (const HlSystem *sys, HlFault *fault);
/* Checks likewise, and returns HL_BAD_MODEL also if the numbers of a component contradict each other (a rod
 * that does not fit into its piston). */
HlStatus hl_system_check_numbers (const HlSystem *sys, HlFault *fault);

/* A state of the whole machine: every body's pose and velocity, every pressure, every component
 * state. */
typedef struct {
  HlArena arena; /* of itself and its arrays */
  double t;
  bool rests; /* an equilibrium: driven joints stand where their signals begin */
  double *x;  /* n_coordinates [m, m, rad] */
  double *v;  /* n_coordinates [m/s, m/s, rad/s] */
  double *p;  /* n_pressures [Pa] */
  double *u;  /* n_component_states */
} HlPoint;

/* Returns a point with zeros; the system is only read for its sizes. Owned by the caller. */
HlPoint *hl_point_new (const HlSystem *sys);
/* Frees a point; NULL is allowed. */
void hl_point_free (HlPoint *point);
/* Copies all numbers; both are points of this system. */
void hl_point_copy (const HlSystem *sys, HlPoint *to, const HlPoint *from);
