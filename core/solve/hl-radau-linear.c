/* SPDX-License-Identifier: MIT */
/* Both shifted matrices share J and its pattern; shifts only touch the diagonal. */
#include "core/solve/hl-radau-linear.h"

#include <complex.h>
#include <glib.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-sparse-lu.h"
#include "core/math/hl-linalg.h"

struct HlRadauLinear
{
  HlArena arena; /* holds every array */
  HlIntegrator *integrator;
  int n_entries;                     /* of J: n^2, or its nonzeros                    */
  double *J;                         /* n_entries                                     */
  double *shifted;                   /* n_entries: shifted, dense: factored in place  */
  double complex *shifted_z;         /* n_entries                                     */
  int *diagonal;                     /* n: place of the diagonal among the entries    */
  int *real_pivots, *complex_pivots; /* n: of the dense factors */
  HlSparseLu *real_lu, *complex_lu;  /* NULL: dense */
};

HlRadauLinear *
hl_radau_linear_new (HlIntegrator *integrator)
{
  HlRadauLinear *self = g_new0 (HlRadauLinear, 1);
  const HlOde *ode = &integrator->ode;
  int n = ode->n;
  bool is_sparse = hl_integrator_is_sparse (integrator);
  HlArena *arena = &self->arena;

  self->integrator = integrator;
  if (ode->shifted != NULL)
    return self;
  self->n_entries = is_sparse ? ode->column_start[n] : n * n;
  self->J = hl_arena_take (arena, self->n_entries, sizeof (double));
  self->shifted = hl_arena_take (arena, self->n_entries, sizeof (double));
  self->shifted_z = hl_arena_take (arena, self->n_entries, sizeof (double complex));
  self->diagonal = hl_arena_take (arena, n, sizeof (int));
  self->real_pivots = hl_arena_take (arena, n, sizeof (int));
  self->complex_pivots = hl_arena_take (arena, n, sizeof (int));
  for (int i = 0; i < n; i++)
    self->diagonal[i] = i + n * i;
  if (is_sparse) {
    for (int j = 0; j < n; j++)
      for (int k = ode->column_start[j]; k < ode->column_start[j + 1]; k++)
        if (ode->row_index[k] == j)
          self->diagonal[j] = k;
    self->real_lu = hl_sparse_lu_new (n, ode->column_start, ode->row_index, false);
    self->complex_lu = hl_sparse_lu_new (n, ode->column_start, ode->row_index, true);
  }
  return self;
}

void
hl_radau_linear_free (HlRadauLinear *self)
{
  hl_sparse_lu_free (self->real_lu);
  hl_sparse_lu_free (self->complex_lu);
  hl_arena_clear (&self->arena);
  g_free (self);
}

HlStatus
hl_radau_linear_eval_jacobian (HlRadauLinear *self, double t, const double z[])
{
  if (self->integrator->ode.shifted != NULL)
    return hl_integrator_eval_shifted (self->integrator, t, z);
  if (self->real_lu != NULL)
    return hl_integrator_eval_jacobian_sparse (self->integrator, t, z, self->J);
  return hl_integrator_eval_jacobian (self->integrator, t, z, self->J);
}

HlStatus
hl_radau_linear_factor (HlRadauLinear *self, double r, double re, double im)
{
  /* a dense one may have got fewer states (hl_integrator_set_order ()) */
  const HlOde *ode = &self->integrator->ode;
  if (ode->shifted != NULL) {
    HlStatus status = ode->shifted->factor (r, ode->data);
    return status == HL_OK ? ode->shifted->factor_complex (re, im, ode->data) : status;
  }
  int n = ode->n, n_entries = self->real_lu != NULL ? self->n_entries : n * n;

  for (int k = 0; k < n_entries; k++) {
    self->shifted[k] = -self->J[k];
    self->shifted_z[k] = -self->J[k];
  }
  for (int i = 0; i < n; i++) {
    int at = self->real_lu != NULL ? self->diagonal[i] : i * (n + 1);

    self->shifted[at] += r;
    self->shifted_z[at] += re + I * im;
  }
  if (self->real_lu != NULL) {
    HlStatus status = hl_sparse_lu_factor (self->real_lu, self->shifted);

    return status == HL_OK ? hl_sparse_lu_factor (self->complex_lu, (double *)self->shifted_z)
                           : status;
  }
  HlStatus status = hl_lu_factor (n, self->shifted, self->real_pivots);
  return status == HL_OK ? hl_zlu_factor (n, self->shifted_z, self->complex_pivots) : status;
}

void
hl_radau_linear_solve_real (HlRadauLinear *self, double x[])
{
  const HlOde *ode = &self->integrator->ode;

  if (ode->shifted != NULL)
    ode->shifted->solve (x, ode->data);
  else if (self->real_lu != NULL)
    hl_sparse_lu_solve (self->real_lu, x);
  else
    hl_lu_solve (self->integrator->ode.n, self->shifted, self->real_pivots, 1, x);
}

void
hl_radau_linear_solve_complex (HlRadauLinear *self, double x[])
{
  const HlOde *ode = &self->integrator->ode;

  if (ode->shifted != NULL)
    ode->shifted->solve_complex (x, ode->data);
  else if (self->complex_lu != NULL)
    hl_sparse_lu_solve (self->complex_lu, x);
  else
    hl_zlu_solve (self->integrator->ode.n, self->shifted_z, self->complex_pivots, 1,
                  (double complex *)x);
}
