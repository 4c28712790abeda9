/* SPDX-License-Identifier: MIT */
/* Smallest and largest value in each pixel column: reduces a million samples to a thousand pixels, and keeps
 * a spike of one sample visible. */
#pragma once

#include "core/run/hl-run-results.h"

#include <glib.h>

/* Samples with rising x: two columns of results, or (results NULL) two plain arrays of n numbers.
 * Lent for the call. */
typedef struct {
  const HlResults *results;
  int x_column;
  int y_column;
  const double *x; /* n; NULL: the column x_column of results */
  const double *y; /* n; NULL: the column y_column */
  int n;
} HlSamples;

/* Samples of one pixel column. n = 0: no sample. NAN samples interrupt the line and are not counted. */
typedef struct {
  int n;
  double min, max;    /* of the finite samples of this column */
  double first, last; /* in order of x */
  double x_first, x_last;
  gboolean gap_before; /* a NAN stands between this column's first sample and the finite one before it */
} HlDecimated;

/* Returns the number of samples, and one of them; NAN where it is not known. */
int hl_samples_count (const HlSamples *samples);
double hl_samples_x (const HlSamples *samples, int row);
double hl_samples_y (const HlSamples *samples, int row);

/* Returns in *x and *y contiguous arrays of the samples from a row on, borrowed; returns their number, 0
 * behind the last row. */
int hl_samples_span (const HlSamples *samples, int row, const double **x, const double **y);

/* Finds the range from *min to *max of all finite x, or y; FALSE when there is none. */
gboolean hl_samples_x_extent (const HlSamples *samples, double *min, double *max);
gboolean hl_samples_y_extent (const HlSamples *samples, double *min, double *max);

/* Returns the first row with x >= value (count when none): binary search. */
int hl_samples_lower_bound (const HlSamples *samples, double x);

/* Fills out[n_columns]; column c takes the samples with edges[c] <= x < edges[c + 1] (the last one
 * also x = its upper edge); edges[n_columns + 1] rise. Returns the number of samples examined. */
int hl_decimate (const HlSamples *samples, const double edges[], int n_columns, HlDecimated out[]);

/* Finds the range from *min to *max of the finite y of the samples with x in [from, to]; FALSE when there is
 * none. */
gboolean hl_samples_range (const HlSamples *samples, double from, double to, double *min, double *max);
