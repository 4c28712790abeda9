/* SPDX-License-Identifier: MIT */
/* Saving, and what stands in its way: a read-only file, a file that another program changed,
 * unsaved changes of a window that is to close. */
#include "app/window/hl-window-private.h"

#include "app/window/hl-application.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-question.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".hydrolink"
#define RESPONSE_SAVE_AS 1

/* The person stays: no further window is closed. */
static void stop_quitting (HlWindow *self) {
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  if (application != NULL && HL_IS_APPLICATION (application))
    hl_application_stop_quitting (HL_APPLICATION (application));
}

static gboolean save_to (HlWindow *self, const char *to) {
  g_autofree char *path = g_strdup (to); /* may be the workbench's own, which saving renews */
  g_autoptr (GError) error = NULL;

  if (!hl_editing_save (hl_workbench_editing (self->workbench), path, &error)) {
    hl_window_show_banner (self, error->message, TRUE);
    stop_quitting (self);
    return FALSE;
  }
  hl_file_watch_accept (self->watch, path);
  hl_window_hide_banner (self);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  hl_window_note_recent (file);
  return TRUE;
}

/* --- another name --- */

static void ask_before_overwriting (HlWindow *self, const char *path, const char *why,
                                    void (*then) (HlWindow *self));

/* "boom" means "boom.hydrolink". The chooser has asked about "boom" only. */
static void save_under (HlWindow *self, const char *path, void (*then) (HlWindow *self)) {
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *full = strchr (name, '.') != NULL ? g_strdup (path) : g_strconcat (path, ENDING, NULL);

  if (strcmp (full, path) != 0 && g_file_test (full, G_FILE_TEST_EXISTS))
    ask_before_overwriting (self, full, _ ("There is a file of this name already."), then);
  else if (save_to (self, full) && then != NULL)
    then (self);
}

static void chooser_response_cb (HlFileChooser *dialog, int response, HlWindow *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  void (*then) (HlWindow *) = g_object_get_data (G_OBJECT (dialog), "then");
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL)
    save_under (self, path, then);
  else
    stop_quitting (self);
}

static void save_as (HlWindow *self, const char *title, void (*then) (HlWindow *self)) {
  const char *path = hl_editing_path (hl_workbench_editing (self->workbench));
  HlFileChooser *chooser = hl_file_chooser_new (title, GTK_WINDOW (self), TRUE, _ ("_Save"));
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : g_strdup (_ ("untitled.hydrolink"));

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = chooser;
  hl_window_prepare_chooser (self, chooser);
  hl_file_chooser_set_name (chooser, name);
  g_object_set_data (G_OBJECT (chooser), "then", (gpointer)then);
  g_signal_connect_object (chooser, "response", G_CALLBACK (chooser_response_cb), self, 0);
  hl_file_chooser_show (chooser);
}

/* --- questions --- */

/* The answer may end the window that the question stands over: it lets go of it first. */
static void dismiss (HlQuestion *question) {
  gtk_window_set_transient_for (GTK_WINDOW (question), NULL);
  gtk_window_destroy (GTK_WINDOW (question));
}

static void overwrite_response_cb (HlQuestion *question, int response, HlWindow *self) {
  void (*then) (HlWindow *) = g_object_get_data (G_OBJECT (question), "then");
  g_autofree char *path = g_strdup (g_object_get_data (G_OBJECT (question), "path"));

  dismiss (question);
  if (response == RESPONSE_SAVE_AS)
    save_as (self, _ ("Save the model"), then);
  else if (response != GTK_RESPONSE_ACCEPT)
    stop_quitting (self);
  else if (save_to (self, path) && then != NULL)
    then (self);
}

static void ask_before_overwriting (HlWindow *self, const char *path, const char *why,
                                    void (*then) (HlWindow *self)) {
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = g_strdup_printf (_ ("Replace “%s”?"), name);
  HlQuestion *question = hl_question_new (GTK_WINDOW (self), text, why);

  hl_question_add_button (question, _ ("_Cancel"), GTK_RESPONSE_CANCEL, FALSE);
  hl_question_add_button (question, _ ("_Replace"), GTK_RESPONSE_ACCEPT, FALSE);
  hl_question_add_button (question, _ ("Save _as…"), RESPONSE_SAVE_AS, TRUE);
  g_object_set_data_full (G_OBJECT (question), "path", g_strdup (path), g_free);
  g_object_set_data (G_OBJECT (question), "then", (gpointer)then);
  g_signal_connect_object (question, "response", G_CALLBACK (overwrite_response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (question));
}

/* A file that nobody may write is left alone, though its folder would let us replace it. */
static gboolean is_read_only (const char *path) {
  GStatBuf facts;

  if (g_stat (path, &facts) != 0)
    return FALSE;
  return (facts.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || g_access (path, W_OK) != 0;
}

void hl_window_save (HlWindow *self, gboolean as, void (*then) (HlWindow *self)) {
  const char *path = hl_editing_path (hl_workbench_editing (self->workbench));

  if (path == NULL || as)
    save_as (self, _ ("Save the model"), then);
  else if (is_read_only (path))
    save_as (self, _ ("The file is read-only: save a copy"), then);
  else if (hl_file_watch_look (self->watch) == HL_FILE_CHANGED)
    ask_before_overwriting (self, path, _ ("Another program has changed the file since it was opened here."),
                            then);
  else if (save_to (self, path) && then != NULL)
    then (self);
}

/* --- closing --- */

static void close_for_good (HlWindow *self) {
  self->close_anyway = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

static void close_response_cb (HlQuestion *question, int response, HlWindow *self) {
  dismiss (question);
  self->is_asking = FALSE;
  if (response == GTK_RESPONSE_REJECT)
    close_for_good (self);
  else if (response == GTK_RESPONSE_ACCEPT)
    hl_window_save (self, FALSE, close_for_good);
  else
    stop_quitting (self);
}

gboolean hl_window_confirm_close (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  if (!hl_editing_is_modified (editing))
    return TRUE;
  if (self->is_asking)
    return FALSE;
  g_autofree char *text =
      g_strdup_printf (_ ("Save changes to “%s” before closing?"), hl_editing_title (editing));
  HlQuestion *question =
      hl_question_new (GTK_WINDOW (self), text, _ ("Without saving, the changes are lost."));
  hl_question_add_button (question, _ ("Close _without saving"), GTK_RESPONSE_REJECT, FALSE);
  hl_question_add_button (question, _ ("_Cancel"), GTK_RESPONSE_CANCEL, FALSE);
  hl_question_add_button (question, _ ("_Save"), GTK_RESPONSE_ACCEPT, TRUE);
  g_signal_connect_object (question, "response", G_CALLBACK (close_response_cb), self, 0);
  self->is_asking = TRUE;
  gtk_window_present (GTK_WINDOW (question));
  return FALSE;
}

/* --- changed by another program --- */

static void disk_changed_cb (HlFileState state, gpointer data) {
  HlWindow *self = data;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const char *name = hl_editing_title (editing);
  gboolean modified = hl_editing_is_modified (editing);
  g_autofree char *text = NULL;

  if (state == HL_FILE_SAME) {
    hl_window_hide_banner (self);
    return;
  }
  if (state == HL_FILE_GONE) {
    text = g_strdup_printf (_ ("“%s” was moved or deleted. Save As keeps the model."), name);
    hl_window_show_banner (self, text, FALSE);
    return;
  }
  text = g_strdup_printf (
      modified ? _ ("Another program has changed “%s”. Reloading can be undone: your own changes "
                    "stay in the history.")
               : _ ("Another program has changed “%s”."),
      name);
  hl_window_ask_banner (self, text, _ ("Reload"), "win.reload");
}

void hl_window_reload (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autoptr (GError) error = NULL;

  if (hl_editing_path (editing) == NULL)
    return;
  if (!hl_editing_reload (editing, &error)) {
    hl_window_show_banner (self, error->message, TRUE);
    return;
  }
  hl_file_watch_accept (self->watch, hl_editing_path (editing));
  hl_window_hide_banner (self);
}

void hl_window_watch_file (HlWindow *self) {
  self->watch = hl_file_watch_new (disk_changed_cb, self);
}

void hl_window_follow_file (HlWindow *self) {
  const char *path = hl_editing_path (hl_workbench_editing (self->workbench));

  if (g_strcmp0 (hl_file_watch_path (self->watch), path) != 0)
    hl_file_watch_accept (self->watch, path);
}
