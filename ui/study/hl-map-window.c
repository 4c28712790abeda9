/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-map-window.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-errand.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/study/hl-map-chart.h"
#include "ui/widget/hl-pixels.h"
#include "ui/widget/hl-widget-tree.h"

#include <stdatomic.h>

#define GRID 61 /* points a side */
#define PROGRESS_MS 60

struct _HlMapWindow
{
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

typedef struct _MapJob
{
  HlSystem *system;
  HlDocument *document; /* of it: for numbers that shape the model */
  HlParameter *parameters[2];
  char **paths[2];
  int n[2];
  double values[2][GRID];
  atomic_int permille;
  GCancellable *cancellable; /* borrowed of the task */
} MapJob;

static void
free_job (gpointer data)
{
  MapJob *job = data;
  for (int side = 0; side < 2; side++) {
    g_free (job->parameters[side]);
    g_strfreev (job->paths[side]);
  }
  hl_system_unref (job->system);
  hl_document_unref (job->document);
  g_free (job);
}

static void
free_map (gpointer map)
{
  hl_stability_map_free (map);
}

static bool
note_progress (double part, void *data)
{
  MapJob *job = data;
  atomic_store (&job->permille, (int)(1000 * part));
  return !g_cancellable_is_cancelled (job->cancellable);
}

static HlSweepParameter
parameter_of (const MapJob *job, int side)
{
  return (HlSweepParameter){.parameters = job->parameters[side],
                            .n = job->n[side],
                            .paths = (const char *const *)job->paths[side]};
}

static gpointer
work (gpointer data, GCancellable *cancellable, GError **error)
{
  MapJob *job = data;

  job->cancellable = cancellable;
  gboolean shapes = job->n[0] < (int)g_strv_length (job->paths[0]) ||
                    job->n[1] < (int)g_strv_length (job->paths[1]);
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

static void
stop (HlMapWindow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->progress_source, g_source_remove);
  self->job = NULL;
  gtk_button_set_label (GTK_BUTTON (self->start), _ ("Compute"));
  gtk_widget_set_visible (self->progress, FALSE);
}

static void
done_cb (gpointer sender, gpointer job, gpointer answer, const GError *error)
{
  HlMapWindow *self = sender;
  HlStabilityMap *map = answer;

  stop (self);
  hl_map_chart_set_map (self->chart, map);
  gtk_label_set_text (GTK_LABEL (self->caption),
                      map == NULL ? _ ("There is no start state to begin from.")
                      : map->n_moving > 0
                          ? _ ("Grey: the start state moves there, and no colour judges it. "
                               "Elsewhere blue is stable, red unstable.")
                          : _ ("Blue is stable, red unstable. Click to set both sliders."));
}

static gboolean
progress_cb (gpointer data)
{
  HlMapWindow *self = data;
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 1e-3 * atomic_load (&self->job->permille));
  return G_SOURCE_CONTINUE;
}

static void
add_side (MapJob *job, int side, const HlKnob *knob)
{
  guint most = g_strv_length (knob->paths);

  job->paths[side] = g_strdupv (knob->paths);
  job->parameters[side] = g_new (HlParameter, most + 1);
  for (char **path = knob->paths; *path != NULL; path++)
    if (hl_system_find_parameter (job->system, *path, &job->parameters[side][job->n[side]]))
      job->n[side]++;
  hl_sweep_values (knob->from, knob->to, GRID, knob->log, job->values[side]);
}

void
hl_map_window_start (HlMapWindow *self, int x_knob, int y_knob)
{
  GPtrArray *knobs = hl_locus_study_knobs (hl_workbench_locus (self->workbench));
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  stop (self);
  if (at == NULL || x_knob == y_knob || x_knob < 0 || y_knob < 0 || x_knob >= (int)knobs->len ||
      y_knob >= (int)knobs->len) {
    gtk_label_set_text (GTK_LABEL (self->caption), _ ("Choose two different sliders."));
    return;
  }
  MapJob *job = g_new0 (MapJob, 1);
  job->system = hl_system_ref (at->system);
  job->document = hl_document_ref (hl_editing_document (hl_workbench_editing (self->workbench)));
  add_side (job, 0, knobs->pdata[x_knob]);
  add_side (job, 1, knobs->pdata[y_knob]);
  hl_map_chart_begin (self->chart, knobs->pdata[x_knob], knobs->pdata[y_knob]);
  self->job = job;
  self->cancellable = g_cancellable_new ();
  hl_errand_send (&(HlErrand){.work = work,
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

gboolean
hl_map_window_is_busy (HlMapWindow *self)
{
  return self->cancellable != NULL;
}

static void
start_cb (GtkButton *button, HlMapWindow *self)
{
  if (hl_map_window_is_busy (self))
    stop (self);
  else
    hl_map_window_start (self, (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_x)),
                         (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_y)));
}

static void
pointed_cb (HlMapChart *chart, HlMapWindow *self)
{
  g_autofree char *text = hl_map_chart_text (chart);
  gtk_label_set_text (GTK_LABEL (self->caption), text);
}

/* --- life --- */

static void
fill_picks (HlMapWindow *self)
{
  GPtrArray *knobs = hl_locus_study_knobs (hl_workbench_locus (self->workbench));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < knobs->len; i++)
    gtk_string_list_append (names, ((const HlKnob *)knobs->pdata[i])->label);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_x), G_LIST_MODEL (names));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_y), G_LIST_MODEL (names));
  if (knobs->len > 1)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_y), 1);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlMapWindow *self)
{
  if (changes & HL_CHANGED_KNOBS)
    fill_picks (self);
  if (changes & (HL_CHANGED_NUMBERS | HL_CHANGED_UNITS))
    hl_pixels_queue_draw (GTK_WIDGET (self->chart));
}

static void
hl_map_window_dispose (GObject *object)
{
  HlMapWindow *self = HL_MAP_WINDOW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->progress_source, g_source_remove);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_map_window_parent_class)->dispose (object);
}

/* The task may keep a closed window longer than its parent lives, which GTK does not foresee. */
static void
closed_cb (HlMapWindow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  gtk_window_set_transient_for (GTK_WINDOW (self), NULL);
}

static void
recolor_cb (GtkDropDown *pick, GParamSpec *pspec, HlMapWindow *self)
{
  hl_map_chart_set_by_damping (self->chart, gtk_drop_down_get_selected (pick) == 1);
}

static void
export_cb (GtkButton *button, HlMapWindow *self)
{
  hl_workbench_take_away (self->workbench, G_OBJECT (self->chart));
}

static void
hl_map_window_class_init (HlMapWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_map_window_dispose;
  g_type_ensure (HL_TYPE_MAP_CHART);
  hl_widget_tree_load (klass, "hl-map-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
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

static void
hl_map_window_init (HlMapWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hl_map_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  HlMapWindow *self = g_object_new (HL_TYPE_MAP_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  hl_map_chart_set_workbench (self->chart, workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect (self, "unrealize", G_CALLBACK (closed_cb), NULL);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  fill_picks (self);
  if (hl_locus_study_knobs (hl_workbench_locus (workbench))->len > 1)
    hl_map_window_start (self, 0, 1);
  return GTK_WIDGET (self);
}
