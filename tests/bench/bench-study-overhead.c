/* SPDX-License-Identifier: MIT */
/* Measures the overhead of a study beside its integrations, and the gain by a second processor: a study of
 * four-bars by `hydrolink study run` on one and on two processors, wall time, against the seconds that its
 * runs integrate (every fourth of them, in this process). HL_STUDY_ROWS: rows (10000). Needs an otherwise
 * idle machine. */
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/study/hl-study-row-computation.h"
#include "tests/bench/hl-bench.h"

#define PART 4

static const char *const vary[] = {"cyl.friction.Fc=100:300", "link2.mass=1:5"};

static void must (gboolean is_so, const GError *error) {
  if (is_so)
    return;
  fprintf (stderr, "bench-study-overhead: %s\n", error != NULL ? error->message : "a command failed");
  exit (1);
}

static HlValue *take_member (HlValue *taken, const char *key, HlValue *member) {
  HlValue *next = hl_value_with_member (taken, key, member);

  hl_value_unref (taken);
  return next;
}

/* Seconds that all rows integrate, of those that are run here. */
static double integration (const char *model, const char *design) {
  g_autoptr (GError) error = NULL;
  HlValue *root = hl_study_load_root (model, &error), *numbers = hl_value_new_array (),
          *measure = hl_value_new_string ("max:p1");

  must (root != NULL, error);
  for (gsize k = 0; k < G_N_ELEMENTS (vary); k++) {
    HlValue *more = hl_value_with_inserted (numbers, k, hl_study_vary_of_text (vary[k], &error));
    hl_value_unref (numbers);
    numbers = more;
  }
  root = take_member (root, "vary", numbers);
  root = take_member (root, "design", hl_study_design_of_text (design, &error));
  root = take_member (root, "measures", hl_value_new_array_take (&measure, 1));
  g_autoptr (HlStudy) study = hl_study_new (root, &error);
  must (study != NULL, error);
  g_autoptr (HlStudyWork) work = hl_study_work_new (study, NULL, NULL, &error);
  must (work != NULL, error);
  int n = 0;
  for (int row = 0; row < hl_study_n_rows (study); row += PART, n++) {
    double values[3];
    g_autofree char *wrong = hl_study_work_row (work, row, values);
    must (wrong == NULL, NULL);
  }
  return hl_study_work_seconds (work) * hl_study_n_rows (study) / n;
}

static double wall (const char *program, const char *model, const char *design, const char *jobs) {
  g_autofree char *top = g_dir_make_tmp ("hl-bench-study-XXXXXX", NULL),
                  *folder = g_build_filename (top, "rows", NULL);
  const char *line[] = {program, "study",    "run",        model,       "--vary", vary[0],  "--vary",
                        vary[1], "--design", design,       "--measure", "max:p1", "--jobs", jobs,
                        "--out", folder,     "--progress", "none",      NULL};
  g_autoptr (GError) error = NULL;
  int status;

  double began = hl_bench_now ();
  must (g_spawn_sync (NULL, (char **)line, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                      NULL, NULL, NULL, NULL, &status, &error) &&
            g_spawn_check_wait_status (status, &error),
        error);
  double seconds = hl_bench_now () - began;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
  g_rmdir (top);
  return seconds;
}

int main (void) {
  const char *rows = g_getenv ("HL_STUDY_ROWS"), *program = g_getenv ("HL_PROGRAM"),
             *examples = g_getenv ("HL_EXAMPLES_DIR");
  g_autofree char *design = g_strdup_printf ("sobol:%s", rows != NULL ? rows : "10000");

  if (program == NULL || examples == NULL) {
    fprintf (stderr, "bench-study-overhead: HL_PROGRAM and HL_EXAMPLES_DIR are not set\n");
    return 1;
  }
  g_autofree char *model = g_build_filename (examples, "four-bar.hydrolink", NULL);
  double pure = integration (model, design), one = wall (program, model, design, "1"),
         two = wall (program, model, design, "2");
  printf ("%s four-bars: integration %.2f s, one job %.2f s, two jobs %.2f s\n", design, pure, one, two);
  printf ("two jobs over one: %.2f times as fast (wanted at least 1.85)\n", one / two);
  printf ("one job over the integration: %.3f (wanted at most 1.15)\n", one / pure);
  return 0;
}
