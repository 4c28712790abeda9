/* SPDX-License-Identifier: MIT */
/* A small question for a name, where the name stands: of a plot, of a tab. */
#pragma once

#include <gtk/gtk.h>

/* A popover with a field that holds the name at present, "" for NULL. Enter closes it and gives
 * "answered" with the text; Escape closes it. The caller places it, shows it and takes it away. */
GtkWidget *hl_name_ask_new (const char *question, const char *present);
