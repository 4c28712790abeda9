/* SPDX-License-Identifier: MIT */
/* See the header. The fast rows of J are those of pressures that the hybrid model does not keep as
 * states: p' = net/C, and C goes with 1/k. */
#include "core/oil/hl-hydraulic-model-eigenvalues.h"

#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/hybrid/hl-hybrid-mode-state.h"
#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/linear/hl-eigenvalue-branches.h"
#include "core/math/hl-optimal-assignment.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-hydraulic-model.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The limit by singular values. With D = U S V^T, U2 and V2 what belongs to its zeros,
 *
 *   p  = -D^+ C y + V2 mu                      those with a conductance follow at once: order k
 *   0  = G y,   G = U2^T C                     all others are conditions on y: order sqrt (k)
 *   mu = -(G B V2)^-1 G A1 y,   A1 = A - B D^+ C        for 0 = G y' as well
 *   y' = (A1 - B V2 (G B V2)^-1 G A1) y        on the space where G y = 0
 *
 * for as many of them as G B V2 has rank. What it does not reach is trapped oil and pushes
 * nothing: its mu is undetermined, and its row is no condition that mu could meet. */

#define TINY 1.0e-200

typedef struct {
  int n, n_slow, n_fast, n_free; /* n_free: zeros of D */
  int *slow, *fast;              /* n_slow, n_fast: states */
  double *A, *B, *C, *D;         /* in scaled states, rows of C and D of size 1; column-major */
  double *U, *V, *sigma;         /* of D: n_fast x n_fast, the same, n_fast */
  double *scratch;               /* 7 n n */
  HlLinalgWork *work;
} Parts;

static void split_matrix (Parts *parts, const double J[], const double scales[], const bool is_fast[]) {
  int n = parts->n;

  for (int k = 0; k < n; k++)
    if (is_fast[k])
      parts->fast[parts->n_fast++] = k;
    else
      parts->slow[parts->n_slow++] = k;
  for (int row = 0; row < n; row++) {
    bool fast = row >= parts->n_slow;
    int of = fast ? parts->fast[row - parts->n_slow] : parts->slow[row];
    double size = 0.0;
    for (int k = 0; k < n; k++)
      size = fmax (size, fabs (J[of + n * k]) * scales[k]);
    double by = fast ? (size > 0.0 ? 1.0 / size : 0.0) : 1.0 / scales[of];
    for (int k = 0; k < n; k++) {
      bool of_fast = k >= parts->n_slow;
      int column = of_fast ? k - parts->n_slow : k, at = fast ? row - parts->n_slow : row;
      int from = of_fast ? parts->fast[column] : parts->slow[column];
      int rows = fast ? parts->n_fast : parts->n_slow;
      double *into = fast ? (of_fast ? parts->D : parts->C) : of_fast ? parts->B : parts->A;
      into[at + rows * column] = J[of + n * from] * scales[from] * by;
    }
  }
}

/* Computes out (m x n) += sign a (m x k) b (k x n); transposed: a is k x m. */
static void add_product (int m, int k, int n, double sign, const double a[], bool transposed,
                         const double b[], double out[]) {
  for (int column = 0; column < n; column++)
    for (int at = 0; at < k; at++)
      for (int row = 0; row < m; row++)
        out[row + m * column] += sign * (transposed ? a[at + k * row] : a[row + m * at]) * b[at + k * column];
}

/* Computes A <- A1, and G (n_free x n_slow) of the zeros of D. */
static HlStatus eliminate_followers (Parts *parts, double G[]) {
  int f = parts->n_fast, s = parts->n_slow;
  double *copy = parts->scratch, *x = copy + f * f;

  memcpy (copy, parts->D, (size_t)(f * f) * sizeof (double));
  HlStatus status = hl_svd (f, f, copy, parts->sigma, parts->U, parts->V, parts->work);
  if (status != HL_OK)
    return status;
  int rank = 0;
  while (rank < f && parts->sigma[rank] > HL_RANK_TOLERANCE * fmax (parts->sigma[0], TINY))
    rank++;
  parts->n_free = f - rank;
  /* x = D^+ C */
  memset (x, 0, (size_t)(f * s) * sizeof (double));
  for (int k = 0; k < rank; k++)
    for (int column = 0; column < s; column++) {
      double sum = 0.0;
      for (int row = 0; row < f; row++)
        sum += parts->U[row + f * k] * parts->C[row + f * column];
      for (int row = 0; row < f; row++)
        x[row + f * column] += parts->V[row + f * k] * sum / parts->sigma[k];
    }
  add_product (s, f, s, -1.0, parts->B, false, x, parts->A);
  memset (G, 0, (size_t)(parts->n_free * s) * sizeof (double));
  add_product (parts->n_free, f, s, 1.0, parts->U + f * rank, true, parts->C, G);
  return HL_OK;
}

/* Computes A <- P A1 and an orthonormal basis N (n_slow x n_slow, its last columns) of the space that the
 * constraints leave; its dimension. */
static HlStatus hold_constraints (Parts *parts, const double G[], double N[], int *rank) {
  int s = parts->n_slow, m = parts->n_free, f = parts->n_fast, square = parts->n * parts->n;
  double *BV = parts->scratch, *K = BV + square, *U = K + square, *V = U + square, *held = V + square,
         *mu = held + square, *sigma = mu + square;

  *rank = 0;
  if (m == 0) {
    memset (N, 0, (size_t)(s * s) * sizeof (double));
    for (int k = 0; k < s; k++)
      N[k + s * k] = 1.0;
    return HL_OK;
  }
  memset (BV, 0, (size_t)(s * m) * sizeof (double));
  add_product (s, f, m, 1.0, parts->B, false, parts->V + f * (f - m), BV);
  memset (K, 0, (size_t)(m * m) * sizeof (double));
  add_product (m, s, m, 1.0, G, false, BV, K);
  HlStatus status = hl_svd (m, m, K, sigma, U, V, parts->work);
  if (status != HL_OK)
    return status;
  while (*rank < m && sigma[*rank] > HL_RANK_TOLERANCE * fmax (sigma[0], TINY))
    (*rank)++;
  memset (held, 0, (size_t)(*rank * s) * sizeof (double));
  add_product (*rank, m, s, 1.0, U, true, G, held);
  /* mu = -S^-1 held A1, and with it A <- A1 + BV V1 mu */
  memset (mu, 0, (size_t)(*rank * s) * sizeof (double));
  add_product (*rank, s, s, -1.0, held, false, parts->A, mu);
  memset (K, 0, (size_t)(s * *rank) * sizeof (double));
  add_product (s, m, *rank, 1.0, BV, false, V, K);
  for (int column = 0; column < *rank; column++)
    for (int row = 0; row < s; row++)
      K[row + s * column] /= sigma[column];
  add_product (s, *rank, s, 1.0, K, false, mu, parts->A);
  if (*rank == 0) {
    memset (N, 0, (size_t)(s * s) * sizeof (double));
    for (int k = 0; k < s; k++)
      N[k + s * k] = 1.0;
    return HL_OK;
  }
  return hl_right_singular (*rank, s, held, sigma, N, parts->work);
}

static HlStatus find_values (Parts *parts, const double N[], int rank, HlStiffLimit *limit) {
  int s = parts->n_slow, k = s - rank;
  double *AN = parts->scratch, *M = AN + parts->n * parts->n;

  limit->n_finite = k;
  if (k == 0)
    return HL_OK;
  memset (AN, 0, (size_t)(s * k) * sizeof (double));
  memset (M, 0, (size_t)(k * k) * sizeof (double));
  add_product (s, s, k, 1.0, parts->A, false, N + s * rank, AN);
  add_product (k, s, k, 1.0, N + s * rank, true, AN, M);
  return hl_eigenvalues (k, M, limit->re, limit->im, parts->work);
}

static HlStatus solve_limit (Parts *parts, HlStiffLimit *limit) {
  size_t square = (size_t)(parts->n * parts->n) + 1;
  double *G = calloc (2 * square, sizeof *G), *N = G + square;
  int rank = 0;
  HlStatus status = parts->n_fast > 0 ? eliminate_followers (parts, G) : HL_OK;

  if (status == HL_OK)
    status = hold_constraints (parts, G, N, &rank);
  if (status == HL_OK)
    status = find_values (parts, N, rank, limit);
  limit->n_whole = parts->n_fast - parts->n_free;
  limit->n_half = 2 * rank;
  limit->n_undetermined = parts->n_free - rank;
  free (G);
  return status;
}

HlStiffLimit *hl_stiff_limit_new (int n, const double J[], const double scales[], const bool is_fast[]) {
  size_t square = (size_t)(n * n) + 1;
  HlStiffLimit *limit = calloc (1, sizeof *limit);
  Parts parts = {.n = n};
  double *numbers = calloc (6 * square + (size_t)n + 1, sizeof *numbers);
  double **into[] = {&parts.A, &parts.B, &parts.C, &parts.D, &parts.U, &parts.V};

  for (int k = 0; k < 6; k++)
    *into[k] = numbers + (size_t)k * square;
  parts.scratch = calloc (7 * square, sizeof *parts.scratch);
  parts.sigma = numbers + 6 * square;
  parts.slow = calloc (2 * (size_t)n + 1, sizeof *parts.slow);
  parts.fast = parts.slow + n;
  parts.work = hl_linalg_work_new (n + 1, n + 1);
  limit->re = calloc (2 * (size_t)n + 1, sizeof *limit->re);
  limit->im = limit->re + n;
  split_matrix (&parts, J, scales, is_fast);
  HlStatus status = solve_limit (&parts, limit);
  hl_linalg_work_free (parts.work);
  free (parts.slow);
  free (parts.scratch);
  free (numbers);
  if (status == HL_OK)
    return limit;
  hl_stiff_limit_free (limit);
  return NULL;
}

void hl_stiff_limit_free (HlStiffLimit *limit) {
  if (limit == NULL)
    return;
  free (limit->re);
  free (limit);
}

/* Decades of k, and steps in each. */
#define DECADES 5
#define STEPS 60
/* Orders apart: a half and a whole one. */
#define BETWEEN_ORDERS 0.75

/* ---- the lumped model as its oil becomes stiff ---- */

/* Finds the states that are pressures without a state in the hybrid model. */
static void find_fast (const HlSystem *sys, const HlWork *work, const HlHybridLinear *hybrid,
                       bool is_fast[]) {
  for (int k = 0; k < work->n_states; k++)
    is_fast[k] = k >= hl_off_p (work) && k < hl_off_u (work);
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    int state = c->node[0] >= 0 && c->n_states == 0 ? sys->nodes[c->node[0]].state : -1;
    if (state >= 0)
      is_fast[hl_off_p (work) + state] = false;
  }
  for (int k = 0; hybrid != NULL && k < hybrid->n_soft; k++) {
    int state = sys->nodes[sys->lines[hybrid->soft[k]].node].state;
    if (state >= 0)
      is_fast[hl_off_p (work) + state] = false;
  }
  for (int k = 0; k < work->u; k++)
    is_fast[hl_off_u (work) + k] = hl_state_component (sys, k) != NULL &&
                                   hl_state_component (sys, k)->klass->store == NULL &&
                                   hl_state_word (sys, k)->quantity == HL_QUANTITY_PRESSURE;
}

/* Null eigenvalues are so for every k, for k only scales rows: they are left out of what is followed. */
typedef struct {
  HlOilSpectra *spectra;
  const bool *is_fast; /* n */
  int n, n_followed;
  double *J, *scratch, *re, *im, *by_re, *by_im; /* n n, n n, n each */
  double *last_re[2], *last_im[2];               /* n: of the last two points, by parity */
  double *right, *left;                          /* n n */
  HlLinalgWork *work;
} Way;

static double k_of_point (int point) {
  return pow (10.0, (double)point / STEPS);
}

/* Computes J at k, in scaled states if `scaled`. */
static void stiff_matrix (Way *way, double k, gboolean scaled) {
  const HlLinearization *lin = way->spectra->lin;
  int n = way->n;

  for (int column = 0; column < n; column++)
    for (int row = 0; row < n; row++)
      way->J[row + n * column] = lin->J[row + n * column] * (way->is_fast[row] ? k : 1.0) *
                                 (scaled ? lin->scale[column] / lin->scale[row] : 1.0);
}

/* Selects the n_followed largest of n eigenvalues, pairs side by side as before. */
static void leave_out_nulls (Way *way) {
  for (int left_out = way->n - way->n_followed, n = way->n; left_out > 0; left_out--, n--) {
    int least = 0;
    for (int k = 1; k < n; k++)
      if (hypot (way->re[k], way->im[k]) < hypot (way->re[least], way->im[least]))
        least = k;
    memmove (way->re + least, way->re + least + 1, (size_t)(n - least - 1) * sizeof (double));
    memmove (way->im + least, way->im + least + 1, (size_t)(n - least - 1) * sizeof (double));
  }
}

static gboolean values_at (Way *way, int point) {
  stiff_matrix (way, k_of_point (point), FALSE);
  if (hl_eigen_values_only (way->n, way->J, way->spectra->lin->scale, way->scratch, way->re, way->im,
                            way->work) != HL_OK)
    return FALSE;
  leave_out_nulls (way);
  memcpy (way->last_re[point & 1], way->re, (size_t)way->n * sizeof (double));
  memcpy (way->last_im[point & 1], way->im, (size_t)way->n * sizeof (double));
  return TRUE;
}

/* Unpacks a vector of LAPACK's packed form. */
static void unpack (const double packed[], const double im[], int n, int k, double complex out[]) {
  int first = im[k] < 0.0 ? k - 1 : k;

  for (int row = 0; row < n; row++) {
    double other = im[k] == 0.0 ? 0.0 : packed[row + n * (first + 1)];
    out[row] = packed[row + n * first] + (im[k] < 0.0 ? -other : other) * I;
  }
}

/* Implements HlBranchVectors for the eigenvalues of one of the last two points. */
static HlStatus vectors_of (int point, double complex right[], double complex left[], void *data) {
  Way *way = data;
  int n = way->n;
  g_autofree double *re = g_new (double, 2 * n + 1);
  g_autofree gboolean *used = g_new0 (gboolean, n + 1);
  double *im = re + n;

  stiff_matrix (way, k_of_point (point), TRUE);
  HlStatus status = hl_eigenvectors (n, way->J, re, im, way->right, way->left, way->work);
  for (int k = 0; k < way->n_followed && status == HL_OK; k++) {
    int nearest = -1;
    double best = INFINITY;
    for (int j = 0; j < n; j++) {
      double apart = hypot (re[j] - way->last_re[point & 1][k], im[j] - way->last_im[point & 1][k]);
      if (!used[j] && apart < best) {
        best = apart;
        nearest = j;
      }
    }
    if (nearest < 0)
      return HL_NO_CONVERGENCE;
    used[nearest] = TRUE;
    unpack (way->right, im, n, nearest, right + (size_t)k * (size_t)n);
    unpack (way->left, im, n, nearest, left + (size_t)k * (size_t)n);
  }
  return status;
}

/* Finds for each slot the nearest of lin's nonzero eigenvalues at k = 1; slot_of[n], -1 for null ones. */
static void find_slots (const Way *way, int slot_of[]) {
  const HlLinearization *lin = way->spectra->lin;
  g_autofree gboolean *used = g_new0 (gboolean, way->n + 1);

  for (int k = 0; k < way->n; k++) {
    double best = INFINITY;
    slot_of[k] = -1;
    for (int slot = 0; slot < way->n_followed && !lin->eigenvalues[k].null; slot++) {
      double apart =
          hypot (lin->eigenvalues[k].re - way->by_re[slot], lin->eigenvalues[k].im - way->by_im[slot]);
      if (!used[slot] && apart < best) {
        best = apart;
        slot_of[k] = slot;
      }
    }
    if (slot_of[k] >= 0)
      used[slot_of[k]] = TRUE;
  }
}

/* Follows all eigenvalues to the end; slot_of[n]: branch of each of lin->eigenvalues. decade[n]:
 * moduli one decade before the end, by slot. */
static gboolean follow_eigenvalues (Way *way, int slot_of[], double decade[]) {
  HlBranches *branches = hl_branches_new (way->n_followed, vectors_of, way);
  gboolean done = TRUE;

  hl_branches_set_length (branches, way->n);
  for (int point = 0; point <= DECADES * STEPS && done; point++) {
    done = values_at (way, point);
    if (done)
      hl_branches_add (branches, (double)point / STEPS, way->re, way->im, way->by_re, way->by_im, NULL);
    if (point == 0)
      find_slots (way, slot_of);
    for (int slot = 0; slot < way->n_followed && point == (DECADES - 1) * STEPS; slot++)
      decade[slot] = hypot (way->by_re[slot], way->by_im[slot]);
  }
  hl_branches_free (branches);
  return done;
}

static double distance (double re, double im, double to_re, double to_im) {
  return hypot (re - to_re, im - to_im) / (1.0 + hypot (to_re, to_im));
}

/* Assigns rows to columns at minimum cost, where there may be more of either; partner[n_rows], -1 = none. */
static void assign_pairs (int n_rows, int n_columns, double (*cost) (int row, int column, const void *data),
                          const void *data, int partner[]) {
  int n = MAX (n_rows, n_columns);
  g_autofree double *table = g_new0 (double, n *n + 1);
  g_autofree int *column_of = g_new (int, n + 1);
  g_autofree void *scratch = g_malloc (hl_assignment_scratch (n) + 1);

  for (int row = 0; row < n_rows; row++)
    for (int column = 0; column < n_columns; column++)
      table[row * n + column] = cost (row, column, data);
  hl_assignment_solve (n, table, column_of, scratch);
  for (int row = 0; row < n_rows; row++)
    partner[row] = column_of[row] < n_columns ? column_of[row] : -1;
}

/* Cost of an eigenvalue that goes to infinity: large but finite, so that it gets no partner. */
typedef struct {
  const Way *way;
  const int *finite; /* n_finite of the limit: those that are not null come first */
} Arrival;

static double cost_of_arrival (int row, int column, const void *data) {
  const Arrival *at = data;
  const HlStiffLimit *limit = at->way->spectra->limit;
  int of = at->finite[column];

  return log1p (distance (at->way->by_re[row], at->way->by_im[row], limit->re[of], limit->im[of]));
}

/* Returns the eigenvalues of the limit that are not 0: all but as many as lumped ones are 0 and are not
 * trapped; finite[n], then the others. Their number. */
static int part_limit (const HlOilSpectra *s, int n_null, int finite[]) {
  const HlStiffLimit *limit = s->limit;
  int n_zero = CLAMP (n_null - limit->n_undetermined, 0, limit->n_finite);

  for (int k = 0; k < limit->n_finite; k++)
    finite[k] = k;
  /* the smallest go last */
  for (int last = limit->n_finite - 1; last >= limit->n_finite - n_zero; last--)
    for (int k = 0; k < last; k++)
      if (hypot (limit->re[finite[k]], limit->im[finite[k]]) <
          hypot (limit->re[finite[last]], limit->im[finite[last]])) {
        int swap = finite[k];
        finite[k] = finite[last];
        finite[last] = swap;
      }
  for (int k = limit->n_finite - n_zero; k < limit->n_finite; k++)
    limit->re[finite[k]] = limit->im[finite[k]] = 0.0;
  return limit->n_finite - n_zero;
}

static const char *fast_state_of (const HlLinearization *lin, const bool is_fast[], int value) {
  int best = -1;

  for (int k = 0; k < lin->n && lin->participation != NULL; k++)
    if (is_fast[k] &&
        (best < 0 || lin->participation[k + lin->n * value] > lin->participation[best + lin->n * value]))
      best = k;
  return best >= 0 ? lin->state_names[best] : NULL;
}

static void report_fates (Way *way, const int slot_of[], const double decade[]) {
  HlOilSpectra *s = way->spectra;
  int n_null = way->n - way->n_followed;
  g_autofree int *partner = g_new (int, way->n + 1);
  g_autofree int *finite = g_new (int, way->n + 1);
  int n_finite = part_limit (s, n_null, finite), zero = n_finite;
  Arrival arrival = {way, finite};

  assign_pairs (way->n_followed, n_finite, cost_of_arrival, &arrival, partner);
  for (int k = 0; k < way->n; k++) {
    const HlEigenvalue *from = &s->lin->eigenvalues[k];
    int slot = slot_of[k];
    HlLumpedValue *value = &s->lumped[k];
    *value = (HlLumpedValue){.re = from->re, .im = from->im, .null = from->null, .partner = -1};
    value->state = fast_state_of (s->lin, way->is_fast, k);
    if (slot < 0) { /* 0 for every k */
      value->partner = zero < s->limit->n_finite ? finite[zero++] : -1;
      value->fate = value->partner >= 0 ? HL_FATE_SURVIVES : HL_FATE_TRAPPED;
      continue;
    }
    double end = hypot (way->by_re[slot], way->by_im[slot]);
    value->partner = partner[slot] >= 0 ? finite[partner[slot]] : -1;
    value->order = end > 0.0 && decade[slot] > 0.0 ? log10 (end / decade[slot]) : 0.0;
    value->fate = value->partner >= 0             ? HL_FATE_SURVIVES
                  : value->order > BETWEEN_ORDERS ? HL_FATE_FOLLOWS
                                                  : HL_FATE_CONSTRAINT;
  }
}

static gboolean stiffen (HlOilSpectra *s, const bool is_fast[]) {
  int n = s->lin->n, square = n * n;
  g_autofree double *memory = g_new0 (double, 4 * square + 9 * n + 1);
  g_autofree int *slot_of = g_new0 (int, n + 1);
  Way way = {.spectra = s, .is_fast = is_fast, .n = n, .n_followed = n - s->lin->n_null};
  double *rest = memory + 4 * square;

  s->n_lumped = n;
  s->lumped = g_new0 (HlLumpedValue, n + 1);
  s->limit = hl_stiff_limit_new (n, s->lin->J, s->lin->scale, is_fast);
  if (s->limit == NULL)
    return FALSE;
  way.J = memory;
  way.scratch = memory + square;
  way.right = memory + 2 * square;
  way.left = memory + 3 * square;
  way.re = rest;
  way.im = rest + n;
  way.by_re = rest + 2 * n;
  way.by_im = rest + 3 * n;
  for (int parity = 0; parity < 2; parity++) {
    way.last_re[parity] = rest + (4 + 2 * parity) * n;
    way.last_im[parity] = rest + (5 + 2 * parity) * n;
  }
  way.work = hl_linalg_work_new (n + 1, n + 1);
  gboolean done = follow_eigenvalues (&way, slot_of, rest + 8 * n);
  if (done)
    report_fates (&way, slot_of, rest + 8 * n);
  hl_linalg_work_free (way.work);
  return done;
}

/* ---- the others ---- */

typedef struct {
  const HlStiffLimit *limit;
  const HlOilValue *values;
} Beside;

static double cost_beside (int row, int column, const void *data) {
  const Beside *at = data;
  return log1p (
      distance (at->values[row].re, at->values[row].im, at->limit->re[column], at->limit->im[column]));
}

static void put_beside (const HlStiffLimit *limit, HlOilValue values[], int n) {
  Beside at = {limit, values};
  g_autofree int *partner = g_new (int, n + 1);

  assign_pairs (n, limit->n_finite, cost_beside, &at, partner);
  for (int k = 0; k < n; k++) {
    values[k].partner = partner[k];
    values[k].apart =
        partner[k] < 0 ? NAN
                       : distance (values[k].re, values[k].im, limit->re[partner[k]], limit->im[partner[k]]);
  }
}

static HlOilValue *values_of (const HlLinearization *lin) {
  HlOilValue *values = g_new0 (HlOilValue, lin->n + 1);

  for (int k = 0; k < lin->n; k++)
    values[k] =
        (HlOilValue){lin->eigenvalues[k].re, lin->eigenvalues[k].im, lin->eigenvalues[k].null, -1, NAN};
  return values;
}

/* Returns the hybrid linearization; NULL: there is none; s has the reason. */
static HlHybridLinear *find_hybrid (HlOilSpectra *s, const HlSystem *sys, const HlWork *work,
                                    const HlPoint *point) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlHybridAtPoint *at = hl_hybrid_at_point_new (sys, work, point, &fault);
  HlHybridLinear *linear = at != NULL ? hl_hybrid_linearize (sys, &at->place, &at->choice, &fault) : NULL;

  if (at != NULL && linear == NULL) {
    linear = hl_hybrid_linearize (sys, NULL, NULL, &fault);
    s->hybrid_is_elsewhere = linear != NULL;
  }
  hl_hybrid_at_point_free (at);
  if (linear == NULL)
    s->hybrid_why = hl_fault_message (sys, &fault);
  return linear;
}

static void copy_hybrid_spectrum (HlOilSpectra *s, const HlSystem *sys, const HlHybridLinear *linear) {
  if (linear == NULL)
    return;
  s->n_hybrid = linear->lin->n;
  s->soft = g_new0 (char *, linear->n_soft + 1);
  for (; s->n_soft < linear->n_soft; s->n_soft++)
    s->soft[s->n_soft] = g_strdup (hl_system_entity_id (sys, HL_ENTITY_LINE, linear->soft[s->n_soft]));
  s->hybrid = values_of (linear->lin);
  put_beside (s->limit, s->hybrid, s->n_hybrid);
}

/* Computes the eigenvalues of the quasistatic model, whose right-hand side has a Jacobian of its own in its
 * ODE form. */
static HlStatus quasi_values (HlSimRun *run, HlOilSpectra *s, HlFault *fault) {
  double stop = INFINITY;
  HlStatus status = run->form->begin (run, run->point, fault);

  if (status == HL_OK)
    status = run->form->arrange (run, run->point, fault);
  if (status != HL_OK)
    return status;
  int n = run->n = run->form->n_states (run);
  g_autofree double *memory = g_new0 (double, n *n + 4 * n + 1);
  double *J = memory, *scale = J + n * n;
  run->y = scale + n;
  run->y_dot = run->y + n;
  run->y_row = run->y_dot + n;
  run->form->pack (run, run->point, run->y);
  run->form->scales (run, scale);
  hl_work_enter_segment (run->sys, run->work, run->point->t);
  if (run->form->enter != NULL)
    status = run->form->enter (run, run->point->t, run->y, &stop, fault);
  if (status == HL_OK)
    status = run->form->rhs (run, run->point->t, run->y, run->y_dot, fault);
  if (status == HL_OK)
    status = run->form->jacobian (run, run->point->t, run->y, J, fault);
  if (status != HL_OK)
    return status;
  HlEigen *eigen = hl_eigen_new (n);
  status = hl_eigen_eval (eigen, n, J, scale, 0.0, HL_EIGEN_NULL);
  if (status == HL_OK) {
    s->n_quasi = n;
    s->quasi = g_new0 (HlOilValue, n + 1);
    for (int k = 0; k < n; k++)
      s->quasi[k] =
          (HlOilValue){creal (eigen->value[k]), cimag (eigen->value[k]), eigen->is_null[k], -1, NAN};
    put_beside (s->limit, s->quasi, n);
  }
  hl_eigen_free (eigen);
  return status;
}

static void compute_quasistatic_spectrum (HlOilSpectra *s, const HlSystem *sys, const HlPoint *point) {
  HlFault fault = {.status = HL_OK, .time = NAN, .entity = -1};
  HlSimOptions options = hl_sim_options_from_model (sys);
  HlSimRun run = {.sys = sys, .options = &options, .known_until = INFINITY};

  s->quasi_why = hl_oil_models[HL_MODEL_QUASISTATIC]->why_not (sys);
  if (s->quasi_why != NULL)
    return;
  options.model = HL_MODEL_QUASISTATIC;
  options.formulation = HL_FORMULATION_RELAXED;
  run.form = hl_oil_form (options.model, options.formulation)->form;
  run.work = hl_work_new (sys);
  run.point = hl_point_new (sys);
  hl_point_copy (sys, run.point, point);
  HlStatus status = quasi_values (&run, s, &fault);
  if (status != HL_OK) {
    hl_fault_set (&fault, status, fault.entity_kind, fault.entity, 0.0);
    s->quasi_why = hl_fault_message (sys, &fault);
  }
  run.form->end (&run);
  hl_point_free (run.point);
  hl_work_free (run.work);
  hl_arena_clear (&run.arrangement);
  hl_arena_clear (&run.arena);
}

HlOilSpectra *hl_oil_spectra_new (const HlSystem *sys, HlStart start, const HlPoint *given, HlFault *fault) {
  HlOilSpectra *s = g_new0 (HlOilSpectra, 1);
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlStatus status = HL_OK;

  how.vectors = true;
  if (given != NULL)
    hl_point_copy (sys, point, given);
  else
    status = hl_start_point (sys, work, start, NULL, point, NULL, fault);
  if (status == HL_OK)
    s->lin = hl_linearize (sys, work, point, &how, fault);
  if (s->lin != NULL) {
    g_autofree bool *is_fast = g_new0 (bool, s->lin->n + 1);
    g_autofree double *rates = g_new0 (double, s->lin->n + 1);
    status = hl_dynamics_eval (sys, point->t, s->lin->reference, rates, work, fault);
    HlHybridLinear *hybrid = status == HL_OK ? find_hybrid (s, sys, work, point) : NULL;
    find_fast (sys, work, hybrid, is_fast);
    if (status == HL_OK && !stiffen (s, is_fast))
      status = hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_NONE, -1, 0.0);
    if (status == HL_OK) {
      copy_hybrid_spectrum (s, sys, hybrid);
      compute_quasistatic_spectrum (s, sys, point);
    }
    hl_hybrid_linear_free (hybrid);
  }
  gboolean is_whole = s->lin != NULL && status == HL_OK;
  hl_point_free (point);
  hl_work_free (work);
  if (is_whole)
    return s;
  hl_oil_spectra_free (s);
  return NULL;
}

void hl_oil_spectra_free (HlOilSpectra *s) {
  if (s == NULL)
    return;
  hl_linearization_free (s->lin);
  hl_stiff_limit_free (s->limit);
  g_free (s->lumped);
  g_free (s->hybrid);
  g_strfreev (s->soft);
  g_free (s->quasi);
  g_free (s->hybrid_why);
  g_free (s->quasi_why);
  g_free (s);
}

HlOilNames hl_oil_spectra_names (void) {
  return (HlOilNames){hl_oil_models[HL_MODEL_LUMPED]->name, hl_oil_models[HL_MODEL_HYBRID]->name,
                      hl_oil_models[HL_MODEL_QUASISTATIC]->name};
}

const char *hl_oil_fate_text (HlOilFate fate) {
  switch (fate) {
  case HL_FATE_SURVIVES:
    return _ ("stays");
  case HL_FATE_CONSTRAINT:
    return _ ("becomes a constraint");
  case HL_FATE_FOLLOWS:
    return _ ("follows without delay");
  default:
    return _ ("trapped oil");
  }
}

const char *hl_oil_fate_word (HlOilFate fate) {
  static const char *const words[] = {"survives", "constraint", "follows", "trapped"};
  return words[fate];
}
