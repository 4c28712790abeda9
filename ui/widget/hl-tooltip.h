/* SPDX-License-Identifier: MIT */
/* Tooltips: narrow and short, beside the pane of the widget they explain, none during a drag; also those of
 * widgets under construction, and of widgets whose texts change in every frame. */
#pragma once

#include <gtk/gtk.h>

#define HL_TOOLTIP_MOST_CHARS 40 /* in a line */
#define HL_TOOLTIP_MOST_LINES 6

/* Makes all tooltips of the program narrow and short and places those of rows in a pane beside the pane. To be called
 * once, when the program starts. */
void hl_tooltip_limit_all (void);
/* Hides tooltips of this window while a button is held, and after a key until the pointer moves. */
void hl_tooltip_watch_hand (GtkWidget *window);

/* Sets a tooltip as gtk_widget_set_tooltip_text (). That function queries the display for the pointer, and
 * waits for the answer, for every visible widget, on the screen or not: dozens of times for one page of rows.
 * A widget without an allocation is hidden during the call, which is not visible, and an unchanged text is
 * not set again. */
void hl_tooltip_set (GtkWidget *widget, const char *text);

/* Sets a tooltip whose text changes with every frame of a drag: it is computed only when it is shown. NULL
 * removes the tooltip. */
void hl_tooltip_set_changing (GtkWidget *widget, const char *text);
const char *hl_tooltip_get_changing (GtkWidget *widget);

/* Prevents the tooltip of a menu button below a widget, itself included, from covering what the button has
 * opened. */
void hl_tooltip_spare_popovers (GtkWidget *root);
