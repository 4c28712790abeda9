/* SPDX-License-Identifier: MIT */
/* A rest that equilibrium.hold keeps, found by the damped motion: the speed of what is held goes on
 * pumping oil until the pressures carry it. Pressures by hand, J by central differences of the
 * rates, and the verdict by what a long run does with a push. */
#include <math.h>

#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"

#define HELD_AT 0.2 /* [m] */
#define LOAD 1e4    /* [N] */
#define TANK 1e5    /* [Pa] */
#define PISTON 2e-3 /* [m^2] */
#define RING 1e-3   /* [m^2] */
#define FLOW 2e-4   /* [m^3/s] */
#define RELIEF 3e6  /* [Pa] */
#define ORIFICE (0.6 * 1e-5)
#define DENSITY 850.0

/* A load on a cylinder behind a check valve that its pressure shuts; the pump on the other side of
 * the valve has to find its relief valve. %g: where the pressure of its line starts. */
static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'equilibrium': {'hold': ['m.x']}, "
    "'fluid': {'density': 850}, 'ground': {'points': {'b': [-0.6, 0], 'g': [0, 0], 'f': [-1, 0]}}, "
    "'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 100, 'inertia': 1, 'pose': [0.2, 0, "
    "0]}], 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}], "
    "'loads': [{'id': 'push', 'kind': 'force', 'point': 'm.p', 'direction': [-1, 0], 'signal': "
    "1e4}], 'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.b', 'rod': 'm.p', "
    "'piston_area': 2e-3, 'rod_side_area': 1e-3, 'stroke': 0.6, 'c1': 0.5, 'friction': {'model': "
    "'viscous', 'sigma2': 2000}}, {'id': 'tank', 'kind': 'tank'}, {'id': 'pump', 'kind': "
    "'flow-source', 'flow': 2e-4}, {'id': 'cv', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-5}, "
    "{'id': 'rv', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 3e6}], 'lines': "
    "[{'id': 'T', 'ports': ['tank.T', 'cyl.B', 'rv.T']}, {'id': 'V', 'ports': ['pump.P', 'rv.A', "
    "'cv.A'], 'volume': 1e-3}, {'id': 'A', 'ports': ['cv.B', 'cyl.A'], 'volume': 1e-3, "
    "'pressure': %g}]}";

static HlTestModel machine (double pressure) {
  g_autofree char *quoted = g_strdelimit (g_strdup (text), "'", '"');
  g_auto (GStrv) parts = g_strsplit (quoted, "%g", 2);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *json =
      g_strconcat (parts[0], g_ascii_dtostr (number, sizeof number, pressure), parts[1], NULL);

  return hl_test_model_from_text (json);
}

/* The greatest entry of a row of J by central differences, and how far J is from them there. */
static void check_slopes (const HlTestModel *model) {
  int n = hl_work_n_states (model->work);
  g_autofree double *J = g_new0 (double, n *n), *y = g_new0 (double, n);
  g_autofree double *above = g_new0 (double, n), *below = g_new0 (double, n);

  g_assert_cmpint (
      hl_partition_choose (model->sys, model->work, model->point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL),
      ==, HL_OK);
  hl_state_pack (model->sys, model->work, model->point, y);
  g_assert_cmpint (hl_jacobian_eval (model->sys, 0.0, y, J, model->work, NULL), ==, HL_OK);
  for (int column = 0; column < n; column++) {
    gboolean is_pressure = column >= hl_off_p (model->work) && column < hl_off_u (model->work);
    double h = is_pressure ? 10.0 : 1e-7, at = y[column];
    y[column] = at + h;
    g_assert_cmpint (hl_dynamics_eval (model->sys, 0.0, y, above, model->work, NULL), ==, HL_OK);
    y[column] = at - h;
    g_assert_cmpint (hl_dynamics_eval (model->sys, 0.0, y, below, model->work, NULL), ==, HL_OK);
    y[column] = at;
    for (int row = 0; row < n; row++) {
      double slope = (above[row] - below[row]) / (2.0 * h);
      hl_assert_near (J[column * n + row], slope, 1e-5, 1e-6 * (1.0 + fabs (slope)));
    }
  }
}

/* Where a run from the rest, pushed by that much, is at the end. */
static double after_a_push (HlTestModel *model, double push, double *pressure) {
  const char *const paths[] = {"m.x", "A.pressure", NULL};
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.from = model->point;
  options.t_end = 20.0;
  options.every = 1.0;
  model->point->v[0] = push;
  HlTestRun run = hl_test_run (model, options, paths);
  model->point->v[0] = 0.0;
  g_assert_cmpint (run.status, ==, HL_OK);
  double place = hl_test_run_value (&run, run.n_rows - 1, 0);
  *pressure = hl_test_run_value (&run, run.n_rows - 1, 1);
  hl_test_run_clear (&run);
  return place;
}

static void test_rest (void) {
  static const double starts[] = {1e5, 3e6, 1.5e7};
  HlLinearizeOptions how = hl_linearize_options_default ();
  double over = FLOW / (ORIFICE * sqrt (2.0 / DENSITY));
  double carries = (LOAD + TANK * RING) / PISTON;

  for (gsize k = 0; k < G_N_ELEMENTS (starts); k++) {
    HlTestModel model = machine (starts[k]);
    double pressure;

    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    hl_assert_near (model.point->x[0], HELD_AT, 1e-15, 0.0);
    hl_assert_near (model.point->p[0], TANK + RELIEF + over * over, 1e-9, 0.0);
    hl_assert_near (model.point->p[1], carries, 1e-9, 0.0);
    check_slopes (&model);
    /* the oil behind the check valve is trapped: one eigenvalue is 0, the others fall */
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &how, NULL);
    g_assert_nonnull (lin);
    g_assert_false (lin->unstable);
    g_assert_cmpint (lin->steadiness, ==, HL_AT_REST);
    g_assert_cmpint (lin->n_null, ==, 1);
    hl_linearization_free (lin);
    /* and a run comes back to where it was held */
    g_assert_cmpfloat (fabs (after_a_push (&model, -0.01, &pressure) - HELD_AT), <, 1e-5);
    g_assert_cmpfloat (fabs (pressure - carries), <, 100.0);
    hl_test_model_clear (&model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/held-equilibrium/pressures-slopes-and-verdict", test_rest);
  return g_test_run ();
}
