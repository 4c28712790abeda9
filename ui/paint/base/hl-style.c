/* SPDX-License-Identifier: MIT */
/* The three styles, and two of them in high contrast. Trace colours follow Okabe and Ito (2008), moved until each
 * stands out from its background and the first five are told apart with any two kinds of cone, as are problem, warning,
 * good and accent; the
 * pressure map runs through OKLCh with a straight lightness, so that equal steps look equal and the
 * order survives any colour vision and a grey printer. */
#include "ui/paint/base/hl-style.h"

#include "ui/paint/base/hl-text.h"

#include <math.h>

#define CONTRAST_WIDTH 1.3 /* of lines in high contrast */

#define RGB(hex) hl_rgb (0x##hex)

static HlColor hl_rgb (unsigned hex) {
  return (HlColor){(hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0, (hex & 255) / 255.0, 1.0};
}

static void set_traces (HlStyle *style, const unsigned hex[HL_STYLE_N_TRACES]) {
  for (int trace = 0; trace < HL_STYLE_N_TRACES; trace++)
    style->trace[trace] = hl_rgb (hex[trace]);
}

static void set_light (HlStyle *style) {
  static const unsigned traces[HL_STYLE_N_TRACES] = {0x0744ba, 0xd95500, 0x099360, 0xa52c7d,
                                                     0x744e12, 0x1f93c4, 0x514b68, 0x840d24};

  style->background = RGB (ffffff);
  style->panel = RGB (f6f7f8);
  style->border = RGB (c9cdd2);
  style->ink = RGB (1a1c1e);
  style->ink_soft = RGB (666c74);
  style->grid = RGB (e4e7ea);
  style->grid_minor = RGB (f1f3f5);
  style->accent = RGB (1a5fb4);
  style->hover = RGB (5394d3);
  style->problem = RGB (950911);
  style->warning = RGB (8d5b00);
  style->good = RGB (185c4b);
  style->unstable = RGB (fdecea);
  style->link = RGB (bcc7d4);
  style->link_edge = RGB (7d8b9b);
  style->symbol = RGB (ffffff);
  style->piston = RGB (cfd7e0);
  set_traces (style, traces);
}

static void set_dark (HlStyle *style) {
  static const unsigned traces[HL_STYLE_N_TRACES] = {0x58a7ff, 0xff9f32, 0x49e39f, 0xd37cc1,
                                                     0xf3e33b, 0x65e2ff, 0xc6bad0, 0xfa716c};

  style->background = RGB (1d1e20);
  style->panel = RGB (2a2c2f);
  style->border = RGB (4a4e54);
  style->ink = RGB (f1f2f3);
  style->ink_soft = RGB (a4aab2);
  style->grid = RGB (34373b);
  style->grid_minor = RGB (25272a);
  style->accent = RGB (62a0ea);
  style->hover = RGB (9cc6f7);
  style->problem = RGB (ff8460);
  style->warning = RGB (f3c14c);
  style->good = RGB (54d5a4);
  style->unstable = RGB (3a2326);
  style->link = RGB (4f5e70);
  style->link_edge = RGB (8c9db1);
  style->symbol = RGB (1d1e20);
  style->piston = RGB (4a5868);
  set_traces (style, traces);
}

static void set_print (HlStyle *style) {
  set_light (style);
  style->panel = RGB (ffffff);
  style->border = RGB (9a9a9a);
  style->ink = RGB (000000);
  style->ink_soft = RGB (303030);
  style->grid = RGB (d8d8d8);
  style->grid_minor = RGB (ececec);
  style->unstable = RGB (f4f0f0);
  style->link = RGB (d6dade);
  style->link_edge = RGB (606060);
  style->fill_pressure = FALSE;
  style->wire_width = 2.0;
}

HlStyle hl_style_make (HlStyleKind kind) {
  HlStyle style = {.kind = kind,
                   .font_family = "Cantarell, Sans",
                   .font_size = 13.0,
                   .line_width = 1.8,
                   .wire_width = 3.0,
                   .trace_width = 1.8,
                   .hair_width = 1.0,
                   .joint_radius = 5.5,
                   .link_width = 11.0,
                   .fill_pressure = TRUE};

  if (kind == HL_STYLE_DARK)
    set_dark (&style);
  else if (kind == HL_STYLE_PRINT)
    set_print (&style);
  else
    set_light (&style);
  return style;
}

static void set_light_contrast (HlStyle *style) {
  static const unsigned traces[HL_STYLE_N_TRACES] = {0x0744ba, 0xc94d00, 0x00854f, 0xa52c7d,
                                                     0x5f3d06, 0x1579a8, 0x514b68, 0x840d24};

  style->panel = RGB (ffffff);
  style->border = RGB (3a3f44);
  style->ink = RGB (000000);
  style->ink_soft = RGB (33363a);
  style->grid = RGB (8c8c8c);
  style->grid_minor = RGB (d0d0d0);
  style->accent = RGB (1a5fb4);
  style->hover = RGB (1a62b0);
  style->problem = RGB (950911);
  style->warning = RGB (8d5b00);
  style->good = RGB (185c4b);
  style->link_edge = RGB (40494f);
  set_traces (style, traces);
}

static void set_dark_contrast (HlStyle *style) {
  style->background = RGB (000000);
  style->panel = RGB (000000);
  style->border = RGB (b8bcc2);
  style->ink = RGB (ffffff);
  style->ink_soft = RGB (dadde0);
  style->grid = RGB (7a7a7a);
  style->grid_minor = RGB (3c3c3c);
  style->accent = RGB (8cc0ff);
  style->hover = RGB (bcd9ff);
  style->problem = RGB (ff9a94);
  style->warning = RGB (ffc966);
  style->good = RGB (78f3bd);
  style->link = RGB (2c3846);
  style->link_edge = RGB (c4d0de);
  style->symbol = RGB (000000);
}

HlStyle hl_style_contrast (const HlStyle *style) {
  HlStyle high = *style;

  if (style->kind == HL_STYLE_PRINT)
    return high;
  high.is_contrast = TRUE;
  if (style->kind == HL_STYLE_DARK)
    set_dark_contrast (&high);
  else
    set_light_contrast (&high);
  high.line_width *= CONTRAST_WIDTH;
  high.wire_width *= CONTRAST_WIDTH;
  high.trace_width *= CONTRAST_WIDTH;
  return high;
}

HlStyle hl_style_scaled (const HlStyle *style, double factor) {
  HlStyle scaled = *style;

  scaled.font_size *= factor;
  scaled.line_width *= factor;
  scaled.wire_width *= factor;
  scaled.trace_width *= factor;
  scaled.hair_width *= factor;
  scaled.joint_radius *= factor;
  scaled.link_width *= factor;
  return scaled;
}

HlColor hl_style_trace_color (const HlStyle *style, int index) {
  return style->trace[(index % HL_STYLE_N_TRACES + HL_STYLE_N_TRACES) % HL_STYLE_N_TRACES];
}

HlColor hl_style_ghost_color (const HlStyle *style, int turn, int n_traces) {
  static const int order[HL_STYLE_N_TRACES] = {4, 3, 7, 5, 6, 2, 1, 0};
  int free[HL_STYLE_N_TRACES], n = 0;

  for (int k = 0; k < HL_STYLE_N_TRACES; k++)
    if (order[k] >= n_traces || n_traces >= HL_STYLE_N_TRACES)
      free[n++] = order[k];
  return style->trace[free[MAX (turn, 0) % n]];
}

HlDash hl_style_trace_dash (const HlStyle *style, int index) {
  return (HlDash)(MAX (index, 0) / HL_STYLE_N_TRACES % HL_N_DASHES);
}

HlColor hl_color_with_alpha (HlColor color, double alpha) {
  color.a = alpha;
  return color;
}

HlColor hl_color_mix (HlColor a, HlColor b, double fraction) {
  return (HlColor){a.r + (b.r - a.r) * fraction, a.g + (b.g - a.g) * fraction, a.b + (b.b - a.b) * fraction,
                   a.a + (b.a - a.a) * fraction};
}

void hl_color_set (cairo_t *cr, HlColor color) {
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
}

void hl_paint_background (cairo_t *cr, double x, double y, double width, double height,
                          const HlStyle *style) {
  cairo_rectangle (cr, x, y, width, height);
  hl_color_set (cr, style->background);
  cairo_fill (cr);
}

static double srgb_from_linear (double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * pow (v, 1.0 / 2.4) - 0.055;
}

void hl_dash_set (cairo_t *cr, HlDash dash, double width) {
  double w = MAX (width, 1.0);
  double dashed[] = {4.5 * w, 2.8 * w};
  double dotted[] = {1.2 * w, 2.2 * w};
  double dash_dot[] = {5.0 * w, 2.2 * w, 1.2 * w, 2.2 * w};

  if (dash == HL_DASH_DASHED)
    cairo_set_dash (cr, dashed, 2, 0.0);
  else if (dash == HL_DASH_DOTTED)
    cairo_set_dash (cr, dotted, 2, 0.0);
  else if (dash == HL_DASH_DASH_DOT)
    cairo_set_dash (cr, dash_dot, 4, 0.0);
  else
    cairo_set_dash (cr, NULL, 0, 0.0);
}

/* OKLCh to linear sRGB (B. Ottosson, 2020). TRUE when inside the gamut. */
static gboolean linear_from_oklch (double L, double C, double hue_deg, double rgb[3]) {
  double a = C * cos (hue_deg * G_PI / 180.0);
  double b = C * sin (hue_deg * G_PI / 180.0);
  double l = pow (L + 0.3963377774 * a + 0.2158037573 * b, 3.0);
  double m = pow (L - 0.1055613458 * a - 0.0638541728 * b, 3.0);
  double s = pow (L - 0.0894841775 * a - 1.2914855480 * b, 3.0);

  rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
  return rgb[0] >= 0.0 && rgb[1] >= 0.0 && rgb[2] >= 0.0 && rgb[0] <= 1.0 && rgb[1] <= 1.0 && rgb[2] <= 1.0;
}

HlColor hl_style_pressure_color (const HlStyle *style, double fraction) {
  /* ends of the OKLab lightness from dark to light, chosen for a contrast with the background of 3 or more, and of
   * 4.5 in high contrast */
  static const double ends[2][2][2] = {{{0.30, 0.665}, {0.57, 0.93}}, {{0.25, 0.56}, {0.60, 0.95}}};
  const double *end = ends[style->is_contrast ? 1 : 0][style->kind == HL_STYLE_DARK ? 1 : 0];
  double low = end[0], high = end[1];
  double rgb[3];

  if (isnan (fraction) || !style->fill_pressure)
    return style->ink;
  fraction = CLAMP (fraction, 0.0, 1.0);
  double lightness = low + (high - low) * fraction;
  double hue_deg = 305.0 - 200.0 * fraction;
  /* little colour where the gamut is narrow, so that no step of it sticks out */
  double chroma = 0.165 - 0.07 * sin (G_PI * fraction);
  while (!linear_from_oklch (lightness, chroma, hue_deg, rgb) && chroma > 0.0)
    chroma -= 0.005;
  return (HlColor){srgb_from_linear (CLAMP (rgb[0], 0.0, 1.0)), srgb_from_linear (CLAMP (rgb[1], 0.0, 1.0)),
                   srgb_from_linear (CLAMP (rgb[2], 0.0, 1.0)), 1.0};
}

void hl_paint_pressure_legend (cairo_t *cr, const HlStyle *style, double x, double y, double width,
                               double height, const char *low_label, const char *high_label) {
  cairo_pattern_t *map = cairo_pattern_create_linear (x, 0.0, x + width, 0.0);

  for (int stop = 0; stop <= 32; stop++) {
    HlColor c = hl_style_pressure_color (style, stop / 32.0);
    cairo_pattern_add_color_stop_rgba (map, stop / 32.0, c.r, c.g, c.b, c.a);
  }
  hl_path_rounded (cr, (HlRect){x, y, width, height}, 0.3 * height);
  cairo_set_source (cr, map);
  cairo_fill (cr);
  cairo_pattern_destroy (map);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, low_label, (HlSpot){x, y - 2.0}, 0.0, 1.0);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, high_label, (HlSpot){x + width, y - 2.0}, 1.0,
                 1.0);
}
