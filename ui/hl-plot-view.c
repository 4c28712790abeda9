/* SPDX-License-Identifier: MIT */
/* The plot is made anew for every frame from results and scene; only ranges are kept here. A range
 * that the person chose stays until they fit again, whatever runs follow. Traces and frame are
 * painted once into an image, the cursor goes over it. */
#include "ui/hl-plot-view.h"

#include "core/document/hl-i18n.h"
#include "ui/hl-look.h"
#include "ui/hl-plot-view-private.h"

#include <math.h>
#include <string.h>

#define FRAME_LEFT_EM 4.6
#define FRAME_RIGHT_EM 1.3
#define MAX_HISTORY 64

G_DEFINE_FINAL_TYPE (HlPlotView, hl_plot_view, GTK_TYPE_WIDGET)

static guint x_range_changed_signal;
static const HlPlotRanges fitted = {{NAN, NAN}, {NAN, NAN}, {NAN, NAN}};

static HlRect
area_of (HlPlotView *self)
{
  return (HlRect){0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                  gtk_widget_get_height (GTK_WIDGET (self))};
}

static void
apply_range (HlAxis *axis, const HlPlotRange *range)
{
  if (isfinite (range->min) && isfinite (range->max) && range->min < range->max) {
    axis->min = range->min;
    axis->max = range->max;
  }
}

/* What stands in a plot without traces: why there are none. */
static const char *
empty_text (HlPlotView *self, const HlRun *run)
{
  if (run != NULL)
    return run->state == HL_RUN_FAILED ? run->message : NULL;
  if (hl_findings_first_error (hl_workbench_findings (self->workbench)) != NULL)
    return _ ("The model has problems that must be mended first (F8)");
  return _ ("Press Run to see traces");
}

static void
gather_ghosts (HlPlotView *self, const HlRun *shown, HlPlotSource *source)
{
  GPtrArray *runs = hl_workbench_runs (self->workbench);
  HlPlotGhost ghost;

  g_array_set_size (self->ghosts, 0);
  g_ptr_array_set_size (self->ghost_names, 0);
  /* the one pinned last is what differences are made to */
  for (guint i = runs->len; i-- > 0;) {
    const HlRun *run = runs->pdata[i];
    if (!run->pinned || run == shown)
      continue;
    g_ptr_array_add (self->ghost_names, hl_run_title (run));
    ghost =
        (HlPlotGhost){run->results, self->ghost_names->pdata[self->ghost_names->len - 1], FALSE};
    g_array_append_val (self->ghosts, ghost);
  }
  if (hl_workbench_measured (self->workbench) != NULL) {
    ghost = (HlPlotGhost){hl_workbench_measured (self->workbench),
                          hl_workbench_measured_name (self->workbench), TRUE};
    g_array_append_val (self->ghosts, ghost);
  }
  source->ghosts = (gconstpointer)self->ghosts->data;
  source->n_ghosts = (int)self->ghosts->len;
}

HlPlot *
hl_plot_view_picture (HlPlotView *self, const HlStyle *style)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);
  HlPlotSource source = {
      .document = hl_workbench_document (self->workbench),
      .results = run != NULL ? run->results : NULL,
      .show_linear = self->show_linear,
      .t_end = hl_workbench_t_end (self->workbench),
      .time = hl_workbench_time (self->workbench),
      .units = hl_workbench_units (self->workbench),
  };
  gather_ghosts (self, run, &source);
  hl_workbench_span (self->workbench, &source.from, &source.to);
  HlPlot *plot = hl_plot_scene_update (self->scene, &source, style);

  if (isfinite (self->ranges.x.min)) {
    apply_range (&plot->x.axis, &self->ranges.x);
    hl_plot_fit_y (plot);
  }
  apply_range (&plot->left.axis, &self->ranges.left);
  apply_range (&plot->right.axis, &self->ranges.right);
  plot->empty_text = empty_text (self, run);
  return plot;
}

/* Picture and its layout on the screen, as the last frame had them. */
HlPlot *
hl_plot_view_lay_out (HlPlotView *self, HlStyle *style, HlPlotLayout *layout)
{
  *style = hl_look_style (GTK_WIDGET (self));
  HlPlot *plot = hl_plot_view_picture (self, style);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);

  plot->frame_left = FRAME_LEFT_EM * style->font_size;
  plot->frame_right = FRAME_RIGHT_EM * style->font_size;
  hl_plot_layout (cr, plot, area_of (self), style, layout);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return plot;
}

static void
hl_plot_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HlPlotView *self = HL_PLOT_VIEW (widget);
  HlRect area = area_of (self);
  HlStyle style = hl_look_style (widget);
  HlPlotCursor cursor = {.x = hl_workbench_time (self->workbench), .read_out = TRUE};

  if (area.width < 1 || area.height < 1)
    return;
  HlPlot *plot = hl_plot_view_picture (self, &style);
  plot->frame_left = FRAME_LEFT_EM * style.font_size;
  plot->frame_right = FRAME_RIGHT_EM * style.font_size;
  plot->hovered_series = self->hovered;
  plot->rubber_band = self->box;
  if (hl_workbench_shown_run (self->workbench) != NULL) {
    plot->cursors = &cursor;
    plot->n_cursors = 1;
  }
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)area.width, (float)area.height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  hl_paint_plot (cr, plot, area, &style);
  cairo_destroy (cr);
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 1, 1,
                               area.width - 2, area.height - 2);
}

static void
hl_plot_view_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 96;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 150;
}

/* --- ranges --- */

void
hl_plot_view_remember (HlPlotView *self)
{
  if (self->history->len >= MAX_HISTORY)
    g_array_remove_index (self->history, 0);
  g_array_append_val (self->history, self->ranges);
}

static void
set_x (HlPlotView *self, double min, double max)
{
  self->ranges.x = (HlPlotRange){min, max};
  g_signal_emit (self, x_range_changed_signal, 0);
}

void
hl_plot_view_keep_axes (HlPlotView *self, const HlPlot *plot, gboolean x, gboolean y)
{
  if (x)
    set_x (self, plot->x.axis.min, plot->x.axis.max);
  if (y) {
    self->ranges.left = (HlPlotRange){plot->left.axis.min, plot->left.axis.max};
    self->ranges.right = (HlPlotRange){plot->right.axis.min, plot->right.axis.max};
  }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_plot_view_zoom_at (HlPlotView *self, HlSpot at, double factor, gboolean x, gboolean y)
{
  HlStyle style;
  HlPlotLayout layout;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  double fx = (at.x - layout.frame.x) / layout.frame.width;
  double fy = 1 - (at.y - layout.frame.y) / layout.frame.height;

  if (x)
    hl_axis_zoom (&plot->x.axis, CLAMP (fx, 0, 1), factor);
  if (y) {
    hl_axis_zoom (&plot->left.axis, CLAMP (fy, 0, 1), factor);
    hl_axis_zoom (&plot->right.axis, CLAMP (fy, 0, 1), factor);
  }
  hl_plot_view_keep_axes (self, plot, x, y);
}

void
hl_plot_view_zoom (HlPlotView *self, double factor)
{
  HlRect area = area_of (self);
  HlSpot at = self->pointer_inside ? self->pointer : (HlSpot){area.width / 2, area.height / 2};

  hl_plot_view_remember (self);
  hl_plot_view_zoom_at (self, at, factor, TRUE, TRUE);
}

void
hl_plot_view_fit (HlPlotView *self)
{
  hl_plot_view_remember (self);
  self->ranges = fitted;
  g_signal_emit (self, x_range_changed_signal, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_plot_view_step_back (HlPlotView *self)
{
  if (self->history->len == 0)
    return;
  self->ranges = g_array_index (self->history, HlPlotRanges, self->history->len - 1);
  g_array_set_size (self->history, self->history->len - 1);
  g_signal_emit (self, x_range_changed_signal, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_plot_view_set_x_range (HlPlotView *self, double from, double to)
{
  self->ranges.x = (HlPlotRange){from, to};
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_plot_view_get_x_range (HlPlotView *self, double *from, double *to)
{
  *from = self->ranges.x.min;
  *to = self->ranges.x.max;
}

static void
zoom_in_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  hl_plot_view_zoom (HL_PLOT_VIEW (widget), HL_PLOT_WHEEL_STEP);
}

static void
zoom_out_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  hl_plot_view_zoom (HL_PLOT_VIEW (widget), 1 / HL_PLOT_WHEEL_STEP);
}

static void
fit_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  hl_plot_view_fit (HL_PLOT_VIEW (widget));
}

/* --- life --- */

static void
hl_plot_view_dispose (GObject *object)
{
  HlPlotView *self = HL_PLOT_VIEW (object);

  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_plot_view_parent_class)->dispose (object);
}

static void
hl_plot_view_finalize (GObject *object)
{
  HlPlotView *self = HL_PLOT_VIEW (object);

  hl_plot_scene_free (self->scene);
  g_array_unref (self->history);
  g_array_unref (self->ghosts);
  g_ptr_array_unref (self->ghost_names);
  G_OBJECT_CLASS (hl_plot_view_parent_class)->finalize (object);
}

static void
hl_plot_view_class_init (HlPlotViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_plot_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_plot_view_finalize;
  widget_class->snapshot = hl_plot_view_snapshot;
  widget_class->measure = hl_plot_view_measure;
  gtk_widget_class_set_css_name (widget_class, "plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_install_action (widget_class, "plot.zoom-in", NULL, zoom_in_cb);
  gtk_widget_class_install_action (widget_class, "plot.zoom-out", NULL, zoom_out_cb);
  gtk_widget_class_install_action (widget_class, "plot.fit", NULL, fit_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_plus, 0, "plot.zoom-in", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_minus, 0, "plot.zoom-out", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_0, 0, "plot.fit", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, 0, "plot.fit", NULL);
  x_range_changed_signal = g_signal_new ("x-range-changed", HL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_plot_view_init (HlPlotView *self)
{
  self->show_linear = TRUE;
  self->ranges = fitted;
  self->hovered = -1;
  self->history = g_array_new (FALSE, FALSE, sizeof (HlPlotRanges));
  self->ghosts = g_array_new (FALSE, FALSE, sizeof (HlPlotGhost));
  self->ghost_names = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  hl_plot_view_add_controllers (self);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlPlotView *self)
{
  if (changes & (HL_CHANGED_RUN | HL_CHANGED_TIME | HL_CHANGED_UNITS | HL_CHANGED_DOCUMENT |
                 HL_CHANGED_FINDINGS))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

GtkWidget *
hl_plot_view_new (HlWorkbench *workbench, const HlPlotPanel *panel)
{
  HlPlotView *self = g_object_new (HL_TYPE_PLOT_VIEW, NULL);
  g_autofree char *traces = g_strjoinv (", ", panel->traces);
  g_autofree char *label = g_strdup_printf (_ ("Plot of %s"), traces);

  self->workbench = g_object_ref (workbench);
  self->scene = hl_plot_scene_new (panel);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  panel->title != NULL ? panel->title : label, -1);
  return GTK_WIDGET (self);
}

void
hl_plot_view_set_show_linear (HlPlotView *self, gboolean show)
{
  self->show_linear = show;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What a person calls the trace: the label of its probe. */
static const char *
trace_label (const HlDocument *document, const char *id)
{
  HlProbe probe;

  for (int k = 0; k < hl_document_n_probes (document); k++)
    if (hl_document_probe (document, k, &probe) && strcmp (probe.id, id) == 0)
      return probe.label;
  return id;
}

char *
hl_plot_view_title (HlPlotView *self)
{
  const HlPlotPanel *panel = hl_plot_scene_panel (self->scene);
  const HlDocument *document = hl_workbench_document (self->workbench);

  if (panel->title != NULL)
    return g_strdup (panel->title);
  GString *title = g_string_new (NULL);
  for (char **id = panel->traces; *id != NULL; id++)
    g_string_append_printf (title, "%s%s", title->len > 0 ? ", " : "", trace_label (document, *id));
  return g_string_free (title, FALSE);
}
