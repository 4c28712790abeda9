/* SPDX-License-Identifier: MIT */
/* The sensitivities beside a run, called by hl-simulate.c. Each may be called with NULL, and does nothing
 * then. Statuses are those of right-hand sides. */
#pragma once

#include "core/run/hl-sim-run.h"

/* Behind the first arrangement: finds the derivatives of the start. NULL and a fault. */
HlSimTangent *hl_sim_tangent_new (HlSimRun *run, HlFault *fault);
void hl_sim_tangent_free (HlSimTangent *tangent);
/* Where the segment that begins at t has just been entered by the run. */
HlStatus hl_sim_tangent_corner (HlSimTangent *tangent, HlSimRun *run, double t);
/* Behind an internal step from `begin` to t. */
HlStatus hl_sim_tangent_step (HlSimTangent *tangent, HlSimRun *run, double begin, double t);
/* Before and behind a new arrangement at t. */
HlStatus hl_sim_tangent_leave (HlSimTangent *tangent, HlSimRun *run, double t);
/* See there. */
HlStatus hl_sim_tangent_arrange (HlSimTangent *tangent, HlSimRun *run);
/* For a row at t, state y[n_states]. */
HlStatus hl_sim_tangent_row (HlSimTangent *tangent, HlSimRun *run, double t, const double y[]);
