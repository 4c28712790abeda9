/* SPDX-License-Identifier: MIT */
/* hl-sim-hybrid-report.h inside an FMU: an instance reports events by itself, and keeps no ledger. */
#pragma once

#include "core/hybrid/hl-sim-hybrid-equations.h"

static inline void hl_sim_hybrid_before_jump (const HlSimRun *run, double energy[2]) {
  (void)run;
  (void)energy;
}
static inline void hl_sim_hybrid_add_jump (HlSimRun *run, const double before[2],
                                           const HlHybridReport *report) {
  (void)run;
  (void)before;
  (void)report;
}
static inline void hl_sim_hybrid_tell_jump (HlSimRun *run, double t, int n_events, const HlHybridKey *before,
                                            const HlHybridReport *report) {
  (void)run;
  (void)t;
  (void)n_events;
  (void)before;
  (void)report;
}
static inline void hl_sim_hybrid_report_compliance (HlSimRun *run, double t) {
  (void)run;
  (void)t;
}
static inline void hl_sim_hybrid_watch_cavitation (HlSimRun *run, double t, bool jumped) {
  (void)run;
  (void)t;
  (void)jumped;
}
