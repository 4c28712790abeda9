/* SPDX-License-Identifier: MIT */
/* Status codes of the floor. */
#include "core/math/hl-status.h"

#include <math.h>
#include <stddef.h>

HlStatus
hl_fault_set (HlFault *fault, HlStatus status, HlEntityKind kind, int entity, double value)
{
  if (fault != NULL)
    *fault = (HlFault){
        .status = status, .entity_kind = kind, .entity = entity, .time = NAN, .value = value};
  return status;
}

const char *
hl_status_text (HlStatus status)
{
  static const char *const texts[HL_N_STATUS] = {
      [HL_OK] = "no fault",
      [HL_CANCELLED] = "stopped by the user",
      [HL_SINGULAR] = "singular position",
      [HL_NO_CONVERGENCE] = "no convergence",
      [HL_NOT_FINITE] = "a value became infinite or undefined",
      [HL_OUT_OF_STROKE] = "cylinder out of its stroke",
      [HL_ZERO_LENGTH] = "end points coincide",
      [HL_NO_VOLUME] = "no oil volume",
      [HL_INFEASIBLE] = "conditions contradict each other",
      [HL_DEAD_POINT] = "dead point",
      [HL_OVERHELD] = "too much is held for a balance",
      [HL_TOO_MUCH_WORK] = "the integrator gave up",
      [HL_BAD_MODEL] = "outside the validity of the model",
  };
  return status >= 0 && status < HL_N_STATUS ? texts[status] : "unknown status";
}
