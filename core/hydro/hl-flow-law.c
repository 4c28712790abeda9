/* SPDX-License-Identifier: MIT */
#include "core/hydro/hl-flow-law.h"

#include <math.h>

/* Below this the law is that of laminar flow to the last bit: of r what is not laminar is less than
 * 1e-20, as b alone is 5e28 there. */
#define LAMINAR 600.0

static double fifteenth_power (double x) {
  double x2 = x * x, x4 = x2 * x2;

  return x4 * x4 * x4 * x2 * x;
}

double hl_churchill_loss (const HlChurchill *pipe, double q, double *slope) {
  double d = pipe->diameter, size = fabs (q);
  double per_flow = d * pipe->density / (pipe->area * pipe->viscosity); /* Re over |q| */
  double Re = size * per_flow;

  if (Re < LAMINAR) {
    *slope = 128.0 * pipe->viscosity * pipe->length / (M_PI * d * d * d * d);
    return *slope * q;
  }
  double seven = pow (7.0 / Re, 0.9), inside = seven + 0.27 * pipe->roughness / d;
  double A1 = -2.457 * log (inside);
  double A15 = fifteenth_power (A1), a = A15 * A1;
  double b = fifteenth_power (37530.0 / Re) * (37530.0 / Re), laminar = pow (8.0 / Re, 12.0);
  double ab = a + b, rough = 1.0 / (ab * sqrt (ab)), r = laminar + rough;
  double twelfth = pow (r, 1.0 / 12.0), f = 8.0 * twelfth;
  double a_slope = 16.0 * A15 * 2.457 * 0.9 * seven / (Re * inside);
  double b_slope = -16.0 * b / Re;
  double f_slope = 8.0 / 12.0 * twelfth / r * (-12.0 * laminar / Re - 1.5 * rough / ab * (a_slope + b_slope));
  double head = pipe->length * pipe->density / (d * pipe->area * pipe->area);

  *slope = head * (f * size + 0.5 * f_slope * per_flow * q * q);
  return 0.5 * f * head * q * size;
}

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
