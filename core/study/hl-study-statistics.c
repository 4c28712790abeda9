/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study-statistics.h"

#include "core/study/hl-study-design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESAMPLES 1000
#define BOOTSTRAP_STREAM 0xb007

static int compare_numbers (const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double quantile (const double sorted[], int n, double part) {
  double at = part * (n - 1);
  int k = MIN ((int)at, n - 1);

  return k + 1 < n ? sorted[k] + (at - k) * (sorted[k + 1] - sorted[k]) : sorted[n - 1];
}

HlSpread hl_spread_eval (const double values[], int n) {
  g_autofree double *sorted = g_new (double, n + 1);
  HlSpread spread = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  double mean = 0.0, squares = 0.0;

  for (int k = 0; k < n; k++)
    if (!isnan (values[k])) {
      /* Welford's update: no cancellation */
      double away = values[k] - mean;
      sorted[spread.n++] = values[k];
      mean += away / spread.n;
      squares += away * (values[k] - mean);
    }
  if (spread.n == 0)
    return spread;
  qsort (sorted, (size_t)spread.n, sizeof (double), compare_numbers);
  spread.mean = mean;
  spread.deviation = spread.n > 1 ? sqrt (squares / (spread.n - 1)) : NAN;
  spread.min = sorted[0];
  spread.max = sorted[spread.n - 1];
  spread.q05 = quantile (sorted, spread.n, 0.05);
  spread.median = quantile (sorted, spread.n, 0.5);
  spread.q95 = quantile (sorted, spread.n, 0.95);
  return spread;
}

double hl_correlation_eval (const double a[], const double b[], int n) {
  double mean_a = 0.0, mean_b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
  int used = 0;

  for (int k = 0; k < n; k++) {
    if (isnan (a[k]) || isnan (b[k]))
      continue;
    double away_a = a[k] - mean_a, away_b = b[k] - mean_b;
    used++;
    mean_a += away_a / used;
    mean_b += away_b / used;
    aa += away_a * (a[k] - mean_a);
    bb += away_b * (b[k] - mean_b);
    ab += away_a * (b[k] - mean_b);
  }
  return aa > 0.0 && bb > 0.0 ? ab / sqrt (aa * bb) : NAN;
}

/* Values about their mean, base points side by side: A, B, AB_1 ... */
typedef struct {
  double *values; /* n x width */
  int n, width;
} Sample;

static void estimate (const Sample *sample, const int picks[], double first[], double total[]) {
  int n = sample->n, n_dimensions = sample->width - 2;
  double mean = 0.0, variance = 0.0;

  for (int k = 0; k < n; k++) {
    const double *f = sample->values + (gsize)picks[k] * (gsize)sample->width;
    mean += (f[0] + f[1]) / (2.0 * n);
  }
  for (int i = 0; i < n_dimensions; i++)
    first[i] = total[i] = 0.0;
  for (int k = 0; k < n; k++) {
    const double *f = sample->values + (gsize)picks[k] * (gsize)sample->width;
    variance += ((f[0] - mean) * (f[0] - mean) + (f[1] - mean) * (f[1] - mean)) / (2.0 * n);
    for (int i = 0; i < n_dimensions; i++) {
      first[i] += (f[1] - mean) * (f[2 + i] - f[0]) / n;
      total[i] += (f[0] - f[2 + i]) * (f[0] - f[2 + i]) / (2.0 * n);
    }
  }
  for (int i = 0; i < n_dimensions; i++) {
    first[i] = variance > 0.0 ? first[i] / variance : NAN;
    total[i] = variance > 0.0 ? total[i] / variance : NAN;
  }
}

static Sample gather_sample (const double values[], int n_base, int width) {
  Sample sample = {g_new (double, (gsize)n_base *(gsize)width + 1), 0, width};

  for (int base = 0; base < n_base; base++) {
    const double *f = values + (gsize)base * (gsize)width;
    gboolean is_whole = TRUE;
    for (int k = 0; k < width; k++)
      is_whole = is_whole && isfinite (f[k]);
    if (is_whole)
      memcpy (sample.values + (gsize)sample.n++ * (gsize)width, f, sizeof (double) * (gsize)width);
  }
  return sample;
}

/* Computes the middle 95 % of the results of resampled base points, one number after the other. */
static void bootstrap (const Sample *sample, guint64 seed, HlSobolIndex out[]) {
  int d = sample->width - 2, n = sample->n;
  g_autofree int *picks = g_new (int, n);
  g_autofree double *first = g_new (double, d + 1);
  g_autofree double *total = g_new (double, d + 1);
  g_autofree double *firsts = g_new (double, RESAMPLES *(gsize)(d + 1));
  g_autofree double *totals = g_new (double, RESAMPLES *(gsize)(d + 1));

  for (int round = 0; round < RESAMPLES; round++) {
    for (int k = 0; k < n; k++)
      picks[k] =
          (int)(hl_study_random_uniform (seed, BOOTSTRAP_STREAM, (guint64)round << 32 | (guint64)k) * n);
    estimate (sample, picks, first, total);
    for (int i = 0; i < d; i++) {
      firsts[i * RESAMPLES + round] = first[i];
      totals[i * RESAMPLES + round] = total[i];
    }
  }
  for (int i = 0; i < d; i++) {
    double *f = firsts + i * RESAMPLES, *t = totals + i * RESAMPLES;
    qsort (f, RESAMPLES, sizeof (double), compare_numbers);
    qsort (t, RESAMPLES, sizeof (double), compare_numbers);
    out[i].first_low = quantile (f, RESAMPLES, 0.025);
    out[i].first_high = quantile (f, RESAMPLES, 0.975);
    out[i].total_low = quantile (t, RESAMPLES, 0.025);
    out[i].total_high = quantile (t, RESAMPLES, 0.975);
  }
}

int hl_sobol_indices_eval (const double values[], int n_base, int n_dimensions, guint64 seed,
                           HlSobolIndex out[]) {
  Sample sample = gather_sample (values, n_base, n_dimensions + 2);
  g_autofree int *all = g_new (int, sample.n + 1);
  g_autofree double *first = g_new (double, n_dimensions + 1);
  g_autofree double *total = g_new (double, n_dimensions + 1);

  for (int k = 0; k < sample.n; k++)
    all[k] = k;
  for (int i = 0; i < n_dimensions; i++)
    out[i] = (HlSobolIndex){NAN, NAN, NAN, NAN, NAN, NAN};
  if (sample.n >= 2) {
    estimate (&sample, all, first, total);
    for (int i = 0; i < n_dimensions; i++) {
      out[i].first = first[i];
      out[i].total = total[i];
    }
    if (!isnan (first[0]))
      bootstrap (&sample, seed, out);
  }
  g_free (sample.values);
  return sample.n;
}
