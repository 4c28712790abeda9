/* SPDX-License-Identifier: MIT */
/* Sparse LU of real or complex matrices of one fixed pattern, in KLU's order: block triangular form first,
 * so that parts of a system that do not touch each other cost their sum. Once it has factored, nothing is allocated but where
 * pivots chosen anew fill more than twice as much as the first ones. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"
#include "core/base/hl-status-codes.h"

/* Sparse triangular factors as plain arrays, in memory that is kept: pivots chosen anew need no other, unless they
 * fill more than twice as much as those before.
 *
 *   P R A Q = L U + F     L, U of diagonal blocks, F above these, in the columns of U
 *
 * Column by column (Gilbert and Peierls 1988): which entries a column has is found by the columns of L that its own ones reach,
 * so that the work is that of the multiplications. */

/* Right-hand sides at once. */
#define HL_SPARSE_WIDE 8

/* Compressed columns, rows of a column in any order. */
typedef struct {
  int *start;    /* n + 1 */
  int *row;      /* start[n] */
  double *value; /* start[n] numbers */
  int room;      /* for entries */
} HlSparseFactor;

/* A pattern, and the order in which it is factored. */
typedef struct {
  int n;
  const int *column_start;   /* n + 1; kept by the caller, as long as there are factors */
  const int *row_index;      /* column_start[n]; kept, too */
  int n_blocks;              /* on the diagonal, nothing below them */
  const int *block;          /* n_blocks + 1: where they begin */
  const int *rows, *columns; /* n: which stand k-th, both before pivots are chosen */
  /* the maximum number of entries of the factors is known for any choice of pivots; otherwise room is
   * allocated for twice as many as the first ones have */
  bool is_bounded;
  int most_L, most_U;
} HlSparseOrder;

typedef struct {
  HlArena arena;
  int n, n_blocks, width; /* doubles a number: 1, 2 of complex ones */
  /* of A; borrowed */
  const int *column_start; /* n + 1 */
  const int *row_index;    /* column_start[n] */
  HlSparseFactor L, U;     /* diagonals, of L they are 1, are not among them */
  int *inner;              /* n: where a column of U begins behind that of F */
  double *inverse;         /* n numbers: of the diagonal of U */
  int *block;              /* n_blocks + 1: where blocks begin */
  int *row_order;          /* n: P, the row of A that stands k-th */
  int *column_order;       /* n: Q */
  double *scale;           /* n: diagonal of R, in the order of P: 1 / the largest entry */
  int *target;             /* column_start[n]: where the rows of A's entries stand */
  double ratio;            /* |smallest pivot| / |largest pivot| */
  /* While pivots are chosen a row has a place: where it would stand were they all on the diagonal. */
  int *place;      /* n: of a row of A */
  int *pivot_of;   /* n: of a place, the column whose pivot it has become, -1: none yet */
  int *own_place;  /* n: of a column, the place of its pivot, or the first one that was requested */
  int *own_column; /* n: its inverse */
  int *reached;    /* n: of a place, the last column that has an entry there */
  int *order;      /* n: at its end columns of U in an order in which they can be subtracted */
  int *fresh;      /* n: places without pivot that a column has entries at */
  bool *is_full;   /* n: of a place, whether its row has very many entries */
  int n_fresh;     /* of them in use */
  int *path,
      *along; /* n: of columns, each reached from the one before; how far its entries are looked through */
  bool is_bounded; /* there is room for any pivots */
  bool has_room;   /* for these, or for twice what was needed first */
  double *column;  /* n numbers, 0 but while a column is made */
  double *y;       /* n numbers, of real ones HL_SPARSE_WIDE times as many: scratch */
} HlSparseFactors;

/* Functions that differ between real and complex numbers. */
typedef struct {
  /* Factors A by pivots chosen for these values (numbers, as its pattern has them): those of the diagonal blocks' diagonals
   * where they are not smaller than `tolerance` times the largest; false when a pivot is 0 or no number. */
  bool (*choose) (HlSparseFactors *factors, const double values[], double tolerance);
  /* The same by the pivots there are. */
  bool (*renew) (HlSparseFactors *factors, const double values[]);
  /* b := A^-1 b, n numbers; by the transposed matrix. */
  void (*solve) (HlSparseFactors *factors, double b[]);
  void (*solve_transposed) (HlSparseFactors *factors, double b[]);
} HlSparseArithmetic;

extern const HlSparseArithmetic hl_sparse_real, hl_sparse_complex;

/* Factors of matrices of one pattern, in storage of the caller; arrays from where the arena beside (NULL: any) has its own. */
void hl_sparse_factors_init (HlSparseFactors *factors, const HlArena *beside, const HlSparseOrder *order,
                             bool is_complex);
void hl_sparse_factors_clear (HlSparseFactors *factors);

/* ---- for the arithmetic ---- */

/* Functions that choose pivots. */
typedef struct {
  double smallest, largest;
} HlSparseRange;

/* Begins a factorization without pivots. */
void hl_sparse_factors_begin (HlSparseFactors *factors);
/* Finds the entries of column k of the block first ... end - 1 after elimination: order[answer ... n - 1],
 * fresh[n_fresh]; makes room for them. */
int hl_sparse_factors_reach (HlSparseFactors *factors, int first, int end, int k);
/* Sets the place of the pivot of column k. */
void hl_sparse_factors_set_pivot (HlSparseFactors *factors, int k, int place);
/* Ends a block, all of whose columns have pivots. */
void hl_sparse_factors_end_block (HlSparseFactors *factors, int first, int end);
/* Ends the factorization: rows are in the order of pivots. */
void hl_sparse_factors_end (HlSparseFactors *factors);

typedef struct HlSparseLu HlSparseLu;

/* Returns a factorization for compressed columns column_start[n + 1], row_index[column_start[n]], the rows of
 * a column in any order; the pattern is copied. Owned by the caller. */
HlSparseLu *hl_sparse_lu_new (int n, const int column_start[], const int row_index[], bool is_complex);
/* Returns the same in memory from where the arena (NULL: any) has its own. */
HlSparseLu *hl_sparse_lu_new_beside (const HlArena *arena, int n, const int column_start[],
                                     const int row_index[], bool is_complex);
/* Returns the same for a real matrix of one piece, whose diagonal may have zeros: columns are ordered for
 * whichever rows their pivots, the largest of their columns, will stand in. No triangular form is looked
 * for. */
HlSparseLu *hl_sparse_lu_new_whole (const HlArena *arena, int n, const int column_start[],
                                    const int row_index[]);
void hl_sparse_lu_free (HlSparseLu *lu);

/* Factors values[entries of the pattern]; complex ones as (re, im) pairs. Pivots are chosen at the first call
 * and again when the old choice has become bad. HL_SINGULAR when there are none. */
HlStatus hl_sparse_lu_factor (HlSparseLu *lu, const double values[]);
/* Discards the pivots: they are chosen at the next call as at the first one. */
void hl_sparse_lu_forget (HlSparseLu *lu);
/* Overwrites b (n, or n pairs) by the solution. */
void hl_sparse_lu_solve (HlSparseLu *lu, double b[]);
/* Solves likewise with the transposed matrix. */
void hl_sparse_lu_solve_transposed (HlSparseLu *lu, double b[]);
/* Solves with a real matrix for HL_SPARSE_WIDE right-hand sides at once, with the numbers of a row side by
 * side: b[n x HL_SPARSE_WIDE]. */
void hl_sparse_lu_solve_wide (HlSparseLu *lu, double b[]);

/* Sets that from the next choice on a pivot is hardly smaller than the other entries of its column: less
 * rounding, a little more computation. */
void hl_sparse_lu_choose_by_size (HlSparseLu *lu);
/* Returns |smallest pivot| / |largest pivot| of the factors, rows scaled; 1 for n = 0. */
double hl_sparse_lu_pivot_ratio (HlSparseLu *lu);
/* Returns the sign of the determinant of a real matrix: -1 or 1. */
int hl_sparse_lu_sign (HlSparseLu *lu);

/* In which order the rows and columns of a sparse matrix are to be eliminated. */

/* Finds an order of compressed columns column_start[n + 1], row_index[column_start[n]], kept by the caller.
 * Blocks on the diagonal first, in each of them an order of small fill-in for pivots on its diagonal;
 * is_whole: one block, by columns, for pivots in any rows. Lists go into the arena; false if rows and columns
 * cannot be paired. */
bool hl_sparse_order_find (int n, const int column_start[], const int row_index[], bool is_whole,
                           HlArena *arena, HlSparseOrder *order);

/* Rank of a sparse matrix, and which rows and columns have it, in time and memory of what is filled. Preferred columns
 * come first, then the others, those with fewest entries before the rest, as long as their pivots are large compared
 * with their rows; what is left then goes by the largest entries, of those about as large the one that fills least. */

/* A matrix by rows. */
typedef struct {
  int m, n;
  const int *start;    /* m + 1 */
  const int *column;   /* start[m]; no column twice in a row */
  const double *value; /* start[m]; a row's largest is about 1 */
} HlSparseRows;

/* Orders rows and columns such that the pivots come first: row_order[m], column_order[n]. A pivot below
 * tolerance is none. Returns the rank; -1: not finite. is_wanted: n. Allocates from where the arena beside
 * (NULL: any) has its own. */
int hl_sparse_rank (const HlSparseRows *a, const bool is_wanted[], double tolerance, const HlArena *beside,
                    int row_order[], int column_order[]);
