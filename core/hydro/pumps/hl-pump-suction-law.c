/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/base/hl-status-codes.h"
#include "core/hydro/pumps/hl-pump.h"

void hl_pump_derive (HlShaftPump *pump, const HlFluid *fluid) {
  pump->onset = hl_fluid_onset (fluid);
}

/* Returns phi and its slope by the pressure at the suction port. */
static double suction_factor (const HlShaftPump *pump, double p, double *slope) {
  double x = p / pump->onset;

  *slope = 0.0;
  if (p >= pump->onset)
    return 1.0;
  *slope = 2.0 * (1.0 - x) / pump->onset;
  return x * (2.0 - x);
}

void hl_pump_flow (const HlShaftPump *pump, double a, HlLaw *law, double w, int speed, int swash) {
  int inlet = w < 0.0 ? HL_PUMP_P : HL_PUMP_S;
  double D = pump->displacement, starving = 0.0;
  double phi = 1.0;

  if ((law->in_full >> inlet & 1U) == 0)
    phi = suction_factor (pump, law->p[inlet], &starving);
  law->q[0] = a * D * w * phi - pump->leakage * (law->p[HL_PUMP_P] - law->p[HL_PUMP_S]);
  if (law->d == NULL)
    return;
  hl_law_set (law, 0, HL_PUMP_S, pump->leakage);
  hl_law_set (law, 0, HL_PUMP_P, -pump->leakage);
  law->d[inlet * law->n_rows] += a * D * w * starving;
  hl_law_set (law, 0, speed, a * D * phi);
  if (swash >= 0)
    hl_law_set (law, 0, swash, D * w * phi);
}

double hl_pump_shaft (const HlShaftPump *pump, double a, const HlLaw *law, double w, int part, int speed,
                      int swash, double d[]) {
  double D = pump->displacement, drop = law->p[HL_PUMP_P] - law->p[HL_PUMP_S];
  double turning = tanh (w / pump->friction_speed);
  double M = a * D * drop + pump->friction_torque * turning + pump->viscous_friction * w;
  double by = part == HL_PUMP_POWER ? w : 1.0; /* power is M w */

  if (d != NULL) {
    d[HL_PUMP_S] = -a * D * by;
    d[HL_PUMP_P] = a * D * by;
    d[speed] = by * (pump->friction_torque / pump->friction_speed * (1.0 - turning * turning) +
                     pump->viscous_friction) +
               (part == HL_PUMP_POWER ? M : 0.0);
    if (swash >= 0)
      d[swash] = D * drop * by;
  }
  return M * by;
}

void hl_pump_power (const HlComponent *c, const HlShaftPump *pump, double a, const HlLaw *law, double w,
                    double powers[3]) {
  double shaft = hl_pump_shaft (pump, a, law, w, HL_PUMP_POWER, 0, -1, NULL), q = law->q[0];

  powers[1] += shaft - q * (law->p[HL_PUMP_P] - law->p[HL_PUMP_S]);
  powers[2] += shaft;
  if (c->node[HL_PUMP_S] < 0)
    powers[2] += q * law->p[HL_PUMP_S];
  if (c->node[HL_PUMP_P] < 0)
    powers[2] -= q * law->p[HL_PUMP_P];
}
