/* SPDX-License-Identifier: MIT */
/* HlLinkageDrag: a drawn linkage that is dragged by a point of one of its bodies, with the
 * constraints holding. It shares nothing that ever changes, so another thread may work on it, one
 * thread at a time. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/edit/linkage/hl-linkage-plan.h"

typedef struct _HlLinkageDrag HlLinkageDrag;

/* Of what stands at a spot of the world on a body; nothing is solved yet. Owned. */
HlLinkageDrag *hl_linkage_drag_new (const HlDocument *document, int body, HlSpot at);
void hl_linkage_drag_free (HlLinkageDrag *drag);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLinkageDrag, hl_linkage_drag_free)

/* Of the document as it stands; borrowed. */
const HlLinkagePlan *hl_linkage_drag_plan (const HlLinkageDrag *drag);
/* Whether joints or cylinders tie what is dragged to the ground. */
gboolean hl_linkage_drag_hangs_on_ground (const HlLinkageDrag *drag);
/* Whether one step of it would hold up a window's thread. */
gboolean hl_linkage_drag_is_long (const HlLinkageDrag *drag);

/* Closes the joints, unless that is done. FALSE: they cannot be closed. */
gboolean hl_linkage_drag_begin (HlLinkageDrag *drag);
/* The document with what is dragged as near to the target as the constraints allow; closes the
 * joints first. *limited: a cylinder is at the end of its stroke. Owned; NULL: the joints cannot
 * be closed. */
HlDocument *hl_linkage_drag_to (HlLinkageDrag *drag, HlSpot target, gboolean *limited);
/* The document with all that is dragged shifted from where the drag began. Owned. */
HlDocument *hl_linkage_drag_shifted (const HlLinkageDrag *drag, double dx, double dy);
/* From any thread: the answer is of no use any more; what is under way ends soon. */
void hl_linkage_drag_stop (HlLinkageDrag *drag);
