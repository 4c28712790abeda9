/* SPDX-License-Identifier: MIT */
/* The graph of the modes of a hybrid run: modes on a circle in the order of their first visit, each
 * with a ring as long as its share of the time, transitions as arrows with their counts. */
#pragma once

#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

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
/* Node at a point, -1 = none. */
int hl_mode_graph_pick (int n_nodes, double width, double height, const HlStyle *style, double x, double y);
