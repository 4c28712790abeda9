/* SPDX-License-Identifier: MIT */
/* Null space by singular values, and the augmented matrix (theory/hybrid.md (15)):
 *
 *   v = S x,   W_s = S W C,   M_s = S M S,   lam = C mu
 *   M_s x' + W_s mu = S F
 *   W_s^T x'        = -C rate
 *
 * with S = diag (M_jj^-1/2) and C the column scales. */
#include "tests/support/hl-hybrid-reduction-reference.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"

/* Singular values and pivots below this part of the largest count as zero (rows and columns are
 * scaled to one size). */
#define RANK_TOLERANCE 1e-10
/* A multiplier takes part in the null space of W when its entry exceeds this (unit vectors). */
#define SUPPORT_TOLERANCE 1e-7

struct HlHybridRoute {
  HlArena arena;   /* of itself and its arrays */
  int max_states;  /* room: n */
  int max_columns; /* room: m */
  HlLinalgWork *linalg;
  double *s;      /* state scales */
  double *c;      /* column scales */
  double *w;      /* W_s */
  double *mass;   /* M_s */
  double *matrix; /* room for 2 (n + m)^2 + n + m */
  double *basis;  /* room for (n + m)^2 */
  double *rhs;    /* n + m: right-hand side, then the solution */
  double *vector; /* n + m: scratch */
  int *rows;      /* of an elimination, pivot order */
  int *columns;   /* the same of its columns */
};

HlHybridRoute *hl_hybrid_route_new (int max_states, int max_columns) {
  HlArena own = {0}, *arena;
  HlHybridRoute *route = hl_arena_take (&own, 1, sizeof *route);
  int n = max_states;
  int m = max_columns;
  int k = n + m;

  route->arena = own;
  arena = &route->arena;
  route->max_states = n;
  route->max_columns = m;
  route->linalg = hl_linalg_work_new (k, k);
  route->s = hl_arena_take (arena, n, sizeof (double));
  route->c = hl_arena_take (arena, m, sizeof (double));
  route->w = hl_arena_take (arena, n * m, sizeof (double));
  route->mass = hl_arena_take (arena, n * n, sizeof (double));
  route->matrix = hl_arena_take (arena, 2 * k * k + k, sizeof (double));
  route->basis = hl_arena_take (arena, k * k, sizeof (double));
  route->rhs = hl_arena_take (arena, k, sizeof (double));
  route->vector = hl_arena_take (arena, k, sizeof (double));
  route->rows = hl_arena_take (arena, k, sizeof (int));
  route->columns = hl_arena_take (arena, k, sizeof (int));
  return route;
}

void hl_hybrid_route_free (HlHybridRoute *route) {
  if (route == NULL)
    return;
  HlArena arena = route->arena;
  hl_linalg_work_free (route->linalg);
  hl_arena_clear (&arena);
}

static void scale_problem (HlHybridRoute *route, const HlHybridProblem *problem) {
  int n = problem->n_states;
  double *unit = route->rhs;
  double *image = route->vector;

  assert (n <= route->max_states && problem->n_columns <= route->max_columns);
  for (int i = 0; i < n; i++)
    route->s[i] = 1.0 / sqrt (hl_hybrid_mass_diagonal (problem->mass, i));
  for (int j = 0; j < n; j++) {
    memset (unit, 0, (size_t)n * sizeof (double));
    unit[j] = route->s[j];
    hl_hybrid_mass_multiply (problem->mass, unit, image);
    for (int i = 0; i < n; i++)
      route->mass[i + n * j] = route->s[i] * image[i];
  }
  for (int k = 0; k < problem->n_columns; k++) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      double entry = route->s[i] * problem->w[i + n * k];
      route->w[i + n * k] = entry;
      sum += entry * entry;
    }
    route->c[k] = sum > 0.0 ? 1.0 / sqrt (sum) : 1.0;
    for (int i = 0; i < n; i++)
      route->w[i + n * k] *= route->c[k];
  }
}

/* ---- singular values ---- */

/* Fills matrix = W_s^T, m x n. */
static void fill_transposed (HlHybridRoute *route, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      route->matrix[k + m * i] = route->w[i + n * k];
}

/* Computes an orthonormal basis of the null space of A (m x n, destroyed) in the first *n_null columns of
 * basis (n x n); singular values sigma <= RANK_TOLERANCE * the largest count as zero. */
static HlStatus null_space (int m, int n, double a[], double sigma[], double basis[], int *n_null,
                            HlLinalgWork *work) {
  HlStatus status = hl_right_singular (m, n, a, sigma, basis, work);
  int rank = 0;

  if (status != HL_OK)
    return status;
  while (rank < n && sigma[rank] > RANK_TOLERANCE * sigma[0])
    rank++;
  memmove (basis, basis + n * rank, sizeof (double) * (size_t)n * (size_t)(n - rank));
  *n_null = n - rank;
  return HL_OK;
}

/* Computes x' (n) into vector, from the particular part and the motion in the null space. */
static HlStatus solve_in_null_space (HlHybridRoute *route, const HlHybridProblem *problem) {
  int n = problem->n_states;
  int m = problem->n_columns;
  int n_null = n;
  double *x_dot = route->vector;
  double *rest = route->rhs;

  memset (x_dot, 0, (size_t)(n + m) * sizeof (double));
  memset (route->basis, 0, (size_t)(n * n) * sizeof (double));
  for (int i = 0; i < n; i++)
    route->basis[i + n * i] = 1.0;
  if (m > 0) {
    for (int k = 0; k < m; k++)
      x_dot[k] = -route->c[k] * problem->rate[k];
    fill_transposed (route, n, m);
    HlStatus status = hl_least_squares (m, n, route->matrix, 1, x_dot, RANK_TOLERANCE, NULL, route->linalg);
    fill_transposed (route, n, m);
    if (status == HL_OK)
      status = null_space (m, n, route->matrix, rest, route->basis, &n_null, route->linalg);
    if (status != HL_OK)
      return status;
  }
  if (n_null == 0)
    return HL_OK;

  /* N^T M_s N z = N^T (S F - M_s x'_p) */
  double *m_n = route->matrix;
  double *reduced = route->matrix + n * n_null;
  double *z = route->matrix + n * n_null + n_null * n_null;
  hl_mat_vec (n, n, route->mass, x_dot, rest);
  for (int i = 0; i < n; i++)
    rest[i] = route->s[i] * problem->force[i] - rest[i];
  hl_mat_mul (n, n, n_null, route->mass, route->basis, m_n);
  hl_mat_tmul (n_null, n, n_null, route->basis, m_n, reduced);
  hl_mat_tvec (n, n_null, route->basis, rest, z);
  if (hl_cholesky_factor (n_null, reduced) != HL_OK)
    return HL_SINGULAR;
  hl_cholesky_solve (n_null, reduced, 1, z);
  hl_mat_vec (n, n_null, route->basis, z, rest);
  for (int i = 0; i < n; i++)
    x_dot[i] += rest[i];
  return HL_OK;
}

/* Multipliers of least norm, and which of them the null space of W_s leaves open. */
static HlStatus solve_multipliers (HlHybridRoute *route, const HlHybridProblem *problem, double lam[],
                                   int *rank) {
  int n = problem->n_states;
  int m = problem->n_columns;
  int own_rank = 0;
  double *rest = route->rhs;
  double *sigma = route->rhs;

  memset (rest, 0, (size_t)(n + m) * sizeof (double));
  hl_mat_vec (n, n, route->mass, route->vector, rest);
  for (int i = 0; i < n; i++)
    rest[i] = route->s[i] * problem->force[i] - rest[i];
  memcpy (route->matrix, route->w, (size_t)(n * m) * sizeof (double));
  HlStatus status = hl_least_squares (n, m, route->matrix, 1, rest, RANK_TOLERANCE, &own_rank, route->linalg);
  if (status != HL_OK)
    return status;
  for (int k = 0; k < m; k++)
    lam[k] = route->c[k] * rest[k];
  memcpy (route->matrix, route->w, (size_t)(n * m) * sizeof (double));
  status = hl_right_singular (n, m, route->matrix, sigma, route->basis, route->linalg);
  for (int k = 0; k < m; k++)
    for (int j = own_rank; j < m; j++)
      if (fabs (route->basis[k + m * j]) > SUPPORT_TOLERANCE)
        lam[k] = NAN;
  if (rank != NULL)
    *rank = own_rank;
  return status;
}

HlStatus hl_hybrid_route_svd (HlHybridRoute *route, const HlHybridProblem *problem, double v_dot[],
                              double lam[], int *rank) {
  scale_problem (route, problem);
  HlStatus status = solve_in_null_space (route, problem);
  if (status != HL_OK)
    return status;
  for (int i = 0; i < problem->n_states; i++)
    v_dot[i] = route->s[i] * route->vector[i];
  if (rank != NULL)
    *rank = 0;
  return problem->n_columns > 0 ? solve_multipliers (route, problem, lam, rank) : HL_OK;
}

/* ---- augmented matrix ---- */

HlStatus hl_hybrid_route_augmented (HlHybridRoute *route, const HlHybridProblem *problem, double v_dot[],
                                    double lam[], int *rank) {
  int n = problem->n_states;
  int m = problem->n_columns;
  int own_rank = 0;

  scale_problem (route, problem);
  memcpy (route->matrix, route->w, (size_t)(n * m) * sizeof (double));
  if (m > 0)
    own_rank =
        hl_eliminate_complete (n, m, route->matrix, RANK_TOLERANCE, route->rows, route->columns, NULL, NULL);
  if (own_rank < 0)
    return HL_NOT_FINITE;

  int size = n + own_rank;
  double *k = route->matrix;
  double *x = route->rhs;
  memset (k, 0, (size_t)(size * size) * sizeof (double));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      k[i + size * j] = route->mass[i + n * j];
  for (int j = 0; j < own_rank; j++)
    for (int i = 0; i < n; i++)
      k[i + size * (n + j)] = k[n + j + size * i] = route->w[i + n * route->columns[j]];
  for (int i = 0; i < n; i++)
    x[i] = route->s[i] * problem->force[i];
  for (int j = 0; j < own_rank; j++)
    x[n + j] = -route->c[route->columns[j]] * problem->rate[route->columns[j]];
  if (hl_lu_factor (size, k, route->rows) != HL_OK)
    return HL_SINGULAR;
  hl_lu_solve (size, k, route->rows, 1, x);
  for (int i = 0; i < n; i++)
    v_dot[i] = route->s[i] * x[i];
  for (int j = 0; j < m; j++)
    lam[j] = NAN;
  for (int j = 0; j < own_rank; j++)
    lam[route->columns[j]] = route->c[route->columns[j]] * x[n + j];
  if (rank != NULL)
    *rank = own_rank;
  return HL_OK;
}
