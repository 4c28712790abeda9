/* SPDX-License-Identifier: MIT */
/* Target of the pointer on the linkage: while an element is drawn, its end on a point, on a body or in free space, or
 * the typed coordinates; otherwise the clicked point. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/edit/tool/hl-hit-test.h"
#include "ui/edit/tool/hl-tool.h"

/* Typed input while drawing in the plane: a length "2 m", an angle "60 deg", both "2 < 60", or coordinates "1; 0.5".
 * Lengths without a unit are in the unit shown, angles after < in degrees; formulas may use the parameters of the
 * model. */

typedef struct {
  gboolean has_length, has_angle, has_xy;
  double length; /* [m] */
  double angle;  /* [rad] */
  double x, y;   /* [m] */
  double slack;  /* [m] half a step of the last digit of the coordinates; 0: of none that is known */
} HlEntry;

/* Returns whether a text that is typed begins an entry rather than being a shortcut. */
gboolean hl_entry_begins (const char *text);

typedef struct {
  GString *typed;
} HlTyping;

/* Returns the end under the pointer, with marks for what it snaps to; ids are borrowed from the working copy. */
HlLinkageEnd hl_linkage_target (HlTool *tool, const HlToolEvent *event);
/* Returns the end at a spot known exactly: on a point or a body that stands there, else in the open. */
HlLinkageEnd hl_linkage_end_at (HlTool *tool, HlSpot at);
/* Returns another body, or a point of another body, at the place of an end: crossing bars are joined there. Owner NULL
 * where there is nothing, or where a joint holds them already. */
HlLinkageEnd hl_linkage_end_beside (HlTool *tool, const HlLinkageEnd *end, double reach);
/* Returns the end at typed coordinates: on the point that they are the rounded coordinates of. */
HlLinkageEnd hl_linkage_end_typed (HlTool *tool, const HlEntry *entry);

/* Takes a key or text into what is typed; TRUE when it was for it. */
gboolean hl_typing_feed (HlTyping *typing, const HlToolEvent *event);
/* Parses the typed input; FALSE when there is none, or when it is invalid (then the status line has the reason). */
gboolean hl_typing_read (HlTool *tool, const HlTyping *typing, HlEntry *entry);

/* Returns a length in the displayed unit, "1.25 m". Owned by the caller. */
char *hl_linkage_length_text (const HlTool *tool, double length);

/* One point of the linkage that is meant: clicked, or under the pointer of a menu. It can be put
 * elsewhere by coordinates and taken away. The next click on the same spot means what else is
 * there: the joint, then the point of each body that meets in it. */

/* Returns the id selected by a pick; `turn` is the number of earlier clicks on the same spot, which cycle
 * through the points there. Borrowed; NULL: none. */
const char *hl_tool_point_meant (HlTool *tool, const HlPick *pick, int turn);
/* Aims at the point within reach of a spot, or at none. */
void hl_tool_point_aim (HlTool *tool, HlSpot at, double reach);
/* Marks the target and shows the possible actions. FALSE: there is no target point. */
gboolean hl_tool_point_show (HlTool *tool);

/* Returns whether Delete means the point rather than what is selected: it is the ground's, or one of more
 * than two of its body. */
gboolean hl_tool_point_is_deleted (HlTool *tool);
/* Returns the document with the point elsewhere: what meets in it goes along; of the ground, the linkage
 * follows. NULL with an error. */
HlDocument *hl_tool_point_moved (HlTool *tool, HlSpot to, GError **error);
/* Returns the document without the point and what hangs on it; names the step. */
HlDocument *hl_tool_point_removed (HlTool *tool, GError **error);
