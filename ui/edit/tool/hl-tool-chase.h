/* SPDX-License-Identifier: MIT */
/* HlToolChase: a linkage so large that finding its poses would hold up the window follows the
 * pointer as fast as its host finds them. One place is looked for at a time and the newest wins;
 * the drawing follows when the answer comes. */
#pragma once

#include "ui/edit/linkage/hl-linkage-drag.h"
#include "ui/edit/tool/hl-tool.h"

typedef struct _HlToolChase HlToolChase;

/* Takes the document; NULL: the joints cannot be closed. It may free the chase. */
typedef void (*HlToolFollowed) (HlTool *tool, HlDocument *document, gboolean limited, gpointer data);

/* Takes the drag. The tool's host must be able to send work, hl_tool_can_send. */
HlToolChase *hl_tool_chase_new (HlTool *tool, HlLinkageDrag *drag, HlToolFollowed followed, gpointer data);
/* Nothing is followed from here on, whatever still comes back. */
void hl_tool_chase_free (HlToolChase *chase);

void hl_tool_chase_to (HlToolChase *chase, HlSpot target);
/* Nothing is looked for: the last target was answered. */
gboolean hl_tool_chase_is_over (const HlToolChase *chase);
const HlLinkageDrag *hl_tool_chase_drag (const HlToolChase *chase);
