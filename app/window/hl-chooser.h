/* SPDX-License-Identifier: MIT */
/* File choosers that save: filters whose ending the name gets. */
#pragma once

#include <gtk/gtk.h>

void hl_chooser_add_filter (GtkFileChooser *chooser, const char *name, const char *pattern);
/* What a chooser with such filters was answered: with another filter than the first one, a name
 * that still has the first one's ending gets that of the filter. NULL without an error: nothing
 * chosen. */
char *hl_chooser_path (GtkFileChooser *chooser, GError **error);
