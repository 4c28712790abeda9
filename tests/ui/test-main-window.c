/* SPDX-License-Identifier: MIT */
/* The real window on a virtual display, driven through its actions and widgets. */
#include "app/window/hl-window-screenshot.h"
#include "ui/widget/hl-number-field.h"
#include "tests/support/hl-case-subset.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define BORDER_STEP 11
#define BORDER_STEPS 70

static HlApplication *application;

static HlWindow *open_file (const char *path) {
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  HlWindow *window = HL_WINDOW (hl_application_open_window (application, file));
  return window;
}

static void test_empty (void) {
  HlWindow *window = open_file (NULL);

  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_null (hl_window_banner (window));
  fixture_activate (window, "run");
  fixture_activate (window, "stop");
  fixture_activate (window, "fit-all");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  fixture_close (window);
}

/* Every action that a .ui file names is there. */
static void check_actions (HlWindow *window, const char *resource) {
  g_autoptr (GBytes) bytes = g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GRegex) regex = g_regex_new (">(win|app)\\.([a-z-]+)<", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  int n = 0;

  g_assert_nonnull (bytes);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  for (g_regex_match_full (regex, text, (gssize)length, 0, 0, &match, NULL); g_match_info_matches (match);
       g_match_info_next (match, NULL)) {
    g_autofree char *group = g_match_info_fetch (match, 1);
    g_autofree char *name = g_match_info_fetch (match, 2);
    GActionMap *map = strcmp (group, "win") == 0 ? G_ACTION_MAP (window) : G_ACTION_MAP (application);
    if (g_action_map_lookup_action (map, name) == NULL)
      g_error ("%s names %s.%s, which is no action", resource, group, name);
    n++;
  }
  g_assert_cmpint (n, >, 0);
}

static void test_actions (void) {
  HlWindow *window = open_file (NULL);

  check_actions (window, HL_RESOURCE_BASE "/ui/hl-banner.ui");
  check_actions (window, HL_RESOURCE_BASE "/ui/hl-drawing-pane.ui");
  check_actions (window, HL_RESOURCE_BASE "/ui/hl-header-bar.ui");
  check_actions (window, HL_RESOURCE_BASE "/ui/hl-properties-and-locus-pane.ui");
  check_actions (window, HL_RESOURCE_BASE "/ui/hl-step-buttons.ui");
  check_actions (window, HL_RESOURCE_BASE "/ui/hl-playback-bar.ui");
  check_actions (window, HL_RESOURCE_BASE "/ui/help-overlay.ui");
  fixture_close (window);
}

/* Open, run, cancel, close: each of the examples. */
static void test_examples (void) {
  g_autoptr (GDir) folder = g_dir_open (g_getenv ("HL_EXAMPLES_DIR"), 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (folder)) != NULL) {
    if (!g_str_has_suffix (name, ".hydrolink"))
      continue;
    if (!hl_case_share_takes (n++))
      continue;
    g_test_message ("%s", name);
    HlWindow *window = fixture_open (application, name);
    g_assert_null (hl_window_banner (window));
    fixture_activate (window, "run");
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
    fixture_activate (window, "stop");
    fixture_until_settled (window);
    fixture_close (window);
  }
  g_assert_cmpuint (n, >=, 5);
}

static void check_bad_file (const char *content, const char *expected) {
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-test-bad.hydrolink", NULL);

  if (content != NULL)
    g_assert_true (g_file_set_contents (path, content, -1, NULL));
  else
    g_unlink (path);
  HlWindow *window = open_file (path);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_nonnull (hl_window_banner (window));
  g_assert_nonnull (strstr (hl_window_banner (window), expected));
  fixture_activate (window, "dismiss-banner");
  g_assert_null (hl_window_banner (window));
  fixture_close (window);
  g_unlink (path);
}

static void test_bad_files (void) {
  check_bad_file (NULL, "hl-test-bad.hydrolink");
  check_bad_file ("not JSON", "hl-test-bad.hydrolink");
  check_bad_file ("{\"format\": \"hydrolink\", \"version\": 99}", "version");
  check_bad_file ("[1, 2]", "hl-test-bad.hydrolink");
}

/* Of the eigenvalue table. */
static const char *cell_text (gpointer table, int row, int column) {
  GtkWidget *line = fixture_nth (table, GTK_TYPE_LIST_BOX_ROW, row);
  return gtk_inscription_get_text (fixture_nth (line, GTK_TYPE_INSCRIPTION, column));
}

/* The slider moves eigenvalues and traces; the whole way is one undo step. */
static void test_slider (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  GtkRange *slider = fixture_nth (window_part (window, "slider_panel"), GTK_TYPE_SCALE, 0);
  g_autofree char *before = g_strdup (cell_text (window_part (window, "eigen_table"), 0, 0));
  guint serial = hl_runs_shown (hl_workbench_runs (workbench))->serial;

  g_assert_nonnull (slider);
  for (int step = 0; step < 20; step++) {
    gtk_range_set_value (slider, 0.75 - 0.02 * step);
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  }
  fixture_until_settled (window);
  g_assert_cmpstr (cell_text (window_part (window, "eigen_table"), 0, 0), !=, before);
  g_assert_cmpuint (hl_runs_shown (hl_workbench_runs (workbench))->serial, >, serial);
  g_assert_cmpint (hl_frame_meter_frames (window->meter).n, >, 10);
  hl_editing_end_gesture (hl_workbench_editing (workbench));
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "undo"));
  fixture_activate (window, "undo");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "undo"));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  fixture_until_settled (window);
  g_assert_cmpstr (cell_text (window_part (window, "eigen_table"), 0, 0), ==, before);
  fixture_close (window);
}

/* A number that is still being typed counts when Run is pressed. */
static void test_typing (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  double value;

  hl_workbench_select (workbench, "pump");
  fixture_rebuild ();
  GtkWidget *field = fixture_find (GTK_WIDGET (window_part (window, "inspector")), HL_TYPE_NUMBER_FIELD);
  g_assert_nonnull (field);
  GtkWidget *entry = fixture_find (field, GTK_TYPE_ENTRY);
  gtk_widget_grab_focus (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), "80 bar");
  fixture_activate (window, "run");
  hl_document_get_number (hl_editing_document (hl_workbench_editing (workbench)), "pump.pressure", &value,
                          NULL, NULL);
  g_assert_cmpfloat_with_epsilon (value, 80e5, 1e-6);

  /* Nonsense stays in its field and changes nothing. */
  gtk_editable_set_text (GTK_EDITABLE (entry), "much");
  g_assert_false (hl_number_field_flush (HL_NUMBER_FIELD (field)));
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  hl_document_get_number (hl_editing_document (hl_workbench_editing (workbench)), "pump.pressure", &value,
                          NULL, NULL);
  g_assert_cmpfloat_with_epsilon (value, 80e5, 1e-6);

  /* Another unit on show leaves the bits alone. */
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (hl_workbench_editing (workbench)));
  hl_workbench_set_unit (workbench, hl_unit_find (HL_QUANTITY_PRESSURE, "psi"));
  hl_workbench_set_unit (workbench, hl_unit_find (HL_QUANTITY_PRESSURE, "bar"));
  g_assert_true (hl_document_equal (before, hl_editing_document (hl_workbench_editing (workbench))));
  fixture_close (window);
}

static void test_export (void) {
  static const char *const exports[][2] = {
      {"plots", "plots.svg"},     {"plot:1", "plot.pdf"}, {"circuit", "circuit.png"},
      {"linkage", "linkage.svg"}, {"locus", "locus.png"}, {"results", "results.csv"},
  };
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *folder = g_dir_make_tmp ("hl-export-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (exports); i++) {
    g_autofree char *path = g_build_filename (folder, exports[i][1], NULL);
    GStatBuf info;
    hl_exporter_save (window->exporter, exports[i][0], path, &error);
    g_assert_no_error (error);
    g_assert_cmpint (g_stat (path, &info), ==, 0);
    g_assert_cmpint (info.st_size, >, 500);
    g_unlink (path);
  }
  g_assert_false (hl_exporter_save (window->exporter, "plots", "/tmp/plots.gif", &error));
  g_assert_nonnull (error);
  g_rmdir (folder);
  fixture_close (window);
}

static void test_picture (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-test-window.png", NULL);
  g_autoptr (GError) error = NULL;

  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  hl_screenshot_save (GTK_WINDOW (window), path, &error);
  g_assert_no_error (error);
  g_unlink (path);
  fixture_close (window);
}

/* Views of the canvases: zoom keeps the fitted drawing until F brings it back. */
static void test_looking (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));
  double scale = hl_canvas_view (canvas)->scale;

  hl_canvas_zoom (canvas, 2);
  g_assert_cmpfloat_with_epsilon (hl_canvas_view (canvas)->scale, 2 * scale, 1e-9 * scale);
  gtk_widget_activate_action (GTK_WIDGET (canvas), "view.fit", NULL);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_cmpfloat_with_epsilon (hl_canvas_view (canvas)->scale, scale, 1e-9 * scale);

  hl_runs_set_time (hl_workbench_runs (hl_window_workbench (window)), 1.25);
  hl_application_set_dark (application, TRUE);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  hl_application_set_dark (application, FALSE);
  fixture_close (window);
}

static gboolean is_wide (gpointer data) {
  HlWindow *window = data;
  return !hl_header_bar_is_narrow (window_part (window, "header")) && window->fit_id == 0;
}

static gboolean is_narrow (gpointer data) {
  HlWindow *window = data;
  return hl_header_bar_is_narrow (window_part (window, "header")) && window->fit_id == 0;
}

/* No word of the header is cut: where none of the sets holds and there is little room, a picture
 * stands for the word; the name of a set stays a name. */
static void assert_set_is_told (HlWindow *window, gboolean is_word) {
  g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "set_label"))), ==, is_word);
  g_assert_cmpint (gtk_widget_get_visible (window_part (window, "set_icon")), ==, !is_word);
}

static void test_header_without_set (void) {
  HlWindow *window = fixture_open (application, "accumulator-launch.hydrolink");

  g_assert_cmpint (hl_document_n_sets (fixture_document (window)), ==, 0);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  fixture_until (is_narrow, window);
  fixture_draw (window);
  assert_set_is_told (window, FALSE);
  gtk_window_set_default_size (GTK_WINDOW (window), 1598, 800);
  fixture_until (is_wide, window);
  fixture_draw (window);
  assert_set_is_told (window, TRUE);
  fixture_close (window);
}

/* The header steps back and comes again while the panes get other places: nothing is painted that
 * has no place yet, which GTK warns of, and a warning ends this program. */
static void test_narrow_and_wide (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  for (int k = 0; k < 2; k++) {
    gtk_window_set_default_size (GTK_WINDOW (window), 1000, 700);
    fixture_until (is_narrow, window);
    fixture_draw (window);
    g_assert_cmpstr (gtk_button_get_icon_name (window_part (window, "open_button")), ==,
                     "document-open-symbolic");
    assert_set_is_told (window, TRUE); /* "Overdamped" */
    gtk_window_set_default_size (GTK_WINDOW (window), 1598, 700 + 100 * k);
    fixture_until (is_wide, window);
    fixture_draw (window);
    g_assert_null (gtk_button_get_icon_name (window_part (window, "open_button")));
  }
  fixture_close (window);
}

/* Every border is dragged over its whole way while the line at the foot has something new: GTK would say of
 * what it paints without having laid it out. */
static void test_borders (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  GtkPaned *borders[] = {window_part (window, "main_paned"), window_part (window, "left_paned"),
                         window_part (window, "drawings_paned"), window_part (window, "side_paned")};

  for (gsize i = 0; i < G_N_ELEMENTS (borders); i++) {
    int before = gtk_paned_get_position (borders[i]), least, most;
    g_object_get (borders[i], "min-position", &least, "max-position", &most, NULL);
    most = MIN (most, least + BORDER_STEPS * BORDER_STEP); /* G_MAXINT, with one side only */
    for (int position = least; position < most; position += BORDER_STEP) {
      gtk_paned_set_position (borders[i], position);
      gtk_widget_queue_resize (GTK_WIDGET (window_part (window, "status_line")));
      gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
    }
    gtk_paned_set_position (borders[i], before);
  }
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/main-window/empty", test_empty);
  g_test_add_func ("/main-window/actions", test_actions);
  g_test_add_func ("/main-window/bad-files", test_bad_files);
  g_test_add_func ("/main-window/slider", test_slider);
  g_test_add_func ("/main-window/typing", test_typing);
  g_test_add_func ("/main-window/export", test_export);
  g_test_add_func ("/main-window/picture", test_picture);
  g_test_add_func ("/main-window/looking", test_looking);
  g_test_add_func ("/main-window/header-without-set", test_header_without_set);
  g_test_add_func ("/main-window/narrow-and-wide", test_narrow_and_wide);
  g_test_add_func ("/main-window/borders-are-dragged", test_borders);
  g_test_add_func ("/main-window/examples", test_examples);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
