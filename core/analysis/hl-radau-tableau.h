/* SPDX-License-Identifier: MIT */
/* Coefficients of the three-stage Radau IIA method and of the transformation that splits Newton's
 * equations. */
#pragma once

/* Nodes c, A^-1 = T L T^-1 with L = [g] + [a b; -b a], weights e of the embedded formula; the last
 * row of T is (1, 1, 0). Matrices are column-major. */
typedef struct
{
  double c[3];
  double T[9], T_inverse[9];
  double g, a, b;
  double e[3];
} HlRadauTableau;

/* Computes everything from the definition of the method. */
void hl_radau_tableau_init (HlRadauTableau *tab);
