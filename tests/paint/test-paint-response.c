/* SPDX-License-Identifier: MIT */
/* Bode plots on image surfaces: margins whose level lies outside, an input that moves nothing. */
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/chart/hl-paint-response.h"

#include <math.h>

enum { N = 120 };

/* Returns a response that falls from -100 dB by 20 dB a decade, phase from 0 to -180 degrees; 0: no response. */
static HlResponseStudy falling (double share, double f[N], double m[N], double phase[N], double zeros[N]) {
  HlResponseStudy study = {.n = N,
                           .f = f,
                           .re = m,
                           .im = zeros,
                           .magnitude = m,
                           .phase = phase,
                           .n_times = N,
                           .t = f,
                           .y = zeros,
                           .gain_margin = NAN,
                           .gain_margin_hz = NAN,
                           .phase_margin = NAN,
                           .phase_margin_hz = NAN};

  for (int k = 0; k < N; k++) {
    f[k] = pow (10, -1 + 4.0 * k / (N - 1));
    m[k] = share * 1e-5 / f[k];
    phase[k] = -G_PI * k / (N - 1);
    zeros[k] = 0;
  }
  return study;
}

static HlResponsePicture picture_of (const HlResponseStudy *study, HlResponseView view) {
  return (HlResponsePicture){
      .study = study, .view = view, .f_hover = NAN, .selected_tip = -1, .empty_text = "nothing"};
}

/* Tests a margin far above the frame: its line ends at the frame, and its number is inside. */
static void test_margin_beyond (void) {
  double f[N], m[N], phase[N], zeros[N];
  HlResponseStudy study = falling (1, f, m, phase, zeros);
  Canvas canvas = canvas_new (700, 460, HL_STYLE_LIGHT);

  study.gain_margin_hz = 1;
  study.gain_margin = 1e5;
  HlResponsePicture picture = picture_of (&study, HL_RESPONSE_BODE);
  hl_paint_response (canvas.cr, &picture, canvas.area, &canvas.style);
  canvas_assert_whole (&canvas, "margin", 1500);
  study.gain_margin_hz = NAN;
  Canvas plain = canvas_new (700, 460, HL_STYLE_LIGHT);
  hl_paint_response (plain.cr, &picture, plain.area, &plain.style);
  /* at the quarter of the axis a stroke of its colour, at its right "100 dB" */
  HlRect upper = {60, 10, 630, 210};
  int ink = canvas_count_color (&canvas, upper, canvas.style.accent) -
            canvas_count_color (&plain, upper, plain.style.accent);
  g_assert_cmpint (ink, >, 40);
  int text = 0;
  for (int x = 210; x < 290; x++) {
    HlRect column = {x, 10, 1, 210};
    text += canvas_count_ink (&canvas, column) > canvas_count_ink (&plain, column);
  }
  g_assert_cmpint (text, >, 25); /* columns that it reaches over */
  canvas_clear (&canvas);
  canvas_clear (&plain);
}

/* Returns the part of the angles at which ink is found within some pixels of a radius about a spot. */
static double inked_part (const Canvas *canvas, HlSpot centre, double radius) {
  int n = 0;

  for (int k = 0; k < 180; k++) {
    double angle = (k + 0.5) * G_PI / 90.0; /* off the axes, which are lines of the grid */
    HlRect spot = {floor (centre.x + radius * cos (angle)) - 1.0,
                   floor (centre.y - radius * sin (angle)) - 1.0, 3, 3};
    n += canvas_count_ink (canvas, spot) > 0;
  }
  return n / 180.0;
}

/* Tests Nyquist: the curve G = 0.5 e^{-i phi} with its mirror image is a circle of radius 0.5; the dashed
 * unit circle has the same centre and twice the radius, and frequencies in hertz are beside the arrows on the
 * curve. */
static void test_nyquist (void) {
  double f[N], re[N], im[N], m[N], phase[N];
  HlResponseStudy study = falling (1, f, m, phase, im);
  for (int k = 0; k < N; k++) {
    m[k] = 0.5;
    re[k] = 0.5 * cos (phase[k]);
    im[k] = 0.5 * sin (phase[k]);
  }
  study.re = re;
  HlResponsePicture picture = picture_of (&study, HL_RESPONSE_NYQUIST);
  Canvas canvas = canvas_new (560, 520, HL_STYLE_LIGHT);
  hl_paint_response (canvas.cr, &picture, canvas.area, &canvas.style);
  canvas_assert_whole (&canvas, "nyquist", 1500);
  double left = INFINITY, right = -INFINITY, top = INFINITY, low = -INFINITY;
  for (int x = 0; x < 560; x++)
    if (canvas_count_color (&canvas, (HlRect){x, 30, 1, 450}, canvas.style.trace[0]) > 0) {
      left = fmin (left, x);
      right = fmax (right, x + 1);
    }
  for (int y = 0; y < 520; y++)
    if (canvas_count_color (&canvas, (HlRect){0, y, 560, 1}, canvas.style.trace[0]) > 0) {
      top = fmin (top, y);
      low = fmax (low, y + 1);
    }
  HlSpot centre = {0.5 * (left + right), 0.5 * (top + low)};
  double radius = 0.25 * (right - left + low - top);
  double best = 0.0;
  for (double at = 1.9 * radius; at <= 2.1 * radius; at += 1.0) /* arrows widen the box by some pixels */
    best = fmax (best, inked_part (&canvas, centre, at));
  g_assert_cmpfloat (best, >, 0.8);
  g_assert_cmpfloat (inked_part (&canvas, centre, 1.5 * radius), <, 0.5);
  canvas_clear (&canvas);
}

/* Tests the text in place of a missing curve, in each view, and that no point of it can be picked. */
static void test_still (void) {
  double f[N], m[N], phase[N], zeros[N];
  HlResponseStudy moved = falling (1, f, m, phase, zeros);
  double m0[N];
  HlResponseStudy still = falling (0, f, m0, phase, zeros);

  still.re = still.im = zeros;
  for (HlResponseView view = HL_RESPONSE_BODE; view <= HL_RESPONSE_STEP; view++) {
    Canvas canvas = canvas_new (700, 460, HL_STYLE_DARK);
    HlResponsePicture picture = picture_of (&still, view);
    HlResponseTip tip = {view == HL_RESPONSE_STEP ? HL_RESPONSE_ANSWER : HL_RESPONSE_MAGNITUDE, 1};
    double x;
    hl_paint_response (canvas.cr, &picture, canvas.area, &canvas.style);
    g_assert_cmpint (canvas_count_color (&canvas, canvas.area, canvas.style.trace[0]), ==, 0);
    g_assert_cmpint (canvas_count_ink (&canvas, (HlRect){150, 60, 400, 340}), >, 100);
    for (int at = 0; at < 460; at += 20)
      g_assert_false (hl_response_tip_near (canvas.cr, &picture, canvas.area, &canvas.style,
                                            (HlSpot){300, at}, 20, &tip));
    hl_response_tip_step (canvas.cr, &picture, canvas.area, &canvas.style, 3, &tip);
    g_assert_cmpfloat (tip.at, ==, 1);
    hl_response_at (canvas.cr, &picture, canvas.area, &canvas.style, (HlSpot){300, 100}, &x);
    canvas_clear (&canvas);
  }
  /* what does move has its curve */
  Canvas canvas = canvas_new (700, 460, HL_STYLE_DARK);
  HlResponsePicture picture = picture_of (&moved, HL_RESPONSE_BODE);
  hl_paint_response (canvas.cr, &picture, canvas.area, &canvas.style);
  g_assert_cmpint (canvas_count_color (&canvas, canvas.area, canvas.style.trace[0]), >, 300);
  canvas_clear (&canvas);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/response/margin-beyond", test_margin_beyond);
  g_test_add_func ("/response/still", test_still);
  g_test_add_func ("/response/nyquist-has-the-unit-circle", test_nyquist);
  return g_test_run ();
}
