/* SPDX-License-Identifier: MIT */
/* HlStepButtons: undo, redo and the list of all steps. Buttons and menu name the step. If a text field or a tape has the
 * keyboard focus, undo takes back its own changes first. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_STEP_BUTTONS (hl_step_buttons_get_type ())
G_DECLARE_FINAL_TYPE (HlStepButtons, hl_step_buttons, HL, STEP_BUTTONS, GtkBox)

/* Adds the actions undo, redo and history to `map`, the window, and fills `section` of its menu. Call once, when the buttons
 * are in the window. */
void hl_step_buttons_set_workbench (HlStepButtons *self, HlWorkbench *workbench, GMenu *section,
                                    GActionMap *map);
/* Returns whether the list of steps shows the present history. */
gboolean hl_step_buttons_is_settled (HlStepButtons *self);
