/* SPDX-License-Identifier: MIT */
/* One point of the linkage that is meant: clicked, or under the pointer of a menu. It can be put
 * elsewhere by coordinates and taken away. The next click on the same spot means what else is
 * there: the joint, then the point of each body that meets in it. */
#pragma once

#include "ui/edit/tool/hl-pick.h"
#include "ui/edit/tool/hl-tool.h"

/* What a pick means on its turn, the number of clicks on the spot before: which point from now on,
 * and the id to be selected with it. Borrowed; NULL = nothing. */
const char *hl_tool_point_meant (HlTool *tool, const HlPick *pick, int turn);
/* The point within reach of a spot, or none. */
void hl_tool_point_aim (HlTool *tool, HlSpot at, double reach);
/* Marks it and says what can be done. FALSE: no point is meant. */
gboolean hl_tool_point_show (HlTool *tool);

/* Whether Delete means the point rather than what is selected: it is the ground's, or one of more
 * than two of its body. */
gboolean hl_tool_point_is_deleted (HlTool *tool);
/* The document with the point elsewhere: what meets in it goes along; of the ground, the linkage
 * follows. NULL with an error. */
HlDocument *hl_tool_point_moved (HlTool *tool, HlSpot to, GError **error);
/* The document without the point and what hangs on it; names the step. */
HlDocument *hl_tool_point_removed (HlTool *tool, GError **error);
