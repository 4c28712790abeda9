/* SPDX-License-Identifier: MIT */
/* Newton's matrix of a large linkage that moves in many ways. Its J is full, because every body depends on
 * every other one; the underlying equations are sparse, because a joint connects only two bodies. So
 *
 *   (s I - J) x = b
 *
 * is solved with the dependent coordinates, the accelerations and the multipliers still in it
 * (theory/linearization.md (16)-(23)), as a sparse matrix, at a cost that grows as the machine does:
 *
 *   s dx - dv = b_x,  s dv - da = b_v                          in the independent columns
 *   D dx = 0                                                   of the rows in force
 *   D dv + [d(D v0)/dx] dx = 0
 *   D da + [d(D a0)/dx + d_x] dx + d_v dv = 0
 *   M da + D^T dLam + [d(M a0 + D^T Lam0 - Q)/dx] dx - Q_v dv - grad dF = 0      of every body
 *   dF, ds, ds'                                                of every cylinder, as hl-jacobian.c has them
 *   s dp - dp' = b_p,  s du - du' = b_u                        of the oil, as hl-jacobian.c has them */
#pragma once

#include "core/system/hl-system-private.h"

typedef struct HlUnreduced HlUnreduced;

enum {
  HL_UNREDUCED_PAIRS = 2 /* complex factorizations that can be held */
};

/* Returns whether it can be had for the present partition of the work, and costs less than J. */
bool hl_unreduced_pays (const HlSystem *sys, const HlWork *work);
/* Returns the same without considering the cost. */
bool hl_unreduced_can (const HlSystem *sys, const HlWork *work);

/* Returns the matrix for the present partition of the work; both are borrowed. Owned by the caller. */
HlUnreduced *hl_unreduced_new (const HlSystem *sys, HlWork *work);
void hl_unreduced_free (HlUnreduced *self);

/* Evaluates the parts of the matrix at y[n_states]. Statuses as hl_jacobian_eval (). Allocates the first
 * time. */
HlStatus hl_unreduced_eval (HlUnreduced *self, double t, const double y[], HlFault *fault);

/* Factors (s I - J), real, or with s = re + i im: one of the former and HL_UNREDUCED_PAIRS of the latter, by
 * `pair`, can be held. HL_SINGULAR. Allocates the first time, and when pivots are chosen anew. */
HlStatus hl_unreduced_factor (HlUnreduced *self, double s);
HlStatus hl_unreduced_factor_complex (HlUnreduced *self, int pair, double re, double im);
/* Computes x[n_states] := (s I - J)^-1 x; complex: pairs. */
void hl_unreduced_solve (HlUnreduced *self, double x[]);
void hl_unreduced_solve_complex (HlUnreduced *self, int pair, double x[]);
/* Discards the pivots: they are chosen anew at the next factorizations. */
void hl_unreduced_forget_pivots (HlUnreduced *self);
