/* SPDX-License-Identifier: MIT */
/* Paints a circuit: grid, lines with a casing where they cross, symbols, then the texts. */
#include "ui/paint/circuit/hl-paint-circuit.h"

#include "ui/paint/circuit/hl-badge-circuit.h"
#include "ui/paint/circuit/hl-circuit-texts.h"
#include "ui/paint/base/hl-frame.h"
#include "ui/paint/circuit/hl-paint-symbol.h"
#include "ui/paint/circuit/hl-symbol.h"
#include "ui/paint/base/hl-text.h"

#include <math.h>
#include <string.h>

#define EMPTY_MIDDLE 0.42 /* of the height: below stand the buttons of an empty model */
#define GRID_PITCH 2.0    /* [M] */

HlCircuitPicture
hl_circuit_picture_make (void)
{
  return (HlCircuitPicture){.highlighted_symbol = -1, .highlighted_port = -1, .pressure_high = 1.0};
}

static void
paint_grid (cairo_t *cr, const HlView *view, HlRect area, const HlStyle *style)
{
  HlRect seen = hl_view_visible (view, area);
  double pitch = GRID_PITCH;

  while (pitch * view->scale < 9.0)
    pitch *= 2.0;
  hl_color_set (cr, style->grid);
  for (double x = ceil (seen.x / pitch) * pitch; x <= seen.x + seen.width; x += pitch)
    for (double y = ceil (seen.y / pitch) * pitch; y <= seen.y + seen.height; y += pitch) {
      HlSpot p = hl_view_to_device (view, (HlSpot){x, y});
      cairo_rectangle (cr, round (p.x) - 0.5, round (p.y) - 0.5, 1.0, 1.0);
    }
  cairo_fill (cr);
}

static void
trace_wires (cairo_t *cr, const HlCircuitNet *net, const HlView *view)
{
  for (int w = 0; w < net->n_wires; w++)
    for (int i = 0; i < net->wires[w].n; i++) {
      HlSpot p = hl_view_to_device (view, net->wires[w].points[i]);
      if (i == 0)
        cairo_move_to (cr, p.x, p.y);
      else
        cairo_line_to (cr, p.x, p.y);
    }
}

static HlColor
net_color (const HlCircuitPicture *picture, const HlCircuitNet *net, const HlStyle *style)
{
  double range = picture->pressure_high - picture->pressure_low;

  if (net->is_problem)
    return style->problem;
  return hl_style_pressure_color (
      style, range > 0.0 ? (net->pressure - picture->pressure_low) / range : NAN);
}

/* A triangle in the middle of each piece of wire that is long enough, a smaller one for less flow;
 * in the colour of the line, parted from it by a casing. */
static void
paint_flow (cairo_t *cr,
            const HlCircuitNet *net,
            const HlView *view,
            double width,
            HlColor color,
            const HlStyle *style)
{
  for (int i = 0; i < net->n_arrows; i++) {
    const HlCircuitArrow *arrow = &net->arrows[i];
    double size = width * (1.4 + 1.0 * sqrt (MIN (arrow->size, 1.0)));
    if (arrow->length * view->scale < 3.0 * size)
      continue;
    HlSpot c = hl_view_to_device (view, arrow->at);
    double ux = arrow->way.x, uy = view->y_up ? -arrow->way.y : arrow->way.y;
    cairo_move_to (cr, c.x + size * ux, c.y + size * uy);
    cairo_line_to (cr, c.x - size * ux - size * uy, c.y - size * uy + size * ux);
    cairo_line_to (cr, c.x - size * ux + size * uy, c.y - size * uy - size * ux);
    cairo_close_path (cr);
    hl_color_set (cr, style->background);
    cairo_set_line_width (cr, 2.0 * style->hair_width);
    cairo_stroke_preserve (cr);
    hl_color_set (cr, color);
    cairo_fill (cr);
  }
}

static void
paint_net (cairo_t *cr,
           const HlCircuitPicture *picture,
           const HlCircuitNet *net,
           const HlView *view,
           const HlStyle *style)
{
  double width = style->wire_width * CLAMP (view->scale / 11.0, 0.6, 1.2);

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  /* the casing shows that a crossing without a dot is no junction */
  trace_wires (cr, net, view);
  if (net->selected || net->hovered)
    hl_color_set (cr, hl_color_with_alpha (net->selected ? style->accent : style->hover, 0.45));
  else
    hl_color_set (cr, style->background);
  cairo_set_line_width (cr, width + 2.0 * (net->selected || net->hovered ? 3.0 : 2.0) *
                                        style->hair_width);
  cairo_stroke (cr);

  trace_wires (cr, net, view);
  hl_color_set (cr, net_color (picture, net, style));
  cairo_set_line_width (cr, width);
  cairo_set_line_cap (cr, net->dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_SQUARE);
  hl_dash_set (cr, net->dashed ? HL_DASH_DASHED : HL_DASH_SOLID, width);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
  for (int i = 0; i < net->n_dots; i++) {
    HlSpot p = hl_view_to_device (view, net->dots[i]);
    cairo_arc (cr, p.x, p.y, 1.35 * width, 0.0, 2.0 * G_PI);
    cairo_fill (cr);
  }
  paint_flow (cr, net, view, width, net_color (picture, net, style), style);
}

static void
paint_one_symbol (cairo_t *cr,
                  const HlCircuitSymbol *symbol,
                  const HlView *view,
                  const HlStyle *style)
{
  HlRect box = hl_paint_device_rect (view, hl_shape_placed_box (symbol->kind, &symbol->place));

  if (symbol->selected || symbol->hovered || symbol->is_problem) {
    HlColor color = symbol->is_problem ? style->problem
                    : symbol->selected ? style->accent
                                       : style->hover;
    hl_path_rounded (cr, hl_rect_grow (box, 0.45 * view->scale), 0.5 * view->scale);
    hl_color_set (cr, hl_color_with_alpha (color, 0.13));
    cairo_fill_preserve (cr);
    hl_color_set (cr,
                  hl_color_with_alpha (color, symbol->selected || symbol->is_problem ? 1.0 : 0.5));
    cairo_set_line_width (cr, 1.3 * style->hair_width);
    cairo_stroke (cr);
  }
  hl_paint_symbol (cr, symbol->kind, &symbol->state, &symbol->place, view,
                   symbol->ghost ? 0.4 : 1.0, style);
}

static void
paint_ports (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view, const HlStyle *style)
{
  for (int i = 0; i < picture->n_symbols; i++)
    for (int port = 0; port < hl_shape_n_ports (picture->symbols[i].kind); port++) {
      gboolean highlighted = i == picture->highlighted_symbol && port == picture->highlighted_port;
      HlShapePort placed =
          hl_shape_placed_port (picture->symbols[i].kind, port, &picture->symbols[i].place);
      HlSpot p = hl_view_to_device (view, (HlSpot){placed.x, placed.y});
      if ((!highlighted && !picture->show_ports) || placed.is_absent)
        continue;
      cairo_arc (cr, p.x, p.y, highlighted ? 6.0 : 3.5, 0.0, 2.0 * G_PI);
      hl_color_set (cr,
                    highlighted ? hl_color_with_alpha (style->accent, 0.35) : style->background);
      cairo_fill_preserve (cr);
      hl_color_set (cr, style->accent);
      cairo_set_line_width (cr, 1.4 * style->hair_width);
      cairo_stroke (cr);
    }
}

void
hl_paint_circuit (cairo_t *cr,
                  const HlCircuitPicture *picture,
                  const HlView *view,
                  HlRect area,
                  const HlStyle *style)
{
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  if (picture->show_grid)
    paint_grid (cr, view, area, style);
  for (int n = 0; n < picture->n_nets; n++)
    paint_net (cr, picture, &picture->nets[n], view, style);
  hl_controls_paint (cr, picture, view, style);
  for (int i = 0; i < picture->n_symbols; i++)
    paint_one_symbol (cr, &picture->symbols[i], view, style);
  if (!picture->plain)
    hl_circuit_texts_paint (cr, picture, view, area, style);
  hl_badge_paint_circuit (cr, picture, view, style);
  paint_ports (cr, picture, view, style);
  hl_frame_paint_rubber_band (cr, picture->rubber_band, style);
  if (picture->n_symbols == 0 && picture->empty_text != NULL)
    hl_text_paint_wrapped (cr, style, style->ink_soft, picture->empty_text,
                           (HlSpot){area.x + 0.5 * area.width, area.y + EMPTY_MIDDLE * area.height},
                           0.85 * area.width);
  cairo_restore (cr);
}
