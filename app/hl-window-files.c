/* SPDX-License-Identifier: MIT */
/* Opening, saving, recent files, dropped files and the question about unsaved changes. */
#include "app/hl-window-private.h"

#include "core/document/hl-error.h"
#include "core/document/hl-i18n.h"
#include "core/io/hl-json.h"

#include <string.h>

#define MAX_RECENT 8
#define MIME_TYPE "application/vnd.hydrolink+json"

/* --- opening --- */

static void
note_recent (HlWindow *self, GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
}

static gboolean
open_bundled (HlWindow *self, GFile *file, GError **error)
{
  g_autoptr (GBytes) bytes = g_file_load_bytes (file, NULL, NULL, error);
  g_autofree char *name = g_file_get_basename (file);
  gsize length;

  if (bytes == NULL)
    return FALSE;
  const char *text = g_bytes_get_data (bytes, &length);
  HlDocument *document = hl_document_parse (text, length, name, error);
  if (document == NULL)
    return FALSE;
  hl_workbench_set_document (self->workbench, document);
  return TRUE;
}

gboolean
hl_window_open_file (HlWindow *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  gboolean opened = path != NULL && !g_file_has_uri_scheme (file, "resource")
                        ? hl_workbench_load (self->workbench, path, &error)
                        : open_bundled (self, file, &error);

  if (!opened) {
    hl_window_show_banner (self, error->message, TRUE);
    return FALSE;
  }
  gtk_revealer_set_reveal_child (self->banner, FALSE);
  if (path != NULL)
    note_recent (self, file);
  return TRUE;
}

gboolean
hl_window_is_empty (HlWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);

  return hl_document_n_elements (document, HL_SECTION_BODIES) == 0 &&
         hl_document_n_elements (document, HL_SECTION_COMPONENTS) == 0 &&
         hl_document_n_points (document, -1) == 0;
}

gboolean
hl_window_is_blank (HlWindow *self)
{
  return hl_workbench_path (self->workbench) == NULL &&
         !hl_workbench_is_modified (self->workbench) && hl_window_is_empty (self);
}

/* A window with an untouched document takes the file; one with work in it gives it a window of its
 * own. */
static void
open_here_or_beside (HlWindow *self, GFile *file)
{
  if (!hl_workbench_is_modified (self->workbench)) {
    hl_window_open_file (self, file);
    return;
  }
  HlWindow *other = hl_window_new (gtk_window_get_application (GTK_WINDOW (self)));
  hl_window_open_file (other, file);
  gtk_window_present (GTK_WINDOW (other));
}

static void
add_filters (GtkFileChooser *chooser)
{
  g_autoptr (GtkFileFilter) models = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (models, _ ("Hydrolink models"));
  gtk_file_filter_add_pattern (models, "*.hydrolink");
  gtk_file_filter_add_mime_type (models, MIME_TYPE);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, models);
  gtk_file_chooser_add_filter (chooser, all);
}

static void
start_where_the_file_is (HlWindow *self, GtkFileChooser *chooser)
{
  const char *path = hl_workbench_path (self->workbench);
  if (path == NULL)
    return;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  gtk_file_chooser_set_current_folder (chooser, folder, NULL);
}

static void
open_response_cb (GtkNativeDialog *dialog, int response, HlWindow *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  g_clear_object (&self->chooser);
  if (response == GTK_RESPONSE_ACCEPT && file != NULL)
    open_here_or_beside (self, file);
}

void
hl_window_choose_and_open (HlWindow *self)
{
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new (_ ("Open a model"), GTK_WINDOW (self),
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  g_clear_object (&self->chooser);
  self->chooser = GTK_NATIVE_DIALOG (chooser);
  add_filters (GTK_FILE_CHOOSER (chooser));
  start_where_the_file_is (self, GTK_FILE_CHOOSER (chooser));
  g_signal_connect_object (chooser, "response", G_CALLBACK (open_response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- saving --- */

static gboolean
save_to (HlWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!hl_workbench_save (self->workbench, path, &error)) {
    hl_window_show_banner (self, error->message, TRUE);
    return FALSE;
  }
  g_autoptr (GFile) file = g_file_new_for_path (path);
  note_recent (self, file);
  return TRUE;
}

static void
save_response_cb (GtkNativeDialog *dialog, int response, HlWindow *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  void (*then) (HlWindow *) = g_object_get_data (G_OBJECT (dialog), "then");
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_clear_object (&self->chooser);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL && save_to (self, path) && then != NULL)
    then (self);
}

void
hl_window_save (HlWindow *self, gboolean as, void (*then) (HlWindow *self))
{
  const char *path = hl_workbench_path (self->workbench);

  if (path != NULL && !as) {
    if (save_to (self, path) && then != NULL)
      then (self);
    return;
  }
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new (_ ("Save the model"), GTK_WINDOW (self),
                                   GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  g_autofree char *name =
      path != NULL ? g_path_get_basename (path) : g_strdup (_ ("untitled.hydrolink"));
  g_clear_object (&self->chooser);
  self->chooser = GTK_NATIVE_DIALOG (chooser);
  add_filters (GTK_FILE_CHOOSER (chooser));
  start_where_the_file_is (self, GTK_FILE_CHOOSER (chooser));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  g_object_set_data (G_OBJECT (chooser), "then", (gpointer)then);
  g_signal_connect_object (chooser, "response", G_CALLBACK (save_response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- closing --- */

static void
close_for_good (HlWindow *self)
{
  self->close_anyway = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

static void
close_response_cb (GtkDialog *dialog, int response, HlWindow *self)
{
  gtk_window_destroy (GTK_WINDOW (dialog));
  if (response == GTK_RESPONSE_REJECT)
    close_for_good (self);
  else if (response == GTK_RESPONSE_ACCEPT)
    hl_window_save (self, FALSE, close_for_good);
}

gboolean
hl_window_confirm_close (HlWindow *self)
{
  if (!hl_workbench_is_modified (self->workbench))
    return TRUE;
  GtkWidget *dialog = gtk_message_dialog_new (
      GTK_WINDOW (self), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_WARNING,
      GTK_BUTTONS_NONE, _ ("Save changes to “%s” before closing?"),
      hl_workbench_title (self->workbench));
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog),
                                            _ ("Without saving, the changes are lost."));
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _ ("Close _without saving"), GTK_RESPONSE_REJECT,
                          _ ("_Cancel"), GTK_RESPONSE_CANCEL, _ ("_Save"), GTK_RESPONSE_ACCEPT,
                          NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  g_signal_connect_object (dialog, "response", G_CALLBACK (close_response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return FALSE;
}

/* --- recent and dropped files --- */

void
hl_window_fill_recent (HlWindow *self)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  int n = 0;

  g_menu_remove_all (self->recent_menu);
  for (GList *at = items; at != NULL && n < MAX_RECENT; at = at->next) {
    GtkRecentInfo *info = at->data;
    const char *uri = gtk_recent_info_get_uri (info);
    if (!g_str_has_suffix (uri, ".hydrolink") || !gtk_recent_info_exists (info))
      continue;
    g_autoptr (GMenuItem) item =
        hl_window_menu_item (gtk_recent_info_get_display_name (info), NULL);
    g_menu_item_set_action_and_target (item, "win.open-uri", "s", uri);
    g_menu_append_item (self->recent_menu, item);
    n++;
  }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, HlWindow *self)
{
  GFile *file = g_value_get_object (value);

  if (file == NULL)
    return FALSE;
  open_here_or_beside (self, file);
  return TRUE;
}

void
hl_window_accept_drops (HlWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_FILE, GDK_ACTION_COPY);
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
