/* SPDX-License-Identifier: MIT */
#include "ui/paint/circuit/hl-badge-circuit.h"

#include "ui/paint/base/hl-badge.h"
#include "ui/paint/circuit/hl-paint-symbol.h"

#include <math.h>

/* The middle of a net's longest piece of wire, device px; FALSE: it has no wire. */
static gboolean middle_of_net (const HlCircuitNet *net, const HlView *view, HlSpot *at) {
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

void hl_badge_paint_circuit (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view,
                             const HlStyle *style) {
  double off = 0.3 * HL_BADGE_RADIUS * style->font_size;
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
