/* SPDX-License-Identifier: MIT */
/* Data shared by the integrator and its methods. A method ("stepper") advances the deviation z from the origin by one
 * step of its own and interpolates inside it; outputs, events, stops and cancel are the integrator's. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/solve/hl-integrator.h"

typedef struct HlStepper HlStepper;

typedef struct {
  void (*free) (HlStepper *stepper);
  /* Begins at t with z = 0. h = 0: find the first step. span: upper limit for a guess of it. */
  HlStatus (*start) (HlStepper *stepper, double t, double h, double span);
  /* One accepted step, not beyond t_stop; writes integrator->z and the times. */
  HlStatus (*step) (HlStepper *stepper, double t_stop);
  /* The first m states, or more of them. */
  void (*interpolate) (HlStepper *stepper, double t, int m, double z[]);
  /* Rate of z by time there, all states. */
  void (*slope) (HlStepper *stepper, double t, double z_dot[]);
  /* Step size the method would take next. */
  double (*next_step) (HlStepper *stepper);
  /* Order of the last step. */
  int (*last_order) (const HlStepper *stepper);
  /* Adds the counters that are the method's own. */
  void (*add_stats) (const HlStepper *stepper, HlOdeStats *stats);
} HlStepperClass;

struct HlStepper {
  const HlStepperClass *class;
  HlIntegrator *integrator;
};

struct HlIntegrator {
  HlArena arena;            /* holds every array */
  HlOde ode;                /* copied; its data is borrowed */
  HlOdeOptions options;     /* copied; scale is not examined again */
  HlStepper *stepper;       /* BDF or Radau, owned */
  double sign;              /* +1, or -1 when time runs backward */
  double *loose;            /* n: 1 / (rtol scale)                                   */
  double *weight;           /* n: the same, tightened where the problem requires it  */
  bool is_tight;            /* it requires that for some state */
  double *increment;        /* n: steps of the difference Jacobian                   */
  double *origin;           /* n: y at the last start                                */
  double *y;                /* n: origin + z handed to callbacks                     */
  double *z;                /* n: deviation at step_end, written by the stepper      */
  double *z_at;             /* n: deviation between                                  */
  double *f_a, *f_b;        /* n: difference Jacobian                                */
  double step_begin;        /* last internal step, written by the stepper            */
  double step_end;          /* end of it */
  double stop;              /* no step goes beyond, INFINITY: none */
  double first_step;        /* of the pending start */
  bool started;             /* the stepper has been started since hl_integrator_start () */
  long steps_here;          /* since the last start */
  HlStatus callback_status; /* last thing other than HL_OK that a callback answered in this step */
  HlStatus refusal;         /* the same of any step since the last start */
  int n_crumbs;             /* steps in a row too short to matter */
  HlOdeStats stats;         /* of all starts */
  /* events */
  double scan;       /* up to here events have been reported */
  double event_time; /* found in the last step but not yet reported, NAN if none */
  bool scanned;      /* the last step has been searched from scan to its end */
  double *g_scan, *g_here, *g_low, *g_mid, *g_first; /* n_events */
  int *hits;                                         /* n_events */
  int *candidates;                                   /* n_events */
  /* guards, n_guards each */
  HlGuard *guards_begin, *guards_end, *guards_a, *guards_b, *guards_mid;
  struct HlGuardTrack *tracks;
  bool has_guards;       /* guards_begin are those of step_end */
  double guard_time;     /* where the last step has to end, NAN: at its end */
  bool ends_at_bend;     /* there a guard passes zero, which the end of the step shows */
  double bend;           /* no step goes beyond: one that did is made anew; NAN: none */
  double cap, cap_until; /* longest step until then; 0 = none */
};

/* Evaluate f and df/dy at origin + z[n]: z_dot[n]; J[n x n], column-major, by the method that the problem
 * offers; values[column_start[n]] as HlOde has them. Counted, checked for NaN. */
HlStatus hl_integrator_eval_rhs (HlIntegrator *self, double t, const double z[], double z_dot[]);
HlStatus hl_integrator_eval_jacobian (HlIntegrator *self, double t, const double z[], double J[]);
HlStatus hl_integrator_eval_jacobian_sparse (HlIntegrator *self, double t, const double z[], double values[]);
/* Evaluates the problem's own matrices at origin + z[n]; counted as a Jacobian. */
HlStatus hl_integrator_eval_shifted (HlIntegrator *self, double t, const double z[]);
/* Returns whether Newton's matrix is factored as a sparse one. */
bool hl_integrator_is_sparse (const HlIntegrator *self);
/* Returns whether a smaller step would help. */
bool hl_integrator_is_recoverable (HlStatus status);
/* Returns the longest step from t that is not above |h| and ends on the grid of times that goes with its
 * size; h itself when it does so already. Methods limit their steps by it. */
double hl_integrator_fit_step (double t, double h);
/* Weights for a step that begins at z[n]. */
void hl_integrator_weigh (HlIntegrator *self, const double z[], bool is_near);
/* Returns sqrt (mean ((weight z)^2)) of z[n]. */
double hl_integrator_norm (const HlIntegrator *self, const double z[]);

/* Returns the variable-order BDF by CVODES, sparse by KLU where the problem brings a pattern. Owned by the
 * integrator (hl-integrator-bdf.c). */
HlStepper *hl_stepper_new_bdf (HlIntegrator *integrator);
