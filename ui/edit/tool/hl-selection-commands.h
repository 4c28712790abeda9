/* SPDX-License-Identifier: MIT */
/* Commands on a selection by key, menu or outline: each command is one undo step. */
#pragma once

#include "ui/edit/linkage/hl-linkage-geometry.h"
#include "ui/edit/tool/hl-tool.h"

typedef struct {
  const char *id;    /* "rotate" */
  const char *label; /* untranslated */
  guint canvases;    /* bits 1 << HlToolCanvas */
  int least;         /* elements that must be selected */
} HlCommand;

const HlCommand *hl_command_list (int *n);
/* Returns whether a command makes sense now. */
gboolean hl_command_can (HlTool *tool, const char *id);

/* Applies a command to the selection: the tool receives the new document, the step's name and the new
 * selection. For tools, which return the response. The window uses hl_command_do. */
HlToolResponse hl_command_run (HlTool *tool, const char *id, GError **error);
/* Moves the selected symbols by arrow keys. */
HlToolResponse hl_command_nudge_symbols (HlTool *tool, double dx, double dy);
/* Returns a drag of the selected bodies, which move as far as their joints permit: the first one leads, by
 * its origin. NULL: none is selected. Owned by the caller. */
HlLinkageDrag *hl_command_nudge_drag (HlTool *tool, HlSpot *origin);
/* Names the step after what is selected. */
void hl_command_name_nudge (HlTool *tool);
/* Applies a command from outside and commits at once. FALSE: nothing was done. */
gboolean hl_command_do (HlTool *tool, const char *id, GError **error);

/* Returns the selection as text for the clipboard, owned; NULL when nothing is selected. */
char *hl_command_copy (HlTool *tool);
/* Positions of copies. */
typedef struct {
  const HlSpot *at;   /* their middle; NULL: beside where they came from, over nothing that is drawn */
  const HlRect *view; /* the part of the plane in sight, that they stay inside of; NULL: anywhere */
} HlPasteTarget;

/* Pastes such text on the tool's canvas; the copies are selected. */
gboolean hl_command_paste (HlTool *tool, const char *text, const HlPasteTarget *target, GError **error);
void hl_command_select_all (HlTool *tool);
