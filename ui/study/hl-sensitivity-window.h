/* SPDX-License-Identifier: MIT */
/* HlSensitivityWindow: d lambda/d p of every eigenvalue to every slider as a table that can be
 * sorted by any column; it follows the model. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_SENSITIVITY_WINDOW (hl_sensitivity_window_get_type ())
G_DECLARE_FINAL_TYPE (HlSensitivityWindow, hl_sensitivity_window, HL, SENSITIVITY_WINDOW, GtkWindow)

GtkWidget *hl_sensitivity_window_new (HlWorkbench *workbench, GtkWindow *parent);
