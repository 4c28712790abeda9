/* SPDX-License-Identifier: MIT */
/* Initial value problems y' = f (t, y): one stiff integrator with dense output, events, stop times
 * and cancel, over two methods.
 *
 * The deviation z = y - y(start) is what is integrated, and error weights are rtol * scale, never
 * times |y|: the choice of steps depends neither on where an angle has its zero nor on where a
 * drawing stands. Steps end on a binary grid of times, some twenty times finer than they are long:
 * otherwise the rounding of an error estimate would reach the size of the next step, that the next
 * estimate, and so on, up to another number of steps. So it stops at the grid, and two runs that
 * differ by rounding alone take the same steps.
 *
 * A run is a loop of starts: hl_integrator_start () at a point, hl_integrator_set_stop () at the
 * next corner of a signal, hl_integrator_advance () to the requested times until it reports the stop or an event,
 * change the mode, start again. No callback is called beyond the stop time. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"
#include "core/base/hl-status-codes.h"
#include "core/math/hl-event-function.h"

typedef enum {
  HL_METHOD_BDF,  /* CVODE: variable order 1-5 */
  HL_METHOD_RADAU /* Radau IIA of order 5 or 9, the better one on lightly damped oscillations */
} HlMethod;

/* Solutions with s I - df/dy by the problem itself, where it has a faster method than df/dy. A status ends or shortens
 * a step as those of the other callbacks. */
typedef struct {
  HlStatus (*eval) (double t, const double y[], void *data); /* all that follows is at y */
  HlStatus (*factor) (double s, void *data);
  HlStatus (*factor_complex) (int pair, double re, double im, void *data); /* two can be held */
  void (*solve) (double x[], void *data);                                  /* x[n] := (s I - df/dy)^-1 x */
  void (*solve_complex) (int pair, double x[], void *data);                /* of n pairs */
  void (*forget_pivots) (void *data);                                      /* new ones are to be chosen */
} HlOdeShifted;

/* The problem. Callbacks answer HL_OK, or a status: HL_BAD_MODEL, HL_INFEASIBLE, HL_CANCELLED and
 * HL_TOO_MUCH_WORK end the run, every other makes the integrator try a smaller step first. They see
 * t only inside [start, stop]. */
typedef struct {
  int n; /* states */
  /* Places among them: the slope of each of the first so many states is the one as many behind it. A dense Radau
   * solves for the others alone. */
  int n_places;
  HlStatus (*rhs) (double t, const double y[], double y_dot[], void *data);
  /* df/dy, column-major n x n; every entry is to be written. NULL: differences (or the sparse
   * form). */
  HlStatus (*jacobian) (double t, const double y[], double J[], void *data);
  /* The same in compressed columns for large systems, or NULL: row_index[column_start[j] ..
   * column_start[j + 1]) are the rows of column j, rising, the diagonal among them. Both arrays are
   * borrowed for the life of the integrator. */
  HlStatus (*jacobian_sparse) (double t, const double y[], double values[], void *data);
  const int *column_start;     /* n + 1 */
  const int *row_index;        /* column_start[n] */
  const HlOdeShifted *shifted; /* in place of both, or NULL */
  /* Events: zeros of g (t, y). directions[i] 1 rising, -1 falling, 0 both; NULL = all both. */
  int n_events;
  HlStatus (*events) (double t, const double y[], double g[], void *data);
  const int *directions;
  /* Guards: no step carries one of them through zero and back without a look at what lies between, an
   * arrival at an event; the caller starts again there. t lies in the last step, of length h:
   * hl_integrator_interpolate () and hl_integrator_find_slope () give the state there. at_end: the step
   * has ended at t, so that what is far from zero need not be examined. A status other than HL_OK ends
   * the look. */
  int n_guards;
  HlStatus (*guards) (double t, double h, bool at_end, HlGuard out[], void *data);
  /* pieces of a step of length h that has just ended, in each of which a guard turns once at the most; NULL: 1 */
  int (*guard_pieces) (double h, void *data);
  /* Multiplies the error weights of states that are to be kept more closely at y, or NULL. Called
   * where a step begins or ends; is_near: the last evaluation of rhs was within the tolerance of y. */
  void (*tighten) (const double y[], bool is_near, double weight[], void *data);
  double shortest_period; /* of what acts on the states by time alone [s]; 0: none is known */
  int looks;              /* points of a step at which signs are examined, the last one its end; 0 = 3 */
  void *data;
} HlOde;

typedef struct {
  HlMethod method;
  double rtol;         /* local error allowed, in units of scale; 1e-6 */
  const double *scale; /* n: typical deviation of each state, > 0 (1e-4 rad, 1e5 Pa); NULL = 1. Copied */
  double first_step;   /* [s], 0 = found from the derivatives */
  double max_step;     /* [s], 0 = none */
  int max_order;       /* BDF: 1-5, 0 = 5 */
  int radau_order;     /* 5 or 9, 0 = whichever gets further for its evaluations */
  long max_steps;      /* between a start and the next; 0 = none. HL_TOO_MUCH_WORK beyond */
  bool backward;       /* integrate towards smaller t */
  bool (*cancel) (void *data); /* or NULL; polled before every internal step */
  void *cancel_data;
  const HlArena *beside; /* memory is taken from where this has its own; NULL: any */
} HlOdeOptions;

typedef struct {
  long steps;           /* that were accepted */
  long rhs;             /* evaluations of f, those for difference Jacobians included */
  long jacobians;       /* evaluations of J */
  long factorizations;  /* of Newton's matrix */
  long newton;          /* nonlinear iterations */
  long error_failures;  /* steps rejected by the error test */
  long newton_failures; /* steps given up by Newton */
  long events;          /* evaluations of g */
  long starts;          /* hl_integrator_start () and its variants */
} HlOdeStats;

/* Reasons for which hl_integrator_advance () returned. */
typedef enum {
  HL_ARRIVED,         /* at the requested time */
  HL_ARRIVED_AT_STOP, /* at the stop time, before (or at) the requested one */
  HL_ARRIVED_AT_EVENT /* just behind a zero of an event function */
} HlArrival;

typedef struct HlIntegrator HlIntegrator;

/* Returns the default options of hl_integrator_new (): the zeros and NULLs named at the fields, and the
 * tolerances of a run. */
HlOdeOptions hl_ode_options_default (void);

/* Returns an integrator. ode and options are copied, what they point to is borrowed (scale is copied). Owned
 * by the caller. */
HlIntegrator *hl_integrator_new (const HlOde *ode, const HlOdeOptions *options);
/* Sets, for a dense Radau integrator, the number of states n of the next start (at most the number it was
 * made for), their scale[n] (NULL: all 1) and the tolerance. A run through modes of different order thus
 * allocates no memory. */
void hl_integrator_set_order (HlIntegrator *integrator, int n, const double scale[], double rtol);
void hl_integrator_free (HlIntegrator *integrator);

/* Begins (again) at t with y[n]; clears the stop time and the history. Evaluates the events once. Fails with what the
 * right-hand side or the events answer. */
HlStatus hl_integrator_start (HlIntegrator *integrator, double t, const double y[]);
/* Continues where the problem changes but the motion does not (the corner of a signal): keeps the size of the
 * next step as a first guess, `shrink` (0 .. 1] times. */
HlStatus hl_integrator_continue (HlIntegrator *integrator, double t, const double y[], double shrink);

/* Sets t_stop, beyond which no step and no callback goes; INFINITY = none. */
void hl_integrator_set_stop (HlIntegrator *integrator, double t_stop);

/* Continues until the requested time, the stop time or an event, whichever is first, and returns the state there by
 * dense output.
 *   t_out   not before the last internal step
 *   y       n, out: state at the time reached; or NULL
 *   t       out: time reached
 *   why     out
 * A status other than HL_OK leaves the integrator at its last good step. */
HlStatus hl_integrator_advance (HlIntegrator *integrator, double t_out, double *t, double y[],
                                HlArrival *why);

/* Makes one internal step, or the rest of it after an event: for callers that follow the integrator's own
 * steps. y[n] at *t; *why is HL_ARRIVED at the end of the step. */
HlStatus hl_integrator_step (HlIntegrator *integrator, double *t, double y[], HlArrival *why);

/* Interpolates the state y[n] anywhere inside the last internal step, which ends at hl_integrator_step_end
 * (). */
void hl_integrator_interpolate (HlIntegrator *integrator, double t, double y[]);
/* Interpolates the first m states alone, into y[m]. */
void hl_integrator_interpolate_first (HlIntegrator *integrator, double t, int m, double y[]);
/* Computes the rates of all states there, y_dot[n]. */
void hl_integrator_find_slope (HlIntegrator *integrator, double t, double y_dot[]);
double hl_integrator_step_end (const HlIntegrator *integrator);

/* Returns the order of the method in the last internal step. */
int hl_integrator_last_order (const HlIntegrator *integrator);

/* Returns after HL_ARRIVED_AT_EVENT n_events entries, +1 for a rising zero, -1 for a falling one, 0 for none.
 * Borrowed. */
const int *hl_integrator_get_hits (const HlIntegrator *integrator);

/* Returns after small steps or a failure the state whose error requires the smallest step after the last good
 * one, -1 = there is none. *step is about that step [s]. *is_rounding: the tolerance of the state is below
 * the rounding of its own value, which no step can satisfy. Evaluates the right-hand side; allocates. */
int hl_integrator_find_limiting (HlIntegrator *integrator, double *step, bool *is_rounding);

/* Returns the sums over all starts. */
HlOdeStats hl_integrator_get_stats (const HlIntegrator *integrator);
