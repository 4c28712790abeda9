/* SPDX-License-Identifier: MIT */
/* An island's local columns and its factored constraints: shared by hl-island.c and hl-island-position.c. */
#pragma once

#include "core/mech/hl-island.h"

/* Returns the global column of a local one. */
static inline int hl_island_column (const HlIsland *island, int local) {
  return 3 * island->bodies[local / 3] + local % 3;
}

/* Returns the unit of a local column that makes lengths comparable to angles: [rad] or lengths of the island. */
static inline double hl_island_unit (const HlIsland *island, int local) {
  return local % 3 == 2 ? 1.0 : island->length;
}

/* Returns whether two local rows from this one on say that two points are one: their x, then their y. */
static inline bool hl_island_begins_point (const HlMechanism *mech, const HlIsland *island, int row) {
  return row + 1 < island->n_rows && island->rows[row + 1] == island->rows[row] + 1 &&
         hl_row_begins_point (&mech->rows[island->rows[row]]);
}

/* Computes the gradients of all rows, and factors C_xd. */
HlStatus hl_island_factor (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           HlIslandWork *iw);

/* Allocates the plan of an island with at most HL_LU_PLAN_MOST rows and dense matrices. */
void hl_island_take_plan (HlIslandWork *iw);
/* Makes it, where it is another partition's. */
void hl_island_plan (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw);
/* Updates the gradient of one row in D, which holds that of other poses; grad[6] for the caller. */
void hl_island_renew_row (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[], int row,
                          HlIslandWork *iw, double grad[6]);

/* Switches a large island to the dense matrices, for operations that the sparse ones lack, and back. The
 * kinematics must be evaluated afterwards. Allocates the first time. */
void hl_island_go_dense (HlIslandWork *iw);
void hl_island_go_sparse (HlIslandWork *iw);

/* Computes b[m] := C_xd^-1 b, C_xd^-T b; and of n_rhs columns b[m x n_rhs] while the matrices are dense. */
void hl_island_solve (const HlIslandWork *iw, double b[]);
void hl_island_solve_transposed (const HlIslandWork *iw, double b[]);
void hl_island_solve_dense (const HlIslandWork *iw, int n_rhs, double b[]);

/* Returns the ratio of the smallest to the largest pivot of C_xd at its last factorization. */
double hl_island_pivot_ratio (const HlIslandWork *iw);

/* Computes T, and the reduced mass, from X and the gradients in D. */
HlStatus hl_island_reduce (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           HlIslandWork *iw);

/* Refreshes the frames of one island from x[n_coordinates]. */
void hl_island_set_poses (const HlIsland *island, const double x[], HlFrame frames[]);

/* Stores the values of the drives that belong to x_last. */
void hl_island_note_drive (HlIslandWork *iw);

/* Returns the value of a row, where the signal has moved it to that drives it. */
double hl_island_driven_value (const HlIslandWork *iw, const HlRow *row, int local, double value);

/* Returns C of a holonomic row of the island, by its local number, where its signal has moved it to. */
static inline double hl_island_row_value (const HlIslandWork *iw, const HlRow *row, int local,
                                          const HlFrame *fi, const HlFrame *fj) {
  double value = hl_row_value (row, fi, fj);

  return iw->is_driven ? hl_island_driven_value (iw, row, local, value) : value;
}

/* Computes values[m]: C of the kept holonomic rows [m or rad]; returns the largest |C|, NAN when one is not a
 * number. */
double hl_island_kept_values (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                              const HlIslandWork *iw, double values[]);

#define HL_MOST_CLOSING_STEPS 40
/* Residual over the farthest place: Newton could do no better. */
#define HL_CLOSED (16.0 * DBL_EPSILON)

/* Closes the joints by Newton's method on the dep coordinates of x[n_coordinates] from their present values. */
HlStatus hl_island_close_joints (const HlMechanism *mech, const HlIsland *island, double x[],
                                 HlFrame frames[], HlIslandWork *iw);

/* ---- hl-change-point.c ---- */

/* Returns whether the position just solved is so near a singular one that rounding spoils its tangent. */
bool hl_island_is_near_change_point (const HlIslandWork *iw);

/* Returns whether the caller's cancel function says stop. */
static inline bool hl_island_is_cancelled (const HlIslandWork *iw) {
  return iw->cancel != NULL && iw->cancel (iw->cancel_data);
}

/* Computes the position with the independent coordinates of goal[n] (local) and its kinematics, in
 * x[n_coordinates], from positions around it on the branch of x_clear. False, with iw and x overwritten, if
 * that branch does not continue straight through a change point. */
bool hl_island_bridge (const HlMechanism *mech, const HlIsland *island, const double goal[], double x[],
                       HlFrame frames[], HlIslandWork *iw);
/* Computes iw->gamma at a bridged position; frames carry velocities. */
void hl_island_bridge_bias (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                            HlIslandWork *iw);
/* Takes the memory for it, at once. */
void hl_island_bridge_make (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw);
void hl_island_bridge_free (HlBridge *bridge);
