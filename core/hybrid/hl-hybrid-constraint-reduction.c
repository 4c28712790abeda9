/* SPDX-License-Identifier: MIT */
/* Rank by elimination of W^T, with C keeping how each row was combined (theory/hybrid.md (13)):
 *
 *   T = C W^T             in echelon form
 *
 * Flows come first in the state order and meet the columns of junctions and closed lines only,
 * where all entries are -1, 0 or +1. Such a matrix is totally unimodular: every step of the
 * elimination stays in {-1, 0, 1}, so this part is the search for a spanning forest of open lines,
 * exact in floating point. What is left are rows that hold mechanical velocities alone (sums of
 * areas). Their rank is counted by complete pivoting; then that many pivots are taken in state
 * order, except poor ones, which wait for the end. An entry counts as zero when it is small against
 * the sum of the magnitudes that went into it.
 *
 * The pivot row is the first one that will do, so a row is only ever reduced by rows above it: what
 * ends as zero depends on earlier columns of W, and the kept columns are the pivots of W in
 * order. */
#include "core/hybrid/hl-hybrid-constraint-reduction.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"

/* An entry below this part of the magnitudes it was summed from is rounding. */
#define ZERO_TOLERANCE 1e-11
/* A pivot in state order must reach this part of the largest entry of its row (scaled states). */
#define PIVOT_THRESHOLD 1e-3
/* ... and its row this part of the best row for the same state, so that the first good row is
 * taken, not the best. */
#define ROW_THRESHOLD 0.05
/* ... and a row must have kept this part of the magnitudes it was summed from. */
#define DIGITS_LEFT 1e-6
/* Pivots of complete pivoting below this part of the largest are dependent columns. */
#define RANK_TOLERANCE 1e-10

typedef struct {
  int n;               /* states: columns of T */
  int m;               /* columns of W: rows of T */
  const double *w;     /* n x m: W as given */
  const double *scale; /* n: 1/sqrt (M_jj) */
  double *t;           /* m x n  */
  double *c;           /* m x m  */
  double *size;        /* m x n: sum of the magnitudes that went into T, for the states that are compared
                    with a threshold */
  double *spare;       /* m x n */
  int *order;          /* m + n */
  bool *row_used;      /* m: holds a pivot */
  bool *state_used;    /* n: is dependent */
} Elimination;

HlHybridRank *hl_hybrid_rank_new (const HlArena *beside, int max_states, int max_columns) {
  HlArena own = hl_arena_beside (beside), *arena;
  HlHybridRank *rank = hl_arena_take (&own, 1, sizeof *rank);

  rank->arena = own;
  arena = &rank->arena;
  rank->max_states = max_states;
  rank->max_columns = max_columns;
  rank->dependent = hl_arena_take (arena, max_states, sizeof (int));
  rank->independent = hl_arena_take (arena, max_states, sizeof (int));
  rank->kept = hl_arena_take (arena, max_columns, sizeof (int));
  rank->undetermined = hl_arena_take (arena, max_columns, sizeof (bool));
  rank->null_basis = hl_arena_take (arena, max_columns * max_columns, sizeof (double));
  return rank;
}

void hl_hybrid_rank_free (HlHybridRank *rank) {
  if (rank == NULL)
    return;
  HlArena arena = rank->arena;
  hl_arena_clear (&arena);
}

int hl_hybrid_rank_scratch_size (int max_states, int max_columns) {
  /* T, its sizes, C, a copy, and the flags and orders, which need less than a double each */
  return max_columns * (3 * max_states + max_columns) + 2 * (max_columns + max_states);
}

static double row_size (const Elimination *e, int row) {
  double size = 0.0;

  for (int state = 0; state < e->n; state++)
    if (!e->state_used[state])
      size = fmax (size, fabs (e->t[row + e->m * state]) * e->scale[state]);
  return size;
}

static void eliminate (Elimination *e, int pivot_row, int state) {
  int m = e->m;
  double pivot = e->t[pivot_row + m * state];

  e->row_used[pivot_row] = true;
  e->state_used[state] = true;
  for (int row = 0; row < m; row++) {
    double factor = e->t[row + m * state] / pivot;
    if (e->row_used[row] || factor == 0.0)
      continue;
    for (int j = 0; j < e->n; j++) {
      e->t[row + m * j] -= factor * e->t[pivot_row + m * j];
      e->size[row + m * j] += fabs (factor) * e->size[pivot_row + m * j];
      /* rounding is removed at once: as a later factor it would pass for a number */
      if (fabs (e->t[row + m * j]) <= ZERO_TOLERANCE * e->size[row + m * j])
        e->t[row + m * j] = 0.0;
    }
    for (int k = 0; k < m; k++)
      e->c[row + m * k] -= factor * e->c[pivot_row + m * k];
    e->t[row + m * state] = 0.0;
  }
}

static void eliminate_exact (Elimination *e, int n_exact) {
  for (int state = 0; state < n_exact; state++)
    for (int row = 0; row < e->m; row++)
      if (!e->row_used[row] && e->t[row + e->m * state] != 0.0) {
        assert (fabs (e->t[row + e->m * state]) == 1.0);
        eliminate (e, row, state);
        break;
      }
}

/* Sums the remaining states. The exact part has only added and subtracted whole rows, and C records which, in
 * integers. The other states are summed anew from it, so that cancellation leaves no rounding behind. From
 * here on sizes grow with every step, for C itself may cancel. */
static void sum_remaining (Elimination *e, int n_exact) {
  for (int state = n_exact; state < e->n; state++)
    for (int row = 0; row < e->m; row++) {
      double sum = 0.0;
      double size = 0.0;
      for (int k = 0; k < e->m; k++) {
        double term = e->c[row + e->m * k] * e->w[state + e->n * k];
        sum += term;
        size += fabs (term);
      }
      e->size[row + e->m * state] = size;
      e->t[row + e->m * state] = fabs (sum) > ZERO_TOLERANCE * size ? sum : 0.0;
    }
}

/* Returns the largest magnitude that went into a row: what its entries are measured by. */
static double row_magnitude (const Elimination *e, int row) {
  double size = 0.0;

  for (int state = 0; state < e->n; state++)
    size = fmax (size, e->size[row + e->m * state] * e->scale[state]);
  return size;
}

/* Returns the rank of what the exact part left, by complete pivoting of the scaled rows. The later choice of
 * pivots follows other preferences and may lose digits; it must not decide how many there are. */
static int count_remaining (const Elimination *e, int n_exact) {
  double *a = e->spare;
  int n_rows = 0;
  int n_mech = e->n - n_exact;

  for (int row = 0; row < e->m; row++)
    n_rows += !e->row_used[row];
  int at = 0;
  for (int row = 0; row < e->m; row++) {
    double magnitude = row_magnitude (e, row);
    if (e->row_used[row])
      continue;
    for (int j = 0; j < n_mech; j++)
      a[at + n_rows * j] =
          magnitude > 0.0 ? e->t[row + e->m * (n_exact + j)] * e->scale[n_exact + j] / magnitude : 0.0;
    at++;
  }
  if (n_rows == 0 || n_mech == 0)
    return 0;
  int rank =
      hl_eliminate_complete (n_rows, n_mech, a, RANK_TOLERANCE, e->order, e->order + n_rows, NULL, NULL);
  return rank > 0 ? rank : 0;
}

/* Pivots in state order wherever there is a good one; at most n_wanted. Returns how many are still
 * missing. */
static int eliminate_in_order (Elimination *e, int n_exact, int n_wanted) {
  for (int state = n_exact; state < e->n && n_wanted > 0; state++) {
    double best = 0.0;
    bool is_done = false;
    for (int pass = 0; pass < 2; pass++)
      for (int row = 0; row < e->m && !is_done; row++) {
        if (e->row_used[row])
          continue;
        double size = row_size (e, row);
        double share = size > 0.0 ? fabs (e->t[row + e->m * state]) * e->scale[state] / size : 0.0;
        if (share < PIVOT_THRESHOLD || size < DIGITS_LEFT * row_magnitude (e, row))
          continue;
        if (pass == 0)
          best = fmax (best, share);
        else if (share >= ROW_THRESHOLD * best) {
          eliminate (e, row, state);
          n_wanted--;
          is_done = true;
        }
      }
  }
  return n_wanted;
}

/* Eliminates with the missing pivots: the entry that keeps most of its row's magnitude first. */
static void eliminate_rest (Elimination *e, int n_exact, int n_wanted) {
  for (; n_wanted > 0; n_wanted--) {
    int best_row = -1;
    int best_state = -1;
    double best = 0.0;
    for (int row = 0; row < e->m; row++) {
      double magnitude = row_magnitude (e, row);
      for (int state = n_exact; state < e->n && !e->row_used[row]; state++) {
        double share =
            e->state_used[state] ? 0.0 : fabs (e->t[row + e->m * state]) * e->scale[state] / magnitude;
        if (share > best) {
          best = share;
          best_row = row;
          best_state = state;
        }
      }
    }
    if (best_row < 0)
      return;
    eliminate (e, best_row, best_state);
  }
}

static double column_size (const Elimination *e, int column) {
  double sum = 0.0;

  for (int state = 0; state < e->n; state++) {
    double value = e->w[state + e->n * column] * e->scale[state];
    sum += value * value;
  }
  return sqrt (sum);
}

/* Collects the null basis: rows that ended as zero are combinations z^T W^T = 0; entries that are rounding
 * become exact zeros. */
static void collect_null_basis (HlHybridRank *rank, const Elimination *e) {
  for (int k = 0; k < e->m; k++)
    rank->undetermined[k] = false;
  rank->n_null = 0;
  for (int row = 0; row < e->m; row++) {
    if (e->row_used[row])
      continue;
    double *z = rank->null_basis + e->m * rank->n_null++;
    double largest = 0.0;
    for (int k = 0; k < e->m; k++)
      largest = fmax (largest, fabs (e->c[row + e->m * k]) * column_size (e, k));
    for (int k = 0; k < e->m; k++) {
      double value = e->c[row + e->m * k];
      bool counts = fabs (value) * column_size (e, k) > 1e-9 * largest || (k == row);
      z[k] = counts ? value : 0.0;
      rank->undetermined[k] = rank->undetermined[k] || counts;
    }
  }
}

void hl_hybrid_rank_analyze (HlHybridRank *rank, int n_states, int n_exact, int n_columns, const double w[],
                             const double scale[], double scratch[]) {
  int n = n_states;
  int m = n_columns;
  int n_independent = 0;

  assert (n <= rank->max_states && m <= rank->max_columns);
  Elimination e = {.n = n, .m = m, .w = w, .scale = scale, .t = scratch};
  e.size = e.t + m * n;
  e.c = e.size + m * n;
  e.row_used = (bool *)(e.c + m * m);
  e.state_used = (bool *)(e.c + m * m + m);
  e.spare = e.c + m * m + m + n;
  e.order = (int *)(e.spare + m * n);
  /* sizes stay 0, and with them every test for rounding, until the exact part is done */
  memset (e.size, 0, (size_t)(m * n + m * m + m + n) * sizeof (double));
  for (int k = 0; k < m; k++) {
    e.c[k + m * k] = 1.0;
    for (int state = 0; state < n; state++)
      e.t[k + m * state] = w[state + n * k];
  }
  eliminate_exact (&e, n_exact);
  sum_remaining (&e, n_exact);
  int n_wanted = count_remaining (&e, n_exact);
  n_wanted = eliminate_in_order (&e, n_exact, n_wanted);
  eliminate_rest (&e, n_exact, n_wanted);

  rank->n_states = n;
  rank->n_columns = m;
  rank->rank = 0;
  for (int state = 0; state < n; state++) {
    if (e.state_used[state])
      rank->dependent[rank->rank++] = state;
    else
      rank->independent[n_independent++] = state;
  }
  int n_kept = 0;
  for (int row = 0; row < m; row++)
    if (e.row_used[row])
      rank->kept[n_kept++] = row;
  assert (n_kept == rank->rank);
  collect_null_basis (rank, &e);
}

int hl_hybrid_rank_find_contradiction (const HlHybridRank *rank, const double b[]) {
  for (int null_idx = 0; null_idx < rank->n_null; null_idx++) {
    const double *z = rank->null_basis + rank->n_columns * null_idx;
    double sum = 0.0;
    double magnitude = 0.0;
    for (int k = 0; k < rank->n_columns; k++) {
      sum += z[k] * b[k];
      magnitude += fabs (z[k] * b[k]);
    }
    if (fabs (sum) > 1e-10 * magnitude)
      return null_idx;
  }
  return -1;
}

bool hl_hybrid_rank_is_in_support (const HlHybridRank *rank, int null_idx, int column) {
  return rank->null_basis[column + rank->n_columns * null_idx] != 0.0;
}

void hl_hybrid_mass_multiply (const HlHybridMass *mass, const double x[], double y[]) {
  int n = mass->n_mech;

  for (int line = 0; line < mass->n_lines; line++)
    y[line] = mass->inertia[line] * x[line];
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++)
      sum += mass->mass[i + n * j] * x[mass->n_lines + j];
    y[mass->n_lines + i] = sum;
  }
}

double hl_hybrid_mass_diagonal (const HlHybridMass *mass, int state) {
  int j = state - mass->n_lines;

  return j < 0 ? mass->inertia[state] : mass->mass[j + mass->n_mech * j];
}

double hl_hybrid_mass_energy (const HlHybridMass *mass, const double x[]) {
  int n = mass->n_mech;
  double sum = 0.0;

  for (int line = 0; line < mass->n_lines; line++)
    sum += mass->inertia[line] * x[line] * x[line];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      sum += x[mass->n_lines + i] * mass->mass[i + n * j] * x[mass->n_lines + j];
  return 0.5 * sum;
}

HlHybridReduction *hl_hybrid_reduction_new (const HlArena *beside, int max_states, int max_columns) {
  HlArena own = hl_arena_beside (beside), *arena;
  HlHybridReduction *red = hl_arena_take (&own, 1, sizeof *red);
  int n = max_states;
  /* no more dependent states than states, whatever the number of columns */
  int m = max_columns < n ? max_columns : n;

  red->arena = own;
  arena = &red->arena;
  red->max_states = max_states;
  red->max_columns = max_columns;
  red->w2 = hl_arena_take (arena, m * m, sizeof (double));
  red->pivots = hl_arena_take (arena, m, sizeof (int));
  red->alpha = hl_arena_take (arena, n * n, sizeof (double));
  red->reduced_mass = hl_arena_take (arena, n * n, sizeof (double));
  red->reduced_mass_cholesky = hl_arena_take (arena, n * n, sizeof (double));
  red->m_alpha = hl_arena_take (arena, n * n, sizeof (double));
  red->state_a = hl_arena_take (arena, n, sizeof (double));
  red->state_b = hl_arena_take (arena, n, sizeof (double));
  red->free_part = hl_arena_take (arena, n, sizeof (double));
  red->column_a = hl_arena_take (arena, m, sizeof (double));
  red->particular = hl_arena_take (arena, max_columns, sizeof (double));
  return red;
}

void hl_hybrid_reduction_free (HlHybridReduction *red) {
  if (red == NULL)
    return;
  HlArena arena = red->arena;
  hl_arena_clear (&arena);
}

HlStatus hl_hybrid_reduce_factor (HlHybridReduction *red, const HlHybridRank *rank, const double w[]) {
  int n = rank->n_states;
  int m = rank->rank;
  int n_free = n - m;
  double *w1_t = red->m_alpha; /* m x n_free until alpha is known */

  assert (n <= red->max_states);
  red->rank = rank;
  red->n_states = n;
  red->n_dependent = m;
  red->n_free = n_free;
  for (int k = 0; k < m; k++)
    for (int i = 0; i < m; i++)
      red->w2[i + m * k] = w[rank->dependent[i] + n * rank->kept[k]];
  if (m > 0 && hl_lu_factor (m, red->w2, red->pivots) != HL_OK)
    return HL_SINGULAR;

  for (int j = 0; j < n_free; j++)
    for (int k = 0; k < m; k++)
      w1_t[k + m * j] = w[rank->independent[j] + n * rank->kept[k]];
  if (m > 0)
    hl_lu_solve_transposed (m, red->w2, red->pivots, n_free, w1_t);
  memset (red->alpha, 0, (size_t)(n * n_free) * sizeof (double));
  for (int j = 0; j < n_free; j++) {
    red->alpha[rank->independent[j] + n * j] = 1.0;
    for (int i = 0; i < m; i++) {
      red->alpha[rank->dependent[i] + n * j] = -w1_t[i + m * j];
      if (!isfinite (w1_t[i + m * j]))
        return HL_SINGULAR;
    }
  }
  return HL_OK;
}

double hl_hybrid_reduce_quality (const HlHybridReduction *red, const HlHybridMass *mass) {
  double worst = 0.0;

  for (int j = 0; j < red->n_free; j++)
    for (int i = 0; i < red->n_dependent; i++) {
      int state = red->rank->dependent[i];
      double ratio =
          hl_hybrid_mass_diagonal (mass, state) / hl_hybrid_mass_diagonal (mass, red->rank->independent[j]);
      worst = fmax (worst, fabs (red->alpha[state + red->n_states * j]) * sqrt (ratio));
    }
  return worst;
}

/* Solves x2 = -W2^-T r for the kept entries of r (n_columns), written to the dependent places of x; the
 * others become 0. */
static void solve_particular (HlHybridReduction *red, const double r[], double x[]) {
  const HlHybridRank *rank = red->rank;

  memset (x, 0, (size_t)red->n_states * sizeof (double));
  for (int k = 0; k < red->n_dependent; k++)
    red->column_a[k] = -r[rank->kept[k]];
  if (red->n_dependent > 0)
    hl_lu_solve_transposed (red->n_dependent, red->w2, red->pivots, 1, red->column_a);
  for (int i = 0; i < red->n_dependent; i++)
    x[rank->dependent[i]] = red->column_a[i];
}

/* Solves lam = W2^-1 r2 for the dependent entries of r (n_states), spread over all columns. */
static void solve_multipliers (HlHybridReduction *red, const double r[], double lam[]) {
  const HlHybridRank *rank = red->rank;

  for (int i = 0; i < red->n_dependent; i++)
    red->column_a[i] = r[rank->dependent[i]];
  if (red->n_dependent > 0)
    hl_lu_solve (red->n_dependent, red->w2, red->pivots, 1, red->column_a);
  for (int k = 0; k < rank->n_columns; k++) {
    lam[k] = NAN;
    red->particular[k] = 0.0;
  }
  for (int k = 0; k < red->n_dependent; k++) {
    red->particular[rank->kept[k]] = red->column_a[k];
    if (!rank->undetermined[rank->kept[k]])
      lam[rank->kept[k]] = red->column_a[k];
  }
}

/* Computes x += alpha xbar. */
static void add_free_motion (const HlHybridReduction *red, const double xbar[], double x[]) {
  for (int j = 0; j < red->n_free; j++)
    for (int i = 0; i < red->n_states; i++)
      x[i] += red->alpha[i + red->n_states * j] * xbar[j];
}

void hl_hybrid_reduce_velocity (HlHybridReduction *red, const double b[], const double vbar[], double v[]) {
  solve_particular (red, b, v);
  add_free_motion (red, vbar, v);
}

HlStatus hl_hybrid_reduce_mass (HlHybridReduction *red, const HlHybridMass *mass) {
  int n = red->n_states;
  int n_free = red->n_free;

  for (int j = 0; j < n_free; j++)
    hl_hybrid_mass_multiply (mass, red->alpha + n * j, red->m_alpha + n * j);
  if (n_free == 0)
    return HL_OK;
  hl_mat_tmul (n_free, n, n_free, red->alpha, red->m_alpha, red->reduced_mass);
  memcpy (red->reduced_mass_cholesky, red->reduced_mass, (size_t)(n_free * n_free) * sizeof (double));
  return hl_cholesky_factor (n_free, red->reduced_mass_cholesky);
}

void hl_hybrid_reduce_acceleration (HlHybridReduction *red, const HlHybridMass *mass, const double rate[],
                                    const double force[], double vbar_dot[], double v_dot[], double lam[]) {
  int n = red->n_states;
  double *rest = red->state_a;

  /* g, then F - M g */
  solve_particular (red, rate, v_dot);
  hl_hybrid_mass_multiply (mass, v_dot, rest);
  for (int i = 0; i < n; i++)
    rest[i] = force[i] - rest[i];
  if (red->n_free > 0) {
    hl_mat_tvec (n, red->n_free, red->alpha, rest, vbar_dot);
    hl_cholesky_solve (red->n_free, red->reduced_mass_cholesky, 1, vbar_dot);
  }
  add_free_motion (red, vbar_dot, v_dot);

  hl_hybrid_mass_multiply (mass, v_dot, rest);
  for (int i = 0; i < n; i++)
    rest[i] = force[i] - rest[i];
  solve_multipliers (red, rest, lam);
}

void hl_hybrid_reduce_project (HlHybridReduction *red, const HlHybridMass *mass, const double b[],
                               const double v_old[], double v_new[], double impulse[]) {
  int n = red->n_states;
  double *nearest = red->state_a;
  double *rest = red->state_b;

  /* particular velocity, then the free motion that brings it closest to v_old */
  solve_particular (red, b, nearest);
  for (int i = 0; i < n; i++)
    rest[i] = v_old[i] - nearest[i];
  if (red->n_free > 0) {
    hl_mat_tvec (n, red->n_free, red->m_alpha, rest, red->free_part);
    hl_cholesky_solve (red->n_free, red->reduced_mass_cholesky, 1, red->free_part);
  }
  add_free_motion (red, red->free_part, nearest);

  for (int i = 0; i < n; i++) {
    rest[i] = v_old[i] - nearest[i];
    v_new[i] = nearest[i];
  }
  if (impulse != NULL) {
    hl_hybrid_mass_multiply (mass, rest, nearest);
    solve_multipliers (red, nearest, impulse);
  }
}
