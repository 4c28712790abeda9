/* SPDX-License-Identifier: MIT */
/* The page of studies by real pointer and keys: a study is started, rows are lit by a drag in one frame
 * of the matrix, a click on a point takes its numbers into the model, keys go from row to row.
 * HL_PICTURES_DIR keeps pictures on the way. */
#include "core/io/hl-json-text.h"
#include "core/study/hl-parameter-fit.h"
#include "core/study/hl-study-draft.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/study/hl-studies-chart.h"
#include "ui/study/hl-studies-form.h"
#include "ui/study/hl-studies-window.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define STUDY                                                                                                \
  "{\"format\": \"hydrolink-study\", \"version\": 1, \"set\": {\"simulation.t_end\": 0.05},"                 \
  "\"vary\": [{\"path\": \"cyl.friction.Fc\", \"from\": 100, \"to\": 300},"                                  \
  "{\"path\": \"link2.mass\", \"from\": 1, \"to\": 5}],"                                                     \
  "\"design\": {\"kind\": \"grid\", \"n\": 5}, \"measures\": [\"max:p1\"]}"
#define BELOW 3 /* the frame of the mass over the friction, in a matrix of three */

#define BESIDE 1400 /* left edge of a page that leaves the sliders of the main window free */

static HlApplication *application;
static HlWindow *window;
static HlStudiesWindow *page;

static gboolean is_idle (gconstpointer data) {
  return !hl_studies_window_is_busy (page);
}

static gboolean has_job (gconstpointer data) {
  return hl_studies_window_job (page) != NULL;
}

static void open_page (void) {
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-pointer-XXXXXX", NULL);

  g_close (g_mkstemp (path), NULL);
  g_assert_true (g_file_set_contents (path, STUDY, -1, NULL));
  g_action_group_activate_action (G_ACTION_GROUP (window), "study", g_variant_new_string ("studies"));
  page = HL_STUDIES_WINDOW (fixture_find_window ("Studies"));
  fixture_draw (page);
  g_assert_true (hl_studies_window_load (page, path));
  fixture_rebuild ();
  g_unlink (path);
  pointer_take_window (GTK_WINDOW (page), 0, 0);
}

static void drag (GtkWidget *chart, HlSpot from, HlSpot to) {
  pointer_to (chart, from);
  pointer_press ("1");
  for (int k = 1; k <= 4; k++)
    pointer_to (chart, (HlSpot){from.x + (to.x - from.x) * k / 4, from.y + (to.y - from.y) * k / 4});
  pointer_release ("1");
}

static void test_page (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  open_page ();
  pointer_click_on (fixture_child (page, "start"));
  pointer_until (has_job, NULL); /* a page that was not begun is idle as well */
  pointer_until (is_idle, NULL);
  HlStudyJob *job = hl_studies_window_job (page);
  g_assert_cmpint (hl_study_job_n_done (job), ==, 25);

  /* rows 10 to 14 have the middle friction; a box around the middle three of them */
  HlStudiesChart *matrix = fixture_child (page, "matrix");
  HlSpot low, high, last;
  g_assert_true (hl_studies_chart_place (matrix, BELOW, 11, &low));
  g_assert_true (hl_studies_chart_place (matrix, BELOW, 13, &high));
  double half = 0.25 * (low.y - high.y); /* of the way to the next row */
  drag (GTK_WIDGET (matrix), (HlSpot){low.x - 15, low.y + half}, (HlSpot){high.x + 15, high.y - half});
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "3 rows of 25"));
  pointer_picture ("studies-brush.png");
  pointer_key ("Right");
  pointer_key ("Right");
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "Row 13:"));
  pointer_key ("Escape");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (page)));

  /* a click takes the numbers of its point; undo takes them back */
  g_assert_true (hl_studies_chart_place (matrix, BELOW, 24, &last));
  pointer_to (GTK_WIDGET (matrix), (HlSpot){last.x - 20, last.y + 3});
  pointer_to (GTK_WIDGET (matrix), last);
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "Row 25:"));
  pointer_press ("1");
  pointer_release ("1");
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fc"), ==, 300.0);
  g_assert_cmpfloat (fixture_number (window, "link2.mass"), ==, 5.0);
  HlEditing *editing = hl_workbench_editing (hl_window_workbench (window));
  hl_editing_undo (editing);
  g_assert_cmpfloat (fixture_number (window, "link2.mass"), !=, 5.0);
  /* and Enter those of the row that the keys went to */
  pointer_key ("Left");
  pointer_key ("Return");
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fc"), ==, 300.0);
  g_assert_cmpfloat (fixture_number (window, "link2.mass"), ==, 4.0);
  pointer_picture ("studies-used.png");
  hl_editing_undo (editing);

  /* Escape closes the page when nothing is lit */
  gpointer weak = page;
  g_object_add_weak_pointer (G_OBJECT (page), &weak);
  pointer_use (NULL);
  pointer_key ("Escape");
  fixture_until_gone (&weak);
  pointer_use (window);
  pointer_close (window);
}

static gboolean has_number (gconstpointer data) {
  return hl_study_draft_n (hl_studies_window_draft (page), HL_STUDY_VARY) == 1;
}

/* The name of a slider, which is a button as well, is dragged from the main window onto the page beside it. */
static void test_drag (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  g_action_group_activate_action (G_ACTION_GROUP (window), "study", g_variant_new_string ("studies"));
  page = HL_STUDIES_WINDOW (fixture_find_window ("Studies"));
  fixture_draw (page);
  pointer_take_window (GTK_WINDOW (page), BESIDE, 0);
  pointer_use (window);
  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  fixture_draw (window);
  GtkWidget *name = fixture_nth (window_part (window, "slider_panel"), GTK_TYPE_MENU_BUTTON, 0);
  pointer_to (name, (HlSpot){12, 0.5 * gtk_widget_get_height (name)});
  pointer_press ("1");
  pointer_to (name, (HlSpot){30, 0.5 * gtk_widget_get_height (name) + 20});
  for (int step = 0; step < 4; step++)
    pointer_at (BESIDE + 60 + 10 * step, 100);
  pointer_release ("1");
  pointer_until (has_number, NULL);
  const HlValue *number = hl_study_draft_item (hl_studies_window_draft (page), HL_STUDY_VARY, 0);
  const char *path = hl_value_string (hl_value_member (number, "path"));
  g_assert_cmpstr (path, ==, "cyl.friction.Fc");
  pointer_close (window);
}

/* --- a fit and an optimum --- */

#define FITTED                                                                                               \
  "{\"format\": \"hydrolink-study\", \"version\": 1, \"set\": {\"M2.signal.y.1\": 3000,"                     \
  "\"M2.signal.y.2\": 3000, \"M2.signal.t.1\": 0.02, \"M2.signal.t.2\": 0.04,"                               \
  "\"M2.signal.t.3\": 0.04, \"simulation.rtol\": 1e-6, \"simulation.t_end\": 0.06},"                         \
  "\"vary\": [{\"path\": \"cyl.friction.Fc\", \"from\": 50, \"to\": 600},"                                   \
  "{\"path\": \"cyl.friction.Fs\", \"from\": 300, \"to\": 2000}],"                                           \
  "\"measures\": [\"max:p1\", \"last:phi2\"]%s}"
#define POINTS 60
#define TRUE_FC 150.0
#define TRUE_FS 700.0

/* Without a table: as a table of zeros, which says at what times it was measured. */
static void write_table (const char *path, const double values[]) {
  g_autoptr (GString) text = g_string_new ("t [s],phi2 [rad]\n");

  for (int k = 0; k < POINTS; k++)
    g_string_append_printf (text, "%.3f,%.17g\n", 0.001 * (k + 1), values != NULL ? values[k] : 0.0);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

/* Writes measured data: the run of the four-bar with another friction. */
static void measure (const char *path) {
  g_autofree char *runs = g_strdup_printf (", \"fit\": {\"runs\": [{\"file\": \"%s\"}]}", path);
  g_autofree char *text = g_strdup_printf (FITTED, runs);
  g_autoptr (HlValue) draft = hl_json_parse (text, strlen (text), "study", NULL);
  double numbers[] = {TRUE_FC, TRUE_FS}, model[POINTS];

  write_table (path, NULL);
  g_autoptr (HlStudy) study =
      hl_study_new_for (hl_study_draft_with_model (draft, fixture_document (window)), HL_STUDY_FIT, NULL);
  g_autoptr (HlFit) fit = hl_fit_new (study, NULL, NULL, NULL, NULL);
  g_assert_cmpint (hl_fit_n_points (fit), ==, POINTS);
  g_assert_null (hl_fit_run (fit, numbers, model));
  write_table (path, model);
}

/* Another entry of what the runs are for, by a click and keys. */
static void choose_goal (const char *down) {
  pointer_choose (fixture_child (fixture_child (page, "form"), "goal"), down);
}

static gboolean has_fit (gconstpointer data) {
  return hl_studies_window_fit (page) != NULL;
}

static void load (const char *text) {
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-pointer-XXXXXX", NULL);

  g_close (g_mkstemp (path), NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (hl_studies_window_load (page, path));
  fixture_rebuild ();
  g_unlink (path);
}

/* The numbers that were measured with come back, lie over the points, and go into the model as one step. */
static void test_fit (void) {
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-fit-XXXXXX.csv", NULL),
                  *study = g_strdup_printf (FITTED, "");

  g_close (g_mkstemp (path), NULL);
  window = pointer_open (application, "four-bar.hydrolink");
  measure (path);
  open_page ();
  load (study);
  g_assert_false (gtk_widget_get_visible (fixture_child (fixture_child (page, "form"), "fit_group")));
  choose_goal ("v");
  g_assert_true (gtk_widget_get_visible (fixture_child (fixture_child (page, "form"), "fit_group")));
  pointer_picture ("studies-fit-empty.png");
  g_assert_true (hl_studies_form_add_table (fixture_child (page, "form"), path)); /* as a drop does */
  fixture_rebuild ();
  pointer_click_on (fixture_child (page, "start"));
  pointer_until (has_fit, NULL);
  pointer_until (is_idle, NULL);
  const HlFitAnswer *answer = hl_fit_job_answer (hl_studies_window_fit (page));
  g_assert_nonnull (answer);
  g_assert_cmpint (answer->why, ==, HL_FIT_CONVERGED);
  g_assert_cmpfloat_with_epsilon (answer->numbers[0], TRUE_FC, 1e-3 * TRUE_FC);
  g_assert_cmpfloat_with_epsilon (answer->numbers[1], TRUE_FS, 1e-3 * TRUE_FS);
  g_assert_nonnull (strstr (fixture_said (page, "fitted"), "cyl.friction.Fs = 700"));
  pointer_picture ("studies-fit.png");
  double found = answer->numbers[0];
  pointer_click_on (fixture_child (page, "use"));
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fc"), ==, found);
  HlEditing *editing = hl_workbench_editing (hl_window_workbench (window));
  hl_editing_undo (editing);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fc"), ==, 210.0);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fs"), ==, 830.0);
  g_unlink (path);
  pointer_close (window);
}

/* The trapped oil's largest pressure falls with nothing but the mass: an optimum at the end of a range, whose
 * runs are points like any others, and a front of two things. */
static void test_optimum (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  open_page ();
  choose_goal ("vv");
  GtkWidget *form = fixture_child (page, "form");
  g_assert_true (gtk_widget_get_visible (fixture_child (form, "objective_group")));
  pointer_choose (fixture_child (form, "add_objective"), "v");
  fixture_rebuild ();
  g_assert_cmpint (hl_study_draft_n (hl_studies_window_draft (page), HL_STUDY_OBJECTIVES), ==, 1);
  gtk_spin_button_set_value (fixture_child (form, "runs"), 40);
  /* no hint of a list that adds comes to lie on the button below it */
  g_assert_false (gtk_widget_get_has_tooltip (fixture_child (form, "add_objective")));
  /* the list was closed by a key under the pointer, which nevertheless clicks on what is seen */
  pointer_click_on (fixture_child (page, "start"));
  pointer_until (has_job, NULL);
  pointer_until (is_idle, NULL);
  HlStudyJob *job = hl_studies_window_job (page);
  const HlOptimizeAnswer *found = hl_study_job_found (job);
  g_assert_nonnull (found);
  g_assert_cmpint (hl_study_job_n_done (job), ==, (int)found->history->len);
  const double *p1 = hl_study_job_values (job, 2);
  for (int row = 0; row < hl_study_job_n_done (job); row++)
    g_assert_cmpfloat (p1[found->best], <=, p1[row]);
  double best = hl_study_job_values (job, 1)[found->best];
  g_autofree char *row = g_strdup_printf ("Row %d:", found->best + 1);
  g_assert_nonnull (strstr (fixture_said (page, "caption"), row));
  pointer_picture ("studies-optimum.png");
  pointer_click_on (fixture_child (page, "use"));
  g_assert_cmpfloat (fixture_number (window, "link2.mass"), ==, best);
  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));

  /* the Pareto front is highlighted */
  load ("{\"format\": \"hydrolink-study\", \"version\": 1, \"set\": {\"simulation.t_end\": 0.03},"
        "\"vary\": [{\"path\": \"link2.mass\", \"from\": 1, \"to\": 5},"
        "{\"path\": \"cyl.friction.sigma2\", \"from\": 100, \"to\": 600}],"
        "\"measures\": [\"max:p1\", \"growth\"], \"optimize\": {\"objectives\": [{\"minimize\": "
        "\"max:p1\"}, {\"maximize\": \"growth\"}], \"runs\": 15, \"front\": 5}}");
  pointer_click_on (fixture_child (page, "start"));
  pointer_until (has_job, NULL);
  pointer_until (is_idle, NULL);
  found = hl_study_job_found (hl_studies_window_job (page));
  g_assert_cmpint (found->front->len, >=, 3);
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "Pareto"));
  pointer_picture ("studies-front.png");
  pointer_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/studies-pointer/by-pointer-and-keys", test_page);
  g_test_add_func ("/studies-pointer/the-name-of-a-slider-is-dragged", test_drag);
  g_test_add_func ("/studies-pointer/a-fit-over-what-was-measured", test_fit);
  g_test_add_func ("/studies-pointer/an-optimum-and-a-front", test_optimum);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
