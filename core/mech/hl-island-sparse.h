/* SPDX-License-Identifier: MIT */
/* The reduced form of a large island at a cost that grows as the island does: each constraint has two bodies, and the
 * matrices are factored as sparse ones. Callers use hl-island.h.
 *
 *   C_xd           the kept holonomic rows in the dep columns, as in hl-island.h
 *   V              all kept rows in the dep and the ad columns: of velocities
 *   K = [M  D^T]   D: all kept rows
 *       [D  0  ]
 *
 *   K [z; mu] = [r; 0]    z = T m0^-1 T^T r:  neither T nor the reduced mass m0 is formed */
#pragma once

#include "core/mech/hl-island.h"

/* Bodies from which on an island is a large one: below, dense matrices are the faster ones. */
#define HL_LARGE_ISLAND 16

/* Returns storage for the matrices of an island, from the source of its arena. Owned by the caller. */
HlIslandSparse *hl_island_sparse_new (const HlArena *arena, const HlIsland *island);
void hl_island_sparse_free (HlIslandSparse *self);

/* Arranges the patterns for the partition in iw, and an order for them. Allocates. */
void hl_island_sparse_arrange (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw);

/* Chooses the independent holonomic rows and the columns that they determine, at the poses in frames: first
 * in iw->row_order and iw->column_order. Returns their number; -1: not finite. Allocates. */
int hl_island_sparse_pick (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           HlIslandWork *iw);

/* Gradients at the poses in frames, and C_xd of them factored. HL_SINGULAR, HL_NOT_FINITE. */
HlStatus hl_island_sparse_factor (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                  HlIslandWork *iw);
/* Computes the same, and K there: all functions below can be called then. */
HlStatus hl_island_sparse_kinematics (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                      HlIslandWork *iw);
/* Returns whether the last factorization is the one of hl_island_sparse_kinematics (). */
bool hl_island_sparse_has_tangent (const HlIslandWork *iw);

/* Computes b[m + l] := V^-1 b, in the order of kept in and of dep, then ad, out; and V^-T b, in the opposite
 * order. */
void hl_island_sparse_solve_velocities (const HlIslandWork *iw, double b[]);
void hl_island_sparse_solve_forces (const HlIslandWork *iw, double b[]);
/* Computes b[m] := C_xd^-1 b, in the order of kept in and of dep out; and C_xd^-T b, in the opposite order. */
void hl_island_sparse_solve (const HlIslandWork *iw, double b[]);
void hl_island_sparse_solve_transposed (const HlIslandWork *iw, double b[]);

/* Adds to out[n] (local), which holds motions of the ai and ad coordinates and zeros, those of dep, X. */
void hl_island_sparse_follow (const HlIslandWork *iw, double out[]);
/* Computes out = T v;  v[f], out[n] local. */
void hl_island_sparse_admit (const HlIslandWork *iw, const double v[], double out[]);
/* Returns the column j of X, j < f + l, computed on first use and kept until the next position. Allocates
 * room for all of them the first time. */
const double *hl_island_sparse_column (const HlIslandWork *iw, int j);
/* Returns the column j of T, likewise. */
const double *hl_island_sparse_velocity_column (const HlIslandWork *iw, int j);
/* Returns M T e_j, valid until the next one or the next accelerations. */
const double *hl_island_sparse_momentum (const HlIslandWork *iw, int j);

/* Clears, extends by a body, and returns the list of bodies that one of HL_SPARSE_WIDE simultaneous changes
 * affects; valid until the next change. */
void hl_island_sparse_forget_moved (const HlIslandWork *iw, int place);
void hl_island_sparse_add_moved (const HlIslandWork *iw, int place, int body);
HlMoved hl_island_sparse_moved (const HlIslandWork *iw, int place);
/* Returns these bodies and the ones that rows join to them, *n. */
const int *hl_island_sparse_pushed (const HlIslandWork *iw, int place, int *n);

/* Solves as hl_island_dependent_solve () for several changes at once: all are cleared, each is written at its
 * place, and read there. rhs[n_rows], of which the rows of moving bodies count; z: nonzero changes are
 * written to global[3 n_bodies of the mechanism], and the bodies that they move are added. */
void hl_island_sparse_clear_dependent (const HlIslandWork *iw);
void hl_island_sparse_put_dependent (const HlIslandWork *iw, int place, const double rhs[]);
void hl_island_sparse_solve_dependent (const HlIslandWork *iw);
void hl_island_sparse_take_dependent (const HlIsland *island, const HlIslandWork *iw, int place,
                                      double global[]);
/* Arguments of hl_island_sparse_answer (): q of a body; rhs[n_rows], of which the rows of moving bodies
 * are used; a_ai[f]. */
void hl_island_sparse_clear_questions (const HlIslandWork *iw);
void hl_island_sparse_put_force (const HlIslandWork *iw, int place, int body, const double q[3]);
void hl_island_sparse_put_rows (const HlIslandWork *iw, int place, const double rhs[]);
void hl_island_sparse_solve_questions (const HlIslandWork *iw);
void hl_island_sparse_take_answer (const HlIslandWork *iw, int place, double a_ai[]);

/* Computes a_ai[f] = m0^-1 T^T (q - M gamma); q[n], gamma[n] or NULL. */
void hl_island_sparse_accelerations (const HlIslandWork *iw, const double q[], const double gamma[],
                                     double a_ai[]);

/* Computes a_ai[f] of K [z; mu] = [q; rhs], as hl_island_answer (), by one solution; q[n], rhs[n_rows]. */
void hl_island_sparse_answer (const HlIslandWork *iw, const double q[], const double rhs[], double a_ai[]);

/* Returns the largest entry of X in the dep coordinates, in units in which a length of the island is 1; at
 * the latest gradients. With more than a thousand free coordinates an estimate of the largest row instead,
 * comparable with other such estimates. */
double hl_island_sparse_farthest (const HlIsland *island, const HlIslandWork *iw);

/* Returns D of all rows, n_rows x n, column-major, in memory of its own, at the latest gradients. Allocates
 * the first time. */
const double *hl_island_sparse_gradients (const HlIslandWork *iw);
/* Returns the entry of D, and the largest one of a row, a metre in every column. */
double hl_island_sparse_gradient (const HlIslandWork *iw, int row, int column);
/* Returns a row of D times v[n]. */
double hl_island_sparse_row_times (const HlIslandWork *iw, int row, const double v[]);
double hl_island_sparse_row_size (const HlIsland *island, const HlIslandWork *iw, int row);

/* Returns whether it is time to look at the spread again, which costs as much as many steps of a motion
 * with many degrees of freedom: once in f calls since the partition was chosen, and when the pivots have
 * become smaller. */
bool hl_island_sparse_is_due (const HlIslandWork *iw);

/* Returns |smallest| / |largest| pivot of C_xd, rows scaled. */
double hl_island_sparse_pivot_ratio (const HlIslandWork *iw);
