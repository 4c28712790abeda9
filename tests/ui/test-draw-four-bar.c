/* SPDX-License-Identifier: MIT */
/* The four-bar drawn in the real window by pointer and keys (xdotool on the virtual display), its
 * numbers typed into the inspector, run; it has the golden eigenvalues. HL_PICTURES_DIR keeps
 * pictures on the way. */
#include "app/window/hl-application.h"
#include "core/linear/hl-linearize.h"
#include "core/edit/hl-edit.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <math.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

static const HlDocument *document (void) {
  return fixture_document (window);
}

/* On a machine that is held up two clicks may come too far apart to be a double click. */
static void place_by_name (HlCanvas *canvas, double x, double y, const char *name) {
  const HlTool *tool = hl_tool_bridge_tool (hl_circuit_view_bridge (window_part (window, "circuit_view")));

  for (int tries = 0; tries < 3 && strcmp (hl_tool_id (tool), "place") != 0; tries++)
    pointer_double_click (canvas, x, y);
  pointer_enter (name);
}

static void draw_circuit (void) {
  HlCanvas *canvas = HL_CANVAS (window_part (window, "circuit_view"));

  pointer_move (canvas, 0, 0);
  pointer_turn_wheel ("5", "4");
  pointer_take_up (window_part (window, "circuit_palette"), "Pressure source");
  pointer_move (canvas, 0, 14);
  pointer_picture ("drawing-1-place.png");
  pointer_click (canvas, 0, 14);
  pointer_key ("Escape");
  pointer_take_up (window_part (window, "circuit_palette"), "Tank");
  pointer_click (canvas, 10, 12);
  pointer_key ("Escape");
  place_by_name (canvas, 0, 4, "4/3");
  place_by_name (canvas, 0, -4, "throttle");
  pointer_take_up (window_part (window, "circuit_palette"), "Cylinder");
  pointer_click (canvas, 0, -13);
  pointer_key ("Escape");
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_COMPONENTS), ==, 5);
  pointer_wire ("pump1.P", "valve1.P");
  pointer_wire ("tank1.T", "valve1.T");
  pointer_wire ("valve1.A", "throttle1.A");
  pointer_wire ("throttle1.B", "cyl1.A");
  pointer_wire ("cyl1.B", "valve1.B");
  pointer_picture ("drawing-2-circuit.png");
}

static void draw_linkage (void) {
  HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));

  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_click (canvas, 0, 0);
  pointer_enter ("10; 0");
  pointer_enter ("-1; 0");
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("0; 0");
  pointer_enter ("2 m < 60");
  pointer_key ("Escape");
  pointer_key ("f"); /* the second pivot is far to the right */
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_click (canvas, 1, sqrt (3.0));
  pointer_move (canvas, 8.4, 3);
  pointer_picture ("drawing-3-link.png");
  pointer_click (canvas, 8.4, 3);
  pointer_click (canvas, 8.4, 3);
  pointer_click (canvas, 10, 0);
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_JOINTS), ==, 4);
  pointer_take_up (window_part (window, "linkage_palette"), "Point of a body");
  pointer_enter ("0.5; 0.8660254037844386");
  pointer_take_up (window_part (window, "linkage_palette"), "Cylinder");
  pointer_click (canvas, -1, 0);
  pointer_click (canvas, 0.5, sqrt (0.75));
  pointer_key ("Escape");
  g_assert_nonnull (hl_value_member (hl_document_find (document (), "cyl1", NULL, NULL), "rod"));
}

/* Dimensions typed with a bar selected: clicked where it is no point. */
static void dimension (double x, double y, const char *typed) {
  pointer_click (HL_CANVAS (window_part (window, "linkage_view")), x, y);
  pointer_enter (typed);
}

static HlSpot middle_of (const char *body) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document ());
  int index;

  g_assert_true (hl_document_resolve_body (document (), body, &index, NULL));
  HlSpot a = g_array_index (plan->points, HlPlanPoint, plan->first_point[index]).at;
  HlSpot b = g_array_index (plan->points, HlPlanPoint, plan->first_point[index] + 1).at;
  return (HlSpot){a.x + 0.7 * (b.x - a.x), a.y + 0.7 * (b.y - a.y)};
}

static void set_dimensions (void) {
  HlSpot at = middle_of ("link2");
  dimension (at.x, at.y, "8 m");
  at = middle_of ("link3");
  dimension (at.x, at.y, "5 m");
  at = middle_of ("link1");
  dimension (at.x, at.y, "60 deg");
  pointer_picture ("drawing-4-linkage.png");
}

static const char *line_of (const char *name) {
  return hl_document_element_id (document (), HL_SECTION_LINES, hl_document_line_of_port (document (), name));
}

/* --- rows of the inspector --- */

/* Returns the widget in a column of the row of that name: 1 = the editor, 2 = its menu. */
static GtkWidget *row (const char *name, int column) {
  GtkGrid *grid = GTK_GRID (fixture_find (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_GRID));

  for (int line = 0; grid != NULL; line++) {
    GtkWidget *label = gtk_grid_get_child_at (grid, 0, line);
    if (label == NULL)
      break;
    if (GTK_IS_LABEL (label) && strcmp (gtk_label_get_text (GTK_LABEL (label)), name) == 0)
      return gtk_grid_get_child_at (grid, column, line);
  }
  g_error ("the inspector has no row called %s", name);
}

static void type_row (const char *name, const char *text) {
  pointer_click_on (fixture_find (row (name, 1), GTK_TYPE_ENTRY));
  pointer_key ("ctrl+a");
  pointer_enter (text);
}

static gboolean has_model (gconstpointer model) {
  const HlValue *cylinder = hl_document_find (document (), "cyl1", NULL, NULL);
  return g_strcmp0 (hl_value_string (hl_value_at (cylinder, "friction.model")), model) == 0;
}

static gboolean is_held (gconstpointer path) {
  return hl_document_is_held (document (), path);
}

/* Chooses by the words of the list; the file has another name for them. */
static void choose_friction (const char *words, const char *model) {
  pointer_choose_item (fixture_find (row ("Friction law", 1), GTK_TYPE_DROP_DOWN), words, NULL);
  pointer_until (has_model, model);
}

/* Chooses to hold a value; the values that hold the linkage since the circuit has oil are held already. */
static void hold_row (const char *name, const char *path) {
  if (is_held (path))
    return;
  pointer_choose_item (row (name, 2), "Hold in equilibrium", NULL);
  pointer_until (is_held, path);
}

/* --- the numbers of the four-bar --- */

static void select_symbol (const char *id) {
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document ());
  int index;

  g_assert_nonnull (hl_document_find (document (), id, NULL, &index));
  HlPlacement place = sheet->layout->symbols[index].place;
  pointer_click (HL_CANVAS (window_part (window, "circuit_view")), place.x, place.y);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, id);
}

/* Clicks in the middle of the longest piece of the line. */
static void select_line (const char *id) {
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document ());
  HlSpot at = {0, 0};
  double longest = 0;
  int index;

  g_assert_nonnull (hl_document_find (document (), id, NULL, &index));
  const HlLayoutWire *wire = &sheet->layout->routes[index].wires[0];
  for (int i = 1; i < wire->n; i++) {
    HlSpot a = wire->points[i - 1], b = wire->points[i];
    if (hypot (b.x - a.x, b.y - a.y) <= longest)
      continue;
    longest = hypot (b.x - a.x, b.y - a.y);
    at = (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
  }
  pointer_click (HL_CANVAS (window_part (window, "circuit_view")), at.x, at.y);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, id);
}

/* Sets the numbers of the components. The oil of the four-bar is that of a new document. */
static void set_components (void) {
  select_symbol ("pump1");
  type_row ("Pressure", "7.6 MPa");
  select_symbol ("valve1");
  type_row ("Flow coefficient", "1.0690449676496976e-08");
  type_row ("Time constant", "0.004547284088339867 s");
  hold_row ("Spool", "valve1.spool");
  select_symbol ("throttle1");
  type_row ("Discharge coefficient", "0.8");
  type_row ("Diameter", "6 mm");
  select_symbol ("cyl1");
  type_row ("Piston diameter", "80 mm");
  type_row ("Rod diameter", "35 mm");
  type_row ("Stroke", "1 m");
  type_row ("Base dead length c1", "0.85 m");
  type_row ("Rod dead length c2", "0.15 m");
  type_row ("Wall modulus", "31.5 GPa");
  choose_friction ("Brown and McPhee", "brown-mcphee");
  type_row ("Coulomb force F_c", "210 N");
  type_row ("Static force F_s", "830 N");
  type_row ("Stribeck speed v_s", "0.0125 m/s");
  type_row ("Viscous coefficient \317\203\342\202\202", "330 N s/m");
  pointer_picture ("drawing-5-numbers.png");
}

static void set_hoses (void) {
  static const struct {
    const char *port, *volume, *pressure;
  } hoses[] = {{"throttle1.A", "47.1 cm3", "2.82 MPa"},
               {"throttle1.B", "31.4 cm3", "2.82 MPa"},
               {"cyl1.B", "78.5 cm3", "3.5 MPa"}};

  for (gsize k = 0; k < G_N_ELEMENTS (hoses); k++) {
    select_line (line_of (hoses[k].port));
    type_row ("Hose volume", hoses[k].volume);
    type_row ("Wall modulus", "150 MPa");
    type_row ("Pressure", hoses[k].pressure);
  }
  g_autofree char *pressure = g_strconcat (line_of ("cyl1.B"), ".pressure", NULL);
  hold_row ("Pressure", pressure);
  HlSpot at = middle_of ("link1");
  pointer_click (HL_CANVAS (window_part (window, "linkage_view")), at.x, at.y);
  hold_row ("Pose angle", "link1.angle");
}

/* Checks the eigenvalues of the window's own working point. */
static void assert_golden (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  json_t *cases = hl_test_json_at (golden, "cases");

  for (size_t k = 0; k < json_array_size (cases); k++) {
    json_t *one = json_array_get (cases, k);
    if (hl_test_json_number (one, "friction_scale") != 1.0)
      continue;
    const HlWorkingPoint *point = hl_editing_point (hl_workbench_editing (hl_window_workbench (window)));
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

static void test_four_bar (void) {
  gint64 deadline = g_get_monotonic_time () + POINTER_PATIENCE_US;

  window = HL_WINDOW (hl_application_open_window (application, NULL));
  pointer_use (window);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  pointer_wait (500 * 1000);
  draw_circuit ();
  draw_linkage ();
  set_dimensions ();
  set_components ();
  set_hoses ();
  pointer_key ("F5");
  while (!hl_window_is_settled (window)) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, FALSE);
  }
  pointer_picture ("drawing-6-run.png");
  assert_golden ();
  /* everything can be taken back */
  while (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))) != NULL)
    hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_BODIES), ==, 0);
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_COMPONENTS), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/drawing/four-bar", test_four_bar);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
