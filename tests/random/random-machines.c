/* SPDX-License-Identifier: MIT */
/* random-machines [--known FILE] [N] [SEED[:FIRST]]: draws N machines and checks each as listed in hl-random-checks.h; first
 * of those that failed once, a line SEED:MACHINE each in FILE.
 *
 * The machines are looked at in processes of their own, a batch each, so that a crash or a hang is
 * one failure with a number like any other; HL_JOBS of them at a time, as many as there are processors by default.
 * HL_RANDOM_REST=0 leaves the equilibria out. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/random/hl-random-checks.h"

#define BATCH 25
/* For one machine: of processor time, for the machine this runs on may be busy; and by the clock,
 * for what waits uses none. */
#define MOST_SECONDS 60
#define MOST_WAITING 1800
#define MOST_JOBS 64

/* Shared with the process that looks. */
typedef struct {
  HlRandomReport report;
  guint32 at;
} Shared;

/* One of those that work side by side: a run of machines of one seed. */
typedef struct {
  guint32 seed, first, end;
} Batch;

static void look_at (Shared *shared, const Batch *batch, guint32 first) {
  const struct itimerval limit = {.it_value = {.tv_sec = MOST_SECONDS}};

  shared->report.seed = batch->seed;
  for (shared->at = first; shared->at < batch->end; shared->at++) {
    setitimer (ITIMER_PROF, &limit, NULL);
    alarm (MOST_WAITING);
    shared->report.index = shared->at;
    hl_random_check (&shared->report);
    fflush (NULL);
  }
}

/* Reports why the process that examined machine shared->at died. */
static void report_death (Shared *shared, const Batch *batch, int how) {
  HlRandomReport *report = &shared->report;
  json_t *drawn = hl_draw_machine (batch->seed, shared->at);

  report->seed = batch->seed;
  report->text = json_dumps (drawn, JSON_INDENT (2) | JSON_REAL_PRECISION (17));
  json_decref (drawn);
  report->index = shared->at;
  report->failed = false;
  if (WIFSIGNALED (how) && WTERMSIG (how) == SIGPROF)
    hl_random_fail (report, "hangs: more than %d s of processor time", MOST_SECONDS);
  else if (WIFSIGNALED (how) && WTERMSIG (how) == SIGALRM)
    hl_random_fail (report, "waits: more than %d s", MOST_WAITING);
  else
    hl_random_fail (report, "crashed: %s", WIFSIGNALED (how) ? strsignal (WTERMSIG (how)) : "sanitizer");
  free (report->text);
}

/* Runs one batch. A process that crashes leaves the report unchanged, and another process continues. */
static void run_batch (Shared *shared, const Batch *batch) {
  for (guint32 first = batch->first; first < batch->end; first = shared->at + 1) {
    fflush (NULL);
    pid_t child = fork ();
    if (child == 0) {
      look_at (shared, batch, first);
      _exit (0);
    }
    int how = 0;
    waitpid (child, &how, 0);
    shared->report.text = NULL; /* it was the child's */
    if (WIFEXITED (how) && WEXITSTATUS (how) == 0)
      return;
    if (WIFSIGNALED (how) && WTERMSIG (how) == SIGINT)
      _exit (130);
    report_death (shared, batch, how);
    shared->report.text = NULL;
  }
}

static int n_jobs (int n_batches) {
  const char *told = g_getenv ("HL_JOBS");
  int n = told != NULL ? atoi (told) : (int)g_get_num_processors ();

  return CLAMP (n, 1, MIN (n_batches, MOST_JOBS));
}

/* Runs all batches, `jobs` at a time, each job with a report of its own; their sum is in `sum`. */
static void run_batches (const GArray *batches, HlRandomReport *sum) {
  int jobs = n_jobs ((int)batches->len);
  size_t size = (size_t)jobs * sizeof (Shared) + sizeof (int);
  Shared *shared = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (shared == MAP_FAILED)
    g_error ("no memory");
  int *next = (int *)(void *)(shared + jobs);
  for (int job = 0; job < jobs; job++) {
    shared[job].report = *sum;
    fflush (NULL);
    if (fork () != 0)
      continue;
    for (int k; (k = __atomic_fetch_add (next, 1, __ATOMIC_RELAXED)) < (int)batches->len;)
      run_batch (&shared[job], &g_array_index (batches, Batch, k));
    fflush (NULL);
    _exit (0);
  }
  for (int how; wait (&how) > 0;)
    if (!WIFEXITED (how) || WEXITSTATUS (how) != 0)
      exit (WIFEXITED (how) ? WEXITSTATUS (how) : 1);
  for (int job = 0; job < jobs; job++)
    hl_random_add (sum, &shared[job].report);
  munmap (shared, size);
}

static void add_range (GArray *batches, guint32 seed, guint32 first, guint32 end) {
  for (; first < end; first += MIN (BATCH, end - first)) {
    Batch batch = {seed, first, first + MIN (BATCH, end - first)};
    g_array_append_val (batches, batch);
  }
}

/* Reads lines SEED:MACHINE; the text after a blank is a remark. */
static void add_known (GArray *batches, const char *path) {
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (int k = 0; lines[k] != NULL; k++) {
    guint32 seed, machine;
    if (sscanf (lines[k], "%u:%u", &seed, &machine) == 2)
      add_range (batches, seed, machine, machine + 1);
  }
}

int main (int argc, char *argv[]) {
  g_autoptr (GArray) batches = g_array_new (FALSE, FALSE, sizeof (Batch));
  HlRandomReport report = {.with_rest = g_strcmp0 (g_getenv ("HL_RANDOM_REST"), "0") != 0,
                           .program = g_getenv ("HL_PROGRAM"),
                           .folder = g_getenv ("HL_RANDOM_DIR")};

  if (argc > 2 && strcmp (argv[1], "--known") == 0) {
    add_known (batches, argv[2]);
    printf ("# %u random machines that failed once\n", batches->len);
    argc -= 2;
    argv += 2;
  }
  long n = argc > 1 ? strtol (argv[1], NULL, 10) : 100;
  char *rest = NULL;
  guint32 seed = argc > 2 ? (guint32)strtoul (argv[2], &rest, 10) : g_random_int ();
  guint32 first = rest != NULL && *rest == ':' ? (guint32)strtoul (rest + 1, NULL, 10) : 0;
  if (n <= 0) {
    fprintf (stderr, "usage: random-machines [--known FILE] [N] [SEED[:FIRST]]\n");
    return 2;
  }
  printf ("# %ld random machines of seed %u from number %u on\n", n, seed, first);
  add_range (batches, seed, first, first + (guint32)n);
  if (g_getenv ("HL_RANDOM_SAID") != NULL)
    report.said = fopen (g_getenv ("HL_RANDOM_SAID"), "a");
  run_batches (batches, &report);
  hl_random_print (&report);
  printf ("%ld passed, %ld failed\n", report.n_machines - report.n_failed, report.n_failed);
  return report.n_failed > 0 ? 1 : 0;
}
