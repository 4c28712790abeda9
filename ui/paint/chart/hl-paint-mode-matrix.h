/* SPDX-License-Identifier: MIT */
/* The constraint matrix W of a mode as a table: a row a state, a column a constraint, the
 * independent states marked, the multiplier of each constraint beneath its column. */
#pragma once

#include "ui/paint/base/hl-style.h"

typedef struct {
  int n_states, n_constraints;
  char *const *states;
  char *const *constraints;
  const double *w;             /* n_states x n_constraints, column-major */
  const gboolean *independent; /* n_states */
  char *const *multipliers;    /* n_constraints: with unit, or "undetermined" */
} HlModeMatrix;

/* Paints it with its top left corner at 0, 0; the size it takes is returned by
 * hl_mode_matrix_size (). */
void hl_paint_mode_matrix (cairo_t *cr, const HlModeMatrix *matrix, const HlStyle *style);
void hl_mode_matrix_size (cairo_t *cr, const HlModeMatrix *matrix, const HlStyle *style, double *width,
                          double *height);
