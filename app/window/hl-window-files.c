/* SPDX-License-Identifier: MIT */
/* Opening and dropped files. */
#include "app/window/hl-window-private.h"

#include "app/window/hl-application.h"
#include "ui/bench/hl-editing.h"
#include "ui/lesson/hl-lesson-file.h"
#include "ui/plot/hl-measured-list.h"

/* --- opening --- */

gboolean hl_window_open_file (HlWindow *self, GFile *file) {
  if (hl_lesson_file_is (file))
    return hl_lesson_box_open (self->lessons, file);
  if (hl_experiment_deck_takes (file))
    return hl_experiment_deck_open (self->deck, file);
  hl_lesson_box_close (self->lessons);
  return hl_file_session_open (self->session, file);
}

gboolean hl_window_is_blank (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  return hl_lesson_box_pane (self->lessons) == NULL && hl_editing_path (editing) == NULL &&
         !hl_editing_is_modified (editing) && hl_editing_undo_name (editing) == NULL &&
         hl_editing_redo_name (editing) == NULL;
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
static void open_here_or_beside (HlWindow *self, GFile *file) {
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

/* --- dropped files --- */

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
    hl_photograph_window_load (hl_drawing_pane_show_photograph (self->drawings), path);
  else if (path != NULL && is_table (file))
    hl_measured_open (self->workbench, path, GTK_WINDOW (self));
  else
    open_here_or_beside (self, file);
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

static void accept_drops (HlWindow *self) {
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
  GType types[] = {GDK_TYPE_FILE_LIST, G_TYPE_FILE};

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static void chosen_cb (HlFileSession *session, GFile *file, HlWindow *self) {
  open_here_or_beside (self, file);
}

/* No further window is closed. */
static void stays_cb (HlWindow *self) {
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL && HL_IS_APPLICATION (application))
    hl_application_stop_quitting (HL_APPLICATION (application));
}

void hl_window_bind_files (HlWindow *self) {
  self->session = hl_file_session_new (self->workbench, self->banner, GTK_APPLICATION_WINDOW (self));
  g_signal_connect (self->session, "chosen", G_CALLBACK (chosen_cb), self);
  g_signal_connect_swapped (self->session, "stays", G_CALLBACK (stays_cb), self);
  g_signal_connect_swapped (self->lessons, "stays", G_CALLBACK (stays_cb), self);
  accept_drops (self);
}
