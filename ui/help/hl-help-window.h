/* SPDX-License-Identifier: MIT */
/* HlHelpWindow: the help of all elements: a list of kinds with a search, and the page (HlHelpView) of the
 * chosen kind, or of an element with its present numbers. */
#pragma once

#include "core/help/hl-help-page.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/paint/base/hl-scene-input.h"

#include <gtk/gtk.h>

/* Shortcuts for a page of the help, read from where the window's list of shortcuts has them. */

/* Keys and what they do alternately, of the group with that id; NULL: an empty list. Owned by the caller. */
GPtrArray *hl_help_keys (const char *group);

/* HlHelpView: a page of the help as widgets: symbol, equations with the numbers beside them, curves,
 * properties. */

#define HL_TYPE_HELP_VIEW (hl_help_view_get_type ())
G_DECLARE_FINAL_TYPE (HlHelpView, hl_help_view, HL, HELP_VIEW, GtkBox)

/* Returns the shown page; borrowed, NULL before the first. */
const HlHelpPage *hl_help_view_page (HlHelpView *self);

/* Callback that sets a number of the page's element when a curve is dragged; NULL as the field: the drag has ended.
 * Before the first page; without one nothing is dragged. */
typedef void (*HlHelpViewSet) (gpointer owner, const HlField *field, double number);
/* Marks a property and returns what names it; NULL: the page has none such, nothing is marked. */
GtkWidget *hl_help_view_point_at (HlHelpView *self, const char *field);

/* HlHelpWindow */

#define HL_TYPE_HELP_WINDOW (hl_help_window_get_type ())
G_DECLARE_FINAL_TYPE (HlHelpWindow, hl_help_window, HL, HELP_WINDOW, GtkWindow)

/* Opens at the page of a kind by its name; where that is NULL or has none, at that of an element of
 * the document; else at the first page. */
GtkWidget *hl_help_window_new (HlWorkbench *workbench, GtkWindow *parent, const char *kind, const char *id);
/* Opens at the page on a pane of the window, by its key. */
GtkWidget *hl_help_window_new_topic (HlWorkbench *workbench, GtkWindow *parent, const char *topic);
/* Marks a property of the page and brings it into sight, with the next frames. */
void hl_help_window_point_at (HlHelpWindow *self, const char *field);
/* Returns the view of the window, for tests. */
HlHelpView *hl_help_window_view (HlHelpWindow *self);
