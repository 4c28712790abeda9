/* SPDX-License-Identifier: MIT */
/* Paints the results of many runs: scatter plots of all pairs of columns, histograms, a surface over two
 * numbers, the Pareto front, bars of sensitivities, and fits to measured data. */
#pragma once

#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef enum {
  HL_STUDY_SCATTER,   /* every column against every other, histograms on the diagonal */
  HL_STUDY_HISTOGRAM, /* one of each column */
  HL_STUDY_SURFACE,   /* the third column as colour over the first two, between the points by distance */
  HL_STUDY_PARETO,    /* two columns, both better when smaller, and their Pareto front */
  HL_STUDY_TORNADO,   /* bars of the parts of a variance */
  HL_STUDY_CLOUD      /* the second column over the first */
} HlStudyPictureKind;

typedef struct {
  const char *title;    /* with its unit, if that is not given */
  const char *unit;     /* NULL: none */
  const double *values; /* NAN: none */
  gboolean is_log;      /* its axis, where all values are positive */
} HlStudyColumn;

typedef struct {
  const char *name;
  double first, first_low, first_high, total, total_low, total_high;
} HlStudyBar;

typedef struct {
  HlStudyPictureKind kind;
  const HlStudyColumn *columns;
  int n_columns, n_rows;
  const HlStudyBar *bars; /* of a tornado */
  int n_bars;
  const char *title; /* of a tornado: the measure */
  const guint8 *lit; /* n_rows: the highlighted rows, the others are pale; NULL: no highlight */
  const int *row;    /* the one that is examined; NULL: none */
} HlStudyPicture;

/* Columns that a scatter matrix or histograms have room for. */
#define HL_STUDY_MOST_COLUMNS 7

void hl_paint_study (cairo_t *cr, const HlStudyPicture *picture, HlRect area, const HlStyle *style);

/* Frames of the pictures of many runs: position, axis labels, the row at a position and the rows in a box.
 * Used by painters and pointer handlers. */

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

/* Returns the position of values in a frame. */
HlSpot hl_study_panel_place (const HlStudyPanel *panel, double x, double y);
/* Returns the bar that a value stands in, of bars that are as wide as each other on the axis; and where a bar
 * begins. */
int hl_study_bin (const HlAxis *axis, double value, double low, double high);
double hl_study_bin_edge (const HlAxis *axis, int bin, double low, double high);

/* Returns the panel whose frame holds the spot; -1: none. */
int hl_study_panel_at (const HlStudyPanel panels[], int n, HlSpot at);
/* Returns the nearest row within reach [px] in a panel; -1: none. */
int hl_study_row_at (const HlStudyPicture *picture, const HlStudyPanel *panel, HlSpot at, double reach);
/* Fills lit[n_rows]: rows whose point lies in the box, or in a histogram those whose bar it touches. Returns
 * their number. */
int hl_study_brush (const HlStudyPicture *picture, const HlStudyPanel *panel, HlRect box, guint8 lit[]);

/* The picture of a fit: each trace with measured data, the fitted model and the model before the fit,
 * above the residual. */

typedef struct {
  const char *title; /* "phi2, arm.csv" */
  const char *unit;
  int n;
  const double *t, *measured, *model, *residual; /* n */
  const double *before;                          /* n; NULL: it did not run there */
} HlFitPanel;

/* Traces that a picture has room for. */
#define HL_FIT_MOST_PANELS 8

void hl_paint_fit (cairo_t *cr, const HlFitPanel panels[], int n, HlRect area, const HlStyle *style);
