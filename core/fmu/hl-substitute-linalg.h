/* SPDX-License-Identifier: MIT */
/* Replaces hl-linalg.h in an FMU: the functions needed by a right-hand side, without LAPACK. The contracts
 * are those of the program's header. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"
#include "core/base/hl-status-codes.h"

typedef struct HlLinalgWork HlLinalgWork;

HlLinalgWork *hl_linalg_work_new_beside (const HlArena *arena, int max_rows, int max_columns);
void hl_linalg_work_free (HlLinalgWork *work);

bool hl_all_finite (int n, const double a[]);
void hl_mat_mul (int m, int k, int n, const double a[], const double b[], double c[]);
void hl_mat_tmul (int m, int k, int n, const double a[], const double b[], double c[]);
void hl_mat_vec (int m, int n, const double a[], const double x[], double y[]);
void hl_mat_tvec (int m, int n, const double a[], const double x[], double y[]);

HlStatus hl_lu_factor (int n, double a[], int pivots[]);
void hl_lu_solve (int n, const double lu[], const int pivots[], int n_rhs, double b[]);
void hl_lu_solve_transposed (int n, const double lu[], const int pivots[], int n_rhs, double b[]);
int hl_lu_sign (int n, const double lu[], const int pivots[]);
double hl_lu_pivot_ratio (int n, const double lu[]);
HlStatus hl_zlu_factor (int n, double a[], int pivots[]);
void hl_zlu_solve (int n, const double lu[], const int pivots[], int n_rhs, double b[]);

HlStatus hl_cholesky_factor (int n, double a[]);
void hl_cholesky_solve (int n, const double l[], int n_rhs, double b[]);

int hl_eliminate_complete (int m, int n, double a[], double tolerance, int row_order[], int column_order[],
                           double *last_pivot, double *rest);

HlStatus hl_least_squares (int m, int n, double a[], int n_rhs, double b[], double rcond, int *rank,
                           HlLinalgWork *work);

HlStatus hl_lu_factor_small (int n, double a[], int pivots[]);
HlStatus hl_zlu_factor_small (int n, double a[], int pivots[]);
