/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-sensitivity.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/linear/hl-parallel-loop.h"

/* Relative step: large, because J is exact and smooth in its parameters; the Richardson pair
 * removes the h^2 term. Where that is too coarse, or a corner is near, smaller ones follow. */
#define RELATIVE_STEP 1.0e-3
#define MOST_STEPS 4
#define STEP_RATIO 16.0

/* First step for a value of 0, whose size is unknown: steps grow until an eigenvalue changes. */
#define LEAST_STEP 1.0e-15
#define LARGEST_STEP 1.0
#define HIDDEN_STEP 1.0e-4
#define STEP_GROWTH 100.0
#define VISIBLE 1.0e-7 /* change of an eigenvalue, relative */

#define ACCURATE 1.0e-5     /* error of a slope that needs no smaller step, relative */
#define SAME_SLOPE 1.0e-6   /* slopes above and below that differ by less are the same */
#define SETTLED 0.05        /* of one side: what a slope may differ by from one step to the next */
#define STEADY 1.2          /* maximum growth of a slope when the step is halved */
#define ROUNDINGS 16.0      /* of the entries of J, in the noise of a difference */
#define REPEATED_GAP 1.0e-7 /* to the next eigenvalue, relative to it */
#define REPEATED_CONDITION 1.0e7

/* dJ/dp contracted with the vectors of an eigenvalue, by the differences of one step. */
typedef struct {
  double complex half, whole; /* by h/2 and by h */
} Slope;

typedef struct {
  HlSensitivity *s;
  HlSweepPoint *sweep;
  double complex *right, *left; /* n x n */
  double *condition;            /* n */
  double *gap;                  /* n: to the next eigenvalue */
  double largest;               /* of the eigenvalues */
  double *J;                    /* n x n: at the present value */
  double *near, *far;           /* n x n: J at h/2 and at h */
  double *noise;                /* n: rounding of a contraction of J */
  Slope *up, *down;             /* n */
  double *best;                 /* n: error of what stands in s, INFINITY = nothing yet */
} Study;

/* ---- differences ---- */

static double complex product_with_slope (const Study *study, int k, const double a[], const double b[]) {
  int n = study->s->n_states;
  const double complex *w = study->left + k * n, *v = study->right + k * n;
  double complex sum = 0.0, norm = 0.0;

  for (int col = 0; col < n; col++)
    for (int row = 0; row < n; row++)
      if (a[col * n + row] != b[col * n + row])
        sum += conj (w[row]) * (a[col * n + row] - b[col * n + row]) * v[col];
  for (int row = 0; row < n; row++)
    norm += conj (w[row]) * v[row];
  return sum / norm;
}

static void measure_noise (Study *study) {
  int n = study->s->n_states;

  for (int k = 0; k < n; k++) {
    const double complex *w = study->left + k * n, *v = study->right + k * n;
    double complex norm = 0.0;
    double sum = 0.0;
    for (int row = 0; row < n; row++) {
      norm += conj (w[row]) * v[row];
      for (int col = 0; col < n; col++)
        sum += cabs (w[row]) * fabs (study->J[col * n + row]) * cabs (v[col]);
    }
    study->noise[k] = ROUNDINGS * DBL_EPSILON * sum / cabs (norm);
  }
}

static HlStatus jacobian_at (Study *study, const HlSweepParameter *parameter, double value, double out[],
                             HlFault *fault) {
  size_t n = (size_t)study->s->n_states;
  HlStatus status = HL_BAD_MODEL;

  if (hl_sweep_parameter_accepts (parameter, value)) {
    status = hl_sweep_point_set (study->sweep, parameter, value, fault);
    if (status == HL_OK)
      status = hl_sweep_point_eval (study->sweep, HL_EIGEN_VALUES, fault);
  }
  if (status == HL_OK)
    memcpy (out, hl_sweep_point_J (study->sweep), n * n * sizeof (double));
  return status;
}

/* Computes one-sided slopes of every eigenvalue: h > 0 above the value, h < 0 below. */
static HlStatus one_side (Study *study, const HlSweepParameter *parameter, double value, double h,
                          Slope out[], HlFault *fault) {
  double near_at = value + 0.5 * h, far_at = value + h;
  HlStatus status = jacobian_at (study, parameter, far_at, study->far, fault);

  if (status == HL_OK)
    status = jacobian_at (study, parameter, near_at, study->near, fault);
  for (int k = 0; status == HL_OK && k < study->s->n_states; k++)
    if (!study->s->null[k])
      out[k] = (Slope){product_with_slope (study, k, study->near, study->J) / (near_at - value),
                       product_with_slope (study, k, study->far, study->J) / (far_at - value)};
  return status;
}

/* Returns whether the eigenvalues have moved from the present value to study->near. */
static bool is_visible (const Study *study) {
  const HlSensitivity *s = study->s;

  for (int k = 0; k < s->n_states; k++)
    if (!s->null[k] &&
        cabs (product_with_slope (study, k, study->near, study->J)) > VISIBLE * hypot (s->re[k], s->im[k]))
      return true;
  return false;
}

/* Returns a step at a value of zero; 0 when there is no state of rest but for steps that rounding hides. */
static double first_step (Study *study, const HlSweepParameter *parameter, HlFault *fault) {
  double last = 0.0, sign = hl_sweep_parameter_accepts (parameter, LEAST_STEP) ? 1.0 : -1.0;

  for (double h = LEAST_STEP; h <= LARGEST_STEP; h *= STEP_GROWTH) {
    if (!hl_sweep_parameter_accepts (parameter, sign * h))
      return last;
    if (jacobian_at (study, parameter, sign * h, study->near, fault) != HL_OK)
      return h > HIDDEN_STEP ? last : 0.0;
    last = h;
    if (is_visible (study))
      return h;
  }
  return last;
}

/* ---- what they say ---- */

typedef struct {
  double complex value;
  double error;
} Estimate;

static Estimate of_side (Slope slope, double noise) {
  double complex value = 2.0 * slope.half - slope.whole;
  return (Estimate){value, cabs (value - slope.half) + noise};
}

static Estimate of_both (Slope up, Slope down, double noise) {
  double complex half = 0.5 * (up.half + down.half), whole = 0.5 * (up.whole + down.whole);
  double complex value = (4.0 * half - whole) / 3.0;
  return (Estimate){value, cabs (value - half) + noise};
}

static bool slope_exceeds_noise (Slope slope, double noise) {
  return cabs (slope.half) > STEADY * cabs (slope.whole) + 4.0 * noise;
}

static void store_estimate (Study *study, int at, int k, HlSensitivityKind kind, Estimate estimate) {
  HlSensitivity *s = study->s;

  /* the vectors are known the less the closer the next eigenvalue is */
  double error = estimate.error + cabs (estimate.value) * ROUNDINGS * DBL_EPSILON * study->condition[k] *
                                      study->largest / study->gap[k];
  if (!(error < study->best[k]))
    return;
  study->best[k] = error;
  s->kind[at] = kind;
  s->d_re[at] = creal (estimate.value);
  s->d_im[at] = cimag (estimate.value);
  s->error[at] = error;
}

/* Stores the derivative of an eigenvalue found with the step h; returns false if a smaller step may be
 * better. */
static bool judge_slope (Study *study, int at, int k, double h, bool has_up, bool has_down) {
  HlSensitivity *s = study->s;
  double noise = 2.0 * study->noise[k] / fabs (h);
  Estimate up = of_side (study->up[k], noise), down = of_side (study->down[k], noise);

  if (has_up != has_down) {
    Estimate side = has_up ? up : down;
    bool is_settled = !slope_exceeds_noise (has_up ? study->up[k] : study->down[k], noise) &&
                      side.error <= SETTLED * cabs (side.value) + 4.0 * noise;
    if (is_settled)
      store_estimate (study, at, k, HL_SENSITIVITY_ONE_SIDED, side);
    return is_settled && side.error <= ACCURATE * cabs (side.value) + 4.0 * noise;
  }
  double apart = cabs (up.value - down.value), size = fmax (cabs (up.value), cabs (down.value));
  /* of a smooth function both differ by h^3 only, while either is off by h^2; and a slope that
   * grows as the step shrinks belongs to a jump, whose middle J holds here */
  if (apart <= 0.25 * (up.error + down.error) + SAME_SLOPE * size + 4.0 * noise &&
      !slope_exceeds_noise (study->up[k], noise) && !slope_exceeds_noise (study->down[k], noise)) {
    Estimate both = of_both (study->up[k], study->down[k], noise);
    store_estimate (study, at, k, HL_SENSITIVITY_SMOOTH, both);
    return both.error <= ACCURATE * cabs (both.value) + 2.0 * noise;
  }
  if (!isinf (study->best[k]))
    return false;
  bool has_slopes = up.error <= SETTLED * size + 4.0 * noise && down.error <= SETTLED * size + 4.0 * noise;
  s->kind[at] = has_slopes ? HL_SENSITIVITY_KINK : HL_SENSITIVITY_JUMP;
  s->above_re[at] = has_slopes ? creal (up.value) : NAN;
  s->above_im[at] = has_slopes ? cimag (up.value) : NAN;
  s->below_re[at] = has_slopes ? creal (down.value) : NAN;
  s->below_im[at] = has_slopes ? cimag (down.value) : NAN;
  return false;
}

static void one_parameter (Study *study, const HlSweepParameter *parameter, double value, int column) {
  HlSensitivity *s = study->s;
  int n = s->n_states;
  bool is_settled = study->sweep == NULL;

  for (int k = 0; k < n; k++) {
    int at = column * n + k;
    s->kind[at] = s->null[k] ? HL_SENSITIVITY_NULL : HL_SENSITIVITY_STUCK;
    s->d_re[at] = s->d_im[at] = s->error[at] = NAN;
    s->above_re[at] = s->above_im[at] = s->below_re[at] = s->below_im[at] = NAN;
    study->best[k] = INFINITY;
    if (!s->null[k] && (study->gap[k] <= REPEATED_GAP * hypot (s->re[k], s->im[k]) ||
                        study->condition[k] > REPEATED_CONDITION))
      s->kind[at] = HL_SENSITIVITY_REPEATED;
  }
  if (is_settled)
    return;
  double h = value != 0.0 ? RELATIVE_STEP * fabs (value) : first_step (study, parameter, &s->fault[column]);
  is_settled = h == 0.0;
  for (int step = 0; step < MOST_STEPS && !is_settled; step++, h /= STEP_RATIO) {
    bool has_up = one_side (study, parameter, value, h, study->up, &s->fault[column]) == HL_OK;
    bool has_down = one_side (study, parameter, value, -h, study->down, &s->fault[column]) == HL_OK;
    is_settled = has_up || has_down;
    for (int k = 0; (has_up || has_down) && k < n; k++)
      if (!s->null[k] && s->kind[column * n + k] != HL_SENSITIVITY_REPEATED)
        is_settled = judge_slope (study, column * n + k, k, h, has_up, has_down) && is_settled;
    if (has_up || has_down)
      s->fault[column].status = HL_OK;
    else if (step == 0)
      break;
  }
  for (int k = 0; k < n; k++) { /* a kink that a smaller step resolved is none */
    int at = column * n + k;
    if (!isinf (study->best[k]))
      s->above_re[at] = s->above_im[at] = s->below_re[at] = s->below_im[at] = NAN;
  }
}

/* ---- the whole ---- */

static void keep_eigen (Study *study) {
  const HlEigen *eigen = hl_sweep_point_eigen (study->sweep);
  HlSensitivity *s = study->s;
  size_t n = (size_t)s->n_states;

  for (size_t k = 0; k < n; k++) {
    s->re[k] = creal (eigen->value[k]);
    s->im[k] = cimag (eigen->value[k]);
    s->null[k] = eigen->is_null[k];
    study->condition[k] = eigen->condition[k];
    study->largest = fmax (study->largest, cabs (eigen->value[k]));
    study->gap[k] = INFINITY;
    for (size_t other = 0; other < n; other++)
      if (other != k && !eigen->is_null[other])
        study->gap[k] = fmin (study->gap[k], cabs (eigen->value[k] - eigen->value[other]));
  }
  memcpy (study->right, eigen->right, n * n * sizeof *study->right);
  memcpy (study->left, eigen->left, n * n * sizeof *study->left);
  memcpy (study->J, hl_sweep_point_J (study->sweep), n * n * sizeof (double));
  measure_noise (study);
}

static HlSensitivity *alloc (int n, int n_parameters) {
  HlArena own = {0};
  HlSensitivity *s = hl_arena_take (&own, 1, sizeof *s);
  HlArena *arena = &s->arena;
  int table = n * n_parameters;
  double **tables[] = {&s->d_re, &s->d_im, &s->error, &s->above_re, &s->above_im, &s->below_re, &s->below_im};

  *arena = own;
  s->n_states = n;
  s->n_parameters = n_parameters;
  s->re = hl_arena_take (arena, n, sizeof (double));
  s->im = hl_arena_take (arena, n, sizeof (double));
  s->null = hl_arena_take (arena, n, sizeof (bool));
  s->kind = hl_arena_take (arena, table, sizeof *s->kind);
  for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
    *tables[k] = hl_arena_take (arena, table, sizeof (double));
  s->fault = hl_arena_take (arena, n_parameters, sizeof *s->fault);
  return s;
}

/* Returns whether the compiled system cannot change all that the parameter names. */
static bool shapes (const HlSweepParameter *parameter) {
  int n = 0;

  while (parameter->paths != NULL && parameter->paths[n] != NULL)
    n++;
  return parameter->n < n || parameter->n == 0;
}

static HlSweepPoint *shaped_point (const HlDocument *document, HlStart start) {
  HlSweepPoint *point = hl_sweep_point_new_of_document (document, start, NULL);

  if (point != NULL && hl_sweep_point_eval (point, HL_EIGEN_VALUES, NULL) == HL_OK)
    hl_sweep_point_stay (point);
  return point;
}

/* ---- all processors ---- */

typedef struct {
  Study *studies;        /* of each thread: its own points and scratch, the rest is shared */
  HlSweepPoint **shaped; /* of each thread; NULL until it needs one */
  const HlDocument *document;
  HlStart start;
  const HlSweepParameter *parameters;
  const double *values; /* n_parameters */
  bool *is_done;        /* n_parameters */
  atomic_int n_done;
  atomic_bool is_stopped;
  int n_reported; /* steps that were reported to cancel (); the caller's thread alone */
  bool (*cancel) (void *data);
  void *cancel_data;
} Team;

/* Calls cancel () once before the first item and once after each; it counts its calls. */
static void ask_cancel (void *data) {
  Team *team = data;

  while (team->cancel != NULL && !atomic_load (&team->is_stopped) &&
         team->n_reported <= atomic_load (&team->n_done)) {
    team->n_reported++;
    if (team->cancel (team->cancel_data))
      atomic_store (&team->is_stopped, true);
  }
}

static void compute_parameter (int k, int place, void *data) {
  Team *team = data;
  Study study = team->studies[place];

  if (place == 0)
    ask_cancel (team);
  if (atomic_load (&team->is_stopped))
    return;
  if (shapes (&team->parameters[k])) {
    if (team->shaped[place] == NULL && team->document != NULL)
      team->shaped[place] = shaped_point (team->document, team->start);
    study.sweep = team->shaped[place];
  }
  /* the result must not depend on the parameters that this thread had before */
  if (study.sweep != NULL)
    hl_sweep_point_rewind (study.sweep);
  one_parameter (&study, &team->parameters[k], team->values[k], k);
  team->is_done[k] = true;
  atomic_fetch_add (&team->n_done, 1);
}

/* Makes a point and scratch for each thread; on failure, the fault is that of the model itself. */
static HlStatus make_studies (Team *team, HlArena *scratch, const HlSystem *sys, int n_threads,
                              int n_parameters, HlFault *fault) {
  HlStatus status = HL_OK;

  for (int place = 0; place < n_threads && status == HL_OK; place++) {
    Study *study = &team->studies[place];
    HlSweepPoint *sweep = hl_sweep_point_new (sys, team->start, fault);
    if (sweep == NULL)
      return HL_NO_CONVERGENCE;
    status = hl_sweep_point_eval (sweep, HL_EIGEN_VECTORS | HL_EIGEN_NULL, fault);
    int n = hl_sweep_point_n_states (sweep), cells = n * n;
    if (place == 0) {
      *study = (Study){.s = alloc (n, n_parameters),
                       .sweep = sweep,
                       .right = hl_arena_take (scratch, cells, sizeof (double complex)),
                       .left = hl_arena_take (scratch, cells, sizeof (double complex)),
                       .condition = hl_arena_take (scratch, n, sizeof (double)),
                       .gap = hl_arena_take (scratch, n, sizeof (double)),
                       .J = hl_arena_take (scratch, cells, sizeof (double)),
                       .noise = hl_arena_take (scratch, n, sizeof (double))};
      if (status == HL_OK)
        keep_eigen (study);
    } else
      *study = team->studies[0];
    study->sweep = sweep;
    study->near = hl_arena_take (scratch, cells, sizeof (double));
    study->far = hl_arena_take (scratch, cells, sizeof (double));
    study->up = hl_arena_take (scratch, n, sizeof (Slope));
    study->down = hl_arena_take (scratch, n, sizeof (Slope));
    study->best = hl_arena_take (scratch, n, sizeof (double));
    hl_sweep_point_stay (sweep);
  }
  return status;
}

HlSensitivity *hl_sensitivity_new (const HlSystem *sys, const HlDocument *document, HlStart start,
                                   const HlSweepParameter parameters[], const double values[],
                                   int n_parameters, bool (*cancel) (void *data), void *cancel_data,
                                   HlFault *fault) {
  HlArena scratch = {0};
  Team team = {.document = document,
               .start = start,
               .parameters = parameters,
               .values = values,
               .cancel = cancel,
               .cancel_data = cancel_data};
  HlParallel parallel = {.n = n_parameters, .work = compute_parameter, .tick = ask_cancel, .data = &team};
  int n_threads = hl_parallel_n_threads (&parallel);

  parallel.n_threads = n_threads;
  team.studies = hl_arena_take (&scratch, n_threads, sizeof *team.studies);
  team.shaped = hl_arena_take (&scratch, n_threads, sizeof *team.shaped);
  team.is_done = hl_arena_take (&scratch, n_parameters, sizeof (bool));
  HlStatus status = make_studies (&team, &scratch, sys, n_threads, n_parameters, fault);
  HlSensitivity *s = team.studies[0].s;
  if (status == HL_OK) {
    hl_parallel_run (&parallel);
    s->n_parameters = 0; /* those without a gap from the first on */
    while (s->n_parameters < n_parameters && team.is_done[s->n_parameters])
      s->n_parameters++;
  }
  for (int place = 0; place < n_threads; place++) {
    hl_sweep_point_free (team.studies[place].sweep);
    hl_sweep_point_free (team.shaped[place]);
  }
  hl_arena_clear (&scratch);
  if (status == HL_OK)
    return s;
  if (s != NULL)
    hl_sensitivity_free (s);
  return NULL;
}

void hl_sensitivity_free (HlSensitivity *sensitivity) {
  if (sensitivity == NULL)
    return;
  HlArena arena = sensitivity->arena;
  hl_arena_clear (&arena);
}
