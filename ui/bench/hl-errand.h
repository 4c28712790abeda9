/* SPDX-License-Identifier: MIT */
/* HlErrand: something that is worked out once by a thread of its own and answered on the thread
 * that sent it. Who wants jobs that replace each other takes an HlWorker. */
#pragma once

#include <gio/gio.h>

typedef struct {
  /* In the errand's thread. The answer, or NULL with an error or without one. `life` may be NULL. */
  gpointer (*work) (gpointer job, GCancellable *life, GError **error);
  /* On the sender's thread, from its main context; takes the answer. Not called once `life` is
   * cancelled: who sent it may be gone then. */
  void (*done) (gpointer sender, gpointer job, gpointer answer, const GError *error);
  GDestroyNotify free_job;    /* NULL: not owned */
  GDestroyNotify free_answer; /* of an answer that nobody takes; NULL: not owned */
  gpointer sender;            /* borrowed: cancel `life` before it goes */
  GObject *keep;              /* referenced until the answer is there; NULL: nothing */
  GCancellable *life;         /* NULL: always answered */
} HlErrand;

/* Takes the job. */
void hl_errand_send (const HlErrand *errand, gpointer job);
