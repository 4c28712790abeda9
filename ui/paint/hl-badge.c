/* SPDX-License-Identifier: MIT */
#include "ui/paint/hl-badge.h"

#include "ui/paint/hl-paint-symbol.h"
#include "ui/paint/hl-text.h"

#include <math.h>

#define RADIUS 0.62 /* of the font */
#define BESIDE 1.0  /* of the font: from the middle of a part */

void
hl_badge_paint (cairo_t *cr, HlSpot at, const HlStyle *style)
{
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, RADIUS * style->font_size, 0.0, 2.0 * G_PI);
  hl_color_set (cr, style->problem);
  cairo_fill (cr);
  hl_text_paint (cr, style, HL_TEXT_BOLD, style->background, "!", at, 0.5, 0.5);
}

/* Above and to the right of the middle of a and b. */
static void
beside (cairo_t *cr, const HlView *view, HlSpot a, HlSpot b, const HlStyle *style)
{
  HlSpot at = hl_view_to_device (view, (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)});
  double off = BESIDE * style->font_size;

  hl_badge_paint (cr, (HlSpot){at.x + off, at.y - off}, style);
}

void
hl_badge_paint_mechanism (cairo_t *cr,
                          const HlMechanismPicture *picture,
                          const HlView *view,
                          const HlStyle *style)
{
  for (int i = 0; i < picture->n_bodies; i++) {
    const HlMechBody *body = &picture->bodies[i];
    if (body->is_problem)
      beside (cr, view, body->n_points > 0 ? body->points[0] : body->com,
              body->n_points > 1   ? body->points[1]
              : body->n_points > 0 ? body->points[0]
                                   : body->com,
              style);
  }
  for (int i = 0; i < picture->n_joints; i++)
    if (picture->joints[i].is_problem)
      beside (cr, view, picture->joints[i].at, picture->joints[i].at, style);
  for (int i = 0; i < picture->n_cylinders; i++)
    if (picture->cylinders[i].is_problem)
      beside (cr, view, picture->cylinders[i].base, picture->cylinders[i].rod, style);
  for (int i = 0; i < picture->n_springs; i++)
    if (picture->springs[i].is_problem)
      beside (cr, view, picture->springs[i].a, picture->springs[i].b, style);
  for (int i = 0; i < picture->n_loads; i++)
    if (picture->loads[i].is_problem)
      beside (cr, view, picture->loads[i].at, picture->loads[i].at, style);
}

/* The middle of a net's longest piece of wire, device px; FALSE: it has no wire. */
static gboolean
middle_of_net (const HlCircuitNet *net, const HlView *view, HlSpot *at)
{
  double longest = -1.0;

  for (int w = 0; w < net->n_wires; w++)
    for (int i = 1; i < net->wires[w].n; i++) {
      HlSpot a = hl_view_to_device (view, net->wires[w].points[i - 1]);
      HlSpot b = hl_view_to_device (view, net->wires[w].points[i]);
      double length = hypot (b.x - a.x, b.y - a.y);
      if (length <= longest)
        continue;
      longest = length;
      *at = (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    }
  return longest >= 0.0;
}

void
hl_badge_paint_circuit (cairo_t *cr,
                        const HlCircuitPicture *picture,
                        const HlView *view,
                        const HlStyle *style)
{
  double off = 0.3 * RADIUS * style->font_size;
  HlSpot at;

  for (int n = 0; n < picture->n_nets; n++)
    if (picture->nets[n].is_problem && middle_of_net (&picture->nets[n], view, &at))
      hl_badge_paint (cr, at, style);
  for (int i = 0; i < picture->n_symbols; i++) {
    const HlCircuitSymbol *symbol = &picture->symbols[i];
    if (!symbol->is_problem)
      continue;
    HlRect box = hl_paint_device_rect (view, hl_shape_placed_box (symbol->kind, &symbol->place));
    hl_badge_paint (cr, (HlSpot){box.x + box.width + off, box.y - off}, style);
  }
}
