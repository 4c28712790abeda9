/* SPDX-License-Identifier: MIT */
/* The part of the integrator that does not depend on the method: callbacks, dense output at wished
 * times, stops, cancel. */
#include "core/solve/hl-integrator.h"
#include "core/solve/hl-integrator-private.h"
#include "core/solve/hl-radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

/* Above this order the sparse solver is the faster one when both Jacobians are offered. */
#define DENSE_LIMIT 24

/* Increment of the difference Jacobian in units of the state's scale, the square root of the
 * rounding. It is only a fallback for problems that bring no Jacobian: Newton's matrix need not be
 * exact. */
#define DIFFERENCE_STEP 1.5e-8

/* More than MAX_CRUMBS steps in a row of fewer than CRUMB_ROUNDING roundings of t are no progress.
 */
#define CRUMB_ROUNDING 64.0
#define MAX_CRUMBS 8

/* The grid of times has between this many and twice as many lines in a step: its end loses 2 % on
 * average. Nearer than this part of a line's distance, a time stands on a line; so does every time
 * when its own rounding, this many units of it, comes near that part. */
#define GRID_LINES 16.0
#define GRID_SLACK 1.0e-3
#define GRID_ROUNDING 64.0

/* A tightened tolerance stays this many roundings of the state and of its deviation. */
#define LEAST_TOLERANCE 16.0

/* Length assumed for a run without end when the first step is guessed [s]. */
#define ENDLESS_SPAN 1.0

HlOdeOptions hl_ode_options_default (void) {
  return (HlOdeOptions){.method = HL_METHOD_BDF, .rtol = 1e-6};
}

HlIntegrator *hl_integrator_new (const HlOde *ode, const HlOdeOptions *options) {
  g_return_val_if_fail (ode->n >= 0 && ode->rhs != NULL && options->rtol > 0.0, NULL);
  g_return_val_if_fail (ode->n_events == 0 || ode->events != NULL, NULL);

  HlArena own = hl_arena_beside (options->beside);
  HlIntegrator *self = hl_arena_take (&own, 1, sizeof *self);
  HlArena *arena = &self->arena;
  int n = ode->n, n_events = ode->n_events;

  *arena = own;
  self->ode = *ode;
  self->options = *options;
  self->sign = options->backward ? -1.0 : 1.0;
  self->loose = hl_arena_take (arena, n, sizeof (double));
  self->weight = hl_arena_take (arena, n, sizeof (double));
  self->increment = hl_arena_take (arena, n, sizeof (double));
  self->origin = hl_arena_take (arena, n, sizeof (double));
  self->y = hl_arena_take (arena, n, sizeof (double));
  self->z = hl_arena_take (arena, n, sizeof (double));
  self->z_at = hl_arena_take (arena, n, sizeof (double));
  self->f_a = hl_arena_take (arena, n, sizeof (double));
  self->f_b = hl_arena_take (arena, n, sizeof (double));
  self->g_scan = hl_arena_take (arena, n_events, sizeof (double));
  self->g_here = hl_arena_take (arena, n_events, sizeof (double));
  self->g_low = hl_arena_take (arena, n_events, sizeof (double));
  self->g_first = hl_arena_take (arena, n_events, sizeof (double));
  self->g_mid = hl_arena_take (arena, n_events, sizeof (double));
  HlGuard **guards[] = {&self->guards_begin, &self->guards_end, &self->guards_a, &self->guards_b,
                        &self->guards_mid};
  for (gsize k = 0; k < G_N_ELEMENTS (guards); k++)
    *guards[k] = hl_arena_take (arena, ode->n_guards, sizeof (HlGuard));
  self->tracks = hl_arena_take (arena, ode->n_guards, hl_integrator_guard_track_size ());
  self->hits = hl_arena_take (arena, n_events, sizeof (int));
  self->candidates = hl_arena_take (arena, n_events, sizeof (int));
  hl_integrator_set_order (self, n, options->scale, options->rtol);
  self->options.scale = NULL;
  self->stop = INFINITY;
  self->stepper =
      options->method == HL_METHOD_RADAU ? hl_stepper_new_radau (self) : hl_stepper_new_bdf (self);
  return self;
}

void hl_integrator_set_order (HlIntegrator *self, int n, const double scale[], double rtol) {
  self->ode.n = n;
  self->options.rtol = rtol;
  for (int i = 0; i < n; i++) {
    double size = scale != NULL ? scale[i] : 1.0;

    self->loose[i] = self->weight[i] = 1.0 / (rtol * size);
    self->increment[i] = DIFFERENCE_STEP * size;
  }
}

void hl_integrator_free (HlIntegrator *self) {
  if (self == NULL)
    return;
  self->stepper->class->free (self->stepper);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

/* ---- callbacks ---- */

bool hl_integrator_is_sparse (const HlIntegrator *self) {
  const HlOde *ode = &self->ode;

  return ode->jacobian_sparse != NULL && (ode->jacobian == NULL || ode->n > DENSE_LIMIT);
}

bool hl_integrator_is_recoverable (HlStatus status) {
  return status != HL_CANCELLED && status != HL_BAD_MODEL && status != HL_INFEASIBLE &&
         status != HL_TOO_MUCH_WORK;
}

double hl_integrator_norm (const HlIntegrator *self, const double z[]) {
  double sum = 0.0;

  for (int i = 0; i < self->ode.n; i++) {
    double value = self->weight[i] * z[i];

    sum += value * value;
  }
  return self->ode.n > 0 ? sqrt (sum / self->ode.n) : 0.0;
}

double hl_integrator_fit_step (double t, double h) {
  int exponent;

  if (h == 0.0 || !isfinite (h))
    return h;
  frexp (h, &exponent);
  double line = ldexp (0.5 / GRID_LINES, exponent), end = (t + h) / line;
  if (fabs (end - round (end)) < GRID_SLACK || GRID_ROUNDING * DBL_EPSILON * fabs (end) > GRID_SLACK)
    return h;
  return (h > 0.0 ? floor (end) : ceil (end)) * line - t;
}

static const double *shift (HlIntegrator *self, const double z[]) {
  for (int i = 0; i < self->ode.n; i++)
    self->y[i] = self->origin[i] + z[i];
  return self->y;
}

static HlStatus answer (HlIntegrator *self, HlStatus status, int n, const double values[]) {
  double poison = 0.0;

  if (status == HL_OK) {
    for (int i = 0; i < n; i++)
      poison += 0.0 * values[i];
    if (poison != 0.0)
      status = HL_NOT_FINITE;
  }
  if (status != HL_OK)
    self->callback_status = status;
  return status;
}

void hl_integrator_weigh (HlIntegrator *self, const double z[], bool is_near) {
  self->is_tight = false;
  if (self->ode.tighten == NULL)
    return;
  memcpy (self->weight, self->loose, sizeof (double) * (gsize)self->ode.n);
  self->ode.tighten (shift (self, z), is_near, self->weight, self->ode.data);
  for (int i = 0; i < self->ode.n; i++) {
    double rounding = LEAST_TOLERANCE * DBL_EPSILON * (fabs (self->origin[i]) + fabs (z[i]));

    if (self->weight[i] > self->loose[i]) {
      self->is_tight = true;
      if (self->weight[i] * rounding > 1.0)
        self->weight[i] = fmax (self->loose[i], 1.0 / rounding);
    }
  }
}

HlStatus hl_integrator_eval_rhs (HlIntegrator *self, double t, const double z[], double z_dot[]) {
  self->stats.rhs++;
  return answer (self, self->ode.rhs (t, shift (self, z), z_dot, self->ode.data), self->ode.n, z_dot);
}

HlStatus hl_integrator_eval_jacobian_sparse (HlIntegrator *self, double t, const double z[],
                                             double values[]) {
  self->stats.jacobians++;
  HlStatus status = self->ode.jacobian_sparse (t, shift (self, z), values, self->ode.data);
  return answer (self, status, self->ode.column_start[self->ode.n], values);
}

HlStatus hl_integrator_eval_shifted (HlIntegrator *self, double t, const double z[]) {
  self->stats.jacobians++;
  return answer (self, self->ode.shifted->eval (t, shift (self, z), self->ode.data), 0, NULL);
}

static HlStatus difference_jacobian (HlIntegrator *self, double t, const double z[], double J[]) {
  int n = self->ode.n;
  HlStatus status = hl_integrator_eval_rhs (self, t, z, self->f_a);

  memcpy (self->z_at, z, sizeof (double) * (gsize)n);
  for (int j = 0; j < n && status == HL_OK; j++) {
    /* away from 0: what limits a speed or a flow limits it from above, and on the way back from such a limit,
     * which may be thinner than the increment, the slope is another one */
    double away = self->origin[j] + z[j] < 0.0 ? -1.0 : 1.0;
    self->z_at[j] = z[j] + away * self->increment[j];
    /* what the sum with the origin really moves */
    double step = (self->origin[j] + self->z_at[j]) - (self->origin[j] + z[j]);
    if (step == 0.0) {
      self->z_at[j] = z[j] + away * 8.0 * DBL_EPSILON * fabs (self->origin[j]);
      step = (self->origin[j] + self->z_at[j]) - (self->origin[j] + z[j]);
    }
    status = hl_integrator_eval_rhs (self, t, self->z_at, self->f_b);
    for (int i = 0; i < n; i++)
      J[i + n * j] = (self->f_b[i] - self->f_a[i]) / step;
    self->z_at[j] = z[j];
  }
  return status;
}

HlStatus hl_integrator_eval_jacobian (HlIntegrator *self, double t, const double z[], double J[]) {
  int n = self->ode.n;

  if (self->ode.jacobian != NULL) {
    self->stats.jacobians++;
    return answer (self, self->ode.jacobian (t, shift (self, z), J, self->ode.data), n * n, J);
  }
  if (self->ode.jacobian_sparse != NULL) {
    const int *start = self->ode.column_start;
    /* the values fill the front of J and are spread from the last column backward */
    HlStatus status = hl_integrator_eval_jacobian_sparse (self, t, z, J);

    for (int j = n - 1; j >= 0 && status == HL_OK; j--) {
      memset (self->f_a, 0, sizeof (double) * (gsize)n);
      for (int k = start[j]; k < start[j + 1]; k++)
        self->f_a[self->ode.row_index[k]] = J[k];
      memcpy (J + (gsize)n * (gsize)j, self->f_a, sizeof (double) * (gsize)n);
    }
    return status;
  }
  self->stats.jacobians++;
  return difference_jacobian (self, t, z, J);
}

/* ---- running ---- */

static bool is_before (const HlIntegrator *self, double a, double b) {
  return self->sign * (b - a) > 0.0;
}

static HlStatus begin (HlIntegrator *self, double t, const double y[], double first_step) {
  int n = self->ode.n;

  memcpy (self->origin, y, sizeof (double) * (gsize)n);
  memset (self->z, 0, sizeof (double) * (gsize)n);
  self->step_begin = self->step_end = self->scan = t;
  self->event_time = NAN;
  self->scanned = true;
  self->stop = INFINITY * self->sign;
  self->started = false;
  self->first_step = first_step;
  self->steps_here = 0;
  self->callback_status = self->refusal = HL_OK;
  self->n_crumbs = 0;
  self->stats.starts++;
  self->has_guards = false;
  self->guard_time = NAN;
  /* short steps behind a guard that was hidden; what it was made for is over elsewhere */
  if (self->cap > 0.0 && !is_before (self, t, self->cap_until))
    self->cap = 0.0;
  if (self->cap > 0.0 && first_step > 0.0)
    self->first_step = fmin (first_step, self->cap);
  return self->ode.n_events > 0 ? hl_integrator_begin_events (self, t) : HL_OK;
}

HlStatus hl_integrator_start (HlIntegrator *self, double t, const double y[]) {
  return begin (self, t, y, self->options.first_step);
}

HlStatus hl_integrator_continue (HlIntegrator *self, double t, const double y[], double shrink) {
  double h =
      self->started ? self->stepper->class->next_step (self->stepper) * shrink : self->options.first_step;

  return begin (self, t, y, h);
}

void hl_integrator_set_stop (HlIntegrator *self, double t_stop) {
  self->stop = isinf (t_stop) ? INFINITY * self->sign : t_stop;
}

static HlStatus take_step (HlIntegrator *self, double t_out) {
  HlStepper *stepper = self->stepper;

  if (self->options.cancel != NULL && self->options.cancel (self->options.cancel_data))
    return HL_CANCELLED;
  if (self->options.max_steps > 0 && self->steps_here >= self->options.max_steps)
    return HL_TOO_MUCH_WORK;
  self->callback_status = HL_OK;
  double stop = self->stop;
  if (self->cap > 0.0 && is_before (self, self->step_end, self->cap_until)) {
    double short_stop = self->step_end + self->sign * self->cap;
    stop = is_before (self, short_stop, stop) ? short_stop : stop;
  }
  if (!self->started) {
    double end = isfinite (stop) ? stop : isfinite (t_out) ? t_out : self->step_end + ENDLESS_SPAN;
    double h = fabs (self->first_step);
    HlStatus status = stepper->class->start (stepper, self->step_end, h, fabs (end - self->step_end));

    if (status != HL_OK)
      return status;
    self->started = true;
  }
  HlStatus status = stepper->class->step (stepper, stop);
  if (status != HL_OK)
    return status;
  if (self->callback_status != HL_OK)
    self->refusal = self->callback_status;
  /* creeping up to a place that the callbacks refuse, by steps that time can hardly hold */
  double length = fabs (self->step_end - self->step_begin);
  self->n_crumbs = length <= CRUMB_ROUNDING * DBL_EPSILON * fabs (self->step_end) ? self->n_crumbs + 1 : 0;
  if (self->n_crumbs > MAX_CRUMBS)
    return self->refusal != HL_OK ? self->refusal : HL_TOO_MUCH_WORK;
  self->steps_here++;
  self->stats.steps++;
  self->scanned = self->ode.n_events == 0;
  if (self->scanned)
    self->scan = self->step_end; /* nothing to look for inside */
  if (self->ode.n_guards == 0)
    return HL_OK;
  status = hl_integrator_find_guard (self);
  if (self->scanned)
    self->event_time = self->guard_time;
  return hl_integrator_is_recoverable (status) ? HL_OK : status;
}

static void deliver (HlIntegrator *self, double at, double *t, double y[]) {
  if (t != NULL)
    *t = at;
  if (y != NULL)
    hl_integrator_interpolate (self, at, y);
}

HlStatus hl_integrator_advance (HlIntegrator *self, double t_out, double *t, double y[], HlArrival *why) {
  for (;;) {
    if (!self->scanned) {
      HlStatus status = hl_integrator_find_event (self);

      if (status != HL_OK)
        return status;
    }
    if (!isnan (self->event_time) && !is_before (self, t_out, self->event_time)) {
      *why = HL_ARRIVED_AT_EVENT;
      hl_integrator_take_event (self);
      deliver (self, self->scan, t, y);
      return HL_OK;
    }
    if (!is_before (self, self->step_end, t_out)) {
      *why = self->stop == t_out ? HL_ARRIVED_AT_STOP : HL_ARRIVED;
      deliver (self, t_out, t, y);
      return HL_OK;
    }
    if (!is_before (self, self->step_end, self->stop)) {
      *why = HL_ARRIVED_AT_STOP;
      deliver (self, self->stop, t, y);
      return HL_OK;
    }
    HlStatus status = take_step (self, t_out);
    if (status != HL_OK)
      return status;
  }
}

HlStatus hl_integrator_step (HlIntegrator *self, double *t, double y[], HlArrival *why) {
  bool is_inside = self->scanned && is_before (self, self->scan, self->step_end);

  if (!is_inside && self->scanned && is_before (self, self->step_end, self->stop)) {
    HlStatus status = take_step (self, self->stop);

    if (status != HL_OK)
      return status;
  }
  return hl_integrator_advance (self, self->step_end, t, y, why);
}

void hl_integrator_interpolate_first (HlIntegrator *self, double t, int m, double y[]) {
  const double *z = self->z;

  if (t != self->step_end) {
    self->stepper->class->interpolate (self->stepper, t, m, self->z_at);
    z = self->z_at;
  }
  for (int i = 0; i < m; i++)
    y[i] = self->origin[i] + z[i];
}

void hl_integrator_interpolate (HlIntegrator *self, double t, double y[]) {
  hl_integrator_interpolate_first (self, t, self->ode.n, y);
}

void hl_integrator_find_slope (HlIntegrator *self, double t, double y_dot[]) {
  self->stepper->class->slope (self->stepper, t, y_dot);
}

double hl_integrator_step_end (const HlIntegrator *self) {
  return self->step_end;
}

int hl_integrator_last_order (const HlIntegrator *self) {
  return self->stepper->class->last_order (self->stepper);
}

const int *hl_integrator_get_hits (const HlIntegrator *self) {
  return self->hits;
}

/* The curvature of the motion (theory/integration.md (8)),
 *
 *   e = h/2 |f (z + h f (z)) - f (z)|
 *
 * weighted as errors are, over one step of the size that was tried last. In a stiff system that is
 * the state whose rate follows the others fastest. Where the rate behind the step is not known, the
 * rate itself stands for it. */
int hl_integrator_find_limiting (HlIntegrator *self, double *step, bool *is_rounding) {
  int n = self->ode.n, worst = -1;
  double largest = 0.0, last = fabs (self->step_end - self->step_begin);
  double h = fmin (self->started ? self->stepper->class->next_step (self->stepper) : last, last);
  HlArena scratch = hl_arena_beside (&self->arena);
  double *f = hl_arena_take (&scratch, n, sizeof *f);

  *is_rounding = false;
  h = h > 0.0 ? h : last;
  *step = h = h > 0.0 ? h : fabs (self->first_step);
  h = h > 0.0 ? h : ENDLESS_SPAN * DBL_EPSILON;
  bool has_rate = hl_integrator_eval_rhs (self, self->step_end, self->z, f) == HL_OK;
  for (int i = 0; i < n; i++)
    self->z_at[i] = self->z[i] + (has_rate ? self->sign * h * f[i] : 0.0);
  bool has_next = has_rate && hl_integrator_eval_rhs (self, self->step_end, self->z_at, self->f_b) == HL_OK;
  for (int i = 0; i < n && has_rate; i++) {
    double error = self->weight[i] * h * (has_next ? 0.5 * fabs (self->f_b[i] - f[i]) : fabs (f[i]));

    if (error > largest) {
      largest = error;
      worst = i;
    }
  }
  for (int i = 0; i < n && worst >= 0; i++) {
    double value = self->origin[i] + self->z[i];

    *is_rounding = *is_rounding || 1.0 / self->weight[i] < DBL_EPSILON * fabs (value);
  }
  hl_arena_clear (&scratch);
  return worst;
}

HlOdeStats hl_integrator_get_stats (const HlIntegrator *self) {
  HlOdeStats stats = self->stats;

  self->stepper->class->add_stats (self->stepper, &stats);
  return stats;
}
