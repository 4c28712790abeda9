/* SPDX-License-Identifier: MIT */
/* A running lesson: the present step, its tasks, and the values computed for them. */
#include "core/lesson/hl-lesson-session.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-named-parameters.h"
#include "core/io/hl-json-text.h"
#include "core/lesson/hl-lesson-markup.h"
#include "core/lesson/hl-lesson-static-check.h"
#include "core/lesson/hl-lesson.h"

#include <math.h>
#include <string.h>

struct _HlLessonSession {
  HlLesson *lesson;
  HlDocument *document; /* the present state */
  HlDocument *first;    /* as the lesson began */
  HlDocument *model;    /* as the lesson has set it: where locked numbers and ended faults come from */
  HlLessonValues *bench;
  GPtrArray *records; /* HlLessonRecord */
  GPtrArray *traces;  /* char * */
  int at;
  guint serial;       /* counts whatever makes an answer void */
  GHashTable *locked; /* char * paths */
  GHashTable *hidden; /* char * paths */
  GHashTable *faults; /* char * name to char * path */
  GHashTable *before; /* char * path of a fault to the text that stood there */
  GHashTable *values; /* char * formula to char * text, of the present step */
};

struct _HlLessonJob {
  const HlLessonStep *step; /* of the lesson, which outlives it */
  HlLessonValues *bench;
  GPtrArray *traces;
  guint serial;
  gboolean answers; /* the prediction is made or the step is done: results can be shown */
  gboolean runs;    /* and its runs have not been made */
  /* written by hl_lesson_job_work */
  gboolean is_known, holds;
  double answer;
  int right;
  char *why;
  GHashTable *values;
};

#define ABOUT 0.05 /* permitted deviation from the number that the author states */

typedef struct {
  HlLessonSession *play;
  GPtrArray *verdicts;
} Checker;

static void verdict_free (gpointer data) {
  HlLessonVerdict *verdict = data;

  g_free (verdict->text);
  g_free (verdict);
}

/* Takes the text. */
static void add_check (Checker *checker, int line, gboolean holds, char *text) {
  HlLessonVerdict *verdict = g_new0 (HlLessonVerdict, 1);

  *verdict = (HlLessonVerdict){hl_lesson_session_at (checker->play), line, holds, text};
  g_ptr_array_add (checker->verdicts, verdict);
}

/* Runs one question and its answer; returns the error text, or NULL; owned by the caller. */
static char *run_question (Checker *checker) {
  g_autoptr (HlLessonJob) job = hl_lesson_session_new_job (checker->play);

  hl_lesson_job_work (job, NULL, NULL);
  char *why = g_strdup (job->why);
  hl_lesson_session_take (checker->play, job);
  return why;
}

static gboolean apply_solution (Checker *checker, const HlLessonStep *step) {
  for (guint k = 0; k < step->solution->len; k++) {
    const HlLessonAct *act = step->solution->pdata[k];
    g_autoptr (GError) error = NULL;
    if (act->kind == HL_LESSON_RUN) {
      if (hl_lesson_values_run (checker->play->bench, act->value, act->name, checker->play->traces, NULL,
                                NULL, &error) == NULL) {
        add_check (checker, act->line, FALSE, g_strdup (error->message));
        return FALSE;
      }
      checker->play->serial++;
      continue;
    }
    g_autoptr (HlDocument) next =
        hl_lesson_act_apply (act, hl_lesson_session_document (checker->play), &error);
    if (next == NULL) {
      add_check (checker, act->line, FALSE, g_strdup (error->message));
      return FALSE;
    }
    const char *touched;
    hl_document_unref (hl_lesson_session_take_document (checker->play, next, &touched));
    if (touched != NULL) {
      add_check (checker, act->line, FALSE, g_strdup_printf (_ ("‘%s’ is locked"), touched));
      return FALSE;
    }
  }
  return TRUE;
}

static void check_do (Checker *checker, const HlLessonStep *step) {
  const HlFormulaWords *words;
  gboolean before = FALSE, after = FALSE;
  g_autoptr (GError) error = NULL;

  /* a condition on an unknown value does not hold yet: a run is still to be made */
  words = hl_lesson_values_words (checker->play->bench);
  hl_condition_evaluate (step->condition, words, &before, NULL);
  g_autofree char *first = hl_condition_numbers (step->condition, words);
  if (before) {
    add_check (checker, step->until_line, FALSE,
               g_strdup_printf (_ ("‘%s’ is already true before the task (%s)"), step->until, first));
    return;
  }
  if (!apply_solution (checker, step))
    return;
  words = hl_lesson_values_words (checker->play->bench);
  gboolean known = hl_condition_evaluate (step->condition, words, &after, &error);
  g_autofree char *last = hl_condition_numbers (step->condition, words);
  if (known && after)
    add_check (checker, step->until_line, TRUE, g_strdup_printf (_ ("%s; before: %s"), last, first));
  else
    add_check (checker, step->until_line, FALSE,
               g_strdup_printf (_ ("‘%s’ is not true after its solution: %s"), step->until,
                                known ? last : error->message));
}

/* Reads a number and checks it against the expected one, if that is stated. */
static gboolean read_number (const HlLessonStep *step, const char *text, double *si, GError **error);

static char *number_text (const HlLessonStep *step, double si);

static void check_number (Checker *checker, const HlLessonStep *step, const HlLessonRecord *record) {
  g_autofree char *came = number_text (step, record->answer);
  double expected = record->answer;

  if (step->about != NULL && !read_number (step, step->about, &expected, NULL))
    expected = NAN;
  gboolean holds = fabs (record->answer - expected) <= ABOUT * fabs (expected);
  add_check (checker, step->answer_line, holds,
             holds ? g_steal_pointer (&came)
                   : g_strdup_printf (_ ("the answer is %s, not %s"), came, step->about));
}

/* Makes any valid prediction for the check of a lesson, which examines only the result. */
static void predict (Checker *checker, const HlLessonStep *step) {
  static const double t[] = {0, 1}, values[] = {0, 0};

  if (step->task == HL_LESSON_NUMBER)
    hl_lesson_session_predict_number (checker->play, "0", NULL);
  else if (step->task == HL_LESSON_CHOICE)
    hl_lesson_session_predict_choice (checker->play, 0);
  else if (step->task == HL_LESSON_CURVE)
    hl_lesson_session_predict_sketch (checker->play, t, values, G_N_ELEMENTS (t));
  else
    hl_lesson_session_watch (checker->play);
}

static void check_prediction (Checker *checker, const HlLessonStep *step) {
  predict (checker, step);
  g_autofree char *why = run_question (checker);
  const HlLessonRecord *record =
      hl_lesson_session_record (checker->play, hl_lesson_session_at (checker->play));
  gboolean is_curve = step->task == HL_LESSON_CURVE && !isfinite (record->answer);

  if (!record->is_done)
    add_check (checker, step->task_line, FALSE, g_strdup (why));
  else if (is_curve)
    add_check (checker, step->task_line, FALSE,
               g_strdup_printf (_ ("‘%s’ does not change in the run"), step->sketch));
  else if (step->task == HL_LESSON_NUMBER)
    check_number (checker, step, record);
  else
    add_check (checker, step->task_line, TRUE, hl_lesson_answer_text (step, record));
}

/* Checks the numbers in the texts of the step, when all is done. */
static void check_texts (Checker *checker, const HlLessonStep *step) {
  HlLessonRecord *record = checker->play->records->pdata[hl_lesson_session_at (checker->play)];

  record->is_done = TRUE; /* continues, whatever was wrong */
  g_autofree char *why = run_question (checker);
  if (why != NULL && step->task != HL_LESSON_DO)
    add_check (checker, step->line, FALSE, g_steal_pointer (&why));
}

GPtrArray *hl_lesson_check (HlLesson *lesson, const HlDocument *document, GPtrArray *traces) {
  g_autoptr (HlLessonSession) play = hl_lesson_session_new (lesson, hl_document_ref (document), traces);
  Checker checker = {play, g_ptr_array_new_with_free_func (verdict_free)};

  do {
    const HlLessonStep *step = hl_lesson_session_step (play);
    const HlLessonRecord *record = hl_lesson_session_record (play, hl_lesson_session_at (play));
    if (record->why != NULL)
      add_check (&checker, step->line, FALSE, g_strdup (record->why));
    if (step->task == HL_LESSON_DO)
      check_do (&checker, step);
    else if (step->task != HL_LESSON_READ)
      check_prediction (&checker, step);
    check_texts (&checker, step);
  } while (hl_lesson_session_next (play));
  return checker.verdicts;
}

gboolean hl_lesson_verdicts_hold (const GPtrArray *verdicts) {
  for (guint k = 0; k < verdicts->len; k++)
    if (!((HlLessonVerdict *)verdicts->pdata[k])->holds)
      return FALSE;
  return TRUE;
}

#define FORMAT "hydrolink-lesson-progress"
#define MOST_TRIES 10000 /* that a file of progress may state */

/* Returns the record of a step as a value; the model of the present step is stored beside the steps. */
static HlValue *record_value (const HlLessonStep *step, const HlLessonRecord *record, gboolean is_present) {
  gboolean has_model = record->left != NULL && !is_present;
  g_autofree char *left = has_model ? hl_document_to_text (record->left) : NULL;
  const char *keys[] = {"title", "entered",  "done",   "predicted", "number", "choice", "answer",
                        "right", "sketch_t", "sketch", "hit",       "left",   "tries",  "first"};
  HlValue *members[] = {
      hl_value_new_string (step->title),
      hl_value_new_boolean (record->is_entered),
      hl_value_new_boolean (record->is_done),
      hl_value_new_boolean (record->is_predicted),
      isfinite (record->number) ? hl_value_new_number (record->number) : hl_value_new_null (),
      hl_value_new_number (record->choice),
      isfinite (record->answer) ? hl_value_new_number (record->answer) : hl_value_new_null (),
      hl_value_new_number (record->right),
      hl_value_new_numbers ((const double *)(const void *)record->sketch_t->data, record->sketch_t->len),
      hl_value_new_numbers ((const double *)(const void *)record->sketch->data, record->sketch->len),
      hl_value_new_boolean (record->is_hit),
      left != NULL ? hl_value_new_string (left) : hl_value_new_null (),
      hl_value_new_number (record->n_tries),
      hl_value_new_boolean (record->was_hit),
  };

  return hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
}

char *hl_lesson_progress_text (const HlLessonSession *play) {
  const char *keys[] = {"format", "at", "steps", "model", "runs"};
  guint n_steps = play->records->len;
  g_autofree HlValue **steps = g_new (HlValue *, n_steps + 1);
  g_autofree char *model = hl_document_to_text (play->document);
  GString *text = g_string_new (NULL);

  hl_lesson_values_keep_last_run (play->bench, play->at);
  for (guint k = 0; k < n_steps; k++)
    steps[k] =
        record_value (hl_lesson_step (play->lesson, (int)k), play->records->pdata[k], (int)k == play->at);
  HlValue *members[] = {hl_value_new_string (FORMAT), hl_value_new_number (play->at),
                        hl_value_new_array_take (steps, n_steps), hl_value_new_string (model),
                        hl_lesson_values_runs_value (play->bench)};
  g_autoptr (HlValue) whole = hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
  hl_json_write (text, whole);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

/* --- and back --- */

static void read_numbers (const HlValue *list, GArray *out) {
  g_array_set_size (out, 0);
  for (gsize k = 0; k < hl_value_length (list); k++) {
    double number = hl_value_number (hl_value_item (list, k));
    g_array_append_val (out, number);
  }
}

static int read_index (const HlValue *value, int n) {
  double number = hl_value_number (value);

  return number >= 0 && number < n && number == floor (number) ? (int)number : -1;
}

static void read_record (const HlValue *value, const HlLessonStep *step, HlLessonRecord *record) {
  record->is_entered = hl_value_boolean (hl_value_member (value, "entered"));
  record->is_done = hl_value_boolean (hl_value_member (value, "done"));
  record->is_predicted = hl_value_boolean (hl_value_member (value, "predicted"));
  record->is_hit = hl_value_boolean (hl_value_member (value, "hit"));
  record->number = hl_value_number (hl_value_member (value, "number"));
  record->answer = hl_value_number (hl_value_member (value, "answer"));
  const HlValue *tries = hl_value_member (value, "tries");
  record->n_tries = tries != NULL ? MAX (0, read_index (tries, MOST_TRIES)) : record->is_predicted;
  record->was_hit = tries != NULL ? hl_value_boolean (hl_value_member (value, "first")) : record->is_hit;
  const char *left = hl_value_string (hl_value_member (value, "left"));
  record->left = left != NULL ? hl_document_parse (left, strlen (left), NULL, NULL) : NULL;
  record->choice = read_index (hl_value_member (value, "choice"), (int)step->choices->len);
  record->right = read_index (hl_value_member (value, "right"), (int)step->choices->len);
  read_numbers (hl_value_member (value, "sketch_t"), record->sketch_t);
  read_numbers (hl_value_member (value, "sketch"), record->sketch);
  g_array_set_size (record->sketch, MIN (record->sketch->len, record->sketch_t->len));
  g_array_set_size (record->sketch_t, record->sketch->len);
}

/* Returns whether the steps have the same titles; a translation has others, and is another lesson here. */
static gboolean is_of (const HlLessonSession *play, const HlValue *steps) {
  gboolean same = hl_value_length (steps) == play->records->len;

  for (guint k = 0; same && k < play->records->len; k++)
    same = g_strcmp0 (hl_value_string (hl_value_member (hl_value_item (steps, k), "title")),
                      hl_lesson_step (play->lesson, (int)k)->title) == 0;
  return same;
}

static gboolean refuse_progress (GError **error) {
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, _ ("the saved progress belongs to another lesson"));
  return FALSE;
}

static void lesson_play_enter (HlLessonSession *play);

static void keep_left_document (HlLessonSession *play, const HlDocument *document);

static void go_to (HlLessonSession *play, int at);

gboolean hl_lesson_progress_restore (HlLessonSession *play, const char *text, GError **error) {
  g_autoptr (HlValue) whole = hl_json_parse (text, strlen (text), NULL, error);
  const HlValue *steps = hl_value_member (whole, "steps");
  const char *model = hl_value_string (hl_value_member (whole, "model"));
  int at = read_index (hl_value_member (whole, "at"), (int)play->records->len);

  if (whole == NULL)
    return FALSE;
  if (g_strcmp0 (hl_value_string (hl_value_member (whole, "format")), FORMAT) != 0 || at < 0 ||
      model == NULL || !is_of (play, steps))
    return refuse_progress (error);
  g_autoptr (HlDocument) document = hl_document_parse (model, strlen (model), NULL, error);
  if (document == NULL)
    return FALSE;
  for (guint k = 0; k < play->records->len; k++)
    read_record (hl_value_item (steps, k), hl_lesson_step (play->lesson, (int)k), play->records->pdata[k]);
  while (at > 0 && !hl_lesson_session_record (play, at)->is_entered)
    at--;
  hl_lesson_values_read_runs (play->bench, hl_value_member (whole, "runs"));
  play->at = at;
  keep_left_document (play, document);
  go_to (play, at);
  return TRUE;
}

/* The computation of a step. It owns its values, so that another thread can work on it. */

#define DIGITS 4

HlLessonJob *hl_lesson_session_new_job (HlLessonSession *play) {
  HlLessonJob *job = g_new0 (HlLessonJob, 1);
  const HlLessonRecord *record = hl_lesson_session_record (play, play->at);

  job->step = hl_lesson_session_step (play);
  job->bench = hl_lesson_values_copy (play->bench);
  job->traces = play->traces != NULL ? g_ptr_array_ref (play->traces) : NULL;
  job->serial = play->serial;
  job->answers = record->is_predicted || record->is_done;
  job->runs = record->is_predicted && !record->is_done;
  job->answer = NAN;
  job->right = -1;
  job->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return job;
}

void hl_lesson_job_free (HlLessonJob *job) {
  if (job == NULL)
    return;
  hl_lesson_values_free (job->bench);
  if (job->traces != NULL)
    g_ptr_array_unref (job->traces);
  g_free (job->why);
  g_hash_table_unref (job->values);
  g_free (job);
}

static void set_why (HlLessonJob *job, GError *error) {
  if (job->why == NULL)
    job->why = g_strdup (error->message);
  g_error_free (error);
}

/* --- numbers in texts --- */

const char *hl_lesson_unit_symbol (const char *name) {
  const HlUnit *unit = NULL;

  for (HlQuantity quantity = 0; unit == NULL && quantity < HL_N_QUANTITIES; quantity++)
    unit = hl_unit_find (quantity, name);
  return unit != NULL ? unit->symbol : name;
}

/* Returns a number with a unit of the lesson as people write it: "60°" of deg, "15 cm²" of cm2; owned by the caller. */
static char *text_with_unit (double number, const char *name) {
  const char *symbol = hl_lesson_unit_symbol (name);

  return g_strconcat (hl_shown (number, DIGITS).text, g_str_has_prefix (symbol, "°") ? "" : " ", symbol,
                      NULL);
}

/* Returns a value as text, "72.81 Hz", in the requested unit, otherwise in the default one of its quantity. */
static char *value_text (const HlFormulaValue *value, const char *unit) {
  HlQuantity quantity;
  HlDimension dimension;
  double factor;

  if (unit != NULL && hl_lesson_unit (unit, &factor, &dimension))
    return text_with_unit (value->value / factor, unit);
  if (!hl_dimension_is_none (value->dimension) && hl_dimension_quantity (value->dimension, &quantity))
    return hl_unit_format_full (hl_quantity_default_unit (quantity), value->value, DIGITS);
  return g_strdup (hl_shown (value->value, DIGITS).text);
}

static void work_out (const char *text, gpointer data) {
  HlLessonJob *job = data;
  g_autofree char *unit = NULL;
  g_autofree char *formula = hl_lesson_split_unit (text, &unit);
  GError *error = NULL;
  HlFormulaValue value;

  if (hl_formula_evaluate_words (formula, hl_lesson_values_words (job->bench), &value, NULL, &error))
    g_hash_table_insert (job->values, g_strdup (text), value_text (&value, unit));
  else
    set_why (job, error);
}

static void work_on_blocks (HlLessonJob *job, const GPtrArray *blocks) {
  for (guint k = 0; k < blocks->len; k++) {
    const HlLessonBlock *block = blocks->pdata[k];
    if (block->kind != HL_LESSON_FORMULA)
      hl_lesson_inline_visit (block->text, work_out, job);
  }
}

static void work_on_reasons (HlLessonJob *job) {
  const HlLessonStep *step = job->step;
  const char *reasons[] = {step->low, step->high, step->why};

  for (guint k = 0; k < G_N_ELEMENTS (reasons); k++)
    if (reasons[k] != NULL)
      hl_lesson_inline_visit (reasons[k], work_out, job);
  for (guint k = 0; k < step->choices->len; k++) {
    const char *why = ((const HlLessonChoice *)step->choices->pdata[k])->why;
    if (why != NULL)
      hl_lesson_inline_visit (why, work_out, job);
  }
}

/* --- tasks --- */

static void work_on_choices (HlLessonJob *job) {
  for (guint k = 0; k < job->step->choices->len; k++) {
    const HlLessonChoice *choice = job->step->choices->pdata[k];
    GError *error = NULL;
    gboolean holds;
    if (!hl_condition_evaluate (choice->condition, hl_lesson_values_words (job->bench), &holds, &error)) {
      set_why (job, error);
      return;
    }
    if (holds && job->right >= 0) {
      g_free (job->why);
      job->why = g_strdup_printf (_ ("choices %d and %u are both correct"), job->right + 1, k + 1);
      return;
    }
    if (holds)
      job->right = (int)k;
  }
  job->is_known = job->right >= 0;
  if (!job->is_known && job->why == NULL)
    job->why = g_strdup (_ ("no choice is correct"));
}

static void work_on_number (HlLessonJob *job) {
  GError *error = NULL;
  HlFormulaValue value;

  job->is_known = hl_formula_evaluate_words (job->step->answer, hl_lesson_values_words (job->bench), &value,
                                             NULL, &error);
  if (job->is_known)
    job->answer = value.value;
  else
    set_why (job, error);
}

static void work_on_condition (HlLessonJob *job) {
  GError *error = NULL;

  job->is_known =
      hl_condition_evaluate (job->step->condition, hl_lesson_values_words (job->bench), &job->holds, &error);
  if (!job->is_known)
    set_why (job, error);
}

static gboolean make_runs (HlLessonJob *job, bool (*cancel) (void *data), void *cancel_data) {
  for (guint k = 0; k < job->step->runs->len; k++) {
    const HlLessonAct *act = job->step->runs->pdata[k];
    GError *error = NULL;
    if (hl_lesson_values_run (job->bench, act->value, act->name, job->traces, cancel, cancel_data, &error) ==
        NULL) {
      set_why (job, error);
      return FALSE;
    }
  }
  return TRUE;
}

void hl_lesson_job_work (HlLessonJob *job, bool (*cancel) (void *data), void *cancel_data) {
  const HlLessonStep *step = job->step;

  hl_lesson_values_remake_runs (job->bench, job->traces, cancel, cancel_data, NULL);
  work_on_blocks (job, step->before);
  g_clear_pointer (&job->why, g_free); /* of numbers that come later */
  if (step->task == HL_LESSON_DO)
    work_on_condition (job);
  else if (!job->answers)
    return;
  else if (job->runs && !make_runs (job, cancel, cancel_data))
    return;
  else if (step->task == HL_LESSON_NUMBER)
    work_on_number (job);
  else if (step->task == HL_LESSON_CHOICE)
    work_on_choices (job);
  else
    job->is_known = TRUE;
  if (job->answers || job->holds || step->task == HL_LESSON_READ)
    work_on_blocks (job, step->after);
  if (job->answers)
    work_on_reasons (job);
}

#define USUAL_TOLERANCE 0.1 /* of a prediction, where the lesson states none */
#define PER_CENT 100.0

static void record_free (gpointer data) {
  HlLessonRecord *record = data;

  g_array_unref (record->sketch_t);
  g_array_unref (record->sketch);
  hl_document_unref (record->left);
  g_free (record->why);
  g_free (record);
}

static HlLessonRecord *record_new (void) {
  HlLessonRecord *record = g_new0 (HlLessonRecord, 1);

  record->choice = record->right = -1;
  record->number = record->answer = NAN;
  record->sketch_t = g_array_new (FALSE, FALSE, sizeof (double));
  record->sketch = g_array_new (FALSE, FALSE, sizeof (double));
  return record;
}

HlLessonSession *hl_lesson_session_new (HlLesson *lesson, HlDocument *document, GPtrArray *traces) {
  HlLessonSession *play = g_new0 (HlLessonSession, 1);

  play->lesson = lesson;
  play->document = document;
  play->first = hl_document_ref (document);
  play->model = hl_document_ref (document);
  play->bench = hl_lesson_values_new (document);
  play->records = g_ptr_array_new_with_free_func (record_free);
  play->traces = traces != NULL ? g_ptr_array_ref (traces) : NULL;
  play->locked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  play->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  play->faults = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  play->before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  play->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint k = 0; k < lesson->steps->len; k++)
    g_ptr_array_add (play->records, record_new ());
  lesson_play_enter (play);
  return play;
}

void hl_lesson_session_free (HlLessonSession *play) {
  if (play == NULL)
    return;
  hl_lesson_free (play->lesson);
  hl_document_unref (play->document);
  hl_document_unref (play->first);
  hl_document_unref (play->model);
  hl_lesson_values_free (play->bench);
  g_ptr_array_unref (play->records);
  if (play->traces != NULL)
    g_ptr_array_unref (play->traces);
  g_hash_table_unref (play->locked);
  g_hash_table_unref (play->hidden);
  g_hash_table_unref (play->faults);
  g_hash_table_unref (play->before);
  g_hash_table_unref (play->values);
  g_free (play);
}

/* --- where it stands --- */

const HlLesson *hl_lesson_session_lesson (const HlLessonSession *play) {
  return play->lesson;
}

int hl_lesson_session_at (const HlLessonSession *play) {
  return play->at;
}

const HlLessonStep *hl_lesson_session_step (const HlLessonSession *play) {
  return hl_lesson_step (play->lesson, play->at);
}

const HlLessonRecord *hl_lesson_session_record (const HlLessonSession *play, int step) {
  return play->records->pdata[step];
}

static HlLessonRecord *present (HlLessonSession *play) {
  return play->records->pdata[play->at];
}

gboolean hl_lesson_session_is_over (const HlLessonSession *play) {
  for (guint k = 0; k < play->records->len; k++)
    if (!hl_lesson_session_record (play, (int)k)->is_done)
      return FALSE;
  return TRUE;
}

const HlDocument *hl_lesson_session_document (const HlLessonSession *play) {
  return play->document;
}

char **hl_lesson_session_hidden (const HlLessonSession *play) {
  GPtrArray *paths = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, play->hidden);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_ptr_array_add (paths, g_strdup (path));
  g_ptr_array_add (paths, NULL);
  return (char **)g_ptr_array_free (paths, FALSE);
}

HlLessonView hl_lesson_session_view (const HlLessonSession *play) {
  const HlLessonStep *step = hl_lesson_session_step (play);
  HlLessonView view = {.from = NAN, .to = NAN, .target = hl_lesson_target (step)};

  hl_lesson_time_range (step, &view.from, &view.to);
  for (guint k = 0; k < step->setup->len; k++) {
    const HlLessonAct *act = step->setup->pdata[k];
    if (act->kind == HL_LESSON_SHOW)
      view.shown = act->name;
    else if (act->kind == HL_LESSON_LOCUS)
      view.locus = act->path;
    else if (act->kind == HL_LESSON_RESPONSE)
      view.response = strcmp (act->name, "on") == 0;
    else if (act->kind == HL_LESSON_LARGE)
      view.large = act->name;
  }
  return view;
}

/* Changes the document of the session and sends all earlier requests again. */
static void set_document (HlLessonSession *play, HlDocument *document) {
  play->serial++;
  if (document == play->document) {
    hl_document_unref (document);
    return;
  }
  hl_document_unref (play->document);
  play->document = document;
  hl_lesson_values_set_document (play->bench, document);
}

/* --- setup --- */

static char *text_at (const HlDocument *document, const char *path) {
  const char *typed = hl_document_typed (document, path);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double value = 0;

  if (typed != NULL)
    return g_strdup (typed);
  hl_document_get_number (document, path, &value, NULL, NULL);
  return g_strdup (g_ascii_dtostr (number, sizeof number, value));
}

static HlDocument *remove_fault (HlLessonSession *play, const char *name, GError **error) {
  const char *path = g_hash_table_lookup (play->faults, name);

  if (path == NULL)
    return hl_document_ref (play->document);
  HlDocument *mended =
      hl_document_with_text (play->document, path, g_hash_table_lookup (play->before, path), error);
  g_hash_table_remove (play->locked, path);
  g_hash_table_remove (play->hidden, path);
  g_hash_table_remove (play->before, path);
  g_hash_table_remove (play->faults, name);
  hl_lesson_values_set_fault (play->bench, name, FALSE);
  return mended;
}

/* Records an act that does not change the document. */
static void note_act (HlLessonSession *play, const HlLessonAct *act) {
  if (act->kind == HL_LESSON_LOCK || act->kind == HL_LESSON_FAULT)
    g_hash_table_add (play->locked, g_strdup (act->path));
  if (act->kind == HL_LESSON_HIDE || act->kind == HL_LESSON_FAULT)
    g_hash_table_add (play->hidden, g_strdup (act->path));
  if (act->kind == HL_LESSON_UNLOCK)
    g_hash_table_remove (play->locked, act->path);
  if (act->kind == HL_LESSON_UNHIDE)
    g_hash_table_remove (play->hidden, act->path);
  if (act->kind != HL_LESSON_FAULT)
    return;
  if (!g_hash_table_contains (play->before, act->path))
    g_hash_table_insert (play->before, g_strdup (act->path), text_at (play->document, act->path));
  g_hash_table_insert (play->faults, g_strdup (act->name), g_strdup (act->path));
  hl_lesson_values_set_fault (play->bench, act->name, TRUE);
}

/* Performs the setup of the present step, once. */
static void lesson_play_enter (HlLessonSession *play) {
  const HlLessonStep *step = hl_lesson_session_step (play);
  HlLessonRecord *record = present (play);

  g_hash_table_remove_all (play->values);
  play->serial++;
  for (guint k = 0; k < step->setup->len && !record->is_entered; k++) {
    const HlLessonAct *act = step->setup->pdata[k];
    g_autoptr (GError) error = NULL;
    note_act (play, act);
    HlDocument *next = act->kind == HL_LESSON_MEND ? remove_fault (play, act->name, &error)
                                                   : hl_lesson_act_apply (act, play->document, &error);
    if (next != NULL)
      set_document (play, next);
    else if (record->why == NULL)
      record->why = g_strdup (error->message);
  }
  if (!record->is_entered) {
    hl_document_unref (play->model);
    play->model = hl_document_ref (play->document);
  }
  record->is_entered = TRUE;
  record->is_done = record->is_done || step->task == HL_LESSON_READ;
}

static void keep_left_document (HlLessonSession *play, const HlDocument *document) {
  HlLessonRecord *record = present (play);
  HlDocument *left = hl_document_ref (document);

  hl_document_unref (record->left);
  record->left = left;
  hl_lesson_values_keep_last_run (play->bench, play->at);
}

/* Returns to an earlier step, with the model as it was at the end of that step; locks, hidden numbers and faults are
 * those of the setups up to it. */
static void go_to (HlLessonSession *play, int at) {
  GHashTable *tables[] = {play->locked, play->hidden, play->faults, play->before};
  GHashTableIter iter;
  gpointer fault;

  g_hash_table_iter_init (&iter, play->faults);
  while (g_hash_table_iter_next (&iter, &fault, NULL))
    hl_lesson_values_set_fault (play->bench, fault, FALSE);
  for (guint k = 0; k < G_N_ELEMENTS (tables); k++)
    g_hash_table_remove_all (tables[k]);
  set_document (play, hl_document_ref (play->first));
  for (int k = 0; k <= at; k++) {
    HlLessonRecord *record = play->records->pdata[k];
    record->is_entered = FALSE;
    play->at = k;
    lesson_play_enter (play);
    if (record->left != NULL)
      hl_document_unref (hl_lesson_session_take_document (play, record->left, NULL));
  }
  hl_lesson_values_return_last_run (play->bench, at);
}

gboolean hl_lesson_session_next (HlLessonSession *play) {
  if (!present (play)->is_done || play->at + 1 >= (int)play->records->len)
    return FALSE;
  keep_left_document (play, play->document);
  if (hl_lesson_session_record (play, play->at + 1)->is_entered)
    go_to (play, play->at + 1);
  else {
    play->at++;
    lesson_play_enter (play);
  }
  return TRUE;
}

gboolean hl_lesson_session_back (HlLessonSession *play) {
  if (play->at == 0)
    return FALSE;
  keep_left_document (play, play->document);
  go_to (play, play->at - 1);
  return TRUE;
}

/* --- the student --- */

HlDocument *hl_lesson_session_take_document (HlLessonSession *play, const HlDocument *document,
                                             const char **touched) {
  HlDocument *kept = hl_document_ref (document);
  GHashTableIter iter;
  gpointer path;

  if (touched != NULL)
    *touched = NULL;
  g_hash_table_iter_init (&iter, play->locked);
  while (g_hash_table_iter_next (&iter, &path, NULL)) {
    gboolean differs;
    HlDocument *next = hl_lesson_put_back (kept, play->model, path, &differs, NULL);
    if (next == NULL)
      continue; /* the element itself is gone, which undo brings back */
    hl_document_unref (kept);
    kept = next;
    if (differs && touched != NULL)
      *touched = path;
  }
  if (kept != play->document)
    set_document (play, hl_document_ref (kept));
  return kept;
}

void hl_lesson_session_take_run (HlLessonSession *play, HlLessonRun *run) {
  hl_lesson_values_take_run (play->bench, NULL, run);
  play->serial++;
}

HlLessonRun *hl_lesson_session_run (const HlLessonSession *play, const char *name) {
  return hl_lesson_values_find_run (play->bench, name);
}

/* --- predictions --- */

static gboolean may_predict (HlLessonSession *play, HlLessonTask task) {
  return hl_lesson_session_step (play)->task == task && !present (play)->is_predicted;
}

static void predicted (HlLessonSession *play) {
  present (play)->is_predicted = TRUE;
  present (play)->n_tries++;
  play->serial++;
}

/* Reads a typed number as *si, a pure one in the unit of the step. */
static gboolean read_number (const HlLessonStep *step, const char *text, double *si, GError **error) {
  HlFormulaValue value;
  HlDimension dimension;
  double factor = 1;

  hl_lesson_unit (step->unit, &factor, &dimension);
  g_autofree char *typed = hl_formula_from_typed (text);
  if (!hl_formula_evaluate (typed, NULL, NULL, &value, NULL, error))
    return FALSE;
  gboolean is_plain = hl_dimension_is_none (value.dimension) && strchr (typed, '%') == NULL;
  if (!is_plain && !hl_dimension_agrees (value.dimension, dimension)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the answer is a number in %s"),
                 step->unit != NULL ? step->unit : "1");
    return FALSE;
  }
  *si = value.value * (is_plain ? factor : 1);
  return TRUE;
}

gboolean hl_lesson_session_predict_number (HlLessonSession *play, const char *text, GError **error) {
  double number;

  if (!may_predict (play, HL_LESSON_NUMBER)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no question here any more"));
    return FALSE;
  }
  if (!read_number (hl_lesson_session_step (play), text, &number, error))
    return FALSE;
  present (play)->number = number;
  predicted (play);
  return TRUE;
}

gboolean hl_lesson_session_predict_choice (HlLessonSession *play, int choice) {
  if (!may_predict (play, HL_LESSON_CHOICE) || choice < 0 ||
      choice >= (int)hl_lesson_session_step (play)->choices->len)
    return FALSE;
  present (play)->choice = choice;
  predicted (play);
  return TRUE;
}

gboolean hl_lesson_session_predict_sketch (HlLessonSession *play, const double t[], const double values[],
                                           int n) {
  HlLessonRecord *record = present (play);

  if (!may_predict (play, HL_LESSON_CURVE) || n < 2)
    return FALSE;
  for (int k = 0; k < n; k++)
    if (!isfinite (t[k]) || !isfinite (values[k]) || (k > 0 && t[k] <= t[k - 1]))
      return FALSE;
  g_array_set_size (record->sketch_t, 0);
  g_array_set_size (record->sketch, 0);
  g_array_append_vals (record->sketch_t, t, (guint)n);
  g_array_append_vals (record->sketch, values, (guint)n);
  predicted (play);
  return TRUE;
}

void hl_lesson_session_watch (HlLessonSession *play) {
  if (may_predict (play, HL_LESSON_WATCH))
    predicted (play);
}

static gboolean is_prediction (const HlLessonStep *step) {
  return step->task == HL_LESSON_NUMBER || step->task == HL_LESSON_CHOICE || step->task == HL_LESSON_CURVE;
}

gboolean hl_lesson_session_retry (HlLessonSession *play) {
  HlLessonRecord *record = present (play);

  if (!is_prediction (hl_lesson_session_step (play)) || !record->is_done || record->is_hit)
    return FALSE;
  record->is_predicted = record->is_done = FALSE;
  record->choice = record->right = -1;
  record->number = record->answer = NAN;
  play->serial++;
  return TRUE;
}

const char *hl_lesson_session_reason (const HlLessonSession *play) {
  const HlLessonStep *step = hl_lesson_session_step (play);
  const HlLessonRecord *record = hl_lesson_session_record (play, play->at);

  if (!record->is_done || record->is_hit)
    return NULL;
  if (step->task == HL_LESSON_CHOICE)
    return record->choice >= 0 ? ((const HlLessonChoice *)step->choices->pdata[record->choice])->why : NULL;
  return step->task == HL_LESSON_NUMBER  ? (record->number < record->answer ? step->low : step->high)
         : step->task == HL_LESSON_CURVE ? step->why
                                         : NULL;
}

/* --- answers --- */

/* Rms distance of a sketch from what came, over the range of what came; only where both are. NAN: they
 * share no time. */
static double sketch_distance (const HlLessonRecord *record, const HlResults *results, const char *trace) {
  int column = hl_results_find_column (results, trace), n = 0;
  double sum = 0, low, high;
  const double *t = (const double *)(const void *)record->sketch_t->data;
  const double *sketched = (const double *)(const void *)record->sketch->data;

  if (column < 0 || !hl_results_range (results, column, 0, hl_results_n_rows (results), &low, &high))
    return NAN;
  for (guint k = 0; k < record->sketch_t->len; k++) {
    double value = hl_results_value_at (results, column, t[k]);
    if (!isfinite (value))
      continue;
    sum += (value - sketched[k]) * (value - sketched[k]);
    n++;
  }
  return n > 0 && high > low ? sqrt (sum / n) / (high - low) : NAN;
}

static gboolean is_hit (const HlLessonStep *step, const HlLessonRecord *record) {
  double tolerance = isnan (step->tolerance) ? USUAL_TOLERANCE : step->tolerance;
  gboolean relative = isnan (step->tolerance) || step->is_relative;
  HlDimension dimension;
  double factor;

  if (step->task == HL_LESSON_CHOICE)
    return record->choice == record->right;
  if (step->task == HL_LESSON_CURVE)
    return record->answer <= tolerance;
  if (step->task != HL_LESSON_NUMBER || !hl_lesson_unit (step->unit, &factor, &dimension))
    return TRUE;
  return fabs (record->number - record->answer) <= tolerance * (relative ? fabs (record->answer) : factor);
}

static void keep_values (HlLessonSession *play, HlLessonJob *job) {
  GHashTableIter iter;
  gpointer formula, text;

  g_hash_table_remove_all (play->values);
  g_hash_table_iter_init (&iter, job->values);
  while (g_hash_table_iter_next (&iter, &formula, &text))
    g_hash_table_insert (play->values, g_strdup (formula), g_strdup (text));
}

static void complete_step (HlLessonSession *play, const HlLessonJob *job) {
  HlLessonRecord *record = present (play);

  record->is_done = TRUE;
  record->answer = job->answer;
  record->right = job->right;
  if (job->step->task == HL_LESSON_CURVE)
    record->answer = sketch_distance (
        record, hl_lesson_run_results (hl_lesson_values_find_run (play->bench, NULL)), job->step->sketch);
  record->is_hit = is_hit (job->step, record);
  if (record->n_tries <= 1)
    record->was_hit = record->is_hit;
}

gboolean hl_lesson_session_take (HlLessonSession *play, HlLessonJob *job) {
  HlLessonRecord *record = present (play);
  gboolean was_done = record->is_done;

  if (job->serial != play->serial || job->step != hl_lesson_session_step (play))
    return FALSE;
  HlLessonValues *spent = play->bench; /* results of the job need not be computed again */
  play->bench = job->bench;
  job->bench = spent;
  job->serial--; /* it is taken once */
  keep_values (play, job);
  g_free (record->why);
  record->why = g_strdup (job->why);
  if (was_done)
    return FALSE;
  if (job->step->task == HL_LESSON_DO)
    record->is_done = record->is_hit = job->is_known && job->holds;
  else if (job->answers && job->is_known)
    complete_step (play, job);
  return record->is_done;
}

char *hl_lesson_session_value (gpointer play, const char *formula) {
  return g_strdup (g_hash_table_lookup (((HlLessonSession *)play)->values, formula));
}

/* --- words --- */

/* Returns a number of the step in its unit, "72.8 Hz"; owned by the caller. */
static char *number_text (const HlLessonStep *step, double si) {
  HlDimension dimension;
  double factor = 1;

  hl_lesson_unit (step->unit, &factor, &dimension);
  return step->unit != NULL ? text_with_unit (si / factor, step->unit)
                            : g_strdup (hl_shown (si, DIGITS).text);
}

static const char *choice_text (const HlLessonStep *step, int choice) {
  return choice >= 0 && choice < (int)step->choices->len
             ? ((HlLessonChoice *)step->choices->pdata[choice])->text
             : NULL;
}

char *hl_lesson_predicted_text (const HlLessonStep *step, const HlLessonRecord *record) {
  if (!record->is_predicted)
    return NULL;
  if (step->task == HL_LESSON_NUMBER)
    return number_text (step, record->number);
  if (step->task == HL_LESSON_CHOICE)
    return g_strdup (choice_text (step, record->choice));
  return step->task == HL_LESSON_CURVE ? g_strdup (_ ("your sketch")) : NULL;
}

char *hl_lesson_answer_text (const HlLessonStep *step, const HlLessonRecord *record) {
  if (!record->is_done)
    return NULL;
  if (step->task == HL_LESSON_NUMBER)
    return number_text (step, record->answer);
  if (step->task == HL_LESSON_CHOICE)
    return g_strdup (choice_text (step, record->right));
  return step->task == HL_LESSON_CURVE
             ? g_strdup_printf (_ ("mean deviation from the model: %s %% of its range"),
                                hl_shown (PER_CENT * record->answer, 3).text)
             : NULL;
}
