/* SPDX-License-Identifier: MIT */
/* Choice of the partition: which rows are in force and which coordinates are independent
 * (theory/linearization.md (5)-(7)).
 *
 * Rank and a first partition come from complete pivoting on the gradients, columns of angles
 * divided by the island's typical length so that a metre and a radian weigh alike, rows scaled to
 * one. Preferences are then met by taking rows of the null-space basis T, in the order of preference, as long as they
 * stay linearly independent. Preferred columns that are not forced must be independent by a margin: the x of a body
 * that swings across it at this moment, or the yaw rates of a vehicle that drives all but straight on, would make a
 * Jacobian that is all rounding. */
#include "core/base/hl-arena.h"
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Minimum remainder of a row of T after projection on the rows taken before, as a part of the largest entry,
 * for the row to count as independent; and the same with a safety margin. */
#define LEAST 1.0e-7
#define MARGIN 1.0e-2
/* Degrees of freedom of one island from which on the product of so many margins is rounding. */
#define MANY 12

static double column_scale (const HlIsland *island, int column) {
  return column % 3 == 2 ? 1.0 / island->length : 1.0;
}

/* Scales holonomic rows and columns: out is n_holonomic x n. */
static void scaled_holonomic (const HlIsland *island, const HlIslandWork *iw, const double D[],
                              double out[]) {
  int rows = island->n_rows, held = island->n_holonomic;

  for (int r = 0; r < held; r++) {
    double largest = 0.0;
    for (int c = 0; c < iw->n; c++)
      largest = fmax (largest, fabs (D[c * rows + r]) * column_scale (island, c));
    for (int c = 0; c < iw->n; c++)
      out[c * held + r] = largest > 0.0 ? D[c * rows + r] * column_scale (island, c) / largest : 0.0;
  }
}

static int compare_ints (const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void sort_ints (int list[], int n) {
  qsort (list, (size_t)n, sizeof list[0], compare_ints);
}

/* Chooses the kept holonomic rows and dep columns by complete pivoting. Returns the rank. */
static int pivot_complete (const HlIsland *island, HlIslandWork *iw) {
  double *a = iw->scratch; /* of a small island, which has room for all of its gradients */

  scaled_holonomic (island, iw, iw->D, a);
  int rank = hl_eliminate_complete (island->n_holonomic, iw->n, a, HL_RANK_TOLERANCE, iw->row_order,
                                    iw->column_order, NULL, NULL);
  return rank;
}

/* Chooses the kept holonomic rows and dep columns; every other column goes to ai for the moment. */
static HlStatus pivot_holonomic (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                 HlIslandWork *iw) {
  int rank = 0;

  if (iw->large != NULL)
    rank = hl_island_sparse_pick (mech, island, frames, iw);
  else {
    hl_island_gradients (mech, island, frames, iw->D);
    if (island->n_holonomic > 0)
      rank = pivot_complete (island, iw);
  }
  if (rank < 0)
    return HL_NOT_FINITE;
  iw->m = rank;
  if (iw->large == NULL && island->n_holonomic == 0)
    for (int c = 0; c < iw->n; c++)
      iw->column_order[c] = c;
  for (int k = 0; k < rank; k++) {
    iw->kept[k] = iw->row_order[k];
    iw->dep[k] = iw->column_order[k];
  }
  sort_ints (iw->kept, rank);
  sort_ints (iw->dep, rank);
  for (int k = rank; k < iw->n; k++)
    iw->ai[k - rank] = iw->column_order[k];
  sort_ints (iw->ai, iw->n - rank);
  iw->l = 0;
  iw->f = iw->n - rank;
  return HL_OK;
}

/* Chooses, among the columns free so far, those whose velocities the nonholonomic rows determine. */
static HlStatus pivot_nonholonomic (const HlIsland *island, HlIslandWork *iw) {
  int extra = island->n_rows - island->n_holonomic, free_columns = iw->f;
  HlArena scratch = hl_arena_beside (&iw->arena);
  bool is_small = iw->large == NULL;
  double *bbar = is_small ? iw->scratch : hl_arena_take (&scratch, extra * free_columns, sizeof *bbar);
  int *candidates = is_small ? iw->places : hl_arena_take (&scratch, iw->n, sizeof *candidates);
  /* the orders of the holonomic rows are requested once more where matrices are sparse */
  int *row_order = is_small ? iw->row_order : hl_arena_take (&scratch, extra, sizeof *row_order),
      *column_order =
          is_small ? iw->column_order : hl_arena_take (&scratch, free_columns, sizeof *column_order);

  /* X holds T^h: kinematics ran with l = 0. What is rounding beside the row's own entries is zero:
   * a knife edge may repeat a condition of the joints. */
  for (int r = 0; r < extra; r++) {
    const double *row = is_small ? &iw->D[island->n_holonomic + r] : NULL;
    double most = is_small ? 0.0 : hl_island_sparse_row_size (island, iw, island->n_holonomic + r);
    for (int c = 0; c < iw->n && is_small; c++)
      most = fmax (most, fabs (row[c * island->n_rows]) * column_scale (island, c));
    for (int j = 0; j < free_columns; j++) {
      double sum = is_small ? 0.0
                            : hl_island_sparse_row_times (iw, island->n_holonomic + r,
                                                          hl_island_position_column (iw, j));
      for (int c = 0; c < iw->n && is_small; c++)
        sum += row[c * island->n_rows] * iw->X[j * iw->n + c];
      sum *= column_scale (island, iw->ai[j]);
      bbar[j * extra + r] = fabs (sum) > HL_RANK_TOLERANCE * most ? sum : 0.0;
    }
  }
  int rank = hl_eliminate_complete (extra, free_columns, bbar, HL_RANK_TOLERANCE, row_order, column_order,
                                    NULL, NULL);
  if (rank >= 0) {
    memcpy (candidates, iw->ai, (size_t)free_columns * sizeof (int));
    iw->l = rank;
    iw->f = free_columns - rank;
    for (int k = 0; k < rank; k++) {
      iw->kept[iw->m + k] = island->n_holonomic + row_order[k];
      iw->ad[k] = candidates[column_order[k]];
    }
    for (int k = rank; k < free_columns; k++)
      iw->ai[k - rank] = candidates[column_order[k]];
    sort_ints (iw->kept + iw->m, rank);
    sort_ints (iw->ad, rank);
    sort_ints (iw->ai, iw->f);
  }
  hl_arena_clear (&scratch);
  return rank < 0 ? HL_NOT_FINITE : HL_OK;
}

/* Columns in the order in which they are taken: those forced, then the preferred ones and all in
 * file order, at first with a margin. */
typedef struct {
  const int *columns; /* n, local */
  int n;
  int n_forced;
  int n_with_margin; /* behind the first n_forced */
} Preferences;

/* Rows chosen so far: the first `taken` rows of q, orthonormal, `width` entries each. */
typedef struct {
  double *q; /* taken x width */
  int taken, width;
} Span;

/* Returns the entry of the null-space basis (columns of T or X), a motion in scaled columns for a motion of a
 * scaled independent column: a metre or a length of arc for another, whatever the unit. */
static double scaled_entry (const HlIsland *island, const HlIslandWork *iw, const double *basis[], int c,
                            int j) {
  int independent = j < iw->f ? iw->ai[j] : iw->ad[j - iw->f];

  return basis[j][c] * column_scale (island, independent) / column_scale (island, c);
}

/* Adds row `c` of the basis, in scaled columns, to the span when more than `least` of it remains after
 * projection. */
static bool add_row (const HlIsland *island, const HlIslandWork *iw, const double *basis[], int c,
                     double least, Span *span) {
  int width = span->width;
  double *row = span->q + span->taken * width, size = 0.0;

  for (int j = 0; j < width; j++)
    row[j] = scaled_entry (island, iw, basis, c, j);
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < span->taken; k++) {
      double along = 0.0;
      for (int j = 0; j < width; j++)
        along += span->q[k * width + j] * row[j];
      for (int j = 0; j < width; j++)
        row[j] -= along * span->q[k * width + j];
    }
  for (int j = 0; j < width; j++)
    size += row[j] * row[j];
  size = sqrt (size);
  if (!(size > least))
    return false;
  for (int j = 0; j < width; j++)
    row[j] /= size;
  span->taken++;
  return true;
}

/* Takes up to `want` columns whose rows of `basis` (span->width columns of n) are independent of the span;
 * skips those marked in `used`, and marks the taken ones there. Returns their number. */
static int add_rows (const HlIsland *island, const HlIslandWork *iw, const double *basis[],
                     const Preferences *wishes, int want, bool used[], Span *span, int out[]) {
  double largest = 0.0;
  int n_out = 0;

  for (int c = 0; c < iw->n; c++)
    for (int j = 0; j < span->width; j++)
      largest = fmax (largest, fabs (scaled_entry (island, iw, basis, c, j)));
  for (int w = 0; w < wishes->n && n_out < want; w++) {
    int c = wishes->columns[w], behind = w - wishes->n_forced;
    bool has_margin = behind >= 0 && behind < wishes->n_with_margin;

    if (used[c] || !add_row (island, iw, basis, c, (has_margin ? MARGIN : LEAST) * largest, span))
      continue;
    used[c] = true;
    out[n_out++] = c;
  }
  return n_out;
}

/* Adds the preferred columns: f rows of T first, then l more rows of X. */
static void add_preferred (const HlIsland *island, const Preferences *wishes, HlIslandWork *iw) {
  int n = iw->n, f = iw->f, l = iw->l, width = f + l;
  HlArena scratch = hl_arena_beside (&iw->arena);
  double *q = hl_arena_take (&scratch, width * width + width, sizeof *q);
  int *ai = hl_arena_take (&scratch, n, sizeof *ai), *ad = hl_arena_take (&scratch, n, sizeof *ad);
  int *again = hl_arena_take (&scratch, n, sizeof *again);
  bool *used = hl_arena_take (&scratch, n, sizeof *used);
  const double **X = hl_arena_take (&scratch, width, sizeof *X), **T = hl_arena_take (&scratch, f, sizeof *T);
  Span velocities = {.q = q, .width = f}, positions = {.q = q, .width = width};

  for (int j = 0; j < width; j++)
    X[j] = hl_island_position_column (iw, j);
  for (int j = 0; j < f; j++)
    T[j] = hl_island_velocity_column (iw, j);
  int n_ai = add_rows (island, iw, T, wishes, f, used, &velocities, ai);
  memset (used, 0, (size_t)n * sizeof *used);
  Preferences chosen = {.columns = ai, .n = n_ai, .n_forced = n_ai};
  int n_again = add_rows (island, iw, X, &chosen, n_ai, used, &positions, again);
  int n_ad = add_rows (island, iw, X, wishes, l, used, &positions, ad);
  if (n_ai == f && n_again == f && n_ad == l) {
    int n_dep = 0;
    memcpy (iw->ai, ai, (size_t)f * sizeof (int));
    memcpy (iw->ad, ad, (size_t)l * sizeof (int));
    sort_ints (iw->ai, f);
    sort_ints (iw->ad, l);
    for (int c = 0; c < n; c++)
      if (!used[c])
        iw->dep[n_dep++] = c;
  }
  hl_arena_clear (&scratch);
}

/* Lists columns in file order; in a linkage with many degrees of freedom those that pivoting has found come
 * first: the first ones that are independent by a margin, one beside the other, need not be so together. */
static void list_not_preferred (const HlIslandWork *iw, int columns[]) {
  int n = 0, n_first = iw->f + iw->l > MANY ? iw->f : 0;

  for (int j = 0; j < n_first; j++)
    columns[n++] = iw->ai[j];
  for (int c = 0, j = 0; c < iw->n; c++)
    if (j < n_first && iw->ai[j] == c)
      j++;
    else
      columns[n++] = c;
}

/* Chooses, in a large island of few degrees of freedom, the columns that move farthest, one after the other,
 * each independent of those before: as complete pivoting finds them. */
static void choose_farthest (const HlIsland *island, HlIslandWork *iw) {
  int n = iw->n, f = iw->f, n_dep = 0;
  HlArena scratch = hl_arena_beside (&iw->arena);
  double *left = hl_arena_take (&scratch, f, (size_t)n * sizeof *left); /* row by row */
  bool *is_taken = hl_arena_take (&scratch, n, sizeof *is_taken);
  const double **T = hl_arena_take (&scratch, f, sizeof *T);

  for (int j = 0; j < f; j++)
    T[j] = hl_island_velocity_column (iw, j);
  for (int c = 0; c < n; c++)
    for (int j = 0; j < f; j++)
      left[c * f + j] = scaled_entry (island, iw, T, c, j);
  for (int k = 0; k < f; k++) {
    double most = -1.0;
    int best = 0;
    for (int c = 0; c < n; c++) {
      double size = 0.0;
      for (int j = 0; j < f; j++)
        size += left[c * f + j] * left[c * f + j];
      if (size > most && !is_taken[c]) {
        most = size;
        best = c;
      }
    }
    is_taken[best] = true;
    iw->ai[k] = best;
    const double *q = left + best * f;
    for (int c = 0; c < n; c++) {
      double along = 0.0;
      for (int j = 0; j < f; j++)
        along += q[j] * left[c * f + j];
      for (int j = 0; j < f && !is_taken[c]; j++)
        left[c * f + j] -= along / most * q[j];
    }
  }
  sort_ints (iw->ai, f);
  for (int c = 0; c < n; c++)
    if (!is_taken[c])
      iw->dep[n_dep++] = c;
  hl_arena_clear (&scratch);
}

/* Chooses the forced columns; then twice the other preferred ones and every column. */
static void choose_preferred (const HlIsland *island, const int prefer[], int n_prefer, int n_forced,
                              HlIslandWork *iw) {
  int n = iw->n, round = n_prefer - n_forced + n;
  HlArena scratch = hl_arena_beside (&iw->arena);
  int *columns = hl_arena_take (&scratch, n_forced + 2 * round, sizeof *columns);

  for (int k = 0; k < n_prefer; k++)
    columns[k] = prefer[k];
  list_not_preferred (iw, columns + n_prefer);
  memcpy (columns + n_forced + round, columns + n_forced, (size_t)round * sizeof *columns);
  Preferences wishes = {
      .columns = columns, .n = n_forced + 2 * round, .n_forced = n_forced, .n_with_margin = round};
  add_preferred (island, &wishes, iw);
  hl_arena_clear (&scratch);
}

/* Evaluates the kinematics by the present partition; for an intermediate partition of a large island, only
 * the columns of X. */
static HlStatus eval_partition (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                bool is_last, HlIslandWork *iw) {
  if (iw->large != NULL) {
    hl_island_go_sparse (iw);
    hl_island_sparse_arrange (mech, island, iw);
    if (!is_last)
      return hl_island_sparse_factor (mech, island, frames, iw);
  }
  return hl_island_kinematics (mech, island, frames, iw);
}

/* Rules by which the independent coordinates are chosen from those that pivoting has found. */
typedef enum { CHOOSE_PIVOTS, CHOOSE_FARTHEST, CHOOSE_PREFERRED } Choice;

static Choice choice_of (int n_prefer, const HlIslandWork *iw) {
  bool is_large = iw->large != NULL, has_many_ways = iw->f > MANY;

  if (n_prefer > 0 || (n_prefer == 0 && !(is_large && has_many_ways)))
    return CHOOSE_PREFERRED;
  return is_large && iw->f > 0 && !has_many_ways ? CHOOSE_FARTHEST : CHOOSE_PIVOTS;
}

HlStatus hl_island_choose (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           const int prefer[], int n_prefer, int n_forced, HlIslandWork *iw) {
  /* pivots of other sparse matrices, and of dense ones, are no measure */
  if (iw->large != NULL)
    iw->clear_ratio = 0.0;
  HlStatus status = pivot_holonomic (mech, island, frames, iw);

  Choice choice = choice_of (n_prefer, iw);
  if (status == HL_OK)
    status = eval_partition (mech, island, frames, choice == CHOOSE_PIVOTS, iw);
  if (status == HL_OK && island->n_rows > island->n_holonomic) {
    status = pivot_nonholonomic (island, iw);
    /* those that move farthest are looked for among coordinates whose velocities are free alone */
    if (choice == CHOOSE_FARTHEST && iw->l > 0)
      choice = n_prefer >= 0 ? CHOOSE_PREFERRED : CHOOSE_PIVOTS;
    if (status == HL_OK)
      status = eval_partition (mech, island, frames, choice == CHOOSE_PIVOTS, iw);
  }
  if (status != HL_OK)
    return status;
  if (choice == CHOOSE_PREFERRED)
    choose_preferred (island, prefer, n_prefer, n_forced, iw);
  else if (choice == CHOOSE_FARTHEST)
    choose_farthest (island, iw);
  if (choice != CHOOSE_PIVOTS)
    status = eval_partition (mech, island, frames, true, iw);
  iw->spread = hl_island_spread (island, iw);
  iw->branch = iw->side;
  iw->pivot_ratio = hl_island_pivot_ratio (iw);
  iw->clear_ratio = fmax (iw->clear_ratio, iw->pivot_ratio);
  iw->n_refused = 0;
  iw->has_clear = !hl_island_is_near_change_point (iw);
  for (int k = 0; k < iw->n; k++) {
    const HlFrame *frame = hl_frame_of (frames, island->bodies[k / 3]);
    iw->x_last[k] = iw->x_clear[k] = k % 3 == 2 ? frame->psi : frame->r[k % 3];
  }
  iw->is_at_last = status == HL_OK;
  hl_island_note_drive (iw);
  return status;
}
