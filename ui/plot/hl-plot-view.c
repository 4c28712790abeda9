/* SPDX-License-Identifier: MIT */
/* A plot panel: what it shows, its ranges, and what a click does. The plot is rebuilt for every frame
 * from results and scene. */
#include "ui/plot/hl-plot-view.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-trace-name.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-measured-tables.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-plot-view-private.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"

#include <math.h>
#include <string.h>

#define HELD_ABOVE "hydrolink-held-above" /* the plot, of the widget that was pulled from */

typedef struct {
  HlPlotDragText text;
  gpointer data;
} Source;

static GdkContentProvider *prepare_cb (GtkDragSource *drag, double x, double y, const Source *source) {
  g_autofree char *text = source->text (source->data);
  return text != NULL ? gdk_content_provider_new_typed (G_TYPE_STRING, text) : NULL;
}

static void free_source (gpointer data, GClosure *closure) {
  g_free (data);
}

void hl_plot_drag_source_add (GtkWidget *widget, HlPlotDragText text, gpointer data) {
  GtkDragSource *drag = gtk_drag_source_new ();
  Source *source = g_new (Source, 1);

  *source = (Source){text, data};
  g_signal_connect_data (drag, "prepare", G_CALLBACK (prepare_cb), source, free_source, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

static char *copy_text (gpointer widget) {
  return g_strdup (g_object_get_data (widget, "hydrolink-drag-text"));
}

void hl_plot_drag_source_add_text (GtkWidget *widget, const char *text) {
  g_object_set_data_full (G_OBJECT (widget), "hydrolink-drag-text", g_strdup (text), g_free);
  hl_plot_drag_source_add (widget, copy_text, widget);
}

static HlPlotView *plot_at (GtkWidget *from, double x, double y) {
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (from));
  graphene_point_t at;

  if (root == NULL || !gtk_widget_compute_point (from, root, &GRAPHENE_POINT_INIT ((float)x, (float)y), &at))
    return NULL;
  GtkWidget *target = gtk_widget_pick (root, at.x, at.y, GTK_PICK_DEFAULT);
  GtkWidget *plot = target != NULL ? gtk_widget_get_ancestor (target, HL_TYPE_PLOT_VIEW) : NULL;
  return plot != NULL ? HL_PLOT_VIEW (plot) : NULL;
}

gboolean hl_plot_is_at (GtkWidget *from, double x, double y) {
  return plot_at (from, x, y) != NULL;
}

gboolean hl_plot_drop_at (GtkWidget *from, double x, double y, const char *text) {
  HlPlotView *plot = plot_at (from, x, y);
  return plot != NULL && hl_plot_view_drop (plot, text);
}

static void hold_above (GtkWidget *from, HlPlotView *plot) {
  HlPlotView *before = g_object_get_data (G_OBJECT (from), HELD_ABOVE);

  if (plot == before)
    return;
  if (before != NULL)
    hl_plot_view_set_dropping (before, FALSE);
  if (plot != NULL)
    hl_plot_view_set_dropping (plot, TRUE);
  g_object_set_data_full (G_OBJECT (from), HELD_ABOVE, plot != NULL ? g_object_ref (plot) : NULL,
                          plot != NULL ? g_object_unref : NULL);
}

void hl_plot_hold_above (GtkWidget *from, double x, double y) {
  hold_above (from, plot_at (from, x, y));
}

void hl_plot_hold_nowhere (GtkWidget *from) {
  hold_above (from, NULL);
}

/* Positions of the elements of a plot, and the actions of clicks, cursors and legend. */

#define HOVER_PX 5.0

static gboolean lay_out (HlChart *chart, HlChartAxes *axes) {
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (HL_PLOT_VIEW (chart), &style, &layout);

  axes->frame = layout.frame;
  axes->axes[HL_CHART_X] = plot->x.axis;
  axes->axes[HL_CHART_LEFT] = plot->left.axis;
  axes->axes[HL_CHART_RIGHT] = plot->right.axis;
  axes->no_box = plot->n_bars > 0;
  return TRUE;
}

static HlChartPart hit (HlChart *chart, HlSpot at, int *index) {
  static const HlChartPart parts[] = {
      [HL_PLOT_NOWHERE] = HL_CHART_NOWHERE,     [HL_PLOT_FRAME] = HL_CHART_IN_FRAME,
      [HL_PLOT_X_AXIS] = HL_CHART_ON_X,         [HL_PLOT_LEFT_AXIS] = HL_CHART_ON_LEFT,
      [HL_PLOT_RIGHT_AXIS] = HL_CHART_ON_RIGHT, [HL_PLOT_LEGEND] = HL_CHART_ON_ENTRY,
      [HL_PLOT_CURSOR] = HL_CHART_ON_CURSOR,
  };
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (HL_PLOT_VIEW (chart), &style, &layout);

  return parts[hl_plot_hit (&layout, plot, at, index)];
}

/* --- cursors --- */

static void drag_cursor (HlChart *chart, int cursor, HlSpot to) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  double t = hl_plot_x_at (&layout, plot, to.x), a, b;

  hl_runs_span (hl_workbench_runs (self->workbench), &a, &b);
  if (cursor == 1)
    hl_runs_set_span (hl_workbench_runs (self->workbench), t, b);
  else if (cursor == 2)
    hl_runs_set_span (hl_workbench_runs (self->workbench), a, t);
  else
    hl_runs_set_time (hl_workbench_runs (self->workbench), t);
}

static void begin_drag (HlChart *chart) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  self->before.time = hl_runs_time (hl_workbench_runs (self->workbench));
  self->before.measuring =
      hl_runs_span (hl_workbench_runs (self->workbench), &self->before.a, &self->before.b);
  self->hover.series = -1;
}

static void put_cursor_back (HlChart *chart, int cursor) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  if (cursor == 0)
    hl_runs_set_time (hl_workbench_runs (self->workbench), self->before.time);
  else if (self->before.measuring)
    hl_runs_set_span (hl_workbench_runs (self->workbench), self->before.a, self->before.b);
}

void hl_plot_view_toggle_span (HlPlotView *self) {
  HlStyle style;
  HlPlotLayout layout;
  double a, b;

  if (hl_runs_span (hl_workbench_runs (self->workbench), &a, &b)) {
    hl_runs_clear_span (hl_workbench_runs (self->workbench));
    return;
  }
  /* at the thirds of what is in view */
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  gboolean time = hl_plot_scene_is_over_time (self->scene);
  double t_end = hl_runs_t_end (hl_workbench_runs (self->workbench));
  double low = time ? fmax (plot->x.axis.min, 0) : 0;
  double high = time ? fmin (plot->x.axis.max, t_end) : t_end;
  hl_runs_set_span (hl_workbench_runs (self->workbench), low + (high - low) / 3, high - (high - low) / 3);
}

/* --- clicks --- */

static void click (HlChart *chart, HlSpot at) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;

  if (hl_plot_view_wants_traces (self)) {
    hl_plot_view_open_picker (self);
    return;
  }
  hl_plot_view_lay_out (self, &style, &layout);
  if (hl_plot_scene_is_over_time (self->scene) && hl_rect_contains (layout.frame, at))
    drag_cursor (chart, 0, at);
}

static void first_press (HlChart *chart) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  self->time_before_click = hl_runs_time (hl_workbench_runs (self->workbench));
}

/* Moves the time cursor back: the first click of a double click moved it unintentionally. */
static void double_click (HlChart *chart, HlChartPart part) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  if (part == HL_CHART_IN_FRAME || part == HL_CHART_ON_CURSOR)
    hl_runs_set_time (hl_workbench_runs (self->workbench), self->time_before_click);
}

static void press_entry (HlChart *chart, int entry) {
  hl_plot_scene_toggle (HL_PLOT_VIEW (chart)->scene, entry);
  hl_pixels_queue_draw (GTK_WIDGET (chart));
}

/* --- hovering --- */

static const char *hover (HlChart *chart, HlSpot at) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  int index;
  HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  HlPlotPart part = hl_plot_hit (&layout, plot, at, &index);
  HlPlotPoint point = {.series = -1};

  if (part == HL_PLOT_LEGEND)
    point.series = index;
  else if (part == HL_PLOT_FRAME || part == HL_PLOT_CURSOR)
    hl_plot_point_at (&layout, plot, at, HOVER_PX, &point);
  gboolean on_curve = part != HL_PLOT_LEGEND && point.series >= 0;
  if (on_curve || self->hover_on_curve || point.series != self->hover.series)
    hl_pixels_queue_draw (GTK_WIDGET (self));
  self->hover = point;
  self->hover_on_curve = on_curve;
  return part == HL_PLOT_CURSOR   ? "col-resize"
         : part == HL_PLOT_LEGEND ? "pointer"
         : part == HL_PLOT_FRAME  ? "crosshair"
                                  : NULL;
}

static void leave_pointer (HlChart *chart) {
  HL_PLOT_VIEW (chart)->hover.series = -1;
}

static gboolean is_over_time (HlChart *chart) {
  return hl_plot_view_is_over_time (HL_PLOT_VIEW (chart));
}

/* Sets the pointer callbacks of the class. */
static void class_init_pointer (HlChartClass *klass) {
  klass->lay_out = lay_out;
  klass->hit = hit;
  klass->is_over_time = is_over_time;
  klass->hover = hover;
  klass->leave = leave_pointer;
  klass->press_entry = press_entry;
  klass->click = click;
  klass->first_press = first_press;
  klass->double_click = double_click;
  klass->begin_drag = begin_drag;
  klass->drag_cursor = drag_cursor;
  klass->put_cursor_back = put_cursor_back;
}

/* Applies a visible range. Of a range chosen by the user only the ends are used; the scale is that of the
 * picture. */

static void apply_range (HlPlotView *self, HlChartAxis which, HlAxis *axis) {
  const HlChartRange *range = hl_chart_range (HL_CHART (self), which);

  if (!range->is_free || range->axis.min >= range->axis.max)
    return;
  axis->min = range->axis.min;
  axis->max = range->axis.max;
}

/* Sets the x range to the last seconds of the run. */
static void apply_strip (HlPlotView *self, HlPlot *plot) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  int rows = run != NULL ? hl_results_n_rows (run->results) : 0;

  if (rows == 0)
    return;
  double last = hl_results_get (run->results, 0, rows - 1);
  plot->x.axis.max = fmax (last, self->strip);
  plot->x.axis.min = plot->x.axis.max - self->strip;
}

/* Applies the visible ranges of the panel. */
static void apply_ranges (HlPlotView *self, HlPlot *plot) {
  gboolean strip = self->strip > 0 && hl_plot_scene_is_over_time (self->scene);
  gboolean is_free = hl_chart_range (HL_CHART (self), HL_CHART_X)->is_free;

  if (strip && !is_free)
    apply_strip (self, plot);
  apply_range (self, HL_CHART_X, &plot->x.axis);
  if ((strip || is_free) && plot->n_bars == 0)
    hl_plot_fit_y (plot);
  apply_range (self, HL_CHART_LEFT, &plot->left.axis);
  apply_range (self, HL_CHART_RIGHT, &plot->right.axis);
}

static void plot_view_ranges_changed (HlChart *chart) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  self->hover.series = -1;
  if (hl_plot_scene_is_over_time (self->scene))
    g_signal_emit_by_name (self, "x-range-changed");
}

void hl_plot_view_set_x_range (HlPlotView *self, double from, double to) {
  self->seen_from = from;
  self->seen_to = to;
  if (hl_plot_scene_is_over_time (self->scene))
    hl_chart_set_range (HL_CHART (self), HL_CHART_X, from, to);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_plot_view_get_x_range (HlPlotView *self, double *from, double *to) {
  const HlChartRange *range = hl_chart_range (HL_CHART (self), HL_CHART_X);

  *from = range->is_free ? range->axis.min : NAN;
  *to = range->is_free ? range->axis.max : NAN;
}

void hl_plot_view_set_strip (HlPlotView *self, double seconds) {
  self->strip = seconds;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

/* Data tips of a plot hold a trace and a time, or of a spectrum a frequency: another run has them at
 * the same place. */

#define ON_CURVE_PX 5.0
#define STEPS_IN_VIEW 200 /* of a tip, across what is in view */

/* Adds the data tips of the chart to the picture, with the texts of its class. */
static void add_tips (HlPlotView *self, HlPlot *plot) {
  int n, selected;
  const HlChartTip *tips = hl_chart_tips (HL_CHART (self), &n, &selected);

  g_array_set_size (self->tips, 0);
  for (int i = 0; i < n; i++) {
    int series = hl_plot_scene_find_curve (self->scene, tips[i].curve);
    HlPlotPoint point;
    if (series < 0 || !hl_plot_point_on (plot, series, tips[i].at, &point))
      point = (HlPlotPoint){.series = -1};
    g_array_append_val (self->tips, point);
  }
  plot->tips = (gconstpointer)self->tips->data;
  plot->n_tips = n;
  plot->selected_tip = selected;
}

static gboolean point_at_curve (HlPlotView *self, const HlPlot *plot, const HlPlotPoint *point,
                                HlChartTip *tip) {
  if (tip->curve == NULL)
    tip->curve = hl_plot_scene_curve_name (self->scene, point->series);
  tip->at = hl_plot_point_where (plot, point);
  return TRUE;
}

static gboolean tip_near (HlChart *chart, HlSpot at, double reach_px, HlChartTip *tip) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  HlPlotPoint point;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);

  if (!hl_rect_contains (layout.frame, at))
    return FALSE;
  /* beside a curve the time of the pointer is meant, on it a sample that is near */
  if (!hl_plot_point_at (&layout, plot, at, ON_CURVE_PX, &point) &&
      !(hl_plot_point_at (&layout, plot, at, reach_px, &point) &&
        hl_plot_point_along (&layout, plot, point.series, at, &point)))
    return FALSE;
  return point_at_curve (self, plot, &point, tip);
}

static void tip_spots (HlChart *chart, HlSpot spots[]) {
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (HL_PLOT_VIEW (chart), &style, &layout);

  for (int i = 0; i < plot->n_tips; i++) {
    const HlPlotPoint *tip = &plot->tips[i];
    gboolean is_seen = tip->series >= 0 && !plot->series[tip->series].hidden;
    spots[i] = is_seen
                   ? (HlSpot){hl_plot_device_x (&layout, plot, tip->x),
                              hl_plot_device_y (&layout, plot, tip->y, plot->series[tip->series].right_axis)}
                   : (HlSpot){NAN, NAN};
  }
}

static void tip_along (HlChart *chart, HlChartTip *tip, HlSpot to) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  HlPlotPoint point;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  int series = hl_plot_scene_find_curve (self->scene, tip->curve);

  if (series >= 0 && hl_plot_point_along (&layout, plot, series, to, &point))
    point_at_curve (self, plot, &point, tip);
}

/* Moves a tip within the visible range; in a phase plot, whose x is not time, within the run. Stops at the
 * end of a curve. */
static void tip_step (HlChart *chart, HlChartTip *tip, int steps) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  HlPlotPoint point;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  int series = hl_plot_scene_find_curve (self->scene, tip->curve);
  double length = hl_plot_scene_panel (self->scene)->kind == HL_PLOT_PHASE
                      ? hl_runs_t_end (hl_workbench_runs (self->workbench))
                      : plot->x.axis.max - plot->x.axis.min;
  double to = tip->at + steps * length / STEPS_IN_VIEW;

  if (series >= 0 && hl_plot_point_on (plot, series, to, &point))
    tip->at = to;
}

/* Sets the tip to the time cursor, or to the middle of the visible range; on the first trace without a tip
 * there. */
static gboolean tip_usual (HlChart *chart, HlChartTip *tip) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlStyle style;
  HlPlotLayout layout;
  const HlPlot *plot = hl_plot_view_lay_out (self, &style, &layout);
  gboolean is_time = hl_plot_scene_panel (self->scene)->kind != HL_PLOT_SPECTRUM;
  double at =
      is_time ? hl_runs_time (hl_workbench_runs (self->workbench)) : hl_axis_value (&plot->x.axis, 0.5);

  for (int i = 0; i < plot->n_series; i++) {
    HlPlotPoint point;
    gboolean has_one = FALSE;
    if (plot->series[i].hidden || !hl_plot_view_is_run_series (self, i) ||
        !hl_plot_point_on (plot, i, at, &point))
      continue;
    for (int k = 0; k < plot->n_tips; k++)
      has_one = has_one || (plot->tips[k].series == i && plot->tips[k].x == point.x);
    if (!has_one)
      return point_at_curve (self, plot, &point, tip);
  }
  return FALSE;
}

static void class_init_tips (HlChartClass *klass) {
  klass->tip_near = tip_near;
  klass->tip_spots = tip_spots;
  klass->tip_along = tip_along;
  klass->tip_step = tip_step;
  klass->tip_usual = tip_usual;
}

/* The keys that only a plot has: its time cursor, measuring, traces and menu. */

#define BIG_STEP 10 /* ... with Shift so many at once */

/* Moves the time cursor by a visible step for one key press. */
static void step_time (HlPlotView *self, int steps) {
  double from, to, length = hl_runs_t_end (hl_workbench_runs (self->workbench));

  hl_plot_view_get_x_range (self, &from, &to);
  if (hl_plot_scene_is_over_time (self->scene) && to - from < length)
    length = to - from;
  hl_runs_set_time (hl_workbench_runs (self->workbench),
                    hl_runs_time (hl_workbench_runs (self->workbench)) + steps * length / STEPS_IN_VIEW);
}

/* Moves measuring cursor A (0) or B (1) to the time cursor. */
static void bring_cursor (HlPlotView *self, int which) {
  double t = hl_runs_time (hl_workbench_runs (self->workbench)), ends[2];

  if (!hl_runs_span (hl_workbench_runs (self->workbench), &ends[0], &ends[1])) {
    hl_plot_view_toggle_span (self);
    hl_runs_span (hl_workbench_runs (self->workbench), &ends[0], &ends[1]);
  }
  ends[which] = t;
  hl_runs_set_span (hl_workbench_runs (self->workbench), ends[0], ends[1]);
}

/* Ends measuring at Escape. */
static gboolean stop_measuring (HlPlotView *self) {
  double a, b;

  if (!hl_runs_span (hl_workbench_runs (self->workbench), &a, &b))
    return FALSE;
  hl_runs_clear_span (hl_workbench_runs (self->workbench));
  return TRUE;
}

static gboolean toggle_trace (HlPlotView *self, guint number) {
  HlStyle style;
  HlPlotLayout layout;

  hl_plot_view_lay_out (self, &style, &layout);
  if (number >= (guint)layout.n_legend)
    return FALSE;
  hl_plot_scene_toggle (self->scene, layout.legend_series[number]);
  hl_pixels_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

static gboolean plot_view_key (HlChart *chart, guint keyval, gboolean shift) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  switch (keyval) {
  case GDK_KEY_m:
    hl_plot_view_toggle_span (self);
    return TRUE;
  case GDK_KEY_a:
  case GDK_KEY_b:
    bring_cursor (self, keyval == GDK_KEY_b);
    return TRUE;
  case GDK_KEY_Escape:
    return stop_measuring (self);
  case GDK_KEY_F10:
    if (!shift)
      return FALSE;
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
    return TRUE;
  case GDK_KEY_Menu:
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
    return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    if (!hl_plot_view_wants_traces (self))
      return FALSE;
    hl_plot_view_open_picker (self);
    return TRUE;
  case GDK_KEY_Left:
    step_time (self, shift ? -BIG_STEP : -1);
    return TRUE;
  case GDK_KEY_Right:
    step_time (self, shift ? BIG_STEP : 1);
    return TRUE;
  case GDK_KEY_Home:
    hl_runs_set_time (hl_workbench_runs (self->workbench), 0);
    return TRUE;
  case GDK_KEY_End:
    hl_runs_set_time (hl_workbench_runs (self->workbench),
                      hl_runs_t_end (hl_workbench_runs (self->workbench)));
    return TRUE;
  default:
    return keyval >= GDK_KEY_1 && keyval <= GDK_KEY_9 && toggle_trace (self, keyval - GDK_KEY_1);
  }
}

#define FRAME_LEFT_EM 4.6
#define FRAME_RIGHT_EM 1.3
#define LOW_EM 9.0 /* below this height a plot leaves its time axis to the lowest one */
#define LATE_MS 150
#define LEAST_PX 70 /* height of a plot without its time axis: title, legend and a frame of some 30 px */
#define USUAL_PX 134
#define TIME_AXIS_PX 16 /* row of the labels below the frame */
#define FIRST_TURN 3    /* behind the drawings and the root locus (hl-pixel-cache.h) */

G_DEFINE_FINAL_TYPE (HlPlotView, hl_plot_view, HL_TYPE_CHART)

/* Returns the text of a plot without traces: the reason. */
static const char *empty_text (HlPlotView *self, const HlRun *run) {
  const HlPlotPanel *panel = hl_plot_scene_panel (self->scene);
  gboolean needs_two = panel->kind == HL_PLOT_PHASE;

  if (panel->kind != HL_PLOT_ENERGY && (panel->traces[0] == NULL))
    return _ ("Drop an element here, or click to choose traces");
  if (needs_two && panel->traces[1] == NULL)
    return _ ("A phase plot needs a second trace; the first trace is x");
  if (panel->kind == HL_PLOT_DIFFERENCE && run != NULL && run->state != HL_RUN_FAILED)
    return panel->against == HL_AGAINST_LINEAR   ? _ ("This run has no linear response")
           : panel->against == HL_AGAINST_PINNED ? _ ("Pin a run to see the difference to it")
                                                 : _ ("Open measured data to see the residual");
  if (run != NULL && run->state == HL_RUN_FAILED)
    return run->message;
  if (run != NULL && hl_results_n_rows (run->results) > 0)
    return panel->kind == HL_PLOT_ENERGY     ? _ ("This run did not record energies")
           : panel->kind == HL_PLOT_SPECTRUM ? _ ("Too few visible values for a spectrum")
                                             : _ ("This run did not record these traces");
  if (run != NULL)
    return NULL;
  if (hl_findings_first_error (hl_editing_findings (hl_workbench_editing (self->workbench))) != NULL)
    return _ ("The model has problems. Press F8 to go through them");
  return _ ("Press Run to see traces");
}

static const HlOilModel *model_of (const HlRun *run) {
  const char *name = hl_document_object_text (run->document, HL_SECTION_SIMULATION, "model");
  const HlOilModel *model = name != NULL ? hl_oil_model_find (name) : NULL;

  return model != NULL ? model : hl_oil_models[0];
}

/* Returns "Run 1, hybrid" for a run with another oil model than the displayed one and without a name. */
static char *ghost_title (const HlRun *run, const HlRun *shown) {
  g_autofree char *title = hl_run_title (run);

  if (run->name != NULL || shown == NULL || model_of (run) == model_of (shown))
    return g_steal_pointer (&title);
  return g_strdup_printf ("%s, %s", title, g_dpgettext2 (NULL, "choice", model_of (run)->label));
}

static void gather_ghosts (HlPlotView *self, const HlRun *shown, HlPlotSource *source) {
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (self->workbench));
  HlPlotGhost ghost;
  int n_pinned = 0, turn;

  g_array_set_size (self->ghosts, 0);
  g_ptr_array_set_size (self->ghost_names, 0);
  for (guint i = 0; i < runs->len; i++)
    n_pinned += ((const HlRun *)runs->pdata[i])->pinned;
  turn = n_pinned;
  /* The one pinned last is what differences are made to. Each keeps its colour when another one is
   * shown or a new one comes: turns go by age. */
  for (guint i = runs->len; i-- > 0;) {
    const HlRun *run = runs->pdata[i];
    turn -= run->pinned;
    if (!run->pinned || run == shown)
      continue;
    g_ptr_array_add (self->ghost_names, ghost_title (run, shown));
    ghost = (HlPlotGhost){run->results, self->ghost_names->pdata[self->ghost_names->len - 1], FALSE, turn};
    g_array_append_val (self->ghosts, ghost);
  }
  GPtrArray *measured = hl_measured_tables_data (hl_workbench_measured (self->workbench));
  for (guint i = 0; i < measured->len; i++) {
    const HlMeasuredData *data = measured->pdata[i];
    ghost = (HlPlotGhost){data->results, data->name, TRUE, n_pinned + (int)i};
    if (data->results != NULL)
      g_array_append_val (self->ghosts, ghost);
  }
  const HlRun *before = self->show_before && shown != NULL && !shown->is_driven
                            ? hl_runs_before (hl_workbench_runs (self->workbench))
                            : NULL;
  if (before != NULL) {
    ghost = (HlPlotGhost){.results = before->results, .label = _ ("before"), .is_before = TRUE};
    g_array_append_val (self->ghosts, ghost);
  }
  const HlPlotPanel *panel = hl_plot_scene_panel (self->scene);
  HlRun *reference =
      panel->run != NULL ? hl_runs_find (hl_workbench_runs (self->workbench), panel->run) : NULL;
  if (reference != NULL && reference->state != HL_RUN_FAILED)
    source->reference = (HlPlotGhost){reference->results, panel->run, FALSE, 0};
  source->ghosts = (gconstpointer)self->ghosts->data;
  source->n_ghosts = (int)self->ghosts->len;
}

/* Returns the end of the time axis. A run that ended early fills the axis. */
static double end_of_time (HlPlotView *self, const HlRun *run) {
  double t_end = hl_runs_t_end (hl_workbench_runs (self->workbench)), last = 0;
  gboolean is_short = run != NULL && (run->state == HL_RUN_STOPPED || run->state == HL_RUN_FAILED);
  int rows = is_short ? hl_results_n_rows (run->results) : 0;

  if (rows < 2)
    return t_end;
  last = hl_results_get (run->results, 0, rows - 1);
  for (guint i = 0; i < self->ghosts->len; i++) {
    const HlResults *ghost = g_array_index (self->ghosts, HlPlotGhost, i).results;
    if (g_array_index (self->ghosts, HlPlotGhost, i).is_before)
      continue;
    int n = hl_results_n_rows (ghost);
    last = n > 0 ? fmax (last, hl_results_get (ghost, 0, n - 1)) : last;
  }
  return fmin (last, t_end);
}

/* Returns the whole picture; `now_us` as in HlPlotSource. */
static HlPlot *whole_picture (HlPlotView *self, const HlStyle *style, gint64 now_us) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  HlPlotSource source = {
      .document = hl_editing_document (hl_workbench_editing (self->workbench)),
      .results = run != NULL ? run->results : NULL,
      .show_linear = self->show_linear,
      .t_end = hl_runs_t_end (hl_workbench_runs (self->workbench)),
      .time = hl_runs_time (hl_workbench_runs (self->workbench)),
      .units = hl_workbench_units (self->workbench),
      .now_us = now_us,
  };
  gather_ghosts (self, run, &source);
  source.t_end = end_of_time (self, run);
  if (!hl_runs_span (hl_workbench_runs (self->workbench), &source.from, &source.to) &&
      isfinite (self->seen_from) && isfinite (self->seen_to)) {
    source.from = fmax (self->seen_from, 0);
    source.to = fmin (self->seen_to, source.t_end);
  }
  HlPlot *plot = hl_plot_scene_update (self->scene, &source, style);

  plot->empty_text = empty_text (self, run);
  add_tips (self, plot);
  return plot;
}

HlPlot *hl_plot_view_whole_picture (HlPlotView *self, const HlStyle *style) {
  return whole_picture (self, style, 0);
}

HlPlot *hl_plot_view_picture (HlPlotView *self, const HlStyle *style) {
  HlPlot *plot = whole_picture (self, style, 0);

  apply_ranges (self, plot);
  return plot;
}

/* Adds the time cursor, then the cursors A and B. */
static void add_cursors (HlPlotView *self, HlPlot *plot) {
  double a, b;

  if (!hl_plot_scene_is_over_time (self->scene) ||
      hl_runs_shown (hl_workbench_runs (self->workbench)) == NULL)
    return;
  /* numbers that race along with a drive could not be read, and would hide its traces */
  gboolean races = hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench)) &&
                   !hl_manual_run_is_paused (hl_workbench_manual_run (self->workbench));
  self->cursors[0] =
      (HlPlotCursor){.x = hl_runs_time (hl_workbench_runs (self->workbench)), .read_out = !races};
  plot->cursors = self->cursors;
  plot->n_cursors = 1;
  if (!hl_runs_span (hl_workbench_runs (self->workbench), &a, &b))
    return;
  self->cursors[1] = (HlPlotCursor){.x = a, .label = "A"};
  self->cursors[2] = (HlPlotCursor){.x = b, .label = "B"};
  plot->n_cursors = 3;
}

/* Paints a plot whose drawing was postponed for a frame. */
static gboolean late_cb (gpointer data) {
  HlPlotView *self = data;

  self->late_id = 0;
  hl_pixels_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

static gboolean has_right_axis (const HlPlot *plot) {
  for (int i = 0; i < plot->n_series; i++)
    if (plot->series[i].right_axis)
      return TRUE;
  return FALSE;
}

static HlPlot *picture_on_screen (HlPlotView *self, const HlStyle *style) {
  HlPlot *plot = whole_picture (self, style, g_get_monotonic_time ());

  apply_ranges (self, plot);
  if (hl_plot_scene_is_late (self->scene) && self->late_id == 0)
    self->late_id = g_timeout_add (LATE_MS, late_cb, self);
  plot->frame_left = FRAME_LEFT_EM * style->font_size;
  plot->frame_right =
      (self->right_room || has_right_axis (plot) ? FRAME_LEFT_EM : FRAME_RIGHT_EM) * style->font_size;
  plot->hide_x_labels =
      self->time_below && hl_chart_area (HL_CHART (self)).height < LOW_EM * style->font_size;
  add_cursors (self, plot);
  return plot;
}

HlPlot *hl_plot_view_lay_out (HlPlotView *self, HlStyle *style, HlPlotLayout *layout) {
  *style = hl_widget_style (GTK_WIDGET (self));
  HlPlot *plot = picture_on_screen (self, style);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);

  hl_plot_layout (cr, plot, hl_chart_area (HL_CHART (self)), style, layout);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return plot;
}

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlPlotView *self = HL_PLOT_VIEW (chart);
  HlPlot *plot = picture_on_screen (self, style);

  plot->hovered_series = self->hover.series;
  if (hl_chart_has_range (chart))
    plot->away_text = _ ("No traces in view. Press F to fit.");
  if (self->hover_on_curve && !hl_chart_is_on_tip (chart) && self->hover.series >= 0 &&
      self->hover.series < plot->n_series)
    plot->hover = &self->hover;
  plot->rubber_band = hl_chart_band (chart);
  hl_paint_plot (cr, plot, area, style);
  if (self->dropping) {
    hl_color_set (cr, style->accent);
    cairo_set_line_width (cr, 2);
    cairo_rectangle (cr, 1, 1, area.width - 2, area.height - 2);
    cairo_stroke (cr);
  }
}

static void hl_plot_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  GTK_WIDGET_CLASS (hl_plot_view_parent_class)->snapshot (widget, snapshot);
  gtk_widget_snapshot_child (widget, HL_PLOT_VIEW (widget)->button, snapshot);
}

static void hl_plot_view_size_allocate (GtkWidget *widget, int width, int height, int baseline) {
  hl_plot_view_place_button (HL_PLOT_VIEW (widget));
}

static void hl_plot_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                                  int *natural, int *minimum_baseline, int *natural_baseline) {
  int axis = HL_PLOT_VIEW (widget)->time_below ? 0 : TIME_AXIS_PX;

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : LEAST_PX + axis;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : USUAL_PX + axis;
}

/* --- life --- */

static void hl_plot_view_dispose (GObject *object) {
  HlPlotView *self = HL_PLOT_VIEW (object);

  hl_plot_view_drop_children (self);
  g_clear_handle_id (&self->late_id, g_source_remove);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_plot_view_parent_class)->dispose (object);
}

static void hl_plot_view_finalize (GObject *object) {
  HlPlotView *self = HL_PLOT_VIEW (object);

  hl_plot_scene_free (self->scene);
  g_array_unref (self->ghosts);
  g_array_unref (self->tips);
  g_ptr_array_unref (self->ghost_names);
  G_OBJECT_CLASS (hl_plot_view_parent_class)->finalize (object);
}

static void hl_plot_view_class_init (HlPlotViewClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_plot_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_plot_view_finalize;
  widget_class->snapshot = hl_plot_view_snapshot;
  widget_class->measure = hl_plot_view_measure;
  widget_class->size_allocate = hl_plot_view_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "plot");
  chart_class->paint = paint;
  chart_class->key = plot_view_key;
  chart_class->ranges_changed = plot_view_ranges_changed;
  class_init_pointer (chart_class);
  class_init_tips (chart_class);
  g_signal_new ("x-range-changed", HL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_plot_view_init (HlPlotView *self) {
  self->hover.series = -1;
  self->seen_from = self->seen_to = NAN;
  self->ghosts = g_array_new (FALSE, FALSE, sizeof (HlPlotGhost));
  self->tips = g_array_new (FALSE, FALSE, sizeof (HlPlotPoint));
  self->ghost_names = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  hl_plot_view_add_menu (self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlPlotView *self) {
  /* where a curve was is not where it is */
  if (changes & (HL_CHANGED_RUN | HL_CHANGED_UNITS | HL_CHANGED_DOCUMENT))
    self->hover.series = -1;
  if (changes &
      (HL_CHANGED_RUN | HL_CHANGED_TIME | HL_CHANGED_UNITS | HL_CHANGED_DOCUMENT | HL_CHANGED_FINDINGS))
    hl_pixels_queue_draw (GTK_WIDGET (self));
}

GtkWidget *hl_plot_view_new (HlWorkbench *workbench, const HlPlotPanel *panel, int index) {
  HlPlotView *self = g_object_new (HL_TYPE_PLOT_VIEW, NULL);

  self->workbench = g_object_ref (workbench);
  self->scene = hl_plot_scene_new (panel);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  hl_plot_view_set_panel (self, panel, index);
  return GTK_WIDGET (self);
}

void hl_plot_view_set_panel (HlPlotView *self, const HlPlotPanel *panel, int index) {
  /* ranges of one kind of picture mean nothing in another */
  if (hl_plot_scene_panel (self->scene)->kind != panel->kind) {
    hl_chart_forget_ranges (HL_CHART (self));
    hl_chart_forget_tips (HL_CHART (self));
  }
  self->index = index;
  hl_chart_set_turn (HL_CHART (self), FIRST_TURN + index);
  hl_plot_scene_set_panel (self->scene, panel);
  g_autofree char *title = hl_plot_view_title (self);
  g_autofree char *label = g_strdup_printf (_ ("Plot of %s"), title);
  g_autofree char *menu = g_strdup_printf (_ ("Menu of plot %d"), index + 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, menu, -1);
  hl_plot_view_update_actions (self);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

const HlPlotPanel *hl_plot_view_panel (HlPlotView *self) {
  return hl_plot_scene_panel (self->scene);
}

gboolean hl_plot_view_is_over_time (HlPlotView *self) {
  return hl_plot_scene_is_over_time (self->scene);
}

gboolean hl_plot_view_has_right_axis (HlPlotView *self) {
  const HlPlotPanel *panel = hl_plot_scene_panel (self->scene);
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  int first = panel->kind == HL_PLOT_PHASE ? 1 : 0, n = (int)g_strv_length (panel->traces);

  for (int i = first + 1; i < n && panel->kind != HL_PLOT_ENERGY; i++)
    if (hl_trace_info (document, panel->traces[i]).quantity !=
        hl_trace_info (document, panel->traces[first]).quantity)
      return TRUE;
  return FALSE;
}

void hl_plot_view_set_right_room (HlPlotView *self, gboolean room) {
  self->right_room = room;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_plot_view_set_time_below (HlPlotView *self, gboolean below) {
  if (self->time_below == below)
    return;
  self->time_below = below;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

gboolean hl_plot_view_is_run_series (HlPlotView *self, int series) {
  return hl_plot_scene_trace_of_series (self->scene, series) >= 0;
}

void hl_plot_view_set_show_linear (HlPlotView *self, gboolean show) {
  self->show_linear = show;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_plot_view_set_show_before (HlPlotView *self, gboolean show) {
  self->show_before = show;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

char *hl_plot_view_title (HlPlotView *self) {
  const HlPlotPanel *panel = hl_plot_scene_panel (self->scene);
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  if (panel->title != NULL)
    return g_strdup (panel->title);
  if (panel->kind == HL_PLOT_ENERGY)
    return g_strdup (_ ("Energy"));
  GString *title = g_string_new (NULL);
  for (char **id = panel->traces; *id != NULL; id++)
    g_string_append_printf (title, "%s%s", title->len > 0 ? ", " : "", hl_trace_info (document, *id).label);
  if (title->len == 0)
    g_string_append (title, _ ("Empty plot"));
  return g_string_free (title, FALSE);
}
