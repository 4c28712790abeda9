/* SPDX-License-Identifier: MIT */
/* The same drawing in the lumped and in the quasistatic model, where they must agree: steady states
 * to rounding, motions as the oil becomes stiff, shut valves until a relief valve opens. The
 * drawing is that of limits.json: pump, bleed valve, two valves, a cylinder that pushes a mass. */
#include <math.h>
#include <string.h>

#include "core/hydro/valves/hl-spring-valve.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"

/* Apostrophes stand for quotation marks. Check and relief valves are so large that their own
 * resistance hardly counts. */
static const char drawing[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'limits', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850, 'ambient_pressure': 1e5},"
    " 'ground': {'points': {'base': [0, 0]}},"
    " 'bodies': [{'id': 'load', 'points': {'rod': [0, 0]}, 'mass': 5000, 'inertia': 1,"
    "   'pose': [1, 0, 0], 'velocity': [0.05, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'load.rod',"
    "   'axis': 0}],"
    " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'load.rod', 'direction': [-1, 0],"
    "   'signal': {'kind': 'sine', 'amplitude': 6e4, 'frequency_hz': 1.5, 'offset': 2e5}}],"
    " 'components': ["
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 0.008333333333333333},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 36e6, 'area': 100},"
    "  {'id': 'bleed', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.2, 'dp_lim': 0},"
    "  {'id': 'check', 'kind': 'check-valve', 'Cd': 0.6, 'area': 100},"
    "  {'id': 'ph', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.5, 'dp_lim': 0},"
    "  {'id': 'tr', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.5, 'dp_lim': 0},"
    "  {'id': 'head_relief', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 42e6, 'area': 0.01},"
    "  {'id': 'rod_relief', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 40e6, 'area': 0.01},"
    "  {'id': 'head_suction', 'kind': 'check-valve', 'Cd': 0.6, 'area': 100},"
    "  {'id': 'rod_suction', 'kind': 'check-valve', 'Cd': 0.6, 'area': 100},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 0.024, 'rod_side_area': 0.012,"
    "   'base': 'ground.base', 'rod': 'load.rod', 'stroke': 12, 'c1': 0,"
    "   'virtual_stiffness': 5e9, 'virtual_damping': 5e7}],"
    " 'lines': ["
    "  {'id': 'P', 'ports': ['pump.P', 'relief.A', 'bleed.A', 'check.A'], 'volume': 0.002,"
    "   'pressure': 36e6},"
    "  {'id': 'C', 'ports': ['check.B', 'ph.A'], 'volume': 0.002, 'pressure': 36e6},"
    "  {'id': 'H', 'ports': ['ph.B', 'head_relief.A', 'head_suction.B', 'cyl.A'],"
    "   'volume': 0.002, 'pressure': 35.32e6},"
    "  {'id': 'R', 'ports': ['tr.A', 'rod_relief.A', 'rod_suction.B', 'cyl.B'],"
    "   'volume': 0.002, 'pressure': 0.17e6},"
    "  {'id': 'T', 'ports': ['tank.T', 'relief.T', 'bleed.B', 'tr.B', 'head_relief.T',"
    "   'rod_relief.T', 'head_suction.A', 'rod_suction.A']}],"
    " 'simulation': {'t_end': 1, 'every': 0.02, 'rtol': 1e-9, 'model': 'quasistatic',"
    "   'formulation': 'relaxed', 'start': 'as-given'}}";

static HlTestModel load_drawing (void) {
  g_autofree char *text = g_strdelimit (g_strdup (drawing), "'", '"');
  return hl_test_model_from_text (text);
}

static HlSimOptions options_of (const HlTestModel *model, HlModelKind kind) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.model = kind;
  options.formulation = kind == HL_MODEL_LUMPED ? HL_FORMULATION_REDUCED : HL_FORMULATION_RELAXED;
  return options;
}

static HlSignal *load_signal (HlTestModel *model) {
  return &model->sys->signals[model->sys->mech.loads[0].signal];
}

static const char *const paths[] = {"cyl.speed",  "cyl.force",  "P.pressure",  "C.pressure",
                                    "H.pressure", "R.pressure", "relief.flow", NULL};

/* Speed and pressures of a row with the paths above as the start; a little off, so that the run
 * must find its own steady state. */
static void start_at (HlTestModel *model, const double row[]) {
  static const char *const lines[] = {"P", "C", "H", "R"};

  model->sys->mech.bodies[0].velocity[0] = 1.01 * row[0];
  for (int k = 0; k < model->sys->n_lines; k++)
    for (int i = 0; i < 4; i++)
      if (strcmp (hl_system_entity_id (model->sys, HL_ENTITY_LINE, k), lines[i]) == 0)
        model->sys->lines[k].pressure = 0.98 * row[2 + i] + 1e4;
}

/* Constant load and velocity: both models, and the golden velocity. */
static void test_steady (void) {
  json_t *root = hl_test_golden_json ("limits.json");
  json_t *states = hl_test_json_at (root, "steady_states");
  HlTestModel model = load_drawing ();

  /* a motion from far away would chatter on valves as free as these */
  for (int k = 0; k < model.sys->n_passages; k++) {
    const HlPassage *at = &model.sys->passages[k];
    HlSeat *seat = model.sys->components[at->component].self;
    if (at->kind == HL_PASSAGE_CHECK || (at->kind == HL_PASSAGE_RELIEF && at->opening_pressure == 36e6)) {
      seat->area = 1e3;
      seat->dp_lim = 0.0;
    }
  }
  hl_system_derive (model.sys);

  for (gsize k = 0; k < json_array_size (states); k++) {
    json_t *state = json_array_get (states, k);
    double want = hl_test_json_number (state, "v");
    HlTestRun runs[2];

    *load_signal (&model) = (HlSignal){
        .kind = HL_SIGNAL_CONSTANT, .value = hl_test_json_number (state, "load"), .is_input = true};
    for (int oil = 0; oil < 2; oil++) {
      HlSimOptions options = options_of (&model, oil == 0 ? HL_MODEL_QUASISTATIC : HL_MODEL_LUMPED);
      if (oil == 1)
        start_at (&model, runs[0].values + runs[0].width);
      /* at the smallest load only the rod chamber holds oil under pressure, and rings long */
      options.t_end = 14.0;
      options.every = 14.0;
      options.rtol = oil == 0 ? 1e-9 : 1e-11;
      runs[oil] = hl_test_run (&model, options, paths);
      g_assert_cmpint (runs[oil].status, ==, HL_OK);
    }
    const double *a = runs[0].values + runs[0].width, *b = runs[1].values + runs[1].width;
    g_test_message ("load %g: v %.12f quasistatic, %.12f lumped, golden %.12f",
                    hl_test_json_number (state, "load"), a[0], b[0], want);
    hl_assert_near (a[0], want, 1e-9, 0.0);
    hl_assert_near (b[0], want, 1e-9, 0.0);
    for (int column = 1; column < 6; column++)
      hl_assert_near (b[column], a[column], 1e-8, 0.1);
    hl_assert_near (b[6], a[6], 0.0, 1e-9);
    hl_test_run_clear (&runs[0]);
    hl_test_run_clear (&runs[1]);
  }
  hl_test_model_clear (&model);
  json_decref (root);
}

/* A swinging load: stiffer oil brings the lumped model to the quasistatic velocity of the file, ten
 * times nearer with oil ten times as stiff. (At real stiffness it rings.) */
static void test_stiff_oil (void) {
  static const double bulk[] = {1.5e12, 1.5e13};
  json_t *root = hl_test_golden_json ("limits.json");
  double want[51], worst[2] = {0.0, 0.0};
  HlTestModel model = load_drawing ();

  hl_test_json_numbers (root, "v_quasistatic", want, 51);
  for (int k = 0; k < 2; k++) {
    HlSimOptions options = options_of (&model, HL_MODEL_LUMPED);
    model.sys->fluid.bulk_modulus = bulk[k];
    hl_system_derive (model.sys);
    options.rtol = 1e-10;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    g_assert_cmpint (run.n_rows, ==, 51);
    /* the first rows hold the filling of the hoses */
    for (int row = 5; row < 51; row++)
      worst[k] = fmax (worst[k], fabs (hl_test_run_value (&run, row, 0) - want[row]));
    hl_test_run_clear (&run);
  }
  g_test_message ("bulk modulus 1.5e12: %.2e m/s, 1.5e13: %.2e m/s", worst[0], worst[1]);
  /* 2.0e-5 in the file, for hoses without the chambers beside them */
  g_assert_cmpfloat (worst[0], <, 4e-5);
  hl_assert_near (worst[1] / worst[0], 0.1, 0.0, 0.02);
  hl_test_model_clear (&model);
  json_decref (root);
}

/* The same for the quasistatic run: its virtual element, as stiff as here, costs little. */
static void test_virtual_element (void) {
  json_t *root = hl_test_golden_json ("limits.json");
  double want[51], worst[2] = {0.0, 0.0};
  HlTestModel model = load_drawing ();

  hl_test_json_numbers (root, "v_quasistatic", want, 51);
  for (int k = 0; k < 2; k++) {
    HlCylinder *cyl = &model.sys->cylinders[0];
    cyl->virtual_stiffness = k == 0 ? 5e8 : 5e9;
    cyl->virtual_damping = k == 0 ? 5e6 : 5e7;
    HlTestRun run = hl_test_run (&model, options_of (&model, HL_MODEL_QUASISTATIC), paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    for (int row = 5; row < 51; row++)
      worst[k] = fmax (worst[k], fabs (hl_test_run_value (&run, row, 0) - want[row]));
    hl_test_run_clear (&run);
  }
  g_test_message ("K = 5e8: %.2e m/s, 5e9: %.2e m/s", worst[0], worst[1]);
  g_assert_cmpfloat (worst[0], <, 2e-3);
  hl_assert_near (worst[1] / worst[0], 0.1, 0.0, 0.02);
  hl_test_model_clear (&model);
  json_decref (root);
}

/* All valves shut, a load that grows slowly: both stand until the head chamber reaches its relief
 * limit, and the load is then the same in both: PhM Ah. */
static void test_shut (void) {
  HlTestModel model = load_drawing ();
  static const char *const shut_paths[] = {"cyl.s", "push.signal", "H.pressure", NULL};
  static const double t[] = {0.0, 1.0, 2.0}, y[] = {1.0e6, 1.0e6, 1.1e6};

  for (int k = 0; k < model.sys->n_passages; k++)
    if (model.sys->passages[k].signal >= 0 && !model.sys->passages[k].is_spool &&
        model.sys->passages[k].kind != HL_PASSAGE_PUMP)
      model.sys->signals[model.sys->passages[k].signal].value = 0.0;
  *load_signal (&model) = (HlSignal){.kind = HL_SIGNAL_TABLE, .n = 3, .t = t, .y = y, .is_input = true};
  model.sys->mech.bodies[0].velocity[0] = 0.0;
  /* the pressures at which the mass stands: head against 1 MN, rod empty */
  for (int k = 0; k < model.sys->n_lines; k++) {
    const char *id = hl_system_entity_id (model.sys, HL_ENTITY_LINE, k);
    if (strcmp (id, "H") == 0)
      model.sys->lines[k].pressure = 1e5 + 1.0e6 / 0.024;
    if (strcmp (id, "R") == 0)
      model.sys->lines[k].pressure = 1e5;
  }
  for (int oil = 0; oil < 2; oil++) {
    HlSimOptions options = options_of (&model, oil == 0 ? HL_MODEL_QUASISTATIC : HL_MODEL_LUMPED);
    options.t_end = 2.0;
    options.every = 1e-3;
    HlTestRun run = hl_test_run (&model, options, shut_paths);
    int row = 0;
    g_assert_cmpint (run.status, ==, HL_OK);
    while (row < run.n_rows && (run.t[row] < 1.0 || hl_test_run_value (&run, row, 0) > 0.995))
      row++;
    g_assert_cmpint (row, <, run.n_rows);
    /* it has sunk by d = 5 mm: a mass under a force that grows by r = 100 kN/s does so when the
     * force is r (6 m d/r)^(1/3) past the limit */
    double limit = 42e6 * 0.024, past = 1e5 * cbrt (6.0 * 5000.0 * 5e-3 / 1e5);
    g_test_message ("%s: sinks at a load of %.6g N, expected %.6g N", oil == 0 ? "quasistatic" : "lumped",
                    hl_test_run_value (&run, row, 1), limit + past);
    hl_assert_near (hl_test_run_value (&run, row, 1), limit + past, 0.0, 1e3);
    /* before the relief valve opens neither sinks by more than its own elasticity */
    while (hl_test_run_value (&run, row, 1) > 0.999 * limit)
      row--;
    g_assert_cmpfloat (hl_test_run_value (&run, row, 0), >, 0.998);
    hl_test_run_clear (&run);
  }
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lumped-quasistatic-agreement/steady", test_steady);
  g_test_add_func ("/lumped-quasistatic-agreement/stiff-oil", test_stiff_oil);
  g_test_add_func ("/lumped-quasistatic-agreement/virtual-element", test_virtual_element);
  g_test_add_func ("/lumped-quasistatic-agreement/shut", test_shut);
  return g_test_run ();
}
