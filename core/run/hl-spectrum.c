/* SPDX-License-Identifier: MIT */
/* The transform of any length n is Bluestein's (theory/observables.md (18), (19)): with
 *
 *   j k = (j^2 + k^2 - (k - j)^2) / 2
 *
 * the sum is a convolution with a chirp, done by transforms of a power of two. Angles pi j^2 / n
 * are reduced modulo 2 n in whole numbers first, so that they keep their digits. */
#include "core/run/hl-spectrum.h"

#include "core/math/hl-fft.h"

#include <math.h>
#include <string.h>

#define EVEN_WITHIN 1e-6 /* of the spacing: rows of a run are multiples of a step, rounded */
#define FEWEST 4

static const char *const names[HL_N_WINDOWS] = {"hann", "rectangular", "flat-top"};

const char *hl_window_shape_name (HlWindowShape shape) {
  return names[CLAMP ((int)shape, 0, HL_N_WINDOWS - 1)];
}

HlWindowShape hl_window_shape_find (const char *name) {
  for (int shape = 0; shape < HL_N_WINDOWS; shape++)
    if (g_strcmp0 (names[shape], name) == 0)
      return (HlWindowShape)shape;
  return HL_WINDOW_HANN;
}

/* Sums of cosines of the phase, 0 to 1; the flat top is that of ISO 18431-2. */
static double shape_value (HlWindowShape shape, double phase) {
  double angle = 2 * G_PI * phase;

  switch (shape) {
  case HL_WINDOW_RECTANGULAR:
    return 1;
  case HL_WINDOW_FLAT_TOP:
    return 1 - 1.933 * cos (angle) + 1.286 * cos (2 * angle) - 0.388 * cos (3 * angle) +
           0.0322 * cos (4 * angle);
  default:
    return 0.5 - 0.5 * cos (angle);
  }
}

/* Lagrange's cubic through rows first ... first + 3. */
static double cubic (const HlSamples *samples, int first, double x) {
  double sum = 0;

  for (int i = first; i < first + 4; i++) {
    double weight = 1;
    for (int k = first; k < first + 4; k++)
      if (k != i)
        weight *= (x - hl_samples_x (samples, k)) / (hl_samples_x (samples, i) - hl_samples_x (samples, k));
    sum += weight * hl_samples_y (samples, i);
  }
  return sum;
}

/* Across a jump or at the ends of a trace that short there is no cubic: a straight piece. */
static double value_at (const HlSamples *samples, double x) {
  int n = hl_samples_count (samples);
  int after = hl_samples_lower_bound (samples, x);
  int first = CLAMP (after - 2, 0, MAX (n - 4, 0));

  if (after < n && hl_samples_x (samples, after) == x)
    return hl_samples_y (samples, after);
  if (n < FEWEST)
    return hl_samples_after (samples, x);
  for (int row = first; row < first + 3; row++)
    if (!(hl_samples_x (samples, row + 1) > hl_samples_x (samples, row)))
      return hl_samples_after (samples, x);
  return x >= hl_samples_x (samples, 0) && x <= hl_samples_x (samples, n - 1) ? cubic (samples, first, x)
                                                                              : NAN;
}

void hl_samples_resample (const HlSamples *samples, double from, double step, int n, double out[]) {
  for (int i = 0; i < n; i++)
    out[i] = value_at (samples, from + i * step);
}

/* The samples themselves when they stand at equal distances. */
static gboolean are_even (const HlSamples *samples, int first, int count) {
  double x0 = hl_samples_x (samples, first);
  double step = (hl_samples_x (samples, first + count - 1) - x0) / (count - 1);

  for (int i = 1; i < count; i++)
    if (!(fabs (hl_samples_x (samples, first + i) - x0 - i * step) <= EVEN_WITHIN * step))
      return FALSE;
  return TRUE;
}

/* Bluestein's transform of n real numbers; re and im get k = 0 ... n / 2. */
static void transform (int n, const double y[], double re[], double im[]) {
  int size = 1;

  while (size < 2 * n - 1)
    size *= 2;
  g_autofree double *memory = g_new0 (double, 6 * (gsize)size + 2 * (gsize)n);
  double *a_re = memory, *a_im = a_re + size, *b_re = a_im + size, *b_im = b_re + size;
  double *table = b_im + size, *c = table + 2 * size, *s = c + n;

  for (int j = 0; j < n; j++) {
    gint64 turns = (gint64)j * j % (2 * (gint64)n);
    double angle = G_PI * (double)turns / n;
    c[j] = cos (angle);
    s[j] = sin (angle);
    a_re[j] = y[j] * c[j];
    a_im[j] = -y[j] * s[j];
    b_re[j] = c[j];
    b_im[j] = s[j];
    if (j > 0) {
      b_re[size - j] = c[j];
      b_im[size - j] = s[j];
    }
  }
  hl_fft_table (size, table);
  hl_fft_radix2 (size, table, a_re, a_im);
  hl_fft_radix2 (size, table, b_re, b_im);
  for (int k = 0; k < size; k++) {
    double product_re = a_re[k] * b_re[k] - a_im[k] * b_im[k];
    a_im[k] = a_re[k] * b_im[k] + a_im[k] * b_re[k];
    a_re[k] = product_re;
  }
  hl_fft_radix2 (size, table, a_im, a_re); /* the inverse */
  for (int k = 0; k <= n / 2; k++) {
    re[k] = (a_re[k] * c[k] + a_im[k] * s[k]) / size;
    im[k] = (a_im[k] * c[k] - a_re[k] * s[k]) / size;
  }
}

/* n values at equal distances; NULL when there are too few, or a gap. */
static double *even_values (const HlSamples *samples, double from, double to, int *n, double *step) {
  int first = hl_samples_lower_bound (samples, from);
  int count = hl_samples_lower_bound (samples, nextafter (to, INFINITY)) - first;

  if (count < FEWEST)
    return NULL;
  double x0 = hl_samples_x (samples, first);
  double length = hl_samples_x (samples, first + count - 1) - x0;
  if (!(length > 0) || !isfinite (length))
    return NULL;
  gboolean even = count <= HL_SPECTRUM_MOST && are_even (samples, first, count);
  *n = even ? count : (int)MIN (2 * (gint64)count, HL_SPECTRUM_MOST);
  *step = length / (*n - 1);
  double *values = g_new (double, *n);
  if (even)
    for (int i = 0; i < count; i++)
      values[i] = hl_samples_y (samples, first + i);
  else
    hl_samples_resample (samples, x0, *step, *n, values);
  for (int i = 0; i < *n; i++)
    if (!isfinite (values[i])) {
      /* the last instant may miss the last sample by a rounding */
      if (i == *n - 1 && isfinite (hl_samples_y (samples, first + count - 1))) {
        values[i] = hl_samples_y (samples, first + count - 1);
        continue;
      }
      g_free (values);
      return NULL;
    }
  return values;
}

HlCurve *hl_spectrum_new (const HlSamples *samples, double from, double to, HlWindowShape shape) {
  HlCurve *curve = g_new0 (HlCurve, 1);
  double mean = 0, weight = 0, step = 0;
  int n = 0;
  g_autofree double *values = even_values (samples, from, to, &n, &step);

  if (values == NULL)
    return curve;
  for (int i = 0; i < n; i++)
    mean += values[i] / n;
  for (int i = 0; i < n; i++) {
    double w = shape_value (shape, (double)i / n);
    values[i] = (values[i] - mean) * w;
    weight += w;
  }
  curve->n = n / 2 + 1;
  curve->x = g_new (double, curve->n);
  curve->y = g_new (double, curve->n);
  transform (n, values, curve->x, curve->y);
  for (int k = 0; k < curve->n; k++) {
    /* at half the sampling rate both sides fall together */
    double sides = 2 * k == n ? 1 : 2;
    curve->y[k] = k == 0 ? fabs (mean) : sides * hypot (curve->x[k], curve->y[k]) / weight;
    curve->x[k] = k / (n * step);
  }
  return curve;
}
