/* SPDX-License-Identifier: MIT */
/* HlResponseWindow: the response of a probe to an input of the linear model: Bode, Nyquist or step, with the
 * margins of a loop closed around it. It follows the model while sliders move; one response can be kept for
 * comparison. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_RESPONSE_WINDOW (hl_response_window_get_type ())
G_DECLARE_FINAL_TYPE (HlResponseWindow, hl_response_window, HL, RESPONSE_WINDOW, GtkWindow)

GtkWidget *hl_response_window_new (HlWorkbench *workbench, GtkWindow *parent);
