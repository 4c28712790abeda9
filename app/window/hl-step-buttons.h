/* SPDX-License-Identifier: MIT */
/* HlStepButtons: undo, redo and the list of all steps. Buttons and menu say which step it would be. While a field or a tape
 * has the keyboard, its own changes are taken back first. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_STEP_BUTTONS (hl_step_buttons_get_type ())
G_DECLARE_FINAL_TYPE (HlStepButtons, hl_step_buttons, HL, STEP_BUTTONS, GtkBox)

/* Adds the actions undo, redo and history to those of the window, `map`, and fills `section` of its menu; once, and inside
 * the window. */
void hl_step_buttons_set_workbench (HlStepButtons *self, HlWorkbench *workbench, GMenu *section,
                                    GActionMap *map);
/* The list of steps shows the present history. */
gboolean hl_step_buttons_is_settled (HlStepButtons *self);
