/* SPDX-License-Identifier: MIT */
/* random-hydraulic-machines [N] [SEED[:FIRST]]: draws N hydraulic machines and runs each in all three oils. Each runs, or
 * is refused with the name of an element; flows sum to zero, no impact makes energy, the quasistatic
 * pressures stand still in the lumped equations, and with stiffer oil the lumped model comes to the
 * hybrid one. Ends with the reasons of refusal and how often each was given.
 *
 * HL_RANDOM_DIR: where the files of those that fail go, or with HL_RANDOM_ALL those of all.
 * HL_OILS_EVERY: of so many machines one is run with stiff and with light parts as well; 0: none.
 * HL_OILS_TELL: names each run before it is begun, and the processor time of each machine. */
#include <glib.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/compile/hl-compile.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-lumped-dynamics.h"
#include "tests/random/hl-random-hydraulic-machine.h"
#include "tests/random/hl-three-model-runs.h"

#define MOST_SECONDS 8 /* of processor time */
#define FLOWS 1e-7     /* of the flows of a node */
#define ENERGY 1e-5    /* of what goes through */
#define TIGHTER 0.1    /* of a run's tolerance, where its energy is off by more */
#define GAIN 1e-7      /* likewise */
#define RESTS 1e-9     /* of the flows of a line */
#define LIGHT 2e-4     /* what the virtual elements and the start leave of a way [m or rad] */
#define SLOPE 0.2      /* of the exponent -1 of the bulk modulus */
#define NEAR 0.02      /* of a way, in the mean behind an impact */
#define SETTLED 1e-6   /* likewise: tolerances are all that is left */
#define EVERY_STIFF 6  /* machines one is run with stiff oil as well, by default */

typedef enum {
  RAN,
  REFUSED,
  SENSELESS, /* stopped, for the model has no meaning there: oil without a way out, a dead point */
  STOPPED,   /* where the search gave up */
  FAILED,
  N_FATES
} Fate;

static const char *const fates[] = {"ran", "refused", "no meaning", "stopped", "FAILED"};
static const char soft_lines[] = "compressible lines";
static const char *const oils[] = {"lumped", "hybrid", "quasistatic"};

/* Writes a line for the parent: "oil fate words". */
static void say (FILE *to, const char *oil, Fate fate, const char *words) {
  fprintf (to, "%s\t%s\t%s\n", oil, fates[fate], words);
}

/* Compiles the model; NULL: refused and reported. */
static HlSystem *prepare (FILE *to, HlDocument *doc, HlModelKind model) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  const HlFinding *bar;
  HlSystem *sys = hl_oils_compile (doc, model, findings, &bar);

  if (sys != NULL)
    return sys;
  g_autofree char *text = hl_finding_format (bar);
  bool is_named = *bar->id != '\0' && *bar->advice != '\0';
  say (to, oils[model], is_named ? REFUSED : FAILED, text);
  return NULL;
}

static int n_giving_way (const HlOilsTable *table) {
  int n = 0;

  for (int line = 0; line < HL_OILS_LINES; line++)
    n += table->compressible_lines[line] ? 1 : 0;
  return n;
}

static bool run (FILE *to, const HlSystem *sys, HlModelKind model, const HlOilsOutputs *out,
                 HlOilsTable *table) {
  HlFault fault;

  fprintf (to, "at\t%s\trun\n", oils[model]);
  fflush (to);
  HlStatus status = hl_oils_run (sys, model, out, sys->t_end, NULL, table, &fault);

  int n_soft = n_giving_way (table);
  if (n_soft > 0) {
    fprintf (to, "value\t%s\t%d\n", soft_lines, n_soft);
    fprintf (to, "at\t%s\tcompressible lines: %d\n", oils[model], n_soft);
  }
  if (status == HL_OK) {
    say (to, oils[model], RAN, "");
    return true;
  }
  g_autofree char *text = hl_fault_message (sys, &fault);
  bool is_named = fault.entity >= 0 && fault.entity_kind != HL_ENTITY_NONE;
  bool is_senseless = status == HL_INFEASIBLE || status == HL_DEAD_POINT || status == HL_BAD_MODEL;
  say (to, oils[model], !is_named ? FAILED : is_senseless ? SENSELESS : STOPPED, text);
  return false;
}

static void check (FILE *to, const char *what, double value, double most) {
  g_autofree char *words = g_strdup_printf ("%s: %.3g", what, value);

  fprintf (to, "%s\t%s\t%.6g\n", "value", what, value);
  if (!(value <= most))
    say (to, "check", FAILED, words);
}

static void check_rest (FILE *to, const HlSystem *sys) {
  HlPoint *point = hl_point_new (sys);
  HlWork *work = hl_work_new (sys);

  if (hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL) == HL_OK)
    for (int k = 0; k < 3; k++) {
      double unrest = hl_oils_unrest (sys, point, 0.01 * (k - 1));
      if (unrest >= 0.0)
        check (to, "flow into a line of the lumped model at rest", unrest, RESTS);
    }
  hl_work_free (work);
  hl_point_free (point);
}

/* Oil of a pipe has mass in the hybrid model always, in the quasistatic one never, and in the lumped one where the file says
 * so: here it says so of all or of none. Lighter and lighter, the lumped model comes to the quasistatic one. */
static void check_inertia (FILE *to, const json_t *drawn) {
  HlDocument *doc = hl_oils_with_inertia (drawn, false);
  HlSystem *sys = prepare (to, doc, HL_MODEL_QUASISTATIC);
  double gaps[HL_OILS_MASSES] = {NAN};
  HlOilsOutputs out = {0};

  fprintf (to, "at\tlumped\tlight\n");
  fflush (to);
  if (sys != NULL && hl_oils_list (sys, &out))
    hl_oils_inertia (sys, &out, sys->t_end, gaps);
  hl_oils_list_clear (&out);
  hl_system_unref (sys);
  hl_document_unref (doc);
  bool is_judged = !isnan (gaps[0]) && !isnan (gaps[HL_OILS_MASSES - 1]);
  fprintf (to, "value\twithout inertia: %s\t1\n", is_judged ? "judged" : "not judged");
  if (!is_judged)
    return;
  fprintf (to, "value\toff with all of the mass\t%.6g\nvalue\toff with a hundredth of it\t%.6g\n", gaps[0],
           gaps[HL_OILS_MASSES - 1]);
  if (gaps[HL_OILS_MASSES - 1] > fmax (0.5 * gaps[0], LIGHT))
    say (to, "check", FAILED, "the quasistatic model is not what is left without inertia");
}

/* Behind an impact what the hybrid oil loses at once rings in the lumped oil, and valves that bend see it in
 * the mean; end stops of the lumped model are springs; and where several are hit at once the order in which
 * the waves arrive decides for ever (theory/hybrid.md). None of that goes with the modulus. So either the mean
 * comes to the hybrid one as 1 over it, or it stays near, which was 0.5 % of the way where it was measured. */
static void check_after (FILE *to, const HlOilsStiff *told) {
  if (isnan (told->after[0]) || isnan (told->after[1]))
    return;
  bool comes = told->exponent_after >= 1.0 - SLOPE || told->after[1] < SETTLED;
  fprintf (to, "value\tmean after an impact: %s\t%.6g\n", comes ? "comes with the modulus" : "stays near",
           told->after[1]);
  fprintf (to, "at\tmean after an impact\t%.3g to %.3g, exponent %.3g\n", told->after[0], told->after[1],
           told->exponent_after);
  if (told->after[1] > NEAR)
    say (to, "check", FAILED, "behind an impact the lumped model is elsewhere in the mean");
}

/* Checks that the lumped model converges to the hybrid one as the oil becomes stiffer. */
static void check_stiff (FILE *to, const json_t *drawn, bool compressible_lines) {
  HlDocument *doc = compressible_lines ? NULL : hl_oils_with_inertia (drawn, true);
  HlSystem *sys[2] = {NULL};
  HlOilsOutputs out = {0};

  /* a compressible line has the stiffness of the file, independent of the stiffness of the other oil */
  if (doc == NULL)
    return;
  fprintf (to, "at\tlumped\tstiff\n");
  fflush (to);
  for (int oil = 0; oil < 2; oil++)
    sys[oil] = prepare (to, doc, (HlModelKind)oil);
  if (sys[0] != NULL && sys[1] != NULL && hl_oils_list (sys[0], &out)) {
    HlOilsStiff told = hl_oils_stiff (sys[0], sys[1], &out, 1.0 - SLOPE);
    if (told.exponent < 1.0 - SLOPE)
      say (to, "check", FAILED,
           "the lumped model does not come to the hybrid one as 1 over the bulk modulus");
    if (!isnan (told.exponent))
      fprintf (to,
               "at\thybrid\texponent %.3f off %.3g\nvalue\texponent of the bulk "
               "modulus\t%.6g\nvalue\tstiffest off\t%.6g\n",
               told.exponent, told.last, told.exponent, told.last);
    fprintf (to, "value\t%s\t1\n",
             isnan (told.exponent) ? "stiff oil: not judged"
             : told.is_cut         ? "stiff oil: judged up to the first jump of a pressure"
                                   : "stiff oil: judged over the whole run");
    check_after (to, &told);
  }
  hl_oils_list_clear (&out);
  hl_system_unref (sys[0]);
  hl_system_unref (sys[1]);
  hl_document_unref (doc);
}

/* Checks the energy error. An error of a law is independent of the run's tolerance; an error of the
 * integration decreases with it. Behind a flow control valve that keeps its flow the speed of the piston
 * determines the pressure through a slope of 1e-8 of the flow a least drop, so that 3e-12 m/s are 5 kPa:
 * machine 83:65 has errors of 2.9e-5, 1.4e-5, 4e-7 and 3e-10 of the throughput at rtol 1e-7, 1e-8, 1e-9 and
 * 1e-10. So the error of a run above ENERGY has to decrease at least as fast as its tolerance. */
static void check_energy (FILE *to, const HlSystem *sys, HlModelKind oil, const HlOilsOutputs *out,
                          HlOilsTable *table) {
  g_autofree char *what = g_strdup_printf ("energy, %s", oils[oil]);
  g_autofree char *gain = g_strdup_printf ("energy gained, %s", oils[oil]);
  g_autofree char *again = g_strdup_printf ("energy, %s, at a tenth of its tolerance", oils[oil]);
  double gained, off = hl_oils_energy (table, &gained);

  check (to, gain, gained, GAIN);
  if (off <= ENERGY) {
    check (to, what, off, ENERGY);
    return;
  }
  HlOilsTable *closer = g_new0 (HlOilsTable, 1);
  HlSystem *finer = hl_system_copy (sys);
  HlFault fault;
  finer->rtol = TIGHTER * sys->rtol;
  if (hl_oils_run (finer, oil, out, sys->t_end, NULL, closer, &fault) == HL_OK)
    check (to, again, hl_oils_energy (closer, &gained), TIGHTER * ENERGY);
  else
    check (to, what, off, ENERGY);
  hl_system_unref (finer);
  g_free (closer);
}

static void compare (FILE *to, const json_t *drawn, HlSystem *sys[3], const bool ran[3], HlOilsTable *tables,
                     const HlOilsOutputs *out, bool is_stiffened) {
  for (int oil = HL_MODEL_HYBRID; oil <= HL_MODEL_QUASISTATIC; oil++)
    if (ran[oil]) {
      g_autofree char *what = g_strdup_printf ("flows of a node, %s", oils[oil]);
      double most = hl_oils_imbalance (sys[oil], (HlModelKind)oil, &out[oil], &tables[oil]);
      if (most >= 0.0)
        check (to, what, most, FLOWS);
    }
  for (int oil = 0; oil < 3; oil++)
    if (ran[oil])
      check_energy (to, sys[oil], (HlModelKind)oil, &out[oil], &tables[oil]);
  if (sys[HL_MODEL_QUASISTATIC] != NULL)
    check_rest (to, sys[HL_MODEL_QUASISTATIC]);
  if (ran[HL_MODEL_LUMPED] && ran[HL_MODEL_QUASISTATIC] && is_stiffened)
    check_inertia (to, drawn);
  if (ran[HL_MODEL_LUMPED] && ran[HL_MODEL_HYBRID] && is_stiffened)
    check_stiff (to, drawn, n_giving_way (&tables[HL_MODEL_HYBRID]) > 0);
}

static void look_at (FILE *to, json_t *drawn, bool is_stiffened) {
  g_autofree char *text = json_dumps (drawn, JSON_REAL_PRECISION (17));
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_parse (text, strlen (text), "drawn", &error);
  HlOilsTable *tables = g_new0 (HlOilsTable, 3);
  HlOilsOutputs out[3] = {0};
  HlSystem *sys[3] = {NULL};
  bool ran[3] = {false};

  if (doc == NULL) {
    say (to, "file", FAILED, error->message);
    return;
  }
  for (int oil = 0; oil < 3; oil++) {
    sys[oil] = prepare (to, doc, (HlModelKind)oil);
    if (sys[oil] != NULL && hl_oils_list (sys[oil], &out[oil]))
      ran[oil] = run (to, sys[oil], (HlModelKind)oil, &out[oil], &tables[oil]);
  }
  compare (to, drawn, sys, ran, tables, out, is_stiffened);
  for (int oil = 0; oil < 3; oil++) {
    hl_oils_list_clear (&out[oil]);
    hl_system_unref (sys[oil]);
  }
  g_free (tables);
  hl_document_unref (doc);
}

/* ---- the parent ---- */

typedef struct {
  GHashTable *reasons; /* words without names: how often */
  GHashTable *values;  /* name: GArray of double */
  guint32 fate[3][N_FATES], whole, failed, slow, soft, sense;
} Tally;

#define NO_SENSE 100 /* beside 1 for a run */

/* Returns the text without names, so that the same reason for different elements has the same text. */
static char *without_names (const char *words) {
  GString *text = g_string_new (NULL);
  int depth = 0;

  for (const char *at = words; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar letter = g_utf8_get_char (at);
    depth -= letter == 0x2019 && depth > 0 ? 1 : 0;
    bool is_number = g_unichar_isdigit (letter) || g_unichar_type (letter) == G_UNICODE_OTHER_NUMBER ||
                     letter == 0x207b || letter == 0xb7 || letter == '.';
    if (depth == 0 && !is_number)
      g_string_append_unichar (text, letter);
    depth += letter == 0x2018 ? 1 : 0;
  }
  return g_string_free (text, FALSE);
}

static void take (Tally *tally, char **words, guint32 ran[3], const char *name) {
  if (strcmp (words[0], "value") == 0) {
    GArray *values = g_hash_table_lookup (tally->values, words[1]);
    double value = g_ascii_strtod (words[2], NULL);
    if (values == NULL) {
      values = g_array_new (FALSE, FALSE, sizeof (double));
      g_hash_table_insert (tally->values, g_strdup (words[1]), values);
    }
    g_array_append_val (values, value);
    tally->soft += strcmp (words[1], soft_lines) == 0 ? 1 : 0;
    return;
  }
  for (int oil = 0; oil < 3; oil++)
    for (int fate = 0; fate < N_FATES; fate++)
      if (strcmp (words[0], oils[oil]) == 0 && strcmp (words[1], fates[fate]) == 0) {
        tally->fate[oil][fate]++;
        ran[oil] += fate == RAN ? 1 : fate == SENSELESS ? NO_SENSE : 0;
      }
  if (strcmp (words[1], fates[RAN]) == 0)
    return;
  g_autofree char *text = g_strjoin (" ", words[0], words[1], words[2], NULL);
  char *reason = without_names (text);
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (tally->reasons, reason));
  g_hash_table_replace (tally->reasons, reason, GUINT_TO_POINTER (count + 1));
  printf ("%s %s\n", name, text);
  if (strcmp (words[1], fates[FAILED]) == 0)
    tally->failed++;
}

static void keep (json_t *drawn, guint32 seed, guint32 index) {
  const char *folder = g_getenv ("HL_RANDOM_DIR");
  g_autofree char *file = g_strdup_printf ("oils-%u-%u.hydrolink", seed, index);
  g_autofree char *path = g_build_filename (folder != NULL ? folder : ".", file, NULL);

  if (folder != NULL)
    json_dump_file (drawn, path, JSON_INDENT (1) | JSON_REAL_PRECISION (17));
}

static guint32 every_stiff (void) {
  const char *said = g_getenv ("HL_OILS_EVERY");

  return said != NULL ? (guint32)strtoul (said, NULL, 10) : EVERY_STIFF;
}

static void look_apart (Tally *tally, guint32 seed, guint32 index) {
  json_t *drawn = hl_draw_oils (seed, index);
  g_autofree char *name = g_strdup_printf ("%u:%u", seed, index);
  guint32 ran[3] = {0}, failed = tally->failed;
  int ends[2], how = 0;
  char line[4096], last[64] = "";

  fflush (NULL);
  if (pipe (ends) != 0)
    g_error ("no pipe");
  pid_t child = fork ();
  if (child == 0) {
    const struct itimerval limit = {.it_value = {.tv_sec = MOST_SECONDS}};
    FILE *to = fdopen (ends[1], "w");
    setitimer (ITIMER_PROF, &limit, NULL);
    look_at (to, drawn, every_stiff () > 0 && index % every_stiff () == 0);
    fprintf (to, "at\ttime\t%.2f s\n", (double)clock () / CLOCKS_PER_SEC);
    fclose (to);
    _exit (0);
  }
  close (ends[1]);
  FILE *from = fdopen (ends[0], "r");
  while (fgets (line, sizeof line, from) != NULL) {
    g_auto (GStrv) words = g_strsplit (g_strdelimit (line, "\n", '\0'), "\t", 3);
    if (g_strv_length (words) == 3 && strcmp (words[0], "at") == 0) {
      g_snprintf (last, sizeof last, "%s, %s", words[1], words[2]);
      if (g_getenv ("HL_OILS_TELL") != NULL)
        printf ("%s %s\n", name, last);
    } else if (g_strv_length (words) == 3)
      take (tally, words, ran, name);
  }
  fclose (from);
  waitpid (child, &how, 0);
  if (WIFSIGNALED (how)) {
    bool hangs = WTERMSIG (how) == SIGPROF;
    printf ("%s %s: %s\n", name, hangs ? "takes too long" : strsignal (WTERMSIG (how)), last);
    tally->failed += hangs ? 0 : 1;
    tally->slow += hangs ? 1 : 0;
    keep (drawn, seed, index);
  }
  bool runs = true, is_explained = true;
  for (int oil = 0; oil < 3; oil++) {
    runs = runs && ran[oil] == 1;
    is_explained = is_explained && ran[oil] > 0;
  }
  tally->whole += runs ? 1 : 0;
  tally->sense += !runs && is_explained ? 1 : 0;
  if (tally->failed > failed || g_getenv ("HL_RANDOM_ALL") != NULL)
    keep (drawn, seed, index);
  json_decref (drawn);
}

static int by_size (gconstpointer a, gconstpointer b) {
  double x = *(const double *)a, y = *(const double *)b;

  return x < y ? -1 : x > y ? 1 : 0;
}

static void print_values (Tally *tally) {
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, tally->values);
  while (g_hash_table_iter_next (&iter, &name, &value)) {
    GArray *values = value;
    g_array_sort (values, by_size);
    guint n = values->len;
    printf ("%-50s n %5u   5%% %10.3g   median %10.3g   95%% %10.3g   most %10.3g\n", (const char *)name, n,
            g_array_index (values, double, n / 20), g_array_index (values, double, n / 2),
            g_array_index (values, double, n - 1 - n / 20), g_array_index (values, double, n - 1));
  }
}

static int by_count (gconstpointer a, gconstpointer b, gpointer data) {
  GHashTable *reasons = data;

  return GPOINTER_TO_INT (g_hash_table_lookup (reasons, *(char *const *)b)) -
         GPOINTER_TO_INT (g_hash_table_lookup (reasons, *(char *const *)a));
}

static void print_reasons (Tally *tally) {
  guint n;
  g_autofree gpointer *words = g_hash_table_get_keys_as_array (tally->reasons, &n);

  g_qsort_with_data (words, (gint)n, sizeof *words, by_count, tally->reasons);
  for (guint k = 0; k < n; k++)
    printf ("%5u  %.230s\n", GPOINTER_TO_UINT (g_hash_table_lookup (tally->reasons, words[k])),
            (const char *)words[k]);
}

int main (int argc, char **argv) {
  guint32 n = argc > 1 ? (guint32)strtoul (argv[1], NULL, 10) : 100, first = 0;
  guint32 seed = argc > 2 ? (guint32)strtoul (argv[2], NULL, 10) : g_random_int () % 1000000;
  Tally tally = {.reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                 .values = g_hash_table_new (g_str_hash, g_str_equal)};

  if (argc > 2 && strchr (argv[2], ':') != NULL)
    first = (guint32)strtoul (strchr (argv[2], ':') + 1, NULL, 10);
  for (guint32 index = first; index < first + n; index++)
    look_apart (&tally, seed, index);
  printf ("\n");
  print_reasons (&tally);
  printf ("\n");
  print_values (&tally);
  for (int oil = 0; oil < 3; oil++)
    printf ("%-12s %u ran, %u refused, %u without meaning, %u stopped by the search, %u failed\n", oils[oil],
            tally.fate[oil][RAN], tally.fate[oil][REFUSED], tally.fate[oil][SENSELESS],
            tally.fate[oil][STOPPED], tally.fate[oil][FAILED]);
  printf ("%u machines of seed %u: %u ran in all three oils (%u of them with compressible lines), %u "
          "have no meaning in one, %u took too long, %u failures\n",
          n, seed, tally.whole, tally.soft, tally.sense, tally.slow, tally.failed);
  return tally.failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
