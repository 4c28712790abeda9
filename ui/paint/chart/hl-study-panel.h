/* SPDX-License-Identifier: MIT */
/* The frames that pictures of many runs are made of: where each lies, what stands along its axes,
 * which row lies at a place, and which rows a box holds. Painters and pointers ask the same. */
#pragma once

#include "ui/paint/base/hl-axis.h"
#include "ui/paint/chart/hl-paint-study.h"

typedef struct {
  HlRect frame; /* device */
  HlAxis x, y;
  int x_column, y_column; /* y_column -1: counts of x_column */
  gboolean has_x_title, has_y_title;
} HlStudyPanel;

#define HL_STUDY_MOST_PANELS (HL_STUDY_MOST_COLUMNS * HL_STUDY_MOST_COLUMNS)
/* Bars of a histogram. */
#define HL_STUDY_BINS 24

/* Fills panels[HL_STUDY_MOST_PANELS] and returns how many there are; of a tornado none. */
int hl_study_panels (const HlStudyPicture *picture, HlRect area, const HlStyle *style, HlStudyPanel panels[]);

/* Smallest and largest value of a column; *low = 0, *high = 1 when there is none. */
void hl_study_column_range (const HlStudyColumn *column, int n, double *low, double *high);
/* Where values lie in a frame. */
HlSpot hl_study_panel_place (const HlStudyPanel *panel, double x, double y);
/* The bar that a value stands in, of bars that are as wide as each other on the axis; and where a bar
 * begins. */
int hl_study_bin (const HlAxis *axis, double value, double low, double high);
double hl_study_bin_edge (const HlAxis *axis, int bin, double low, double high);

/* The panel whose frame holds the spot; -1: none. */
int hl_study_panel_at (const HlStudyPanel panels[], int n, HlSpot at);
/* The nearest row within reach [px] in a panel; -1: none. */
int hl_study_row_at (const HlStudyPicture *picture, const HlStudyPanel *panel, HlSpot at, double reach);
/* lit[n_rows]: rows whose point lies in the box, or in a histogram those whose bar it touches. Returns
 * how many. */
int hl_study_brush (const HlStudyPicture *picture, const HlStudyPanel *panel, HlRect box, guint8 lit[]);
