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
/* From here on an edge is on the wrong side. */
#define LIFT_TOLERANCE 1e-7
/* Velocities that violate a group by less than this part of what they could are on it. */
#define YIELD_TOLERANCE 1e-9
/* Rounds in which all edges on the wrong side change; behind them one does in each. */
#define ROUNDS_TOGETHER 6
/* How often all of them at once are looked for. */
#define MOST_FORESEEN 2

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
  if (fabs (lift) <= LIFT_ROUNDING)
    return 0.0;
  return hl_hybrid_key_is_open (solver->net, &solver->mode->key, edge) ? lift : -lift;
}

void
hl_hybrid_edges_begin (HlHybridSolver *solver, HlHybridKey *key, bool all_open)
{
  int n = solver->net->tables.n_edges;

  if (n == 0)
    return;
  hl_hybrid_edges_look (solver);
  for (int edge = 0; edge < n; edge++)
    hl_hybrid_key_set_open (solver->net, key, edge,
                            solver->lift[edge] > 0.0 ||
                                (all_open && solver->lift[edge] > -INFINITY));
}

/* Whether v violates the column of a node's group in the frame. */
static bool
is_pressed (const HlHybridSolver *solver, const double v[], int node, double speed)
{
  const HlHybridFrame *frame = &solver->frame;
  int n = solver->net->n_states;
  int column = frame->mode->group[node] < 0
                   ? -1
                   : hl_hybrid_frame_find_column (frame, frame->mode->group[node]);
  if (column < 0)
    return false;
  double sum = frame->b[column], size = 0.0;
  for (int i = 0; i < n; i++) {
    double entry = frame->w[i + n * column];
    sum += entry * v[i];
    size += entry * entry * solver->scale[i] * solver->scale[i];
  }
  /* nothing but pumps: at once, or a moment later */
  if (size == 0.0)
    sum += HL_HYBRID_HASTE *
           hl_hybrid_column_rate (solver->net, solver->in, frame->mode->columns[column]);
  return fabs (sum) > YIELD_TOLERANCE * (fabs (frame->b[column]) + sqrt (size) * speed);
}

static HlStatus
set_frame (HlHybridSolver *solver, const HlHybridKey *key)
{
  return hl_hybrid_frame_set (solver, &solver->frame,
                              hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key), true);
}

/* Opens the shut edges at groups that v presses; false: there are none. */
static bool
open_candidates (HlHybridSolver *solver, HlHybridKey *key, const double v[])
{
  const HlHybridTables *tables = &solver->net->tables;
  double speed = hl_hybrid_velocity_norm (solver, v);
  bool has_some = false;

  for (int edge = 0; edge < tables->n_edges; edge++) {
    int from = tables->edges[edge].from_node, to = tables->edges[edge].to_node;
    if (hl_hybrid_key_is_open (solver->net, key, edge) || solver->edge_is_candidate[edge] ||
        solver->lift[edge] == -INFINITY ||
        !((from >= 0 && is_pressed (solver, v, from, speed)) ||
          (to >= 0 && is_pressed (solver, v, to, speed))))
      continue;
    solver->edge_is_candidate[edge] = has_some = true;
  }
  for (int edge = 0; edge < tables->n_edges && has_some; edge++)
    if (solver->edge_is_candidate[edge])
      hl_hybrid_key_set_open (solver->net, key, edge, true);
  return has_some;
}

/* Shuts the candidates that the oil of v would flow through against their sense, the worst first. */
static HlStatus
drop_candidates (HlHybridSolver *solver, double t, HlHybridKey *key, const double v[])
{
  int n = solver->net->tables.n_edges;

  for (int round = 0; round <= n; round++) {
    int worst = -1;
    HlStatus status = set_frame (solver, key);
    if (status != HL_OK && status != HL_INFEASIBLE)
      return status;
    memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));
    status = solver->plant.move (solver->plant.data, t, solver->v, solver->in);
    if (status != HL_OK)
      return status;
    hl_hybrid_edges_look (solver);
    for (int edge = 0; edge < n; edge++)
      if (solver->edge_is_candidate[edge] && hl_hybrid_key_is_open (solver->net, key, edge) &&
          solver->lift[edge] < -LIFT_ROUNDING &&
          (worst < 0 || solver->lift[edge] < solver->lift[worst]))
        worst = edge;
    if (worst < 0)
      return HL_OK;
    hl_hybrid_key_set_open (solver->net, key, worst, false);
  }
  return HL_OK;
}

/* v without the flows of lines that a valve has just shut: what they carried needs another way now. */
static const double *
without_shut (HlHybridSolver *solver, const HlHybridKey *key, const double v[])
{
  double *left = solver->push;

  memcpy (left, v, (size_t)solver->net->n_states * sizeof (double));
  for (int line = 0; line < solver->net->tables.n_lines; line++)
    if (hl_hybrid_key_get_line (solver->net, key, line) == HL_HYBRID_LINE_SHUT)
      left[line] = 0.0;
  return left;
}

HlStatus
hl_hybrid_edges_yield (HlHybridSolver *solver, double t, HlHybridKey *key, const double v_before[])
{
  int n = solver->net->tables.n_edges;

  if (n == 0)
    return HL_OK;
  const double *v = without_shut (solver, key, v_before);
  memset (solver->edge_is_candidate, 0, (size_t)n * sizeof (bool));
  hl_hybrid_edges_look (solver);
  for (int round = 0; round <= n; round++) {
    HlStatus status = set_frame (solver, key);
    if (status != HL_OK && status != HL_INFEASIBLE)
      return status;
    if (!open_candidates (solver, key, v))
      return HL_OK;
    status = drop_candidates (solver, t, key, v);
    if (status != HL_OK)
      return status;
  }
  return HL_OK;
}

/* Turns the edges on the wrong side, or the worst of them; false: there are none. */
static bool
turn_edges (HlHybridSolver *solver, HlHybridKey *key, bool together)
{
  int worst = -1;
  double most = LIFT_TOLERANCE;

  for (int edge = 0; edge < solver->net->tables.n_edges; edge++) {
    bool is_open = hl_hybrid_key_is_open (solver->net, key, edge);
    double wrong = is_open ? -solver->lift[edge] : solver->lift[edge];
    if (!(wrong > LIFT_TOLERANCE))
      continue;
    if (together)
      hl_hybrid_key_set_open (solver->net, key, edge, !is_open);
    if (wrong > most || worst < 0) {
      most = wrong;
      worst = edge;
    }
  }
  if (worst >= 0 && !together)
    hl_hybrid_key_set_open (solver->net, key, worst,
                            !hl_hybrid_key_is_open (solver->net, key, worst));
  return worst >= 0;
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
    status = hl_hybrid_choose_mode (solver, t, key, NULL, 0, v);
  if (status == HL_OK)
    status = hl_hybrid_enter_mode (solver, key, v);
  if (status == HL_OK)
    note_impact (&again, report);
  return status;
}

HlStatus
hl_hybrid_edges_foresee (
    HlHybridSolver *solver, double t, HlHybridKey *key, double v[], HlHybridReport *report)
{
  if (solver->net->tables.n_edges == 0 || solver->plant.foresee == NULL)
    return HL_NO_CONVERGENCE;
  HlStatus status = solver->plant.foresee (solver->plant.data, t, key, v, solver->in);
  if (status != HL_OK)
    return status;
  hl_hybrid_edges_look (solver);
  for (int edge = 0; edge < solver->net->tables.n_edges; edge++)
    hl_hybrid_key_set_open (solver->net, key, edge, solver->lift[edge] > 0.0);
  return enter_changed (solver, t, key, v, report);
}

HlStatus
hl_hybrid_edges_settle (
    HlHybridSolver *solver, double t, HlHybridKey *key, double v[], HlHybridReport *report)
{
  int n = solver->net->tables.n_edges, n_foreseen = 0;
  HlStatus status = HL_OK;

  if (n == 0)
    return HL_OK;
  for (int round = 0; round < ROUNDS_TOGETHER + 4 * n && status == HL_OK; round++) {
    *key = solver->mode->key;
    status = hl_hybrid_solver_evaluate (solver, t, v);
    bool is_found = status == HL_OK;
    if (!is_found && (status != HL_NO_CONVERGENCE || n_foreseen == MOST_FORESEEN))
      return status;
    hl_hybrid_edges_look (solver);
    if (is_found && !turn_edges (solver, key, round < ROUNDS_TOGETHER))
      return HL_OK;
    if (!is_found || (round >= ROUNDS_TOGETHER && n_foreseen < MOST_FORESEEN)) {
      n_foreseen++;
      status = hl_hybrid_edges_foresee (solver, t, key, v, report);
      continue;
    }
    status = hl_hybrid_edges_yield (solver, t, key, v);
    if (status == HL_OK)
      status = enter_changed (solver, t, key, v, report);
    if (status == HL_NO_CONVERGENCE && n_foreseen < MOST_FORESEEN) {
      n_foreseen++;
      status = hl_hybrid_edges_foresee (solver, t, key, v, report);
    }
  }
  return status == HL_OK ? HL_NO_CONVERGENCE : status;
}
