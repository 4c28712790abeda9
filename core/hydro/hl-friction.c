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

/* Returns the bristle, with u = v/vs:
 *   z'    = v - sigma0 a z/g             F = scale (sigma0 z + s1 z' + sigma2 v)
 *   g     = Fc + (Fs - Fc) e^(-u^2)      g' = -2 (Fs - Fc) (v/vs^2) e^(-u^2)
 *   LuGre:      a = |v|                  s1 = sigma1
 *   modified:   a = v tanh(v/ve)         s1 = sigma1 e^(-(v/vd)^2)
 *
 *   dz'/dv = 1 - sigma0 z (a' g - a g')/g^2             dz'/dz = -sigma0 a/g
 *   dF/dv  = scale (s1 dz'/dv + s1' z' + sigma2)        dF/dz  = scale (sigma0 + s1 dz'/dz)
 *   a'     = sign v, at 0 the mean 0;   tanh(v/ve) + (v/ve)(1 - tanh^2(v/ve))
 *   s1'    = 0;   -2 (v/vd^2) s1 */

static double sign_of (double v, HlSide side) {
  if (v != 0.0)
    return v > 0.0 ? 1.0 : -1.0;
  return side == HL_SIDE_UP ? 1.0 : side == HL_SIDE_DOWN ? -1.0 : 0.0;
}

void hl_bristle_eval (const HlFriction *friction, double v, double z, HlSide side, HlBristle *out) {
  bool is_smooth = friction->model == HL_FRICTION_MODIFIED_LUGRE;
  double u = v / friction->vs, fall = friction->Fs - friction->Fc, bell = exp (-u * u);
  double g = friction->Fc + fall * bell;
  double g_slope = -2.0 * fall * (u / friction->vs) * bell;
  double a = fabs (v), a_slope = sign_of (v, side), s1 = friction->sigma1, s1_slope = 0.0;

  if (is_smooth) {
    double turn = tanh (v / friction->ve), fade = v / friction->vd;
    a = v * turn;
    a_slope = turn + v / friction->ve * (1.0 - turn * turn);
    s1 *= exp (-fade * fade);
    s1_slope = -2.0 * fade / friction->vd * s1;
  }
  out->rate = v - friction->sigma0 * a * z / g;
  out->rate_by_v = 1.0 - friction->sigma0 * z * (a_slope * g - a * g_slope) / (g * g);
  out->rate_by_z = -friction->sigma0 * a / g;
  out->force = friction->scale * (friction->sigma0 * z + s1 * out->rate + friction->sigma2 * v);
  out->force_by_v = friction->scale * (s1 * out->rate_by_v + s1_slope * out->rate + friction->sigma2);
  out->force_by_z = friction->scale * (friction->sigma0 + s1 * out->rate_by_z);
  out->stored = friction->scale * friction->sigma0 * z * out->rate;
  out->loss = out->force * v - out->stored;
}

double hl_bristle_scale (const HlFriction *friction) {
  return friction->Fs / friction->sigma0;
}

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
