/* SPDX-License-Identifier: MIT */
#include "ui/paint/formula/hl-paint-law-curve.h"

#include <math.h>
#include <string.h>

#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/formula/hl-formula-typesetting.h"

#define SAMPLES 401
#define TANGENT_REACH 0.22 /* of the width, to either side */
#define POINT_PX 4.0
#define LEFT_EM 4.6 /* room for labels */
#define BOTTOM_EM 3.4
#define TOP_EM 2.2
#define RIGHT_EM 1.2
#define TICK_ROOM_EM 5.0

typedef struct {
  const HlCurvePicture *picture;
  HlHelpPart moved;
  HlRect frame;
  HlAxis x, y; /* in the units shown */
  const HlUnit *x_unit, *y_unit;
  double value[SAMPLES];
  double at, height, slope; /* the point [SI]; NAN: none */
} Plot;

static const HlUnit *unit_of (HlUnits units, HlQuantity quantity) {
  const HlUnit *unit = hl_units_get (units, quantity);
  return unit != NULL ? unit : hl_quantity_default_unit (quantity);
}

static double abscissa (const Plot *plot, int k) {
  double low = hl_unit_to_si (plot->x_unit, plot->x.min);
  double high = hl_unit_to_si (plot->x_unit, plot->x.max);

  return low + (high - low) * k / (SAMPLES - 1);
}

static void choose_units (Plot *plot) {
  const HlCurvePicture *picture = plot->picture;
  HlQuantity x_quantity = hl_help_part_quantity (picture->part, &picture->curve->x);

  /* a difference of pressures is none above the air */
  if (picture->curve->over > 0 && x_quantity == HL_QUANTITY_PRESSURE)
    x_quantity = HL_QUANTITY_PRESSURE_DIFFERENCE;
  plot->x_unit = unit_of (picture->units, x_quantity);
  plot->y_unit = unit_of (picture->units, picture->curve->y_quantity);
}

static void fit_ordinate (Plot *plot, double least, double most) {
  if (!isfinite (least)) /* a number that it needs is not known */
    least = most = 0.0;
  if (!(most > least)) {
    /* one that is zero throughout: a unit of what the axis shows */
    double unit = fabs (hl_unit_to_si (plot->y_unit, 1.0) - hl_unit_to_si (plot->y_unit, 0.0));
    double size = most != 0.0 ? fabs (most) : unit;
    most += 0.5 * size;
    least -= 0.5 * size;
  }
  hl_axis_fit (&plot->y, hl_unit_from_si (plot->y_unit, least), hl_unit_from_si (plot->y_unit, most));
}

static void sample (Plot *plot) {
  const HlCurvePicture *picture = plot->picture;
  const HlCurve *curve = picture->curve;
  double least = INFINITY, most = -INFINITY, low, high;

  choose_units (plot);
  hl_help_part_range (picture->part, curve, &low, &high);
  plot->x.min = hl_unit_from_si (plot->x_unit, low);
  plot->x.max = hl_unit_from_si (plot->x_unit, high);
  if (picture->held != NULL)
    plot->x = picture->held->x;
  for (int k = 0; k < SAMPLES; k++) {
    hl_help_part_move (&plot->moved, curve, abscissa (plot, k));
    plot->value[k] = hl_help_part_law (&plot->moved, &curve->given, NULL, NULL);
    least = fmin (least, plot->value[k]);
    most = fmax (most, plot->value[k]);
  }
  plot->at = hl_help_part_abscissa (picture->part, curve);
  plot->height = hl_help_part_law (picture->part, &curve->given, &curve->x, &plot->slope);
  if (!(plot->at >= abscissa (plot, 0) && plot->at <= abscissa (plot, SAMPLES - 1)))
    plot->at = NAN;
  if (picture->held != NULL)
    plot->y = picture->held->y;
  else
    fit_ordinate (plot, least, most);
}

static HlSpot spot_of (const Plot *plot, double x, double y) {
  double across = hl_axis_fraction (&plot->x, hl_unit_from_si (plot->x_unit, x));
  double up = hl_axis_fraction (&plot->y, hl_unit_from_si (plot->y_unit, y));

  return (HlSpot){plot->frame.x + across * plot->frame.width,
                  plot->frame.y + (1.0 - up) * plot->frame.height};
}

static void line (cairo_t *cr, HlSpot a, HlSpot b) {
  cairo_move_to (cr, a.x, a.y);
  cairo_line_to (cr, b.x, b.y);
  cairo_stroke (cr);
}

/* Paints the letters of an axis set as in the formulas, followed by its unit; `at`: end of the text. */
static void paint_title (cairo_t *cr, const char *letters, const HlUnit *unit, const HlTicks *ticks,
                         HlSpot at, gboolean ends_there, const HlStyle *style) {
  g_autoptr (HlTerm) term = hl_term_parse_side (letters, NULL);
  char text[64], behind[72];
  double width, above, below, wide, high;

  if (term == NULL)
    return;
  g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, term, style);
  hl_formula_box_size (box, &width, &above, &below);
  hl_axis_unit (strcmp (unit->symbol, "1") == 0 ? "" : unit->symbol, ticks, text, sizeof text);
  g_snprintf (behind, sizeof behind, *text != '\0' ? " [%s]" : "%s", text);
  hl_text_size (cr, style, HL_TEXT_SMALL, behind, &wide, &high);
  double x = ends_there ? at.x - width - wide : at.x;
  hl_formula_box_paint (cr, box, (HlSpot){x, at.y}, style->ink_soft);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, behind,
                 (HlSpot){x + width, at.y + 0.25 * style->font_size}, 0.0, 1.0);
}

static void paint_axis (cairo_t *cr, const Plot *plot, gboolean upright, const HlStyle *style) {
  const HlRect frame = plot->frame;
  const HlAxis *axis = upright ? &plot->y : &plot->x;
  double em = style->font_size;
  HlTicks ticks;

  hl_axis_ticks (axis, upright ? frame.height : frame.width, upright ? 2.0 * em : TICK_ROOM_EM * em, &ticks);
  cairo_set_line_width (cr, style->hair_width);
  for (int k = 0; k < ticks.n; k++) {
    const HlTick *tick = &ticks.tick[k];
    if (!tick->major)
      continue;
    double x = floor (frame.x + frame.width * tick->fraction) + 0.5;
    double y = floor (frame.y + frame.height * (1.0 - tick->fraction)) + 0.5;
    hl_color_set (cr, tick->value == 0.0 ? style->border : style->grid);
    if (upright) {
      line (cr, (HlSpot){frame.x, y}, (HlSpot){frame.x + frame.width, y});
      hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, tick->label, (HlSpot){frame.x - 0.4 * em, y},
                     1.0, 0.5);
    } else {
      line (cr, (HlSpot){x, frame.y}, (HlSpot){x, frame.y + frame.height});
      hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, tick->label,
                     (HlSpot){x, frame.y + frame.height + 0.2 * em}, 0.5, 0.0);
    }
  }
  if (upright)
    paint_title (cr, plot->picture->curve->y_name, plot->y_unit, &ticks,
                 (HlSpot){frame.x - 1.5 * em, frame.y - 0.7 * em}, FALSE, style);
  else
    paint_title (cr, plot->picture->curve->x.name, plot->x_unit, &ticks,
                 (HlSpot){frame.x + frame.width, frame.y + frame.height + 2.6 * em}, TRUE, style);
}

static void paint_values (cairo_t *cr, const Plot *plot, const HlStyle *style) {
  for (int k = 0; k < SAMPLES; k++) {
    HlSpot spot = spot_of (plot, abscissa (plot, k), plot->value[k]);
    if (isfinite (plot->value[k]))
      cairo_line_to (cr, spot.x, spot.y);
    else
      cairo_new_sub_path (cr);
  }
  hl_color_set (cr, style->trace[0]);
  cairo_set_line_width (cr, style->trace_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
}

static void paint_point (cairo_t *cr, const Plot *plot, const HlStyle *style) {
  double reach = TANGENT_REACH * (abscissa (plot, SAMPLES - 1) - abscissa (plot, 0));

  if (!isfinite (plot->at) || !isfinite (plot->height))
    return;
  HlSpot middle = spot_of (plot, plot->at, plot->height);
  hl_color_set (cr, style->trace[1]);
  cairo_set_line_width (cr, style->trace_width);
  if (isfinite (plot->slope))
    line (cr, spot_of (plot, plot->at - reach, plot->height - reach * plot->slope),
          spot_of (plot, plot->at + reach, plot->height + reach * plot->slope));
  cairo_arc (cr, middle.x, middle.y, POINT_PX, 0.0, 2.0 * G_PI);
  cairo_fill (cr);
}

static void paint_note (cairo_t *cr, const Plot *plot, const HlStyle *style) {
  double em = style->font_size;

  if (plot->picture->note != NULL)
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->trace[0], plot->picture->note,
                   (HlSpot){plot->frame.x + plot->frame.width, plot->frame.y - 0.7 * em}, 1.0, 0.5);
}

/* Begins a plot; FALSE: there is no room. */
static gboolean begin_plot (Plot *plot, const HlCurvePicture *picture, HlRect area, const HlStyle *style) {
  double em = style->font_size;

  plot->picture = picture;
  plot->moved = *picture->part;
  plot->frame = (HlRect){area.x + LEFT_EM * em, area.y + TOP_EM * em, area.width - (LEFT_EM + RIGHT_EM) * em,
                         area.height - (TOP_EM + BOTTOM_EM) * em};
  return plot->frame.width >= 2.0 * em && plot->frame.height >= 2.0 * em;
}

void hl_paint_curve (cairo_t *cr, const HlCurvePicture *picture, HlRect area, const HlStyle *style) {
  g_autofree Plot *plot = g_new0 (Plot, 1);

  if (!begin_plot (plot, picture, area, style))
    return;
  sample (plot);
  paint_axis (cr, plot, TRUE, style);
  paint_axis (cr, plot, FALSE, style);
  paint_note (cr, plot, style);
  cairo_save (cr);
  cairo_rectangle (cr, plot->frame.x, plot->frame.y - 1.0, plot->frame.width + 1.0, plot->frame.height + 2.0);
  cairo_clip (cr);
  paint_values (cr, plot, style);
  paint_point (cr, plot, style);
  cairo_restore (cr);
}

HlCurveAxes hl_curve_axes (const HlCurvePicture *picture) {
  g_autofree Plot *plot = g_new0 (Plot, 1);

  plot->picture = picture;
  plot->moved = *picture->part;
  sample (plot);
  return (HlCurveAxes){plot->x, plot->y};
}

gboolean hl_curve_read (const HlCurvePicture *picture, HlRect area, const HlStyle *style, HlSpot spot,
                        double *x, double *y) {
  g_autofree Plot *plot = g_new0 (Plot, 1);

  if (!begin_plot (plot, picture, area, style))
    return FALSE;
  sample (plot);
  double across = (spot.x - plot->frame.x) / plot->frame.width;
  double up = 1.0 - (spot.y - plot->frame.y) / plot->frame.height;
  *x = hl_unit_to_si (plot->x_unit, hl_axis_value (&plot->x, across));
  *y = hl_unit_to_si (plot->y_unit, hl_axis_value (&plot->y, up));
  return across >= 0.0 && across <= 1.0 && up >= 0.0 && up <= 1.0;
}

double hl_curve_height (const HlCurvePicture *picture, HlRect area, const HlStyle *style, double x) {
  g_autofree Plot *plot = g_new0 (Plot, 1);

  if (!begin_plot (plot, picture, area, style))
    return NAN;
  sample (plot);
  hl_help_part_move (&plot->moved, picture->curve, x);
  double y = hl_help_part_law (&plot->moved, &picture->curve->given, NULL, NULL);
  return isfinite (y) ? spot_of (plot, x, y).y : NAN;
}
