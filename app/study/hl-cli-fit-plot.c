/* SPDX-License-Identifier: MIT */
#include "app/study/hl-cli-fit-private.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "ui/paint/chart/hl-paint-plot.h"
#include "ui/paint/page/hl-figure.h"

#include <string.h>

#define MOST_TRACES 8
#define TRACE_HEIGHT_MM 90.0
#define RESIDUAL_PART 0.4 /* of a trace's height */

typedef struct
{
  const HlFit *fit;
  const HlFitAnswer *answer;
  const double *start; /* n_points: the model where the fit began; NULL: it does not run */
} Picture;

static HlPlot
make_plot (const HlFitTrace *trace, HlPlotSeries series[], int n)
{
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

static void
paint_trace (cairo_t *cr, HlRect area, const HlStyle *style, const Picture *picture, int k)
{
  HlFitTrace trace = hl_fit_trace (picture->fit, k);
  HlSamples measured = {.x = trace.t, .y = trace.measured, .n = trace.n},
            model = {.x = trace.t, .y = picture->answer->model + trace.first, .n = trace.n},
            residual = {.x = trace.t, .y = picture->answer->residual + trace.first, .n = trace.n};
  HlSamples before = model;
  g_autofree char *file = g_path_get_basename (trace.file);
  g_autofree char *title = g_strdup_printf ("%s, %s", trace.trace, file);

  before.y = picture->start != NULL ? picture->start + trace.first : NULL;
  HlPlotSeries above[] = {
      {.samples = measured, .label = _ ("measured"), .dots = TRUE, .color = style->ink_soft},
      {.samples = model, .label = _ ("model"), .color = style->accent},
      {.samples = before,
       .label = _ ("before the fit"),
       .dash = HL_DASH_DASHED,
       .color = style->ink_soft}};
  HlPlotSeries below[] = {{.samples = residual, .color = style->accent}};
  HlPlot top = make_plot (&trace, above, picture->start != NULL ? 3 : 2),
         bottom = make_plot (&trace, below, 1);
  HlRect upper = area, lower = area;

  top.title = title;
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
  top.frame_left = bottom.frame_left =
      MAX (layouts[0].frame.x - upper.x, layouts[1].frame.x - lower.x);
  hl_paint_plot (cr, &top, upper, style);
  hl_paint_plot (cr, &bottom, lower, style);
}

static void
paint (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data)
{
  const Picture *picture = data;
  int n = MIN (hl_fit_n_traces (picture->fit), MOST_TRACES);

  for (int k = 0; k < n; k++) {
    HlRect part = area;
    part.height = area.height / n;
    part.y = area.y + k * part.height;
    paint_trace (cr, part, style, picture, k);
  }
}

gboolean
hl_cli_fit_check_picture (const char *path, GError **error)
{
  HlFigureFormat format;

  if (path == NULL || hl_figure_format_from_name (path, &format))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               "name the picture: --plot NAME.svg, NAME.pdf or NAME.png");
  return FALSE;
}

gboolean
hl_cli_fit_save_picture (const HlFit *fit,
                         const HlFitAnswer *answer,
                         const char *path,
                         GError **error)
{
  HlFigureOptions options = hl_figure_options_default ();
  int n = hl_fit_n_numbers (fit);
  g_autofree double *start = g_new (double, 3 * n + 1),
                    *before = g_new (double, hl_fit_n_points (fit) + 1);
  g_autoptr (GError) why = NULL;

  hl_fit_bounds (fit, start, start + n, start + 2 * n);
  g_autofree char *wrong = hl_fit_run (fit, start, before);
  Picture picture = {fit, answer, wrong == NULL ? before : NULL};
  options.height_mm = TRACE_HEIGHT_MM * MIN (hl_fit_n_traces (fit), MOST_TRACES);
  if (hl_figure_save (paint, &picture, path, &options, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}
