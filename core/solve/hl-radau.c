/* SPDX-License-Identifier: MIT */
/* Radau IIA with three or five stages (order 5 or 9, stiffly accurate, L-stable): theory/integration.md
 * (1)-(7). With s stages,
 *
 *   Z_i   = h sum_j a_ij f (t + c_j h, z + Z_j)                stages;  new z = z + Z_s
 *   A^-1  = T L T^-1,   L = [g] + [a b; -b a] + ...,   Z = T W
 *
 * Newton's equations fall into one real and one or two complex systems, F the slopes f at the stages:
 *
 *   (g/h - J) dW_1                  = (T^-1 F)_1 - g/h W_1
 *   ((a - i b)/h - J)(dW_2 + i dW_3) = (T^-1 F)_2 - (a W_2 + b W_3)/h
 *                                     + i ((T^-1 F)_3 - (a W_3 - b W_2)/h)
 *
 * and so on with W_4 and W_5. c, g, a, b, T and e stand in
 * hl-radau-tableau.c; which of the two methods goes on is found by what they take (hl-radau-order.c).
 *
 * Error: an embedded formula of order s with the explicit slope f0 at the start of the step, weight
 * h/g, filtered by the real factorization:
 *
 *   err = (g/h - J)^-1 (f0 + e^T Z/h)
 *
 * Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8. */
#include "core/solve/hl-radau.h"
#include "core/base/hl-arena.h"
#include "core/solve/hl-radau-linear.h"
#include "core/solve/hl-radau-order.h"
#include "core/solve/hl-radau-polynomial.h"
#include "core/solve/hl-radau-tableau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

/* Newton stops when the error left is below this part of the tolerance: smaller than the error
 * estimate can see (Hairer and Wanner's own choice). */
#define NEWTON_TOLERANCE 0.03
#define MAX_NEWTON 8

/* A first iteration that moves the stages by no more than this part of the tolerance needs no check. */
#define UNPROVED 1.0
#define PROVED 0.1

/* Contractions below this are rounding, and rounding must not decide on the number of iterations.
 */
#define BEST_CONTRACTION 1e-6

/* A contraction better than this proves the Jacobian good enough for the next step: two iterations do, as they would with a
 * new one. */
#define KEEP_JACOBIAN 1e-2

/* The step is kept, and the factorizations with it, while the best step lies within this factor
 * above it. */
#define KEEP_STEP 1.2

/* What a Jacobian and the factors of a real and of a complex system take, in evaluations of f with their solutions: about
 * so much on machines of all sizes. */
#define COST_JACOBIAN 4
#define COST_REAL 2
#define COST_COMPLEX 5

/* From this tolerance on order 9 has nothing to gain. */
#define LOOSE 1e-3

#define SAFETY 0.9
#define MAX_GROWTH 8.0
#define MIN_SHRINK 0.2

/* First look at the change of the slope: a move by this part of the states' scales. A move by a
 * part of the tolerance would be so short that it sees nothing but rounding where the motion begins
 * straight. */
#define PROBE 1e-4

/* Longest first step, that of a motion that begins straight, as a part of the interval. */
#define FIRST_PART 0.01

/* Steps below this many roundings of t are given up. */
#define MIN_STEP_ROUNDING 10.0

typedef struct {
  HlStepper stepper;             /* first */
  HlArena arena;                 /* of itself and its arrays */
  const HlRadauTableau *tableau; /* c, T, L, e of the method in use */
  HlRadauOrder order;            /* which that is */
  double t, h;                   /* start and signed size of the step to be tried */
  double h_last;                 /* size of the last accepted step, 0 at a start */
  double error_last;             /* its error */
  double contraction, eta;       /* of Newton's iteration: latest rate, and what is left over a step */
  /* what may be used again; the last try failed */
  bool has_jacobian, jacobian_is_fresh, has_factors, rejected;
  double *z0;                   /* n: deviation at t                      */
  double *f0;                   /* n: slope at t                          */
  double *z[HL_RADAU_STAGES];   /* n each: stages of the step being tried */
  double *w[HL_RADAU_STAGES];   /* n each: W = T^-1 Z */
  double *f[HL_RADAU_STAGES];   /* n each: slopes at the stages, then right-hand sides */
  HlRadauPolynomial polynomial; /* of the last step */
  double *err, *work;           /* n: error estimate, scratch */
  double *complex_rhs;          /* 2 n: real, imaginary parts */
  HlRadauLinear *linear;        /* both linear systems, owned */
  long factorizations, newton, error_failures, newton_failures; /* counters of the run */
} Radau;

static int order_of (const Radau *self) {
  return self->stepper.integrator->ode.n;
}

/* ---- dense output ---- */

static void radau_interpolate (HlStepper *stepper, double t, int m, double z[]) {
  Radau *self = (Radau *)stepper;
  hl_radau_polynomial_at (&self->polynomial, 1.0 + (t - self->t) / self->h_last, m, z);
  /* z0 already is the deviation at the end of the step */
  for (int i = 0; i < m; i++)
    z[i] += self->z0[i];
}

/* Of the polynomial, as a difference of two of its values; at the end the slope is known. */
#define SLOPE_STEP 1e-4

static void radau_slope (HlStepper *stepper, double t, double z_dot[]) {
  Radau *self = (Radau *)stepper;
  int n = order_of (self);
  double x = 1.0 + (t - self->t) / self->h_last;

  if (t == self->t) {
    memcpy (z_dot, self->f0, sizeof (double) * (gsize)n);
    return;
  }
  hl_radau_polynomial_at (&self->polynomial, x + SLOPE_STEP, n, z_dot);
  hl_radau_polynomial_at (&self->polynomial, x - SLOPE_STEP, n, self->err);
  for (int i = 0; i < n; i++)
    z_dot[i] = (z_dot[i] - self->err[i]) / (2.0 * SLOPE_STEP * self->h_last);
}

/* ---- one step ---- */

static HlStatus factorize (Radau *self) {
  const HlRadauTableau *tab = self->tableau;

  self->factorizations++;
  hl_radau_order_spend (&self->order, COST_REAL + tab->n_stages / 2 * COST_COMPLEX);
  HlStatus status = hl_radau_linear_factor (self->linear, tab->g / self->h);
  for (int pair = 0; pair < tab->n_stages / 2 && status == HL_OK; pair++)
    status =
        hl_radau_linear_factor_complex (self->linear, pair, tab->a[pair] / self->h, -tab->b[pair] / self->h);
  self->has_factors = status == HL_OK;
  return status;
}

/* First guess of the stages: the last collocation polynomial carried on, or nothing at a start. */
static void predict (Radau *self) {
  int n = order_of (self);

  for (int stage = 0; stage < self->tableau->n_stages; stage++) {
    if (self->h_last == 0.0)
      memset (self->z[stage], 0, sizeof (double) * (gsize)n);
    else
      hl_radau_polynomial_at (&self->polynomial, 1.0 + self->tableau->c[stage] * self->h / self->h_last, n,
                              self->z[stage]);
  }
  hl_radau_tableau_transform (self->tableau, self->tableau->T_inverse, n, self->z, self->w);
}

/* The slope at the end of a step is taken from the solved equations of the last stage, without another evaluation. The
 * remaining Newton error is multiplied by J here, but divided by J again in the error filter, where the slope is used. */
static void find_end_slope (const Radau *self, double slope[]) {
  const HlRadauTableau *tab = self->tableau;
  int n = order_of (self);

  for (int i = 0; i < n; i++)
    slope[i] = tab->g / self->h * self->w[0][i];
  for (int pair = 0; pair < tab->n_stages / 2; pair++) {
    const double *w2 = self->w[2 * pair + 1], *w3 = self->w[2 * pair + 2];
    double a = tab->a[pair] / self->h, b = tab->b[pair] / self->h;
    for (int i = 0; i < n; i++)
      slope[i] += a * w2[i] + b * w3[i];
  }
}

/* Whether the first iteration, which moved the stages by `norm`, is enough. The contraction rate of the previous step does
 * not hold in a step that passes a kink, so the last stage is checked: its slope is evaluated and compared with the slope
 * that its equation gives. */
static bool is_proved (Radau *self, double norm) {
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);

  if (norm <= UNPROVED)
    return true;
  for (int i = 0; i < n; i++)
    self->work[i] = self->z0[i] + self->z[self->tableau->n_stages - 1][i];
  if (hl_integrator_eval_rhs (integrator, self->t + self->h, self->work, self->err) != HL_OK)
    return false;
  find_end_slope (self, self->work);
  for (int i = 0; i < n; i++)
    self->err[i] -= self->work[i];
  hl_radau_linear_solve_real (self->linear, self->err);
  return hl_integrator_norm (integrator, self->err) <= PROVED;
}

/* Simplified Newton. HL_NO_CONVERGENCE asks for a smaller step or a fresh Jacobian. */
static HlStatus solve_stages (Radau *self, int *n_iterations) {
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  const HlRadauTableau *tab = self->tableau;
  int s = tab->n_stages;
  double g = tab->g / self->h, last_norm = 0.0;

  self->eta = pow (fmax (self->eta, BEST_CONTRACTION), 0.8);
  self->contraction = KEEP_JACOBIAN;
  for (int k = 1; k <= MAX_NEWTON; k++) {
    for (int stage = 0; stage < s; stage++) {
      const double *z0 = self->z0, *z = self->z[stage];
      double *at = self->work;
      for (int i = 0; i < n; i++)
        at[i] = z0[i] + z[i];
      HlStatus status =
          hl_integrator_eval_rhs (integrator, self->t + tab->c[stage] * self->h, self->work, self->f[stage]);
      if (status != HL_OK)
        return status;
    }
    hl_radau_tableau_transform (tab, tab->T_inverse, n, self->f, self->f);
    double *f1 = self->f[0], *w1 = self->w[0];
    for (int i = 0; i < n; i++)
      f1[i] -= g * w1[i];
    hl_radau_linear_solve_real (self->linear, f1);
    for (int i = 0; i < n; i++)
      w1[i] += f1[i];
    for (int pair = 0; pair < s / 2; pair++) {
      double *f2 = self->f[2 * pair + 1], *f3 = self->f[2 * pair + 2], *both = self->complex_rhs;
      double *w2 = self->w[2 * pair + 1], *w3 = self->w[2 * pair + 2];
      double a = tab->a[pair] / self->h, b = tab->b[pair] / self->h;
      for (int i = 0; i < n; i++) {
        both[2 * i] = f2[i] - (a * w2[i] + b * w3[i]);
        both[2 * i + 1] = f3[i] - (a * w3[i] - b * w2[i]);
      }
      hl_radau_linear_solve_complex (self->linear, pair, both);
      for (int i = 0; i < n; i++) {
        f2[i] = both[2 * i];
        f3[i] = both[2 * i + 1];
        w2[i] += f2[i];
        w3[i] += f3[i];
      }
    }
    hl_radau_tableau_transform (tab, tab->T, n, self->w, self->z);
    self->newton++;
    hl_radau_order_spend (&self->order, s);
    *n_iterations = k;

    double sum = 0.0;
    for (int stage = 0; stage < s; stage++) {
      double norm = hl_integrator_norm (integrator, self->f[stage]);
      sum += norm * norm;
    }
    double norm = sqrt (sum / s);
    if (k > 1) {
      double theta = norm / last_norm;

      self->contraction = k == 2 ? theta : sqrt (theta * self->contraction);
      if (!(self->contraction < 0.99))
        return HL_NO_CONVERGENCE;
      self->eta = self->contraction / (1.0 - self->contraction);
      /* what the remaining iterations could reach at this rate */
      if (self->eta * norm * pow (self->contraction, MAX_NEWTON - 1 - k) > 10.0 * NEWTON_TOLERANCE &&
          k < MAX_NEWTON)
        return HL_NO_CONVERGENCE;
    }
    if (!isfinite (norm))
      return HL_NO_CONVERGENCE;
    last_norm = fmax (norm, DBL_MIN);
    if (self->eta * norm <= NEWTON_TOLERANCE && (k > 1 || is_proved (self, norm)))
      return HL_OK;
  }
  return HL_NO_CONVERGENCE;
}

static double estimate_error (Radau *self) {
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  const HlRadauTableau *tab = self->tableau;
  const double *z1 = self->z[0], *z2 = self->z[1], *z3 = self->z[2], *f0 = self->f0;
  double h = self->h;
  double *part = self->work, *err = self->err;

  for (int i = 0; i < n; i++)
    part[i] = tab->e[0] * z1[i] + tab->e[1] * z2[i] + tab->e[2] * z3[i];
  for (int stage = 3; stage < tab->n_stages; stage++)
    for (int i = 0; i < n; i++)
      part[i] += tab->e[stage] * self->z[stage][i];
  for (int i = 0; i < n; i++) {
    part[i] /= h;
    err[i] = f0[i] + part[i];
  }
  hl_radau_linear_solve_real (self->linear, self->err);
  double norm = hl_integrator_norm (integrator, self->err);
  if (norm < 1.0 || !(self->rejected || self->h_last == 0.0))
    return fmax (norm, 1e-10);

  /* a second filtering keeps the estimate bounded for very stiff components at starts and after a
   * rejection */
  for (int i = 0; i < n; i++)
    self->err[i] += self->z0[i];
  if (hl_integrator_eval_rhs (integrator, self->t, self->err, self->f[0]) != HL_OK)
    return norm;
  for (int i = 0; i < n; i++)
    self->err[i] = self->f[0][i] + self->work[i];
  hl_radau_linear_solve_real (self->linear, self->err);
  return fmax (hl_integrator_norm (integrator, self->err), 1e-10);
}

/* The error of the embedded formula grows by this power of the step. */
static double root_of (const Radau *self, double x) {
  return self->tableau->n_stages == 3 ? sqrt (sqrt (x)) : cbrt (sqrt (x));
}

/* Between the two methods. */
static bool has_choice (const Radau *self) {
  const HlOdeOptions *options = &self->stepper.integrator->options;

  return options->radau_order == 0 && options->rtol < LOOSE;
}

/* Shortens the step; the Jacobian is renewed unless it belongs to this very point. */
static void shorten (Radau *self, double factor) {
  self->h = hl_integrator_fit_step (self->t, self->h * factor);
  self->has_factors = false;
  self->rejected = true;
  self->has_jacobian = self->jacobian_is_fresh;
}

static void accept (Radau *self, double error, int n_iterations) {
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  double safety = fmin (SAFETY, SAFETY * (2 * MAX_NEWTON + 1) / (2.0 * MAX_NEWTON + n_iterations));
  double growth = safety / root_of (self, error);

  /* the trend of the error over two steps foresees more than the last value alone (Gustafsson) */
  if (self->h_last != 0.0) {
    double trend = safety * (self->h / self->h_last) * root_of (self, self->error_last / (error * error));
    growth = fmin (growth, trend);
  }
  growth = fmin (fmax (growth, MIN_SHRINK), MAX_GROWTH);
  if (self->rejected)
    growth = fmin (growth, 1.0);

  find_end_slope (self, self->f0);
  const HlRadauTableau *tab = self->tableau;
  hl_radau_polynomial_make (&self->polynomial, tab, self->z, n);
  integrator->step_begin = self->t;
  self->t += self->h;
  for (int i = 0; i < n; i++)
    self->z0[i] += self->z[tab->n_stages - 1][i];
  memcpy (integrator->z, self->z0, sizeof (double) * (gsize)n);
  self->h_last = self->h;
  self->error_last = fmax (error, 1e-2);
  self->jacobian_is_fresh = false;
  self->rejected = false;
  self->has_jacobian = self->contraction <= KEEP_JACOBIAN;
  if (has_choice (self) && hl_radau_order_accept (&self->order, self->t)) {
    self->tableau = hl_radau_tableau (self->order.method);
    self->has_factors = false;
  }
  if (self->has_jacobian && growth >= 1.0 && growth <= KEEP_STEP)
    return;
  double h = hl_integrator_fit_step (self->t, self->h * growth);
  if (h != self->h)
    self->has_factors = false;
  self->h = h;
}

static HlStatus radau_step (HlStepper *stepper, double t_stop) {
  Radau *self = (Radau *)stepper;
  HlIntegrator *integrator = stepper->integrator;
  double sign = integrator->sign, wished = self->h;
  bool is_last = false;

  hl_integrator_weigh (integrator, self->z0, false);
  for (;;) {
    HlStatus status = HL_OK;
    int n_iterations = 0;

    if (integrator->options.max_step > 0.0 && fabs (self->h) > integrator->options.max_step) {
      self->h = sign * integrator->options.max_step;
      self->has_factors = false;
    }
    /* end exactly on the stop; do not leave a crumb behind */
    is_last = isfinite (t_stop) && sign * (self->t + 1.01 * self->h - t_stop) >= 0.0;
    if (is_last && self->h != t_stop - self->t) {
      wished = self->h;
      self->h = t_stop - self->t;
      self->has_factors = false;
    }
    if (fabs (self->h) <= MIN_STEP_ROUNDING * DBL_EPSILON * fabs (self->t))
      return integrator->callback_status != HL_OK ? integrator->callback_status : HL_TOO_MUCH_WORK;
    if (!self->has_jacobian) {
      status = hl_radau_linear_eval_jacobian (self->linear, self->t, self->z0);
      if (status != HL_OK)
        return status;
      hl_radau_order_spend (&self->order, COST_JACOBIAN);
      self->has_jacobian = self->jacobian_is_fresh = true;
      self->has_factors = false;
    }
    if (!self->has_factors)
      status = factorize (self);
    if (status == HL_OK) {
      predict (self);
      status = solve_stages (self, &n_iterations);
    }
    if (status != HL_OK) {
      if (!hl_integrator_is_recoverable (status))
        return status;
      self->newton_failures++;
      shorten (self, 0.5);
      continue;
    }
    double error = estimate_error (self);
    if (error < 1.0) {
      accept (self, error, n_iterations);
      if (is_last) {
        self->t = t_stop;
        /* what comes behind the stop need not be as short as the piece that led up to it */
        if (fabs (wished) > fabs (self->h)) {
          self->h = wished;
          self->has_factors = false;
        }
      }
      integrator->step_end = self->t;
      return HL_OK;
    }
    self->error_failures++;
    shorten (self, self->h_last == 0.0 ? 0.1 : fmax (MIN_SHRINK, SAFETY / root_of (self, error)));
  }
}

/* ---- start ---- */

/* Behind a corner the last step tells nothing when the interval is so many times as long: what came from a long step would
 * be tried and shortened again and again. Between corners that stand closer, as those of a moving lever, it does. */
#define INTERVAL_OF_STEPS 2.0

/* From how the slope changes: with ||.|| the norm in which the tolerance is 1, t the time in which the change of the slope
 * moves the state by its scale and e the order of the error of the embedded formula,
 *
 *   t = 1 / sqrt (rtol ||f'||),   h = rtol^(1/e) t
 *
 * is about the step that the formula would allow were t the only time there is. */
static double guess_step (Radau *self, double span) {
  HlIntegrator *integrator = self->stepper.integrator;
  double slope = hl_integrator_norm (integrator, self->f0), rtol = integrator->options.rtol;
  double probe = fmin (slope > 0.0 ? PROBE / (slope * rtol) : FIRST_PART * span, span);

  for (int i = 0; i < order_of (self); i++)
    self->work[i] = integrator->sign * probe * self->f0[i];
  if (hl_integrator_eval_rhs (integrator, self->t + integrator->sign * probe, self->work, self->err) != HL_OK)
    return probe;
  for (int i = 0; i < order_of (self); i++)
    self->err[i] = (self->err[i] - self->f0[i]) / probe;
  double time = 1.0 / sqrt (rtol * hl_integrator_norm (integrator, self->err));
  return fmin (root_of (self, rtol) * time, FIRST_PART * span);
}

/* Order 5 begins, which asks less of a first guess, unless the other one is wanted. */
static int first_method (const Radau *self) {
  return self->stepper.integrator->options.radau_order == 9;
}

static HlStatus radau_start (HlStepper *stepper, double t, double h, double span) {
  Radau *self = (Radau *)stepper;
  HlIntegrator *integrator = stepper->integrator;

  self->t = t;
  self->h_last = 0.0;
  self->eta = 1.0;
  self->tableau = hl_radau_tableau (first_method (self));
  hl_radau_order_start (&self->order, t);
  self->has_jacobian = self->has_factors = self->jacobian_is_fresh = self->rejected = false;
  memset (self->z0, 0, sizeof (double) * (gsize)order_of (self));
  HlStatus status = hl_integrator_eval_rhs (integrator, t, self->z0, self->f0);
  if (status != HL_OK)
    return status;
  bool is_wanted = h > 0.0 && h == integrator->options.first_step;
  double first = h > 0.0 ? fmin (h, span) : INFINITY;
  if (!is_wanted && span >= INTERVAL_OF_STEPS * h)
    first = fmin (first, guess_step (self, span));
  self->h = hl_integrator_fit_step (t, integrator->sign * first);
  return HL_OK;
}

static double radau_next_step (HlStepper *stepper) {
  return fabs (((Radau *)stepper)->h);
}

static void radau_add_stats (const HlStepper *stepper, HlOdeStats *stats) {
  const Radau *self = (const Radau *)stepper;

  stats->factorizations += self->factorizations;
  stats->newton += self->newton;
  stats->error_failures += self->error_failures;
  stats->newton_failures += self->newton_failures;
}

static void radau_free (HlStepper *stepper) {
  Radau *self = (Radau *)stepper;

  HlArena arena = self->arena;

  hl_radau_linear_free (self->linear);
  hl_arena_clear (&arena);
}

static int radau_last_order (const HlStepper *stepper) {
  return 2 * ((const Radau *)stepper)->tableau->n_stages - 1;
}

HlStepper *hl_stepper_new_radau (HlIntegrator *integrator) {
  static const HlStepperClass class = {radau_free,  radau_start,     radau_step,       radau_interpolate,
                                       radau_slope, radau_next_step, radau_last_order, radau_add_stats};
  HlArena own = hl_arena_beside (&integrator->arena);
  Radau *self = hl_arena_take (&own, 1, sizeof *self);
  int n = integrator->ode.n;

  self->arena = own;
  self->stepper = (HlStepper){&class, integrator};
  hl_radau_polynomial_init (&self->polynomial, &self->arena, n);
  double **sets[] = {self->z, self->w, self->f};
  for (gsize k = 0; k < G_N_ELEMENTS (sets); k++)
    for (int stage = 0; stage < HL_RADAU_STAGES; stage++)
      sets[k][stage] = hl_arena_take (&self->arena, n, sizeof (double));
  double **vectors[] = {&self->z0, &self->f0, &self->err, &self->work};
  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    *vectors[i] = hl_arena_take (&self->arena, n, sizeof (double));
  self->complex_rhs = hl_arena_take (&self->arena, 2 * n, sizeof (double));
  self->linear = hl_radau_linear_new (integrator);
  return &self->stepper;
}
