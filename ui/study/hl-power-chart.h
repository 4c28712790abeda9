/* SPDX-License-Identifier: MIT */
/* HlPowerChart: where the power goes, as bars. Emits "pointed" when the pointer comes to another
 * bar, or leaves, and "picked" when an element's bar is clicked. */
#pragma once

#include "ui/chart/hl-chart.h"
#include "ui/paint/chart/hl-paint-power.h"

#define HL_TYPE_POWER_CHART (hl_power_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlPowerChart, hl_power_chart, HL, POWER_CHART, HlChart)

/* Takes the bars; NULL: none, and `empty_text` (copied) says why. The ids are borrowed: who owns them
 * sets other bars before they go. */
void hl_power_chart_show (HlPowerChart *self, GArray *bars, gboolean energies, HlUnits units,
                          const char *empty_text);
/* Under the pointer; NULL: none. */
const HlPowerBar *hl_power_chart_pointed (HlPowerChart *self);
