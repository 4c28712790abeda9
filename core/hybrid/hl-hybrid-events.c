/* SPDX-License-Identifier: MIT */
/* Event functions (theory/hybrid.md, "Events"). */
#include "core/hybrid/hl-hybrid-events.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-solver-private.h"

/* A gap whose speed every free motion changes by less than this part of what it could is held by
 * the constraints. */
#define HELD_TOLERANCE 1e-10
/* Flows and reactions below this part of what speed and forces could make of them (speeds: of what
 * the forces make in a nanosecond, too) are given as exact zeros, and distances below that of
 * positions. */
#define ROUNDING 1e-12
#define DISTANCE_ROUNDING 1e-16 /* [m] */
/* ---- event functions ---- */

/* What the slots of one evaluation share. */
typedef struct
{
  const double *particular; /* velocities at vbar = 0 */
  double speed;             /* kinetic norm below which a gap speed is rounding */
  double force;             /* the same for reactions */
} SlotScale;

/* Whether the present constraints leave n^T v + inflow no freedom and keep it at zero. `normal` has
 * the entries of a line or stop column, `inflow` its b, `size` is its norm in M^-1. */
static bool
is_held_by_constraints (const HlHybridSolver *solver,
                        const double normal[],
                        double inflow,
                        double size,
                        const double particular[])
{
  const HlHybridReduction *red = solver->frame.red;
  int n = red->n_states;
  double sum = inflow;

  for (int i = 0; i < n; i++)
    sum += normal[i] * particular[i];
  double still = fabs (inflow) + size * hl_hybrid_velocity_norm (solver, particular);
  if (fabs (sum) > HELD_TOLERANCE * still)
    return false;
  for (int j = 0; j < red->n_free; j++) {
    double mobility = 0.0;
    for (int i = 0; i < n; i++)
      mobility += normal[i] * red->alpha[i + n * j];
    if (fabs (mobility) > HELD_TOLERANCE * size * sqrt (red->reduced_mass[j + red->n_free * j]))
      return false;
  }
  return true;
}

static double
snap (double value, double limit)
{
  return fabs (value) <= limit ? 0.0 : value;
}

/* Column of the network behind a slot, and whether the present mode holds it. */
static int
slot_column (const HlHybridSolver *solver, int slot)
{
  int stop = slot - solver->net->tables.n_lines;

  return stop < 0 ? hl_hybrid_line_column (solver->net, slot)
                  : hl_hybrid_stop_column (solver->net, stop / 2, stop % 2 == 1);
}

/* Distance to a stop, or flow of a line; NAN where there is neither. */
static double
slot_gap (const HlHybridSolver *solver, int slot, const SlotScale *scale, double size)
{
  int stop = slot - solver->net->tables.n_lines;

  if (stop < 0)
    return snap (solver->v[slot], scale->speed * size);
  const HlHybridCylinder *limits = &solver->net->tables.cylinders[stop / 2];
  double stroke = solver->in->stroke[stop / 2];
  double gap = stop % 2 == 1 ? limits->stroke_max - stroke : stroke - limits->stroke_min;
  return isinf (gap) ? NAN : snap (gap, DISTANCE_ROUNDING);
}

/* Value of a slot; NAN when it is not active. */
static double
slot_value (const HlHybridSolver *solver, int slot, const SlotScale *scale)
{
  const HlHybridNetwork *net = solver->net;
  int column = slot_column (solver, slot);
  bool is_line = slot < net->tables.n_lines;
  double *normal = solver->state_b;
  double size = 0.0;

  if (is_line && (!hl_hybrid_line_is_one_sided (net, slot) ||
                  hl_hybrid_key_get_line (net, &solver->mode->key, slot) == HL_HYBRID_LINE_SHUT))
    return NAN;
  hl_hybrid_column_assemble (net, solver->in, column, normal);
  for (int i = 0; i < net->n_states; i++)
    size += normal[i] * solver->scale[i] * normal[i] * solver->scale[i];
  size = sqrt (size);
  if (hl_hybrid_key_has_column (net, &solver->mode->key, column)) {
    double reaction = is_line ? -solver->multiplier[column] : solver->multiplier[column];
    return snap (reaction, size > 0.0 ? scale->force / size : 0.0);
  }
  double inflow = hl_hybrid_column_inflow (net, solver->in, column);
  if (is_held_by_constraints (solver, normal, inflow, size, scale->particular))
    return NAN;
  return slot_gap (solver, slot, scale, size);
}

void
hl_hybrid_events_eval (HlHybridSolver *solver, double value[], bool active[])
{
  double *particular = solver->state_a;
  double force = hl_hybrid_force_norm (solver, solver->force);
  SlotScale scale = {.particular = particular,
                     .speed =
                         ROUNDING * (hl_hybrid_velocity_norm (solver, solver->v) + 1e-9 * force),
                     .force = ROUNDING * force};

  memset (solver->push, 0, (size_t)solver->net->n_states * sizeof (double));
  hl_hybrid_reduce_velocity (solver->frame.red, solver->frame.b, solver->push, particular);
  int n_edges = solver->net->tables.n_edges, first_edge = solver->net->n_slots - n_edges;
  hl_hybrid_solver_find_preload (solver);
  if (n_edges > 0)
    hl_hybrid_edges_look (solver);
  for (int slot = 0; slot < solver->net->n_slots; slot++) {
    double gap = hl_hybrid_preload_slack (solver, slot);
    if (isnan (gap))
      gap = slot < first_edge ? slot_value (solver, slot, &scale)
                              : hl_hybrid_edges_value (solver, slot - first_edge);
    active[slot] = !isnan (gap);
    value[slot] = active[slot] ? gap : 1.0;
  }
}

HlHybridEvent
hl_hybrid_events_of_slot (const HlHybridSolver *solver, int slot)
{
  const HlHybridNetwork *net = solver->net;
  const HlHybridKey *key = &solver->mode->key;

  assert (slot >= 0 && slot < net->n_slots);
  if (slot < net->tables.n_lines)
    return (HlHybridEvent){.kind = hl_hybrid_key_get_line (net, key, slot) == HL_HYBRID_LINE_OPEN
                                       ? HL_HYBRID_CLOSE_LINE
                                       : HL_HYBRID_OPEN_LINE,
                           .entity = slot};
  int edge = slot - (net->n_slots - net->tables.n_edges);
  if (edge >= 0)
    return (HlHybridEvent){.kind = hl_hybrid_key_is_open (net, key, edge) ? HL_HYBRID_SHUT_EDGE
                                                                          : HL_HYBRID_OPEN_EDGE,
                           .entity = edge};
  int cylinder = (slot - net->tables.n_lines) / 2;
  bool upper = (slot - net->tables.n_lines) % 2 == 1;
  return (HlHybridEvent){.kind = hl_hybrid_key_has_stop (net, key, cylinder, upper)
                                     ? HL_HYBRID_LEAVE_STOP
                                     : HL_HYBRID_HIT_STOP,
                         .entity = cylinder,
                         .upper = upper};
}
