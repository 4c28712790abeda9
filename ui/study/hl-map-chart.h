/* SPDX-License-Identifier: MIT */
/* HlMapChart: the stability map over two sliders. Emits "pointed" when the pointer comes to another
 * place of it; a click gives both sliders the values there. */
#pragma once

#include "core/linear/hl-stability-map.h"
#include "ui/bench/hl-workbench.h"
#include "ui/bench/hl-knob.h"
#include "ui/chart/hl-chart.h"

#define HL_TYPE_MAP_CHART (hl_map_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlMapChart, hl_map_chart, HL, MAP_CHART, HlChart)

void hl_map_chart_set_workbench (HlMapChart *self, HlWorkbench *workbench);
/* The sliders of the next map, copied; the one that is shown goes. */
void hl_map_chart_begin (HlMapChart *self, const HlKnob *x, const HlKnob *y);
/* Takes the map; NULL: there is none. */
void hl_map_chart_set_map (HlMapChart *self, HlStabilityMap *map);
void hl_map_chart_set_by_damping (HlMapChart *self, gboolean by_damping);
/* What the map says under the pointer; owned by the caller. */
char *hl_map_chart_text (HlMapChart *self);
