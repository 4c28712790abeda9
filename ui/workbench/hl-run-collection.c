/* SPDX-License-Identifier: MIT */
/* Runs: requests and results, the list of kept runs, the visible run with its time cursor, and the quantities
 * that plots show. */
#include "ui/workbench/hl-run-collection.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/document/hl-trace-name.h"
#include "core/edit/hl-document-difference.h"
#include "core/edit/hl-edit.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/system/hl-observable.h"
#include "core/system/hl-hydraulic-model.h"
#include "ui/workbench/hl-workbench-private.h"
#include "ui/workbench/hl-workbench-hub.h"
#include "ui/paint/base/hl-scene-input.h"

#include <math.h>
#include <string.h>

#define MUCH_MEMORY 128e6 /* of one run, from which on it is reported [bytes] */
#define LONG_TO_FREE 4e6  /* likewise: gives its pages back without the window waiting */

HlRun *hl_run_new (const HlDocument *document, HlResults *results, double t_end) {
  HlRun *run = g_new0 (HlRun, 1);
  run->ref_count = 1;
  run->document = hl_document_ref (document);
  run->results = results;
  run->t_end = t_end;
  run->requested_us = g_get_monotonic_time ();
  return run;
}

HlRun *hl_run_ref (HlRun *run) {
  run->ref_count++;
  return run;
}

static gpointer let_go (gpointer results) {
  hl_results_unref (results);
  return NULL;
}

static void drop_results (HlResults *results) {
  if (results != NULL && (double)hl_results_bytes (results) > LONG_TO_FREE)
    g_thread_unref (g_thread_new ("let go", let_go, results));
  else
    hl_results_unref (results);
}

void hl_run_unref (HlRun *run) {
  if (run == NULL || --run->ref_count > 0)
    return;
  hl_document_unref (run->document);
  drop_results (run->results);
  hl_mode_history_unref (run->history);
  hl_lever_record_free (run->levers);
  hl_tape_free (run->tape);
  hl_cavitations_free (run->cavitations);
  if (run->system != NULL)
    hl_system_unref (run->system);
  g_strfreev (run->lever_paths);
  g_free (run->name);
  g_free (run->message);
  g_free (run->entity_id);
  g_clear_pointer (&run->failure, hl_findings_free);
  g_free (run);
}

gboolean hl_run_is_over (const HlRun *run) {
  return run->state == HL_RUN_DONE || run->state == HL_RUN_STOPPED || run->state == HL_RUN_FAILED;
}

char *hl_run_title (const HlRun *run) {
  return run->name != NULL ? g_strdup (run->name) : g_strdup_printf (_ ("Run %u"), run->number);
}

char *hl_run_size_text (const HlRun *run) {
  double n_rows = run->every > 0.0 ? floor (run->t_end / run->every) + 1.0 : 0.0;
  double bytes = n_rows * hl_results_n_columns (run->results) * (double)sizeof (double);

  if (run->stated == 0.0 && bytes < MUCH_MEMORY)
    return NULL;
  g_autofree char *size = hl_number_localize (g_format_size ((guint64)bytes));
  if (run->stated > 0.0)
    return g_strdup_printf (_ ("one row every %s s is kept instead of every %s s: %.0f rows, %s"),
                            hl_shown (run->every, 3).text, hl_shown (run->stated, 3).text, n_rows, size);
  return g_strdup_printf (_ ("%.0f rows, %s"), n_rows, size);
}

double hl_run_value (const HlRun *run, const char *id, double t) {
  if (run == NULL)
    return NAN;
  int column = hl_results_find_column (run->results, id);
  return column < 0 ? NAN : hl_results_value_at (run->results, column, t);
}

struct _HlRuns {
  HlHub *hub;

  GQueue asked; /* HlRun, oldest first: requested, not over, or over but not shown */
  HlRun *shown;
  double time;
  gboolean has_span;
  double span[2];
  double preview_seconds; /* duration of the last run of a drag */
  double coarse_seconds;  /* and what a coarse one takes */
  gboolean refine_due;    /* the pointer rests on a coarse one */
  GQueue models;          /* names of oil models to run aside, static */

  GPtrArray *kept; /* HlRun */
  guint n_made;
  gsize limit;
  char *news; /* effect of the limit when the last run was stored; NULL: none */
};

static void keep_run (HlRuns *self, HlRun *run);

/* Requests and their results.
 *
 * A drag requests a run in every frame. A run that began less than PATIENCE_US ago is finished first,
 * so that traces follow the pointer as fast as runs can be computed; a longer one is stopped, shown as
 * far as it got, and replaced by the newest request. If a run takes longer than a frame, a drag is
 * answered by coarse runs, and a precise one follows as soon as the pointer rests. */

#define PATIENCE_US 120000    /* age at which a newer request replaces a run */
#define GROWTH_AFTER_US 60000 /* a run this old is shown while it grows */
#define PLOT_STEP 1e-3        /* [s] finest output step for plots: 10 ms would alias 73 Hz */
#define PLOT_ROWS 20000       /* at most, unless the file requests more */
/* Tolerance of runs of a drag: with the Radau method 3e-5 of the peak in 1 to 12 ms on the four-bar, where
 * BDF needs 1 to 16; the run that follows the drag's end uses the options of the file. */
#define PREVIEW_RTOL 1e-5
#define LONG_SECONDS 0.012 /* a drag whose runs take longer is answered by coarse ones first */
#define COARSE_RTOL 1e-4
#define COARSE_ROWS 400 /* one for every other pixel */
#define COARSE_PART 0.1 /* of what a run takes, at most: rows cost most of it */

void hl_runs_drop_requested (HlRuns *self) {
  HlRun *run;
  while ((run = g_queue_pop_head (&self->asked)) != NULL)
    hl_run_unref (run);
}

static HlSimOptions plot_options (const HlSystem *system) {
  HlSimOptions options = hl_sim_options_from_model (system);

  options.every = fmin (options.every, fmax (PLOT_STEP, options.t_end / PLOT_ROWS));
  options.linear = hl_oil_models[options.model]->has_points;
  options.linear_from = NAN;
  return options;
}

/* Returns the settled start, which need not be sought again; NULL where the oil has neither points nor
 * modes: there cylinders hold the pose as given, where the other models seek one at rest. */
static const HlPoint *start_of_run (const HlSystem *system, const HlPoint *settled) {
  const HlOilModel *oil = hl_oil_models[hl_sim_options_from_model (system).model];

  return oil->has_points || oil->has_modes ? settled : NULL;
}

/* Limits the rows to the memory of one run, at equal distances. */
static void limit_rows (HlSimOptions *options, const HlRecording *recording, HlRun *run) {
  double row = (hl_recording_n_columns (recording) + 1.0) * (double)sizeof (double);
  double most = floor (fmin (HL_RUN_MOST_ROWS, (double)HL_RUN_MOST_BYTES / row));
  double least = options->t_end / most;

  if (options->every < least) {
    run->stated = options->every;
    options->every = least;
  }
  run->every = options->every;
}

static void lower_quality (HlSimOptions *options, HlRunQuality quality) {
  if (quality == HL_RUN_AS_STATED)
    return;
  options->method = HL_METHOD_RADAU;
  options->interpolated = true;
  options->rtol = fmax (options->rtol, quality == HL_RUN_COARSE ? COARSE_RTOL : PREVIEW_RTOL);
  if (quality == HL_RUN_COARSE)
    options->every = fmax (options->every, options->t_end / COARSE_ROWS);
}

HlRunQuality hl_runs_quality_of_drag (HlRuns *self) {
  return self->preview_seconds > LONG_SECONDS ? HL_RUN_COARSE : HL_RUN_PREVIEW;
}

void hl_runs_request (HlRuns *self, HlRunQuality quality) {
  gboolean preview = quality != HL_RUN_AS_STATED;
  HlEditing *editing = hl_hub_editing (self->hub);
  const HlWorkingPoint *at = hl_editing_point (editing);

  self->refine_due = FALSE;
  if (!hl_editing_has_system (editing) || at == NULL || at->point == NULL)
    return;

  const HlRun *oldest = g_queue_peek_head (&self->asked);
  gboolean interrupt =
      !preview ||
      (oldest != NULL && (oldest->refines || g_get_monotonic_time () - oldest->requested_us > PATIENCE_US));
  HlRecording *recording = hl_editing_recording (editing);
  HlRunRequest request = {
      .system = at->system, /* of a large model the document may be newer */
      .recording = recording,
      .from = start_of_run (at->system, at->point),
      .options = plot_options (at->system),
  };
  lower_quality (&request.options, quality);

  HlRun *run =
      hl_run_new (hl_editing_solved (editing), hl_recording_new_results (recording), request.options.t_end);
  request.results = run->results;
  limit_rows (&request.options, recording, run);
  run->preview = preview;
  run->coarse = quality == HL_RUN_COARSE;
  run->refines = quality == HL_RUN_BETTER;
  gint64 edited_us = hl_editing_take_edited_us (editing);
  run->edited_us = edited_us != 0 ? edited_us : run->requested_us;
  run->serial = hl_runner_simulate (hl_hub_runner (self->hub), &request, interrupt);
  g_queue_push_tail (&self->asked, run);
}

void hl_runs_expect (HlRuns *self, HlRun *run) {
  g_queue_push_tail (&self->asked, run);
}

void hl_runs_refine (HlRuns *self) {
  if (self->refine_due && hl_editing_is_in_gesture (hl_hub_editing (self->hub)))
    hl_runs_request (self, HL_RUN_BETTER);
  self->refine_due = FALSE;
}

gboolean hl_runs_is_due (HlRuns *self) {
  return self->refine_due || self->models.length > 0;
}

void hl_runs_drop_unanswered (HlRuns *self) {
  if (self->asked.length == 0 || hl_runner_is_simulating (hl_hub_runner (self->hub)))
    return;
  hl_runs_drop_requested (self);
  hl_hub_note (self->hub, HL_CHANGED_ACTIVITY);
}

static HlRun *find_asked (HlRuns *self, guint serial) {
  for (GList *at = self->asked.head; at != NULL; at = at->next)
    if (((HlRun *)at->data)->serial == serial)
      return at->data;
  return NULL;
}

/* Keeps the time cursor inside the visible run. After an interactive run it moves to the start, because the
 * times of the two runs are unrelated. */
static void fit_time (HlRuns *self, gboolean was_driven) {
  if (self->shown->is_driven)
    return;
  double time = was_driven ? 0 : fmin (self->time, hl_runs_t_end (self));
  if (time != self->time)
    hl_runs_put_time (self, time);
}

static void show_run (HlRuns *self, HlRun *run) {
  if (self->shown == run)
    return;
  gboolean was_driven = self->shown != NULL && self->shown->is_driven;
  hl_run_ref (run);
  g_clear_pointer (&self->shown, hl_run_unref);
  self->shown = run;
  fit_time (self, was_driven);
}

static void finish_run (HlRun *run, HlRunPost *post) {
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

gboolean hl_runs_is_expected (HlRuns *self, gint64 until_us) {
  const HlRun *newest = g_queue_peek_tail (&self->asked);

  if (newest == NULL || !newest->preview || newest->refines)
    return FALSE;
  double seconds = newest->coarse ? self->coarse_seconds : self->preview_seconds;
  return newest->requested_us + (gint64)(1e6 * seconds) < until_us;
}

/* Stores the computing time of runs, which selects the quality of previews during a drag. */
static void note_seconds (HlRuns *self, const HlRun *run) {
  double seconds = run->stats.seconds;

  if (run->state != HL_RUN_DONE || run->aside || run->is_driven)
    return;
  if (run->coarse)
    self->coarse_seconds = seconds;
  /* a coarse run also shows that a better one would be short */
  self->preview_seconds = run->coarse ? fmin (self->preview_seconds, seconds / COARSE_PART) : seconds;
}

/* Keeps a run, unless it belongs to a drag or was cancelled by another request. */
static void keep_when_worth_it (HlRuns *self, HlRun *run, gboolean has_rows) {
  if (run->preview || (run->state == HL_RUN_STOPPED && self->asked.length > 1))
    return;
  if (run->aside)
    run->pinned = run->state == HL_RUN_DONE;
  else if (!has_rows)
    return;
  keep_run (self, run);
  hl_hub_note (self->hub, HL_CHANGED_RUN);
}

/* Returns whether the run was computed from the present document; it may have been started before the last edit. */
static gboolean is_of_document (HlRuns *self, const HlRun *run) {
  const HlDocument *document = hl_editing_document (hl_hub_editing (self->hub));

  return (run->is_driven && hl_manual_run_is_under_way (hl_hub_manual_run (self->hub))) ||
         hl_document_same_model (run->document, document);
}

/* Reports the warnings of the shown run, once. The end of a run that an edit has interrupted comes after the findings
 * of the new document, which it does not concern. */
static void report_doubts (HlRuns *self, const HlRun *run) {
  if (!is_of_document (self, run))
    return;
  if (hl_run_is_over (run) ||
      (guint)hl_cavitations_n (run->cavitations) > hl_editing_n_doubts (hl_hub_editing (self->hub)))
    hl_editing_report_doubts (hl_hub_editing (self->hub), run->system, run->cavitations,
                              &run->stats.compressible_lines);
}

void hl_runs_take (HlRuns *self, HlRunPost *post) {
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
      hl_manual_run_follow_run (hl_hub_manual_run (self->hub), run);
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
      hl_manual_run_end_run (hl_hub_manual_run (self->hub), run);
  }
  note_seconds (self, run);

  /* Requests before this one were dropped by the worker. */
  while (g_queue_peek_head (&self->asked) != run)
    hl_run_unref (g_queue_pop_head (&self->asked));

  gboolean has_rows = hl_results_n_rows (run->results) > 0;
  gboolean superseded = run->state == HL_RUN_STOPPED && self->asked.length > 1 && self->shown != run;
  gboolean due = run->refines ? run->state == HL_RUN_DONE
                              : hl_run_is_over (run) || self->shown == NULL || run->is_driven ||
                                    g_get_monotonic_time () - run->requested_us > GROWTH_AFTER_US;
  if (due && (has_rows || run->state == HL_RUN_FAILED) && !superseded && !run->aside) {
    show_run (self, run);
    hl_hub_note (self->hub, HL_CHANGED_RUN);
  }
  /* during a drag the list of problems would flicker */
  if (self->shown == run && !run->preview && (hl_run_is_over (run) || run->is_driven))
    report_doubts (self, run);
  if (hl_run_is_over (run)) {
    self->refine_due = run->coarse && run->state == HL_RUN_DONE && self->asked.length == 1;
    keep_when_worth_it (self, run, has_rows);
    if (run->state == HL_RUN_DONE && !run->aside && is_of_document (self, run))
      hl_editing_forget_run_failure (hl_hub_editing (self->hub));
    if (run->state == HL_RUN_FAILED && run->failure != NULL && !run->aside && is_of_document (self, run))
      hl_editing_add_failure (hl_hub_editing (self->hub), hl_findings_get (run->failure, 0));
    g_queue_pop_head (&self->asked);
    hl_run_unref (run);
    hl_hub_notify_time (self->hub);
    hl_hub_note (self->hub, HL_CHANGED_ACTIVITY);
  }
}

/* --- models of the oil that are compared --- */

void hl_runs_drop_models (HlRuns *self) {
  g_queue_clear (&self->models);
}

void hl_runs_compare_models (HlRuns *self) {
  HlEditing *editing = hl_hub_editing (self->hub);
  const char *present =
      hl_document_object_text (hl_editing_document (editing), HL_SECTION_SIMULATION, "model");

  hl_runs_drop_models (self);
  for (int k = 0; k < HL_N_OIL_MODELS; k++)
    if (strcmp (hl_oil_models[k]->name, present != NULL ? present : hl_oil_models[0]->name) != 0)
      g_queue_push_tail (&self->models, (gpointer)hl_oil_models[k]->name);
  hl_hub_wake (self->hub, 0);
}

void hl_runs_run_next_model (HlRuns *self) {
  HlEditing *editing = hl_hub_editing (self->hub);

  if (self->models.length == 0 || hl_runs_is_running (self) || self->asked.length > 0 ||
      hl_editing_solving (editing) != HL_STALE_NOTHING)
    return;
  const char *model = g_queue_pop_head (&self->models);
  /* a formulation of one model is none of another */
  g_autoptr (HlDocument) bare =
      hl_edit_set (hl_editing_document (editing), "simulation", "formulation", NULL, NULL);
  g_autoptr (HlDocument) document =
      bare != NULL ? hl_edit_set (bare, "simulation", "model", hl_value_new_string (model), NULL) : NULL;
  const HlWorkingPoint *at = hl_editing_point (editing);
  if (document == NULL)
    return;
  /* numbers that this model needs and the file does not state, as in the comparison of the models */
  HlModelKind kind = hl_oil_model_find (model)->kind;
  g_autoptr (HlDocument) complete = at != NULL && at->system != NULL
                                        ? hl_oil_take_proposals (document, at->system, kind, NULL, NULL)
                                        : NULL;
  hl_editing_solve_aside (editing, complete != NULL ? complete : document, model);
}

/* Keeps a run that failed, so that its message is in the list of runs. */
static void keep_failed (HlRuns *self, HlRun *run, const char *message) {
  run->state = HL_RUN_FAILED;
  run->message = g_strdup (message);
  keep_run (self, run);
  hl_run_unref (run);
  hl_hub_note (self->hub, HL_CHANGED_RUN);
}

void hl_runs_take_aside (HlRuns *self, const char *name, HlSolvePost *post) {
  const HlWorkingPoint *point = post->point;

  if (point != NULL && point->point != NULL) {
    HlRunRequest request = {.system = post->system,
                            .recording = post->recording,
                            .from = start_of_run (post->system, point->point),
                            .options = plot_options (post->system)};
    HlRun *run =
        hl_run_new (post->document, hl_recording_new_results (post->recording), request.options.t_end);
    request.results = run->results;
    limit_rows (&request.options, post->recording, run);
    run->aside = TRUE;
    run->name = g_strdup (hl_schema_word (name));
    run->edited_us = run->requested_us;
    run->serial = hl_runner_simulate (hl_hub_runner (self->hub), &request, FALSE);
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

/* Returns the kept runs. Every run that the user requested is kept with its document until memory is needed;
 * a run of the same model (with another plot or position on the sheet) replaces the one before. */

GPtrArray *hl_runs_kept (HlRuns *self) {
  return self->kept;
}

gsize hl_runs_bytes (HlRuns *self) {
  gsize bytes = 0;

  for (guint i = 0; i < self->kept->len; i++)
    bytes += hl_results_bytes (((const HlRun *)self->kept->pdata[i])->results);
  return bytes;
}

gsize hl_runs_limit (HlRuns *self) {
  return self->limit;
}

const char *hl_runs_news (HlRuns *self) {
  return self->news;
}

static void report_removed (HlRuns *self, guint n_gone, const char *last_title) {
  g_autofree char *limit = hl_number_localize (g_format_size (self->limit));

  g_clear_pointer (&self->news, g_free);
  if (hl_runs_bytes (self) > self->limit)
    self->news = g_strdup_printf (
        _ ("the kept runs need more than %s, and pinned runs are never removed; unpin some runs"), limit);
  else if (n_gone > 0)
    self->news = g_strdup_printf (_ ("“%s” removed (the last %d runs or %s are kept)"), last_title,
                                  HL_RUNS_MOST, limit);
}

static void make_room (HlRuns *self) {
  g_autofree char *last_title = NULL;
  guint n_gone = 0;

  while (self->kept->len > HL_RUNS_MOST || hl_runs_bytes (self) > self->limit) {
    guint oldest = 0;
    while (oldest < self->kept->len &&
           (((const HlRun *)self->kept->pdata[oldest])->pinned || self->kept->pdata[oldest] == self->shown))
      oldest++;
    if (oldest == self->kept->len)
      break;
    g_free (last_title);
    last_title = hl_run_title (self->kept->pdata[oldest]);
    n_gone++;
    g_ptr_array_remove_index (self->kept, oldest);
  }
  report_removed (self, n_gone, last_title);
}

void hl_runs_set_limit (HlRuns *self, gsize bytes) {
  self->limit = bytes;
  make_room (self);
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

static void keep_run (HlRuns *self, HlRun *run) {
  HlRun *last = self->kept->len > 0 ? self->kept->pdata[self->kept->len - 1] : NULL;

  if (last != NULL && !run->aside && !last->aside && !run->is_driven && !last->is_driven &&
      last->t_end == run->t_end && hl_document_same_model (last->document, run->document)) {
    run->number = last->number;
    run->pinned = last->pinned;
    run->name = g_strdup (last->name);
    g_ptr_array_remove_index (self->kept, self->kept->len - 1);
  }
  if (run->number == 0)
    run->number = ++self->n_made;
  g_ptr_array_add (self->kept, hl_run_ref (run));
  make_room (self);
}

HlRun *hl_runs_keep_other (HlRuns *self, const HlDocument *document, HlResults *results, const char *name) {
  int n = hl_results_n_rows (results);
  HlRun *run =
      hl_run_new (document, hl_results_ref (results), n > 0 ? hl_results_get (results, 0, n - 1) : 0);

  run->state = HL_RUN_DONE;
  run->aside = TRUE;
  run->pinned = TRUE;
  run->name = g_strdup (name);
  keep_run (self, run);
  hl_run_unref (run); /* the list has it */
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
  return run;
}

void hl_runs_remove (HlRuns *self, HlRun *run) {
  guint index;

  if (!g_ptr_array_find (self->kept, run, &index))
    return;
  if (run == self->shown)
    run->pinned = FALSE; /* it stays on the screen until another one is shown */
  g_ptr_array_remove_index (self->kept, index);
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

void hl_runs_restore (HlRuns *self, HlRun *run) {
  guint index = 0;

  if (g_ptr_array_find (self->kept, run, NULL))
    return;
  while (index < self->kept->len && ((const HlRun *)self->kept->pdata[index])->number < run->number)
    index++;
  g_ptr_array_insert (self->kept, (int)index, hl_run_ref (run));
  make_room (self);
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

HlRun *hl_runs_find (HlRuns *self, const char *title) {
  for (guint i = self->kept->len; i-- > 0;) {
    g_autofree char *own = hl_run_title (self->kept->pdata[i]);
    if (strcmp (own, title) == 0)
      return self->kept->pdata[i];
  }
  return NULL;
}

void hl_runs_rename (HlRuns *self, HlRun *run, const char *name) {
  g_autoptr (GPtrArray) panels =
      hl_plot_panels_of_document (hl_editing_document (hl_hub_editing (self->hub)));
  g_autofree char *before = hl_run_title (run);
  gboolean followed = FALSE;

  g_free (run->name);
  run->name = name != NULL && *name != '\0' ? g_strdup (name) : NULL;
  g_autofree char *after = hl_run_title (run);
  for (guint i = 0; i < panels->len; i++) {
    HlPlotPanel *panel = panels->pdata[i];
    if (g_strcmp0 (panel->run, before) != 0)
      continue;
    g_free (panel->run);
    panel->run = g_strdup (after);
    followed = TRUE;
  }
  if (followed)
    hl_runs_set_panels (self, panels, _ ("Rename a run"));
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

void hl_runs_set_pinned (HlRuns *self, HlRun *run, gboolean pinned) {
  if (run->pinned == pinned)
    return;
  run->pinned = pinned;
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

HlRun *hl_runs_pinned (HlRuns *self) {
  for (guint i = self->kept->len; i-- > 0;) {
    HlRun *run = self->kept->pdata[i];
    if (run->pinned && run != self->shown)
      return run;
  }
  return NULL;
}

HlRun *hl_runs_before (HlRuns *self) {
  guint end = self->kept->len;

  g_ptr_array_find (self->kept, self->shown, &end); /* one that is under way is younger than all */
  for (guint i = MIN (end, self->kept->len); i-- > 0;) {
    HlRun *run = self->kept->pdata[i];
    if (!run->pinned && !run->aside && !run->is_driven && hl_run_is_over (run) && run->state != HL_RUN_FAILED)
      return run;
  }
  return NULL;
}

void hl_runs_pin_shown (HlRuns *self, gboolean pin) {
  for (guint i = 0; i < self->kept->len && !pin; i++)
    ((HlRun *)self->kept->pdata[i])->pinned = FALSE;
  if (pin && self->shown != NULL) {
    /* one that is still under way is kept from now on */
    if (!g_ptr_array_find (self->kept, self->shown, NULL))
      keep_run (self, self->shown);
    self->shown->pinned = TRUE;
  }
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

#define SHORTEST_DRIVE 0.01 /* [s] */

HlRuns *hl_runs_new (HlHub *hub) {
  HlRuns *self = g_new0 (HlRuns, 1);

  self->hub = hub;
  g_queue_init (&self->asked);
  g_queue_init (&self->models);
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_run_unref);
  self->limit = HL_RUNS_MOST_BYTES;
  return self;
}

void hl_runs_free (HlRuns *self) {
  hl_runs_drop_requested (self);
  hl_runs_drop_models (self);
  g_clear_pointer (&self->shown, hl_run_unref);
  g_ptr_array_unref (self->kept);
  g_free (self->news);
  g_free (self);
}

void hl_runs_forget (HlRuns *self) {
  hl_runner_stop (hl_hub_runner (self->hub));
  hl_runs_drop_requested (self);
  hl_runs_drop_models (self);
  g_clear_pointer (&self->shown, hl_run_unref);
  g_ptr_array_set_size (self->kept, 0);
  g_clear_pointer (&self->news, g_free);
  self->n_made = 0;
  self->time = 0;
  self->has_span = FALSE;
}

/* --- the run that is shown --- */

void hl_runs_start (HlRuns *self) {
  hl_manual_run_leave (hl_hub_manual_run (self->hub), NULL);
  hl_editing_solve_anew (hl_hub_editing (self->hub));
}

void hl_runs_stop (HlRuns *self) {
  hl_manual_run_give_up (hl_hub_manual_run (self->hub));
  hl_runner_stop (hl_hub_runner (self->hub));
  hl_runs_drop_models (self);
  hl_editing_give_up_run (hl_hub_editing (self->hub));
  /* One that never began sends nothing back. Of those that began, the newest is the one that was stopped. */
  guint begun = hl_runner_begun_run (hl_hub_runner (self->hub));
  HlRun *newest;
  while ((newest = g_queue_peek_tail (&self->asked)) != NULL && newest->serial > begun)
    hl_run_unref (g_queue_pop_tail (&self->asked));
  if (newest != NULL)
    newest->is_stopped_by_user = TRUE;
  hl_hub_wake (self->hub, HL_CHANGED_ACTIVITY);
}

gboolean hl_runs_is_running (HlRuns *self) {
  return hl_runner_is_simulating (hl_hub_runner (self->hub)) ||
         hl_editing_is_run_due (hl_hub_editing (self->hub));
}

HlRun *hl_runs_shown (HlRuns *self) {
  return self->shown;
}

void hl_runs_show (HlRuns *self, HlRun *run) {
  if (run == self->shown)
    return;
  show_run (self, run);
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

char *hl_runs_doubt_text (HlRuns *self, const HlRun *run) {
  int n = run != NULL ? hl_cavitations_n (run->cavitations) : 0;

  if (n == 0 && run != NULL && hl_run_is_over (run) && !run->is_driven && run->stats.wave.component >= 0 &&
      run->stats.wave.travel > 0.0)
    return g_strdup_printf (_ ("%s: waves too steep for %d segments"),
                            hl_system_entity_id (run->system, HL_ENTITY_COMPONENT, run->stats.wave.component),
                            run->stats.wave.n_segments);
  if (n == 0)
    return NULL;
  const HlCavitation *first = hl_cavitations_get (run->cavitations, 0);
  const char *id = hl_system_entity_id (run->system, HL_ENTITY_LINE, first->line);
  g_autofree char *lowest =
      hl_units_format (hl_hub_units (self->hub), HL_QUANTITY_PRESSURE, first->lowest, 3);
  g_autofree char *text =
      first->kind == HL_DOUBT_BURSTS   ? g_strdup_printf (_ ("%s over the limit at %s s, up to %s"), id,
                                                          hl_shown (first->since, 3).text, lowest)
      : first->kind == HL_DOUBT_POCKET ? g_strdup_printf (_ ("%s: vapour at %s s, down to %s"), id,
                                                          hl_shown (first->since, 3).text, lowest)
                                       : g_strdup_printf (_ ("%s cavitates at %s s, down to %s"), id,
                                                          hl_shown (first->since, 3).text, lowest);
  if (n == 1)
    return g_steal_pointer (&text);
  return g_strdup_printf (ngettext ("%s; and %d more line", "%s; and %d more lines", (gulong)(n - 1)), text,
                          n - 1);
}

gboolean hl_runs_report_doubts (HlRuns *self) {
  const HlRun *run = self->shown;

  if (run == NULL || run->cavitations == NULL || run->preview || !hl_run_is_over (run) ||
      !is_of_document (self, run))
    return FALSE;
  hl_editing_report_doubts (hl_hub_editing (self->hub), run->system, run->cavitations,
                            &run->stats.compressible_lines);
  return TRUE;
}

void hl_runs_report_failure (HlRuns *self) {
  const HlRun *run = self->shown;

  if (run != NULL && run->state == HL_RUN_FAILED && run->failure != NULL && is_of_document (self, run))
    hl_editing_add_failure (hl_hub_editing (self->hub), hl_findings_get (run->failure, 0));
}

/* --- time --- */

static const HlRun *shown_drive (HlRuns *self) {
  return self->shown != NULL && self->shown->is_driven && hl_results_n_rows (self->shown->results) > 0
             ? self->shown
             : NULL;
}

double hl_runs_t_end (HlRuns *self) {
  const HlRun *drive = shown_drive (self);

  if (drive != NULL)
    return fmax (drive->t_end, SHORTEST_DRIVE);
  double t_end = hl_document_object_number (hl_editing_document (hl_hub_editing (self->hub)),
                                            HL_SECTION_SIMULATION, "t_end");
  return isfinite (t_end) && t_end > 0 ? t_end : 1;
}

double hl_runs_time (HlRuns *self) {
  return self->time;
}

void hl_runs_set_time (HlRuns *self, double t) {
  const HlRun *drive = shown_drive (self);
  double begin = drive != NULL ? hl_results_get (drive->results, 0, 0) : 0;

  t = CLAMP (t, begin, hl_runs_t_end (self));
  if (t == self->time)
    return;
  self->time = t;
  hl_hub_notify_time (self->hub);
  hl_hub_announce (self->hub, HL_CHANGED_TIME);
}

void hl_runs_put_time (HlRuns *self, double t) {
  self->time = t;
  hl_hub_note (self->hub, HL_CHANGED_TIME);
}

gboolean hl_runs_span (HlRuns *self, double *a, double *b) {
  *a = self->span[0];
  *b = self->span[1];
  return self->has_span;
}

void hl_runs_set_span (HlRuns *self, double a, double b) {
  double t_end = hl_runs_t_end (self);

  a = CLAMP (a, 0, t_end);
  b = CLAMP (b, 0, t_end);
  if (self->has_span && self->span[0] == a && self->span[1] == b)
    return;
  self->has_span = TRUE;
  self->span[0] = a;
  self->span[1] = b;
  hl_hub_announce (self->hub, HL_CHANGED_TIME);
}

void hl_runs_clear_span (HlRuns *self) {
  if (!self->has_span)
    return;
  self->has_span = FALSE;
  hl_hub_announce (self->hub, HL_CHANGED_TIME);
}

/* --- traces and panels --- */

typedef struct {
  const HlDocument *document;
  GPtrArray *entries;
} Listing;

static void list_cb (const char *path, const char *unit, void *data) {
  Listing *listing = data;
  g_ptr_array_add (listing->entries, hl_trace_entry_new (listing->document, path));
}

GPtrArray *hl_runs_trace_entries (HlRuns *self) {
  const HlDocument *document = hl_editing_document (hl_hub_editing (self->hub));
  Listing listing = {document, hl_trace_entries_of_probes (document)};

  if (hl_editing_has_system (hl_hub_editing (self->hub)))
    hl_observable_visit (hl_editing_system (hl_hub_editing (self->hub)), list_cb, &listing);
  return listing.entries;
}

void hl_runs_set_panels (HlRuns *self, GPtrArray *panels, const char *step) {
  HlEditing *editing = hl_hub_editing (self->hub);
  hl_editing_commit (editing, hl_edit_set_plots (hl_editing_document (editing), panels), step, NULL);
}

gboolean hl_runs_is_recorded (HlRuns *self) {
  HlEditing *editing = hl_hub_editing (self->hub);
  const HlDocument *document = hl_editing_document (editing);
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  g_auto (GStrv) paths = hl_plot_panels_paths (panels, document);

  if (self->shown == NULL)
    return FALSE;
  for (char **path = paths; *path != NULL; path++)
    if (hl_results_find_column (self->shown->results, *path) < 0 && hl_editing_can_record (editing, *path))
      return FALSE;
  return TRUE;
}
