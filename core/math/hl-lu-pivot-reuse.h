/* SPDX-License-Identifier: MIT */
/* hl_lu_factor () of one nearly empty matrix again and again, as the constraints of a small linkage are
 * while it moves: which row becomes which pivot hardly ever changes, and with the pivots known only the
 * places that can be filled are touched. The pivots are verified as they come, so factors, exchanges and
 * solutions are those of hl_lu_factor () and hl_lu_solve () to the last bit, but for the signs of zeros;
 * where another row has become the largest, the dense loops do the work, and after a while the plan is
 * rebuilt. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-arena.h"
#include "core/base/hl-status-codes.h"

/* Largest order: beyond, hl_lu_factor () is LAPACK's. What has no LAPACK sets a larger one, of 181 at most. */
#ifndef HL_LU_PLAN_MOST
#define HL_LU_PLAN_MOST 20
#endif

/* Places are those of the dense matrix with its rows exchanged. */
typedef struct {
  short place;
  bool strict; /* stood before the pivot when that was chosen: must be smaller */
  unsigned char row, column;
} HlLuEntry;

typedef struct {
  short target, lower, right; /* places: target -= lower right */
} HlLuUpdate;

typedef struct {
  short n_lower, n_updates;
} HlLuStep;

/* A column with entries above the diagonal. */
typedef struct {
  short column, n_upper;
} HlLuHead;

/* Private to the plan, except for the members marked as readable. */
typedef struct {
  int n, n_entries;   /* order; entries of the pattern */
  int *row, *column;  /* n_entries: of the pattern, in the order in which it was put together */
  int *place;         /* n_entries: where an entry stands */
  int *pivots;        /* n: the exchanges that the plan is for */
  int *order;         /* n: the row that comes to a place */
  bool is_ready;      /* the following data belong to these pivots */
  HlLuStep *step;     /* n: by column */
  int n_lower;        /* in all */
  HlLuEntry *lower;   /* n_lower: below the diagonal, column by column from the first one on */
  HlLuUpdate *update; /* likewise */
  HlLuEntry *upper;   /* above the diagonal, column by column from the last one on */
  int n_heads;
  HlLuHead *head;      /* n_heads: of upper */
  int n_plain, *plain; /* columns without entries above the diagonal */
  int n_blank, *blank; /* filled places that the pattern has not */
  int n_missed;        /* factorizations in a row that had other pivots */
  bool holds;          /* the latest factors are by the plan */
  int sign;            /* read: of the determinant, by the latest factorization */
  double ratio;        /* read: hl_lu_pivot_ratio () of it */
} HlLuPlan;

/* Allocates a plan for matrices up to this order. */
void hl_lu_plan_take (HlLuPlan *plan, HlArena *arena, int most);
/* Begins an empty pattern of order n. */
void hl_lu_plan_begin (HlLuPlan *plan, int n);
/* Adds the next entry to the pattern. */
void hl_lu_plan_add (HlLuPlan *plan, int row, int column);
/* Notes that the factors are no longer those of the plan. */
void hl_lu_plan_forget (HlLuPlan *plan);

/* Factors, as hl_lu_factor (), the matrix that has source[from[k]] in the k-th entry of the pattern, with its
 * statuses: HL_SINGULAR, HL_NOT_FINITE. from[n_entries]; lu[n x n] and pivots[n] are those of the latest
 * call, unless hl_lu_plan_forget () was called since. */
HlStatus hl_lu_plan_factor (HlLuPlan *plan, const double source[], const int from[], double lu[],
                            int pivots[]);
/* Solves with these factors, as hl_lu_solve (): b[n x n_rhs] is overwritten; lu[n x n], pivots[n]. */
void hl_lu_plan_solve (const HlLuPlan *plan, const double lu[], const int pivots[], int n_rhs, double b[]);
