/* SPDX-License-Identifier: MIT */
/* Which drawings the quasistatic model takes, and in which form: closed where the circuit is the
 * pattern and its openings stay in the classes U0, U+, U-; else as a network. */
#include <math.h>

#include "core/base/hl-arena.h"
#include "core/quasistatic/hl-quasi-machine.h"
#include "core/system/hl-dynamics.h"

HlStatus hl_quasi_check (const HlSystem *sys, HlMisfit *misfit) {
  HlCircuit circuit;

  if (hl_quasi_net_check (sys, misfit) == HL_OK)
    return HL_OK;
  HlMisfit own = *misfit; /* what keeps it from any form says more than what keeps it from one */
  if (hl_quasi_n_soft (sys) == 0 && hl_recognize (sys, &circuit, misfit) == HL_OK) {
    hl_circuit_clear (&circuit);
    return HL_OK;
  }
  *misfit = own;
  return HL_BAD_MODEL;
}

/* The start, the corners of the signals, and the middles between them. */
int hl_quasi_sample_times (const HlSystem *sys, double times[]) {
  HlArena scratch = hl_arena_beside (&sys->arena);
  double *corners = hl_arena_take (&scratch, HL_QUASI_MOST_TIMES / 2, sizeof *corners);
  int n = hl_signal_find_corners (sys->signals, sys->n_signals, 0.0, sys->t_end, corners,
                                  HL_QUASI_MOST_TIMES / 2 - 1);
  int count = 0;
  double last = 0.0;

  n = n < HL_QUASI_MOST_TIMES / 2 - 1 ? n : HL_QUASI_MOST_TIMES / 2 - 1;
  times[count++] = 0.0;
  for (int k = 0; k < n; k++) {
    times[count++] = 0.5 * (last + corners[k]);
    times[count++] = corners[k];
    last = corners[k];
  }
  hl_arena_clear (&scratch);
  return count;
}

/* Signals at t; spools as if settled. */
void hl_quasi_set_signals (const HlSystem *sys, HlWork *work, double t) {
  hl_work_enter_segment (sys, work, t);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  for (int k = 0; k < work->u; k++) {
    work->component_u[k] = hl_state_lag (sys, k) > 0.0 ? hl_state_command (sys, work, k) : 0.0;
  }
}

bool hl_quasi_leaves_pattern (HlQuasiMachine *machine, const HlSystem *sys) {
  double times[HL_QUASI_MOST_TIMES];
  int n = hl_quasi_sample_times (sys, times);
  HlWork *work = hl_work_new (sys);
  HlStatus status = HL_OK;

  for (int k = 0; k < n && status == HL_OK; k++) {
    hl_quasi_set_signals (sys, work, times[k]);
    status = hl_quasi_machine_open (machine, sys, work, NULL);
  }
  hl_work_free (work);
  return status != HL_OK;
}
