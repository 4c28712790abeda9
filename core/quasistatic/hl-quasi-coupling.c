/* SPDX-License-Identifier: MIT */
/* Load lines of the virtual spring-damper in continuous and in discrete time, and their slopes.
 * With v = Lambda (B, fbar), fbar = K (p - l) - B l' and f = fbar + B v:
 *
 *   dv = (dv/dfbar) (K dp - K dl - B dl')
 *   df = (1 + B dv/dfbar) (K dp - K dl - B dl') */
#include "core/quasistatic/hl-quasi-coupling.h"

#include <stddef.h>

HlQuasiLoad
hl_quasi_coupling_rate_load (const HlQuasiCoupling *coupling, double p, double l, double l_rate)
{
  return (HlQuasiLoad){.beta = coupling->B, .fbar = coupling->K * (p - l) - coupling->B * l_rate};
}

HlQuasiCouplingSlopes
hl_quasi_coupling_slopes (const HlQuasiCoupling *coupling, double dv_dfbar)
{
  double df_dfbar = 1.0 + coupling->B * dv_dfbar;

  return (HlQuasiCouplingSlopes){.v_p = coupling->K * dv_dfbar,
                                 .v_l = -coupling->K * dv_dfbar,
                                 .v_l_rate = -coupling->B * dv_dfbar,
                                 .f_p = coupling->K * df_dfbar,
                                 .f_l = -coupling->K * df_dfbar,
                                 .f_l_rate = -coupling->B * df_dfbar};
}

HlQuasiLoad
hl_quasi_coupling_step_load (const HlQuasiCoupling *coupling, const HlQuasiStep *step)
{
  double l_rate = (step->l - step->l_prev) / step->h;

  return (HlQuasiLoad){.beta = coupling->B + step->h * coupling->K,
                       .fbar = coupling->K * (step->p_prev - step->l) - coupling->B * l_rate};
}

HlStatus
hl_quasi_coupling_step (const HlQuasiCoupling *coupling,
                        const HlActuator *actuator,
                        const HlPump *pump,
                        const HlQuasiStep *step,
                        double *p,
                        HlQuasiLambda *out)
{
  HlQuasiLoad load = hl_quasi_coupling_step_load (coupling, step);
  HlStatus status = hl_quasi_lambda_eval (actuator, pump, load.beta, load.fbar, out, NULL);

  if (status == HL_OK)
    *p = step->p_prev + step->h * out->v;
  return status;
}
