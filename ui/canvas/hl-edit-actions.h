/* SPDX-License-Identifier: MIT */
/* The commands of the selection as actions of a canvas: "edit.delete", "edit.rotate", "edit.copy"
 * ..., with their keys and the context menu. */
#pragma once

#include "ui/canvas/hl-canvas.h"
#include "ui/edit/tool/hl-tool.h"

typedef struct _HlEditActions HlEditActions;

/* Both are borrowed and outlive the actions. */
HlEditActions *hl_edit_actions_new (HlCanvas *canvas, HlTool *tool);
void hl_edit_actions_free (HlEditActions *self);

/* What is enabled, from the present selection. */
void hl_edit_actions_update (HlEditActions *self);
void hl_edit_actions_set_pointer (HlEditActions *self, HlSpot world);
void hl_edit_actions_show_menu (HlEditActions *self, HlSpot device, HlSpot world);
