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
 * with the steps e_j and weights w_j of the number.
 *
 * Sensitivities where the run passes an edge g (t, y, p) = 0 of the equations (hl-lumped-event-functions.h), at the time T:
 *
 *   dT/dp   = -(g_y s_before + g_p)/(g_t + g_y f_before)
 *   s_after = s_before + (f_before - f_after) dT/dp
 *
 * g_y s + g_p is the slope of g along (s, 1), from the neighboring machines; the denominator is the slope
 * of g along (1, f_before). Where a store begins or ceases to take in oil the run ends its stretch, and the law
 * of its piece continues smoothly behind the edge, for neighbors as well (hl-lumped-event-functions.h). Other edges are
 * located on the dense output. */
#include "core/run/hl-sim-run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/hl-linalg.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-run-frame.h"
#include "core/system/hl-observable-values.h"

#define STAGES 3
#define MOST_PIECES 64
#define MOST_CORNERS 4096
/* Place at which a piece is examined between its nodes; the weight of a defect there at its end. */
#define LOOK 0.4
#define LOOK_WEIGHT 0.25
#define TOLERANCE 1.0e-3
#define MOST_HALVINGS 4

#define LOOKS 4
#define BISECTIONS 60
#define ASIDE 1.0e-9 /* part of the step on both sides of an edge that is left out */
#define ROUNDING 8.0 /* the same in roundings of the time */
/* A smaller change of f than this part of itself is none. */
#define CONTINUOUS 1.0e-6
/* The slope of g in time: over the shortest of these parts of the step that moves g enough. */
#define SHORTEST 1.0e-7
#define LONGEST 1.0e-3
#define MOVES 1.0e-7
#define PITCH 1.0e-2 /* part of a step, for the slope of its dense output */
/* Over the shift that a neighbor's event has, g parts from its tangent by this part of it: too flat. */
#define FLAT 0.5
#define TIE 1.0e-6     /* of two shifts of one time */
#define ON_EDGE 1.0e-9 /* a start no further from an edge is on it */

/* A piece of the last step: s as a cubic. */
typedef struct {
  double from, to;
  double *s0, *S; /* n x np; 3 stages of it, one behind the other */
} Piece;

struct HlSimTangent {
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
  double *node;                       /* n: a state of a neighbor */
  double *scale;                      /* n: of deviations of the states */
  double *size;                       /* [np]: the largest s so far, in these scales */
  double *s_at;                       /* n x np: inside of the last step */
  int *pivots;                        /* STAGES n */
  Piece pieces[MOST_PIECES];
  int n_pieces;
  double begin, end; /* of the last step [s] */
  double *slopes;    /* n_outputs x np */
  HlPoint **points;  /* np x nodes: between leave and arrange */
  int n_edges;
  double *edges;    /* 4 x n_edges: where a search begins, two looks of it, and of neighbors */
  double *at_start; /* n_edges */
  bool *nears;      /* n_edges: the run came nearer to it, between the last two looks */
  int *passed;      /* n_edges: edges that are passed at one time */
  double *shift;    /* 2 x np: dT/dp of an event, and of one that is tied to it */
  double *corners;  /* n_corners, rising */
  double *shifts;   /* n_corners x np: dT/dp; NAN: the corner is not there on one side */
  int n_corners;
  double turned; /* time of the last event if s jumped there, NAN: it did not */
  double *jump;  /* n x np: s behind it less s before it */
};

static const double nodes[STAGES] = {0.15505102572168219, 0.64494897427831781, 1.0};
/* a_ij at [i + 3 j] */
static const double radau[9] = {0.19681547722366044,  0.39442431473908727,  0.37640306270046727,
                                -0.06553542585019839, 0.29207341166522844,  0.51248582618842161,
                                0.02377097434822015,  -0.04154875212599793, 0.11111111111111111};

/* Evaluates a machine at y[n] in the work of the sensitivities: rates into out[n]. */
static inline HlStatus eval_machine (HlSimTangent *self, HlSimRun *run, const HlSystem *sys, double t,
                                     const double y[], double out[]) {
  return hl_dynamics_eval (sys, t, y, out, self->work, &run->fault);
}

/* Computes out[n] := y[n] + e s[n]. */
static inline void displace (const HlSimTangent *self, const double y[], const double s[], double e,
                             double out[]) {
  for (int i = 0; i < self->n; i++)
    out[i] = y[i] + e * s[i];
}

/* --- where an edge is passed --- */

/* Edges at t of the run's dense output. */
static HlStatus edges_at (HlSimTangent *self, HlSimRun *run, double t, double out[]) {
  hl_integrator_interpolate (run->integrator, t, self->y);
  HlStatus status = eval_machine (self, run, self->sys, t, self->y, self->y_dot);

  if (status == HL_OK)
    hl_edges_eval (self->sys, self->work, out);
  return status;
}

static bool is_store (const HlSimTangent *self, int edge) {
  return hl_edges_get (self->sys, edge).kind == HL_EDGE_STORE;
}

/* Returns whether f jumps at the edge: the compliance of a store does; the oil behind a piston only meets
 * another spring. */
static bool is_jump (const HlSimTangent *self, int edge) {
  return is_store (self, edge) &&
         self->sys->components[hl_edges_get (self->sys, edge).component].n_states == 0;
}

/* Returns an edge that is passed between two looks, -1 = none. The run ends its stretch by itself where a
 * store passes one. */
static int passed_between (const HlSimTangent *self, const double before[], const double after[]) {
  for (int k = 0; k < self->n_edges; k++)
    if ((before[k] > 0.0) != (after[k] > 0.0) && !is_store (self, k))
      return k;
  return -1;
}

static void report_passage (const HlSimTangent *self, double t, int edge, bool rises,
                            HlTangentPassage passage, int number) {
  HlTangentEvent event = {t, edge, rises, passage, number};

  if (self->tangent->event != NULL)
    self->tangent->event (&event, self->tangent->data);
}

/* Computes the slope of an edge along (s_k, 1) at t, in the state self->y. */
static HlStatus slope_by_number (HlSimTangent *self, HlSimRun *run, double t, int edge, const double s[],
                                 int k, double *slope) {
  const HlTangentNumber *number = &self->tangent->numbers[k];
  double *at = self->edges + 3 * self->n_edges;
  HlStatus status = HL_OK;

  *slope = 0.0;
  for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
    displace (self, self->y, s, number->steps[j], self->node);
    status = eval_machine (self, run, number->systems[j], t, self->node, self->y_dot);
    if (status != HL_OK)
      break;
    hl_edges_eval (number->systems[j], self->work, at);
    *slope += number->weights[j] * at[edge];
  }
  return status;
}

static double largest_step (const HlTangentNumber *number) {
  double largest = 0.0;

  for (int j = 0; j < HL_TANGENT_NODES; j++)
    largest = fmax (largest, fabs (number->steps[j]));
  return largest;
}

/* Checks a touch: the run came nearest to an edge at t without passing it, but neighbouring runs may pass. */
static HlStatus check_touch (HlSimTangent *self, HlSimRun *run, double t, int edge, double value) {
  HlStatus status = HL_OK;

  hl_integrator_interpolate (run->integrator, t, self->y);
  for (int k = 0; k < self->np && status == HL_OK; k++) {
    double slope;
    status = slope_by_number (self, run, t, edge, self->s + k * self->n, k, &slope);
    if (status == HL_OK && fabs (value) < fabs (slope) * largest_step (&self->tangent->numbers[k]))
      report_passage (self, t, edge, value < 0.0, HL_TANGENT_TOUCHES, k);
  }
  return status;
}

/* Narrows the instant at which the first edge is passed, in sight of the edges at *low; at: n_edges, of *high. */
static HlStatus narrow_bracket (HlSimTangent *self, HlSimRun *run, double least, double *low, double *high,
                                double at[]) {
  const double *before = self->edges;
  HlStatus status = HL_OK;

  for (int i = 0; i<BISECTIONS && * high - *low> least && status == HL_OK; i++) {
    double middle = 0.5 * (*low + *high);
    status = edges_at (self, run, middle, at);
    if (passed_between (self, before, at) >= 0)
      *high = middle;
    else
      *low = middle;
  }
  return status == HL_OK ? edges_at (self, run, *high, at) : status;
}

/* Finds the first edge that the run passes between `from` and `to` of its last step, *edge, -1 = none. It is
 * passed between *low and *high. */
static HlStatus find_edge (HlSimTangent *self, HlSimRun *run, double from, double to, double *low,
                           double *high, int *edge) {
  double *before = self->edges, *at = before + self->n_edges, *last = at + self->n_edges;
  size_t size = (size_t)self->n_edges * sizeof (double);
  double least = fmax (ASIDE * (to - from), ROUNDING * DBL_EPSILON * fabs (to));
  HlStatus status = edges_at (self, run, from, before);

  *edge = -1;
  memcpy (last, before, size);
  for (int look = 1; look <= LOOKS && status == HL_OK; look++) {
    *low = from + (to - from) * (look - 1) / LOOKS;
    *high = look < LOOKS ? from + (to - from) * look / LOOKS : to;
    status = edges_at (self, run, *high, at);
    if (status == HL_OK && passed_between (self, before, at) >= 0) {
      status = narrow_bracket (self, run, least, low, high, at);
      *edge = passed_between (self, before, at);
      return status;
    }
    for (int k = 0; k < self->n_edges && status == HL_OK; k++) {
      bool stays = (at[k] > 0.0) == (last[k] > 0.0), nears = stays && fabs (at[k]) < fabs (last[k]);
      if (stays && !nears && self->nears[k] && is_jump (self, k))
        status = check_touch (self, run, *low, k, last[k]);
      self->nears[k] = nears;
    }
    if (status == HL_OK && look < LOOKS)
      memcpy (last, at, size);
  }
  return status;
}

/* --- the jump --- */

static bool has_jump (const HlSimTangent *self) {
  for (int i = 0; i < self->n; i++)
    if (fabs (self->before[i] - self->after[i]) >
        CONTINUOUS * (fabs (self->before[i]) + fabs (self->after[i])))
      return true;
  return false;
}

/* Computes the slope of an edge along (1, f_before) at t, in the state self->y. */
static HlStatus slope_in_time (HlSimTangent *self, HlSimRun *run, double t, int edge, double *slope) {
  double *at = self->edges + 3 * self->n_edges, part = SHORTEST, ends[2], step = self->end - self->begin;
  HlStatus status = HL_OK;

  do {
    for (int side = 0; side < 2 && status == HL_OK; side++) {
      double by = (side == 0 ? -1.0 : 1.0) * part * step;
      displace (self, self->y, self->before, by, self->node);
      status = eval_machine (self, run, self->sys, t + by, self->node, self->y_dot);
      hl_edges_eval (self->sys, self->work, at);
      ends[side] = at[edge];
    }
    *slope = status == HL_OK ? (ends[1] - ends[0]) / (2.0 * part * step) : NAN;
    part *= 10.0;
  } while (status == HL_OK && fabs (ends[1] - ends[0]) < MOVES && part < LONGEST);
  return status;
}

/* Checks whether the guard passes zero at t with so small a slope that the events of neighbouring runs are
 * not where the slope predicts: evaluates the guard `shift` earlier, within the last step. */
static HlStatus is_flat (HlSimTangent *self, HlSimRun *run, double t, int edge, double slope, double shift,
                         bool *flat) {
  double *at = self->edges + 3 * self->n_edges, back = fmin (shift, t - self->begin);

  *flat = false;
  if (!(fabs (slope) * back > MOVES))
    return HL_OK;
  HlStatus status = edges_at (self, run, t, at);
  double here = at[edge];
  if (status == HL_OK)
    status = edges_at (self, run, t - back, at);
  /* a parabola parts from its tangent by twice as much of it twice as far away */
  double parting = fabs (at[edge] - here + slope * back) / (fabs (slope) * back);
  *flat = status == HL_OK && parting * shift / back > FLAT;
  return status;
}

/* Computes dT/dp of all numbers at an edge that is passed at t in the state self->y, into shift. */
static HlStatus find_shifts (HlSimTangent *self, HlSimRun *run, int edge, double t, double *slope,
                             double shift[]) {
  HlStatus status = slope_in_time (self, run, t, edge, slope);

  for (int k = 0; k < self->np && status == HL_OK; k++) {
    double along;
    status = slope_by_number (self, run, t, edge, self->s + k * self->n, k, &along);
    shift[k] = along == 0.0 ? 0.0 : -along / *slope;
  }
  return status;
}

/* Reports numbers by which the edge that is passed at t, of which `shift` is known, has no derivative. */
static HlStatus check_edge (HlSimTangent *self, HlSimRun *run, int edge, double t, double slope, bool rises) {
  bool starts = self->begin == 0.0 && fabs (self->at_start[edge]) <= ON_EDGE;
  HlStatus status = HL_OK;

  for (int k = 0; k < self->np && status == HL_OK; k++) {
    double most = fabs (self->shift[k]) * largest_step (&self->tangent->numbers[k]);
    bool flat = false;
    if (self->shift[k] == 0.0)
      continue;
    status = is_flat (self, run, t, edge, slope, most, &flat);
    if (starts || flat)
      report_passage (self, t, edge, rises, starts ? HL_TANGENT_STARTS : HL_TANGENT_TOUCHES, k);
  }
  return status;
}

/* Computes jump := (before - after) shift, and adds it to s. */
static void add_jump (HlSimTangent *self) {
  for (int k = 0; k < self->np; k++)
    for (int i = 0; i < self->n; i++) {
      double jump = (self->before[i] - self->after[i]) * self->shift[k];
      self->jump[k * self->n + i] = jump;
      self->s[k * self->n + i] += jump;
    }
}

/* Passes s over the edge that was found last. */
static HlStatus pass_edge (HlSimTangent *self, HlSimRun *run, int edge, double low, double high) {
  bool rises = self->edges[self->n_edges + edge] > 0.0;
  double slope;
  HlStatus status;

  report_passage (self, high, edge, rises, HL_TANGENT_PASSES, -1);
  hl_integrator_interpolate (run->integrator, low, self->y);
  status = eval_machine (self, run, self->sys, low, self->y, self->before);
  hl_integrator_interpolate (run->integrator, high, self->y);
  if (status == HL_OK)
    status = eval_machine (self, run, self->sys, high, self->y, self->after);
  if (status != HL_OK || !has_jump (self))
    return status;
  hl_integrator_interpolate (run->integrator, low, self->y);
  status = find_shifts (self, run, edge, low, &slope, self->shift);
  if (status == HL_OK)
    add_jump (self);
  return status == HL_OK ? check_edge (self, run, edge, low, slope, rises) : status;
}

/* --- stores: the run ends its stretch there --- */

/* Begins the events at the start of the run, after the first arrangement. */
static HlStatus begin_events (HlSimTangent *self, HlSimRun *run) {
  HlStatus status = eval_machine (self, run, self->sys, 0.0, run->y, self->y_dot);

  if (status == HL_OK)
    hl_edges_eval (self->sys, self->work, self->at_start);
  return status;
}

/* Allocates the run's pieces for the sensitivities. */
static void allocate_pieces (HlSimTangent *self, const HlSimRun *run) {
  memcpy (self->work->pieces, run->work->pieces, (size_t)run->work->n_stores * sizeof (int));
}

/* Edges at which the run has just taken another piece of a store's law (hl-lumped-event-functions.h) and f jumps, into
 * `passed`; returns how many. */
static int find_ended (HlSimTangent *self, const HlSimRun *run, double t) {
  int n = 0;

  for (int k = 0; k < self->n_edges; k++) {
    HlBend bend = hl_edges_get (self->sys, k);
    int store = bend.kind == HL_EDGE_STORE ? self->sys->components[bend.component].store : -1;
    if (store < 0 || self->work->pieces[store] == HL_PIECE_BY_STATE)
      continue;
    /* piece n lies beyond n - 1 edges */
    bool before = self->work->pieces[store] > bend.number + 1,
         after = run->work->pieces[store] > bend.number + 1;
    if (before == after)
      continue;
    report_passage (self, t, k, after, HL_TANGENT_PASSES, -1);
    if (is_jump (self, k))
      self->passed[n++] = k;
  }
  return n;
}

/* Computes the slope of the run's dense output at t, into `before`: for a stiff state f (y) has an error of
 * its error times its eigenvalue. */
static void find_slope_of_run (HlSimTangent *self, HlSimRun *run, double t) {
  static const double weights[4] = {11.0 / 6.0, -3.0, 1.5, -1.0 / 3.0};
  double pitch = PITCH * (t - self->begin);

  memset (self->before, 0, (size_t)self->n * sizeof (double));
  for (int k = 0; k < 4; k++) {
    hl_integrator_interpolate (run->integrator, t - k * pitch, self->node);
    for (int i = 0; i < self->n; i++)
      self->before[i] += weights[k] * self->node[i] / pitch;
  }
}

/* Computes dT/dp of the first of n_passed into `shift`, and the slope of the run up to T into `before`; the
 * work is at a time before T. */
static HlStatus leave_pieces (HlSimTangent *self, HlSimRun *run, double t, int n_passed) {
  double *other = self->shift + self->np, slope, slope_of_other;
  HlStatus status = HL_OK;

  memcpy (self->y, run->y, (size_t)self->n * sizeof (double));
  find_slope_of_run (self, run, t);
  status = find_shifts (self, run, self->passed[0], t, &slope, self->shift);
  for (int tied = 1; tied < n_passed && status == HL_OK; tied++) {
    status = find_shifts (self, run, self->passed[tied], t, &slope_of_other, other);
    for (int k = 0; k < self->np && status == HL_OK; k++)
      if (fabs (other[k] - self->shift[k]) > TIE * fmax (fabs (other[k]), fabs (self->shift[k])))
        report_passage (self, t, self->passed[tied], slope_of_other > 0.0, HL_TANGENT_TIES, k);
  }
  return status == HL_OK ? check_edge (self, run, self->passed[0], t, slope, slope > 0.0) : status;
}

/* --- steps --- */

void hl_tangent_weights (const double steps[], double weights[]) {
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

bool hl_tangent_is_known (const HlSystem *sys) {
  return hl_oil_form ((HlModelKind)sys->model, (HlFormulation)sys->formulation)->form == &hl_sim_form_reduced;
}

/* --- sizes --- */

static void resize_arrays (HlSimTangent *self) {
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
  for (int k = 0; k < MOST_PIECES; k++) {
    self->pieces[k].s0 = hl_arena_take (&self->sized, np, column);
    self->pieces[k].S = hl_arena_take (&self->sized, STAGES * np, column);
  }
  self->n_pieces = 0;
}

static HlPoint **point_of (HlSimTangent *self, int k, int j) {
  return &self->points[k * HL_TANGENT_NODES + j];
}

/* --- corners --- */

static int corners_of (const HlSystem *sys, double t_end, double out[]) {
  return hl_signal_corners (sys, t_end, out, MOST_CORNERS);
}

/* Identifies corners by their order; a machine with another number of them has lost or gained one. */
static void find_corners (HlSimTangent *self, double t_end) {
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

/* Returns dT/dp of number k for the corner at t, 0 if there is none. */
static double shift_at (const HlSimTangent *self, int k, double t) {
  for (int c = 0; c < self->n_corners; c++)
    if (fabs (self->corners[c] - t) <= 1e-12 * (1.0 + fabs (t)))
      return self->shifts[k * self->n_corners + c];
  return 0.0;
}

/* --- a piece --- */

static Piece *new_piece (HlSimTangent *self, double from, double to) {
  Piece *piece = &self->pieces[self->n_pieces < MOST_PIECES ? self->n_pieces++ : MOST_PIECES - 1];

  piece->from = from;
  piece->to = to;
  memcpy (piece->s0, self->s, (size_t)(self->n * self->np) * sizeof (double));
  return piece;
}

/* Weights of the cubic through s0 and S_1, S_2, S_3 at the place x of a piece, 0 ... 1, and of its slope by x. */
static void weigh_cubic (double x, double weight[STAGES + 1], double slope[STAGES + 1]) {
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

/* Computes out[n] := the cubic of number k with these weights. */
static void sum_cubic (const HlSimTangent *self, const Piece *piece, int k, const double weight[],
                       double out[]) {
  int n = self->n, rows = STAGES * n;

  for (int i = 0; i < n; i++) {
    out[i] = weight[0] * piece->s0[k * n + i];
    for (int j = 0; j < STAGES; j++)
      out[i] += weight[j + 1] * piece->S[k * rows + j * n + i];
  }
}

/* Interpolates s at t inside of the last step, into s_at. */
static void interpolate (HlSimTangent *self, double t) {
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

/* Computes f_p of number k at t and y, into out[n]. */
static HlStatus eval_slope (HlSimTangent *self, HlSimRun *run, double t, const double y[], int k,
                            double out[]) {
  const HlTangentNumber *number = &self->tangent->numbers[k];
  HlStatus status = HL_OK;

  memset (out, 0, (size_t)self->n * sizeof (double));
  for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
    status = eval_machine (self, run, number->systems[j], t, y, self->y_dot);
    for (int i = 0; i < self->n; i++)
      out[i] += number->weights[j] * self->y_dot[i];
  }
  return status;
}

/* Computes f_p at the stages, column by column, into the right-hand sides B[3 n x np]. */
static HlStatus eval_slopes (HlSimTangent *self, HlSimRun *run, const Piece *piece, double B[]) {
  int n = self->n, rows = STAGES * n;
  double h = piece->to - piece->from;
  HlStatus status = HL_OK;

  for (int k = 0; k < self->np; k++) {
    double *b = B + (size_t)k * (size_t)rows;
    for (int i = 0; i < rows; i++)
      b[i] = piece->s0[k * n + i % n];
    for (int stage = 0; stage < STAGES && status == HL_OK; stage++) {
      status = eval_slope (self, run, piece->from + nodes[stage] * h, self->Y + stage * n, k, self->after);
      for (int to = 0; to < STAGES; to++)
        for (int i = 0; i < n; i++)
          b[to * n + i] += h * radau[to + STAGES * stage] * self->after[i];
    }
  }
  return status;
}

static HlStatus eval_jacobian (HlSimTangent *self, HlSimRun *run, double t, double y[], double J[]) {
  hl_integrator_interpolate (run->integrator, t, y);
  return hl_jacobian_eval (self->sys, t, y, J, self->work, &run->fault);
}

static HlStatus solve_piece (HlSimTangent *self, HlSimRun *run, Piece *piece) {
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

/* Returns how far the cubic is from the equations between two of its nodes, in parts of what s has been so
 * far:
 *
 *   (I - h g J)^-1 h g (S' - J S - f_p)
 * / */
static HlStatus find_error (HlSimTangent *self, HlSimRun *run, const Piece *piece, double *error) {
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

/* Integrates s from `from` to `to`, in halves where the step of the run is too long for it. */
static HlStatus step_piece (HlSimTangent *self, HlSimRun *run, double from, double to, int depth) {
  size_t size = (size_t)(self->n * self->np) * sizeof (double);
  int index = self->n_pieces;
  Piece *piece = new_piece (self, from, to);
  double error = 0.0;
  HlStatus status = solve_piece (self, run, piece);

  if (status == HL_OK && depth < MOST_HALVINGS && index < MOST_PIECES / 2)
    status = find_error (self, run, piece, &error);
  if (status != HL_OK || !(error > TOLERANCE))
    return status;
  double middle = 0.5 * (from + to);
  memcpy (self->s, piece->s0, size);
  self->n_pieces = index;
  status = step_piece (self, run, from, middle, depth + 1);
  return status == HL_OK ? step_piece (self, run, middle, to, depth + 1) : status;
}

/* Integrates over one step, divided where the run passes an edge. */
HlStatus hl_sim_tangent_step (HlSimTangent *self, HlSimRun *run, double begin, double t) {
  HlStatus status = HL_OK;
  double from = begin;

  if (self == NULL || !(t > begin))
    return HL_OK;
  self->n_pieces = 0;
  self->turned = NAN;
  self->begin = begin;
  self->end = t;
  for (int piece = 0; self->n_edges > 0 && piece < MOST_PIECES - 1 && from < t && status == HL_OK; piece++) {
    double low, high;
    int edge;
    status = find_edge (self, run, from, t, &low, &high, &edge);
    if (status != HL_OK || edge < 0)
      break;
    if (low > from)
      status = step_piece (self, run, from, low, 0);
    if (status == HL_OK)
      status = pass_edge (self, run, edge, low, high);
    from = high;
  }
  if (status == HL_OK && t > from)
    status = step_piece (self, run, from, t, 0);
  return status;
}

/* Handles a corner, whose time T depends on p: at the corner of a signal by its times, at the edge of an
 * accumulator by the state. */
HlStatus hl_sim_tangent_corner (HlSimTangent *self, HlSimRun *run, double t) {
  bool moves = false;
  HlStatus status = HL_OK;

  if (self == NULL)
    return HL_OK;
  int n_passed = find_ended (self, run, t);
  for (int k = 0; k < self->np; k++) {
    self->shift[k] = shift_at (self, k, t);
    moves = moves || self->shift[k] != 0.0;
  }
  moves = t > 0.0 && (moves || n_passed > 0);
  if (moves)
    status = eval_machine (self, run, self->sys, t, run->y, self->before);
  if (status == HL_OK && moves && n_passed > 0)
    status = leave_pieces (self, run, t, n_passed);
  hl_work_enter_segment (self->sys, self->work, t);
  allocate_pieces (self, run);
  if (status == HL_OK && moves)
    status = eval_machine (self, run, self->sys, t, run->y, self->after);
  if (status == HL_OK && moves)
    add_jump (self);
  self->turned = moves ? t : NAN;
  self->n_pieces = 0;
  return status;
}

/* --- other coordinates --- */

HlStatus hl_sim_tangent_leave (HlSimTangent *self, HlSimRun *run, double t) {
  HlStatus status = HL_OK;

  for (int k = 0; self != NULL && k < self->np; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
      displace (self, run->y, self->s + k * self->n, number->steps[j], self->Y);
      status =
          hl_state_unpack (number->systems[j], self->work, t, self->Y, *point_of (self, k, j), &run->fault);
    }
  }
  return status;
}

/* Packs s from the points, in the coordinates of the work. */
static void pack_points (HlSimTangent *self) {
  for (int k = 0; k < self->np; k++) {
    const HlTangentNumber *number = &self->tangent->numbers[k];
    for (int j = 0; j < HL_TANGENT_NODES; j++) {
      hl_state_pack (number->systems[j], self->work, *point_of (self, k, j), self->Y);
      for (int i = 0; i < self->n; i++)
        self->s[k * self->n + i] += number->weights[j] * self->Y[i];
    }
  }
}

static HlStatus choose_coordinates (HlSimTangent *self, HlSimRun *run, HlFault *fault) {
  hl_run_frame_settle (self->sys, self->work, run->point->x);
  HlStatus status =
      hl_partition_choose (self->sys, self->work, run->point->x, HL_PARTITION_PIVOT, NULL, 0, fault);

  if (status == HL_OK) {
    resize_arrays (self);
    run->form->scales (run, self->scale);
    pack_points (self);
  }
  return status;
}

HlStatus hl_sim_tangent_arrange (HlSimTangent *self, HlSimRun *run) {
  return self != NULL ? choose_coordinates (self, run, &run->fault) : HL_OK;
}

/* --- rows --- */

HlStatus hl_sim_tangent_row (HlSimTangent *self, HlSimRun *run, double t, const double y[]) {
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
      displace (self, y, self->s_at + k * self->n, number->steps[j], self->y);
      status = eval_machine (self, run, number->systems[j], t, self->y, self->y_dot);
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

HlSimTangent *hl_sim_tangent_new (HlSimRun *run, HlFault *fault) {
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
      status = hl_start_point (sys, work, run->options->start, NULL, *point_of (self, k, j), NULL, fault);
      hl_work_free (work);
    }
  self->work = hl_work_new (run->sys);
  if (status == HL_OK)
    status = choose_coordinates (self, run, fault);
  if (status == HL_OK) {
    hl_work_enter_segment (self->sys, self->work, 0.0);
    status = begin_events (self, run);
  }
  if (status == HL_OK)
    return self;
  hl_sim_tangent_free (self);
  return NULL;
}

void hl_sim_tangent_free (HlSimTangent *self) {
  if (self == NULL)
    return;
  for (int k = 0; k < self->np * HL_TANGENT_NODES; k++)
    hl_point_free (self->points[k]);
  hl_work_free (self->work);
  hl_arena_clear (&self->sized);
  hl_arena_clear (&self->arena);
  free (self);
}
