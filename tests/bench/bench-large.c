/* SPDX-License-Identifier: MIT */
/* Measures cost against machine size: rods on pins in a row and as a tree, scissor lifts, volumes of oil in a
 * row; time per body (volume) and step, its growth, and memory.
 *
 *   bench-large                          the table
 *   bench-large run KIND N [SECONDS]     one run, for a profiler
 *   bench-large steps KIND N SECONDS     one run, and what it allocates after its first part of a hundred
 *   bench-large linearize KIND N         one machine's linearization, beside LAPACK's eigenvalues
 *   bench-large write KIND N             the model on standard output
 *   bench-large end FILE SECONDS RTOL    a run of a model: milliseconds, then angles of bodies and pressures of
 *                                        lines at its end, for a comparison (peers.py) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <lapacke.h>

#include "core/io/hl-json-text.h"
#include "core/linear/hl-linearize.h"
#include "core/math/hl-linalg.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-allocations.h"
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-example-model.h"

#define LARGE_ENOUGH 20 /* elements from which on growth is measured */
#define PATIENCE 0.2    /* best of the runs within this time [s] */

typedef struct {
  const char *name, *what;
  HlDocument *(*make) (int n);
  int parts; /* elements by which the time is divided, for one of n */
  int sizes[7];
  double growth; /* largest exponent from 20 elements on */
  double t_end;  /* [s] */
} Kind;

static const Kind kinds[] = {
    {"chain", "rods on pins in a row", hl_test_chain, 1, {1, 5, 20, 80, 160, 300}, 2.0, 0.2},
    {"tree", "two rods on the end of each", hl_test_tree, 1, {1, 5, 20, 80, 160, 300}, 2.0, 0.2},
    {"lift", "bars of a scissor lift", hl_test_scissor_lift, 2, {1, 3, 10, 40, 80, 150}, 1.15, 1.0},
    {"train", "bodies on knife edges in a row", hl_test_train, 1, {2, 5, 20, 80, 160, 300}, 2.0, 0.2},
    {"arms",
     "rods with cylinders and volumes",
     hl_test_driven_chain,
     1,
     {1, 5, 20, 80}, /* of 160 BDF gives up, where a run of the program goes on by Radau */
     2.0,
     0.2},
    {"ladder", "volumes in a row", hl_test_ladder, 1, {1, 5, 20, 100, 300, 1000}, 1.15, 0.2},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static double processor_time (void) {
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the best time of several runs. */
static double run (const Kind *kind, int n, double t_end, double patience, HlSimStats *stats) {
  HlTestModel model = hl_test_model_from_document (kind->make (n));
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  double best = INFINITY, begin = processor_time ();

  options.rtol = 1e-6;
  options.start = HL_START_AS_GIVEN;
  options.t_end = options.every = t_end;
  do {
    double began = processor_time ();
    HlFault fault = {0};
    if (hl_simulate (model.sys, &options, stats, &fault) != HL_OK) {
      fprintf (stderr, "%s of %d: status %d\n", kind->name, n, (int)fault.status);
      exit (1);
    }
    best = fmin (best, processor_time () - began);
  } while (processor_time () - begin < patience);
  hl_test_model_clear (&model);
  return best;
}

typedef struct {
  double seconds;
  long steps;
} Result;

/* Runs in a process of its own, so that its maximum memory is known [kB]. */
static Result run_apart (const Kind *kind, int n, long *memory) {
  int ends[2];
  Result result = {0};
  struct rusage used;

  fflush (stdout);
  if (pipe (ends) != 0)
    exit (1);
  pid_t child = fork ();
  if (child == 0) {
    HlSimStats stats = {0};
    if (n > 0)
      result.seconds = run (kind, n, kind->t_end, PATIENCE, &stats);
    result.steps = stats.steps;
    _exit (write (ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
  }
  close (ends[1]); /* or a child that fails would be waited for without end */
  if (read (ends[0], &result, sizeof result) != sizeof result)
    exit (1);
  close (ends[0]);
  wait4 (child, NULL, 0, &used);
  *memory = used.ru_maxrss;
  return result;
}

static void report (const Kind *kind) {
  double first = NAN, last = NAN, first_bytes = NAN, last_bytes = NAN;
  int first_n = 0, last_n = 0;
  long floor, memory;

  run_apart (kind, 0, &floor);
  printf ("%s\n%8s %8s %10s %22s %10s\n", kind->what, "number", "steps", "ms", "us a body and step", "kB");
  for (int k = 0; kind->sizes[k] > 0; k++) {
    int n = kind->sizes[k] * kind->parts;
    Result result = run_apart (kind, kind->sizes[k], &memory);
    double each = 1e6 * result.seconds / (double)result.steps / n;

    printf ("%8d %8ld %10.2f %22.3f %10ld\n", n, result.steps, 1e3 * result.seconds, each, memory - floor);
    if (n == LARGE_ENOUGH) {
      first = each;
      first_n = n;
      first_bytes = (double)(memory - floor);
    }
    last = each;
    last_n = n;
    last_bytes = (double)(memory - floor);
  }
  double decades = log ((double)last_n / first_n);
  printf ("a step grows by n^%.2f from %d on (wanted n^%.2f), memory by n^%.2f\n\n",
          1.0 + log (last / first) / decades, first_n, kind->growth,
          log (last_bytes / first_bytes) / decades);
}

/* Measures dgeev of the same matrix: right eigenvectors, or left ones as well. */
static double time_of_dgeev (const HlLinearization *lin, bool both) {
  size_t n = (size_t)lin->n;
  g_autofree double *J = g_memdup2 (lin->J, n * n * sizeof *J), *re = g_new (double, n),
                    *im = g_new (double, n), *left = g_new (double, n *n), *right = g_new (double, n *n);
  double began = processor_time ();

  LAPACKE_dgeev (LAPACK_COL_MAJOR, both ? 'V' : 'N', 'V', lin->n, J, lin->n, re, im, left, lin->n, right,
                 lin->n);
  return processor_time () - began;
}

/* Reports the best times of several linearizations of one machine. */
static void report_linearize (const Kind *kind, int n) {
  HlTestModel model = hl_test_model_from_document (kind->make (n));
  HlLinearizeOptions options = hl_linearize_options_default ();
  double best = INFINITY, floor = INFINITY, of_right = INFINITY, begin = processor_time ();
  int n_states = 0;

  options.vectors = true;
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  for (int round = 0; round < 3 || processor_time () - begin < PATIENCE; round++) {
    double began = processor_time ();
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    best = fmin (best, processor_time () - began);
    floor = fmin (floor, time_of_dgeev (lin, true));
    of_right = fmin (of_right, time_of_dgeev (lin, false));
    n_states = lin->n;
    hl_linearization_free (lin);
  }
  hl_test_model_clear (&model);
  printf ("linearize of %d %s, %d states: %.6f s, %.2f times LAPACK's dgeev with both sets of "
          "vectors, as it has them (wanted 1.5), %.2f times that with right ones alone\n",
          n, kind->what, n_states, best, best / floor, best / of_right);
}

static const Kind *find (const char *name) {
  for (int k = 0; k < N_KINDS; k++)
    if (strcmp (kinds[k].name, name) == 0)
      return &kinds[k];
  fprintf (stderr, "kinds: chain, tree, lift, train, arms, ladder\n");
  exit (2);
}

typedef struct {
  int n;
  double *values;
} Last;

static bool keep_last (double t, const double values[], void *data) {
  Last *last = data;

  (void)t;
  memcpy (last->values, values, sizeof (double) * (size_t)last->n);
  return true;
}

/* Returns the angles of the bodies and the pressures of the lines that have one of their own; NULL ends the
 * list. */
static HlObservable *observe (const HlSystem *sys, int *n) {
  HlObservable *found = g_new0 (HlObservable, sys->mech.n_bodies + sys->n_lines + 1);

  *n = 0;
  for (int kind = 0; kind < 2; kind++)
    for (int k = 0; k < (kind == 0 ? sys->mech.n_bodies : sys->n_lines); k++) {
      HlEntityKind of = kind == 0 ? HL_ENTITY_BODY : HL_ENTITY_LINE;
      g_autofree char *path =
          g_strdup_printf ("%s.%s", sys->topology->names[of][k], kind == 0 ? "angle" : "pressure");
      bool is_given = kind == 1 && sys->nodes[sys->lines[k].node].state < 0;
      if (!is_given && hl_observable_find (sys, path, &found[*n]))
        ++*n;
    }
  return found;
}

static int run_to_end (const char *file, double t_end, double rtol) {
  g_autofree char *text = NULL;
  if (!g_file_get_contents (file, &text, NULL, NULL))
    return 1;
  HlTestModel model = hl_test_model_from_text (text);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlSimStats stats;
  double best = INFINITY, begin = processor_time ();
  int n;
  g_autofree HlObservable *outputs = observe (model.sys, &n);
  Last last = {n, g_new0 (double, n + 1)};

  options.rtol = rtol;
  options.t_end = options.every = t_end;
  options.outputs = outputs;
  options.n_outputs = n;
  options.row = keep_last;
  options.row_data = &last;
  do {
    double began = processor_time ();
    if (hl_simulate (model.sys, &options, &stats, NULL) != HL_OK)
      return 1;
    best = fmin (best, processor_time () - began);
  } while (processor_time () - begin < PATIENCE);
  printf ("%.17g\n", 1e3 * best);
  for (int k = 0; k < n; k++)
    printf ("%.17g\n", last.values[k]);
  g_free (last.values);
  hl_test_model_clear (&model);
  return 0;
}

static long memory_so_far (void) {
  struct rusage used;

  getrusage (RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

/* Counts from the second row on; data: memory there. */
static bool watch_row (double t, const double values[], void *data) {
  long *memory = data;

  (void)values;
  if (t > 0.0 && *memory == 0) {
    *memory = memory_so_far ();
    hl_allocations_watch (true);
  }
  return true;
}

static int count_allocations (const Kind *kind, int n, double t_end) {
  HlTestModel model = hl_test_model_from_document (kind->make (n));
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlSimStats stats = {0};
  long memory = 0;

  options.rtol = 1e-6;
  options.start = HL_START_AS_GIVEN;
  options.t_end = t_end;
  options.every = t_end / 100.0;
  options.row = watch_row;
  options.row_data = &memory;
  HlStatus status = hl_simulate (model.sys, &options, &stats, NULL);
  hl_allocations_watch (false);
  printf ("%s of %d: %ld steps, %ld restarts, %d allocations after the first hundredth, memory %ld kB "
          "then, %ld kB at the end\n",
          kind->name, n, stats.steps, stats.restarts, hl_allocations_take (), memory, memory_so_far ());
  hl_test_model_clear (&model);
  return status == HL_OK ? 0 : 1;
}

static int one (int argc, char **argv) {
  if (strcmp (argv[1], "end") == 0)
    return argc > 4 ? run_to_end (argv[2], g_ascii_strtod (argv[3], NULL), g_ascii_strtod (argv[4], NULL))
                    : 2;
  const Kind *kind = find (argv[2]);
  int n = atoi (argv[3]);

  if (strcmp (argv[1], "steps") == 0)
    return argc > 4 ? count_allocations (kind, n, g_ascii_strtod (argv[4], NULL)) : 2;
  if (strcmp (argv[1], "write") == 0) {
    HlDocument *document = kind->make (n);
    g_autofree char *text = hl_document_to_text (document);
    fputs (text, stdout);
    hl_document_unref (document);
  } else if (strcmp (argv[1], "linearize") == 0) {
    report_linearize (kind, n);
  } else {
    HlSimStats stats;
    double seconds = run (kind, n, argc > 4 ? g_ascii_strtod (argv[4], NULL) : kind->t_end, 0.0, &stats);
    printf ("%s of %d: %ld steps, %ld rates, %ld Jacobians, %.3f ms\n", kind->name, n, stats.steps, stats.rhs,
            stats.jacobians, 1e3 * seconds);
  }
  return 0;
}

int main (int argc, char **argv) {
  hl_linalg_use_one_thread (); /* as the program does: of LAPACK beside it as well */
  if (argc > 3)
    return one (argc, argv);
  for (int k = 0; k < N_KINDS; k++)
    report (&kinds[k]);
  for (int n = 250; n <= 1000; n *= 2)
    report_linearize (find ("ladder"), n);
  for (int n = 125; n <= 500; n *= 2)
    report_linearize (find ("chain"), n);
  for (int n = 125; n <= 500; n *= 2)
    report_linearize (find ("tree"), n);
  for (int n = 50; n <= 200; n *= 2)
    report_linearize (find ("arms"), n);
  return 0;
}
