/* SPDX-License-Identifier: MIT */
/* Solving a fit from each of its starts. A relative trace and its measurement differ by an unknown constant
 * (the zero of the sensor and the noise of its first value). The best constant is the mean of the residuals,
 * so the residuals and their slopes are taken about their means (variable projection, G. Golub, V. Pereyra,
 * SIAM J. Numer. Anal. 10 (1973) 413). */
#include "core/study/hl-parameter-fit.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/linear/hl-parallel-loop.h"
#include "core/math/hl-bounded-least-squares.h"
#include "core/math/hl-linalg.h"
#include "core/study/hl-study-design.h"
#include "core/study/hl-parameter-fit-private.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Statistics of the fitted parameters, linearized about the solution: J the slopes of the weighted residuals
 * by the numbers that no bound holds, each in parts of its size,
 *
 *   J = U S V^T,   covariance = noise^2 V S^-2 V^T,   noise^2 = |r|^2 / (points - numbers)
 *
 * The data do not determine a direction v_i along which the 95 % interval exceeds half the numbers' size, or whose
 * singular value is below the rounding of the slopes. */

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

/* Returns whether no residual of a trace stands out as that of a curve that is steep elsewhere. */
static gboolean is_without_peak (int n, const double r[]) {
  double square = 0.0, most = 0.0;

  for (int i = 0; i < n; i++) {
    square += r[i] * r[i];
    most = fmax (most, fabs (r[i]));
  }
  return n < FEWEST_POINTS || most <= (sqrt (2.0 * log (n)) + PEAK) * sqrt (square / n);
}

/* Returns whether weighted residuals r[n_points] look like noise, or are too small to matter: neighboring
 * ones do not go together. */
static gboolean is_noise (const HlFit *fit, const double r[]) {
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

/* Returns the factor by which intervals are wider than for white noise, where residuals are correlated: a group of
 * correlated points counts as one. */
static double widen_intervals (const HlFit *fit, HlFitAnswer *answer) {
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
  if (!is_noise (fit, r))
    g_ptr_array_add (
        answer->notes,
        g_strdup_printf (
            _ ("The residuals are not noise: the model differs from the measured data, or other numbers fit "
               "better. The confidence intervals are %s times as wide as for noise. Try more starts."),
            hl_shown (most, 2).text));
  return most;
}

/* Returns the size by which a change of the coordinate is measured: the number's own magnitude if it is not
 * 0. */
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
    if (fabs (direction[k]) >= SHOWN * largest) {
      g_autofree char *part = hl_number_localize (
          g_strdup_printf ("%+.2f", direction[first] < 0.0 ? -direction[k] : direction[k]));
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", hl_fit_number (fit, k)->name, part);
    }
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
  g_ptr_array_add (answer->undetermined, one);
}

/* Computes the intervals. covariance: of noise 1, widened. */
static void compute_intervals (const HlFit *fit, HlFitAnswer *answer, const double x[],
                               const int free_numbers[], int n_free, const double covariance[], double t) {
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

/* Intervals, correlations, what is determined and what is not, of an answer whose numbers, cost and places are
 * there; x[n_numbers], J[n_points x n_numbers] of the weighted residuals by x. */
static void judge_fit (const HlFit *fit, const double x[], const double J[], HlFitAnswer *answer) {
  int n = answer->n_numbers, m = answer->n_points, n_free = 0, n_constants = 0;
  g_autofree int *free_numbers = g_new (int, n + 1);

  answer->undetermined = g_ptr_array_new_with_free_func (free_combination);
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
  double t = hl_student_quantile (CONFIDENCE, answer->freedom), wide = widen_intervals (fit, answer);
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
  compute_intervals (fit, answer, x, free_numbers, n_free, covariance, t);
}

#define MOST_TERMS 10000
#define PRECISION 1.0e-15
#define BISECTIONS 200

/* Returns I_x (a, b) where the fraction converges fast, x < (a + 1) / (a + b + 2): modified Lentz. */
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

#define X_TOLERANCE 1.0e-9 /* of the sizes of the numbers */
#define F_TOLERANCE 1.0e-8 /* of the cost: sqrt (1e-8 points) standard deviations */

/* More starts about a solution whose residuals are no noise, or about a start where the model does not run: so many,
 * every other one up to so far in parts of a number, or to its half and its double; the rest near by. */
#define MORE_STARTS 8
#define MOST_ROUNDS 2 /* of them, as long as one comes nearer */
#define MORE_STEPS 25 /* of each */
#define MORE_REACH 0.6
#define MORE_FACTOR 2.0
#define NEARER 0.15

#define TICK_US 50000 /* between two reports of progress to the caller */

typedef struct Solution Solution;

/* One start. */
typedef struct {
  Solution *solution;
  HlFitStart *told;
  double *x, *numbers; /* n */
  double *r;           /* n_points */
  double *J;           /* n_points x n */
  HlLevenbergInfo info;
  char *wrong;
  GArray *history;
  GHashTable *kinks; /* sets of texts: edges that some run passes, and where the last */
  GHashTable *lost;  /* one with slopes has no derivative */
} Try;

struct Solution {
  const HlFit *fit;
  const HlFitOptions *options;
  Try *all;   /* of all starts */
  Try *tries; /* those that are being solved, in at most so many steps */
  int most_steps;
  atomic_bool stopped;
  atomic_int n_steps;
  _Atomic double best;
  GThread *caller;    /* receiver of the progress, which may cancel */
  gint64 reported_us; /* its own */
};

static void tick (void *data) {
  Solution *solution = data;

  solution->reported_us = g_get_monotonic_time ();
  if (solution->options->progress != NULL &&
      !solution->options->progress (0, atomic_load (&solution->n_steps), atomic_load (&solution->best),
                                    solution->options->data))
    atomic_store (&solution->stopped, true);
}

/* Returns whether the fit was cancelled; called in every step of every run. With a single start it also
 * reports the progress. */
static bool is_stopped (void *data) {
  Solution *solution = data;

  if (g_thread_self () == solution->caller && g_get_monotonic_time () - solution->reported_us > TICK_US)
    tick (solution);
  return atomic_load (&solution->stopped);
}

static void numbers_of (const HlFit *fit, const double x[], double numbers[]) {
  for (int k = 0; k < hl_fit_n_numbers (fit); k++) {
    const HlFitNumber *number = hl_fit_number (fit, k);
    numbers[k] = number->is_log ? CLAMP (exp (x[k]), number->low, number->high) : x[k];
  }
}

static double coordinate_of (const HlFitNumber *number, double value) {
  return number->is_log ? log (value) : value;
}

/* Takes the mean of the points of relative traces off a column[n_points]. */
static void center (const HlFit *fit, double column[]) {
  for (guint r = 0; r < fit->runs->len; r++) {
    const HlFitRun *run = g_ptr_array_index (fit->runs, r);
    for (guint c = 0; c < run->columns->len; c++) {
      const HlFitColumn *one = &g_array_index (run->columns, HlFitColumn, c);
      double sum = 0.0;
      for (int i = 0; i < one->n; i++)
        sum += column[one->first + i];
      for (int i = 0; one->is_free && i < one->n; i++)
        column[one->first + i] -= sum / one->n;
    }
  }
}

/* Computes the residuals of the model in the units of the traces. */
static void residuals_of (const HlFit *fit, const double model[], double r[]) {
  for (int i = 0; i < fit->n_points; i++)
    r[i] = model[i] - fit->measured[i];
  center (fit, r);
}

static HlStatus eval_residuals (Try *self, const double x[], double r[], double slopes[]) {
  const HlFit *fit = self->solution->fit;
  HlFitWatch watch = {is_stopped, self->solution, slopes != NULL ? self->kinks : NULL,
                      slopes != NULL ? self->lost : NULL};

  if (slopes != NULL)
    g_hash_table_remove_all (self->lost);
  numbers_of (fit, x, self->numbers);
  self->told->runs++;
  char *wrong = hl_fit_run_all (fit, self->numbers, r, slopes, &watch);
  if (wrong == NULL) {
    residuals_of (fit, r, r);
    for (int i = 0; i < fit->n_points; i++)
      r[i] *= fit->weight[i];
    return HL_OK;
  }
  g_free (self->wrong);
  self->wrong = wrong;
  return is_stopped (self->solution) ? HL_CANCELLED : HL_NO_CONVERGENCE;
}

static HlStatus residuals_cb (const double x[], double r[], void *data) {
  return eval_residuals (data, x, r, NULL);
}

static HlStatus jacobian_cb (const double x[], const double r[], double J[], void *data) {
  Try *self = data;
  const HlFit *fit = self->solution->fit;
  g_autofree double *again = g_new (double, fit->n_points + 1);
  HlStatus status = eval_residuals (self, x, again, J);

  (void)r;
  for (int k = 0; status == HL_OK && k < hl_fit_n_numbers (fit); k++) {
    double *column = J + (gsize)k * (gsize)fit->n_points;
    center (fit, column);
    for (int i = 0; i < fit->n_points; i++)
      column[i] *= fit->weight[i] * (hl_fit_number (fit, k)->is_log ? self->numbers[k] : 1.0);
  }
  return status;
}

static bool step_cb (int n_steps, double cost, void *data) {
  Try *self = data;
  Solution *solution = self->solution;
  double best = atomic_load (&solution->best);

  (void)n_steps;
  g_array_append_val (self->history, cost);
  atomic_fetch_add (&solution->n_steps, 1);
  while (cost < best && !atomic_compare_exchange_weak (&solution->best, &best, cost))
    ;
  return !is_stopped (solution);
}

static void solve_start (int index, int place, void *data) {
  Solution *solution = data;
  const HlFit *fit = solution->fit;
  Try *self = &solution->tries[index];
  HlFitStart *told = self->told;
  int n = hl_fit_n_numbers (fit);
  g_autofree double *low = g_new (double, n + 1), *high = g_new (double, n + 1),
                    *size = g_new (double, n + 1);

  for (int k = 0; k < n; k++) {
    const HlFitNumber *number = hl_fit_number (fit, k);
    low[k] = coordinate_of (number, number->low);
    high[k] = coordinate_of (number, number->high);
    size[k] = number->size;
    self->x[k] = coordinate_of (number, told->start[k]);
  }
  HlLevenberg problem = {.m = fit->n_points,
                         .n = n,
                         .low = low,
                         .high = high,
                         .size = size,
                         .most_steps = solution->most_steps,
                         .x_tolerance = X_TOLERANCE,
                         .f_tolerance = F_TOLERANCE,
                         .residuals = residuals_cb,
                         .jacobian = jacobian_cb,
                         .step = step_cb,
                         .data = self};
  HlStatus status = is_stopped (solution)
                        ? HL_CANCELLED
                        : hl_levenberg_solve (&problem, self->x, self->r, self->J, &self->info);
  numbers_of (fit, self->x, told->end);
  told->steps = self->info.steps;
  told->cost = self->info.jacobians > 0 ? self->info.cost : NAN;
  told->why = is_stopped (solution)                      ? HL_FIT_STOPPED
              : status != HL_OK                          ? HL_FIT_FAILED
              : self->info.why == HL_LEVENBERG_CONVERGED ? HL_FIT_CONVERGED
                                                         : HL_FIT_STEPS;
  if (told->why == HL_FIT_FAILED) {
    told->wrong = g_steal_pointer (&self->wrong);
    told->cost = NAN;
  }
  if (place == 0)
    tick (solution);
}

/* Places the starts: the study's own one, then points of Sobol's sequence within the bounds. */
static void place_starts (const HlFit *fit, const HlFitOptions *options, HlFitAnswer *answer) {
  int n = answer->n_numbers;

  for (int k = 0; k < n; k++) {
    const HlFitNumber *number = hl_fit_number (fit, k);
    guint32 directions[HL_SOBOL_BITS];
    hl_sobol_directions (k % HL_SOBOL_MOST_DIMENSIONS, directions);
    double low = coordinate_of (number, number->low), high = coordinate_of (number, number->high),
           own = coordinate_of (number, number->start);
    if (!isfinite (low))
      low = own - 10.0 * number->size;
    if (!isfinite (high))
      high = own + 10.0 * number->size;
    for (int s = 0; s < answer->n_starts; s++) {
      double u = hl_sobol_scramble (hl_sobol_point (directions, (guint32)s), options->seed, k),
             x = low + u * (high - low);
      answer->starts[s].start[k] = s == 0 ? number->start : number->is_log ? exp (x) : x;
    }
  }
}

/* Places `n` more starts: points of Sobol's sequence about x0[n_numbers]. */
static void place_more_starts (const HlFit *fit, const double x0[], guint64 seed, int n,
                               HlFitStart starts[]) {
  for (int k = 0; k < hl_fit_n_numbers (fit); k++) {
    const HlFitNumber *number = hl_fit_number (fit, k);
    guint32 directions[HL_SOBOL_BITS];
    double size = x0[k] != 0.0 ? fabs (x0[k]) : number->size;
    double reach = number->is_log ? log (MORE_FACTOR) : MORE_REACH * size;
    double least = coordinate_of (number, number->low), most = coordinate_of (number, number->high);
    hl_sobol_directions (k % HL_SOBOL_MOST_DIMENSIONS, directions);
    for (int s = 0; s < n; s++) {
      double u = hl_sobol_scramble (hl_sobol_point (directions, (guint32)s + 1), seed, k),
             part = s % 2 == 0 ? 1.0 : NEARER, low = fmax (least, x0[k] - part * reach),
             high = fmin (most, x0[k] + part * reach), x = low + u * (high - low);
      starts[s].start[k] = number->is_log ? exp (x) : x;
    }
  }
}

/* Adds n starts to those of an answer, which has room for them; returns the first. */
static HlFitStart *add_starts (HlFitAnswer *self, int n) {
  for (int s = self->n_starts; s < self->n_starts + n; s++)
    self->starts[s] = (HlFitStart){.start = g_new0 (double, self->n_numbers + 1),
                                   .end = g_new0 (double, self->n_numbers + 1),
                                   .cost = NAN};
  self->n_starts += n;
  return &self->starts[self->n_starts - n];
}

static HlFitAnswer *new_answer (const HlFit *fit, int n_starts) {
  HlFitAnswer *self = g_new0 (HlFitAnswer, 1);
  int n = hl_fit_n_numbers (fit);

  self->n_numbers = n;
  self->n_points = fit->n_points;
  self->is_exact = fit->is_exact;
  self->numbers = g_new0 (double, n + 1);
  self->places = g_new0 (HlFitPlace, n + 1);
  self->deviation = g_new0 (double, n + 1);
  self->low = g_new0 (double, n + 1);
  self->high = g_new0 (double, n + 1);
  self->correlation = g_new0 (double, n *n + 1);
  self->singular = g_new0 (double, n + 1);
  self->model = g_new0 (double, fit->n_points + 1);
  self->residual = g_new0 (double, fit->n_points + 1);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->starts = g_new0 (HlFitStart, n_starts + MOST_ROUNDS * MORE_STARTS);
  add_starts (self, n_starts);
  return self;
}

static void note_kinks (const Try *best, HlFitAnswer *answer) {
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (best->kinks), (GCompareFunc)strcmp);
  g_autoptr (GString) text = g_string_new (NULL);

  for (GList *l = names; l != NULL; l = l->next)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", (char *)l->data);
  if (text->len > 0)
    g_ptr_array_add (
        answer->notes,
        g_strdup_printf (_ ("the runs pass kinks, which split the steps of their sensitivities: %s"),
                         text->str));
}

/* Removes the intervals if the slopes of the answer do not exist, with the reason. */
static void drop_intervals (const Try *best, HlFitAnswer *answer) {
  g_autoptr (GList) texts = g_list_sort (g_hash_table_get_keys (best->lost), (GCompareFunc)strcmp);

  if (texts == NULL)
    return;
  for (GList *l = texts; l != NULL; l = l->next)
    g_ptr_array_add (answer->notes, g_strdup (l->data));
  for (int k = 0; k < answer->n_numbers; k++)
    answer->deviation[k] = answer->low[k] = answer->high[k] = NAN;
  for (int k = 0; k < answer->n_numbers * answer->n_numbers; k++)
    answer->correlation[k] = NAN;
}

static void copy_best (const HlFit *fit, const Try *best, HlFitAnswer *answer) {
  int n = answer->n_numbers;

  memcpy (answer->numbers, best->told->end, sizeof (double) * (gsize)n);
  answer->cost = best->told->cost;
  answer->why = best->told->why;
  answer->history = g_array_ref (best->history);
  for (int k = 0; k < n; k++) {
    const HlFitNumber *number = hl_fit_number (fit, k);
    double value = answer->numbers[k];
    answer->places[k] = value <= number->low    ? HL_FIT_AT_LOW
                        : value >= number->high ? HL_FIT_AT_HIGH
                                                : HL_FIT_INSIDE;
    if (answer->places[k] != HL_FIT_INSIDE)
      g_ptr_array_add (answer->notes,
                       g_strdup_printf (value <= number->low
                                            ? _ ("%s is at the lower end of its range; the results for the "
                                                 "other numbers hold for this value")
                                            : _ ("%s is at the upper end of its range; the results for the "
                                                 "other numbers hold for this value"),
                                        number->name));
  }
  for (int i = 0; i < fit->n_points; i++) {
    answer->residual[i] = best->r[i] / fit->weight[i];
    answer->model[i] = fit->measured[i] + answer->residual[i];
  }
  judge_fit (fit, best->x, best->J, answer);
  note_kinks (best, answer);
  drop_intervals (best, answer);
}

static void init_try (Try *self, Solution *solution, HlFitStart *told) {
  const HlFit *fit = solution->fit;
  int n = hl_fit_n_numbers (fit);

  self->solution = solution;
  self->told = told;
  self->x = g_new0 (double, n + 1);
  self->numbers = g_new0 (double, n + 1);
  self->r = g_new0 (double, fit->n_points + 1);
  self->J = g_new0 (double, (gsize)fit->n_points *(gsize)n + 1);
  self->history = g_array_new (FALSE, FALSE, sizeof (double));
  self->kinks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->lost = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void clear_try (Try *self) {
  g_free (self->x);
  g_free (self->numbers);
  g_free (self->r);
  g_free (self->J);
  g_free (self->wrong);
  g_array_unref (self->history);
  g_hash_table_unref (self->kinks);
  g_hash_table_unref (self->lost);
}

/* Solves from the last n starts of an answer; returns the try that came nearest of these and of those before, NULL: all
 * failed. */
static Try *solve_starts (Solution *solution, HlFitAnswer *answer, int n, Try *best) {
  int first = answer->n_starts - n;
  HlParallel parallel = {
      .n = n, .n_threads = solution->options->threads, .work = solve_start, .tick = tick, .data = solution};
  Try *tries = solution->all + first;

  for (int s = 0; s < n; s++)
    init_try (&tries[s], solution, &answer->starts[first + s]);
  solution->tries = tries;
  solution->most_steps = solution->options->most_steps;
  if (best != NULL || first > 0)
    solution->most_steps = MIN (solution->most_steps, MORE_STEPS);
  hl_parallel_run (&parallel);
  for (int s = 0; s < n; s++) {
    answer->runs += tries[s].told->runs;
    if (!isnan (tries[s].told->cost) && (best == NULL || tries[s].told->cost < best->told->cost))
      best = &tries[s];
  }
  return best;
}

/* Looks about the best solution, or the start where there is none. */
static Try *solve_more (Solution *solution, HlFitAnswer *answer, int round, Try *best) {
  const HlFit *fit = solution->fit;
  const double *about = best != NULL ? best->told->end : answer->starts[0].start;
  g_autofree double *x0 = g_new (double, answer->n_numbers + 1);

  for (int k = 0; k < answer->n_numbers; k++)
    x0[k] = coordinate_of (hl_fit_number (fit, k), about[k]);
  place_more_starts (fit, x0, solution->options->seed + (guint64)round, MORE_STARTS,
                     add_starts (answer, MORE_STARTS));
  return solve_starts (solution, answer, MORE_STARTS, best);
}

HlFitAnswer *hl_fit_solve (const HlFit *fit, const HlFitOptions *options) {
  int n_starts = MAX (options->starts, 1);
  HlFitAnswer *answer = new_answer (fit, n_starts);
  Solution solution = {.fit = fit,
                       .options = options,
                       .all = g_new0 (Try, n_starts + MOST_ROUNDS * MORE_STARTS),
                       .best = INFINITY,
                       .caller = g_thread_self ()};
  Try *before = NULL;

  place_starts (fit, options, answer);
  Try *best = solve_starts (&solution, answer, n_starts, NULL);
  for (int round = 0; round < MOST_ROUNDS && !is_stopped (&solution); round++) {
    bool is_nearer = round == 0 || best != before;
    if (!is_nearer || (best != NULL && is_noise (fit, best->r)))
      break;
    before = best;
    best = solve_more (&solution, answer, round, best);
  }
  answer->best = best != NULL ? (int)(best - solution.all) : -1;
  answer->why = is_stopped (&solution) ? HL_FIT_STOPPED : HL_FIT_FAILED;
  if (best != NULL)
    copy_best (fit, best, answer);
  else {
    answer->undetermined = g_ptr_array_new ();
    answer->history = g_array_new (FALSE, FALSE, sizeof (double));
  }
  for (int s = 0; s < answer->n_starts; s++)
    clear_try (&solution.all[s]);
  g_free (solution.all);
  return answer;
}

void hl_fit_answer_free (HlFitAnswer *self) {
  if (self == NULL)
    return;
  for (int s = 0; s < self->n_starts; s++) {
    g_free (self->starts[s].start);
    g_free (self->starts[s].end);
    g_free (self->starts[s].wrong);
  }
  g_free (self->starts);
  g_free (self->numbers);
  g_free (self->places);
  g_free (self->deviation);
  g_free (self->low);
  g_free (self->high);
  g_free (self->correlation);
  g_free (self->singular);
  g_free (self->model);
  g_free (self->residual);
  g_ptr_array_unref (self->undetermined);
  g_ptr_array_unref (self->notes);
  g_array_unref (self->history);
  g_free (self);
}

char *hl_fit_run (const HlFit *fit, const double numbers[], double model[]) {
  char *wrong = hl_fit_run_all (fit, numbers, model, NULL, NULL);

  if (wrong == NULL) {
    g_autofree double *r = g_new (double, fit->n_points + 1);
    residuals_of (fit, model, r);
    for (int i = 0; i < fit->n_points; i++)
      model[i] = fit->measured[i] + r[i];
  }
  return wrong;
}
