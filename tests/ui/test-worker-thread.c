/* SPDX-License-Identifier: MIT */
/* The worker thread: newest request wins, cancel reaches a running job, nothing is lost or freed
 * twice. */
#include "ui/workbench/hl-worker-thread.h"

#include "tests/support/hl-time-limit.h"

#include <stdatomic.h>

#define MANY 2000
#define PATIENCE_S 20
#define PATIENCE_US (PATIENCE_S * G_USEC_PER_SEC)

/* A job that counts to `work`, posting now and then, and says at its end how far it got. */
typedef struct {
  HlJob base;
  int work;
  atomic_int *alive;
} CountJob;

typedef struct {
  HlPost base;
  int counted;
  gboolean cancelled;
} CountPost;

static void free_post (HlPost *post) {
  g_free (post);
}

static void post_count (HlWorker *worker, int counted, gboolean last) {
  CountPost *post = g_new0 (CountPost, 1);
  post->base.free = free_post;
  post->base.last = last;
  post->counted = counted;
  post->cancelled = hl_worker_is_cancelled (worker);
  hl_worker_post (worker, &post->base);
}

static void work (HlJob *base, HlWorker *worker) {
  CountJob *job = (CountJob *)base;
  int counted = 0;

  while (counted < job->work && !hl_worker_is_cancelled (worker)) {
    counted++;
    if (counted % 100 == 0)
      post_count (worker, counted, FALSE);
  }
  post_count (worker, counted, TRUE);
}

static void free_job (HlJob *base) {
  CountJob *job = (CountJob *)base;
  atomic_fetch_sub (job->alive, 1);
  g_free (job);
}

static HlJob *new_job (int amount, atomic_int *alive) {
  CountJob *job = g_new0 (CountJob, 1);
  job->base.work = work;
  job->base.free = free_job;
  job->work = amount;
  job->alive = alive;
  atomic_fetch_add (alive, 1);
  return &job->base;
}

/* Drains until the job with that serial has ended; the last post is copied to *last. */
static int drain_until (HlWorker *worker, guint serial, CountPost *last) {
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  guint newest_seen = 0;
  int ended = 0;

  while (newest_seen < serial) {
    g_assert_false (hl_time_limit_is_over (&patience));
    for (HlPost *post = hl_worker_take (worker), *next; post != NULL; post = next) {
      next = post->next;
      g_assert_cmpuint (post->serial, >=, newest_seen);
      if (post->last) {
        ended++;
        newest_seen = post->serial;
        *last = *(CountPost *)post;
      }
      post->free (post);
    }
    g_thread_yield ();
  }
  return ended;
}

static void test_newest_wins (void) {
  atomic_int alive = 0;
  HlWorker *worker = hl_worker_new ("test");
  CountPost last;
  guint serial = 0;

  for (int i = 0; i < MANY; i++)
    serial = hl_worker_push (worker, new_job (1000 + i, &alive), FALSE);
  int ended = drain_until (worker, serial, &last);
  g_assert_cmpuint (last.base.serial, ==, serial);
  g_assert_cmpint (last.counted, ==, 1000 + MANY - 1);
  g_assert_false (last.cancelled);
  g_assert_cmpint (ended, <=, MANY);
  hl_worker_free (worker);
  g_assert_cmpint (alive, ==, 0);
}

/* Each job would count for ever: only an interrupt lets the next one begin. */
static void test_interrupt (void) {
  atomic_int alive = 0;
  HlWorker *worker = hl_worker_new ("test");
  CountPost last;
  guint serial = 0;

  for (int i = 0; i < 20; i++)
    serial = hl_worker_push (worker, new_job (G_MAXINT, &alive), TRUE);
  serial = hl_worker_push (worker, new_job (250, &alive), TRUE);
  drain_until (worker, serial, &last);
  g_assert_cmpint (last.counted, ==, 250);
  hl_worker_free (worker);
  g_assert_cmpint (alive, ==, 0);
}

static void test_cancel (void) {
  atomic_int alive = 0;
  HlWorker *worker = hl_worker_new ("test");
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);

  hl_worker_push (worker, new_job (G_MAXINT, &alive), FALSE);
  hl_worker_push (worker, new_job (G_MAXINT, &alive), FALSE);
  g_assert_true (hl_worker_is_busy (worker));
  hl_worker_cancel (worker);
  while (hl_worker_is_busy (worker)) {
    g_assert_false (hl_time_limit_is_over (&patience));
    for (HlPost *post = hl_worker_take (worker), *next; post != NULL; post = next) {
      next = post->next;
      post->free (post);
    }
  }
  g_assert_cmpint (alive, ==, 0);
  hl_worker_free (worker);
}

/* Waiting ends with the answer of the newest job, with nothing to wait for, or with the time. */
static void test_wait (void) {
  atomic_int alive = 0;
  HlWorker *worker = hl_worker_new ("test");
  CountPost last;

  hl_worker_wait (worker, g_get_monotonic_time () + PATIENCE_US);
  guint serial = hl_worker_push (worker, new_job (100000, &alive), FALSE);
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  hl_worker_wait (worker, deadline);
  g_assert_cmpint (g_get_monotonic_time (), <, deadline);
  HlPost *newest = NULL;
  for (HlPost *post = hl_worker_take (worker), *next; post != NULL; post = next) {
    next = post->next;
    g_clear_pointer (&newest, g_free);
    newest = post;
  }
  g_assert_cmpuint (newest->serial, ==, serial);
  g_assert_true (newest->last);
  g_free (newest);

  serial = hl_worker_push (worker, new_job (G_MAXINT, &alive), FALSE);
  gint64 until = g_get_monotonic_time () + 20000;
  hl_worker_wait (worker, until);
  g_assert_cmpint (g_get_monotonic_time (), >=, until);
  hl_worker_cancel (worker);
  drain_until (worker, serial, &last);
  g_assert_cmpint (last.counted, <, G_MAXINT);
  hl_worker_free (worker);
  g_assert_cmpint (alive, ==, 0);
}

/* Freed in the middle of everything. */
static void test_free_while_busy (void) {
  atomic_int alive = 0;

  for (int i = 0; i < 50; i++) {
    HlWorker *worker = hl_worker_new ("test");
    hl_worker_push (worker, new_job (G_MAXINT, &alive), FALSE);
    hl_worker_push (worker, new_job (10, &alive), FALSE);
    hl_worker_free (worker);
  }
  g_assert_cmpint (alive, ==, 0);
}

/* --- tasks --- */

typedef struct {
  int sent, answered, wrong;
} Sender;

/* Even ones have an answer, odd ones an error. */
static gpointer double_it (gpointer job, GCancellable *life, GError **error) {
  int number = *(int *)job;

  if (number % 2 == 0)
    return g_memdup2 (&(int){2 * number}, sizeof number);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%d", number);
  return NULL;
}

static void take_cb (gpointer data, gpointer job, gpointer answer, const GError *error) {
  Sender *sender = data;
  int number = *(int *)job;
  g_autofree int *twice = answer;
  g_autofree char *said = g_strdup_printf ("%d", number);

  sender->answered++;
  if (number % 2 == 0)
    sender->wrong += twice == NULL || *twice != 2 * number || error != NULL;
  else
    sender->wrong += twice != NULL || error == NULL || g_strcmp0 (error->message, said) != 0;
}

static void send (Sender *sender, GObject *keep, GCancellable *life, int number) {
  hl_task_start (&(HlTask){.work = double_it,
                           .done = take_cb,
                           .free_job = g_free,
                           .free_answer = g_free,
                           .sender = sender,
                           .keep = keep,
                           .life = life},
                 g_memdup2 (&number, sizeof number));
  sender->sent++;
}

/* Each is answered once, on the thread that sent it; what is cancelled never is, and lets go of
 * what it kept. */
static void test_tasks (void) {
  Sender sender = {0}, gone = {0};
  g_autoptr (GCancellable) life = g_cancellable_new ();
  GObject *keep = g_object_new (G_TYPE_OBJECT, NULL);
  gpointer weak = keep;
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);

  g_object_add_weak_pointer (keep, &weak);
  for (int number = 0; number < 40; number++) {
    send (&sender, keep, NULL, number);
    send (&gone, keep, life, number);
  }
  g_cancellable_cancel (life);
  g_object_unref (keep);
  while (weak != NULL) {
    g_assert_false (hl_time_limit_is_over (&patience));
    g_main_context_iteration (NULL, FALSE);
  }
  g_assert_cmpint (sender.answered, ==, sender.sent);
  g_assert_cmpint (sender.wrong, ==, 0);
  g_assert_cmpint (gone.answered, ==, 0);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker-thread/newest-wins", test_newest_wins);
  g_test_add_func ("/worker-thread/interrupt", test_interrupt);
  g_test_add_func ("/worker-thread/cancel", test_cancel);
  g_test_add_func ("/worker-thread/wait", test_wait);
  g_test_add_func ("/worker-thread/free-while-busy", test_free_while_busy);
  g_test_add_func ("/worker-thread/tasks", test_tasks);
  return g_test_run ();
}
