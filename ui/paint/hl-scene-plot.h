/* SPDX-License-Identifier: MIT */
/* Document and run to the pictures of its plots. A panel is a list of traces; the file's `plots`
 * name them, without these there is one panel a quantity. */
#pragma once

#include "ui/paint/hl-paint-plot.h"
#include "ui/paint/hl-scene.h"

typedef struct
{
  char *title;   /* may be NULL */
  char **traces; /* column ids of the results, NULL-terminated */
} HlPlotPanel;

/* Elements are freed with the array. */
GPtrArray *hl_plot_panels_of_document (const HlDocument *document);

typedef struct
{
  const HlDocument *document;
  const HlResults *results; /* NULL: nothing yet */
  const HlResults *pinned;  /* another run to compare with; NULL = none */
  const char *pinned_label;
  gboolean show_linear;
  double t_end; /* [s] */
  HlUnits units;
} HlPlotSource;

typedef struct _HlPlotScene HlPlotScene;

HlPlotScene *hl_plot_scene_new (const HlPlotPanel *panel); /* copies */
void hl_plot_scene_free (HlPlotScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPlotScene, hl_plot_scene_free)

/* The plot: series, labels, units, x from 0 to t_end, y fitted. The caller may change its axes,
 * cursors and marks until the next call. Borrowed; lends the results. */
HlPlot *hl_plot_scene_update (HlPlotScene *scene, const HlPlotSource *source, const HlStyle *style);

/* A legend entry was clicked: the series it stands for are shown or hidden from the next update on.
 */
void hl_plot_scene_toggle (HlPlotScene *scene, int series);
const HlPlotPanel *hl_plot_scene_panel (const HlPlotScene *scene);
