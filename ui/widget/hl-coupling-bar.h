/* SPDX-License-Identifier: MIT */
/* HlCouplingBar: the virtual element between a cylinder, motor or vane actuator and its quasistatic oil: what it is, what
 * it could be, and what it costs beside the lumped model. Either proposal is one undo step. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_COUPLING_BAR (hl_coupling_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlCouplingBar, hl_coupling_bar, HL, COUPLING_BAR, GtkBox)

void hl_coupling_bar_set_workbench (HlCouplingBar *self, HlWorkbench *workbench);
/* Shows the one with this id; nothing, if there is none in what was computed. */
void hl_coupling_bar_show (HlCouplingBar *self, const char *id);
