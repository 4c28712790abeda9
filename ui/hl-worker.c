/* SPDX-License-Identifier: MIT */
/* The slot for the waiting job is one atomic pointer, the posts are a lock-free stack that the
 * owner empties in one exchange. Release on the writing side and acquire on the reading side
 * publish everything a job or post points at. The mutex only lets the thread and its owner sleep.
 */
#include "ui/hl-worker.h"

#include <stdatomic.h>

struct _HlWorker
{
  GThread *thread;
  GMutex mutex;
  GCond wake;   /* there is a job */
  GCond posted; /* there is a post */
  _Atomic (HlJob *) pending;
  _Atomic (HlPost *) posts;
  atomic_uint newest;    /* serial of the last job pushed */
  atomic_uint cancelled; /* jobs up to this serial are to stop */
  atomic_uint running;   /* serial of the job at work; written by the thread only */
  atomic_int unsettled;  /* jobs that were pushed and neither ended nor were dropped */
  atomic_bool quit;
};

static void
settle_job (HlWorker *worker, HlJob *job)
{
  if (job == NULL)
    return;
  job->free (job);
  atomic_fetch_sub (&worker->unsettled, 1);
}

static HlJob *
wait_for_job (HlWorker *worker)
{
  HlJob *job = NULL;
  g_mutex_lock (&worker->mutex);
  while (!atomic_load (&worker->quit) && (job = atomic_exchange (&worker->pending, NULL)) == NULL)
    g_cond_wait (&worker->wake, &worker->mutex);
  g_mutex_unlock (&worker->mutex);
  return job;
}

static gpointer
worker_main (gpointer data)
{
  HlWorker *worker = data;
  HlJob *job;

  while ((job = wait_for_job (worker)) != NULL) {
    atomic_store (&worker->running, job->serial);
    if (!hl_worker_is_cancelled (worker))
      job->work (job, worker);
    settle_job (worker, job);
  }
  return NULL;
}

HlWorker *
hl_worker_new (const char *name)
{
  HlWorker *worker = g_new0 (HlWorker, 1);
  g_mutex_init (&worker->mutex);
  g_cond_init (&worker->wake);
  g_cond_init (&worker->posted);
  worker->thread = g_thread_new (name, worker_main, worker);
  return worker;
}

void
hl_worker_free (HlWorker *worker)
{
  if (worker == NULL)
    return;
  hl_worker_cancel (worker);
  g_mutex_lock (&worker->mutex);
  atomic_store (&worker->quit, true);
  g_cond_signal (&worker->wake);
  g_mutex_unlock (&worker->mutex);
  g_thread_join (worker->thread);

  for (HlPost *post = hl_worker_take (worker), *next; post != NULL; post = next) {
    next = post->next;
    post->free (post);
  }
  settle_job (worker, atomic_exchange (&worker->pending, NULL));
  g_mutex_clear (&worker->mutex);
  g_cond_clear (&worker->wake);
  g_cond_clear (&worker->posted);
  g_free (worker);
}

guint
hl_worker_push (HlWorker *worker, HlJob *job, gboolean interrupt)
{
  guint serial = atomic_load (&worker->newest) + 1;

  job->serial = serial;
  if (interrupt)
    atomic_store (&worker->cancelled, serial - 1);
  atomic_store (&worker->newest, serial);
  atomic_fetch_add (&worker->unsettled, 1);
  g_mutex_lock (&worker->mutex);
  settle_job (worker, atomic_exchange (&worker->pending, job));
  g_cond_signal (&worker->wake);
  g_mutex_unlock (&worker->mutex);
  return serial;
}

void
hl_worker_cancel (HlWorker *worker)
{
  atomic_store (&worker->cancelled, atomic_load (&worker->newest));
  settle_job (worker, atomic_exchange (&worker->pending, NULL));
}

gboolean
hl_worker_is_busy (HlWorker *worker)
{
  return atomic_load (&worker->unsettled) != 0 || atomic_load (&worker->posts) != NULL;
}

guint
hl_worker_newest (HlWorker *worker)
{
  return atomic_load (&worker->newest);
}

bool
hl_worker_is_cancelled (HlWorker *worker)
{
  /* Serials only grow; a job is cancelled when its serial is at or below the mark. */
  return atomic_load_explicit (&worker->running, memory_order_relaxed) <=
             atomic_load_explicit (&worker->cancelled, memory_order_acquire) ||
         atomic_load_explicit (&worker->quit, memory_order_relaxed);
}

void
hl_worker_post (HlWorker *worker, HlPost *post)
{
  post->serial = atomic_load_explicit (&worker->running, memory_order_relaxed);
  HlPost *head = atomic_load_explicit (&worker->posts, memory_order_relaxed);
  do
    post->next = head;
  while (!atomic_compare_exchange_weak_explicit (&worker->posts, &head, post, memory_order_release,
                                                 memory_order_relaxed));
  g_mutex_lock (&worker->mutex);
  g_cond_signal (&worker->posted);
  g_mutex_unlock (&worker->mutex);
}

/* Only the owner takes posts away, so the one that came last stays while the owner looks at it. */
static gboolean
has_answered (HlWorker *worker)
{
  const HlPost *head = atomic_load_explicit (&worker->posts, memory_order_acquire);
  return head != NULL && head->last && head->serial == atomic_load (&worker->newest);
}

void
hl_worker_wait (HlWorker *worker, gint64 until_us)
{
  g_mutex_lock (&worker->mutex);
  while (atomic_load (&worker->unsettled) != 0 && !has_answered (worker))
    if (!g_cond_wait_until (&worker->posted, &worker->mutex, until_us))
      break;
  g_mutex_unlock (&worker->mutex);
}

HlPost *
hl_worker_take (HlWorker *worker)
{
  HlPost *stack = atomic_exchange_explicit (&worker->posts, NULL, memory_order_acquire);
  HlPost *oldest = NULL;

  while (stack != NULL) {
    HlPost *next = stack->next;
    stack->next = oldest;
    oldest = stack;
    stack = next;
  }
  return oldest;
}
