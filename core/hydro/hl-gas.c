/* SPDX-License-Identifier: MIT */
#include "core/hydro/hl-gas.h"

#include <math.h>

double hl_gas_compliance (double V0, double p0, double exponent, double p, double *slope) {
  double c = V0 / (exponent * p) * pow (p0 / p, 1.0 / exponent);

  *slope = -c * (1.0 + 1.0 / exponent) / p;
  return c;
}

double hl_gas_energy (double V0, double p0, double exponent, double r) {
  double m = exponent - 1.0;

  return V0 * p0 * (m != 0.0 ? expm1 (m * r) / m : r);
}
