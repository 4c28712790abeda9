/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/lesson/hl-lesson-bench.h"

/* What a formula over the words of a lesson's bench gives [SI]; fails the test when it has no value. */
double hl_test_lesson_value (const HlLessonBench *bench, const char *formula);
