/* SPDX-License-Identifier: MIT */
/* A small picture of a signal of the document over the time of a run; follows every change. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

/* The signal at a dotted place of an element. */
GtkWidget *hl_signal_sketch_new (HlWorkbench *workbench,
                                 const char *id,
                                 const char *where,
                                 HlQuantity quantity);
