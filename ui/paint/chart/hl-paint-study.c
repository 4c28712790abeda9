/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-study.h"

#include "core/base/hl-translation-macros.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/chart/hl-paint-plot.h"

#include <math.h>

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

/* Computes the smallest and largest value of a column; *low = 0, *high = 1 when there is none. */
static void study_column_range (const HlStudyColumn *column, int n, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int k = 0; k < n; k++) {
    *low = fmin (*low, column->values[k]);
    *high = fmax (*high, column->values[k]);
  }
  if (!(*low <= *high))
    *low = 0.0, *high = 1.0;
}

static HlAxis axis_of (const HlStudyColumn *column, int n) {
  double low, high;

  study_column_range (column, n, &low, &high);
  HlAxis axis = {.scale = column->is_log && low > 0.0 ? HL_SCALE_LOG : HL_SCALE_LINEAR};
  hl_axis_fit (&axis, low, high);
  return axis;
}

HlSpot hl_study_panel_place (const HlStudyPanel *panel, double x, double y) {
  return (HlSpot){panel->frame.x + panel->frame.width * hl_axis_fraction (&panel->x, x),
                  panel->frame.y + panel->frame.height * (1.0 - hl_axis_fraction (&panel->y, y))};
}

int hl_study_bin (const HlAxis *axis, double value, double low, double high) {
  double from = hl_axis_fraction (axis, low), to = hl_axis_fraction (axis, high);
  int bin = high > low ? (int)(HL_STUDY_BINS * (hl_axis_fraction (axis, value) - from) / (to - from))
                       : HL_STUDY_BINS / 2;

  return CLAMP (bin, 0, HL_STUDY_BINS - 1);
}

double hl_study_bin_edge (const HlAxis *axis, int bin, double low, double high) {
  double from = hl_axis_fraction (axis, low), to = hl_axis_fraction (axis, high);

  return hl_axis_value (axis, from + (to - from) * bin / HL_STUDY_BINS);
}

/* --- where they lie --- */

static int lay_matrix (const HlStudyPicture *picture, HlRect area, double em, HlStudyPanel panels[]) {
  int n = MIN (picture->n_columns, HL_STUDY_MOST_COLUMNS);
  double left = 5.0 * em, low = 3.2 * em, gap = 0.6 * em;
  double width = (area.width - left - em) / n, height = (area.height - low - em) / n;
  HlAxis axes[HL_STUDY_MOST_COLUMNS];

  for (int k = 0; k < n; k++)
    axes[k] = axis_of (&picture->columns[k], picture->n_rows);
  for (int row = 0; row < n; row++)
    for (int col = 0; col < n; col++)
      panels[row * n + col] = (HlStudyPanel){
          .frame = {area.x + left + col * width, area.y + em + row * height, width - gap, height - gap},
          .x = axes[col],
          .y = axes[row],
          .x_column = col,
          .y_column = row == col ? -1 : row,
          .has_x_title = row == n - 1,
          .has_y_title = col == 0};
  return n * n;
}

static int lay_histograms (const HlStudyPicture *picture, HlRect area, double em, HlStudyPanel panels[]) {
  int n = MIN (picture->n_columns, HL_STUDY_MOST_COLUMNS), across = n > 3 ? 2 : 1,
      down = (n + across - 1) / across;
  double width = area.width / across, height = area.height / MAX (down, 1);

  for (int k = 0; k < n; k++)
    panels[k] =
        (HlStudyPanel){.frame = {area.x + k % across * width + em, area.y + k / across * height + 0.6 * em,
                                 width - 2.0 * em, height - 3.8 * em},
                       .x = axis_of (&picture->columns[k], picture->n_rows),
                       .y = {.min = 0.0, .max = 1.0},
                       .x_column = k,
                       .y_column = -1,
                       .has_x_title = TRUE};
  return n;
}

static int lay_one (const HlStudyPicture *picture, HlRect area, double em, double right,
                    HlStudyPanel panels[]) {
  if (picture->n_columns < 2)
    return 0;
  panels[0] = (HlStudyPanel){
      .frame = {area.x + 5.0 * em, area.y + em, area.width - (6.0 + right) * em, area.height - 4.2 * em},
      .x = axis_of (&picture->columns[0], picture->n_rows),
      .y = axis_of (&picture->columns[1], picture->n_rows),
      .x_column = 0,
      .y_column = 1,
      .has_x_title = TRUE,
      .has_y_title = TRUE};
  return 1;
}

int hl_study_panels (const HlStudyPicture *picture, HlRect area, const HlStyle *style,
                     HlStudyPanel panels[]) {
  double em = style->font_size;

  switch (picture->kind) {
  case HL_STUDY_SCATTER:
    return lay_matrix (picture, area, em, panels);
  case HL_STUDY_HISTOGRAM:
    return lay_histograms (picture, area, em, panels);
  case HL_STUDY_SURFACE:
    return lay_one (picture, area, em, 7.0, panels);
  case HL_STUDY_PARETO:
  case HL_STUDY_CLOUD:
    return lay_one (picture, area, em, 0.0, panels);
  case HL_STUDY_TORNADO:
    break;
  }
  return 0;
}

/* --- what lies where --- */

int hl_study_panel_at (const HlStudyPanel panels[], int n, HlSpot at) {
  for (int k = 0; k < n; k++) {
    const HlRect *frame = &panels[k].frame;
    if (at.x >= frame->x && at.x <= frame->x + frame->width && at.y >= frame->y &&
        at.y <= frame->y + frame->height)
      return k;
  }
  return -1;
}

int hl_study_row_at (const HlStudyPicture *picture, const HlStudyPanel *panel, HlSpot at, double reach) {
  double nearest = reach;
  int found = -1;

  for (int row = 0; panel->y_column >= 0 && row < picture->n_rows; row++) {
    HlSpot spot = hl_study_panel_place (panel, picture->columns[panel->x_column].values[row],
                                        picture->columns[panel->y_column].values[row]);
    double distance = hypot (spot.x - at.x, spot.y - at.y);
    if (distance <= nearest) { /* false for what is not there */
      nearest = distance;
      found = row;
    }
  }
  return found;
}

static gboolean touches_bar (const HlStudyPanel *panel, const HlRect *box, double value, double low,
                             double high) {
  int bin = hl_study_bin (&panel->x, value, low, high);
  double from = hl_study_bin_edge (&panel->x, bin, low, high),
         to = hl_study_bin_edge (&panel->x, bin + 1, low, high);

  return hl_study_panel_place (panel, from, 0.0).x <= box->x + box->width &&
         hl_study_panel_place (panel, to, 0.0).x >= box->x;
}

int hl_study_brush (const HlStudyPicture *picture, const HlStudyPanel *panel, HlRect box, guint8 lit[]) {
  const double *x = picture->columns[panel->x_column].values;
  const double *y = panel->y_column >= 0 ? picture->columns[panel->y_column].values : NULL;
  double low, high;
  int n = 0;

  study_column_range (&picture->columns[panel->x_column], picture->n_rows, &low, &high);
  for (int row = 0; row < picture->n_rows; row++) {
    gboolean is_in = !isnan (x[row]);
    if (is_in && y == NULL)
      is_in = touches_bar (panel, &box, x[row], low, high);
    else if (is_in) {
      HlSpot at = hl_study_panel_place (panel, x[row], y[row]);
      is_in = at.x >= box.x && at.x <= box.x + box.width && at.y >= box.y && at.y <= box.y + box.height;
    }
    lit[row] = is_in;
    n += is_in;
  }
  return n;
}

#define N_CELLS 60       /* of a surface, along each side */
#define POWER 3.0        /* of the distance, in the weights of a surface (Shepard's method) */
#define MOST_POINTS 2000 /* that a surface weighs */
#define MANY 2000        /* points that are painted as one path of squares */
#define TICK_EM 4.5      /* room of a label along an axis, in font sizes */

/* A frame with its two axes. */
typedef struct {
  cairo_t *cr;
  const HlStyle *style;
  HlRect frame;
  HlAxis x, y;
} Panel;

static Panel panel_of (cairo_t *cr, const HlStyle *style, const HlStudyPanel *laid) {
  return (Panel){cr, style, laid->frame, laid->x, laid->y};
}

static HlSpot panel_spot (const Panel *panel, double x, double y) {
  return hl_study_panel_place (&(HlStudyPanel){.frame = panel->frame, .x = panel->x, .y = panel->y}, x, y);
}

/* --- frames --- */

static void paint_frame (const Panel *panel) {
  hl_color_set (panel->cr, panel->style->ink_soft);
  cairo_set_line_width (panel->cr, panel->style->hair_width);
  cairo_rectangle (panel->cr, panel->frame.x, panel->frame.y, panel->frame.width, panel->frame.height);
  cairo_stroke (panel->cr);
}

static void paint_title (const Panel *panel, const char *title, HlSpot at, gboolean turned) {
  double room = turned ? panel->frame.height : panel->frame.width;
  g_autofree char *text = hl_text_elide (panel->cr, panel->style, HL_TEXT_SMALL, title, room);

  cairo_save (panel->cr);
  cairo_translate (panel->cr, at.x, at.y);
  if (turned)
    cairo_rotate (panel->cr, -G_PI / 2.0);
  hl_text_paint (panel->cr, panel->style, HL_TEXT_SMALL, panel->style->ink, text, (HlSpot){0, 0}, 0.5,
                 turned ? 1.0 : 0.0);
  cairo_restore (panel->cr);
}

/* Returns the title with the factor of the tick labels. Owned by the caller. */
static char *title_of (const HlStudyColumn *column, const HlTicks *ticks) {
  char text[512];

  hl_axis_title (column->title, column->unit != NULL ? column->unit : "", ticks, text, sizeof text);
  return g_strdup (text);
}

/* Ticks and titles below (x) or left (y); NULL: none. */
static void paint_axes (const Panel *panel, const HlStudyColumn *x, const HlStudyColumn *y) {
  double em = panel->style->font_size;
  HlTicks ticks;

  if (x != NULL) {
    hl_axis_ticks (&panel->x, panel->frame.width, TICK_EM * em, &ticks);
    for (int k = 0; k < ticks.n; k++)
      if (ticks.tick[k].major) {
        /* within the frame: the next panel has its own numbers */
        double width, height, x_px = panel->frame.x + ticks.tick[k].fraction * panel->frame.width;
        hl_text_size (panel->cr, panel->style, HL_TEXT_SMALL, ticks.tick[k].label, &width, &height);
        x_px = fmin (fmax (x_px - 0.5 * width, panel->frame.x), panel->frame.x + panel->frame.width - width);
        hl_text_paint (panel->cr, panel->style, HL_TEXT_SMALL, panel->style->ink_soft, ticks.tick[k].label,
                       (HlSpot){x_px, panel->frame.y + panel->frame.height + 0.2 * em}, 0.0, 0.0);
      }
    g_autofree char *title = title_of (x, &ticks);
    paint_title (
        panel, title,
        (HlSpot){panel->frame.x + 0.5 * panel->frame.width, panel->frame.y + panel->frame.height + 1.4 * em},
        FALSE);
  }
  if (y == NULL)
    return;
  hl_axis_ticks (&panel->y, panel->frame.height, 2.0 * em, &ticks);
  for (int k = 0; k < ticks.n; k++)
    if (ticks.tick[k].major)
      hl_text_paint (panel->cr, panel->style, HL_TEXT_SMALL, panel->style->ink_soft, ticks.tick[k].label,
                     (HlSpot){panel->frame.x - 0.3 * em,
                              panel->frame.y + panel->frame.height * (1 - ticks.tick[k].fraction)},
                     1.0, 0.5);
  g_autofree char *title = title_of (y, &ticks);
  paint_title (panel, title, (HlSpot){panel->frame.x - 3.4 * em, panel->frame.y + 0.5 * panel->frame.height},
               TRUE);
}

/* --- what stands in them --- */

/* Paints the points of the highlighted rows (or of the others). Many of them are squares on whole pixels,
 * which are filled all at once. */
static void paint_some (const Panel *panel, const HlStudyColumn *x, const HlStudyColumn *y,
                        const HlStudyPicture *picture, gboolean is_lit) {
  int n = picture->n_rows;
  double radius = fmax (0.6, fmin (2.0, 30.0 / sqrt (n + 1.0)));

  for (int k = 0; k < n; k++) {
    if (isnan (x->values[k]) || isnan (y->values[k]) || (picture->lit != NULL && picture->lit[k] != is_lit))
      continue;
    HlSpot at = panel_spot (panel, x->values[k], y->values[k]);
    if (n > MANY)
      cairo_rectangle (panel->cr, floor (at.x), floor (at.y), 1.0, 1.0);
    else {
      cairo_new_sub_path (panel->cr);
      cairo_arc (panel->cr, at.x, at.y, radius, 0.0, 2.0 * G_PI);
      cairo_fill (panel->cr);
    }
  }
  cairo_fill (panel->cr);
}

static void paint_row (const Panel *panel, const HlStudyColumn *x, const HlStudyColumn *y,
                       const HlStudyPicture *picture) {
  if (picture->row == NULL || *picture->row < 0 || *picture->row >= picture->n_rows)
    return;
  HlSpot at = panel_spot (panel, x->values[*picture->row], y->values[*picture->row]);
  if (isnan (at.x) || isnan (at.y))
    return;
  hl_color_set (panel->cr, panel->style->accent);
  cairo_set_line_width (panel->cr, panel->style->trace_width);
  cairo_arc (panel->cr, at.x, at.y, 4.0, 0.0, 2.0 * G_PI);
  cairo_stroke (panel->cr);
}

static void paint_points (const Panel *panel, const HlStudyColumn *x, const HlStudyColumn *y,
                          const HlStudyPicture *picture) {
  const HlStyle *style = panel->style;
  double alpha = picture->n_rows > 500 && picture->n_rows <= MANY ? 0.4 : 0.8;

  if (picture->lit != NULL) {
    hl_color_set (panel->cr, hl_color_mix (style->background, style->ink_soft, 0.35));
    paint_some (panel, x, y, picture, FALSE);
    hl_color_set (panel->cr, style->trace[1]);
  } else
    hl_color_set (panel->cr, hl_color_with_alpha (style->trace[0], alpha));
  paint_some (panel, x, y, picture, TRUE);
  paint_row (panel, x, y, picture);
}

static void paint_counts (const Panel *panel, const int counts[], int most, double low, double high) {
  for (int bin = 0; bin < HL_STUDY_BINS; bin++) {
    double from = hl_study_bin_edge (&panel->x, bin, low, high),
           to = hl_study_bin_edge (&panel->x, bin + 1, low, high);
    double x0 = panel_spot (panel, from, 0).x, x1 = panel_spot (panel, to, 0).x;
    double height = 0.95 * panel->frame.height * counts[bin] / most;
    if (!(x1 - x0 >= 1.0)) /* of what does not vary */
      x0 -= 2.0, x1 = x0 + 4.0;
    cairo_rectangle (panel->cr, x0, panel->frame.y + panel->frame.height - height, x1 - x0, height);
  }
  cairo_fill (panel->cr);
}

static void paint_histogram (const Panel *panel, const HlStudyColumn *column, const HlStudyPicture *picture) {
  int counts[HL_STUDY_BINS] = {0}, bright[HL_STUDY_BINS] = {0}, most = 1, n = picture->n_rows;
  const HlStyle *style = panel->style;
  double low, high;

  study_column_range (column, n, &low, &high);
  for (int k = 0; k < n; k++)
    if (!isnan (column->values[k])) {
      int bin = hl_study_bin (&panel->x, column->values[k], low, high);
      counts[bin]++;
      most = MAX (most, counts[bin]);
      bright[bin] += picture->lit != NULL && picture->lit[k];
    }
  if (picture->lit != NULL)
    hl_color_set (panel->cr, hl_color_mix (style->background, style->ink_soft, 0.35));
  else
    hl_color_set (panel->cr, hl_color_with_alpha (style->trace[0], 0.7));
  paint_counts (panel, counts, most, low, high);
  if (picture->lit == NULL)
    return;
  hl_color_set (panel->cr, style->trace[1]);
  paint_counts (panel, bright, most, low, high);
}

/* --- the pictures --- */

/* Clouds and histograms, each in its frame. */
static void paint_panels (cairo_t *cr, const HlStudyPicture *picture, HlRect area, const HlStyle *style) {
  HlStudyPanel panels[HL_STUDY_MOST_PANELS];
  int n = hl_study_panels (picture, area, style, panels);

  for (int k = 0; k < n; k++) {
    const HlStudyPanel *laid = &panels[k];
    const HlStudyColumn *x = &picture->columns[laid->x_column];
    Panel panel = panel_of (cr, style, laid);
    if (!(laid->frame.width > 0.0 && laid->frame.height > 0.0))
      continue;
    if (laid->y_column < 0)
      paint_histogram (&panel, x, picture);
    else
      paint_points (&panel, x, &picture->columns[laid->y_column], picture);
    paint_frame (&panel);
    /* the diagonal of a matrix has the title of its row, where it has no axis of its own */
    int row = laid->y_column >= 0 ? laid->y_column : laid->x_column;
    paint_axes (&panel, laid->has_x_title ? x : NULL, laid->has_y_title ? &picture->columns[row] : NULL);
  }
}

static HlColor shade (const HlStyle *style, double part) {
  return hl_color_mix (hl_color_mix (style->trace[0], style->background, 0.75), style->trace[1],
                       CLAMP (part, 0.0, 1.0));
}

/* Returns the third column at a spot, weighed by the distance to the rows. */
static double weighted_value (const Panel *panel, const HlStudyPicture *picture, double x, double y) {
  double sum = 0.0, weights = 0.0;
  int step = picture->n_rows / MOST_POINTS + 1;

  for (int k = 0; k < picture->n_rows; k += step) {
    double z = picture->columns[2].values[k];
    double dx = hl_axis_fraction (&panel->x, picture->columns[0].values[k]) - x,
           dy = hl_axis_fraction (&panel->y, picture->columns[1].values[k]) - y;
    double distance = hypot (dx, dy);
    if (isnan (z) || isnan (distance))
      continue;
    double weight = pow (fmax (distance, 1e-4), -POWER);
    sum += weight * z;
    weights += weight;
  }
  return sum / weights;
}

static void paint_key (const Panel *panel, const HlStudyColumn *column, double low, double high) {
  double em = panel->style->font_size, x = panel->frame.x + panel->frame.width + em;
  char text[48];

  for (int k = 0; k < N_CELLS; k++) {
    hl_color_set (panel->cr, shade (panel->style, 1.0 - k / (N_CELLS - 1.0)));
    cairo_rectangle (panel->cr, x, panel->frame.y + k * panel->frame.height / N_CELLS, em,
                     panel->frame.height / N_CELLS + 0.5);
    cairo_fill (panel->cr);
  }
  hl_axis_format (high, 4, text, sizeof text);
  hl_text_paint (panel->cr, panel->style, HL_TEXT_SMALL, panel->style->ink_soft, text,
                 (HlSpot){x + 1.4 * em, panel->frame.y}, 0.0, 0.0);
  hl_axis_format (low, 4, text, sizeof text);
  hl_text_paint (panel->cr, panel->style, HL_TEXT_SMALL, panel->style->ink_soft, text,
                 (HlSpot){x + 1.4 * em, panel->frame.y + panel->frame.height}, 0.0, 1.0);
  paint_title (panel, column->title, (HlSpot){x + 4.0 * em, panel->frame.y + 0.5 * panel->frame.height},
               TRUE);
}

static void paint_surface (cairo_t *cr, const HlStudyPicture *picture, HlRect area, const HlStyle *style) {
  HlStudyPanel laid[HL_STUDY_MOST_PANELS];
  if (hl_study_panels (picture, area, style, laid) == 0)
    return;
  Panel panel = panel_of (cr, style, laid);
  double low, high, width = panel.frame.width / N_CELLS, height = panel.frame.height / N_CELLS;

  study_column_range (&picture->columns[2], picture->n_rows, &low, &high);
  for (int j = 0; j < N_CELLS; j++)
    for (int i = 0; i < N_CELLS; i++) {
      double z = weighted_value (&panel, picture, (i + 0.5) / N_CELLS, (j + 0.5) / N_CELLS);
      if (isnan (z))
        continue;
      hl_color_set (cr, shade (style, high > low ? (z - low) / (high - low) : 0.5));
      cairo_rectangle (cr, panel.frame.x + i * width, panel.frame.y + panel.frame.height - (j + 1) * height,
                       width + 0.5, height + 0.5);
      cairo_fill (cr);
    }
  hl_color_set (cr, hl_color_with_alpha (style->ink, 0.5));
  for (int k = 0; k < picture->n_rows; k++) {
    HlSpot at = panel_spot (&panel, picture->columns[0].values[k], picture->columns[1].values[k]);
    cairo_rectangle (cr, at.x - 0.5, at.y - 0.5, 1.0, 1.0);
  }
  cairo_fill (cr);
  paint_frame (&panel);
  paint_axes (&panel, &picture->columns[0], &picture->columns[1]);
  paint_key (&panel, &picture->columns[2], low, high);
}

static gboolean is_beaten (const HlStudyPicture *picture, int row) {
  const double *a = picture->columns[0].values, *b = picture->columns[1].values;

  for (int k = 0; k < picture->n_rows; k++)
    if (a[k] <= a[row] && b[k] <= b[row] && (a[k] < a[row] || b[k] < b[row]))
      return TRUE;
  return isnan (a[row]) || isnan (b[row]);
}

static void paint_pareto (cairo_t *cr, const HlStudyPicture *picture, HlRect area, const HlStyle *style) {
  HlStudyPanel laid[HL_STUDY_MOST_PANELS];
  if (hl_study_panels (picture, area, style, laid) == 0)
    return;
  Panel panel = panel_of (cr, style, laid);

  paint_points (&panel, &picture->columns[0], &picture->columns[1], picture);
  hl_color_set (cr, style->problem);
  for (int k = 0; k < picture->n_rows; k++) {
    if (is_beaten (picture, k))
      continue;
    HlSpot at = panel_spot (&panel, picture->columns[0].values[k], picture->columns[1].values[k]);
    cairo_arc (cr, at.x, at.y, 2.5, 0.0, 2.0 * G_PI);
    cairo_fill (cr);
  }
  paint_frame (&panel);
  paint_axes (&panel, &picture->columns[0], &picture->columns[1]);
}

static void paint_bar (const Panel *panel, double y, double height, double value, double low, double high,
                       int hue) {
  double zero = panel_spot (panel, 0.0, 0.0).x, end = panel_spot (panel, value, 0.0).x;

  if (isnan (value))
    return;
  hl_color_set (panel->cr, panel->style->trace[hue]);
  cairo_rectangle (panel->cr, fmin (zero, end), y, fabs (end - zero), height);
  cairo_fill (panel->cr);
  hl_color_set (panel->cr, panel->style->ink);
  cairo_set_line_width (panel->cr, panel->style->hair_width);
  /* an interval that leaves the frame ends at it */
  cairo_move_to (panel->cr, panel_spot (panel, fmax (low, panel->x.min), 0.0).x, y + 0.5 * height);
  cairo_line_to (panel->cr, panel_spot (panel, fmin (high, panel->x.max), 0.0).x, y + 0.5 * height);
  cairo_stroke (panel->cr);
}

/* Paints the tornado chart, with the most influential number on top. */
static void paint_tornado (cairo_t *cr, const HlStudyPicture *picture, HlRect area, const HlStyle *style) {
  double em = style->font_size, wide = 0.0, w, h;
  int n = picture->n_bars;
  g_autofree int *order = g_new (int, n + 1);

  for (int k = 0; k < n; k++) {
    int at = k;
    for (; at > 0 && picture->bars[order[at - 1]].total < picture->bars[k].total; at--)
      order[at] = order[at - 1];
    order[at] = k;
    hl_text_size (cr, style, HL_TEXT_SMALL, picture->bars[k].name, &w, &h);
    wide = fmax (wide, w);
  }
  wide = fmin (wide, 0.4 * area.width);
  Panel panel = {
      cr,
      style,
      {area.x + wide + 1.5 * em, area.y + 2.0 * em, area.width - wide - 2.5 * em, area.height - 5.4 * em},
      {.min = -0.05, .max = 1.05},
      {.min = 0.0, .max = 1.0}};
  double room = panel.frame.height / MAX (n, 1);
  for (int k = 0; k < n; k++) {
    const HlStudyBar *bar = &picture->bars[order[k]];
    double y = panel.frame.y + k * room;
    g_autofree char *name = hl_text_elide (cr, style, HL_TEXT_SMALL, bar->name, wide);
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, name,
                   (HlSpot){panel.frame.x - 0.5 * em, y + 0.5 * room}, 1.0, 0.5);
    paint_bar (&panel, y + 0.12 * room, 0.36 * room, bar->first, bar->first_low, bar->first_high, 0);
    paint_bar (&panel, y + 0.52 * room, 0.36 * room, bar->total, bar->total_low, bar->total_high, 1);
  }
  paint_frame (&panel);
  paint_axes (&panel, &(HlStudyColumn){.title = picture->title}, NULL);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->trace[0], _ ("by itself"),
                 (HlSpot){panel.frame.x, area.y + 0.4 * em}, 0.0, 0.0);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->trace[1], _ ("with all interactions"),
                 (HlSpot){panel.frame.x + panel.frame.width, area.y + 0.4 * em}, 1.0, 0.0);
}

void hl_paint_study (cairo_t *cr, const HlStudyPicture *picture, HlRect area, const HlStyle *style) {
  switch (picture->kind) {
  case HL_STUDY_SCATTER:
  case HL_STUDY_HISTOGRAM:
  case HL_STUDY_CLOUD:
    paint_panels (cr, picture, area, style);
    break;
  case HL_STUDY_SURFACE:
    paint_surface (cr, picture, area, style);
    break;
  case HL_STUDY_PARETO:
    paint_pareto (cr, picture, area, style);
    break;
  case HL_STUDY_TORNADO:
    paint_tornado (cr, picture, area, style);
    break;
  }
}
