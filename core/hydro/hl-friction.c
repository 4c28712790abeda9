/* SPDX-License-Identifier: MIT */
/* Brown-McPhee friction, theory/hydraulics.md (22), (23), with z = v/vs and w as there:
 *   F  = Fc tanh(4 z) + (Fs - Fc) z/w^2 + sigma2 v
 *   F' = [4 Fc (1 - tanh^2 4z) + (Fs - Fc)(1 - z^2/w)/w^2]/vs + sigma2 */
#include "core/hydro/hl-friction.h"

#include <math.h>

double
hl_friction_force (const HlFriction *friction, double v, double *slope)
{
  double viscous = friction->sigma2 * friction->scale;

  if (friction->model == HL_FRICTION_NONE) {
    *slope = 0.0;
    return 0.0;
  }
  if (friction->model == HL_FRICTION_VISCOUS) {
    *slope = viscous;
    return viscous * v;
  }
  double Fc = friction->Fc * friction->scale;
  double stribeck = friction->Fs * friction->scale - Fc;
  double z = v / friction->vs;
  double w = 0.25 * z * z + 0.75;
  double tanh4 = tanh (4.0 * z);
  *slope =
      (4.0 * Fc * (1.0 - tanh4 * tanh4) + stribeck * (1.0 - z * z / w) / (w * w)) / friction->vs +
      viscous;
  return Fc * tanh4 + stribeck * z / (w * w) + viscous * v;
}
