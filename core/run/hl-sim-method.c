/* SPDX-License-Identifier: MIT */
/* Changes the integrator's method where it does not suit the run: where BDF would let a swing grow, where steps stay so
 * short that the end is out of reach, and where the method gives up but the rows so far have to stand
 * (theory/integration.md).
 *
 * Growth and loss of a swing under BDF: for y' = lambda y one step of order q multiplies y by zeta,
 *
 *   sum_{k=1}^q (1 - 1/zeta)^k/k = h lambda
 *
 * and near the imaginary axis |zeta| > 1 for orders 3 and 4, and for order 5 with long steps; else it is smaller. The
 * root is followed from zeta = 1. Eigenvalues are those of J, and only what changes an amplitude by several
 * tolerances counts: of the rate f, with right and left vectors v and w, the amplitude is |w^H f/lambda| |v|. */
#include "core/run/hl-sim-run.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "core/math/hl-eigen.h"

#define ORDERS 6       /* 1 to 5 */
#define MOST_STATES 29 /* of a dense J */
/* Steps until the first look at the spectrum, and n^2/4 more; then twice as many, up to these between two. */
#define FIRST_CHECK 50
#define LAST_CHECK 500
#define PART_OF_CHECK 3 /* n^2 times this take longer than the spectrum of n states */

/* Logarithm of what the method alone does to an amplitude over the rest of the run, and the change itself in
 * tolerances: 100 are a usual error behind some hundred steps. */
#define MOST_GAIN 0.02
#define MOST_LOSS 0.5
#define GAINED 10.0
#define LEAST_GROWN 1.0
#define LOST 100.0

#define FEWEST_PERIODS                                                                                       \
  100.0               /* of a swing, before it decays by LIFETIMES or the run ends: in fewer little changes */
#define LIFETIMES 2.0 /* time constants of its own decay */
#define MOST_PERIODS 1000.0 /* instead of the rest of a run without end */
#define LIGHT 0.2           /* least |Re lambda|/|Im lambda| of what does not count as a swing */
#define FARTHEST 3.0        /* |h lambda|: error control keeps steps of a swing shorter */
#define PATH 0.1            /* increments of |h lambda| on the way from zeta = 1 */
#define NEWTON 4            /* iterations in each */

#define STALL_STEPS 10000 /* steps over which the pace is taken */
#define STALL_MOST 1.0e6  /* steps that the rest of the run would take */
#define TRIAL_STEPS 300   /* of the other method, to show its pace, */
#define TRIAL_COST 10.0   /* which must be so many times faster: its steps cost more */

struct HlSimMethod {
  int n;
  HlEigen *eigen; /* or NULL: no spectrum of this arrangement */
  double *J;      /* n x n */
  double *f;      /* n */
  double *scale;  /* n */
  /* since the last check */
  long steps_of[ORDERS];
  double time_of[ORDERS], power_of[ORDERS]; /* sums of h and h^5 */
  double last_t;
  long n_steps, next_check; /* since the method began */
  double pace_from;         /* time at the beginning of STALL_STEPS steps */
  long pace_steps;
  double pace_before; /* of the other method, that stalled [s a step]; 0: none */
  double patience;    /* factor of STALL_STEPS */
  double failed_at;   /* where a method gave up last, NAN */
};

HlSimMethod *hl_sim_method_new (const HlSimRun *run) {
  const HlSimOptions *options = run->options;

  if (options->again == NULL || options->ahead != NULL || options->tangent != NULL)
    return NULL;
  HlSimMethod *self = calloc (1, sizeof *self);
  self->patience = 1.0;
  self->next_check = FIRST_CHECK;
  self->failed_at = NAN;
  return self;
}

void hl_sim_method_free (HlSimMethod *self) {
  if (self == NULL)
    return;
  hl_eigen_free (self->eigen);
  free (self);
}

static void begin_window (HlSimMethod *self, double t) {
  for (int q = 0; q < ORDERS; q++) {
    self->steps_of[q] = 0;
    self->time_of[q] = self->power_of[q] = 0.0;
  }
  self->last_t = t;
}

void hl_sim_method_arrange (HlSimMethod *self, HlSimRun *run) {
  if (self == NULL)
    return;
  int n = run->n;
  bool has_spectrum = run->method == HL_METHOD_BDF && n > 0 && n <= MOST_STATES &&
                      run->form == &hl_sim_form_reduced && run->unreduced == NULL && run->pattern == NULL;

  if (self->eigen != NULL && (!has_spectrum || n != self->n)) {
    hl_eigen_free (self->eigen);
    self->eigen = NULL;
  }
  self->n = n;
  self->n_steps = 0;
  self->next_check = FIRST_CHECK + n * n / 4;
  self->pace_steps = 0;
  if (!has_spectrum)
    return;
  if (self->eigen == NULL)
    self->eigen = hl_eigen_new (n);
  hl_work_make_aside (run->sys, run->work);
  self->J = hl_arena_take (&run->arrangement, n * n, sizeof (double));
  self->f = hl_arena_take (&run->arrangement, n, sizeof (double));
  self->scale = hl_arena_take (&run->arrangement, n, sizeof (double));
  run->form->scales (run, self->scale);
}

/* ln |zeta| of order q at z = h lambda. */
static double log_growth (int order, double complex z) {
  int n = (int)ceil (cabs (z) / PATH);
  double complex w = 0.0;

  for (int at = 1; at <= n; at++)
    for (int turn = 0; turn < NEWTON; turn++) {
      double complex sum = 0.0, slope = 0.0, power = 1.0;
      for (int k = 1; k <= order; k++) {
        slope += power;
        power *= w;
        sum += power / k;
      }
      w -= (sum - z * at / n) / slope;
    }
  return -log (cabs (1.0 - w));
}

/* Amplitude of a mode in units of the tolerance. */
static double find_amplitude (const HlSimMethod *self, int mode, double rtol) {
  const HlEigen *eigen = self->eigen;
  int n = self->n;
  double complex along = 0.0;
  double sum = 0.0;

  for (int i = 0; i < n; i++) {
    double size = cabs (eigen->right[mode * n + i]) / (rtol * self->scale[i]);
    along += conj (eigen->left[mode * n + i]) * self->f[i];
    sum += size * size;
  }
  return cabs (along / eigen->value[mode]) * sqrt (sum / n);
}

/* Growth of the logarithm of the amplitude of a mode, by the steps since the last check [1/s]. */
static double find_rate (const HlSimMethod *self, double complex lambda) {
  double growth = 0.0, time = 0.0;

  for (int q = 1; q < ORDERS; q++) {
    if (self->steps_of[q] == 0)
      continue;
    double h = pow (self->power_of[q] / (double)self->steps_of[q], 0.2);
    if (h * cabs (lambda) > FARTHEST)
      return 0.0;
    growth += (double)self->steps_of[q] * log_growth (q, h * lambda);
    time += self->time_of[q];
  }
  return time > 0.0 ? growth / time : 0.0;
}

/* Whether some swing grows, or loses its amplitude, by the method alone. */
static bool bends_swing (HlSimMethod *self, HlSimRun *run, double t) {
  HlEigen *eigen = self->eigen;

  hl_integrator_interpolate (run->integrator, t, run->y_row);
  hl_work_look_aside (run->work);
  HlStatus status = run->form->rhs (run, t, run->y_row, self->f, NULL);
  if (status == HL_OK)
    status = run->form->jacobian (run, t, run->y_row, self->J, NULL);
  hl_work_look_back (run->work);
  if (status != HL_OK || hl_eigen_eval (eigen, self->n, self->J, self->scale, 0.0, HL_EIGEN_VECTORS) != HL_OK)
    return false;
  for (int mode = 0; mode < self->n; mode++) {
    double complex lambda = eigen->value[mode];
    if (!(cimag (lambda) > 0.0) || fabs (creal (lambda)) > LIGHT * cimag (lambda))
      continue;
    double end = run->options->t_end;
    double period = 2.0 * M_PI / cimag (lambda), least = GAINED;
    double rest = isfinite (end) ? end - t : MOST_PERIODS * period;
    double lives = fmin (rest, LIFETIMES / fabs (creal (lambda)));
    double rate = find_rate (self, lambda), change = (rate - fmax (creal (lambda), 0.0)) * rest;
    if (lives < FEWEST_PERIODS * period) {
      /* it should decay soon, and grows instead */
      change = rate * lives;
      if (!(change > MOST_GAIN) || find_amplitude (self, mode, run->options->rtol) < LEAST_GROWN)
        continue;
    } else if (!(change > MOST_GAIN)) {
      change = (rate - creal (lambda)) * lives;
      least = LOST;
      if (!(change < -MOST_LOSS))
        continue;
    }
    if (find_amplitude (self, mode, run->options->rtol) * fabs (expm1 (change)) < least)
      continue;
    run->takeover =
        (HlTakeover){.why = HL_TAKEOVER_SWINGS, .t = t, .frequency = 1.0 / period, .factor = exp (change)};
    return true;
  }
  return false;
}

/* Whether the end is out of reach at the pace of this method, or the other one that was tried instead is no
 * better. */
static bool stalls (HlSimMethod *self, HlSimRun *run, double t) {
  double end = run->options->t_end;
  double wanted = self->pace_before > 0.0 ? TRIAL_STEPS : STALL_STEPS * self->patience;

  if (!isfinite (end))
    return false;
  if (self->pace_steps == 0)
    self->pace_from = t;
  if (self->pace_steps++ < wanted)
    return false;
  double pace = (t - self->pace_from) / wanted;
  self->pace_steps = 0;
  if (self->pace_before > 0.0) {
    bool is_better = pace > TRIAL_COST * self->pace_before;
    self->pace_before = 0.0;
    self->patience *= 8.0;
    return !is_better;
  }
  if (!(pace > 0.0) || (end - t) / pace > STALL_MOST) {
    self->pace_before = fmax (pace, 1e-300);
    run->takeover = (HlTakeover){.why = HL_TAKEOVER_STALLS, .t = t};
    return true;
  }
  return false;
}

bool hl_sim_method_watch (HlSimMethod *self, HlSimRun *run, double t) {
  if (self == NULL)
    return false;
  if (self->n_steps++ == 0)
    begin_window (self, t);
  if (stalls (self, run, t))
    return true;
  if (self->eigen == NULL)
    return false;
  int order = hl_integrator_last_order (run->integrator);
  double h = t - self->last_t;
  if (order > 0 && order < ORDERS) {
    self->steps_of[order]++;
    self->time_of[order] += h;
    self->power_of[order] += h * h * h * h * h;
  }
  self->last_t = t;
  if (self->n_steps < self->next_check)
    return false;
  long most = PART_OF_CHECK * self->n * self->n;
  most = most > LAST_CHECK ? most : LAST_CHECK;
  self->next_check += self->n_steps < most ? self->n_steps : most;
  bool bends = bends_swing (self, run, t);
  begin_window (self, t);
  return bends;
}

bool hl_sim_method_gave_up (HlSimMethod *self, HlSimRun *run, double t) {
  if (self == NULL || !(isnan (self->failed_at) || t > self->failed_at))
    return false;
  self->failed_at = t;
  self->pace_before = 0.0;
  run->takeover = (HlTakeover){.why = HL_TAKEOVER_GAVE_UP, .t = t};
  return true;
}
