/* SPDX-License-Identifier: MIT */
/* Coefficients of the three-stage Radau IIA method and of the transformation that splits Newton's
 * equations. */
#pragma once

/* Nodes c, weights e of the embedded formula, and (theory/integration.md (4))
 *   A^-1 = T L T^-1,   L = [g] + [a b; -b a]
 * The last row of T is (1, 1, 0). Matrices are column-major. */
typedef struct
{
  double c[3];               /* nodes, parts of a step */
  double T[9], T_inverse[9]; /* 3 x 3 */
  double g, a, b;            /* eigenvalues g, a +- i b of A^-1 */
  double e[3];               /* weights of the stages in the error */
} HlRadauTableau;

/* Computes everything from the definition of the method. */
void hl_radau_tableau_init (HlRadauTableau *tab);
