/* SPDX-License-Identifier: MIT */
/* HlDataWindow: the numbers of a run as a file: its format, the columns that are wanted, and their
 * units, before a name is asked for. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_DATA_WINDOW (hl_data_window_get_type ())
G_DECLARE_FINAL_TYPE (HlDataWindow, hl_data_window, HL, DATA_WINDOW, GtkWindow)

/* Of the run that is shown. NULL and HL_ERROR_USAGE when it has no rows. */
HlDataWindow *hl_data_window_present (HlWorkbench *workbench, GtkWindow *parent, GError **error);

/* What the button does once there is a name. */
gboolean hl_data_window_save_to (HlDataWindow *self, const char *path, GError **error);
