/* SPDX-License-Identifier: MIT */
/* Positions of an island from its independent coordinates. The sign of det C_xd distinguishes the branches that meet in
 * a dead point, since it changes there only; a correction much longer than the error of the tangent reveals all other
 * changes of the branch. A position that fails either test is computed again from the last position in steps, which are
 * halved while they fail. At a change point, where two branches cross, the sign changes on the branch itself: it is
 * passed straight on, along the tangent, from a place where rounding leaves the tangent right to another one, and
 * positions next to it come from those around it (hl-change-point.c). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-minmax.h"
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse.h"
#include "core/mech/hl-island-tree.h"

#define FARTHEST 0.25  /* correction of a step, in rad or lengths of the island */
#define STRAIGHT 0.1   /* correction over tangent of a step that goes straight on */
#define ARRIVED 1.0e-9 /* correction of a step without a way */
#define CLEAR 1.0e-4   /* pivots over those at first, on both sides of a change point */
/* Limits of Newton's method near singular positions of joints, where it leads from one branch to the other:
 * poses that are this far apart [rad, or lengths of the island], and this many times as far as their joints
 * are open, are not connected by it. */
#define APART 1.0e-3
#define GAPE 1.0e3
#define SHORTEST 1.0e-6   /* part of a way below which the branch has ended */
#define MOST_WALKED 10000 /* steps of a walk */

void hl_island_set_poses (const HlIsland *island, const double x[], HlFrame frames[]) {
  for (int k = 0; k < island->n_bodies; k++) {
    int body = island->bodies[k];
    HlFrame *frame = &frames[body + 1];
    frame->r[0] = x[3 * body];
    frame->r[1] = x[3 * body + 1];
    frame->psi = x[3 * body + 2];
    frame->c = cos (frame->psi);
    frame->s = sin (frame->psi);
  }
}

double hl_island_kept_values (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                              const HlIslandWork *iw, double values[]) {
  double largest = 0.0, poison = 0.0;

  for (int k = 0; k < iw->m; k++) {
    const HlRow *row = &mech->rows[island->rows[iw->kept[k]]];
    const HlFrame *fi = hl_frame_of (frames, row->body_i), *fj = hl_frame_of (frames, row->body_j);
    if (k + 1 < iw->m && iw->begins_point[iw->kept[k]] && iw->kept[k + 1] == iw->kept[k] + 1) {
      hl_row_point_value (row, fi, fj, values + k);
      largest = hl_max (fabs (values[k]), largest);
      poison += 0.0 * values[k++];
    } else
      values[k] = hl_island_row_value (iw, row, iw->kept[k], fi, fj);
    largest = hl_max (fabs (values[k]), largest);
    poison += 0.0 * values[k];
  }
  return poison == 0.0 ? largest : NAN;
}

/* Computes into iw->carried the change of the dep coordinates along the tangent at x_last by the change of
 * the drives. */
static void carry_along (HlIslandWork *iw) {
  for (int k = 0; k < iw->n_rows; k++)
    iw->drive_way[k] = iw->drive[3 * k] - iw->drive_last[k];
  hl_island_dependent_solve (iw, iw->drive_way, iw->carried);
}

/* Computes move[m], the change of the dep coordinates along the tangent at x_last while the independent ones
 * continue to goal[n]; with drives plus iw->carried. */
static void move_sparse (const double goal[], HlIslandWork *iw, double move[]) {
  double *out = iw->scratch + 4 * iw->n;

  memset (out, 0, (size_t)iw->n * sizeof *out);
  for (int j = 0; j < iw->f; j++)
    out[iw->ai[j]] = goal[iw->ai[j]] - iw->x_last[iw->ai[j]];
  for (int j = 0; j < iw->l; j++)
    out[iw->ad[j]] = goal[iw->ad[j]] - iw->x_last[iw->ad[j]];
  hl_island_sparse_follow (iw, out);
  for (int k = 0; k < iw->m; k++)
    move[k] = out[iw->dep[k]] + (iw->is_driven ? iw->carried[iw->dep[k]] : 0.0);
}

static void predict_sparse (const HlIsland *island, double x[], HlIslandWork *iw) {
  double *move = iw->scratch + iw->n, *goal = iw->scratch + 2 * iw->n;

  if (iw->is_driven)
    carry_along (iw);
  for (int j = 0; j < iw->f; j++)
    goal[iw->ai[j]] = x[iw->column[iw->ai[j]]];
  for (int j = 0; j < iw->l; j++)
    goal[iw->ad[j]] = x[iw->column[iw->ad[j]]];
  move_sparse (goal, iw, move);
  for (int k = 0; k < iw->m; k++) {
    move[k] += iw->x_last[iw->dep[k]];
    x[iw->column[iw->dep[k]]] = move[k];
  }
}

/* Predicts the dep coordinates along the tangent at x_last: Newton's method then starts with a second-order
 * error. They are left in scratch + n too. */
static void predict (const HlIsland *island, double x[], HlIslandWork *iw) {
  double *move = iw->scratch + iw->n;

  if (iw->sparse != NULL) {
    predict_sparse (island, x, iw);
    return;
  }

  double *step = iw->scratch + 2 * iw->n;
  if (iw->is_driven)
    carry_along (iw);
  for (int j = 0; j < iw->f + iw->l; j++) {
    int column = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
    step[j] = x[iw->column[column]] - iw->x_last[column];
  }
  for (int k = 0; k < iw->m; k++) {
    int column = iw->dep[k];
    double sum = iw->is_driven ? iw->carried[column] : 0.0;
    for (int j = 0; j < iw->f + iw->l; j++)
      sum += iw->X[j * iw->n + column] * step[j];
    move[k] = sum + iw->x_last[column];
    x[iw->column[column]] = move[k];
  }
}

/* Distances of a dependent coordinate: its correction by Newton's method from the tangent's prediction, and
 * the move by the tangent from x_last. */
typedef struct {
  double correction, tangent; /* [rad] or lengths of the island */
} Reach;

static Reach reach_of (const HlIsland *island, const double x[], const HlIslandWork *iw) {
  const double *predicted = iw->scratch + iw->n;
  double per_length = 1.0 / island->length;
  Reach reach = {0.0, 0.0};

  for (int k = 0; k < iw->m; k++) {
    int column = iw->dep[k];
    double weight = column % 3 == 2 ? 1.0 : per_length;
    reach.correction = hl_max (fabs (x[iw->column[column]] - predicted[k]) * weight, reach.correction);
    reach.tangent = hl_max (fabs (predicted[k] - iw->x_last[column]) * weight, reach.tangent);
  }
  return reach;
}

/* Returns the largest place, and the length of the island at least. [m] */
static double farthest_of (const HlIsland *island, const double x[], const HlIslandWork *iw) {
  double farthest = island->length;

  for (int k = 0; k < iw->n; k++)
    if (k % 3 != 2 && fabs (x[iw->column[k]]) > farthest)
      farthest = fabs (x[iw->column[k]]);
  return farthest;
}

/* Closes the joints, with chord steps while they converge. */
HlStatus hl_island_close_joints (const HlMechanism *mech, const HlIsland *island, double x[],
                                 HlFrame frames[], HlIslandWork *iw) {
  if (iw->sparse == NULL && iw->plan_lists != NULL)
    hl_island_plan (mech, island, iw);
  if (hl_island_is_tree (iw))
    return hl_island_tree_close (mech, island, x, frames, iw);
  double *c = iw->scratch, last = INFINITY, farthest = farthest_of (island, x, iw);

  hl_island_set_poses (island, x, frames);
  for (int step = 0; step < HL_MOST_CLOSING_STEPS && iw->m > 0; step++) {
    double residual = hl_island_kept_values (mech, island, frames, iw, c);
    if (isnan (residual))
      return HL_NOT_FINITE;
    if (iw->has_lu && residual <= DBL_EPSILON * farthest)
      break; /* the tangent has met them to rounding */
    if (!iw->has_lu) {
      HlStatus status = hl_island_factor (mech, island, frames, iw);
      if (status != HL_OK)
        return status;
    }
    hl_island_solve (iw, c);
    double size = 0.0, extent = 1.0e-300;
    for (int k = 0; k < iw->m; k++) {
      double *coordinate = &x[iw->column[iw->dep[k]]];
      bool is_angle = iw->dep[k] % 3 == 2;
      double unit = is_angle ? island->length : 1.0;
      *coordinate -= c[k];
      size = hl_max (fabs (c[k]) * unit, size);
      extent = hl_max (extent, is_angle ? island->length : fabs (*coordinate));
    }
    hl_island_set_poses (island, x, frames);
    if (size <= 2.0 * DBL_EPSILON * extent)
      break;
    if (size >= 0.5 * last && (size <= 1.0e-13 * extent || residual <= HL_CLOSED * farthest))
      break; /* rounding: it will not get better */
    if (size > 0.2 * last || step == 6 || step == 12)
      iw->has_lu = false; /* the chord is too old, or far from the solution */
    last = size;
    if (step == HL_MOST_CLOSING_STEPS - 1)
      return HL_NO_CONVERGENCE;
  }
  return HL_OK;
}

/* Returns the same of a tree, predicted[n] by local column. */
static Reach reach_of_tree (const HlIsland *island, const double x[], const HlIslandWork *iw,
                            const double predicted[]) {
  const double *weight = iw->tree->weight, *last = iw->x_last;
  double per_length = 1.0 / island->length, place = 0.0, angle = 0.0, far = 0.0, turned = 0.0;

  for (int k = 0; k < island->n_bodies; k++, predicted += 3, last += 3, weight += 3) {
    const double *at = x + 3 * island->bodies[k];
    place = hl_max (fabs (at[0] - predicted[0]), place);
    place = hl_max (fabs (at[1] - predicted[1]), place);
    angle = hl_max (fabs (at[2] - predicted[2]) * weight[2], angle);
    far = hl_max (fabs (predicted[0] - last[0]), far);
    far = hl_max (fabs (predicted[1] - last[1]), far);
    turned = hl_max (fabs (predicted[2] - last[2]) * weight[2], turned);
  }
  return (Reach){hl_max (place * per_length, angle), hl_max (far * per_length, turned)};
}

/* Closes the joints from the prediction by the tangent at x_last. */
static HlStatus follow_tangent (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                                HlIslandWork *iw, Reach *reach) {
  if (iw->sparse == NULL && iw->plan_lists != NULL)
    hl_island_plan (mech, island, iw);
  if (hl_island_is_tree (iw)) {
    double *predicted = iw->scratch + iw->n;
    hl_island_tree_predict (island, x, iw, predicted);
    HlStatus closed = hl_island_tree_close (mech, island, x, frames, iw);
    *reach = reach_of_tree (island, x, iw, predicted);
    return closed == HL_OK && !(reach->correction <= FARTHEST) ? HL_NO_CONVERGENCE : closed;
  }
  predict (island, x, iw);
  HlStatus status = hl_island_close_joints (mech, island, x, frames, iw);
  *reach = reach_of (island, x, iw);
  return status == HL_OK && !(reach->correction <= FARTHEST) ? HL_NO_CONVERGENCE : status;
}

/* Makes one step from x_last, which it moves on success. */
static HlStatus step_once (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                           HlIslandWork *iw) {
  bool was_bridged = iw->is_bridged;
  double ratio = iw->has_lu ? hl_island_pivot_ratio (iw) : iw->pivot_ratio;
  Reach reach;
  HlStatus status = follow_tangent (mech, island, x, frames, iw, &reach);

  if (status == HL_OK) {
    if (hl_island_is_tree (iw))
      iw->tree->knows_arms = true;
    status = hl_island_kinematics (mech, island, frames, iw);
  }
  if (status != HL_OK)
    return status;
  if (was_bridged && reach.correction > STRAIGHT * reach.tangent + ARRIVED)
    return HL_DEAD_POINT;
  if (iw->branch != 0 && iw->side != iw->branch) {
    ratio = fmin (ratio, hl_island_pivot_ratio (iw));
    if (reach.correction > STRAIGHT * reach.tangent || ratio < CLEAR * iw->pivot_ratio)
      return HL_DEAD_POINT;
  }
  iw->branch = iw->side;
  for (int k = 0; k < island->n_bodies; k++)
    memcpy (iw->x_last + 3 * k, x + 3 * island->bodies[k], 3 * sizeof (double));
  iw->is_at_last = true;
  hl_island_note_drive (iw);
  return HL_OK;
}

/* Returns to x_last and computes the kinematics there. */
static HlStatus go_back (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                         HlIslandWork *iw) {
  for (int k = 0; k < iw->n; k++)
    x[iw->column[k]] = iw->x_last[k];
  hl_island_set_poses (island, x, frames);
  HlStatus status = hl_island_kinematics (mech, island, frames, iw);
  iw->branch = iw->side;
  return status;
}

/* Returns the movement of the dep coordinates when the whole rest of the way is gone along the tangent. */
static double tangent_way (const HlIsland *island, const double goal[], HlIslandWork *iw) {
  double largest = 0.0, *move = iw->scratch + iw->n;

  if (iw->is_driven)
    carry_along (iw);
  if (iw->sparse != NULL) {
    move_sparse (goal, iw, move);
    for (int k = 0; k < iw->m; k++)
      largest = fmax (largest, fabs (move[k]) / hl_island_unit (island, iw->dep[k]));
    return largest;
  }
  for (int k = 0; k < iw->m; k++) {
    double sum = iw->is_driven ? iw->carried[iw->dep[k]] : 0.0;
    for (int j = 0; j < iw->f + iw->l; j++) {
      int column = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
      sum += iw->X[j * iw->n + iw->dep[k]] * (goal[column] - iw->x_last[column]);
    }
    largest = fmax (largest, fabs (sum) / hl_island_unit (island, iw->dep[k]));
  }
  return largest;
}

/* Puts the drives at a part of their way, 1 = all of it. */
static void drive_to (HlIslandWork *iw, double part) {
  const double *goal = iw->drive_way + iw->n_rows, *from = goal + iw->n_rows;

  for (int k = 0; k < iw->n_rows && iw->is_driven; k++)
    iw->drive[3 * k] = part < 1.0 ? from[k] + part * (goal[k] - from[k]) : goal[k];
}

static void begin_drive (HlIslandWork *iw) {
  double *goal = iw->drive_way + iw->n_rows, *from = goal + iw->n_rows;

  for (int k = 0; k < iw->n_rows && iw->is_driven; k++) {
    goal[k] = iw->drive[3 * k];
    from[k] = iw->drive_last[k];
  }
}

/* Moves from x_last to the independent coordinates in `goal` along the straight line between them. */
static HlStatus walk_on (const HlMechanism *mech, const HlIsland *island, const double goal[], double x[],
                         HlFrame frames[], HlIslandWork *iw) {
  double *from = iw->way + iw->n, done = 0.0, step = 0.5;
  HlStatus status = go_back (mech, island, x, frames, iw);

  memcpy (from, iw->x_last, (size_t)iw->n * sizeof (double));
  begin_drive (iw);
  for (int count = 0; status == HL_OK && done < 1.0; count++) {
    if (hl_island_is_cancelled (iw))
      return HL_CANCELLED;
    drive_to (iw, 1.0);
    double tangent = tangent_way (island, goal, iw), next = fmin (1.0, done + step);
    if (tangent * (next - done) > FARTHEST * (1.0 - done))
      next = done + (1.0 - done) * FARTHEST / tangent; /* steep next to a dead point */
    if (next < 1.0 && next - done < SHORTEST)
      return HL_DEAD_POINT; /* a slider that runs off for ever has no last step */
    for (int j = 0; j < iw->f + iw->l; j++) {
      int column = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
      x[iw->column[column]] = next < 1.0 ? from[column] + next * (goal[column] - from[column]) : goal[column];
    }
    drive_to (iw, next);
    iw->has_lu = false; /* a chord of the last position would overshoot here */
    status = step_once (mech, island, x, frames, iw);
    if (status == HL_OK) {
      done = next;
      step = fmin (2.0 * step, 0.5);
      continue;
    }
    if (status == HL_NOT_FINITE)
      break;
    status = go_back (mech, island, x, frames, iw);
    step = 0.5 * (next - done);
    if (step < SHORTEST || count > MOST_WALKED)
      return HL_DEAD_POINT;
  }
  return status;
}

static HlStatus continue_to_goal (const HlMechanism *mech, const HlIsland *island, const double goal[],
                                  double x[], HlFrame frames[], HlIslandWork *iw) {
  HlStatus status = walk_on (mech, island, goal, x, frames, iw);

  drive_to (iw, 1.0); /* wherever it has ended */
  return status;
}

/* Passes a change point if the branch of the last clear position continues straight through one. */
static bool go_across (const HlMechanism *mech, const HlIsland *island, const double goal[], double x[],
                       HlFrame frames[], HlIslandWork *iw) {
  /* the way over a change point is one of the independent coordinates alone */
  if (iw->is_driven || !iw->has_clear || !hl_island_bridge (mech, island, goal, x, frames, iw))
    return false;
  for (int k = 0; k < iw->n; k++)
    iw->x_last[k] = x[iw->column[k]];
  iw->branch = 0; /* the sign is rounding here */
  return true;
}

static void note_clear (HlIslandWork *iw) {
  iw->clear_ratio = fmax (iw->clear_ratio, hl_island_pivot_ratio (iw));
  memcpy (iw->x_clear, iw->x_last, (size_t)iw->n * sizeof (double));
  iw->has_clear = true;
  iw->n_refused = 0;
}

/* Returns to sparse matrices after a change point, which only the dense matrices pass. */
static HlStatus be_sparse_again (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                 HlIslandWork *iw) {
  double dense = hl_island_pivot_ratio (iw);

  hl_island_go_sparse (iw);
  HlStatus status = hl_island_kinematics (mech, island, frames, iw);
  if (status != HL_OK)
    return status;
  iw->branch = iw->side;
  iw->pivot_ratio *= hl_island_pivot_ratio (iw) / dense;
  iw->clear_ratio *= hl_island_pivot_ratio (iw) / dense;
  return HL_OK;
}

/* Returns whether the island is at the goal already: a Jacobian is evaluated at the point of the last
 * right-hand side. */
static bool stands_there (const HlIslandWork *iw, const double goal[]) {
  if (iw->is_driven || iw->branch == 0 || !iw->is_at_last)
    return false;
  for (int j = 0; j < iw->f; j++)
    if (goal[iw->ai[j]] != iw->x_last[iw->ai[j]])
      return false;
  return true;
}

/* Returns to x_last and returns whether the joints are closed there, which need not be so for a drawn pose,
 * or a length that was changed since. */
static bool is_closed_at_last (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                               HlIslandWork *iw) {
  for (int k = 0; k < iw->n; k++)
    x[iw->column[k]] = iw->x_last[k];
  hl_island_set_poses (island, x, frames);
  return iw->m == 0 || hl_island_kept_values (mech, island, frames, iw, iw->scratch) <=
                           HL_CLOSED * farthest_of (island, x, iw);
}

HlStatus hl_island_place (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                          HlIslandWork *iw) {
  double *goal = iw->way;

  for (int j = 0; j < iw->f + iw->l; j++) {
    int column = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
    goal[column] = x[iw->column[column]];
    if (!isfinite (goal[column]))
      return HL_NOT_FINITE;
  }
  if (iw->sparse != NULL && !hl_island_sparse_has_tangent (iw)) {
    go_back (mech, island, x, frames, iw); /* the last call has failed somewhere on its way */
    for (int j = 0; j < iw->f; j++)
      x[iw->column[iw->ai[j]]] = goal[iw->ai[j]];
  }
  if (iw->sparse != NULL && stands_there (iw, goal) && is_closed_at_last (mech, island, x, frames, iw))
    return HL_OK;
  bool was_bridged = iw->is_bridged;
  HlStatus status = step_once (mech, island, x, frames, iw);
  if (status == HL_NOT_FINITE)
    return status;
  if (status != HL_OK || (!iw->is_driven && hl_island_is_near_change_point (iw))) {
    if (go_across (mech, island, goal, x, frames, iw))
      return HL_OK;
    if (hl_island_is_cancelled (iw))
      return HL_CANCELLED;
    if (status == HL_OK)
      return go_back (mech, island, x, frames, iw); /* to what the direct way had found */
    if (was_bridged) {                              /* a shorter step will do */
      memcpy (goal, iw->x_last, (size_t)iw->n * sizeof (double));
      go_across (mech, island, goal, x, frames, iw);
      return status;
    }
  } else {
    note_clear (iw);
    if (iw->large != NULL && iw->sparse == NULL)
      return be_sparse_again (mech, island, frames, iw);
  }
  if (status == HL_OK)
    return HL_OK;
  return continue_to_goal (mech, island, goal, x, frames, iw);
}

/* Returns the largest difference of the dep coordinates of x from placed[n]. */
static double difference (const HlIsland *island, const double x[], const double placed[],
                          const HlIslandWork *iw) {
  double largest = 0.0;

  for (int k = 0; k < iw->m; k++)
    largest = fmax (largest, fabs (x[iw->column[iw->dep[k]]] - placed[iw->dep[k]]) /
                                 hl_island_unit (island, iw->dep[k]));
  return largest;
}

double hl_island_distance (const HlMechanism *mech, const HlIsland *island, double x[], const double other[],
                           HlFrame frames[], HlIslandWork *iw) {
  double *placed = iw->way;

  for (int k = 0; k < iw->n; k++)
    placed[k] = x[iw->column[k]];
  double far = difference (island, other, placed, iw);
  if (far <= ARRIVED)
    return 0.0;
  for (int k = 0; k < iw->m; k++)
    x[iw->column[iw->dep[k]]] = other[iw->column[iw->dep[k]]];
  hl_island_set_poses (island, x, frames);
  double open = hl_island_kept_values (mech, island, frames, iw, iw->scratch) / island->length;
  if (far <= APART || far <= GAPE * open) {
    iw->has_lu = false; /* a chord of the one branch leads astray on the other */
    HlStatus status = hl_island_close_joints (mech, island, x, frames, iw);
    far = status == HL_OK ? difference (island, x, placed, iw) : INFINITY;
  }
  iw->has_lu = iw->is_at_last = false;
  for (int k = 0; k < iw->n; k++)
    x[iw->column[k]] = placed[k];
  hl_island_set_poses (island, x, frames);
  return far;
}

int hl_island_fastest_body (const HlIsland *island, const HlIslandWork *iw) {
  double most = -1.0;
  int body = island->bodies[0];

  for (int j = 0; j < iw->f + iw->l; j++) {
    int column = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
    const double *X = hl_island_position_column (iw, j);
    for (int k = 0; k < iw->m; k++) {
      double rate =
          fabs (X[iw->dep[k]]) * hl_island_unit (island, column) / hl_island_unit (island, iw->dep[k]);
      if (rate > most) {
        most = rate;
        body = island->bodies[iw->dep[k] / 3];
      }
    }
  }
  return body;
}
