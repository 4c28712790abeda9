/* SPDX-License-Identifier: MIT */
/* HlWindow: the main window, with one document on the workbench. Its parts have state and actions of their own. The window
 * connects them, drives the frames of the workbench, and has the actions that concern several parts. Signal: "stays" when a
 * person cancels closing the window. */
#pragma once

#include "core/io/hl-crash-recovery.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_WINDOW (hl_window_get_type ())
G_DECLARE_FINAL_TYPE (HlWindow, hl_window, HL, WINDOW, GtkApplicationWindow)

/* Creates a window with an empty model. hl_application_new_window () applies the settings of the person. */
HlWindow *hl_window_new (GtkApplication *application);
/* Keeps unsaved changes in `recovery` from now on. `recovery` must outlive the window; settings may be NULL. */
void hl_window_protect (HlWindow *self, HlRecovery *recovery, GSettings *settings);
/* Shows in the banner why unsaved changes cannot be kept. */
void hl_window_show_unprotected (HlWindow *self, const char *why);
/* Restores size, panes and progress of the last window, and keeps those of this one. */
void hl_window_remember (HlWindow *self);
HlWorkbench *hl_window_workbench (HlWindow *self);

/* Opens a file in this window. On failure the message stands in the banner and the document stays.
 * Files of the program's own resources open as documents without a file. */
gboolean hl_window_open_file (HlWindow *self, GFile *file);
/* Returns the text of the banner, NULL while there is none. */
const char *hl_window_banner (HlWindow *self);
void hl_window_show_banner (HlWindow *self, const char *message, gboolean is_problem);

/* Returns whether the window has an unchanged document without a file: an empty drawing, or an example. */
gboolean hl_window_is_blank (HlWindow *self);

/* Returns the window that has the file open, NULL = none; application may be NULL. */
GtkWindow *hl_window_find (GtkApplication *application, GFile *file);
/* Stores unsaved changes in a recovery file; FALSE when that is impossible. */
gboolean hl_window_keep_changes (HlWindow *self);

/* Returns whether run, start state and locus are complete and drawn. */
gboolean hl_window_is_settled (HlWindow *self);
