/* SPDX-License-Identifier: MIT */
#include "tests/ui/file-chooser-fixture.h"

void chooser_take (gpointer toplevel) {
  fixture_draw (toplevel);
  pointer_take_window (toplevel, 0, 0);
}

gpointer chooser_find_toplevel (GType type) {
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();

  for (GList *at = toplevels; at != NULL; at = at->next)
    if (g_type_is_a (G_OBJECT_TYPE (at->data), type) && gtk_widget_get_mapped (at->data))
      return at->data;
  return NULL;
}

static gboolean is_open (gconstpointer type) {
  return chooser_find_toplevel (GPOINTER_TO_SIZE (type)) != NULL;
}

static gboolean is_gone (gconstpointer type) {
  return !is_open (type);
}

void chooser_until (GType type, gboolean is_there) {
  pointer_until (is_there ? is_open : is_gone, GSIZE_TO_POINTER (type));
}

void chooser_answer (const char *path, const char *picture) {
  chooser_until (GTK_TYPE_FILE_CHOOSER_DIALOG, TRUE);
  GtkWidget *chooser = chooser_find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG);
  gboolean saves = gtk_file_chooser_get_action (GTK_FILE_CHOOSER (chooser)) == GTK_FILE_CHOOSER_ACTION_SAVE;

  chooser_take (chooser);
  if (saves)
    pointer_key ("ctrl+a");
  pointer_type (path); /* where one opens, "/" brings the field for it */
  if (picture != NULL)
    pointer_picture (picture);
  pointer_key ("Return");
  chooser_until (GTK_TYPE_FILE_CHOOSER_DIALOG, FALSE);
}
