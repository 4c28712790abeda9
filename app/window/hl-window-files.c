/* SPDX-License-Identifier: MIT */
/* Opening, recent files and dropped files. */
#include "app/window/hl-photograph-window.h"
#include "app/window/hl-window-private.h"
#include "core/lesson/hl-experiments.h"
#include "ui/lesson/hl-lesson-file.h"
#include "ui/plot/hl-measured-list.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-file-read.h"
#include "core/io/hl-json.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-file-chooser.h"

#include <string.h>

#define MAX_RECENT 8
#define MIME_TYPE "application/vnd.hydrolink+json"

/* --- opening --- */

static gboolean note_recent_cb (gpointer file) {
  g_autofree char *uri = g_file_get_uri (file);

  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
  return G_SOURCE_REMOVE;
}

/* To add to the list GTK reads all of it, which is long where many programs are used: behind the
 * first frame. */
void hl_window_note_recent (GFile *file) {
  g_idle_add_full (G_PRIORITY_LOW, note_recent_cb, g_object_ref (file), g_object_unref);
}

static gboolean open_bundled (HlWindow *self, GFile *file, GError **error) {
  gsize length;
  g_autofree char *text = hl_file_read_place (file, HL_JSON_MAX_BYTES, &length, error);
  g_autofree char *name = g_file_get_basename (file);
  HlDocument *document = text != NULL ? hl_document_parse (text, length, name, error) : NULL;

  if (document == NULL)
    return FALSE;
  hl_editing_set_document (hl_workbench_editing (self->workbench), document);
  return TRUE;
}

gboolean hl_window_open_file (HlWindow *self, GFile *file) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);

  if (hl_lesson_file_is (file))
    return hl_window_open_lesson (self, file);
  if (hl_window_is_experiments (file))
    return hl_window_open_experiments (self, file);
  hl_window_close_lesson (self);
  gboolean opened = path != NULL && !g_file_has_uri_scheme (file, "resource")
                        ? hl_editing_load (editing, path, &error)
                        : open_bundled (self, file, &error);

  if (!opened) {
    hl_window_show_banner (self, error->message, TRUE);
    return FALSE;
  }
  hl_window_hide_banner (self);
  hl_file_watch_accept (self->watch, hl_editing_path (editing));
  if (path != NULL)
    hl_window_note_recent (file);
  return TRUE;
}

gboolean hl_window_is_empty (HlWindow *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  return hl_document_n_elements (document, HL_SECTION_BODIES) == 0 &&
         hl_document_n_elements (document, HL_SECTION_COMPONENTS) == 0 &&
         hl_document_n_points (document, -1) == 0;
}

gboolean hl_window_is_blank (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  return self->lesson == NULL && hl_editing_path (editing) == NULL && !hl_editing_is_modified (editing) &&
         hl_editing_undo_name (editing) == NULL && hl_editing_redo_name (editing) == NULL;
}

GtkWindow *hl_window_find (GtkApplication *application, GFile *file) {
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (GList *at = windows; at != NULL; at = at->next) {
    const char *path = HL_IS_WINDOW (at->data)
                           ? hl_editing_path (hl_workbench_editing (HL_WINDOW (at->data)->workbench))
                           : NULL;
    g_autoptr (GFile) open_file = path != NULL ? g_file_new_for_path (path) : NULL;
    if (open_file != NULL && g_file_equal (open_file, file))
      return at->data;
  }
  return NULL;
}

/* A window with an untouched document takes the file; one with work in it gives it a window of its
 * own. A file that is open already is shown where it is. */
void hl_window_open_here_or_beside (HlWindow *self, GFile *file) {
  GtkWindow *has_it = hl_window_find (gtk_window_get_application (GTK_WINDOW (self)), file);

  if (has_it != NULL) {
    gtk_window_present (has_it);
    return;
  }
  if (!hl_editing_is_modified (hl_workbench_editing (self->workbench))) {
    hl_window_open_file (self, file);
    return;
  }
  HlWindow *other = hl_window_new (gtk_window_get_application (GTK_WINDOW (self)));
  hl_window_open_file (other, file);
  gtk_window_present (GTK_WINDOW (other));
}

static void add_filters (HlFileChooser *chooser) {
  g_autoptr (GtkFileFilter) models = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (models, _ ("Hydrolink models"));
  gtk_file_filter_add_pattern (models, "*.hydrolink");
  gtk_file_filter_add_pattern (models, "*" HL_LESSON_SUFFIX);
  gtk_file_filter_add_pattern (models, "*" HL_EXPERIMENTS_SUFFIX);
  gtk_file_filter_add_mime_type (models, MIME_TYPE);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  hl_file_chooser_add_filter (chooser, models);
  hl_file_chooser_add_filter (chooser, all);
}

static void start_where_the_file_is (HlWindow *self, HlFileChooser *chooser) {
  const char *path = hl_editing_path (hl_workbench_editing (self->workbench));
  if (path == NULL)
    return;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  hl_file_chooser_set_folder (chooser, folder);
}

void hl_window_prepare_chooser (HlWindow *self, HlFileChooser *chooser) {
  add_filters (chooser);
  start_where_the_file_is (self, chooser);
}

static void open_response_cb (HlFileChooser *dialog, int response, HlWindow *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && file != NULL)
    hl_window_open_here_or_beside (self, file);
}

void hl_window_choose_and_open (HlWindow *self) {
  HlFileChooser *chooser = hl_file_chooser_new (_ ("Open a model"), GTK_WINDOW (self), FALSE, _ ("_Open"));
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = chooser;
  hl_window_prepare_chooser (self, chooser);
  g_signal_connect_object (chooser, "response", G_CALLBACK (open_response_cb), self, 0);
  hl_file_chooser_show (chooser);
}

/* --- recent and dropped files --- */

static void fill_recent (HlWindow *self) {
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  int n = 0;

  g_menu_remove_all (self->recent_menu);
  for (GList *at = items; at != NULL && n < MAX_RECENT; at = at->next) {
    GtkRecentInfo *info = at->data;
    const char *uri = gtk_recent_info_get_uri (info);
    if (!g_str_has_suffix (uri, ".hydrolink") || !gtk_recent_info_exists (info))
      continue;
    g_autoptr (GMenuItem) item = hl_window_menu_item (gtk_recent_info_get_display_name (info), NULL);
    g_menu_item_set_action_and_target (item, "win.open-uri", "s", uri);
    g_menu_append_item (self->recent_menu, item);
    n++;
  }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

/* The list of recent files is read behind the first frame: nobody opens its menu before. */
static gboolean watch_recent_cb (gpointer data) {
  HlWindow *self = data;

  fill_recent (self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill_recent), self,
                           G_CONNECT_SWAPPED);
  return G_SOURCE_REMOVE;
}

void hl_window_watch_recent (HlWindow *self) {
  GSource *source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_LOW);
  g_source_set_callback (source, watch_recent_cb, self, NULL);
  g_source_attach (source, NULL);
  /* a window that goes before takes it along */
  g_signal_connect_data (self, "destroy", G_CALLBACK (g_source_destroy), source,
                         (GClosureNotify)(void (*) (void))g_source_unref, G_CONNECT_SWAPPED);
}

static gboolean is_photograph (GFile *file) {
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *type = g_content_type_guess (name, NULL, 0, NULL);

  return g_content_type_is_a (type, "image/png") || g_content_type_is_a (type, "image/jpeg") ||
         g_content_type_is_a (type, "image/tiff");
}

static gboolean is_table (GFile *file) {
  static const char *const endings[] = {".csv", ".tsv", ".txt", ".dat", ".asc"};
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *folded = g_ascii_strdown (name, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (folded, endings[i]))
      return TRUE;
  return FALSE;
}

static void take_dropped (HlWindow *self, GFile *file) {
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL && is_photograph (file))
    hl_photograph_window_load (hl_window_show_photograph (self), path);
  else if (path != NULL && is_table (file))
    hl_measured_open (self->workbench, path, GTK_WINDOW (self));
  else
    hl_window_open_here_or_beside (self, file);
}

/* From a file manager comes a list, from other programs one file. */
static gboolean drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, HlWindow *self) {
  GSList *files = NULL;
  GSList one = {NULL, NULL};

  if (G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    files = g_value_get_boxed (value);
  else if (G_VALUE_HOLDS (value, G_TYPE_FILE) && g_value_get_object (value) != NULL) {
    one.data = g_value_get_object (value);
    files = &one;
  }
  for (GSList *at = files; at != NULL; at = at->next)
    take_dropped (self, at->data);
  return files != NULL;
}

void hl_window_accept_drops (HlWindow *self) {
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
  GType types[] = {GDK_TYPE_FILE_LIST, G_TYPE_FILE};

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
