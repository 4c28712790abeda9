/* SPDX-License-Identifier: MIT */
/* The complementarity problem as the nearest point it stands for (theory/hybrid.md (20)): with
 * A = N^T G N >= 0 the solution is the minimum over y >= 0 of
 *
 *   y^T A y / 2 + q^T y
 *
 * and u is its gradient.
 *
 * The active-set method of Lawson and Hanson (Solving Least Squares Problems, chapter 23), written
 * for A instead of N. The element with the most negative u is added to the held set, y moves to the
 * minimum over the set or until a y_i falls to zero, and what fell is dropped. Every round lowers
 * the minimum, so no set comes back and the method ends, however many elements touch at once.
 *
 * The held set never has dependent columns: when the new column is a combination N_j = N_H z of the
 * held ones, y moves along d = (1, -z), which changes no velocity, until the force of a held element is zero and the
 * element leaves. When none does, d >= 0, A d = 0 and q^T d = u_j < 0: no y makes u >= 0.
 *
 * All factors are made afresh from A, so rounding does not pile up from pivot to pivot as it does
 * in a tableau. */
#include "core/hybrid/hl-hybrid-lcp.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"

/* Square of the sine of the angle (in M^-1) between a column and the span of the held ones, below
 * which it counts as dependent (the diagonal of A is 1). */
#define DEPENDENT_TOLERANCE 1e-12
/* Rounding of that square, in units of the smallest and of the coefficients squared. */
#define ROUNDING_FACTOR 100.0
/* A violation below this part of the largest q may be rounding. */
#define SMALL_GAP 1e-8
/* Dependent columns of a tried set, by the ratio of its pivots. */
#define PIVOT_TOLERANCE 1e-10
/* A y below this part of the largest has fallen to zero. */
#define FALLEN_TOLERANCE 1e-14

typedef struct {
  int n;            /* elements */
  const double *a;  /* n x n: A */
  const double *q;  /* n */
  double *y;        /* n: reactions so far */
  bool *held;       /* n: member of the held set */
  double *factor;   /* Cholesky factor of A over the held set; n x n at most */
  double *target;   /* n, by member: what y moves to, or along */
  int *member;      /* n: the held elements */
  int n_members;    /* of the held set */
  double threshold; /* below it the entering column counts as dependent */
} ActiveSet;

int hl_hybrid_lcp_scratch_size (int n) {
  return n * n + n;
}

int hl_hybrid_lcp_index_size (int n) {
  return 2 * n + 1;
}

static double gap_of (const ActiveSet *set, int i) {
  double u = set->q[i];

  for (int j = 0; j < set->n; j++)
    u += set->a[i + set->n * j] * set->y[j];
  return u;
}

/* Returns the element with the largest violation relative to its tolerance; -1: none. Elements that rounding
 * has just removed are skipped. */
static int find_entering (const ActiveSet *set, const double tolerance[], const int refused[]) {
  int best = -1;
  double worst = 0.0;

  for (int i = 0; i < set->n; i++) {
    if (set->held[i] || refused[i])
      continue;
    double u = gap_of (set, i);
    if (u < -tolerance[i] && u < worst) {
      worst = u;
      best = i;
    }
  }
  return best;
}

/* Factors A over the members. */
static HlStatus factor_members (ActiveSet *set) {
  int size = set->n_members;

  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      set->factor[i + size * j] = set->a[set->member[i] + set->n * set->member[j]];
  return size > 0 ? hl_cholesky_factor (size, set->factor) : HL_OK;
}

/* Collects the active set, with `last` at the end: an entering element is factored last, so that its pivot
 * shows whether it is dependent. */
static void collect_members (ActiveSet *set, int last) {
  set->n_members = 0;
  for (int i = 0; i < set->n; i++)
    if (set->held[i] && i != last)
      set->member[set->n_members++] = i;
  if (set->held[last])
    set->member[set->n_members++] = last;
}

/* Holds `entering` unless its column is a combination of the held ones; then these are the members
 * and target = -z, z the coefficients. */
static bool try_to_hold (ActiveSet *set, int entering) {
  double whole = set->a[entering + set->n * entering];
  double left = whole;
  double size = 1.0;

  collect_members (set, entering);
  factor_members (set);
  for (int k = 0; k < set->n_members; k++)
    set->target[k] = -set->a[set->member[k] + set->n * entering];
  if (set->n_members > 0)
    hl_cholesky_solve (set->n_members, set->factor, 1, set->target);
  for (int k = 0; k < set->n_members; k++) {
    left += set->a[set->member[k] + set->n * entering] * set->target[k];
    size += fabs (set->target[k]);
  }
  /* large coefficients: the held ones are nearly dependent themselves and magnify rounding */
  set->threshold = fmax (DEPENDENT_TOLERANCE, ROUNDING_FACTOR * DBL_EPSILON * size * size) * whole;
  set->held[entering] = left > set->threshold;
  return set->held[entering];
}

/* Lets go of the members that have fallen to zero, of `first` in any case. */
static void drop_fallen (ActiveSet *set, int first) {
  double largest = 0.0;

  for (int k = 0; k < set->n_members; k++)
    largest = fmax (largest, set->y[set->member[k]]);
  for (int k = 0; k < set->n_members; k++) {
    int i = set->member[k];
    if (i != first && (set->y[i] > FALLEN_TOLERANCE * largest || set->target[k] > 0.0))
      continue;
    set->y[i] = 0.0;
    set->held[i] = false;
  }
}

/* Returns whether u of a dependent column is small, and the y that would correct it is within rounding: smaller than
 * the forces of the other columns, at the largest mobility that counts as zero. */
static bool is_rounding (const ActiveSet *set, int entering) {
  double largest_y = 0.0;
  double largest_q = 0.0;

  for (int i = 0; i < set->n; i++) {
    largest_y = fmax (largest_y, set->y[i]);
    largest_q = fmax (largest_q, fabs (set->q[i]));
  }
  return -gap_of (set, entering) <= fmin (set->threshold * largest_y, SMALL_GAP * largest_q);
}

/* Exchanges the dependent column `entering` (not yet among the members) for a held one. */
static HlStatus exchange_row (ActiveSet *set, int entering) {
  double step = INFINITY;
  int first = -1;

  for (int k = 0; k < set->n_members; k++) {
    if (set->target[k] >= -PIVOT_TOLERANCE)
      continue;
    double ratio = -set->y[set->member[k]] / set->target[k];
    if (ratio < step) {
      step = ratio;
      first = set->member[k];
    }
  }
  if (first < 0) {
    memset (set->y, 0, (size_t)set->n * sizeof (double));
    for (int k = 0; k < set->n_members; k++)
      set->y[set->member[k]] = set->target[k] > PIVOT_TOLERANCE ? set->target[k] : 0.0;
    set->y[entering] = 1.0;
    return HL_INFEASIBLE;
  }
  for (int k = 0; k < set->n_members; k++)
    set->y[set->member[k]] = fmax (0.0, set->y[set->member[k]] + step * set->target[k]);
  set->y[entering] += step;
  set->y[first] = 0.0;
  set->held[first] = false;
  return HL_OK;
}

/* Moves y to the minimum over the held set, or as far as it stays positive; true when it arrived.
 */
static bool move_to_minimum (ActiveSet *set) {
  double step = 1.0;
  int first = -1;

  for (int k = 0; k < set->n_members; k++)
    set->target[k] = -set->q[set->member[k]];
  hl_cholesky_solve (set->n_members, set->factor, 1, set->target);
  for (int k = 0; k < set->n_members; k++) {
    double y = set->y[set->member[k]];
    if (set->target[k] > 0.0)
      continue;
    double ratio = y > 0.0 ? y / (y - set->target[k]) : 0.0;
    if (first < 0 || ratio < step) {
      step = ratio;
      first = set->member[k];
    }
  }
  for (int k = 0; k < set->n_members; k++) {
    double *y = &set->y[set->member[k]];
    *y = first < 0 ? set->target[k] : fmax (0.0, *y + step * (set->target[k] - *y));
  }
  if (first >= 0)
    drop_fallen (set, first);
  return first < 0;
}

/* Adds one element and finds the minimum over the set. */
static HlStatus add_element (ActiveSet *set, int entering) {
  while (!try_to_hold (set, entering)) {
    if (is_rounding (set, entering))
      return HL_OK;
    HlStatus status = exchange_row (set, entering);
    if (status != HL_OK)
      return status;
  }
  do {
    collect_members (set, entering);
    if (factor_members (set) != HL_OK)
      return HL_NO_CONVERGENCE;
  } while (!move_to_minimum (set));
  return HL_OK;
}

HlStatus hl_hybrid_lcp_solve (int n, const double a[], const double q[], const double tolerance[],
                              bool basic[], double y[], double scratch[], int index[]) {
  ActiveSet set = {.n = n,
                   .a = a,
                   .q = q,
                   .y = y,
                   .held = basic,
                   .factor = scratch,
                   .target = scratch + n * n,
                   .member = index};
  int *refused = index + n;

  for (int i = 0; i < n; i++) {
    if (!isfinite (q[i]))
      return HL_NOT_FINITE;
    basic[i] = false;
    y[i] = 0.0;
    refused[i] = 0;
  }
  for (int count = 0; count < 60 * n + 60; count++) {
    int entering = find_entering (&set, tolerance, refused);
    if (entering < 0)
      return HL_OK;
    HlStatus status = add_element (&set, entering);
    if (status != HL_OK)
      return status;
    /* not held: its u is rounding, unless another change makes more of it */
    for (int i = 0; i < n && basic[entering]; i++)
      refused[i] = 0;
    refused[entering] = !basic[entering];
  }
  return HL_NO_CONVERGENCE;
}
