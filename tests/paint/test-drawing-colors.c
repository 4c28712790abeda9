/* SPDX-License-Identifier: MIT */
/* Colours: contrast with the background in every style and palette of the window, distinguishable with any colour
 * vision, an even pressure map. */
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/base/hl-drawing-style.h"

#include <math.h>
#include <string.h>

static double linear (double v) {
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

/* Converts linear sRGB to OKLab (Ottosson 2020). */
static void oklab (const double rgb[3], double lab[3]) {
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

static double difference (HlColor a, HlColor b, const double *eye) {
  double lab[2][3];
  HlColor colors[2] = {a, b};

  for (int i = 0; i < 2; i++) {
    double c[3] = {linear (colors[i].r), linear (colors[i].g), linear (colors[i].b)};
    double seen[3];
    for (int row = 0; row < 3; row++)
      seen[row] = fmax (0.0, eye[3 * row] * c[0] + eye[3 * row + 1] * c[1] + eye[3 * row + 2] * c[2]);
    oklab (seen, lab[i]);
  }
  return sqrt (pow (lab[0][0] - lab[1][0], 2) + pow (lab[0][1] - lab[1][1], 2) +
               pow (lab[0][2] - lab[1][2], 2));
}

#define APART 0.08 /* in OKLab; 0.02 is a just noticeable difference */
#define N_STYLES 5

/* Returns light, dark, print, or one of the first two in high contrast. */
static HlStyle style_at (int k) {
  HlStyle style = hl_style_make ((HlStyleKind)(k % 3));

  return k < 3 ? style : hl_style_contrast (&style);
}

static void test_contrast (void) {
  for (int k = 0; k < N_STYLES; k++) {
    HlStyle style = style_at (k);
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
      g_assert_cmpfloat (canvas_contrast (hl_style_pressure_color (&style, step / 50.0), style.background),
                         >=, 3.0);
  }
}

/* Tests high contrast: text at 7:1, every line and mark at 4.5:1 and wider than usual. */
static void test_high_contrast (void) {
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_DARK; kind++) {
    HlStyle usual = hl_style_make (kind), style = hl_style_contrast (&usual);
    const HlColor texts[] = {style.ink, style.ink_soft};
    const HlColor lines[] = {style.border,  style.accent, style.hover,    style.problem,
                             style.warning, style.good,   style.link_edge};
    const HlColor grounds[] = {style.background, style.panel, style.symbol};
    g_assert_true (style.is_contrast && !usual.is_contrast);
    g_assert_cmpint (style.kind, ==, kind);
    for (gsize ground = 0; ground < G_N_ELEMENTS (grounds); ground++) {
      for (gsize text = 0; text < G_N_ELEMENTS (texts); text++)
        g_assert_cmpfloat (canvas_contrast (texts[text], grounds[ground]), >=, 7.0);
      for (gsize line = 0; line < G_N_ELEMENTS (lines); line++)
        g_assert_cmpfloat (canvas_contrast (lines[line], grounds[ground]), >=, 4.5);
    }
    g_assert_cmpfloat (canvas_contrast (style.grid, style.background), >=, 3.0);
    g_assert_cmpfloat (canvas_contrast (style.ink, style.link), >=, 7.0);
    for (int trace = 0; trace < HL_STYLE_N_TRACES; trace++)
      g_assert_cmpfloat (canvas_contrast (style.trace[trace], style.background), >=, 4.5);
    for (int step = 0; step <= 50; step++)
      g_assert_cmpfloat (canvas_contrast (hl_style_pressure_color (&style, step / 50.0), style.background),
                         >=, 4.5);
    g_assert_cmpfloat (style.line_width, >, 1.2 * usual.line_width);
    g_assert_cmpfloat (style.trace_width, >, 1.2 * usual.trace_width);
  }
}

/* Colours with a meaning are distinguishable with any colour vision. */
static void check_meanings (const char *where, const HlColor meanings[4]) {
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 4; b++)
      for (int eye = 0; eye < 4; eye++) {
        double apart = difference (meanings[a], meanings[b], vision[eye]);
        if (apart < APART)
          g_error ("%s: colours %d and %d are %.3f apart for eye %d", where, a, b, apart, eye);
      }
}

static void test_meanings_apart (void) {
  for (int k = 0; k < N_STYLES; k++) {
    HlStyle style = style_at (k);
    g_autofree char *where = g_strdup_printf ("style %d", k);
    check_meanings (where, (HlColor[]){style.accent, style.problem, style.warning, style.good});
  }
}

/* --- the palettes of the window --- */

static HlColor palette_color (const char *css, const char *name) {
  g_autofree char *mark = g_strdup_printf ("@define-color hl_%s #", name);
  const char *at = strstr (css, mark);

  if (at == NULL)
    g_error ("no colour hl_%s", name);
  guint64 hex = g_ascii_strtoull (at + strlen (mark), NULL, 16);
  return (HlColor){(double)(hex >> 16 & 255) / 255, (double)(hex >> 8 & 255) / 255, (double)(hex & 255) / 255,
                   1};
}

static void check_palette (HlTokenPalette palette, gboolean is_contrast) {
  static const char *const grounds[] = {"window", "canvas", "bar", "entry"};
  static const char *const marks[] = {"accent", "problem", "warning", "good"};
  static const char *const texts[] = {"text", "soft"};
  g_autofree char *css = hl_tokens_css (palette);
  g_autofree char *name = g_strdup_printf ("palette %d", palette);
  HlColor meanings[4];

  for (gsize ground = 0; ground < G_N_ELEMENTS (grounds); ground++) {
    HlColor below = palette_color (css, grounds[ground]);
    for (gsize text = 0; text < G_N_ELEMENTS (texts); text++)
      g_assert_cmpfloat (canvas_contrast (palette_color (css, texts[text]), below), >=,
                         is_contrast ? 7.0 : 4.5);
    for (gsize mark = 0; mark < G_N_ELEMENTS (marks); mark++)
      g_assert_cmpfloat (canvas_contrast (palette_color (css, marks[mark]), below), >=, 4.5);
    if (is_contrast) {
      g_assert_cmpfloat (canvas_contrast (palette_color (css, "line"), below), >=, 4.5);
      g_assert_cmpfloat (canvas_contrast (palette_color (css, "trough"), below), >=, 3.0);
    }
  }
  /* words on the button that runs, on chosen rows and on those under the pointer; soft ones never on chosen rows */
  g_assert_cmpfloat (canvas_contrast (palette_color (css, "onaccent"), palette_color (css, "accent")), >=,
                     4.5);
  g_assert_cmpfloat (canvas_contrast (palette_color (css, "text"), palette_color (css, "tint2")), >=, 4.5);
  g_assert_cmpfloat (canvas_contrast (palette_color (css, "text"), palette_color (css, "tint")), >=, 4.5);
  g_assert_cmpfloat (canvas_contrast (palette_color (css, "soft"), palette_color (css, "tint")), >=, 4.5);
  for (int mark = 0; mark < 4; mark++)
    meanings[mark] = palette_color (css, marks[mark]);
  check_meanings (name, meanings);
}

static void test_palettes (void) {
  check_palette (HL_PALETTE_LIGHT, FALSE);
  check_palette (HL_PALETTE_DARK, FALSE);
  check_palette (HL_PALETTE_CONTRAST_LIGHT, TRUE);
  check_palette (HL_PALETTE_CONTRAST_DARK, TRUE);
}

/* Tests that window and drawings use the same table: a selected symbol has the colour of a selected row. */
static void test_one_table (void) {
  for (int palette = 0; palette < HL_N_PALETTES; palette++) {
    HlStyle usual = hl_style_make (palette % 2 == 0 ? HL_STYLE_LIGHT : HL_STYLE_DARK);
    HlStyle style = palette < HL_PALETTE_CONTRAST_LIGHT ? usual : hl_style_contrast (&usual);
    g_autofree char *css = hl_tokens_css ((HlTokenPalette)palette);
    const struct {
      const char *name;
      HlColor painted;
    } pairs[] = {{"canvas", style.background}, {"text", style.ink},        {"soft", style.ink_soft},
                 {"accent", style.accent},     {"problem", style.problem}, {"warning", style.warning},
                 {"good", style.good},         {"line", style.border}};
    for (gsize k = 0; k < G_N_ELEMENTS (pairs); k++) {
      HlColor color = palette_color (css, pairs[k].name);
      g_assert_true (color.r == pairs[k].painted.r && color.g == pairs[k].painted.g &&
                     color.b == pairs[k].painted.b);
    }
  }
}

static void test_traces_apart (void) {
  for (int k = 0; k < N_STYLES; k++) {
    HlStyle style = style_at (k);
    /* the first five for every eye, all eight for full vision */
    for (int a = 0; a < HL_STYLE_N_TRACES; a++)
      for (int b = a + 1; b < HL_STYLE_N_TRACES; b++)
        for (int eye = 0; eye < (b < 5 ? 4 : 1); eye++) {
          double apart = difference (style.trace[a], style.trace[b], vision[eye]);
          if (apart < APART)
            g_test_message ("style %d traces %d %d eye %d: %g", k, a, b, eye, apart);
          g_assert_cmpfloat (apart, >=, APART);
        }
    g_assert_cmpint (hl_style_trace_dash (&style, 0), ==, HL_DASH_SOLID);
    g_assert_cmpint (hl_style_trace_dash (&style, HL_STYLE_N_TRACES), ==, HL_DASH_DASHED);
  }
}

/* Tests three pinned runs and the live one, with one to five traces: no two colours are equal, and a pinned
 * run keeps its colour beside up to three traces, the usual number in a panel. */
static void test_ghosts_apart (void) {
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
            g_assert_cmpfloat (difference (colors[a], colors[b], vision[eye]), >=, eye > 0 ? 0.06 : 0.12);
      for (int turn = 0; n_traces <= 3 && turn < 3; turn++)
        g_assert_cmpfloat (difference (hl_style_ghost_color (&style, turn, n_traces),
                                       hl_style_ghost_color (&style, turn, 1), vision[0]),
                           ==, 0.0);
      for (int turn = -1; turn < 40; turn++) /* any number of them */
        g_assert_cmpfloat (hl_style_ghost_color (&style, turn, 2 * turn).a, ==, 1.0);
    }
}

/* Lightness rises along the map for every eye, and no step is more than twice the mean step. */
static void test_pressure_even (void) {
  const int n = 32;

  for (int k = 0; k < N_STYLES; k++) {
    HlStyle style = style_at (k);
    double total = 0.0;
    if (style.kind == HL_STYLE_PRINT)
      continue;
    double largest = 0.0;
    for (int step = 0; step < n; step++) {
      HlColor a = hl_style_pressure_color (&style, (double)step / n);
      HlColor b = hl_style_pressure_color (&style, (step + 1.0) / n);
      double d = difference (a, b, vision[0]);
      HlColor black = {0.0, 0.0, 0.0, 1.0};
      for (int eye = 0; eye < 3; eye++)
        g_assert_cmpfloat (difference (b, black, vision[eye]), >, 0.9 * difference (a, black, vision[eye]));
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

static void test_scaled (void) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlStyle twice = hl_style_scaled (&style, 2.0);

  hl_assert_near (twice.font_size, 2.0 * style.font_size, 0.0, 0.0);
  hl_assert_near (twice.trace_width, 2.0 * style.trace_width, 0.0, 0.0);
  hl_assert_near (canvas_contrast ((HlColor){0, 0, 0, 1}, (HlColor){1, 1, 1, 1}), 21.0, 1e-9, 0.0);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/drawing-colors/contrast", test_contrast);
  g_test_add_func ("/drawing-colors/high-contrast-is-higher", test_high_contrast);
  g_test_add_func ("/drawing-colors/traces-apart", test_traces_apart);
  g_test_add_func ("/drawing-colors/meanings-are-told-apart-by-every-eye", test_meanings_apart);
  g_test_add_func ("/drawing-colors/palettes-of-the-window", test_palettes);
  g_test_add_func ("/drawing-colors/window-and-drawings-have-one-table", test_one_table);
  g_test_add_func ("/drawing-colors/colours-of-three-pinned-runs-differ-from-each-other-and-the-live-one",
                   test_ghosts_apart);
  g_test_add_func ("/drawing-colors/pressure-even", test_pressure_even);
  g_test_add_func ("/drawing-colors/scaled", test_scaled);
  return g_test_run ();
}
