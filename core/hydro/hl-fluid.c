/* SPDX-License-Identifier: MIT */
#include "core/hydro/hl-fluid.h"

#include <math.h>

/* Near the onset volume and energy are third powers of the distance, which the closed forms would
 * find as differences of ones. There the series stand:
 *
 *   W = V sum_{k >= 3} (-1)^(k+1) (k - 2) u^k/k          E = -V p_c sum_{k >= 3} (1 - x)^k/k */

/* Up to here the series serve: their last term is below rounding after so many. Beyond, the closed
 * forms lose less than two digits. */
#define NEAR_ONSET 0.4
#define MOST_TERMS 45

double hl_pocket_compliance (double V, double onset, double p, double *slope) {
  *slope = 0.0;
  if (p >= onset)
    return 0.0;
  double u = (onset - p) / p;
  *slope = -2.0 * V * u / (p * p);
  return V * u * u / onset;
}

double hl_pocket_volume (double V, double onset, double p) {
  if (p >= onset)
    return 0.0;
  double x = p / onset, u = (onset - p) / p, sum = 0.0, power = u * u;
  if (u > NEAR_ONSET)
    return V * (1.0 / x - x + 2.0 * log (x));
  for (int k = 3; k < MOST_TERMS; k++) {
    power *= u;
    sum += (k % 2 == 1 ? 1.0 : -1.0) * (k - 2) * power / k;
  }
  return V * sum;
}

double hl_gas_compliance (double V0, double p0, double exponent, double p, double *slope) {
  double c = V0 / (exponent * p) * pow (p0 / p, 1.0 / exponent);

  *slope = -c * (1.0 + 1.0 / exponent) / p;
  return c;
}

double hl_gas_energy (double V0, double p0, double exponent, double r) {
  double m = exponent - 1.0;

  return V0 * p0 * (m != 0.0 ? expm1 (m * r) / m : r);
}
