/* SPDX-License-Identifier: MIT */
/* Paints a plot from the back to the front: grid, event lines, curves, cursors, titles, legend,
 * read-outs. */
#include "ui/paint/chart/hl-paint-plot.h"

#include "ui/paint/base/hl-frame.h"
#include "ui/paint/chart/hl-paint-bars.h"
#include "ui/paint/chart/hl-plot-curve.h"
#include "ui/paint/chart/hl-plot-tip.h"
#include "ui/paint/chart/hl-plot-value.h"
#include "ui/paint/base/hl-text-elide.h"

#include <math.h>
#include <string.h>

#define CROWD 24         /* traces in a plot beyond which none can be told from its neighbour */
#define SPAN_FROM_EM 5.5 /* a frame lower than that has no room for the distance of A and B */

static void
vertical (cairo_t *cr, HlRect frame, double x)
{
  cairo_move_to (cr, x, frame.y);
  cairo_line_to (cr, x, frame.y + frame.height);
}

static void
paint_events (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  for (int i = 0; i < plot->n_events; i++) {
    double fraction = hl_axis_fraction (&plot->x.axis, plot->events[i]);
    if (fraction > 0.0 && fraction < 1.0)
      vertical (cr, layout->frame, floor (layout->frame.x + fraction * layout->frame.width) + 0.5);
  }
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  hl_dash_set (cr, HL_DASH_DOTTED, style->hair_width * 1.5);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static gboolean
paint_curves (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  double resolution = hl_plot_curve_resolution (cr);
  gboolean any = FALSE;

  for (int i = 0; i < plot->n_series; i++) {
    const HlPlotSeries *series = &plot->series[i];
    HlCurvePen pen = {.frame = layout->frame,
                      .x = hl_axis_map (&plot->x.axis),
                      .y = hl_axis_map (series->right_axis ? &plot->right.axis : &plot->left.axis),
                      .color = series->color,
                      .width = series->width > 0.0 ? series->width : style->trace_width,
                      .columns_per_px = resolution};
    if (plot->n_series > CROWD && i != plot->hovered_series) {
      pen.is_quick = TRUE;
      pen.columns_per_px = 0.5 * resolution;
    }
    if (i == plot->hovered_series)
      pen.width *= 1.7;
    if (series->hidden)
      continue;
    any = any || hl_samples_count (&series->samples) > 0;
    hl_plot_curve_paint (cr, series, &pen);
  }
  return any;
}

/* Centred on a place, and whole within the frame. */
static void
paint_pill (
    cairo_t *cr, const char *text, HlRect frame, HlSpot at, double align_y, const HlStyle *style)
{
  HlRect box = hl_text_pill_box (cr, style, text, at, 0.5, align_y);

  at.x = fmin (fmax (at.x, frame.x + 0.5 * box.width), frame.x + frame.width - 0.5 * box.width);
  hl_text_pill (cr, style, text, at, 0.5, align_y);
}

static void
paint_cursors (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  for (int i = 0; i < plot->n_cursors; i++) {
    double fraction = hl_axis_fraction (&plot->x.axis, plot->cursors[i].x);
    if (!(fraction >= 0.0 && fraction <= 1.0))
      continue;
    vertical (cr, layout->frame, floor (layout->frame.x + fraction * layout->frame.width) + 0.5);
    hl_color_set (cr, plot->cursors[i].label != NULL ? style->ink : style->accent);
    cairo_set_line_width (cr, i == 0 ? 1.5 * style->hair_width : style->hair_width);
    hl_dash_set (cr, i == 0 ? HL_DASH_SOLID : HL_DASH_DASHED, style->hair_width);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0.0);
    if (plot->cursors[i].label != NULL)
      paint_pill (cr, plot->cursors[i].label, layout->frame,
                  (HlSpot){layout->frame.x + fraction * layout->frame.width,
                           layout->frame.y + 0.25 * style->font_size},
                  0.0, style);
    /* where the curves cross it */
    for (int k = 0; plot->cursors[i].read_out && k < plot->n_series; k++) {
      const HlPlotSeries *series = &plot->series[k];
      double y = hl_plot_series_value (series, plot->cursors[i].x);
      double py = hl_plot_device_y (layout, plot, y, series->right_axis);
      if (series->hidden || !isfinite (py))
        continue;
      cairo_arc (cr, layout->frame.x + fraction * layout->frame.width, py, 1.7 * style->trace_width,
                 0.0, 2.0 * G_PI);
      hl_color_set (cr, series->color);
      cairo_fill_preserve (cr);
      hl_color_set (cr, style->background);
      cairo_set_line_width (cr, style->hair_width);
      cairo_stroke (cr);
    }
  }
}

static void
paint_marks (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  for (int i = 0; i < plot->n_marks; i++) {
    const HlPlotMark *mark = &plot->marks[i];
    double x = hl_plot_device_x (layout, plot, mark->x);
    double y = hl_plot_device_y (layout, plot, mark->y, mark->right_axis);
    if (!isfinite (x) || !isfinite (y))
      continue;
    cairo_new_path (cr);
    cairo_arc (cr, x, y, 2.6 * style->trace_width, 0.0, 2.0 * G_PI);
    hl_color_set (cr, mark->color);
    cairo_fill_preserve (cr);
    hl_color_set (cr, style->background);
    cairo_set_line_width (cr, style->hair_width);
    cairo_stroke (cr);
  }
}

/* Of two value axes each is coloured as its curve, when that is one; FALSE: it has none of its own. */
static gboolean
axis_color (const HlPlot *plot, const HlPlotLayout *layout, gboolean right, HlColor *color)
{
  HlColor found = {0};
  int n = 0;

  for (int i = 0; i < plot->n_series && layout->has_right; i++) {
    const HlPlotSeries *series = &plot->series[i];
    if (series->right_axis != right || series->hidden || series->quiet || series->label == NULL ||
        series->legend_color.a > 0.0 || series->dash != HL_DASH_SOLID)
      continue;
    found = series->color;
    n++;
  }
  if (n == 1)
    *color = found;
  return n == 1;
}

static void
paint_axis_labels (cairo_t *cr,
                   const HlPlot *plot,
                   const HlPlotLayout *layout,
                   gboolean right,
                   const HlStyle *style)
{
  HlStyle own = *style;

  axis_color (plot, layout, right, &own.ink_soft);
  hl_frame_paint_labels_y (cr, layout->frame, right ? &layout->right_ticks : &layout->left_ticks,
                           right, &own);
}

static void
paint_titles (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  double em = style->font_size;
  double y = layout->area.y + 0.85 * em;
  double x = layout->frame.x;

  if (plot->title != NULL) {
    HlRect box =
        hl_text_paint (cr, style, HL_TEXT_BOLD, style->ink, plot->title, (HlSpot){x, y}, 0.0, 0.5);
    x += box.width + em;
  }
  HlTextWeight weight = plot->title != NULL ? HL_TEXT_SMALL : HL_TEXT_BOLD;
  HlColor ink = plot->title != NULL ? style->ink_soft : style->ink;
  HlColor left = ink, right = ink;
  axis_color (plot, layout, FALSE, &left);
  axis_color (plot, layout, TRUE, &right);
  hl_text_paint (cr, style, weight, left, layout->left_title, (HlSpot){x, y}, 0.0, 0.5);
  if (layout->has_right)
    hl_text_paint (cr, style, weight, right, layout->right_title,
                   (HlSpot){layout->frame.x + layout->frame.width, y}, 1.0, 0.5);
}

/* "t = 1.25 s" at the foot of the time cursor; NULL = there is none, or it stands in its box. */
static char *
foot_text (const HlPlot *plot, const HlPlotLayout *layout)
{
  const HlPlotCursor *cursor = hl_plot_value_cursor (plot);
  GString *text;

  if (plot->n_series == 0 || !layout->has_values || cursor == NULL || !cursor->read_out ||
      !(cursor->x >= plot->x.axis.min && cursor->x <= plot->x.axis.max))
    return NULL;
  text = g_string_new (NULL);
  hl_plot_append_value (text, plot->x.label, cursor->x, plot->x.unit, &layout->x_ticks,
                        HL_PLOT_X_FINER);
  return g_string_free (text, FALSE);
}

/* Where that stands, among the labels of the axis; empty = nowhere. */
static HlRect
foot_box (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  HlRect frame = layout->frame;
  g_autofree char *text = foot_text (plot, layout);

  if (text == NULL)
    return (HlRect){0.0, 0.0, 0.0, 0.0};
  HlSpot at = {hl_plot_device_x (layout, plot, hl_plot_value_cursor (plot)->x),
               frame.y + frame.height + 0.2 * style->font_size};
  HlRect box = hl_text_pill_box (cr, style, text, at, 0.5, 0.0);
  /* not on the lowest number beside the frame */
  box.x = fmax (box.x, frame.x - 0.2 * style->font_size);
  box.x = fmin (box.x, layout->area.x + layout->area.width - box.width);
  return box;
}

static void
paint_x_labels (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  HlSpot at = {layout->frame.x + layout->frame.width,
               layout->frame.y + layout->frame.height + 0.35 * style->font_size};
  HlRect box = {at.x, at.y, 0.0, 0.0};
  char text[128];

  hl_axis_title (plot->x.label, plot->x.unit, &layout->x_ticks, text, sizeof text);
  if (*text != '\0')
    box = hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, at, 1.0, 0.0);
  if (plot->x.note != NULL) {
    at.x = box.x - 0.8 * style->font_size;
    HlRect note =
        hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, plot->x.note, at, 1.0, 0.0);
    box.width += box.x - note.x;
    box.x = note.x;
  }
  const HlRect free[] = {box, foot_box (cr, plot, layout, style)};
  hl_frame_paint_labels_x (cr, layout->frame, &layout->x_ticks, free, G_N_ELEMENTS (free), style);
  g_autofree char *foot = foot_text (plot, layout);
  if (foot != NULL)
    hl_text_pill (cr, style, foot, (HlSpot){free[1].x, free[1].y}, 0.0, 0.0);
}

/* What the curve is at the time cursor, behind its name. */
static void
paint_legend_value (cairo_t *cr,
                    const HlPlot *plot,
                    const HlPlotLayout *layout,
                    int series,
                    HlSpot at,
                    const HlStyle *style)
{
  const HlPlotCursor *cursor = hl_plot_value_cursor (plot);
  char text[64];

  if (!layout->has_values || cursor == NULL || !cursor->read_out)
    return;
  hl_plot_value_text (plot, layout, series, cursor->x, text, sizeof text);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, at, 0.0, 0.5);
}

static void
paint_legend (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  double em = style->font_size;

  for (int i = 0; i < layout->n_legend; i++) {
    int index = layout->legend_series[i];
    const HlPlotSeries *series = &plot->series[index];
    HlRect box = layout->legend[i];
    double y = floor (box.y + 0.5 * box.height) + 0.5;
    double x = box.x + 1.1 * em;
    double width = series->width > 0.0 ? series->width : style->trace_width;
    HlColor color = series->legend_color.a > 0.0 ? series->legend_color : series->color;
    hl_color_set (cr, hl_color_with_alpha (color, series->hidden ? 0.3 : 1.0));
    for (int dot = 0; series->dots && dot < 3; dot++) {
      cairo_new_sub_path (cr);
      cairo_arc (cr, x + (0.3 + 0.55 * dot) * em, y, 1.3 * width, 0.0, 2.0 * G_PI);
    }
    cairo_fill (cr);
    if (!series->dots) {
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x + 1.7 * em, y);
    }
    cairo_set_line_width (cr, index == plot->hovered_series ? 1.7 * width : width);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
    hl_dash_set (cr, series->dash, width);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0.0);
    HlColor ink = hl_color_with_alpha (index == plot->hovered_series ? style->ink : style->ink_soft,
                                       series->hidden ? 0.5 : 1.0);
    const char *label = series->legend != NULL ? series->legend : series->label;
    g_autofree char *shown = layout->name_px > 0.0
                                 ? hl_text_elide (cr, style, HL_TEXT_SMALL, label, layout->name_px)
                                 : g_strdup (label);
    HlRect name =
        hl_text_paint (cr, style, HL_TEXT_SMALL, ink, shown, (HlSpot){x + 2.2 * em, y}, 0.0, 0.5);
    paint_legend_value (cr, plot, layout, index, (HlSpot){name.x + name.width, y}, style);
  }
  if (layout->n_more > 0) {
    char text[16];
    g_snprintf (text, sizeof text, "+%d", layout->n_more);
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, text, layout->more, 1.0, 0.5);
  }
}

/* How many curve points a read-out at that place would hide. */
static int
count_hidden (const HlPlot *plot, const HlPlotLayout *layout, HlRect box)
{
  int hidden = 0;

  for (int k = 0; k < plot->n_series; k++)
    for (int step = 0; step <= 24 && !plot->series[k].hidden; step++) {
      double x = box.x + step * box.width / 24.0;
      double y = hl_plot_series_value (&plot->series[k], hl_plot_x_at (layout, plot, x));
      double py = hl_plot_device_y (layout, plot, y, plot->series[k].right_axis);
      hidden += isfinite (py) && py > box.y - 3.0 && py < box.y + box.height + 3.0;
    }
  return hidden;
}

/* Beside the cursor, right or left, at five heights: where it hides least. FALSE: the frame is too
 * small for it. */
static gboolean
paint_read_out (cairo_t *cr,
                const HlPlot *plot,
                const HlPlotLayout *layout,
                double x,
                const char *text,
                const HlStyle *style)
{
  HlRect frame = layout->frame;
  HlRect size = hl_frame_read_out_size (cr, text, style);
  double gap = 0.9 * style->font_size;
  double air = fmin (0.6 * gap, 0.5 * (frame.height - size.height));
  HlRect best = {0.0, 0.0, 0.0, 0.0};
  int fewest = G_MAXINT;

  if (size.width > 0.8 * frame.width || size.height > frame.height)
    return FALSE;
  for (int place = 0; place < 10; place++) {
    HlRect box = size;
    double down = (place % 5) / 4.0;
    box.x = place < 5 ? x + gap : x - gap - size.width;
    box.y = frame.y + air + down * (frame.height - 2.0 * air - size.height);
    int hidden = count_hidden (plot, layout, box);
    /* outside the frame is worse than any curve */
    if (box.x < frame.x || box.x + box.width > frame.x + frame.width)
      hidden += 1000;
    if (hidden < fewest) {
      fewest = hidden;
      best = box;
    }
  }
  best.x = CLAMP (best.x, frame.x, frame.x + frame.width - size.width);
  hl_frame_paint_read_out (cr, best, text, style);
  return TRUE;
}

/* The values at a place of a curve, and a ring round it. */
static void
paint_hover (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  const HlPlotPoint *at = plot->hover;
  const HlPlotSeries *series = &plot->series[at->series];
  HlSpot p = {hl_plot_device_x (layout, plot, at->x),
              hl_plot_device_y (layout, plot, at->y, series->right_axis)};
  g_autofree char *text = hl_plot_point_text (plot, layout, at);

  cairo_new_path (cr);
  cairo_arc (cr, p.x, p.y, 2.4 * style->trace_width, 0.0, 2.0 * G_PI);
  hl_color_set (cr, style->background);
  cairo_fill_preserve (cr);
  hl_color_set (cr, series->color);
  cairo_set_line_width (cr, style->trace_width);
  cairo_stroke (cr);
  hl_frame_paint_read_out (
      cr,
      hl_frame_read_out_beside (layout->area, p, hl_frame_read_out_size (cr, text, style), style),
      text, style);
}

/* Between two measuring cursors: how far they stand apart. */
static void
paint_span (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  if (plot->n_cursors < 3 || layout->frame.height < SPAN_FROM_EM * style->font_size)
    return;
  double a = hl_plot_device_x (layout, plot, plot->cursors[1].x);
  double b = hl_plot_device_x (layout, plot, plot->cursors[2].x);
  g_autoptr (GString) text = g_string_new ("Δ");
  hl_plot_append_value (text, plot->x.label, plot->cursors[2].x - plot->cursors[1].x, plot->x.unit,
                        &layout->x_ticks, HL_PLOT_X_FINER);
  double y = layout->frame.y + layout->frame.height - 0.6 * style->font_size;
  paint_pill (cr, text->str, layout->frame, (HlSpot){0.5 * (a + b), y}, 1.0, style);
}

static void
paint_read_outs (cairo_t *cr, const HlPlot *plot, const HlPlotLayout *layout, const HlStyle *style)
{
  for (int i = 0; i < plot->n_cursors && plot->n_bars == 0; i++) {
    const HlPlotCursor *cursor = &plot->cursors[i];
    double x = hl_plot_device_x (layout, plot, cursor->x);
    g_autoptr (GString) text = g_string_new (NULL);
    if (!cursor->read_out || x < layout->frame.x || x > layout->frame.x + layout->frame.width)
      continue;
    hl_plot_append_value (text, plot->x.label, cursor->x, plot->x.unit, &layout->x_ticks,
                          HL_PLOT_X_FINER);
    if (layout->has_values && cursor == hl_plot_value_cursor (plot))
      continue;
    for (int k = 0; k < plot->n_series; k++) {
      const HlPlotSeries *series = &plot->series[k];
      double y = hl_plot_series_value (series, cursor->x);
      if (series->hidden || series->quiet || !isfinite (y))
        continue;
      g_string_append_c (text, '\n');
      hl_plot_append_value (
          text, series->label, y, series->right_axis ? plot->right.unit : plot->left.unit,
          series->right_axis ? &layout->right_ticks : &layout->left_ticks, HL_PLOT_Y_FINER);
    }
    if (paint_read_out (cr, plot, layout, x, text->str, style))
      continue;
    /* in a low frame all in one line; where that does not fit either, the line only */
    g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
    g_autofree char *line = g_strjoinv ("   ", lines);
    HlSpot top = {x, layout->frame.y}, bottom = {x, layout->frame.y + layout->frame.height};
    HlRect above = hl_text_pill_box (cr, style, line, top, 0.5, 0.0);
    HlRect below = hl_text_pill_box (cr, style, line, bottom, 0.5, 1.0);
    if (above.width > 0.8 * layout->frame.width || above.height > layout->frame.height)
      continue;
    /* above stand the letters of measuring cursors */
    if (plot->n_cursors > 1 ||
        count_hidden (plot, layout, below) < count_hidden (plot, layout, above))
      paint_pill (cr, line, layout->frame, bottom, 1.0, style);
    else
      paint_pill (cr, line, layout->frame, top, 0.0, style);
  }
}

/* In as many lines as the frame is narrow. */
static void
paint_message (cairo_t *cr, const char *message, const HlPlotLayout *layout, const HlStyle *style)
{
  HlRect frame = layout->frame;
  g_auto (GStrv) words = g_strsplit (message, " ", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  double width = 0.0;
  double height = 0.0;

  for (char **word = words; *word != NULL; word++) {
    gsize length = text->len;
    g_string_append_printf (text, "%s%s", length > 0 ? " " : "", *word);
    hl_text_size (cr, style, HL_TEXT_BODY, text->str, &width, &height);
    if (length > 0 && width > frame.width - 2.0 * style->font_size)
      text->str[length] = '\n';
  }
  hl_text_size (cr, style, HL_TEXT_BODY, text->str, &width, &height);
  if (height <= frame.height)
    hl_text_paint (cr, style, HL_TEXT_BODY, style->ink_soft, text->str,
                   (HlSpot){frame.x + 0.5 * frame.width, frame.y + 0.5 * frame.height}, 0.5, 0.5);
}

void
hl_paint_plot (cairo_t *cr, const HlPlot *plot, HlRect area, const HlStyle *style)
{
  HlPlotLayout layout;

  hl_plot_layout (cr, plot, area, style, &layout);
  cairo_save (cr);
  if (plot->n_bars == 0)
    hl_frame_paint_grid_x (cr, layout.frame, &layout.x_ticks, style);
  hl_frame_paint_grid_y (cr, layout.frame, &layout.left_ticks, style);
  hl_frame_paint_edge (cr, layout.frame, style);

  cairo_save (cr);
  cairo_rectangle (cr, layout.frame.x, layout.frame.y, layout.frame.width, layout.frame.height);
  cairo_clip (cr);
  paint_events (cr, plot, &layout, style);
  gboolean any = plot->n_bars > 0 || paint_curves (cr, plot, &layout, style);
  paint_marks (cr, plot, &layout, style);
  paint_cursors (cr, plot, &layout, style);
  hl_frame_paint_rubber_band (cr, plot->rubber_band, style);
  cairo_restore (cr);

  paint_axis_labels (cr, plot, &layout, FALSE, style);
  if (layout.has_right)
    paint_axis_labels (cr, plot, &layout, TRUE, style);
  if (plot->n_bars > 0)
    hl_plot_bars_paint (cr, plot, &layout, style);
  else if (!plot->hide_x_labels)
    paint_x_labels (cr, plot, &layout, style);
  paint_titles (cr, plot, &layout, style);
  paint_legend (cr, plot, &layout, style);
  if (any)
    hl_plot_tips_paint (cr, plot, &layout, style);
  if (any)
    paint_span (cr, plot, &layout, style);
  if (any)
    paint_read_outs (cr, plot, &layout, style);
  if (any && plot->hover != NULL)
    paint_hover (cr, plot, &layout, style);
  if (!any && plot->empty_text != NULL)
    paint_message (cr, plot->empty_text, &layout, style);
  else if (any && plot->away_text != NULL && plot->n_bars == 0 && hl_plot_is_away (plot))
    paint_message (cr, plot->away_text, &layout, style);
  cairo_restore (cr);
}
