/* SPDX-License-Identifier: MIT */
#include "core/analysis/hl-crossing.h"

#include <math.h>
#include <stddef.h>

#define MOST_ITERATIONS 80

/* Real part of the eigenvalue nearest to the expected one; NAN when the point cannot be evaluated.
 */
static double
real_part_at (HlSweepPoint *sweep,
              const HlSweepParameter *parameter,
              double value,
              double re,
              double im,
              double *found_im)
{
  hl_sweep_point_set (sweep, parameter, value);
  if (hl_sweep_point_eval (sweep, HL_EIGEN_NULL, NULL) != HL_OK)
    return NAN;
  int k = hl_sweep_point_nearest (sweep, re, im, false);
  if (k < 0)
    return NAN;
  *found_im = cimag (hl_sweep_point_eigen (sweep)->value[k]);
  return creal (hl_sweep_point_eigen (sweep)->value[k]);
}

/* Illinois: a secant that keeps its bracket. */
static bool
solve (HlSweepPoint *sweep,
       const HlSweepParameter *parameter,
       double a,
       double fa,
       double b,
       double fb,
       double im,
       HlCrossing *out)
{
  double width = fabs (b - a), largest = fmax (fabs (fa), fabs (fb));
  bool is_real = im == 0.0;

  for (int step = 0; step < MOST_ITERATIONS; step++) {
    double middle = b - fb * (b - a) / (fb - fa), at_im = im;
    if (!(middle > fmin (a, b) && middle < fmax (a, b)))
      middle = 0.5 * (a + b);
    double f = real_part_at (sweep, parameter, middle, 0.0, im, &at_im);
    if (isnan (f))
      return false;
    im = at_im;
    /* a real eigenvalue at zero joins the null ones: the nearest of the others is then far off */
    if (is_real && (at_im != 0.0 || fabs (f) > largest)) {
      f = 0.0;
      im = 0.0;
    }
    out->value = middle;
    out->frequency_hz = fabs (im) / (2.0 * M_PI);
    if (f == 0.0 || fabs (b - a) <= 1e-14 * fabs (middle) + 1e-16 * width)
      return true;
    if ((f < 0.0) == (fb < 0.0))
      fa *= 0.5;
    else {
      a = b;
      fa = fb;
    }
    if (fabs (middle - b) <= 1e-14 * fabs (middle))
      return true;
    b = middle;
    fb = f;
  }
  return true;
}

int
hl_crossings_find (const HlSystem *sys,
                   const HlSweepParameter *parameter,
                   HlStart start,
                   const HlLocus *locus,
                   HlCrossing out[],
                   int max)
{
  HlSweepPoint *sweep = hl_sweep_point_new (sys, start, NULL);
  int n = locus->n_states, count = 0;

  if (sweep == NULL)
    return 0;
  for (int branch = 0; branch < n; branch++)
    for (int row = 0; !locus->null[branch] && row + 1 < locus->n_values; row++) {
      double re0 = locus->re[row * n + branch], re1 = locus->re[(row + 1) * n + branch];
      double im = 0.5 * (locus->im[row * n + branch] + locus->im[(row + 1) * n + branch]);
      HlCrossing crossing = {.branch = branch, .into_right = re1 > re0};

      if ((re0 < 0.0) == (re1 < 0.0) || im < 0.0)
        continue;
      if (!solve (sweep, parameter, locus->values[row], re0, locus->values[row + 1], re1, im,
                  &crossing))
        continue;
      if (count < max)
        out[count] = crossing;
      count++;
    }
  hl_sweep_point_free (sweep);
  return count;
}
