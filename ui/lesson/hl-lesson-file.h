/* SPDX-License-Identifier: MIT */
/* Lessons as files of the window: on disk, or among the resources of the program. */
#pragma once

#include "core/document/hl-document.h"
#include "core/lesson/hl-lesson.h"

#include <gio/gio.h>

/* The same lesson in the first of the languages ("de_DE", "de") that it is there in: NAME.de.hllesson
 * beside NAME.hllesson; else the file itself. A new reference. */
GFile *hl_lesson_file_translated (GFile *file, const char *const *languages);
/* Reads a lesson and its model; NULL and problems where one of both cannot be. Both owned by the
 * caller. */
HlLesson *hl_lesson_file_read (GFile *file, HlDocument **document, GPtrArray *problems);
gboolean hl_lesson_file_is (GFile *file);
