/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-fit.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/chart/hl-paint-plot.h"

#define RESIDUAL_PART 0.4 /* of a trace's height */

static HlPlot make_plot (const HlFitPanel *trace, HlPlotSeries series[], int n) {
  HlPlot plot = hl_plot_make ();

  plot.series = series;
  plot.n_series = n;
  plot.x.label = "t";
  plot.x.unit = "s";
  plot.left.unit = trace->unit;
  hl_plot_fit_x (&plot);
  hl_plot_fit_y (&plot);
  return plot;
}

static void paint_panel (cairo_t *cr, HlRect area, const HlStyle *style, const HlFitPanel *panel) {
  HlSamples measured = {.x = panel->t, .y = panel->measured, .n = panel->n},
            model = {.x = panel->t, .y = panel->model, .n = panel->n},
            residual = {.x = panel->t, .y = panel->residual, .n = panel->n},
            before = {.x = panel->t, .y = panel->before, .n = panel->n};
  HlPlotSeries above[] = {
      {.samples = measured, .label = _ ("measured"), .dots = TRUE, .color = style->ink_soft},
      {.samples = model, .label = _ ("model"), .color = style->accent},
      {.samples = before, .label = _ ("before the fit"), .dash = HL_DASH_DASHED, .color = style->ink_soft}};
  HlPlotSeries below[] = {{.samples = residual, .color = style->accent}};
  HlPlot top = make_plot (panel, above, panel->before != NULL ? 3 : 2), bottom = make_plot (panel, below, 1);
  HlRect upper = area, lower = area;

  top.title = panel->title;
  top.hide_x_labels = TRUE;
  bottom.title = _ ("model - measured");
  bottom.hide_legend = TRUE;
  lower.height = RESIDUAL_PART * area.height;
  upper.height = area.height - lower.height;
  lower.y = area.y + upper.height;
  /* the frames of both stand one above the other */
  HlPlotLayout layouts[2];
  hl_plot_layout (cr, &top, upper, style, &layouts[0]);
  hl_plot_layout (cr, &bottom, lower, style, &layouts[1]);
  top.frame_left = bottom.frame_left = MAX (layouts[0].frame.x - upper.x, layouts[1].frame.x - lower.x);
  hl_paint_plot (cr, &top, upper, style);
  hl_paint_plot (cr, &bottom, lower, style);
}

void hl_paint_fit (cairo_t *cr, const HlFitPanel panels[], int n, HlRect area, const HlStyle *style) {
  for (int k = 0; k < n; k++) {
    HlRect part = area;
    part.height = area.height / n;
    part.y = area.y + k * part.height;
    paint_panel (cr, part, style, &panels[k]);
  }
}
