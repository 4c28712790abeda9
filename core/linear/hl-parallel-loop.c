/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity (), before any header */
#include "core/linear/hl-parallel-loop.h"

#include <sched.h>
#include <stdatomic.h>

#include <glib.h>

#include "core/math/hl-linalg.h"

#define TICK_US 50000
#define MOST_THREADS 1024

typedef struct {
  const HlParallel *parallel;
  atomic_int next; /* piece */
  GMutex lock;
  GCond ended;
  /* Threads besides the caller's. Changed under the lock, for the wait; atomic as well, so that tools which follow C11
     but not GLib's locks see the order of the writes. */
  atomic_int n_busy;
} Team;

typedef struct {
  Team *team;
  int place;
} Member;

/* Returns the number of processors. GLib 2.74 takes the answer of sched_getaffinity () for a count, which the
 * C library's is not, and counts all that the machine has. */
int hl_parallel_n_processors (void) {
  cpu_set_t allowed;
  const char *wanted = g_getenv ("HL_THREADS");
  guint64 n;

  if (wanted != NULL && g_ascii_string_to_unsigned (wanted, 10, 1, MOST_THREADS, &n, NULL))
    return (int)n;
  if (sched_getaffinity (0, sizeof allowed, &allowed) == 0 && CPU_COUNT (&allowed) > 0)
    return CPU_COUNT (&allowed);
  return MAX (1, (int)g_get_num_processors ()); /* more of them than a cpu_set_t holds */
}

int hl_parallel_n_threads (const HlParallel *parallel) {
  int n = parallel->n_threads > 0 ? parallel->n_threads : hl_parallel_n_processors ();

  return CLAMP (n, 1, MAX (parallel->n, 1));
}

static void compute_pieces (Team *team, int place) {
  int index;

  while ((index = atomic_fetch_add (&team->next, 1)) < team->parallel->n)
    team->parallel->work (index, place, team->parallel->data);
}

static gpointer be_member (gpointer data) {
  Member *member = data;
  Team *team = member->team;

  compute_pieces (team, member->place);
  g_mutex_lock (&team->lock);
  atomic_fetch_sub (&team->n_busy, 1);
  g_cond_signal (&team->ended);
  g_mutex_unlock (&team->lock);
  return NULL;
}

static void wait_for_others (Team *team) {
  const HlParallel *parallel = team->parallel;

  g_mutex_lock (&team->lock);
  while (atomic_load (&team->n_busy) > 0) {
    gint64 until = g_get_monotonic_time () + TICK_US;
    if (g_cond_wait_until (&team->ended, &team->lock, until) || parallel->tick == NULL)
      continue;
    g_mutex_unlock (&team->lock);
    parallel->tick (parallel->data);
    g_mutex_lock (&team->lock);
  }
  g_mutex_unlock (&team->lock);
}

void hl_parallel_run (const HlParallel *parallel) {
  int n = hl_parallel_n_threads (parallel);
  Team team = {.parallel = parallel};
  g_autofree Member *members = g_new (Member, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);

  hl_linalg_use_one_thread ();
  g_mutex_init (&team.lock);
  g_cond_init (&team.ended);
  for (int place = 1; place < n; place++) {
    members[place] = (Member){&team, place};
    g_mutex_lock (&team.lock);
    atomic_fetch_add (&team.n_busy, 1);
    g_mutex_unlock (&team.lock);
    threads[place] = g_thread_try_new ("hl-parallel-loop", be_member, &members[place], NULL);
    if (threads[place] == NULL) { /* fewer do it as well */
      g_mutex_lock (&team.lock);
      atomic_fetch_sub (&team.n_busy, 1);
      g_mutex_unlock (&team.lock);
    }
  }
  compute_pieces (&team, 0);
  wait_for_others (&team);
  for (int place = 1; place < n; place++)
    if (threads[place] != NULL)
      g_thread_join (threads[place]);
  g_mutex_clear (&team.lock);
  g_cond_clear (&team.ended);
}
