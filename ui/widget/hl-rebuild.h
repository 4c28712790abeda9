/* SPDX-License-Identifier: MIT */
/* Rows that are taken out and made anew, at a moment when GTK uses none of them.
 *
 * A callback of a widget (its focus leaves, it is activated, one of its properties changes, one of
 * its actions runs) comes from the middle of a walk over the widget's parents. What is typed is
 * committed right there, so that no number is lost; but a widget that is taken out there leaves
 * GTK walking over memory that is gone, at worst for ever. Therefore nothing is removed from a list
 * of rows by the callback of a change: it asks for it here, and the rows go as soon as the event
 * that brought the change is over, before the next one. */
#pragma once

#include <gtk/gtk.h>

typedef void (*HlRebuild) (GtkWidget *widget);

/* Calls `rebuild` once for the widget when the present event is over, before any other; asked for
 * again until then it is still once. A widget that goes first is not called. One widget has one
 * such function. */
void hl_rebuild_later (GtkWidget *widget, HlRebuild rebuild);
/* What is due is done now: for a caller that is certainly no callback of one of the rows. */
void hl_rebuild_now (GtkWidget *widget);
/* The widget's rows are of a state that is over. */
gboolean hl_rebuild_is_due (GtkWidget *widget);
