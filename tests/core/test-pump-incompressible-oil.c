/* SPDX-License-Identifier: MIT */
/* A pump of fixed displacement in incompressible oil: displacement times speed, as a flow source of that flow. From a
 * tank or from nowhere it moves the machine alike, and its energy closes; one that leaks, or draws from a line with a
 * pressure of its own, follows its law. */
#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#include <jansson.h>

#define DISPLACEMENT 2.5e-6

static const char *const paths[] = {HL_TEST_ENERGIES, "cyl1.s", "cyl2.s", NULL};

#define HYBRID "hybrid-two-cylinders.hydrolink"
#define QUASISTATIC "two-arms-1.hydrolink"

static gboolean is_kind (json_t *element, const char *kind) {
  return strcmp (json_string_value (json_object_get (element, "kind")), kind) == 0;
}

/* Speed for a flow: a number or the values of a table. */
static json_t *speed_of (json_t *flow) {
  json_t *speed = json_deep_copy (flow), *values = json_object_get (speed, "y"), *value;
  gsize k;

  if (json_is_number (flow)) {
    json_decref (speed);
    return json_real (json_number_value (flow) / DISPLACEMENT);
  }
  json_array_foreach (values, k, value) {
    json_array_set_new (values, k, json_real (json_number_value (value) / DISPLACEMENT));
  }
  return speed;
}

static json_t *read_example (const char *name) {
  g_autofree char *path = hl_test_example_path (name);
  json_t *root = json_load_file (path, 0, NULL);

  g_assert_nonnull (root);
  return root;
}

/* Port S of the first pump on the line that has this port. */
static void plug_in (json_t *root, const char *pump, const char *beside) {
  g_autofree char *port = g_strconcat (pump, ".S", NULL);
  json_t *line, *entry;
  gsize k, n;

  json_array_foreach (json_object_get (root, "lines"), k, line) {
    json_t *ports = json_object_get (line, "ports");
    json_array_foreach (ports, n, entry) {
      if (strcmp (json_string_value (entry), beside) != 0)
        continue;
      json_array_append_new (ports, json_string (port));
      return;
    }
  }
  g_assert_not_reached ();
}

/* All flow sources become pumps; returns the id of the first, owned by root. */
static const char *turn (json_t *root, double leakage) {
  const char *first = NULL;
  json_t *element;
  gsize k;

  json_array_foreach (json_object_get (root, "components"), k, element) {
    if (!is_kind (element, "flow-source"))
      continue;
    first = first != NULL ? first : json_string_value (json_object_get (element, "id"));
    json_object_set_new (element, "speed", speed_of (json_object_get (element, "flow")));
    json_object_set_new (element, "displacement", json_real (DISPLACEMENT));
    json_object_set_new (element, "leakage", json_real (leakage));
    json_object_set_new (element, "kind", json_string ("pump"));
    json_object_del (element, "flow");
  }
  g_assert_nonnull (first);
  return first;
}

static HlTestModel compile (json_t *root) {
  char *text = json_dumps (root, JSON_REAL_PRECISION (17));
  HlTestModel model = hl_test_model_from_text (text);

  free (text);
  return model;
}

static void check_balance (const HlTestRun *run) {
  double worst = hl_test_run_energy_gap (run), most = 0.0;

  for (int row = 0; row < run->n_rows; row++)
    most = fmax (most, fabs (hl_test_run_value (run, row, 4) - hl_test_run_value (run, 0, 4)));
  g_test_message ("energy open by %.1e of %.3g J", worst / most, most);
  g_assert_cmpfloat (worst, <=, 1e-6 * most);
}

static void test_hybrid (void) {
  json_t *plain = read_example (HYBRID);
  HlTestModel model = compile (plain);
  HlTestRun want = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);

  for (int k = 0; k < 2; k++) {
    json_t *root = json_deep_copy (plain);
    const char *pump = turn (root, 0.0);
    if (k == 1)
      plug_in (root, pump, "tank.T");
    HlTestModel other = compile (root);
    HlTestRun got = hl_test_run (&other, hl_sim_options_from_model (other.sys), paths);
    g_assert_cmpint (got.status, ==, HL_OK);
    g_assert_cmpint (got.n_rows, ==, want.n_rows);
    for (int row = 0; row < got.n_rows; row++)
      for (int column = 5; column < 7; column++)
        hl_assert_near (hl_test_run_value (&got, row, column), hl_test_run_value (&want, row, column), 1e-9,
                        0.0);
    check_balance (&got);
    hl_test_run_clear (&got);
    hl_test_model_clear (&other);
    json_decref (root);
  }
  hl_test_run_clear (&want);
  hl_test_model_clear (&model);
  json_decref (plain);
}

/* The quasistatic oil: the same rows of the same probes. */
static void test_quasistatic (void) {
  static const char *const outputs[] = {"energy.kinetic", "energy.supplied", NULL};
  json_t *plain = read_example (QUASISTATIC), *root = json_deep_copy (plain);

  turn (root, 0.0);
  HlTestModel model = compile (plain), other = compile (root);
  g_assert_cmpint (model.sys->model, ==, HL_MODEL_QUASISTATIC);
  HlTestRun want = hl_test_run (&model, hl_sim_options_from_model (model.sys), outputs);
  HlTestRun got = hl_test_run (&other, hl_sim_options_from_model (other.sys), outputs);
  g_assert_cmpint (got.status, ==, HL_OK);
  g_assert_cmpint (got.n_rows, ==, want.n_rows);
  for (int row = 0; row < got.n_rows; row++)
    for (int k = 0; k < 2; k++)
      hl_assert_near (hl_test_run_value (&got, row, k), hl_test_run_value (&want, row, k), 1e-6, 1e-6);
  hl_test_run_clear (&want);
  hl_test_run_clear (&got);
  hl_test_model_clear (&model);
  hl_test_model_clear (&other);
  json_decref (plain);
  json_decref (root);
}

/* A leak and a line to draw from follow pressures: the pump keeps its law, and the sums hold. */
static void test_by_its_law (void) {
  json_t *plain = read_example (HYBRID);

  for (int k = 0; k < 2; k++) {
    json_t *root = json_deep_copy (plain);
    const char *pump = turn (root, k == 0 ? 1e-12 : 0.0);
    if (k == 1)
      plug_in (root, pump, "cyl1.A");
    HlTestModel model = compile (root);
    HlSimOptions how = hl_sim_options_from_model (model.sys);
    how.t_end = 0.15; /* later the first check valve may chatter, and stops the run by name */
    HlTestRun got = hl_test_run (&model, how, paths);
    g_assert_cmpint (got.status, ==, HL_OK);
    check_balance (&got);
    hl_test_run_clear (&got);
    hl_test_model_clear (&model);
    json_decref (root);
  }
  json_decref (plain);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pump-incompressible-oil/hybrid", test_hybrid);
  g_test_add_func ("/pump-incompressible-oil/quasistatic", test_quasistatic);
  g_test_add_func ("/pump-incompressible-oil/by-its-law", test_by_its_law);
  return g_test_run ();
}
