/* SPDX-License-Identifier: MIT */
/* What the model says at the points of a measurement, and how that changes with the numbers: by the
 * variational equations of the run where it has them, else by central differences of whole runs. By
 * a time offset o it changes as the trace does in time, z (t + o): by its values a little before and
 * after. */
#include "core/base/hl-i18n.h"
#include "core/compile/hl-compile.h"
#include "core/run/hl-recorder.h"
#include "core/run/hl-tangent.h"
#include "core/study/hl-fit-private.h"
#include "core/system/hl-edges.h"

#include <math.h>
#include <string.h>

/* Part of a number by which neighbouring machines differ: differences of fourth order at a fixed state
 * are then good to about 1e-12, their rounding to 1e-13. */
#define TANGENT_STEP 1.0e-3
/* The same of whole runs, whose own errors (rtol) are divided by it. */
#define RUN_STEP 1.0e-3
#define RUN_STEPS 3 /* as many at most, each so much smaller than the one before */
#define SMALLER_STEP 0.1
#define TIME_STEP 1.0e-4 /* of the times of a table, about a point [s] */

typedef struct {
  const HlFit *fit;
  const HlFitRun *run;
  const HlFitWatch *watch;
  HlSystem *system;
  double *times; /* n_times */
  int n_times, rows_per_time;
  int n_outputs, n_columns;
  int n_rows, n_slopes; /* so far */
  double *rows;         /* n_columns a row */
  double *first;        /* n_outputs */
  double *slopes;       /* n_columns x n_varied a row; NULL: not wanted */
  double *slopes_first; /* n_outputs x n_varied */
  GString *events;      /* what the hybrid model meets, in its order, or NULL */
} Job;

static const char *const passage_texts[] = {
    [HL_TANGENT_TOUCHES] =
        N_ ("The run has no derivative by %s: it only just reaches the edge of ‘%s’ at t = %g s."),
    [HL_TANGENT_TIES] = N_ ("The run has no derivative by %s: ‘%s’ and another element pass their "
                            "edges at the same time t = %g s."),
    [HL_TANGENT_STARTS] = N_ ("The run has no derivative by %s: ‘%s’ stands on its edge at the "
                              "start, t = %g s."),
};

static bool take_row (double t, const double values[], void *data) {
  Job *job = data;

  if (job->n_rows == 0)
    memcpy (job->first, values, sizeof (double) * (gsize)job->n_outputs);
  if (job->n_rows <= job->n_times)
    hl_recorder_make_row (job->run->recording, values, job->first, FALSE,
                          job->rows + (gsize)job->n_rows * (gsize)job->n_columns);
  job->n_rows++;
  return true;
}

static void take_slopes (double t, const double slopes[], void *data) {
  Job *job = data;
  int n;
  const HlColumnSource *sources = hl_recording_sources (job->run->recording, &n);
  gsize block = (gsize)(job->n_columns * job->fit->n_varied);

  if (job->n_slopes == 0)
    memcpy (job->slopes_first, slopes, sizeof (double) * (gsize)(job->n_outputs * job->fit->n_varied));
  if (job->n_slopes <= job->n_times)
    for (int k = 0; k < job->fit->n_varied; k++)
      for (int c = 0; c < n; c++) {
        int at = k * job->n_outputs + sources[c].output;
        job->slopes[(gsize)job->n_slopes * block + (gsize)(k * job->n_columns + c)] =
            sources[c].output < 0 ? 0.0 : slopes[at] - (sources[c].relative ? job->slopes_first[at] : 0.0);
      }
  job->n_slopes++;
}

static void note_event (const HlTangentEvent *event, void *data) {
  Job *job = data;
  HlBend bend = hl_edges_get (job->system, event->edge);
  const char *id = hl_system_entity_id (job->system, HL_ENTITY_COMPONENT, bend.component);
  bool is_end = bend.kind == HL_EDGE_LOWER_STOP || bend.kind == HL_EDGE_UPPER_STOP;

  if (job->watch == NULL || id == NULL)
    return;
  if (event->passage == HL_TANGENT_PASSES && job->watch->kinks != NULL)
    g_hash_table_add (job->watch->kinks, g_strdup_printf (is_end ? _ ("%s at its end") : "%s", id));
  if (event->passage != HL_TANGENT_PASSES && job->watch->lost != NULL)
    g_hash_table_add (job->watch->lost,
                      g_strdup_printf (_ (passage_texts[event->passage]),
                                       hl_fit_number (job->fit, event->number)->name, id, event->t));
}

/* Which events a hybrid run meets, in their order: not when. */
static void append_event (const HlSimEvent *event, void *data) {
  Job *job = data;

  g_string_append_printf (job->events, "%d %d %d %d;", (int)event->kind, (int)event->entity_kind,
                          event->entity, event->upper);
}

/* --- neighbouring machines --- */

typedef struct {
  HlTangentNumber *numbers; /* n_varied */
  HlSystem **systems;
  int n_systems;
} Neighbours;

static void clear_neighbours (Neighbours *self) {
  for (int k = 0; k < self->n_systems; k++)
    if (self->systems[k] != NULL)
      hl_system_unref (self->systems[k]);
  g_free (self->systems);
  g_free (self->numbers);
}

/* Steps about a number that keep it inside of what it may be. */
static void steps_about (const HlFit *fit, const HlFitRun *run, int k, double value, double steps[]) {
  static const double both[HL_TANGENT_NODES] = {-1.0, -0.5, 0.5, 1.0},
                      one[HL_TANGENT_NODES] = {0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0};
  const HlFitNumber *number = hl_fit_number (fit, k);
  double scale = fmax (fabs (value), number->is_log ? 0.0 : 0.1 * number->size);
  double step = TANGENT_STEP * scale, low, high;

  hl_study_work_limits (run->work, k, &low, &high);
  gboolean fits_below = value - step >= low, fits_above = value + step <= high;
  for (int j = 0; j < HL_TANGENT_NODES; j++)
    steps[j] = step * (fits_below && fits_above ? both[j] : fits_above ? one[j] : -one[j]);
}

static char *find_neighbours (const HlFit *fit, const HlFitRun *run, const double numbers[],
                              Neighbours *self) {
  g_autofree double *moved = g_memdup2 (numbers, sizeof (double) * (gsize)fit->numbers->len);

  self->numbers = g_new0 (HlTangentNumber, fit->n_varied + 1);
  self->systems = g_new0 (HlSystem *, fit->n_varied * HL_TANGENT_NODES + 1);
  for (int k = 0; k < fit->n_varied; k++) {
    HlTangentNumber *number = &self->numbers[k];
    steps_about (fit, run, k, numbers[k], number->steps);
    for (int j = 0; j < HL_TANGENT_NODES; j++) {
      g_autoptr (GError) error = NULL;
      moved[k] = numbers[k] + number->steps[j];
      HlSystem *system = hl_study_work_system (run->work, moved, &error);
      if (system == NULL)
        return g_strdup (error->message);
      number->systems[j] = self->systems[self->n_systems++] = system;
    }
    hl_tangent_weights (number->steps, number->weights);
    moved[k] = numbers[k];
  }
  return NULL;
}

/* --- a run --- */

/* Times of the rows: for a time offset that is sought, a little before and after as well. */
static void place_times (Job *job, double offset, double step) {
  const HlFitRun *run = job->run;
  int n = 0;

  job->rows_per_time = run->offset_number >= 0 && job->slopes != NULL ? 3 : 1;
  job->times = g_new (double, 3 * run->n_times + 1);
  for (int k = run->has_zero ? 1 : 0; k < run->n_times; k++) {
    double t = run->times[k] + offset;
    if (job->rows_per_time == 3)
      job->times[n++] = t - step;
    job->times[n++] = t;
    if (job->rows_per_time == 3)
      job->times[n++] = t + step;
  }
  job->n_times = n;
}

/* Small against the distances of the table's points, so that the times keep their order. */
static double time_step (const HlFitRun *run, double offset) {
  double least = TIME_STEP;

  for (int k = 0; k < run->n_times; k++)
    least = fmin (least, 0.2 * (k > 0 ? run->times[k] - run->times[k - 1] : run->times[0] + offset));
  return least;
}

/* The row of a point's time. */
static int row_of (const Job *job, int time) {
  if (job->run->has_zero)
    return time * job->rows_per_time;
  return 1 + time * job->rows_per_time + (job->rows_per_time == 3 ? 1 : 0);
}

static char *simulate (Job *job, const Neighbours *neighbours) {
  const HlFitRun *run = job->run;
  HlSimOptions options = hl_sim_options_from_model (job->system);
  HlSimStats stats = {0};
  HlFault fault = {.time = NAN, .entity = -1};
  HlTangent tangent = {.numbers = neighbours != NULL ? neighbours->numbers : NULL,
                       .n = job->fit->n_varied,
                       .row = take_slopes,
                       .event = note_event,
                       .data = job};
  int n_linear;

  options.outputs = hl_recording_outputs (run->recording, &options.n_outputs, &n_linear);
  options.times = job->times;
  options.n_times = job->n_times;
  options.t_end = job->n_times > 0 ? job->times[job->n_times - 1] : 0.0;
  options.row = take_row;
  options.row_data = job;
  options.tangent = neighbours != NULL ? &tangent : NULL;
  options.event = job->events != NULL ? append_event : NULL;
  options.event_data = job;
  if (job->watch != NULL) {
    options.cancel = job->watch->cancel;
    options.cancel_data = job->watch->cancel_data;
  }
  HlStatus status = hl_simulate (job->system, &options, &stats, &fault);
  if (status != HL_OK && stats.method_failed) {
    /* what one method gives up the other may pass */
    options.method = options.method == HL_METHOD_BDF ? HL_METHOD_RADAU : HL_METHOD_BDF;
    job->n_rows = job->n_slopes = 0;
    if (job->events != NULL)
      g_string_truncate (job->events, 0);
    status = hl_simulate (job->system, &options, &stats, &fault);
  }
  if (status == HL_OK && job->n_rows < job->n_times + 1)
    status = HL_CANCELLED;
  return status != HL_OK ? hl_fault_message (job->system, &fault) : NULL;
}

/* Rows to points; slopes by the numbers of the model, and by the offset. */
static void read_points (const Job *job, double model[], double slopes[], double step) {
  const HlFit *fit = job->fit;
  const HlFitRun *run = job->run;

  for (guint c = 0; c < run->columns->len; c++) {
    const HlFitColumn *column = &g_array_index (run->columns, HlFitColumn, c);
    for (int i = 0; i < column->n; i++) {
      int point = column->first + i, row = row_of (job, fit->time_of[point]);
      const double *at = job->rows + (gsize)row * (gsize)job->n_columns;
      model[point - run->first] = at[column->column];
      if (slopes == NULL)
        continue;
      for (int k = 0; job->slopes != NULL && k < fit->n_varied; k++)
        slopes[(gsize)k * (gsize)fit->n_points + (gsize)point] =
            job->slopes[(gsize)row * (gsize)(job->n_columns * fit->n_varied) +
                        (gsize)(k * job->n_columns + column->column)];
      if (run->offset_number >= 0)
        slopes[(gsize)run->offset_number * (gsize)fit->n_points + (gsize)point] =
            (at[job->n_columns + column->column] - at[column->column - job->n_columns]) / (2.0 * step);
    }
  }
}

static char *run_once (const HlFit *fit, int which, const double numbers[], double model[], double slopes[],
                       gboolean is_exact, GString *events, const HlFitWatch *watch) {
  const HlFitRun *run = g_ptr_array_index (fit->runs, which);
  g_autoptr (GError) error = NULL;
  Job job = {.fit = fit, .run = run, .watch = watch, .events = events};
  Neighbours neighbours = {NULL, NULL, 0};
  double offset = run->offset + (run->offset_number >= 0 ? numbers[run->offset_number] : 0.0);
  double step = time_step (run, offset);
  char *wrong = NULL;
  double marker = 0.0;

  job.system = hl_study_work_system (run->work, numbers, &error);
  if (job.system == NULL)
    return g_strdup (error->message);
  hl_recording_outputs (run->recording, &job.n_outputs, NULL);
  job.n_columns = hl_recording_n_columns (run->recording);
  job.slopes = slopes != NULL ? &marker : NULL; /* whether the times are wanted threefold */
  place_times (&job, offset, step);
  job.rows = g_new0 (double, (gsize)(job.n_times + 1) * (gsize)job.n_columns + 1);
  job.first = g_new0 (double, job.n_outputs + 1);
  job.slopes = slopes != NULL && is_exact
                   ? g_new0 (double, (gsize)(job.n_times + 1) * (gsize)(job.n_columns * fit->n_varied) + 1)
                   : NULL;
  job.slopes_first = g_new0 (double, job.n_outputs * fit->n_varied + 1);
  if (job.slopes != NULL)
    wrong = find_neighbours (fit, run, numbers, &neighbours);
  if (wrong == NULL)
    wrong = simulate (&job, job.slopes != NULL ? &neighbours : NULL);
  if (wrong == NULL)
    read_points (&job, model, slopes, step);
  clear_neighbours (&neighbours);
  g_free (job.times);
  g_free (job.rows);
  g_free (job.first);
  g_free (job.slopes);
  g_free (job.slopes_first);
  hl_system_unref (job.system);
  return wrong;
}

/* The runs beside a number, ends[2 x points of the run], at[2] where; *alike: both meet the same events. */
static char *run_beside (const HlFit *fit, int which, int k, double moved[], const double at[], double ends[],
                         gboolean *alike, const HlFitWatch *watch) {
  const HlFitRun *run = g_ptr_array_index (fit->runs, which);
  GString *events[2] = {g_string_new (NULL), g_string_new (NULL)};
  double value = moved[k];
  char *wrong = NULL;

  for (int side = 0; side < 2 && wrong == NULL; side++) {
    moved[k] = at[side];
    wrong = run_once (fit, which, moved, ends + side * run->n, NULL, FALSE, events[side], watch);
  }
  moved[k] = value;
  *alike = strcmp (events[0]->str, events[1]->str) == 0;
  for (int side = 0; side < 2; side++)
    g_string_free (events[side], TRUE);
  return wrong;
}

/* By central differences of whole runs, one-sided at the end of what a number may be; with smaller steps where the two
 * runs meet other events. */
static char *difference_slopes (const HlFit *fit, int which, const double numbers[], double slopes[],
                                const HlFitWatch *watch) {
  const HlFitRun *run = g_ptr_array_index (fit->runs, which);
  g_autofree double *moved = g_memdup2 (numbers, sizeof (double) * (gsize)fit->numbers->len);
  g_autofree double *ends = g_new (double, 2 * run->n + 1);

  for (int k = 0; k < fit->n_varied; k++) {
    const HlFitNumber *number = hl_fit_number (fit, k);
    double step = RUN_STEP * fmax (fabs (numbers[k]), number->is_log ? 0.0 : 0.1 * number->size), low, high,
           at[2];
    gboolean alike = FALSE;
    hl_study_work_limits (run->work, k, &low, &high);
    for (int turn = 0; turn < RUN_STEPS && !alike; turn++, step *= SMALLER_STEP) {
      at[0] = fmax (numbers[k] - step, low);
      at[1] = fmin (numbers[k] + step, high);
      char *wrong = run_beside (fit, which, k, moved, at, ends, &alike, watch);
      if (wrong != NULL)
        return wrong;
    }
    if (!alike && watch != NULL && watch->lost != NULL)
      g_hash_table_add (watch->lost,
                        g_strdup_printf (_ ("The run has no derivative by %s: the smallest change "
                                            "of it changes which events happen."),
                                         number->name));
    for (int i = 0; i < run->n; i++)
      slopes[(gsize)k * (gsize)fit->n_points + (gsize)(run->first + i)] =
          (ends[run->n + i] - ends[i]) / (at[1] - at[0]);
  }
  return NULL;
}

static char *run_one (const HlFit *fit, int which, const double numbers[], double model[], double slopes[],
                      const HlFitWatch *watch) {
  const HlFitRun *run = g_ptr_array_index (fit->runs, which);

  for (guint k = 0; slopes != NULL && k < fit->numbers->len; k++)
    for (int i = 0; i < run->n; i++)
      slopes[(gsize)k * (gsize)fit->n_points + (gsize)(run->first + i)] = 0.0;
  char *wrong = run_once (fit, which, numbers, model, slopes, fit->is_exact, NULL, watch);
  if (wrong == NULL && slopes != NULL && !fit->is_exact)
    wrong = difference_slopes (fit, which, numbers, slopes, watch);
  return wrong;
}

char *hl_fit_run_all (const HlFit *fit, const double numbers[], double model[], double slopes[],
                      const HlFitWatch *watch) {
  for (guint k = 0; k < fit->runs->len; k++) {
    const HlFitRun *run = g_ptr_array_index (fit->runs, k);
    char *wrong = run_one (fit, (int)k, numbers, model + run->first, slopes, watch);
    if (wrong != NULL)
      return wrong;
  }
  return NULL;
}
