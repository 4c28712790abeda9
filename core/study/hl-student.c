/* SPDX-License-Identifier: MIT */
#include "core/study/hl-student.h"

#include <math.h>

#define MOST_TERMS 10000
#define PRECISION 1.0e-15
#define BISECTIONS 200

/* I_x (a, b) where the fraction converges fast, x < (a + 1) / (a + b + 2): modified Lentz. */
static double beta_fraction (double x, double a, double b) {
  double tiny = 1e-300, c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);

  d = 1.0 / (fabs (d) < tiny ? tiny : d);
  double sum = d;
  for (int m = 1; m < MOST_TERMS; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
           odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0));
    const double terms[2] = {even, odd};
    double change = 1.0;
    for (int k = 0; k < 2; k++) {
      d = 1.0 + terms[k] * d;
      c = 1.0 + terms[k] / c;
      d = 1.0 / (fabs (d) < tiny ? tiny : d);
      change *= c * d;
      c = fabs (c) < tiny ? tiny : c;
    }
    sum *= change;
    if (fabs (change - 1.0) < PRECISION)
      break;
  }
  return exp (lgamma (a + b) - lgamma (a) - lgamma (b) + a * log (x) + b * log1p (-x)) * sum / a;
}

double hl_student_probability (double t, int freedom) {
  double n = freedom, x = n / (n + t * t), a = 0.5 * n, b = 0.5;

  if (t == 0.0)
    return 0.0;
  return x < (a + 1.0) / (a + b + 2.0) ? 1.0 - beta_fraction (x, a, b) : beta_fraction (1.0 - x, b, a);
}

double hl_student_quantile (double probability, int freedom) {
  double low = 0.0, high = 1.0;

  while (hl_student_probability (high, freedom) < probability && high < 1e300)
    high *= 2.0;
  for (int k = 0; k < BISECTIONS && high - low > PRECISION * high; k++) {
    double middle = 0.5 * (low + high);
    if (hl_student_probability (middle, freedom) < probability)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}
