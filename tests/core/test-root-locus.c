/* SPDX-License-Identifier: MIT */
/* Root loci of machines whose eigenvalues are known in closed form, and of every example: branches
 * keep to their curves through break points, crossings and zero, null ones stay out of them, and
 * what lies on the stability axis is found. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/linear/hl-imaginary-axis-crossing.h"
#include "core/linear/hl-linearize.h"
#include "core/linear/hl-root-locus.h"
#include "core/linear/hl-stability-map.h"
#include "core/system/hl-lumped-dynamics.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test-spring-arms.h"
#include "tests/support/hl-test.h"

#define MOST 16
#define MOST_ROWS 1024
#define INERTIA 0.5
#define STIFFNESS 200.0

static HlTestModel one_arm (double damping, double stiffness) {
  return hl_test_arms (1, (double[]){INERTIA}, (double[]){damping}, (double[]){stiffness});
}

typedef struct {
  HlParameter parameters[64];
  double values[MOST_ROWS];
  HlLocusOptions options;
  HlSweepParameter sweep;
} Sweep;

static void sweep_init (Sweep *sweep, const HlTestModel *model, double from, double to, int n, gboolean log) {
  memset (sweep, 0, sizeof *sweep);
  hl_sweep_values (from, to, n, log, sweep->values);
  sweep->options = (HlLocusOptions){
      .parameters = sweep->parameters, .values = sweep->values, .n_values = n, .start = HL_START_FROM_MODEL};
  sweep->sweep = (HlSweepParameter){.parameters = sweep->parameters};
}

static void sweep_add (Sweep *sweep, const HlTestModel *model, const char *path) {
  g_assert_true (hl_system_find_parameter (model->sys, path, &sweep->parameters[sweep->sweep.n]));
  sweep->options.n_parameters = ++sweep->sweep.n;
}

static HlLocus *sweep_trace (Sweep *sweep, const HlTestModel *model) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlLocus *locus = hl_root_locus (model->sys, &sweep->options, &fault);
  g_assert_nonnull (locus);
  return locus;
}

static double complex at (const HlLocus *locus, int row, int branch) {
  return locus->re[row * locus->n_states + branch] + I * locus->im[row * locus->n_states + branch];
}

/* Every pair of slots that was conjugate is so until it stands on the real axis. */
static void assert_paired (const HlLocus *locus) {
  for (int row = 0; row < locus->n_values; row++) {
    double sum = 0.0, largest = 0.0;
    for (int k = 0; k < locus->n_states; k++) {
      sum += cimag (at (locus, row, k));
      largest = fmax (largest, cabs (at (locus, row, k)));
    }
    hl_assert_near (sum, 0.0, 0.0, 1e-12 * largest);
  }
}

/* A pair comes down to the real axis at c = 2 sqrt (k I): rows are made where it does, the branches
 * meet the axis there, and the larger real one is that of the upper half. */
static void test_break_point (void) {
  double c_break = 2.0 * sqrt (STIFFNESS * INERTIA), inner = 0.0;
  HlTestModel model = one_arm (1.0, STIFFNESS);
  Sweep sweep;

  for (int direction = 0; direction < 2; direction++) {
    sweep_init (&sweep, &model, direction ? 60.0 : 1.0, direction ? 1.0 : 60.0, 31, FALSE);
    sweep_add (&sweep, &model, "s0.damping");
    sweep.options.refine = true;
    HlLocus *locus = sweep_trace (&sweep, &model);
    g_assert_cmpint (locus->n_values, >, 36);
    g_assert_cmpint (locus->n_values, <, 80);
    assert_paired (locus);
    inner = INFINITY;
    for (int row = 0; row < locus->n_values; row++) {
      double c = locus->values[row];
      double complex root = csqrt (c * c - 4.0 * STIFFNESS * INERTIA);
      double complex up = (-c + root) / (2.0 * INERTIA), down = (-c - root) / (2.0 * INERTIA);
      if (row > 0)
        g_assert_cmpint (c > locus->values[row - 1], ==, !direction);
      hl_assert_near (cabs (at (locus, row, 0) - up), 0.0, 0.0, 1e-6);
      hl_assert_near (cabs (at (locus, row, 1) - down), 0.0, 0.0, 1e-6);
      if (c < c_break)
        inner = fmin (inner, cimag (up));
    }
    /* within a few parts in a hundred of where the rows alone would have left it */
    g_assert_cmpfloat (inner, <, 0.03 * sqrt (STIFFNESS / INERTIA));
    hl_locus_free (locus);
  }
  hl_test_model_clear (&model);
}

/* Without refinement the rows are the requested ones, and the branches the same. */
static void test_rows_asked_for (void) {
  HlTestModel model = one_arm (1.0, STIFFNESS);
  Sweep sweep;

  sweep_init (&sweep, &model, 1.0, 60.0, 9, FALSE);
  sweep_add (&sweep, &model, "s0.damping");
  HlLocus *locus = sweep_trace (&sweep, &model);
  g_assert_cmpint (locus->n_values, ==, 9);
  for (int row = 0; row < 9; row++)
    g_assert_cmpfloat (locus->values[row], ==, sweep.values[row]);
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

typedef struct {
  int n_polls, most; /* says stop from then on */
} Patience;

static bool is_over (void *data) {
  Patience *patience = data;
  return ++patience->n_polls > patience->most;
}

/* The search for crossings is left at the next eigenvalue problem, wherever it stands, and says how
 * far it was. */
static void test_cancelled_search (void) {
  HlTestModel model = one_arm (1.0, STIFFNESS);
  HlCrossing found[MOST];
  Sweep sweep;
  int n_done;

  sweep_init (&sweep, &model, -3.0, 4.0, 20, FALSE);
  sweep_add (&sweep, &model, "s0.damping");
  HlLocus *locus = sweep_trace (&sweep, &model);
  HlSweepPoint *point = hl_sweep_point_new (model.sys, HL_START_FROM_MODEL, NULL);
  Patience whole = {.most = G_MAXINT};
  g_assert_cmpint (
      hl_crossings_find_until (point, &sweep.sweep, locus, is_over, &whole, found, MOST, &n_done), ==, 1);
  g_assert_cmpint (n_done, ==, locus->n_states);
  g_assert_cmpint (whole.n_polls, >, 4);
  for (int most = 0; most < whole.n_polls; most++) {
    Patience patience = {.most = most};
    int n = hl_crossings_find_until (point, &sweep.sweep, locus, is_over, &patience, found, MOST, &n_done);
    g_assert_cmpint (n, <=, 1);
    g_assert_cmpint (n_done, <, locus->n_states);
    g_assert_cmpint (patience.n_polls, <=, most + 4); /* each place in the text has one question */
    if (n == 1)
      hl_assert_near (found[0].value, 0.0, 0.0, 1e-12);
  }
  hl_sweep_point_free (point);
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* A damper that turns into its opposite: the pair crosses at c = 0 with sqrt (k / I); a spring that
 * does: divergence at k = 0. */
static void test_damper_and_spring (void) {
  HlTestModel model = one_arm (1.0, STIFFNESS);
  HlCrossing found[MOST];
  Sweep sweep;

  sweep_init (&sweep, &model, -3.0, 4.0, 20, FALSE);
  sweep_add (&sweep, &model, "s0.damping");
  HlLocus *locus = sweep_trace (&sweep, &model);
  g_assert_cmpint (hl_crossings_find (model.sys, &sweep.sweep, HL_START_FROM_MODEL, locus, found, MOST), ==,
                   1);
  hl_assert_near (found[0].value, 0.0, 0.0, 1e-12);
  hl_assert_near (found[0].frequency_hz, sqrt (STIFFNESS / INERTIA) / (2.0 * G_PI), 1e-12, 0.0);
  g_assert_false (found[0].into_right);
  hl_locus_free (locus);

  sweep_init (&sweep, &model, -3.0, 4.0, 20, FALSE);
  sweep_add (&sweep, &model, "s0.stiffness");
  sweep.options.refine = true;
  locus = sweep_trace (&sweep, &model);
  g_assert_cmpint (hl_crossings_find (model.sys, &sweep.sweep, HL_START_FROM_MODEL, locus, found, MOST), ==,
                   1);
  hl_assert_near (found[0].value, 0.0, 0.0, 1e-9);
  g_assert_cmpfloat (found[0].frequency_hz, ==, 0.0);
  g_assert_false (found[0].into_right || found[0].touches || found[0].at_end);
  g_assert_false (locus->null[0] || locus->null[1]);
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* Undamped at every value: nothing crosses. */
static void test_undamped (void) {
  HlTestModel model =
      hl_test_arms (3, (double[]){0.5, 1.1, 2.3}, (double[]){0, 0, 0}, (double[]){200.0, 300.0, 17.0});
  HlCrossing found[MOST];
  Sweep sweep;

  sweep_init (&sweep, &model, 1.0, 1e4, 200, TRUE);
  sweep_add (&sweep, &model, "s0.stiffness");
  HlLocus *locus = sweep_trace (&sweep, &model);
  g_assert_cmpint (hl_crossings_find (model.sys, &sweep.sweep, HL_START_FROM_MODEL, locus, found, MOST), ==,
                   0);
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* A spring that is not there at the beginning: the free angle is null at k = 0 alone, and both
 * branches start where they should; with no spring at all one null branch of zeros stands beside
 * the other. */
static void test_null_block_that_ends (void) {
  HlTestModel model = one_arm (3.0, 0.0);
  HlCrossing found[MOST];
  Sweep sweep;

  sweep_init (&sweep, &model, 0.0, 4.0, 41, FALSE);
  sweep_add (&sweep, &model, "s0.stiffness");
  HlLocus *locus = sweep_trace (&sweep, &model);
  g_assert_false (locus->null[0] || locus->null[1]);
  for (int row = 0; row < 41; row++) {
    double root = sqrt (9.0 - 4.0 * INERTIA * locus->values[row]);
    hl_assert_near (locus->re[2 * row], (-3.0 + root) / (2.0 * INERTIA), 1e-9, 1e-9);
    hl_assert_near (locus->re[2 * row + 1], (-3.0 - root) / (2.0 * INERTIA), 1e-9, 1e-9);
  }
  g_assert_cmpint (hl_crossings_find (model.sys, &sweep.sweep, HL_START_FROM_MODEL, locus, found, MOST), ==,
                   1);
  g_assert_true (found[0].at_end);
  g_assert_cmpfloat (found[0].value, ==, 0.0);
  hl_locus_free (locus);

  sweep_init (&sweep, &model, 0.5, 4.0, 41, FALSE);
  sweep_add (&sweep, &model, "s0.damping");
  locus = sweep_trace (&sweep, &model);
  g_assert_true (locus->null[0] && !locus->null[1]);
  for (int row = 0; row < 41; row++) {
    g_assert_cmpfloat (locus->re[2 * row], ==, 0.0);
    hl_assert_near (locus->re[2 * row + 1], -locus->values[row] / INERTIA, 1e-12, 0.0);
  }
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* Two arms, overdamped and not: real branches that cross one another, a pair that passes above a
 * real one, in rows far apart. */
static void test_physical_crossings (void) {
  const double inertia[] = {0.5, 0.7}, k[] = {200.0, 90.0};
  HlTestModel model = hl_test_arms (2, inertia, (double[]){30.0, 25.0}, k);
  Sweep sweep;

  for (int n = 7; n < 60; n += 4) {
    sweep_init (&sweep, &model, 5.0, 90.0, n, FALSE);
    sweep_add (&sweep, &model, "s0.damping");
    HlLocus *locus = sweep_trace (&sweep, &model);
    assert_paired (locus);
    /* the second arm does not change: two branches stand still all along */
    int still = 0, slots[4] = {0};
    for (int branch = 0; branch < 4; branch++) {
      double moved = 0.0;
      for (int row = 0; row < n; row++)
        moved = fmax (moved, cabs (at (locus, row, branch) - at (locus, 0, branch)));
      if (moved < 1e-6)
        slots[still++] = branch;
    }
    g_assert_cmpint (still, ==, 2);
    double complex root = csqrt (25.0 * 25.0 - 4.0 * k[1] * inertia[1]);
    double complex sum = at (locus, 0, slots[0]) + at (locus, 0, slots[1]);
    hl_assert_near (cabs (sum + 25.0 / inertia[1]), 0.0, 0.0, 1e-9);
    hl_assert_near (cabs (at (locus, 0, slots[0]) - at (locus, 0, slots[1])), cabs (root) / inertia[1], 1e-9,
                    0.0);
    hl_locus_free (locus);
  }
  hl_test_model_clear (&model);
}

/* Twenty equal arms under one parameter: twenty equal pairs, which come down together. */
static void test_twenty_copies (void) {
  double inertia[20], damping[20], stiffness[20];
  Sweep sweep;

  for (int arm = 0; arm < 20; arm++) {
    inertia[arm] = INERTIA;
    damping[arm] = 1.0;
    stiffness[arm] = STIFFNESS;
  }
  HlTestModel model = hl_test_arms (20, inertia, damping, stiffness);
  sweep_init (&sweep, &model, 1.0, 60.0, 60, FALSE);
  for (int arm = 0; arm < 20; arm++) {
    g_autofree char *path = g_strdup_printf ("s%d.damping", arm);
    sweep_add (&sweep, &model, path);
  }
  sweep.options.refine = true;
  HlLocus *locus = sweep_trace (&sweep, &model);
  assert_paired (locus);
  g_assert_cmpint (locus->n_values, <=, 180);
  for (int row = 0; row < locus->n_values; row++) {
    double c = locus->values[row];
    double complex root = csqrt (c * c - 4.0 * STIFFNESS * INERTIA);
    int n_up = 0;
    for (int branch = 0; branch < 40; branch++) {
      double up = cabs (at (locus, row, branch) - (-c + root) / (2.0 * INERTIA));
      double down = cabs (at (locus, row, branch) - (-c - root) / (2.0 * INERTIA));
      hl_assert_near (fmin (up, down), 0.0, 0.0, 1e-4);
      n_up += up <= down;
      /* each keeps its side */
      if (row > 0 && cabs (root) > 1e-2)
        g_assert_cmpint (up<down, ==, cimag (at (locus, 0, branch))> 0.0);
    }
    if (cabs (root) > 1e-2)
      g_assert_cmpint (n_up, ==, 20);
  }
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* A body that nothing holds has six null eigenvalues; another one's pair is followed beside them.
 */
static void test_free_body (void) {
  g_autofree char *text =
      g_strdup ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
                " 'ground': {'points': {'O': [0, 0]}},"
                " 'bodies': [{'id': 'free', 'points': {}, 'mass': 3, 'inertia': 0.2, 'pose': [5, 1, 0.3],"
                " 'velocity': [0, 0, 4]},"
                " {'id': 'arm', 'points': {'O': [0, 0]}, 'mass': 1, 'inertia': 0.5, 'pose': [0, 0, 0]}],"
                " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.O'}],"
                " 'loads': [{'id': 's', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'arm',"
                " 'stiffness': 200, 'damping': 1, 'free_angle': 0}], 'start': 'as-given'}");
  g_strdelimit (text, "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  Sweep sweep;

  sweep_init (&sweep, &model, 0.01, 100.0, 81, TRUE);
  sweep_add (&sweep, &model, "s.damping");
  HlLocus *locus = sweep_trace (&sweep, &model);
  g_assert_cmpint (locus->n_states, ==, 8);
  int n_null = 0;
  for (int k = 0; k < 8; k++)
    n_null += locus->null[k];
  g_assert_cmpint (n_null, ==, 6);
  assert_paired (locus);
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* A volume of nothing: its pole goes to minus infinity as one over the volume; the value 0 itself
 * is left out. */
static void test_volume_to_nothing (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  Sweep sweep;

  sweep_init (&sweep, &model, 1e-12, 1e-4, 161, TRUE);
  sweep_add (&sweep, &model, "V1.volume");
  sweep.values[0] = 0.0;
  sweep.options.skips = sweep.options.refine = true;
  HlLocus *locus = sweep_trace (&sweep, &model);
  g_assert_cmpfloat (locus->values[0], >, 0.0);
  assert_paired (locus);
  int fastest = -1;
  for (int k = 0; k < locus->n_states; k++)
    if (fastest < 0 || locus->re[k] < locus->re[fastest])
      fastest = k;
  double product = locus->re[fastest] * locus->values[0];
  for (int row = 0; row < locus->n_values && locus->values[row] < 1e-9; row++)
    hl_assert_near (locus->re[row * locus->n_states + fastest] * locus->values[row], product, 1e-2, 0.0);
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* Compares a row with the eigenvalues of hl_linearize () of the model with that value, started by itself. */
static void assert_as_of_model (const HlTestModel *model, const Sweep *sweep, const HlLocus *locus, int row) {
  HlSystem *there = hl_system_copy (model->sys);
  HlWork *work = hl_work_new (there);
  HlPoint *point = hl_point_new (there);

  for (int k = 0; k < sweep->sweep.n; k++)
    hl_system_set_parameter (there, sweep->parameters[k], locus->values[row]);
  g_assert_cmpint (hl_start_point (there, work, HL_START_FROM_MODEL, NULL, point, NULL, NULL), ==, HL_OK);
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (there, work, point, &how, NULL);
  g_assert_nonnull (lin);
  for (int k = 0; k < locus->n_states; k++) {
    double nearest = INFINITY;
    double complex lambda = lin->eigenvalues[k].re + I * lin->eigenvalues[k].im;
    for (int branch = 0; branch < locus->n_states; branch++)
      nearest = fmin (nearest, cabs (at (locus, row, branch) - lambda));
    g_assert_cmpfloat (nearest, <, 1e-5 * cabs (lambda) + 1e-9);
  }
  hl_linearization_free (lin);
  hl_point_free (point);
  hl_work_free (work);
  hl_system_unref (there);
}

/* A lever on a cylinder whose chambers are closed, against a spring: any two pressures whose forces are in balance with
 * it will do. Which ones is the model's to say, at every value as at the first. */
static HlTestModel lever_on_trapped_oil (void) {
  return hl_test_model_filled (
      "{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'O': [0, 0], 'H': [0.2, -0.7], 'S': [0.9, "
      "-1]}},"
      " 'bodies': [{'id': 'lever', 'points': {'O': [0, 0], 'P': [0.5, 0], 'tip': [1, 0]}, 'mass': 300, "
      "'inertia': 20,"
      " 'com': [0.6, 0], 'pose': [0, 0, 0.2]}],"
      " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'lever.O'}],"
      " 'loads': [{'id': 's', 'kind': 'spring', 'a': 'ground.S', 'b': 'lever.tip', 'stiffness': 1000, "
      "'damping': 50,"
      " 'free_length': 1}],"
      " 'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.H', 'rod': 'lever.P', "
      "'piston_area': 3e-3,"
      " 'rod_side_area': 1e-3, 'stroke': 0.8, 'c1': 0.3}],"
      " 'lines': [{'id': 'A', 'ports': ['cyl.A'], 'volume': 1e-4, 'pressure': 5e6},"
      " {'id': 'B', 'ports': ['cyl.B'], 'volume': 1e-4, 'pressure': 2e6}], 'start': 'equilibrium'}",
      NULL);
}

static void test_trapped_oil (void) {
  HlTestModel model = lever_on_trapped_oil ();
  Sweep sweep;

  sweep_init (&sweep, &model, 1e3, 1e6, 25, TRUE);
  sweep_add (&sweep, &model, "s.stiffness");
  HlLocus *locus = sweep_trace (&sweep, &model);
  g_assert_cmpint (locus->n_values, ==, 25);
  for (int row = 0; row < locus->n_values; row++)
    assert_as_of_model (&model, &sweep, locus, row);
  hl_locus_free (locus);
  hl_test_model_clear (&model);
}

/* Each cell of a stability map as well: its growth is that of a model with both values. */
static void test_map_over_trapped_oil (void) {
  HlTestModel model = lever_on_trapped_oil ();
  HlParameter stiffness, mass;
  double x[] = {1e3, 1e5, 5e4, 1e6}, y[] = {300.0, 3000.0, 100.0};
  HlStabilityMapOptions options = {.x = {.parameters = &stiffness, .n = 1},
                                   .y = {.parameters = &mass, .n = 1},
                                   .x_values = x,
                                   .y_values = y,
                                   .n_x = G_N_ELEMENTS (x),
                                   .n_y = G_N_ELEMENTS (y),
                                   .n_threads = 1};

  g_assert_true (hl_system_find_parameter (model.sys, "s.stiffness", &stiffness));
  g_assert_true (hl_system_find_parameter (model.sys, "lever.mass", &mass));
  HlStabilityMap *map = hl_stability_map_new (model.sys, &options, NULL);

  g_assert_nonnull (map);
  for (int cell = 0; cell < options.n_x * options.n_y; cell++) {
    HlSystem *there = hl_system_copy (model.sys);
    HlWork *work = hl_work_new (there);
    HlPoint *point = hl_point_new (there);
    HlLinearizeOptions how = hl_linearize_options_default ();
    hl_system_set_parameter (there, stiffness, x[cell % options.n_x]);
    hl_system_set_parameter (there, mass, y[cell / options.n_x]);
    g_assert_cmpint (hl_start_point (there, work, HL_START_FROM_MODEL, NULL, point, NULL, NULL), ==, HL_OK);
    HlLinearization *lin = hl_linearize (there, work, point, &how, NULL);
    double growth = -INFINITY, damping = 1.0;
    for (int k = 0; k < lin->n; k++)
      if (!lin->eigenvalues[k].null) {
        growth = fmax (growth, lin->eigenvalues[k].re);
        damping = fmin (damping, lin->eigenvalues[k].damping_ratio);
      }
    g_assert_cmpfloat (fabs (map->growth[cell] - growth), <, 1e-6 * fabs (growth));
    g_assert_cmpfloat (fabs (map->damping[cell] - damping), <, 1e-6 * damping);
    hl_linearization_free (lin);
    hl_point_free (point);
    hl_work_free (work);
    hl_system_unref (there);
  }
  hl_stability_map_free (map);
  hl_test_model_clear (&model);
}

/* Compares with eigenvalues of hl_linearize () at the same value, and the step of every branch with
 * its own size. */
static void check_locus (const HlTestModel *model, Sweep *sweep, const char *what) {
  HlLocus *locus = sweep_trace (sweep, model);
  int n = locus->n_states;
  double largest_step = 0.0;

  assert_paired (locus);
  for (int row = 1; row < locus->n_values; row++)
    for (int k = 0; k < n; k++) {
      double complex a = at (locus, row - 1, k), b = at (locus, row, k);
      double scale = fmax (cabs (a), cabs (b)), all = 0.0;
      for (int other = 0; other < n; other++)
        all = fmax (all, cabs (at (locus, row, other)));
      if (scale > 1e-6 * all)
        largest_step = fmax (largest_step, cabs (b - a) / scale);
      if (locus->null[k])
        g_assert_true (a == 0.0 && b == 0.0);
    }
  g_test_message ("%s: %d rows, largest step %.3f", what, locus->n_values, largest_step);
  g_assert_cmpfloat (largest_step, <, 0.75);
  assert_as_of_model (model, sweep, locus, locus->n_values - 1);
  hl_locus_free (locus);
}

/* All cylinders' friction together, and every slider of the file, on every example. */
static void test_every_example (void) {
  const char *folder = g_getenv ("HL_EXAMPLES_DIR");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n_loci = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, ".hydrolink"))
      continue;
    HlTestModel model = hl_test_model_load (name);
    Sweep sweep;
    sweep_init (&sweep, &model, 1e-3, 10.0, 121, TRUE);
    for (int part = 0; part < hl_document_n_elements (model.doc, HL_SECTION_COMPONENTS); part++) {
      g_autofree char *path = g_strdup_printf (
          "%s.friction.scale", hl_document_element_id (model.doc, HL_SECTION_COMPONENTS, part));
      HlParameter parameter;
      if (hl_system_find_parameter (model.sys, path, &parameter))
        sweep_add (&sweep, &model, path);
    }
    sweep.options.refine = sweep.options.skips = true;
    if (sweep.sweep.n > 0) {
      check_locus (&model, &sweep, name);
      n_loci++;
    }
    for (int slider = 0; slider < hl_document_n_sliders (model.doc); slider++) {
      HlSlider s;
      HlParameter parameter;
      g_assert_true (hl_document_slider (model.doc, slider, &s));
      if (!hl_system_find_parameter (model.sys, s.path, &parameter))
        continue;
      g_autofree char *what = g_strdup_printf ("%s %s", name, s.path);
      sweep_init (&sweep, &model, s.from, s.to, 121, s.log);
      sweep_add (&sweep, &model, s.path);
      sweep.options.refine = sweep.options.skips = true;
      check_locus (&model, &sweep, what);
      n_loci++;
    }
    hl_test_model_clear (&model);
  }
  g_assert_cmpint (n_loci, >, 30);
}

/* -k +- i: a damping of 1/2 from k = 1 / sqrt (3) on, a frequency of 2 from sqrt (3) on; a third
 * eigenvalue k - 3 ends both. A null branch counts for nothing. */
static void test_target (void) {
  enum { N = 4001 };
  HlLocus *locus = hl_locus_alloc (4, N);
  double ranges[4][2];

  locus->n_values = N;
  for (int row = 0; row < N; row++) {
    double k = 4.0 * row / (N - 1);
    const double re[] = {-k, -k, k - 3.0, 0.0}, im[] = {1.0, -1.0, 0.0, 0.0};
    locus->values[row] = k;
    for (int branch = 0; branch < 4; branch++) {
      locus->re[row * 4 + branch] = re[branch];
      locus->im[row * 4 + branch] = im[branch];
      locus->null[branch] = branch == 3;
    }
  }
  HlLocusTarget damped = {0.5, NAN}, fast = {NAN, 2.0}, none = {NAN, NAN}, both = {0.5, 0.5};
  g_assert_false (hl_locus_target_is_set (&none));
  g_assert_cmpint (hl_locus_target_ranges (locus, &damped, ranges, 4), ==, 1);
  hl_assert_near (ranges[0][0], 1.0 / sqrt (3.0), 1e-6, 0.0);
  hl_assert_near (ranges[0][1], 3.0, 1e-3, 0.0);
  /* |k - 3| is at least 2 up to 1, |-k +- i| from sqrt (3) on: never both */
  g_assert_cmpint (hl_locus_target_ranges (locus, &fast, ranges, 4), ==, 0);
  g_assert_cmpint (hl_locus_target_ranges (locus, &both, ranges, 4), ==, 1);
  hl_assert_near (ranges[0][1], 2.5, 1e-6, 0.0);
  hl_locus_free (locus);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/root-locus/target", test_target);
  g_test_add_func ("/root-locus/break-point", test_break_point);
  g_test_add_func ("/root-locus/rows-asked-for", test_rows_asked_for);
  g_test_add_func ("/root-locus/damper-and-spring", test_damper_and_spring);
  g_test_add_func ("/root-locus/the-search-for-crossings-is-left-at-once", test_cancelled_search);
  g_test_add_func ("/root-locus/undamped", test_undamped);
  g_test_add_func ("/root-locus/null-block-that-ends", test_null_block_that_ends);
  g_test_add_func ("/root-locus/physical-crossings", test_physical_crossings);
  g_test_add_func ("/root-locus/twenty-copies", test_twenty_copies);
  g_test_add_func ("/root-locus/free-body", test_free_body);
  g_test_add_func ("/root-locus/volume-to-nothing", test_volume_to_nothing);
  g_test_add_func ("/root-locus/trapped-oil", test_trapped_oil);
  g_test_add_func ("/root-locus/trapped-oil/stability-map", test_map_over_trapped_oil);
  g_test_add_func ("/root-locus/every-example", test_every_example);
  return g_test_run ();
}
