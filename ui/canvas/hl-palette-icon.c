/* SPDX-License-Identifier: MIT */
/* Components are painted by the canvas' own painter; tools of the linkage are a few strokes each,
 * on a square of 20 by 20 units with y down. */
#include "ui/canvas/hl-palette-icon.h"

#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/base/hl-text.h"

#include <string.h>

#define SIDE 20.0
#define STROKE_PX 1.25
#define MARGIN_PX 2.0
#define SYMBOL_MARGIN_PX 0.5

typedef void (*Draw) (cairo_t *cr);

static void stroke_path (cairo_t *cr, const double xy[][2], int n) {
  for (int i = 0; i < n; i++)
    cairo_line_to (cr, xy[i][0], xy[i][1]);
  cairo_stroke (cr);
}

static void pin (cairo_t *cr, double x, double y) {
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, 2.2, 0, 2 * G_PI);
  cairo_stroke (cr);
}

static void arrow (cairo_t *cr, double x, double y, double to_x, double to_y) {
  double dx = 0.25 * (to_x - x), dy = 0.25 * (to_y - y);

  stroke_path (cr, (const double[][2]){{x, y}, {to_x, to_y}}, 2);
  stroke_path (
      cr,
      (const double[][2]){{to_x - dx - dy, to_y - dy + dx}, {to_x, to_y}, {to_x - dx + dy, to_y - dy - dx}},
      3);
}

static void draw_select (cairo_t *cr) {
  cairo_move_to (cr, 5, 2);
  cairo_line_to (cr, 5, 16);
  cairo_line_to (cr, 8.6, 12.6);
  cairo_line_to (cr, 11, 18);
  cairo_line_to (cr, 13.4, 17);
  cairo_line_to (cr, 11, 11.8);
  cairo_line_to (cr, 15.6, 11.4);
  cairo_close_path (cr);
  cairo_stroke (cr);
}

static void draw_connect (cairo_t *cr) {
  pin (cr, 3, 16);
  pin (cr, 17, 4);
  stroke_path (cr, (const double[][2]){{5, 16}, {10, 16}, {10, 4}, {15, 4}}, 4);
}

static void draw_link (cairo_t *cr) {
  pin (cr, 4, 15.5);
  pin (cr, 16, 4.5);
  stroke_path (cr, (const double[][2]){{5.6, 14}, {14.4, 6}}, 2);
}

static void draw_revolute (cairo_t *cr) {
  pin (cr, 10, 11);
  stroke_path (cr, (const double[][2]){{8.4, 12.5}, {3, 18}}, 2);
  stroke_path (cr, (const double[][2]){{10.8, 9}, {14, 2}}, 2);
}

static void draw_prismatic (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{1, 14.5}, {19, 14.5}}, 2);
  cairo_rectangle (cr, 5, 6.5, 10, 6);
  cairo_stroke (cr);
}

static void draw_slot (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{1, 6}, {19, 6}}, 2);
  stroke_path (cr, (const double[][2]){{1, 14}, {19, 14}}, 2);
  pin (cr, 10, 10);
}

static void draw_weld (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{2, 17}, {10, 10}, {18, 17}}, 3);
  cairo_rectangle (cr, 7, 7, 6, 6);
  cairo_fill (cr);
}

static void draw_distance (cairo_t *cr) {
  pin (cr, 3, 10);
  pin (cr, 17, 10);
  cairo_set_dash (cr, (double[]){2, 1.6}, 2, 0);
  stroke_path (cr, (const double[][2]){{5.4, 10}, {14.6, 10}}, 2);
}

static void draw_spring (cairo_t *cr) {
  stroke_path (
      cr,
      (const double[][2]){{1, 10}, {4, 10}, {5.5, 5}, {8.5, 15}, {11.5, 5}, {14.5, 15}, {16, 10}, {19, 10}},
      8);
}

static void draw_point (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{2, 14}, {18, 6}}, 2);
  cairo_arc (cr, 10, 10, 2.4, 0, 2 * G_PI);
  cairo_fill (cr);
}

static void draw_pivot (cairo_t *cr) {
  pin (cr, 10, 6);
  stroke_path (cr, (const double[][2]){{8.8, 8.2}, {5, 15}, {15, 15}, {11.2, 8.2}}, 4);
  for (int k = 0; k < 4; k++)
    stroke_path (cr, (const double[][2]){{5.5 + 3 * k, 15}, {3.5 + 3 * k, 18}}, 2);
}

static void draw_force (cairo_t *cr) {
  arrow (cr, 10, 2, 10, 17);
}

static void draw_torque (cairo_t *cr) {
  cairo_new_sub_path (cr);
  cairo_arc_negative (cr, 10, 10, 6.5, 0.5, -3.6);
  cairo_stroke (cr);
  stroke_path (cr, (const double[][2]){{1.4, 9.4}, {4.1, 13}, {7.3, 9.8}}, 3);
}

static void draw_torsion (cairo_t *cr) {
  hl_path_spiral (cr, 10, 10, 7.5, 0.0);
  cairo_stroke (cr);
}

/* A double arrow, and the motor on it. */
static void draw_motor (cairo_t *cr, double x, double y) {
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, 4.2, 0, 2 * G_PI);
  cairo_stroke (cr);
  stroke_path (
      cr, (const double[][2]){{x - 2, y + 2}, {x - 2, y - 2}, {x, y + 0.5}, {x + 2, y - 2}, {x + 2, y + 2}},
      5);
}

static void draw_drive_length (cairo_t *cr) {
  arrow (cr, 5.8, 10, 0.5, 10);
  arrow (cr, 14.2, 10, 19.5, 10);
  draw_motor (cr, 10, 10);
}

static void draw_drive_angle (cairo_t *cr) {
  draw_motor (cr, 10, 12);
  cairo_new_sub_path (cr);
  cairo_arc (cr, 10, 12, 8, -2.6, -0.54);
  cairo_stroke (cr);
  stroke_path (cr, (const double[][2]){{2.2, 4.6}, {3.1, 7.9}, {6.4, 7.0}}, 3);
  stroke_path (cr, (const double[][2]){{17.8, 4.6}, {16.9, 7.9}, {13.6, 7.0}}, 3);
}

static void draw_tyre (cairo_t *cr) {
  cairo_rectangle (cr, 6.5, 2, 7, 16);
  cairo_stroke (cr);
  for (int k = 0; k < 3; k++)
    stroke_path (cr, (const double[][2]){{6.5, 8.0 + 4 * k}, {13.5, 4.0 + 4 * k}}, 2);
}

static void draw_knife (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{10, 1.5}, {13, 10}, {10, 18.5}, {7, 10}, {10, 1.5}}, 5);
}

static const struct {
  const char *id, *argument;
  Draw draw;
} icons[] = {
    {"select", NULL, draw_select},
    {"connect", NULL, draw_connect},
    {"link", NULL, draw_link},
    {"pair", "revolute", draw_revolute},
    {"pair", "prismatic", draw_prismatic},
    {"pair", "slot", draw_slot},
    {"pair", "weld", draw_weld},
    {"pair", "distance", draw_distance},
    {"pair", "spring", draw_spring},
    {"spot", "point", draw_point},
    {"spot", "pivot", draw_pivot},
    {"spot", "force", draw_force},
    {"spot", "torque", draw_torque},
    {"spot", "torsion-spring", draw_torsion},
    {"pair", "drive-length", draw_drive_length},
    {"spot", "drive-angle", draw_drive_angle},
    {"spot", "tyre", draw_tyre},
    {"spot", "knife-edge", draw_knife},
};

void hl_paint_tool_icon (cairo_t *cr, const char *id, const char *argument, HlRect area,
                         const HlStyle *style) {
  if (strcmp (id, "place") == 0 || g_strcmp0 (argument, "cylinder") == 0) {
    hl_paint_symbol_icon (cr, hl_shape_kind_from_name (argument), area, SYMBOL_MARGIN_PX, style);
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (icons); i++) {
    if (strcmp (icons[i].id, id) != 0 || g_strcmp0 (icons[i].argument, argument) != 0)
      continue;
    double scale = (MIN (area.width, area.height) - 2 * MARGIN_PX) / SIDE;
    cairo_save (cr);
    cairo_translate (cr, area.x + 0.5 * (area.width - scale * SIDE),
                     area.y + 0.5 * (area.height - scale * SIDE));
    cairo_scale (cr, scale, scale);
    cairo_set_line_width (cr, STROKE_PX / scale);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
    hl_color_set (cr, style->ink);
    cairo_new_path (cr);
    icons[i].draw (cr);
    cairo_restore (cr);
  }
}
