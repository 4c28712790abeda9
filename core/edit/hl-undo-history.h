/* SPDX-License-Identifier: MIT */
/* Undo as a stack of whole documents, each with the name of the edit that made it. One thread only.
 */
#pragma once

#include "core/document/hl-document.h"

typedef struct _HlHistory HlHistory;

/* Returns a history that starts with this document, without changes. Owned by the caller. */
HlHistory *hl_history_new (const HlDocument *document);
void hl_history_free (HlHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHistory, hl_history_free)

const HlDocument *hl_history_current (const HlHistory *history); /* borrowed until the next change */

/* Makes `document` the current one under a name, "Move throttle"; drops what could be redone. A key
 * that is not NULL joins commits in a row with the same key into one step ("set cyl.friction.Fc"
 * while a slider is dragged), until hl_history_seal. A document equal to the current one makes no
 * step. */
void hl_history_commit (HlHistory *history, const HlDocument *document, const char *name, const char *key);
/* Ends a gesture: the next commit is a step of its own whatever its key. */
void hl_history_seal (HlHistory *history);

/* Return the names of the steps for undo and redo; borrowed until the history changes. */
const char *hl_history_undo_name (const HlHistory *history); /* NULL when there is nothing to undo */
const char *hl_history_redo_name (const HlHistory *history);
gboolean hl_history_undo (HlHistory *history); /* FALSE: nothing to undo */
gboolean hl_history_redo (HlHistory *history);

/* Returns the list: step 0 is the start with the name "". */
int hl_history_n_steps (const HlHistory *history);
int hl_history_position (const HlHistory *history);
const char *hl_history_step_name (const HlHistory *history, int step);
void hl_history_go_to (HlHistory *history, int step);

/* Marks the current document as the one last saved. */
void hl_history_mark_clean (HlHistory *history);
gboolean hl_history_is_clean (const HlHistory *history);
