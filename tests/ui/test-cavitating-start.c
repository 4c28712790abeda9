/* SPDX-License-Identifier: MIT */
/* Tests of the window with lines without enough oil: for a machine that only oil under tension could hold,
 * which has no state of rest, the line is named in the list of problems and at the element; for a start state
 * and a run with vapour, in the status line and in the list; and no run can begin. */
#include "core/base/hl-number-format.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include "core/document/hl-document.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-time-limit.h"
#include "tests/support/hl-test.h"
#include "ui/workbench/hl-run-collection.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A load pulls at a piston with one closed chamber and the other one connected to the tank: p_H = (p_tank A_r - F) / A,
 * which would be -2.45 MPa here. */
#define ONSET 1e3       /* of vapour where the fluid does not say [Pa] */
#define TANK_ENOUGH 6e6 /* with it the chamber has 0.5 MPa [Pa] */

static HlApplication *application;

static const char model[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'pulled', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.4e9, 'density': 870},"
    " 'ground': {'points': {'b': [-1, 0], 'g': [0, 0]}},"
    " 'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 200, 'inertia': 1,"
    "             'pose': [0.1, 0, 0]}],"
    " 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}],"
    " 'loads': [{'id': 'F', 'kind': 'force', 'point': 'm.p', 'direction': [1, 0],"
    "            'signal': 6000}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'out', 'kind': 'throttle', 'Cd': 0.6, 'area': 5e-5},"
    "  {'id': 'c', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p', 'piston_area': 2.4e-3,"
    "   'rod_side_area': 1.2e-3, 'stroke': 1, 'c1': 1,"
    "   'friction': {'model': 'viscous', 'sigma2': 800}}],"
    " 'lines': [{'id': 'T', 'ports': ['tank.T', 'out.B'], 'volume': 1e-4, 'pressure': 1e5},"
    "  {'id': 'R', 'ports': ['out.A', 'c.B'], 'volume': 1e-4, 'pressure': 1e5},"
    "  {'id': 'H', 'ports': ['c.A'], 'volume': 1e-4, 'pressure': 1e5}],"
    " 'simulation': {'t_end': 0.5, 'every': 0.01}}";

static const HlFinding *find_pull (HlWindow *window) {
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (hl_window_workbench (window)));

  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if (strstr (finding->message, "would be under tension") != NULL)
      return finding;
  }
  return NULL;
}

static gboolean has_text (GtkWidget *root, const char *part) {
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (root, GTK_TYPE_LABEL, labels);
  for (guint k = 0; k < labels->len; k++)
    if (strstr (gtk_label_get_text (labels->pdata[k]), part) != NULL)
      return TRUE;
  return FALSE;
}

static void test_start (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-cavitating-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pulled.hydrolink", NULL);
  g_auto (GStrv) parts = g_strsplit (model, "'", -1);
  g_autofree char *text = g_strjoinv ("\"", parts);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const char *const tank[] = {"tank.pressure", NULL};

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  HlWindow *window = fixture_open (application, NULL);
  HlWorkbench *workbench = hl_window_workbench (window);
  g_assert_true (hl_window_open_file (window, file));

  /* the first frame solves for the start state; the requested run is not waited for */
  hl_workbench_frame (workbench);
  const HlFinding *pull = find_pull (window);
  g_assert_nonnull (pull);
  g_assert_cmpstr (pull->id, ==, "H");

  fixture_until_settled (window);
  fixture_activate (window, "problems");
  fixture_draw (window);
  g_assert_true (has_text (GTK_WIDGET (window), "would be under tension"));

  /* enough pressure behind the piston, and it goes */
  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), tank, TANK_ENOUGH, NULL, NULL));
  hl_workbench_frame (workbench);
  fixture_until_settled (window);
  g_assert_null (find_pull (window));
  fixture_close (window);
  g_unlink (path);
  g_rmdir (folder);
}

/* Saves the slider-crank with half of the vapour pressure in A. */
static char *save_in_vapour (const char *folder) {
  g_autofree char *example = fixture_example_path ("slider-crank.hydrolink");
  g_autofree char *text = NULL;
  char *path = g_build_filename (folder, "model.hydrolink", NULL);
  gsize length;

  g_assert_true (g_file_get_contents (example, &text, &length, NULL));
  g_autoptr (HlDocument) document = hl_document_parse (text, length, "slider-crank", NULL);
  g_autoptr (HlDocument) changed = hl_document_with_number (document, "A.pressure", 500, NULL);
  g_assert_nonnull (changed);
  g_assert_true (hl_document_save (changed, path, NULL));
  return path;
}

/* Tests that a start state with vapour in a line is reported before a run is finished. */
static void test_vapour_at_start (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-cavitating-XXXXXX", NULL);
  g_autofree char *path = save_in_vapour (folder);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  HlWindow *window = fixture_open (application, NULL);

  g_assert_true (hl_window_open_file (window, file));
  hl_workbench_frame (hl_window_workbench (window)); /* the requested run is not waited for */
  g_signal_emit_by_name (hl_window_workbench (window), "changed", HL_CHANGED_RUN);
  g_autofree char *status = NULL;
  g_object_get (window_part (window, "status_line"), "text", &status, NULL);
  g_test_message ("%s", status);
  g_assert_nonnull (strstr (status, "A cavitates in the start state, at 5·10⁻⁴ MPa"));
  fixture_close (window);
  g_unlink (path);
  g_rmdir (folder);
}

/* Tests that the status of a run contains line, time and pressure, as in its rows. */
static void test_vapour_of_run (void) {
  HlWindow *window = fixture_open (application, "slider-crank.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  double since, first = NAN, lowest = INFINITY;

  fixture_until_settled (window);
  g_signal_emit_by_name (hl_window_workbench (window), "changed", HL_CHANGED_RUN);
  g_autofree char *status = NULL;
  g_object_get (window_part (window, "status_line"), "text", &status, NULL);
  const char *told = strstr (status, "A: vapour at ");
  g_test_message ("%s", status);
  g_assert_nonnull (told);
  g_autofree char *plain = hl_number_plain (told);
  g_assert_cmpint (sscanf (plain, "A: vapour at %lg s, down to ", &since), ==, 1);

  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  int column = hl_results_find_column (run->results, "A.pressure");
  g_assert_cmpint (column, >, 0);
  for (int row = 0; row < hl_results_n_rows (run->results); row++) {
    double p = hl_results_get (run->results, column, row);
    if (isnan (first) && p < ONSET)
      first = hl_results_get (run->results, 0, row);
    lowest = fmin (lowest, p);
  }
  g_assert_cmpfloat (since, >, 0);
  g_assert_cmpfloat (since, <=, first);
  const HlCavitation *entry = hl_cavitations_get (run->cavitations, 0);
  hl_assert_near (entry->lowest, lowest, 0.02, 0); /* steps and rows lie beside each other */
  g_autofree char *down =
      hl_units_format (hl_workbench_units (workbench), HL_QUANTITY_PRESSURE, entry->lowest, 3);
  g_assert_nonnull (strstr (told, down));
  fixture_close (window);
}

static char *status_of (HlWindow *window) {
  char *status = NULL;

  g_object_get (window_part (window, "status_line"), "text", &status, NULL);
  return status;
}

/* Tests a drag that ends where no run can begin: the plots show the previous run, and the window reports it,
 * although messages during drags are limited to a readable rate. */
static void test_drag_to_no_start (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlEditing *editing = fixture_editing (window);
  const char *stroke[] = {"cyl.stroke", NULL};
  HlTimeLimit patience = hl_time_limit (60);

  fixture_until_settled (window);
  for (int k = 0; k < 3; k++) {
    g_assert_true (hl_editing_set_numbers (editing, stroke, 1.0 + 0.01 * k, "drag", NULL));
    fixture_until_settled (window);
  }
  g_assert_true (hl_editing_set_numbers (editing, stroke, 0.01, "drag", NULL));
  g_autofree char *status = status_of (window);
  while (strstr (status, "before the last changes") == NULL) {
    g_assert_false (hl_time_limit_is_over (&patience));
    g_main_context_iteration (NULL, FALSE);
    g_usleep (1000);
    g_free (status);
    status = status_of (window);
  }
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (window_part (window, "plot_pane")), "earlier"));
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/cavitating-start/is-told-of-its-line", test_start);
  g_test_add_func ("/cavitating-start/no-start-is-told-behind-a-drag", test_drag_to_no_start);
  g_test_add_func ("/cavitating-start/vapour-is-told-before-a-run", test_vapour_at_start);
  g_test_add_func ("/cavitating-start/vapour-of-a-run-is-told", test_vapour_of_run);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
