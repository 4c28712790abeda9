/* SPDX-License-Identifier: MIT */
/* Reading and writing whole files. Only regular files are read: reading a pipe would block, and a device
 * never ends. Files that a model names (a photograph, measured data) are as untrusted as the model. No other
 * file of the program opens a file for reading (tests/test-layering.py). */
#pragma once

#include <gio/gio.h>
#include <glib.h>

#define HL_FILE_MOST_BYTES ((gsize)256 * 1024 * 1024) /* of a table or a photograph */

/* Asked between blocks; TRUE ends the reading with HL_ERROR_CANCELLED. */
typedef gboolean (*HlFileStop) (gpointer data);

/* Opens a regular file for reading and returns its descriptor, and *size in bytes (size may be NULL); -1 and
 * HL_ERROR_FILE with the reason: not there, a folder, a pipe, a device, not permitted. */
int hl_file_open_regular (const char *path, gsize *size, GError **error);

/* Returns whether an open descriptor is an ordinary file; FALSE: HL_ERROR_FILE with what it is instead.
 * `path` begins the message. */
gboolean hl_file_is_regular (int descriptor, const char *path, GError **error);

/* Returns the *length bytes, with a NUL behind them that does not count; owned by the caller. NULL and
 * HL_ERROR_FILE when it is no ordinary file or has more than `most` bytes, which is known before
 * anything is read. `stop` may be NULL. */
char *hl_file_read (const char *path, gsize most, HlFileStop stop, gpointer stop_data, gsize *length,
                    GError **error);
/* Returns the same of a place that GIO names: a file of this computer, or a resource of the program. Any
 * other place (a web page, a share that is not mounted) is refused, because it may not answer. */
char *hl_file_read_place (GFile *place, gsize most, gsize *length, GError **error);

/* Writing a file so that at no moment what was there is lost, and so that nothing is left of it where the program is killed. */

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
 * old one with its permissions. On failure (HL_ERROR_FILE) the old file is unchanged.
 *
 * Links stay what they are: a symbolic one is followed, also to a file that is not there yet. A
 * file with several names, or of another owner, is not replaced but written over, from a temporary
 * copy that is complete before the first byte changes and after the room for it is taken; it is
 * named in the message when writing over fails half way. A pipe or a device takes the bytes. */
gboolean hl_file_save_text (const char *path, const char *text, gssize length, GError **error);
/* Sets whether saving to pipes and devices is refused (HL_ERROR_FILE). The window refuses them, because it
 * must not wait for the reader of a pipe; commands write to them (default). */
void hl_file_save_files_only (gboolean files_only);
