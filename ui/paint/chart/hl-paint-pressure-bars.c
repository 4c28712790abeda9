/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-pressure-bars.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>

#define LEAST_END 1e6   /* [Pa] */
#define HEADROOM 1.1    /* over what was reached */
#define NEAR_ENOUGH 1.1 /* a stated limit is on the scale with this much room */

struct _HlMeterScene {
  GArray *meters; /* HlMeter */
  HlMeterPicture picture;
  guint serial;
  double highest; /* reached in this run [Pa] */
};

static void clear_meter (gpointer data) {
  g_free (((HlMeter *)data)->name);
}

HlMeterScene *hl_meter_scene_new (void) {
  HlMeterScene *scene = g_new0 (HlMeterScene, 1);

  scene->meters = g_array_new (FALSE, TRUE, sizeof (HlMeter));
  g_array_set_clear_func (scene->meters, clear_meter);
  return scene;
}

void hl_meter_scene_free (HlMeterScene *scene) {
  if (scene == NULL)
    return;
  g_array_unref (scene->meters);
  g_free (scene);
}

/* Rounds up to a round number, so that the end of the scale is easily read. */
static double round_up (double value) {
  static const double round[] = {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
  double power = pow (10.0, floor (log10 (value)));

  for (guint i = 0; i < G_N_ELEMENTS (round); i++)
    if (value <= round[i] * power)
      return round[i] * power;
  return 10.0 * power;
}

static void add_line (HlMeterScene *scene, const char *id, const HlResults *results, double t,
                      const double limits[2], const HlUnit *unit) {
  g_autofree char *path = g_strconcat (id, ".pressure", NULL);
  int column = hl_results_find_column (results, path);

  if (column < 0)
    return;
  double pressure = hl_results_value_at (results, column, t);
  HlMeter meter = {.name = g_strdup (id), .value = hl_unit_from_si (unit, pressure)};
  if (pressure < limits[0])
    meter.state = HL_METER_VAPOUR;
  else if (pressure > limits[1])
    meter.state = HL_METER_OVER;
  if (isfinite (pressure))
    scene->highest = fmax (scene->highest, pressure);
  g_array_append_val (scene->meters, meter);
}

const HlMeterPicture *hl_meter_scene_update (HlMeterScene *scene, const HlDocument *document,
                                             const HlResults *results, guint serial, double t,
                                             const HlUnit *unit) {
  const HlValue *simulation = hl_document_object (document, HL_SECTION_SIMULATION);
  double limits[2];

  hl_scene_pressure_marks (document, &limits[0], &limits[1]);
  if (serial != scene->serial)
    scene->highest = 0.0;
  scene->serial = serial;
  g_array_set_size (scene->meters, 0);
  for (int line = 0; line < hl_document_n_elements (document, HL_SECTION_LINES); line++)
    add_line (scene, hl_document_element_id (document, HL_SECTION_LINES, line), results, t, limits, unit);
  double end = fmax (HEADROOM * scene->highest, LEAST_END);
  if (isfinite (limits[1]) && hl_value_member (simulation, "pressure_limit") != NULL)
    end = fmax (end, NEAR_ENOUGH * limits[1]);
  scene->picture = (HlMeterPicture){.meters = (HlMeter *)(void *)scene->meters->data,
                                    .n = (int)scene->meters->len,
                                    .end = round_up (hl_unit_from_si (unit, end)),
                                    .low = limits[0] > 0.0 ? hl_unit_from_si (unit, limits[0]) : INFINITY,
                                    .high = hl_unit_from_si (unit, limits[1]),
                                    .unit = unit->symbol,
                                    .low_key = _ ("vapour"),
                                    .high_key = _ ("limit")};
  return &scene->picture;
}

char *hl_meter_scene_text (const HlMeterScene *scene) {
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < scene->meters->len; i++) {
    const HlMeter *meter = &g_array_index (scene->meters, HlMeter, i);
    g_string_append_printf (text, "%s%s %.3g %s%s%s", i > 0 ? ", " : "", meter->name, meter->value,
                            scene->picture.unit, meter->state != HL_METER_USUAL ? " " : "",
                            meter->state == HL_METER_OVER     ? _ ("over the limit")
                            : meter->state == HL_METER_VAPOUR ? _ ("vapour")
                                                              : "");
  }
  return hl_number_localize (g_string_free (text, FALSE));
}

#define ROW_EM 1.45 /* in font sizes */
#define BAR_SHARE 0.62
#define KEY_EM 1.5
#define TOP_EM 3.1 /* key and axis above the bars, in sight where the bars are scrolled */
#define GAP_EM 0.5
#define NAMES_MOST 0.36 /* of the width */
#define DIGITS 3
#define HATCH_PX 6.0
#define SAMPLE_EM 0.9 /* of a mark in the key */

static const char *const signs[] = {"", "▽ ", "▲ "};

/* Columns of the picture: names, bars, numbers. */
typedef struct {
  double names, bars, bars_width, row;
} Columns;

static void value_text (const HlMeter *meter, char *out, gsize size) {
  char number[48];

  if (isfinite (meter->value))
    hl_axis_format (meter->value, DIGITS, number, sizeof number);
  else
    g_strlcpy (number, "–", sizeof number);
  g_snprintf (out, size, "%s%s", signs[meter->state], number);
}

static Columns lay_out (cairo_t *cr, const HlMeterPicture *picture, HlRect area, const HlStyle *style) {
  double widest = 0.0, number, height, gap = GAP_EM * style->font_size;

  for (int i = 0; i < picture->n; i++) {
    double width;
    hl_text_size (cr, style, HL_TEXT_SMALL, picture->meters[i].name, &width, &height);
    widest = fmax (widest, width);
  }
  /* the unit is above the names, next to the first number of the axis */
  hl_text_size (cr, style, HL_TEXT_SMALL, picture->unit != NULL ? picture->unit : "", &number, &height);
  widest = fmax (widest, number);
  /* numbers come and go: the bars keep their place */
  hl_text_size (cr, style, HL_TEXT_SMALL, "▲ 0.0000", &number, &height);
  Columns columns = {.names = fmin (widest, NAMES_MOST * area.width), .row = ROW_EM * style->font_size};
  columns.bars = area.x + columns.names + gap;
  columns.bars_width = fmax (area.x + area.width - number - gap - columns.bars, 1.0);
  return columns;
}

double hl_meters_height (int n, const HlStyle *style) {
  return ceil ((n * ROW_EM + TOP_EM) * style->font_size);
}

static HlRect track_of (const Columns *columns, HlRect area, const HlStyle *style, int index) {
  double height = floor (BAR_SHARE * columns->row);

  return (HlRect){
      floor (columns->bars),
      floor (area.y + TOP_EM * style->font_size + index * columns->row + 0.5 * (columns->row - height)),
      floor (columns->bars_width), height};
}

HlRect hl_meters_track (cairo_t *cr, const HlMeterPicture *picture, HlRect area, const HlStyle *style,
                        int index) {
  Columns columns = lay_out (cr, picture, area, style);
  return track_of (&columns, area, style, index);
}

static double fraction (const HlMeterPicture *picture, double value) {
  return picture->end > 0.0 && isfinite (value) ? CLAMP (value / picture->end, 0.0, 1.0) : 0.0;
}

/* Paints slanted lines over a bar. */
static void hatch (cairo_t *cr, HlRect box, HlColor color, const HlStyle *style) {
  cairo_save (cr);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  cairo_clip (cr);
  for (double x = box.x - box.height; x < box.x + box.width; x += HATCH_PX) {
    cairo_move_to (cr, x, box.y + box.height);
    cairo_line_to (cr, x + box.height, box.y);
  }
  hl_color_set (cr, color);
  cairo_set_line_width (cr, 1.6 * style->hair_width);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void paint_bar (cairo_t *cr, const HlMeterPicture *picture, const HlMeter *meter, HlRect track,
                       const HlStyle *style) {
  HlRect filled = track;

  filled.width = round (fraction (picture, meter->value) * track.width);
  cairo_rectangle (cr, track.x, track.y, track.width, track.height);
  hl_color_set (cr, hl_color_with_alpha (style->ink_soft, 0.14));
  cairo_fill (cr);
  cairo_rectangle (cr, filled.x, filled.y, filled.width, filled.height);
  hl_color_set (cr, meter->state == HL_METER_OVER ? style->problem : style->trace[0]);
  cairo_fill (cr);
  if (meter->state == HL_METER_OVER)
    hatch (cr, filled, style->background, style);
  if (meter->state == HL_METER_VAPOUR) /* nothing is filled: the way itself */
    hatch (cr, track, style->warning, style);
}

static void paint_row (cairo_t *cr, const HlMeterPicture *picture, const Columns *columns, HlRect area,
                       int index, const HlStyle *style) {
  const HlMeter *meter = &picture->meters[index];
  HlRect track = track_of (columns, area, style, index);
  double middle = track.y + 0.5 * track.height;
  char text[64];

  cairo_save (cr);
  cairo_rectangle (cr, area.x, track.y - track.height, columns->names, 3 * track.height);
  cairo_clip (cr); /* a long name ends at the bars */
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, meter->name, (HlSpot){area.x, middle}, 0.0, 0.5);
  cairo_restore (cr);
  paint_bar (cr, picture, meter, track, style);
  value_text (meter, text, sizeof text);
  hl_text_paint (cr, style, meter->state == HL_METER_USUAL ? HL_TEXT_SMALL : HL_TEXT_BOLD,
                 meter->state == HL_METER_OVER ? style->problem : style->ink, text,
                 (HlSpot){area.x + area.width, middle}, 1.0, 0.5);
}

/* Strokes a mark, dotted (vapour) or solid (limit), so that the key needs no colors. */
static void stroke_mark (cairo_t *cr, double x, double top, double bottom, gboolean dotted,
                         const HlStyle *style) {
  double width = dotted ? 1.5 : 2.0;

  cairo_save (cr);
  hl_dash_set (cr, dotted ? HL_DASH_DOTTED : HL_DASH_SOLID, width);
  cairo_set_line_width (cr, width);
  hl_color_set (cr, dotted ? style->warning : style->problem);
  cairo_move_to (cr, floor (x) + 0.5, top);
  cairo_line_to (cr, floor (x) + 0.5, bottom);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* Paints "limit 40", with a sample of its mark before it; an arrow shows that it is beyond the scale. */
static double paint_key (cairo_t *cr, const HlMeterPicture *picture, const char *key, double value, HlSpot at,
                         gboolean dotted, const HlStyle *style) {
  char number[48];
  double half = 0.5 * SAMPLE_EM * style->font_size;

  if (!isfinite (value))
    return at.x;
  hl_axis_format (value, DIGITS, number, sizeof number);
  g_autofree char *text = g_strdup_printf ("%s %s%s", key, number, value > picture->end ? " ▸" : "");
  stroke_mark (cr, at.x + 2, at.y - half, at.y + half, dotted, style);
  HlRect box =
      hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, text, (HlSpot){at.x + 7, at.y}, 0.0, 0.5);
  return box.x + box.width + style->font_size;
}

static void paint_axis (cairo_t *cr, const HlMeterPicture *picture, HlRect track, double y,
                        const HlStyle *style) {
  HlAxis axis = {.scale = HL_SCALE_LINEAR, .min = 0.0, .max = picture->end};
  HlTicks ticks;

  hl_axis_ticks (&axis, track.width, 3.0 * style->font_size, &ticks);
  for (int i = 0; i < ticks.n; i++) {
    double x = floor (track.x + ticks.tick[i].fraction * track.width) + 0.5;
    cairo_move_to (cr, x, y);
    cairo_line_to (cr, x, y - (ticks.tick[i].major ? 4 : 2));
    if (ticks.tick[i].major) {
      char text[48];
      hl_axis_format (ticks.tick[i].value, DIGITS, text, sizeof text);
      hl_color_set (cr, style->ink_soft);
      cairo_set_line_width (cr, style->hair_width);
      cairo_stroke (cr);
      hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, text, (HlSpot){x, y - 4}, i == 0 ? 0.0 : 0.5,
                     1.0);
    }
  }
  cairo_new_path (cr);
}

void hl_meters_paint (cairo_t *cr, const HlMeterPicture *picture, HlRect area, const HlStyle *style) {
  if (picture->n == 0)
    return;
  Columns columns = lay_out (cr, picture, area, style);
  HlRect first = track_of (&columns, area, style, 0), last = track_of (&columns, area, style, picture->n - 1);
  double top = area.y + TOP_EM * style->font_size;

  for (int i = 0; i < picture->n; i++)
    paint_row (cr, picture, &columns, area, i, style);
  for (int mark = 0; mark < 2; mark++) {
    double value = mark == 0 ? picture->low : picture->high;
    if (isfinite (value) && value <= picture->end)
      stroke_mark (cr, first.x + fraction (picture, value) * first.width, first.y - 2,
                   last.y + last.height + 2, mark == 0, style);
  }
  paint_axis (cr, picture, first, top, style);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, picture->unit, (HlSpot){area.x, top - 4}, 0.0,
                 1.0);
  double key = area.y + 0.5 * KEY_EM * style->font_size;
  double x = paint_key (cr, picture, picture->low_key, picture->low, (HlSpot){area.x, key}, TRUE, style);
  paint_key (cr, picture, picture->high_key, picture->high, (HlSpot){x, key}, FALSE, style);
}
