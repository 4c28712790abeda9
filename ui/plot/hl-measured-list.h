/* SPDX-License-Identifier: MIT */
/* HlMeasuredList: the measured data of the model, a row each: what they are, or why they are not
 * there, with what mends it. One form lists all of them (below the runs), the other one only says
 * what is wrong (above the plots) and hides itself when nothing is. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_MEASURED_LIST (hl_measured_list_get_type ())
G_DECLARE_FINAL_TYPE (HlMeasuredList, hl_measured_list, HL, MEASURED_LIST, GtkBox)

GtkWidget *hl_measured_list_new (HlWorkbench *workbench, gboolean only_problems);
int hl_measured_list_n_rows (HlMeasuredList *self);

/* Opens the measured-data window for a table; a message when it cannot be read. */
void hl_measured_open (HlWorkbench *workbench, const char *path, GtkWindow *parent);
/* Asks for a table first. */
void hl_measured_choose (HlWorkbench *workbench, GtkWindow *parent);
