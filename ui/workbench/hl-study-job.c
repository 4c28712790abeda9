/* SPDX-License-Identifier: MIT */
/* A study or an optimization computed by several threads. Each row has its own place in arrays that are
 * allocated before the first thread starts. A thread writes values and message of its row and then, as the
 * last thing, its state by a C11 atomic, so that the window's thread needs no lock and a thread sanitizer
 * sees why. The shared arrays are freed on the window's thread after both the threads and the window have
 * released them. */
#include "ui/workbench/hl-study-job.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-trace-name.h"
#include "core/linear/hl-parallel-loop.h"
#include "core/study/hl-parameter-optimization.h"
#include "core/study/hl-study-draft.h"
#include "core/study/hl-study-table.h"
#include "core/study/hl-study-row-computation.h"
#include "ui/workbench/hl-worker-thread.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* The data of the thread are freed when both the thread and the window have dropped their references; the task frees it
 * on the window's thread. While it works the window reads nothing of it but atomics. */

typedef struct {
  int n_holders; /* job and task, both on the window's thread */
  HlStudy *study;
  char *folder;
  HlFit *fit; /* made by the thread */
  HlFitAnswer *answer;
  double *before;
  GString *notes;
  atomic_bool is_stopped;
  atomic_int steps;
  _Atomic double cost;
} Shared;

struct _HlFitJob {
  Shared *shared;
  GCancellable *life;
  void (*changed) (gpointer data);
  gpointer data;
  char *problem;
  gboolean is_done;
};

static void let_go_of_fit (gpointer data) {
  Shared *shared = data;

  if (--shared->n_holders > 0)
    return;
  hl_fit_answer_free (shared->answer);
  hl_fit_free (shared->fit);
  hl_study_free (shared->study);
  g_string_free (shared->notes, TRUE);
  g_free (shared->before);
  g_free (shared->folder);
  g_free (shared);
}

/* --- by the thread --- */

static void note_of_fit (const char *text, void *data) {
  g_string_append_printf (data, "%s%s", ((GString *)data)->len > 0 ? "\n" : "", text);
}

static gboolean progress_of_fit (int start, int steps, double cost, void *data) {
  Shared *shared = data;

  (void)start;
  atomic_store (&shared->steps, steps);
  atomic_store (&shared->cost, cost);
  return !atomic_load (&shared->is_stopped);
}

static void run_before (Shared *shared) {
  int n = hl_fit_n_numbers (shared->fit);
  g_autofree double *start = g_new (double, 3 * n + 1);

  shared->before = g_new (double, hl_fit_n_points (shared->fit) + 1);
  hl_fit_bounds (shared->fit, start, start + n, start + 2 * n);
  g_autofree char *wrong = hl_fit_run (shared->fit, start, shared->before);
  if (wrong != NULL)
    g_clear_pointer (&shared->before, g_free);
}

static gpointer solve_study (gpointer data, GCancellable *life, GError **error) {
  Shared *shared = data;

  shared->fit = hl_fit_new (shared->study, shared->folder, note_of_fit, shared->notes, error);
  if (shared->fit == NULL || atomic_load (&shared->is_stopped))
    return NULL;
  run_before (shared);
  HlFitOptions options = hl_fit_options_of_study (shared->fit);
  options.threads = MAX (1, hl_parallel_n_processors () - 1);
  options.progress = progress_of_fit;
  options.data = shared;
  shared->answer = hl_fit_solve (shared->fit, &options);
  return NULL;
}

/* --- on the window's thread --- */

static void solved_cb (gpointer sender, gpointer job, gpointer answer, const GError *error) {
  HlFitJob *self = sender;
  const HlFitAnswer *found = self->shared->answer;

  g_clear_object (&self->life);
  if (error != NULL)
    self->problem = g_strdup (error->message);
  else if (found != NULL && found->best < 0 && found->why != HL_FIT_STOPPED)
    self->problem = g_strdup (found->starts[0].wrong);
  self->is_done = self->problem == NULL && found != NULL && found->best >= 0;
  self->changed (self->data);
}

/* Returns the study without rows and measures, which a fit does not use and which may be missing or invalid. */
static HlValue *only_fit (HlValue *taken) {
  g_autoptr (HlValue) root = taken;
  g_autoptr (HlValue) bare = hl_value_without_member (root, "measures");

  return hl_value_without_member (bare, "design");
}

HlFitJob *hl_fit_job_new (const HlValue *draft, const HlDocument *model, const char *folder,
                          void (*changed) (gpointer data), gpointer data, GError **error) {
  g_autoptr (HlStudy) study =
      hl_study_new_for (only_fit (hl_study_draft_with_model (draft, model)), HL_STUDY_FIT, error);

  if (study == NULL)
    return NULL;
  HlFitJob *self = g_new0 (HlFitJob, 1);
  Shared *shared = self->shared = g_new0 (Shared, 1);
  shared->n_holders = 2;
  shared->study = g_steal_pointer (&study);
  shared->folder = g_strdup (folder);
  shared->notes = g_string_new (NULL);
  shared->cost = NAN;
  self->changed = changed;
  self->data = data;
  self->life = g_cancellable_new ();
  hl_task_start (&(HlTask){.work = solve_study,
                           .done = solved_cb,
                           .free_job = let_go_of_fit,
                           .sender = self,
                           .life = self->life},
                 shared);
  return self;
}

void hl_fit_job_stop (HlFitJob *self) {
  atomic_store (&self->shared->is_stopped, true);
}

void hl_fit_job_free (HlFitJob *self) {
  if (self == NULL)
    return;
  hl_fit_job_stop (self);
  if (self->life != NULL)
    g_cancellable_cancel (self->life);
  g_clear_object (&self->life);
  let_go_of_fit (self->shared);
  g_free (self->problem);
  g_free (self);
}

/* --- asking --- */

gboolean hl_fit_job_is_busy (const HlFitJob *self) {
  return self->life != NULL;
}

const char *hl_fit_job_problem (const HlFitJob *self) {
  return self->problem;
}

const char *hl_fit_job_notes (const HlFitJob *self) {
  return self->life == NULL ? self->shared->notes->str : "";
}

int hl_fit_job_steps (const HlFitJob *self, double *cost) {
  *cost = atomic_load (&self->shared->cost);
  return atomic_load (&self->shared->steps);
}

const HlFit *hl_fit_job_fit (const HlFitJob *self) {
  return self->is_done ? self->shared->fit : NULL;
}

const HlFitAnswer *hl_fit_job_answer (const HlFitJob *self) {
  return self->is_done ? self->shared->answer : NULL;
}

const double *hl_fit_job_before (const HlFitJob *self) {
  return self->is_done ? self->shared->before : NULL;
}

HlFitJobNumber hl_fit_job_number (const HlFitJob *self, int k) {
  const Shared *shared = self->shared;
  const HlFitAnswer *answer = shared->answer;
  g_autofree double *bounds = g_new (double, 3 * answer->n_numbers + 1);
  HlFitJobNumber number = {.name = hl_fit_number_name (shared->fit, k),
                           .unit = hl_fit_number_unit (shared->fit, k),
                           .quantity = HL_QUANTITY_TIME,
                           .value = answer->numbers[k],
                           .deviation = answer->deviation[k],
                           .low = answer->low[k],
                           .high = answer->high[k],
                           .place = answer->places[k]};

  hl_fit_bounds (shared->fit, bounds, bounds + answer->n_numbers, bounds + 2 * answer->n_numbers);
  number.start = bounds[k];
  if (k < hl_study_n_numbers (shared->study)) {
    HlPathInfo info;
    number.paths = (const char *const *)hl_study_number (shared->study, k)->paths;
    number.quantity = hl_path_find (shared->study->document, number.paths[0], &info, NULL) ? info.quantity
                                                                                           : HL_QUANTITY_NONE;
  }
  return number;
}

char *hl_fit_job_table (const HlFitJob *self) {
  return self->is_done ? hl_fit_points_text (self->shared->fit, self->shared->answer) : NULL;
}

typedef struct {
  int n_holders; /* job and task, both on the window's thread */
  HlStudy *study;
  int n_rows, n_columns, n_threads;
  double *values;       /* n_columns x n_rows, a row together */
  char **errors;        /* n_rows */
  atomic_uchar *states; /* HlStudyRowState */
  atomic_bool is_stopped;
  HlOptimizeAnswer *found; /* of a search that ended; NULL: none */
} HlStudyShared;

static bool study_job_is_stopped (void *shared);

#define SPARE_ROWS 8 /* of each search: a method may run once more as it ends */

/* Gets the maximum number of rows of a search. FALSE: its member is invalid. */
static gboolean search_rows (const HlStudy *study, int *n_rows, GError **error) {
  HlOptimizeOptions options;
  int n_searches;

  if (!hl_optimize_check (study, &options, &n_searches, error))
    return FALSE;
  gint64 n = 1 + (gint64)n_searches * ((gint64)options.runs + SPARE_ROWS);
  *n_rows = (int)MIN (n, G_MAXINT);
  return TRUE;
}

/* Publishes a run of the search as a row, its state last. */
static void publish (HlStudyShared *shared, int row, const HlOptimizeRun *run) {
  if (row >= shared->n_rows ||
      atomic_load_explicit (&shared->states[row], memory_order_relaxed) != HL_STUDY_ROW_MISSING)
    return;
  memcpy (shared->values + (gsize)row * (gsize)shared->n_columns, run->values,
          sizeof (double) * (gsize)shared->n_columns);
  shared->errors[row] = g_strdup (run->wrong);
  atomic_store_explicit (&shared->states[row], run->wrong != NULL ? HL_STUDY_ROW_FAILED : HL_STUDY_ROW_DONE,
                         memory_order_release);
}

static gboolean progress (const HlOptimizeRun *run, int n_runs, double best, void *data) {
  HlStudyShared *shared = data;

  (void)best;
  if (study_job_is_stopped (shared))
    return FALSE; /* it may have been broken off */
  publish (shared, n_runs - 1, run);
  return TRUE;
}

/* Returns the HlTask.work of a search; the job is an HlStudyShared. */
static gpointer search_study (gpointer job, GCancellable *life, GError **error) {
  HlStudyShared *shared = job;
  g_autoptr (HlOptimize) optimize = hl_optimize_new (shared->study, NULL, NULL, error);

  if (optimize == NULL)
    return NULL;
  HlOptimizeOptions options = hl_optimize_options_of_study (optimize);
  options.progress = progress;
  options.cancel = study_job_is_stopped;
  options.data = options.cancel_data = shared;
  HlOptimizeAnswer *found = hl_optimize_solve (optimize, &options);
  /* the last one of a search that was stopped was broken off */
  guint n = found->history->len - (found->why == HL_OPTIMIZE_STOPPED);
  for (guint k = 0; k < n; k++)
    publish (shared, (int)k, found->history->pdata[k]);
  shared->found = found;
  return NULL;
}

#define MOST_CELLS 20000000 /* of the table */

struct _HlStudyJob {
  HlStudyShared *shared;
  GCancellable *life;
  void (*changed) (gpointer data);
  gpointer data;
  gboolean is_ready;
  char *problem, *notes;
  GArray *columns; /* HlStudyJobColumn */
  double *values;  /* n_rows x n_columns, a column together */
  guint8 *states;  /* as collected */
  int n_done, n_failed, n_seen;
  gint64 began_us, ended_us;
};

/* --- what the threads share --- */

static void let_go (gpointer data) {
  HlStudyShared *shared = data;

  if (--shared->n_holders > 0)
    return;
  for (int row = 0; row < shared->n_rows; row++)
    g_free (shared->errors[row]);
  g_free (shared->errors);
  g_free (shared->values);
  g_free (shared->states);
  if (shared->found != NULL)
    hl_optimize_answer_free (shared->found);
  hl_study_free (shared->study);
  g_free (shared);
}

/* Returns whether the job was stopped, for HlSimOptions.cancel. */
static bool study_job_is_stopped (void *data) {
  HlStudyShared *shared = data;

  return atomic_load_explicit (&shared->is_stopped, memory_order_relaxed);
}

/* --- preparing, by a thread: a large model takes its time to compile --- */

typedef struct {
  char *notes;
  char **units; /* n_columns */
} Ready;

static void free_ready (gpointer data) {
  Ready *ready = data;

  g_free (ready->notes);
  g_strfreev (ready->units);
  g_free (ready);
}

static void add_note (const char *text, void *data) {
  g_string_append_printf (data, "%s\n", text);
}

static gpointer prepare_study (gpointer data, GCancellable *life, GError **error) {
  HlStudyShared *shared = data;
  g_autoptr (GString) notes = g_string_new (NULL);
  g_autoptr (HlStudyWork) work = hl_study_work_new (shared->study, add_note, notes, error);

  if (work == NULL)
    return NULL;
  Ready *ready = g_new0 (Ready, 1);
  int n = hl_study_n_numbers (shared->study);
  ready->units = g_new0 (char *, shared->n_columns + 1);
  for (int k = 0; k < shared->n_columns; k++)
    ready->units[k] =
        g_strdup (k < n ? hl_study_work_unit_of_number (work, k) : hl_study_work_unit (work, k - n));
  ready->notes = g_string_free (g_steal_pointer (&notes), FALSE);
  return ready;
}

/* --- the rows, by all threads --- */

typedef struct {
  HlStudyShared *shared;
  HlStudyWork **works; /* one a thread */
} Crew;

static void do_row (int row, int place, void *data) {
  Crew *crew = data;
  HlStudyShared *shared = crew->shared;
  g_autoptr (GError) error = NULL;

  if (study_job_is_stopped (shared))
    return;
  if (crew->works[place] == NULL) {
    crew->works[place] = hl_study_work_new (shared->study, NULL, NULL, &error);
    if (crew->works[place] != NULL)
      hl_study_work_set_cancel (crew->works[place], study_job_is_stopped, shared);
  }
  double *values = shared->values + (gsize)row * (gsize)shared->n_columns;
  char *wrong = crew->works[place] != NULL ? hl_study_work_row (crew->works[place], row, values)
                                           : g_strdup (error->message);
  if (study_job_is_stopped (shared)) { /* it was broken off: nothing can be said of it */
    g_free (wrong);
    return;
  }
  shared->errors[row] = wrong;
  atomic_store_explicit (&shared->states[row], wrong != NULL ? HL_STUDY_ROW_FAILED : HL_STUDY_ROW_DONE,
                         memory_order_release);
}

static gpointer compute_rows (gpointer data, GCancellable *life, GError **error) {
  HlStudyShared *shared = data;
  g_autofree HlStudyWork **works = g_new0 (HlStudyWork *, shared->n_threads);
  Crew crew = {shared, works};

  hl_parallel_run (
      &(HlParallel){.n = shared->n_rows, .n_threads = shared->n_threads, .work = do_row, .data = &crew});
  for (int k = 0; k < shared->n_threads; k++)
    hl_study_work_free (works[k]);
  return NULL;
}

/* --- on the window's thread --- */

static void finish_job (HlStudyJob *self) {
  g_clear_object (&self->life);
  self->ended_us = g_get_monotonic_time ();
  hl_study_job_collect (self);
  self->changed (self->data);
}

static void computed_cb (gpointer sender, gpointer job, gpointer answer, const GError *error) {
  HlStudyJob *self = sender;

  if (error != NULL)
    self->problem = g_strdup (error->message);
  finish_job (self);
}

static void send_work (HlStudyJob *self, gpointer (*work) (gpointer job, GCancellable *life, GError **error),
                       void (*done) (gpointer sender, gpointer job, gpointer answer, const GError *error)) {
  self->shared->n_holders++;
  hl_task_start (&(HlTask){.work = work,
                           .done = done,
                           .free_job = let_go,
                           .free_answer = free_ready,
                           .sender = self,
                           .life = self->life},
                 self->shared);
}

/* Returns the quantity of a measure, that of the trace if the number has its unit. A root mean square, and a
 * measure relative to its start, have no gauge offset. */
static HlQuantity quantity_of (const HlStudy *study, const HlMeasure *measure, const char *unit) {
  HlQuantity quantity = hl_quantity_of_si (unit);

  if (hl_measure_source (measure) != HL_MEASURES_RUN)
    return quantity;
  HlTraceInfo info = hl_trace_info (study->document, measure->of);
  if (info.known && strcmp (hl_quantity_si (info.quantity), unit) == 0)
    quantity = info.quantity;
  return quantity == HL_QUANTITY_PRESSURE && (info.relative || measure->kind == HL_MEASURE_RMS)
             ? HL_QUANTITY_PRESSURE_DIFFERENCE
             : quantity;
}

static HlQuantity quantity_of_number (const HlStudy *study, int number) {
  HlPathInfo info;

  return hl_path_find (study->document, hl_study_number (study, number)->paths[0], &info, NULL)
             ? info.quantity
             : HL_QUANTITY_NONE;
}

static gboolean is_log (const HlStudy *study, int number) {
  HlDistributionKind kind = hl_study_number (study, number)->distribution.kind;

  return kind == HL_DISTRIBUTION_LOG_UNIFORM || kind == HL_DISTRIBUTION_LOG_NORMAL;
}

static void add_columns (HlStudyJob *self, char **units) {
  const HlStudy *study = self->shared->study;
  int n = hl_study_n_numbers (study);

  for (int k = 0; k < self->shared->n_columns; k++) {
    const HlMeasure *measure = k < n ? NULL : hl_study_measure (study, k - n);
    HlStudyJobColumn column = {
        .name = g_strdup (k < n ? hl_study_number (study, k)->name : measure->name),
        .quantity = k < n ? quantity_of_number (study, k) : quantity_of (study, measure, units[k]),
        .unit = g_strdup (units[k]),
        .is_log = k < n && is_log (study, k),
        .low = measure != NULL ? measure->low : -INFINITY,
        .high = measure != NULL ? measure->high : INFINITY,
    };
    g_array_append_val (self->columns, column);
  }
}

static void prepared_cb (gpointer sender, gpointer job, gpointer answer, const GError *error) {
  HlStudyJob *self = sender;
  Ready *ready = answer;

  if (ready == NULL) {
    self->problem = g_strdup (error != NULL ? error->message : "");
    finish_job (self);
    return;
  }
  g_free (self->notes);
  self->notes = g_steal_pointer (&ready->notes);
  add_columns (self, ready->units);
  free_ready (ready);
  self->is_ready = TRUE;
  self->began_us = g_get_monotonic_time ();
  send_work (self, hl_study_job_is_search (self) ? search_study : compute_rows, computed_cb);
  self->changed (self->data);
}

static void clear_column (gpointer data) {
  HlStudyJobColumn *column = data;

  g_free (column->name);
  g_free (column->unit);
}

/* Reads the study. A search needs no design, and the one in the file may be invalid. */
static HlStudy *read_study (const HlValue *draft, const HlDocument *model, HlStudyPurpose purpose,
                            GError **error) {
  HlValue *root = hl_study_draft_with_model (draft, model);

  if (purpose != HL_STUDY_OPTIMIZE)
    return hl_study_new (root, error);
  HlValue *bare = hl_value_without_member (root, "design");
  hl_value_unref (root);
  return hl_study_new_for (bare, purpose, error);
}

HlStudyJob *hl_study_job_new (const HlValue *draft, const HlDocument *model, HlStudyPurpose purpose,
                              void (*changed) (gpointer data), gpointer data, GError **error) {
  g_autoptr (HlStudy) study = read_study (draft, model, purpose, error);

  if (study == NULL)
    return NULL;
  int n_rows = hl_study_n_rows (study);
  if (purpose == HL_STUDY_OPTIMIZE && !search_rows (study, &n_rows, error))
    return NULL;
  int n_cells = hl_study_n_numbers (study) + hl_study_n_measures (study);
  if (n_rows > HL_STUDY_JOB_MOST_ROWS || (gint64)n_rows * n_cells > MOST_CELLS) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_USAGE,
        _ ("%d rows of %d numbers are too many: at most %d rows and %d numbers can be computed in this "
           "window; use fewer rows, or compute the study into a folder with ‘hydrolink study run’"),
        n_rows, n_cells, HL_STUDY_JOB_MOST_ROWS, MOST_CELLS);
    return NULL;
  }
  HlStudyJob *self = g_new0 (HlStudyJob, 1);
  HlStudyShared *shared = self->shared = g_new0 (HlStudyShared, 1);
  shared->n_holders = 1;
  shared->n_rows = n_rows;
  shared->n_columns = hl_study_n_numbers (study) + hl_study_n_measures (study);
  shared->n_threads = MAX (1, hl_parallel_n_processors () - 1);
  shared->values = g_new0 (double, (gsize)n_rows *(gsize)shared->n_columns);
  shared->errors = g_new0 (char *, n_rows);
  shared->states = g_new0 (atomic_uchar, n_rows);
  shared->study = g_steal_pointer (&study);
  self->columns = g_array_new (FALSE, FALSE, sizeof (HlStudyJobColumn));
  g_array_set_clear_func (self->columns, clear_column);
  self->values = g_new (double, (gsize)n_rows *(gsize)shared->n_columns);
  for (gsize k = 0; k < (gsize)n_rows * (gsize)shared->n_columns; k++)
    self->values[k] = NAN;
  self->states = g_new0 (guint8, n_rows);
  self->notes = g_strdup ("");
  self->changed = changed;
  self->data = data;
  self->life = g_cancellable_new ();
  self->began_us = g_get_monotonic_time ();
  send_work (self, prepare_study, prepared_cb);
  return self;
}

void hl_study_job_stop (HlStudyJob *self) {
  atomic_store (&self->shared->is_stopped, true);
}

void hl_study_job_free (HlStudyJob *self) {
  if (self == NULL)
    return;
  hl_study_job_stop (self);
  if (self->life != NULL)
    g_cancellable_cancel (self->life);
  g_clear_object (&self->life);
  let_go (self->shared);
  g_array_unref (self->columns);
  g_free (self->problem);
  g_free (self->notes);
  g_free (self->values);
  g_free (self->states);
  g_free (self);
}

/* --- asking --- */

gboolean hl_study_job_is_busy (const HlStudyJob *self) {
  return self->life != NULL;
}

const char *hl_study_job_problem (const HlStudyJob *self) {
  return self->problem;
}

const char *hl_study_job_notes (const HlStudyJob *self) {
  return self->notes;
}

int hl_study_job_n_rows (const HlStudyJob *self) {
  return self->shared->n_rows;
}

gboolean hl_study_job_is_search (const HlStudyJob *self) {
  return self->shared->study->purpose == HL_STUDY_OPTIMIZE;
}

const HlOptimizeAnswer *hl_study_job_found (const HlStudyJob *self) {
  return self->life == NULL ? self->shared->found : NULL;
}

int hl_study_job_n_numbers (const HlStudyJob *self) {
  return hl_study_n_numbers (self->shared->study);
}

int hl_study_job_n_columns (const HlStudyJob *self) {
  return (int)self->columns->len;
}

const HlStudyJobColumn *hl_study_job_column (const HlStudyJob *self, int column) {
  return &g_array_index (self->columns, HlStudyJobColumn, column);
}

const char *const *hl_study_job_paths (const HlStudyJob *self, int number) {
  return (const char *const *)hl_study_number (self->shared->study, number)->paths;
}

gboolean hl_study_job_collect (HlStudyJob *self) {
  const HlStudyShared *shared = self->shared;
  int n_before = self->n_done;

  for (int row = 0; row < shared->n_rows; row++) {
    if (self->states[row] != HL_STUDY_ROW_MISSING)
      continue;
    guint8 state = atomic_load_explicit (&shared->states[row], memory_order_acquire);
    if (state == HL_STUDY_ROW_MISSING)
      continue;
    self->states[row] = state;
    for (int k = 0; k < shared->n_columns; k++)
      self->values[(gsize)k * (gsize)shared->n_rows + (gsize)row] =
          shared->values[(gsize)row * (gsize)shared->n_columns + (gsize)k];
    self->n_done++;
    self->n_failed += state == HL_STUDY_ROW_FAILED;
  }
  return self->n_done > n_before;
}

int hl_study_job_n_done (const HlStudyJob *self) {
  return self->n_done;
}

int hl_study_job_n_failed (const HlStudyJob *self) {
  return self->n_failed;
}

double hl_study_job_seconds (const HlStudyJob *self) {
  gint64 until = self->life != NULL ? g_get_monotonic_time () : self->ended_us;

  return 1e-6 * (double)(until - self->began_us);
}

double hl_study_job_left (const HlStudyJob *self) {
  return self->n_done > 0 && !hl_study_job_is_search (self)
             ? hl_study_job_seconds (self) * (self->shared->n_rows - self->n_done) / self->n_done
             : NAN;
}

HlStudyRowState hl_study_job_state (const HlStudyJob *self, int row) {
  return (HlStudyRowState)self->states[row];
}

const double *hl_study_job_values (const HlStudyJob *self, int column) {
  return self->values + (gsize)column * (gsize)self->shared->n_rows;
}

const char *hl_study_job_error (const HlStudyJob *self, int row) {
  return self->states[row] == HL_STUDY_ROW_FAILED ? self->shared->errors[row] : NULL;
}

gboolean hl_study_job_keeps_limits (const HlStudyJob *self, int row) {
  for (int k = hl_study_job_n_numbers (self); k < hl_study_job_n_columns (self); k++) {
    const HlStudyJobColumn *column = hl_study_job_column (self, k);
    double value = hl_study_job_values (self, k)[row];
    if (!(value >= column->low && value <= column->high) &&
        (isfinite (column->low) || isfinite (column->high)))
      return FALSE;
  }
  return TRUE;
}

char *hl_study_job_table (const HlStudyJob *self) {
  const HlStudy *study = self->shared->study;
  int n = hl_study_job_n_columns (self), n_numbers = hl_study_job_n_numbers (self);
  g_autofree const char **units = g_new0 (const char *, n + 1);
  g_autofree double *values = g_new (double, n + 1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int k = 0; k < n; k++)
    units[k] = hl_study_job_column (self, k)->unit;
  g_autofree char *heading = hl_study_table_heading (study, units, units + n_numbers);
  g_string_append_printf (text, "%s\n", heading);
  for (int row = 0; n > 0 && row < self->shared->n_rows; row++) {
    if (self->states[row] == HL_STUDY_ROW_MISSING)
      continue;
    for (int k = 0; k < n; k++)
      values[k] = hl_study_job_values (self, k)[row];
    hl_study_table_append_cells (text, study, row, values, hl_study_job_error (self, row));
    g_string_append_c (text, '\n');
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
