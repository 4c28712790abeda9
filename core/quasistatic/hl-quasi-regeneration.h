/* SPDX-License-Identifier: MIT */
/* Regeneration: oil from the rod to the head chamber through a check-type valve, Qa = Ar va, in the
 * extending case with Ah >= Ar. [Kikuuwe] section 5, with exact evaluation for given v and a
 * bounded search for given load. */
#pragma once

#include "core/quasistatic/hl-quasi-case.h"

/* Gamma_reg: the point of the map at v > 0 for any regeneration opening; exact, no iteration. Where
 * F1 jumps (bleed valve shut) and va = 0, F1 is the upper end of its interval and *F1_lo the lower
 * one; elsewhere *F1_lo = F1. */
void
hl_quasi_regeneration_gamma (const HlQuasiCase *c, double v, HlQuasiPoint *point, double *F1_lo);

/* Lambda_reg where oil regenerates: the point with beta v + fbar = F1 - F2 and va > 0, in the units
 * of the case. To be called only if the answer without regeneration has Xi (v, 0) < 0.
 * *n_evaluations grows by the evaluations of the search. */
void hl_quasi_regeneration_lambda (
    const HlQuasiCase *c, double beta, double fbar, HlQuasiPoint *point, int *n_evaluations);

/* The point v = V (va) of the load line beta v + fbar for a given regeneration flow, exact. For va
 * = 0 it is Lambda without regeneration whenever that is positive. */
void hl_quasi_regeneration_load_line (const HlQuasiCase *c,
                                      const HlQuasiPieces *pieces,
                                      double beta,
                                      double fbar,
                                      HlQuasiPoint *point);
