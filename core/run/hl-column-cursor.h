/* SPDX-License-Identifier: MIT */
/* Columns for whoever asks for the same ones in the same order again and again, as a drawing does
 * with every frame: each is found by its text once, and known by its place in the order from then
 * on. Any other order is answered as well, only more slowly. Not shared between threads. */
#pragma once

#include "core/run/hl-results.h"

typedef struct _HlColumnCursor HlColumnCursor;

/* Knows nothing yet; owned by the caller. */
HlColumnCursor *hl_column_cursor_new (void);
/* NULL is allowed. */
void hl_column_cursor_free (HlColumnCursor *cursor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlColumnCursor, hl_column_cursor_free)

/* The questions begin again at the first. */
void hl_column_cursor_begin (HlColumnCursor *cursor);
/* Index of the column "ID.NAME", or "ID" when name is NULL; -1 = none, or results are NULL. */
int hl_column_cursor_find (HlColumnCursor *cursor, const HlResults *results, const char *id,
                           const char *name);
