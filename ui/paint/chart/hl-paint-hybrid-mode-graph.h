/* SPDX-License-Identifier: MIT */
/* The graph of the modes of a hybrid run: modes on a circle in the order of their first visit, each
 * with a ring as long as its share of the time, transitions as arrows with their counts. */
#pragma once

#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef struct {
  const char *label; /* in the circle */
  const char *time;  /* beneath the label */
  double share;      /* of the time of the run, 0 to 1 */
  gboolean selected;
  gboolean present; /* at the time cursor */
} HlModeNode;

typedef struct {
  int from, to; /* nodes */
  int count;
} HlModeEdge;

typedef struct {
  const HlModeNode *nodes;
  int n_nodes;
  const HlModeEdge *edges;
  int n_edges;
} HlModeGraph;

void hl_paint_mode_graph (cairo_t *cr, const HlModeGraph *graph, double width, double height,
                          const HlStyle *style);
/* Returns the node at a point, -1 = none. */
int hl_mode_graph_pick (int n_nodes, double width, double height, const HlStyle *style, double x, double y);

/* The constraint matrix W of a mode as a table: a row a state, a column a constraint, the
 * independent states marked, the multiplier of each constraint beneath its column. */

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
