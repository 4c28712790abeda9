/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-restarting-computation.h"

#include "ui/workbench/hl-worker-thread.h"

struct _HlStudyRun {
  const HlStudyKind *kind;
  GtkWindow *window;
  GCancellable *life; /* of the computation under way */
  guint due;          /* source of the next one */
  bool is_closed;     /* the window is; a run that ends late may keep it */
};

static void done_cb (gpointer sender, gpointer job, gpointer answer, const GError *error) {
  HlStudyRun *self = sender;

  g_clear_object (&self->life);
  self->kind->done (self->window, job, answer, error);
}

static void stop_run (HlStudyRun *self) {
  if (self->life != NULL)
    g_cancellable_cancel (self->life);
  g_clear_object (&self->life);
}

static gboolean due_cb (gpointer data) {
  HlStudyRun *self = data;

  self->due = 0;
  stop_run (self);
  gpointer job = self->kind->begin (self->window);
  if (job == NULL)
    return G_SOURCE_REMOVE;
  self->life = g_cancellable_new ();
  hl_task_start (&(HlTask){.work = self->kind->work,
                           .done = done_cb,
                           .free_job = self->kind->free_job,
                           .free_answer = self->kind->free_answer,
                           .sender = self,
                           .keep = G_OBJECT (self->window),
                           .life = self->life},
                 job);
  return G_SOURCE_REMOVE;
}

/* Stops the run and detaches the window from its parent: the run may keep the closed window longer than its
 * parent exists, which GTK does not support. */
static void closed_cb (GtkWindow *window, HlStudyRun *self) {
  self->is_closed = true;
  g_clear_handle_id (&self->due, g_source_remove);
  stop_run (self);
  gtk_window_set_transient_for (window, NULL);
}

HlStudyRun *hl_study_run_new (const HlStudyKind *kind, GtkWindow *window) {
  HlStudyRun *self = g_new0 (HlStudyRun, 1);

  self->kind = kind;
  self->window = window;
  g_signal_connect (window, "unrealize", G_CALLBACK (closed_cb), self);
  return self;
}

void hl_study_run_free (HlStudyRun *self) {
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->window, self);
  g_clear_handle_id (&self->due, g_source_remove);
  stop_run (self);
  g_free (self);
}

void hl_study_run_request (HlStudyRun *self) {
  if (self->is_closed)
    return;
  g_clear_handle_id (&self->due, g_source_remove);
  self->due = g_timeout_add (self->kind->pause_ms, due_cb, self);
}

bool hl_study_run_is_busy (const HlStudyRun *self) {
  return self->life != NULL || self->due != 0;
}

bool hl_study_run_is_cancelled (void *life) {
  return g_cancellable_is_cancelled (life);
}
