/* SPDX-License-Identifier: MIT */
/* Ticks as numbers and strings, titles, formats, and scales that invert. */
#include "tests/support/hl-test.h"
#include "ui/paint/base/hl-plot-axis.h"

#include <math.h>
#include <string.h>

/* Returns the major labels with blanks between them. */
static char *labels_of (const HlAxis *axis, double length, double size, HlTicks *ticks) {
  g_autoptr (GString) text = g_string_new (NULL);

  hl_axis_ticks (axis, length, size, ticks);
  for (int i = 0; i < ticks->n; i++)
    if (ticks->tick[i].major)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", ticks->tick[i].label);
  return g_strdup (text->str);
}

static void assert_labels (HlAxis axis, double length, double size, const char *want, int want_exponent) {
  HlTicks ticks;
  g_autofree char *got = labels_of (&axis, length, size, &ticks);

  g_assert_cmpstr (got, ==, want);
  g_assert_cmpint (ticks.exponent, ==, want_exponent);
}

static int count_major (const HlTicks *ticks) {
  int n = 0;

  for (int i = 0; i < ticks->n; i++)
    n += ticks->tick[i].major;
  return n;
}

/* Returns the number that a label shows. */
static double label_value (const char *label) {
  gboolean minus = g_str_has_prefix (label, "−");

  return g_ascii_strtod (minus ? label + strlen ("−") : label, NULL) * (minus ? -1.0 : 1.0);
}

/* Tests that every axis has at least three labels, nowhere closer than 0.45 of the target distance, as long
 * as there is room for them: a plot of 36 px has three labels of 11 px. Each label read back is the value at
 * its place. */
static void test_short_axes (void) {
  const double target = 23.0;

  for (int k = 0; k < 20000; k++) {
    double low = g_test_rand_double_range (-1.0, 1.0),
           span = pow (10.0, g_test_rand_double_range (-3.0, 3.0));
    double length = k < 2000 ? 36.0 : g_test_rand_double_range (30.0, 300.0), last = -INFINITY;
    HlTicks ticks;
    hl_axis_ticks (&(HlAxis){HL_SCALE_LINEAR, low * span, (low + 1.0) * span, 1.0}, length, target, &ticks);
    g_assert_cmpint (count_major (&ticks), >=, 3);
    for (int i = 0; i < ticks.n; i++)
      if (ticks.tick[i].major) {
        double value = label_value (ticks.tick[i].label) * pow (10.0, ticks.exponent);
        hl_assert_near (ticks.tick[i].fraction, (value / span - low), 0.0, 1e-6);
        g_assert_cmpfloat ((ticks.tick[i].fraction - last) * length, >=, 0.45 * target * (1.0 - 1e-6));
        last = ticks.tick[i].fraction;
      }
  }
}

static void test_linear_labels (void) {
  assert_labels ((HlAxis){HL_SCALE_LINEAR, 0.0, 4.0, 1.0}, 400.0, 90.0, "0 1 2 3 4", 0);
  assert_labels ((HlAxis){HL_SCALE_LINEAR, 0.0, 1.0, 1.0}, 500.0, 90.0, "0.0 0.2 0.4 0.6 0.8 1.0", 0);
  assert_labels ((HlAxis){HL_SCALE_LINEAR, -0.3, 0.3, 1.0}, 300.0, 60.0, "−0.2 0.0 0.2", 0);
  /* the four-bar's angle in degrees finds its own power of ten */
  assert_labels ((HlAxis){HL_SCALE_LINEAR, -1.1e-3, 3.2e-3, 1.0}, 130.0, 25.0, "−1 0 1 2 3", -3);
  /* pascals become millions of them */
  assert_labels ((HlAxis){HL_SCALE_LINEAR, 2.6e6, 3.8e6, 1.0}, 120.0, 40.0, "2.6 2.8 3.0 3.2 3.4 3.6 3.8", 6);
  /* one label alone says nothing of the length: they move together */
  assert_labels ((HlAxis){HL_SCALE_LINEAR, 0.62, 0.79, 1.0}, 80.0, 45.0, "0.65 0.70 0.75", 0);
  assert_labels ((HlAxis){HL_SCALE_LINEAR, -0.3, 0.3, 1.0}, 70.0, 45.0, "−0.2 0.0 0.2", 0);
  assert_labels ((HlAxis){HL_SCALE_LINEAR, 0.0, 25000.0, 1.0}, 300.0, 60.0, "0 5 10 15 20 25", 3);
}

static void test_linear_steps (void) {
  for (int round = 0; round < 500; round++) {
    double size = hl_test_log_uniform (1e-9, 1e9);
    double low = hl_test_uniform (-3.0, 3.0) * size;
    HlAxis axis = {HL_SCALE_LINEAR, low, low + size, 1.0};
    double length = hl_test_uniform (60.0, 1500.0);
    double want = hl_test_uniform (20.0, 100.0);
    HlTicks ticks;
    hl_axis_ticks (&axis, length, want, &ticks);
    double mantissa = ticks.step / pow (10.0, floor (log10 (ticks.step) + 1e-9));
    gboolean round_step =
        fabs (mantissa - 1.0) < 1e-6 || fabs (mantissa - 2.0) < 1e-6 || fabs (mantissa - 5.0) < 1e-6;
    /* the largest of three steps that fit is 2.5 times the smallest, which is 0.45 of the target */
    if (length >= 3.75 * want)
      g_assert_true (round_step);
    /* never closer than the target unless there would be fewer than three labels: then the next larger step, up to 2.5
     * times as large, is more than a third of the axis; never two and a half times further */
    double pitch = ticks.step / size * length;
    g_assert_cmpfloat (pitch, >=, fmin (want, length / 7.5) * (1.0 - 1e-9));
    g_assert_cmpfloat (pitch, <=, want * 2.5 * (1.0 + 1e-9));
    /* the label read back is the value */
    for (int i = 0; i < ticks.n; i++)
      if (ticks.tick[i].major) {
        double read = label_value (ticks.tick[i].label);
        hl_assert_near (read * pow (10.0, ticks.exponent) + ticks.offset, ticks.tick[i].value, 1e-9,
                        1e-6 * ticks.step);
      }
  }
}

static void test_offset (void) {
  HlAxis axis = {HL_SCALE_LINEAR, 59.9999991, 59.9999999, 1.0};
  HlTicks ticks;
  char title[96];

  hl_axis_ticks (&axis, 400.0, 90.0, &ticks);
  g_assert_cmpfloat (ticks.offset, !=, 0.0);
  for (int i = 0; i < ticks.n; i++)
    g_assert_cmpint ((int)g_utf8_strlen (ticks.tick[i].label, -1), <=, 5);
  hl_axis_title ("φ₂", "°", &ticks, title, sizeof title);
  g_assert_cmpstr (title, ==, "φ₂ − 60 [10⁻⁹ °]");
}

static void test_titles (void) {
  static const struct {
    const char *label, *unit;
    int exponent;
    const char *want;
  } cases[] = {{"φ₂", "°", -3, "φ₂ [10⁻³ °]"}, {"φ₂", "°", 0, "φ₂ [°]"},
               {"p", "Pa", 6, "p [MPa]"},      {"p", "MPa", -3, "p [kPa]"},
               {"s", "m", -3, "s [mm]"},       {"s", "mm", -3, "s [µm]"},
               {"s", "m", 3, "s [10³ m]"},     {"q", "m³/s", -6, "q [10⁻⁶ m³/s]"},
               {"v", "m/s", -3, "v [mm/s]"},   {"M", "N·m", 3, "M [kN·m]"},
               {"E", "J", 3, "E [kJ]"},        {"t", "s", -3, "t [ms]"},
               {"t", "s", 3, "t [10³ s]"},     {"ζ", "1", 0, "ζ"},
               {"ζ", "", -3, "ζ [10⁻³]"},      {NULL, "bar", 0, "[bar]"},
               {"p", "bar", -3, "p [mbar]"}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    HlTicks ticks = {.exponent = cases[i].exponent};
    char got[64];
    hl_axis_title (cases[i].label, cases[i].unit, &ticks, got, sizeof got);
    g_assert_cmpstr (got, ==, cases[i].want);
  }
}

static void test_format (void) {
  static const struct {
    double value;
    int digits;
    const char *want;
  } cases[] = {{0.0, 4, "0"},
               {1.5, 4, "1.5"},
               {-451.364, 5, "−451.36"},
               {0.1, 15, "0.1"},
               {1234567.0, 3, "1.23·10⁶"},
               {-2.5e-7, 3, "−2.5·10⁻⁷"},
               {99999.6, 5, "100000"},
               {0.0012, 3, "0.0012"},
               {-0.0, 3, "0"},
               {9.9996, 4, "10"}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    char got[48];
    hl_axis_format (cases[i].value, cases[i].digits, got, sizeof got);
    g_assert_cmpstr (got, ==, cases[i].want);
  }
  char got[48];
  hl_axis_format (NAN, 3, got, sizeof got);
  g_assert_cmpstr (got, ==, "–");
  HlTicks ticks = {.exponent = -3, .step = 1e-3};
  hl_axis_format_on (-0.42e-3, &ticks, 2, got, sizeof got);
  g_assert_cmpstr (got, ==, "−0.42");
}

static void test_log_labels (void) {
  assert_labels ((HlAxis){HL_SCALE_LOG, 0.1, 1000.0, 1.0}, 400.0, 60.0, "0.1 1 10 100 1000", 0);
  assert_labels ((HlAxis){HL_SCALE_LOG, 1.0, 1e6, 1.0}, 600.0, 60.0, "1 10 100 10³ 10⁴ 10⁵ 10⁶", 0);
  assert_labels ((HlAxis){HL_SCALE_LOG, 1.0, 100.0, 1.0}, 800.0, 60.0, "1 2 5 10 20 50 100", 0);
  assert_labels ((HlAxis){HL_SCALE_LOG, 1e-9, 1e9, 1.0}, 300.0, 60.0, "10⁻⁸ 10⁻⁴ 1 10⁴ 10⁸", 0);
}

static void test_signed_log_labels (void) {
  HlAxis axis = {HL_SCALE_SIGNED_LOG, -10000.0, 10.0, 1.0};
  HlTicks ticks;
  g_autofree char *labels = labels_of (&axis, 500.0, 50.0, &ticks);
  static const char *want[] = {"0", "−10", "−100", "−1000", "−10000"};

  for (gsize i = 0; i < G_N_ELEMENTS (want); i++) {
    gboolean found = FALSE;
    for (int k = 0; k < ticks.n; k++)
      found = found || g_strcmp0 (ticks.tick[k].label, want[i]) == 0;
    if (!found)
      g_test_message ("labels are: %s", labels);
    g_assert_true (found);
  }
  /* -8000 and -0.6 stand well apart */
  g_assert_cmpfloat (hl_axis_fraction (&axis, -0.6) - hl_axis_fraction (&axis, -8000.0), >, 0.6);
}

/* Tests that every axis of any scale, range and length has two labels. */
static void test_two_labels (void) {
  static const HlScale scales[] = {HL_SCALE_LINEAR, HL_SCALE_LOG, HL_SCALE_SIGNED_LOG};

  for (int round = 0; round < 3000; round++) {
    HlScale scale = scales[round % 3];
    double size = hl_test_log_uniform (1e-6, 1e9);
    double low = hl_test_uniform (-3.0, 3.0) * size;
    HlAxis axis = {scale, low, low + size, hl_test_log_uniform (1e-3, 0.5) * size};
    if (scale == HL_SCALE_LOG) {
      axis.min = size;
      axis.max = size * hl_test_log_uniform (1.05, 1e6);
    }
    HlTicks ticks;
    int n = 0;
    hl_axis_ticks (&axis, hl_test_uniform (40.0, 1500.0), hl_test_uniform (20.0, 80.0), &ticks);
    for (int i = 0; i < ticks.n; i++)
      n += ticks.tick[i].major && *ticks.tick[i].label != '\0';
    g_assert_cmpint (n, >=, 2);
  }
}

static void test_inversion (void) {
  for (int round = 0; round < 1000; round++) {
    HlAxis axes[3] = {
        {HL_SCALE_LINEAR, -hl_test_log_uniform (1e-3, 1e3), hl_test_log_uniform (1e-3, 1e3), 1.0},
        {HL_SCALE_LOG, hl_test_log_uniform (1e-6, 1e-2), hl_test_log_uniform (1.0, 1e6), 1.0},
        {HL_SCALE_SIGNED_LOG, -hl_test_log_uniform (1.0, 1e5), hl_test_log_uniform (1.0, 1e3),
         hl_test_log_uniform (1e-3, 1.0)}};
    for (int i = 0; i < 3; i++) {
      double fraction = hl_test_uniform (-0.2, 1.2);
      hl_assert_near (hl_axis_fraction (&axes[i], hl_axis_value (&axes[i], fraction)), fraction, 0.0, 1e-9);
      hl_assert_near (hl_axis_fraction (&axes[i], axes[i].min), 0.0, 0.0, 1e-12);
      hl_assert_near (hl_axis_fraction (&axes[i], axes[i].max), 1.0, 1e-12, 0.0);
      /* zoom keeps the value under the pointer, and zooming back restores the range */
      HlAxis zoomed = axes[i];
      double at = hl_axis_value (&axes[i], 0.3);
      hl_axis_zoom (&zoomed, 0.3, 1.7);
      hl_assert_near (hl_axis_value (&zoomed, 0.3), at, 1e-9, 1e-9);
      hl_axis_zoom (&zoomed, 0.3, 1.0 / 1.7);
      hl_assert_near (zoomed.min, axes[i].min, 1e-8, 1e-9);
      hl_assert_near (zoomed.max, axes[i].max, 1e-8, 1e-9);
      hl_axis_pan (&zoomed, 0.25);
      hl_assert_near (hl_axis_fraction (&axes[i], zoomed.min), 0.25, 0.0, 1e-7);
    }
  }
}

static void test_fit (void) {
  HlAxis axis = {HL_SCALE_LINEAR, 0.0, 1.0, 1.0};

  hl_axis_fit (&axis, 3.5, 3.5);
  g_assert_cmpfloat (axis.min, <, 3.5);
  g_assert_cmpfloat (axis.max, >, 3.5);
  /* rounding noise on a constant is not blown up */
  hl_axis_fit (&axis, 3.5, 3.5 + 1e-12);
  g_assert_cmpfloat (axis.max - axis.min, >, 0.1);
  hl_axis_fit (&axis, 0.0, 0.0);
  g_assert_cmpfloat (axis.max, >, axis.min);
  HlAxis before = axis;
  hl_axis_fit (&axis, NAN, 1.0);
  g_assert_cmpfloat (axis.min, ==, before.min);
  double values[] = {-7978.0, -80.9, 451.0, -0.6, 0.0, 1e-13};
  hl_assert_near (hl_axis_choose_linear_within (values, 6), 0.1, 1e-12, 0.0);
}

/* Tests that a read-out never covers its point, even where no corner has room, and is inside where one has. */
static void test_read_out (void) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlRect frame = {100, 50, 500, 280};

  for (int k = 0; k < 2000; k++) {
    HlRect size = {0, 0, g_test_rand_double_range (20, 450), g_test_rand_double_range (20, 250)};
    HlSpot at = {frame.x + frame.width * g_test_rand_double (),
                 frame.y + frame.height * g_test_rand_double ()};
    HlRect box = hl_frame_read_out_beside (frame, at, size, &style);
    gboolean is_across =
        at.x > box.x && at.x<box.x + box.width, is_along = at.y> box.y && at.y < box.y + box.height;
    gboolean is_inside = box.x >= frame.x && box.y >= frame.y && box.x + box.width <= frame.x + frame.width &&
                         box.y + box.height <= frame.y + frame.height;
    gboolean has_room = size.width + style.font_size <= fmax (at.x - frame.x, frame.x + frame.width - at.x) &&
                        size.height + style.font_size <= fmax (at.y - frame.y, frame.y + frame.height - at.y);
    g_assert_false (is_across && is_along);
    g_assert_true (is_inside || !has_room);
    g_assert_cmpfloat (box.width, ==, size.width);
    g_assert_cmpfloat (box.height, ==, size.height);
  }
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot-axis/linear/labels", test_linear_labels);
  g_test_add_func ("/plot-axis/linear/short-axes-have-three-labels", test_short_axes);
  g_test_add_func ("/plot-axis/linear/steps", test_linear_steps);
  g_test_add_func ("/plot-axis/linear/offset", test_offset);
  g_test_add_func ("/plot-axis/titles", test_titles);
  g_test_add_func ("/plot-axis/format", test_format);
  g_test_add_func ("/plot-axis/log/labels", test_log_labels);
  g_test_add_func ("/plot-axis/signed-log/labels", test_signed_log_labels);
  g_test_add_func ("/plot-axis/two-labels", test_two_labels);
  g_test_add_func ("/plot-axis/inversion", test_inversion);
  g_test_add_func ("/plot-axis/fit", test_fit);
  g_test_add_func ("/plot-axis/a-read-out-leaves-its-point-free", test_read_out);
  return g_test_run ();
}
