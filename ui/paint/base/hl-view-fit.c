/* SPDX-License-Identifier: MIT */
#include "ui/paint/base/hl-view-fit.h"

#include <math.h>

#define ROUNDS 3 /* less room is a smaller scale, and a symbol then lies elsewhere */
#define AIR_PX 4.0
#define MOST_PART 0.5 /* of the area, that symbols take from what they stand on */

void hl_view_fit_all (HlView *view, HlRect world, HlRect area, double margin_px, double max_scale,
                      HlViewExtent extent, gpointer data) {
  HlRect room = area;

  hl_view_fit (view, world, room, margin_px, max_scale);
  for (int round = 0; round < ROUNDS && extent != NULL; round++) {
    HlRect all = extent (view, data);
    double left = fmax (area.x + AIR_PX - all.x, 0.0);
    double top = fmax (area.y + AIR_PX - all.y, 0.0);
    double right = fmax (all.x + all.width - area.x - area.width + AIR_PX, 0.0);
    double bottom = fmax (all.y + all.height - area.y - area.height + AIR_PX, 0.0);
    if (left + top + right + bottom == 0.0 || room.width - left - right < MOST_PART * area.width ||
        room.height - top - bottom < MOST_PART * area.height)
      return;
    room.x += left;
    room.y += top;
    room.width -= left + right;
    room.height -= top + bottom;
    hl_view_fit (view, world, room, margin_px, max_scale);
  }
}
