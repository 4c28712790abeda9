/* SPDX-License-Identifier: MIT */
/* Reduced form of one island: independent coordinates and velocities chosen by pivoting, dependent
 * ones solved, accelerations from the projected equations, multipliers recovered (seed 000, steps 1
 * to 7; the null-space reduction of seed 001).
 *
 * Local columns are 3 per body in the island's order. With m kept holonomic rows C and l kept
 * nonholonomic rows B: ai [f = n - m - l]  independent coordinates and velocities ad [l] dependent
 * but admissible coordinates: their positions are states, their velocities are not dep [m]
 * coordinates that C(x) = 0 gives X = T^h, n x (f + l): motion of the positions,  T, n x f: motion
 * of the velocities. */
#pragma once

#include <stdbool.h>

#include "core/math/hl-linalg.h"
#include "core/mech/hl-mechanism.h"

/* Singular values and pivots below this part of the largest (rows and columns scaled to one) count
 * as a loss of rank. */
#define HL_RANK_TOLERANCE 1.0e-9

/* Positions around a change point (hl-change-point.c). */
typedef struct HlBridge HlBridge;

typedef struct
{
  int n, n_rows, m, l, f;
  int *kept; /* m + l local rows in force, holonomic first           written by hl_island_choose */
  int *ai, *ad, *dep; /* local columns, each list rising                      " */
  double spread;      /* hl_island_spread () when chosen                      "      */

  double *D; /* n_rows x n, all gradients                            hl_island_kinematics        */
  double *C_lu; /* m x m, factored C_xd                                 " */
  int *C_pivots;
  double *X; /* n x (f + l)                                          "                           */
  double *T; /* n x f                                                "                           */
  double *B_lu; /* l x l, factored Bbar_ad                              " */
  int *B_pivots;
  double *Bd; /* l x m, B in the dep columns                          "                           */
  double *MT; /* n x f                                                "                           */
  double *m0; /* f x f, Cholesky factor of T^T M T                    "                           */
  bool has_lu;   /* C_lu belongs to some earlier position: good for chord steps */
  double *gamma; /* n: accelerations with ai at rest                     hl_island_bias  */
  int side;      /* sign of det C_xd here                                hl_island_kinematics */
  int branch;    /* the sign that belongs to the branch, 0: not yet known   hl_island_place */
  double pivot_ratio; /* of C_lu when chosen                               hl_island_choose */
  double *x_last;     /* n: last solved positions, for the predictor             " */
  double *way;        /* 3 n: goal, start and last good place of a long way      " */

  /* change points */
  double
      clear_ratio; /* largest pivot ratio so far               hl_island_choose, hl_island_place */
  double *x_clear; /* n: last position clear of singular ones         " */
  bool has_clear;
  bool is_bridged;  /* X, T, gamma here come from positions around, C_lu is hardly regular */
  int n_refused;    /* bridges since the last clear position */
  HlBridge *bridge; /* or NULL: none met yet */

  double *scratch; /* n_rows x n + 6 n + 2 n_rows, and pivot scratch below */
  int *row_order, *column_order;
} HlIslandWork;

HlIslandWork *hl_island_work_new (const HlIsland *island);
void hl_island_work_free (HlIslandWork *iw);

/* Chooses kept rows and the partition at the poses in frames. `prefer` lists local columns that
 * should be independent, first wishes first (n_prefer of them; the rest in file order). The first
 * n_forced are taken when they keep full rank, the others only when they keep it by a margin (while
 * that gives enough); n_prefer < 0 leaves the choice to complete pivoting. Sets m, l, f. Fails with
 * HL_NOT_FINITE only. */
HlStatus hl_island_choose (const HlMechanism *mech,
                           const HlIsland *island,
                           const HlFrame frames[],
                           const int prefer[],
                           int n_prefer,
                           int n_forced,
                           HlIslandWork *iw);

/* All gradients of the island's rows: D is n_rows x n, local. */
void hl_island_gradients (const HlMechanism *mech,
                          const HlIsland *island,
                          const HlFrame frames[],
                          double D[]);

/* Solves C(x) = 0 for the dep coordinates, the others staying as they are, and evaluates the
 * kinematics there. Newton's method from the tangent at the last position; a way too long for that
 * is walked in steps, so that the position belongs to the same branch as the one before, however
 * far the step. x and frames are global. HL_DEAD_POINT when the branch ends on the way: x is then
 * the last position before its end. */
HlStatus hl_island_place (const HlMechanism *mech,
                          const HlIsland *island,
                          double x[],
                          HlFrame frames[],
                          HlIslandWork *iw);

/* Where the island stands in a change point: to the nearest position whose factored constraints can
 * be relied on, with the kinematics there. x_last stays. Does nothing elsewhere. */
void hl_island_step_aside (const HlMechanism *mech,
                           const HlIsland *island,
                           double x[],
                           HlFrame frames[],
                           HlIslandWork *iw);

/* The body (global) that moves most when the independent coordinates do: at a dead point, the one
 * that runs away. */
int hl_island_fastest_body (const HlIsland *island, const HlIslandWork *iw);

/* Gradients, X, T and the reduced mass at the poses in frames. HL_SINGULAR when the partition fails
 * here. */
HlStatus hl_island_kinematics (const HlMechanism *mech,
                               const HlIsland *island,
                               const HlFrame frames[],
                               HlIslandWork *iw);

/* Largest entry of X in scaled columns, and of what combines the rows in force to those dropped:
 * grows when the partition degrades. Uses the scratch. */
double hl_island_spread (const HlIsland *island, const HlIslandWork *iw);

/* v (global) from the independent velocities: v = T v_ai. */
void hl_island_velocities (const HlIsland *island,
                           const HlIslandWork *iw,
                           const double v_ai[],
                           double v[]);

/* iw->gamma: the accelerations that D a + d = 0 asks for with the independent ones at zero; frames
 * carry velocities. With beta or gamma [1/s] the constraints are stabilized, seed 000 eq. (89): C_x
 * a = -d - 2 beta (C_x v) - gamma^2 C and B a = -d - beta (B v). */
void hl_island_bias (const HlMechanism *mech,
                     const HlIsland *island,
                     const HlFrame frames[],
                     double beta,
                     double gamma,
                     HlIslandWork *iw);

/* z: zero at ai, and D z = rhs in the kept rows. rhs is indexed by local rows; z has n local
 * entries. */
void hl_island_dependent_solve (const HlIslandWork *iw, const double rhs[], double z[]);

/* a_ai = m0^-1 T^T (q - M gamma); q local. Without bias when gamma is NULL. */
void hl_island_accelerations (const HlMechanism *mech,
                              const HlIsland *island,
                              const HlFrame frames[],
                              const HlIslandWork *iw,
                              const double q[],
                              const double gamma[],
                              double a_ai[]);

/* Multipliers of the kept rows from the force balance D^T Lam = r (local); rows not kept get 0.
 * lambda has n_rows entries. */
void hl_island_multipliers (const HlIslandWork *iw, const double r[], double lambda[]);

/* out = M y, local. */
void hl_island_mass_times (const HlMechanism *mech,
                           const HlIsland *island,
                           const HlFrame frames[],
                           const double y[],
                           double out[]);
