/* SPDX-License-Identifier: MIT */
/* Goes through a lesson without a person: each thing to be done by its own solution, which must make a
 * condition true that was not; each prediction to the answer that comes, against what its author
 * expects. */
#pragma once

#include "core/lesson/hl-lesson-play.h"

typedef struct {
  int step; /* from 0 */
  int line;
  gboolean holds;
  char *text; /* what was found: numbers of the condition, the answer, or what is wrong */
} HlLessonVerdict;

/* Verdicts on every step with a task, and on texts whose numbers cannot be had; HlLessonVerdict, owned
 * by the caller. lesson: taken, verified. document: its model. */
GPtrArray *hl_lesson_check (HlLesson *lesson, const HlDocument *document, GPtrArray *traces);
/* Whether all hold. */
gboolean hl_lesson_verdicts_hold (const GPtrArray *verdicts);
