/* SPDX-License-Identifier: MIT */
/* The counterpart of seed 000, eqs. (95)-(100): central differences of all x, v, p, U. Only there
 * to be compared with. */
#pragma once

#include "core/analysis/hl-linearize.h"

int hl_counterpart_n_states (const HlWork *work);
/* The matrix alone, n_states x n_states; step as in HlLinearizeOptions. The partition must have
 * been chosen. */
HlStatus hl_counterpart_jacobian (const HlSystem *sys,
                                  HlWork *work,
                                  const HlPoint *point,
                                  double step,
                                  double J[],
                                  HlFault *fault);
HlLinearization *hl_counterpart_linearize (const HlSystem *sys,
                                           HlWork *work,
                                           const HlPoint *point,
                                           const HlLinearizeOptions *options,
                                           HlFault *fault);

/* Shared with hl-linearize.c. */
HlLinearization *hl_linearization_alloc (int n, int n_inputs);
void hl_linearization_name_hydraulics (const HlSystem *sys, HlLinearization *lin, int off_p);
HlStatus hl_linearization_analyse (HlLinearization *lin, bool vectors, const double row_error[]);
