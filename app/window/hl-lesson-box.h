/* SPDX-License-Identifier: MIT */
/* HlLessonBox: the place beside the model for a lesson that is gone through, or for one that is recorded; their files,
 * progress and reports. Signals: "room" before a pane comes (TRUE) and after it went (FALSE); "look-at" with what of the window
 * a step wants to be seen; "curtain" with whether plots and eigenvalues are to be covered; "stays" when a person does not close
 * the window after all. */
#pragma once

#include "ui/lesson/hl-lesson-pane.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_LESSON_BOX (hl_lesson_box_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonBox, hl_lesson_box, HL, LESSON_BOX, GtkBox)

/* Adds the actions on lessons to those of the window, `map`; once. The banner outlives the box. */
void hl_lesson_box_set_workbench (HlLessonBox *self, HlWorkbench *workbench, HlBanner *banner,
                                  GActionMap *map);
/* Progress, and what was recorded and not saved, are kept in the state folder. */
void hl_lesson_box_set_remembers (HlLessonBox *self, gboolean remembers);

/* Opens a lesson; FALSE: the banner says what is wrong with it. */
gboolean hl_lesson_box_open (HlLessonBox *self, GFile *file);
/* Writes the lesson that is recorded, and has it gone through. */
gboolean hl_lesson_box_save (HlLessonBox *self, const char *path, GError **error);
/* Ends both, and keeps what is to be kept. */
void hl_lesson_box_close (HlLessonBox *self);
/* The same of a window that goes away. */
void hl_lesson_box_drop (HlLessonBox *self);
/* Whether the window may close, as far as a recorded lesson goes; else a question stands over it. */
gboolean hl_lesson_box_confirm (HlLessonBox *self);

/* The person has pressed Run, which may be a step of a recorded lesson. */
void hl_lesson_box_note_run (HlLessonBox *self);
/* NULL: no lesson is gone through. */
HlLessonPane *hl_lesson_box_pane (HlLessonBox *self);
/* What it takes of the window [px]; 0: nothing, or not known yet. */
int hl_lesson_box_width (HlLessonBox *self);
