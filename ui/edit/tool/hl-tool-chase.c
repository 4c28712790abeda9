/* SPDX-License-Identifier: MIT */
/* The drag belongs to the host's thread while something is under way, and to the tool otherwise; a
 * chase that is left meanwhile is freed when the drag comes back. */
#include "ui/edit/tool/hl-tool-chase.h"

struct _HlToolChase {
  HlTool *tool; /* NULL: nobody follows any more */
  HlToolFollowed followed;
  gpointer data;
  HlLinkageDrag *drag;
  HlSpot wanted; /* the newest target */
  gboolean is_due;
  gboolean is_under_way;
  /* what is under way, and its answer */
  HlSpot target;
  HlDocument *document;
  gboolean limited;
};

static void destroy (HlToolChase *chase) {
  hl_linkage_drag_free (chase->drag);
  hl_document_unref (chase->document);
  g_free (chase);
}

static void work (gpointer job) {
  HlToolChase *chase = job;
  chase->document = hl_linkage_drag_to (chase->drag, chase->target, &chase->limited);
}

/* It has come back, with or without an answer. FALSE: nobody waits for it any more. */
static gboolean come_back (HlToolChase *chase) {
  chase->is_under_way = FALSE;
  if (chase->tool != NULL)
    return TRUE;
  destroy (chase);
  return FALSE;
}

static void dropped (gpointer job) {
  come_back (job);
}

static void answered (gpointer job);

static void send (HlToolChase *chase) {
  chase->target = chase->wanted;
  chase->is_due = FALSE;
  chase->is_under_way = TRUE;
  hl_tool_send (chase->tool, &(HlToolErrand){work, answered, dropped, chase});
}

static void answered (gpointer job) {
  HlToolChase *chase = job;

  if (!come_back (chase))
    return;
  HlDocument *document = g_steal_pointer (&chase->document);
  gboolean limited = chase->limited;
  if (document != NULL && chase->is_due)
    send (chase);
  chase->followed (chase->tool, document, limited, chase->data);
}

HlToolChase *hl_tool_chase_new (HlTool *tool, HlLinkageDrag *drag, HlToolFollowed followed, gpointer data) {
  HlToolChase *chase = g_new0 (HlToolChase, 1);

  chase->tool = tool;
  chase->drag = drag;
  chase->followed = followed;
  chase->data = data;
  return chase;
}

void hl_tool_chase_free (HlToolChase *chase) {
  if (chase == NULL)
    return;
  chase->tool = NULL;
  if (chase->is_under_way)
    hl_linkage_drag_stop (chase->drag);
  else
    destroy (chase);
}

void hl_tool_chase_to (HlToolChase *chase, HlSpot target) {
  chase->wanted = target;
  chase->is_due = TRUE;
  if (!chase->is_under_way)
    send (chase);
}

gboolean hl_tool_chase_is_over (const HlToolChase *chase) {
  return !chase->is_due && !chase->is_under_way;
}

const HlLinkageDrag *hl_tool_chase_drag (const HlToolChase *chase) {
  return chase->drag;
}
