/* SPDX-License-Identifier: MIT */
/* Every point of every linkage among the examples dragged along a script by the select tool: joints
 * stay closed and cylinders within their strokes, nothing jumps to another branch, and there and
 * back is where it began. */
#include <math.h>
#include <string.h>

#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/edit/tool/hl-hit-test.h"

#define N_STEPS 48 /* of a way out */
#define N_WAYS 4
#define CHECKED 8 /* every so many steps joints and strokes are looked at */
#define FINER 4   /* the same way in this many times as many steps ends on the same branch */
#define REACH                                                                                                \
  0.25              /* radius of the way, of the size of the linkage; twice that every other time  \
                     */
#define CLOSED 1e-9 /* of the size */
#define SAME 1e-6   /* of the size */
/* A point moves this many times as far as the pointer at most, but for a step over a dead point,
 * where it moves as the root of the pointer's way. */
#define GEAR 60.0

static const char *const examples[] = {
    "four-bar",    "crank-rocker", "slider-crank",  "inverted-slider-crank", "watt-six-bar",
    "peaucellier", "scissor-lift", "excavator-arm", "metering-arm",          "ackermann-steering",
};

static double size_of (const HlLinkagePlan *plan) {
  HlRect box = {0};

  for (guint i = 0; i < plan->points->len; i++) {
    HlSpot at = g_array_index (plan->points, HlPlanPoint, i).at;
    HlRect here = {at.x, at.y, 0, 0};
    box = i == 0 ? here : hl_rect_union (box, here);
  }
  return hypot (box.width, box.height);
}

/* Checks joints and strokes of the document during the drag. */
static void assert_holds (const HlScript *script, const char *what, double size) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_tool_document (script->tool));
  g_autofree double *x = g_new (double, 3 * (gsize)plan->n_bodies + 1);

  for (guint i = 0; i < plan->items->len; i++) {
    const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
    if (item->kind != HL_PLAN_JOINT || strcmp (item->type->name, "revolute") != 0)
      continue;
    double gap = hypot (item->a.x - item->b.x, item->a.y - item->b.y);
    if (gap > CLOSED * size)
      g_error ("%s: joint %s is open by %g", what, item->id, gap);
  }
  g_assert_true (hl_linkage_plan_assemble (plan, x)); /* all kinds of joints */
  for (int k = 0; k < 3 * plan->n_bodies; k++)
    if (fabs (x[k] - plan->x[k]) > sqrt (CLOSED) * size) /* links in line: the root of a rounding */
      g_error ("%s: coordinate %d is %g off", what, k, x[k] - plan->x[k]);
  for (guint k = 0; k < plan->limits->len; k++) {
    const HlMechanismDragLimit *limit = &g_array_index (plan->limits, HlMechanismDragLimit, k);
    HlSpot a = hl_linkage_plan_to_world (plan, limit->body_i, limit->u_i);
    HlSpot b = hl_linkage_plan_to_world (plan, limit->body_j, limit->u_j);
    double length = hypot (b.x - a.x, b.y - a.y);
    if (length < limit->shortest - 1e-6 * size || length > limit->longest + 1e-6 * size)
      g_error ("%s: cylinder of %g, not %g to %g", what, length, limit->shortest, limit->longest);
  }
}

/* Returns the largest distance of points of the same name in two documents. */
static double apart (const HlDocument *a, const HlDocument *b) {
  g_autoptr (HlLinkagePlan) one = hl_linkage_plan_new (a);
  g_autoptr (HlLinkagePlan) two = hl_linkage_plan_new (b);
  double most = 0.0;

  for (guint i = 0; i < one->points->len; i++) {
    HlSpot p = g_array_index (one->points, HlPlanPoint, i).at;
    HlSpot q = g_array_index (two->points, HlPlanPoint, i).at;
    most = fmax (most, hypot (p.x - q.x, p.y - q.y));
  }
  return most;
}

/* Returns the pointer position at a part of the path: a loop that begins and ends at the point. */
static HlSpot way (HlSpot start, double radius, double tilt, double part) {
  double turn = 2 * G_PI * part;

  return (HlSpot){start.x + radius * (cos (tilt + turn) - cos (tilt)),
                  start.y + radius * (sin (tilt + turn) - sin (tilt))};
}

typedef struct {
  const char *what, *owner, *name;
  HlSpot start;
  double radius, tilt, size;
} Way;

/* Returns the distance between the dragged point and the pointer. */
static double missed (const HlScript *script, const Way *along, HlSpot pointer) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_tool_document (script->tool));
  HlSpot at = hl_linkage_plan_find_point (plan, along->owner, along->name)->at;

  return hypot (at.x - pointer.x, at.y - pointer.y);
}

/* Moves the pointer from one part of the way to another in n steps. */
static void follow (HlScript *script, const Way *along, double from, double to, int n) {
  HlSpot at = way (along->start, along->radius, along->tilt, from);
  g_autoptr (HlDocument) before = hl_document_ref (hl_tool_document (script->tool));
  double miss = missed (script, along, at);

  for (int step = 1; step <= n; step++) {
    HlSpot next = way (along->start, along->radius, along->tilt, from + (to - from) * step / n);
    hl_script_move (script, next.x, next.y);
    double pointer = hypot (next.x - at.x, next.y - at.y);
    double moved = apart (before, hl_tool_document (script->tool));
    double before_miss = miss;
    miss = missed (script, along, next);
    /* out of reach the linkage may swing from one end of its range to the other */
    if (fmax (miss, before_miss) < 1e-2 * along->size && moved > GEAR * pointer &&
        moved > 2.0 * sqrt (pointer * along->size))
      g_error ("%s: a step of %g of the pointer moves a point by %g", along->what, pointer, moved);
    at = next;
    hl_document_unref (before);
    before = hl_document_ref (hl_tool_document (script->tool));
    if (step % CHECKED == 0)
      assert_holds (script, along->what, along->size);
  }
}

/* Drags half round the loop and back along the same path; on the way out also with steps of another length. */
static void drag_along (HlScript *script, const Way *along, const HlDocument *start) {
  double ends[2];

  for (int fine = 0; fine < 2; fine++) {
    hl_script_press (script, along->start.x, along->start.y);
    follow (script, along, 0.0, 0.5, fine ? FINER * N_STEPS : N_STEPS);
    g_autoptr (HlDocument) out = hl_document_ref (hl_tool_document (script->tool));
    ends[fine] = apart (out, start);
    follow (script, along, 0.5, 0.0, N_STEPS);
    double left = apart (hl_tool_document (script->tool), start);
    if (left > SAME * along->size)
      g_error ("%s: %g off after there and back", along->what, left);
    hl_script_key (script, HL_TOOL_KEY_ESCAPE);
    g_assert_true (hl_document_equal (hl_script_document (script), start));
  }
  if (fabs (ends[0] - ends[1]) > 1e-3 * along->size)
    g_error ("%s: large steps end %g away, small ones %g", along->what, ends[0], ends[1]);
}

static void drag_every_point (gconstpointer data) {
  g_autofree char *file = g_strconcat (data, ".hydrolink", NULL);
  g_autoptr (HlDocument) document = hl_script_load (file);
  /* far out the cell lies flat, where it may open to either side: there other branches do begin */
  gboolean is_short = strcmp (data, "peaucellier") == 0;
  HlScript script;
  int n_points = 0;

  hl_script_init (&script, document);
  hl_script_use (&script, HL_TOOL_LINKAGE);
  g_autoptr (HlLinkagePlan) stated = hl_linkage_plan_new (document);
  g_autofree double *x = g_new (double, 3 * (gsize)stated->n_bodies + 1);
  g_assert_true (hl_linkage_plan_assemble (stated, x)); /* files state rounded poses */
  g_autoptr (HlDocument) start = hl_linkage_plan_with_poses (stated, x);
  hl_script_edit (&script, hl_document_ref (start), "Assemble");
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_script_document (&script));
  double size = size_of (plan);
  script.reach = 1e-3 * size;
  for (guint i = 0; i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    HlPick pick = hl_pick_point (plan, point->at, script.reach);
    if (point->body < 0 || pick.index != point->body || pick.part != point->point)
      continue; /* a press there takes hold of another point, of the ground perhaps */
    n_points++;
    for (int k = 0; k < N_WAYS; k++) {
      g_autofree char *what =
          g_strdup_printf ("%s, %s.%s, way %d", (const char *)data, point->owner, point->name, k);
      Way along = {what,
                   point->owner,
                   point->name,
                   point->at,
                   (k % 2 == 0 || is_short ? 1.0 : 2.0) * REACH * size,
                   2 * G_PI * k / N_WAYS + 0.3,
                   size};
      drag_along (&script, &along, start);
    }
  }
  g_assert_cmpint (n_points, >, 0);
  hl_script_clear (&script);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *path = g_strconcat ("/tool-drag-linkage/", examples[i], NULL);
    g_test_add_data_func (path, examples[i], drag_every_point);
  }
  return g_test_run ();
}
