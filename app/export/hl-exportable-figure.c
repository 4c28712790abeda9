/* SPDX-License-Identifier: MIT */
#include "app/export/hl-exportable-figure.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH_MM 160.0 /* that the heights are usual at */
#define PLOT_HEIGHT_MM 55.0
#define DRAWING_MM 150.0
#define LINKAGE_MM 90.0
#define LOCUS_MM 120.0

typedef struct {
  HlPicture base;
  HlPlot *plots;
  HlPlotStack stack;
  int first; /* plot of the window */
  HlCircuitScene *circuit_scene;
  HlCircuitPicture circuit;
  HlLinkageScene *linkage_scene;
  HlMechanismPicture linkage;
  HlRect seen; /* visible part of a drawing, in its world */
} Picture;

static HlInstant present_instant (const HlPictureSource *source) {
  HlRuns *runs = hl_workbench_runs (source->workbench);
  HlRun *run = hl_runs_shown (runs);
  return (HlInstant){run != NULL ? run->results : NULL, hl_runs_time (runs)};
}

static void make_plots (Picture *self, const HlPictureSource *source, int first, int n, HlStyleKind kind) {
  HlStyle style = hl_style_make (kind);

  self->plots = g_new0 (HlPlot, n + 1);
  self->stack = (HlPlotStack){self->plots, n};
  self->first = first;
  for (int i = 0; i < n; i++)
    self->plots[i] = *hl_plot_view_picture (hl_plot_pane_view (source->plots, first + i), &style);
  self->base = (HlPicture){hl_figure_paint_stack, &self->stack, PLOT_HEIGHT_MM * MAX (n, 1), NULL};
}

static void make_circuit (Picture *self, const HlPictureSource *source) {
  HlInstant instant = present_instant (source);

  self->circuit_scene = hl_circuit_scene_new ();
  self->circuit = *hl_circuit_scene_update (self->circuit_scene,
                                            hl_editing_document (hl_workbench_editing (source->workbench)),
                                            &instant, NULL, hl_workbench_units (source->workbench));
  self->circuit.show_grid = FALSE;
  self->base = (HlPicture){hl_figure_paint_circuit, &self->circuit, DRAWING_MM, NULL};
}

static void make_linkage (Picture *self, const HlPictureSource *source) {
  HlInstant instant = present_instant (source);

  self->linkage_scene = hl_linkage_scene_new ();
  self->linkage = *hl_linkage_scene_update (
      self->linkage_scene, hl_editing_document (hl_workbench_editing (source->workbench)), &instant, NULL);
  self->base = (HlPicture){hl_figure_paint_mechanism, &self->linkage, LINKAGE_MM, NULL};
}

/* Makes the picture of a chart with the shape that the chart has on the screen. */
static void make_chart (Picture *self, HlChart *chart) {
  double width = gtk_widget_get_width (GTK_WIDGET (chart));
  double height = gtk_widget_get_height (GTK_WIDGET (chart));

  self->base = (HlPicture){hl_chart_paint_figure, chart,
                           width > 0 ? WIDTH_MM * height / width : PLOT_HEIGHT_MM, hl_chart_table (chart)};
}

HlPicture *hl_picture_new (const HlPictureSource *source, const char *what, HlStyleKind style,
                           GError **error) {
  Picture *self = g_new0 (Picture, 1);
  int n_plots = hl_plot_pane_n_views (source->plots);
  int plot = g_str_has_prefix (what, "plot:") ? atoi (what + strlen ("plot:")) : -1;

  if (strcmp (what, "plots") == 0)
    make_plots (self, source, 0, n_plots, style);
  else if (plot >= 0 && plot < n_plots)
    make_plots (self, source, plot, 1, style);
  else if (strcmp (what, "circuit") == 0)
    make_circuit (self, source);
  else if (strcmp (what, "linkage") == 0)
    make_linkage (self, source);
  else if (strcmp (what, "locus") == 0)
    self->base =
        (HlPicture){hl_figure_paint_locus, (gpointer)hl_locus_view_picture (source->locus), LOCUS_MM, NULL};
  else if (strcmp (what, "chart") == 0 && source->chart != NULL)
    make_chart (self, source->chart);
  else {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("There is nothing named “%s” to export."), what);
    g_free (self);
    return NULL;
  }
  return &self->base;
}

gboolean hl_picture_show_all (HlPicture *picture, const HlPictureSource *source, HlStyleKind kind) {
  Picture *self = (Picture *)picture; /* its first member */
  HlStyle style = hl_style_make (kind);

  for (int i = 0; self->plots != NULL && i < self->stack.n_plots; i++)
    self->plots[i] = *hl_plot_view_whole_picture (hl_plot_pane_view (source->plots, self->first + i), &style);
  return self->plots != NULL;
}

/* --- what is in view --- */

/* Returns the part of the page that what was seen takes: nothing else is painted. */
static HlRect clip_to_seen (cairo_t *cr, const Picture *self, HlRect area, HlView *view) {
  hl_view_fit (view, self->seen, area, 0, G_MAXDOUBLE);
  HlRect part = {area.x + 0.5 * (area.width - view->scale * self->seen.width),
                 area.y + 0.5 * (area.height - view->scale * self->seen.height),
                 view->scale * self->seen.width, view->scale * self->seen.height};
  cairo_rectangle (cr, part.x, part.y, part.width, part.height);
  cairo_clip (cr);
  return part;
}

static void paint_seen_circuit (cairo_t *cr, HlRect area, const HlStyle *style, gpointer picture) {
  const Picture *self = picture;
  HlView view = {.scale = 1.0};

  cairo_save (cr);
  HlRect part = clip_to_seen (cr, self, area, &view);
  hl_paint_circuit (cr, &self->circuit, &view, part, style);
  cairo_restore (cr);
}

static void paint_seen_linkage (cairo_t *cr, HlRect area, const HlStyle *style, gpointer picture) {
  const Picture *self = picture;
  HlView view = {.scale = 1.0, .y_up = TRUE};

  cairo_save (cr);
  HlRect part = clip_to_seen (cr, self, area, &view);
  hl_paint_mechanism (cr, &self->linkage, &view, part, style);
  cairo_restore (cr);
}

gboolean hl_picture_show_seen (HlPicture *picture, const HlPictureSource *source) {
  Picture *self = (Picture *)picture; /* its first member */
  gboolean is_circuit = self->circuit_scene != NULL;
  GtkWidget *canvas = is_circuit ? GTK_WIDGET (source->circuit) : GTK_WIDGET (source->linkage);
  HlRect area = {0, 0, gtk_widget_get_width (canvas), gtk_widget_get_height (canvas)};

  if ((!is_circuit && self->linkage_scene == NULL) || area.width < 1 || area.height < 1)
    return FALSE;
  self->seen = hl_view_visible (hl_canvas_view (HL_CANVAS (canvas)), area);
  picture->painter = is_circuit ? paint_seen_circuit : paint_seen_linkage;
  picture->data = self;
  picture->height_mm = WIDTH_MM * area.height / area.width;
  return TRUE;
}

gboolean hl_picture_add_photograph (HlPicture *picture, const HlPictureSource *source) {
  Picture *self = (Picture *)picture; /* its first member */

  if (self->linkage_scene == NULL)
    return FALSE;
  self->linkage.photograph = hl_photograph_layer_picture (hl_linkage_view_photograph (source->linkage));
  return self->linkage.photograph != NULL;
}

void hl_picture_free (HlPicture *picture) {
  Picture *self = (Picture *)picture; /* its first member */

  if (self == NULL)
    return;
  g_free (self->base.table);
  g_free (self->plots);
  g_clear_pointer (&self->circuit_scene, hl_circuit_scene_free);
  g_clear_pointer (&self->linkage_scene, hl_linkage_scene_free);
  g_free (self);
}
