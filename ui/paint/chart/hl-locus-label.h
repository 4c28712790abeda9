/* SPDX-License-Identifier: MIT */
/* What is written in an eigenvalue plane, and where: crossings of the stability axis and the zeros,
 * inside the frame, on no pole and not on each other. */
#pragma once

#include "ui/paint/chart/hl-paint-locus.h"

#define HL_LOCUS_MOST_LABELS 40
/* Half a side of the square of a pole, for a font of 13 px. */
#define HL_LOCUS_SQUARE_PX 7.5

typedef struct {
  HlRect box;       /* of the pill */
  HlSpot at;        /* what it speaks of */
  const char *text; /* borrowed from the plot */
} HlLocusLabel;

/* Fills at most max labels; their number. A crossing whose label finds no room has none: its mark
 * and the read-out remain. */
int hl_locus_labels (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout, const HlStyle *style,
                     HlLocusLabel labels[], int max);
