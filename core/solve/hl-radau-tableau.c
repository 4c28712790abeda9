/* SPDX-License-Identifier: MIT */
/* The method follows from its nodes alone (theory/integration.md (1)-(4)): A from the collocation
 * conditions, the eigenvalues of A^-1 from
 *
 *   det (lambda - A^-1) = lambda^3 - 9 lambda^2 + 36 lambda - 60
 *
 * and T from the eigenvectors. */
#include "core/solve/hl-radau-tableau.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"

/* A from its definition (collocation: exact for quadratics), its inverse, and the real canonical
 * form of that. */
void
hl_radau_tableau_init (HlRadauTableau *tab)
{
  double r = sqrt (6.0), A[9], inverse[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int pivots[3];

  tab->c[0] = (4.0 - r) / 10.0;
  tab->c[1] = (4.0 + r) / 10.0;
  tab->c[2] = 1.0;

  /* sum_j a_ij c_j^k = c_i^(k+1) / (k+1), k = 0, 1, 2:  V A^T = M, V_kj = c_j^k */
  double V[9], M[9];
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++) {
      V[k + 3 * j] = pow (tab->c[j], k);
      M[k + 3 * j] = pow (tab->c[j], k + 1) / (k + 1);
    }
  hl_lu_factor (3, V, pivots);
  hl_lu_solve (3, V, pivots, 3, M);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      A[i + 3 * j] = M[j + 3 * i];
  hl_lu_factor (3, A, pivots);
  hl_lu_solve (3, A, pivots, 3, inverse);

  double p = cbrt (9.0), q = cbrt (3.0);
  tab->g = 3.0 + p - q;
  tab->a = 3.0 - 0.5 * (p - q);
  tab->b = 0.5 * sqrt (3.0) * (p + q);

  /* eigenvectors with last component 1: two rows of (A^-1 - lambda) v = 0 determine the rest */
  double complex lambda[2] = {tab->g, tab->a + I * tab->b};
  for (int k = 0; k < 2; k++) {
    double complex m00 = inverse[0] - lambda[k], m01 = inverse[3], m10 = inverse[1],
                   m11 = inverse[4] - lambda[k];
    double complex b0 = -inverse[6], b1 = -inverse[7], det = m00 * m11 - m01 * m10;
    double complex v0 = (b0 * m11 - m01 * b1) / det, v1 = (m00 * b1 - b0 * m10) / det;

    if (k == 0) {
      tab->T[0] = creal (v0);
      tab->T[1] = creal (v1);
      tab->T[2] = 1.0;
    } else {
      /* A^-1 (x + i y) = (a + i b)(x + i y): columns x and y turn by [a b; -b a] */
      tab->T[3] = creal (v0);
      tab->T[4] = creal (v1);
      tab->T[5] = 1.0;
      tab->T[6] = cimag (v0);
      tab->T[7] = cimag (v1);
      tab->T[8] = 0.0;
    }
  }
  double lu[9];
  memcpy (lu, tab->T, sizeof lu);
  for (int i = 0; i < 9; i++)
    tab->T_inverse[i] = i % 4 == 0 ? 1.0 : 0.0;
  hl_lu_factor (3, lu, pivots);
  hl_lu_solve (3, lu, pivots, 3, tab->T_inverse);

  tab->e[0] = (-13.0 - 7.0 * r) / 3.0;
  tab->e[1] = (-13.0 + 7.0 * r) / 3.0;
  tab->e[2] = -1.0 / 3.0;
}
