/* SPDX-License-Identifier: MIT */
/* Computes the range of each pixel column: jumps from the first row of a column to that of the next and scans
 * the rows between. A million doubles take about a millisecond; nothing is stored. */
#include "core/run/hl-plot-decimation.h"

#include <math.h>

int hl_samples_count (const HlSamples *samples) {
  return samples->results != NULL ? hl_results_n_rows (samples->results) : samples->n;
}

double hl_samples_x (const HlSamples *samples, int row) {
  return samples->results != NULL ? hl_results_get (samples->results, samples->x_column, row)
                                  : samples->x[row];
}

double hl_samples_y (const HlSamples *samples, int row) {
  return samples->results != NULL ? hl_results_get (samples->results, samples->y_column, row)
                                  : samples->y[row];
}

int hl_samples_span (const HlSamples *samples, int row, const double **x, const double **y) {
  int n_x = 0, n_y = 0;

  if (row >= hl_samples_count (samples))
    return 0;
  if (samples->results == NULL) {
    *x = samples->x + row;
    *y = samples->y + row;
    return samples->n - row;
  }
  *x = hl_results_span (samples->results, samples->x_column, row, &n_x);
  *y = hl_results_span (samples->results, samples->y_column, row, &n_y);
  return MIN (n_x, n_y);
}

/* Contiguous y values from row on. */
static const double *span_y (const HlSamples *samples, int row, int *n) {
  if (samples->results != NULL)
    return hl_results_span (samples->results, samples->y_column, row, n);
  *n = samples->n - row;
  return samples->y + row;
}

/* Returns the first row in [low, high] with x >= value; high when none. */
static int bisect (const HlSamples *samples, double value, int low, int high) {
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (hl_samples_x (samples, middle) < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int hl_samples_lower_bound (const HlSamples *samples, double x) {
  return bisect (samples, x, 0, hl_samples_count (samples));
}

/* Returns the same from a row that is known to be at or before the answer, in time log of the distance. */
static int gallop (const HlSamples *samples, double value, int from, int count) {
  int stride = 1;
  int low = from;

  while (low + stride < count && hl_samples_x (samples, low + stride) < value) {
    low += stride;
    stride *= 2;
  }
  return bisect (samples, value, low, MIN (low + stride, count));
}

/* Finds the range of the rows [from, to); returns the number of finite ones. */
static int scan_range (const HlSamples *samples, int from, int to, double *min, double *max) {
  double low = INFINITY;
  double high = -INFINITY;
  int n_finite = 0;
  int n = 0;

  for (int row = from; row < to; row += n) {
    const double *y = span_y (samples, row, &n);
    n = MIN (n, to - row);
    for (int i = 0; i < n; i++) {
      double value = y[i];
      /* x - x is 0 for finite numbers only; comparisons with NAN are false */
      gboolean finite = value - value == 0.0;
      low = finite && value < low ? value : low;
      high = finite && value > high ? value : high;
      n_finite += finite;
    }
  }
  *min = low;
  *max = high;
  return n_finite;
}

static void fill_ends (const HlSamples *samples, int from, int to, HlDecimated *out) {
  int first = from;
  int last = to - 1;

  while (!isfinite (hl_samples_y (samples, first)))
    first++;
  while (!isfinite (hl_samples_y (samples, last)))
    last--;
  out->first = hl_samples_y (samples, first);
  out->last = hl_samples_y (samples, last);
  out->x_first = hl_samples_x (samples, first);
  out->x_last = hl_samples_x (samples, last);
  /* only a NAN immediately before matters here; earlier columns that end in NAN hand it on */
  out->gap_before = out->gap_before || first > from;
}

int hl_decimate (const HlSamples *samples, const double edges[], int n_columns, HlDecimated out[]) {
  int count = hl_samples_count (samples);
  int row = hl_samples_lower_bound (samples, edges[0]);
  int begin = row;
  gboolean gap = row > 0 && !isfinite (hl_samples_y (samples, row - 1));

  for (int column = 0; column < n_columns; column++) {
    double edge = edges[column + 1];
    /* the last column is closed on both sides */
    int next = row < count
                   ? gallop (samples, column + 1 < n_columns ? edge : nextafter (edge, INFINITY), row, count)
                   : count;

    out[column] = (HlDecimated){.min = NAN, .max = NAN, .first = NAN, .last = NAN, .gap_before = gap};
    if (next > row) {
      out[column].n = scan_range (samples, row, next, &out[column].min, &out[column].max);
      if (out[column].n > 0) {
        fill_ends (samples, row, next, &out[column]);
        gap = FALSE;
      }
      gap = gap || !isfinite (hl_samples_y (samples, next - 1));
    }
    row = next;
  }
  return row - begin;
}

gboolean hl_samples_range (const HlSamples *samples, double from, double to, double *min, double *max) {
  int first = hl_samples_lower_bound (samples, from);
  int end = bisect (samples, nextafter (to, INFINITY), first, hl_samples_count (samples));

  return scan_range (samples, first, end, min, max) > 0;
}

/* Finds the range of x, as that of y with the two columns exchanged. */
gboolean hl_samples_x_extent (const HlSamples *samples, double *min, double *max) {
  HlSamples turned = *samples;

  turned.y = samples->x;
  turned.y_column = samples->x_column;
  return hl_samples_y_extent (&turned, min, max);
}

gboolean hl_samples_y_extent (const HlSamples *samples, double *min, double *max) {
  return scan_range (samples, 0, hl_samples_count (samples), min, max) > 0;
}
