/* SPDX-License-Identifier: MIT */
/* A line of words in a row of a list. */
#pragma once

#include <gtk/gtk.h>

/* A label from the left on, with a class of the style sheet (NULL: none); floating. */
GtkWidget *hl_line_new (const char *text, const char *css_class);
