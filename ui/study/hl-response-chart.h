/* SPDX-License-Identifier: MIT */
/* HlResponseChart: a frequency or step response, with another one kept behind it. Emits "pointed"
 * when the pointer comes to another frequency or time, or leaves. */
#pragma once

#include "ui/chart/hl-chart.h"
#include "ui/paint/chart/hl-paint-response.h"

#define HL_TYPE_RESPONSE_CHART (hl_response_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlResponseChart, hl_response_chart, HL, RESPONSE_CHART, HlChart)

/* Both take the study; NULL: none. */
void hl_response_chart_set_study (HlResponseChart *self, HlResponseStudy *study);
void hl_response_chart_set_ghost (HlResponseChart *self, HlResponseStudy *ghost);
/* Nothing is pointed at then. */
void hl_response_chart_set_view (HlResponseChart *self, HlResponseView view);
/* Of the step response; both may be NULL. */
void hl_response_chart_set_output (HlResponseChart *self, const char *label, const HlUnit *unit);

const HlResponseStudy *hl_response_chart_study (HlResponseChart *self);
/* Frequency [Hz] or time [s] under the pointer; NAN: none. */
double hl_response_chart_pointed (HlResponseChart *self);
