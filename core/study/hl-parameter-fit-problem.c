/* SPDX-License-Identifier: MIT */
/* The problem of a fit: the member "fit" of a study, its tables, the points that count, and the values of the
 * model at these points. */
#include "core/base/hl-error.h"
#include "core/base/hl-number-format.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-unit.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-measured-data.h"
#include "core/io/hl-csv-table.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-simulate.h"
#include "core/study/hl-parameter-fit-private.h"
#include "core/study/hl-study.h"
#include "core/system/hl-lumped-event-functions.h"

#include <math.h>
#include <string.h>

/* Model values at the points of a measurement, and their derivatives by the parameters: by the variational
 * equations of the run if it has them, else by central differences of whole runs. The derivative by a time
 * offset o is that of the trace z (t + o) in time, by its values a little before and after. */

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
  double *slopes;       /* n_columns x n_varied a row; NULL: not requested */
  double *slopes_first; /* n_outputs x n_varied */
  GString *events;      /* events of the hybrid model, in their order, or NULL */
} Job;

static const char *const passage_texts[] = {
    [HL_TANGENT_TOUCHES] = N_ ("The run has no derivative with respect to %s: it only just reaches the "
                               "switching point of ‘%s’ at t = %s s."),
    [HL_TANGENT_TIES] = N_ ("The run has no derivative with respect to %s: ‘%s’ and another element pass "
                            "their switching points at the same time t = %s s."),
    [HL_TANGENT_STARTS] = N_ ("The run has no derivative with respect to %s: ‘%s’ starts exactly at its "
                              "switching point, t = %s s."),
};

static bool keep_row (double t, const double values[], void *data) {
  Job *job = data;

  if (job->n_rows == 0)
    memcpy (job->first, values, sizeof (double) * (gsize)job->n_outputs);
  if (job->n_rows <= job->n_times)
    hl_recorder_make_row (job->run->recording, values, job->first, FALSE,
                          job->rows + (gsize)job->n_rows * (gsize)job->n_columns);
  job->n_rows++;
  return true;
}

static void keep_slopes (double t, const double slopes[], void *data) {
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
  bool is_of_joint = hl_bend_is_of_joint (bend);
  const char *id =
      hl_system_entity_id (job->system, is_of_joint ? HL_ENTITY_JOINT : HL_ENTITY_COMPONENT, bend.component);
  bool is_end = bend.kind == HL_EDGE_LOWER_STOP || bend.kind == HL_EDGE_UPPER_STOP || is_of_joint;

  if (job->watch == NULL || id == NULL)
    return;
  if (event->passage == HL_TANGENT_PASSES && job->watch->kinks != NULL)
    g_hash_table_add (job->watch->kinks, g_strdup_printf (is_end ? _ ("%s at its end") : "%s", id));
  if (event->passage != HL_TANGENT_PASSES && job->watch->lost != NULL)
    g_hash_table_add (job->watch->lost, g_strdup_printf (_ (passage_texts[event->passage]),
                                                         hl_fit_number (job->fit, event->number)->name, id,
                                                         hl_shown (event->t, 6).text));
}

/* Appends an event of a hybrid run; only the order of events is compared, not their times. */
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

/* Chooses steps about a number that keep it inside its bounds. */
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

/* Places the times of the rows: for a fitted time offset, a little before and after too. */
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

/* Returns a time step that is small compared with the distances of the table's points, so that the times keep
 * their order. */
static double time_step (const HlFitRun *run, double offset) {
  double least = TIME_STEP;

  for (int k = 0; k < run->n_times; k++)
    least = fmin (least, 0.2 * (k > 0 ? run->times[k] - run->times[k - 1] : run->times[0] + offset));
  return least;
}

/* Returns the row of a point's time. */
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
                       .row = keep_slopes,
                       .event = note_event,
                       .data = job};
  int n_linear;

  options.outputs = hl_recording_outputs (run->recording, &options.n_outputs, &n_linear);
  options.times = job->times;
  options.n_times = job->n_times;
  options.t_end = job->n_times > 0 ? job->times[job->n_times - 1] : 0.0;
  options.row = keep_row;
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
    /* the other method may succeed */
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

/* Computes points from rows; slopes by the numbers of the model, and by the offset. */
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
  job.slopes = slopes != NULL ? &marker : NULL; /* the times are requested threefold */
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

/* Runs the model on both sides of a number, ends[2 x points of the run], at the values at[2]; *alike: both
 * meet the same events. */
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

/* Computes slopes by central differences of whole runs, one-sided at the bounds of a number; with smaller
 * steps where the two runs meet other events. */
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
                        g_strdup_printf (_ ("The run has no derivative with respect to %s: even the smallest "
                                            "change of this number changes which events occur."),
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

#define MOST_STARTS 10000
#define STEPS 100
#define ZERO_TIME 1.0e-12 /* a time that is the start of the run [s] */

static void clear_number (gpointer data) {
  g_free (((HlFitNumber *)data)->name);
}

static void clear_column (gpointer data) {
  g_free (((HlFitColumn *)data)->trace);
}

static void free_run (gpointer data) {
  HlFitRun *run = data;

  g_free (run->file);
  g_free (run->times);
  g_array_unref (run->columns);
  g_clear_pointer (&run->recording, hl_recording_unref);
  hl_study_work_free (run->work);
  hl_study_free (run->study);
  g_free (run);
}

void hl_fit_free (HlFit *self) {
  if (self == NULL)
    return;
  g_array_unref (self->numbers);
  g_ptr_array_unref (self->runs);
  g_free (self->t);
  g_free (self->measured);
  g_free (self->weight);
  g_free (self->time_of);
  g_free (self);
}

/* --- numbers --- */

static gboolean add_numbers (HlFit *self, const HlStudyWork *work, GError **error) {
  for (int k = 0; k < hl_study_n_numbers (self->study); k++) {
    const HlStudyNumber *number = hl_study_number (self->study, k);
    HlFitNumber one = {.name = g_strdup (number->name),
                       .unit = hl_study_work_unit_of_number (work, k),
                       .run = -1,
                       .start = number->start,
                       .is_log = number->distribution.kind == HL_DISTRIBUTION_LOG_UNIFORM};
    double low, high;
    g_array_append_val (self->numbers, one);
    HlFitNumber *own = &g_array_index (self->numbers, HlFitNumber, k);
    if (number->distribution.kind == HL_DISTRIBUTION_TABLE)
      return hl_study_refuse (
          error, _ ("%s varies over a table, but a fit needs a range; give “from” and “to”"), number->name);
    hl_distribution_range (&number->distribution, &own->low, &own->high);
    hl_study_work_limits (work, k, &low, &high);
    own->low = fmax (own->low, low);
    own->high = fmin (own->high, high);
    if (isnan (own->start)) {
      hl_document_get_number (hl_study_work_document (work), number->paths[0], &own->start, NULL, NULL);
      own->start = CLAMP (own->start, own->low, own->high);
    }
    double size = fabs (own->start), range = own->high - own->low;
    if (isfinite (range))
      size = fmax (size, 0.01 * range);
    own->size = own->is_log ? 1.0 : !isnan (number->scale) ? number->scale : size > 0.0 ? size : 1.0;
  }
  self->n_varied = (int)self->numbers->len;
  return TRUE;
}

/* --- runs --- */

/* Returns the study with what one run sets besides. */
static HlStudy *study_of_run (const HlFit *self, const HlValue *item, GError **error) {
  const HlValue *set = hl_value_member (item, "set"),
                *parameter_set = hl_value_member (item, "parameter_set");
  HlValue *root = hl_value_ref (self->study->root);

  if (parameter_set != NULL) {
    HlValue *changed = hl_value_with_member (root, "parameter_set", hl_value_ref (parameter_set));
    hl_value_unref (root);
    root = changed;
  }
  if (hl_value_length (set) > 0) {
    HlValue *all = hl_value_member (root, "set") != NULL ? hl_value_ref (hl_value_member (root, "set"))
                                                         : hl_value_new_object ();
    for (gsize k = 0; k < hl_value_length (set); k++) {
      HlValue *more =
          hl_value_with_member (all, hl_value_key (set, k), hl_value_ref (hl_value_member_at (set, k)));
      hl_value_unref (all);
      all = more;
    }
    HlValue *changed = hl_value_with_member (root, "set", all);
    hl_value_unref (root);
    root = changed;
  }
  /* measures cost time and are of no use here */
  HlValue *plain = hl_value_without_member (root, "measures");
  hl_value_unref (root);
  return hl_study_new_for (plain, HL_STUDY_FIT, error);
}

static gboolean read_offset (HlFit *self, HlFitRun *run, const HlValue *value, GError **error) {
  static const char *const known[] = {"from", "to", "start", NULL};

  run->offset_number = -1;
  if (value == NULL)
    return TRUE;
  if (hl_value_is_number (value)) {
    run->offset = hl_value_number (value);
    return TRUE;
  }
  HlFitNumber number = {.unit = "s",
                        .run = (int)self->runs->len - 1,
                        .low = hl_value_number (hl_value_member (value, "from")),
                        .high = hl_value_number (hl_value_member (value, "to"))};
  number.start = hl_value_member (value, "start") != NULL ? hl_value_number (hl_value_member (value, "start"))
                                                          : CLAMP (0.0, number.low, number.high);
  if (!hl_value_is_object (value) || !hl_study_check_members (value, "“offset”", known, NULL) ||
      !(number.low < number.high) || !isfinite (number.low) || !isfinite (number.high) ||
      !(number.start >= number.low && number.start <= number.high))
    return hl_study_refuse (error,
                            _ ("“offset” of %s must be a number of seconds, or {\"from\": A, \"to\": B, "
                               "\"start\": S} with S between A and B"),
                            run->file);
  number.name = g_strdup_printf ("%s offset", run->file);
  number.size = 0.1 * (number.high - number.low);
  run->offset_number = (int)self->numbers->len;
  g_array_append_val (self->numbers, number);
  return TRUE;
}

/* Returns the entry of a trace in the list of the run, or NULL. */
static const HlValue *said_of (const HlValue *list, const char *trace) {
  for (gsize k = 0; k < hl_value_length (list); k++) {
    const HlValue *item = hl_value_item (list, k);
    const char *name = hl_value_is_string (item) ? hl_value_string (item)
                                                 : hl_value_string (hl_value_member (item, "trace"));
    if (g_strcmp0 (name, trace) == 0)
      return item;
  }
  return NULL;
}

/* Maps the columns that the study names to their traces. */
static gboolean map_columns (const HlFitRun *run, const HlDocument *document, const HlTable *table,
                             HlMeasuredColumn *mapping, const HlValue *list, GError **error) {
  static const char *const known[] = {"trace", "column", "unit", "weight", "deviation", NULL};

  for (gsize k = 0; k < hl_value_length (list); k++) {
    const HlValue *item = hl_value_item (list, k);
    const char *trace = hl_value_is_string (item) ? hl_value_string (item)
                                                  : hl_value_string (hl_value_member (item, "trace")),
               *name = hl_value_string (hl_value_member (item, "column")),
               *unit = hl_value_string (hl_value_member (item, "unit"));
    if (trace == NULL)
      return hl_study_refuse (error,
                              _ ("trace %d of %s is neither a text nor an object; write the name of a probe "
                                 "or an output, or an object with a “trace”"),
                              (int)k + 1, run->file);
    if (hl_value_is_object (item) && !hl_study_check_members (item, trace, known, error))
      return FALSE;
    if (name == NULL && unit == NULL)
      continue;
    int column = name != NULL ? hl_table_find_column (table, name) : -1;
    for (int c = 0; name == NULL && c < table->n_columns; c++)
      if (g_strcmp0 (mapping[c].trace, trace) == 0)
        column = c;
    if (column < 0)
      return hl_study_refuse (error, _ ("%s has no column “%s” for %s"), run->file,
                              name != NULL ? name : trace, trace);
    HlQuantity quantity = hl_trace_info (document, trace).quantity;
    const HlUnit *stated = hl_unit_find (quantity, unit != NULL ? unit : table->units[column]);
    if (unit != NULL && stated == NULL)
      return hl_study_refuse (error, _ ("%s of %s cannot have the unit “%s”"), trace, run->file, unit);
    g_free (mapping[column].trace);
    mapping[column] =
        (HlMeasuredColumn){.role = HL_MEASURED_TRACE,
                           .trace = g_strdup (trace),
                           .unit = stated != NULL ? stated : hl_quantity_default_unit (quantity)};
  }
  if (hl_value_length (list) > 0)
    for (int c = 0; c < table->n_columns; c++)
      if (mapping[c].role == HL_MEASURED_TRACE && said_of (list, mapping[c].trace) == NULL)
        mapping[c].role = HL_MEASURED_UNUSED;
  return TRUE;
}

static HlResults *load_table (const HlFitRun *run, const char *folder, const HlValue *item, GError **error) {
  const HlDocument *document = hl_study_work_document (run->work);
  const HlUnit *units[HL_N_QUANTITIES];
  g_autofree char *path = g_path_is_absolute (run->file) || folder == NULL
                              ? g_strdup (run->file)
                              : g_build_filename (folder, run->file, NULL);
  g_autoptr (HlTable) table = hl_table_load (path, NULL, error);

  if (table == NULL)
    return NULL;
  for (int k = 0; k < HL_N_QUANTITIES; k++)
    units[k] = hl_unit_find ((HlQuantity)k, hl_quantity_si ((HlQuantity)k));
  for (int k = 0; k < HL_N_QUANTITIES; k++)
    if (units[k] == NULL)
      units[k] = hl_quantity_default_unit ((HlQuantity)k);
  HlMeasuredColumn *mapping = hl_measured_guess (document, table, units);
  HlResults *results = map_columns (run, document, table, mapping, hl_value_member (item, "traces"), error)
                           ? hl_measured_new (document, table, mapping, 0.0, error)
                           : NULL;
  if (results == NULL)
    g_prefix_error (error, "%s: ", run->file);
  hl_measured_mapping_free (mapping, table->n_columns);
  return results;
}

/* Reads the weight: the reciprocal of the size by which residuals of the trace are measured. */
static gboolean read_weight (const HlFitRun *run, HlFitColumn *column, const HlValue *said, double range,
                             GError **error) {
  const HlValue *weight = hl_value_member (said, "weight"), *deviation = hl_value_member (said, "deviation");
  double w = weight != NULL ? hl_value_number (weight) : 1.0,
         d = deviation != NULL ? hl_value_number (deviation) : range;

  if (!(w > 0.0 && isfinite (w)) || (deviation != NULL && !(d > 0.0 && isfinite (d))))
    return hl_study_refuse (error, _ ("“weight” and “deviation” of %s in %s must be numbers above 0"),
                            column->trace, run->file);
  column->weight = w / (d > 0.0 ? d : 1.0);
  return TRUE;
}

/* Takes over the rows of a table that lie in its window and after the start of the run. */
static gboolean append_points (HlFit *self, HlFitRun *run, const HlResults *results, const HlValue *item,
                               GArray *t, GArray *measured, GArray *weights, GArray *time_of,
                               GError **error) {
  const HlValue *from = hl_value_member (item, "from"), *to = hl_value_member (item, "to");
  double first = from != NULL ? hl_value_number (from) : -INFINITY,
         last = to != NULL ? hl_value_number (to) : INFINITY;
  double least = run->offset_number >= 0 ? hl_fit_number (self, run->offset_number)->low : run->offset;
  int n_rows = hl_results_n_rows (results);
  GArray *times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree int *place = g_new (int, n_rows + 1);

  for (int row = 0; row < n_rows; row++) {
    double at = hl_results_get (results, 0, row);
    place[row] = -1;
    if (!(at >= first && at <= last) || at + least < -ZERO_TIME ||
        (run->offset_number >= 0 && at + least <= 0.0))
      continue;
    if (times->len == 0 || at > g_array_index (times, double, times->len - 1))
      g_array_append_val (times, at);
    place[row] = (int)times->len - 1;
  }
  run->n_times = (int)times->len;
  run->times = (double *)g_array_free (times, FALSE);
  run->has_zero =
      run->n_times > 0 && run->offset_number < 0 && fabs (run->times[0] + run->offset) <= ZERO_TIME;
  run->first = (int)t->len;
  for (guint c = 0; c < run->columns->len; c++) {
    HlFitColumn *column = &g_array_index (run->columns, HlFitColumn, c);
    int source = hl_results_find_column (results, column->trace);
    double low = INFINITY, high = -INFINITY;
    column->first = (int)t->len;
    for (int row = 0; row < n_rows; row++) {
      double value = hl_results_get (results, source, row), at = hl_results_get (results, 0, row);
      if (place[row] < 0 || !isfinite (value))
        continue;
      g_array_append_val (t, at);
      g_array_append_val (measured, value);
      g_array_append_val (time_of, place[row]);
      low = fmin (low, value);
      high = fmax (high, value);
    }
    column->n = (int)t->len - column->first;
    if (!read_weight (run, column, said_of (hl_value_member (item, "traces"), column->trace), high - low,
                      error))
      return FALSE;
    for (int k = 0; k < column->n; k++)
      g_array_append_val (weights, column->weight);
  }
  run->n = (int)t->len - run->first;
  if (run->n == 0)
    return hl_study_refuse (error, _ ("%s has no values at times of the run"), run->file);
  return TRUE;
}

static gboolean find_columns (HlFit *self, HlFitRun *run, const HlResults *results, GError **error) {
  const HlDocument *document = hl_study_work_document (run->work);
  const HlSystem *system = hl_study_work_own_system (run->work);
  g_autoptr (GPtrArray) extra = g_ptr_array_new ();

  for (int c = 1; c < hl_results_n_columns (results); c++)
    g_ptr_array_add (extra, (char *)hl_results_column (results, c)->id);
  g_ptr_array_add (extra, NULL);
  for (int k = 0; k < hl_document_n_recorded (document); k++) {
    HlProbe probe;
    if (hl_document_recorded (document, k, &probe))
      for (guint j = 0; j + 1 < extra->len; j++)
        if (strcmp (g_ptr_array_index (extra, j), probe.id) == 0)
          g_ptr_array_remove_index (extra, j--);
  }
  run->recording =
      hl_recording_new (document, system, HL_RECORD_PROBES, (const char *const *)extra->pdata, error);
  if (run->recording == NULL)
    return FALSE;
  g_autoptr (HlResults) like = hl_recording_new_results (run->recording);
  int n_sources;
  const HlColumnSource *sources = hl_recording_sources (run->recording, &n_sources);
  for (int c = 1; c < hl_results_n_columns (results); c++) {
    const char *id = hl_results_column (results, c)->id;
    int column = hl_results_find_column (like, id) - 1;
    if (column < 0 || column >= n_sources || sources[column].output < 0)
      return hl_study_refuse (error, _ ("%s: a run does not compute %s"), run->file, id);
    HlFitColumn one = {.trace = g_strdup (id),
                       .unit = g_intern_string (hl_results_column (like, column + 1)->unit),
                       .column = column,
                       .is_free = sources[column].relative};
    g_array_append_val (run->columns, one);
  }
  self->is_exact = self->is_exact && hl_tangent_is_known (system);
  return TRUE;
}

typedef struct {
  GArray *t, *measured, *weight, *time_of;
} Points;

static gboolean read_run (HlFit *self, const HlValue *item, const char *folder,
                          void (*say) (const char *text, void *data), void *say_data, Points *points,
                          GError **error) {
  static const char *const known[] = {"file", "offset", "set", "parameter_set", "traces", "from", "to", NULL};
  HlFitRun *run = g_new0 (HlFitRun, 1);

  run->columns = g_array_new (FALSE, TRUE, sizeof (HlFitColumn));
  g_array_set_clear_func (run->columns, clear_column);
  run->file = g_strdup (hl_value_string (hl_value_member (item, "file")));
  g_ptr_array_add (self->runs, run);
  if (run->file == NULL)
    return hl_study_refuse (error,
                            _ ("run %d of “fit” has no “file”; give the name of the table of measured data"),
                            (int)self->runs->len);
  if (!hl_study_check_members (item, run->file, known, error) ||
      !hl_study_check_settings (hl_value_member (item, "set"), error))
    return FALSE;
  run->study = study_of_run (self, item, error);
  run->work = run->study != NULL ? hl_study_work_new (run->study, say, say_data, error) : NULL;
  if (run->work == NULL)
    return FALSE;
  if (self->n_varied == 0 && !add_numbers (self, run->work, error))
    return FALSE;
  if (!read_offset (self, run, hl_value_member (item, "offset"), error))
    return FALSE;
  g_autoptr (HlResults) results = load_table (run, folder, item, error);
  return results != NULL && find_columns (self, run, results, error) &&
         append_points (self, run, results, item, points->t, points->measured, points->weight,
                        points->time_of, error);
}

static gboolean read_count (const HlValue *fit, const char *key, int most, int *out, GError **error) {
  const HlValue *value = hl_value_member (fit, key);
  double number = hl_value_number (value);

  if (value == NULL)
    return TRUE;
  if (!(number >= 1.0 && number <= most) || number != floor (number))
    return hl_study_refuse (error, _ ("“%s” of “fit” must be a whole number from 1 to %d"), key, most);
  *out = (int)number;
  return TRUE;
}

static gboolean read_options (HlFit *self, const HlValue *fit, GError **error) {
  const HlValue *seed = hl_value_member (fit, "seed");
  double number = seed != NULL ? hl_value_number (seed) : 0.0;

  self->options = (HlFitOptions){.starts = 1, .most_steps = STEPS};
  if (!(number >= 0.0 && number <= 9007199254740991.0) || number != floor (number))
    return hl_study_refuse (error, _ ("“seed” of “fit” must be a whole number from 0 to 9007199254740991"));
  self->options.seed = (guint64)number;
  return read_count (fit, "starts", MOST_STARTS, &self->options.starts, error) &&
         read_count (fit, "steps", 100000, &self->options.most_steps, error);
}

HlFit *hl_fit_new (const HlStudy *study, const char *folder, void (*say) (const char *text, void *data),
                   void *say_data, GError **error) {
  static const char *const known[] = {"runs", "starts", "seed", "steps", NULL};
  const HlValue *fit = hl_value_member (study->root, "fit"), *runs = hl_value_member (fit, "runs");
  g_autoptr (HlFit) self = g_new0 (HlFit, 1);
  Points points = {g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)),
                   g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (int))};
  gboolean ok = TRUE;

  self->study = study;
  self->numbers = g_array_new (FALSE, TRUE, sizeof (HlFitNumber));
  g_array_set_clear_func (self->numbers, clear_number);
  self->runs = g_ptr_array_new_with_free_func (free_run);
  self->is_exact = TRUE;
  if (!hl_value_is_array (runs) || hl_value_length (runs) == 0)
    ok = hl_study_refuse (error, _ ("no measured data are given; give “fit” a list of “runs”, each with a "
                                    "“file”, or write --measured FILE.csv on the command line"));
  ok = ok && hl_study_check_members (fit, "“fit”", known, error) && read_options (self, fit, error);
  for (gsize k = 0; ok && k < hl_value_length (runs); k++)
    ok = read_run (self, hl_value_item (runs, k), folder, say, say_data, &points, error);
  self->n_points = (int)points.t->len;
  self->t = (double *)g_array_free (points.t, FALSE);
  self->measured = (double *)g_array_free (points.measured, FALSE);
  self->weight = (double *)g_array_free (points.weight, FALSE);
  self->time_of = (int *)g_array_free (points.time_of, FALSE);
  if (ok && self->n_points <= (int)self->numbers->len)
    ok = hl_study_refuse (error, _ ("%d points are too few to fit %d numbers"), self->n_points,
                          (int)self->numbers->len);
  return ok ? g_steal_pointer (&self) : NULL;
}

/* --- asking --- */

int hl_fit_n_numbers (const HlFit *self) {
  return (int)self->numbers->len;
}

const char *hl_fit_number_name (const HlFit *self, int number) {
  return hl_fit_number (self, number)->name;
}

const char *hl_fit_number_unit (const HlFit *self, int number) {
  return hl_fit_number (self, number)->unit;
}

void hl_fit_bounds (const HlFit *self, double start[], double low[], double high[]) {
  for (int k = 0; k < hl_fit_n_numbers (self); k++) {
    start[k] = hl_fit_number (self, k)->start;
    low[k] = hl_fit_number (self, k)->low;
    high[k] = hl_fit_number (self, k)->high;
  }
}

int hl_fit_n_traces (const HlFit *self) {
  int n = 0;

  for (guint k = 0; k < self->runs->len; k++)
    n += (int)((HlFitRun *)g_ptr_array_index (self->runs, k))->columns->len;
  return n;
}

int hl_fit_n_points (const HlFit *self) {
  return self->n_points;
}

HlFitTrace hl_fit_trace (const HlFit *self, int trace) {
  for (guint k = 0; k < self->runs->len; k++) {
    const HlFitRun *run = g_ptr_array_index (self->runs, k);
    if (trace < (int)run->columns->len) {
      const HlFitColumn *column = &g_array_index (run->columns, HlFitColumn, trace);
      return (HlFitTrace){.file = run->file,
                          .trace = column->trace,
                          .unit = column->unit,
                          .run = (int)k,
                          .first = column->first,
                          .n = column->n,
                          .weight = column->weight,
                          .t = self->t + column->first,
                          .measured = self->measured + column->first};
    }
    trace -= (int)run->columns->len;
  }
  g_return_val_if_reached ((HlFitTrace){0});
}

HlFitOptions hl_fit_options_of_study (const HlFit *self) {
  return self->options;
}

char *hl_fit_trace_title (const HlFit *self, int trace) {
  HlFitTrace one = hl_fit_trace (self, trace);
  g_autofree char *file = g_path_get_basename (one.file);

  return g_strdup_printf ("%s, %s", one.trace, file);
}

char *hl_fit_points_text (const HlFit *self, const HlFitAnswer *found) {
  GString *text = g_string_new ("file,trace,t [s],measured [SI],model [SI],residual [SI],weight\n");

  for (int k = 0; k < hl_fit_n_traces (self); k++) {
    HlFitTrace trace = hl_fit_trace (self, k);
    for (int i = 0; i < trace.n; i++) {
      double cells[] = {trace.t[i], trace.measured[i], found->model[trace.first + i],
                        found->residual[trace.first + i], trace.weight};
      hl_table_append_text (text, trace.file);
      g_string_append_c (text, ',');
      hl_table_append_text (text, trace.trace);
      g_string_append_c (text, ',');
      hl_table_append_numbers (text, cells, (int)G_N_ELEMENTS (cells));
    }
  }
  return g_string_free (text, FALSE);
}
