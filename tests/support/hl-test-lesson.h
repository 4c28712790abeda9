/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/lesson/hl-lesson-values.h"

/* Returns the value [SI] of a formula over the values of a lesson; fails the test when it has no value. */
double hl_test_lesson_value (const HlLessonValues *bench, const char *formula);
