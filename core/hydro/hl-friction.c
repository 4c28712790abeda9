/* SPDX-License-Identifier: MIT */
/* Friction without memory, with z = v/vs.
 *
 * Brown and McPhee, theory/hydraulics.md (22), (23), w = z^2/4 + 3/4:
 *   F  = Fc tanh(4 z) + (Fs - Fc) z/w^2 + sigma2 v
 *   F' = [4 Fc (1 - tanh^2 4z) + (Fs - Fc)(1 - z^2/w)/w^2]/vs + sigma2
 *
 * Stribeck curve through rest by tanh, theory/friction.md (1), g = Fc + (Fs - Fc) e^(-z^2):
 *   F  = g tanh(v/v0) + sigma2 v
 *   F' = g' tanh(v/v0) + (g/v0)(1 - tanh^2(v/v0)) + sigma2        g' = -2 (Fs - Fc) (z/vs) e^(-z^2)
 *
 * Bengisu and Akay, theory/friction.md (2), for |v| < vs, and beyond it:
 *   F  = Fs v (2 vs - |v|)/vs^2 + sigma2 v             F' = 2 Fs (vs - |v|)/vs^2 + sigma2
 *   F  = sign(v) [Fc + (Fs - Fc) e] + sigma2 v         F' = -xi (Fs - Fc) e + sigma2
 *   e  = e^(-xi (|v| - vs))
 * continuous at vs, where the slope is that of the outer branch. */
#include "core/hydro/hl-friction.h"

#include <math.h>

static double brown_mcphee (const HlFriction *friction, double v, double *slope) {
  double viscous = friction->sigma2 * friction->scale;
  double Fc = friction->Fc * friction->scale;
  double stribeck = friction->Fs * friction->scale - Fc;
  double per_speed = 1.0 / friction->vs, z = v * per_speed;
  double per_w = 1.0 / (0.25 * z * z + 0.75), per_w2 = per_w * per_w;
  double tanh4 = tanh (4.0 * z);

  *slope =
      (4.0 * Fc * (1.0 - tanh4 * tanh4) + stribeck * (1.0 - z * z * per_w) * per_w2) * per_speed + viscous;
  return Fc * tanh4 + stribeck * z * per_w2 + viscous * v;
}

static double stribeck_tanh (const HlFriction *friction, double v, double *slope) {
  double z = v / friction->vs, fall = friction->Fs - friction->Fc, bell = exp (-z * z);
  double g = friction->Fc + fall * bell, turn = tanh (v / friction->v0);
  double g_slope = -2.0 * fall * (z / friction->vs) * bell;
  /* 1 - tanh^2, exact where tanh is near 1 */
  double cosh_v = cosh (fmin (fabs (v / friction->v0), 350.0));

  *slope = friction->scale * (g_slope * turn + g / friction->v0 / (cosh_v * cosh_v) + friction->sigma2);
  return friction->scale * (g * turn + friction->sigma2 * v);
}

static double bengisu_akay (const HlFriction *friction, double v, double *slope) {
  double vs = friction->vs, speed = fabs (v), fall = friction->Fs - friction->Fc;

  if (speed < vs) {
    *slope = friction->scale * (2.0 * friction->Fs * (vs - speed) / (vs * vs) + friction->sigma2);
    return friction->scale * (friction->Fs * v * (2.0 * vs - speed) / (vs * vs) + friction->sigma2 * v);
  }
  double e = exp (-friction->xi * (speed - vs));
  *slope = friction->scale * (-friction->xi * fall * e + friction->sigma2);
  return friction->scale * (copysign (friction->Fc + fall * e, v) + friction->sigma2 * v);
}

double hl_friction_force (const HlFriction *friction, double v, double *slope) {
  switch (friction->model) {
  case HL_FRICTION_VISCOUS:
    *slope = friction->sigma2 * friction->scale;
    return *slope * v;
  case HL_FRICTION_BROWN_MCPHEE:
    return brown_mcphee (friction, v, slope);
  case HL_FRICTION_STRIBECK_TANH:
    return stribeck_tanh (friction, v, slope);
  case HL_FRICTION_BENGISU_AKAY:
    return bengisu_akay (friction, v, slope);
  default:
    *slope = 0.0;
    return 0.0;
  }
}

double hl_friction_steady (const HlFriction *friction, double v, double *slope) {
  if (!hl_friction_has_bristle (friction))
    return hl_friction_force (friction, v, slope);
  double z = v / friction->vs, fall = friction->Fs - friction->Fc, bell = exp (-z * z);
  double sign = v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0;

  *slope = friction->scale * (-2.0 * fall * fabs (z) / friction->vs * bell + friction->sigma2);
  return friction->scale * (sign * (friction->Fc + fall * bell) + friction->sigma2 * v);
}
