/* SPDX-License-Identifier: MIT */
/* HlRestWindow: the range of rest positions due to dry friction: for every pose and every pressure a bar
 * around the computed point. Follows the model while it is open. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_REST_WINDOW (hl_rest_window_get_type ())
G_DECLARE_FINAL_TYPE (HlRestWindow, hl_rest_window, HL, REST_WINDOW, GtkWindow)

GtkWidget *hl_rest_window_new (HlWorkbench *workbench, GtkWindow *parent);
