/* SPDX-License-Identifier: MIT */
/* The seven steps on whole matrices against the fast Jacobian: two programs for one linearization,
 * on the examples and on random mechanisms in motion; and the counterpart against its exact limit.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-planar-constrained-system.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

/* Rounding of both paths in their solves: entries agree to this part of themselves plus the part ABSOLUTE of
 * the size of their row and column (the geometric mean of both, scaled states). */
#define RELATIVE 1e-11
#define ABSOLUTE 1e-13

static double scale_of (const HlWork *work, int state) {
  return state >= hl_off_p (work) && state < hl_off_u (work) ? 1e6 : 1.0;
}

/* Both matrices in scaled states, so that a pascal and a radian weigh alike. */
static void assert_same (const HlWork *work, int n, const double got[], const double want[], double looser) {
  for (int row = 0; row < n; row++) {
    double largest = 0.0;
    for (int col = 0; col < n; col++)
      largest = fmax (largest, fabs (want[col * n + row]) * scale_of (work, col));
    for (int col = 0; col < n; col++) {
      double factor = scale_of (work, col);
      hl_assert_near (got[col * n + row] * factor, want[col * n + row] * factor, looser * RELATIVE,
                      looser * ABSOLUTE * largest);
    }
  }
}

static HlConstrainedState state_of (const HlConstrained *system, const HlPoint *point, double z[]) {
  memcpy (z, point->p, (size_t)system->r * sizeof (double));
  memcpy (z + system->r, point->u, (size_t)system->u * sizeof (double));
  return (HlConstrainedState){.x = point->x, .v = point->v, .z = z};
}

/* Both linearizations at the model's point. */
static void compare (HlTestModel *model, HlPartitionRule rule, double looser) {
  HlFault fault = {0};
  double y[128], z[64];

  hl_work_enter_segment (model->sys, model->work, model->point->t);
  g_assert_cmpint (hl_partition_choose (model->sys, model->work, model->point->x, rule, NULL, 0, &fault), ==,
                   HL_OK);
  HlConstrainedPlanar *planar = hl_constrained_planar_new (model->sys, model->work);
  const HlConstrained *system = hl_constrained_planar_system (planar);
  HlConstrainedLinearization *lin = hl_constrained_linearization_new (system);
  HlConstrainedState state = state_of (system, model->point, z);
  size_t n = (size_t)model->work->n_states;
  g_autofree double *J = g_new0 (double, n *n);

  g_assert_cmpint (lin->n_states, ==, model->work->n_states);
  g_assert_cmpint (hl_constrained_linearize (system, model->point->t, &state, model->work->ai_column,
                                             model->work->ad_column, lin, &fault),
                   ==, HL_OK);
  hl_state_pack (model->sys, model->work, model->point, y);
  g_assert_cmpint (hl_jacobian_eval (model->sys, model->point->t, y, J, model->work, &fault), ==, HL_OK);
  assert_same (model->work, lin->n_states, lin->J, J, looser);
  double largest = 1.0;
  for (int k = 0; k < system->m + system->l; k++)
    largest = fmax (largest, fabs (lin->lambda[k]));
  for (int k = 0; k < system->n; k++)
    hl_assert_near (lin->a[k], model->work->a[k], looser * 1e-11, looser * 1e-12 * largest);
  for (int k = 0; k < system->m + system->l; k++)
    hl_assert_near (lin->lambda[k], model->work->lambda[hl_constrained_planar_row (planar, k)],
                    looser * 1e-11, looser * 1e-12 * largest);
  hl_constrained_linearization_free (lin);
  hl_constrained_planar_free (planar);
}

static void test_four_bar (void) {
  static const double scales[] = {1.0, 0.1, 0.01, 0.0};

  for (size_t k = 0; k < G_N_ELEMENTS (scales); k++) {
    HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", scales[k], NULL);
    hl_test_model_start (&model, HL_START_EQUILIBRIUM);
    compare (&model, HL_PARTITION_PREFERRED, 1.0);
    compare (&model, HL_PARTITION_PIVOT, 1.0);
    hl_test_model_clear (&model);
  }
}

/* The moving reference of the golden data: its matrix, from the abstract path alone. */
static void test_four_bar_moving (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  HlTestModel model = hl_test_model_load_with (
      "four-bar.hydrolink", "link2.angle", hl_test_json_number (golden, "moving_reference.phi2"), "M2.signal",
      hl_test_json_number (golden, "moving_reference.torque_on_link2"), "dcv.command", 0.5, "dcv.spool", 0.5,
      NULL);
  double J[36], z[4], v[9], p[3];

  hl_test_json_numbers (golden, "moving_reference.p", p, 3);
  hl_test_json_numbers (golden, "moving_reference.velocities_planar9", v, 9);
  hl_test_json_numbers (golden, "moving_reference.J", J, 36);
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  memcpy (model.point->p, p, sizeof p);
  memcpy (model.point->v, v, sizeof v);
  compare (&model, HL_PARTITION_PREFERRED, 1.0);
  compare (&model, HL_PARTITION_PIVOT, 1.0);

  hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL);
  HlConstrainedPlanar *planar = hl_constrained_planar_new (model.sys, model.work);
  const HlConstrained *system = hl_constrained_planar_system (planar);
  HlConstrainedLinearization *lin = hl_constrained_linearization_new (system);
  HlConstrainedState state = state_of (system, model.point, z);
  g_assert_cmpint (hl_constrained_linearize (system, 0.0, &state, model.work->ai_column, NULL, lin, NULL), ==,
                   HL_OK);
  for (int row = 0; row < 6; row++)
    for (int col = 0; col < 6; col++)
      hl_assert_near (lin->J[col * 6 + row], J[row * 6 + col], 1e-11, 0.0);
  hl_constrained_linearization_free (lin);
  hl_constrained_planar_free (planar);
  hl_test_model_clear (&model);
  json_decref (golden);
}

/* The same place with air in the oil, the pressures on their way to somewhere else. */
static void test_four_bar_with_air (void) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "fluid.air_fraction", 0.1, "link2.omega",
                                               1.3, "dcv.spool", 0.5, NULL);

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  compare (&model, HL_PARTITION_PREFERRED, 1.0);
  compare (&model, HL_PARTITION_PIVOT, 1.0);
  hl_test_model_clear (&model);
}

/* Straight at the model's speed, then turning with pressures that push. */
static void test_vehicles (void) {
  static const char *const files[] = {"articulated-vehicle-rigid.hydrolink",
                                      "articulated-vehicle-tyre.hydrolink",
                                      "articulated-vehicle-tyre-throttle.hydrolink"};

  for (size_t file = 0; file < G_N_ELEMENTS (files); file++)
    for (int turning = 0; turning < 2; turning++) {
      HlTestModel model = hl_test_model_load (files[file]);
      if (turning) {
        model.sys->mech.bodies[0].velocity[2] = 0.31;
        model.sys->mech.bodies[1].pose[2] += 0.2;
      }
      hl_test_model_start (&model, HL_START_AS_GIVEN);
      for (int k = 0; turning && k < model.work->r; k++)
        model.point->p[k] += 3e5 * (k + 1);
      compare (&model, HL_PARTITION_PREFERRED, 1.0);
      compare (&model, HL_PARTITION_PIVOT, 1.0);
      hl_test_model_clear (&model);
    }
}

/* ---- random mechanisms ---- */

#define MOST_BODIES 6

typedef struct {
  int n_bodies;
  double pose[MOST_BODIES][3];
  int n_points[MOST_BODIES + 1]; /* the last is the ground */
  GString *points[MOST_BODIES + 1];
  GString *joints, *loads, *components, *lines;
  int n_joints, n_loads;
} Draft;

/* Adds a point of a body (-1 = ground) at a place of the plane; returns "BODY.POINT". */
static char *add_point (Draft *draft, int body, double x, double y) {
  int slot = body < 0 ? MOST_BODIES : body;
  double at[2] = {x, y};

  if (body >= 0) {
    const double *pose = draft->pose[body];
    double c = cos (pose[2]), s = sin (pose[2]);
    at[0] = c * (x - pose[0]) + s * (y - pose[1]);
    at[1] = -s * (x - pose[0]) + c * (y - pose[1]);
  }
  g_string_append_printf (draft->points[slot], "%s\"P%d\": [%.17g, %.17g]",
                          draft->n_points[slot] > 0 ? ", " : "", draft->n_points[slot], at[0], at[1]);
  char *name = body < 0 ? g_strdup_printf ("ground.P%d", draft->n_points[slot])
                        : g_strdup_printf ("b%d.P%d", body, draft->n_points[slot]);
  draft->n_points[slot]++;
  return name;
}

static void near_body (const Draft *draft, int body, double at[2]) {
  at[0] = (body >= 0 ? draft->pose[body][0] : 0.0) + hl_test_uniform (-0.8, 0.8);
  at[1] = (body >= 0 ? draft->pose[body][1] : 0.0) + hl_test_uniform (-0.8, 0.8);
}

/* Body k hangs on an earlier one or on the ground by a random joint. */
static void add_joint (Draft *draft, int k) {
  static const char *const kinds[] = {"revolute", "revolute", "prismatic", "slot", "distance"};
  const char *kind = kinds[g_test_rand_int_range (0, G_N_ELEMENTS (kinds))];
  int on = g_test_rand_int_range (-1, k);
  double at[2], other[2];

  near_body (draft, k, at);
  memcpy (other, at, sizeof at);
  double angle = hl_test_uniform (-3.0, 3.0), along = hl_test_uniform (0.2, 0.7);
  if (strcmp (kind, "revolute") != 0) {
    other[0] += along * cos (angle);
    other[1] += along * sin (angle);
  }
  g_autofree char *a = add_point (draft, on, other[0], other[1]);
  g_autofree char *b = add_point (draft, k, at[0], at[1]);
  g_string_append_printf (draft->joints, "%s{\"id\": \"j%d\", \"kind\": \"%s\", \"a\": \"%s\", \"b\": \"%s\"",
                          draft->n_joints > 0 ? ",\n" : "", draft->n_joints, kind, a, b);
  if (strcmp (kind, "prismatic") == 0 || strcmp (kind, "slot") == 0)
    g_string_append_printf (draft->joints, ", \"axis\": %.17g", angle - (on >= 0 ? draft->pose[on][2] : 0.0));
  if (strcmp (kind, "distance") == 0)
    g_string_append_printf (draft->joints, ", \"length\": %.17g", along);
  g_string_append (draft->joints, "}");
  draft->n_joints++;
}

static void add_knife_edge (Draft *draft, int body) {
  double at[2];

  near_body (draft, body, at);
  g_autofree char *point = add_point (draft, body, at[0], at[1]);
  g_string_append_printf (
      draft->joints, ",\n{\"id\": \"k%d\", \"kind\": \"knife-edge\", \"point\": \"%s\", \"axis\": %.17g}",
      draft->n_joints++, point, hl_test_uniform (-3.0, 3.0));
}

static void add_loads (Draft *draft) {
  for (int k = 0; k < draft->n_bodies; k++) {
    int other = g_test_rand_int_range (-1, k);
    double at[2], from[2];
    near_body (draft, k, at);
    near_body (draft, other, from);
    g_autofree char *here = add_point (draft, k, at[0], at[1]);
    g_autofree char *there = add_point (draft, other, from[0], from[1]);
    g_autofree char *other_id = other < 0 ? g_strdup ("ground") : g_strdup_printf ("b%d", other);
    g_string_append_printf (
        draft->loads,
        "%s{\"id\": \"s%d\", \"kind\": \"spring\", \"a\": \"%s\", \"b\": \"%s\", \"stiffness\": "
        "%g, "
        "\"damping\": %g, \"free_length\": %g},\n"
        "{\"id\": \"t%d\", \"kind\": \"torsion-spring\", \"a\": \"%s\", \"b\": \"b%d\", "
        "\"stiffness\": %g, \"damping\": %g, \"free_angle\": %g},\n"
        "{\"id\": \"f%d\", \"kind\": \"force\", \"point\": \"%s\", \"direction\": [%g, %g], "
        "\"frame\": \"%s\", \"signal\": %g},\n"
        "{\"id\": \"y%d\", \"kind\": \"tyre\", \"point\": \"%s\", \"axis\": %g, \"stiffness\": %g}",
        k > 0 ? ",\n" : "", k, there, here, hl_test_uniform (100, 900), hl_test_uniform (1, 20),
        hl_test_uniform (0.1, 1.0), k, other_id, k, hl_test_uniform (10, 90), hl_test_uniform (1, 5),
        hl_test_uniform (-1, 1), k, here, hl_test_uniform (-1, 1), hl_test_uniform (0.2, 1),
        k % 2 == 0 ? "body" : "ground", hl_test_uniform (-80, 80), k, here, hl_test_uniform (-3, 3),
        hl_test_uniform (20, 200));
  }
}

/* A cylinder between two bodies, its valve and its lines. */
static void add_circuit (Draft *draft, int k, int body, int other) {
  double at[2], from[2];

  do {
    near_body (draft, body, at);
    near_body (draft, other, from);
  } while (hypot (at[0] - from[0], at[1] - from[1]) < 0.5);
  g_autofree char *rod = add_point (draft, body, at[0], at[1]);
  g_autofree char *base = add_point (draft, other, from[0], from[1]);
  g_string_append_printf (
      draft->components,
      ",\n{\"id\": \"v%d\", \"kind\": \"directional-valve\", \"Cv\": 1e-8, \"time_constant\": "
      "0.01, "
      "\"command\": 0.4, \"spool\": %g},\n"
      "{\"id\": \"o%d\", \"kind\": \"throttle\", \"diameter\": 0.005},\n"
      "{\"id\": \"c%d\", \"kind\": \"cylinder\", \"base\": \"%s\", \"rod\": \"%s\", "
      "\"piston_diameter\": 0.05, \"rod_diameter\": 0.03, \"stroke\": 0.9, \"c1\": %.17g, "
      "\"wall_modulus\": 2e10, \"leakage\": 1e-13, \"friction\": {\"model\": \"brown-mcphee\", "
      "\"Fc\": 60, \"Fs\": 90, \"vs\": 0.3, \"sigma2\": 120}}",
      k, hl_test_uniform (-0.9, 0.9), k, k, base, rod, hypot (at[0] - from[0], at[1] - from[1]) - 0.45);
  g_string_append_printf (
      draft->lines,
      ",\n{\"id\": \"A%d\", \"ports\": [\"v%d.A\", \"o%d.A\"], \"volume\": 1e-4, \"wall_modulus\": "
      "3e8, \"pressure\": 2e6},\n"
      "{\"id\": \"H%d\", \"ports\": [\"o%d.B\", \"c%d.A\"], \"volume\": 1e-4, \"pressure\": %g},\n"
      "{\"id\": \"R%d\", \"ports\": [\"c%d.B\", \"v%d.B\"], \"volume\": 2e-4, \"pressure\": %g}",
      k, k, k, k, k, k, hl_test_uniform (1e6, 4e6), k, k, k, hl_test_uniform (1e6, 4e6));
}

static char *random_mechanism (void) {
  Draft draft = {.n_bodies = g_test_rand_int_range (2, MOST_BODIES + 1),
                 .joints = g_string_new (NULL),
                 .loads = g_string_new (NULL),
                 .components = g_string_new (NULL),
                 .lines = g_string_new (NULL)};
  GString *text = g_string_new ("{\"format\": \"hydrolink\", \"version\": 1, \"ground\": {\"points\": {");
  GString *valve_ports[2] = {g_string_new (NULL), g_string_new (NULL)};
  int n_cylinders = 1 + draft.n_bodies / 3;

  for (int k = 0; k <= MOST_BODIES; k++)
    draft.points[k] = g_string_new (NULL);
  for (int k = 0; k < draft.n_bodies; k++) {
    draft.pose[k][0] = 0.9 * k + hl_test_uniform (-0.3, 0.3);
    draft.pose[k][1] = hl_test_uniform (-0.5, 0.5);
    draft.pose[k][2] = hl_test_uniform (-3.0, 3.0);
  }
  for (int k = 0; k < draft.n_bodies; k++)
    add_joint (&draft, k);
  if (g_test_rand_bit () && draft.n_bodies > 2)
    add_knife_edge (&draft, draft.n_bodies - 1);
  add_loads (&draft);
  for (int k = 0; k < n_cylinders; k++) {
    add_circuit (&draft, k, draft.n_bodies - 1 - k, draft.n_bodies - 2 - k);
    g_string_append_printf (valve_ports[0], ", \"v%d.P\"", k);
    g_string_append_printf (valve_ports[1], ", \"v%d.T\"", k);
  }
  g_string_append_printf (text, "%s}},\n\"bodies\": [\n", draft.points[MOST_BODIES]->str);
  for (int k = 0; k < draft.n_bodies; k++)
    g_string_append_printf (
        text,
        "%s{\"id\": \"b%d\", \"points\": {%s}, \"mass\": %g, \"inertia\": %g, \"com\": [%g, %g], "
        "\"pose\": [%.17g, %.17g, %.17g], \"velocity\": [%g, %g, %g]}",
        k > 0 ? ",\n" : "", k, draft.points[k]->str, hl_test_uniform (1, 9), hl_test_uniform (0.3, 2),
        hl_test_uniform (-0.2, 0.2), hl_test_uniform (-0.2, 0.2), draft.pose[k][0], draft.pose[k][1],
        draft.pose[k][2], hl_test_uniform (-1, 1), hl_test_uniform (-1, 1), hl_test_uniform (-2, 2));
  g_string_append_printf (text,
                          "],\n\"joints\": [\n%s],\n\"loads\": [\n%s],\n\"components\": [\n"
                          "{\"id\": \"pump\", \"kind\": \"pressure-source\", \"pressure\": 8e6},\n"
                          "{\"id\": \"tank\", \"kind\": \"tank\"}%s],\n\"lines\": [\n"
                          "{\"id\": \"LP\", \"ports\": [\"pump.P\"%s]},\n{\"id\": \"LT\", "
                          "\"ports\": [\"tank.T\"%s]}%s]}",
                          draft.joints->str, draft.loads->str, draft.components->str, valve_ports[0]->str,
                          valve_ports[1]->str, draft.lines->str);
  GString *parts[] = {draft.joints, draft.loads,    draft.components,
                      draft.lines,  valve_ports[0], valve_ports[1]};
  for (size_t k = 0; k < G_N_ELEMENTS (parts); k++)
    g_string_free (parts[k], TRUE);
  for (int k = 0; k <= MOST_BODIES; k++)
    g_string_free (draft.points[k], TRUE);
  return g_string_free (text, FALSE);
}

/* Condition of the constraints at the model's point: random drawings come near singular positions,
 * where every solve loses that factor. */
static double condition (HlTestModel *model) {
  hl_partition_choose (model->sys, model->work, model->point->x, HL_PARTITION_PIVOT, NULL, 0, NULL);
  HlConstrainedPlanar *planar = hl_constrained_planar_new (model->sys, model->work);
  const HlConstrained *system = hl_constrained_planar_system (planar);
  int c = system->m + system->l;
  g_autofree double *D = g_new0 (double, c * system->n + 1), *sigma = g_new0 (double, c + 1);
  HlLinalgWork *linalg = hl_linalg_work_new (c, system->n);

  hl_mechanism_set_poses (&model->sys->mech, model->point->x, model->work->frames);
  system->gradients (system->data, D);
  g_assert_cmpint (hl_singular_values (c, system->n, D, sigma, linalg), ==, HL_OK);
  hl_linalg_work_free (linalg);
  hl_constrained_planar_free (planar);
  return sigma[0] / sigma[c - 1];
}

static void test_random_mechanisms (void) {
  int n_nonholonomic = 0, n_moving = 0;

  for (int trial = 0; trial < 60; trial++) {
    g_autofree char *text = random_mechanism ();
    g_test_message ("%s", text);
    HlTestModel model = hl_test_model_from_text (text);

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    compare (&model, HL_PARTITION_PIVOT, condition (&model));
    n_nonholonomic += model.work->l > 0;
    for (int k = 0; k < model.work->n; k++)
      if (fabs (model.point->v[k]) > 0.1) {
        n_moving++;
        break;
      }
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (n_nonholonomic, >, 5);
  g_assert_cmpint (n_moving, >, 50);
}

/* ---- all coordinates ---- */

/* Eigenvalues do not depend on the partition, so neither does the trace of J and of J^2 (scaled).
 */
static void test_own_partition (void) {
  HlTestModel model = hl_test_model_load ("articulated-vehicle-rigid.hydrolink");
  double z[8], trace[2][2] = {{0.0}};

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL);
  HlConstrainedPlanar *planar = hl_constrained_planar_new (model.sys, model.work);
  const HlConstrained *system = hl_constrained_planar_system (planar);
  HlConstrainedLinearization *lin = hl_constrained_linearization_new (system);
  HlConstrainedState state = state_of (system, model.point, z);
  for (int own = 0; own < 2; own++) {
    g_assert_cmpint (hl_constrained_linearize (system, 0.0, &state, own ? NULL : model.work->ai_column,
                                               own ? NULL : model.work->ad_column, lin, NULL),
                     ==, HL_OK);
    int n = lin->n_states;
    for (int row = 0; row < n; row++) {
      trace[own][0] += lin->J[row * n + row];
      for (int col = 0; col < n; col++)
        trace[own][1] += lin->J[col * n + row] * lin->J[row * n + col];
    }
  }
  hl_assert_near (trace[1][0], trace[0][0], 1e-11, 0.0);
  hl_assert_near (trace[1][1], trace[0][1], 1e-10, 0.0);
  hl_constrained_linearization_free (lin);
  hl_constrained_planar_free (planar);
  hl_test_model_clear (&model);
}

/* Central differences tend to the exact matrix in all coordinates, and are what
 * hl_counterpart_jacobian () forms. */
static void test_counterpart (void) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "dcv.spool", 0.5, NULL);
  double X[22], steps[22], exact[22 * 22], difference[22 * 22], planar_difference[22 * 22];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  model.point->p[0] += 4e5;
  hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PREFERRED, NULL, 0, NULL);
  hl_work_enter_segment (model.sys, model.work, 0.0);
  HlConstrainedPlanar *planar = hl_constrained_planar_new (model.sys, model.work);
  const HlConstrained *system = hl_constrained_planar_system (planar);
  g_assert_cmpint (hl_constrained_full_size (system), ==, 22);
  memcpy (X, model.point->x, 9 * sizeof (double));
  memcpy (X + 9, model.point->v, 9 * sizeof (double));
  memcpy (X + 18, model.point->p, 3 * sizeof (double));
  X[21] = model.point->u[0];
  hl_constrained_uniform_steps (system, 1e-5, 10.0, steps);
  g_assert_cmpint (hl_constrained_full_jacobian (system, 0.0, X, exact, NULL), ==, HL_OK);
  g_assert_cmpint (hl_constrained_counterpart (system, 0.0, X, steps, difference, NULL), ==, HL_OK);
  g_assert_cmpint (
      hl_counterpart_jacobian (model.sys, model.work, model.point, 1e-5, planar_difference, NULL), ==, HL_OK);
  for (int row = 0; row < 22; row++)
    for (int col = 0; col < 22; col++) {
      /* truncation of h^2 F'''/6, and rounding of the row's value over the step */
      double largest = 0.0, scale = col >= 18 && col < 21 ? 1e6 : 1.0;
      for (int k = 0; k < 22; k++)
        largest = fmax (largest, fabs (exact[k * 22 + row]) * (k >= 18 && k < 21 ? 1e6 : 1.0));
      hl_assert_near (difference[col * 22 + row] * scale, exact[col * 22 + row] * scale, 1e-5,
                      1e-8 * largest);
      hl_assert_near (planar_difference[col * 22 + row] * scale, difference[col * 22 + row] * scale, 1e-7,
                      1e-8 * largest);
    }
  hl_constrained_planar_free (planar);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/constrained-linearization/four-bar", test_four_bar);
  g_test_add_func ("/constrained-linearization/four-bar-moving", test_four_bar_moving);
  g_test_add_func ("/constrained-linearization/four-bar-with-air", test_four_bar_with_air);
  g_test_add_func ("/constrained-linearization/vehicles", test_vehicles);
  g_test_add_func ("/constrained-linearization/random-mechanisms", test_random_mechanisms);
  g_test_add_func ("/constrained-linearization/own-partition", test_own_partition);
  g_test_add_func ("/constrained-linearization/counterpart", test_counterpart);
  return g_test_run ();
}
