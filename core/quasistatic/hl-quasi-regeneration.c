/* SPDX-License-Identifier: MIT */
/* Regeneration law (theory/quasistatic.md (16)-(20))
 *
 *   va^2 = ua^2 max (F2 (v - va) - A F1 (v - A va), 0)
 *
 * Given v,
 *
 *   Xi (va) = va^2 - ua^2 (F2 - A F1)
 *
 * increases strictly and is quadratic between at most four breaks: walk over them and solve one
 * quadratic. Given a load line,
 *
 *   H (x) = x^2 - ua^2 (F2 - A F1)     along v = V (x)
 *
 * increases strictly (Cauchy-Schwarz), so a bracketing search in x = va ends after a bounded number
 * of closed-form evaluations. */
#include "core/quasistatic/hl-quasi-regeneration.h"

#include "core/quasistatic/hl-quasi-scalar-roots.h"

#include <float.h>
#include <math.h>

/* Position in the sequence of pieces: a piece of F1 and a side of the return relief valve. */
typedef struct {
  int piece; /* -1: y < 0, where F1 is continued by F1M */
  bool back_open;
  bool back_started; /* w > 0; before it F2 is continued by 0 */
} Place;

static double return_force (const HlQuasiCase *c, Place place, double w, double *a, double *half_curve) {
  *a = 0.0;
  *half_curve = 0.0;
  if (!place.back_started)
    return 0.0;
  if (place.back_open)
    return c->F2M;
  *a = 2.0 * w * c->inv_t2;
  *half_curve = c->inv_t2;
  return w * w * c->inv_t2;
}

static double drive_force (const HlQuasiCase *c, const HlQuasiPieces *pieces, Place place, double y,
                           double *b, double *half_curve) {
  HlQuasiDrive drive = place.piece < 0 ? HL_QUASI_DRIVE_LIMIT : pieces->drive[place.piece];

  return hl_quasi_drive_force (c, drive, y, b, half_curve);
}

/* Computes forces and slopes at y = v - A va, w = v - va on the pieces of a place; half second derivatives on
 * request. */
static void evaluate (const HlQuasiCase *c, const HlQuasiPieces *pieces, Place place, HlQuasiPoint *point,
                      double half_curves[2]) {
  point->F1 = drive_force (c, pieces, place, point->v - c->A * point->va, &point->b, &half_curves[0]);
  point->F2 = return_force (c, place, point->v - point->va, &point->a, &half_curves[1]);
  point->drive = place.piece < 0 ? HL_QUASI_DRIVE_LIMIT : pieces->drive[place.piece];
  point->back_open = place.back_open;
  point->g = point->drive == HL_QUASI_DRIVE_PUMP ? c->area : 0.0;
}

/* ---- given velocity ---- */

static double xi_at (const HlQuasiCase *c, const HlQuasiPoint *point) {
  return point->va * point->va - c->ua * c->ua * (point->F2 - c->A * point->F1);
}

/* Settles the forces for given va: one follows from the other by the law; the flatter one is evaluated, the
 * steeper one follows. */
static void settle_forces (const HlQuasiCase *c, HlQuasiPoint *point) {
  double drop = point->va * point->va / (c->ua * c->ua);

  if (point->a > c->A * point->b)
    point->F2 = hl_quasi_project (0.0, c->F2M, c->A * point->F1 + drop);
  else
    point->F1 = hl_quasi_project (0.0, c->F1M, (point->F2 - drop) / c->A);
}

/* Returns the next break of Xi above va, with what lies beyond it: y falls to the start of its piece, w to w1
 * or 0. */
static double next_break (const HlQuasiCase *c, const HlQuasiPieces *pieces, double v, Place place,
                          Place *beyond) {
  double at_y = place.piece > 0 ? (v - pieces->start[place.piece]) / c->A : INFINITY;
  double at_w = place.back_open ? v - pieces->w1 : v;

  *beyond = place;
  if (at_y <= at_w)
    beyond->piece--;
  else
    beyond->back_open = false;
  return fmin (at_y, at_w);
}

/* Returns whether F1 jumps where this piece starts: nothing is bled and all the pump flow is taken. */
static bool jumps_below (const HlQuasiCase *c, const HlQuasiPieces *pieces, int piece) {
  return isinf (c->k) && piece > 0 && piece < pieces->n && pieces->start[piece] == c->yQ;
}

/* Solves for the root of Xi in (0, v], given Xi (0) < 0. */
static void solve_velocity (const HlQuasiCase *c, double v, HlQuasiPoint *point) {
  HlQuasiPieces pieces;
  double half_curves[2];
  double ua2 = c->ua * c->ua;

  hl_quasi_case_find_pieces (c, &pieces);

  Place place = {.piece = pieces.n - 1, .back_open = v > pieces.w1, .back_started = true};

  while (place.piece > 0 && pieces.start[place.piece] >= v)
    place.piece--;
  point->v = v;
  point->va = 0.0;
  for (;;) {
    Place beyond;
    double from = point->va;
    double to = fmax (from, fmin (v, next_break (c, &pieces, v, place, &beyond)));

    evaluate (c, &pieces, place, point, half_curves);
    double xi = xi_at (c, point);

    if (xi >= 0.0 && from > 0.0) {
      /* Xi passes 0 at the break itself; on the bleedless piece y = yQ by a jump of F1. */
      if (jumps_below (c, &pieces, place.piece + 1)) {
        point->b = INFINITY;
        point->drive = HL_QUASI_DRIVE_BLEED;
      }
      break;
    }
    double slope = 2.0 * from + ua2 * (point->a + c->A * c->A * point->b);
    double half_curve = 1.0 + ua2 * (c->A * c->A * c->A * half_curves[0] - half_curves[1]);

    point->va = to;
    evaluate (c, &pieces, place, point, half_curves);
    if (xi_at (c, point) >= 0.0) {
      point->va = fmin (to, from + hl_quasi_quadratic (half_curve, slope, -xi));
      evaluate (c, &pieces, place, point, half_curves);
      break;
    }
    if (to >= v) {
      /* All the rod oil recirculates: F2 is vertical at w = 0 (t = 0). */
      point->a = INFINITY;
      point->back_open = false;
      break;
    }
    place = beyond;
  }
  settle_forces (c, point);
}

/* Finds the velocity of the rod with a closed return valve and no bleed, which is the same for a range of
 * loads,
 *   v  = va = yQ / (1 - A)
 *   F1 from 0 to *F1_hi,   F2 = A F1 + va^2/ua^2
 * Both forces are vertical there. Returns 0 when there is no such velocity. */
static double find_locked_velocity (const HlQuasiCase *c, double *F1_hi) {
  if (c->t > 0.0 || c->p == 0.0 || !isinf (c->k) || isinf (c->yQ) || c->A >= 1.0)
    return 0.0;

  HlQuasiPoint taken;
  double v = c->yQ / (1.0 - c->A);
  double drop = v * v / (c->ua * c->ua);

  hl_quasi_point_at (c, c->yQ, 0.0, &taken);
  *F1_hi = fmin (taken.F1, (c->F2M - drop) / c->A);
  return *F1_hi > 0.0 ? v : 0.0;
}

void hl_quasi_regeneration_lock (const HlQuasiCase *c, double v, double f, HlQuasiPoint *point) {
  double drop = v * v / (c->ua * c->ua);

  *point = (HlQuasiPoint){.v = v, .va = v, .a = INFINITY, .b = INFINITY};
  point->drive = HL_QUASI_DRIVE_BLEED;
  point->F1 = hl_quasi_project (0.0, c->F1M, (f + drop) / (1.0 - c->A));
  point->F2 = c->A * point->F1 + drop;
}

void hl_quasi_regeneration_gamma (const HlQuasiCase *c, double v, HlQuasiPoint *point, double *f_lo) {
  double F1_hi;

  hl_quasi_point_at (c, v, 0.0, point);
  *f_lo = point->F1 - point->F2;
  if (c->ua == 0.0) {
    if (isinf (point->b))
      *f_lo = -point->F2;
    return;
  }
  if (xi_at (c, point) >= 0.0) {
    /* On the piece without bleed F1 can fall until oil would regenerate. */
    if (isinf (point->b))
      *f_lo = fmin (point->F1, point->F2 / c->A) - point->F2;
    return;
  }
  if (v == find_locked_velocity (c, &F1_hi)) {
    double drop = v * v / (c->ua * c->ua);

    hl_quasi_regeneration_lock (c, v, (1.0 - c->A) * F1_hi - drop, point);
    *f_lo = -drop;
    return;
  }
  solve_velocity (c, v, point);
  *f_lo = point->F1 - point->F2;
}

/* ---- given load line ---- */

/* Returns the next break of the balance above v: y rises to the start of the next piece, w to 0 and then
 * to w1. / */
static double next_load_break (const HlQuasiCase *c, const HlQuasiPieces *pieces, double va, Place place,
                               Place *beyond) {
  double at_y = place.piece + 1 < pieces->n ? pieces->start[place.piece + 1] + c->A * va : INFINITY;
  double at_w = place.back_open ? INFINITY : place.back_started ? va + pieces->w1 : va;

  *beyond = place;
  if (at_y <= at_w)
    beyond->piece++;
  else if (place.back_started)
    beyond->back_open = true;
  else {
    beyond->back_started = true;
    beyond->back_open = c->t == 0.0;
  }
  return fmin (at_y, at_w);
}

/* Settles a solution at a break between two places: by a jump of one force, which takes the rest of the load,
 * or at a kink, where the side before it is taken. */
static void settle_break (const HlQuasiCase *c, const HlQuasiPieces *pieces, Place before, Place after,
                          double f, HlQuasiPoint *point) {
  double half_curves[2];
  bool starts_moving = before.piece < 0 && c->F0 < c->F1M;

  if (after.piece != before.piece && (starts_moving || jumps_below (c, pieces, after.piece))) {
    point->F1 = f + point->F2;
    point->b = INFINITY;
    point->g = 0.0;
    point->drive = HL_QUASI_DRIVE_BLEED;
  } else if (after.back_started != before.back_started && c->t == 0.0) {
    point->F2 = point->F1 - f;
    point->a = INFINITY;
    point->back_open = false;
  } else
    evaluate (c, pieces, before, point, half_curves);
}

void hl_quasi_regeneration_load_line (const HlQuasiCase *c, const HlQuasiPieces *pieces, double beta,
                                      double fbar, HlQuasiPoint *point) {
  Place place = {.piece = -1, .back_open = false, .back_started = false};
  Place beyond;
  double half_curves[2];
  double from = next_load_break (c, pieces, point->va, place, &beyond);

  /* Left of all breaks the drive chamber is at its limit and the return chamber is empty. */
  point->v = (c->F1M - fbar) / beta;
  if (point->v <= from) {
    evaluate (c, pieces, place, point, half_curves);
    return;
  }
  for (;;) {
    Place before = place;

    point->v = from;
    place = beyond;
    evaluate (c, pieces, place, point, half_curves);

    double balance = beta * from + fbar - point->F1 + point->F2;

    if (balance >= 0.0) {
      settle_break (c, pieces, before, place, beta * from + fbar, point);
      return;
    }
    double slope = beta + point->b + point->a;
    double root = from + hl_quasi_quadratic (half_curves[1] - half_curves[0], slope, -balance);
    double to = next_load_break (c, pieces, point->va, place, &beyond);

    point->v = fmin (root, to);
    if (root <= to) {
      evaluate (c, pieces, place, point, half_curves);
      /* The steeper force follows from the balance, if that is better known. */
      if (point->b > fmax (point->a, beta))
        point->F1 = beta * root + fbar + point->F2;
      else if (point->a > beta)
        point->F2 = point->F1 - beta * root - fbar;
      return;
    }
    from = to;
  }
}

typedef struct {
  const HlQuasiCase *c;
  double beta, fbar;
  HlQuasiPieces pieces;
  HlQuasiPoint *point;
} LoadSearch;

static double evaluate_h (double x, double *slope, void *data) {
  LoadSearch *search = data;
  const HlQuasiCase *c = search->c;
  HlQuasiPoint *point = search->point;
  double A = c->A, beta = search->beta;
  double gap2 = (1.0 - A) * (1.0 - A);

  point->va = x;
  hl_quasi_regeneration_load_line (c, &search->pieces, beta, search->fbar, point);

  double a = point->a, b = point->b, bracket;

  if (isinf (a))
    bracket = isinf (b) ? INFINITY : beta + b * gap2;
  else if (isinf (b))
    bracket = a * gap2 + A * A * beta;
  else
    bracket = (a * beta + b * (a * gap2 + A * A * beta)) / (beta + a + b);
  *slope = 2.0 * x + c->ua * c->ua * bracket;

  double h = xi_at (c, point);
  double rounding = 4.0 * DBL_EPSILON * c->ua * c->ua * (point->F2 + A * point->F1);

  return fabs (h) <= rounding ? 0.0 : h;
}

void hl_quasi_regeneration_lambda (const HlQuasiCase *c, double beta, double fbar, HlQuasiPoint *point,
                                   int *n_evaluations) {
  /* va <= ua sqrt (F2M) by the law, and va <= v <= (F0 - fbar)/beta by the load line; and the drop
   * F2 - A F1 can only fall from its value without regeneration. */
  double drop = point->F2 - c->A * point->F1;
  double hi = fmin (c->ua * sqrt (c->F2M), fmax (0.0, (c->F0 - fbar) / beta));

  if (drop > 0.0)
    hi = fmin (hi, c->ua * sqrt (drop));
  double F1_hi;
  double locked = find_locked_velocity (c, &F1_hi);
  double locked_f = beta * locked + fbar;

  if (locked > 0.0) {
    hl_quasi_regeneration_lock (c, locked, locked_f, point);
    if (point->F1 <= F1_hi && fabs (point->F1 - point->F2 - locked_f) <= 1e-12 * (point->F2 + point->F1))
      return;
  }

  LoadSearch search = {.c = c, .beta = beta, .fbar = fbar, .point = point};
  HlQuasiBracket bracket = {.lo = 0.0, .hi = hi, .guess = hi};

  hl_quasi_case_find_pieces (c, &search.pieces);

  double x = hl_quasi_search (evaluate_h, &search, bracket, n_evaluations);

  if (point->va != x) {
    point->va = x;
    hl_quasi_regeneration_load_line (c, &search.pieces, beta, fbar, point);
  }
}
