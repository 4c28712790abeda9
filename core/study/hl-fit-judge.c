/* SPDX-License-Identifier: MIT */
/* What the data say of the numbers, linearized about the answer: J the slopes of the weighted residuals
 * by the numbers that no bound holds, each in parts of its size,
 *
 *   J = U S V^T,   covariance = noise^2 V S^-2 V^T,   noise^2 = |r|^2 / (points - numbers)
 *
 * The data do not tell a direction v_i along which one may go by half the numbers' size within 95 %, or
 * whose singular value drowns in the rounding of the slopes. */
#include "core/math/hl-linalg.h"
#include "core/study/hl-fit-private.h"
#include "core/study/hl-student.h"

#include <math.h>
#include <string.h>

#define CONFIDENCE 0.95
#define UNTOLD_SPREAD 0.5
#define UNTOLD_RATIO 1.0e-7
#define SHOWN 0.1 /* least part of a direction that its text names */

/* What a change of the coordinate is measured by here: the number's own value where it has one. */
static double
size_at (const HlFitNumber *number, double x)
{
  return number->is_log ? 1.0 : x != 0.0 ? fabs (x) : number->size;
}

static void
free_combination (gpointer data)
{
  HlFitCombination *self = data;

  g_free (self->direction);
  g_free (self->text);
  g_free (self);
}

static char *
text_of (const HlFit *fit, const double direction[])
{
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
      g_string_append_printf (text, "%s%s %+.2f", text->len > 0 ? ", " : "",
                              hl_fit_number (fit, k)->name,
                              direction[first] < 0.0 ? -direction[k] : direction[k]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_combination (const HlFit *fit,
                 HlFitAnswer *answer,
                 const int free_numbers[],
                 int n_free,
                 const double v[],
                 double ratio,
                 double spread)
{
  HlFitCombination *one = g_new0 (HlFitCombination, 1);

  one->direction = g_new0 (double, answer->n_numbers + 1);
  for (int k = 0; k < n_free; k++)
    one->direction[free_numbers[k]] = v[k];
  one->ratio = ratio;
  one->spread = spread;
  one->text = text_of (fit, one->direction);
  g_ptr_array_add (answer->untold, one);
}

/* covariance: of noise 1 */
static void
take_intervals (const HlFit *fit,
                HlFitAnswer *answer,
                const double x[],
                const int free_numbers[],
                int n_free,
                const double covariance[],
                double t)
{
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
          covariance[i + n_free * j] /
          sqrt (covariance[i + n_free * i] * covariance[j + n_free * j]);
  }
}

void
hl_fit_judge (const HlFit *fit, const double x[], const double J[], HlFitAnswer *answer)
{
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
                    *covariance = g_new0 (double, n_free *n_free),
                    *R = g_new (double, n_free *n_free);
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
  double t = hl_student_quantile (CONFIDENCE, answer->freedom);
  for (int i = 0; i < n_free; i++) {
    double ratio = sigma[0] > 0.0 ? sigma[i] / sigma[0] : 0.0;
    double spread = sigma[i] > 0.0 ? t * answer->noise / sigma[i] : INFINITY;
    answer->singular[i] = sigma[i];
    if (spread > UNTOLD_SPREAD || ratio < UNTOLD_RATIO)
      add_combination (fit, answer, free_numbers, n_free, V + i * n_free, ratio, spread);
    for (int a = 0; a < n_free; a++)
      for (int b = 0; b < n_free; b++)
        covariance[a + n_free * b] +=
            pow (1.0 / sigma[i], 2.0) * V[a + n_free * i] * V[b + n_free * i];
  }
  take_intervals (fit, answer, x, free_numbers, n_free, covariance, t);
}
