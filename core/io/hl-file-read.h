/* SPDX-License-Identifier: MIT */
/* Whole files into memory, and only ordinary ones: a pipe would be waited for, a device never ends.
 * What a model names (a photograph, measured data) comes from others as the model does. No other file of
 * the program opens a file for reading (tests/test-layering.py). */
#pragma once

#include <gio/gio.h>

#define HL_FILE_MOST_BYTES ((gsize)256 * 1024 * 1024) /* of a table or a photograph */

/* Asked between blocks; TRUE ends the reading with HL_ERROR_CANCELLED. */
typedef gboolean (*HlFileStop) (gpointer data);

/* Descriptor of an ordinary file, open for reading, and *size in bytes (size may be NULL); -1 and
 * HL_ERROR_FILE with the reason: not there, a folder, a pipe, a device, not allowed. */
int hl_file_open_regular (const char *path, gsize *size, GError **error);

/* Whether an open descriptor is an ordinary file; FALSE: HL_ERROR_FILE with what it is instead. `path` begins
 * the message. */
gboolean hl_file_is_regular (int descriptor, const char *path, GError **error);

/* The *length bytes, with a NUL behind them that does not count; owned by the caller. NULL and
 * HL_ERROR_FILE when it is no ordinary file or has more than `most` bytes, which is known before
 * anything is read. `stop` may be NULL. */
char *hl_file_read (const char *path, gsize most, HlFileStop stop, gpointer stop_data, gsize *length,
                    GError **error);
/* The same of a place that GIO names: a file of this computer, or a resource of the program. Any other place
 * (a web page, a share that is not mounted) is refused, because it may not answer. */
char *hl_file_read_place (GFile *place, gsize most, gsize *length, GError **error);
