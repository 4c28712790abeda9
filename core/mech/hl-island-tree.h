/* SPDX-License-Identifier: MIT */
/* A small island whose bodies all hang on pins: every body is put on one that is placed already, up to the
 * ground, and what is left to solve are the loops, in the angles alone. With c the arm of the pin on body b and
 * p that on the body it hangs on,
 *
 *   r_b = r_p + p - c        dr_b = dr_p + p' dpsi_p - c' dpsi_b        ' = turned by 90 degrees
 *
 * which eliminates all places from C_xd; the loops give L dpsi = -C with as many rows as there are dependent angles:
 * two of the four-bar's eight. The arithmetic is that of C_xd in another order, its determinant that of L's part for
 * the dependent angles but for a sign that stays. */
#pragma once

#include <stddef.h>

#include "core/mech/hl-island.h"

/* Position of a pin in a body. */
typedef struct {
  int frame;   /* of the body: 0 is the ground's */
  int row;     /* of the mechanism, the x of the pin */
  size_t u_at; /* bytes from the mechanism's rows to the point, u_i or u_j of the row */
  double arm[2];
} HlTreeArm;

/* An angle with its cosine and sine, from which those of angles nearby follow. NAN: none yet. */
typedef struct {
  double psi, c, s;
} HlTreeTurn;

/* The pin that a body hangs on; its arms are two of the tree's, that on the body and that on its parent. */
typedef struct {
  int body, parent; /* local; parent -1: the ground */
  int row, kept;    /* local row of its x, and the index of that row among the kept rows */
  double sign;      /* 1: body is the row's body_i, -1: its body_j */
} HlTreePin;

/* Kept rows that close a loop: both of a pin, or one of any kind; its arms are those on body_i and body_j. */
typedef struct {
  int body_i, body_j; /* local, -1: the ground */
  int row, kept;      /* as of a pin */
  bool is_point;      /* two rows */
  int n_terms;        /* of these, behind those of the loops before */
  /* of another row in the place of body_i; that in the place of body_j is its negative */
  double gradient[2];
} HlTreeLoop;

/* Derivative of the position of a loop's end by an angle. */
typedef struct {
  int at;      /* column of L, times q */
  int arm;     /* arm whose rotation it adds to L ... */
  double sign; /* ... with this sign */
} HlTreeTerm;

struct HlIslandTree {
  bool holds;               /* the present partition is such a tree; the rest is of no use else */
  bool knows_arms;          /* and they are those of the next poses */
  int n_bodies, n_loops, q; /* q: rows of all loops, and dependent angles */
  HlTreePin *pins;          /* n_bodies, a parent before its children */
  HlTreeLoop *loops;        /* n_loops */
  int n_arms;
  /* 2 (n_bodies + n_loops): two of each pin, then of each loop; those of one that is no point are zero */
  HlTreeArm *arms;
  HlTreeTerm *terms;
  int *frame;        /* n_bodies: by local body */
  HlTreeTurn *turns; /* n_bodies: by local body; a way on from there to another partition */
  /* n_bodies: of L by local body: dependent angles first, then independent ones, as listed */
  int *column;
  int *turning;   /* n_bodies: of which q are the bodies of the dependent angles, as listed */
  double *weight; /* n: 1 in dependent columns, else 0 */
  double *L;      /* q x n_bodies */
  double *z;      /* 3 n_bodies + 2 n_rows: scratch, and the right-hand sides of the rows */
};

/* Returns whether the island goes by its tree. */
static inline bool hl_island_is_tree (const HlIslandWork *iw) {
  return iw->sparse == NULL && iw->tree != NULL && iw->tree->holds;
}

/* Factors a valid tree: the arms at the poses in frames, L, and its part for the dependent angles in C_lu and
 * C_pivots, q x q; C_sign and C_ratio of it. HL_SINGULAR, HL_NOT_FINITE. Gradients are in iw->D for rows that
 * are not kept pins. */
HlStatus hl_island_tree_factor (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                HlIslandWork *iw);
/* Writes the gradients of the pins into iw->D too. */
void hl_island_tree_gradients (const HlIslandWork *iw);
/* Computes b[m] := C_xd^-1 b, and C_xd^-T b. */
void hl_island_tree_solve (const HlIslandWork *iw, double b[]);
void hl_island_tree_solve_transposed (const HlIslandWork *iw, double b[]);
/* Computes X from L, which was just factored. */
void hl_island_tree_columns (HlIslandWork *iw);
/* Computes iw->gamma without stabilization; frames carry velocities. */
void hl_island_tree_bias (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                          HlIslandWork *iw);

/* Predicts the dependent coordinates by the tangent at x_last, by local column into predicted[n], and, with
 * the curvature of the motion if it is known and small, into x[n_coordinates]. */
void hl_island_tree_predict (const HlIsland *island, double x[], HlIslandWork *iw, double predicted[]);
/* Closes the joints, as hl_island_close_joints (), for the dependent angles of x[n_coordinates]; positions
 * are computed from the angles. HL_NO_CONVERGENCE, and the statuses of the factors. */
HlStatus hl_island_tree_close (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                               HlIslandWork *iw);
