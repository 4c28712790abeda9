/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-stability-map.h"

#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>

#define LEFT_EM 4.6
#define BOTTOM_EM 2.2
#define TOP_EM 2.2
#define TITLE_EM 0.35 /* below the frame, in line with the numbers there */
#define RIGHT_EM 1.2
#define PALE 0.12 /* of the colour at a real part of zero */
#define FULL 0.75
#define GROWTH_SOFTNESS 1e-3
#define DAMPING_SOFTNESS 0.1
#define KEY_EM 9.0
#define KEY_STEPS 36
#define KEY_DIGITS 2
#define DOT_PX 1.7
#define MOST_LEVELS 6 /* lines of equal damping or growth */
#define LAP_PX 0.25   /* of a cell over those painted after it: no seam shows between two of them */

static HlAxis axis_of (double from, double to, gboolean log, const HlUnit *unit) {
  return (HlAxis){.scale = log ? HL_SCALE_LOG : HL_SCALE_LINEAR,
                  .min = hl_unit_from_si (unit, from),
                  .max = hl_unit_from_si (unit, to)};
}

static HlAxis axis_x (const HlMapPicture *picture) {
  return axis_of (picture->x_from, picture->x_to, picture->x_log, picture->x_unit);
}

static HlAxis axis_y (const HlMapPicture *picture) {
  return axis_of (picture->y_from, picture->y_to, picture->y_log, picture->y_unit);
}

HlRect hl_map_frame (HlRect area, const HlStyle *style) {
  double em = style->font_size;
  return (HlRect){area.x + LEFT_EM * em, area.y + TOP_EM * em,
                  fmax (area.width - (LEFT_EM + RIGHT_EM) * em, 1.0),
                  fmax (area.height - (TOP_EM + BOTTOM_EM) * em, 1.0)};
}

static double place_x (const HlMapPicture *picture, HlRect frame, double si) {
  HlAxis axis = axis_x (picture);
  return frame.x + frame.width * hl_axis_fraction (&axis, hl_unit_from_si (picture->x_unit, si));
}

static double place_y (const HlMapPicture *picture, HlRect frame, double si) {
  HlAxis axis = axis_y (picture);
  return frame.y + frame.height * (1.0 - hl_axis_fraction (&axis, hl_unit_from_si (picture->y_unit, si)));
}

/* Edges of the cells about grid lines, n + 1 of them: half way between neighbours. */
static double *cell_edges (const HlMapPicture *picture, HlRect frame, gboolean along_x) {
  int n = along_x ? picture->map->n_x : picture->map->n_y;
  const double *values = along_x ? picture->map->x : picture->map->y;
  double *edges = g_new (double, n + 1);
  double last = NAN;

  for (int i = 0; i < n; i++) {
    double at = along_x ? place_x (picture, frame, values[i]) : place_y (picture, frame, values[i]);
    edges[i] = i == 0 ? at : 0.5 * (at + last);
    last = at;
  }
  edges[n] = last;
  return edges;
}

/* Value of the colours: positive is unstable. */
typedef struct {
  const double *values;
  double sign;
  double largest;  /* modulus with the full colour */
  double softness; /* part of it below which the colour grows in proportion */
} Coloring;

static Coloring coloring_of (const HlMapPicture *picture) {
  const HlStabilityMap *map = picture->map;

  if (picture->by_damping)
    return (Coloring){map->damping, -1.0, 1.0, DAMPING_SOFTNESS};
  Coloring coloring = {map->growth, 1.0, 0.0, GROWTH_SOFTNESS};
  for (int k = 0; k < map->n_x * map->n_y; k++)
    if (isfinite (map->growth[k]))
      coloring.largest = fmax (coloring.largest, fabs (map->growth[k]));
  return coloring;
}

/* Returns the part of the way to the full colour, with the sign of instability: -1 ... 1. */
static double strength (const Coloring *coloring, double value) {
  double part = value * coloring->sign / coloring->largest;
  return asinh (part / coloring->softness) / asinh (1.0 / coloring->softness);
}

static void set_color (cairo_t *cr, double part, const HlStyle *style) {
  hl_color_set (cr, hl_color_mix (style->background, part > 0.0 ? style->problem : style->accent,
                                  PALE + (FULL - PALE) * fmin (fabs (part), 1.0)));
}

/* Paints the colors from stable to unstable above the frame, with the values at their ends. */
static void paint_key (cairo_t *cr, const HlMapPicture *picture, HlRect frame, const HlStyle *style) {
  Coloring coloring = coloring_of (picture);
  double em = style->font_size, width = KEY_EM * em, left = frame.x + 0.5 * (frame.width - width);
  double middle = frame.y - em, step = width / KEY_STEPS;
  char number[48], text[64];

  if (coloring.largest == 0.0)
    return;
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (int k = 0; k < KEY_STEPS; k++) {
    set_color (cr, 2.0 * (k + 0.5) / KEY_STEPS - 1.0, style);
    cairo_rectangle (cr, left + k * step, middle - 0.35 * em, step, 0.7 * em);
    cairo_fill (cr);
  }
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
  hl_axis_format (-coloring.sign * coloring.largest, KEY_DIGITS, number, sizeof number);
  g_snprintf (text, sizeof text, "%s = %s", picture->by_damping ? "ζ" : "Re λ", number);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, (HlSpot){left - 0.5 * em, middle}, 1.0, 0.5);
  hl_axis_format (coloring.sign * coloring.largest, KEY_DIGITS, number, sizeof number);
  g_snprintf (text, sizeof text, picture->by_damping ? "%s" : "%s s⁻¹", number);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, (HlSpot){left + width + 0.5 * em, middle}, 0.0,
                 0.5);
}

static void paint_cells (cairo_t *cr, const HlMapPicture *picture, HlRect frame, const HlStyle *style) {
  const HlStabilityMap *map = picture->map;
  g_autofree double *xs = cell_edges (picture, frame, TRUE);
  g_autofree double *ys = cell_edges (picture, frame, FALSE);
  Coloring coloring = coloring_of (picture);

  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (int j = 0; j < map->n_y; j++)
    for (int i = 0; i < map->n_x; i++) {
      int cell = j * map->n_x + i;
      if (!isfinite (map->growth[cell]) || coloring.largest == 0.0)
        continue;
      if (map->moving != NULL && map->moving[cell]) /* a verdict would hang on the coordinates */
        hl_color_set (cr, hl_color_mix (style->background, style->ink, PALE));
      else
        set_color (cr, strength (&coloring, coloring.values[cell]), style);
      double lap_x = i + 1 < map->n_x ? LAP_PX : 0.0, lap_y = j + 1 < map->n_y ? LAP_PX : 0.0;
      cairo_rectangle (cr, xs[i], ys[j + 1] - lap_y, xs[i + 1] - xs[i] + lap_x, ys[j] - ys[j + 1] + lap_y);
      cairo_fill (cr);
    }
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
  hl_color_set (cr, style->ink);
  for (int k = 0; k < map->n_boundary; k++) {
    cairo_arc (cr, place_x (picture, frame, map->boundary[2 * k]),
               place_y (picture, frame, map->boundary[2 * k + 1]), DOT_PX, 0.0, 2.0 * G_PI);
    cairo_fill (cr);
  }
}

/* Returns the number of levels that lines of equal damping or equal growth are drawn at: common damping
 * ratios, decades of growth. */
static int levels_of (const HlMapPicture *picture, const Coloring *coloring, double levels[MOST_LEVELS]) {
  static const double ratios[] = {0.05, 0.1, 0.2, 0.5};
  int n = 0;

  if (picture->by_damping) {
    for (gsize k = 0; k < G_N_ELEMENTS (ratios); k++)
      levels[n++] = ratios[k];
    return n;
  }
  if (!(coloring->largest > 0.0))
    return 0;
  int last = (int)floor (log10 (coloring->largest));
  for (int k = 0; k < MOST_LEVELS / 2; k++)
    for (int sign = -1; sign <= 1; sign += 2)
      levels[n++] = sign * pow (10.0, last - k);
  return n;
}

/* Finds the crossing of a level with the edge between two grid points; FALSE: none, or a value is not known. */
static gboolean crossing_of (const HlMapPicture *picture, HlRect frame, const double *values, double level,
                             const int from[2], const int to[2], HlSpot *at) {
  const HlStabilityMap *map = picture->map;
  int a = from[1] * map->n_x + from[0], b = to[1] * map->n_x + to[0];
  double above = values[a] - level, beyond = values[b] - level;

  if (!isfinite (above) || !isfinite (beyond) || (above >= 0.0) == (beyond >= 0.0) ||
      (map->moving != NULL && (map->moving[a] || map->moving[b])))
    return FALSE;
  double part = above / (above - beyond);
  double x[2] = {place_x (picture, frame, map->x[from[0]]), place_x (picture, frame, map->x[to[0]])};
  double y[2] = {place_y (picture, frame, map->y[from[1]]), place_y (picture, frame, map->y[to[1]])};
  *at = (HlSpot){x[0] + part * (x[1] - x[0]), y[0] + part * (y[1] - y[0])};
  return TRUE;
}

/* Strokes one level through every cell between four grid points. *middle: the place on it nearest to the middle of
 * the frame; FALSE: the level is nowhere. */
static gboolean paint_level (cairo_t *cr, const HlMapPicture *picture, HlRect frame, const double *values,
                             double level, HlSpot *middle) {
  static const int corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  HlSpot centre = {frame.x + 0.5 * frame.width, frame.y + 0.5 * frame.height};
  double nearest = INFINITY;

  cairo_new_path (cr);
  for (int j = 0; j + 1 < picture->map->n_y; j++)
    for (int i = 0; i + 1 < picture->map->n_x; i++) {
      HlSpot spots[4];
      int n = 0;
      for (int edge = 0; edge < 4; edge++) {
        const int *a = corners[edge], *b = corners[(edge + 1) % 4];
        n += crossing_of (picture, frame, values, level, (const int[]){i + a[0], j + a[1]},
                          (const int[]){i + b[0], j + b[1]}, &spots[n]);
      }
      for (int k = 0; k + 1 < n; k += 2) {
        cairo_move_to (cr, spots[k].x, spots[k].y);
        cairo_line_to (cr, spots[k + 1].x, spots[k + 1].y);
        double far = hypot (spots[k].x - centre.x, spots[k].y - centre.y);
        if (far < nearest) {
          nearest = far;
          *middle = spots[k];
        }
      }
    }
  cairo_stroke (cr);
  return isfinite (nearest);
}

/* Paints lines of equal damping or growth with their numbers; a number that would cover another one is left
 * out. */
static void paint_contours (cairo_t *cr, const HlMapPicture *picture, HlRect frame, const HlStyle *style) {
  Coloring coloring = coloring_of (picture);
  double levels[MOST_LEVELS];
  HlRect taken[MOST_LEVELS];
  int n = levels_of (picture, &coloring, levels), n_taken = 0;

  cairo_set_line_width (cr, style->hair_width);
  for (int k = 0; k < n; k++) {
    HlSpot middle;
    char number[48], text[64];
    hl_color_set (cr, style->ink_soft);
    if (!paint_level (cr, picture, frame, coloring.values, levels[k], &middle))
      continue;
    hl_axis_format (levels[k], KEY_DIGITS, number, sizeof number);
    g_snprintf (text, sizeof text, picture->by_damping ? "ζ %s" : "%s s⁻¹", number);
    HlRect box = hl_text_pill_box (cr, style, text, middle, 0.5, 0.5);
    gboolean is_free = hl_rect_contains (frame, (HlSpot){box.x, box.y}) &&
                       hl_rect_contains (frame, (HlSpot){box.x + box.width, box.y + box.height});
    for (int i = 0; i < n_taken; i++)
      is_free = is_free && !hl_rect_overlaps (box, taken[i]);
    if (!is_free)
      continue;
    taken[n_taken++] = box;
    hl_text_pill (cr, style, text, middle, 0.5, 0.5);
  }
}

static void paint_now (cairo_t *cr, const HlMapPicture *picture, HlRect frame, const HlStyle *style) {
  if (!isfinite (picture->x_now) || !isfinite (picture->y_now))
    return;
  double x = place_x (picture, frame, picture->x_now), y = place_y (picture, frame, picture->y_now);

  cairo_arc (cr, x, y, 5.0, 0.0, 2.0 * G_PI);
  hl_color_set (cr, style->background);
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->ink);
  cairo_set_line_width (cr, style->line_width);
  cairo_stroke (cr);
  cairo_arc (cr, x, y, 1.6, 0.0, 2.0 * G_PI);
  cairo_fill (cr);
}

void hl_paint_map (cairo_t *cr, const HlMapPicture *picture, HlRect area, const HlStyle *style) {
  HlRect frame = hl_map_frame (area, style);
  HlAxis x = axis_x (picture), y = axis_y (picture);
  HlTicks x_ticks, y_ticks;
  char text[128];

  hl_axis_ticks (&x, frame.width, hl_frame_label_pitch_x (style), &x_ticks);
  hl_axis_ticks (&y, frame.height, hl_frame_label_pitch_y (style), &y_ticks);
  cairo_save (cr);
  cairo_save (cr);
  cairo_rectangle (cr, frame.x, frame.y, frame.width, frame.height);
  cairo_clip (cr);
  if (picture->map != NULL) {
    paint_cells (cr, picture, frame, style);
    paint_contours (cr, picture, frame, style);
  } else
    hl_frame_paint_grid_x (cr, frame, &x_ticks, style);
  paint_now (cr, picture, frame, style);
  cairo_restore (cr);
  if (picture->map != NULL)
    paint_key (cr, picture, frame, style);
  hl_frame_paint_edge (cr, frame, style);
  hl_axis_title (picture->x_label, picture->x_unit->symbol, &x_ticks, text, sizeof text);
  HlRect title = hl_text_paint (
      cr, style, HL_TEXT_SMALL, style->ink, text,
      (HlSpot){frame.x + frame.width, frame.y + frame.height + TITLE_EM * style->font_size}, 1.0, 0.0);
  hl_frame_paint_labels_x (cr, frame, &x_ticks, &title, 1, style);
  hl_frame_paint_labels_y (cr, frame, &y_ticks, FALSE, style);
  hl_axis_title (picture->y_label, picture->y_unit->symbol, &y_ticks, text, sizeof text);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text, (HlSpot){frame.x, frame.y - style->font_size},
                 0.0, 0.5);
  cairo_restore (cr);
}

gboolean hl_map_value (const HlMapPicture *picture, HlRect area, const HlStyle *style, HlSpot at, double *x,
                       double *y) {
  HlRect frame = hl_map_frame (area, style);
  HlAxis axis_of_x = axis_x (picture), axis_of_y = axis_y (picture);

  if (!hl_rect_contains (frame, at))
    return FALSE;
  *x = hl_unit_to_si (picture->x_unit, hl_axis_value (&axis_of_x, (at.x - frame.x) / frame.width));
  *y = hl_unit_to_si (picture->y_unit, hl_axis_value (&axis_of_y, 1.0 - (at.y - frame.y) / frame.height));
  return TRUE;
}

int hl_map_nearest (const double values[], int n, double value) {
  int best = 0;

  for (int i = 1; i < n; i++)
    if (fabs (values[i] - value) < fabs (values[best] - value))
      best = i;
  return best;
}
