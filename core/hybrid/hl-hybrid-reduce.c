/* SPDX-License-Identifier: MIT */
/* The null-space reduction in dense form. Letters as in theory/hybrid.md: index 1 for independent,
 * 2 for dependent rows. */
#include "core/hybrid/hl-hybrid-reduce.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"

void
hl_hybrid_mass_multiply (const HlHybridMass *mass, const double x[], double y[])
{
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

double
hl_hybrid_mass_diagonal (const HlHybridMass *mass, int state)
{
  int j = state - mass->n_lines;

  return j < 0 ? mass->inertia[state] : mass->mass[j + mass->n_mech * j];
}

double
hl_hybrid_mass_energy (const HlHybridMass *mass, const double x[])
{
  int n = mass->n_mech;
  double sum = 0.0;

  for (int line = 0; line < mass->n_lines; line++)
    sum += mass->inertia[line] * x[line] * x[line];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      sum += x[mass->n_lines + i] * mass->mass[i + n * j] * x[mass->n_lines + j];
  return 0.5 * sum;
}

HlHybridReduction *
hl_hybrid_reduction_new (const HlArena *beside, int max_states, int max_columns)
{
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

void
hl_hybrid_reduction_free (HlHybridReduction *red)
{
  if (red == NULL)
    return;
  HlArena arena = red->arena;
  hl_arena_clear (&arena);
}

HlStatus
hl_hybrid_reduce_factor (HlHybridReduction *red, const HlHybridRank *rank, const double w[])
{
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

double
hl_hybrid_reduce_quality (const HlHybridReduction *red, const HlHybridMass *mass)
{
  double worst = 0.0;

  for (int j = 0; j < red->n_free; j++)
    for (int i = 0; i < red->n_dependent; i++) {
      int state = red->rank->dependent[i];
      double ratio = hl_hybrid_mass_diagonal (mass, state) /
                     hl_hybrid_mass_diagonal (mass, red->rank->independent[j]);
      worst = fmax (worst, fabs (red->alpha[state + red->n_states * j]) * sqrt (ratio));
    }
  return worst;
}

/* x2 = -W2^-T r for the kept entries of r (n_columns), written to the dependent places of x; the
 * others become 0. */
static void
solve_particular (HlHybridReduction *red, const double r[], double x[])
{
  const HlHybridRank *rank = red->rank;

  memset (x, 0, (size_t)red->n_states * sizeof (double));
  for (int k = 0; k < red->n_dependent; k++)
    red->column_a[k] = -r[rank->kept[k]];
  if (red->n_dependent > 0)
    hl_lu_solve_transposed (red->n_dependent, red->w2, red->pivots, 1, red->column_a);
  for (int i = 0; i < red->n_dependent; i++)
    x[rank->dependent[i]] = red->column_a[i];
}

/* lam = W2^-1 r2 for the dependent entries of r (n_states), spread over all columns. */
static void
solve_multipliers (HlHybridReduction *red, const double r[], double lam[])
{
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

/* x += alpha xbar */
static void
add_free_motion (const HlHybridReduction *red, const double xbar[], double x[])
{
  for (int j = 0; j < red->n_free; j++)
    for (int i = 0; i < red->n_states; i++)
      x[i] += red->alpha[i + red->n_states * j] * xbar[j];
}

void
hl_hybrid_reduce_velocity (HlHybridReduction *red,
                           const double b[],
                           const double vbar[],
                           double v[])
{
  solve_particular (red, b, v);
  add_free_motion (red, vbar, v);
}

HlStatus
hl_hybrid_reduce_mass (HlHybridReduction *red, const HlHybridMass *mass)
{
  int n = red->n_states;
  int n_free = red->n_free;

  for (int j = 0; j < n_free; j++)
    hl_hybrid_mass_multiply (mass, red->alpha + n * j, red->m_alpha + n * j);
  if (n_free == 0)
    return HL_OK;
  hl_mat_tmul (n_free, n, n_free, red->alpha, red->m_alpha, red->reduced_mass);
  memcpy (red->reduced_mass_cholesky, red->reduced_mass,
          (size_t)(n_free * n_free) * sizeof (double));
  return hl_cholesky_factor (n_free, red->reduced_mass_cholesky);
}

void
hl_hybrid_reduce_acceleration (HlHybridReduction *red,
                               const HlHybridMass *mass,
                               const double rate[],
                               const double force[],
                               double vbar_dot[],
                               double v_dot[],
                               double lam[])
{
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

void
hl_hybrid_reduce_project (HlHybridReduction *red,
                          const HlHybridMass *mass,
                          const double b[],
                          const double v_old[],
                          double v_new[],
                          double impulse[])
{
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
