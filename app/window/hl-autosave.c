/* SPDX-License-Identifier: MIT */
/* The first change is written at once: who dies within seconds leaves it. A later one starts the
 * clock unless it runs already, so that somebody who never pauses is kept too. While a write is
 * under way the next one waits for it. */
#include "app/window/hl-autosave.h"

#include "app/window/hl-settings.h"
#include "ui/bench/hl-errand.h"
#include "ui/bench/hl-editing.h"

struct _HlAutosave {
  HlWorkbench *workbench;
  HlRecoverySlot *slot;
  GSettings *settings;
  guint timeout;
  gboolean is_writing;
  gboolean is_begun; /* since the document was clean a write was begun */
  gboolean has_failed;
  GCancellable *life; /* cancelled with the autosave: a late answer finds nobody */
  void (*report) (const char *message, gpointer data);
  gpointer report_data;
};

typedef struct {
  HlRecoverySlot *slot;
  guint ticket;
  HlDocument *document;
  char *path;
} Job;

static void job_free (gpointer data) {
  Job *job = data;
  hl_recovery_slot_unref (job->slot);
  hl_document_unref (job->document);
  g_free (job->path);
  g_free (job);
}

static gpointer work (gpointer data, GCancellable *life, GError **error) {
  const Job *job = data;

  return hl_recovery_slot_write (job->slot, job->ticket, job->document, job->path, error) ? data : NULL;
}

static void start_write (HlAutosave *self);

static void tell (HlAutosave *self, const char *message) {
  if (self->report != NULL)
    self->report (message, self->report_data);
}

static void written_cb (gpointer sender, gpointer job, gpointer written, const GError *error) {
  HlAutosave *self = sender;
  gboolean ok = written != NULL;

  self->is_writing = FALSE;
  if (ok == self->has_failed)
    tell (self, ok ? NULL : error->message);
  self->has_failed = !ok;
  /* saved and changed again meanwhile */
  if (!self->is_begun && hl_editing_is_modified (hl_workbench_editing (self->workbench)))
    start_write (self);
}

static void start_write (HlAutosave *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  Job *job = g_new0 (Job, 1);

  job->slot = hl_recovery_slot_ref (self->slot);
  job->ticket = hl_recovery_slot_ticket (self->slot);
  job->document = hl_document_ref (hl_editing_document (editing));
  job->path = g_strdup (hl_editing_path (editing));
  self->is_writing = TRUE;
  self->is_begun = TRUE;
  hl_errand_send (
      &(HlErrand){.work = work, .done = written_cb, .free_job = job_free, .sender = self, .life = self->life},
      job);
}

static void start_clock (HlAutosave *self);

static gboolean timeout_cb (gpointer data) {
  HlAutosave *self = data;

  self->timeout = 0;
  if (self->is_writing)
    start_clock (self);
  else if (hl_editing_is_modified (hl_workbench_editing (self->workbench)))
    start_write (self);
  return G_SOURCE_REMOVE;
}

static void start_clock (HlAutosave *self) {
  if (self->timeout == 0)
    self->timeout = g_timeout_add_seconds (hl_settings_autosave_seconds (self->settings), timeout_cb, self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlAutosave *self) {
  if (!(changes & (HL_CHANGED_FILE | HL_CHANGED_HISTORY | HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS)))
    return;
  if (hl_editing_is_modified (hl_workbench_editing (workbench))) {
    if (self->is_begun)
      start_clock (self);
    else if (!self->is_writing)
      start_write (self);
    return;
  }
  self->is_begun = FALSE;
  g_clear_handle_id (&self->timeout, g_source_remove);
  hl_recovery_slot_clear (self->slot);
}

HlAutosave *hl_autosave_new (HlWorkbench *workbench, HlRecovery *recovery, GSettings *settings) {
  HlAutosave *self = g_new0 (HlAutosave, 1);

  self->workbench = g_object_ref (workbench);
  self->slot = hl_recovery_slot_new (recovery);
  self->settings = settings != NULL ? g_object_ref (settings) : NULL;
  self->life = g_cancellable_new ();
  g_signal_connect (workbench, "changed", G_CALLBACK (changed_cb), self);
  return self;
}

void hl_autosave_free (HlAutosave *self) {
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

gboolean hl_autosave_write_now (HlAutosave *self, GError **error) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  if (!hl_editing_is_modified (editing))
    return TRUE;
  self->is_begun = TRUE;
  return hl_recovery_slot_write (self->slot, hl_recovery_slot_ticket (self->slot),
                                 hl_editing_document (editing), hl_editing_path (editing), error);
}

void hl_autosave_set_report (HlAutosave *self, void (*report) (const char *message, gpointer data),
                             gpointer data) {
  self->report = report;
  self->report_data = data;
}
