/* SPDX-License-Identifier: MIT */
/* The augmented system, the reduced state by Newton's method on the constraints, and its derivative
 * by complex steps. */
#include <math.h>
#include <string.h>

#include "tests/random/hl-oracle-formulation.h"

#define STEP 1.0e-200L   /* of a complex step: nothing is subtracted, so it may be so small */
#define BESIDE 1.0e-300L /* a spool so far off 0 is on one side and passes nothing */
/* The last correction, where rounding decides: next to a dead point 1e4 times that of a long double
 * and more. */
#define SETTLED 1e-13L
#define LEAST_PIVOT 1e-12L /* below: a row that says nothing new */
#define MOST_CORRECTIONS 12

#define NUMBER HlZ
#define WEIGHT(z) (fabsl (creall (z)) + fabsl (cimagl (z)))
#define NAME(stem) stem##_complex
#include "tests/random/hl-oracle-eliminate.inc"
#undef NUMBER
#undef WEIGHT
#undef NAME
#define NUMBER long double
#define WEIGHT(z) fabsl (z)
#define NAME(stem) stem##_real
#include "tests/random/hl-oracle-eliminate.inc"

static bool is_real (const HlZ z[], int n) {
  for (int k = 0; k < n; k++)
    if (cimagl (z[k]) != 0.0L)
      return false;
  return true;
}

int hl_oracle_solve (int rows, int columns, HlZ A[], HlZ b[], HlZ x[], long double least, double *ratio) {
  if (!is_real (A, rows * columns) || !is_real (b, rows))
    return solve_complex (rows, columns, A, b, x, least, ratio);
  g_autofree long double *real = g_new (long double, rows *columns + rows + columns + 1);
  long double *real_b = real + rows * columns, *real_x = real_b + rows;

  for (int k = 0; k < rows * columns; k++)
    real[k] = creall (A[k]);
  for (int k = 0; k < rows; k++)
    real_b[k] = creall (b[k]);
  int rank = solve_real (rows, columns, real, real_b, real_x, least, ratio);
  for (int c = 0; c < columns; c++)
    x[c] = real_x[c];
  return rank;
}

bool hl_oracle_eval (const HlOracle *o, const HlOracleState *s, HlOracleRate *out) {
  int n = o->n, m = o->n_rows, size = n + m, width = n + 3;
  g_autofree HlZ *A = g_new0 (HlZ, size * size + 1), *b = g_new0 (HlZ, size + 1), *x = g_new (HlZ, size + 1),
                 *M = g_new (HlZ, n * n + 1), *Q = g_new (HlZ, n + 4), *C = g_new (HlZ, m + 1),
                 *D = g_new (HlZ, m * width + 1), *d = g_new (HlZ, m + 1);

  hl_oracle_mass (o, s, M);
  hl_oracle_loads (o, s, Q);
  hl_oracle_circuit (o, s, out, Q);
  hl_oracle_rows (o, s, C, D, d);
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++)
      A[r * size + c] = M[r * n + c];
    for (int k = 0; k < m; k++)
      A[r * size + n + k] = A[(n + k) * size + r] = D[k * width + r];
    b[r] = Q[r];
  }
  for (int k = 0; k < m; k++) {
    HlZ speed = 0.0L;
    for (int c = 0; c < n; c++)
      speed += D[k * width + c] * s->v[c];
    b[n + k] = -d[k] - (o->is_velocity_row[k] ? s->beta * speed
                                              : 2.0L * s->beta * speed + s->gamma * s->gamma * C[k]);
  }
  hl_oracle_solve (size, size, A, b, x, LEAST_PIVOT, &out->pivots);
  memcpy (out->a, x, (size_t)n * sizeof (HlZ));
  memcpy (out->lambda, x + n, (size_t)m * sizeof (HlZ));
  for (int k = 0; k < n; k++)
    if (!isfinite (creall (x[k])))
      return false;
  return true;
}

int hl_oracle_n_reduced (const HlOracle *o, const HlOracleChoice *choice) {
  return 2 * choice->n_ai + choice->n_ad + o->n_p + o->n_u;
}

static bool contains (const int list[], int n, int k) {
  for (int i = 0; i < n; i++)
    if (list[i] == k)
      return true;
  return false;
}

/* Solves (rows of D that `which` picks) times (free columns) delta = residual, and adds delta. */
static bool correct_once (const HlOracle *o, const HlZ D[], const HlZ residual[], bool velocity_rows_too,
                          const int columns[], int n_columns, HlZ value[], long double *moved) {
  int rows = 0, width = o->n + 3;
  g_autofree HlZ *A = g_new (HlZ, o->n_rows * n_columns + 1), *b = g_new (HlZ, o->n_rows + 1),
                 *x = g_new (HlZ, n_columns + 1);

  for (int k = 0; k < o->n_rows; k++) {
    if (o->is_velocity_row[k] && !velocity_rows_too)
      continue;
    for (int c = 0; c < n_columns; c++)
      A[rows * n_columns + c] = D[k * width + columns[c]];
    b[rows++] = -residual[k];
  }
  bool full = hl_oracle_solve (rows, n_columns, A, b, x, LEAST_PIVOT, NULL) == n_columns || n_columns == 0;
  *moved = 0.0L;
  for (int c = 0; c < n_columns; c++) {
    value[columns[c]] += x[c];
    *moved = fmaxl (*moved, fabsl (creall (x[c])));
  }
  return full;
}

bool hl_oracle_correct (const HlOracle *o, const HlOracleChoice *choice, HlOracleState *s) {
  int width = o->n + 3, n_x = 0, n_v = 0;
  g_autofree int *free_x = g_new (int, o->n + 1), *free_v = g_new (int, o->n + 1);
  g_autofree HlZ *C = g_new (HlZ, o->n_rows + 1), *D = g_new (HlZ, o->n_rows * width + 1),
                 *d = g_new (HlZ, o->n_rows + 1), *rate = g_new (HlZ, o->n_rows + 1);
  long double moved = 0.0L;
  bool full = true;

  for (int k = 0; k < o->n; k++) {
    if (contains (choice->ai, choice->n_ai, k))
      continue;
    free_v[n_v++] = k;
    if (!contains (choice->ad, choice->n_ad, k))
      free_x[n_x++] = k;
  }
  /* the steps after the real part has settled settle the imaginary one */
  for (int k = 0, settled = 0; k < MOST_CORRECTIONS && settled < 2; k++) {
    hl_oracle_rows (o, s, C, D, d);
    full = correct_once (o, D, C, false, free_x, n_x, s->x, &moved) && full;
    settled += moved < 1e-17L;
  }
  hl_oracle_rows (o, s, C, D, d);
  for (int twice = 0; twice < 2; twice++) {
    for (int r = 0; r < o->n_rows; r++) {
      rate[r] = 0.0L;
      for (int c = 0; c < o->n; c++)
        rate[r] += D[r * width + c] * s->v[c];
    }
    long double unused;
    full = correct_once (o, D, rate, true, free_v, n_v, s->v, &unused) && full;
  }
  return full && moved < SETTLED;
}

/* Entry k of the reduced state. */
static HlZ *entry (const HlOracle *o, const HlOracleChoice *choice, HlOracleState *s, int k) {
  if (k < choice->n_ai)
    return &s->x[choice->ai[k]];
  k -= choice->n_ai;
  if (k < choice->n_ai)
    return &s->v[choice->ai[k]];
  k -= choice->n_ai;
  if (k < choice->n_ad)
    return &s->x[choice->ad[k]];
  k -= choice->n_ad;
  return k < o->n_p ? &s->p[k] : &s->u[k - o->n_p];
}

static void reduced_rates (const HlOracle *o, const HlOracleChoice *choice, const HlOracleState *s,
                           const HlOracleRate *rate, HlZ out[]) {
  int k = 0;

  for (int i = 0; i < choice->n_ai; i++)
    out[k++] = s->v[choice->ai[i]];
  for (int i = 0; i < choice->n_ai; i++)
    out[k++] = rate->a[choice->ai[i]];
  for (int i = 0; i < choice->n_ad; i++)
    out[k++] = s->v[choice->ad[i]];
  for (int i = 0; i < o->n_p; i++)
    out[k++] = rate->p_dot[i];
  for (int i = 0; i < o->n_u; i++)
    out[k++] = rate->u_dot[i];
}

bool hl_oracle_reduced (const HlOracle *o, const HlOracleChoice *choice, const HlOracleState *from,
                        double y_dot[], long double J[]) {
  int n = hl_oracle_n_reduced (o, choice);
  HlOracleState s = hl_oracle_state_new (o), moved = hl_oracle_state_new (o);
  HlOracleRate rate = hl_oracle_rate_new (o);
  g_autofree HlZ *f = g_new (HlZ, n + 1);

  hl_oracle_state_copy (o, &s, from);
  bool good = hl_oracle_correct (o, choice, &s) && hl_oracle_eval (o, &s, &rate);
  if (good)
    reduced_rates (o, choice, &s, &rate, f);
  for (int k = 0; k < n && good; k++)
    y_dot[k] = (double)creall (f[k]);
  for (int c = 0; c < n && good && J != NULL; c++) {
    /* a spool on its kink: the mean of both sides */
    bool is_kinked = c >= n - o->n_u && creall (*entry (o, choice, &s, c)) == 0.0L;
    for (int r = 0; r < n; r++)
      J[c * n + r] = 0.0L;
    for (int side = is_kinked ? -1 : 1; side <= 1 && good; side += 2) {
      hl_oracle_state_copy (o, &moved, &s);
      *entry (o, choice, &moved, c) += STEP * I + (is_kinked ? side * BESIDE : 0.0L);
      good = hl_oracle_correct (o, choice, &moved) && hl_oracle_eval (o, &moved, &rate);
      reduced_rates (o, choice, &moved, &rate, f);
      for (int r = 0; r < n; r++)
        J[c * n + r] += cimagl (f[r]) / STEP * (is_kinked ? 0.5L : 1.0L);
    }
  }
  hl_oracle_state_clear (&s);
  hl_oracle_state_clear (&moved);
  hl_oracle_rate_clear (&rate);
  return good;
}
