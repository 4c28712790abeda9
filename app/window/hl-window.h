/* SPDX-License-Identifier: MIT */
/* HlWindow: one document on the workbench. Its parts have state and actions of their own; the window connects them, gives the
 * workbench its frames, and has the actions that concern several parts. Signal: "stays" when a person does not close it
 * after all. */
#pragma once

#include "core/io/hl-recovery.h"
#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_WINDOW (hl_window_get_type ())
G_DECLARE_FINAL_TYPE (HlWindow, hl_window, HL, WINDOW, GtkApplicationWindow)

/* With an empty model; hl_application_new_window () makes one as the person prefers. */
HlWindow *hl_window_new (GtkApplication *application);
/* Unsaved changes are kept in `recovery` from now on; it outlives the window. settings may be NULL. */
void hl_window_protect (HlWindow *self, HlRecovery *recovery, GSettings *settings);
/* They cannot be kept, and the banner says why. */
void hl_window_show_unprotected (HlWindow *self, const char *why);
/* Size, panes and progress are as they were last time, and are kept from window to window. */
void hl_window_remember (HlWindow *self);
HlWorkbench *hl_window_workbench (HlWindow *self);

/* Opens a file in this window. On failure the message stands in the banner and the document stays.
 * Files of the program's own resources open as documents without a file. */
gboolean hl_window_open_file (HlWindow *self, GFile *file);
/* Text of the banner, NULL while there is none. */
const char *hl_window_banner (HlWindow *self);
void hl_window_show_banner (HlWindow *self, const char *message, gboolean is_problem);

/* Nothing was changed and there is no file: an empty drawing, or an example that was only looked at. */
gboolean hl_window_is_blank (HlWindow *self);

/* The window that has the file open, NULL = none; application may be NULL. */
GtkWindow *hl_window_find (GtkApplication *application, GFile *file);
/* Unsaved changes are in a recovery file now; FALSE when nothing can be kept. */
gboolean hl_window_keep_changes (HlWindow *self);

/* Run, start state and locus are complete and drawn. */
gboolean hl_window_is_settled (HlWindow *self);
