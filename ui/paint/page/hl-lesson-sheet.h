/* SPDX-License-Identifier: MIT */
/* The report of a lesson on paper: one sheet as wide as A4 and as long as it needs to be. */
#pragma once

#include <gio/gio.h>

/* Writes the text of a report, whose first line is its title, as PDF. FALSE and HL_ERROR_FILE when it
 * cannot be written. */
gboolean hl_lesson_sheet_save (const char *text, const char *path, GError **error);
