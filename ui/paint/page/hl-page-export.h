/* SPDX-License-Identifier: MIT */
/* Drawings and lesson reports on a page, written as SVG, PDF or PNG by the same painters as the screen. */
#pragma once

#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/chart/hl-paint-locus.h"
#include "ui/paint/linkage/hl-paint-mechanism.h"
#include "ui/paint/chart/hl-paint-plot.h"

#include <gio/gio.h>

typedef enum { HL_FIGURE_SVG, HL_FIGURE_PDF, HL_FIGURE_PNG } HlFigureFormat;

typedef struct {
  double width_mm, height_mm;
  double dpi;          /* PNG only */
  double font_size_pt; /* body text */
  HlStyleKind style;
  gboolean transparent; /* no background */
  const char *title;    /* of the file: the name of the model; NULL: none */
  const char *revision; /* of the model; NULL: not known */
} HlFigureOptions;

/* Returns 160 x 90 mm, 192 dpi, 8 pt, print style. */
HlFigureOptions hl_figure_options_default (void);

/* Finds the format from the extension .svg, .pdf or .png; FALSE for others. */
gboolean hl_figure_format_from_name (const char *file_name, HlFigureFormat *format);

/* Paints one drawing into the page: area is in points of 1/72 inch scaled by the style already. */
typedef void (*HlFigurePainter) (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data);

/* Paints a page whose user unit is a point of 1/72 inch: for previews and printers. */
void hl_figure_paint_page (cairo_t *cr, HlFigurePainter painter, gpointer data,
                           const HlFigureOptions *options);

/* Renders a page to memory. */
GBytes *hl_figure_render (HlFigurePainter painter, gpointer data, HlFigureFormat format,
                          const HlFigureOptions *options, GError **error);

/* Renders a page and replaces the file at once. The format follows the name's ending. */
gboolean hl_figure_save (HlFigurePainter painter, gpointer data, const char *file_name,
                         const HlFigureOptions *options, GError **error);

/* Painters for hl_figure_save: data is the drawing. Circuit and linkage are fitted to the page. */
void hl_figure_paint_plot (cairo_t *cr, HlRect area, const HlStyle *style, gpointer plot);
void hl_figure_paint_locus (cairo_t *cr, HlRect area, const HlStyle *style, gpointer locus);
void hl_figure_paint_circuit (cairo_t *cr, HlRect area, const HlStyle *style, gpointer circuit_picture);
void hl_figure_paint_mechanism (cairo_t *cr, HlRect area, const HlStyle *style, gpointer mechanism_picture);

/* Several plots in one column, sharing the x axis and one width of frame. */
typedef struct {
  const HlPlot *plots;
  int n_plots;
} HlPlotStack;
void hl_figure_paint_stack (cairo_t *cr, HlRect area, const HlStyle *style, gpointer stack);

/* The report of a lesson on paper: one sheet as wide as A4 and as long as it needs to be. */

/* Writes the text of a report, whose first line is its title, as PDF. FALSE and HL_ERROR_FILE when it
 * cannot be written. */
gboolean hl_lesson_sheet_save (const char *text, const char *path, GError **error);
