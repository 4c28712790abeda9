/* SPDX-License-Identifier: MIT */
/* Steps that do not suit a run: changes the integrator's method, or says which element is to blame. The
 * method changes where BDF would let an oscillation grow, where its errors add up over an oscillation or over many steps, where steps
 * stay so short that the end is out of reach, and where the method gives up but the rows so far have to stand
 * (theory/integration.md).
 *
 * Error of a swing under BDF: for y' = lambda y one step of order q multiplies y by zeta,
 *
 *   sum_{k=1}^q (1 - 1/zeta)^k/k = h lambda
 *
 * and near the imaginary axis |zeta| > 1 for orders 3 and 4, and for order 5 with long steps; else it is
 * smaller. The root is followed from zeta = 1. Eigenvalues are those of J, and only what changes an
 * amplitude by several tolerances counts: of the rate f, with right and left vectors v and w, the
 * amplitude is |w^H f/lambda| |v|. */
#include "core/run/hl-sim-run.h"

#include "core/base/hl-translation-macros.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/mech/hl-linkage-assembly.h"
#include "core/solve/hl-equilibrium-private.h"
#include "core/system/hl-lumped-dynamics.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Finds the element to name when the steps of a run become too small or too many: the element whose state
 * limits the step (theory/integration.md (8), (9)). If the state belongs to a body, a cylinder whose seal
 * friction reverses within such a step is named instead:
 *
 *   dF/dv a^2/m > FAST/h
 *
 * with a its lever arm, m the mass of the linkage, h the step, and the slope dF/dv at rest wherever
 * the motion comes near it. */

/* Part of a step within which a friction force turns that the step cannot follow. */
#define FAST 0.1
/* Nearer to rest than so many Stribeck velocities, or the tolerance, a cylinder may come to it. */
#define NEAR_REST 10.0
#define NEAR_DEAD_POINT 1.0e-3 /* margin of an island, about an angle in rad */
#define BEYOND_REACH 30.0 /* motion of the links over that of the drive, which is of their order elsewhere */

static double mass_of_island (const HlMechanism *mech, int island) {
  double mass = 0.0;

  for (int k = 0; k < mech->islands[island].n_bodies; k++)
    mass += mech->bodies[mech->islands[island].bodies[k]].mass;
  return mass;
}

/* Returns the rate at which the seal friction of a cylinder slows its linkage down [1/s]. */
static double friction_rate (const HlSimRun *run, int index) {
  const HlSystem *sys = run->sys;
  const HlCylinder *cyl = &sys->cylinders[index];
  const HlCylinderState *state = &run->work->cylinders[index];
  double reach = fmax (NEAR_REST * cyl->friction.vs, run->options->rtol * HL_SCALE_VELOCITY);
  double slope = fabs (state->friction_slope), at_rest;
  int body = cyl->body_i >= 0 ? cyl->body_i : cyl->body_j;

  if (body < 0)
    return 0.0;
  hl_friction_force (&cyl->friction, 0.0, &at_rest);
  if (fabs (state->rod_rate) <= reach)
    slope = fmax (slope, at_rest);
  double arm = fmin (hl_cylinder_arm (sys, run->work, index), 1.0);
  return slope * arm * arm / mass_of_island (&sys->mech, sys->mech.island_of_body[body]);
}

/* Returns the cylinder whose friction turns fastest, if no step can follow it; -1 = none. */
static int find_sticking_cylinder (const HlSimRun *run, double step) {
  double fastest = FAST / step;
  int found = -1;

  for (int k = 0; k < run->sys->n_cylinders; k++) {
    double rate = friction_rate (run, k);
    if (rate > fastest) {
      fastest = rate;
      found = k;
    }
  }
  return found;
}

static void name_state (const HlSimRun *run, int state, HlFault *fault) {
  if (run->form->owner != NULL)
    run->form->owner (run, state, &fault->entity_kind, &fault->entity);
  else
    hl_state_owner (run->sys, run->work, state, &fault->entity_kind, &fault->entity);
  switch (fault->entity_kind) {
  case HL_ENTITY_LINE:
    fault->mend = HL_TEXT ("increase the volume of the line or the laminar limit (dp_lim) of its valves, or "
                           "increase the tolerance (rtol)");
    break;
  case HL_ENTITY_COMPONENT:
    fault->mend = HL_TEXT (
        "increase the time constant, volume or loss of this element, or increase the tolerance (rtol)");
    break;
  default:
    fault->mend = HL_TEXT ("check for a very stiff spring, end stop or friction on this body, increase the "
                           "mass of the body, or increase the tolerance (rtol)");
    break;
  }
}

/* Names the body that a dead point would stop first, if no element is known. */
static void name_dead_body (const HlSimRun *run, HlFault *fault) {
  const HlMechanism *mech = &run->sys->mech;
  double least = INFINITY;

  for (int k = 0; k < mech->n_islands; k++) {
    double margin = hl_island_margin (mech, &mech->islands[k], run->work->islands[k]);
    if (margin >= least)
      continue;
    least = margin;
    fault->entity_kind = HL_ENTITY_BODY;
    fault->entity = hl_island_fastest_body (&mech->islands[k], run->work->islands[k]);
  }
}

/* Adds an element and a remedy to the fault of a run that ended with this status because of too many or too small
 * steps, unless the fault has an element. */
static void set_fault (HlSimRun *run, HlStatus status, HlFault *fault) {
  double step = 0.0;
  bool is_rounding = false;

  if (status == HL_DEAD_POINT || status == HL_SINGULAR)
    name_dead_body (run, fault);
  if (status != HL_TOO_MUCH_WORK && status != HL_OUT_OF_STEPS && status != HL_NO_CONVERGENCE)
    return;
  int state =
      run->integrator != NULL ? hl_integrator_find_limiting (run->integrator, &step, &is_rounding) : -1;
  int cylinder = step > 0.0 ? find_sticking_cylinder (run, step) : -1;
  fault->limit = run->options->max_steps;
  fault->value = step;
  if (state < 0)
    return;
  name_state (run, state, fault);
  if (is_rounding) {
    fault->mend = HL_TEXT ("increase the tolerance (rtol): the present one asks for more digits than the "
                           "values of the run have");
    fault->change = HL_CHANGE_LOOSEN;
  } else if (cylinder >= 0) {
    fault->entity_kind = HL_ENTITY_COMPONENT;
    fault->entity = run->sys->cylinders[cylinder].component;
    fault->why =
        status == HL_OUT_OF_STEPS
            ? NULL
            : HL_TEXT ("the seal friction of this cylinder reverses faster than the integrator can follow");
    fault->mend = HL_TEXT ("increase vs of the friction of this cylinder");
  }
}

/* Returns the local row of a drive that the linkage cannot follow further: links then move without bound for
 * a small change of it. -1: none. */
static int find_limited_drive (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  double fastest = 0.0;
  int found = -1;

  for (int k = 0; k < iw->n_rows && iw->is_driven; k++)
    if (mech->rows[island->rows[k]].is_driven && iw->drive[3 * k + 1] != 0.0)
      found = k;
  if (found < 0)
    return -1;
  bool is_length = !hl_row_is_angle (&mech->rows[island->rows[found]]);
  hl_island_carry (iw);
  for (int k = 0; k < iw->n; k++)
    fastest = fmax (fastest, fabs (iw->carried[k]) / (k % 3 == 2 ? 1.0 : island->length));
  double rate = fabs (iw->drive[3 * found + 1]) / (is_length ? island->length : 1.0);
  return fastest > BEYOND_REACH * rate ? found : -1;
}

/* Looks for a dead point at the end of the run: an integrator that is stuck next to one cannot detect the
 * reason. */
static void diagnose_dead_point (HlSimRun *run, HlFault *fault) {
  const HlMechanism *mech = &run->sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = run->work->islands[k];
    if (hl_island_margin (mech, island, iw) > NEAR_DEAD_POINT)
      continue;
    int drive = find_limited_drive (mech, island, iw);
    if (drive >= 0) {
      const HlRow *row = &mech->rows[island->rows[drive]];
      *fault = (HlFault){.status = HL_DEAD_POINT,
                         .entity_kind = HL_ENTITY_JOINT,
                         .entity = row->joint,
                         .time = fault->time,
                         .value = row->constant + iw->drive_last[drive]};
      return;
    }
    int body = hl_island_fastest_body (island, iw);
    if (run->form == &hl_sim_form_baumgarte) {
      *fault = (HlFault){
          .status = HL_DEAD_POINT,
          .entity_kind = HL_ENTITY_BODY,
          .entity = body,
          .time = fault->time,
          .why = N_ ("at a position where branches meet or end, the Baumgarte formulation finds no step"),
          .mend = N_ ("use the reduced formulation, which follows the branch where it continues"),
          .change = HL_CHANGE_REDUCED};
      return;
    }
    *fault = (HlFault){.status = HL_DEAD_POINT,
                       .entity_kind = HL_ENTITY_BODY,
                       .entity = body,
                       .time = fault->time,
                       .why = N_ ("dead point: the joints do not determine how the linkage continues"),
                       .mend = N_ ("add a link that carries the linkage through the dead point, make the "
                                   "links slightly unequal in length, or end the run earlier")};
    return;
  }
}

bool hl_sim_name_failure (HlSimRun *run, HlStatus status, HlFault *fault) {
  /* an earlier error of a callback that the integrator avoided is no reason */
  bool is_tired = status == HL_TOO_MUCH_WORK || status == HL_OUT_OF_STEPS;
  bool told =
      run->fault.status != HL_OK && status != HL_CANCELLED && (!is_tired || run->fault.status == status);
  double t = run->integrator != NULL ? hl_integrator_step_end (run->integrator) : NAN;

  *fault = told ? run->fault : (HlFault){.status = status, .entity = -1, .time = NAN};
  if (run->integrator != NULL && run->form->run_all == NULL)
    fault->time = t;
  if ((status == HL_TOO_MUCH_WORK || status == HL_DEAD_POINT) && fault->change != HL_CHANGE_REDUCED)
    diagnose_dead_point (run, fault);
  bool method_failed =
      (status == HL_TOO_MUCH_WORK || status == HL_NO_CONVERGENCE || status == HL_NOT_FINITE) &&
      fault->status == status && fault->why == NULL && fault->entity < 0;
  if (fault->entity < 0)
    set_fault (run, status, fault);
  return method_failed;
}

#define ORDERS 6       /* 1 to 5 */
#define MOST_STATES 29 /* of a dense J */
/* Steps until the first look at the spectrum, and n^2/4 more; then twice as many, up to these between two. */
#define FIRST_CHECK 50
#define LAST_CHECK 500
#define PART_OF_CHECK 3 /* n^2 times this take longer than the spectrum of n states */

/* Logarithm of what the method alone lets an amplitude grow over the rest of the run, and the growth itself in
 * tolerances. */
#define MOST_GAIN 0.02
#define GAINED 10.0

/* Error in amplitude and phase until an oscillation has decayed: in tolerances, of which 100 are a usual error behind
 * some hundred steps and a third of them on the average of all states, and in rtol of the amplitude. */
#define LOST 30.0
#define LOST_PART 250.0

#define FEWEST_PERIODS                                                                                       \
  10.0                /* of a swing, before it decays by LIFETIMES or the run ends: in fewer little adds up */
#define LIFETIMES 2.0 /* time constants of its own decay */
#define MOST_PERIODS 1000.0 /* instead of the rest of a run without end */
#define LIGHT 0.2           /* least |Re lambda|/|Im lambda| of what does not count as a swing */
#define FARTHEST 3.0        /* |h lambda|: error control keeps steps of a swing shorter */
#define PATH 0.1            /* increments of |h lambda| on the way from zeta = 1 */
#define NEWTON 4            /* iterations in each */

/* Steps of BDF in a run: each adds an error of up to a tolerance, which nothing corrects where the motion or trapped oil keeps it.
 * Radau's errors at the same tolerance are some 50 times smaller, and behind so many steps it is as fast. */
#define MOST_STEPS_OF_BDF 1000

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
  long n_of_bdf;            /* steps of BDF in this run, with a spectrum */
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

/* Returns ln zeta - z of order q at z = h lambda. */
static double complex log_error (int order, double complex z) {
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
  return -clog (1.0 - w) - z;
}

/* Returns the amplitude of a mode in units of the tolerance. */
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

/* Returns the rate at which the logarithm of a mode leaves that of the exact one, by the steps since the last
 * check [1/s]. NAN: the steps are too long to estimate it. */
static double complex find_error_rate (const HlSimMethod *self, double complex lambda) {
  double complex error = 0.0;
  double time = 0.0;

  for (int q = 1; q < ORDERS; q++) {
    if (self->steps_of[q] == 0)
      continue;
    double h = pow (self->power_of[q] / (double)self->steps_of[q], 0.2);
    if (h * cabs (lambda) > FARTHEST)
      return NAN;
    error += (double)self->steps_of[q] * log_error (q, h * lambda);
    time += self->time_of[q];
  }
  return time > 0.0 ? error / time : 0.0;
}

/* Returns whether BDF distorts an oscillation in amplitude or phase; stores the reason in run->takeover then. */
static bool is_bent (const HlSimMethod *self, HlSimRun *run, int mode, double t) {
  double complex lambda = self->eigen->value[mode], error_rate = find_error_rate (self, lambda);
  double end = run->options->t_end, rtol = run->options->rtol;
  double period = 2.0 * M_PI / cimag (lambda);
  double rest = isfinite (end) ? end - t : MOST_PERIODS * period;
  double lives = fmin (rest, LIFETIMES / fabs (creal (lambda)));

  if (isnan (creal (error_rate)))
    return false;
  double growth =
      (creal (lambda + error_rate) - fmax (creal (lambda), 0.0)) * fmin (rest, MOST_PERIODS * period);
  double amplitude = find_amplitude (self, mode, rtol);
  double error = cabs (cexp (lives * error_rate) - 1.0);
  if (growth > MOST_GAIN && amplitude * expm1 (growth) > GAINED) {
    run->takeover =
        (HlTakeover){.why = HL_TAKEOVER_SWINGS, .t = t, .frequency = 1.0 / period, .factor = exp (growth)};
    return true;
  }
  if (lives < FEWEST_PERIODS * period || amplitude * error < LOST || error < LOST_PART * rtol)
    return false;
  run->takeover = (HlTakeover){.why = HL_TAKEOVER_ERRORS, .t = t, .frequency = 1.0 / period, .factor = error};
  return true;
}

/* Returns whether errors of the method accumulate over the periods of an oscillation. */
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
    if (cimag (lambda) > 0.0 && fabs (creal (lambda)) <= LIGHT * cimag (lambda) &&
        is_bent (self, run, mode, t))
      return true;
  }
  return false;
}

/* Returns whether this method is too slow to reach the end, or the other method was tried and is no better. */
static bool is_too_slow (HlSimMethod *self, HlSimRun *run, double t) {
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
  if (is_too_slow (self, run, t))
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
  if (++self->n_of_bdf >= MOST_STEPS_OF_BDF) {
    run->takeover = (HlTakeover){.why = HL_TAKEOVER_STEPS, .t = t};
    return true;
  }
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
