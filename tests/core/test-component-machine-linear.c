/* SPDX-License-Identifier: MIT */
/* Machines with components of the library against golden numbers: the start, the exact matrix, its
 * eigenvalues, and the response. */
#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-golden-comparison.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define MOST_PROBES 8

/* On its way a line of the cushioned stop falls below the onset of cavitation. */
static const char *const machines[] = {"lugre-stick-slip", "cushioned-stop", "hydrostatic-drive",
                                       "driven-base"};

static HlTestModel load (json_t *machine) {
  g_autofree char *path = hl_test_golden_path (json_string_value (json_object_get (machine, "file")));
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);

  g_assert_no_error (error);
  HlTestModel model = hl_test_model_from_document (doc);
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  return model;
}

static void check_response (json_t *machine, HlTestModel *model) {
  const char *file = json_string_value (json_object_get (machine, "response"));
  json_t *stated = json_object_get (machine, "tolerance");
  double tolerance = stated != NULL ? json_number_value (stated) : 1e-6;
  json_t *probes = json_object_get (machine, "probes");
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlTestTable *golden = hl_test_golden_csv (file);
  const char *paths[MOST_PROBES + 1] = {NULL};
  gsize n = json_array_size (probes);

  for (gsize k = 0; k < n; k++) {
    const char *id = json_string_value (json_array_get (probes, k));
    for (int at = 0; at < hl_document_n_probes (model->doc); at++)
      if (strcmp (hl_document_element_id (model->doc, HL_SECTION_PROBES, at), id) == 0)
        paths[k] =
            hl_value_string (hl_value_member (hl_document_element (model->doc, HL_SECTION_PROBES, at), "of"));
    g_assert_nonnull (paths[k]);
  }
  HlTestRun run = hl_test_run (model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (gsize k = 0; k < n; k++) {
    const char *id = json_string_value (json_array_get (probes, k));
    double peak = 0.0;
    for (int row = 0; row < golden->n_rows; row++)
      peak = fmax (peak, fabs (hl_test_table_value (golden, row, id)));
    double deviation = hl_test_run_deviation (&run, (int)k, golden, id);
    g_test_message ("%s: %.2g of the peak", id, deviation / peak);
    hl_assert_near (deviation, 0.0, 0.0, tolerance * peak);
  }
  hl_test_run_clear (&run);
  hl_test_table_free (golden);
}

/* Checks that the supplied energy is stored or lost, at every row. */
static void check_balance (HlTestModel *model) {
  static const char *const paths[] = {HL_TEST_ENERGIES, NULL};
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlTestRun run = hl_test_run (model, options, paths);
  double worst = hl_test_run_energy_gap (&run), most = hl_test_run_largest (&run, 4);

  g_assert_cmpint (run.status, ==, HL_OK);
  g_test_message ("energy: %.2g of what is supplied", worst / most);
  hl_assert_near (worst, 0.0, 0.0, 1e-7 * most);
  hl_test_run_clear (&run);
}

/* The model without compressibility names the element that it does not support, and the reason. */
static void test_refusals (void) {
  HlTestModel model = hl_test_model_cushion_without_line ();
  g_autoptr (HlFindings) findings = hl_findings_new ();
  bool found = false;

  hl_compile_verify_oil (model.doc, model.sys, HL_MODEL_HYBRID, findings);
  for (int at = 0; at < hl_findings_n (findings); at++) {
    const HlFinding *finding = hl_findings_get (findings, at);
    found = found || strstr (finding->message, "cushion and no line") != NULL;
  }
  g_assert_true (found);
  hl_test_model_clear (&model);
}

static void test_machine (gconstpointer data) {
  gsize which = GPOINTER_TO_SIZE (data);
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *machine = json_object_get (json_object_get (golden, "dynamic"), machines[which]);

  g_assert_nonnull (machine);
  HlTestModel model = load (machine);
  hl_test_golden_start (machine, &model, &(HlTestNearness){1e-10, 1e-9, 1e-9, 1e-11});
  hl_test_golden_eigenvalues (machine, &model, 1e-12, false);
  check_response (machine, &model);
  check_balance (&model);
  hl_test_model_clear (&model);
  json_decref (golden);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (machines); k++) {
    g_autofree char *name = g_strconcat ("/component-machine-linear/", machines[k], NULL);
    g_test_add_data_func (name, GSIZE_TO_POINTER (k), test_machine);
  }
  g_test_add_func ("/component-machine-linear/refused-with-a-reason", test_refusals);
  return g_test_run ();
}
