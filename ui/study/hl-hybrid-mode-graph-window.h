/* SPDX-License-Identifier: MIT */
/* HlModeGraphWindow: the modes of a run of the hybrid model as a graph, with lists of the modes and of the
 * events, and the constraints of the chosen mode. Choosing a mode selects the elements that are closed or in
 * contact in it and moves the time cursor to its first entry, so that the circuit shows it; choosing an event
 * does the same. */
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
