/* SPDX-License-Identifier: MIT */
/* The inside of a plot scene, split over three files: which series there are (hl-scene-plot.c),
 * what the axes say (hl-scene-axis.c), and curves that are computed from a run (hl-scene-curve.c).
 */
#pragma once

#include "core/run/hl-spectrum.h"
#include "ui/paint/chart/hl-scene-plot.h"

typedef enum
{
  FAMILY_GHOST,
  FAMILY_RUN,
  FAMILY_LINEAR
} Family;

/* What a series is, so that a click on its legend entry can be remembered. */
typedef struct
{
  Family family;
  int trace;
  int ghost;
  const char *of; /* name of the ghost, in the texts of the scene; NULL = none */
} Role;

/* A computed curve and what it was computed from: it is made anew when that changes. */
typedef struct
{
  const HlResults *results, *against;
  int column, against_column;
  int n_rows, n_against;
  double from, to;
  HlWindowShape window;
} CurveKey;

typedef struct
{
  CurveKey key;
  HlCurve *curve;
  double rms;     /* of a difference */
  gboolean used;  /* in this update */
  gint64 made_us; /* when */
} CachedCurve;

/* Borrowed until the next update; the curve's n may be 0. Where `now_us` is not 0, a spectrum of
 * many rows that has just been made stands in for those of a few rows more or another range, and
 * *late says so. */
const CachedCurve *hl_scene_curves_find (
    GArray *curves, const CurveKey *key, gboolean spectrum, gint64 now_us, gboolean *late);
GArray *hl_scene_curves_new (void);
void hl_scene_curves_begin (GArray *curves);
void hl_scene_curves_end (GArray *curves); /* forgets what was not asked for */

#define HL_N_ENERGIES 5

struct _HlPlotScene
{
  HlPlotPanel *panel;
  int n_traces;
  HlPlot plot;
  GArray *series; /* HlPlotSeries */
  GArray *roles;  /* Role, one a series */
  GArray *curves; /* CachedCurve */
  GArray *marks;  /* HlPlotMark */
  HlPlotBar bars[HL_N_ENERGIES];
  gboolean hide_ghosts, hide_linear;
  gboolean late;
  GHashTable *hidden; /* traces */
  HlColumnCursor *cursor;
  GStringChunk *texts;
};

/* The first trace of a phase plot is its x. */
int hl_scene_first_trace (const HlPlotScene *scene);
void hl_scene_label_values (HlPlotScene *scene, const HlPlotSource *source);
void hl_scene_label_x (HlPlotScene *scene, const HlPlotSource *source);
void hl_scene_fit (HlPlotScene *scene);
