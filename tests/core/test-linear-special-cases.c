/* SPDX-License-Identifier: MIT */
/* Special cases of linear models: requested coordinates, points at which there is nothing to linearize, points of a
 * sweep that a value leads away from and back to, and loops that are opened. */
#include "core/io/hl-json-text.h"
#include "core/linear/hl-input-response.h"
#include "core/linear/hl-linearize.h"
#include "core/linear/hl-sweep-point.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static const HlStart at_rest = HL_START_EQUILIBRIUM;

/* The same spectrum: eigenvalues of `a` each have one of `b` so near, those that are zero by the
 * structure of the machine left out. */
static void assert_same_spectrum (const HlLinearization *a, const HlLinearization *b, double tolerance) {
  g_assert_cmpint (a->n, ==, b->n);
  g_assert_cmpint (a->n_null, ==, b->n_null);
  for (int k = 0; k < a->n; k++) {
    const HlEigenvalue *one = &a->eigenvalues[k];
    double nearest = INFINITY;
    for (int i = 0; i < b->n; i++)
      if (!b->eigenvalues[i].null)
        nearest = fmin (nearest, hypot (one->re - b->eigenvalues[i].re, one->im - b->eigenvalues[i].im));
    if (!one->null && nearest > tolerance * hypot (one->re, one->im))
      g_error ("%g%+gi: off by %g", one->re, one->im, nearest);
  }
}

static gboolean has_state (const HlLinearization *lin, const char *name) {
  for (int k = 0; k < lin->n; k++)
    if (strcmp (lin->state_names[k], name) == 0)
      return TRUE;
  return FALSE;
}

/* At rest J in other coordinates is similar to J: the states are the requested ones, the eigenvalues the same. What is
 * no coordinate is not taken for one. */
static void test_asked_coordinates (void) {
  static const char *const asked[] = {"link2.angle", "link3.angle", "link4.angle"};
  static const char *const no_coordinates[] = {"cyl.force", "link2.vx", "nothing", "link2.mass"};
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlLinearizeOptions rule = hl_linearize_options_default ();

  hl_test_model_start (&model, at_rest);
  HlLinearization *usual = hl_linearize (model.sys, model.work, model.point, &rule, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (asked); k++) {
    HlLinearizeOptions how = rule;
    g_autofree char *speed = g_strdup (asked[k]);
    how.coordinates = &asked[k];
    how.n_coordinates = 1;
    memcpy (strrchr (speed, '.'), ".omega", 6);
    HlLinearization *other = hl_linearize (model.sys, model.work, model.point, &how, NULL);
    g_assert_true (has_state (other, asked[k]) && has_state (other, speed));
    assert_same_spectrum (usual, other, 1e-9);
    int n_coordinates = 0;
    for (int i = 0; i < other->n; i++) {
      bool is = hl_linearization_is_coordinate (other, i);
      g_assert_true (is == (strcmp (other->state_names[i], asked[k]) == 0));
      n_coordinates += is;
    }
    g_assert_cmpint (n_coordinates, ==, 1);
    hl_linearization_free (other);
  }
  HlLinearizeOptions wrong = rule;
  wrong.coordinates = no_coordinates;
  wrong.n_coordinates = G_N_ELEMENTS (no_coordinates);
  HlLinearization *same = hl_linearize (model.sys, model.work, model.point, &wrong, NULL);
  for (int k = 0; k < usual->n; k++)
    g_assert_cmpstr (same->state_names[k], ==, usual->state_names[k]);
  hl_linearization_free (same);
  hl_linearization_free (usual);
  hl_test_model_clear (&model);
}

/* By differences, without vectors: the same eigenvalues, and no vectors were requested. */
static void test_without_vectors (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlLinearizeOptions how = hl_linearize_options_default ();

  hl_test_model_start (&model, at_rest);
  HlLinearization *whole = hl_linearize (model.sys, model.work, model.point, &how, NULL);
  how.vectors = false;
  HlLinearization *bare = hl_linearize (model.sys, model.work, model.point, &how, NULL);
  how.method = HL_LINEARIZE_DIFFERENCE;
  HlLinearization *differences = hl_linearize (model.sys, model.work, model.point, &how, NULL);
  g_assert_null (bare->participation);
  g_assert_null (bare->right_re);
  assert_same_spectrum (whole, bare, 0.0);
  for (int k = 0; k < whole->n; k++) {
    double size = hypot (whole->eigenvalues[k].re, whole->eigenvalues[k].im), nearest = INFINITY;
    for (int i = 0; i < differences->n; i++)
      nearest = fmin (nearest, hypot (whole->eigenvalues[k].re - differences->eigenvalues[i].re,
                                      whole->eigenvalues[k].im - differences->eigenvalues[i].im));
    if (!whole->eigenvalues[k].null && nearest > 1e-4 * size)
      g_error ("eigenvalue %d: differences are off by %g of %g", k, nearest, size);
  }
  g_assert_cmpint (differences->steadiness, ==, whole->steadiness);
  hl_linearization_free (whole);
  hl_linearization_free (bare);
  hl_linearization_free (differences);
  hl_linearization_free (NULL);
  hl_test_model_clear (&model);
}

/* A line of oil has no state below 0: the error names the line. */
static void test_no_state (void) {
  HlTestModel model = hl_test_model_load ("position-servo.hydrolink");
  HlLinearizeOptions how = hl_linearize_options_default ();

  hl_test_model_start (&model, HL_START_FROM_MODEL);
  for (int k = 0; k < model.sys->n_pressures; k++) {
    double p = model.point->p[k];
    int line = model.sys->topology->line_of_pressure[k];
    for (int what = 0; what < 3; what++) {
      HlFault fault = {.entity = -1, .time = NAN};
      model.point->p[k] = -1e5;
      how.method = what == 2 ? HL_LINEARIZE_DIFFERENCE : HL_LINEARIZE_EXACT;
      if (what == 0)
        g_assert_null (hl_loop_model_new (model.sys, model.work, model.point, 0, &fault));
      else
        g_assert_null (hl_linearize (model.sys, model.work, model.point, &how, &fault));
      g_assert_cmpint (fault.status, ==, HL_NO_PRESSURE);
      g_assert_cmpint (fault.entity_kind, ==, HL_ENTITY_LINE);
      g_assert_cmpint (fault.entity, ==, line);
      model.point->p[k] = p;
    }
    how.method = HL_LINEARIZE_EXACT;
    model.point->p[k] = -1e5;
    g_assert_null (hl_linearize (model.sys, model.work, model.point, &how, NULL));
    model.point->p[k] = p;
  }
  hl_test_model_clear (&model);
}

/* ---- loops ---- */

/* A - B C of the loop that is open is the J of the machine, its loop closed. */
static void test_loop_closes (void) {
  HlTestModel model = hl_test_model_load ("position-servo.hydrolink");
  HlLinearizeOptions how = hl_linearize_options_default ();

  hl_test_model_start (&model, HL_START_FROM_MODEL);
  g_assert_cmpint (hl_loop_n (model.sys), >, 0);
  g_assert_cmpint (hl_loop_find (model.sys, "no.command"), ==, -1);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &how, NULL);
  for (int loop = 0; loop < hl_loop_n (model.sys); loop++) {
    const char *name = hl_loop_name (model.sys, loop);
    HlLinearModel *open = hl_loop_model_new (model.sys, model.work, model.point, loop, NULL);
    int n = open->n;
    g_assert_cmpint (hl_loop_find (model.sys, name), ==, loop);
    g_assert_cmpint (n, ==, lin->n);
    for (int row = 0; row < n; row++) {
      double size = 0.0;
      for (int column = 0; column < n; column++)
        size = fmax (size, fabs (lin->J[row + n * column]));
      for (int column = 0; column < n; column++)
        hl_assert_near (open->A[row + n * column] - open->B[row] * open->C[column], lin->J[row + n * column],
                        0.0, 1e-9 * size);
    }
    hl_linear_model_free (open);
  }
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* ---- points of a sweep ---- */

static void test_ranges (void) {
  const HlSweepParameter any = {.low = 0.0, .high = 0.0}, share = {.low = 0.0, .high = 1.0},
                         below = {.low = -5.0, .high = 0.0};

  g_assert_true (hl_sweep_parameter_accepts (&any, -1e300));
  g_assert_false (hl_sweep_parameter_accepts (&any, INFINITY));
  g_assert_false (hl_sweep_parameter_accepts (&any, NAN));
  g_assert_true (hl_sweep_parameter_accepts (&share, 0.0));
  g_assert_true (hl_sweep_parameter_accepts (&share, 1.0));
  g_assert_false (hl_sweep_parameter_accepts (&share, nextafter (1.0, 2.0)));
  g_assert_false (hl_sweep_parameter_accepts (&share, -1e-300));
  g_assert_true (hl_sweep_parameter_accepts (&below, 0.0));
  g_assert_false (hl_sweep_parameter_accepts (&below, 1e-300));
}

static HlSweepParameter one_number (HlTestModel *model, const char *path, HlParameter *parameter,
                                    const char *const *paths) {
  g_assert_true (hl_system_find_parameter (model->sys, path, parameter));
  return (HlSweepParameter){.parameters = parameter, .n = 1, .paths = paths};
}

/* To values at which there is nothing, and back: requests there fail, later requests are not affected. Of a compiled
 * machine, and of a document. */
static void test_there_and_back (void) {
  static const char *const mass[] = {"link2.mass", NULL};
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlParameter parameter;
  HlSweepParameter sweep = one_number (&model, "link2.mass", &parameter, mass);
  double own;

  g_assert_true (hl_document_get_number (model.doc, "link2.mass", &own, NULL, NULL));
  for (int of_document = 0; of_document < 2; of_document++) {
    HlFault fault = {.entity = -1, .time = NAN};
    HlSweepPoint *point = of_document ? hl_sweep_point_new_of_document (model.doc, at_rest, &fault)
                                      : hl_sweep_point_new (model.sys, at_rest, &fault);
    g_assert_nonnull (point);
    int n = hl_sweep_point_n_states (point);
    g_autofree double complex *before = g_new (double complex, n);
    g_assert_cmpint (hl_sweep_point_eval (point, 0, &fault), ==, HL_OK);
    memcpy (before, hl_sweep_point_eigen (point)->value, (gsize)n * sizeof *before);
    /* no linkage weighs nothing or less: the document reports it immediately, the machine on evaluation */
    HlStatus set = hl_sweep_point_set (point, &sweep, -1e9, &fault);
    if (of_document)
      g_assert_cmpint (set, ==, HL_BAD_MODEL);
    else
      g_assert_cmpint (hl_sweep_point_eval (point, 0, &fault), !=, HL_OK);
    g_assert_cmpint (hl_sweep_point_set (point, &sweep, own, NULL), ==, HL_OK);
    g_assert_cmpint (hl_sweep_point_eval (point, 0, NULL), ==, HL_OK);
    for (int k = 0; k < n; k++) {
      double nearest = INFINITY;
      for (int i = 0; i < n; i++)
        nearest = fmin (nearest, cabs (before[k] - hl_sweep_point_eigen (point)->value[i]));
      g_assert_cmpfloat (nearest, <=, 1e-6 * (1.0 + cabs (before[k])));
    }
    hl_sweep_point_free (point);
  }
  hl_sweep_point_free (NULL);
  hl_test_model_clear (&model);
}

/* The nearest one by looking at each; among the structural zeros only on request. */
static void test_nearest (void) {
  static const double at[][2] = {{0.0, 0.0}, {-1.0, 3.0}, {-100.0, 0.0}, {1e6, -1e6}};
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlSweepPoint *point = hl_sweep_point_new (model.sys, at_rest, NULL);

  g_assert_cmpint (hl_sweep_point_eval (point, HL_EIGEN_NULL, NULL), ==, HL_OK);
  const HlEigen *eigen = hl_sweep_point_eigen (point);
  g_assert_cmpint (eigen->n_null, >, 0); /* else there is nothing to leave out */
  for (gsize k = 0; k < G_N_ELEMENTS (at); k++)
    for (int among_null = 0; among_null < 2; among_null++) {
      int got = hl_sweep_point_nearest (point, at[k][0], at[k][1], among_null);
      double wished = INFINITY;
      for (int i = 0; i < hl_sweep_point_n_states (point); i++)
        if (among_null || !eigen->is_null[i])
          wished = fmin (wished, cabs (eigen->value[i] - (at[k][0] + at[k][1] * I)));
      g_assert_true (among_null || !eigen->is_null[got]);
      hl_assert_near (cabs (eigen->value[got] - (at[k][0] + at[k][1] * I)), wished, 1e-12, 0.0);
    }
  hl_sweep_point_free (point);
  hl_test_model_clear (&model);
}

/* A drawing that cannot be computed has no point. */
static void test_no_point (void) {
  static const char unsound[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"bodies\": [{\"id\": "
      "\"bar\", \"points\": {}, \"pose\": [0, 0, 0], \"mass\": -1, \"inertia\": 1}]}";
  static const char falling[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, -9.81], \"bodies\": [{\"id\": "
      "\"stone\", \"points\": {}, \"pose\": [0, 0, 0], \"mass\": 1, \"inertia\": 1}]}";
  HlFault fault = {.entity = -1, .time = NAN};
  g_autoptr (HlDocument) document = hl_document_parse (unsound, strlen (unsound), "text", NULL);

  g_assert_null (hl_sweep_point_new_of_document (document, at_rest, &fault));
  g_assert_cmpint (fault.status, ==, HL_BAD_MODEL);
  HlTestModel model = hl_test_model_from_text (falling);
  g_assert_null (hl_sweep_point_new (model.sys, at_rest, &fault));
  g_assert_cmpint (fault.status, ==, HL_NO_CONVERGENCE);
  g_assert_cmpint (fault.entity_kind, ==, HL_ENTITY_BODY);
  g_assert_null (hl_sweep_point_new_of_document (model.doc, at_rest, NULL));
  hl_test_model_clear (&model);
}

/* found3/valve-edge-no-spool of the field tests of 2026-11-28: the command of a valve without spool state stands where
 * it opens. B holds the mean of what it does on both sides, 0 and Cv q1. */
static void test_input_on_its_edge (void) {
  static const char text[] =
      "{'format': 'hydrolink', 'version': 1, 'components': [{'id': 's', 'kind': 'pressure-source', "
      "'pressure': 1e7},"
      " {'id': 't', 'kind': 'tank'},"
      " {'id': 'v', 'kind': 'directional-valve', 'Cv': 1e-7, 'dead_zone': 0.1, 'command': 0.1}],"
      " 'lines': [{'id': 'A', 'ports': ['v.A'], 'volume': 1e-4, 'pressure': 5e6},"
      " {'id': 'P', 'ports': ['s.P', 'v.P']}, {'id': 'T', 'ports': ['t.T', 'v.T']},"
      " {'id': 'B', 'ports': ['v.B'], 'volume': 1e-4, 'pressure': 5e6}],"
      " 'simulation': {'start': 'as-given'}}";
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  HlTestModel model = hl_test_model_from_text (json);
  HlLinearizeOptions options = hl_linearize_options_default ();
  double into_A = 1e-7 * sqrt (5e6) * 1.5e9 / 1e-4;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_cmpint (lin->n_kinks, ==, 1);
  g_assert_cmpint (lin->kinks[0].input, ==, 0);
  g_assert_cmpint (lin->kinks[0].state, ==, -1);
  g_assert_cmpstr (hl_kink_name (lin, &lin->kinks[0]), ==, "v.command");
  hl_assert_near (lin->kinks[0].toward_positive[0], into_A, 1e-10, 0.0);
  hl_assert_near (lin->kinks[0].toward_negative[0], 0.0, 0.0, 0.0);
  hl_assert_near (lin->B[0], 0.5 * into_A, 1e-12, 0.0);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* found3/cushion-check-kink of the same: oil of a line and of the cushion beside it at one pressure, where the reverse
 * check between them begins to open. Orifice and check have one area, so that its opening doubles the slope. */
static void test_inner_node_on_its_edge (void) {
  static const char text[] =
      "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'G': [0, 0]}},"
      " 'bodies': [{'id': 'm', 'points': {'P': [0, 0]}, 'mass': 1, 'inertia': 1, 'pose': [0.5, 0, "
      "0]}],"
      " 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.G', 'b': 'm.P', 'axis': 0}],"
      " 'components': [{'id': 'c', 'kind': 'cylinder', 'base': 'ground.G', 'rod': 'm.P', "
      "'piston_area': 1e-3,"
      " 'rod_side_area': 1e-3, 'stroke': 1, 'cushion_A': {'length': 0.05, 'area': 1e-5, "
      "'end_area': 1e-6,"
      " 'check_area': 1e-5, 'dead_volume': 1e-5}}],"
      " 'lines': [{'id': 'L', 'ports': ['c.A'], 'volume': 1e-4, 'pressure': 1e6},"
      " {'id': 'M', 'ports': ['c.B'], 'volume': 1e-4, 'pressure': 1e6}],"
      " 'simulation': {'start': 'as-given'}}";
  static const char *const names[] = {"L.pressure", "c.cushion_A"};
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  HlTestModel model = hl_test_model_from_text (json);
  HlLinearizeOptions options = hl_linearize_options_default ();

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, NULL);
  g_assert_cmpint (lin->n_kinks, ==, 2);
  for (int k = 0; k < 2; k++) {
    const HlKink *kink = &lin->kinks[k];
    const double *open = k == 0 ? kink->toward_positive : kink->toward_negative,
                 *shut = k == 0 ? kink->toward_negative : kink->toward_positive;
    g_assert_cmpstr (hl_kink_name (lin, kink), ==, names[k]);
    for (int row = 2; row < 5; row += 2) {
      g_assert_cmpfloat (fabs (shut[row]), >, 100.0);
      hl_assert_near (open[row], 2.0 * shut[row], 1e-9, 0.0);
      hl_assert_near (lin->J[kink->state * lin->n + row], 1.5 * shut[row], 1e-9, 0.0);
    }
  }
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linear-special-cases/asked-coordinates", test_asked_coordinates);
  g_test_add_func ("/linear-special-cases/without-vectors", test_without_vectors);
  g_test_add_func ("/linear-special-cases/no-state", test_no_state);
  g_test_add_func ("/linear-special-cases/loop-closes", test_loop_closes);
  g_test_add_func ("/linear-special-cases/ranges", test_ranges);
  g_test_add_func ("/linear-special-cases/there-and-back", test_there_and_back);
  g_test_add_func ("/linear-special-cases/nearest", test_nearest);
  g_test_add_func ("/linear-special-cases/no-point", test_no_point);
  g_test_add_func ("/linear-special-cases/input-on-its-edge", test_input_on_its_edge);
  g_test_add_func ("/linear-special-cases/inner-node-on-its-edge", test_inner_node_on_its_edge);
  return g_test_run ();
}
