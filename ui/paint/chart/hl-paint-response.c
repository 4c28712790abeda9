/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-response.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/linear/hl-response-study.h"
#include "ui/paint/base/hl-label-placement.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>
#include <string.h>

#define LEFT_EM 5.0 /* both Bode plots have their frames here */
#define TIP_STEPS 200

static HlResponseColumns response_columns_make (const HlResponseStudy *study) {
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

static void response_columns_clear (HlResponseColumns *columns) {
  g_free (columns->decibels);
  g_free (columns->degrees);
  g_free (columns->re);
  g_free (columns->im);
}

static HlPlotSeries response_series (const double x[], const double y[], int n, HlColor color) {
  return (HlPlotSeries){.samples = {.x = x, .y = y, .n = n}, .color = color, .unsorted = TRUE, .quiet = TRUE};
}

static HlColor response_color (const HlStyle *style, gboolean is_ghost) {
  HlColor color = hl_style_trace_color (style, 0);
  return is_ghost ? hl_color_mix (color, style->background, 0.6) : color;
}

static HlPlot response_empty_plot (const HlResponsePicture *picture) {
  HlPlot plot = hl_plot_make ();

  plot.hide_legend = TRUE;
  plot.hovered_series = -1;
  plot.empty_text = picture->empty_text;
  return plot;
}

/* Widens the range by finite samples, FALSE when there is none. */
static gboolean widen_range (const double values[], int n, double *low, double *high) {
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
      *columns[k] = response_columns_make (studies[k]);
  bode->n = 2;
  for (int which = 0; which < 2; which++) {
    HlPlot *plot = &bode->plots[which];
    double low = INFINITY, high = -INFINITY;
    *plot = response_empty_plot (picture);
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
          response_series (studies[k]->f, y, studies[k]->n, response_color (style, k == 0));
      widen_range (y, studies[k]->n, &low, &high);
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
  *plot = response_empty_plot (picture);
  plot->x.label = "t";
  plot->x.unit = "s";
  plot->left.label = picture->output_label;
  plot->left.unit = picture->output_unit != NULL ? picture->output_unit->symbol : NULL;
  plot->series = step->series[0];
  for (int k = 0; k < 2; k++) {
    if (studies[k] == NULL)
      continue;
    HlPlotSeries *one = &step->series[0][plot->n_series++];
    *one =
        response_series (studies[k]->t, studies[k]->y, studies[k]->n_times, response_color (style, k == 0));
    one->y_factor = factor;
    widen_range (studies[k]->y, studies[k]->n_times, &low, &high);
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
  return _ ("The present model has no response of this output to this input: it is zero.");
}

/* Shows words instead of an empty frame: a zero has no place on a logarithmic axis. */
static void report_still (HlResponsePlots *plots) {
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

/* Initializes the plots, which share memory: the struct must not move until it is cleared. */
static void response_plots_init (HlResponsePlots *plots, const HlResponsePicture *picture, HlRect area,
                                 const HlStyle *style) {
  memset (plots, 0, sizeof *plots);
  if (picture->view == HL_RESPONSE_BODE)
    make_bode (plots, picture, area, style);
  else if (picture->view == HL_RESPONSE_STEP)
    make_step (plots, picture, area, style);
  if (picture->study != NULL && picture->ghost == NULL && hl_response_is_still (picture->study))
    report_still (plots);
  else
    add_tips (plots, picture);
}

static void response_plots_clear (HlResponsePlots *plots) {
  response_columns_clear (&plots->now);
  response_columns_clear (&plots->ghost);
  g_free (plots->tips[0]);
  g_free (plots->tips[1]);
}

/* ---- what lies where ---- */

gboolean hl_response_at (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                         HlSpot at, double *x) {
  HlResponsePlots plots;
  gboolean found = FALSE;

  response_plots_init (&plots, picture, area, style);
  for (int k = 0; k < plots.n && !found && picture->study != NULL; k++) {
    HlPlotLayout layout;
    hl_plot_layout (cr, &plots.plots[k], plots.areas[k], style, &layout);
    found = hl_rect_contains (layout.frame, at);
    *x = hl_plot_x_at (&layout, &plots.plots[k], at.x);
  }
  response_plots_clear (&plots);
  return found;
}

void hl_response_tip_spots (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                            HlSpot spots[]) {
  HlResponsePlots plots;

  response_plots_init (&plots, picture, area, style);
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
  response_plots_clear (&plots);
}

gboolean hl_response_tip_near (cairo_t *cr, const HlResponsePicture *picture, HlRect area,
                               const HlStyle *style, HlSpot at, double reach_px, HlResponseTip *tip) {
  HlResponsePlots plots;
  gboolean found = FALSE;

  response_plots_init (&plots, picture, area, style);
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
  response_plots_clear (&plots);
  return found;
}

/* Moves a tip to a device x, by so many px from its position when `from_tip`. */
static void move_tip (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                      gboolean from_tip, double x, HlResponseTip *tip) {
  HlResponsePlots plots;

  response_plots_init (&plots, picture, area, style);
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
  response_plots_clear (&plots);
}

void hl_response_tip_along (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                            HlSpot to, HlResponseTip *tip) {
  move_tip (cr, picture, area, style, FALSE, to.x, tip);
}

void hl_response_tip_step (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style,
                           int steps, HlResponseTip *tip) {
  move_tip (cr, picture, area, style, TRUE, (double)steps / TIP_STEPS, tip);
}

#define FARTHEST 8.0      /* medians of |G| that a Nyquist plot shows at most */
#define SMALL_NYQUIST 0.3 /* below that |G| is shown large, without the point -1 */
#define LEAST_NYQUIST 1.6 /* the range reaches this far at least, so that -1 is in it */
#define CROSS_PX 4.0
#define N_ARROWS 6 /* along a Nyquist curve */
#define ARROW_PX 9.0
#define ARROW_HALF_PX 3.5
#define FREQUENCY_DIGITS 3
#define MARK_PX 8.0      /* from a mark to its words */
#define MARK_RINGS 10    /* distances at which they are tried */
#define MARK_FAR_PX 16.0 /* beyond, a line leads there */
#define MARK_GAP_PX 3.0  /* between words and what they keep off */
#define CURVE_PX 4.0     /* pieces of the curve that they keep off */

/* Paints a margin: a stroke from the curve to 0 dB or -180 degrees. */
static void paint_margin (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, double f, double from,
                          double to, const char *text, const HlStyle *style) {
  double x = hl_plot_device_x (layout, plot, f);
  double y0 = hl_plot_device_y (layout, plot, from, FALSE);
  double y1 = hl_plot_device_y (layout, plot, to, FALSE);
  double top = layout->frame.y, bottom = top + layout->frame.height;

  if (!isfinite (f) || !isfinite (y0) || !isfinite (y1) || x < layout->frame.x ||
      x > layout->frame.x + layout->frame.width || fmax (y0, y1) < top || fmin (y0, y1) > bottom)
    return;
  /* a level outside of what is shown: the stroke ends at the frame, and its text stands inside */
  y0 = CLAMP (y0, top, bottom);
  y1 = CLAMP (y1, top, bottom);
  cairo_save (cr);
  cairo_rectangle (cr, layout->frame.x, layout->frame.y, layout->frame.width, layout->frame.height);
  cairo_clip (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, 1.4);
  cairo_move_to (cr, x, y0);
  cairo_line_to (cr, x, y1);
  cairo_stroke (cr);
  /* a margin too short for its text has it above */
  double y_text =
      fabs (y1 - y0) > style->font_size ? 0.5 * (y0 + y1) : fmin (y0, y1) - 0.8 * style->font_size;
  double half = 0.7 * style->font_size; /* of the text's height */
  y_text = CLAMP (y_text, top + half, fmax (bottom - half, top + half));
  gboolean is_right = x > layout->frame.x + 0.7 * layout->frame.width;
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->accent, text, (HlSpot){x + (is_right ? -6.0 : 6.0), y_text},
                 is_right ? 1.0 : 0.0, 0.5);
  cairo_restore (cr);
}

static void paint_level (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, double y,
                         HlColor color) {
  double at = round (hl_plot_device_y (layout, plot, y, FALSE)) + 0.5;

  if (at < layout->frame.y || at > layout->frame.y + layout->frame.height)
    return;
  hl_color_set (cr, color);
  cairo_set_line_width (cr, 1.0);
  hl_dash_set (cr, HL_DASH_DASHED, 1.0);
  cairo_move_to (cr, layout->frame.x, at);
  cairo_line_to (cr, layout->frame.x + layout->frame.width, at);
  cairo_stroke (cr);
  hl_dash_set (cr, HL_DASH_SOLID, 1.0);
}

/* Returns the level of -180 degrees that lies nearest to the phase there. */
static double straight_angle (double degrees) {
  return -180.0 + 360.0 * round ((degrees + 180.0) / 360.0);
}

static double phase_at (const HlResponseStudy *study, double f) {
  for (int k = 1; k < study->n; k++)
    if (f <= study->f[k])
      return (study->phase[k - 1] + (study->phase[k] - study->phase[k - 1]) * log (f / study->f[k - 1]) /
                                        log (study->f[k] / study->f[k - 1])) *
             180.0 / G_PI;
  return NAN;
}

static void paint_hover (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, double x,
                         const HlStyle *style) {
  double at = hl_plot_device_x (layout, plot, x);

  if (!isfinite (at) || at < layout->frame.x || at > layout->frame.x + layout->frame.width)
    return;
  hl_color_set (cr, style->ink_soft);
  cairo_set_line_width (cr, style->hair_width);
  cairo_move_to (cr, at, layout->frame.y);
  cairo_line_to (cr, at, layout->frame.y + layout->frame.height);
  cairo_stroke (cr);
}

static void paint_bode (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style) {
  const HlResponseStudy *study = picture->study;
  HlPlotLayout layout;
  HlResponsePlots bode;

  response_plots_init (&bode, picture, area, style);
  for (int k = 0; k < 2; k++) {
    HlPlot *plot = &bode.plots[k];
    hl_paint_plot (cr, plot, bode.areas[k], style);
    if (study == NULL)
      continue;
    hl_plot_layout (cr, plot, bode.areas[k], style, &layout);
    paint_hover (cr, plot, &layout, picture->f_hover, style);
    if (k == 0) {
      char text[48];
      double dB = 20.0 * log10 (study->gain_margin);
      g_snprintf (text, sizeof text, "%s dB", hl_shown (dB, 4).text);
      paint_level (cr, plot, &layout, 0.0, style->ink_soft);
      paint_margin (cr, plot, &layout, study->gain_margin_hz, 0.0, -dB, text, style);
    } else if (isfinite (study->phase_margin_hz)) {
      char text[48];
      double degrees = phase_at (study, study->phase_margin_hz);
      g_snprintf (text, sizeof text, "%s°", hl_shown (study->phase_margin * 180.0 / G_PI, 4).text);
      paint_level (cr, plot, &layout, straight_angle (degrees), style->ink_soft);
      paint_margin (cr, plot, &layout, study->phase_margin_hz, straight_angle (degrees), degrees, text,
                    style);
    }
  }
  response_plots_clear (&bode);
}

/* ---- Nyquist ---- */

static int compare_numbers (const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns a radius that shows the curve: near an integrator it runs away, and -1 with what turns round it
 * counts; far below 1, the curve fills the plane and -1 lies outside. */
static double nyquist_reach (const HlResponseStudy *study) {
  g_autofree double *sorted = g_new0 (double, study->n + 1);
  int n = 0;

  for (int k = 0; k < study->n; k++)
    if (isfinite (study->magnitude[k]))
      sorted[n++] = study->magnitude[k];
  if (n == 0)
    return LEAST_NYQUIST;
  qsort (sorted, (gsize)n, sizeof *sorted, compare_numbers);
  double largest = sorted[n - 1];
  if (largest > 0.0 && largest < SMALL_NYQUIST)
    return largest;
  return fmax (LEAST_NYQUIST, fmin (largest, FARTHEST * sorted[n / 2]));
}

/* Fits both axes to equal units. */
static void fit_square (HlPlot *plot, const HlPlotLayout *layout, double reach) {
  double width = layout->frame.width, height = layout->frame.height, least = fmin (width, height);

  plot->x.axis.max = 1.08 * reach * width / least;
  plot->x.axis.min = -plot->x.axis.max;
  plot->left.axis.max = 1.08 * reach * height / least;
  plot->left.axis.min = -plot->left.axis.max;
}

/* Returns whether row k of a study is on the plot, and where. */
static gboolean nyquist_spot (const HlResponseColumns *columns, int k, const HlPlot *plot,
                              const HlPlotLayout *layout, HlSpot *at) {
  if (!isfinite (columns->re[k]) || !isfinite (columns->im[k]))
    return FALSE;
  *at = (HlSpot){hl_plot_device_x (layout, plot, columns->re[k]),
                 hl_plot_device_y (layout, plot, columns->im[k], FALSE)};
  return hl_rect_contains (layout->frame, *at);
}

static void paint_direction (cairo_t *cr, HlSpot from, HlSpot to) {
  double length = hypot (to.x - from.x, to.y - from.y);
  double ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;

  cairo_move_to (cr, to.x + 0.5 * ARROW_PX * ux, to.y + 0.5 * ARROW_PX * uy);
  for (int side = -1; side <= 1; side += 2)
    cairo_line_to (cr, to.x - 0.5 * ARROW_PX * ux - side * ARROW_HALF_PX * uy,
                   to.y - 0.5 * ARROW_PX * uy + side * ARROW_HALF_PX * ux);
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* Paints the unit circle: where the curve crosses it, the angle from -1 is the phase margin. */
static void paint_unit_circle (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout,
                               const HlStyle *style) {
  HlSpot centre = {hl_plot_device_x (layout, plot, 0.0), hl_plot_device_y (layout, plot, 0.0, FALSE)};
  double radius = hl_plot_device_x (layout, plot, 1.0) - centre.x;

  hl_color_set (cr, style->ink_soft);
  cairo_set_line_width (cr, style->hair_width);
  hl_dash_set (cr, HL_DASH_DASHED, style->hair_width);
  cairo_new_path (cr);
  cairo_arc (cr, centre.x, centre.y, radius, 0.0, 2.0 * G_PI);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

/* Arrows along the curve of growing frequencies, evenly over its length in sight, and beside each the frequency there.
 * Labels that would cover another one are left out. */
static void paint_frequencies (cairo_t *cr, const HlResponsePicture *picture,
                               const HlResponseColumns *columns, const HlPlot *plot,
                               const HlPlotLayout *layout, const HlStyle *style) {
  const HlResponseStudy *study = picture->study;
  HlRect taken[N_ARROWS];
  double length = 0.0, run = 0.0;
  int n_taken = 0, n_arrows = 0;
  HlSpot from, to;

  for (int k = 1; k < study->n; k++)
    if (nyquist_spot (columns, k - 1, plot, layout, &from) && nyquist_spot (columns, k, plot, layout, &to))
      length += hypot (to.x - from.x, to.y - from.y);
  for (int k = 1; k < study->n && length > 0.0; k++) {
    if (!nyquist_spot (columns, k - 1, plot, layout, &from) || !nyquist_spot (columns, k, plot, layout, &to))
      continue;
    double step = hypot (to.x - from.x, to.y - from.y);
    run += step;
    if (!(step > 0.0) || n_arrows == N_ARROWS || run < (n_arrows + 0.5) * length / N_ARROWS)
      continue;
    while (n_arrows < N_ARROWS && run >= (n_arrows + 0.5) * length / N_ARROWS)
      n_arrows++;
    hl_color_set (cr, response_color (style, FALSE));
    paint_direction (cr, from, to);
    char number[48], text[56];
    hl_axis_format (study->f[k], FREQUENCY_DIGITS, number, sizeof number);
    g_snprintf (text, sizeof text, "%s Hz", number);
    HlSpot beside = {to.x + ARROW_PX, to.y};
    HlRect box = hl_text_box (cr, style, HL_TEXT_SMALL, text, beside, 0.0, 0.5);
    gboolean is_free = box.x + box.width < layout->frame.x + layout->frame.width;
    for (int i = 0; i < n_taken; i++)
      is_free = is_free && !hl_rect_overlaps (box, taken[i]);
    if (!is_free)
      continue;
    taken[n_taken++] = box;
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, text, beside, 0.0, 0.5);
  }
}

static void paint_nyquist (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style) {
  const HlResponseStudy *studies[] = {picture->ghost, picture->study};
  HlResponseColumns columns[2] = {{0}, {0}};
  HlPlotSeries series[2];
  HlPlot plot = response_empty_plot (picture);
  HlPlotLayout layout;

  plot.x.label = "Re G";
  plot.left.label = "Im G";
  plot.series = series;
  for (int k = 0; k < 2; k++)
    if (studies[k] != NULL) {
      columns[k] = response_columns_make (studies[k]);
      series[plot.n_series++] =
          response_series (columns[k].re, columns[k].im, 2 * studies[k]->n, response_color (style, k == 0));
    }
  if (picture->study != NULL && picture->ghost == NULL && hl_response_is_still (picture->study)) {
    plot.n_series = 0;
    plot.empty_text = hl_response_still_text ();
  }
  if (picture->study != NULL) {
    double reach = nyquist_reach (picture->study);
    /* twice: the labels of the axis take room */
    for (int k = 0; k < 2; k++) {
      hl_plot_layout (cr, &plot, area, style, &layout);
      fit_square (&plot, &layout, reach);
    }
  }
  hl_paint_plot (cr, &plot, area, style);
  hl_plot_layout (cr, &plot, area, style, &layout);
  if (picture->study != NULL && plot.n_series > 0) {
    cairo_save (cr);
    cairo_rectangle (cr, layout.frame.x, layout.frame.y, layout.frame.width, layout.frame.height);
    cairo_clip (cr);
    paint_unit_circle (cr, &plot, &layout, style);
    paint_frequencies (cr, picture, &columns[1], &plot, &layout, style);
    cairo_restore (cr);
  }
  if (picture->study != NULL && plot.x.axis.min > -1.0) {
    hl_text_pill (cr, style, _ ("−1 is far to the left: it is not encircled"),
                  (HlSpot){layout.frame.x + 8.0, layout.frame.y + 8.0}, 0.0, 0.0);
  } else if (picture->study != NULL) {
    HlSpot at = {hl_plot_device_x (&layout, &plot, -1.0), hl_plot_device_y (&layout, &plot, 0.0, FALSE)};
    hl_color_set (cr, style->problem);
    cairo_set_line_width (cr, 1.8);
    cairo_move_to (cr, at.x - CROSS_PX, at.y);
    cairo_line_to (cr, at.x + CROSS_PX, at.y);
    cairo_move_to (cr, at.x, at.y - CROSS_PX);
    cairo_line_to (cr, at.x, at.y + CROSS_PX);
    cairo_stroke (cr);
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->problem, "−1", (HlSpot){at.x, at.y + 6.0}, 0.5, 0.0);
  }
  for (int k = 0; k < 2; k++)
    response_columns_clear (&columns[k]);
}

/* ---- step ---- */

/* Reserves the visible part of the curve, which labels avoid. */
static void reserve_curve (HlLabelSpace *space, const HlPlot *plot, const HlPlotLayout *layout,
                           const HlResponseStudy *study, double factor) {
  HlSpot last = {NAN, NAN};

  for (int k = 0; k < study->n_times; k++) {
    HlSpot at = {hl_plot_device_x (layout, plot, study->t[k]),
                 hl_plot_device_y (layout, plot, factor * study->y[k], FALSE)};
    if (hypot (at.x - last.x, at.y - last.y) < CURVE_PX)
      continue;
    if (isfinite (last.x) && isfinite (last.y) && isfinite (at.x) && isfinite (at.y))
      hl_label_space_take_segment (space, last, at, MARK_GAP_PX);
    last = at;
  }
}

/* Paints a dot on the curve with its words, at a free place. */
static void paint_step_mark (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, HlLabelSpace *space,
                             HlSpot value, const char *text, const HlStyle *style) {
  HlSpot at = {hl_plot_device_x (layout, plot, value.x), hl_plot_device_y (layout, plot, value.y, FALSE)};
  HlRect candidates[8 * MARK_RINGS];
  double width, height;

  if (!isfinite (at.x) || !isfinite (at.y) || !hl_rect_contains (hl_rect_grow (layout->frame, 1.0), at))
    return;
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, 3.5, 0.0, 2.0 * G_PI);
  hl_color_set (cr, style->accent);
  cairo_fill (cr);
  hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
  int n = hl_label_ring (at, width, height, MARK_PX, MARK_RINGS, candidates);
  HlRect box = candidates[hl_label_space_choose (space, candidates, n)];
  HlSpot side = {fmin (fmax (at.x, box.x), box.x + box.width), fmin (fmax (at.y, box.y), box.y + box.height)};
  if (hypot (side.x - at.x, side.y - at.y) > MARK_FAR_PX) {
    cairo_move_to (cr, at.x, at.y);
    cairo_line_to (cr, side.x, side.y);
    cairo_set_line_width (cr, style->hair_width);
    cairo_stroke (cr);
  }
  /* where there is no free place it can be read all the same */
  cairo_rectangle (cr, box.x - 1.0, box.y, box.width + 2.0, box.height);
  hl_color_set (cr, hl_color_with_alpha (style->background, 0.85));
  cairo_fill (cr);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->accent, text, (HlSpot){box.x, box.y}, 0.0, 0.0);
  hl_label_space_take_rect (space, hl_rect_grow (box, MARK_GAP_PX));
}

/* Paints rise, overshoot and settling, if the response comes to rest. */
static void paint_step_marks (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout,
                              const HlResponsePicture *picture, HlLabelSpace *space, const HlStyle *style) {
  const HlResponseStudy *study = picture->study;
  double factor = picture->output_unit != NULL ? 1.0 / picture->output_unit->factor : 1.0;
  double last = study->dc_gain, first = study->y[0];
  char number[40], other[40];

  if (study->open_growth > 0.0)
    return;
  reserve_curve (space, plot, layout, study, factor);
  HlStepMarks marks = hl_step_marks (study->t, study->y, study->n_times, last);
  if (isfinite (marks.rise_from) && isfinite (marks.rise_to)) {
    hl_axis_format (marks.rise_to - marks.rise_from, 3, number, sizeof number);
    g_autofree char *text = g_strdup_printf (_ ("rise time %s s"), number);
    paint_step_mark (cr, plot, layout, space,
                     (HlSpot){marks.rise_from, factor * (first + 0.1 * (last - first))}, "10 %", style);
    paint_step_mark (cr, plot, layout, space,
                     (HlSpot){marks.rise_to, factor * (first + 0.9 * (last - first))}, text, style);
  }
  if (isfinite (marks.peak)) {
    hl_axis_format (100.0 * marks.overshoot, 3, number, sizeof number);
    g_autofree char *text = g_strdup_printf (_ ("%s %% overshoot"), number);
    paint_step_mark (cr, plot, layout, space, (HlSpot){marks.peak_time, factor * marks.peak}, text, style);
  }
  if (isfinite (marks.settled)) {
    hl_axis_format (marks.settled, 3, number, sizeof number);
    hl_axis_format (100.0 * HL_STEP_BAND, 2, other, sizeof other);
    g_autofree char *text = g_strdup_printf (_ ("within %s %% after %s s"), other, number);
    paint_step_mark (cr, plot, layout, space, (HlSpot){marks.settled, factor * marks.settled_value}, text,
                     style);
  }
}

static void paint_step (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style) {
  HlResponsePlots step;
  HlPlotLayout layout;

  response_plots_init (&step, picture, area, style);
  hl_paint_plot (cr, &step.plots[0], area, style);
  if (picture->study != NULL) {
    hl_plot_layout (cr, &step.plots[0], area, style, &layout);
    HlLabelSpace space;
    hl_label_space_init (&space, hl_rect_grow (layout.frame, -MARK_GAP_PX));
    paint_step_marks (cr, &step.plots[0], &layout, picture, &space, style);
    hl_label_space_clear (&space);
    paint_hover (cr, &step.plots[0], &layout, picture->f_hover, style);
  }
  response_plots_clear (&step);
}

/* ---- all ---- */

void hl_paint_response (cairo_t *cr, const HlResponsePicture *picture, HlRect area, const HlStyle *style) {
  switch (picture->view) {
  case HL_RESPONSE_NYQUIST:
    paint_nyquist (cr, picture, area, style);
    break;
  case HL_RESPONSE_STEP:
    paint_step (cr, picture, area, style);
    break;
  default:
    paint_bode (cr, picture, area, style);
    break;
  }
}
