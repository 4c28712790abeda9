/* SPDX-License-Identifier: MIT */
/* Work in threads of its own: HlTask for what is computed once, HlWorker for jobs that replace each other.
 *
 * HlWorker: one thread for the lifetime of its owner. A new job replaces the pending one; the thread returns results as
 * a list of posts, which the owner drains at a time of its choice. Two GAsyncQueue carry them; no lock is held while
 * working. */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <stdbool.h>

typedef struct _HlWorker HlWorker;
typedef struct _HlJob HlJob;
typedef struct _HlPost HlPost;

/* Base of every job; the owner embeds it as first member. */
struct _HlJob {
  guint serial;                                /* given by hl_worker_push */
  void (*work) (HlJob *job, HlWorker *worker); /* in the thread */
  void (*free) (HlJob *job);                   /* in either thread */
};

/* Base of everything the thread sends back; embedded as first member. */
struct _HlPost {
  HlPost *next;
  guint serial;  /* of the job it belongs to */
  gboolean last; /* the job's final post */
  void (*free) (HlPost *post);
};

HlWorker *hl_worker_new (const char *name);
/* Cancels, joins and frees. */
void hl_worker_free (HlWorker *worker);

/* Takes the job; frees one that still waits. With `interrupt` the running job is cancelled too.
 * Returns the serial, > 0. */
guint hl_worker_push (HlWorker *worker, HlJob *job, gboolean interrupt);
/* Cancels the running job and drops the waiting one. */
void hl_worker_cancel (HlWorker *worker);
/* Returns the serial of the job that began last; 0: none yet. */
guint hl_worker_begun (HlWorker *worker);
/* Returns whether a job waits, runs, or has posts that were not taken. */
gboolean hl_worker_is_busy (HlWorker *worker);
/* Returns whether a job waits or runs: freeing the worker would have to wait. */
gboolean hl_worker_is_working (HlWorker *worker);

/* --- for work functions --- */

/* Returns whether the running job should stop; cheap enough for every integration step. */
bool hl_worker_is_cancelled (HlWorker *worker);
/* Takes the post. */
void hl_worker_post (HlWorker *worker, HlPost *post);

/* --- for the owner --- */

/* Sleeps until the job pushed last has sent its last post, or until then (monotonic time). */
void hl_worker_wait (HlWorker *worker, gint64 until_us);
/* Returns all posts since the last call, oldest first, linked by next; the caller frees each. */
HlPost *hl_worker_take (HlWorker *worker);

/* HlTask: something that is computed once by a thread of its own and answered on the thread
 * that sent it. For jobs that replace each other use an HlWorker. */

typedef struct {
  /* In the task's thread. The answer, or NULL with an error or without one. `life` may be NULL. */
  gpointer (*work) (gpointer job, GCancellable *life, GError **error);
  /* On the sender's thread, from its main context; takes the answer. Not called once `life` is cancelled: the sender
   * may be freed then. */
  void (*done) (gpointer sender, gpointer job, gpointer answer, const GError *error);
  GDestroyNotify free_job;    /* NULL: not owned */
  GDestroyNotify free_answer; /* of an answer without a receiver; NULL: not owned */
  gpointer sender;            /* borrowed: cancel `life` before it goes */
  GObject *keep;              /* referenced until the answer is there; NULL: nothing */
  GCancellable *life;         /* NULL: always answered */
} HlTask;

/* Takes the job. */
void hl_task_start (const HlTask *task, gpointer job);
