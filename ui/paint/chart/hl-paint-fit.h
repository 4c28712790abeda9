/* SPDX-License-Identifier: MIT */
/* The picture of a fit: each trace with what was measured, what the model says and what it said before,
 * above what is left between them. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

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
