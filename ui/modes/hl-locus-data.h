/* SPDX-License-Identifier: MIT */
/* HlLocusData: the eigenvalues of the workbench as the lists that the painter of the root locus reads. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/paint/chart/hl-paint-locus.h"

/* Start and end of a branch: the branch with the same ones next time is the same and keeps its color
 */
typedef struct {
  double re[2], im[2];
  int color;
} HlLocusEnds;

typedef struct {
  GArray *poles;    /* HlLocusPole */
  GArray *branches; /* HlLocusBranch */
  GArray *values;   /* double: re and im of every branch */
  GArray *ends;     /* HlLocusEnds of the branches shown last, by color */
  int ends_model_slider;
  gboolean is_frozen; /* the machine moves in the start state: the poles show no stability */
  GArray *crossings;  /* HlLocusCrossing, whose labels stand in `labels` */
  GPtrArray *labels;
  GArray *ghosts;     /* HlLocusPole */
  GArray *ghost_sets; /* int: the parameter set of each; -1 - index: of a mode */
  GArray *arrows;     /* HlLocusArrow */
  char *null_captions[HL_LOCUS_N_CAPTIONS];
  char *key;
  HlLocusTarget target;
} HlLocusData;

void hl_locus_data_init (HlLocusData *data);
void hl_locus_data_clear (HlLocusData *data);
/* Gathers anew the lists that the changes (HlChange) affect. */
void hl_locus_data_gather (HlLocusData *data, HlWorkbench *workbench, guint changes);
/* Points the picture at the lists. */
void hl_locus_data_fill (const HlLocusData *data, HlLocusPlot *plot);
