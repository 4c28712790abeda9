/* SPDX-License-Identifier: MIT */
/* Symbols from their path data: points go through placement and view, lines keep a width that suits
 * the scale. */
#include "ui/paint/circuit/hl-paint-symbol.h"

#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>

#define ICON_STROKE_PX 1.25

HlRect hl_paint_device_rect (const HlView *view, HlRect world) {
  HlSpot a = hl_view_to_device (view, (HlSpot){world.x, world.y});
  HlSpot b = hl_view_to_device (view, (HlSpot){world.x + world.width, world.y + world.height});

  return (HlRect){MIN (a.x, b.x), MIN (a.y, b.y), fabs (b.x - a.x), fabs (b.y - a.y)};
}

/* Line width that suits the view's scale. */
static double line_width (const HlView *view, const HlStyle *style) {
  return style->line_width * CLAMP (view->scale / 11.0, 0.55, 1.25);
}

static void trace_stroke (cairo_t *cr, const HlShapePath *path, const HlPathStroke *stroke,
                          const HlPlacement *place, const HlView *view) {
  cairo_new_path (cr);
  for (int i = stroke->first; i < stroke->first + stroke->n; i++) {
    const HlPathSegment *segment = &path->segment[i];
    HlSpot p[3];
    for (int k = 0; k < 3; k++)
      p[k] = hl_view_to_device (view, hl_placement_apply (place, segment->p[k]));
    if (segment->op == HL_PATH_MOVE)
      cairo_move_to (cr, p[0].x, p[0].y);
    else if (segment->op == HL_PATH_LINE)
      cairo_line_to (cr, p[0].x, p[0].y);
    else if (segment->op == HL_PATH_CURVE)
      cairo_curve_to (cr, p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y);
    else
      cairo_close_path (cr);
  }
}

void hl_paint_symbol (cairo_t *cr, HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                      const HlView *view, double alpha, const HlStyle *style) {
  HlShapePath path;
  double width = line_width (view, style);
  HlColor ink = hl_color_with_alpha (style->ink, alpha);

  hl_shape_build (kind, state, &path);
  cairo_save (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  for (int s = 0; s < path.n_strokes; s++) {
    const HlPathStroke *stroke = &path.stroke[s];
    trace_stroke (cr, &path, stroke, place, view);
    cairo_set_line_width (cr,
                          stroke->pen == HL_PEN_THIN || stroke->pen == HL_PEN_DASHED ? 0.65 * width : width);
    hl_dash_set (cr, stroke->pen == HL_PEN_DASHED ? HL_DASH_DASHED : HL_DASH_SOLID, 0.65 * width);
    if (stroke->pen == HL_PEN_BODY || stroke->pen == HL_PEN_PISTON) {
      hl_color_set (cr,
                    hl_color_with_alpha (stroke->pen == HL_PEN_BODY ? style->symbol : style->piston, alpha));
      cairo_fill_preserve (cr);
    }
    if (stroke->pen == HL_PEN_ACTIVE) {
      hl_color_set (cr, hl_color_with_alpha (style->accent, 0.28 * alpha));
      cairo_fill (cr);
      continue;
    }
    hl_color_set (cr, ink);
    if (stroke->pen == HL_PEN_SOLID)
      cairo_fill (cr);
    else
      cairo_stroke (cr);
  }
  cairo_restore (cr);
}

void hl_paint_symbol_icon (cairo_t *cr, HlShapeKind kind, HlRect area, double margin_px,
                           const HlStyle *style) {
  HlView view = {.scale = 1.0};
  HlPlacement place = {0};
  HlShapeState state = {.stroke = 0.15, .opening = 0.5};
  HlRect box = hl_shape_box (kind);
  HlRect inside = {area.x + margin_px, area.y + margin_px, area.width - 2.0 * margin_px,
                   area.height - 2.0 * margin_px};

  if (kind != NULL && hl_paint_small_icon (cr, kind->kind, inside, style))
    return;
  if (kind != NULL && kind->icon.width > 0.0)
    box = kind->icon;
  hl_view_fit (&view, box, area, margin_px, 8.0);
  HlStyle fine = *style;
  fine.line_width *= ICON_STROKE_PX / line_width (&view, style);
  HlRect shown = hl_paint_device_rect (&view, box);
  cairo_save (cr);
  cairo_rectangle (cr, shown.x - 1.0, shown.y - 1.0, shown.width + 2.0, shown.height + 2.0);
  cairo_clip (cr);
  hl_paint_symbol (cr, kind, &state, &place, &view, 1.0, &fine);
  cairo_restore (cr);
}
