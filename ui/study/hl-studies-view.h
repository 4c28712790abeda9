/* SPDX-License-Identifier: MIT */
/* HlStudiesView: the rows of a study as people see them, in their units, with the rows that a brush
 * has lit and the one that is looked at. One is shared by all pictures of a page. */
#pragma once

#include "ui/bench/hl-study-job.h"
#include "ui/bench/hl-workbench.h"
#include "ui/paint/chart/hl-study-panel.h"

typedef struct {
  HlWorkbench *workbench;
  HlStudyJob *job;      /* borrowed; NULL: nothing was computed */
  GArray *columns;      /* HlStudyColumn, as many as the job's */
  GPtrArray *titles;    /* of them */
  GPtrArray *values;    /* double *, n_rows each, in the units of the titles */
  const HlUnit **units; /* of them; NULL entries: none */
  guint8 *lit;          /* n_rows */
  gboolean has_lit;
  int n_lit, row; /* looked at; -1: none */
} HlStudiesView;

HlStudiesView *hl_studies_view_new (HlWorkbench *workbench);
void hl_studies_view_free (HlStudiesView *view);

/* Another job, or NULL; marks are forgotten. */
void hl_studies_view_set_job (HlStudiesView *view, HlStudyJob *job);
/* What the job has collected, in the units of now. */
void hl_studies_view_refresh (HlStudiesView *view);

int hl_studies_view_n_rows (const HlStudiesView *view);
int hl_studies_view_n_columns (const HlStudiesView *view);
const char *hl_studies_view_title (const HlStudiesView *view, int column); /* borrowed */
/* Columns for a matrix or histograms, out[HL_STUDY_MOST_COLUMNS]; returns how many. */
int hl_studies_view_choose (const HlStudiesView *view, int out[]);

void hl_studies_view_clear_lit (HlStudiesView *view);
/* The next row that is there (and lit, if some are) before or behind the one looked at. */
void hl_studies_view_step (HlStudiesView *view, int by);
/* "Row 17: cyl.friction.Fc = 210 N, max:p1 = 12.3 MPa", or why it failed. Owned by the caller. */
char *hl_studies_view_text (const HlStudiesView *view, int row);
/* A cell, "" where there is no number. Owned by the caller. */
char *hl_studies_view_cell (const HlStudiesView *view, int row, int column);
