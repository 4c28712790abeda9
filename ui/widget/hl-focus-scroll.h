/* SPDX-License-Identifier: MIT */
/* Scrolls what has the keyboard into sight, in every viewport of a window; the viewports' own way
 * also follows the items of a menu that hangs on a row, which runs away under the pointer then. */
#pragma once

#include <gtk/gtk.h>

/* Once the window has all its viewports. */
void hl_focus_scroll_watch (GtkWindow *window);

/* Scrolls a widget that was shown, or has got another text, into sight when it is laid out. */
void hl_focus_scroll_show (GtkWidget *widget);
