/* SPDX-License-Identifier: MIT */
/* Sensitivities where the run passes an edge g (t, y, p) = 0 of the equations (hl-edges.h), at the time T:
 *
 *   dT/dp   = -(g_y s_before + g_p)/(g_t + g_y f_before)
 *   s_after = s_before + (f_before - f_after) dT/dp
 *
 * g_y s + g_p is the slope of g along (s, 1), from the neighboring machines; the denominator is the slope
 * of g along (1, f_before). Where a store begins or ceases to take in oil the run ends its stretch, and the law
 * of its piece goes on smoothly behind the edge, for neighbors as well (hl-store-pieces.h). Other edges are
 * located on the dense output. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/run/hl-tangent-private.h"

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

/* --- where an edge is passed --- */

/* Edges at t of the run's dense output. */
static HlStatus
edges_at (HlSimTangent *self, HlSimRun *run, double t, double out[])
{
  hl_integrator_interpolate (run->integrator, t, self->y);
  HlStatus status = hl_tangent_eval (self, run, self->sys, t, self->y, self->y_dot);

  if (status == HL_OK)
    hl_edges_eval (self->sys, self->work, out);
  return status;
}

static bool
is_store (const HlSimTangent *self, int edge)
{
  return hl_edges_get (self->sys, edge).kind == HL_EDGE_STORE;
}

/* Whether f jumps at the edge: the compliance of a store does; the oil behind a piston only meets another spring. */
static bool
is_jump (const HlSimTangent *self, int edge)
{
  return is_store (self, edge) &&
         self->sys->components[hl_edges_get (self->sys, edge).component].n_states == 0;
}

/* An edge that is passed between two looks, -1 = none. The run ends its stretch by itself where a store passes one. */
static int
passed_between (const HlSimTangent *self, const double before[], const double after[])
{
  for (int k = 0; k < self->n_edges; k++)
    if ((before[k] > 0.0) != (after[k] > 0.0) && !is_store (self, k))
      return k;
  return -1;
}

static void
report (
    const HlSimTangent *self, double t, int edge, bool rises, HlTangentPassage passage, int number)
{
  HlTangentEvent event = {t, edge, rises, passage, number};

  if (self->tangent->event != NULL)
    self->tangent->event (&event, self->tangent->data);
}

/* Slope of an edge along (s_k, 1) at t, in the state self->y. */
static HlStatus
slope_by_number (
    HlSimTangent *self, HlSimRun *run, double t, int edge, const double s[], int k, double *slope)
{
  const HlTangentNumber *number = &self->tangent->numbers[k];
  double *at = self->edges + 3 * self->n_edges;
  HlStatus status = HL_OK;

  *slope = 0.0;
  for (int j = 0; j < HL_TANGENT_NODES && status == HL_OK; j++) {
    hl_tangent_displace (self, self->y, s, number->steps[j], self->node);
    status = hl_tangent_eval (self, run, number->systems[j], t, self->node, self->y_dot);
    if (status != HL_OK)
      break;
    hl_edges_eval (number->systems[j], self->work, at);
    *slope += number->weights[j] * at[edge];
  }
  return status;
}

static double
largest_step (const HlTangentNumber *number)
{
  double largest = 0.0;

  for (int j = 0; j < HL_TANGENT_NODES; j++)
    largest = fmax (largest, fabs (number->steps[j]));
  return largest;
}

/* The run came nearest to an edge at a look at t, and did not pass it: neighbors may. */
static HlStatus
check_touch (HlSimTangent *self, HlSimRun *run, double t, int edge, double value)
{
  HlStatus status = HL_OK;

  hl_integrator_interpolate (run->integrator, t, self->y);
  for (int k = 0; k < self->np && status == HL_OK; k++) {
    double slope;
    status = slope_by_number (self, run, t, edge, self->s + k * self->n, k, &slope);
    if (status == HL_OK && fabs (value) < fabs (slope) * largest_step (&self->tangent->numbers[k]))
      report (self, t, edge, value < 0.0, HL_TANGENT_TOUCHES, k);
  }
  return status;
}

/* Narrows the instant at which the first edge is passed, in sight of the edges at *low; at: n_edges, of *high. */
static HlStatus
narrow (HlSimTangent *self, HlSimRun *run, double least, double *low, double *high, double at[])
{
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

HlStatus
hl_tangent_find_edge (
    HlSimTangent *self, HlSimRun *run, double from, double to, double *low, double *high, int *edge)
{
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
      status = narrow (self, run, least, low, high, at);
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

static bool
jumps (const HlSimTangent *self)
{
  for (int i = 0; i < self->n; i++)
    if (fabs (self->before[i] - self->after[i]) >
        CONTINUOUS * (fabs (self->before[i]) + fabs (self->after[i])))
      return true;
  return false;
}

/* Slope of an edge along (1, f_before) at t, in the state self->y. */
static HlStatus
slope_in_time (HlSimTangent *self, HlSimRun *run, double t, int edge, double *slope)
{
  double *at = self->edges + 3 * self->n_edges, part = SHORTEST, ends[2],
         step = self->end - self->begin;
  HlStatus status = HL_OK;

  do {
    for (int side = 0; side < 2 && status == HL_OK; side++) {
      double by = (side == 0 ? -1.0 : 1.0) * part * step;
      hl_tangent_displace (self, self->y, self->before, by, self->node);
      status = hl_tangent_eval (self, run, self->sys, t + by, self->node, self->y_dot);
      hl_edges_eval (self->sys, self->work, at);
      ends[side] = at[edge];
    }
    *slope = status == HL_OK ? (ends[1] - ends[0]) / (2.0 * part * step) : NAN;
    part *= 10.0;
  } while (status == HL_OK && fabs (ends[1] - ends[0]) < MOVES && part < LONGEST);
  return status;
}

/* Whether the edge is passed at t so flat that the events of neighbors are not where the slope says: looks back by
 * `shift`, as far as the last step goes. */
static HlStatus
is_flat (
    HlSimTangent *self, HlSimRun *run, double t, int edge, double slope, double shift, bool *flat)
{
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

/* dT/dp of all numbers at an edge that is passed at t in the state self->y, into shift. */
static HlStatus
find_shifts (HlSimTangent *self, HlSimRun *run, int edge, double t, double *slope, double shift[])
{
  HlStatus status = slope_in_time (self, run, t, edge, slope);

  for (int k = 0; k < self->np && status == HL_OK; k++) {
    double along;
    status = slope_by_number (self, run, t, edge, self->s + k * self->n, k, &along);
    shift[k] = along == 0.0 ? 0.0 : -along / *slope;
  }
  return status;
}

/* Reports numbers by which the edge that is passed at t, of which `shift` is known, has no derivative. */
static HlStatus
check_edge (HlSimTangent *self, HlSimRun *run, int edge, double t, double slope, bool rises)
{
  bool starts = self->begin == 0.0 && fabs (self->at_start[edge]) <= ON_EDGE;
  HlStatus status = HL_OK;

  for (int k = 0; k < self->np && status == HL_OK; k++) {
    double most = fabs (self->shift[k]) * largest_step (&self->tangent->numbers[k]);
    bool flat = false;
    if (self->shift[k] == 0.0)
      continue;
    status = is_flat (self, run, t, edge, slope, most, &flat);
    if (starts || flat)
      report (self, t, edge, rises, starts ? HL_TANGENT_STARTS : HL_TANGENT_TOUCHES, k);
  }
  return status;
}

void
hl_tangent_jump (HlSimTangent *self)
{
  for (int k = 0; k < self->np; k++)
    for (int i = 0; i < self->n; i++) {
      double jump = (self->before[i] - self->after[i]) * self->shift[k];
      self->jump[k * self->n + i] = jump;
      self->s[k * self->n + i] += jump;
    }
}

HlStatus
hl_tangent_pass_edge (HlSimTangent *self, HlSimRun *run, int edge, double low, double high)
{
  bool rises = self->edges[self->n_edges + edge] > 0.0;
  double slope;
  HlStatus status;

  report (self, high, edge, rises, HL_TANGENT_PASSES, -1);
  hl_integrator_interpolate (run->integrator, low, self->y);
  status = hl_tangent_eval (self, run, self->sys, low, self->y, self->before);
  hl_integrator_interpolate (run->integrator, high, self->y);
  if (status == HL_OK)
    status = hl_tangent_eval (self, run, self->sys, high, self->y, self->after);
  if (status != HL_OK || !jumps (self))
    return status;
  hl_integrator_interpolate (run->integrator, low, self->y);
  status = find_shifts (self, run, edge, low, &slope, self->shift);
  if (status == HL_OK)
    hl_tangent_jump (self);
  return status == HL_OK ? check_edge (self, run, edge, low, slope, rises) : status;
}

/* --- stores: the run ends its stretch there --- */

HlStatus
hl_tangent_begin_events (HlSimTangent *self, HlSimRun *run)
{
  HlStatus status = hl_tangent_eval (self, run, self->sys, 0.0, run->y, self->y_dot);

  if (status == HL_OK)
    hl_edges_eval (self->sys, self->work, self->at_start);
  return status;
}

void
hl_tangent_take_pieces (HlSimTangent *self, const HlSimRun *run)
{
  memcpy (self->work->pieces, run->work->pieces, (size_t)run->work->n_stores * sizeof (int));
}

int
hl_tangent_find_ended (HlSimTangent *self, const HlSimRun *run, double t)
{
  int n = 0;

  for (int k = 0; k < self->n_edges; k++) {
    HlBend bend = hl_edges_get (self->sys, k);
    int store = self->sys->components[bend.component].store;
    if (bend.kind != HL_EDGE_STORE || store < 0 || self->work->pieces[store] == HL_PIECE_BY_STATE)
      continue;
    /* a piece lies behind as many edges as its number says, less one */
    bool before = self->work->pieces[store] > bend.number + 1,
         after = run->work->pieces[store] > bend.number + 1;
    if (before == after)
      continue;
    report (self, t, k, after, HL_TANGENT_PASSES, -1);
    if (is_jump (self, k))
      self->passed[n++] = k;
  }
  return n;
}

/* Slope of the run's dense output at t, into `before`: of a stiff state f (y) is off by its error times its eigenvalue. */
static void
find_slope_of_run (HlSimTangent *self, HlSimRun *run, double t)
{
  static const double weights[4] = {11.0 / 6.0, -3.0, 1.5, -1.0 / 3.0};
  double pitch = PITCH * (t - self->begin);

  memset (self->before, 0, (size_t)self->n * sizeof (double));
  for (int k = 0; k < 4; k++) {
    hl_integrator_interpolate (run->integrator, t - k * pitch, self->node);
    for (int i = 0; i < self->n; i++)
      self->before[i] += weights[k] * self->node[i] / pitch;
  }
}

HlStatus
hl_tangent_leave_pieces (HlSimTangent *self, HlSimRun *run, double t, int n_passed)
{
  double *other = self->shift + self->np, slope, slope_of_other;
  HlStatus status = HL_OK;

  memcpy (self->y, run->y, (size_t)self->n * sizeof (double));
  find_slope_of_run (self, run, t);
  status = find_shifts (self, run, self->passed[0], t, &slope, self->shift);
  for (int tied = 1; tied < n_passed && status == HL_OK; tied++) {
    status = find_shifts (self, run, self->passed[tied], t, &slope_of_other, other);
    for (int k = 0; k < self->np && status == HL_OK; k++)
      if (fabs (other[k] - self->shift[k]) > TIE * fmax (fabs (other[k]), fabs (self->shift[k])))
        report (self, t, self->passed[tied], slope_of_other > 0.0, HL_TANGENT_TIES, k);
  }
  return status == HL_OK ? check_edge (self, run, self->passed[0], t, slope, slope > 0.0) : status;
}
