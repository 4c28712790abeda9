/* SPDX-License-Identifier: MIT */
/* At a change point two branches of a linkage cross: a parallelogram in line might continue as an
 * antiparallelogram. The joints do not say how it continues, the motion does: straight. Along a
 * branch positions and their tangents are smooth right through the point; only their equations
 * become singular there, and rounding spoils X as 1/distance^2.
 *
 * So positions there come from those around them, on a line across the singular ones
 * (theory/stabilization.md (3)):
 *
 *   x     = sum w_k x_k
 *   X     = sum w_k X_k
 *   gamma = sum w_k gamma_k
 *
 * with Lagrange's weights w_k, the places found one after the other from the last clear position,
 * each from where those before it lead. Three things can be there instead of a change point, and
 * are refused: the end of a branch (there is no place beyond), a branch that turns sharply off (the
 * places beyond belong to another one, and the joints are not closed in between), and two change
 * points at once. */
#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/mech/hl-island-private.h"

#define MOST_NODES 10
#define LEAST_NODES 6
#define LEAST_ON_A_SIDE 2
#define SPACING 1.0e-2 /* of nodes, in rad or lengths of the island */
/* Pivots over the largest so far, below which a position counts as near a singular one, and below
 * which a node cannot be relied on either. */
#define NEAR 2.0e-2
#define UNRELIABLE 2.5e-3
/* Maximum deviation of a node from the extrapolation of those before it, as a part of the spacing; larger for
 * the first two, which are predicted by a tangent only. */
#define ASTRAY 0.1
#define ASTRAY_AT_FIRST 0.5
#define CLOSED 1.0e-10    /* joints at a bridged position, of the island's length */
#define MOST_REFUSED 30   /* times in a row: it is no change point then */
#define SLOPE_STEP 1.0e-3 /* for the direction across */

typedef struct {
  HlIslandWork *work; /* regular kinematics there; its x_last is the position */
  double at;          /* along the line, from the given position, in spacings */
  double weight;
} Node;

struct HlBridge {
  HlArena arena;              /* of itself and its arrays */
  Node nodes[MOST_NODES + 1]; /* one more to look around with */
  int n;
  double *x;       /* 3 n_bodies: global coordinates */
  HlFrame *frames; /* of the whole mechanism */
  double *across;  /* n local columns: direction of the line, a spacing long */
  double *line;    /* n: goal of a node */
};

void hl_island_bridge_free (HlBridge *bridge) {
  if (bridge == NULL)
    return;
  for (int k = 0; k <= MOST_NODES; k++)
    hl_island_work_free (bridge->nodes[k].work);
  HlArena arena = bridge->arena;
  hl_arena_clear (&arena);
}

/* Allocates the bridge, the only allocation of a run after its start, at its first change point, unless it
 * was requested before. */
void hl_island_bridge_make (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  if (iw->bridge != NULL)
    return;
  HlArena own = hl_arena_beside (&iw->arena);
  HlBridge *bridge = hl_arena_take (&own, 1, sizeof *bridge);
  HlArena *arena = &bridge->arena;
  *arena = own;
  for (int k = 0; k <= MOST_NODES; k++) {
    bridge->nodes[k].work = hl_island_work_new_beside (&iw->arena, island);
    hl_island_be_small (bridge->nodes[k].work);
  }
  bridge->x = hl_arena_take (arena, 3 * mech->n_bodies, sizeof (double));
  bridge->frames = hl_arena_take (arena, mech->n_bodies + 1, sizeof (HlFrame));
  bridge->across = hl_arena_take (arena, iw->n, sizeof (double));
  bridge->line = hl_arena_take (arena, iw->n, sizeof (double));
  iw->bridge = bridge;
}

static int independent_column (const HlIslandWork *iw, int j) {
  return j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];
}

static double ratio_of (const HlIslandWork *iw) {
  return hl_island_pivot_ratio (iw);
}

bool hl_island_is_near_change_point (const HlIslandWork *iw) {
  return ratio_of (iw) < NEAR * iw->clear_ratio;
}

static void copy_partition (const HlIslandWork *from, HlIslandWork *to) {
  to->m = from->m;
  to->l = from->l;
  to->f = from->f;
  memcpy (to->kept, from->kept, (size_t)(from->m + from->l) * sizeof (int));
  memcpy (to->ai, from->ai, (size_t)from->f * sizeof (int));
  memcpy (to->ad, from->ad, (size_t)from->l * sizeof (int));
  memcpy (to->dep, from->dep, (size_t)from->m * sizeof (int));
  to->has_lu = to->has_clear = to->is_bridged = false;
  to->pivot_ratio = from->pivot_ratio;
}

static void set_x_last (const HlIsland *island, const double x[], HlIslandWork *iw) {
  for (int k = 0; k < iw->n; k++)
    iw->x_last[k] = x[hl_island_column (island, k)];
}

/* Returns the spare node at x_clear, with the kinematics there. */
static HlIslandWork *stand_clear (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  HlBridge *bridge = iw->bridge;
  HlIslandWork *spare = bridge->nodes[MOST_NODES].work;

  copy_partition (iw, spare);
  memcpy (spare->x_last, iw->x_clear, (size_t)iw->n * sizeof (double));
  for (int k = 0; k < iw->n; k++)
    bridge->x[hl_island_column (island, k)] = iw->x_clear[k];
  hl_island_set_poses (island, bridge->x, bridge->frames);
  if (hl_island_kinematics (mech, island, bridge->frames, spare) != HL_OK)
    return NULL;
  spare->branch = spare->side;
  return spare;
}

/* Switches to the dense matrices, whose pivots are used from then on. */
static bool leave_sparse (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  HlBridge *bridge = iw->bridge;

  for (int k = 0; k < iw->n; k++)
    bridge->x[hl_island_column (island, k)] = iw->x_clear[k];
  hl_island_set_poses (island, bridge->x, bridge->frames);
  if (hl_island_factor (mech, island, bridge->frames, iw) != HL_OK)
    return false;
  double sparse = ratio_of (iw);
  hl_island_go_dense (iw);
  if (hl_island_factor (mech, island, bridge->frames, iw) != HL_OK)
    return false;
  iw->pivot_ratio *= ratio_of (iw) / sparse;
  iw->clear_ratio *= ratio_of (iw) / sparse;
  iw->has_lu = false;
  return true;
}

/* Finds the direction away from a change point. With one independent coordinate there is one direction; with
 * more, the one in which the pivots fall fastest from x_clear. Points away from x_clear as seen from the
 * goal. */
static bool find_direction (const HlMechanism *mech, const HlIsland *island, const double goal[],
                            HlIslandWork *iw) {
  HlBridge *bridge = iw->bridge;
  int width = iw->f + iw->l;
  double size = 0.0, ahead = 0.0;

  memset (bridge->across, 0, (size_t)iw->n * sizeof (double));
  for (int j = 0; j < width; j++) {
    int column = independent_column (iw, j);
    double slope = 1.0;
    if (hl_island_is_cancelled (iw))
      return false;
    if (width > 1) {
      HlIslandWork *spare = stand_clear (mech, island, iw);
      if (spare == NULL)
        return false;
      double here = ratio_of (spare);
      bridge->x[hl_island_column (island, column)] += SLOPE_STEP * hl_island_unit (island, column);
      if (hl_island_place (mech, island, bridge->x, bridge->frames, spare) != HL_OK)
        return false;
      slope = ratio_of (spare) - here;
    }
    bridge->across[column] = slope;
    size += slope * slope;
  }
  if (!(size > 0.0))
    return false;
  for (int j = 0; j < width; j++) {
    int column = independent_column (iw, j);
    double unit = hl_island_unit (island, column), part = bridge->across[column] / sqrt (size);
    ahead += part * (goal[column] - iw->x_clear[column]) / unit;
    bridge->across[column] = SPACING * unit * part;
  }
  for (int j = 0; j < width && ahead < 0.0; j++)
    bridge->across[independent_column (iw, j)] *= -1.0;
  return true;
}

/* Extrapolates a dep column to `at`: Lagrange's polynomial through the places found so far, the tangent when
 * there is but one. */
static double extrapolate_column (const HlBridge *bridge, const HlIslandWork *iw, int column, double at) {
  double sum = 0.0;

  if (bridge->n == 1) {
    const Node *node = &bridge->nodes[0];
    for (int j = 0; j < iw->f + iw->l; j++)
      sum += node->work->X[j * iw->n + column] * bridge->across[independent_column (iw, j)];
    return node->work->x_last[column] + (at - node->at) * sum;
  }
  for (int k = 0; k < bridge->n; k++) {
    double share = 1.0;
    for (int i = 0; i < bridge->n; i++)
      if (i != k)
        share *= (at - bridge->nodes[i].at) / (bridge->nodes[k].at - bridge->nodes[i].at);
    sum += share * bridge->nodes[k].work->x_last[column];
  }
  return sum;
}

/* Places the first node on this side, reached from x_clear. */
static HlStatus place_first (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw,
                             HlIslandWork *at) {
  HlBridge *bridge = iw->bridge;
  HlIslandWork *spare = stand_clear (mech, island, iw);

  if (spare == NULL)
    return HL_SINGULAR;
  for (int j = 0; j < iw->f + iw->l; j++) {
    int column = independent_column (iw, j);
    bridge->x[hl_island_column (island, column)] = bridge->line[column];
  }
  HlStatus status = hl_island_place (mech, island, bridge->x, bridge->frames, spare);
  if (status != HL_OK)
    return status;
  copy_partition (iw, at);
  set_x_last (island, bridge->x, at);
  return hl_island_kinematics (mech, island, bridge->frames, at);
}

/* Computes another node, predicted from those before it. */
static HlStatus place_next (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw, Node *node) {
  HlBridge *bridge = iw->bridge;
  double limit = SPACING * (bridge->n < 3 ? ASTRAY_AT_FIRST : ASTRAY), astray = 0.0;

  copy_partition (iw, node->work);
  for (int k = 0; k < iw->n; k++)
    bridge->x[hl_island_column (island, k)] = bridge->line[k];
  for (int k = 0; k < iw->m; k++)
    bridge->x[hl_island_column (island, iw->dep[k])] = extrapolate_column (bridge, iw, iw->dep[k], node->at);
  hl_island_set_poses (island, bridge->x, bridge->frames);
  HlStatus status = hl_island_close_joints (mech, island, bridge->x, bridge->frames, node->work);
  for (int k = 0; k < iw->m; k++)
    astray = fmax (astray, fabs (bridge->x[hl_island_column (island, iw->dep[k])] -
                                 extrapolate_column (bridge, iw, iw->dep[k], node->at)) /
                               hl_island_unit (island, iw->dep[k]));
  if (status == HL_OK && !(astray <= limit))
    status = HL_NO_CONVERGENCE;
  if (status == HL_OK)
    status = hl_island_kinematics (mech, island, bridge->frames, node->work);
  set_x_last (island, bridge->x, node->work);
  return status;
}

/* Places nodes from behind the goal to beyond it. A node next to the singular position is left out.
 */
static bool place_nodes (const HlMechanism *mech, const HlIsland *island, const double goal[],
                         HlIslandWork *iw) {
  HlBridge *bridge = iw->bridge;
  int n_beyond = 0;

  bridge->n = 0;
  for (int k = 0; k < MOST_NODES; k++) {
    Node *node = &bridge->nodes[bridge->n];
    node->at = k < MOST_NODES / 2 ? k - MOST_NODES / 2 : k - MOST_NODES / 2 + 1;
    memcpy (bridge->line, goal, (size_t)iw->n * sizeof (double));
    for (int j = 0; j < iw->f + iw->l; j++)
      bridge->line[independent_column (iw, j)] += node->at * bridge->across[independent_column (iw, j)];
    if (hl_island_is_cancelled (iw))
      return false;
    HlStatus status =
        bridge->n == 0 ? place_first (mech, island, iw, node->work) : place_next (mech, island, iw, node);
    bool is_reliable = status == HL_OK && ratio_of (node->work) >= UNRELIABLE * iw->clear_ratio;
    if (!is_reliable && status != HL_SINGULAR && ratio_of (node->work) >= UNRELIABLE * iw->clear_ratio)
      return false; /* nothing there, or something else */
    bridge->n += is_reliable;
    n_beyond += is_reliable && node->at > 0.0;
  }
  return bridge->n >= LEAST_NODES && n_beyond >= LEAST_ON_A_SIDE && bridge->n - n_beyond >= LEAST_ON_A_SIDE;
}

static void weigh_nodes (HlBridge *bridge) {
  for (int k = 0; k < bridge->n; k++) {
    double weight = 1.0;
    for (int i = 0; i < bridge->n; i++)
      if (i != k)
        weight *= bridge->nodes[i].at / (bridge->nodes[i].at - bridge->nodes[k].at);
    bridge->nodes[k].weight = weight;
  }
}

/* Returns the nearest node, whose C_lu is used for multipliers where this one is singular. */
static const Node *nearest_node (const HlBridge *bridge) {
  const Node *best = &bridge->nodes[0];

  for (int k = 1; k < bridge->n; k++)
    if (fabs (bridge->nodes[k].at) < fabs (best->at))
      best = &bridge->nodes[k];
  return best;
}

static bool interpolate (const HlMechanism *mech, const HlIsland *island, const double goal[], double x[],
                         HlFrame frames[], HlIslandWork *iw) {
  const HlBridge *bridge = iw->bridge;
  size_t entries = (size_t)(iw->n * (iw->f + iw->l));

  for (int j = 0; j < iw->f + iw->l; j++)
    x[hl_island_column (island, independent_column (iw, j))] = goal[independent_column (iw, j)];
  memset (iw->X, 0, entries * sizeof (double));
  for (int k = 0; k < iw->m; k++)
    x[hl_island_column (island, iw->dep[k])] = 0.0;
  for (int k = 0; k < bridge->n; k++) {
    const Node *node = &bridge->nodes[k];
    for (size_t i = 0; i < entries; i++)
      iw->X[i] += node->weight * node->work->X[i];
    for (int i = 0; i < iw->m; i++)
      x[hl_island_column (island, iw->dep[i])] += node->weight * node->work->x_last[iw->dep[i]];
  }
  hl_island_set_poses (island, x, frames);
  if (!(hl_island_kept_values (mech, island, frames, iw, iw->scratch) <= CLOSED * island->length))
    return false;
  if (hl_island_factor (mech, island, frames, iw) != HL_OK || ratio_of (iw) < CLOSED * iw->clear_ratio) {
    const HlIslandWork *near = nearest_node (bridge)->work;
    memcpy (iw->C_lu, near->C_lu, (size_t)(iw->m * iw->m) * sizeof (double));
    memcpy (iw->C_pivots, near->C_pivots, (size_t)iw->m * sizeof (int));
    iw->C_ratio = near->C_ratio;
    hl_lu_plan_forget (&iw->plan);
  }
  iw->has_lu = false;
  return hl_island_reduce (mech, island, frames, iw) == HL_OK;
}

bool hl_island_bridge (const HlMechanism *mech, const HlIsland *island, const double goal[], double x[],
                       HlFrame frames[], HlIslandWork *iw) {
  hl_island_bridge_make (mech, island, iw);
  HlBridge *bridge = iw->bridge;

  if (iw->f + iw->l == 0 || !iw->has_clear || iw->n_refused > MOST_REFUSED)
    return false;
  bridge->frames[0] = frames[0];
  iw->is_bridged = false;
  if (iw->sparse != NULL && !leave_sparse (mech, island, iw))
    return false;
  if (find_direction (mech, island, goal, iw) && place_nodes (mech, island, goal, iw)) {
    weigh_nodes (bridge);
    iw->is_bridged = interpolate (mech, island, goal, x, frames, iw);
  }
  iw->n_refused += !iw->is_bridged;
  return iw->is_bridged;
}

void hl_island_bridge_bias (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                            HlIslandWork *iw) {
  HlBridge *bridge = iw->bridge;

  memset (iw->gamma, 0, (size_t)iw->n * sizeof (double));
  for (int k = 0; k < bridge->n; k++) {
    HlIslandWork *node = bridge->nodes[k].work;
    for (int i = 0; i < iw->n; i++)
      bridge->x[hl_island_column (island, i)] = node->x_last[i];
    hl_island_set_poses (island, bridge->x, bridge->frames);
    for (int row = 0; row < iw->n; row++) {
      double sum = 0.0;
      for (int j = 0; j < iw->f; j++) {
        const HlFrame *frame = hl_frame_of (frames, island->bodies[iw->ai[j] / 3]);
        double speed = iw->ai[j] % 3 == 2 ? frame->w : frame->v[iw->ai[j] % 3];
        sum += node->T[j * iw->n + row] * speed;
      }
      HlFrame *frame = &bridge->frames[island->bodies[row / 3] + 1];
      if (row % 3 == 2)
        frame->w = sum;
      else
        frame->v[row % 3] = sum;
    }
    hl_island_bias (mech, island, bridge->frames, 0.0, 0.0, node);
    for (int i = 0; i < iw->n; i++)
      iw->gamma[i] += bridge->nodes[k].weight * node->gamma[i];
  }
}

void hl_island_step_aside (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                           HlIslandWork *iw) {
  if (!iw->is_bridged)
    return;
  const HlIslandWork *near = nearest_node (iw->bridge)->work;
  for (int k = 0; k < iw->n; k++)
    x[hl_island_column (island, k)] = iw->x_last[k] = near->x_last[k];
  hl_island_set_poses (island, x, frames);
  if (hl_island_kinematics (mech, island, frames, iw) == HL_OK)
    iw->branch = iw->side;
}
