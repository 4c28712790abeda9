/* SPDX-License-Identifier: MIT */
/* Stability over two parameters: on a grid the largest real part of the eigenvalues that are not
 * null, and the least damping ratio; the boundary between stable and unstable solved along the grid
 * lines. */
#pragma once

#include "core/linear/hl-sweep-point.h"

typedef struct {
  HlSweepParameter x, y;
  const HlDocument *document;        /* or NULL: then the axes go by their paths, see HlSweepParameter */
  const double *x_values, *y_values; /* n_x, n_y: grid lines, rising */
  int n_x, n_y;
  HlStart start;
  int n_threads;                              /* 0: one for each processor; the map is the same to the bit */
  bool (*progress) (double part, void *data); /* or NULL; false cancels */
  void *progress_data;
} HlStabilityMapOptions;

typedef struct {
  HlArena arena; /* of itself and its arrays */
  int n_x, n_y;
  double *x, *y;   /* n_x, n_y: grid lines */
  double *growth;  /* n_x x n_y, column-major in x: largest real part [1/s]; NAN where there is no
                      equilibrium */
  double *damping; /* n_x x n_y: least damping ratio; 1 when nothing oscillates */
  bool *moving;    /* n_x x n_y: the machine moves there (HlSteadiness), growth and damping are those
                   of an instant and judge nothing; no boundary runs along such a point. NULL in a map
                   of other makers: nowhere */
  int n_moving;    /* number of moving points */
  int n_boundary;
  double *boundary; /* n_boundary pairs (x, y) where growth is zero */
  int n_done;       /* points done, in the order of growth */
  bool complete;    /* false: cancelled, the rest is NAN */
} HlStabilityMap;

/* Computes the map, its rows on all processors: the equilibria of a row continue from one another, and the first of each
 * from that of the model's own values. progress is called by the caller's thread alone. NULL and a fault when there is no start point at the model's own values. Owned
 * by the caller. */
HlStabilityMap *hl_stability_map_new (const HlSystem *sys, const HlStabilityMapOptions *options,
                                      HlFault *fault);
void hl_stability_map_free (HlStabilityMap *map);
/* Returns the map as rows: x, y, growth and damping of the points of the grid that are done, then of the
 * boundary, which has no damping (NAN). Four columns of *n_rows; owned by the caller (free). */
double *hl_stability_map_table (const HlStabilityMap *map, int *n_rows);
