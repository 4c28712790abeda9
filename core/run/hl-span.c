/* SPDX-License-Identifier: MIT */
/* On a straight piece from y0 to y1
 *   mean         (y0 + y1) / 2
 *   mean square  (y0^2 + y0 y1 + y1^2) / 3 */
#include "core/run/hl-span.h"

#include <math.h>

/* Between rows `row` and `row + 1`, x within them. */
static double between (const HlSamples *samples, int row, double x) {
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
  return row > 0 ? between (samples, row - 1, x) : NAN;
}

double hl_samples_after (const HlSamples *samples, double x) {
  int n = hl_samples_count (samples);
  int row = hl_samples_lower_bound (samples, nextafter (x, INFINITY)) - 1; /* last one <= x */

  if (row < 0)
    return NAN;
  if (hl_samples_x (samples, row) == x)
    return hl_samples_y (samples, row);
  return row + 1 < n ? between (samples, row, x) : NAN;
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

/* Two samples at the x of `row`: a jump. */
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
