/* SPDX-License-Identifier: MIT */
/* The four-bar's equilibrium, multipliers, Jacobian and eigenvalues against the golden data of seed
 * 000, at rest and moving. */
#include <math.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

/* J (column-major, n x n) against row-major golden entries: nonzero entries to `rel` of themselves,
 * zeros to 1e-13 of the row's largest; column `skip` is left out. */
static void assert_matrix (int n, const double J[], const double golden[], double rel, int skip) {
  for (int row = 0; row < n; row++) {
    double largest = 0.0;
    for (int col = 0; col < n; col++)
      largest = fmax (largest, fabs (golden[row * n + col]));
    for (int col = 0; col < n; col++) {
      double want = golden[row * n + col];
      if (col == skip)
        continue;
      if (want != 0.0)
        hl_assert_near (J[col * n + row], want, rel, 0.0);
      else
        hl_assert_near (J[col * n + row], 0.0, 0.0, 1e-13 * largest);
    }
  }
}

static void test_equilibrium (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  double coordinates[9], multipliers[8], y[16], y_dot[16];

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  hl_test_json_numbers (golden, "equilibrium.coordinates_planar9_xG_yG_psi_per_link", coordinates, 9);
  for (int k = 0; k < 9; k++)
    hl_assert_near (model.point->x[k], coordinates[k], 1e-13, 0.0);
  hl_assert_near (model.point->p[0], hl_test_json_number (golden, "equilibrium.p1"), 1e-13, 0.0);
  hl_assert_near (model.point->p[1], hl_test_json_number (golden, "equilibrium.p2"), 1e-13, 0.0);
  hl_assert_near (model.point->p[2], 3.5e6, 1e-15, 0.0);
  hl_test_json_numbers (golden, "equilibrium.multipliers_planar9", multipliers, 8);
  hl_state_pack (model.sys, model.work, model.point, y);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL), ==, HL_OK);
  hl_dynamics_accelerations (model.sys, model.work);
  for (int k = 0; k < 8; k++)
    hl_assert_near (model.work->lambda[k], multipliers[k], 1e-12, 0.0);
  hl_test_model_clear (&model);
  json_decref (golden);
}

static void test_friction_scales (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  json_t *cases = hl_test_json_at (golden, "cases");

  for (size_t k = 0; k < json_array_size (cases); k++) {
    json_t *one = json_array_get (cases, k);
    HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale",
                                                 hl_test_json_number (one, "friction_scale"), NULL);
    HlLinearizeOptions options = hl_linearize_options_default ();
    double J[36], up[6], down[6];

    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    g_assert_nonnull (lin);
    g_assert_cmpint (lin->n, ==, 6);
    g_assert_cmpstr (lin->state_names[0], ==, "link2.angle");
    g_assert_cmpstr (lin->state_names[5], ==, "dcv.spool");
    hl_test_json_numbers (one, "J", J, 36);
    assert_matrix (6, lin->J, J, 1e-11, 5);
    hl_assert_near (lin->J[35], J[35], 1e-11, 0.0);

    hl_test_json_numbers (golden, "U_column.opening_positive", up, 6);
    hl_test_json_numbers (golden, "U_column.opening_negative", down, 6);
    g_assert_cmpint (lin->n_kinks, ==, 1);
    for (int row = 0; row < 6; row++) {
      hl_assert_near (lin->kinks[0].toward_positive[row], up[row], 1e-11, 1e-20);
      hl_assert_near (lin->kinks[0].toward_negative[row], down[row], 1e-11, 1e-20);
      hl_assert_near (lin->J[30 + row], 0.5 * (up[row] + down[row]), 1e-11, 1e-20);
    }

    g_assert_cmpint (lin->n_null, ==, (int)hl_test_json_number (one, "eigenvalues.null.algebraic"));
    g_assert_cmpint (lin->n_null_blocks, ==, (int)hl_test_json_number (one, "eigenvalues.null.geometric"));
    g_assert_false (lin->unstable);
    for (int block = 0; block < lin->n_null_blocks; block++)
      g_assert_cmpstr (lin->null_names[block], ==, "trapped oil");
    json_t *nonzero = hl_test_json_at (one, "eigenvalues.nonzero");
    int at = 0;
    for (size_t e = 0; e < json_array_size (nonzero); e++, at++) {
      double re = json_number_value (json_object_get (json_array_get (nonzero, e), "re"));
      double im = json_number_value (json_object_get (json_array_get (nonzero, e), "im"));
      while (lin->eigenvalues[at].null)
        at++;
      hl_assert_near (lin->eigenvalues[at].re, re, 0.0, 1e-11 * hypot (re, im));
      hl_assert_near (lin->eigenvalues[at].im, im, 0.0, 1e-11 * hypot (re, im));
    }
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  json_decref (golden);
}

static void test_moving_reference (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  HlTestModel model = hl_test_model_load_with (
      "four-bar.hydrolink", "link2.angle", hl_test_json_number (golden, "moving_reference.phi2"), "M2.signal",
      hl_test_json_number (golden, "moving_reference.torque_on_link2"), "dcv.command", 0.5, "dcv.spool", 0.5,
      NULL);
  double p[3], J[36], x[9], v[9], a[9], lambda[8], p_dot[3], y[6], y_dot[6];

  /* assembled with link2.angle held, then the velocities and pressures of the golden state */
  hl_test_json_numbers (golden, "moving_reference.p", p, 3);
  hl_test_json_numbers (golden, "moving_reference.velocities_planar9", v, 9);
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  memcpy (model.point->p, p, sizeof p);
  memcpy (model.point->v, v, sizeof v);
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_nonnull (lin);

  hl_test_json_numbers (golden, "moving_reference.coordinates_planar9", x, 9);
  hl_test_json_numbers (golden, "moving_reference.accelerations_planar9", a, 9);
  hl_test_json_numbers (golden, "moving_reference.multipliers_planar9", lambda, 8);
  hl_test_json_numbers (golden, "moving_reference.pdot", p_dot, 3);
  hl_test_json_numbers (golden, "moving_reference.J", J, 36);
  hl_state_pack (model.sys, model.work, model.point, y);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL), ==, HL_OK);
  hl_dynamics_accelerations (model.sys, model.work);
  for (int k = 0; k < 9; k++) {
    hl_assert_near (model.work->x[k], x[k], 1e-13, 1e-15);
    hl_assert_near (model.work->v[k], v[k], 1e-12, 1e-15);
    hl_assert_near (model.work->a[k], a[k], 1e-11, 1e-13);
  }
  for (int k = 0; k < 8; k++)
    hl_assert_near (model.work->lambda[k], lambda[k], 1e-12, 0.0);
  for (int k = 0; k < 3; k++)
    hl_assert_near (y_dot[2 + k], p_dot[k], 1e-12, 0.0);
  assert_matrix (6, lin->J, J, 1e-11, -1);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
  json_decref (golden);
}

/* ---- articulated vehicle: nonholonomic, defective null clusters, moving references ---- */

static const char *vehicle_file (const char *variant) {
  if (strcmp (variant, "rigid") == 0)
    return "articulated-vehicle-rigid.hydrolink";
  return strcmp (variant, "tyre") == 0 ? "articulated-vehicle-tyre.hydrolink"
                                       : "articulated-vehicle-tyre-throttle.hydrolink";
}

/* Sets the model's starting poses, velocities, pressures and spool from one golden entry. */
static HlTestModel vehicle (json_t *one) {
  HlTestModel model =
      hl_test_model_load (vehicle_file (json_string_value (json_object_get (one, "variant"))));
  double values[6];
  size_t n_p = json_array_size (json_object_get (one, "p"));

  hl_test_json_numbers (one, "x", values, 6);
  for (int k = 0; k < 6; k++)
    model.sys->mech.bodies[k / 3].pose[k % 3] = values[k];
  hl_test_json_numbers (one, "v", values, 6);
  for (int k = 0; k < 6; k++)
    model.sys->mech.bodies[k / 3].velocity[k % 3] = values[k];
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_test_json_numbers (one, "p", model.point->p, (int)n_p);
  if (json_object_get (one, "U") != NULL && model.work->u > 0) {
    json_t *U = json_object_get (one, "U");
    model.point->u[0] = json_number_value (json_is_array (U) ? json_array_get (U, 0) : U);
  }
  return model;
}

static void test_vehicle_straight (void) {
  json_t *golden = hl_test_golden_json ("articulated_vehicle.json");
  json_t *cases = hl_test_json_at (golden, "cases");

  for (size_t k = 0; k < json_array_size (cases); k++) {
    json_t *one = json_array_get (cases, k);
    HlTestModel model = vehicle (one);
    HlLinearizeOptions options = hl_linearize_options_default ();
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    int n = (int)json_array_size (json_object_get (one, "state_order"));
    double J[121];
    json_t *blocks = hl_test_json_at (one, "eigenvalues.null.jordan_block_sizes");

    g_assert_nonnull (lin);
    g_assert_cmpint (lin->n, ==, n);
    hl_test_json_numbers (one, "J", J, n * n);
    assert_matrix (n, lin->J, J, 1e-11, model.work->u > 0 ? n - 1 : -1);
    g_assert_cmpint (lin->n_null, ==, (int)hl_test_json_number (one, "eigenvalues.null.algebraic"));
    g_assert_cmpint (lin->n_null_blocks, ==, (int)json_array_size (blocks));
    for (int b = 0; b < lin->n_null_blocks; b++)
      g_assert_cmpint (lin->null_blocks[b], ==, (int)json_integer_value (json_array_get (blocks, (size_t)b)));
    json_t *nonzero = hl_test_json_at (one, "eigenvalues.nonzero");
    int at = 0;
    bool unstable = false;
    for (size_t e = 0; e < json_array_size (nonzero); e++, at++) {
      double re = json_number_value (json_object_get (json_array_get (nonzero, e), "re"));
      double im = json_number_value (json_object_get (json_array_get (nonzero, e), "im"));
      while (lin->eigenvalues[at].null)
        at++;
      hl_assert_near (lin->eigenvalues[at].re, re, 0.0, 1e-11 * hypot (re, im));
      hl_assert_near (lin->eigenvalues[at].im, im, 0.0, 1e-11 * hypot (re, im));
      unstable = unstable || re > 0.0;
    }
    g_assert_cmpint (lin->unstable, ==, unstable);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  json_decref (golden);
}

static void test_vehicle_turning (void) {
  json_t *golden = hl_test_golden_json ("articulated_vehicle.json");
  json_t *references = hl_test_json_at (golden, "moving_reference");

  for (size_t k = 0; k < json_array_size (references); k++) {
    json_t *one = json_array_get (references, k);
    HlTestModel model = vehicle (one);
    static const char *const coordinates[] = {"front.x", "front.angle", "rear.angle", "front.y"};
    HlLinearizeOptions options = hl_linearize_options_default ();
    options.coordinates =
        coordinates; /* the golden partition: while turning the rule would take both angles */
    options.n_coordinates = 4;
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    int n = (int)json_array_size (json_object_get (one, "J"));
    int n_rows = (int)json_array_size (json_object_get (one, "multipliers"));
    double J[121], a[6], lambda[4], y[16], y_dot[16];

    g_assert_cmpint (lin->n, ==, n);
    hl_test_json_numbers (one, "J", J, n * n);
    hl_test_json_numbers (one, "a", a, 6);
    hl_test_json_numbers (one, "multipliers", lambda, n_rows);
    assert_matrix (n, lin->J, J, 1e-11, -1);
    hl_state_pack (model.sys, model.work, model.point, y);
    g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL), ==, HL_OK);
    hl_dynamics_accelerations (model.sys, model.work);
    for (int i = 0; i < 6; i++)
      hl_assert_near (model.work->a[i], a[i], 1e-11, 1e-13);
    for (int i = 0; i < n_rows; i++)
      hl_assert_near (model.work->lambda[i], lambda[i], 1e-12, 1e-9);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  json_decref (golden);
}

/* A mass on a slide and a spring, its joint a hair off the origin of its frame: the hair is no size
 * of the linkage, and the mass swings as before, w^2 = k / m. */
static void test_joint_a_hair_off (void) {
  static const double off[] = {0.0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-4};

  for (gsize k = 0; k < G_N_ELEMENTS (off); k++) {
    g_autofree char *text = g_strdup_printf (
        "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'R': [3, -2]}},"
        " 'bodies': [{'id': 'm', 'points': {'P': [0, %.17g]}, 'mass': 9.4, 'inertia': 1,"
        " 'pose': [3.2, -2, 0]}],"
        " 'joints': [{'id': 'pr', 'kind': 'prismatic', 'a': 'ground.R', 'b': 'm.P', 'axis': 0}],"
        " 'loads': [{'id': 's', 'kind': 'spring', 'a': 'ground.R', 'b': 'm.P', 'stiffness': 1444,"
        " 'damping': 0, 'free_length': 0.3}]}",
        off[k]);
    g_strdelimit (text, "'", '"');
    HlTestModel model = hl_test_model_from_text (text);
    HlLinearizeOptions options = hl_linearize_options_default ();
    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    g_assert_nonnull (lin);
    hl_assert_near (lin->eigenvalues[0].im, sqrt (1444.0 / 9.4), 1e-9, 0.0);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
}

/* Whoever walks a list of names to its end finds one, also in a model without inputs. */
static void test_lists_end (void) {
  static const char *const names[] = {"four-bar.hydrolink", "articulated-vehicle-rigid.hydrolink",
                                      "slider-crank.hydrolink", "articulated-vehicle-tyre.hydrolink"};
  HlLinearizeOptions options = hl_linearize_options_default ();
  int least_inputs = G_MAXINT;

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    HlTestModel model = hl_test_model_load (names[k]);
    hl_test_model_start (&model, HL_START_FROM_MODEL);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
    g_assert_nonnull (lin);
    g_assert_cmpuint (g_strv_length (lin->state_names), ==, lin->n);
    g_assert_cmpuint (g_strv_length (lin->state_units), ==, lin->n);
    g_assert_cmpuint (g_strv_length (lin->input_names), ==, lin->n_inputs);
    g_assert_cmpuint (g_strv_length (lin->null_names), ==, lin->n_null_blocks);
    least_inputs = MIN (least_inputs, lin->n_inputs);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (least_inputs, ==, 0);
}

/* A start state and a linearization are those of a new work, to the last bit, in a work that has searched elsewhere before: the
 * cosines of angles nearby were carried along, so that the window, which had sought the start in the same work, and the command
 * line differed in the last digits. */
static void test_used_work (gconstpointer name) {
  HlTestModel model = hl_test_model_load (name);
  HlPoint *other = hl_point_new (model.sys);
  HlWork *fresh = hl_work_new (model.sys);

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlLinearization *used_lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  HlLinearization *fresh_lin = hl_linearize (model.sys, fresh, model.point, &options, NULL);
  g_assert_nonnull (used_lin);
  g_assert_nonnull (fresh_lin);
  g_assert_cmpint (used_lin->n, ==, fresh_lin->n);
  for (int k = 0; k < fresh_lin->n * fresh_lin->n; k++)
    g_assert_cmpfloat (used_lin->J[k], ==, fresh_lin->J[k]);
  g_assert_cmpint (hl_start_point (model.sys, fresh, HL_START_EQUILIBRIUM, NULL, other, NULL, NULL), ==,
                   HL_OK);
  for (int k = 0; k < hl_system_n_coordinates (model.sys); k++)
    g_assert_cmpfloat (other->x[k], ==, model.point->x[k]);
  for (int k = 0; k < hl_system_n_pressures (model.sys); k++)
    g_assert_cmpfloat (other->p[k], ==, model.point->p[k]);
  hl_linearization_free (used_lin);
  hl_linearization_free (fresh_lin);
  hl_work_free (fresh);
  hl_point_free (other);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linearize-four-bar/four-bar/equilibrium-and-multipliers", test_equilibrium);
  g_test_add_func ("/linearize-four-bar/four-bar/four-friction-scales", test_friction_scales);
  g_test_add_func ("/linearize-four-bar/four-bar/moving-reference", test_moving_reference);
  g_test_add_func ("/linearize-four-bar/vehicle/straight-at-three-speeds", test_vehicle_straight);
  g_test_add_func ("/linearize-four-bar/vehicle/turning", test_vehicle_turning);
  g_test_add_func ("/linearize-four-bar/joint-a-hair-off", test_joint_a_hair_off);
  g_test_add_data_func ("/linearize-four-bar/work-used-before/four-bar", "four-bar.hydrolink",
                        test_used_work);
  g_test_add_data_func ("/linearize-four-bar/work-used-before/crank-rocker", "crank-rocker.hydrolink",
                        test_used_work);
  g_test_add_data_func ("/linearize-four-bar/work-used-before/watt-six-bar", "watt-six-bar.hydrolink",
                        test_used_work);
  g_test_add_func ("/linearize-four-bar/lists-of-names-end-in-null", test_lists_end);
  return g_test_run ();
}
