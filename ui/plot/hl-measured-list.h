/* SPDX-License-Identifier: MIT */
/* Measured data beside the model: the list of them, and the window that reads a table.
 *
 * HlMeasuredList: the measured data of the model, a row each: what they are, or why they are not there, with
 * what mends it. One form lists all of them (below the runs), the other one only says what is wrong (above
 * the plots) and hides itself when nothing is. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_MEASURED_LIST (hl_measured_list_get_type ())
G_DECLARE_FINAL_TYPE (HlMeasuredList, hl_measured_list, HL, MEASURED_LIST, GtkBox)

GtkWidget *hl_measured_list_new (HlWorkbench *workbench, gboolean only_problems);
int hl_measured_list_n_rows (HlMeasuredList *self);

/* Opens the measured-data window for a table; a message when it cannot be read. */
void hl_measured_open (HlWorkbench *workbench, const char *path, GtkWindow *parent);
/* Asks for a table first. */
void hl_measured_choose (HlWorkbench *workbench, GtkWindow *parent);

/* HlMeasuredWindow: a table of measured data beside the model. The dialog has the separator and the decimal mark, shows
 * the first rows that result, and lets the user choose the column of the time, the trace of every other column, and the
 * units; for each trace it shows the deviation of the displayed run. */

#define HL_TYPE_MEASURED_WINDOW (hl_measured_window_get_type ())
G_DECLARE_FINAL_TYPE (HlMeasuredWindow, hl_measured_window, HL, MEASURED_WINDOW, GtkWindow)

/* Returns a window for a new table. Another thread reads the file afterwards; the window shows an error of
 * reading. */
GtkWidget *hl_measured_window_new (HlWorkbench *workbench, const char *path, GtkWindow *parent);
/* Returns a window to change or remove entry `index` of the model. NULL with an error: it no longer exists. */
GtkWidget *hl_measured_window_new_for (HlWorkbench *workbench, int index, GtkWindow *parent, GError **error);

/* Contents of the window, for tests. */
int hl_measured_window_n_columns (HlMeasuredWindow *self); /* 0: it could not be read so */
const char *hl_measured_window_residual (HlMeasuredWindow *self, int column);
gboolean hl_measured_window_use (HlMeasuredWindow *self);
