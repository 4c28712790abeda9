/* SPDX-License-Identifier: MIT */
/* Runs are asked for and taken.
 *
 * A drag asks for a run with every frame. The run under way is allowed to end when it is young, so
 * that traces follow the hand at the rate at which runs can be made; one that takes longer gives
 * way to the newest request and shows how far it got. Where runs are longer than a frame, coarse
 * ones answer a drag, and a better one follows as soon as the hand rests. */
#include "ui/bench/hl-runs-private.h"

#include "core/base/hl-i18n.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-oil-model.h"
#include "ui/bench/hl-driving-peer.h"
#include "ui/bench/hl-locus-study-peer.h"

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
hl_runs_drop_asked (HlRuns *self)
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
  options.linear = hl_oil_models[options.model]->has_points;
  options.linear_from = NAN;
  return options;
}

/* No more rows than the memory for one run holds, at equal distances. */
static void
limit_rows (HlSimOptions *options, const HlRecording *recording, HlRun *run)
{
  double row = (hl_recording_n_columns (recording) + 1.0) * (double)sizeof (double);
  double most = floor (fmin (HL_RUN_MOST_ROWS, (double)HL_RUN_MOST_BYTES / row));
  double least = options->t_end / most;

  if (options->every < least) {
    run->stated = options->every;
    options->every = least;
  }
  run->every = options->every;
}

static void
lower_quality (HlSimOptions *options, HlRunQuality quality)
{
  if (quality == HL_RUN_AS_STATED)
    return;
  options->method = HL_METHOD_RADAU;
  options->interpolated = true;
  options->rtol = fmax (options->rtol, quality == HL_RUN_COARSE ? COARSE_RTOL : PREVIEW_RTOL);
  if (quality == HL_RUN_COARSE)
    options->every = fmax (options->every, options->t_end / COARSE_ROWS);
}

HlRunQuality
hl_runs_quality_of_drag (HlRuns *self)
{
  return self->preview_seconds > LONG_SECONDS ? HL_RUN_COARSE : HL_RUN_PREVIEW;
}

void
hl_runs_ask (HlRuns *self, HlRunQuality quality)
{
  gboolean preview = quality != HL_RUN_AS_STATED;
  HlEditing *editing = hl_workbench_editing (self->hub);
  const HlWorkingPoint *at = hl_editing_point (editing);

  self->refine_due = FALSE;
  if (!hl_editing_has_system (editing) || at == NULL || at->point == NULL)
    return;

  const HlRun *oldest = g_queue_peek_head (&self->asked);
  gboolean interrupt =
      !preview || (oldest != NULL &&
                   (oldest->refines || g_get_monotonic_time () - oldest->asked_us > PATIENCE_US));
  HlRecording *recording = hl_editing_recording (editing);
  HlRunRequest request = {
      .system = at->system, /* of a large model the document may be newer */
      .recording = recording,
      .from = at->point,
      .options = plot_options (at->system),
  };
  lower_quality (&request.options, quality);

  HlRun *run = hl_run_new (hl_editing_solved (editing), hl_recording_new_results (recording),
                           request.options.t_end);
  request.results = run->results;
  limit_rows (&request.options, recording, run);
  run->preview = preview;
  run->coarse = quality == HL_RUN_COARSE;
  run->refines = quality == HL_RUN_BETTER;
  gint64 edited_us = hl_editing_take_edited_us (editing);
  run->edited_us = edited_us != 0 ? edited_us : run->asked_us;
  run->serial = hl_runner_simulate (hl_workbench_runner (self->hub), &request, interrupt);
  g_queue_push_tail (&self->asked, run);
}

void
hl_runs_expect (HlRuns *self, HlRun *run)
{
  g_queue_push_tail (&self->asked, run);
}

void
hl_runs_refine (HlRuns *self)
{
  if (self->refine_due && hl_editing_is_in_gesture (hl_workbench_editing (self->hub)))
    hl_runs_ask (self, HL_RUN_BETTER);
  self->refine_due = FALSE;
}

gboolean
hl_runs_is_due (HlRuns *self)
{
  return self->refine_due || self->models.length > 0;
}

static HlRun *
find_asked (HlRuns *self, guint serial)
{
  for (GList *at = self->asked.head; at != NULL; at = at->next)
    if (((HlRun *)at->data)->serial == serial)
      return at->data;
  return NULL;
}

static void
show_run (HlRuns *self, HlRun *run)
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
  if (post->tape != NULL) {
    hl_tape_free (run->tape);
    run->tape = g_steal_pointer (&post->tape);
  }
  run->message = g_steal_pointer (&post->message);
  run->entity_id = g_steal_pointer (&post->entity_id);
  run->failure = g_steal_pointer (&post->failure);
}

gboolean
hl_runs_is_expected (HlRuns *self, gint64 until_us)
{
  const HlRun *newest = g_queue_peek_tail (&self->asked);

  if (newest == NULL || !newest->preview || newest->refines)
    return FALSE;
  double seconds = newest->coarse ? self->coarse_seconds : self->preview_seconds;
  return newest->asked_us + (gint64)(1e6 * seconds) < until_us;
}

/* What runs take decides how a drag is answered. */
static void
note_seconds (HlRuns *self, const HlRun *run)
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
keep_when_worth_it (HlRuns *self, HlRun *run, gboolean has_rows)
{
  if (run->preview || (run->state == HL_RUN_STOPPED && self->asked.length > 1))
    return;
  if (run->aside)
    run->pinned = run->state == HL_RUN_DONE;
  else if (!has_rows)
    return;
  hl_runs_keep (self, run);
  hl_workbench_note (self->hub, HL_CHANGED_RUN);
}

/* What the run that is shown has to say, once. The end of a run that an edit has interrupted comes after the
 * findings of the new document, which it does not concern. */
static void
tell_doubts (HlRuns *self, const HlRun *run)
{
  if (!hl_runs_is_of_document (self, run))
    return;
  if (hl_run_is_over (run) || (guint)hl_cavitations_n (run->cavitations) >
                                  hl_editing_n_doubts (hl_workbench_editing (self->hub)))
    hl_editing_tell_doubts (hl_workbench_editing (self->hub), run->system, run->cavitations,
                            &run->stats.gives_way);
}

void
hl_runs_take (HlRuns *self, HlRunPost *post)
{
  HlRun *run = find_asked (self, post->base.serial);

  if (run == NULL)
    return; /* of a document that is gone */
  if (post->instead != NULL) {
    hl_results_unref (run->results);
    run->results = g_steal_pointer (&post->instead);
  }
  if (post->n_rows > 0) {
    hl_results_show (run->results, post->n_rows);
    run->state = HL_RUN_GROWING;
    if (run->is_driven)
      hl_driving_follow_run (hl_workbench_driving (self->hub), run);
  }
  if (post->cavitations != NULL) {
    hl_cavitations_free (run->cavitations);
    run->cavitations = g_steal_pointer (&post->cavitations);
    if (run->system != NULL)
      hl_system_unref (run->system);
    run->system = g_steal_pointer (&post->system);
  }
  if (post->system != NULL && run->system == NULL)
    run->system = g_steal_pointer (&post->system);
  if (post->base.last) {
    finish_run (run, post);
    if (run->is_driven)
      hl_driving_end_run (hl_workbench_driving (self->hub), run);
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
    hl_workbench_note (self->hub, HL_CHANGED_RUN);
  }
  /* during a drag the list of problems would flicker */
  if (self->shown == run && !run->preview && (hl_run_is_over (run) || run->is_driven))
    tell_doubts (self, run);
  if (hl_run_is_over (run)) {
    self->refine_due = run->coarse && run->state == HL_RUN_DONE && self->asked.length == 1;
    keep_when_worth_it (self, run, has_rows);
    if (run->state == HL_RUN_DONE && !run->aside && hl_runs_is_of_document (self, run))
      hl_editing_forget_run_failure (hl_workbench_editing (self->hub));
    if (run->state == HL_RUN_FAILED && run->failure != NULL && !run->aside &&
        hl_runs_is_of_document (self, run))
      hl_editing_add_failure (hl_workbench_editing (self->hub), hl_findings_get (run->failure, 0));
    g_queue_pop_head (&self->asked);
    hl_run_unref (run);
    hl_locus_study_follow_time (hl_workbench_locus (self->hub));
    hl_workbench_note (self->hub, HL_CHANGED_ACTIVITY);
  }
}

/* --- models of the oil that are compared --- */

void
hl_runs_drop_models (HlRuns *self)
{
  g_queue_clear (&self->models);
}

void
hl_runs_compare_models (HlRuns *self)
{
  HlEditing *editing = hl_workbench_editing (self->hub);
  const char *present =
      hl_document_object_text (hl_editing_document (editing), HL_SECTION_SIMULATION, "model");

  hl_runs_drop_models (self);
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    if (strcmp (hl_oil_models[k]->name, present != NULL ? present : hl_oil_models[0]->name) != 0)
      g_queue_push_tail (&self->models, (gpointer)hl_oil_models[k]->name);
  hl_workbench_wake (self->hub, 0);
}

void
hl_runs_run_next_model (HlRuns *self)
{
  HlEditing *editing = hl_workbench_editing (self->hub);

  if (self->models.length == 0 || hl_runs_is_running (self) || self->asked.length > 0 ||
      hl_editing_solving (editing) != HL_STALE_NOTHING)
    return;
  const char *model = g_queue_pop_head (&self->models);
  /* a formulation of one model is none of another */
  g_autoptr (HlDocument) bare =
      hl_edit_set (hl_editing_document (editing), "simulation", "formulation", NULL, NULL);
  g_autoptr (HlDocument) document =
      bare != NULL ? hl_edit_set (bare, "simulation", "model", hl_value_new_string (model), NULL)
                   : NULL;
  if (document != NULL)
    hl_editing_solve_aside (editing, document, model);
}

/* A run that cannot be made is kept all the same: its message stands in the list of runs. */
static void
keep_failed (HlRuns *self, HlRun *run, const char *message)
{
  run->state = HL_RUN_FAILED;
  run->message = g_strdup (message);
  hl_runs_keep (self, run);
  hl_run_unref (run);
  hl_workbench_note (self->hub, HL_CHANGED_RUN);
}

void
hl_runs_take_aside (HlRuns *self, const char *name, HlSolvePost *post)
{
  const HlWorkingPoint *point = post->point;

  if (point != NULL && point->point != NULL) {
    HlRunRequest request = {.system = post->system,
                            .recording = post->recording,
                            .from = point->point,
                            .options = plot_options (post->system)};
    HlRun *run = hl_run_new (post->document, hl_recording_new_results (post->recording),
                             request.options.t_end);
    request.results = run->results;
    limit_rows (&request.options, post->recording, run);
    run->aside = TRUE;
    run->name = g_strdup (hl_schema_word (name));
    run->edited_us = run->asked_us;
    run->serial = hl_runner_simulate (hl_workbench_runner (self->hub), &request, FALSE);
    g_queue_push_tail (&self->asked, run);
  } else {
    const HlFinding *first = hl_findings_first_error (post->findings);
    HlRun *run = hl_run_new (post->document, hl_results_new (NULL, 0), hl_runs_t_end (self));
    g_autofree char *words = first != NULL ? hl_finding_format (first) : NULL;
    run->aside = TRUE;
    run->name = g_strdup (hl_schema_word (name));
    keep_failed (self, run,
                 words != NULL                             ? words
                 : point != NULL && point->message != NULL ? point->message
                                                           : _ ("has no start state"));
  }
}
