/* SPDX-License-Identifier: MIT */
/* Ranges of a slider, painted along its trough: where a target is met. They take no place of their
 * own, and the slider does not catch on their ends as it does on marks. */
#pragma once

#include <gtk/gtk.h>

#define HL_TYPE_SLIDER_BAND (hl_slider_band_get_type ())
G_DECLARE_FINAL_TYPE (HlSliderBand, hl_slider_band, HL, SLIDER_BAND, GtkDrawingArea)

/* To be laid over a horizontal scale from 0 to 1 that does not grow to the left. */
GtkWidget *hl_slider_band_new (GtkRange *range);
/* Ends of n ranges as fractions of the slider's way, from the left; n = 0: none. */
void hl_slider_band_set (HlSliderBand *self, const double ends[][2], int n);
/* Where a fraction lies [px of the scale]. */
double hl_slider_band_x (HlSliderBand *self, double fraction);
