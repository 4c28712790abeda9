/* SPDX-License-Identifier: MIT */
/* HlLessonPane: a lesson, read from its file, beside its model: text, question (HlLessonQuestion), back and
 * next. It gives the workbench the model of the lesson, follows what is done there, and asks the model in a
 * thread of its own. Signals: "look-at" with what of the window a step wants to be seen, "curtain" with
 * whether plots and eigenvalues are to be covered because they would tell an answer, "notice" with a
 * sentence for the student, "progress" when there is something new to keep. */
#pragma once

#include "core/document/hl-document.h"
#include "core/lesson/hl-lesson-play.h"
#include "core/lesson/hl-lesson.h"
#include "ui/bench/hl-workbench.h"

#include <gio/gio.h>
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

/* HlLessonQuestion: what a step asks, as widgets: a number, a choice, a sketch, a run, or what is to be
 * done. "predicted" says that the play has got an answer. */

#define HL_TYPE_LESSON_QUESTION (hl_lesson_question_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonQuestion, hl_lesson_question, HL, LESSON_QUESTION, GtkBox)

/* HlLessonSketch: a plot on which a curve is drawn by hand, with the pointer or the arrow keys, and
 * over which what came is laid. */

#define HL_TYPE_LESSON_SKETCH (hl_lesson_sketch_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonSketch, hl_lesson_sketch, HL, LESSON_SKETCH, GtkDrawingArea)

/* Lessons as files of the window: on disk, or among the resources of the program. */

/* The same lesson in the first of the languages ("de_DE", "de") that it is there in: NAME.de.hllesson
 * beside NAME.hllesson; else the file itself. A new reference. */
GFile *hl_lesson_file_translated (GFile *file, const char *const *languages);
/* Reads a lesson and its model; NULL and problems where one of both cannot be. Both owned by the
 * caller. */
HlLesson *hl_lesson_file_read (GFile *file, HlDocument **document, GPtrArray *problems);
gboolean hl_lesson_file_is (GFile *file);
