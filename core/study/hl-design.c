/* SPDX-License-Identifier: MIT */
/* Points by index. Streams of random numbers: two for each dimension. */
#include "core/study/hl-design.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/study/hl-distribution.h"
#include "core/study/hl-sobol.h"

#include <math.h>
#include <string.h>

const char *const hl_design_names[] = {"grid", "random", "lhs", "sobol", "oat", "saltelli", NULL};

struct _HlDesign {
  HlDesignKind kind;
  int n, n_dimensions, n_rows;
  int *levels;    /* n_dimensions */
  double *factor; /* n_dimensions x n_dimensions: factor of the correlations, column-major; NULL: none */
  guint32 *sobol; /* HL_SOBOL_BITS a dimension, twice as many dimensions for Saltelli's; or NULL */
  guint64 seed;
};

static gboolean refuse (GError **error, const char *why) {
  g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, why);
  return FALSE;
}

/* Cholesky's factor; FALSE when the matrix is not symmetric with ones and positive definite. */
static gboolean factorize (HlDesign *self, const double correlation[], GError **error) {
  int n = self->n_dimensions;

  self->factor = g_memdup2 (correlation, sizeof (double) * (gsize)n * (gsize)n);
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = correlation[i + n * j];
      if (correlation[j + n * i] != sum || (i == j && sum != 1.0))
        return refuse (error, _ ("correlations are symmetric, with 1 of each with itself"));
      for (int k = 0; k < j; k++)
        sum -= self->factor[i + n * k] * self->factor[j + n * k];
      if (i == j && !(sum > 1e-12))
        return refuse (error, _ ("the correlations contradict each other: no numbers have them all; "
                                 "make some of them smaller"));
      self->factor[i + n * j] = i == j ? sqrt (sum) : sum / self->factor[j + n * j];
    }
  return TRUE;
}

static gboolean count_rows (HlDesign *self, GError **error) {
  double rows = self->kind == HL_DESIGN_ONE_AT_A_TIME ? 1.0 : self->n;

  if (self->kind == HL_DESIGN_GRID)
    rows = 1.0;
  for (int k = 0; k < self->n_dimensions; k++) {
    if (self->kind == HL_DESIGN_GRID)
      rows *= self->levels[k];
    if (self->kind == HL_DESIGN_ONE_AT_A_TIME)
      rows += self->levels[k];
  }
  if (self->kind == HL_DESIGN_SALTELLI)
    rows *= self->n_dimensions + 2.0;
  if (!(rows >= 1.0 && rows <= HL_DESIGN_MOST_ROWS)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("the design would have %.0f rows; a study has from 1 to %d"), rows, HL_DESIGN_MOST_ROWS);
    return FALSE;
  }
  self->n_rows = (int)rows;
  return TRUE;
}

static gboolean set_up_sobol (HlDesign *self, GError **error) {
  int n = self->n_dimensions * (self->kind == HL_DESIGN_SALTELLI ? 2 : 1);

  if (self->kind != HL_DESIGN_SOBOL && self->kind != HL_DESIGN_SALTELLI)
    return TRUE;
  if (n > HL_SOBOL_MOST_DIMENSIONS) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("design %s takes at most %d parameters, not %d"),
                 hl_design_names[self->kind],
                 self->kind == HL_DESIGN_SOBOL ? HL_SOBOL_MOST_DIMENSIONS : HL_SOBOL_MOST_DIMENSIONS / 2,
                 self->n_dimensions);
    return FALSE;
  }
  self->sobol = g_new (guint32, (gsize)n * HL_SOBOL_BITS);
  for (int k = 0; k < n; k++)
    hl_sobol_directions (k, self->sobol + (gsize)k * HL_SOBOL_BITS);
  return TRUE;
}

HlDesign *hl_design_new (HlDesignKind kind, int n, int n_dimensions, const int n_levels[],
                         const double correlation[], guint64 seed, GError **error) {
  g_autoptr (HlDesign) self = g_new0 (HlDesign, 1);
  gboolean is_drawn = kind == HL_DESIGN_RANDOM || kind == HL_DESIGN_LHS || kind == HL_DESIGN_SOBOL;

  self->kind = kind;
  self->n = n;
  self->n_dimensions = n_dimensions;
  self->seed = seed;
  self->levels = g_new (int, n_dimensions + 1);
  for (int k = 0; k < n_dimensions; k++)
    self->levels[k] = n_levels != NULL && n_levels[k] > 0 ? n_levels[k] : n;
  if (correlation != NULL && !is_drawn) {
    refuse (error, _ ("correlations belong to the designs random, lhs and sobol; the others move each "
                      "number by itself"));
    return NULL;
  }
  if (!count_rows (self, error) || !set_up_sobol (self, error) ||
      (correlation != NULL && !factorize (self, correlation, error)))
    return NULL;
  return g_steal_pointer (&self);
}

void hl_design_free (HlDesign *self) {
  if (self == NULL)
    return;
  g_free (self->levels);
  g_free (self->factor);
  g_free (self->sobol);
  g_free (self);
}

int hl_design_n_rows (const HlDesign *self) {
  return self->n_rows;
}

static double sobol (const HlDesign *self, int dimension, int index) {
  const guint32 *v = self->sobol + (gsize)dimension * HL_SOBOL_BITS;

  return hl_sobol_scramble (hl_sobol_point (v, (guint32)index), self->seed, dimension);
}

static double drawn (const HlDesign *self, int dimension, int row) {
  guint64 stream = 2 * (guint64)dimension, n = (guint64)self->n;
  double u = hl_study_random_uniform (self->seed, stream, (guint64)row);

  if (self->kind == HL_DESIGN_SOBOL)
    return sobol (self, dimension, row);
  if (self->kind == HL_DESIGN_LHS) {
    guint64 part = hl_study_random_place (self->seed, stream + 1, (guint64)row, n);
    u = MIN (((double)part + u) / self->n, 1.0 - 0x1p-53);
  }
  return u;
}

/* Makes independent quantiles those of correlated normal variables, the last one first, for each
 * needs those before it as they were. */
static void correlate (const HlDesign *self, HlPlace places[]) {
  int n = self->n_dimensions;

  for (int k = 0; k < n; k++)
    places[k].u = hl_normal_quantile (places[k].u);
  for (int i = n - 1; i >= 0; i--) {
    double sum = 0.0;
    for (int k = 0; k <= i; k++)
      sum += self->factor[i + n * k] * places[k].u;
    places[i].u = sum;
  }
  for (int k = 0; k < n; k++)
    places[k].u = CLAMP (hl_normal_probability (places[k].u), 0x1p-53, 1.0 - 0x1p-53);
}

/* Rows of one base point: A, B, then A with the first, second ... number of B. */
static void saltelli (const HlDesign *self, int row, HlPlace places[]) {
  int n = self->n_dimensions, base = row / (n + 2), which = row % (n + 2);

  for (int k = 0; k < n; k++) {
    gboolean is_b = which == 1 || which == k + 2;
    places[k].u = sobol (self, is_b ? n + k : k, base);
  }
}

static void one_at_a_time (const HlDesign *self, int row, HlPlace places[]) {
  int left = row - 1;

  for (int k = 0; k < self->n_dimensions; k++) {
    gboolean is_here = left >= 0 && left < self->levels[k];
    places[k].is_own = !is_here;
    places[k].level = is_here ? left : 0;
    places[k].levels = is_here ? self->levels[k] : 0;
    left -= self->levels[k];
  }
}

void hl_design_row (const HlDesign *self, int row, HlPlace places[]) {
  int n = self->n_dimensions;

  for (int k = 0; k < n; k++)
    places[k] = (HlPlace){.u = 0.5};
  switch (self->kind) {
  case HL_DESIGN_GRID:
    for (int k = n - 1; k >= 0; k--) {
      places[k].levels = self->levels[k];
      places[k].level = row % self->levels[k];
      row /= self->levels[k];
    }
    break;
  case HL_DESIGN_ONE_AT_A_TIME:
    one_at_a_time (self, row, places);
    break;
  case HL_DESIGN_SALTELLI:
    saltelli (self, row, places);
    break;
  default:
    for (int k = 0; k < n; k++)
      places[k].u = drawn (self, k, row);
    if (self->factor != NULL)
      correlate (self, places);
    break;
  }
}
