/* SPDX-License-Identifier: MIT */
/* The hybrid oil model in one mode at the start state, with names: for the command line and for
 * teaching. */
#pragma once

#include "core/analysis/hl-sim-event.h"
#include "core/system/hl-system.h"

/* Which flow paths are shut (any component of the path) and which stops are touched. */
typedef struct
{
  const int *closed;
  int n_closed;
  const HlHybridStop *stops;
  int n_stops;
} HlHybridChoice;

typedef struct
{
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

/* choice NULL: the mode a run starts in. Owned by the caller; NULL and a fault when the drawing
 * does not suit the model. */
HlHybridModeReport *
hl_hybrid_mode_report_new (const HlSystem *sys, const HlHybridChoice *choice, HlFault *fault);
void hl_hybrid_mode_report_free (HlHybridModeReport *report);
