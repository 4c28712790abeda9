/* SPDX-License-Identifier: MIT */
/* Any bytes as a lesson. One that is read is whole: each task has what it needs, texts can be written in
 * every form, and looking at it with a model computes nothing and does not fail; one that is refused
 * says why, by line. */
#include "core/lesson/hl-lesson-markup.h"
#include "core/lesson/hl-lesson-report.h"
#include "core/lesson/hl-lesson-static-check.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void check_problems (const GPtrArray *problems) {
  for (guint k = 0; k < problems->len; k++) {
    const HlLessonProblem *problem = problems->pdata[k];
    g_assert_cmpint (problem->line, >=, 0);
    g_assert_cmpuint (strlen (problem->text), >, 0);
    g_assert_true (g_utf8_validate (problem->text, -1, NULL));
  }
}

static void check_texts (const GPtrArray *blocks) {
  for (guint k = 0; k < blocks->len; k++) {
    const HlLessonBlock *block = blocks->pdata[k];
    if (block->kind == HL_LESSON_FORMULA)
      continue;
    for (HlLessonForm form = HL_LESSON_PLAIN; form <= HL_LESSON_HTML; form++) {
      g_autofree char *text = hl_lesson_inline (block->text, form, NULL, NULL);
      g_assert_true (g_utf8_validate (text, -1, NULL));
    }
  }
}

static void check_lesson (HlLesson *lesson) {
  g_autoptr (HlDocument) document = hl_document_new_empty ();
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();

  for (guint k = 0; k < lesson->steps->len; k++) {
    const HlLessonStep *step = lesson->steps->pdata[k];
    check_texts (step->before);
    check_texts (step->after);
    g_assert_true (step->task != HL_LESSON_DO || step->condition != NULL);
    g_assert_true (step->task != HL_LESSON_NUMBER || step->answer != NULL);
    g_assert_true (step->task != HL_LESSON_CHOICE || step->choices->len > 1);
  }
  hl_lesson_verify (lesson, document, NULL, problems);
  check_problems (problems);
  g_autoptr (HlLessonSession) play = hl_lesson_session_new (lesson, g_steal_pointer (&document), NULL);
  while (hl_lesson_session_next (play))
    ;
  g_autofree char *text = hl_lesson_report_text (play);
  g_autofree char *html = hl_lesson_report_html (play);
  g_assert_true (g_utf8_validate (text, -1, NULL) && g_utf8_validate (html, -1, NULL));
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autofree char *text = size > 0 ? g_strndup ((const char *)data, size) : g_strdup ("");
  HlLesson *lesson = hl_lesson_parse (text, strlen (text), problems);

  g_assert_true ((lesson == NULL) == (problems->len > 0));
  check_problems (problems);
  if (lesson != NULL)
    check_lesson (lesson);
  return 0;
}
