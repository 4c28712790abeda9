/* SPDX-License-Identifier: MIT */
/* HlLessonSketch: a plot on which a curve is drawn by hand, with the pointer or the arrow keys, and
 * over which what came is laid. */
#pragma once

#include "core/lesson/hl-lesson-play.h"

#include <gtk/gtk.h>

#define HL_TYPE_LESSON_SKETCH (hl_lesson_sketch_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonSketch, hl_lesson_sketch, HL, LESSON_SKETCH, GtkDrawingArea)

/* For the present step of a play, which is lent and outlives it; `t_end` [s] is where the run ends. A
 * step that is predicted shows what was drawn and what came. */
GtkWidget *hl_lesson_sketch_new (HlLessonPlay *play, double t_end);
/* The curve into the play; FALSE: nothing has been drawn. */
gboolean hl_lesson_sketch_take (HlLessonSketch *self);
