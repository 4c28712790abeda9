/* SPDX-License-Identifier: MIT */
#include "core/hydro/hl-orifice.h"

#include <math.h>

double hl_orifice_flow (double dp, double dp_lim, double *slope) {
  double size = fabs (dp);

  if (size <= dp_lim) {
    *slope = 1.0 / sqrt (dp_lim);
    return dp * *slope;
  }
  double root = sqrt (size);
  *slope = 0.5 / root;
  return dp < 0.0 ? -root : root;
}

double hl_orifice_one_way (double dp, double dp_lim, double *slope) {
  if (dp < 0.0) {
    *slope = 0.0;
    return 0.0;
  }
  double q = hl_orifice_flow (dp, dp_lim, slope);
  if (dp == 0.0)
    *slope *= 0.5;
  return q;
}

double hl_orifice_beyond (double dp, double below, double dp_lim, double *slope) {
  double q1 = hl_orifice_flow (fmax (dp + below, dp_lim), dp_lim, slope);

  if (dp + below <= dp_lim)
    *slope = 0.0;
  return q1;
}

double hl_orifice_conductance (double Cd, double area, double density) {
  return Cd * area * sqrt (2.0 / density);
}
