/* SPDX-License-Identifier: MIT */
/* Pictures of many runs: clouds of points of every two columns, histograms, a surface over two
 * numbers, what cannot be better in one measure without being worse in another, and bars of
 * sensitivities. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

typedef enum
{
  HL_STUDY_SCATTER,   /* every column against every other, histograms on the diagonal */
  HL_STUDY_HISTOGRAM, /* one of each column */
  HL_STUDY_SURFACE, /* the third column as colour over the first two, between the points by distance */
  HL_STUDY_PARETO, /* two columns, both better when smaller, and the rows that none beats in both */
  HL_STUDY_TORNADO /* bars of the parts of a variance */
} HlStudyPictureKind;

typedef struct
{
  const char *title;    /* with its unit */
  const double *values; /* NAN: none */
} HlStudyColumn;

typedef struct
{
  const char *name;
  double first, first_low, first_high, total, total_low, total_high;
} HlStudyBar;

typedef struct
{
  HlStudyPictureKind kind;
  const HlStudyColumn *columns;
  int n_columns, n_rows;
  const HlStudyBar *bars; /* of a tornado */
  int n_bars;
  const char *title; /* of a tornado: the measure */
} HlStudyPicture;

/* Columns that a scatter matrix or histograms have room for. */
#define HL_STUDY_MOST_COLUMNS 7

void hl_paint_study (cairo_t *cr, const HlStudyPicture *picture, HlRect area, const HlStyle *style);
