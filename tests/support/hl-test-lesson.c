/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-test-lesson.h"

double hl_test_lesson_value (const HlLessonValues *bench, const char *formula) {
  g_autoptr (GError) error = NULL;
  HlFormulaValue number;

  if (!hl_formula_evaluate_words (formula, hl_lesson_values_words (bench), &number, NULL, &error))
    g_error ("%s: %s", formula, error->message);
  return number.value;
}
