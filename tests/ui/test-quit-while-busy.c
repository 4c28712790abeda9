/* SPDX-License-Identifier: MIT */
/* Leaving while something works: the recovery file is written, a map, a film, the check of a mode,
 * the proposal of a coupling, tables and photographs are read, and the window goes at moments that
 * follow the test's seed. Nothing comes back to what is gone; also a program for the thread
 * sanitizer. */
#include "app/window/hl-user-preferences.h"
#include "app/window/hl-window-private.h"
#include "core/document/hl-file-reference.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-large-models.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-measured-tables.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/canvas/hl-linkage-view.h"
#include "ui/modes/hl-eigen-table.h"
#include "ui/study/hl-force-map-window.h"
#include "ui/study/hl-stability-map-window.h"
#include "ui/study/hl-studies-window.h"

#include <glib/gstdio.h>
#include <string.h>

#define TIMES 4          /* each way of leaving */
#define LONGEST_MS 120.0 /* before it is left */

static HlApplication *application;
static char *folder;

static char *place (const char *name) {
  return g_build_filename (folder, name, NULL);
}

/* The main loop goes on for a moment that may end within anything. */
static void wait_a_moment (void) {
  gint64 until = g_get_monotonic_time () + (gint64)(1e3 * g_test_rand_double_range (0, LONGEST_MS));

  do
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  while (g_get_monotonic_time () < until);
}

static void set_mass (HlWorkbench *workbench, const char *path, double mass) {
  const char *const paths[] = {path, NULL};
  g_autoptr (GError) error = NULL;

  hl_editing_set_numbers (hl_workbench_editing (workbench), paths, mass, NULL, &error);
  g_assert_no_error (error);
}

/* Written while it is changed, saved, undone, closed. */
static void test_autosave (void) {
  g_autofree char *recovery = place ("recovery"), *model = place ("model.hydrolink");

  hl_application_keep_recovery (application, recovery);
  g_settings_set_int (hl_application_settings (application), HL_SETTINGS_AUTOSAVE, 1);
  for (int k = 0; k < TIMES; k++) {
    g_autoptr (GError) error = NULL;
    HlWindow *window = fixture_open (application, "slider-crank.hydrolink");
    HlWorkbench *workbench = hl_window_workbench (window);
    set_mass (workbench, "crank.mass", 1.5 + k);
    wait_a_moment ();
    hl_editing_undo (hl_workbench_editing (workbench));
    set_mass (workbench, "crank.mass", 2.5 + k);
    wait_a_moment ();
    hl_editing_save (hl_workbench_editing (workbench), model, &error);
    g_assert_no_error (error);
    set_mass (workbench, "crank.mass", 3.5 + k);
    g_assert_true (k % 2 == 0 || hl_window_keep_changes (window));
    fixture_close (window);
  }
  /* what was closed on purpose leaves nothing, whatever was being written */
  g_autoptr (GDir) session = NULL;
  g_autofree char *own = NULL;
  g_autoptr (GDir) dir = g_dir_open (recovery, 0, NULL);
  own = g_build_filename (recovery, g_dir_read_name (dir), NULL);
  session = g_dir_open (own, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (session), ==, "lock");
  g_assert_null (g_dir_read_name (session));
  g_unlink (model);
}

static void test_map (void) {
  for (int k = 0; k < TIMES; k++) {
    HlWindow *window = fixture_open (application, "articulated-vehicle-tyre.hydrolink");
    GtkWidget *map = hl_map_window_new (hl_window_workbench (window), GTK_WINDOW (window));
    gtk_window_present (GTK_WINDOW (map));
    hl_map_window_start (HL_MAP_WINDOW (map), 1, 2);
    wait_a_moment ();
    if (k % 2 == 0)
      hl_map_window_start (HL_MAP_WINDOW (map), 2, 1);
    if (k % 2 == 1)
      gtk_window_destroy (GTK_WINDOW (map));
    fixture_close (window);
  }
}

/* All processors but one are at rows of a study. */
static void test_studies (void) {
  const char *text = "{\"format\": \"hydrolink-study\", \"version\": 1, "
                     "\"vary\": [{\"path\": \"link2.mass\", \"from\": 1, \"to\": 5}],"
                     "\"design\": {\"kind\": \"random\", \"n\": 10000},"
                     "\"measures\": [\"max:p1\"]}";
  g_autofree char *path = place ("mass.hlstudy");

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  for (int k = 0; k < TIMES; k++) {
    HlWindow *window = fixture_open (application, "four-bar.hydrolink");
    GtkWidget *page = hl_studies_window_new (hl_window_workbench (window), GTK_WINDOW (window));
    gtk_window_present (GTK_WINDOW (page));
    g_assert_true (hl_studies_window_load (HL_STUDIES_WINDOW (page), path));
    fixture_press (page, "Compute");
    g_assert_true (hl_studies_window_is_busy (HL_STUDIES_WINDOW (page)));
    wait_a_moment ();
    if (k == 1)
      gtk_window_destroy (GTK_WINDOW (page));
    if (k == 2) { /* cancelled, and begun again at once */
      fixture_press (page, "Cancel");
      wait_a_moment ();
      fixture_press (page, hl_studies_window_is_busy (HL_STUDIES_WINDOW (page)) ? "Cancel" : "Compute");
    }
    fixture_close (window);
  }
  g_unlink (path);
}

static gboolean is_idle (gpointer film) {
  return !hl_film_window_is_working (film);
}

static void test_film (void) {
  g_autofree char *path = place ("film.png"), *first = place ("film-0001.png");

  for (int k = 0; k < TIMES; k++) {
    HlWindow *window = fixture_open (application, "slider-crank.hydrolink");
    g_autoptr (HlFilmWindow) film = g_object_ref (hl_exporter_show_film (window->exporter));
    hl_film_window_start (film, path);
    wait_a_moment ();
    if (k % 2 == 1)
      gtk_window_destroy (GTK_WINDOW (film));
    gtk_window_destroy (GTK_WINDOW (window));
    fixture_until (is_idle, film);
    g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));
    if (k % 2 == 0)
      gtk_window_destroy (GTK_WINDOW (film));
  }
}

static void test_mode_panel (void) {
  for (int k = 0; k < TIMES; k++) {
    HlWindow *window = fixture_open (application, "four-bar.hydrolink");
    HlWorkbench *workbench = hl_window_workbench (window);
    GtkWidget *panel = g_object_ref_sink (g_object_new (HL_TYPE_MODE_PANEL, NULL));
    hl_mode_panel_set_workbench (HL_MODE_PANEL (panel), workbench);
    hl_locus_study_set_mode (hl_workbench_locus (workbench), 3 + k % 2);
    hl_mode_panel_check (HL_MODE_PANEL (panel));
    wait_a_moment ();
    set_mass (workbench, "link2.mass", 2.5); /* the check is of another model now */
    hl_mode_panel_check (HL_MODE_PANEL (panel));
    wait_a_moment ();
    fixture_close (window);
    g_object_unref (panel);
  }
}

static void test_coupling_bar (void) {
  for (int k = 0; k < TIMES; k++) {
    HlWindow *window = fixture_open (application, "metering-arm.hydrolink");
    HlWorkbench *workbench = hl_window_workbench (window);
    GtkWidget *bar = g_object_ref_sink (g_object_new (HL_TYPE_COUPLING_BAR, NULL));
    hl_coupling_bar_set_workbench (HL_COUPLING_BAR (bar), workbench);
    for (int component = 0;
         component < hl_document_n_elements (hl_editing_document (hl_workbench_editing (workbench)),
                                             HL_SECTION_COMPONENTS);
         component++)
      if (g_strcmp0 (hl_document_element_kind_name (hl_editing_document (hl_workbench_editing (workbench)),
                                                    HL_SECTION_COMPONENTS, component),
                     "cylinder") == 0)
        hl_coupling_bar_show (HL_COUPLING_BAR (bar),
                              hl_document_element_id (hl_editing_document (hl_workbench_editing (workbench)),
                                                      HL_SECTION_COMPONENTS, component));
    wait_a_moment ();
    if (k % 2 == 0)
      hl_coupling_bar_show (HL_COUPLING_BAR (bar), NULL);
    fixture_close (window);
    g_object_unref (bar);
  }
}

/* Tables and a photograph on the way, and the window goes, or another document comes. */
static void test_references (void) {
  g_autofree char *table = place ("long.csv"), *picture = place ("large.png");
  g_autoptr (GString) text = g_string_new ("t [s],phi2 [rad]\n");
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 3000, 2000);

  for (int row = 0; row < 200000; row++)
    g_string_append_printf (text, "%d,%d\n", row, row % 7);
  g_assert_true (g_file_set_contents (table, text->str, -1, NULL));
  g_assert_cmpint (cairo_surface_write_to_png (surface, picture), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (surface);
  for (int k = 0; k < TIMES; k++) {
    HlWindow *window = fixture_open (application, "four-bar.hydrolink");
    HlWorkbench *workbench = hl_window_workbench (window);
    g_autoptr (HlMeasurement) measurement = hl_measurement_new (table);
    HlMeasurementColumn time = {.number = 1, .is_time = TRUE}, angle = {.number = 2, .trace = (char *)"phi2"};
    g_autoptr (HlPhotograph) photograph = hl_photograph_new (picture);
    hl_measurement_add_column (measurement, &time);
    hl_measurement_add_column (measurement, &angle);
    measurement->separator = ',';
    measurement->decimal = '.';
    hl_measured_tables_put (hl_workbench_measured (workbench), measurement);
    hl_editing_commit (hl_workbench_editing (workbench),
                       hl_photograph_put (hl_editing_document (hl_workbench_editing (workbench)), photograph),
                       "Test", NULL);
    wait_a_moment ();
    if (k % 2 == 1)
      hl_editing_set_document (hl_workbench_editing (workbench), hl_document_new_empty ());
    fixture_close (window);
  }
  g_unlink (table);
  g_unlink (picture);
}

/* All windows at once, by the action that ends the program, with a run on the way in each. */
static void test_all_windows (void) {
  for (int k = 0; k < 2; k++) {
    HlWindow *windows[3];
    gpointer weak[3];
    for (int n = 0; n < 3; n++) {
      g_autofree char *path = fixture_example_path (n == 0 ? "four-bar.hydrolink" : "metering-arm.hydrolink");
      g_autoptr (GFile) file = g_file_new_for_path (path);
      windows[n] = HL_WINDOW (hl_application_open_window (application, file));
      weak[n] = windows[n];
      g_object_add_weak_pointer (G_OBJECT (windows[n]), &weak[n]);
    }
    wait_a_moment ();
    g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
    for (int n = 0; n < 3; n++)
      fixture_until_gone (&weak[n]);
  }
}

/* A large linkage is on its way to where an arrow key has sent it. */
static void test_large_linkage (void) {
  g_autofree char *path = place ("lift.hydrolink");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlDocument) lift = hl_test_scissor_lift (30);

  g_assert_true (hl_document_save (lift, path, NULL));
  for (int k = 0; k < TIMES; k++) {
    HlWindow *window = fixture_open (application, NULL);
    g_assert_true (hl_window_open_file (window, file));
    wait_a_moment ();
    hl_workbench_select (hl_window_workbench (window), "rising_29");
    hl_workbench_frame (hl_window_workbench (window));
    HlToolBridge *bridge = hl_linkage_view_bridge (window_part (window, "linkage_view"));
    hl_tool_bridge_send_key (bridge, GDK_KEY_Up, 0);
    g_assert_true (hl_tool_bridge_is_waiting (bridge));
    if (k % 2 == 0)
      wait_a_moment ();
    hl_tool_bridge_send_key (bridge, GDK_KEY_Down, 0);
    fixture_close (window);
  }
  g_unlink (path);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  folder = g_dir_make_tmp ("hl-quitting-XXXXXX", NULL);
  g_test_add_func ("/quit-while-busy/autosave", test_autosave);
  g_test_add_func ("/quit-while-busy/map", test_map);
  g_test_add_func ("/quit-while-busy/studies", test_studies);
  g_test_add_func ("/quit-while-busy/film", test_film);
  g_test_add_func ("/quit-while-busy/mode-panel", test_mode_panel);
  g_test_add_func ("/quit-while-busy/coupling-bar", test_coupling_bar);
  g_test_add_func ("/quit-while-busy/references", test_references);
  g_test_add_func ("/quit-while-busy/large-linkage", test_large_linkage);
  g_test_add_func ("/quit-while-busy/all-windows", test_all_windows);
  int status = g_test_run ();
  g_object_unref (application);
  g_free (folder);
  return status;
}
