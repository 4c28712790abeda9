/* SPDX-License-Identifier: MIT */
/* Checks the steps in their order with the model as the lesson itself changes it. A condition can never hold
 * if it compares a word with an impossible one, contains nothing of the model, or has two parts that exclude
 * each other; other errors appear when its solution is tried (hl_lesson_check ()). */
#include "core/lesson/hl-lesson-static-check.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-json-text.h"
#include "core/lesson/hl-lesson-markup.h"
#include "core/lesson/hl-lesson.h"

typedef struct {
  HlLessonValues *bench; /* looks only */
  HlDocument *document;
  GHashTable *locked; /* char * paths */
  GPtrArray *problems;
  int line; /* of the text that is visited */
} Verifier;

HlDocument *hl_lesson_open_model (const HlLesson *lesson, GPtrArray *problems) {
  g_autofree char *path = hl_lesson_model_path (lesson);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (path, &error);

  if (document == NULL)
    hl_lesson_problem_add (problems, lesson->model_line, _ ("the model cannot be opened: %s"),
                           error->message);
  return document;
}

gboolean hl_lesson_unit (const char *unit, double *factor, HlDimension *dimension) {
  HlFormulaValue value;

  *factor = 1;
  *dimension = (HlDimension){0};
  if (unit == NULL || strcmp (unit, "%") == 0) {
    *factor = unit == NULL ? 1 : 0.01;
    return TRUE;
  }
  g_autofree char *one = g_strconcat ("1 ", unit, NULL);
  if (!hl_formula_evaluate (*unit == '1' ? unit : one, /* "1/s" */ NULL, NULL, &value, NULL, NULL))
    return FALSE;
  *factor = value.value;
  *dimension = value.dimension;
  return TRUE;
}

char *hl_lesson_split_unit (const char *text, char **unit) {
  const char *bar = strchr (text, '|');

  *unit = bar != NULL ? g_strstrip (g_strdup (bar + 1)) : NULL;
  return g_strstrip (bar != NULL ? g_strndup (text, (gsize)(bar - text)) : g_strdup (text));
}

/* --- conditions --- */

/* Returns whether the text is a single word, "eig.damping (2)". */
static gboolean is_single_word (const char *text) {
  gsize n = 0;
  int depth = 0;

  if (*text == '"')
    return strchr (text + 1, '"') == text + strlen (text) - 1;
  while (g_ascii_isalnum (text[n]) || text[n] == '_' || text[n] == '.')
    n++;
  if (n == 0 || g_ascii_isdigit (*text))
    return FALSE;
  while (text[n] == ' ')
    n++;
  if (text[n] == '\0')
    return TRUE;
  for (; text[n] != '\0'; n++) {
    depth += text[n] == '(' ? 1 : text[n] == ')' ? -1 : 0;
    if (depth == 0)
      return text[n] == ')' && text[n + 1] == '\0';
  }
  return FALSE;
}

typedef struct {
  double low, high;
  gboolean is_constant;
} Range;

static gboolean range_of (Verifier *v, const char *sum, Range *range, GError **error) {
  int n;

  if (!hl_lesson_values_range (v->bench, sum, &n, &range->low, &range->high, error))
    return FALSE;
  range->is_constant = n == 0;
  if (n > 1 || (n == 1 && !is_single_word (sum))) {
    range->low = -INFINITY;
    range->high = INFINITY;
  }
  return TRUE;
}

/* Returns whether numbers of two ranges can compare so. */
static gboolean can_compare (HlCompareSign sign, const Range *a, const Range *b, double band) {
  switch (sign) {
  case HL_COMPARE_LESS:
    return a->low < b->high;
  case HL_COMPARE_LESS_EQUAL:
    return a->low <= b->high;
  case HL_COMPARE_GREATER:
    return a->high > b->low;
  case HL_COMPARE_GREATER_EQUAL:
    return a->high >= b->low;
  case HL_COMPARE_EQUAL:
    return a->low <= b->high + band && a->high >= b->low - band;
  case HL_COMPARE_UNEQUAL:
  default:
    return TRUE;
  }
}

/* Returns the range in which a word must be for a comparison with a constant to hold. */
static Range demanded (const HlCondition *c, double right, double band) {
  switch (c->sign) {
  case HL_COMPARE_LESS:
  case HL_COMPARE_LESS_EQUAL:
    return (Range){-INFINITY, right, FALSE};
  case HL_COMPARE_GREATER:
  case HL_COMPARE_GREATER_EQUAL:
    return (Range){right, INFINITY, FALSE};
  case HL_COMPARE_EQUAL:
    return (Range){right - band, right + band, FALSE};
  case HL_COMPARE_UNEQUAL:
  default:
    return (Range){-INFINITY, INFINITY, FALSE};
  }
}

static double band_of (const HlCondition *c, double right) {
  HlFormulaValue band = {0};

  if (c->band == NULL || !hl_formula_evaluate (c->band, NULL, NULL, &band, NULL, NULL))
    return c->band == NULL ? 0 : INFINITY;
  return c->is_relative ? 0.01 * fabs (band.value * right) : fabs (band.value);
}

/* Returns whether two parts of an `and` require the same word in two places. */
static gboolean exclude_each_other (Verifier *v, const HlCondition *a, const HlCondition *b) {
  Range one, other;

  if (a->kind != HL_CONDITION_COMPARE || b->kind != HL_CONDITION_COMPARE || strcmp (a->left, b->left) != 0 ||
      !range_of (v, a->right, &one, NULL) || !one.is_constant || !range_of (v, b->right, &other, NULL) ||
      !other.is_constant)
    return FALSE;
  Range first = demanded (a, one.low, band_of (a, one.low));
  Range second = demanded (b, other.low, band_of (b, other.low));
  return first.low > second.high || second.low > first.high;
}

static gboolean can_hold (Verifier *v, const HlCondition *c, gboolean *is_constant, GError **error) {
  gboolean any = FALSE, all = TRUE;

  if (c->kind == HL_CONDITION_COMPARE) {
    Range left, right;
    if (!range_of (v, c->left, &left, error) || !range_of (v, c->right, &right, error))
      return FALSE;
    *is_constant = *is_constant && left.is_constant && right.is_constant;
    return can_compare (c->sign, &left, &right, band_of (c, right.low));
  }
  for (guint k = 0; k < c->parts->len; k++) {
    gboolean part = can_hold (v, c->parts->pdata[k], is_constant, error);
    if (*error != NULL)
      return FALSE;
    any = any || part;
    all = all && part;
    for (guint j = 0; c->kind == HL_CONDITION_AND && j < k; j++)
      all = all && !exclude_each_other (v, c->parts->pdata[j], c->parts->pdata[k]);
  }
  return c->kind == HL_CONDITION_NOT || (c->kind == HL_CONDITION_OR ? any : all);
}

/* Verifies a condition; must: it has to hold at some time. */
static void verify_condition (Verifier *v, const HlCondition *condition, const char *text, int line,
                              gboolean must) {
  g_autoptr (GError) error = NULL;
  gboolean holds, is_constant = TRUE;
  gboolean can = can_hold (v, condition, &is_constant, &error);

  if (error != NULL || !hl_condition_evaluate (condition, hl_lesson_values_words (v->bench), &holds, &error))
    hl_lesson_problem_add (v->problems, line, "%s", error->message);
  else if (is_constant)
    hl_lesson_problem_add (v->problems, line, _ ("‘%s’ does not depend on the model"), text);
  else if (must && !can)
    hl_lesson_problem_add (v->problems, line, _ ("‘%s’ can never be true"), text);
}

/* --- acts --- */

static void expect (Verifier *v, const HlLessonAct *act) {
  if (act->kind == HL_LESSON_RUN) {
    hl_lesson_values_expect_run (v->bench, NULL);
    if (act->name != NULL)
      hl_lesson_values_expect_run (v->bench, act->name);
  }
  if (act->kind == HL_LESSON_FAULT)
    hl_lesson_values_expect_fault (v->bench, act->name);
}

/* Verifies a path that an act names; its number must be settable. */
static gboolean verify_path (Verifier *v, const HlLessonAct *act) {
  g_autoptr (GError) error = NULL;
  HlPathInfo info;

  if (!hl_path_find (v->document, act->path, &info, &error))
    hl_lesson_problem_add (v->problems, act->line, "%s", error->message);
  else if (info.type == HL_PATH_OUTPUT)
    hl_lesson_problem_add (v->problems, act->line, _ ("‘%s’ is not a number that can be set"), act->path);
  else
    return TRUE;
  return FALSE;
}

/* Verifies that plots can show the traces. */
static void verify_traces (Verifier *v, const HlLessonAct *act) {
  g_auto (GStrv) names = g_strsplit_set (act->value, " ,", -1);
  double low, high;
  int n;

  for (int k = 0; names[k] != NULL; k++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *first = g_strdup_printf ("first (\"%s\")", names[k]);
    if (*names[k] != '\0' && strcmp (names[k], HL_LESSON_ENERGIES) != 0 &&
        !hl_lesson_values_range (v->bench, first, &n, &low, &high, &error))
      hl_lesson_problem_add (v->problems, act->line, "%s", error->message);
  }
}

/* Verifies that this step or an earlier one makes the runs. */
static void verify_overlays (Verifier *v, const GPtrArray *acts) {
  double low, high;
  int n;

  for (guint k = 0; k < acts->len; k++) {
    const HlLessonAct *act = acts->pdata[k];
    g_autoptr (GError) error = NULL;
    g_autofree char *run = g_strdup_printf ("run.time (%s)", act->name);
    if (act->kind == HL_LESSON_OVERLAY && !hl_lesson_values_range (v->bench, run, &n, &low, &high, &error))
      hl_lesson_problem_add (v->problems, act->line, "%s", error->message);
  }
}

static void verify_acts (Verifier *v, const GPtrArray *acts, gboolean by_student) {
  for (guint k = 0; k < acts->len; k++) {
    const HlLessonAct *act = acts->pdata[k];
    g_autoptr (GError) error = NULL;
    expect (v, act);
    if (act->path != NULL && !verify_path (v, act))
      continue;
    if (by_student && act->kind == HL_LESSON_SET && g_hash_table_contains (v->locked, act->path))
      hl_lesson_problem_add (v->problems, act->line, _ ("the solution sets ‘%s’, which is locked"),
                             act->path);
    if (by_student && act->kind != HL_LESSON_SET && act->kind != HL_LESSON_OIL &&
        act->kind != HL_LESSON_RUN && act->kind != HL_LESSON_DRAW)
      hl_lesson_problem_add (v->problems, act->line,
                             _ ("a solution can set numbers, draw, choose the oil model, and run"));
    if (act->kind == HL_LESSON_LOCK)
      g_hash_table_add (v->locked, act->path);
    if (act->kind == HL_LESSON_UNLOCK)
      g_hash_table_remove (v->locked, act->path);
    if (act->kind == HL_LESSON_TRACES)
      verify_traces (v, act);
    HlDocument *next = hl_lesson_act_apply (act, v->document, &error);
    if (next == NULL) {
      hl_lesson_problem_add (v->problems, act->line, "%s", error->message);
      continue;
    }
    hl_document_unref (v->document);
    v->document = next;
    hl_lesson_values_set_document (v->bench, next);
  }
}

/* --- texts and answers --- */

/* Verifies that a formula agrees with its unit, if one is stated. */
static void verify_formula (Verifier *v, const char *formula, const char *unit, int line) {
  g_autoptr (GError) error = NULL;
  HlFormulaValue value;
  HlDimension dimension;
  double low, high, factor;
  int n;

  if (!hl_lesson_values_range (v->bench, formula, &n, &low, &high, &error)) {
    hl_lesson_problem_add (v->problems, line, "%s", error->message);
    return;
  }
  if (!hl_lesson_unit (unit, &factor, &dimension)) {
    hl_lesson_problem_add (v->problems, line, _ ("there is no unit ‘%s’"), unit);
    return;
  }
  if (unit != NULL &&
      hl_formula_evaluate_words (formula, hl_lesson_values_words (v->bench), &value, NULL, NULL) &&
      !value.is_open && !hl_dimension_agrees (value.dimension, dimension)) {
    g_autofree char *is = hl_dimension_text (value.dimension);
    hl_lesson_problem_add (v->problems, line, _ ("‘%s’ (%s) cannot be given in %s"), formula, is, unit);
  }
}

static void verify_inline (const char *text, gpointer data) {
  Verifier *v = data;
  g_autofree char *unit = NULL;
  g_autofree char *formula = hl_lesson_split_unit (text, &unit);

  verify_formula (v, formula, unit, v->line);
}

static void verify_blocks (Verifier *v, const GPtrArray *blocks) {
  for (guint k = 0; k < blocks->len; k++) {
    const HlLessonBlock *block = blocks->pdata[k];
    v->line = block->line;
    if (block->kind != HL_LESSON_FORMULA)
      hl_lesson_inline_visit (block->text, verify_inline, v);
  }
}

static void verify_reason (Verifier *v, const char *text, int line) {
  v->line = line;
  if (text != NULL)
    hl_lesson_inline_visit (text, verify_inline, v);
}

static void verify_task (Verifier *v, const HlLessonStep *step) {
  if (step->task == HL_LESSON_DO)
    verify_condition (v, step->condition, step->until, step->until_line, TRUE);
  if (step->task == HL_LESSON_DO)
    verify_acts (v, step->solution, TRUE);
  verify_acts (v, step->runs, FALSE);
  if (step->answer != NULL)
    verify_formula (v, step->answer, step->unit, step->answer_line);
  if (step->about != NULL)
    verify_formula (v, step->about, step->unit, step->answer_line);
  for (guint k = 0; k < step->choices->len; k++) {
    const HlLessonChoice *choice = step->choices->pdata[k];
    verify_condition (v, choice->condition, choice->when, choice->line, FALSE);
    verify_reason (v, choice->why, choice->why_line);
  }
  verify_reason (v, step->low, step->reason_line);
  verify_reason (v, step->high, step->reason_line);
  verify_reason (v, step->why, step->reason_line);
  if (step->sketch != NULL) {
    g_autofree char *first = g_strdup_printf ("first (\"%s\")", step->sketch);
    g_autofree char *pair = g_strdup_printf ("%s + (%s)", first, step->from);
    verify_formula (v, first, NULL, step->task_line);
    verify_formula (v, pair, NULL, step->task_line);
  }
}

gboolean hl_lesson_verify (const HlLesson *lesson, const HlDocument *document, GPtrArray **traces,
                           GPtrArray *problems) {
  Verifier v = {.document = hl_document_ref (document),
                .locked = g_hash_table_new (g_str_hash, g_str_equal),
                .problems = problems};
  guint before = problems->len;

  v.bench = hl_lesson_values_new (document);
  hl_lesson_values_look (v.bench);
  for (guint k = 0; k < lesson->steps->len; k++) {
    const HlLessonStep *step = lesson->steps->pdata[k];
    verify_acts (&v, step->setup, FALSE);
    verify_blocks (&v, step->before);
    verify_task (&v, step);
    verify_overlays (&v, step->setup);
    verify_blocks (&v, step->after);
  }
  if (traces != NULL) {
    const GPtrArray *found = hl_lesson_values_traces (v.bench);
    *traces = g_ptr_array_new_with_free_func (g_free);
    for (guint k = 0; k < found->len; k++)
      g_ptr_array_add (*traces, g_strdup (found->pdata[k]));
  }
  hl_lesson_values_free (v.bench);
  hl_document_unref (v.document);
  g_hash_table_unref (v.locked);
  return problems->len == before;
}
