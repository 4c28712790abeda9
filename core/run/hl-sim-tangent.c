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
#include "core/run/hl-tangent-private.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-dynamics-stages.h"
#include "core/system/hl-home.h"
#include "core/system/hl-observable-eval.h"

#define STAGES HL_TANGENT_STAGES
#define MOST_CORNERS 4096
/* Where a piece is looked at between its nodes; what a defect there weighs in its end. */
#define LOOK 0.4
#define LOOK_WEIGHT 0.25
#define TOLERANCE 1.0e-3
#define MOST_HALVINGS 4

typedef HlTangentPiece Piece;

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
  self->node = hl_arena_take (&self->sized, n, sizeof (double));
  self->jump = hl_arena_take (&self->sized, np, column);
  self->scale = hl_arena_take (&self->sized, n, sizeof (double));
  self->turned = NAN;
  self->pivots = hl_arena_take (&self->sized, STAGES * n, sizeof (int));
  for (int k = 0; k < HL_TANGENT_MOST_PIECES; k++) {
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

/* --- a piece --- */

static Piece *
new_piece (HlSimTangent *self, double from, double to)
{
  Piece *piece =
      &self->pieces[self->n_pieces < HL_TANGENT_MOST_PIECES ? self->n_pieces++
                                                            : HL_TANGENT_MOST_PIECES - 1];

  piece->from = from;
  piece->to = to;
  memcpy (piece->s0, self->s, (size_t)(self->n * self->np) * sizeof (double));
  return piece;
}

/* Weights of the cubic through s0 and S_1, S_2, S_3 at the place x of a piece, 0 ... 1, and of its slope by x. */
static void
weigh_cubic (double x, double weight[STAGES + 1], double slope[STAGES + 1])
{
  const double place[STAGES + 1] = {0.0, nodes[0], nodes[1], nodes[2]};

  for (int j = 0; j <= STAGES; j++) {
    weight[j] = 1.0;
    slope[j] = 0.0;
    for (int m = 0; m <= STAGES; m++) {
      if (m == j)
        continue;
      slope[j] = (slope[j] * (x - place[m]) + weight[j]) / (place[j] - place[m]);
      weight[j] *= (x - place[m]) / (place[j] - place[m]);
    }
  }
}

/* out[n] := the cubic of number k with these weights. */
static void
sum_cubic (const HlSimTangent *self, const Piece *piece, int k, const double weight[], double out[])
{
  int n = self->n, rows = STAGES * n;

  for (int i = 0; i < n; i++) {
    out[i] = weight[0] * piece->s0[k * n + i];
    for (int j = 0; j < STAGES; j++)
      out[i] += weight[j + 1] * piece->S[k * rows + j * n + i];
  }
}

/* s at t inside of the last step, into s_at. */
static void
interpolate (HlSimTangent *self, double t)
{
  double weight[STAGES + 1], slope[STAGES + 1];
  int p = 0;

  if (self->n_pieces == 0 || t >= self->pieces[self->n_pieces - 1].to) {
    memcpy (self->s_at, self->s, (size_t)(self->n * self->np) * sizeof (double));
    return;
  }
  while (p < self->n_pieces - 1 && t > self->pieces[p].to)
    p++;
  const Piece *piece = &self->pieces[p];
  weigh_cubic ((t - piece->from) / (piece->to - piece->from), weight, slope);
  for (int k = 0; k < self->np; k++)
    sum_cubic (self, piece, k, weight, self->s_at + k * self->n);
}

/* f_p of number k at t and y, into out[n]. */
static HlStatus
eval_slope (HlSimTangent *self, HlSimRun *run, double t, const double y[], int k, double out[])
{
  const HlTangentNumber *number = &self->tangent->numbers[k];
  HlStatus status = HL_OK;

  memset (out, 0, (size_t)self->n * sizeof (double));
  for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
    status = hl_tangent_eval (self, run, number->systems[j], t, y, self->y_dot);
    for (int i = 0; i < self->n; i++)
      out[i] += number->weights[j] * self->y_dot[i];
  }
  return status;
}

/* f_p at the stages, column by column, into the right-hand sides B[3 n x np]. */
static HlStatus
eval_slopes (HlSimTangent *self, HlSimRun *run, const Piece *piece, double B[])
{
  int n = self->n, rows = STAGES * n;
  double h = piece->to - piece->from;
  HlStatus status = HL_OK;

  for (int k = 0; k < self->np; k++) {
    double *b = B + (size_t)k * (size_t)rows;
    for (int i = 0; i < rows; i++)
      b[i] = piece->s0[k * n + i % n];
    for (int stage = 0; stage < STAGES && status == HL_OK; stage++) {
      status = eval_slope (self, run, piece->from + nodes[stage] * h, self->Y + stage * n, k,
                           self->after);
      for (int to = 0; to < STAGES; to++)
        for (int i = 0; i < n; i++)
          b[to * n + i] += h * radau[to + STAGES * stage] * self->after[i];
    }
  }
  return status;
}

static HlStatus
eval_jacobian (HlSimTangent *self, HlSimRun *run, double t, double y[], double J[])
{
  hl_integrator_interpolate (run->integrator, t, y);
  return hl_jacobian_eval (self->sys, t, y, J, self->work, &run->fault);
}

static HlStatus
solve_piece (HlSimTangent *self, HlSimRun *run, Piece *piece)
{
  int n = self->n, rows = STAGES * n;
  double h = piece->to - piece->from;
  HlStatus status = HL_OK;

  for (int stage = 0; stage < STAGES && status == HL_OK; stage++)
    status = eval_jacobian (self, run, piece->from + nodes[stage] * h, self->Y + stage * n,
                            self->J + stage * n * n);
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

/* How far the cubic is from the equations between two of its nodes, in parts of what s has been so far:
 *
 *   (I - h g J)^-1 h g (S' - J S - f_p)
 */
static HlStatus
find_error (HlSimTangent *self, HlSimRun *run, const Piece *piece, double *error)
{
  int n = self->n;
  double h = piece->to - piece->from, g = LOOK_WEIGHT, t = piece->from + LOOK * h, *J = self->J,
         *d = self->after, *S = self->before, weight[STAGES + 1], slope[STAGES + 1];
  HlStatus status = eval_jacobian (self, run, t, self->y, J);

  *error = 0.0;
  weigh_cubic (LOOK, weight, slope);
  for (int i = 0; i < n * n && status == HL_OK; i++)
    self->M[i] = (i % (n + 1) == 0 ? 1.0 : 0.0) - h * g * J[i];
  if (status == HL_OK)
    status = hl_lu_factor (n, self->M, self->pivots);
  for (int k = 0; k < self->np && status == HL_OK; k++) {
    double largest = 0.0;
    status = eval_slope (self, run, t, self->y, k, d);
    sum_cubic (self, piece, k, weight, S);
    for (int column = 0; column < n; column++)
      for (int i = 0; i < n; i++)
        d[i] += J[column * n + i] * S[column];
    sum_cubic (self, piece, k, slope, S);
    for (int i = 0; i < n; i++)
      d[i] = g * (S[i] - h * d[i]);
    hl_lu_solve (n, self->M, self->pivots, 1, d);
    for (int i = 0; i < n; i++) {
      largest = fmax (largest, fabs (d[i]) / self->scale[i]);
      self->size[k] = fmax (self->size[k], fabs (self->s[k * n + i]) / self->scale[i]);
    }
    if (self->size[k] > 0.0)
      *error = fmax (*error, largest / self->size[k]);
  }
  return status;
}

/* s from `from` to `to`, in halves where the step of the run is too long for it. */
static HlStatus
step_piece (HlSimTangent *self, HlSimRun *run, double from, double to, int depth)
{
  size_t size = (size_t)(self->n * self->np) * sizeof (double);
  int index = self->n_pieces;
  Piece *piece = new_piece (self, from, to);
  double error = 0.0;
  HlStatus status = solve_piece (self, run, piece);

  if (status == HL_OK && depth < MOST_HALVINGS && index < HL_TANGENT_MOST_PIECES / 2)
    status = find_error (self, run, piece, &error);
  if (status != HL_OK || !(error > TOLERANCE))
    return status;
  double middle = 0.5 * (from + to);
  memcpy (self->s, piece->s0, size);
  self->n_pieces = index;
  status = step_piece (self, run, from, middle, depth + 1);
  return status == HL_OK ? step_piece (self, run, middle, to, depth + 1) : status;
}

/* One step, divided where the run passes an edge. */
HlStatus
hl_sim_tangent_step (HlSimTangent *self, HlSimRun *run, double begin, double t)
{
  HlStatus status = HL_OK;
  double from = begin;

  if (self == NULL || !(t > begin))
    return HL_OK;
  self->n_pieces = 0;
  self->turned = NAN;
  self->begin = begin;
  self->end = t;
  for (int piece = 0;
       self->n_edges > 0 && piece < HL_TANGENT_MOST_PIECES - 1 && from < t && status == HL_OK;
       piece++) {
    double low, high;
    int edge;
    status = hl_tangent_find_edge (self, run, from, t, &low, &high, &edge);
    if (status != HL_OK || edge < 0)
      break;
    if (low > from)
      status = step_piece (self, run, from, low, 0);
    if (status == HL_OK)
      status = hl_tangent_pass_edge (self, run, edge, low, high);
    from = high;
  }
  if (status == HL_OK && t > from)
    status = step_piece (self, run, from, t, 0);
  return status;
}

/* T depends on p: at the corner of a signal by its times, at the edge of a store by the state. */
HlStatus
hl_sim_tangent_corner (HlSimTangent *self, HlSimRun *run, double t)
{
  bool moves = false;
  HlStatus status = HL_OK;

  if (self == NULL)
    return HL_OK;
  int n_passed = hl_tangent_find_ended (self, run, t);
  for (int k = 0; k < self->np; k++) {
    self->shift[k] = shift_at (self, k, t);
    moves = moves || self->shift[k] != 0.0;
  }
  moves = t > 0.0 && (moves || n_passed > 0);
  if (moves)
    status = hl_tangent_eval (self, run, self->sys, t, run->y, self->before);
  if (status == HL_OK && moves && n_passed > 0)
    status = hl_tangent_leave_pieces (self, run, t, n_passed);
  hl_work_enter_segment (self->sys, self->work, t);
  hl_tangent_take_pieces (self, run);
  if (status == HL_OK && moves)
    status = hl_tangent_eval (self, run, self->sys, t, run->y, self->after);
  if (status == HL_OK && moves)
    hl_tangent_jump (self);
  self->turned = moves ? t : NAN;
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
      hl_tangent_displace (self, run->y, self->s + k * self->n, number->steps[j], self->Y);
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
    run->form->scales (run, self->scale);
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
  if (t == self->turned) /* neighbors turn before this row or behind it: the mean of both slopes */
    for (int i = 0; i < self->n * self->np; i++)
      self->s_at[i] -= 0.5 * self->jump[i];
  memset (self->slopes, 0, (size_t)(self->n_outputs * self->np) * sizeof (double));
  for (int k = 0; k < self->np; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
      hl_tangent_displace (self, y, self->s_at + k * self->n, number->steps[j], self->y);
      status = hl_tangent_eval (self, run, number->systems[j], t, self->y, self->y_dot);
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
  self->n_edges = hl_edges_count (run->sys);
  self->edges = hl_arena_take (&self->arena, 4 * self->n_edges, sizeof (double));
  self->at_start = hl_arena_take (&self->arena, self->n_edges, sizeof (double));
  self->passed = hl_arena_take (&self->arena, self->n_edges, sizeof (int));
  self->nears = hl_arena_take (&self->arena, self->n_edges, sizeof (bool));
  self->shift = hl_arena_take (&self->arena, 2 * self->np, sizeof (double));
  self->size = hl_arena_take (&self->arena, self->np, sizeof (double));
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
    status = hl_tangent_begin_events (self, run);
  }
  if (status == HL_OK)
    return self;
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
