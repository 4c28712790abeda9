/* SPDX-License-Identifier: MIT */
/* HlMapWindow: the stability map over two sliders, computed in a thread with progress and cancel; a click
 * sets both sliders. At first it shows the first two. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_MAP_WINDOW (hl_map_window_get_type ())
G_DECLARE_FINAL_TYPE (HlMapWindow, hl_map_window, HL, MAP_WINDOW, GtkWindow)

GtkWidget *hl_map_window_new (HlWorkbench *workbench, GtkWindow *parent);
/* Computes the map of two sliders; replaces one under way. */
void hl_map_window_start (HlMapWindow *self, int x_model_slider, int y_model_slider);
gboolean hl_map_window_is_busy (HlMapWindow *self);
