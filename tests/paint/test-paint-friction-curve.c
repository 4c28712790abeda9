/* SPDX-License-Identifier: MIT */
/* The friction of a seal as a picture: each handle stands for one number of the law, the curve and
 * its tangent lie where the formulas of the literature put them, and no handle can be dragged to
 * numbers that are no friction. */
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/chart/hl-paint-friction-curve.h"

#include <math.h>

#define WIDTH 320
#define HEIGHT 180

/* Seed 000, figure 13: the cylinder of the four-bar; its Stribeck speed is that of the file. */
static const HlFriction seal = {.model = HL_FRICTION_BROWN_MCPHEE,
                                .Fc = 210.0,
                                .Fs = 830.0,
                                .vs = 0.0125,
                                .v0 = 0.002,
                                .xi = 60.0,
                                .sigma0 = 1e7,
                                .sigma1 = 300.0,
                                .sigma2 = 330.0,
                                .ve = 0.001,
                                .vd = 0.1,
                                .scale = 0.5};

static HlFrictionPicture picture_of (HlFrictionModel model) {
  HlFrictionPicture picture = {.speed = 0.0, .active = -1};
  HlFriction friction = seal;

  friction.model = model;
  hl_friction_picture_take (&picture, &friction);
  hl_friction_picture_fit (&picture);
  return picture;
}

static HlRect frame_of (HlStyle *style) {
  *style = hl_style_make (HL_STYLE_LIGHT);
  return hl_friction_frame ((HlRect){0.0, 0.0, WIDTH, HEIGHT}, style);
}

static double *number_of (HlFriction *friction, HlFrictionHandle handle) {
  double *numbers[] = {&friction->Fs, &friction->Fc, &friction->sigma2,
                       &friction->vs, &friction->v0, &friction->xi};
  return numbers[handle];
}

/* Tests which numbers each law has, and that moving a handle to its own place changes nothing. */
static void test_handles (void) {
  static const unsigned has[] = {0x00, 0x04, 0x0f, 0x1f, 0x2f, 0x0f, 0x0f};
  HlStyle style;
  HlRect frame = frame_of (&style);

  for (int model = HL_FRICTION_NONE; model <= HL_FRICTION_MODIFIED_LUGRE; model++) {
    HlFrictionPicture picture = picture_of ((HlFrictionModel)model);
    for (int handle = 0; handle < HL_FRICTION_N_HANDLES; handle++) {
      HlSpot spot;
      gboolean there = hl_friction_handle_at (&picture, frame, (HlFrictionHandle)handle, &spot);
      g_assert_cmpint (there, ==, (has[model] >> handle) & 1);
      if (!there)
        continue;
      g_assert_cmpfloat (spot.x, >=, frame.x);
      g_assert_cmpfloat (spot.x, <=, frame.x + frame.width);
      g_assert_cmpfloat (spot.y, >=, frame.y);
      g_assert_cmpint (hl_friction_pick (&picture, frame, spot, 3.0), ==, handle);
      double value = hl_friction_handle_value (&picture, frame, (HlFrictionHandle)handle, spot);
      hl_assert_near (value, *number_of (&picture.friction, (HlFrictionHandle)handle), 1e-9, 0.0);
    }
  }
}

/* Tests that dragging beyond every edge keeps a valid friction: passive, Fs not below Fc, no speed of zero. */
static void test_limits (void) {
  static const HlSpot corners[] = {{-500.0, -500.0}, {900.0, 900.0}, {-500.0, 900.0}};
  HlStyle style;
  HlRect frame = frame_of (&style);

  for (int model = HL_FRICTION_VISCOUS; model <= HL_FRICTION_MODIFIED_LUGRE; model++)
    for (int handle = 0; handle < HL_FRICTION_N_HANDLES; handle++)
      for (guint corner = 0; corner < G_N_ELEMENTS (corners); corner++) {
        HlFrictionPicture picture = picture_of ((HlFrictionModel)model);
        HlFriction *friction = &picture.friction;
        HlSpot spot;
        if (!hl_friction_handle_at (&picture, frame, (HlFrictionHandle)handle, &spot))
          continue;
        *number_of (friction, (HlFrictionHandle)handle) =
            hl_friction_handle_value (&picture, frame, (HlFrictionHandle)handle, corners[corner]);
        g_assert_cmpfloat (friction->Fs, >=, friction->Fc);
        g_assert_cmpfloat (friction->Fc, >=, 0.0);
        g_assert_cmpfloat (friction->sigma2, >=, 0.0);
        g_assert_cmpfloat (friction->vs, >, 0.0);
        g_assert_cmpfloat (friction->v0, >, 0.0);
        g_assert_true (isfinite (friction->xi));
        if (hl_friction_has_bristle (friction))
          g_assert_cmpfloat (friction->Fc, >, 0.0);
      }
}

static HlRect around (HlSpot spot, double reach) {
  return (HlRect){spot.x - reach, spot.y - reach, 2.0 * reach, 2.0 * reach};
}

/* Computes equation (8) of seed 000, and its tangent by the difference of two of its values. */
static double equation_8 (double v) {
  double z = v / seal.vs, w = 0.25 * z * z + 0.75;
  return seal.scale * (seal.Fc * tanh (4.0 * z) + (seal.Fs - seal.Fc) * z / (w * w) + seal.sigma2 * v);
}

static void test_curve (void) {
  /* beside the tangent, which lies on the curve */
  static const double speeds[] = {0.002, 0.005, 0.045, 0.055};
  double v = 0.0225, h = 1e-6;

  for (int kind = HL_STYLE_LIGHT; kind <= HL_STYLE_DARK; kind++) {
    Canvas canvas = canvas_new (WIDTH, HEIGHT, (HlStyleKind)kind);
    HlFrictionPicture picture = picture_of (HL_FRICTION_BROWN_MCPHEE);
    HlRect frame = hl_friction_frame (canvas.area, &canvas.style);
    picture.speed = -v;
    hl_paint_friction (canvas.cr, &picture, canvas.area, &canvas.style);
    for (guint k = 0; k < G_N_ELEMENTS (speeds); k++) {
      HlSpot spot = hl_friction_spot (&picture, frame, speeds[k], equation_8 (speeds[k]));
      g_assert_cmpint (canvas_count_color (&canvas, around (spot, 2.5), canvas.style.trace[0]), >, 0);
    }
    double slope = (equation_8 (v + h) - equation_8 (v - h)) / (2.0 * h);
    double reach = 0.15 * picture.most_speed;
    for (int side = -1; side <= 1; side++) {
      HlSpot spot =
          hl_friction_spot (&picture, frame, v + side * reach, equation_8 (v) + slope * side * reach);
      g_assert_cmpint (canvas_count_color (&canvas, around (spot, 2.5), canvas.style.accent), >, 0);
    }
    canvas_clear (&canvas);
  }
}

/* Tests that half-typed numbers, none, and a speed far outside give a picture. */
static void test_odd_numbers (void) {
  static const double speeds[] = {0.0, 1e9, -3.0, INFINITY, NAN};

  for (int model = HL_FRICTION_NONE; model <= HL_FRICTION_MODIFIED_LUGRE; model++)
    for (int which = 0; which < 8; which++)
      for (guint k = 0; k < G_N_ELEMENTS (speeds); k++) {
        HlFrictionPicture picture = {.speed = speeds[k], .active = -1};
        HlFriction friction = seal;
        double *zeroed[] = {&friction.Fc, &friction.Fs, &friction.vs,    &friction.v0,
                            &friction.xi, &friction.ve, &friction.scale, &friction.sigma2};
        friction.model = (HlFrictionModel)model;
        *zeroed[which] = which % 2 == 0 ? 0.0 : NAN;
        hl_friction_picture_take (&picture, &friction);
        hl_friction_picture_fit (&picture);
        Canvas canvas = canvas_new (WIDTH, HEIGHT, HL_STYLE_DARK);
        hl_paint_friction (canvas.cr, &picture, canvas.area, &canvas.style);
        g_assert_cmpint (cairo_status (canvas.cr), ==, CAIRO_STATUS_SUCCESS);
        g_assert_cmpint (canvas_count_ink (&canvas, canvas.area), >, 200);
        canvas_clear (&canvas);
      }
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint-friction-curve/each-handle-is-one-number", test_handles);
  g_test_add_func ("/paint-friction-curve/handles-stay-where-there-is-friction", test_limits);
  g_test_add_func ("/paint-friction-curve/curve-and-tangent-are-those-of-figure-13", test_curve);
  g_test_add_func ("/paint-friction-curve/odd-numbers-leave-a-picture", test_odd_numbers);
  return g_test_run ();
}
