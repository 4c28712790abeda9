/* SPDX-License-Identifier: MIT */
/* Positions of a tree: a first guess along the tangent, and the angles turned until the loops are closed. */
#include <float.h>
#include <math.h>

#include "core/math/hl-larger.h"
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-tree-private.h"

#define SMALL 1.0e-3 /* rad */
#define NEAR 1.0e-2  /* rad */

/* What gamma is multiplied with for a move d of the one independent angle of x[n_coordinates]; 0 where gamma is of another
 * place:
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

/* From an angle that is NEAR, d away:
 *
 *   cos (psi + d) = c - (s sin d + c (1 - cos d)),   sin (psi + d) = s + (c sin d - s (1 - cos d))
 *
 * with the series of sin d and 1 - cos d, whose next terms are far below rounding. */
static inline void turn (int body, const double x[], HlTreeTurn *from, HlFrame *frame) {
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

/* Arms where the angles put them, and bodies where the arms do. All arms, though only some have turned: to put them and
 * their bodies in one go is faster than to know which. */
static inline void put_bodies (const HlMechanism *mech, HlFrame frames[], const HlIslandTree *tree) {
  HlTreeArm *arm = tree->arms, *end = arm + tree->n_arms, *end_of_pins = arm + 2 * tree->n_bodies;

  for (; arm < end_of_pins; arm += 2) {
    HlFrame *own = &frames[arm[0].frame];
    const HlFrame *parent = &frames[arm[1].frame];
    hl_tree_set_arm (mech, frames, &arm[0]);
    hl_tree_set_arm (mech, frames, &arm[1]);
    own->r[0] = parent->r[0] + arm[1].arm[0] - arm[0].arm[0];
    own->r[1] = parent->r[1] + arm[1].arm[1] - arm[0].arm[1];
  }
  for (; arm < end; arm++)
    hl_tree_set_arm (mech, frames, arm);
}

/* Of the loops; the largest, NAN when one is not a number. */
static double loop_values (const HlMechanism *mech, const HlFrame frames[], const HlIslandTree *tree,
                           double values[]) {
  double largest = 0.0, poison = 0.0;
  int at = 0;

  const HlTreeArm *arm = tree->arms + 2 * tree->n_bodies;
  for (const HlTreeLoop *loop = tree->loops; loop < tree->loops + tree->n_loops; loop++, arm += 2) {
    const HlFrame *fi = &frames[arm[0].frame], *fj = &frames[arm[1].frame];
    if (loop->is_point) {
      values[at] = fi->r[0] + arm[0].arm[0] - (fj->r[0] + arm[1].arm[0]);
      largest = hl_larger (fabs (values[at]), largest);
      poison += 0.0 * values[at++];
      values[at] = fi->r[1] + arm[0].arm[1] - (fj->r[1] + arm[1].arm[1]);
    } else
      values[at] = hl_row_value (&mech->rows[arm[0].row], fi, fj);
    largest = hl_larger (fabs (values[at]), largest);
    poison += 0.0 * values[at++];
  }
  return poison == 0.0 ? largest : NAN;
}

/* The largest place, and the length of the island at least. [m] */
static double farthest_of (const HlIsland *island, const HlFrame frames[]) {
  double farthest = island->length;

  for (int k = 0; k < island->n_bodies; k++) {
    const HlFrame *frame = &frames[island->bodies[k] + 1];
    farthest = hl_larger (fabs (frame->r[0]), farthest);
    farthest = hl_larger (fabs (frame->r[1]), farthest);
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
    hl_tree_solve_loops (iw, tree->q, c);
    double size = 0.0;
    for (int k = 0; k < tree->q; k++) {
      int body = island->bodies[tree->turning[k]];
      x[3 * body + 2] -= c[k];
      turn (body, x, &tree->turns[tree->turning[k]], &frames[body + 1]);
      size = hl_larger (fabs (c[k]) * island->length, size);
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
    turn (island->bodies[body], x, &tree->turns[body], &frames[tree->frame[body]]);
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
