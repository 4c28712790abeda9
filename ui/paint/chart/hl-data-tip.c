/* SPDX-License-Identifier: MIT */
/* All marks are placed before the first label, so that no label hides another tip. */
#include "ui/paint/chart/hl-data-tip.h"

#include "ui/paint/base/hl-label-placement.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/chart/hl-paint-plot.h"

#include <math.h>

#define TIME_DIGITS 5
#define CURVE_STEP_PX 6.0
#define MOST_CURVES 12

char *hl_plot_point_text (const HlPlot *plot, const HlPlotLayout *layout, const HlPlotPoint *point) {
  const HlPlotSeries *series = &plot->series[point->series];
  const HlPlotAxis *y = series->right_axis ? &plot->right : &plot->left;
  GString *text = g_string_new (NULL);

  const char *name = series->name != NULL ? series->name : series->label != NULL ? series->label : y->label;
  hl_plot_append_value (text, name, point->y, y->unit,
                        series->right_axis ? &layout->right_ticks : &layout->left_ticks, HL_PLOT_Y_FINER);
  g_string_append_c (text, '\n');
  hl_plot_append_value (text, plot->x.label, point->x, plot->x.unit, &layout->x_ticks, HL_PLOT_X_FINER);
  if (isfinite (point->time)) {
    char time[40];
    hl_axis_format (point->time, TIME_DIGITS, time, sizeof time);
    g_string_append_printf (text, "\nt = %s s", time);
  }
  return g_string_free (text, FALSE);
}

/* Returns spots of curves, without those that are no function of x: there are few places beside a tangle. */
static GArray *spots_of_curves (const HlPlot *plot, const HlPlotLayout *layout) {
  GArray *spots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  int n = MIN (plot->n_series, MOST_CURVES);

  for (int k = 0; k < n; k++)
    for (double x = 0.0; x <= layout->frame.width && !plot->series[k].hidden; x += CURVE_STEP_PX) {
      HlSpot at = {layout->frame.x + x, NAN};
      double y = hl_plot_series_value (&plot->series[k], hl_plot_x_at (layout, plot, at.x));
      at.y = hl_plot_device_y (layout, plot, y, plot->series[k].right_axis);
      if (isfinite (at.y))
        g_array_append_val (spots, at);
    }
  /* of plain arrays each sample: the curves of a response */
  for (int k = 0; k < n; k++) {
    const HlPlotSeries *series = &plot->series[k];
    gboolean is_plain = series->unsorted && series->samples.results == NULL && !series->hidden;
    for (int row = 0; is_plain && row < series->samples.n; row++) {
      HlPlotPoint point;
      if (!hl_plot_point_on (plot, k, hl_samples_x (&series->samples, row), &point))
        continue;
      HlSpot at = {hl_plot_device_x (layout, plot, point.x),
                   hl_plot_device_y (layout, plot, point.y, series->right_axis)};
      g_array_append_val (spots, at);
    }
  }
  return spots;
}

void hl_plot_tips_paint (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style) {
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree HlDataTip *tips = g_new0 (HlDataTip, plot->n_tips + 1);
  int n = 0;

  for (int i = 0; i < plot->n_tips; i++) {
    const HlPlotPoint *point = &plot->tips[i];
    if (point->series < 0 || plot->series[point->series].hidden)
      continue;
    const HlPlotSeries *series = &plot->series[point->series];
    g_ptr_array_add (texts, hl_plot_point_text (plot, layout, point));
    tips[n++] = (HlDataTip){.at = {hl_plot_device_x (layout, plot, point->x),
                                   hl_plot_device_y (layout, plot, point->y, series->right_axis)},
                            .text = texts->pdata[texts->len - 1],
                            .color = series->color,
                            .selected = i == plot->selected_tip};
  }
  if (n == 0)
    return;
  g_autoptr (GArray) spots = spots_of_curves (plot, layout);
  hl_data_tips_paint (cr, layout->frame, tips, n,
                      (HlDataTipCurves){(gconstpointer)spots->data, (int)spots->len}, style);
}

#define MARK_PX 4.0
#define CURVE_PX 2.0
#define LABEL_PX 9.0 /* from the mark to the first ring of places */
#define N_RINGS 6
#define LEADER_PX 14.0 /* a label farther away keeps a line to its mark */

static gboolean is_seen (HlRect frame, const HlDataTip *tip) {
  return isfinite (tip->at.x) && isfinite (tip->at.y) &&
         hl_rect_contains (hl_rect_grow (frame, 1.0), tip->at);
}

static HlRect find_box (cairo_t *cr, HlLabelSpace *space, const HlDataTip *tip, const HlStyle *style) {
  HlRect candidates[8 * N_RINGS];
  HlRect size = hl_text_pill_box (cr, style, tip->text, (HlSpot){0, 0}, 0.0, 0.0);
  HlRect bounds = space->bounds;
  int n = hl_label_ring (tip->at, size.width, size.height, LABEL_PX, N_RINGS, candidates);

  for (int i = 0; i < n; i++) {
    HlRect *box = &candidates[i];
    box->x = CLAMP (box->x, bounds.x, fmax (bounds.x + bounds.width - box->width, bounds.x));
    box->y = CLAMP (box->y, bounds.y, fmax (bounds.y + bounds.height - box->height, bounds.y));
  }
  return candidates[hl_label_space_choose (space, candidates, n)];
}

static void paint_leader (cairo_t *cr, HlSpot at, HlRect box, const HlStyle *style) {
  HlSpot end = {CLAMP (at.x, box.x, box.x + box.width), CLAMP (at.y, box.y, box.y + box.height)};

  if (hypot (end.x - at.x, end.y - at.y) <= LEADER_PX)
    return;
  cairo_move_to (cr, at.x, at.y);
  cairo_line_to (cr, end.x, end.y);
  hl_color_set (cr, style->ink_soft);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

/* Paints a square, in contrast to the ring of read-outs under the pointer. */
static void paint_mark (cairo_t *cr, const HlDataTip *tip, const HlStyle *style) {
  double half = MARK_PX * style->font_size / 13.0;

  if (tip->selected) {
    cairo_new_path (cr);
    cairo_arc (cr, tip->at.x, tip->at.y, 2.4 * half, 0.0, 2.0 * G_PI);
    hl_color_set (cr, hl_color_with_alpha (style->accent, 0.3));
    cairo_fill (cr);
  }
  cairo_rectangle (cr, tip->at.x - half, tip->at.y - half, 2.0 * half, 2.0 * half);
  hl_color_set (cr, tip->color);
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->background);
  cairo_set_line_width (cr, style->line_width);
  cairo_stroke (cr);
}

void hl_data_tips_paint (cairo_t *cr, HlRect frame, const HlDataTip tips[], int n, HlDataTipCurves curves,
                         const HlStyle *style) {
  HlLabelSpace space;

  if (n == 0)
    return;
  hl_label_space_init (&space, hl_rect_grow (frame, -2.0));
  for (int i = 0; i < curves.n; i++)
    if (hl_rect_contains (frame, curves.spots[i]))
      hl_label_space_take_rect (
          &space, hl_rect_grow ((HlRect){curves.spots[i].x, curves.spots[i].y, 0, 0}, CURVE_PX));
  for (int i = 0; i < n; i++)
    if (is_seen (frame, &tips[i]))
      hl_label_space_take_rect (
          &space, (HlRect){tips[i].at.x - MARK_PX, tips[i].at.y - MARK_PX, 2.0 * MARK_PX, 2.0 * MARK_PX});
  for (int i = 0; i < n; i++) {
    if (!is_seen (frame, &tips[i]))
      continue;
    HlRect box = find_box (cr, &space, &tips[i], style);
    hl_label_space_take_rect (&space, hl_rect_grow (box, 1.5));
    paint_leader (cr, tips[i].at, box, style);
    hl_text_pill (cr, style, tips[i].text, (HlSpot){box.x, box.y}, 0.0, 0.0);
  }
  for (int i = 0; i < n; i++)
    if (is_seen (frame, &tips[i]))
      paint_mark (cr, &tips[i], style);
  hl_label_space_clear (&space);
}
