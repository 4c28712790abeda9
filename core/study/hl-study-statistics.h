/* SPDX-License-Identifier: MIT */
/* Statistics of a measure over the rows of a study: its distribution, and its sensitivity to each number. */
#pragma once

#include <glib.h>

typedef struct {
  int n;                  /* values that are numbers */
  double mean, deviation; /* of the sample, n - 1 */
  double min, max;
  double q05, median, q95; /* quantiles, linear between the sorted values */
} HlSpread;

/* Computes the spread of values[n], NAN = left out. All NAN if there are none. */
HlSpread hl_spread_eval (const double values[], int n);
/* Returns the linear correlation of the pairs a[n], b[n] of which both are numbers; NAN when one does not
 * vary. */
double hl_correlation_eval (const double a[], const double b[], int n);

/* Parts of the variance of a measure: by one number alone, and with all that it does together with
 * others; each with the 2.5 % and 97.5 % quantiles of a bootstrap over the base points. */
typedef struct {
  double first, first_low, first_high;
  double total, total_low, total_high;
} HlSobolIndex;

/*   values   n_base (n_dimensions + 2), in the order of HL_DESIGN_SALTELLI; a base point with a NAN is
 *            left out
 *   out      n_dimensions
 * Returns how many base points were used; fewer than 2, or no variance: all NAN.
 * Source: first order A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259, eq. (16), about the mean;
 * total M. J. W. Jansen, Comput. Phys. Commun. 117 (1999) 35. */
int hl_sobol_indices_eval (const double values[], int n_base, int n_dimensions, guint64 seed,
                           HlSobolIndex out[]);
