/* SPDX-License-Identifier: MIT */
/* Converts document and runs to the picture of one plot panel. */
#pragma once

#include "core/document/hl-plot-panel-settings.h"
#include "ui/paint/chart/hl-paint-plot.h"
#include "ui/paint/base/hl-scene-input.h"

/* Traces for comparison, painted under the traces: another run, or measured data. Columns are found by the names of the
 * traces. */
typedef struct {
  const HlResults *results;
  const char *label;
  gboolean measured;
  int turn;           /* the how manieth that is laid under, from 0: its colour, the same in every panel */
  gboolean is_before; /* the run before: thin and grey, over time only, never what is compared with */
} HlPlotGhost;

typedef struct {
  const HlDocument *document;
  const HlResults *results; /* NULL: nothing yet */
  const HlPlotGhost *ghosts;
  int n_ghosts;
  HlPlotGhost reference; /* the run that differences are made to; without results: the first ghost */
  gboolean show_linear;
  double t_end;    /* [s] */
  double from, to; /* interval of spectra [s]; from = to: everything */
  gint64 now_us;   /* monotonic time of a picture on the screen: a dear spectrum may come later;
                      0: never */
  double time;     /* of bars and of the marks in a phase plot [s] */
  HlUnits units;
} HlPlotSource;

typedef struct _HlPlotScene HlPlotScene;

HlPlotScene *hl_plot_scene_new (const HlPlotPanel *panel); /* copies */
void hl_plot_scene_free (HlPlotScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPlotScene, hl_plot_scene_free)

/* Sets another panel; traces hidden in the legend stay hidden.
 */
void hl_plot_scene_set_panel (HlPlotScene *scene, const HlPlotPanel *panel);

/* Returns the plot: series, labels, units; over time x runs from 0 to t_end; all other ranges are fitted.
 * The caller may change its axes, cursors and marks until the next call. Borrowed; lends the
 * results. */
HlPlot *hl_plot_scene_update (HlPlotScene *scene, const HlPlotSource *source, const HlStyle *style);

/* Shows or hides the series of a clicked legend entry, from the next update on.
 */
void hl_plot_scene_toggle (HlPlotScene *scene, int series);
void hl_plot_scene_toggle_trace (HlPlotScene *scene, const char *trace);
/* Returns whether a spectrum of the last picture is out of date: another picture is due soon. */
gboolean hl_plot_scene_is_late (const HlPlotScene *scene);
gboolean hl_plot_scene_is_hidden (const HlPlotScene *scene, int trace);
const HlPlotPanel *hl_plot_scene_panel (const HlPlotScene *scene);
/* Returns whether x is time: cursors are shown and its range is shared with others. */
gboolean hl_plot_scene_is_over_time (const HlPlotScene *scene);
/* Returns the trace of a series in the panel's order; -1: it is not of the run itself (a ghost, linear). */
int hl_plot_scene_trace_of_series (const HlPlotScene *scene, int series);

/* Returns a name of a curve that holds from one run to the next, for what is pinned to it: of its trace, and
 * of whether it is the run's own, its linear response, or another run's. Owned by the caller. */
char *hl_plot_scene_curve_name (const HlPlotScene *scene, int series);
/* Returns the series of the last update with that name; -1: there is none now. */
int hl_plot_scene_find_curve (const HlPlotScene *scene, const char *name);
