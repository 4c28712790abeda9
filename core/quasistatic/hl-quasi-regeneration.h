/* SPDX-License-Identifier: MIT */
/* Regeneration: oil from the rod to the head chamber through a check-type valve, Qa = Ar va, in the
 * extending case with Ah >= Ar (theory/quasistatic.md (15)-(20); seed 002, section 5), with exact
 * evaluation for given v and a bounded search for given load. */
#pragma once

#include "core/quasistatic/hl-quasi-extending-case.h"

/* Evaluates Gamma_reg: the point of the map at v > 0 for any regeneration opening; exact, no iteration. Where
 * the map is vertical (bleed valve closed) the point is its upper end, and *f_lo the force at its lower end;
 * elsewhere *f_lo = F1 - F2. */
void hl_quasi_regeneration_gamma (const HlQuasiCase *c, double v, HlQuasiPoint *point, double *f_lo);

/* Sets the point with va = v and force f = F1 - F2 where both forces are vertical: closed return valve, no
 * bleed, all the pump flow taken. F1 is kept inside its limits. */
void hl_quasi_regeneration_lock (const HlQuasiCase *c, double v, double f, HlQuasiPoint *point);

/* Evaluates Lambda_reg where oil regenerates: the point with beta v + fbar = F1 - F2 and va > 0, in the units
 * of the case. To be called only if the answer without regeneration has Xi (v, 0) < 0; *point holds that
 * answer on entry (F1 = F2 = 0 where it is at rest). *n_evaluations grows by the evaluations of the search. */
void hl_quasi_regeneration_lambda (const HlQuasiCase *c, double beta, double fbar, HlQuasiPoint *point,
                                   int *n_evaluations);

/* Computes the point v = V (va) of the load line beta v + fbar for a given regeneration flow, exactly. For va
 * = 0 it is Lambda without regeneration whenever that is positive. */
void hl_quasi_regeneration_load_line (const HlQuasiCase *c, const HlQuasiPieces *pieces, double beta,
                                      double fbar, HlQuasiPoint *point);
