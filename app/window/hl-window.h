/* SPDX-License-Identifier: MIT */
/* HlWindow: one document on the workbench. Binds the views to the hub; every action is in
 * hl-window-actions.c. */
#pragma once

#include "ui/widget/hl-frame-meter.h"
#include "ui/modes/hl-knob-panel.h"
#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_WINDOW (hl_window_get_type ())
G_DECLARE_FINAL_TYPE (HlWindow, hl_window, HL, WINDOW, GtkApplicationWindow)

HlWindow *hl_window_new (GtkApplication *application);
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
