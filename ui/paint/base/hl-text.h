/* SPDX-License-Identifier: MIT */
/* Text on a drawing: measured and placed by Pango, with the style's font. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

typedef enum { HL_TEXT_BODY, HL_TEXT_SMALL, HL_TEXT_BOLD } HlTextWeight;

/* Logical size in px of text that may have several lines. */
void hl_text_size (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, double *width,
                   double *height);

/* Box of the text for an anchor: align 0 starts at the point, 0.5 is centred on it, 1 ends there,
 * in x and y. */
HlRect hl_text_box (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, HlSpot at,
                    double align_x, double align_y);

/* Paints it in a colour and returns its box. */
HlRect hl_text_paint (cairo_t *cr, const HlStyle *style, HlTextWeight weight, HlColor color, const char *text,
                      HlSpot at, double align_x, double align_y);

/* Lines of body text about a middle, broken to fit into the width. */
void hl_text_paint_wrapped (cairo_t *cr, const HlStyle *style, HlColor color, const char *text, HlSpot middle,
                            double width);

/* Text on a rounded box with the panel's colours; the box is returned. */
HlRect hl_text_pill (cairo_t *cr, const HlStyle *style, const char *text, HlSpot at, double align_x,
                     double align_y);
HlRect hl_text_pill_box (cairo_t *cr, const HlStyle *style, const char *text, HlSpot at, double align_x,
                         double align_y);

void hl_path_rounded (cairo_t *cr, HlRect rect, double radius);
/* A spiral of two turns that ends at the radius, in the direction `angle` [rad, device]. */
void hl_path_spiral (cairo_t *cr, double x, double y, double radius, double angle);
