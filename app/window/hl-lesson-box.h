/* SPDX-License-Identifier: MIT */
/* HlLessonBox: the pane beside the model with a lesson, or with the recording of a new lesson. It reads and writes the files,
 * the progress and the reports. Signals: "room" before a pane is added (TRUE) and after it was removed (FALSE); "look-at" with
 * the part of the window that a step shows; "curtain" with whether plots and eigenvalues must be hidden; "stays" when a person
 * cancels closing the window. */
#pragma once

#include "ui/lesson/hl-lesson-pane.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_LESSON_BOX (hl_lesson_box_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonBox, hl_lesson_box, HL, LESSON_BOX, GtkBox)

/* Adds the actions for lessons to `map`, the window. Call once. The banner must outlive the box. */
void hl_lesson_box_set_workbench (HlLessonBox *self, HlWorkbench *workbench, HlBanner *banner,
                                  GActionMap *map);
/* Sets whether progress and unsaved recordings are kept in the state folder. */
void hl_lesson_box_set_remembers (HlLessonBox *self, gboolean remembers);

/* Opens a lesson. Returns FALSE if it is damaged; the banner then says why. */
gboolean hl_lesson_box_open (HlLessonBox *self, GFile *file);
/* Saves the lesson that is recorded and checks it on a worker thread. */
gboolean hl_lesson_box_save (HlLessonBox *self, const char *path, GError **error);
/* Closes the lesson and the recording, and keeps progress and unsaved steps. */
void hl_lesson_box_close (HlLessonBox *self);
/* Does the same while the window is disposed. */
void hl_lesson_box_drop (HlLessonBox *self);
/* Returns whether the window may close; if a recording is not saved, asks and returns FALSE. */
gboolean hl_lesson_box_confirm (HlLessonBox *self);

/* Records that a person pressed Run. */
void hl_lesson_box_note_run (HlLessonBox *self);
/* Returns the pane of the lesson, NULL if no lesson is open. */
HlLessonPane *hl_lesson_box_pane (HlLessonBox *self);
/* Returns the width of the pane [px], 0 if there is none or it is not laid out yet. */
int hl_lesson_box_width (HlLessonBox *self);
