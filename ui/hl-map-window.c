/* SPDX-License-Identifier: MIT */
#include "ui/hl-map-window.h"

#include "core/document/hl-i18n.h"
#include "ui/hl-look.h"
#include "ui/hl-study-window.h"
#include "ui/paint/hl-paint-map.h"
#include "ui/paint/hl-scene.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define GRID 61 /* points a side */
#define WIDTH 620
#define HEIGHT 560
#define PROGRESS_MS 60
#define DIGITS 4

struct _HlMapWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *pick_x, *pick_y, *pick_color, *start, *progress, *area, *caption;
  HlStabilityMap *map;
  HlKnob *x, *y; /* copies: those of the map */
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

static void
work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
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
  g_task_return_pointer (task, hl_stability_map_new (job->system, &options, NULL), free_map);
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
done_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  HlMapWindow *self = HL_MAP_WINDOW (object);
  HlStabilityMap *map = g_task_propagate_pointer (G_TASK (result), NULL);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)))) {
    if (map != NULL)
      hl_stability_map_free (map);
    return;
  }
  stop (self);
  g_clear_pointer (&self->map, hl_stability_map_free);
  self->map = map;
  gtk_label_set_text (GTK_LABEL (self->caption),
                      map != NULL ? _ ("Blue is stable, red unstable. Click to set both sliders.")
                                  : _ ("There is no start state to begin from."));
  gtk_widget_queue_draw (self->area);
}

static gboolean
progress_cb (gpointer data)
{
  HlMapWindow *self = data;
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 1e-3 * atomic_load (&self->job->permille));
  return G_SOURCE_CONTINUE;
}

static HlKnob *
copy_knob (const HlKnob *knob)
{
  HlKnob *copy = g_memdup2 (knob, sizeof *knob);
  copy->label = g_strdup (knob->label);
  copy->detail = g_strdup (knob->detail);
  copy->paths = g_strdupv (knob->paths);
  return copy;
}

static void
free_knob (HlKnob *knob)
{
  g_free (knob->label);
  g_free (knob->detail);
  g_strfreev (knob->paths);
  g_free (knob);
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
  GPtrArray *knobs = hl_workbench_knobs (self->workbench);
  const HlWorkingPoint *at = hl_workbench_point (self->workbench);

  stop (self);
  if (at == NULL || x_knob == y_knob || x_knob < 0 || y_knob < 0 || x_knob >= (int)knobs->len ||
      y_knob >= (int)knobs->len) {
    gtk_label_set_text (GTK_LABEL (self->caption), _ ("Choose two different sliders."));
    return;
  }
  MapJob *job = g_new0 (MapJob, 1);
  job->system = hl_system_ref (at->system);
  job->document = hl_document_ref (hl_workbench_document (self->workbench));
  add_side (job, 0, knobs->pdata[x_knob]);
  add_side (job, 1, knobs->pdata[y_knob]);
  g_clear_pointer (&self->map, hl_stability_map_free);
  g_clear_pointer (&self->x, free_knob);
  g_clear_pointer (&self->y, free_knob);
  self->x = copy_knob (knobs->pdata[x_knob]);
  self->y = copy_knob (knobs->pdata[y_knob]);
  self->job = job;
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, done_cb, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, free_job);
  g_task_run_in_thread (task, work);
  gtk_button_set_label (GTK_BUTTON (self->start), _ ("Cancel"));
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
  gtk_widget_set_visible (self->progress, TRUE);
  self->progress_source = g_timeout_add (PROGRESS_MS, progress_cb, self);
  gtk_widget_queue_draw (self->area);
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

/* --- the picture --- */

static HlMapPicture
picture_of (HlMapWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);

  return (HlMapPicture){.map = self->map,
                        .x_unit = hl_workbench_unit (self->workbench, self->x->quantity),
                        .y_unit = hl_workbench_unit (self->workbench, self->y->quantity),
                        .x_label = self->x->label,
                        .y_label = self->y->label,
                        .x_log = self->x->log,
                        .y_log = self->y->log,
                        .by_damping =
                            gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_color)) == 1,
                        .x_from = self->x->from,
                        .x_to = self->x->to,
                        .y_from = self->y->from,
                        .y_to = self->y->to,
                        .x_now = hl_knob_value (self->x, document),
                        .y_now = hl_knob_value (self->y, document)};
}

static HlRect
area_of (HlMapWindow *self)
{
  return (HlRect){0, 0, gtk_widget_get_width (self->area), gtk_widget_get_height (self->area)};
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  HlMapWindow *self = data;
  HlStyle style = hl_look_style (GTK_WIDGET (area));

  if (self->x == NULL)
    return;
  HlMapPicture picture = picture_of (self);
  hl_paint_map (cr, &picture, area_of (self), &style);
}

static gboolean
value_at (HlMapWindow *self, double at_x, double at_y, double *x, double *y)
{
  HlStyle style = hl_look_style (self->area);

  if (self->x == NULL || self->map == NULL)
    return FALSE;
  HlMapPicture picture = picture_of (self);
  return hl_map_value (&picture, area_of (self), &style, (HlSpot){at_x, at_y}, x, y);
}

static void
motion_cb (GtkEventControllerMotion *controller, double at_x, double at_y, HlMapWindow *self)
{
  double x, y;

  if (!value_at (self, at_x, at_y, &x, &y))
    return;
  int i = hl_map_nearest (self->map->x, self->map->n_x, x);
  int j = hl_map_nearest (self->map->y, self->map->n_y, y);
  HlUnits units = hl_workbench_units (self->workbench);
  double growth = self->map->growth[j * self->map->n_x + i];
  g_autofree char *x_text = hl_units_format (units, self->x->quantity, x, DIGITS);
  g_autofree char *y_text = hl_units_format (units, self->y->quantity, y, DIGITS);
  g_autofree char *re = hl_units_format (NULL, HL_QUANTITY_NONE, growth, DIGITS);
  g_autofree char *zeta = hl_units_format (NULL, HL_QUANTITY_NONE,
                                           self->map->damping[j * self->map->n_x + i], DIGITS - 1);
  g_autofree char *text =
      isfinite (growth)
          ? g_strdup_printf (_ ("%s = %s, %s = %s: largest Re λ %s s⁻¹, least damping %s"),
                             self->x->label, x_text, self->y->label, y_text, re, zeta)
          : g_strdup_printf (_ ("%s = %s, %s = %s: no start state"), self->x->label, x_text,
                             self->y->label, y_text);
  gtk_label_set_text (GTK_LABEL (self->caption), text);
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double at_x, double at_y, HlMapWindow *self)
{
  double x, y;

  if (!value_at (self, at_x, at_y, &x, &y))
    return;
  /* one key: both are one undo step */
  hl_workbench_set_numbers (self->workbench, (const char *const *)self->x->paths, x, "map", NULL);
  hl_workbench_set_numbers (self->workbench, (const char *const *)self->y->paths, y, "map", NULL);
  hl_workbench_end_gesture (self->workbench);
}

/* --- life --- */

static void
fill_picks (HlMapWindow *self)
{
  GPtrArray *knobs = hl_workbench_knobs (self->workbench);
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
    gtk_widget_queue_draw (self->area);
}

static void
hl_map_window_dispose (GObject *object)
{
  HlMapWindow *self = HL_MAP_WINDOW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->progress_source, g_source_remove);
  g_clear_pointer (&self->map, hl_stability_map_free);
  g_clear_pointer (&self->x, free_knob);
  g_clear_pointer (&self->y, free_knob);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_map_window_parent_class)->dispose (object);
}

static void
hl_map_window_class_init (HlMapWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_map_window_dispose;
}

static void
add_pointer (HlMapWindow *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (self->area, GTK_EVENT_CONTROLLER (click));
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  gtk_widget_add_controller (self->area, motion);
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
  gtk_widget_queue_draw (self->area);
}

static void
hl_map_window_init (HlMapWindow *self)
{
  GtkWidget *box = hl_study_window_dress (GTK_WINDOW (self), _ ("Stability map"), WIDTH, HEIGHT);
  GtkWidget *row = hl_study_add_row (box);

  self->pick_x = hl_study_add_pick (row, "x", _ ("Slider along the horizontal axis"), NULL, NULL);
  self->pick_y = hl_study_add_pick (row, "y", _ ("Slider along the vertical axis"), NULL, NULL);
  const char *const colors[] = {_ ("largest Re λ"), _ ("least damping"), NULL};
  self->pick_color =
      hl_study_add_pick (row, _ ("Colour"), _ ("What the colours stand for"), NULL, NULL);
  hl_study_fill_pick (self->pick_color, colors);
  g_signal_connect_object (self->pick_color, "notify::selected", G_CALLBACK (recolor_cb), self, 0);
  self->start = gtk_button_new_with_label (_ ("Compute"));
  gtk_widget_add_css_class (self->start, "suggested-action");
  g_signal_connect (self->start, "clicked", G_CALLBACK (start_cb), self);
  gtk_box_append (GTK_BOX (row), self->start);
  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_hexpand (self->progress, TRUE);
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->progress, FALSE);
  gtk_box_append (GTK_BOX (row), self->progress);
  self->area = hl_study_add_area (box, _ ("Stability map"), draw_cb, self);
  add_pointer (self);
  self->caption = hl_study_add_caption (box);
  gtk_label_set_text (GTK_LABEL (self->caption),
                      _ ("The largest real part or the least damping over two sliders."));
}

GtkWidget *
hl_map_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  HlMapWindow *self = g_object_new (HL_TYPE_MAP_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect (self, "unrealize", G_CALLBACK (closed_cb), NULL);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  fill_picks (self);
  if (hl_workbench_knobs (workbench)->len > 1)
    hl_map_window_start (self, 0, 1);
  return GTK_WIDGET (self);
}
