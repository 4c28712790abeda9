/* SPDX-License-Identifier: MIT */
/* A crank-rocker with its circuit, drawn from an empty window of 1280 x 800 by pointer and keys, in
 * English and in German: in how many actions, and what the window says meanwhile. An action is a
 * click, a drag, a key, or what is typed with its Enter. HL_PICTURES_DIR keeps pictures. */
#include "core/edit/hl-check.h"
#include "core/edit/hl-edit.h"
#include "tests/support/hl-language.h"
#include "tests/support/hl-test.h"
#include "app/window/hl-application.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"

#include <math.h>
#include <string.h>

#define MOST_ACTIONS 60
#define CRANK 1.0
#define COUPLER 4.0
#define ROCKER 2.5
#define BASE 4.0
#define CRANK_ANGLE 60.0

static HlApplication *application;
static HlWindow *window;
static int n_actions;
static GHashTable *messages; /* every text that was on show */

static const HlDocument *
document (void)
{
  return fixture_document (window);
}

/* --- what is said --- */

/* What would mislead while one only draws: dead points, missing oil, words of the mathematics. */
static const char *const misleading[] = {
    "dead point",       "no oil volume", "singular",       "equilibrium.hold", "hold less",
    "did not converge", "Totpunkt",      "kein Ölvolumen", "singulär",         "konvergiert nicht",
};

static void
read_texts (GtkWidget *widget)
{
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

static void
act (void)
{
  n_actions++;
  read_texts (GTK_WIDGET (window));
}

/* --- actions --- */

static void
key (const char *name)
{
  pointer_key (name);
  act ();
}

static void
enter (const char *text)
{
  pointer_enter (text);
  act ();
}

static void
take_up (HlPalette *palette, const char *name)
{
  pointer_take_up (palette, name);
  act ();
}

static void
click (gpointer view, double x, double y)
{
  pointer_click (HL_CANVAS (view), x, y);
  act ();
}

static void
wire (const char *from, const char *to)
{
  pointer_wire (from, to);
  act ();
}

static GtkWidget *
find_class (GtkWidget *root, const char *css)
{
  if (gtk_widget_has_css_class (root, css) && gtk_widget_get_mapped (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_class (child, css);
    if (found != NULL)
      return found;
  }
  return NULL;
}

/* What the inspector offers to mend is done by one click. */
static void
take_mend (void)
{
  GtkWidget *button = find_class (GTK_WIDGET (window->inspector), "mend");

  g_assert_nonnull (button);
  pointer_click_on (button);
  act ();
}

static void
place (const char *name, double x, double y)
{
  take_up (window->circuit_palette, name);
  click (window->circuit_view, x, y);
  key ("Escape");
}

static void
draw_circuit (void)
{
  pointer_move (HL_CANVAS (window->circuit_view), 0, 0);
  pointer_turn_wheel ("5", "4");
  act ();
  place ("Pressure source", 0, 14);
  place ("Tank", 10, 12);
  place ("Directional valve", 0, 4);
  place ("Throttle", 0, -4);
  place ("Cylinder", 0, -13);
  wire ("pump1.P", "valve1.P");
  wire ("tank1.T", "valve1.T");
  wire ("valve1.A", "throttle1.A");
  take_mend (); /* the short hose without a volume */
  wire ("throttle1.B", "cyl1.A");
  wire ("cyl1.B", "valve1.B");
}

/* Where coupler and rocker meet: circles around the crank's end and O2. */
static HlSpot
meeting (HlSpot b)
{
  double dx = BASE - b.x, dy = -b.y, d = hypot (dx, dy);
  double along = (COUPLER * COUPLER - ROCKER * ROCKER + d * d) / (2 * d);
  double beside = sqrt (COUPLER * COUPLER - along * along);

  return (HlSpot){b.x + (along * dx - beside * dy) / d, b.y + (along * dy + beside * dx) / d};
}

static void
draw_linkage (void)
{
  HlSpot b = {CRANK * cos (G_PI / 180 * CRANK_ANGLE), CRANK * sin (G_PI / 180 * CRANK_ANGLE)};
  HlSpot c = meeting (b);
  HlSpot g = {b.x + 0.3 * (c.x - b.x), b.y + 0.3 * (c.y - b.y)};

  take_up (window->linkage_palette, "Ground pivot");
  enter ("0; 0");
  enter ("4; 0");
  enter ("2; -0.5");
  take_up (window->linkage_palette, "Link");
  enter ("0; 0");
  enter ("1 m < 60");
  key ("Escape");
  key ("f");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  take_up (window->linkage_palette, "Link");
  click (window->linkage_view, b.x, b.y);
  g_autofree char *x = g_strdup_printf ("%.12g", c.x);
  g_autofree char *y = g_strdup_printf ("%.12g", c.y);
  g_autofree char *at = g_strdup_printf ("%s; %s", x, y);
  enter (at);
  key ("Escape");
  key ("f");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  take_up (window->linkage_palette, "Link");
  click (window->linkage_view, c.x, c.y);
  click (window->linkage_view, BASE, 0);
  key ("Escape");
  pointer_picture ("crank-rocker-1.png");
  take_up (window->linkage_palette, "Cylinder");
  click (window->linkage_view, 2, -0.5);
  click (window->linkage_view, g.x, g.y);
  key ("Escape");
}

/* --- what came of it --- */

static double
length_of (const char *body)
{
  int index;
  double a[2], b[2];

  g_assert_true (hl_document_resolve_body (document (), body, &index, NULL));
  g_assert_true (hl_document_point_xy (document (), index, 0, a));
  g_assert_true (hl_document_point_xy (document (), index, 1, b));
  return hypot (b[0] - a[0], b[1] - a[1]);
}

static void
check_model (void)
{
  const HlFindings *findings =
      hl_editing_findings (hl_workbench_editing (hl_window_workbench (window)));
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

static void
draw (const char *picture)
{
  gint64 deadline;

  n_actions = 0;
  messages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  window = HL_WINDOW (hl_application_open_window (application, NULL));
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  pointer_use (window);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  pointer_wait (500 * 1000);
  draw_circuit ();
  draw_linkage ();
  key ("F5");
  deadline = g_get_monotonic_time () + POINTER_PATIENCE_US;
  while (!hl_window_is_settled (window)) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, FALSE);
  }
  read_texts (GTK_WIDGET (window));
  pointer_picture (picture);
  g_test_message ("%d actions, %u texts", n_actions, g_hash_table_size (messages));
  check_model ();
  g_assert_cmpint (n_actions, <=, MOST_ACTIONS);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 1280);
  while (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))) != NULL)
    hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  pointer_use (NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  g_hash_table_unref (messages);
}

static void
test_english (void)
{
  draw ("crank-rocker-2.png");
}

static void
test_german (void)
{
  char *folder = NULL;

  if (!hl_language_begin (&folder)) {
    g_test_skip ("no German here");
    return;
  }
  draw ("crank-rocker-3.png");
  hl_language_end (folder);
}

int
main (int argc, char **argv)
{
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/crank-rocker/drawn-in-sixty-actions", test_english);
  g_test_add_func ("/crank-rocker/drawn-in-german", test_german);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
