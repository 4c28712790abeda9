/* SPDX-License-Identifier: MIT */
/* Text on a drawing: measured, shortened and placed by Pango, with the style's font; badges; and where long
 * words may be broken. */
#pragma once

#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

#include <pango/pango.h>
#include <cairo.h>
#include <glib.h>

typedef enum { HL_TEXT_BODY, HL_TEXT_SMALL, HL_TEXT_BOLD } HlTextWeight;

/* Computes the logical size in px of text that may have several lines. */
void hl_text_size (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, double *width,
                   double *height);

/* Returns the box of the text for an anchor: align 0 starts at the point, 0.5 is centred on it, 1 ends there,
 * in x and y. */
HlRect hl_text_box (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, HlSpot at,
                    double align_x, double align_y);

/* Paints it in a colour and returns its box. */
HlRect hl_text_paint (cairo_t *cr, const HlStyle *style, HlTextWeight weight, HlColor color, const char *text,
                      HlSpot at, double align_x, double align_y);

/* Paints lines of body text about a middle, wrapped to the width. */
void hl_text_paint_wrapped (cairo_t *cr, const HlStyle *style, HlColor color, const char *text, HlSpot middle,
                            double width);

/* Returns the text on a rounded box with the panel's colours; the box is returned. */
HlRect hl_text_pill (cairo_t *cr, const HlStyle *style, const char *text, HlSpot at, double align_x,
                     double align_y);
HlRect hl_text_pill_box (cairo_t *cr, const HlStyle *style, const char *text, HlSpot at, double align_x,
                         double align_y);

void hl_path_rounded (cairo_t *cr, HlRect rect, double radius);
/* Adds a spiral of two turns that ends at the radius, in the direction `angle` [rad, device]. */
void hl_path_spiral (cairo_t *cr, double x, double y, double radius, double angle);

/* Texts that are too long for their place. */

/* Returns the text, or its beginning and end with "…" between, no wider than that; at least "…". Owned by the
 * caller. */
char *hl_text_elide (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, double width);

/* Returns how long a text on a drawing of that width may be before it is shortened [px]: half of it, or what
 * a name with its value takes, but never more than there is. */
double hl_text_most (const HlStyle *style, double drawing_width);
/* Returns the text as far as it fits into that width, and its size in px. What had to be shortened is kept in
 * *cut, NULL otherwise, owned by the caller; the returned text is valid as long as both. */
const char *hl_text_fit (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text,
                         double most, char **cut, double *width, double *height);

/* The mark of a problem beside a drawn element: a sign, not a colour alone. */

#define HL_BADGE_RADIUS 0.62 /* of the font */

/* Texts of an SVG file, which cairo would write as outlines of letters. On a surface that collects them each run of a text
 * leaves an almost transparent mark in the drawing, whose color is the number of the run, and an element <text>. */

#define HL_TEXT_MARK_ALPHA (3.0 / 256.0)
#define HL_TEXT_MARK_DIGITS "0\\.01171[0-9]*" /* the same in an SVG file, as a regular expression */

/* Lets a surface, in points, collect its texts as elements (char *) in an array that outlives its drawing. */
void hl_text_collect (cairo_surface_t *surface, GPtrArray *elements);
/* Shows a layout at the current point, as pango_cairo_show_layout () does, or collects it. */
void hl_text_show_layout (cairo_t *cr, PangoLayout *layout);

/* Paints a badge with its middle at a spot (device px). */
void hl_badge_paint (cairo_t *cr, HlSpot at, const HlStyle *style);

/* Places where long words may be broken. */

/* Returns the text with a soft hyphen at each place where a long word of it may be broken at the end of a
 * line, by the rules of German, whose compounds are longer than a narrow column. Short words and
 * words of other letters than Latin ones stay as they are. Owned by the caller. */
char *hl_syllables_german (const char *text);

/* Returns the same in German; elsewhere a copy. Owned by the caller. */
char *hl_syllables_break (const char *text);
