/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-i18n.h"
#include "core/io/hl-file-read.h"
#include "core/lesson/hl-lesson-private.h"

static void
problem_free (gpointer data)
{
  HlLessonProblem *problem = data;

  g_free (problem->text);
  g_free (problem);
}

GPtrArray *
hl_lesson_problems_new (void)
{
  return g_ptr_array_new_with_free_func (problem_free);
}

/* What a file has may be endless, and a message repeats it. */
#define MOST_LETTERS 400

void
hl_lesson_problem_add (GPtrArray *problems, int line, const char *format, ...)
{
  HlLessonProblem *problem = g_new0 (HlLessonProblem, 1);
  va_list arguments;

  va_start (arguments, format);
  problem->line = line;
  problem->text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (g_utf8_validate (problem->text, -1, NULL) &&
      g_utf8_strlen (problem->text, -1) > MOST_LETTERS) {
    g_autofree char *begin = g_utf8_substring (problem->text, 0, MOST_LETTERS);
    g_free (problem->text);
    problem->text = g_strconcat (begin, "…", NULL);
  }
  g_ptr_array_add (problems, problem);
}

static void
block_free (gpointer data)
{
  HlLessonBlock *block = data;

  g_free (block->text);
  g_free (block->what);
  g_free (block);
}

void
hl_lesson_act_free (gpointer data)
{
  HlLessonAct *act = data;

  g_free (act->path);
  g_free (act->value);
  g_free (act->name);
  g_free (act);
}

static void
choice_free (gpointer data)
{
  HlLessonChoice *choice = data;

  g_free (choice->text);
  g_free (choice->when);
  hl_condition_free (choice->condition);
  g_free (choice);
}

HlLessonStep *
hl_lesson_step_new (const char *title, int line)
{
  HlLessonStep *step = g_new0 (HlLessonStep, 1);

  step->title = g_strdup (title);
  step->line = line;
  step->before = g_ptr_array_new_with_free_func (block_free);
  step->after = g_ptr_array_new_with_free_func (block_free);
  step->setup = g_ptr_array_new_with_free_func (hl_lesson_act_free);
  step->solution = g_ptr_array_new_with_free_func (hl_lesson_act_free);
  step->runs = g_ptr_array_new_with_free_func (hl_lesson_act_free);
  step->choices = g_ptr_array_new_with_free_func (choice_free);
  step->tolerance = NAN;
  return step;
}

void
hl_lesson_step_free (gpointer data)
{
  HlLessonStep *step = data;

  g_free (step->title);
  g_ptr_array_unref (step->before);
  g_ptr_array_unref (step->after);
  g_ptr_array_unref (step->setup);
  g_ptr_array_unref (step->solution);
  g_ptr_array_unref (step->runs);
  g_ptr_array_unref (step->choices);
  g_free (step->hint);
  g_free (step->until);
  hl_condition_free (step->condition);
  g_free (step->answer);
  g_free (step->unit);
  g_free (step->about);
  g_free (step->sketch);
  g_free (step->from);
  g_free (step->to);
  g_free (step);
}

void
hl_lesson_free (HlLesson *lesson)
{
  if (lesson == NULL)
    return;
  g_free (lesson->title);
  g_free (lesson->model);
  g_free (lesson->language);
  g_free (lesson->about);
  g_free (lesson->time);
  g_free (lesson->folder);
  g_free (lesson->path);
  g_ptr_array_unref (lesson->steps);
  g_free (lesson);
}

HlLesson *
hl_lesson_load (const char *path, GPtrArray *problems)
{
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = hl_file_read (path, HL_LESSON_MAX_BYTES, NULL, NULL, &length, &error);

  if (text == NULL) {
    hl_lesson_problem_add (problems, 0, "%s", error->message);
    return NULL;
  }
  HlLesson *lesson = hl_lesson_parse (text, length, problems);
  if (lesson != NULL) {
    lesson->folder = g_path_get_dirname (path);
    lesson->path = g_strdup (path);
  }
  return lesson;
}

char *
hl_lesson_model_path (const HlLesson *lesson)
{
  return lesson->folder == NULL || g_path_is_absolute (lesson->model)
             ? g_strdup (lesson->model)
             : g_build_filename (lesson->folder, lesson->model, NULL);
}

gboolean
hl_lesson_sketch_range (const HlLessonStep *step, double *low, double *high)
{
  HlFormulaValue from, to;

  if (step->from == NULL || step->to == NULL ||
      !hl_formula_evaluate (step->from, NULL, NULL, &from, NULL, NULL) ||
      !hl_formula_evaluate (step->to, NULL, NULL, &to, NULL, NULL) || !(from.value < to.value) ||
      !hl_dimension_agrees (from.dimension, to.dimension))
    return FALSE;
  *low = from.value;
  *high = to.value;
  return TRUE;
}

const char *
hl_lesson_task_name (HlLessonTask task)
{
  static const char *const names[] = {"read", "do", "number", "choice", "sketch", "run"};

  return names[task];
}

/* --- two languages --- */

static gboolean
acts_agree (const GPtrArray *one, const GPtrArray *other)
{
  gboolean same = one->len == other->len;

  for (guint k = 0; same && k < one->len; k++) {
    const HlLessonAct *a = one->pdata[k], *b = other->pdata[k];
    same = a->kind == b->kind && g_strcmp0 (a->path, b->path) == 0 &&
           g_strcmp0 (a->value, b->value) == 0 && g_strcmp0 (a->name, b->name) == 0;
  }
  return same;
}

static gboolean
choices_agree (const GPtrArray *one, const GPtrArray *other)
{
  gboolean same = one->len == other->len;

  for (guint k = 0; same && k < one->len; k++)
    same = g_strcmp0 (((HlLessonChoice *)one->pdata[k])->when,
                      ((HlLessonChoice *)other->pdata[k])->when) == 0;
  return same;
}

static gboolean
steps_agree (const HlLessonStep *one, const HlLessonStep *other)
{
  gboolean same_tolerance =
      one->tolerance == other->tolerance || (isnan (one->tolerance) && isnan (other->tolerance));

  return one->task == other->task && same_tolerance && one->is_relative == other->is_relative &&
         g_strcmp0 (one->until, other->until) == 0 && g_strcmp0 (one->answer, other->answer) == 0 &&
         g_strcmp0 (one->unit, other->unit) == 0 && g_strcmp0 (one->about, other->about) == 0 &&
         g_strcmp0 (one->sketch, other->sketch) == 0 && g_strcmp0 (one->from, other->from) == 0 &&
         g_strcmp0 (one->to, other->to) == 0 && acts_agree (one->setup, other->setup) &&
         acts_agree (one->solution, other->solution) && acts_agree (one->runs, other->runs) &&
         choices_agree (one->choices, other->choices);
}

gboolean
hl_lesson_agrees (const HlLesson *lesson, const HlLesson *other, GPtrArray *problems)
{
  guint before = problems->len;

  if (strcmp (lesson->model, other->model) != 0)
    hl_lesson_problem_add (problems, other->model_line,
                           _ ("the model is another one than in the original"));
  if (lesson->steps->len != other->steps->len)
    hl_lesson_problem_add (problems, 0, _ ("it has %u steps and the original %u"),
                           other->steps->len, lesson->steps->len);
  for (guint k = 0; k < MIN (lesson->steps->len, other->steps->len); k++)
    if (!steps_agree (hl_lesson_step (lesson, (int)k), hl_lesson_step (other, (int)k)))
      hl_lesson_problem_add (problems, hl_lesson_step (other, (int)k)->line,
                             _ ("step %u differs from the original in more than its words"), k + 1);
  return problems->len == before;
}
