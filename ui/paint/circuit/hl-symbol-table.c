/* SPDX-License-Identifier: MIT */
/* The tables of symbols and of small pictures: one row makes a kind drawable. */
#include "ui/paint/circuit/hl-symbol.h"

#include "ui/paint/circuit/hl-symbol-shape.h"

#include <math.h>
#include <string.h>

/* Builds the symbol of a kind of a newer file: a dashed box with a question mark and two ports. */

static void build_symbol (const HlShapeState *state, HlShapePath *path) {
  (void)state;
  hl_pen_begin (path, HL_PEN_DASHED);
  hl_pen_move (path, -2.0, -2.0);
  hl_pen_line (path, 2.0, -2.0);
  hl_pen_line (path, 2.0, 2.0);
  hl_pen_line (path, -2.0, 2.0);
  hl_pen_close (path);
  /* a question mark */
  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, -0.6, -0.5);
  hl_pen_curve (path, -0.6, -1.5, 0.7, -1.5, 0.7, -0.5);
  hl_pen_curve (path, 0.7, 0.1, 0.0, 0.0, 0.0, 0.6);
  hl_pen_circle (path, HL_PEN_SOLID, 0.0, 1.2, 0.16);
}

const HlSymbol hl_symbol_unknown = {
    .kind = "unknown",
    .n_ports = 2,
    .port = {{"A", 0, 2, 0, 1}, {"B", 0, -2, 0, -1}},
    .box = {-2, -2, 4, 4},
    .body = {-2, -2, 4, 4},
    .label = {2.4, 0},
    .label_side = {1, 0},
    .role = HL_SYMBOL_BETWEEN,
    .drain_rank = 2,
    .build = build_symbol,
};

/* Each picture is a text of a few pen strokes on a square of 24 by 24, y down:
 *   M x y   lift the pen and go there          L x y            a straight line
 *   C x1 y1 x2 y2 x y   a Bezier curve         O x y r          a whole circle
 *   Z       close      H   the filled head of an arrow at the end of the last line
 *   S       stroke     D   stroke dashed       F                fill
 * A symbol of this size is not the scaled symbol: the distinguishing parts are drawn large, the others are left out. */

#define SIDE 24.0
#define STROKE_PX 1.25
#define HEAD 4.2 /* length of an arrow's head */

#define SQUARE "M4 6.5 L15 6.5 L15 17.5 L4 17.5 Z S M9.5 1 L9.5 6.5 M9.5 17.5 L9.5 23 S "
#define SPRING "M15 12 L16.4 9 L18.2 15 L20 9 L21.8 15 L23 12 S "
#define SHUT_WAY "M7.2 17.5 L7.2 7 H S "
#define OPEN_WAY "M9.5 17.5 L9.5 7 H S "

static const struct {
  const char *kind, *strokes;
} icons[] = {
    {"pressure-source", "M12 0.8 L12 4 S O12 13 9 S M12 4.4 L16 10.4 L8 10.4 Z F"},
    {"flow-source", "M14 0.5 L14 2.5 S O14 9.5 7 S M14 2.9 L17.3 7.8 L10.7 7.8 Z F "
                    "M1 8.2 L7 8.2 M1 10.8 L7 10.8 S M14 16.5 L14 20 S "
                    "M9.5 19.2 L9.5 22.8 L18.5 22.8 L18.5 19.2 S"},
    {"pump", "M14 0.8 L14 4 M14 20 L14 23.2 S O14 12 8 S M14 4.4 L17.6 9.8 L10.4 9.8 Z F "
             "M1 10.7 L6 10.7 M1 13.3 L6 13.3 S"},
    {"variable-pump", "M11 0.8 L11 4 M11 20 L11 23.2 S O11 12 8 S M11 4.4 L14.4 9.4 L7.6 9.4 Z F "
                      "M1.5 20 L22.5 3.2 H S"},
    {"tank", "M3 8.5 L3 18.5 L21 18.5 L21 8.5 S M12 4 L12 14 S"},
    {"directional-valve", "M1 7 L23 7 L23 17 L1 17 Z M8.3 7 L8.3 17 M15.7 7 L15.7 17 S "
                          "M3.2 16.5 L3.2 9 M6.2 7.5 L6.2 15 S M1.6 11 L3.2 7.4 L4.8 11 Z F "
                          "M4.6 13 L6.2 16.6 L7.8 13 Z F "
                          "M12 7 L12 10 M10 10 L14 10 M12 17 L12 14 M10 14 L14 14 S "
                          "M17 16.2 L21.7 7.8 M17 7.8 L21.7 16.2 S M12 3 L12 7 M12 17 L12 21 S"},
    {"throttle", "M12 1 L12 23 S M5.5 4.5 C10.8 8.5 10.8 15.5 5.5 19.5 S "
                 "M18.5 4.5 C13.2 8.5 13.2 15.5 18.5 19.5 S"},
    {"laminar-restrictor", "M12 1 L12 23 S M8 4 C10.4 5.6 10 6.6 10 8 L10 16 C10 17.4 10.4 18.4 8 20 S "
                           "M16 4 C13.6 5.6 14 6.6 14 8 L14 16 C14 17.4 13.6 18.4 16 20 S"},
    {"metering-valve", "M11 1 L11 23 S M5 5 C9.8 8.5 9.8 15.5 5 19 S M17 5 C12.2 8.5 12.2 15.5 17 19 "
                       "S M2 21 L22 4.5 H S"},
    {"check-valve", "M12 1 L12 6.5 M12 17.5 L12 23 S O12 10 3.4 S M6 11.5 L12 17.5 L18 11.5 S"},
    {"pilot-check-valve", "M6 4 L20 4 L20 20 L6 20 Z S M13 0.8 L13 7 M13 16 L13 23.2 S O13 9.7 2.7 S "
                          "M8.6 11.4 L13 16 L17.4 11.4 S M0.8 17.5 L11.4 17.5 D"},
    {"relief-valve", SQUARE SPRING SHUT_WAY "M9.5 20.7 L1.5 20.7 L1.5 12 L4 12 D"},
    {"sequence-valve", SQUARE SPRING SHUT_WAY "M0.2 12 L4 12 D M19 16 L19 22.8 D"},
    {"pressure-compensator", SQUARE SPRING OPEN_WAY "M0.2 9 L4 9 D M20 15.5 L20 21 D"},
    {"reducing-valve", SQUARE SPRING OPEN_WAY "M9.5 3.5 L1.5 3.5 L1.5 12 L4 12 D"},
    {"counterbalance-valve", "M3 7 L12 7 L12 17 L3 17 Z S M7.5 1 L7.5 7 M7.5 17 L7.5 23 S "
                             "M5.6 17 L5.6 7.5 H S M7.5 3.6 L18.5 3.6 L18.5 8.4 S O18.5 10.6 2.2 S "
                             "M14.6 11.6 L18.5 15.4 L22.4 11.6 S M18.5 15.4 L18.5 20.4 L7.5 20.4 S "
                             "M0.2 12 L3 12 D"},
    {"flow-control-valve", "M3 4 L21 4 L21 20 L3 20 Z S M12 0.8 L12 23.2 S "
                           "M7 6.5 C11 9 11 15 7 17.5 S M17 6.5 C13 9 13 15 17 17.5 S "
                           "M4.5 18.5 L20 5.4 H S"},
    {"shuttle-valve", "M3.5 7.5 L20.5 7.5 L20.5 17.5 L3.5 17.5 Z S O12 12.5 2.6 S "
                      "M0.5 12.5 L6 12.5 M18 12.5 L23.5 12.5 M12 7.5 L12 2 S "
                      "M9 9.5 L6 12.5 L9 15.5 M15 9.5 L18 12.5 L15 15.5 S"},
    {"gear-flow-divider",
     "O6.5 12 4.6 S O17.5 12 4.6 S M11.1 11 L12.9 11 M11.1 13 L12.9 13 S M12 23.2 L12 20 L6.5 20 L6.5 16.6 "
     "M12 20 L17.5 20 L17.5 16.6 M6.5 7.4 L6.5 1 M17.5 7.4 L17.5 1 S "
     "M6.5 15.4 L4.6 12.4 L8.4 12.4 Z F M17.5 15.4 L15.6 12.4 L19.4 12.4 Z F"},
    {"accumulator", "M7 7 C7 -0.6 17 -0.6 17 7 L17 13.5 C17 21 7 21 7 13.5 Z S M7 11.2 L17 11.2 S "
                    "M9.6 5.2 L14.4 5.2 L12 9 Z S M12 19.2 L12 23.4 S"},
    {"volume", "M4.5 6 L18 6 C21.6 6 21.6 16 18 16 L4.5 16 C1 16 1 6 4.5 6 Z S "
               "M18 6 C14.4 6 14.4 16 18 16 S M11 16 L11 22 S"},
    {"plug", "M12 23 L12 8.5 S M7 3.5 L17 13.5 M17 3.5 L7 13.5 S"},
    {"pipe", "M0.8 12 L4 12 M20 12 L23.2 12 S M4 8 L20 8 L20 16 L4 16 Z S M7 12 L17 12 H S"},
    {"cylinder", "M1 6 L15 6 L15 18 L1 18 Z S M5.6 6 L8.4 6 L8.4 18 L5.6 18 Z F "
                 "M8.4 10.6 L23 10.6 L23 13.4 L8.4 13.4 S M3.4 18 L3.4 22.5 M12.6 18 L12.6 22.5 S"},
    {"motor", "M10 0.8 L10 4 M10 20 L10 23.2 S O10 12 8 S M10 9.4 L6.9 4.7 L13.1 4.7 Z F "
              "M10 14.6 L6.9 19.3 L13.1 19.3 Z F M18 10.7 L23 10.7 M18 13.3 L23 13.3 S"},
    {"rotary-actuator", "M6 0.8 L6 23.2 S M6 3 C18 3 18 21 6 21 S M9.6 9.4 L7.2 4.4 L12.6 6 Z F "
                        "M9.6 14.6 L7.2 19.6 L12.6 18 Z F M15 10.7 L22 10.7 M15 13.3 L22 13.3 S"},
};

static const char *strokes_of (const char *kind) {
  for (guint i = 0; kind != NULL && i < G_N_ELEMENTS (icons); i++)
    if (strcmp (icons[i].kind, kind) == 0)
      return icons[i].strokes;
  return NULL;
}

/* --- the pen --- */

/* Returns the n numbers behind a letter. */
static const char *numbers (const char *at, int n, double to[]) {
  char *end = (char *)at;

  for (int i = 0; i < n; i++)
    to[i] = g_ascii_strtod (end, &end);
  return end;
}

static void stroke (cairo_t *cr, gboolean is_dashed, double scale) {
  const double dashes[] = {2.2, 1.6};

  cairo_set_line_width (cr, STROKE_PX / scale);
  cairo_set_dash (cr, dashes, is_dashed ? 2 : 0, 0);
  cairo_stroke (cr);
}

/* Draws the stroke so far, then the head with its tip at the end of it. */
static void draw_arrow_head (cairo_t *cr, HlSpot from, HlSpot to, double scale) {
  double length = hypot (to.x - from.x, to.y - from.y);
  double ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;

  stroke (cr, FALSE, scale);
  cairo_move_to (cr, to.x + 0.5 * ux, to.y + 0.5 * uy);
  cairo_line_to (cr, to.x - HEAD * ux - 0.45 * HEAD * uy, to.y - HEAD * uy + 0.45 * HEAD * ux);
  cairo_line_to (cr, to.x - HEAD * ux + 0.45 * HEAD * uy, to.y - HEAD * uy - 0.45 * HEAD * ux);
  cairo_close_path (cr);
  cairo_fill (cr);
}

gboolean hl_paint_small_icon (cairo_t *cr, const char *kind, HlRect area, const HlStyle *style) {
  const char *at = strokes_of (kind);
  double scale = MIN (area.width, area.height) / SIDE;
  HlSpot last = {0, 0}, pen = {0, 0};
  double v[6];

  if (at == NULL)
    return FALSE;
  cairo_save (cr);
  cairo_translate (cr, area.x + 0.5 * (area.width - scale * SIDE),
                   area.y + 0.5 * (area.height - scale * SIDE));
  cairo_scale (cr, scale, scale);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  hl_color_set (cr, style->ink);
  cairo_new_path (cr);
  for (char op; (op = *at) != '\0';) {
    at++;
    if (op == 'M' || op == 'L') {
      at = numbers (at, 2, v);
      last = pen;
      pen = (HlSpot){v[0], v[1]};
      if (op == 'M')
        cairo_move_to (cr, pen.x, pen.y);
      else
        cairo_line_to (cr, pen.x, pen.y);
    } else if (op == 'C') {
      at = numbers (at, 6, v);
      pen = (HlSpot){v[4], v[5]};
      cairo_curve_to (cr, v[0], v[1], v[2], v[3], v[4], v[5]);
    } else if (op == 'O') {
      at = numbers (at, 3, v);
      cairo_new_sub_path (cr);
      cairo_arc (cr, v[0], v[1], v[2], 0, 2 * G_PI);
    } else if (op == 'Z') {
      cairo_close_path (cr);
    } else if (op == 'H') {
      draw_arrow_head (cr, last, pen, scale);
    } else if (op == 'S' || op == 'D') {
      stroke (cr, op == 'D', scale);
    } else if (op == 'F') {
      cairo_fill (cr);
    }
  }
  cairo_restore (cr);
  return TRUE;
}

/* clang-format off */
extern const HlSymbol
  hl_symbol_pressure_source,
  hl_symbol_flow_source,
  hl_symbol_pump,
  hl_symbol_variable_pump,
  hl_symbol_tank,
  hl_symbol_directional_valve,
  hl_symbol_throttle,
  hl_symbol_laminar_restrictor,
  hl_symbol_metering_valve,
  hl_symbol_check_valve,
  hl_symbol_pilot_check_valve,
  hl_symbol_relief_valve,
  hl_symbol_sequence_valve,
  hl_symbol_pressure_compensator,
  hl_symbol_counterbalance_valve,
  hl_symbol_reducing_valve,
  hl_symbol_flow_control_valve,
  hl_symbol_shuttle_valve,
  hl_symbol_gear_flow_divider,
  hl_symbol_accumulator,
  hl_symbol_volume,
  hl_symbol_plug,
  hl_symbol_pipe,
  hl_symbol_cylinder,
  hl_symbol_motor,
  hl_symbol_rotary_actuator;

const HlSymbol *const hl_symbols[] = {
  &hl_symbol_pressure_source,
  &hl_symbol_flow_source,
  &hl_symbol_pump,
  &hl_symbol_variable_pump,
  &hl_symbol_tank,
  &hl_symbol_directional_valve,
  &hl_symbol_throttle,
  &hl_symbol_laminar_restrictor,
  &hl_symbol_metering_valve,
  &hl_symbol_check_valve,
  &hl_symbol_pilot_check_valve,
  &hl_symbol_relief_valve,
  &hl_symbol_sequence_valve,
  &hl_symbol_pressure_compensator,
  &hl_symbol_counterbalance_valve,
  &hl_symbol_reducing_valve,
  &hl_symbol_flow_control_valve,
  &hl_symbol_shuttle_valve,
  &hl_symbol_gear_flow_divider,
  &hl_symbol_accumulator,
  &hl_symbol_volume,
  &hl_symbol_plug,
  &hl_symbol_pipe,
  &hl_symbol_cylinder,
  &hl_symbol_motor,
  &hl_symbol_rotary_actuator,
};
/* clang-format on */
const int hl_n_symbols = (int)G_N_ELEMENTS (hl_symbols);

int hl_symbol_sense (const HlSymbolSource *at, const char *name) {
  double value = hl_symbol_value (at, name);

  return (value > 0.0) - (value < 0.0);
}

HlSymbolGroup hl_symbol_group (const HlSymbol *symbol) {
  static const HlSymbolGroup of_role[] = {
      [HL_SYMBOL_BETWEEN] = HL_SYMBOL_PRESSURE,  [HL_SYMBOL_END] = HL_SYMBOL_STORES,
      [HL_SYMBOL_VALVE] = HL_SYMBOL_DIRECTIONAL, [HL_SYMBOL_ACTUATOR] = HL_SYMBOL_ACTUATORS,
      [HL_SYMBOL_SOURCE] = HL_SYMBOL_SUPPLY,     [HL_SYMBOL_TANK] = HL_SYMBOL_SUPPLY,
  };

  return symbol->group != HL_SYMBOL_BY_ROLE ? symbol->group : of_role[symbol->role];
}
