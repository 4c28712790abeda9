/* SPDX-License-Identifier: MIT */
#include "core/solve/hl-radau-polynomial.h"

#include <string.h>

void
hl_radau_polynomial_init (HlRadauPolynomial *self, HlArena *arena, int n)
{
  for (int k = 0; k <= HL_RADAU_STAGES; k++)
    self->difference[k] = hl_arena_take (arena, n, sizeof (double));
}

/* Through (1, Z_s), (c_(s-1), Z_(s-1)) ... (0, 0). */
void
hl_radau_polynomial_make (HlRadauPolynomial *self,
                          const HlRadauTableau *tab,
                          double *const z[],
                          int n)
{
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

void
hl_radau_polynomial_at (const HlRadauPolynomial *self, double x, int n, double change[])
{
  const double *highest = self->difference[self->degree];

  for (int i = 0; i < n; i++)
    change[i] = highest[i];
  for (int k = self->degree - 1; k >= 1; k--) {
    const double *difference = self->difference[k];
    double by = x - self->nodes[k];
    for (int i = 0; i < n; i++)
      change[i] = change[i] * by + difference[i];
  }
  for (int i = 0; i < n; i++)
    change[i] *= x - self->nodes[0];
}
