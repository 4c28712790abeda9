/* SPDX-License-Identifier: MIT */
/* Colours: contrast with the background in every style, told apart with any colour vision, an even
 * pressure map. */
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/base/hl-style.h"

#include <math.h>

static double
linear (double v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

/* OKLab of linear sRGB (Ottosson 2020). */
static void
oklab (const double rgb[3], double lab[3])
{
  double l = cbrt (0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2]);
  double m = cbrt (0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2]);
  double s = cbrt (0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2]);

  lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* Vision without one kind of cone: Machado, Oliveira, Fernandes 2009, severity 1. The first one is
 * full vision. */
static const double vision[4][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
};

static double
difference (HlColor a, HlColor b, const double *eye)
{
  double lab[2][3];
  HlColor colors[2] = {a, b};

  for (int i = 0; i < 2; i++) {
    double c[3] = {linear (colors[i].r), linear (colors[i].g), linear (colors[i].b)};
    double seen[3];
    for (int row = 0; row < 3; row++)
      seen[row] =
          fmax (0.0, eye[3 * row] * c[0] + eye[3 * row + 1] * c[1] + eye[3 * row + 2] * c[2]);
    oklab (seen, lab[i]);
  }
  return sqrt (pow (lab[0][0] - lab[1][0], 2) + pow (lab[0][1] - lab[1][1], 2) +
               pow (lab[0][2] - lab[1][2], 2));
}

static void
test_contrast (void)
{
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_PRINT; kind++) {
    HlStyle style = hl_style_make (kind);
    /* the thresholds of WCAG 2.1: 4.5 for text, 3 for graphics */
    g_assert_cmpfloat (canvas_contrast (style.ink, style.background), >=, 7.0);
    g_assert_cmpfloat (canvas_contrast (style.ink, style.panel), >=, 7.0);
    g_assert_cmpfloat (canvas_contrast (style.ink_soft, style.background), >=, 4.5);
    g_assert_cmpfloat (canvas_contrast (style.accent, style.background), >=, 4.5);
    g_assert_cmpfloat (canvas_contrast (style.problem, style.background), >=, 3.0);
    g_assert_cmpfloat (canvas_contrast (style.ink, style.link), >=, 4.5);
    for (int trace = 0; trace < HL_STYLE_N_TRACES; trace++)
      g_assert_cmpfloat (canvas_contrast (style.trace[trace], style.background), >=, 3.0);
    for (int step = 0; step <= 50; step++)
      g_assert_cmpfloat (
          canvas_contrast (hl_style_pressure_color (&style, step / 50.0), style.background), >=,
          3.0);
  }
}

static void
test_traces_apart (void)
{
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_DARK; kind++) {
    HlStyle style = hl_style_make (kind);
    /* the first five for every eye, all eight for full vision; 0.02 is a just noticeable difference
     */
    for (int a = 0; a < HL_STYLE_N_TRACES; a++)
      for (int b = a + 1; b < HL_STYLE_N_TRACES; b++)
        for (int eye = 0; eye < (b < 5 ? 4 : 1); eye++) {
          double apart = difference (style.trace[a], style.trace[b], vision[eye]);
          if (apart < 0.08)
            g_test_message ("style %d traces %d %d eye %d: %g", kind, a, b, eye, apart);
          g_assert_cmpfloat (apart, >=, 0.08);
        }
    g_assert_cmpint (hl_style_trace_dash (&style, 0), ==, HL_DASH_SOLID);
    g_assert_cmpint (hl_style_trace_dash (&style, HL_STYLE_N_TRACES), ==, HL_DASH_DASHED);
  }
}

/* Three pinned runs and the live one, of one trace to five: no two colours alike, and a run that is
 * pinned has the same one beside up to three traces, which is what most panels have. */
static void
test_ghosts_apart (void)
{
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_DARK; kind++)
    for (int n_traces = 1; n_traces <= 5; n_traces++) {
      HlStyle style = hl_style_make (kind);
      HlColor colors[8];
      for (int k = 0; k < n_traces + 3; k++)
        colors[k] = k < n_traces ? hl_style_trace_color (&style, k)
                                 : hl_style_ghost_color (&style, k - n_traces, n_traces);
      for (int a = 0; a < n_traces + 3; a++)
        for (int b = a + 1; b < n_traces + 3; b++)
          for (int eye = 0; eye < (n_traces < 4 ? 4 : 1); eye++)
            g_assert_cmpfloat (difference (colors[a], colors[b], vision[eye]), >=,
                               eye > 0 ? 0.06 : 0.12);
      for (int turn = 0; n_traces <= 3 && turn < 3; turn++)
        g_assert_cmpfloat (difference (hl_style_ghost_color (&style, turn, n_traces),
                                       hl_style_ghost_color (&style, turn, 1), vision[0]),
                           ==, 0.0);
      for (int turn = -1; turn < 40; turn++) /* any number of them */
        g_assert_cmpfloat (hl_style_ghost_color (&style, turn, 2 * turn).a, ==, 1.0);
    }
}

/* Lightness rises along the map for every eye, and no step is more than twice the mean step. */
static void
test_pressure_even (void)
{
  const int n = 32;

  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_DARK; kind++) {
    HlStyle style = hl_style_make (kind);
    double total = 0.0;
    double largest = 0.0;
    for (int step = 0; step < n; step++) {
      HlColor a = hl_style_pressure_color (&style, (double)step / n);
      HlColor b = hl_style_pressure_color (&style, (step + 1.0) / n);
      double d = difference (a, b, vision[0]);
      HlColor black = {0.0, 0.0, 0.0, 1.0};
      for (int eye = 0; eye < 3; eye++)
        g_assert_cmpfloat (difference (b, black, vision[eye]), >,
                           0.9 * difference (a, black, vision[eye]));
      g_assert_cmpfloat (canvas_contrast (b, black), >, canvas_contrast (a, black));
      total += d;
      largest = fmax (largest, d);
    }
    g_assert_cmpfloat (largest, <=, 2.0 * total / n);
  }
  HlStyle print = hl_style_make (HL_STYLE_PRINT);
  HlColor color = hl_style_pressure_color (&print, 0.7);
  g_assert_cmpfloat (color.r + color.g + color.b, ==, 0.0);
  HlStyle light = hl_style_make (HL_STYLE_LIGHT);
  g_assert_cmpfloat (hl_style_pressure_color (&light, NAN).r, ==, light.ink.r);
}

static void
test_scaled (void)
{
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlStyle twice = hl_style_scaled (&style, 2.0);

  hl_assert_near (twice.font_size, 2.0 * style.font_size, 0.0, 0.0);
  hl_assert_near (twice.trace_width, 2.0 * style.trace_width, 0.0, 0.0);
  hl_assert_near (canvas_contrast ((HlColor){0, 0, 0, 1}, (HlColor){1, 1, 1, 1}), 21.0, 1e-9, 0.0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/style/contrast", test_contrast);
  g_test_add_func ("/style/traces-apart", test_traces_apart);
  g_test_add_func ("/style/colours-of-three-pinned-runs-differ-from-each-other-and-the-live-one",
                   test_ghosts_apart);
  g_test_add_func ("/style/pressure-even", test_pressure_even);
  g_test_add_func ("/style/scaled", test_scaled);
  return g_test_run ();
}
