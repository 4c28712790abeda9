/* SPDX-License-Identifier: MIT */
/* Circuits without closed form against formulas that they share nothing with: the right-hand side of
 * the lumped model, in which no pressure may then rise or fall; orifices in series written out by
 * hand; bisection of the map along load lines; differences of the rates. */
#include <math.h>
#include <string.h>

#include "core/document/hl-quantity-path.h"
#include "core/io/hl-json-text.h"
#include "core/oil/hl-hydraulic-model-advice.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"
#include "core/quasistatic/hl-quasi-model.h"
#include "core/system/hl-lumped-dynamics.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

/* A last digit of 10 MPa drives so much through a wide open laminar throttle [m3/s]. */
#define ROUNDING_FLOW 1e-16

enum { N_SETS = 60, N_SPEEDS = 4 };

/* ---- what stands still in the lumped model ---- */

static double *state_of (HlTestModel *model) {
  HlWork *work = model->work;

  hl_test_model_start (model, HL_START_AS_GIVEN);
  g_assert_cmpint (hl_partition_choose (model->sys, work, model->point->x, HL_PARTITION_PIVOT, NULL, 0, NULL),
                   ==, HL_OK);
  double *y = g_new0 (double, work->n_states + 1);
  hl_state_pack (model->sys, work, model->point, y);
  hl_work_enter_segment (model->sys, work, 0.0);
  return y;
}

/* Returns the largest net flow into a line as a part of all flows in and out. -1: the network leaves a
 * pressure undetermined. */
static double imbalance_in_lumped (HlTestModel *model, double *y) {
  const HlSystem *sys = model->sys;
  HlWork *work = model->work;
  g_autofree double *y_dot = g_new0 (double, work->n_states + 1);
  HlQuasiNet *net = hl_quasi_net_new_steady (sys);
  double most = -1.0;
  int infinite;

  g_assert_cmpint (hl_dynamics_eval (sys, 0.0, y, y_dot, work, NULL), ==, HL_OK);
  hl_quasi_net_open (net, work);
  for (int k = 0; k < sys->n_cylinders; k++) {
    hl_quasi_net_pistons (net)[k].beta = INFINITY;
    hl_quasi_net_pistons (net)[k].fbar = work->cylinders[k].length.rate;
  }
  bool is_known = hl_quasi_net_solve_given (net, 0, &infinite, NULL) == HL_OK && infinite == 0;
  for (int node = 0; node < sys->n_nodes && is_known; node++) {
    double p = hl_quasi_net_pressure (net, node);
    is_known = !isnan (p) && (sys->nodes[node].state < 0 || p > 2.0 * hl_fluid_onset (&sys->fluid));
    if (sys->nodes[node].state >= 0)
      y[hl_off_p (work) + sys->nodes[node].state] = p;
  }
  hl_quasi_net_free (net);
  if (!is_known)
    return -1.0;
  g_assert_cmpint (hl_dynamics_eval (sys, 0.0, y, y_dot, work, NULL), ==, HL_OK);
  for (int node = 0; node < sys->n_nodes; node++) {
    double size = 0.0;
    for (int k = 0; k < sys->topology->n_branches; k++)
      if (sys->topology->branches[k].a == node || sys->topology->branches[k].b == node)
        size += fabs (work->flow[k]);
    if (sys->nodes[node].state >= 0 && size > 0.0)
      most = fmax (most, fabs (work->net[node]) / (size + ROUNDING_FLOW / 1e-9));
  }
  return most;
}

static int check_against_lumped (const char *name, double speed, const char *first, double low, double high,
                                 const char *second, double low_2, double high_2) {
  int n_known = 0;

  for (int set = 0; set < N_SETS; set++) {
    double value = hl_test_uniform (low, high), value_2 = hl_test_uniform (low_2, high_2);
    HlTestModel model = hl_test_model_load_with (name, first, value, second, value_2, NULL);
    double *y = state_of (&model);
    for (int k = 0; k < N_SPEEDS; k++) {
      for (int j = 0; j < model.work->f; j++)
        y[hl_off_v (model.work) + j] = hl_test_uniform (-speed, speed);
      double most = imbalance_in_lumped (&model, y);
      if (most < 0.0)
        continue;
      n_known++;
      g_assert_cmpfloat (most, <, 1e-9);
    }
    g_free (y);
    hl_test_model_clear (&model);
  }
  return n_known;
}

/* Every one of these drawings was refused when the model had nothing but closed forms. */
static void test_lumped_stands_still (void) {
  int bridge = check_against_lumped ("four-bar.hydrolink", 0.005, "dcv.spool", -1.0, 1.0, "throttle.diameter",
                                     1e-3, 8e-3);
  int open_centre = check_against_lumped ("crank-rocker.hydrolink", 0.05, "brake_A.diameter", 2e-3, 8e-3,
                                          "brake_B.diameter", 2e-3, 8e-3);
  int pilots = check_against_lumped ("double-pilot-check.hydrolink", 0.05, "dcv.spool", 0.2, 1.0, "dcv.Cv",
                                     5e-8, 3e-7);

  g_test_message ("states compared: %d, %d, %d", bridge, open_centre, pilots);
  g_assert_cmpint (bridge, >, N_SETS);
  g_assert_cmpint (open_centre, >, N_SETS);
  g_assert_cmpint (pilots, >, N_SETS / 2);
}

/* ---- a throttle in series with an edge of a directional valve ---- */

static int cylinder_of (const HlTestModel *model) {
  return model->sys->cylinders[0].component;
}

/* Pressures of both chambers at v by orifices in series; false where one of them is laminar, or a
 * pocket opens. The spool is open from P to A by U > 0. */
static bool series (double P, double T, double edge, double throttle, const double area[2], double v,
                    double p[2]) {
  double qa = area[0] * v, qb = area[1] * v, limit = 2.0e5;
  double of_edge_a = (qa / edge) * (qa / edge), of_throttle = (qa / throttle) * (qa / throttle);
  double of_edge_b = (qb / edge) * (qb / edge), sign = v > 0.0 ? 1.0 : -1.0;

  p[0] = P - sign * (of_edge_a + of_throttle);
  p[1] = T + sign * of_edge_b;
  return of_edge_a > limit && of_throttle > limit && of_edge_b > limit && p[0] > 1e4 && p[1] > 1e4;
}

static void test_series (void) {
  int n_compared = 0;

  for (int set = 0; set < 4 * N_SETS; set++) {
    double U = hl_test_uniform (0.3, 1.0), d = hl_test_uniform (3e-4, 1e-3);
    HlTestModel model =
        hl_test_model_load_with ("four-bar.hydrolink", "dcv.spool", U, "throttle.diameter", d, NULL);
    HlForceMap *map = hl_force_map_new (model.sys, cylinder_of (&model), 0.0, NULL, NULL);
    double A = 0.25 * G_PI * 0.08 * 0.08, area[2] = {A, A - 0.25 * G_PI * 0.035 * 0.035}, p[2];
    double edge = 1.0690449676496976e-08 * U;
    double throttle = 0.8 * 0.25 * G_PI * d * d * sqrt (2.0 / 850.0);

    for (int k = 0; k < 8; k++) {
      double v = hl_test_uniform (-0.003, 0.003);
      HlQuasiGamma gamma;
      if (!series (7.6e6, 1.0e5, edge, throttle, area, v, p))
        continue;
      g_assert_cmpint (hl_force_map_at (map, &v, &gamma, NULL), ==, HL_OK);
      hl_assert_near (gamma.Ph, p[0], 1e-11, 0.0);
      hl_assert_near (gamma.Pr, p[1], 1e-11, 0.0);
      hl_assert_near (gamma.f_lo, area[0] * p[0] - area[1] * p[1], 1e-11, 1e-6);
      hl_assert_near (gamma.f_hi, gamma.f_lo, 0.0, 0.0);
      n_compared++;
    }
    hl_force_map_free (map);
    hl_test_model_clear (&model);
  }
  g_test_message ("states compared: %d", n_compared);
  g_assert_cmpint (n_compared, >, N_SETS / 2);
}

/* ---- load lines ---- */

static double force_at (HlForceMap *map, double v) {
  HlQuasiGamma gamma;

  g_assert_cmpint (hl_force_map_at (map, &v, &gamma, NULL), ==, HL_OK);
  return gamma.f;
}

/* The map falls, so it meets a load line once. */
static double meet_by_bisection (HlForceMap *map, double beta, double fbar) {
  double low = -2.0, high = 2.0;

  for (int k = 0; k < 60; k++) {
    double v = 0.5 * (low + high);
    if (force_at (map, v) > fbar + beta * v)
      low = v;
    else
      high = v;
  }
  return 0.5 * (low + high);
}

static void test_load_lines (void) {
  for (int set = 0; set < N_SETS; set++) {
    double U = hl_test_uniform (-1.0, 1.0), supply = hl_test_log_uniform (2e5, 3e7);
    HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "dcv.spool", U, "throttle.diameter",
                                                 hl_test_uniform (1e-3, 8e-3), "pump.pressure", supply, NULL);
    HlForceMap *map = hl_force_map_new (model.sys, cylinder_of (&model), 0.0, NULL, NULL);
    double beta = hl_test_log_uniform (1e3, 1e7), fbar = hl_test_uniform (-1e5, 1e5), P;
    HlQuasiLambda lambda;

    g_assert_cmpint (hl_force_map_meet (map, &beta, &fbar, &lambda, &P, NULL), ==, HL_OK);
    hl_assert_near (lambda.v, meet_by_bisection (map, beta, fbar), 1e-9, 1e-12);
    hl_assert_near (P, supply, 0.0, 0.0);
    hl_force_map_free (map);
    hl_test_model_clear (&model);
  }
}

/* ---- what nothing determines ---- */

static void test_trapped (void) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "dcv.spool", 0.0, NULL);
  HlForceMap *map = hl_force_map_new (model.sys, cylinder_of (&model), 0.0, NULL, NULL);
  double v[] = {-0.01, 0.0, 0.01}, beta = 1e5, fbar = 1234.5, P;
  HlQuasiGamma gamma;
  HlQuasiLambda lambda;

  g_assert_true (hl_force_map_is_network (map));
  for (int k = 0; k < 3; k++) {
    g_assert_cmpint (hl_force_map_at (map, &v[k], &gamma, NULL), ==, HL_OK);
    g_assert_true (isnan (gamma.Ph) && isnan (gamma.Pr));
    g_assert_true (k == 2 ? gamma.f_lo < 0.0 && isinf (gamma.f_lo) : true);
    g_assert_true (k == 0 ? gamma.f_lo > 0.0 && isinf (gamma.f_lo) : true);
    g_assert_true (k == 1 ? isinf (gamma.f_lo) && isinf (gamma.f_hi) : gamma.f_lo == gamma.f_hi);
  }
  /* shut: v = 0, and the load line alone gives the force */
  g_assert_cmpint (hl_force_map_meet (map, &beta, &fbar, &lambda, &P, NULL), ==, HL_OK);
  g_assert_cmpfloat (lambda.v, ==, 0.0);
  g_assert_cmpfloat (lambda.f, ==, fbar);
  hl_force_map_free (map);
  hl_test_model_clear (&model);
}

/* ---- derivatives ---- */

static void check_jacobian (const char *name, const char *path, double value) {
  HlTestModel model = hl_test_model_load_with (name, "cyl.virtual_stiffness", 2e6, "cyl.virtual_damping", 2e4,
                                               path, value, NULL);
  const HlSystem *sys = model.sys;
  HlQuasiMachine machine;
  g_autofree double *lumped = state_of (&model);
  double rods[8];

  g_assert_cmpint (hl_quasi_machine_init (&machine, sys, NULL), ==, HL_OK);
  g_assert_nonnull (machine.net);
  g_assert_cmpint (hl_quasi_start (&machine, sys, model.work, model.point, false, rods, NULL), ==, HL_OK);
  int n = hl_quasi_n_states (sys, model.work), n_motion = hl_off_rod (model.work);
  g_autofree double *y = g_new0 (double, n), *J = g_new0 (double, n *n);
  g_autofree double *up = g_new0 (double, n), *down = g_new0 (double, n);
  memcpy (y, lumped, (size_t)n_motion * sizeof (double));
  for (int k = 0; k < sys->n_cylinders; k++)
    y[hl_off_rod (model.work) + k] = rods[k] - 2e-3;
  memcpy (y + hl_off_spool (sys, model.work), lumped + hl_off_u (model.work),
          (size_t)model.work->u * sizeof (double));
  HlQuasiState state = {.sys = sys, .t = 0.0, .y = y};
  hl_work_enter_segment (sys, model.work, 0.0);
  g_assert_cmpint (hl_quasi_jacobian (&machine, state, J, model.work, NULL), ==, HL_OK);
  for (int column = 0; column < n; column++) {
    double step = 1e-6, kept = y[column], size = 0.0;
    y[column] = kept + step;
    g_assert_cmpint (hl_quasi_rates (&machine, state, up, model.work, NULL), ==, HL_OK);
    y[column] = kept - step;
    g_assert_cmpint (hl_quasi_rates (&machine, state, down, model.work, NULL), ==, HL_OK);
    y[column] = kept;
    for (int row = 0; row < n; row++)
      size = fmax (size, fabs (J[column * n + row]));
    for (int row = 0; row < n; row++)
      hl_assert_near (J[column * n + row], (up[row] - down[row]) / (2.0 * step), 1e-5, 1e-5 * size);
  }
  hl_quasi_machine_clear (&machine);
  hl_test_model_clear (&model);
}

static void test_jacobian (void) {
  check_jacobian ("four-bar.hydrolink", "dcv.spool", 0.4);
  check_jacobian ("four-bar.hydrolink", "dcv.spool", -0.7);
  check_jacobian ("watt-six-bar.hydrolink", "dcv.spool", 0.5);
  check_jacobian ("double-pilot-check.hydrolink", "dcv.spool", 0.5);
}

/* ---- energy ---- */

/* Kinetic + potential + spring energy - supplied + dissipated stays what it was. */
static void check_balance (const char *name, double tolerance) {
  static const char *const paths[] = {HL_TEST_ENERGIES, NULL};
  HlTestModel model =
      hl_test_model_load_with (name, "cyl.virtual_stiffness", 1e7, "cyl.virtual_damping", 1e5, NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.model = HL_MODEL_QUASISTATIC;
  options.formulation = HL_FORMULATION_RELAXED;
  options.start = HL_START_AS_GIVEN;
  options.rtol = 1e-9;
  options.t_end = 1.0;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  double worst = hl_test_run_energy_gap (&run), largest = hl_test_run_largest (&run, 3);
  g_test_message ("%s: %.2e of %.3e J", name, worst, largest);
  g_assert_cmpfloat (worst, <, tolerance * largest * hl_test_tolerance_scale ());
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static void test_energy (void) {
  check_balance ("regenerative-extension.hydrolink", 1e-6);
  check_balance ("crank-rocker.hydrolink", 1e-6);
  check_balance ("double-pilot-check.hydrolink", 1e-6);
}

/* When the loader's valves are back, its compensators fall shut by the exponential function, until they pass
 * 1e-45 m3/s and less: behind them pressures are looked for no more. */
static void test_all_but_shut (void) {
  static const char *const paths[] = {HL_TEST_ENERGIES, "arm_cyl.speed", NULL};
  HlTestModel model = hl_test_model_load_with (
      "load-sensing-loader.hydrolink", "arm_cyl.virtual_stiffness", 1.7e8, "arm_cyl.virtual_damping", 1.7e6,
      "bucket_cyl.virtual_stiffness", 3.2e7, "bucket_cyl.virtual_damping", 3.5e5, NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.model = HL_MODEL_QUASISTATIC;
  options.formulation = HL_FORMULATION_RELAXED;
  options.max_steps = 2e4;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  double worst = hl_test_run_energy_gap (&run), largest = hl_test_run_largest (&run, 4);
  g_test_message ("%.2e of %.3e J", worst, largest);
  g_assert_cmpfloat (worst, <, 1e-6 * largest * hl_test_tolerance_scale ());
  hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 5), 0.0, 0.0, 1e-3);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Two locks that open each other. Where the pilot of the rod's lock begins to open it, pressures at which it just
 * stays shut balance all flows as well, and would rise with the pilot to the threefold of the supply; but at
 * less than those oil leaves the chamber, and its pressure falls. The reference is of the lumped oil, which
 * is softer by 9e-5 m. */
static void test_locks (void) {
  static const char *const paths[] = {"load.x", "head.pressure", "rod.pressure", NULL};
  g_autofree char *path = hl_test_golden_path ("components/double-pilot-check.hydrolink");
  HlTestTable *table = hl_test_golden_csv ("components/double-pilot-check.csv");
  HlDocument *doc = hl_document_load (path, NULL);
  HlTestModel drawn = hl_test_model_from_document (doc);
  HlTestModel model =
      hl_test_model_from_document (hl_oil_take_proposals (doc, drawn.sys, HL_MODEL_QUASISTATIC, NULL, NULL));
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.model = HL_MODEL_QUASISTATIC;
  options.formulation = HL_FORMULATION_RELAXED;
  options.t_end = 0.25;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++)
    for (int column = 1; column < 3; column++) /* NAN where it is locked in */
      g_assert_false (hl_test_run_value (&run, row, column) > 1.5e7);
  int last = run.n_rows - 1;
  hl_assert_near (run.t[last], hl_test_table_value (table, last, "t"), 1e-12, 0.0);
  hl_assert_near (hl_test_run_value (&run, last, 0), hl_test_table_value (table, last, "x"), 0.0, 2e-4);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
  hl_test_model_clear (&drawn);
  hl_test_table_free (table);
}

/* ---- valves that hunt ---- */

/* A load is let down by a pump: v = -Q/A_B, whatever a damped pilot with a high ratio makes of it. */
static const char damped_pilot[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'm',"
    " 'fluid': {'density': 850}, 'ground': {'points': {'foot': [0, 0]}},"
    " 'bodies': [{'id': 'load', 'points': {'p': [0, 0]}, 'mass': 2000, 'inertia': 100,"
    "   'pose': [0, 1.5, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.foot', 'b': 'load.p',"
    "   'axis': 1.5707963267948966}],"
    " 'components': [{'id': 'pump', 'kind': 'flow-source', 'flow': 1.689e-5},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'pressure': 2e7, 'Cd': 0.6, 'area': 4e-5},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'damp', 'kind': 'throttle', 'area': 4.181e-8},"
    "  {'id': 'cbv', 'kind': 'counterbalance-valve', 'pressure': 9e6, 'pilot_ratio': 288.6,"
    "   'opening_range': 1.005e7, 'Cd': 0.6, 'area': 5.716e-6, 'back_pressure_gain': 0},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.foot', 'rod': 'load.p',"
    "   'piston_area': 0.005, 'rod_side_area': 0.003, 'stroke': 0.9, 'c1': 1.1, 'c2': 0.1}],"
    " 'lines': [{'id': 'T', 'ports': ['tank.T', 'relief.T', 'cbv.B']},"
    "  {'id': 'head', 'ports': ['cbv.A', 'cyl.A'], 'volume': 3e-4, 'pressure': 4e6},"
    "  {'id': 'rod', 'ports': ['pump.P', 'relief.A', 'cyl.B', 'damp.A'], 'volume': 3e-4,"
    "   'pressure': 1e5},"
    "  {'id': 'X', 'ports': ['damp.B', 'cbv.X'], 'volume': 3e-4, 'pressure': 1e5}]}";

/* The pressure at the rod's side at which the valve takes A_A Q/A_B under the force f, by bisection. Where no pressure of
 * the outside is given, openings take 1e5 Pa for it. */
static double pilot_by_bisection (double f, const double area[2], double flow) {
  double low = 0.0, high = 2e7;

  for (int k = 0; k < 200; k++) {
    double p = 0.5 * (low + high), load = (f + area[1] * p) / area[0];
    double e = fmin (fmax ((load - 1e5 + 288.6 * (p - 1e5) - 9e6) / 1.005e7, 0.0), 1.0);
    double drop = fmax (load - 1e5, 0.0);
    if (e * e * (3.0 - 2.0 * e) * 0.6 * 5.716e-6 * sqrt (2.0 * drop / 850.0) < flow)
      low = p;
    else
      high = p;
  }
  return 0.5 * (low + high);
}

/* Of lines that are alike compliant no pressures come to rest in the ring pilot, load, speed, pump's line: valves
 * hunt, in the lumped oil too. But there is one set of pressures at which all flows sum up, and it is returned. */
static void test_hunting_pilots (void) {
  HlTestModel model = hl_test_model_filled (damped_pilot, NULL);
  HlQuasiNet *net = hl_quasi_net_new_steady (model.sys);
  const double area[2] = {0.005, 0.003}, Q = 1.689e-5, beta = 1.94e6;
  const double loads[] = {-34302.0, 24096.0, -34302.0, 12500.0, 28000.0, 11641.0, 88035.0}; /* [N] */

  g_free (state_of (&model));
  hl_quasi_net_open (net, model.work);
  HlQuasiPiston *piston = hl_quasi_net_pistons (net);
  for (gsize k = 0; k < G_N_ELEMENTS (loads); k++) {
    double fbar = loads[k];
    HlFault fault = {0};
    piston->beta = beta;
    piston->fbar = fbar;
    g_assert_cmpint (hl_quasi_net_solve (net, &fault), ==, HL_OK);
    double f = fbar - beta * Q / area[1];
    double p = pilot_by_bisection (f, area, area[0] / area[1] * Q);
    hl_assert_near (piston->v, -Q / area[1], 1e-9, 0.0);
    hl_assert_near (piston->f, f, 1e-9, 1e-3);
    if (f < 1000.0) /* so far open that the drop is laminar */
      continue;
    hl_assert_near (hl_quasi_net_pressure_held (net, piston->node[1]), p, 1e-9, 0.0);
    hl_assert_near (hl_quasi_net_pressure_held (net, piston->node[0]), (f + area[1] * p) / area[0], 1e-9,
                    0.0);
  }
  hl_quasi_net_free (net);
  hl_test_model_clear (&model);
}

/* ---- the closed form is the solution of the network whose open seats cost no pressure ---- */

/* Largest effect of the orifices' laminar range, which the closed form neglects [m/s]: the range ends at 1
 * kPa, and the forces are of the order of 10 MPa. */
#define LAMINAR_SPEED 1e-4

enum { N_DRAWINGS = 300, N_STATES = 10 };

/* Numbers of components anew; FALSE: the system would have another shape. */
static bool draw_numbers (const HlTestModel *model, HlSystem *sys) {
  g_auto (GStrv) paths = hl_document_list_paths (model->doc, TRUE);

  for (int k = 0; paths[k] != NULL; k++) {
    HlParameter parameter;
    HlPathInfo info;
    if (!hl_path_find (model->doc, paths[k], &info, NULL) || info.section != HL_SECTION_COMPONENTS ||
        !hl_system_find_parameter (sys, paths[k], &parameter))
      continue;
    double value = hl_system_get_parameter (sys, parameter);
    if (value > 0.0 && isfinite (value) && g_test_rand_bit ())
      hl_system_set_parameter (sys, parameter, value * hl_test_log_uniform (0.5, 2.0));
  }
  return hl_system_check_shape (sys, NULL) == HL_OK;
}

static void widen_seats (HlSystem *sys) {
  for (int k = 0; k < sys->n_components; k++) {
    HlComponent *c = &sys->components[k];
    bool is_seat =
        strcmp (c->klass->kind.name, "check-valve") == 0 || strcmp (c->klass->kind.name, "relief-valve") == 0;
    g_autofree char *path = g_strconcat (hl_system_entity_id (sys, HL_ENTITY_COMPONENT, k), ".area", NULL);
    HlParameter area;
    if (is_seat && hl_system_find_parameter (sys, path, &area))
      hl_system_set_parameter (sys, area, 1e6 * hl_system_get_parameter (sys, area));
  }
}

/* Regeneration counts in the closed form where the rod comes out, and there alone. */
static bool regenerates_elsewhere (const HlQuasiMachine *machine) {
  bool any = false;

  for (int k = 0; k < machine->n; k++) {
    const HlActuator *a = &machine->actuators[k];
    any = any || (a->ua > 0.0 && !(a->ph + a->tr > 0.0 && a->pr + a->th == 0.0));
  }
  return any;
}

/* Speeds of the rods by both at random states; the largest difference [m/s]. */
static int compare_forms (const HlTestModel *model, HlSystem *sys, const double lumped[], double *worst) {
  HlWork *work = hl_work_new (sys);
  HlQuasiMachine forms[2];
  double rods[8];
  int n_compared = 0;

  hl_work_enter_segment (sys, work, 0.0);
  g_assert_cmpint (hl_partition_choose (sys, work, model->point->x, HL_PARTITION_PIVOT, NULL, 0, NULL), ==,
                   HL_OK);
  g_assert_cmpint (hl_quasi_machine_init_as (&forms[0], sys, false, NULL), ==, HL_OK);
  if (forms[0].net != NULL) { /* regeneration needs a head chamber that is the larger one */
    hl_quasi_machine_clear (&forms[0]);
    hl_work_free (work);
    return 0;
  }
  widen_seats (sys);
  g_assert_cmpint (hl_quasi_machine_init_as (&forms[1], sys, true, NULL), ==, HL_OK);
  g_assert_nonnull (forms[1].net);
  hl_quasi_start (&forms[0], sys, work, model->point, false, rods, NULL);
  int n = hl_quasi_n_states (sys, work), first = hl_off_rod (work), spool = hl_off_spool (sys, work);
  g_autofree double *y = g_new0 (double, n + 1), *closed = g_new0 (double, n + 1),
                    *net = g_new0 (double, n + 1);
  for (int round = 0; round < N_STATES; round++) {
    memcpy (y, lumped, (size_t)first * sizeof (double));
    for (int k = hl_off_v (work); k < hl_off_ad (work); k++)
      y[k] += hl_test_uniform (-0.3, 0.3);
    for (int k = 0; k < sys->n_cylinders; k++)
      y[first + k] = rods[k] + hl_test_uniform (-5e-3, 5e-3);
    for (int k = 0; k < work->u; k++)
      y[spool + k] = hl_test_uniform (-1.0, 1.0);
    HlQuasiState state = {.sys = sys, .t = hl_test_uniform (0.0, sys->t_end), .y = y};
    hl_work_enter_segment (sys, work, state.t);
    if (hl_quasi_rates (&forms[0], state, closed, work, NULL) != HL_OK || regenerates_elsewhere (&forms[0]))
      continue;
    g_assert_cmpint (hl_quasi_rates (&forms[1], state, net, work, NULL), ==, HL_OK);
    for (int k = first; k < spool; k++)
      *worst = fmax (*worst, fabs (net[k] - closed[k]));
    n_compared++;
  }
  for (int k = 0; k < 2; k++)
    hl_quasi_machine_clear (&forms[k]);
  hl_work_free (work);
  return n_compared;
}

static void test_forms (void) {
  static const char *const names[] = {"metering-arm.hydrolink", "regeneration-arm-ua0.hydrolink",
                                      "regeneration-arm-ua05.hydrolink", "two-arms-1.hydrolink",
                                      "two-arms-2.hydrolink"};
  int n = 0;

  for (guint k = 0; k < G_N_ELEMENTS (names); k++) {
    HlTestModel model = hl_test_model_load (names[k]);
    g_autofree double *lumped = state_of (&model);
    double worst = 0.0;
    int before = n;
    for (int drawing = 0; drawing < N_DRAWINGS; drawing++) {
      HlSystem *sys = hl_system_copy (model.sys);
      if (draw_numbers (&model, sys))
        n += compare_forms (&model, sys, lumped, &worst);
      hl_system_unref (sys);
    }
    g_test_message ("%s: %d states, at most %.1e m/s apart", names[k], n - before, worst);
    g_assert_cmpfloat (worst, <, LAMINAR_SPEED);
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (n, >, 10000);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quasistatic/network/lumped-model-stands-still", test_lumped_stands_still);
  g_test_add_func ("/quasistatic/network/orifices-in-series", test_series);
  g_test_add_func ("/quasistatic/network/load-lines-meet-it-once", test_load_lines);
  g_test_add_func ("/quasistatic/network/trapped-oil-has-no-pressure", test_trapped);
  g_test_add_func ("/quasistatic/network/exact-jacobian", test_jacobian);
  g_test_add_func ("/quasistatic/network/the-closed-form-is-its-solution", test_forms);
  g_test_add_func ("/quasistatic/network/energy", test_energy);
  g_test_add_func ("/quasistatic/network/locks-open-the-way-that-oil-goes", test_locks);
  g_test_add_func ("/quasistatic/network/pressures-that-pilots-hunt-about", test_hunting_pilots);
  g_test_add_func ("/quasistatic/network/valves-that-are-all-but-shut", test_all_but_shut);
  return g_test_run ();
}
