/* SPDX-License-Identifier: MIT */
/* Which ways without inertia are open (theory/hybrid.md, "Ways without inertia"). One that is open
 * joins two nodes; one that is shut parts them. Unlike a line it has no flow of its own that could be
 * wrong, so that it opens and shuts where its law says, and only the velocities that its group keeps
 * may then have to jump. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-solver-private.h"

/* Lifts are of the order of 1; below this they are rounding, and an event is just there. */
#define LIFT_ROUNDING 1e-10
/* From here on an edge is on the wrong side. An open one shuts only there: many laws are flat where they shut, so that the
 * tolerance of the integrator alone, 1e-12 m/s, moved the lift by 4e-10, and a valve that had just opened shut again
 * at each step. */
#define LIFT_TOLERANCE 1e-7
/* Modes that one event may lead through. */
#define MOST_ROUNDS 16

void
hl_hybrid_edges_look (HlHybridSolver *solver)
{
  solver->plant.lift (solver->plant.data, solver->in, solver->lift);
}

double
hl_hybrid_edges_value (const HlHybridSolver *solver, int edge)
{
  double lift = solver->lift[edge];

  if (!isfinite (lift))
    return NAN;
  if (hl_hybrid_key_is_open (solver->net, &solver->mode->key, edge))
    return lift + LIFT_TOLERANCE;
  return fabs (lift) <= LIFT_ROUNDING ? 0.0 : -lift;
}

void
hl_hybrid_edges_begin (HlHybridSolver *solver, HlHybridKey *key)
{
  int n = solver->net->tables.n_edges;

  if (n == 0)
    return;
  hl_hybrid_edges_look (solver);
  for (int edge = 0; edge < n; edge++)
    hl_hybrid_key_set_open (solver->net, key, edge, solver->lift[edge] > 0.0);
}

/* Sets the edges of a key as the lifts of the regularized step at v have them; one that stands where it just
 * opens stays as the key has it. False: the step has no solution, and the key stays. */
bool
hl_hybrid_edges_decide (HlHybridSolver *solver, double t, HlHybridKey *key, const double v[])
{
  if (solver->net->tables.n_edges == 0 || solver->plant.regularized_step == NULL ||
      solver->plant.regularized_step (solver->plant.data, t, key, v, solver->in) != HL_OK)
    return false;
  hl_hybrid_edges_look (solver);
  for (int edge = 0; edge < solver->net->tables.n_edges; edge++)
    if (fabs (solver->lift[edge]) > LIFT_ROUNDING)
      hl_hybrid_key_set_open (solver->net, key, edge, solver->lift[edge] > 0.0);
  return true;
}

/* Turns the edges on the wrong side; false: there are none. */
static bool
turn_edges (const HlHybridSolver *solver, HlHybridKey *key)
{
  bool any = false;

  for (int edge = 0; edge < solver->net->tables.n_edges; edge++) {
    bool is_open = hl_hybrid_key_is_open (solver->net, key, edge);
    double wrong = is_open ? -solver->lift[edge] : solver->lift[edge];
    if (!(wrong > LIFT_TOLERANCE))
      continue;
    hl_hybrid_key_set_open (solver->net, key, edge, !is_open);
    any = true;
  }
  return any;
}

/* Keeps the first energy and the latest impact of an event that has several. */
static void
note_impact (const HlHybridReport *again, HlHybridReport *report)
{
  if (!again->had_impact || report == NULL)
    return;
  double before = report->had_impact ? report->energy_before : again->energy_before;
  *report = *again;
  report->energy_before = before;
}

/* Impact, choice and entry of a key whose edges have changed. */
static HlStatus
enter_changed (
    HlHybridSolver *solver, double t, HlHybridKey *key, double v[], HlHybridReport *report)
{
  HlHybridReport again = {.impulse = report != NULL ? report->impulse : NULL};
  HlStatus status = hl_hybrid_impact (solver, key, v, &again);

  if (status == HL_OK)
    status = hl_hybrid_choose_mode (solver, t, key, v);
  if (status == HL_OK)
    status = hl_hybrid_enter_mode (solver, key, v);
  if (status == HL_OK)
    note_impact (&again, report);
  return status;
}

HlStatus
hl_hybrid_edges_settle (
    HlHybridSolver *solver, double t, HlHybridKey *key, double v[], HlHybridReport *report)
{
  HlStatus status = HL_OK;

  if (solver->net->tables.n_edges == 0)
    return HL_OK;
  for (int round = 0; round < MOST_ROUNDS && status == HL_OK; round++) {
    HlHybridKey before = *key = solver->mode->key;
    status = hl_hybrid_solver_evaluate (solver, t, v);
    if (status != HL_OK && status != HL_NO_CONVERGENCE)
      return status;
    if (status == HL_OK) {
      hl_hybrid_solver_find_preload (solver);
      hl_hybrid_edges_look (solver);
      if (!turn_edges (solver, key))
        return HL_OK;
    }
    HlHybridKey turned = *key;
    if (!hl_hybrid_edges_decide (solver, t, key, v) && status != HL_OK)
      return status;
    if (memcmp (&before, key, sizeof before) == 0)
      *key = turned;
    status = enter_changed (solver, t, key, v, report);
  }
  return status == HL_OK ? HL_NO_CONVERGENCE : status;
}
