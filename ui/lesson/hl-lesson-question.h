/* SPDX-License-Identifier: MIT */
/* HlLessonQuestion: what a step asks, as widgets: a number, a choice, a sketch, a run, or what is to be
 * done. "predicted" says that the play has got an answer. */
#pragma once

#include "core/lesson/hl-lesson-play.h"

#include <gtk/gtk.h>

#define HL_TYPE_LESSON_QUESTION (hl_lesson_question_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonQuestion, hl_lesson_question, HL, LESSON_QUESTION, GtkBox)

/* Of the present step of a play, which is lent and outlives it; `t_end` [s] is where runs end. */
GtkWidget *hl_lesson_question_new (HlLessonPlay *play, double t_end);
/* What has become of it by now. `is_working`: the model is being asked. */
void hl_lesson_question_refresh (HlLessonQuestion *self, gboolean is_working);

/* HlLessonSketch: a plot on which a curve is drawn by hand, with the pointer or the arrow keys, and
 * over which what came is laid. */

#define HL_TYPE_LESSON_SKETCH (hl_lesson_sketch_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonSketch, hl_lesson_sketch, HL, LESSON_SKETCH, GtkDrawingArea)
