/* SPDX-License-Identifier: MIT */
/* Documents: elements, references, numbers by path, parameter sets. */
#include "core/base/hl-error.h"
#include "core/document/hl-document.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-document-check.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static double number (const HlDocument *document, const char *path) {
  g_autoptr (GError) error = NULL;
  double value = NAN;

  hl_document_get_number (document, path, &value, NULL, &error);
  g_assert_no_error (error);
  return value;
}

static void elements_are_found (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  HlSection section;
  int index, body, component, port;
  double xy[2];

  g_assert_cmpint (hl_document_n_elements (document, HL_SECTION_BODIES), ==, 3);
  g_assert_cmpstr (hl_document_element_id (document, HL_SECTION_LINES, 2), ==, "V1");
  g_assert_nonnull (hl_document_find (document, "cyl", &section, &index));
  g_assert_cmpint (section, ==, HL_SECTION_COMPONENTS);
  g_assert_cmpint (index, ==, 4);
  g_assert_null (hl_document_find (document, "nobody", NULL, NULL));
  g_assert_true (hl_document_resolve_point (document, "link3.D", &body, xy, NULL));
  g_assert_cmpint (body, ==, 1);
  g_assert_cmpfloat (xy[0], ==, 4);
  g_assert_true (hl_document_resolve_point (document, "ground.O2", &body, xy, NULL));
  g_assert_cmpint (body, ==, -1);
  g_assert_true (hl_document_resolve_port (document, "dcv.B", &component, &port, NULL));
  g_assert_cmpint (component, ==, 2);
  g_assert_cmpint (port, ==, 3);
  g_assert_cmpint (hl_document_line_of_port (document, "cyl.B"), ==, 4);
  g_assert_cmpint (hl_document_line_of_port (document, "cyl.X"), ==, -1);
  g_assert_cmpint (hl_document_n_points (document, -1), ==, 3);
}

static void numbers_are_read_by_path (void) {
  static const struct {
    const char *path;
    double value;
    const char *unit;
  } known[] = {{"cyl.friction.Fc", 210, "N"},
               {"cyl.friction.scale", 1, "1"},
               {"V3.pressure", 3.5e6, "Pa"},
               {"link2.mass", 2, "kg"},
               {"link2.angle", 1.0471975511965976, "rad"},
               {"link2.x", 0.5, "m"},
               {"link2.omega", 0, "rad/s"},
               {"link2.vy", 0, "m/s"},
               {"link2.points.C.x", 1, "m"},
               {"link2.com.y", 0, "m"},
               {"ground.O2.x", 10, "m"},
               {"ground.points.O2.x", 10, "m"},
               {"dcv.spool", 0, "1"},
               {"dcv.command", 0, "1"},
               {"M2.signal.y.1", 250, "N m"},
               {"M2.signal.t.2", 1.5, "s"},
               {"fluid.density", 850, "kg/m3"},
               {"fluid.viscosity", 0.04, "Pa s"},
               {"simulation.rtol", 1e-8, "1"},
               {"simulation.t_end", 4, "s"},
               {"gravity.y", -9.81, "m/s2"},
               {"throttle.diameter", 0.006, "m"}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autoptr (GError) error = NULL;
    const char *unit = NULL;
    double value = NAN;
    g_assert_true (hl_document_get_number (document, known[i].path, &value, &unit, &error));
    g_assert_no_error (error);
    g_assert_cmpfloat (value, ==, known[i].value);
    g_assert_cmpstr (unit, ==, known[i].unit);
  }
  hl_assert_near (number (document, "throttle.area"), 3.14159265358979323846 * 9e-6, 1e-15, 0);
}

/* Every settable path of every example: what is set is read back, nothing else changes, and setting
 * the old value again gives the old document wherever the file stated it. */
static void every_path_can_be_set (void) {
  static const char *const names[] = {"four-bar.hydrolink", "metering-arm.hydrolink",
                                      "hybrid-two-cylinders.hydrolink", "articulated-vehicle-tyre.hydrolink"};

  for (gsize n = 0; n < G_N_ELEMENTS (names); n++) {
    g_autoptr (HlDocument) document = hl_test_example (names[n]);
    g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
    for (int i = 0; paths[i] != NULL; i++) {
      HlPathInfo info;
      g_autoptr (GError) error = NULL;
      g_assert_true (hl_path_find (document, paths[i], &info, &error));
      g_assert_cmpint (info.type, !=, HL_PATH_OUTPUT);
      double value = hl_field_accepts (info.field, 0.0625) ? 0.0625 : 1;
      g_autoptr (HlDocument) changed = hl_document_with_number (document, paths[i], value, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (number (changed, paths[i]), ==, value);
      double old;
      if (!hl_document_get_number (document, paths[i], &old, NULL, NULL) || info.field->need == HL_NEED_GROUP)
        continue;
      g_autoptr (HlDocument) back = hl_document_with_number (changed, paths[i], old, &error);
      g_assert_no_error (error);
      g_autofree char *text = hl_document_to_text (document);
      g_autofree char *text_back = hl_document_to_text (back);
      if (strlen (text) == strlen (text_back)) /* else: it stood there by default only */
        g_assert_cmpstr (text, ==, text_back);
      g_assert_cmpfloat (number (back, paths[i]), ==, old);
    }
  }
}

static void setting_inserts_what_was_default (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) velocity = hl_document_with_number (document, "link2.omega", 0.5, NULL);
  g_autoptr (HlDocument) com = hl_document_with_number (document, "link3.com.y", 0.25, NULL);
  g_autoptr (HlDocument) scale = hl_document_with_number (document, "cyl.friction.scale", 0.1, NULL);
  g_autoptr (HlDocument) bare = hl_document_new_empty ();
  g_autoptr (HlDocument) fluid = hl_document_with_number (bare, "fluid.density", 900, NULL);
  g_autoptr (HlDocument) gravity = hl_document_with_number (bare, "gravity.x", 1, NULL);
  double vector[2];

  g_assert_cmpfloat (number (velocity, "link2.omega"), ==, 0.5);
  g_assert_cmpfloat (number (velocity, "link2.vx"), ==, 0);
  g_assert_cmpfloat (number (com, "link3.com.y"), ==, 0.25);
  g_assert_cmpfloat (number (scale, "cyl.friction.scale"), ==, 0.1);
  g_assert_cmpfloat (number (scale, "cyl.friction.Fc"), ==, 210);
  g_assert_cmpfloat (number (fluid, "fluid.density"), ==, 900);
  hl_document_gravity (gravity, vector);
  g_assert_cmpfloat (vector[0], ==, 1);
  g_assert_cmpfloat (vector[1], ==, -9.81);
}

static void setting_a_signal_makes_it_constant (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GError) error = NULL;
  double value;

  g_assert_false (hl_document_get_number (document, "M2.signal", &value, NULL, &error));
  g_assert_nonnull (strstr (error->message, "changes with time"));
  g_autoptr (HlDocument) constant = hl_document_with_number (document, "M2.signal", 100, NULL);
  g_assert_cmpfloat (number (constant, "M2.signal"), ==, 100);
  g_assert_true (
      hl_value_is_number (hl_value_member (hl_document_find (constant, "M2", NULL, NULL), "signal")));
}

static void setting_the_other_size_converts_the_group (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  double ring = number (document, "cyl.rod_side_area");
  g_autoptr (HlDocument) changed = hl_document_with_number (document, "cyl.piston_area", 0.006, NULL);
  const HlValue *cylinder = hl_document_find (changed, "cyl", NULL, NULL);

  g_assert_null (hl_value_member (cylinder, "piston_diameter"));
  g_assert_null (hl_value_member (cylinder, "rod_diameter"));
  g_assert_cmpfloat (number (changed, "cyl.piston_area"), ==, 0.006);
  g_assert_cmpfloat (number (changed, "cyl.rod_side_area"), ==, ring);
  g_assert_true (hl_test_is_sound (changed, NULL));
}

static void unknown_paths_name_near_ones (void) {
  static const struct {
    const char *path;
    const char *says;
  } cases[] = {{"cyl.friction.FC", "‘cyl.friction.Fc’"},
               {"cyl.Fc", "‘cyl.friction.Fc’"},
               {"link2.angel", "‘link2.angle’"},
               {"lnk2.angle", "‘link2.angle’"},
               {"zebra.stripes", "no element ‘zebra’"},
               {"mass", "ELEMENT.PROPERTY"},
               {"", "ELEMENT.PROPERTY"},
               {".", "no element"},
               {"link2.", "no property"},
               {"link2.points.Q.x", "no property"},
               {"M2.signal.y.99", "no property"},
               {"cyl.force", "computed"}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    double value;
    g_assert_false (hl_document_get_number (document, cases[i].path, &value, NULL, &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
    if (strstr (error->message, cases[i].says) == NULL)
      g_error ("‘%s’: %s", cases[i].path, error->message);
  }
}

static void values_out_of_range_are_refused (void) {
  static const struct {
    const char *path;
    double value;
  } bad[] = {{"link2.mass", 0},    {"link2.mass", -1},    {"link2.mass", NAN},  {"link2.x", INFINITY},
             {"dcv.spool", 1.01},  {"dcv.command", -2},   {"fluid.density", 0}, {"simulation.t_end", -1},
             {"V1.volume", -1e-9}, {"cyl.friction.vs", 0}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (hl_document_with_number (document, bad[i].path, bad[i].value, &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, bad[i].path));
  }
}

static void outputs_are_paths_too (void) {
  static const struct {
    const char *path;
    HlQuantity quantity;
  } outputs[] = {{"cyl.s", HL_QUANTITY_LENGTH},         {"cyl.force", HL_QUANTITY_FORCE},
                 {"jO1.fx", HL_QUANTITY_FORCE},         {"jO1.moment", HL_QUANTITY_TORQUE},
                 {"throttle.flow", HL_QUANTITY_FLOW},   {"link2.C.x", HL_QUANTITY_LENGTH},
                 {"energy.kinetic", HL_QUANTITY_ENERGY}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

  for (gsize i = 0; i < G_N_ELEMENTS (outputs); i++) {
    HlPathInfo info;
    g_assert_true (hl_path_find (document, outputs[i].path, &info, NULL));
    g_assert_cmpint (info.type, ==, HL_PATH_OUTPUT);
    g_assert_cmpint (info.quantity, ==, outputs[i].quantity);
  }
}

static void parameter_sets_apply_and_are_made (void) {
  static const char *const paths[] = {"cyl.friction.Fc", "link2.mass", NULL};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) low = hl_document_apply_set (document, "Underdamped, low friction", &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (number (low, "cyl.friction.Fc"), ==, 2.1);
  g_assert_cmpfloat (number (low, "cyl.friction.sigma2"), ==, 3.3);
  g_autoptr (HlDocument) with = hl_document_with_set (low, "Mine", paths, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_document_n_sets (with), ==, 4);
  g_autoptr (HlDocument) again = hl_document_with_set (with, "Mine", paths, &error);
  g_assert_true (hl_document_equal (with, again));
  g_autoptr (HlDocument) high = hl_document_apply_set (with, "Overdamped", NULL);
  g_autoptr (HlDocument) mine = hl_document_apply_set (high, "Mine", NULL);
  g_assert_cmpfloat (number (mine, "cyl.friction.Fc"), ==, 2.1);
  g_assert_cmpfloat (number (mine, "cyl.friction.Fs"), ==, 830);
  g_assert_null (hl_document_apply_set (document, "Nothing", &error));
  g_assert_nonnull (strstr (error->message, "‘Overdamped’"));
}

static void sliders_and_probes_are_listed (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  HlSlider slider;
  HlProbe probe;

  g_assert_cmpint (hl_document_n_sliders (document), ==, 4);
  g_assert_true (hl_document_slider (document, 3, &slider));
  g_assert_cmpstr (slider.path, ==, "cyl.friction.vs");
  g_assert_true (slider.log);
  g_assert_cmpint (hl_document_n_probes (document), ==, 4);
  g_assert_true (hl_document_probe (document, 0, &probe));
  g_assert_cmpstr (probe.label, ==, "φ₂");
  g_assert_true (probe.relative);
  g_assert_cmpint (hl_document_n_held (document), ==, 3);
  g_assert_cmpstr (hl_document_held (document, 1), ==, "V3.pressure");
}

static char *recorded (HlDocument *document) {
  g_autoptr (GString) said = g_string_new (NULL);

  for (int k = 0; k < hl_document_n_recorded (document); k++) {
    HlProbe probe;
    if (hl_document_recorded (document, k, &probe))
      g_string_append_printf (said, "%s%s", k > 0 ? " " : "", probe.id);
  }
  hl_document_unref (document);
  return g_string_free (g_steal_pointer (&said), FALSE);
}

/* Without probes runs record what is plotted, and without plots the most important values of this kind of machine. */
static void recorded_without_probes (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) bare =
      hl_document_new (hl_value_without_member (hl_document_root (document), "probes"));
  static const char plots[] = "[{\"traces\": [\"cyl.s\", \"link2.angle\", \"gone.x\"]},"
                              " {\"kind\": \"energy\", \"traces\": [\"cyl.s\", \"cyl.s\"]}]";
  HlDocument *plotted = hl_document_new (hl_value_with_member (
      hl_document_root (bare), "plots", hl_json_parse (plots, strlen (plots), NULL, NULL)));
  g_autofree char *of_probes = recorded (hl_document_ref (document));
  g_autofree char *of_plots = recorded (plotted);
  g_autofree char *usual = recorded (hl_document_ref (bare));
  g_autofree char *of_nothing = recorded (hl_document_new_empty ());
  g_autoptr (HlDocument) pumped = hl_test_example ("excavator-arm.hydrolink");
  g_autoptr (HlDocument) unplotted =
      hl_document_new (hl_value_without_member (hl_document_root (pumped), "plots"));
  g_autofree char *without_pump =
      recorded (hl_document_new (hl_value_without_member (hl_document_root (unplotted), "probes")));

  g_assert_cmpstr (of_probes, ==, "phi2 p1 p2 p3");
  g_assert_cmpstr (of_plots, ==,
                   "cyl.s link2.angle energy.kinetic energy.potential energy.oil"
                   " energy.dissipated energy.supplied");
  g_assert_cmpstr (usual, ==,
                   "link2.angle link3.angle link4.angle Pline.pressure Tline.pressure V1.pressure"
                   " V2.pressure V3.pressure cyl.force");
  g_assert_cmpstr (of_nothing, ==, "");
  g_assert_nonnull (strstr (without_pump, ".force"));
  g_assert_null (strstr (without_pump, ".torque")); /* a pump is no actuator */
}

/* Nothing may fall over a document of the wrong shape. */
static void wrong_shapes_are_survived (void) {
  static const char *const texts[] = {
      "[]",
      "{\"bodies\": 5, \"lines\": {\"a\": 1}, \"probes\": [1, null, []]}",
      "{\"bodies\": [{\"id\": 3}, {\"id\": \"b\", \"points\": []}], \"ground\": []}",
      "{\"lines\": [{\"id\": \"V\", \"ports\": \"x\"}], \"equilibrium\": {\"hold\": 3}}",
      "{\"loads\": [{\"id\": \"F\", \"kind\": \"force\", \"signal\": {\"kind\": 3}}], \"layout\": "
      "7}",
      "{\"components\": [{\"id\": \"c\", \"kind\": \"cylinder\", \"friction\": 4}]}"};

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    HlValue *value = hl_json_parse (texts[i], strlen (texts[i]), NULL, NULL);
    g_autoptr (HlDocument) document = hl_document_new (value);
    g_autoptr (HlFindings) findings = hl_findings_new ();
    g_auto (GStrv) paths = hl_document_list_paths (document, FALSE);
    double xy[2];
    int body;
    hl_check_document (document, findings);
    hl_document_gravity (document, xy);
    g_assert_false (hl_document_resolve_point (document, "b.P", &body, xy, NULL));
    for (int p = 0; paths[p] != NULL; p++) {
      HlDocument *changed = hl_document_with_number (document, paths[p], 0.5, NULL);
      hl_document_unref (changed);
    }
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/document/elements-are-found", elements_are_found);
  g_test_add_func ("/document/numbers-are-read-by-path", numbers_are_read_by_path);
  g_test_add_func ("/document/every-path-can-be-set", every_path_can_be_set);
  g_test_add_func ("/document/setting-inserts-what-was-default", setting_inserts_what_was_default);
  g_test_add_func ("/document/setting-a-signal-makes-it-constant", setting_a_signal_makes_it_constant);
  g_test_add_func ("/document/setting-the-other-size-converts-the-group",
                   setting_the_other_size_converts_the_group);
  g_test_add_func ("/document/unknown-paths-name-near-ones", unknown_paths_name_near_ones);
  g_test_add_func ("/document/values-out-of-range-are-refused", values_out_of_range_are_refused);
  g_test_add_func ("/document/outputs-are-paths-too", outputs_are_paths_too);
  g_test_add_func ("/document/parameter-sets-apply-and-are-made", parameter_sets_apply_and_are_made);
  g_test_add_func ("/document/sliders-and-probes-are-listed", sliders_and_probes_are_listed);
  g_test_add_func ("/document/recorded-without-probes", recorded_without_probes);
  g_test_add_func ("/document/wrong-shapes-are-survived", wrong_shapes_are_survived);
  return g_test_run ();
}
