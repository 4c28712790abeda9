/* SPDX-License-Identifier: MIT */
#include "core/system/hl-lumped-event-functions.h"

#include "core/math/hl-minmax.h"
#include "core/system/hl-state-rank-scale.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of the laws of stores. */

/* Slack behind an edge, as part of the tolerance of a pressure, and of the volume of a piston accumulator times
 * rtol; not below some roundings of the edge. */
#define SLACK 0.1
#define SLACK_OF_VOLUME 1.0e-3
#define LEAST_SLACK 1.0e-14
/* A pressure moves by this part of the edge at most where a piece follows. */
#define FARTHEST_MOVE 1.0e-2

/* Returns the component of a store, or NULL if its pressure is given: it then stays where it is. */
static const HlComponent *get_store (const HlSystem *sys, int store) {
  const HlComponent *c = &sys->components[sys->topology->stores[store]];

  return c->node[0] >= 0 && sys->nodes[c->node[0]].state >= 0 ? c : NULL;
}

static double edge_value (const HlSystem *sys, const HlComponent *c, const double p[], const double u[],
                          int edge) {
  HlLaw law = {.p = &p[sys->nodes[c->node[0]].state], .state = u + c->first_state};

  return c->klass->store_edge (c, &law, edge);
}

/* Returns the tolerance at an edge. Pressures are relative to those of the edge, and states relative to the
 * volume of the store. */
static double slack_of (const HlSystem *sys, const HlComponent *c, const double p[], double value,
                        double rtol) {
  double slack = SLACK_OF_VOLUME * rtol;

  if (c->n_states == 0)
    slack = SLACK * rtol * HL_SCALE_PRESSURE * (1.0 + value) / p[sys->nodes[c->node[0]].state];
  return hl_max (slack, LEAST_SLACK);
}

static bool is_behind (const HlWork *work, int store, int edge) {
  return work->pieces[store] > edge + 1;
}

int hl_store_edges_count (const HlSystem *sys) {
  int n = 0;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    n += c != NULL ? c->klass->n_store_edges : 0;
  }
  return n;
}

void hl_store_edges_eval (const HlSystem *sys, const HlWork *work, const double p[], const double u[],
                          double rtol, double out[]) {
  int n = 0;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    for (int edge = 0; c != NULL && edge < c->klass->n_store_edges; edge++) {
      double value = edge_value (sys, c, p, u, edge);
      double slack = slack_of (sys, c, p, value, rtol);
      out[n++] = isnan (value) ? 1.0 : value + (is_behind (work, k, edge) ? slack : -slack);
    }
  }
}

void hl_store_pieces_choose (const HlSystem *sys, HlWork *work, const double p[], const double u[]) {
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    work->pieces[k] = HL_PIECE_BY_STATE + (c != NULL ? 1 : 0);
    for (int edge = 0; c != NULL && edge < c->klass->n_store_edges; edge++)
      work->pieces[k] += edge_value (sys, c, p, u, edge) > 0.0 ? 1 : 0;
  }
}

/* Returns the piece that follows the present one of store k. */
static int find_piece (const HlSystem *sys, const HlWork *work, int k, const HlComponent *c, const double p[],
                       const double u[], double rtol) {
  int piece = 1;

  for (int edge = 0; edge < c->klass->n_store_edges; edge++) {
    double value = edge_value (sys, c, p, u, edge), slack = slack_of (sys, c, p, value, rtol);
    bool is_above = is_behind (work, k, edge) ? value + slack > 0.0 : value - slack >= 0.0;
    piece += is_above ? 1 : 0;
  }
  return piece;
}

/* Returns the pressure that the oil in the line of the store has by the law of the next piece, where it
 * has p by that of the present one:
 *
 *   p_edge + (p - p_edge) C/C_next */
static double find_pressure (const HlComponent *c, int present, int next, double p, double *compliance) {
  int edge = (present < next ? present : next) - 1;
  HlStored before, after;

  c->klass->store (c, p, present, &before);
  c->klass->store (c, p, next, &after);
  HlLaw law = {.p = &p};
  double p_edge = p / (1.0 + c->klass->store_edge (c, &law, edge));
  double compliance_next = *compliance - before.compliance + after.compliance;
  double most = FARTHEST_MOVE * p_edge, move = (p - p_edge) * (*compliance / compliance_next);
  *compliance = compliance_next;
  return compliance_next > 0.0 && isfinite (move) ? p_edge + hl_max (hl_min (move, most), -most) : p;
}

bool hl_store_pieces_pass (const HlSystem *sys, HlWork *work, double p[], const double u[], double rtol,
                           double compliance[]) {
  bool any = false;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    int piece = c != NULL ? find_piece (sys, work, k, c, p, u, rtol) : work->pieces[k];
    if (piece == work->pieces[k])
      continue;
    if (c->n_states == 0 && abs (piece - work->pieces[k]) == 1) {
      double *at = &p[sys->nodes[c->node[0]].state];
      *at = find_pressure (c, work->pieces[k], piece, *at, &compliance[c->node[0]]);
    }
    work->pieces[k] = piece;
    any = true;
  }
  return any;
}

/* When a signal over time passes a level (theory/integration.md (16), (17)). The search never steps across a
 * crossing: with g the distance to the level, g' its rate and M a bound of |g''| in the present segments of
 * the tables, g cannot reach zero before
 *
 *   tau = 2 |g|/(r + sqrt (r^2 + 2 M |g|)),     r = -sign (g) g'
 *
 * A step of tau is exact where the signal is a straight line, and close to Newton's near a crossing. */

/* A distance below this part of the signal's range is none: a level that the signal only touches is not passed. */
#define TOUCH 1.0e-12

/* Evaluations of one search. A signal that swings more often between its crossings gets a stop on the way. */
#define MOST_LOOKS 20000

#define MOST_HALVINGS 200

/* A signal in an interval of time: bounds of its value and of its second derivative. */
typedef struct {
  double low, high, bend;
} Reach;

/* The same at an instant. Where a block is at its corner the rate is uncertain by `doubt`. */
typedef struct {
  double value, rate, doubt;
} Instant;

static Reach reach_of_table (const HlSignal *table, int segment, double from, double to) {
  double ends[2], rates[2];
  Reach reach = {.bend = 0.0};

  for (int k = 0; k < 2; k++) {
    hl_signal_eval (table, 1, &segment, k == 0 ? from : to, &ends[k]);
    hl_signal_rate (table, 1, &segment, k == 0 ? from : to, &rates[k]);
  }
  if (table->way != NULL) { /* monotone between its points, its second derivative a straight line */
    for (int k = 0; k < 2; k++) {
      double jet[3];
      hl_signal_jet (table, &segment, 0, k == 0 ? from : to, jet);
      reach.bend = fmax (reach.bend, fabs (jet[2]));
    }
    if (table->is_cycloid && segment >= 0 && segment + 1 < table->n) { /* |y''| <= 2 pi |change|/h^2 */
      double h = table->t[segment + 1] - table->t[segment];
      reach.bend = 2.0 * M_PI * fabs (table->y[segment + 1] - table->y[segment]) / (h * h);
    }
  }
  reach.low = fmin (ends[0], ends[1]);
  reach.high = fmax (ends[0], ends[1]);
  return reach;
}

static double bend_of_block (const HlSignal *signal, double raw, HlSide side, double *slope) {
  *slope = 1.0;
  return signal->klass->bend != NULL ? signal->klass->bend (&signal->block, raw, side, slope) : raw;
}

static Reach reach_of (const HlSignal signals[], const int segments[], int signal, double from, double to) {
  const HlSignal *of = &signals[signal];
  Reach reach = {0};

  switch (of->kind) {
  case HL_SIGNAL_SINE: {
    double omega = 2.0 * M_PI * of->frequency_hz, size = fabs (of->amplitude);
    return (Reach){of->offset - size, of->offset + size, size * omega * omega};
  }
  case HL_SIGNAL_SUM:
    for (int term = 0; term < of->n_of; term++) {
      double weight = hl_signal_weight (of, term);
      Reach one = reach_of (signals, segments, of->of[term], from, to);
      reach.low += weight * (weight > 0.0 ? one.low : one.high);
      reach.high += weight * (weight > 0.0 ? one.high : one.low);
      reach.bend += fabs (weight) * one.bend;
    }
    return reach;
  case HL_SIGNAL_BLOCK: {
    Reach inner = reach_of (signals, segments, of->of[0], from, to);
    double gain = of->klass->is_linear ? of->block.gain : 1.0, slope;
    double offset = of->klass->is_linear ? of->block.offset : 0.0;
    double low = gain * (gain > 0.0 ? inner.low : inner.high) + offset;
    double high = gain * (gain > 0.0 ? inner.high : inner.low) + offset;
    return (Reach){bend_of_block (of, low, HL_SIDE_MEAN, &slope),
                   bend_of_block (of, high, HL_SIDE_MEAN, &slope), fabs (gain) * inner.bend};
  }
  default:
    return reach_of_table (of, segments[signal], from, to);
  }
}

static Instant instant_of (const HlSignal signals[], const int segments[], int signal, double t) {
  const HlSignal *of = &signals[signal];
  Instant at = {0};

  if (of->kind == HL_SIGNAL_SUM) {
    for (int term = 0; term < of->n_of; term++) {
      double weight = hl_signal_weight (of, term);
      Instant one = instant_of (signals, segments, of->of[term], t);
      at.value += weight * one.value;
      at.rate += weight * one.rate;
      at.doubt += fabs (weight) * one.doubt;
    }
    return at;
  }
  if (of->kind == HL_SIGNAL_BLOCK) {
    double up, down, gain = of->klass->is_linear ? of->block.gain : 1.0;
    double offset = of->klass->is_linear ? of->block.offset : 0.0;
    at = instant_of (signals, segments, of->of[0], t);
    double raw = gain * at.value + offset, near = 64.0 * DBL_EPSILON * (1.0 + fabs (raw));
    bend_of_block (of, raw - near, HL_SIDE_MEAN, &down);
    bend_of_block (of, raw + near, HL_SIDE_MEAN, &up);
    at.value = bend_of_block (of, raw, HL_SIDE_MEAN, &(double){0.0});
    at.doubt = fabs (gain) * (up != down ? fabs (at.rate) + at.doubt : up * at.doubt);
    at.rate *= gain * 0.5 * (up + down);
    return at;
  }
  hl_signal_eval (of, 1, &segments[signal], t, &at.value);
  hl_signal_rate (of, 1, &segments[signal], t, &at.rate);
  return at;
}

/* Returns the first time in (low, high] at which the signal is no longer on the side of the level that it
 * has at low. */
static double halve (const HlSignal signals[], const int segments[], int signal, double level, double side,
                     double low, double high) {
  for (int k = 0; k < MOST_HALVINGS; k++) {
    double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high)
      break;
    if (side * (instant_of (signals, segments, signal, middle).value - level) > 0.0)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Returns the earliest time at which a signal at a distance g from a level can reach it. */
static double time_to_meet (const Instant *at, double g, double bend) {
  double toward = at->doubt - copysign (at->rate, at->rate * g);

  return 2.0 * fabs (g) / (toward + sqrt (toward * toward + 2.0 * bend * fabs (g)));
}

/* Returns how long a signal that stands on the level takes to be `distance` away from it, if it leaves. */
static double time_to_leave (const Instant *at, double bend, double distance) {
  double rate = fabs (at->rate) + at->doubt;

  if (rate * rate > 4.0 * bend * distance)
    return 2.0 * distance / rate;
  return bend > 0.0 ? sqrt (4.0 * distance / bend) : INFINITY;
}

/* Returns how long a block stands still, at least: until what it takes could come to the next corner of a flat piece of its law, or
 * moves itself. 0: it moves. */
static double time_at_rest (const HlSignal signals[], const int segments[], int signal, double t, double to) {
  const HlSignal *of = &signals[signal];
  double levels[HL_MOST_LEVELS], up, down, least = INFINITY;

  if (of->kind != HL_SIGNAL_BLOCK)
    return 0.0;
  double inner = time_at_rest (signals, segments, of->of[0], t, to);
  if (of->klass->is_linear || of->klass->bend == NULL || of->klass->corners == NULL)
    return inner;
  Instant at = instant_of (signals, segments, of->of[0], t);
  double near = 64.0 * DBL_EPSILON * (1.0 + fabs (at.value));
  bend_of_block (of, at.value - near, HL_SIDE_MEAN, &down);
  bend_of_block (of, at.value + near, HL_SIDE_MEAN, &up);
  if (up != 0.0 || down != 0.0)
    return inner;
  double bend = reach_of (signals, segments, of->of[0], t, to).bend;
  int n = of->klass->corners (&of->block, levels);
  for (int k = 0; k < n; k++)
    if (isfinite (levels[k]))
      least = fmin (least, time_to_meet (&at, at.value - levels[k], bend));
  return fmax (least, inner);
}

double hl_signal_find_crossing (const HlSignal signals[], const int segments[], int signal, double level,
                                double from, double to) {
  if (!(to > from))
    return INFINITY;
  Reach reach = reach_of (signals, segments, signal, from, to);
  if (!(level > reach.low && level < reach.high))
    return INFINITY;
  double size = fmax (fmax (fabs (reach.low), fabs (reach.high)), fabs (level));
  double tiny = TOUCH * (reach.high - reach.low) + 4.0 * DBL_EPSILON * size;
  double t = from, last = from, side = 0.0;
  for (int look = 0; look < MOST_LOOKS; look++) {
    Instant at = instant_of (signals, segments, signal, t);
    double g = at.value - level, step;
    if (side * g <= 0.0 && side != 0.0)
      return halve (signals, segments, signal, level, side, last, t);
    if (fabs (g) <= tiny)
      step =
          fmax (time_to_leave (&at, reach.bend, 4.0 * tiny), time_at_rest (signals, segments, signal, t, to));
    else {
      side = copysign (1.0, g);
      step = time_to_meet (&at, g, reach.bend);
    }
    last = t;
    t += fmax (step, 4.0 * DBL_EPSILON * (fabs (t) + fabs (to - from)));
    if (!(t < to))
      return INFINITY;
  }
  return t;
}

/* ---- gates ---- */

/* Levels of one signal, the first crossing of any of them before `to`. */
static double first_of (const HlSystem *sys, const int segments[], int signal, const double levels[], int n,
                        double from, double to) {
  for (int k = 0; k < n; k++)
    if (isfinite (levels[k]))
      to = fmin (to, hl_signal_find_crossing (sys->signals, segments, signal, levels[k], from, to));
  return to;
}

/* Crossings later than this are looked for when the time has come: straight lines have no end there [s]. */
#define HORIZON 1.0e6

double hl_signal_next_gate (const HlSystem *sys, const int segments[], double from, double until) {
  double levels[HL_MOST_LEVELS], horizon = from + HORIZON, to = fmin (until, horizon);

  /* inner blocks come before outer ones: no search goes over the corner of one inside */
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    if (signal->kind == HL_SIGNAL_BLOCK && !signal->listens && signal->klass->corners != NULL)
      to = first_of (sys, segments, signal->of[0], levels, signal->klass->corners (&signal->block, levels),
                     from, to);
  }
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    for (int command = 0; command < c->klass->n_signals && c->klass->levels != NULL; command++)
      if (c->signal[command] >= 0 && !sys->signals[c->signal[command]].listens)
        to = first_of (sys, segments, c->signal[command], levels, c->klass->levels (c, command, levels), from,
                       to);
  }
  return to < horizon ? to : until;
}

/* A lift that ends at 1, like a spool's, must not come near. */
#define FULL (1.0 + 4.0 * HL_LEAST_OPENING)

/* Factor by which the value of a store's edge is scaled, so that the edge is located that much more closely than the
 * edges of other laws: oil that flows in before the edge is found is lost. */
#define STORE_SHARPNESS 1.0e3

/* Goes through all edges in their order. */
typedef struct {
  const HlWork *work; /* NULL: only counted */
  double *out;        /* hl_edges_count (), or NULL: not requested */
  int n;              /* so far */
  int wanted;         /* the one that is to be found, -1 = none */
  HlBend found;
} Visit;

static void visit_bend (Visit *visit, HlBendKind kind, int component, int number, double value) {
  if (visit->out != NULL)
    visit->out[visit->n] = isfinite (value) ? value : 1.0;
  if (visit->n == visit->wanted)
    visit->found = (HlBend){kind, component, number};
  visit->n++;
}

static void visit_cylinder (const HlSystem *sys, int component, Visit *visit) {
  int k = sys->components[component].cylinder;
  const HlCylinder *cyl = &sys->cylinders[k];
  double a = NAN, b = NAN, rate = NAN;

  if (visit->work != NULL) {
    double s = visit->work->cylinders[k].length.s;
    a = hl_cylinder_length_a (cyl, s) / cyl->stroke;
    b = hl_cylinder_length_b (cyl, s) / cyl->stroke;
    rate = visit->work->cylinders[k].length.rate / cyl->friction.vs;
  }
  if (!cyl->no_chambers) { /* a motor turns without end */
    visit_bend (visit, HL_EDGE_LOWER_STOP, component, 0, a);
    visit_bend (visit, HL_EDGE_UPPER_STOP, component, 0, b);
  }
  if (cyl->bristle >= 0)
    visit_bend (visit, HL_EDGE_TURNS, component, 0, rate);
}

static void visit_law (const HlSystem *sys, int component, Visit *visit) {
  const HlComponent *c = &sys->components[component];
  const HlComponentClass *klass = c->klass;
  HlLawInputs in;
  HlLaw law = {0};

  if (visit->work != NULL && (klass->lift != NULL || klass->store_edge != NULL))
    law = hl_work_law (visit->work, c, &in);
  for (int branch = 0; branch < c->n_branches && klass->lift != NULL; branch++) {
    double lift = visit->work != NULL ? klass->lift (c, &law, branch) : NAN;
    visit_bend (visit, HL_EDGE_SHUTS, component, branch, lift);
    visit_bend (visit, HL_EDGE_OPENS_FULL, component, branch, lift - FULL);
  }
  for (int edge = 0; edge < klass->n_store_edges; edge++)
    visit_bend (visit, HL_EDGE_STORE, component, edge,
                visit->work != NULL ? STORE_SHARPNESS * klass->store_edge (c, &law, edge) : NAN);
}

/* Computes the distances from both stops over the range between them, or over 1 rad or 1 m where there is one stop only. */
static void find_joint_gaps (const HlWork *work, const HlLoad *load, double gaps[2], double rates[2]) {
  double range = load->high - load->low;

  range = range > 0.0 ? range : 1.0;
  hl_joint_stop_gaps (load, hl_work_frame (work, load->body_i), hl_work_frame (work, load->body_j), gaps,
                      rates);
  for (int side = 0; side < 2; side++) {
    gaps[side] /= range;
    rates[side] /= range;
  }
}

static void visit_joint (const HlSystem *sys, int joint, Visit *visit) {
  int stop = sys->topology->joints[joint].stop;
  double gaps[2] = {NAN, NAN}, rates[2];

  if (stop < 0)
    return;
  if (visit->work != NULL)
    find_joint_gaps (visit->work, &sys->mech.loads[stop], gaps, rates);
  visit_bend (visit, HL_EDGE_JOINT_LOWER, joint, 0, gaps[0]);
  visit_bend (visit, HL_EDGE_JOINT_UPPER, joint, 0, gaps[1]);
}

static void visit_all (const HlSystem *sys, Visit *visit) {
  for (int k = 0; k < sys->n_components; k++) {
    if (sys->components[k].cylinder >= 0)
      visit_cylinder (sys, k, visit);
    visit_law (sys, k, visit);
  }
  for (int k = 0; k < sys->topology->n_joints; k++)
    visit_joint (sys, k, visit);
}

int hl_edges_count (const HlSystem *sys) {
  Visit visit = {.wanted = -1};

  visit_all (sys, &visit);
  return visit.n;
}

HlBend hl_edges_get (const HlSystem *sys, int edge) {
  Visit visit = {.wanted = edge};

  visit_all (sys, &visit);
  return visit.found;
}

void hl_edges_eval (const HlSystem *sys, const HlWork *work, double out[]) {
  Visit visit = {.work = work, .out = out, .wanted = -1};

  visit_all (sys, &visit);
}

/* Thresholds behind zero at which a guard counts as passed: for a stop and a cushion, whose forces begin with
 * slope 0, this part of the stroke times the square root of the tolerance; for other guards this number of
 * tolerances, which is the accuracy of the pressures. */
#define LEAST_DEPTH 1.0e-3
#define LEAST_TOLERANCES 30.0

/* Rates of laws are differences over this part of the step: most of what they read goes by straight lines. */
#define RATE_STEP 1.0e-3

/* A law whose branches stay further from their kinks than so many times the way since the last look is far from them, and
 * is left out at the ends of some steps. */
#define FAR 4.0
#define LONGEST_WAIT 8

#define TURN 0.5 /* of a linkage within a piece [rad] */

static int n_of_cylinder (const HlCylinder *cyl) {
  if (cyl->no_chambers) /* a motor turns without end */
    return 0;
  return 2 + (cyl->cushion_state[0] >= 0) + (cyl->cushion_state[1] >= 0);
}

static int n_of_law (const HlComponent *c) {
  return c->klass->lift != NULL ? c->n_branches : 0;
}

/* Corners of a block that depends on the state. */
static int corners_of (const HlSignal *signal, double levels[HL_MOST_LEVELS]) {
  if (signal->kind != HL_SIGNAL_BLOCK || !signal->listens || signal->klass->corners == NULL)
    return 0;
  return signal->klass->corners (&signal->block, levels);
}

static int n_of_blocks (const HlSystem *sys) {
  double levels[HL_MOST_LEVELS];
  int n = 0;

  for (int k = 0; k < sys->n_signals; k++)
    n += corners_of (&sys->signals[k], levels);
  return n;
}

int hl_guards_count (const HlSystem *sys) {
  int n = n_of_blocks (sys);

  for (int k = 0; k < sys->n_cylinders; k++)
    n += n_of_cylinder (&sys->cylinders[k]);
  for (int k = 0; k < sys->mech.n_loads; k++)
    n += hl_load_is_stop (&sys->mech.loads[k]) ? 2 : 0;
  for (int k = 0; k < sys->n_components; k++)
    n += n_of_law (&sys->components[k]);
  return n;
}

static HlGuard guard_of (double value, double rate, double least) {
  return isfinite (value) && isfinite (rate) ? (HlGuard){value, rate, least} : (HlGuard){1.0, 0.0, least};
}

static int eval_cylinder (const HlCylinder *cyl, const HlCylinderState *state, double rtol, HlGuard out[]) {
  double least = LEAST_DEPTH * sqrt (rtol), s = state->length.s, rate = state->length.rate;
  double lengths[2] = {hl_cylinder_length_a (cyl, s), hl_cylinder_length_b (cyl, s)};
  int n = 0;

  if (cyl->no_chambers)
    return 0;
  for (int side = 0; side < 2; side++) {
    double by_time = side == 0 ? rate : -rate;
    out[n++] = guard_of (lengths[side] / cyl->stroke, by_time / cyl->stroke, least);
    if (cyl->cushion_state[side] < 0)
      continue;
    double reach = cyl->cushion[side].length;
    out[n++] = guard_of (lengths[side] / reach - 1.0, by_time / reach, least);
  }
  return n;
}

static int eval_joint_stops (const HlWork *work, const HlLoad *load, double rtol, HlGuard out[]) {
  double gaps[2], rates[2];

  if (!hl_load_is_stop (load))
    return 0;
  find_joint_gaps (work, load, gaps, rates);
  for (int side = 0; side < 2; side++)
    out[side] = guard_of (gaps[side], rates[side], LEAST_DEPTH * sqrt (rtol));
  return 2;
}

/* Lifts of the branches of a law. */
static int values_of_law (const HlComponent *c, const HlLaw *law, double values[]) {
  for (int branch = 0; branch < c->n_branches; branch++)
    values[branch] = c->klass->lift (c, law, branch);
  return c->n_branches;
}

/* Returns how many steps from now on a law may be left out, by its values now and when it was examined
 * last. */
static int wait_of (int n, const double values[], const double last[]) {
  int wait = LONGEST_WAIT;

  for (int k = 0; k < n; k++) {
    double way = FAR * fabs (values[k] - last[k]);
    if (!isfinite (values[k]) && values[k] == last[k])
      continue;
    if (!(fabs (values[k]) > way))
      return 0;
    if (way * wait > fabs (values[k]))
      wait = (int)(fabs (values[k]) / way);
  }
  return wait;
}

static void eval_law (const HlSystem *sys, const HlWork *work, const HlComponent *c,
                      const HlGuardRates *rates, double last[], int *wait, HlGuard out[]) {
  double least = LEAST_TOLERANCES * rates->rtol, values[HL_MOST_BRANCHES], later[HL_MOST_BRANCHES];
  HlLawInputs in, ahead;
  HlLaw law = hl_work_law (work, c, &in);
  int n = values_of_law (c, &law, values);

  if (wait != NULL) {
    *wait = wait_of (n, values, last);
    memcpy (last, values, sizeof *last * (size_t)n);
    if (*wait > 0) {
      for (int k = 0; k < n; k++)
        out[k] = (HlGuard){isfinite (values[k]) ? values[k] : 1.0, NAN, least};
      return;
    }
  }
  double dt = RATE_STEP * rates->h, states[HL_MOST_STATES];
  const double *p_dot = rates->find (rates->data), *u_dot = p_dot + work->r;
  for (int port = 0; port < c->klass->kind.n_ports; port++) {
    int node = c->node[port], state = node >= 0 ? sys->nodes[node].state : -1;
    ahead.p[port] = node >= 0 ? work->node_p[node] : 0.0;
    if (state >= 0)
      ahead.p[port] += dt * p_dot[state];
  }
  HlLaw then = hl_work_law_at (work, c, &ahead);
  if (c->n_states > 0) {
    for (int k = 0; k < c->n_states; k++)
      states[k] = law.state[k] + dt * u_dot[c->first_state + k];
    then.state = states;
  }
  values_of_law (c, &then, later);
  for (int k = 0; k < n; k++)
    out[k] = guard_of (values[k], (later[k] - values[k]) / dt, least);
}

HlGuardMemory hl_guards_remember (const HlSystem *sys, HlArena *arena) {
  int n = hl_guards_count (sys);
  HlGuardMemory memory = {.n_guards = hl_arena_take (arena, sys->n_components, sizeof (int)),
                          .component = hl_arena_take (arena, sys->n_components, sizeof (int)),
                          .wait = hl_arena_take (arena, sys->n_components, sizeof (int)),
                          .last = hl_arena_take (arena, n, sizeof (double))};

  for (int k = 0; k < sys->n_components; k++)
    if (n_of_law (&sys->components[k]) > 0) {
      memory.n_guards[memory.n] = n_of_law (&sys->components[k]);
      memory.component[memory.n++] = k;
    }
  for (int k = 0; k < n; k++)
    memory.last[k] = NAN;
  return memory;
}

/* Evaluates the guards of laws at the end of a step, except of waiting laws. Returns the number of their
 * guards. */
static int eval_laws_of_memory (const HlSystem *sys, const HlWork *work, const HlGuardRates *rates,
                                const HlGuardMemory *memory, HlGuard out[]) {
  int n = 0;

  for (int k = 0; k < memory->n; k++) {
    int n_here = memory->n_guards[k];
    if (memory->wait[k] > 0) {
      memory->wait[k]--;
      for (int kink = 0; kink < n_here; kink++)
        out[n + kink].rate = NAN;
    } else
      eval_law (sys, work, &sys->components[memory->component[k]], rates, memory->last + n, &memory->wait[k],
                out + n);
    n += n_here;
  }
  return n;
}

static int eval_all_laws (const HlSystem *sys, const HlWork *work, const HlGuardRates *rates, HlGuard out[]) {
  int n = 0;

  for (int k = 0; k < sys->n_components; k++) {
    int n_here = n_of_law (&sys->components[k]);
    if (n_here > 0)
      eval_law (sys, work, &sys->components[k], rates, NULL, NULL, out + n);
    n += n_here;
  }
  return n;
}

void hl_guards_eval (const HlSystem *sys, const HlWork *work, const HlGuardRates *rates,
                     const HlGuardMemory *memory, HlGuard out[]) {
  for (int k = 0; k < sys->n_cylinders; k++)
    out += eval_cylinder (&sys->cylinders[k], &work->cylinders[k], rates->rtol, out);
  for (int k = 0; k < sys->mech.n_loads; k++)
    out += eval_joint_stops (work, &sys->mech.loads[k], rates->rtol, out);
  if (memory != NULL)
    eval_laws_of_memory (sys, work, rates, memory, out);
  else
    eval_all_laws (sys, work, rates, out);
}

int hl_guards_blocks (const HlSystem *sys, const HlWork *work, double rtol, double raw[], HlGuard out[]) {
  double levels[HL_MOST_LEVELS];
  int n = 0;

  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    int n_corners = corners_of (signal, levels);
    if (n_corners == 0 || work == NULL) {
      n += n_corners;
      continue;
    }
    HlBlockPoint at = {.u = signal->n_of > 0 ? work->signal_values[signal->of[0]] : 0.0,
                       .m = signal->measure >= 0 ? work->measured[signal->measure] : 0.0,
                       .x = work->component_u + signal->first_state};
    signal->klass->eval (&signal->block, &at);
    double size = 0.0;
    for (int corner = 0; corner < n_corners; corner++)
      size = hl_max (size, isfinite (levels[corner]) ? fabs (levels[corner]) : 0.0);
    for (int corner = 0; corner < n_corners; corner++) {
      double value = isfinite (levels[corner]) ? at.raw - levels[corner] : 1.0;
      if (out != NULL)
        out[n] = (HlGuard){value, value - raw[n], LEAST_TOLERANCES * rtol * (size > 0.0 ? size : 1.0)};
      raw[n++] = value;
    }
  }
  return n;
}

int hl_guards_pieces (const HlSystem *sys, const HlWork *work, double h) {
  double fastest = 0.0;
  bool any = false;

  for (int k = 0; k < sys->n_cylinders && !any; k++)
    any = !sys->cylinders[k].no_chambers;
  for (int k = 0; k < sys->mech.n_loads && !any; k++)
    any = hl_load_is_stop (&sys->mech.loads[k]);
  for (int body = 0; any && body < sys->mech.n_bodies; body++)
    fastest = hl_max (fastest, fabs (work->v[3 * body + 2]));
  double pieces = ceil (fmin (h * fastest / TURN, 1.0e6));
  return pieces > 1.0 ? (int)pieces : 1;
}
