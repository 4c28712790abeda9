/* SPDX-License-Identifier: MIT */
/* Choice of the partition: which rows are in force and which coordinates are independent (seed 000,
 * requirements of steps 1-7).
 *
 * Rank and a first partition come from complete pivoting on the gradients, columns of angles
 * divided by the island's typical length so that a metre and a radian weigh alike, rows scaled to
 * one. Wishes are then met by taking rows of the null-space basis T, in the order of the wishes, as
 * long as they stay linearly independent. */
#include "core/mech/hl-island.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double
column_scale (const HlIsland *island, int column)
{
  return column % 3 == 2 ? 1.0 / island->length : 1.0;
}

/* Holonomic rows, columns and rows scaled: out is n_holonomic x n. */
static void
scaled_holonomic (const HlIsland *island, const HlIslandWork *iw, double out[])
{
  int rows = island->n_rows, held = island->n_holonomic;

  for (int r = 0; r < held; r++) {
    double largest = 0.0;
    for (int c = 0; c < iw->n; c++)
      largest = fmax (largest, fabs (iw->D[c * rows + r]) * column_scale (island, c));
    for (int c = 0; c < iw->n; c++)
      out[c * held + r] =
          largest > 0.0 ? iw->D[c * rows + r] * column_scale (island, c) / largest : 0.0;
  }
}

static int
compare_ints (const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

static void
sort_ints (int list[], int n)
{
  qsort (list, (size_t)n, sizeof list[0], compare_ints);
}

/* Kept holonomic rows and dep columns by complete pivoting; every other column goes to ai for the
 * moment. */
static HlStatus
pivot_holonomic (const HlIsland *island, HlIslandWork *iw)
{
  double *a = calloc ((size_t)(island->n_holonomic * iw->n) + 1, sizeof *a);

  scaled_holonomic (island, iw, a);
  int rank = island->n_holonomic == 0
                 ? 0
                 : hl_eliminate_complete (island->n_holonomic, iw->n, a, HL_RANK_TOLERANCE,
                                          iw->row_order, iw->column_order, NULL, NULL);
  free (a);
  if (rank < 0)
    return HL_NOT_FINITE;
  iw->m = rank;
  if (island->n_holonomic == 0)
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

/* Among the columns free so far, those whose velocities the nonholonomic rows give. */
static HlStatus
pivot_nonholonomic (const HlIsland *island, HlIslandWork *iw)
{
  int extra = island->n_rows - island->n_holonomic, free_columns = iw->f;
  double *bbar = calloc ((size_t)(extra * free_columns) + 1, sizeof *bbar);
  int *candidates = calloc ((size_t)iw->n + 1, sizeof *candidates);

  /* X holds T^h: kinematics ran with l = 0. What is rounding beside the row's own entries is zero:
   * a knife edge may ask for what the joints ensure already. */
  for (int r = 0; r < extra; r++) {
    const double *row = &iw->D[island->n_holonomic + r];
    double most = 0.0;
    for (int c = 0; c < iw->n; c++)
      most = fmax (most, fabs (row[c * island->n_rows]) * column_scale (island, c));
    for (int j = 0; j < free_columns; j++) {
      double sum = 0.0;
      for (int c = 0; c < iw->n; c++)
        sum += row[c * island->n_rows] * iw->X[j * iw->n + c];
      sum *= column_scale (island, iw->ai[j]);
      bbar[j * extra + r] = fabs (sum) > HL_RANK_TOLERANCE * most ? sum : 0.0;
    }
  }
  int rank = hl_eliminate_complete (extra, free_columns, bbar, HL_RANK_TOLERANCE, iw->row_order,
                                    iw->column_order, NULL, NULL);
  if (rank >= 0) {
    memcpy (candidates, iw->ai, (size_t)free_columns * sizeof (int));
    iw->l = rank;
    iw->f = free_columns - rank;
    for (int k = 0; k < rank; k++) {
      iw->kept[iw->m + k] = island->n_holonomic + iw->row_order[k];
      iw->ad[k] = candidates[iw->column_order[k]];
    }
    for (int k = rank; k < free_columns; k++)
      iw->ai[k - rank] = candidates[iw->column_order[k]];
    sort_ints (iw->kept + iw->m, rank);
    sort_ints (iw->ad, rank);
    sort_ints (iw->ai, iw->f);
  }
  free (bbar);
  free (candidates);
  return rank < 0 ? HL_NOT_FINITE : HL_OK;
}

/* Takes rows of `basis` (n x width, scaled columns of the island) in the order of wishes while they
 * stay independent of those taken before: `q` holds the orthonormal rows so far (width each),
 * *taken their number. */
static void
take_rows (const HlIsland *island,
           const double basis[],
           int n,
           int width,
           const int wishes[],
           int n_wishes,
           int want,
           const bool excluded[],
           double q[],
           int *taken,
           int out[],
           int *n_out)
{
  double largest = 0.0;

  for (int c = 0; c < n; c++)
    for (int j = 0; j < width; j++)
      largest = fmax (largest, fabs (basis[j * n + c]) / column_scale (island, c));
  for (int w = 0; w < n_wishes && *n_out < want; w++) {
    int c = wishes[w];
    double *row = q + *taken * width;
    double size = 0.0;

    if (excluded != NULL && excluded[c])
      continue;
    for (int j = 0; j < width; j++)
      row[j] = basis[j * n + c] / column_scale (island, c);
    for (int pass = 0; pass < 2; pass++)
      for (int k = 0; k < *taken; k++) {
        double along = 0.0;
        for (int j = 0; j < width; j++)
          along += q[k * width + j] * row[j];
        for (int j = 0; j < width; j++)
          row[j] -= along * q[k * width + j];
      }
    for (int j = 0; j < width; j++)
      size += row[j] * row[j];
    size = sqrt (size);
    if (!(size > 1.0e-7 * largest))
      continue;
    for (int j = 0; j < width; j++)
      row[j] /= size;
    *taken += 1;
    out[(*n_out)++] = c;
  }
}

/* Meets the wishes: f rows of T first, then l more rows of X. */
static void
choose_wished (const HlIsland *island, const int wishes[], HlIslandWork *iw)
{
  int n = iw->n, f = iw->f, l = iw->l, width = f + l;
  double *q = calloc ((size_t)(width * width) + (size_t)width + 1, sizeof *q);
  int *ai = calloc ((size_t)n + 1, sizeof *ai), *ad = calloc ((size_t)n + 1, sizeof *ad);
  bool *used = calloc ((size_t)n + 1, sizeof *used);
  int n_ai = 0, n_ad = 0, n_again = 0, taken = 0;

  take_rows (island, iw->T, n, f, wishes, n, f, NULL, q, &taken, ai, &n_ai);
  taken = 0;
  int *again = calloc ((size_t)n + 1, sizeof *again);
  take_rows (island, iw->X, n, width, ai, n_ai, n_ai, NULL, q, &taken, again, &n_again);
  for (int k = 0; k < n_ai; k++)
    used[ai[k]] = true;
  take_rows (island, iw->X, n, width, wishes, n, l, used, q, &taken, ad, &n_ad);
  if (n_ai == f && n_again == f && n_ad == l) {
    int n_dep = 0;
    for (int k = 0; k < n_ad; k++)
      used[ad[k]] = true;
    memcpy (iw->ai, ai, (size_t)f * sizeof (int));
    memcpy (iw->ad, ad, (size_t)l * sizeof (int));
    sort_ints (iw->ai, f);
    sort_ints (iw->ad, l);
    for (int c = 0; c < n; c++)
      if (!used[c])
        iw->dep[n_dep++] = c;
  }
  free (q);
  free (ai);
  free (ad);
  free (used);
  free (again);
}

HlStatus
hl_island_choose (const HlMechanism *mech,
                  const HlIsland *island,
                  const HlFrame frames[],
                  const int prefer[],
                  int n_prefer,
                  HlIslandWork *iw)
{
  HlStatus status;

  hl_island_gradients (mech, island, frames, iw->D);
  status = pivot_holonomic (island, iw);
  if (status == HL_OK)
    status = hl_island_kinematics (mech, island, frames, iw);
  if (status == HL_OK && island->n_rows > island->n_holonomic) {
    status = pivot_nonholonomic (island, iw);
    if (status == HL_OK)
      status = hl_island_kinematics (mech, island, frames, iw);
  }
  if (status != HL_OK)
    return status;
  if (n_prefer >= 0) {
    /* the wishes, then every other column in file order */
    int *wishes = calloc ((size_t)iw->n + 1, sizeof *wishes);
    bool *listed = calloc ((size_t)iw->n + 1, sizeof *listed);
    int n_wishes = 0;
    for (int k = 0; k < n_prefer; k++)
      if (!listed[prefer[k]]) {
        listed[prefer[k]] = true;
        wishes[n_wishes++] = prefer[k];
      }
    for (int c = 0; c < iw->n; c++)
      if (!listed[c])
        wishes[n_wishes++] = c;
    choose_wished (island, wishes, iw);
    free (wishes);
    free (listed);
    status = hl_island_kinematics (mech, island, frames, iw);
  }
  iw->spread = hl_island_spread (island, iw);
  iw->branch = iw->side;
  for (int k = 0; k < iw->n; k++) {
    const HlFrame *frame = hl_frame_of (frames, island->bodies[k / 3]);
    iw->x_last[k] = k % 3 == 2 ? frame->psi : frame->r[k % 3];
  }
  return status;
}
