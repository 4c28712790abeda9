/* SPDX-License-Identifier: MIT */
#include "core/hydro/hl-churchill.h"

#include <math.h>

double
hl_churchill_loss (const HlChurchill *pipe, double q, double *slope)
{
  double d = pipe->diameter, size = fabs (q);
  double per_flow = d * pipe->density / (pipe->area * pipe->viscosity); /* Re over |q| */
  double Re = size * per_flow;

  if (Re < 1.0) {
    *slope = 128.0 * pipe->viscosity * pipe->length / (M_PI * d * d * d * d);
    return *slope * q;
  }
  double seven = pow (7.0 / Re, 0.9), inside = seven + 0.27 * pipe->roughness / d;
  double A1 = -2.457 * log (inside);
  double a = pow (A1 * A1, 8.0), b = pow (37530.0 / Re, 16.0), laminar = pow (8.0 / Re, 12.0);
  double r = laminar + pow (a + b, -1.5), f = 8.0 * pow (r, 1.0 / 12.0);
  double a_slope = 16.0 * A1 * pow (A1 * A1, 7.0) * 2.457 * 0.9 * seven / (Re * inside);
  double b_slope = -16.0 * b / Re;
  double f_slope = 8.0 / 12.0 * pow (r, -11.0 / 12.0) *
                   (-12.0 * laminar / Re - 1.5 * pow (a + b, -2.5) * (a_slope + b_slope));
  double head = pipe->length * pipe->density / (d * pipe->area * pipe->area);

  *slope = head * (f * size + 0.5 * f_slope * per_flow * q * q);
  return 0.5 * f * head * q * size;
}
