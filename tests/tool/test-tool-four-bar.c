/* SPDX-License-Identifier: MIT */
/* The four-bar of the first example, drawn from an empty window by tool events, its properties
 * typed; saved and read back it has the golden eigenvalues. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/linear/hl-linearize.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"

/* Sets a value as the inspector does: typed with its unit. */
static void set (HlScript *script, const char *path, HlQuantity quantity, const char *typed) {
  g_autoptr (GError) error = NULL;
  double value;
  int n;

  hl_unit_parse (typed, quantity, &hl_quantity_units (quantity, &n)[0], &value, NULL, &error);
  g_assert_no_error (error);
  HlDocument *next = hl_document_with_number (hl_script_document (script), path, value, &error);
  g_assert_no_error (error);
  hl_script_edit (script, next, path);
}

static const char *line_of (const HlScript *script, const char *port) {
  int line = hl_document_line_of_port (hl_script_document (script), port);
  g_assert_cmpint (line, >=, 0);
  return hl_document_element_id (hl_script_document (script), HL_SECTION_LINES, line);
}

static void set_line (HlScript *script, const char *port, double volume, double pressure) {
  g_autofree char *line = g_strdup (line_of (script, port));
  const char *const fields[] = {"volume", "wall_modulus", "pressure"};
  double values[] = {volume, 1.5e8, pressure};

  for (gsize k = 0; k < G_N_ELEMENTS (fields); k++)
    hl_script_edit (
        script,
        hl_edit_set (hl_script_document (script), line, fields[k], hl_value_new_number (values[k]), NULL),
        fields[k]);
}

static void place (HlScript *script, const char *kind, double x, double y) {
  hl_script_choose (script, "place", kind);
  g_assert_cmpint (hl_script_click (script, x, y), ==, HL_TOOL_NEXT);
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
}

/* Draws a wire from port to port, by a drag. */
static void wire (HlScript *script, const char *from, const char *to) {
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (hl_script_document (script));
  const char *names[2] = {from, to};
  HlShapePort ports[2];

  for (int end = 0; end < 2; end++) {
    int component, port;
    g_assert_true (
        hl_document_resolve_port (hl_script_document (script), names[end], &component, &port, NULL));
    ports[end] = hl_circuit_sheet_port (sheet, component, port);
  }
  g_assert_cmpint (
      hl_script_drag (script, ports[0].x + 0.1, ports[0].y - 0.1, ports[1].x - 0.2, ports[1].y + 0.1), ==,
      HL_TOOL_COMMIT);
  g_assert_cmpstr (line_of (script, from), ==, line_of (script, to));
}

static void draw_circuit (HlScript *script) {
  hl_script_use (script, HL_TOOL_CIRCUIT);
  place (script, "pressure-source", 0, 24);
  place (script, "tank", 12, 22);
  place (script, "directional-valve", 0, 12);
  hl_script_double (script, 0, 0); /* by its name */
  g_assert_cmpint (hl_script_enter (script, "throttle"), ==, HL_TOOL_COMMIT);
  place (script, "cylinder", 0, -14);
  wire (script, "pump1.P", "valve1.P");
  wire (script, "tank1.T", "valve1.T");
  wire (script, "valve1.A", "throttle1.A");
  wire (script, "throttle1.B", "cyl1.A");
  wire (script, "cyl1.B", "valve1.B");
  hl_script_assert_sound (script);
}

static void link_to (HlScript *script, const char *first, const char *second) {
  hl_script_enter (script, first);
  g_assert_cmpint (hl_script_enter (script, second), ==, HL_TOOL_NEXT);
}

static void dimension (HlScript *script, const char *body, const char *typed) {
  hl_tool_select (script->tool, (const char *const[]){body, NULL});
  g_assert_cmpint (hl_script_enter (script, typed), ==, HL_TOOL_COMMIT);
}

static void draw_linkage (HlScript *script) {
  hl_script_use (script, HL_TOOL_LINKAGE);
  hl_script_choose (script, "spot", "pivot");
  hl_script_click (script, 0.03, -0.02); /* the grid takes it to 0, 0 */
  g_assert_cmpint (hl_script_enter (script, "10; 0"), ==, HL_TOOL_NEXT);
  hl_script_click (script, -1, 0);
  hl_script_choose (script, "link", NULL);
  link_to (script, "0; 0", "2 m < 60");
  /* the others by eye: on the crank's end, somewhere, and back to the second pivot */
  hl_script_click (script, 1, sqrt (3.0));
  hl_script_click (script, 8.4, 4.6);
  hl_script_click (script, 8.4, 4.6);
  hl_script_click (script, 10, 0);
  g_assert_cmpint (hl_document_n_elements (hl_script_document (script), HL_SECTION_JOINTS), ==, 4);
  /* the middle of the crank, and the cylinder that stands in the circuit */
  hl_script_choose (script, "spot", "point");
  g_assert_cmpint (hl_script_enter (script, "0.5; 0.8660254037844386"), ==, HL_TOOL_NEXT);
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
}

static void finish_linkage (HlScript *script) {
  hl_script_choose (script, "pair", "cylinder");
  hl_script_click (script, -1, 0);
  g_assert_cmpint (hl_script_click (script, 0.5, sqrt (0.75)), ==, HL_TOOL_NEXT);
  hl_script_choose (script, "spot", "torque");
  hl_script_click (script, 0.75, 0.75 * sqrt (3.0));
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
  dimension (script, "link2", "8 m");
  dimension (script, "link3", "5 m");
  dimension (script, "link1", "60 deg");
  hl_script_assert_sound (script);
}

static void set_properties (HlScript *script) {
  static const struct {
    const char *path;
    HlQuantity quantity;
    const char *typed;
  } rows[] = {
      {"pump1.pressure", HL_QUANTITY_PRESSURE, "7.6 MPa"},
      {"tank1.pressure", HL_QUANTITY_PRESSURE, "1 bar"},
      {"valve1.Cv", HL_QUANTITY_VALVE_FLOW, "1.0690449676496976e-08"},
      {"valve1.time_constant", HL_QUANTITY_TIME, "4.547284088339867 ms"},
      {"throttle1.Cd", HL_QUANTITY_NONE, "0.8"},
      {"throttle1.diameter", HL_QUANTITY_LENGTH, "6 mm"},
      {"cyl1.piston_diameter", HL_QUANTITY_LENGTH, "80 mm"},
      {"cyl1.rod_diameter", HL_QUANTITY_LENGTH, "35 mm"},
      {"cyl1.stroke", HL_QUANTITY_LENGTH, "1"},
      {"cyl1.c1", HL_QUANTITY_LENGTH, "0.85 m"},
      {"cyl1.c2", HL_QUANTITY_LENGTH, "0.15 m"},
      {"fluid.bulk_modulus", HL_QUANTITY_MODULUS, "1.5 GPa"},
      {"fluid.density", HL_QUANTITY_DENSITY, "850"},
  };
  static const char *const held[] = {"link1.angle", NULL, "valve1.spool"};
  HlValue *friction[] = {hl_value_new_string ("brown-mcphee"), hl_value_new_number (210),
                         hl_value_new_number (830), hl_value_new_number (0.0125), hl_value_new_number (330)};
  static const char *const names[] = {"model", "Fc", "Fs", "vs", "sigma2"};

  for (gsize k = 0; k < G_N_ELEMENTS (rows); k++)
    set (script, rows[k].path, rows[k].quantity, rows[k].typed);
  hl_script_edit (
      script,
      hl_edit_set (hl_script_document (script), "cyl1", "wall_modulus", hl_value_new_number (3.15e10), NULL),
      "Set wall");
  hl_script_edit (script,
                  hl_edit_set (hl_script_document (script), "cyl1", "friction",
                               hl_value_new_object_take (names, friction, 5), NULL),
                  "Set friction");
  set_line (script, "throttle1.A", 4.71e-5, 2.82e6);
  set_line (script, "throttle1.B", 3.14e-5, 2.82e6);
  set_line (script, "cyl1.B", 7.85e-5, 3.5e6);
  g_autofree char *pressure = g_strconcat (line_of (script, "cyl1.B"), ".pressure", NULL);
  HlValue *holds[3];
  for (int k = 0; k < 3; k++)
    holds[k] = hl_value_new_string (held[k] != NULL ? held[k] : pressure);
  hl_script_edit (script,
                  hl_edit_set (hl_script_document (script), "equilibrium", "hold",
                               hl_value_new_array_take (holds, 3), NULL),
                  "Hold");
}

static void assert_golden (const char *path) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  json_t *cases = hl_test_json_at (golden, "cases");

  for (size_t k = 0; k < json_array_size (cases); k++) {
    json_t *one = json_array_get (cases, k);
    g_autoptr (GError) error = NULL;
    g_autoptr (HlDocument) saved = hl_document_load (path, &error);
    g_assert_no_error (error);
    HlTestModel model = hl_test_model_from_document (hl_document_with_number (
        saved, "cyl1.friction.scale", hl_test_json_number (one, "friction_scale"), NULL));
    HlLinearizeOptions options = hl_linearize_options_default ();
    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    g_assert_nonnull (lin);
    g_assert_cmpint (lin->n, ==, 6);
    g_assert_cmpint (lin->n_null, ==, (int)hl_test_json_number (one, "eigenvalues.null.algebraic"));
    json_t *nonzero = hl_test_json_at (one, "eigenvalues.nonzero");
    g_assert_cmpuint (json_array_size (nonzero), >, 0);
    int at = 0;
    for (size_t e = 0; e < json_array_size (nonzero); e++, at++) {
      double re = json_number_value (json_object_get (json_array_get (nonzero, e), "re"));
      double im = json_number_value (json_object_get (json_array_get (nonzero, e), "im"));
      while (lin->eigenvalues[at].null)
        at++;
      hl_assert_near (lin->eigenvalues[at].re, re, 0.0, 1e-9 * hypot (re, im));
      hl_assert_near (lin->eigenvalues[at].im, im, 0.0, 1e-9 * hypot (re, im));
    }
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  json_decref (golden);
}

static void test_four_bar (void) {
  HlScript script;
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("four-bar-XXXXXX.hydrolink", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  hl_script_init (&script, NULL);
  draw_circuit (&script);
  draw_linkage (&script);
  finish_linkage (&script);
  set_properties (&script);
  g_assert_true (hl_document_save (hl_script_document (&script), path, &error));
  g_assert_no_error (error);
  assert_golden (path);
  g_remove (path);

  while (hl_history_undo_name (script.history) != NULL)
    hl_script_undo (&script);
  g_assert_true (hl_document_equal (hl_script_document (&script), empty));
  hl_script_clear (&script);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool/four-bar", test_four_bar);
  return g_test_run ();
}
