/* SPDX-License-Identifier: MIT */
/* Value and place on a scale, and the choice of a range. The signed logarithm is asinh, which is a
 * straight line near zero and a logarithm far from it, without a corner between. The ticks are in
 * hl-axis-ticks.c. */
#include "ui/paint/base/hl-axis.h"

#include <math.h>
#include <stdlib.h>

/* Equal steps of it are equal lengths on paper. */
double hl_axis_warp (const HlAxis *axis, double value) {
  if (axis->scale == HL_SCALE_LOG)
    return value > 0.0 ? log10 (value) : -INFINITY;
  if (axis->scale == HL_SCALE_SIGNED_LOG)
    return asinh (0.5 * value / axis->linear_within) / G_LN10;
  return value;
}

static double unwarp (const HlAxis *axis, double place) {
  if (axis->scale == HL_SCALE_LOG)
    return pow (10.0, place);
  if (axis->scale == HL_SCALE_SIGNED_LOG)
    return 2.0 * axis->linear_within * sinh (place * G_LN10);
  return place;
}

HlAxisMap hl_axis_map (const HlAxis *axis) {
  double low = hl_axis_warp (axis, axis->min);

  return (HlAxisMap){*axis, low, hl_axis_warp (axis, axis->max) - low};
}

double hl_axis_fraction (const HlAxis *axis, double value) {
  HlAxisMap map = hl_axis_map (axis);

  return hl_axis_map_fraction (&map, value);
}

double hl_axis_value (const HlAxis *axis, double fraction) {
  double low = hl_axis_warp (axis, axis->min);
  double high = hl_axis_warp (axis, axis->max);

  return unwarp (axis, low + fraction * (high - low));
}

static void set_warped_range (HlAxis *axis, double low, double high) {
  double min = unwarp (axis, low);
  double max = unwarp (axis, high);

  /* a zoom that would leave the numbers' resolution changes nothing */
  if (isfinite (min) && isfinite (max) && max - min > 1e-12 * (fabs (min) + fabs (max))) {
    axis->min = min;
    axis->max = max;
  }
}

void hl_axis_zoom (HlAxis *axis, double fraction, double factor) {
  double low = hl_axis_warp (axis, axis->min);
  double high = hl_axis_warp (axis, axis->max);
  double centre = low + fraction * (high - low);

  set_warped_range (axis, centre + (low - centre) / factor, centre + (high - centre) / factor);
}

void hl_axis_pan (HlAxis *axis, double fraction) {
  double low = hl_axis_warp (axis, axis->min);
  double high = hl_axis_warp (axis, axis->max);

  set_warped_range (axis, low + fraction * (high - low), high + fraction * (high - low));
}

void hl_axis_fit (HlAxis *axis, double min, double max) {
  const double margin = 0.05;

  if (!isfinite (min) || !isfinite (max))
    return;
  if (axis->scale == HL_SCALE_LOG) {
    max = MAX (max, 1e-300);
    min = min > 0.0 ? min : 1e-3 * max;
  }
  /* a constant with rounding noise is a constant: do not blow the noise up to the full height */
  double size = fmax (fabs (min), fabs (max));
  if (axis->scale == HL_SCALE_LINEAR && max - min <= 1e-9 * size) {
    double middle = 0.5 * (min + max);
    double pad = size > 0.0 ? 0.05 * size : 1.0;
    axis->min = middle - pad;
    axis->max = middle + pad;
    return;
  }
  double low = hl_axis_warp (axis, min);
  double high = hl_axis_warp (axis, max);
  double pad = high > low ? margin * (high - low) : 0.5;
  axis->min = unwarp (axis, low - pad);
  axis->max = unwarp (axis, high + pad);
}

double hl_axis_choose_linear_within (const double values[], int n) {
  double largest = 0.0, smallest = INFINITY;

  for (int i = 0; i < n; i++)
    if (isfinite (values[i]))
      largest = fmax (largest, fabs (values[i]));
  /* what is 12 orders below the largest is a rounded zero, not a magnitude of its own */
  for (int i = 0; i < n; i++)
    if (isfinite (values[i]) && fabs (values[i]) > 1e-12 * largest)
      smallest = fmin (smallest, fabs (values[i]));
  double within = isfinite (smallest) ? pow (10.0, floor (log10 (smallest))) : 1.0;
  /* more than nine decades on one half axis cannot be read */
  return largest > 0.0 ? fmax (within, 1e-9 * largest) : within;
}
