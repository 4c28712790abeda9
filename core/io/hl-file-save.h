/* SPDX-License-Identifier: MIT */
/* Writing a file so that at no moment what was there is lost, and so that nothing is left of it where the program is killed. */
#pragma once

#include <glib.h>

/* A file that is written and has no name yet, so that nothing of it is left when the program is killed. Where the file
 * system has no files without names, it stands beside the path from the start. */
typedef struct {
  int descriptor; /* for writing; -1: none. The owner closes it */
  char *name;     /* in the same folder; NULL: it has none yet */
} HlFileDraft;

/* Makes one in the folder of `path`; is_named: with a name from the start. FALSE: errno says why. */
gboolean hl_file_draft_open (HlFileDraft *draft, const char *path, gboolean is_named);
/* Gives it a name in the folder of `path`, from where it can be renamed; the descriptor must be open. FALSE: errno says why. */
gboolean hl_file_draft_give_name (HlFileDraft *draft, const char *path);
/* Removes it if it has a name, and frees the name. */
void hl_file_draft_discard (HlFileDraft *draft);

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
