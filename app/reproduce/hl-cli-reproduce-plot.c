/* SPDX-License-Identifier: MIT */
/* Plots for paper: their own samples, thinned to visible detail, drawn as lines of one width on steep and on flat
 * parts; several of them on a page. */
#include "app/reproduce/hl-cli-reproduce.h"

#include <math.h>
#include <string.h>

#define VISIBLE 2e-4 /* smallest visible part of a figure's size */

/* Plots in rows and columns; frames of a column line up. */
typedef struct {
  const HlPlot *plots; /* row by row */
  int rows, columns;
} Grid;

/* Marks the points between two kept ones that lie off their line, farthest first (Douglas and
 * Peucker), in units of the curve's whole size. */
static void keep_farthest (const double x[], const double y[], double width, double height, int from, int to,
                           char keep[]) {
  double dx = (x[to] - x[from]) / width, dy = (y[to] - y[from]) / height, length = hypot (dx, dy),
         farthest = VISIBLE;
  int at = -1;

  for (int k = from + 1; k < to; k++) {
    double px = (x[k] - x[from]) / width, py = (y[k] - y[from]) / height;
    double off = length > 0.0 ? fabs (px * dy - py * dx) / length : hypot (px, py);
    if (off > farthest) {
      farthest = off;
      at = k;
    }
  }
  if (at < 0)
    return;
  keep[at] = 1;
  keep_farthest (x, y, width, height, from, at, keep);
  keep_farthest (x, y, width, height, at, to, keep);
}

static int drop_collinear_points (double x[], double y[], int n) {
  g_autofree char *keep = g_new0 (char, n + 1);
  double low = INFINITY, high = -INFINITY;
  int left = 0;

  if (n < 3)
    return n;
  for (int k = 0; k < n; k++) {
    low = fmin (low, y[k]);
    high = fmax (high, y[k]);
  }
  if (high > low && x[n - 1] > x[0])
    keep_farthest (x, y, x[n - 1] - x[0], high - low, 0, n - 1, keep);
  keep[0] = keep[n - 1] = 1;
  for (int k = 0; k < n; k++)
    if (keep[k]) {
      x[left] = x[k];
      y[left++] = y[k];
    }
  return left;
}

void hl_panel_init (HlPanel *panel, const char *title, const char *label, const char *unit) {
  *panel = (HlPanel){.plot = hl_plot_make ()};
  panel->plot.title = title;
  panel->plot.x.label = "t";
  panel->plot.x.unit = "s";
  panel->plot.left.label = label;
  panel->plot.left.unit = unit;
}

void hl_panel_clear (HlPanel *panel) {
  for (int k = 0; k < panel->plot.n_series; k++)
    g_free (panel->samples[k]);
  panel->plot.n_series = 0;
}

HlPlotSeries *hl_panel_add (HlPanel *panel, const double x[], const double y[], int n, const char *label,
                            HlColor color) {
  int k = panel->plot.n_series;

  if (k == HL_PANEL_MOST_SERIES)
    return &panel->series[k - 1];
  panel->samples[k] = g_new (double, 2 * n + 1);
  memcpy (panel->samples[k], x, (gsize)n * sizeof *x);
  memcpy (panel->samples[k] + n, y, (gsize)n * sizeof *y);
  int n_kept = panel->keeps_axes ? n : drop_collinear_points (panel->samples[k], panel->samples[k] + n, n);
  panel->series[k] =
      (HlPlotSeries){.samples = {.x = panel->samples[k], .y = panel->samples[k] + n, .n = n_kept},
                     .label = label,
                     .color = color,
                     .width = HL_PANEL_WIDTH,
                     .unsorted = TRUE};
  panel->plot.n_series++;
  return &panel->series[k];
}

HlPlotSeries *hl_panel_add_column (HlPanel *panel, const HlResults *results, const char *id,
                                   const char *label, HlColor color) {
  int column = hl_results_find_column (results, id), n_rows = hl_results_n_rows (results), n = 0;
  g_autofree double *x = g_new (double, n_rows + 1), *y = g_new (double, n_rows + 1);

  for (int row = 0; row < n_rows && column >= 0; row++) {
    double t = hl_results_get (results, 0, row), value = hl_results_get (results, column, row);
    if (t < panel->from || (panel->to > panel->from && t > panel->to) || isnan (value))
      continue;
    x[n] = t;
    y[n++] = value;
  }
  return hl_panel_add (panel, x, y, n, label, color);
}

/* Sets the range of x: the requested one, or that of the samples. */
static void fit_x_range (HlPanel *panel) {
  panel->plot.series = panel->series;
  panel->plot.hide_legend = panel->plot.n_series == 1;
  if (panel->keeps_axes)
    return;
  if (panel->to > panel->from) {
    panel->plot.x.axis.min = panel->from;
    panel->plot.x.axis.max = panel->to;
  } else
    hl_plot_fit_x (&panel->plot);
  hl_plot_fit_y (&panel->plot);
}

static void paint_grid (cairo_t *cr, HlRect area, const HlStyle *style, gpointer grid) {
  const Grid *all = grid;
  double width = area.width / all->columns, height = area.height / all->rows;

  for (int column = 0; column < all->columns; column++) {
    double left = 0.0, right = 0.0;
    /* the widest labels of a column decide, so that its frames line up */
    for (int pass = 0; pass < 2; pass++)
      for (int row = 0; row < all->rows; row++) {
        HlPlot plot = all->plots[row * all->columns + column];
        HlRect cell = {area.x + column * width, area.y + row * height, width, height};
        HlPlotLayout layout;
        if (pass == 0) {
          hl_plot_layout (cr, &plot, cell, style, &layout);
          left = fmax (left, layout.frame.x - cell.x);
          right = fmax (right, cell.x + cell.width - layout.frame.x - layout.frame.width);
          continue;
        }
        plot.frame_left = left;
        plot.frame_right = right;
        hl_paint_plot (cr, &plot, cell, style);
      }
  }
}

gboolean hl_panels_save (HlReproduction *all, const char *stem, HlPanel panels[], int rows, int columns,
                         double width_mm, double height_mm, GError **error) {
  g_autofree HlPlot *plots = g_new (HlPlot, rows * columns);
  Grid grid = {plots, rows, columns};

  for (int k = 0; k < rows * columns; k++) {
    fit_x_range (&panels[k]);
    plots[k] = panels[k].plot;
  }
  return hl_report_save_figure (&all->report, stem, paint_grid, &grid, width_mm, height_mm, error);
}
