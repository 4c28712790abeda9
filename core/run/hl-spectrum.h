/* SPDX-License-Identifier: MIT */
/* Amplitude spectrum of a trace between two instants. */
#pragma once

#include "core/run/hl-span.h"

typedef enum {
  HL_WINDOW_HANN,        /* the usual choice: neighbours apart by 2 / T, leakage falls quickly */
  HL_WINDOW_RECTANGULAR, /* for a whole number of periods */
  HL_WINDOW_FLAT_TOP,    /* amplitudes right to 0.02 %, neighbours apart by 5 / T */
  HL_N_WINDOWS
} HlWindowShape;

const char *hl_window_shape_name (HlWindowShape shape); /* "hann", as in the file */
HlWindowShape hl_window_shape_find (const char *name);  /* HANN when unknown */

#define HL_SPECTRUM_MOST 1048576 /* samples used at most */

/* Single-sided: y is the amplitude of a sine at x [Hz] in the unit of the trace, whatever the
 * window; at x = 0 stands |mean|. n / 2 + 1 values for n samples, up to half the sampling rate;
 * neighbours are 1 / (to - from) apart.
 *
 * Samples at equal distances are taken as they are. Others (a solver's own steps, measured data
 * with gaps in its clock) are read off a cubic through the four nearest samples at the spacing of
 * the average sample halved. The mean is taken off before the window. n = 0 when fewer than four
 * samples are known or the trace has a gap. Owned by the caller. */
HlCurve *hl_spectrum_new (const HlSamples *samples, double from, double to, HlWindowShape shape);

/* out[n]: the trace at n equal distances from `from` on, `step` apart, by the same cubic. */
void hl_samples_resample (const HlSamples *samples, double from, double step, int n, double out[]);
