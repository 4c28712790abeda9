/* SPDX-License-Identifier: MIT */
/* The stabilized (Baumgarte) formulation: errors of constraints decay as its two numbers say, by
 * the closed form of C'' + 2 beta C' + gamma^2 C = 0 and of B' = -beta B; and once they are gone,
 * the motion is that of the reduced formulation, whatever the numbers. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

typedef struct {
  double beta, gamma;
} Rates;

static const Rates rates[] = {{40.0, 40.0}, {10.0, 60.0}, {80.0, 25.0}, {30.0, 0.0}, {0.0, 50.0}};

/* C (t) from C (0) and C' (0). */
static double decayed (Rates r, double c, double c_dot, double t) {
  double square = r.gamma * r.gamma - r.beta * r.beta, root = sqrt (fabs (square));
  double even, odd; /* cosine and sine over root, or their kin */

  if (square > 0.0) {
    even = cos (root * t);
    odd = sin (root * t) / root;
  } else if (square < 0.0) {
    even = cosh (root * t);
    odd = sinh (root * t) / root;
  } else {
    even = 1.0;
    odd = t;
  }
  return exp (-r.beta * t) * (c * even + (c_dot + r.beta * c) * odd);
}

static HlSimOptions options_for (const HlTestModel *model, Rates r, HlMethod method) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.formulation = HL_FORMULATION_BAUMGARTE;
  options.beta = r.beta;
  options.gamma = r.gamma;
  options.method = method;
  options.rtol = 1e-9;
  return options;
}

/* A crank-rocker whose bodies stand and move beside their joints. The gaps of three joints, two
 * rows each, are differences of places. */
static void test_holonomic_decay (gconstpointer data) {
  Rates r = *(const Rates *)data;
  static const char *const paths[] = {
      "crank.A.x",    "coupler.A.x", "crank.A.vx", "coupler.A.vx", "crank.A.y",   "coupler.A.y", "crank.A.vy",
      "coupler.A.vy", "coupler.B.x", "rocker.B.x", "coupler.B.vx", "rocker.B.vx", "coupler.B.y", "rocker.B.y",
      "coupler.B.vy", "rocker.B.vy", NULL};
  static const double off[9] = {0.0, 0.0, 0.0, 1.5e-3, -2e-3, 1e-3, 0.0, 1e-3, -2e-3};
  static const double off_rate[9] = {0.02, 0.0, 0.0, -0.05, 0.03, 0.1, 0.0, 0.04, 0.05};
  HlTestModel model = hl_test_model_load ("crank-rocker.hydrolink");
  HlSimOptions options = options_for (&model, r, HL_METHOD_RADAU);
  double largest = 0.0;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  for (int k = 0; k < 9; k++) {
    model.point->x[k] += off[k];
    model.point->v[k] += off_rate[k];
  }
  options.from = model.point;
  options.t_end = 0.25;
  options.every = 2e-3;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int gap = 0; gap < 4; gap++) {
    double c = hl_test_run_value (&run, 0, 4 * gap) - hl_test_run_value (&run, 0, 4 * gap + 1);
    double c_dot = hl_test_run_value (&run, 0, 4 * gap + 2) - hl_test_run_value (&run, 0, 4 * gap + 3);

    g_assert_cmpfloat (fabs (c), >, 1e-4);
    for (int row = 0; row < run.n_rows; row++) {
      double got = hl_test_run_value (&run, row, 4 * gap) - hl_test_run_value (&run, row, 4 * gap + 1);
      double error = fabs (got - decayed (r, c, c_dot, run.t[row]));
      largest = fmax (largest, error / fmax (fabs (c), fabs (c_dot) / 50.0));
    }
  }
  g_test_message ("beta %g, gamma %g: off by %.1e of the first gap", r.beta, r.gamma, largest);
  g_assert_cmpfloat (largest, <, 1e-7 * hl_test_tolerance_scale ());
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Axles that slip at the start: B = velocity across the axle goes as exp (-beta t). */
static void test_nonholonomic_decay (gconstpointer data) {
  Rates r = *(const Rates *)data;
  static const char *const paths[] = {
      "front.angle", "front.axle.vx", "front.axle.vy", "rear.angle", "rear.axle.vx", "rear.axle.vy", NULL};
  HlTestModel model = hl_test_model_load ("articulated-vehicle-rigid.hydrolink");
  HlSimOptions options = options_for (&model, r, HL_METHOD_RADAU);
  double largest = 0.0;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  model.point->v[1] += 0.03;
  model.point->v[2] -= 0.02;
  model.point->v[5] += 0.01;
  options.from = model.point;
  options.t_end = 0.2;
  options.every = 2e-3;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int axle = 0; axle < 2; axle++) {
    double first = 0.0;
    for (int row = 0; row < run.n_rows; row++) {
      double heading = hl_test_run_value (&run, row, 3 * axle);
      double slip = -sin (heading) * hl_test_run_value (&run, row, 3 * axle + 1) +
                    cos (heading) * hl_test_run_value (&run, row, 3 * axle + 2);
      if (row == 0)
        first = slip;
      largest = fmax (largest, fabs (slip - first * exp (-r.beta * run.t[row])) / fabs (first));
    }
    g_assert_cmpfloat (fabs (first), >, 1e-3);
  }
  g_test_message ("beta %g: off by %.1e of the first slip", r.beta, largest);
  g_assert_cmpfloat (largest, <, 1e-7 * hl_test_tolerance_scale ());
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* From a consistent start the two numbers do not matter: the reduced motion. With both at zero
 * nothing holds the joints together but the accelerations, and they drift. */
static void test_same_motion (void) {
  static const char *const paths[] = {"crank.angle", "rocker.angle", "A.pressure",
                                      "coupler.B.x", "rocker.B.x",   NULL};
  static const double size[] = {1.0, 1.0, 1e6};
  static const Rates settings[] = {{50.0, 50.0}, {5.0, 20.0}, {400.0, 400.0}, {0.0, 0.0}};
  HlTestModel model = hl_test_model_load ("crank-rocker.hydrolink");
  HlSimOptions options = options_for (&model, settings[0], HL_METHOD_BDF);
  double gap[G_N_ELEMENTS (settings)] = {0.0};

  options.t_end = 2.0;
  options.every = 0.02;
  options.formulation = HL_FORMULATION_REDUCED;
  HlTestRun reduced = hl_test_run (&model, options, paths);
  for (gsize k = 0; k < G_N_ELEMENTS (settings); k++) {
    options = options_for (&model, settings[k], HL_METHOD_BDF);
    options.t_end = 2.0;
    options.every = 0.02;
    HlTestRun run = hl_test_run (&model, options, paths);
    double worst = 0.0;
    g_assert_cmpint (run.status, ==, HL_OK);
    for (int row = 0; row < run.n_rows; row++) {
      gap[k] = fmax (gap[k], fabs (hl_test_run_value (&run, row, 3) - hl_test_run_value (&run, row, 4)));
      for (int p = 0; p < 3; p++)
        worst = fmax (worst, fabs (hl_test_run_value (&run, row, p) - hl_test_run_value (&reduced, row, p)) /
                                 size[p]);
    }
    g_test_message ("beta %g, gamma %g: off by %.1e, joint open by %.1e m", settings[k].beta,
                    settings[k].gamma, worst, gap[k]);
    if (settings[k].gamma > 0.0)
      g_assert_cmpfloat (worst, <, 1e-5 * hl_test_tolerance_scale ());
    hl_test_run_clear (&run);
  }
  g_assert_cmpfloat (gap[0], <, 1e-9);
  g_assert_cmpfloat (gap[3], >, 10.0 * gap[0]);
  hl_test_run_clear (&reduced);
  hl_test_model_clear (&model);
}

/* simulation.beta, .gamma and .integrator of the file reach the run; 50, 50 and bdf when it says
 * nothing. */
static void test_from_the_file (void) {
  HlTestModel plain = hl_test_model_load ("crank-rocker.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (plain.sys);

  g_assert_cmpfloat (options.beta, ==, 50.0);
  g_assert_cmpfloat (options.gamma, ==, 50.0);
  g_assert_cmpint (options.method, ==, HL_METHOD_BDF);
  g_autoptr (HlDocument) doc =
      hl_edit_set (plain.doc, "simulation", "integrator", hl_value_new_string ("radau"), NULL);
  g_assert_nonnull (doc);
  HlTestModel chosen = hl_test_model_from_document (g_steal_pointer (&doc));
  g_assert_cmpint (hl_sim_options_from_model (chosen.sys).method, ==, HL_METHOD_RADAU);
  HlTestModel stated = hl_test_model_load_with ("crank-rocker.hydrolink", "simulation.beta", 7.0,
                                                "simulation.gamma", 9.0, NULL);
  options = hl_sim_options_from_model (stated.sys);
  g_assert_cmpfloat (options.beta, ==, 7.0);
  g_assert_cmpfloat (options.gamma, ==, 9.0);
  hl_test_model_clear (&stated);
  hl_test_model_clear (&chosen);
  hl_test_model_clear (&plain);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (rates); k++) {
    g_autofree char *path = g_strdup_printf ("/stabilized-formulation/decay-of-joint-gaps/beta-%g-gamma-%g",
                                             rates[k].beta, rates[k].gamma);
    g_test_add_data_func (path, &rates[k], test_holonomic_decay);
  }
  for (gsize k = 0; k < 3; k++) {
    g_autofree char *path = g_strdup_printf ("/stabilized-formulation/decay-of-slip/beta-%g", rates[k].beta);
    g_test_add_data_func (path, &rates[k], test_nonholonomic_decay);
  }
  g_test_add_func ("/stabilized-formulation/same-motion-as-reduced", test_same_motion);
  g_test_add_func ("/stabilized-formulation/settings-of-the-file", test_from_the_file);
  return g_test_run ();
}
