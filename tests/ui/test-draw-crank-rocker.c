/* SPDX-License-Identifier: MIT */
/* A crank-rocker with its circuit, drawn from an empty window of 1280 x 800 by pointer and keys, in
 * English and in German: in how many actions, and what the window says meanwhile. An action is a
 * click, a drag, a key, or what is typed with its Enter. HL_PICTURES_DIR keeps pictures. */
#include "app/window/hl-application.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/modes/hl-eigen-table.h"
#include "ui/widget/hl-lever-panel.h"

#include <math.h>
#include <string.h>

#define MOST_ACTIONS 40
#define CRANK 1.0
#define COUPLER 4.0
#define ROCKER 2.5
#define BASE 4.0
#define CRANK_ANGLE 60.0

static HlApplication *application;
static HlWindow *window;
static int n_actions;
static GHashTable *messages; /* every text that was on show */

static const HlDocument *document (void) {
  return fixture_document (window);
}

/* --- messages --- */

/* Texts that would mislead a user who is still drawing: dead points, missing oil, mathematical terms. */
static const char *const misleading[] = {
    "dead point",       "no oil volume", "singular",       "equilibrium.hold", "values in equilibrium",
    "did not converge", "Totpunkt",      "kein Ölvolumen", "singulär",         "konvergiert nicht",
};

static void read_texts (GtkWidget *widget) {
  if (!gtk_widget_get_mapped (widget))
    return;
  const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : NULL;
  if (text != NULL && strlen (text) > 12 && g_hash_table_add (messages, g_strdup (text)))
    g_test_message ("action %d: %s", n_actions, text);
  for (gsize k = 0; text != NULL && k < G_N_ELEMENTS (misleading); k++)
    if (strstr (text, misleading[k]) != NULL)
      g_error ("after action %d the window says: %s", n_actions, text);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    read_texts (child);
}

static void act (void) {
  n_actions++;
  read_texts (GTK_WIDGET (window));
}

/* --- actions --- */

static void key (const char *name) {
  pointer_key (name);
  act ();
}

static void enter (const char *text) {
  pointer_enter (text);
  act ();
}

static void take_up (HlPalette *palette, const char *name) {
  n_actions += pointer_show_palette (palette);
  pointer_take_up (palette, name);
  act ();
}

static void click (gpointer view, double x, double y) {
  pointer_click (HL_CANVAS (view), x, y);
  act ();
}

static void wire (const char *from, const char *to) {
  pointer_wire (from, to);
  act ();
}

/* The tool is put away by the next one that is taken up. */
static void place (const char *name, double x, double y) {
  take_up (window_part (window, "circuit_palette"), name);
  click (window_part (window, "circuit_view"), x, y);
}

static void draw_circuit (void) {
  pointer_move (HL_CANVAS (window_part (window, "circuit_view")), 0, 0);
  pointer_turn_wheel ("5", "4");
  act ();
  place ("Pressure source", 0, 14);
  place ("Tank", 10, 12);
  place ("Directional valve", 0, 4);
  place ("Throttle", 0, -4);
  place ("Cylinder", 0, -13);
  key ("Escape");
  wire ("pump1.P", "valve1.P");
  wire ("tank1.T", "valve1.T");
  wire ("valve1.A", "throttle1.A");
  wire ("throttle1.B", "cyl1.A");
  wire ("cyl1.B", "valve1.B");
}

/* Where coupler and rocker meet: circles around the crank's end and O2. */
static HlSpot meeting (HlSpot b) {
  double dx = BASE - b.x, dy = -b.y, d = hypot (dx, dy);
  double along = (COUPLER * COUPLER - ROCKER * ROCKER + d * d) / (2 * d);
  double beside = sqrt (COUPLER * COUPLER - along * along);

  return (HlSpot){b.x + (along * dx - beside * dy) / d, b.y + (along * dy + beside * dx) / d};
}

static void draw_linkage (void) {
  HlSpot b = {CRANK * cos (G_PI / 180 * CRANK_ANGLE), CRANK * sin (G_PI / 180 * CRANK_ANGLE)};
  HlSpot c = meeting (b);
  HlSpot g = {b.x + 0.3 * (c.x - b.x), b.y + 0.3 * (c.y - b.y)};

  take_up (window_part (window, "linkage_palette"), "Ground pivot");
  enter ("0; 0");
  enter ("4; 0");
  enter ("2; -0.5");
  take_up (window_part (window, "linkage_palette"), "Link");
  enter ("0; 0");
  enter ("1 m < 60");
  g_autofree char *x = g_strdup_printf ("%.12g", c.x);
  g_autofree char *y = g_strdup_printf ("%.12g", c.y);
  g_autofree char *at = g_strdup_printf ("%s; %s", x, y);
  click (window_part (window, "linkage_view"), b.x, b.y); /* the tool stays in hand */
  enter (at);
  key ("f");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  click (window_part (window, "linkage_view"), c.x, c.y);
  click (window_part (window, "linkage_view"), BASE, 0);
  key ("Escape");
  pointer_picture ("crank-rocker-1.png");
  take_up (window_part (window, "linkage_palette"), "Cylinder");
  click (window_part (window, "linkage_view"), 2, -0.5);
  click (window_part (window, "linkage_view"), g.x, g.y);
  key ("Escape");
}

/* --- what came of it --- */

static double length_of (const char *body) {
  int index;
  double a[2], b[2];

  g_assert_true (hl_document_resolve_body (document (), body, &index, NULL));
  g_assert_true (hl_document_point_xy (document (), index, 0, a));
  g_assert_true (hl_document_point_xy (document (), index, 1, b));
  return hypot (b[0] - a[0], b[1] - a[1]);
}

static void check_model (void) {
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (hl_window_workbench (window)));
  const HlFinding *error = hl_findings_first_error (findings);
  const HlValue *cylinder = hl_document_find (document (), "cyl1", NULL, NULL);

  if (error != NULL)
    g_error ("%s: %s", error->path, error->message);
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_BODIES), ==, 3);
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_JOINTS), ==, 4);
  hl_assert_near (length_of ("link1"), CRANK, 1e-9, 0);
  hl_assert_near (length_of ("link2"), COUPLER, 1e-9, 0);
  hl_assert_near (length_of ("link3"), ROCKER, 1e-9, 0);
  g_assert_true (g_str_has_prefix (hl_value_string (hl_value_member (cylinder, "rod")), "link2."));
  g_assert_nonnull (hl_value_string (hl_value_member (cylinder, "base")));
  g_assert_nonnull (hl_editing_point (hl_workbench_editing (hl_window_workbench (window))));
}

static void until_settled (void) {
  gint64 deadline = g_get_monotonic_time () + POINTER_PATIENCE_US;

  while (!hl_window_is_settled (window)) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, FALSE);
  }
}

static void draw (const char *picture) {
  n_actions = 0;
  messages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  window = HL_WINDOW (hl_application_open_window (application, NULL));
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  pointer_use (window);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  pointer_wait (500 * 1000);
  draw_circuit ();
  draw_linkage ();
  /* the sheets keep their height until a run is asked for */
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window->plot_pane)));
  key ("F5");
  until_settled ();
  read_texts (GTK_WIDGET (window));
  pointer_picture (picture);
  g_test_message ("%d actions, %u texts", n_actions, g_hash_table_size (messages));
  check_model ();
  g_assert_cmpint (n_actions, <=, MOST_ACTIONS);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 1280);
}

static void leave (void) {
  while (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))) != NULL)
    hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  pointer_use (NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  g_hash_table_unref (messages);
}

/* --- what one does with it --- */

static gboolean has_driven (gconstpointer data) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  return run != NULL && run->is_driven && run->t_end > GPOINTER_TO_INT (data);
}

static gboolean has_stopped (gconstpointer data) {
  return !hl_manual_run_is_under_way (hl_workbench_manual_run (hl_window_workbench (window)));
}

/* The lever of the valve that was drawn stands beside the linkage, with a meter for each pressure; pulled
 * by the pointer it moves the crank, and the oil that holds the machine carries other pressures. */
static void drive (void) {
  pointer_key ("F6");
  pointer_until (has_driven, GINT_TO_POINTER (0));
  HlManualRun *driving = hl_workbench_manual_run (hl_window_workbench (window));
  GPtrArray *levers = hl_manual_run_levers (driving);
  guint valve = 0;
  while (valve < levers->len && !g_str_has_prefix (((const HlLever *)levers->pdata[valve])->path, "valve1."))
    valve++;
  g_assert_cmpuint (valve, <, levers->len);
  GtkWidget *scale = fixture_nth (window_part (window, "lever_panel"), GTK_TYPE_SCALE, (int)valve);
  GtkWidget *meters =
      fixture_find (GTK_WIDGET (window_part (window, "lever_panel")), HL_TYPE_PRESSURE_METERS);
  g_assert_true (gtk_widget_get_mapped (scale) && gtk_widget_get_mapped (meters));
  g_assert_cmpint (gtk_widget_get_height (scale), >=, 60); /* large enough to be pulled */
  double width = gtk_widget_get_width (scale), height = gtk_widget_get_height (scale);
  pointer_to (scale, (HlSpot){0.5 * width, 0.5 * height});
  pointer_press ("1");
  for (int k = 1; k <= 4; k++)
    pointer_to (scale, (HlSpot){0.5 * width, (0.5 - 0.1 * k) * height});
  g_assert_cmpfloat (fabs (hl_manual_run_lever (driving, valve)), >, 0.2);
  pointer_until (has_driven, GINT_TO_POINTER (2));
  pointer_picture ("crank-rocker-4.png");
  pointer_release ("1");
  const HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  double begin = hl_run_value (run, "link1.angle", 0), end = hl_run_value (run, "link1.angle", run->t_end);
  g_assert_cmpfloat (fabs (end - begin), >, 1e-3);
  pointer_key ("F6");
  pointer_until (has_stopped, NULL);
  until_settled ();
}

static gboolean has_judged (gconstpointer panel) {
  return strstr (fixture_said ((gpointer)panel, "verdict"), "5 %") != NULL ||
         strstr (fixture_said ((gpointer)panel, "verdict"), "is moving") != NULL;
}

/* The imaginary part in "... −0.53 ± 1498.4 i ..." [rad/s]. */
static double ringing_in (const char *text) {
  const char *sign = strstr (text, "± ");

  g_assert_nonnull (sign);
  return g_ascii_strtod (sign + strlen ("± "), NULL);
}

/* The plain sentence about the mode that rings: the full model, kicked and fitted, has the eigenvalue of
 * the table within some percent. */
static void judge (void) {
  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  fixture_collect (GTK_WIDGET (window_part (window, "eigen_table")), GTK_TYPE_LIST_BOX_ROW, rows);
  g_assert_cmpuint (rows->len, >, 0);
  pointer_click_on (rows->pdata[0]);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  GtkWidget *panel = fixture_find (GTK_WIDGET (window), HL_TYPE_MODE_PANEL);
  g_assert_nonnull (panel);
  pointer_click_on (fixture_child (panel, "check"));
  pointer_until (has_judged, panel);
  const char *title = fixture_said (panel, "title"), *said = fixture_said (panel, "verdict");
  g_test_message ("%s | %s", title, said);
  double linear = ringing_in (title), full = ringing_in (said);
  g_assert_cmpfloat (linear, >, 100); /* the oil under the cylinder is a spring */
  hl_assert_near (full, linear, 1e-2, 0);
  /* the sentence is looked at without a search, low as the window is */
  for (int frame = 0; frame < 3; frame++)
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  GtkWidget *label = fixture_child (panel, "verdict");
  GtkWidget *viewport = gtk_widget_get_ancestor (label, GTK_TYPE_VIEWPORT);
  graphene_rect_t bounds;
  g_assert_true (gtk_widget_compute_bounds (label, viewport, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >=, -1);
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=, gtk_widget_get_height (viewport) + 1);
  pointer_picture ("crank-rocker-5.png");
}

static void test_english (void) {
  draw ("crank-rocker-2.png");
  drive ();
  judge ();
  leave ();
}

static void test_german (void) {
  char *folder = NULL;

  if (!hl_language_begin (&folder)) {
    g_test_skip ("no German here");
    return;
  }
  draw ("crank-rocker-3.png");
  leave ();
  hl_language_end (folder);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/draw-crank-rocker/drawn-in-forty-actions", test_english);
  g_test_add_func ("/draw-crank-rocker/drawn-in-german", test_german);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
