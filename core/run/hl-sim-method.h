/* SPDX-License-Identifier: MIT */
/* Watches whether the integrator's method suits a run, and changes the method where it does not: where BDF would
 * let a swing grow, where steps stay so short that the end is out of reach, and where the method gives up but
 * the rows so far have to stand (theory/integration.md). */
#pragma once

#include "core/run/hl-sim-run.h"

/* Owned by the caller; NULL where no other method may take over: without options->again, with `ahead`, with
 * sensitivities. */
HlSimMethod *hl_sim_method_new (const HlSimRun *run);
void hl_sim_method_free (HlSimMethod *self);
/* Before a new integrator of run->n states: takes memory for them. */
void hl_sim_method_arrange (HlSimMethod *self, HlSimRun *run);
/* After an accepted step up to t, self may be NULL. Returns whether the other method is to go on from here; the
 * reason is in run->takeover then. */
bool hl_sim_method_watch (HlSimMethod *self, HlSimRun *run, double t);
/* Whether the other method may go on where this one gave up, at t. */
bool hl_sim_method_gave_up (HlSimMethod *self, HlSimRun *run, double t);
