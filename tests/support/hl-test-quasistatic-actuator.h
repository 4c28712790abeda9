/* SPDX-License-Identifier: MIT */
/* Quasistatic actuators for tests: golden entries, random circuits, and a slow solver of the raw
 * valve relations that shares no formula with the program. */
#pragma once

#include "core/quasistatic/hl-quasi-model.h"
#include "tests/support/hl-test.h"

/* Actuator and pump of a golden entry (areas, limits, conductances c.. and openings u..). */
HlActuator hl_test_quasi_actuator (json_t *entry);
HlPump hl_test_quasi_pump (json_t *entry);

/* Random circuit: all opening classes, shut, tiny and wide valves, Q = 0 and Ub = 0 now and then.
 * With `regeneration` the actuator extends, Ah >= Ar and ua > 0. */
HlActuator hl_test_quasi_random_actuator (bool regeneration);
HlPump hl_test_quasi_random_pump (void);
/* Returns a velocity of the size that the pump and the valves of this actuator allow, of either sign.
 */
double hl_test_quasi_random_velocity (const HlActuator *actuator, const HlPump *pump);

/* Solves the raw relations, seed 002 eq. (39), at v != 0, by nested bisection in extended precision: n
 * actuators on one pump, each with its own check valve; regeneration where ua > 0 and the valves extend.
 * Writes forces f[n] and the node pressure *P. */
void hl_test_quasi_raw_gamma (const HlPump *pump, int n, const HlActuator actuators[], const double v[],
                              double f[], double *P);

/* Makes one whole step (theory/quasistatic.md (29)) of an actuator with its own pump; *p is the new rod
 * position. Statuses as hl_quasi_lambda_eval (). */
HlStatus hl_test_quasi_coupling_step (const HlQuasiCoupling *coupling, const HlActuator *actuator,
                                      const HlPump *pump, const HlQuasiStep *step, double *p,
                                      HlQuasiLambda *out);
