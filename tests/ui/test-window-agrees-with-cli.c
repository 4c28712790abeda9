/* SPDX-License-Identifier: MIT */
/* The window and the command line record the same: columns, units and values. The command line is
 * the program itself, as a person would call it. */
#include "core/io/hl-csv-table.h"
#include "tests/support/hl-test.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define PATIENCE_US (60 * G_USEC_PER_SEC)
/* Of the peak: the window may start a run from an equilibrium that it reached on another path, and runs have their
 * states to 1e-8; 8e-9 was seen. */
#define SAME 1e-7

/* Numbers of the file among the probes: one that a run never moves, the same counted from the
 * start, and one that a file need not state. */
#define CONSTANTS                                                                                            \
  "{\"id\": \"stays\", \"of\": \"fluid.density\", \"label\": \"\\u03c1\"}, "                                 \
  "{\"id\": \"gone\", \"of\": \"fluid.bulk_modulus\", \"relative\": true}, "                                 \
  "{\"id\": \"thick\", \"of\": \"fluid.viscosity\"}, "

/* A copy of an example with these probes before its own; owned by the caller. */
static char *write_model (const char *folder, const char *name, const char *probes) {
  g_autofree char *from = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), name, NULL);
  char *to = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (from, &text, NULL, &error);
  g_assert_no_error (error);
  char *list = strstr (text, "\"probes\": [");
  g_assert_nonnull (list);
  list += strlen ("\"probes\": [");
  g_autofree char *head = g_strndup (text, (gsize)(list - text));
  g_autofree char *all = g_strconcat (head, probes, list, NULL);
  g_file_set_contents (to, all, -1, &error);
  g_assert_no_error (error);
  return to;
}

static HlTable *run_program (const char *model, const char *folder) {
  g_autofree char *out = g_build_filename (folder, "out.csv", NULL);
  const char *words[] = {g_getenv ("HL_PROGRAM"), "simulate", model, "--out", out, NULL};
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  HlTable *table = hl_table_load (out, NULL, &error);
  g_assert_no_error (error);
  g_remove (out);
  return table;
}

static void settle (HlWorkbench *workbench) {
  HlRuns *runs = hl_workbench_runs (workbench);
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;

  for (int i = 0; i < 30; i++) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (1000);
  }
  while (hl_runs_is_running (runs) || hl_runs_shown (runs) == NULL ||
         !hl_run_is_over (hl_runs_shown (runs))) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, FALSE);
    g_usleep (500);
  }
}

/* Every cell of the table stands in the run, which may have rows between. */
static void assert_same (const HlTable *table, const HlResults *results) {
  g_assert_cmpint (table->n_rows, >, 10);
  g_assert_cmpint (table->n_columns, <=, hl_results_n_columns (results));
  for (int column = 0; column < table->n_columns; column++) {
    const HlColumnInfo *info = hl_results_column (results, column);
    const double *cells = hl_table_column (table, column);
    double low = 0, high = 0;

    g_assert_cmpstr (table->names[column], ==, info->id);
    g_assert_cmpstr (table->units[column], ==, info->unit);
    hl_results_range (results, column, 0, hl_results_n_rows (results), &low, &high);
    for (int row = 0; row < table->n_rows; row++) {
      double t = hl_table_column (table, 0)[row];
      int at = hl_results_row_at (results, t + 1e-9);
      g_assert_cmpfloat (fabs (hl_results_get (results, 0, at) - t), <, 1e-9);
      double mine = hl_results_get (results, column, at);
      if (isnan (cells[row]))
        g_assert_true (isnan (mine));
      else
        g_assert_cmpfloat (fabs (mine - cells[row]), <=, SAME * fmax (fabs (low), fabs (high)));
    }
  }
}

typedef struct {
  const char *name, *probes;
  const char *signal, *unit; /* a probe of a signal, and the unit of what it drives */
} Case;

static const Case cases[] = {
    {"four-bar.hydrolink",
     CONSTANTS "{\"id\": \"torque\", \"of\": \"M2.signal\"}, "
               "{\"id\": \"lever\", \"of\": \"dcv.command\", \"relative\": true}, ",
     "torque", "N m"},
    {"hybrid-regeneration.hydrolink", CONSTANTS, NULL, NULL},
    {"metering-arm.hydrolink", CONSTANTS, NULL, NULL},
};

static void test_same (gconstpointer data) {
  const Case *one = data;
  g_autofree char *folder = g_dir_make_tmp ("hl-recording-XXXXXX", NULL);
  g_autofree char *model = write_model (folder, one->name, one->probes);
  g_autoptr (HlTable) table = run_program (model, folder);
  g_autoptr (HlWorkbench) workbench = hl_workbench_new ();
  g_autoptr (GError) error = NULL;

  hl_editing_load (hl_workbench_editing (workbench), model, &error);
  g_assert_no_error (error);
  settle (workbench);
  const HlResults *results = hl_runs_shown (hl_workbench_runs (workbench))->results;
  assert_same (table, results);
  int stays = hl_results_find_column (results, "stays"), gone = hl_results_find_column (results, "gone");
  g_assert_cmpfloat (hl_results_get (results, stays, 5), >, 800);
  g_assert_cmpstr (hl_results_column (results, stays)->unit, ==, "kg/m3");
  g_assert_cmpstr (hl_results_column (results, stays)->label, ==, "ρ");
  g_assert_cmpfloat (hl_results_get (results, gone, 5), ==, 0);
  if (one->signal != NULL)
    g_assert_cmpstr (hl_results_column (results, hl_results_find_column (results, one->signal))->unit, ==,
                     one->unit);
  g_remove (model);
  g_rmdir (folder);
}

/* The number is that of the run's own document, though the columns were found before it moved. */
static void test_moved (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-recording-XXXXXX", NULL);
  g_autofree char *model =
      write_model (folder, "four-bar.hydrolink", "{\"id\": \"scale\", \"of\": \"cyl.friction.scale\"}, ");
  g_autoptr (HlWorkbench) workbench = hl_workbench_new ();
  const char *paths[] = {"cyl.friction.scale", NULL};
  g_autoptr (GError) error = NULL;

  hl_editing_load (hl_workbench_editing (workbench), model, &error);
  g_assert_no_error (error);
  settle (workbench);
  guint first = hl_runs_shown (hl_workbench_runs (workbench))->serial;
  g_assert_cmpfloat (hl_run_value (hl_runs_shown (hl_workbench_runs (workbench)), "scale", 1), ==, 1);
  for (int step = 9; step >= 5; step--) {
    g_assert_true (
        hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 0.1 * step, "knob", NULL));
    hl_workbench_frame (workbench);
  }
  settle (workbench);
  g_assert_cmpfloat (hl_run_value (hl_runs_shown (hl_workbench_runs (workbench)), "scale", 1), ==, 0.5);
  hl_editing_end_gesture (hl_workbench_editing (workbench));
  settle (workbench);
  g_assert_cmpuint (hl_runs_shown (hl_workbench_runs (workbench))->serial, >, first);
  g_assert_cmpfloat (hl_run_value (hl_runs_shown (hl_workbench_runs (workbench)), "scale", 1), ==, 0.5);
  g_remove (model);
  g_rmdir (folder);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *path = g_strdup_printf ("/window-agrees-with-cli/same/%s", cases[k].name);
    g_test_add_data_func (path, &cases[k], test_same);
  }
  g_test_add_func ("/window-agrees-with-cli/moved", test_moved);
  return g_test_run ();
}
