/* SPDX-License-Identifier: MIT */
/* Radau IIA with three stages (order 5, stiffly accurate, L-stable): theory/integration.md (1)-(7).
 * With r = sqrt 6,
 *
 *   c     = ((4 - r)/10, (4 + r)/10, 1)                        nodes
 *   Z_i   = h sum_j a_ij f (t + c_j h, z + Z_j)                stages;  new z = z + Z_3
 *   A^-1  = T L T^-1,   L = [g] + [a b; -b a],   Z = T W
 *
 * Newton's equations fall into one real and one complex system, F the slopes f at the stages:
 *
 *   (g/h - J) dW_1                  = (T^-1 F)_1 - g/h W_1
 *   ((a - i b)/h - J)(dW_2 + i dW_3) = (T^-1 F)_2 - (a W_2 + b W_3)/h
 *                                     + i ((T^-1 F)_3 - (a W_3 - b W_2)/h)
 *
 * g, a, b and T come from A^-1 when the stepper is made (hl-radau-tableau.c).
 *
 * Error: an embedded formula of order 3 with the explicit slope f0 at the start of the step, weight
 * h/g, filtered by the real factorization:
 *
 *   err = (g/h - J)^-1 (f0 + e^T Z/h),    e = (-13 - 7 r, -13 + 7 r, -1)/3
 *
 * Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8. */
#include "core/solve/hl-radau.h"
#include "core/base/hl-arena.h"
#include "core/solve/hl-radau-linear.h"
#include "core/solve/hl-radau-tableau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

/* Newton stops when the error left is below this part of the tolerance: smaller than the error
 * estimate can see. */
#define NEWTON_TOLERANCE 0.02
#define MAX_NEWTON 8

/* Contractions below this are rounding, and rounding must not decide on the number of iterations.
 */
#define BEST_CONTRACTION 1e-6

/* A contraction better than this proves the Jacobian good enough for the next step. */
#define KEEP_JACOBIAN 1e-3

/* The step is kept, and the factorizations with it, while the best step lies within this factor
 * above it. */
#define KEEP_STEP 1.2

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

typedef struct
{
  HlStepper stepper;       /* first */
  HlArena arena;           /* of itself and its arrays */
  HlRadauTableau tableau;  /* c, T, L, e of the method */
  double t, h;             /* start and signed size of the step to be tried */
  double h_last;           /* size of the last accepted step, 0 at a start */
  double error_last;       /* its error */
  double contraction, eta; /* of Newton's iteration: latest rate, and what is left over a step */
  /* what may be used again; the last try failed */
  bool has_jacobian, jacobian_is_fresh, has_factors, rejected;
  double *z0;      /* n: deviation at t                      */
  double *f0;      /* n: slope at t                          */
  double *z[3];    /* n each: stages of the step being tried */
  double *w[3];    /* n each: W = T^-1 Z */
  double *f[3];    /* n each: slopes at the stages, then right-hand sides */
  double *poly[4]; /* n each: divided differences of the last step's collocation polynomial, Newton
                      form from its end */
  double *err, *work;                                           /* n: error estimate, scratch */
  double *complex_rhs;                                          /* 2 n: real, imaginary parts */
  HlRadauLinear *linear;                                        /* both linear systems, owned */
  long factorizations, newton, error_failures, newton_failures; /* counters of the run */
} Radau;

static int
order_of (const Radau *self)
{
  return self->stepper.integrator->ode.n;
}

/* ---- dense output ---- */

/* Newton form through (1, z3), (c2, z2), (c1, z1), (0, 0) in s = 1 + (t - t_end) / h. */
static void
make_polynomial (Radau *self)
{
  const double *c = self->tableau.c;

  for (int i = 0; i < order_of (self); i++) {
    double z1 = self->z[0][i], z2 = self->z[1][i], z3 = self->z[2][i];
    double d1 = (z2 - z3) / (c[1] - 1.0);
    double d12 = (z1 - z2) / (c[0] - c[1]);
    double d2 = (d12 - d1) / (c[0] - 1.0);
    double d01 = z1 / c[0];
    double d012 = (d12 - d01) / c[1];
    double d3 = d2 - d012;

    self->poly[0][i] = z3;
    self->poly[1][i] = d1;
    self->poly[2][i] = d2;
    self->poly[3][i] = d3;
  }
}

/* Deviation from the step's start at s = 1 + (t - t_end) / h, for every state. */
static double
polynomial_at (const Radau *self, double s, int i)
{
  const double *c = self->tableau.c;

  return self->poly[0][i] +
         (s - 1.0) *
             (self->poly[1][i] + (s - c[1]) * (self->poly[2][i] + (s - c[0]) * self->poly[3][i]));
}

static void
radau_interpolate (HlStepper *stepper, double t, double z[])
{
  Radau *self = (Radau *)stepper;
  double s = (t - self->t) / self->h_last;

  /* z0 already is the deviation at the end of the step */
  for (int i = 0; i < order_of (self); i++)
    z[i] = self->z0[i] + (polynomial_at (self, s + 1.0, i) - self->poly[0][i]);
}

/* ---- one step ---- */

static HlStatus
factorize (Radau *self)
{
  const HlRadauTableau *tab = &self->tableau;

  self->factorizations++;
  HlStatus status =
      hl_radau_linear_factor (self->linear, tab->g / self->h, tab->a / self->h, -tab->b / self->h);
  self->has_factors = status == HL_OK;
  return status;
}

static void
transform (const double M[9], int n, double *const from[3], double *const to[3])
{
  for (int i = 0; i < n; i++) {
    double x = from[0][i], y = from[1][i], z = from[2][i];

    to[0][i] = M[0] * x + M[3] * y + M[6] * z;
    to[1][i] = M[1] * x + M[4] * y + M[7] * z;
    to[2][i] = M[2] * x + M[5] * y + M[8] * z;
  }
}

/* First guess of the stages: the last collocation polynomial carried on, or nothing at a start. */
static void
predict (Radau *self)
{
  int n = order_of (self);

  for (int stage = 0; stage < 3; stage++) {
    double s = self->h_last != 0.0 ? 1.0 + self->tableau.c[stage] * self->h / self->h_last : 1.0;

    for (int i = 0; i < n; i++)
      self->z[stage][i] = self->h_last != 0.0 ? polynomial_at (self, s, i) - self->poly[0][i] : 0.0;
  }
  transform (self->tableau.T_inverse, n, self->z, self->w);
}

/* Simplified Newton. HL_NO_CONVERGENCE asks for a smaller step or a fresh Jacobian. */
static HlStatus
solve_stages (Radau *self, int *n_iterations)
{
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  const HlRadauTableau *tab = &self->tableau;
  double g = tab->g / self->h, a = tab->a / self->h, b = tab->b / self->h, last_norm = 0.0;

  self->eta = pow (fmax (self->eta, BEST_CONTRACTION), 0.8);
  self->contraction = KEEP_JACOBIAN;
  for (int k = 1; k <= MAX_NEWTON; k++) {
    for (int stage = 0; stage < 3; stage++) {
      for (int i = 0; i < n; i++)
        self->work[i] = self->z0[i] + self->z[stage][i];
      HlStatus status = hl_integrator_eval_rhs (integrator, self->t + tab->c[stage] * self->h,
                                                self->work, self->f[stage]);
      if (status != HL_OK)
        return status;
    }
    transform (tab->T_inverse, n, self->f, self->f);
    for (int i = 0; i < n; i++) {
      double w1 = self->w[0][i], w2 = self->w[1][i], w3 = self->w[2][i];

      self->f[0][i] -= g * w1;
      self->complex_rhs[2 * i] = self->f[1][i] - (a * w2 + b * w3);
      self->complex_rhs[2 * i + 1] = self->f[2][i] - (a * w3 - b * w2);
    }
    hl_radau_linear_solve_real (self->linear, self->f[0]);
    hl_radau_linear_solve_complex (self->linear, self->complex_rhs);
    for (int i = 0; i < n; i++) {
      self->f[1][i] = self->complex_rhs[2 * i];
      self->f[2][i] = self->complex_rhs[2 * i + 1];
    }
    for (int stage = 0; stage < 3; stage++)
      for (int i = 0; i < n; i++)
        self->w[stage][i] += self->f[stage][i];
    transform (tab->T, n, self->w, self->z);
    self->newton++;
    *n_iterations = k;

    double sum = 0.0;
    for (int stage = 0; stage < 3; stage++) {
      double norm = hl_integrator_norm (integrator, self->f[stage]);
      sum += norm * norm;
    }
    double norm = sqrt (sum / 3.0);
    if (k > 1) {
      double theta = norm / last_norm;

      self->contraction = k == 2 ? theta : sqrt (theta * self->contraction);
      if (!(self->contraction < 0.99))
        return HL_NO_CONVERGENCE;
      self->eta = self->contraction / (1.0 - self->contraction);
      /* what the remaining iterations could reach at this rate */
      if (self->eta * norm * pow (self->contraction, MAX_NEWTON - 1 - k) >
              10.0 * NEWTON_TOLERANCE &&
          k < MAX_NEWTON)
        return HL_NO_CONVERGENCE;
    }
    if (!isfinite (norm))
      return HL_NO_CONVERGENCE;
    last_norm = fmax (norm, DBL_MIN);
    if (self->eta * norm <= NEWTON_TOLERANCE)
      return HL_OK;
  }
  return HL_NO_CONVERGENCE;
}

static double
estimate_error (Radau *self)
{
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  const double *e = self->tableau.e;

  for (int i = 0; i < n; i++) {
    self->work[i] = (e[0] * self->z[0][i] + e[1] * self->z[1][i] + e[2] * self->z[2][i]) / self->h;
    self->err[i] = self->f0[i] + self->work[i];
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

/* Shortens the step; the Jacobian is renewed unless it belongs to this very point. */
static void
shorten (Radau *self, double factor)
{
  self->h = hl_integrator_fit_step (self->t, self->h * factor);
  self->has_factors = false;
  self->rejected = true;
  self->has_jacobian = self->jacobian_is_fresh;
}

static void
accept (Radau *self, double error, int n_iterations)
{
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  double safety = fmin (SAFETY, SAFETY * (2 * MAX_NEWTON + 1) / (2.0 * MAX_NEWTON + n_iterations));
  double growth = safety / sqrt (sqrt (error));

  /* the trend of the error over two steps foresees more than the last value alone (Gustafsson) */
  if (self->h_last != 0.0) {
    double trend =
        safety * (self->h / self->h_last) * sqrt (sqrt (self->error_last / (error * error)));
    growth = fmin (growth, trend);
  }
  growth = fmin (fmax (growth, MIN_SHRINK), MAX_GROWTH);
  if (self->rejected)
    growth = fmin (growth, 1.0);

  /* The slope at the end is that of the third stage, read off the solved equations instead of asked
   * for again: what Newton left undone is multiplied by J here, but divided by it again where the
   * slope is used, in the filter of the error. */
  double g = self->tableau.g / self->h, a = self->tableau.a / self->h,
         b = self->tableau.b / self->h;
  for (int i = 0; i < n; i++)
    self->f0[i] = g * self->w[0][i] + a * self->w[1][i] + b * self->w[2][i];
  make_polynomial (self);
  integrator->step_begin = self->t;
  self->t += self->h;
  for (int i = 0; i < n; i++)
    self->z0[i] += self->z[2][i];
  memcpy (integrator->z, self->z0, sizeof (double) * (gsize)n);
  self->h_last = self->h;
  self->error_last = fmax (error, 1e-2);
  self->jacobian_is_fresh = false;
  self->rejected = false;
  self->has_jacobian = self->contraction <= KEEP_JACOBIAN;
  if (self->has_jacobian && growth >= 1.0 && growth <= KEEP_STEP)
    return;
  double h = hl_integrator_fit_step (self->t, self->h * growth);
  if (h != self->h)
    self->has_factors = false;
  self->h = h;
}

static HlStatus
radau_step (HlStepper *stepper, double t_stop)
{
  Radau *self = (Radau *)stepper;
  HlIntegrator *integrator = stepper->integrator;
  double sign = integrator->sign, wished = self->h;
  bool is_last = false;

  hl_integrator_weigh (integrator, self->z0);
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
    shorten (self, self->h_last == 0.0 ? 0.1 : fmax (MIN_SHRINK, SAFETY / sqrt (sqrt (error))));
  }
}

/* ---- start ---- */

/* A step over which the change of the slope moves the state by about the tolerance; short, since
 * the step grows fast. */
static double
guess_step (Radau *self, double span)
{
  HlIntegrator *integrator = self->stepper.integrator;
  double slope = hl_integrator_norm (integrator, self->f0);
  double probe =
      fmin (slope > 0.0 ? PROBE / (slope * integrator->options.rtol) : FIRST_PART * span, span);

  for (int i = 0; i < order_of (self); i++)
    self->work[i] = integrator->sign * probe * self->f0[i];
  if (hl_integrator_eval_rhs (integrator, self->t + integrator->sign * probe, self->work,
                              self->err) != HL_OK)
    return probe;
  for (int i = 0; i < order_of (self); i++)
    self->err[i] = (self->err[i] - self->f0[i]) / probe;
  double curvature = hl_integrator_norm (integrator, self->err);
  return fmin (1.0 / sqrt (curvature), FIRST_PART * span);
}

static HlStatus
radau_start (HlStepper *stepper, double t, double h, double span)
{
  Radau *self = (Radau *)stepper;
  HlIntegrator *integrator = stepper->integrator;

  self->t = t;
  self->h_last = 0.0;
  self->eta = 1.0;
  self->has_jacobian = self->has_factors = self->jacobian_is_fresh = self->rejected = false;
  memset (self->z0, 0, sizeof (double) * (gsize)order_of (self));
  HlStatus status = hl_integrator_eval_rhs (integrator, t, self->z0, self->f0);
  if (status != HL_OK)
    return status;
  self->h = hl_integrator_fit_step (t, integrator->sign *
                                           (h > 0.0 ? fmin (h, span) : guess_step (self, span)));
  return HL_OK;
}

static double
radau_next_step (HlStepper *stepper)
{
  return fabs (((Radau *)stepper)->h);
}

static void
radau_add_stats (const HlStepper *stepper, HlOdeStats *stats)
{
  const Radau *self = (const Radau *)stepper;

  stats->factorizations += self->factorizations;
  stats->newton += self->newton;
  stats->error_failures += self->error_failures;
  stats->newton_failures += self->newton_failures;
}

static void
radau_free (HlStepper *stepper)
{
  Radau *self = (Radau *)stepper;

  HlArena arena = self->arena;

  hl_radau_linear_free (self->linear);
  hl_arena_clear (&arena);
}

HlStepper *
hl_stepper_new_radau (HlIntegrator *integrator)
{
  static const HlStepperClass class = {radau_free,        radau_start,     radau_step,
                                       radau_interpolate, radau_next_step, radau_add_stats};
  HlArena own = hl_arena_beside (&integrator->arena);
  Radau *self = hl_arena_take (&own, 1, sizeof *self);
  int n = integrator->ode.n;
  double **vectors[] = {&self->z0,   &self->f0,      &self->z[0],    &self->z[1],    &self->z[2],
                        &self->w[0], &self->w[1],    &self->w[2],    &self->f[0],    &self->f[1],
                        &self->f[2], &self->poly[0], &self->poly[1], &self->poly[2], &self->poly[3],
                        &self->err,  &self->work};

  self->arena = own;
  self->stepper = (HlStepper){&class, integrator};
  hl_radau_tableau_init (&self->tableau);
  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    *vectors[i] = hl_arena_take (&self->arena, n, sizeof (double));
  self->complex_rhs = hl_arena_take (&self->arena, 2 * n, sizeof (double));
  self->linear = hl_radau_linear_new (integrator);
  return &self->stepper;
}
