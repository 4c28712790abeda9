/* SPDX-License-Identifier: MIT */
/* Opening classes of an actuator and the limits of the quasistatic model. Seed 002, section 3.1. */
#include "core/quasistatic/hl-quasi-cylinder.h"

#include <math.h>
#include <stddef.h>

double hl_actuator_normalize (double k, double area) {
  return k / (area * sqrt (area));
}

HlOpening hl_actuator_opening (const HlActuator *actuator) {
  bool extends = actuator->ph > 0.0 || actuator->tr > 0.0;
  bool retracts = actuator->pr > 0.0 || actuator->th > 0.0;

  if (extends)
    return retracts ? HL_OPENING_MIXED : HL_OPENING_EXTEND;
  return retracts ? HL_OPENING_RETRACT : HL_OPENING_SHUT;
}

HlActuator hl_actuator_mirror (const HlActuator *actuator) {
  return (HlActuator){.Ah = actuator->Ar,
                      .Ar = actuator->Ah,
                      .PhM = actuator->PrM,
                      .PrM = actuator->PhM,
                      .ph = actuator->pr,
                      .pr = actuator->ph,
                      .th = actuator->tr,
                      .tr = actuator->th};
}

static HlStatus status_of_reason (HlQuasiReason found, HlQuasiReason *reason) {
  if (reason != NULL)
    *reason = found;
  return found == HL_QUASI_FINE || found == HL_QUASI_REGENERATION_IGNORED ? HL_OK : HL_BAD_MODEL;
}

static bool is_opening (double opening) {
  return opening >= 0.0 && opening < INFINITY;
}

static bool is_area (double area) {
  return area > 0.0 && area < INFINITY;
}

HlStatus hl_actuator_check (const HlActuator *actuator, HlQuasiReason *reason) {
  if (!is_area (actuator->Ah) || !is_area (actuator->Ar))
    return status_of_reason (HL_QUASI_BAD_AREA, reason);
  /* Written so that NaN fails too. */
  if (!(actuator->PhM > 0.0) || !(actuator->PrM > 0.0))
    return status_of_reason (HL_QUASI_BAD_LIMIT, reason);
  if (!is_opening (actuator->ph) || !is_opening (actuator->th) || !is_opening (actuator->pr) ||
      !is_opening (actuator->tr) || !is_opening (actuator->ua))
    return status_of_reason (HL_QUASI_BAD_OPENING, reason);

  HlOpening opening = hl_actuator_opening (actuator);

  if (opening == HL_OPENING_MIXED)
    return status_of_reason (HL_QUASI_MIXED_OPENINGS, reason);
  if (actuator->ua > 0.0 && opening != HL_OPENING_EXTEND)
    return status_of_reason (HL_QUASI_REGENERATION_IGNORED, reason);
  if (actuator->ua > 0.0 && actuator->Ah < actuator->Ar)
    return status_of_reason (HL_QUASI_SMALL_HEAD, reason);
  return status_of_reason (HL_QUASI_FINE, reason);
}

HlStatus hl_pump_check (const HlPump *pump, HlQuasiReason *reason) {
  if (!(pump->PM > 0.0))
    return status_of_reason (HL_QUASI_BAD_LIMIT, reason);
  if (isinf (pump->PM))
    return status_of_reason (HL_QUASI_NO_PUMP_LIMIT, reason);
  if (!is_opening (pump->Q))
    return status_of_reason (HL_QUASI_BAD_FLOW, reason);
  if (!is_opening (pump->Ub))
    return status_of_reason (HL_QUASI_BAD_OPENING, reason);
  return status_of_reason (HL_QUASI_FINE, reason);
}

HlStatus hl_actuator_check_bounded (const HlActuator *actuator, HlQuasiReason *reason) {
  bool head_drained = actuator->th > 0.0;
  bool rod_drained = actuator->tr > 0.0;

  if ((isinf (actuator->PhM) && !head_drained) || (isinf (actuator->PrM) && !rod_drained))
    return status_of_reason (HL_QUASI_UNBOUNDED_FORCE, reason);
  return status_of_reason (HL_QUASI_FINE, reason);
}

const char *hl_quasi_reason_text (HlQuasiReason reason) {
  static const char *const texts[HL_QUASI_N_REASONS] = {
      [HL_QUASI_FINE] = HL_TEXT ("inside the model"),
      [HL_QUASI_BAD_AREA] = HL_TEXT ("a piston area is not positive"),
      [HL_QUASI_BAD_LIMIT] = HL_TEXT ("a relief pressure is not positive"),
      [HL_QUASI_BAD_OPENING] = HL_TEXT ("a valve opening is negative or not finite"),
      [HL_QUASI_BAD_FLOW] = HL_TEXT ("the pump flow is negative or not finite"),
      [HL_QUASI_MIXED_OPENINGS] = HL_TEXT ("the open valves neither extend nor retract: outside U0, U+, U-"),
      [HL_QUASI_SMALL_HEAD] =
          HL_TEXT ("regeneration needs a head area at least as large as the rod-side area"),
      [HL_QUASI_UNBOUNDED_FORCE] =
          HL_TEXT ("a chamber without a relief valve is closed: its force is unbounded"),
      [HL_QUASI_NO_PUMP_LIMIT] = HL_TEXT ("the pump has no relief valve"),
      [HL_QUASI_REGENERATION_IGNORED] =
          HL_TEXT ("regeneration is opened while the valves do not extend: ignored"),
  };

  return reason >= 0 && reason < HL_QUASI_N_REASONS ? texts[reason] : HL_TEXT ("unknown reason");
}
