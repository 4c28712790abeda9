/* SPDX-License-Identifier: MIT */
/* A run computes in a frame of its own, but all its outputs are in the drawing's axes: the outputs of a drawing that is
 * moved, turned or mirrored are those of the original, moved, turned or mirrored. And a point that goes into that frame
 * and back is the same point. */
#include <math.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-run-frame.h"
#include "tests/support/hl-transformed-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test-random-machine.h"

/* Transformation of a triple of outputs (two along axes, one about) when the drawing moves. */
typedef enum {
  PLACE, /* x, y, angle: shifted, too */
  RATE,  /* velocities */
  FORCE  /* force and moment, or accelerations */
} TripleKind;

#define MOST_TRIPLES 13

typedef struct {
  int n;
  TripleKind kind[MOST_TRIPLES];
  char *paths[3 * MOST_TRIPLES + 1];
} Triples;

static void add_triple (Triples *t, TripleKind kind, const json_t *item, const char *const parts[3]) {
  if (t->n == MOST_TRIPLES)
    return;
  for (int k = 0; k < 3; k++)
    t->paths[3 * t->n + k] =
        g_strconcat (json_string_value (json_object_get (item, "id")), ".", parts[k], NULL);
  t->kind[t->n++] = kind;
}

/* Poses, velocities and accelerations of the first bodies, forces of the first joints. */
static Triples triples_of (const json_t *root) {
  static const char *const places[] = {"x", "y", "angle"}, *const rates[] = {"vx", "vy", "omega"},
                           *const accelerations[] = {"ax", "ay", "alpha"},
                           *const forces[] = {"fx", "fy", "moment"};
  const json_t *bodies = json_object_get (root, "bodies"), *joints = json_object_get (root, "joints");
  Triples t = {0};

  for (size_t k = 0; k < json_array_size (bodies) && k < 3; k++) {
    add_triple (&t, PLACE, json_array_get (bodies, k), places);
    add_triple (&t, RATE, json_array_get (bodies, k), rates);
    add_triple (&t, FORCE, json_array_get (bodies, k), accelerations);
  }
  for (size_t k = 0; k < json_array_size (joints) && k < 4; k++)
    add_triple (&t, FORCE, json_array_get (joints, k), forces);
  return t;
}

static HlTestRun record (json_t *root, HlFormulation formulation, const Triples *t) {
  HlTestModel model = hl_test_machine_compile (root);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  /* the hybrid one until its piston rests on its stop */
  options.t_end = options.model == HL_MODEL_HYBRID ? 1.3 : 0.4;
  options.every = 0.05;
  options.rtol = 1e-8;
  if (options.model == HL_MODEL_LUMPED)
    options.formulation = formulation;
  HlTestRun run = hl_test_run (&model, options, (const char *const *)t->paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  hl_test_model_clear (&model);
  return run;
}

static void assert_moved (const Triples *t, const HlRedrawMove *m, const HlTestRun *was,
                          const HlTestRun *is) {
  double sign = m->mirrored ? -1.0 : 1.0, c = cos (m->angle), s = sin (m->angle);

  g_assert_cmpint (is->n_rows, ==, was->n_rows);
  for (int k = 0; k < t->n; k++) {
    double least = t->kind[k] == FORCE ? 10.0 : 1e-3; /* [N], [N m], [m/s2], [rad/s2]; else */
    double size[2] = {least, least};                  /* of the pair, of what stands third */
    for (int row = 0; row < was->n_rows; row++)
      for (int j = 0; j < 3; j++)
        size[j / 2] = fmax (size[j / 2], fabs (hl_test_run_value (was, row, 3 * k + j)));
    for (int row = 0; row < was->n_rows; row++) {
      double x = hl_test_run_value (was, row, 3 * k), y = sign * hl_test_run_value (was, row, 3 * k + 1),
             turn = sign * hl_test_run_value (was, row, 3 * k + 2);
      bool place = t->kind[k] == PLACE;
      double want[3] = {c * x - s * y + (place ? m->x : 0.0), s * x + c * y + (place ? m->y : 0.0),
                        turn + (place ? m->angle : 0.0)};
      for (int j = 0; j < 3; j++) {
        double off = fabs (hl_test_run_value (is, row, 3 * k + j) - want[j]);
        if (!(off <= 1e-7 * size[j / 2]))
          g_error ("%s: %s is off by %.2e at t = %g", m->what, t->paths[3 * k + j], off, was->t[row]);
      }
    }
  }
}

static void test_outputs (gconstpointer data) {
  static const HlRedrawMove moves[] = {{.what = "moved", .x = 3.5, .y = -1.25},
                                       {.what = "turned and moved", .x = -3.0, .y = 8.0, .angle = 2.1},
                                       {.what = "mirrored and turned", .angle = -0.7, .mirrored = true}};
  g_autofree char *path = hl_test_example_path (data);
  json_t *original = json_load_file (path, JSON_REJECT_DUPLICATES, NULL);

  g_assert_nonnull (original);
  Triples t = triples_of (original);
  for (int f = HL_FORMULATION_REDUCED; f <= HL_FORMULATION_BAUMGARTE; f++) {
    HlTestRun was = record (original, (HlFormulation)f, &t);
    for (size_t k = 0; k < G_N_ELEMENTS (moves); k++) {
      json_t *root = json_deep_copy (original);
      hl_redraw_move (root, &moves[k]);
      HlTestRun is = record (root, (HlFormulation)f, &t);
      assert_moved (&t, &moves[k], &was, &is);
      hl_test_run_clear (&is);
      json_decref (root);
    }
    hl_test_run_clear (&was);
  }
  for (int k = 0; k < 3 * t.n; k++)
    g_free (t.paths[k]);
  json_decref (original);
}

static void test_there_and_back (void) {
  for (int trial = 0; trial < 20; trial++) {
    json_t *machine = hl_test_machine_new (HL_TEST_MACHINE_MOVING);
    HlTestModel model = hl_test_machine_compile (machine);
    HlPoint *back = hl_point_new (model.sys);

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    hl_run_frame_settle (model.sys, model.work, model.point->x);
    for (int k = 0; k < 3; k++) /* the first body is where the frame is */
      hl_assert_near (hl_run_frame_position (model.work, model.point->x, k), 0.0, 0.0, 1e-14);
    g_assert_cmpint (
        hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PIVOT, NULL, 0, NULL), ==,
        HL_OK);
    g_autofree double *y = g_new0 (double, hl_work_n_states (model.work) + 1);
    hl_state_pack (model.sys, model.work, model.point, y);
    g_assert_cmpint (hl_state_unpack (model.sys, model.work, 0.0, y, back, NULL), ==, HL_OK);
    for (int k = 0; k < 3 * model.sys->mech.n_bodies; k++) {
      hl_assert_near (back->x[k], model.point->x[k], 0.0, 2e-14);
      hl_assert_near (back->v[k], model.point->v[k], 1e-11, 1e-11);
    }
    hl_point_free (back);
    hl_test_model_clear (&model);
    json_decref (machine);
  }
}

int main (int argc, char **argv) {
  static const char *const files[] = {
      "crank-rocker", "slider-crank",        "scissor-lift",        "articulated-vehicle-tyre",
      "metering-arm", "hybrid-regeneration", "hybrid-two-cylinders"};

  g_test_init (&argc, &argv, NULL);
  for (size_t k = 0; k < G_N_ELEMENTS (files); k++) {
    g_autofree char *path = g_strconcat ("/run-frame/outputs/", files[k], NULL);
    g_test_add_data_func_full (path, g_strconcat (files[k], ".hydrolink", NULL), test_outputs, g_free);
  }
  g_test_add_func ("/run-frame/there-and-back", test_there_and_back);
  return g_test_run ();
}
