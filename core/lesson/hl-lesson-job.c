/* SPDX-License-Identifier: MIT */
/* What a step asks of the model. It owns a bench of its own, so that another thread may work on it. */
#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/base/hl-unit.h"
#include "core/lesson/hl-lesson-inline.h"
#include "core/lesson/hl-lesson-play-private.h"
#include "core/lesson/hl-lesson-verify.h"

#define DIGITS 4

HlLessonJob *
hl_lesson_play_ask (HlLessonPlay *play)
{
  HlLessonJob *job = g_new0 (HlLessonJob, 1);
  const HlLessonRecord *record = hl_lesson_play_record (play, play->at);

  job->step = hl_lesson_play_step (play);
  job->bench = hl_lesson_bench_copy (play->bench);
  job->traces = play->traces != NULL ? g_ptr_array_ref (play->traces) : NULL;
  job->serial = play->serial;
  job->answers = record->is_predicted || record->is_done;
  job->runs = record->is_predicted && !record->is_done;
  job->answer = NAN;
  job->right = -1;
  job->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return job;
}

void
hl_lesson_job_free (HlLessonJob *job)
{
  if (job == NULL)
    return;
  hl_lesson_bench_free (job->bench);
  if (job->traces != NULL)
    g_ptr_array_unref (job->traces);
  g_free (job->why);
  g_hash_table_unref (job->values);
  g_free (job);
}

static void
set_why (HlLessonJob *job, GError *error)
{
  if (job->why == NULL)
    job->why = g_strdup (error->message);
  g_error_free (error);
}

/* --- numbers in texts --- */

/* "72.81 Hz": in the unit that is asked for, else in the usual one of its kind. */
static char *
shown (const HlFormulaValue *value, const char *unit)
{
  HlQuantity quantity;
  HlDimension dimension;
  double factor;

  if (unit != NULL && hl_lesson_unit (unit, &factor, &dimension))
    return g_strdup_printf ("%s %s", hl_shown (value->value / factor, DIGITS).text, unit);
  if (!hl_dimension_is_none (value->dimension) &&
      hl_dimension_quantity (value->dimension, &quantity))
    return hl_unit_format_full (hl_quantity_default_unit (quantity), value->value, DIGITS);
  return g_strdup (hl_shown (value->value, DIGITS).text);
}

static void
work_out (const char *text, gpointer data)
{
  HlLessonJob *job = data;
  g_autofree char *unit = NULL;
  g_autofree char *formula = hl_lesson_split_unit (text, &unit);
  GError *error = NULL;
  HlFormulaValue value;

  if (hl_formula_evaluate_words (formula, hl_lesson_bench_words (job->bench), &value, NULL, &error))
    g_hash_table_insert (job->values, g_strdup (text), shown (&value, unit));
  else
    set_why (job, error);
}

static void
work_on_blocks (HlLessonJob *job, const GPtrArray *blocks)
{
  for (guint k = 0; k < blocks->len; k++) {
    const HlLessonBlock *block = blocks->pdata[k];
    if (block->kind != HL_LESSON_FORMULA)
      hl_lesson_inline_visit (block->text, work_out, job);
  }
}

/* --- tasks --- */

static void
work_on_choices (HlLessonJob *job)
{
  for (guint k = 0; k < job->step->choices->len; k++) {
    const HlLessonChoice *choice = job->step->choices->pdata[k];
    GError *error = NULL;
    gboolean holds;
    if (!hl_condition_evaluate (choice->condition, hl_lesson_bench_words (job->bench), &holds,
                                &error)) {
      set_why (job, error);
      return;
    }
    if (holds && job->right >= 0) {
      g_free (job->why);
      job->why = g_strdup_printf (_ ("choices %d and %u are both right"), job->right + 1, k + 1);
      return;
    }
    if (holds)
      job->right = (int)k;
  }
  job->is_known = job->right >= 0;
  if (!job->is_known && job->why == NULL)
    job->why = g_strdup (_ ("none of the choices is right"));
}

static void
work_on_number (HlLessonJob *job)
{
  GError *error = NULL;
  HlFormulaValue value;

  job->is_known = hl_formula_evaluate_words (job->step->answer, hl_lesson_bench_words (job->bench),
                                             &value, NULL, &error);
  if (job->is_known)
    job->answer = value.value;
  else
    set_why (job, error);
}

static void
work_on_condition (HlLessonJob *job)
{
  GError *error = NULL;

  job->is_known = hl_condition_evaluate (job->step->condition, hl_lesson_bench_words (job->bench),
                                         &job->holds, &error);
  if (!job->is_known)
    set_why (job, error);
}

static gboolean
make_runs (HlLessonJob *job, bool (*cancel) (void *data), void *cancel_data)
{
  for (guint k = 0; k < job->step->runs->len; k++) {
    const HlLessonAct *act = job->step->runs->pdata[k];
    GError *error = NULL;
    if (hl_lesson_bench_run (job->bench, act->value, act->name, job->traces, cancel, cancel_data,
                             &error) == NULL) {
      set_why (job, error);
      return FALSE;
    }
  }
  return TRUE;
}

void
hl_lesson_job_work (HlLessonJob *job, bool (*cancel) (void *data), void *cancel_data)
{
  const HlLessonStep *step = job->step;

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
}
