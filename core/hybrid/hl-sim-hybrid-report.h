/* SPDX-License-Identifier: MIT */
/* Events, modes and energies that a run of the hybrid model reports. An FMU has empty functions instead. */
#pragma once

#include "core/hybrid/hl-sim-hybrid-equations.h"

/* Returns the energy lost at the start, from h->v_file to h->v, at the position of the start. */
HlStartLoss hl_sim_hybrid_start_loss (const HlSimRun *run);
/* Computes the rates of the three energies at the last evaluation. */
void hl_sim_hybrid_powers (HlSimRun *run, double powers[3]);
/* Computes the energies of flows and bodies before an event and the balance after it. The solver's inputs are
 * those at the time of the event. */
void hl_sim_hybrid_before_jump (const HlSimRun *run, double energy[2]);
void hl_sim_hybrid_add_jump (HlSimRun *run, const double before[2], const HlHybridReport *report);
/* Tells the events that were just applied, and what changed with them: `before` is the mode that
 * they ended. */
void hl_sim_hybrid_tell_jump (HlSimRun *run, double t, int n_events, const HlHybridKey *before,
                              const HlHybridReport *report);
/* Reports the lines that are compressible from t on and were not before. */
void hl_sim_hybrid_report_compliance (HlSimRun *run, double t);
/* Tells the present mode and where it begins, or where the run ends in it; the coupling holds the
 * positions, h->v the velocities. */
void hl_sim_hybrid_report_mode (HlSimRun *run, double t, bool ends);
/* Looks for lines whose pressure crossed the vapor pressure since the latest look: within the step,
 * or, with `jumped`, at t. The instant is the one at t. */
void hl_sim_hybrid_watch_cavitation (HlSimRun *run, double t, bool jumped);
