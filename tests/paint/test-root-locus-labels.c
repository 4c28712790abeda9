/* SPDX-License-Identifier: MIT */
/* Tests of labels in the eigenvalue plane: they stay in the frame and cover no pole and no other label; lines
 * are found between their points; a break point does not stretch the axes. */
#include <math.h>
#include <string.h>

#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/chart/hl-paint-locus.h"

#define N_POINTS 60

/* Poles as on the excavator arm, crossings at the very edge of a narrow right half. */
static HlLocusPole poles[] = {{.re = -1.17, .im = 17.6, .branch = 0},
                              {.re = -1.17, .im = -17.6, .branch = 1},
                              {.re = -16.1, .im = 44.7, .branch = 2},
                              {.re = -16.1, .im = -44.7, .branch = 3},
                              {.re = -33.3, .branch = 4},
                              {.is_null = TRUE, .branch = -1},
                              {.is_null = TRUE, .branch = -1}};
static HlLocusCrossing crossings[] = {
    {0.0, "0.018344 m³", 0},         {17.6, "0.023263, 2.8 Hz", 1}, {-17.6, NULL, 1},
    {17.9, "0.024 m/s, 2.85 Hz", 2}, {44.0, "5.9704 m/s, 7 Hz", 3}, {0.0, "6.7907 m/s", 4}};

static HlLocusPlot crowded (void) {
  HlLocusPlot locus = hl_locus_make ();

  locus.poles = poles;
  locus.n_poles = G_N_ELEMENTS (poles);
  locus.crossings = crossings;
  locus.n_crossings = G_N_ELEMENTS (crossings);
  locus.null_captions[0] = "3× held articulation → heading → lateral position\n"
                           "2× forward speed → forward position\ntrapped oil";
  locus.null_captions[1] = "6× null:\nlateral position\nforward position\ntrapped oil";
  locus.null_captions[2] = "6× null";
  hl_locus_fit (&locus, TRUE);
  return locus;
}

static void test_labels (void) {
  const int widths[] = {180, 220, 320, 640, 1200};

  for (gsize size = 0; size < G_N_ELEMENTS (widths); size++)
    for (int log_axes = 0; log_axes < 2; log_axes++) {
      Canvas canvas = canvas_new (widths[size], widths[size] * 3 / 4, HL_STYLE_LIGHT);
      HlLocusPlot locus = crowded ();
      HlLocusLayout layout;
      HlLocusLabel labels[HL_LOCUS_MOST_LABELS];

      hl_locus_fit (&locus, log_axes);
      hl_locus_layout (canvas.cr, &locus, canvas.area, &canvas.style, &layout);
      int n = hl_locus_labels (canvas.cr, &locus, &layout, &canvas.style, labels, HL_LOCUS_MOST_LABELS);
      g_assert_cmpint (n, >=, widths[size] < 200 ? 1 : 2);
      g_assert_true (widths[size] < 640 || n == 6);
      for (int i = 0; i < n; i++) {
        HlRect box = labels[i].box, frame = hl_rect_grow (layout.frame, 0.01);
        g_assert_true (hl_rect_contains (frame, (HlSpot){box.x, box.y}));
        g_assert_true (hl_rect_contains (frame, (HlSpot){box.x + box.width, box.y + box.height}));
        for (int k = 0; k < i; k++)
          g_assert_false (hl_rect_overlaps (box, labels[k].box));
        for (int pole = 0; i > 0 && pole < locus.n_poles; pole++)
          g_assert_false (hl_rect_contains (box, hl_locus_device (&layout, poles[pole].re, poles[pole].im)));
      }
      /* the larger the frame the more is said of the zeros */
      int caption = 0;
      while (labels[0].text != locus.null_captions[caption])
        caption++;
      g_assert_true (widths[size] > 180 || caption == 2);
      g_assert_true (widths[size] < 640 || caption == 0);
      hl_paint_locus (canvas.cr, &locus, canvas.area, &canvas.style);
      canvas_assert_whole (&canvas, "locus-labels", 1000);
      canvas_clear (&canvas);
    }
}

/* Fills a pair of branches from -10 to -460 1/s and back to the axis, as friction damps the four-bar. */
static void fill_pair (double re[N_POINTS], double im[N_POINTS], double sign) {
  for (int i = 0; i < N_POINTS; i++) {
    double part = i / (N_POINTS - 1.0);
    re[i] = -10.0 * pow (46.0, part);
    im[i] = sign * 450.0 * sqrt (1.0 - part * part);
  }
}

/* Tests that the key of the symbols has a place in every chart of a window, down to 190 px of height; the
 * corners alone are often taken, and rounding does not exclude it. */
static void test_key (void) {
  static const HlSpot sizes[] = {{300, 190}, {304, 220}, {421, 360}, {463, 405}, {480, 320}, {850, 700}};
  double re[2][N_POINTS], im[2][N_POINTS];
  HlLocusBranch branches[] = {{re[0], im[0], N_POINTS, 0}, {re[1], im[1], N_POINTS, 1}};
  HlLocusPole real[] = {{.re = -143.7, .branch = 0},
                        {.re = -219.9, .branch = 1},
                        {.re = -1463.0, .branch = 1},
                        {.re = -7978.0, .branch = 2},
                        {.is_null = TRUE, .branch = -1}};
  HlLocusPlot locus = hl_locus_make ();

  fill_pair (re[0], im[0], 1.0);
  fill_pair (re[1], im[1], -1.0);
  locus.branches = branches;
  locus.n_branches = G_N_ELEMENTS (branches);
  locus.poles = real;
  locus.n_poles = G_N_ELEMENTS (real);
  locus.null_captions[0] = "2× trapped oil";
  locus.key = "⊠ present value\n× pale: other sets\n◇ structurally zero";
  locus.short_key = strchr (locus.key, '\n') + 1;
  hl_locus_fit (&locus, TRUE);
  for (gsize size = 0; size < G_N_ELEMENTS (sizes); size++) {
    Canvas canvas = canvas_new ((int)sizes[size].x, (int)sizes[size].y, HL_STYLE_LIGHT);
    HlLocusLayout layout;
    HlLocusLabel labels[HL_LOCUS_MOST_LABELS];

    hl_locus_layout (canvas.cr, &locus, canvas.area, &canvas.style, &layout);
    int n = hl_locus_labels (canvas.cr, &locus, &layout, &canvas.style, labels, HL_LOCUS_MOST_LABELS);
    g_assert_cmpint (n, >, 0);
    if (labels[n - 1].text != locus.key && labels[n - 1].text != locus.short_key)
      g_error ("no key in a chart of %g × %g px", sizes[size].x, sizes[size].y);
    HlRect box = labels[n - 1].box, frame = hl_rect_grow (layout.frame, 0.01);
    g_assert_true (hl_rect_contains (frame, (HlSpot){box.x, box.y}));
    g_assert_true (hl_rect_contains (frame, (HlSpot){box.x + box.width, box.y + box.height}));
    canvas_clear (&canvas);
  }
}

/* Tests two points far apart: the line between them is found, and the nearer point is reported. */
static void test_between_points (void) {
  double re[] = {-100.0, -1.0}, im[] = {50.0, 50.0};
  HlLocusBranch branch = {re, im, 2, 0};
  HlLocusPlot locus = hl_locus_make ();
  Canvas canvas = canvas_new (400, 300, HL_STYLE_LIGHT);
  HlLocusLayout layout;
  int found, index;

  locus.branches = &branch;
  locus.n_branches = 1;
  hl_locus_fit (&locus, FALSE);
  hl_locus_layout (canvas.cr, &locus, canvas.area, &canvas.style, &layout);
  HlSpot a = hl_locus_device (&layout, -100.0, 50.0);
  HlSpot b = hl_locus_device (&layout, -1.0, 50.0);
  HlSpot at = {0.7 * a.x + 0.3 * b.x, a.y + 3.0};
  g_assert_true (hl_locus_branch_at (&layout, &locus, at, 6.0, &found, &index));
  g_assert_cmpint (index, ==, 0);
  at.x = 0.3 * a.x + 0.7 * b.x;
  g_assert_true (hl_locus_branch_at (&layout, &locus, at, 6.0, &found, &index));
  g_assert_cmpint (index, ==, 1);
  at.y += 6.0;
  g_assert_false (hl_locus_branch_at (&layout, &locus, at, 6.0, &found, &index));
  canvas_clear (&canvas);
}

/* Tests that refined rows, which bring a pair arbitrarily close to the real axis and a crossing to the
 * imaginary axis, add no decades to the axes. */
static void test_break_point_and_crossing (void) {
  double re[2][N_POINTS], im[2][N_POINTS];
  HlLocusBranch branches[] = {{re[0], im[0], N_POINTS, 0}, {re[1], im[1], N_POINTS, 1}};
  HlLocusPlot locus = hl_locus_make ();

  for (int i = 0; i < N_POINTS; i++) {
    re[0][i] = -20.0;
    im[0][i] = 30.0 * pow (0.7, i);
    re[1][i] = (i % 2 == 0 ? -1.0 : 1.0) * 5.0 * pow (0.6, i);
    im[1][i] = 0.0;
  }
  HlLocusPole pole = {.re = -4000.0, .branch = 2};
  locus.branches = branches;
  locus.n_branches = 2;
  locus.poles = &pole;
  locus.n_poles = 1;
  hl_locus_fit (&locus, TRUE);
  g_assert_cmpint (locus.x.scale, ==, HL_SCALE_SIGNED_LOG);
  g_assert_cmpfloat (locus.x.linear_within, >=, 0.01);
  g_assert_cmpfloat (locus.y.linear_within, >=, 0.1);
}

static void test_describe (void) {
  g_autofree char *undamped = hl_locus_describe (-1.3e-15, 30.568);
  g_autofree char *slow = hl_locus_describe (-0.002, 0.0);

  g_assert_nonnull (strstr (undamped, "λ = 30.568 i s⁻¹"));
  g_assert_null (strstr (undamped, "τ"));
  g_assert_nonnull (strstr (undamped, "ζ = 0"));
  g_assert_nonnull (strstr (slow, "τ = 500 s"));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/root-locus-labels/labels", test_labels);
  g_test_add_func ("/root-locus-labels/key-finds-a-place", test_key);
  g_test_add_func ("/root-locus-labels/between-points", test_between_points);
  g_test_add_func ("/root-locus-labels/break-point-and-crossing", test_break_point_and_crossing);
  g_test_add_func ("/root-locus-labels/describe", test_describe);
  return g_test_run ();
}
