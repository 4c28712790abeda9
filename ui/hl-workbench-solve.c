/* SPDX-License-Identifier: MIT */
/* What follows from the document, once a frame: compile (or a re-parameterised copy), the start
 * state with its eigenvalues in the frame itself, the run and the locus in the workers. */
#include "ui/hl-workbench-private.h"

#include "core/analysis/hl-compile.h"
#include "core/document/hl-check.h"
#include "core/document/hl-i18n.h"

#include <math.h>
#include <string.h>

#define MODE_AMPLITUDE 0.1 /* [m or rad] */
#define FALLBACK_MS 16

/* --- frames --- */

static gboolean
fallback_frame_cb (gpointer data)
{
  HlWorkbench *self = data;

  if (hl_workbench_frame (self))
    return G_SOURCE_CONTINUE;
  self->fallback_source = 0;
  return G_SOURCE_REMOVE;
}

void
hl_workbench_wake (HlWorkbench *self, guint changes)
{
  self->pending |= changes;
  if (self->wake != NULL)
    self->wake (self->wake_data);
  else if (self->fallback_source == 0)
    self->fallback_source = g_timeout_add (FALLBACK_MS, fallback_frame_cb, self);
}

void
hl_workbench_set_wake (HlWorkbench *self, void (*wake) (gpointer data), gpointer data)
{
  self->wake = wake;
  self->wake_data = data;
  if (wake != NULL)
    g_clear_handle_id (&self->fallback_source, g_source_remove);
}

void
hl_workbench_invalidate (HlWorkbench *self, HlStale stale)
{
  self->stale = MAX (self->stale, stale);
  hl_workbench_wake (self, 0);
}

/* --- system --- */

gboolean
hl_workbench_reparameterise (HlWorkbench *self, const char *const *paths, double value)
{
  HlParameter parameter;

  if (self->system == NULL || self->stale == STALE_SYSTEM)
    return FALSE;
  for (const char *const *path = paths; *path != NULL; path++)
    if (!hl_system_find_parameter (self->system, *path, &parameter))
      return FALSE;
  if (!hl_workbench_is_locus_knob (self, paths))
    hl_workbench_branches_changed (self);

  HlSystem *system = hl_system_copy (self->system);
  for (const char *const *path = paths; *path != NULL; path++)
    if (hl_system_find_parameter (system, *path, &parameter))
      hl_system_set_parameter (system, parameter, value);
  hl_system_unref (self->system);
  self->system = system;
  return TRUE;
}

/* A machine that drives is read in m/s, unless somebody chose otherwise. */
static void
choose_speed_unit (HlWorkbench *self)
{
  const HlUnit *unit = hl_unit_find (HL_QUANTITY_SPEED, "m/s");

  for (guint i = 0; i < self->knobs->len && unit != NULL; i++) {
    const HlKnob *knob = self->knobs->pdata[i];
    if (knob->slider >= 0 || knob->quantity != HL_QUANTITY_SPEED)
      continue;
    self->units[HL_QUANTITY_SPEED] = unit;
    self->pending |= HL_CHANGED_UNITS;
  }
}

static void
refresh_knobs (HlWorkbench *self)
{
  GPtrArray *knobs = hl_knobs_of_document (hl_workbench_document (self));
  gboolean same = knobs->len == self->knobs->len;

  for (guint i = 0; same && i < knobs->len; i++)
    same = hl_knob_equal (knobs->pdata[i], self->knobs->pdata[i]);
  if (same) { /* rows of the window hold on to the array */
    g_ptr_array_unref (knobs);
    return;
  }
  gboolean first = self->knobs->len == 0;
  g_ptr_array_unref (self->knobs);
  self->knobs = knobs;
  if (first)
    choose_speed_unit (self);
  g_clear_pointer (&self->sensitivity, hl_sensitivity_free); /* to the knobs before */
  self->locus_knob = knobs->len > 0 ? 0 : -1;
  self->pending |= HL_CHANGED_KNOBS | HL_CHANGED_LOCUS;
}

static void
compile (HlWorkbench *self)
{
  const HlDocument *document = hl_workbench_document (self);

  g_clear_pointer (&self->system, hl_system_unref);
  g_clear_pointer (&self->recording, hl_recording_unref);
  hl_workbench_branches_changed (self);
  g_clear_pointer (&self->findings, hl_findings_free);
  self->findings = hl_findings_new ();
  if (hl_document_n_elements (document, HL_SECTION_BODIES) +
          hl_document_n_elements (document, HL_SECTION_COMPONENTS) >
      0)
    self->system = hl_compile (document, self->findings);
  refresh_knobs (self);
  hl_workbench_refresh_levers (self);
  self->pending |= HL_CHANGED_FINDINGS;
}

/* --- start state and eigenvalues --- */

static void
note_failure (HlWorkbench *self)
{
  const HlWorkingPoint *at = self->point;
  if (at == NULL || at->message == NULL)
    return;
  HlFinding *finding = hl_findings_add (self->findings, HL_SEVERITY_ERROR, at->entity_id,
                                        at->entity_id, NULL, "%s", at->message);
  const char *start =
      hl_document_object_text (hl_workbench_document (self), HL_SECTION_SIMULATION, "start");
  if (g_strcmp0 (start, "as-given") != 0)
    hl_finding_set_place_fix (finding, _ ("Start the run as given"), "simulation.start",
                              hl_value_new_string ("as-given"));
  self->pending |= HL_CHANGED_FINDINGS;
}

static gboolean
forget_old_failure (HlWorkbench *self)
{
  /* Findings of the start state stand last in the list; a new list comes with the next compile, so
   * while a slider is dragged a failure that went away is forgotten by compiling. */
  return self->point != NULL && self->point->message != NULL;
}

static void
find_working_point (HlWorkbench *self)
{
  HlWorkingPoint *before = self->point;

  self->point = self->system != NULL ? hl_working_point_new (self->system, before) : NULL;
  hl_workbench_follow_mode (self, before != NULL ? before->linearization : NULL,
                            self->point != NULL ? self->point->linearization : NULL);
  hl_working_point_free (before);
  self->pending |= HL_CHANGED_POINT;
  note_failure (self);
}

/* --- the frame --- */

gboolean
hl_workbench_frame (HlWorkbench *self)
{
  if (self->stale == STALE_FINDINGS) {
    compile (self);
    note_failure (self);
    self->stale = STALE_NOTHING;
  }
  if (self->stale != STALE_NOTHING) {
    HlRunQuality quality =
        self->in_gesture ? hl_workbench_quality_of_drag (self) : HL_RUN_AS_STATED;
    hl_workbench_leave_drive_for_edit (self);
    g_queue_clear (&self->models);
    if (self->stale == STALE_SYSTEM || forget_old_failure (self))
      compile (self);
    self->stale = STALE_NOTHING;
    find_working_point (self);
    if (self->system == NULL) {
      hl_runner_stop (self->runner);
      hl_workbench_drop_asked (self);
    }
    hl_workbench_ask_for_run (self, quality);
    self->locus_stale = TRUE;
  }
  if (self->tuned) {
    self->tuned = FALSE;
    find_working_point (self);
    self->locus_stale = TRUE;
  }
  if (self->refine_due && self->in_gesture)
    hl_workbench_ask_for_run (self, HL_RUN_BETTER);
  self->refine_due = FALSE;
  if (self->locus_stale)
    hl_workbench_ask_for_locus (self);
  hl_runner_drain (self->runner, hl_workbench_take_run, hl_workbench_take_locus, self);
  hl_workbench_run_next_model (self);

  gboolean running = hl_workbench_is_running (self);
  if (running != self->was_running)
    self->pending |= HL_CHANGED_ACTIVITY;
  self->was_running = running;

  guint changes = self->pending;
  self->pending = 0;
  hl_workbench_announce (self, changes);
  return hl_runner_is_busy (self->runner) || self->stale != STALE_NOTHING || self->pending != 0 ||
         self->locus_stale || self->refine_due || self->models.length > 0;
}

void
hl_workbench_finish_frame (HlWorkbench *self, gint64 until_us)
{
  if (hl_workbench_is_run_expected (self, until_us))
    hl_runner_wait_for_run (self->runner, until_us);
  hl_runner_drain (self->runner, hl_workbench_take_run, hl_workbench_take_locus, self);
  guint changes = self->pending;
  self->pending = 0;
  hl_workbench_announce (self, changes);
}

void
hl_workbench_run (HlWorkbench *self)
{
  self->in_gesture = FALSE;
  hl_workbench_leave_drive (self, NULL);
  hl_workbench_invalidate (self, STALE_SYSTEM);
}

void
hl_workbench_stop (HlWorkbench *self)
{
  hl_workbench_leave_drive (self, NULL);
  hl_runner_stop (self->runner);
  g_queue_clear (&self->models);
  /* One that never began sends nothing back. */
  while (self->asked.length > 1)
    hl_run_unref (g_queue_pop_tail (&self->asked));
  hl_workbench_wake (self, HL_CHANGED_ACTIVITY);
}

gboolean
hl_workbench_is_running (HlWorkbench *self)
{
  return hl_runner_is_simulating (self->runner);
}

HlRun *
hl_workbench_shown_run (HlWorkbench *self)
{
  return self->shown;
}

const HlFindings *
hl_workbench_findings (HlWorkbench *self)
{
  return self->findings;
}

gboolean
hl_workbench_has_system (HlWorkbench *self)
{
  return self->system != NULL;
}

gboolean
hl_workbench_can_record (HlWorkbench *self, const char *path)
{
  HlObservable observable;
  return self->system != NULL && hl_observable_find (self->system, path, &observable);
}

int
hl_workbench_degrees_of_freedom (HlWorkbench *self)
{
  return self->system != NULL ? hl_system_degrees_of_freedom (self->system) : -1;
}

const HlWorkingPoint *
hl_workbench_point (HlWorkbench *self)
{
  return self->point;
}

GPtrArray *
hl_workbench_knobs (HlWorkbench *self)
{
  return self->knobs;
}

void
hl_workbench_forget_results (HlWorkbench *self)
{
  hl_workbench_leave_drive (self, NULL);
  hl_runner_stop (self->runner);
  hl_runner_forget_locus (self->runner);
  hl_workbench_drop_asked (self);
  g_clear_pointer (&self->shown, hl_run_unref);
  hl_workbench_forget_runs (self);
  hl_workbench_forget_locus (self);
  g_clear_pointer (&self->point, hl_working_point_free);
  hl_workbench_drop_movie (self);
  self->mode = -1;
}

void
hl_workbench_solve_init (HlWorkbench *self)
{
  self->findings = hl_findings_new ();
  self->knobs = g_ptr_array_new ();
  self->locus_knob = -1;
  self->mode = -1;
  self->mode_amplitude = MODE_AMPLITUDE;
  self->runner = hl_runner_new ();
  g_queue_init (&self->asked);
  g_queue_init (&self->models);
  self->levers = g_ptr_array_new ();
  self->drive_speed = 1.0;
  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_run_unref);
  self->runs_limit = HL_RUNS_MOST_BYTES;
  hl_workbench_forget_measured (self);
}

void
hl_workbench_solve_dispose (HlWorkbench *self)
{
  hl_workbench_leave_drive (self, NULL);
  g_clear_handle_id (&self->fallback_source, g_source_remove);
  self->wake = NULL;
  if (self->runner != NULL)
    hl_workbench_forget_results (self);
  g_clear_pointer (&self->runner, hl_runner_free);
  g_clear_pointer (&self->system, hl_system_unref);
  g_clear_pointer (&self->recording, hl_recording_unref);
  g_clear_pointer (&self->findings, hl_findings_free);
  g_clear_pointer (&self->knobs, g_ptr_array_unref);
  g_clear_pointer (&self->levers, g_ptr_array_unref);
  g_clear_pointer (&self->drive_news, g_free);
  g_clear_pointer (&self->others, g_array_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  hl_workbench_forget_measured (self);
  g_clear_pointer (&self->measured, g_ptr_array_unref);
}
