/* SPDX-License-Identifier: MIT */
/* The popover that asks for a target of the eigenvalues: least damping, least natural frequency. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

GtkWidget *hl_target_editor_new (HlWorkbench *workbench);

/* "Target met with F_c from 120 N to 210 N", briefly "120 N to 210 N": of the slider of the
 * locus, one line for all ranges; NULL: nothing is asked for, or there are no branches. Owned by
 * the caller. */
char *hl_target_text (HlWorkbench *workbench, gboolean is_brief);
