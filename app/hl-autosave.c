/* SPDX-License-Identifier: MIT */
/* A change starts the clock unless it runs already, so that somebody who never pauses is kept too.
 * While a write is under way the next one waits for it. */
#include "app/hl-autosave.h"

#include "app/hl-settings.h"

struct _HlAutosave
{
  HlWorkbench *workbench;
  HlRecoverySlot *slot;
  GSettings *settings;
  guint timeout;
  gboolean is_writing;
  gboolean has_failed;
  GCancellable *life; /* cancelled with the autosave: a late answer finds nobody */
  void (*report) (const char *message, gpointer data);
  gpointer report_data;
};

typedef struct
{
  HlRecoverySlot *slot;
  guint ticket;
  HlDocument *document;
  char *path;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  hl_recovery_slot_unref (job->slot);
  hl_document_unref (job->document);
  g_free (job->path);
  g_free (job);
}

static void
work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;

  if (hl_recovery_slot_write (job->slot, job->ticket, job->document, job->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void start_clock (HlAutosave *self);

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  HlAutosave *self = data;
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
    return;
  self->is_writing = FALSE;
  if (!ok && !self->has_failed && self->report != NULL)
    self->report (error->message, self->report_data);
  self->has_failed = !ok;
}

static gboolean
timeout_cb (gpointer data)
{
  HlAutosave *self = data;

  self->timeout = 0;
  if (self->is_writing) {
    start_clock (self);
    return G_SOURCE_REMOVE;
  }
  if (!hl_workbench_is_modified (self->workbench))
    return G_SOURCE_REMOVE;
  Job *job = g_new0 (Job, 1);
  job->slot = hl_recovery_slot_ref (self->slot);
  job->ticket = hl_recovery_slot_ticket (self->slot);
  job->document = hl_document_ref (hl_workbench_document (self->workbench));
  job->path = g_strdup (hl_workbench_path (self->workbench));
  g_autoptr (GTask) task = g_task_new (NULL, self->life, written_cb, self);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, job_free);
  self->is_writing = TRUE;
  g_task_run_in_thread (task, work);
  return G_SOURCE_REMOVE;
}

static void
start_clock (HlAutosave *self)
{
  if (self->timeout == 0)
    self->timeout =
        g_timeout_add_seconds (hl_settings_autosave_seconds (self->settings), timeout_cb, self);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlAutosave *self)
{
  if (!(changes &
        (HL_CHANGED_FILE | HL_CHANGED_HISTORY | HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS)))
    return;
  if (hl_workbench_is_modified (workbench)) {
    start_clock (self);
    return;
  }
  g_clear_handle_id (&self->timeout, g_source_remove);
  hl_recovery_slot_clear (self->slot);
}

HlAutosave *
hl_autosave_new (HlWorkbench *workbench, HlRecovery *recovery, GSettings *settings)
{
  HlAutosave *self = g_new0 (HlAutosave, 1);

  self->workbench = g_object_ref (workbench);
  self->slot = hl_recovery_slot_new (recovery);
  self->settings = settings != NULL ? g_object_ref (settings) : NULL;
  self->life = g_cancellable_new ();
  g_signal_connect (workbench, "changed", G_CALLBACK (changed_cb), self);
  return self;
}

void
hl_autosave_free (HlAutosave *self)
{
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->workbench, self);
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_cancellable_cancel (self->life);
  hl_recovery_slot_clear (self->slot);
  hl_recovery_slot_unref (self->slot);
  g_clear_object (&self->settings);
  g_clear_object (&self->life);
  g_clear_object (&self->workbench);
  g_free (self);
}

gboolean
hl_autosave_write_now (HlAutosave *self, GError **error)
{
  if (!hl_workbench_is_modified (self->workbench))
    return TRUE;
  return hl_recovery_slot_write (self->slot, hl_recovery_slot_ticket (self->slot),
                                 hl_workbench_document (self->workbench),
                                 hl_workbench_path (self->workbench), error);
}

void
hl_autosave_set_report (HlAutosave *self,
                        void (*report) (const char *message, gpointer data),
                        gpointer data)
{
  self->report = report;
  self->report_data = data;
}
