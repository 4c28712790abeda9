/* SPDX-License-Identifier: MIT */
/* With right and left eigenvectors v, w of lambda, the share c = w^H dy / (w^H v) of a deviation dy
 * obeys c' = lambda c in the linear model. A run from y0 + a Re v has c (0) = a / 2 (a when lambda
 * is real); straight lines through log |c| and arg c, by least squares, give back re and im. */
#include "core/analysis/hl-mode-check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-integrator.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

#define SAMPLES 240
#define MOST_PERIODS 8.0
#define DECAYS 2.0       /* a run lasts this many time constants, or MOST_PERIODS */
#define LEAST_SHARE 1e-3 /* of the kick: tolerance of states that hardly take part */
#define LIMIT_STEP 3.0   /* factor between amplitudes tried */
#define LIMIT_ACCURACY 1.1
#define CHECK_RTOL 1e-8
#define SMALL_PART 1e-4
#define MOST_STEPS 200000

typedef struct
{
  const HlSystem *sys;
  HlWork *work;
  HlFault *fault;
  double t;
} Frozen;

static HlStatus
rhs (double t, const double y[], double y_dot[], void *data)
{
  Frozen *frozen = data;
  (void)t;
  return hl_dynamics_eval (frozen->sys, frozen->t, y, y_dot, frozen->work, frozen->fault);
}

static HlStatus
jacobian (double t, const double y[], double J[], void *data)
{
  Frozen *frozen = data;
  (void)t;
  return hl_jacobian_eval (frozen->sys, frozen->t, y, J, frozen->work, frozen->fault);
}

HlModeCheckOptions
hl_mode_check_options_default (void)
{
  return (HlModeCheckOptions){.rtol = CHECK_RTOL};
}

static double complex
entry (const double re[], const double im[], int n, int k, int state)
{
  size_t at = (size_t)k * (size_t)n + (size_t)state;
  return re[at] + I * im[at];
}

static double
duration (const HlEigenvalue *value)
{
  double decay = value->re != 0.0 ? DECAYS / fabs (value->re) : INFINITY;
  return value->im != 0.0 ? fmin (decay, MOST_PERIODS * 2.0 * M_PI / fabs (value->im)) : decay;
}

/* Runs from y0 + sign * kick and adds sign / 2 times the share of the mode in every sample to c. */
static HlStatus
add_run (HlIntegrator *integrator,
         const HlLinearization *lin,
         const double y0[],
         const double kick[],
         double sign,
         const double complex left[],
         double t_end,
         double complex c[])
{
  int n = lin->n;
  double *y = calloc ((size_t)n + 1, sizeof *y);
  HlStatus status;

  for (int state = 0; state < n; state++)
    y[state] = y0[state] + sign * kick[state];
  status = hl_integrator_start (integrator, 0.0, y);
  for (int i = 0; i <= SAMPLES && status == HL_OK; i++) {
    double t;
    HlArrival why;
    if (i > 0)
      status = hl_integrator_advance (integrator, t_end * i / SAMPLES, &t, y, &why);
    for (int state = 0; state < n; state++)
      c[i] += 0.5 * sign * left[state] * (y[state] - y0[state]);
  }
  free (y);
  return status;
}

/* Slope of a straight line through equally spaced values over t_end. */
static double
slope (const double values[], double t_end)
{
  double sum = 0.0, norm = 0.0;

  for (int i = 0; i <= SAMPLES; i++) {
    double t = (double)i / SAMPLES - 0.5;
    sum += t * values[i];
    norm += t * t;
  }
  return sum / (norm * t_end);
}

/* Relative to the part itself; where there is nearly none, to the whole eigenvalue. */
static double
relative (double fitted, double part, double whole)
{
  return fabs (fitted - part) / (fabs (part) > SMALL_PART * whole ? fabs (part) : whole);
}

static void
fit (const double complex c[], double t_end, const HlEigenvalue *value, HlModeCheck *check)
{
  double size[SAMPLES + 1], turn[SAMPLES + 1];
  double size_of_value = hypot (value->re, value->im);

  for (int i = 0; i <= SAMPLES; i++) {
    size[i] = log (cabs (c[i]));
    turn[i] = i == 0 ? 0.0 : turn[i - 1] + carg (c[i] / c[i - 1]);
  }
  check->re = slope (size, t_end);
  check->im = slope (turn, t_end);
  check->apart = fmax (relative (check->re, value->re, size_of_value),
                       relative (check->im, value->im, size_of_value));
}

static void
find_kick (const HlLinearization *lin, int k, double amplitude, double kick[], HlModeCheck *check)
{
  double largest = 0.0;

  for (int state = 0; state < lin->n; state++) {
    kick[state] = creal (entry (lin->right_re, lin->right_im, lin->n, k, state));
    if (fabs (kick[state]) / lin->scale[state] > largest) {
      largest = fabs (kick[state]) / lin->scale[state];
      check->state = state;
    }
  }
  for (int state = 0; state < lin->n; state++)
    kick[state] *= largest > 0.0 ? amplitude / largest : 0.0;
  check->amplitude = amplitude;
  check->kick = kick[check->state];
}

/* Conjugated left eigenvector over its product with the right one. */
static void
find_left (const HlLinearization *lin, int k, double complex left[])
{
  double complex product = 0.0;

  for (int state = 0; state < lin->n; state++) {
    left[state] = conj (entry (lin->left_re, lin->left_im, lin->n, k, state));
    product += left[state] * entry (lin->right_re, lin->right_im, lin->n, k, state);
  }
  for (int state = 0; state < lin->n; state++)
    left[state] /= product;
}

HlStatus
hl_mode_check (const HlSystem *sys,
               const HlPoint *point,
               const HlLinearization *lin,
               int k,
               double amplitude,
               const HlModeCheckOptions *options,
               HlModeCheck *check,
               HlFault *fault)
{
  Frozen frozen = {sys, hl_work_new (sys), fault, point->t};
  size_t room = (size_t)lin->n + 1;
  double *kick = calloc (room, sizeof *kick), *y0 = calloc (room, sizeof *y0),
         *scale = calloc (room, sizeof *scale);
  double complex *left = calloc (room, sizeof *left);
  double complex c[SAMPLES + 1] = {0};
  double t_end = duration (&lin->eigenvalues[k]);

  hl_work_enter_segment (sys, frozen.work, point->t);
  HlStatus status =
      hl_partition_choose (sys, frozen.work, point->x, HL_PARTITION_WISHED, NULL, 0, fault);
  if (status == HL_OK && (hl_work_n_states (frozen.work) != lin->n || !isfinite (t_end)))
    status = HL_BAD_MODEL;
  if (status == HL_OK) {
    hl_state_pack (sys, frozen.work, point, y0);
    find_kick (lin, k, amplitude, kick, check);
    find_left (lin, k, left);
    for (int state = 0; state < lin->n; state++)
      scale[state] = fmax (fabs (kick[state]), LEAST_SHARE * amplitude * lin->scale[state]);
    HlOde ode = {.n = lin->n, .rhs = rhs, .jacobian = jacobian, .data = &frozen};
    HlOdeOptions ode_options = {.method = HL_METHOD_RADAU,
                                .rtol = options->rtol,
                                .scale = scale,
                                .max_steps = MOST_STEPS,
                                .cancel = options->cancel,
                                .cancel_data = options->cancel_data};
    HlIntegrator *integrator = hl_integrator_new (&ode, &ode_options);
    status = add_run (integrator, lin, y0, kick, 1.0, left, t_end, c);
    if (status == HL_OK)
      status = add_run (integrator, lin, y0, kick, -1.0, left, t_end, c);
    hl_integrator_free (integrator);
  }
  if (status == HL_OK)
    fit (c, t_end, &lin->eigenvalues[k], check);
  free (kick);
  free (y0);
  free (scale);
  free (left);
  hl_work_free (frozen.work);
  return status;
}

HlStatus
hl_mode_check_limit (const HlSystem *sys,
                     const HlPoint *point,
                     const HlLinearization *lin,
                     int k,
                     const double range[2],
                     double part,
                     const HlModeCheckOptions *options,
                     HlModeCheck *check)
{
  double good = 0.0, bad = INFINITY, amplitude = range[0];
  HlModeCheck found = {.amplitude = INFINITY};

  while (amplitude <= range[1] && !(bad / good < LIMIT_ACCURACY)) {
    HlModeCheck at = {0};
    HlFault fault = {0};
    HlStatus status = hl_mode_check (sys, point, lin, k, amplitude, options, &at, &fault);
    if (status == HL_CANCELLED || status == HL_BAD_MODEL)
      return status;
    if (status != HL_OK || !(at.apart < part)) {
      bad = amplitude;
      found = at;
    } else {
      good = amplitude;
    }
    if (good == 0.0) /* apart from the first on */
      break;
    amplitude = isfinite (bad) ? sqrt (good * bad) : LIMIT_STEP * amplitude;
  }
  *check = found;
  return HL_OK;
}

HlStatus
hl_mode_pose (const HlSystem *sys,
              HlWork *work,
              const HlPoint *point,
              const HlLinearization *lin,
              int k,
              double amplitude,
              double phase,
              HlPoint *moved)
{
  size_t room = (size_t)lin->n + 1;
  double *y = calloc (room, sizeof *y);
  double complex turn = cexp (I * phase);

  hl_work_enter_segment (sys, work, point->t);
  HlStatus status = hl_partition_choose (sys, work, point->x, HL_PARTITION_WISHED, NULL, 0, NULL);
  if (status == HL_OK && hl_work_n_states (work) != lin->n)
    status = HL_BAD_MODEL;
  if (status == HL_OK) {
    double complex largest = 0.0;
    int n_velocities = hl_off_ad (work) - hl_off_v (work), n_positions = hl_off_p (work);
    hl_state_pack (sys, work, point, y);
    for (int pass = 0; pass < 2; pass++)
      for (int state = 0; state < n_positions; state++) {
        double complex part = entry (lin->right_re, lin->right_im, lin->n, k, state);
        if (state >= hl_off_v (work) && state < hl_off_v (work) + n_velocities)
          continue;
        if (pass == 0 && cabs (part) > cabs (largest))
          largest = part;
        else if (pass == 1 && largest != 0.0)
          y[state] += amplitude * creal (turn * part / largest);
      }
    status = hl_state_unpack (sys, work, point->t, y, moved, NULL);
  }
  free (y);
  return status;
}
