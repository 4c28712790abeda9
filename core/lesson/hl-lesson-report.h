/* SPDX-License-Identifier: MIT */
/* Report of a lesson for student and teacher: each step with the prediction and the result. */
#pragma once

#include "core/lesson/hl-lesson-session.h"

/* Return the report as plain text, and as one page of HTML without pictures except sketches, over the
 * computed curves. Owned by the caller. */
char *hl_lesson_report_text (HlLessonSession *play);
char *hl_lesson_report_html (HlLessonSession *play);
/* Counts completed steps, *n_done, predictions that were correct at the first attempt, *n_hits, and
 * predictions, *n_predicted. */
void hl_lesson_count (const HlLessonSession *play, int *n_done, int *n_predicted, int *n_hits);
