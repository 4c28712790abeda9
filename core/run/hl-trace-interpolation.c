/* SPDX-License-Identifier: MIT */
/* On a straight piece from y0 to y1
 *   mean         (y0 + y1) / 2
 *   mean square  (y0^2 + y0 y1 + y1^2) / 3 */
#include "core/run/hl-trace-interpolation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Decimation in time: bit-reversed order, then butterflies of growing width, half by half so that a
 * long transform stays in the cache. The twiddle factors are cosines and sines of their own angles,
 * not products of each other, so that the error stays at some units of the last place times log2 n.
 * Those of the butterflies of width h stand at h ... 2 h - 1 of the table: cosines, n further on
 * the sines. */

#define BLOCK 1024 /* numbers that are near each other in the cache */
#define TWO_PI 6.283185307179586476925286766559

static void swap_numbers (double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

static void reverse_bits (int n, double re[], double im[]) {
  int reversed = 0;

  for (int i = 1; i < n; i++) {
    int bit = n >> 1;
    for (; reversed & bit; bit >>= 1)
      reversed ^= bit;
    reversed |= bit;
    if (i < reversed) {
      swap_numbers (&re[i], &re[reversed]);
      swap_numbers (&im[i], &im[reversed]);
    }
  }
}

void hl_fft_table (int n, double table[]) {
  double *c = table, *s = table + n;

  assert (n >= 1 && (n & (n - 1)) == 0);
  for (int k = 0; k < n / 2; k++) {
    double angle = -TWO_PI * k / n;
    c[n / 2 + k] = cos (angle);
    s[n / 2 + k] = sin (angle);
  }
  for (int half = n / 4; half >= 1; half /= 2)
    for (int k = 0; k < half; k++) {
      c[half + k] = c[2 * half + 2 * k];
      s[half + k] = s[2 * half + 2 * k];
    }
}

/* Joins both transformed halves of 2 half numbers. */
static void join_halves (int half, const double c[], const double s[], double re[], double im[]) {
  for (int a = 0; a < half; a++) {
    int b = a + half;
    double t_re = c[a] * re[b] - s[a] * im[b], t_im = c[a] * im[b] + s[a] * re[b];
    re[b] = re[a] - t_re;
    im[b] = im[a] - t_im;
    re[a] += t_re;
    im[a] += t_im;
  }
}

static void radix2 (int n, const double c[], const double s[], double re[], double im[]) {
  if (n > BLOCK) {
    radix2 (n / 2, c, s, re, im);
    radix2 (n / 2, c, s, re + n / 2, im + n / 2);
    join_halves (n / 2, c + n / 2, s + n / 2, re, im);
    return;
  }
  for (int half = 1; half < n; half *= 2)
    for (int at = 0; at < n; at += 2 * half)
      join_halves (half, c + half, s + half, re + at, im + at);
}

void hl_fft_radix2 (int n, const double table[], double re[], double im[]) {
  assert (n >= 1 && (n & (n - 1)) == 0);
  reverse_bits (n, re, im);
  radix2 (n, table, table + n, re, im);
}

/* The transform of any length n is Bluestein's (theory/observables.md (18), (19)): with
 *
 *   j k = (j^2 + k^2 - (k - j)^2) / 2
 *
 * the sum is a convolution with a chirp, done by transforms of a power of two. Angles pi j^2 / n
 * are reduced modulo 2 n in whole numbers first, so that they keep their digits. */

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

/* Returns the sums of cosines of the phase, 0 to 1; the flat top is that of ISO 18431-2. */
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

/* Returns the Lagrange's cubic through rows first ... first + 3. */
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

/* Interpolates by a cubic; linearly across a jump and in traces too short for a cubic. */
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

/* Returns whether the samples have equal distances, so that they can be used directly. */
static gboolean are_even (const HlSamples *samples, int first, int count) {
  double x0 = hl_samples_x (samples, first);
  double step = (hl_samples_x (samples, first + count - 1) - x0) / (count - 1);

  for (int i = 1; i < count; i++)
    if (!(fabs (hl_samples_x (samples, first + i) - x0 - i * step) <= EVEN_WITHIN * step))
      return FALSE;
  return TRUE;
}

/* Computes Bluestein's transform of n real numbers; re and im get k = 0 ... n / 2. */
static void bluestein (int n, const double y[], double re[], double im[]) {
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

/* Returns n values at equal distances; NULL when there are too few, or a gap. */
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
  bluestein (n, values, curve->x, curve->y);
  for (int k = 0; k < curve->n; k++) {
    /* at half the sampling rate both sides fall together */
    double sides = 2 * k == n ? 1 : 2;
    curve->y[k] = k == 0 ? fabs (mean) : sides * hypot (curve->x[k], curve->y[k]) / weight;
    curve->x[k] = k / (n * step);
  }
  return curve;
}

/* Interpolates between rows `row` and `row + 1`, x within them. */
static double interpolate_rows (const HlSamples *samples, int row, double x) {
  double x0 = hl_samples_x (samples, row), x1 = hl_samples_x (samples, row + 1);
  double y0 = hl_samples_y (samples, row), y1 = hl_samples_y (samples, row + 1);

  return x1 > x0 ? y0 + (y1 - y0) * ((x - x0) / (x1 - x0)) : y1;
}

double hl_samples_before (const HlSamples *samples, double x) {
  int n = hl_samples_count (samples), row = hl_samples_lower_bound (samples, x);

  if (row == n)
    return NAN;
  if (hl_samples_x (samples, row) == x)
    return hl_samples_y (samples, row);
  return row > 0 ? interpolate_rows (samples, row - 1, x) : NAN;
}

double hl_samples_after (const HlSamples *samples, double x) {
  int n = hl_samples_count (samples);
  int row = hl_samples_lower_bound (samples, nextafter (x, INFINITY)) - 1; /* last one <= x */

  if (row < 0)
    return NAN;
  if (hl_samples_x (samples, row) == x)
    return hl_samples_y (samples, row);
  return row + 1 < n ? interpolate_rows (samples, row, x) : NAN;
}

typedef struct {
  double length, integral, square, min, max;
} Sum;

static void add_piece (Sum *sum, double x0, double y0, double x1, double y1) {
  if (!isfinite (y0) || !isfinite (y1))
    return;
  double h = x1 - x0;
  sum->length += h;
  sum->integral += h * 0.5 * (y0 + y1);
  sum->square += h * (y0 * y0 + y0 * y1 + y1 * y1) / 3.0;
  sum->min = fmin (sum->min, fmin (y0, y1));
  sum->max = fmax (sum->max, fmax (y0, y1));
}

HlSpanMeasure hl_samples_measure (const HlSamples *samples, double from, double to) {
  Sum sum = {0, 0, 0, INFINITY, -INFINITY};
  HlSpanMeasure measure = {.from = fmin (from, to), .to = fmax (from, to)};
  int n = hl_samples_count (samples);
  int row = hl_samples_lower_bound (samples, nextafter (measure.from, INFINITY));

  measure.at_from = hl_samples_after (samples, measure.from);
  measure.at_to = hl_samples_before (samples, measure.to);
  /* One instant: its own value. */
  if (measure.from == measure.to) {
    measure.at_to = measure.at_from;
    measure.min = measure.max = measure.mean = measure.at_from;
    measure.rms = fabs (measure.at_from);
    return measure;
  }
  double x0 = measure.from, y0 = measure.at_from;
  for (; row < n && hl_samples_x (samples, row) < measure.to; row++) {
    double x1 = hl_samples_x (samples, row), y1 = hl_samples_y (samples, row);
    add_piece (&sum, x0, y0, x1, y1);
    x0 = x1;
    y0 = y1;
  }
  add_piece (&sum, x0, y0, measure.to, measure.at_to);

  measure.covered = sum.length;
  gboolean any = sum.length > 0;
  measure.min = any ? sum.min : NAN;
  measure.max = any ? sum.max : NAN;
  measure.mean = any ? sum.integral / sum.length : NAN;
  measure.rms = any ? sqrt (sum.square / sum.length) : NAN;
  return measure;
}

HlSpanMeasure hl_span_measure_scaled (const HlSpanMeasure *measure, double factor, double offset) {
  HlSpanMeasure scaled = *measure;
  double a = factor * measure->min + offset, b = factor * measure->max + offset;
  /* (f y + o)^2 = f^2 y^2 + 2 f o y + o^2; rounding may leave a little less than nothing */
  double square =
      factor * factor * measure->rms * measure->rms + 2 * factor * offset * measure->mean + offset * offset;

  scaled.at_from = factor * measure->at_from + offset;
  scaled.at_to = factor * measure->at_to + offset;
  scaled.min = factor < 0 ? b : a;
  scaled.max = factor < 0 ? a : b;
  scaled.mean = factor * measure->mean + offset;
  scaled.rms = isnan (square) ? NAN : sqrt (fmax (square, 0));
  return scaled;
}

void hl_curve_free (HlCurve *curve) {
  if (curve == NULL)
    return;
  g_free (curve->x);
  g_free (curve->y);
  g_free (curve);
}

HlSamples hl_curve_samples (const HlCurve *curve) {
  return (HlSamples){.x = curve->x, .y = curve->y, .n = curve->n};
}

/* Returns whether the trace jumps, which means two samples at the x of `row`. */
static gboolean is_jump (const HlSamples *samples, int row, double x) {
  return row + 1 < hl_samples_count (samples) && hl_samples_x (samples, row) == x &&
         hl_samples_x (samples, row + 1) == x;
}

static void add_point (HlCurve *curve, double x, double y) {
  /* gaps are kept, once */
  if (isnan (y) && (curve->n == 0 || isnan (curve->y[curve->n - 1])))
    return;
  curve->x[curve->n] = x;
  curve->y[curve->n++] = y;
}

HlCurve *hl_samples_difference (const HlSamples *a, const HlScaling *a_scaling, const HlSamples *b,
                                const HlScaling *b_scaling) {
  static const HlScaling as_it_is = {1, 0};
  HlScaling sa = a_scaling != NULL ? *a_scaling : as_it_is;
  HlScaling sb = b_scaling != NULL ? *b_scaling : as_it_is;
  int n_a = hl_samples_count (a), n_b = hl_samples_count (b), i = 0, k = 0;
  HlCurve *curve = g_new0 (HlCurve, 1);

  curve->x = g_new (double, 2 * ((gsize)n_a + (gsize)n_b) + 1);
  curve->y = g_new (double, 2 * ((gsize)n_a + (gsize)n_b) + 1);
  while (i < n_a || k < n_b) {
    double x = fmin (i < n_a ? hl_samples_x (a, i) : INFINITY, k < n_b ? hl_samples_x (b, k) : INFINITY);
    gboolean jump = is_jump (a, i, x) || is_jump (b, k, x);
    if (jump)
      add_point (curve, x,
                 sa.factor * hl_samples_before (a, x) + sa.offset -
                     (sb.factor * hl_samples_before (b, x) + sb.offset));
    add_point (curve, x,
               sa.factor * hl_samples_after (a, x) + sa.offset -
                   (sb.factor * hl_samples_after (b, x) + sb.offset));
    while (i < n_a && hl_samples_x (a, i) <= x)
      i++;
    while (k < n_b && hl_samples_x (b, k) <= x)
      k++;
  }
  if (curve->n > 0 && isnan (curve->y[curve->n - 1]))
    curve->n--;
  return curve;
}
