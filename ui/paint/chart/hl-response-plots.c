/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-response-plots.h"

#include "core/base/hl-i18n.h"

#include <math.h>
#include <string.h>

#define LEFT_EM 5.0 /* both Bode plots have their frames here */
#define TIP_STEPS 200

HlResponseColumns hl_response_columns_make (const HlResponseStudy *study) {
  HlResponseColumns c = {g_new0 (double, study->n + 1), g_new0 (double, study->n + 1),
                         g_new0 (double, 2 * study->n + 1), g_new0 (double, 2 * study->n + 1)};

  for (int k = 0; k < study->n; k++) {
    c.decibels[k] = study->magnitude[k] > 0.0 ? 20.0 * log10 (study->magnitude[k]) : NAN;
    c.degrees[k] = study->phase[k] * 180.0 / G_PI;
    c.re[k] = study->re[k];
    c.im[k] = study->im[k];
    c.re[2 * study->n - 1 - k] = study->re[k];
    c.im[2 * study->n - 1 - k] = -study->im[k];
  }
  return c;
}

void hl_response_columns_clear (HlResponseColumns *columns) {
  g_free (columns->decibels);
  g_free (columns->degrees);
  g_free (columns->re);
  g_free (columns->im);
}

HlPlotSeries hl_response_series (const double x[], const double y[], int n, HlColor color) {
  return (HlPlotSeries){.samples = {.x = x, .y = y, .n = n}, .color = color, .unsorted = TRUE, .quiet = TRUE};
}

HlColor hl_response_color (const HlStyle *style, gboolean is_ghost) {
  HlColor color = hl_style_trace_color (style, 0);
  return is_ghost ? hl_color_mix (color, style->background, 0.6) : color;
}

HlPlot hl_response_empty_plot (const HlResponsePicture *picture) {
  HlPlot plot = hl_plot_make ();

  plot.hide_legend = TRUE;
  plot.hovered_series = -1;
  plot.empty_text = picture->empty_text;
  return plot;
}

/* Range of finite samples, FALSE when there is none. */
static gboolean widen (const double values[], int n, double *low, double *high) {
  for (int k = 0; k < n; k++)
    if (isfinite (values[k])) {
      *low = fmin (*low, values[k]);
      *high = fmax (*high, values[k]);
    }
  return *low <= *high;
}

static void make_bode (HlResponsePlots *bode, const HlResponsePicture *picture, HlRect area,
                       const HlStyle *style) {
  static const char *const units[] = {"dB", "°"};
  const char *const titles[] = {_ ("Magnitude"), _ ("Phase")};
  const HlResponseStudy *studies[] = {picture->ghost, picture->study};
  HlResponseColumns *columns[] = {&bode->ghost, &bode->now};

  for (int k = 0; k < 2; k++)
    if (studies[k] != NULL)
      *columns[k] = hl_response_columns_make (studies[k]);
  bode->n = 2;
  for (int which = 0; which < 2; which++) {
    HlPlot *plot = &bode->plots[which];
    double low = INFINITY, high = -INFINITY;
    *plot = hl_response_empty_plot (picture);
    bode->curves[which] = which == 0 ? HL_RESPONSE_MAGNITUDE : HL_RESPONSE_PHASE;
    plot->left.label = titles[which];
    plot->left.axis.in_degrees = which == 1;
    plot->left.unit = units[which];
    plot->x.label = "f";
    plot->x.unit = "Hz";
    plot->series = bode->series[which];
    plot->frame_left = LEFT_EM * style->font_size;
    bode->areas[which] = (HlRect){area.x, area.y + 0.5 * which * area.height, area.width, 0.5 * area.height};
    for (int k = 0; k < 2; k++) {
      if (studies[k] == NULL)
        continue;
      const double *y = which == 0 ? columns[k]->decibels : columns[k]->degrees;
      bode->series[which][plot->n_series++] =
          hl_response_series (studies[k]->f, y, studies[k]->n, hl_response_color (style, k == 0));
      widen (y, studies[k]->n, &low, &high);
    }
    if (picture->study == NULL)
      continue;
    plot->x.axis.scale = HL_SCALE_LOG;
    plot->x.axis.min = picture->study->f[0];
    plot->x.axis.max = picture->study->f[picture->study->n - 1];
    if (low <= high)
      hl_axis_fit (&plot->left.axis, low, high);
  }
}

static void make_step (HlResponsePlots *step, const HlResponsePicture *picture, HlRect area,
                       const HlStyle *style) {
  const HlResponseStudy *studies[] = {picture->ghost, picture->study};
  double factor = picture->output_unit != NULL ? 1.0 / picture->output_unit->factor : 1.0;
  double low = 0.0, high = 0.0;
  HlPlot *plot = &step->plots[0];

  step->n = 1;
  step->areas[0] = area;
  step->curves[0] = HL_RESPONSE_ANSWER;
  *plot = hl_response_empty_plot (picture);
  plot->x.label = "t";
  plot->x.unit = "s";
  plot->left.label = picture->output_label;
  plot->left.unit = picture->output_unit != NULL ? picture->output_unit->symbol : NULL;
  plot->series = step->series[0];
  for (int k = 0; k < 2; k++) {
    if (studies[k] == NULL)
      continue;
    HlPlotSeries *one = &step->series[0][plot->n_series++];
    *one = hl_response_series (studies[k]->t, studies[k]->y, studies[k]->n_times,
                               hl_response_color (style, k == 0));
    one->y_factor = factor;
    widen (studies[k]->y, studies[k]->n_times, &low, &high);
    plot->x.axis.max = studies[k]->t[studies[k]->n_times - 1];
  }
  plot->x.axis.min = 0.0;
  if (high > low)
    hl_axis_fit (&plot->left.axis, low * factor, high * factor);
}

gboolean hl_response_is_still (const HlResponseStudy *study) {
  for (int k = 0; k < study->n; k++)
    if (study->magnitude[k] > 0.0)
      return FALSE;
  return TRUE;
}

const char *hl_response_still_text (void) {
  return _ ("This input does not move this output as the model stands: the answer is zero.");
}

/* A zero on a logarithmic axis is nowhere: words instead of an empty frame. */
static void tell_still (HlResponsePlots *plots) {
  for (int which = 0; which < plots->n; which++) {
    plots->plots[which].n_series = 0;
    plots->plots[which].empty_text = which == 0 ? hl_response_still_text () : NULL;
  }
}

static void add_tips (HlResponsePlots *plots, const HlResponsePicture *picture) {
  for (int which = 0; which < plots->n && picture->study != NULL; which++) {
    HlPlot *plot = &plots->plots[which];
    plots->tips[which] = g_new0 (HlPlotPoint, picture->n_tips + 1);
    for (int i = 0; i < picture->n_tips; i++) {
      HlPlotPoint *point = &plots->tips[which][i];
      if (picture->tips[i].curve != plots->curves[which] ||
          !hl_plot_point_on (plot, plot->n_series - 1, picture->tips[i].at, point))
        point->series = -1;
    }
    plot->tips = plots->tips[which];
    plot->n_tips = picture->n_tips;
    plot->selected_tip = picture->selected_tip;
  }
}

void hl_response_plots_init (HlResponsePlots *plots, const HlResponsePicture *picture, HlRect area,
                             const HlStyle *style) {
  memset (plots, 0, sizeof *plots);
  if (picture->view == HL_RESPONSE_BODE)
    make_bode (plots, picture, area, style);
  else if (picture->view == HL_RESPONSE_STEP)
    make_step (plots, picture, area, style);
  if (picture->study != NULL && picture->ghost == NULL && hl_response_is_still (picture->study))
    tell_still (plots);
  else
    add_tips (plots, picture);
}

void hl_response_plots_clear (HlResponsePlots *plots) {
  hl_response_columns_clear (&plots->now);
  hl_response_columns_clear (&plots->ghost);
  g_free (plots->tips[0]);
  g_free (plots->tips[1]);
}

/* ---- what lies where ---- */

gboolean hl_response_at (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                         HlSpot at, double *x) {
  HlResponsePlots plots;
  gboolean found = FALSE;

  hl_response_plots_init (&plots, picture, area, style);
  for (int k = 0; k < plots.n && !found && picture->study != NULL; k++) {
    HlPlotLayout layout;
    hl_plot_layout (cr, &plots.plots[k], plots.areas[k], style, &layout);
    found = hl_rect_contains (layout.frame, at);
    *x = hl_plot_x_at (&layout, &plots.plots[k], at.x);
  }
  hl_response_plots_clear (&plots);
  return found;
}

void hl_response_tip_spots (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                            HlSpot spots[]) {
  HlResponsePlots plots;

  hl_response_plots_init (&plots, picture, area, style);
  for (int i = 0; i < picture->n_tips; i++)
    spots[i] = (HlSpot){NAN, NAN};
  for (int k = 0; k < plots.n; k++) {
    HlPlotLayout layout;
    hl_plot_layout (cr, &plots.plots[k], plots.areas[k], style, &layout);
    for (int i = 0; i < plots.plots[k].n_tips; i++) {
      const HlPlotPoint *tip = &plots.tips[k][i];
      if (tip->series >= 0)
        spots[i] = (HlSpot){hl_plot_device_x (&layout, &plots.plots[k], tip->x),
                            hl_plot_device_y (&layout, &plots.plots[k], tip->y, FALSE)};
    }
  }
  hl_response_plots_clear (&plots);
}

gboolean hl_response_tip_near (cairo_t *cr, const HlResponsePicture *picture, HlRect area,
                               const HlStyle *style, HlSpot at, double reach_px, HlResponseTip *tip) {
  HlResponsePlots plots;
  gboolean found = FALSE;

  hl_response_plots_init (&plots, picture, area, style);
  for (int k = 0; k < plots.n && !found && picture->study != NULL; k++) {
    HlPlotLayout layout;
    HlPlotPoint point;
    const HlPlot *plot = &plots.plots[k];
    hl_plot_layout (cr, plot, plots.areas[k], style, &layout);
    if (!hl_rect_contains (layout.frame, at) || !hl_plot_point_at (&layout, plot, at, reach_px, &point) ||
        !hl_plot_point_along (&layout, plot, plot->n_series - 1, at, &point))
      continue;
    *tip = (HlResponseTip){plots.curves[k], hl_plot_point_where (plot, &point)};
    found = TRUE;
  }
  hl_response_plots_clear (&plots);
  return found;
}

/* To a device x, by so many px from where the tip lies when `from_tip`. */
static void move_tip (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                      gboolean from_tip, double x, HlResponseTip *tip) {
  HlResponsePlots plots;

  hl_response_plots_init (&plots, picture, area, style);
  for (int k = 0; k < plots.n && picture->study != NULL; k++) {
    HlPlotLayout layout;
    HlPlotPoint point;
    const HlPlot *plot = &plots.plots[k];
    int series = plot->n_series - 1;
    if (plots.curves[k] != tip->curve || plot->n_series == 0)
      continue;
    hl_plot_layout (cr, plot, plots.areas[k], style, &layout);
    HlSpot to = {x, layout.frame.y};
    if (from_tip && hl_plot_point_on (plot, series, tip->at, &point))
      to.x = hl_plot_device_x (&layout, plot, point.x) + x * layout.frame.width;
    if (hl_plot_point_along (&layout, plot, series, to, &point))
      tip->at = hl_plot_point_where (plot, &point);
  }
  hl_response_plots_clear (&plots);
}

void hl_response_tip_along (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                            HlSpot to, HlResponseTip *tip) {
  move_tip (cr, picture, area, style, FALSE, to.x, tip);
}

void hl_response_tip_step (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                           int steps, HlResponseTip *tip) {
  move_tip (cr, picture, area, style, TRUE, (double)steps / TIP_STEPS, tip);
}
