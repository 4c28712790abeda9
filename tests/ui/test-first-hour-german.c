/* SPDX-License-Identifier: MIT */
/* Tests of a new user's first hour, by pointer and keys in German in a small dark window, with a toggle press
 * that is not among the examples: texts are not cut off or broken within a syllable, numbers are read as
 * typed, and names are correct. HL_PICTURES_DIR stores pictures of the steps. */
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/help/hl-help-window.h"
#include "ui/inspector/hl-inspector.h"
#include "ui/modes/hl-locus-view.h"
#include "ui/study/hl-linear-response-window.h"

#include <math.h>
#include <string.h>

#define PRESS "../../tests/ui/toggle-press.hydrolink"
#define SOFT_HYPHEN "\u00AD"

static HlApplication *application;
static HlWindow *window;

static gboolean is_mapped (gconstpointer widget) {
  return gtk_widget_get_mapped (GTK_WIDGET (widget));
}

static void open_press (const char *size) {
  g_setenv ("HL_WINDOW_SIZE", size, TRUE);
  window = pointer_open (application, PRESS);
  pointer_settle ();
}

static void select_id (const char *id) {
  hl_workbench_select (hl_window_workbench (window), id);
  fixture_rebuild ();
  fixture_draw (window);
}

static void type_into (GtkWidget *entry, const char *text) {
  pointer_click_on (entry);
  pointer_key ("ctrl+a");
  pointer_enter (text);
}

static const char *text_in (GtkWidget *entry) {
  return gtk_editable_get_text (GTK_EDITABLE (entry));
}

/* Returns the entry of the row with this name, ignoring soft hyphens. */
static GtkWidget *row_entry (const char *id, const char *name) {
  select_id (id);
  GtkGrid *grid = fixture_inspector_grid (window);

  for (int row = 0; row < 80; row++) {
    GtkWidget *label = gtk_grid_get_child_at (grid, 0, row);
    if (!GTK_IS_LABEL (label))
      continue;
    g_auto (GStrv) parts = g_strsplit (gtk_label_get_text (GTK_LABEL (label)), SOFT_HYPHEN, -1);
    g_autofree char *plain = g_strjoinv ("", parts);
    if (strcmp (plain, name) == 0)
      return fixture_entry_of (gtk_grid_get_child_at (grid, 1, row));
  }
  g_error ("%s has no row %s", id, name);
}

/* --- words --- */

static gboolean is_cut (gpointer label) {
  return gtk_widget_get_mapped (label) &&
         pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

/* Checks that a line ends at a space, a hyphen, or the end of a syllable. */
static void check_breaks (GtkLabel *label) {
  PangoLayout *layout = gtk_label_get_layout (label);
  const char *text = pango_layout_get_text (layout);

  for (int k = 1; k < pango_layout_get_line_count (layout); k++) {
    int start = pango_layout_get_line_readonly (layout, k)->start_index;
    const char *before = g_utf8_prev_char (text + start);
    gunichar last = g_utf8_get_char (before);
    if (last != ' ' && last != '-' && last != '/' && last != ',' && last != 0x00AD)
      g_error ("“%s” is broken before “%s”", text, text + start);
  }
}

/* Tests that the header shows the name of the file and most of that of a parameter set, and that rows of the
 * inspector break as German words do. */
static void test_words (void) {
  static const char *const ids[] = {"cyl", "dcv", "pump", "relief", "upper", "P", "simulation", "jK", NULL};

  open_press ("860x640");
  /* the content could be as narrow; GTK adds the frame, 10 px, to the size that was asked for, or does not */
  int least;
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 860);
  g_assert_cmpint (gtk_widget_get_width (window_part (window, "main_paned")), <=, 860 + 10);
  g_assert_false (is_cut (window_part (window, "title_label")));
  for (int i = 0; ids[i] != NULL; i++) {
    g_autoptr (GPtrArray) labels = g_ptr_array_new ();
    select_id (ids[i]);
    fixture_collect (GTK_WIDGET (fixture_inspector_grid (window)), GTK_TYPE_LABEL, labels);
    for (guint k = 0; k < labels->len; k++)
      if (gtk_widget_get_mapped (labels->pdata[k]))
        check_breaks (labels->pdata[k]);
  }
  pointer_picture ("stranger-words.png");
  pointer_close (window);

  g_setenv ("HL_WINDOW_SIZE", "1000x700", TRUE);
  window = pointer_open (application, "four-bar.hydrolink"); /* which has sets */
  g_assert_false (is_cut (window_part (window, "title_label")));
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_test_message ("least %d, set %d", least,
                  gtk_widget_get_width (GTK_WIDGET (window_part (window, "set_label"))));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window_part (window, "set_label"))), >=, 80);
  g_assert_cmpint (least, <=, 960); /* or it never became narrow enough for pictures alone */
  pointer_close (window);
}

/* --- the empty window --- */

static void check_inside (GtkWidget *inner, GtkWidget *outer) {
  graphene_rect_t box;

  g_assert_true (gtk_widget_compute_bounds (inner, outer, &box));
  g_assert_cmpfloat (box.origin.x, >=, -0.5);
  g_assert_cmpfloat (box.origin.y, >=, -0.5);
  g_assert_cmpfloat (box.origin.x + box.size.width, <=, gtk_widget_get_width (outer) + 0.5);
  g_assert_cmpfloat (box.origin.y + box.size.height, <=, gtk_widget_get_height (outer) + 0.5);
}

/* Tests that the start hints of a model are inside its canvas and hidden while a symbol is placed; neither a
 * tooltip nor the line of a tool covers the target, on both canvases. */
static void test_empty (void) {
  g_setenv ("HL_WINDOW_SIZE", "860x640", TRUE);
  window = pointer_open (application, NULL);
  GtkWidget *canvas = GTK_WIDGET (window_part (window, "circuit_view"));
  GtkWidget *linkage = GTK_WIDGET (window_part (window, "linkage_view"));

  g_assert_true (gtk_widget_get_mapped (window_part (window, "start_box")));
  check_inside (window_part (window, "start_box"), canvas);
  pointer_picture ("stranger-empty.png");
  pointer_take_up (window_part (window, "circuit_palette"), "Tank");
  g_assert_false (gtk_widget_get_mapped (window_part (window, "start_box")));
  g_assert_false (gtk_widget_get_has_tooltip (canvas));
  pointer_key ("Escape");
  g_assert_true (gtk_widget_get_mapped (window_part (window, "start_box")));
  g_assert_true (gtk_widget_get_has_tooltip (canvas));

  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  g_assert_false (gtk_widget_get_has_tooltip (linkage));
  for (int k = 0; k <= 6; k++) {
    HlSpot at = {30, 40 + (gtk_widget_get_height (linkage) - 50) * k / 6.0};
    graphene_rect_t box;
    pointer_to (linkage, at);
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
    if (gtk_widget_get_mapped (GTK_WIDGET (window_part (window, "linkage_status"))) &&
        gtk_widget_compute_bounds (GTK_WIDGET (window_part (window, "linkage_status")), linkage, &box))
      g_assert_false (graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT ((float)at.x, (float)at.y)));
  }
  pointer_key ("Escape");
  pointer_close (window);
}

/* --- undo --- */

/* Tests that undone typing leaves the model unchanged, in every kind of field. */
static void test_undo (void) {
  open_press ("1000x700");
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));
  GtkWidget *entry = row_entry ("cyl", "Kolbendurchmesser");
  g_autofree char *shown = g_strdup (text_in (entry));

  pointer_click_on (entry);
  pointer_key ("End");
  pointer_type ("5");
  g_assert_cmpstr (text_in (entry), !=, shown);
  pointer_key ("ctrl+z");
  g_assert_cmpstr (text_in (entry), ==, shown);
  g_assert_true (fixture_document (window) == before);

  /* of parameters, of prose */
  select_id (NULL);
  GtkWidget *list = fixture_find (GTK_WIDGET (window_part (window, "inspector")), HL_TYPE_PARAMETER_LIST);
  GtkWidget *add = fixture_child (list, "add");
  pointer_click_on (add);
  pointer_type ("D = 8");
  pointer_key ("ctrl+z");
  g_assert_cmpstr (text_in (add), !=, "D = 8");
  g_assert_true (fixture_document (window) == before);
  pointer_key ("ctrl+a");
  pointer_key ("BackSpace");
  GtkWidget *prose = fixture_find (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (prose));
  pointer_click_on (prose);
  pointer_type ("Presse");
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, 6);
  pointer_key ("ctrl+z");
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), <, 6);
  g_assert_true (fixture_document (window) == before);
  pointer_close (window);
}

/* Tests the small question for a name: Escape changes nothing, Enter changes it in one step. */
static void test_title (void) {
  open_press ("1000x700");
  HlPlotView *view = hl_plot_pane_view (window_part (window, "plot_pane"), 0);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));

  for (int round = 0; round < 2; round++) {
    gtk_widget_activate_action (GTK_WIDGET (view), "panel.title", NULL);
    pointer_wait (300000);
    pointer_type ("Hebel");
    if (round == 0) {
      pointer_picture ("stranger-title.png");
      pointer_key ("Escape");
      g_assert_true (fixture_document (window) == before);
    } else {
      pointer_key ("Return");
    }
    pointer_wait (200000);
  }
  const HlValue *first = hl_value_at (hl_document_root (fixture_document (window)), "plots.0");
  g_assert_cmpstr (hl_value_string (hl_value_member (first, "title")), ==, "Hebel");
  pointer_key ("ctrl+z");
  g_assert_true (hl_document_equal (fixture_document (window), before));
  pointer_close (window);
}

/* --- numbers --- */

/* Tests that a comma is a decimal point, that every field reads arithmetic, units and named parameters, and
 * that a circular reference and an element without a name are reported. */
static void test_numbers (void) {
  open_press ("1000x700");
  HlRuns *runs = hl_workbench_runs (hl_window_workbench (window));
  int width = gtk_widget_get_width (window_part (window, "side"));
  GtkWidget *entry = row_entry ("cyl", "Kolbendurchmesser");
  double time = 0.4 * hl_runs_t_end (runs);
  hl_runs_set_time (runs, time);
  type_into (entry, "82,5");
  hl_assert_near (fixture_number (window, "cyl.piston_diameter"), 0.0825, 1e-12, 0);
  /* the model is run anew: what is selected, where one types and the moment that is looked at stay */
  pointer_settle ();
  fixture_rebuild ();
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "cyl");
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), entry));
  g_assert_cmpfloat (hl_runs_time (runs), ==, time);
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  type_into (entry, "2*3,5 cm");
  hl_assert_near (fixture_number (window, "cyl.piston_diameter"), 0.07, 1e-12, 0);
  type_into (entry, "3/8 in + 6 cm");
  hl_assert_near (fixture_number (window, "cyl.piston_diameter"), 0.06 + 0.375 * 0.0254, 1e-12, 0);

  select_id (NULL);
  GtkWidget *add = fixture_child (
      fixture_find (GTK_WIDGET (window_part (window, "inspector")), HL_TYPE_PARAMETER_LIST), "add");
  type_into (add, "D = 85,5 mm");
  hl_assert_near (fixture_number (window, "D"), 0.0855, 1e-12, 0);
  type_into (add, "Stange = D/2");
  hl_assert_near (fixture_number (window, "Stange"), 0.04275, 1e-12, 0);
  entry = row_entry ("cyl", "Stangendurchmesser");
  type_into (entry, "Stange");
  hl_assert_near (fixture_number (window, "cyl.rod_diameter"), 0.04275, 1e-12, 0);
  type_into (entry, "Stang");
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  hl_assert_near (fixture_number (window, "cyl.rod_diameter"), 0.04275, 1e-12, 0);
  pointer_key ("Escape");

  select_id (NULL);
  GtkWidget *list = fixture_find (GTK_WIDGET (window_part (window, "inspector")), HL_TYPE_PARAMETER_LIST);
  GtkWidget *grid = fixture_child (list, "grid");
  type_into (gtk_grid_get_child_at (GTK_GRID (grid), 1, 0), "2*Stange"); /* round in a circle */
  GtkWidget *message = fixture_child (list, "message");
  g_assert_true (gtk_widget_get_mapped (message));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (message)), "Stange"));
  pointer_picture ("stranger-circle.png");
  g_assert_cmpint (gtk_widget_get_width (window_part (window, "side")), ==,
                   width); /* however much stands in it */
  hl_assert_near (fixture_number (window, "D"), 0.0855, 1e-12, 0);
  pointer_key ("Escape");
  pointer_close (window);
}

/* --- beside an axis --- */

/* Tests that an element attached near the axis of a steep bar is placed on the axis. */
static void test_axis (void) {
  static const char *const tools[] = {"Cylinder", "Spring"};

  for (guint k = 0; k < G_N_ELEMENTS (tools); k++) {
    g_setenv ("HL_WINDOW_SIZE", "1000x700", TRUE);
    window = pointer_open (application, NULL);
    HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));
    double angle = -72 * G_PI / 180, along = 0.55, off = -0.010;
    pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
    pointer_enter ("0,3; 1,2");
    pointer_key ("Escape");
    pointer_take_up (window_part (window, "linkage_palette"), "Link");
    pointer_enter ("0,3; 1,2");
    pointer_enter ("0,9 m < -72");
    pointer_key ("Escape");
    pointer_key ("f");
    pointer_settle ();
    double mass = fixture_number (window, "link1.mass"), inertia = fixture_number (window, "link1.inertia");
    pointer_take_up (window_part (window, "linkage_palette"), tools[k]);
    pointer_click (canvas, 0.62, 0.95);
    pointer_click (canvas, 0.3 + along * cos (angle) - off * sin (angle),
                   1.2 + along * sin (angle) + off * cos (angle));
    pointer_key ("Escape");
    pointer_settle ();
    pointer_picture (k == 0 ? "stranger-axis-cylinder.png" : "stranger-axis-spring.png");
    hl_assert_near (fixture_number (window, "link1.mass"), mass, 1e-12, 0);
    hl_assert_near (fixture_number (window, "link1.inertia"), inertia, 1e-12, 0);
    g_assert_cmpint (hl_document_n_points (fixture_document (window), 0), ==, 3);
    for (int point = 2; point < hl_document_n_points (fixture_document (window), 0); point++) {
      double at[2];
      g_assert_true (hl_document_point_xy (fixture_document (window), 0, point, at));
      g_assert_cmpfloat_with_epsilon (at[1], 0, 1e-9); /* the axis of a drawn bar is its x */
    }
    pointer_close (window);
  }
}

/* --- the locus --- */

static gboolean has_branches (gconstpointer view) {
  return gtk_widget_get_mapped (GTK_WIDGET (view)) &&
         hl_locus_view_picture (HL_LOCUS_VIEW ((gpointer)view))->n_branches > 0 &&
         hl_window_is_settled (window);
}

/* Poles that ring lie clear of the real axis, however far apart the others are; one is dragged, in
 * one step, and a tip is pinned. Sliders are long and the studies in sight. */
static void test_locus (void) {
  open_press ("1000x700");
  HlLocusView *view = window_part (window, "locus_view");
  HlLocusStudy *study = hl_workbench_locus (hl_window_workbench (window));
  HlLocusLayout layout;
  int ringing = -1, n, selected;

  pointer_key ("ctrl+2");
  pointer_until (has_branches, view);
  check_inside (window_part (window, "study_box"), GTK_WIDGET (window));
  GtkWidget *scale = fixture_nth (window_part (window, "slider_panel"), GTK_TYPE_SCALE, 0);
  g_assert_cmpint (gtk_widget_get_width (scale), >=, 140);
  const HlLocusPlot *plot = hl_locus_view_lay_out (view, &layout);
  for (int i = 0; i < plot->n_poles; i++) {
    HlSpot at = hl_locus_device (&layout, plot->poles[i].re, plot->poles[i].im);
    HlSpot axis = hl_locus_device (&layout, plot->poles[i].re, 0);
    if (fabs (plot->poles[i].im) < 1)
      continue;
    g_test_message ("%g + %g i", plot->poles[i].re, plot->poles[i].im);
    g_assert_cmpfloat (fabs (at.y - axis.y), >, 8);
    if (plot->poles[i].im > 0)
      ringing = i;
  }
  g_assert_cmpint (ringing, >=, 0);
  pointer_picture ("stranger-locus.png");

  HlSpot at = hl_locus_device (&layout, plot->poles[ringing].re, plot->poles[ringing].im);
  pointer_hold_key ("ctrl", TRUE);
  pointer_to (GTK_WIDGET (view), at);
  pointer_press ("1");
  pointer_release ("1");
  pointer_hold_key ("ctrl", FALSE);
  hl_chart_tips (HL_CHART (view), &n, &selected);
  g_assert_cmpint (n, ==, 1);
  pointer_key ("Delete");
  hl_chart_tips (HL_CHART (view), &n, &selected);
  g_assert_cmpint (n, ==, 0);

  HlLocusTarget target = {0.05, NAN};
  hl_locus_study_set_target (study, &target);
  GtkWidget *met = fixture_child (window_part (window, "slider_panel"), "met");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (met)), !=, "");
  fixture_draw (window);
  pointer_picture ("stranger-target.png");
  hl_locus_study_set_target (study, &(HlLocusTarget){NAN, NAN});
  g_assert_null (hl_editing_undo_name (fixture_editing (window)));
  pointer_close (window);
}

/* --- the response --- */

static GtkWidget *open_response (void) {
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  g_autoptr (GList) toplevels = NULL;

  pointer_key ("ctrl+2");
  pointer_until (is_mapped, window_part (window, "locus_box"));
  pointer_settle ();
  fixture_collect (window_part (window, "study_box"), GTK_TYPE_BUTTON, buttons);
  for (guint i = 0; i < buttons->len; i++) {
    GVariant *target = gtk_actionable_get_action_target_value (buttons->pdata[i]);
    if (target != NULL && g_strcmp0 (g_variant_get_string (target, NULL), "response") == 0)
      pointer_click_on (buttons->pdata[i]);
  }
  toplevels = gtk_window_list_toplevels ();
  for (GList *at = toplevels; at != NULL; at = at->next)
    if (HL_IS_RESPONSE_WINDOW (at->data)) {
      fixture_draw (at->data);
      return at->data;
    }
  g_assert_not_reached ();
}

static const char *asked_input (GtkWidget *response) {
  GtkDropDown *pick = fixture_child (response, "pick_input");
  return gtk_string_object_get_string (gtk_drop_down_get_selected_item (pick));
}

/* Tests that a response window uses the selected element and, opened again, the last one. */
static void test_response (void) {
  open_press ("1000x700");
  select_id ("dcv");
  GtkWidget *response = open_response ();
  g_assert_true (g_str_has_prefix (asked_input (response), "dcv."));
  GtkDropDown *pick = fixture_child (response, "pick_input");
  guint n = g_list_model_get_n_items (gtk_drop_down_get_model (pick));
  g_assert_cmpuint (n, >=, 2);
  gtk_drop_down_set_selected (pick, n - 1);
  g_autofree char *last = g_strdup (asked_input (response));
  fixture_draw (response);
  gtk_window_destroy (GTK_WINDOW (response));
  select_id (NULL);
  response = open_response ();
  g_assert_cmpstr (asked_input (response), ==, last);
  gtk_window_destroy (GTK_WINDOW (response));
  pointer_close (window);
}

/* --- the keyboard --- */

static GtkWidget *focus (void) {
  return gtk_window_get_focus (GTK_WINDOW (window));
}

/* Tests that Tab passes through the whole window with one stop for a palette, that a labelled button leaves
 * full screen, and that F1 opens the help of the selected element. */
static void test_keyboard (void) {
  int stops[2] = {0, 0}, n = 0;

  open_press ("1000x700");
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "circuit_view")));
  do {
    GtkWidget *before = focus ();
    pointer_key ("Tab");
    g_assert_nonnull (focus ());
    g_assert_true (focus () != before);
    g_assert_true (gtk_widget_get_mapped (focus ()));
    stops[0] += gtk_widget_is_ancestor (focus (), GTK_WIDGET (window_part (window, "circuit_palette")));
    stops[1] += gtk_widget_is_ancestor (focus (), GTK_WIDGET (window_part (window, "linkage_palette")));
  } while (focus () != GTK_WIDGET (window_part (window, "circuit_view")) && ++n < 150);
  g_test_message ("%d stops", n);
  g_assert_cmpint (n, <, 150);
  g_assert_cmpint (stops[0], <=, 2); /* its search and its tools */
  g_assert_cmpint (stops[1], <=, 2);

  pointer_key ("F11");
  fixture_draw (window);
  pointer_until (is_mapped, window_part (window, "unfullscreen_button"));
  pointer_click_on (window_part (window, "unfullscreen_button"));
  fixture_draw (window);
  g_assert_false (gtk_widget_get_mapped (window_part (window, "unfullscreen_button")));
  pointer_close (window);
}

/* Tests that at 1280 by 800 eleven numbers, the heading of the rarely used ones and the studies are visible
 * in German too. */
static void test_side (void) {
  int n = 0;

  open_press ("1280x800");
  select_id ("cyl");
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  fixture_collect (GTK_WIDGET (window_part (window, "inspector")), HL_TYPE_NUMBER_FIELD, fields);
  for (guint i = 0; i < fields->len; i++) {
    graphene_rect_t box;
    n += gtk_widget_get_mapped (fields->pdata[i]) &&
         gtk_widget_compute_bounds (fields->pdata[i], GTK_WIDGET (window_part (window, "inspector")), &box) &&
         box.origin.y >= 0 &&
         box.origin.y + box.size.height <=
             gtk_widget_get_height (GTK_WIDGET (window_part (window, "inspector")));
  }
  g_assert_cmpint (n, >=, 11);
  pointer_key ("ctrl+2");
  pointer_until (is_mapped, window_part (window, "locus_box"));
  fixture_draw (window);
  check_inside (window_part (window, "study_box"), GTK_WIDGET (window));
  pointer_picture ("stranger-side.png");
  pointer_close (window);
}

int main (int argc, char **argv) {
  char *folder = NULL;
  int status = FIXTURE_SKIPPED;

  g_setenv ("HL_WINDOW_DARK", "1", TRUE);
  if (hl_language_begin (&folder))
    application = fixture_begin (&argc, &argv);
  if (application != NULL && pointer_exists ()) {
    g_test_add_func ("/first-hour-german/words", test_words);
    g_test_add_func ("/first-hour-german/empty", test_empty);
    g_test_add_func ("/first-hour-german/undo", test_undo);
    g_test_add_func ("/first-hour-german/title", test_title);
    g_test_add_func ("/first-hour-german/numbers", test_numbers);
    g_test_add_func ("/first-hour-german/axis", test_axis);
    g_test_add_func ("/first-hour-german/locus", test_locus);
    g_test_add_func ("/first-hour-german/response", test_response);
    g_test_add_func ("/first-hour-german/keyboard", test_keyboard);
    g_test_add_func ("/first-hour-german/side", test_side);
    status = g_test_run ();
    g_object_unref (application);
  }
  hl_language_end (folder);
  return status;
}
