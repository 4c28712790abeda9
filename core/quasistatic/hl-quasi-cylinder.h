/* SPDX-License-Identifier: MIT */
/* One cylinder of the quasistatic oil model, the pump that feeds it, and what the model accepts
 * (theory/quasistatic.md (1)-(3)).
 *
 * Glossary, letters of seed 002: pressures are relative to the tank; v > 0 extends the rod; f > 0
 * pushes it out.
 *
 *   Fh = Ah Ph,   Fr = Ar Pr,   f = Fh - Fr
 *   ph, pr   valves from the pump line to the head and rod chamber
 *   th, tr   from the chambers to the tank
 *   ua       from the rod to the head chamber
 *
 * Openings of valves are normalised conductances: flow / area = opening * sqrt (force difference).
 * A rotary actuator has displacements per radian for areas. */
#pragma once

#include "core/base/hl-status-codes.h"

#include <stdbool.h>

typedef struct {
  double Ah, Ar;   /* piston areas of the head and rod side [m^2], > 0 */
  double PhM, PrM; /* limits of the chamber relief valves   [Pa], > 0, INFINITY without one */
  double ph, th;   /* openings, normalised by Ah^(3/2)      [m/s/sqrt N], >= 0, 0 is closed */
  double pr, tr;   /* openings, normalised by Ar^(3/2)      [m/s/sqrt N] */
  double ua;       /* regeneration, normalised by Ar^(3/2)  [m/s/sqrt N] */
} HlActuator;

typedef struct {
  double Q;  /* pump flow                                      [m^3/s], >= 0 */
  double Ub; /* conductance of the bleed valve, not normalised [m^3/s/sqrt Pa], >= 0 */
  double PM; /* limit of the pump relief valve                 [Pa], > 0 */
} HlPump;

/* Opening class: the open valves. All classes but the first three are outside the model. */
typedef enum {
  HL_OPENING_SHUT,    /* U0: ph = th = pr = tr = 0 */
  HL_OPENING_EXTEND,  /* U+: pr = th = 0, ph + tr > 0 */
  HL_OPENING_RETRACT, /* U-: ph = tr = 0, pr + th > 0 */
  HL_OPENING_MIXED
} HlOpening;

/* Reasons why the model does not cover an actuator or a pump; they accompany HL_BAD_MODEL, the last one is a
 * remark with HL_OK. */
typedef enum {
  HL_QUASI_FINE = 0,
  HL_QUASI_BAD_AREA,             /* Ah or Ar not positive and finite */
  HL_QUASI_BAD_LIMIT,            /* PhM, PrM or PM not positive */
  HL_QUASI_BAD_OPENING,          /* an opening negative or not finite */
  HL_QUASI_BAD_FLOW,             /* Q negative or not finite */
  HL_QUASI_MIXED_OPENINGS,       /* the open valves belong to neither U0, U+ nor U- */
  HL_QUASI_SMALL_HEAD,           /* regeneration with Ah < Ar */
  HL_QUASI_UNBOUNDED_FORCE,      /* a chamber without relief valve is trapped */
  HL_QUASI_NO_PUMP_LIMIT,        /* the pump has no relief valve */
  HL_QUASI_REGENERATION_IGNORED, /* ua > 0 outside U+ has no effect; a remark, the status is HL_OK
                                  */
  HL_QUASI_N_REASONS
} HlQuasiReason;

/* Returns the normalised opening of a valve:  k / area^(3/2).
 *   k     conductance C a u sqrt (2 / rho): flow = k sqrt (pressure difference)  [m^3/s/sqrt Pa]
 *   area  Ah for ph and th, Ar for pr, tr and ua                               [m^2] */
double hl_actuator_normalize (double k, double area);

/* Returns the opening class of the four main valves; ua plays no part. */
HlOpening hl_actuator_opening (const HlActuator *actuator);

/* Exchanges head and rod. The maps then turn (v, f) into (-v, -f); ua is dropped, because
 * regeneration has no mirror. */
HlActuator hl_actuator_mirror (const HlActuator *actuator);

/* Checks numbers, opening class and regeneration: what the evaluating functions of this folder
 * demand and check themselves. Returns HL_OK or HL_BAD_MODEL; *reason (may be NULL) is always
 * written. */
HlStatus hl_actuator_check (const HlActuator *actuator, HlQuasiReason *reason);
HlStatus hl_pump_check (const HlPump *pump, HlQuasiReason *reason);

/* Checks whether the force is bounded for these openings (otherwise HL_QUASI_UNBOUNDED_FORCE): it is not if a
 * chamber has neither a relief valve nor an open valve. The maps remain usable, with infinite forces where
 * oil is trapped. */
HlStatus hl_actuator_check_bounded (const HlActuator *actuator, HlQuasiReason *reason);

/* Returns the English sentence fragment, such as "the pump has no relief valve"; never NULL, borrowed. */
const char *hl_quasi_reason_text (HlQuasiReason reason);
