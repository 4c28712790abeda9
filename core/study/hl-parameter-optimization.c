/* SPDX-License-Identifier: MIT */
/* NLopt sees coordinates from 0 to 1 (in the logarithm where a range is), an objective over its size at the
 * start, and limits over theirs. Every run is kept, so that the best one is known whenever the work ends.
 *
 * A run that gives no number of the objective, or of a measure with limits, counts as worse than all so
 * far. Methods without limits of their own (BOBYQA, Subplex, DIRECT, CRS) get those as a penalty on the
 * objective; COBYLA and ISRES get them as they are. */
#include "core/study/hl-parameter-optimization.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/study/hl-study.h"

#include <nlopt.h>

#include <math.h>
#include <string.h>

/* The member "optimize" of a study. */

#define RUNS 200
/* At 1e-4 COBYLA ends half a percent before a limit, at 1e-6 three runs later at it. */
#define TOLERANCE 1.0e-6
#define FRONT 9

static gboolean read_objective (HlOptimize *self, const HlValue *item, GError **error) {
  static const char *const known[] = {"minimize", "maximize", NULL};
  const char *low = hl_value_string (hl_value_member (item, "minimize")),
             *high = hl_value_string (hl_value_member (item, "maximize"));
  const char *name = low != NULL ? low : high;

  if (!hl_study_check_members (item, _ ("an objective"), known, error))
    return FALSE;
  if (name == NULL || (low != NULL && high != NULL))
    return hl_study_refuse (error,
                            _ ("objective %d is not an object with one measure; write {\"minimize\": "
                               "MEASURE} or {\"maximize\": MEASURE}"),
                            self->n_objectives + 1);
  for (int k = 0; k < hl_study_n_measures (self->study); k++)
    if (strcmp (hl_study_measure (self->study, k)->name, name) == 0) {
      self->objectives[self->n_objectives++] = (HlObjective){k, high != NULL};
      return TRUE;
    }
  return hl_study_refuse (
      error, _ ("the study has no measure “%s”, which the objective names; add this measure to the study"),
      name);
}

static gboolean read_number (const HlValue *object, const char *key, double low, double high, double *out,
                             GError **error) {
  const HlValue *value = hl_value_member (object, key);

  if (value == NULL)
    return TRUE;
  *out = hl_value_number (value);
  return (*out >= low && *out <= high) ||
         hl_study_refuse (error, _ ("“%s” of “optimize” must be between %s and %s"), key,
                          hl_shown (low, 6).text, hl_shown (high, 6).text);
}

static gboolean read_optimize (HlOptimize *self, GError **error) {
  static const char *const known[] = {"objectives", "method", "runs", "tolerance", "front", "seed", NULL};
  const HlValue *said = hl_value_member (self->study->root, "optimize"),
                *list = hl_value_member (said, "objectives");
  double runs = RUNS, front = FRONT, seed = 0.0;

  if (!hl_study_check_members (said, "“optimize”", known, error))
    return FALSE;
  if (hl_value_length (list) == 0 || hl_value_length (list) > HL_MOST_OBJECTIVES)
    return hl_study_refuse (error,
                            _ ("there is no objective; give “optimize” a list of 1 to %d “objectives”, or "
                               "write --minimize MEASURE on the command line"),
                            HL_MOST_OBJECTIVES);
  for (gsize k = 0; k < hl_value_length (list); k++)
    if (!read_objective (self, hl_value_item (list, k), error))
      return FALSE;
  for (int k = 0; k < hl_study_n_numbers (self->study); k++) {
    const HlStudyNumber *number = hl_study_number (self->study, k);
    double low, high;
    hl_distribution_range (&number->distribution, &low, &high);
    if (!isfinite (low) || !isfinite (high) || number->distribution.kind == HL_DISTRIBUTION_TABLE)
      return hl_study_refuse (error, _ ("%s needs a range, “from” and “to”"), number->name);
  }
  self->options = (HlOptimizeOptions){.tolerance = TOLERANCE};
  self->options.method = hl_value_string (hl_value_member (said, "method"));
  if (!read_number (said, "runs", 1.0, 1e8, &runs, error) ||
      !read_number (said, "front", 2.0, 1000.0, &front, error) ||
      !read_number (said, "seed", 0.0, 9007199254740991.0, &seed, error) ||
      !read_number (said, "tolerance", 1e-14, 1.0, &self->options.tolerance, error))
    return FALSE;
  self->options.runs = (int)runs;
  self->options.front = (int)front;
  self->options.seed = (guint64)seed;
  return TRUE;
}

HlOptimize *hl_optimize_new (const HlStudy *study, void (*say) (const char *text, void *data), void *say_data,
                             GError **error) {
  g_autoptr (HlOptimize) self = g_new0 (HlOptimize, 1);

  self->study = study;
  if (!read_optimize (self, error))
    return NULL;
  self->work = hl_study_work_new (study, say, say_data, error);
  return self->work != NULL ? g_steal_pointer (&self) : NULL;
}

gboolean hl_optimize_check (const HlStudy *study, HlOptimizeOptions *options, int *n_searches,
                            GError **error) {
  HlOptimize bare = {.study = study};

  if (!read_optimize (&bare, error))
    return FALSE;
  *options = bare.options;
  /* the ends of a front and the points between them (search_front) */
  *n_searches = bare.n_objectives > 1 ? bare.n_objectives + MAX (bare.options.front - 2, 0) : 1;
  return TRUE;
}

void hl_optimize_free (HlOptimize *self) {
  if (self == NULL)
    return;
  hl_study_work_free (self->work);
  g_free (self);
}

int hl_optimize_n_objectives (const HlOptimize *self) {
  return self->n_objectives;
}

int hl_optimize_objective (const HlOptimize *self, int objective, gboolean *is_maximum) {
  *is_maximum = self->objectives[objective].is_maximum;
  return self->objectives[objective].measure;
}

const char *hl_optimize_unit_of_number (const HlOptimize *self, int number) {
  return hl_study_work_unit_of_number (self->work, number);
}

const char *hl_optimize_unit (const HlOptimize *self, int measure) {
  return hl_study_work_unit (self->work, measure);
}

HlOptimizeOptions hl_optimize_options_of_study (const HlOptimize *self) {
  return self->options;
}

#define FIRST_STEP 0.1 /* of the range */
#define PENALTY 10.0   /* objective sizes for a limit missed by its own size */
#define WORSE 1.5      /* than the worst so far: a run that gives nothing */
#define AT_BOUND 1.0e-6
#define FEASIBLE 1.0e-6 /* of the size of a limit */
#define GLOBAL_PART 0.6 /* of the runs, before the local search adopts */

typedef struct {
  HlOptimize *problem;
  const HlOptimizeOptions *options;
  HlOptimizeAnswer *answer;
  int n, n_measures;
  double *x_last;                    /* n: of the last run; its values are those of the history's last */
  double sizes[HL_MOST_OBJECTIVES];  /* of the objectives */
  double levels[HL_MOST_OBJECTIVES]; /* of a front: what the others must keep below; INFINITY: free */
  int objective;                     /* that is made small */
  double worst;
  int n_left; /* runs of this search */
  gboolean stopped;
  nlopt_opt opt;
} Search;

static void free_run (gpointer data) {
  HlOptimizeRun *run = data;

  g_free (run->values);
  g_free (run->wrong);
  g_free (run);
}

/* Returns the number at a place from 0 to 1 of its range. */
static double number_at (const HlStudyNumber *number, double u) {
  double low, high;

  hl_distribution_range (&number->distribution, &low, &high);
  return number->distribution.kind == HL_DISTRIBUTION_LOG_UNIFORM
             ? CLAMP (low * pow (high / low, u), low, high)
             : CLAMP (low + u * (high - low), low, high);
}

static double place_of (const HlStudyNumber *number, double value) {
  double low, high;

  hl_distribution_range (&number->distribution, &low, &high);
  double u = number->distribution.kind == HL_DISTRIBUTION_LOG_UNIFORM ? log (value / low) / log (high / low)
                                                                      : (value - low) / (high - low);
  return high > low && isfinite (u) ? CLAMP (u, 0.0, 1.0) : 0.0;
}

/* Returns the excess of a measure over its limits, in parts of the limit; NAN: it does not exist. */
static double excess_of (const HlMeasure *measure, double value) {
  double above = (value - measure->high) / (measure->high != 0.0 ? fabs (measure->high) : 1.0),
         below = (measure->low - value) / (measure->low != 0.0 ? fabs (measure->low) : 1.0);

  if (isnan (value))
    return NAN;
  return fmax (isinf (measure->high) ? -INFINITY : above, isinf (measure->low) ? -INFINITY : below);
}

static gboolean has_limits (const HlMeasure *measure) {
  return !isinf (measure->low) || !isinf (measure->high);
}

/* Runs the model, unless it just did so. */
static const HlOptimizeRun *run_at (Search *self, const double x[]) {
  GPtrArray *history = self->answer->history;
  const HlStudy *study = self->problem->study;

  if (history->len > 0 && memcmp (x, self->x_last, sizeof (double) * (gsize)self->n) == 0)
    return g_ptr_array_index (history, history->len - 1);
  HlOptimizeRun *run = g_new0 (HlOptimizeRun, 1);
  run->values = g_new0 (double, self->n + self->n_measures + 1);
  for (int k = 0; k < self->n; k++)
    run->values[k] = number_at (hl_study_number (study, k), x[k]);
  run->wrong = hl_study_work_at (self->problem->work, run->values);
  if (self->options->cancel != NULL && self->options->cancel (self->options->cancel_data))
    self->stopped = TRUE;
  run->keeps = TRUE;
  for (int k = 0; k < self->n_measures; k++) {
    const HlMeasure *measure = hl_study_measure (study, k);
    double excess = has_limits (measure) ? excess_of (measure, run->values[self->n + k]) : 0.0;
    run->excess = isnan (excess) ? INFINITY : fmax (run->excess, excess);
  }
  run->keeps = run->excess <= FEASIBLE;
  memcpy (self->x_last, x, sizeof (double) * (gsize)self->n);
  g_ptr_array_add (history, run);
  self->n_left--;
  return run;
}

/* Returns an objective to be made small, in its own unit. */
static double objective_of (const Search *self, const HlOptimizeRun *run, int objective) {
  const HlObjective *of = &self->problem->objectives[objective];
  double value = run->values[self->n + of->measure];

  return of->is_maximum ? -value : value;
}

static gboolean keeps_levels (const Search *self, const HlOptimizeRun *run, double *excess) {
  *excess = run->excess;
  for (int k = 0; k < self->problem->n_objectives; k++)
    if (k != self->objective && isfinite (self->levels[k]))
      *excess = fmax (*excess, (objective_of (self, run, k) - self->levels[k]) / self->sizes[k]);
  return *excess <= FEASIBLE;
}

static void copy_best (Search *self) {
  GPtrArray *history = self->answer->history;
  const HlOptimizeRun *best =
      self->answer->best >= 0 ? g_ptr_array_index (history, self->answer->best) : NULL;
  const HlOptimizeRun *run = g_ptr_array_index (history, history->len - 1);
  double own = objective_of (self, run, self->objective);

  if (isnan (own))
    return;
  if (best == NULL || (run->keeps && !best->keeps) ||
      (run->keeps == best->keeps &&
       (run->keeps ? own < objective_of (self, best, self->objective) : run->excess < best->excess)))
    self->answer->best = (int)history->len - 1;
}

static double minimize_cb (unsigned n, const double x[], double gradient[], void *data) {
  Search *self = data;
  guint before = self->answer->history->len;
  const HlOptimizeRun *run = run_at (self, x);
  double value = objective_of (self, run, self->objective) / self->sizes[self->objective], excess;

  (void)n;
  (void)gradient;
  keeps_levels (self, run, &excess);
  if (self->answer->history->len > before) {
    copy_best (self);
    const HlOptimizeRun *best =
        self->answer->best >= 0 ? g_ptr_array_index (self->answer->history, self->answer->best) : NULL;
    if (self->options->progress != NULL &&
        !self->options->progress (run, (int)self->answer->history->len,
                                  best != NULL ? objective_of (self, best, self->objective) : NAN,
                                  self->options->data))
      self->stopped = TRUE;
  }
  if (self->stopped || self->n_left <= 0)
    nlopt_force_stop (self->opt);
  nlopt_algorithm algorithm = nlopt_get_algorithm (self->opt);
  gboolean knows_limits = algorithm == NLOPT_LN_COBYLA || algorithm == NLOPT_GN_ISRES;
  if (isnan (value) || isinf (excess))
    return self->worst + WORSE;
  if (!knows_limits)
    value += PENALTY * fmax (excess, 0.0);
  self->worst = fmax (self->worst, value);
  return value;
}

/* Returns the largest excess of all limits, as one: below 0 where all are kept. */
static double limit_cb (unsigned n, const double x[], double gradient[], void *data) {
  Search *self = data;
  const HlOptimizeRun *run = run_at (self, x);
  double largest = -1.0;

  (void)n;
  (void)gradient;
  for (int k = 0; k < self->n_measures; k++) {
    const HlMeasure *measure = hl_study_measure (self->problem->study, k);
    if (has_limits (measure)) {
      double excess = excess_of (measure, run->values[self->n + k]);
      largest = fmax (largest, isnan (excess) ? 1.0 : excess);
    }
  }
  for (int k = 0; k < self->problem->n_objectives; k++)
    if (k != self->objective && isfinite (self->levels[k]))
      largest = fmax (largest, (objective_of (self, run, k) - self->levels[k]) / self->sizes[k]);
  return largest;
}

/* --- searches --- */

static const struct {
  const char *name, *words;
  nlopt_algorithm algorithm;
  gboolean is_global, knows_limits;
} methods[] = {
    {"bobyqa", "BOBYQA", NLOPT_LN_BOBYQA, FALSE, FALSE},
    {"cobyla", "COBYLA", NLOPT_LN_COBYLA, FALSE, TRUE},
    {"sbplx", "Subplex", NLOPT_LN_SBPLX, FALSE, FALSE},
    {"direct", "DIRECT-L", NLOPT_GN_DIRECT_L, TRUE, FALSE},
    {"crs", "CRS2", NLOPT_GN_CRS2_LM, TRUE, FALSE},
    {"isres", "ISRES", NLOPT_GN_ISRES, TRUE, TRUE},
};

static gboolean is_limited (const Search *self) {
  gboolean limited = hl_study_has_limits (self->problem->study);

  for (int k = 0; k < self->problem->n_objectives; k++)
    limited = limited || (k != self->objective && isfinite (self->levels[k]));
  return limited;
}

static nlopt_result search_by (Search *self, gsize method, int runs, double x[]) {
  double f;

  self->opt = nlopt_create (methods[method].algorithm, (unsigned)self->n);
  nlopt_set_lower_bounds1 (self->opt, 0.0);
  nlopt_set_upper_bounds1 (self->opt, 1.0);
  nlopt_set_min_objective (self->opt, minimize_cb, self);
  if (methods[method].knows_limits && is_limited (self))
    nlopt_add_inequality_constraint (self->opt, limit_cb, self, FEASIBLE);
  nlopt_set_maxeval (self->opt, runs);
  nlopt_set_xtol_abs1 (self->opt, self->options->tolerance);
  nlopt_set_initial_step1 (self->opt, FIRST_STEP);
  self->n_left = runs;
  nlopt_result result = nlopt_optimize (self->opt, x, &f);
  nlopt_destroy (self->opt);
  return result;
}

/* Returns the best of the runs from `first` on, by the search's own objective and levels; -1: none. */
static int best_since (const Search *self, guint first) {
  int best = -1;
  double least = INFINITY, least_excess = INFINITY;

  for (guint k = first; k < self->answer->history->len; k++) {
    const HlOptimizeRun *run = g_ptr_array_index (self->answer->history, k);
    double excess, value = objective_of (self, run, self->objective);
    gboolean keeps = keeps_levels (self, run, &excess);
    excess = keeps ? 0.0 : excess;
    if (isnan (value) || isnan (excess))
      continue;
    if (excess < least_excess || (excess == least_excess && value < least)) {
      best = (int)k;
      least = value;
      least_excess = excess;
    }
  }
  return best;
}

static void go_to (const Search *self, int run, double x[]) {
  const HlOptimizeRun *from = run >= 0 ? g_ptr_array_index (self->answer->history, run) : NULL;

  for (int k = 0; from != NULL && k < self->n; k++)
    x[k] = place_of (hl_study_number (self->problem->study, k), from->values[k]);
}

/* Returns one objective under the levels; a global method is followed by a local one. */
static nlopt_result search_optimum (Search *self, gsize method, double x[]) {
  guint first = self->answer->history->len;
  int runs = self->options->runs;
  nlopt_result result = NLOPT_MAXEVAL_REACHED;

  if (methods[method].is_global) {
    int part = MAX (1, (int)(GLOBAL_PART * runs));
    search_by (self, method, part, x);
    runs -= part;
    go_to (self, best_since (self, first), x);
    method = is_limited (self) ? 1 : 0;
  }
  if (!self->stopped && runs > 0)
    result = search_by (self, method, runs, x);
  go_to (self, best_since (self, 0), x);
  return result;
}

static void start_at (const Search *self, double x[]) {
  const HlStudy *study = self->problem->study;

  for (int k = 0; k < self->n; k++) {
    const HlStudyNumber *number = hl_study_number (study, k);
    double value = number->start;
    if (isnan (value))
      hl_document_get_number (hl_study_work_document (self->problem->work), number->paths[0], &value, NULL,
                              NULL);
    x[k] = place_of (number, value);
  }
}

static gboolean run_dominates (const Search *self, const HlOptimizeRun *a, const HlOptimizeRun *b) {
  gboolean is_better = FALSE;

  for (int k = 0; k < self->problem->n_objectives; k++) {
    double own = objective_of (self, a, k), other = objective_of (self, b, k);
    if (!(own <= other))
      return FALSE;
    is_better = is_better || own < other;
  }
  return is_better;
}

/* Returns whether two runs have the same objectives, so that the first one represents both. */
static gboolean is_equal (const Search *self, const HlOptimizeRun *a, const HlOptimizeRun *b) {
  for (int k = 0; k < self->problem->n_objectives; k++)
    if (objective_of (self, a, k) != objective_of (self, b, k))
      return FALSE;
  return TRUE;
}

typedef struct {
  double value;
  int run;
} Placed;

static int compare_placed (const void *a, const void *b) {
  const Placed *x = a, *y = b;

  return x->value < y->value ? -1 : x->value > y->value ? 1 : x->run - y->run;
}

/* Finds the Pareto front of the runs that satisfy the limits. */
static void find_front (Search *self) {
  GPtrArray *history = self->answer->history;
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (Placed));

  for (guint k = 0; k < history->len; k++) {
    const HlOptimizeRun *run = g_ptr_array_index (history, k);
    gboolean stays = run->keeps;
    for (int o = 0; o < self->problem->n_objectives; o++)
      stays = stays && isfinite (objective_of (self, run, o));
    for (guint j = 0; stays && j < history->len; j++) {
      const HlOptimizeRun *other = g_ptr_array_index (history, j);
      if (other->keeps && (run_dominates (self, other, run) || (j < k && is_equal (self, other, run))))
        stays = FALSE;
    }
    Placed placed = {objective_of (self, run, 0), (int)k};
    if (stays)
      g_array_append_val (kept, placed);
  }
  g_array_sort (kept, compare_placed);
  for (guint k = 0; k < kept->len; k++)
    g_array_append_val (self->answer->front, g_array_index (kept, Placed, k).run);
}

/* Searches the front: its ends are the best of each objective by itself; between them the first is minimized
 * while the others keep a level. */
static void search_front (Search *self, gsize method, double x[]) {
  int n = self->problem->n_objectives;
  double low[HL_MOST_OBJECTIVES], high[HL_MOST_OBJECTIVES];

  for (int k = 0; k < n; k++)
    low[k] = INFINITY, high[k] = -INFINITY;
  for (int k = n - 1; k >= 0 && !self->stopped; k--) {
    self->objective = k;
    search_optimum (self, method, x);
    int best = best_since (self, 0);
    for (int o = 0; best >= 0 && o < n; o++) {
      double value = objective_of (self, g_ptr_array_index (self->answer->history, best), o);
      low[o] = fmin (low[o], value);
      high[o] = fmax (high[o], value);
    }
  }
  self->objective = 0;
  gsize limited = methods[method].knows_limits ? method : 1;
  for (int k = 1; k < self->options->front - 1 && !self->stopped; k++) {
    double part = (double)k / (self->options->front - 1);
    for (int o = 1; o < n; o++)
      self->levels[o] = high[o] + part * (low[o] - high[o]);
    go_to (self, best_since (self, 0), x);
    search_optimum (self, limited, x);
  }
  for (int o = 0; o < n; o++)
    self->levels[o] = INFINITY;
  find_front (self);
}

static void add_note (HlOptimizeAnswer *answer, char *text) {
  g_ptr_array_add (answer->notes, text);
}

/* Adds remarks on the constraints and bounds that limit the best result. */
static void add_notes (const Search *self) {
  HlOptimizeAnswer *answer = self->answer;
  const HlStudy *study = self->problem->study;

  if (answer->best < 0)
    return;
  const HlOptimizeRun *best = g_ptr_array_index (answer->history, answer->best);
  for (int k = 0; k < self->n; k++) {
    const HlStudyNumber *number = hl_study_number (study, k);
    double u = place_of (number, best->values[k]);
    if (u < AT_BOUND || u > 1.0 - AT_BOUND)
      add_note (answer, g_strdup_printf (u < 0.5 ? _ ("%s is at the lower end of its range")
                                                 : _ ("%s is at the upper end of its range"),
                                         number->name));
  }
  for (int k = 0; k < self->n_measures; k++) {
    const HlMeasure *measure = hl_study_measure (study, k);
    double excess = has_limits (measure) ? excess_of (measure, best->values[self->n + k]) : -INFINITY;
    if (excess > FEASIBLE)
      add_note (answer, g_strdup_printf (_ ("%s violates its limit"), measure->name));
    else if (excess > -100.0 * self->options->tolerance)
      add_note (answer, g_strdup_printf (_ ("%s is at its limit"), measure->name));
  }
}

static int find_method (const Search *self) {
  const char *name = self->options->method;

  for (gsize k = 0; name != NULL && k < G_N_ELEMENTS (methods); k++)
    if (strcmp (methods[k].name, name) == 0)
      return (int)k;
  return is_limited (self) ? 1 : 0;
}

HlOptimizeAnswer *hl_optimize_solve (HlOptimize *optimize, const HlOptimizeOptions *options) {
  HlOptimizeAnswer *answer = g_new0 (HlOptimizeAnswer, 1);
  Search self = {.problem = optimize,
                 .options = options,
                 .answer = answer,
                 .n = hl_study_n_numbers (optimize->study),
                 .n_measures = hl_study_n_measures (optimize->study)};
  g_autofree double *x = g_new0 (double, self.n + 1);
  nlopt_result result = NLOPT_SUCCESS;

  answer->history = g_ptr_array_new_with_free_func (free_run);
  answer->front = g_array_new (FALSE, FALSE, sizeof (int));
  answer->notes = g_ptr_array_new_with_free_func (g_free);
  answer->best = -1;
  self.x_last = g_new0 (double, self.n + 1);
  for (int k = 0; k < HL_MOST_OBJECTIVES; k++) {
    self.levels[k] = INFINITY;
    self.sizes[k] = 1.0;
  }
  hl_study_work_set_cancel (optimize->work, options->cancel, options->cancel_data);
  start_at (&self, x);
  const HlOptimizeRun *first = run_at (&self, x);
  copy_best (&self);
  for (int k = 0; k < optimize->n_objectives; k++) {
    double value = fabs (objective_of (&self, first, k));
    if (value > 0.0 && isfinite (value))
      self.sizes[k] = value;
  }
  self.worst = 1.0;
  nlopt_srand ((unsigned long)options->seed);
  gsize method = (gsize)find_method (&self);
  answer->method = methods[method].is_global ? g_strdup_printf ("%s, then %s", methods[method].words,
                                                                is_limited (&self) ? "COBYLA" : "BOBYQA")
                                             : g_strdup (methods[method].words);
  if (optimize->n_objectives > 1)
    search_front (&self, method, x);
  else if (!self.stopped)
    result = search_optimum (&self, method, x);
  const HlOptimizeRun *best = answer->best >= 0 ? g_ptr_array_index (answer->history, answer->best) : NULL;
  answer->why = self.stopped                                                     ? HL_OPTIMIZE_STOPPED
                : best == NULL                                                   ? HL_OPTIMIZE_FAILED
                : !best->keeps                                                   ? HL_OPTIMIZE_INFEASIBLE
                : result == NLOPT_FORCED_STOP || result == NLOPT_MAXEVAL_REACHED ? HL_OPTIMIZE_RUNS
                                                                                 : HL_OPTIMIZE_CONVERGED;
  add_notes (&self);
  hl_study_work_set_cancel (optimize->work, NULL, NULL);
  g_free (self.x_last);
  return answer;
}

void hl_optimize_answer_free (HlOptimizeAnswer *self) {
  if (self == NULL)
    return;
  g_ptr_array_unref (self->history);
  g_array_unref (self->front);
  g_ptr_array_unref (self->notes);
  g_free (self->method);
  g_free (self);
}
