/* SPDX-License-Identifier: MIT */
/* A run of the hybrid model computes in the frame of its first body and changes its independent
 * coordinates on the way; neither shows. Without oil it is the lumped model, whatever happens to
 * the partition; its states are those of the drawing, independent of its place. */
#include <math.h>
#include <string.h>

#include "tests/support/hl-transformed-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-swinging-bar.h"
#include "tests/support/hl-test-random-machine.h"
#include "tests/support/hl-turning-guide.h"

#define T_END 3.0
#define MOST_MODES 64

/* ---- without oil ---- */

typedef struct {
  const char *text;
  const char *paths[8];
  bool is_rearranged; /* needs more than one partition */
} Machine;

/* A lever driven round by a torque, over a crank, a coupler and a rocker. */
#define TURNING_CRANK                                                                                        \
  "{\"format\": \"hydrolink\", \"version\": 1, \"ground\": {\"points\": {\"A\": [0, 0], \"D\": "             \
  "[1.2, 0.1]}}, \"bodies\": [{\"id\": \"crank\", \"points\": {\"A\": [0, 0], \"B\": [0.3, 0]}, "            \
  "\"mass\": 3, \"inertia\": 0.4, \"pose\": [0, 0, 0.4], \"velocity\": [0, 0, 9]}, {\"id\": "                \
  "\"coupler\", \"points\": {\"B\": [0, 0], \"C\": [1.1, 0]}, \"mass\": 2, \"inertia\": 0.2, "               \
  "\"pose\": [0.28, 0.12, 0.5]}, {\"id\": \"rocker\", \"points\": {\"D\": [0, 0], \"C\": [0.7, "             \
  "0]}, \"mass\": 2, \"inertia\": 0.2, \"pose\": [1.2, 0.1, 1.7]}], \"joints\": [{\"id\": \"a\", "           \
  "\"kind\": \"revolute\", \"a\": \"ground.A\", \"b\": \"crank.A\"}, {\"id\": \"b\", \"kind\": "             \
  "\"revolute\", \"a\": \"crank.B\", \"b\": \"coupler.B\"}, {\"id\": \"c\", \"kind\": "                      \
  "\"revolute\", \"a\": \"coupler.C\", \"b\": \"rocker.C\"}, {\"id\": \"d\", \"kind\": "                     \
  "\"revolute\", \"a\": \"ground.D\", \"b\": \"rocker.D\"}], \"simulation\": {\"start\": "                   \
  "\"as-given\"}}"

static HlTestRun run (json_t *root, const char *model_kind, const char *const paths[]) {
  json_object_set_new (json_object_get (root, "simulation"), "model", json_string (model_kind));
  HlTestModel model = hl_test_machine_compile (root);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.t_end = T_END;
  options.every = T_END / 60.0;
  options.rtol = 1e-8;
  HlTestRun record = hl_test_run (&model, options, paths);
  g_assert_cmpint (record.status, ==, HL_OK);
  hl_test_model_clear (&model);
  return record;
}

static void test_without_oil (gconstpointer data) {
  const Machine *machine = data;
  json_t *root = json_loads (machine->text, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (root);
  HlTestRun hybrid = run (root, "hybrid", machine->paths);
  HlTestRun lumped = run (root, "lumped", machine->paths);
  g_assert_cmpint (hybrid.n_rows, ==, lumped.n_rows);
  g_assert_cmpint (hybrid.stats.restarts, >=, machine->is_rearranged ? 2 : 1);
  for (int row = 0; row < hybrid.n_rows; row++)
    for (int k = 0; machine->paths[k] != NULL; k++)
      hl_assert_near (hl_test_run_value (&hybrid, row, k), hl_test_run_value (&lumped, row, k), 0.0, 2e-6);
  hl_test_run_clear (&hybrid);
  hl_test_run_clear (&lumped);
  json_decref (root);
}

/* ---- reports ---- */

typedef struct {
  int n_modes, n_bodies;
  double x[MOST_MODES][12], v[MOST_MODES][12];
} Told;

static void keep_mode (const HlSimMode *mode, void *data) {
  Told *told = data;

  g_assert_cmpint (told->n_modes, <, MOST_MODES);
  memcpy (told->x[told->n_modes], mode->x, 3 * (size_t)told->n_bodies * sizeof (double));
  memcpy (told->v[told->n_modes], mode->v, 3 * (size_t)told->n_bodies * sizeof (double));
  told->n_modes++;
}

static Told listen (json_t *root) {
  HlTestModel model = hl_test_machine_compile (root);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Told told = {.n_bodies = (int)json_array_size (json_object_get (root, "bodies"))};

  options.rtol = 1e-8;
  options.mode = keep_mode;
  options.event_data = &told;
  g_assert_cmpint (told.n_bodies, <=, 4);
  g_assert_cmpint (hl_simulate (model.sys, &options, NULL, NULL), ==, HL_OK);
  hl_test_model_clear (&model);
  return told;
}

static void test_told_states (gconstpointer data) {
  static const HlRedrawMove move = {.what = "moved", .x = -3.0, .y = 8.0, .angle = -2.1};
  g_autofree char *path = hl_test_example_path (data);
  json_t *root = json_load_file (path, JSON_REJECT_DUPLICATES, NULL);
  double c = cos (move.angle), s = sin (move.angle);

  g_assert_nonnull (root);
  Told want = listen (root);
  hl_redraw_move (root, &move);
  Told got = listen (root);
  g_assert_cmpint (got.n_modes, ==, want.n_modes);
  g_assert_cmpint (want.n_modes, >, 3);
  for (int mode = 0; mode < want.n_modes; mode++)
    for (int body = 0; body < want.n_bodies; body++) {
      const double *x = want.x[mode] + 3 * body, *v = want.v[mode] + 3 * body;
      const double at[] = {move.x + c * x[0] - s * x[1], move.y + s * x[0] + c * x[1], x[2] + move.angle};
      const double rate[] = {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]};
      for (int k = 0; k < 3; k++) {
        hl_assert_near (got.x[mode][3 * body + k], at[k], 0.0, 1e-7);
        hl_assert_near (got.v[mode][3 * body + k], rate[k], 0.0, 1e-6);
      }
    }
  json_decref (root);
}

int main (int argc, char **argv) {
  static const Machine guide = {
      HL_TURNING_GUIDE, {"guide.angle", "sledge.x", "sledge.y", "other.vx", NULL}, true};
  static const Machine bar = {HL_SWINGING_BAR, {"bar.x", "bar.y", "c0.angle", "bar.vx", NULL}, true};
  static const Machine crank = {TURNING_CRANK, {"crank.angle", "rocker.angle", "coupler.x", NULL}, false};

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/hybrid-run-frame/without-oil/turning-guide", &guide, test_without_oil);
  g_test_add_data_func ("/hybrid-run-frame/without-oil/swinging-bar", &bar, test_without_oil);
  g_test_add_data_func ("/hybrid-run-frame/without-oil/turning-crank", &crank, test_without_oil);
  g_test_add_data_func ("/hybrid-run-frame/told/two-cylinders", "hybrid-two-cylinders.hydrolink",
                        test_told_states);
  g_test_add_data_func ("/hybrid-run-frame/told/regeneration", "hybrid-regeneration.hydrolink",
                        test_told_states);
  return g_test_run ();
}
