/* SPDX-License-Identifier: MIT */
/* Which element is to blame when a drawing does not fit the quasistatic model, in any order of the
 * file; that a choice of the oil bars no other oil; and the flow of pipes that the model does not have. */
#include <math.h>
#include <jansson.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"
#include "core/quasistatic/hl-circuit-recognition.h"
#include "tests/support/hl-example-run.h"

static HlDocument *load_found (const char *name) {
  g_autofree char *part = g_strdup_printf ("found/%s.hydrolink", name);
  g_autofree char *path = hl_test_golden_path (part);
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);

  g_assert_no_error (error);
  return doc;
}

/* The components in another order: the chain of a turned list. */
static HlDocument *turned (const HlDocument *document, int by) {
  g_autofree char *text = hl_document_to_text (document);
  json_t *root = json_loads (text, 0, NULL), *list = json_object_get (root, "components");
  json_t *other = json_array ();
  size_t n = json_array_size (list);

  for (size_t k = 0; k < n; k++)
    json_array_append (other, json_array_get (list, (k + (size_t)by) % n));
  json_object_set_new (root, "components", other);
  char *changed = json_dumps (root, JSON_PRESERVE_ORDER);
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_parse (changed, strlen (changed), "turned", &error);
  g_assert_no_error (error);
  free (changed);
  json_decref (root);
  return doc;
}

static void assert_blamed (const char *name, HlMisfitKind kind, const char *first, const char *second) {
  g_autoptr (HlDocument) doc = load_found (name);

  for (int by = 0; by < hl_document_n_elements (doc, HL_SECTION_COMPONENTS); by++) {
    HlTestModel model = hl_test_model_from_document (turned (doc, by));
    HlCircuit circuit;
    HlMisfit misfit;
    g_assert_cmpint (hl_recognize (model.sys, &circuit, &misfit), ==, HL_BAD_MODEL);
    g_assert_cmpint (misfit.kind, ==, kind);
    const char *id = hl_system_entity_id (model.sys, HL_ENTITY_COMPONENT, misfit.component);
    g_assert_true (strcmp (id, first) == 0 || strcmp (id, second) == 0);
    hl_test_model_clear (&model);
  }
}

static void test_blame (void) {
  assert_blamed ("check-cracking", HL_MISFIT_CRACKING, "ck0", "ck0");
  assert_blamed ("no-check", HL_MISFIT_NO_CHECK, "ph0", "pr0");
}

/* ---- the choice of the oil ---- */

static HlStatus run_with (HlTestModel *model, HlModelKind oil) {
  static const char *const none[] = {NULL};
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.model = oil;
  options.formulation = oil == HL_MODEL_QUASISTATIC ? HL_FORMULATION_RELAXED : HL_FORMULATION_REDUCED;
  options.t_end = 0.02;
  HlTestRun run = hl_test_run (model, options, none);
  HlStatus status = run.status;
  hl_test_run_clear (&run);
  return status;
}

static void test_no_oil_bars_another (void) {
  static const struct {
    const char *name, *blamed;
    HlModelKind chosen;
  } cases[] = {{"bare-pipe-quasistatic", "bare", HL_MODEL_QUASISTATIC}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autoptr (HlFindings) findings = hl_findings_new (), mended = hl_findings_new ();
    g_autoptr (GError) error = NULL;
    HlTestModel model = hl_test_model_from_document (load_found (cases[k].name));
    g_assert_cmpint (run_with (&model, HL_MODEL_LUMPED), ==, HL_OK);
    g_assert_cmpint (run_with (&model, cases[k].chosen), !=, HL_OK);
    /* the file's own choice is reported, and can be corrected by one click */
    HlSystem *sys = hl_compile (model.doc, findings);
    g_assert_nonnull (sys);
    hl_system_unref (sys);
    g_assert_null (hl_findings_first_barrier (findings, HL_BARS_ALL));
    const HlFinding *found = hl_findings_first_barrier (findings, HL_BARS_OIL);
    g_assert_nonnull (found);
    g_assert_cmpstr (found->id, ==, cases[k].blamed);
    g_assert_cmpint (found->fix.type, ==, HL_FIX_OIL);
    g_autoptr (HlDocument) lumped = hl_edit_apply_fix (model.doc, &found->fix, &error);
    g_assert_no_error (error);
    sys = hl_compile (lumped, mended);
    g_assert_nonnull (sys);
    hl_system_unref (sys);
    g_assert_null (hl_findings_first_error (mended));
    hl_test_model_clear (&model);
  }
}

/* Oil that an accumulator stores is a state of the hybrid model. */
static void test_stored_oil_runs (void) {
  HlTestModel model = hl_test_model_from_document (load_found ("accumulator-hybrid"));

  g_assert_cmpint (run_with (&model, HL_MODEL_HYBRID), ==, HL_OK);
  hl_test_model_clear (&model);
}

/* ---- the force-velocity map and the virtual element ---- */

static void test_map_without_virtual_element (void) {
  g_autoptr (HlDocument) whole = load_found ("pipe-in-series");
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) half = hl_edit_set (whole, "cyl0", "virtual_stiffness", NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlDocument) bare = hl_edit_set (half, "cyl0", "virtual_damping", NULL, &error);
  g_assert_no_error (error);
  HlSystem *sys = hl_compile (bare, findings);
  double v = 0.05;
  HlQuasiGamma at;

  g_assert_nonnull (sys);
  g_assert_null (hl_findings_first_barrier (findings, HL_BARS_OIL));
  const HlFinding *missing = hl_findings_first_barrier (findings, HL_BARS_RUN);
  g_assert_nonnull (missing);
  g_assert_cmpstr (missing->path, ==, "cyl0.virtual_stiffness");
  HlParameter unused;
  g_assert_true (hl_system_find_parameter (sys, "cyl0.piston_area", &unused));
  for (int component = 0; component < hl_document_n_elements (bare, HL_SECTION_COMPONENTS); component++) {
    if (strcmp (hl_document_element_id (bare, HL_SECTION_COMPONENTS, component), "cyl0") != 0)
      continue;
    HlForceMap *map = hl_force_map_new (sys, component, 0.0, NULL, NULL);
    g_assert_nonnull (map);
    g_assert_cmpint (hl_force_map_at (map, &v, &at, NULL), ==, HL_OK);
    hl_force_map_free (map);
  }
  hl_system_unref (sys);
}

/* ---- pipes ---- */

/* The flow of the metering valve continues through the pipe behind it; two parallel pipes share it three to
 * one; the oil of the rod side returns through a pipe to the tank line. */
static void test_pipe_flow (void) {
  static const char *const paths[] = {"pp.flow",   "ph0.flow", "wide.flow",  "narrow.flow",
                                      "back.flow", "tr0.flow", "cyl0.speed", NULL};
  g_autoptr (HlDocument) doc = load_found ("pipe-in-series");
  g_autofree char *text = hl_document_to_text (doc);
  json_t *root = json_loads (text, 0, NULL), *line;
  json_t *pipes = json_loads ("[{\"id\": \"wide\", \"kind\": \"pipe\", \"length\": 2, "
                              "\"area\": 1e-3, \"resistance\": 1e8}, {\"id\": \"narrow\", "
                              "\"kind\": \"pipe\", \"length\": 2, \"area\": 1e-3, "
                              "\"resistance\": 3e8}, {\"id\": \"back\", \"kind\": \"pipe\", "
                              "\"length\": 2, \"area\": 1e-3, \"resistance\": 1e8, "
                              "\"inertia\": true}]",
                              0, NULL);
  size_t k;

  /* H0 is cut: pp leads to M, and wide and narrow from there to the cylinder; tr0 leads to Q, and
   * back from there to the tank */
  json_array_extend (json_object_get (root, "components"), pipes);
  json_array_foreach (json_object_get (root, "lines"), k, line) {
    json_t *ports = json_object_get (line, "ports");
    for (size_t i = json_array_size (ports); i-- > 0;) {
      const char *port = json_string_value (json_array_get (ports, i));
      if (strcmp (port, "pp.B") == 0 || strcmp (port, "tr0.B") == 0)
        json_array_remove (ports, i);
    }
    const char *id = json_string_value (json_object_get (line, "id"));
    if (strcmp (id, "H0") == 0) {
      json_array_append_new (ports, json_string ("wide.B"));
      json_array_append_new (ports, json_string ("narrow.A"));
    } else if (strcmp (id, "T") == 0)
      json_array_append_new (ports, json_string ("back.B"));
  }
  json_t *lines = json_loads ("[{\"id\": \"M\", \"ports\": [\"pp.B\", \"wide.A\", "
                              "\"narrow.B\"], \"volume\": 1e-4}, {\"id\": \"Q\", \"ports\": "
                              "[\"tr0.B\", \"back.A\"], \"volume\": 1e-4}]",
                              0, NULL);
  json_array_extend (json_object_get (root, "lines"), lines);
  char *changed = json_dumps (root, JSON_PRESERVE_ORDER);
  HlTestModel model = hl_test_model_from_text (changed);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++) {
    const double *q = run.values + row * run.width;
    g_assert_cmpfloat (q[1], >, 1e-4);
    hl_assert_near (q[0], q[1], 1e-12, 0.0);
    hl_assert_near (q[2], 0.75 * q[1], 1e-9, 0.0);
    hl_assert_near (q[3], -0.25 * q[1], 1e-9, 0.0); /* drawn the other way round */
    hl_assert_near (q[4], q[5], 1e-12, 0.0);
    g_assert_cmpfloat (q[5], >, 1e-4);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
  free (changed);
  json_decref (root);
  json_decref (pipes);
  json_decref (lines);
}

/* At its dead point nothing moves with a cylinder's piston, and no step says how stiff the virtual spring may be:
 * the stiffness of the oil in its chambers is offered there as well as off it. Written by hand: two chambers
 * 0.6 m long each at the dead point, 0.1 l of hose on either. */
static void test_advice_at_a_dead_point (void) {
  double stiffness[2] = {0.0, 0.0};

  for (int off = 0; off < 2; off++) {
    double angle = off ? 0.3 : 0.0;
    g_autofree char *text = g_strdup_printf (
        "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'Q': [2, 0]}}, "
        "'bodies': [{'id': 'crank', 'points': {'o': [-0.5, 0], 'e': [0, 0]}, 'mass': 5, 'inertia': "
        "1, 'pose': [%.17g, %.17g, %.17g]}], 'joints': [{'id': 'j', 'kind': 'revolute', 'a': "
        "'ground.O', 'b': 'crank.o'}], 'components': [{'id': 'cyl', 'kind': 'cylinder', "
        "'piston_area': 2e-3, 'rod_side_area': 1.2e-3, 'base': 'ground.Q', 'rod': 'crank.e', "
        "'stroke': 1.2, 'c1': 0.9}, {'id': 'tank', 'kind': 'tank'}, {'id': 'va', 'kind': "
        "'metering-valve', 'area': 1e-5, 'opening': 0}, {'id': 'vb', 'kind': 'metering-valve', "
        "'area': 1e-5, 'opening': 0}], 'lines': [{'id': 'A', 'ports': ['cyl.A', 'va.A'], 'volume': "
        "1e-4}, {'id': 'B', 'ports': ['cyl.B', 'vb.A'], 'volume': 1e-4}, {'id': 'T', 'ports': "
        "['tank.T', 'va.B', 'vb.B']}], 'simulation': {'model': 'quasistatic'}}",
        0.5 * cos (angle), 0.5 * sin (angle), angle);
    g_autoptr (GError) error = NULL;
    g_strdelimit (text, "'", '"');
    g_autoptr (HlDocument) doc = hl_document_parse (text, strlen (text), "dead point", &error);
    g_autoptr (HlFindings) findings = hl_findings_new ();
    g_assert_no_error (error);
    HlSystem *sys = hl_compile (doc, findings);
    int n_asked = 0;

    for (int k = 0; k < hl_findings_n (findings); k++) {
      const HlFinding *finding = hl_findings_get (findings, k);
      g_autofree char *said = hl_finding_format (finding);
      g_assert_null (strstr (said, "nan"));
      g_assert_null (strstr (said, "inf "));
      if (finding->path == NULL || !g_str_has_prefix (finding->path, "cyl.virtual_"))
        continue;
      n_asked++;
      g_assert_cmpint (finding->fix.type, ==, HL_FIX_SET_NUMBER);
      g_assert_cmpfloat (finding->fix.value, >, 0.0);
      if (g_str_has_suffix (finding->path, "virtual_stiffness"))
        stiffness[off] = finding->fix.value;
    }
    g_assert_cmpint (n_asked, ==, 2);
    /* s = |Q - e|, Q = (2, 0), e half a metre from O */
    double s = hypot (2.0 - 0.5 * cos (angle), 0.5 * sin (angle)), bulk = sys->fluid.bulk_modulus;
    double A = 2e-3 * (s - 0.9) + 1e-4, B = 1.2e-3 * (1.2 - (s - 0.9)) + 1e-4;
    double K = bulk * (2e-3 * 2e-3 / A + 1.2e-3 * 1.2e-3 / B);
    hl_assert_near (stiffness[off], K, 0.05, 0.0); /* two digits are offered */
    hl_system_unref (sys);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic-misfits/the-element-that-does-not-fit", test_blame);
  g_test_add_func ("/quasistatic-misfits/a-choice-bars-no-other-oil", test_no_oil_bars_another);
  g_test_add_func ("/quasistatic-misfits/the-hybrid-oil-takes-an-accumulator", test_stored_oil_runs);
  g_test_add_func ("/quasistatic-misfits/a-map-needs-no-virtual-element", test_map_without_virtual_element);
  g_test_add_func ("/quasistatic-misfits/advice-at-a-dead-point", test_advice_at_a_dead_point);
  g_test_add_func ("/quasistatic-misfits/pipes-carry-what-passes", test_pipe_flow);
  return g_test_run ();
}
