/* SPDX-License-Identifier: MIT */
/* Asks for a file to open (HlFileChooser) or to save to (hl_chooser_ask: its name has the ending of the format). Only
 * this file depends on the file dialog of GTK: GtkFileDialog from GTK 4.10 on, and GtkFileChooserNative before, which
 * 4.10 deprecates. */
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
/* Closes the chooser, without a response, and frees the reference when nothing of the present turn is due any more: the list of
 * files of GTK 4.8 shows its menu in an idle call that is not removed when the chooser is freed. */
void hl_file_chooser_end (HlFileChooser *self);

/* Asking where to save: a file chooser whose name has the ending of the format. */

typedef struct {
  const char *ending; /* with its dot */
  const char *filter; /* text for the user, marked for translation */
} HlFileFormat;

typedef struct {
  const char *title, *accept; /* in the person's language */
  const char *name;           /* proposed */
  const HlFileFormat *formats;
  int n_formats;
  int only; /* the one that is offered; -1: every one */
  /* Not called when nothing is chosen. One of path and error is NULL. */
  void (*chosen) (gpointer owner, const char *path, const GError *error);
} HlSaveQuestion;

/* Asks for the file to save to. A name without the ending of a format gets the ending of the filter; if the
 * user chooses another filter, a name that still has the first filter's ending gets the new one. Sets an
 * error if the resulting name is an existing file that the dialog has not confirmed.
 *
 * `place` in `owner` holds the chooser while it is open; one that is open there goes. `formats` are static. */
void hl_chooser_ask (const HlSaveQuestion *question, HlFileChooser **place, GtkWindow *parent,
                     GObject *owner);
