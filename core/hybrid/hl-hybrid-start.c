/* SPDX-License-Identifier: MIT */
/* The first mode (theory/hybrid.md, "Start"): everything shut and held; if a pump then has no path,
 * the smallest set of lines that gives it one is opened, checks before reliefs, and stops are let
 * go only when no line helps. The impact rule from rest would send most of the pump flow through
 * the relief line instead.
 *
 * Sets are tried in order of size while there are few candidates. With many, everything that the
 * impact rule opens is taken and closed again one by one as far as the flows stay possible, reliefs
 * first: a smallest set in the sense that no line of it can be spared. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-solver-private.h"

/* Up to this many candidates all sets are tried. */
#define MAX_TRIED 12
/* A flow or speed below this part of the present speed counts as zero. */
#define SIGN_TOLERANCE 1e-9

typedef struct
{
  HlHybridKey shut; /* everything closed and held */
  int *columns;     /* n: candidates: checks, reliefs, stops */
  int n_checks;
  int n_reliefs;
  int n_stops;
  const double *v_file; /* velocities of the file, flows 0 */
} Start;

/* Tries a key whose opened elements must not flow or move the wrong way; v gets the velocities. */
static HlStatus
try_key (HlHybridSolver *solver, const Start *start, const HlHybridKey *key, double v[])
{
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);
  HlStatus status = hl_hybrid_frame_set (solver, &solver->frame, mode, true);

  if (status != HL_OK)
    return status;
  hl_hybrid_reduce_project (solver->frame.red, &solver->mass, solver->frame.b, start->v_file, v,
                            NULL);
  double speed = hl_hybrid_velocity_norm (solver, v);
  hl_hybrid_contacts_clear (solver);
  for (int i = 0; i < start->n_checks + start->n_reliefs + start->n_stops; i++) {
    hl_hybrid_contacts_clear (solver);
    hl_hybrid_contacts_add (solver, start->columns[i]);
    if (!hl_hybrid_key_has_column (solver->net, key, start->columns[i]) &&
        hl_hybrid_contact_speed (solver, 0, v) < -SIGN_TOLERANCE * solver->contacts[0].size * speed)
      return HL_INFEASIBLE;
  }
  return HL_OK;
}

static HlHybridKey
open_set (const HlHybridSolver *solver, const Start *start, unsigned set)
{
  HlHybridKey key = start->shut;

  for (int i = 0; i < MAX_TRIED; i++)
    if (set >> i & 1u)
      hl_hybrid_key_set_column (solver->net, &key, start->columns[i], false);
  return key;
}

static int
count_bits (unsigned set)
{
  int count = 0;

  for (; set != 0; set &= set - 1)
    count++;
  return count;
}

/* All sets of the first n candidates by size, then by the number of reliefs in them. */
static HlStatus
try_all_sets (HlHybridSolver *solver, const Start *start, int n, HlHybridKey *key, double v[])
{
  unsigned checks = (1u << start->n_checks) - 1u;
  HlStatus status = HL_INFEASIBLE;

  for (int size = 1; size <= n; size++)
    for (int n_others = 0; n_others <= size; n_others++)
      for (unsigned set = 1; set < 1u << n; set++) {
        if (count_bits (set) != size || count_bits (set & ~checks) != n_others)
          continue;
        *key = open_set (solver, start, set);
        status = try_key (solver, start, key, v);
        if (status != HL_INFEASIBLE)
          return status;
      }
  return status;
}

/* Opens what the impact rule opens, then closes what can be spared. */
static HlStatus
try_impact (HlHybridSolver *solver, const Start *start, HlHybridKey *key, double v[])
{
  HlHybridReport report = {0};
  int n = start->n_checks + start->n_reliefs + start->n_stops;

  memcpy (v, start->v_file, (size_t)solver->net->n_states * sizeof (double));
  *key = start->shut;
  HlStatus status = hl_hybrid_impact (solver, key, v, &report);
  if (status != HL_OK)
    return status;
  HlHybridKey open = solver->frame.mode->key;
  if (!report.had_impact)
    open = start->shut;
  status = try_key (solver, start, &open, v);
  for (int pass = 0; pass < 2 && status == HL_OK; pass++)
    for (int i = 0; i < n; i++) {
      bool is_relief = i >= start->n_checks && i < start->n_checks + start->n_reliefs;
      HlHybridKey fewer = open;
      if (is_relief != (pass == 0) ||
          hl_hybrid_key_has_column (solver->net, &open, start->columns[i]))
        continue;
      hl_hybrid_key_set_column (solver->net, &fewer, start->columns[i], true);
      if (try_key (solver, start, &fewer, v) == HL_OK)
        open = fewer;
    }
  *key = open;
  return status == HL_OK ? try_key (solver, start, key, v) : status;
}

static void
collect_lines (
    HlHybridSolver *solver, Start *start, HlHybridLineKind kind, int *n_found, int *n_columns)
{
  const HlHybridTables *tables = &solver->net->tables;

  for (int line = 0; line < tables->n_lines; line++)
    if (tables->lines[line].kind == kind &&
        hl_hybrid_key_get_line (solver->net, &start->shut, line) == HL_HYBRID_LINE_OPEN) {
      hl_hybrid_key_set_line (solver->net, &start->shut, line, HL_HYBRID_LINE_CLOSED);
      start->columns[(*n_columns)++] = hl_hybrid_line_column (solver->net, line);
      (*n_found)++;
    }
}

/* Touched stops, unless the file's velocity leads away from them. */
static void
collect_stops (HlHybridSolver *solver, Start *start, double speed, int *n_columns)
{
  HlHybridKey none = {{0}};

  hl_hybrid_contacts_collect (solver, &none, start->v_file, SIGN_TOLERANCE * speed);
  for (int c = 0; c < solver->n_contacts; c++) {
    const HlHybridContact *contact = &solver->contacts[c];
    int entity;
    if (hl_hybrid_column_kind (solver->net, contact->column, &entity) == HL_HYBRID_LINE_DROP ||
        hl_hybrid_contact_speed (solver, c, start->v_file) > SIGN_TOLERANCE * contact->size * speed)
      continue;
    hl_hybrid_key_set_column (solver->net, &start->shut, contact->column, true);
    start->columns[(*n_columns)++] = contact->column;
    start->n_stops++;
  }
}

static HlStatus
find_start (HlHybridSolver *solver, const Start *start, HlHybridKey *key, double v[])
{
  int n_lines = start->n_checks + start->n_reliefs;

  *key = start->shut;
  HlStatus status = try_key (solver, start, key, v);
  if (status != HL_INFEASIBLE)
    return status;
  /* the row that is inconsistent with everything shut names the pump that has no path: keep it for
   * the message */
  int n_first = solver->n_contradiction;
  memcpy (solver->first_contradiction, solver->contradiction, (size_t)n_first * sizeof (int));

  if (n_lines + start->n_stops > MAX_TRIED)
    status = try_impact (solver, start, key, v);
  else {
    status = try_all_sets (solver, start, n_lines, key, v);
    if (status == HL_INFEASIBLE && start->n_stops > 0)
      status = try_all_sets (solver, start, n_lines + start->n_stops, key, v);
  }
  if (status == HL_INFEASIBLE) {
    solver->n_contradiction = n_first;
    memcpy (solver->contradiction, solver->first_contradiction, (size_t)n_first * sizeof (int));
  }
  return status;
}

/* Opens the edges that the pumps' oil opens first where it is shut in. */
static bool
open_first (HlHybridSolver *solver, Start *start)
{
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &start->shut);

  return hl_hybrid_frame_set (solver, &solver->frame, mode, true) == HL_INFEASIBLE &&
         hl_hybrid_preload_open_first (solver, &start->shut);
}

HlStatus
hl_hybrid_solver_start (
    HlHybridSolver *solver, double t, const bool shut[], double v[], HlFault *fault)
{
  int n = solver->net->n_states;
  int n_columns = 0;
  HlHybridKey key = {{0}};
  Start start = {.columns = solver->released, .v_file = solver->v_file};
  HlHybridReport report = {0};

  solver->last_time = NAN;
  solver->n_contradiction = 0;
  for (int line = 0; line < solver->net->tables.n_lines; line++) {
    v[line] = 0.0;
    if (shut[line])
      hl_hybrid_key_set_line (solver->net, &start.shut, line, HL_HYBRID_LINE_SHUT);
  }
  memcpy (solver->v_file, v, (size_t)n * sizeof (double));

  HlStatus status = hl_hybrid_solver_place (solver, t);
  if (status == HL_OK) {
    double speed = hl_hybrid_velocity_norm (solver, solver->v_file);
    collect_lines (solver, &start, HL_HYBRID_CHECK, &start.n_checks, &n_columns);
    collect_lines (solver, &start, HL_HYBRID_RELIEF, &start.n_reliefs, &n_columns);
    collect_stops (solver, &start, speed, &n_columns);
    hl_hybrid_edges_begin (solver, &start.shut);
    status = find_start (solver, &start, &key, v);
    while (status == HL_INFEASIBLE && open_first (solver, &start))
      status = find_start (solver, &start, &key, v);
  }
  solver->n_released = 0;
  if (status == HL_OK && hl_hybrid_edges_decide (solver, t, &key, v))
    status = hl_hybrid_impact (solver, &key, v, &report);
  if (status == HL_OK)
    status = hl_hybrid_choose_mode (solver, t, &key, v);
  if (status == HL_OK)
    status = hl_hybrid_enter_mode (solver, &key, v);
  if (status == HL_OK)
    status = hl_hybrid_edges_settle (solver, t, &key, v, NULL);
  if (status == HL_OK)
    status = hl_hybrid_hold_still (solver, t, v);
  if (status != HL_OK && fault != NULL) {
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, NAN);
    fault->time = t;
  }
  return status;
}
