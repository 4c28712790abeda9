/* SPDX-License-Identifier: MIT */
/* Gamma and the state behind it: forces from the extending case, then pressures, flows and valves
 * from the forces. Flows through a relief or suction valve are computed only where that valve is
 * open; elsewhere they are 0 by definition and not by the difference of two equal numbers. */
#include "core/quasistatic/hl-quasi-force-velocity-map.h"

#include "core/quasistatic/hl-quasi-extending-case.h"
#include "core/quasistatic/hl-quasi-regeneration.h"
#include "core/quasistatic/hl-quasi-scalar-roots.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* Closed form of Lambda (theory/quasistatic.md (13)); the derivative comes from the slope of the
 * map at the point found (theory/quasistatic.md (14)),
 *
 *   d v / d fbar = -1 / (beta - df/dv) */

/* Returns whether the return chamber is at its limit. The roots V0, V1, V2 of theory/quasistatic.md (13) come
 * in pairs: either the return valve passes all oil, F2 = v^2/t^2, or the return chamber is at its limit, F2 =
 * F2M. The larger root is valid; it is the second exactly when the first would need F2 > F2M. */
static bool exceeds_return_limit (const HlQuasiCase *c, double v) {
  /* Negated, so that 0 * INFINITY for a closed valve counts too. */
  return !(v * v * c->inv_t2 < c->F2M);
}

/* Returns the drive force constant: 0 or F1M. */
static double velocity_at_drive_force (const HlQuasiCase *c, double beta, double c0) {
  double v = hl_quasi_phi_a (beta, c0, c->t * c->t);

  return exceeds_return_limit (c, v) ? -(c->F2M + c0) / beta : v;
}

/* Solves for the velocity with the pump relief valve open, or at a node of given pressure: F1 = FP - v^2/p^2. */
static double velocity_at_full_pressure (const HlQuasiCase *c, double beta, double c0) {
  double v = hl_quasi_phi_a (beta, c0, c->psi);

  return exceeds_return_limit (c, v) ? hl_quasi_phi_a (beta, c0 + c->F2M, c->p * c->p) : v;
}

/* Solves for the velocity with the pump relief valve closed: F1 = k S(yQ - v) - v^2/p^2. */
static double velocity_at_bleed (const HlQuasiCase *c, double beta, double fbar) {
  double v = hl_quasi_phi_b (beta, fbar, c->psi, c->inv_k, c->yQ);

  if (exceeds_return_limit (c, v))
    v = hl_quasi_phi_b (beta, fbar + c->F2M, c->p * c->p, c->inv_k, c->yQ);
  return v;
}

/* Returns the velocity when the load is below the interval, without regeneration: theory/quasistatic.md (13),
 * v = max (min (V0, V1, V2), empty). */
static double extending_velocity (const HlQuasiCase *c, double beta, double fbar) {
  double empty = velocity_at_drive_force (c, beta, fbar);

  if (c->F0 == 0.0)
    return empty;

  double v = velocity_at_full_pressure (c, beta, fbar - c->FP);

  if (c->yQ < INFINITY)
    v = fmin (v, velocity_at_bleed (c, beta, fbar));
  /* Below its limit from the start the drive chamber cannot reach it. */
  if (c->F0 >= c->F1M)
    v = fmin (v, velocity_at_drive_force (c, beta, fbar - c->F1M));
  return fmax (v, empty);
}

static double solve_plain (const HlQuasiCase *c, double beta, double fbar) {
  if (fbar > c->F1M)
    return (c->F1M - fbar) / beta;
  if (fbar >= c->F0 - (c->t > 0.0 ? 0.0 : c->F2M))
    return 0.0;
  return extending_velocity (c, beta, fbar);
}

void hl_quasi_lambda_solve (const HlQuasiCase *c, double beta, double fbar, HlQuasiPoint *point,
                            int *n_evaluations) {
  double v = solve_plain (c, beta, fbar);
  bool regenerates = false;

  *n_evaluations = 0;
  if (v > 0.0) {
    hl_quasi_point_at (c, v, 0.0, point);
    if (isinf (point->b))
      point->F1 = beta * v + fbar + point->F2;
    regenerates = c->ua > 0.0 && point->F2 > c->A * point->F1;
  } else {
    *point = (HlQuasiPoint){.v = v, .drive = HL_QUASI_DRIVE_LIMIT};
    /* With a closed return valve regeneration frees the rod earlier. */
    regenerates = c->ua > 0.0 && v == 0.0 && fbar < c->F0 - hl_quasi_case_rest_return (c);
  }
  if (regenerates)
    hl_quasi_regeneration_lambda (c, beta, fbar, point, n_evaluations);
}

double hl_quasi_lambda_dv_dfbar (const HlQuasiCase *c, const HlQuasiPoint *point, double beta) {
  return point->v == 0.0 ? 0.0 : -1.0 / (beta + hl_quasi_point_slope (c, point));
}

HlStatus hl_quasi_lambda_eval (const HlActuator *actuator, const HlPump *pump, double beta, double fbar,
                               HlQuasiLambda *out, HlQuasiReason *reason) {
  HlQuasiCase c;
  HlQuasiPoint point;
  int n_evaluations;
  HlStatus status = hl_pump_check (pump, reason);

  assert (beta > 0.0);
  if (status == HL_OK)
    status = hl_quasi_case_init (&c, actuator, reason);
  if (status != HL_OK)
    return status;
  if (!isfinite (fbar))
    return HL_NOT_FINITE;
  hl_quasi_case_set_pump (&c, pump);
  hl_quasi_lambda_solve (&c, beta, c.sign * fbar, &point, &n_evaluations);
  *out = (HlQuasiLambda){.v = c.sign * point.v,
                         .f = fbar + beta * (c.sign * point.v),
                         .va = point.va,
                         .dv_dfbar = hl_quasi_lambda_dv_dfbar (&c, &point, beta),
                         .n_evaluations = n_evaluations};
  return HL_OK;
}

double hl_quasi_lambda_dy_dP (const HlQuasiCase *c, const HlQuasiPoint *point, double beta, double *dv_dP) {
  double a = point->a, b = point->b, g = point->g, A = c->A;
  double S = hl_quasi_point_slope (c, point);
  double ua2 = c->ua * c->ua;
  bool given_v = isinf (beta);

  *dv_dP = 0.0;
  if (point->v <= 0.0 || g == 0.0)
    return 0.0;
  if (point->va == 0.0)
    return *dv_dP = given_v ? 0.0 : g / (beta + S);
  if (isinf (a)) {
    /* All the rod oil recirculates: va = v. */
    *dv_dP = given_v ? 0.0 : g * (1.0 - A) / (beta + S);
    return (1.0 - A) * *dv_dP;
  }

  /* theory/quasistatic.md (21), (22), at given fbar:
   *   dva = [ua^2 (a + A b) dv - ua^2 A g dP] / D,   D = 2 va + ua^2 (a + A^2 b)
   *   (beta + a + b) dv - (a + A b) dva = g dP */
  double D = 2.0 * point->va + ua2 * (a + A * A * b);
  double share = (2.0 * point->va + ua2 * a * (1.0 - A)) / D;

  if (!given_v)
    *dv_dP = g * share / (beta + S);
  return share * *dv_dP + ua2 * A * A * g / D;
}

/* Computes the supply flow, which has three branches in P (theory/quasistatic.md (8)):
 *
 *   P < P1 = y^2/(p^2 area)    the drive chamber is empty, the valve takes p sqrt (area P)
 *   between                    all goes into the motion
 *   P > P2 = P1 + F1M/area     the chamber relief valve takes the rest */

double hl_quasi_flow_supply (const HlQuasiCase *c, double P, const HlQuasiPoint *point, double *dq_dP) {
  double y = fmax (0.0, point->v - c->A * point->va);
  double force = c->area * P;
  double slope = 0.0;
  double q = 0.0;

  if (c->p > 0.0) {
    double spilled = force > c->F1M ? c->p * sqrt (force - c->F1M) : 0.0;

    q = c->area * y;
    if (spilled > y) {
      q = c->area * spilled;
      slope = c->area * c->area * c->p * c->p / (2.0 * spilled);
    } else if (y * y * c->inv_p2 > force) {
      double through_empty = c->p * sqrt (force);

      q = c->area * through_empty;
      slope = c->area * c->area * c->p * c->p / (2.0 * through_empty);
    }
  }
  if (dq_dP != NULL)
    *dq_dP = slope;
  return q;
}

/* Returns the root in s = sqrt (P) of Q - Ub s = area p sqrt (area s^2 - F1M), above P2. */
static double spilling_root (const HlQuasiCase *c, const HlPump *pump) {
  double opening = c->area * c->p;
  double A = c->area * opening * opening - pump->Ub * pump->Ub;
  double B = 2.0 * pump->Q * pump->Ub;
  double C = pump->Q * pump->Q + opening * opening * c->F1M;

  return hl_quasi_quadratic (A, B, C);
}

/* Returns the pressure of a pump node that feeds this actuator alone, at a point of its map [Pa]: the root of
 *
 *   Q - Ub sqrt (P) - q (P) = 0
 *
 * at most PM. Where P is not unique (Ub = 0) the largest one, but 0 without pump flow. */
static double flow_node_pressure (const HlQuasiCase *c, const HlPump *pump, const HlQuasiPoint *point) {
  double q;

  if (pump->Q == 0.0)
    return 0.0;
  q = hl_quasi_flow_supply (c, pump->PM, point, NULL);
  if (pump->Q - pump->Ub * sqrt (pump->PM) - q >= 0.0 && !isinf (point->b))
    return pump->PM;

  double y = fmax (0.0, point->v - c->A * point->va);
  double loss = c->p > 0.0 ? y * y * c->inv_p2 : 0.0;
  double s;

  if (point->v > 0.0 && point->drive == HL_QUASI_DRIVE_PUMP)
    return pump->PM;
  if (point->v > 0.0 && point->drive == HL_QUASI_DRIVE_BLEED)
    return fmin (pump->PM, (point->F1 + loss) / c->area);
  if (point->v > 0.0 && point->drive == HL_QUASI_DRIVE_EMPTY)
    s = pump->Q / (pump->Ub + c->area * sqrt (c->area) * c->p);
  else {
    double P2 = loss + c->F1M;
    double s_plain = (pump->Q - c->area * y * (c->p > 0.0 ? 1.0 : 0.0)) / pump->Ub;

    s = c->p > 0.0 && c->area * s_plain * s_plain > P2 ? spilling_root (c, pump) : s_plain;
  }
  return fmin (pump->PM, s * s);
}

/* Sampling Gamma. The velocities are collected and sorted in the output array itself, then the
 * forces are filled in. */

typedef struct {
  const HlActuator *actuator;
  const HlPump *pump;
  HlQuasiMapPoint *out;
  int n, capacity;
} Polyline;

/* Evaluates Gamma at v. The model was checked before the first call. */
static HlQuasiGamma gamma_at (const Polyline *line, double v) {
  HlQuasiGamma gamma;

  hl_quasi_gamma_eval (line->actuator, line->pump, v, &gamma, NULL);
  return gamma;
}

static bool is_same_piece (const HlQuasiGamma *a, const HlQuasiGamma *b) {
  return a->segment == b->segment && (a->va > 0.0) == (b->va > 0.0);
}

/* Inserts a velocity at its place, once, or a second time when `again`. */
static void insert_velocity (Polyline *line, double v, bool again) {
  int at = line->n;

  while (at > 0 && line->out[at - 1].v > v)
    at--;
  if (at > 0 && line->out[at - 1].v == v && !again)
    return;
  assert (line->n < line->capacity);
  for (int i = line->n; i > at; i--)
    line->out[i] = line->out[i - 1];
  line->out[at].v = v;
  line->n++;
}

static void insert_breaks (Polyline *line, const HlQuasiCase *c, HlQuasiMapRange range) {
  HlQuasiPieces pieces;
  double breaks[HL_QUASI_MAX_PIECES + 2];
  int n_breaks = 0;

  hl_quasi_case_find_pieces (c, &pieces);
  breaks[n_breaks++] = 0.0;
  breaks[n_breaks++] = pieces.w1;
  for (int i = 1; i < pieces.n; i++)
    breaks[n_breaks++] = pieces.start[i];
  for (int i = 0; i < n_breaks; i++) {
    double v = c->sign * breaks[i];

    if (v >= range.v_lo && v <= range.v_hi)
      insert_velocity (line, v == 0.0 ? 0.0 : v, false);
  }
}

/* Returns the first velocity in (lo, hi] on another piece than lo. */
static double find_change (const Polyline *line, double lo, double hi, const HlQuasiGamma *piece) {
  for (;;) {
    double middle = lo + 0.5 * (hi - lo);

    if (middle <= lo || middle >= hi)
      return hi;
    HlQuasiGamma gamma = gamma_at (line, middle);

    if (is_same_piece (&gamma, piece))
      lo = middle;
    else
      hi = middle;
  }
}

/* Inserts the break points of regeneration, which have no closed form: searches between samples of different
 * pieces. */
static void insert_regeneration_breaks (Polyline *line) {
  int spare = HL_QUASI_MAP_EXTRA / 2;

  for (int i = 0; i + 1 < line->n && spare > 0; i++) {
    double lo = line->out[i].v;
    double hi = line->out[i + 1].v;

    if (lo <= 0.0)
      continue;
    HlQuasiGamma here = gamma_at (line, lo);
    HlQuasiGamma there = gamma_at (line, hi);

    if (is_same_piece (&here, &there))
      continue;
    double change = find_change (line, lo, hi, &here);

    if (change < hi) {
      insert_velocity (line, change, false);
      spare--;
    }
  }
}

static void double_vertical_pieces (Polyline *line) {
  for (int i = 0; i < line->n; i++) {
    HlQuasiGamma gamma = gamma_at (line, line->out[i].v);

    if (gamma.f_lo < gamma.f_hi)
      insert_velocity (line, line->out[i++].v, true);
  }
}

static void fill_forces (Polyline *line) {
  for (int i = 0; i < line->n; i++) {
    HlQuasiMapPoint *point = &line->out[i];
    bool first_of_two = i + 1 < line->n && line->out[i + 1].v == point->v;
    HlQuasiGamma here = gamma_at (line, point->v);
    HlQuasiGamma onward = here;

    if (!first_of_two && i + 1 < line->n)
      onward = gamma_at (line, point->v + 0.5 * (line->out[i + 1].v - point->v));
    point->f = first_of_two ? here.f_hi : here.f_lo;
    point->segment = onward.segment;
    point->regenerates = onward.va > 0.0;
  }
}

HlStatus hl_quasi_map_sample (const HlActuator *actuator, const HlPump *pump, HlQuasiMapRange range,
                              HlQuasiMapPoint out[], int *n_points, HlQuasiReason *reason) {
  HlQuasiCase c;
  HlStatus status = hl_pump_check (pump, reason);

  assert (range.n_samples >= 2 && range.v_lo < range.v_hi);
  *n_points = 0;
  if (status == HL_OK)
    status = hl_quasi_case_init (&c, actuator, reason);
  if (status != HL_OK)
    return status;
  hl_quasi_case_set_pump (&c, pump);

  Polyline line = {
      .actuator = actuator, .pump = pump, .out = out, .capacity = range.n_samples + HL_QUASI_MAP_EXTRA};
  double width = range.v_hi - range.v_lo;

  for (int i = 0; i < range.n_samples; i++) {
    double share = (double)i / (range.n_samples - 1);

    insert_velocity (&line, i + 1 < range.n_samples ? range.v_lo + share * width : range.v_hi, false);
  }
  insert_breaks (&line, &c, range);
  if (c.ua > 0.0)
    insert_regeneration_breaks (&line);
  double_vertical_pieces (&line);
  fill_forces (&line);
  *n_points = line.n;
  return HL_OK;
}

/* The map at one velocity in the units of the case: a point, and the interval of its force. */
typedef struct {
  HlQuasiPoint point;
  double f_lo, f_hi;
} Place;

static HlSegment find_segment (const HlQuasiCase *c, const HlQuasiPoint *point) {
  bool mirrored = c->sign < 0.0;

  if (point->v == 0.0)
    return HL_SEGMENT_HOLD;
  if (point->v < 0.0)
    return mirrored ? HL_SEGMENT_FRM : HL_SEGMENT_FHM;

  int first = mirrored ? HL_SEGMENT_M0A : HL_SEGMENT_P0A;
  int back = point->back_open ? 1 : 0;

  if (point->drive != HL_QUASI_DRIVE_EMPTY)
    return (HlSegment)(first + 2 * (int)point->drive + back);
  if (!point->back_open)
    return mirrored ? HL_SEGMENT_M3 : HL_SEGMENT_P3;
  return mirrored ? HL_SEGMENT_FHM : HL_SEGMENT_FRM;
}

/* Sets v < 0: the valves cannot drain the drive chamber, so its relief valve must. */
static void set_forced_back (const HlQuasiCase *c, double v, Place *place) {
  place->point = (HlQuasiPoint){.v = v, .F1 = c->F1M, .drive = HL_QUASI_DRIVE_LIMIT};
  place->f_lo = place->f_hi = c->F1M;
}

static void set_rest (const HlQuasiCase *c, Place *place) {
  place->point = (HlQuasiPoint){.F1 = c->F0, .drive = HL_QUASI_DRIVE_PUMP};
  place->point.b = INFINITY;
  place->f_lo = c->F0 - hl_quasi_case_rest_return (c);
  place->f_hi = c->F1M;
}

/* Moves the point of a vertical piece to one of its forces. */
static void set_force (const HlQuasiCase *c, double f, Place *place) {
  HlQuasiPoint *point = &place->point;

  if (place->f_lo == place->f_hi)
    return;
  f = hl_quasi_project (place->f_lo, place->f_hi, isnan (f) ? 0.0 : f);
  if (point->v == 0.0) {
    /* The lowest pressures that give this force. */
    point->F1 = fmax (c->F0, f);
    point->F2 = point->F1 - f;
    point->back_open = false;
  } else if (point->va > 0.0)
    hl_quasi_regeneration_lock (c, point->v, f, point);
  else
    point->F1 = f + point->F2;
}

static void find_place (const HlQuasiCase *c, double v, double f, Place *place) {
  if (v < 0.0)
    set_forced_back (c, v, place);
  else if (v == 0.0)
    set_rest (c, place);
  else {
    hl_quasi_regeneration_gamma (c, v, &place->point, &place->f_lo);
    place->f_hi = place->point.F1 - place->point.F2;
  }
  set_force (c, f, place);
}

/* Returns how far a pair of forces is from the regeneration law. */
static double law_error (const HlQuasiCase *c, double va, double F1, double F2) {
  return fabs (F2 - c->A * F1 - va * va / (c->ua * c->ua));
}

/* Sets the point with va > 0 known already, for instance from Lambda. One force is evaluated and the other
 * follows from f; where the evaluated one is steep or vertical, rounding of v dominates it, and the
 * regeneration law is used. */
static void set_known (const HlQuasiCase *c, double v, double va, double f, Place *place) {
  HlQuasiPoint *point = &place->point;
  bool recirculates = c->t == 0.0 && v - va <= 1e-14 * v;

  hl_quasi_point_at (c, v, recirculates ? v : va, point);
  double F1 = hl_quasi_project (0.0, c->F1M, f + point->F2);
  double F2 = hl_quasi_project (0.0, c->F2M, point->F1 - f);

  double error_1 = law_error (c, va, F1, point->F2);
  double error_2 = law_error (c, va, point->F1, F2);
  double drop = va * va / (c->ua * c->ua);

  if (isinf (point->a) && c->A < 1.0 && fmin (error_1, error_2) > 1e-9 * (fabs (f) + drop)) {
    /* Both vertical (t = 0 and no bleed): the law and f fix both forces. */
    hl_quasi_regeneration_lock (c, v, f, point);
  } else if (error_1 <= error_2)
    point->F1 = F1;
  else
    point->F2 = F2;
  /* The letters follow the forces, as far as these are more than rounding away from the limits. */
  double rounding = 1e-12 * (fabs (f) + point->F2 + drop);
  bool is_limited = point->drive == HL_QUASI_DRIVE_EMPTY || point->drive == HL_QUASI_DRIVE_LIMIT;

  if (is_limited && point->F1 <= rounding)
    point->F1 = 0.0;
  else if (is_limited && point->F1 >= c->F1M - rounding)
    point->F1 = c->F1M;
  bool inside = point->F1 > 0.0 && point->F1 < c->F1M;

  if (inside && point->drive != HL_QUASI_DRIVE_PUMP && point->drive != HL_QUASI_DRIVE_BLEED) {
    point->drive = HL_QUASI_DRIVE_BLEED;
    point->b = INFINITY;
  }
  point->back_open = point->back_open && point->F2 >= c->F2M;
  place->f_lo = place->f_hi = point->F1 - point->F2;
}

/* Computes the flows that leave through the relief valve (+) or enter through the suction valve (-) of drive
 * and return chamber. */
static void find_chamber_flows (const HlQuasiCase *c, const HlQuasiPoint *point, double q, double flows[2]) {
  double y = point->v - c->A * point->va;
  double w = point->v - point->va;

  flows[0] = flows[1] = 0.0;
  if (point->v < 0.0) {
    flows[0] = q - c->area * y;
    flows[1] = c->back_area * w;
  } else if (point->v == 0.0)
    flows[0] = point->F1 >= c->F1M ? q : 0.0;
  else {
    if (point->drive == HL_QUASI_DRIVE_LIMIT || point->drive == HL_QUASI_DRIVE_EMPTY)
      flows[0] = q - c->area * y;
    if (point->back_open)
      flows[1] = c->back_area * (w - (c->t > 0.0 ? c->t * sqrt (c->F2M) : 0.0));
  }
}

static HlQuasiValves find_valves (const HlQuasiCase *c, const HlQuasiPoint *point, double flow,
                                  double pump_relief) {
  bool moves = point->v > 0.0;
  bool drive_relief =
      point->v < 0.0 || (moves && point->drive == HL_QUASI_DRIVE_LIMIT) || (point->v == 0.0 && flow > 0.0);
  bool drive_suction = moves && point->drive == HL_QUASI_DRIVE_EMPTY;
  bool back_relief = moves && point->back_open;
  bool back_suction = point->v < 0.0;
  bool mirrored = c->sign < 0.0;

  return (HlQuasiValves){.head_relief = mirrored ? back_relief : drive_relief,
                         .head_suction = mirrored ? back_suction : drive_suction,
                         .pump_relief = pump_relief > 0.0,
                         .rod_suction = mirrored ? drive_suction : back_suction,
                         .rod_relief = mirrored ? drive_relief : back_relief};
}

static void fill_gamma (const HlQuasiCase *c, const HlPump *pump, double P, Place *place, HlQuasiGamma *out) {
  HlQuasiPoint *point = &place->point;
  double sign = c->sign;
  double flows[2];

  out->P = isnan (P) ? flow_node_pressure (c, pump, point) : P;
  /* At a node below the relief limit it is the bleed valve that sets the pressure. */
  if (!isnan (P) && P < pump->PM && point->drive == HL_QUASI_DRIVE_PUMP)
    point->drive = HL_QUASI_DRIVE_BLEED;

  double q = hl_quasi_flow_supply (c, out->P, point, NULL);

  find_chamber_flows (c, point, q, flows);
  out->v = sign * point->v;
  out->va = point->va;
  out->f = sign * (point->F1 - point->F2);
  out->f_lo = sign > 0.0 ? place->f_lo : -place->f_hi;
  out->f_hi = sign > 0.0 ? place->f_hi : -place->f_lo;
  out->df_dv = point->v == 0.0 ? -INFINITY : -hl_quasi_point_slope (c, point);
  out->segment = find_segment (c, point);
  out->Q_supply = q;
  out->Q_bleed = pump->Ub * sqrt (out->P);
  out->Q_pump_relief = out->P >= pump->PM ? fmax (0.0, pump->Q - out->Q_bleed - q) : 0.0;
  out->Q_return = point->v > 0.0 ? c->back_area * c->t * sqrt (point->F2) : 0.0;
  out->Q_regeneration = c->back_area * point->va;
  out->valves = find_valves (c, point, flows[0], out->Q_pump_relief);
  out->Ph = (sign > 0.0 ? point->F1 : point->F2) / (sign > 0.0 ? c->area : c->back_area);
  out->Pr = (sign > 0.0 ? point->F2 : point->F1) / (sign > 0.0 ? c->back_area : c->area);
  out->Q_head = sign > 0.0 ? flows[0] : flows[1];
  out->Q_rod = sign > 0.0 ? flows[1] : flows[0];
}

HlStatus hl_quasi_gamma_at (const HlActuator *actuator, const HlPump *pump, HlQuasiKnown known,
                            HlQuasiGamma *out, HlQuasiReason *reason) {
  HlQuasiCase c;
  Place place;
  HlStatus status = hl_pump_check (pump, reason);

  if (status == HL_OK)
    status = hl_quasi_case_init (&c, actuator, reason);
  if (status != HL_OK)
    return status;
  if (isnan (known.P))
    hl_quasi_case_set_pump (&c, pump);
  else
    hl_quasi_case_set_pressure (&c, known.P);
  if (!isnan (known.va) && known.va > 0.0)
    set_known (&c, c.sign * known.v, known.va, c.sign * known.f, &place);
  else
    find_place (&c, c.sign * known.v, c.sign * known.f, &place);
  fill_gamma (&c, pump, known.P, &place, out);
  return HL_OK;
}

HlStatus hl_quasi_gamma_eval (const HlActuator *actuator, const HlPump *pump, double v, HlQuasiGamma *out,
                              HlQuasiReason *reason) {
  HlQuasiKnown known = {.v = v, .va = NAN, .f = NAN, .P = NAN};

  return hl_quasi_gamma_at (actuator, pump, known, out, reason);
}

const char *hl_segment_name (HlSegment segment) {
  static const char *const names[HL_N_SEGMENTS] = {
      [HL_SEGMENT_HOLD] = "hold", [HL_SEGMENT_FRM] = "FrM", [HL_SEGMENT_FHM] = "FhM",
      [HL_SEGMENT_P0A] = "+0a",   [HL_SEGMENT_P0B] = "+0b", [HL_SEGMENT_P1A] = "+1a",
      [HL_SEGMENT_P1B] = "+1b",   [HL_SEGMENT_P2A] = "+2a", [HL_SEGMENT_P2B] = "+2b",
      [HL_SEGMENT_P3] = "+3",     [HL_SEGMENT_M0A] = "-0a", [HL_SEGMENT_M0B] = "-0b",
      [HL_SEGMENT_M1A] = "-1a",   [HL_SEGMENT_M1B] = "-1b", [HL_SEGMENT_M2A] = "-2a",
      [HL_SEGMENT_M2B] = "-2b",   [HL_SEGMENT_M3] = "-3",   [HL_SEGMENT_NETWORK] = "",
  };

  return segment >= 0 && segment < HL_N_SEGMENTS ? names[segment] : "?";
}
