/* SPDX-License-Identifier: MIT */
/* Colours of a stability map: by growth and by damping the stable side is blue and the unstable one
 * red, the further the fuller; where nothing was computed there is no colour. */
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/chart/hl-paint-stability-map.h"

#include <math.h>

#define N 3

/* Returns red minus blue of the pixel in the middle of a cell: above 0 is unstable. */
static double redness (const Canvas *canvas, int column, int row) {
  HlRect frame = hl_map_frame (canvas->area, &canvas->style);
  static const double middles[N] = {0.12, 0.4, 0.9}; /* edges are half way between grid lines */
  int x = (int)(frame.x + middles[column] * frame.width);
  int y = (int)(frame.y + (1.0 - middles[row]) * frame.height);

  cairo_surface_flush (canvas->surface);
  const unsigned char *data = cairo_image_surface_get_data (canvas->surface);
  const unsigned char *pixel = data + y * cairo_image_surface_get_stride (canvas->surface) + 4 * x;
  return ((double)pixel[2] - pixel[0]) / 255.0;
}

static double brightness (const Canvas *canvas, double x, double y) {
  cairo_surface_flush (canvas->surface);
  const unsigned char *pixel = cairo_image_surface_get_data (canvas->surface) +
                               (int)y * cairo_image_surface_get_stride (canvas->surface) + 4 * (int)x;
  return (pixel[0] + pixel[1] + pixel[2]) / (3.0 * 255.0);
}

static void paint (Canvas *canvas, gboolean by_damping) {
  static double lines[N] = {0.0, 0.5, 1.0};
  /* rows from below: unstable, stable, the last cell unknown */
  static double growth[N * N] = {1.0, 5.0, 25.0, -1.0, -5.0, -25.0, -0.1, 0.1, NAN};
  static double damping[N * N] = {-0.05, -1.0, -0.4, 0.05, 1.0, 0.4, 0.01, -0.01, NAN};
  static HlStabilityMap map = {
      .n_x = N, .n_y = N, .x = lines, .y = lines, .growth = growth, .damping = damping};
  const HlUnit *none = hl_quantity_default_unit (HL_QUANTITY_NONE);
  HlMapPicture picture = {.map = &map,
                          .x_unit = none,
                          .y_unit = none,
                          .x_label = "a",
                          .y_label = "b",
                          .by_damping = by_damping,
                          .x_to = 1.0,
                          .y_to = 1.0,
                          .x_now = NAN,
                          .y_now = NAN};

  *canvas = canvas_new (420, 380, HL_STYLE_LIGHT);
  hl_paint_map (canvas->cr, &picture, canvas->area, &canvas->style);
}

/* Tests the line of zeta = 0.5 for damping proportional to x from -1 to 1: it is at three quarters of the
 * width, from the lower edge to the upper one, and nothing beside it has its colour. */
static void test_contour (void) {
  enum { M = 21 };
  double lines[M], growth[M * M], damping[M * M];
  for (int k = 0; k < M; k++)
    lines[k] = (double)k / (M - 1);
  for (int k = 0; k < M * M; k++) {
    damping[k] = 2.0 * lines[k % M] - 1.0;
    growth[k] = -damping[k];
  }
  HlStabilityMap map = {.n_x = M, .n_y = M, .x = lines, .y = lines, .growth = growth, .damping = damping};
  const HlUnit *none = hl_quantity_default_unit (HL_QUANTITY_NONE);
  HlMapPicture picture = {.map = &map,
                          .x_unit = none,
                          .y_unit = none,
                          .x_label = "a",
                          .y_label = "b",
                          .by_damping = TRUE,
                          .x_to = 1.0,
                          .y_to = 1.0,
                          .x_now = NAN,
                          .y_now = NAN};
  Canvas canvas = canvas_new (420, 380, HL_STYLE_LIGHT);
  hl_paint_map (canvas.cr, &picture, canvas.area, &canvas.style);
  HlRect frame = hl_map_frame (canvas.area, &canvas.style);
  double at = frame.x + 0.75 * frame.width;
  int darker = 0;
  for (double y = frame.y + 4.0; y < frame.y + 0.4 * frame.height; y += 1.0) {
    double least = INFINITY;
    for (double x = at - 2.0; x <= at + 2.0; x += 1.0)
      least = fmin (least, brightness (&canvas, x, y));
    darker +=
        least < brightness (&canvas, at - 6.0, y) - 0.1 && least < brightness (&canvas, at + 6.0, y) - 0.1;
  }
  g_assert_cmpfloat (darker, >, 0.9 * (0.4 * frame.height - 4.0));
  canvas_clear (&canvas);
}

static void test_sides (void) {
  for (int by_damping = 0; by_damping < 2; by_damping++) {
    Canvas canvas;
    paint (&canvas, by_damping);
    for (int column = 0; column < N; column++) {
      g_assert_cmpfloat (redness (&canvas, column, 0), >, 0.05);
      g_assert_cmpfloat (redness (&canvas, column, 1), <, -0.05);
    }
    g_assert_cmpfloat (redness (&canvas, 0, 2), <, 0.0);
    g_assert_cmpfloat (redness (&canvas, 1, 2), >, 0.0);
    g_assert_cmpfloat (fabs (redness (&canvas, 2, 2)), <, 0.01);
    canvas_clear (&canvas);
  }
}

static void test_order (void) {
  static const int by_growth[N] = {0, 1, 2}, by_damping[N] = {0, 2, 1};

  for (int which = 0; which < 2; which++) {
    const int *order = which == 0 ? by_growth : by_damping;
    Canvas canvas;
    paint (&canvas, which == 1);
    for (int k = 0; k + 1 < N; k++) {
      g_assert_cmpfloat (redness (&canvas, order[k], 0), <, redness (&canvas, order[k + 1], 0));
      g_assert_cmpfloat (redness (&canvas, order[k], 1), >, redness (&canvas, order[k + 1], 1));
    }
    canvas_clear (&canvas);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stability-map-colors/stable-is-blue-and-unstable-red", test_sides);
  g_test_add_func ("/stability-map-colors/a-contour-is-where-its-damping-is", test_contour);
  g_test_add_func ("/stability-map-colors/the-further-the-fuller", test_order);
  return g_test_run ();
}
