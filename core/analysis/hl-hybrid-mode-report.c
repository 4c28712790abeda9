/* SPDX-License-Identifier: MIT */
#include "core/analysis/hl-hybrid-mode-report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-equilibrium.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-hybrid-plant.h"

typedef struct
{
  const HlSystem *sys;
  HlWork *work;
  HlPoint *point;
  HlHybridCoupling *coupling;
  HlHybridSolver *solver;
  double *v;
} Examination;

static void
clear (Examination *e)
{
  if (e->solver != NULL)
    hl_hybrid_solver_free (e->solver);
  hl_hybrid_coupling_free (e->coupling);
  hl_point_free (e->point);
  hl_work_free (e->work);
  free (e->v);
}

static HlStatus
prepare (Examination *e, HlFault *fault)
{
  e->work = hl_work_new (e->sys);
  e->point = hl_point_new (e->sys);
  HlStatus status =
      hl_start_point (e->sys, e->work, HL_START_AS_GIVEN, NULL, e->point, NULL, fault);
  if (status == HL_OK)
    status =
        hl_partition_choose (e->sys, e->work, e->point->x, HL_PARTITION_WISHED, NULL, 0, fault);
  if (status != HL_OK)
    return status;
  e->coupling = hl_hybrid_coupling_new (e->sys, e->work, fault);
  if (e->coupling == NULL)
    return HL_BAD_MODEL;
  hl_work_enter_segment (e->sys, e->work, 0.0);
  e->solver =
      hl_hybrid_solver_new (e->coupling->machine->net, hl_hybrid_coupling_plant (e->coupling));
  e->v = calloc ((size_t)e->coupling->machine->net->n_states + 1, sizeof *e->v);
  for (int k = 0; k < e->work->f; k++) {
    e->coupling->mech[k] = e->point->x[e->work->ai_column[k]];
    e->v[e->coupling->machine->n_paths + k] = e->point->v[e->work->ai_column[k]];
  }
  for (int k = 0; k < e->work->l; k++)
    e->coupling->mech[2 * e->work->f + k] = e->point->x[e->work->ad_column[k]];
  return HL_OK;
}

static HlHybridKey
key_of (const Examination *e, const HlHybridChoice *choice)
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
    int cylinder = e->sys->topology->component_cylinder[choice->stops[k].component];
    if (cylinder >= 0)
      hl_hybrid_key_set_stop (net, &key, cylinder, choice->stops[k].upper, true);
  }
  return key;
}

static char *
state_name (const Examination *e, int state)
{
  static const char *const parts[] = {"vx", "vy", "omega"};
  const HlHybridMachine *machine = e->coupling->machine;
  char text[256];

  if (state < machine->n_paths)
    snprintf (text, sizeof text, "%s",
              e->sys->topology->names[HL_ENTITY_COMPONENT][machine->paths[state].pipe]);
  else {
    int column = e->work->ai_column[state - machine->n_paths];
    snprintf (text, sizeof text, "%s.%s", e->sys->topology->names[HL_ENTITY_BODY][column / 3],
              parts[column % 3]);
  }
  return strcpy (malloc (strlen (text) + 1), text);
}

static void
fill (Examination *e, HlHybridModeReport *r, const HlHybridInstant *now)
{
  const HlHybridNetwork *net = e->coupling->machine->net;
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (e->solver);
  size_t states = (size_t)(r->n_states = net->n_states),
         columns = (size_t)(r->n_constraints = mode->n_active);

  r->states = calloc (states + 1, sizeof (char *));
  r->constraints = calloc (columns + 1, sizeof (char *));
  r->W = calloc (states * columns + 1, sizeof (double));
  r->multipliers = calloc (columns + 1, sizeof (double));
  for (int k = 0; k < r->n_states; k++)
    r->states[k] = state_name (e, k);
  for (int k = 0; k < r->n_constraints; k++) {
    char text[256];
    hl_hybrid_machine_column_name (e->coupling->machine, e->sys, mode->columns[k], text,
                                   sizeof text);
    r->constraints[k] = strcpy (malloc (strlen (text) + 1), text);
    hl_hybrid_column_assemble (net, hl_hybrid_solver_get_inputs (e->solver), mode->columns[k],
                               r->W + (size_t)k * states);
    r->multipliers[k] = now == NULL ? NAN
                                    : hl_hybrid_column_value (net, mode->columns[k],
                                                              now->multiplier[mode->columns[k]]);
  }
  if (mode->rank == NULL || now == NULL)
    return;
  const HlHybridReduction *red = hl_hybrid_solver_get_reduction (e->solver);
  size_t n_free = (size_t)(r->n_free = red->n_free);
  r->rank = mode->rank->rank;
  r->status = mode->rank->n_null > 0 ? "redundant" : "ok";
  r->independent = calloc (n_free + 1, sizeof (int));
  r->alpha = calloc (states * n_free + 1, sizeof (double));
  r->mass = calloc (n_free * n_free + 1, sizeof (double));
  memcpy (r->independent, mode->rank->independent, n_free * sizeof (int));
  memcpy (r->alpha, red->alpha, states * n_free * sizeof (double));
  memcpy (r->mass, red->reduced_mass, n_free * n_free * sizeof (double));
}

HlHybridModeReport *
hl_hybrid_mode_report_new (const HlSystem *sys, const HlHybridChoice *choice, HlFault *fault)
{
  Examination e = {.sys = sys};
  HlHybridModeReport *r = NULL;
  HlHybridInstant now;
  HlStatus status = prepare (&e, fault);

  if (status != HL_OK) {
    clear (&e);
    return NULL;
  }
  if (choice != NULL) {
    HlHybridKey key = key_of (&e, choice);
    status = hl_hybrid_solver_set_mode (e.solver, 0.0, &key, fault);
  } else {
    bool *shut = calloc ((size_t)e.coupling->machine->n_paths + 1, sizeof *shut);
    hl_hybrid_coupling_find_shut (e.coupling, 0.0, shut);
    status = hl_hybrid_solver_start (e.solver, 0.0, shut, e.v, fault);
    free (shut);
  }
  double *vbar = calloc ((size_t)e.coupling->machine->net->n_states + 1, sizeof *vbar);
  if (status == HL_OK) {
    hl_hybrid_solver_select (e.solver, e.v, vbar);
    status = hl_hybrid_solver_eval (e.solver, 0.0, vbar, &now, fault);
  }
  free (vbar);
  if ((status == HL_OK || status == HL_INFEASIBLE) &&
      hl_hybrid_solver_get_mode (e.solver) != NULL) {
    r = calloc (1, sizeof *r);
    r->status = "infeasible";
    fill (&e, r, status == HL_OK ? &now : NULL);
  }
  clear (&e);
  return r;
}

void
hl_hybrid_mode_report_free (HlHybridModeReport *r)
{
  if (r == NULL)
    return;
  for (int k = 0; k < r->n_states; k++)
    free (r->states[k]);
  for (int k = 0; k < r->n_constraints; k++)
    free (r->constraints[k]);
  void *parts[] = {r->states, r->constraints, r->W,          r->independent,
                   r->alpha,  r->mass,        r->multipliers};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
  free (r);
}
