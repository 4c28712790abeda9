/* SPDX-License-Identifier: MIT */
/* Lemke's method on a dense tableau  [ u | y | z0 | q ]  of  u - A y - d z0 = q  with d = 1.
 *
 * z0 is driven in until all right-hand sides are >= 0, then the complement of whatever left the
 * basis enters, until z0 leaves. Ties are broken by the lexicographic order of the rows of the
 * basis inverse, which stands in the columns of u: with it no basis can come back, so degenerate
 * problems (several elements that touch at once) end too. */
#include "core/hybrid/hl-hybrid-lcp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"

/* Pivots below this are rounding of dependent columns (the diagonal of A is 1). */
#define PIVOT_TOLERANCE 1e-10
/* Ratios that differ by less are ties. */
#define TIE_TOLERANCE 1e-12
/* z0 is gone when it is smaller than this (q is scaled to 1). */
#define DONE_TOLERANCE 1e-10

typedef struct
{
  int n;
  int width;
  double *t;  /* n x width, row-major: rows are what is worked on */
  int *basis; /* variable that is basic in each row: 0..n-1 u, n..2n-1 y, 2n z0 */
} Tableau;

int
hl_hybrid_lcp_scratch_size (int n)
{
  return n * (2 * n + 2) + 2 * n;
}

int
hl_hybrid_lcp_index_size (int n)
{
  return 2 * n + 1;
}

static void
pivot (Tableau *tab, int row, int column)
{
  double *pivot_row = tab->t + row * tab->width;
  double inverse = 1.0 / pivot_row[column];

  for (int j = 0; j < tab->width; j++)
    pivot_row[j] *= inverse;
  pivot_row[column] = 1.0;
  for (int i = 0; i < tab->n; i++) {
    double *other = tab->t + i * tab->width;
    double factor = other[column];
    if (i == row || factor == 0.0)
      continue;
    for (int j = 0; j < tab->width; j++)
      other[j] -= factor * pivot_row[j];
    other[column] = 0.0;
  }
  tab->basis[row] = column;
}

/* Whether row a comes before row b in the order of [q | inverse basis] / entry of the entering
 * column. */
static bool
row_is_before (const Tableau *tab, int a, int b, int column)
{
  const double *row_a = tab->t + a * tab->width;
  const double *row_b = tab->t + b * tab->width;

  for (int k = -1; k < tab->n; k++) {
    int j = k < 0 ? tab->width - 1 : k;
    double ratio_a = row_a[j] / row_a[column];
    double ratio_b = row_b[j] / row_b[column];
    if (fabs (ratio_a - ratio_b) >
        TIE_TOLERANCE * fmax (1.0, fmax (fabs (ratio_a), fabs (ratio_b))))
      return ratio_a < ratio_b;
  }
  return a < b;
}

/* Row that blocks the entering variable first; -1 when nothing does. z0 leaves whenever it can. */
static int
find_leaving_row (const Tableau *tab, int column)
{
  int best = -1;

  for (int row = 0; row < tab->n; row++) {
    if (tab->t[row * tab->width + column] <= PIVOT_TOLERANCE)
      continue;
    if (best < 0 || row_is_before (tab, row, best, column))
      best = row;
  }
  if (best < 0)
    return -1;
  double limit = tab->t[best * tab->width + tab->width - 1] / tab->t[best * tab->width + column];
  for (int row = 0; row < tab->n; row++) {
    const double *values = tab->t + row * tab->width;
    if (tab->basis[row] == 2 * tab->n && values[column] > PIVOT_TOLERANCE &&
        values[tab->width - 1] / values[column] <= limit + DONE_TOLERANCE)
      return row;
  }
  return best;
}

/* First pivot: z0 enters where q is the most negative; among equals the last one, which keeps the
 * rows lexicographically positive. */
static int
find_first_row (const Tableau *tab, const double q[], double scale)
{
  int row = -1;

  for (int i = 0; i < tab->n; i++)
    if (q[i] < -TIE_TOLERANCE * scale && (row < 0 || q[i] <= q[row]))
      row = i;
  return row;
}

static void
tableau_fill (Tableau *tab, const double a[], const double q[], double scale)
{
  int n = tab->n;

  memset (tab->t, 0, (size_t)(n * tab->width) * sizeof (double));
  for (int i = 0; i < n; i++) {
    double *row = tab->t + i * tab->width;
    row[i] = 1.0;
    for (int j = 0; j < n; j++)
      row[n + j] = -a[i + n * j];
    row[2 * n] = -1.0;
    row[2 * n + 1] = q[i] / scale;
    tab->basis[i] = i;
  }
}

/* Value of z0, which is basic until the end. */
static double
artificial_value (const Tableau *tab)
{
  for (int row = 0; row < tab->n; row++)
    if (tab->basis[row] == 2 * tab->n)
      return tab->t[row * tab->width + tab->width - 1];
  return 0.0;
}

static HlStatus
run_lemke (Tableau *tab, int first_row)
{
  int n = tab->n;
  int entering = 2 * n;
  int row = first_row;

  for (int count = 0; count < 60 * n + 60; count++) {
    int leaving = tab->basis[row];
    pivot (tab, row, entering);
    if (leaving == 2 * n)
      return HL_OK;
    entering = leaving < n ? leaving + n : leaving - n;
    row = find_leaving_row (tab, entering);
    if (row < 0)
      return artificial_value (tab) <= DONE_TOLERANCE ? HL_OK : HL_INFEASIBLE;
  }
  return HL_NO_CONVERGENCE;
}

HlStatus
hl_hybrid_lcp_solve (int n,
                     const double a[],
                     const double q[],
                     bool basic[],
                     double y[],
                     double scratch[],
                     int index[])
{
  Tableau tab = {.n = n, .width = 2 * n + 2, .t = scratch, .basis = index};
  double scale = 0.0;

  for (int i = 0; i < n; i++) {
    scale = fmax (scale, fabs (q[i]));
    basic[i] = false;
    y[i] = 0.0;
  }
  if (!isfinite (scale))
    return HL_NOT_FINITE;
  int first_row = find_first_row (&tab, q, scale);
  if (first_row < 0)
    return HL_OK;
  tableau_fill (&tab, a, q, scale);
  HlStatus status = run_lemke (&tab, first_row);
  if (status != HL_OK)
    return status;
  for (int row = 0; row < n; row++) {
    int i = tab.basis[row] - n;
    if (i < 0 || i >= n)
      continue;
    basic[i] = true;
    y[i] = scale * fmax (0.0, tab.t[row * tab.width + tab.width - 1]);
  }
  return HL_OK;
}

/* y of one held set; false when its columns are dependent. */
static bool
solve_held (int n,
            const double a[],
            const double q[],
            unsigned set,
            double y[],
            double block[],
            double rhs[],
            int index[])
{
  int *member = index;
  int *pivots = index + n;
  int size = 0;

  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    if (set >> i & 1u)
      member[size++] = i;
  }
  if (size == 0)
    return true;
  for (int j = 0; j < size; j++) {
    rhs[j] = -q[member[j]];
    for (int i = 0; i < size; i++)
      block[i + size * j] = a[member[i] + n * member[j]];
  }
  if (hl_lu_factor (size, block, pivots) != HL_OK ||
      hl_lu_pivot_ratio (size, block) < PIVOT_TOLERANCE)
    return false;
  hl_lu_solve (size, block, pivots, 1, rhs);
  for (int j = 0; j < size; j++)
    y[member[j]] = rhs[j];
  return true;
}

static bool
is_solution (int n, const double a[], const double q[], double tolerance, const double y[])
{
  for (int i = 0; i < n; i++) {
    double u = q[i];
    for (int j = 0; j < n; j++)
      u += a[i + n * j] * y[j];
    if (y[i] < -tolerance || u < -tolerance)
      return false;
  }
  return true;
}

HlStatus
hl_hybrid_lcp_enumerate (int n,
                         const double a[],
                         const double q[],
                         double tolerance,
                         bool basic[],
                         double y[],
                         double scratch[],
                         int index[])
{
  double *block = scratch;
  double *rhs = scratch + n * n;

  assert (n <= HL_HYBRID_LCP_ENUMERATION);
  for (int size = 0; size <= n; size++)
    for (unsigned set = 0; set < 1u << n; set++) {
      int count = 0;
      for (int i = 0; i < n; i++)
        count += (int)(set >> i & 1u);
      if (count != size || !solve_held (n, a, q, set, y, block, rhs, index) ||
          !is_solution (n, a, q, tolerance, y))
        continue;
      for (int i = 0; i < n; i++)
        basic[i] = (set >> i & 1u) != 0;
      return HL_OK;
    }
  return HL_INFEASIBLE;
}
