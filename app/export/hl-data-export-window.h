/* SPDX-License-Identifier: MIT */
/* HlDataWindow: dialog for exporting the numbers of a run: the format, the columns and their units, before the file
 * dialog. */
#pragma once

#include "core/run/hl-run-results.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_DATA_WINDOW (hl_data_window_get_type ())
G_DECLARE_FINAL_TYPE (HlDataWindow, hl_data_window, HL, DATA_WINDOW, GtkWindow)

/* Presents the data of the displayed run, or of its linear response if `linear`. NULL and HL_ERROR_USAGE when
 * the run has no rows. */
HlDataWindow *hl_data_window_present (HlWorkbench *workbench, GtkWindow *parent, gboolean linear,
                                      GError **error);
/* Returns the columns (int) of results that can be exported, without time: each once, the linear response
 * only if `linear`. */
GArray *hl_data_columns (const HlResults *results, gboolean linear);

/* Saves to the chosen name, as the button does. */
gboolean hl_data_window_save_to (HlDataWindow *self, const char *path, GError **error);
