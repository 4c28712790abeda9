/* SPDX-License-Identifier: MIT */
/* Root loci over numbers that shape the model, which are compiled anew at every value: against a
 * closed form, against moving the whole drawing, and against the way without a compile. */
#include <math.h>

#include "core/linear/hl-imaginary-axis-crossing.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define ROWS 25

static HlLocus *trace_shape (const HlTestModel *model, const char *const *paths, double from, double to,
                             double values[]) {
  HlFault fault = {.time = NAN, .entity = -1};

  hl_sweep_values (from, to, ROWS, false, values);
  HlLocusOptions options = {.document = model->doc,
                            .paths = paths,
                            .values = values,
                            .n_values = ROWS,
                            .start = HL_START_FROM_MODEL};
  HlLocus *locus = hl_root_locus (model->sys, &options, &fault);
  g_assert_nonnull (locus);
  g_assert_cmpint (locus->n_values, ==, ROWS);
  return locus;
}

#define STIFFNESS 40.0 /* of the spring [N/m] */
#define ARM 5.0        /* where it is fixed to the arm [m] */
#define INERTIA 0.4

/* An arm pinned at its centre of mass, held by a spring of no free length from its end to a ground
 * point at (a, 0) and by a torsion spring: I th" + c th' + (k a r + k_t) th = 0. */
static HlTestModel arm (double torsion, double damping) {
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, 0], "
      "'A': [1, 0]}}, 'bodies': [{'id': 'arm', 'points': {'O': [0, 0], 'P': [%g, 0]}, 'mass': 3, "
      "'inertia': %g, 'pose': [0, 0, 0]}], 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': "
      "'ground.O', 'b': 'arm.O'}], 'loads': [{'id': 'spring', 'kind': 'spring', 'a': 'ground.A', "
      "'b': 'arm.P', 'stiffness': %g, 'damping': 0, 'free_length': 0}, {'id': 'turn', 'kind': "
      "'torsion-spring', 'a': 'ground', 'b': 'arm', 'stiffness': %g, 'damping': %g, 'free_angle': "
      "0}], 'simulation': {'start': 'as-given'}}",
      ARM, INERTIA, STIFFNESS, torsion, damping);
  g_strdelimit (text, "'", '"');
  return hl_test_model_from_text (text);
}

static const char *const anchor[] = {"ground.A.x", NULL};

static void test_swing (void) {
  HlTestModel model = arm (0.0, 0.0);
  double values[ROWS];
  HlLocus *locus = trace_shape (&model, anchor, 0.1, 3.0, values);

  g_assert_cmpint (locus->n_states, ==, 2);
  for (int row = 0; row < ROWS; row++) {
    double w = sqrt (STIFFNESS * values[row] * ARM / INERTIA);
    hl_assert_near (fabs (locus->im[row * 2]), w, 1e-12, 0.0);
    hl_assert_near (locus->im[row * 2 + 1], -locus->im[row * 2], 1e-14, 0.0);
    hl_assert_near (locus->re[row * 2], 0.0, 0.0, 1e-12 * w);
  }
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* The anchor goes to the other side, and the arm turns over where k a r + k_t = 0. */
static void test_divergence (void) {
  HlTestModel model = arm (20.0, 1.5);
  HlSweepParameter parameter = {.paths = anchor};
  HlCrossing found[4];
  double values[ROWS];
  HlLocus *locus = trace_shape (&model, anchor, 2.0, -1.3, values);
  HlSweepPoint *point = hl_sweep_point_new_of_document (model.doc, HL_START_FROM_MODEL, NULL);

  g_assert_cmpint (hl_crossings_find_at (point, &parameter, locus, found, 4), ==, 1);
  hl_assert_near (found[0].value, -20.0 / (STIFFNESS * ARM), 1e-9, 0.0);
  g_assert_cmpfloat (found[0].frequency_hz, <, 1e-6);
  hl_sweep_point_free (point);
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* All three ground points of the four-bar go up together: nothing changes. */
static void test_moved_drawing (void) {
  static const char *const paths[] = {"ground.O1.y", "ground.O2.y", "ground.Oc.y", NULL};
  json_t *golden = hl_test_golden_json ("linearization.json");
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  double values[ROWS];
  HlLocus *locus = trace_shape (&model, paths, -0.3, 0.3, values);

  g_assert_cmpint (locus->n_states, ==, 6);
  for (int row = 0; row < ROWS; row++)
    for (int k = 0, which = 0; k < 6; k++) {
      if (locus->null[k])
        continue;
      g_autofree char *key = g_strdup_printf ("cases.0.eigenvalues.nonzero.%d.re", which++);
      hl_assert_near (locus->re[row * 6 + k], hl_test_json_number (golden, key), 1e-9, 0.0);
      g_assert_cmpfloat (locus->im[row * 6 + k], ==, 0.0);
    }
  hl_locus_free (locus);
  hl_test_model_clear (&model);
  json_decref (golden);
}

/* Damping can be changed either way. */
static void test_both_ways (void) {
  static const char *const paths[] = {"cyl.friction.sigma2", NULL};
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlParameter sigma2;
  double values[ROWS];
  HlLocus *slow = trace_shape (&model, paths, 10.0, 4000.0, values);

  g_assert_true (hl_system_find_parameter (model.sys, paths[0], &sigma2));
  HlLocusOptions options = {.parameters = &sigma2,
                            .n_parameters = 1,
                            .values = values,
                            .n_values = ROWS,
                            .start = HL_START_FROM_MODEL};
  HlLocus *fast = hl_root_locus (model.sys, &options, NULL);
  g_assert_cmpint (fast->n_values, ==, slow->n_values);
  for (int cell = 0; cell < ROWS * fast->n_states; cell++) {
    hl_assert_near (slow->re[cell], fast->re[cell], 1e-9, 1e-9);
    hl_assert_near (slow->im[cell], fast->im[cell], 1e-9, 1e-9);
  }
  hl_locus_free (slow);
  hl_locus_free (fast);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/root-locus-recompile/an-arm-swings-as-its-spring-is-placed", test_swing);
  g_test_add_func ("/root-locus-recompile/an-arm-turns-over-where-it-must", test_divergence);
  g_test_add_func ("/root-locus-recompile/a-moved-drawing-keeps-its-eigenvalues", test_moved_drawing);
  g_test_add_func ("/root-locus-recompile/compiled-anew-or-changed-in-place", test_both_ways);
  return g_test_run ();
}
