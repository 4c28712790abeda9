/* SPDX-License-Identifier: MIT */
/* The jobs of runs and of root loci. Jobs own copies of their input and touch no widget. A run writes its
 * rows where the window reads them; a post contains their number, once per frame, so that a run of
 * milliseconds is one post and a run of minutes updates the plots at the frame rate. No row is copied here. */
#include "ui/workbench/hl-window-workers.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile.h"
#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/oil/hl-hydraulic-model-eigenvalues.h"
#include "core/oil/hl-run-failure.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define SWEEP_MS 100

struct _HlWorkerShutdown {
  grefcount ref_count;
  GPtrArray *runners; /* HlRunner */
  guint sweep;
};

HlWorkerShutdown *hl_worker_shutdown_new (void) {
  HlWorkerShutdown *worker_shutdown = g_new0 (HlWorkerShutdown, 1);

  g_ref_count_init (&worker_shutdown->ref_count);
  worker_shutdown->runners = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_runner_free);
  return worker_shutdown;
}

HlWorkerShutdown *hl_worker_shutdown_ref (HlWorkerShutdown *worker_shutdown) {
  g_ref_count_inc (&worker_shutdown->ref_count);
  return worker_shutdown;
}

void hl_worker_shutdown_unref (HlWorkerShutdown *worker_shutdown) {
  if (worker_shutdown == NULL || !g_ref_count_dec (&worker_shutdown->ref_count))
    return;
  g_clear_handle_id (&worker_shutdown->sweep, g_source_remove);
  g_ptr_array_unref (worker_shutdown->runners);
  g_free (worker_shutdown);
}

static gboolean retire_job (HlRunner *runner);

static gboolean sweep_cb (gpointer data) {
  HlWorkerShutdown *worker_shutdown = data;

  for (guint i = worker_shutdown->runners->len; i-- > 0;)
    if (retire_job (worker_shutdown->runners->pdata[i]))
      g_ptr_array_remove_index_fast (worker_shutdown->runners, i);
  if (worker_shutdown->runners->len > 0)
    return G_SOURCE_CONTINUE;
  worker_shutdown->sweep = 0;
  return G_SOURCE_REMOVE;
}

void hl_worker_shutdown_take (HlWorkerShutdown *worker_shutdown, HlRunner *runner) {
  if (retire_job (runner)) {
    hl_runner_free (runner);
    return;
  }
  g_ptr_array_add (worker_shutdown->runners, runner);
  if (worker_shutdown->sweep == 0)
    worker_shutdown->sweep = g_timeout_add (SWEEP_MS, sweep_cb, worker_shutdown);
}

gboolean hl_worker_shutdown_is_busy (const HlWorkerShutdown *worker_shutdown) {
  return worker_shutdown->runners->len > 0;
}

/* Data of a root locus: branches, their crossings, sensitivities, and poles of other parameter sets and modes. The job
 * owns copies of its input and touches no widget. */

#define STOP_REACH 1e-6 /* of a mode next to the present one [m] */

typedef struct {
  HlJob base;
  HlSystem *system;
  HlDocument *document;
  HlParameter *parameters;
  char **paths; /* or NULL */
  double *values;
  HlLocusOptions options;
  HlSweepParameter *model_sliders; /* their parameters and paths are owned */
  double *model_slider_values;
  int n_model_sliders;
  HlSystem **others;
  int n_others;
  double mode_time;
} LocusJob;

static void free_locus_post (HlPost *base) {
  HlLocusPost *post = (HlLocusPost *)base;
  if (post->locus != NULL)
    hl_locus_free (post->locus);
  if (post->sensitivity != NULL)
    hl_sensitivity_free (post->sensitivity);
  g_clear_pointer (&post->others, g_array_unref);
  g_clear_pointer (&post->fates, g_array_unref);
  g_free (post);
}

static bool is_cancelled (void *worker) {
  return hl_worker_is_cancelled (worker);
}

static void add_mode_poles (GArray *poles, const HlHybridLinear *linear, const char *mode) {
  for (int k = 0; k < linear->lin->n; k++) {
    const HlEigenvalue *value = &linear->lin->eigenvalues[k];
    HlOtherPole pole = {.re = value->re, .im = value->im, .other = -1};
    g_strlcpy (pole.mode, mode, sizeof pole.mode);
    if (!value->null)
      g_array_append_val (poles, pole);
  }
}

/* Computes the poles of the reduced equations in the mode of the run at one time, and in its neighbours. */
static void find_mode_poles (const LocusJob *job, GArray *poles) {
  const HlSystem *system = job->system;
  HlHybridNeighbour *neighbours;
  HlHybridPlace place, *at = NULL;
  HlHybridChoice choice, *in = NULL;
  g_autoptr (HlModeHistory) history = NULL;
  g_autofree char *name = g_strdup (_ ("hybrid model at the start of the run"));

  if (job->mode_time > 0.0) {
    history =
        hl_mode_history_until (system, job->mode_time, job->options.cancel, job->options.cancel_data, NULL);
    if (history == NULL)
      return;
    const HlVisitedMode *last = hl_mode_history_last (history);
    place = hl_visited_mode_place (last);
    choice = hl_visited_mode_choice (last);
    at = &place;
    in = &choice;
    g_free (name);
    name = g_strdup_printf (_ ("hybrid model at %s s"), hl_shown (job->mode_time, 4).text);
  }
  HlHybridLinear *present = hl_hybrid_linearize (system, at, in, NULL);
  if (present == NULL)
    return;
  add_mode_poles (poles, present, name);
  hl_hybrid_linear_free (present);
  int n = hl_hybrid_find_neighbours (system, at, in, STOP_REACH, &neighbours);
  for (int k = 0; k < n; k++) {
    const HlHybridNeighbour *next = &neighbours[k];
    const char *id = hl_system_entity_id (system, HL_ENTITY_COMPONENT, next->component);
    g_autofree char *mode =
        g_strdup_printf (next->is_stop ? (next->on ? _ ("hybrid model, if %s were at its stop")
                                                   : _ ("hybrid model, if %s were off its stop"))
                         : next->on    ? _ ("hybrid model, if %s were closed")
                                       : _ ("hybrid model, if %s were open"),
                         id);
    add_mode_poles (poles, next->linear, mode);
  }
  hl_hybrid_neighbours_free (neighbours, n);
}

static GArray *find_other_poles (const LocusJob *job) {
  GArray *poles = g_array_new (FALSE, FALSE, sizeof (HlOtherPole));

  for (int other = 0; other < job->n_others; other++) {
    HlSweepPoint *point = hl_sweep_point_new (job->others[other], job->options.start, NULL);
    if (point == NULL || hl_sweep_point_eval (point, HL_EIGEN_NULL, NULL) != HL_OK) {
      g_clear_pointer (&point, hl_sweep_point_free);
      continue;
    }
    const HlEigen *eigen = hl_sweep_point_eigen (point);
    for (int k = 0; k < hl_sweep_point_n_states (point); k++) {
      HlOtherPole pole = {.re = creal (eigen->value[k]), .im = cimag (eigen->value[k]), .other = other};
      if (!eigen->is_null[k])
        g_array_append_val (poles, pole);
    }
    hl_sweep_point_free (point);
  }
  if (hl_oil_models[hl_sim_options_from_model (job->system).model]->has_modes)
    find_mode_poles (job, poles);
  return poles;
}

/* Adds a row for each eigenvalue of the lumped model. */
static void add_fates (GArray *fates, const HlOilSpectra *s) {
  for (int k = 0; k < s->n_lumped; k++) {
    const HlLumpedValue *value = &s->lumped[k];
    HlPoleFate fate = {.re = value->re, .im = value->im};
    g_autofree char *text = NULL;
    if (value->null)
      continue;
    if (value->fate == HL_FATE_SURVIVES) {
      double re = s->limit->re[value->partner], im = fabs (s->limit->im[value->partner]);
      text = im > 0.0
                 ? g_strdup_printf (_ ("stiff oil: %s ± %s i"), hl_shown (re, 4).text, hl_shown (im, 4).text)
                 : g_strdup_printf (_ ("stiff oil: %s"), hl_shown (re, 4).text);
    } else
      text = g_strdup_printf (_ ("stiff oil: %s (%s)"), hl_oil_fate_text (value->fate),
                              value->state != NULL ? value->state : "");
    g_strlcpy (fate.text, text, sizeof fate.text);
    g_array_append_val (fates, fate);
  }
}

/* Adds the poles of an oil model that are no farther out than those of the lumped one. */
static void add_oil_poles (GArray *poles, const HlOilSpectra *s, const HlOilValue values[], int n,
                           const char *name) {
  double reach = 0.0;

  for (int k = 0; k < s->n_lumped; k++)
    reach = fmax (reach, hypot (s->lumped[k].re, s->lumped[k].im));
  for (int k = 0; k < n; k++) {
    HlOtherPole pole = {.re = values[k].re, .im = values[k].im, .other = -1};
    g_strlcpy (pole.mode, name, sizeof pole.mode);
    if (!values[k].null && hypot (pole.re, pole.im) <= reach)
      g_array_append_val (poles, pole);
  }
}

/* Returns the same state in the other oils, and what they make of the lumped model's eigenvalues. */
static GArray *find_fates (const LocusJob *job, GArray *poles) {
  GArray *fates = g_array_new (FALSE, FALSE, sizeof (HlPoleFate));
  HlOilSpectra *s = hl_oil_spectra_new (job->system, job->options.start, NULL, NULL);

  if (s == NULL)
    return fates;
  add_fates (fates, s);
  if (!s->hybrid_is_elsewhere && !hl_oil_models[hl_sim_options_from_model (job->system).model]->has_modes)
    add_oil_poles (poles, s, s->hybrid, s->n_hybrid, _ ("hybrid oil"));
  add_oil_poles (poles, s, s->quasi, s->n_quasi, _ ("quasistatic oil"));
  hl_oil_spectra_free (s);
  return fates;
}

static int find_crossings (const LocusJob *job, HlWorker *worker, const HlLocus *locus, HlCrossing out[]) {
  HlSweepParameter parameter = {.parameters = job->parameters,
                                .n = job->options.n_parameters,
                                .paths = (const char *const *)job->paths};
  HlSweepPoint *point = job->paths != NULL
                            ? hl_sweep_point_new_of_document (job->document, job->options.start, NULL)
                            : hl_sweep_point_new (job->system, job->options.start, NULL);
  int found = 0;

  if (point != NULL)
    found = hl_crossings_find_until (point, &parameter, locus, is_cancelled, worker, out,
                                     HL_LOCUS_MOST_CROSSINGS, NULL);
  hl_sweep_point_free (point);
  return MIN (found, HL_LOCUS_MOST_CROSSINGS);
}

static HlLocusPost *new_post (void) {
  HlLocusPost *post = g_new0 (HlLocusPost, 1);

  post->base.free = free_locus_post;
  return post;
}

static void work_on_locus (HlJob *base, HlWorker *worker) {
  LocusJob *job = (LocusJob *)base;
  HlLocusPost *post = new_post ();
  gint64 began = g_get_monotonic_time ();

  job->options.cancel = is_cancelled;
  job->options.cancel_data = worker;
  post->has_branches = job->options.n_values > 0;
  if (post->has_branches)
    post->locus = hl_root_locus (job->system, &job->options, NULL);
  if (post->locus != NULL && post->locus->n_values > 1)
    post->n_crossings = find_crossings (job, worker, post->locus, post->crossings);
  gboolean has_point = !post->has_branches || (post->locus != NULL && post->locus->n_values > 1);
  if (has_point && post->has_branches && job->options.within > 0.0) {
    /* of a large machine the rest takes longer than the branches, which are shown meanwhile */
    post->seconds = 1e-6 * (double)(g_get_monotonic_time () - began);
    hl_worker_post (worker, &post->base);
    post = new_post ();
  }
  if (has_point) {
    post->sensitivity =
        hl_sensitivity_new (job->system, job->document, job->options.start, job->model_sliders,
                            job->model_slider_values, job->n_model_sliders, is_cancelled, worker, NULL);
    if (post->sensitivity != NULL && post->sensitivity->n_parameters < job->n_model_sliders)
      g_clear_pointer (&post->sensitivity, hl_sensitivity_free);
    post->others = job->n_others >= 0 ? find_other_poles (job) : NULL;
    if (post->others != NULL && !is_cancelled (worker))
      post->fates = find_fates (job, post->others);
  }
  post->seconds = 1e-6 * (double)(g_get_monotonic_time () - began);
  post->base.last = TRUE;
  hl_worker_post (worker, &post->base);
}

static void free_locus_job (HlJob *base) {
  LocusJob *job = (LocusJob *)base;
  for (int model_slider = 0; model_slider < job->n_model_sliders; model_slider++) {
    g_free ((gpointer)job->model_sliders[model_slider].parameters);
    g_strfreev ((char **)job->model_sliders[model_slider].paths);
  }
  for (int other = 0; other < job->n_others; other++)
    hl_system_unref (job->others[other]);
  g_strfreev (job->paths);
  g_free (job->model_sliders);
  g_free (job->model_slider_values);
  g_free (job->others);
  g_free (job->parameters);
  g_free (job->values);
  hl_system_unref (job->system);
  hl_document_unref (job->document);
  g_free (job);
}

/* Returns a job; all its data are copied or referenced. Owned by the caller; its post is an HlLocusPost. */
static HlJob *locus_job_new (const HlLocusRequest *request) {
  LocusJob *job = g_new0 (LocusJob, 1);

  job->base.work = work_on_locus;
  job->base.free = free_locus_job;
  job->system = hl_system_ref (request->system);
  job->document = hl_document_ref (request->document);
  job->parameters = g_memdup2 (request->parameters, sizeof (HlParameter) * (gsize)request->n_parameters);
  job->paths = g_strdupv ((char **)request->paths);
  job->values = g_new (double, request->n_values);
  hl_sweep_values (request->from, request->to, request->n_values, request->log, job->values);
  job->options = (HlLocusOptions){
      .parameters = job->parameters,
      .n_parameters = request->n_parameters,
      .document = job->paths != NULL ? job->document : NULL,
      .paths = (const char *const *)job->paths,
      .values = job->values,
      .n_values = request->n_values,
      .within = request->within,
      .start = HL_START_FROM_MODEL,
      .refine = true,
      .skips = true,
  };
  job->n_model_sliders = request->n_model_sliders;
  job->model_sliders = g_new0 (HlSweepParameter, request->n_model_sliders + 1);
  job->model_slider_values = g_new0 (double, request->n_model_sliders + 1);
  for (int model_slider = 0; model_slider < request->n_model_sliders; model_slider++) {
    HlSweepParameter *copy = &job->model_sliders[model_slider];
    *copy = request->model_sliders[model_slider];
    copy->parameters = g_memdup2 (copy->parameters, sizeof (HlParameter) * (gsize)copy->n);
    copy->paths = (const char *const *)g_strdupv ((char **)copy->paths);
    job->model_slider_values[model_slider] = request->model_slider_values[model_slider];
  }
  job->mode_time = request->mode_time;
  job->n_others = request->n_others;
  job->others = g_new0 (HlSystem *, MAX (request->n_others, 0) + 1);
  for (int other = 0; other < request->n_others; other++)
    job->others[other] = hl_system_ref (request->others[other]);
  return &job->base;
}

#define POST_INTERVAL_US 16000
#define POST_ROWS 2048

struct _HlRunner {
  HlWorker *runs;
  HlWorker *loci;
  HlSolver *solver;
};

typedef struct {
  HlJob base;
  HlSystem *system;
  HlRecording *recording;
  HlPoint *from;
  HlSimOptions options;
  HlDriveInput *desk; /* NULL: not driven */
  double tick;
  int *inputs;
  int n_levers;
  HlTape *tape; /* of what the desk says, NULL: not driven */
  HlTape *play; /* driven by that instead, NULL: by the desk */
  double now;   /* the present tick */
  /* while it works */
  HlWorker *worker;
  HlResultsWriter *pen;
  int n_new; /* rows since the last post */
  HlRecorder *recorder;
  int n_reported; /* of its lines that cavitate */
  gint64 posted_us;
} RunJob;

static void free_run_post (HlPost *base) {
  HlRunPost *post = (HlRunPost *)base;
  hl_results_unref (post->instead);
  g_clear_pointer (&post->history, hl_mode_history_unref);
  g_clear_pointer (&post->levers, hl_lever_record_free);
  g_clear_pointer (&post->tape, hl_tape_free);
  hl_cavitations_free (post->cavitations);
  if (post->system != NULL)
    hl_system_unref (post->system);
  g_free (post->message);
  g_free (post->entity_id);
  g_clear_pointer (&post->failure, hl_findings_free);
  g_free (post);
}

static HlRunPost *new_run_post (void) {
  HlRunPost *post = g_new0 (HlRunPost, 1);
  post->base.free = free_run_post;
  return post;
}

/* Returns the next post of a run, with the cavitating lines when there are more of them, or at the end. */
static HlRunPost *next_run_post (RunJob *job, gboolean is_last) {
  HlRunPost *post = new_run_post ();
  const HlCavitations *cavitations = hl_recorder_cavitations (job->recorder);
  int n = hl_cavitations_n (cavitations);

  post->n_rows = hl_results_pen_count_new_rows (job->pen);
  job->n_new = 0;
  if (n > job->n_reported || (is_last && n > 0)) {
    post->cavitations = hl_cavitations_copy (cavitations);
    post->system = hl_system_ref (job->system);
    job->n_reported = n;
  }
  return post;
}

static void post_rows (RunJob *job) {
  hl_worker_post (job->worker, &next_run_post (job, FALSE)->base);
  job->posted_us = g_get_monotonic_time ();
}

/* Counts. */
static bool count_row (const double row[], void *data) {
  RunJob *job = data;

  if (++job->n_new == POST_ROWS || g_get_monotonic_time () - job->posted_us >= POST_INTERVAL_US)
    post_rows (job);
  return !hl_worker_is_cancelled (job->worker);
}

static bool begin_again (HlMethod method, const HlFault *why, void *data);

static HlRowTaker taker_of (RunJob *job) {
  return (HlRowTaker){.pen = job->pen, .row = count_row, .again = begin_again, .data = job};
}

/* Starts again with the other method, whose rows replace those of the first. */
static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  RunJob *job = data;
  HlRunPost *post = new_run_post ();

  post->instead = hl_recording_new_results (job->recording);
  hl_results_pen_free (job->pen);
  job->pen = hl_results_pen_new (post->instead);
  HlRowTaker taker = taker_of (job);
  hl_recorder_set_taker (job->recorder, &taker);
  job->n_new = job->n_reported = 0;
  hl_worker_post (job->worker, &post->base);
  return !hl_worker_is_cancelled (job->worker);
}

/* Returns the lever positions at time t. Shows the rows so far before it waits for the clock. */
static bool move_levers (double t, double out[], void *data) {
  RunJob *job = data;

  if (job->n_new > 0 && hl_drive_input_is_early (job->desk, t))
    post_rows (job);
  if (!hl_drive_input_wait (job->desk, t, is_cancelled, job->worker))
    return false;
  hl_drive_input_read (job->desk, out);
  job->now = t;
  return true;
}

static bool tune_system (HlSystem *own, void *data) {
  RunJob *job = data;

  return hl_drive_input_tune (job->desk, own, job->tape, job->now);
}

static HlStatus drive_run (RunJob *job, HlSystem **tuned, HlLeverRecord **levers, HlSimStats *stats,
                           HlFault *fault) {
  HlDriveOptions options = {.sim = job->options,
                            .tick = job->tick,
                            .inputs = job->inputs,
                            .n_levers = job->n_levers,
                            .hand = move_levers,
                            .hand_data = job,
                            .tune = tune_system,
                            .tune_data = job,
                            .tuned = tuned,
                            .tape = job->tape};

  g_autoptr (HlTapePlayer) player = NULL;
  if (job->play != NULL) {
    player = hl_tape_player_new (job->play, job->system, NULL);
    if (player == NULL)
      return HL_CANCELLED; /* the caller has made sure that it fits */
    hl_tape_player_attach (player, &options);
    options.tape = NULL;
    job->tape = g_steal_pointer (&job->play);
  }
  return hl_drive (job->system, &options, levers, stats, fault);
}

static void work_on_run (HlJob *base, HlWorker *worker) {
  RunJob *job = (RunJob *)base;
  HlFault fault = {0};
  HlSimStats stats = {0};

  job->worker = worker;
  job->posted_us = g_get_monotonic_time ();
  job->options.from = job->from;
  job->options.cancel = is_cancelled;
  job->options.cancel_data = worker;
  HlRowTaker taker = taker_of (job);
  job->recorder = hl_recorder_new (job->recording, job->system, &taker);
  hl_recorder_attach (job->recorder, &job->options);
  HlLeverRecord *levers = NULL;
  /* events of an interactive run without an end would be a list without an end */
  gboolean is_listed = hl_oil_models[job->options.model]->has_modes && job->desk == NULL && job->play == NULL;
  g_autoptr (HlModeHistory) history = is_listed ? hl_mode_history_new (job->system) : NULL;
  if (history != NULL)
    hl_mode_history_attach (history, &job->options);

  HlSystem *tuned = NULL; /* of a drive */
  HlStatus status = job->desk != NULL || job->play != NULL
                        ? drive_run (job, &tuned, &levers, &stats, &fault)
                        : hl_simulate (job->system, &job->options, &stats, &fault);
  if (history != NULL)
    hl_mode_history_end (history, stats.t_reached);

  HlRunPost *post = next_run_post (job, TRUE);
  post->base.last = TRUE;
  post->status = status;
  post->stats = stats;
  post->history = g_steal_pointer (&history);
  post->levers = levers;
  post->tape = g_steal_pointer (&job->tape);
  /* the status line names elements of these results */
  if ((stats.compressible_lines.n > 0 || stats.wave.travel > 0.0) && post->system == NULL)
    post->system = hl_system_ref (job->system);
  if (status != HL_OK && status != HL_CANCELLED) {
    const HlSystem *system = tuned != NULL ? tuned : job->system;
    post->message = hl_fault_message (system, &fault);
    post->entity_id = g_strdup (hl_system_entity_id (system, fault.entity_kind, fault.entity));
    post->failure = hl_run_failure_new (system, &job->options, &fault, FALSE);
  }
  if (tuned != NULL)
    hl_system_unref (tuned);
  hl_worker_post (worker, &post->base);
}

static void free_run_job (HlJob *base) {
  RunJob *job = (RunJob *)base;
  hl_results_pen_free (job->pen);
  hl_recorder_free (job->recorder);
  if (job->from != NULL)
    hl_point_free (job->from);
  hl_drive_input_unref (job->desk);
  hl_tape_free (job->tape);
  hl_tape_free (job->play);
  g_free (job->inputs);
  hl_recording_unref (job->recording);
  hl_system_unref (job->system);
  g_free (job);
}

HlRunner *hl_runner_new (void) {
  HlRunner *runner = g_new0 (HlRunner, 1);
  runner->runs = hl_worker_new ("runs");
  runner->loci = hl_worker_new ("loci");
  runner->solver = hl_solver_new ();
  return runner;
}

void hl_runner_free (HlRunner *runner) {
  if (runner == NULL)
    return;
  retire_job (runner);
  hl_worker_free (runner->runs);
  hl_worker_free (runner->loci);
  hl_solver_free (runner->solver);
  g_free (runner);
}

/* Cancels what is under way without waiting: TRUE as soon as nothing of it is left. */
static gboolean retire_job (HlRunner *runner) {
  hl_worker_cancel (runner->runs);
  hl_worker_cancel (runner->loci);
  hl_solver_cancel (runner->solver);
  return !hl_worker_is_working (runner->runs) && !hl_worker_is_working (runner->loci) &&
         !hl_solver_is_working (runner->solver);
}

guint hl_runner_simulate (HlRunner *runner, const HlRunRequest *request, gboolean interrupt) {
  RunJob *job = g_new0 (RunJob, 1);

  job->base.work = work_on_run;
  job->base.free = free_run_job;
  job->system = hl_system_ref (request->system);
  job->recording = hl_recording_ref (request->recording);
  job->pen = hl_results_pen_new (request->results);
  job->options = request->options;
  if (request->desk != NULL) {
    job->desk = hl_drive_input_ref (request->desk);
    job->tape = hl_tape_new (request->tick);
    job->tick = request->tick;
    job->n_levers = request->n_levers;
    job->inputs = g_memdup2 (request->inputs, sizeof (int) * (gsize)request->n_levers);
  }
  if (request->play != NULL)
    job->play = hl_tape_copy (request->play);
  if (request->from != NULL) {
    job->from = hl_point_new (request->system);
    hl_point_copy (request->system, job->from, request->from);
  }
  return hl_worker_push (runner->runs, &job->base, interrupt);
}

guint hl_runner_trace_locus (HlRunner *runner, const HlLocusRequest *request) {
  return hl_worker_push (runner->loci, locus_job_new (request), FALSE);
}

guint hl_runner_solve (HlRunner *runner, const HlSolveRequest *request, gboolean interrupt) {
  return hl_solver_request (runner->solver, request, interrupt);
}

void hl_runner_stop (HlRunner *runner) {
  hl_worker_cancel (runner->runs);
}

guint hl_runner_begun_run (HlRunner *runner) {
  return hl_worker_begun (runner->runs);
}

void hl_runner_forget_locus (HlRunner *runner) {
  hl_worker_cancel (runner->loci);
}

void hl_runner_forget_solving (HlRunner *runner) {
  hl_solver_cancel (runner->solver);
}

gboolean hl_runner_is_simulating (HlRunner *runner) {
  return hl_worker_is_busy (runner->runs);
}

gboolean hl_runner_is_busy (HlRunner *runner) {
  return hl_worker_is_busy (runner->runs) || hl_worker_is_busy (runner->loci) ||
         hl_solver_is_busy (runner->solver);
}

void hl_runner_wait_for_run (HlRunner *runner, gint64 until_us) {
  hl_worker_wait (runner->runs, until_us);
}

void hl_runner_drain (HlRunner *runner, const HlRunnerTakers *takers, gpointer data) {
  hl_solver_drain (runner->solver, takers->on_solved, data);
  for (HlPost *post = hl_worker_take (runner->runs), *next; post != NULL; post = next) {
    next = post->next;
    takers->on_run ((HlRunPost *)post, data);
    post->free (post);
  }
  for (HlPost *post = hl_worker_take (runner->loci), *next; post != NULL; post = next) {
    next = post->next;
    takers->on_locus ((HlLocusPost *)post, data);
    post->free (post);
  }
}
