/* SPDX-License-Identifier: MIT */
/* HlOutline: every element of the model as a list, for the keyboard and for screen readers. The selection is
 * shared with the canvases and the inspector; every command of a canvas is available from a row, by key or by
 * menu. An entry above the list finds elements by id, name or kind. */
#pragma once

#include "ui/canvas/hl-canvas.h"
#include "ui/canvas/hl-tool-bridge.h"

#define HL_TYPE_OUTLINE (hl_outline_get_type ())
G_DECLARE_FINAL_TYPE (HlOutline, hl_outline, HL, OUTLINE, GtkBox)

/* Sets the workbench and the bridges of both canvases, through which the tools act. */
void hl_outline_set_workbench (HlOutline *self, HlWorkbench *workbench, HlToolBridge *circuit,
                               HlToolBridge *linkage);
/* Moves the focus to the entry; Escape there gives it back. `left` (may be NULL) is called then: the outline
 * may be hidden again. */
void hl_outline_find (HlOutline *self, void (*left) (gpointer data), gpointer data);

/* Turns the name of the row with the focus, otherwise of the selected element, into an entry. */
void hl_outline_rename_selected (HlOutline *self);

/* Returns the row with a key, "id:dcv", "link2.C"; NULL = none. For tests. */
GtkListBoxRow *hl_outline_row (HlOutline *self, const char *key);
/* Returns the text below the list: why an action was refused. */
const char *hl_outline_message (HlOutline *self);
