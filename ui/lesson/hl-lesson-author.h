/* SPDX-License-Identifier: MIT */
/* HlLessonAuthor: the pane in which a lesson is recorded beside its model: changes and runs become steps, and
 * the author types a title, a text and a condition for each. */
#pragma once

#include "core/lesson/hl-lesson-draft.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_LESSON_AUTHOR (hl_lesson_author_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonAuthor, hl_lesson_author, HL, LESSON_AUTHOR, GtkBox)

/* Records from now on what is done to the model of the workbench. */
GtkWidget *hl_lesson_author_new (HlWorkbench *workbench);
HlLessonDraft *hl_lesson_author_draft (HlLessonAuthor *self); /* borrowed */
const char *hl_lesson_author_title (HlLessonAuthor *self);    /* as typed; borrowed */
/* Returns whether something was recorded or typed since it was marked saved. */
gboolean hl_lesson_author_is_modified (HlLessonAuthor *self);
void hl_lesson_author_mark_saved (HlLessonAuthor *self);
/* Shows a sentence at the lower edge. */
void hl_lesson_author_set_notice (HlLessonAuthor *self, const char *text);
/* Notes that the user pressed Run; runs that the window makes by itself after a change are no step. */
void hl_lesson_author_note_run (HlLessonAuthor *self);
/* Stops recording, before the widget is removed. */
void hl_lesson_author_stop (HlLessonAuthor *self);
