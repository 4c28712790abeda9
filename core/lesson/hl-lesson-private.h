/* SPDX-License-Identifier: MIT */
/* What the reader of lessons shares with their tasks. */
#pragma once

#include "core/lesson/hl-lesson.h"

/* New, empty; owned by the lesson that gets it. */
HlLessonStep *hl_lesson_step_new (const char *title, int line);
void hl_lesson_step_free (gpointer step);
void hl_lesson_act_free (gpointer act);

/* One line of a fence, "KEY: VALUE", into the step; `fence` is its first word. What is wrong is added
 * to the problems. */
void hl_lesson_read_key (HlLessonStep *step,
                         const char *fence,
                         const char *key,
                         const char *value,
                         int line,
                         GPtrArray *problems);
/* A fence begins: whether there is one of that name, and the step may have it. */
void hl_lesson_begin_fence (HlLessonStep *step, const char *fence, int line, GPtrArray *problems);
/* A step is complete: whether its task has all that it needs. */
void hl_lesson_end_step (const HlLessonStep *step, GPtrArray *problems);
