/* SPDX-License-Identifier: MIT */
/* HlPowerWindow: the power balance, at the time cursor or integrated over time. It makes a run of its own, in
 * a thread, whenever the model changes. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/chart/hl-chart.h"
#include "ui/paint/chart/hl-paint-power-balance.h"

#include <gtk/gtk.h>

#define HL_TYPE_POWER_WINDOW (hl_power_window_get_type ())
G_DECLARE_FINAL_TYPE (HlPowerWindow, hl_power_window, HL, POWER_WINDOW, GtkWindow)

GtkWidget *hl_power_window_new (HlWorkbench *workbench, GtkWindow *parent);
/* Returns whether a run is in progress or due. */
gboolean hl_power_window_is_busy (HlPowerWindow *self);

/* HlPowerChart: where the power goes, as bars. Emits "pointed" when the pointer comes to another
 * bar, or leaves, and "picked" when an element's bar is clicked. */

#define HL_TYPE_POWER_CHART (hl_power_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlPowerChart, hl_power_chart, HL, POWER_CHART, HlChart)
