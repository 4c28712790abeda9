/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-tool-point.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "ui/edit/linkage/hl-linkage-edit.h"

#include <math.h>
#include <string.h>

#define MOST_THERE 16
#define SAME 1e-6 /* [m]: points of one joint */

typedef struct {
  const char *id;    /* to be selected; NULL = nothing */
  const char *owner; /* of the point that is meant */
  const char *name;
} Candidate;

static gboolean is_ground (const char *owner) {
  return strcmp (owner, "ground") == 0;
}

static gboolean is_at (HlSpot a, HlSpot b) {
  return hypot (a.x - b.x, a.y - b.y) <= SAME;
}

/* What a click on a point may mean: the joints there with the point picked, then every point with
 * its body. */
static int candidates_at (HlTool *tool, const HlPick *pick, Candidate list[MOST_THERE]) {
  const HlLinkagePlan *plan = hl_tool_plan (tool);
  const char *picked = hl_document_point_name (hl_tool_base (tool), pick->index, pick->part);
  int n = 0;

  for (guint i = 0; i < plan->items->len && n < MOST_THERE; i++) {
    const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
    if (item->kind == HL_PLAN_JOINT && (is_at (item->b, pick->at) || is_at (item->a, pick->at)))
      list[n++] = (Candidate){item->id, pick->id, picked};
  }
  for (guint i = 0; i < plan->points->len && n < MOST_THERE; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    if (is_at (point->at, pick->at))
      list[n++] = (Candidate){is_ground (point->owner) ? NULL : point->owner, point->owner, point->name};
  }
  return n;
}

const char *hl_tool_point_meant (HlTool *tool, const HlPick *pick, int turn) {
  Candidate list[MOST_THERE];
  int n = pick->kind == HL_PICK_POINT ? candidates_at (tool, pick, list) : 0;

  if (n == 0) {
    hl_tool_set_point (tool, NULL, NULL);
    return pick->kind != HL_PICK_NOTHING ? pick->id : NULL;
  }
  const Candidate *meant = &list[turn % n];
  hl_tool_set_point (tool, meant->owner, meant->name);
  return meant->id;
}

void hl_tool_point_aim (HlTool *tool, HlSpot at, double reach) {
  HlPick pick = hl_pick_point (hl_tool_plan (tool), at, reach);

  if (pick.kind == HL_PICK_POINT)
    hl_tool_set_point (tool, pick.id, hl_document_point_name (hl_tool_base (tool), pick.index, pick.part));
  else
    hl_tool_set_point (tool, NULL, NULL);
}

gboolean hl_tool_point_show (HlTool *tool) {
  const char *owner, *name;

  if (!hl_tool_point (tool, &owner, &name))
    return FALSE;
  const HlPlanPoint *point = hl_linkage_plan_find_point (hl_tool_plan (tool), owner, name);
  hl_tool_add_mark (tool, HL_MARK_HANDLE, point->at, point->at);
  if (hl_tool_point_is_deleted (tool))
    hl_tool_say (tool,
                 _ ("Point %s.%s: “x; y” puts it elsewhere, Delete takes it away; click "
                    "again for what else is there"),
                 owner, name);
  else
    hl_tool_say (tool, _ ("Point %s.%s: “x; y” puts it elsewhere; click again for what else is there"), owner,
                 name);
  return TRUE;
}

gboolean hl_tool_point_is_deleted (HlTool *tool) {
  const char *const *ids = hl_tool_selection (tool);
  const char *owner, *name;
  int body;

  if (!hl_tool_point (tool, &owner, &name))
    return FALSE;
  if (is_ground (owner))
    return ids[0] == NULL;
  return ids[0] != NULL && ids[1] == NULL && strcmp (ids[0], owner) == 0 &&
         hl_document_resolve_body (hl_tool_base (tool), owner, &body, NULL) &&
         hl_document_n_points (hl_tool_base (tool), body) > 2;
}

HlDocument *hl_tool_point_moved (HlTool *tool, HlSpot to, GError **error) {
  const char *owner, *name;

  if (!hl_tool_point (tool, &owner, &name)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("no point is selected"));
    return NULL;
  }
  hl_tool_name_step (tool, _ ("Move point %s.%s"), owner, name);
  return is_ground (owner) ? hl_linkage_move_ground (hl_tool_base (tool), name, to, error)
                           : hl_linkage_move_point (hl_tool_base (tool), owner, name, to, error);
}

HlDocument *hl_tool_point_removed (HlTool *tool, GError **error) {
  const char *owner, *name;

  if (!hl_tool_point (tool, &owner, &name)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("no point is selected"));
    return NULL;
  }
  hl_tool_name_step (tool, _ ("Delete point %s.%s"), owner, name);
  return hl_linkage_remove_point (hl_tool_base (tool), owner, name, error);
}
