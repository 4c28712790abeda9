/* SPDX-License-Identifier: MIT */
/* Pictures of many runs: clouds of points of every two columns, histograms, a surface over two
 * numbers, what cannot be better in one measure without being worse in another, and bars of
 * sensitivities. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

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
  const guint8 *lit; /* n_rows: those that stand out, the others are pale; NULL: all are alike */
  const int *row;    /* the one that is looked at; NULL: none */
} HlStudyPicture;

/* Columns that a scatter matrix or histograms have room for. */
#define HL_STUDY_MOST_COLUMNS 7

void hl_paint_study (cairo_t *cr, const HlStudyPicture *picture, HlRect area, const HlStyle *style);
