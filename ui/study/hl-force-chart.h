/* SPDX-License-Identifier: MIT */
/* HlForceChart: the force-velocity map of a cylinder, or of what turns, which can be zoomed in its speeds. Emits
 * "pointed" when the pointer comes to another speed, or leaves, and "range-changed" when a person
 * zooms: the map is then made anew for the speeds in view, which are the range of the x axis.
 */
#pragma once

#include "ui/chart/hl-chart.h"
#include "ui/paint/chart/hl-paint-force.h"

#define HL_TYPE_FORCE_CHART (hl_force_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlForceChart, hl_force_chart, HL, FORCE_CHART, HlChart)

/* Takes family and message (why there is none). */
void hl_force_chart_set_family (HlForceChart *self, HlForceFamily *family, char *message);
/* All else of the picture; family, text and hover are the chart's own. */
void hl_force_chart_show (HlForceChart *self, const HlForcePicture *picture);
const HlForceFamily *hl_force_chart_family (HlForceChart *self); /* NULL: none */
/* Speed under the pointer; NAN: none. */
double hl_force_chart_pointed (HlForceChart *self);
