/* SPDX-License-Identifier: MIT */
/* Writing a file so that at no moment what was there is lost. */
#pragma once

#include <glib.h>

/* Writes a file in one step: a temporary file in the same folder, synchronised, renamed over the
 * old one with its permissions. The old file stays as it was when anything fails (HL_ERROR_FILE).
 *
 * Links stay what they are: a symbolic one is followed, also to a file that is not there yet. A
 * file with several names, or of another owner, is not replaced but written over, from a temporary
 * copy that is complete before the first byte changes and after the room for it is taken; it is
 * named in the message when writing over fails half way. A pipe or a device takes the bytes. */
gboolean hl_file_save_text (const char *path, const char *text, gssize length, GError **error);
/* Whether pipes and devices are refused (HL_ERROR_FILE) from now on: the window saves files, and does not wait
 * for whoever reads a pipe. At first they are not, since commands write to them. */
void hl_file_save_files_only (gboolean files_only);
