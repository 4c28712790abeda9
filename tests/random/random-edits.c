/* SPDX-License-Identifier: MIT */
/* random-edits [N] [SEED[:FIRST]]: plays N random edit scripts, each on a workbench without a window; saves the machine, opens
 * the file on another workbench, and compares to the last bit what both say: start state, eigenvalues, last row of the run,
 * root locus and crossings, sensitivities, findings. The document alone decides them, however it was edited.
 *
 * One in HL_RANDOM_EVERY, 5 without it, is compared with the command line (HL_PROGRAM) as well. HL_RANDOM_EDITS in the environment
 * stands for N. HL_RANDOM_DIR: where the files of scripts that fail go. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/edit/hl-document-difference.h"
#include "core/io/hl-json-text.h"
#include "tests/random/hl-random-edit-script.h"
#include "tests/random/hl-command-output.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-model-slider.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"

#define PATIENCE_US (300 * G_USEC_PER_SEC)
#define SLEEP_US 100
#define EVERY 5 /* one script in so many: a process takes longer than all else */

typedef struct {
  const char *where; /* NULL: no difference so far */
  double edited, fresh;
} Difference;

static void no_wake (gpointer unused) {
  (void)unused;
}

static HlWorkbench *new_workbench (void) {
  HlWorkbench *workbench = hl_workbench_new ();

  hl_workbench_set_wake (workbench, no_wake, NULL); /* frames pass by hand */
  return workbench;
}

static void pass_frame (gpointer workbench) {
  hl_workbench_frame (workbench);
}

/* Passes frames until no work is left. FALSE: the time limit is over. */
static gboolean settle (HlWorkbench *workbench) {
  gint64 until = g_get_monotonic_time () + PATIENCE_US;

  while (hl_workbench_frame (workbench)) {
    if (g_get_monotonic_time () > until)
      return FALSE;
    g_usleep (SLEEP_US);
  }
  return TRUE;
}

static gboolean is_same (double a, double b) {
  return a == b || (isnan (a) && isnan (b));
}

static void compare (Difference *difference, const char *where, double edited, double fresh) {
  if (difference->where == NULL && !is_same (edited, fresh))
    *difference = (Difference){where, edited, fresh};
}

static void compare_all (Difference *difference, const char *where, const double edited[],
                         const double fresh[], int n) {
  for (int k = 0; k < n; k++)
    compare (difference, where, edited[k], fresh[k]);
}

static void compare_points (Difference *d, const HlWorkingPoint *a, const HlWorkingPoint *b) {
  compare (d, "a start state", a->point != NULL, b->point != NULL);
  if (d->where != NULL || a->point == NULL)
    return;
  const HlSystem *sys = b->system;
  compare (d, "number of coordinates", hl_system_n_coordinates (a->system), hl_system_n_coordinates (sys));
  compare (d, "number of pressures", hl_system_n_pressures (a->system), hl_system_n_pressures (sys));
  if (d->where != NULL)
    return;
  compare_all (d, "position", a->point->x, b->point->x, hl_system_n_coordinates (sys));
  compare_all (d, "velocity", a->point->v, b->point->v, hl_system_n_coordinates (sys));
  compare_all (d, "pressure", a->point->p, b->point->p, hl_system_n_pressures (sys));
  compare_all (d, "state of a component", a->point->u, b->point->u, hl_system_n_component_states (sys));
  const HlLinearization *of_a = a->linearization, *of_b = b->linearization;
  compare (d, "a linearization", of_a != NULL, of_b != NULL);
  if (of_a == NULL || of_b == NULL)
    return;
  compare (d, "number of states", of_a->n, of_b->n);
  for (int k = 0; k < of_a->n && d->where == NULL; k++) {
    compare (d, "eigenvalue", of_a->eigenvalues[k].re, of_b->eigenvalues[k].re);
    compare (d, "eigenvalue", of_a->eigenvalues[k].im, of_b->eigenvalues[k].im);
  }
}

static void compare_runs (Difference *d, const HlRun *a, const HlRun *b) {
  compare (d, "a run", a != NULL, b != NULL);
  if (a == NULL || b == NULL || d->where != NULL)
    return;
  compare (d, "end of the run", a->state, b->state);
  compare (d, "a preview is shown", a->preview, FALSE);
  compare (d, "number of rows", hl_results_n_rows (a->results), hl_results_n_rows (b->results));
  compare (d, "number of columns", hl_results_n_columns (a->results), hl_results_n_columns (b->results));
  int last = hl_results_n_rows (a->results) - 1;
  for (int k = 0; d->where == NULL && last >= 0 && k < hl_results_n_columns (a->results); k++)
    compare (d, "last row of the run", hl_results_get (a->results, k, last),
             hl_results_get (b->results, k, last));
}

static void compare_loci (Difference *d, HlLocusStudy *a, HlLocusStudy *b) {
  const HlLocus *of_a = hl_locus_study_locus (a), *of_b = hl_locus_study_locus (b);
  const HlSensitivity *to_a = hl_locus_study_sensitivity (a), *to_b = hl_locus_study_sensitivity (b);
  int n_a, n_b;

  compare (d, "a locus", of_a != NULL, of_b != NULL);
  compare (d, "sensitivities", to_a != NULL, to_b != NULL);
  if (d->where == NULL && of_a != NULL) {
    compare (d, "rows of the locus", of_a->n_values, of_b->n_values);
    compare (d, "branches of the locus", of_a->n_states, of_b->n_states);
  }
  if (d->where == NULL && of_a != NULL) {
    compare_all (d, "branch of the locus", of_a->re, of_b->re, of_a->n_values * of_a->n_states);
    compare_all (d, "branch of the locus", of_a->im, of_b->im, of_a->n_values * of_a->n_states);
  }
  const HlCrossing *at_a = hl_locus_study_crossings (a, &n_a), *at_b = hl_locus_study_crossings (b, &n_b);
  compare (d, "number of crossings", n_a, n_b);
  for (int k = 0; d->where == NULL && k < n_a; k++)
    compare (d, "crossing", at_a[k].value, at_b[k].value);
  if (d->where != NULL || to_a == NULL)
    return;
  compare (d, "states of the sensitivities", to_a->n_states, to_b->n_states);
  compare (d, "parameters of the sensitivities", to_a->n_parameters, to_b->n_parameters);
  if (d->where != NULL)
    return;
  compare_all (d, "sensitivity", to_a->d_re, to_b->d_re, to_a->n_states * to_a->n_parameters);
  compare_all (d, "sensitivity", to_a->d_im, to_b->d_im, to_a->n_states * to_a->n_parameters);
  double re_a, im_a, re_b, im_b;
  for (int k = 0, set; d->where == NULL; k++) {
    gboolean is_there = hl_locus_study_other_pole (a, k, &re_a, &im_a, &set);
    compare (d, "number of poles of other sets", is_there,
             hl_locus_study_other_pole (b, k, &re_b, &im_b, &set));
    if (!is_there || d->where != NULL)
      break;
    compare (d, "pole of another set", re_a, re_b);
    compare (d, "pole of another set", im_a, im_b);
  }
}

static void compare_findings (Difference *d, const HlFindings *a, const HlFindings *b) {
  int n_a = hl_findings_n (a), n_b = hl_findings_n (b);

  for (int k = 0; d->where == NULL && k < MAX (n_a, n_b); k++) {
    g_autofree char *text_a = k < n_a ? hl_finding_format (hl_findings_get (a, k)) : g_strdup ("");
    g_autofree char *text_b = k < n_b ? hl_finding_format (hl_findings_get (b, k)) : g_strdup ("");
    if (strcmp (text_a, text_b) != 0)
      printf ("# ‘%s’\n# ‘%s’\n", text_a, text_b);
    compare (d, "text of a finding", strcmp (text_a, text_b), 0);
  }
}

static void compare_workbenches (Difference *d, HlWorkbench *a, HlWorkbench *b) {
  HlEditing *of_a = hl_workbench_editing (a), *of_b = hl_workbench_editing (b);
  const HlWorkingPoint *at_a = hl_editing_point (of_a), *at_b = hl_editing_point (of_b);

  compare (d, "a system", hl_editing_has_system (of_a), hl_editing_has_system (of_b));
  compare (d, "a working point", at_a != NULL, at_b != NULL);
  if (at_a != NULL && at_b != NULL)
    compare_points (d, at_a, at_b);
  if (at_a != NULL && at_a->point != NULL)
    compare_runs (d, hl_runs_shown (hl_workbench_runs (a)), hl_runs_shown (hl_workbench_runs (b)));
  compare_loci (d, hl_workbench_locus (a), hl_workbench_locus (b));
  compare_findings (d, hl_editing_findings (of_a), hl_editing_findings (of_b));
}

/* Runs again after an interactive or a stopped run, whose rows are not those of the document. */
static gboolean run_after_drive (HlWorkbench *workbench) {
  HlRuns *runs = hl_workbench_runs (workbench);
  const HlRun *run = hl_runs_shown (runs);

  if (run != NULL && !run->is_driven && !run->preview && run->state != HL_RUN_STOPPED &&
      hl_document_same_model (run->document, hl_editing_document (hl_workbench_editing (workbench))))
    return TRUE;
  hl_runs_start (runs);
  return settle (workbench);
}

/* Compares the sensitivities to the sliders of the file; the window has those of other numbers as well. */
static void compare_sensitivities (Difference *d, HlLocusStudy *locus, const HlPrinted *printed) {
  const HlSensitivity *shown = hl_locus_study_sensitivity (locus);
  const GPtrArray *model_sliders = hl_locus_study_model_sliders (locus);
  int n = printed->n_eigenvalues;

  if (shown == NULL || shown->n_parameters != (int)model_sliders->len)
    return;
  compare (d, "states of the sensitivities of the command line", shown->n_states, n);
  for (int j = 0; j < shown->n_parameters && d->where == NULL; j++) {
    g_autofree char *path = g_strjoinv (",", ((const HlModelSlider *)model_sliders->pdata[j])->paths);
    for (int k = 0; k < printed->n_parameters; k++)
      if (strcmp (printed->paths[k], path) == 0) {
        compare_all (d, "sensitivity of the command line", shown->d_re + n * j, printed->d_re + n * k, n);
        compare_all (d, "sensitivity of the command line", shown->d_im + n * j, printed->d_im + n * k, n);
      }
  }
}

/* Compares eigenvalues, sensitivities, and the last row of a completed run with the command line. */
static void compare_program (Difference *d, const HlWorkingPoint *at, HlLocusStudy *locus, const HlRun *run,
                             const char *path) {
  const HlLinearization *lin = at->linearization;
  HlPrinted *printed = hl_printed_new (path);

  if (lin != NULL)
    compare (d, "states of the command line", lin->n, printed->n_eigenvalues);
  for (int k = 0; lin != NULL && k < lin->n && d->where == NULL; k++) {
    compare (d, "eigenvalue of the command line", lin->eigenvalues[k].re, printed->re[k]);
    compare (d, "eigenvalue of the command line", lin->eigenvalues[k].im, printed->im[k]);
  }
  if (lin != NULL && d->where == NULL)
    compare_sensitivities (d, locus, printed);
  gboolean is_over = run != NULL && run->state == HL_RUN_DONE && printed->columns != NULL;
  for (int k = 1; is_over && printed->columns[k] != NULL; k++) {
    int column = hl_results_find_column (run->results, printed->columns[k]);
    if (column >= 0)
      compare (d, "last row of the command line",
               hl_results_get (run->results, column, hl_results_n_rows (run->results) - 1), printed->last[k]);
  }
  hl_printed_free (printed);
}

static void keep_file (HlEditScript *script, guint32 seed, guint32 index, const char *path) {
  const char *folder = g_getenv ("HL_RANDOM_DIR");
  g_autofree char *text = NULL;

  if (folder == NULL || !g_file_get_contents (path, &text, NULL, NULL))
    return;
  g_autofree char *name = g_strdup_printf ("edits-%u-%u.hydrolink", seed, index);
  g_autofree char *kept = g_build_filename (folder, name, NULL);
  g_file_set_contents (kept, text, -1, NULL);
}

typedef enum { SAME, WITHOUT_SYSTEM, NO_BASE, FAILED } Outcome;

/* The state before a new request: after the end of a drive or a drag the start state is already the settled one. */
static Outcome play (guint32 seed, guint32 index, const char *path) {
  HlEditScript *script = hl_edit_script_new (seed, index);
  Difference difference = {0};
  g_autoptr (GError) error = NULL;

  if (script == NULL)
    return NO_BASE;
  g_autoptr (HlWorkbench) edited = new_workbench ();
  script->workbench = edited;
  script->frame = pass_frame;
  script->frame_data = edited;
  hl_edit_script_play (script);
  gboolean in_time = settle (edited);
  HlEditing *editing = hl_workbench_editing (edited);
  hl_document_save (hl_editing_document (editing), path, &error);
  g_assert_no_error (error);

  g_autoptr (HlWorkbench) fresh = new_workbench ();
  hl_editing_load (hl_workbench_editing (fresh), path, &error);
  g_assert_no_error (error);
  HlLocusStudy *locus = hl_workbench_locus (fresh);
  in_time = in_time && settle (fresh);
  if (hl_locus_study_model_sliders (locus)->len > 0)
    hl_locus_study_set_model_slider (locus, hl_locus_study_model_slider (hl_workbench_locus (edited)));
  in_time = in_time && settle (fresh);
  const HlWorkingPoint *a = hl_editing_point (editing);
  const HlWorkingPoint *b = hl_editing_point (hl_workbench_editing (fresh));
  if (in_time && a != NULL && b != NULL)
    compare_points (&difference, a, b);
  in_time = in_time && (!script->has_driven || run_after_drive (edited));
  if (in_time)
    compare_workbenches (&difference, edited, fresh);
  const HlWorkingPoint *now = hl_editing_point (editing);
  const char *every = g_getenv ("HL_RANDOM_EVERY");
  guint32 period = every != NULL ? MAX ((guint32)strtoul (every, NULL, 10), 1) : EVERY;
  if (in_time && index % period == 0 && g_getenv ("HL_PROGRAM") != NULL && now != NULL &&
      now->point != NULL) {
    compare_program (&difference, now, hl_workbench_locus (edited),
                     hl_runs_shown (hl_workbench_runs (edited)), path);
  }
  gboolean has_system = hl_editing_has_system (hl_workbench_editing (fresh));
  if (!in_time || difference.where != NULL) {
    printf ("not ok - seed %u:%u %s%s: ", seed, index, script->name, script->log->str);
    if (in_time)
      printf ("%s %.17g, in the file %.17g\n", difference.where, difference.edited, difference.fresh);
    else
      printf ("not settled\n");
    fflush (stdout);
    keep_file (script, seed, index, path);
  }
  hl_edit_script_free (script);
  return !in_time || difference.where != NULL ? FAILED : has_system ? SAME : WITHOUT_SYSTEM;
}

int main (int argc, char **argv) {
  const char *asked = g_getenv ("HL_RANDOM_EDITS");
  const char *n_text = asked != NULL ? asked : argc > 1 ? argv[1] : "100";
  guint32 n = (guint32)strtoul (n_text, NULL, 10), first = 0, counts[FAILED + 1] = {0};
  guint32 seed = argc > 2 ? (guint32)strtoul (argv[2], NULL, 10) : g_random_int () % 1000000;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("hydrolink-edits-XXXXXX", &error);

  setlocale (LC_ALL, "C.UTF-8");
  g_assert_no_error (error);
  if (argc > 2 && strchr (argv[2], ':') != NULL)
    first = (guint32)strtoul (strchr (argv[2], ':') + 1, NULL, 10);
  g_autofree char *path = g_build_filename (folder, "saved.hydrolink", NULL);
  for (guint32 index = first; index < first + n; index++)
    counts[play (seed, index, path)]++;
  printf ("%u scripts of seed %u: %u with the same numbers, %u without a system in the end, %u "
          "without a base, "
          "%u failed\n",
          n, seed, counts[SAME], counts[WITHOUT_SYSTEM], counts[NO_BASE], counts[FAILED]);
  remove (path);
  remove (folder);
  return counts[FAILED] > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
