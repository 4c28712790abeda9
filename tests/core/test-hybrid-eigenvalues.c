/* SPDX-License-Identifier: MIT */
/* Eigenvalues of the hybrid model in a mode: against closed forms, and against the exact lumped
 * ones as the oil becomes stiff. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/hybrid/hl-hybrid-mode-history.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

static int count_free (const HlLinearization *lin) {
  int n = 0;

  for (int k = 0; k < lin->n; k++)
    n += !lin->eigenvalues[k].null;
  return n;
}

/* Entry of B. */
static double slope_of (const HlLinearization *lin, const char *state, const char *input) {
  for (int row = 0; row < lin->n; row++)
    for (int column = 0; column < lin->n_inputs; column++)
      if (strcmp (lin->state_names[row], state) == 0 && strcmp (lin->input_names[column], input) == 0)
        return lin->B[row + lin->n * column];
  g_error ("no slope of %s by %s", state, input);
}

static const HlHybridNeighbour *find_neighbour (const HlSystem *sys, const HlHybridNeighbour *neighbours,
                                                int n, const char *id, bool on) {
  for (int k = 0; k < n; k++)
    if (neighbours[k].on == on &&
        strcmp (hl_system_entity_id (sys, HL_ENTITY_COMPONENT, neighbours[k].component), id) == 0)
      return &neighbours[k];
  g_error ("no neighbour where %s is %s", id, on ? "shut" : "open");
}

/* hybrid-two-cylinders as it starts: the pump's flow goes through the dump valve, everything else
 * is shut, and nothing is free. With the relief valve open, relief r and dump q share the flow:
 * r + q = Q,  I_r r' - I_q q' = K_q q^2 - K_r r |r| - crack,  so lambda = -(2 K_q Q) / (I_r + I_q)
 * at r = 0. With the check open, the oil of q1 and the piston are free as well. */
static void test_start (void) {
  HlTestModel model = hl_test_model_load ("hybrid-two-cylinders.hydrolink");
  HlHybridLinear *linear = hl_hybrid_linearize (model.sys, NULL, NULL, NULL);
  HlHybridNeighbour *neighbours;
  int n = hl_hybrid_find_neighbours (model.sys, NULL, NULL, 1e-6, &neighbours);
  double inertia = 850.0 * 1.0 / 3e-4;
  double loss = 850.0 / 2.0 / pow (0.6 * 8e-5, 2.0);

  g_assert_nonnull (linear);
  g_assert_cmpint (linear->lin->n, ==, 2);
  g_assert_cmpint (linear->lin->n_null, ==, 2);
  const HlLinearization *relief = find_neighbour (model.sys, neighbours, n, "relief", false)->linear->lin;
  g_assert_cmpint (count_free (relief), ==, 1);
  hl_assert_near (relief->eigenvalues[2].re, -2.0 * loss * 1e-3 / (2.0 * inertia), 1e-9, 0.0);

  /* x1 moves with q1 (area 2e-3, length 2 m): (m + A^2 (I_q1 + I_dump)) v' = ... the dump's loss
   * falls as A v is taken from it, friction 500 N s/m; nothing flows through q1 yet */
  const HlLinearization *check = find_neighbour (model.sys, neighbours, n, "check1", false)->linear->lin;
  g_assert_cmpint (count_free (check), ==, 1);
  double area = 2e-3;
  int body = 0;
  while (strcmp (hl_system_entity_id (model.sys, HL_ENTITY_BODY, body), "mass1") != 0)
    body++;
  double mass = model.sys->mech.bodies[body].mass + area * area * 3.0 * inertia;
  hl_assert_near (check->eigenvalues[2].re, -(500.0 + area * area * 2.0 * loss * 1e-3) / mass, 1e-9, 0.0);
  /* valves and stops that can switch: relief, check1, the lower stop of cyl2 */
  g_assert_cmpint (n, ==, 3);
  g_assert_cmpfloat (linear->error, <, 1e-8);
  hl_hybrid_neighbours_free (neighbours, n);
  hl_hybrid_linear_free (linear);
  hl_test_model_clear (&model);
}

/* A lever against a spring, its cylinder between a source and a tank, a pipe with resistance on
 * either side: geometry, gravity and reduced inertia all matter. */
static const char lever[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'lever', 'gravity': [0, -9.81],"
    " 'fluid': {'bulk_modulus': 1e12, 'density': 850},"
    " 'ground': {'points': {'O': [0, 0], 'base': [0.9, -0.4]}},"
    " 'bodies': [{'id': 'arm', 'points': {'O': [0, 0], 'pin': [0.6, 0.1]}, 'mass': 40,"
    "   'inertia': 6, 'com': [0.4, 0.05], 'pose': [0, 0, 0.3]}],"
    " 'joints': [{'id': 'hinge', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.O'}],"
    " 'loads': [{'id': 'coil', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'arm',"
    "   'stiffness': 4000, 'damping': 3, 'free_angle': 0.5}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'source', 'kind': 'pressure-source', 'pressure': 3e5},"
    "  {'id': 'ph', 'kind': 'pipe', 'length': 3, 'area': 2e-4, 'resistance': 4e8,"
    "   'inertia': true},"
    "  {'id': 'pr', 'kind': 'pipe', 'length': 2, 'area': 2e-4, 'resistance': 3e8,"
    "   'inertia': true},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 1.2e-3,"
    "   'base': 'ground.base', 'rod': 'arm.pin', 'stroke': 0.9, 'c1': 0.2}],"
    " 'lines': [{'id': 'P', 'ports': ['source.P', 'ph.A']},"
    "  {'id': 'H', 'ports': ['ph.B', 'cyl.A'], 'volume': 1e-4},"
    "  {'id': 'R', 'ports': ['cyl.B', 'pr.A'], 'volume': 1e-4},"
    "  {'id': 'T', 'ports': ['pr.B', 'tank.T']}],"
    " 'simulation': {'t_end': 1, 'every': 0.01, 'model': 'hybrid', 'start': 'equilibrium'}}";

/* Distance from a value to the nearest eigenvalue, as a part of it. */
static double distance (double complex value, const HlLinearization *lin) {
  double nearest = INFINITY;

  for (int k = 0; k < lin->n; k++)
    nearest = fmin (nearest, cabs (lin->eigenvalues[k].re + I * lin->eigenvalues[k].im - value));
  return nearest / cabs (value);
}

static void test_stiff_oil (void) {
  static const double bulk[] = {1e11, 1e12, 1e13};
  g_autofree char *text = g_strdelimit (g_strdup (lever), "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  HlWork *work = hl_work_new (model.sys);
  HlPoint *point = hl_point_new (model.sys);
  HlFault fault = {0};
  double flow[2] = {0.0, 0.0}, before = NAN;
  HlHybridChoice choice = {0};

  g_assert_cmpint (hl_start_point (model.sys, work, HL_START_EQUILIBRIUM, NULL, point, NULL, &fault), ==,
                   HL_OK);
  HlHybridPlace place = {.t = 0.0, .x = point->x, .v = point->v, .flow = flow};
  HlHybridLinear *hybrid = hl_hybrid_linearize (model.sys, &place, &choice, &fault);
  g_assert_nonnull (hybrid);
  g_assert_cmpint (hybrid->lin->n, ==, 2);
  g_assert_cmpfloat (hybrid->error, <, 1e-8);
  g_assert_cmpfloat (fabs (hybrid->lin->eigenvalues[0].im), >, 1.0);
  for (int k = 0; k < 3; k++) {
    HlLinearizeOptions how = hl_linearize_options_default ();
    model.sys->fluid.bulk_modulus = bulk[k];
    hl_system_derive (model.sys);
    HlLinearization *lumped = hl_linearize (model.sys, work, point, &how, &fault);
    g_assert_nonnull (lumped);
    double worst = 0.0;
    for (int i = 0; i < hybrid->lin->n; i++)
      worst = fmax (worst,
                    distance (hybrid->lin->eigenvalues[i].re + I * hybrid->lin->eigenvalues[i].im, lumped));
    g_test_message ("bulk %.0e: %.3e of %g %+g i", bulk[k], worst, hybrid->lin->eigenvalues[0].re,
                    hybrid->lin->eigenvalues[0].im);
    if (k > 0)
      hl_assert_near (worst / before, 0.1, 0.0, 0.002);
    before = worst;
    hl_linearization_free (lumped);
  }
  hl_hybrid_linear_free (hybrid);
  hl_point_free (point);
  hl_work_free (work);
  hl_test_model_clear (&model);
}

typedef struct {
  GArray *rows; /* t, angle, omega */
} Record;

static bool keep_row (double t, const double values[], void *data) {
  const double row[3] = {t, values[0], values[1]};

  g_array_append_vals (((Record *)data)->rows, row, 3);
  return true;
}

/* Angular velocity at the start of a run, once the flows have taken their share of the momentum,
 * and at t. */
static void run_lever (const HlTestModel *model, double push, double t, double omega[2]) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable outputs[2];
  Record record = {g_array_new (FALSE, FALSE, sizeof (double))};
  HlWork *work = hl_work_new (model->sys);
  HlPoint *point = hl_point_new (model->sys);

  g_assert_true (hl_observable_find (model->sys, "arm.angle", &outputs[0]));
  g_assert_true (hl_observable_find (model->sys, "arm.omega", &outputs[1]));
  g_assert_cmpint (hl_start_point (model->sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL), ==, HL_OK);
  point->v[2] = 2.0 + push;
  options.model = HL_MODEL_HYBRID;
  options.from = point;
  options.t_end = options.every = t;
  options.rtol = 1e-12;
  options.outputs = outputs;
  options.n_outputs = 2;
  options.row = keep_row;
  options.row_data = &record;
  g_assert_cmpint (hl_simulate (model->sys, &options, NULL, NULL), ==, HL_OK);
  omega[0] = g_array_index (record.rows, double, 2);
  omega[1] = g_array_index (record.rows, double, record.rows->len - 1);
  g_array_unref (record.rows);
  hl_point_free (point);
  hl_work_free (work);
}

/* In motion, where alpha, Mr and g all change with the position: how a push at the start has grown
 * after a short time t is exp (J t), to second order in t. */
static void test_in_motion (void) {
  g_autofree char *text = g_strdelimit (g_strdup (lever), "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  HlHybridChoice choice = {0};
  double x[3], v[3], flow[2] = {0.0, 0.0}, slope[2];
  HlWork *work = hl_work_new (model.sys);
  HlPoint *point = hl_point_new (model.sys);

  g_assert_cmpint (hl_start_point (model.sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL), ==, HL_OK);
  memcpy (x, point->x, sizeof x);
  memcpy (v, point->v, sizeof v);
  for (int k = 0; k < 2; k++) {
    double t = k == 0 ? 1e-3 : 5e-4, up[2], down[2];
    run_lever (&model, 1e-2, t, up);
    run_lever (&model, -1e-2, t, down);
    v[2] = 0.5 * (up[0] + down[0]);
    slope[k] = log ((up[1] - down[1]) / (up[0] - down[0])) / t;
  }
  HlHybridPlace place = {.t = 0.0, .x = x, .v = v, .flow = flow};
  HlHybridLinear *linear = hl_hybrid_linearize (model.sys, &place, &choice, NULL);
  g_assert_nonnull (linear);
  g_assert_cmpint (linear->lin->n, ==, 2);
  double j22 = linear->lin->J[3];
  /* the first order in t is left out by the two times */
  double want = 2.0 * slope[1] - slope[0];
  g_test_message ("d omega' / d omega = %.9g, from runs %.9g", j22, want);
  hl_assert_near (j22, want, 1e-4, 0.0);
  hl_hybrid_linear_free (linear);
  hl_point_free (point);
  hl_work_free (work);
  hl_test_model_clear (&model);
}

/* B of the lumped model, which is exact, of a state of a component by its own command, at a place of the
 * other oil. */
static double lumped_slope (const HlSystem *sys, const HlHybridPlace *place, const char *state,
                            const char *input) {
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  size_t size = 3 * (size_t)sys->mech.n_bodies * sizeof (double);

  point->t = place->t;
  memcpy (point->x, place->x, size);
  memcpy (point->v, place->v, size);
  memcpy (point->p, place->p, (size_t)work->r * sizeof (double));
  memcpy (point->u, place->u, (size_t)sys->topology->n_states_u * sizeof (double));
  HlLinearization *lin = hl_linearize (sys, work, point, &how, NULL);
  g_assert_nonnull (lin);
  double slope = slope_of (lin, state, input);
  hl_linearization_free (lin);
  hl_point_free (point);
  hl_work_free (work);
  return slope;
}

/* The moving loader, where a long step requires pressures that do not exist: a shorter step must not start from the end
 * of such a search. What commands do to their own components no oil has a part in, so there the lumped slopes are the
 * same; the pump's own stands at its bound, and only its inner side counts. */
static void test_on_the_way (void) {
  static const char *const own[][2] = {{"pump.swash", "pump.command"},
                                       {"arm_valve.spool", "arm_valve.command"},
                                       {"bucket_valve.spool", "bucket_valve.command"}};
  HlTestModel model = hl_test_model_load ("load-sensing-loader.hydrolink");
  HlFault fault = {0};
  HlModeHistory *history = hl_mode_history_until (model.sys, 0.6, NULL, NULL, &fault);

  g_assert_nonnull (history);
  HlHybridPlace place = hl_visited_mode_place (hl_mode_history_last (history));
  HlHybridChoice choice = hl_visited_mode_choice (hl_mode_history_last (history));
  HlHybridLinear *linear = hl_hybrid_linearize (model.sys, &place, &choice, &fault);
  g_assert_nonnull (linear);
  g_assert_cmpfloat (linear->error, <, 1e-6);
  for (size_t k = 0; k < G_N_ELEMENTS (own); k++)
    hl_assert_near (slope_of (linear->lin, own[k][0], own[k][1]),
                    lumped_slope (model.sys, &place, own[k][0], own[k][1]), 1e-7, 0.0);
  hl_hybrid_linear_free (linear);
  hl_mode_history_unref (history);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-eigenvalues/start", test_start);
  g_test_add_func ("/hybrid-eigenvalues/stiff-oil", test_stiff_oil);
  g_test_add_func ("/hybrid-eigenvalues/in-motion", test_in_motion);
  g_test_add_func ("/hybrid-eigenvalues/on-the-way", test_on_the_way);
  return g_test_run ();
}
