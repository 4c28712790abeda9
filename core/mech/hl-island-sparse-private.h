/* SPDX-License-Identifier: MIT */
/* The matrices of a large island: shared by hl-island-sparse.c, which computes their numbers and their patterns. */
#pragma once

#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-sparse.h"

/* A matrix in compressed columns, whose entries are taken from `source`, one from each place of `from`. */
typedef struct {
  HlSparseLu *lu;
  int n_entries;
  int *from;      /* n_entries */
  double *values; /* n_entries */
} Matrix;

/* Entries that one of several changes affects: HlMoved with room for all, and the bodies of its rows. */
typedef struct {
  int n_bodies, n_rows, n_pushed;
  /* of the island: n_bodies, n_rows, n_bodies; and whether each is in its list, the same */
  int *bodies, *rows, *pushed;
  bool *has_body, *has_row, *is_pushed;
  bool is_unsorted; /* rows do not rise */
} Moved;

struct HlIslandSparse {
  HlArena arena;  /* of itself and what follows */
  double *source; /* 6 n_rows + 9 n_bodies: gradients by row, then mass matrices by body */
  int *side;      /* 2 n_rows: local bodies, -1 the ground; by the first arrange */
  char *kind;     /* n_rows: HlRowKind */
  /* n: the row in force, as k-th of kept, that the latest elimination gave to a dep column; -1: the partner has
   * gone since, or it is none */
  int *pair;
  double *y, *wide;  /* n + n_rows each: scratch */
  double *changes;   /* n_rows x HL_SPARSE_WIDE: of hl_island_sparse_solve_dependent () */
  double *fresh;     /* n_rows x HL_SPARSE_WIDE: of columns of X */
  double *questions; /* (n + n_rows) x HL_SPARSE_WIDE */
  double *D;         /* n_rows x n, or NULL: not requested yet */
  int n_rows;        /* of the island */
  int *first_row;    /* n_bodies + 1: where the rows of a body begin in rows_of */
  int *rows_of;      /* 2 n_rows: rows of a body, rising */
  int *k_of_row;     /* n_rows: place among the kept ones, or -1 */
  Moved moved[HL_SPARSE_WIDE];

  HlArena of_rows; /* of what follows: rebuilt with other rows in force */
  Matrix K;
  int *kept, n_kept; /* n_kept */

  HlArena partition; /* of what follows: rebuilt with every partition */
  int m, l, *given;  /* so many rows of each kind, and the columns that they give: m of C, then l more of V */
  Matrix C;
  Matrix V;  /* all rows in force in the dep and ad columns; without nonholonomic ones there is C instead */
  double *X; /* n x (f + l); NULL: not requested yet */
  bool *is_here;  /* f + l: the column of X is that of the present position */
  double *T;      /* n x f, likewise, where there are nonholonomic rows: else X has its columns */
  bool *is_there; /* f: of T */
  bool has_tangent;
  int n_asked;     /* calls of hl_island_sparse_is_due () since it last said so */
  double asked_at; /* pivot ratio then */
};

/* Finishes hl_island_sparse_arrange () when the pairs are known. */
void hl_island_sparse_arrange_in_pairs (const HlIsland *island, HlIslandWork *iw);
