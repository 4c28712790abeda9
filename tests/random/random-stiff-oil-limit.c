/* SPDX-License-Identifier: MIT */
/* random-stiff-oil-limit N SEED[:FIRST] | FILE...: incompressible oil is the limit of damped oil that becomes stiffer (theory/hybrid.md).
 * Runs machines, drawn ones of all classes or those of files, in hybrid oil, and from its first row with damped oil of 1, 10,
 * 100 and 1000 times the bulk modulus, and of 1e4 and 1e5 times where it is not near then. Up to the first impact the lengths of
 * cylinders come to those of the hybrid run as 1/B; in the whole run they are off by less than FAR of the way that is gone, and by
 * no more with stiffer oil. Compressible lines of the hybrid run are PRESSED times as stiff; where they are less, by what the damped
 * oil of that stiffness is off as well. A line that the hybrid oil made compressible is excused where the damped runs do not come
 * to a limit either. A refusal names an element.
 *
 * Prints a line a machine, its differences [m] and, last, its fate; fails for those that are WRONG.
 * HL_RANDOM_DIR: where the files of drawn ones go that are not right. */
#include <glib.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/compile/hl-compile.h"
#include "core/system/hl-system-private.h"
#include "tests/random/hl-random-hydraulic-machine.h"
#include "tests/random/hl-three-model-runs.h"

#define MOST_SECONDS 8 /* of processor time */
#define N_STIFF 4
#define MOST_STIFF                                                                                           \
  6 /* where N_STIFF are not near yet: what is small beside the way that oil gives is seen by stiffer oil alone */
#define LEAST_STIFF 3  /* of them must come to their ends */
#define FAR 1e-2       /* of the way */
#define GROWTH 1.5     /* from one of the softer oils to the stiffest */
#define CLOSER 0.3     /* damped runs come to a limit: the last two of the first two */
#define SLOPE 0.2      /* of the exponent -1 of the bulk modulus */
#define LEAST_WAY 1e-3 /* [m or rad] */
#define MOST_PRESSURE                                                                                        \
  1e8 /* a spool that is all but shut stops a mass by any pressure: oil that begins at it would be gone [Pa] */
#define SETTLED 1e-6 /* of the way: tolerances are all that is left */
#define PRESSED                                                                                              \
  1e6 /* bulk modulus of the hybrid oil over the file's: of lines with an accumulator; less where they are too stiff */

typedef enum { RIGHT, LATE, EXCUSED, SENSELESS, REFUSED, UNJUDGED, SLOW, STOPPED, WRONG, N_FATES } Fate;

static const char *const fates[N_FATES] = {"right",          "right, late", "without a limit",
                                           "no meaning",     "refused",     "not judged",
                                           "takes too long", "STOPPED",     "WRONG"};

static HlSystem *pressed (const HlSystem *sys, double by) {
  HlSystem *stiff = hl_system_copy (sys);
  HlParameter bulk;

  if (hl_system_find_parameter (stiff, "fluid.bulk_modulus", &bulk))
    hl_system_set_parameter (stiff, bulk, by * hl_system_get_parameter (stiff, bulk));
  return stiff;
}

static double way_of (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *table) {
  double most = LEAST_WAY;

  for (int row = 0; row < table->n; row++)
    for (int k = 0; k < sys->n_cylinders; k++)
      most = fmax (most, fabs (table->value[row][out->length[k]] - table->value[0][out->length[k]]));
  return most;
}

static bool compressible_lines (const HlOilsTable *table) {
  for (int line = 0; line < HL_OILS_LINES; line++)
    if (table->compressible_lines[line])
      return true;
  return false;
}

/* Returns whether the gaps decrease as 1/B, over all runs or between the last two. */
static bool comes (const double gap[], int n, double way) {
  double all = log10 (gap[0] / gap[n - 1]) / (n - 1);
  double last = log10 (gap[n - 2] / gap[n - 1]);

  return gap[n - 1] <= SETTLED * way || fmax (all, last) >= 1.0 - SLOPE;
}

/* Returns the largest difference of two damped runs. */
static double gap_between (const HlOilsLimit *a, const HlOilsLimit *b) {
  double most = 0.0;

  for (int row = 0; row < HL_OILS_ROWS; row++)
    for (int k = 0; k < HL_OILS_CYLINDERS; k++)
      most = fmax (most, fabs (a->length[row][k] - b->length[row][k]));
  return most;
}

/* Judges the limits; by: stiffness of the compressible lines of the hybrid run, relative to that of the file. */
static Fate judge (const HlOilsLimit limits[], int n, double way, double by, bool is_softer) {
  double before[MOST_STIFF], whole[MOST_STIFF], most = 0.0;

  for (int k = 0; k < n; k++) {
    before[k] = limits[k].before;
    whole[k] = limits[k].whole;
    way = fmax (way, limits[k].way);
    most = k < n - 1 ? fmax (most, whole[k]) : most;
  }
  int same = (int)lround (log10 (by));
  double of_lines = same < n - 1 ? gap_between (&limits[same], &limits[n - 1]) : 0.0;
  bool is_near = whole[n - 1] <= FAR * way + 2.0 * of_lines &&
                 (whole[n - 1] <= GROWTH * most || whole[n - 1] <= SETTLED * way);
  /* soft beside its way, and not near yet; what undamped oil gives a mass falls as the root alone */
  is_near = is_near || (whole[n - 1] > 0.0 && log10 (whole[n - 2] / whole[n - 1]) >= 0.5 - SLOPE);
  double first = gap_between (&limits[0], &limits[1]), last = gap_between (&limits[n - 2], &limits[n - 1]);
  if (is_softer && !is_near)
    return last <= FAR * way && last <= CLOSER * first ? WRONG : EXCUSED;
  return !is_near ? WRONG : comes (before, n, way) ? RIGHT : LATE;
}

/* Returns whether the oil behind a cushion is under tension: the damped oil has vapour there. */
static bool pulls_behind_cushion (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *table) {
  for (int row = 0; row < table->n; row++)
    for (int k = 0; k < out->n_chambers; k++)
      if (table->value[row][out->chamber[k]] < 2.0 * hl_fluid_onset (&sys->fluid))
        return true;
  return false;
}

static Fate compare (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *hybrid, double by) {
  HlOilsLimit limits[MOST_STIFF];
  HlPoint *from = hl_oils_first_point (sys, out, hybrid);
  bool pulls = pulls_behind_cushion (sys, out, hybrid);
  HlStatus status = from != NULL && !pulls ? HL_OK : HL_BAD_MODEL;
  int n = 0;

  for (int k = 0; from != NULL && k < sys->n_pressures; k++)
    from->p[k] = fmax (fmin (from->p[k], MOST_PRESSURE), -MOST_PRESSURE);
  if (from == NULL)
    printf (" a value of the first row is empty:");
  else if (pulls)
    printf (" vapour behind a cushion:");

  double way = way_of (sys, out, hybrid);
  Fate fate = UNJUDGED;
  for (int k = 0; k < MOST_STIFF && status == HL_OK; k++) {
    status = hl_oils_damped (sys, pow (10.0, k), HL_METHOD_BDF, out, hybrid, from, &limits[k]);
    if (status != HL_OK)
      status = hl_oils_damped (sys, pow (10.0, k), HL_METHOD_RADAU, out, hybrid, from, &limits[k]);
    printf (" %.2e/%.2e", limits[k].before, limits[k].whole);
    if (status != HL_OK)
      printf (" (until %.4g s: %s)", limits[k].t, hl_status_text (status));
    fflush (stdout);
    n += status == HL_OK ? 1 : 0;
    fate = n >= LEAST_STIFF ? judge (limits, n, way, by, compressible_lines (hybrid)) : UNJUDGED;
    if (n >= N_STIFF && fate <= LATE)
      break;
  }
  hl_point_free (from);
  if (n < LEAST_STIFF)
    return UNJUDGED;
  printf (" of %.3g, p %.1e %.1e,%s impact %.4g s", way, limits[0].pressure, limits[n - 1].pressure,
          compressible_lines (hybrid) ? " SOFT" : "", hybrid->impact);
  return fate;
}

static Fate run_hybrid (const HlSystem *sys, const HlOilsOutputs *out, HlOilsTable *table, double *stiffer) {
  HlStatus status = HL_OUT_OF_STEPS;
  HlFault fault;

  for (double by = PRESSED; by >= 1.0 && status == HL_OUT_OF_STEPS; by *= 0.1) {
    HlSystem *stiff = pressed (sys, by);
    status = hl_oils_run (stiff, HL_MODEL_HYBRID, out, sys->t_end, NULL, table, &fault);
    hl_system_unref (stiff);
    *stiffer = by;
  }
  if (status == HL_OK && *stiffer < 0.5 * PRESSED)
    printf (" [lines of %.0e B]", *stiffer);
  if (status == HL_OK)
    return RIGHT;
  g_autofree char *text = hl_fault_message (sys, &fault);
  printf (" %s", text);
  bool is_senseless = status == HL_INFEASIBLE || status == HL_DEAD_POINT || status == HL_BAD_MODEL;
  return fault.entity < 0 || fault.entity_kind == HL_ENTITY_NONE ? WRONG : is_senseless ? SENSELESS : STOPPED;
}

/* Pipes in one piece: hybrid oil has one flow in each, and oil inside of one has vapour. */
static void join_segments (json_t *drawn) {
  json_t *component;
  size_t k;

  json_array_foreach (json_object_get (drawn, "components"), k, component)
      json_object_del (component, "segments");
}

static Fate look_at (json_t *drawn) {
  join_segments (drawn);
  HlDocument *doc = hl_oils_with_inertia (drawn, true);
  HlOilsTable *hybrid = g_new0 (HlOilsTable, 1);
  HlOilsOutputs out = {0};
  HlSystem *sys[2] = {NULL};
  Fate fate = REFUSED;

  for (int oil = 0; oil < 2; oil++) {
    g_autoptr (HlFindings) findings = hl_findings_new ();
    const HlFinding *bar;
    sys[oil] = hl_oils_compile (doc, (HlModelKind)oil, findings, &bar);
    if (sys[oil] == NULL) {
      g_autofree char *text = hl_finding_format (bar);
      printf (" %s", text);
    }
  }
  if (sys[0] != NULL && sys[1] != NULL) {
    double by = PRESSED;
    fate = hl_oils_list (sys[1], &out) ? run_hybrid (sys[1], &out, hybrid, &by) : UNJUDGED;
    if (fate == RIGHT)
      fate = compare (sys[0], &out, hybrid, by);
  }
  hl_oils_list_clear (&out);
  hl_system_unref (sys[0]);
  hl_system_unref (sys[1]);
  hl_document_unref (doc);
  g_free (hybrid);
  return fate;
}

static void look_apart (json_t *drawn, const char *name, int counts[]) {
  int how = 0;

  printf ("%s:", name);
  fflush (NULL);
  pid_t child = fork ();
  if (child == 0) {
    const struct itimerval limit = {.it_value = {.tv_sec = MOST_SECONDS}};
    setitimer (ITIMER_PROF, &limit, NULL);
    Fate fate = look_at (drawn);
    fflush (stdout);
    _exit ((int)fate);
  }
  waitpid (child, &how, 0);
  Fate fate = WIFSIGNALED (how) ? WTERMSIG (how) == SIGPROF ? SLOW : WRONG : (Fate)WEXITSTATUS (how);
  printf (" %s\n", fates[fate]);
  fflush (stdout);
  counts[fate]++;
  const char *folder = g_getenv ("HL_RANDOM_DIR");
  if (folder != NULL && fate >= LATE && fate != REFUSED) {
    g_autofree char *file = g_strdup_printf ("limit-%s.hydrolink", name),
                    *path = g_build_filename (folder, file, NULL);
    g_strdelimit (strrchr (path, '/') + 1, ":", '-');
    json_dump_file (drawn, path, JSON_INDENT (1) | JSON_REAL_PRECISION (17));
  }
}

static void look_at_drawn (int n, const char *seeds, int counts[]) {
  guint32 seed = (guint32)strtoul (seeds, NULL, 10), first = 0;

  if (strchr (seeds, ':') != NULL)
    first = (guint32)strtoul (strchr (seeds, ':') + 1, NULL, 10);
  for (guint32 index = first; index < first + (guint32)n; index++) {
    g_autofree char *name = g_strdup_printf ("%u:%u", seed, index);
    json_t *drawn = hl_draw_oils (seed, index);
    look_apart (drawn, name, counts);
    json_decref (drawn);
  }
}

int main (int argc, char **argv) {
  int counts[N_FATES] = {0};

  if (argc == 3 && atoi (argv[1]) > 0)
    look_at_drawn (atoi (argv[1]), argv[2], counts);
  else
    for (int k = 1; k < argc; k++) {
      json_t *drawn = json_load_file (argv[k], 0, NULL);
      g_autofree char *name = g_path_get_basename (argv[k]);
      if (drawn != NULL)
        look_apart (drawn, name, counts);
      json_decref (drawn);
    }
  for (int k = 0; k < N_FATES; k++)
    printf ("%s%s %d", k > 0 ? ", " : "", fates[k], counts[k]);
  printf ("\n");
  return counts[WRONG] > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
