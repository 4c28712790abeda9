/* SPDX-License-Identifier: MIT */
/* Who is dragged, and the way to the pointer: steps are limited and F never grows, so the pose
 * follows its branch. Lengths at a limit are rows of C while their multiplier pushes against the
 * limit (active set). */
#include "core/mech/hl-drag.h"

#include "core/base/hl-groups.h"
#include "core/mech/hl-drag-private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEAD 1.0e-2      /* of the pivot at the start: less is a dead point of the linkage */
#define UNSEEN 1.0e-10   /* of the typical arm, by which joints may be open at first */
#define LONGEST_STEP 0.1 /* of the typical arm, and in rad */
#define MOST_STEPS 400
/* Of the typical arm: the pointer's way is walked in such legs beside a saddle. */
#define LEG 0.005
#define MOST_LEGS 200 /* a pointer that is farther goes on in the next call */

static bool is_dragged (const HlDrag *drag, int body_i, int body_j) {
  return (body_i >= 0 && drag->local_of_body[body_i] >= 0) ||
         (body_j >= 0 && drag->local_of_body[body_j] >= 0);
}

void hl_drag_moved_bodies (const HlDragModel *model, int grabbed, bool moved[]) {
  HlArena scratch = {0};
  int *group = hl_arena_take (&scratch, model->n_bodies, sizeof *group);

  hl_groups_start (model->n_bodies, group);
  for (int k = 0; k < model->n_rows; k++)
    hl_groups_join (group, model->rows[k].body_i, model->rows[k].body_j);
  for (int k = 0; k < model->n_limits; k++)
    hl_groups_join (group, model->limits[k].body_i, model->limits[k].body_j);
  for (int body = 0; body < model->n_bodies; body++)
    moved[body] = hl_groups_root (group, body) == hl_groups_root (group, grabbed);
  hl_arena_clear (&scratch);
}

static void collect_bodies (HlDrag *drag, const HlDragModel *model, int grabbed) {
  bool *moved = calloc ((size_t)model->n_bodies + 1, sizeof *moved);

  hl_drag_moved_bodies (model, grabbed, moved);
  for (int body = 0; body < model->n_bodies; body++) {
    drag->local_of_body[body] = -1;
    if (!moved[body])
      continue;
    drag->local_of_body[body] = drag->island.n_bodies;
    drag->island_bodies[drag->island.n_bodies++] = body;
  }
  free (moved);
}

/* Rows of the joints first; their number is what has to be assembled. */
static void collect_rows (HlDrag *drag, const HlDragModel *model) {
  double longest = 0.0;

  for (int k = 0; k < model->n_rows; k++) {
    const HlRow *row = &model->rows[k];
    drag->rows[k] = *row;
    if (!hl_row_is_holonomic (row) || !is_dragged (drag, row->body_i, row->body_j))
      continue;
    drag->island_rows[drag->island.n_rows++] = k;
    longest = fmax (longest, fmax (row->body_i >= 0 ? hypot (row->u_i[0], row->u_i[1]) : 0.0,
                                   row->body_j >= 0 ? hypot (row->u_j[0], row->u_j[1]) : 0.0));
  }
  longest = fmax (longest, hypot (drag->u[0], drag->u[1]));
  drag->n_joint_rows = drag->island.n_rows;
  drag->island.n_holonomic = drag->island.n_rows;
  for (int k = 0; k < model->n_limits; k++) {
    const HlDragLimit *limit = &model->limits[k];
    HlRow *row = &drag->rows[model->n_rows + k];
    drag->limits[k] = *limit;
    drag->limit_row[k] = -1;
    *row = (HlRow){.kind = HL_ROW_LENGTH, .body_i = limit->body_i, .body_j = limit->body_j, .joint = -1};
    memcpy (row->u_i, limit->u_i, sizeof row->u_i);
    memcpy (row->u_j, limit->u_j, sizeof row->u_j);
    if (!is_dragged (drag, limit->body_i, limit->body_j))
      continue;
    drag->limit_row[k] = drag->island.n_rows;
    drag->island_rows[drag->island.n_rows++] = model->n_rows + k;
    longest = fmax (longest, fmax (limit->body_i >= 0 ? hypot (limit->u_i[0], limit->u_i[1]) : 0.0,
                                   limit->body_j >= 0 ? hypot (limit->u_j[0], limit->u_j[1]) : 0.0));
  }
  drag->island.length = longest > 0.0 ? longest : 1.0;
}

static void share_out (HlDrag *drag) {
  HlArena *arena = &drag->arena;
  int n = drag->n, r = drag->island.n_rows;
  double **squares[] = {&drag->X, &drag->HX, &drag->B, &drag->factor, &drag->eigen};
  double **vectors[] = {&drag->g, &drag->y, &drag->pull, &drag->step, &drag->diagonal};

  hl_elimination_take (&drag->lu, arena, r, n);
  for (size_t k = 0; k < sizeof squares / sizeof squares[0]; k++)
    *squares[k] = hl_arena_take (arena, n * n, sizeof (double));
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = hl_arena_take (arena, n, sizeof (double));
  drag->slope = hl_arena_take (arena, 2 * n, sizeof (double));
  drag->lambda = hl_arena_take (arena, r, sizeof (double));
  drag->c = hl_arena_take (arena, r, sizeof (double));
  drag->active = hl_arena_take (arena, r, sizeof (int));
}

static int n_limits_reached (const HlDrag *drag) {
  int n = 0;

  for (int k = 0; k < drag->n_limits; k++)
    n += drag->side[k] != 0;
  return n;
}

/* --- dead points of the linkage itself --- */

/* Where all links stand in line a constraint is lost and other branches begin; no step leads away
 * from there. A pose that is not such a point is kept; the joints' rows alone count. */
static void note_regular (HlDrag *drag, const double target[2]) {
  if (n_limits_reached (drag) > 0 && drag->pivot_start < 0.0)
    return;
  /* the largest pivots tell how near it is, whatever the size of the linkage */
  if (hl_drag_linearize (drag, target, HL_PIVOT_LARGEST) != HL_OK)
    return;
  if (drag->pivot_start < 0.0) {
    drag->pivot_start = drag->pivot;
    drag->rank_start = drag->rank;
  }
  drag->is_regular = drag->rank >= drag->rank_start && drag->pivot >= DEAD * drag->pivot_start;
  if (!drag->is_regular)
    return;
  memcpy (drag->x_regular, drag->x, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  memcpy (drag->side_regular, drag->side, (size_t)drag->n_limits * sizeof (int));
}

/* The next way begins where the last one was not on a dead point yet. */
static void leave_dead_point (HlDrag *drag) {
  if (drag->is_regular)
    return;
  memcpy (drag->x, drag->x_regular, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  memcpy (drag->side, drag->side_regular, (size_t)drag->n_limits * sizeof (int));
}

/* Whether all joints are closed at the poses in the frames, as far as anybody sees; the first step
 * closes them to the last digit. Of a large linkage that is enough: to correct it as little as
 * possible, by singular values, takes longer than to drag it. */
static bool stands_closed (const HlDrag *drag) {
  for (int row = 0; row < drag->n_joint_rows; row++)
    if (!(fabs (hl_drag_row_value (drag, row)) * hl_drag_row_scale (drag, row) <=
          UNSEEN * drag->island.length))
      return false;
  return drag->n > HL_DRAG_MANY_COLUMNS;
}

HlDrag *hl_drag_new (const HlDragModel *model, double x[], int body, const double u[2], HlStatus *status) {
  HlDrag *drag = calloc (1, sizeof *drag);
  HlArena *arena = &drag->arena;
  int n_bodies = model->n_bodies, n_all = model->n_rows + model->n_limits;
  HlAssembly assembly;

  assert (body >= 0 && body < model->n_bodies);
  drag->body = body;
  memcpy (drag->u, u, sizeof drag->u);
  drag->n_limits = model->n_limits;
  drag->rows = hl_arena_take (arena, n_all, sizeof *drag->rows);
  drag->limits = hl_arena_take (arena, model->n_limits, sizeof *drag->limits);
  drag->limit_row = hl_arena_take (arena, model->n_limits, sizeof (int));
  drag->side = hl_arena_take (arena, model->n_limits, sizeof (int));
  drag->island_bodies = hl_arena_take (arena, n_bodies, sizeof (int));
  drag->local_of_body = hl_arena_take (arena, n_bodies, sizeof (int));
  drag->island_rows = hl_arena_take (arena, n_all, sizeof (int));
  drag->frames = hl_arena_take (arena, n_bodies + 1, sizeof *drag->frames);
  drag->x = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->x_start = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->x_try = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->x_before = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->side_before = hl_arena_take (arena, model->n_limits, sizeof (int));
  drag->x_regular = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->side_regular = hl_arena_take (arena, model->n_limits, sizeof (int));
  collect_bodies (drag, model, body);
  collect_rows (drag, model);
  drag->n = 3 * drag->island.n_bodies;
  drag->epsilon = hl_drag_pull (drag->island.n_bodies);
  drag->island.bodies = drag->island_bodies;
  drag->island.rows = drag->island_rows;
  drag->mech = (HlMechanism){.n_bodies = model->n_bodies,
                             .n_rows = n_all,
                             .rows = drag->rows,
                             .n_islands = 1,
                             .islands = &drag->island,
                             .local_of_body = drag->local_of_body};
  share_out (drag);

  HlStatus result = HL_OK;
  hl_mechanism_set_poses (&drag->mech, x, drag->frames);
  if (!stands_closed (drag)) {
    bool *fixed = calloc ((size_t)drag->n + 1, sizeof *fixed);
    result = hl_island_assemble (&drag->mech, &drag->island, fixed, x, drag->frames, &assembly);
    free (fixed);
  }
  if (status != NULL)
    *status = result;
  if (result != HL_OK) {
    hl_drag_free (drag);
    return NULL;
  }
  memcpy (drag->x, x, 3 * (size_t)n_bodies * sizeof (double));
  memcpy (drag->x_start, x, 3 * (size_t)n_bodies * sizeof (double));
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
  hl_frame_point (hl_frame_of (drag->frames, body), u, drag->pointer, NULL);
  for (int k = 0; k < drag->n_limits; k++)
    if (drag->limit_row[k] >= 0) {
      double length = hl_drag_row_value (drag, drag->limit_row[k]); /* its constant is 0 */
      drag->limits[k].shortest = fmin (drag->limits[k].shortest, length);
      drag->limits[k].longest = fmax (drag->limits[k].longest, length);
    }
  drag->pivot_start = -1.0;
  drag->is_regular = true;
  note_regular (drag, drag->pointer);
  return drag;
}

void hl_drag_set_cancel (HlDrag *drag, bool (*cancel) (void *data), void *data) {
  drag->cancel = cancel;
  drag->cancel_data = data;
}

void hl_drag_free (HlDrag *drag) {
  if (drag == NULL)
    return;
  hl_arena_clear (&drag->arena);
  free (drag);
}

bool hl_drag_holds (const HlDrag *drag, int body) {
  return drag->local_of_body[body] >= 0;
}

int hl_drag_limit_side (const HlDrag *drag, int index) {
  return drag->side[index];
}
/* The limit that x_try oversteps most, and the share of the way to it; -1 = none. */
static int overstepped (HlDrag *drag, double *share, int *side) {
  int worst = -1;

  *share = 1.0;
  for (int k = 0; k < drag->n_limits; k++) {
    if (drag->limit_row[k] < 0 || drag->side[k] != 0)
      continue;
    const HlDragLimit *limit = &drag->limits[k];
    hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
    double before = hl_drag_row_value (drag, drag->limit_row[k]);
    hl_mechanism_set_poses (&drag->mech, drag->x_try, drag->frames);
    double after = hl_drag_row_value (drag, drag->limit_row[k]);
    double bound = after > limit->longest ? limit->longest : limit->shortest;
    if (after <= limit->longest && after >= limit->shortest)
      continue;
    double part = fmax (0.0, (bound - before) / (after - before));
    if (worst >= 0 && part >= *share)
      continue;
    worst = k;
    *share = part;
    *side = after > limit->longest ? 1 : -1;
  }
  return worst;
}

/* Lets go the limit whose multiplier pulls instead of pushing; false when all hold. */
static bool release_limit (HlDrag *drag) {
  int worst = -1;
  double most = 1.0e-14 * drag->island.length;

  for (int k = 0; k < drag->n_limits; k++) {
    if (drag->side[k] == 0)
      continue;
    for (int row = drag->n_joint_rows; row < drag->n_active; row++)
      if (drag->active[row] == drag->limit_row[k] && -drag->side[k] * drag->lambda[row] > most) {
        most = -drag->side[k] * drag->lambda[row];
        worst = k;
      }
  }
  if (worst >= 0)
    drag->side[worst] = 0;
  return worst >= 0;
}

/* Takes the step as far as F falls and the limits allow; false when it leads nowhere. */
static bool take_step (HlDrag *drag, const double target[2], double size, double f_now) {
  double share = fmin (1.0, LONGEST_STEP * drag->island.length / size);
  bool is_small = size < 1.0e-6 * drag->island.length; /* F cannot tell such poses apart */

  for (int attempt = 0; attempt < 40; attempt++, share *= 0.5) {
    double part;
    int side;
    if (!hl_drag_move (drag, share))
      continue;
    int limit = overstepped (drag, &part, &side);
    if (limit >= 0) {
      if (!(part > 1.0e-12)) {
        drag->side[limit] = side;
        return true;
      }
      /* on the limit itself, as far as a straight way there can be told; the row in force does the
       * rest */
      for (int k = 0; k < 8 && limit >= 0 && part < 1.0; k++) {
        share *= part;
        if (!hl_drag_move (drag, share))
          return false;
        int again = overstepped (drag, &part, &side);
        if (again < 0)
          break;
        limit = again;
      }
      if (hl_drag_objective (drag, drag->x_try, target) > f_now * (1.0 + 1e-12))
        continue;
      memcpy (drag->x, drag->x_try, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
      drag->side[limit] = side;
      return true;
    }
    if (is_small || hl_drag_objective (drag, drag->x_try, target) <= f_now) {
      memcpy (drag->x, drag->x_try, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
      return true;
    }
  }
  return false;
}
/* To a target in one go. *saddle: F curved down on the way. */
static HlStatus go_to (HlDrag *drag, const double target[2], bool *saddle) {
  HlStatus status = HL_NO_CONVERGENCE;
  double last_size = INFINITY, length = drag->island.length;
  int releases = 2 * drag->n_limits + 4;

  for (int step = 0; step < MOST_STEPS && status == HL_NO_CONVERGENCE; step++) {
    if (drag->cancel != NULL && drag->cancel (drag->cancel_data))
      return HL_CANCELLED;
    HlStatus found = hl_drag_linearize (drag, target,
                                        drag->n > HL_DRAG_MANY_COLUMNS ? HL_PIVOT_THRIFTY : HL_PIVOT_LARGEST);
    if (found != HL_OK) {
      status = found;
      break;
    }
    double size = drag->n_free > 0 ? hl_drag_newton_step (drag) : 0.0;
    *saddle = *saddle || drag->is_saddle;
    bool done = size <= 1.0e-14 * length || (size < 1.0e-9 * length && size > 0.25 * last_size);
    if (!done) {
      int reached = n_limits_reached (drag);
      done = !take_step (drag, target, size, hl_drag_objective (drag, drag->x, target));
      last_size = n_limits_reached (drag) == reached ? size : INFINITY;
    }
    if (!done)
      continue;
    if (releases-- > 0 && release_limit (drag))
      last_size = INFINITY;
    else
      status = HL_OK;
  }
  return status;
}

/* Beside a saddle in small legs: on each the pose settles before the next, so it leaves the saddle
 * on the side from which it came. */
static HlStatus walk_to (HlDrag *drag, const double from[2], const double target[2]) {
  double far = hypot (target[0] - from[0], target[1] - from[1]);
  int n_legs = 1 + (int)fmin (MOST_LEGS, far / (LEG * drag->island.length));
  HlStatus status = HL_OK;
  bool saddle = false;

  for (int leg = 1; leg <= n_legs && (status == HL_OK || status == HL_NO_CONVERGENCE); leg++) {
    double share = (double)leg / n_legs;
    double here[2] = {from[0] + share * (target[0] - from[0]), from[1] + share * (target[1] - from[1])};
    status = go_to (drag, here, &saddle);
  }
  return status;
}

HlStatus hl_drag_to (HlDrag *drag, const double target[2], double x[]) {
  size_t size = 3 * (size_t)drag->mech.n_bodies * sizeof (double);
  bool saddle = false;

  leave_dead_point (drag);
  memcpy (drag->x_before, drag->x, size);
  memcpy (drag->side_before, drag->side, (size_t)drag->n_limits * sizeof (int));
  HlStatus status = go_to (drag, target, &saddle);
  if (saddle) {
    memcpy (drag->x, drag->x_before, size);
    memcpy (drag->side, drag->side_before, (size_t)drag->n_limits * sizeof (int));
    status = walk_to (drag, drag->pointer, target);
  }
  memcpy (drag->pointer, target, sizeof drag->pointer);
  note_regular (drag, target);
  for (int k = 0; k < drag->n; k++)
    *hl_drag_coordinate (drag, x, k) = *hl_drag_coordinate (drag, drag->x, k);
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
  return status;
}
