/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-pick.h"

#include <math.h>

#define MOST_OUTLINE 64
#define SAME 1e-6         /* distances that differ by less, in reaches, are equal */
#define ARROW_REACHES 5.0 /* length of a load's arrow, in reaches of the pointer */

#define NO_BODY (-2) /* the ground is -1 */

static HlPick pick_point_but (const HlLinkagePlan *plan, HlSpot at, double reach, int but) {
  HlPick pick = {0};
  double best = reach;

  for (guint i = 0; i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    double distance = hypot (point->at.x - at.x, point->at.y - at.y);
    /* of points on one spot the ground's, else the first in the file */
    if (point->body == but || distance >= best + (point->body < 0 && best < reach ? SAME : -SAME) * reach)
      continue;
    best = distance;
    pick = (HlPick){.kind = HL_PICK_POINT,
                    .id = point->owner,
                    .index = point->body,
                    .part = point->point,
                    .at = point->at};
  }
  return pick;
}

HlPick hl_pick_point (const HlLinkagePlan *plan, HlSpot at, double reach) {
  return pick_point_but (plan, at, reach, NO_BODY);
}

/* Joints at one spot are told by the spot alone; rods, guides and cylinders by their lines. */
static double item_distance (const HlPlanItem *item, HlSpot at, double reach) {
  if (item->kind == HL_PLAN_LOAD) {
    HlSpot tail = {item->a.x - ARROW_REACHES * reach * cos (item->angle),
                   item->a.y - ARROW_REACHES * reach * sin (item->angle)};
    return hl_point_segment_distance (at, tail, item->a);
  }
  return hl_point_segment_distance (at, item->a, item->b);
}

static gboolean inside_outline (const HlSpot outline[], int n, HlSpot at) {
  for (int i = 0; i < n; i++) {
    HlSpot a = outline[i], b = outline[(i + 1) % n];
    if ((b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x) < 0.0)
      return FALSE;
  }
  return n > 2;
}

static HlPick pick_body_but (const HlLinkagePlan *plan, HlSpot at, double reach, int but) {
  HlPick pick = {0};
  double best = reach;

  for (int body = plan->n_bodies - 1; body >= 0; body--) {
    HlSpot outline[MOST_OUTLINE];
    if (body == but)
      continue;
    int n = hl_linkage_plan_outline (plan, body, outline, MOST_OUTLINE);
    double distance = inside_outline (outline, n, at) ? 0.9 * reach : INFINITY;
    if (n == 1)
      distance = hypot (outline[0].x - at.x, outline[0].y - at.y);
    for (int i = 0; i < n && n > 1; i++)
      distance = MIN (distance, hl_point_segment_distance (at, outline[i], outline[(i + 1) % n]));
    if (n == 0)
      distance = hypot (plan->x[3 * body] - at.x, plan->x[3 * body + 1] - at.y);
    if (distance >= best)
      continue;
    best = distance;
    pick = (HlPick){.kind = HL_PICK_BODY,
                    .id = hl_document_element_id (plan->document, HL_SECTION_BODIES, body),
                    .index = body,
                    .at = at};
  }
  return pick;
}

HlPick hl_pick_linkage (const HlLinkagePlan *plan, HlSpot at, double reach) {
  static const struct {
    HlPlanItemKind item;
    HlPickKind pick;
  } order[] = {{HL_PLAN_JOINT, HL_PICK_JOINT},
               {HL_PLAN_LOAD, HL_PICK_LOAD},
               {HL_PLAN_CYLINDER, HL_PICK_CYLINDER},
               {HL_PLAN_SPRING, HL_PICK_SPRING}};
  HlPick pick = hl_pick_point (plan, at, reach);

  for (gsize k = 0; k < G_N_ELEMENTS (order) && pick.kind == HL_PICK_NOTHING; k++) {
    double best = reach;
    for (guint i = 0; i < plan->items->len; i++) {
      const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
      double distance = item_distance (item, at, reach);
      if (item->kind != order[k].item || distance >= best)
        continue;
      best = distance;
      pick = (HlPick){.kind = order[k].pick, .id = item->id, .index = item->index, .at = at};
    }
  }
  return pick.kind != HL_PICK_NOTHING ? pick : pick_body_but (plan, at, reach, NO_BODY);
}

HlPick hl_pick_beside (const HlLinkagePlan *plan, HlSpot at, double reach, int body) {
  HlPick pick = pick_point_but (plan, at, reach, body);

  return pick.kind != HL_PICK_NOTHING ? pick : pick_body_but (plan, at, reach, body);
}

GPtrArray *hl_pick_linkage_band (const HlLinkagePlan *plan, HlRect band) {
  GPtrArray *ids = g_ptr_array_new ();

  for (int body = 0; body < plan->n_bodies; body++) {
    gboolean inside = plan->first_point[body] < plan->first_point[body + 1];
    for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++)
      inside = inside && hl_rect_contains (band, g_array_index (plan->points, HlPlanPoint, i).at);
    if (inside)
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (plan->document, HL_SECTION_BODIES, body));
  }
  for (guint i = 0; i < plan->items->len; i++) {
    const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
    if (hl_rect_contains (band, item->a) && hl_rect_contains (band, item->b))
      g_ptr_array_add (ids, (gpointer)item->id);
  }
  g_ptr_array_add (ids, NULL);
  return ids;
}
