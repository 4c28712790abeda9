/* SPDX-License-Identifier: MIT */
/* The hybrid oil model in one mode, with names: for the command line and for
 * teaching. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/hybrid/hl-hybrid-examination.h"

typedef struct
{
  HlArena arena;      /* of itself and its arrays; the texts are allocations of their own */
  const char *status; /* "ok", "redundant" or "infeasible"; static */
  int rank;
  int n_states, n_constraints, n_free;
  char **states, **constraints; /* owned */
  double *W;                    /* n_states x n_constraints, column-major */
  int *independent;             /* n_free, into states */
  double *alpha;                /* n_states x n_free */
  double *mass;                 /* n_free x n_free: reduced */
  double *multipliers; /* n_constraints: pressures, forces, pressure drops; NAN undetermined */
} HlHybridModeReport;

/* place and choice as in hl_hybrid_examination_new. Owned by the caller; NULL and a fault when the
 * drawing does not suit the model. */
HlHybridModeReport *hl_hybrid_mode_report_new (const HlSystem *sys,
                                               const HlHybridPlace *place,
                                               const HlHybridChoice *choice,
                                               HlFault *fault);
void hl_hybrid_mode_report_free (HlHybridModeReport *report);
