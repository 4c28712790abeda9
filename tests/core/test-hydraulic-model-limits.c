/* SPDX-License-Identifier: MIT */
/* The drawing of limits.json with a pipe in every flow path, in all three oil models: the hybrid
 * one tends to the quasistatic one as the inertia of its pipes, the lumped one to the hybrid one as
 * the compressibility of its oil, and all three come to rest in the same steady states. */
#include <math.h>
#include <string.h>

#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"

/* Apostrophes stand for quotation marks. The pipes have a cross-section of 1e-3 m2, so that their
 * length L makes an inertia of 8.5e5 L kg/m4. */
static const char drawing[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'limits', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850, 'ambient_pressure': 2e6},"
    " 'ground': {'points': {'base': [0, 0]}},"
    " 'bodies': [{'id': 'load', 'points': {'rod': [0, 0]}, 'mass': 5000, 'inertia': 1,"
    "   'pose': [1, 0, 0], 'velocity': [0.05, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'load.rod',"
    "   'axis': 0}],"
    " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'load.rod', 'direction': [-1, 0],"
    "   'signal': {'kind': 'sine', 'amplitude': 6e4, 'frequency_hz': 1.5, 'offset': 2e5}}],"
    " 'components': ["
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 0.008333333333333333},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 2e6},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 36e6, 'area': 1e3,"
    "   'dp_lim': 0},"
    "  {'id': 'bleed', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.2, 'dp_lim': 0},"
    "  {'id': 'check', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e3, 'dp_lim': 0},"
    "  {'id': 'ph', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.5, 'dp_lim': 0},"
    "  {'id': 'tr', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.5, 'dp_lim': 0},"
    "  {'id': 'head_relief', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 42e6, 'area': 0.01},"
    "  {'id': 'rod_relief', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 40e6, 'area': 0.01},"
    "  {'id': 'head_suction', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e3, 'dp_lim': 0},"
    "  {'id': 'rod_suction', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e3, 'dp_lim': 0},"
    "  {'id': 'l_relief', @}, {'id': 'l_bleed', @}, {'id': 'l_ph', @}, {'id': 'l_tr', @},"
    "  {'id': 'l_hr', @}, {'id': 'l_rr', @}, {'id': 'l_hs', @}, {'id': 'l_rs', @},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 0.024, 'rod_side_area': 0.012,"
    "   'base': 'ground.base', 'rod': 'load.rod', 'stroke': 12, 'c1': 0,"
    "   'virtual_stiffness': 5e11, 'virtual_damping': 5e9}],"
    " 'lines': ["
    "  {'id': 'P', 'ports': ['pump.P', 'relief.A', 'bleed.A', 'check.A'], 'volume': 2e-3,"
    "   'pressure': 36e6},"
    "  {'id': 'C', 'ports': ['check.B', 'ph.A'], 'volume': 2e-3, 'pressure': 36e6},"
    "  {'id': 'D', 'ports': ['ph.B', 'l_ph.A'], 'volume': 1e-4, 'pressure': 35.32e6},"
    "  {'id': 'H', 'ports': ['l_ph.B', 'head_relief.A', 'l_hs.B', 'cyl.A'],"
    "   'volume': 2e-3, 'pressure': 35.32e6},"
    "  {'id': 'R', 'ports': ['tr.A', 'rod_relief.A', 'l_rs.B', 'cyl.B'],"
    "   'volume': 2e-3, 'pressure': 2.17e6},"
    "  {'id': 'm1', 'ports': ['relief.T', 'l_relief.A'], 'volume': 1e-4, 'pressure': 2e6},"
    "  {'id': 'm2', 'ports': ['bleed.B', 'l_bleed.A'], 'volume': 1e-4, 'pressure': 2e6},"
    "  {'id': 'm3', 'ports': ['tr.B', 'l_tr.A'], 'volume': 1e-4, 'pressure': 2e6},"
    "  {'id': 'm4', 'ports': ['head_relief.T', 'l_hr.A'], 'volume': 1e-4, 'pressure': 2e6},"
    "  {'id': 'm5', 'ports': ['rod_relief.T', 'l_rr.A'], 'volume': 1e-4, 'pressure': 2e6},"
    "  {'id': 'm6', 'ports': ['head_suction.B', 'l_hs.A'], 'volume': 1e-4, 'pressure': 2e6},"
    "  {'id': 'm7', 'ports': ['rod_suction.B', 'l_rs.A'], 'volume': 1e-4, 'pressure': 2e6},"
    "  {'id': 'T', 'ports': ['tank.T', 'l_relief.B', 'l_bleed.B', 'l_tr.B', 'l_hr.B', 'l_rr.B',"
    "   'head_suction.A', 'rod_suction.A']}],"
    " 'simulation': {'t_end': 1, 'every': 0.02, 'rtol': 1e-9, 'model': 'hybrid',"
    "   'start': 'as-given'}}";

/* The same without the paths that stay shut: in stiff oil their columns would ring for ever. */
static const char open_drawing[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'limits', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850, 'ambient_pressure': 2e6},"
    " 'ground': {'points': {'base': [0, 0]}},"
    " 'bodies': [{'id': 'load', 'points': {'rod': [0, 0]}, 'mass': 5000, 'inertia': 1,"
    "   'pose': [1, 0, 0], 'velocity': [0.2, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'load.rod',"
    "   'axis': 0}],"
    " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'load.rod', 'direction': [-1, 0],"
    "   'signal': {'kind': 'sine', 'amplitude': 6e4, 'frequency_hz': 1.5, 'offset': 2e5}}],"
    " 'components': ["
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 0.008333333333333333},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 2e6},"
    "  {'id': 'bleed', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.2, 'dp_lim': 0},"
    "  {'id': 'ph', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.5, 'dp_lim': 0},"
    "  {'id': 'tr', 'kind': 'metering-valve', 'area': 1e-4, 'opening': 0.5, 'dp_lim': 0},"
    "  {'id': 'l_bleed', @}, {'id': 'l_ph', @}, {'id': 'l_tr', @},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 0.024, 'rod_side_area': 0.012,"
    "   'base': 'ground.base', 'rod': 'load.rod', 'stroke': 12, 'c1': 0}],"
    " 'lines': ["
    "  {'id': 'P', 'ports': ['pump.P', 'bleed.A', 'ph.A'], 'volume': 1e-3, 'pressure': 24e6},"
    "  {'id': 'D', 'ports': ['ph.B', 'l_ph.A'], 'volume': 1e-3, 'pressure': 9e6},"
    "  {'id': 'H', 'ports': ['l_ph.B', 'cyl.A'], 'volume': 1e-3, 'pressure': 9e6},"
    "  {'id': 'R', 'ports': ['tr.A', 'cyl.B'], 'volume': 1e-3, 'pressure': 3e6},"
    "  {'id': 'm1', 'ports': ['bleed.B', 'l_bleed.A'], 'volume': 1e-3, 'pressure': 2e6},"
    "  {'id': 'm2', 'ports': ['tr.B', 'l_tr.A'], 'volume': 1e-3, 'pressure': 2e6},"
    "  {'id': 'T', 'ports': ['tank.T', 'l_bleed.B', 'l_tr.B']}],"
    " 'simulation': {'t_end': 1, 'every': 0.02, 'rtol': 1e-9, 'model': 'hybrid',"
    "   'start': 'as-given'}}";

static HlTestModel load_drawing (const char *source, double inertia, bool lumped_inertia) {
  g_auto (GStrv) parts = g_strsplit (source, "@", -1);
  char length[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr (length, sizeof length, inertia / 8.5e5);
  g_autofree char *pipe =
      g_strdup_printf ("'kind': 'pipe', 'length': %s, 'area': 1e-3, 'resistance': 0, 'inertia': %s", length,
                       lumped_inertia ? "true" : "false");
  g_autofree char *text = g_strdelimit (g_strjoinv (pipe, parts), "'", '"');
  return hl_test_model_from_text (text);
}

static HlSimOptions options_of (const HlTestModel *model, HlModelKind kind) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.model = kind;
  options.formulation = kind == HL_MODEL_QUASISTATIC ? HL_FORMULATION_RELAXED : HL_FORMULATION_REDUCED;
  return options;
}

static const char *const paths[] = {"cyl.speed",  "cyl.force",  "P.pressure", "H.pressure",
                                    "R.pressure", "bleed.flow", NULL};

static double largest_difference (const HlTestRun *run, const double want[], int first) {
  double worst = 0.0;

  for (int row = first; row < run->n_rows; row++)
    worst = fmax (worst, fabs (hl_test_run_value (run, row, 0) - want[row]));
  return worst;
}

/* A swinging load: the hybrid velocities against the quasistatic ones of the file. The difference
 * is proportional to the inertia, and as large as the file says. */
static void test_inertia (void) {
  json_t *root = hl_test_golden_json ("limits.json");
  json_t *cases = hl_test_json_at (root, "fluid_inertia_to_zero");
  double want[51];
  double before = NAN;

  hl_test_json_numbers (root, "v_quasistatic", want, 51);
  for (gsize k = 0; k < json_array_size (cases); k++) {
    double inertia = hl_test_json_number (json_array_get (cases, k), "I");
    double golden = hl_test_json_number (json_array_get (cases, k), "max_difference");
    HlTestModel model = load_drawing (drawing, inertia, false);
    HlSimOptions options = options_of (&model, HL_MODEL_HYBRID);
    options.rtol = 1e-10;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    g_assert_cmpint (run.n_rows, ==, 51);
    double worst = largest_difference (&run, want, 5);
    g_test_message ("I = %.0e: %.4e m/s, golden %.4e, %ld steps", inertia, worst, golden, run.stats.steps);
    hl_assert_near (worst, golden, 1e-3, 0.0);
    if (k > 0)
      hl_assert_near (worst / before, 0.1, 0.0, 0.01);
    before = worst;
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
  json_decref (root);
}

/* The same load: the lumped model, its pipes with inertia, against the hybrid one. The oil springs
 * are damped by the orifices, so the difference is proportional to 1 / bulk modulus at each
 * instant, for speeds and for the recovered pressures. */
static void test_stiff_oil (void) {
  static const double bulk[] = {1e11, 1e12, 1e13};
  HlTestModel model = load_drawing (open_drawing, 1e6, true);
  HlSimOptions options = options_of (&model, HL_MODEL_HYBRID);
  double speed_before = NAN, pressure_before = NAN;

  options.rtol = 1e-10;
  HlTestRun hybrid = hl_test_run (&model, options, paths);
  g_assert_cmpint (hybrid.status, ==, HL_OK);
  for (int k = 0; k < 3; k++) {
    double speed = 0.0, pressure = 0.0;
    options.model = HL_MODEL_LUMPED;
    model.sys->fluid.bulk_modulus = bulk[k];
    hl_system_derive (model.sys);
    HlTestRun lumped = hl_test_run (&model, options, paths);
    g_assert_cmpint (lumped.status, ==, HL_OK);
    g_assert_cmpint (lumped.n_rows, ==, hybrid.n_rows);
    for (int row = 10; row < lumped.n_rows; row++) {
      speed = fmax (speed, fabs (hl_test_run_value (&lumped, row, 0) - hl_test_run_value (&hybrid, row, 0)));
      for (int column = 2; column < 5; column++)
        pressure = fmax (pressure, fabs (hl_test_run_value (&lumped, row, column) -
                                         hl_test_run_value (&hybrid, row, column)));
    }
    g_test_message ("bulk %.0e: speed %.3e m/s, pressure %.3e Pa; %ld steps, hybrid %ld", bulk[k], speed,
                    pressure, lumped.stats.steps, hybrid.stats.steps);
    if (k > 0) {
      hl_assert_near (speed / speed_before, 0.1, 0.0, 0.005);
      hl_assert_near (pressure / pressure_before, 0.1, 0.0, 0.005);
    }
    speed_before = speed;
    pressure_before = pressure;
    hl_test_run_clear (&lumped);
  }
  hl_test_run_clear (&hybrid);
  hl_test_model_clear (&model);
}

/* Speed and pressures of a row with the paths above as the start; a little off, so that the run
 * must find its own steady state. */
static void start_at (HlTestModel *model, const double row[]) {
  static const char *const lines[] = {"P", "H", "R", "C", "D"};
  static const int columns[] = {2, 3, 4, 2, 3};

  model->sys->mech.bodies[0].velocity[0] = 1.01 * row[0];
  for (int k = 0; k < model->sys->n_lines; k++)
    for (int i = 0; i < 5; i++)
      if (strcmp (hl_system_entity_id (model->sys, HL_ENTITY_LINE, k), lines[i]) == 0)
        model->sys->lines[k].pressure = 0.98 * row[columns[i]] + 1e4;
}

/* Constant load: the three models and the golden velocity. */
static void test_steady (void) {
  static const HlModelKind kinds[] = {HL_MODEL_QUASISTATIC, HL_MODEL_HYBRID, HL_MODEL_LUMPED};
  json_t *root = hl_test_golden_json ("limits.json");
  json_t *states = hl_test_json_at (root, "steady_states");
  HlTestModel model = load_drawing (drawing, 1e6, false);

  for (gsize k = 0; k < json_array_size (states); k++) {
    json_t *state = json_array_get (states, k);
    double want = hl_test_json_number (state, "v");
    HlTestRun runs[3];

    model.sys->signals[model.sys->mech.loads[0].signal] = (HlSignal){
        .kind = HL_SIGNAL_CONSTANT, .value = hl_test_json_number (state, "load"), .is_input = true};
    for (int oil = 0; oil < 3; oil++) {
      HlSimOptions options = options_of (&model, kinds[oil]);
      if (oil == 1)
        start_at (&model, runs[0].values + runs[0].width);
      options.t_end = options.every = 14.0;
      options.rtol = oil == 2 ? 1e-11 : 1e-9;
      runs[oil] = hl_test_run (&model, options, paths);
      if (runs[oil].status != HL_OK)
        g_test_message ("load %g, model %d", hl_test_json_number (state, "load"), oil);
      g_assert_cmpint (runs[oil].status, ==, HL_OK);
    }
    const double *quasi = runs[0].values + runs[0].width;
    g_test_message ("load %g: golden %.12f, quasistatic %.12f, hybrid %.12f, lumped %.12f",
                    hl_test_json_number (state, "load"), want, quasi[0], runs[1].values[runs[1].width],
                    runs[2].values[runs[2].width]);
    for (int oil = 0; oil < 3; oil++) {
      const double *row = runs[oil].values + runs[oil].width;
      hl_assert_near (row[0], want, 1e-9, 0.0);
      for (int column = 1; column < 5; column++)
        hl_assert_near (row[column], quasi[column], 1e-8, 0.1);
      hl_assert_near (row[5], quasi[5], 0.0, 1e-9);
    }
    for (int oil = 0; oil < 3; oil++)
      hl_test_run_clear (&runs[oil]);
  }
  hl_test_model_clear (&model);
  json_decref (root);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hydraulic-model-limits/inertia", test_inertia);
  g_test_add_func ("/hydraulic-model-limits/stiff-oil", test_stiff_oil);
  g_test_add_func ("/hydraulic-model-limits/steady", test_steady);
  return g_test_run ();
}
