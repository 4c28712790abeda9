/* SPDX-License-Identifier: MIT */
/* Draw, Analyse, Drive: where the panes of the window stand, how small they become, what nothing of it changes, and that one
 * pane can have the window to itself and goes back. */
#include "app/window/hl-window-private.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/canvas/hl-canvas.h"
#include "ui/plot/hl-plot-pane.h"
#include "ui/plot/hl-plot-view-private.h"

#include <string.h>

/* The least sizes of an analysis [px]: of the root locus. */
#define LOCUS_WIDTH 480
#define LOCUS_HEIGHT 320
#define MARGINS 24      /* px, above and below tabs and properties */
#define LARGE_SHARE 0.6 /* of the window's width, at least, of a pane that is large */

static HlApplication *application;

static HlWindow *open_sized (const char *example, const char *size) {
  g_setenv ("HL_WINDOW_SIZE", size, TRUE);
  HlWindow *window = fixture_open (application, example);
  g_unsetenv ("HL_WINDOW_SIZE");
  return window;
}

static gboolean is_placed (gpointer window) {
  return HL_WINDOW (window)->frames_to_place == 0 && HL_WINDOW (window)->fit_id == 0;
}

static void arrange (HlWindow *window, const char *arrangement) {
  g_action_group_activate_action (G_ACTION_GROUP (window), "arrangement", g_variant_new_string (arrangement));
  fixture_until (is_placed, window);
  fixture_until_settled (window);
  fixture_draw (window);
}

static void make_large (HlWindow *window, const char *pane) {
  g_action_group_activate_action (G_ACTION_GROUP (window), "large", g_variant_new_string (pane));
  fixture_until (is_placed, window);
  fixture_draw (window);
}

static int width_of (HlWindow *window, const char *part) {
  return gtk_widget_get_width (window_part (window, part));
}

static int height_of (HlWindow *window, const char *part) {
  return gtk_widget_get_height (window_part (window, part));
}

static gboolean is_seen (HlWindow *window, const char *part) {
  return gtk_widget_get_mapped (window_part (window, part));
}

/* Nothing of a scrolled list lies below its lower edge. */
static void check_whole (gpointer parent, const char *scroller) {
  GtkAdjustment *at = gtk_scrolled_window_get_vadjustment (fixture_child (parent, scroller));

  if (gtk_adjustment_get_upper (at) > gtk_adjustment_get_page_size (at) + 0.5)
    g_error ("%s: %g px of %g px are seen", scroller, gtk_adjustment_get_page_size (at),
             gtk_adjustment_get_upper (at));
}

static void check_locus (HlWindow *window) {
  g_assert_true (is_seen (window, "locus_view") && is_seen (window, "slider_panel") &&
                 is_seen (window, "eigen_table"));
  g_assert_cmpint (width_of (window, "locus_view"), >=, LOCUS_WIDTH);
  g_assert_cmpint (height_of (window, "locus_view"), >=, LOCUS_HEIGHT);
}

/* --- each arrangement --- */

static void test_draw (void) {
  HlWindow *window = open_sized ("four-bar.hydrolink", "1280x800");

  g_assert_true (is_seen (window, "circuit_palette") && is_seen (window, "linkage_here"));
  g_assert_true (is_seen (window, "plot_pane") && is_seen (window, "inspector"));
  g_assert_false (is_seen (window, "locus_view"));
  /* the properties are as high as the window lets them be */
  g_assert_cmpint (height_of (window, "inspector") + height_of (window, "side_tabs"), >=,
                   height_of (window, "main_paned") - MARGINS);
  fixture_close (window);

  window = open_sized ("four-bar.hydrolink", "1500x1000"); /* a tall one has no other */
  g_assert_false (is_seen (window, "locus_view"));
  fixture_close (window);
}

static void check_palette (HlWindow *window, const char *name, const char *canvas) {
  g_autoptr (GPtrArray) buttons = g_ptr_array_new (), scrolled = g_ptr_array_new ();
  GtkWidget *palette = window_part (window, name), *view = window_part (window, canvas);
  graphene_rect_t box;

  fixture_collect (palette, GTK_TYPE_TOGGLE_BUTTON, buttons);
  g_assert_cmpuint (buttons->len, >, 15);
  for (guint k = 0; k < buttons->len; k++) {
    GtkWidget *icon = gtk_widget_get_first_child (gtk_button_get_child (buttons->pdata[k]));
    g_assert_true (gtk_widget_compute_bounds (buttons->pdata[k], view, &box));
    g_assert_cmpfloat (box.size.width, >=, 36);
    g_assert_cmpfloat (box.size.height, >=, 36);
    g_assert_cmpint (gtk_widget_get_height (icon), >=, 24);
    /* none of them is scrolled away */
    if (box.origin.y < 0 || box.origin.y + box.size.height > gtk_widget_get_height (view))
      g_error ("%s: a tool at %g px of %d px", name, box.origin.y, gtk_widget_get_height (view));
  }
  fixture_collect (palette, GTK_TYPE_SCROLLED_WINDOW, scrolled);
  GtkAdjustment *at = gtk_scrolled_window_get_vadjustment (scrolled->pdata[0]);
  g_assert_cmpfloat (gtk_adjustment_get_upper (at), <=, gtk_adjustment_get_page_size (at) + 0.5);
}

/* The tools lie over the canvas that has the keys, and no drawing moves when the keys go to the other one. Neither lies under
 * its tools. */
static void test_palettes (void) {
  HlWindow *window = open_sized ("four-bar.hydrolink", "1280x800");
  HlCanvas *views[] = {window_part (window, "circuit_view"), window_part (window, "linkage_view")};
  HlView before[2];

  fixture_until_settled (window);
  fixture_draw (window);
  for (int k = 0; k < 2; k++)
    before[k] = *hl_canvas_view (views[k]);
  check_palette (window, "circuit_palette", "circuit_view");
  gtk_widget_grab_focus (GTK_WIDGET (views[1]));
  fixture_draw (window);
  g_assert_true (is_seen (window, "linkage_palette") && is_seen (window, "circuit_here"));
  g_assert_false (is_seen (window, "circuit_palette") || is_seen (window, "linkage_here"));
  check_palette (window, "linkage_palette", "linkage_view");
  for (int k = 0; k < 2; k++)
    g_assert_cmpmem (hl_canvas_view (views[k]), sizeof (HlView), &before[k], sizeof (HlView));
  /* the cylinder is the leftmost part of the linkage */
  HlSpot foot = hl_view_to_device (hl_canvas_view (views[1]), (HlSpot){-1.0, 0.0});
  g_assert_cmpfloat (foot.x, >=, hl_canvas_covered (views[1]));
  g_assert_cmpint (hl_canvas_covered (views[1]), >=, 2 * 36);
  g_assert_cmpint (hl_canvas_covered (views[0]), ==, 0);
  /* what has the keyboard beside the drawings leaves the tools where they are */
  gtk_widget_grab_focus (fixture_find (window_part (window, "inspector"), GTK_TYPE_TEXT));
  fixture_draw (window);
  g_assert_true (is_seen (window, "linkage_palette"));
  g_signal_emit_by_name (window_part (window, "circuit_here"), "clicked");
  fixture_draw (window);
  g_assert_true (is_seen (window, "circuit_palette") && !is_seen (window, "linkage_palette"));
  /* a drawing alone has them */
  make_large (window, "linkage");
  g_assert_true (is_seen (window, "linkage_palette"));
  fixture_close (window);
}

/* Plots come with what there is to plot: the sheet that one draws upon keeps the height until then. */
static void test_draw_without_plots (void) {
  HlWindow *window = open_sized (NULL, "1280x800");

  g_assert_false (is_seen (window, "plot_pane"));
  g_assert_cmpint (height_of (window, "circuit_view"), >=, height_of (window, "main_paned") - 1);
  g_action_group_change_action_state (G_ACTION_GROUP (window), "plots", g_variant_new_boolean (TRUE));
  fixture_draw (window);
  g_assert_true (is_seen (window, "plot_pane"));
  g_action_group_change_action_state (G_ACTION_GROUP (window), "plots", g_variant_new_boolean (FALSE));
  fixture_draw (window);
  g_assert_false (is_seen (window, "plot_pane"));
  fixture_close (window);
}

static void test_analyse (void) {
  static const char *const sizes[] = {"1280x800", "1440x900", "1920x1080"};

  for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++) {
    HlWindow *window = open_sized ("four-bar.hydrolink", sizes[k]);
    gboolean is_wide = k == 2;
    arrange (window, "analyse");
    check_locus (window);
    g_assert_true (is_seen (window, "circuit_view") && is_seen (window, "linkage_view") &&
                   is_seen (window, "plot_pane"));
    g_assert_false (is_seen (window, "circuit_palette") || is_seen (window, "linkage_palette"));
    g_assert_cmpint (is_seen (window, "inspector"), ==, is_wide);
    g_assert_cmpint (is_seen (window, "side_tabs"), ==, !is_wide);
    check_whole (window->side, "slider_scroller");
    check_whole (window->side, "modes_box");
    check_whole (window->plot_pane, "plots_scroller");
    /* the drawings have their shares: neither is a strip */
    g_assert_cmpint (width_of (window, "circuit_view"), >=, 200);
    g_assert_cmpint (width_of (window, "linkage_view"), >=, 240);
    fixture_close (window);
  }
}

static int least_width (GtkWidget *widget) {
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

/* One drawing at a time behind tabs; the window is no wider than it was. */
static void test_narrow_analysis (void) {
  static const char *const parts[] = {"header", "main_paned", "drawings",   "plot_pane",
                                      "side",   "locus_box",  "detail_box", "transport"};
  HlWindow *window = open_sized ("four-bar.hydrolink", "1024x768");

  arrange (window, "analyse");
  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++)
    g_test_message ("%s: %d px at least", parts[k], least_width (window_part (window, parts[k])));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 1024);
  check_locus (window);
  g_assert_true (is_seen (window, "drawing_tabs") && is_seen (window, "linkage_view"));
  g_assert_false (is_seen (window, "circuit_view"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "drawing-tab", g_variant_new_string ("circuit"));
  fixture_draw (window);
  g_assert_true (is_seen (window, "circuit_view"));
  g_assert_false (is_seen (window, "linkage_view"));
  /* the properties want more than the eigenvalues, and take it from the plots */
  g_action_group_activate_action (G_ACTION_GROUP (window), "side-tab", g_variant_new_string ("properties"));
  fixture_draw (window);
  g_assert_true (is_seen (window, "inspector") && is_seen (window, "locus_view"));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 1024);
  arrange (window, "draw");
  g_assert_true (is_seen (window, "circuit_view") && is_seen (window, "linkage_view"));
  g_assert_false (is_seen (window, "drawing_tabs"));
  fixture_close (window);
}

static void test_drive (void) {
  HlWindow *window = open_sized ("excavator-arm.hydrolink", "1280x800");

  arrange (window, "drive");
  g_assert_true (is_seen (window, "lever_panel") && is_seen (window, "linkage_view") &&
                 is_seen (window, "circuit_view"));
  g_assert_false (is_seen (window, "inspector") || is_seen (window, "locus_view") ||
                  is_seen (window, "linkage_palette"));
  g_assert_cmpint (width_of (window, "linkage_view"), >, 3 * width_of (window, "circuit_view") / 2);
  g_assert_cmpint (height_of (window, "linkage_view"), >, height_of (window, "plot_pane"));
  /* the action that shows a tab of the properties changes to the arrangement that has it */
  g_action_group_activate_action (G_ACTION_GROUP (window), "side-tab", g_variant_new_string ("properties"));
  fixture_draw (window);
  g_assert_true (is_seen (window, "inspector"));
  g_assert_false (is_seen (window, "lever_panel"));
  fixture_close (window);
}

/* Of the run before an analysis shows a thin grey curve of each trace, the drawing board does not. */
static void test_run_before (void) {
  HlWindow *window = open_sized ("four-bar.hydrolink", "1280x800");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlPlotView *view = hl_plot_pane_view (window->plot_pane, 1);

  fixture_until_settled (window);
  int n_traces = hl_plot_view_picture (view, &style)->n_series;
  arrange (window, "analyse");
  g_assert_cmpint (hl_plot_view_picture (view, &style)->n_series, ==, n_traces); /* there is none yet */
  const HlRun *first = hl_runs_shown (hl_workbench_runs (workbench));
  g_assert_true (hl_editing_apply_set (hl_workbench_editing (workbench), "Underdamped, low friction", NULL));
  fixture_until_settled (window);
  g_assert_true (hl_runs_shown (hl_workbench_runs (workbench)) != first);
  g_assert_true (hl_runs_before (hl_workbench_runs (workbench)) == first);
  const HlPlot *plot = hl_plot_view_picture (view, &style);
  g_assert_cmpint (plot->n_series, ==, 2 * n_traces);
  for (int k = 0; k < n_traces; k++) {
    const HlPlotSeries *before = &plot->series[k];
    g_assert_true (before->samples.results == first->results);
    g_assert_cmpmem (&before->color, sizeof (HlColor), &style.ghost, sizeof (HlColor));
    g_assert_cmpfloat (before->width, <, style.trace_width);
    g_assert_true (plot->series[n_traces + k].samples.results != first->results);
  }
  arrange (window, "draw");
  g_assert_cmpint (hl_plot_view_picture (view, &style)->n_series, ==, n_traces);
  fixture_close (window);
}

/* --- what stays --- */

static void test_only_arranges (void) {
  static const char *const way[] = {"analyse", "drive", "draw", "analyse", "draw"};
  HlWindow *window = open_sized ("four-bar.hydrolink", "1280x800");
  HlWorkbench *workbench = hl_window_workbench (window);

  hl_workbench_select (workbench, "cyl");
  hl_runs_set_time (hl_workbench_runs (workbench), 1.25);
  fixture_until_settled (window);
  fixture_draw (window);
  const HlDocument *document = fixture_document (window);
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  int circuit = width_of (window, "circuit_view"), plots = height_of (window, "plot_pane");
  for (gsize k = 0; k < G_N_ELEMENTS (way); k++) {
    arrange (window, way[k]);
    g_assert_true (fixture_document (window) == document);
    g_assert_true (hl_runs_shown (hl_workbench_runs (workbench)) == run);
    g_assert_cmpstr (hl_workbench_selected (workbench), ==, "cyl");
    g_assert_cmpfloat (hl_runs_time (hl_workbench_runs (workbench)), ==, 1.25);
    g_assert_null (hl_editing_undo_name (fixture_editing (window)));
  }
  /* and the borders are where they were */
  g_assert_cmpint (ABS (width_of (window, "circuit_view") - circuit), <=, 2);
  g_assert_cmpint (ABS (height_of (window, "plot_pane") - plots), <=, 2);
  fixture_close (window);
}

/* --- one pane alone --- */

static void check_large (HlWindow *window, const char *pane, const char *part, const char *const *others) {
  int width = width_of (window, part), height = height_of (window, part);

  make_large (window, pane);
  g_assert_cmpint (width_of (window, part), >=,
                   (int)(LARGE_SHARE * gtk_widget_get_width (GTK_WIDGET (window))));
  g_assert_cmpint (height_of (window, part), >=, height);
  for (; *others != NULL; others++)
    if (strcmp (*others, part) != 0 && is_seen (window, *others))
      g_error ("%s large: %s is seen", pane, *others);
  make_large (window, pane); /* the same button again */
  g_assert_cmpint (ABS (width_of (window, part) - width), <=, 2);
  g_assert_cmpint (ABS (height_of (window, part) - height), <=, 2);
}

static void test_large (void) {
  static const char *const panes[] = {"circuit", "linkage", "plots", "locus"};
  static const char *const parts[] = {"circuit_view", "linkage_view", "plot_pane", "locus_view", NULL};
  HlWindow *window = open_sized ("four-bar.hydrolink", "1280x800");

  for (int pane = 0; pane < 3; pane++)
    check_large (window, panes[pane], parts[pane], parts);
  arrange (window, "analyse");
  for (int pane = 0; pane < 4; pane++)
    check_large (window, panes[pane], parts[pane], parts);
  /* Escape puts it back, and another arrangement does */
  make_large (window, "plots");
  g_assert_true (hl_window_put_large_back (window));
  g_assert_false (hl_window_put_large_back (window));
  make_large (window, "linkage");
  arrange (window, "draw");
  g_assert_true (is_seen (window, "circuit_view") && is_seen (window, "plot_pane"));
  fixture_close (window);
}

/* --- what is kept --- */

static void test_remembered (void) {
  HlWindow *window = open_sized ("four-bar.hydrolink", "1280x800");
  g_autoptr (GKeyFile) file = g_key_file_new ();

  arrange (window, "analyse");
  gtk_paned_set_position (window->left_paned, 333);
  fixture_draw (window);
  hl_window_remember_places (window, file);
  g_assert_cmpint (g_key_file_get_integer (file, "window", "analyse-left", NULL), ==, 333);
  g_assert_cmpint (g_key_file_get_integer (file, "window", "left", NULL), !=, 333);
  fixture_close (window);

  window = open_sized ("four-bar.hydrolink", "1280x800");
  hl_window_restore_places (window, file);
  arrange (window, "analyse");
  g_assert_cmpint (gtk_paned_get_position (window->left_paned), ==, 333);
  fixture_close (window);
}

/* --- the foot of the window --- */

/* The computing time of the program is shown behind a button; the line itself shows what the user needs. */
static void test_figures (void) {
  HlWindow *window = open_sized ("four-bar.hydrolink", "1280x800");
  g_autofree char *status = NULL;
  GtkMenuButton *button = window_part (window, "info_button");

  g_object_get (window_part (window, "status_line"), "text", &status, NULL);
  g_assert_cmpstr (status, ==, "");
  gtk_menu_button_popup (button);
  fixture_draw (window);
  const char *figures = gtk_label_get_text (window_part (window, "info_label"));
  g_assert_nonnull (strstr (figures, "Run of 4 s in "));
  g_assert_nonnull (strstr (figures, " steps"));
  gtk_menu_button_popdown (button);
  fixture_draw (window);
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/pane-arrangements/draw", test_draw);
  g_test_add_func ("/pane-arrangements/tools-where-the-keys-are", test_palettes);
  g_test_add_func ("/pane-arrangements/run-before", test_run_before);
  g_test_add_func ("/pane-arrangements/draw-without-plots", test_draw_without_plots);
  g_test_add_func ("/pane-arrangements/analyse", test_analyse);
  g_test_add_func ("/pane-arrangements/analyse-at-1024", test_narrow_analysis);
  g_test_add_func ("/pane-arrangements/drive", test_drive);
  g_test_add_func ("/pane-arrangements/change-nothing-else", test_only_arranges);
  g_test_add_func ("/pane-arrangements/one-pane-large", test_large);
  g_test_add_func ("/pane-arrangements/remembered", test_remembered);
  g_test_add_func ("/pane-arrangements/figures-behind-a-button", test_figures);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
