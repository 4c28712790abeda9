/* SPDX-License-Identifier: MIT */
/* Jobs are passed to the thread by one GAsyncQueue and posts come back by another. The queue of jobs holds at
 * most one job, or the order to quit. Each transfer also increments a C11 counter, which the receiver reads
 * after taking an item: the lock of a GAsyncQueue synchronises as well, but GLib is not instrumented, and the
 * thread sanitizer needs to see the synchronisation.
 */
#include "ui/workbench/hl-worker-thread.h"

#include <stdatomic.h>
#include <stdbool.h>

/* The thread is made for the task and what it found is published by one C11 atomic: both are
 * seen by a thread sanitizer, which GLib's own pool is not, as its locks are not instrumented. The
 * thread leaves everything behind for the sender's thread to free. */

typedef struct {
  HlTask task;
  gpointer job, answer;
  GError *error;
  GMainContext *context;
  atomic_bool is_done;
} Trip;

static void free_trip (gpointer data) {
  Trip *trip = data;

  if (trip->answer != NULL && trip->task.free_answer != NULL)
    trip->task.free_answer (trip->answer);
  if (trip->task.free_job != NULL)
    trip->task.free_job (trip->job);
  g_clear_error (&trip->error);
  g_clear_object (&trip->task.life);
  g_clear_object (&trip->task.keep);
  g_main_context_unref (trip->context);
  g_free (trip);
}

static gboolean return_cb (gpointer data) {
  Trip *trip = data;

  if (!atomic_load_explicit (&trip->is_done, memory_order_acquire))
    return G_SOURCE_CONTINUE;
  if (trip->task.life == NULL || !g_cancellable_is_cancelled (trip->task.life))
    trip->task.done (trip->task.sender, trip->job, g_steal_pointer (&trip->answer), trip->error);
  return G_SOURCE_REMOVE;
}

static gpointer run_job (gpointer data) {
  Trip *trip = data;
  g_autoptr (GSource) source = g_idle_source_new ();
  g_autoptr (GMainContext) context = g_main_context_ref (trip->context);

  trip->answer = trip->task.work (trip->job, trip->task.life, &trip->error);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, return_cb, trip, free_trip);
  atomic_store_explicit (&trip->is_done, true, memory_order_release);
  g_source_attach (source, context); /* from here on it is the sender's */
  return NULL;
}

void hl_task_start (const HlTask *task, gpointer job) {
  Trip *trip = g_new0 (Trip, 1);

  trip->task = *task;
  trip->job = job;
  if (task->life != NULL)
    g_object_ref (task->life);
  if (task->keep != NULL)
    g_object_ref (task->keep);
  trip->context = g_main_context_ref_thread_default ();
  g_thread_unref (g_thread_new ("task", run_job, trip));
}

struct _HlWorker {
  GThread *thread;
  GAsyncQueue *jobs;     /* HlJob, one at most; or quit_job */
  GAsyncQueue *posts;    /* HlPost */
  HlPost *first, *last;  /* posts that a wait has taken off the queue already */
  guint answered;        /* serial of the last post that ended a job */
  guint newest;          /* serial of the last job pushed */
  atomic_uint cancelled; /* jobs up to this serial are to stop */
  atomic_uint running;   /* serial of the job at work; written by the thread only */
  atomic_int unsettled;  /* jobs that were pushed and neither ended nor were dropped */
  atomic_int untaken;    /* posts that were sent and not taken */
  atomic_bool quit;
};

static HlJob quit_job; /* makes the thread leave its loop; only its address counts */

static void settle_job (HlWorker *worker, HlJob *job) {
  if (job == NULL)
    return;
  job->free (job);
  atomic_fetch_sub (&worker->unsettled, 1);
}

/* Replaces the waiting job, which is freed; NULL: none waits then. */
static void set_waiting (HlWorker *worker, HlJob *job) {
  g_async_queue_lock (worker->jobs);
  HlJob *before = g_async_queue_try_pop_unlocked (worker->jobs);
  if (job != NULL)
    g_async_queue_push_unlocked (worker->jobs, job);
  g_async_queue_unlock (worker->jobs);
  settle_job (worker, before);
}

static gpointer worker_main (gpointer data) {
  HlWorker *worker = data;
  HlJob *job;

  while ((job = g_async_queue_pop (worker->jobs)) != &quit_job) {
    (void)atomic_load (&worker->unsettled); /* publishes the job */
    atomic_store (&worker->running, job->serial);
    if (!hl_worker_is_cancelled (worker))
      job->work (job, worker);
    settle_job (worker, job);
  }
  return NULL;
}

HlWorker *hl_worker_new (const char *name) {
  HlWorker *worker = g_new0 (HlWorker, 1);
  worker->jobs = g_async_queue_new ();
  worker->posts = g_async_queue_new ();
  worker->thread = g_thread_new (name, worker_main, worker);
  return worker;
}

void hl_worker_free (HlWorker *worker) {
  if (worker == NULL)
    return;
  hl_worker_cancel (worker);
  atomic_store (&worker->quit, true);
  g_async_queue_push (worker->jobs, &quit_job);
  g_thread_join (worker->thread);

  for (HlPost *post = hl_worker_take (worker), *next; post != NULL; post = next) {
    next = post->next;
    post->free (post);
  }
  g_async_queue_unref (worker->jobs);
  g_async_queue_unref (worker->posts);
  g_free (worker);
}

guint hl_worker_push (HlWorker *worker, HlJob *job, gboolean interrupt) {
  job->serial = ++worker->newest;
  if (interrupt)
    atomic_store (&worker->cancelled, job->serial - 1);
  atomic_fetch_add (&worker->unsettled, 1);
  set_waiting (worker, job);
  return worker->newest;
}

void hl_worker_cancel (HlWorker *worker) {
  atomic_store (&worker->cancelled, worker->newest);
  set_waiting (worker, NULL);
}

guint hl_worker_begun (HlWorker *worker) {
  return atomic_load (&worker->running);
}

gboolean hl_worker_is_busy (HlWorker *worker) {
  return hl_worker_is_working (worker) || atomic_load (&worker->untaken) != 0;
}

gboolean hl_worker_is_working (HlWorker *worker) {
  return atomic_load (&worker->unsettled) != 0;
}

bool hl_worker_is_cancelled (HlWorker *worker) {
  /* Serials only grow; a job is cancelled when its serial is at or below the mark. */
  return atomic_load_explicit (&worker->running, memory_order_relaxed) <=
             atomic_load_explicit (&worker->cancelled, memory_order_acquire) ||
         atomic_load_explicit (&worker->quit, memory_order_relaxed);
}

void hl_worker_post (HlWorker *worker, HlPost *post) {
  post->next = NULL;
  post->serial = atomic_load_explicit (&worker->running, memory_order_relaxed);
  atomic_fetch_add (&worker->untaken, 1);
  g_async_queue_push (worker->posts, post);
}

/* Adds a post, after the requests that were removed from the queue before. Called by the owner. */
static void keep_post (HlWorker *worker, HlPost *post) {
  (void)atomic_load (&worker->untaken); /* publishes the post */
  if (post->last)
    worker->answered = post->serial;
  if (worker->last != NULL)
    worker->last->next = post;
  else
    worker->first = post;
  worker->last = post;
}

void hl_worker_wait (HlWorker *worker, gint64 until_us) {
  while (hl_worker_is_working (worker) && worker->answered != worker->newest) {
    gint64 left_us = until_us - g_get_monotonic_time ();
    HlPost *post = g_async_queue_timeout_pop (worker->posts, (guint64)MAX (left_us, 0));
    if (post == NULL)
      break;
    keep_post (worker, post);
  }
}

HlPost *hl_worker_take (HlWorker *worker) {
  HlPost *post;
  int taken = 0;

  while ((post = g_async_queue_try_pop (worker->posts)) != NULL)
    keep_post (worker, post);
  HlPost *oldest = worker->first;
  for (post = oldest; post != NULL; post = post->next)
    taken++;
  worker->first = worker->last = NULL;
  if (taken > 0)
    atomic_fetch_sub (&worker->untaken, taken);
  return oldest;
}
