/* SPDX-License-Identifier: MIT */
/* HlStudiesChart: one picture of the rows of a study. A drag lights the rows in its box, here and in
 * all pictures of the same view ("brushed"); a click on a point asks for its numbers ("wanted"), one
 * beside all points puts the light out. Left and Right go from row to row, Enter asks for its numbers,
 * Escape puts the light out. "pointed": another row is looked at. */
#pragma once

#include "ui/chart/hl-chart.h"
#include "ui/study/hl-studies-view.h"

#define HL_TYPE_STUDIES_CHART (hl_studies_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlStudiesChart, hl_studies_chart, HL, STUDIES_CHART, HlChart)

/* Borrowed; both live as long as the chart shows them. */
void hl_studies_chart_set_view (HlStudiesChart *self, HlStudiesView *view);
void hl_studies_chart_set_kind (HlStudiesChart *self, HlStudyPictureKind kind);
/* Columns of a cloud. */
void hl_studies_chart_set_axes (HlStudiesChart *self, int x, int y);
/* Where a row lies in a panel; FALSE: it does not. */
gboolean hl_studies_chart_place (HlStudiesChart *self, int panel, int row, HlSpot *spot);
