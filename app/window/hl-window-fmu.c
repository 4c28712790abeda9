/* SPDX-License-Identifier: MIT */
/* Export > FMU: the model as an FMU or SSP. The C compiler that makes the binary takes its time, so it
 * works in a thread of its own, on the document as it is now. */
#include "app/window/hl-fmu-window.h"
#include "app/window/hl-window-private.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/fmu/hl-fmu-hose.h"
#include "core/io/hl-file-save.h"
#include "ui/bench/hl-editing.h"

#include <string.h>

typedef struct {
  HlDocument *document;
  char **hoses; /* lines and ports; NULL: none */
  char *path;
  GString *notes; /* lines */
} Job;

static void job_free (gpointer data) {
  Job *job = data;

  hl_document_unref (job->document);
  g_string_free (job->notes, TRUE);
  g_strfreev (job->hoses);
  g_free (job->path);
  g_free (job);
}

static void note (const char *text, gpointer data) {
  Job *job = data;

  g_string_append_printf (job->notes, "\n%s", text);
}

/* "four_bar" of "/home/x/four_bar.fmu"; what has no ending is a title itself. */
static char *title_of (const char *path) {
  char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');

  if (dot != NULL)
    *dot = '\0';
  return base;
}

static gboolean work (Job *job, GError **error) {
  g_autofree char *title = title_of (job->path);
  g_autofree char *lower = g_ascii_strdown (job->path, -1);
  HlFmuWish wish = {.title = title, .has_binary = TRUE, .is_ssp = g_str_has_suffix (lower, ".ssp")};
  g_autoptr (HlDocument) document =
      hl_fmu_with_hoses (job->document, (const char *const *)job->hoses, note, job, error);
  g_autoptr (GBytes) bytes = document != NULL ? hl_fmu_export (document, &wish, note, job, error) : NULL;

  if (bytes == NULL)
    return FALSE;
  gsize n;
  const char *text = g_bytes_get_data (bytes, &n);
  return hl_file_save_text (job->path, text, (gssize)n, error);
}

static void work_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable) {
  GError *error = NULL;

  (void)source;
  (void)cancellable;
  if (work (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void done_cb (GObject *source, GAsyncResult *result, gpointer data) {
  HlWindow *self = HL_WINDOW (source);
  const Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  (void)data;
  /* it was closed while the compiler worked: the file is there all the same */
  if (!gtk_widget_get_realized (GTK_WIDGET (self))) {
    g_task_propagate_boolean (G_TASK (result), NULL);
    return;
  }
  if (!g_task_propagate_boolean (G_TASK (result), &error)) {
    hl_banner_show (self->banner, error->message, TRUE);
    return;
  }
  g_autofree char *written = g_strdup_printf (_ ("Written: %s"), job->path);
  g_autofree char *text = g_strconcat (written, job->notes->str, NULL);
  hl_banner_show (self->banner, text, FALSE);
}

/* With the hoses chosen last, without holding up the window. */
static void start (HlWindow *self, const char *path) {
  Job *job = g_new0 (Job, 1);

  job->document = hl_document_ref (hl_editing_document (hl_workbench_editing (self->workbench)));
  job->hoses = g_strdupv (self->fmu_hoses);
  job->path = g_strdup (path);
  job->notes = g_string_new (NULL);
  g_autoptr (GTask) task = g_task_new (self, NULL, done_cb, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, work_in_thread);
  hl_banner_show (self->banner, _ ("The FMU is being written and compiled …"), FALSE);
}

/* Its hoses are ticked the next time, too. */
static void with_hoses_cb (HlFmuWindow *fmu, const char *path, HlWindow *self) {
  g_strfreev (self->fmu_hoses);
  self->fmu_hoses = hl_fmu_window_hoses (fmu);
  start (self, path);
}

static void chosen (gpointer owner, const char *path, const GError *refused) {
  HlWindow *self = owner;

  g_clear_pointer (&self->fmu_hoses, g_strfreev);
  if (path == NULL)
    hl_banner_show (self->banner, refused->message, TRUE);
  else
    start (self, path);
}

HlFmuWindow *hl_window_export_fmu (HlWindow *self) {
  HlFmuWindow *fmu =
      hl_fmu_window_present (self->workbench, GTK_WINDOW (self), (const char *const *)self->fmu_hoses);

  if (fmu != NULL)
    g_signal_connect_object (fmu, "chosen", G_CALLBACK (with_hoses_cb), self, 0);
  else
    hl_fmu_window_ask (self->workbench, chosen, &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
  return fmu;
}
