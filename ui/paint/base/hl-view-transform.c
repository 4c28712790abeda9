/* SPDX-License-Identifier: MIT */
/* Conversion between world and device, and the functions on rectangles and segments that painting and picking
 * share. */
#include "ui/paint/base/hl-view-transform.h"

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

HlSpot hl_view_to_device (const HlView *view, HlSpot world) {
  double sign = view->y_up ? -1.0 : 1.0;
  return (HlSpot){view->offset_x + view->scale * world.x, view->offset_y + sign * view->scale * world.y};
}

HlSpot hl_view_to_world (const HlView *view, HlSpot device) {
  double sign = view->y_up ? -1.0 : 1.0;
  return (HlSpot){(device.x - view->offset_x) / view->scale,
                  sign * (device.y - view->offset_y) / view->scale};
}

double hl_view_length (const HlView *view, double world_length) {
  return view->scale * world_length;
}

void hl_view_zoom_at (HlView *view, HlSpot device, double factor, double min_scale, double max_scale) {
  double scale = CLAMP (view->scale * factor, min_scale, max_scale);
  double ratio = scale / view->scale;

  view->offset_x = device.x + (view->offset_x - device.x) * ratio;
  view->offset_y = device.y + (view->offset_y - device.y) * ratio;
  view->scale = scale;
}

void hl_view_pan (HlView *view, double dx_px, double dy_px) {
  view->offset_x += dx_px;
  view->offset_y += dy_px;
}

void hl_view_fit (HlView *view, HlRect world, HlRect device, double margin_px, double max_scale) {
  double room_x = MAX (device.width - 2.0 * margin_px, 1.0);
  double room_y = MAX (device.height - 2.0 * margin_px, 1.0);
  double scale = max_scale;
  double sign = view->y_up ? -1.0 : 1.0;

  if (world.width > 0.0)
    scale = MIN (scale, room_x / world.width);
  if (world.height > 0.0)
    scale = MIN (scale, room_y / world.height);
  view->scale = scale;
  view->offset_x = device.x + 0.5 * device.width - scale * (world.x + 0.5 * world.width);
  view->offset_y = device.y + 0.5 * device.height - sign * scale * (world.y + 0.5 * world.height);
}

HlRect hl_view_visible (const HlView *view, HlRect device) {
  HlSpot a = hl_view_to_world (view, (HlSpot){device.x, device.y});
  HlSpot b = hl_view_to_world (view, (HlSpot){device.x + device.width, device.y + device.height});

  return (HlRect){MIN (a.x, b.x), MIN (a.y, b.y), fabs (b.x - a.x), fabs (b.y - a.y)};
}

gboolean hl_rect_contains (HlRect rect, HlSpot point) {
  return point.x >= rect.x && point.x <= rect.x + rect.width && point.y >= rect.y &&
         point.y <= rect.y + rect.height;
}

gboolean hl_rect_overlaps (HlRect a, HlRect b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

HlRect hl_rect_union (HlRect a, HlRect b) {
  double right = MAX (a.x + a.width, b.x + b.width);
  double bottom = MAX (a.y + a.height, b.y + b.height);
  HlRect u = {MIN (a.x, b.x), MIN (a.y, b.y), 0.0, 0.0};

  u.width = right - u.x;
  u.height = bottom - u.y;
  return u;
}

HlRect hl_rect_around (const HlSpot spots[], int n) {
  HlRect box = {spots[0].x, spots[0].y, 0, 0};

  for (int i = 1; i < n; i++)
    box = hl_rect_union (box, (HlRect){spots[i].x, spots[i].y, 0, 0});
  return box;
}

HlRect hl_rect_grow (HlRect rect, double margin) {
  return (HlRect){rect.x - margin, rect.y - margin, rect.width + 2.0 * margin, rect.height + 2.0 * margin};
}

gboolean hl_rect_meets_segment (HlRect rect, HlSpot a, HlSpot b) {
  /* most segments are far away */
  if (MAX (a.x, b.x) < rect.x || MIN (a.x, b.x) > rect.x + rect.width || MAX (a.y, b.y) < rect.y ||
      MIN (a.y, b.y) > rect.y + rect.height)
    return FALSE;
  /* Liang and Barsky: clip the parameter range of the segment by the four edges */
  double t0 = 0.0;
  double t1 = 1.0;
  double p[4] = {a.x - b.x, b.x - a.x, a.y - b.y, b.y - a.y};
  double q[4] = {a.x - rect.x, rect.x + rect.width - a.x, a.y - rect.y, rect.y + rect.height - a.y};

  for (int edge = 0; edge < 4; edge++) {
    if (p[edge] == 0.0) {
      if (q[edge] < 0.0)
        return FALSE;
      continue;
    }
    double t = q[edge] / p[edge];
    if (p[edge] < 0.0)
      t0 = MAX (t0, t);
    else
      t1 = MIN (t1, t);
  }
  return t0 <= t1;
}

double hl_point_segment_distance (HlSpot p, HlSpot a, HlSpot b) {
  double dx = b.x - a.x;
  double dy = b.y - a.y;
  double square = dx * dx + dy * dy;
  double t = square > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0.0;

  t = CLAMP (t, 0.0, 1.0);
  return hypot (p.x - a.x - t * dx, p.y - a.y - t * dy);
}
