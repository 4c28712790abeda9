/* SPDX-License-Identifier: MIT */
/* Points by index, of random numbers by their place and of Sobol's sequence. Streams of random numbers: two for each
 * dimension. */
#include "core/study/hl-study-design.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/study/hl-study-distribution.h"

#include <math.h>
#include <string.h>

#define FEISTEL_ROUNDS 8
#define UNIT 0x1p-53

/* Returns the finalizer of splitmix64 (Steele, Lea, Flood 2014): every bit of the input moves every bit of
 * the output. */
static guint64 mix_bits (guint64 z) {
  z += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Returns 64 pseudorandom bits: two rounds of the finalizer of splitmix64 over seed, stream and index. */
static guint64 study_random_bits (guint64 seed, guint64 stream, guint64 index) {
  return mix_bits (mix_bits (mix_bits (seed) ^ stream) ^ index);
}

double hl_study_random_uniform (guint64 seed, guint64 stream, guint64 index) {
  return ((double)(study_random_bits (seed, stream, index) >> 11) + 0.5) * UNIT;
}

/* Returns the place of an item in a random order of n items, 0 <= item < n: a permutation, computed without a
 * table by a Feistel network over the next power of four, repeated while the result is too large. */
static guint64 random_place (guint64 seed, guint64 stream, guint64 item, guint64 n) {
  int half = 1;

  while (half < 31 && (G_GUINT64_CONSTANT (1) << (2 * half)) < n)
    half++;
  guint64 mask = (G_GUINT64_CONSTANT (1) << half) - 1;
  /* the network permutes what is at most four times n, so that few steps lead back below n */
  do {
    guint64 left = item >> half, right = item & mask;
    for (guint64 round = 0; round < FEISTEL_ROUNDS; round++) {
      guint64 next = left ^ (study_random_bits (seed, stream * 64 + round, right) & mask);
      left = right;
      right = next;
    }
    item = left << half | right;
  } while (item >= n);
  return item;
}

#define MOST_DEGREE 9
#define SCRAMBLING 0x5c7a /* streams of the coins, apart from those of the other designs */

/* Degree of the primitive polynomial, its inner coefficients as bits, and the first odd numbers m;
 * dimensions 2, 3 ... Dimension 1 is van der Corput's and needs none. */
static const struct {
  guint8 degree, inner;
  guint16 m[MOST_DEGREE];
} polynomials[HL_SOBOL_MOST_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
    {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
    {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
    {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
    {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}},
    {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
    {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}},
    {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
    {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}},
    {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
    {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}},
    {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
    {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}},
    {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}},
    {8, 103, {1, 3, 7, 7, 17, 17, 37, 71}},
    {8, 115, {1, 3, 1, 5, 27, 63, 123, 213}},
    {8, 122, {1, 1, 3, 5, 11, 43, 53, 133}},
    {9, 8, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
    {9, 13, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {9, 16, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
    {9, 22, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {9, 25, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
    {9, 44, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {9, 47, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
    {9, 52, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {9, 55, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
    {9, 59, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {9, 62, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
    {9, 67, {1, 1, 1, 11, 21, 53, 125, 249, 293}},
    {9, 74, {1, 1, 7, 11, 11, 7, 57, 79, 323}},
    {9, 81, {1, 1, 5, 5, 17, 13, 81, 3, 131}},
    {9, 82, {1, 1, 7, 13, 23, 7, 65, 251, 475}},
};

void hl_sobol_directions (int dimension, guint32 v[HL_SOBOL_BITS]) {
  if (dimension == 0) {
    for (int k = 0; k < HL_SOBOL_BITS; k++)
      v[k] = 1u << (HL_SOBOL_BITS - 1 - k);
    return;
  }
  int degree = polynomials[dimension - 1].degree;
  guint32 inner = polynomials[dimension - 1].inner;
  for (int k = 0; k < degree; k++)
    v[k] = (guint32)polynomials[dimension - 1].m[k] << (HL_SOBOL_BITS - 1 - k);
  for (int k = degree; k < HL_SOBOL_BITS; k++) {
    v[k] = v[k - degree] ^ (v[k - degree] >> degree);
    for (int j = 1; j < degree; j++)
      if ((inner >> (degree - 1 - j) & 1) != 0)
        v[k] ^= v[k - j];
  }
}

guint32 hl_sobol_point (const guint32 v[HL_SOBOL_BITS], guint32 index) {
  guint32 gray = index ^ (index >> 1), point = 0;

  for (int k = 0; gray != 0; k++, gray >>= 1)
    if ((gray & 1) != 0)
      point ^= v[k];
  return point;
}

double hl_sobol_scramble (guint32 point, guint64 seed, int dimension) {
  guint64 stream = (guint64)SCRAMBLING << 32 | (guint64)dimension;
  guint32 out = 0;

  for (int k = 0; k < HL_SOBOL_BITS; k++) {
    /* the digits before this one, behind a leading 1 that marks their number */
    guint64 before = (G_GUINT64_CONSTANT (1) << k) | (k > 0 ? point >> (HL_SOBOL_BITS - k) : 0);
    guint32 digit = point >> (HL_SOBOL_BITS - 1 - k) & 1;
    out = out << 1 | (digit ^ (guint32)(study_random_bits (seed, stream, before) >> 63));
  }
  double rest = hl_study_random_uniform (seed, stream, (G_GUINT64_CONSTANT (1) << HL_SOBOL_BITS) | point);
  return MIN (((double)out + rest) * 0x1p-32, 1.0 - 0x1p-53);
}

const char *const hl_design_names[] = {"grid", "random", "lhs", "sobol", "oat", "saltelli", NULL};

struct _HlDesign {
  HlDesignKind kind;
  int n, n_dimensions, n_rows;
  int *levels;    /* n_dimensions */
  double *factor; /* n_dimensions x n_dimensions: factor of the correlations, column-major; NULL: none */
  guint32 *sobol; /* HL_SOBOL_BITS a dimension, twice as many dimensions for Saltelli's; or NULL */
  guint64 seed;
};

static gboolean refuse_design (GError **error, const char *why) {
  g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, why);
  return FALSE;
}

/* Computes Cholesky's factor; FALSE when the matrix is not symmetric with ones and positive definite. */
static gboolean factorize (HlDesign *self, const double correlation[], GError **error) {
  int n = self->n_dimensions;

  self->factor = g_memdup2 (correlation, sizeof (double) * (gsize)n * (gsize)n);
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = correlation[i + n * j];
      if (correlation[j + n * i] != sum || (i == j && sum != 1.0))
        return refuse_design (error, _ ("correlations are symmetric, with 1 on the diagonal"));
      for (int k = 0; k < j; k++)
        sum -= self->factor[i + n * k] * self->factor[j + n * k];
      if (i == j && !(sum > 1e-12))
        return refuse_design (error, _ ("the correlations contradict each other; make some of them smaller"));
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
                 _ ("the design would have %.0f rows; a study can have 1 to %d"), rows, HL_DESIGN_MOST_ROWS);
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
    refuse_design (error,
                   _ ("correlations need the design random, lhs or sobol; the other designs vary each number "
                      "independently"));
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

static double random_level (const HlDesign *self, int dimension, int row) {
  guint64 stream = 2 * (guint64)dimension, n = (guint64)self->n;
  double u = hl_study_random_uniform (self->seed, stream, (guint64)row);

  if (self->kind == HL_DESIGN_SOBOL)
    return sobol (self, dimension, row);
  if (self->kind == HL_DESIGN_LHS) {
    guint64 part = random_place (self->seed, stream + 1, (guint64)row, n);
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

/* Computes the rows of one base point: A, B, then A with the first, second ... number of B. */
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
      places[k].u = random_level (self, k, row);
    if (self->factor != NULL)
      correlate (self, places);
    break;
  }
}
