/* SPDX-License-Identifier: MIT */
/* Both shifted matrices share J and its pattern; shifts only touch the diagonal. Of dense ones places are eliminated: with
 * x' = v, and s the shift,
 *
 *   s x - v = b_x                                    x = (b_x + v)/s
 *   (s - J_vv - J_vx/s) v = b_v + J_vx b_x/s         v: and all other states */
#include "core/solve/hl-radau-linear.h"

#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-lu.h"
#include "core/math/hl-linalg.h"
#include "core/solve/hl-radau-tableau.h"

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

HlRadauLinear *hl_radau_linear_new (HlIntegrator *integrator) {
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

void hl_radau_linear_free (HlRadauLinear *self) {
  hl_sparse_lu_free (self->real_lu);
  for (int k = 0; k < HL_RADAU_PAIRS; k++)
    hl_sparse_lu_free (self->pairs[k].lu);
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

HlStatus hl_radau_linear_eval_jacobian (HlRadauLinear *self, double t, const double z[]) {
  if (self->integrator->ode.shifted != NULL)
    return hl_integrator_eval_shifted (self->integrator, t, z);
  if (self->real_lu != NULL)
    return hl_integrator_eval_jacobian_sparse (self->integrator, t, z, self->J);
  return hl_integrator_eval_jacobian (self->integrator, t, z, self->J);
}

/* Of the states that are no places. */
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

HlStatus hl_radau_linear_factor (HlRadauLinear *self, double r) {
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

HlStatus hl_radau_linear_factor_complex (HlRadauLinear *self, int which, double re, double im) {
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

void hl_radau_linear_solve_real (HlRadauLinear *self, double x[]) {
  const HlOde *ode = &self->integrator->ode;

  if (ode->shifted != NULL)
    ode->shifted->solve (x, ode->data);
  else if (self->real_lu != NULL)
    hl_sparse_lu_solve (self->real_lu, x);
  else
    solve_dense (self, x);
}

void hl_radau_linear_solve_complex (HlRadauLinear *self, int which, double x[]) {
  const HlOde *ode = &self->integrator->ode;

  if (ode->shifted != NULL)
    ode->shifted->solve_complex (which, x, ode->data);
  else if (self->pairs[which].lu != NULL)
    hl_sparse_lu_solve (self->pairs[which].lu, x);
  else
    solve_dense_complex (self, &self->pairs[which], x);
}
