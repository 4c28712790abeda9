/* SPDX-License-Identifier: MIT */
/* Help on what is selected, out of the schema: what the element is, each of its numbers with what it
 * means and may be, and what it has to plot. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

/* The window, to be presented; one that is open already shows the element instead. NULL: nothing is
 * selected that the schema knows. */
GtkWidget *hl_element_help_new (HlWorkbench *workbench, GtkWindow *parent);
