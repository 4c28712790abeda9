/* SPDX-License-Identifier: MIT */
/* One drawing at rest in all three oils, with the tank at several pressures: pressures and forces
 * are absolute in each. The pump's oil passes the bleed valve, a spring stands against the piston,
 * and everything is known in closed form:
 *
 *   p_pump = p_tank + (Q / c)^2,  c = Cd a sqrt (2 / rho),   F = Ah p_pump - Ar p_tank = k (x - x0)
 */
#include <math.h>
#include <string.h>

#include "core/hydro/pumps/hl-pressure-source.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"

#define AREA_HEAD 2.4e-3
#define AREA_ROD 1.2e-3
#define STIFFNESS 1e5
#define FLOW 1e-3
#define BLEED 2e-5
#define DENSITY 850.0
#define START 0.5

/* Apostrophes stand for quotation marks. Pipes in series give the hybrid model its inertia; the others may ignore it. */
static const char drawing[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'tank', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'ground': {'points': {'base': [0, 0]}},"
    " 'bodies': [{'id': 'load', 'points': {'rod': [0, 0]}, 'mass': 50, 'inertia': 1,"
    "   'pose': [0.5, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'load.rod',"
    "   'axis': 0}],"
    " 'loads': [{'id': 'spring', 'kind': 'spring', 'a': 'ground.base', 'b': 'load.rod',"
    "   'stiffness': 1e5, 'damping': 4000, 'free_length': 0.5}],"
    " 'components': ["
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 1e-3},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 0},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 20e6, 'area': 1e-4},"
    "  {'id': 'relief_pipe', 'kind': 'pipe', 'length': 1, 'area': 1e-3, 'resistance': 0},"
    "  {'id': 'bleed', 'kind': 'metering-valve', 'area': 2e-5, 'opening': 1, 'dp_lim': 0},"
    "  {'id': 'bleed_pipe', 'kind': 'pipe', 'length': 1, 'area': 1e-3, 'resistance': 0},"
    "  {'id': 'check', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4},"
    "  {'id': 'ph', 'kind': 'metering-valve', 'area': 1e-5, 'opening': 1, 'dp_lim': 0},"
    "  {'id': 'ph_pipe', 'kind': 'pipe', 'length': 1, 'area': 1e-3, 'resistance': 0},"
    "  {'id': 'tr', 'kind': 'metering-valve', 'area': 1e-5, 'opening': 1, 'dp_lim': 0},"
    "  {'id': 'tr_pipe', 'kind': 'pipe', 'length': 1, 'area': 1e-3, 'resistance': 0},"
    "  {'id': 'head_relief', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 25e6, 'area': 1e-4},"
    "  {'id': 'head_pipe', 'kind': 'pipe', 'length': 1, 'area': 1e-3, 'resistance': 0},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2.4e-3, 'rod_side_area': 1.2e-3,"
    "   'base': 'ground.base', 'rod': 'load.rod', 'stroke': 1, 'c1': 0.2,"
    "   'virtual_stiffness': 1e7, 'virtual_damping': 1e5}],"
    " 'lines': ["
    "  {'id': 'P', 'ports': ['pump.P', 'relief_pipe.A', 'bleed_pipe.A', 'check.A'],"
    "   'volume': 1e-4},"
    "  {'id': 'Pr', 'ports': ['relief_pipe.B', 'relief.A']},"
    "  {'id': 'Pb', 'ports': ['bleed_pipe.B', 'bleed.A']},"
    "  {'id': 'C', 'ports': ['check.B', 'ph.A'], 'volume': 1e-4},"
    "  {'id': 'N', 'ports': ['ph.B', 'ph_pipe.A']},"
    "  {'id': 'H', 'ports': ['ph_pipe.B', 'head_pipe.A', 'cyl.A'], 'volume': 1e-4},"
    "  {'id': 'Hr', 'ports': ['head_pipe.B', 'head_relief.A']},"
    "  {'id': 'R', 'ports': ['tr_pipe.A', 'cyl.B'], 'volume': 1e-4},"
    "  {'id': 'Rt', 'ports': ['tr_pipe.B', 'tr.A']},"
    "  {'id': 'T', 'ports': ['tank.T', 'relief.T', 'bleed.B', 'tr.B', 'head_relief.T']}],"
    " 'simulation': {'t_end': 6, 'every': 6, 'rtol': 1e-9, 'model': 'lumped',"
    "   'start': 'as-given'}}";

static HlTestModel load_drawing (double tank, double ambient) {
  g_autofree char *text = g_strdelimit (g_strdup (drawing), "'", '"');
  HlTestModel model = hl_test_model_from_text (text);

  for (int k = 0; k < model.sys->n_sources; k++) {
    HlGivenPressure *source = model.sys->components[model.sys->sources[k].component].self;
    source->pressure = tank;
  }
  for (int k = 0; k < model.sys->n_lines; k++)
    model.sys->lines[k].pressure = tank;
  model.sys->fluid.ambient_pressure = ambient; /* NAN: nothing presses on the rod */
  hl_system_derive (model.sys);
  return model;
}

static double rise (void) {
  double c = 0.6 * BLEED * sqrt (2.0 / DENSITY);
  return FLOW / c * (FLOW / c);
}

/* With the outside at p0 on the rod's cross-section: F = Ah p_pump - Ar p_tank - (Ah - Ar) p0. */
static void check_rest (double ambient) {
  static const char *const paths[] = {
      "load.x",           "cyl.force",  "P.pressure",      "H.pressure",        "R.pressure",
      "energy.potential", "energy.oil", "energy.supplied", "energy.dissipated", NULL};
  static const double tanks[] = {0.0, 1e5, 1e6};
  static const HlModelKind oils[] = {HL_MODEL_LUMPED, HL_MODEL_HYBRID, HL_MODEL_QUASISTATIC,
                                     HL_MODEL_QUASISTATIC};

  for (gsize k = 0; k < G_N_ELEMENTS (tanks); k++)
    for (gsize oil = 0; oil < G_N_ELEMENTS (oils); oil++) {
      if (tanks[k] == 0.0 && oils[oil] == HL_MODEL_LUMPED)
        continue; /* which has vapour there */
      HlTestModel model = load_drawing (tanks[k], ambient);
      HlSimOptions options = hl_sim_options_from_model (model.sys);
      double p = tanks[k] + rise (), force = AREA_HEAD * p - AREA_ROD * tanks[k];

      force -= isnan (ambient) ? 0.0 : (AREA_HEAD - AREA_ROD) * ambient;

      options.model = oils[oil];
      options.formulation = oils[oil] != HL_MODEL_QUASISTATIC ? HL_FORMULATION_REDUCED
                            : oil == 2                        ? HL_FORMULATION_RELAXED
                                                              : HL_FORMULATION_DISCRETE;
      options.step = 4e-4;
      HlTestRun run = hl_test_run (&model, options, paths);
      g_assert_cmpint (run.status, ==, HL_OK);
      const double *last = run.values + (run.n_rows - 1) * run.width;
      hl_assert_near (last[0], START + force / STIFFNESS, 1e-6, 0.0);
      hl_assert_near (last[1], force, 1e-6, 0.0);
      hl_assert_near (last[2], p, 1e-6, 0.0);
      hl_assert_near (last[3], p, 1e-6, 0.0);
      hl_assert_near (last[4], tanks[k], 1e-6, 5.0);
      /* what the tank sends along is supplied, too; the discrete form does not keep a balance */
      if (oil != 3)
        hl_assert_near (last[5] + last[6] - run.values[5] - run.values[6] + last[8], last[7], 1e-5, 0.0);
      hl_test_run_clear (&run);
      hl_test_model_clear (&model);
    }
}

static void test_steady (void) {
  check_rest (NAN);
}

static void test_outside (void) {
  check_rest (1e5);
  check_rest (4e5);
}

/* The map's force is that of its own printed pressures, and a load line meets it there. */
static void test_map (void) {
  static const double tanks[] = {0.0, 1e5, 1e6}, speeds[] = {-0.2, 0.02, 0.1, 0.3, 0.6};

  for (gsize k = 0; k < G_N_ELEMENTS (tanks); k++) {
    HlTestModel model = load_drawing (tanks[k], NAN);
    int component = model.sys->cylinders[0].component;
    HlForceMap *map = hl_force_map_new (model.sys, component, 0.0, NULL, NULL);

    g_assert_nonnull (map);
    for (gsize i = 0; i < G_N_ELEMENTS (speeds); i++) {
      HlQuasiGamma at;
      HlQuasiLambda met;
      double beta = 3e4, P;
      g_assert_cmpint (hl_force_map_at (map, &speeds[i], &at, NULL), ==, HL_OK);
      double force = AREA_HEAD * (tanks[k] + at.Ph) - AREA_ROD * (tanks[k] + at.Pr);
      hl_assert_near (at.f_lo, force, 1e-12, 1e-9);
      hl_assert_near (at.f_hi, force, 1e-12, 1e-9);
      double fbar = force - beta * speeds[i];
      g_assert_cmpint (hl_force_map_meet (map, &beta, &fbar, &met, &P, NULL), ==, HL_OK);
      hl_assert_near (met.v, speeds[i], 1e-10, 1e-12);
      hl_assert_near (met.f, force, 1e-10, 1e-6);
    }
    hl_force_map_free (map);
    hl_test_model_clear (&model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tank-pressure/three-oils-come-to-the-same-rest", test_steady);
  g_test_add_func ("/tank-pressure/three-oils-feel-the-outside-on-the-rod", test_outside);
  g_test_add_func ("/tank-pressure/force-map-of-absolute-pressures", test_map);
  return g_test_run ();
}
