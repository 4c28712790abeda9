/* SPDX-License-Identifier: MIT */
/* What the eigenvalue plane has behind everything else: the right half tinted, dotted rays of
 * damping and arcs of frequency. It depends on the axes, the frame and the style alone, so a window
 * may keep its image while poles move. */
#pragma once

#include "ui/paint/chart/hl-paint-locus.h"

void hl_locus_grid_paint (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                          const HlStyle *style);

/* Painted for HlLocusPlot's `grid`, at `scale` device pixels a px. Owned. */
cairo_surface_t *hl_locus_grid_image (const HlLocusPlot *locus, const HlLocusLayout *layout,
                                      const HlStyle *style, int scale);

/* The outermost point of the upper ray of this damping ratio inside a rectangle; NAN = none. */
HlSpot hl_locus_grid_ray_end (const HlLocusPlot *locus, const HlLocusLayout *layout, double zeta,
                              HlRect within);
