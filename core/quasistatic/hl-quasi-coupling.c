/* SPDX-License-Identifier: MIT */
/* Load lines of the virtual spring-damper in continuous and in discrete time, and their slopes.
 *
 *   v    = Lambda (B, fbar)
 *   fbar = K (p - l) - B l'
 *   f    = fbar + B v
 *
 *   dv = (dv/dfbar) (K dp - K dl - B dl')
 *   df = (1 + B dv/dfbar) (K dp - K dl - B dl') */
#include "core/quasistatic/hl-quasi-coupling.h"

#include <stddef.h>

HlQuasiLoad hl_quasi_coupling_rate_load (const HlQuasiCoupling *coupling, double p, double l, double l_rate) {
  return (HlQuasiLoad){.beta = coupling->B, .fbar = coupling->K * (p - l) - coupling->B * l_rate};
}

HlQuasiLoad hl_quasi_coupling_step_load (const HlQuasiCoupling *coupling, const HlQuasiStep *step) {
  double l_rate = (step->l - step->l_prev) / step->h;

  return (HlQuasiLoad){.beta = coupling->B + step->h * coupling->K,
                       .fbar = coupling->K * (step->p_prev - step->l) - coupling->B * l_rate};
}
