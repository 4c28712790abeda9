/* SPDX-License-Identifier: MIT */
/* HlRunWindow: two runs side by side: every number and choice that their models differ by, and how
 * far their traces part. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_RUN_WINDOW (hl_run_window_get_type ())
G_DECLARE_FINAL_TYPE (HlRunWindow, hl_run_window, HL, RUN_WINDOW, GtkWindow)

GtkWidget *hl_run_window_new (HlWorkbench *workbench, GtkWindow *parent);
void hl_run_window_choose (HlRunWindow *self, guint before, guint after); /* indices into the runs */
