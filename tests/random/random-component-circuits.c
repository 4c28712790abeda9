/* SPDX-License-Identifier: MIT */
/* random-component-circuits [N] [SEED[:FIRST]]: draws N circuits of all classes of components on a linkage. Each is
 * run, or refused with the name of an element; pressures stay above 0, everything is a number, and what
 * goes in is stored, lost or comes out again.
 *
 * The circuits are looked at in a process each, so that a crash or a hang is a failure with a number.
 * HL_RANDOM_DIR: where the files of those that fail go, or with HL_RANDOM_ALL those of all. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/hl-error.h"
#include "core/compile/hl-compile.h"
#include "core/io/hl-json-text.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/random/hl-random-model-all-classes.h"

#define MOST_SECONDS 60
#define MOST_STEPS 2e5
#define BALANCE 1e-6 /* of what passes through */
#define N_ENERGIES 5

/* Result of a circuit: the exit status of its process. */
typedef enum { RAN, REFUSED, STOPPED, FAILED } Fate;

typedef struct {
  HlObservable outputs[N_ENERGIES + 64];
  int n_outputs, n_rows;
  double first[N_ENERGIES], worst, most;
  bool is_lumped;
  char *wrong;
} Record;

static bool look_at_row (double t, const double values[], void *data) {
  Record *r = data;
  double sum;

  for (int k = 0; k < r->n_outputs && r->wrong == NULL; k++)
    if (!r->is_lumped && k > 0)
      continue; /* these oils do not support all of them */
    else if (!isfinite (values[k]))
      r->wrong = g_strdup_printf ("output %d is no number at t = %g s", k, t);
    else if (r->is_lumped && k >= N_ENERGIES && !(values[k] > 0.0))
      r->wrong = g_strdup_printf ("a pressure of %g Pa at t = %g s", values[k], t);
  if (r->n_rows++ == 0)
    memcpy (r->first, values, sizeof r->first);
  sum = r->first[4] - values[4];
  for (int k = 0; k < 4; k++)
    sum += values[k] - r->first[k];
  r->worst = fmax (r->worst, fabs (sum));
  for (int k = 0; k < N_ENERGIES; k++)
    r->most = fmax (r->most, fabs (values[k] - r->first[k]));
  return r->wrong == NULL;
}

/* Checks that the first finding that prevents a run names an element. */
static bool is_named_refusal (const HlFindings *findings, char **text) {
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if (finding->severity != HL_SEVERITY_ERROR)
      continue;
    *text = hl_finding_format (finding);
    /* "the circuit has no tank" names no element */
    return *finding->id != '\0' || strstr (finding->message, "has no tank") != NULL;
  }
  *text = g_strdup ("no finding says why");
  return false;
}

static Fate say (Fate fate, const char *text) {
  printf ("%s\n", text);
  return fate;
}

static void add_output (const HlSystem *sys, Record *r, const char *path) {
  if (hl_observable_find (sys, path, &r->outputs[r->n_outputs]))
    r->n_outputs++;
}

static Fate run (const HlSystem *sys) {
  static const char *const energies[] = {"energy.kinetic", "energy.potential", "energy.oil",
                                         "energy.dissipated", "energy.supplied"};
  HlSimOptions options = hl_sim_options_from_model (sys);
  Record r = {.is_lumped = sys->model == HL_MODEL_LUMPED};
  HlFault fault = {.entity = -1};
  HlSimStats stats = {0};

  for (int k = 0; k < N_ENERGIES; k++)
    add_output (sys, &r, energies[k]);
  for (int k = 0; k < sys->n_lines; k++) {
    g_autofree char *path = g_strconcat (hl_system_entity_id (sys, HL_ENTITY_LINE, k), ".pressure", NULL);
    if (sys->lines[k].node >= 0 && sys->nodes[sys->lines[k].node].state >= 0)
      add_output (sys, &r, path);
  }
  options.outputs = r.outputs;
  options.n_outputs = r.n_outputs;
  options.row = look_at_row;
  options.row_data = &r;
  options.max_steps = MOST_STEPS;
  HlStatus status = hl_simulate (sys, &options, &stats, &fault);
  if (r.wrong != NULL)
    return say (FAILED, r.wrong);
  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (sys, &fault);
    bool is_named = fault.entity >= 0 && fault.entity_kind != HL_ENTITY_NONE;
    return say (is_named ? STOPPED : FAILED, message);
  }
  g_autofree char *text =
      g_strdup_printf ("%ld steps, energy off by %.2g of %.3g J", stats.steps, r.worst / r.most, r.most);
  return say (!r.is_lumped || r.worst <= BALANCE * r.most + 1e-9 ? RAN : FAILED, text);
}

static Fate look_at (json_t *drawn) {
  g_autofree char *text = json_dumps (drawn, JSON_REAL_PRECISION (17));
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_parse (text, strlen (text), "drawn", &error);
  Fate fate;

  if (doc == NULL)
    return say (FAILED, error->message);
  HlSystem *sys = hl_compile (doc, findings);
  if (sys == NULL || hl_findings_count (findings, HL_SEVERITY_ERROR) > 0) {
    g_autofree char *why = NULL;
    bool is_named = is_named_refusal (findings, &why);
    fate = say (is_named ? REFUSED : FAILED, why);
  } else
    fate = run (sys);
  hl_system_unref (sys);
  hl_document_unref (doc);
  return fate;
}

static void keep (json_t *drawn, guint32 seed, guint32 index) {
  const char *folder = g_getenv ("HL_RANDOM_DIR");
  g_autofree char *name = g_strdup_printf ("classes-%u-%u.hydrolink", seed, index);
  g_autofree char *path = g_build_filename (folder != NULL ? folder : ".", name, NULL);

  if (folder != NULL)
    json_dump_file (drawn, path, JSON_INDENT (1) | JSON_REAL_PRECISION (17));
}

/* Runs the circuit in a process of its own. */
static Fate look_apart (guint32 seed, guint32 index) {
  json_t *drawn = hl_draw_classes (seed, index);
  int how = 0;

  printf ("%u:%u ", seed, index);
  fflush (NULL);
  pid_t child = fork ();
  if (child == 0) {
    const struct itimerval limit = {.it_value = {.tv_sec = MOST_SECONDS}};
    setitimer (ITIMER_PROF, &limit, NULL);
    Fate fate = look_at (drawn);
    fflush (NULL);
    _exit ((int)fate);
  }
  waitpid (child, &how, 0);
  Fate fate = WIFEXITED (how) && WEXITSTATUS (how) <= FAILED ? (Fate)WEXITSTATUS (how) : FAILED;
  if (WIFSIGNALED (how))
    printf ("%s\n", WTERMSIG (how) == SIGPROF ? "hangs" : strsignal (WTERMSIG (how)));
  if (fate == FAILED)
    printf ("%u:%u FAILED\n", seed, index);
  if (fate == FAILED || g_getenv ("HL_RANDOM_ALL") != NULL)
    keep (drawn, seed, index);
  json_decref (drawn);
  return fate;
}

int main (int argc, char **argv) {
  guint32 n = argc > 1 ? (guint32)strtoul (argv[1], NULL, 10) : 100, first = 0;
  guint32 seed = argc > 2 ? (guint32)strtoul (argv[2], NULL, 10) : g_random_int () % 1000000;
  guint32 counts[FAILED + 1] = {0};

  if (argc > 2 && strchr (argv[2], ':') != NULL)
    first = (guint32)strtoul (strchr (argv[2], ':') + 1, NULL, 10);
  for (guint32 index = first; index < first + n; index++)
    counts[look_apart (seed, index)]++;
  printf ("%u circuits of seed %u: %u ran, %u refused, %u stopped by name, %u failed\n", n, seed, counts[RAN],
          counts[REFUSED], counts[STOPPED], counts[FAILED]);
  return counts[FAILED] > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
