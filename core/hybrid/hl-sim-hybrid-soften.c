/* SPDX-License-Identifier: MIT */
/* A run whose oil has no answer goes on from where it last had one, with a line whose oil gives way
 * (hl-hybrid-soften.h). */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-soften.h"
#include "core/hybrid/hl-hybrid-ways.h"
#include "core/hybrid/hl-sim-hybrid.h"
#include "core/system/hl-dynamics.h"

void
hl_sim_hybrid_note_sound (HlSimRun *run, double t)
{
  HlSimHybrid *h = run->own;
  HlSimHybridSound *sound = &h->sound;

  if (h->coupling->ways == NULL)
    return;
  sound->t = t;
  sound->n_free = h->n_free;
  sound->key = hl_hybrid_solver_get_mode (h->solver)->key;
  memcpy (sound->y, run->y, (size_t)run->n * sizeof (double));
  memcpy (sound->energies, run->energies, sizeof sound->energies);
  hl_hybrid_ways_keep (h->coupling->ways);
  h->coupling->fault.status = HL_OK;
}

/* Back to what was kept: positions, velocities, states, mode. */
static HlStatus
go_back (HlSimRun *run, HlFault *fault)
{
  HlSimHybrid *h = run->own;
  const HlSimHybridSound *sound = &h->sound;
  int n_moving = run->work->f + run->work->l;

  hl_sim_hybrid_set_positions (run, sound->y);
  hl_hybrid_ways_set (h->coupling->ways, run->work, sound->y + n_moving + sound->n_free);
  memcpy (run->energies, sound->energies, sizeof run->energies);
  hl_work_enter_segment (run->sys, run->work, sound->t);
  HlStatus status =
      hl_hybrid_solver_go_back (h->solver, sound->t, &sound->key, sound->y + n_moving, h->sound.v);
  if (status != HL_OK)
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, NAN);
  return status;
}

HlStatus
hl_sim_hybrid_give_way (HlSimRun *run, HlStatus status, double *t)
{
  HlSimHybrid *h = run->own;
  HlFault fault = run->fault;

  /* an integrator whose every step meets a place without pressures gives up */
  if (status == HL_TOO_MUCH_WORK)
    status = HL_NO_CONVERGENCE;
  bool may_feed = status == HL_INFEASIBLE;
  if ((status != HL_NO_CONVERGENCE && !may_feed) || h->coupling->ways == NULL || isnan (h->sound.t))
    return status;
  hl_sim_hybrid_blame (run, status, &fault);
  if (may_feed && !hl_hybrid_only_compliance_tells (run->sys, &fault))
    return status;
  status = HL_NO_CONVERGENCE;
  if (go_back (run, &fault) != HL_OK)
    return status;
  while (status == HL_NO_CONVERGENCE) {
    if (!hl_hybrid_soften (h->coupling, h->solver, &fault))
      return status;
    hl_sim_hybrid_tell_soft (run, h->sound.t);
    memcpy (h->v, h->sound.v, (size_t)h->coupling->machine->net->n_states * sizeof (double));
    hl_fault_set (&run->fault, HL_OK, HL_ENTITY_NONE, -1, NAN);
    status = hl_sim_hybrid_look_afresh (run, h->sound.t, &run->fault);
    fault = run->fault;
    hl_sim_hybrid_blame (run, status, &fault);
  }
  *t = h->sound.t;
  h->crawl_count = h->chatter_count = 0;
  h->toil = 0.0;
  h->n_vain = hl_hybrid_ways_vain (h->coupling->ways);
  h->crawl_from = h->chatter_from = *t;
  return status;
}
