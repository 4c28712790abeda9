/* SPDX-License-Identifier: MIT */
/* The first hour with the window, by pointer and keys: what a new user does and what must not
 * mislead. HL_PICTURES_DIR keeps pictures on the way. */
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#include <math.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

static const HlDocument *document (void) {
  return fixture_document (window);
}

/* --- undo in a field --- */

static const char *text_in (GtkWidget *entry) {
  return gtk_editable_get_text (GTK_EDITABLE (entry));
}

/* Keys undo the typing of a field while it is not applied, and the model otherwise. */
static void test_undo_in_field (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_rebuild ();
  GtkWidget *entry = fixture_entry_of (fixture_inspector_row (window, "Piston diameter"));
  g_autoptr (HlDocument) first = hl_document_ref (document ());

  /* one step of the model, so that the window's own Undo has something to do */
  pointer_click_on (entry);
  g_autofree char *shown = g_strdup (text_in (entry));
  pointer_key ("ctrl+a");
  pointer_enter ("90 mm");
  hl_assert_near (fixture_number (window, "cyl.piston_diameter"), 0.09, 1e-12, 0);
  g_autoptr (HlDocument) second = hl_document_ref (document ());
  g_autofree char *ninety = g_strdup (text_in (entry));

  pointer_key ("End");
  pointer_type ("7");
  g_autofree char *typed = g_strdup (text_in (entry));
  g_assert_cmpstr (typed, !=, ninety);
  pointer_key ("ctrl+z");
  g_assert_cmpstr (text_in (entry), ==, ninety);
  g_assert_true (document () == second);
  pointer_key ("ctrl+shift+z");
  g_assert_cmpstr (text_in (entry), ==, typed);
  g_assert_true (document () == second);
  pointer_key ("ctrl+z");
  g_assert_cmpstr (text_in (entry), ==, ninety);
  pointer_key ("ctrl+z"); /* nothing typed is left: the model */
  g_assert_true (hl_document_equal (document (), first));
  fixture_draw (window);
  entry = fixture_entry_of (fixture_inspector_row (window, "Piston diameter"));
  g_assert_cmpstr (text_in (entry), ==, shown);
  pointer_key ("ctrl+shift+z");
  g_assert_true (hl_document_equal (document (), second));
  g_assert_cmpstr (text_in (entry), ==, ninety);

  /* a field of prose */
  hl_workbench_select (hl_window_workbench (window), NULL);
  fixture_rebuild ();
  GtkWidget *prose = fixture_find (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_TEXT_VIEW);
  g_assert_nonnull (prose);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (prose));
  int n = gtk_text_buffer_get_char_count (buffer);
  pointer_click_on (prose);
  pointer_type ("more");
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, n + 4);
  pointer_key ("ctrl+z");
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, n);
  g_assert_true (hl_document_equal (document (), second));
  pointer_close (window);
}

/* --- tooltips --- */

/* The window of GTK's tooltip, a child of the window that it belongs to; NULL: none is shown. */
static GtkWidget *tooltip (void) {
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (window)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (strcmp (G_OBJECT_TYPE_NAME (child), "GtkTooltipWindow") == 0 && gtk_widget_get_mapped (child))
      return child;
  return NULL;
}

static gboolean has_tooltip (gconstpointer none) {
  return tooltip () != NULL;
}

static gboolean has_no_tooltip (gconstpointer none) {
  return tooltip () == NULL;
}

static double left_in_window (GtkWidget *widget) {
  graphene_rect_t box;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &box));
  return box.origin.x;
}

/* A tooltip has at most 40 characters a line and six lines, and the one of a row is beside the pane: it covers no other
 * field. Nothing is shown while a button is held. */
static void test_tooltips (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_rebuild ();
  fixture_draw (window);
  GtkWidget *field = fixture_inspector_row (window, "Piston diameter"), *entry = fixture_entry_of (field);
  GtkWidget *pane = gtk_widget_get_ancestor (field, GTK_TYPE_SCROLLED_WINDOW);

  pointer_to (entry, (HlSpot){12, 8});
  pointer_to (entry, (HlSpot){14, 9});
  pointer_until (has_tooltip, NULL);
  pointer_wait (300000);
  GtkLabel *label = GTK_LABEL (fixture_find (tooltip (), GTK_TYPE_LABEL));
  g_assert_cmpint (gtk_label_get_max_width_chars (label), <=, 40);
  g_assert_cmpint (gtk_label_get_lines (label), ==, 6);
  GdkPopup *popup = GDK_POPUP (gtk_native_get_surface (GTK_NATIVE (tooltip ())));
  int right = gdk_popup_get_position_x (popup) + gdk_surface_get_width (GDK_SURFACE (popup));
  g_assert_true (right <= left_in_window (pane) ||
                 gdk_popup_get_position_x (popup) >= left_in_window (pane) + gtk_widget_get_width (pane));
  g_assert_cmpfloat (gtk_widget_get_opacity (tooltip ()), ==, 1);
  pointer_picture ("tooltip-beside.png");

  /* a slider in hand */
  pointer_key ("Escape");
  pointer_key ("ctrl+2");
  pointer_settle ();
  fixture_draw (window);
  GtkWidget *scale = fixture_nth (window_part (window, "slider_panel"), GTK_TYPE_SCALE, 1);
  pointer_to (scale, (HlSpot){60, 10});
  pointer_press ("1");
  for (int step = 0; step < 6; step++) {
    pointer_to (scale, (HlSpot){60 + step, 10});
    pointer_wait (250000);
    pointer_until (has_no_tooltip, NULL); /* not even a transparent one, which needs a compositor */
  }
  pointer_release ("1");
  pointer_close (window);
}

/* --- the start pose --- */

/* A bar on a ground pivot and a cylinder, not supported in the drawn pose; both chambers are lines of their own. */
static HlDocument *bar_with_cylinder (void) {
  static const char text[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, -9.81],"
      "\"ground\": {\"points\": {\"O\": [0, 0], \"B\": [1, -1]}},"
      "\"bodies\": [{\"id\": \"bar\", \"points\": {\"A\": [0, 0], \"M\": [1, 0], \"E\": [2, 0]},"
      "\"com\": [1, 0], \"mass\": 400, \"inertia\": 133, \"pose\": [0, 0, 0.5]}],"
      "\"joints\": [{\"id\": \"j\", \"kind\": \"revolute\", \"a\": \"ground.O\", \"b\": "
      "\"bar.A\"}],"
      "\"components\": [{\"id\": \"cyl\", \"kind\": \"cylinder\", \"base\": \"ground.B\","
      " \"rod\": \"bar.M\", \"piston_diameter\": 0.04, \"rod_diameter\": 0.02, \"stroke\": 2,"
      " \"c1\": 0.3, \"c2\": 0.1}], \"lines\": ["
      "{\"id\": \"VA\", \"ports\": [\"cyl.A\"], \"volume\": 1e-3, \"wall_modulus\": 2e7, "
      "\"pressure\": 1e6},"
      "{\"id\": \"VB\", \"ports\": [\"cyl.B\"], \"volume\": 1e-3, \"wall_modulus\": 2e7, "
      "\"pressure\": 1e6}]}";
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_parse (text, strlen (text), "bar", &error);

  g_assert_no_error (error);
  return document;
}

static double angle_at_start (void) {
  const HlWorkingPoint *at = hl_editing_point (fixture_editing (window));

  g_assert_nonnull (at);
  g_assert_nonnull (at->point);
  return at->point->x[2];
}

static void draw_bar_anew (void) {
  hl_editing_set_document (fixture_editing (window), bar_with_cylinder ());
  pointer_settle ();
}

/* A start that differs from the drawing has a message, and a click holds the drawn pose; a drag holds it by itself. */
static void test_start_as_drawn (void) {
  window = pointer_open (application, NULL);
  draw_bar_anew ();
  pointer_picture ("start-1-moved.png");
  g_assert_cmpfloat (fabs (angle_at_start () - 0.5), >, 0.02);
  g_assert_true (gtk_widget_get_mapped (window_part (window, "moved_box")));
  g_assert_nonnull (
      strstr (gtk_label_get_text (window_part (window, "moved_label")), "but the drawing has 28.65"));

  pointer_to (window_part (window, "hold_button"), (HlSpot){8, 8});
  pointer_press ("1");
  pointer_release ("1");
  pointer_settle ();
  g_assert_true (hl_document_is_held (document (), "bar.angle"));
  hl_assert_near (angle_at_start (), 0.5, 1e-9, 0);
  g_assert_false (gtk_widget_get_visible (window_part (window, "moved_box")));
  g_assert_nonnull (
      strstr (gtk_label_get_text (window_part (window, "linkage_caption")), "held as drawn by"));
  pointer_picture ("start-2-held.png");

  /* dragged: held where it was let go */
  draw_bar_anew ();
  g_assert_false (hl_document_is_held (document (), "bar.angle"));
  double end_x = 2 * cos (0.5), end_y = 2 * sin (0.5);
  pointer_drag (HL_CANVAS (window_part (window, "linkage_view")), (HlSpot){end_x, end_y},
                (HlSpot){end_x - 0.2, end_y + 0.3});
  pointer_settle ();
  double drawn = fixture_number (window, "bar.angle");
  g_assert_cmpfloat (drawn, >, 0.55);
  g_assert_true (hl_document_is_held (document (), "bar.angle"));
  hl_assert_near (angle_at_start (), drawn, 1e-9, 0);
  g_assert_false (gtk_widget_get_visible (window_part (window, "moved_box")));
  pointer_key ("ctrl+z"); /* the drag and its hold are one step */
  g_assert_false (hl_document_is_held (document (), "bar.angle"));
  hl_assert_near (fixture_number (window, "bar.angle"), 0.5, 1e-12, 0);
  pointer_close (window);
}

/* --- what is gone, deleted or chosen --- */

/* An element that was placed and undone is no longer selected: the inspector shows the model. */
static void test_undone_is_not_selected (void) {
  window = pointer_open (application, NULL);
  pointer_take_up (window_part (window, "circuit_palette"), "Cylinder");
  pointer_click (HL_CANVAS (window_part (window, "circuit_view")), 4, 4);
  pointer_key ("Escape");
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "cyl1");
  pointer_key ("ctrl+z");
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_COMPONENTS), ==, 0);
  g_assert_null (hl_workbench_selected (hl_window_workbench (window)));
  fixture_rebuild ();
  g_assert_nonnull (fixture_inspector_row (window, "Gravity y"));
  pointer_close (window);
}

static gboolean has_no_pivot (gconstpointer data) {
  return hl_document_n_points (document (), -1) == 0;
}

/* Delete takes a bare ground pivot away, as its hint says. */
static void test_delete_pivot (void) {
  window = pointer_open (application, NULL);
  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_click (HL_CANVAS (window_part (window, "linkage_view")), 1, 1);
  pointer_key ("Escape");
  g_assert_cmpint (hl_document_n_points (document (), -1), ==, 1);
  g_autofree char *name = g_strconcat ("ground.", hl_document_point_name (document (), -1, 0), NULL);
  double at[2];
  int body;
  g_assert_true (hl_document_resolve_point (document (), name, &body, at, NULL));
  pointer_click (HL_CANVAS (window_part (window, "linkage_view")), at[0], at[1]);
  g_assert_nonnull (
      strstr (gtk_label_get_text (window_part (window, "linkage_status")), "Delete removes the point"));
  pointer_key ("Delete");
  pointer_until (has_no_pivot, NULL);
  pointer_key ("ctrl+z");
  g_assert_cmpint (hl_document_n_points (document (), -1), ==, 1);
  pointer_close (window);
}

/* The law of friction that is chosen has all its numbers; an implausible one has a message. */
static void test_choose_friction (void) {
  window = pointer_open (application, NULL);
  hl_editing_set_document (fixture_editing (window), bar_with_cylinder ());
  pointer_settle ();
  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_rebuild ();
  GtkWidget *choice = fixture_find (fixture_inspector_row (window, "Friction law"), GTK_TYPE_DROP_DOWN);
  pointer_choose (choice, "vv");
  pointer_settle ();
  g_assert_cmpstr (
      hl_value_string (hl_value_at (hl_document_find (document (), "cyl", NULL, NULL), "friction.model")), ==,
      "brown-mcphee");
  hl_assert_near (fixture_number (window, "cyl.friction.vs"), 0.0125, 1e-12, 0);
  /* of seals of a bore of 40 mm */
  hl_assert_near (fixture_number (window, "cyl.friction.Fc"), 100, 1e-12, 0);
  hl_assert_near (fixture_number (window, "cyl.friction.Fs"), 200, 1e-12, 0);
  hl_assert_near (fixture_number (window, "cyl.friction.sigma2"), 160, 1e-12, 0);
  g_assert_null (hl_findings_first_error (hl_editing_findings (fixture_editing (window))));
  g_assert_cmpint (hl_findings_count (hl_editing_findings (fixture_editing (window)), HL_SEVERITY_WARNING),
                   ==, 0);

  fixture_rebuild ();
  pointer_click_on (fixture_entry_of (fixture_inspector_row (window, "Coulomb force F_c")));
  pointer_key ("ctrl+a");
  pointer_enter ("300 N");
  pointer_settle ();
  const HlFindings *findings = hl_editing_findings (fixture_editing (window));
  g_assert_cmpint (hl_findings_count (findings, HL_SEVERITY_WARNING), ==, 1);
  for (int i = 0; i < hl_findings_n (findings); i++)
    if (hl_findings_get (findings, i)->severity == HL_SEVERITY_WARNING)
      g_assert_cmpstr (hl_findings_get (findings, i)->path, ==, "cyl.friction.Fs");
  pointer_key ("ctrl+z");
  pointer_key ("ctrl+z"); /* the law and its numbers are one step */
  g_assert_null (hl_editing_undo_name (fixture_editing (window)));
  pointer_close (window);
}

/* A mass that is typed leaves the moment of inertia; that of a bar has a message and a click sets it. */
static void test_typed_mass (void) {
  window = pointer_open (application, NULL);
  hl_editing_set_document (fixture_editing (window), bar_with_cylinder ());
  pointer_settle ();
  hl_workbench_select (hl_window_workbench (window), "bar");
  fixture_rebuild ();
  pointer_click_on (fixture_entry_of (fixture_inspector_row (window, "Mass")));
  pointer_key ("ctrl+a");
  pointer_enter ("600 kg");
  pointer_settle ();
  hl_assert_near (fixture_number (window, "bar.mass"), 600, 1e-12, 0);
  hl_assert_near (fixture_number (window, "bar.inertia"), 133, 1e-12, 0);
  fixture_rebuild ();
  fixture_draw (window);
  pointer_picture ("typed-mass.png");
  /* m l^2 / 12 of 2 m */
  GtkWidget *button = NULL;
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  fixture_collect (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_BUTTON, buttons);
  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_button_get_label (buttons->pdata[i]), "Use this value") == 0)
      button = buttons->pdata[i];
  g_assert_nonnull (button);
  GtkWidget *told = gtk_widget_get_prev_sibling (button);
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (told)), "200 kg"));
  pointer_click_on (button);
  hl_assert_near (fixture_number (window, "bar.inertia"), 200, 1e-12, 0);
  fixture_draw (window);
  g_assert_false (gtk_widget_get_mapped (button));
  pointer_close (window);
}

/* A cylinder that is attached a hand's breadth beside the axis of a bar is meant on it: the bar stays
 * a bar with its mass. */
static void test_beside_an_axis (void) {
  window = pointer_open (application, NULL);
  HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));
  double angle = 37 * G_PI / 180, along = 1.3, off = 0.013, a[2], b[2], c[2];
  int body;

  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_click (canvas, 0, 0);
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("0; 0");
  pointer_enter ("2.2 m < 37");
  pointer_key ("Escape");
  pointer_settle ();
  double mass = fixture_number (window, "link1.mass"), inertia = fixture_number (window, "link1.inertia");
  pointer_take_up (window_part (window, "linkage_palette"), "Cylinder");
  pointer_click (canvas, 1.4, -0.3);
  pointer_click (canvas, along * cos (angle) - off * sin (angle), along * sin (angle) + off * cos (angle));
  pointer_key ("Escape");
  pointer_settle ();
  pointer_picture ("beside-an-axis.png");
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_COMPONENTS), ==, 1);
  g_assert_cmpint (hl_document_n_points (document (), 0), ==, 3);
  double *places[] = {a, b, c};
  for (int k = 0; k < 3; k++) {
    g_autofree char *name = g_strconcat ("link1.", hl_document_point_name (document (), 0, k), NULL);
    g_assert_true (hl_document_resolve_point (document (), name, &body, places[k], NULL));
  }
  double across = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  g_assert_cmpfloat_with_epsilon (across, 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (hypot (c[0] - a[0], c[1] - a[1]), along, 0.05);
  hl_assert_near (fixture_number (window, "link1.mass"), mass, 1e-12, 0);
  hl_assert_near (fixture_number (window, "link1.inertia"), inertia, 1e-12, 0);
  pointer_close (window);
}

/* --- hints while drawing --- */

static void assert_no_error (void) {
  fixture_assert_no_error (window);
  g_assert_null (hl_window_banner (window));
}

/* A chain of two links that hangs from a pivot has an equilibrium: nothing is amiss, neither while
 * it is drawn nor after. A link beside it is not joined, and the hint says so. */
static void test_chain (void) {
  window = pointer_open (application, NULL);
  HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));
  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_click (canvas, 0, 0);
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("0; 0");
  pointer_enter ("1 m < 58.6");
  pointer_key ("Escape");
  pointer_settle ();
  assert_no_error ();
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_click (canvas, cos (58.6 * G_PI / 180), sin (58.6 * G_PI / 180));
  assert_no_error ();
  pointer_enter ("2 m < 20");
  pointer_key ("Escape");
  pointer_settle ();
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_JOINTS), ==, 2);
  assert_no_error ();
  pointer_picture ("chain-1-hangs.png");

  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("1; -1");
  pointer_enter ("1 m < 0");
  pointer_key ("Escape");
  pointer_settle ();
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_BODIES), ==, 3);
  const HlFinding *error = hl_findings_first_error (hl_editing_findings (fixture_editing (window)));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->id, ==, "link3");
  g_assert_nonnull (strstr (error->message, "has no joint"));
  g_assert_null (strstr (error->message, "hold"));
  pointer_picture ("chain-2-beside.png");
  pointer_close (window);
}

/* Where a model that has been run cannot be any more, its plots are marked as those of an earlier
 * one until a new run is there. */
static void test_plots_of_an_earlier_model (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (window_part (window, "plot_pane")), "earlier"));
  static const char *const joints[] = {"jO2", "jD", NULL};
  hl_workbench_select_ids (hl_window_workbench (window), joints);
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "linkage_view")));
  pointer_key ("Delete");
  pointer_settle ();
  const HlFinding *error = hl_findings_first_error (hl_editing_findings (fixture_editing (window)));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->id, ==, "link4");
  g_assert_nonnull (strstr (error->message, "has no joint"));
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (window_part (window, "plot_pane")), "earlier"));
  g_autofree char *status = NULL;
  g_object_get (window_part (window, "status_line"), "shown", &status, NULL);
  g_assert_nonnull (strstr (status, "before the last changes"));
  pointer_picture ("earlier-plots.png");
  pointer_key ("ctrl+z");
  pointer_settle ();
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (window_part (window, "plot_pane")), "earlier"));

  /* one joint less: it hangs on the cylinder, and that is no fault */
  hl_workbench_select (hl_window_workbench (window), "jO2");
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "linkage_view")));
  pointer_key ("Delete");
  pointer_settle ();
  assert_no_error ();
  pointer_close (window);
}

/* --- a decimal comma --- */

/* The locale de_DE.UTF-8 in a folder of its own, so that none need be installed; NULL: it cannot be
 * made here. */
static char *make_comma_locale (void) {
  g_autofree char *folder = g_dir_make_tmp ("hydrolink-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "de_DE.UTF-8", NULL);
  g_autofree char *made = g_build_filename (path, "LC_NUMERIC", NULL);
  const char *const words[] = {"localedef", "-i", "de_DE", "-f", "UTF-8", path, NULL};

  g_spawn_sync (NULL, (char **)words, NULL,
                G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                NULL, NULL, NULL, NULL);
  return g_file_test (made, G_FILE_TEST_EXISTS) ? g_steal_pointer (&folder) : NULL;
}

/* Where a comma stands before the decimals it is taken, in fields and on the canvas; shown is a
 * point. Elsewhere there is a question. */
static void test_decimal_comma (void) {
  g_autofree char *folder = make_comma_locale ();

  if (folder == NULL) {
    g_test_skip ("no locale with a comma can be made");
    return;
  }
  window = pointer_open (application, "four-bar.hydrolink");
  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_rebuild ();
  GtkWidget *entry = fixture_entry_of (fixture_inspector_row (window, "Piston diameter"));
  g_setenv ("LC_ALL", "C", TRUE);
  pointer_click_on (entry);
  pointer_key ("ctrl+a");
  pointer_enter ("82,5 mm");
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  hl_assert_near (fixture_number (window, "cyl.piston_diameter"), 0.08, 1e-12, 0);
  pointer_key ("Escape");

  g_setenv ("LOCPATH", folder, TRUE);
  g_setenv ("LC_ALL", "de_DE.UTF-8", TRUE);
  pointer_key ("ctrl+a");
  pointer_enter ("82,5 mm");
  hl_assert_near (fixture_number (window, "cyl.piston_diameter"), 0.0825, 1e-12, 0);
  g_assert_cmpstr (text_in (entry), ==, "82.5");
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  pointer_key ("ctrl+a");
  pointer_enter ("1.082,5"); /* what groups thousands is not guessed */
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  pointer_key ("Escape");

  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_enter ("2,5; -1,25");
  pointer_key ("Escape");
  int last = hl_document_n_points (document (), -1) - 1, body;
  double at[2];
  g_autofree char *name = g_strconcat ("ground.", hl_document_point_name (document (), -1, last), NULL);
  g_assert_true (hl_document_resolve_point (document (), name, &body, at, NULL));
  hl_assert_near (at[0], 2.5, 1e-12, 0);
  hl_assert_near (at[1], -1.25, 1e-12, 0);
  g_setenv ("LC_ALL", "C", TRUE);
  g_unsetenv ("LOCPATH");
  const char *const words[] = {"rm", "-r", folder, NULL};
  g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  pointer_close (window);
}

/* --- levers --- */

static double first_lever (void) {
  return hl_manual_run_lever (hl_workbench_manual_run (hl_window_workbench (window)), 0);
}

static gboolean is_driven (gconstpointer data) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  return run != NULL && run->is_driven && hl_results_n_rows (run->results) > 20;
}

/* A valve's lever is dragged up: more; it springs back when it is let go. A key leaves it. */
static void test_lever (void) {
  window = pointer_open (application, "../../tests/golden/excavator-one-supply.hydrolink");
  pointer_key ("F6");
  pointer_until (is_driven, NULL);
  GtkWidget *scale = fixture_nth (window_part (window, "lever_panel"), GTK_TYPE_SCALE, 0);
  double x = 0.5 * gtk_widget_get_width (scale), y = 0.5 * gtk_widget_get_height (scale);

  g_assert_cmpfloat (y, >, x); /* it stands upright */
  pointer_to (scale, (HlSpot){x, y});
  pointer_press ("1");
  for (int k = 1; k <= 6; k++)
    pointer_to (scale, (HlSpot){x, y - 4 * k});
  g_assert_cmpfloat (first_lever (), >, 0.05);
  pointer_picture ("lever.png");
  pointer_release ("1");
  g_assert_cmpfloat (first_lever (), ==, 0.0);
  pointer_key ("Up");
  pointer_key ("Up");
  hl_assert_near (first_lever (), 0.08, 1e-9, 0); /* two steps of 2 % of its whole way */
  pointer_key ("0");
  g_assert_cmpfloat (first_lever (), ==, 0.0);
  pointer_key ("F6");
  pointer_settle ();
  pointer_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/first-hour/undo-in-field", test_undo_in_field);
  g_test_add_func ("/first-hour/tooltips", test_tooltips);
  g_test_add_func ("/first-hour/start-as-drawn", test_start_as_drawn);
  g_test_add_func ("/first-hour/undone-is-not-selected", test_undone_is_not_selected);
  g_test_add_func ("/first-hour/delete-pivot", test_delete_pivot);
  g_test_add_func ("/first-hour/choose-friction", test_choose_friction);
  g_test_add_func ("/first-hour/typed-mass", test_typed_mass);
  g_test_add_func ("/first-hour/beside-an-axis", test_beside_an_axis);
  g_test_add_func ("/first-hour/chain", test_chain);
  g_test_add_func ("/first-hour/plots-of-an-earlier-model", test_plots_of_an_earlier_model);
  g_test_add_func ("/first-hour/lever", test_lever);
  g_test_add_func ("/first-hour/decimal-comma", test_decimal_comma);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
