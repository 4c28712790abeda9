/* SPDX-License-Identifier: MIT */
/* The structural rules: the examples pass; one thing broken at a time is found, at its place, with
 * a mend. */
#include "core/document/hl-property-label.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/base/hl-error.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"

#include <math.h>
#include <string.h>

static HlFindings *check (const HlDocument *document) {
  HlFindings *findings = hl_findings_new ();
  hl_check_document (document, findings);
  return findings;
}

static void examples_are_sound (void) {
  g_autofree char *folder = hl_test_example_path ("");
  GDir *dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    if (!g_str_has_suffix (name, ".hydrolink"))
      continue;
    g_autoptr (HlDocument) document = hl_test_example (name);
    g_autoptr (HlFindings) findings = check (document);
    for (int i = 0; i < hl_findings_n (findings); i++) {
      g_autofree char *text = hl_finding_format (hl_findings_get (findings, i));
      g_test_message ("%s: %s", name, text);
    }
    g_assert_cmpint (hl_findings_n (findings), ==, 0);
    n++;
  }
  g_dir_close (dir);
  g_assert_cmpint (n, >=, 11);
}

/* The four-bar with one place of its tree replaced; `json` NULL removes it. */
static HlDocument *broken (const char *where, const char *json) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GError) error = NULL;

  if (json == NULL)
    return hl_document_new (hl_value_without_at (hl_document_root (document), where));
  HlValue *value = hl_json_parse (json, strlen (json), NULL, &error);
  g_assert_no_error (error);
  return hl_document_new (hl_value_with_at (hl_document_root (document), where, value));
}

typedef struct {
  const char *name;
  const char *where; /* place in the tree that is replaced */
  const char *json;  /* by this; NULL: removed */
  const char *path;  /* of the finding */
  const char *says;  /* part of its text */
} Case;

static const Case cases[] = {
    {"id-missing", "bodies.0.id", NULL, "bodies[0].id", "missing"},
    {"id-doubled", "bodies.1.id", "\"link2\"", "link2.id", "already used by bodies[0]"},
    {"id-doubled-across-sections", "joints.0.id", "\"pump\"", "pump.id", "already"},
    {"id-reserved", "lines.2.id", "\"energy\"", "energy.id", "reserved"},
    {"id-ill-formed", "lines.2.id", "\"1st\"", "1st.id", "cannot be an id"},
    {"id-no-text", "lines.2.id", "7", "lines[2].id", "not a text"},
    {"kind-unknown", "components.3.kind", "\"warp-drive\"", "throttle.kind", "warp-drive"},
    {"kind-missing", "joints.0.kind", NULL, "jO1.kind", "missing"},
    {"body-unknown", "joints.0.b", "\"link9.O1\"", "jO1.b", "no body ‘link9’"},
    {"point-unknown", "joints.0.b", "\"link2.X\"", "jO1.b", "no point ‘X’"},
    {"point-without-dot", "joints.0.b", "\"link2\"", "jO1.b", "BODY.POINT"},
    {"reference-no-text", "joints.0.b", "3", "jO1.b", "a number"},
    {"joint-with-itself", "joints.1.b", "\"link2.O1\"", "jC.b", "itself"},
    {"ground-with-ground", "joints.0.b", "\"ground.O2\"", "jO1.b", "itself"},
    {"torque-on-nothing", "loads.0.body", "\"nobody\"", "M2.body", "no body"},
    {"mass-negative", "bodies.0.mass", "-2", "link2.mass", "greater than 0"},
    {"mass-zero", "bodies.0.mass", "0", "link2.mass", "greater than 0"},
    {"inertia-negative", "bodies.0.inertia", "-1e-9", "link2.inertia", "greater than 0"},
    {"mass-missing", "bodies.0.mass", NULL, "link2.mass", "missing"},
    {"mass-text", "bodies.0.mass", "\"two kg\"", "link2.mass", "no parameter ‘two’"},
    {"pose-short", "bodies.0.pose", "[1, 2]", "link2.pose", "[x, y, angle]"},
    {"pose-with-null", "bodies.0.pose", "[1, 2, null]", "link2.pose", "[x, y, angle]"},
    {"velocity-text", "bodies.0.velocity", "\"fast\"", "link2.velocity", "[vx, vy, omega]"},
    {"point-no-pair", "bodies.0.points.C", "[1]", "link2.points.C", "[x, y]"},
    {"gravity-three", "gravity", "[0, 0, 1]", "gravity", "[x, y]"},
    {"body-no-object", "bodies.0", "5", "bodies[0]", "must be an object"},
    {"section-no-list", "joints", "{}", "joints", "this entry must be a list"},
    {"fluid-no-object", "fluid", "[]", "fluid", "must be an object"},
    {"density-negative", "fluid.density", "-850", "fluid.density", "greater than 0"},
    {"dead-zone-one", "components.2.dead_zone", "1", "dcv.dead_zone", "less than 1"},
    {"spool-beyond", "components.2.spool", "1.5", "dcv.spool", "from -1 to 1"},
    {"command-beyond", "components.2.command", "-2", "dcv.command", "from -1 to 1"},
    {"signal-missing", "loads.0.signal", NULL, "M2.signal", "missing"},
    {"signal-kind-unknown", "loads.0.signal.kind", "\"noise\"", "M2.signal", "noise"},
    {"signal-text", "loads.0.signal", "\"much\"", "M2.signal", "no parameter ‘much’"},
    {"table-lengths", "loads.0.signal.y", "[0, 1]", "M2.signal", "4 times and 2 values"},
    {"table-times-fall", "loads.0.signal.t", "[0, 1, 0.5, 2]", "M2.signal.t", "decrease"},
    {"table-empty", "loads.0.signal.t", "[]", "M2.signal.t", "list of numbers"},
    {"table-null", "loads.0.signal.y", "[0, null, 1, 1]", "M2.signal.y", "entry 1"},
    {"table-between", "loads.0.signal.between", "\"spline\"", "M2.signal.between", "line or hold"},
    {"sine-without-frequency", "loads.0.signal", "{\"kind\": \"sine\", \"amplitude\": 1}",
     "M2.signal.frequency_hz", "missing"},
    {"sum-of-nonsense", "loads.0.signal", "{\"kind\": \"sum\", \"of\": [1, \"x\"]}", "M2.signal.of.1",
     "no parameter ‘x’"},
    {"bore-missing", "components.3.diameter", NULL, "throttle.diameter", "give diameter or area"},
    {"bore-twice", "components.3.area", "1e-5", "throttle.area", "both diameter and area"},
    {"bore-half", "components.4.rod_diameter", NULL, "cyl.rod_diameter", "missing"},
    {"rod-thicker-than-piston", "components.4.rod_diameter", "0.1", "cyl.rod_diameter",
     "larger than the piston"},
    {"friction-unknown", "components.4.friction.model", "\"dahl\"", "cyl.friction.model", "dahl"},
    {"friction-without-bristles", "components.4.friction.model", "\"lugre\"", "cyl.friction.sigma0",
     "missing"},
    {"friction-without-speed", "components.4.friction.vs", NULL, "cyl.friction.vs", "missing"},
    {"cylinder-on-one-body", "components.4.base", "\"link2.O1\"", "cyl.rod", "itself"},
    {"cylinder-hangs-on-nothing", "components.4.base", NULL, "cyl.base", "missing"},
    {"port-unknown", "lines.2.ports.0", "\"dcv.X\"", "V1.ports", "no port ‘X’"},
    {"port-of-nothing", "lines.2.ports.0", "\"valve9.A\"", "V1.ports", "no component ‘valve9’"},
    {"port-on-two-lines", "lines.2.ports.0", "\"pump.P\"", "V1.ports", "also connected to ‘Pline’"},
    {"port-twice-on-a-line", "lines.2.ports.1", "\"dcv.A\"", "V1.ports", "twice"},
    {"port-no-text", "lines.2.ports.0", "4", "V1.ports", "entry 0"},
    {"line-without-volume", "lines.2.volume", "0", "V1.volume", "no volume and no source"},
    {"line-volume-negative", "lines.2.volume", "-1", "V1.volume", "at least 0"},
    {"two-sources-on-a-line", "lines.0.ports", "[\"pump.P\", \"tank.T\"]", "Pline.ports", "both prescribe"},
    {"held-unknown", "equilibrium.hold.0", "\"link2.angel\"", "equilibrium.hold", "link2.angle"},
    {"held-output", "equilibrium.hold.0", "\"cyl.force\"", "equilibrium.hold", "computed"},
    {"probe-unknown", "probes.0.of", "\"nobody.angle\"", "phi2.of", "nobody"},
    {"slider-unknown", "sliders.0.path", "\"cyl.friction.F\"", "sliders[0].path", "cyl.friction.Fc"},
    {"slider-log-zero", "sliders.0.from", "0", "sliders[0]", "logarithmic"},
    {"slider-without-way", "sliders.0.from", "1000", "sliders[0]", "both ends"},
    {"set-value-unknown", "parameter_sets.0.values", "{\"cyl.friction.Fx\": 1}",
     "parameter_sets[0].values.cyl.friction.Fx", "Fx"},
    {"set-value-negative", "parameter_sets.0.values", "{\"link2.mass\": -1}",
     "parameter_sets[0].values.link2.mass", "greater"},
    {"set-name-twice", "parameter_sets.1.name", "\"Overdamped\"", "parameter_sets[1].name", "two sets"},
    {"model-unknown", "simulation.model", "\"magic\"", "simulation.model", "lumped, hybrid"},
    {"formulation-of-other-model", "simulation.formulation", "\"discrete\"", "simulation.formulation",
     "reduced, baumgarte"},
    {"end-time-negative", "simulation.t_end", "-1", "simulation.t_end", "greater than 0"},
};

static void one_broken_thing (gconstpointer data) {
  const Case *this = data;
  g_autoptr (HlDocument) document = broken (this->where, this->json);
  g_autoptr (HlFindings) findings = check (document);
  gboolean found = FALSE;

  g_assert_cmpint (hl_findings_n (findings), >, 0);
  for (int i = 0; i < hl_findings_n (findings); i++) {
    const HlFinding *finding = hl_findings_get (findings, i);
    g_autofree char *text = hl_finding_format (finding);
    g_test_message ("%s", text);
    found |= strcmp (finding->path, this->path) == 0 && strstr (text, this->says) != NULL;
    g_assert_cmpstr (finding->advice, !=, "");
  }
  g_assert_true (found);
}

/* JSON has no NaN, but a document made by a program may hold one. */
static void not_a_number_is_found (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  const double bad[] = {NAN, INFINITY, -INFINITY};

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (HlDocument) wrong = hl_document_new (
        hl_value_with_at (hl_document_root (document), "bodies.0.mass", hl_value_new_number (bad[i])));
    g_autoptr (GError) error = NULL;
    g_assert_false (hl_test_is_sound (wrong, &error));
    g_assert_nonnull (strstr (error->message, "link2.mass"));
  }
}

static void hybrid_model_needs_no_volume (void) {
  g_autoptr (HlDocument) lumped = broken ("lines.2.volume", "0");
  g_autoptr (HlDocument) hybrid = hl_document_new (
      hl_value_with_at (hl_document_root (lumped), "simulation",
                        hl_value_with_member (NULL, "model", hl_value_new_string ("hybrid"))));

  g_assert_false (hl_test_is_sound (lumped, NULL));
  g_assert_true (hl_test_is_sound (hybrid, NULL));
}

static void a_mechanical_mend_is_offered (void) {
  g_autoptr (HlDocument) document = broken ("lines.2.volume", "0");
  g_autoptr (HlFindings) findings = check (document);
  const HlFix *fix = &hl_findings_first_error (findings)->fix;

  g_assert_cmpint (fix->type, ==, HL_FIX_SET_NUMBER);
  g_autoptr (HlDocument) mended = hl_document_with_number (document, fix->path, fix->value, NULL);
  g_assert_true (hl_test_is_sound (mended, NULL));
}

/* The four-bar with a second component of one port on a line. */
static HlDocument *with_second (const char *kind, const char *port, const char *line) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) added = hl_edit_add (document, HL_SECTION_COMPONENTS, kind, NULL, &id, NULL);
  g_autofree char *name = g_strconcat (id, ".", port, NULL);

  return hl_edit_connect (added, name, line, NULL);
}

/* Several tank symbols on one line are one reservoir; when their pressures differ one mend makes
 * them equal. */
static void tanks_share_a_line (void) {
  g_autoptr (HlDocument) twice = with_second ("tank", "T", "Tline");
  g_assert_true (hl_test_is_sound (twice, NULL));
  g_autoptr (HlDocument) apart = hl_document_with_number (twice, "tank1.pressure", 2e5, NULL);
  g_autoptr (HlFindings) findings = check (apart);
  const HlFinding *finding = hl_findings_first_error (findings);

  g_assert_nonnull (finding);
  g_assert_cmpstr (finding->id, ==, "Tline");
  g_assert_nonnull (strstr (finding->message, "tank1"));
  g_autoptr (HlDocument) mended = hl_edit_apply_fix (apart, &finding->fix, NULL);
  double pressure;
  g_assert_true (hl_document_get_number (mended, "tank1.pressure", &pressure, NULL, NULL));
  g_assert_cmpfloat (pressure, ==, 1e5);
  g_assert_true (hl_test_is_sound (mended, NULL));
}

/* A source and a tank, or two sources, cannot share one; taking the later one off mends it. */
static void sources_stand_alone (void) {
  static const char *const extra[][3] = {
      {"pressure-source", "P", "Tline"}, {"pressure-source", "P", "Pline"}, {"tank", "T", "Pline"}};

  for (gsize i = 0; i < G_N_ELEMENTS (extra); i++) {
    g_autoptr (HlDocument) twice = with_second (extra[i][0], extra[i][1], extra[i][2]);
    g_autoptr (HlFindings) findings = check (twice);
    const HlFinding *finding = hl_findings_first_error (findings);
    g_assert_nonnull (finding);
    g_autoptr (HlDocument) mended = hl_edit_apply_fix (twice, &finding->fix, NULL);
    g_assert_true (hl_test_is_sound (mended, NULL));
  }
}

static void empty_document_is_sound (void) {
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  g_autoptr (HlDocument) bare = hl_document_new (NULL);

  g_assert_true (hl_test_is_sound (empty, NULL));
  g_assert_true (hl_test_is_sound (bare, NULL));
}

/* A chosen friction law needs more numbers, and gets those of a new element; a static friction below the sliding
 * friction is reported, with a sufficient correction. */
static void friction_is_whole (void) {
  g_autoptr (HlDocument) bare = broken ("components.4.friction", "{\"model\": \"brown-mcphee\"}");
  g_autoptr (HlFindings) lacking = check (bare);
  g_assert_nonnull (hl_findings_first_error (lacking));
  g_autoptr (HlDocument) whole = hl_edit_complete (bare, "cyl", NULL);
  double vs;
  g_assert_true (hl_document_get_number (whole, "cyl.friction.vs", &vs, NULL, NULL));
  hl_assert_near (vs, 0.0125, 1e-12, 0);
  g_autoptr (HlFindings) sound = check (whole);
  g_assert_cmpint (hl_findings_n (sound), ==, 0);
  g_autoptr (HlDocument) again = hl_edit_complete (whole, "cyl", NULL);
  g_assert_true (hl_document_equal (again, whole));

  g_autoptr (HlDocument) weak = broken ("components.4.friction.Fs", "209");
  g_autoptr (HlFindings) told = check (weak);
  g_assert_cmpint (hl_findings_n (told), ==, 1);
  const HlFinding *finding = hl_findings_get (told, 0);
  g_assert_cmpint (finding->severity, ==, HL_SEVERITY_WARNING);
  g_assert_cmpstr (finding->path, ==, "cyl.friction.Fs");
  g_autoptr (HlDocument) mended = hl_edit_apply_fix (weak, &finding->fix, NULL);
  g_autoptr (HlFindings) after = check (mended);
  g_assert_cmpint (hl_findings_n (after), ==, 0);
}

/* Labels by path, as undo steps show them. */
static void property_labels (void) {
  static const struct {
    const char *path, *label;
  } labels[] = {{"cyl.piston_diameter", "piston diameter of cyl"},
                {"cyl.friction.Fc", "Coulomb force F_c of cyl"},
                {"dcv.command", "command of dcv"},
                {"link2.com.x", "x of centre of mass of link2"},
                {"link2.points.C.x", "x of point ‘C’ of link2"},
                {"link2.x", "x of link2"},
                {"link2.angle", "angle of link2"},
                {"link2.omega", "angular speed of link2"},
                {"cyl.force", "force of cyl"},
                {"cyl.pA", "pressure at A of cyl"},
                {"energy.kinetic", "kinetic energy"},
                {"simulation.rtol", "tolerance"},
                {"nothing.mass", "nothing.mass"},
                {"bore", "bore"}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

  for (gsize k = 0; k < G_N_ELEMENTS (labels); k++) {
    g_autofree char *label = hl_path_label (document, labels[k].path);
    g_assert_cmpstr (label, ==, labels[k].label);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/document-check/examples-are-sound", examples_are_sound);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/document-check/broken/", cases[i].name, NULL);
    g_test_add_data_func (path, &cases[i], one_broken_thing);
  }
  g_test_add_func ("/document-check/not-a-number-is-found", not_a_number_is_found);
  g_test_add_func ("/document-check/hybrid-model-needs-no-volume", hybrid_model_needs_no_volume);
  g_test_add_func ("/document-check/a-mechanical-mend-is-offered", a_mechanical_mend_is_offered);
  g_test_add_func ("/document-check/tanks-share-a-line", tanks_share_a_line);
  g_test_add_func ("/document-check/sources-stand-alone", sources_stand_alone);
  g_test_add_func ("/document-check/friction-is-whole", friction_is_whole);
  g_test_add_func ("/document-check/empty-document-is-sound", empty_document_is_sound);
  g_test_add_func ("/document-check/property-labels", property_labels);
  return g_test_run ();
}
