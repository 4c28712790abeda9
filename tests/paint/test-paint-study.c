/* SPDX-License-Identifier: MIT */
/* Pictures of many runs: points lie where their numbers say, a box holds those that lie in it, and what
 * a brush lights is painted so. */
#include "tests/support/hl-test.h"
#include "ui/paint/chart/hl-paint-study.h"

#include <math.h>
#include <string.h>

#define N 5

static const double a[N] = {0, 1, 2, 3, 4}, b[N] = {0, 10, NAN, 30, 40}, c[N] = {1, 10, 100, 1e3, 1e4};

static HlStudyPicture picture_of (HlStudyPictureKind kind, const HlStudyColumn *columns, int n) {
  return (HlStudyPicture){.kind = kind, .columns = columns, .n_columns = n, .n_rows = N};
}

/* Tests positions: axes reach 5 % beyond the values, so that 2 of 0 to 4 is in the middle, and 100 of 1 to
 * 1e4 on a logarithmic axis. */
static void test_places (void) {
  HlStudyColumn columns[] = {{.title = "a", .values = a}, {.title = "c", .values = c, .is_log = TRUE}};
  HlStudyPicture picture = picture_of (HL_STUDY_CLOUD, columns, 2);
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlStudyPanel panels[HL_STUDY_MOST_PANELS];

  g_assert_cmpint (hl_study_panels (&picture, (HlRect){0, 0, 400, 300}, &style, panels), ==, 1);
  const HlRect *frame = &panels[0].frame;
  HlSpot middle = hl_study_panel_place (&panels[0], 2, 100);
  hl_assert_near (middle.x, frame->x + 0.5 * frame->width, 0, 1e-9);
  hl_assert_near (middle.y, frame->y + 0.5 * frame->height, 0, 1e-9);
  HlSpot last = hl_study_panel_place (&panels[0], 4, 1e4);
  hl_assert_near (last.x, frame->x + frame->width * 4.2 / 4.4, 0, 1e-9);
  hl_assert_near (last.y, frame->y + frame->height * 0.2 / 4.4, 0, 1e-9);
  g_assert_cmpint (hl_study_row_at (&picture, &panels[0], (HlSpot){last.x + 3, last.y}, 5), ==, 4);
  g_assert_cmpint (hl_study_row_at (&picture, &panels[0], (HlSpot){last.x + 6, last.y}, 5), ==, -1);
  g_assert_cmpint (hl_study_panel_at (panels, 1, middle), ==, 0);
  g_assert_cmpint (hl_study_panel_at (panels, 1, (HlSpot){1, 1}), ==, -1);
}

/* Tests that every frame of a matrix is separate from the others and inside the area; the diagonal counts. */
static void test_matrix (void) {
  HlStudyColumn columns[] = {
      {.title = "a", .values = a}, {.title = "b", .values = b}, {.title = "c", .values = c}};
  HlStudyPicture picture = picture_of (HL_STUDY_SCATTER, columns, 3);
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlStudyPanel panels[HL_STUDY_MOST_PANELS];
  int n = hl_study_panels (&picture, (HlRect){10, 20, 600, 500}, &style, panels);

  g_assert_cmpint (n, ==, 9);
  for (int k = 0; k < n; k++) {
    const HlRect *f = &panels[k].frame;
    g_assert_true (f->x >= 10 && f->y >= 20 && f->x + f->width <= 610 && f->y + f->height <= 520);
    g_assert_cmpint (panels[k].y_column, ==, k / 3 == k % 3 ? -1 : k / 3);
    g_assert_cmpint (panels[k].x_column, ==, k % 3);
    HlSpot middle = {f->x + 0.5 * f->width, f->y + 0.5 * f->height};
    g_assert_cmpint (hl_study_panel_at (panels, n, middle), ==, k);
  }
}

/* Tests that missing values are in no box, and that rows of a histogram are selected by the bars that the box
 * touches. */
static void test_brush (void) {
  HlStudyColumn columns[] = {{.title = "a", .values = a}, {.title = "b", .values = b}};
  HlStudyPicture picture = picture_of (HL_STUDY_CLOUD, columns, 2);
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlStudyPanel panels[HL_STUDY_MOST_PANELS];
  guint8 lit[N];

  hl_study_panels (&picture, (HlRect){0, 0, 400, 300}, &style, panels);
  HlSpot low = hl_study_panel_place (&panels[0], 0.5, 5), high = hl_study_panel_place (&panels[0], 3.5, 35);
  HlRect box = {low.x, high.y, high.x - low.x, low.y - high.y};
  g_assert_cmpint (hl_study_brush (&picture, &panels[0], box, lit), ==, 2);
  g_assert_true (memcmp (lit, (guint8[N]){0, 1, 0, 1, 0}, N) == 0);
  picture.kind = HL_STUDY_HISTOGRAM;
  g_assert_cmpint (hl_study_panels (&picture, (HlRect){0, 0, 400, 300}, &style, panels), ==, 2);
  low = hl_study_panel_place (&panels[1], 25, 0);
  high = hl_study_panel_place (&panels[1], 45, 0);
  g_assert_cmpint (hl_study_brush (&picture, &panels[1], (HlRect){low.x, 0, high.x - low.x, 1}, lit), ==, 2);
  g_assert_true (memcmp (lit, (guint8[N]){0, 0, 0, 1, 1}, N) == 0);
}

/* Tests every kind with no values, one value, and only missing ones. A highlighted point has another colour
 * than the others. */
static void test_paint (void) {
  const double none[N] = {NAN, NAN, NAN, NAN, NAN}, one[N] = {7, 7, 7, 7, 7};
  HlStudyColumn columns[] = {{.title = "none", .values = none},
                             {.title = "one", .values = one, .unit = "bar", .is_log = TRUE},
                             {.title = "a", .values = a}};
  const guint8 lit[N] = {1, 0, 0, 0, 1};
  int row = 3;
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 300, 200);

  for (int kind = 0; kind <= HL_STUDY_CLOUD; kind++)
    for (int n = 0; n <= 3; n++)
      for (int size = 1; size < 300; size += 99) {
        cairo_t *cr = cairo_create (surface);
        HlStudyPicture picture = picture_of ((HlStudyPictureKind)kind, columns, n);
        picture.lit = lit;
        picture.row = &row;
        picture.title = "one";
        if (kind != HL_STUDY_SURFACE || n == 3)
          hl_paint_study (cr, &picture, (HlRect){0, 0, size, size}, &style);
        g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
        cairo_destroy (cr);
      }
  HlStudyColumn pair[] = {{.title = "a", .values = a}, {.title = "b", .values = b}};
  HlStudyPicture picture = picture_of (HL_STUDY_CLOUD, pair, 2);
  HlStudyPanel panels[HL_STUDY_MOST_PANELS];
  picture.lit = lit;
  hl_study_panels (&picture, (HlRect){0, 0, 300, 200}, &style, panels);
  cairo_t *cr = cairo_create (surface);
  hl_paint_background (cr, 0, 0, 300, 200, &style);
  hl_paint_study (cr, &picture, (HlRect){0, 0, 300, 200}, &style);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  guint32 colors[2];
  for (int k = 0; k < 2; k++) {
    HlSpot at = hl_study_panel_place (&panels[0], a[k], b[k]);
    const guchar *line =
        cairo_image_surface_get_data (surface) + (int)at.y * cairo_image_surface_get_stride (surface);
    memcpy (&colors[k], line + 4 * (int)at.x, 4);
  }
  guint32 wanted = (guint32)lround (255 * style.trace[1].r) << 16 |
                   (guint32)lround (255 * style.trace[1].g) << 8 | (guint32)lround (255 * style.trace[1].b);
  g_assert_cmpuint (colors[0] & 0xffffff, ==, wanted);
  g_assert_cmpuint (colors[1] & 0xffffff, !=, wanted);
  cairo_surface_destroy (surface);
}

/* Tests that equally frequent values have bars of equal height. */
static void test_heights (void) {
  const double values[6] = {1, 1, 2, 2, 3, 3};
  HlStudyColumn column = {.title = "v", .values = values};
  HlStudyPicture picture = {.kind = HL_STUDY_HISTOGRAM, .columns = &column, .n_columns = 1, .n_rows = 6};
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlStudyPanel panels[HL_STUDY_MOST_PANELS];
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 300, 200);
  cairo_t *cr = cairo_create (surface);
  int heights[3] = {0};

  hl_study_panels (&picture, (HlRect){0, 0, 300, 200}, &style, panels);
  hl_paint_background (cr, 0, 0, 300, 200, &style);
  hl_paint_study (cr, &picture, (HlRect){0, 0, 300, 200}, &style);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  const HlRect *frame = &panels[0].frame;
  guint32 background, pixel;
  memcpy (&background, cairo_image_surface_get_data (surface), 4);
  for (int k = 0; k < 3; k++) {
    const HlAxis *axis = &panels[0].x;
    double low = hl_study_bin_edge (axis, hl_study_bin (axis, 1 + k, 1, 3), 1, 3);
    int x = (int)hl_study_panel_place (&panels[0], low + 1.0 / HL_STUDY_BINS, 0).x;
    for (int y = (int)frame->y + 3; y < frame->y + frame->height - 3; y++) {
      const guchar *line =
          cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);
      memcpy (&pixel, line + 4 * x, 4);
      heights[k] += (pixel & 0xffffff) != (background & 0xffffff);
    }
  }
  /* on a logarithmic axis a decade has as many bars as the next: the second of two begins the half */
  const HlAxis decades = {.scale = HL_SCALE_LOG, .min = 1, .max = 100};
  g_assert_cmpint (hl_study_bin (&decades, 10.001, 1, 100), ==, HL_STUDY_BINS / 2);
  g_assert_cmpint (hl_study_bin (&decades, 9.999, 1, 100), ==, HL_STUDY_BINS / 2 - 1);
  g_assert_cmpint (heights[0], >, 50);
  g_assert_cmpint (heights[1], ==, heights[0]);
  g_assert_cmpint (heights[2], ==, heights[0]);
  cairo_surface_destroy (surface);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint-study/points-lie-where-their-numbers-say", test_places);
  g_test_add_func ("/paint-study/frames-of-a-matrix-lie-apart", test_matrix);
  g_test_add_func ("/paint-study/a-box-holds-what-lies-in-it", test_brush);
  g_test_add_func ("/paint-study/as-many-rows-as-high-a-bar", test_heights);
  g_test_add_func ("/paint-study/what-is-lit-stands-out", test_paint);
  return g_test_run ();
}
