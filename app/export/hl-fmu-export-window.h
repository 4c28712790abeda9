/* SPDX-License-Identifier: MIT */
/* HlFmuWindow: dialog with the version of an FMU and its hydraulic inputs, before the file dialog. */
#pragma once

#include "core/fmu/hl-fmu.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_FMU_WINDOW (hl_fmu_window_get_type ())
G_DECLARE_FINAL_TYPE (HlFmuWindow, hl_fmu_window, HL, FMU_WINDOW, GtkWindow)

/* Presents the window for the edited model; places in `ticked` (NULL-terminated, or NULL) are ticked. Signal
 * "chosen" with the path of the file. */
HlFmuWindow *hl_fmu_window_present (HlWorkbench *workbench, GtkWindow *parent, const char *const *ticked,
                                    HlFmiVersion version, gboolean for_windows);

/* Returns the lines and ports that are ticked, NULL-terminated; owned by the caller. */
char **hl_fmu_window_hoses (HlFmuWindow *self);
HlFmiVersion hl_fmu_window_version (HlFmuWindow *self);
/* Returns whether the FMU gets a binary for 64-bit Windows beside that for this machine. */
gboolean hl_fmu_window_for_windows (HlFmuWindow *self);
