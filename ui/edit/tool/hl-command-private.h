/* SPDX-License-Identifier: MIT */
/* What the files of the commands share. */
#pragma once

#include "ui/edit/tool/hl-command.h"

/* Selected ids of a section (HL_SECTION_NONE: of all), borrowed from the document, NULL-terminated,
 * so that they outlive the selection. Owned array. */
GPtrArray *hl_command_selected (HlTool *tool, HlSection wanted);
int hl_command_n_ids (const GPtrArray *ids);
/* Copies of the selection beside it become the working copy, selected. */
gboolean hl_command_duplicate (HlTool *tool, GError **error);
