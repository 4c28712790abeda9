/* SPDX-License-Identifier: MIT */
/* HlModelAdviceWindow: which model of the oil suits the drawing as it stands, with the reasons and a
 * button that chooses it. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_MODEL_ADVICE_WINDOW (hl_model_advice_window_get_type ())
G_DECLARE_FINAL_TYPE (HlModelAdviceWindow, hl_model_advice_window, HL, MODEL_ADVICE_WINDOW, GtkWindow)

GtkWidget *hl_model_advice_window_new (HlWorkbench *workbench, GtkWindow *parent);
