/* SPDX-License-Identifier: MIT */
/* The widgets of the root-locus studies, each on a workbench of its own: mode panel, sensitivities,
 * stability map. */
#include "core/base/hl-number-format.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-system.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-model-worker.h"
#include "ui/modes/hl-eigen-table.h"
#include "ui/study/hl-stability-map-window.h"
#include "ui/study/hl-hybrid-mode-graph-window.h"
#include "ui/study/hl-model-comparison-window.h"
#include "ui/study/hl-power-balance-window.h"
#include "ui/study/hl-sensitivity-window.h"
#include "ui/widget/hl-data-table.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define SKIPPED 77

static gboolean has_locus (gpointer workbench) {
  return hl_locus_study_sensitivity (hl_workbench_locus (workbench)) != NULL;
}

static HlWorkbench *open_example (const char *name) {
  HlWorkbench *workbench = fixture_workbench (name);
  fixture_until (has_locus, workbench);
  return workbench;
}

static gboolean has_verdict (gpointer panel) {
  return strstr (fixture_said (panel, "verdict"), "5 %") != NULL;
}

/* "Check with a run" on every eigenvalue that is not null ends with a sentence; another mode or model clears it. */
static void test_mode_panel (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  GtkWidget *panel = g_object_ref_sink (g_object_new (HL_TYPE_MODE_PANEL, NULL));
  const HlLinearization *lin = hl_editing_point (hl_workbench_editing (workbench))->linearization;
  int checked = 0;

  hl_mode_panel_set_workbench (HL_MODE_PANEL (panel), workbench);
  g_assert_false (gtk_widget_get_visible (panel));
  for (int k = 0; k < lin->n; k++) {
    if (lin->eigenvalues[k].null)
      continue;
    hl_locus_study_set_mode (hl_workbench_locus (workbench), k);
    g_assert_true (gtk_widget_get_visible (panel));
    g_assert_cmpstr (fixture_said (panel, "verdict"), ==, "");
    hl_mode_panel_check (HL_MODE_PANEL (panel));
    fixture_until (has_verdict, panel);
    checked++;
  }
  g_assert_cmpint (checked, ==, 4);
  hl_mode_panel_check (HL_MODE_PANEL (panel)); /* left while it runs */
  hl_locus_study_set_mode (hl_workbench_locus (workbench), -1);
  g_assert_false (gtk_widget_get_visible (panel));
  g_object_unref (panel);
}

/* The eigenvalue nearest to a real one, with the friction at a part of what the file says. */
static double eigenvalue_at (HlWorkbench *workbench, double friction, double near) {
  HlSystem *system = hl_system_copy (hl_editing_point (hl_workbench_editing (workbench))->system);
  HlParameter scale;
  double found = NAN;

  g_assert_true (hl_system_find_parameter (system, "cyl.friction.scale", &scale));
  hl_system_set_parameter (system, scale, friction);
  HlWorkingPoint *at = hl_working_point_new (system);
  for (int k = 0; k < at->linearization->n; k++)
    if (!(fabs (found - near) <= fabs (at->linearization->eigenvalues[k].re - near)))
      found = at->linearization->eigenvalues[k].re;
  hl_working_point_free (at);
  hl_system_unref (system);
  return found;
}

static void test_sensitivities (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  GtkWidget *window = hl_sensitivity_window_new (workbench, NULL);

  /* four eigenvalues that are not null to five sliders */
  g_assert_cmpint (hl_data_table_n_rows (fixture_child (window, "table")), ==, 20);
  /* bars beside the relative sensitivities: the largest one is full */
  double longest = 0.0;
  for (int row = 0; row < 20; row++) {
    double part = hl_data_table_part (fixture_child (window, "table"), row, 4);
    g_assert_cmpfloat (part, >=, 0.0);
    longest = MAX (longest, part);
  }
  g_assert_cmpfloat (longest, ==, 1.0);
  /* the sentence, against eigenvalues on both sides of the present friction */
  double now = eigenvalue_at (workbench, 1.0, -1463.0);
  double step = eigenvalue_at (workbench, 1.001, now) - eigenvalue_at (workbench, 0.999, now);
  g_autofree char *percent = g_strdup_printf ("changes it by %.2f %%, away from", fabs (step / 0.002 / now));
  g_assert_cmpfloat (step, <, 0.0);
  g_assert_nonnull (
      strstr (fixture_said (window, "verdict"), "Friction × has the largest effect on λ = −1463.1"));
  g_assert_nonnull (strstr (fixture_said (window, "verdict"), percent));
  gtk_window_destroy (GTK_WINDOW (window));
}

static char *replaced (const char *text, const char *old, const char *new) {
  g_auto (GStrv) parts = g_strsplit (text, old, 2);

  g_assert_cmpint (g_strv_length (parts), ==, 2);
  return g_strjoinv (new, parts);
}

static gboolean has_poles_of_set (gpointer workbench) {
  double re, im;
  int set;

  return hl_locus_study_sensitivity (hl_workbench_locus (workbench)) != NULL &&
         hl_locus_study_other_pole (hl_workbench_locus (workbench), 0, &re, &im, &set);
}

/* A number that shapes the model, the base of the cylinder: a slider on it has sensitivities, and a
 * parameter set with it has the poles of `hydrolink linearize --set ground.Oc.x=-1.3`. */
static void test_shaping_number (void) {
  static const double expected[] = {-253.13528982454463, -1787.8526230389284, -7759.2296297143039};
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), "four-bar.hydrolink", NULL);
  g_autofree char *file = g_build_filename (g_get_tmp_dir (), "shaping-XXXXXX", NULL);
  g_autofree char *text = NULL;
  g_autoptr (HlWorkbench) workbench = hl_workbench_new ();
  double re, im;
  int set, found = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *with_set =
      replaced (text, "\"parameter_sets\": [",
                "\"parameter_sets\": [{\"name\": \"moved\", \"values\": {\"ground.Oc.x\": -1.3}},");
  g_autofree char *with_both = replaced (
      with_set, "\"sliders\": [", "\"sliders\": [{\"path\": \"ground.Oc.x\", \"from\": -1.5, \"to\": -0.5},");
  g_close (g_mkstemp (file), NULL);
  g_assert_true (g_file_set_contents (file, with_both, -1, NULL));
  g_assert_true (hl_editing_load (hl_workbench_editing (workbench), file, NULL));
  g_unlink (file);
  hl_locus_study_set_model_slider (hl_workbench_locus (workbench), 1);
  fixture_until (has_poles_of_set, workbench);
  for (int k = 0; hl_locus_study_other_pole (hl_workbench_locus (workbench), k, &re, &im, &set); k++)
    for (gsize which = 0; set == 0 && which < G_N_ELEMENTS (expected); which++)
      found += fabs (re - expected[which]) < 1e-4 * fabs (re);
  g_assert_cmpint (found, ==, G_N_ELEMENTS (expected));
  const HlSensitivity *s = hl_locus_study_sensitivity (hl_workbench_locus (workbench));
  GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (workbench));
  int smooth = 0;
  for (guint model_slider = 0; model_slider < model_sliders->len; model_slider++)
    if (strcmp (((const HlModelSlider *)model_sliders->pdata[model_slider])->paths[0], "ground.Oc.x") == 0)
      for (int k = 0; k < s->n_states; k++)
        smooth += s->kind[(int)model_slider * s->n_states + k] == HL_SENSITIVITY_SMOOTH;
  g_assert_cmpint (smooth, ==, 4);
  /* and branches, which pass through the poles of the set */
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (workbench));
  g_assert_nonnull (locus);
  for (gsize which = 0; which < G_N_ELEMENTS (expected); which++) {
    double nearest = INFINITY;
    for (int cell = 0; cell < locus->n_values * locus->n_states; cell++)
      nearest = fmin (nearest, fabs (locus->re[cell] - expected[which]));
    g_assert_cmpfloat (nearest, <, 0.02 * fabs (expected[which])); /* between two rows */
  }
}

static gboolean is_idle (gpointer window) {
  return !hl_map_window_is_busy (window);
}

static gboolean is_gone (gpointer pointer) {
  return *(gpointer *)pointer == NULL;
}

/* Begins by itself, can be restarted, and may be closed while it works. */
static void test_map (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("articulated-vehicle-tyre.hydrolink");
  GtkWidget *window = hl_map_window_new (workbench, NULL);
  gpointer weak = window;

  g_assert_true (hl_map_window_is_busy (HL_MAP_WINDOW (window)));
  hl_map_window_start (HL_MAP_WINDOW (window), 1, 2);
  gtk_window_present (GTK_WINDOW (window));
  gtk_test_widget_wait_for_draw (window);
  fixture_until (is_idle, window);
  gtk_widget_queue_draw (window);
  gtk_test_widget_wait_for_draw (window);
  hl_map_window_start (HL_MAP_WINDOW (window), 1, 1);
  g_assert_false (hl_map_window_is_busy (HL_MAP_WINDOW (window)));
  hl_map_window_start (HL_MAP_WINDOW (window), 1, 2);
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_destroy (GTK_WINDOW (window));
  fixture_until (is_gone, &weak);
}

static gboolean is_power_there (gpointer window) {
  return !hl_power_window_is_busy (HL_POWER_WINDOW (window));
}

static gboolean is_power_due (gpointer window) {
  return hl_power_window_is_busy (HL_POWER_WINDOW (window));
}

/* Sums of a table "side,element,energy" by side. */
static void sum_sides (GtkWidget *window, double *in, double *out) {
  g_autofree char *text = hl_chart_table (HL_CHART (fixture_child (window, "chart")));

  *in = *out = 0.0;
  g_assert_nonnull (text);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (int k = 1; lines[k] != NULL && *lines[k] != '\0'; k++) {
    double value = g_ascii_strtod (strrchr (lines[k], ',') + 1, NULL);
    *(g_str_has_prefix (lines[k], "in,") ? in : out) += value;
  }
}

/* "12.3 % of the input becomes heat", from the table. */
static char *heat_share (GtkWidget *window, double in) {
  g_autofree char *text = hl_chart_table (HL_CHART (fixture_child (window, "chart")));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double lost = 0.0;

  for (int k = 1; lines[k] != NULL && *lines[k] != '\0'; k++)
    if (g_str_has_prefix (lines[k], "lost,"))
      lost += g_ascii_strtod (strrchr (lines[k], ',') + 1, NULL);
  if (lost == 0.0)
    return g_strdup ("Nothing");
  return g_strdup_printf ("%s %% of the input", hl_shown (100.0 * lost / in, 3).text);
}

/* In each view the bars add up; what is changed is counted anew; another oil reports that it has no values, and the
 * window may be closed during the computation. */
static void test_power_window (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("slider-crank.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_power_window_new (workbench, parent);
  const char *const paths[] = {"cyl.friction.sigma2", NULL};
  double in[4], out;
  gpointer weak = window;

  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (hl_power_window_is_busy (HL_POWER_WINDOW (window)));
  fixture_until (is_power_there, window);
  hl_runs_set_time (hl_workbench_runs (workbench), 0.5);
  for (guint shows = 0; shows < 3; shows++) {
    gtk_drop_down_set_selected (fixture_child (window, "pick_shows"), shows);
    sum_sides (window, &in[shows], &out);
    g_assert_cmpfloat (in[shows], >, 0.0);
    g_assert_cmpfloat (fabs (in[shows] - out), <, 1e-6 * in[shows]);
    g_autofree char *heat = heat_share (window, in[shows]);
    g_assert_true (g_str_has_prefix (fixture_said (window, "caption"), heat));
  }
  g_assert_cmpfloat (in[1], !=, in[2]);
  hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 500.0, NULL, NULL);
  fixture_until (is_power_due, window);
  fixture_until (is_power_there, window);
  sum_sides (window, &in[3], &out);
  g_assert_cmpfloat (in[3], !=, in[2]);
  gtk_drop_down_set_selected (fixture_child (window, "pick_shows"), 0);
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_destroy (GTK_WINDOW (window));
  fixture_until (is_gone, &weak);
  gtk_window_destroy (parent);
}

static gboolean are_oils_there (gpointer window) {
  return !hl_oils_window_is_busy (HL_OILS_WINDOW (window));
}

static gboolean are_oils_due (gpointer window) {
  return hl_oils_window_is_busy (HL_OILS_WINDOW (window));
}

/* Each oil model has its row; a change is compared anew, one that cannot be run says so, and the window
 * may be closed while the models run. */
static void test_oils_window (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("two-arms-1.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_oils_window_new (workbench, parent);
  HlDataTable *costs = HL_DATA_TABLE (fixture_child (window, "costs"));
  HlDataTable *gaps = HL_DATA_TABLE (fixture_child (window, "gaps"));
  const char *const paths[] = {"simulation.t_end", NULL};
  gpointer weak = window;

  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (hl_oils_window_is_busy (HL_OILS_WINDOW (window)));
  fixture_until (are_oils_there, window);
  g_assert_cmpint (hl_data_table_n_rows (costs), ==, 3);
  g_assert_cmpint (hl_data_table_n_rows (gaps), ==, 5);
  g_assert_nonnull (strstr (fixture_said (window, "text"), "lasts 3.5\302\240s"));
  hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 0.5, NULL, NULL);
  fixture_until (are_oils_due, window);
  fixture_until (are_oils_there, window);
  g_assert_nonnull (strstr (fixture_said (window, "text"), "lasts 0.5\302\240s"));
  hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 2.0, NULL, NULL);
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_destroy (GTK_WINDOW (window));
  fixture_until (is_gone, &weak);
  gtk_window_destroy (parent);
}

static gboolean is_late (gpointer due) {
  return g_get_monotonic_time () > *(gint64 *)due;
}

/* A run that would take long is given up with its window, and the parent may go first. */
static void test_closing_ends_the_run (void) {
  GtkWidget *(*const windows[]) (HlWorkbench *, GtkWindow *) = {hl_power_window_new, hl_oils_window_new};

  for (guint i = 0; i < G_N_ELEMENTS (windows); i++) {
    g_autoptr (HlWorkbench) workbench = fixture_workbench ("crank-rocker.hydrolink");
    GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
    const char *const paths[] = {"simulation.t_end", NULL};
    hl_editing_set_numbers (hl_workbench_editing (workbench), paths, 1e5, NULL, NULL);
    GtkWidget *window = windows[i](workbench, parent);
    gint64 under_way = g_get_monotonic_time () + G_USEC_PER_SEC;
    gpointer weak = window;
    gtk_window_present (GTK_WINDOW (window));
    fixture_until (is_late, &under_way);
    g_assert_true (i == 0 ? hl_power_window_is_busy (HL_POWER_WINDOW (window))
                          : hl_oils_window_is_busy (HL_OILS_WINDOW (window)));
    g_object_add_weak_pointer (G_OBJECT (window), &weak);
    gtk_window_destroy (GTK_WINDOW (window));
    gtk_window_destroy (parent);
    fixture_until (is_gone, &weak);
  }
}

static gboolean has_modes (gpointer window) {
  return hl_mode_graph_window_n_modes (window) > 0;
}

/* A mode that is chosen shows itself: what is shut is selected, and the time is its first. */
static void test_mode_graph (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("hybrid-two-cylinders.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_mode_graph_window_new (workbench, parent);

  gtk_window_present (GTK_WINDOW (window));
  g_assert_cmpint (hl_mode_graph_window_n_modes (HL_MODE_GRAPH_WINDOW (window)), ==, 0);
  hl_runs_start (hl_workbench_runs (workbench));
  fixture_until (has_modes, window);
  int n = hl_mode_graph_window_n_modes (HL_MODE_GRAPH_WINDOW (window)), k = -1;
  g_assert_cmpint (n, >=, 11); /* those of the golden run, and any that a preload opens */
  g_assert_cmpint (hl_mode_graph_window_chosen (HL_MODE_GRAPH_WINDOW (window)), ==, -1);
  do
    hl_mode_graph_window_choose (HL_MODE_GRAPH_WINDOW (window), ++k);
  while (k + 1 < n && fabs (hl_runs_time (hl_workbench_runs (workbench)) - 0.6135981) >= 1e-6);
  g_assert_cmpfloat (fabs (hl_runs_time (hl_workbench_runs (workbench)) - 0.6135981), <, 1e-6);
  g_assert_true (hl_workbench_is_selected (workbench, "relief"));
  g_assert_true (hl_workbench_is_selected (workbench, "dump"));
  g_assert_true (hl_workbench_is_selected (workbench, "cyl2"));
  g_assert_false (hl_workbench_is_selected (workbench, "check1"));
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (parent);
}

static gboolean has_mode_poles (gpointer workbench) {
  return hl_locus_study_other_pole_mode (hl_workbench_locus (workbench), 0) != NULL;
}

/* Poles of the hybrid model's modes stand behind the root locus: nothing is free where the run
 * starts, so they are those of modes next to it. */
static void test_mode_poles (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("hybrid-two-cylinders.hydrolink");
  double re, im;
  int set;
  gboolean has_relief = FALSE;

  fixture_until (has_mode_poles, workbench);
  for (int i = 0; hl_locus_study_other_pole (hl_workbench_locus (workbench), i, &re, &im, &set); i++)
    if (set < 0 &&
        strstr (hl_locus_study_other_pole_mode (hl_workbench_locus (workbench), i), "relief") != NULL) {
      has_relief = TRUE;
      /* -2 K Q / (I_relief + I_dump), as in the test of the linearization */
      double loss = 850.0 / 2.0 / pow (0.6 * 8e-5, 2.0), inertia = 850.0 / 3e-4;
      g_assert_cmpfloat (fabs (re / (-2.0 * loss * 1e-3 / (2.0 * inertia)) - 1.0), <, 1e-9);
      g_assert_cmpfloat (im, ==, 0.0);
    }
  g_assert_true (has_relief);
}

/* The mode at 1.4 s has a motion of its own, and a run gets there. */
static gboolean has_mode_of_run (gpointer workbench) {
  double re, im;
  int set;

  for (int i = 0; hl_locus_study_other_pole (hl_workbench_locus (workbench), i, &re, &im, &set); i++)
    if (set < 0 &&
        strstr (hl_locus_study_other_pole_mode (hl_workbench_locus (workbench), i), "at 1.4 s") != NULL)
      return TRUE;
  return FALSE;
}

/* They follow the time cursor into a mode of the run that has a motion of its own. */
static void test_mode_poles_follow (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("hybrid-two-cylinders.hydrolink");

  hl_runs_set_time (hl_workbench_runs (workbench), 1.4);
  fixture_until (has_mode_of_run, workbench);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return SKIPPED;
  g_test_add_func ("/locus-studies/mode-panel", test_mode_panel);
  g_test_add_func ("/locus-studies/sensitivities", test_sensitivities);
  g_test_add_func ("/locus-studies/shaping-number", test_shaping_number);
  g_test_add_func ("/locus-studies/map", test_map);
  g_test_add_func ("/locus-studies/power-adds-up-in-each-view", test_power_window);
  g_test_add_func ("/locus-studies/oil-models-beside-each-other", test_oils_window);
  g_test_add_func ("/locus-studies/closing-ends-the-run", test_closing_ends_the_run);
  g_test_add_func ("/locus-studies/mode-graph", test_mode_graph);
  g_test_add_func ("/locus-studies/mode-poles", test_mode_poles);
  g_test_add_func ("/locus-studies/mode-poles-follow-the-run", test_mode_poles_follow);
  return g_test_run ();
}
