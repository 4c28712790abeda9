/* SPDX-License-Identifier: MIT */
/* Names of null eigenvalues. The null space of the scaled J is brought to echelon form, and each of
 * its vectors is named by the states that it moves: a pressure that keeps its value is trapped oil;
 * an angle that nothing brings back is a heading; a place that nothing brings back is a free
 * position; what is left is a free component state. */
#include "core/analysis/hl-null-name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/hl-linalg.h"

/* Entries of an echelon vector below this part of its largest are rounding. */
#define NEGLIGIBLE 1.0e-6

static bool
ends_with (const char *text, const char *tail)
{
  size_t n = strlen (text), m = strlen (tail);
  return n >= m && strcmp (text + n - m, tail) == 0;
}

static const char *
name_vector (const HlLinearization *lin, const double v[])
{
  double largest = 0.0;
  bool pressure = false, angle = false, place = false;

  for (int k = 0; k < lin->n; k++)
    largest = fmax (largest, fabs (v[k]));
  for (int k = 0; k < lin->n; k++) {
    if (fabs (v[k]) <= NEGLIGIBLE * largest)
      continue;
    pressure = pressure || ends_with (lin->state_names[k], ".pressure");
    angle = angle || ends_with (lin->state_names[k], ".angle");
    place = place || ends_with (lin->state_names[k], ".x") || ends_with (lin->state_names[k], ".y");
  }
  return pressure ? "trapped oil" : angle ? "heading" : place ? "position" : "free state";
}

/* Reduces the columns of basis (n x count) so that each has its own pivot row with 0 in the others.
 */
static void
echelon (int n, int count, double basis[])
{
  for (int col = 0; col < count; col++) {
    int pivot_row = -1, pivot_col = col;
    double best = 0.0;
    for (int c = col; c < count; c++)
      for (int row = 0; row < n; row++)
        if (fabs (basis[c * n + row]) > best) {
          best = fabs (basis[c * n + row]);
          pivot_row = row;
          pivot_col = c;
        }
    if (pivot_row < 0)
      return;
    for (int row = 0; row < n; row++) {
      double swap = basis[col * n + row];
      basis[col * n + row] = basis[pivot_col * n + row];
      basis[pivot_col * n + row] = swap;
    }
    double pivot = basis[col * n + pivot_row];
    for (int row = 0; row < n; row++)
      basis[col * n + row] /= pivot;
    for (int c = 0; c < count; c++) {
      double share = c == col ? 0.0 : basis[c * n + pivot_row];
      for (int row = 0; row < n && share != 0.0; row++)
        basis[c * n + row] -= share * basis[col * n + row];
    }
  }
}

void
hl_linearization_name_nulls (HlLinearization *lin)
{
  size_t n = (size_t)lin->n;

  lin->null_names = calloc ((size_t)lin->n_null_blocks + 1, sizeof (char *));
  if (lin->n_null_blocks == 0)
    return;
  double *a = calloc (n * n + 1, sizeof *a), *v = calloc (n * n + 1, sizeof *v),
         *sigma = calloc (n + 1, sizeof *sigma);
  HlLinalgWork *lw = hl_linalg_work_new (lin->n, lin->n);

  for (size_t col = 0; col < n; col++)
    for (size_t row = 0; row < n; row++)
      a[col * n + row] = lin->J[col * n + row] * lin->scale[col] / lin->scale[row];
  /* rows of one size: the rank has been decided elsewhere, here only the directions count */
  for (size_t row = 0; row < n; row++) {
    double largest = 0.0;
    for (size_t col = 0; col < n; col++)
      largest = fmax (largest, fabs (a[col * n + row]));
    for (size_t col = 0; col < n && largest > 0.0; col++)
      a[col * n + row] /= largest;
  }
  if (hl_right_singular (lin->n, lin->n, a, sigma, v, lw) == HL_OK) {
    double *basis = v + (n - (size_t)lin->n_null_blocks) * n;
    echelon (lin->n, lin->n_null_blocks, basis);
    for (int k = 0; k < lin->n_null_blocks; k++) {
      const char *name = name_vector (lin, basis + (size_t)k * n);
      lin->null_names[k] = strcpy (malloc (strlen (name) + 1), name);
    }
  }
  hl_linalg_work_free (lw);
  free (a);
  free (v);
  free (sigma);
}
