/* SPDX-License-Identifier: MIT */
/* Where the power goes: in every example and every golden circuit of the lumped oil what goes in is
 * what is lost, delivered and stored, now and summed up; the bars are those of other formulas; and
 * what has no losses loses nothing. */
#include <math.h>
#include <string.h>

#include "core/io/hl-json-text.h"
#include "core/run/hl-power-balance-run.h"
#include "core/run/hl-state-snapshot.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

static HlPowerStudy *study_of (HlTestModel *model, double t_end) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlFault fault = {.entity = -1};

  if (options.model != HL_MODEL_LUMPED)
    return NULL;
  if (t_end > 0.0)
    options.t_end = fmin (t_end, options.t_end);
  options.rtol = 1e-9;
  HlPowerStudy *study = hl_power_study_new (model->sys, &options, &fault);
  g_assert_nonnull (study);
  return study;
}

static double bar_value (const GArray *bars, const char *id, HlPowerSide side) {
  for (guint k = 0; k < bars->len; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    if (strcmp (bar->id, id) == 0 && bar->side == side)
      return bar->value;
  }
  return 0.0;
}

/* Both over the throughput of the whole run: at rest there is nothing to compare with. */
static void assert_closes (const char *name, const HlPowerStudy *study) {
  double end = hl_power_study_t_end (study), open;
  g_autoptr (GArray) all = hl_power_study_bars (study, end, TRUE, &open);
  double in = hl_power_bars_sum (all, HL_POWER_BAR_IN), most = 0.0, worst = 0.0;

  for (int k = 0; k <= 20; k++) {
    double gap;
    g_autoptr (GArray) now = hl_power_study_bars (study, end * k / 20.0, FALSE, &gap);
    most = fmax (most, hl_power_bars_sum (now, HL_POWER_BAR_IN));
    worst = fmax (worst, fabs (gap));
  }
  g_test_message ("%s: %.3g J in, open %.1e; %.3g W, open %.1e", name, in, open / fmax (in, 1e-9), most,
                  worst / fmax (most, 1e-9));
  /* rounding of the pose: what a machine at rest seems to do */
  g_assert_cmpfloat (fabs (open), <=, 1e-6 * in + 1e-9);
  g_assert_cmpfloat (worst, <=, 1e-6 * most + 1e-9);
}

static void test_examples (void) {
  g_autofree char *folder = hl_test_example_path ("");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n = 0;

  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, ".hydrolink"))
      continue;
    HlTestModel model = hl_test_model_load (name);
    g_autoptr (HlPowerStudy) study = study_of (&model, 0.0);
    if (study != NULL)
      assert_closes (name, study);
    n += study != NULL;
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (n, >=, 8);
}

static HlTestModel load_golden (const char *name) {
  g_autofree char *file = g_strconcat ("components/", name, ".hydrolink", NULL);
  g_autofree char *path = hl_test_golden_path (file);
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);

  g_assert_no_error (error);
  return hl_test_model_from_document (doc);
}

/* Pumps, a relief valve with a state, a motor, pilots, friction with bristles, a cushion. */
static void test_machines (void) {
  static const char *const machines[] = {
      "relief-on-pump", "counterbalance-stable", "counterbalance-unstable", "double-pilot-check",
      "load-sensing",   "hydrostatic-drive",     "cushioned-stop",          "lugre-stick-slip",
  };

  for (guint k = 0; k < G_N_ELEMENTS (machines); k++) {
    HlTestModel model = load_golden (machines[k]);
    g_autoptr (HlPowerStudy) study = study_of (&model, 0.0);
    assert_closes (machines[k], study);
    hl_test_model_clear (&model);
  }
}

/* A throttle turns flow times drop into heat, read from what the run records: the slider-crank has one
 * between its chambers. */
static void test_throttle (void) {
  static const char *const paths[] = {"throttle.flow", "A.pressure", "B.pressure", NULL};
  HlTestModel model = hl_test_model_load ("slider-crank.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  g_autoptr (HlPowerStudy) study = study_of (&model, 2.0);
  int seen = 0;

  options.t_end = 2.0;
  options.rtol = 1e-9;
  HlTestRun run = hl_test_run (&model, options, paths);
  for (int row = 0; row < run.n_rows; row += 100) {
    double want = fabs (hl_test_run_value (&run, row, 0) *
                        (hl_test_run_value (&run, row, 1) - hl_test_run_value (&run, row, 2)));
    g_autoptr (GArray) bars = hl_power_study_bars (study, run.t[row], FALSE, NULL);
    double got = bar_value (bars, "throttle", HL_POWER_BAR_LOST);
    /* bars below a billionth of what comes in are left out */
    hl_assert_near (got, want, 1e-6, 1e-8 * hl_power_bars_sum (bars, HL_POWER_BAR_IN) + 1e-12);
    seen += got > 0.0;
  }
  g_assert_cmpint (seen, >, 5);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A mass between two shut chambers, without friction: nothing is lost, and what the motion gives
 * the oil takes. */
static void test_lossless (void) {
  static const char text[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, 0],"
      " \"ground\": {\"points\": {\"O\": [0, 0], \"G\": [1, 0]}},"
      " \"bodies\": [{\"id\": \"cart\", \"points\": {\"P\": [0, 0]}, \"mass\": 100,"
      "   \"inertia\": 1, \"pose\": [1, 0, 0], \"velocity\": [0.01, 0, 0]}],"
      " \"joints\": [{\"id\": \"guide\", \"kind\": \"prismatic\", \"a\": \"ground.G\","
      "   \"b\": \"cart.P\", \"axis\": 0}],"
      " \"components\": [{\"id\": \"cyl\", \"kind\": \"cylinder\", \"base\": \"ground.O\","
      "   \"rod\": \"cart.P\", \"piston_area\": 2e-3, \"rod_side_area\": 1e-3, \"stroke\": 0.6,"
      "   \"c1\": 0.7, \"c2\": 0.1, \"friction\": {\"model\": \"none\"}}],"
      " \"lines\": [{\"id\": \"A\", \"ports\": [\"cyl.A\"], \"volume\": 1e-4,"
      "   \"pressure\": 5e6}, {\"id\": \"B\", \"ports\": [\"cyl.B\"], \"volume\": 1e-4,"
      "   \"pressure\": 1e7}],"
      " \"probes\": [{\"id\": \"x\", \"of\": \"cart.x\"}],"
      " \"simulation\": {\"t_end\": 0.02, \"every\": 1e-4, \"start\": \"as-given\"}}";
  HlTestModel model = hl_test_model_from_text (text);
  g_autoptr (HlPowerStudy) study = study_of (&model, 0.0);

  assert_closes ("two shut chambers", study);
  for (int k = 1; k <= 10; k++) {
    g_autoptr (GArray) bars = hl_power_study_bars (study, 0.002 * k, k % 2 == 0, NULL);
    g_assert_cmpfloat (hl_power_bars_sum (bars, HL_POWER_BAR_LOST), ==, 0.0);
    g_assert_cmpfloat (hl_power_bars_sum (bars, HL_POWER_BAR_IN), >, 0.0);
  }
  hl_test_model_clear (&model);
}

/* The loss of a pin is listed under its name: all energy of a rocker that comes to rest. */
static void test_pin (void) {
  static const char text[] = "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, 0],"
                             " \"ground\": {\"points\": {\"O\": [0, 0]}},"
                             " \"bodies\": [{\"id\": \"rocker\", \"points\": {\"P\": [0, 0]}, \"mass\": 10,"
                             "   \"inertia\": 2, \"pose\": [0, 0, 0], \"velocity\": [0, 0, 3]}],"
                             " \"joints\": [{\"id\": \"pin\", \"kind\": \"revolute\", \"a\": \"ground.O\","
                             "   \"b\": \"rocker.P\", \"friction\": {\"torque\": 4, \"speed\": 0.1}}],"
                             " \"simulation\": {\"t_end\": 3, \"every\": 0.01, \"start\": \"as-given\"}}";
  HlTestModel model = hl_test_model_from_text (text);
  g_autoptr (HlPowerStudy) study = study_of (&model, 0.0);
  g_autoptr (GArray) bars = hl_power_study_bars (study, 3.0, TRUE, NULL);

  hl_assert_near (bar_value (bars, "pin", HL_POWER_BAR_LOST), 0.5 * 2.0 * 9.0, 1e-6, 0.0);
  for (guint k = 0; k < bars->len; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    g_assert_true (*bar->id != '\0' || bar->name != NULL);
  }
  hl_test_model_clear (&model);
}

/* The other oils report that they have no such values. */
static void test_other_oils (void) {
  HlTestModel model = hl_test_model_load ("metering-arm.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlFault fault = {.entity = -1};

  options.model = HL_MODEL_QUASISTATIC;
  g_assert_null (hl_power_study_new (model.sys, &options, &fault));
  g_assert_nonnull (fault.why);
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/power-study/closes-in-every-example", test_examples);
  g_test_add_func ("/power-study/closes-in-every-machine", test_machines);
  g_test_add_func ("/power-study/a-throttle-loses-flow-times-drop", test_throttle);
  g_test_add_func ("/power-study/no-losses-without-friction-and-flow", test_lossless);
  g_test_add_func ("/power-study/friction-of-a-pin-has-its-name", test_pin);
  g_test_add_func ("/power-study/other-oils-say-so", test_other_oils);
  return g_test_run ();
}
