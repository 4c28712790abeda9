/* SPDX-License-Identifier: MIT */
/* A machine that only an oil under tension could hold up: it has no state of rest, and the window
 * says of which line, in the list of problems and at the element. */
#include "tests/ui/window-fixture.h"
#include "ui/bench/hl-editing.h"

#include <glib/gstdio.h>
#include <string.h>

/* A load pulls at a piston whose one chamber is shut in and whose other one stands under the tank:
 * p_H = (p_tank A_r - F) / A, which would be -2.45 MPa here. */
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

static const HlFinding *
find_pull (HlWindow *window)
{
  const HlFindings *findings =
      hl_editing_findings (hl_workbench_editing (hl_window_workbench (window)));

  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if (strstr (finding->message, "would have to pull") != NULL)
      return finding;
  }
  return NULL;
}

static gboolean
has_text (GtkWidget *root, const char *part)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (root, GTK_TYPE_LABEL, labels);
  for (guint k = 0; k < labels->len; k++)
    if (strstr (gtk_label_get_text (labels->pdata[k]), part) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_start (void)
{
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

  /* the first frame solves for the start state; the run that it asks for is not waited for */
  hl_workbench_frame (workbench);
  const HlFinding *pull = find_pull (window);
  g_assert_nonnull (pull);
  g_assert_cmpstr (pull->id, ==, "H");

  fixture_until_settled (window);
  fixture_activate (window, "problems");
  fixture_draw (window);
  g_assert_true (has_text (GTK_WIDGET (window), "would have to pull"));

  /* enough pressure behind the piston, and it goes */
  g_assert_true (
      hl_editing_set_numbers (hl_workbench_editing (workbench), tank, TANK_ENOUGH, NULL, NULL));
  hl_workbench_frame (workbench);
  fixture_until_settled (window);
  g_assert_null (find_pull (window));
  fixture_close (window);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/cavitating-start/is-told-of-its-line", test_start);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
