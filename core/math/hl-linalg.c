/* SPDX-License-Identifier: MIT */
/* The part of the linear algebra that is LAPACK's: factorizations of large matrices and everything
 * spectral, in the `_work` form, which does not allocate. */
#include "core/math/hl-linalg.h"

#include "core/base/hl-arena.h"

#include <dlfcn.h>
#include <lapacke.h>
#include <threads.h>

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int hl_parts_find (int n, const double a[], int part_of[], int stack[]) {
  int n_parts = 0;

  for (int i = 0; i < n; i++)
    part_of[i] = -1;
  for (int first = 0; first < n; first++) {
    int depth = 0;

    if (part_of[first] >= 0)
      continue;
    part_of[first] = n_parts;
    stack[depth++] = first;
    while (depth > 0) {
      int k = stack[--depth];

      for (int i = 0; i < n; i++)
        if (part_of[i] < 0 && (a[i + n * k] != 0.0 || a[k + n * i] != 0.0)) {
          part_of[i] = n_parts;
          stack[depth++] = i;
        }
    }
    n_parts++;
  }
  return n_parts;
}

int hl_parts_rows (int n, const int part_of[], int part, int rows[]) {
  int count = 0;

  for (int i = 0; i < n; i++)
    if (part_of[i] == part)
      rows[count++] = i;
  return count;
}

void hl_parts_gather (int n, const double a[], int n_rows, const int rows[], double out[]) {
  for (int j = 0; j < n_rows; j++)
    for (int i = 0; i < n_rows; i++)
      out[i + n_rows * j] = a[rows[i] + n * rows[j]];
}

/* Exponential of a matrix by Pade approximation with scaling and squaring (theory/integration.md
 * (12)):
 *
 *   exp (A) = [(V - U)^-1 (V + U)]^(2^k)        U odd, V even part of the numerator at A/2^k */

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

/* Asked of the process, not of the linker: which library computes behind LAPACKE is chosen where the
 * program is installed (on Debian by update-alternatives), and the reference one has no threads. */

/* They are of the process, as the library is whose buffers they guard. */
static once_flag is_asked = ONCE_FLAG_INIT;
static bool has_locks = true;
static mtx_t turn;

/* Finds the address of a function, which POSIX returns as that of an object. */
static bool find_symbol (const char *name, void *function) {
  void *process = dlopen (NULL, RTLD_LAZY);

  if (process == NULL)
    return false;
  *(void **)function = dlsym (process, name);
  dlclose (process);
  return *(void **)function != NULL;
}

bool hl_linalg_use_one_thread (void) {
  void (*set_threads) (int) = NULL;

  if (!find_symbol ("openblas_set_num_threads", &set_threads))
    return false;
  set_threads (1);
  return true;
}

static void find_thread_functions (void) {
  int (*get_parallel) (void) = NULL;

  has_locks = !find_symbol ("openblas_get_parallel", &get_parallel) || get_parallel () != 0;
  if (!has_locks && mtx_init (&turn, mtx_plain) != thrd_success)
    abort (); /* plain ones are always to be had */
}

void hl_linalg_take_turn (void) {
  call_once (&is_asked, find_thread_functions);
  if (!has_locks)
    mtx_lock (&turn);
}

int hl_linalg_end_turn (int info) {
  if (!has_locks)
    mtx_unlock (&turn);
  return info;
}

/* The least-squares solution of least norm of A x = b, when the rank of A is beyond doubt.
 *   a          m x n, kept
 *   b          max (m, n): m right-hand sides in, x[n] out; kept unless it succeeds
 *   condition  least reciprocal condition (norm 1) of the triangle
 *   scratch    HL_REFLECTIONS_SCRATCH (max (m, n))
 * False, also of numbers that are not finite, when the condition is not reached. */
#define HL_REFLECTIONS_SCRATCH(k) ((k) * (k) + 3 * (k))

/* With T = A, or A^T where A is wide, T = Q R:
 *
 *   x = R^-1 Q^T b      A tall
 *   x = Q R^-T b        A wide: of all solutions the shortest
 *
 * Q is a product of reflections 1 - beta v v^T, v_k = 1 of the k-th. */

/* Factors T[rows x n], rows >= n, of full rank, into R with the v below it; beta[n]. */
static bool factor (int rows, int n, double T[], double beta[]) {
  for (int k = 0; k < n; k++) {
    double *v = T + rows * k, top = v[k], below = 0.0;
    for (int i = k + 1; i < rows; i++)
      below += v[i] * v[i];
    double length = sqrt (top * top + below);
    if (!(length > 0.0 && length <= DBL_MAX))
      return false;
    beta[k] = 0.0;
    if (!(below > 0.0))
      continue;
    double diagonal = top > 0.0 ? -length : length, inverse = 1.0 / (top - diagonal);
    beta[k] = (diagonal - top) / diagonal;
    v[k] = diagonal;
    for (int i = k + 1; i < rows; i++)
      v[i] *= inverse;
    for (int j = k + 1; j < n; j++) {
      double *column = T + rows * j, sum = column[k];
      for (int i = k + 1; i < rows; i++)
        sum += v[i] * column[i];
      sum *= beta[k];
      column[k] -= sum;
      for (int i = k + 1; i < rows; i++)
        column[i] -= sum * v[i];
    }
  }
  return true;
}

/* Applies the k-th reflection to x[rows]. */
static void reflect (int rows, const double T[], const double beta[], int k, double x[]) {
  const double *v = T + rows * k;
  double sum = x[k];

  for (int i = k + 1; i < rows; i++)
    sum += v[i] * x[i];
  sum *= beta[k];
  x[k] -= sum;
  for (int i = k + 1; i < rows; i++)
    x[i] -= sum * v[i];
}

/* Computes x := R^-1 x. */
static void solve_upper (int rows, int n, const double R[], double x[]) {
  for (int k = n - 1; k >= 0; k--) {
    x[k] /= R[k + rows * k];
    for (int i = 0; i < k; i++)
      x[i] -= R[i + rows * k] * x[k];
  }
}

/* Computes x := R^-T x. */
static void solve_lower (int rows, int n, const double R[], double x[]) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < k; i++)
      x[k] -= R[i + rows * k] * x[i];
    x[k] /= R[k + rows * k];
  }
}

/* Returns 1/(|R| |R^-1|) in the norm 1; column[n] is overwritten. */
static double condition_of (int rows, int n, const double R[], double column[]) {
  double of_R = 0.0, of_inverse = 0.0;

  for (int j = 0; j < n; j++) {
    double sum = 0.0, sum_of_inverse = 0.0;
    for (int i = 0; i <= j; i++)
      sum += fabs (R[i + rows * j]);
    of_R = fmax (of_R, sum);
    memset (column, 0, sizeof (double) * (size_t)j);
    column[j] = 1.0;
    solve_upper (rows, j + 1, R, column);
    for (int i = 0; i <= j; i++)
      sum_of_inverse += fabs (column[i]);
    of_inverse = fmax (of_inverse, sum_of_inverse);
  }
  return 1.0 / (of_R * of_inverse);
}

static bool reflections_solve (int m, int n, const double a[], double b[], double condition,
                               double scratch[]) {
  bool is_wide = m < n;
  int rows = is_wide ? n : m, side = is_wide ? m : n;
  double *T = scratch, *beta = T + rows * side, *x = beta + rows, *column = x + rows;

  if (is_wide)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        T[j + rows * i] = a[i + m * j];
  else
    memcpy (T, a, sizeof (double) * (size_t)(m * n));
  if (!factor (rows, side, T, beta) || !(condition_of (rows, side, T, column) > condition))
    return false;
  memcpy (x, b, sizeof (double) * (size_t)m);
  if (is_wide) {
    memset (x + m, 0, sizeof (double) * (size_t)(n - m));
    solve_lower (rows, side, T, x);
    for (int k = side - 1; k >= 0; k--)
      reflect (rows, T, beta, k, x);
  } else {
    for (int k = 0; k < side; k++)
      reflect (rows, T, beta, k, x);
    solve_upper (rows, side, T, x);
  }
  memcpy (b, x, sizeof (double) * (size_t)n);
  return true;
}

/* With s_ij = a_ij d_j / d_i equal to s_ji = a_ji d_i / d_j,
 *
 *   (d_j / d_i)^2 = a_ji / a_ij
 *
 * which is computed from neighbour to neighbour, from any first one on; where they stand in a ring all but one of its
 * edges do, and the last one has to agree. */

/* Permitted relative difference of the two entries of an edge: rounding of closed forms and of the path
 * through a ring. */
#define SAME (64.0 * DBL_EPSILON)

/* Largest over smallest of d. */
#define MOST_SPREAD 64.0

/* Returns whether entries stand in pairs of one sign. */
static bool has_pairs (int n, const double a[]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      double p = a[i + n * j], q = a[j + n * i];
      if ((p != 0.0 || q != 0.0) && !(p * q > 0.0))
        return false;
    }
  return true;
}

static bool find_scales (int n, const double a[], double d[], int queue[]) {
  double smallest = 1.0, largest = 1.0;

  for (int k = 0; k < n; k++)
    d[k] = 0.0;
  for (int first = 0; first < n; first++) {
    int n_queue = 0;
    if (d[first] == 0.0) {
      d[first] = 1.0;
      queue[n_queue++] = first;
    }
    for (int at = 0; at < n_queue; at++) {
      int i = queue[at];
      for (int j = 0; j < n; j++)
        if (a[j + n * i] != 0.0 && d[j] == 0.0) {
          d[j] = d[i] * sqrt (a[j + n * i] / a[i + n * j]);
          smallest = fmin (smallest, d[j]);
          largest = fmax (largest, d[j]);
          queue[n_queue++] = j;
        }
    }
  }
  return largest <= MOST_SPREAD * smallest;
}

static bool is_symmetric_scaled (int n, const double a[], const double d[]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      double ratio = d[j] / d[i], s = a[i + n * j] * ratio, t = a[j + n * i] / ratio;
      if (fabs (s - t) > SAME * fabs (s))
        return false;
    }
  return true;
}

bool hl_symmetrize (int n, double a[], double d[], int queue[]) {
  if (!has_pairs (n, a) || !find_scales (n, a, d, queue) || !is_symmetric_scaled (n, a, d))
    return false;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      double ratio = d[j] / d[i], s = a[i + n * j] * ratio, t = a[j + n * i] / ratio;
      a[i + n * j] = a[j + n * i] = 0.5 * (s + t);
    }
  return true;
}

/* Order up to which the plain loops beat LAPACK (measured by tests/bench/bench-numerics). */
#define HL_SMALL_N 20

/* dgelsd splits its divide-and-conquer tree down to leaves of this order (ILAENV's SMLSIZ). */
#define HL_GELSD_LEAF 25

struct HlLinalgWork {
  HlArena arena; /* holds it, and every array of it */
  int max_rows;  /* of the matrices that it has room for */
  int max_columns;
  int n_real;     /* the most that LAPACK requires at these sizes */
  double *real;   /* n_real: LAPACK's work */
  int *integer;   /* 3 k levels + 11 k + 16: iwork of dgelsd, which requires the most */
  double *vector; /* k = max (max_rows, max_columns): singular values or balancing scales */
  double *matrix; /* max (rows, columns)^2: an unused second factor */
};

/* Above this order singular vectors are found by dividing and conquering, below by QR steps: a sixth of the
 * time at 1000, and of small matrices the same numbers as ever. */
#define DIVIDE_N 48

static int int_max (int a, int b) {
  return a > b ? a : b;
}

static int int_min (int a, int b) {
  return a < b ? a : b;
}

/* More than the optimal work length of any of them at small orders, where the query takes longer than the solution. */
#define SMALL_ROOM(k) (140 * (k) + 720)

/* Returns the largest optimal work length among the routines that share the workspace. */
static int query_work (int m, int n) {
  int k = int_max (m, n);
  if (k <= HL_SMALL_N)
    return SMALL_ROOM (k);
  int ilo, ihi, rank;
  double size = 0.0, norm, dummy = 0.0, largest = 1.0;

  LAPACKE_dgeevx_work (LAPACK_COL_MAJOR, 'B', 'V', 'V', 'N', k, &dummy, k, &dummy, &dummy, &dummy, k, &dummy,
                       k, &ilo, &ihi, &dummy, &norm, &dummy, &dummy, &size, -1, &rank);
  largest = fmax (largest, size);
  LAPACKE_dgelsd_work (LAPACK_COL_MAJOR, m, n, k, &dummy, m, &dummy, k, &dummy, -1.0, &rank, &size, -1, &ilo);
  largest = fmax (largest, size);
  LAPACKE_dgelsd_work (LAPACK_COL_MAJOR, k, k, k, &dummy, k, &dummy, k, &dummy, -1.0, &rank, &size, -1, &ilo);
  largest = fmax (largest, size);
  LAPACKE_dgels_work (LAPACK_COL_MAJOR, 'N', m, n, 1, &dummy, m, &dummy, k, &size, -1);
  largest = fmax (largest, size);
  LAPACKE_dgesvd_work (LAPACK_COL_MAJOR, 'A', 'A', k, k, &dummy, k, &dummy, &dummy, k, &dummy, k, &size, -1);
  largest = fmax (largest, size);
  LAPACKE_dsyevd_work (LAPACK_COL_MAJOR, 'V', 'L', k, &dummy, k, &dummy, &size, -1, &ilo, -1);
  largest = fmax (largest, size);
  if (k > DIVIDE_N)
    LAPACKE_dgesdd_work (LAPACK_COL_MAJOR, 'A', k, k, &dummy, k, &dummy, &dummy, k, &dummy, k, &size, -1,
                         &ilo);
  largest = fmax (largest, size);
  return (int)largest + 8 * k + 64;
}

HlLinalgWork *hl_linalg_work_new (int max_rows, int max_columns) {
  return hl_linalg_work_new_beside (NULL, max_rows, max_columns);
}

HlLinalgWork *hl_linalg_work_new_beside (const HlArena *arena, int max_rows, int max_columns) {
  HlArena own = hl_arena_beside (arena);
  HlLinalgWork *work = hl_arena_take (&own, 1, sizeof *work);
  int rows = int_max (max_rows, 1), columns = int_max (max_columns, 1);
  int k = int_max (rows, columns);
  int levels = int_max (0, (int)log2 ((double)k / (HL_GELSD_LEAF + 1)) + 1);

  work->arena = own;
  work->max_rows = rows;
  work->max_columns = columns;
  work->n_real = query_work (rows, columns);
  work->real = hl_arena_room (&work->arena, work->n_real, sizeof (double));
  work->integer = hl_arena_take (&work->arena, 3 * k * levels + 11 * k + 16, sizeof (int));
  work->vector = hl_arena_take (&work->arena, k, sizeof (double));
  work->matrix = hl_arena_room (&work->arena, k * k, sizeof (double));
  return work;
}

void hl_linalg_work_free (HlLinalgWork *work) {
  if (work == NULL)
    return;
  HlArena arena = work->arena;
  hl_arena_clear (&arena);
}

/* ---- square systems ---- */

HlStatus hl_lu_factor (int n, double a[], int pivots[]) {
  if (n <= HL_SMALL_N)
    return hl_lu_factor_small (n, a, pivots);
  if (!hl_all_finite (n * n, a))
    return HL_NOT_FINITE;
  if (HL_IN_TURN (LAPACKE_dgetrf_work (LAPACK_COL_MAJOR, n, n, a, n, pivots)) != 0)
    return HL_SINGULAR;
  for (int k = 0; k < n; k++) {
    pivots[k] -= 1;
    a[k + n * k] = 1.0 / a[k + n * k];
  }
  return HL_OK;
}

HlStatus hl_zlu_factor (int n, double a[], int pivots[]) {
  if (n <= HL_SMALL_N)
    return hl_zlu_factor_small (n, a, pivots);
  if (!hl_all_finite (2 * n * n, a))
    return HL_NOT_FINITE;
  if (HL_IN_TURN (LAPACKE_zgetrf_work (LAPACK_COL_MAJOR, n, n, (void *)a, n, pivots)) != 0)
    return HL_SINGULAR;
  for (int k = 0; k < n; k++) {
    double *pivot = a + 2 * (k + n * k), square = pivot[0] * pivot[0] + pivot[1] * pivot[1];
    pivots[k] -= 1;
    pivot[0] /= square;
    pivot[1] /= -square;
  }
  return HL_OK;
}

/* ---- rank ---- */

/* Below this reciprocal condition of the triangle singular values decide on the rank. */
#define CLEARLY_REGULAR 1e-6

/* Solves for one right-hand side and a matrix of unquestionable rank by QR or LQ, in a third of the time of
 * singular values. Neither a nor b is changed unless it succeeds. */
static bool solve_regular (int m, int n, const double a[], double b[], HlLinalgWork *work) {
  int k = int_max (m, n), side = int_min (m, n);
  if (k <= HL_SMALL_N)
    return reflections_solve (m, n, a, b, CLEARLY_REGULAR, work->real);
  double *x = work->vector, condition = 0.0;

  memcpy (work->matrix, a, sizeof (double) * (size_t)m * (size_t)n);
  memcpy (x, b, sizeof (double) * (size_t)k);
  if (HL_IN_TURN (LAPACKE_dgels_work (LAPACK_COL_MAJOR, 'N', m, n, 1, work->matrix, m, x, k, work->real,
                                      work->n_real)) != 0)
    return false;
  if (HL_IN_TURN (LAPACKE_dtrcon_work (LAPACK_COL_MAJOR, '1', m < n ? 'L' : 'U', 'N', side, work->matrix, m,
                                       &condition, work->real, work->integer)) != 0 ||
      !(condition > CLEARLY_REGULAR))
    return false;
  memcpy (b, x, sizeof (double) * (size_t)n);
  return true;
}

HlStatus hl_least_squares (int m, int n, double a[], int n_rhs, double b[], double rcond, int *rank,
                           HlLinalgWork *work) {
  int found = 0, k = int_max (m, n);

  assert (k <= int_max (work->max_rows, work->max_columns));
  if (m > 0 && n > 0 && n_rhs > 0) {
    if (!hl_all_finite (m * n, a))
      return HL_NOT_FINITE;
    if (n_rhs == 1 && rcond <= 1e-2 * CLEARLY_REGULAR && solve_regular (m, n, a, b, work)) {
      if (rank != NULL)
        *rank = int_min (m, n);
      return HL_OK;
    }
    if (rcond <= 0.0)
      rcond = k * DBL_EPSILON;
    if (HL_IN_TURN (LAPACKE_dgelsd_work (LAPACK_COL_MAJOR, m, n, n_rhs, a, m, b, k, work->vector, rcond,
                                         &found, work->real, work->n_real, work->integer)) != 0)
      return HL_NO_CONVERGENCE;
  } else if (n_rhs > 0)
    memset (b, 0, sizeof (double) * (size_t)k * (size_t)n_rhs);
  if (rank != NULL)
    *rank = found;
  return HL_OK;
}

HlStatus hl_singular_values (int m, int n, double a[], double sigma[], HlLinalgWork *work) {
  double none = 0.0;

  if (m == 0 || n == 0)
    return HL_OK;
  assert (int_max (m, n) <= int_max (work->max_rows, work->max_columns));
  if (!hl_all_finite (m * n, a))
    return HL_NOT_FINITE;
  if (HL_IN_TURN (LAPACKE_dgesvd_work (LAPACK_COL_MAJOR, 'N', 'N', m, n, a, m, sigma, &none, 1, &none, 1,
                                       work->real, work->n_real)) != 0)
    return HL_NO_CONVERGENCE;
  return HL_OK;
}

/* Computes the singular values; vt[n x n]: the right vectors in its rows. Returns whether LAPACK succeeded. */
static bool svd_succeeds (int m, int n, double a[], double sigma[], double u[], double vt[],
                          HlLinalgWork *work) {
  double none = 0.0;

  if (u != NULL && m == n && n > DIVIDE_N)
    return HL_IN_TURN (LAPACKE_dgesdd_work (LAPACK_COL_MAJOR, 'A', n, n, a, n, sigma, u, n, vt, n, work->real,
                                            work->n_real, work->integer)) == 0;
  return HL_IN_TURN (LAPACKE_dgesvd_work (LAPACK_COL_MAJOR, u != NULL ? 'A' : 'N', 'A', m, n, a, m, sigma,
                                          u != NULL ? u : &none, u != NULL ? m : 1, vt, n, work->real,
                                          work->n_real)) == 0;
}

HlStatus hl_svd (int m, int n, double a[], double sigma[], double u[], double v[], HlLinalgWork *work) {
  assert (int_max (m, n) <= int_max (work->max_rows, work->max_columns));
  if (m == 0) {
    memset (v, 0, sizeof (double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
      v[i + n * i] = 1.0;
  } else if (n > 0) {
    if (!hl_all_finite (m * n, a))
      return HL_NOT_FINITE;
    if (!svd_succeeds (m, n, a, sigma, u, work->matrix, work))
      return HL_NO_CONVERGENCE;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        v[i + n * j] = work->matrix[j + n * i];
  }
  for (int i = int_min (m, n); i < n; i++)
    sigma[i] = 0.0;
  return HL_OK;
}

HlStatus hl_right_singular (int m, int n, double a[], double sigma[], double v[], HlLinalgWork *work) {
  return hl_svd (m, n, a, sigma, NULL, v, work);
}

HlStatus hl_triangle (int m, int n, double a[], double r[], HlLinalgWork *work) {
  assert (n <= int_max (work->max_rows, work->max_columns));
  memset (r, 0, sizeof (double) * (size_t)n * (size_t)n);
  for (int j = 0; j < n; j++)
    if (!hl_all_finite (m, a + (size_t)j * (size_t)m))
      return HL_NOT_FINITE;
  if (m > 0 && n > 0)
    HL_IN_TURN (LAPACKE_dgeqrf_work (LAPACK_COL_MAJOR, m, n, a, m, work->vector, work->real, work->n_real));
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j && i < m; i++)
      r[i + n * j] = a[(size_t)j * (size_t)m + (size_t)i];
  return HL_OK;
}

/* ---- eigenvalues ---- */

/* Scales column k of factor u by d or its inverse, to the length 1. */
static void scale_column (int n, const double u[], const double d[], bool divides, double to[]) {
  double square = 0.0;

  for (int i = 0; i < n; i++) {
    to[i] = divides ? u[i] / d[i] : u[i] * d[i];
    square += to[i] * to[i];
  }
  double inverse = 1.0 / sqrt (square);
  for (int i = 0; i < n; i++)
    to[i] *= inverse;
}

/* Computes eigenvectors of the symmetric matrix D^-1 A D in a, whose vectors are orthogonal, in a tenth of
 * the time. From the largest eigenvalue on. */
static HlStatus eigenvectors_by_symmetry (int n, double a[], double re[], double im[], int n_rows,
                                          double right[], double left[], HlLinalgWork *work) {
  const double *d = work->vector;
  char wanted = right != NULL || left != NULL ? 'V' : 'N';

  if (HL_IN_TURN (LAPACKE_dsyevd_work (LAPACK_COL_MAJOR, wanted, 'L', n, a, n, im, work->real, work->n_real,
                                       work->integer, 5 * n + 3)) != 0)
    return HL_NO_CONVERGENCE;
  for (int k = 0; k < n; k++)
    re[k] = im[n - 1 - k]; /* they rise there */
  memset (im, 0, sizeof (double) * (size_t)n);
  for (int k = 0; k < n; k++) {
    const double *u = a + (size_t)n * (size_t)(n - 1 - k);
    if (right != NULL)
      scale_column (n, u, d, false, right + (size_t)n_rows * (size_t)k);
    if (left != NULL)
      scale_column (n, u, d, true, left + (size_t)n_rows * (size_t)k);
  }
  return HL_OK;
}

/* Computes vectors as columns of matrices with n_rows rows, of which the first n are written. */
static HlStatus eigenvectors_of_part (int n, double a[], double re[], double im[], int n_rows, double right[],
                                      double left[], HlLinalgWork *work) {
  double none = 0.0, norm = 0.0;
  int ilo = 0, ihi = 0;

  if (hl_symmetrize (n, a, work->vector, work->integer))
    return eigenvectors_by_symmetry (n, a, re, im, n_rows, right, left, work);
  if (HL_IN_TURN (LAPACKE_dgeevx_work (
          LAPACK_COL_MAJOR, 'B', left != NULL ? 'V' : 'N', right != NULL ? 'V' : 'N', 'N', n, a, n, re, im,
          left != NULL ? left : &none, left != NULL ? n_rows : 1, right != NULL ? right : &none,
          right != NULL ? n_rows : 1, &ilo, &ihi, work->vector, &norm, &none, &none, work->real, work->n_real,
          work->integer)) != 0)
    return HL_NO_CONVERGENCE;
  return HL_OK;
}

/* Puts the upper entries of columns to the rows they belong to, which rise: from the last one on
 * none is overwritten before it has moved. */
static void spread_rows (int n, int n_columns, double columns[], int n_part, const int rows[]) {
  for (int j = 0; j < n_columns; j++)
    for (int i = n_part - 1; i >= 0 && rows[i] != i; i--) {
      columns[rows[i] + n * j] = columns[i + n * j];
      columns[i + n * j] = 0.0;
    }
}

/* Computes vectors part by part: N linkages side by side cost N times one, not N^3 times. */
static HlStatus eigenvectors_by_parts (int n, int n_parts, const int part_of[], int rows[], const double a[],
                                       double re[], double im[], double *vectors[2], HlLinalgWork *work) {
  HlStatus status = HL_OK;
  int done = 0;

  for (int which = 0; which < 2; which++)
    if (vectors[which] != NULL)
      memset (vectors[which], 0, sizeof (double) * (size_t)n * (size_t)n);
  for (int part = 0; part < n_parts && status == HL_OK; part++) {
    int n_part = hl_parts_rows (n, part_of, part, rows);
    double *columns[2];

    for (int which = 0; which < 2; which++)
      columns[which] = vectors[which] != NULL ? vectors[which] + n * done : NULL;
    hl_parts_gather (n, a, n_part, rows, work->matrix);
    status =
        eigenvectors_of_part (n_part, work->matrix, re + done, im + done, n, columns[0], columns[1], work);
    for (int which = 0; which < 2; which++)
      if (vectors[which] != NULL)
        spread_rows (n, n_part, columns[which], n_part, rows);
    done += n_part;
  }
  return status;
}

HlStatus hl_eigenvectors (int n, double a[], double re[], double im[], double right[], double left[],
                          HlLinalgWork *work) {
  if (n == 0)
    return HL_OK;
  assert (n <= int_max (work->max_rows, work->max_columns));
  if (!hl_all_finite (n * n, a))
    return HL_NOT_FINITE;
  if (n > HL_PARTS_LEAST_N) {
    int *part_of = work->integer + 6 * n, *rows = part_of + n;
    int n_parts = hl_parts_find (n, a, part_of, rows);
    if (n_parts > 1)
      return eigenvectors_by_parts (n, n_parts, part_of, rows, a, re, im, (double *[]){right, left}, work);
  }
  return eigenvectors_of_part (n, a, re, im, n, right, left, work);
}

HlStatus hl_eigenvalues (int n, double a[], double re[], double im[], HlLinalgWork *work) {
  return hl_eigenvectors (n, a, re, im, NULL, NULL, work);
}

HlStatus hl_balance (int n, double a[], double d[]) {
  int ilo = 0, ihi = 0;

  if (n == 0)
    return HL_OK;
  if (!hl_all_finite (n * n, a))
    return HL_NOT_FINITE;
  return HL_IN_TURN (LAPACKE_dgebal_work (LAPACK_COL_MAJOR, 'S', n, a, n, &ilo, &ihi, d)) == 0
             ? HL_OK
             : HL_NOT_FINITE;
}

HlStatus hl_hessenberg (int n, double a[], double q[], HlLinalgWork *work) {
  if (n == 0)
    return HL_OK;
  assert (n <= int_max (work->max_rows, work->max_columns));
  if (!hl_all_finite (n * n, a))
    return HL_NOT_FINITE;
  if (HL_IN_TURN (
          LAPACKE_dgehrd_work (LAPACK_COL_MAJOR, n, 1, n, a, n, work->vector, work->real, work->n_real)) != 0)
    return HL_NO_CONVERGENCE;
  /* the reflectors stand below the subdiagonal */
  memcpy (q, a, sizeof (double) * (size_t)n * (size_t)n);
  for (int j = 0; j < n; j++)
    for (int i = j + 2; i < n; i++)
      a[i + n * j] = 0.0;
  if (HL_IN_TURN (
          LAPACKE_dorghr_work (LAPACK_COL_MAJOR, n, 1, n, q, n, work->vector, work->real, work->n_real)) != 0)
    return HL_NO_CONVERGENCE;
  return HL_OK;
}
