/* SPDX-License-Identifier: MIT */
/* Report of a lesson for student and teacher: each step with the prediction and the result. */
#pragma once

#include "core/lesson/hl-lesson-session.h"

/* Plain text, and one page of HTML without pictures but for sketches, which are laid over what came.
 * Owned by the caller. */
char *hl_lesson_report_text (HlLessonSession *play);
char *hl_lesson_report_html (HlLessonSession *play);
/* How many steps are done, *n_done, and how many predictions were correct at the first try, *n_hits, of those made,
 * *n_predicted. */
void hl_lesson_count (const HlLessonSession *play, int *n_done, int *n_predicted, int *n_hits);
