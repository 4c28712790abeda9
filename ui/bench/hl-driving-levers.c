/* SPDX-License-Identifier: MIT */
/* Levers: where they are, who has them, and what becomes of the way they went. */
#include "ui/bench/hl-driving-private.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing-peer.h"
#include "ui/bench/hl-runs.h"

#include <math.h>
#include <string.h>

void
hl_driving_follow_system (HlDriving *self)
{
  HlEditing *editing = hl_workbench_editing (self->hub);
  GPtrArray *levers =
      hl_editing_has_system (editing)
          ? hl_levers_of_model (hl_editing_document (editing), hl_editing_system (editing),
                                hl_workbench_units (self->hub))
          : g_ptr_array_new ();

  hl_levers_inherit (levers, self->levers);
  g_ptr_array_unref (self->levers);
  self->levers = levers;
  hl_workbench_note (self->hub, HL_CHANGED_LEVERS);
}

GPtrArray *
hl_driving_levers (HlDriving *self)
{
  return self->levers;
}

void
hl_driving_move_lever (HlDriving *self, guint lever, double value)
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
hl_driving_lever (HlDriving *self, guint lever)
{
  const HlLever *one = self->levers->pdata[lever];

  if (self->desk != NULL) {
    double held = hl_drive_desk_lever (self->desk, (int)lever);
    if (isfinite (held))
      return held;
  }
  const HlRun *run = hl_runs_shown (hl_workbench_runs (self->hub));
  double time = hl_runs_time (hl_workbench_runs (self->hub));
  int recorded = find_recorded (run, one->path);
  if (recorded >= 0 && run->levers != NULL && hl_lever_record_is_held (run->levers, recorded))
    return hl_lever_record_value (run->levers, recorded, time);
  double shown = hl_run_value (run, one->path, time);
  return isfinite (shown) ? shown : one->start;
}

gboolean
hl_driving_is_lever_held (HlDriving *self, guint lever)
{
  const HlLever *one = self->levers->pdata[lever];
  const HlRun *run = hl_runs_shown (hl_workbench_runs (self->hub));
  int recorded = find_recorded (run, one->path);

  if (self->desk != NULL)
    return isfinite (hl_drive_desk_lever (self->desk, (int)lever));
  return recorded >= 0 && run->levers != NULL && hl_lever_record_is_held (run->levers, recorded);
}

gboolean
hl_driving_keep_levers (HlDriving *self, const HlRun *run, GError **error)
{
  HlDocument *document =
      hl_edit_set (hl_editing_document (hl_workbench_editing (self->hub)), "simulation", "t_end",
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
  hl_editing_commit (hl_workbench_editing (self->hub), document, step, NULL);
  return TRUE;
}
