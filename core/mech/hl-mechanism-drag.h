/* SPDX-License-Identifier: MIT */
/* Dragging a point of a linkage with the constraints holding: the pose in which all joints are closed, every
 * cylinder is within its stroke and the grabbed point is nearest to the pointer. Coordinates that the pointer
 * does not determine stay nearest to their values at the start of the drag, so a drag there and back ends
 * where it started. The pose moves along the constraints in small steps: it never changes to another branch
 * of the linkage. */
#pragma once

#include "core/base/hl-status-codes.h"
#include "core/mech/hl-constraint-row.h"

/* A length that has to stay within bounds: a cylinder between two points. */
typedef struct {
  int body_i, body_j; /* -1 = ground */
  double u_i[2], u_j[2];
  double shortest, longest; /* [m]; widened to the length at the start where that lies outside */
} HlMechanismDragLimit;

typedef struct {
  int n_bodies;
  const HlRow *rows; /* nonholonomic rows do not matter here */
  int n_rows;
  const HlMechanismDragLimit *limits;
  int n_limits;
} HlMechanismDragModel;

typedef struct HlMechanismDrag HlMechanismDrag;

/* Begins a drag of point u (in the frame of `body`) from the poses x (3 per body), which are
 * assembled first, unless the linkage is large and closed but for 1e-10 of its arm: x is in and
 * out. Bodies that neither joint nor cylinder ties to the grabbed one stay out of it. Copies the
 * model. NULL when the linkage cannot be assembled (*status says why; it may be NULL). Owned by the
 * caller. */
HlMechanismDrag *hl_mechanism_drag_new (const HlMechanismDragModel *model, double x[], int body,
                                        const double u[2], HlStatus *status);
void hl_mechanism_drag_free (HlMechanismDrag *drag);

/* Sets a callback that hl_mechanism_drag_to polls at every step; when it returns true, HL_CANCELLED with an
 * intermediate pose. NULL: none, as at first. */
void hl_mechanism_drag_set_cancel (HlMechanismDrag *drag, bool (*cancel) (void *data), void *data);

/* Follows the pointer to `target` (world) from where the last call left off; writes the poses of
 * the dragged bodies into x[3 n_bodies], and leaves the others alone. HL_NO_CONVERGENCE: the
 * pointer was too far to be reached in one call; x is consistent all the same and the next call
 * continues. */
HlStatus hl_mechanism_drag_to (HlMechanismDrag *drag, const double target[2], double x[]);

/* Returns whether limit `index` is reached at present: -1 at its shortest, 1 at its longest, 0 between. */
int hl_mechanism_drag_limit_side (const HlMechanismDrag *drag, int index);

/* Finds the bodies that a drag of one of them moves, including itself: those connected to it by joints and
 * cylinders. moved[n_bodies]; allocates. */
void hl_mechanism_drag_moved_bodies (const HlMechanismDragModel *model, int grabbed, bool moved[]);
/* Returns whether a body is among those that the drag moves. */
bool hl_mechanism_drag_holds (const HlMechanismDrag *drag, int body);
