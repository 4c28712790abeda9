/* SPDX-License-Identifier: MIT */
/* HlHelpWindow: the help for every part: a searched list of kinds, and the page of the one chosen or
 * of an element with its numbers of the moment. */
#pragma once

#include "ui/bench/hl-workbench.h"
#include "ui/help/hl-help-view.h"

#include <gtk/gtk.h>

#define HL_TYPE_HELP_WINDOW (hl_help_window_get_type ())
G_DECLARE_FINAL_TYPE (HlHelpWindow, hl_help_window, HL, HELP_WINDOW, GtkWindow)

/* Opens at the page of a kind by its name; where that is NULL or has none, at that of an element of
 * the document; else at the first page. */
GtkWidget *hl_help_window_new (HlWorkbench *workbench, GtkWindow *parent, const char *kind, const char *id);
/* Opens at the page on a pane of the window, by its key. */
GtkWidget *hl_help_window_new_topic (HlWorkbench *workbench, GtkWindow *parent, const char *topic);
/* Marks a property of the page and brings it into sight, with the next frames. */
void hl_help_window_point_at (HlHelpWindow *self, const char *field);
/* What it shows, for tests. */
HlHelpView *hl_help_window_view (HlHelpWindow *self);

/* Shortcuts for a page of the help, read from where the window's list of shortcuts has them. */

/* Keys and what they do by turns, of the group with that id; NULL: an empty list. Owned by the caller. */
GPtrArray *hl_help_keys (const char *group);
