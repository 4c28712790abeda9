/* SPDX-License-Identifier: MIT */
/* Asks for a file to open or to save to. This file alone knows how GTK asks: by GtkFileDialog from GTK 4.10 on, and by
 * GtkFileChooserNative before, which 4.10 deprecates. */
#pragma once

#include <gtk/gtk.h>

#define HL_TYPE_FILE_CHOOSER (hl_file_chooser_get_type ())
G_DECLARE_FINAL_TYPE (HlFileChooser, hl_file_chooser, HL, FILE_CHOOSER, GObject)

/* Returns a chooser that is not shown yet. `accept` labels the button that answers. The signal "response" (int) comes once, with
 * GTK_RESPONSE_ACCEPT when a file is chosen; connect to it by g_signal_connect_object (). */
HlFileChooser *hl_file_chooser_new (const char *title, GtkWindow *parent, gboolean saves, const char *accept);
void hl_file_chooser_add_filter (HlFileChooser *self, GtkFileFilter *filter);
void hl_file_chooser_set_folder (HlFileChooser *self, GFile *folder);
/* Proposes a name for the file to save. */
void hl_file_chooser_set_name (HlFileChooser *self, const char *name);
void hl_file_chooser_show (HlFileChooser *self);
gboolean hl_file_chooser_saves (HlFileChooser *self);
/* Returns a new reference to the chosen file; NULL: none is. */
GFile *hl_file_chooser_get_file (HlFileChooser *self);
/* Makes the chooser report the chosen filter, which is the format to save in. GtkFileDialog does not report it, so
 * GtkFileChooserNative is used. */
void hl_file_chooser_tell_filter (HlFileChooser *self);
/* Returns the filter that was chosen with the file, owned by the chooser; may be NULL without hl_file_chooser_tell_filter (). */
GtkFileFilter *hl_file_chooser_get_filter (HlFileChooser *self);
/* Closes the chooser, without a response, and frees the reference when nothing of the present turn is due any more: the list of
 * files of GTK 4.8 puts its menu up in an idle call that nobody takes back when the chooser goes. */
void hl_file_chooser_end (HlFileChooser *self);
