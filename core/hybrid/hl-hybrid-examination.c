/* SPDX-License-Identifier: MIT */
#include "core/hybrid/hl-hybrid-examination.h"
#include "core/hybrid/hl-hybrid-blame.h"
#include "core/hybrid/hl-hybrid-soften.h"
#include "core/hybrid/hl-hybrid-ways.h"

#include <stdio.h>
#include <string.h>

#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-dynamics.h"

static HlStatus
find_point (HlHybridExamination *e, const HlHybridPlace *place, HlPoint *point, HlFault *fault)
{
  size_t size = 3 * (size_t)e->sys->mech.n_bodies * sizeof (double);

  if (place == NULL || place->p == NULL || place->u == NULL) {
    HlStatus status = hl_start_point (e->sys, e->work, HL_START_AS_GIVEN, NULL, point, NULL, fault);
    if (place == NULL || status != HL_OK)
      return status;
  } else {
    memcpy (point->p, place->p, (size_t)e->work->r * sizeof (double));
    memcpy (point->u, place->u, (size_t)e->work->u * sizeof (double));
  }
  memcpy (point->x, place->x, size);
  memcpy (point->v, place->v, size);
  return HL_OK;
}

static HlStatus
prepare (HlHybridExamination *e, const HlHybridPlace *place, HlFault *fault)
{
  HlPoint *point = hl_point_new (e->sys);
  HlStatus status = find_point (e, place, point, fault);

  if (status == HL_OK)
    status = hl_partition_choose (e->sys, e->work, point->x, HL_PARTITION_WISHED, NULL, 0, fault);
  if (status == HL_OK) {
    e->coupling = hl_hybrid_coupling_new (e->sys, e->work, fault);
    status = e->coupling != NULL ? HL_OK : HL_BAD_MODEL;
  }
  if (status == HL_OK) {
    const HlHybridNetwork *net = e->coupling->machine->net;
    e->t = place != NULL ? place->t : 0.0;
    hl_work_enter_segment (e->sys, e->work, e->t);
    e->solver = hl_hybrid_solver_new (net, hl_hybrid_coupling_plant (e->coupling));
    e->v = hl_arena_take (&e->arena, net->n_states, sizeof (double));
    e->vbar = hl_arena_take (&e->arena, net->n_states, sizeof (double));
    for (int k = 0; place != NULL && k < net->tables.n_lines; k++)
      e->v[k] = place->flow[k];
    for (int k = 0; k < e->work->f; k++) {
      e->coupling->mech[k] = point->x[e->work->ai_column[k]];
      e->v[net->tables.n_lines + k] = point->v[e->work->ai_column[k]];
    }
    hl_hybrid_coupling_start (e->coupling, point);
    hl_hybrid_solver_set_pressures (e->solver, e->coupling->node_p);
    for (int k = 0; k < e->work->l; k++)
      e->coupling->mech[2 * e->work->f + k] = point->x[e->work->ad_column[k]];
    if (e->coupling->ways != NULL)
      hl_hybrid_ways_keep (e->coupling->ways);
  }
  hl_point_free (point);
  return status;
}

static HlHybridKey
key_of (const HlHybridExamination *e, const HlHybridChoice *choice)
{
  const HlHybridNetwork *net = e->coupling->machine->net;
  HlHybridKey key = {0};

  for (int k = 0; k < choice->n_closed; k++) {
    int path = hl_hybrid_machine_path_of (e->coupling->machine, choice->closed[k]);
    if (path >= 0)
      hl_hybrid_key_set_line (net, &key, path,
                              hl_hybrid_line_is_one_sided (net, path) ? HL_HYBRID_LINE_CLOSED
                                                                      : HL_HYBRID_LINE_SHUT);
  }
  for (int k = 0; k < choice->n_stops; k++) {
    int cylinder = e->sys->components[choice->stops[k].component].cylinder;
    if (cylinder >= 0)
      hl_hybrid_key_set_stop (net, &key, cylinder, choice->stops[k].upper, true);
  }
  for (int k = 0; k < choice->n_shut_edges; k++)
    hl_hybrid_key_set_open (net, &key, choice->shut_edges[k], false);
  return key;
}

/* Velocities and pressures in the solver's mode. */
static HlStatus
settle (HlHybridExamination *e, HlFault *fault)
{
  HlHybridInstant now;

  hl_hybrid_solver_select (e->solver, e->v, e->vbar);
  HlStatus status = hl_hybrid_solver_eval (e->solver, e->t, e->vbar, &now, fault);
  if (status == HL_OK) {
    hl_hybrid_solver_find_preload (e->solver);
    memcpy (e->v, now.v, (size_t)e->coupling->machine->net->n_states * sizeof (double));
  }
  return status;
}

static HlStatus
enter_chosen (HlHybridExamination *e, const HlHybridChoice *choice, HlFault *fault)
{
  HlHybridCoupling *c = e->coupling;
  HlHybridKey key = key_of (e, choice);
  HlStatus status;

  hl_hybrid_soften_lines (c, e->solver, choice->soft, choice->n_soft);
  do {
    status = hl_hybrid_solver_set_mode (e->solver, e->t, &key, fault);
    if (status == HL_OK)
      status = settle (e, fault);
  } while (status == HL_NO_CONVERGENCE && hl_hybrid_soften (c, e->solver, &c->fault));
  if (status == HL_OK && fault != NULL)
    fault->status = HL_OK;
  return status;
}

/* The mode that a run starts in. */
static HlStatus
enter_start (HlHybridExamination *e, HlFault *fault)
{
  HlArena scratch = {0};
  bool *shut = hl_arena_take (&scratch, e->coupling->machine->n_paths, sizeof *shut);
  hl_hybrid_coupling_find_shut (e->coupling, e->t, shut);
  HlStatus status = hl_hybrid_soften_start (e->coupling, e->solver, e->t, shut, e->v, fault);
  hl_arena_clear (&scratch);
  if (status == HL_INFEASIBLE && fault != NULL)
    hl_hybrid_blame_infeasible (e->coupling, e->solver, fault);
  return status == HL_OK ? settle (e, fault) : status;
}

HlHybridExamination *
hl_hybrid_examination_new (const HlSystem *sys,
                           const HlHybridPlace *place,
                           const HlHybridChoice *choice,
                           HlFault *fault)
{
  HlArena own = {0};
  HlHybridExamination *e = hl_arena_take (&own, 1, sizeof *e);

  e->arena = own;
  e->sys = sys;
  e->work = hl_work_new (sys);
  e->status = prepare (e, place, fault);
  if (e->status == HL_OK) {
    e->status = choice != NULL ? enter_chosen (e, choice, fault) : enter_start (e, fault);
    if (e->status == HL_OK ||
        (e->status == HL_INFEASIBLE && hl_hybrid_solver_get_mode (e->solver) != NULL))
      return e;
  }
  hl_hybrid_examination_free (e);
  return NULL;
}

void
hl_hybrid_examination_free (HlHybridExamination *e)
{
  if (e == NULL)
    return;
  HlArena arena = e->arena;
  hl_hybrid_solver_free (e->solver);
  hl_hybrid_coupling_free (e->coupling);
  hl_work_free (e->work);
  hl_arena_clear (&arena);
}

int
hl_hybrid_examination_soft (const HlHybridExamination *e, int lines[])
{
  const HlHybridMachine *machine = e->coupling->machine;

  for (int k = machine->n_stored; k < machine->n_soft && lines != NULL; k++)
    lines[k - machine->n_stored] = machine->line_of_node[machine->soft[k]];
  return machine->n_soft - machine->n_stored;
}

void
hl_hybrid_examination_note (const HlHybridExamination *e, HlPoint *point)
{
  memcpy (point->u, e->work->component_u, (size_t)e->work->u * sizeof (double));
  if (e->coupling->ways != NULL)
    hl_hybrid_ways_note (e->coupling->ways, point->p);
}

void
hl_hybrid_examination_state_name (const HlHybridExamination *e, int state, char text[], size_t room)
{
  static const char *const parts[] = {"vx", "vy", "omega"};
  const HlHybridMachine *machine = e->coupling->machine;

  if (state < machine->n_paths) {
    snprintf (text, room, "%s",
              e->sys->topology->names[HL_ENTITY_COMPONENT][machine->paths[state].pipe]);
    return;
  }
  int column = e->work->ai_column[state - machine->n_paths];
  snprintf (text, room, "%s.%s", e->sys->topology->names[HL_ENTITY_BODY][column / 3],
            parts[column % 3]);
}
