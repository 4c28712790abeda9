/* SPDX-License-Identifier: MIT */
/* One question of the dialog that adds an element: a searchable list of what it may hang on. */
#pragma once

#include "ui/edit/outline/hl-outline-new.h"

#include <gtk/gtk.h>

#define HL_TYPE_OUTLINE_PICK (hl_outline_pick_get_type ())
G_DECLARE_FINAL_TYPE (HlOutlinePick, hl_outline_pick, HL, OUTLINE_PICK, GtkBox)

/* Takes `choices` (of HlOutlineChoice). The first one that begins with `preset` is chosen; NULL:
 * none. Signals: "changed" when another one is chosen, "done" on Enter. */
GtkWidget *hl_outline_pick_new (const char *question, GPtrArray *choices, const char *preset);

/* What is chosen; NULL = nothing yet. Borrowed. */
const char *hl_outline_pick_chosen (HlOutlinePick *self);
/* The keyboard goes to the entry above the list. */
void hl_outline_pick_focus (HlOutlinePick *self);
