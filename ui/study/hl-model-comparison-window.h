/* SPDX-License-Identifier: MIT */
/* Windows that compare oil models: HlModelAdviceWindow recommends an oil model; HlOilsWindow runs the
 * model with all three oil models, in a thread, and shows the differences. It is recomputed when the model
 * changes. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_OILS_WINDOW (hl_oils_window_get_type ())
G_DECLARE_FINAL_TYPE (HlOilsWindow, hl_oils_window, HL, OILS_WINDOW, GtkWindow)

GtkWidget *hl_oils_window_new (HlWorkbench *workbench, GtkWindow *parent);
/* Returns whether a comparison is running or due. */
gboolean hl_oils_window_is_busy (HlOilsWindow *self);

/* HlModelAdviceWindow: which model of the oil suits the drawing as it stands, with the reasons and a
 * button that chooses it. */

#define HL_TYPE_MODEL_ADVICE_WINDOW (hl_model_advice_window_get_type ())
G_DECLARE_FINAL_TYPE (HlModelAdviceWindow, hl_model_advice_window, HL, MODEL_ADVICE_WINDOW, GtkWindow)

GtkWidget *hl_model_advice_window_new (HlWorkbench *workbench, GtkWindow *parent);
