/* SPDX-License-Identifier: MIT */
/* Interpolation, statistics and differences of traces. A trace is the polyline through its samples: all
 * numbers here are those of the polyline, exact whatever the spacing of the samples. A NAN sample breaks it.
 * And the discrete Fourier transform of them. */
#pragma once

#include "core/run/hl-plot-decimation.h"

/* Returns the value of the polyline at x; at a jump (two samples at one x) the value before it or after it.
 * NAN outside the samples and in a gap. */
double hl_samples_before (const HlSamples *samples, double x);
double hl_samples_after (const HlSamples *samples, double x);

typedef struct {
  double from, to; /* the requested range, from <= to */
  double covered;  /* length of x on which the trace is known, 0 when there is none */
  double at_from, at_to;
  double min, max, mean, rms; /* over what is covered; NAN when nothing is */
} HlSpanMeasure;

/* Measures a range of a trace. The mean is the integral over x divided by its length, the root mean square
 * likewise. */
HlSpanMeasure hl_samples_measure (const HlSamples *samples, double from, double to);

/* Returns the same of factor * trace + offset. */
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

/* Amplitude spectrum of a trace between two instants. */

typedef enum {
  HL_WINDOW_HANN,        /* the usual choice: neighbours apart by 2 / T, leakage falls quickly */
  HL_WINDOW_RECTANGULAR, /* for a whole number of periods */
  HL_WINDOW_FLAT_TOP,    /* amplitudes right to 0.02 %, neighbours apart by 5 / T */
  HL_N_WINDOWS
} HlWindowShape;

const char *hl_window_shape_name (HlWindowShape shape); /* "hann", as in the file */
HlWindowShape hl_window_shape_find (const char *name);  /* HANN when unknown */

#define HL_SPECTRUM_MOST 1048576 /* samples used at most */

/* Computes the single-sided spectrum: y is the amplitude of a sine at x [Hz] in the unit of the trace, for
 * every window; at x = 0 it is |mean|. n / 2 + 1 values for n samples, up to half the sampling rate, at
 * distances of 1 / (to - from).
 *
 * Samples at equal distances are taken as they are. Others (a solver's own steps, measured data
 * with gaps in its clock) are read off a cubic through the four nearest samples at the spacing of
 * the average sample halved. The mean is taken off before the window. n = 0 when fewer than four
 * samples are known or the trace has a gap. Owned by the caller. */
HlCurve *hl_spectrum_new (const HlSamples *samples, double from, double to, HlWindowShape shape);

/* Computes out[n]: the trace at n equal distances from `from` on, `step` apart, by the same cubic. */
void hl_samples_resample (const HlSamples *samples, double from, double step, int n, double out[]);

/* Discrete Fourier transform in place, by radix 2. */

/* Computes X_k = sum over j of x_j exp(-2 pi i j k / n), in place.
 *   n   a power of two, >= 1
 *   table   of hl_fft_table for the same n
 *   re, im   n numbers each
 * The inverse is the same with re and im exchanged, divided by n. */
void hl_fft_radix2 (int n, const double table[], double re[], double im[]);

/* Fills table[2 n], which all transforms of that length share. */
void hl_fft_table (int n, double table[]);
