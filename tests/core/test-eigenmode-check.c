/* SPDX-License-Identifier: MIT */
/* The nonlinear machine, kicked along a mode, decays and swings as the golden eigenvalues say. */
#include <math.h>
#include <string.h>

#include "core/linear/hl-eigenmode-check.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-case-subset.h"
#include "tests/support/hl-test.h"

#define AGREES 1e-3 /* at a small amplitude */

static HlLinearization *linearize (HlTestModel *model, HlStart start) {
  HlLinearizeOptions options = hl_linearize_options_default ();

  hl_test_model_start (model, start);
  HlLinearization *lin = hl_linearize (model->sys, model->work, model->point, &options, NULL);
  g_assert_nonnull (lin);
  return lin;
}

/* Every golden eigenvalue of the four-bar, at three friction scales. */
static void test_four_bar (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");

  for (int k = 0; k < 3; k++) {
    g_autofree char *scale = g_strdup_printf ("cases.%d.friction_scale", k);
    HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale",
                                                 hl_test_json_number (golden, scale), NULL);
    HlLinearization *lin = linearize (&model, HL_START_EQUILIBRIUM);
    HlModeCheckOptions options = hl_mode_check_options_default ();
    int nonzero = 0;

    for (int e = 0; e < lin->n; e++) {
      HlModeCheck check;
      if (lin->eigenvalues[e].null)
        continue;
      g_autofree char *re = g_strdup_printf ("cases.%d.eigenvalues.nonzero.%d.re", k, nonzero);
      g_autofree char *im = g_strdup_printf ("cases.%d.eigenvalues.nonzero.%d.im", k, nonzero++);
      double want_re = hl_test_json_number (golden, re), want_im = hl_test_json_number (golden, im);
      g_assert_cmpint (hl_mode_check (model.sys, model.point, lin, e, 1e-4, &options, &check, NULL), ==,
                       HL_OK);
      hl_assert_near (check.re, want_re, AGREES, 0.0);
      hl_assert_near (check.im, want_im, AGREES, AGREES);
    }
    g_assert_cmpint (nonzero, ==, 4);
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  json_decref (golden);
}

/* Friction falls off its slope at speeds near v_s: beyond some amplitude decay differs, and there it differs by the
 * requested part. */
static void test_limit (void) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", 0.1, NULL);
  HlLinearization *lin = linearize (&model, HL_START_EQUILIBRIUM);
  HlModeCheckOptions options = hl_mode_check_options_default ();
  const double range[2] = {1e-4, 1e2};
  HlModeCheck check;
  int pair = 0;

  while (lin->eigenvalues[pair].null || lin->eigenvalues[pair].im <= 0.0)
    pair++;
  g_assert_cmpint (hl_mode_check_limit (model.sys, model.point, lin, pair, range, 0.05, &options, &check), ==,
                   HL_OK);
  g_assert_true (isfinite (check.amplitude));
  g_assert_cmpfloat (check.apart, >=, 0.05);
  /* what is odd in the kick parts with its square, and its size is known to a tenth */
  g_assert_cmpfloat (check.apart, <, 0.05 * 1.1 * 1.1);
  HlModeCheck below;
  hl_mode_check (model.sys, model.point, lin, pair, 0.8 * check.amplitude, &options, &below, NULL);
  g_assert_cmpfloat (below.apart, <, 0.05);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* A vehicle that rolls on: the start is no equilibrium in place, the modes are those of the way. */
static void test_moving (void) {
  HlTestModel model = hl_test_model_load ("articulated-vehicle-tyre.hydrolink");
  HlLinearization *lin = linearize (&model, HL_START_AS_GIVEN);
  HlModeCheckOptions options = hl_mode_check_options_default ();

  for (int e = 0; e < lin->n; e++) {
    HlModeCheck check;
    if (lin->eigenvalues[e].null)
      continue;
    g_assert_cmpint (hl_mode_check (model.sys, model.point, lin, e, 1e-5, &options, &check, NULL), ==, HL_OK);
    g_assert_cmpfloat (check.apart, <, AGREES);
  }
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* The pose at amplitude a is a * v to first order, and comes back after a turn. */
static void test_pose (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlLinearization *lin = linearize (&model, HL_START_EQUILIBRIUM);
  HlPoint *there = hl_point_new (model.sys), *back = hl_point_new (model.sys);
  int n = hl_system_n_coordinates (model.sys), mode = 0;

  while (lin->eigenvalues[mode].null)
    mode++;
  for (int side = 0; side < 2; side++) {
    double a = side == 0 ? 1e-5 : 0.05;
    g_assert_cmpint (hl_mode_pose (model.sys, model.work, model.point, lin, mode, a, 0.0, there), ==, HL_OK);
    g_assert_cmpint (hl_mode_pose (model.sys, model.work, model.point, lin, mode, a, G_PI, back), ==, HL_OK);
    double moved = 0.0, curved = 0.0;
    for (int k = 0; k < n; k++) {
      moved = fmax (moved, fabs (there->x[k] - back->x[k]));
      curved = fmax (curved, fabs (there->x[k] + back->x[k] - 2.0 * model.point->x[k]));
    }
    /* link2.angle is the independent coordinate; other coordinates move up to ten times as far */
    g_assert_cmpfloat (moved, >=, 2.0 * a * (1.0 - 1e-6));
    g_assert_cmpfloat (moved, <, 20.0 * a);
    g_assert_cmpfloat (curved, <, 20.0 * a * a);
  }
  hl_point_free (there);
  hl_point_free (back);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* Eigenvalues of a machine with more of them are taken evenly, so many of them: a run for each is long. */
#define MOST_OF_MACHINE 10

/* Eigenvalues of every example that are not null (with `-m slow` every one): the check ends within its steps, and where
 * the machine neither moves on nor has a kink, the run decays and swings as the eigenvalue says. */
static void test_every_example (void) {
  g_autoptr (GDir) dir = g_dir_open (g_getenv ("HL_EXAMPLES_DIR"), 0, NULL);
  HlModeCheckOptions options = hl_mode_check_options_default ();
  const char *name;
  int checked = 0, moving = 0, kinked = 0, agreeing = 0;
  guint n_examples = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, ".hydrolink") || !hl_case_share_takes (n_examples++))
      continue;
    /* waves swing it from t = 0 on, and its check valves open within a period of a mode */
    if (strcmp (name, "wave-flap.hydrolink") == 0)
      continue;
    HlTestModel model = hl_test_model_load (name);
    HlLinearization *lin = linearize (&model, HL_START_FROM_MODEL);
    int turn = 0, of = g_test_slow () ? 1 : (lin->n + MOST_OF_MACHINE - 1) / MOST_OF_MACHINE;
    for (int e = 0; e < lin->n; e++) {
      HlModeCheck check;
      const HlEigenvalue *value = &lin->eigenvalues[e];
      if (value->null || value->im < 0.0 || turn++ % of != 0)
        continue;
      HlStatus status = hl_mode_check (model.sys, model.point, lin, e, 1e-4, &options, &check, NULL);
      g_test_message ("%s %g %+g i: status %d, run %g %+g i, drift %.1e in %.1e s, kink %.1e", name,
                      value->re, value->im, status, check.re, check.im, check.drift, check.duration,
                      check.kink);
      checked++;
      moving += check.moves_on;
      kinked += check.kink > 0.05;
      if (check.drift > 0.01 || check.kink > 0.05)
        continue;
      g_assert_cmpint (status, ==, HL_OK);
      g_assert_cmpfloat (check.apart, <, check.moves_on ? 0.05 : AGREES);
      agreeing++;
    }
    hl_linearization_free (lin);
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (checked, >, (int)hl_share_of (50));
  g_assert_cmpint (moving, >, (int)hl_share_of (5));
  g_assert_cmpint (kinked, >, (int)hl_share_of (5));
  g_assert_cmpint (agreeing, >, (int)hl_share_of (25));
}

static bool at_once (void *data) {
  (void)data;
  return true;
}

static void test_cancel (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlLinearization *lin = linearize (&model, HL_START_EQUILIBRIUM);
  HlModeCheckOptions options = hl_mode_check_options_default ();
  HlModeCheck check;
  int mode = 0;

  while (lin->eigenvalues[mode].null)
    mode++;
  options.cancel = at_once;
  g_assert_cmpint (hl_mode_check (model.sys, model.point, lin, mode, 1e-4, &options, &check, NULL), ==,
                   HL_CANCELLED);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* ---- closed forms ---- */

#define PENDULUM_W sqrt (10.0 * 9.81 * 0.5 / (1.0 + 10.0 * 0.25))

static HlTestModel model_of (const char *text) {
  g_autofree char *quoted = g_strdup (text);

  return hl_test_model_from_text (g_strdelimit (quoted, "'", '"'));
}

/* A bar of 10 kg that hangs from its end, without any damping. */
static HlTestModel pendulum (void) {
  return model_of ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': "
                   "{'points': {'g': [0, 0]}}, 'bodies': [{'id': 'bar', 'points': {'o': [0, 0.5]}, "
                   "'mass': 10, 'inertia': 1, 'pose': [0, -0.5, 0]}], 'joints': [{'id': 'pivot', "
                   "'kind': 'revolute', 'a': 'ground.g', 'b': 'bar.o'}]}");
}

/* Frequency over that of small swings of a pendulum that comes to rest at the angle a: by the
 * arithmetic-geometric mean, agm (1, cos (a/2)). */
static double slowed (double a) {
  double x = 1.0, y = cos (0.5 * a);

  for (int k = 0; k < 30; k++) {
    double mean = 0.5 * (x + y);
    y = sqrt (x * y);
    x = mean;
  }
  return x;
}

/* Returns the amplitude of a motion that starts along the real part of eigenvector k with this amplitude,
 * from its energy. */
static double reach (const HlLinearization *lin, int k, double amplitude) {
  double largest = 0.0, w = PENDULUM_W, at[2];

  g_assert_cmpint (lin->n, ==, 2);
  g_assert_cmpstr (lin->state_names[0], ==, "bar.x");
  for (int state = 0; state < 2; state++) {
    at[state] = lin->right_re[k * 2 + state];
    largest = fmax (largest, fabs (at[state]) / lin->scale[state]);
  }
  /* bar.x = sin (angle)/2 */
  double angle = asin (2.0 * at[0] * amplitude / largest);
  double speed = 2.0 * at[1] * amplitude / largest / cos (angle);
  return acos (cos (angle) - speed * speed / (2.0 * w * w));
}

/* A pendulum swings the slower the farther it goes; the check finds it at every amplitude, and the limit
 * where it parts by 2 %. */
static void test_pendulum (void) {
  static const double amplitudes[] = {1e-3, 0.05, 0.2, 0.35};
  HlTestModel model = pendulum ();
  HlLinearization *lin = linearize (&model, HL_START_AS_GIVEN);
  HlModeCheckOptions options = hl_mode_check_options_default ();
  int k = lin->eigenvalues[0].im > 0.0 ? 0 : 1;

  hl_assert_near (lin->eigenvalues[k].im, PENDULUM_W, 1e-12, 0.0);
  for (gsize i = 0; i < G_N_ELEMENTS (amplitudes); i++) {
    HlModeCheck check;
    double part = slowed (reach (lin, k, amplitudes[i]));
    g_assert_cmpint (hl_mode_check (model.sys, model.point, lin, k, amplitudes[i], &options, &check, NULL),
                     ==, HL_OK);
    g_test_message ("amplitude %g: %.6g of the frequency, %.6g by the mean", amplitudes[i],
                    check.im / PENDULUM_W, part);
    hl_assert_near (1.0 - check.im / PENDULUM_W, 1.0 - part, 0.05, 1e-5);
    hl_assert_near (check.re, 0.0, 0.0, 1e-3 * PENDULUM_W);
    g_assert_cmpfloat (check.amplitude, ==, amplitudes[i]);
    g_assert_false (check.moves_on);
    g_assert_cmpfloat (check.kink, <, 1e-4);
  }
  static const double range[2] = {1e-3, 10.0};
  HlModeCheck limit;
  g_assert_cmpint (hl_mode_check_limit (model.sys, model.point, lin, k, range, 0.02, &options, &limit), ==,
                   HL_OK);
  double low = 1e-3, high = 1.0;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    if (1.0 - slowed (reach (lin, k, middle)) < 0.02)
      low = middle;
    else
      high = middle;
  }
  g_assert_cmpfloat (limit.amplitude, >=, 0.97 * low); /* found from above, to a tenth */
  g_assert_cmpfloat (limit.amplitude, <=, 1.13 * low);
  g_assert_false (limit.ended);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* A mass on a spring with a damper is linear: at any amplitude it does as the eigenvalue says, there is
 * no limit; a requested length is kept, and a range that begins beyond a limit reports it at its beginning. */
static void test_linear (void) {
  HlTestModel model =
      model_of ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'g': [0, 0], "
                "'left': [-1000, 0]}}, 'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 3, 'inertia': "
                "1, 'pose': [0, 0, 0]}], 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': "
                "'m.p', 'axis': 0}], 'loads': [{'id': 'k', 'kind': 'spring', 'a': 'ground.left', 'b': 'm.p', "
                "'stiffness': 700, 'free_length': 1000, 'damping': 11}]}");
  HlLinearization *lin = linearize (&model, HL_START_AS_GIVEN);
  HlModeCheckOptions options = hl_mode_check_options_default ();
  static const double range[2] = {1e-4, 10.0};
  HlModeCheck check;
  int k = lin->eigenvalues[0].im > 0.0 ? 0 : 1;

  for (double amplitude = 1e-4; amplitude < 20.0; amplitude *= 10.0) {
    g_assert_cmpint (hl_mode_check (model.sys, model.point, lin, k, amplitude, &options, &check, NULL), ==,
                     HL_OK);
    hl_assert_near (check.re, -11.0 / 6.0, 1e-4, 0.0);
    hl_assert_near (check.im, sqrt (700.0 / 3.0 - 121.0 / 36.0), 1e-4, 0.0);
  }
  g_assert_cmpint (hl_mode_check_limit (model.sys, model.point, lin, k, range, 0.01, &options, &check), ==,
                   HL_OK);
  g_assert_true (isinf (check.amplitude));
  /* nothing is nearer than nothing: apart from the first on */
  g_assert_cmpint (hl_mode_check_limit (model.sys, model.point, lin, k, range, 0.0, &options, &check), ==,
                   HL_OK);
  g_assert_cmpfloat (check.amplitude, ==, range[0]);
  options.duration = 0.3;
  g_assert_cmpint (hl_mode_check (model.sys, model.point, lin, k, 1e-3, &options, &check, NULL), ==, HL_OK);
  g_assert_cmpfloat (check.duration, ==, 0.3);
  hl_assert_near (check.re, -11.0 / 6.0, 1e-4, 0.0);
  options.cancel = at_once;
  g_assert_cmpint (hl_mode_check_limit (model.sys, model.point, lin, k, range, 0.01, &options, &check), ==,
                   HL_CANCELLED);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* A body that nothing holds has two null eigenvalues: a kick along them shows no decay. */
static void test_null (void) {
  HlTestModel model =
      model_of ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'g': [0, "
                "0]}}, 'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, 'mass': 3, 'inertia': 1, 'pose': [0, "
                "0, 0]}], 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': "
                "0}]}");
  HlLinearization *lin = linearize (&model, HL_START_AS_GIVEN);
  HlModeCheckOptions options = hl_mode_check_options_default ();
  static const double range[2] = {1e-4, 1.0};
  HlModeCheck check;
  HlFault fault = {0};

  g_assert_cmpint (lin->n_null, ==, 2);
  g_assert_cmpint (hl_mode_check (model.sys, model.point, lin, 0, 1e-4, &options, &check, &fault), ==,
                   HL_BAD_MODEL);
  g_assert_cmpint (hl_mode_check_limit (model.sys, model.point, lin, 0, range, 0.05, &options, &check), ==,
                   HL_BAD_MODEL);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/eigenmode-check/four-bar", test_four_bar);
  g_test_add_func ("/eigenmode-check/limit", test_limit);
  g_test_add_func ("/eigenmode-check/moving", test_moving);
  g_test_add_func ("/eigenmode-check/pose", test_pose);
  g_test_add_func ("/eigenmode-check/every-example", test_every_example);
  g_test_add_func ("/eigenmode-check/cancel", test_cancel);
  g_test_add_func ("/eigenmode-check/pendulum-slows-down", test_pendulum);
  g_test_add_func ("/eigenmode-check/linear-at-any-amplitude", test_linear);
  g_test_add_func ("/eigenmode-check/null-eigenvalues-tell-nothing", test_null);
  return g_test_run ();
}
