/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-study-panel.h"

#include <math.h>

void hl_study_column_range (const HlStudyColumn *column, int n, double *low, double *high) {
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

  hl_study_column_range (column, n, &low, &high);
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

  hl_study_column_range (&picture->columns[panel->x_column], picture->n_rows, &low, &high);
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
