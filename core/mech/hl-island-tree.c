/* SPDX-License-Identifier: MIT */
#include "core/mech/hl-island-tree.h"

#include "core/math/hl-minmax.h"
#include "core/math/hl-linalg.h"
#include "core/mech/hl-island-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Turns the arm as its frame stands. */
static inline void tree_set_arm (const HlMechanism *mech, const HlFrame frames[], HlTreeArm *arm) {
  const HlFrame *f = &frames[arm->frame];
  const double *u = (const double *)((const char *)mech->rows + arm->u_at);

  arm->arm[0] = f->c * u[0] - f->s * u[1];
  arm->arm[1] = f->s * u[0] + f->c * u[1];
}

/* Computes b[q] := L^-1 b by the factors in C_lu. */
static inline void tree_solve_loops (const HlIslandWork *iw, int q, double b[]) {
  const double *a = iw->C_lu;

  if (q != 2) {
    hl_lu_solve (q, a, iw->C_pivots, 1, b);
    return;
  }
  double first = b[iw->C_pivots[0]];
  double second = (b[1 - iw->C_pivots[0]] - a[1] * first) * a[3];
  b[0] = (first - a[2] * second) * a[0];
  b[1] = second;
}

/* Positions of a tree: a first guess along the tangent, and the angles turned until the loops are closed. */

#define SMALL 1.0e-3 /* rad */
#define NEAR 1.0e-2  /* rad */

/* Returns the factor of gamma for a change d of the only independent angle of x[n_coordinates]; 0 where gamma
 * belongs to another point:
 *
 *   x = x_last + x' d + gamma d^2/(2 w^2) */
static double bend_of (const HlIslandWork *iw, const double x[]) {
  if (iw->f != 1 || iw->x_last[iw->ai[0]] != iw->bend_at)
    return 0.0;
  double step = x[iw->column[iw->ai[0]]] - iw->bend_at;
  return step * step * iw->bend_by;
}

void hl_island_tree_predict (const HlIsland *island, double x[], HlIslandWork *iw, double predicted[]) {
  const HlIslandTree *tree = iw->tree;
  int n = iw->n;

  const double *last = iw->x_last;
  int f = iw->f;

  for (int j = 0; j < f; j++) {
    const double *X = iw->X + j * n;
    double step = x[iw->column[iw->ai[j]]] - last[iw->ai[j]];
    if (j == 0 && f == 1)
      for (int c = 0; c < n; c++)
        predicted[c] = X[c] * step + last[c];
    else
      for (int c = 0; c < n; c++)
        predicted[c] = (j == 0 ? 0.0 : predicted[c]) + X[c] * step;
  }
  for (int c = 0; f != 1 && c < n; c++)
    predicted[c] += last[c];
  double bend = bend_of (iw, x);
  for (int k = 0; k < tree->q; k++) {
    int c = 3 * tree->turning[k] + 2;
    double by = bend * iw->gamma[c];
    x[iw->column[c]] = predicted[c] + (fabs (by) < SMALL ? by : 0.0);
  }
}

/* Computes the frame from that of an angle that is NEAR, at a distance d:
 *
 *   cos (psi + d) = c - (s sin d + c (1 - cos d)),   sin (psi + d) = s + (c sin d - s (1 - cos d))
 *
 * with the series of sin d and 1 - cos d, whose next terms are far below rounding. */
static inline void turn_frame (int body, const double x[], HlTreeTurn *from, HlFrame *frame) {
  double psi = x[3 * body + 2], d = psi - from->psi;

  frame->psi = psi;
  if (!(fabs (d) < NEAR)) {
    from->psi = psi;
    from->c = frame->c = cos (psi);
    from->s = frame->s = sin (psi);
    return;
  }
  double s = from->s, c = from->c, d2 = d * d;
  double sin_d = d - d * d2 * (1.0 / 6.0 - d2 * (1.0 / 120.0));
  double one_less_cos_d = d2 * (0.5 - d2 * (1.0 / 24.0 - d2 * (1.0 / 720.0)));
  frame->c = c - (s * sin_d + c * one_less_cos_d);
  frame->s = s + (c * sin_d - s * one_less_cos_d);
}

/* Arms where the angles put them, and bodies where the arms do. All arms, though only some have turned: placing all of
 * them and their bodies is faster than selecting. */
static inline void put_bodies (const HlMechanism *mech, HlFrame frames[], const HlIslandTree *tree) {
  HlTreeArm *arm = tree->arms, *end = arm + tree->n_arms, *end_of_pins = arm + 2 * tree->n_bodies;

  for (; arm < end_of_pins; arm += 2) {
    HlFrame *own = &frames[arm[0].frame];
    const HlFrame *parent = &frames[arm[1].frame];
    tree_set_arm (mech, frames, &arm[0]);
    tree_set_arm (mech, frames, &arm[1]);
    own->r[0] = parent->r[0] + arm[1].arm[0] - arm[0].arm[0];
    own->r[1] = parent->r[1] + arm[1].arm[1] - arm[0].arm[1];
  }
  for (; arm < end; arm++)
    tree_set_arm (mech, frames, arm);
}

/* Computes the values of the loops; returns the largest, NAN when one is not a number. */
static double loop_values (const HlMechanism *mech, const HlFrame frames[], const HlIslandTree *tree,
                           double values[]) {
  double largest = 0.0, poison = 0.0;
  int at = 0;

  const HlTreeArm *arm = tree->arms + 2 * tree->n_bodies;
  for (const HlTreeLoop *loop = tree->loops; loop < tree->loops + tree->n_loops; loop++, arm += 2) {
    const HlFrame *fi = &frames[arm[0].frame], *fj = &frames[arm[1].frame];
    if (loop->is_point) {
      values[at] = fi->r[0] + arm[0].arm[0] - (fj->r[0] + arm[1].arm[0]);
      largest = hl_max (fabs (values[at]), largest);
      poison += 0.0 * values[at++];
      values[at] = fi->r[1] + arm[0].arm[1] - (fj->r[1] + arm[1].arm[1]);
    } else
      values[at] = hl_row_value (&mech->rows[arm[0].row], fi, fj);
    largest = hl_max (fabs (values[at]), largest);
    poison += 0.0 * values[at++];
  }
  return poison == 0.0 ? largest : NAN;
}

/* Returns the largest place, and the length of the island at least. [m] */
static double farthest_of (const HlIsland *island, const HlFrame frames[]) {
  double farthest = island->length;

  for (int k = 0; k < island->n_bodies; k++) {
    const HlFrame *frame = &frames[island->bodies[k] + 1];
    farthest = hl_max (fabs (frame->r[0]), farthest);
    farthest = hl_max (fabs (frame->r[1]), farthest);
  }
  return farthest;
}

static HlStatus turn_until_closed (const HlMechanism *mech, const HlIsland *island, double x[],
                                   HlFrame frames[], HlIslandWork *iw) {
  const HlIslandTree *tree = iw->tree;
  double *c = iw->scratch, last = INFINITY, farthest = farthest_of (island, frames);

  for (int step = 0; step < HL_MOST_CLOSING_STEPS; step++) {
    double residual = loop_values (mech, frames, tree, c);
    if (isnan (residual))
      return HL_NOT_FINITE;
    if (iw->has_lu && residual <= DBL_EPSILON * farthest)
      return HL_OK; /* the tangent has met them to rounding */
    if (!iw->has_lu) {
      iw->tree->knows_arms = true;
      HlStatus status = hl_island_factor (mech, island, frames, iw);
      if (status != HL_OK)
        return status;
    }
    tree_solve_loops (iw, tree->q, c);
    double size = 0.0;
    for (int k = 0; k < tree->q; k++) {
      int body = island->bodies[tree->turning[k]];
      x[3 * body + 2] -= c[k];
      turn_frame (body, x, &tree->turns[tree->turning[k]], &frames[body + 1]);
      size = hl_max (fabs (c[k]) * island->length, size);
    }
    put_bodies (mech, frames, tree);
    if (size <= 2.0 * DBL_EPSILON * farthest)
      return HL_OK;
    if (size >= 0.5 * last && (size <= 1.0e-13 * farthest || residual <= HL_CLOSED * farthest))
      return HL_OK; /* rounding: it will not get better */
    if (size > 0.2 * last || step == 6 || step == 12)
      iw->has_lu = false; /* the chord is too old, or far from the solution */
    last = size;
  }
  return HL_NO_CONVERGENCE;
}

HlStatus hl_island_tree_close (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                               HlIslandWork *iw) {
  const HlIslandTree *tree = iw->tree;
  HlStatus status = HL_OK;

  for (int body = 0; body < tree->n_bodies; body++)
    turn_frame (island->bodies[body], x, &tree->turns[body], &frames[tree->frame[body]]);
  put_bodies (mech, frames, tree);
  if (tree->q > 0)
    status = turn_until_closed (mech, island, x, frames, iw);
  for (int k = 0; k < tree->n_bodies; k++) {
    int body = island->bodies[k];
    x[3 * body] = frames[body + 1].r[0];
    x[3 * body + 1] = frames[body + 1].r[1];
  }
  return status;
}

#define LEAST_SPEED 1.0e-100 /* rad/s, whose square is a number with all its digits */

/* ---- L and its factors ---- */

/* Updates the rows that close a loop without being points, and the dropped ones. */
static void renew_rows (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                        HlIslandWork *iw) {
  HlIslandTree *tree = iw->tree;
  double grad[6];

  for (int k = 0; k < tree->n_loops; k++) {
    HlTreeLoop *loop = &tree->loops[k];
    if (loop->is_point)
      continue;
    hl_island_renew_row (mech, island, frames, loop->row, iw, grad);
    loop->gradient[0] = grad[0];
    loop->gradient[1] = grad[1];
  }
  for (int row = 0, k = 0; iw->m < iw->n_rows && row < iw->n_rows; row++)
    if (k < iw->m && iw->kept[k] == row)
      k++;
    else
      hl_island_renew_row (mech, island, frames, row, iw, grad);
}

/* Writes both rows of a pin in the column of an angle. */
static void put_turn (const HlIslandWork *iw, int body, int row, double sign, const double arm[2]) {
  double *at = iw->D + (3 * body + 2) * iw->n_rows + row;

  if (body < 0)
    return;
  at[0] = -sign * arm[1];
  at[1] = sign * arm[0];
}

void hl_island_tree_gradients (const HlIslandWork *iw) {
  const HlIslandTree *tree = iw->tree;
  const HlTreeArm *arm = tree->arms;

  for (int k = 0; k < tree->n_bodies; k++, arm += 2) {
    const HlTreePin *pin = &tree->pins[k];
    put_turn (iw, pin->body, pin->row, pin->sign, arm[0].arm);
    put_turn (iw, pin->parent, pin->row, -pin->sign, arm[1].arm);
  }
  for (int k = 0; k < tree->n_loops; k++, arm += 2) {
    const HlTreeLoop *loop = &tree->loops[k];
    if (!loop->is_point)
      continue;
    put_turn (iw, loop->body_i, loop->row, 1.0, arm[0].arm);
    put_turn (iw, loop->body_j, loop->row, -1.0, arm[1].arm);
  }
}

/* Fills the rotations of the arms that move with one loop's rows. */
static inline void fill_loop (const HlIslandWork *iw, const HlTreeLoop *loop, const HlTreeTerm term[],
                              double row[]) {
  const HlIslandTree *tree = iw->tree;

  if (loop->is_point) {
    for (int e = 0; e < loop->n_terms; e++) {
      const double *arm = tree->arms[term[e].arm].arm;
      row[term[e].at] -= term[e].sign * arm[1];
      row[term[e].at + 1] += term[e].sign * arm[0];
    }
    return;
  }
  for (int e = 0; e < loop->n_terms; e++) {
    const double *arm = tree->arms[term[e].arm].arm;
    row[term[e].at] += term[e].sign * (loop->gradient[1] * arm[0] - loop->gradient[0] * arm[1]);
  }
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? loop->body_i : loop->body_j;
    if (body >= 0)
      row[tree->column[body] * tree->q] += iw->D[(3 * body + 2) * iw->n_rows + loop->row];
  }
}

static void fill_loop_matrix (const HlIslandWork *iw) {
  const HlIslandTree *tree = iw->tree;
  const HlTreeTerm *term = tree->terms;
  double *row = tree->L;

  for (int k = 0; k < tree->q * tree->n_bodies; k++)
    tree->L[k] = 0.0;
  for (int k = 0; k < tree->n_loops; k++) {
    const HlTreeLoop *loop = &tree->loops[k];
    fill_loop (iw, loop, term, row);
    term += loop->n_terms;
    row += 1 + loop->is_point;
  }
}

/* Factors L with two rows, as nearly all loops have, into a, as hl_lu_factor (). */
static HlStatus factor_two (const double L[4], double a[4], int pivots[2]) {
  int best = fabs (L[1]) > fabs (L[0]);
  double largest = fabs (L[best]), first = L[2 + best], second = L[3 - best];

  if (!(largest > 0.0 && largest <= DBL_MAX))
    return largest == 0.0 ? HL_SINGULAR : HL_NOT_FINITE;
  double inverse = 1.0 / L[best], part = L[1 - best] * inverse;
  double pivot = second - part * first;
  if (!(fabs (pivot) > 0.0 && fabs (pivot) <= DBL_MAX))
    return pivot == 0.0 ? HL_SINGULAR : HL_NOT_FINITE;
  a[0] = inverse;
  a[1] = part;
  a[2] = first;
  a[3] = 1.0 / pivot;
  pivots[0] = best;
  pivots[1] = 1;
  return HL_OK;
}

HlStatus hl_island_tree_factor (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                HlIslandWork *iw) {
  HlIslandTree *tree = iw->tree;
  double least = 1.0, largest = 1.0; /* places have pivots of 1 */
  int q = tree->q, sign = 1;

  for (int k = 0; k < tree->n_arms && !tree->knows_arms; k++)
    tree_set_arm (mech, frames, &tree->arms[k]);
  tree->knows_arms = false;
  if (iw->m < iw->n_rows || 2 * tree->n_loops != q)
    renew_rows (mech, island, frames, iw);
  fill_loop_matrix (iw);
  for (int k = 0; q != 2 && k < q * q; k++)
    iw->C_lu[k] = tree->L[k];
  HlStatus status =
      q == 2 ? factor_two (tree->L, iw->C_lu, iw->C_pivots) : hl_lu_factor (q, iw->C_lu, iw->C_pivots);
  for (int k = 0; k < q && status == HL_OK; k++) {
    double inverse = iw->C_lu[k * (q + 1)], size = fabs (inverse);
    least = size < least ? size : least;
    largest = size > largest ? size : largest;
    sign = (inverse < 0.0) != (iw->C_pivots[k] != k) ? -sign : sign;
  }
  iw->C_sign = sign;
  iw->C_ratio = status == HL_OK ? least / largest : 0.0;
  return status;
}

/* ---- solutions ---- */

/* Returns the right-hand sides of the rows, pin after pin and loop after loop: two numbers of every body, and
 * q of the loops. */
static inline double *pins_ask (const HlIslandWork *iw) {
  return iw->tree->z + 3 * iw->tree->n_bodies + iw->n_rows;
}

static inline double *loops_ask (const HlIslandWork *iw) {
  return iw->tree->z + 3 * iw->tree->n_bodies;
}

/* Computes dr of every body from its parent's and both angles', and from the right-hand side of its pin,
 * NULL: zero; z[3 n_bodies] local. */
static inline void place_bodies (const HlIslandTree *tree, const double asked[], double z[]) {
  const HlTreeArm *arm = tree->arms;

  for (const HlTreePin *pin = tree->pins; pin < tree->pins + tree->n_bodies; pin++, arm += 2) {
    double *own = z + 3 * pin->body;
    double x = own[2] * arm[0].arm[1], y = -own[2] * arm[0].arm[0];

    if (asked != NULL) {
      x += *asked++;
      y += *asked++;
    }
    if (pin->parent >= 0) {
      const double *parent = z + 3 * pin->parent;
      x += parent[0] - parent[2] * arm[1].arm[1];
      y += parent[1] + parent[2] * arm[1].arm[0];
    }
    own[0] = x;
    own[1] = y;
  }
}

/* Solves for z[3 n_bodies]: zero in the independent angles, and the right-hand sides of pins and loops at the
 * others. */
static void solve_local (const HlIslandWork *iw, double z[]) {
  const HlIslandTree *tree = iw->tree;
  const double *asked = pins_ask (iw);
  double *rest = loops_ask (iw), *at = rest;
  int q = tree->q;

  for (int k = 0; k < iw->f; k++)
    z[iw->ai[k]] = 0.0;
  if (q > 0) {
    for (const HlTreePin *pin = tree->pins; pin < tree->pins + tree->n_bodies; pin++) {
      double *own = z + 3 * pin->body, x = *asked++, y = *asked++;
      if (pin->parent >= 0) {
        x += z[3 * pin->parent];
        y += z[3 * pin->parent + 1];
      }
      own[0] = x;
      own[1] = y;
    }
    for (const HlTreeLoop *loop = tree->loops; loop < tree->loops + tree->n_loops; loop++) {
      double x = 0.0, y = 0.0;
      if (loop->body_i >= 0) {
        x = z[3 * loop->body_i];
        y = z[3 * loop->body_i + 1];
      }
      if (loop->body_j >= 0) {
        x -= z[3 * loop->body_j];
        y -= z[3 * loop->body_j + 1];
      }
      if (loop->is_point) {
        *at++ -= x;
        *at++ -= y;
      } else
        *at++ -= loop->gradient[0] * x + loop->gradient[1] * y;
    }
    tree_solve_loops (iw, q, rest);
    for (int k = 0; k < q; k++)
      z[3 * tree->turning[k] + 2] = rest[k];
  }
  place_bodies (tree, pins_ask (iw), z);
}

void hl_island_tree_solve (const HlIslandWork *iw, double b[]) {
  const HlIslandTree *tree = iw->tree;
  double *z = tree->z, *asked = pins_ask (iw), *at = loops_ask (iw);

  for (const HlTreePin *pin = tree->pins; pin < tree->pins + tree->n_bodies; pin++) {
    *asked++ = pin->sign * b[pin->kept];
    *asked++ = pin->sign * b[pin->kept + 1];
  }
  for (const HlTreeLoop *loop = tree->loops; loop < tree->loops + tree->n_loops; loop++) {
    *at++ = b[loop->kept];
    if (loop->is_point)
      *at++ = b[loop->kept + 1];
  }
  solve_local (iw, z);
  for (int k = 0; k < iw->m; k++)
    b[k] = z[iw->dep[k]];
}

void hl_island_tree_columns (HlIslandWork *iw) {
  const HlIslandTree *tree = iw->tree;
  double *rest = tree->z;
  int q = tree->q, n = iw->n;

  for (int j = 0; j < iw->f; j++) {
    double *X = iw->X + j * n;
    for (int k = 0; k < q; k++)
      rest[k] = -tree->L[(q + j) * q + k];
    tree_solve_loops (iw, q, rest);
    for (int k = 0; k < iw->f; k++)
      X[iw->ai[k]] = k == j;
    for (int k = 0; k < q; k++)
      X[3 * tree->turning[k] + 2] = rest[k];
    place_bodies (tree, NULL, X);
  }
}

/* Passes forces on the positions, F of a body and of all that it carries, to its parents. */
static void hand_down (const HlIslandTree *tree, double F[]) {
  for (int k = tree->n_bodies - 1; k >= 0; k--) {
    const HlTreePin *pin = &tree->pins[k];
    if (pin->parent < 0)
      continue;
    F[3 * pin->parent] += F[3 * pin->body];
    F[3 * pin->parent + 1] += F[3 * pin->body + 1];
  }
}

void hl_island_tree_solve_transposed (const HlIslandWork *iw, double b[]) {
  const HlIslandTree *tree = iw->tree;
  double *F = tree->z, *rest = F + 3 * tree->n_bodies;
  int q = tree->q, at = 0;

  for (int k = 0; k < iw->n; k++)
    F[k] = 0.0;
  for (int k = 0; k < iw->m; k++)
    F[iw->dep[k]] = b[k];
  hand_down (tree, F);
  for (int k = 0; k < tree->n_bodies; k++) {
    const HlTreePin *pin = &tree->pins[k];
    const double *own = F + 3 * pin->body, *arm = tree->arms[2 * k].arm, *from = tree->arms[2 * k + 1].arm;
    F[3 * pin->body + 2] -= arm[0] * own[1] - arm[1] * own[0];
    if (pin->parent >= 0)
      F[3 * pin->parent + 2] += from[0] * own[1] - from[1] * own[0];
  }
  for (int k = 0; k < q; k++)
    rest[k] = F[3 * tree->turning[k] + 2];
  hl_lu_solve_transposed (q, iw->C_lu, iw->C_pivots, 1, rest);
  for (int k = 0; k < iw->n; k++)
    F[k] = 0.0;
  for (int k = 0; k < iw->m; k++)
    F[iw->dep[k]] = b[k];
  for (int k = 0; k < tree->n_loops; k++) {
    const HlTreeLoop *loop = &tree->loops[k];
    double x, y;
    b[loop->kept] = rest[at];
    if (loop->is_point) {
      b[loop->kept + 1] = y = rest[at + 1];
      x = rest[at];
    } else {
      x = loop->gradient[0] * rest[at];
      y = loop->gradient[1] * rest[at];
    }
    at += 1 + loop->is_point;
    if (loop->body_i >= 0) {
      F[3 * loop->body_i] -= x;
      F[3 * loop->body_i + 1] -= y;
    }
    if (loop->body_j >= 0) {
      F[3 * loop->body_j] += x;
      F[3 * loop->body_j + 1] += y;
    }
  }
  hand_down (tree, F);
  for (int k = 0; k < tree->n_bodies; k++) {
    const HlTreePin *pin = &tree->pins[k];
    b[pin->kept] = pin->sign * F[3 * pin->body];
    b[pin->kept + 1] = pin->sign * F[3 * pin->body + 1];
  }
}

/* Computes the curvature of the motion with one independent angle q, for the prediction:
 *
 *   gamma = x'' (q) w^2 */
static void note_bend (const HlFrame frames[], HlIslandWork *iw) {
  if (iw->f != 1)
    return;
  const HlFrame *frame = &frames[iw->tree->frame[iw->ai[0] / 3]];
  bool moves = fabs (frame->w) > LEAST_SPEED;

  iw->bend_at = moves ? frame->psi : NAN;
  iw->bend_by = moves ? 0.5 / (frame->w * frame->w) : 0.0;
}

void hl_island_tree_bias (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                          HlIslandWork *iw) {
  const HlIslandTree *tree = iw->tree;
  const HlTreeArm *arm = tree->arms;
  double *asked = pins_ask (iw), *at = loops_ask (iw), moves = 0.0;

  for (const HlTreeArm *end = arm + 2 * tree->n_bodies; arm < end; arm += 2) {
    double w = frames[arm[0].frame].w, from = frames[arm[1].frame].w;
    w *= w;
    from *= from;
    *asked++ = arm[0].arm[0] * w - arm[1].arm[0] * from;
    *asked++ = arm[0].arm[1] * w - arm[1].arm[1] * from;
    moves += w;
  }
  for (const HlTreeLoop *loop = tree->loops; loop < tree->loops + tree->n_loops; loop++, arm += 2) {
    const HlFrame *fi = &frames[arm[0].frame], *fj = &frames[arm[1].frame];
    if (!loop->is_point) {
      *at = -hl_row_bias (&mech->rows[arm[0].row], fi, fj);
      moves += fabs (*at++);
      continue;
    }
    double wi = fi->w * fi->w, wj = fj->w * fj->w;
    *at++ = arm[0].arm[0] * wi - arm[1].arm[0] * wj;
    *at++ = arm[0].arm[1] * wi - arm[1].arm[1] * wj;
  }
  if (moves == 0.0)
    memset (iw->gamma, 0, (size_t)iw->n * sizeof (double));
  else
    solve_local (iw, iw->gamma);
  note_bend (frames, iw);
}
