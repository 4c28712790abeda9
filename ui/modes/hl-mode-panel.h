/* SPDX-License-Identifier: MIT */
/* HlModePanel: what there is to a mode that is looked at: how far the drawings exaggerate it, which
 * states take part, and whether the nonlinear machine agrees. Hidden while there is none. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_MODE_PANEL (hl_mode_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlModePanel, hl_mode_panel, HL, MODE_PANEL, GtkBox)

void hl_mode_panel_set_workbench (HlModePanel *self, HlWorkbench *workbench);
/* Kicks the nonlinear model along the mode, in a thread, and shows what comes out. */
void hl_mode_panel_check (HlModePanel *self);
