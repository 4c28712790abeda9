/* SPDX-License-Identifier: MIT */
/* What became of a lesson, for the student and the teacher: each step with what was predicted and what
 * came. */
#pragma once

#include "core/lesson/hl-lesson-play.h"

/* Plain text, and one page of HTML without pictures but for sketches, which are laid over what came.
 * Owned by the caller. */
char *hl_lesson_report_text (HlLessonPlay *play);
char *hl_lesson_report_html (HlLessonPlay *play);
/* How many steps are done, *n_done, and how many predictions came true, *n_hits, of those made,
 * *n_predicted. */
void hl_lesson_count (const HlLessonPlay *play, int *n_done, int *n_predicted, int *n_hits);
