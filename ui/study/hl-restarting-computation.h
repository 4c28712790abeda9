/* SPDX-License-Identifier: MIT */
/* HlStudyRun: the computation of a window whose content depends on the model. It is requested at every
 * change, starts when the changes pause, runs in its own thread, and is cancelled when the next one starts or
 * the window closes. */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

typedef struct {
  guint pause_ms; /* a slider that is dragged requests when it rests */
  /* On the window's thread: the job from the model of now; NULL: there is nothing to compute. */
  gpointer (*begin) (gpointer window);
  /* In the run's thread, as HlTask.work. */
  gpointer (*work) (gpointer job, GCancellable *life, GError **error);
  /* On the window's thread; takes the answer. The run is over by then. */
  void (*done) (gpointer window, gpointer job, gpointer answer, const GError *error);
  GDestroyNotify free_job, free_answer;
} HlStudyKind;

typedef struct _HlStudyRun HlStudyRun;

/* Returns a run of a study. `kind` is static; `window` is borrowed: free the run in its dispose. */
HlStudyRun *hl_study_run_new (const HlStudyKind *kind, GtkWindow *window);
/* Cancels what is under way without a notification; NULL: nothing. */
void hl_study_run_free (HlStudyRun *self);
/* Starts from the model at the time when the changes pause. Not for a window that is closed. */
void hl_study_run_request (HlStudyRun *self);
/* Returns whether a computation is running or due. */
bool hl_study_run_is_busy (const HlStudyRun *self);
/* Returns whether the run was cancelled, for HlSimOptions.cancel; `life` is the GCancellable that `work` was
 * given. */
bool hl_study_run_is_cancelled (void *life);
