/* SPDX-License-Identifier: MIT */
/* Lists of widgets: their lines of words, rows that are rebuilt, scrolling to the row with the keyboard,
 * and drop-down lists of a steady width.
 *
 * Rows are taken out and rebuilt at a moment when GTK uses none of them.
 *
 * A callback of a widget (its focus leaves, it is activated, one of its properties changes, one of
 * its actions runs) comes from the middle of a walk over the widget's parents. What is typed is
 * committed right there, so that no number is lost; but a widget that is taken out there leaves
 * GTK walking over memory that is gone, at worst for ever. Therefore the callback of a change must not remove rows from
 * a list: it requests the removal here, and the rows are removed after the event that caused the change, before the
 * next one. */
#pragma once

#include <gtk/gtk.h>

typedef void (*HlRebuild) (GtkWidget *widget);

/* Calls `rebuild` once for the widget when the present event is over, before any other; repeated requests until then
 * run once. A widget that goes first is not called. One widget has one such function. */
void hl_rebuild_later (GtkWidget *widget, HlRebuild rebuild);
/* Runs the postponed rebuild now. For callers that are not callbacks of one of the rows. */
void hl_rebuild_now (GtkWidget *widget);
/* Returns whether the rows of the widget are out of date. */
gboolean hl_rebuild_is_due (GtkWidget *widget);

/* A line of words in a row of a list. */

/* Returns a label from the left on, with a class of the style sheet (NULL: none); floating. */
GtkWidget *hl_line_new (const char *text, const char *css_class);

/* A drop-down list that keeps its width whatever is chosen. */

/* Shows the chosen entry in the room of that many letters, or in the available room, with an ellipsis in its
 * middle if it is longer; the entries below are complete. */
void hl_steady_list (GtkDropDown *list, int letters);

/* Scrolls what has the keyboard into sight, in every viewport of a window; the viewports' own way
 * also follows the items of a menu that hangs on a row, which runs away under the pointer then. */

/* Scrolls to the focus in all viewports of the window; call once they exist. */
void hl_focus_scroll_watch (GtkWindow *window);

/* Scrolls a widget that was shown, or has got another text, into sight when it is laid out. */
void hl_focus_scroll_show (GtkWidget *widget);
