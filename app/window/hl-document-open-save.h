/* SPDX-License-Identifier: MIT */
/* HlFileSession: the file of one window's document. It opens and saves the file, asks before it overwrites a file that is
 * read-only or was changed by another program, asks about unsaved changes when the window closes, and keeps them for the case
 * of a crash. Signals: "chosen" with the GFile that a person chose to open; "stays" when a person cancels closing the window. */
#pragma once

#include "core/io/hl-crash-recovery.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_FILE_SESSION (hl_file_session_get_type ())
G_DECLARE_FINAL_TYPE (HlFileSession, hl_file_session, HL, FILE_SESSION, GObject)

/* Adds the actions for files to the window. Banner and window must outlive the session. */
HlFileSession *hl_file_session_new (HlWorkbench *workbench, HlBanner *banner, GtkApplicationWindow *window);
/* Opens a model. On failure the document stays, the banner shows the message and the function returns FALSE. Files of the
 * program's own resources open as documents without a file. */
gboolean hl_file_session_open (HlFileSession *self, GFile *file);
/* Returns TRUE if the window may close now; FALSE if a dialog asks first and closes it later. */
gboolean hl_file_session_confirm_close (HlFileSession *self);
/* Keeps unsaved changes in `recovery` from now on. `recovery` must outlive the session; settings may be NULL. */
void hl_file_session_protect (HlFileSession *self, HlRecovery *recovery, GSettings *settings);
/* Shows in the banner why unsaved changes cannot be kept, whenever there is no other message. */
void hl_file_session_show_unprotected (HlFileSession *self, const char *why);
/* Writes unsaved changes to a recovery file now. Returns FALSE if they cannot be kept. */
gboolean hl_file_session_keep (HlFileSession *self);
/* Ends the session before the window is disposed. */
void hl_file_session_end (HlFileSession *self);
