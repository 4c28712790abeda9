/* SPDX-License-Identifier: MIT */
/* Radau IIA with three or five stages (order 5 or 9, stiffly accurate, L-stable): theory/integration.md
 * (1)-(7). With s stages,
 *
 *   Z_i   = h sum_j a_ij f (t + c_j h, z + Z_j)                stages;  new z = z + Z_s
 *   A^-1  = T L T^-1,   L = [g] + [a b; -b a] + ...,   Z = T W
 *
 * Newton's equations fall into one real and one or two complex systems, F the slopes f at the stages:
 *
 *   (g/h - J) dW_1                  = (T^-1 F)_1 - g/h W_1
 *   ((a - i b)/h - J)(dW_2 + i dW_3) = (T^-1 F)_2 - (a W_2 + b W_3)/h
 *                                     + i ((T^-1 F)_3 - (a W_3 - b W_2)/h)
 *
 * and so on with W_4 and W_5. c, g, a, b, T and e are computed from the nodes; the program continues with the
 * cheaper of the two methods.
 *
 * Error: an embedded formula of order s with the explicit slope f0 at the start of the step, weight h/g,
 * filtered by the real factorization:
 *
 *   err = (g/h - J)^-1 (f0 + e^T Z/h)
 *
 * Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8. */
#include "core/solve/hl-radau.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"
#include "core/math/hl-sparse-lu.h"
#include "core/solve/hl-integrator-private.h"

#include <glib.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Computed in double precision from the nodes alone (theory/integration.md (1)-(4)): A from the
 * collocation conditions, the eigenvalues of A^-1 as the roots of the denominator of the stability
 * function, the (s-1, s) Pade quotient of exp, T from the eigenvectors, e from the conditions of order s
 * with the weight 1/g of the slope at the start. The test of the method holds them to these definitions
 * and to the published ones. */

static const HlRadauTableau tableaus[] = {
    {
        .n_stages = 3,
        .c = {0.15505102572168217, 0.64494897427831788, 1},
        .T = {0.09443876248897537, 0.25021312296533338, 1, -0.14125529502095399, 0.20412935229380003, 1,
              0.030029194105147441, -0.38294211275726153, 0},
        .T_inverse = {4.1787185915519061, -4.1787185915519061, 0.50287263494578716, 0.32768282076106298,
                      -0.32768282076106298, -2.5719269498556079, 0.52337644549944873, 0.47662355450055127,
                      0.59603920482822559},
        .g = 3.6378342527444953,
        .a = {2.6810828736277528},
        .b = {3.050430199247411},
        .e = {-10.048809399827418, 1.3821427331607494, -0.3333333333333337},
    },
    {
        .n_stages = 5,
        .c = {0.057104196114517669, 0.2768430136381238, 0.58359043236891683, 0.86024013565621948, 1},
        .T = {0.01357686734494826,   0.0016179004017190367,  0.079157853347448445,  0.41225608268046077,  1,
              -0.010242047817909597, 0.050172864517373759,   -0.23053953404342489,  0.37789390224886577,  1,
              -0.047673877290297345, 0.094331819181613763,   -0.10270304538012502,  -0.46674413033250101, 0,
              -0.011478515255229464, -0.0076688307491798741, 0.019398463998828584,  0.40760117128019885,  1,
              0.014019858892875032,  -0.024708578426517969,  -0.081800353703750509, -0.19968242788680318, 0},
        .T_inverse = {27.697693775683923,  5.3441864378348853,   -3.7480598074397564,   -33.041880213518809,
                      8.6114439798753377,  12.783337911304393,   4.5936155677590973,    3.9849657363438387,
                      -17.376953479063491, -9.6999914095287139,  3.2084893867133539,    -3.0363603234593066,
                      1.0444156416080044,  -0.17212906325404753, -1.914728639696968,    -0.9514904122488983,
                      1.0506601902314063,  -1.1840985681379081,  -0.099169777982508089, -2.4186920060849522,
                      0.74155049602597767, -0.27277861186428043, 0.44991777015676343,   0.53122811583830276,
                      1.0474634879353466},
        .g = 6.2867047517292631,
        .a = {3.655694325463573, 5.7009532986717923},
        .b = {6.5437368993600744, 3.2102656003085546},
        .e = {-27.780933944064635, 3.6414784980492048, -1.2525477211691196, 0.59200316718454227,
              -0.20000000000000018},
    }};

const HlRadauTableau *hl_radau_tableau (int method) {
  return &tableaus[method];
}

static void transform_3 (const double M[9], int n, double *const from[3], double *const to[3]) {
  /* not read anew behind every number that is written */
  const double m[9] = {M[0], M[1], M[2], M[3], M[4], M[5], M[6], M[7], M[8]};
  const double *from_0 = from[0], *from_1 = from[1], *from_2 = from[2];
  double *to_0 = to[0], *to_1 = to[1], *to_2 = to[2];

  for (int i = 0; i < n; i++) {
    double x = from_0[i], y = from_1[i], z = from_2[i];

    to_0[i] = m[0] * x + m[3] * y + m[6] * z;
    to_1[i] = m[1] * x + m[4] * y + m[7] * z;
    to_2[i] = m[2] * x + m[5] * y + m[8] * z;
  }
}

static void transform_5 (const double M[25], int n, double *const from[5], double *const to[5]) {
  double m[25];
  double *f0 = from[0], *f1 = from[1], *f2 = from[2], *f3 = from[3], *f4 = from[4];
  double *t0 = to[0], *t1 = to[1], *t2 = to[2], *t3 = to[3], *t4 = to[4];

  memcpy (m, M, sizeof m);
  for (int i = 0; i < n; i++) {
    double a = f0[i], b = f1[i], c = f2[i], d = f3[i], e = f4[i];

    t0[i] = m[0] * a + m[5] * b + m[10] * c + m[15] * d + m[20] * e;
    t1[i] = m[1] * a + m[6] * b + m[11] * c + m[16] * d + m[21] * e;
    t2[i] = m[2] * a + m[7] * b + m[12] * c + m[17] * d + m[22] * e;
    t3[i] = m[3] * a + m[8] * b + m[13] * c + m[18] * d + m[23] * e;
    t4[i] = m[4] * a + m[9] * b + m[14] * c + m[19] * d + m[24] * e;
  }
}

/* Multiplies from[n_stages][n] by M[n_stages][n_stages], T or its inverse, into to[n_stages][n], which may
 * be from. */
static void tableau_transform (const HlRadauTableau *self, const double M[], int n, double *const from[],
                               double *const to[]) {
  if (self->n_stages == 3)
    transform_3 (M, n, from, to);
  else
    transform_5 (M, n, from, to);
}

typedef struct HlRadauLinear HlRadauLinear;

typedef struct {
  int method;         /* 0 or 1: in use */
  bool is_trial;      /* it is the other one, examined */
  int steps;          /* accepted in the window; below 0: it settles first */
  long spent;         /* evaluations in the window */
  double begin;       /* of the window [s] */
  double pace;        /* of the method that is kept, over its last window [s an evaluation] */
  long usual;         /* steps in its window */
  int wait, patience; /* windows until the next trial, and between trials */
} HlRadauOrder;

typedef struct {
  double *difference[HL_RADAU_STAGES + 1]; /* n each: divided differences */
  double nodes[HL_RADAU_STAGES];           /* from the end of the step, 1, backwards */
  int degree;
} HlRadauPolynomial;

/* Both shifted matrices share J and its pattern; shifts only touch the diagonal. Of dense ones places are eliminated: with
 * x' = v, and s the shift,
 *
 *   s x - v = b_x                                    x = (b_x + v)/s
 *   (s - J_vv - J_vx/s) v = b_v + J_vx b_x/s         v: and all other states */

typedef struct {
  double *shifted;   /* n_entries pairs, dense: factored in place */
  int *pivots;       /* n, of the dense factors */
  double inverse[2]; /* of the shift: its parts */
  HlSparseLu *lu;    /* NULL: dense */
} Pair;

struct HlRadauLinear {
  HlArena arena; /* holds every array */
  HlIntegrator *integrator;
  int n_entries;       /* of J: n^2, or its nonzeros                    */
  double *J;           /* n_entries                                     */
  double *shifted;     /* n_entries: shifted, dense: factored in place  */
  int *diagonal;       /* n: place of the diagonal among the entries    */
  int *real_pivots;    /* n: of the dense factors */
  double inverse;      /* of the shift of these */
  HlSparseLu *real_lu; /* NULL: dense */
  Pair pairs[HL_RADAU_PAIRS];
};

/* Returns the linear solver for the order of the integrator's problem, dense or sparse as the problem
 * requires. Borrows the integrator; owned by the caller. */
static HlRadauLinear *linear_new (HlIntegrator *integrator) {
  HlArena own = hl_arena_beside (&integrator->arena);
  HlRadauLinear *self = hl_arena_take (&own, 1, sizeof *self);
  const HlOde *ode = &integrator->ode;
  int n = ode->n;
  bool is_sparse = hl_integrator_is_sparse (integrator);
  HlArena *arena = &self->arena;

  self->arena = own;
  self->integrator = integrator;
  if (ode->shifted != NULL)
    return self;
  self->n_entries = is_sparse ? ode->column_start[n] : n * n;
  self->J = hl_arena_take (arena, self->n_entries, sizeof (double));
  self->shifted = hl_arena_take (arena, self->n_entries, sizeof (double));
  self->diagonal = hl_arena_take (arena, n, sizeof (int));
  self->real_pivots = hl_arena_take (arena, n, sizeof (int));
  for (int k = 0; k < HL_RADAU_PAIRS; k++) {
    self->pairs[k].shifted = hl_arena_take (arena, self->n_entries, 2 * sizeof (double));
    self->pairs[k].pivots = hl_arena_take (arena, n, sizeof (int));
  }
  for (int i = 0; i < n; i++)
    self->diagonal[i] = i + n * i;
  if (is_sparse) {
    for (int j = 0; j < n; j++)
      for (int k = ode->column_start[j]; k < ode->column_start[j + 1]; k++)
        if (ode->row_index[k] == j)
          self->diagonal[j] = k;
    self->real_lu = hl_sparse_lu_new_beside (arena, n, ode->column_start, ode->row_index, false);
    for (int k = 0; k < HL_RADAU_PAIRS; k++)
      self->pairs[k].lu = hl_sparse_lu_new_beside (arena, n, ode->column_start, ode->row_index, true);
  }
  return self;
}

static void linear_free (HlRadauLinear *self) {
  hl_sparse_lu_free (self->real_lu);
  for (int k = 0; k < HL_RADAU_PAIRS; k++)
    hl_sparse_lu_free (self->pairs[k].lu);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

/* Evaluates J at t and at the deviation z[n] from the start, kept until the next call. The status is that of
 * the problem. */
static HlStatus linear_eval_jacobian (HlRadauLinear *self, double t, const double z[]) {
  if (self->integrator->ode.shifted != NULL)
    return hl_integrator_eval_shifted (self->integrator, t, z);
  if (self->real_lu != NULL)
    return hl_integrator_eval_jacobian_sparse (self->integrator, t, z, self->J);
  return hl_integrator_eval_jacobian (self->integrator, t, z, self->J);
}

/* Factors the matrix of the states that are no positions. */
static HlStatus factor_dense (HlRadauLinear *self, double r) {
  int n = self->integrator->ode.n, places = self->integrator->ode.n_places, rest = n - places;
  double *to = self->shifted;

  self->inverse = 1.0 / r;
  for (int j = places; j < n; j++) {
    const double *column = self->J + j * n;
    const double *place = j < 2 * places ? self->J + (j - places) * n : NULL;

    for (int i = places; i < n; i++, to++)
      *to = -column[i] - (place != NULL ? place[i] : 0.0) * self->inverse;
    self->shifted[(j - places) * (rest + 1)] += r;
  }
  return hl_lu_factor (rest, self->shifted, self->real_pivots);
}

static HlStatus factor_dense_complex (HlRadauLinear *self, Pair *pair, double re, double im) {
  int n = self->integrator->ode.n, places = self->integrator->ode.n_places, rest = n - places;
  double square = re * re + im * im, *to = pair->shifted;

  pair->inverse[0] = re / square;
  pair->inverse[1] = -im / square;
  for (int j = places; j < n; j++) {
    const double *column = self->J + j * n;
    const double *place = j < 2 * places ? self->J + (j - places) * n : NULL;

    for (int i = places; i < n; i++, to += 2) {
      double by_place = place != NULL ? place[i] : 0.0;
      to[0] = -column[i] - by_place * pair->inverse[0];
      to[1] = -by_place * pair->inverse[1];
    }
    pair->shifted[2 * (j - places) * (rest + 1)] += re;
    pair->shifted[2 * (j - places) * (rest + 1) + 1] += im;
  }
  return hl_zlu_factor (rest, pair->shifted, pair->pivots);
}

/* Factors of r - J, the shift r in 1/s, and of c - J, c = re + i im that of one of the pairs; HL_SINGULAR when there are
 * none. */
static HlStatus linear_factor (HlRadauLinear *self, double r) {
  /* a dense one may have got fewer states (hl_integrator_set_order ()) */
  const HlOde *ode = &self->integrator->ode;
  if (ode->shifted != NULL)
    return ode->shifted->factor (r, ode->data);
  if (self->real_lu == NULL)
    return factor_dense (self, r);
  for (int k = 0; k < self->n_entries; k++)
    self->shifted[k] = -self->J[k];
  for (int i = 0; i < ode->n; i++)
    self->shifted[self->diagonal[i]] += r;
  return hl_sparse_lu_factor (self->real_lu, self->shifted);
}

static HlStatus linear_factor_complex (HlRadauLinear *self, int which, double re, double im) {
  const HlOde *ode = &self->integrator->ode;
  Pair *pair = &self->pairs[which];

  if (ode->shifted != NULL)
    return ode->shifted->factor_complex (which, re, im, ode->data);
  if (pair->lu == NULL)
    return factor_dense_complex (self, pair, re, im);
  for (int k = 0; k < self->n_entries; k++) {
    pair->shifted[2 * k] = -self->J[k];
    pair->shifted[2 * k + 1] = 0.0;
  }
  for (int i = 0; i < ode->n; i++) {
    pair->shifted[2 * self->diagonal[i]] += re;
    pair->shifted[2 * self->diagonal[i] + 1] += im;
  }
  return hl_sparse_lu_factor (pair->lu, pair->shifted);
}

static void solve_dense (const HlRadauLinear *self, double x[]) {
  int n = self->integrator->ode.n, places = self->integrator->ode.n_places;

  for (int k = 0; k < places; k++) {
    const double *column = self->J + k * n;
    double by = x[k] * self->inverse;

    for (int i = places; i < n; i++)
      x[i] += column[i] * by;
  }
  hl_lu_solve (n - places, self->shifted, self->real_pivots, 1, x + places);
  for (int k = 0; k < places; k++)
    x[k] = (x[k] + x[places + k]) * self->inverse;
}

static void solve_dense_complex (const HlRadauLinear *self, const Pair *pair, double x[]) {
  int n = self->integrator->ode.n, places = self->integrator->ode.n_places;
  double re = pair->inverse[0], im = pair->inverse[1];

  for (int k = 0; k < places; k++) {
    const double *column = self->J + k * n;
    double by_re = x[2 * k] * re - x[2 * k + 1] * im, by_im = x[2 * k] * im + x[2 * k + 1] * re;

    for (int i = places; i < n; i++) {
      x[2 * i] += column[i] * by_re;
      x[2 * i + 1] += column[i] * by_im;
    }
  }
  hl_zlu_solve (n - places, pair->shifted, pair->pivots, 1, x + 2 * places);
  for (int k = 0; k < places; k++) {
    double sum_re = x[2 * k] + x[2 * (places + k)], sum_im = x[2 * k + 1] + x[2 * (places + k) + 1];

    x[2 * k] = sum_re * re - sum_im * im;
    x[2 * k + 1] = sum_re * im + sum_im * re;
  }
}

/* Solves for x[n] in place; of the complex one 2 n, real and imaginary parts side by side. */
static void linear_solve_real (HlRadauLinear *self, double x[]) {
  const HlOde *ode = &self->integrator->ode;

  if (ode->shifted != NULL)
    ode->shifted->solve (x, ode->data);
  else if (self->real_lu != NULL)
    hl_sparse_lu_solve (self->real_lu, x);
  else
    solve_dense (self, x);
}

static void linear_solve_complex (HlRadauLinear *self, int which, double x[]) {
  const HlOde *ode = &self->integrator->ode;

  if (ode->shifted != NULL)
    ode->shifted->solve_complex (which, x, ode->data);
  else if (self->pairs[which].lu != NULL)
    hl_sparse_lu_solve (self->pairs[which].lu, x);
  else
    solve_dense_complex (self, &self->pairs[which], x);
}

/* Steps of a window, and those before it in which a new method finds its step size. */
#define WINDOW 8
#define SETTLE 4

/* Below this gain the method stays as it is. */
#define GAIN 1.05

/* A trial that takes so many times what a window took until now has failed. */
#define TOO_DEAR 3

/* Windows between trials: so many at first, twice as many after each that failed, at most so many. */
#define PATIENCE 4
#define MOST_PATIENCE 64

static void begin_window (HlRadauOrder *self, double t, int settle) {
  self->steps = -settle;
  self->spent = 0;
  self->begin = t;
}

/* Starts with method 0 at the start of a piece without corners, at t [s]. */
static void order_start (HlRadauOrder *self, double t) {
  memset (self, 0, sizeof *self);
  self->wait = 1;
  self->patience = PATIENCE;
  begin_window (self, t, 0);
}

/* Adds the cost of a step, accepted or not, in evaluations of f. */
static void order_spend (HlRadauOrder *self, int evaluations) {
  self->spent += evaluations;
}

static void change_order (HlRadauOrder *self, double t) {
  self->method = 1 - self->method;
  begin_window (self, t, SETTLE);
}

/* Counts an accepted step that ends at t. Returns whether the method changes from here on. */
static bool order_accept (HlRadauOrder *self, double t) {
  bool is_dear = self->is_trial && self->spent > TOO_DEAR * self->usual;

  self->steps++;
  if (self->steps == 0 && !is_dear) { /* it has settled */
    begin_window (self, t, 0);
    return false;
  }
  if (self->steps < WINDOW && !is_dear)
    return false;
  double pace = fabs (t - self->begin) / (double)self->spent;

  if (self->is_trial) {
    bool is_better = !is_dear && pace > GAIN * self->pace;
    self->is_trial = false;
    self->patience =
        is_better ? PATIENCE : (2 * self->patience < MOST_PATIENCE ? 2 * self->patience : MOST_PATIENCE);
    self->wait = self->patience;
    if (!is_better) {
      change_order (self, t);
      return true;
    }
  }
  self->pace = pace;
  self->usual = self->spent;
  if (--self->wait > 0) {
    begin_window (self, t, 0);
    return false;
  }
  self->is_trial = true;
  change_order (self, t);
  return true;
}

/* Takes its arrays for n states. */
static void polynomial_init (HlRadauPolynomial *self, HlArena *arena, int n) {
  for (int k = 0; k <= HL_RADAU_STAGES; k++)
    self->difference[k] = hl_arena_take (arena, n, sizeof (double));
}

/* Through (0, 0) and the stages (c_i, z_i), z[stages] of n numbers each. */
/* Makes the polynomial through (1, Z_s), (c_(s-1), Z_(s-1)) ... (0, 0). */
static void polynomial_make (HlRadauPolynomial *self, const HlRadauTableau *tab, double *const z[], int n) {
  int s = tab->n_stages;
  double x[HL_RADAU_STAGES + 1];

  for (int k = 0; k < s; k++) {
    x[k] = tab->c[s - 1 - k];
    memcpy (self->difference[k], z[s - 1 - k], sizeof (double) * (size_t)n);
  }
  x[s] = 0.0;
  memset (self->difference[s], 0, sizeof (double) * (size_t)n);
  for (int level = 1; level <= s; level++)
    for (int k = s; k >= level; k--) {
      double *upper = self->difference[k], by = 1.0 / (x[k] - x[k - level]);
      const double *lower = self->difference[k - 1];
      for (int i = 0; i < n; i++)
        upper[i] = (upper[i] - lower[i]) * by;
    }
  self->degree = s;
  memcpy (self->nodes, x, sizeof (double) * (size_t)s);
}

/* Evaluates by Horner's scheme, written out for both degrees: no number is read twice. */
static void add_up_3 (const HlRadauPolynomial *self, double x, int n, double change[]) {
  const double *d1 = self->difference[1], *d2 = self->difference[2], *d3 = self->difference[3];
  double x0 = x - self->nodes[0], x1 = x - self->nodes[1], x2 = x - self->nodes[2];

  for (int i = 0; i < n; i++)
    change[i] = ((d3[i] * x2 + d2[i]) * x1 + d1[i]) * x0;
}

static void add_up_5 (const HlRadauPolynomial *self, double x, int n, double change[]) {
  const double *d1 = self->difference[1], *d2 = self->difference[2], *d3 = self->difference[3];
  const double *d4 = self->difference[4], *d5 = self->difference[5];
  double x0 = x - self->nodes[0], x1 = x - self->nodes[1], x2 = x - self->nodes[2];
  double x3 = x - self->nodes[3], x4 = x - self->nodes[4];

  for (int i = 0; i < n; i++)
    change[i] = ((((d5[i] * x4 + d4[i]) * x3 + d3[i]) * x2 + d2[i]) * x1 + d1[i]) * x0;
}

/* Computes change[n] from the end of the step to x, in steps from its start. */
static void polynomial_at (const HlRadauPolynomial *self, double x, int n, double change[]) {
  if (self->degree == 3)
    add_up_3 (self, x, n, change);
  else
    add_up_5 (self, x, n, change);
}

/* Newton stops when the error left is below this part of the tolerance: smaller than the error
 * estimate can see (Hairer and Wanner's own choice). */
#define NEWTON_TOLERANCE 0.03
#define MAX_NEWTON 8

/* A first iteration that moves the stages by no more than this part of the tolerance needs no check. */
#define UNPROVED 1.0
#define PROVED 0.1

/* Contractions below this are rounding, and rounding must not decide on the number of iterations.
 */
#define BEST_CONTRACTION 1e-6

/* A contraction better than this proves the Jacobian good enough for the next step: two iterations do, as they would with a
 * new one. */
#define KEEP_JACOBIAN 1e-2

/* The step is kept, and the factorizations with it, while the best step lies within this factor
 * above it. */
#define KEEP_STEP 1.2

/* Costs of a Jacobian and of the factors of a real and of a complex system with their solutions, in
 * evaluations of f: about constant over machines of all sizes. */
#define COST_JACOBIAN 4
#define COST_REAL 2
#define COST_COMPLEX 5

/* From this tolerance on order 9 has nothing to gain. */
#define LOOSE 1e-3

#define SAFETY 0.9
#define MAX_GROWTH 8.0
#define MIN_SHRINK 0.2

/* First look at the change of the slope: a move by this part of the states' scales. A move by a
 * part of the tolerance would be so short that it sees nothing but rounding where the motion begins
 * straight. */
#define PROBE 1e-4

/* Longest first step, that of a motion that begins straight, as a part of the interval. */
#define FIRST_PART 0.01

/* Maximum error of a step between its stages, in tolerances; and the numbers of periods from which the error
 * is examined at one place and at two. */
#define MOST_BETWEEN 10.0
#define SHORT_BETWEEN 0.02
#define LONG_BETWEEN 0.5

/* Steps below this many roundings of t are given up. */
#define MIN_STEP_ROUNDING 10.0

typedef struct {
  HlStepper stepper;             /* first */
  HlArena arena;                 /* of itself and its arrays */
  const HlRadauTableau *tableau; /* c, T, L, e of the method in use */
  HlRadauOrder order;            /* which that is */
  double t, h;                   /* start and signed size of the step to be tried */
  double h_last;                 /* size of the last accepted step, 0 at a start */
  double error_last;             /* its error */
  double contraction, eta;       /* of Newton's iteration: latest rate, and what is left over a step */
  /* reusable data; the last try failed */
  bool has_jacobian, jacobian_is_fresh, has_factors, rejected;
  double *z0;                   /* n: deviation at t                      */
  double *f0;                   /* n: slope at t                          */
  double *z[HL_RADAU_STAGES];   /* n each: stages of the step being tried */
  double *w[HL_RADAU_STAGES];   /* n each: W = T^-1 Z */
  double *f[HL_RADAU_STAGES];   /* n each: slopes at the stages, then right-hand sides */
  HlRadauPolynomial polynomial; /* of the last step */
  HlRadauPolynomial trial;      /* of the step being tried, where it is examined between its stages */
  double *err, *work;           /* n: error estimate, scratch */
  double *complex_rhs;          /* 2 n: real, imaginary parts */
  HlRadauLinear *linear;        /* both linear systems, owned */
  long factorizations, newton, error_failures, newton_failures; /* counters of the run */
} Radau;

static int order_of (const Radau *self) {
  return self->stepper.integrator->ode.n;
}

/* ---- dense output ---- */

static void radau_interpolate (HlStepper *stepper, double t, int m, double z[]) {
  Radau *self = (Radau *)stepper;
  polynomial_at (&self->polynomial, 1.0 + (t - self->t) / self->h_last, m, z);
  /* z0 already is the deviation at the end of the step */
  for (int i = 0; i < m; i++)
    z[i] += self->z0[i];
}

/* Step of the difference that gives the slope of the polynomial; at the end the slope is known. */
#define SLOPE_STEP 1e-4

static void radau_slope (HlStepper *stepper, double t, double z_dot[]) {
  Radau *self = (Radau *)stepper;
  int n = order_of (self);
  double x = 1.0 + (t - self->t) / self->h_last;

  if (t == self->t) {
    memcpy (z_dot, self->f0, sizeof (double) * (gsize)n);
    return;
  }
  polynomial_at (&self->polynomial, x + SLOPE_STEP, n, z_dot);
  polynomial_at (&self->polynomial, x - SLOPE_STEP, n, self->err);
  for (int i = 0; i < n; i++)
    z_dot[i] = (z_dot[i] - self->err[i]) / (2.0 * SLOPE_STEP * self->h_last);
}

/* ---- one step ---- */

static HlStatus factorize (Radau *self) {
  const HlRadauTableau *tab = self->tableau;

  self->factorizations++;
  order_spend (&self->order, COST_REAL + tab->n_stages / 2 * COST_COMPLEX);
  HlStatus status = linear_factor (self->linear, tab->g / self->h);
  for (int pair = 0; pair < tab->n_stages / 2 && status == HL_OK; pair++)
    status = linear_factor_complex (self->linear, pair, tab->a[pair] / self->h, -tab->b[pair] / self->h);
  self->has_factors = status == HL_OK;
  return status;
}

/* Predicts the stages: extrapolates the last collocation polynomial; zero at a start. */
static void predict (Radau *self) {
  int n = order_of (self);

  for (int stage = 0; stage < self->tableau->n_stages; stage++) {
    if (self->h_last == 0.0)
      memset (self->z[stage], 0, sizeof (double) * (gsize)n);
    else
      polynomial_at (&self->polynomial, 1.0 + self->tableau->c[stage] * self->h / self->h_last, n,
                     self->z[stage]);
  }
  tableau_transform (self->tableau, self->tableau->T_inverse, n, self->z, self->w);
}

/* Computes the slope at the end of a step from the solved equations of the last stage, without another
 * evaluation. The remaining Newton error is multiplied by J here, but divided by J again in the error filter,
 * where the slope is used. */
static void find_end_slope (const Radau *self, double slope[]) {
  const HlRadauTableau *tab = self->tableau;
  int n = order_of (self);

  for (int i = 0; i < n; i++)
    slope[i] = tab->g / self->h * self->w[0][i];
  for (int pair = 0; pair < tab->n_stages / 2; pair++) {
    const double *w2 = self->w[2 * pair + 1], *w3 = self->w[2 * pair + 2];
    double a = tab->a[pair] / self->h, b = tab->b[pair] / self->h;
    for (int i = 0; i < n; i++)
      slope[i] += a * w2[i] + b * w3[i];
  }
}

/* Returns whether the first iteration, which moved the stages by `norm`, is enough. The contraction rate
 * of the previous step does not hold in a step that passes a kink, so the last stage is checked: its slope
 * is evaluated and compared with the slope that its equation gives. */
static bool is_proved (Radau *self, double norm) {
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);

  if (norm <= UNPROVED)
    return true;
  for (int i = 0; i < n; i++)
    self->work[i] = self->z0[i] + self->z[self->tableau->n_stages - 1][i];
  if (hl_integrator_eval_rhs (integrator, self->t + self->h, self->work, self->err) != HL_OK)
    return false;
  find_end_slope (self, self->work);
  for (int i = 0; i < n; i++)
    self->err[i] -= self->work[i];
  linear_solve_real (self->linear, self->err);
  return hl_integrator_norm (integrator, self->err) <= PROVED;
}

/* Solves by simplified Newton iterations. HL_NO_CONVERGENCE requires a smaller step or a fresh Jacobian. */
static HlStatus solve_stages (Radau *self, int *n_iterations) {
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  const HlRadauTableau *tab = self->tableau;
  int s = tab->n_stages;
  double g = tab->g / self->h, last_norm = 0.0;

  self->eta = pow (fmax (self->eta, BEST_CONTRACTION), 0.8);
  self->contraction = KEEP_JACOBIAN;
  for (int k = 1; k <= MAX_NEWTON; k++) {
    for (int stage = 0; stage < s; stage++) {
      const double *z0 = self->z0, *z = self->z[stage];
      double *at = self->work;
      for (int i = 0; i < n; i++)
        at[i] = z0[i] + z[i];
      HlStatus status =
          hl_integrator_eval_rhs (integrator, self->t + tab->c[stage] * self->h, self->work, self->f[stage]);
      if (status != HL_OK)
        return status;
    }
    tableau_transform (tab, tab->T_inverse, n, self->f, self->f);
    double *f1 = self->f[0], *w1 = self->w[0];
    for (int i = 0; i < n; i++)
      f1[i] -= g * w1[i];
    linear_solve_real (self->linear, f1);
    for (int i = 0; i < n; i++)
      w1[i] += f1[i];
    for (int pair = 0; pair < s / 2; pair++) {
      double *f2 = self->f[2 * pair + 1], *f3 = self->f[2 * pair + 2], *both = self->complex_rhs;
      double *w2 = self->w[2 * pair + 1], *w3 = self->w[2 * pair + 2];
      double a = tab->a[pair] / self->h, b = tab->b[pair] / self->h;
      for (int i = 0; i < n; i++) {
        both[2 * i] = f2[i] - (a * w2[i] + b * w3[i]);
        both[2 * i + 1] = f3[i] - (a * w3[i] - b * w2[i]);
      }
      linear_solve_complex (self->linear, pair, both);
      for (int i = 0; i < n; i++) {
        f2[i] = both[2 * i];
        f3[i] = both[2 * i + 1];
        w2[i] += f2[i];
        w3[i] += f3[i];
      }
    }
    tableau_transform (tab, tab->T, n, self->w, self->z);
    self->newton++;
    order_spend (&self->order, s);
    *n_iterations = k;

    double sum = 0.0;
    for (int stage = 0; stage < s; stage++) {
      double norm = hl_integrator_norm (integrator, self->f[stage]);
      sum += norm * norm;
    }
    double norm = sqrt (sum / s);
    if (k > 1) {
      double theta = norm / last_norm;

      self->contraction = k == 2 ? theta : sqrt (theta * self->contraction);
      if (!(self->contraction < 0.99))
        return HL_NO_CONVERGENCE;
      self->eta = self->contraction / (1.0 - self->contraction);
      /* norm that the remaining iterations could reach at this rate */
      if (self->eta * norm * pow (self->contraction, MAX_NEWTON - 1 - k) > 10.0 * NEWTON_TOLERANCE &&
          k < MAX_NEWTON)
        return HL_NO_CONVERGENCE;
    }
    if (!isfinite (norm))
      return HL_NO_CONVERGENCE;
    last_norm = fmax (norm, DBL_MIN);
    if (self->eta * norm <= NEWTON_TOLERANCE && (k > 1 || is_proved (self, norm)))
      return HL_OK;
  }
  return HL_NO_CONVERGENCE;
}

static double estimate_error (Radau *self) {
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  const HlRadauTableau *tab = self->tableau;
  const double *z1 = self->z[0], *z2 = self->z[1], *z3 = self->z[2], *f0 = self->f0;
  double h = self->h;
  double *part = self->work, *err = self->err;

  for (int i = 0; i < n; i++)
    part[i] = tab->e[0] * z1[i] + tab->e[1] * z2[i] + tab->e[2] * z3[i];
  for (int stage = 3; stage < tab->n_stages; stage++)
    for (int i = 0; i < n; i++)
      part[i] += tab->e[stage] * self->z[stage][i];
  for (int i = 0; i < n; i++) {
    part[i] /= h;
    err[i] = f0[i] + part[i];
  }
  linear_solve_real (self->linear, self->err);
  double norm = hl_integrator_norm (integrator, self->err);
  if (norm < 1.0 || !(self->rejected || self->h_last == 0.0))
    return fmax (norm, 1e-10);

  /* a second filtering keeps the estimate bounded for very stiff components at starts and after a
   * rejection */
  for (int i = 0; i < n; i++)
    self->err[i] += self->z0[i];
  if (hl_integrator_eval_rhs (integrator, self->t, self->err, self->f[0]) != HL_OK)
    return norm;
  for (int i = 0; i < n; i++)
    self->err[i] = self->f[0][i] + self->work[i];
  linear_solve_real (self->linear, self->err);
  return fmax (hl_integrator_norm (integrator, self->err), 1e-10);
}

/* Estimates the error between the stages. A stiff state that follows a sine is accurate at the stages for any
 * step length, and the usual estimate, which is divided by the stiffness, does not see the error between
 * them. There, at x of the step, the residual of the polynomial p gives
 *
 *   d = (g/h I - df/dy)^-1 (f (x, p (x)) - p' (x))                                                               (7e)
 *
 * (theory/integration.md). Returns the largest ||d||, in tolerances; 0 where the step is short beside every period. */
static double find_error_between (Radau *self) {
  static const double places[] = {0.4, 0.83};
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  double periods =
      integrator->ode.shortest_period > 0.0 ? fabs (self->h) / integrator->ode.shortest_period : 0.0;
  int n_places = periods > LONG_BETWEEN ? 2 : periods > SHORT_BETWEEN ? 1 : 0;
  const double *z_end = self->z[self->tableau->n_stages - 1];
  double most = 0.0;

  if (n_places > 0)
    polynomial_make (&self->trial, self->tableau, self->z, n);
  for (int k = 0; k < n_places; k++) {
    double x = places[k], *slope = self->f[0], *z = self->f[1];
    polynomial_at (&self->trial, x + SLOPE_STEP, n, slope);
    polynomial_at (&self->trial, x - SLOPE_STEP, n, z);
    for (int i = 0; i < n; i++)
      slope[i] = (slope[i] - z[i]) / (2.0 * SLOPE_STEP * self->h);
    polynomial_at (&self->trial, x, n, z);
    for (int i = 0; i < n; i++)
      z[i] += self->z0[i] + z_end[i];
    if (hl_integrator_eval_rhs (integrator, self->t + x * self->h, z, self->err) != HL_OK)
      return INFINITY;
    for (int i = 0; i < n; i++)
      self->err[i] -= slope[i];
    linear_solve_real (self->linear, self->err);
    most = fmax (most, hl_integrator_norm (integrator, self->err));
  }
  return most;
}

/* Returns the root of x by the exponent with which the error of the embedded formula grows with the step. */
static double root_of (const Radau *self, double x) {
  return self->tableau->n_stages == 3 ? sqrt (sqrt (x)) : cbrt (sqrt (x));
}

/* Returns whether both methods can be used. */
static bool has_choice (const Radau *self) {
  const HlOdeOptions *options = &self->stepper.integrator->options;

  return options->radau_order == 0 && options->rtol < LOOSE;
}

/* Shortens the step; the Jacobian is renewed unless it belongs to this very point. */
static void shorten (Radau *self, double factor) {
  self->h = hl_integrator_fit_step (self->t, self->h * factor);
  self->has_factors = false;
  self->rejected = true;
  self->has_jacobian = self->jacobian_is_fresh;
}

static void accept (Radau *self, double error, int n_iterations) {
  HlIntegrator *integrator = self->stepper.integrator;
  int n = order_of (self);
  double safety = fmin (SAFETY, SAFETY * (2 * MAX_NEWTON + 1) / (2.0 * MAX_NEWTON + n_iterations));
  double growth = safety / root_of (self, error);

  /* the trend of the error over two steps foresees more than the last value alone (Gustafsson) */
  if (self->h_last != 0.0) {
    double trend = safety * (self->h / self->h_last) * root_of (self, self->error_last / (error * error));
    growth = fmin (growth, trend);
  }
  growth = fmin (fmax (growth, MIN_SHRINK), MAX_GROWTH);
  if (self->rejected)
    growth = fmin (growth, 1.0);

  find_end_slope (self, self->f0);
  const HlRadauTableau *tab = self->tableau;
  polynomial_make (&self->polynomial, tab, self->z, n);
  integrator->step_begin = self->t;
  self->t += self->h;
  for (int i = 0; i < n; i++)
    self->z0[i] += self->z[tab->n_stages - 1][i];
  memcpy (integrator->z, self->z0, sizeof (double) * (gsize)n);
  self->h_last = self->h;
  self->error_last = fmax (error, 1e-2);
  self->jacobian_is_fresh = false;
  self->rejected = false;
  self->has_jacobian = self->contraction <= KEEP_JACOBIAN;
  if (has_choice (self) && order_accept (&self->order, self->t)) {
    self->tableau = hl_radau_tableau (self->order.method);
    self->has_factors = false;
  }
  if (self->has_jacobian && growth >= 1.0 && growth <= KEEP_STEP)
    return;
  double h = hl_integrator_fit_step (self->t, self->h * growth);
  if (h != self->h)
    self->has_factors = false;
  self->h = h;
}

static HlStatus radau_step (HlStepper *stepper, double t_stop) {
  Radau *self = (Radau *)stepper;
  HlIntegrator *integrator = stepper->integrator;
  double sign = integrator->sign, wished = self->h;
  bool is_last = false;

  hl_integrator_weigh (integrator, self->z0, false);
  for (;;) {
    HlStatus status = HL_OK;
    int n_iterations = 0;

    if (integrator->options.max_step > 0.0 && fabs (self->h) > integrator->options.max_step) {
      self->h = sign * integrator->options.max_step;
      self->has_factors = false;
    }
    /* end exactly on the stop; do not leave a crumb behind */
    is_last = isfinite (t_stop) && sign * (self->t + 1.01 * self->h - t_stop) >= 0.0;
    if (is_last && self->h != t_stop - self->t) {
      wished = self->h;
      self->h = t_stop - self->t;
      self->has_factors = false;
    }
    if (fabs (self->h) <= MIN_STEP_ROUNDING * DBL_EPSILON * fabs (self->t))
      return integrator->callback_status != HL_OK ? integrator->callback_status : HL_TOO_MUCH_WORK;
    if (!self->has_jacobian) {
      status = linear_eval_jacobian (self->linear, self->t, self->z0);
      if (status != HL_OK)
        return status;
      order_spend (&self->order, COST_JACOBIAN);
      self->has_jacobian = self->jacobian_is_fresh = true;
      self->has_factors = false;
    }
    if (!self->has_factors)
      status = factorize (self);
    if (status == HL_OK) {
      predict (self);
      status = solve_stages (self, &n_iterations);
    }
    if (status != HL_OK) {
      if (!hl_integrator_is_recoverable (status))
        return status;
      self->newton_failures++;
      shorten (self, 0.5);
      continue;
    }
    double error = estimate_error (self);
    if (error < 1.0)
      error = fmax (error, find_error_between (self) / MOST_BETWEEN);
    if (error < 1.0) {
      accept (self, error, n_iterations);
      if (is_last) {
        self->t = t_stop;
        /* the step after the stop need not be as short as the one before it */
        if (fabs (wished) > fabs (self->h)) {
          self->h = wished;
          self->has_factors = false;
        }
      }
      integrator->step_end = self->t;
      return HL_OK;
    }
    self->error_failures++;
    shorten (self, self->h_last == 0.0 ? 0.1 : fmax (MIN_SHRINK, SAFETY / root_of (self, error)));
  }
}

/* ---- start ---- */

/* After a corner the last step is no guide when the interval is so many times as long: the long first guess would be
 * shortened again and again. Between corners that stand closer, as those of a moving lever, it does. */
#define INTERVAL_OF_STEPS 2.0

/* Guesses a step from the change of the slope: with ||.|| the norm in which the tolerance is 1, t the time in
 * which the change of the slope moves the state by its scale and e the order of the error of the embedded
 * formula,
 *
 *   t = 1 / sqrt (rtol ||f'||),   h = rtol^(1/e) t
 *
 * is about the step that the formula would allow were t the only time there is. */
static double guess_step (Radau *self, double span) {
  HlIntegrator *integrator = self->stepper.integrator;
  double slope = hl_integrator_norm (integrator, self->f0), rtol = integrator->options.rtol;
  double probe = fmin (slope > 0.0 ? PROBE / (slope * rtol) : FIRST_PART * span, span);

  for (int i = 0; i < order_of (self); i++)
    self->work[i] = integrator->sign * probe * self->f0[i];
  if (hl_integrator_eval_rhs (integrator, self->t + integrator->sign * probe, self->work, self->err) != HL_OK)
    return probe;
  for (int i = 0; i < order_of (self); i++)
    self->err[i] = (self->err[i] - self->f0[i]) / probe;
  double time = 1.0 / sqrt (rtol * hl_integrator_norm (integrator, self->err));
  return fmin (root_of (self, rtol) * time, FIRST_PART * span);
}

/* Returns the method of the first step: order 5, which tolerates a worse first guess, unless another order is
 * requested. */
static int first_method (const Radau *self) {
  return self->stepper.integrator->options.radau_order == 9;
}

static HlStatus radau_start (HlStepper *stepper, double t, double h, double span) {
  Radau *self = (Radau *)stepper;
  HlIntegrator *integrator = stepper->integrator;

  self->t = t;
  self->h_last = 0.0;
  self->eta = 1.0;
  self->tableau = hl_radau_tableau (first_method (self));
  order_start (&self->order, t);
  self->has_jacobian = self->has_factors = self->jacobian_is_fresh = self->rejected = false;
  memset (self->z0, 0, sizeof (double) * (gsize)order_of (self));
  HlStatus status = hl_integrator_eval_rhs (integrator, t, self->z0, self->f0);
  if (status != HL_OK)
    return status;
  bool is_wanted = h > 0.0 && h == integrator->options.first_step;
  double first = h > 0.0 ? fmin (h, span) : INFINITY;
  if (!is_wanted && span >= INTERVAL_OF_STEPS * h)
    first = fmin (first, guess_step (self, span));
  self->h = hl_integrator_fit_step (t, integrator->sign * first);
  return HL_OK;
}

static double radau_next_step (HlStepper *stepper) {
  return fabs (((Radau *)stepper)->h);
}

static void radau_add_stats (const HlStepper *stepper, HlOdeStats *stats) {
  const Radau *self = (const Radau *)stepper;

  stats->factorizations += self->factorizations;
  stats->newton += self->newton;
  stats->error_failures += self->error_failures;
  stats->newton_failures += self->newton_failures;
}

static void radau_free (HlStepper *stepper) {
  Radau *self = (Radau *)stepper;

  HlArena arena = self->arena;

  linear_free (self->linear);
  hl_arena_clear (&arena);
}

static int radau_last_order (const HlStepper *stepper) {
  return 2 * ((const Radau *)stepper)->tableau->n_stages - 1;
}

HlStepper *hl_stepper_new_radau (HlIntegrator *integrator) {
  static const HlStepperClass class = {radau_free,  radau_start,     radau_step,       radau_interpolate,
                                       radau_slope, radau_next_step, radau_last_order, radau_add_stats};
  HlArena own = hl_arena_beside (&integrator->arena);
  Radau *self = hl_arena_take (&own, 1, sizeof *self);
  int n = integrator->ode.n;

  self->arena = own;
  self->stepper = (HlStepper){&class, integrator};
  polynomial_init (&self->polynomial, &self->arena, n);
  polynomial_init (&self->trial, &self->arena, n);
  double **sets[] = {self->z, self->w, self->f};
  for (gsize k = 0; k < G_N_ELEMENTS (sets); k++)
    for (int stage = 0; stage < HL_RADAU_STAGES; stage++)
      sets[k][stage] = hl_arena_take (&self->arena, n, sizeof (double));
  double **vectors[] = {&self->z0, &self->f0, &self->err, &self->work};
  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    *vectors[i] = hl_arena_take (&self->arena, n, sizeof (double));
  self->complex_rhs = hl_arena_take (&self->arena, 2 * n, sizeof (double));
  self->linear = linear_new (integrator);
  return &self->stepper;
}
