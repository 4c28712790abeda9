/* SPDX-License-Identifier: MIT */
/* Jobs own copies of their input and touch no widget. A run writes its rows where the window
 * reads them; a post says how many there are, once a frame time, so a run of milliseconds is one
 * post and a run of minutes feeds the plots at the frame rate. No row passes through here. */
#include "ui/bench/hl-runner.h"

#include "core/compile/hl-compile.h"
#include "core/oil/hl-run-failure.h"
#include "ui/bench/hl-locus-job.h"

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
  HlDriveDesk *desk; /* NULL: not driven */
  double tick;
  int *inputs;
  int n_levers;
  HlTape *tape; /* of what the desk says, NULL: not driven */
  HlTape *play; /* driven by that instead, NULL: by the desk */
  double now;   /* the present tick */
  /* while it works */
  HlWorker *worker;
  HlResultsPen *pen;
  int n_new; /* rows since the last post */
  HlRecorder *recorder;
  int n_told; /* of its lines that cavitate */
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

static bool is_cancelled (void *worker) {
  return hl_worker_is_cancelled (worker);
}

/* With the lines that cavitate, when there are more of them, or at the end. */
static HlRunPost *next_run_post (RunJob *job, gboolean is_last) {
  HlRunPost *post = new_run_post ();
  const HlCavitations *cavitations = hl_recorder_cavitations (job->recorder);
  int n = hl_cavitations_n (cavitations);

  post->n_rows = hl_results_pen_tell (job->pen);
  job->n_new = 0;
  if (n > job->n_told || (is_last && n > 0)) {
    post->cavitations = hl_cavitations_copy (cavitations);
    post->system = hl_system_ref (job->system);
    job->n_told = n;
  }
  return post;
}

static void post_rows (RunJob *job) {
  hl_worker_post (job->worker, &next_run_post (job, FALSE)->base);
  job->posted_us = g_get_monotonic_time ();
}

/* Counts. */
static bool take_row (const double row[], void *data) {
  RunJob *job = data;

  if (++job->n_new == POST_ROWS || g_get_monotonic_time () - job->posted_us >= POST_INTERVAL_US)
    post_rows (job);
  return !hl_worker_is_cancelled (job->worker);
}

static bool begin_again (HlMethod method, const HlFault *why, void *data);

static HlRowTaker taker_of (RunJob *job) {
  return (HlRowTaker){.pen = job->pen, .row = take_row, .again = begin_again, .data = job};
}

/* The other method's rows stand alone. */
static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  RunJob *job = data;
  HlRunPost *post = new_run_post ();

  post->instead = hl_recording_new_results (job->recording);
  hl_results_pen_free (job->pen);
  job->pen = hl_results_pen_new (post->instead);
  HlRowTaker taker = taker_of (job);
  hl_recorder_set_taker (job->recorder, &taker);
  job->n_new = job->n_told = 0;
  hl_worker_post (job->worker, &post->base);
  return !hl_worker_is_cancelled (job->worker);
}

/* The hand that drives: it shows what there is before it waits for the clock. */
static bool move_levers (double t, double out[], void *data) {
  RunJob *job = data;

  if (job->n_new > 0 && hl_drive_desk_is_early (job->desk, t))
    post_rows (job);
  if (!hl_drive_desk_wait (job->desk, t, is_cancelled, job->worker))
    return false;
  hl_drive_desk_read (job->desk, out);
  job->now = t;
  return true;
}

static bool tune (HlSystem *own, void *data) {
  RunJob *job = data;

  return hl_drive_desk_tune (job->desk, own, job->tape, job->now);
}

static HlStatus drive (RunJob *job, HlSystem **tuned, HlLeverRecord **levers, HlSimStats *stats,
                       HlFault *fault) {
  HlDriveOptions options = {.sim = job->options,
                            .tick = job->tick,
                            .inputs = job->inputs,
                            .n_levers = job->n_levers,
                            .hand = move_levers,
                            .hand_data = job,
                            .tune = tune,
                            .tune_data = job,
                            .tuned = tuned,
                            .tape = job->tape};

  g_autoptr (HlTapePlayer) player = NULL;
  if (job->play != NULL) {
    player = hl_tape_player_new (job->play, job->system, NULL);
    if (player == NULL)
      return HL_CANCELLED; /* who asked has made sure that it fits */
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
  /* what happens in a drive without an end would be a list without an end */
  gboolean is_listed = hl_oil_models[job->options.model]->has_modes && job->desk == NULL && job->play == NULL;
  g_autoptr (HlModeHistory) history = is_listed ? hl_mode_history_new (job->system) : NULL;
  if (history != NULL)
    hl_mode_history_attach (history, &job->options);

  HlSystem *tuned = NULL; /* of a drive */
  HlStatus status = job->desk != NULL || job->play != NULL
                        ? drive (job, &tuned, &levers, &stats, &fault)
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
  if ((stats.gives_way.n > 0 || stats.wave.travel > 0.0) && post->system == NULL)
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
  hl_drive_desk_unref (job->desk);
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
  hl_runner_retire (runner);
  hl_worker_free (runner->runs);
  hl_worker_free (runner->loci);
  hl_solver_free (runner->solver);
  g_free (runner);
}

gboolean hl_runner_retire (HlRunner *runner) {
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
    job->desk = hl_drive_desk_ref (request->desk);
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
  return hl_worker_push (runner->loci, hl_locus_job_new (request), FALSE);
}

guint hl_runner_solve (HlRunner *runner, const HlSolveRequest *request, gboolean interrupt) {
  return hl_solver_ask (runner->solver, request, interrupt);
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
