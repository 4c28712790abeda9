/* SPDX-License-Identifier: MIT */
#include "core/hybrid/hl-hybrid-mode-report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fill (HlHybridExamination *e, HlHybridModeReport *r)
{
  const HlHybridNetwork *net = e->coupling->machine->net;
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (e->solver);
  HlHybridInstant instant;
  const HlHybridInstant *now = NULL;
  if (e->status == HL_OK &&
      hl_hybrid_solver_eval (e->solver, e->t, e->vbar, &instant, NULL) == HL_OK)
    now = &instant;
  HlArena *arena = &r->arena;
  int columns = r->n_constraints = mode->n_active;
  size_t states = (size_t)(r->n_states = net->n_states);

  r->states = hl_arena_take (arena, r->n_states + 1, sizeof (char *));
  r->constraints = hl_arena_take (arena, columns + 1, sizeof (char *));
  r->W = hl_arena_take (arena, columns, states * sizeof (double));
  r->multipliers = hl_arena_take (arena, columns, sizeof (double));
  for (int k = 0; k < r->n_states; k++) {
    char text[256];
    hl_hybrid_examination_state_name (e, k, text, sizeof text);
    r->states[k] = strcpy (malloc (strlen (text) + 1), text);
  }
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
  r->independent = hl_arena_take (arena, r->n_free, sizeof (int));
  r->alpha = hl_arena_take (arena, r->n_free, states * sizeof (double));
  r->mass = hl_arena_take (arena, r->n_free, n_free * sizeof (double));
  memcpy (r->independent, mode->rank->independent, n_free * sizeof (int));
  memcpy (r->alpha, red->alpha, states * n_free * sizeof (double));
  memcpy (r->mass, red->reduced_mass, n_free * n_free * sizeof (double));
}

HlHybridModeReport *
hl_hybrid_mode_report_new (const HlSystem *sys,
                           const HlHybridPlace *place,
                           const HlHybridChoice *choice,
                           HlFault *fault)
{
  HlHybridExamination *e = hl_hybrid_examination_new (sys, place, choice, fault);

  if (e == NULL)
    return NULL;
  HlArena own = {0};
  HlHybridModeReport *r = hl_arena_take (&own, 1, sizeof *r);
  r->arena = own;
  r->status = "infeasible";
  fill (e, r);
  hl_hybrid_examination_free (e);
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
  HlArena arena = r->arena;
  hl_arena_clear (&arena);
}
