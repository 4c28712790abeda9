/* SPDX-License-Identifier: MIT */
/* Pictures of a study: of its rows, and of a fit. HlStudiesChart is one picture of the rows. A drag
 * highlights the rows in its box, here and in all pictures of the same view ("brushed"); a click on a point
 * requests its numbers ("wanted"), a click on empty space clears the highlight. Left and Right go from row to
 * row, Enter requests the numbers, Escape clears the highlight. "pointed": another row is examined. */
#pragma once

#include "ui/workbench/hl-study-job.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/chart/hl-chart.h"
#include "ui/paint/chart/hl-paint-study.h"

/* HlStudiesView: the rows of a study as people see them, in their units, with the rows that a brush
 * has lit and the one that is examined. One is shared by all pictures of a page. */

typedef struct {
  HlWorkbench *workbench;
  HlStudyJob *job;      /* borrowed; NULL: nothing was computed */
  GArray *columns;      /* HlStudyColumn, as many as the job's */
  GPtrArray *titles;    /* of them */
  GPtrArray *values;    /* double *, n_rows each, in the units of the titles */
  const HlUnit **units; /* of them; NULL entries: none */
  guint8 *lit;          /* n_rows */
  gboolean has_lit;
  int n_lit, row; /* examined; -1: none */
} HlStudiesView;

HlStudiesView *hl_studies_view_new (HlWorkbench *workbench);
void hl_studies_view_free (HlStudiesView *view);

/* Sets another job, or NULL; marks are cleared. */
void hl_studies_view_set_job (HlStudiesView *view, HlStudyJob *job);
/* Shows the rows of the job in the present units. */
void hl_studies_view_refresh (HlStudiesView *view);

int hl_studies_view_n_rows (const HlStudiesView *view);
int hl_studies_view_n_columns (const HlStudiesView *view);
const char *hl_studies_view_title (const HlStudiesView *view, int column); /* borrowed */

void hl_studies_view_clear_lit (HlStudiesView *view);
/* Returns "Row 17: cyl.friction.Fc = 210 N, max:p1 = 12.3 MPa", or the reason of its failure. Owned by the
 * caller. */
char *hl_studies_view_text (const HlStudiesView *view, int row);
/* Returns the text of a cell, "" for an empty one. Owned by the caller. */
char *hl_studies_view_cell (const HlStudiesView *view, int row, int column);

#define HL_TYPE_STUDIES_CHART (hl_studies_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlStudiesChart, hl_studies_chart, HL, STUDIES_CHART, HlChart)

/* Sets the view. Borrowed; both must be valid as long as the chart shows them. */
void hl_studies_chart_set_view (HlStudiesChart *self, HlStudiesView *view);
void hl_studies_chart_set_kind (HlStudiesChart *self, HlStudyPictureKind kind);
/* Sets the columns of a scatter plot. */
void hl_studies_chart_set_axes (HlStudiesChart *self, int x, int y);
/* Returns the position of a row in a panel; FALSE: it is not shown. */
gboolean hl_studies_chart_place (HlStudiesChart *self, int panel, int row, HlSpot *spot);

/* HlFitChart: what was measured, the model that was fitted to it, the model before, and what is left. */

#define HL_TYPE_FIT_CHART (hl_fit_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlFitChart, hl_fit_chart, HL, FIT_CHART, HlChart)

/* Sets the job; NULL: none yet. Borrowed; it must be valid as long as the chart shows it, and is set again
 * when it is ready. */
void hl_fit_chart_set_job (HlFitChart *self, const HlFitJob *job);
