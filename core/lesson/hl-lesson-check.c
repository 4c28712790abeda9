/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-check.h"

#include <math.h>

#include "core/base/hl-i18n.h"
#include "core/lesson/hl-lesson-play-private.h"
#include "core/lesson/hl-lesson-verify.h"
#include "core/lesson/hl-lesson.h"

#define ABOUT 0.05 /* how near to the number that the author states the answer is to be */

typedef struct {
  HlLessonPlay *play;
  GPtrArray *verdicts;
} Checker;

static void verdict_free (gpointer data) {
  HlLessonVerdict *verdict = data;

  g_free (verdict->text);
  g_free (verdict);
}

/* Takes the text. */
static void add (Checker *checker, int line, gboolean holds, char *text) {
  HlLessonVerdict *verdict = g_new0 (HlLessonVerdict, 1);

  *verdict = (HlLessonVerdict){hl_lesson_play_at (checker->play), line, holds, text};
  g_ptr_array_add (checker->verdicts, verdict);
}

/* Asks and answers once; what went wrong, or NULL; owned by the caller. */
static char *ask (Checker *checker) {
  g_autoptr (HlLessonJob) job = hl_lesson_play_ask (checker->play);

  hl_lesson_job_work (job, NULL, NULL);
  char *why = g_strdup (job->why);
  hl_lesson_play_take (checker->play, job);
  return why;
}

static gboolean apply_solution (Checker *checker, const HlLessonStep *step) {
  for (guint k = 0; k < step->solution->len; k++) {
    const HlLessonAct *act = step->solution->pdata[k];
    g_autoptr (GError) error = NULL;
    if (act->kind == HL_LESSON_RUN) {
      if (hl_lesson_bench_run (checker->play->bench, act->value, act->name, checker->play->traces, NULL, NULL,
                               &error) == NULL) {
        add (checker, act->line, FALSE, g_strdup (error->message));
        return FALSE;
      }
      checker->play->serial++;
      continue;
    }
    g_autoptr (HlDocument) next = hl_lesson_act_apply (act, hl_lesson_play_document (checker->play), &error);
    if (next == NULL) {
      add (checker, act->line, FALSE, g_strdup (error->message));
      return FALSE;
    }
    const char *touched;
    hl_document_unref (hl_lesson_play_take_document (checker->play, next, &touched));
    if (touched != NULL) {
      add (checker, act->line, FALSE, g_strdup_printf (_ ("‘%s’ is locked"), touched));
      return FALSE;
    }
  }
  return TRUE;
}

static void check_do (Checker *checker, const HlLessonStep *step) {
  const HlFormulaWords *words;
  gboolean before = FALSE, after = FALSE;
  g_autoptr (GError) error = NULL;

  /* what is not known yet does not hold yet: a run is still to be made */
  words = hl_lesson_bench_words (checker->play->bench);
  hl_condition_evaluate (step->condition, words, &before, NULL);
  g_autofree char *first = hl_condition_numbers (step->condition, words);
  if (before) {
    add (checker, step->until_line, FALSE,
         g_strdup_printf (_ ("‘%s’ holds before anything is done (%s)"), step->until, first));
    return;
  }
  if (!apply_solution (checker, step))
    return;
  words = hl_lesson_bench_words (checker->play->bench);
  gboolean known = hl_condition_evaluate (step->condition, words, &after, &error);
  g_autofree char *last = hl_condition_numbers (step->condition, words);
  if (known && after)
    add (checker, step->until_line, TRUE, g_strdup_printf (_ ("%s; before: %s"), last, first));
  else
    add (checker, step->until_line, FALSE,
         g_strdup_printf (_ ("‘%s’ does not hold after its solution: %s"), step->until,
                          known ? last : error->message));
}

/* Against what the author expects, where that is stated. */
static void check_number (Checker *checker, const HlLessonStep *step, const HlLessonRecord *record) {
  g_autofree char *came = hl_lesson_number_text (step, record->answer);
  double expected = record->answer;

  if (step->about != NULL && !hl_lesson_read_number (step, step->about, &expected, NULL))
    expected = NAN;
  gboolean holds = fabs (record->answer - expected) <= ABOUT * fabs (expected);
  add (checker, step->answer_line, holds,
       holds ? g_steal_pointer (&came)
             : g_strdup_printf (_ ("the answer is %s, not about %s"), came, step->about));
}

/* Any prediction will do: what counts is what comes. */
static void predict (Checker *checker, const HlLessonStep *step) {
  static const double t[] = {0, 1}, values[] = {0, 0};

  if (step->task == HL_LESSON_NUMBER)
    hl_lesson_play_predict_number (checker->play, "0", NULL);
  else if (step->task == HL_LESSON_CHOICE)
    hl_lesson_play_predict_choice (checker->play, 0);
  else if (step->task == HL_LESSON_CURVE)
    hl_lesson_play_predict_sketch (checker->play, t, values, G_N_ELEMENTS (t));
  else
    hl_lesson_play_watch (checker->play);
}

static void check_prediction (Checker *checker, const HlLessonStep *step) {
  predict (checker, step);
  g_autofree char *why = ask (checker);
  const HlLessonRecord *record = hl_lesson_play_record (checker->play, hl_lesson_play_at (checker->play));
  gboolean is_curve = step->task == HL_LESSON_CURVE && !isfinite (record->answer);

  if (!record->is_done)
    add (checker, step->task_line, FALSE, g_strdup (why));
  else if (is_curve)
    add (checker, step->task_line, FALSE,
         g_strdup_printf (_ ("‘%s’ does not change in the run"), step->sketch));
  else if (step->task == HL_LESSON_NUMBER)
    check_number (checker, step, record);
  else
    add (checker, step->task_line, TRUE, hl_lesson_answer_text (step, record));
}

/* The numbers in the texts of the step, when all is done. */
static void check_texts (Checker *checker, const HlLessonStep *step) {
  HlLessonRecord *record = checker->play->records->pdata[hl_lesson_play_at (checker->play)];

  record->is_done = TRUE; /* goes on, whatever was wrong */
  g_autofree char *why = ask (checker);
  if (why != NULL && step->task != HL_LESSON_DO)
    add (checker, step->line, FALSE, g_steal_pointer (&why));
}

GPtrArray *hl_lesson_check (HlLesson *lesson, const HlDocument *document, GPtrArray *traces) {
  g_autoptr (HlLessonPlay) play = hl_lesson_play_new (lesson, hl_document_ref (document), traces);
  Checker checker = {play, g_ptr_array_new_with_free_func (verdict_free)};

  do {
    const HlLessonStep *step = hl_lesson_play_step (play);
    const HlLessonRecord *record = hl_lesson_play_record (play, hl_lesson_play_at (play));
    if (record->why != NULL)
      add (&checker, step->line, FALSE, g_strdup (record->why));
    if (step->task == HL_LESSON_DO)
      check_do (&checker, step);
    else if (step->task != HL_LESSON_READ)
      check_prediction (&checker, step);
    check_texts (&checker, step);
  } while (hl_lesson_play_next (play));
  return checker.verdicts;
}

gboolean hl_lesson_verdicts_hold (const GPtrArray *verdicts) {
  for (guint k = 0; k < verdicts->len; k++)
    if (!((HlLessonVerdict *)verdicts->pdata[k])->holds)
      return FALSE;
  return TRUE;
}
