/* SPDX-License-Identifier: MIT */
/* Points that move with all that meet in them, so that links change their lengths. */
#include "ui/edit/linkage/hl-linkage-edit.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/mech/hl-joint.h"
#include "ui/edit/linkage/hl-linkage-edit-private.h"

#include <math.h>
#include <string.h>

/* Whether a joint holds its two points together. */
static gboolean
is_pin (const HlPlanItem *item)
{
  return item->kind == HL_PLAN_JOINT && hl_joint_class (item->type->name)->joins_points;
}

static int
point_index (const HlLinkagePlan *plan, const char *text)
{
  for (guint i = 0; text != NULL && i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    gsize length = strlen (point->owner);
    if (strncmp (text, point->owner, length) == 0 && text[length] == '.' &&
        strcmp (text + length + 1, point->name) == 0)
      return (int)i;
  }
  return -1;
}

/* Marks a point and all that are pinned to it. */
static void
mark_meeting (const HlLinkagePlan *plan, int start, gboolean meets[])
{
  gboolean grows = TRUE;

  meets[start] = TRUE;
  while (grows) {
    grows = FALSE;
    for (guint i = 0; i < plan->items->len; i++) {
      const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
      if (!is_pin (item))
        continue;
      const HlValue *element = hl_document_element (plan->document, HL_SECTION_JOINTS, item->index);
      int a = point_index (plan, hl_value_string (hl_value_member (element, "a")));
      int b = point_index (plan, hl_value_string (hl_value_member (element, "b")));
      if (a < 0 || b < 0 || meets[a] == meets[b])
        continue;
      meets[a] = meets[b] = grows = TRUE;
    }
  }
}

/* The place a locked bar leaves to its end: on the circle, or on the line through its other end. */
static HlSpot
give_way (const HlLinkagePlan *plan, const gboolean meets[], HlSpot at)
{
  for (int body = 0; body < plan->n_bodies; body++) {
    const char *id = hl_document_element_id (plan->document, HL_SECTION_BODIES, body);
    guint lock = hl_linkage_lock (plan->document, id);
    int first = plan->first_point[body];
    double length, angle;
    if (lock == HL_LOCK_NONE || !hl_linkage_measure (plan, body, &length, &angle))
      continue;
    int moved = meets[first] ? first : meets[first + 1] ? first + 1 : -1;
    if (moved < 0)
      continue;
    HlSpot other = g_array_index (plan->points, HlPlanPoint, moved == first ? first + 1 : first).at;
    HlSpot now = g_array_index (plan->points, HlPlanPoint, moved).at;
    double dx = at.x - other.x, dy = at.y - other.y, far = hypot (dx, dy);
    if (lock == (HL_LOCK_LENGTH | HL_LOCK_ANGLE) || !(far > 0.0))
      return now;
    if (lock == HL_LOCK_LENGTH)
      return (HlSpot){other.x + dx * length / far, other.y + dy * length / far};
    double ex = (now.x - other.x) / length, ey = (now.y - other.y) / length;
    double along = MAX (dx * ex + dy * ey, 1e-3 * length);
    return (HlSpot){other.x + along * ex, other.y + along * ey};
  }
  return at;
}

/* Puts the marked points to places shifted by (dx, dy), or all to one place. */
static HlDocument *
with_points_moved (const HlLinkagePlan *plan,
                   const gboolean meets[],
                   const HlSpot *to,
                   double dx,
                   double dy,
                   GError **error)
{
  g_autoptr (HlDocument) next = hl_document_ref (plan->document);
  g_autoptr (GPtrArray) touched = g_ptr_array_new ();

  for (guint i = 0; i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    double u[2];
    if (!meets[i])
      continue;
    HlSpot at = to != NULL ? *to : (HlSpot){point->at.x + dx, point->at.y + dy};
    hl_linkage_plan_to_body (plan, point->body, at, u);
    if (!hl_linkage_take (&next, hl_edit_set_point (next, point->owner, point->name, u, error)))
      return NULL;
    if (point->body >= 0 && !g_ptr_array_find (touched, point->owner, NULL))
      g_ptr_array_add (touched, (gpointer)point->owner);
  }
  for (guint i = 0; i < touched->len; i++) {
    const char *body = g_ptr_array_index (touched, i);
    hl_linkage_take (&next, hl_linkage_recentre (next, plan->document, body));
    hl_linkage_take (&next, hl_linkage_refresh_mass (next, plan->document, body));
  }
  return g_steal_pointer (&next);
}

HlDocument *
hl_linkage_move_point (
    const HlDocument *document, const char *owner, const char *name, HlSpot at, GError **error)
{
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree gboolean *meets = g_new0 (gboolean, plan->points->len + 1);
  g_autofree char *text = g_strconcat (owner, ".", name, NULL);
  int start = point_index (plan, text);

  if (start < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no point ‘%s’"), text);
    return NULL;
  }
  mark_meeting (plan, start, meets);
  at = give_way (plan, meets, at);
  return with_points_moved (plan, meets, &at, 0, 0, error);
}

HlDocument *
hl_linkage_shift_body (
    const HlDocument *document, const char *id, double dx, double dy, GError **error)
{
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree gboolean *meets = g_new0 (gboolean, plan->points->len + 1);
  int body;

  if (!hl_document_resolve_body (document, id, &body, error))
    return NULL;
  if (body >= 0) {
    /* its own points stay in its frame, which moves */
    double pose[3] = {plan->x[3 * body] + dx, plan->x[3 * body + 1] + dy, plan->x[3 * body + 2]};
    g_autoptr (HlDocument) moved =
        hl_edit_set (document, id, "pose", hl_value_new_numbers (pose, 3), error);
    if (moved == NULL)
      return NULL;
    for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++)
      mark_meeting (plan, i, meets);
    for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++)
      meets[i] = FALSE;
    g_autoptr (HlLinkagePlan) moved_plan = hl_linkage_plan_new (moved);
    return with_points_moved (moved_plan, meets, NULL, dx, dy, error);
  }
  for (int i = plan->first_point[plan->n_bodies]; i < (int)plan->points->len; i++)
    mark_meeting (plan, i, meets);
  return with_points_moved (plan, meets, NULL, dx, dy, error);
}
