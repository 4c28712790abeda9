/* SPDX-License-Identifier: MIT */
/* HlElimination: hl_eliminate_complete () of a matrix that is nearly empty, such as the constraints of a linkage, where
 * each joint connects two bodies, in time of what is filled. The order of the columns says which unknowns depend on
 * which. */
#pragma once

#include "core/base/hl-arena.h"

#include <stdbool.h>

/* Private to the elimination, except for the members marked as readable. An entry is at row + most_rows * column of
 * `value`; only places that are in the pattern count. */
typedef enum {
  HL_PIVOT_LARGEST, /* the pivots of hl_eliminate_complete (), and the same numbers in them */
  /* of those that are about as large, less than by a factor of four, one that fills little: a
   * large linkage costs hundreds of times less */
  HL_PIVOT_THRIFTY
} HlPivoting;

typedef struct {
  HlPivoting pivoting;
  int most_rows, m, n;
  int rank;                          /* read: of the last elimination */
  int *row_order, *column_order;     /* read: m, n: pivots in their order first */
  int *row_place, *column_place;     /* m, n: the same turned round */
  double *value;                     /* most_rows x n, column-major */
  char *is_filled;                   /* likewise: whether the place is in the pattern */
  int *rows_in, *n_rows_in;          /* pattern by column: most_rows a column; n */
  int *columns_in, *n_columns_in;    /* pattern by row: n a row; most_rows */
  double *top;                       /* n: size of the largest entry in the rows to come */
  double *rating;                    /* n: of its column as the next pivot's, higher is better */
  int *n_rows_left, *n_columns_left; /* n, most_rows: of the pattern, what is not eliminated */
  int *winner; /* 2 n_leaves: of the ratings, by places of columns, a tree in an array */
  int n_leaves;
  int *filled;  /* most_rows [rows]: of the pivot's column */
  double *work; /* most_rows [rows]: of the solutions */
  bool is_finite;
} HlElimination;

/* Allocates an elimination for that many rows of n columns. */
void hl_elimination_take (HlElimination *self, HlArena *arena, int most_rows, int n);
/* Forgets the last matrix; the next one has m rows, all empty. */
void hl_elimination_begin (HlElimination *self, int m);
/* Adds to one entry. */
void hl_elimination_add (HlElimination *self, int row, int column, double by);
/* Eliminates; a pivot below tolerance times the first one is none. The rank; -1: not finite. */
int hl_elimination_run (HlElimination *self, HlPivoting pivoting, double tolerance);
/* Returns the smallest pivot over the largest one, 1 without any. */
double hl_elimination_worst (const HlElimination *self);
/* Computes y[0 ... rank-1], of the dependent columns in their order, with A y = b in the pivots' rows; b: m,
 * by row. */
void hl_elimination_solve (HlElimination *self, const double b[], double y[]);
/* Computes lambda (m, by row; 0 without a pivot) with lambda^T A = g^T in the dependent columns; g: n, by
 * column. */
void hl_elimination_solve_turned (HlElimination *self, const double g[], double lambda[]);
/* Computes x (n, by column) with A x = 0 in the pivots' rows: 1 in the k-th free column, 0 in the others. */
void hl_elimination_tangent (HlElimination *self, int k, double x[]);
