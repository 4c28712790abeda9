/* SPDX-License-Identifier: MIT */
/* Tooltips of widgets that are being made, and of those whose words change in every frame. */
#pragma once

#include <gtk/gtk.h>

/* As gtk_widget_set_tooltip_text (). That one asks the display where the pointer is, and waits for
 * the answer, for every visible widget, whether it is on the screen or not: dozens of times for one
 * page of rows. A widget that stands nowhere yet is hidden meanwhile, which nobody sees, and a text that
 * stays is not set again. */
void hl_tooltip_set (GtkWidget *widget, const char *text);

/* A text that changes with every frame of a drag is told when the pointer asks for it, and costs
 * nothing before. NULL: the widget has none any more. */
void hl_tooltip_tell (GtkWidget *widget, const char *text);
const char *hl_tooltip_told (GtkWidget *widget);

/* No tooltip of a menu button below a widget, itself included, covers what the button has opened. */
void hl_tooltip_spare_popovers (GtkWidget *root);
