/* SPDX-License-Identifier: MIT */
/* The three styles, and two of them in high contrast. Trace colours follow Okabe and Ito (2008), adjusted
 * until each contrasts with its background and the first five are distinguishable with any two kinds of
 * cone, as are problem, warning, good and accent; the pressure map runs through OKLCh with a straight
 * lightness, so that equal steps look equal and the order survives any colour vision and a grey printer. */
#include "ui/paint/base/hl-drawing-style.h"

#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>

#define BODY_PX 13.0       /* text of the drawings at the usual font */
#define CONTRAST_WIDTH 1.3 /* of lines in high contrast */

#define RGB(hex) hl_rgb (0x##hex)

static HlColor hl_rgb (unsigned hex) {
  return (HlColor){(hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0, (hex & 255) / 255.0, 1.0};
}

typedef enum {
  HL_TOKEN_WINDOW, /* side panes */
  HL_TOKEN_BAR,    /* header and status bar */
  HL_TOKEN_ENTRY,  /* entries, popovers, cards */
  HL_TOKEN_CANVAS, /* drawings, plots, root locus */
  HL_TOKEN_PANEL,  /* boxes and read-outs in drawings */
  HL_TOKEN_GRID,
  HL_TOKEN_GRID_MINOR,
  HL_TOKEN_LINE, /* borders */
  HL_TOKEN_TEXT,
  HL_TOKEN_SOFT,   /* captions, units; never on tint2 */
  HL_TOKEN_ACCENT, /* running, focused, chosen or dragged */
  HL_TOKEN_ONACCENT,
  HL_TOKEN_HOVER,   /* under the pointer in a drawing */
  HL_TOKEN_TINT,    /* rows under the pointer */
  HL_TOKEN_TINT2,   /* chosen rows, pressed toggles */
  HL_TOKEN_PROBLEM, /* always with a sign and a word, as the next two */
  HL_TOKEN_WARNING,
  HL_TOKEN_GOOD,
  HL_TOKEN_TROUGH, /* of a slider */
  HL_TOKEN_KNOB,
  HL_TOKEN_GHOST, /* the run before */
  HL_TOKEN_LINK,  /* bodies */
  HL_TOKEN_LINK_EDGE,
  HL_TOKEN_PISTON,
  HL_TOKEN_UNSTABLE, /* right half plane */
  HL_TOKEN_TRACE_1,
  HL_TOKEN_TRACE_2,
  HL_TOKEN_TRACE_3,
  HL_TOKEN_TRACE_4,
  HL_TOKEN_TRACE_5,
  HL_TOKEN_TRACE_6,
  HL_TOKEN_TRACE_7,
  HL_TOKEN_TRACE_8,
  HL_N_TOKENS
} HlToken;

/* Every text has 4.5:1 and every mark 3:1 with what it lies on, in high contrast 7:1 and 4.5:1 (WCAG 2.1); tests/paint/test-drawing-colors.c
 * measures it. */
static const struct {
  const char *name; /* in the style sheet */
  guint colors[HL_N_PALETTES];
} tokens[HL_N_TOKENS] = {
    [HL_TOKEN_WINDOW] = {"window", {0xf6f6f7, 0x242528, 0xffffff, 0x000000}},
    [HL_TOKEN_BAR] = {"bar", {0xebecee, 0x2e3034, 0xffffff, 0x000000}},
    [HL_TOKEN_ENTRY] = {"entry", {0xffffff, 0x2a2c2f, 0xffffff, 0x000000}},
    [HL_TOKEN_CANVAS] = {"canvas", {0xffffff, 0x1b1c1e, 0xffffff, 0x000000}},
    [HL_TOKEN_PANEL] = {"panel", {0xf6f7f8, 0x2a2c2f, 0xffffff, 0x000000}},
    [HL_TOKEN_GRID] = {"grid", {0xe4e7ea, 0x34373b, 0x8c8c8c, 0x8a8d91}},
    [HL_TOKEN_GRID_MINOR] = {"grid_minor", {0xf1f3f5, 0x25272a, 0xd0d0d0, 0x3c3c3c}},
    [HL_TOKEN_LINE] = {"line", {0xd3d6da, 0x43474c, 0x3a3f44, 0xb8bcc2}},
    [HL_TOKEN_TEXT] = {"text", {0x1b1c1e, 0xf1f2f3, 0x000000, 0xffffff}},
    [HL_TOKEN_SOFT] = {"soft", {0x595f66, 0xaab0b7, 0x33363a, 0xdadde0}},
    [HL_TOKEN_ACCENT] = {"accent", {0x1a5fb4, 0x6ba6ee, 0x1a5fb4, 0x8cc0ff}},
    [HL_TOKEN_ONACCENT] = {"onaccent", {0xffffff, 0x0d1622, 0xffffff, 0x000000}},
    [HL_TOKEN_HOVER] = {"hover", {0x5394d3, 0x9cc6f7, 0x1a62b0, 0xbcd9ff}},
    [HL_TOKEN_TINT] = {"tint", {0xe3ecf7, 0x27374b, 0xe3ecf7, 0x1a2736}},
    [HL_TOKEN_TINT2] = {"tint2", {0xc9dbf1, 0x33506f, 0xc9dbf1, 0x27405c}},
    [HL_TOKEN_PROBLEM] = {"problem", {0x950911, 0xff8460, 0x950911, 0xff9a94}},
    [HL_TOKEN_WARNING] = {"warning", {0x8d5b00, 0xf3c14c, 0x8d5b00, 0xffc966}},
    [HL_TOKEN_GOOD] = {"good", {0x185c4b, 0x54d5a4, 0x185c4b, 0x78f3bd}},
    [HL_TOKEN_TROUGH] = {"trough", {0xd0d3d6, 0x4a4d51, 0x6d7176, 0x8a8d91}},
    [HL_TOKEN_KNOB] = {"knob", {0xffffff, 0xe8eaec, 0xffffff, 0xffffff}},
    [HL_TOKEN_GHOST] = {"ghost", {0x7f8790, 0x7d858e, 0x6d7176, 0x8a8d91}},
    [HL_TOKEN_LINK] = {"link", {0xbcc7d4, 0x4f5e70, 0xbcc7d4, 0x2c3846}},
    [HL_TOKEN_LINK_EDGE] = {"link_edge", {0x7d8b9b, 0x8c9db1, 0x40494f, 0xc4d0de}},
    [HL_TOKEN_PISTON] = {"piston", {0xcfd7e0, 0x4a5868, 0xcfd7e0, 0x4a5868}},
    [HL_TOKEN_UNSTABLE] = {"unstable", {0xfdf0ee, 0x33211f, 0xfdf0ee, 0x33211f}},
    [HL_TOKEN_TRACE_1] = {"trace1", {0x0744ba, 0x58a7ff, 0x0744ba, 0x58a7ff}},
    [HL_TOKEN_TRACE_2] = {"trace2", {0xd95500, 0xff9f32, 0xc94d00, 0xff9f32}},
    [HL_TOKEN_TRACE_3] = {"trace3", {0x099360, 0x49e39f, 0x00854f, 0x49e39f}},
    [HL_TOKEN_TRACE_4] = {"trace4", {0xa52c7d, 0xd37cc1, 0xa52c7d, 0xd37cc1}},
    [HL_TOKEN_TRACE_5] = {"trace5", {0x744e12, 0xf3e33b, 0x5f3d06, 0xf3e33b}},
    [HL_TOKEN_TRACE_6] = {"trace6", {0x1f93c4, 0x65e2ff, 0x1579a8, 0x65e2ff}},
    [HL_TOKEN_TRACE_7] = {"trace7", {0x514b68, 0xc6bad0, 0x514b68, 0xc6bad0}},
    [HL_TOKEN_TRACE_8] = {"trace8", {0x840d24, 0xfa716c, 0x840d24, 0xfa716c}},
};

char *hl_tokens_css (HlTokenPalette palette) {
  GString *css = g_string_new (NULL);

  for (int token = 0; token < HL_N_TOKENS; token++)
    g_string_append_printf (css, "@define-color hl_%s #%06x;\n", tokens[token].name,
                            tokens[token].colors[palette]);
  return g_string_free (css, FALSE);
}

static HlColor token_color (HlToken token, HlTokenPalette palette) {
  return hl_rgb (tokens[token].colors[palette]);
}

static void set_colors (HlStyle *style, HlTokenPalette palette) {
  style->background = token_color (HL_TOKEN_CANVAS, palette);
  style->panel = token_color (HL_TOKEN_PANEL, palette);
  style->border = token_color (HL_TOKEN_LINE, palette);
  style->ink = token_color (HL_TOKEN_TEXT, palette);
  style->ink_soft = token_color (HL_TOKEN_SOFT, palette);
  style->grid = token_color (HL_TOKEN_GRID, palette);
  style->grid_minor = token_color (HL_TOKEN_GRID_MINOR, palette);
  style->accent = token_color (HL_TOKEN_ACCENT, palette);
  style->hover = token_color (HL_TOKEN_HOVER, palette);
  style->problem = token_color (HL_TOKEN_PROBLEM, palette);
  style->warning = token_color (HL_TOKEN_WARNING, palette);
  style->good = token_color (HL_TOKEN_GOOD, palette);
  style->unstable = token_color (HL_TOKEN_UNSTABLE, palette);
  style->ghost = token_color (HL_TOKEN_GHOST, palette);
  style->link = token_color (HL_TOKEN_LINK, palette);
  style->link_edge = token_color (HL_TOKEN_LINK_EDGE, palette);
  style->symbol = token_color (HL_TOKEN_CANVAS, palette);
  style->piston = token_color (HL_TOKEN_PISTON, palette);
  for (int trace = 0; trace < HL_STYLE_N_TRACES; trace++)
    style->trace[trace] = token_color (HL_TOKEN_TRACE_1 + trace, palette);
}

static void set_print (HlStyle *style) {
  set_colors (style, HL_PALETTE_LIGHT);
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
                   .font_size = BODY_PX,
                   .line_width = 1.8,
                   .wire_width = 3.0,
                   .trace_width = 1.8,
                   .hair_width = 1.0,
                   .joint_radius = 5.5,
                   .link_width = 11.0,
                   .fill_pressure = TRUE};

  if (kind == HL_STYLE_PRINT)
    set_print (&style);
  else
    set_colors (&style, kind == HL_STYLE_DARK ? HL_PALETTE_DARK : HL_PALETTE_LIGHT);
  return style;
}

HlStyle hl_style_contrast (const HlStyle *style) {
  HlStyle high = *style;

  if (style->kind == HL_STYLE_PRINT)
    return high;
  high.is_contrast = TRUE;
  set_colors (&high, style->kind == HL_STYLE_DARK ? HL_PALETTE_CONTRAST_DARK : HL_PALETTE_CONTRAST_LIGHT);
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

/* Converts OKLCh to linear sRGB (B. Ottosson, 2020). TRUE when inside the gamut. */
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
