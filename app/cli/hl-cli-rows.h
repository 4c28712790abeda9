/* SPDX-License-Identifier: MIT */
/* A table that leaves row by row: see hl-cli-rows.c. */
#pragma once

#include "app/cli/hl-cli-private.h"

typedef struct _HlCliRows HlCliRows;

/* To the file that `out` names (borrowed; it is emptied), or to standard output when it is NULL.
 * NULL with HL_ERROR_FAILED when it cannot be opened. Owned by the caller. */
HlCliRows *hl_cli_rows_new (const char *out, GError **error);
void hl_cli_rows_free (HlCliRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCliRows, hl_cli_rows_free)

/* Where to append the next line with its end; then hl_cli_rows_end_line (), which is FALSE when
 * nothing can be written any more. */
GString *hl_cli_rows_line (HlCliRows *rows);
gboolean hl_cli_rows_end_line (HlCliRows *rows);
/* Sends what waits and closes. FALSE with HL_ERROR_FAILED when any of it could not be written. */
gboolean hl_cli_rows_finish (HlCliRows *rows, GError **error);

/* Takes back every line, so that others may take their place. FALSE when some have gone where they
 * cannot be fetched from: into a pipe, or to a terminal. */
gboolean hl_cli_rows_restart (HlCliRows *rows);

/* All bytes to a file descriptor; 0 or an errno, after which a line that was cut is taken back. */
int hl_cli_put (int fd, const char *text, gsize length);
