/* SPDX-License-Identifier: MIT */
/* The list of kept runs, newest first: one is visible, any number can be pinned below its traces. Below the
 * list: comparisons, and the memory that the runs use. */
#pragma once

#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_RUN_LIST (hl_run_list_get_type ())
G_DECLARE_FINAL_TYPE (HlRunList, hl_run_list, HL, RUN_LIST, GtkBox)

GtkWidget *hl_run_list_new (HlWorkbench *workbench);
GtkWidget *hl_run_list_popover_new (HlWorkbench *workbench);
/* Returns the text under the name of a run: its differences to the previous run. Owned by the caller. */
char *hl_run_list_subtitle (HlWorkbench *workbench, const HlRun *run);

/* HlRunWindow: two runs side by side: every number and choice that their models differ by, and how
 * far their traces part. */

#define HL_TYPE_RUN_WINDOW (hl_run_window_get_type ())
G_DECLARE_FINAL_TYPE (HlRunWindow, hl_run_window, HL, RUN_WINDOW, GtkWindow)

GtkWidget *hl_run_window_new (HlWorkbench *workbench, GtkWindow *parent);
void hl_run_window_choose (HlRunWindow *self, guint before, guint after); /* indices into the runs */
