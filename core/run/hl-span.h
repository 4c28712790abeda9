/* SPDX-License-Identifier: MIT */
/* What a trace does between two instants, and the trace that two others differ by. A trace is the
 * polyline through its samples: all numbers here are those of the polyline, exact whatever the
 * spacing of the samples. A NAN sample breaks it. */
#pragma once

#include "core/run/hl-decimate.h"

/* Value of the polyline at x; at a jump (two samples at one x) the value before it or after it. NAN
 * outside the samples and in a gap. */
double hl_samples_before (const HlSamples *samples, double x);
double hl_samples_after (const HlSamples *samples, double x);

typedef struct {
  double from, to; /* what was asked for, from <= to */
  double covered;  /* length of x on which the trace is known, 0 when there is none */
  double at_from, at_to;
  double min, max, mean, rms; /* over what is covered; NAN when nothing is */
} HlSpanMeasure;

/* The mean is the integral over x divided by its length, the root mean square likewise. */
HlSpanMeasure hl_samples_measure (const HlSamples *samples, double from, double to);

/* The same of factor * trace + offset. */
HlSpanMeasure hl_span_measure_scaled (const HlSpanMeasure *measure, double factor, double offset);

/* Plain samples with an owner. */
typedef struct {
  int n;
  double *x, *y; /* n */
} HlCurve;

/* Frees the samples too; NULL is fine. */
void hl_curve_free (HlCurve *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCurve, hl_curve_free)
HlSamples hl_curve_samples (const HlCurve *curve); /* lends */

/* (a_factor * a + a_offset) - (b_factor * b + b_offset), where both are known, at the samples of
 * either, so that no corner of one is cut by the spacing of the other. Owned by the caller; n may
 * be 0. */
typedef struct {
  double factor, offset;
} HlScaling;
HlCurve *hl_samples_difference (const HlSamples *a, const HlScaling *a_scaling, /* NULL: as it is */
                                const HlSamples *b, const HlScaling *b_scaling);
