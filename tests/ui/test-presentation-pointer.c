/* SPDX-License-Identifier: MIT */
/* The lecture hall by pointer and keys: text grows, panes go and come alone or together, the bar comes at
 * the upper edge, a slider leaves a caption, and everything is restored afterwards. HL_PICTURES_DIR keeps pictures. */
#include "tests/ui/pointer-fixture.h"
#include "app/window/hl-window-screenshot.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/study/hl-rest-band-window.h"

#include <math.h>

static HlApplication *application;
static HlWindow *window;

static void settle (void) {
  pointer_wait (300000);
  pointer_settle ();
}

static double font_px (GtkWidget *widget) {
  return pango_font_description_get_size (
      pango_context_get_font_description (gtk_widget_get_pango_context (widget)));
}

static GtkWidget *button (const char *label) {
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();

  fixture_collect (GTK_WIDGET (window), GTK_TYPE_BUTTON, buttons);
  for (guint k = 0; k < buttons->len; k++)
    if (gtk_widget_get_mapped (buttons->pdata[k]) &&
        /* a tab of the plots may have the same name */
        gtk_widget_has_css_class (gtk_widget_get_parent (buttons->pdata[k]), "present-bar") &&
        g_strcmp0 (gtk_button_get_label (buttons->pdata[k]), label) == 0)
      return buttons->pdata[k];
  return NULL;
}

static void click (const char *label) {
  GtkWidget *found = button (label);

  g_assert_nonnull (found);
  pointer_to (found, (HlSpot){0.5 * gtk_widget_get_width (found), 0.5 * gtk_widget_get_height (found)});
  pointer_press ("1");
  pointer_release ("1");
}

static gboolean is_seen (gpointer widget) {
  return gtk_widget_get_mapped (widget);
}

static void to_the_edge (void) {
  pointer_to (GTK_WIDGET (window_part (window, "main_paned")), (HlSpot){400, 2});
  settle ();
}

static void test_present (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  double plain = font_px (GTK_WIDGET (window_part (window, "linkage_view")));
  gboolean had_palette = is_seen (window_part (window, "circuit_palette"));

  pointer_key ("shift+F11");
  settle ();
  g_assert_cmpfloat_with_epsilon (font_px (GTK_WIDGET (window_part (window, "linkage_view"))) / plain, 1.5,
                                  0.02);
  g_assert_false (is_seen (window_part (window, "circuit_palette")));
  g_assert_false (is_seen (window_part (window, "inspector")));
  g_assert_true (is_seen (window_part (window, "locus_view")));
  pointer_picture ("present-all.png");

  /* locus and linkage only */
  to_the_edge ();
  click ("Circuit");
  settle ();
  to_the_edge ();
  click ("Plots");
  settle ();
  g_assert_false (is_seen (window_part (window, "circuit_view")));
  g_assert_false (is_seen (window_part (window, "plot_pane")));
  g_assert_true (is_seen (window_part (window, "linkage_view")));
  g_assert_true (is_seen (window_part (window, "locus_view")));
  to_the_edge ();
  click ("2 ×");
  settle ();
  g_assert_cmpfloat_with_epsilon (font_px (GTK_WIDGET (window_part (window, "linkage_view"))) / plain, 2.0,
                                  0.02);
  pointer_to (GTK_WIDGET (window_part (window, "linkage_view")), (HlSpot){200, 400});
  g_autoptr (GError) error = NULL;
  hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)),
                          (const char *const[]){"cyl.friction.scale", NULL}, 0.1, NULL, &error);
  g_assert_no_error (error);
  settle ();
  g_assert_nonnull (fixture_find_label (GTK_WIDGET (window), "Friction × = 0.1"));
  pointer_picture ("present-two.png");

  /* one alone, and it stays */
  to_the_edge ();
  click ("Root locus");
  settle ();
  to_the_edge ();
  click ("Linkage");
  settle ();
  g_assert_true (is_seen (window_part (window, "linkage_view")));
  g_assert_false (is_seen (window_part (window, "locus_view")));
  pointer_to (GTK_WIDGET (window_part (window, "linkage_view")), (HlSpot){200, 400});
  settle ();
  g_assert_null (button ("Leave (Esc)"));
  pointer_picture ("present-one.png");

  /* the way back */
  pointer_key ("Escape");
  settle ();
  g_assert_cmpfloat (font_px (GTK_WIDGET (window_part (window, "linkage_view"))), ==, plain);
  g_assert_true (is_seen (window_part (window, "circuit_view")));
  g_assert_true (is_seen (window_part (window, "plot_pane")));
  g_assert_true (is_seen (window_part (window, "circuit_palette")) == had_palette);
  g_assert_true (is_seen (window_part (window, "inspector")));
  pointer_picture ("present-after.png");
  pointer_key ("shift+F11");
  settle ();
  pointer_close (window); /* out of the lecture hall */
}

static double friction (void) {
  return fixture_number (window, "cyl.friction.scale");
}

/* All points of the linkage are in the view, and fill a fifth of its width or height at least. */
static void check_fitted (HlCanvas *canvas, const char *body) {
  const HlView *view = hl_canvas_view (canvas);
  double width = gtk_widget_get_width (GTK_WIDGET (canvas)),
         height = gtk_widget_get_height (GTK_WIDGET (canvas));
  const HlDocument *document = fixture_document (window);
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};

  for (int k = 0; k < hl_document_n_points (document, -1); k++) {
    double xy[2];
    g_assert_true (hl_document_point_xy (document, -1, k, xy));
    HlSpot at = hl_view_to_device (view, (HlSpot){xy[0], xy[1]});
    low[0] = fmin (low[0], at.x), high[0] = fmax (high[0], at.x);
    low[1] = fmin (low[1], at.y), high[1] = fmax (high[1], at.y);
  }
  g_autofree char *x = g_strconcat (body, ".x", NULL), *y = g_strconcat (body, ".y", NULL);
  HlSpot body_at = hl_view_to_device (view, (HlSpot){fixture_number (window, x), fixture_number (window, y)});
  low[0] = fmin (low[0], body_at.x), high[0] = fmax (high[0], body_at.x);
  low[1] = fmin (low[1], body_at.y), high[1] = fmax (high[1], body_at.y);
  g_assert_true (low[0] >= 0 && low[1] >= 0 && high[0] <= width && high[1] <= height);
  g_assert_true (high[0] - low[0] >= width / 5 || high[1] - low[1] >= height / 5);
}

/* A list of experiments by keys, in the lecture hall and out of it, and by its card. */
static void test_experiments (void) {
  g_autofree char *path = g_build_filename (g_getenv ("HL_LESSONS_DIR"), "friction.hlexperiments", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  window = pointer_open (application, NULL);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "experiments"));
  g_assert_true (hl_window_open_file (window, file));
  settle ();
  g_assert_cmpfloat (friction (), ==, 0.01);
  g_assert_nonnull (window->presentation); /* they open in the lecture hall */
  pointer_picture ("experiment-1.png");
  pointer_key ("Page_Down");
  settle ();
  g_assert_cmpfloat (friction (), ==, 0.1);
  g_assert_false (is_seen (window_part (window, "plot_pane")));
  g_assert_true (is_seen (window_part (window, "locus_view")));
  g_assert_nonnull (
      fixture_find_label (GTK_WIDGET (window), "2/5  It oscillates and decays: A tenth of the friction"));
  pointer_picture ("experiment-2.png");
  g_assert_null (button ("Leave (Esc)")); /* keys put the bar away */
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window_part (window, "locus_view"))), >=,
                   (int)(0.4 * gtk_widget_get_height (GTK_WIDGET (window))));
  pointer_key ("Page_Down");
  settle ();
  g_assert_true (is_seen (window_part (window, "plot_pane")));
  g_assert_false (is_seen (window_part (window, "locus_view")));
  pointer_picture ("experiment-3.png");
  check_fitted (HL_CANVAS (window_part (window, "linkage_view")), "link3");
  g_assert_cmpfloat (gtk_widget_get_height (GTK_WIDGET (window_part (window, "plot_pane"))), >=,
                     0.48 * gtk_widget_get_height (GTK_WIDGET (window_part (window, "left_paned"))));
  pointer_key ("Page_Down");
  settle ();
  pointer_picture ("experiment-4.png");
  pointer_key ("Page_Down");
  settle ();
  g_assert_cmpfloat (fixture_number (window, "cbv.pilot_ratio"), >, 0);
  pointer_picture ("experiment-5.png");
  check_fitted (HL_CANVAS (window_part (window, "linkage_view")), "boom");
  pointer_key ("Page_Down"); /* behind the last one there is none */
  settle ();
  for (int k = 0; k < 3; k++) {
    pointer_key ("Page_Up");
    settle ();
  }
  g_assert_cmpfloat (friction (), ==, 0.1);
  pointer_key ("Escape");
  settle ();
  g_assert_null (window->presentation);
  pointer_key ("alt+Page_Up");
  settle ();
  g_assert_cmpfloat (friction (), ==, 0.01);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "previous-experiment"));
  fixture_activate (window, "experiments");
  pointer_wait (500000);
  GtkWindow *cards = fixture_find_window ("Experiments");
  g_assert_nonnull (cards);
  pointer_use (HL_WINDOW (window));
  gtk_widget_activate (fixture_nth (cards, GTK_TYPE_FLOW_BOX_CHILD, 4));
  settle ();
  g_assert_cmpfloat (fixture_number (window, "cbv.pilot_ratio"), >, 0);
  pointer_close (window);
}

static gboolean has_rows (gconstpointer rest) {
  return fixture_find_label (GTK_WIDGET ((gpointer)rest), "3.5 MPa ± 0.124 MPa") != NULL;
}

/* The bars of friction, by what core/test-friction-rest-band has found right. */
static void test_rest (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  g_action_group_activate_action (G_ACTION_GROUP (window), "study", g_variant_new_string ("rest"));
  GtkWindow *rest = fixture_find_window ("Rest positions with friction");
  g_assert_nonnull (rest);
  pointer_until (has_rows, rest);
  g_assert_nonnull (fixture_find_label (GTK_WIDGET (rest), "60° ± 0.00466°"));
  if (g_getenv ("HL_PICTURES_DIR") != NULL) {
    g_autofree char *path = g_build_filename (g_getenv ("HL_PICTURES_DIR"), "rest.png", NULL);
    pointer_wait (500000);
    hl_screenshot_save (rest, path, NULL);
  }
  gtk_window_destroy (rest);
  pointer_close (window);
}

int main (int argc, char *argv[]) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/presentation-pointer/panes-sizes-captions-and-back", test_present);
  g_test_add_func ("/presentation-pointer/experiments", test_experiments);
  g_test_add_func ("/presentation-pointer/rest-band", test_rest);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
