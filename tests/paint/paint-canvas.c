/* SPDX-License-Identifier: MIT */
/* Pixels of an image surface as numbers. */
#include "tests/paint/paint-canvas.h"

#include <math.h>
#include <stdint.h>

Canvas canvas_new (int width, int height, HlStyleKind kind) {
  Canvas canvas = {.area = {0.0, 0.0, width, height}, .style = hl_style_make (kind)};

  canvas.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  canvas.cr = cairo_create (canvas.surface);
  hl_paint_background (canvas.cr, 0.0, 0.0, width, height, &canvas.style);
  return canvas;
}

void canvas_clear (Canvas *canvas) {
  g_assert_cmpint (cairo_status (canvas->cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (canvas->cr);
  cairo_surface_destroy (canvas->surface);
}

static int distance_to (uint32_t pixel, HlColor color) {
  int r = (int)(pixel >> 16 & 255) - (int)lround (255.0 * color.r);
  int g = (int)(pixel >> 8 & 255) - (int)lround (255.0 * color.g);
  int b = (int)(pixel & 255) - (int)lround (255.0 * color.b);

  return ABS (r) + ABS (g) + ABS (b);
}

static int count (const Canvas *canvas, HlRect rect, HlColor color, gboolean near_it) {
  cairo_surface_flush (canvas->surface);
  const unsigned char *data = cairo_image_surface_get_data (canvas->surface);
  int stride = cairo_image_surface_get_stride (canvas->surface);
  int width = cairo_image_surface_get_width (canvas->surface);
  int height = cairo_image_surface_get_height (canvas->surface);
  int n = 0;

  for (int y = MAX (0, (int)rect.y); y < MIN (height, (int)(rect.y + rect.height)); y++)
    for (int x = MAX (0, (int)rect.x); x < MIN (width, (int)(rect.x + rect.width)); x++) {
      int d = distance_to (((const uint32_t *)(const void *)(data + (gsize)y * (gsize)stride))[x], color);
      n += near_it ? d < 24 : d > 24;
    }
  return n;
}

int canvas_count_ink (const Canvas *canvas, HlRect rect) {
  return count (canvas, rect, canvas->style.background, FALSE);
}

int canvas_count_color (const Canvas *canvas, HlRect rect, HlColor color) {
  return count (canvas, rect, color, TRUE);
}

void canvas_assert_whole (Canvas *canvas, const char *name, int min_ink) {
  HlRect a = canvas->area;
  int ink = canvas_count_ink (canvas, a);
  int border = canvas_count_ink (canvas, (HlRect){0.0, 0.0, a.width, 1.0}) +
               canvas_count_ink (canvas, (HlRect){0.0, a.height - 1.0, a.width, 1.0}) +
               canvas_count_ink (canvas, (HlRect){0.0, 0.0, 1.0, a.height}) +
               canvas_count_ink (canvas, (HlRect){a.width - 1.0, 0.0, 1.0, a.height});

  if (ink >= min_ink && border == 0)
    return;
  g_autofree char *path = g_strdup_printf ("%s/hl-%s-%d.png", g_get_tmp_dir (), name, canvas->style.kind);
  cairo_surface_write_to_png (canvas->surface, path);
  g_error ("%s: %d pixels of ink (at least %d wished), %d on the border; see %s", name, ink, min_ink, border,
           path);
}

HlRect canvas_ink_extents (CanvasPainter painter, gpointer data, HlRect area, HlStyleKind kind) {
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);
  HlStyle style = hl_style_make (kind);
  HlRect ink;

  painter (cr, area, &style, data);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_recording_surface_ink_extents (surface, &ink.x, &ink.y, &ink.width, &ink.height);
  cairo_surface_destroy (surface);
  return ink;
}

static double linear_from_srgb (double v) {
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double luminance (HlColor c) {
  return 0.2126 * linear_from_srgb (c.r) + 0.7152 * linear_from_srgb (c.g) + 0.0722 * linear_from_srgb (c.b);
}

double canvas_contrast (HlColor a, HlColor b) {
  double la = luminance (a) + 0.05;
  double lb = luminance (b) + 0.05;

  return la > lb ? la / lb : lb / la;
}
