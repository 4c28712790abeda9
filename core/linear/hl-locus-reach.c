/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-locus-reach.h"

#include <math.h>
#include <stdlib.h>

#define SLOWEST 24  /* so many are followed at least */
#define MARGIN 1.5  /* over the farthest of these */
#define MOST_PART 6 /* of more than a sixth of all eigenvalues, and those beside them, all cost no more */

static int compare_numbers (const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;

  return (left > right) - (left < right);
}

double hl_locus_reach (int n, const HlEigenvalue values[]) {
  double reach = 0.0, *moduli;
  int n_moduli = 0, n_within = 0;

  if (n < HL_LOCUS_LARGE)
    return 0.0;
  moduli = calloc ((size_t)n, sizeof *moduli);
  for (int k = 0; k < n; k++) {
    double modulus = hypot (values[k].re, values[k].im);
    if (values[k].null)
      continue;
    moduli[n_moduli++] = modulus;
    if (!(-values[k].re >= HL_LOCUS_RINGS * modulus))
      reach = fmax (reach, modulus);
  }
  qsort (moduli, (size_t)n_moduli, sizeof *moduli, compare_numbers);
  reach = MARGIN * fmax (reach, n_moduli >= SLOWEST ? moduli[SLOWEST - 1] : INFINITY);
  while (n_within < n_moduli && moduli[n_within] <= reach)
    n_within++;
  free (moduli);
  return n_within <= n / MOST_PART ? reach : 0.0;
}
