/* SPDX-License-Identifier: MIT */
/* What stands in the fences of a lesson: setup, do, predict, run. */
#include <math.h>
#include <string.h>

#include "core/base/hl-i18n.h"
#include "core/base/hl-unit.h"
#include "core/help/hl-term.h"
#include "core/lesson/hl-lesson-private.h"
#include "core/system/hl-oil-model.h"

#define MOST_ENTRIES 100 /* acts or choices of a step */

/* What of the window a lesson may show. */
static const char *const panes[] = {"circuit", "linkage", "plots", "locus", "properties", NULL};

static const struct
{
  const char *key;
  HlLessonActKind kind;
  gboolean has_name, has_path, has_value; /* in this order; a value is the rest of the line */
} acts[] = {
    {"set", HL_LESSON_SET, FALSE, TRUE, TRUE},    {"oil", HL_LESSON_OIL, TRUE, FALSE, FALSE},
    {"lock", HL_LESSON_LOCK, FALSE, TRUE, FALSE}, {"unlock", HL_LESSON_UNLOCK, FALSE, TRUE, FALSE},
    {"hide", HL_LESSON_HIDE, FALSE, TRUE, FALSE}, {"unhide", HL_LESSON_UNHIDE, FALSE, TRUE, FALSE},
    {"fault", HL_LESSON_FAULT, TRUE, TRUE, TRUE}, {"mend", HL_LESSON_MEND, TRUE, FALSE, FALSE},
    {"show", HL_LESSON_SHOW, TRUE, FALSE, FALSE},
};

/* The next word of a text, owned; moves on. NULL at its end. */
static char *
next_word (const char **c)
{
  const char *start = *c + strspn (*c, " ");
  gsize length = strcspn (start, " ");

  *c = start + length + strspn (start + length, " ");
  return length > 0 ? g_strndup (start, length) : NULL;
}

/* "[OIL] [as NAME]" */
static HlLessonAct *
read_run (const char *text, int line, GPtrArray *problems)
{
  HlLessonAct *act = g_new0 (HlLessonAct, 1);
  g_autofree char *word = next_word (&text);

  act->kind = HL_LESSON_RUN;
  act->line = line;
  if (word != NULL && strcmp (word, "as") != 0) {
    if (hl_oil_model_find (word) == NULL)
      hl_lesson_problem_add (problems, line, _ ("there is no model of the oil ‘%s’"), word);
    act->value = g_steal_pointer (&word);
    word = next_word (&text);
  }
  if (word != NULL && strcmp (word, "as") == 0)
    act->name = next_word (&text);
  if ((word != NULL && (act->name == NULL || !hl_formula_is_name (act->name))) || *text != '\0')
    hl_lesson_problem_add (problems, line, _ ("a run is written as: run: [OIL] [as NAME]"));
  return act;
}

static void
check_act (const HlLessonAct *act, GPtrArray *problems)
{
  if (act->kind == HL_LESSON_OIL && hl_oil_model_find (act->name) == NULL)
    hl_lesson_problem_add (problems, act->line, _ ("there is no model of the oil ‘%s’"), act->name);
  if (act->kind == HL_LESSON_SHOW && !g_strv_contains (panes, act->name))
    hl_lesson_problem_add (problems, act->line,
                           _ ("‘%s’ cannot be shown; there are circuit, linkage, plots, locus and "
                              "properties"),
                           act->name);
}

/* NULL: the key is none of an act, or it is not complete, which is a problem then. */
static HlLessonAct *
read_act (const char *key, const char *text, int line, GPtrArray *problems)
{
  if (strcmp (key, "run") == 0)
    return read_run (text, line, problems);
  for (guint k = 0; k < G_N_ELEMENTS (acts); k++) {
    if (strcmp (key, acts[k].key) != 0)
      continue;
    HlLessonAct *act = g_new0 (HlLessonAct, 1);
    act->kind = acts[k].kind;
    act->line = line;
    act->name = acts[k].has_name ? next_word (&text) : NULL;
    act->path = acts[k].has_path ? next_word (&text) : NULL;
    act->value = acts[k].has_value && *text != '\0' ? g_strdup (text) : NULL;
    if ((acts[k].has_name && act->name == NULL) || (acts[k].has_path && act->path == NULL) ||
        (acts[k].has_value ? act->value == NULL : *text != '\0')) {
      hl_lesson_problem_add (problems, line, _ ("it is written as: %s:%s%s%s"), key,
                             acts[k].has_name ? " NAME" : "", acts[k].has_path ? " PATH" : "",
                             acts[k].has_value ? " VALUE" : "");
      hl_lesson_act_free (act);
      return NULL;
    }
    check_act (act, problems);
    return act;
  }
  hl_lesson_problem_add (problems, line, _ ("there is no ‘%s’ here"), key);
  return NULL;
}

static void
add_act (GPtrArray *list, HlLessonAct *act, GPtrArray *problems)
{
  if (act == NULL)
    return;
  if (list->len == MOST_ENTRIES)
    hl_lesson_problem_add (problems, act->line, _ ("a step has at most %d of these"), MOST_ENTRIES);
  if (list->len >= MOST_ENTRIES)
    hl_lesson_act_free (act);
  else
    g_ptr_array_add (list, act);
}

/* Into *text, once. */
static void
put_text (char **text, const char *key, const char *value, int line, GPtrArray *problems)
{
  if (*text != NULL)
    hl_lesson_problem_add (problems, line, _ ("‘%s’ stands here twice"), key);
  else if (*value == '\0')
    hl_lesson_problem_add (problems, line, _ ("nothing stands behind ‘%s’"), key);
  else
    *text = g_strdup (value);
}

static HlCondition *
read_condition (const char *value, int line, GPtrArray *problems)
{
  g_autoptr (GError) error = NULL;
  HlCondition *condition = hl_condition_parse (value, &error);

  if (condition == NULL)
    hl_lesson_problem_add (problems, line, "%s", error->message);
  return condition;
}

/* "10 %", or a number in the unit of the answer. */
static void
read_tolerance (HlLessonStep *step, const char *value, int line, GPtrArray *problems)
{
  char *end;
  double number = g_ascii_strtod (value, &end);

  end += strspn (end, " ");
  step->is_relative = *end == '%';
  step->tolerance = step->is_relative ? 0.01 * number : number;
  if (end == value || !isfinite (number) || number <= 0 ||
      strlen (end) != (step->is_relative ? 1 : 0))
    hl_lesson_problem_add (problems, line,
                           _ ("a tolerance is a number in the unit of the answer, or in %%"));
}

static void
read_choice (HlLessonStep *step, const char *key, const char *value, int line, GPtrArray *problems)
{
  HlLessonChoice *last =
      step->choices->len > 0 ? step->choices->pdata[step->choices->len - 1] : NULL;

  if (strcmp (key, "choice") == 0) {
    if (step->choices->len == MOST_ENTRIES)
      return;
    last = g_new0 (HlLessonChoice, 1);
    last->line = line;
    put_text (&last->text, key, value, line, problems);
    g_ptr_array_add (step->choices, last);
    step->task = HL_LESSON_CHOICE;
  } else if (last == NULL || last->when != NULL)
    hl_lesson_problem_add (problems, line, _ ("‘if’ stands behind a choice, once"));
  else {
    last->when = g_strdup (value);
    last->line = line;
    last->condition = read_condition (value, line, problems);
  }
}

static void
read_predict_key (
    HlLessonStep *step, const char *key, const char *value, int line, GPtrArray *problems)
{
  if (strcmp (key, "answer") == 0) {
    put_text (&step->answer, key, value, line, problems);
    step->answer_line = line;
  } else if (strcmp (key, "unit") == 0)
    put_text (&step->unit, key, value, line, problems);
  else if (strcmp (key, "about") == 0)
    put_text (&step->about, key, value, line, problems);
  else if (strcmp (key, "tolerance") == 0)
    read_tolerance (step, value, line, problems);
  else if (strcmp (key, "choice") == 0 || strcmp (key, "if") == 0)
    read_choice (step, key, value, line, problems);
  else if (strcmp (key, "sketch") == 0) {
    put_text (&step->sketch, key, value, line, problems);
    step->task = HL_LESSON_CURVE;
  } else if (strcmp (key, "plots") == 0) {
    step->is_open = strcmp (value, "open") == 0;
    if (!step->is_open)
      hl_lesson_problem_add (problems, line, _ ("it is written as: plots: open"));
  } else if (strcmp (key, "from") == 0)
    put_text (&step->from, key, value, line, problems);
  else if (strcmp (key, "to") == 0)
    put_text (&step->to, key, value, line, problems);
  else if (strcmp (key, "run") == 0)
    add_act (step->runs, read_run (value, line, problems), problems);
  else
    hl_lesson_problem_add (problems, line, _ ("there is no ‘%s’ in predict"), key);
}

static void
read_do_key (HlLessonStep *step, const char *key, const char *value, int line, GPtrArray *problems)
{
  if (strcmp (key, "until") == 0) {
    put_text (&step->until, key, value, line, problems);
    step->until_line = line;
    if (step->condition == NULL)
      step->condition = read_condition (value, line, problems);
  } else if (strcmp (key, "solution") == 0) {
    g_autofree char *act = next_word (&value);
    if (act == NULL)
      hl_lesson_problem_add (problems, line, _ ("nothing stands behind ‘%s’"), key);
    else
      add_act (step->solution, read_act (act, value, line, problems), problems);
  } else
    hl_lesson_problem_add (problems, line, _ ("there is no ‘%s’ in do"), key);
}

void
hl_lesson_read_key (HlLessonStep *step,
                    const char *fence,
                    const char *key,
                    const char *value,
                    int line,
                    GPtrArray *problems)
{
  if (strcmp (fence, "setup") == 0)
    add_act (step->setup, read_act (key, value, line, problems), problems);
  else if (strcmp (key, "hint") == 0)
    put_text (&step->hint, key, value, line, problems);
  else if (strcmp (fence, "do") == 0)
    read_do_key (step, key, value, line, problems);
  else if (strcmp (fence, "predict") == 0)
    read_predict_key (step, key, value, line, problems);
  else if (strcmp (key, "run") == 0)
    add_act (step->runs, read_run (value, line, problems), problems);
  else
    hl_lesson_problem_add (problems, line, _ ("there is no ‘%s’ in run"), key);
}

void
hl_lesson_begin_fence (HlLessonStep *step, const char *fence, int line, GPtrArray *problems)
{
  static const struct
  {
    const char *name;
    HlLessonTask task;
  } tasks[] = {{"do", HL_LESSON_DO}, {"predict", HL_LESSON_NUMBER}, {"run", HL_LESSON_WATCH}};

  if (strcmp (fence, "setup") == 0)
    return;
  for (guint k = 0; k < G_N_ELEMENTS (tasks); k++) {
    if (strcmp (fence, tasks[k].name) != 0)
      continue;
    if (step->task != HL_LESSON_READ)
      hl_lesson_problem_add (problems, line,
                             _ ("a step has one task; begin another step with a line ‘# TITLE’"));
    step->task = tasks[k].task;
    step->task_line = line;
    return;
  }
  hl_lesson_problem_add (problems, line,
                         _ ("there is no block ‘%s’; there are setup, do, predict and run"), fence);
}

/* Between an answer that is asked as a number and one that is chosen or drawn. */
static void
check_prediction (const HlLessonStep *step, GPtrArray *problems)
{
  int n_kinds = (step->answer != NULL) + (step->choices->len > 0) + (step->sketch != NULL);

  if (n_kinds != 1)
    hl_lesson_problem_add (problems, step->task_line,
                           _ ("a prediction has an answer, or choices, or a sketch"));
  if (step->task == HL_LESSON_CHOICE && step->choices->len < 2)
    hl_lesson_problem_add (problems, step->task_line, _ ("there is only one choice"));
  for (guint k = 0; k < step->choices->len; k++) {
    const HlLessonChoice *choice = step->choices->pdata[k];
    if (choice->when == NULL)
      hl_lesson_problem_add (problems, choice->line,
                             _ ("‘if’ is missing: the condition under which this choice is right"));
  }
  double low, high;
  if (step->task == HL_LESSON_CURVE && !hl_lesson_sketch_range (step, &low, &high))
    hl_lesson_problem_add (
        problems, step->task_line,
        _ ("‘from’ and ‘to’ are missing or wrong: between which values the sketch is drawn"));
  if (step->task == HL_LESSON_CURVE && step->runs->len == 0)
    hl_lesson_problem_add (problems, step->task_line, _ ("nothing is run to be sketched"));
}

void
hl_lesson_end_step (const HlLessonStep *step, GPtrArray *problems)
{
  if (step->task == HL_LESSON_DO && step->until == NULL)
    hl_lesson_problem_add (problems, step->task_line, _ ("‘until’ is missing: what is waited for"));
  if (step->task == HL_LESSON_DO && step->solution->len == 0)
    hl_lesson_problem_add (problems, step->task_line,
                           _ ("‘solution’ is missing: nobody knows that it can be done"));
  if (step->task == HL_LESSON_NUMBER || step->task == HL_LESSON_CHOICE ||
      step->task == HL_LESSON_CURVE)
    check_prediction (step, problems);
  if (step->task == HL_LESSON_WATCH && step->runs->len == 0)
    hl_lesson_problem_add (problems, step->task_line, _ ("‘run’ is missing: what is run"));
}
