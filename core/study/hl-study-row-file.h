/* SPDX-License-Identifier: MIT */
/* Rows of a study on disk: a file that is only ever appended to, one line a row,
 *
 *   CHECKSUM ROW,CELL,...\n
 *
 * the checksum (CRC-32 of all behind the blank, eight hexadecimal digits) detects lines that were cut or
 * changed by a kill, a full disk or a disk error. The text after the checksum is the row of the final
 * table. Rows stand in the order in which they were done. */
#pragma once

#include <glib.h>

typedef struct _HlRowFile HlRowFile;

/* Opens or makes a file for appending and locks it, so that no two programs write it: HL_ERROR_FILE,
 * or HL_ERROR_USAGE when another one does, and continues to for a second. A last line without end is taken away. Owned by the
 * caller. */
HlRowFile *hl_row_file_open (const char *path, GError **error);
void hl_row_file_close (HlRowFile *file);
/* Closes the file in a forked process that writes no rows: its copy would keep the file locked when the
 * writing process is killed. */
void hl_row_file_leave (HlRowFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRowFile, hl_row_file_close)
/* Appends whole lines, as hl_row_line_append () makes them. FALSE and HL_ERROR_FAILED when they cannot
 * all be written; what was written of a line is then taken back, so that the file stays sound. */
gboolean hl_row_file_append (HlRowFile *file, const char *lines, gsize length, GError **error);
/* Returns whether it has no line. */
gboolean hl_row_file_is_empty (const HlRowFile *file);
/* Asks the disk to keep what was appended. */
void hl_row_file_sync (HlRowFile *file);

/* Appends a line to text; cells: "ROW,CELL,..." without line end. */
void hl_row_line_append (GString *text, const char *cells);
/* Returns the number of a whole line (without its end), or -1 when its checksum or its form is wrong. *cells:
 * where they begin. */
gint64 hl_row_line_read (const char *line, gsize length, const char **cells);
guint32 hl_row_checksum (const char *bytes, gsize length);

/* Called with each sound line; *offset: of its cells in the file, length: without the end. FALSE ends
 * the reading. */
typedef gboolean (*HlRowFound) (gint64 row, guint64 offset, const char *cells, gsize length, void *data);
/* Reads a file in pieces. *n_bad (may be NULL): lines that were not sound. FALSE: HL_ERROR_FILE, or `found` cancelled. */
gboolean hl_row_file_read (const char *path, HlRowFound found, void *data, int *n_bad, GError **error);
