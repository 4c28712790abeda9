/* SPDX-License-Identifier: MIT */
/* The method follows from its nodes alone (theory/integration.md (1)-(4)): A from the collocation
 * conditions, the eigenvalues of A^-1 as the roots of the denominator of its stability function, the
 * (s-1, s) Pade quotient of exp,
 *
 *   q(z) = sum_j  s! (2 s - 1 - j)! / ((2 s - 1)! j! (s - j)!) (-z)^j
 *
 * and T from the eigenvectors. */
#include "core/solve/hl-radau-tableau.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"

#define MOST HL_RADAU_STAGES

/* Where Newton begins for the eigenvalues, real one first. */
static const double complex begins_3[] = {3.6, 2.7 + 3.1 * I},
                            begins_5[] = {6.3, 3.7 + 6.5 * I, 5.7 + 3.2 * I};

/* Root of q near a place. */
static double complex
find_root (int s, double complex z)
{
  double coefficient[MOST + 1];

  coefficient[0] = 1.0;
  for (int j = 1; j <= s; j++) /* ratio of one to the one before */
    coefficient[j] = -coefficient[j - 1] * (s - j + 1) / ((double)j * (2 * s - j));
  for (int k = 0; k < 12; k++) {
    double complex q = 0.0, slope = 0.0;
    for (int j = s; j >= 0; j--) {
      slope = slope * z + q;
      q = q * z + coefficient[j];
    }
    z -= q / slope;
  }
  return z;
}

/* The nodes are the roots of P_s - P_(s-1), Legendre polynomials of x = 2 c - 1. */
static void
find_nodes (int s, double c[])
{
  for (int k = 0; k < s - 1; k++) {
    double x = -cos (2.0 * M_PI * (k + 0.5) / (2.0 * s - 1.0)); /* near it */
    for (int round = 0; round < 12; round++) {
      double below = 1.0, at = x, below_slope = 0.0, slope = 1.0;
      for (int j = 2; j <= s; j++) {
        double next = ((2 * j - 1) * x * at - (j - 1) * below) / j;
        double next_slope = below_slope + (2 * j - 1) * at;
        below = at;
        at = next;
        below_slope = slope;
        slope = next_slope;
      }
      x -= (at - below) / (slope - below_slope);
    }
    c[k] = 0.5 * (1.0 + x);
  }
  c[s - 1] = 1.0;
}

/* Eigenvector of M (s x s) with the last component 1: all rows but the last of (M - lambda) v = 0. */
static void
find_vector (int s, const double M[], double complex lambda, double complex v[])
{
  double complex m[MOST][MOST];
  int n = s - 1;

  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      m[i][j] = M[i + s * j] - (i == j ? lambda : 0.0);
    m[i][n] = -M[i + s * n];
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (cabs (m[i][k]) > cabs (m[best][k]))
        best = i;
    for (int j = k; j <= n; j++) {
      double complex swap = m[k][j];
      m[k][j] = m[best][j];
      m[best][j] = swap;
    }
    for (int i = k + 1; i < n; i++) {
      double complex factor = m[i][k] / m[k][k];
      for (int j = k; j <= n; j++)
        m[i][j] -= factor * m[k][j];
    }
  }
  v[n] = 1.0;
  for (int k = n - 1; k >= 0; k--) {
    v[k] = m[k][n];
    for (int j = k + 1; j < n; j++)
      v[k] -= m[k][j] * v[j];
    v[k] /= m[k][k];
  }
}

/* x := M^-1 for s x s. */
static void
invert (int s, const double M[], double x[])
{
  double lu[MOST * MOST];
  int pivots[MOST];

  memcpy (lu, M, sizeof (double) * (size_t)(s * s));
  for (int i = 0; i < s * s; i++)
    x[i] = i % (s + 1) == 0 ? 1.0 : 0.0;
  hl_lu_factor (s, lu, pivots);
  hl_lu_solve (s, lu, pivots, s, x);
}

void
hl_radau_tableau_init (HlRadauTableau *tab, int s)
{
  double A[MOST * MOST], inverse[MOST * MOST], V[MOST * MOST], M[MOST * MOST];
  const double complex *begins = s == 3 ? begins_3 : begins_5;
  int pivots[MOST];

  memset (tab, 0, sizeof *tab);
  tab->n_stages = s;
  find_nodes (s, tab->c);

  /* sum_j a_ij c_j^k = c_i^(k+1) / (k+1), k = 0 ... s-1:  V A^T = M, V_kj = c_j^k */
  for (int k = 0; k < s; k++)
    for (int j = 0; j < s; j++) {
      V[k + s * j] = pow (tab->c[j], k);
      M[k + s * j] = pow (tab->c[j], k + 1) / (k + 1);
    }
  hl_lu_factor (s, V, pivots);
  hl_lu_solve (s, V, pivots, s, M);
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++)
      A[i + s * j] = M[j + s * i];
  invert (s, A, inverse);

  for (int k = 0; k <= s / 2; k++) {
    double complex lambda = find_root (s, begins[k]), v[MOST];
    find_vector (s, inverse, lambda, v);
    if (k == 0)
      tab->g = creal (lambda);
    else {
      tab->a[k - 1] = creal (lambda);
      tab->b[k - 1] = cimag (lambda);
    }
    /* A^-1 (x + i y) = (a + i b)(x + i y): columns x and y turn by [a b; -b a] */
    for (int i = 0; i < s; i++) {
      tab->T[i + s * (k == 0 ? 0 : 2 * k - 1)] = creal (v[i]);
      if (k > 0)
        tab->T[i + s * 2 * k] = cimag (v[i]);
    }
  }
  invert (s, tab->T, tab->T_inverse);

  /* the embedded formula, of the order s, has the weight 1/g of the slope at the start:
   *   sum_i d_i c_i^k = -(1/g) at k = 0, 0 at k = 1 ... s-1;  e^T = g d^T A^-1 */
  double d[MOST] = {-1.0 / tab->g};
  for (int k = 0; k < s; k++)
    for (int j = 0; j < s; j++)
      V[k + s * j] = pow (tab->c[j], k);
  hl_lu_factor (s, V, pivots);
  hl_lu_solve (s, V, pivots, 1, d);
  for (int j = 0; j < s; j++)
    for (int i = 0; i < s; i++)
      tab->e[j] += tab->g * d[i] * inverse[i + s * j];
}
