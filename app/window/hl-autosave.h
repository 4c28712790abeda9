/* SPDX-License-Identifier: MIT */
/* HlAutosave: keeps the unsaved changes of one workbench in its recovery slot, the first at once
 * and later ones some seconds after a change, written by a thread. */
#pragma once

#include "core/io/hl-recovery.h"
#include "ui/bench/hl-workbench.h"

typedef struct _HlAutosave HlAutosave;

/* settings may be NULL; `recovery` outlives it. */
HlAutosave *hl_autosave_new (HlWorkbench *workbench, HlRecovery *recovery, GSettings *settings);
/* A clean end: the slot is emptied. */
void hl_autosave_free (HlAutosave *autosave);
/* Writes what is unsaved at once, before something else may be thrown away. */
gboolean hl_autosave_write_now (HlAutosave *autosave, GError **error);
/* Told when a write fails; once, until one succeeds again, which is told with NULL. */
void hl_autosave_set_report (HlAutosave *autosave, void (*report) (const char *message, gpointer data),
                             gpointer data);
