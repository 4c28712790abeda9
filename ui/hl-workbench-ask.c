/* SPDX-License-Identifier: MIT */
/* Runs are asked for and taken.
 *
 * A drag asks for a run with every frame. The run under way is allowed to end when it is young, so
 * that traces follow the hand at the rate at which runs can be made; one that takes longer gives
 * way to the newest request and shows how far it got. Where runs are longer than a frame, coarse
 * ones answer a drag, and a better one follows as soon as the hand rests. */
#include "ui/hl-workbench-private.h"

#include "core/analysis/hl-compile.h"
#include "core/document/hl-i18n.h"

#include <math.h>
#include <string.h>

#define PATIENCE_US 120000    /* a run this old gives way to a newer request */
#define GROWTH_AFTER_US 60000 /* a run this old is shown while it grows */
#define PLOT_STEP 1e-3        /* [s] finest output step asked for plots: 10 ms would alias 73 Hz */
#define PLOT_ROWS 20000       /* at most, unless the file asks for more */
/* Of a drag: with the Radau method 3e-5 of the peak in 1 to 12 ms on the four-bar, where BDF needs
 * 1 to 16; the run that follows the drag's end uses what the file says. */
#define PREVIEW_RTOL 1e-5
#define LONG_SECONDS 0.012 /* a drag whose runs take longer is answered by coarse ones first */
#define COARSE_RTOL 1e-4
#define COARSE_ROWS 400 /* one for every other pixel */
#define COARSE_PART 0.1 /* of what a run takes, at most: rows cost most of it */

void
hl_workbench_drop_asked (HlWorkbench *self)
{
  HlRun *run;
  while ((run = g_queue_pop_head (&self->asked)) != NULL)
    hl_run_unref (run);
}

static HlSimOptions
plot_options (const HlSystem *system)
{
  HlSimOptions options = hl_sim_options_from_model (system);

  options.every = fmin (options.every, fmax (PLOT_STEP, options.t_end / PLOT_ROWS));
  options.linear = options.model == HL_MODEL_LUMPED;
  options.linear_from = NAN;
  return options;
}

static void
lower_quality (HlSimOptions *options, HlRunQuality quality)
{
  if (quality == HL_RUN_AS_STATED)
    return;
  options->method = HL_METHOD_RADAU;
  options->rtol = fmax (options->rtol, quality == HL_RUN_COARSE ? COARSE_RTOL : PREVIEW_RTOL);
  if (quality == HL_RUN_COARSE)
    options->every = fmax (options->every, options->t_end / COARSE_ROWS);
}

HlRunQuality
hl_workbench_quality_of_drag (HlWorkbench *self)
{
  return self->preview_seconds > LONG_SECONDS ? HL_RUN_COARSE : HL_RUN_PREVIEW;
}

void
hl_workbench_ask_for_run (HlWorkbench *self, HlRunQuality quality)
{
  gboolean preview = quality != HL_RUN_AS_STATED;

  self->refine_due = FALSE;
  if (self->system == NULL || self->point == NULL || self->point->point == NULL)
    return;

  const HlRun *oldest = g_queue_peek_head (&self->asked);
  gboolean interrupt =
      !preview || (oldest != NULL &&
                   (oldest->refines || g_get_monotonic_time () - oldest->asked_us > PATIENCE_US));
  if (self->recording == NULL)
    self->recording = hl_recording_new (hl_workbench_document (self), self->system);
  HlRunRequest request = {
      .system = self->system,
      .recording = self->recording,
      .from = self->point->point,
      .options = plot_options (self->system),
  };
  lower_quality (&request.options, quality);

  HlRun *run = hl_run_new (hl_workbench_document (self), hl_recording_new_results (self->recording),
                           request.options.t_end);
  run->preview = preview;
  run->coarse = quality == HL_RUN_COARSE;
  run->refines = quality == HL_RUN_BETTER;
  run->edited_us = self->edited_us != 0 ? self->edited_us : run->asked_us;
  self->edited_us = 0;
  run->serial = hl_runner_simulate (self->runner, &request, interrupt);
  g_queue_push_tail (&self->asked, run);
}

/* A run that cannot be made is kept all the same: its message stands in the list of runs. */
static void
keep_failed (HlWorkbench *self, HlRun *run, const char *message)
{
  run->state = HL_RUN_FAILED;
  run->message = g_strdup (message);
  hl_workbench_keep_run (self, run);
  hl_run_unref (run);
  self->pending |= HL_CHANGED_RUN;
}

void
hl_workbench_ask_aside (HlWorkbench *self, const HlDocument *document, const char *name)
{
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (document, findings);
  HlWorkingPoint *point = system != NULL ? hl_working_point_new (system, NULL) : NULL;

  if (point != NULL && point->point != NULL) {
    g_autoptr (HlRecording) recording = hl_recording_new (document, system);
    HlRunRequest request = {.system = system,
                            .recording = recording,
                            .from = point->point,
                            .options = plot_options (system)};
    HlRun *run = hl_run_new (document, hl_recording_new_results (recording), request.options.t_end);
    run->aside = TRUE;
    run->name = g_strdup (hl_schema_word (name));
    run->edited_us = run->asked_us;
    run->serial = hl_runner_simulate (self->runner, &request, FALSE);
    g_queue_push_tail (&self->asked, run);
  } else {
    const HlFinding *first = hl_findings_first_error (findings);
    HlRun *run = hl_run_new (document, hl_results_new (NULL, 0), hl_workbench_t_end (self));
    g_autofree char *words = first != NULL ? hl_finding_format (first) : NULL;
    run->aside = TRUE;
    run->name = g_strdup (hl_schema_word (name));
    keep_failed (self, run,
                 words != NULL                             ? words
                 : point != NULL && point->message != NULL ? point->message
                                                           : _ ("has no start state"));
  }
  hl_working_point_free (point);
  hl_system_unref (system);
}

static HlRun *
find_asked (HlWorkbench *self, guint serial)
{
  for (GList *at = self->asked.head; at != NULL; at = at->next)
    if (((HlRun *)at->data)->serial == serial)
      return at->data;
  return NULL;
}

static void
show_run (HlWorkbench *self, HlRun *run)
{
  if (self->shown == run)
    return;
  g_clear_pointer (&self->shown, hl_run_unref);
  self->shown = hl_run_ref (run);
}

static void
finish_run (HlRun *run, HlRunPost *post)
{
  run->done_us = g_get_monotonic_time ();
  run->stats = post->stats;
  run->state = post->status == HL_OK          ? HL_RUN_DONE
               : post->status == HL_CANCELLED ? HL_RUN_STOPPED
                                              : HL_RUN_FAILED;
  run->history = g_steal_pointer (&post->history);
  run->levers = g_steal_pointer (&post->levers);
  run->message = g_steal_pointer (&post->message);
  run->entity_id = g_steal_pointer (&post->entity_id);
}

gboolean
hl_workbench_is_run_expected (HlWorkbench *self, gint64 until_us)
{
  const HlRun *newest = g_queue_peek_tail (&self->asked);

  if (newest == NULL || !newest->preview || newest->refines)
    return FALSE;
  double seconds = newest->coarse ? self->coarse_seconds : self->preview_seconds;
  return newest->asked_us + (gint64)(1e6 * seconds) < until_us;
}

/* What runs take decides how a drag is answered. */
static void
note_seconds (HlWorkbench *self, const HlRun *run)
{
  double seconds = run->stats.seconds;

  if (run->state != HL_RUN_DONE || run->aside || run->is_driven)
    return;
  if (run->coarse)
    self->coarse_seconds = seconds;
  /* a coarse one tells as well that a better one would be short */
  self->preview_seconds =
      run->coarse ? fmin (self->preview_seconds, seconds / COARSE_PART) : seconds;
}

/* Runs of a drag are not kept, nor what another request cut short. */
static void
keep_when_worth_it (HlWorkbench *self, HlRun *run, gboolean has_rows)
{
  if (run->preview || (run->state == HL_RUN_STOPPED && self->asked.length > 1))
    return;
  if (run->aside)
    run->pinned = run->state == HL_RUN_DONE;
  else if (!has_rows)
    return;
  hl_workbench_keep_run (self, run);
  self->pending |= HL_CHANGED_RUN;
}

void
hl_workbench_take_run (HlRunPost *post, gpointer data)
{
  HlWorkbench *self = data;
  HlRun *run = find_asked (self, post->base.serial);

  if (run == NULL)
    return; /* of a document that is gone */
  if (post->chunk != NULL && post->chunk->n_rows > 0) {
    hl_results_append_chunk (run->results, post->chunk);
    run->state = HL_RUN_GROWING;
    if (run->is_driven)
      hl_workbench_follow_drive (self, run);
  }
  if (post->base.last) {
    finish_run (run, post);
    if (run->is_driven)
      hl_workbench_end_drive (self, run);
  }
  note_seconds (self, run);

  /* Requests before this one were dropped by the worker. */
  while (g_queue_peek_head (&self->asked) != run)
    hl_run_unref (g_queue_pop_head (&self->asked));

  gboolean has_rows = hl_results_n_rows (run->results) > 0;
  gboolean superseded =
      run->state == HL_RUN_STOPPED && self->asked.length > 1 && self->shown != run;
  gboolean due = run->refines ? run->state == HL_RUN_DONE
                              : hl_run_is_over (run) || self->shown == NULL || run->is_driven ||
                                    g_get_monotonic_time () - run->asked_us > GROWTH_AFTER_US;
  if (due && (has_rows || run->state == HL_RUN_FAILED) && !superseded && !run->aside) {
    show_run (self, run);
    self->pending |= HL_CHANGED_RUN;
  }
  if (hl_run_is_over (run)) {
    self->refine_due = run->coarse && run->state == HL_RUN_DONE && self->asked.length == 1;
    keep_when_worth_it (self, run, has_rows);
    if (run->state == HL_RUN_FAILED && run->message != NULL && !run->aside) {
      hl_findings_add (self->findings, HL_SEVERITY_ERROR, run->entity_id, run->entity_id, NULL,
                       "%s", run->message);
      self->pending |= HL_CHANGED_FINDINGS;
    }
    g_queue_pop_head (&self->asked);
    hl_run_unref (run);
    hl_workbench_follow_visited_mode (self);
    self->pending |= HL_CHANGED_ACTIVITY;
  }
}
