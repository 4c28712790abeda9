/* SPDX-License-Identifier: MIT */
/* Exponential of a matrix by Pade approximation with scaling and squaring (theory/integration.md
 * (12)):
 *
 *   exp (A) = [(V - U)^-1 (V + U)]^(2^k)        U odd, V even part of the numerator at A/2^k */
#include "core/math/hl-linalg.h"
#include "core/math/hl-linalg-private.h"

#include <math.h>
#include <string.h>

/* Pade numerator coefficients of degree 13 and the norm up to which they are exact to double
 * precision (Higham, SIAM J. Matrix Anal. Appl. 26 (2005), table 2.3). One degree for all norms:
 * the arithmetic saved by lower ones is not worth four tables. */
static const double pade13[14] = {64764752532480000.0,
                                  32382376266240000.0,
                                  7771770303897600.0,
                                  1187353796428800.0,
                                  129060195264000.0,
                                  10559470521600.0,
                                  670442572800.0,
                                  33522128640.0,
                                  1323241920.0,
                                  40840800.0,
                                  960960.0,
                                  16380.0,
                                  182.0,
                                  1.0};
#define PADE13_NORM 5.371920351148152

HlStatus hl_matrix_exp (int n, const double a[], double e[], double scratch[], int pivots[]) {
  int n_entries = n * n, n_squarings = 0;
  double *scaled = scratch, *a2 = scaled + n_entries, *a4 = a2 + n_entries, *a6 = a4 + n_entries;
  double *odd = a6 + n_entries, *even = odd + n_entries, *sum = even + n_entries;
  double norm = 0.0, factor = 1.0;

  if (!hl_all_finite (n_entries, a))
    return HL_NOT_FINITE;
  for (int j = 0; j < n; j++) {
    double column = 0.0;

    for (int i = 0; i < n; i++)
      column += fabs (a[i + n * j]);
    norm = fmax (norm, column);
  }
  if (norm > PADE13_NORM) {
    n_squarings = (int)ceil (log2 (norm / PADE13_NORM));
    factor = ldexp (1.0, -n_squarings);
  }
  for (int i = 0; i < n_entries; i++)
    scaled[i] = factor * a[i];

  hl_mat_mul (n, n, n, scaled, scaled, a2);
  hl_mat_mul (n, n, n, a2, a2, a4);
  hl_mat_mul (n, n, n, a4, a2, a6);

  /* odd part U = A (A6 (b13 A6 + b11 A4 + b9 A2) + b7 A6 + b5 A4 + b3 A2 + b1 I) */
  for (int i = 0; i < n_entries; i++)
    sum[i] = pade13[13] * a6[i] + pade13[11] * a4[i] + pade13[9] * a2[i];
  hl_mat_mul (n, n, n, a6, sum, even);
  for (int i = 0; i < n_entries; i++)
    even[i] += pade13[7] * a6[i] + pade13[5] * a4[i] + pade13[3] * a2[i];
  for (int i = 0; i < n; i++)
    even[i + n * i] += pade13[1];
  hl_mat_mul (n, n, n, scaled, even, odd);

  /* even part V, likewise with the even coefficients */
  for (int i = 0; i < n_entries; i++)
    sum[i] = pade13[12] * a6[i] + pade13[10] * a4[i] + pade13[8] * a2[i];
  hl_mat_mul (n, n, n, a6, sum, even);
  for (int i = 0; i < n_entries; i++)
    even[i] += pade13[6] * a6[i] + pade13[4] * a4[i] + pade13[2] * a2[i];
  for (int i = 0; i < n; i++)
    even[i + n * i] += pade13[0];

  /* exp (A) = (V - U)^-1 (V + U), then squared back */
  for (int i = 0; i < n_entries; i++) {
    e[i] = even[i] + odd[i];
    sum[i] = even[i] - odd[i];
  }
  HlStatus status = hl_lu_factor (n, sum, pivots);
  if (status != HL_OK)
    return status;
  hl_lu_solve (n, sum, pivots, n, e);
  for (int k = 0; k < n_squarings; k++) {
    hl_mat_mul (n, n, n, e, e, sum);
    memcpy (e, sum, sizeof (double) * (size_t)n_entries);
  }
  return hl_all_finite (n_entries, e) ? HL_OK : HL_NOT_FINITE;
}
