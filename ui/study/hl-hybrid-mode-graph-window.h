/* SPDX-License-Identifier: MIT */
/* HlModeGraphWindow: what a run of the hybrid oil model went through. The graph of its modes;
 * beside it the modes and the events as lists and the constraints of the mode that is chosen.
 * Choosing a mode selects what is closed and touched in it and puts the time cursor where it was
 * first entered, so that the circuit shows it; an event does the same for itself. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_MODE_GRAPH_WINDOW (hl_mode_graph_window_get_type ())
G_DECLARE_FINAL_TYPE (HlModeGraphWindow, hl_mode_graph_window, HL, MODE_GRAPH_WINDOW, GtkWindow)

GtkWidget *hl_mode_graph_window_new (HlWorkbench *workbench, GtkWindow *parent);
int hl_mode_graph_window_n_modes (HlModeGraphWindow *self);
/* Returns the chosen mode; -1: none. */
int hl_mode_graph_window_chosen (HlModeGraphWindow *self);
void hl_mode_graph_window_choose (HlModeGraphWindow *self, int mode);
