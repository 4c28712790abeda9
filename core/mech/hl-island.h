/* SPDX-License-Identifier: MIT */
/* Reduced form of one island: independent coordinates and velocities chosen by pivoting, dependent
 * ones solved, accelerations from the projected equations, multipliers recovered
 * (theory/linearization.md (5)-(15)).
 *
 * Local columns are 3 per body in the island's order. With m kept holonomic rows C and l kept
 * nonholonomic rows B:
 *
 *   ai [f = n - m - l]  independent coordinates and velocities
 *   ad [l]              dependent but admissible coordinates: their positions are states, their
 *                       velocities are not
 *   dep [m]             coordinates that C(x) = 0 gives
 *   X   [n x (f + l)]   motion of the positions:   I at ai and ad, -C_xd^-1 C_xa at dep
 *   T   [n x f]         motion of the velocities:  X_ai - X_ad Bbar_ad^-1 Bbar_ai,  Bbar = B X */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"
#include "core/math/hl-lu-pivot-reuse.h"
#include "core/mech/hl-mechanism-tables.h"

/* Singular values and pivots below this part of the largest (rows and columns scaled to one) count
 * as a loss of rank. */
#define HL_RANK_TOLERANCE 1.0e-9

/* Positions around a change point (hl-change-point.c). */
typedef struct HlBridge HlBridge;

/* Factored constraints of a large island (hl-island-sparse.h). */
typedef struct HlIslandSparse HlIslandSparse;

/* A small island whose bodies hang on pins (hl-island-tree.h). */
typedef struct HlIslandTree HlIslandTree;

/* Bodies of an island that move, and the rows, rising, that have one of them: places in its lists. NULL: all. */
typedef struct {
  int n_bodies, n_rows;
  const int *bodies, *rows; /* n_bodies, n_rows */
} HlMoved;

/* Returns all of them. */
static inline HlMoved hl_moved_all (const HlIsland *island) {
  return (HlMoved){island->n_bodies, island->n_rows, NULL, NULL};
}

/* Work space of an island at its present position; all arrays local, matrices column-major, in the frame in
 * which the poses are given. Lengths mix [m] and [rad] by column. A large island has `sparse` in place of D,
 * X, T, MT and the factored matrices: read columns by hl_island_position_column () and similar functions. */
typedef struct {
  HlArena arena; /* holds every array */
  /* sizes; the last three by hl_island_choose () */
  int n, n_rows, m, l, f; /* columns, all rows; rows kept (holonomic, not), degrees of freedom */
  /* the partition, by hl_island_choose () */
  int *kept;          /* m + l local rows in force, holonomic first */
  int *ai, *ad, *dep; /* f, l, m local columns, each list rising */
  double spread;      /* hl_island_spread () when chosen */

  /* by hl_island_kinematics () or hl_island_place () at the present poses */
  double *D;      /* n_rows x n: gradients of all rows */
  double *C_lu;   /* m x m: C_xd factored, reciprocal pivots on its diagonal; of a tree its loops alone */
  int *C_pivots;  /* m: its exchanges of rows */
  int C_sign;     /* hl_lu_sign () of C_lu */
  double C_ratio; /* hl_lu_pivot_ratio () of it */
  /* factorization plan of C_xd of a small island: follows from the partition, and is made when it is first
   * needed */
  HlLuPlan plan;
  int *C_from;         /* n_rows^2: of the plan's entries, places in D */
  int *plan_lists;     /* 2 n_rows: kept and dep that it belongs to; NULL: it is no small island */
  int plan_m, plan_l;  /* so many of each, and with so many knife edges in force; -1: none */
  HlIslandTree *tree;  /* of a small island; not NULL with plan_lists */
  bool has_D;          /* D holds gradients of this island at some poses */
  bool joins_one_body; /* some row joins a body with itself */
  bool *begins_point;  /* n_rows: hl_island_begins_point () in a small island */
  double *X;           /* n x (f + l): motion of the positions, theory/linearization.md (5) */
  double *T;           /* n x f: motion of the velocities, theory/linearization.md (7) */
  double *B_lu;        /* l x l: Bbar_ad factored, theory/linearization.md (6) */
  int *B_pivots;       /* l: its exchanges of rows */
  double *Bd;          /* l x m: B in the dep columns */
  double *MT;          /* n x f: M T */
  double *m0;          /* f x f: Cholesky factor of T^T M T, lower triangle; theory/linearization.md (12) */
  bool has_lu;         /* C_lu belongs to some earlier position: good for chord steps */
  /* n: accelerations with ai at rest, theory/linearization.md (11); by hl_island_bias ()
   * [m/s2 or rad/s2] */
  double *gamma;
  int side;           /* sign of det C_xd here */
  int branch;         /* the sign that belongs to the branch, 0: not yet known; by hl_island_place () */
  double pivot_ratio; /* least over largest pivot of C_lu when chosen */
  double *x_last;     /* n: last solved positions, for the predictor; by choose and place */
  bool is_at_last;    /* the kinematics are those at x_last */
  /* of a tree that moves in one way: the angle at which gamma was found, and 1/(2 w^2) with the speed there */
  double bend_at, bend_by;
  double *way; /* 3 n: goal, start and last good place of a long way; by place */

  /* change points; by hl_island_choose () and hl_island_place () */
  double clear_ratio; /* largest pivot ratio so far */
  double *x_clear;    /* n: last position clear of singular ones */
  bool has_clear;     /* x_clear holds one */
  bool is_bridged;    /* X, T, gamma here come from positions around, C_lu is hardly regular */
  int n_refused;      /* bridges since the last clear position */
  HlBridge *bridge;   /* or NULL: none met yet */

  /* Polled where one position of a large island takes seconds: hl_island_place () then ends with HL_CANCELLED.
   * Or NULL. */
  bool (*cancel) (void *data);
  void *cancel_data;

  /* rows that a signal drives: hl-driven-joints.c. By local row: how far the signal is from the row's
   * constant, its rate and its acceleration; zeros for the other rows */
  bool is_driven;
  double *drive;      /* 3 n_rows */
  double *drive_last; /* n_rows: how far it was at x_last */
  double *drive_way;  /* 3 n_rows: right-hand side, goal and start of a long way; by place */
  double *carried;    /* n: velocities with ai at rest; by hl_island_carry () */

  HlIslandSparse *large;  /* or NULL: it is not; owned */
  HlIslandSparse *sparse; /* the same while the sparse way is taken, else NULL */

  /* n_rows x n + 6 n + 2 n_rows, of a large island 8 max (n, n_rows); valid within one function */
  double *scratch;
  int *column;                   /* n: global columns of the local ones */
  int *row_order, *column_order; /* n_rows, n: scratch of eliminations */
  int *places;                   /* n: scratch of a choice */
} HlIslandWork;

/* Returns storage for all that the solution of an island needs; choosing a partition and passing change
 * points allocate more. Owned by the caller. */
HlIslandWork *hl_island_work_new (const HlIsland *island);
/* Returns the same in memory from where the arena has its own. */
HlIslandWork *hl_island_work_new_beside (const HlArena *arena, const HlIsland *island);
void hl_island_work_free (HlIslandWork *iw);

/* Selects dense matrices, whatever the size, from the next choice of a partition on. */
void hl_island_be_small (HlIslandWork *iw);

/* Forgets where the island stood before, so that what hl_island_choose () and hl_island_place () compute next follows from
 * the poses alone, to the last bit. */
void hl_island_forget (HlIslandWork *iw);

/* Copies the position of `from` to `to`, work of the same small island: the next position computation
 * gives the same result with both. */
void hl_island_stand_as (const HlIslandWork *from, HlIslandWork *to);

/* Returns the column j of X, j < f + l, and of T and M T, j < f: n entries, after hl_island_kinematics () or
 * hl_island_place (). That of M T is valid until the next one, or the next accelerations. */
const double *hl_island_position_column (const HlIslandWork *iw, int j);
const double *hl_island_velocity_column (const HlIslandWork *iw, int j);
const double *hl_island_momentum_column (const HlIslandWork *iw, int j);
/* Computes out[n] = T v;  v[f]. */
void hl_island_admit (const HlIslandWork *iw, const double v[], double out[]);
/* Returns all gradients D where the kinematics are, n_rows x n. */
const double *hl_island_all_gradients (const HlIslandWork *iw);

/* Chooses kept rows and the partition at the poses in frames. prefer[n_prefer] lists local columns
 * that should be independent, in order of preference (the rest in file order). The first n_forced are taken when they
 * keep full rank, the others only when they keep it by a margin (while that gives enough); n_prefer < 0 leaves the
 * choice to complete pivoting. Sets m, l, f. Fails with HL_NOT_FINITE only. */
HlStatus hl_island_choose (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           const int prefer[], int n_prefer, int n_forced, HlIslandWork *iw);

/* Computes all gradients of the island's rows: D is n_rows x n, local. */
void hl_island_gradients (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                          double D[]);

/* Solves C(x) = 0 for the dep coordinates, the others staying as they are, and evaluates the
 * kinematics there. Newton's method from the tangent at the last position; a way too long for that
 * is walked in steps, so that the position belongs to the same branch as the one before, however
 * far the step. x and frames are global. HL_DEAD_POINT when the branch ends on the way: x is then
 * the last position before its end. */
HlStatus hl_island_place (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                          HlIslandWork *iw);

/* Returns how far the island stands, in x[n_coordinates] where it was placed last, from where other poses
 * of it with the same independent coordinates come to when their joints, which may be open a little, are
 * closed: 0 on one branch, but for rounding [rad, or lengths of the island]. other has n_coordinates;
 * frames are those of x, before and after. INFINITY where the joints do not close. */
double hl_island_distance (const HlMechanism *mech, const HlIsland *island, double x[], const double other[],
                           HlFrame frames[], HlIslandWork *iw);

/* Moves an island in a change point to the nearest position at which the factored constraints are
 * well-conditioned, with the kinematics there. x_last stays. Does nothing elsewhere. */
void hl_island_step_aside (const HlMechanism *mech, const HlIsland *island, double x[], HlFrame frames[],
                           HlIslandWork *iw);

/* Returns the body (global) that moves most when the independent coordinates do: at a dead point, the one
 * that runs away. */
int hl_island_fastest_body (const HlIsland *island, const HlIslandWork *iw);

/* Gradients, X, T and the reduced mass at the poses in frames. HL_SINGULAR when the partition fails
 * here. */
HlStatus hl_island_kinematics (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                               HlIslandWork *iw);

/* Returns the largest entry of X in scaled columns, and of what combines the rows in force to those dropped:
 * grows when the partition degrades. Uses the scratch. */
double hl_island_spread (const HlIsland *island, const HlIslandWork *iw);

/* Computes iw->carried from the rates of driven rows; after the kinematics. */
void hl_island_carry (HlIslandWork *iw);

/* Computes v[n_coordinates] from the independent velocities v_ai[f]: v = T v_ai, plus the part of driven
 * rows. */
void hl_island_velocities (const HlIslandWork *iw, const double v_ai[], double v[]);

/* Computes iw->gamma: the accelerations by D a + d = 0 with the independent ones at zero; frames carry
 * velocities. With beta or gamma [1/s] the constraints are stabilized (theory/stabilization.md (4), (5)):
 *
 *   C_x a = -d - 2 beta (C_x v) - gamma^2 C
 *   B a   = -d - beta (B v) */
void hl_island_bias (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[], double beta,
                     double gamma, HlIslandWork *iw);

/* Solves for z: zero at ai, and D z = rhs in the kept rows; rhs[n_rows], z[n] local. */
void hl_island_dependent_solve (const HlIslandWork *iw, const double rhs[], double z[]);

/* Computes a_ai = m0^-1 T^T (q - M gamma); a_ai[f], forces q[n] local, gamma[n] or NULL: without bias. */
void hl_island_accelerations (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                              const HlIslandWork *iw, const double q[], const double gamma[], double a_ai[]);

/* Computes changes of the accelerations, where the constraints also require accelerations D z = rhs:
 *   a_ai = m0^-1 T^T (q - M z)
 * z as of hl_island_dependent_solve (); q[n], rhs[n_rows], scratch z[n], a_ai[f]. */
void hl_island_answer (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                       const HlIslandWork *iw, const double q[], const double rhs[], double z[],
                       double a_ai[]);

/* Multipliers lambda[n_rows] from the force balance D^T Lam = r, r[n] local; rows not kept get 0.
 */
void hl_island_multipliers (const HlIslandWork *iw, const double r[], double lambda[]);

/* Computes out = M y; out[n], y[n] local. */
void hl_island_mass_times (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           const double y[], double out[]);

/* Multipliers when constraints are redundant: D^T Lam = r leaves a choice, and the rows that the
 * partition happens to drop must not decide it (theory/linearization.md (37)). */

/* Computes the solution of D^T Lam = r of least norm over all rows of the island: forces in newtons, moments
 * over the island's length. lambda (n_rows): any solution in, the least-norm one out. D is that of the last
 * hl_island_kinematics (). Allocates. HL_NOT_FINITE or HL_NO_CONVERGENCE of the least squares; lambda then
 * stays. */
HlStatus hl_island_least_norm (const HlMechanism *mech, const HlIsland *island, const HlIslandWork *iw,
                               double lambda[]);

/* Computes the joints that a dropped row repeats: share[k] (n_rows) is the part of kept row k in D_row = sum
 * share[k] D_k; entries below rounding are 0. */
void hl_island_dependency (const HlIsland *island, const HlIslandWork *iw, int row, double share[]);
