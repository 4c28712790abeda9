/* SPDX-License-Identifier: MIT */
/* HlLessonPane: a lesson beside its model: text, question, back and next. It gives the workbench the
 * model of the lesson, follows what is done there, and asks the model in a thread of its own. Signals:
 * "look-at" with what of the window a step wants to be seen, "curtain" with
 * whether plots and eigenvalues are to be covered because they would tell an answer, "notice" with a sentence for the student,
 * "progress" when there is something new to keep. */
#pragma once

#include "core/lesson/hl-lesson-play.h"
#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_LESSON_PANE (hl_lesson_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonPane, hl_lesson_pane, HL, LESSON_PANE, GtkBox)

/* The play is taken; its model becomes the document of the workbench. */
GtkWidget *hl_lesson_pane_new (HlWorkbench *workbench, HlLessonPlay *play);
/* Borrowed. */
HlLessonPlay *hl_lesson_pane_play (HlLessonPane *self);
/* What the last "curtain" said. */
gboolean hl_lesson_pane_is_covered (HlLessonPane *self);
/* From now on it follows nothing and asks nothing; before it is taken away. */
void hl_lesson_pane_stop (HlLessonPane *self);
