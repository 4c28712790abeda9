/* SPDX-License-Identifier: MIT */
/* What of a circuit picture lies at a point, and the room it needs. */
#include "ui/paint/circuit/hl-paint-circuit.h"

#include <math.h>
#include <string.h>

/* Width of an average letter and height of a line of label text at the usual scale [M]. */
#define LETTER_M 0.58
#define LINE_M 1.5

static HlRect label_room (const HlCircuitSymbol *symbol) {
  HlShapeLabel anchor = hl_shape_placed_label (symbol->kind, &symbol->place);
  g_auto (GStrv) lines = g_strsplit (symbol->label, "\n", -1);
  double width = 0.0;
  double height = 0.0;

  for (int line = 0; lines[line] != NULL; line++) {
    width = fmax (width, LETTER_M * (double)g_utf8_strlen (lines[line], -1));
    height += LINE_M;
  }
  return (HlRect){anchor.x - anchor.align_x * width, anchor.y - anchor.align_y * height, width, height};
}

HlRect hl_circuit_box (const HlCircuitPicture *picture) {
  HlRect box = {0.0, 0.0, 0.0, 0.0};

  for (int i = 0; i < picture->n_symbols; i++) {
    const HlCircuitSymbol *symbol = &picture->symbols[i];
    HlRect own = hl_shape_placed_box (symbol->kind, &symbol->place);
    box = i == 0 ? own : hl_rect_union (box, own);
    if (symbol->label != NULL)
      box = hl_rect_union (box, label_room (symbol));
  }
  for (int n = 0; n < picture->n_nets; n++)
    for (int w = 0; w < picture->nets[n].n_wires; w++)
      for (int i = 0; i < picture->nets[n].wires[w].n; i++) {
        HlSpot p = picture->nets[n].wires[w].points[i];
        box = hl_rect_union (box, (HlRect){p.x, p.y, 0.0, 0.0});
      }
  for (int i = 0; i < picture->n_controls; i++) /* with room for the text below it */
    box = hl_rect_union (box, hl_rect_grow (picture->controls[i].box, LINE_M));
  return box;
}

int hl_circuit_symbol_at (const HlCircuitPicture *picture, HlSpot world, double reach) {
  /* the last one painted lies on top */
  for (int i = picture->n_symbols - 1; i >= 0; i--) {
    const HlCircuitSymbol *symbol = &picture->symbols[i];
    if (!symbol->ghost && hl_shape_contains (symbol->kind, &symbol->state, &symbol->place, world, reach))
      return i;
  }
  for (int i = 0; i < picture->n_controls; i++) {
    HlRect box = picture->controls[i].box;
    if (world.x >= box.x && world.x <= box.x + box.width && world.y >= box.y && world.y <= box.y + box.height)
      return picture->controls[i].symbol;
  }
  return -1;
}

int hl_circuit_net_at (const HlCircuitPicture *picture, HlSpot world, double reach) {
  int nearest = -1;
  double best = reach;

  for (int n = 0; n < picture->n_nets; n++)
    for (int w = 0; w < picture->nets[n].n_wires; w++)
      for (int i = 1; i < picture->nets[n].wires[w].n; i++) {
        const HlSpot *points = picture->nets[n].wires[w].points;
        double distance = hl_point_segment_distance (world, points[i - 1], points[i]);
        if (distance <= best) {
          best = distance;
          nearest = n;
        }
      }
  return nearest;
}
