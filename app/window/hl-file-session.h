/* SPDX-License-Identifier: MIT */
/* HlFileSession: the file of the document of one window: opening, saving and what stands in the way of it (a read-only file,
 * one that another program has changed), unsaved changes when the window closes, and those kept for the case of a crash.
 * Signals: "chosen" with a GFile that a person wants to open; "stays" when a person does not close the window after all. */
#pragma once

#include "core/io/hl-recovery.h"
#include "ui/bench/hl-workbench.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_FILE_SESSION (hl_file_session_get_type ())
G_DECLARE_FINAL_TYPE (HlFileSession, hl_file_session, HL, FILE_SESSION, GObject)

/* Adds the actions on files to those of the window, which outlives the session, as the banner does. */
HlFileSession *hl_file_session_new (HlWorkbench *workbench, HlBanner *banner, GtkApplicationWindow *window);
/* Opens a model. On failure the message stands in the banner and the document stays. Files of the program's own resources
 * open as documents without a file. */
gboolean hl_file_session_open (HlFileSession *self, GFile *file);
/* TRUE: the window may close now; FALSE: a dialog asks and closes it later. */
gboolean hl_file_session_confirm_close (HlFileSession *self);
/* Unsaved changes are kept in `recovery` from now on; it outlives the session. settings may be NULL. */
void hl_file_session_protect (HlFileSession *self, HlRecovery *recovery, GSettings *settings);
/* They cannot be kept: the banner says why for as long as nothing else is said. */
void hl_file_session_show_unprotected (HlFileSession *self, const char *why);
/* Unsaved changes are in a recovery file now; FALSE when nothing can be kept. */
gboolean hl_file_session_keep (HlFileSession *self);
/* Before the window goes. */
void hl_file_session_end (HlFileSession *self);
