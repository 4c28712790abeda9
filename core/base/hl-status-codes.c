/* SPDX-License-Identifier: MIT */
/* Texts of the status codes. */
#include "core/base/hl-status-codes.h"

#include <math.h>
#include <stddef.h>

HlStatus hl_fault_set (HlFault *fault, HlStatus status, HlEntityKind kind, int entity, double value) {
  if (fault != NULL)
    *fault = (HlFault){.status = status, .entity_kind = kind, .entity = entity, .time = NAN, .value = value};
  return status;
}

const char *hl_status_text (HlStatus status) {
  static const char *const texts[HL_N_STATUS] = {
      [HL_OK] = HL_TEXT ("no fault"),
      [HL_CANCELLED] = HL_TEXT ("stopped by the user"),
      [HL_SINGULAR] = HL_TEXT ("singular position"),
      [HL_NO_CONVERGENCE] = HL_TEXT ("no convergence"),
      [HL_NOT_FINITE] = HL_TEXT ("a value became infinite or undefined"),
      [HL_OUT_OF_STROKE] = HL_TEXT ("cylinder out of its stroke"),
      [HL_ZERO_LENGTH] = HL_TEXT ("end points coincide"),
      [HL_NO_VOLUME] = HL_TEXT ("no oil volume"),
      [HL_NO_PRESSURE] = HL_TEXT ("the oil pressure would be zero or negative"),
      [HL_INFEASIBLE] = HL_TEXT ("conditions contradict each other"),
      [HL_DEAD_POINT] = HL_TEXT ("dead point"),
      [HL_OVERHELD] = HL_TEXT ("too many values are held for an equilibrium"),
      [HL_TOO_MUCH_WORK] = HL_TEXT ("the integrator failed"),
      [HL_OUT_OF_STEPS] = HL_TEXT ("the maximum number of steps is reached"),
      [HL_BAD_MODEL] = HL_TEXT ("outside the validity of the model"),
  };
  return status >= 0 && status < HL_N_STATUS ? texts[status] : HL_TEXT ("unknown status");
}
