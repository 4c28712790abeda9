/* SPDX-License-Identifier: MIT */
/* Any bytes as the progress of a lesson. A lesson that takes it up can be played to its end and kept again;
 * one that refuses it is as it was. */
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson-report.h"
#include "tests/support/hl-test-document.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static const char lesson_text[] = "---\ntitle: T\nmodel: slider-crank.hydrolink\n---\n# S\nWords.\n"
                                  "```predict\nchoice: a\nif: 1 = 1\nchoice: b\nif: 1 < 1\n```\n# U\nEnd.\n";

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static HlDocument *model;
  g_autofree char *text = size > 0 ? g_strndup ((const char *)data, size) : g_strdup ("");
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (GError) error = NULL;

  if (model == NULL)
    model = hl_test_example ("slider-crank.hydrolink");
  HlLesson *lesson = hl_lesson_parse (lesson_text, strlen (lesson_text), problems);
  g_assert_nonnull (lesson);
  g_autoptr (HlLessonSession) play = hl_lesson_session_new (lesson, hl_document_ref (model), NULL);
  gboolean is_restored = hl_lesson_progress_restore (play, text, &error);
  g_assert_true (is_restored == (error == NULL));
  while (hl_lesson_session_next (play))
    ;
  g_autofree char *kept = hl_lesson_progress_text (play);
  g_assert_true (g_utf8_validate (kept, -1, NULL));
  return 0;
}
