/* SPDX-License-Identifier: MIT */
/* The limit that incompressible oil is held against: the lumped equations with oil that is damped, stops that keep no
 * energy, and no vapour. In a node with the pressure p the oil has the pressure pc,
 *
 *   pc' = z/C,    p = pc + tau z/C,    z = W^T v + b + phi (p),    tau = zeta/w,    w^2 = (W^T M^-1 W)/C
 *
 * so that an oil column on its mass creeps home. A stop gives K d + D d' >= 0 in the depth d, with D as large that nothing
 * rebounds. With the bulk modulus B, K grows as its square, w and zeta as its root: then tau is the same, the pressure that valves
 * feel settles within m C/(tau A^2), and what it gives a mass on its way, dp C/(tau A), falls as 1/B too; with one zeta it falls as
 * the root of that. Without tau oil overshoots by the same at every B, and one-way valves trap that: there is no limit. */
#include "tests/random/hl-three-model-runs.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"
#include "core/run/hl-simulate.h"
#include "core/solve/hl-integrator.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-state-rank-scale.h"

#define ZETA 3.0
/* Penetration of the stop by a piston at 20 MPa with the file's bulk modulus, and the extension of the stroke
 * in the lumped law, which puts that law's own stops out of reach; in parts of the stroke. */
#define STOP_DEPTH 1e-3
#define STOP_PRESSURE 20e6
#define WIDER 0.05
#define STOP_ZETA 2.0
/* Steps of difference quotients, large beside rounding [Pa], [N or N m], and the time for which what they make goes on [s]. */
#define SMALL_PRESSURE 1e5
#define SMALL_FORCE 1e3
#define SMALL_TIME 1e-3
#define SLOPE_STEP 1e-3    /* [Pa] */
#define NEAR_PRESSURE 1e-3 /* [Pa] */
#define NEAR_STEP 1e-6     /* [Pa] */
#define AT_CORNERS                                                                                           \
  100.0 /* so many times as far is near where laws have corners within a step of their slopes */
#define MOST_ROUNDS 200
#define MOST_FORCED 20
#define MOST_HALVINGS 30
#define LEAST_SHARE 1e-12
#define MOST_GROWTH 100.0
#define LEAST_GROWTH 1.02
#define TOLERANCE 1e-8
#define MOST_STEPS 40000
#define MOST_CORNERS 64
#define MOST_PRESSURES 256

typedef struct {
  double stiffness, damping; /* of the stops, in the length of the cylinder */
  double preload, push;      /* of its spring as the file has it; what the stop gives now */
} Stop;

typedef struct {
  HlSystem *sys; /* own; all pressures of its nodes are given ones */
  HlWork *work;
  int n, *node;                       /* pressure states, and their nodes */
  double *tau, *pc, *residual, *step; /* n: [s], [Pa] */
  double *slopes;                     /* n x n: factors of d residual/dp, */
  int *pivots;                        /* n */
  bool has_slopes;                    /* from a point before */
  double share;                       /* of the times tau: 1, or less on the way there from p = pc */
  double *p, *good;                   /* n: pressures of the nodes, and the latest that were found */
  double *rate, *one, *other;         /* states of the work: scratch */
  Stop *stops;                        /* one a cylinder */
} Damped;

/* ---- the equations ---- */

static double stop_force (const Damped *self, int k) {
  const HlCylinder *cyl = &self->sys->cylinders[k];
  const HlCylinderState *state = &self->work->cylinders[k];
  double margin = WIDER / (1.0 + 2.0 * WIDER) * cyl->stroke;
  double lower = margin - hl_cylinder_length_a (cyl, state->length.s);
  double upper = margin - hl_cylinder_length_b (cyl, state->length.s);
  double side = lower > 0.0 ? 1.0 : -1.0, depth = lower > 0.0 ? lower : upper;

  if (cyl->no_chambers || !(depth > 0.0))
    return 0.0;
  return side *
         fmax (self->stops[k].stiffness * depth - self->stops[k].damping * side * state->length.rate, 0.0);
}

/* Rates of the lumped law at y and the pressures self->p; those of the pressures are z/C of them. */
static HlStatus eval_at (Damped *self, double t, const double y[], double rate[]) {
  HlWork *work = self->work;
  HlStatus status = HL_OK;
  bool pushes = true;

  for (int k = 0; k < self->n; k++)
    self->sys->nodes[self->node[k]].given = self->p[k];
  for (int round = 0; round < 2 && pushes && status == HL_OK; round++) {
    status = hl_dynamics_eval (self->sys, t, y, rate, work, NULL);
    pushes = false;
    for (int k = 0; k < self->sys->n_cylinders && status == HL_OK; k++) {
      double push = stop_force (self, k);
      pushes = pushes || push != self->stops[k].push;
      self->stops[k].push = push;
      self->sys->cylinders[k].spring_preload = self->stops[k].preload - push;
    }
  }
  for (int k = 0; k < self->n && status == HL_OK; k++) {
    rate[hl_off_p (work) + k] = work->net[self->node[k]] / work->compliance[self->node[k]];
    if (!isfinite (rate[hl_off_p (work) + k]))
      return HL_NOT_FINITE;
  }
  return status;
}

/* p - pc - tau z/C; returns the largest, INFINITY where it is undetermined. */
static double find_residual (Damped *self, double t, const double y[], double residual[]) {
  double most = 0.0;

  if (eval_at (self, t, y, self->rate) != HL_OK)
    return INFINITY;
  for (int k = 0; k < self->n; k++) {
    residual[k] =
        self->p[k] - self->pc[k] - self->share * self->tau[k] * self->rate[hl_off_p (self->work) + k];
    most = fmax (most, fabs (residual[k]) / (NEAR_PRESSURE + 1e-12 * fabs (self->p[k])));
  }
  return most;
}

/* To one side: laws have corners. */
static bool find_slopes (Damped *self, double t, const double y[], double side) {
  int n = self->n;

  for (int k = 0; k < n; k++) {
    double before = self->p[k], *column = self->slopes + n * k;
    self->p[k] += side * (SLOPE_STEP + 1e-11 * fabs (before));
    double change = self->p[k] - before;
    bool is_known = isfinite (find_residual (self, t, y, column));
    self->p[k] = before;
    if (!is_known)
      return false;
    for (int row = 0; row < n; row++)
      column[row] = (column[row] - self->residual[row]) / change;
  }
  self->has_slopes = hl_lu_factor (n, self->slopes, self->pivots) == HL_OK;
  return self->has_slopes;
}

/* A step that leaves less than before; false: none does. */
static bool step_pressures (Damped *self, double t, const double y[], double *most) {
  double part = 1.0, before[MOST_PRESSURES];
  int n = self->n;

  memcpy (before, self->p, (size_t)n * sizeof (double));
  memcpy (self->step, self->residual, (size_t)n * sizeof (double));
  hl_lu_solve (n, self->slopes, self->pivots, 1, self->step);
  double length = 0.0;
  for (int k = 0; k < n; k++)
    length = fmax (length, fabs (self->step[k]) / (NEAR_STEP + 1e-13 * fabs (self->p[k])));
  for (int halving = 0; halving < MOST_HALVINGS; halving++, part *= 0.5) {
    for (int k = 0; k < n; k++)
      self->p[k] = before[k] - part * self->step[k];
    double left = find_residual (self, t, y, self->residual);
    if (length <= 1.0 && isfinite (left))
      left = 1.0; /* wide open valves make a flow of rounding */
    if (left <= 1.0 || left < (1.0 - 0.3 * part) * *most) {
      self->has_slopes = left < 0.2 * *most;
      *most = left;
      return true;
    }
  }
  memcpy (self->p, before, (size_t)n * sizeof (double));
  return false;
}

/* Newton's method from self->p; what is left. */
static double improve_pressures (Damped *self, double t, const double y[]) {
  double most = find_residual (self, t, y, self->residual), side = 1.0;
  int n_forced = 0;

  for (int round = 0; most > 1.0 && round < MOST_ROUNDS; round++) {
    bool is_old = self->has_slopes;
    if (!is_old && !find_slopes (self, t, y, side))
      return INFINITY;
    if (step_pressures (self, t, y, &most))
      continue;
    self->has_slopes = false;
    side *= is_old ? 1.0 : side > 0.0 ? -1.0 : -0.1;
    if (fabs (side) < 1e-2 && n_forced++ == MOST_FORCED)
      return most;
    if (fabs (side) < 1e-2) { /* a corner between where it stands and where it goes */
      side = 1.0;
      for (int k = 0; k < self->n; k++)
        self->p[k] -= 0.5 * self->step[k];
    }
    most = find_residual (self, t, y, self->residual);
  }
  return most;
}

/* From p = pc, where no time has passed, to the whole of it: where laws are walls Newton's method finds little from afar. */
static bool grow_pressures (Damped *self, double t, const double y[]) {
  size_t size = (size_t)self->n * sizeof (double);
  double last = 0.0, factor = MOST_GROWTH, good[MOST_PRESSURES];

  memcpy (good, self->pc, size);
  while (last < 1.0 && factor > LEAST_GROWTH) {
    self->share = fmin (last > 0.0 ? last * factor : LEAST_SHARE, 1.0);
    self->has_slopes = false;
    memcpy (self->p, good, size);
    if (improve_pressures (self, t, y) <= AT_CORNERS) {
      last = self->share;
      memcpy (good, self->p, size);
      factor = fmin (factor * factor, MOST_GROWTH);
    } else if (last > 0.0)
      factor = sqrt (factor);
    else
      break;
  }
  self->share = 1.0;
  self->has_slopes = false;
  return last >= 1.0;
}

/* The pressures at y, whose own are those of the oil, and all rates in self->rate. */
static HlStatus find_pressures (Damped *self, double t, const double y[]) {
  size_t size = (size_t)self->n * sizeof (double);

  memcpy (self->pc, y + hl_off_p (self->work), size);
  if (!(improve_pressures (self, t, y) <= AT_CORNERS)) {
    memcpy (self->p, self->pc, size);
    self->has_slopes = false;
    if (!(improve_pressures (self, t, y) <= AT_CORNERS) && !grow_pressures (self, t, y)) {
      memcpy (self->p, self->good, size);
      self->has_slopes = false;
      return HL_NO_CONVERGENCE;
    }
  }
  memcpy (self->good, self->p, size);
  return HL_OK;
}

static HlStatus rhs (double t, const double y[], double y_dot[], void *data) {
  Damped *self = data;
  HlStatus status = find_pressures (self, t, y);

  memcpy (y_dot, self->rate, (size_t)self->work->n_states * sizeof (double));
  for (int k = 0; k < self->n; k++)
    if (self->tau[k] > 0.0)
      y_dot[hl_off_p (self->work) + k] = (self->p[k] - self->pc[k]) / self->tau[k];
  return status;
}

/* ---- tau, stops ---- */

static bool has_mass (const Damped *self, int state) {
  int of = state - hl_off_u (self->work);
  const HlTopology *top = self->sys->topology;

  if (of >= 0)
    return top->component_of_state[of] >= 0 &&
           self->sys->components[top->component_of_state[of]].klass->carries;
  return state >= hl_off_v (self->work) && state < hl_off_ad (self->work);
}

/* y and what the difference of two rates makes of its velocities, into self->other. */
static void move_masses (Damped *self, const double y[], const double before[]) {
  for (int k = 0; k < self->work->n_states; k++)
    self->other[k] = y[k] + (has_mass (self, k) ? SMALL_TIME * (self->rate[k] - before[k]) : 0.0);
}

static HlStatus find_times (Damped *self, double t, const double y[], double stiffer) {
  int at = hl_off_p (self->work);
  HlStatus status = eval_at (self, t, y, self->one);

  for (int k = 0; k < self->n && status == HL_OK; k++) {
    self->p[k] += SMALL_PRESSURE;
    status = eval_at (self, t, y, self->rate);
    self->p[k] -= SMALL_PRESSURE;
    move_masses (self, y, self->one);
    if (status == HL_OK)
      status = eval_at (self, t, self->other, self->rate);
    double square = (self->one[at + k] - self->rate[at + k]) / (SMALL_TIME * SMALL_PRESSURE);
    self->tau[k] = square > 0.0 ? ZETA * sqrt (stiffer / square) : 0.0;
  }
  /* gas is as soft in both oils */
  for (int k = 0; k < self->sys->topology->n_stores; k++)
    for (int j = 0; j < self->n; j++)
      if (self->sys->components[self->sys->topology->stores[k]].node[0] == self->node[j])
        self->tau[j] = 0.0;
  for (int k = 0; k < self->sys->n_cylinders && status == HL_OK; k++) {
    HlCylinder *cyl = &self->sys->cylinders[k];
    double length = cyl->stroke / (1.0 + 2.0 * WIDER), before = self->work->cylinders[k].length.rate;
    if (cyl->no_chambers)
      continue;
    status = eval_at (self, t, y, self->one);
    before = self->work->cylinders[k].length.rate;
    cyl->spring_preload -= SMALL_FORCE;
    if (status == HL_OK)
      status = hl_dynamics_eval (self->sys, t, y, self->rate, self->work, NULL);
    cyl->spring_preload += SMALL_FORCE;
    move_masses (self, y, self->one);
    if (status == HL_OK)
      status = eval_at (self, t, self->other, self->rate);
    double mobility = (self->work->cylinders[k].length.rate - before) / (SMALL_TIME * SMALL_FORCE);
    Stop *stop = &self->stops[k];
    stop->stiffness *= STOP_PRESSURE * fmax (cyl->area_a, cyl->area_b) / (STOP_DEPTH * length);
    stop->damping = mobility > 0.0 ? 2.0 * STOP_ZETA * sqrt (stop->stiffness / mobility) : 0.0;
  }
  return status;
}

/* ---- a run ---- */

static void damped_init (Damped *self, const HlSystem *sys, double stiffer) {
  HlParameter bulk;

  g_assert (sys->n_pressures <= MOST_PRESSURES);
  *self = (Damped){.sys = hl_system_copy (sys), .n = sys->n_pressures, .share = 1.0};
  if (!hl_system_find_parameter (self->sys, "fluid.bulk_modulus", &bulk))
    g_error ("the bulk modulus is no parameter");
  hl_system_set_parameter (self->sys, bulk, stiffer * hl_system_get_parameter (sys, bulk));
  self->node = g_new0 (int, self->n + 1);
  self->stops = g_new0 (Stop, sys->n_cylinders + 1);
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].state >= 0) {
      self->node[sys->nodes[node].state] = node;
      self->sys->nodes[node].state = -1; /* no vapour, and pressures below 0 */
    }
  for (int k = 0; k < sys->n_cylinders; k++) {
    HlCylinder *cyl = &self->sys->cylinders[k];
    double margin = WIDER * cyl->stroke;
    if (!cyl->no_chambers) {
      cyl->c1 -= margin;
      cyl->stroke += 2.0 * margin;
      cyl->spring_preload -= cyl->spring_stiffness * margin;
    }
    self->stops[k] = (Stop){.stiffness = stiffer * stiffer, .preload = cyl->spring_preload};
  }
  self->work = hl_work_new (self->sys);
}

static void damped_take_room (Damped *self) {
  size_t n = (size_t)self->n + 1, n_states = (size_t)self->work->n_states + 1;
  double *room = g_new0 (double, 6 * n + n * n + 3 * n_states);

  self->tau = room;
  self->pc = room + n;
  self->residual = room + 2 * n;
  self->step = room + 3 * n;
  self->p = room + 4 * n;
  self->good = room + 5 * n;
  self->slopes = room + 6 * n;
  self->rate = self->slopes + n * n;
  self->one = self->rate + n_states;
  self->other = self->one + n_states;
  self->pivots = g_new0 (int, n);
}

static void damped_clear (Damped *self) {
  g_free (self->tau);
  g_free (self->pivots);
  g_free (self->node);
  g_free (self->stops);
  hl_work_free (self->work);
  hl_system_unref (self->sys);
}

/* Takes the larger of what it is and how far row `row` is from the hybrid one. */
static void compare_row (Damped *self, double t, const double y[], const HlOilsOutputs *out,
                         const HlOilsTable *hybrid, int row, HlOilsLimit *told) {
  if (find_pressures (self, t, y) != HL_OK)
    return;
  for (int k = 0; k < self->sys->n_cylinders; k++) {
    double s = self->work->cylinders[k].length.s, gap = fabs (s - hybrid->value[row][out->length[k]]);
    if (k < HL_OILS_CYLINDERS)
      told->length[row][k] = s;
    told->whole = fmax (told->whole, gap);
    told->way = fmax (told->way, fabs (s - hybrid->value[0][out->length[k]]));
    if (t < hybrid->impact)
      told->before = fmax (told->before, gap);
  }
  for (int k = 0; k < self->n; k++) {
    double p = out->pressure[self->node[k]] >= 0 ? hybrid->value[row][out->pressure[self->node[k]]] : NAN;
    if (t < hybrid->impact && isfinite (p))
      told->pressure = fmax (told->pressure, fabs (self->p[k] - p));
  }
  told->t = t;
}

static HlStatus run_rows (Damped *self, HlIntegrator *integrator, double y[], const HlOilsOutputs *out,
                          const HlOilsTable *hybrid, HlOilsLimit *told) {
  double corners[MOST_CORNERS + 1], t = 0.0, end = hybrid->t[hybrid->n - 1];
  int n_corners = hl_signal_corners (self->sys, end, corners, MOST_CORNERS), corner = 0;
  HlStatus status = hl_integrator_start (integrator, 0.0, y);

  corners[n_corners] = INFINITY;
  hl_integrator_set_stop (integrator, fmin (corners[0], end));
  for (int row = 1; row < hybrid->n && status == HL_OK; row++)
    while (t < hybrid->t[row] && status == HL_OK) {
      HlArrival why;
      status = hl_integrator_advance (integrator, hybrid->t[row], &t, y, &why);
      if (status == HL_OK && why == HL_ARRIVED_AT_STOP && t < end && corner < n_corners) {
        hl_work_enter_segment (self->sys, self->work, t);
        status = hl_integrator_start (integrator, t, y);
        hl_integrator_set_stop (integrator, fmin (corners[++corner], end));
      }
      if (status == HL_OK && t >= hybrid->t[row])
        compare_row (self, t, y, out, hybrid, row, told);
    }
  return status;
}

HlStatus hl_oils_damped (const HlSystem *sys, double stiffer, HlMethod method, const HlOilsOutputs *out,
                         const HlOilsTable *hybrid, const HlPoint *from, HlOilsLimit *told) {
  HlOdeOptions options = hl_ode_options_default ();
  Damped self;

  memset (told, 0, sizeof *told);
  damped_init (&self, sys, stiffer);
  HlStatus status = hl_partition_choose (self.sys, self.work, from->x, HL_PARTITION_PIVOT, NULL, 0, NULL);
  damped_take_room (&self);
  double *y = g_new0 (double, self.work->n_states + 1), *scale = g_new0 (double, self.work->n_states + 1);
  if (status == HL_OK) {
    hl_state_pack (sys, self.work, from, y);
    hl_error_scales (sys, self.work, scale);
    memcpy (self.p, y + hl_off_p (self.work), (size_t)self.n * sizeof (double));
    hl_work_enter_segment (self.sys, self.work, 0.0);
    status = find_times (&self, 0.0, y, stiffer);
  }
  if (status == HL_OK) {
    HlOde ode = {.n = self.work->n_states, .rhs = rhs, .data = &self};
    options.method = method;
    options.rtol = TOLERANCE;
    options.scale = scale;
    options.max_steps = MOST_STEPS;
    HlIntegrator *integrator = hl_integrator_new (&ode, &options);
    status = run_rows (&self, integrator, y, out, hybrid, told);
    hl_integrator_free (integrator);
  }
  g_free (y);
  g_free (scale);
  damped_clear (&self);
  return status;
}
