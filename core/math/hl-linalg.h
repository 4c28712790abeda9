/* SPDX-License-Identifier: MIT */
/* Dense linear algebra on plain arrays. All matrices are column-major with leading dimension =
 * number of rows. Nothing here allocates except hl_linalg_work_new(): the caller gives the memory,
 * and what LAPACK needs besides comes from a workspace that is sized once. The only user of LAPACK. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"
#include "core/base/hl-status-codes.h"

/* Scratch for the functions below that take one; serves every matrix with at most max_rows rows and
 * max_columns columns (and as many right-hand sides). Not to be shared between threads. */
typedef struct HlLinalgWork HlLinalgWork;

/* Returns work space. Owned by the caller; never NULL (the program stops when memory is exhausted). */
HlLinalgWork *hl_linalg_work_new (int max_rows, int max_columns);
/* Returns the same in memory from where the arena has its own (NULL: any). */
HlLinalgWork *hl_linalg_work_new_beside (const HlArena *arena, int max_rows, int max_columns);
void hl_linalg_work_free (HlLinalgWork *work);

/* Returns whether no entry of a[n] is NaN or infinite. */
bool hl_all_finite (int n, const double a[]);

/* ---- products ---- */

/* Computes C = A B;  a[m x k], b[k x n], c[m x n]; C overlaps neither. */
void hl_mat_mul (int m, int k, int n, const double a[], const double b[], double c[]);
/* Computes C = A^T B;  a[k x m], b[k x n], c[m x n]. */
void hl_mat_tmul (int m, int k, int n, const double a[], const double b[], double c[]);
/* Computes y = A x;  a[m x n], x[n], y[m]. */
void hl_mat_vec (int m, int n, const double a[], const double x[], double y[]);
/* Computes y = A^T x;  a[m x n], x[m], y[n]. */
void hl_mat_tvec (int m, int n, const double a[], const double x[], double y[]);

/* ---- square systems ---- */

/* Factors P A = L U of a[n x n] in place with partial pivoting; the diagonal keeps the reciprocals of the
 * pivots, so that solving needs no division. Of pivots[n], pivots[k] >= k is the row exchanged with row k.
 * HL_SINGULAR when a pivot is exactly zero, HL_NOT_FINITE when one is not finite; A is then unusable. */
HlStatus hl_lu_factor (int n, double a[], int pivots[]);
/* Overwrites the n_rhs columns of b[n x n_rhs] by A^-1 B, or by A^-T B; lu[n x n] and pivots[n] by
 * hl_lu_factor (). */
void hl_lu_solve (int n, const double lu[], const int pivots[], int n_rhs, double b[]);
void hl_lu_solve_transposed (int n, const double lu[], const int pivots[], int n_rhs, double b[]);
/* Returns the sign of det A: -1 or 1; lu[n x n], pivots[n] as above. */
int hl_lu_sign (int n, const double lu[], const int pivots[]);
/* Returns |smallest pivot| / |largest pivot| of lu[n x n]: a cheap sign of ill-conditioning, no bound of the
 * condition. 1 for n = 0. */
double hl_lu_pivot_ratio (int n, const double lu[]);

/* Factors and solves likewise for complex matrices, a[2 n x n], lu[2 n x n], b[2 n x n_rhs], as pairs of
 * their parts, with pivots[n] and the same statuses. */
HlStatus hl_zlu_factor (int n, double a[], int pivots[]);
void hl_zlu_solve (int n, const double lu[], const int pivots[], int n_rhs, double b[]);

/* Factors A = L L^T in place (lower triangle; the upper one is not touched) of a symmetric positive definite
 * a[n x n], which is l[n x n] then, to overwrite b[n x n_rhs] by A^-1 B. HL_SINGULAR when it is not positive
 * definite beyond rounding. */
HlStatus hl_cholesky_factor (int n, double a[]);
void hl_cholesky_solve (int n, const double l[], int n_rhs, double b[]);

/* ---- rank ---- */

/* Performs Gaussian elimination with complete pivoting of A (m x n), in place. On return row_order[0..m) and
 * column_order[0..n) list the original rows and columns in pivot order: the first `rank` rows are
 * independent, the first `rank` columns hold their pivots. Element (i, j) of the permuted L U is at
 * a[row_order[i] + m * column_order[j]], so rows and columns keep their places.
 *   tolerance   a pivot counts when it exceeds tolerance * the largest entry of A (for entries of
 *               comparable scale; scale rows and columns beforehand otherwise);
 *               0 takes max (m, n) * DBL_EPSILON
 *   last_pivot  (optional) last pivot taken / largest entry, 1 when rank = 0
 *   rest        (optional) largest entry left over / largest entry of A, 0 when nothing is left
 * Returns the rank. A NaN makes the rank -1. */
int hl_eliminate_complete (int m, int n, double a[], double tolerance, int row_order[], int column_order[],
                           double *last_pivot, double *rest);

/* Computes the least-squares solution of least norm of A X = B by singular values.
 *   a      m x n, destroyed
 *   b      max (m, n) x n_rhs: the first m rows of each column in, the first n rows out
 *   rcond  singular values below rcond * the largest count as zero;
 *          0 takes max (m, n) * DBL_EPSILON
 *   rank   (optional) out
 * HL_NO_CONVERGENCE when the iteration for the singular values fails. */
HlStatus hl_least_squares (int m, int n, double a[], int n_rhs, double b[], double rcond, int *rank,
                           HlLinalgWork *work);

/* Computes singular values sigma[min (m, n)], descending. a[m x n] is destroyed. HL_NOT_FINITE,
 * HL_NO_CONVERGENCE. */
HlStatus hl_singular_values (int m, int n, double a[], double sigma[], HlLinalgWork *work);

/* Computes singular values and vectors: A = U S V^T. v[n x n] has the right vectors in its columns, u[m x m]
 * the left ones, or is NULL; sigma[n] (zeros beyond min (m, n)). The last columns of v span the null space.
 * a[m x n] is destroyed. */
HlStatus hl_svd (int m, int n, double a[], double sigma[], double u[], double v[], HlLinalgWork *work);

/* Computes the same without left vectors, with the same statuses; a[m x n], sigma[n], v[n x n]. */
HlStatus hl_right_singular (int m, int n, double a[], double sigma[], double v[], HlLinalgWork *work);

/* Factors A = Q R for a tall a[m x n], destroyed, into r[n x n] (upper triangle, zeros below), without Q: R
 * has the singular values and right vectors of A. work may be one for n x n, however many rows A has.
 * HL_NOT_FINITE. */
HlStatus hl_triangle (int m, int n, double a[], double r[], HlLinalgWork *work);

/* ---- eigenvalues ---- */

/* Computes eigenvalues re[n] + i im[n] of a real a[n x n] (balanced by permutation and scaling, destroyed).
 * Order of LAPACK; conjugate pairs are adjacent, positive imaginary part first. */
HlStatus hl_eigenvalues (int n, double a[], double re[], double im[], HlLinalgWork *work);
/* Computes the same of a[n x n] with vectors right[n x n] and left[n x n] (either may be NULL) in LAPACK's
 * packed form, values re[n] + i im[n]: for a pair j, j+1 the vector of the first is column j + i column j+1.
 * Left ones satisfy w^H A = lambda w^H. Norm 2 equal to 1. */
HlStatus hl_eigenvectors (int n, double a[], double re[], double im[], double right[], double left[],
                          HlLinalgWork *work);

/* Computes scale factors d[n] (powers of two) that make row and column norms of D^-1 A D of one size. a[n x
 * n] is balanced in place; no permutation. HL_NOT_FINITE. */
HlStatus hl_balance (int n, double a[], double d[]);

/* Factors A = Q H Q^T, H upper Hessenberg in place of a[n x n] (zeros below the subdiagonal written), q[n x
 * n] orthogonal. HL_NOT_FINITE, HL_NO_CONVERGENCE. */
HlStatus hl_hessenberg (int n, double a[], double q[], HlLinalgWork *work);

/* ---- exponential ---- */

/* E = exp (A), Pade approximation with scaling and squaring (Higham 2005). a[n x n] is kept,
 * e[n x n]; scratch[HL_EXPM_SCRATCH (n)], pivots[n]. HL_NOT_FINITE when the result overflows. */
#define HL_EXPM_SCRATCH(n) (7 * (n) * (n))
HlStatus hl_matrix_exp (int n, const double a[], double e[], double scratch[], int pivots[]);

/* Real matrices that are symmetric but for the units of their unknowns: volumes of oil between which oil flows by their
 * pressures, say, whose J is -C^-1 G with the compliances C and conductances G = G^T. */

/* Looks for d[n] > 0 that make
 *
 *   S = D^-1 A D
 *
 * symmetric to the rounding of each entry of a[n x n], and puts S in its place; queue[n] is scratch. False, and a as it was,
 * when there are none, or when they are so far apart that vectors would lose digits by them. */
bool hl_symmetrize (int n, double a[], double d[], int queue[]);

/* Threads of the library behind LAPACKE. */

/* Makes OpenBLAS compute in the calling thread only, if LAPACK is provided by OpenBLAS: the program divides
 * its work among threads itself, on matrices that are too small to be divided (data/docs/simulation.md has
 * figures). To be called from main () before other threads start: the setting holds for the whole process, so
 * a library must not change it. Returns whether a setting was changed. */
bool hl_linalg_use_one_thread (void);

/* Excludes other threads from LAPACKE and ARPACK while one call is in progress, if the library has no locks;
 * does nothing otherwise. OpenBLAS built without threads may have no locks either, as Debian's
 * libopenblas0-serial 0.3.21: of 96 000 least-squares solutions and sets of eigenvectors by sixteen threads
 * eleven were wrong in the first digit; with libopenblas0-pthread none of 192 000. Every call of LAPACKE and
 * ARPACK is between the two functions. end returns `info`, so that
 *
 *   HL_IN_TURN (LAPACKE_dgetrf_work (...)) */
void hl_linalg_take_turn (void);
int hl_linalg_end_turn (int info);

#define HL_IN_TURN(call) (hl_linalg_take_turn (), hl_linalg_end_turn (call))

/* Factors a matrix in plain loops, for hl_lu_factor () and hl_zlu_factor () in hl-linalg.c, with the same
 * statuses, HL_SINGULAR and HL_NOT_FINITE; a[n x n], of complex ones a[2 n x n], pivots[n]. */
HlStatus hl_lu_factor_small (int n, double a[], int pivots[]);
HlStatus hl_zlu_factor_small (int n, double a[], int pivots[]);

/* Parts of a square matrix that have nothing to do with each other: linkages side by side in one
 * file make a matrix of blocks, and what is spectral about it is that of its blocks. */

/* Matrices up to this order are not taken apart: nothing would be gained. */
#define HL_PARTS_LEAST_N 16

/* Numbers the parts that nonzero entries of a[n x n] (column-major) connect, in order of their
 * first row: part_of[i] is the one that row and column i belong to. Returns how many there are.
 * part_of[n]; stack[n] is scratch. */
int hl_parts_find (int n, const double a[], int part_of[], int stack[]);

/* Lists the rows of one part, ascending; returns their number. part_of[n] by hl_parts_find (); rows[n_rows],
 * at most n. */
int hl_parts_rows (int n, const int part_of[], int part, int rows[]);

/* Gathers the part's own matrix. a[n x n], out[n_rows x n_rows], column-major; rows[n_rows]. */
void hl_parts_gather (int n, const double a[], int n_rows, const int rows[], double out[]);
