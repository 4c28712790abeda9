/* SPDX-License-Identifier: MIT */
/* Linkages whose links add up come to change points, where a parallelogram might become an
 * antiparallelogram. A run goes straight on through them: against closed forms of the branch, and
 * by its energy, which a jump to another branch would change. */
#include <math.h>
#include <string.h>

#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

typedef struct {
  double crank, coupler, rocker, ground;
} Lengths;

static const HlMethod methods[] = {HL_METHOD_BDF, HL_METHOD_RADAU};

/* The coupler's pin on the rocker to the left of the line from the crank's pin to the ground's. */
static char *four_bar (Lengths l, double crank) {
  double ax = l.crank * cos (crank), ay = l.crank * sin (crank);
  double dx = l.ground - ax, dy = -ay, d = hypot (dx, dy);
  double along = (l.coupler * l.coupler - l.rocker * l.rocker + d * d) / (2.0 * d);
  double across = sqrt (l.coupler * l.coupler - along * along);
  double bx = ax + (along * dx - across * dy) / d, by = ay + (along * dy + across * dx) / d;
  double m = l.crank * l.crank;

  return g_strdelimit (
      g_strdup_printf (
          "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'P': [%.17g, "
          "0]}}, 'bodies': [{'id': 'crank', 'points': {'A': [0, 0], 'B': [%.17g, 0]}, 'mass': 1,"
          " 'inertia': %.17g, 'pose': [0, 0, %.17g]},"
          "{'id': 'coupler', 'points': {'A': [0, 0], 'B': [%.17g, 0]}, 'mass': 1, 'inertia': "
          "%.17g, 'pose': [%.17g, %.17g, %.17g]},"
          "{'id': 'rocker', 'points': {'A': [0, 0], 'B': [%.17g, 0]}, 'mass': 1, 'inertia': %.17g,"
          " 'pose': [%.17g, 0, %.17g]}],"
          " 'joints': [{'id': 'j1', 'kind': 'revolute', 'a': 'ground.O', 'b': 'crank.A'},"
          " {'id': 'j2', 'kind': 'revolute', 'a': 'crank.B', 'b': 'coupler.A'},"
          " {'id': 'j3', 'kind': 'revolute', 'a': 'coupler.B', 'b': 'rocker.B'},"
          " {'id': 'j4', 'kind': 'revolute', 'a': 'rocker.A', 'b': 'ground.P'}],"
          " 'equilibrium': {'hold': ['crank.angle']}, 'simulation': {'start': 'as-given'}}",
          l.ground, l.crank, 0.25 * m, crank, l.coupler, 0.25 * m, ax, ay, atan2 (by - ay, bx - ax), l.rocker,
          0.25 * m, l.ground, atan2 (by, bx - l.ground)),
      "'", '"');
}

/* A run of 2 s with the energy kept in every row; the status of the run. */
static HlTestRun run (const HlTestModel *model, HlModelKind kind, HlMethod method,
                      const char *const paths[]) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.t_end = 2.0;
  options.every = 0.02;
  options.rtol = 1e-9;
  options.method = method;
  options.model = kind;
  HlTestRun record = hl_test_run (model, options, paths);
  g_assert_cmpint (record.n_rows, >, 1);
  double first = hl_test_run_value (&record, 0, 0) + hl_test_run_value (&record, 0, 1);
  double kinetic = hl_test_run_value (&record, 0, 0);
  for (int row = 0; row < record.n_rows; row++)
    hl_assert_near (hl_test_run_value (&record, row, 0) + hl_test_run_value (&record, row, 1), first, 0.0,
                    2e-7 * (fabs (first) + kinetic));
  return record;
}

static void assert_passed (const HlTestModel *model, const HlTestRun *record) {
  if (record->status != HL_OK) {
    g_autofree char *message = hl_fault_message (model->sys, &record->fault);
    g_error ("%s", message);
  }
}

static void test_four_bars (gconstpointer data) {
  static const char *const paths[] = {"energy.kinetic", "energy.potential", "crank.angle", "rocker.angle",
                                      NULL};
  static const Lengths linkages[] = {{2, 5, 2, 5}, {2, 2, 2, 2}, {2, 4, 3, 3}};
  HlModelKind kind = (HlModelKind)GPOINTER_TO_INT (data);
  int n_turned = 0;

  for (int k = 0; k < 36; k++) {
    double scale = k % 4 == 0 ? 1.0 : k % 4 == 1 ? 0.01 : k % 4 == 2 ? 0.3 : 40.0;
    Lengths l = linkages[k % 3];
    Lengths scaled = {scale * l.crank, scale * l.coupler, scale * l.rocker, scale * l.ground};
    g_autofree char *text = four_bar (scaled, 0.9);
    HlTestModel model = hl_test_model_from_text (text);

    for (int body = 0; body < 3; body += 2)
      model.sys->mech.bodies[body].velocity[2] = (3.0 + 0.41 * k) / sqrt (scale);
    HlTestRun record = run (&model, kind, methods[k / 3 % 2], paths);
    assert_passed (&model, &record);
    for (int row = 0; row < record.n_rows; row++) {
      double turn = hl_test_run_value (&record, row, 2) - hl_test_run_value (&record, 0, 2);
      if (k % 3 < 2) /* opposite links of a parallelogram stay parallel */
        hl_assert_near (hl_test_run_value (&record, row, 3) - hl_test_run_value (&record, 0, 3), turn, 0.0,
                        2e-9);
      n_turned += row == record.n_rows - 1 && fabs (turn) > 2.0 * G_PI;
    }
    hl_test_run_clear (&record);
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (n_turned, >, 20);
}

/* Any four bars with the shortest and the longest as long as the other two together. */
static void test_random (void) {
  static const char *const paths[] = {"energy.kinetic", "energy.potential", NULL};

  for (int round = 0; round < 40; round++) {
    double a = hl_test_uniform (0.4, 1.0), b = a + hl_test_uniform (0.2, 2.0),
           c = a + hl_test_uniform (0.2, 2.0);
    Lengths l = {a, b, c, b + c - a};
    g_autofree char *text = four_bar (l, hl_test_uniform (0.6, 2.5));
    HlTestModel model = hl_test_model_from_text (text);

    model.sys->mech.bodies[0].velocity[2] = 12.0;
    HlTestRun record = run (&model, HL_MODEL_LUMPED, methods[round % 2], paths);
    assert_passed (&model, &record);
    hl_test_run_clear (&record);
    hl_test_model_clear (&model);
  }
}

/* A parallelogram that stands on a sledge between springs: two degrees of freedom. */
static void test_on_a_sledge (void) {
  static const char text[] =
      "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'W': [-2, 0]}},"
      " 'bodies': [{'id': 'sledge', 'points': {'C': [0, 0], 'O': [0, 0.3], 'P': [1.4, 0.3]}, "
      "'mass': 6, 'inertia': 2, 'pose': [0, 0, 0]},"
      "{'id': 'crank', 'points': {'A': [0, 0], 'B': [0.5, 0]}, 'mass': 1, 'inertia': 0.3,"
      " 'pose': [0, 0.3, 1], 'velocity': [0, 0, 11]},"
      "{'id': 'coupler', 'points': {'A': [0, 0], 'B': [1.4, 0]}, 'mass': 1, 'inertia': 0.3,"
      " 'pose': [0.27015115293406988, 0.72073549240394827, 0]},"
      "{'id': 'rocker', 'points': {'A': [0, 0], 'B': [0.5, 0]}, 'mass': 1, 'inertia': 0.3,"
      " 'pose': [1.4, 0.3, 1], 'velocity': [0, 0, 11]}],"
      " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'sledge.C', 'axis': "
      "0}, {'id': 'j1', 'kind': 'revolute', 'a': 'sledge.O', 'b': 'crank.A'},"
      " {'id': 'j2', 'kind': 'revolute', 'a': 'crank.B', 'b': 'coupler.A'},"
      " {'id': 'j3', 'kind': 'revolute', 'a': 'coupler.B', 'b': 'rocker.B'},"
      " {'id': 'j4', 'kind': 'revolute', 'a': 'rocker.A', 'b': 'sledge.P'}],"
      " 'loads': [{'id': 'spring', 'kind': 'spring', 'a': 'ground.W', 'b': 'sledge.C', "
      "'stiffness': 300, 'free_length': 2}],"
      " 'simulation': {'start': 'as-given'}}";
  static const char *const paths[] = {"energy.kinetic", "energy.potential", "crank.angle",
                                      "rocker.angle",   "coupler.angle",    NULL};
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');

  for (int m = 0; m < 2; m++) {
    HlTestModel model = hl_test_model_from_text (json);
    HlTestRun record = run (&model, HL_MODEL_LUMPED, methods[m], paths);
    assert_passed (&model, &record);
    for (int row = 0; row < record.n_rows; row++) {
      hl_assert_near (hl_test_run_value (&record, row, 3), hl_test_run_value (&record, row, 2), 0.0, 2e-9);
      hl_assert_near (hl_test_run_value (&record, row, 4), 0.0, 0.0, 2e-9);
    }
    g_assert_cmpfloat (fabs (hl_test_run_value (&record, record.n_rows - 1, 2)), >, 6.0);
    hl_test_run_clear (&record);
    hl_test_model_clear (&model);
  }
}

/* A slider on a crank and a rod of one length goes twice as far as the crank's pin; where the pins
 * fall on each other it might as well stay there while the two turn. */
static void test_equal_slider_crank (void) {
  static const char text[] =
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, "
      "0]}}, 'bodies': [{'id': 'crank', 'points': {'A': [0, 0], 'B': [0.4, 0]}, 'mass': 2, "
      "'inertia': 0.3, 'pose': [0, 0, 1], 'velocity': [0, 0, 20]},"
      "{'id': 'rod', 'points': {'A': [0, 0], 'B': [0.4, 0]}, 'mass': 1, 'inertia': 0.1,"
      " 'pose': [0.21612092234725587, 0.33658839392315863, -1]},"
      "{'id': 'slider', 'points': {'S': [0, 0]}, 'mass': 3, 'inertia': 0.1,"
      " 'pose': [0.43224184469451175, 0, 0]}],"
      " 'joints': [{'id': 'a', 'kind': 'revolute', 'a': 'ground.O', 'b': 'crank.A'},"
      " {'id': 'b', 'kind': 'revolute', 'a': 'crank.B', 'b': 'rod.A'},"
      " {'id': 'c', 'kind': 'revolute', 'a': 'rod.B', 'b': 'slider.S'},"
      " {'id': 'rail', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'slider.S', 'axis': 0}],"
      " 'simulation': {'start': 'as-given'}}";
  static const char *const paths[] = {"energy.kinetic", "energy.potential", "crank.angle", "slider.x", NULL};
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');

  for (int m = 0; m < 2; m++) {
    HlTestModel model = hl_test_model_from_text (json);
    HlTestRun record = run (&model, HL_MODEL_LUMPED, methods[m], paths);
    assert_passed (&model, &record);
    for (int row = 0; row < record.n_rows; row++)
      hl_assert_near (hl_test_run_value (&record, row, 3), 0.8 * cos (hl_test_run_value (&record, row, 2)),
                      0.0, 1e-9);
    g_assert_cmpfloat (hl_test_run_value (&record, record.n_rows - 1, 2), >, 6.0);
    hl_test_run_clear (&record);
    hl_test_model_clear (&model);
  }
}

/* Links that nearly add up turn sharply off instead, or end at a dead point with its name: the
 * energy is kept, and nothing crosses. */
static void test_nearly (void) {
  static const char *const paths[] = {"energy.kinetic", "energy.potential", NULL};

  for (int k = 0; k < 24; k++) {
    Lengths l = {2.0, 5.0, 2.0, 5.0 + (k % 2 == 0 ? 1.0 : -1.0) * pow (10.0, -1.0 - 0.25 * k)};
    g_autofree char *text = four_bar (l, 0.9);
    HlTestModel model = hl_test_model_from_text (text);

    model.sys->mech.bodies[0].velocity[2] = 6.0;
    HlTestRun record = run (&model, HL_MODEL_LUMPED, methods[k / 2 % 2], paths);
    g_test_message ("ground longer by %+.1e: %s after %d rows", l.ground - 5.0,
                    record.status == HL_OK ? "passed" : "stopped", record.n_rows);
    if (record.status != HL_OK) {
      g_autofree char *message = hl_fault_message (model.sys, &record.fault);
      g_assert_cmpint (record.fault.status, ==, HL_DEAD_POINT);
      g_assert_nonnull (strstr (message, "Body ‘"));
    }
    hl_test_run_clear (&record);
    hl_test_model_clear (&model);
  }
}

/* Draws such a linkage and the angle of its crank, in which it can be put together. */
static Lengths draw_change_linkage (int kind, double *crank) {
  for (;;) {
    double a = hl_test_uniform (0.4, 1.5), b = hl_test_uniform (0.5, 2.0);
    double c = a + hl_test_uniform (0.2, 2.0), d = a + hl_test_uniform (0.2, 2.0);
    /* parallelogram, rhombus, two kites, and any that folds */
    const Lengths linkages[] = {{a, b, a, b}, {a, a, a, a}, {a, a, b, b}, {a, b, b, a}, {a, c, d, c + d - a}};
    Lengths l = linkages[kind];
    *crank = hl_test_uniform (0.6, 1.2);
    double diagonal = hypot (l.ground - l.crank * cos (*crank), l.crank * sin (*crank));
    if (diagonal < l.coupler + l.rocker - 0.01 && diagonal > fabs (l.coupler - l.rocker) + 0.01)
      return l;
  }
}

/* Returns whether an angle equals that of the reduced formulation, or, in the last row before a refusal, lies
 * between those of the rows before and behind: next to the change point the motion along the branch is
 * delayed before it leaves the branch. */
static bool is_on_branch (const HlTestRun *record, const HlTestRun *reduced, int row, int k) {
  double value = hl_test_run_value (record, row, k);
  double low = hl_test_run_value (reduced, row, k), high = low;

  if (record->status != HL_OK && row == record->n_rows - 1)
    for (int at = row - 1; at <= row + 1; at += 2)
      if (at >= 0 && at < reduced->n_rows) {
        low = fmin (low, hl_test_run_value (reduced, at, k));
        high = fmax (high, hl_test_run_value (reduced, at, k));
      }
  return value > low - 1e-3 && value < high + 1e-3;
}

/* The equations in all coordinates do not say which branch goes on from a change point, and the steps of both
 * methods come down on the other one: such a run is refused with its name, before a row of the other branch, and
 * every row that it has written is that of the reduced formulation. */
static void test_stabilized (void) {
  static const char *const paths[] = {"crank.angle", "coupler.angle", "rocker.angle", NULL};
  int n_passed = 0, n_refused = 0;

  for (int round = 0; round < 24; round++) {
    double crank;
    Lengths l = draw_change_linkage (round % 5, &crank);
    g_autofree char *text = four_bar (l, crank);
    HlTestModel model = hl_test_model_from_text (text);
    HlSimOptions options = hl_sim_options_from_model (model.sys);

    for (int body = 0; body < 3; body++)
      model.sys->mech.bodies[body].velocity[2] = 7.0;
    options.t_end = 2.0;
    options.every = 0.01;
    options.rtol = 1e-8;
    HlTestRun reduced = hl_test_run (&model, options, paths);
    assert_passed (&model, &reduced);
    options.formulation = HL_FORMULATION_BAUMGARTE;
    for (int m = 0; m < 2; m++) {
      options.method = methods[m];
      HlTestRun record = hl_test_run (&model, options, paths);
      n_passed += record.status == HL_OK;
      if (record.status != HL_OK) {
        n_refused++;
        g_assert_cmpint (record.fault.status, ==, HL_DEAD_POINT);
        g_assert_cmpint (record.fault.change, ==, HL_CHANGE_REDUCED);
        g_assert_cmpint (record.fault.entity_kind, ==, HL_ENTITY_BODY);
      } else
        g_assert_cmpint (record.n_rows, ==, reduced.n_rows);
      for (int row = 0; row < record.n_rows; row++)
        for (int k = 0; k < 3; k++)
          if (!is_on_branch (&record, &reduced, row, k))
            hl_assert_near (hl_test_run_value (&record, row, k), hl_test_run_value (&reduced, row, k), 0.0,
                            1e-3);
      hl_test_run_clear (&record);
    }
    hl_test_run_clear (&reduced);
    hl_test_model_clear (&model);
  }
  g_test_message ("%d passed, %d refused", n_passed, n_refused);
  g_assert_cmpint (n_passed, >, 0);
  g_assert_cmpint (n_refused, >, 0);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/linkage-change-points/four-bars/lumped", GINT_TO_POINTER (HL_MODEL_LUMPED),
                        test_four_bars);
  g_test_add_data_func ("/linkage-change-points/four-bars/hybrid", GINT_TO_POINTER (HL_MODEL_HYBRID),
                        test_four_bars);
  g_test_add_func ("/linkage-change-points/random", test_random);
  g_test_add_func ("/linkage-change-points/on-a-sledge", test_on_a_sledge);
  g_test_add_func ("/linkage-change-points/equal-slider-crank", test_equal_slider_crank);
  g_test_add_func ("/linkage-change-points/nearly", test_nearly);
  g_test_add_func ("/linkage-change-points/stabilized", test_stabilized);
  return g_test_run ();
}
