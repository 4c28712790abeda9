/* SPDX-License-Identifier: MIT */
/* HlFitChart: what was measured, the model that was fitted to it, the model before, and what is left. */
#pragma once

#include "ui/bench/hl-fit-job.h"
#include "ui/chart/hl-chart.h"

#define HL_TYPE_FIT_CHART (hl_fit_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlFitChart, hl_fit_chart, HL, FIT_CHART, HlChart)

/* NULL: nothing yet. Borrowed; it lives as long as the chart shows it, and says when it is ready by being
 * set again. */
void hl_fit_chart_set_job (HlFitChart *self, const HlFitJob *job);
