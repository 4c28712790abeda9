/* SPDX-License-Identifier: MIT */
/* Null eigenvalues: Jordan chains, what they are called, the counter-example in which a
 * nonholonomic constraint brings none, and the speeds at which vehicles lose their stability. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/linear/hl-linearize.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

/* ---- chains of matrices with a known structure ---- */

static void random_matrix (int n, double a[]) {
  for (int k = 0; k < n * n; k++)
    a[k] = hl_test_uniform (-1.0, 1.0);
  for (int k = 0; k < n; k++)
    a[k * n + k] += 3.0; /* well conditioned */
}

static void multiply (int n, const double a[], const double b[], double out[]) {
  memset (out, 0, (size_t)(n * n) * sizeof (double));
  for (int col = 0; col < n; col++)
    for (int k = 0; k < n; k++)
      for (int row = 0; row < n; row++)
        out[col * n + row] += a[k * n + row] * b[col * n + k];
}

/* S J S^-1 with null blocks of the given sizes and other eigenvalues -1, -2 ... */
static void jordan_matrix (int n, int n_blocks, const int sizes[], double out[]) {
  g_autofree double *s = g_new (double, n *n), *lu = g_new (double, n *n), *j = g_new0 (double, n *n),
                    *inverse = g_new0 (double, n *n), *sj = g_new (double, n *n);
  g_autofree int *pivots = g_new (int, n);
  int at = 0;

  random_matrix (n, s);
  memcpy (lu, s, (size_t)(n * n) * sizeof (double));
  g_assert_cmpint (hl_lu_factor (n, lu, pivots), ==, HL_OK);
  for (int k = 0; k < n; k++)
    inverse[k * n + k] = 1.0;
  hl_lu_solve (n, lu, pivots, n, inverse);
  for (int b = 0; b < n_blocks; at += sizes[b], b++)
    for (int k = 1; k < sizes[b]; k++)
      j[(at + k) * n + at + k - 1] = 1.0;
  for (int k = at; k < n; k++)
    j[k * n + k] = -(double)(k - at + 1);
  multiply (n, s, j, sj);
  multiply (n, sj, inverse, out);
}

static double norm (int n, const double x[]) {
  double sum = 0.0;
  for (int k = 0; k < n; k++)
    sum += x[k] * x[k];
  return sqrt (sum);
}

/* A^j c_j = 0 and A^(j-1) c_j != 0 for every vector, and all vectors together are independent. */
static void test_chains (void) {
  static const struct {
    int n_blocks, sizes[4];
  } cases[] = {{1, {1}}, {3, {3, 2, 1}}, {2, {2, 2}}, {4, {3, 1, 1, 1}}, {1, {4}}, {3, {3, 3, 1}}};
  enum { N = 9 };

  for (int k = 0; k < 120; k++) {
    int n_blocks = cases[k % 6].n_blocks, total = 0, column = 0;
    const int *sizes = cases[k % 6].sizes;
    double a[N * N], chains[N * N], copy[N * N], sigma[N], x[N], y[N];

    jordan_matrix (N, n_blocks, sizes, a);
    g_assert_cmpint (hl_null_chains (N, a, n_blocks, sizes, chains), ==, HL_OK);
    for (int b = 0; b < n_blocks; b++)
      for (int j = 1; j <= sizes[b]; j++, column++) {
        memcpy (x, chains + column * N, sizeof x);
        double size = norm (N, x);
        for (int step = 1; step <= j; step++) {
          memset (y, 0, sizeof y);
          for (int c = 0; c < N; c++)
            for (int r = 0; r < N; r++)
              y[r] += a[c * N + r] * x[c];
          memcpy (x, y, sizeof x);
          if (step < j)
            g_assert_cmpfloat (norm (N, x), >, 1e-4 * size);
          else
            g_assert_cmpfloat (norm (N, x), <, 1e-8 * size);
        }
        for (int r = 0; r < N; r++)
          copy[column * N + r] = chains[column * N + r] / size;
      }
    total = column;
    HlLinalgWork *lw = hl_linalg_work_new (N, N);
    g_assert_cmpint (hl_singular_values (N, total, copy, sigma, lw), ==, HL_OK);
    g_assert_cmpfloat (sigma[total - 1], >, 1e-4);
    hl_linalg_work_free (lw);
  }
}

/* ---- names ---- */

static HlLinearization *linearize (HlTestModel *model) {
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (model->sys, model->work, model->point, &options, NULL);
  g_assert_nonnull (lin);
  return lin;
}

/* A vehicle that drives at `speed` in the direction `heading`. */
static HlTestModel vehicle_at (const char *file, double speed, double heading) {
  HlTestModel model = hl_test_model_load (file);

  for (int body = 0; body < 2; body++) {
    HlBody *b = &model.sys->mech.bodies[body];
    double x = b->pose[0], c = cos (heading), s = sin (heading);
    memcpy (b->pose, (double[3]){c * x, s * x, heading}, sizeof b->pose);
    memcpy (b->velocity, (double[3]){c * speed, s * speed, 0.0}, sizeof b->velocity);
  }
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  return model;
}

static const char *const vehicles[] = {"articulated-vehicle-rigid.hydrolink",
                                       "articulated-vehicle-tyre.hydrolink",
                                       "articulated-vehicle-tyre-throttle.hydrolink"};

static void test_vehicle_names (void) {
  static const double speeds[] = {1.0, 5.0, 10.0}, headings[] = {0.0, 0.7, 2.0};

  for (gsize k = 0; k < G_N_ELEMENTS (vehicles); k++)
    for (gsize v = 0; v < G_N_ELEMENTS (speeds); v++)
      for (gsize h = 0; h < G_N_ELEMENTS (headings); h++) {
        HlTestModel model = vehicle_at (vehicles[k], speeds[v], headings[h]);
        HlLinearization *lin = linearize (&model);

        g_assert_cmpint (lin->n_null_blocks, ==, 3);
        g_assert_cmpint (lin->null_blocks[0], ==, 3);
        g_assert_cmpint (lin->null_blocks[1], ==, 2);
        g_assert_cmpint (lin->null_blocks[2], ==, 1);
        g_assert_cmpstr (lin->null_names[0], ==, "held articulation → heading angle → lateral position");
        g_assert_cmpstr (lin->null_names[1], ==, "forward speed → forward position");
        g_assert_cmpstr (lin->null_names[2], ==, "trapped oil");
        hl_linearization_free (lin);
        hl_test_model_clear (&model);
      }
}

static void test_four_bar_names (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  HlLinearization *lin = linearize (&model);
  g_assert_cmpint (lin->n_null_blocks, ==, 2);
  for (int k = 0; k < 2; k++) {
    g_assert_cmpint (lin->null_blocks[k], ==, 1);
    g_assert_cmpstr (lin->null_names[k], ==, "trapped oil");
  }
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* ---- the counter-example: a knife edge that brings no null eigenvalue ---- */

static const char sledge[] =
    "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, 0],"
    " \"ground\": {\"points\": {\"A\": [0.4, 3]}},"
    " \"bodies\": [{\"id\": \"sledge\", \"points\": {\"G\": [0, 0], \"S\": [0.4, 0]},"
    "   \"mass\": 2, \"inertia\": 3, \"pose\": [0, 0, 0], \"velocity\": [2, 0, 0]}],"
    " \"joints\": [{\"id\": \"edge\", \"kind\": \"knife-edge\", \"point\": \"sledge.G\", \"axis\": "
    "0}],"
    " \"loads\": [{\"id\": \"side\", \"kind\": \"spring\", \"a\": \"ground.A\", \"b\": "
    "\"sledge.S\","
    "   \"stiffness\": 5, \"damping\": 0, \"free_length\": 3}],"
    " \"simulation\": {\"start\": \"as-given\"}}";

static void test_counter_example (void) {
  HlTestModel model = hl_test_model_from_text (sledge);
  static const double want[3][2] = {{0.5100185, 1.0232415}, {0.5100185, -1.0232415}, {-1.020037, 0.0}};
  int at = 0;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  HlLinearization *lin = linearize (&model);
  g_assert_cmpint (lin->n, ==, 5);
  /* the two zeros are the free motion ahead; the knife edge adds none */
  g_assert_cmpint (lin->n_null, ==, 2);
  g_assert_cmpint (lin->n_null_blocks, ==, 1);
  g_assert_cmpstr (lin->null_names[0], ==, "forward speed → forward position");
  for (int k = 0; k < 5; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    if (value->null)
      continue;
    hl_assert_near (value->re, want[at][0], 0.0, 1e-7);
    hl_assert_near (value->im, want[at][1], 0.0, 1e-7);
    /* I L^3 + k a^2 L + k a v = 0 */
    double re = value->re, im = value->im;
    hl_assert_near (3.0 * (re * re * re - 3.0 * re * im * im) + 0.8 * re + 4.0, 0.0, 0.0, 1e-13);
    hl_assert_near (3.0 * (3.0 * re * re * im - im * im * im) + 0.8 * im, 0.0, 0.0, 1e-13);
    at++;
  }
  g_assert_cmpint (at, ==, 3);
  g_assert_true (lin->unstable);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

/* ---- critical speeds ---- */

static double growth_at (const char *file, double speed) {
  HlTestModel model = vehicle_at (file, speed, 0.0);
  HlLinearization *lin = linearize (&model);
  double growth = -INFINITY;

  for (int k = 0; k < lin->n; k++)
    if (!lin->eigenvalues[k].null)
      growth = fmax (growth, lin->eigenvalues[k].re);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
  return growth;
}

static void test_critical_speeds (void) {
  static const char *const keys[] = {"critical_speed.rigid", "critical_speed.tyre",
                                     "critical_speed.tyre_throttle"};
  json_t *golden = hl_test_golden_json ("articulated_vehicle.json");

  for (gsize k = 0; k < G_N_ELEMENTS (vehicles); k++) {
    double low = 5.0, high = 8.0;
    g_assert_cmpfloat (growth_at (vehicles[k], low), <, 0.0);
    g_assert_cmpfloat (growth_at (vehicles[k], high), >, 0.0);
    while (high - low > 1e-10) {
      double middle = 0.5 * (low + high);
      *(growth_at (vehicles[k], middle) > 0.0 ? &high : &low) = middle;
    }
    g_test_message ("%s: %.12g m/s", vehicles[k], low);
    hl_assert_near (low, hl_test_json_number (golden, keys[k]), 0.0, 1e-7);
  }
  json_decref (golden);
}

/* A slow eigenvalue beside a null block, which shears by small integers have mixed: their products are exact, so
 * the eigenvalues are those planted. Beside nearly defective neighbours the slow one is uncertain by
 * itself, and the ranks would count it among them; the sum of all, the trace, does not allow it. */
static void test_trace_tells_a_slow_one (void) {
  static const struct {
    int n, null;
    double planted[4]; /* the slow one first; 0 ends */
    struct {
      int row, from;
      double c;
    } shear[18];
    double near; /* of the slow one, relative: the members' scatter over its distance */
  } cases[] = {
      {4, 2, {-0x1p-14, -4096}, {{1, 2, 1}, {2, 3, -16}, {1, 2, -16}, {2, 0, 64}, {0, 1, -16}}, 1e-6},
      {4,
       2,
       {-0x1p-13, -32768},
       {{2, 1, -32}, {2, 3, 0.5}, {0, 3, 4}, {0, 1, -32}, {0, 2, -1}, {2, 1, 16}, {2, 0, 32}},
       1e-6},
      {8,
       4,
       {-0x1p-12, -8192, -16, -128},
       {{7, 0, -8},
        {7, 2, -16},
        {3, 1, -32},
        {6, 2, 64},
        {1, 5, 8},
        {3, 7, -4},
        {4, 2, -0.5},
        {6, 2, 0.5},
        {6, 2, -2},
        {4, 6, 16}},
       1e-6},
      {6,
       4,
       {-0x1p-10, -4},
       {{2, 1, 2},
        {0, 2, 4},
        {4, 3, 2},
        {2, 5, 1},
        {3, 0, 1},
        {4, 5, 8},
        {2, 4, -16},
        {3, 5, -16},
        {3, 0, 1},
        {4, 0, -4},
        {3, 5, 16},
        {3, 4, -0.5},
        {5, 1, 64},
        {0, 3, 1},
        {1, 0, 1},
        {2, 0, 8},
        {5, 4, -32}},
       1e-4},
      /* only uncertainties of less than a decade find the structure */
      {7, 3, {-0x1p-13, -256, -4, -4096}, {{6, 2, 16}, {3, 0, -8}, {4, 3, 16}, {3, 2, 0.5}}, 1e-6},
      {6, 4, {-0x1p-9, -4096}, {{2, 5, 1}, {3, 2, 4}, {5, 0, -0.5}, {5, 4, -32}, {4, 3, 0.5}}, 1e-6},
      {5, 3, {-0x1p-11, -4}, {{3, 4, -32}, {3, 2, 4}, {3, 4, -2}, {2, 1, 2}, {4, 3, -32}}, 1e-6},
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    int n = cases[c].n, null = cases[c].null, slow = -1;
    double J[64] = {0};
    HlEigen *eigen = hl_eigen_new (n);

    for (int k = 0; k + 1 < null; k++)
      J[k + n * (k + 1)] = 1.0;
    for (int k = null; k < n; k++)
      J[k + n * k] = cases[c].planted[k - null];
    for (int k = 0; k < 18 && cases[c].shear[k].c != 0.0; k++) {
      int row = cases[c].shear[k].row, from = cases[c].shear[k].from;
      double by = cases[c].shear[k].c;
      for (int j = 0; j < n; j++)
        J[row + n * j] += by * J[from + n * j];
      for (int i = 0; i < n; i++)
        J[i + n * from] -= by * J[i + n * row];
    }
    g_assert_cmpint (hl_eigen_eval (eigen, n, J, NULL, 0.0, HL_EIGEN_NULL | HL_EIGEN_VECTORS), ==, HL_OK);
    g_assert_cmpint (eigen->n_null, ==, null);
    for (int k = 0; k < n; k++)
      if (!eigen->is_null[k] && (slow < 0 || cabs (eigen->value[k]) < cabs (eigen->value[slow])))
        slow = k;
    hl_assert_near (creal (eigen->value[slow]), cases[c].planted[0], cases[c].near, 0.0);
    hl_eigen_free (eigen);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/null-eigenvalues/jordan-chains", test_chains);
  g_test_add_func ("/null-eigenvalues/names-of-a-vehicle", test_vehicle_names);
  g_test_add_func ("/null-eigenvalues/names-of-the-four-bar", test_four_bar_names);
  g_test_add_func ("/null-eigenvalues/knife-edge-without-null-eigenvalue", test_counter_example);
  g_test_add_func ("/null-eigenvalues/critical-speeds", test_critical_speeds);
  g_test_add_func ("/null-eigenvalues/the-trace-tells-a-slow-one", test_trace_tells_a_slow_one);
  return g_test_run ();
}
