/* SPDX-License-Identifier: MIT */
/* With the exchanges known, P A is eliminated without any; its pattern S, filled, follows from
 *
 *   S_ij := S_ij or (S_ik and S_kj)      k < i, k < j
 *
 * Whether the pivot is the first of the largest in its column, as hl_lu_factor () takes it, is checked in the filled
 * places only: all other entries are zero. */
#include "core/math/hl-lu-pivot-reuse.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"

/* Number of consecutive factorizations with other pivots that makes a new plan: more than one, lest two rows
 * of one size make one every time. */
#define MOST_MISSED 4

void hl_lu_plan_take (HlLuPlan *plan, HlArena *arena, int most) {
  int square = most * most;

  *plan = (HlLuPlan){.ratio = 1.0, .sign = 1};
  plan->row = hl_arena_take (arena, square, sizeof (int));
  plan->column = hl_arena_take (arena, square, sizeof (int));
  plan->place = hl_arena_take (arena, square, sizeof (int));
  plan->pivots = hl_arena_take (arena, most, sizeof (int));
  plan->order = hl_arena_take (arena, most, sizeof (int));
  plan->step = hl_arena_take (arena, most, sizeof *plan->step);
  plan->lower = hl_arena_take (arena, square, sizeof *plan->lower);
  plan->update = hl_arena_take (arena, square * most / 3 + 1, sizeof *plan->update);
  plan->upper = hl_arena_take (arena, square, sizeof *plan->upper);
  plan->head = hl_arena_take (arena, most, sizeof *plan->head);
  plan->plain = hl_arena_take (arena, most, sizeof (int));
  plan->blank = hl_arena_take (arena, square, sizeof (int));
}

void hl_lu_plan_begin (HlLuPlan *plan, int n) {
  plan->n = n;
  plan->n_entries = 0;
  plan->is_ready = plan->holds = false;
  plan->n_missed = MOST_MISSED;
}

void hl_lu_plan_add (HlLuPlan *plan, int row, int column) {
  plan->row[plan->n_entries] = row;
  plan->column[plan->n_entries++] = column;
}

void hl_lu_plan_forget (HlLuPlan *plan) {
  plan->holds = false;
}

static void swap_ints (int list[], int a, int b) {
  int was = list[a];

  list[a] = list[b];
  list[b] = was;
}

/* Fill-in and the order of the rows. */
typedef struct {
  bool filled[HL_LU_PLAN_MOST * HL_LU_PLAN_MOST];
  int place_of[HL_LU_PLAN_MOST]; /* by row */
  int at[HL_LU_PLAN_MOST];       /* the rows as they stand before step k */
} Making;

static HlLuEntry entry_of (int n, int row, int column, bool strict) {
  return (HlLuEntry){(short)(row + n * column), strict, (unsigned char)row, (unsigned char)column};
}

/* Returns the rows below the pivot of column k, and what they are subtracted from. Their number. */
static int list_lower (HlLuPlan *plan, Making *making, int k, HlLuEntry lower[]) {
  int n = plan->n, n_lower = 0;

  for (int i = k; i < n; i++) {
    int place = making->place_of[making->at[i]];
    if (i != plan->pivots[k] && making->filled[place + n * k])
      lower[n_lower++] = entry_of (n, place, k, i < plan->pivots[k]);
  }
  return n_lower;
}

static int list_updates (HlLuPlan *plan, Making *making, int k, const HlLuEntry lower[],
                         HlLuUpdate update[]) {
  int n = plan->n, n_updates = 0;

  for (int j = k + 1; j < n; j++)
    for (int e = 0; e < plan->step[k].n_lower && making->filled[k + n * j]; e++) {
      int target = lower[e].row + n * j;
      making->filled[target] = true;
      update[n_updates++] = (HlLuUpdate){(short)target, lower[e].place, (short)(k + n * j)};
    }
  return n_updates;
}

/* Lists the columns from the last one on, as a solution reads them. */
static void list_upper (HlLuPlan *plan, const Making *making) {
  int n = plan->n, n_upper = 0;

  plan->n_heads = plan->n_plain = 0;
  for (int k = n - 1; k >= 0; k--) {
    int before = n_upper;
    for (int i = 0; i < k; i++)
      if (making->filled[i + n * k])
        plan->upper[n_upper++] = entry_of (n, i, k, false);
    if (n_upper > before)
      plan->head[plan->n_heads++] = (HlLuHead){(short)k, (short)(n_upper - before)};
    else
      plan->plain[plan->n_plain++] = k;
  }
}

/* Makes the plan for these exchanges. */
static void make_plan (HlLuPlan *plan, const int pivots[]) {
  int n = plan->n, n_lower = 0, n_updates = 0;
  Making making = {.filled = {false}};
  bool given[HL_LU_PLAN_MOST * HL_LU_PLAN_MOST] = {false};

  for (int k = 0; k < n; k++)
    plan->order[k] = making.at[k] = k;
  for (int k = 0; k < n; k++) {
    plan->pivots[k] = pivots[k];
    swap_ints (plan->order, k, pivots[k]);
  }
  for (int k = 0; k < n; k++)
    making.place_of[plan->order[k]] = k;
  for (int k = 0; k < plan->n_entries; k++) {
    plan->place[k] = making.place_of[plan->row[k]] + n * plan->column[k];
    making.filled[plan->place[k]] = given[plan->place[k]] = true;
  }
  for (int k = 0; k < n; k++) {
    plan->step[k].n_lower = (short)list_lower (plan, &making, k, plan->lower + n_lower);
    plan->step[k].n_updates =
        (short)list_updates (plan, &making, k, plan->lower + n_lower, plan->update + n_updates);
    n_lower += plan->step[k].n_lower;
    n_updates += plan->step[k].n_updates;
    swap_ints (making.at, k, pivots[k]);
  }
  plan->n_lower = n_lower;
  list_upper (plan, &making);
  plan->n_blank = 0;
  for (int k = 0; k < n * n; k++)
    if (!given[k] && (making.filled[k] || k % (n + 1) == 0))
      plan->blank[plan->n_blank++] = k;
  plan->is_ready = true;
}

static HlStatus factor_dense (HlLuPlan *plan, const double source[], const int from[], double lu[],
                              int pivots[]) {
  int n = plan->n;

  plan->holds = false;
  memset (lu, 0, (size_t)(n * n) * sizeof (double));
  for (int k = 0; k < plan->n_entries; k++)
    lu[plan->row[k] + n * plan->column[k]] = source[from[k]];
  HlStatus status = hl_lu_factor (n, lu, pivots);
  if (status != HL_OK)
    return status;
  plan->sign = hl_lu_sign (n, lu, pivots);
  plan->ratio = hl_lu_pivot_ratio (n, lu);
  if (plan->n_missed++ >= MOST_MISSED) {
    make_plan (plan, pivots);
    plan->n_missed = 0;
  }
  return HL_OK;
}

/* Eliminates column after column: its pivot is verified, the column is divided by it and subtracted from the
 * columns to its right. False: the plan does not hold for these numbers. */
static bool eliminate (HlLuPlan *plan, double lu[]) {
  const HlLuEntry *lower = plan->lower;
  const HlLuUpdate *update = plan->update;
  double least = INFINITY, largest = 0.0;
  int n = plan->n;
  bool is_odd = false;

  for (int k = 0; k < n; k++) {
    const HlLuStep *step = &plan->step[k];
    double pivot = lu[k * (n + 1)], size = fabs (pivot), inverse = 1.0 / pivot;

    if (!(size > 0.0 && size <= DBL_MAX))
      return false;
    for (int e = step->n_lower; e > 0; e--, lower++) {
      double below = fabs (lu[lower->place]);
      if (!(below < size || (below == size && !lower->strict)))
        return false;
      lu[lower->place] *= inverse;
    }
    for (int e = step->n_updates; e > 0; e--, update++)
      lu[update->target] -= lu[update->right] * lu[update->lower];
    lu[k * (n + 1)] = inverse;
    size = fabs (inverse);
    least = size < least ? size : least;
    largest = size > largest ? size : largest;
    is_odd ^= (inverse < 0.0) != (plan->pivots[k] != k);
  }
  plan->sign = is_odd ? -1 : 1;
  plan->ratio = n == 0 ? 1.0 : least / largest;
  return true;
}

HlStatus hl_lu_plan_factor (HlLuPlan *plan, const double source[], const int from[], double lu[],
                            int pivots[]) {
  if (!plan->is_ready)
    return factor_dense (plan, source, from, lu, pivots);
  if (!plan->holds) {
    memset (lu, 0, (size_t)(plan->n * plan->n) * sizeof (double));
    memcpy (pivots, plan->pivots, (size_t)plan->n * sizeof (int));
  }
  for (int k = 0; k < plan->n_blank; k++)
    lu[plan->blank[k]] = 0.0;
  for (int k = 0; k < plan->n_entries; k++)
    lu[plan->place[k]] = source[from[k]];
  plan->holds = eliminate (plan, lu);
  if (!plan->holds)
    return factor_dense (plan, source, from, lu, pivots);
  plan->n_missed = 0;
  return HL_OK;
}

void hl_lu_plan_solve (const HlLuPlan *plan, const double lu[], const int pivots[], int n_rhs, double b[]) {
  int n = plan->n;

  if (!plan->holds) {
    hl_lu_solve (n, lu, pivots, n_rhs, b);
    return;
  }
  for (double *out = b; n_rhs > 0; out += n, n_rhs--) {
    const HlLuEntry *upper = plan->upper;
    double x[HL_LU_PLAN_MOST];

    for (int k = 0; k < n; k++)
      x[k] = out[plan->order[k]];
    for (int e = 0; e < plan->n_lower; e++) {
      HlLuEntry lower = plan->lower[e];
      x[lower.row] -= x[lower.column] * lu[lower.place];
    }
    for (int h = 0; h < plan->n_heads; h++) {
      HlLuHead head = plan->head[h];
      double value = x[head.column] * lu[head.column * (n + 1)];
      out[head.column] = value;
      for (int e = head.n_upper; e > 0; e--, upper++)
        x[upper->row] -= value * lu[upper->place];
    }
    for (int p = 0; p < plan->n_plain; p++) {
      int k = plan->plain[p];
      out[k] = x[k] * lu[k * (n + 1)];
    }
  }
}
