/* SPDX-License-Identifier: MIT */
/* Tests of first steps by pointer and keys, on a toggle press that is not among the examples: fixes of
 * problems are not cut off, sliders have words, levers reach the rated values, numbers beside the drawing are
 * those of the plots. HL_PICTURES_DIR stores pictures of the steps. */
#include "app/window/hl-playback-bar.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/modes/hl-slider-panel.h"

#include <math.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

/* Returns a cylinder on two links, which it pushes straight; pump, relief valve, 4/3 valve with a lever. */
static HlDocument *toggle_press (void) {
  static const char text[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, -9.81],"
      "\"ground\": {\"points\": {\"O\": [0, 0], \"B\": [-1.2, 0.35], \"G\": [0, -1.2]}},"
      "\"bodies\": [{\"id\": \"upper\", \"points\": {\"O\": [0, 0], \"K\": [0.5, 0]}, \"mass\": 40,"
      " \"inertia\": 0.9, \"com\": [0.25, 0], \"pose\": [0, 0, -1.2]},"
      "{\"id\": \"lower\", \"points\": {\"K\": [0, 0], \"S\": [0.6, 0]}, \"mass\": 45,"
      " \"inertia\": 1.4, \"com\": [0.3, 0], \"pose\": [0.181178877, -0.46601954, -1.8775]},"
      "{\"id\": \"ram\", \"points\": {\"S\": [0, 0]}, \"mass\": 120, \"inertia\": 4,"
      " \"com\": [0, 0], \"pose\": [0, -1.038, 0]}],"
      "\"joints\": [{\"id\": \"jO\", \"kind\": \"revolute\", \"a\": \"ground.O\","
      " \"b\": \"upper.O\"},"
      "{\"id\": \"jK\", \"kind\": \"revolute\", \"a\": \"upper.K\", \"b\": \"lower.K\"},"
      "{\"id\": \"jS\", \"kind\": \"revolute\", \"a\": \"lower.S\", \"b\": \"ram.S\"},"
      "{\"id\": \"guide\", \"kind\": \"prismatic\", \"a\": \"ground.G\", \"b\": \"ram.S\","
      " \"axis\": 1.5707963267948966}],"
      "\"components\": [{\"id\": \"pump\", \"kind\": \"pump\", \"displacement\": 8e-6,"
      " \"speed\": 157.07963267948966}, {\"id\": \"tank\", \"kind\": \"tank\"},"
      "{\"id\": \"relief\", \"kind\": \"relief-valve\", \"Cd\": 0.6, \"pressure\": 18e6,"
      " \"opening_range\": 1e6, \"area\": 5e-5},"
      "{\"id\": \"dcv\", \"kind\": \"directional-valve\", \"Cv\": 1.5e-6, \"time_constant\": 0.02,"
      " \"PA\": {\"gain\": 1, \"overlap\": 0.05}, \"PB\": {\"gain\": 1, \"overlap\": 0.05},"
      " \"AT\": {\"gain\": 1, \"overlap\": 0.05}, \"BT\": {\"gain\": 1, \"overlap\": 0.05},"
      " \"command\": {\"kind\": \"lever\", \"value\": 0, \"more\": \"press\", \"less\": \"open\"}},"
      "{\"id\": \"cyl\", \"kind\": \"cylinder\", \"base\": \"ground.B\", \"rod\": \"upper.K\","
      " \"piston_diameter\": 0.08, \"rod_diameter\": 0.04, \"stroke\": 0.8, \"c1\": 1.2,"
      " \"c2\": 0.05, \"friction\": {\"model\": \"stribeck-tanh\", \"Fc\": 200, \"Fs\": 320,"
      " \"vs\": 0.02, \"v0\": 0.004, \"sigma2\": 3000}}],"
      "\"lines\": [{\"id\": \"P\", \"ports\": [\"pump.P\", \"relief.A\", \"dcv.P\"],"
      " \"volume\": 1e-3, \"pressure\": 5e6},"
      "{\"id\": \"T\", \"ports\": [\"tank.T\", \"pump.S\", \"relief.T\", \"dcv.T\"]},"
      "{\"id\": \"A\", \"ports\": [\"dcv.A\", \"cyl.A\"], \"volume\": 4e-4, \"pressure\": 2e6},"
      "{\"id\": \"B\", \"ports\": [\"dcv.B\", \"cyl.B\"], \"volume\": 5e-4, \"pressure\": 2e6}],"
      "\"probes\": [{\"id\": \"q\", \"of\": \"upper.angle\", \"label\": \"φ\"},"
      "{\"id\": \"pA\", \"of\": \"A.pressure\", \"label\": \"p A\"}],"
      "\"plots\": [{\"traces\": [\"q\"]}, {\"traces\": [\"pA\"]}],"
      "\"sliders\": [{\"path\": \"cyl.friction.Fc\", \"from\": 20, \"to\": 2000,"
      " \"scale\": \"log\"}],"
      "\"simulation\": {\"t_end\": 1, \"every\": 0.002, \"start\": \"equilibrium\"}}";
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_parse (text, strlen (text), "press", &error);

  g_assert_no_error (error);
  return document;
}

static void open_press (void) {
  window = pointer_open (application, NULL);
  hl_editing_set_document (fixture_editing (window), toggle_press ());
  pointer_settle ();
}

/* --- problems --- */

static gboolean is_popped_up (gconstpointer problems) {
  GtkWidget *list = fixture_child ((gpointer)problems, "list");
  return gtk_widget_get_mapped (list);
}

/* Tests that the fix of a problem is completely visible, a key applies it, and the plots are those of the
 * changed model while the list is still open. */
static void test_problems (void) {
  open_press ();
  static const char *const lines[] = {"A", "B", NULL};
  hl_workbench_select_ids (hl_window_workbench (window), lines);
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "circuit_view")));
  pointer_key ("Delete");
  pointer_settle ();
  int n = hl_problems_count (window_part (window, "problems"));
  g_assert_cmpint (n, >=, 2);
  guint run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)))->serial;

  pointer_key ("F8");
  pointer_until (is_popped_up, window_part (window, "problems"));
  fixture_draw (window);
  GtkWidget *list = fixture_child (window_part (window, "problems"), "list");
  GtkWidget *scrolled = fixture_child (window_part (window, "problems"), "scrolled");
  g_assert_cmpint (gtk_widget_get_height (list), >, 60);
  g_assert_cmpint (gtk_widget_get_height (scrolled), >=, MIN (gtk_widget_get_height (list), 320));
  pointer_picture ("problems.png");
  pointer_key ("Tab"); /* from the row to what mends it */
  pointer_key ("space");
  pointer_settle ();
  g_assert_cmpint (hl_problems_count (window_part (window, "problems")), <, n);
  g_assert_true (is_popped_up (window_part (window, "problems")));
  const HlRun *mended = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  g_assert_cmpuint (mended->serial, !=, run);
  g_assert_true (hl_document_equal (mended->document, hl_editing_document (fixture_editing (window))));
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (window_part (window, "plot_pane")), "earlier"));
  pointer_key ("Escape");
  pointer_close (window);
}

/* A pump in hybrid oil whose only way is shut on the way. */
static const char shut_off[] =
    "{\"format\": \"hydrolink\", \"version\": 1, \"components\": ["
    "{\"id\": \"tank\", \"kind\": \"tank\"},"
    "{\"id\": \"pump\", \"kind\": \"flow-source\", \"flow\": 1e-4},"
    "{\"id\": \"valve\", \"kind\": \"metering-valve\", \"area\": 1e-5, \"opening\":"
    " {\"kind\": \"table\", \"t\": [0, 0.5], \"y\": [1, 0], \"between\": \"hold\"}},"
    "{\"id\": \"pipe\", \"kind\": \"pipe\", \"length\": 1, \"area\": 2e-4, \"resistance\": 1e6}],"
    "\"lines\": [{\"id\": \"T\", \"ports\": [\"tank.T\", \"pipe.B\"]},"
    "{\"id\": \"V\", \"ports\": [\"valve.B\", \"pipe.A\"], \"volume\": 1e-5},"
    "{\"id\": \"P\", \"ports\": [\"pump.P\", \"valve.A\"], \"volume\": 1e-4}],"
    "\"probes\": [{\"id\": \"p\", \"of\": \"P.pressure\"}],"
    "\"simulation\": {\"t_end\": 1, \"every\": 0.01, \"model\": \"hybrid\", \"start\": "
    "\"as-given\"}}";

/* Tests that the cause of an early end of a run is listed among the problems with a fix, with which the run
 * reaches its end. */
static void test_failed_run (void) {
  g_autoptr (GError) error = NULL;

  window = pointer_open (application, NULL);
  hl_editing_set_document (fixture_editing (window),
                           hl_document_parse (shut_off, strlen (shut_off), "shut", &error));
  g_assert_no_error (error);
  pointer_settle ();
  g_assert_cmpint (hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)))->state, ==,
                   HL_RUN_FAILED);
  g_assert_cmpint (hl_problems_count (window_part (window, "problems")), ==, 1);
  pointer_key ("F8");
  pointer_until (is_popped_up, window_part (window, "problems"));
  fixture_draw (window);
  pointer_picture ("failed-run.png");
  pointer_key ("Tab");
  pointer_key ("space");
  pointer_settle ();
  g_assert_cmpint (hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)))->state, ==, HL_RUN_DONE);
  g_assert_cmpint (hl_problems_count (window_part (window, "problems")), ==, 0);
  pointer_key ("Escape");
  pointer_close (window);
}

/* --- sliders --- */

static gboolean has_list (gconstpointer button) {
  GtkWidget *list = fixture_find ((GtkWidget *)button, GTK_TYPE_LIST_BOX);
  return list != NULL && gtk_widget_get_mapped (list);
}

/* Tests that any number is found by its word, and becomes a slider with a valid range. */
static void test_slider_by_words (void) {
  open_press ();
  pointer_key ("ctrl+2");
  pointer_settle ();
  GtkWidget *add = fixture_child (window_part (window, "slider_panel"), "add");
  gtk_widget_grab_focus (add);
  pointer_key ("space");
  pointer_until (has_list, add);
  GtkWidget *list = fixture_find (add, GTK_TYPE_LIST_BOX);
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 0);
  g_assert_cmpstr (fixture_label (first, 0), ==, "Mass"); /* no bare path */
  g_assert_nonnull (fixture_find_label (GTK_WIDGET (list), "upper, Body"));
  pointer_picture ("slider-words.png");
  pointer_enter ("piston diam"); /* at once, the list follows later */
  pointer_settle ();
  HlSlider slider;
  const HlDocument *document = hl_editing_document (fixture_editing (window));
  g_assert_cmpint (hl_document_n_sliders (document), ==, 2);
  g_assert_true (hl_document_slider (document, 1, &slider));
  g_assert_cmpstr (slider.path, ==, "cyl.piston_diameter");
  hl_assert_near (slider.to, 0.8, 1e-9, 0);

  /* a share of air: its slider ends where it does */
  gtk_widget_grab_focus (add);
  pointer_key ("space");
  pointer_until (has_list, add);
  pointer_enter ("fluid.air_fraction");
  pointer_settle ();
  document = hl_editing_document (fixture_editing (window));
  g_assert_cmpint (hl_document_n_sliders (document), ==, 3);
  g_assert_true (hl_document_slider (document, 2, &slider));
  g_assert_cmpfloat (slider.from, >=, 0);
  g_assert_cmpfloat (slider.to, <=, 1);
  pointer_close (window);
}

/* --- a band on the slider --- */

static gboolean has_locus (gconstpointer data) {
  return hl_locus_study_locus (hl_workbench_locus (hl_window_workbench (window))) != NULL &&
         hl_window_is_settled (window);
}

static int y_of (GtkWidget *widget) {
  graphene_point_t at;

  g_assert_true (gtk_widget_compute_point (widget, GTK_WIDGET (window), &GRAPHENE_POINT_INIT (0, 0), &at));
  return (int)at.y;
}

/* A fraction of the band lies where the slider stands with it; a target moves nothing. */
static void test_band (void) {
  open_press ();
  pointer_key ("ctrl+2");
  pointer_until (has_locus, NULL);
  GtkWidget *model_sliders = GTK_WIDGET (window_part (window, "slider_panel"));
  HlSliderBand *band = HL_SLIDER_BAND (fixture_find (model_sliders, HL_TYPE_SLIDER_BAND));
  GtkWidget *scale = fixture_find (model_sliders, GTK_TYPE_SCALE);

  for (int step = 0; step <= 4; step++) {
    double middle = hl_slider_band_x (band, gtk_range_get_value (GTK_RANGE (scale)));
    HlSpot at = {middle, 0.5 * gtk_widget_get_height (scale)};
    /* the slider itself is what is there */
    GtkWidget *there = gtk_widget_pick (scale, at.x, at.y, GTK_PICK_DEFAULT);
    g_assert_cmpstr (gtk_widget_get_css_name (there), ==, "slider");
    gtk_widget_grab_focus (scale);
    pointer_key (step % 2 == 0 ? "Page_Up" : "Page_Down");
    pointer_key (step % 2 == 0 ? "Page_Up" : "Page_Down");
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  }
  pointer_until (has_locus, NULL);

  int y = y_of (window_part (window, "study_box")),
      height = gtk_widget_get_height (GTK_WIDGET (window_part (window, "locus_view")));
  GtkWidget *met = fixture_child (window_part (window, "slider_panel"), "met");
  GtkWidget *target = fixture_child (window_part (window, "slider_panel"), "target");
  gtk_widget_grab_focus (target);
  pointer_key ("space");
  pointer_wait (300000);
  pointer_key ("ctrl+a");
  pointer_enter ("0.3");
  pointer_key ("Escape");
  pointer_settle ();
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (met)), !=, "");
  pointer_picture ("band.png");
  g_assert_cmpint (y_of (window_part (window, "study_box")), ==, y);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window_part (window, "locus_view"))), ==, height);
  HlLocusTarget none = {NAN, NAN};
  hl_locus_study_set_target (hl_workbench_locus (hl_window_workbench (window)), &none);
  pointer_close (window);
}

/* --- levers --- */

static gboolean is_driven (gconstpointer data) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  return run != NULL && run->is_driven && hl_results_n_rows (run->results) > 20;
}

/* Tests that the lever of a pump moves from rest to its speed, and no further; and the lever of a valve in
 * both directions. */
static void test_rated_levers (void) {
  open_press ();
  pointer_key ("F6");
  pointer_until (is_driven, NULL);
  GPtrArray *levers = hl_manual_run_levers (hl_workbench_manual_run (hl_window_workbench (window)));
  g_assert_cmpuint (levers->len, ==, 2);
  const HlLever *valve = levers->pdata[0], *pump = levers->pdata[1];
  g_assert_cmpstr (pump->path, ==, "pump.speed");
  hl_assert_near (pump->from, 0, 0, 1e-12);
  hl_assert_near (pump->to, 157.07963267948966, 1e-12, 0); /* 1500 rpm, as the file says */
  hl_assert_near (valve->from, -1, 1e-12, 0);
  hl_assert_near (valve->to, 1, 1e-12, 0);
  GtkWidget *scale = fixture_nth (window_part (window, "lever_panel"), GTK_TYPE_SCALE, 1);
  gtk_widget_grab_focus (scale);
  pointer_key ("End");
  pointer_key ("Home");
  double value = hl_manual_run_lever (hl_workbench_manual_run (hl_window_workbench (window)), 1);
  g_assert_true (fabs (value) < 1e-9 || fabs (value - pump->to) < 1e-9);
  pointer_picture ("levers.png");
  pointer_key ("F6");
  pointer_settle ();
  pointer_close (window);
}

/* --- the line that says what a tool expects --- */

static void assert_clear (GtkWidget *canvas, HlSpot at) {
  graphene_rect_t box;

  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window_part (window, "circuit_status"))));
  g_assert_true (
      gtk_widget_compute_bounds (GTK_WIDGET (window_part (window, "circuit_status")), canvas, &box));
  g_assert_false (graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT ((float)at.x, (float)at.y)));
}

/* Tests that the hint avoids every target along the left edge. */
static void test_hint_gives_way (void) {
  window = pointer_open (application, NULL);
  GtkWidget *canvas = GTK_WIDGET (window_part (window, "circuit_view"));
  int height = gtk_widget_get_height (canvas);

  pointer_take_up (window_part (window, "circuit_palette"), "Tank");
  for (int k = 0; k <= 8; k++) {
    HlSpot at = {40, 40 + (height - 50) * k / 8.0};
    pointer_to (canvas, at);
    assert_clear (canvas, at);
  }
  for (int k = 8; k >= 0; k -= 2) {
    HlSpot at = {60, 40 + (height - 50) * k / 8.0};
    pointer_to (canvas, at);
    assert_clear (canvas, at);
  }
  pointer_key ("Escape");
  pointer_close (window);
}

/* Tests that a ground pivot placed just above the hint is completely visible, with its name. */
static void test_hint_leaves_pivot (void) {
  graphene_rect_t box;

  window = pointer_open (application, NULL);
  GtkWidget *canvas = GTK_WIDGET (window_part (window, "linkage_view"));
  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  HlSpot at = {150, gtk_widget_get_height (canvas) - 54};
  pointer_to (canvas, (HlSpot){150, 150});
  pointer_to (canvas, at);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window_part (window, "linkage_status"))));
  g_assert_true (
      gtk_widget_compute_bounds (GTK_WIDGET (window_part (window, "linkage_status")), canvas, &box));
  g_assert_false (graphene_rect_contains_point (
      &box, &GRAPHENE_POINT_INIT ((float)at.x, (float)at.y + 32.0f))); /* its name */
  pointer_key ("Escape");
  pointer_close (window);
}

/* --- numbers beside the drawing --- */

/* Tests that the start differs from the drawing by rounding only, without a message: the displayed numbers
 * are the first values of the plots. */
static void test_start_numbers (void) {
  open_press ();
  g_assert_false (gtk_widget_get_mapped (window_part (window, "moved_box")));
  double start = hl_editing_point (fixture_editing (window))->point->x[2];
  g_assert_cmpfloat (fabs (start + 1.2), >, 1e-6); /* or there were nothing to show */
  HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  hl_assert_near (hl_results_get (run->results, 1, 0), start, 1e-9, 0);
  const HlMechanismPicture *picture =
      hl_linkage_view_picture (HL_LINKAGE_VIEW (window_part (window, "linkage_view")));
  g_autofree char *expected = g_strdup_printf ("φ = −%.3f°", fabs (start) * 180 / G_PI);
  g_assert_cmpint (picture->n_angles, ==, 1);
  g_assert_cmpstr (picture->angles[0].label, ==, expected);
  pointer_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/first-steps/problems", test_problems);
  g_test_add_func ("/first-steps/failed-run-names-one-change", test_failed_run);
  g_test_add_func ("/first-steps/slider-by-words", test_slider_by_words);
  g_test_add_func ("/first-steps/band", test_band);
  g_test_add_func ("/first-steps/rated-levers", test_rated_levers);
  g_test_add_func ("/first-steps/hint-gives-way", test_hint_gives_way);
  g_test_add_func ("/first-steps/hint-leaves-a-pivot-its-name", test_hint_leaves_pivot);
  g_test_add_func ("/first-steps/start-numbers", test_start_numbers);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
