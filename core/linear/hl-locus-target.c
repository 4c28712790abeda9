/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-locus-target.h"

#include <math.h>

bool hl_locus_target_is_set (const HlLocusTarget *target) {
  return !isnan (target->zeta) || !isnan (target->omega);
}

/* How far an eigenvalue is inside of the target: the least of zeta - target and of
 * omega / target - 1, negative outside. INFINITY: nothing is asked for. */
static double margin_of (const HlLocusTarget *target, double re, double im) {
  double size = hypot (re, im), margin = INFINITY;

  if (!isnan (target->zeta))
    margin = fmin (margin, (size > 0.0 ? -re / size : 0.0) - target->zeta);
  if (!isnan (target->omega))
    margin = fmin (margin, size / target->omega - 1.0);
  return margin;
}

/* Of the eigenvalue that is farthest from meeting it; NAN where one is unknown. */
static double margin_of_row (const HlLocus *locus, const HlLocusTarget *target, int row) {
  double least = INFINITY;

  for (int branch = 0; branch < locus->n_states; branch++) {
    int at = row * locus->n_states + branch;
    if (locus->null != NULL && locus->null[branch])
      continue;
    double margin = margin_of (target, locus->re[at], locus->im[at]);
    if (isnan (margin))
      return NAN;
    least = fmin (least, margin);
  }
  return least;
}

int hl_locus_target_ranges (const HlLocus *locus, const HlLocusTarget *target, double ranges[][2], int most) {
  double last = NAN;
  int n = 0;
  bool is_open = false;

  for (int row = 0; row < locus->n_values && n < most; row++) {
    double margin = margin_of_row (locus, target, row);
    double value = locus->values[row];
    double before = row > 0 ? locus->values[row - 1] : value;
    double between = isfinite (last) && isfinite (margin) && margin != last
                         ? before + (value - before) * last / (last - margin)
                         : value;
    if (!is_open && margin >= 0.0) {
      ranges[n][0] = row > 0 && last < 0.0 ? between : value;
      is_open = true;
    } else if (is_open && !(margin >= 0.0)) {
      ranges[n++][1] = isnan (margin) ? before : between;
      is_open = false;
    }
    last = margin;
  }
  if (is_open && n < most)
    ranges[n++][1] = locus->values[locus->n_values - 1];
  return n;
}
