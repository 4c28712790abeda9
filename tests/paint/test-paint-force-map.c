/* SPDX-License-Identifier: MIT */
/* The force-velocity map on image surfaces: where chambers without relief hold any force, the finite part is visible. */
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/chart/hl-paint-force-map.h"

#include <math.h>
#include <string.h>

enum { N = 5 };

/* Returns a family from -10 to 10 mm/s, in one segment. */
static HlForceFamily family_of (double f[N], double v[N], double zeros[N], HlSegment segments[N],
                                const HlCylinderTerms **terms) {
  HlForceFamily family = {.now = {.n = N,
                                  .v = v,
                                  .f = f,
                                  .P = zeros,
                                  .relief = zeros,
                                  .recycled = zeros,
                                  .segment = segments,
                                  .value = NAN},
                          .v_from = -0.01,
                          .v_to = 0.01,
                          .n_members = 1,
                          .terms = terms};

  for (int k = 0; k < N; k++) {
    v[k] = -0.01 + 0.02 * k / (N - 1);
    zeros[k] = 0;
    segments[k] = HL_SEGMENT_NETWORK;
  }
  return family;
}

typedef struct {
  int curve;   /* pixels of the curve, whose colour no text has ... */
  int at_last; /* ... of its last part, from 6 to 9 mm/s */
  int words;   /* in the middle */
} Seen;

static Seen paint (double f[N], bool is_rotary) {
  Canvas canvas = canvas_new (600, 400, HL_STYLE_LIGHT);
  double v[N], zeros[N];
  HlSegment segments[N];
  const HlCylinderTerms *terms = hl_cylinder_terms (is_rotary);
  HlForceFamily family = family_of (f, v, zeros, segments, &terms);
  HlForcePicture picture = {.family = &family, .v_now = NAN, .f_now = NAN, .v_hover = NAN};
  HlColor color = hl_style_trace_color (&canvas.style, (int)HL_SEGMENT_NETWORK);

  hl_paint_force (canvas.cr, &picture, canvas.area, &canvas.style);
  HlRect frame = hl_force_frame (canvas.cr, &picture, canvas.area, &canvas.style);
  HlRect last = {frame.x + 0.8 * frame.width, frame.y, 0.15 * frame.width, frame.height};
  HlRect middle = {frame.x + 20, frame.y + 0.5 * frame.height - 10, frame.width - 40, 20};
  Seen seen = {canvas_count_color (&canvas, canvas.area, color), canvas_count_color (&canvas, last, color),
               canvas_count_color (&canvas, middle, canvas.style.ink_soft)};
  canvas_clear (&canvas);
  return seen;
}

/* Tests that the finite side of a curve is visible when its other side is unbounded. */
static void finite_part_is_in_sight (void) {
  for (int turns = 0; turns < 2; turns++) {
    Seen whole = paint ((double[N]){400, 200, 0, -200, -400}, turns);
    Seen half = paint ((double[N]){INFINITY, INFINITY, 200, 0, -200}, turns);
    g_assert_cmpint (whole.curve, >, 400);
    g_assert_cmpint (whole.at_last, >, 50);
    g_assert_cmpint (half.curve, >, whole.curve / 3);
    g_assert_cmpint (half.at_last, >, 50);
    g_assert_cmpint (half.words, ==, whole.words);
  }
}

/* Tests that a sentence replaces a curve without finite values. */
static void shut_says_so (void) {
  Seen seen = paint ((double[N]){INFINITY, INFINITY, NAN, -INFINITY, -INFINITY}, FALSE);

  g_assert_cmpint (seen.curve, ==, 0);
  g_assert_cmpint (seen.words, >, 20); /* few pixels of a small text have its pure colour */
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint-force-map/finite-part-is-in-sight", finite_part_is_in_sight);
  g_test_add_func ("/paint-force-map/shut-says-so", shut_says_so);
  return g_test_run ();
}
