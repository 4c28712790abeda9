/* SPDX-License-Identifier: MIT */
/* The window with the stability map, and its chart. */
#include "ui/study/hl-stability-map-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/io/hl-answer-writer.h"
#include "core/linear/hl-stability-map.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-model-slider.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/workbench/hl-worker-thread.h"
#include "ui/chart/hl-chart.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/chart/hl-paint-stability-map.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#define HL_TYPE_MAP_CHART (hl_map_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlMapChart, hl_map_chart, HL, MAP_CHART, HlChart)

static void chart_set_map (HlMapChart *self, HlStabilityMap *map);

#define DIGITS 4

struct _HlMapChart {
  HlChart parent_instance;
  HlWorkbench *workbench;
  HlStabilityMap *map;
  HlModelSlider *x, *y; /* copies: those of the map */
  gboolean by_damping;
  double at_x, at_y; /* values under the pointer */
};

G_DEFINE_FINAL_TYPE (HlMapChart, hl_map_chart, HL_TYPE_CHART)

static HlModelSlider *copy_model_slider (const HlModelSlider *model_slider) {
  HlModelSlider *copy = g_memdup2 (model_slider, sizeof *model_slider);
  copy->label = g_strdup (model_slider->label);
  copy->detail = g_strdup (model_slider->detail);
  copy->paths = g_strdupv (model_slider->paths);
  return copy;
}

static void free_model_slider (HlModelSlider *model_slider) {
  g_free (model_slider->label);
  g_free (model_slider->detail);
  g_strfreev (model_slider->paths);
  g_free (model_slider);
}

static HlMapPicture picture_of (HlMapChart *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  return (HlMapPicture){.map = self->map,
                        .x_unit = hl_workbench_units (self->workbench)[self->x->quantity],
                        .y_unit = hl_workbench_units (self->workbench)[self->y->quantity],
                        .x_label = self->x->label,
                        .y_label = self->y->label,
                        .x_log = self->x->log,
                        .y_log = self->y->log,
                        .by_damping = self->by_damping,
                        .x_from = self->x->from,
                        .x_to = self->x->to,
                        .y_from = self->y->from,
                        .y_to = self->y->to,
                        .x_now = hl_model_slider_value (self->x, document),
                        .y_now = hl_model_slider_value (self->y, document)};
}

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlMapChart *self = HL_MAP_CHART (chart);

  if (self->x == NULL)
    return;
  HlMapPicture picture = picture_of (self);
  hl_paint_map (cr, &picture, area, style);
}

static char *table (HlChart *chart) {
  HlMapChart *self = HL_MAP_CHART (chart);
  int n;

  if (self->map == NULL)
    return NULL;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  double *columns = hl_stability_map_table (self->map, &n);
  hl_answer_column (answer, NULL, self->x->paths[0], hl_quantity_si (self->x->quantity), columns, n, 1);
  hl_answer_column (answer, NULL, self->y->paths[0], hl_quantity_si (self->y->quantity), columns + n, n, 1);
  hl_answer_column (answer, NULL, "growth", "1/s", columns + 2 * (gsize)n, n, 1);
  hl_answer_column (answer, NULL, "damping_ratio", "1", columns + 3 * (gsize)n, n, 1);
  char *text = hl_answer_to_text (answer, HL_ANSWER_CSV);
  free (columns);
  return text;
}

static gboolean value_at (HlMapChart *self, HlSpot at, double *x, double *y) {
  HlStyle style = hl_widget_style (GTK_WIDGET (self));

  if (self->x == NULL || self->map == NULL)
    return FALSE;
  HlMapPicture picture = picture_of (self);
  return hl_map_value (&picture, hl_chart_area (HL_CHART (self)), &style, at, x, y);
}

static const char *hover (HlChart *chart, HlSpot at) {
  HlMapChart *self = HL_MAP_CHART (chart);

  if (value_at (self, at, &self->at_x, &self->at_y))
    g_signal_emit_by_name (self, "pointed");
  return NULL;
}

static void click (HlChart *chart, HlSpot at) {
  HlMapChart *self = HL_MAP_CHART (chart);
  HlWorkbench *workbench = self->workbench;
  double x, y;

  if (!value_at (self, at, &x, &y))
    return;
  /* one key: both are one undo step */
  hl_editing_set_numbers (hl_workbench_editing (workbench), (const char *const *)self->x->paths, x, "map",
                          NULL);
  hl_editing_set_numbers (hl_workbench_editing (workbench), (const char *const *)self->y->paths, y, "map",
                          NULL);
  hl_editing_end_gesture (hl_workbench_editing (workbench));
}

/* Returns the values under the pointer as text; owned by the caller. */
static char *chart_text (HlMapChart *self) {
  if (self->map == NULL)
    return g_strdup ("");
  int i = hl_map_nearest (self->map->x, self->map->n_x, self->at_x);
  int j = hl_map_nearest (self->map->y, self->map->n_y, self->at_y);
  HlUnits units = hl_workbench_units (self->workbench);
  double growth = self->map->growth[j * self->map->n_x + i];
  g_autofree char *x_text = hl_units_format (units, self->x->quantity, self->at_x, DIGITS);
  g_autofree char *y_text = hl_units_format (units, self->y->quantity, self->at_y, DIGITS);
  g_autofree char *re = hl_units_format (NULL, HL_QUANTITY_NONE, growth, DIGITS);
  g_autofree char *zeta =
      hl_units_format (NULL, HL_QUANTITY_NONE, self->map->damping[j * self->map->n_x + i], DIGITS - 1);

  return isfinite (growth)
             ? g_strdup_printf (_ ("%s = %s, %s = %s: largest Re λ %s s⁻¹, minimum damping ratio %s"),
                                self->x->label, x_text, self->y->label, y_text, re, zeta)
             : g_strdup_printf (_ ("%s = %s, %s = %s: no start state"), self->x->label, x_text,
                                self->y->label, y_text);
}

/* --- life --- */

static void hl_map_chart_dispose (GObject *object) {
  HlMapChart *self = HL_MAP_CHART (object);

  g_clear_pointer (&self->map, hl_stability_map_free);
  g_clear_pointer (&self->x, free_model_slider);
  g_clear_pointer (&self->y, free_model_slider);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_map_chart_parent_class)->dispose (object);
}

static void hl_map_chart_class_init (HlMapChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_map_chart_dispose;
  chart_class->paint = paint;
  chart_class->figure = paint; /* it shows nothing but the map */
  chart_class->table = table;
  chart_class->hover = hover;
  chart_class->click = click;
}

static void hl_map_chart_init (HlMapChart *self) {
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Stability map"),
                                  -1);
}

static void chart_set_workbench (HlMapChart *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
}

/* Starts a new map of two sliders, which are copied; removes the visible map. */
static void chart_begin (HlMapChart *self, const HlModelSlider *x, const HlModelSlider *y) {
  chart_set_map (self, NULL);
  g_clear_pointer (&self->x, free_model_slider);
  g_clear_pointer (&self->y, free_model_slider);
  self->x = copy_model_slider (x);
  self->y = copy_model_slider (y);
}

/* Takes the map; NULL: there is none. */
static void chart_set_map (HlMapChart *self, HlStabilityMap *map) {
  g_clear_pointer (&self->map, hl_stability_map_free);
  self->map = map;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void chart_set_by_damping (HlMapChart *self, gboolean by_damping) {
  self->by_damping = by_damping;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

#define GRID 61 /* points a side */
#define PROGRESS_MS 60

struct _HlMapWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *pick_x, *pick_y, *pick_color, *start, *progress, *caption;
  HlMapChart *chart;
  GCancellable *cancellable;
  struct _MapJob *job; /* borrowed of the task under way */
  guint progress_source;
};

G_DEFINE_FINAL_TYPE (HlMapWindow, hl_map_window, GTK_TYPE_WINDOW)

/* --- the work --- */

typedef struct _MapJob {
  HlSystem *system;
  HlDocument *document; /* of it: for numbers that shape the model */
  HlParameter *parameters[2];
  char **paths[2];
  int n[2];
  double values[2][GRID];
  atomic_int permille;
  GCancellable *cancellable; /* borrowed of the task */
} MapJob;

static void free_job (gpointer data) {
  MapJob *job = data;
  for (int side = 0; side < 2; side++) {
    g_free (job->parameters[side]);
    g_strfreev (job->paths[side]);
  }
  hl_system_unref (job->system);
  hl_document_unref (job->document);
  g_free (job);
}

static void free_map (gpointer map) {
  hl_stability_map_free (map);
}

static bool note_progress (double part, void *data) {
  MapJob *job = data;
  atomic_store (&job->permille, (int)(1000 * part));
  return !g_cancellable_is_cancelled (job->cancellable);
}

static HlSweepParameter parameter_of (const MapJob *job, int side) {
  return (HlSweepParameter){
      .parameters = job->parameters[side], .n = job->n[side], .paths = (const char *const *)job->paths[side]};
}

static gpointer work (gpointer data, GCancellable *cancellable, GError **error) {
  MapJob *job = data;

  job->cancellable = cancellable;
  gboolean shapes =
      job->n[0] < (int)g_strv_length (job->paths[0]) || job->n[1] < (int)g_strv_length (job->paths[1]);
  HlStabilityMapOptions options = {
      .x = parameter_of (job, 0),
      .y = parameter_of (job, 1),
      .document = shapes ? job->document : NULL,
      .x_values = job->values[0],
      .y_values = job->values[1],
      .n_x = GRID,
      .n_y = GRID,
      .start = HL_START_FROM_MODEL,
      .progress = note_progress,
      .progress_data = job,
  };
  return hl_stability_map_new (job->system, &options, NULL);
}

static void stop_computation (HlMapWindow *self) {
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->progress_source, g_source_remove);
  self->job = NULL;
  gtk_button_set_label (GTK_BUTTON (self->start), _ ("Compute"));
  gtk_widget_set_visible (self->progress, FALSE);
}

static void done_cb (gpointer sender, gpointer job, gpointer answer, const GError *error) {
  HlMapWindow *self = sender;
  HlStabilityMap *map = answer;

  stop_computation (self);
  chart_set_map (self->chart, map);
  gtk_label_set_text (GTK_LABEL (self->caption),
                      map == NULL         ? _ ("There is no start state for the computation.")
                      : map->n_moving > 0 ? _ ("Grey: the machine moves in the start state, so stability is "
                                               "undefined. Blue: stable, red: unstable.")
                                          : _ ("Blue: stable, red: unstable. Click to set both sliders."));
}

static gboolean progress_cb (gpointer data) {
  HlMapWindow *self = data;
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 1e-3 * atomic_load (&self->job->permille));
  return G_SOURCE_CONTINUE;
}

static void add_side (MapJob *job, int side, const HlModelSlider *model_slider) {
  guint most = g_strv_length (model_slider->paths);

  job->paths[side] = g_strdupv (model_slider->paths);
  job->parameters[side] = g_new (HlParameter, most + 1);
  for (char **path = model_slider->paths; *path != NULL; path++)
    if (hl_system_find_parameter (job->system, *path, &job->parameters[side][job->n[side]]))
      job->n[side]++;
  hl_sweep_values (model_slider->from, model_slider->to, GRID, model_slider->log, job->values[side]);
}

void hl_map_window_start (HlMapWindow *self, int x_model_slider, int y_model_slider) {
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (self->workbench));
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  stop_computation (self);
  if (at == NULL || x_model_slider == y_model_slider || x_model_slider < 0 || y_model_slider < 0 ||
      x_model_slider >= (int)model_sliders->len || y_model_slider >= (int)model_sliders->len) {
    gtk_label_set_text (GTK_LABEL (self->caption), _ ("Choose two different sliders."));
    return;
  }
  MapJob *job = g_new0 (MapJob, 1);
  job->system = hl_system_ref (at->system);
  job->document = hl_document_ref (hl_editing_document (hl_workbench_editing (self->workbench)));
  add_side (job, 0, model_sliders->pdata[x_model_slider]);
  add_side (job, 1, model_sliders->pdata[y_model_slider]);
  chart_begin (self->chart, model_sliders->pdata[x_model_slider], model_sliders->pdata[y_model_slider]);
  self->job = job;
  self->cancellable = g_cancellable_new ();
  hl_task_start (&(HlTask){.work = work,
                           .done = done_cb,
                           .free_job = free_job,
                           .free_answer = free_map,
                           .sender = self,
                           .keep = G_OBJECT (self),
                           .life = self->cancellable},
                 job);
  gtk_button_set_label (GTK_BUTTON (self->start), _ ("Cancel"));
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
  gtk_widget_set_visible (self->progress, TRUE);
  self->progress_source = g_timeout_add (PROGRESS_MS, progress_cb, self);
}

gboolean hl_map_window_is_busy (HlMapWindow *self) {
  return self->cancellable != NULL;
}

static void start_cb (GtkButton *button, HlMapWindow *self) {
  if (hl_map_window_is_busy (self))
    stop_computation (self);
  else
    hl_map_window_start (self, (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_x)),
                         (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_y)));
}

static void pointed_cb (HlMapChart *chart, HlMapWindow *self) {
  g_autofree char *text = chart_text (chart);
  gtk_label_set_text (GTK_LABEL (self->caption), text);
}

/* --- life --- */

static void fill_picks (HlMapWindow *self) {
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (self->workbench));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < model_sliders->len; i++)
    gtk_string_list_append (names, ((const HlModelSlider *)model_sliders->pdata[i])->label);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_x), G_LIST_MODEL (names));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_y), G_LIST_MODEL (names));
  if (model_sliders->len > 1)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_y), 1);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlMapWindow *self) {
  if (changes & HL_CHANGED_KNOBS)
    fill_picks (self);
  if (changes & (HL_CHANGED_NUMBERS | HL_CHANGED_UNITS))
    hl_pixels_queue_draw (GTK_WIDGET (self->chart));
}

static void hl_map_window_dispose (GObject *object) {
  HlMapWindow *self = HL_MAP_WINDOW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->progress_source, g_source_remove);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_map_window_parent_class)->dispose (object);
}

/* Detaches the window from its parent: the task may keep the closed window longer than its parent exists,
 * which GTK does not support. */
static void closed_cb (HlMapWindow *self) {
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  gtk_window_set_transient_for (GTK_WINDOW (self), NULL);
}

static void recolor_cb (GtkDropDown *pick, GParamSpec *pspec, HlMapWindow *self) {
  chart_set_by_damping (self->chart, gtk_drop_down_get_selected (pick) == 1);
}

static void export_cb (GtkButton *button, HlMapWindow *self) {
  hl_workbench_take_away (self->workbench, G_OBJECT (self->chart));
}

static void hl_map_window_class_init (HlMapWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_map_window_dispose;
  g_type_ensure (HL_TYPE_MAP_CHART);
  hl_widget_tree_load (klass, "hl-stability-map-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  HL_TREE_CHILD (klass, HlMapWindow, pick_x);
  HL_TREE_CHILD (klass, HlMapWindow, pick_y);
  HL_TREE_CHILD (klass, HlMapWindow, pick_color);
  HL_TREE_CHILD (klass, HlMapWindow, start);
  HL_TREE_CHILD (klass, HlMapWindow, progress);
  HL_TREE_CHILD (klass, HlMapWindow, chart);
  HL_TREE_CHILD (klass, HlMapWindow, caption);
  HL_TREE_CALLBACK (klass, export_cb);
  HL_TREE_CALLBACK (klass, start_cb);
  HL_TREE_CALLBACK (klass, recolor_cb);
  HL_TREE_CALLBACK (klass, pointed_cb);
}

static void hl_map_window_init (HlMapWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_map_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlMapWindow *self = g_object_new (HL_TYPE_MAP_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  chart_set_workbench (self->chart, workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect (self, "unrealize", G_CALLBACK (closed_cb), NULL);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  fill_picks (self);
  if (hl_locus_study_model_sliders (hl_workbench_locus (workbench))->len > 1)
    hl_map_window_start (self, 0, 1);
  return GTK_WIDGET (self);
}
