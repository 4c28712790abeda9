/* SPDX-License-Identifier: MIT */
/* The root locus by pointer and keys: a pole that is dragged along its branch moves the slider, one
 * that is clicked shows its mode. HL_PICTURES_DIR keeps pictures on the way. */
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/modes/hl-locus-view.h"

#include <math.h>

static HlApplication *application;
static HlWindow *window;

static HlLocusStudy *study (void) {
  return hl_workbench_locus (hl_window_workbench (window));
}

static gboolean has_branches (gconstpointer view) {
  return gtk_widget_get_mapped (GTK_WIDGET (view)) &&
         hl_locus_view_picture (HL_LOCUS_VIEW ((gpointer)view))->n_branches > 0 &&
         hl_window_is_settled (window);
}

static double slider (void) {
  const HlModelSlider *model_slider =
      hl_locus_study_model_sliders (study ())->pdata[hl_locus_study_model_slider (study ())];
  return hl_model_slider_value (model_slider,
                                hl_editing_document (hl_workbench_editing (hl_window_workbench (window))));
}

/* The pole nearest to a real number, in the view. */
static HlSpot pole_near (HlLocusView *view, double re, int *index) {
  HlLocusLayout layout;
  const HlLocusPlot *plot = hl_locus_view_lay_out (view, &layout);
  double best = INFINITY;

  for (int i = 0; i < plot->n_poles; i++)
    if (fabs (plot->poles[i].re - re) < best && !plot->poles[i].is_null) {
      best = fabs (plot->poles[i].re - re);
      *index = i;
    }
  return hl_locus_device (&layout, plot->poles[*index].re, plot->poles[*index].im);
}

static void move (HlLocusView *view, HlSpot at) {
  pointer_to (GTK_WIDGET (view), at);
}

static void test_drag_pole (void) {
  window = fixture_open (application, "four-bar.hydrolink");
  pointer_use (window);
  HlEditing *editing = hl_workbench_editing (hl_window_workbench (window));
  HlLocusView *view = window_part (window, "locus_view");
  int index;

  pointer_key ("ctrl+2");
  pointer_until (has_branches, view);
  double before = slider ();
  HlSpot from = pole_near (view, -1463, &index);
  HlSpot to = {from.x - 14, from.y + 3};

  /* along the real axis: the pole goes where the pointer is */
  move (view, from);
  pointer_press ("1");
  for (int step = 1; step <= 4; step++)
    move (view, (HlSpot){from.x + (to.x - from.x) * step / 4, from.y + (to.y - from.y) * step / 4});
  pointer_picture ("locus-drag.png");
  g_assert_cmpfloat (fabs (slider () / before - 1), >, 0.05);
  HlSpot now = pole_near (view, -1463 * pow (10, 0.25), &index);
  hl_assert_near (now.x, to.x, 0, 3);
  double dragged = slider ();
  pointer_release ("1");
  pointer_until (has_branches, view);
  hl_assert_near (slider (), dragged, 1e-12, 0);
  g_assert_cmpint (hl_locus_study_mode (study ()), <, 0);
  pointer_key ("ctrl+z"); /* one step */
  hl_assert_near (slider (), before, 1e-12, 0);
  g_assert_null (hl_editing_undo_name (editing));
  pointer_until (has_branches, view);

  /* given up */
  from = pole_near (view, -1463, &index);
  move (view, from);
  pointer_press ("1");
  move (view, (HlSpot){from.x - 8, from.y});
  move (view, (HlSpot){from.x - 14, from.y});
  g_assert_cmpfloat (slider (), !=, before);
  pointer_key ("Escape");
  pointer_release ("1");
  hl_assert_near (slider (), before, 1e-12, 0);

  /* a click, with a hand that shakes, changes nothing and shows the mode */
  pointer_until (has_branches, view);
  from = pole_near (view, -1463, &index);
  pointer_wait (450000);
  move (view, from);
  pointer_press ("1");
  move (view, (HlSpot){from.x + 2, from.y + 1});
  pointer_release ("1");
  hl_assert_near (slider (), before, 1e-12, 0);
  g_assert_cmpint (hl_locus_study_mode (study ()), >=, 0);
  pointer_use (NULL);
  while (hl_editing_undo_name (editing) != NULL)
    hl_editing_undo (editing);
  fixture_close (window);
}

static gboolean is_open (gconstpointer button) {
  GtkWidget *spin = fixture_find ((GtkWidget *)button, GTK_TYPE_SPIN_BUTTON);
  return spin != NULL && gtk_widget_get_mapped (spin);
}

static int y_of (GtkWidget *widget) {
  graphene_point_t at;

  g_assert_true (gtk_widget_compute_point (widget, GTK_WIDGET (window), &GRAPHENE_POINT_INIT (0, 0), &at));
  return (int)at.y;
}

/* A typed target shows the slider's range in which all eigenvalues satisfy it. */
static void test_target (void) {
  window = fixture_open (application, "position-servo.hydrolink");
  pointer_use (window);
  HlLocusView *view = window_part (window, "locus_view");
  double ranges[4][2];

  pointer_key ("ctrl+2");
  pointer_until (has_branches, view);
  GtkWidget *button = fixture_child (window_part (window, "slider_panel"), "target");
  GtkWidget *met = fixture_child (window_part (window, "slider_panel"), "met");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (met)), ==, "");
  int studies_y = y_of (window_part (window, "study_box")),
      locus_y = gtk_widget_get_height (GTK_WIDGET (view));
  gtk_widget_grab_focus (button);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  pointer_key ("space");
  pointer_until (is_open, button);
  pointer_key ("ctrl+a");
  pointer_enter ("0.1");
  const HlLocusTarget *target = hl_locus_study_target (study ());
  hl_assert_near (target->zeta, 0.1, 1e-12, 0);
  g_assert_true (isnan (target->omega));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (met)), !=, "");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_cmpint (y_of (window_part (window, "study_box")), ==, studies_y); /* nothing moves */
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (view)), ==, locus_y);
  const HlLocus *locus = hl_locus_study_locus (study ());
  int n = hl_locus_target_ranges (locus, target, ranges, 4);
  g_assert_cmpint (n, >=, 1);
  for (int row = 0; row < locus->n_values; row++)
    for (int branch = 0; branch < locus->n_states; branch++) {
      int at = row * locus->n_states + branch;
      double value = locus->values[row];
      if (!locus->null[branch] && value > ranges[0][0] && value < ranges[0][1])
        g_assert_cmpfloat (-locus->re[at] / hypot (locus->re[at], locus->im[at]), >=, 0.0999);
    }
  pointer_key ("Escape");
  pointer_picture ("locus-target.png");
  HlLocusTarget none = {NAN, NAN};
  hl_locus_study_set_target (study (), &none);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (met)), ==, "");
  pointer_use (NULL);
  fixture_close (window);
}

/* A data tip on a branch: along it by drag and keys, at its value whatever the slider does. */
static void test_data_tips (void) {
  int n, selected, index;
  HlSpot spot;

  window = fixture_open (application, "four-bar.hydrolink");
  pointer_use (window);
  HlLocusView *view = window_part (window, "locus_view");
  HlChart *chart = HL_CHART (view);
  pointer_key ("ctrl+2");
  pointer_until (has_branches, view);
  double before = slider ();
  HlSpot from = pole_near (view, -1463, &index);
  pointer_hold_key ("ctrl", TRUE);
  move (view, from);
  pointer_press ("1");
  pointer_release ("1");
  pointer_hold_key ("ctrl", FALSE);
  const HlChartTip *tips = hl_chart_tips (chart, &n, &selected);
  g_assert_cmpint (n, ==, 1);
  hl_assert_near (tips[0].at, before, 0.01, 0);
  g_assert_cmpint (hl_locus_study_mode (study ()), <, 0);

  HlSpot to = {from.x - 14, from.y + 3};
  pointer_wait (450000);
  pointer_press ("1");
  for (int step = 1; step <= 4; step++)
    move (view, (HlSpot){from.x + (to.x - from.x) * step / 4, from.y + (to.y - from.y) * step / 4});
  pointer_release ("1");
  HL_CHART_GET_CLASS (chart)->tip_spots (chart, &spot);
  hl_assert_near (spot.x, to.x, 0, 3);
  hl_assert_near (slider (), before, 1e-12, 0); /* the model stays */
  double dragged = tips[0].at;
  g_assert_cmpfloat (fabs (dragged / before - 1), >, 0.05);
  pointer_key ("Right");
  g_assert_cmpfloat (tips[0].at, !=, dragged);
  pointer_key ("Left");
  hl_assert_near (tips[0].at, dragged, 1e-6, 0);
  pointer_picture ("locus-tip.png");
  pointer_key ("Delete");
  hl_chart_tips (chart, &n, &selected);
  g_assert_cmpint (n, ==, 0);
  pointer_use (NULL);
  fixture_close (window);
}

/* --- what stays where it is --- */

static double top_of (gpointer widget) {
  graphene_rect_t box;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &box));
  return box.origin.y;
}

static double left_of (gpointer widget) {
  graphene_rect_t box;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &box));
  return box.origin.x;
}

/* The wheel over a slider scrolls the pane that it is in and leaves the value; a slider that is dragged from one end to the
 * other, over changes of how many eigenvalues are real, stays at its place, as do the columns of the table. */
static void test_nothing_moves (void) {
  window = fixture_open (application, "four-bar.hydrolink");
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 720);
  pointer_use (window);
  HlLocusView *view = window_part (window, "locus_view");
  GtkWidget *panel = window_part (window, "slider_panel"), *table = window_part (window, "eigen_table");

  pointer_key ("ctrl+2");
  pointer_until (has_branches, view);
  GtkWidget *scale = fixture_nth (panel, GTK_TYPE_SCALE, 0);
  GtkScrolledWindow *pane = GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (scale, GTK_TYPE_SCROLLED_WINDOW));
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (pane);
  double value = gtk_range_get_value (GTK_RANGE (scale));
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), >, gtk_adjustment_get_page_size (adjustment));
  pointer_to (scale, (HlSpot){30, 10});
  pointer_turn_wheel ("5", "1");
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (scale)), ==, value);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, 0);
  gtk_adjustment_set_value (adjustment, 0);
  fixture_draw (window);
  pointer_picture ("locus-pane.png");

  GtkWidget *hz = fixture_nth (fixture_nth (table, GTK_TYPE_LIST_BOX_ROW, 0), GTK_TYPE_INSCRIPTION, 1);
  double top = top_of (scale), left = left_of (hz), table_top = top_of (table),
         high = gtk_widget_get_height (GTK_WIDGET (view));
  GtkAdjustment *range = gtk_range_get_adjustment (GTK_RANGE (scale));
  double low = gtk_adjustment_get_lower (range), span = gtk_adjustment_get_upper (range) - low;
  for (int step = 0; step <= 10; step++) {
    gtk_range_set_value (GTK_RANGE (scale), low + 0.1 * step * span);
    fixture_draw (window);
    g_assert_cmpfloat (top_of (scale), ==, top);
    g_assert_cmpfloat (top_of (table), ==, table_top);
    g_assert_cmpfloat (left_of (hz), ==, left);
    g_assert_cmpfloat (gtk_widget_get_height (GTK_WIDGET (view)), ==, high);
  }
  pointer_until (has_branches, view);
  fixture_draw (window);
  g_assert_cmpfloat (top_of (scale), ==, top);

  /* Escape ends the motion of a mode, of the last value's eigenvalues */
  pointer_settle ();
  hl_locus_study_set_mode (study (), 0);
  fixture_draw (window);
  g_assert_cmpint (hl_locus_study_mode (study ()), ==, 0);
  pointer_key ("Escape");
  g_assert_cmpint (hl_locus_study_mode (study ()), <, 0);
  pointer_close (window);
}

static gboolean has_since (gconstpointer label) {
  return strstr (gtk_label_get_text (GTK_LABEL (label)), "→") != NULL;
}

/* After a slider was moved, the panel says what has become of the least damped oscillation since it was taken. The
 * four-bar has none with all of its friction, and one of about 73 Hz with a fiftieth of it. */
static void test_since (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  g_action_group_activate_action (G_ACTION_GROUP (window), "arrangement", g_variant_new_string ("analyse"));
  pointer_until (has_branches, window_part (window, "locus_view"));
  pointer_settle ();
  GtkWidget *panel = window_part (window, "slider_panel"), *scale = fixture_nth (panel, GTK_TYPE_SCALE, 0);
  GtkWidget *since = fixture_child (panel, "since");
  int width = gtk_widget_get_width (scale);

  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (since)), ==, "");
  pointer_to (scale,
              (HlSpot){gtk_range_get_value (GTK_RANGE (scale)) * width, 0.5 * gtk_widget_get_height (scale)});
  pointer_press ("1");
  for (int step = 9; step >= 3; step--)
    pointer_to (scale, (HlSpot){0.1 * step * gtk_range_get_value (GTK_RANGE (scale)) * width + 1,
                                0.5 * gtk_widget_get_height (scale)});
  pointer_release ("1");
  pointer_until (has_since, since);
  pointer_settle ();
  const char *text = gtk_label_get_text (GTK_LABEL (since));
  g_test_message ("%s", text);
  g_assert_true (g_str_has_prefix (text, "– → "));
  hl_assert_near (g_ascii_strtod (text + strlen ("– → "), NULL), 72.8, 0.02, 0.0);
  g_assert_cmpfloat (g_ascii_strtod (strrchr (text, ' ') + 1, NULL), <, 0.3);
  pointer_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/locus-pointer/drag-pole", test_drag_pole);
  g_test_add_func ("/locus-pointer/nothing-moves", test_nothing_moves);
  g_test_add_func ("/locus-pointer/since-the-slider-was-taken", test_since);
  g_test_add_func ("/locus-pointer/target", test_target);
  g_test_add_func ("/locus-pointer/data-tips", test_data_tips);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
