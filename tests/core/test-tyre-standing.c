/* SPDX-License-Identifier: MIT */
/* A tyre that stands or comes to a stand: its force turns round with every lateral motion there,
 * and holds, up to a quarter turn of slip. */
#include <math.h>

#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define MASS 200.0
#define STIFFNESS 1000.0
#define LIMIT (STIFFNESS * G_PI / 2.0)

/* A sledge on one wheel, kept straight; a push across it, a damper along it. */
static HlTestModel sledge (double push, double speed, double damping) {
  g_autofree char *text = g_strdelimit (
      g_strdup_printf (
          "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
          " 'ground': {'points': {'wall': [-50, 0], 'rail': [0, 0]}},"
          " 'bodies': [{'id': 'sledge', 'points': {'hub': [0, 0]}, 'mass': %.17g, 'inertia': 10,"
          " 'pose': [0, 0, 0], 'velocity': [%.17g, 0, 0]},"
          " {'id': 'carrier', 'points': {'C': [0, 0]}, 'mass': 1e-6, 'inertia': 1, 'pose': [0, 0, "
          "0], 'velocity': [%.17g, 0, 0]}],"
          " 'joints': [{'id': 'along', 'kind': 'prismatic', 'a': 'ground.rail', 'b': 'carrier.C',"
          " 'axis': 0}, {'id': 'across', 'kind': 'prismatic', 'a': 'carrier.C', 'b': 'sledge.hub',"
          " 'axis': 1.5707963267948966}],"
          " 'loads': [{'id': 'wheel', 'kind': 'tyre', 'point': 'sledge.hub', 'axis': 0, "
          "'stiffness': %.17g}, {'id': 'push', 'kind': 'force', 'point': 'sledge.hub', 'direction':"
          " [0, 1], 'signal': %.17g}, {'id': 'brake', 'kind': 'spring', 'a': 'ground.wall', 'b': "
          "'carrier.C', 'stiffness': 0, 'damping': %.17g, 'free_length': 50}],"
          " 'simulation': {'start': 'as-given'}}",
          MASS, speed, speed, STIFFNESS, push, damping),
      "'", '"');

  return hl_test_model_from_text (text);
}

static HlTestRun run (double push, double speed, double damping, HlMethod method, double rtol) {
  static const char *const paths[] = {"sledge.x", "sledge.y", "sledge.vx", "sledge.vy", NULL};
  HlTestModel model = sledge (push, speed, damping);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.t_end = 2.0;
  options.every = 0.1;
  options.rtol = rtol;
  options.method = method;
  HlTestRun record = hl_test_run (&model, options, paths);
  g_assert_cmpint (record.status, ==, HL_OK);
  g_assert_cmpint ((int)record.stats.steps, <, 2000);
  hl_test_model_clear (&model);
  return record;
}

/* Pushed by less than the limit it stays; by more, it is off with what is left. */
static void test_pushed (gconstpointer data) {
  HlMethod method = (HlMethod)GPOINTER_TO_INT (data);

  for (double rtol = 1e-4; rtol > 1e-9; rtol *= 0.1) {
    HlTestRun held = run (0.8 * LIMIT, 0.0, 0.0, method, rtol);
    hl_assert_near (hl_test_run_value (&held, held.n_rows - 1, 1), 0.0, 0.0, 1e-5); /* it creeps */
    hl_test_run_clear (&held);

    HlTestRun slides = run (1.3 * LIMIT, 0.0, 0.0, method, rtol);
    hl_assert_near (hl_test_run_value (&slides, slides.n_rows - 1, 1), 0.5 * 0.3 * LIMIT / MASS * 4.0, 0.0,
                    2e-4);
    hl_test_run_clear (&slides);
  }
}

/* Rolls out with exp (-d t / m) and stands; sideways against small steps of the written law. */
static void test_braked (gconstpointer data) {
  HlMethod method = (HlMethod)GPOINTER_TO_INT (data);
  double damping = 4000.0, push = 500.0, speed = 3.0, y = 0.0, vy = 0.0, h = 1e-6;

  HlTestRun rolls = run (push, speed, damping, method, 1e-7);
  int last = rolls.n_rows - 1;
  hl_assert_near (hl_test_run_value (&rolls, last, 0), speed * MASS / damping, 1e-5, 0.0);
  hl_assert_near (hl_test_run_value (&rolls, last, 2), 0.0, 0.0, 1e-6);
  hl_assert_near (hl_test_run_value (&rolls, last, 3), 0.0, 0.0, 1e-6);
  for (double t = 0.0; t < 0.25; t += h) { /* the speeds are a hundredth there */
    double middle = vy + 0.5 * h * (push - STIFFNESS * atan2 (vy, speed * exp (-damping * t / MASS))) / MASS;
    vy += h * (push - STIFFNESS * atan2 (middle, speed * exp (-damping * (t + 0.5 * h) / MASS))) / MASS;
    y += h * middle;
  }
  g_assert_cmpfloat (y, >, 0.01);
  hl_assert_near (hl_test_run_value (&rolls, last, 1), y, 0.05, 0.0);
  hl_test_run_clear (&rolls);
}

int main (int argc, char **argv) {
  static const struct {
    const char *pushed, *braked;
  } names[] = {{"/tyre-standing/pushed/bdf", "/tyre-standing/braked/bdf"},
               {"/tyre-standing/pushed/radau", "/tyre-standing/braked/radau"}};

  g_test_init (&argc, &argv, NULL);
  for (int method = HL_METHOD_BDF; method <= HL_METHOD_RADAU; method++) {
    g_test_add_data_func (names[method - HL_METHOD_BDF].pushed, GINT_TO_POINTER (method), test_pushed);
    g_test_add_data_func (names[method - HL_METHOD_BDF].braked, GINT_TO_POINTER (method), test_braked);
  }
  return g_test_run ();
}
