/* SPDX-License-Identifier: MIT */
/* HlPicture: a part of a window that can be exported as a figure, frozen in its present state: all plots or
 * one, the circuit, the linkage, the root locus, the chart of a study. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/canvas/hl-circuit-view.h"
#include "ui/canvas/hl-linkage-view.h"
#include "ui/modes/hl-locus-view.h"
#include "ui/paint/page/hl-page-export.h"
#include "ui/plot/hl-plot-pane.h"

/* Sources of figures: a workbench and its views; all borrowed. */
typedef struct {
  HlWorkbench *workbench;
  HlPlotPane *plots;
  HlCircuitView *circuit;
  HlLinkageView *linkage;
  HlLocusView *locus;
  HlChart *chart; /* of a study; NULL: there is none */
} HlPictureSource;

typedef struct {
  HlFigurePainter painter;
  gpointer data;
  double height_mm; /* a usual one, at 160 mm of width */
  char *table;      /* its numbers as CSV; NULL: it is a picture only. Owned */
} HlPicture;

/* Returns a picture of `what`: "plots", "plot:0", "circuit", "linkage", "locus" or "chart". NULL and
 * HL_ERROR_USAGE for another word. Colours of traces are chosen for `style`. */
HlPicture *hl_picture_new (const HlPictureSource *source, const char *what, HlStyleKind style,
                           GError **error);
/* Plots show the whole run, not only the range that is in view; FALSE: it is no plot. `style` as
 * before. */
gboolean hl_picture_show_all (HlPicture *picture, const HlPictureSource *source, HlStyleKind style);
/* Restricts a drawing to its visible part, with the height that fits it; FALSE: it is not a drawing.
 */
gboolean hl_picture_show_seen (HlPicture *picture, const HlPictureSource *source);
/* Adds the photograph behind the linkage; FALSE: there is none. */
gboolean hl_picture_add_photograph (HlPicture *picture, const HlPictureSource *source);
void hl_picture_free (HlPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPicture, hl_picture_free)
