/* SPDX-License-Identifier: MIT */
/* The Jacobian by central differences: soft lines, cushions, bristles and signals that listen couple
 * rates and forces in more ways than (33)-(35) and (44), (45) tell. It serves the integrator's Newton
 * iteration, and the exact one everywhere else. */
#include <math.h>
#include <string.h>

#include "core/quasistatic/hl-quasi-feedback.h"
#include "core/system/hl-state-scale.h"

#define STEP 1.0e-7 /* of a state, or of its natural size */

bool hl_quasi_needs_differences (const HlQuasiMachine *machine, const HlWork *work) {
  return machine->net != NULL &&
         (hl_quasi_feedback_is_there (work) || hl_quasi_net_has_other_states (machine->net));
}

static double size_of (const HlSystem *sys, const HlWork *work, int state) {
  if (state >= hl_off_soft (sys, work))
    return hl_scale_of_pressure (sys);
  if (state >= hl_off_spool (sys, work))
    return hl_scale_of_component (sys, state - hl_off_spool (sys, work));
  return 1.0;
}

/* Rates on one side of a state, into rates; where there are none, as for a valve that would open to less than
 * nothing, those at the state. *step: how far the side is off, 0 where it is none. */
static HlStatus look_aside (HlQuasiMachine *machine, HlQuasiState state, int k, double *step, double rates[],
                            HlWork *work, HlFault *fault) {
  double *y = machine->aside, kept = y[k];

  y[k] = kept + *step;
  HlStatus status = hl_quasi_rates (machine, (HlQuasiState){state.sys, state.t, y}, rates, work, fault);
  y[k] = kept;
  if (status == HL_OK)
    return status;
  *step = 0.0;
  return hl_quasi_rates (machine, (HlQuasiState){state.sys, state.t, y}, rates, work, fault);
}

HlStatus hl_quasi_difference (HlQuasiMachine *machine, HlQuasiState state, double J[], HlWork *work,
                              HlFault *fault) {
  const HlSystem *sys = state.sys;
  int n = hl_quasi_n_states (sys, work), n_rhs = work->n_rhs;
  double *y = machine->aside, *sides[2] = {y + n, y + 2 * n};
  HlStatus status = HL_OK;

  memcpy (y, state.y, (size_t)n * sizeof (double));
  for (int k = 0; k < n && status == HL_OK; k++) {
    double step = STEP * fmax (fabs (y[k]), size_of (sys, work, k));
    double low = -step, high = step;
    status = look_aside (machine, state, k, &low, sides[0], work, fault);
    if (status == HL_OK)
      status = look_aside (machine, state, k, &high, sides[1], work, fault);
    if (status == HL_OK && low == high) /* on neither side */
      status = HL_NO_CONVERGENCE;
    for (int row = 0; row < n && status == HL_OK; row++)
      J[(size_t)k * (size_t)n + (size_t)row] = (sides[1][row] - sides[0][row]) / (high - low);
  }
  if (status == HL_OK && fault != NULL)
    fault->status = HL_OK;
  work->n_rhs = n_rhs;
  work->n_jac++;
  return status;
}
