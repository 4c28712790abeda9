/* SPDX-License-Identifier: MIT */
/* hydrolink lesson check: checks that lessons are complete and that their statements are true. */
#include "app/cli/hl-cli-private.h"
#include "core/base/hl-translation-macros.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson-static-check.h"

#include <string.h>

typedef struct {
  GPtrArray *problems; /* HlLessonProblem */
  GPtrArray *verdicts; /* HlLessonVerdict, NULL: it was not gone through */
  char *title;
  GPtrArray *titles; /* char *: of every step */
  GPtrArray *tasks;  /* const char *: its question */
} Outcome;

static void outcome_clear (Outcome *outcome) {
  g_ptr_array_unref (outcome->problems);
  g_clear_pointer (&outcome->verdicts, g_ptr_array_unref);
  g_ptr_array_unref (outcome->titles);
  g_ptr_array_unref (outcome->tasks);
  g_free (outcome->title);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

/* Compares a translation, NAME.LANGUAGE.hllesson, with its original. */
static void compare_with_original (const char *path, const HlLesson *lesson, GPtrArray *problems) {
  g_autofree char *end = g_strconcat (".", lesson->language, HL_LESSON_SUFFIX, NULL);

  if (!g_str_has_suffix (path, end))
    return;
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (end));
  g_autofree char *original = g_strconcat (stem, HL_LESSON_SUFFIX, NULL);
  g_autoptr (GPtrArray) theirs = hl_lesson_problems_new ();
  g_autoptr (HlLesson) other = hl_lesson_load (original, theirs);
  if (other != NULL)
    hl_lesson_agrees (other, lesson, problems);
  else
    hl_lesson_problem_add (problems, 0, _ ("the original %s cannot be read"), original);
}

static void check_lesson (const char *path, Outcome *outcome) {
  g_autoptr (HlLesson) lesson = hl_lesson_load (path, outcome->problems);
  g_autoptr (GPtrArray) traces = NULL;

  if (lesson == NULL)
    return;
  outcome->title = g_strdup (lesson->title);
  for (guint k = 0; k < lesson->steps->len; k++) {
    const HlLessonStep *step = hl_lesson_step (lesson, (int)k);
    g_ptr_array_add (outcome->titles, g_strdup (step->title));
    g_ptr_array_add (outcome->tasks, (gpointer)hl_lesson_task_name (step->task));
  }
  compare_with_original (path, lesson, outcome->problems);
  g_autoptr (HlDocument) document = hl_lesson_open_model (lesson, outcome->problems);
  if (document == NULL || !hl_lesson_verify (lesson, document, &traces, outcome->problems) ||
      outcome->problems->len > 0)
    return;
  outcome->verdicts = hl_lesson_check (g_steal_pointer (&lesson), document, traces);
}

static void append_outcome (const char *path, const Outcome *outcome, HlAnswer *json, GString *page) {
  hl_answer_open_object (json, NULL);
  hl_answer_string (json, "file", path);
  hl_answer_string (json, "title", outcome->title);
  hl_answer_open_list (json, "problems");
  for (guint k = 0; k < outcome->problems->len; k++) {
    const HlLessonProblem *problem = outcome->problems->pdata[k];
    hl_answer_open_object (json, NULL);
    hl_answer_integer (json, "line", problem->line);
    hl_answer_string (json, "reason", problem->text);
    hl_answer_close (json);
    if (problem->line > 0)
      g_string_append_printf (page, "%s:%d: %s\n", path, problem->line, problem->text);
    else
      g_string_append_printf (page, "%s: %s\n", path, problem->text);
  }
  hl_answer_close (json);
  hl_answer_open_list (json, "steps");
  for (guint k = 0; outcome->verdicts != NULL && k < outcome->verdicts->len; k++) {
    const HlLessonVerdict *verdict = outcome->verdicts->pdata[k];
    const char *title = outcome->titles->pdata[verdict->step];
    hl_answer_open_object (json, NULL);
    hl_answer_integer (json, "step", verdict->step + 1);
    hl_answer_string (json, "title", title);
    hl_answer_string (json, "task", outcome->tasks->pdata[verdict->step]);
    hl_answer_integer (json, "line", verdict->line);
    hl_answer_bool (json, "holds", verdict->holds);
    hl_answer_string (json, "found", verdict->text);
    hl_answer_close (json);
    g_string_append_printf (page, "%s:%d: %s: %s: %s\n", path, verdict->line,
                            verdict->holds ? "holds" : "NOT SATISFIED", title,
                            verdict->text != NULL ? verdict->text : "");
  }
  hl_answer_close (json);
  hl_answer_close (json);
}

static gboolean run (HlCli *cli, GError **error) {
  const char *const *files = hl_cli_texts (cli, HL_CLI_WORDS);
  g_autoptr (HlAnswer) json = hl_answer_new ();
  gboolean is_bad = FALSE, holds = TRUE;

  if (files[0] == NULL || strcmp (files[0], "check") != 0 || files[1] == NULL) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, "write: hydrolink lesson check FILE...");
    return FALSE;
  }
  hl_answer_open_list (json, "lessons");
  for (int k = 1; files[k] != NULL; k++) {
    g_auto (Outcome) outcome = {.problems = hl_lesson_problems_new (),
                                .titles = g_ptr_array_new_with_free_func (g_free),
                                .tasks = g_ptr_array_new ()};
    check_lesson (files[k], &outcome);
    append_outcome (files[k], &outcome, json, hl_answer_page (json));
    is_bad = is_bad || outcome.problems->len > 0;
    holds = holds && (outcome.verdicts == NULL || hl_lesson_verdicts_hold (outcome.verdicts));
  }
  hl_answer_close (json);
  cli->status = is_bad ? HL_CLI_USAGE : holds ? HL_CLI_OK : HL_CLI_FAILED;
  return hl_cli_answer (cli, json, HL_ANSWER_TEXT, error);
}

static const HlCliOption options[] = {
    {"json", NULL, "one JSON object instead of lines", FALSE},
    {"out", "FILE", "write to a file instead of standard output", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_lesson = {
    .name = "lesson",
    .usage = "check FILE... [--json]",
    .summary = "check the tasks and predictions of lessons",
    .text = "Checks lessons (.hllesson): does every task with its own solution, which must not be\n"
            "satisfied before, and compares the answer of the model to every prediction with the answer\n"
            "that the author expects. Reports errors with line and reason. Exit status: 0 all correct,\n"
            "1 a step is wrong, 2 a bad file.",
    .examples = {"hydrolink lesson check why-it-rings.hllesson",
                 "hydrolink lesson check why-it-rings.de.hllesson --json"},
    .options = options,
    .no_file = TRUE,
    .takes_words = TRUE,
    .run = run,
};
