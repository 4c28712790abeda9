/* SPDX-License-Identifier: MIT */
/* Machines of the component library against golden numbers: rates, J and eigenvalues at their start,
 * and the run from there, which both integrators follow. */
#include <math.h>
#include <string.h>

#include "core/io/hl-json-text.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-golden-comparison.h"
#include "tests/support/hl-example-run.h"

static const char *const machines[] = {
    "vapour-pocket",      "relief-on-pump", "counterbalance-stable", "counterbalance-unstable",
    "double-pilot-check", "load-sensing",   "water-hammer",          "servo-pid",
};

static HlTestModel load (json_t *machine) {
  g_autofree char *path = hl_test_golden_path (json_string_value (json_object_get (machine, "file")));
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);

  g_assert_no_error (error);
  return hl_test_model_from_document (doc);
}

static void check_start (json_t *machine) {
  HlTestModel model = load (machine);

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  /* a rate is the difference of flows that the pressures drive: rounding of those */
  hl_test_golden_start (machine, &model, &(HlTestNearness){1e-11, 1e-7, 1e-10, 1e-12});
  hl_test_golden_eigenvalues (machine, &model, 0.0, true);
  hl_test_model_clear (&model);
}

static void check_response (json_t *machine, HlMethod method) {
  HlTestModel model = load (machine);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  json_t *probes = json_object_get (machine, "probes");
  int n = (int)json_array_size (probes);
  g_autofree const char **paths = g_new0 (const char *, n + 1);
  HlTestTable *golden = hl_test_golden_csv (json_string_value (json_object_get (machine, "response")));

  g_assert_cmpint (hl_document_n_elements (model.doc, HL_SECTION_PROBES), ==, n);
  for (int k = 0; k < n; k++)
    paths[k] =
        hl_value_string (hl_value_member (hl_document_element (model.doc, HL_SECTION_PROBES, k), "of"));
  options.rtol = 1e-11;
  options.method = method;
  options.start = HL_START_AS_GIVEN;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.n_rows, ==, golden->n_rows);
  for (int k = 0; k < n; k++) {
    const char *name = json_string_value (json_array_get (probes, k));
    double peak = 0.0, off = hl_test_run_deviation (&run, k, golden, name);
    for (int row = 0; row < golden->n_rows; row++)
      peak = fmax (peak, fabs (hl_test_table_value (golden, row, name)));
    g_test_message ("%s: %.2e of its peak %.4g, %ld steps", name, off / peak, peak, run.stats.steps);
    hl_assert_near (off, 0.0, 0.0, 1e-6 * peak);
  }
  hl_test_run_clear (&run);
  hl_test_table_free (golden);
  hl_test_model_clear (&model);
}

static void test_machine (gconstpointer data) {
  const char *name = data;
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *machine = json_object_get (json_object_get (golden, "dynamic"), name);

  check_start (machine);
  check_response (machine, HL_METHOD_BDF);
  check_response (machine, HL_METHOD_RADAU);
  json_decref (golden);
}

/* A line that a flow source pulls empty and fills again. Its flow is a table of three steps in the
 * file, and a number here: so the run is made in three, each from where the one before has come. */
static const double flows[] = {-4e-4, 4e-4, 0.0}, ends[] = {0.05, 0.12, 0.15};

static HlTestModel pulled_by (json_t *machine, double flow) {
  g_autofree char *path = hl_test_golden_path (json_string_value (json_object_get (machine, "file")));
  json_t *file = json_load_file (path, 0, NULL);
  json_t *pump = json_array_get (json_object_get (file, "components"), 0);

  json_object_set_new (pump, "flow", json_real (flow));
  char *text = json_dumps (file, 0);
  HlTestModel model = hl_test_model_from_text (text);
  free (text);
  json_decref (file);
  return model;
}

static void test_pulled_line (void) {
  static const char *const paths[] = {"L.pressure", "r.flow", "L.pocket", "L.air", NULL};
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *machine = json_object_get (json_object_get (golden, "dynamic"), "pulled-line");
  HlTestTable *table = hl_test_golden_csv ("components/pulled-line.csv");
  double p = 1e5, peak = 0.0, lowest = INFINITY, begin = 0.0, J, y, rate, moved = 0.0, first = NAN;
  bool is_closed = true; /* the relief valve has not opened yet */
  int row = 0;

  for (int k = 0; k < table->n_rows; k++)
    peak = fmax (peak, hl_test_table_value (table, k, "p"));
  for (int part = 0; part < 3; part++) {
    HlTestModel model = pulled_by (machine, flows[part]);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    const HlNode *node = &model.sys->nodes[model.sys->lines[0].node];
    double J_want, rate_want;

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    if (part == 0) {
      hl_state_pack (model.sys, model.work, model.point, &y);
      hl_test_json_numbers (machine, "J", &J_want, 1);
      hl_test_json_numbers (machine, "rates", &rate_want, 1);
      g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, &y, &J, model.work, NULL), ==, HL_OK);
      g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, &y, &rate, model.work, NULL), ==, HL_OK);
      hl_assert_near (rate, rate_want, 1e-11, 0.0);
      hl_assert_near (J, J_want, 1e-11, 0.0);
    }
    model.point->p[0] = p;
    options.from = model.point;
    options.rtol = 1e-12;
    options.t_end = ends[part] - begin;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    for (int k = 0; k < run.n_rows; k++) {
      double flow = hl_test_run_value (&run, k, 1);
      p = hl_test_run_value (&run, k, 0);
      lowest = fmin (lowest, p);
      hl_assert_near (p, hl_test_table_value (table, row + k, "p"), 0.0, 1e-6 * peak);
      hl_assert_near (flow, hl_test_table_value (table, row + k, "q"), 0.0, 1e-6 * 4e-4);
      /* N = C_hose p - W - V_air grows by what comes in, through opening and collapse */
      double N = node->hose * p - hl_test_run_value (&run, k, 2) - hl_test_run_value (&run, k, 3);
      first = isnan (first) ? N : first;
      is_closed = is_closed && flow == 0.0;
      if (is_closed)
        hl_assert_near (N - first, moved + flows[part] * run.t[k], 0.0, 1e-9 * 2e-5);
    }
    row += run.n_rows - 1;
    moved += flows[part] * options.t_end;
    begin = ends[part];
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (row, ==, table->n_rows - 1);
  g_assert_cmpfloat (lowest, <, 2600.0); /* the onset is 3000 */
  hl_test_table_free (table);
  json_decref (golden);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (machines); k++) {
    g_autofree char *path = g_strconcat ("/component-machine-runs/", machines[k], NULL);
    g_test_add_data_func (path, machines[k], test_machine);
  }
  g_test_add_func ("/component-machine-runs/pulled-line", test_pulled_line);
  return g_test_run ();
}
