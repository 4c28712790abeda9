/* SPDX-License-Identifier: MIT */
/* Sensitivities along the steps of a run. Of a step, or of a piece of it between two kinks, from t0 over
 * h, with the states Y_i = y (t0 + c_i h) of the run's dense output:
 *
 *   S_i = s0 + h sum_j a_ij (J (Y_j) S_j + f_p (Y_j)),   i = 1, 2, 3;   s1 = S_3
 *
 * one linear system of 3 n equations for all numbers. Between the stages s is the cubic through s0 and
 * S_1, S_2, S_3.
 *
 * What is no part of the state (the start, a new choice of coordinates, the outputs, the instants of
 * kinks) depends on y and p by functions g of both; their slopes along (s_k, 1) are
 *
 *   dg/dp_k = sum_j w_j g (y + e_j s_k; p_k + e_j)
 *
 * with the steps e_j and weights w_j of the number. */
#include "core/run/hl-sim-tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/hl-linalg.h"
#include "core/run/hl-sim-kinks.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-dynamics-stages.h"
#include "core/system/hl-home.h"
#include "core/system/hl-observable-eval.h"

#define STAGES 3
#define MOST_PIECES 16
#define MOST_CORNERS 4096
#define BISECTIONS 60
#define ASIDE 1.0e-9 /* part of the step on both sides of a kink that is left out */

/* A piece of the last step: s as a cubic. */
typedef struct
{
  double from, to;
  double *s0, *S; /* n x np; 3 stages of it, one behind the other */
} Piece;

struct HlSimTangent
{
  const HlTangent *tangent; /* borrowed */
  const HlSystem *sys;      /* " */
  HlWork *work;             /* arranged as the run's */
  int n, np, n_outputs;
  HlArena arena;                      /* for the run */
  HlArena sized;                      /* of n states */
  double *s;                          /* n x np: at the end of the last step */
  double *Y;                          /* n x STAGES: states of a step */
  double *J;                          /* n x n x STAGES */
  double *M;                          /* STAGES n x STAGES n */
  double *y, *y_dot, *before, *after; /* n */
  double *s_at;                       /* n x np: inside of the last step */
  int *pivots;                        /* STAGES n */
  Piece pieces[MOST_PIECES];
  int n_pieces;
  double *slopes, *outputs;  /* n_outputs x np; n_outputs */
  HlPoint **points;          /* np x nodes: between leave and arrange */
  double *kinks, *kinks_end; /* n_kinks: functions whose zeros are kinks */
  int n_kinks;
  double *corners; /* n_corners, rising */
  double *shifts;  /* n_corners x np: dT/dp; NAN: the corner is not there on one side */
  int n_corners;
};

static const double nodes[STAGES] = {0.15505102572168219, 0.64494897427831781, 1.0};
/* a_ij at [i + 3 j] */
static const double radau[9] = {0.19681547722366044,  0.39442431473908727,  0.37640306270046727,
                                -0.06553542585019839, 0.29207341166522844,  0.51248582618842161,
                                0.02377097434822015,  -0.04154875212599793, 0.11111111111111111};

void
hl_tangent_weights (const double steps[], double weights[])
{
  /* w_j = L_j'(0), L_j the polynomial that is 1 at step j and 0 at the others */
  for (int j = 0; j < HL_TANGENT_NODES; j++) {
    double sum = 0.0, below = 1.0;
    for (int k = 0; k < HL_TANGENT_NODES; k++) {
      if (k == j)
        continue;
      double product = 1.0;
      for (int m = 0; m < HL_TANGENT_NODES; m++)
        if (m != j && m != k)
          product *= -steps[m];
      sum += product;
      below *= steps[j] - steps[k];
    }
    weights[j] = sum / below;
  }
}

bool
hl_tangent_is_known (const HlSystem *sys)
{
  return hl_oil_form ((HlModelKind)sys->model, (HlFormulation)sys->formulation)->form ==
         &hl_sim_form_reduced;
}

/* --- sizes --- */

static void
resize (HlSimTangent *self)
{
  int n = self->n = self->work->n_states, np = self->np;
  size_t column = (size_t)n * sizeof (double);

  hl_arena_clear (&self->sized);
  self->s = hl_arena_take (&self->sized, np, column);
  self->s_at = hl_arena_take (&self->sized, np, column);
  self->Y = hl_arena_take (&self->sized, STAGES, column);
  self->J = hl_arena_take (&self->sized, STAGES * n, column);
  self->M = hl_arena_take (&self->sized, STAGES * n, STAGES * column);
  self->y = hl_arena_take (&self->sized, n, sizeof (double));
  self->y_dot = hl_arena_take (&self->sized, n, sizeof (double));
  self->before = hl_arena_take (&self->sized, n, sizeof (double));
  self->after = hl_arena_take (&self->sized, n, sizeof (double));
  self->pivots = hl_arena_take (&self->sized, STAGES * n, sizeof (int));
  for (int k = 0; k < MOST_PIECES; k++) {
    self->pieces[k].s0 = hl_arena_take (&self->sized, np, column);
    self->pieces[k].S = hl_arena_take (&self->sized, STAGES * np, column);
  }
  self->n_pieces = 0;
}

static HlPoint **
point_of (HlSimTangent *self, int k, int j)
{
  return &self->points[k * HL_TANGENT_NODES + j];
}

/* --- corners --- */

static int
corners_of (const HlSystem *sys, double t_end, double out[])
{
  return hl_signal_corners (sys, t_end, out, MOST_CORNERS);
}

/* Which corner is which by its place in the order; a machine that has another number of them has lost
 * or won one. */
static void
find_corners (HlSimTangent *self, double t_end)
{
  double *own = malloc (2 * MOST_CORNERS * sizeof (double)), *moved = own + MOST_CORNERS;
  double beyond = 2.0 * t_end; /* so that one that passes the end is still found */

  self->n_corners = corners_of (self->sys, beyond, own);
  self->corners = hl_arena_copy (&self->arena, own, self->n_corners, sizeof (double));
  self->shifts = hl_arena_take (&self->arena, self->n_corners * self->np, sizeof (double));
  for (int k = 0; k < self->np; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    for (int j = 0; j < HL_TANGENT_NODES; j++) {
      int n = corners_of (number->systems[j], beyond, moved);
      for (int c = 0; c < self->n_corners; c++)
        self->shifts[k * self->n_corners + c] += c < n ? number->weights[j] * moved[c] : NAN;
    }
  }
  free (own);
}

/* dT/dp of number k for the corner at t, 0 where none is. */
static double
shift_at (const HlSimTangent *self, int k, double t)
{
  for (int c = 0; c < self->n_corners; c++)
    if (fabs (self->corners[c] - t) <= 1e-12 * (1.0 + fabs (t)))
      return self->shifts[k * self->n_corners + c];
  return 0.0;
}

/* --- evaluation --- */

static void
tell_kink (const HlSimTangent *self, double t, int kink, bool opens)
{
  int branch, component = hl_sim_kink_find (self->sys, kink, &branch);

  if (self->tangent->kink != NULL)
    self->tangent->kink (t, component, branch, opens, self->tangent->data);
}

static HlStatus
eval (HlSimTangent *self,
      HlSimRun *run,
      const HlSystem *sys,
      double t,
      const double y[],
      double out[])
{
  return hl_dynamics_eval (sys, t, y, out, self->work, &run->fault);
}

/* y + e s_k */
static void
displace (const HlSimTangent *self, const double y[], const double s[], double e, double out[])
{
  for (int i = 0; i < self->n; i++)
    out[i] = y[i] + e * s[i];
}

/* Kinks at t of the run's dense output. */
static HlStatus
kinks_at (HlSimTangent *self, HlSimRun *run, double t, double out[])
{
  hl_integrator_interpolate (run->integrator, t, self->y);
  HlStatus status = eval (self, run, self->sys, t, self->y, self->y_dot);

  if (status == HL_OK)
    hl_sim_kinks_read (self->sys, self->work, out);
  return status;
}

/* --- a piece --- */

static Piece *
new_piece (HlSimTangent *self, double from, double to)
{
  Piece *piece = &self->pieces[self->n_pieces < MOST_PIECES ? self->n_pieces++ : MOST_PIECES - 1];

  piece->from = from;
  piece->to = to;
  memcpy (piece->s0, self->s, (size_t)(self->n * self->np) * sizeof (double));
  return piece;
}

/* f_p at the stages, column by column, into the right-hand sides B[3 n x np]. */
static HlStatus
eval_slopes (HlSimTangent *self, HlSimRun *run, const Piece *piece, double B[])
{
  int n = self->n, rows = STAGES * n;
  double h = piece->to - piece->from;
  HlStatus status = HL_OK;

  for (int k = 0; k < self->np; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    double *b = B + (size_t)k * (size_t)rows;
    for (int i = 0; i < rows; i++)
      b[i] = piece->s0[k * n + i % n];
    for (int stage = 0; stage < STAGES; stage++) {
      double t = piece->from + nodes[stage] * h;
      memset (self->after, 0, (size_t)n * sizeof (double));
      for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
        status = eval (self, run, number->systems[j], t, self->Y + stage * n, self->y_dot);
        for (int i = 0; i < n; i++)
          self->after[i] += number->weights[j] * self->y_dot[i];
      }
      for (int to = 0; to < STAGES; to++)
        for (int i = 0; i < n; i++)
          b[to * n + i] += h * radau[to + STAGES * stage] * self->after[i];
    }
  }
  return status;
}

static HlStatus
step_piece (HlSimTangent *self, HlSimRun *run, double from, double to)
{
  int n = self->n, rows = STAGES * n;
  double h = to - from;
  Piece *piece = new_piece (self, from, to);
  HlStatus status = HL_OK;

  for (int stage = 0; stage < STAGES && status == HL_OK; stage++) {
    double t = from + nodes[stage] * h;
    hl_integrator_interpolate (run->integrator, t, self->Y + stage * n);
    status = hl_jacobian_eval (self->sys, t, self->Y + stage * n, self->J + stage * n * n,
                               self->work, &run->fault);
  }
  if (status == HL_OK)
    status = eval_slopes (self, run, piece, piece->S);
  if (status != HL_OK)
    return status;
  for (int stage = 0; stage < STAGES; stage++)
    for (int column = 0; column < n; column++)
      for (int row = 0; row < rows; row++) {
        double J = self->J[stage * n * n + column * n + row % n];
        double one = row == stage * n + column ? 1.0 : 0.0;
        self->M[(size_t)(stage * n + column) * (size_t)rows + (size_t)row] =
            one - h * radau[row / n + STAGES * stage] * J;
      }
  status = hl_lu_factor (rows, self->M, self->pivots);
  if (status != HL_OK)
    return status;
  hl_lu_solve (rows, self->M, self->pivots, self->np, piece->S);
  for (int k = 0; k < self->np; k++)
    memcpy (self->s + k * n, piece->S + k * rows + 2 * n, (size_t)n * sizeof (double));
  return HL_OK;
}

/* s at t inside of the last step, into s_at. */
static void
interpolate (HlSimTangent *self, double t)
{
  int n = self->n, rows = STAGES * n, p = 0;
  const double place[4] = {0.0, nodes[0], nodes[1], nodes[2]};
  double weight[4];

  if (self->n_pieces == 0 || t >= self->pieces[self->n_pieces - 1].to) {
    memcpy (self->s_at, self->s, (size_t)(n * self->np) * sizeof (double));
    return;
  }
  while (p < self->n_pieces - 1 && t > self->pieces[p].to)
    p++;
  const Piece *piece = &self->pieces[p];
  double x = (t - piece->from) / (piece->to - piece->from);
  for (int j = 0; j < 4; j++) {
    weight[j] = 1.0;
    for (int m = 0; m < 4; m++)
      if (m != j)
        weight[j] *= (x - place[m]) / (place[j] - place[m]);
  }
  for (int k = 0; k < self->np; k++)
    for (int i = 0; i < n; i++) {
      double sum = weight[0] * piece->s0[k * n + i];
      for (int j = 0; j < STAGES; j++)
        sum += weight[j + 1] * piece->S[k * rows + j * n + i];
      self->s_at[k * n + i] = sum;
    }
}

/* --- jumps --- */

/* Where f jumps at a kink, T the instant at which the function g passes zero:
 *
 *   s += (f_before - f_after) dT/dp,   dT/dp = -(dg/dp) / g'
 *
 * self->before and ->after hold f, self->y the state between. */
static HlStatus
jump_at_kink (HlSimTangent *self, HlSimRun *run, double t, int kink)
{
  int n = self->n;
  double largest = 0.0, slope = 0.0, e = 1.0e-6;
  HlStatus status = HL_OK;

  for (int i = 0; i < n; i++)
    largest = fmax (largest, fabs (self->before[i] - self->after[i]) /
                                 (fabs (self->before[i]) + fabs (self->after[i]) + 1e-300));
  if (largest < 1e-6)
    return HL_OK; /* f is continuous here */
  for (int side = -1; side <= 1 && status == HL_OK; side += 2) {
    displace (self, self->y, self->before, side * e, self->Y);
    status = eval (self, run, self->sys, t, self->Y, self->y_dot);
    hl_sim_kinks_read (self->sys, self->work, self->kinks);
    slope += side * self->kinks[kink] / (2.0 * e);
  }
  for (int k = 0; k < self->np && status == HL_OK && slope != 0.0; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    double along = 0.0;
    for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
      displace (self, self->y, self->s + k * n, number->steps[j], self->Y);
      status = eval (self, run, number->systems[j], t, self->Y, self->y_dot);
      hl_sim_kinks_read (number->systems[j], self->work, self->kinks);
      along += number->weights[j] * self->kinks[kink];
    }
    for (int i = 0; i < n; i++)
      self->s[k * n + i] -= (self->before[i] - self->after[i]) * along / slope;
  }
  return status;
}

/* The first zero between `from` and `to` of some kink; kinks_end holds those at `to`. Returns the kink,
 * -1 = none, and its bracket. */
static int
find_first_kink (
    HlSimTangent *self, HlSimRun *run, double from, double to, double *low, double *high)
{
  int first = -1;
  double *at = self->kinks_end + self->n_kinks, h = to - from;

  *low = *high = to;
  for (int k = 0; k < self->n_kinks; k++) {
    double a = from, b = *high, sign = self->kinks[k];
    if (kinks_at (self, run, b, at) != HL_OK || !((sign > 0.0) != (at[k] > 0.0)))
      continue;
    for (int i = 0; i < BISECTIONS && b - a > ASIDE * h; i++) {
      double middle = 0.5 * (a + b);
      if (kinks_at (self, run, middle, at) != HL_OK)
        break;
      if ((at[k] > 0.0) == (sign > 0.0))
        a = middle;
      else
        b = middle;
    }
    first = k;
    *low = a;
    *high = b;
  }
  return first;
}

/* One step, divided where J jumps. */
HlStatus
hl_sim_tangent_step (HlSimTangent *self, HlSimRun *run, double begin, double t)
{
  HlStatus status = HL_OK;
  double from = begin;

  if (self == NULL || !(t > begin))
    return HL_OK;
  self->n_pieces = 0;
  for (int piece = 0; self->n_kinks > 0 && piece < MOST_PIECES - 1 && status == HL_OK; piece++) {
    double low, high;
    status = kinks_at (self, run, from, self->kinks);
    int kink = status == HL_OK ? find_first_kink (self, run, from, t, &low, &high) : -1;
    if (kink < 0)
      break;
    bool opens = !(self->kinks[kink] > 0.0);
    if (low > from)
      status = step_piece (self, run, from, low);
    hl_integrator_interpolate (run->integrator, low, self->y);
    if (status == HL_OK)
      status = eval (self, run, self->sys, low, self->y, self->before);
    hl_integrator_interpolate (run->integrator, high, self->y);
    if (status == HL_OK)
      status = eval (self, run, self->sys, high, self->y, self->after);
    if (status == HL_OK)
      status = jump_at_kink (self, run, high, kink);
    tell_kink (self, high, kink, opens);
    from = high;
  }
  if (status == HL_OK && t > from)
    status = step_piece (self, run, from, t);
  return status;
}

HlStatus
hl_sim_tangent_corner (HlSimTangent *self, HlSimRun *run, double t)
{
  bool moves = false;
  HlStatus status = HL_OK;

  if (self == NULL)
    return HL_OK;
  for (int k = 0; k < self->np; k++)
    moves = moves || shift_at (self, k, t) != 0.0;
  if (moves && t > 0.0) {
    status = eval (self, run, self->sys, t, run->y, self->before);
    hl_work_enter_segment (self->sys, self->work, t);
    if (status == HL_OK)
      status = eval (self, run, self->sys, t, run->y, self->after);
    for (int k = 0; k < self->np; k++)
      for (int i = 0; i < self->n; i++)
        self->s[k * self->n + i] += (self->before[i] - self->after[i]) * shift_at (self, k, t);
  } else
    hl_work_enter_segment (self->sys, self->work, t);
  self->n_pieces = 0;
  return status;
}

/* --- other coordinates --- */

HlStatus
hl_sim_tangent_leave (HlSimTangent *self, HlSimRun *run, double t)
{
  HlStatus status = HL_OK;

  for (int k = 0; self != NULL && k < self->np; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
      displace (self, run->y, self->s + k * self->n, number->steps[j], self->Y);
      status = hl_state_unpack (number->systems[j], self->work, t, self->Y, *point_of (self, k, j),
                                &run->fault);
    }
  }
  return status;
}

/* s from the points, in the coordinates of the work. */
static void
pack_points (HlSimTangent *self)
{
  for (int k = 0; k < self->np; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    for (int j = 0; j < HL_TANGENT_NODES; j++) {
      hl_state_pack (number->systems[j], self->work, *point_of (self, k, j), self->Y);
      for (int i = 0; i < self->n; i++)
        self->s[k * self->n + i] += number->weights[j] * self->Y[i];
    }
  }
}

static HlStatus
arrange (HlSimTangent *self, HlSimRun *run, HlFault *fault)
{
  hl_home_settle (self->sys, self->work, run->point->x);
  HlStatus status = hl_partition_choose (self->sys, self->work, run->point->x, HL_PARTITION_PIVOT,
                                         NULL, 0, fault);

  if (status == HL_OK) {
    resize (self);
    pack_points (self);
  }
  return status;
}

HlStatus
hl_sim_tangent_arrange (HlSimTangent *self, HlSimRun *run)
{
  return self != NULL ? arrange (self, run, &run->fault) : HL_OK;
}

/* --- rows --- */

HlStatus
hl_sim_tangent_row (HlSimTangent *self, HlSimRun *run, double t, const double y[])
{
  const HlSimOptions *options = run->options;
  HlStatus status = HL_OK;

  if (self == NULL)
    return HL_OK;
  interpolate (self, t);
  memset (self->slopes, 0, (size_t)(self->n_outputs * self->np) * sizeof (double));
  for (int k = 0; k < self->np; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
      displace (self, y, self->s_at + k * self->n, number->steps[j], self->y);
      status = eval (self, run, number->systems[j], t, self->y, self->y_dot);
      if (status == HL_OK && run->needs_multipliers)
        status = hl_dynamics_joint_forces (number->systems[j], self->work);
      for (int o = 0; o < self->n_outputs && status == HL_OK; o++)
        self->slopes[k * self->n_outputs + o] +=
            number->weights[j] *
            hl_observable_value (number->systems[j], self->work, options->outputs[o], NULL);
    }
  }
  if (status == HL_OK)
    self->tangent->row (t, self->slopes, self->tangent->data);
  return status;
}

/* --- the start --- */

HlSimTangent *
hl_sim_tangent_new (HlSimRun *run, HlFault *fault)
{
  HlSimTangent *self = calloc (1, sizeof *self);
  const HlTangent *tangent = run->options->tangent;
  HlStatus status = HL_OK;

  self->tangent = tangent;
  self->sys = run->sys;
  self->np = tangent->n;
  self->n_outputs = run->options->n_outputs;
  self->n_kinks = hl_sim_kinks_count (run->sys);
  self->kinks = hl_arena_take (&self->arena, 3 * self->n_kinks, sizeof (double));
  self->kinks_end = self->kinks + self->n_kinks;
  self->slopes = hl_arena_take (&self->arena, self->n_outputs * self->np, sizeof (double));
  self->points = hl_arena_take (&self->arena, self->np * HL_TANGENT_NODES, sizeof (HlPoint *));
  find_corners (self, run->options->t_end);
  for (int k = 0; k < self->np; k++)
    for (int j = 0; j < HL_TANGENT_NODES; j++)
      *point_of (self, k, j) = hl_point_new (run->sys);
  for (int k = 0; k < self->np && status == HL_OK; k++)
    for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
      const HlSystem *sys = tangent->numbers[k].systems[j];
      HlWork *work = hl_work_new (sys);
      status = hl_start_point (sys, work, run->options->start, NULL, *point_of (self, k, j), NULL,
                               fault);
      hl_work_free (work);
    }
  self->work = hl_work_new (run->sys);
  if (status == HL_OK)
    status = arrange (self, run, fault);
  if (status == HL_OK) {
    hl_work_enter_segment (self->sys, self->work, 0.0);
    return self;
  }
  hl_sim_tangent_free (self);
  return NULL;
}

void
hl_sim_tangent_free (HlSimTangent *self)
{
  if (self == NULL)
    return;
  for (int k = 0; k < self->np * HL_TANGENT_NODES; k++)
    hl_point_free (self->points[k]);
  hl_work_free (self->work);
  hl_arena_clear (&self->sized);
  hl_arena_clear (&self->arena);
  free (self);
}
