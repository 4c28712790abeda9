/* SPDX-License-Identifier: MIT */
/* Colours, widths and fonts of every drawing, as one plain struct; light and dark for the screen,
 * print for paper. */
#pragma once

#include <cairo.h>
#include <glib.h>

typedef struct {
  double r, g, b, a; /* 0..1, not premultiplied */
} HlColor;

typedef enum { HL_STYLE_LIGHT, HL_STYLE_DARK, HL_STYLE_PRINT } HlStyleKind;

typedef enum { HL_DASH_SOLID, HL_DASH_DASHED, HL_DASH_DOTTED, HL_DASH_DASH_DOT, HL_N_DASHES } HlDash;

#define HL_STYLE_N_TRACES 8

typedef struct {
  HlStyleKind kind;
  gboolean is_contrast;    /* high contrast */
  const char *font_family; /* borrowed, static text in the made styles */
  double font_size;        /* body text [px]; small text is 0.86 of it, titles 1.0 in bold */

  HlColor background; /* canvas */
  HlColor panel;      /* boxes, pills, read-outs */
  HlColor border;     /* their outline */
  HlColor ink;        /* symbols, text, joints */
  HlColor ink_soft;   /* labels, tick labels */
  HlColor grid;       /* major grid lines, dots */
  HlColor grid_minor;
  HlColor accent; /* selection, time cursor, angle arcs */
  HlColor hover;
  HlColor problem; /* badges, right half plane edge */
  HlColor warning;
  HlColor good;
  HlColor unstable; /* tint of the right half plane */
  HlColor ghost;    /* the run before, in plots */
  HlColor link;     /* fill of bodies */
  HlColor link_edge;
  HlColor symbol; /* fill of symbols (paper) */
  HlColor piston;
  HlColor trace[HL_STYLE_N_TRACES]; /* distinguishable with any colour vision, on this background */

  double line_width;      /* symbols, axes frame [px] */
  double wire_width;      /* hydraulic lines [px] */
  double trace_width;     /* plot series [px] */
  double hair_width;      /* grid, thin marks [px] */
  double joint_radius;    /* pin circles [px] */
  double link_width;      /* bar of a body [px] */
  gboolean fill_pressure; /* FALSE: lines in ink (print), pressure only as text */
} HlStyle;

/* Returns a complete style. font_family and font_size may be changed afterwards. */
HlStyle hl_style_make (HlStyleKind kind);

/* Returns the same style in high contrast: text at 7:1, lines and marks at 4.5:1 with what they lie on
 * (WCAG 2.1, level AAA, and its 4.5:1 for text taken for lines), and broader lines. On paper as it is. */
HlStyle hl_style_contrast (const HlStyle *style);

/* Returns the same style with all widths, radii and the font multiplied by factor. */
HlStyle hl_style_scaled (const HlStyle *style, double factor);

/* Returns the colour and dash of the index-th trace: colours repeat after HL_STYLE_N_TRACES with the next
 * dash.
 */
HlColor hl_style_trace_color (const HlStyle *style, int index);
HlDash hl_style_trace_dash (const HlStyle *style, int index);
/* Returns the color of the turn-th curve under n_traces traces, from 0: none of theirs, and the same for the
 * same turn beside any few traces. */
HlColor hl_style_ghost_color (const HlStyle *style, int turn, int n_traces);

HlColor hl_color_with_alpha (HlColor color, double alpha);
HlColor hl_color_mix (HlColor a, HlColor b, double fraction); /* 0 = a, 1 = b */
void hl_color_set (cairo_t *cr, HlColor color);               /* cairo source */

/* Fills an area with the style's background. The painters of drawings do not clear what they paint
 * on. */
void hl_paint_background (cairo_t *cr, double x, double y, double width, double height, const HlStyle *style);

/* Sets cairo's dash pattern for a line of this width. */
void hl_dash_set (cairo_t *cr, HlDash dash, double width);

/* Returns the colour of a pressure: perceptually even (viridis-like), cut so that both ends stay visible on
 * the style's background. fraction is clamped to 0..1; NAN gives the ink. In a style without fill_pressure it
 * is always the ink. */
HlColor hl_style_pressure_color (const HlStyle *style, double fraction);

/* Paints the pressure map as a bar width x height px with its top left corner at x, y and the labels above
 * its ends. */
void hl_paint_pressure_legend (cairo_t *cr, const HlStyle *style, double x, double y, double width,
                               double height, const char *low_label, const char *high_label);

/* The colours of the window and of its drawings in one table: the style sheet and HlStyle read the same rows, so that a
 * selected row and a selected symbol have the same colour in every palette. */

typedef enum {
  HL_PALETTE_LIGHT,
  HL_PALETTE_DARK,
  HL_PALETTE_CONTRAST_LIGHT,
  HL_PALETTE_CONTRAST_DARK,
  HL_N_PALETTES
} HlTokenPalette;

/* Returns the palette as a style sheet: one "@define-color hl_NAME #rrggbb;" a token. Owned by the caller. */
char *hl_tokens_css (HlTokenPalette palette);
