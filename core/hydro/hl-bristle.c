/* SPDX-License-Identifier: MIT */
/* The bristle, with u = v/vs:
 *   z'    = v - sigma0 a z/g             F = scale (sigma0 z + s1 z' + sigma2 v)
 *   g     = Fc + (Fs - Fc) e^(-u^2)      g' = -2 (Fs - Fc) (v/vs^2) e^(-u^2)
 *   LuGre:      a = |v|                  s1 = sigma1
 *   modified:   a = v tanh(v/ve)         s1 = sigma1 e^(-(v/vd)^2)
 *
 *   dz'/dv = 1 - sigma0 z (a' g - a g')/g^2             dz'/dz = -sigma0 a/g
 *   dF/dv  = scale (s1 dz'/dv + s1' z' + sigma2)        dF/dz  = scale (sigma0 + s1 dz'/dz)
 *   a'     = sign v, at 0 the mean 0;   tanh(v/ve) + (v/ve)(1 - tanh^2(v/ve))
 *   s1'    = 0;   -2 (v/vd^2) s1 */
#include "core/hydro/hl-bristle.h"

#include <math.h>

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
