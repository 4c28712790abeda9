/* SPDX-License-Identifier: MIT */
/* Rows of a run on their way out, as CSV or JSON: see hl-cli-rows.c. */
#pragma once

#include "app/cli/hl-cli-private.h"

typedef struct _HlCliTable HlCliTable;

/* To a file (borrowed name), which is opened with the first row, or, when `out` is NULL, to standard output. wait: shows
 * how far the run is; borrowed. Owned by the caller. */
HlCliTable *hl_cli_table_new (const char *out, HlAnswerFormat format, HlCliWait *wait);
void hl_cli_table_free (HlCliTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCliTable, hl_cli_table_free)
/* Before the first row. */
void hl_cli_table_column (HlCliTable *table, const char *id, const char *unit);

/* FALSE: it cannot be written, or somebody asked for a stop. */
gboolean hl_cli_table_row (HlCliTable *table, const double row[]);
gint64 hl_cli_table_n_rows (const HlCliTable *table);
/* All rows so far are void. FALSE when some have gone where they cannot be fetched from: they stand. */
gboolean hl_cli_table_restart (HlCliTable *table);
/* Sends the last rows; whether they are all that were asked for. `more`: named values behind them, in JSON and
 * without rows too, or NULL. FALSE when some could not be written. */
gboolean hl_cli_table_finish (HlCliTable *table, gboolean is_complete, const HlAnswer *more, GError **error);
