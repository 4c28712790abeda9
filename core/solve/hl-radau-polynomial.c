/* SPDX-License-Identifier: MIT */
#include "core/solve/hl-radau-polynomial.h"

#include <string.h>

void hl_radau_polynomial_init (HlRadauPolynomial *self, HlArena *arena, int n) {
  for (int k = 0; k <= HL_RADAU_STAGES; k++)
    self->difference[k] = hl_arena_take (arena, n, sizeof (double));
}

/* Through (1, Z_s), (c_(s-1), Z_(s-1)) ... (0, 0). */
void hl_radau_polynomial_make (HlRadauPolynomial *self, const HlRadauTableau *tab, double *const z[], int n) {
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

/* Horner's scheme, written out for both degrees: no number is read twice. */
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

void hl_radau_polynomial_at (const HlRadauPolynomial *self, double x, int n, double change[]) {
  if (self->degree == 3)
    add_up_3 (self, x, n, change);
  else
    add_up_5 (self, x, n, change);
}
