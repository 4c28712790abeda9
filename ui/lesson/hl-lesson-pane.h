/* SPDX-License-Identifier: MIT */
/* HlLessonPane: a lesson, read from its file, beside its model: text, question (HlLessonQuestion), back and
 * next. It loads the model of the lesson into the workbench, follows the changes there, and evaluates the
 * model in a thread. Signals: "look-at" when the window shall show the panes of hl_lesson_session_view (),
 * "curtain" with whether plots and eigenvalues must be covered because they contain an answer, "notice" with
 * a sentence for the student, "progress" when there is new progress to save. */
#pragma once

#include "core/document/hl-document.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/lesson/hl-lesson-question.h"

#include <gio/gio.h>
#include <gtk/gtk.h>

#define HL_TYPE_LESSON_PANE (hl_lesson_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonPane, hl_lesson_pane, HL, LESSON_PANE, GtkBox)

/* Returns a pane. The session is taken; its model becomes the document of the workbench. */
GtkWidget *hl_lesson_pane_new (HlWorkbench *workbench, HlLessonSession *play);
/* Returns the session. Borrowed. */
HlLessonSession *hl_lesson_pane_play (HlLessonPane *self);
/* Returns the value of the last "curtain". */
gboolean hl_lesson_pane_is_covered (HlLessonPane *self);
/* Returns whether it shows all numbers of the present model: nothing is being worked on. */
gboolean hl_lesson_pane_is_settled (HlLessonPane *self);
/* Notes that the user pressed Run in the window: in a step that only runs it counts as the button of the
 * step. */
void hl_lesson_pane_note_run (HlLessonPane *self);
/* Disconnects from the workbench and cancels requests; before it is taken away. */
void hl_lesson_pane_stop (HlLessonPane *self);

/* Lessons as files of the window: on disk, or among the resources of the program. */

/* Returns the same lesson in the first of the languages ("de_DE", "de") that it is there in: NAME.de.hllesson
 * beside NAME.hllesson; else the file itself. A new reference. */
GFile *hl_lesson_file_translated (GFile *file, const char *const *languages);
/* Reads a lesson and its model; NULL and problems where one of both cannot be. Both owned by the
 * caller. */
HlLesson *hl_lesson_file_read (GFile *file, HlDocument **document, GPtrArray *problems);
gboolean hl_lesson_file_is (GFile *file);
