/* SPDX-License-Identifier: MIT */
/* The counterpart of seed 000, eqs. (95)-(100): central differences of all x, v, p, U. Only there
 * to be compared with. */
#pragma once

#include "core/linear/hl-linearize.h"

/* The matrix alone, J[n_states x n_states], column-major; step as in HlLinearizeOptions. The
 * partition must have been chosen. */
HlStatus hl_counterpart_jacobian (const HlSystem *sys, HlWork *work, const HlPoint *point, double step,
                                  double J[], HlFault *fault);
/* The linear model of all coordinates by differences, 2 n + r + u states, without inputs and kinks.
 * NULL and a fault when the rates or the eigenvalues cannot be had. Owned by the caller. */
HlLinearization *hl_counterpart_linearize (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                           const HlLinearizeOptions *options, HlFault *fault);

/* Shared with hl-linearize.c; row_error[n] and samples[HL_JACOBIAN_SAMPLES n n] as
 * hl_jacobian_row_error () gives them, or NULL. */
HlLinearization *hl_linearization_alloc (int n, int n_inputs);
/* Names and units of pressures and component states, from state off_p on. */
void hl_linearization_name_hydraulics (const HlSystem *sys, HlLinearization *lin, int off_p);
/* Eigenvalues of lin->J, sorted and judged, their null blocks, and vectors when wanted; fills in what
 * HlLinearization says of them. HL_NO_CONVERGENCE and HL_NOT_FINITE as LAPACK has them. */
HlStatus hl_linearization_analyse (HlLinearization *lin, bool vectors, const double row_error[],
                                   const double samples[]);
