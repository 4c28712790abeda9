/* SPDX-License-Identifier: MIT */
/* With right and left eigenvectors v, w of lambda, the share of a deviation dy (theory/spectra.md
 * (15))
 *
 *   c  = w^H dy / (w^H v)
 *   c' = lambda c                     in the linear model
 *
 * A run from y0 + a Re v has c (0) = a / 2 (a when lambda is real); straight lines through log |c|
 * and arg c, by least squares, give back re and im. */
#include "core/linear/hl-eigenmode-check.h"

#include "core/base/hl-arena.h"
#include "core/solve/hl-integrator.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Energies of a mode, averaged over a period, but for a common factor (theory/observables.md (13)):
 *   body    |lambda|^2 (m |dr_c|^2 + I |dpsi|^2),   dr_c = dr + b dpsi of the centre of mass
 *   spring  k |ds|^2,   ds = e.(dP_j - dP_i);       torsion  k |dpsi_j - dpsi_i|^2
 *   oil     C |dp|^2 */

/* Mode shape: real and imaginary parts. */
typedef struct {
  const double *x[2], *p[2]; /* n_coordinates [m or rad]; n_pressures [Pa] */
} Shape;

static double body_energy (const HlSystem *sys, const HlWork *work, int body, const Shape *shape) {
  const HlBody *b = &sys->mech.bodies[body];
  double arm[2], turn[2], sum = 0.0;

  hl_frame_arm (hl_work_frame (work, body), b->com, arm, turn);
  for (int part = 0; part < 2; part++) {
    const double *dx = shape->x[part] + 3 * body;
    double com[2] = {dx[0] + turn[0] * dx[2], dx[1] + turn[1] * dx[2]};
    sum += b->mass * (com[0] * com[0] + com[1] * com[1]) + b->inertia * dx[2] * dx[2];
  }
  return sum;
}

static double spring_energy (const HlWork *work, const HlLoad *load, const Shape *shape) {
  double sum = 0.0, dx6[6];

  for (int part = 0; part < 2 && load->klass->stretch_along != NULL; part++) {
    hl_gather6 (shape->x[part], load->body_i, load->body_j, dx6);
    double change = load->klass->stretch_along (load, hl_work_frame (work, load->body_i),
                                                hl_work_frame (work, load->body_j), dx6);
    sum += load->stiffness * change * change;
  }
  return sum;
}

static int compare_shares (const void *a, const void *b) {
  double x = ((const HlModeEnergy *)a)->share, y = ((const HlModeEnergy *)b)->share;
  return (x < y) - (x > y);
}

static int collect_energies (const HlSystem *sys, const HlWork *work, const Shape *shape,
                             double lambda_squared, HlModeEnergy all[]) {
  int n = 0;

  for (int k = 0; k < sys->mech.n_bodies; k++)
    all[n++] = (HlModeEnergy){HL_MODE_KINETIC, HL_ENTITY_BODY, k,
                              lambda_squared * body_energy (sys, work, k, shape)};
  for (int k = 0; k < sys->mech.n_loads; k++) {
    int joint = hl_system_joint_of_load (sys, k); /* with stops, or -1 */
    all[n++] = (HlModeEnergy){HL_MODE_ELASTIC, joint >= 0 ? HL_ENTITY_JOINT : HL_ENTITY_LOAD,
                              joint >= 0 ? joint : k, spring_energy (work, &sys->mech.loads[k], shape)};
  }
  for (int node = 0; node < sys->n_nodes; node++) {
    int state = sys->nodes[node].state;
    if (state < 0)
      continue;
    double re = shape->p[0][state], im = shape->p[1][state];
    all[n++] = (HlModeEnergy){HL_MODE_OIL, HL_ENTITY_LINE, sys->nodes[node].line,
                              work->compliance[node] * (re * re + im * im)};
  }
  return n;
}

int hl_mode_energy (const HlSystem *sys, const HlPoint *point, const HlLinearization *lin, int k,
                    HlModeEnergy out[], int most) {
  HlWork *work = hl_work_new (sys);
  size_t n_x = (size_t)work->n, n_p = (size_t)work->r;
  double *room = calloc (2 * (n_x + n_p) + 1, sizeof *room);
  Shape shape = {{room, room + n_x}, {room + 2 * n_x, room + 2 * n_x + n_p}};
  const HlEigenvalue *value = &lin->eigenvalues[k];
  size_t most_parts = (size_t)(sys->mech.n_bodies + sys->mech.n_loads + sys->n_nodes) + 1;
  HlModeEnergy *all = calloc (most_parts, sizeof *all);
  double sum = 0.0;
  int written = 0;

  hl_linearization_mode_shape (sys, work, point, lin, k, room, room + n_x, room + 2 * n_x,
                               room + 2 * n_x + n_p);
  int n = collect_energies (sys, work, &shape, value->re * value->re + value->im * value->im, all);
  for (int i = 0; i < n; i++)
    sum += all[i].share;
  qsort (all, (size_t)n, sizeof *all, compare_shares);
  for (; sum > 0.0 && isfinite (sum) && written < n && written < most && all[written].share > 0.0;
       written++) {
    out[written] = all[written];
    out[written].share /= sum;
  }
  free (all);
  free (room);
  hl_work_free (work);
  return written;
}

#define SAMPLES 240
#define MOST_PERIODS 8.0
#define DECAYS 2.0       /* a run lasts this many time constants, or MOST_PERIODS */
#define LEAST_SHARE 1e-3 /* of the kick: tolerance of states that hardly take part */
#define LIMIT_STEP 3.0   /* factor between amplitudes tried */
#define LIMIT_ACCURACY 1.1
#define CHECK_RTOL 1e-8
#define SMALL_PART 1e-4
#define MOST_STEPS 20000
#define MOST_DRIFT 0.01 /* of the eigenvalue along the run */
#define MOST_CUTS 8
#define CUT 0.02       /* the shortest part of a duration that is tried next */
#define RESTING 1e-7   /* rates of a point at rest, natural sizes a second */
#define SHORTEST 1e-4  /* of the time constant of the eigenvalue */
#define NEAR_PART 1e-3 /* of the kick: where slopes on both sides are taken */

typedef struct {
  const HlSystem *sys;
  HlWork *work;
  HlFault *fault;
  double t;
} Frozen;

static HlStatus rhs (double t, const double y[], double y_dot[], void *data) {
  Frozen *frozen = data;
  (void)t;
  return hl_dynamics_eval (frozen->sys, frozen->t, y, y_dot, frozen->work, frozen->fault);
}

static HlStatus jacobian (double t, const double y[], double J[], void *data) {
  Frozen *frozen = data;
  (void)t;
  return hl_jacobian_eval (frozen->sys, frozen->t, y, J, frozen->work, frozen->fault);
}

HlModeCheckOptions hl_mode_check_options_default (void) {
  return (HlModeCheckOptions){.rtol = CHECK_RTOL};
}

static double complex entry (const double re[], const double im[], int n, int k, int state) {
  size_t at = (size_t)k * (size_t)n + (size_t)state;
  return re[at] + I * im[at];
}

static double duration (const HlEigenvalue *value) {
  double decay = value->re != 0.0 ? DECAYS / fabs (value->re) : INFINITY;
  return value->im != 0.0 ? fmin (decay, MOST_PERIODS * 2.0 * M_PI / fabs (value->im)) : decay;
}

/* Data shared by the runs of one check. */
typedef struct {
  Frozen frozen;
  const HlLinearization *lin;
  HlArena arena; /* of the arrays */
  int k;
  double *y0, *kick, *scale; /* n: the point, the kick along the mode, sizes of states */
  double *J;                 /* n x n: there */
  double complex *left;      /* n: left eigenvector of the mode */
  HlIntegrator *integrator;
} Setup;

/* Runs from y0 + sign * kick and adds sign / 2 times the share of the mode in every sample to c. */
static HlStatus add_run (HlIntegrator *integrator, const HlLinearization *lin, const double y0[],
                         const double kick[], double sign, const double complex left[], double t_end,
                         double complex c[]) {
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

/* Returns the slope of a straight line through equally spaced values over t_end. */
static double slope (const double values[], double t_end) {
  double sum = 0.0, norm = 0.0;

  for (int i = 0; i <= SAMPLES; i++) {
    double t = (double)i / SAMPLES - 0.5;
    sum += t * values[i];
    norm += t * t;
  }
  return sum / (norm * t_end);
}

/* Returns the relative to the part itself; where there is nearly none, to the whole eigenvalue. */
static double relative (double fitted, double part, double whole) {
  return fabs (fitted - part) / (fabs (part) > SMALL_PART * whole ? fabs (part) : whole);
}

static void fit_mode (const double complex c[], double t_end, const HlEigenvalue *value, HlModeCheck *check) {
  double size[SAMPLES + 1], turn[SAMPLES + 1];
  double size_of_value = hypot (value->re, value->im);

  for (int i = 0; i <= SAMPLES; i++) {
    size[i] = log (cabs (c[i]));
    turn[i] = i == 0 ? 0.0 : turn[i - 1] + carg (c[i] / c[i - 1]);
  }
  check->re = slope (size, t_end);
  check->im = slope (turn, t_end);
  check->apart =
      fmax (relative (check->re, value->re, size_of_value), relative (check->im, value->im, size_of_value));
}

static void find_kick (const HlLinearization *lin, int k, double amplitude, double kick[],
                       HlModeCheck *check) {
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

/* Computes the conjugated left eigenvector over its product with the right one. */
static void find_left (const HlLinearization *lin, int k, double complex left[]) {
  double complex product = 0.0;

  for (int state = 0; state < lin->n; state++) {
    left[state] = conj (entry (lin->left_re, lin->left_im, lin->n, k, state));
    product += left[state] * entry (lin->right_re, lin->right_im, lin->n, k, state);
  }
  for (int state = 0; state < lin->n; state++)
    left[state] /= product;
}

/* Returns w^H A v for a real matrix A. */
static double complex project (const Setup *setup, const double A[]) {
  int n = setup->lin->n;
  double complex sum = 0.0;

  for (int col = 0; col < n; col++) {
    double complex v = entry (setup->lin->right_re, setup->lin->right_im, n, setup->k, col);
    for (int row = 0; row < n; row++)
      sum += setup->left[row] * A[col * n + row] * v;
  }
  return sum;
}

/* Returns the change of decay or frequency along the machine's own motion over a time, to first order, the
 * relatively larger one: a weakly damped oscillation decays differently when the eigenvalue has changed by
 * little of its size. INFINITY when the motion does not last so long. */
static double drift_over (Setup *setup, double duration) {
  int n = setup->lin->n;
  double *y = calloc ((size_t)n + 1, sizeof *y), t = 0.0, drift = INFINITY;
  double complex before = project (setup, setup->lin->J);
  HlArrival why;

  memcpy (y, setup->y0, sizeof *y * (size_t)n);
  if (hl_integrator_start (setup->integrator, 0.0, y) == HL_OK &&
      hl_integrator_advance (setup->integrator, duration, &t, y, &why) == HL_OK &&
      hl_jacobian_eval (setup->frozen.sys, setup->frozen.t, y, setup->J, setup->frozen.work, NULL) == HL_OK) {
    double complex after = project (setup, setup->J);
    drift = fmax (relative (creal (after), creal (before), cabs (before)),
                  relative (cimag (after), cimag (before), cabs (before)));
  }
  free (y);
  return isfinite (drift) ? drift : INFINITY;
}

/* Returns whether some rate of the point is not zero: only then may the machine move on. */
static bool is_at_rest (const Setup *setup) {
  int n = setup->lin->n;
  double *y_dot = calloc ((size_t)n + 1, sizeof *y_dot), largest = 0.0;

  if (hl_dynamics_eval (setup->frozen.sys, setup->frozen.t, setup->y0, y_dot, setup->frozen.work, NULL) !=
      HL_OK)
    largest = INFINITY;
  for (int state = 0; state < n; state++)
    largest = fmax (largest, fabs (y_dot[state]) / setup->lin->scale[state]);
  free (y_dot);
  return largest <= RESTING;
}

/* Returns how long the eigenvalue is that of the motion. */
static double choose_duration (Setup *setup, HlModeCheck *check) {
  double whole = duration (&setup->lin->eigenvalues[setup->k]), now = whole;

  check->drift = is_at_rest (setup) ? 0.0 : drift_over (setup, now);
  for (int cut = 0; cut < MOST_CUTS && check->drift > MOST_DRIFT; cut++) {
    now *= fmax (0.5 * MOST_DRIFT / check->drift, CUT);
    check->drift = drift_over (setup, now);
    check->moves_on = true;
    if (now < SHORTEST * whole)
      break;
  }
  return now;
}

/* Returns the slope of the share of the mode at y0 towards a kick of that size, over the kick's own share. */
static double complex slope_towards (Setup *setup, double size) {
  int n = setup->lin->n;
  double *y = calloc (2 * (size_t)n + 1, sizeof *y), *y_dot = y + n;
  double complex rate = 0.0, share = 0.0;
  HlStatus status = HL_OK;

  for (int side = 0; side < 2 && status == HL_OK; side++) {
    for (int state = 0; state < n; state++)
      y[state] = setup->y0[state] + (side == 0 ? size * setup->kick[state] : 0.0);
    status = hl_dynamics_eval (setup->frozen.sys, setup->frozen.t, y, y_dot, setup->frozen.work, NULL);
    for (int state = 0; state < n; state++) {
      rate += (side == 0 ? 1.0 : -1.0) * setup->left[state] * y_dot[state];
      share += side == 0 ? setup->left[state] * size * setup->kick[state] : 0.0;
    }
  }
  free (y);
  return status == HL_OK ? rate / share : NAN;
}

static double find_kink (Setup *setup) {
  const HlEigenvalue *value = &setup->lin->eigenvalues[setup->k];
  double apart = cabs (slope_towards (setup, NEAR_PART) - slope_towards (setup, -NEAR_PART));

  return isfinite (apart) ? apart / hypot (value->re, value->im) : 0.0;
}

/* Adds to c[SAMPLES + 1] the mode's share over the run, for both signs of the kick. */
static HlStatus add_both_runs (const Setup *setup, double t_end, double complex c[]) {
  HlStatus status = HL_OK;

  memset (c, 0, (SAMPLES + 1) * sizeof *c);
  for (int side = 1; side >= -1 && status == HL_OK; side -= 2)
    status = add_run (setup->integrator, setup->lin, setup->y0, setup->kick, side, setup->left, t_end, c);
  return status;
}

static HlStatus setup_init (Setup *setup, const HlPoint *point, double amplitude,
                            const HlModeCheckOptions *options, HlModeCheck *check) {
  const HlLinearization *lin = setup->lin;
  const HlSystem *sys = setup->frozen.sys;
  HlArena *arena = &setup->arena;

  setup->kick = hl_arena_take (arena, lin->n, sizeof (double));
  setup->y0 = hl_arena_take (arena, lin->n, sizeof (double));
  setup->scale = hl_arena_take (arena, lin->n, sizeof (double));
  setup->J = hl_arena_take (arena, lin->n * lin->n, sizeof (double));
  setup->left = hl_arena_take (arena, lin->n, sizeof (double complex));
  hl_work_enter_point (sys, setup->frozen.work, point);
  HlStatus status = hl_partition_choose (sys, setup->frozen.work, point->x, HL_PARTITION_PREFERRED, NULL, 0,
                                         setup->frozen.fault);
  if (status == HL_OK &&
      (hl_work_n_states (setup->frozen.work) != lin->n || !isfinite (duration (&lin->eigenvalues[setup->k]))))
    status = HL_BAD_MODEL;
  if (status != HL_OK)
    return status;
  hl_state_pack (sys, setup->frozen.work, point, setup->y0);
  find_kick (lin, setup->k, amplitude, setup->kick, check);
  find_left (lin, setup->k, setup->left);
  for (int state = 0; state < lin->n; state++)
    setup->scale[state] = fmax (fabs (setup->kick[state]), LEAST_SHARE * amplitude * lin->scale[state]);
  HlOde ode = {.n = lin->n, .rhs = rhs, .jacobian = jacobian, .data = &setup->frozen};
  HlOdeOptions ode_options = {.method = HL_METHOD_RADAU,
                              .rtol = options->rtol,
                              .scale = setup->scale,
                              .max_steps = MOST_STEPS,
                              .cancel = options->cancel,
                              .cancel_data = options->cancel_data};
  setup->integrator = hl_integrator_new (&ode, &ode_options);
  return HL_OK;
}

static void setup_clear (Setup *setup) {
  hl_arena_clear (&setup->arena);
  if (setup->integrator != NULL)
    hl_integrator_free (setup->integrator);
  hl_work_free (setup->frozen.work);
}

HlStatus hl_mode_check (const HlSystem *sys, const HlPoint *point, const HlLinearization *lin, int k,
                        double amplitude, const HlModeCheckOptions *options, HlModeCheck *check,
                        HlFault *fault) {
  Setup setup = {.frozen = {sys, hl_work_new (sys), fault, point->t}, .lin = lin, .k = k};
  double complex c[SAMPLES + 1] = {0};

  *check = (HlModeCheck){0};
  HlStatus status = setup_init (&setup, point, amplitude, options, check);
  if (status == HL_OK) {
    check->kink = find_kink (&setup);
    check->duration = options->duration > 0.0 ? options->duration : choose_duration (&setup, check);
    status = add_both_runs (&setup, check->duration, c);
    /* a machine that is not at rest may pass one edge after another: only the time before that is of
     * interest */
    for (int cut = 0; cut < MOST_CUTS && status == HL_TOO_MUCH_WORK && check->drift > 0.0; cut++) {
      check->duration *= CUT;
      check->moves_on = true;
      status = add_both_runs (&setup, check->duration, c);
    }
  }
  if (status == HL_OK)
    fit_mode (c, check->duration, &lin->eigenvalues[k], check);
  setup_clear (&setup);
  return status;
}

HlStatus hl_mode_check_limit (const HlSystem *sys, const HlPoint *point, const HlLinearization *lin, int k,
                              const double range[2], double part, const HlModeCheckOptions *options,
                              HlModeCheck *check) {
  double good = 0.0, bad = INFINITY, amplitude = range[0];
  HlModeCheck found = {.amplitude = INFINITY};

  while (amplitude <= range[1] && !(bad / good < LIMIT_ACCURACY)) {
    HlModeCheck at = {0};
    HlFault fault = {0};
    HlStatus status = hl_mode_check (sys, point, lin, k, amplitude, options, &at, &fault);
    if (status == HL_CANCELLED || status == HL_BAD_MODEL)
      return status;
    at.ended = status != HL_OK;
    at.fault = fault;
    at.amplitude = amplitude;
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

HlStatus hl_mode_pose (const HlSystem *sys, HlWork *work, const HlPoint *point, const HlLinearization *lin,
                       int k, double amplitude, double phase, HlPoint *moved) {
  size_t room = (size_t)lin->n + 1;
  double *y = calloc (room, sizeof *y);
  double complex turn = cexp (I * phase);

  hl_work_enter_point (sys, work, point);
  HlStatus status = hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL);
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
