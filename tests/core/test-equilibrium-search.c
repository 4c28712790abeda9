/* SPDX-License-Identifier: MIT */
/* An equilibrium is found wherever a long run settles. The oracle is that run: the machine as
 * given, heavily damped, until nothing changes any more.
 *
 * HL_CIRCUITS=N tries so many random circuits instead of the few of the suite, from HL_SEED on;
 * HL_CIRCUITS=1 HL_SEED=S repeats one and prints its file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test-random-circuit.h"

#define FEW_CIRCUITS 80
#define FIRST_SEED 1u
#define LONG_RUN 400.0 /* [s] */

typedef struct {
  int n, settled, found, restless, same, alone;
  double longest; /* [s] of wall time for one search */
} Tally;

typedef struct {
  gboolean settles;
  double place, pressure[8];
} Rest;

static Rest rest_of_long_run (const HlTestModel *model, const HlTestCircuit *circuit) {
  char names[8][16];
  const char *paths[10] = {"e0.s"};
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  Rest rest = {.settles = TRUE};

  for (int line = 0; line < circuit->n_lines; line++) {
    g_snprintf (names[line], sizeof names[line], "l%d.pressure", line);
    paths[line + 1] = names[line];
  }
  options.t_end = LONG_RUN;
  options.every = LONG_RUN / 40.0;
  options.rtol = 1e-7;
  HlTestRun run = hl_test_run (model, options, paths);
  rest.settles = run.status == HL_OK;
  for (int row = run.n_rows / 2; rest.settles && row < run.n_rows; row++) {
    double place = hl_test_run_value (&run, row, 0), last = hl_test_run_value (&run, run.n_rows - 1, 0);
    rest.settles = fabs (place - last) < 1e-7;
    for (int line = 0; line < circuit->n_lines; line++)
      rest.settles = rest.settles && fabs (hl_test_run_value (&run, row, line + 1) -
                                           hl_test_run_value (&run, run.n_rows - 1, line + 1)) < 30.0;
  }
  if (rest.settles) {
    rest.place = hl_test_run_value (&run, run.n_rows - 1, 0);
    for (int line = 0; line < circuit->n_lines; line++)
      rest.pressure[line] = hl_test_run_value (&run, run.n_rows - 1, line + 1);
  }
  hl_test_run_clear (&run);
  return rest;
}

/* Returns whether the equilibrium is isolated: no eigenvalue is 0, so no oil is trapped. */
static gboolean stands_alone (const HlTestModel *model) {
  int n = hl_work_n_states (model->work);
  g_autofree double *J = g_new0 (double, n *n + 1), *y = g_new0 (double, n + 1),
                    *y_dot = g_new0 (double, n + 1), *sigma = g_new0 (double, n + 1);
  HlLinalgWork *lw = hl_linalg_work_new (n + 1, n + 1);
  int off_p = hl_off_p (model->work);

  g_assert_cmpint (
      hl_partition_choose (model->sys, model->work, model->point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL),
      ==, HL_OK);
  hl_state_pack (model->sys, model->work, model->point, y);
  g_assert_cmpint (hl_jacobian_eval (model->sys, 0.0, y, J, model->work, NULL), ==, HL_OK);
  for (int row = 0; row < n; row++) {
    double most = 0.0;
    for (int c = 0; c < n; c++) {
      J[c * n + row] *= c >= off_p && c < hl_off_u (model->work) ? 1e6 : 1.0;
      most = fmax (most, fabs (J[c * n + row]));
    }
    for (int c = 0; most > 0.0 && c < n; c++)
      J[c * n + row] /= most;
  }
  g_assert_cmpint (hl_singular_values (n, n, J, sigma, lw), ==, HL_OK);
  hl_linalg_work_free (lw);
  return sigma[n - 1] > 1e-9 * sigma[0];
}

/* At rest a run from here leaves everything where it is. */
static gboolean rests (const HlTestModel *model, guint32 seed) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  const char *const paths[] = {"e0.s", "l0.pressure", "l1.pressure", NULL};
  gboolean stays = TRUE;

  options.from = model->point;
  options.t_end = 1e-3;
  options.every = 1e-3;
  HlTestRun run = hl_test_run (model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int column = 0; column < 3; column++) {
    double first = hl_test_run_value (&run, 0, column);
    double by = hl_test_run_value (&run, run.n_rows - 1, column) - first;
    stays = stays && fabs (by) <= (column == 0 ? 1e-9 : 10.0 + 1e-6 * fabs (first));
    if (!stays)
      g_test_message ("seed %u: %s moves by %g from %g; again: ./dev circuits 1 %u", seed, paths[column], by,
                      first, seed);
  }
  hl_test_run_clear (&run);
  return stays;
}

static double pressure_of (const HlTestModel *model, int line) {
  int state = model->sys->nodes[model->sys->lines[line].node].state;

  return state >= 0 ? model->point->p[state] : NAN;
}

static double length_of (const HlTestModel *model) {
  return model->work->cylinders[0].length.s;
}

static void try_circuit (guint32 seed, Tally *tally, gboolean prints) {
  HlTestCircuit circuit = hl_test_circuit_new (seed);
  if (prints)
    g_print ("# %s\n", circuit.text);
  HlTestModel model = hl_test_model_from_text (circuit.text);
  Rest rest = rest_of_long_run (&model, &circuit);
  HlFault fault = {.entity = -1, .time = NAN};

  gint64 begin = g_get_monotonic_time ();
  HlStatus status =
      hl_start_point (model.sys, model.work, HL_START_EQUILIBRIUM, NULL, model.point, NULL, &fault);
  tally->longest = fmax (tally->longest, 1e-6 * (double)(g_get_monotonic_time () - begin));
  tally->n++;
  tally->settled += rest.settles;
  if (status == HL_OK) {
    double s = length_of (&model), off = fabs (s - rest.place) / 1e-5;
    tally->found += rest.settles;
    tally->restless += !rests (&model, seed);
    for (int line = 0; line < circuit.n_lines; line++) {
      double p = pressure_of (&model, line);
      if (!isnan (p))
        off = fmax (off, fabs (p - rest.pressure[line]) / 2e3);
    }
    if (rest.settles && circuit.is_slider && !circuit.has_seats && stands_alone (&model)) {
      tally->alone++;
      tally->same += off < 1.0;
      if (off >= 1.0)
        g_test_message ("seed %u: another rest than that of the long run, by %g; again: ./dev "
                        "circuits 1 %u",
                        seed, off, seed);
    }
  } else if (rest.settles) {
    g_autofree char *message = hl_fault_message (model.sys, &fault);
    g_test_message ("seed %u settles, but: %s; again: ./dev circuits 1 %u", seed, message, seed);
  }
  hl_test_model_clear (&model);
  hl_test_circuit_clear (&circuit);
}

static guint32 number_from (const char *name, guint32 otherwise) {
  const char *text = g_getenv (name);

  return text != NULL ? (guint32)strtoul (text, NULL, 10) : otherwise;
}

/* Circuits that failed once. */
static void test_known_circuits (void) {
  /* a chamber that nothing presses on, in balance without an end stop; an accumulator that begins to
   * fill on the way */
  static const guint32 seeds[] = {425100, 1100200};
  Tally tally = {0};

  for (gsize k = 0; k < G_N_ELEMENTS (seeds); k++)
    try_circuit (seeds[k], &tally, FALSE);
  g_assert_cmpint (tally.settled, ==, (int)G_N_ELEMENTS (seeds));
  g_assert_cmpint (tally.found, ==, tally.settled);
  g_assert_cmpint (tally.restless, ==, 0);
}

static void test_random_circuits (void) {
  int n = (int)number_from ("HL_CIRCUITS", FEW_CIRCUITS);
  guint32 first = number_from ("HL_SEED", FIRST_SEED);
  Tally tally = {0};

  for (int k = 0; k < n; k++)
    try_circuit (first + (guint32)k, &tally, n == 1);
  g_test_message ("%d circuits from seed %u: %d settle in %g s, %d of them found; %d of sliders "
                  "where no oil is locked in, %d at the same rest; longest search %.3f s",
                  tally.n, first, tally.settled, LONG_RUN, tally.found, tally.alone, tally.same,
                  tally.longest);
  if (n >= FEW_CIRCUITS)
    g_assert_cmpint (tally.settled, >, n / 2);
  g_assert_cmpint (tally.found, ==, tally.settled);
  g_assert_cmpint (tally.restless, ==, 0);
  g_assert_cmpint (tally.same, ==, tally.alone);
}

/* ---- known places of rest ---- */

/* Model text with single quotes for double ones. */
static HlTestModel model_of (const char *text) {
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');

  return hl_test_model_from_text (json);
}

/* 10 MPa through an open valve on 21 cm2, the tank's 0.1 MPa on 12 cm2, against 30 kN/m: the spring
 * is longer than free by (1e7 * 0.0021 - 1e5 * 0.0012)/3e4 = 0.696 m. Its line starts at 0.1 MPa,
 * far beyond the valve's laminar range. */
static void test_open_valve (void) {
  HlTestModel model =
      model_of ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'b': [-0.5, "
                "0], 'g': [0, 0]}}, 'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 180, 'inertia': "
                "1, 'pose': [0.3, 0, 0]}], 'joints': [{'id': 'g', 'kind': 'prismatic', 'a': 'ground.g', 'b': "
                "'m.p', 'axis': 0}], 'loads': [{'id': 'sp', 'kind': 'spring', 'a': 'ground.b', 'b': 'm.p', "
                "'stiffness': 3e4, 'damping': 50, 'free_length': 0.6}], 'components': [{'id': 'src', 'kind': "
                "'pressure-source', 'pressure': 1e7}, {'id': 'tank', 'kind': 'tank'}, {'id': 'v', 'kind': "
                "'directional-valve', 'Cv': 1e-7, 'time_constant': 0.01, 'command': 0.5, 'spool': 0.5}, "
                "{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p', 'piston_area': 0.0021, "
                "'rod_side_area': 0.0012, 'stroke': 1.8, 'c1': 0.3}], 'lines': [{'id': 'P', 'ports': "
                "['src.P', 'v.P']}, {'id': 'A', 'ports': ['v.A', 'cyl.A'], 'volume': 1e-4}, {'id': 'B', "
                "'ports': ['v.B', 'cyl.B'], 'volume': 1e-4}, {'id': 'T', 'ports': ['tank.T', 'v.T']}]}");

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  hl_assert_near (model.point->x[0], 0.6 + 0.696 - 0.5, 1e-12, 0.0);
  hl_assert_near (model.point->p[0], 1e7, 1e-12, 0.0);
  hl_assert_near (model.point->p[1], 1e5, 1e-9, 0.0);
  hl_test_model_clear (&model);
}

#define ARM 0.5     /* of the rod's point on the lever [m] */
#define AREA_A 3e-3 /* [m2] */
#define AREA_B 1e-3
#define MASS 300.0
#define STIFFNESS 4e4
#define FREE_LENGTH 1.0

/* Moment on the lever of oil, weight and spring at an angle: another formulation than the
 * program's. */
static double lever_moment (double angle, double p_a, double p_b) {
  double c = cos (angle), s = sin (angle);
  double rod_x = ARM * c - 0.2, rod_y = ARM * s + 0.72, rod = hypot (rod_x, rod_y);
  double tip_x = c - 0.9, tip_y = s + 1.0, spring = hypot (tip_x, tip_y);
  double oil = AREA_A * p_a - AREA_B * p_b, pull = STIFFNESS * (spring - FREE_LENGTH);

  return oil * (ARM * c * rod_y - ARM * s * rod_x) / rod - pull * (c * tip_y - s * tip_x) / spring -
         MASS * 9.81 * 0.6 * c;
}

/* A lever with six pressures of its own between source and tank: from wherever they start, rest is
 * where the piston side has the source's pressure and the rod side the tank's. */
static void test_six_pressures (void) {
  HlTestModel model =
      model_of ("{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'b': [0.2, -0.72], 'g': [0, 0], "
                "'k': [0.9, -1]}}, 'bodies': [{'id': 'm', 'points': {'o': [0, 0], 'p': [0.5, 0], 'q': [1, "
                "0]}, 'com': [0.6, 0], 'mass': 300, 'inertia': 30, 'pose': [0, 0, 0]}], 'joints': [{'id': "
                "'j', 'kind': 'revolute', 'a': 'ground.g', 'b': 'm.o'}], 'loads': [{'id': 'k', 'kind': "
                "'spring', 'a': 'ground.k', 'b': 'm.q', 'stiffness': 4e4, 'damping': 100, 'free_length': "
                "1}], 'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p', "
                "'piston_area': 3e-3, 'rod_side_area': 1e-3, 'stroke': 0.6, 'c1': 0.5}, {'id': 'src', "
                "'kind': 'pressure-source', 'pressure': 4e6}, {'id': 'tank', 'kind': 'tank'}, {'id': 't1', "
                "'kind': 'throttle', 'area': 1e-5}, {'id': 't2', 'kind': 'throttle', 'area': 2e-6}, {'id': "
                "'dcv', 'kind': 'directional-valve', 'Cv': 1e-7, 'command': 0.4, 'spool': 0.4}, {'id': "
                "'t3', 'kind': 'throttle', 'area': 5e-6}, {'id': 't4', 'kind': 'throttle', 'area': 1e-6}], "
                "'lines': [{'id': 'P', 'ports': ['src.P', 't1.A']}, {'id': 'n1', 'ports': ['t1.B', 't2.A'], "
                "'volume': 1e-4}, {'id': 'n2', 'ports': ['t2.B', 'dcv.P'], 'volume': 1e-4}, {'id': 'n3', "
                "'ports': ['dcv.A', 't3.A'], 'volume': 1e-4}, {'id': 'n4', 'ports': ['t3.B', 'cyl.A'], "
                "'volume': 1e-4}, {'id': 'n5', 'ports': ['cyl.B', 't4.A'], 'volume': 1e-4}, {'id': 'n6', "
                "'ports': ['t4.B', 'dcv.B'], 'volume': 1e-4}, {'id': 'T', 'ports': ['tank.T', 'dcv.T']}]}");

  g_assert_cmpint (hl_system_n_pressures (model.sys), ==, 6);
  for (int start = 0; start < 12; start++) {
    HlSystem *sys = hl_system_copy (model.sys);
    HlPoint *point = hl_point_new (sys);
    HlWork *work = hl_work_new (sys);
    HlFault fault = {.entity = -1, .time = NAN};

    for (int line = 0; line < sys->n_lines; line++)
      sys->lines[line].pressure = hl_test_log_uniform (1e5, 2e7);
    sys->mech.bodies[0].pose[2] = hl_test_uniform (-0.1, 0.3);
    if (hl_start_point (sys, work, HL_START_EQUILIBRIUM, NULL, point, NULL, &fault) != HL_OK) {
      g_autofree char *message = hl_fault_message (sys, &fault);
      g_test_message ("start %d: %s", start, message);
      g_test_fail ();
    } else {
      for (int k = 0; k < 6; k++)
        hl_assert_near (point->p[k], k < 4 ? 4e6 : 1e5, 1e-9, 0.0);
      hl_assert_near (lever_moment (point->x[2], point->p[3], point->p[4]), 0.0, 0.0,
                      1e-7 * ARM * AREA_A * 4e6);
    }
    hl_work_free (work);
    hl_point_free (point);
    hl_system_unref (sys);
  }
  hl_test_model_clear (&model);
}

/* ---- coordinates with a dead point of their own ---- */

#define BAR_MASS 10.0
#define BAR_REACH 0.5 /* of its centre of mass from its pivot [m] */

/* A bar on a pivot by a torsion spring against its weight. Its x is the preferred coordinate of the file, and where the
 * bar lies level nothing accelerates x, whatever the angle does. */
static HlTestModel bar_on_a_pivot (double stiffness, double free_angle, double angle) {
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'g': [0, 0]}}, 'bodies': "
      "[{'id': "
      "'bar', 'points': {'o': [-0.5, 0]}, 'mass': 10, 'inertia': 1, 'pose': [%.17g, %.17g, "
      "%.17g]}], 'joints': [{'id': 'pivot', 'kind': 'revolute', 'a': 'ground.g', 'b': 'bar.o'}], "
      "'loads': [{'id': 'k', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'bar', 'stiffness': "
      "%.17g, 'free_angle': %.17g}], 'probes': [{'id': 'x', 'of': 'bar.x'}]}",
      BAR_REACH * cos (angle), BAR_REACH * sin (angle), angle, stiffness, free_angle);

  return model_of (text);
}

/* From either side of the dead point: found is where spring and weight balance, never the place
 * where x alone stands still. */
static void test_bar_passes_dead_point (void) {
  static const double stiffness[] = {20.0, 60.0, 200.0};

  for (int k = 0; k < 3; k++)
    for (double free_angle = -1.5; free_angle < 1.6; free_angle += 0.3)
      for (double start = -1.4; start < 1.5; start += 0.2) {
        HlTestModel model = bar_on_a_pivot (stiffness[k], free_angle, start);

        hl_test_model_start (&model, HL_START_EQUILIBRIUM);
        double angle = model.point->x[2], weight = BAR_MASS * 9.81 * BAR_REACH;
        hl_assert_near (stiffness[k] * (free_angle - angle) - weight * cos (angle), 0.0, 0.0, 1e-14 * weight);
        hl_assert_near (model.point->x[0], BAR_REACH * cos (angle), 0.0, 1e-12);
        hl_test_model_clear (&model);
      }
}

/* The rest lies at the dead point of x, or so near that x is at its end to rounding: x alone determines the angle to
 * 1e-8 there, and so do the joint's equations by x. The angle that is found is good to rounding:
 *   k (free - phi) = m g r cos phi      by choice of free */
static void test_bar_rests_at_dead_point (void) {
  static const double rests[] = {0.0, 1e-10, -1e-9, 1e-8, 3e-7, -1e-6, 2e-5, 1e-3};

  for (gsize k = 0; k < G_N_ELEMENTS (rests); k++)
    for (double start = -0.8; start < 0.9; start += 0.4) {
      double weight = BAR_MASS * 9.81 * BAR_REACH, stiffness = 60.0;
      double free_angle = rests[k] + weight * cos (rests[k]) / stiffness;
      HlTestModel model = bar_on_a_pivot (stiffness, free_angle, start);

      hl_test_model_start (&model, HL_START_EQUILIBRIUM);
      hl_assert_near (model.point->x[2], rests[k], 0.0, 4e-15);
      hl_test_model_clear (&model);
    }
}

/* A held state does not change, or an error reports that it cannot be held: level the bar's x is at its farthest, and
 * no force holds it there. */
static void test_bar_held_at_its_dead_point (void) {
  for (int k = 0; k < 3; k++) {
    double angle = k * 1e-3;
    g_autofree char *text = g_strdup_printf (
        "{'format': 'hydrolink', 'version': 1, 'equilibrium': {'hold': ['bar.x']}, 'ground': "
        "{'points': {'g': [0, 0]}}, 'bodies': [{'id': 'bar', 'points': {'o': [-0.5, 0]}, 'mass': "
        "10, 'inertia': 1, 'pose': [%.17g, %.17g, %.17g]}], 'joints': [{'id': 'pivot', 'kind': "
        "'revolute', 'a': 'ground.g', 'b': 'bar.o'}], 'loads': [{'id': 'k', 'kind': "
        "'torsion-spring', 'a': 'ground', 'b': 'bar', 'stiffness': 60, 'free_angle': 1}]}",
        BAR_REACH * cos (angle), BAR_REACH * sin (angle), angle);
    HlTestModel model = model_of (text);
    HlFault fault = {.entity = -1, .time = NAN};
    HlStatus status =
        hl_start_point (model.sys, model.work, HL_START_EQUILIBRIUM, NULL, model.point, NULL, &fault);
    g_autofree char *message = hl_fault_message (model.sys, &fault);

    g_assert_cmpint (status, ==, HL_OVERHELD);
    g_assert_nonnull (strstr (message, "‘bar’"));
    g_assert_nonnull (strstr (message, "equilibrium.hold"));
    hl_test_model_clear (&model);
  }
}

/* Held where a shut check valve has to keep the load, while the pump behind it has to find its
 * relief valve: neither pressure is known at the start. */
static void test_held_behind_check_valve (void) {
  HlTestModel model =
      model_of ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'equilibrium': {'hold': ['m.x']}, "
                "'fluid': {'density': 850}, 'ground': {'points': {'b': [-0.6, 0], 'g': [0, 0]}}, 'bodies': "
                "[{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 100, 'inertia': 1, 'pose': [0.2, 0, 0]}], "
                "'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}], "
                "'loads': [{'id': 'push', 'kind': 'force', 'point': 'm.p', 'direction': [-1, 0], 'signal': "
                "1e4}], 'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p', "
                "'piston_area': 2e-3, 'rod_side_area': 1e-3, 'stroke': 0.6, 'c1': 0.5}, {'id': 'tank', "
                "'kind': 'tank'}, {'id': 'pump', 'kind': 'flow-source', 'flow': 2e-4}, {'id': 'cv', 'kind': "
                "'check-valve', 'Cd': 0.6, 'area': 1e-5}, {'id': 'rv', 'kind': 'relief-valve', 'Cd': 0.6, "
                "'area': 1e-5, 'pressure': 3e6}], 'lines': [{'id': 'T', 'ports': ['tank.T', 'cyl.B', "
                "'rv.T']}, {'id': 'V', 'ports': ['pump.P', 'rv.A', 'cv.A'], 'volume': 1e-3}, {'id': 'A', "
                "'ports': ['cv.B', 'cyl.A'], 'volume': 1e-3}]}");

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  double root = 2e-4 / (0.6 * 1e-5 * sqrt (2.0 / 850.0));
  hl_assert_near (model.point->x[0], 0.2, 1e-15, 0.0);
  hl_assert_near (model.point->p[0], 1e5 + 3e6 + root * root, 1e-9, 0.0);
  hl_assert_near (model.point->p[1], (1e4 + 1e5 * 1e-3) / 2e-3, 1e-9, 0.0);
  hl_test_model_clear (&model);
}

/* One chamber closed, the other filling from a tank of another pressure: while its line fills the piston stands still,
 * for nothing moves it but a small difference of pressures. The shut one comes to p_H = (p_tank A_r - F)/A where it is,
 * not at the other end of the stroke. */
static void test_shut_in (void) {
  static const double tanks[] = {5.1e6, 5.5e6, 6e6, 8e6, 1.2e7};

  for (gsize k = 0; k < G_N_ELEMENTS (tanks); k++) {
    g_autofree char *text = g_strdup_printf (
        "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'density': 870}, "
        "'ground': {'points': {'b': [-1, 0], 'g': [0, 0]}}, 'bodies': [{'id': 'm', 'points': {'p': "
        "[0, 0]}, 'mass': 200, 'inertia': 1, 'pose': [0.1, 0, 0]}], 'joints': [{'id': 'j', 'kind': "
        "'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}], 'loads': [{'id': 'F', 'kind': "
        "'force', 'point': 'm.p', 'direction': [1, 0], 'signal': 6000}], 'components': [{'id': "
        "'tank', 'kind': 'tank', 'pressure': %g}, {'id': 'out', 'kind': 'throttle', 'Cd': 0.6, "
        "'area': 5e-5}, {'id': 'c', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p', "
        "'piston_area': 2.4e-3, 'rod_side_area': 1.2e-3, 'stroke': 1, 'c1': 1}], 'lines': [{'id': "
        "'T', 'ports': ['tank.T', 'out.B']}, {'id': 'R', 'ports': ['out.A', 'c.B'], 'volume': "
        "1e-4}, {'id': 'H', 'ports': ['c.A'], 'volume': 1e-4}]}",
        tanks[k]);
    HlTestModel model = model_of (text);
    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    hl_assert_near (model.point->x[0], 0.1, 0.0, 1e-12);
    hl_assert_near (model.point->p[0], tanks[k], 1e-9, 0.0);
    hl_assert_near (model.point->p[1], (tanks[k] * 1.2e-3 - 6000.0) / 2.4e-3, 1e-9, 0.0);
    hl_test_model_clear (&model);
  }
}

/* Wherever the line of a pump begins, the linkage, which shut valves separate from it, comes to rest near the pose of the file,
 * where trapped oil holds it. The search once opened the valve on its way to the relief valve, and left the boom 12 degrees
 * off. */
static void test_pump_moves_nothing (void) {
  static const double pressures[] = {5e5, 5e6, 1.6e7, 1.61e7, 1.6219e7, 1.7e7, 3e7};

  for (gsize k = 0; k < G_N_ELEMENTS (pressures); k++) {
    HlTestModel model =
        hl_test_model_load_with ("aerial-platform.hydrolink", "P.pressure", pressures[k], NULL);
    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    for (int body = 0; body < 2; body++)
      hl_assert_near (model.point->x[3 * body + 2], 0.0, 0.0, 0.001);
    hl_test_model_clear (&model);
  }
}

/* ---- where there is none ---- */

#define SLIDER                                                                                               \
  "'ground': {'points': {'b': [-0.6, 0], 'g': [0, 0]}}, 'bodies': [{'id': 'm', 'points': {'p': "             \
  "[0, 0]}, 'mass': 100, 'inertia': 1, 'pose': [0.2, 0, 0]}], 'joints': [{'id': 'j', 'kind': "               \
  "'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}]"
#define CYLINDER                                                                                             \
  "{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p', 'piston_area': 2e-3, "                \
  "'rod_side_area': 1e-3, 'stroke': 0.6, 'c1': 0.5}"

static void assert_refused (const char *text, const char *who, const char *why, const char *mend) {
  HlTestModel model = model_of (text);
  HlFault fault = {.entity = -1, .time = NAN};

  g_assert_cmpint (
      hl_start_point (model.sys, model.work, HL_START_EQUILIBRIUM, NULL, model.point, NULL, &fault), !=,
      HL_OK);
  g_autofree char *message = hl_fault_message (model.sys, &fault);
  g_test_message ("%s", message);
  g_assert_nonnull (strstr (message, who));
  g_assert_nonnull (strstr (message, why));
  g_assert_nonnull (strstr (message, mend));
  hl_test_model_clear (&model);
}

/* A pump that only finds a check valve into a closed vessel. */
static void test_no_way_out (void) {
  assert_refused (
      "{'format': 'hydrolink', 'version': 1, " SLIDER ", 'components': [" CYLINDER
      ", {'id': 'tank', 'kind': 'tank'}, {'id': 'pump', 'kind': 'flow-source', 'flow': 1e-4}, "
      "{'id': 'cv', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-5}], 'lines': [{'id': 'T', "
      "'ports': ['tank.T', 'cyl.A', 'cyl.B']}, {'id': 'V', 'ports': ['pump.P', 'cv.A'], 'volume': "
      "1e-3}, {'id': 'W', 'ports': ['cv.B'], 'volume': 1e-3}]}",
      "Line ‘", "oil only flows into", "relief");
}

static void test_runs_dry (void) {
  assert_refused ("{'format': 'hydrolink', 'version': 1, " SLIDER ", 'components': [" CYLINDER
                  ", {'id': 'tank', 'kind': 'tank'}, {'id': 'pump', 'kind': 'flow-source', 'flow': -1e-4}], "
                  "'lines': [{'id': 'T', 'ports': ['tank.T', 'cyl.A', 'cyl.B']}, {'id': 'V', 'ports': "
                  "['pump.P'], 'volume': 1e-3}]}",
                  "Line ‘V’", "only flows out", "suction valve");
}

/* Shut up against its relief valve the pump finds its way: the flow through it is the pump's. */
static void test_relief_opens (void) {
  HlTestModel model = model_of (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], " SLIDER ", 'components': [" CYLINDER
      ", {'id': 'tank', 'kind': 'tank'}, {'id': 'pump', 'kind': 'flow-source', 'flow': 2e-4}, "
      "{'id': 'rv', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 5e6}], 'lines': "
      "[{'id': 'T', 'ports': ['tank.T', 'cyl.A', 'cyl.B', 'rv.T']}, {'id': 'V', 'ports': "
      "['pump.P', 'rv.A'], 'volume': 1e-3}], 'fluid': {'density': 850}, 'loads': [{'id': 'k', "
      "'kind': 'spring', 'a': 'ground.b', 'b': 'm.p', 'stiffness': 1e4, 'damping': 100, "
      "'free_length': 0.7}]}");

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  double root = 2e-4 / (0.6 * 1e-5 * sqrt (2.0 / 850.0));
  hl_assert_near (model.point->p[0], 1e5 + 5e6 + root * root, 1e-12, 0.0);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equilibrium-search/open-valve-far-from-laminar", test_open_valve);
  g_test_add_func ("/equilibrium-search/six-pressures-from-anywhere", test_six_pressures);
  g_test_add_func ("/equilibrium-search/pump-opens-its-relief", test_relief_opens);
  g_test_add_func ("/equilibrium-search/bar-that-passes-its-dead-point", test_bar_passes_dead_point);
  g_test_add_func ("/equilibrium-search/bar-that-rests-at-its-dead-point", test_bar_rests_at_dead_point);
  g_test_add_func ("/equilibrium-search/bar-held-at-its-dead-point", test_bar_held_at_its_dead_point);
  g_test_add_func ("/equilibrium-search/held-behind-a-check-valve", test_held_behind_check_valve);
  g_test_add_func ("/equilibrium-search/shut-in-stays-where-it-is", test_shut_in);
  g_test_add_func ("/equilibrium-search/a-pump-behind-a-shut-valve-moves-nothing", test_pump_moves_nothing);
  g_test_add_func ("/equilibrium-search/pump-without-a-way-out", test_no_way_out);
  g_test_add_func ("/equilibrium-search/line-that-runs-dry", test_runs_dry);
  g_test_add_func ("/equilibrium-search/circuits-that-failed-once", test_known_circuits);
  g_test_add_func ("/equilibrium-search/random-circuits", test_random_circuits);
  return g_test_run ();
}
