/* SPDX-License-Identifier: MIT */
/* Some branches of the root locus of a large machine, and the eigenvalues near a place that it is made of: of machines
 * and matrices whose eigenvalues are known in closed form. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/linear/hl-near-eigenvalues.h"
#include "core/linear/hl-root-locus.h"
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-test-spring-arms.h"
#include "tests/support/hl-test.h"

#define MOST 160
#define N_VALUES 13
#define INERTIA 0.5
#define WITHIN 6.0
/* Of an eigenvalue: LAPACK's iteration for 300 states leaves 1e-12 of the largest, which is 3e4 times as large as those
 * looked at; measured is 2e-13 to 6e-11. */
#define ACCURATE 1e-9

/* Arms of natural frequencies omega[n]; their dampings all follow the same value, a damping ratio, times factor[n]. */
typedef struct {
  int n;
  double omega[MOST], ratio[MOST]; /* ratio: of the damping to the value of the sweep */
  double inertia[MOST], damping[MOST], stiffness[MOST], factors[MOST], values[N_VALUES];
  HlParameter parameters[MOST];
  HlTestModel model;
  HlLocusOptions options;
} Arms;

static void arms_start (Arms *arms, double from, double to) {
  for (int k = 0; k < arms->n; k++) {
    arms->inertia[k] = INERTIA;
    arms->stiffness[k] = INERTIA * arms->omega[k] * arms->omega[k];
    arms->factors[k] = 2.0 * arms->ratio[k] * INERTIA * arms->omega[k];
    arms->damping[k] = from * arms->factors[k];
  }
  arms->model = hl_test_arms (arms->n, arms->inertia, arms->damping, arms->stiffness);
  for (int k = 0; k < arms->n; k++) {
    g_autofree char *path = g_strdup_printf ("s%d.damping", k);
    g_assert_true (hl_system_find_parameter (arms->model.sys, path, &arms->parameters[k]));
  }
  hl_sweep_values (from, to, N_VALUES, false, arms->values);
  arms->options = (HlLocusOptions){.parameters = arms->parameters,
                                   .n_parameters = arms->n,
                                   .factors = arms->factors,
                                   .values = arms->values,
                                   .n_values = N_VALUES,
                                   .within = WITHIN,
                                   .start = HL_START_FROM_MODEL};
}

/* Of arm k at a value of the sweep; `sign` of the root. */
static double complex exact (const Arms *arms, int k, double value, int sign) {
  double zeta = arms->ratio[k] * value;

  return arms->omega[k] * (-zeta + sign * csqrt (zeta * zeta - 1.0));
}

static double complex at (const HlLocus *locus, int row, int branch) {
  return locus->re[row * locus->n_states + branch] + I * locus->im[row * locus->n_states + branch];
}

/* Each branch is one root of one arm at every value, and no other branch is that one. */
static void assert_exact (const Arms *arms, const HlLocus *locus) {
  g_autofree bool *used = g_new0 (bool, 2 * arms->n);

  g_assert_cmpint (locus->n_values, ==, N_VALUES);
  for (int branch = 0; branch < locus->n_states; branch++) {
    double least = INFINITY;
    int best = 0;
    for (int root = 0; root < 2 * arms->n; root++) {
      double worst = 0.0;
      for (int row = 0; row < N_VALUES && worst < least; row++) {
        double complex value = exact (arms, root / 2, locus->values[row], root % 2 == 0 ? 1 : -1);
        worst = fmax (worst, cabs (at (locus, row, branch) - value) / cabs (value));
      }
      if (!used[root] && worst < least) {
        least = worst;
        best = root;
      }
    }
    g_assert_cmpfloat (least, <=, ACCURATE);
    used[best] = true;
  }
  /* and none that comes near is missing */
  for (int root = 0; root < 2 * arms->n; root++) {
    double nearest = INFINITY;
    for (int row = 0; row < N_VALUES; row++)
      nearest = fmin (nearest, cabs (exact (arms, root / 2, locus->values[row], root % 2 == 0 ? 1 : -1)));
    g_assert_cmpint (used[root], ==, nearest <= WITHIN);
  }
}

static HlLocus *trace (Arms *arms) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlLocus *locus = hl_root_locus (arms->model.sys, &arms->options, &fault);

  g_assert_nonnull (locus);
  return locus;
}

/* 104 arms up to 2.3e5 rad/s, ten of which are slow enough. */
static void spread_arms (Arms *arms) {
  memset (arms, 0, sizeof *arms);
  arms->n = 104;
  for (int k = 0; k < arms->n; k++) {
    arms->omega[k] = 2.0 * pow (1.12, k);
    arms->ratio[k] = 1.0 + 0.3 * sin (k);
  }
}

static void test_closed_form (void) {
  Arms arms;

  spread_arms (&arms);
  arms_start (&arms, 0.1, 0.6);
  HlLocus *locus = trace (&arms);
  g_assert_cmpint (locus->way, ==, HL_LOCUS_BY_NEAR);
  assert_exact (&arms, locus);
  hl_locus_free (locus);
  arms.options.thorough = true;
  locus = trace (&arms);
  g_assert_cmpint (locus->way, ==, HL_LOCUS_BY_ALL);
  assert_exact (&arms, locus);
  hl_locus_free (locus);
  hl_test_model_clear (&arms.model);
}

/* One arm's pair falls apart outside, and the slower one of the two comes in. */
static void test_comes_in (void) {
  Arms arms;

  spread_arms (&arms);
  arms.omega[13] = 10.0;
  arms.ratio[13] = 4.0;
  arms_start (&arms, 0.1, 0.6);
  HlLocus *locus = trace (&arms);
  g_assert_cmpint (locus->way, ==, HL_LOCUS_BY_NEAR);
  assert_exact (&arms, locus);
  hl_locus_free (locus);
  hl_test_model_clear (&arms.model);
}

/* Equal machines have equal eigenvalues, of which the method may leave some out: what there is then is right all the
 * same. */
static void test_copies (void) {
  Arms arms;

  memset (&arms, 0, sizeof arms);
  arms.n = 102;
  for (int k = 0; k < arms.n; k++) {
    arms.omega[k] = 4.0 * pow (5.0, k % 6);
    arms.ratio[k] = 1.0;
  }
  arms_start (&arms, 0.1, 0.6);
  HlLocus *locus = trace (&arms);
  g_test_message ("found by way %d", locus->way);
  assert_exact (&arms, locus);
  hl_locus_free (locus);
  hl_test_model_clear (&arms.model);
}

/* H D H, with a reflection H = 1 - 2 v v^T, has the eigenvalues of D and no zero entry: D of 2 x 2 blocks (-k, w; -w, -k)
 * and of -k alone. */
static void test_full_matrix (void) {
  enum { N = 121 };
  g_autofree double *D = g_new0 (double, N *N), *J = g_new0 (double, N *N), *v = g_new (double, N),
                    *scale = g_new (double, N), *left = g_new0 (double, N), *right = g_new0 (double, N);
  double re[32], im[32], size = 0.0, both = 0.0;
  int n_found;

  for (int k = 0; k < N; k++) {
    D[k * N + k] = -1.0 - k / 2;
    scale[k] = k % 3 == 0 ? 1e5 : 1.0;
    v[k] = 1.0 + 0.3 * sin (k);
    size += v[k] * v[k];
  }
  for (int k = 0; k + 1 < N; k += 2) {
    D[(k + 1) * N + k] = 2.0;
    D[k * N + k + 1] = -2.0;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      left[j] += v[i] * D[j * N + i];
      right[i] += D[j * N + i] * v[j];
      both += v[i] * D[j * N + i] * v[j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      J[j * N + i] = (D[j * N + i] - 2.0 * (v[i] * left[j] + right[i] * v[j]) / size +
                      4.0 * both * v[i] * v[j] / (size * size)) *
                     scale[i] / scale[j];
  HlNearEigenvalues *near = hl_near_eigenvalues_new (N, scale);
  g_assert_cmpint (hl_near_eigenvalues_eval (near, J, -10.2, 20, re, im, &n_found), ==, HL_OK);
  g_assert_cmpint (n_found, ==, 20);
  /* distances from -10.2: hypot (k - 10.2, 2) of the pairs -k +- 2 i: the ten nearest are 6 to 15 */
  for (int k = 6; k <= 15; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double nearest = INFINITY;
      for (int found = 0; found < n_found; found++)
        nearest = fmin (nearest, hypot (re[found] + k, im[found] - 2.0 * sign));
      g_assert_cmpfloat (nearest, <=, 1e-9);
    }
  hl_near_eigenvalues_free (near);
}

/* One that grows, 40 slow real ones -1, -2 ..., five pairs -1 +- 20 i, and fast ones: the 24th is of a pair. Another pair far
 * out that hardly decays takes too many with it; of few states all are followed. */
static void test_reach (void) {
  HlEigenvalue values[250] = {{.re = 0.1}};
  int n = 1;

  for (int k = 1; k <= 40; k++)
    values[n++].re = -k;
  for (int k = 0; k < 10; k++)
    values[n++] = (HlEigenvalue){.re = -1.0, .im = k % 2 == 0 ? 20.0 : -20.0};
  for (; n < 242; n++)
    values[n].re = -1000.0 * n;
  for (; n < 250; n++)
    values[n].null = true;
  hl_assert_near (hl_locus_reach (250, values), 1.5 * sqrt (401.0), 1e-15, 0.0);
  hl_assert_near (hl_locus_reach (199, values), 0.0, 0.0, 0.0);
  values[240] = (HlEigenvalue){.re = -5.0, .im = 300.0};
  values[241] = (HlEigenvalue){.re = -5.0, .im = -300.0};
  hl_assert_near (hl_locus_reach (250, values), 0.0, 0.0, 0.0);
}

/* A row of volumes with rows in between where branches bend: at every value those near are some of all. */
static void test_refined (void) {
  HlTestModel model = hl_test_model_from_document (hl_test_ladder (220));
  HlParameter parameter;
  double values[N_VALUES];
  HlLocus *locus[2];

  g_assert_true (hl_system_find_parameter (model.sys, "R100.diameter", &parameter));
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  HlLinearizeOptions linear = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &linear, NULL);
  hl_sweep_values (0.0005, 0.008, N_VALUES, true, values);
  HlLocusOptions options = {.parameters = &parameter,
                            .n_parameters = 1,
                            .values = values,
                            .n_values = N_VALUES,
                            .within = hl_locus_reach (lin->n, lin->eigenvalues),
                            .refine = true,
                            .skips = true,
                            .start = HL_START_FROM_MODEL};
  g_assert_cmpfloat (options.within, >, 0.0);
  for (int all = 0; all < 2; all++) {
    options.thorough = all == 1;
    locus[all] = hl_root_locus (model.sys, &options, NULL);
    g_assert_nonnull (locus[all]);
  }
  g_test_message ("%d of %d branches, %d rows", locus[0]->n_states, lin->n, locus[0]->n_values);
  g_assert_cmpint (locus[0]->way, ==, HL_LOCUS_BY_NEAR);
  g_assert_cmpint (locus[0]->n_states, >=, 24);
  g_assert_cmpint (locus[0]->n_states, ==, locus[1]->n_states);
  for (int row = 0, other = 0; row < locus[0]->n_values; row++) {
    while (other < locus[1]->n_values - 1 && locus[1]->values[other] < locus[0]->values[row])
      other++;
    if (locus[1]->values[other] != locus[0]->values[row])
      continue;
    for (int k = 0; k < locus[0]->n_states; k++) {
      double complex found = at (locus[0], row, k);
      double nearest = INFINITY;
      for (int j = 0; j < locus[1]->n_states; j++)
        nearest = fmin (nearest, cabs (at (locus[1], other, j) - found));
      g_assert_cmpfloat (nearest, <=, ACCURATE * options.within);
    }
  }
  hl_locus_free (locus[0]);
  hl_locus_free (locus[1]);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/near-eigenvalues/full-matrix", test_full_matrix);
  g_test_add_func ("/near-eigenvalues/branches-in-closed-form", test_closed_form);
  g_test_add_func ("/near-eigenvalues/one-that-comes-in", test_comes_in);
  g_test_add_func ("/near-eigenvalues/equal-machines", test_copies);
  g_test_add_func ("/near-eigenvalues/reach-holds-what-rings-grows-or-is-slow", test_reach);
  g_test_add_func ("/near-eigenvalues/rows-in-between", test_refined);
  return g_test_run ();
}
