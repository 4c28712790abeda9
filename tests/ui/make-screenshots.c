/* SPDX-License-Identifier: MIT */
/* The pictures of data/screenshots, made by the real window: `./dev pictures`. Each scene opens an
 * example, does what a person would, and is painted in light and in dark: the window, and over it
 * whatever it opened. */
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-german-locale.h"
#include "tests/ui/save-window-picture.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-measured-list.h"
#include "ui/plot/hl-run-list.h"
#include "ui/study/hl-stability-map-window.h"
#include "ui/study/hl-model-comparison-window.h"
#include "ui/study/hl-studies-chart.h"
#include "ui/study/hl-studies-window.h"

#include <glib/gstdio.h>
#include <string.h>

#define PRESSURE_CHOICE 4 /* behind separator, decimal mark, and the time with its unit */
#define ANSWER_US G_USEC_PER_SEC

static HlApplication *application;

/* --- what is done for a picture --- */

static void commit (HlWindow *window, HlDocument *document, GError *error) {
  g_assert_no_error (error);
  hl_editing_commit (hl_workbench_editing (hl_window_workbench (window)), document, "picture", NULL);
  fixture_until_settled (window);
}

static void set_json (HlWindow *window, const char *id, const char *member, const char *text) {
  g_autoptr (GError) error = NULL;
  HlValue *value = hl_json_parse (text, strlen (text), "picture", &error);

  g_assert_no_error (error);
  commit (window, hl_edit_set (fixture_document (window), id, member, value, &error), error);
}

static void set_number (HlWindow *window, const char *id, const char *member, double value) {
  g_autoptr (GError) error = NULL;
  commit (window, hl_edit_set (fixture_document (window), id, member, hl_value_new_number (value), &error),
          error);
}

static void add_plot (HlWindow *window, const char *text) {
  g_autoptr (GError) error = NULL;
  HlValue *plot = hl_json_parse (text, strlen (text), "plot", &error);

  g_assert_no_error (error);
  commit (window, hl_edit_insert_entry (fixture_document (window), HL_SECTION_PLOTS, 0, plot, &error), error);
}

static void show_at (HlWindow *window, double share) {
  HlRuns *runs = hl_workbench_runs (hl_window_workbench (window));
  hl_runs_set_time (runs, share * hl_runs_t_end (runs));
}

static void activate (HlWindow *window, const char *action, const char *target) {
  g_action_group_activate_action (G_ACTION_GROUP (window), action,
                                  target != NULL ? g_variant_new_string (target) : NULL);
}

/* Returns the only window over this one. */
static GtkWidget *opened (HlWindow *window) {
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();

  for (GList *at = toplevels; at != NULL; at = at->next)
    if (at->data != window && gtk_widget_get_visible (at->data))
      return at->data;
  g_assert_not_reached ();
}

/* Sets numbers with which the machine rings, so that the picture shows motion. */
static void set_ringing (HlWindow *window) {
  activate (window, "apply-set", "Underdamped, high friction");
  fixture_until_settled (window);
}

static void show_response (HlWindow *window, guint view) {
  set_ringing (window);
  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  activate (window, "study", "response");
  fixture_draw (window);
  gtk_drop_down_set_selected (fixture_child (opened (window), "pick_view"), view);
}

/* --- scenes --- */

/* Results of threads arrive within that time; a map reports its own end. */
static void wait (gint64 microseconds) {
  gint64 until = g_get_monotonic_time () + microseconds;

  while (g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static gboolean has_driven (gpointer window) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  return run != NULL && run->is_driven && run->t_end > 3.0;
}

static void drive (HlWindow *window) {
  set_json (window, "boom_valve", "command",
            "{\"kind\": \"lever\", \"value\": 0, \"more\": \"raise\", \"less\": \"lower\"}");
  set_json (window, "stick_valve", "command",
            "{\"kind\": \"lever\", \"value\": 0, \"more\": \"dump\", \"less\": \"dig\"}");
  set_number (window, "simulation", "pressure_limit", 3.5e7);
  fixture_activate (window, "drive");
  fixture_draw (window);
  hl_manual_run_move_lever (hl_workbench_manual_run (hl_window_workbench (window)), 0, 0.35);
  hl_manual_run_move_lever (hl_workbench_manual_run (hl_window_workbench (window)), 1, -0.2);
  fixture_until (has_driven, window);
  fixture_activate (window, "drive-pause");
}

static void gallery (HlWindow *window) {
  g_action_group_activate_action (G_ACTION_GROUP (application), "new", NULL);
}

static void export(HlWindow *window) {
  show_at (window, 0.4);
  activate (window, "export", "plots");
}

static void force (HlWindow *window) {
  activate (window, "force-map", NULL);
}

static void modes_and_events (HlWindow *window) {
  activate (window, "mode-graph", NULL);
}

static void power (HlWindow *window) {
  show_at (window, 0.5);
  activate (window, "power", NULL);
}

static void locus (HlWindow *window) {
  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  gtk_paned_set_position (window_part (window, "main_paned"), 480);
}

static void mode (HlWindow *window) {
  set_ringing (window);
  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 1300);
  fixture_draw (window);
  gtk_paned_set_position (window_part (window, "side_paned"), 380);
  hl_locus_study_set_mode (hl_workbench_locus (hl_window_workbench (window)),
                           2); /* the pair, behind the zeros */
}

static void bode (HlWindow *window) {
  show_response (window, 0);
}

static void nyquist (HlWindow *window) {
  show_response (window, 1);
}

static void step (HlWindow *window) {
  show_response (window, 2);
}

static void sensitivities (HlWindow *window) {
  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  activate (window, "study", "sensitivities");
}

static gboolean is_mapped (gpointer map) {
  return !hl_map_window_is_busy (map);
}

static void stability (HlWindow *window) {
  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  activate (window, "study", "map");
  HlMapWindow *map = HL_MAP_WINDOW (opened (window));
  hl_map_window_start (map, 0, 1);
  fixture_until (is_mapped, map);
}

static gboolean is_studied (gpointer page) {
  return !hl_studies_window_is_busy (page);
}

/* Seals and a mass of uncertain value; the heavy ones with much friction are lit. */
static void studies (HlWindow *window) {
  const char *text =
      "{\"format\": \"hydrolink-study\", \"version\": 1, \"set\": {\"simulation.t_end\": 2.5}, "
      "\"vary\": ["
      "{\"path\": \"cyl.friction.scale\", \"distribution\": \"log-uniform\", \"from\": 0.01, "
      "\"to\": 1},"
      "{\"path\": \"link3.mass\", \"distribution\": \"normal\", \"mean\": 8, \"deviation\": 1}],"
      "\"design\": {\"kind\": \"sobol\", \"n\": 256, \"seed\": 1},"
      "\"measures\": [\"settling:phi2\", \"damping\"]}";
  g_autofree char *folder = g_dir_make_tmp ("hydrolink-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "friction.hlstudy", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  activate (window, "study", "studies");
  HlStudiesWindow *page = HL_STUDIES_WINDOW (opened (window));
  g_assert_true (hl_studies_window_load (page, path));
  g_unlink (path);
  g_rmdir (folder);
  g_signal_emit_by_name (fixture_child (page, "start"), "clicked");
  fixture_until (is_studied, page);
  fixture_draw (page);
  HlStudiesChart *matrix = fixture_child (page, "matrix");
  HlChartClass *klass = HL_CHART_GET_CLASS (matrix);
  HlSpot from = {0, 0}, to;
  double least = INFINITY;
  int index;
  for (int row = 0; row < 256; row++) { /* the right lower corner of the panel below the first */
    HlSpot at;
    if (!hl_studies_chart_place (matrix, 4, row, &at))
      continue;
    from = (HlSpot){fmax (from.x, at.x), fmax (from.y, at.y)};
    least = fmin (least, at.x);
  }
  to = (HlSpot){0.5 * (from.x + least), from.y - 60};
  klass->begin_drag (HL_CHART (matrix));
  klass->hit (HL_CHART (matrix), from, &index);
  klass->drag_cursor (HL_CHART (matrix), index, to);
  klass->drop_cursor (HL_CHART (matrix), from, TRUE);
}

static void another_run (HlWindow *window, double heavier) {
  hl_runs_pin_shown (hl_workbench_runs (hl_window_workbench (window)), TRUE);
  set_number (window, "stick", "mass", heavier * fixture_number (window, "stick.mass"));
  hl_runs_start (hl_workbench_runs (hl_window_workbench (window)));
  fixture_until_settled (window);
  show_at (window, 0.6);
}

/* Makes three pinned runs beside the live one: four colours in plots and legends. */
static void runs (HlWindow *window) {
  for (int k = 0; k < 3; k++)
    another_run (window, 1.2);
  fixture_draw (window);
  gtk_menu_button_popup (fixture_child (window_part (window, "plot_pane"), "runs_button"));
}

static void compare (HlWindow *window) {
  another_run (window, 2);
  GtkWidget *beside = hl_run_window_new (hl_window_workbench (window), GTK_WINDOW (window));
  gtk_window_present (GTK_WINDOW (beside));
  hl_run_window_choose (HL_RUN_WINDOW (beside), 0, 1);
}

static void plots (HlWindow *window) {
  add_plot (window, "{\"title\": \"Angle\", \"traces\": [\"phi2\"]}");
  add_plot (window, "{\"traces\": [\"p2\", \"p3\"], \"kind\": \"phase\", \"place\": \"beside\"}");
  add_plot (window, "{\"traces\": [\"p2\"], \"kind\": \"spectrum\", \"window\": \"hann\"}");
  show_at (window, 0.4);
}

static void energy (HlWindow *window) {
  add_plot (window, "{\"kind\": \"energy\"}");
  show_at (window, 0.4);
}

static gboolean is_read (gpointer dialog) {
  return !gtk_widget_get_visible (fixture_child (dialog, "waiting"));
}

/* Chooses the entry of a list that begins with these words. */
static void choose (GtkDropDown *list, const char *words) {
  GListModel *model = gtk_drop_down_get_model (list);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    if (g_str_has_prefix (gtk_string_list_get_string (GTK_STRING_LIST (model), i), words))
      gtk_drop_down_set_selected (list, i);
}

/* Writes measured data in the style of a test bench: semicolons, commas, bar; the pressure of a run with some
 * noise. */
static void measured (HlWindow *window) {
  g_autofree char *folder = g_dir_make_tmp ("hydrolink-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "bench.csv", NULL);
  const HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  GString *table = g_string_new ("Zeit [s];p Boden [bar];Temperatur [C]\n");
  g_autoptr (GRand) noise = g_rand_new_with_seed (7);

  for (int k = 0; k <= 200; k++) {
    double t = run->t_end * k / 200;
    double p = 1e-5 * hl_run_value (run, "p2", t) + g_rand_double_range (noise, -0.6, 0.6);
    g_string_append_printf (table, "%.3f;%.2f;%.1f\n", t, p, 41 + 0.01 * k);
  }
  g_string_replace (table, ".", ",", 0);
  g_assert_true (g_file_set_contents (path, table->str, -1, NULL));
  GtkWidget *dialog = hl_measured_window_new (hl_window_workbench (window), path, GTK_WINDOW (window));
  gtk_window_present (GTK_WINDOW (dialog));
  fixture_until (is_read, dialog);
  choose (fixture_nth (dialog, GTK_TYPE_DROP_DOWN, PRESSURE_CHOICE), "p₂");
  g_unlink (path);
  g_rmdir (folder);
  g_string_free (table, TRUE);
}

static void help (HlWindow *window) {
  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_activate (window, "help");
}

static void lesson (HlWindow *window) {
  g_autofree char *path = g_build_filename (g_getenv ("HL_LESSONS_DIR"), "why-it-rings.hllesson", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (hl_window_open_file (window, file));
  fixture_until_settled (window);
}

static void author (HlWindow *window) {
  activate (window, "author-lesson", NULL);
  set_number (window, "cyl", "piston_diameter", 0.1);
}

/* Shows the presentation mode: large, without other panes. */
static void present (HlWindow *window) {
  set_ringing (window);
  activate (window, "present", NULL);
  fixture_draw (window);
  activate (window, "present-plots", NULL);
}

/* Shows a completed interactive run, with the moves of its levers below the plots. */
static void tape (HlWindow *window) {
  drive (window);
  fixture_activate (window, "stop");
  fixture_until_settled (window);
}

static gboolean is_compared (gpointer page) {
  return !hl_oils_window_is_busy (page);
}

static void oils (HlWindow *window) {
  set_ringing (window);
  activate (window, "compare-oils", NULL);
  fixture_until (is_compared, opened (window));
}

static void film (HlWindow *window) {
  activate (window, "export", "film");
}

static void advice (HlWindow *window) {
  activate (window, "model-advice", NULL);
}

static const struct {
  const char *name, *example;
  void (*act) (HlWindow *window);
} scenes[] = {
    {"panel-drive", "excavator-arm.hydrolink", drive},
    {"panel-gallery", NULL, gallery},
    {"panel-export", "excavator-arm.hydrolink", export},
    {"panel-force", "metering-arm.hydrolink", force},
    {"panel-hybrid", "hybrid-two-cylinders.hydrolink", modes_and_events},
    {"panel-power", "four-bar.hydrolink", power},
    {"panel-locus", "four-bar.hydrolink", locus},
    {"panel-modes", "four-bar.hydrolink", mode},
    {"panel-response", "four-bar.hydrolink", bode},
    {"panel-nyquist", "four-bar.hydrolink", nyquist},
    {"panel-step", "four-bar.hydrolink", step},
    {"panel-sensitivities", "four-bar.hydrolink", sensitivities},
    {"panel-studies", "four-bar.hydrolink", studies},
    {"panel-stability", "articulated-vehicle-tyre.hydrolink", stability},
    {"panel-runs", "excavator-arm.hydrolink", runs},
    {"panel-compare", "excavator-arm.hydrolink", compare},
    {"panel-plots", "four-bar.hydrolink", plots},
    {"panel-energy", "four-bar.hydrolink", energy},
    {"panel-measured", "four-bar.hydrolink", measured},
    {"panel-help", "four-bar.hydrolink", help},
    {"panel-lesson", "four-bar.hydrolink", lesson},
    {"panel-author", "four-bar.hydrolink", author},
    {"panel-present", "four-bar.hydrolink", present},
    {"panel-tape", "excavator-arm.hydrolink", tape},
    {"panel-oils", "four-bar.hydrolink", oils},
    {"panel-film", "four-bar.hydrolink", film},
    {"panel-advice", "four-bar.hydrolink", advice},
};

static void make (guint scene, gboolean dark) {
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
  HlWindow *window = fixture_open (application, scenes[scene].example);
  gtk_widget_add_css_class (GTK_WIDGET (window), "screenshot");
  fixture_draw (window);
  scenes[scene].act (window);
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();
  for (GList *at = toplevels; at != NULL; at = at->next)
    if (gtk_widget_get_visible (at->data)) {
      gtk_widget_add_css_class (at->data, "screenshot");
      fixture_draw (at->data);
    }
  wait (ANSWER_US);
  fixture_draw (window);
  gallery_save (window, scenes[scene].name, dark);
  for (GList *at = toplevels; at != NULL; at = at->next)
    if (at->data != window && gtk_widget_get_visible (at->data))
      gtk_window_destroy (at->data);
  g_clear_list (&toplevels, NULL);
  /* GTK still queries the pointer over a popover that is freed with its window */
  gtk_menu_button_popdown (fixture_child (window_part (window, "plot_pane"), "runs_button"));
  fixture_draw (window);
  fixture_close (window);
}

/* Makes the pictures of the named scenes; all without names. LANGUAGE=de makes them in German, for
 * inspection. */
int main (int argc, char **argv) {
  int n_words = argc;
  g_auto (GStrv) words = g_strdupv (argv);
  argc = 1;
  argv[1] = NULL;
  char *folder = NULL;
  if (g_strcmp0 (g_getenv ("LANGUAGE"), "de") == 0 && !hl_language_begin (&folder))
    return FIXTURE_SKIPPED;
  application = fixture_begin (&argc, &argv);
  if (application == NULL || g_getenv ("HL_PICTURES_DIR") == NULL)
    return FIXTURE_SKIPPED;
  for (guint scene = 0; scene < G_N_ELEMENTS (scenes); scene++)
    if (n_words < 2 || g_strv_contains ((const char *const *)words + 1, scenes[scene].name))
      for (int dark = 0; dark < 2; dark++)
        make (scene, dark);
  g_object_unref (application);
  if (folder != NULL)
    hl_language_end (folder);
  return 0;
}
