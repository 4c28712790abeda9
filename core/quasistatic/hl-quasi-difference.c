/* SPDX-License-Identifier: MIT */
/* The Jacobian by central differences: soft lines, cushions, bristles and signals that listen couple
 * rates and forces in more ways than (33)-(35) and (44), (45) tell. It serves the integrator's Newton
 * iteration, and the exact one everywhere else. */
#include <math.h>
#include <string.h>

#include "core/quasistatic/hl-quasi-feedback.h"
#include "core/system/hl-state-scale.h"

#define STEP 1.0e-7 /* of a state, or of its natural size */

bool
hl_quasi_needs_differences (const HlQuasiMachine *machine, const HlWork *work)
{
  return machine->net != NULL &&
         (hl_quasi_feedback_is_there (work) || hl_quasi_net_has_other_states (machine->net));
}

static double
size_of (const HlSystem *sys, const HlWork *work, int state)
{
  if (state >= hl_off_soft (sys, work))
    return hl_scale_of_pressure (sys);
  if (state >= hl_off_spool (sys, work))
    return hl_scale_of_component (sys, state - hl_off_spool (sys, work));
  return 1.0;
}

HlStatus
hl_quasi_difference (
    HlQuasiMachine *machine, HlQuasiState state, double J[], HlWork *work, HlFault *fault)
{
  const HlSystem *sys = state.sys;
  int n = hl_quasi_n_states (sys, work), n_rhs = work->n_rhs;
  double *y = machine->aside, *sides[2] = {y + n, y + 2 * n};
  HlStatus status = HL_OK;

  memcpy (y, state.y, (size_t)n * sizeof (double));
  for (int k = 0; k < n && status == HL_OK; k++) {
    double step = STEP * fmax (fabs (y[k]), size_of (sys, work, k));
    for (int side = 0; side < 2 && status == HL_OK; side++) {
      y[k] = state.y[k] + (side == 0 ? -step : step);
      status = hl_quasi_rates (machine, (HlQuasiState){sys, state.t, y}, sides[side], work, fault);
    }
    y[k] = state.y[k];
    for (int row = 0; row < n; row++)
      J[(size_t)k * (size_t)n + (size_t)row] = (sides[1][row] - sides[0][row]) / (2.0 * step);
  }
  work->n_rhs = n_rhs;
  work->n_jac++;
  return status;
}
