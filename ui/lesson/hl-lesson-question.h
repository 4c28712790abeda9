/* SPDX-License-Identifier: MIT */
/* HlLessonQuestion: the widgets of a step: a number, a choice, a sketch, a run, or a task, and the verdict on
 * an answer. Signals: "predicted" when the session has an answer, "retried" when a wrong answer is withdrawn. */
#pragma once

#include "core/lesson/hl-lesson-session.h"

#include <gtk/gtk.h>

#define HL_TYPE_LESSON_QUESTION (hl_lesson_question_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonQuestion, hl_lesson_question, HL, LESSON_QUESTION, GtkBox)

/* Returns the question of the present step of a session, which is borrowed and outlives it; `t_end` [s] is
 * the end of runs. */
GtkWidget *hl_lesson_question_new (HlLessonSession *play, double t_end);
/* Shows the present result. `is_working`: the model is being computed. */
void hl_lesson_question_refresh (HlLessonQuestion *self, gboolean is_working);

/* HlLessonSketch: a plot on which a curve is drawn by hand, with the pointer or the arrow keys, and
 * over which what came is laid. */

#define HL_TYPE_LESSON_SKETCH (hl_lesson_sketch_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonSketch, hl_lesson_sketch, HL, LESSON_SKETCH, GtkDrawingArea)
