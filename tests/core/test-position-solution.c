/* SPDX-License-Identifier: MIT */
/* Positions from independent coordinates stay on their branch however long the step: against
 * circles that meet, there and back, and beyond the dead point. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/mech/hl-mechanism-drag.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

typedef struct {
  double crank, coupler, rocker, ground;
} Lengths;

static const Lengths crank_rocker = {2.0, 8.0, 5.0, 10.0};
static const Lengths double_rocker = {6.0, 4.0, 5.0, 12.0}; /* neither end turns fully */

/* The angles of coupler and rocker for a crank angle; side 1: the joint between them lies to the
 * left of the way from the crank's end to the rocker's bearing. False when they do not meet. */
static gboolean closed_form (Lengths l, int side, double crank, double *coupler, double *rocker) {
  double ax = l.crank * cos (crank), ay = l.crank * sin (crank);
  double dx = l.ground - ax, dy = -ay, d = hypot (dx, dy);
  double along = (l.coupler * l.coupler - l.rocker * l.rocker + d * d) / (2.0 * d);
  double square = l.coupler * l.coupler - along * along;

  if (square < 0.0)
    return FALSE;
  double across = side * sqrt (square);
  double bx = ax + (along * dx - across * dy) / d, by = ay + (along * dy + across * dx) / d;
  *coupler = atan2 (by - ay, bx - ax);
  *rocker = atan2 (by, bx - l.ground);
  return TRUE;
}

/* Where coupler and rocker are in line the crank has to stop: cos = (a^2 + g^2 - (b + c)^2)/2ag. */
static double stretched (Lengths l) {
  double reach = l.coupler + l.rocker;

  return acos ((l.crank * l.crank + l.ground * l.ground - reach * reach) / (2.0 * l.crank * l.ground));
}

static HlTestModel four_bar (Lengths l, int side, double crank) {
  double coupler, rocker;

  g_assert_true (closed_form (l, side, crank, &coupler, &rocker));
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'P': [%.17g, 0]}},"
      " 'bodies': ["
      "{'id': 'crank', 'points': {'A': [0, 0], 'B': [%.17g, 0]}, 'mass': 1, 'inertia': 1,"
      " 'pose': [0, 0, %.17g]},"
      "{'id': 'coupler', 'points': {'A': [0, 0], 'B': [%.17g, 0]}, 'mass': 1, 'inertia': 1,"
      " 'pose': [%.17g, %.17g, %.17g]},"
      "{'id': 'rocker', 'points': {'A': [0, 0], 'B': [%.17g, 0]}, 'mass': 1, 'inertia': 1,"
      " 'pose': [%.17g, 0, %.17g]}],"
      " 'joints': [{'id': 'j1', 'kind': 'revolute', 'a': 'ground.O', 'b': 'crank.A'},"
      " {'id': 'j2', 'kind': 'revolute', 'a': 'crank.B', 'b': 'coupler.A'},"
      " {'id': 'j3', 'kind': 'revolute', 'a': 'coupler.B', 'b': 'rocker.B'},"
      " {'id': 'j4', 'kind': 'revolute', 'a': 'rocker.A', 'b': 'ground.P'}],"
      " 'equilibrium': {'hold': ['crank.angle']}, 'simulation': {'start': 'as-given'}}",
      l.ground, l.crank, crank, l.coupler, l.crank * cos (crank), l.crank * sin (crank), coupler, l.rocker,
      l.ground, rocker);
  g_strdelimit (text, "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  int column = 2; /* crank.angle */

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpint (
      hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PREFERRED, &column, 1, NULL),
      ==, HL_OK);
  return model;
}

static HlStatus go_to (HlTestModel *model, double crank, HlFault *fault) {
  double y[2] = {crank, 0.0};
  return hl_state_unpack (model->sys, model->work, 0.0, y, model->point, fault);
}

static void assert_on_branch (const HlTestModel *model, Lengths l, int side, double tolerance) {
  double coupler, rocker;

  g_assert_true (closed_form (l, side, model->point->x[2], &coupler, &rocker));
  hl_assert_near (remainder (model->point->x[5] - coupler, 2.0 * G_PI), 0.0, 0.0, tolerance);
  hl_assert_near (remainder (model->point->x[8] - rocker, 2.0 * G_PI), 0.0, 0.0, tolerance);
}

/* Full turns there and back: from a thousandth of a radian to several turns in one step. */
static void test_step_lengths (void) {
  static const double steps[] = {1e-3, 0.03, 0.3, 1.0, 1.7, 3.0, G_PI, 5.0, 2.0 * G_PI, 30.0};

  for (int side = -1; side <= 1; side += 2)
    for (gsize k = 0; k < G_N_ELEMENTS (steps); k++) {
      HlTestModel model = four_bar (crank_rocker, side, 1.1);
      double first[9], farthest = fmax (7.0, steps[k]);

      memcpy (first, model.point->x, sizeof first);
      for (double way = 0.0; way <= farthest; way += steps[k]) {
        g_assert_cmpint (go_to (&model, 1.1 + way, NULL), ==, HL_OK);
        assert_on_branch (&model, crank_rocker, side, 1e-13);
      }
      for (double way = farthest; way >= 0.0; way -= steps[k]) {
        g_assert_cmpint (go_to (&model, 1.1 + way, NULL), ==, HL_OK);
        assert_on_branch (&model, crank_rocker, side, 1e-13);
      }
      g_assert_cmpint (go_to (&model, 1.1, NULL), ==, HL_OK);
      for (int c = 0; c < 9; c++)
        hl_assert_near (model.point->x[c], first[c], 0.0, 1e-13);
      hl_test_model_clear (&model);
    }
}

/* Where a run goes, in small steps at speed: what is known of the way there, its bend and the angles nearby, takes
 * nothing from the last digits. */
static void test_small_steps_at_speed (void) {
  for (int side = -1; side <= 1; side += 2) {
    HlTestModel model = four_bar (crank_rocker, side, 1.1);
    double crank = 1.1, worst = 0.0;

    for (int k = 0; k < 20000; k++) {
      double coupler, rocker, y_dot[2], speed = g_test_rand_double_range (-3.0, 3.0);
      crank += speed * pow (10.0, g_test_rand_double_range (-9.0, -2.0));
      double y[2] = {crank, k % 50 == 0 ? 0.0 : speed};
      g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL), ==, HL_OK);
      g_assert_true (closed_form (crank_rocker, side, crank, &coupler, &rocker));
      const HlFrame *frames = model.work->frames;
      worst = fmax (worst, fabs (remainder (frames[2].psi - coupler, 2.0 * G_PI)));
      worst = fmax (worst, fabs (remainder (frames[3].psi - rocker, 2.0 * G_PI)));
      for (int body = 1; body <= 3; body++) {
        hl_assert_near (frames[body].c, cos (frames[body].psi), 0.0, DBL_EPSILON);
        hl_assert_near (frames[body].s, sin (frames[body].psi), 0.0, DBL_EPSILON);
      }
    }
    g_test_message ("side %d: off by %.1e at most", side, worst);
    g_assert_cmpfloat (worst, <, 1e-14);
    hl_test_model_clear (&model);
  }
}

/* A way beyond the end of the branch is refused with the name of the body that would have to turn
 * back; short of it the position is that of the branch; and back home it is the first again. */
static void test_beyond_the_dead_point (void) {
  static const double steps[] = {1e-3, 0.02, 0.2, 1.0, 3.0};
  Lengths l = double_rocker;
  double last = stretched (l);

  for (int side = -1; side <= 1; side += 2)
    for (gsize k = 0; k < G_N_ELEMENTS (steps); k++) {
      HlTestModel model = four_bar (l, side, 0.3);
      HlFault fault = {0};
      double first[9], at = 0.3;
      HlStatus status;

      memcpy (first, model.point->x, sizeof first);
      for (;;) {
        at += steps[k];
        status = go_to (&model, at, &fault);
        if (status != HL_OK)
          break;
        assert_on_branch (&model, l, side, 1e-9);
      }
      g_assert_cmpint (status, ==, HL_DEAD_POINT);
      g_assert_cmpint (fault.entity_kind, ==, HL_ENTITY_BODY);
      g_assert_cmpint (fault.entity, >, 0); /* coupler or rocker */
      g_assert_cmpfloat (at, >=, last);
      g_assert_cmpfloat (at - steps[k], <, last);
      g_autofree char *message = hl_fault_message (model.sys, &fault);
      g_assert_nonnull (strstr (message, "dead point"));
      for (double near = 1e-2; near > 1e-9; near *= 0.1) {
        g_assert_cmpint (go_to (&model, last - near, NULL), ==, HL_OK);
        /* next to it the angles go as the root of what is left */
        assert_on_branch (&model, l, side, 1e-14 / sqrt (near) + 1e-13);
      }
      g_assert_cmpint (go_to (&model, last + 1e-3, NULL), ==, HL_DEAD_POINT);
      g_assert_cmpint (go_to (&model, 0.3, NULL), ==, HL_OK);
      for (int c = 0; c < 9; c++)
        hl_assert_near (model.point->x[c], first[c], 0.0, 1e-12);
      hl_test_model_clear (&model);
    }
}

/* The end of the crank pulled to a place that it cannot reach, and back, with pointer steps of
 * every length: it waits at its dead point, and neither jumps nor comes back another way. */
static void test_drag_beyond_the_dead_point (void) {
  static const int counts[] = {1, 2, 5, 20, 200, 2000};
  Lengths l = double_rocker;
  double last = stretched (l);

  for (int side = -1; side <= 1; side += 2)
    for (gsize k = 0; k < G_N_ELEMENTS (counts); k++) {
      HlTestModel model = four_bar (l, side, 0.3);
      const HlMechanism *mech = &model.sys->mech;
      HlMechanismDragModel bare = {.n_bodies = 3, .rows = mech->rows, .n_rows = mech->n_rows};
      double x[9], first[9], u[2] = {l.crank, 0.0}, coupler, rocker;
      HlStatus status;

      memcpy (x, model.point->x, sizeof x);
      memcpy (first, x, sizeof first);
      HlMechanismDrag *drag = hl_mechanism_drag_new (&bare, x, 0, u, &status);
      g_assert_nonnull (drag);
      for (int there = 1; there >= 0; there--)
        for (int i = 1; i <= counts[k]; i++) {
          double share = there ? (double)i / counts[k] : 1.0 - (double)i / counts[k];
          double angle = 0.3 + share * (last + 0.8 - 0.3);
          double target[2] = {l.crank * cos (angle), l.crank * sin (angle)};
          for (int call = 0; call < 10 && hl_mechanism_drag_to (drag, target, x) == HL_NO_CONVERGENCE; call++)
            ;
          g_assert_cmpfloat (x[2], <=, last + 1e-9);
          if (angle > last + 0.01)
            hl_assert_near (x[2], last, 0.0, 2e-2);
          if (x[2] > last - 1e-3)
            continue; /* both branches are one here */
          hl_assert_near (x[2], angle, 0.0, 2e-3);
          g_assert_true (closed_form (l, side, x[2], &coupler, &rocker));
          hl_assert_near (remainder (x[5] - coupler, 2.0 * G_PI), 0.0, 0.0, 1e-6);
        }
      for (int c = 0; c < 9; c++)
        hl_assert_near (x[c], first[c], 0.0, 1e-5);
      hl_mechanism_drag_free (drag);
      hl_test_model_clear (&model);
    }
}

/* Held at ever other values from one point to the next, as a slider or a locus does: the balance
 * stays on the branch however coarse the steps, and says so when there is no place to go. */
static void test_held_coordinate (void) {
  static const double steps[] = {0.05, 0.7, 2.0, 2.9};

  for (int side = -1; side <= 1; side += 2)
    for (gsize k = 0; k < G_N_ELEMENTS (steps); k++) {
      HlTestModel model = four_bar (crank_rocker, side, 1.1);
      HlParameter angle;

      g_assert_true (hl_system_find_parameter (model.sys, "crank.angle", &angle));
      for (double way = 0.0; way < 9.0; way += steps[k]) {
        hl_system_set_parameter (model.sys, angle, 1.1 + way);
        g_assert_cmpint (
            hl_start_point (model.sys, model.work, HL_START_AS_GIVEN, model.point, model.point, NULL, NULL),
            ==, HL_OK);
        assert_on_branch (&model, crank_rocker, side, 1e-13);
      }
      hl_test_model_clear (&model);

      HlTestModel stuck = four_bar (double_rocker, side, 0.3);
      double last = stretched (double_rocker);
      g_assert_true (hl_system_find_parameter (stuck.sys, "crank.angle", &angle));
      hl_system_set_parameter (stuck.sys, angle, last - 0.01);
      g_assert_cmpint (
          hl_start_point (stuck.sys, stuck.work, HL_START_AS_GIVEN, stuck.point, stuck.point, NULL, NULL), ==,
          HL_OK);
      assert_on_branch (&stuck, double_rocker, side, 1e-12);
      hl_system_set_parameter (stuck.sys, angle, last + 0.1 + steps[k]);
      g_assert_cmpint (
          hl_start_point (stuck.sys, stuck.work, HL_START_AS_GIVEN, stuck.point, stuck.point, NULL, NULL), ==,
          HL_INFEASIBLE);
      hl_test_model_clear (&stuck);
    }
}

/* Rough poses are assembled on the branch that was drawn: each coordinate off by up to a fifth of
 * the shortest link, and 0.2 rad, at crank angles where the branches are not near each other. */
static void test_rough_poses (void) {
  for (int round = 0; round < 200; round++) {
    int side = round % 2 == 0 ? 1 : -1;
    double crank = hl_test_uniform (-G_PI, G_PI), coupler, rocker;
    HlTestModel model = four_bar (crank_rocker, side, crank);

    for (int c = 0; c < 9; c++)
      model.sys->mech.bodies[c / 3].pose[c % 3] +=
          c == 2 ? 0.0 : hl_test_uniform (-0.2, 0.2) * (c % 3 == 2 ? 1.0 : crank_rocker.crank);
    hl_test_model_start (&model, HL_START_AS_GIVEN);
    g_assert_true (closed_form (crank_rocker, side, model.point->x[2], &coupler, &rocker));
    hl_assert_near (model.point->x[2], crank, 0.0, 0.0); /* held */
    assert_on_branch (&model, crank_rocker, side, 1e-10);
    hl_test_model_clear (&model);
  }
}

/* A bar that carries a block along it, pinned to a slide on the line x = 1: the slide stands at tan
 * of the bar's angle and runs off for ever as the bar comes upright. The way there has no last step,
 * and an end all the same. */
static void test_runs_off (void) {
  g_autofree char *text =
      g_strdup ("{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'G': [1, 0]}},"
                " 'bodies': ["
                "{'id': 'bar', 'points': {'O': [0, 0]}, 'mass': 1, 'inertia': 1, 'pose': [0, 0, 0.5]},"
                "{'id': 'block', 'points': {'P': [0, 0]}, 'mass': 1, 'inertia': 1, 'pose': [1, "
                "0.54630248984379, 0.5]},"
                "{'id': 'slide', 'points': {'P': [0, 0]}, 'mass': 1, 'inertia': 1, 'pose': [1, "
                "0.54630248984379, 0]}],"
                " 'joints': [{'id': 'j1', 'kind': 'revolute', 'a': 'ground.O', 'b': 'bar.O'},"
                " {'id': 'j2', 'kind': 'prismatic', 'a': 'bar.O', 'b': 'block.P', 'axis': 0},"
                " {'id': 'j3', 'kind': 'revolute', 'a': 'block.P', 'b': 'slide.P'},"
                " {'id': 'j4', 'kind': 'prismatic', 'a': 'ground.G', 'b': 'slide.P', 'axis': "
                "1.5707963267948966}], 'simulation': {'start': 'as-given'}}");
  int column = 2; /* bar.angle */
  HlFault fault = {.entity = -1, .time = NAN};

  g_strdelimit (text, "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpint (
      hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PREFERRED, &column, 1, NULL),
      ==, HL_OK);
  g_assert_cmpint (go_to (&model, 1.5, NULL), ==, HL_OK);
  hl_assert_near (model.point->x[7], tan (1.5), 1e-10, 0.0);
  g_assert_cmpint (go_to (&model, 2.0, &fault), ==, HL_DEAD_POINT);
  hl_test_model_clear (&model);
}

/* Poses of a large island with a small residual, as in a drawing or after a change of length: coordinates are chosen
 * there, and the first requested positions, without a motion since, have closed joints. */
static void test_open_joints (void) {
  HlTestModel model = hl_test_model_from_document (hl_test_scissor_lift (40));
  const HlMechanism *mech = &model.sys->mech;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_nonnull (model.work->islands[0]->large); /* by sparse matrices */
  for (int k = 0; k < 3 * mech->n_bodies; k++)
    model.point->x[k] += 1.0e-6 * sin (k);
  g_assert_cmpint (
      hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL), ==,
      HL_OK);
  int n = model.work->n_states;
  g_autofree double *y = g_new0 (double, n), *y_dot = g_new0 (double, n);
  hl_state_pack (model.sys, model.work, model.point, y);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL), ==, HL_OK);
  for (int k = 0; k < mech->n_rows; k++) {
    const HlRow *row = &mech->rows[k];
    double open =
        hl_row_value (row, hl_work_frame (model.work, row->body_i), hl_work_frame (model.work, row->body_j));
    g_assert_cmpfloat (fabs (open), <=, 1.0e-13);
  }
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/position-solution/steps-of-every-length", test_step_lengths);
  g_test_add_func ("/position-solution/small-steps-at-speed-are-as-exact", test_small_steps_at_speed);
  g_test_add_func ("/position-solution/beyond-the-dead-point", test_beyond_the_dead_point);
  g_test_add_func ("/position-solution/runs-off-for-ever", test_runs_off);
  g_test_add_func ("/position-solution/rough-poses", test_rough_poses);
  g_test_add_func ("/position-solution/held-coordinate", test_held_coordinate);
  g_test_add_func ("/position-solution/drag-beyond-the-dead-point", test_drag_beyond_the_dead_point);
  g_test_add_func ("/position-solution/open-joints-of-a-large-island-are-closed-first", test_open_joints);
  return g_test_run ();
}
