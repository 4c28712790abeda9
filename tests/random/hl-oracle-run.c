/* SPDX-License-Identifier: MIT */
/* Explicit integration of (x, v, p, u) by extrapolation of Gragg's midpoint rule (Bulirsch and
 * Stoer): harmonic sequence 2, 4, 6 ..., error even in the step, hence up to order 2 N_COLUMNS. The
 * constraints are kept by the accelerations alone. */
#include <math.h>
#include <string.h>

#include "tests/random/hl-oracle-formulation.h"

#define N_COLUMNS 8

typedef struct {
  const HlOracle *o;
  HlOracleState state;
  HlOracleRate rate;
  long double *scale;
  int n;
  long n_evals;
  long double parasite; /* of the last midpoint rule: above 1, odd and even substeps went apart */
} Run;

static void store (Run *run, const long double y[]) {
  const HlOracle *o = run->o;
  HlZ *to[] = {run->state.x, run->state.v, run->state.p, run->state.u};
  const int sizes[] = {o->n, o->n, o->n_p, o->n_u};

  for (int part = 0, k = 0; part < 4; part++)
    for (int i = 0; i < sizes[part]; i++)
      to[part][i] = y[k++];
}

static void fetch (const HlOracle *o, const HlZ *const from[4], long double y[]) {
  const int sizes[] = {o->n, o->n, o->n_p, o->n_u};

  for (int part = 0, k = 0; part < 4; part++)
    for (int i = 0; i < sizes[part]; i++)
      y[k++] = creall (from[part][i]);
}

static bool rates (Run *run, double t, const long double y[], long double f[]) {
  store (run, y);
  run->state.t = t;
  run->n_evals++;
  bool good = hl_oracle_eval (run->o, &run->state, &run->rate);
  const HlZ *const parts[] = {run->state.v, run->rate.a, run->rate.p_dot, run->rate.u_dot};
  fetch (run->o, parts, f);
  for (int k = 0; k < run->n; k++)
    good = good && isfinite (f[k]);
  return good;
}

/* Gragg's rule with n substeps over H. Odd and even substeps are two solutions that only the
 * right-hand side holds together: over a corner they may go apart, to limits that converge and are
 * wrong. */
static bool midpoint (Run *run, double t, const long double y[], const long double f0[], long double H, int n,
                      long double out[]) {
  g_autofree long double *before = g_new (long double, run->n + 1), *f = g_new (long double, run->n + 1);
  long double h = H / n;

  for (int k = 0; k < run->n; k++) {
    before[k] = y[k];
    out[k] = y[k] + h * f0[k];
  }
  for (int step = 1; step < n; step++) {
    if (!rates (run, (double)(t + step * h), out, f))
      return false;
    for (int k = 0; k < run->n; k++) {
      long double next = before[k] + 2.0L * h * f[k];
      before[k] = out[k];
      out[k] = next;
    }
  }
  if (!rates (run, (double)(t + H), out, f))
    return false;
  run->parasite = 0.0L;
  for (int k = 0; k < run->n; k++) {
    long double apart = fabsl (out[k] - before[k] - h * f[k]);
    run->parasite = fmaxl (run->parasite, apart / (0.1L * fabsl (out[k] - y[k]) + 1e-3L * run->scale[k]));
    out[k] = 0.5L * (out[k] + before[k] + h * f[k]);
  }
  return true;
}

/* One step of size H: *error is in units of the tolerance, *column how far the table went. */
static bool step (Run *run, double t, long double y[], const long double f0[], long double H, double rtol,
                  double *error, int *column) {
  int n = run->n;
  g_autofree long double *table = g_new (long double, N_COLUMNS *(n + 1));

  for (*column = 0; *column < N_COLUMNS; (*column)++) {
    int k = *column;
    long double *last = table + k * n, *best = table;
    g_autofree long double *kept = g_memdup2 (table, (gsize)n * sizeof (long double));
    if (!midpoint (run, t, y, f0, H, 2 * (k + 1), last))
      return false;
    for (int j = k - 1; j >= 0; j--) {
      long double ratio = (long double)(k + 1) / (j + 1), *left = table + j * n;
      for (int i = 0; i < n; i++)
        left[i] = left[n + i] + (left[n + i] - left[i]) / (ratio * ratio - 1.0L);
    }
    *error = 0.0;
    for (int i = 0; i < n; i++)
      *error = fmax (*error, (double)(fabsl (best[i] - kept[i]) / run->scale[i]) / rtol);
    if (k >= 4 && *error <= 1.0 && run->parasite <= 1.0L) {
      memcpy (y, best, (size_t)n * sizeof (long double));
      return true;
    }
  }
  *error = fmax (*error, 1.0);
  return false;
}

/* Bladders that carry oil, as bits: where one lifts off its seat, C jumps and no formula of high
 * order holds. */
static guint64 lifted (const Run *run, const long double y[]) {
  const HlOracle *o = run->o;
  guint64 bits = 0;

  for (int k = 0; k < o->n_components; k++) {
    const HlOracleComponent *it = &o->components[k];
    int p = it->net[0] >= 0 ? o->nets[it->net[0]].state : -1;
    if (strcmp (it->kind, "accumulator") == 0 && p >= 0 &&
        y[2 * o->n + p] > json_number_value (json_object_get (it->json, "precharge")))
      bits |= 1ull << (k % 64);
  }
  return bits;
}

bool hl_oracle_run (const HlOracle *o, HlOracleState *state, double t_end, double rtol, long most,
                    long *n_evals) {
  int n = 2 * o->n + o->n_p + o->n_u;
  Run run = {.o = o, .n = n, .state = hl_oracle_state_new (o), .rate = hl_oracle_rate_new (o)};
  g_autofree long double *y = g_new (long double, n + 1), *f0 = g_new (long double, n + 1),
                         *scale = g_new (long double, n + 1);
  double t = state->t, H = (t_end - t) / 1000.0;
  const HlZ *const parts[] = {state->x, state->v, state->p, state->u};
  bool good = true;

  HlOracleState was = hl_oracle_state_new (o);
  run.scale = scale;
  run.state.segment = state->segment;
  for (int k = 0; k < n; k++)
    scale[k] = k < 2 * o->n ? 1.0L : k < 2 * o->n + o->n_p ? 1e5L : 1e-3L;
  fetch (o, parts, y);
  while (good && t < t_end) {
    double error;
    int column = 0;
    bool last = H >= t_end - t;
    guint64 before = lifted (&run, y);
    H = last ? t_end - t : H;
    good = rates (&run, t, y, f0) && run.n_evals < most;
    hl_oracle_state_copy (o, &was, &run.state);
    while (good && !step (&run, t, y, f0, H, rtol, &error, &column)) {
      last = false;
      H *= 0.4;
      good = run.n_evals < most && H > 1e-14;
    }
    store (&run, y);
    good = good && lifted (&run, y) == before && !hl_oracle_tyre_turned (o, &was, &run.state);
    t = last ? t_end : t + H;
    H *= column < N_COLUMNS - 3 ? 2.5 : column < N_COLUMNS - 2 ? 1.5 : 1.0;
  }
  store (&run, y);
  hl_oracle_state_copy (o, state, &run.state);
  state->t = t;
  *n_evals += run.n_evals;
  hl_oracle_state_clear (&was);
  hl_oracle_state_clear (&run.state);
  hl_oracle_rate_clear (&run.rate);
  return good;
}
