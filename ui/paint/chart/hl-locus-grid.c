/* SPDX-License-Identifier: MIT */
/* Rays of equal damping and arcs of equal natural frequency are drawn point by point through the
 * axes' own scale, so they are right under a signed logarithm too, where a ray is a curve. */
#include "ui/paint/chart/hl-locus-grid.h"

#include "ui/paint/base/hl-frame.h"

#include <math.h>

#define RAY_PIECES 120
#define TARGET_ALPHA 0.16

static void paint_half_planes (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                               const HlStyle *style) {
  HlRect frame = layout->frame;

  if (locus->is_frozen)
    return;
  double x = CLAMP (hl_locus_device (layout, 0.0, 0.0).x, frame.x, frame.x + frame.width);

  cairo_rectangle (cr, x, frame.y, frame.x + frame.width - x, frame.height);
  hl_color_set (cr, style->unstable);
  cairo_fill (cr);
}

static void curve_to (cairo_t *cr, HlSpot p, gboolean *begun) {
  if (*begun)
    cairo_line_to (cr, p.x, p.y);
  else
    cairo_move_to (cr, p.x, p.y);
  *begun = TRUE;
}

/* Largest magnitude in view, and the smallest worth drawing. */
static void radius_range (const HlLocusPlot *locus, double *from, double *to) {
  *to = 1.5 * hypot (fmax (fabs (locus->x.min), fabs (locus->x.max)),
                     fmax (fabs (locus->y.min), fabs (locus->y.max)));
  *from = locus->x.scale == HL_SCALE_SIGNED_LOG ? 0.02 * locus->x.linear_within : 0.0;
}

/* A point of a ray of this damping ratio, 0 at its beginning and RAY_PIECES far out. */
static HlSpot ray_point (const HlLocusPlot *locus, const HlLocusLayout *layout, double zeta, int side,
                         int step) {
  double from, to, up = sqrt (fmax (1.0 - zeta * zeta, 0.0));

  radius_range (locus, &from, &to);
  double part = (double)step / RAY_PIECES;
  double r = from > 0.0 ? from * pow (to / from, part) : to * part;
  return hl_locus_device (layout, -zeta * r, side * up * r);
}

static void paint_rays (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                        const HlStyle *style) {
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  hl_dash_set (cr, HL_DASH_DOTTED, style->hair_width);
  for (int tenth = 0; tenth <= 10; tenth++)
    for (int side = -1; side <= 1; side += 2) {
      gboolean begun = FALSE;
      for (int step = 0; step <= RAY_PIECES; step++)
        curve_to (cr, ray_point (locus, layout, 0.1 * tenth, side, step), &begun);
      cairo_stroke (cr);
    }
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static void paint_arc (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout, double omega) {
  gboolean begun = FALSE;

  for (int step = 0; step <= 96; step++) {
    /* finer near the axes, where the logarithm bends most */
    double t = 0.5 - 0.5 * cos (G_PI * step / 96.0);
    double angle = G_PI * (0.5 + t);
    curve_to (cr, hl_locus_device (layout, omega * cos (angle), omega * sin (angle)), &begun);
  }
}

static void paint_arcs (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                        const HlStyle *style) {
  /* one arc through every label of the imaginary axis: the label reads the frequency */
  for (int i = 0; i < layout->y_ticks.n; i++)
    if (layout->y_ticks.tick[i].value > 0.0 && layout->y_ticks.tick[i].major)
      paint_arc (cr, locus, layout, layout->y_ticks.tick[i].value);
  for (int i = 0; i < layout->x_ticks.n; i++)
    if (layout->x_ticks.tick[i].value < 0.0 && layout->x_ticks.tick[i].major &&
        -layout->x_ticks.tick[i].value > locus->y.max)
      paint_arc (cr, locus, layout, -layout->x_ticks.tick[i].value);
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  hl_dash_set (cr, HL_DASH_DOTTED, style->hair_width);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

HlSpot hl_locus_grid_ray_end (const HlLocusPlot *locus, const HlLocusLayout *layout, double zeta,
                              HlRect within) {
  for (int step = RAY_PIECES; step >= 0; step--) {
    HlSpot p = ray_point (locus, layout, zeta, 1, step);
    if (hl_rect_contains (within, p))
      return p;
  }
  return (HlSpot){NAN, NAN};
}

/* Where a target is met: between its rays, outside of its arc. Once round, far out and back. */
static void paint_target (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                          const HlStyle *style) {
  double from, to, zeta = isnan (locus->target.zeta) ? -1.0 : locus->target.zeta;
  double widest = acos (CLAMP (zeta, -1.0, 1.0));
  gboolean begun = FALSE;

  if (!hl_locus_target_is_set (&locus->target))
    return;
  radius_range (locus, &from, &to);
  double near = fmax (isnan (locus->target.omega) ? from : locus->target.omega, 1e-9 * to);
  to = fmax (to, 10.0 * near);
  for (int step = 0; step <= RAY_PIECES; step++) {
    double angle = G_PI - widest + 2.0 * widest * step / RAY_PIECES;
    curve_to (cr, hl_locus_device (layout, near * cos (angle), near * sin (angle)), &begun);
  }
  for (int step = 0; step <= 4 * RAY_PIECES; step++) {
    /* out along the lower ray, round, and in along the upper one */
    double part = step / (double)RAY_PIECES;
    double out = part < 1.0 ? part : part > 3.0 ? 4.0 - part : 1.0;
    double turn = CLAMP (0.5 * (part - 1.0), 0.0, 1.0);
    double angle = G_PI + widest - 2.0 * widest * turn, r = near * pow (to / near, out);
    curve_to (cr, hl_locus_device (layout, r * cos (angle), r * sin (angle)), &begun);
  }
  cairo_close_path (cr);
  hl_color_set (cr, hl_color_with_alpha (style->good, TARGET_ALPHA));
  cairo_fill_preserve (cr);
  hl_color_set (cr, hl_color_with_alpha (style->good, 0.7));
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

void hl_locus_grid_paint (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                          const HlStyle *style) {
  paint_half_planes (cr, locus, layout, style);
  paint_target (cr, locus, layout, style);
  if (locus->hide_grid)
    return;
  paint_arcs (cr, locus, layout, style);
  paint_rays (cr, locus, layout, style);
}

cairo_surface_t *hl_locus_grid_image (const HlLocusPlot *locus, const HlLocusLayout *layout,
                                      const HlStyle *style, int scale) {
  HlRect frame = layout->frame;
  cairo_surface_t *image =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)frame.width * scale, (int)frame.height * scale);

  cairo_surface_set_device_scale (image, scale, scale);
  cairo_t *cr = cairo_create (image);
  cairo_translate (cr, -frame.x, -frame.y);
  hl_locus_grid_paint (cr, locus, layout, style);
  cairo_destroy (cr);
  return image;
}
