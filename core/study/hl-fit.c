/* SPDX-License-Identifier: MIT */
/* Solving a fit from each of its starts. Between a relative trace and what was measured of it stands
 * a constant that nobody knows (where the sensor has its zero, and the noise of its first number): the
 * best one is the mean of the residuals, so that they and their slopes are taken about their means
 * (variable projection, G. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413). */
#include "core/study/hl-fit.h"

#include "core/base/hl-i18n.h"
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/linear/hl-parallel.h"
#include "core/math/hl-levenberg.h"
#include "core/study/hl-fit-private.h"
#include "core/study/hl-sobol.h"

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

#define TICK_US 50000 /* between two times that the caller is told how far it is */

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
  GThread *caller; /* who may be told of it, and be asked whether to go on */
  gint64 told_us;  /* its own */
};

static void tick (void *data) {
  Solution *solution = data;

  solution->told_us = g_get_monotonic_time ();
  if (solution->options->progress != NULL &&
      !solution->options->progress (0, atomic_load (&solution->n_steps), atomic_load (&solution->best),
                                    solution->options->data))
    atomic_store (&solution->stopped, true);
}

/* Asked in every step of every run. With one start the caller is busy with it all along, and is told
 * from here. */
static bool is_stopped (void *data) {
  Solution *solution = data;

  if (g_thread_self () == solution->caller && g_get_monotonic_time () - solution->told_us > TICK_US)
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

/* Residuals in the units of the traces, from what the model says. */
static void residuals_of (const HlFit *fit, const double model[], double r[]) {
  for (int i = 0; i < fit->n_points; i++)
    r[i] = model[i] - fit->measured[i];
  center (fit, r);
}

static HlStatus eval (Try *self, const double x[], double r[], double slopes[]) {
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
  return eval (data, x, r, NULL);
}

static HlStatus jacobian_cb (const double x[], const double r[], double J[], void *data) {
  Try *self = data;
  const HlFit *fit = self->solution->fit;
  g_autofree double *again = g_new (double, fit->n_points + 1);
  HlStatus status = eval (self, x, again, J);

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

/* Where each start begins: the study's own place, then points of Sobol's sequence within the bounds. */
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

/* Where `n` more starts begin: points of Sobol's sequence about x0[n_numbers]. */
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
    g_ptr_array_add (answer->notes, g_strdup_printf (_ ("the runs pass kinks, at which the steps of their "
                                                        "sensitivities are divided: %s"),
                                                     text->str));
}

/* Where the slopes of the answer do not exist there are no intervals: says why. */
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

static void take_best (const HlFit *fit, const Try *best, HlFitAnswer *answer) {
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
                                            ? _ ("%s is held by the lower end of its range: what is told "
                                                 "of the others holds for it there")
                                            : _ ("%s is held by the upper end of its range: what is told "
                                                 "of the others holds for it there"),
                                        number->name));
  }
  for (int i = 0; i < fit->n_points; i++) {
    answer->residual[i] = best->r[i] / fit->weight[i];
    answer->model[i] = fit->measured[i] + answer->residual[i];
  }
  hl_fit_judge (fit, best->x, best->J, answer);
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
    if (!is_nearer || (best != NULL && hl_fit_is_noise (fit, best->r)))
      break;
    before = best;
    best = solve_more (&solution, answer, round, best);
  }
  answer->best = best != NULL ? (int)(best - solution.all) : -1;
  answer->why = is_stopped (&solution) ? HL_FIT_STOPPED : HL_FIT_FAILED;
  if (best != NULL)
    take_best (fit, best, answer);
  else {
    answer->untold = g_ptr_array_new ();
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
  g_ptr_array_unref (self->untold);
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
