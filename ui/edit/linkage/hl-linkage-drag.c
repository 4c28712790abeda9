/* SPDX-License-Identifier: MIT */
#include "ui/edit/linkage/hl-linkage-drag.h"

#include "core/mech/hl-drag.h"

#include <stdatomic.h>
#include <string.h>

/* A step eliminates the constraints, which takes as long as the cube of this at worst. */
#define MOST_BODIES 40

struct _HlLinkageDrag {
  HlLinkagePlan *plan;
  int body;
  double grab[2]; /* in the body's frame */
  bool *moved;    /* n_bodies of the plan */
  int n_moved;
  double *x;    /* 3 a body: as dragged last */
  HlDrag *drag; /* NULL: the joints are not closed yet */
  atomic_bool stopped;
};

HlLinkageDrag *hl_linkage_drag_new (const HlDocument *document, int body, HlSpot at) {
  HlLinkageDrag *drag = g_new0 (HlLinkageDrag, 1);

  drag->plan = hl_linkage_plan_new (document);
  HlDragModel model = hl_linkage_plan_model (drag->plan);
  drag->body = body;
  drag->x = g_memdup2 (drag->plan->x, 3 * (gsize)model.n_bodies * sizeof (double));
  hl_linkage_plan_to_body (drag->plan, body, at, drag->grab);
  drag->moved = g_new0 (bool, (gsize)model.n_bodies + 1);
  hl_drag_moved_bodies (&model, body, drag->moved);
  for (int other = 0; other < model.n_bodies; other++)
    drag->n_moved += drag->moved[other];
  return drag;
}

void hl_linkage_drag_free (HlLinkageDrag *drag) {
  if (drag == NULL)
    return;
  hl_drag_free (drag->drag);
  hl_linkage_plan_free (drag->plan);
  g_free (drag->moved);
  g_free (drag->x);
  g_free (drag);
}

const HlLinkagePlan *hl_linkage_drag_plan (const HlLinkageDrag *drag) {
  return drag->plan;
}

gboolean hl_linkage_drag_hangs_on_ground (const HlLinkageDrag *drag) {
  const HlLinkagePlan *plan = drag->plan;

  for (guint i = 0; i < plan->rows->len; i++) {
    const HlRow *row = &g_array_index (plan->rows, HlRow, i);
    int body = row->body_i >= 0 ? row->body_i : row->body_j;
    if ((row->body_i < 0 || row->body_j < 0) && body >= 0 && drag->moved[body] && hl_row_is_holonomic (row))
      return TRUE;
  }
  for (guint i = 0; i < plan->limits->len; i++) {
    const HlDragLimit *limit = &g_array_index (plan->limits, HlDragLimit, i);
    int body = limit->body_i >= 0 ? limit->body_i : limit->body_j;
    if ((limit->body_i < 0 || limit->body_j < 0) && body >= 0 && drag->moved[body])
      return TRUE;
  }
  return FALSE;
}

gboolean hl_linkage_drag_is_long (const HlLinkageDrag *drag) {
  return drag->n_moved > MOST_BODIES;
}

static bool is_stopped (void *data) {
  HlLinkageDrag *drag = data;
  return atomic_load_explicit (&drag->stopped, memory_order_relaxed);
}

gboolean hl_linkage_drag_begin (HlLinkageDrag *drag) {
  HlDragModel model = hl_linkage_plan_model (drag->plan);

  if (drag->drag == NULL) {
    drag->drag = hl_drag_new (&model, drag->x, drag->body, drag->grab, NULL);
    if (drag->drag != NULL)
      hl_drag_set_cancel (drag->drag, is_stopped, drag);
  }
  return drag->drag != NULL;
}

HlDocument *hl_linkage_drag_to (HlLinkageDrag *drag, HlSpot target, gboolean *limited) {
  double at[2] = {target.x, target.y};

  *limited = FALSE;
  if (!hl_linkage_drag_begin (drag))
    return NULL;
  hl_drag_to (drag->drag, at, drag->x);
  for (guint k = 0; k < drag->plan->limits->len; k++)
    *limited |= hl_drag_limit_side (drag->drag, (int)k) != 0;
  return hl_linkage_plan_with_poses (drag->plan, drag->x);
}

HlDocument *hl_linkage_drag_shifted (const HlLinkageDrag *drag, double dx, double dy) {
  g_autofree double *x = g_memdup2 (drag->x, 3 * (gsize)drag->plan->n_bodies * sizeof (double));

  for (int body = 0; body < drag->plan->n_bodies; body++)
    if (drag->moved[body]) {
      x[3 * body] += dx;
      x[3 * body + 1] += dy;
    }
  return hl_linkage_plan_with_poses (drag->plan, x);
}

void hl_linkage_drag_stop (HlLinkageDrag *drag) {
  atomic_store_explicit (&drag->stopped, true, memory_order_relaxed);
}
