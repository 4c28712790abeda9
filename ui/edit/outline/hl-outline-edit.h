/* SPDX-License-Identifier: MIT */
/* Verbs on the rows of the outline: each takes a document and gives a new one, or NULL with an
 * error that says why not. What the tools of a canvas do to a selection (delete, duplicate, rotate
 * ...) is done by hl-command; here is what needs no pointer instead of one. */
#pragma once

#include "ui/edit/outline/hl-outline-list.h"

gboolean hl_outline_can_rename (const HlOutlineRow *row);
/* Every reference follows. */
HlDocument *hl_outline_rename (const HlDocument *document, const HlOutlineRow *row, const char *name,
                               GError **error);

/* Points, entries of lists, and ports, which are unplugged. */
gboolean hl_outline_can_remove (const HlOutlineRow *row);
HlDocument *hl_outline_remove (const HlDocument *document, const HlOutlineRow *row, GError **error);

/* Draws a line between two ends, each a port, "dcv.A", or the id of a line. */
HlDocument *hl_outline_connect (const HlDocument *document, const char *a, const char *b, GError **error);
/* What connecting would do, in one sentence, and whether it would do anything. Owned by the caller.
 */
char *hl_outline_connect_words (const HlDocument *document, const char *a, const char *b, gboolean *possible);
