/* SPDX-License-Identifier: MIT */
/* The four-bar drawn in the real window by pointer and keys (xdotool on the virtual display), its
 * properties typed, run; it has the golden eigenvalues. HL_PICTURES_DIR keeps pictures on the way.
 */
#include "app/hl-application.h"
#include "app/hl-screenshot.h"
#include "app/hl-window-private.h"
#include "core/analysis/hl-linearize.h"
#include "core/document/hl-edit.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define SETTLE_US (40 * 1000) /* the way of an event through the server and back */
#define DOUBLE_CLICK_US (450 * 1000)
#define SKIPPED 77

static HlApplication *application;
static HlWindow *window;

static void
iterate_for (gint64 microseconds)
{
  gint64 until = g_get_monotonic_time () + microseconds;
  while (g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

static void
waited_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_assert_true (g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, NULL));
  *(gboolean *)data = TRUE;
}

/* xdotool with these words, and time for what it causes. */
static void
do_tool (const char *const *words)
{
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  g_autoptr (GSubprocess) process = g_subprocess_newv (words, G_SUBPROCESS_FLAGS_NONE, &error);

  g_assert_no_error (error);
  g_subprocess_wait_check_async (process, NULL, waited_cb, &done);
  while (!done) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  }
  iterate_for (SETTLE_US);
}

static void
pointer_to (GtkWidget *widget, HlSpot device)
{
  graphene_point_t at;
  double dx, dy;

  g_assert_true (gtk_widget_compute_point (
      widget, GTK_WIDGET (window), &GRAPHENE_POINT_INIT ((float)device.x, (float)device.y), &at));
  gtk_native_get_surface_transform (GTK_NATIVE (window), &dx, &dy);
  g_autofree char *x = g_strdup_printf ("%d", (int)round (at.x + dx));
  g_autofree char *y = g_strdup_printf ("%d", (int)round (at.y + dy));
  do_tool ((const char *const[]){"xdotool", "mousemove", x, y, NULL});
}

static void
move (HlCanvas *canvas, double x, double y)
{
  pointer_to (GTK_WIDGET (canvas), hl_view_to_device (hl_canvas_view (canvas), (HlSpot){x, y}));
}

static void
press (void)
{
  do_tool ((const char *const[]){"xdotool", "mousedown", "1", NULL});
}

static void
release (void)
{
  do_tool ((const char *const[]){"xdotool", "mouseup", "1", NULL});
}

static void
click (HlCanvas *canvas, double x, double y)
{
  move (canvas, x, y);
  press ();
  release ();
}

static void
double_click (HlCanvas *canvas, double x, double y)
{
  move (canvas, x, y);
  iterate_for (DOUBLE_CLICK_US); /* or the clicks count on from those before */
  do_tool ((const char *const[]){"xdotool", "click", "--repeat", "2", "--delay", "60", "1", NULL});
}

static void
drag (HlCanvas *canvas, HlSpot a, HlSpot b)
{
  move (canvas, a.x, a.y);
  press ();
  for (int step = 1; step <= 3; step++)
    move (canvas, a.x + (b.x - a.x) * step / 3, a.y + (b.y - a.y) * step / 3);
  release ();
}

static void
zoom_out (HlCanvas *canvas, const char *steps)
{
  move (canvas, 0, 0);
  do_tool (
      (const char *const[]){"xdotool", "click", "--repeat", steps, "--delay", "20", "5", NULL});
}

static void
key (const char *name)
{
  do_tool ((const char *const[]){"xdotool", "key", name, NULL});
}

static void
enter (const char *text)
{
  do_tool ((const char *const[]){"xdotool", "type", "--delay", "25", "--", text, NULL});
  key ("Return");
}

/* A button of a palette by its tooltip. */
static void
take_up (HlPalette *palette, const char *tooltip)
{
  GtkWidget *grid = gtk_widget_get_first_child (GTK_WIDGET (palette));

  for (GtkWidget *button = gtk_widget_get_first_child (grid); button != NULL;
       button = gtk_widget_get_next_sibling (button))
    if (g_strcmp0 (gtk_widget_get_tooltip_text (button), tooltip) == 0) {
      pointer_to (button, (HlSpot){0.5 * gtk_widget_get_width (button),
                                   0.5 * gtk_widget_get_height (button)});
      press ();
      release ();
      return;
    }
  g_error ("no tool is called %s", tooltip);
}

static const HlDocument *
document (void)
{
  return hl_workbench_document (hl_window_workbench (window));
}

static void
picture (const char *name)
{
  const char *folder = g_getenv ("HL_PICTURES_DIR");
  if (folder == NULL)
    return;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  hl_screenshot_save (GTK_WINDOW (window), path, NULL);
}

static HlSpot
port (const char *name)
{
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document ());
  int component, index;

  g_assert_true (hl_document_resolve_port (document (), name, &component, &index, NULL));
  HlShapePort placed = hl_circuit_sheet_port (sheet, component, index);
  return (HlSpot){placed.x, placed.y};
}

static void
wire (const char *from, const char *to)
{
  drag (HL_CANVAS (window->circuit_view), port (from), port (to));
  g_assert_cmpint (hl_document_line_of_port (document (), from), >=, 0);
  g_assert_cmpint (hl_document_line_of_port (document (), from), ==,
                   hl_document_line_of_port (document (), to));
}

static void
draw_circuit (void)
{
  HlCanvas *canvas = HL_CANVAS (window->circuit_view);

  zoom_out (canvas, "4");
  take_up (window->circuit_palette, "Pressure source");
  move (canvas, 0, 14);
  picture ("drawing-1-place.png");
  click (canvas, 0, 14);
  key ("Escape");
  take_up (window->circuit_palette, "Tank");
  click (canvas, 10, 12);
  key ("Escape");
  double_click (canvas, 0, 4);
  enter ("4/3");
  double_click (canvas, 0, -4);
  enter ("throttle");
  take_up (window->circuit_palette, "Cylinder");
  click (canvas, 0, -13);
  key ("Escape");
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_COMPONENTS), ==, 5);
  wire ("pump1.P", "valve1.P");
  wire ("tank1.T", "valve1.T");
  wire ("valve1.A", "throttle1.A");
  wire ("throttle1.B", "cyl1.A");
  wire ("cyl1.B", "valve1.B");
  picture ("drawing-2-circuit.png");
}

static void
draw_linkage (void)
{
  HlCanvas *canvas = HL_CANVAS (window->linkage_view);

  take_up (window->linkage_palette, "Ground pivot");
  click (canvas, 0, 0);
  enter ("10; 0");
  enter ("-1; 0");
  take_up (window->linkage_palette, "Link");
  enter ("0; 0");
  enter ("2 m < 60");
  key ("Escape");
  key ("f"); /* the second pivot is far to the right */
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  take_up (window->linkage_palette, "Link");
  click (canvas, 1, sqrt (3.0));
  move (canvas, 8.4, 3);
  picture ("drawing-3-link.png");
  click (canvas, 8.4, 3);
  click (canvas, 8.4, 3);
  click (canvas, 10, 0);
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_JOINTS), ==, 4);
  take_up (window->linkage_palette, "Point of a body");
  enter ("0.5; 0.8660254037844386");
  take_up (window->linkage_palette, "Cylinder");
  click (canvas, -1, 0);
  click (canvas, 0.5, sqrt (0.75));
  key ("Escape");
  g_assert_nonnull (hl_value_member (hl_document_find (document (), "cyl1", NULL, NULL), "rod"));
}

/* Dimensions typed with a bar selected: clicked where it is no point. */
static void
dimension (double x, double y, const char *typed)
{
  click (HL_CANVAS (window->linkage_view), x, y);
  enter (typed);
}

static HlSpot
middle_of (const char *body)
{
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document ());
  int index;

  g_assert_true (hl_document_resolve_body (document (), body, &index, NULL));
  HlSpot a = g_array_index (plan->points, HlPlanPoint, plan->first_point[index]).at;
  HlSpot b = g_array_index (plan->points, HlPlanPoint, plan->first_point[index] + 1).at;
  return (HlSpot){a.x + 0.7 * (b.x - a.x), a.y + 0.7 * (b.y - a.y)};
}

static void
set_dimensions (void)
{
  HlSpot at = middle_of ("link2");
  dimension (at.x, at.y, "8 m");
  at = middle_of ("link3");
  dimension (at.x, at.y, "5 m");
  at = middle_of ("link1");
  dimension (at.x, at.y, "60 deg");
  picture ("drawing-4-linkage.png");
}

static void
set_number (const char *path, double value)
{
  HlDocument *next = hl_document_with_number (document (), path, value, NULL);
  g_assert_nonnull (next);
  hl_workbench_commit (hl_window_workbench (window), next, path, NULL);
}

static void
set_value (const char *id, const char *field, HlValue *value)
{
  HlDocument *next = hl_edit_set (document (), id, field, value, NULL);
  g_assert_nonnull (next);
  hl_workbench_commit (hl_window_workbench (window), next, field, NULL);
}

static const char *
line_of (const char *name)
{
  return hl_document_element_id (document (), HL_SECTION_LINES,
                                 hl_document_line_of_port (document (), name));
}

/* The numbers by the inspector's door; typing them is tested with the inspector. */
static void
set_properties (void)
{
  static const struct
  {
    const char *path;
    double value;
  } numbers[] = {{"pump1.pressure", 7.6e6},
                 {"valve1.Cv", 1.0690449676496976e-08},
                 {"valve1.time_constant", 0.004547284088339867},
                 {"throttle1.Cd", 0.8},
                 {"throttle1.diameter", 0.006},
                 {"cyl1.piston_diameter", 0.08},
                 {"cyl1.rod_diameter", 0.035},
                 {"cyl1.stroke", 1},
                 {"cyl1.c1", 0.85},
                 {"cyl1.c2", 0.15},
                 {"fluid.bulk_modulus", 1.5e9},
                 {"fluid.density", 850}};
  static const struct
  {
    const char *port;
    double volume, pressure;
  } hoses[] = {{"throttle1.A", 4.71e-5, 2.82e6},
               {"throttle1.B", 3.14e-5, 2.82e6},
               {"cyl1.B", 7.85e-5, 3.5e6}};
  HlValue *friction[] = {hl_value_new_string ("brown-mcphee"), hl_value_new_number (210),
                         hl_value_new_number (830), hl_value_new_number (0.0125),
                         hl_value_new_number (330)};
  static const char *const names[] = {"model", "Fc", "Fs", "vs", "sigma2"};

  for (gsize k = 0; k < G_N_ELEMENTS (numbers); k++)
    set_number (numbers[k].path, numbers[k].value);
  set_value ("cyl1", "wall_modulus", hl_value_new_number (3.15e10));
  set_value ("cyl1", "friction", hl_value_new_object_take (names, friction, 5));
  for (gsize k = 0; k < G_N_ELEMENTS (hoses); k++) {
    g_autofree char *line = g_strdup (line_of (hoses[k].port));
    set_value (line, "volume", hl_value_new_number (hoses[k].volume));
    set_value (line, "wall_modulus", hl_value_new_number (1.5e8));
    set_value (line, "pressure", hl_value_new_number (hoses[k].pressure));
  }
  g_autofree char *pressure = g_strconcat (line_of ("cyl1.B"), ".pressure", NULL);
  HlValue *held[] = {hl_value_new_string ("link1.angle"), hl_value_new_string (pressure),
                     hl_value_new_string ("valve1.spool")};
  set_value ("equilibrium", "hold", hl_value_new_array_take (held, 3));
}

/* The eigenvalues of the window's own working point. */
static void
assert_golden (void)
{
  json_t *golden = hl_test_golden_json ("linearization.json");
  json_t *cases = hl_test_json_at (golden, "cases");

  for (size_t k = 0; k < json_array_size (cases); k++) {
    json_t *one = json_array_get (cases, k);
    if (hl_test_json_number (one, "friction_scale") != 1.0)
      continue;
    const HlWorkingPoint *point = hl_workbench_point (hl_window_workbench (window));
    g_assert_nonnull (point);
    const HlLinearization *lin = point->linearization;
    g_assert_nonnull (lin);
    json_t *nonzero = hl_test_json_at (one, "eigenvalues.nonzero");
    int at = 0;
    for (size_t e = 0; e < json_array_size (nonzero); e++, at++) {
      double re = json_number_value (json_object_get (json_array_get (nonzero, e), "re"));
      double im = json_number_value (json_object_get (json_array_get (nonzero, e), "im"));
      while (lin->eigenvalues[at].null)
        at++;
      hl_assert_near (lin->eigenvalues[at].re, re, 0.0, 1e-9 * hypot (re, im));
      hl_assert_near (lin->eigenvalues[at].im, im, 0.0, 1e-9 * hypot (re, im));
    }
  }
  json_decref (golden);
}

static void
test_four_bar (void)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;

  window = HL_WINDOW (hl_application_open_window (application, NULL));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  iterate_for (500 * 1000);
  draw_circuit ();
  draw_linkage ();
  set_dimensions ();
  set_properties ();
  key ("F5");
  while (!hl_window_is_settled (window)) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, FALSE);
  }
  picture ("drawing-5-run.png");
  assert_golden ();
  /* everything can be taken back */
  while (hl_workbench_undo_name (hl_window_workbench (window)) != NULL)
    hl_workbench_undo (hl_window_workbench (window));
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_BODIES), ==, 0);
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_COMPONENTS), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *tool = g_find_program_in_path ("xdotool");

  g_test_init (&argc, &argv, NULL);
  if (tool == NULL || !gtk_init_check ())
    return SKIPPED;
  application = hl_application_new (TRUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  g_test_add_func ("/drawing/four-bar", test_four_bar);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
