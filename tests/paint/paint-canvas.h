/* SPDX-License-Identifier: MIT */
/* An image surface to paint on in tests, and questions to its pixels. A failed question leaves the
 * picture behind. */
#pragma once

#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
  HlRect area;
  HlStyle style;
} Canvas;

Canvas canvas_new (int width, int height, HlStyleKind kind);
void canvas_clear (Canvas *canvas);

/* Counts the pixels that differ clearly from the background within a rectangle. */
int canvas_count_ink (const Canvas *canvas, HlRect rect);
/* Counts the pixels near a colour. */
int canvas_count_color (const Canvas *canvas, HlRect rect, HlColor color);

/* Checks that the picture is neither blank nor cut off: ink inside, none in a border of 1 px round the
 * surface. */
void canvas_assert_whole (Canvas *canvas, const char *name, int min_ink);

/* Extents of everything a painter draws when nothing clips it. */
typedef void (*CanvasPainter) (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data);
HlRect canvas_ink_extents (CanvasPainter painter, gpointer data, HlRect area, HlStyleKind kind);

/* Returns the contrast ratio of two colours by WCAG 2.1, 1 to 21. */
double canvas_contrast (HlColor a, HlColor b);
