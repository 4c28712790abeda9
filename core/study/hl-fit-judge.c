/* SPDX-License-Identifier: MIT */
/* What the data say of the numbers, linearized about the answer: J the slopes of the weighted residuals
 * by the numbers that no bound holds, each in parts of its size,
 *
 *   J = U S V^T,   covariance = noise^2 V S^-2 V^T,   noise^2 = |r|^2 / (points - numbers)
 *
 * The data do not tell a direction v_i along which one may go by half the numbers' size within 95 %, or
 * whose singular value drowns in the rounding of the slopes. */
#include "core/base/hl-i18n.h"
#include "core/math/hl-linalg.h"
#include "core/study/hl-fit-private.h"
#include "core/study/hl-student.h"

#include <math.h>
#include <string.h>

#define CONFIDENCE 0.95
#define UNTOLD_SPREAD 0.5
#define UNTOLD_RATIO 1.0e-7
/* Residuals of noise, n of them, have correlations of 1/sqrt (n) at each lag, and n times their squares add up to a
 * chi squared of LAGS, beyond CHI_SQUARED once in 300 000 fits. */
#define LAGS 8
#define CHI_SQUARED 40.0
#define FEWEST_POINTS 30
#define SMALL 1.0e-3 /* part of the range of a trace: residuals that are smaller are good enough */
#define PEAK 3.0     /* beyond the largest of n numbers of noise, in standard deviations */
#define SHOWN 0.1    /* least part of a direction that its text names */

/* Correlations of the residuals of a trace, r[n], at the lags 1 ... LAGS. */
static void find_correlations (int n, const double r[], double out[LAGS]) {
  double square = 0.0;

  memset (out, 0, LAGS * sizeof (double));
  for (int i = 0; i < n; i++) {
    square += r[i] * r[i];
    for (int lag = 1; lag <= LAGS && i + lag < n; lag++)
      out[lag - 1] += r[i] * r[i + lag];
  }
  for (int lag = 0; lag < LAGS; lag++)
    out[lag] = square > 0.0 ? out[lag] / square : 0.0;
}

static gboolean is_white (int n, const double correlations[LAGS]) {
  double sum = 0.0;

  for (int lag = 0; lag < LAGS; lag++)
    sum += n * correlations[lag] * correlations[lag];
  return n < FEWEST_POINTS || sum < CHI_SQUARED;
}

/* Whether no residual of a trace stands out as that of a curve that is steep elsewhere. */
static gboolean is_without_peak (int n, const double r[]) {
  double square = 0.0, most = 0.0;

  for (int i = 0; i < n; i++) {
    square += r[i] * r[i];
    most = fmax (most, fabs (r[i]));
  }
  return n < FEWEST_POINTS || most <= (sqrt (2.0 * log (n)) + PEAK) * sqrt (square / n);
}

gboolean hl_fit_is_noise (const HlFit *fit, const double r[]) {
  for (int trace = 0; trace < hl_fit_n_traces (fit); trace++) {
    HlFitTrace of = hl_fit_trace (fit, trace);
    double low = INFINITY, high = -INFINITY, square = 0.0, correlations[LAGS];
    for (int i = 0; i < of.n; i++) {
      low = fmin (low, of.measured[i]);
      high = fmax (high, of.measured[i]);
      square += pow (r[of.first + i] / of.weight, 2.0);
    }
    if (sqrt (square / MAX (of.n, 1)) <= SMALL * (high - low))
      continue;
    find_correlations (of.n, r + of.first, correlations);
    if (!is_white (of.n, correlations) || !is_without_peak (of.n, r + of.first))
      return FALSE;
  }
  return TRUE;
}

/* How much wider intervals are than noise would have it, where residuals go together: so many points as go together
 * tell as much as one. */
static double widen (const HlFit *fit, HlFitAnswer *answer) {
  g_autofree double *r = g_new (double, answer->n_points + 1);
  double most = 1.0;

  for (int trace = 0; trace < hl_fit_n_traces (fit); trace++) {
    HlFitTrace of = hl_fit_trace (fit, trace);
    double correlations[LAGS], together = 1.0;
    for (int i = of.first; i < of.first + of.n; i++)
      r[i] = answer->residual[i] * of.weight;
    find_correlations (of.n, r + of.first, correlations);
    for (int lag = 0; lag < LAGS && correlations[lag] > 0.0; lag++)
      together += 2.0 * correlations[lag];
    if (!is_white (of.n, correlations))
      most = fmax (most, sqrt (together));
  }
  if (!hl_fit_is_noise (fit, r))
    g_ptr_array_add (
        answer->notes,
        g_strdup_printf (_ ("The residuals are not noise: the model differs from what was measured, "
                            "or fits it better with other numbers. The intervals are %.2g times as "
                            "wide as for noise. Try more starts."),
                         most));
  return most;
}

/* What a change of the coordinate is measured by here: the number's own value where it has one. */
static double size_at (const HlFitNumber *number, double x) {
  return number->is_log ? 1.0 : x != 0.0 ? fabs (x) : number->size;
}

static void free_combination (gpointer data) {
  HlFitCombination *self = data;

  g_free (self->direction);
  g_free (self->text);
  g_free (self);
}

static char *text_of (const HlFit *fit, const double direction[]) {
  g_autoptr (GString) text = g_string_new (NULL);
  double largest = 0.0;
  int first = 0, n = hl_fit_n_numbers (fit);

  for (int k = 0; k < n; k++)
    if (fabs (direction[k]) > largest) {
      largest = fabs (direction[k]);
      first = k;
    }
  for (int k = 0; k < n; k++)
    if (fabs (direction[k]) >= SHOWN * largest)
      g_string_append_printf (text, "%s%s %+.2f", text->len > 0 ? ", " : "", hl_fit_number (fit, k)->name,
                              direction[first] < 0.0 ? -direction[k] : direction[k]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void add_combination (const HlFit *fit, HlFitAnswer *answer, const int free_numbers[], int n_free,
                             const double v[], double ratio, double spread) {
  HlFitCombination *one = g_new0 (HlFitCombination, 1);

  one->direction = g_new0 (double, answer->n_numbers + 1);
  for (int k = 0; k < n_free; k++)
    one->direction[free_numbers[k]] = v[k];
  one->ratio = ratio;
  one->spread = spread;
  one->text = text_of (fit, one->direction);
  g_ptr_array_add (answer->untold, one);
}

/* covariance: of noise 1, widened */
static void take_intervals (const HlFit *fit, HlFitAnswer *answer, const double x[], const int free_numbers[],
                            int n_free, const double covariance[], double t) {
  int n = answer->n_numbers;

  for (int i = 0; i < n_free; i++) {
    int k = free_numbers[i];
    const HlFitNumber *number = hl_fit_number (fit, k);
    double size = size_at (number, x[k]),
           deviation = size * answer->noise * sqrt (covariance[i + n_free * i]);
    answer->deviation[k] = number->is_log ? answer->numbers[k] * deviation : deviation;
    answer->low[k] = number->is_log ? exp (x[k] - t * deviation) : x[k] - t * deviation;
    answer->high[k] = number->is_log ? exp (x[k] + t * deviation) : x[k] + t * deviation;
    for (int j = 0; j < n_free; j++)
      answer->correlation[k + n * free_numbers[j]] =
          covariance[i + n_free * j] / sqrt (covariance[i + n_free * i] * covariance[j + n_free * j]);
  }
}

void hl_fit_judge (const HlFit *fit, const double x[], const double J[], HlFitAnswer *answer) {
  int n = answer->n_numbers, m = answer->n_points, n_free = 0, n_constants = 0;
  g_autofree int *free_numbers = g_new (int, n + 1);

  answer->untold = g_ptr_array_new_with_free_func (free_combination);
  for (int k = 0; k < n * n; k++)
    answer->correlation[k] = NAN;
  for (int k = 0; k < n; k++) {
    answer->deviation[k] = answer->low[k] = answer->high[k] = NAN;
    answer->singular[k] = 0.0;
    if (answer->places[k] == HL_FIT_INSIDE)
      free_numbers[n_free++] = k;
  }
  for (guint r = 0; r < fit->runs->len; r++) {
    const HlFitRun *run = g_ptr_array_index (fit->runs, r);
    for (guint c = 0; c < run->columns->len; c++)
      n_constants += g_array_index (run->columns, HlFitColumn, c).is_free;
  }
  answer->freedom = MAX (m - n_free - n_constants, 1);
  answer->noise = sqrt (2.0 * answer->cost / answer->freedom);
  if (n_free == 0)
    return;
  g_autofree double *A = g_new (double, (gsize)m *(gsize)n_free);
  g_autofree double *sigma = g_new0 (double, n_free), *V = g_new0 (double, n_free *n_free),
                    *covariance = g_new0 (double, n_free *n_free), *R = g_new (double, n_free *n_free);
  for (int i = 0; i < n_free; i++)
    for (int point = 0; point < m; point++)
      A[(gsize)i * (gsize)m + (gsize)point] =
          J[(gsize)free_numbers[i] * (gsize)m + (gsize)point] *
          size_at (hl_fit_number (fit, free_numbers[i]), x[free_numbers[i]]);
  HlLinalgWork *work = hl_linalg_work_new (n_free, n_free); /* square: not by the rows */
  HlStatus status = hl_triangle (m, n_free, A, R, work);
  if (status == HL_OK)
    status = hl_right_singular (n_free, n_free, R, sigma, V, work);
  hl_linalg_work_free (work);
  if (status != HL_OK)
    return;
  double t = hl_student_quantile (CONFIDENCE, answer->freedom), wide = widen (fit, answer);
  for (int i = 0; i < n_free; i++) {
    double ratio = sigma[0] > 0.0 ? sigma[i] / sigma[0] : 0.0;
    double spread = sigma[i] > 0.0 ? wide * t * answer->noise / sigma[i] : INFINITY;
    answer->singular[i] = sigma[i];
    if (spread > UNTOLD_SPREAD || ratio < UNTOLD_RATIO)
      add_combination (fit, answer, free_numbers, n_free, V + i * n_free, ratio, spread);
    for (int a = 0; a < n_free; a++)
      for (int b = 0; b < n_free; b++)
        covariance[a + n_free * b] += pow (wide / sigma[i], 2.0) * V[a + n_free * i] * V[b + n_free * i];
  }
  take_intervals (fit, answer, x, free_numbers, n_free, covariance, t);
}
