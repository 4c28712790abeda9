/* SPDX-License-Identifier: MIT */
/* hl-linalg.c inside an FMU, where LAPACK is not: large systems take the plain loops of small ones,
 * and least squares the singular values by one-sided rotations (Hestenes 1958). */
#include "core/fmu/hl-substitute-linalg.h"
#include "core/base/hl-arena.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_SWEEPS 60

struct HlLinalgWork {
  HlArena arena; /* holds it, and every array of it */
  double *v;     /* k x k, k = max (rows, columns): rotations gathered */
  double *u;     /* k x k: a turned matrix */
  double *out;   /* k */
};

HlLinalgWork *hl_linalg_work_new_beside (const HlArena *arena, int max_rows, int max_columns) {
  HlArena own = hl_arena_beside (arena);
  HlLinalgWork *work = hl_arena_take (&own, 1, sizeof *work);
  int k = max_rows > max_columns ? max_rows : max_columns;

  work->arena = own;
  work->v = hl_arena_take (&work->arena, k * k, sizeof (double));
  work->u = hl_arena_take (&work->arena, k * k, sizeof (double));
  work->out = hl_arena_take (&work->arena, k, sizeof (double));
  return work;
}

void hl_linalg_work_free (HlLinalgWork *work) {
  if (work == NULL)
    return;
  HlArena arena = work->arena;
  hl_arena_clear (&arena);
}

HlStatus hl_lu_factor (int n, double a[], int pivots[]) {
  return hl_lu_factor_small (n, a, pivots);
}

HlStatus hl_zlu_factor (int n, double a[], int pivots[]) {
  return hl_zlu_factor_small (n, a, pivots);
}

static double dot_of (int m, const double a[], const double b[]) {
  double sum = 0.0;

  for (int i = 0; i < m; i++)
    sum += a[i] * b[i];
  return sum;
}

static void rotate_columns (int m, double a[], double b[], double c, double s) {
  for (int i = 0; i < m; i++) {
    double x = a[i], y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}

/* Makes the columns of a[m x n] orthogonal: A V in place, V into v[n x n]. */
static bool make_orthogonal (int m, int n, double a[], double v[]) {
  for (int i = 0; i < n * n; i++)
    v[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    bool turned = false;
    for (int j = 0; j < n; j++)
      for (int k = j + 1; k < n; k++) {
        double *x = a + m * j, *y = a + m * k;
        double xx = dot_of (m, x, x), yy = dot_of (m, y, y), xy = dot_of (m, x, y);
        if (!(fabs (xy) > DBL_EPSILON * sqrt (xx * yy)) || xy == 0.0)
          continue;
        double zeta = (yy - xx) / (2.0 * xy);
        double t = (zeta >= 0.0 ? 1.0 : -1.0) / (fabs (zeta) + sqrt (1.0 + zeta * zeta));
        double c = 1.0 / sqrt (1.0 + t * t);
        rotate_columns (m, x, y, c, c * t);
        rotate_columns (n, v + n * j, v + n * k, c, c * t);
        turned = true;
      }
    if (!turned)
      return true;
  }
  return false;
}

/* Computes x = V S^-1 U^T b of A = U S V^T; for a wide A from its transpose. */
HlStatus hl_least_squares (int m, int n, double a[], int n_rhs, double b[], double rcond, int *rank,
                           HlLinalgWork *work) {
  bool is_wide = m < n;
  int rows = is_wide ? n : m, columns = is_wide ? m : n, height = rows, found = 0;
  double *u = work->u, largest = 0.0;

  if (!hl_all_finite (m * n, a))
    return HL_NOT_FINITE;
  if (rcond <= 0.0)
    rcond = rows * DBL_EPSILON;
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      u[i + rows * j] = is_wide ? a[j + m * i] : a[i + m * j];
  if (!make_orthogonal (rows, columns, u, work->v))
    return HL_NO_CONVERGENCE;
  for (int j = 0; j < columns; j++)
    largest = fmax (largest, dot_of (rows, u + rows * j, u + rows * j));
  for (int r = 0; r < n_rhs; r++) {
    double *x = b + height * r;
    memset (work->out, 0, (size_t)rows * sizeof (double));
    found = 0;
    for (int j = 0; j < columns; j++) {
      const double *left = u + rows * j, *right = work->v + columns * j;
      double square = dot_of (rows, left, left);
      if (!(square > rcond * rcond * largest))
        continue;
      found++;
      double part = is_wide ? dot_of (columns, right, x) / square : dot_of (rows, left, x) / square;
      for (int i = 0; i < n; i++)
        work->out[i] += part * (is_wide ? left[i] : right[i]);
    }
    memcpy (x, work->out, (size_t)n * sizeof (double));
  }
  if (rank != NULL)
    *rank = found;
  return HL_OK;
}
