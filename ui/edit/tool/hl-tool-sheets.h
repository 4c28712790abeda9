/* SPDX-License-Identifier: MIT */
/* HlToolSheets: what a tool knows of circuits on paper: the sheet of the moment, and those of steps
 * that undo may bring back. Laying out a large circuit takes long: who can wait has it done by the
 * tool's host. */
#pragma once

#include "ui/edit/tool/hl-tool.h"

typedef struct HlToolSheets HlToolSheets;

HlToolSheets *hl_tool_sheets_new (HlTool *tool);
void hl_tool_sheets_free (HlToolSheets *sheets);

/* The sheet of a document, borrowed until the next one is asked for. NULL only when `may_wait` and
 * it is being made: the tool announces it. */
HlCircuitSheet *
hl_tool_sheets_get (HlToolSheets *sheets, const HlDocument *document, gboolean may_wait);
/* The sheet of the moment is kept for later if it is that of the tool's base, which is about to
 * become another one. */
void hl_tool_sheets_keep (HlToolSheets *sheets);
