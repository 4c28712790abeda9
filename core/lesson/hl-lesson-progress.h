/* SPDX-License-Identifier: MIT */
/* Progress of a lesson as a text: what was done and predicted, and the model as the student left it.
 * JSON, by numbers of steps; a lesson that has other steps by now begins anew. */
#pragma once

#include "core/lesson/hl-lesson-play.h"

/* Owned by the caller. */
char *hl_lesson_progress_text (const HlLessonPlay *play);
/* Goes on from a text, for a play that is new. FALSE, and it stays new, when the text is none or is of
 * another lesson. */
gboolean hl_lesson_progress_restore (HlLessonPlay *play, const char *text, GError **error);
