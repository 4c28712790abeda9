/* SPDX-License-Identifier: MIT */
/* The desk lies between this thread and the worker; the run itself comes back in posts as any
 * other. */
#include "ui/hl-workbench-drive.h"

#include "core/analysis/hl-drive.h"
#include "core/document/hl-compare.h"
#include "core/document/hl-edit.h"
#include "core/document/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/hl-workbench-private.h"

#include <math.h>
#include <string.h>

#define LATE 0.95 /* of the speed that is wished: below, the machine is late */
#define SECONDS_A_MINUTE 60.0

gboolean
hl_workbench_can_drive (HlWorkbench *self)
{
  return self->system != NULL && self->point != NULL && self->point->point != NULL;
}

gboolean
hl_workbench_is_driving (HlWorkbench *self)
{
  return self->desk != NULL;
}

static char **
lever_paths (const GPtrArray *levers)
{
  char **paths = g_new0 (char *, levers->len + 1);

  for (guint i = 0; i < levers->len; i++)
    paths[i] = g_strdup (((const HlLever *)levers->pdata[i])->path);
  return paths;
}

void
hl_workbench_drive (HlWorkbench *self)
{
  if (self->desk != NULL)
    return;
  hl_workbench_frame (self); /* what was edited a moment ago counts */
  if (!hl_workbench_can_drive (self))
    return;

  g_autoptr (HlRecording) recording = hl_recording_new (hl_workbench_document (self), self->system);
  HlDriveOptions options = hl_drive_options_from_model (self->system);
  g_autofree int *inputs = g_new (int, self->levers->len + 1);
  for (guint i = 0; i < self->levers->len; i++)
    inputs[i] = ((const HlLever *)self->levers->pdata[i])->input;
  self->desk = hl_drive_desk_new ((int)self->levers->len, self->drive_speed);
  HlRunRequest request = {.system = self->system,
                          .recording = recording,
                          .from = self->point->point,
                          .options = options.sim,
                          .desk = self->desk,
                          .tick = options.tick,
                          .inputs = inputs,
                          .n_levers = (int)self->levers->len};

  HlRun *run = hl_run_new (hl_workbench_document (self), hl_recording_new_results (recording), 0.0);
  run->is_driven = TRUE;
  run->lever_paths = lever_paths (self->levers);
  run->name = g_strdup_printf (_ ("Driven %u"), ++self->n_drives);
  run->edited_us = run->asked_us;
  g_queue_clear (&self->models);
  g_clear_pointer (&self->drive_news, g_free);
  g_clear_pointer (&self->driven, hl_run_unref);
  self->driven = hl_run_ref (run);
  run->serial = hl_runner_simulate (self->runner, &request, TRUE);
  g_queue_push_tail (&self->asked, run);
  self->time = 0.0;
  hl_workbench_wake (self, HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY | HL_CHANGED_TIME);
}

void
hl_workbench_leave_drive (HlWorkbench *self, char *news)
{
  if (self->desk == NULL) {
    g_free (news);
    return;
  }
  g_clear_pointer (&self->desk, hl_drive_desk_unref);
  g_clear_pointer (&self->driven, hl_run_unref);
  g_free (self->drive_news);
  self->drive_news = news;
  hl_workbench_wake (self, HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY);
}

void
hl_workbench_leave_drive_for_edit (HlWorkbench *self)
{
  if (self->desk == NULL)
    return;
  hl_runner_stop (self->runner);
  hl_workbench_leave_drive (
      self, g_strdup_printf (_ ("The model was changed, so driving ended. “%s” is in the list of "
                                "runs with all that was recorded."),
                             self->driven->name));
}

/* A number that says where a run starts: one that is under way does not ask for it. */
static gboolean
is_start_value (const HlPathInfo *info)
{
  static const char *const pose[] = {"x", "y", "angle", "vx", "vy", "omega", NULL};

  return (info->section == HL_SECTION_BODIES && g_strv_contains (pose, info->name)) ||
         (info->section == HL_SECTION_LINES && strcmp (info->name, "pressure") == 0) ||
         (info->section == HL_SECTION_COMPONENTS && strcmp (info->name, "spool") == 0);
}

/* A number that the equations read again and again. */
static gboolean
find_live (HlWorkbench *self, const HlDifference *difference, HlParameter *parameter)
{
  HlPathInfo info;

  return difference->is_number && isfinite (difference->after) &&
         hl_path_find (hl_workbench_document (self), difference->path, &info, NULL) &&
         info.type == HL_PATH_NUMBER && info.field != NULL && info.field->type != HL_FIELD_SIGNAL &&
         !is_start_value (&info) &&
         hl_system_find_parameter (self->system, difference->path, parameter);
}

gboolean
hl_workbench_tune_drive (HlWorkbench *self, const HlDocument *before)
{
  if (self->desk == NULL || self->system == NULL || self->stale > STALE_FINDINGS ||
      hl_sim_options_from_model (self->system).model != HL_MODEL_LUMPED)
    return FALSE;
  g_autoptr (GPtrArray) differences =
      hl_document_differences (before, hl_workbench_document (self));
  g_autofree HlParameter *parameters = g_new0 (HlParameter, differences->len + 1);
  for (guint i = 0; i < differences->len; i++)
    if (!find_live (self, differences->pdata[i], &parameters[i]))
      return FALSE;
  if (differences->len == 0)
    return FALSE;
  HlSystem *system = hl_system_copy (self->system);
  for (guint i = 0; i < differences->len; i++) {
    double value = ((const HlDifference *)differences->pdata[i])->after;
    hl_system_set_parameter (system, parameters[i], value);
    hl_drive_desk_set_number (self->desk, parameters[i], value);
  }
  hl_system_unref (self->system);
  self->system = system;
  hl_workbench_branches_changed (self);
  self->driven->n_tuned++;
  self->tuned = TRUE;
  hl_workbench_wake (self, HL_CHANGED_NUMBERS);
  return TRUE;
}

/* Rows beyond the limit go, half of them at a time, so that it costs little a row. */
static void
bound_memory (HlRun *run)
{
  if (hl_results_bytes (run->results) <= HL_DRIVE_MOST_BYTES)
    return;
  HlResults *tail = hl_results_tail (run->results, hl_results_n_rows (run->results) / 2);
  hl_results_unref (run->results);
  run->results = tail;
}

void
hl_workbench_follow_drive (HlWorkbench *self, HlRun *run)
{
  gboolean is_followed = run == self->driven || (run == self->shown && self->time >= run->t_end);

  bound_memory (run);
  run->t_end = hl_results_get (run->results, 0, hl_results_n_rows (run->results) - 1);
  if (!is_followed)
    return;
  self->time = run->t_end;
  self->pending |= HL_CHANGED_TIME;
}

void
hl_workbench_end_drive (HlWorkbench *self, HlRun *run)
{
  if (run->state == HL_RUN_FAILED && hl_results_n_rows (run->results) > 0) {
    run->state = HL_RUN_STOPPED;
    if (run == self->driven)
      hl_workbench_leave_drive (self,
                                g_strdup_printf (_ ("Driving ended at %.3g s: %s"), run->t_end,
                                                 run->message != NULL ? run->message : ""));
  } else if (run->state == HL_RUN_STOPPED)
    run->state = HL_RUN_DONE; /* a drive has no other end */
  if (run == self->driven)
    hl_workbench_leave_drive (self, NULL);
}

void
hl_workbench_refresh_levers (HlWorkbench *self)
{
  GPtrArray *levers = self->system != NULL
                          ? hl_levers_of_model (hl_workbench_document (self), self->system)
                          : g_ptr_array_new ();

  hl_levers_inherit (levers, self->levers);
  g_ptr_array_unref (self->levers);
  self->levers = levers;
  self->pending |= HL_CHANGED_LEVERS;
}

void
hl_workbench_set_drive_paused (HlWorkbench *self, gboolean paused)
{
  if (self->desk == NULL || hl_drive_desk_is_paused (self->desk) == paused)
    return;
  hl_drive_desk_set_paused (self->desk, paused);
  hl_workbench_announce (self, HL_CHANGED_ACTIVITY);
}

gboolean
hl_workbench_is_drive_paused (HlWorkbench *self)
{
  return self->desk != NULL && hl_drive_desk_is_paused (self->desk);
}

void
hl_workbench_set_drive_speed (HlWorkbench *self, double speed)
{
  self->drive_speed = speed;
  if (self->desk != NULL)
    hl_drive_desk_set_speed (self->desk, speed);
}

gboolean
hl_workbench_is_drive_late (HlWorkbench *self)
{
  double pace = self->desk != NULL ? hl_drive_desk_pace (self->desk) : NAN;
  return isfinite (pace) && pace < LATE * self->drive_speed;
}

/* The time that fits into the memory of a drive [s]; NAN: not known yet. */
static double
kept_seconds (const HlRun *run)
{
  int n = hl_results_n_rows (run->results);
  gsize row = (gsize)hl_results_n_columns (run->results) * sizeof (double);

  if (n < 2)
    return NAN;
  double span = run->t_end - hl_results_get (run->results, 0, 0);
  return 0.5 * span / (n - 1) * (double)(HL_DRIVE_MOST_BYTES / row);
}

char *
hl_workbench_drive_text (HlWorkbench *self)
{
  if (self->desk == NULL)
    return NULL;
  GString *text = g_string_new (NULL);
  double pace = hl_drive_desk_pace (self->desk), kept = kept_seconds (self->driven);
  const char *state =
      hl_drive_desk_is_paused (self->desk) ? _ ("paused at %.1f s") : _ ("driving %.1f s");

  g_string_append_printf (text, state, self->driven->t_end);
  if (isfinite (pace) && !hl_drive_desk_is_paused (self->desk))
    g_string_append_printf (text, _ (" · %.2g × real time"), pace);
  if (isfinite (kept))
    g_string_append_printf (text, _ (" · keeps the last %.0f min"),
                            fmax (kept / SECONDS_A_MINUTE, 1.0));
  return g_string_free (text, FALSE);
}

char *
hl_workbench_take_drive_news (HlWorkbench *self)
{
  return g_steal_pointer (&self->drive_news);
}

/* --- levers --- */

GPtrArray *
hl_workbench_levers (HlWorkbench *self)
{
  return self->levers;
}

void
hl_workbench_move_lever (HlWorkbench *self, guint lever, double value)
{
  if (self->desk == NULL || lever >= self->levers->len || !isfinite (value))
    return;
  hl_drive_desk_set_lever (self->desk, (int)lever,
                           hl_lever_clamp (self->levers->pdata[lever], value));
}

/* Which lever of a driven run has the path; -1: none. */
static int
find_recorded (const HlRun *run, const char *path)
{
  for (int i = 0; run != NULL && run->lever_paths != NULL && run->lever_paths[i] != NULL; i++)
    if (strcmp (run->lever_paths[i], path) == 0)
      return i;
  return -1;
}

double
hl_workbench_lever (HlWorkbench *self, guint lever)
{
  const HlLever *one = self->levers->pdata[lever];

  if (self->desk != NULL) {
    double held = hl_drive_desk_lever (self->desk, (int)lever);
    if (isfinite (held))
      return held;
  }
  int recorded = find_recorded (self->shown, one->path);
  if (recorded >= 0 && self->shown->levers != NULL &&
      hl_lever_record_is_held (self->shown->levers, recorded))
    return hl_lever_record_value (self->shown->levers, recorded, self->time);
  double shown = hl_run_value (self->shown, one->path, self->time);
  return isfinite (shown) ? shown : one->start;
}

gboolean
hl_workbench_is_lever_held (HlWorkbench *self, guint lever)
{
  const HlLever *one = self->levers->pdata[lever];
  int recorded = find_recorded (self->shown, one->path);

  if (self->desk != NULL)
    return isfinite (hl_drive_desk_lever (self->desk, (int)lever));
  return recorded >= 0 && self->shown->levers != NULL &&
         hl_lever_record_is_held (self->shown->levers, recorded);
}

gboolean
hl_workbench_keep_levers (HlWorkbench *self, const HlRun *run, GError **error)
{
  HlDocument *document = hl_edit_set (hl_workbench_document (self), "simulation", "t_end",
                                      hl_value_new_number (run->t_end), error);

  for (int lever = 0; document != NULL && run->levers != NULL && run->lever_paths[lever] != NULL;
       lever++) {
    HlValue *signal = hl_lever_record_signal (run->levers, lever);
    if (signal == NULL)
      continue;
    g_autoptr (HlDocument) before = document;
    document = hl_lever_with_signal (before, run->lever_paths[lever], signal, error);
  }
  if (document == NULL)
    return FALSE;
  g_autofree char *title = hl_run_title (run);
  g_autofree char *step = g_strdup_printf (_ ("Keep “%s” as signals"), title);
  hl_workbench_commit (self, document, step, NULL);
  return TRUE;
}
