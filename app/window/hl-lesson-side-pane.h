/* SPDX-License-Identifier: MIT */
/* HlLessonFiles: the pane beside the model with a lesson, or with the recording of a new lesson. It reads and writes the files,
 * the progress and the reports. Signals: "room" before a pane is added (TRUE) and after it was removed (FALSE); "look-at" when a
 * step or the end of the lesson changes what the window shows; "curtain" with whether plots and eigenvalues must be hidden; "stays" when a person
 * cancels closing the window. */
#pragma once

#include "ui/lesson/hl-lesson-pane.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_LESSON_FILES (hl_lesson_files_get_type ())
G_DECLARE_FINAL_TYPE (HlLessonFiles, hl_lesson_files, HL, LESSON_FILES, GtkBox)

/* Adds the actions for lessons to `map`, the window. Call once. The banner must outlive the box. */
void hl_lesson_files_set_workbench (HlLessonFiles *self, HlWorkbench *workbench, HlBanner *banner,
                                    GActionMap *map);
/* Sets whether progress and unsaved recordings are kept in the state folder. */
void hl_lesson_files_set_remembers (HlLessonFiles *self, gboolean remembers);

/* Opens a lesson. Returns FALSE if it is damaged; the banner then says why. */
gboolean hl_lesson_files_open (HlLessonFiles *self, GFile *file);
/* Saves the lesson that is recorded and checks it on a worker thread. */
gboolean hl_lesson_files_save (HlLessonFiles *self, const char *path, GError **error);
/* Closes the lesson and the recording, and keeps progress and unsaved steps. */
void hl_lesson_files_close (HlLessonFiles *self);
/* Saves the progress while the window is disposed. */
void hl_lesson_files_drop (HlLessonFiles *self);
/* Returns whether the window may close; if a recording is not saved, asks and returns FALSE. */
gboolean hl_lesson_files_confirm (HlLessonFiles *self);

/* Reads how far a lesson was done last time: its step, from 0, and how many there are. Returns FALSE if it was not begun. */
gboolean hl_lesson_files_progress (GFile *lesson, int *at, int *n_steps);

/* Records that a person pressed Run. */
void hl_lesson_files_note_run (HlLessonFiles *self);
/* Returns the pane of the lesson, NULL if no lesson is open. */
HlLessonPane *hl_lesson_files_pane (HlLessonFiles *self);
/* Returns the width of the pane [px], 0 if there is none or it is not laid out yet. */
int hl_lesson_files_width (HlLessonFiles *self);
