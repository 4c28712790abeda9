/* SPDX-License-Identifier: MIT */
/* Which model of the oil suits the drawing as it stands: a small window with the reasons and a
 * button that chooses it. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

GtkWidget *hl_model_advice_window_new (HlWorkbench *workbench, GtkWindow *parent);
